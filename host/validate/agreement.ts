/**
 * Agreement of simulated with recorded start times: shares within tolerances, errors, quantiles, rank
 * correlation.
 */
import { computeStableSortOrder } from '../math/stableOrder.js';
import type { ScheduleRecording } from './recording.js';

/** Tolerances in seconds for counting agreeing start times. */
export const START_TOLERANCE_SECONDS = [2, 5, 60, 600, 3600] as const;

/** Percentiles at which waits are compared. */
export const WAIT_PERCENTILES = [50, 90, 95, 99, 100] as const;

/** Agreement of simulated with recorded start times over some jobs. */
export interface StartAgreement {
  readonly jobs: number;
  /** Number of jobs that the simulation does not start by their recorded start (step by step only). */
  readonly missed: number;
  /** Share of jobs whose start differs by at most each tolerance, in the order of `START_TOLERANCE_SECONDS`. */
  readonly within: readonly number[];
  /** Mean absolute difference of start times in seconds, over the jobs that the simulation starts. */
  readonly meanError: number;
  /** Mean recorded and simulated wait in seconds. */
  readonly recordedWait: number;
  readonly simulatedWait: number;
  /** Recorded and simulated waits in seconds at the percentiles of `WAIT_PERCENTILES`. */
  readonly recordedWaits: readonly number[];
  readonly simulatedWaits: readonly number[];
  /** Spearman's rank correlation of waits; NaN if all are equal. */
  readonly rankCorrelation: number;
}

/**
 * Compares simulated with recorded start times.
 * @param simulatedStarts start in seconds on the clock of the log by job; NaN: not started by the recorded start.
 * @param jobs jobs to compare; default: all with a recorded start.
 */
export function computeStartAgreement(
  recording: ScheduleRecording,
  simulatedStarts: Float64Array,
  jobs: readonly number[] = findJobsWithKnownStart(recording),
): StartAgreement {
  const { workload, start } = recording;
  const startedJobs = jobs.filter((job) => !Number.isNaN(simulatedStarts[job]!));
  const errors = startedJobs.map((job) => Math.abs(simulatedStarts[job]! - start[job]!));
  const computeWaits = (startTimes: Float64Array) =>
    Float64Array.from(startedJobs, (job) => startTimes[job]! - workload.submit[job]!);
  const [recordedWaits, simulatedWaits] = [computeWaits(start), computeWaits(simulatedStarts)];
  return {
    jobs: jobs.length,
    missed: jobs.length - startedJobs.length,
    within: START_TOLERANCE_SECONDS.map(
      (seconds) => errors.filter((error) => error <= seconds).length / jobs.length,
    ),
    meanError: computeMeanOfNumbers(errors),
    recordedWait: computeMeanOfNumbers(recordedWaits),
    simulatedWait: computeMeanOfNumbers(simulatedWaits),
    recordedWaits: computeWaitPercentiles(recordedWaits),
    simulatedWaits: computeWaitPercentiles(simulatedWaits),
    rankCorrelation: computePearsonCorrelation(
      computeAverageRanks(recordedWaits),
      computeAverageRanks(simulatedWaits),
    ),
  };
}

/** Indices of the jobs with a recorded start. */
export function findJobsWithKnownStart({ start }: ScheduleRecording): number[] {
  return Array.from(start.keys()).filter((job) => !Number.isNaN(start[job]!));
}

/**
 * Indices of the `jobCount` jobs whose simulated start differs most from the recorded one, largest
 * difference first; jobs that the simulation does not start come first, equal starts are omitted.
 */
export function findJobsWithLargestDifferences(
  { start }: ScheduleRecording,
  simulatedStarts: Float64Array,
  jobCount: number,
): number[] {
  const startDifferenceOfJob = (job: number) =>
    Number.isNaN(simulatedStarts[job]!) ? Infinity : Math.abs(simulatedStarts[job]! - start[job]!);
  return Array.from(start.keys())
    .filter((job) => !Number.isNaN(start[job]!) && startDifferenceOfJob(job) > 0)
    .sort((jobA, jobB) => {
      const [a, b] = [startDifferenceOfJob(jobA), startDifferenceOfJob(jobB)];
      return a === b ? jobA - jobB : b - a;
    })
    .slice(0, jobCount);
}

function computeMeanOfNumbers(numbers: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < numbers.length; i++) sum += numbers[i]!;
  return numbers.length === 0 ? Number.NaN : sum / numbers.length;
}

function computeWaitPercentiles(waits: Float64Array): number[] {
  const ascending = waits.slice().sort();
  const { length } = ascending;
  return WAIT_PERCENTILES.map((p) => ascending[Math.max(1, Math.ceil((p * length) / 100)) - 1] ?? Number.NaN);
}

/** Ranks of values from 1; equal values share their mean rank. */
function computeAverageRanks(rankedValues: Float64Array): Float64Array {
  const order = computeStableSortOrder(rankedValues);
  const ranks = new Float64Array(rankedValues.length);
  for (let i = 0; i < order.length; ) {
    let end = i;
    while (end < order.length && rankedValues[order[end]!] === rankedValues[order[i]!]) end++;
    for (let k = i; k < end; k++) ranks[order[k]!] = (i + 1 + end) / 2;
    i = end;
  }
  return ranks;
}

/** Pearson's correlation coefficient. */
function computePearsonCorrelation(firstValues: Float64Array, secondValues: Float64Array): number {
  const [a, b] = [computeMeanOfNumbers(firstValues), computeMeanOfNumbers(secondValues)];
  let [product, firstSumOfSquares, secondSumOfSquares] = [0, 0, 0];
  for (let i = 0; i < firstValues.length; i++) {
    const [x, y] = [firstValues[i]! - a, secondValues[i]! - b];
    product += x * y;
    firstSumOfSquares += x * x;
    secondSumOfSquares += y * y;
  }
  return product / Math.sqrt(firstSumOfSquares * secondSumOfSquares);
}
