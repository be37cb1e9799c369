/**
 * A simulation and the jobs of a workload in the memory of the core: what they are in the core's words, how much
 * memory they take, and what the core refuses of them.
 */

import { CoreCallRefusal } from '../core/instance.js';
import {
  alignAddress,
  Blocks,
  type CoreJobs,
  type JobInput,
  jobColumn,
  layOutJobTable,
  MAX_MEMORY_BYTES,
  makeCoreJobs,
} from '../core/memory.js';
import { type Core, type CoreBuild, type CoreOption, openCore } from '../core/module.js';
import { candidatePolicies, type Policy, parameterOf, policyParameterNumbers } from '../core/policies.js';
import { arrangeBlock, type RunSettings } from '../core/runSettings.js';
import { FunctionError, InputError } from '../errors.js';
import { countText, formatDuration, formatNumber } from '../format/numbers.js';
import { matrixOfPairs, timeFactorsOf } from '../grid/grid.js';
import { type Configuration, setCoreOptions } from '../options/configuration.js';
import { needsComputedKeys, type Order } from '../options/order.js';
import { candidateRules, coreRuleNumbers } from '../options/rules.js';
import { effectiveOrder } from '../options/runOptions.js';
import { nameOf } from '../trace/trace.js';
import type { RecentEstimates, Workload } from '../workload/workload.js';
import { limitAccountCount, limitColumns } from './limitAccounts.js';
import {
  accountsOf,
  areKeysFoundAtSubmit,
  type KeyedColumns,
  type OrderProgram,
  orderKeys,
  orderProgram,
  usageLead,
} from './orderKeys.js';
import { outageColumns, outageCount, simulatedOutages } from './outageColumns.js';
import { partitionsOf, siteSetColumns, siteSetCount } from './partitionSets.js';

const MAX_PROCESSOR_COUNT = 0x7fffffff;

/**
 * Search of allocators for a site: one by one, or with an index of free processors. The results are the same.
 */
export type SiteSearch = 'scan' | 'index';

/** Sizes of a simulation that its layout depends on. */
interface RunSizes {
  readonly count: number;
  /** Users and groups of the jobs; absent: there may be as many as jobs. */
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
 * What a run of a configuration is in the core's words.
 * @param search how sites are searched, where the core is not to choose by their number.
 * @param policies how many policies it is to run together.
 * @throws InputError for more processors than a grid may have.
 */
export function runSettingsOf(
  { count, log, home, recent, unestimated, dependencies, patience, partitions, unixStartTime }: RunSizes,
  configuration: Configuration,
  search?: SiteSearch,
  policies = 0,
): RunSettings {
  const { capacities, speeds } = configuration.grid;
  const processors = capacities.reduce((sum, capacity) => sum + capacity, 0);
  if (processors > MAX_PROCESSOR_COUNT) {
    throw new InputError(`sites: ${processors} processors are more than a grid may have`);
  }
  const options: { [Name in CoreOption]?: number } = {};
  setCoreOptions(configuration, (name, value) => {
    options[name] = value;
  });
  options.RecentJobs = recent?.n ?? 0;
  options.RefreshEstimates = Number(recent?.refresh ?? false);
  const ordersOfRun = [effectiveOrder(configuration), configuration.backfillOrder];
  options.KeysAtSubmit = Number(areKeysFoundAtSubmit(ordersOfRun, { recent }));
  setAccounts(options, configuration, orderProgram(ordersOfRun), { count, log });
  options.Limits = limitAccountCount(configuration, { count, log, ...(home && { home }) });
  const { planBy, endWindow, backfillResolution } = configuration;
  options.ClockOrigin =
    planBy === 'node' || endWindow > 0 || backfillResolution > 0 ? (unixStartTime ?? 0) : 0;
  options.NoEstimates = Number(unestimated ?? false);
  options.Outages = outageCount(configuration, { unixStartTime });
  options.SiteSets = siteSetCount(configuration, { log, partitions });
  options.Dependencies = dependencies === undefined ? 0 : 1;
  options.Cancellations = patience === undefined ? 0 : 1;
  options.CandidateRules = lastDiscipline(configuration);
  const index = search && { Index: search === 'index' ? 1 : 0 };
  options.SharedPolicies = policies;
  return { sites: { Capacity: capacities, Speed: speeds }, options, room: { ...index } };
}

/** Sets what the core computes in each pass for orders, and whose use of processors it keeps. */
function setAccounts(
  options: { [Name in CoreOption]?: number },
  { usageStep, usageOffset, halfLife }: Configuration,
  { code, inputCount, states }: OrderProgram,
  { count, log }: Pick<RunSizes, 'count' | 'log'>,
): void {
  options.ProgramLength = code.length / 2;
  options.ProgramInputs = inputCount;
  if (states.has('usage') || states.has('groupUsage')) {
    options.UsageStep = usageStep;
    options.HalfLife = halfLife;
    options.UsageLead = usageLead({ usageStep, usageOffset });
  } else {
    options.UsageCount = 0;
  }
  const countOfAll = (name: 'user' | 'group') => (log === undefined ? count : accountsOf(log[name]).count);
  if (USER_STATES.some((name) => states.has(name))) options.Users = countOfAll('user');
  if (states.has('groupUsage')) options.Groups = countOfAll('group');
}

/** Columns of orders that depend on the jobs of users. */
const USER_STATES = ['usage', 'running', 'share'];

/** 1 + the last of the disciplines of candidates with rules of their own, in the core's words; 0 where they have none. */
function lastDiscipline(configuration: Configuration): number {
  const rules = candidateRules(configuration);
  return rules === undefined ? 0 : 1 + Math.max(...rules.map((each) => coreRuleNumbers(each)[1]));
}

/**
 * Bytes of a simulation, which is laid out at an address where the memory for its head (`Limit.HeadBytes`) must be there.
 * @throws InputError when the core refuses an option.
 */
export function simulationBytes(
  core: Core,
  block: number,
  sized: RunSizes,
  configuration: Configuration,
  policies: number,
): number {
  const settings = runSettingsOf(sized, configuration, undefined, policies);
  try {
    return arrangeBlock(core, block, sized.count, settings);
  } catch (error) {
    throw describeCoreError(core, undefined, error);
  }
}

/** Bytes that the histories of policies that are run together may take, beyond which it is not worth it. */
const MAX_HISTORY_BYTES = 2 ** 25;
/** Histories at most, and bytes of each for every job that runs. */
const MAX_HISTORIES = 64;
const BYTES_PER_RUNNING_JOB = 16;

/**
 * How many of some policies a simulation may be laid out to run together: all, or none where the core would not, or
 * where too many jobs may run at once.
 */
export function policiesPerHistory({ grid, discipline, queue }: Configuration, policies: number): number {
  if (policies < 2 || discipline !== 'fcfs' || queue !== 'shared') return 0;
  const running = grid.capacities.reduce((sum, capacity) => sum + capacity, 0);
  const bytes = Math.min(policies, MAX_HISTORIES) * running * BYTES_PER_RUNNING_JOB;
  return bytes <= MAX_HISTORY_BYTES ? policies : 0;
}

// Columns that a host writes into a simulation before it begins: sites, pairs of sites, keys of the order, policies to be
// run together.

/**
 * The columns.
 * @throws InputError, FunctionError as `orderKeys`.
 */
export function coreInputColumns(
  configuration: Configuration,
  policies: readonly Policy[],
  jobs: KeyedColumns,
): RunSettings['sites'] {
  const { grid, load, bandwidth, latency, policy, backfillOrder } = configuration;
  const candidates = candidatePolicies(policy);
  const tried = candidates.length > 0 ? candidates : policies;
  const sites = grid.capacities.length;
  const order = effectiveOrder(configuration);
  const areKeysFoundLater = areKeysFoundAtSubmit([order, backfillOrder], jobs);
  const needsKeysBeforeRun = (each: Order) => needsComputedKeys(each) && !areKeysFoundLater;
  const hasTransfers = bandwidth !== 0;
  const program = orderProgram([order, backfillOrder], jobs, configuration);
  return {
    ...accountColumns(program, jobs),
    ...limitColumns(configuration, jobs),
    ...outageColumns(simulatedOutages(configuration, jobs)),
    ...siteSetColumns(configuration, jobs),
    Capacity: grid.capacities,
    Speed: grid.speeds,
    Load: load,
    TimeFactor: timeFactorsOf(grid),
    Bandwidth: hasTransfers ? matrixOfPairs(bandwidth, sites).flat() : undefined,
    Latency: hasTransfers ? matrixOfPairs(latency, sites).flat() : undefined,
    Policies: tried.length > 0 ? tried.flatMap(corePolicyEntries) : undefined,
    CandidateRules: candidateRules(configuration)?.flatMap(coreRuleNumbers),
    GivenChoice: fixedSiteChoices(policy, jobs.submit.length),
    Key: needsKeysBeforeRun(order) ? orderKeys(order, jobs, configuration) : undefined,
    BackfillKey: needsKeysBeforeRun(backfillOrder)
      ? orderKeys(backfillOrder, jobs, configuration)
      : undefined,
  };
}

/** Instructions of orders and what they need. */
function accountColumns(
  { code, inputs, inputCount, states }: OrderProgram,
  { count, log }: KeyedColumns,
): Omit<RunSettings['sites'], 'Capacity' | 'Speed'> {
  const accounts = (name: 'user' | 'group') =>
    log === undefined ? new Int32Array(count) : accountsOf(log[name]).accounts;
  const usersCount = USER_STATES.some((name) => states.has(name));
  return {
    Program: code.length > 0 ? code : undefined,
    ProgramInput: inputCount > 0 ? inputs : undefined,
    UserAccount: usersCount ? accounts('user') : undefined,
    GroupAccount: states.has('groupUsage') ? accounts('group') : undefined,
  };
}

/** Candidate in force after each submission with a trial, if this is given. */
function fixedSiteChoices({ choices, ...policy }: Policy, jobs: number): Int32Array | undefined {
  if (choices === undefined) return undefined;
  const decisionInterval = Number(parameterOf(policy, 'every'));
  const column = new Int32Array(Math.floor(jobs / decisionInterval) + 1);
  for (const [job, candidate] of choices) column.fill(candidate, Math.ceil((job + 1) / decisionInterval) - 1);
  return column;
}

/** Parameters that a policy may have at most. */
const MAX_POLICY_PARAMETERS = 4;

/** A policy as the core takes those that are run together: its number, and four parameters. */
function corePolicyEntries(policy: Policy): number[] {
  const numbers = policyParameterNumbers(policy);
  return [
    policy.declaration.index,
    ...Array.from({ length: MAX_POLICY_PARAMETERS }, (_, i) => numbers[i] ?? 0),
  ];
}

// The jobs of a workload in the memory of a core, where any number of simulations may read them

/** A job table that is in memory already, and room for a simulation of it: several threads may share the table. */
export interface JobTable {
  /** The instance whose memory it is in. */
  readonly core: Core;
  /** Address of the table. */
  readonly jobs: number;
  /** Address of the room, a multiple of 16, and its size in bytes (see `arrangeBlock`). */
  readonly simulation: number;
  /** Bytes for the simulation. */
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

/** The jobs as the core has them. */
function coreJobInput(workload: WorkloadColumns): JobInput {
  const { submit, runtime, estimate, processors, home, data, recent, dependencies, patience, log } = workload;
  return {
    ...{ Submit: submit, Runtime: runtime, Estimate: estimate, Processors: processors, Home: home },
    Data: data,
    User: recent?.users,
    Preceding: dependencies?.preceding,
    ThinkTime: dependencies?.thinkTime,
    FirstPiece: dependencies?.firstPiece,
    Patience: patience,
    // A workload of some jobs of a log may keep the columns of all.
    Sites: log?.partition?.length === submit.length ? partitionsOf(log)?.sets : undefined,
  };
}

/** Bytes of a table of these jobs. */
export function jobTableBytes(core: Core, workload: WorkloadColumns): number {
  return layOutJobTable(core, 0, coreJobInput(workload));
}

/** Largest size in bytes of a table of this number of jobs. */
export function maxTableBytes(core: Core, count: number): number {
  const all = Object.values(core.Extra).reduce((sum, extra) => sum + extra, 0);
  return core.arrangeJobs(0, count, all);
}

/**
 * Puts the jobs of a workload into the memory of a core.
 * @param blocks where they are put: the first of them is the table.
 * @throws InputError for jobs that cannot be simulated.
 */
export function coreJobsIn(core: Core, workload: Workload, blocks: Blocks = Blocks.of(core)): CoreJobs {
  if (workload.count === 0) throw new InputError(`${workload.name}: there is no job to simulate`);
  try {
    return makeCoreJobs(core, coreJobInput(workload), blocks);
  } catch (error) {
    throw describeCoreError(core, workload, error);
  }
}

/** Jobs in submit order, as a core has them. */
export type JobColumns = Pick<Workload, 'count' | 'submit' | 'runtime' | 'estimate' | 'processors' | 'home'>;

/** The jobs of a table: views that last until the memory grows. */
export function readJobTable(core: Core, table: number, count: number): JobColumns {
  return {
    count,
    submit: jobColumn(core, table, count, 'Submit'),
    runtime: jobColumn(core, table, count, 'Runtime'),
    estimate: jobColumn(core, table, count, 'Estimate'),
    processors: jobColumn(core, table, count, 'Processors'),
    home: jobColumn(core, table, count, 'Home'),
  };
}

/**
 * Puts the jobs of a workload at the beginning of the memory of a core, in place of all that was there, and leaves the
 * rest to a simulation.
 * @throws InputError for jobs that cannot be simulated.
 */
export function placeJobTable(core: Core, workload: Workload): JobTable {
  const { table } = coreJobsIn(core, workload, new Blocks(core, core.firstAddress()));
  const simulation = alignAddress(table + jobTableBytes(core, workload));
  return { core, jobs: table, simulation, room: MAX_MEMORY_BYTES - simulation };
}

/** Jobs of a workload in memory: in a shared table, or in an instance of their own. */
export function coreJobsAt(workload: Workload, place: CoreBuild | JobTable): CoreJobs {
  if (typeof place === 'string') return coreJobsIn(openCore(place), workload);
  const { core, jobs: table, simulation, room } = place;
  const blocks = new Blocks(core, simulation, simulation + room);
  return { core, count: workload.count, table, blocks, dispose: () => {} };
}

// Refusals of the core in words

/** Readings of a simulation that error messages use. */
export interface RunReadings {
  readonly scalar: (name: keyof Core['Scalar']) => number;
  /** Between its allocation passes. */
  readonly interval: number;
  /** Processors of the grid. */
  readonly processors?: number | undefined;
}

/**
 * What is thrown for an error of the core: of what the core refuses an InputError with a sentence, or a FunctionError for
 * a job that the policy of the user's lets wait for ever; other errors as they are.
 * @param readings what the simulation says about itself, if there is one.
 */
export function describeCoreError(
  core: Core,
  workload: Workload | undefined,
  error: unknown,
  readings: RunReadings = { scalar: () => Number.NaN, interval: 0 },
): unknown {
  return error instanceof CoreCallRefusal ? coreRefusalSentence(core, workload, error, readings) : error;
}

function coreRefusalSentence(
  { Status, Option, Limit }: Core,
  workload: Workload | undefined,
  { status, culprit }: CoreCallRefusal,
  { scalar, interval, processors }: RunReadings,
): InputError | FunctionError {
  const index = culprit.Job;
  const job = `${workload?.name}, job ${nameOf(workload?.names, 'job', workload?.job[index] ?? Number.NaN)}`;
  const site = `site ${culprit.Site + 1}`;
  const jobs = countText(workload?.count ?? 0, 'job');
  const room =
    processors === undefined
      ? [jobs, 'jobs']
      : [`${jobs} on ${formatNumber(processors)} processors`, 'jobs or processors'];
  const option = Object.entries(Option).find(([, number]) => number === culprit.Option)?.[0];
  if (status === Status.QueueStuck) {
    return new FunctionError(
      `${job} at time ${scalar('Now')}: the policy lets it wait while no job runs and none is left to be submitted`,
    );
  }
  if (status === Status.IntervalTooShort) {
    const first = workload?.submit[0] ?? 0;
    if (culprit.Option === Option.UsageStep) {
      return new InputError(stepSentence(scalar('Span'), Limit.BackfillPasses));
    }
    const most = culprit.Option === Option.BackfillInterval ? Limit.BackfillPasses : Limit.Passes;
    return new InputError(intervalTooShortSentence(interval, scalar('Span'), first, most));
  }
  const messageSentences: { [status: number]: string } = {
    [Status.JobsUnsorted]: `${job}: submitted before the job above it; sort the jobs by submit time`,
    [Status.JobSubmitInvalid]: `${job}: the submit time must be a number of seconds from 0 up to 1e300`,
    [Status.JobRuntimeInvalid]: `${unusualRuntimeRemark(workload)} its execution would take more than 1e15 seconds, or less than 1e-250 and not 0; correct or filter its record, or give another load or other speeds`,
    [Status.JobEstimateInvalid]: `${job}: the estimated runtime must be a number of seconds from 0 on`,
    [Status.JobProcessorsInvalid]: `${job}: needs at least one processor`,
    [Status.JobHomeInvalid]: `${workload?.name}: a job's home is not a site of the grid; give more sites or another home rule`,
    [Status.JobTooWide]: `${job}: needs ${workload?.processors[index]} processors, more than any site that it may use has; drop or split such jobs, or give a larger site`,
    [Status.SiteCapacityInvalid]: `${site}: the capacity must be a whole number above 0`,
    [Status.SiteSpeedInvalid]: `${site}: the speed must be a number above 0 and at most 1e100`,
    [Status.SiteLoadInvalid]: `${site}: the load must be a number above 0`,
    [Status.PolicyUnknown]: 'the core does not know this policy',
    [Status.ParameterInvalid]: 'a parameter of the policy is not a finite number',
    [Status.OptionInvalid]: `the core does not take the value of option ${option}`,
    [Status.JobDataInvalid]: `${job}: the data size must be a number of bytes from 0 on`,
    [Status.JobDependencyInvalid]: `${job}: the preceding job must be an earlier one, and the think time a number of seconds from 0 on`,
    [Status.TransferInvalid]: `${site}: bandwidths must be above 0 and latencies not below 0`,
    [Status.JobKeyInvalid]: `${job}: the key by which the queue is ordered is not a finite number; choose another order, or lower the load`,
    [Status.TimeFactorInvalid]: `${site}: the time factor must be a number above 0 and at most 1e100`,
    [Status.SimulationsDiffer]: 'the simulations differ in more than their policies',
    [Status.MemoryMissing]: `${workload?.name}: ${room[0]} do not fit into the core's 4 GiB; take fewer ${room[1]}`,
    [Status.StateDamaged]:
      'the snapshot is damaged: its bytes are not those that were saved; take another, or run again from the beginning',
    [Status.BuildDiffers]:
      'the snapshot comes from another build of gridalloc; restore it in that one, or run again from the beginning',
    [Status.NoSimulation]: 'the simulation has not begun; begin it first',
    [Status.OptionsConflict]: `the core does not take option ${option} beside the others`,
  };
  return new InputError(messageSentences[status] ?? `the core refused with status ${status}`);
}

/** Above this a runtime is the longest rather than the shortest that anything is wrong with. */
const LONG_RUNTIME_SECONDS = 1e6;

/** Job whose execution is out of range, found as the one with the longest runtime or request, or the shortest runtime. */
function unusualRuntimeRemark(workload: Workload | undefined): string {
  const none = new Float64Array(0);
  const { runtime = none, estimate = none } = workload ?? {};
  const longest = largestValue(runtime);
  const requested = largestValue(estimate);
  const shortestRuntime = runtime.reduce(
    (least, each) => (each > 0 ? Math.min(least, each) : least),
    Infinity,
  );
  const isRequestedTime = requested > Math.max(LONG_RUNTIME_SECONDS, longest);
  const found = isRequestedTime ? requested : longest > LONG_RUNTIME_SECONDS ? longest : shortestRuntime;
  const job = workload?.job[(isRequestedTime ? estimate : runtime).indexOf(found)] ?? Number.NaN;
  const what = isRequestedTime ? 'requested time' : 'runtime';
  return `${workload?.name}, job ${nameOf(workload?.names, 'job', job)}: with a ${what} of ${found} s`;
}

function largestValue(values: Float64Array): number {
  return values.reduce((most, each) => Math.max(most, each), 0);
}

/**
 * The sentence.
 * @param span how long the run is expected to take, in seconds of the log.
 * @param first the first submit.
 * @param most passes that an interval may mean.
 */
function intervalTooShortSentence(interval: number, span: number, first: number, most: number): string {
  const passes = span / interval;
  // A little more, so that it holds when it is given in two digits.
  const least = 1.05 * Math.max(span / most, (first + span) * Number.EPSILON);
  return (
    `an interval of ${interval} s between allocation passes means about ${passes.toPrecision(2)} passes over the ` +
    `${formatDuration(Math.ceil(span))} of these jobs, expected at most ${formatNumber(most)}; ` +
    `give at least ${Number(least.toPrecision(2))} s`
  );
}

/** The sentence for steps of usage that are too short. */
function stepSentence(span: number, most: number): string {
  const least = Number(((1.05 * span) / most).toPrecision(2));
  return (
    `usage step: there would be more than ${formatNumber(most)} steps over these jobs, or steps that do not ` +
    `change the time; give at least ${least} s`
  );
}
