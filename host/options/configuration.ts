/** Complete configuration of a simulation except its jobs: checked options with defaults filled in. */

import { checkArgument, checkOptionNames, registerLibraryOptions } from '../arguments.js';
import { type CoreOption, loadCoreConstants } from '../core/module.js';
import { isAskedAboutWaiting, isTrialPolicy } from '../core/policies.js';
import type { Grid } from '../grid/grid.js';
import { areEstimatesRefreshed, type Estimates } from '../workload/estimates.js';
import { listQueueRulesOfCandidates } from './candidateRules.js';
import type { Option, OptionInput, OptionValue } from './kinds.js';
import { type Naming, nameOptionInLibrary } from './options.js';
import { dependsOnOtherJobs } from './order.js';
import { NO_OUTAGES_NOTATION } from './outages.js';
import { checkGridOfNodePlans } from './passRules.js';
import { checkOptionRules } from './rules.js';
import { DEFAULT_BACKFILL_SITE_SELECTION, RUN_OPTIONS } from './runOptions.js';

type RunOptionTable = typeof RUN_OPTIONS;
/** Key of an option of a run. */
export type RunOptionKey = keyof RunOptionTable;

/** Settings of a simulation run, without its jobs and its grid. */
export type RunSettings = { readonly [Key in RunOptionKey]: OptionValue<RunOptionTable[Key]> };

/** Labels of a method in reports; they do not affect results. */
export interface MethodLabels {
  /** Name that the user gave the method. */
  readonly name?: string | undefined;
  /**
   * Source of the method's runtime estimates, if the methods of a comparison differ in it, or a file with a
   * function.
   */
  readonly estimates?: string | undefined;
}

/** Complete configuration of a simulation except its jobs; `load` has one factor per home site. */
export interface Configuration extends RunSettings {
  /** The sites. */
  readonly grid: Grid;
  /** True if the simulation records which processors each job holds. */
  readonly trackProcessors: boolean;
  /** Labels of the method in a comparison; absent for an unnamed method. */
  readonly labels?: MethodLabels | undefined;
  /** Name by which texts, tables and figures show the method (`--label`); default: its name. */
  readonly shownName?: string;
}

/** Options of a run in all forms that the library accepts. */
export type RunOptionInput = {
  readonly [Key in RunOptionKey]?: OptionInput<RunOptionTable[Key]> | undefined;
};

/** Options of a simulation except its jobs and its grid; all have defaults (docs/command-line.md). */
export interface SimulationOptions extends RunOptionInput {
  /** True to record which processors each job held; default false. */
  readonly processorSets?: boolean | undefined;
}

/** Queueing discipline: the rule for what happens when the first job in the queue does not fit. */
export type Discipline = RunSettings['discipline'];

/** True if a discipline plans ahead by runtime estimates. */
export function isBackfillingDiscipline(discipline: Discipline): boolean {
  return discipline === 'easy' || discipline === 'conservative';
}

/** True if, by these options, the policy has a say: it chooses the sites of jobs, or lets jobs wait. */
export function isPolicyUsed({ grid, moldable, discipline, queue, select, policy }: Configuration): boolean {
  if (moldable !== 'none') return false;
  if (!isBackfillingDiscipline(discipline)) return true;
  if (select !== 'none') return false;
  return isAskedAboutWaiting(policy) || (queue !== 'independent' && grid.capacities.length > 1);
}

/** True if these options allow that running jobs are preempted and wait again. */
export function canPreemptJobs({
  reclaim,
  outages,
  onOutage,
}: Pick<RunSettings, 'reclaim' | 'outages' | 'onOutage'>): boolean {
  return reclaim || (outages !== NO_OUTAGES_NOTATION && onOutage === 'requeue');
}

/** Kind of reservations in effect; `none` if not every job gets one. */
function findEffectiveReservations(
  runSettings: RunSettings,
  isPolicyGiven: boolean,
  { capacities }: Grid,
): RunSettings['reservations'] {
  const { reservations, discipline, queue, select, policy } = runSettings;
  if (reservations !== 'none' || discipline !== 'conservative') return reservations;
  const needsNoSiteSelection = capacities.length === 1 || queue === 'independent' || isPolicyGiven;
  const hasOptionsOfReplanning =
    select !== 'none' ||
    runSettings.multiSiteFactor > 0 ||
    runSettings.interval > 0 ||
    runSettings.bandwidth !== 0;
  const hasPassOptions =
    runSettings.backfillInterval > 0 || runSettings.passDelay !== 'none' || runSettings.passGap > 0;
  const hasOrderByJobsOfOtherSites =
    queue === 'independent' &&
    [runSettings.order, runSettings.backfillOrder].some((order) => dependsOnOtherJobs(order));
  if (hasOrderByJobsOfOtherSites) return 'replanned';
  const isOnlyDefinedByReplanning =
    hasOptionsOfReplanning || runSettings.runtimeReference === 'home' || isTrialPolicy(policy);
  return needsNoSiteSelection && !isOnlyDefinedByReplanning && !hasPassOptions ? 'kept' : 'replanned';
}

/** True if these options allow that a job runs on several sites at once. */
export function canJobsSpanSites({
  multiSite,
  multiSiteFactor,
}: Pick<RunSettings, 'multiSite' | 'multiSiteFactor'>): boolean {
  return multiSite !== 'none' || multiSiteFactor > 0;
}

const RUN_OPTION_ENTRIES = Object.entries(RUN_OPTIONS) as [RunOptionKey, Option<unknown>][];
const CORE_OPTION_ENTRIES = RUN_OPTION_ENTRIES.flatMap(([key, { core }]) =>
  core === undefined ? [] : [[key, core] as const],
);
const RUN_OPTION_KEYS = RUN_OPTION_ENTRIES.map(([key]) => key);
const SIMULATE_CALL_OPTIONS = registerLibraryOptions<SimulationOptions>('simulate', {
  ...RUN_OPTIONS,
  processorSets: true,
});

/**
 * Options that determine a run. If estimates of waiting jobs are updated, conservative backfilling replans
 * reservations by default.
 */
export function makeRunOptionsOfSettings(
  settings: RunOptionInput & { readonly estimates?: Estimates | undefined },
): RunOptionInput {
  const areReservationsReplanned =
    settings.discipline === 'conservative' && areEstimatesRefreshed(settings.estimates);
  const configurationInput: RunOptionInput = {
    ...(areReservationsReplanned && { reservations: 'replanned' }),
    ...settings,
  };
  return Object.fromEntries(
    RUN_OPTION_KEYS.flatMap((runOptionKey) =>
      configurationInput[runOptionKey] === undefined
        ? []
        : [[runOptionKey, configurationInput[runOptionKey]]],
    ),
  );
}

/**
 * Checks options and fills in their defaults, for `Simulator.begin`.
 * @param naming names of the options in error messages.
 * @throws InputError for an unknown option, policy, parameter or word, a number out of range, vectors that do
 * not fit the grid, and conflicting options.
 * @example
 * console.log(makeConfiguration(grid, { load: 2 }).load.join()); // 2,2
 */
export function makeConfiguration(
  grid: Grid,
  options: SimulationOptions = {},
  naming: Naming = nameOptionInLibrary,
): Configuration {
  checkArgument(grid, 'grid', 'makeConfiguration');
  checkOptionNames(SIMULATE_CALL_OPTIONS, options);
  const checkedOptionEntries = RUN_OPTION_ENTRIES.map(([key, option]) => [
    key,
    option.check(options[key] ?? option.default, naming(key), grid),
  ]);
  const checkedValues: RunSettings = Object.fromEntries(checkedOptionEntries);
  const { policy } = options;
  checkOptionRules(
    { ...checkedValues, policy: policy && checkedValues.policy },
    naming,
    grid.capacities.length,
  );
  checkGridOfNodePlans(grid, checkedValues, naming);
  listQueueRulesOfCandidates(checkedValues);
  const { select, discipline, queue } = checkedValues;
  const mustBackfillingSelectSites =
    isBackfillingDiscipline(discipline) && queue !== 'independent' && policy === undefined;
  return {
    grid,
    ...checkedValues,
    // Without a selection the policy chooses.
    select: mustBackfillingSelectSites && select === 'none' ? DEFAULT_BACKFILL_SITE_SELECTION : select,
    reservations: findEffectiveReservations(checkedValues, policy !== undefined, grid),
    trackProcessors: options.processorSets ?? false,
  };
}

/**
 * Passes the options to the core. If two options set the same option of the core, the later one counts.
 * Studies call this function for every run, so it allocates no memory.
 */
export function passCoreOptions(
  configuration: Configuration,
  setCoreOption: (optionName: CoreOption, value: number) => void,
): void {
  const constants = loadCoreConstants();
  setCoreOption('ProcessorSets', Number(configuration.trackProcessors));
  for (const [key, core] of CORE_OPTION_ENTRIES) {
    const coreOptionNumbers = core(configuration[key], constants);
    for (const optionName in coreOptionNumbers)
      setCoreOption(optionName as CoreOption, coreOptionNumbers[optionName as CoreOption] as number);
  }
}
