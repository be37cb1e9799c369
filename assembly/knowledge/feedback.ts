import { Simulation } from '../memory/state';
import { drawsFutures } from '../memory/runKind';
import * as lateRanks from '../queue/priorityQueue';
import * as endedJobs from './endedJobs';
import * as estimates from './estimates';
import * as releases from './releases';

/** What the ends of jobs say of those that come later, and what of these is known only when they come. */

/** Before the first event. */
export function reset(simulation: Simulation): void {
  if (simulation.recentJobs > 0) estimates.reset(simulation);
  if (drawsFutures(simulation)) endedJobs.reset(simulation);
  if (simulation.hasDependencies !== 0) releases.reset(simulation);
}

/** A job is submitted, and about to join its queue. */
export function submitted(simulation: Simulation, job: i32): void {
  if (simulation.recentJobs > 0) estimates.estimate(simulation, job);
  if (simulation.hasLateRanks !== 0) lateRanks.place(simulation, job);
}

/** A job has ended. */
export function ended(simulation: Simulation, job: i32): void {
  if (simulation.recentJobs > 0 && simulation.keyedEnd !== job + 1) {
    estimates.learn(job);
    if (simulation.refreshesEstimates !== 0) estimates.refresh(simulation, job);
  }
  if (drawsFutures(simulation)) endedJobs.learn(simulation, job);
  if (simulation.hasDependencies !== 0) releases.ended(simulation, job);
}
