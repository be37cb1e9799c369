/** Copies of live simulations: their options, and the jobs from which those with other options begin. */
import { InputError } from '../errors.js';
import type { Configuration } from '../options/configuration.js';
import { NO_OUTAGES_NOTATION } from '../options/outages.js';
import type { LiveJobs } from './liveJobs.js';
import {
  doDifferInPolicyOnly,
  findOptionForbiddingState,
  findOptionRefusedWithState,
  type LiveForkOptions,
  type LiveOptions,
  type LiveSettings,
  selectDefinedOptions,
} from './liveOptions.js';
import type { LiveName, LiveStateJob } from './submittedJob.js';

/** Options of a copy: those of the original, without its state and function, and those of the fork. */
export function mergeOptionsOfFork(
  { state, onEnd, ...originalOptions }: LiveOptions,
  options: LiveForkOptions,
): LiveOptions {
  const { onOutage, ...mergedOptions }: LiveOptions = {
    ...originalOptions,
    ...selectDefinedOptions(options),
  };
  const { outages = NO_OUTAGES_NOTATION, maxOutages = 0 } = mergedOptions;
  const mayHaveOutages = outages !== NO_OUTAGES_NOTATION || maxOutages > 0 || options.onOutage !== undefined;
  return { ...mergedOptions, ...(mayHaveOutages && onOutage !== undefined && { onOutage }) };
}

/** True if a copy may continue the run of the original: at most its policy, name and function differ. */
export function canForkContinueRun(
  { settings, configuration }: { readonly settings: LiveSettings; readonly configuration: Configuration },
  forkSettings: LiveSettings,
): boolean {
  const comparedSettingKeys = ['capacity', 'maxOutages', 'mayChangeRules', 'unixStartTime'] as const;
  return (
    comparedSettingKeys.every((settingKey) => settings[settingKey] === forkSettings[settingKey]) &&
    doDifferInPolicyOnly(configuration, forkSettings.configuration)
  );
}

/**
 * Checks that a copy can begin from the running and waiting jobs of the original.
 * @param options options of the fork.
 * @param mergedOptions options of the copy.
 * @throws InputError for an option of one of the two with which this is impossible.
 */
export function checkForkFromState(
  original: Configuration,
  forkConfiguration: Configuration,
  options: LiveForkOptions,
  mergedOptions: LiveOptions,
): void {
  const excludedOption = findOptionForbiddingState(original);
  if (excludedOption !== undefined)
    throw new InputError(
      `fork: jobs that run with the option ${excludedOption} cannot be taken over under other options; change the policy or the name only`,
    );
  const refusedOption = findOptionRefusedWithState(forkConfiguration, mergedOptions);
  if (refusedOption === undefined) return;
  const changedOptionNames = Object.keys(selectDefinedOptions(options)).filter(
    (name) => name !== 'name' && name !== 'onEnd',
  );
  const context = ['fork', ...changedOptionNames].join(', ');
  const refusedOptionText = refusedOption === 'outages' ? 'outages' : `the option ${refusedOption}`;
  const changeAdvice =
    refusedOption === 'outages'
      ? "leave them out with outages: 'none' and maxOutages: 0"
      : `give the fork another ${refusedOption}`;
  const remedy =
    changedOptionNames.length === 0
      ? changeAdvice
      : `${changeAdvice}, or fork without ${changedOptionNames.join(' and ')}`;
  throw new InputError(
    `${context}: the copy begins from the running and waiting jobs, and ${refusedOptionText} cannot go along; ${remedy}`,
  );
}

/**
 * Job of the original simulation at the time of the copy, with the end and cancellation that the host has
 * reported. Times are in seconds.
 */
export interface ForkedJob {
  readonly job: LiveStateJob & { readonly job: LiveName };
  /** True if the job is submitted after the time of the copy. */
  readonly isLater: boolean;
  readonly isHeld: boolean;
  readonly end: number | undefined;
  readonly cancellation: number | undefined;
}

/**
 * Jobs of the original that have not ended, with their ends as they are known now.
 * @param time time of the original in seconds.
 * @param isKept true if the copy takes over kept reservations.
 */
export function listJobsOfFork(liveJobs: LiveJobs, time: number, isKept: boolean): ForkedJob[] {
  return [...liveJobs.active].map((number) => {
    const cancellation = liveJobs.cancellations.get(number);
    const end = liveJobs.findCorrectedEndTimeOf(number);
    const isCancelled = liveJobs.isCancelled(number);
    return {
      job: liveJobs.makeStateJobOf(number, time, isKept),
      isLater: liveJobs.stateOf(number) === 'submitted',
      isHeld: liveJobs.held.has(number),
      ...(end === undefined
        ? { end, cancellation }
        : { end: isCancelled ? undefined : end, cancellation: isCancelled ? end : undefined }),
    };
  });
}
