import { Topology } from '../abi/abi';
import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import * as exact from '../sums/exactSum';
import { experienceOf } from '../grid/execution';
import { at, move, put } from '../memory/memory';
import * as keyBounds from '../queue/keyBounds';
import * as priorityQueue from '../queue/priorityQueue';
import { drawsFutures } from '../memory/runKind';
import * as endedJobs from './endedJobs';
import * as releases from './releases';

/**
 * Estimates from what jobs of the same user took (Tsafrir, Etsion, Feitelson 2007): when a job is submitted,
 * its estimate is the mean of a number of its user's last jobs that have ended, or what it requests where
 * that is less, or they are fewer. This holds, or is renewed while it waits (EASY++ of pyss). The estimates
 * are in a column of the simulation in place of the requests, so that whoever reads estimates reads these.
 *
 * The jobs of a user that have ended are a list from the latest back, by job + 1; 0 ends it. So are those
 * that wait, if their estimates are renewed, so that an end costs no look at those of others.
 */

/** What a job is estimated by from now on, as it is submitted or waits. */
export function estimate(simulation: Simulation, job: i32): void {
  put<f64>(columns.estimates, job, min<f64>(at<f64>(columns.requests, job), meanFor(simulation, job)));
}

/** The mean of the last jobs of the user of a job; +infinity where too few have ended. */
function meanFor(simulation: Simulation, job: i32): f64 {
  const user = at<i32>(columns.users, job);
  if (user < 0) return Infinity;
  const sum = columns.exactSum;
  exact.reset(sum);
  let earlier = at<i32>(columns.lastOfUsers, user);
  for (let count = 0; count < simulation.recentJobs; ) {
    if (earlier === 0) return Infinity;
    if (isKnownTo(simulation, job, earlier - 1)) {
      exact.add(sum, experienceOf(earlier - 1));
      count++;
    }
    earlier = at<i32>(columns.earlierOfUsers, earlier - 1);
  }
  return exact.rounded(sum) / <f64>simulation.recentJobs;
}

/** Renews the estimates of the waiting jobs, since a job has ended. */
export function refresh(simulation: Simulation, ended: i32): void {
  const mean = meanFor(simulation, ended);
  if (mean === Infinity) return;
  let job = nextConcerned(simulation, ended, -1);
  for (; job >= 0; job = nextConcerned(simulation, ended, job)) {
    const estimate = min<f64>(at<f64>(columns.requests, job), mean);
    if (estimate === at<f64>(columns.estimates, job)) continue;
    put<f64>(columns.estimates, job, estimate);
    // No plan holds in which it takes another time.
    simulation.planHolds = 0;
    simulation.reservedJob = 0;
    if (simulation.roomForPlan !== 0) priorityQueue.mayNotDelay(simulation, job);
    // Keys that the host gives come later.
    if (simulation.asksKeys !== 0) keyBounds.forget(simulation);
    else keyBounds.change(simulation, job);
  }
}

/** The next job behind one, or with -1 the first, that waits and is estimated by what a job took; or -1. */
export function nextConcerned(simulation: Simulation, ended: i32, job: i32): i32 {
  const user = at<i32>(columns.users, ended);
  if (user < 0) return -1;
  let next = job < 0 ? at<i32>(columns.waitingOfUsers, user) : at<i32>(columns.nextOfUser, job);
  while (next !== 0 && !isKnownTo(simulation, next - 1, ended)) next = at<i32>(columns.nextOfUser, next - 1);
  return next - 1;
}

/** Whether a job runs on machines that know of another: independent sites know of their own only. */
@inline
function isKnownTo(simulation: Simulation, job: i32, other: i32): bool {
  if (simulation.topology !== Topology.Independent) return true;
  return at<i32>(columns.homes, job) === at<i32>(columns.homes, other);
}

/** A job has ended. */
export function learn(job: i32): void {
  const user = at<i32>(columns.users, job);
  if (user < 0) return;
  put<i32>(columns.earlierOfUsers, job, at<i32>(columns.lastOfUsers, user));
  put<i32>(columns.lastOfUsers, user, job + 1);
}

/** What the ends of jobs say of those that come later, and what of these is known only when they come. */

/** Before the first event. */
export function reset(simulation: Simulation): void {
  // Until their submits jobs are estimated by their requests.
  if (simulation.recentJobs > 0) move<f64>(columns.estimates, 0, columns.requests, 0, simulation.jobCount);
  if (drawsFutures(simulation)) endedJobs.reset(simulation);
  if (simulation.hasDependencies !== 0) releases.reset(simulation);
}

/** A job is submitted, and about to join its queue. */
export function submitted(simulation: Simulation, job: i32): void {
  if (simulation.recentJobs > 0) estimate(simulation, job);
  if (simulation.hasLateRanks !== 0) priorityQueue.place(simulation, job);
}

/** A job has ended. */
export function ended(simulation: Simulation, job: i32): void {
  if (simulation.recentJobs > 0 && simulation.keyedEnd !== job + 1) {
    learn(job);
    if (simulation.refreshesEstimates !== 0) refresh(simulation, job);
  }
  if (drawsFutures(simulation)) endedJobs.learn(simulation, job);
  if (simulation.hasDependencies !== 0) releases.ended(simulation, job);
}
