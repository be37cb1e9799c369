/** Options of live simulations, and those of `simulate` that they cannot have. */
import {
  checkArgument,
  checkOptionNames,
  describeReceivedValue,
  registerLibraryOptions,
} from '../arguments.js';
import { isTrialPolicy } from '../core/policies.js';
import { InputError } from '../errors.js';
import type { Grid } from '../grid/grid.js';
import {
  type Configuration,
  canJobsSpanSites,
  makeConfiguration,
  type SimulationOptions,
} from '../options/configuration.js';
import { NO_LIMITS_NOTATION } from '../options/limits.js';
import { nameOptionInLibrary } from '../options/options.js';
import {
  dependsOnEstimates,
  dependsOnOtherJobs,
  isTimeDependentOrder,
  needsHostComputedKeys,
  type Order,
} from '../options/order.js';
import { checkOutagesNotation, NO_OUTAGES_NOTATION } from '../options/outages.js';
import { findOrderOfWaitingJobs, RUN_OPTIONS } from '../options/runOptions.js';
import { checkEstimatesKnown } from '../simulate/decisionView.js';
import type { LiveResult } from './liveResult.js';
import type { LiveState, SubmittedJob } from './submittedJob.js';

/** Options of a live simulation: those of `simulate`, and its own. Times are in seconds. */
export interface LiveOptions extends SimulationOptions {
  /** Largest number of jobs in memory, which is allocated immediately. Default: 10,000. */
  readonly capacity?: number | undefined;
  /**
   * Receives the result of each job when it has ended. With this function, `capacity` limits only the jobs that
   * wait or run: jobs that have ended leave the memory whenever it is full. If the function throws an error, it
   * still receives the other results; `advance` or `finish` then throws the first error.
   */
  readonly onEnd?: ((result: LiveResult) => void) | undefined;
  /** State from which the simulation begins. Default: no jobs at time 0. */
  readonly state?: LiveState | undefined;
  /** Largest number of outages that `addOutage` accepts, besides those of the option `outages`. Default: 0. */
  readonly maxOutages?: number | undefined;
  /**
   * True: `changeRules` may change the discipline and the orders. The policy then chooses sites under all
   * disciplines, and `conservative` replans its reservations. Default: false.
   */
  readonly mayChangeRules?: boolean | undefined;
  /** Name in the summary and in messages. Default: live. */
  readonly name?: string | undefined;
  /** Time 0 in seconds since 1970, for options with dates. Default: unknown. */
  readonly unixStartTime?: number | undefined;
}

/**
 * Options of a fork: those that replace options of the simulation from which it comes. An option that is
 * undefined stays as it is.
 */
export interface LiveForkOptions extends Omit<LiveOptions, 'state' | 'outages' | 'maxOutages'> {
  /** Leaves out the option `outages`, with `maxOutages: 0`. Default: those of the simulation. */
  readonly outages?: 'none' | undefined;
  /** Leaves out the outages that were announced. Default: that of the simulation. */
  readonly maxOutages?: 0 | undefined;
}

const OPTIONS_OF_LIVE_SIMULATION_ONLY = {
  ...{ capacity: true, onEnd: true, state: true, maxOutages: true, mayChangeRules: true },
  ...{ name: true, unixStartTime: true },
} as const satisfies Record<Exclude<keyof LiveOptions, keyof SimulationOptions>, true>;

const LIVE_OPTIONS = registerLibraryOptions<LiveOptions>('LiveSimulation', {
  ...RUN_OPTIONS,
  processorSets: true,
  ...OPTIONS_OF_LIVE_SIMULATION_ONLY,
});

const DEFAULT_CAPACITY = 10_000;
const MAX_JOB_OR_OUTAGE_COUNT = 50_000_000;

/** Settings of a live simulation, checked and with defaults. */
export interface LiveSettings {
  readonly configuration: Configuration;
  readonly capacity: number;
  readonly onEnd: ((result: LiveResult) => void) | undefined;
  /** True if jobs that have ended leave the memory. */
  readonly jobsLeave: boolean;
  readonly maxOutages: number;
  readonly mayChangeRules: boolean;
  readonly name: string;
  readonly unixStartTime: number | undefined;
  /** Option with which no job can be cancelled or held; undefined if jobs can. */
  readonly optionAgainstCancelling: string | undefined;
  /** Option with which no requested time can change; undefined if all can. */
  readonly optionAgainstChangedEstimates: string | undefined;
}

/** Condition under which a live simulation refuses an option of `simulate`. */
interface LiveRefusalRule {
  readonly option: keyof SimulationOptions;
  readonly isRefused: (configuration: Configuration, options: LiveOptions) => boolean;
  /** Reason and remedy, as the end of a sentence. */
  readonly why: string;
}

const hasOutages = ({ outages }: Configuration, { maxOutages = 0 }: LiveOptions) =>
  outages !== NO_OUTAGES_NOTATION || maxOutages > 0;

const LIVE_REFUSAL_RULES: readonly LiveRefusalRule[] = [
  {
    option: 'queue',
    isRefused: ({ queue }) => queue !== 'shared',
    why: 'jobs that come while a simulation runs wait in one queue; omit it',
  },
  {
    option: 'warmUp',
    isRefused: ({ warmUp }, { onEnd }) => warmUp > 0 && onEnd !== undefined,
    why: 'means over some of the jobs need jobs that onEnd lets leave; omit one of them',
  },
  {
    option: 'coolDown',
    isRefused: ({ coolDown }, { onEnd }) => coolDown > 0 && onEnd !== undefined,
    why: 'means over some of the jobs need jobs that onEnd lets leave; omit one of them',
  },
  {
    option: 'policy',
    isRefused: ({ policy }, { onEnd }) => isTrialPolicy(policy.declaration.name) && onEnd !== undefined,
    why: 'its trials need jobs that onEnd lets leave; omit one of them',
  },
  {
    option: 'processorSets',
    isRefused: (configuration, options) =>
      configuration.trackProcessors && options.onEnd !== undefined && hasOutages(configuration, options),
    why: 'the processors of outages need jobs that onEnd lets leave; omit one of them',
  },
  {
    option: 'policy',
    isRefused: ({ policy }) => policy.choices !== undefined,
    why: 'choices by job are known for a whole log only; omit them',
  },
];

/** Options of `simulate` that simulations which begin from a state cannot have, with their conditions. */
const STATE_REFUSAL_RULES: readonly (readonly [keyof SimulationOptions, LiveRefusalRule['isRefused']])[] = [
  ['policy', ({ policy }) => isTrialPolicy(policy.declaration.name)],
  ['moldable', ({ moldable }) => moldable !== 'none'],
  ['outages', hasOutages],
  ['limit', ({ limit, reservations }) => limit !== NO_LIMITS_NOTATION && reservations === 'kept'],
];

/** Option that a simulation which begins from a state cannot have; undefined if there is none. */
export function findOptionRefusedWithState(
  configuration: Configuration,
  options: LiveOptions,
): keyof SimulationOptions | undefined {
  return STATE_REFUSAL_RULES.find(([, isRefused]) => isRefused(configuration, options))?.[0];
}

/** Options without those that are undefined. */
export function selectDefinedOptions<Options extends object>(options: Options): Options {
  return Object.fromEntries(
    Object.entries(options).filter(([, optionValue]) => optionValue !== undefined),
  ) as Options;
}

function checkCount(receivedCount: unknown, option: string, minimum: number): number {
  if (
    Number.isInteger(receivedCount) &&
    Number(receivedCount) >= minimum &&
    Number(receivedCount) <= MAX_JOB_OR_OUTAGE_COUNT
  )
    return Number(receivedCount);
  throw new InputError(
    `LiveSimulation, ${option}: expected a whole number from ${minimum} to ${MAX_JOB_OR_OUTAGE_COUNT}, found ${describeReceivedValue(receivedCount)}`,
  );
}

/** A planned outage so late that it never begins, with which the rules on outages are checked. */
const OUTAGE_THAT_NEVER_BEGINS = [{ site: 1, from: 1e19, processors: 1 }];

/** Configuration of the options of `simulate`; rules on outages count if there may be any. */
function makeLiveConfiguration(
  grid: Grid,
  options: SimulationOptions,
  maxOutageCount: number,
): Configuration {
  const { outages } = options;
  const notation = outages === undefined ? NO_OUTAGES_NOTATION : checkOutagesNotation(outages, 'outages');
  if (notation !== NO_OUTAGES_NOTATION || maxOutageCount === 0) return makeConfiguration(grid, options);
  return { ...makeConfiguration(grid, { ...options, outages: OUTAGE_THAT_NEVER_BEGINS }), outages: notation };
}

/** Option by which the order of jobs depends on what users or groups use; undefined if there is none. */
export function findOptionDependingOnUsage(
  configuration: Configuration,
): 'order' | 'backfillOrder' | undefined {
  if (dependsOnOtherJobs(findOrderOfWaitingJobs(configuration))) return 'order';
  return dependsOnOtherJobs(configuration.backfillOrder) ? 'backfillOrder' : undefined;
}

/**
 * Checks that a job with a time of cancellation can be cancelled.
 * @throws InputError.
 */
export function checkPatience(
  { patience }: SubmittedJob,
  { optionAgainstCancelling }: LiveSettings,
  context: string,
): void {
  if (patience === undefined || optionAgainstCancelling === undefined) return;
  throw new InputError(
    `${context}, patience: jobs cannot be cancelled with the option ${optionAgainstCancelling}; omit one of them`,
  );
}

/** Option with which jobs cannot be cancelled, as no rule says what that means; undefined if there is none. */
function findOptionForbiddingCancelling(configuration: Configuration): string | undefined {
  const { moldable, multiSite, multiSiteFactor, select, interval, policy, limit } = configuration;
  if (moldable !== 'none') return 'moldable';
  if (multiSite !== 'none') return 'multiSite';
  if (multiSiteFactor > 0) return 'multiSiteFactor';
  if (select === 'optimal' || select === 'non-adaptive') return 'select';
  if (interval > 0) return 'interval';
  if (limit !== NO_LIMITS_NOTATION) return 'limit';
  return (
    findOptionDependingOnUsage(configuration) ??
    (isTrialPolicy(policy.declaration.name) ? 'policy' : undefined)
  );
}

/** Option whose keys, which contain estimates, are computed when a job is submitted; undefined if there is none. */
function findOptionWithKeysOfEstimates(configuration: Configuration): string | undefined {
  const keepsEstimateBasedKeys = (order: Order) =>
    (needsHostComputedKeys(order) || isTimeDependentOrder(order)) && dependsOnEstimates(order);
  if (keepsEstimateBasedKeys(findOrderOfWaitingJobs(configuration))) return 'order';
  return keepsEstimateBasedKeys(configuration.backfillOrder) ? 'backfillOrder' : undefined;
}

/**
 * Options of `simulate` among those of a live simulation. If rules may change, the policy chooses sites, and
 * conservative backfilling replans reservations, by default.
 */
export function selectSimulationOptions(options: LiveOptions): SimulationOptions {
  const definedEntries = Object.entries(options).filter(
    ([optionName]) => !Object.hasOwn(OPTIONS_OF_LIVE_SIMULATION_ONLY, optionName),
  );
  const simulation: SimulationOptions = Object.fromEntries(definedEntries);
  if (options.mayChangeRules !== true) return simulation;
  const { policy = 'best-fit', reservations, discipline } = simulation;
  const isPlanned = discipline === 'conservative' && reservations === undefined;
  return { ...simulation, policy, ...(isPlanned && { reservations: 'replanned' }) };
}

/**
 * Checks options and fills in their defaults.
 * @throws InputError for an unknown name, an invalid value, and options that live simulations cannot have.
 */
export function makeLiveSettings(grid: Grid, options: LiveOptions): LiveSettings {
  checkArgument(grid, 'grid', 'LiveSimulation, grid');
  checkOptionNames(LIVE_OPTIONS, options);
  const {
    capacity = DEFAULT_CAPACITY,
    onEnd,
    maxOutages = 0,
    mayChangeRules = false,
    name = 'live',
    unixStartTime,
  } = options;
  checkCount(capacity, 'capacity', 1);
  checkCount(maxOutages, 'maxOutages', 0);
  if (onEnd !== undefined) checkArgument(onEnd, 'function', 'LiveSimulation, onEnd');
  checkArgument(name, 'text', 'LiveSimulation, name');
  if (typeof mayChangeRules !== 'boolean')
    throw new InputError(
      `LiveSimulation, mayChangeRules: expected true or false, found ${describeReceivedValue(mayChangeRules)}`,
    );
  if (unixStartTime !== undefined && !(Number.isFinite(unixStartTime) && unixStartTime >= 0)) {
    throw new InputError(
      `LiveSimulation, unixStartTime: expected a number of seconds since 1970, found ${describeReceivedValue(unixStartTime)}`,
    );
  }
  const configuration = makeLiveConfiguration(grid, selectSimulationOptions(options), maxOutages);
  for (const { option, isRefused, why } of LIVE_REFUSAL_RULES)
    if (isRefused(configuration, options)) throw new InputError(`LiveSimulation, ${option}: ${why}`);
  const refusedOption =
    options.state === undefined ? undefined : findOptionRefusedWithState(configuration, options);
  if (refusedOption !== undefined)
    throw new InputError(
      `LiveSimulation, ${refusedOption}: a simulation that begins from a state cannot have it; begin without jobs, or omit it`,
    );
  const liveWorkload = { name, accounting: { ...ACCOUNTING_WITHOUT_RECORDS, kept: 1 } };
  checkEstimatesKnown(liveWorkload, configuration, nameOptionInLibrary);
  const optionForbiddingCancelling = findOptionForbiddingCancelling(configuration);
  const optionAgainstChangedEstimates =
    optionForbiddingCancelling ?? findOptionWithKeysOfEstimates(configuration);
  const doEndedJobsLeaveMemory = onEnd !== undefined;
  return {
    configuration,
    capacity,
    onEnd,
    jobsLeave: doEndedJobsLeaveMemory,
    maxOutages,
    mayChangeRules,
    name,
    unixStartTime,
    optionAgainstCancelling: optionForbiddingCancelling,
    optionAgainstChangedEstimates,
  };
}

const ACCOUNTING_WITHOUT_RECORDS = {
  ...{ read: 0, kept: 0, dropped: [], oversizeJobs: [], withoutEstimate: 0 },
  split: { jobs: 0, pieces: 0 },
};

/** True if two configurations differ in their policy alone, so that a run may change to the other. */
export function doDifferInPolicyOnly(
  firstConfiguration: Configuration,
  secondConfiguration: Configuration,
): boolean {
  const isOptionSame = (optionKey: keyof Configuration) => {
    const [first, second] = [firstConfiguration[optionKey], secondConfiguration[optionKey]];
    if (first === second) return true;
    // Different functions cannot be compared as texts, so they count as different.
    const isFunction = typeof first === 'function' || typeof second === 'function';
    return !isFunction && JSON.stringify(first) === JSON.stringify(second);
  };
  const isAnyTrialPolicy = [firstConfiguration, secondConfiguration].some(({ policy }) =>
    isTrialPolicy(policy.declaration.name),
  );
  return (
    !isAnyTrialPolicy &&
    (Object.keys(firstConfiguration) as (keyof Configuration)[]).every(
      (key) => key === 'policy' || isOptionSame(key),
    )
  );
}

/** Option of a simulation whose running jobs cannot be the state of another; undefined if there is none. */
export function findOptionForbiddingState(configuration: Configuration): string | undefined {
  if (configuration.moldable !== 'none') return 'moldable';
  if (!canJobsSpanSites(configuration)) return undefined;
  return configuration.multiSite === 'none' ? 'multiSiteFactor' : 'multiSite';
}
