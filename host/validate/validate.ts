/** Compares simulated with recorded start times, in a free simulation and step by step. */
import { firstElement } from '../lists.js';
import type { Configuration } from '../options/configuration.js';
import { dependsOnUsageTimes } from '../options/order.js';
import { parseCheckedPassDelay, withoutEndDelay } from '../options/passOptions.js';
import { orderOfWaitingJobs } from '../options/runOptions.js';
import { Simulator } from '../simulate/simulator.js';
import { classLimitsOfWorkload, uniqueJobNames } from '../workload/workload.js';
import {
  computeStartAgreement,
  jobsWithKnownStart,
  jobsWithLargestDifferences,
  type StartAgreement,
} from './agreement.js';
import type { ScheduleRecording } from './recording.js';
import { predictStarts } from './stepByStep.js';

/** Recorded and simulated start of a job. */
export interface ComparedJobStart {
  readonly job: string;
  readonly processors: number;
  /** Submit time in seconds on the clock of the log. */
  readonly submit: number;
  readonly recordedStart: number;
  /** Simulated start in seconds; NaN: the rules would not have started the job by its recorded start. */
  readonly simulatedStart: number;
}

/** Agreement in one kind of simulation (free or step by step), over all jobs and by class. */
export interface WayOfValidation {
  readonly way: 'free' | 'step by step';
  readonly all: StartAgreement;
  /**
   * Agreement by class of Srinivasan et al. 2002: short or long, narrow or wide; classes without jobs are
   * absent.
   */
  readonly classes: readonly { readonly name: string; readonly agreement: StartAgreement }[];
  /** Jobs with the largest differences. */
  readonly different: readonly ComparedJobStart[];
}

/** Result of `validateRecording`: agreement of a simulated with a recorded schedule. */
export interface Validation {
  /** Name of the log. */
  readonly name: string;
  readonly ways: readonly WayOfValidation[];
  /** Seconds from the first submission to the first backfill pass; absent without such passes. */
  readonly backfillOffset?: number;
  /** True if that offset was fitted: it agrees best among all whole seconds of the interval. */
  readonly isOffsetFitted: boolean;
  /** Seconds from a job's end to the pass it causes; absent without delays of passes. */
  readonly endDelay?: number;
  /**
   * True if that delay was fitted: either the given one or none, whichever agrees better. Without a delay
   * there is no minimum time between passes either.
   */
  readonly isEndDelayFitted: boolean;
  /**
   * Seconds from the first submission to a computation of usage and priorities; absent if the order needs
   * none.
   */
  readonly usageOffset?: number;
  /** True if that time was fitted among the whole seconds of a step. */
  readonly isUsageOffsetFitted: boolean;
  /** Options used, including fitted times. */
  readonly configuration: Configuration;
}

/** Options of a validation. */
export interface ValidationOptions {
  /** True to omit the step-by-step predictions. */
  readonly omitsStepByStep?: boolean;
  /**
   * True to keep the given time of usage computations instead of fitting it. Default: true unless the time is
   * 0.
   */
  readonly isUsageOffsetGiven?: boolean;
  /** Number of jobs to list. */
  readonly listed?: number;
  /** Called with the finished share of the predictions, from 0 to 1. */
  readonly onProgress?: (share: number) => void;
}

/** Maximum number of jobs for which times of passes and computations are fitted. */
const MAX_JOBS_FOR_PASS_TIME_FIT = 500;

/** Number of evenly spaced times of usage computations that the first round of the fit tries. */
const USAGE_OFFSETS = 12;

/** Factor by which the spacing of the tried times of usage computations decreases in each round. */
const USAGE_OFFSET_REFINEMENT = 5;

/**
 * Compares simulated with recorded start times. For short logs, unknown times are fitted. If backfill passes
 * occur at an interval without a given phase, the phase is the whole second with which most starts are
 * predicted within 2 s (ties: the smallest mean error). A delay of less than a second after job ends, which
 * logs in whole seconds cannot show, is fitted likewise: it stays, or passes follow ends immediately without
 * a minimum time between passes. Then the time of usage computations is fitted in whole seconds.
 * @throws InputError for more than one machine, and rules that need more than the recorded state.
 */
export function validateRecording(
  recording: ScheduleRecording,
  configuration: Configuration,
  {
    omitsStepByStep = false,
    listed = 10,
    isUsageOffsetGiven = configuration.usageOffset !== 0,
    onProgress = () => {},
  }: ValidationOptions = {},
): Validation {
  const isOffsetFitted = needsBackfillPhaseFit(recording, configuration);
  const isEndDelayFitted = isOffsetFitted && needsEndDelayFit(configuration);
  const hasUsageTimes = dependsOnUsageTimes(orderOfWaitingJobs(configuration));
  const isUsageOffsetFitted =
    hasUsageTimes && !isUsageOffsetGiven && recording.workload.count <= MAX_JOBS_FOR_PASS_TIME_FIT;
  const withPassTimes = isOffsetFitted ? fitPassTimes(recording, configuration, onProgress) : configuration;
  const fittedConfiguration = isUsageOffsetFitted
    ? fitUsageOffset(recording, withPassTimes, onProgress)
    : withPassTimes;
  const ways = [
    makeWayOfValidation('free', recording, simulateFreeStarts(recording, fittedConfiguration), listed),
    ...(omitsStepByStep
      ? []
      : [
          makeWayOfValidation(
            'step by step',
            recording,
            predictStarts(recording, fittedConfiguration, onProgress),
            listed,
          ),
        ]),
  ];
  const { backfillInterval, backfillOffset, passDelay, usageOffset } = fittedConfiguration;
  const offset = backfillOffset === 'half' ? backfillInterval / 2 : backfillOffset;
  return {
    name: recording.workload.name,
    ways,
    ...(backfillInterval > 0 && { backfillOffset: offset }),
    isOffsetFitted,
    ...((isEndDelayFitted || passDelay !== 'none') && { endDelay: parseCheckedPassDelay(passDelay).end }),
    isEndDelayFitted,
    ...(hasUsageTimes && { usageOffset }),
    isUsageOffsetFitted,
    configuration: fittedConfiguration,
  };
}

function needsBackfillPhaseFit(
  { workload }: ScheduleRecording,
  { backfillInterval, backfillOffset }: Configuration,
): boolean {
  return backfillInterval > 1 && backfillOffset === 'half' && workload.count <= MAX_JOBS_FOR_PASS_TIME_FIT;
}

function needsEndDelayFit({ passDelay }: Configuration): boolean {
  const { end } = parseCheckedPassDelay(passDelay);
  return end > 0 && end < 1;
}

/**
 * Configuration with the best agreeing phase of backfill passes and delay after ends; ties by the smallest
 * error.
 */
function fitPassTimes(
  recording: ScheduleRecording,
  configuration: Configuration,
  onProgress: (share: number) => void,
): Configuration {
  const candidates = needsEndDelayFit(configuration)
    ? [configuration, { ...configuration, passDelay: withoutEndDelay(configuration.passDelay), passGap: 0 }]
    : [configuration];
  const phases = Math.floor(configuration.backfillInterval);
  const triedConfigurations = candidates.flatMap((candidate) =>
    Array.from({ length: phases }, (_, phase) => ({ ...candidate, backfillOffset: phase })),
  );
  return chooseBestAgreement(recording, triedConfigurations, onProgress);
}

/**
 * Configuration with the best agreeing time of usage computations: searches evenly spaced times of a step,
 * then closer ones around the best.
 */
function fitUsageOffset(
  recording: ScheduleRecording,
  configuration: Configuration,
  onProgress: (share: number) => void,
): Configuration {
  const seconds = Math.max(1, Math.floor(configuration.usageStep));
  let distance = Math.ceil(seconds / USAGE_OFFSETS);
  const offsetsFrom = (first: number, count: number) =>
    Array.from({ length: count }, (_, i) => ({
      ...configuration,
      usageOffset: (first + i * distance + seconds) % seconds,
    }));
  let best = chooseBestAgreement(recording, offsetsFrom(0, Math.ceil(seconds / distance)), onProgress);
  while (distance > 1) {
    const range = distance;
    distance = Math.ceil(range / USAGE_OFFSET_REFINEMENT);
    const stepsPerSide = Math.ceil(range / distance) - 1;
    const firstOffset = best.usageOffset - stepsPerSide * distance;
    best = chooseBestAgreement(recording, offsetsFrom(firstOffset, 2 * stepsPerSide + 1), onProgress);
  }
  return best;
}

/**
 * Chooses the configuration that predicts most starts within 2 s; ties by the smallest mean error, then the
 * first.
 */
function chooseBestAgreement(
  recording: ScheduleRecording,
  triedConfigurations: readonly Configuration[],
  onProgress: (share: number) => void,
): Configuration {
  let best = { configuration: firstElement(triedConfigurations), hits: -1, error: Infinity };
  for (const [i, tried] of triedConfigurations.entries()) {
    const { within, meanError } = computeStartAgreement(recording, predictStarts(recording, tried));
    const isBetter = within[0]! > best.hits || (within[0] === best.hits && meanError < best.error);
    if (isBetter) best = { configuration: tried, hits: within[0]!, error: meanError };
    onProgress(i / triedConfigurations.length);
  }
  return best.configuration;
}

/** Start times of a free simulation, by job. */
function simulateFreeStarts({ workload }: ScheduleRecording, configuration: Configuration): Float64Array {
  const simulator = new Simulator(workload);
  simulator.begin(configuration);
  simulator.runUntil(Number.POSITIVE_INFINITY);
  return simulator.outcomes().start;
}

function makeWayOfValidation(
  way: WayOfValidation['way'],
  recording: ScheduleRecording,
  simulated: Float64Array,
  listed: number,
): WayOfValidation {
  const { workload, start } = recording;
  const names = uniqueJobNames(workload);
  const classes = jobClassesForValidation(recording).flatMap(({ name, jobs }) =>
    jobs.length === 0 ? [] : [{ name, agreement: computeStartAgreement(recording, simulated, jobs) }],
  );
  const different = jobsWithLargestDifferences(recording, simulated, listed).map((job) => ({
    job: names[job]!,
    processors: workload.processors[job]!,
    submit: workload.submit[job]!,
    recordedStart: start[job]!,
    simulatedStart: simulated[job]!,
  }));
  return { way, all: computeStartAgreement(recording, simulated), classes, different };
}

/** Jobs by class: short or long, narrow or wide. */
function jobClassesForValidation(recording: ScheduleRecording): { name: string; jobs: number[] }[] {
  const { workload } = recording;
  const { shortRuntime, narrowWidth } = classLimitsOfWorkload(workload);
  const compared = jobsWithKnownStart(recording);
  return [true, false].flatMap((isShort) =>
    [true, false].map((isNarrow) => ({
      name: `${isShort ? 'short' : 'long'}, ${isNarrow ? 'narrow' : 'wide'}`,
      jobs: compared.filter((job) => {
        const isShortJob = workload.runtime[job]! <= shortRuntime;
        return isShortJob === isShort && workload.processors[job]! <= narrowWidth === isNarrow;
      }),
    })),
  );
}
