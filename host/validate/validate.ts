/** Compares simulated with recorded start times, in a free simulation and step by step. */
import { InputError } from '../errors.js';
import { firstElement } from '../lists.js';
import type { Configuration } from '../options/configuration.js';
import { dependsOnUsageTimes } from '../options/order.js';
import { parseCheckedPassDelay, removeEndDelay } from '../options/passOptions.js';
import { findOrderOfWaitingJobs } from '../options/runOptions.js';
import { Simulator } from '../simulate/simulator.js';
import { chooseClassLimitsOfWorkload, makeUniqueJobNames } from '../workload/workload.js';
import {
  computeStartAgreement,
  findJobsWithKnownStart,
  findJobsWithLargestDifferences,
  type StartAgreement,
} from './agreement.js';
import { predictStarts } from './predictedStarts.js';
import type { ScheduleRecording } from './recording.js';
import { checkStepByStepSupported } from './stepByStep.js';

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
export interface ValidationWayResult {
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

/** Agreement if jobs that end in the second of a pass may end before or after it, whatever the log says. */
export interface OrderFit {
  /** Number of passes at which another order than that of the log meets more starts. */
  readonly passes: number;
  readonly all: StartAgreement;
}

/** Result of `validateRecording`: agreement of a simulated with a recorded schedule. */
export interface ValidationResult {
  /** Name of the log. */
  readonly name: string;
  readonly ways: readonly ValidationWayResult[];
  /** Seconds from the first submission to the first backfill pass; absent without such passes. */
  readonly backfillOffset?: number;
  /** True if that offset was fitted: it agrees best among all whole seconds of the interval. */
  readonly isOffsetFitted: boolean;
  /**
   * Number of whole seconds of the interval, including the fitted one, with equal agreement; absent if no
   * offset was fitted, or if a later round of the fit changed it or other times.
   */
  readonly equalOffsets?: number;
  /** Seconds from a job's end to the pass it causes; absent without delays of passes. */
  readonly endDelay?: number;
  /**
   * True if that delay was fitted: either the given one or none, whichever agrees better. Without a delay
   * there is no minimum time between passes either.
   */
  readonly isEndDelayFitted: boolean;
  /** Minimum time in seconds between passes; absent if it was not fitted. */
  readonly passGap?: number;
  /** Seconds from a job's end until its processors are free; absent if they were not fitted. */
  readonly releaseDelay?: number;
  /** Step-by-step predictions with the order of events within a second fitted; absent if it was not. */
  readonly orderFit?: OrderFit;
  /**
   * Seconds from the first submission to a computation of usage and priorities; absent if the order needs
   * none.
   */
  readonly usageOffset?: number;
  /** True if `usageOffset` was fitted to the log, among the whole seconds of a period. */
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
  /** Times of passes that are not to be fitted. */
  readonly fixedTimes?: ReadonlySet<string>;
  /** Number of jobs to list. */
  readonly listed?: number;
  /** Called with the finished share of the predictions, from 0 to 1. */
  readonly onProgress?: (share: number) => void;
}

/** Names of the times that the second round of the fit of pass times may change. */
type FittedPassTimeName = 'passDelay' | 'passGap' | 'releaseDelay';

/** Seconds from a job's end until its processors are free where the scheduler is idle, as measured. */
const SHORT_RELEASE_DELAY_SECONDS = 0.05;

/** Maximum number of jobs for which times of passes and computations are fitted. */
const MAX_JOBS_FOR_PASS_TIME_FIT = 500;

/** Number of evenly spaced times of usage computations that the first round of the fit tries. */
const USAGE_OFFSET_COUNT = 12;

/** Factor by which the spacing of the tried times of usage computations decreases in each round. */
const USAGE_OFFSET_REFINEMENT_FACTOR = 5;

/**
 * Compares simulated with recorded start times. For logs of up to 500 jobs, times that logs in whole seconds
 * cannot show are fitted, unless the phase of backfill passes is given: that phase in whole seconds, whether
 * passes follow ends at once, whether they keep a minimum time between them, and how soon after its end the
 * processors of a job are free. The time of usage computations is fitted in whole seconds. Then step by step
 * is repeated with the order of events within a second fitted.
 * @throws InputError for more than one machine, and rules that need more than the recorded state.
 */
export function validateRecording(
  recording: ScheduleRecording,
  configuration: Configuration,
  {
    omitsStepByStep = false,
    listed = 10,
    isUsageOffsetGiven = configuration.usageOffset !== 0,
    fixedTimes = new Set(),
    onProgress = () => {},
  }: ValidationOptions = {},
): ValidationResult {
  checkValidationSupported(configuration, omitsStepByStep);
  const isShort = recording.workload.count <= MAX_JOBS_FOR_PASS_TIME_FIT;
  const arePassTimesFitted = isShort && arePassTimesUnknown(configuration);
  const isBackfillOffsetFitted = arePassTimesFitted && configuration.backfillInterval > 1;
  const fittedTimes = arePassTimesFitted ? findUnknownPassTimes(configuration, fixedTimes) : [];
  const hasUsageTimes = dependsOnUsageTimes(findOrderOfWaitingJobs(configuration));
  // The fit predicts step by step, which --interval excludes.
  const isUsageOffsetFitted = hasUsageTimes && !isUsageOffsetGiven && isShort && configuration.interval === 0;
  const { configuration: withPassTimes, equalOffsets }: PassTimesFit = arePassTimesFitted
    ? fitPassTimes(recording, configuration, fittedTimes, onProgress)
    : { configuration };
  const fittedConfiguration = isUsageOffsetFitted
    ? fitUsageOffset(recording, withPassTimes, onProgress)
    : withPassTimes;
  const makeWayResult = (way: ValidationWayResult['way'], simulatedStarts: Float64Array) =>
    makeValidationWayResult(way, recording, simulatedStarts, listed);
  const ways = [makeWayResult('free', simulateFreeStarts(recording, fittedConfiguration))];
  let orderFit: OrderFit | undefined;
  if (!omitsStepByStep) {
    const prediction = predictStarts(recording, fittedConfiguration, onProgress);
    ways.push(makeWayResult('step by step', prediction.start));
    if (isShort) {
      prediction.fitOrderOfEnds();
      orderFit = {
        passes: prediction.reorderedPasses,
        all: computeStartAgreement(recording, prediction.start),
      };
    }
  }
  const { backfillInterval, backfillOffset, passDelay, passGap, releaseDelay, usageOffset } =
    fittedConfiguration;
  const offset = backfillOffset === 'half' ? backfillInterval / 2 : backfillOffset;
  const isEndDelayFitted = fittedTimes.includes('passDelay');
  return {
    name: recording.workload.name,
    ways,
    ...(backfillInterval > 0 && { backfillOffset: offset }),
    isOffsetFitted: isBackfillOffsetFitted,
    ...(equalOffsets !== undefined && { equalOffsets }),
    ...((isEndDelayFitted || passDelay !== 'none') && { endDelay: parseCheckedPassDelay(passDelay).end }),
    isEndDelayFitted,
    ...(fittedTimes.includes('passGap') && { passGap }),
    ...(fittedTimes.includes('releaseDelay') && { releaseDelay }),
    ...(orderFit !== undefined && { orderFit }),
    ...(hasUsageTimes && { usageOffset }),
    isUsageOffsetFitted,
    configuration: fittedConfiguration,
  };
}

/**
 * Refuses several sites or queues, since a log does not record the site of a job, and settings without
 * step-by-step predictions if these are made.
 * @throws InputError for such settings.
 */
function checkValidationSupported(configuration: Configuration, omitsStepByStep: boolean): void {
  const { grid, queue } = configuration;
  if (grid.capacities.length !== 1 || queue !== 'shared') {
    throw new InputError('validate is for one machine; give --sites with one number');
  }
  if (!omitsStepByStep) checkStepByStepSupported(configuration);
}

/** True if backfill passes come at an interval whose first time must be fitted to the log. */
function arePassTimesUnknown({ backfillInterval, backfillOffset }: Configuration): boolean {
  return backfillInterval > 0 && backfillOffset === 'half';
}

/** Times of passes that a log of whole seconds cannot show: delays of less than a second, and their gap. */
function findUnknownPassTimes(
  { passDelay, passGap, releaseDelay }: Configuration,
  fixedTimeNames: ReadonlySet<string>,
): FittedPassTimeName[] {
  const { end } = parseCheckedPassDelay(passDelay);
  const isUnknownByTimeName = {
    passDelay: end > 0 && end < 1,
    passGap: passGap > 0,
    releaseDelay: releaseDelay > SHORT_RELEASE_DELAY_SECONDS && releaseDelay < 1,
  };
  return (Object.keys(isUnknownByTimeName) as FittedPassTimeName[]).filter(
    (name) => isUnknownByTimeName[name] && !fixedTimeNames.has(name),
  );
}

/** Configuration whose unknown times of passes are fitted to the recording. */
interface PassTimesFit {
  readonly configuration: Configuration;
  /** Number of offsets of backfill passes that agree equally well, as in `ValidationResult`. */
  readonly equalOffsets?: number;
}

/**
 * Configuration with the best agreeing times of passes: first the phase of backfill passes, with passes after
 * ends as given or at once without a gap, then each of the given times or its smallest value.
 */
function fitPassTimes(
  recording: ScheduleRecording,
  configuration: Configuration,
  fittedTimes: readonly FittedPassTimeName[],
  onProgress: (share: number) => void,
): PassTimesFit {
  const timesOfPassesAtOnce = { passDelay: removeEndDelay(configuration.passDelay), passGap: 0 };
  const candidates = fittedTimes.includes('passDelay')
    ? [configuration, { ...configuration, ...timesOfPassesAtOnce }]
    : [configuration];
  const phaseCount = Math.floor(configuration.backfillInterval);
  const { configuration: withPhase, equals } =
    phaseCount > 1
      ? findBestAgreement(
          recording,
          candidates.flatMap((candidate) =>
            Array.from({ length: phaseCount }, (_, phase) => ({ ...candidate, backfillOffset: phase })),
          ),
          onProgress,
        )
      : { configuration, equals: [] };
  const smallest = { ...timesOfPassesAtOnce, releaseDelay: SHORT_RELEASE_DELAY_SECONDS };
  let combinations: Configuration[] = [withPhase];
  for (const fittedTimeName of fittedTimes) {
    const other =
      withPhase[fittedTimeName] === configuration[fittedTimeName]
        ? smallest[fittedTimeName]
        : configuration[fittedTimeName];
    combinations = combinations.flatMap((combination) => [
      combination,
      { ...combination, [fittedTimeName]: other },
    ]);
  }
  const configurationWithTimes = chooseBestAgreement(recording, combinations, onProgress);
  if (phaseCount <= 1) return { configuration: configurationWithTimes };
  // A pass may begin in the second before or after that of most of its events.
  const { backfillOffset } = configurationWithTimes;
  const neighborPhaseConfigurations = [0, phaseCount - 1, 1].map((shift) => ({
    ...configurationWithTimes,
    backfillOffset: ((backfillOffset as number) + shift) % phaseCount,
  }));
  const configurationWithFittedPhase = chooseBestAgreement(
    recording,
    neighborPhaseConfigurations,
    onProgress,
    true,
  );
  const isFirstFitKept =
    configurationWithTimes === withPhase && configurationWithFittedPhase.backfillOffset === backfillOffset;
  const equalOffsetCount = equals.filter(({ passDelay }) => passDelay === withPhase.passDelay).length;
  return {
    configuration: configurationWithFittedPhase,
    ...(isFirstFitKept && { equalOffsets: equalOffsetCount }),
  };
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
  let offsetDistance = Math.ceil(seconds / USAGE_OFFSET_COUNT);
  const makeConfigurationsFromOffset = (firstOffset: number, offsetCount: number) =>
    Array.from({ length: offsetCount }, (_, i) => ({
      ...configuration,
      usageOffset: (firstOffset + i * offsetDistance + seconds) % seconds,
    }));
  let bestAgreement = chooseBestAgreement(
    recording,
    makeConfigurationsFromOffset(0, Math.ceil(seconds / offsetDistance)),
    onProgress,
  );
  while (offsetDistance > 1) {
    const range = offsetDistance;
    offsetDistance = Math.ceil(range / USAGE_OFFSET_REFINEMENT_FACTOR);
    const stepsPerSide = Math.ceil(range / offsetDistance) - 1;
    const firstOffset = bestAgreement.usageOffset - stepsPerSide * offsetDistance;
    bestAgreement = chooseBestAgreement(
      recording,
      makeConfigurationsFromOffset(firstOffset, 2 * stepsPerSide + 1),
      onProgress,
    );
  }
  return bestAgreement;
}

/**
 * Chooses the configuration that predicts most starts within 2 s, step by step. Ties are broken by most starts
 * within 5 s in a free simulation, then by the smallest mean error of that simulation, then by position.
 * @param shouldFitOrder true to choose the one with most starts met with the order of ends fitted first.
 */
function chooseBestAgreement(
  recording: ScheduleRecording,
  triedConfigurations: readonly Configuration[],
  onProgress: (share: number) => void,
  shouldFitOrder = false,
): Configuration {
  return findBestAgreement(recording, triedConfigurations, onProgress, shouldFitOrder).configuration;
}

/** Best configuration like `chooseBestAgreement`, and all tried ones that agree equally, itself first. */
function findBestAgreement(
  recording: ScheduleRecording,
  triedConfigurations: readonly Configuration[],
  onProgress: (share: number) => void,
  fitsOrder = false,
): { readonly configuration: Configuration; readonly equals: readonly Configuration[] } {
  let bestAgreement = {
    configuration: firstElement(triedConfigurations),
    equals: [] as Configuration[],
    keys: [-1, 0, 0, 0],
  };
  for (const [i, tried] of triedConfigurations.entries()) {
    const prediction = predictStarts(recording, tried);
    const stepByStepAgreement = computeStartAgreement(recording, prediction.start);
    if (fitsOrder) prediction.fitOrderOfEnds();
    const agreementWithFittedOrder = computeStartAgreement(recording, prediction.start);
    const freeAgreement = computeStartAgreement(recording, simulateFreeStarts(recording, tried));
    const keys = [
      agreementWithFittedOrder.within[0]!,
      stepByStepAgreement.within[0]!,
      freeAgreement.within[1]!,
      -freeAgreement.meanError,
    ];
    const indexOfDecidingKey = keys.findIndex((key, k) => key !== bestAgreement.keys[k]);
    if (indexOfDecidingKey < 0) bestAgreement.equals.push(tried);
    else if (keys[indexOfDecidingKey]! > bestAgreement.keys[indexOfDecidingKey]!)
      bestAgreement = { configuration: tried, equals: [tried], keys };
    onProgress(i / triedConfigurations.length);
  }
  return bestAgreement;
}

/** Start times of a free simulation, by job. */
function simulateFreeStarts({ workload }: ScheduleRecording, configuration: Configuration): Float64Array {
  const simulator = new Simulator(workload);
  simulator.begin(configuration);
  simulator.runUntil(Number.POSITIVE_INFINITY);
  return simulator.outcomes().start;
}

function makeValidationWayResult(
  way: ValidationWayResult['way'],
  recording: ScheduleRecording,
  simulatedStarts: Float64Array,
  listed: number,
): ValidationWayResult {
  const { workload, start } = recording;
  const jobNames = makeUniqueJobNames(workload);
  const classes = makeJobClassesForValidation(recording).flatMap(({ name: jobClassName, jobs }) =>
    jobs.length === 0
      ? []
      : [{ name: jobClassName, agreement: computeStartAgreement(recording, simulatedStarts, jobs) }],
  );
  const different = findJobsWithLargestDifferences(recording, simulatedStarts, listed).map((job) => ({
    job: jobNames[job]!,
    processors: workload.processors[job]!,
    submit: workload.submit[job]!,
    recordedStart: start[job]!,
    simulatedStart: simulatedStarts[job]!,
  }));
  return { way, all: computeStartAgreement(recording, simulatedStarts), classes, different };
}

/** Jobs by class: short or long, narrow or wide. */
function makeJobClassesForValidation(recording: ScheduleRecording): { name: string; jobs: number[] }[] {
  const { workload } = recording;
  const { shortRuntime, narrowWidth } = chooseClassLimitsOfWorkload(workload);
  const comparedJobs = findJobsWithKnownStart(recording);
  return [true, false].flatMap((isShortClass) =>
    [true, false].map((isNarrow) => ({
      name: `${isShortClass ? 'short' : 'long'}, ${isNarrow ? 'narrow' : 'wide'}`,
      jobs: comparedJobs.filter((job) => {
        const isShortJob = workload.runtime[job]! <= shortRuntime;
        return isShortJob === isShortClass && workload.processors[job]! <= narrowWidth === isNarrow;
      }),
    })),
  );
}
