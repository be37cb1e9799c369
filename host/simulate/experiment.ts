/**
 * Builds experiments: the grid and jobs described by settings, and the configuration of each method. Methods
 * share common settings and may override them. `makeConfiguration` then checks the options of a run.
 */

import { InputError } from '../errors.js';
import { formatNumber } from '../format/numbers.js';
import { makePrintableSourceName } from '../format/text.js';
import { checkSiteValues, type Grid, isRandomSpeedNotation, makeGrid, parseSpeeds } from '../grid/grid.js';
import { firstElement } from '../lists.js';
import { type Configuration, makeConfiguration, makeRunOptionsOfSettings } from '../options/configuration.js';
import { JOB_OPTIONS } from '../options/jobOptions.js';
import { JOB_OPTION_KEYS, type Naming, nameOptionOnCommandLine, type Settings } from '../options/options.js';
import { checkOptionRules, doOptionsUseEstimates } from '../options/rules.js';
import { RUN_OPTIONS } from '../options/runOptions.js';
import { findPeakProcessorUse } from '../trace/peakUse.js';
import type { Trace } from '../trace/trace.js';
import { remarkOnCancelledJobs } from '../workload/cancellations.js';
import { addDataSizes, type DataSizeDistribution } from '../workload/dataSizes.js';
import {
  type Estimates,
  printEstimates,
  remarkOnMissingEstimates,
  requireEstimates,
  withEstimates,
} from '../workload/estimates.js';
import { makeWorkloadOfSelection, remarkOnDependencies, selectRecordsOfLog } from '../workload/make.js';
import { isModelNotation, makeModelTrace } from '../workload/models.js';
import {
  DEFAULT_PERTURBATION_PARAMETERS,
  type Perturbation,
  remarkOnPerturbation,
  shiftSeedForReplication,
  shiftSeedInNotation,
} from '../workload/perturb.js';
import { remarkOnPresetMismatch } from '../workload/presets.js';
import type { Workload } from '../workload/workload.js';
import {
  checkEstimatesKnown,
  describeEstimateSource,
  describeRuntimeKnowledgeOfRun,
} from './decisionView.js';
import { computeArrivalStretchFactor, remarkOnOfferedLoad, stretchArrivals } from './offeredLoad.js';
import { checkUsersOfOrders } from './orderUsers.js';
import {
  determineRequestedCapacities,
  determineRequestedFilters,
  determineRequestedHomeRule,
  determineRequestedPlacement,
  makeWorkloadOptions,
} from './workloadSettings.js';

/** Notation of the speeds in a replication, with its seed if speeds are perturbed. */
function makeSpeedNotationOfReplication({ speeds, perturb, replication = 1 }: Settings): string | undefined {
  if (!perturb?.speeds) return speeds;
  if (speeds !== undefined && isRandomSpeedNotation(speeds)) return shiftSeedInNotation(speeds, replication);
  throw new InputError(
    '--perturb speeds is for speeds that are drawn; give --speeds draw[sh=0.12,seed=1], or omit it',
  );
}

/**
 * Creates sites with given sizes and the requested speeds.
 * @param naming names of the options in errors.
 * @throws InputError for speeds that do not fit the sites or cannot be drawn.
 */
export function makeGridOfSettings(
  settings: Settings,
  capacities: readonly number[],
  naming: Naming = nameOptionOnCommandLine,
): Grid {
  const notation = makeSpeedNotationOfReplication(settings);
  const { heterogeneity } = settings;
  const speeds = notation === undefined ? undefined : parseSpeeds(notation, capacities);
  if (speeds !== undefined) checkSiteValues(speeds, naming('speeds'), capacities.length);
  if (heterogeneity !== undefined) checkSiteValues(heterogeneity, naming('heterogeneity'), capacities.length);
  return makeGrid({ capacities, speeds, heterogeneity });
}

/**
 * Default site if none is specified: the size of the log's machine; if unknown, the maximum number of
 * processors in use at once according to the recorded waits; without waits, the width of the largest job.
 */
export function determineDefaultMachineOfLog(
  settings: Settings,
  trace: Trace,
): { readonly capacities: readonly number[]; readonly remark?: string } {
  if (trace.header.maxProcessors !== undefined) return { capacities: [trace.header.maxProcessors] };
  const { cancelled, noLimit } = settings;
  const selection = selectRecordsOfLog(trace, determineRequestedFilters(settings), { cancelled, noLimit });
  const { processors } = makeWorkloadOfSelection(selection, { siteCount: 1, cancelled, noLimit });
  const widestJobProcessorCount = processors.reduce((most, width) => Math.max(most, width), 1);
  const machineSize = Math.max(
    widestJobProcessorCount,
    findPeakProcessorUse(selection.records)?.processors ?? 0,
  );
  const machineSizeReason =
    machineSize > widestJobProcessorCount
      ? 'the most that its jobs held at once'
      : 'the size of its largest job';
  const traceName = makePrintableSourceName(trace.source);
  return {
    capacities: [machineSize],
    remark: `${traceName} does not give the machine size; assuming one site of ${formatNumber(machineSize)} processors, ${machineSizeReason} (set it with --sites)`,
  };
}

/** Change of the jobs in a replication, with the seeds of the replication. */
export interface ReplicationChange {
  /** Workload model with another seed. */
  readonly model?: string;
  readonly perturb?: Perturbation;
  readonly estimates: Estimates;
  readonly dataSize: DataSizeDistribution | undefined;
}

/**
 * Perturbation of the log's records in the replications of a setting; undefined if records are unchanged or
 * come from a model with different seeds.
 */
export function makePerturbationOfReplication({
  workload,
  perturb,
  replication,
}: Settings): Perturbation | undefined {
  if (perturb === undefined && replication === undefined) return undefined;
  return perturb?.jobs ?? (isModelNotation(workload) ? undefined : DEFAULT_PERTURBATION_PARAMETERS.shake);
}

/** Default source of estimates. */
export const DEFAULT_ESTIMATE_SOURCE = JOB_OPTIONS.estimates.default as Estimates;

/**
 * Change of the jobs in replication r = 1, 2, ...; default: new seeds for a model, shaken submit times for a
 * log.
 */
export function makeReplicationChange(settings: Settings, replication?: number): ReplicationChange {
  const { workload, estimates = DEFAULT_ESTIMATE_SOURCE, dataSize } = settings;
  const r = replication ?? 1;
  const addReplicationSeed = <Seeded extends object>(optionValue: Seeded): Seeded =>
    'seed' in optionValue
      ? { ...optionValue, seed: shiftSeedForReplication(optionValue.seed as number, r) }
      : optionValue;
  const perturb = makePerturbationOfReplication({ ...settings, replication });
  if (perturb !== undefined) return { perturb: addReplicationSeed(perturb), estimates, dataSize };
  if (r === 1 || !isModelNotation(workload)) return { estimates, dataSize };
  const modelNotation = shiftSeedInNotation(workload, r);
  return {
    model: modelNotation,
    estimates: addReplicationSeed(estimates),
    dataSize: dataSize && addReplicationSeed(dataSize),
  };
}

/** Jobs, with the log they come from. */
export interface TraceWithWorkload {
  readonly trace: Trace;
  readonly workload: Workload;
}

/** Creates the jobs of a setting for grids and replications; common work is done once. */
export interface JobMaker {
  /**
   * Creates the jobs of a replication for a grid (without one: for any sites); default: the replication in
   * the settings, if any.
   * @throws InputError as `makeWorkload`, and if the log lacks necessary estimates.
   */
  readonly makeJobs: (grid: Partial<Grid>, replication?: number) => TraceWithWorkload;
  /** Remarks for readers on changes of the jobs. */
  readonly remarks: readonly string[];
}

/** Selects the records of a log or model according to settings, as the source of jobs. */
export function makeJobMaker(settings: Settings, trace: Trace): JobMaker {
  const filters = determineRequestedFilters(settings);
  const home = determineRequestedHomeRule(settings, trace);
  const { kill, offeredLoad } = settings;
  const selection = selectRecordsOfLog(trace, filters, settings);
  const makeJobs = (grid: Partial<Grid>, replicationChange: ReplicationChange): TraceWithWorkload => {
    const { model, perturb, estimates, dataSize } = replicationChange;
    const recordSelection =
      model === undefined ? selection : selectRecordsOfLog(makeModelTrace(model), filters);
    const options = makeWorkloadOptions(settings, grid, home);
    const workload = makeWorkloadOfSelection(recordSelection, { ...options, perturb });
    const estimatedWorkload = withEstimates(workload, estimates);
    if (kill !== undefined) requireEstimates(estimatedWorkload, 'omit --kill, which needs requested times');
    return {
      trace: recordSelection.log,
      workload: dataSize === undefined ? estimatedWorkload : addDataSizes(estimatedWorkload, dataSize),
    };
  };
  let arrivalStretch: number | undefined;
  const computeArrivalStretch = (targetLoad: number, capacities: readonly number[]): number => {
    const unperturbedSettings = { ...settings, perturb: undefined, replication: undefined };
    const grid = settings.loadMachine ?? makeGridOfSettings(unperturbedSettings, capacities);
    const { workload } = makeJobs(grid, makeReplicationChange(unperturbedSettings));
    const load = RUN_OPTIONS.load.check(settings.load ?? (RUN_OPTIONS.load.default as number), 'load', grid);
    const { runtimeReference = RUN_OPTIONS.runtimeReference.default as 'speed1' } = settings;
    return computeArrivalStretchFactor(workload, { grid, load, runtimeReference }, targetLoad);
  };
  const presetMismatchRemark = remarkOnOtherLogThanPreset(settings, selection.records, trace.source);
  const makeJobsOnGrid = (grid: Partial<Grid>, replication = settings.replication): TraceWithWorkload => {
    const tracedWorkload = addErrorReason(presetMismatchRemark, () =>
      makeJobs(grid, makeReplicationChange(settings, replication)),
    );
    if (offeredLoad === undefined || grid.capacities === undefined) return tracedWorkload;
    // By the jobs and speeds without any change, so that it is the same for all replications.
    arrivalStretch ??= computeArrivalStretch(offeredLoad, grid.capacities);
    return { ...tracedWorkload, workload: stretchArrivals(tracedWorkload.workload, arrivalStretch) };
  };
  return {
    makeJobs: makeJobsOnGrid,
    remarks: makeRemarksOnKeptJobs(settings, selection.records, presetMismatchRemark),
  };
}

/** Remark that a log is not the log of the preset; undefined if it is, or if this is not checked. */
function remarkOnOtherLogThanPreset(
  { preset, filter, workload }: Settings,
  records: Trace,
  logSource: string,
): string | undefined {
  const isPresetLog = preset !== undefined && filter === undefined && !isModelNotation(workload);
  return isPresetLog ? remarkOnPresetMismatch(preset, records.count, logSource) : undefined;
}

/** Runs a function; if it throws an InputError, adds a possible reason to the message. */
function addErrorReason<Made>(reason: string | undefined, makeValue: () => Made): Made {
  try {
    return makeValue();
  } catch (error) {
    if (!(error instanceof InputError) || reason === undefined) throw error;
    throw new InputError(`${error.message}; ${reason}`);
  }
}

/**
 * Remarks for readers on the selected jobs of a log.
 * @param mismatch remark that the log is not the log of the preset.
 */
function makeRemarksOnKeptJobs(settings: Settings, records: Trace, mismatch: string | undefined): string[] {
  const { perturb } = makeReplicationChange(settings, settings.replication);
  const { offeredLoad } = settings;
  return [
    mismatch,
    perturb && remarkOnPerturbation(records, perturb),
    offeredLoad === undefined ? undefined : remarkOnOfferedLoad(offeredLoad),
  ].filter((remark) => remark !== undefined);
}

/** Options that define the sites of a simulation. */
const MACHINE_OPTION_KEYS = ['sites', 'speeds', 'heterogeneity'] as const;

/**
 * Cache key of all settings that determine the jobs on any sites: equal keys mean equal jobs in every
 * replication. It includes options of a run that affect which jobs are too large, or the rescaling of
 * arrivals.
 */
function makeCacheKeyOfJobs(settings: Settings): string {
  const { minSpeedRatio, offeredLoad, load, runtimeReference } = settings;
  return JSON.stringify([
    JOB_OPTION_KEYS.map((jobOptionKey) => settings[jobOptionKey]),
    [determineRequestedPlacement(settings), minSpeedRatio],
    MACHINE_OPTION_KEYS.map((machineOptionKey) => settings[machineOptionKey]),
    offeredLoad === undefined ? [] : [load, runtimeReference],
  ]);
}

/**
 * Settings of methods, each once if they lead to the same jobs, and for each method the index of its
 * settings.
 */
export interface JobDecidingSettings {
  readonly settings: readonly Settings[];
  /** Index of the settings by method. */
  readonly settingsIndexes: readonly number[];
}

/**
 * Settings of the methods that lead to different jobs, each once; without methods, the common settings
 * themselves.
 */
export function distinctJobSettings(settings: Settings, methods: readonly Method[]): JobDecidingSettings {
  const settingsByKey = new Map<string, { readonly place: number; readonly settings: Settings }>();
  const settingsIndexes = (methods.length === 0 ? [{}] : methods).map((method) => {
    const mergedSettings = { ...settings, ...method };
    const cacheKey = makeCacheKeyOfJobs(mergedSettings);
    const distinct = settingsByKey.get(cacheKey) ?? { place: settingsByKey.size, settings: mergedSettings };
    settingsByKey.set(cacheKey, distinct);
    return distinct.place;
  });
  return { settings: [...settingsByKey.values()].map(({ settings }) => settings), settingsIndexes };
}

// Methods on the same jobs and sites

/** Settings of one method, which override the common settings. */
export interface Method extends Omit<Settings, 'workload'> {
  /** Name given by the user; undefined if there is none. */
  readonly name?: string | undefined;
}

/** True if a method has its own sites or speeds. */
const hasOwnSitesOrSpeeds = (method: Method) =>
  MACHINE_OPTION_KEYS.some((machineOptionKey) => method[machineOptionKey] !== undefined);

/**
 * Grid of each method: the common grid, or one with the method's own sites and speeds.
 * @param capacities processors of the common sites.
 * @param naming names of the options in errors.
 * @throws InputError for speeds that do not fit the sites.
 */
export function makeGridsOfMethods(
  settings: Settings,
  methods: readonly Method[],
  capacities: readonly number[],
  naming?: Naming,
): Grid[] {
  let common: Grid | undefined;
  return methods.map((method) => {
    if (hasOwnSitesOrSpeeds(method))
      return makeGridOfSettings({ ...settings, ...method }, method.sites ?? capacities, naming);
    common ??= makeGridOfSettings(settings, capacities, naming);
    return common;
  });
}

/** Jobs, sites and configurations to simulate, one configuration per method. */
export interface Experiment {
  /** Common settings of the methods. */
  readonly settings: Settings;
  /** Log as read, before any change. */
  readonly loaded: Trace;
  /** Log from which the jobs were made. */
  readonly trace: Trace;
  /** Jobs of the first method. */
  readonly workload: Workload;
  /** Jobs by method; methods with equal jobs share one object. */
  readonly workloads: readonly Workload[];
  /** Sites of the first method. */
  readonly grid: Grid;
  readonly methods: readonly Method[];
  /** Configurations by method, each with the sites of the method. */
  readonly configurations: readonly Configuration[];
  /** Runtime information that each method uses. */
  readonly knowledge: readonly string[];
  /** Remarks for readers on the jobs. */
  readonly remarks: readonly string[];
}

/**
 * Refuses methods with conflicting options, or options that conflict with the common settings.
 * @throws InputError for the first conflict.
 */
export function checkMethodsCombine(
  settings: Settings,
  methods: readonly Method[],
  naming = nameOptionOnCommandLine,
): void {
  for (const method of methods) checkOptionRules({ ...settings, ...method }, naming);
}

/** Options for making an experiment. */
export interface ExperimentOptions {
  /** True to record which processors each job held; default false. */
  readonly processorSets?: boolean;
  /** Function that names options in errors; default: names as on the command line. */
  readonly naming?: Naming;
}

/**
 * Configuration of a method.
 * @throws InputError as `makeConfiguration`.
 */
export function makeMethodConfiguration(
  grid: Grid,
  settings: Settings,
  method: Method,
  { processorSets = false, naming = nameOptionOnCommandLine }: ExperimentOptions = {},
): Configuration {
  const options = makeRunOptionsOfSettings({ ...settings, ...method });
  const configuration = makeConfiguration(grid, { ...options, processorSets }, naming);
  const { name: methodName } = method;
  const { estimates = DEFAULT_ESTIMATE_SOURCE } = { ...settings, ...method };
  const hasEstimatesFromFile = estimates.source === 'file';
  if (methodName === undefined && !hasEstimatesFromFile) return configuration;
  return {
    ...configuration,
    labels: { name: methodName, ...(hasEstimatesFromFile && { estimates: estimates.name }) },
  };
}

/** Labels configurations with their source of estimates, if methods differ in it. */
function labelEstimateSources(
  configurations: readonly Configuration[],
  sources: readonly string[],
): readonly Configuration[] {
  if (new Set(sources).size < 2) return configurations;
  return configurations.map((configuration, i) => ({
    ...configuration,
    labels: { ...configuration.labels, estimates: sources[i]! },
  }));
}

/**
 * Creates the jobs and configurations of methods, and checks all of them before anything runs.
 * @throws InputError for an experiment that cannot be simulated.
 */
function makeExperiment(
  settings: Settings,
  loadedLog: Trace,
  grids: readonly Grid[],
  methods: readonly Method[],
  options: ExperimentOptions = {},
): Experiment {
  const estimates = methods.map(
    (method) => method.estimates ?? settings.estimates ?? DEFAULT_ESTIMATE_SOURCE,
  );
  const configurations = labelEstimateSources(
    methods.map((method, i) => makeMethodConfiguration(grids[i]!, settings, method, options)),
    estimates.map(printEstimates),
  );
  const jobDecidingSettings = distinctJobSettings(settings, methods);
  const jobMakers = jobDecidingSettings.settings.map((variantSettings) =>
    makeJobMaker(variantSettings, loadedLog),
  );
  const tracedWorkloads = jobMakers.map((jobMaker, variant) =>
    jobMaker.makeJobs(grids[jobDecidingSettings.settingsIndexes.indexOf(variant)]!),
  );
  const { trace, workload } = firstElement(tracedWorkloads);
  const workloads = methods.map(
    (_, method) => tracedWorkloads[jobDecidingSettings.settingsIndexes[method]!]!.workload,
  );
  for (const [i, configuration] of configurations.entries())
    checkEstimatesKnown(workloads[i]!, configuration, options.naming ?? nameOptionOnCommandLine);
  const isResampled = settings.replication !== undefined || settings.perturb !== undefined;
  for (const [i, configuration] of isResampled ? [] : configurations.entries())
    checkUsersOfOrders(workloads[i]!, configuration);
  const remarks = [
    ...jobMakers.flatMap((jobMaker) => jobMaker.remarks),
    ...(configurations.some(doOptionsUseEstimates)
      ? tracedWorkloads.map((tracedWorkload) => remarkOnMissingEstimates(tracedWorkload.workload))
      : []),
    ...tracedWorkloads.map((tracedWorkload) => remarkOnDependencies(tracedWorkload.workload)),
    ...tracedWorkloads.map((tracedWorkload) => remarkOnCancelledJobs(tracedWorkload.workload)),
  ].filter((remark) => remark !== undefined);
  const knowledge = configurations.map((configuration, i) =>
    describeRuntimeKnowledgeOfRun(configuration, describeEstimateSource(printEstimates(estimates[i]!))),
  );
  const uniqueRemarks = [...new Set(remarks)];
  return {
    settings,
    loaded: loadedLog,
    trace,
    workload,
    workloads,
    grid: firstElement(grids),
    methods,
    configurations,
    knowledge,
    remarks: uniqueRemarks,
  };
}

/** Returns the experiment with only the methods at the given positions. */
export function keepMethodsAtPositions(experiment: Experiment, methodIndexes: readonly number[]): Experiment {
  const selectByIndex = <Each>(valuesByMethod: readonly Each[]) =>
    methodIndexes.map((methodIndex) => valuesByMethod[methodIndex] as Each);
  const { methods, configurations, knowledge, workloads } = experiment;
  return {
    ...experiment,
    workloads: selectByIndex(workloads),
    methods: selectByIndex(methods),
    configurations: selectByIndex(configurations),
    knowledge: selectByIndex(knowledge),
  };
}

/** Methods, and remarks for readers on their selection. */
export interface MethodsWithRemarks {
  readonly methods: readonly Method[];
  readonly remarks: readonly string[];
}

/**
 * Makes an experiment on the sites in the settings; without any, on the machine of the log.
 * @param methods methods, or a function that selects them by the log and grid.
 * @throws InputError for an experiment that cannot be simulated.
 */
export function makeExperimentOnRequestedSites(
  settings: Settings,
  loadedLog: Trace,
  methods: readonly Method[] | ((trace: Trace, grid: Grid) => MethodsWithRemarks),
  options: ExperimentOptions = {},
): Experiment {
  const { naming = nameOptionOnCommandLine } = options;
  const methodsGivenAsList = typeof methods === 'function' ? [] : methods;
  const { capacities, remark } = findCommonSitesOfMethods(settings, loadedLog, methodsGivenAsList);
  const methodsWithRemarks =
    typeof methods === 'function'
      ? methods(loadedLog, makeGridOfSettings(settings, capacities, naming))
      : { methods: spellOutMachinesOfMethods(settings, methodsGivenAsList, capacities, naming), remarks: [] };
  const grids = makeGridsOfMethods(settings, methodsWithRemarks.methods, capacities, naming);
  const settingsWithMachineForLoad = addMachineForOfferedLoad(
    settings,
    methodsWithRemarks.methods,
    capacities,
  );
  const experiment = makeExperiment(
    settingsWithMachineForLoad,
    loadedLog,
    grids,
    methodsWithRemarks.methods,
    options,
  );
  const remarks = [
    ...(remark === undefined ? [] : [remark]),
    ...methodsWithRemarks.remarks,
    ...experiment.remarks,
  ];
  return { ...experiment, remarks };
}

/** Sites of the methods without their own; if every method has its own, the sites of the first. */
function findCommonSitesOfMethods(
  settings: Settings,
  loadedLog: Trace,
  methods: readonly Method[],
): { readonly capacities: readonly number[]; readonly remark?: string } {
  const requestedSiteSizes = determineRequestedCapacities(settings);
  if (requestedSiteSizes !== undefined) return { capacities: requestedSiteSizes };
  const [firstMethod] = methods;
  if (firstMethod?.sites !== undefined && methods.every(({ sites }) => sites !== undefined))
    return { capacities: firstMethod.sites };
  return determineDefaultMachineOfLog(settings, loadedLog);
}

/**
 * Methods with explicit sites, if any method has its own sites or speeds.
 * @throws InputError for such methods if replications draw new speeds.
 */
function spellOutMachinesOfMethods(
  { perturb }: Settings,
  methods: readonly Method[],
  capacities: readonly number[],
  naming: Naming,
): readonly Method[] {
  if (!methods.some(hasOwnSitesOrSpeeds)) return methods;
  if (perturb?.speeds) {
    throw new InputError(
      `${naming('perturb', 'speeds')} draws the speeds of one grid, and methods have sites or speeds of their own; omit one of the two`,
    );
  }
  return methods.map((method) => ({ ...method, sites: method.sites ?? capacities }));
}

/**
 * Settings that define the offered load relative to the machine of the first method, if methods have their
 * own machines.
 */
function addMachineForOfferedLoad(
  settings: Settings,
  methods: readonly Method[],
  capacities: readonly number[],
): Settings {
  const { offeredLoad, loadMachine } = settings;
  if (offeredLoad === undefined || loadMachine !== undefined || !methods.some(hasOwnSitesOrSpeeds))
    return settings;
  return { ...settings, loadMachine: firstElement(makeGridsOfMethods(settings, methods, capacities)) };
}
