import { countFree } from './grid.js';
import { lookAheadAfterPlacement } from './lookAhead.js';
import type { JobRecord, Simulation } from './simulation.js';
import {
  type AllocationQuestion,
  chooseBestFit,
  chooseFastestFirst,
  feasibleSites,
  type VisibleSite,
} from './sites.js';
import { speedHeterogeneity } from './speedHeterogeneity.js';
import type { PolicyView, WaitingJob } from './types.js';

/**
 * Site that a custom policy chooses for the job; 'none' if no site is feasible, 'wait' if the
 * policy lets it wait. The policy is called if two sites are feasible, or if one is and it may
 * answer with waiting.
 */
export function askCustomPolicy(
  simulation: Simulation,
  question: AllocationQuestion,
  job: JobRecord,
  queue: JobRecord[],
  now: number,
): VisibleSite | 'none' | 'wait' {
  const { choose, mayWait } = simulation.options;
  const { sites, safe } = question;
  const feasible = feasibleSites(job, sites, question).filter(({ index }) => safe?.includes(index) ?? true);
  if (feasible.length === 0) return 'none';
  if (feasible.length === 1 && !mayWait) return feasible[0]!;
  const answer = choose!(makePolicyView(simulation, question, feasible, job, queue, now));
  if (answer === 0) return 'wait';
  const site = feasible.find(({ index }) => index === answer - 1);
  if (site === undefined) throw new Error(`site ${answer} is not feasible`);
  return site;
}

function makePolicyView(
  { grid, options }: Simulation,
  question: AllocationQuestion,
  feasible: VisibleSite[],
  job: JobRecord,
  queue: JobRecord[],
  now: number,
): PolicyView {
  const shown = (waitingJob: JobRecord): WaitingJob => ({
    number: waitingJob.number ?? waitingJob.index + 1,
    processors: waitingJob.processors,
    estimate: waitingJob.estimate * options.load[waitingJob.home]!,
    submit: waitingJob.submit,
    home: waitingJob.home + 1,
    user: waitingJob.group === undefined ? -1 : (waitingJob.user ?? -1),
  });
  return {
    job: shown(job),
    sites: grid.map((site) => {
      const { index, capacity, speed } = site;
      const isFeasible = feasible.some((each) => each.index === index);
      return { number: index + 1, free: countFree(site), capacity, speed, isFeasible };
    }),
    time: now,
    bestFit: chooseBestFit(job, feasible).index + 1,
    fastestFirst: chooseFastestFirst(feasible).index + 1,
    speedHeterogeneity: speedHeterogeneity(options.speeds),
    queuedProcessors: queue.reduce((sum, { processors }) => sum + processors, 0),
    freeProcessors: grid.reduce((sum, site) => sum + countFree(site), 0),
    situation: question.metEmptyQueue ? 'a' : 'b',
    lookAhead(number) {
      if (!feasible.some(({ index }) => index === number - 1))
        throw new Error(`site ${number} is not feasible`);
      const parts = [{ site: number - 1, processors: job.processors }];
      const { allocations, computingCapacity } = lookAheadAfterPlacement(question, parts, 'prefix');
      return { jobs: allocations, capacity: computingCapacity };
    },
    queue: queue.filter((other) => question.eligible.includes(other)).map(shown),
  };
}
