/**
 * Memory layout of a simulation and its jobs in the core: settings as core options, memory sizes, and error
 * messages for refusals by the core.
 */

import { CoreCallRefusal } from '../core/instance.js';
import {
  alignAddress,
  Blocks,
  type CoreJobs,
  type JobInput,
  jobTableColumnView,
  layOutJobTable,
  MAX_MEMORY_BYTES,
  makeCoreJobs,
} from '../core/memory.js';
import { type Core, type CoreBuild, type CoreOption, openCore } from '../core/module.js';
import {
  findPolicyParameterValue,
  listCandidatePolicies,
  makeCorePolicyParameters,
  type Policy,
} from '../core/policies.js';
import { layOutSimulationBlock, type RunSettings } from '../core/runSettings.js';
import { FunctionError, InputError } from '../errors.js';
import { formatCount, formatDuration, formatNumber } from '../format/numbers.js';
import { expandSitePairValuesToMatrix, getTimeFactorsOfSites } from '../grid/grid.js';
import { raise2ToPower } from '../math/fdlibm.js';
import { listQueueRulesOfCandidates, toCoreQueueRuleNumbers } from '../options/candidateRules.js';
import { type Configuration, passCoreOptions } from '../options/configuration.js';
import { needsHostComputedKeys, type Order } from '../options/order.js';
import { findOrderOfWaitingJobs } from '../options/runOptions.js';
import { toSecondsOfHalfLife } from '../options/shareOptions.js';
import { nameOfLogNumber } from '../trace/trace.js';
import type { RecentEstimates, Workload } from '../workload/workload.js';
import { countLimitAccounts, makeLimitColumns } from './limitAccounts.js';
import {
  areOrderKeysComputedAtSubmit,
  assignAccountNumbers,
  compileOrderProgram,
  computeOrderKeys,
  computeUsageLeadSeconds,
  type KeyedColumns,
  type OrderProgram,
} from './orderKeys.js';
import { computeMaxOutageCount, makeOutageColumns, selectSimulatedOutages } from './outageColumns.js';
import { countSiteSets, getPartitionsOfLog, makeSiteSetColumns } from './partitionSets.js';

const MAX_PROCESSOR_COUNT = 0x7fffffff;

/**
 * Method for searching sites: one by one (`scan`), or with an index of free processors. Results are equal.
 */
export type SiteSearch = 'scan' | 'index';

/** Sizes that determine the memory layout of a simulation. */
interface SimulationSizes {
  readonly count: number;
  /** Log fields of the jobs, such as users; absent: as many accounts as jobs are assumed. */
  readonly log?: KeyedColumns['log'];
  readonly home?: Int32Array;
  readonly unestimated?: true;
  readonly recent?: RecentEstimates;
  readonly dependencies?: object;
  readonly patience?: object;
  /** Number of partitions, if there is no log. */
  readonly partitions?: number;
  readonly unixStartTime?: number;
}

/**
 * Converts a configuration to settings of the core.
 * @param search method for searching sites; default: chosen by the core.
 * @param policyCount number of policies to simulate together.
 * @throws InputError for more processors than a grid may have.
 */
export function makeCoreRunSettings(
  {
    count,
    log,
    home,
    recent: recentEstimates,
    unestimated,
    dependencies,
    patience,
    partitions: partitionCount,
    unixStartTime,
  }: SimulationSizes,
  configuration: Configuration,
  search?: SiteSearch,
  policyCount = 0,
): RunSettings {
  const { capacities, speeds } = configuration.grid;
  const processors = capacities.reduce((sum, capacity) => sum + capacity, 0);
  if (processors > MAX_PROCESSOR_COUNT) {
    throw new InputError(`sites: ${processors} processors are more than a grid may have`);
  }
  const options: { [Name in CoreOption]?: number } = {};
  passCoreOptions(configuration, (optionName, value) => {
    options[optionName] = value;
  });
  options.RecentJobs = recentEstimates?.n ?? 0;
  options.RefreshEstimates = Number(recentEstimates?.refresh ?? false);
  const ordersOfRun = [findOrderOfWaitingJobs(configuration), configuration.backfillOrder];
  options.KeysAtSubmit = Number(areOrderKeysComputedAtSubmit(ordersOfRun, { recent: recentEstimates }));
  setUsageAccountOptions(options, configuration, compileOrderProgram(ordersOfRun), { count, log });
  options.Limits = countLimitAccounts(configuration, { count, log, ...(home && { home }) });
  const { planBy, endWindow, backfillResolution } = configuration;
  options.ClockOrigin =
    planBy === 'node' || endWindow > 0 || backfillResolution > 0 ? (unixStartTime ?? 0) : 0;
  options.NoEstimates = Number(unestimated ?? false);
  options.Outages = computeMaxOutageCount(configuration, { unixStartTime });
  options.SiteSets = countSiteSets(configuration, { log, partitions: partitionCount });
  options.Dependencies = dependencies === undefined ? 0 : 1;
  options.Cancellations = patience === undefined ? 0 : 1;
  options.CandidateRules = computeCandidateRulesOption(configuration);
  const index = search && { Index: search === 'index' ? 1 : 0 };
  options.SharedPolicies = policyCount;
  return { sites: { Capacity: capacities, Speed: speeds }, options, room: { ...index } };
}

/**
 * Sets the core options for orders with expressions: lengths of the program, and the accounts of
 * users and groups that it reads.
 */
function setUsageAccountOptions(
  options: { [Name in CoreOption]?: number },
  { usageStep, usageOffset, halfLife }: Configuration,
  { code, inputCount, states }: OrderProgram,
  { count, log }: Pick<SimulationSizes, 'count' | 'log'>,
): void {
  options.ProgramLength = code.length / 2;
  options.ProgramInputs = inputCount;
  if (states.has('usage') || states.has('groupUsage')) {
    const halfLifeSeconds = toSecondsOfHalfLife(halfLife);
    if (!(raise2ToPower(-usageStep / halfLifeSeconds) > 0))
      throw new InputError(makeHalfLifeTooShortMessage(halfLifeSeconds, usageStep));
    options.UsageStep = usageStep;
    options.HalfLife = halfLifeSeconds;
    options.UsageLead = computeUsageLeadSeconds({ usageStep, usageOffset });
  } else {
    options.UsageCount = 0;
  }
  const countAccounts = (ownerField: 'user' | 'group') =>
    log === undefined ? count : assignAccountNumbers(log[ownerField]).count;
  if (USER_DEPENDENT_ORDER_COLUMNS.some((columnName) => states.has(columnName)))
    options.Users = countAccounts('user');
  if (states.has('groupUsage')) options.Groups = countAccounts('group');
}

/** Columns of orders that depend on other jobs of the same user. */
const USER_DEPENDENT_ORDER_COLUMNS = ['usage', 'running', 'share'];

/** Value of the option `CandidateRules`: 1 + the highest discipline number of candidates with rules; 0: none. */
function computeCandidateRulesOption(configuration: Configuration): number {
  const rules = listQueueRulesOfCandidates(configuration);
  return rules === undefined
    ? 0
    : 1 + Math.max(...rules.map((queueRules) => toCoreQueueRuleNumbers(queueRules)[1]));
}

/**
 * Size in bytes of a simulation laid out at an address with at least `Limit.HeadBytes` bytes of memory.
 * @throws InputError if the core refuses an option.
 */
export function computeSimulationBlockBytes(
  core: Core,
  block: number,
  simulationSizes: SimulationSizes,
  configuration: Configuration,
  policyCount: number,
): number {
  const runSettings = makeCoreRunSettings(simulationSizes, configuration, undefined, policyCount);
  try {
    return layOutSimulationBlock(core, block, simulationSizes.count, runSettings);
  } catch (error) {
    throw translateCoreError(core, undefined, error);
  }
}

/** Maximum memory in bytes for histories of policies simulated together; beyond it, sharing does not pay. */
const MAX_SHARED_HISTORY_BYTES = 2 ** 25;
/** Largest number of histories of policies simulated together. */
const MAX_SHARED_HISTORIES = 64;
const HISTORY_BYTES_PER_RUNNING_JOB = 16;

/**
 * Number of policies that can be simulated together: all, or 0 if the core cannot share them or too many jobs
 * may run at once.
 */
export function computeMaxSharedPolicyCount(
  { grid, discipline, queue }: Configuration,
  policyCount: number,
): number {
  if (policyCount < 2 || discipline !== 'fcfs' || queue !== 'shared') return 0;
  const maxRunningJobCount = grid.capacities.reduce((sum, capacity) => sum + capacity, 0);
  const bytes =
    Math.min(policyCount, MAX_SHARED_HISTORIES) * maxRunningJobCount * HISTORY_BYTES_PER_RUNNING_JOB;
  return bytes <= MAX_SHARED_HISTORY_BYTES ? policyCount : 0;
}

// Columns that the host writes into a simulation before it begins

/**
 * Creates the input columns of the core.
 * @throws InputError, FunctionError as `computeOrderKeys`.
 */
export function makeCoreInputColumns(
  configuration: Configuration,
  policies: readonly Policy[],
  jobColumns: KeyedColumns,
): RunSettings['sites'] {
  const { grid, load, bandwidth, latency, policy, backfillOrder } = configuration;
  const candidates = listCandidatePolicies(policy);
  const policiesInCore = candidates.length > 0 ? candidates : policies;
  const siteCount = grid.capacities.length;
  const order = findOrderOfWaitingJobs(configuration);
  const areKeysComputedAtSubmit = areOrderKeysComputedAtSubmit([order, backfillOrder], jobColumns);
  const needsKeysBeforeRun = (usedOrder: Order) =>
    needsHostComputedKeys(usedOrder) && !areKeysComputedAtSubmit;
  const hasTransfers = bandwidth !== 0;
  const program = compileOrderProgram([order, backfillOrder], jobColumns, configuration);
  return {
    ...makeOrderColumns(program, jobColumns),
    ...makeLimitColumns(configuration, jobColumns),
    ...makeOutageColumns(selectSimulatedOutages(configuration, jobColumns)),
    ...makeSiteSetColumns(configuration, jobColumns),
    Capacity: grid.capacities,
    Speed: grid.speeds,
    Load: load,
    TimeFactor: getTimeFactorsOfSites(grid),
    Bandwidth: hasTransfers ? expandSitePairValuesToMatrix(bandwidth, siteCount).flat() : undefined,
    Latency: hasTransfers ? expandSitePairValuesToMatrix(latency, siteCount).flat() : undefined,
    Policies: policiesInCore.length > 0 ? policiesInCore.flatMap(listCorePolicyNumbers) : undefined,
    CandidateRules: listQueueRulesOfCandidates(configuration)?.flatMap(toCoreQueueRuleNumbers),
    GivenChoice: makePrescribedCandidateColumn(policy, jobColumns.submit.length),
    Key: needsKeysBeforeRun(order) ? computeOrderKeys(order, jobColumns, configuration) : undefined,
    BackfillKey: needsKeysBeforeRun(backfillOrder)
      ? computeOrderKeys(backfillOrder, jobColumns, configuration)
      : undefined,
  };
}

/** Columns with the instructions of orders and their inputs. */
function makeOrderColumns(
  { code, inputs, inputCount, states }: OrderProgram,
  { count: jobCount, log }: KeyedColumns,
): Omit<RunSettings['sites'], 'Capacity' | 'Speed'> {
  const assignAccountsByField = (ownerField: 'user' | 'group') =>
    log === undefined ? new Int32Array(jobCount) : assignAccountNumbers(log[ownerField]).accounts;
  const doesOrderReadUsers = USER_DEPENDENT_ORDER_COLUMNS.some((columnName) => states.has(columnName));
  return {
    Program: code.length > 0 ? code : undefined,
    ProgramInput: inputCount > 0 ? inputs : undefined,
    UserAccount: doesOrderReadUsers ? assignAccountsByField('user') : undefined,
    GroupAccount: states.has('groupUsage') ? assignAccountsByField('group') : undefined,
  };
}

/** Column with the candidate in force after each trial, if the policy prescribes the choices. */
function makePrescribedCandidateColumn(
  { choices: policyChoices, ...policy }: Policy,
  jobCount: number,
): Int32Array | undefined {
  if (policyChoices === undefined) return undefined;
  const jobsPerTrial = Number(findPolicyParameterValue(policy, 'every'));
  const column = new Int32Array(Math.floor(jobCount / jobsPerTrial) + 1);
  for (const [job, candidate] of policyChoices)
    column.fill(candidate, Math.ceil((job + 1) / jobsPerTrial) - 1);
  return column;
}

/** Maximum number of parameters of a policy. */
const MAX_POLICY_PARAMETERS = 4;

/** Numbers of a policy in the core: its index and four parameters. */
function listCorePolicyNumbers(policy: Policy): number[] {
  const parameterNumbers = makeCorePolicyParameters(policy);
  return [
    policy.declaration.index,
    ...Array.from({ length: MAX_POLICY_PARAMETERS }, (_, i) => parameterNumbers[i] ?? 0),
  ];
}

// The jobs of a workload in the memory of a core, where any number of simulations may read them

/** A job table in memory, with space for a simulation; several threads may share the table. */
export interface JobTable {
  /** Core instance whose memory contains the table. */
  readonly core: Core;
  /** Address of the table. */
  readonly jobs: number;
  /** Address of the space for the simulation, a multiple of 16 (see `layOutSimulationBlock`). */
  readonly simulation: number;
  /** Size of the space for the simulation in bytes. */
  readonly room: number;
}

type WorkloadColumns = Pick<
  Workload,
  | 'submit'
  | 'runtime'
  | 'estimate'
  | 'processors'
  | 'home'
  | 'data'
  | 'recent'
  | 'dependencies'
  | 'patience'
  | 'log'
>;

/** Converts jobs to columns of the core. */
export function makeCoreJobInput(workloadColumns: WorkloadColumns): JobInput {
  const { submit, dependencies, log } = workloadColumns;
  return {
    Submit: submit,
    Runtime: workloadColumns.runtime,
    Estimate: workloadColumns.estimate,
    Processors: workloadColumns.processors,
    Home: workloadColumns.home,
    Data: workloadColumns.data,
    User: workloadColumns.recent?.users,
    Preceding: dependencies?.preceding,
    ThinkTime: dependencies?.thinkTime,
    FirstPiece: dependencies?.firstPiece,
    Patience: workloadColumns.patience,
    // A workload of some jobs of a log may keep the columns of all.
    Sites: log?.partition?.length === submit.length ? getPartitionsOfLog(log)?.pairNumbers : undefined,
  };
}

/** Size in bytes of a table with these jobs. */
export function computeJobTableBytes(core: Core, workloadColumns: WorkloadColumns): number {
  return layOutJobTable(core, 0, makeCoreJobInput(workloadColumns));
}

/** Maximum size in bytes of a table with this number of jobs. */
export function computeMaxJobTableBytes(core: Core, jobCount: number): number {
  const sumOfExtraFlags = Object.values(core.Extra).reduce((sum, extra) => sum + extra, 0);
  return core.arrangeJobs(0, jobCount, sumOfExtraFlags);
}

/**
 * Writes the jobs of a workload to the memory of a core.
 * @param memoryBlocks memory for the table (its first block) and simulations.
 * @throws InputError for jobs that cannot be simulated.
 */
export function putJobsIntoCore(
  core: Core,
  workload: Workload,
  memoryBlocks: Blocks = Blocks.of(core),
): CoreJobs {
  if (workload.count === 0) throw new InputError(`${workload.name}: there is no job to simulate`);
  try {
    return makeCoreJobs(core, makeCoreJobInput(workload), memoryBlocks);
  } catch (error) {
    throw translateCoreError(core, workload, error);
  }
}

/** Columns of jobs in submit order, as stored in the core. */
export type JobColumns = Pick<Workload, 'count' | 'submit' | 'runtime' | 'estimate' | 'processors' | 'home'>;

/** Columns of a job table: views that are valid until the memory grows. */
export function readJobTable(core: Core, table: number, jobCount: number): JobColumns {
  return {
    count: jobCount,
    submit: jobTableColumnView(core, table, jobCount, 'Submit'),
    runtime: jobTableColumnView(core, table, jobCount, 'Runtime'),
    estimate: jobTableColumnView(core, table, jobCount, 'Estimate'),
    processors: jobTableColumnView(core, table, jobCount, 'Processors'),
    home: jobTableColumnView(core, table, jobCount, 'Home'),
  };
}

/**
 * Writes the jobs of a workload to the beginning of a core's memory, replacing its contents; the rest is
 * available for a simulation.
 * @throws InputError for jobs that cannot be simulated.
 */
export function putJobTableAtMemoryStart(core: Core, workload: Workload): JobTable {
  const { table } = putJobsIntoCore(core, workload, new Blocks(core, core.firstAddress()));
  const simulation = alignAddress(table + computeJobTableBytes(core, workload));
  return { core, jobs: table, simulation, room: MAX_MEMORY_BYTES - simulation };
}

/** Jobs of a workload in memory: in a shared table, or in their own core instance. */
export function openCoreJobs(workload: Workload, tableOrBuild: CoreBuild | JobTable): CoreJobs {
  if (typeof tableOrBuild === 'string') return putJobsIntoCore(openCore(tableOrBuild), workload);
  const { core, jobs: table, simulation, room: simulationBytes } = tableOrBuild;
  const memoryBlocks = new Blocks(core, simulation, simulation + simulationBytes);
  return { core, count: workload.count, table, blocks: memoryBlocks, dispose: () => {} };
}

// Error messages for refusals by the core

/** State of a simulation that error messages need. */
export interface ErrorMessageState {
  readonly readScalar: (scalarName: keyof Core['Scalar']) => number;
  /** Seconds between scheduling passes. */
  readonly interval: number;
  /** Number of processors of the grid. */
  readonly processors?: number | undefined;
  /** True if some outage never ends, so that jobs may wait for its processors for ever. */
  readonly hasOutages?: boolean;
}

/**
 * Translates an error of the core: a refusal becomes an InputError with an explanation, or a FunctionError if
 * a user-written policy leaves a job waiting for ever; other errors are unchanged.
 * @param runState state of the simulation, if there is one.
 */
export function translateCoreError(
  core: Core,
  workload: Workload | undefined,
  error: unknown,
  runState: ErrorMessageState = { readScalar: () => Number.NaN, interval: 0 },
): unknown {
  return error instanceof CoreCallRefusal ? explainCoreRefusal(core, workload, error, runState) : error;
}

function explainCoreRefusal(
  { Status, Option, Limit }: Core,
  workload: Workload | undefined,
  { status, culprit }: CoreCallRefusal,
  { readScalar, interval, processors, hasOutages }: ErrorMessageState,
): InputError | FunctionError {
  const index = culprit.Job;
  const jobPhrase = `${workload?.name}, job ${nameOfLogNumber(workload?.names, 'job', workload?.job[index] ?? Number.NaN)}`;
  const sitePhrase = `site ${culprit.Site + 1}`;
  const jobCountText = formatCount(workload?.count ?? 0, 'job');
  const memoryDemandPhrases =
    processors === undefined
      ? [jobCountText, 'jobs']
      : [`${jobCountText} on ${formatNumber(processors)} processors`, 'jobs or processors'];
  const option = Object.entries(Option).find(([, number]) => number === culprit.Option)?.[0];
  if (status === Status.QueueStuck) {
    return new FunctionError(
      `${jobPhrase} at time ${readScalar('Now')}: the policy lets it wait while no job runs and none is left to be submitted`,
    );
  }
  if (status === Status.IntervalTooShort) {
    const firstSubmit = workload?.submit[0] ?? 0;
    if (culprit.Option === Option.UsageStep) {
      return new InputError(makeUsageStepTooShortMessage(readScalar('Span'), Limit.BackfillPasses));
    }
    const maxPassCount = culprit.Option === Option.BackfillInterval ? Limit.BackfillPasses : Limit.Passes;
    return new InputError(
      makePassIntervalTooShortMessage(interval, readScalar('Span'), firstSubmit, maxPassCount),
    );
  }
  const messagesByStatus: { [status: number]: string } = {
    [Status.JobsUnsorted]: `${jobPhrase}: submitted before the job above it; sort the jobs by submit time`,
    [Status.JobSubmitInvalid]: `${jobPhrase}: the submit time must be a number of seconds from 0 up to 1e300`,
    [Status.JobRuntimeInvalid]: `${describeJobWithExtremeRuntime(workload)} its execution would take more than 1e15 seconds, or less than 1e-250 and not 0; correct or filter its record, or give another load or other speeds`,
    [Status.JobEstimateInvalid]: `${jobPhrase}: the estimated runtime must be a number of seconds from 0 on`,
    [Status.JobProcessorsInvalid]: `${jobPhrase}: needs at least one processor`,
    [Status.JobHomeInvalid]: `${workload?.name}: a job's home is not a site of the grid; give more sites or another home rule`,
    [Status.JobTooWide]: makeJobTooWideMessage(jobPhrase, workload?.processors[index] ?? 0, hasOutages),
    [Status.SiteCapacityInvalid]: `${sitePhrase}: the capacity must be a whole number above 0`,
    [Status.SiteSpeedInvalid]: `${sitePhrase}: the speed must be a number above 0 and at most 1e100`,
    [Status.SiteLoadInvalid]: `${sitePhrase}: the load must be a number above 0`,
    [Status.PolicyUnknown]: 'the core does not know this policy',
    [Status.ParameterInvalid]: 'a parameter of the policy is not a finite number',
    [Status.OptionInvalid]: `the core does not take the value of option ${option}`,
    [Status.JobDataInvalid]: `${jobPhrase}: the data size must be a number of bytes from 0 on`,
    [Status.JobDependencyInvalid]: `${jobPhrase}: the preceding job must be an earlier one, and the think time a number of seconds from 0 on`,
    [Status.TransferInvalid]: `${sitePhrase}: bandwidths must be above 0 and latencies not below 0`,
    [Status.JobKeyInvalid]: `${jobPhrase}: the key by which the queue is ordered is not a finite number; choose another order, or lower the load`,
    [Status.TimeFactorInvalid]: `${sitePhrase}: the time factor must be a number above 0 and at most 1e100`,
    [Status.SimulationsDiffer]: 'the simulations differ in more than their policies',
    [Status.MemoryMissing]: `${workload?.name}: ${memoryDemandPhrases[0]} do not fit into the core's 4 GiB; take fewer ${memoryDemandPhrases[1]}`,
    [Status.StateDamaged]:
      'the snapshot is damaged: its bytes are not those that were saved; take another, or run again from the beginning',
    [Status.BuildDiffers]:
      'the snapshot comes from another build of gridalloc; restore it in that one, or run again from the beginning',
    [Status.NoSimulation]: 'the simulation has not begun; begin it first',
    [Status.OptionsConflict]: `the core does not take option ${option} beside the others`,
  };
  return new InputError(messagesByStatus[status] ?? `the core refused with status ${status}`);
}

/**
 * Runtime in seconds above which the message about invalid runtimes names the longest job rather than the
 * shortest.
 */
const LONG_RUNTIME_SECONDS = 1e6;

/**
 * Describes a job with an execution out of range: the longest runtime or requested time, or the shortest
 * runtime.
 */
function describeJobWithExtremeRuntime(workload: Workload | undefined): string {
  const emptyColumn = new Float64Array(0);
  const { runtime = emptyColumn, estimate = emptyColumn } = workload ?? {};
  const longestRuntime = findMaxOfValues(runtime);
  const longestEstimate = findMaxOfValues(estimate);
  const shortestRuntime = runtime.reduce(
    (least, each) => (each > 0 ? Math.min(least, each) : least),
    Infinity,
  );
  const isRequestedTimeExtreme = longestEstimate > Math.max(LONG_RUNTIME_SECONDS, longestRuntime);
  const extremeSeconds = isRequestedTimeExtreme
    ? longestEstimate
    : longestRuntime > LONG_RUNTIME_SECONDS
      ? longestRuntime
      : shortestRuntime;
  const job =
    workload?.job[(isRequestedTimeExtreme ? estimate : runtime).indexOf(extremeSeconds)] ?? Number.NaN;
  const quantity = isRequestedTimeExtreme ? 'requested time' : 'runtime';
  return `${workload?.name}, job ${nameOfLogNumber(workload?.names, 'job', job)}: with a ${quantity} of ${extremeSeconds} s`;
}

function findMaxOfValues(values: Float64Array): number {
  return values.reduce((most, each) => Math.max(most, each), 0);
}

/**
 * Message for an interval that causes too many passes.
 * @param span expected length of the run in seconds.
 * @param firstSubmit first submission in seconds.
 * @param maxPassCount maximum number of passes.
 */
function makePassIntervalTooShortMessage(
  interval: number,
  span: number,
  firstSubmit: number,
  maxPassCount: number,
): string {
  const passCount = span / interval;
  // Five percent more, so that the interval still suffices after rounding to two digits.
  const leastInterval = 1.05 * Math.max(span / maxPassCount, (firstSubmit + span) * Number.EPSILON);
  return (
    `an interval of ${interval} s between allocation passes means about ${passCount.toPrecision(2)} passes over the ` +
    `${formatDuration(Math.ceil(span))} of these jobs, expected at most ${formatNumber(maxPassCount)}; ` +
    `give at least ${Number(leastInterval.toPrecision(2))} s`
  );
}

/** Message for a job that fits on none of its sites. */
function makeJobTooWideMessage(jobPhrase: string, processors: number, hasOutages = false): string {
  const messageWithoutAdvice = `${jobPhrase}: needs ${formatCount(processors, 'processor')}, more than any site that it may use has`;
  return hasOutages
    ? `${messageWithoutAdvice} beside the outages that do not end; split such jobs with --max-width, give a larger site, or give these outages an end`
    : `${messageWithoutAdvice}; drop or split such jobs, or give a larger site`;
}

/** Largest n for which 2 to the power of -n is above 0 as a double; usage vanishes after more half-lives. */
const MAX_HALF_LIVES_PER_USAGE_STEP = 1074;

/** Message for a half-life after which, within a usage step, nothing is left of the usage. */
function makeHalfLifeTooShortMessage(halfLife: number, usageStep: number): string {
  const shortestHalfLife = Number(((1.05 * usageStep) / MAX_HALF_LIVES_PER_USAGE_STEP).toPrecision(2));
  const longestUsageStep = Number((0.95 * halfLife * MAX_HALF_LIVES_PER_USAGE_STEP).toPrecision(2));
  return (
    `half-life: ${halfLife} s is too short for a usage step of ${usageStep} s, after which nothing would be ` +
    `left of past use; give a half-life of at least ${shortestHalfLife} s, or a usage step of at most ${longestUsageStep} s`
  );
}

/** Message for a usage step that is too short. */
function makeUsageStepTooShortMessage(span: number, maxStepCount: number): string {
  const shortestUsageStep = Number(((1.05 * span) / maxStepCount).toPrecision(2));
  return (
    `usage step: there would be more than ${formatNumber(maxStepCount)} steps over these jobs, or steps that do not ` +
    `change the time; give at least ${shortestUsageStep} s`
  );
}
