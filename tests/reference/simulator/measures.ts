import { sumExactly } from './exactSum.js';
import type { ReferenceGrid } from './grid.js';
import { processorSecondsInOutage } from './outages.js';
import type { Simulation } from './simulation.js';
import type {
  AllocatedPart,
  ReferenceDecisions,
  ReferenceJob,
  ReferenceMetrics,
  StoppedRun,
} from './types.js';

/** Results of a finished simulation from which metrics follow; columns in job order. */
export interface SimulationOutcome {
  jobs: ReferenceJob[];
  grid: ReferenceGrid;
  start: number[];
  execution: number[];
  parts: AllocatedPart[][];
  /** Grid-wide numbers of the processors that each job held. */
  processors: number[][];
  /** Number of preempted runs of each job, and the seconds lost in them. */
  stops: number[];
  lost: number[];
  stoppedRuns: StoppedRun[];
  /** Number of waiting jobs before each event (submissions and ends). */
  queueLengths: number[];
  /** Numbers of processors that were gone from a time on, by site. */
  goneSteps: Simulation['goneSteps'];
  decisions: ReferenceDecisions;
}

/** Sum in doubles from left to right, for values other than those of jobs. */
function sumLeftToRight(values: number[]): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

/** Largest value, at least 0. */
function largestOrZero(values: number[]): number {
  let largestValue = 0;
  for (const value of values) if (value > largestValue) largestValue = value;
  return largestValue;
}

function ratioOrZero(numerator: number, denominator: number): number {
  return denominator === 0 ? 0 : numerator / denominator;
}

/**
 * All metrics of a simulation. The response time is end minus submission, and its mean over all
 * jobs the average response time (Shih et al. 2010, eq. 1); AWRT and AWWT weight by processors
 * times execution time (Zhang et al. 2006, eqs. 3, 4).
 */
export function computeReferenceMetrics(outcome: SimulationOutcome): ReferenceMetrics {
  const { queueLengths } = outcome;
  // Cancelled jobs are left out of everything but the metrics of the machine and of the queue.
  const counted = outcome.jobs.flatMap(({ patience }, i) => (patience === undefined ? [i] : []));
  const jobs = counted.map((i) => outcome.jobs[i]!);
  const execution = counted.map((i) => outcome.execution[i]!);
  const start = counted.map((i) => outcome.start[i]!);
  const parts = counted.map((i) => outcome.parts[i]!);
  const held = counted.map((i) => outcome.processors[i]!.length);
  const n = jobs.length;
  const end = jobs.map((_, i) => start[i]! + execution[i]!);
  const wait = jobs.map((job, i) => start[i]! - job.submit);
  const response = jobs.map((job, i) => end[i]! - job.submit);
  const weight = execution.map((time, i) => held[i]! * time);
  // A job of length 0 has a slowdown of 1.
  const responseTimes = wait.map((time, i) => time + execution[i]!);
  const boundedSlowdownOf = responseTimes.map((time, i) => (execution[i]! > 0 ? time / execution[i]! : 1));
  const boundedSlowdown = responseTimes.map((time, i) => Math.max(1, time / Math.max(10, execution[i]!)));

  let lastEndTime = end[0]!;
  outcome.jobs.forEach((_, i) => {
    const time = outcome.start[i]! + outcome.execution[i]!;
    if (outcome.parts[i]!.length > 0 && time > lastEndTime) lastEndTime = time;
  });
  const makespan = lastEndTime - outcome.jobs[0]!.submit;
  const queued = outcome.jobs.map((job, i) => outcome.start[i]! - job.submit - outcome.lost[i]!);

  return {
    averageResponseTime: sumExactly(response) / n,
    meanWait: sumExactly(wait) / n,
    maxWait: largestOrZero(wait),
    meanSlowdown: sumExactly(boundedSlowdownOf) / n,
    meanBoundedSlowdown: sumExactly(boundedSlowdown) / n,
    awrt: ratioOrZero(sumExactly(weight.map((w, i) => w * response[i]!)), sumExactly(weight)),
    awwt: ratioOrZero(sumExactly(weight.map((w, i) => w * wait[i]!)), sumExactly(weight)),
    makespan,
    ...computeUtilizations(outcome, makespan, lastEndTime),
    // Each job has two events: its submission, and its end or its cancellation while it waits.
    averageQueueLength: sumLeftToRight(queueLengths) / (2 * outcome.jobs.length),
    // The integral of the queue length over time is the sum of all waits, without the time in
    // preempted runs.
    averageQueueLengthOverTime: ratioOrZero(sumExactly(queued), makespan),
    largestQueue: largestOrZero(queueLengths),
    movedJobs: jobs.filter((job, i) => parts[i]!.some((part) => part.site !== job.home)).length,
    lostProcessorSeconds: sumExactly(lostProcessorSecondsOfRuns(outcome)),
    restarts: sumLeftToRight(outcome.stops),
    splitJobs: parts.filter((ofJob) => ofJob.length > 1).length,
    scaledDownJobs: jobs.filter((job, i) => held[i]! < job.processors).length,
    scaledUpJobs: jobs.filter((job, i) => held[i]! > job.processors).length,
    homes: outcome.grid.map((site) => {
      const own = response.filter((_, i) => jobs[i]!.home === site.index);
      return { jobs: own.length, averageResponseTime: ratioOrZero(sumExactly(own), own.length) };
    }),
    decisions: outcome.decisions,
  };
}

/**
 * Busy over available processor-seconds: per site, for the grid, and for the grid with processors
 * weighted by speed; from first submission to last end. Preempted runs count as busy.
 */
function computeUtilizations(outcome: SimulationOutcome, makespan: number, until: number) {
  const { grid } = outcome;
  const busy = grid.map((site) => busyProcessorSecondsAtSite(outcome, site.index));
  const from = outcome.jobs[0]!.submit;
  const gone = grid.map(({ index }) =>
    sumExactly(processorSecondsInOutage(outcome.goneSteps, index, from, until)),
  );
  // Processor-seconds that were there, in the order in which they are computed without outages.
  const processors = sumLeftToRight(grid.map((site) => site.capacity)) * makespan - sumLeftToRight(gone);
  const lostPower = sumLeftToRight(grid.map((site, j) => gone[j]! * site.speed));
  const availablePower =
    sumLeftToRight(grid.map((site) => site.capacity * site.speed)) * makespan - lostPower;
  return {
    utilization: ratioOrZero(sumLeftToRight(busy), processors),
    capacityUtilization: ratioOrZero(
      sumLeftToRight(grid.map((site, j) => busy[j]! * site.speed)),
      availablePower,
    ),
    sites: grid.map((site, j) => ({
      utilization: ratioOrZero(busy[j]!, site.capacity * makespan - gone[j]!),
      jobs: outcome.parts.flat().filter((part) => part.site === site.index).length,
    })),
  };
}

/** Busy processor-seconds of a site, by its jobs and by preempted runs. */
function busyProcessorSecondsAtSite(outcome: SimulationOutcome, site: number): number {
  const { parts, execution } = outcome;
  const ofJobs = parts.flatMap((ofJob, i) =>
    ofJob.filter((part) => part.site === site).map((part) => part.processors * execution[i]!),
  );
  return sumExactly([...ofJobs, ...lostProcessorSecondsOfRuns(outcome, site)]);
}

/** Processor-seconds of each preempted run, on one site or on all. */
function lostProcessorSecondsOfRuns({ stoppedRuns }: SimulationOutcome, site?: number): number[] {
  return stoppedRuns
    .filter((run) => site === undefined || run.site === site)
    .map((run) => run.processors.length * (run.end - run.start));
}
