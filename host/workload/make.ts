/** Creates the jobs of a simulation from a log: home sites, limits, submissions and dependencies. */

import { checkArgument, checkOptionNames, registerLibraryOptions } from '../arguments.js';
import { InputError } from '../errors.js';
import { formatCount, formatNumber } from '../format/numbers.js';
import { makePrintableSourceName } from '../format/text.js';
import { minAndMax } from '../lists.js';
import { isWorthCompilingLoops, type LoopWorkspace, withLoopWorkspace } from '../loops/workspace.js';
import { makeUnknownNameError } from '../notation.js';
import {
  countFromZero,
  findPrecedingRecords,
  isJobNumber,
  processorsOfLogRecord,
  selectRecordsAtPositions,
  sortBySubmit,
} from '../trace/columns.js';
import { applyFiltersToRecords, countAllRecordsOfLog, type Filter } from '../trace/filter.js';
import { NO_LIMIT_HEADER_KEY, nameOfLogNumber, type Trace } from '../trace/trace.js';
import { CANCELLED_RULES, type CancelledRule, runtimesWithCancellations } from './cancellations.js';
import { type Perturbation, perturbDependentJobs, perturbRecords } from './perturb.js';
import {
  countSplitRecords,
  cutWideJobs,
  dropRecordPieces,
  type JobPieces,
  makeOversizeJobsError,
  maxJobWidthByHome,
  type WidthRules,
  widestSiteByHome,
} from './pieces.js';
import { computeRecordEnds, endColumnsOfJobs } from './recordEnds.js';
import { checkAnyJobRemains } from './remainingJobs.js';
import { findSessionsOfLog, parseSessionsNotation } from './sessions.js';
import {
  type Accounting,
  areDefaultClassLimits,
  DEFAULT_CLASS_LIMITS,
  type Dependencies,
  type DependencyCounts,
  type Workload,
} from './workload.js';

/** Choices for a job wider than every site that it may use. */
export const OVERSIZE_RULES = ['error', 'drop', 'split'] as const;
/** Treatment of jobs that are too wide for every site: a word of `OVERSIZE_RULES`. */
export type OversizeRule = (typeof OVERSIZE_RULES)[number];

/** Options for creating a workload from a log. */
export interface WorkloadOptions extends Partial<WidthRules> {
  /** Name of the workload; default: the source of the log. */
  readonly name?: string | undefined;
  /** Filters in order of application; the rules `runtime` and `processors` are appended unless given. */
  readonly filters?: readonly Filter[] | undefined;
  /** Perturbation of the selected records; default: none. */
  readonly perturb?: Perturbation | undefined;
  /**
   * Dependencies, by which jobs are submitted after the end of others: `none` (false, default), `log` (true;
   * preceding jobs in field 17), or `sessions[pause=1200]` (on the user's job that had ended last, at most
   * 1200 s before).
   */
  readonly dependencies?: boolean | string | undefined;
  /** Rule for killing jobs; default: none. */
  readonly kill?: KillRule | undefined;
  /** Treatment of records cancelled before they started: dropped (default), or kept and cancelled again. */
  readonly cancelled?: CancelledRule | undefined;
  /** Field that determines home sites; default: queue if the log has queues, otherwise none. */
  readonly home?: HomeRule | undefined;
  /** Number of sites of the grid, to which home sites are limited. */
  readonly siteCount: number;
  /** Splits jobs wider than floor(rc x largest site) (Shih et al. 2010, eq. 20); requires capacities. */
  readonly rc?: number | undefined;
  /** Splits jobs wider than this number of processors; excludes rc. */
  readonly maxWidth?: number | undefined;
  /** Treatment of jobs wider than every site; default `error`. Requires capacities. */
  readonly oversize?: OversizeRule | undefined;
  /** True to shift the first submission to second 0. */
  readonly rebase?: boolean | undefined;
  /** Factor that multiplies submit times. */
  readonly arrivalScale?: number | undefined;
  /** Factor that multiplies runtimes and estimates. */
  readonly runtimeScale?: number | undefined;
  /**
   * Requested time in seconds assumed for jobs without one; default: 365 days if the log says that they had
   * no limit, otherwise their runtime.
   */
  readonly noLimit?: number | undefined;
  /** Maximum runtime in seconds of a short job, for job classes; default 3600. */
  readonly shortRuntime?: number | undefined;
  /** Maximum number of processors of a narrow job, for job classes; default 8. */
  readonly narrowWidth?: number | undefined;
}

/** Default values of the options. */
export const WORKLOAD_OPTION_DEFAULTS = {
  oversize: 'error',
  cancelled: 'drop',
  arrivalScale: 1,
  runtimeScale: 1,
} as const satisfies Partial<WorkloadOptions>;

const MAKE_WORKLOAD_OPTIONS = registerLibraryOptions<WorkloadOptions>('makeWorkload', {
  ...{
    name: true,
    filters: true,
    perturb: true,
    kill: true,
    cancelled: true,
    dependencies: true,
    home: true,
    siteCount: true,
    rc: true,
    maxWidth: true,
    oversize: true,
  },
  ...{
    noLimit: true,
    rebase: true,
    arrivalScale: true,
    runtimeScale: true,
    shortRuntime: true,
    narrowWidth: true,
  },
  ...{ capacities: true, speeds: true, minSpeedRatio: true, placement: true },
});

/** Appends the rules that every simulated record must satisfy to the filters. */
function addUsableRecordFilters(filters: readonly Filter[]): Filter[] {
  const missingRules = (['runtime', 'processors'] as const).filter(
    (rule) => !filters.some((filter) => filter.rule === rule),
  );
  return [...filters, ...missingRules.map((rule) => ({ rule }))];
}

function checkScaleFactor(scaleFactor: number, errorContext: string): void {
  if (!Number.isFinite(scaleFactor) || scaleFactor <= 0) {
    throw new InputError(`${errorContext}: expected a number above 0, found ${scaleFactor}`);
  }
}

function checkMaxWidth(maxWidth: number, errorContext: string): void {
  if (!(Number.isInteger(maxWidth) && maxWidth >= 1)) {
    throw new InputError(`${errorContext}: expected a whole number of at least 1, found ${maxWidth}`);
  }
}

/** Maximum width of a piece by rc or maxWidth; Infinity if neither is given. */
function maxPieceWidth({ rc, maxWidth, capacities }: WorkloadOptions): number {
  if (rc !== undefined && maxWidth !== undefined) {
    throw new InputError('rc and max-width both limit the size of jobs; give only one of them');
  }
  if (maxWidth !== undefined) checkMaxWidth(maxWidth, 'max-width');
  if (rc === undefined) return maxWidth ?? Infinity;
  if (!(rc > 0 && rc <= 1)) throw new InputError(`rc: expected a number above 0 and at most 1, found ${rc}`);
  if (capacities === undefined) throw new InputError('rc is a share of the largest site; give the sites too');
  const width = Math.floor(rc * minAndMax(capacities)[1]);
  if (width < 1)
    throw new InputError(`rc ${rc} of the largest site is less than one processor; give a larger rc`);
  return width;
}

/** Records of a log in submit order, each as one piece. */
function makeUncutPieces(trace: Trace): JobPieces {
  const { count: recordCount, columns: swfColumns } = trace;
  const layout = {
    allocated: swfColumns.processors,
    requested: swfColumns.requestedProcessors,
    processors: ['ints', recordCount],
  } as const;
  const fillWidths = ({ arrays, loops, keep }: LoopWorkspace<typeof layout>) => {
    const invalid = loops.fillProcessorsOfRecords(
      arrays.allocated,
      arrays.requested,
      recordCount,
      arrays.processors,
    );
    if (invalid === recordCount) return keep(arrays.processors);
    throw new InputError(
      `${trace.source}: job ${nameOfLogNumber(trace.header.names, 'job', swfColumns.job[invalid]!)}: expected a whole number of processors, found ${processorsOfLogRecord(swfColumns, invalid)}`,
    );
  };
  return {
    record: countFromZero(recordCount),
    processors: withLoopWorkspace(layout, fillWidths, isWorthCompilingLoops(recordCount)),
  };
}

/** Maximum number of processors of a piece. */
function processorsOfWidestPiece({ processors }: JobPieces): number {
  const { length } = processors;
  const findWidest = ({ arrays, loops }: LoopWorkspace<{ processors: Int32Array }>) =>
    loops.largestWholeNumber(arrays.processors, length);
  return withLoopWorkspace({ processors }, findWidest, isWorthCompilingLoops(length));
}

/** Applies the oversize rule; returns the remaining pieces and the numbers of the dropped jobs. */
function applyOversizeRule(
  jobPieces: JobPieces,
  home: Int32Array,
  { columns: { job }, header: { names: namesByField } }: Trace,
  widthRules: WidthRules,
  oversize: OversizeRule,
): { pieces: JobPieces; droppedJobs: number[] } {
  const maxWidthByHome = maxJobWidthByHome(widthRules);
  if (processorsOfWidestPiece(jobPieces) <= minAndMax(maxWidthByHome)[0])
    return { pieces: jobPieces, droppedJobs: [] };
  const pieceWidthByHome = widestSiteByHome(widthRules);
  const isTooWideForHome = (record: number, processors: number) =>
    processors > maxWidthByHome[home[record]!]!;
  const tooWideRecords = new Set<number>();
  let firstPiece = -1;
  for (let i = 0; i < jobPieces.record.length; i++) {
    const record = jobPieces.record[i]!;
    const canSplitJob = oversize === 'split' && pieceWidthByHome[home[record]!]! > 0;
    if (canSplitJob || !isTooWideForHome(record, jobPieces.processors[i]!)) continue;
    if (firstPiece < 0) firstPiece = i;
    tooWideRecords.add(record);
  }
  const tooWideJobs = [...tooWideRecords].map((record) => job[record]!);
  if (tooWideRecords.size > 0 && oversize !== 'drop') {
    const site = home[jobPieces.record[firstPiece]!]!;
    const jobNames = tooWideJobs.map((tooWideJob) => nameOfLogNumber(namesByField, 'job', tooWideJob));
    throw makeOversizeJobsError(jobNames, jobPieces.processors[firstPiece]!, site, maxWidthByHome[site]!);
  }
  const remaining = dropRecordPieces(jobPieces, tooWideRecords);
  const maxPieceWidthOf = (record: number, processors: number) =>
    isTooWideForHome(record, processors) ? pieceWidthByHome[home[record]!]! : Infinity;
  return {
    pieces: oversize === 'split' ? cutWideJobs(remaining, maxPieceWidthOf) : remaining,
    droppedJobs: tooWideJobs,
  };
}

/** Scales the times of given records: (value - zero) × factor. */
function scaleTimesOfRecords(
  timesOfRecords: ArrayLike<number>,
  recordOfJob: Int32Array,
  scaleFactor = 1,
  zero = 0,
): Float64Array {
  const column = new Float64Array(recordOfJob.length);
  for (let i = 0; i < column.length; i++) column[i] = (timesOfRecords[recordOfJob[i]!]! - zero) * scaleFactor;
  return column;
}

/** Computes the estimates of jobs, and the number of records without a requested time. */
function estimateRuntimesOfJobs(
  requestedTimes: Float64Array,
  scaleFactor: number,
  runtime: Float64Array,
  record: Int32Array,
): { estimate: Float64Array; withoutEstimate: number } {
  const jobCount = record.length;
  const layout = { requested: requestedTimes, runtime, record, estimate: ['doubles', jobCount] } as const;
  const computeEstimates = ({ arrays, loops, keep }: LoopWorkspace<typeof layout>) => {
    const input = [arrays.requested, scaleFactor, arrays.runtime, arrays.record, jobCount] as const;
    const withoutEstimate = loops.estimatesFromRequests(...input, arrays.estimate);
    return { estimate: keep(arrays.estimate), withoutEstimate };
  };
  return withLoopWorkspace(layout, computeEstimates, isWorthCompilingLoops(jobCount));
}

/** Seconds for which Slurm plans jobs without a time limit. */
const SECONDS_PER_YEAR = 365 * 86_400;

/** Requested times of records; for jobs without a limit, the given value, or a year if the log marks them. */
function requestedTimesOfRecords(
  { header, columns: swfColumns }: Trace,
  noLimit = header.entries.has(NO_LIMIT_HEADER_KEY) ? SECONDS_PER_YEAR : undefined,
): { readonly requestedTime: Float64Array; readonly unlimited: NonNullable<Accounting['unlimited']> } {
  const { requestedTime } = swfColumns;
  if (noLimit === undefined) return { requestedTime, unlimited: { jobs: 0, seconds: 0 } };
  checkScaleFactor(noLimit, 'no-limit');
  let jobs = 0;
  const filledTimes = requestedTime.map((time) => {
    if (time > 0) return time;
    jobs++;
    return noLimit;
  });
  return { requestedTime: jobs > 0 ? filledTimes : requestedTime, unlimited: { jobs, seconds: noLimit } };
}

/** Records selected by filters, equal for all replications. */
export interface RecordSelection {
  /** Log before filtering. */
  readonly log: Trace;
  /** Selected records in submit order. */
  readonly records: Trace;
  readonly dropped: Accounting['dropped'];
}

/** Records that pass the filters and can be simulated, by submit time, with the counts of dropped ones. */
export function selectRecordsOfLog(
  trace: Trace,
  filters: readonly Filter[] = [],
  { cancelled, noLimit }: Pick<WorkloadOptions, 'cancelled' | 'noLimit'> = {},
): RecordSelection {
  const runtime =
    cancelled === 'keep'
      ? runtimesWithCancellations(trace, requestedTimesOfRecords(trace, noLimit).requestedTime)
      : trace.columns.runtime;
  const { trace: kept, dropped } = applyFiltersToRecords(trace, addUsableRecordFilters(filters), runtime);
  return { log: trace, records: sortBySubmit(kept), dropped };
}

/**
 * Creates the jobs of a simulation from a log: filters, perturbation, kills at requested times, home sites,
 * splitting by rc or maxWidth, treatment of too wide jobs, scaling. Jobs are sorted by submit time, ties in
 * the order of the log. Processors are field 5, or 8 if 5 is not positive; the estimate is field 9, or the
 * runtime if that is not positive.
 * @throws InputError for an unknown option, an empty workload, conflicting options, or jobs that can never
 * start.
 * @example
 * const filters = [parseFilter('first=100')];
 * const half = makeWorkload(trace, { siteCount: 2, capacities: grid.capacities, filters });
 * console.log(half.count, half.accounting.dropped[0].count); // 100 100
 */
export function makeWorkload(trace: Trace, options: WorkloadOptions): Workload {
  checkArgument(trace, 'trace', 'makeWorkload');
  // A preset may be spread into the options, with the words that describe it.
  checkOptionNames(MAKE_WORKLOAD_OPTIONS, options, ['description', 'paperLog']);
  const { siteCount } = options;
  for (const [name, words] of Object.entries({
    home: HOME_RULES,
    oversize: OVERSIZE_RULES,
    kill: KILL_RULES,
    cancelled: CANCELLED_RULES,
  })) {
    const input = options[name as 'home' | 'oversize' | 'kill' | 'cancelled'];
    if (input !== undefined && !(words as readonly string[]).includes(input))
      throw makeUnknownNameError(`value of ${name}`, String(input), words);
  }
  if (!Number.isInteger(siteCount) || siteCount < 1) {
    throw new InputError(`siteCount: expected a whole number of at least 1, found ${siteCount}`);
  }
  return makeWorkloadOfSelection(selectRecordsOfLog(trace, options.filters, options), options);
}

/** Perturbs the selected records and, if there are dependencies, adjusts the preceding record of each. */
function perturbKeptRecords(
  records: Trace,
  { perturb, dependencies = 'none', cancelled }: WorkloadOptions,
): { readonly records: Trace; readonly preceding?: Int32Array } {
  const hasCancelled = cancelled === 'keep';
  if (dependencies === false || dependencies === 'none')
    return { records: perturb === undefined ? records : perturbRecords(records, perturb, hasCancelled) };
  const dependentRecords =
    dependencies === true || dependencies === 'log'
      ? { records, preceding: findPrecedingRecords(records) }
      : findSessionsOfLog(records, parseSessionsNotation(dependencies, 'dependencies'));
  if (perturb === undefined) return dependentRecords;
  return perturbDependentJobs(dependentRecords.records, perturb, dependentRecords.preceding, hasCancelled);
}

/** Checks capacities and scales. @throws InputError unless there is one per site and scales are positive. */
function checkScalesAndSiteCount(
  { capacities, siteCount }: WorkloadOptions,
  arrivalScale: number,
  runtimeScale: number,
): void {
  if (capacities !== undefined && capacities.length !== siteCount) {
    throw new InputError(`found ${capacities.length} capacities for ${siteCount} sites; give one per site`);
  }
  checkScaleFactor(arrivalScale, 'arrival scale');
  checkScaleFactor(runtimeScale, 'runtime scale');
}

/** Splits the jobs of a log by rc or maxWidth, and applies the oversize rule to those still too wide. */
function cutAndFitToSites(
  kept: Trace,
  home: Int32Array,
  options: WorkloadOptions,
  oversize: OversizeRule,
): { readonly uncut: JobPieces; readonly pieces: JobPieces; readonly droppedJobs: readonly number[] } {
  const limit = maxPieceWidth(options);
  const uncut = makeUncutPieces(kept);
  const pieces = limit === Infinity ? uncut : cutWideJobs(uncut, () => limit);
  const { capacities } = options;
  if (capacities === undefined) return { uncut, pieces, droppedJobs: [] };
  return { uncut, ...applyOversizeRule(pieces, home, kept, { ...options, capacities }, oversize) };
}

/** Names of the numbers in the log; undefined if there are none. */
function namesOfWorkload({ header: { names: namesByField } }: Trace): Pick<Workload, 'names'> {
  return Object.values(namesByField).some(({ size }) => size > 0) ? { names: namesByField } : {};
}

/** Dropped records by rule, with those that were too wide if such are dropped. */
function addOversizeRule(
  dropped: Accounting['dropped'],
  oversizeCount: number,
  { capacities, oversize }: WorkloadOptions,
): Accounting['dropped'] {
  const isDropping = capacities !== undefined && oversize === 'drop';
  return isDropping ? [...dropped, { rule: 'oversize', count: oversizeCount }] : dropped;
}

/** A selection that is a part of a log; it may have no jobs. */
export interface PartOfLog {
  /** Seconds at which the clock of the jobs begins; absent: the part is the first one with jobs. */
  readonly zero?: number | undefined;
}

/** Creates a workload from selected records, of a log or of a part of one. */
export function makeWorkloadOfSelection(
  selection: RecordSelection,
  options: WorkloadOptions,
  selectedPart?: PartOfLog,
): Workload {
  const {
    arrivalScale = WORKLOAD_OPTION_DEFAULTS.arrivalScale,
    runtimeScale = WORKLOAD_OPTION_DEFAULTS.runtimeScale,
    oversize = WORKLOAD_OPTION_DEFAULTS.oversize,
  } = options;
  checkScalesAndSiteCount(options, arrivalScale, runtimeScale);
  const { log: trace, dropped } = selection;
  const { records: keptLog, preceding } = perturbKeptRecords(selection.records, options);
  const home = mapRecordsToHomes(keptLog, options.home ?? defaultHomeRule(trace), options.siteCount);
  const { submit, job } = keptLog.columns;
  const { requestedTime, unlimited } = requestedTimesOfRecords(keptLog, options.noLimit);
  const recordEnds = computeRecordEnds(keptLog, requestedTime, options);
  const { uncut, pieces, droppedJobs } = cutAndFitToSites(keptLog, home, options, oversize);
  const { record } = pieces;
  // If every record is one job, unscaled columns are those of the log.
  const columnOf = (valuesOfRecords: Float64Array, scaleFactor = 1, offset = 0) =>
    pieces === uncut && scaleFactor === 1 && offset === 0
      ? valuesOfRecords
      : scaleTimesOfRecords(valuesOfRecords, record, scaleFactor, offset);
  const runtime = columnOf(recordEnds.runtime, runtimeScale);
  const endColumns = endColumnsOfJobs(recordEnds, record);
  const requestedTimes = columnOf(requestedTime);
  const { estimate, withoutEstimate } = estimateRuntimesOfJobs(requestedTimes, runtimeScale, runtime, record);
  const dependent = preceding && dependenciesOfJobs(trace, keptLog, preceding, pieces);
  const accounting: Accounting = {
    read: countAllRecordsOfLog(trace),
    kept: keptLog.count - droppedJobs.length,
    dropped: addOversizeRule(dropped, droppedJobs.length, options),
    oversizeJobs: droppedJobs,
    ...(endColumns.cancelled > 0 ? { cancelled: endColumns.cancelled } : {}),
    withoutEstimate,
    ...(unlimited.jobs > 0 ? { unlimited } : {}),
    split: pieces === uncut ? { jobs: 0, pieces: 0 } : countSplitRecords(pieces),
    ...(dependent === undefined ? {} : { dependencies: dependent.counts }),
  };
  if (selectedPart === undefined) checkAnyJobRemains(trace, accounting);
  const clockStart = options.rebase ? (selectedPart?.zero ?? Math.floor(submit[pieces.record[0]!]!)) : 0;
  return {
    name: options.name ?? trace.source,
    count: record.length,
    job: columnOf(job),
    submit: columnOf(submit, arrivalScale, clockStart),
    runtime,
    estimate: withoutEstimate === accounting.kept ? runtime : estimate,
    processors: pieces.processors,
    home: pieces === uncut ? home : Int32Array.from(record, (each) => home[each]!),
    log: pieces === uncut ? keptLog.columns : selectRecordsAtPositions(keptLog.columns, record),
    ...namesOfWorkload(trace),
    ...(dependent === undefined ? {} : { dependencies: dependent.dependencies }),
    ...endColumns.columns,
    ...classLimitsOfOptions(options),
    accounting,
    ...clockStartOfWorkload(trace, arrivalScale, clockStart),
  };
}

/** Start of the jobs' clock in seconds since 1970: `zero` after that of the log; absent if submits are scaled. */
function clockStartOfWorkload(
  { header }: Trace,
  arrivalScale: number,
  zero: number,
): Pick<Workload, 'unixStartTime'> {
  const { unixStartTime } = header;
  return unixStartTime === undefined || arrivalScale !== 1 ? {} : { unixStartTime: unixStartTime + zero };
}

/** Limits of short and narrow jobs, as part of a workload; without entry if they are the defaults. */
function classLimitsOfOptions({
  shortRuntime = DEFAULT_CLASS_LIMITS.shortRuntime,
  narrowWidth = DEFAULT_CLASS_LIMITS.narrowWidth,
}: WorkloadOptions): Pick<Workload, 'classLimits'> {
  checkScaleFactor(shortRuntime, 'short-runtime');
  checkMaxWidth(narrowWidth, 'narrow-width');
  const classLimits = { shortRuntime, narrowWidth };
  return areDefaultClassLimits(classLimits) ? {} : { classLimits };
}

/** Fields that can determine home sites; `none` gives all jobs site 1. */
export const HOME_RULES = ['queue', 'partition', 'user', 'group', 'none'] as const;
/** Field that determines home sites: a word of `HOME_RULES`. */
export type HomeRule = (typeof HOME_RULES)[number];

/**
 * Default home rule: `queue` if any job has a queue, otherwise `none`.
 * @example
 * console.log(defaultHomeRule(trace)); // none
 */
export function defaultHomeRule(trace: Trace): HomeRule {
  checkArgument(trace, 'trace', 'defaultHomeRule');
  return trace.columns.queue.some((queue) => queue > 0) ? 'queue' : 'none';
}

/** Home site of each record by its queue, partition, user or group; numbers wrap around, unknown is 0. */
function mapRecordsToHomes(trace: Trace, homeRule: HomeRule, siteCount: number): Int32Array {
  const homes = new Int32Array(trace.count);
  if (homeRule === 'none' || siteCount === 1) return homes;
  const firstHomeNumber = homeRule === 'queue' || homeRule === 'partition' ? 1 : 0;
  const homeNumbers = trace.columns[homeRule];
  for (let i = 0; i < homes.length; i++) {
    if (homeNumbers[i]! >= firstHomeNumber) homes[i] = (homeNumbers[i]! - firstHomeNumber) % siteCount;
  }
  return homes;
}

/** Rules for killing jobs. */
export const KILL_RULES = ['at-estimate'] as const;
/** Rule for killing jobs: a word of `KILL_RULES`. */
type KillRule = (typeof KILL_RULES)[number];

// Jobs that are submitted only after another has ended, as fields 17 and 18 of a log say

/** Counts the jobs that name a preceding job: those that depend on it, and those that do not, by reason. */
function countDependenciesByOutcome(
  log: Trace,
  keptRecords: Trace,
  preceding: Int32Array,
  isSimulated: (record: number) => boolean,
): DependencyCounts {
  const dependencyCounts = { jobs: 0, unknown: 0, dropped: 0, later: 0 };
  const numbersInLog = new Set(log.columns.job);
  const { job, precedingJob } = keptRecords.columns;
  const remainingNumbers = new Set(job.filter((_, record) => isSimulated(record)));
  for (let record = 0; record < keptRecords.count; record++) {
    const precedingNumber = precedingJob[record]!;
    if (!isJobNumber(precedingNumber) || !isSimulated(record)) continue;
    if (preceding[record]! >= 0 && isSimulated(preceding[record]!)) dependencyCounts.jobs++;
    else if (remainingNumbers.has(precedingNumber)) dependencyCounts.later++;
    else if (numbersInLog.has(precedingNumber)) dependencyCounts.dropped++;
    else dependencyCounts.unknown++;
  }
  return dependencyCounts;
}

/**
 * Dependencies of jobs created from the records of a log.
 * @param log complete log, including dropped records.
 * @param keptRecords selected records in submit order, to which `preceding` and `pieces` refer.
 * @param preceding earlier record on which each record depends; -1: none.
 * @throws InputError if no record names a preceding job.
 */
function dependenciesOfJobs(
  log: Trace,
  keptRecords: Trace,
  preceding: Int32Array,
  { record }: JobPieces,
): { dependencies: Dependencies; counts: DependencyCounts } {
  const namesPrecedingJob = (index: number) => isJobNumber(keptRecords.columns.precedingJob[index]!);
  if (!record.some(namesPrecedingJob)) {
    throw new InputError(
      `${makePrintableSourceName(log.source)}: no job names a preceding job (field 17) after whose end it would be submitted; ` +
        'omit the dependencies',
    );
  }
  // Pieces of a record are together.
  const firstPieceByRecord = new Int32Array(keptRecords.count).fill(-1);
  for (let i = record.length - 1; i >= 0; i--) firstPieceByRecord[record[i]!] = i;
  const { thinkTime } = keptRecords.columns;
  const firstPieceOf = (index: number) => (index < 0 ? -1 : firstPieceByRecord[index]!);
  return {
    dependencies: {
      preceding: Int32Array.from(record, (each) => firstPieceOf(preceding[each]!)),
      thinkTime: Float64Array.from(record, (each) => Math.max(0, thinkTime[each]!)),
      firstPiece: Int32Array.from(record, firstPieceOf),
    },
    counts: countDependenciesByOutcome(log, keptRecords, preceding, (each) => firstPieceByRecord[each]! >= 0),
  };
}

/** Sentence on the number of dependent jobs, and of missing preceding jobs; undefined without dependencies. */
export function remarkOnDependencies({
  name: workloadName,
  accounting,
}: Pick<Workload, 'name' | 'accounting'>): string | undefined {
  const { dependencies, kept: keptCount } = accounting;
  if (dependencies === undefined) return undefined;
  const { jobs: jobCount, unknown, dropped, later } = dependencies;
  const ignoredCount = unknown + dropped + later;
  const causes = [
    [unknown, 'not in the log'],
    [dropped, 'dropped'],
    [later, 'no earlier job'],
  ] as const;
  const reasons = causes.flatMap(([count, text]) => (count > 0 ? [`${formatNumber(count)} ${text}`] : []));
  return (
    `${makePrintableSourceName(workloadName)}: ${formatNumber(jobCount)} of ${formatCount(keptCount, 'job')} ${jobCount === 1 ? 'is' : 'are'} submitted after ` +
    'the end of another' +
    (ignoredCount === 0
      ? ''
      : `; the preceding jobs of ${formatNumber(ignoredCount)} more are not there (${reasons.join(', ')})`)
  );
}
