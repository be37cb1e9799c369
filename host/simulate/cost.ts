/** Costs of simulations: relative to each other, in measured seconds, and where planning takes long. */
import {
  findPolicyParameterValue,
  isTrialPolicy,
  listCandidatePolicies,
  parsePolicy,
  printPolicy,
} from '../core/policies.js';
import { InputError } from '../errors.js';
import { formatDuration, formatNumber } from '../format/numbers.js';
import type { Configuration } from '../options/configuration.js';
import { isFunctionOrder } from '../options/order.js';
import { isCodeFileName } from '../providedCode.js';
import type { Workload } from '../workload/workload.js';
import { Simulator } from './simulator.js';

/**
 * Seconds to replan a queue of 1,000 jobs, and the exponent of growth with the queue length
 * (docs/internals/performance.md).
 */
const SECONDS_PER_PLANNING_PASS = 5e-4;
const PLANNING_PASS_GROWTH_POWER = 1.2;

/** Planning time in seconds above which a remark announces a long simulation. */
const LONG_PLANNING_SECONDS = 10;

/**
 * Remark that planning reservations for all waiting jobs will take long, in the run or in trials of
 * candidates; otherwise undefined. The queue length is estimated by a quick simulation in which every job
 * that fits starts.
 */
export function remarkOnLongPlanning(workload: Workload, configuration: Configuration): string | undefined {
  const { policy } = configuration;
  const planningCandidateCount = listCandidatePolicies(policy).filter(
    ({ rules }) => (rules?.discipline ?? configuration.discipline) === 'conservative',
  ).length;
  const isPlanned = configuration.discipline === 'conservative';
  if (!isPlanned && planningCandidateCount === 0) return undefined;
  const simulator = new Simulator(workload);
  try {
    simulator.begin({
      ...configuration,
      discipline: 'first-available',
      order: isFunctionOrder(configuration.order) ? 'submit' : configuration.order,
      policy: isTrialPolicy(policy) || isCodeFileName(printPolicy(policy)) ? parsePolicy('best-fit') : policy,
      select: 'none',
      backfillOrder: 'none',
      reservations: 'none',
      reservationDepth: 1,
      multiSiteFactor: 0,
      runtimeReference: 'speed1',
      interval: 0,
      backfillInterval: 0,
      passDelay: 'none',
      planBy: 'count',
      bandwidth: 0,
      latency: 0,
      trackProcessors: false,
    });
  } catch (error) {
    // The simulator refuses jobs wider than every site, which only multi-site runs can start; then no remark.
    if (error instanceof InputError) return undefined;
    throw error;
  }
  simulator.run();
  const averageQueueLength = simulator.metric('AverageQueueLength');
  // No jobs are submitted during a trial, so the queue shrinks with each event.
  const trialCount =
    planningCandidateCount > 0
      ? (planningCandidateCount * workload.count) / Number(findPolicyParameterValue(policy, 'every'))
      : 0;
  const planningPassCount =
    (isPlanned ? 2 * workload.count : 0) +
    (trialCount * averageQueueLength) / (1 + PLANNING_PASS_GROWTH_POWER);
  const seconds =
    planningPassCount *
    SECONDS_PER_PLANNING_PASS *
    (averageQueueLength / 1000) ** PLANNING_PASS_GROWTH_POWER *
    configuration.grid.capacities.length;
  if (seconds < LONG_PLANNING_SECONDS) return undefined;
  return (
    `about ${formatNumber(Math.round(averageQueueLength))} jobs will wait at a time, up to ${formatNumber(simulator.metric('LargestQueue'))}, ` +
    `and conservative plans all of them at every event${planningCandidateCount > 0 ? ', those of trials too' : ''}: expect ${formatDuration(Math.ceil(seconds))} or more (easy plans one)`
  );
}

/** Approximate cost of a job by discipline, relative to fcfs (measured in docs/internals/performance.md). */
const DISCIPLINE_COST_FACTORS: Readonly<Record<string, number>> = { easy: 8, conservative: 28 };
/** Approximate cost of a job in runs that call user-written functions, relative to fcfs. */
const USER_FUNCTION_COST_FACTOR = 20;

/**
 * Estimated cost of a run before anything is measured; a job under fcfs costs 1. Whole numbers, so that sums
 * are equal everywhere.
 * @param code defined if the run calls user-written functions.
 */
export function estimateRunCost(
  { discipline, code }: { readonly discipline: string; readonly code?: object | undefined },
  jobCount: number,
): number {
  return (
    Math.max(1, jobCount) *
    ((DISCIPLINE_COST_FACTORS[discipline] ?? 1) + (code === undefined ? 0 : USER_FUNCTION_COST_FACTOR))
  );
}

/** Number of parts into which a timed run is divided; the clock is read after each part. */
const CLOCK_CHECKS_PER_TIMED_RUN = 50;

/**
 * Simulates a workload for a limited time, but at least the first twenty-fifth of its time span.
 * @returns number of simulated jobs, and the seconds taken.
 */
export function timeSimulationOfFirstJobs(
  workload: Workload,
  configuration: Configuration,
  isTimeLeft: () => boolean,
): { readonly jobs: number; readonly milliseconds: number } {
  const simulator = new Simulator(workload);
  simulator.begin(configuration);
  const startClockTime = performance.now();
  const firstSubmit = workload.submit[0]!;
  const span = workload.submit[workload.count - 1]! - firstSubmit;
  let isDone = false;
  for (let timedSliceNumber = 1; !isDone && (timedSliceNumber < 3 || isTimeLeft()); timedSliceNumber++) {
    isDone = simulator.runUntil(
      timedSliceNumber < CLOCK_CHECKS_PER_TIMED_RUN
        ? firstSubmit + (span * timedSliceNumber) / CLOCK_CHECKS_PER_TIMED_RUN
        : Infinity,
    );
  }
  const jobCount = isDone ? workload.count : simulator.progress.submitted;
  return { jobs: jobCount, milliseconds: performance.now() - startClockTime };
}
