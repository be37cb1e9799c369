/** Comparison of simulated starts with recorded ones: free, and step by step. */
import { firstElement } from '../lists.js';
import type { Configuration } from '../options/configuration.js';
import { dependsOnUsageTimes } from '../options/order.js';
import { parseCheckedPassDelay, removeEndDelay } from '../options/passOptions.js';
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

/** A job with its recorded and its simulated start. */
export interface ComparedJobStart {
  readonly job: string;
  readonly processors: number;
  /** Seconds on the clock of the log. */
  readonly submit: number;
  readonly recordedStart: number;
  /** NaN: the rules would not have started it by its recorded start. */
  readonly simulatedStart: number;
}

/** StartAgreement of one way of simulating, over all jobs and by class. */
export interface WayOfValidation {
  readonly way: 'free' | 'step by step';
  readonly all: StartAgreement;
  /** By class of Srinivasan et al. 2002: short or long, narrow or wide; classes without jobs are missing. */
  readonly classes: readonly { readonly name: string; readonly agreement: StartAgreement }[];
  /** Jobs that differ most. */
  readonly different: readonly ComparedJobStart[];
}

/** Result of `validateRecording`. */
export interface Validation {
  /** Name of the log. */
  readonly name: string;
  readonly ways: readonly WayOfValidation[];
  /** Seconds from the first submission to the first backfill pass that were used; absent without such passes. */
  readonly backfillOffset?: number;
  /** True if that offset was chosen among all whole seconds of the interval, as the one that agrees best. */
  readonly isOffsetFitted: boolean;
  /** Seconds from the end of a job to the pass that it causes; absent without delays of passes. */
  readonly endDelay?: number;
  /**
   * True if that delay was chosen, as the one that agrees best, between the one as given and none; with none there is
   * no least time between passes either.
   */
  readonly isEndDelayFitted: boolean;
  /** Seconds from the first submission to a computation of usage and priorities; absent where the order has none. */
  readonly usageOffset?: number;
  /** True if that time was chosen among the whole seconds of a step, as the one that agrees best. */
  readonly isUsageOffsetFitted: boolean;
  /** Options that were used, with the times that were fitted. */
  readonly configuration: Configuration;
}

/** Options of a validation: its ways, the number of jobs to list, and a progress callback. */
export interface ValidationOptions {
  /** Without the predictions step by step. */
  readonly isFreeOnly?: boolean;
  /** True if the time of computations of usage is not to be fitted. Default: true unless it is 0. */
  readonly isUsageOffsetGiven?: boolean;
  /** Number of jobs that are listed. */
  readonly listed?: number;
  readonly onProgress?: (share: number) => void;
}

/** Jobs up to which times of passes and computations are fitted. */
const MAX_JOBS_FOR_PASS_TIME_FIT = 500;

/** Times of computations of usage that are tried at first. */
const USAGE_OFFSETS = 12;

/** Factor by which the times that are tried next are closer. */
const USAGE_OFFSET_REFINEMENT = 5;

/**
 * Compares simulated with recorded starts. Where backfill passes come at an interval whose phase is not given, and the
 * log is short, the phase is the whole second of the interval with which most starts are predicted within 2 s, of equals
 * the one with the smallest mean error. A delay of less than a second after ends, which no log of whole seconds shows,
 * is fitted likewise: it stays, or passes follow ends at once, whenever the last pass was. Then the time of computations
 * of usage is fitted, in whole seconds.
 * @throws InputError for more than one machine, and rules that need more than the recorded state.
 */
export function validateRecording(
  recording: ScheduleRecording,
  configuration: Configuration,
  {
    isFreeOnly = false,
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
    ...(isFreeOnly
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
 * The configuration with the phase of backfill passes, and the delay of passes after ends, that agree best with the
 * recording; of equals the one with the smallest error.
 */
function fitPassTimes(
  recording: ScheduleRecording,
  configuration: Configuration,
  onProgress: (share: number) => void,
): Configuration {
  const candidates = needsEndDelayFit(configuration)
    ? [configuration, { ...configuration, passDelay: removeEndDelay(configuration.passDelay), passGap: 0 }]
    : [configuration];
  const phases = Math.floor(configuration.backfillInterval);
  const tries = candidates.flatMap((candidate) =>
    Array.from({ length: phases }, (_, phase) => ({ ...candidate, backfillOffset: phase })),
  );
  return chooseBestAgreement(recording, tries, onProgress);
}

/**
 * The configuration with the time of computations of usage that agrees best: some times of a step, evenly spread over its
 * whole seconds, then ever closer ones around the best of them.
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
    const reach = distance;
    distance = Math.ceil(reach / USAGE_OFFSET_REFINEMENT);
    const each = Math.ceil(reach / distance) - 1;
    const first = best.usageOffset - each * distance;
    best = chooseBestAgreement(recording, offsetsFrom(first, 2 * each + 1), onProgress);
  }
  return best;
}

/** The configuration with which most starts are predicted within 2 s, of equals the first with the smallest mean error. */
function chooseBestAgreement(
  recording: ScheduleRecording,
  tries: readonly Configuration[],
  onProgress: (share: number) => void,
): Configuration {
  let best = { configuration: firstElement(tries), hits: -1, error: Infinity };
  for (const [i, tried] of tries.entries()) {
    const { within, meanError } = computeStartAgreement(recording, predictStarts(recording, tried));
    const isBetter = within[0]! > best.hits || (within[0] === best.hits && meanError < best.error);
    if (isBetter) best = { configuration: tried, hits: within[0]!, error: meanError };
    onProgress(i / tries.length);
  }
  return best.configuration;
}

/** Starts of a simulation that runs by itself, by job. */
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
  return [true, false].flatMap((isShortHelp) =>
    [true, false].map((isNarrow) => ({
      name: `${isShortHelp ? 'short' : 'long'}, ${isNarrow ? 'narrow' : 'wide'}`,
      jobs: compared.filter((job) => {
        const short = workload.runtime[job]! <= shortRuntime;
        return short === isShortHelp && workload.processors[job]! <= narrowWidth === isNarrow;
      }),
    })),
  );
}
