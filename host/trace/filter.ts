/** Named rules that drop records of a log, and their notation. */

import { checkArgument } from '../arguments.js';
import { InputError } from '../errors.js';
import { escapeNonPrintingText, formatSourceAsShellWord, makePrintableSourceName } from '../format/text.js';
import { isWorthCompilingLoops, type LoopWorkspace, withLoopWorkspace } from '../loops/workspace.js';
import {
  formatNameSuggestion,
  makeUnknownNameError,
  parseDateAsSeconds,
  parseNumberOrNaN,
  parseWholeNumberOrNaN,
  printDateAsShortAsPossible,
  splitRangeNotation,
} from '../notation.js';
import { countFromZero, processorsOfLogRecord, selectRecordsAtPositions } from './columns.js';
import {
  deriveHeader,
  FIELDS_WITH_NAMES,
  type FieldWithNames,
  type NumberNames,
  nameOfLogNumber,
  resolveFieldAlias,
  type Trace,
} from './trace.js';

/** Names of rules that keep the records with one of the given values in the field of the same name. */
const FIELD_VALUE_FILTER_RULES = ['status', 'queue', 'partition', 'user', 'group', 'job'] as const;
/** Name of a rule that compares the values of a field. */
export type FieldValueFilterRule = (typeof FIELD_VALUE_FILTER_RULES)[number];

/** Range of whole numbers, both bounds included. */
export interface ValueRange {
  readonly from: number;
  readonly to: number;
}

/** Condition for keeping a record of a log. */
export type Filter =
  /** Keeps records with a runtime above 0. */
  | { readonly rule: 'runtime' }
  /** Keeps records with more than 0 processors: field 5, or field 8 if that is not positive. */
  | { readonly rule: 'processors' }
  /** Keeps records whose field has a value in one of the ranges, or a name in the list. */
  | {
      readonly rule: FieldValueFilterRule;
      readonly ranges: readonly ValueRange[];
      readonly names?: readonly string[];
    }
  /**
   * Drops records of this user with one of these job numbers: a flurry, which is a burst of one user's jobs.
   */
  | { readonly rule: 'flurry'; readonly user: number; readonly jobs: ValueRange }
  /** Keeps the first (or last) `count` of the records kept by the previous rules. */
  | { readonly rule: 'first'; readonly count: number }
  | { readonly rule: 'last'; readonly count: number }
  /**
   * Keeps records with from <= submit < to, in seconds on the clock of the log, with at most six decimals. If
   * `isDated`, in whole seconds since 1970 (UTC).
   */
  | { readonly rule: 'time'; readonly from: number; readonly to: number; readonly isDated?: true };

/** Number of records dropped by one rule, without those that an earlier rule dropped. */
export interface Dropped {
  /** Rule in the notation of parseFilter. */
  readonly rule: string;
  /** Number of records that the rule dropped. */
  readonly count: number;
}

type FilterRule = Filter['rule'];

const FILTER_SYNTAX_BY_RULE: Readonly<Record<FilterRule, string>> = {
  runtime: 'runtime',
  processors: 'processors',
  ...(Object.fromEntries(
    FIELD_VALUE_FILTER_RULES.map((rule) => [
      rule,
      `${rule}=0,1,5 or ${rule}=1-5${rule === 'status' ? '' : ', or names'}`,
    ]),
  ) as Record<FieldValueFilterRule, string>),
  flurry: 'flurry=USER:FROM-TO with job numbers',
  first: 'first=N with N of at least 1',
  last: 'last=N with N of at least 1',
  time: 'time=FROM-TO or FROM..TO in seconds, such as 7d-14d, or dates such as 2026-03-05..2026-03-08, with FROM below TO',
};

/** Names of all rules. */
export const FILTER_RULES = Object.keys(FILTER_SYNTAX_BY_RULE) as readonly FilterRule[];

/**
 * Parses a filter: `runtime`, `processors`, `status=0,1,5`, `queue=1-5` (also partition, user, group or
 * account, job; all of these also by name), `flurry=21:13717-16207`, `first=1000`, `last=1000`,
 * `time=0-86400`, `time=2026-03-05..2026-03-08`.
 * @throws InputError for an unknown rule or an invalid value.
 * @example
 * console.log(parseFilter('first=1000')); // { rule: 'first', count: 1000 }
 */
export function parseFilter(text: string): Filter {
  checkArgument(text, 'text', 'parseFilter');
  const [, name = '', valueText] = /^\s*([^=]*?)\s*(?:=(.*))?$/s.exec(text) ?? [];
  const rule = FILTER_RULES.find((ruleName) => ruleName === resolveFieldAlias(name));
  if (rule === undefined) throw makeUnknownNameError('filter', escapeNonPrintingText(name), FILTER_RULES);
  const filter = parseFilterValue(rule, valueText?.trim());
  if (filter !== undefined) return filter;
  throw new InputError(
    `cannot read the filter '${escapeNonPrintingText(text)}': expected ${FILTER_SYNTAX_BY_RULE[rule]}`,
  );
}

function parseFilterValue(rule: FilterRule, valueText: string | undefined): Filter | undefined {
  if (rule === 'runtime' || rule === 'processors') return valueText === undefined ? { rule } : undefined;
  if (valueText === undefined) return undefined;
  switch (rule) {
    case 'flurry':
      return parseFlurryFilter(valueText);
    case 'first':
    case 'last':
      return parseFilterCount(rule, valueText);
    case 'time':
      return parseTimeWindow(valueText);
  }
  const filterParts = valueText.split(',').map((part) => part.trim());
  const valueRanges = filterParts.map(parseValueRange).filter((valueRange) => valueRange !== undefined);
  const namesInFilter = filterParts.filter((part) => parseValueRange(part) === undefined);
  if (namesInFilter.length === 0) return { rule, ranges: valueRanges };
  const areRestNames = rule !== 'status' && namesInFilter.every((name) => /[^\d.-]/.test(name));
  return areRestNames ? { rule, ranges: valueRanges, names: namesInFilter } : undefined;
}

function parseFilterCount(rule: 'first' | 'last', countText: string): Filter | undefined {
  const parsedCount = /^\d/.test(countText) ? parseWholeNumberOrNaN(countText) : Number.NaN;
  return parsedCount > 0 ? { rule, count: parsedCount } : undefined;
}

/** Nouns for the fields that filters compare, used in messages. */
const FILTERED_FIELD_NOUNS: Readonly<Record<FieldWithNames, string>> = {
  user: 'user',
  group: 'group',
  queue: 'queue',
  partition: 'partition',
  job: 'task',
};

/**
 * Numbers that have the given name in the log; for jobs, the numbers of all tasks of the array (`102` for
 * 102_1 and 102_2).
 * @throws InputError if the name does not exist.
 */
export function findNumbersOfLogName(
  names: NumberNames | undefined,
  namedField: FieldWithNames,
  name: string,
): number[] {
  const matchingNumbers =
    namedField === 'job' && names !== undefined ? findJobNumbersOfArray(names, name) : [];
  for (const [number, each] of names?.[namedField] ?? []) if (each === name) matchingNumbers.push(number);
  if (matchingNumbers.length > 0) return matchingNumbers;
  const knownNames = [...(names?.[namedField].values() ?? [])];
  const nameSuggestionText =
    knownNames.length === 0
      ? `; its ${FILTERED_FIELD_NOUNS[namedField]}s have numbers alone`
      : formatNameSuggestion(name, knownNames);
  throw new InputError(
    `the log names no ${FILTERED_FIELD_NOUNS[namedField]} '${escapeNonPrintingText(name)}'${nameSuggestionText}`,
  );
}

/** Job numbers of the tasks of an array, and of the components of a heterogeneous job. */
function findJobNumbersOfArray({ job }: NumberNames, arrayId: string): number[] {
  const isTaskOfArray = (jobName: string) =>
    jobName.startsWith(arrayId) && /^[_+]/.test(jobName.slice(arrayId.length));
  return [...job].filter(([, name]) => isTaskOfArray(name)).map(([number]) => number);
}

/** Ranges of numbers that a filter selects in a log, with names resolved. */
function resolveValueRangesOfFilter(
  { rule, ranges, names = [] }: Extract<Filter, { rule: FieldValueFilterRule }>,
  header: Trace['header'],
): readonly ValueRange[] {
  const namedField = FIELDS_WITH_NAMES.find((each) => each === rule);
  if (namedField === undefined) return ranges;
  const numbersWithNames = names.flatMap((name) => findNumbersOfLogName(header.names, namedField, name));
  const jobNumbersOfArrays =
    namedField === 'job' && header.names.job.size > 0
      ? ranges.flatMap(({ from, to }) =>
          from === to ? findJobNumbersOfArray(header.names, String(from)) : [],
        )
      : [];
  return [
    ...ranges,
    ...[...numbersWithNames, ...jobNumbersOfArrays].map((number) => ({ from: number, to: number })),
  ];
}

/** Parses `N`, `N-M` or `N..M` (whole numbers, possibly negative). */
function parseValueRange(valueRangeText: string): ValueRange | undefined {
  const [from = Number.NaN, to = Number.NaN] = (
    splitRangeNotation(valueRangeText) ?? [valueRangeText.trim(), valueRangeText.trim()]
  ).map(parseWholeNumberOrNaN);
  return from <= to ? { from, to } : undefined;
}

function parseFlurryFilter(flurryFilterText: string): Filter | undefined {
  const [userText = '', jobsText, ...extraParts] = flurryFilterText.split(':');
  const userRange = parseValueRange(userText);
  const jobNumberRange = parseValueRange(jobsText ?? '');
  if (
    userRange === undefined ||
    userRange.from !== userRange.to ||
    jobNumberRange === undefined ||
    extraParts.length > 0
  )
    return undefined;
  return { rule: 'flurry', user: userRange.from, jobs: jobNumberRange };
}

/** Parses nonnegative seconds with at most six decimals, or a duration; NaN for anything else. */
function parseFilterSeconds(timeText: string): number {
  const seconds = parseNumberOrNaN(timeText, { isTime: true });
  return seconds >= 0 && Number(seconds.toFixed(6)) === seconds ? seconds : Number.NaN;
}

function parseTimeWindow(timeWindowText: string): Filter | undefined {
  if (/^\d{4}-\d{2}-/.test(timeWindowText)) return parseDateFilter(timeWindowText);
  const [from = Number.NaN, to = Number.NaN] =
    splitRangeNotation(timeWindowText)?.map(parseFilterSeconds) ?? [];
  return from < to && to <= Number.MAX_SAFE_INTEGER ? { rule: 'time', from, to } : undefined;
}

/** Parses a day, or two dates or times separated by `..`, the second of which is excluded. */
function parseDateFilter(dateFilterText: string): Filter | undefined {
  const bounds = dateFilterText.split('..').map(parseDateAsSeconds);
  const [from = Number.NaN, to = from + 86_400] = bounds;
  const isRangeOrWholeDay = bounds.length === 2 || !dateFilterText.includes('T');
  return bounds.length <= 2 && isRangeOrWholeDay && from < to
    ? { rule: 'time', from, to, isDated: true }
    : undefined;
}

/**
 * Formats a filter in the notation that parseFilter reads.
 * @example
 * console.log(formatFilter({ rule: 'time', from: 0, to: 86400 })); // time=0-86400
 */
export function formatFilter(filter: Filter): string {
  checkArgument(filter, 'filter', 'formatFilter');
  switch (filter.rule) {
    case 'runtime':
    case 'processors':
      return filter.rule;
    case 'flurry':
      return `flurry=${filter.user}:${formatValueRange(filter.jobs)}`;
    case 'first':
    case 'last':
      return `${filter.rule}=${filter.count}`;
    case 'time':
      return filter.isDated
        ? `time=${printDateAsShortAsPossible(filter.from)}..${printDateAsShortAsPossible(filter.to)}`
        : `time=${filter.from}-${filter.to}`;
    default:
      return `${filter.rule}=${[...filter.ranges.map(formatValueRange), ...(filter.names ?? [])].join(',')}`;
  }
}

function formatValueRange({ from, to }: ValueRange): string {
  return from === to ? String(from) : `${from}-${to}`;
}

/**
 * Applies filters in order. Each dropped record counts under the first rule that drops it, so all records
 * read are either kept or dropped once. Records dropped while reading come first. If records were dropped,
 * the header gets a note per rule and a new MaxRecords.
 * @returns remaining log, and the counts of dropped records in the order of the rules.
 * @example
 * const { trace: some, dropped } = applyFilters(trace, [parseFilter('first=50')]);
 * console.log(some.count, dropped[0].rule, dropped[0].count); // 50 first=50 150
 */
export function applyFilters(trace: Trace, filters: readonly Filter[]): { trace: Trace; dropped: Dropped[] } {
  checkArgument(trace, 'trace', 'applyFilters, trace');
  checkArgument(filters, 'list', 'applyFilters, filters');
  return applyFiltersToRecords(trace, filters, trace.columns.runtime);
}

/**
 * Applies filters like `applyFilters`, with given runtimes.
 * @param runtime runtimes in seconds for the rule `runtime`.
 */
export function applyFiltersToRecords(
  trace: Trace,
  filters: readonly Filter[],
  runtime: Float64Array,
): { trace: Trace; dropped: Dropped[] } {
  let keptRecordIndices = countFromZero(trace.count);
  const dropped = filters.map((filter) => {
    const keptCountBeforeFilter = keptRecordIndices.length;
    keptRecordIndices =
      filter.rule === 'runtime'
        ? keepRecordsWithAnyPositive(keptRecordIndices, runtime, runtime)
        : selectRecordsPassingFilter(trace, filter, keptRecordIndices);
    return { rule: formatFilter(filter), count: keptCountBeforeFilter - keptRecordIndices.length };
  });
  checkJobsOfOneCluster(trace, keptRecordIndices);
  if (trace.leftOut === undefined && keptRecordIndices.length === trace.count) return { trace, dropped };
  const droppedWhileReading = (trace.leftOut ?? []).map(({ rule, count: droppedCount }) => ({
    rule,
    count: droppedCount,
  }));
  const describeDropped = (kindOfDropRule: string, droppedCountsByRule: readonly Dropped[]) =>
    droppedCountsByRule
      .filter(({ count: droppedCount }) => droppedCount > 0)
      .map(
        ({ rule, count: droppedCount }) => `${droppedCount} records dropped by the ${kindOfDropRule} ${rule}`,
      );
  const notes = [...describeDropped('rule', droppedWhileReading), ...describeDropped('filter', dropped)];
  const header = deriveHeader(trace.header, keptRecordIndices.length, notes);
  const columns = selectRecordsAtPositions(trace.columns, keptRecordIndices);
  return {
    trace: { source: trace.source, header, count: keptRecordIndices.length, columns },
    dropped: [...droppedWhileReading, ...dropped],
  };
}

/**
 * Refuses logs with jobs of several clusters, since each cluster has its own machine and queue. Records
 * without a runtime or processors do not count.
 * @param keptRecords indices of the records that are used; default: all.
 * @throws InputError that suggests a filter for one cluster.
 */
export function checkJobsOfOneCluster(
  { source: traceSource, columns: swfColumns, clusters, header }: Trace,
  keptRecords?: Int32Array,
): void {
  if (clusters === undefined) return;
  const usedClusters = new Set<number>();
  for (const record of keptRecords ?? swfColumns.partition.keys())
    if (swfColumns.runtime[record]! > 0 && processorsOfLogRecord(swfColumns, record) > 0)
      usedClusters.add(swfColumns.partition[record]!);
  const clusterNames = clusters
    .filter((cluster) => usedClusters.has(cluster))
    .map((cluster) => nameOfLogNumber(header.names, 'partition', cluster));
  if (clusterNames.length < 2) return;
  const [firstClusterName = ''] = clusterNames;
  throw new InputError(
    `${makePrintableSourceName(traceSource)} has jobs of ${clusterNames.length} clusters (${clusterNames.join(', ')}), which are machines with a queue each; choose one ` +
      `with --filter cluster=${firstClusterName}, or write each to a log of its own: gridalloc trace convert ${formatSourceAsShellWord(traceSource)} ${firstClusterName}.swf --filter cluster=${firstClusterName}`,
  );
}

/** Number of records of a log, including those dropped while reading. */
export function countAllRecordsOfLog({ count: recordCount, leftOut = [] }: Trace): number {
  return leftOut.reduce((sum, droppedRecords) => sum + droppedRecords.count, recordCount);
}

function selectRecordsPassingFilter(
  trace: Trace,
  filter: Exclude<Filter, { rule: 'runtime' }>,
  recordIndices: Int32Array,
): Int32Array {
  if (filter.rule === 'first') return recordIndices.subarray(0, filter.count);
  if (filter.rule === 'last') return recordIndices.subarray(-filter.count);
  const { processors, requestedProcessors } = trace.columns;
  if (filter.rule === 'processors')
    return keepRecordsWithAnyPositive(recordIndices, processors, requestedProcessors);
  return filterInPlace(recordIndices, makeRecordPredicate(trace, filter));
}

/**
 * Keeps records with a positive value in the first or in the second column; a compiled loop, since
 * every log passes through these rules.
 */
function keepRecordsWithAnyPositive(
  recordIndices: Int32Array,
  columnValues: Float64Array,
  otherValues: Float64Array,
): Int32Array {
  const { length } = recordIndices;
  const keep = ({
    arrays,
    loops,
  }: LoopWorkspace<{ records: Int32Array; values: Float64Array; others: Float64Array }>) => {
    const keptCount = loops.keepRecordsOfPositiveValue(arrays.records, length, arrays.values, arrays.others);
    // If all records are kept, the array is already right.
    if (keptCount < length) recordIndices.set(arrays.records.subarray(0, keptCount));
    return recordIndices.subarray(0, keptCount);
  };
  // For part of a log, copying the columns, which are those of the whole log, would take longer.
  const hasAllRecords = length === columnValues.length;
  return withLoopWorkspace(
    { records: recordIndices, values: columnValues, others: otherValues },
    keep,
    hasAllRecords && isWorthCompilingLoops(length),
  );
}

/** Keeps the numbers that satisfy the test, at the front of the same array. */
function filterInPlace(recordIndices: Int32Array, isRecordKept: (record: number) => boolean): Int32Array {
  let keptCount = 0;
  for (let i = 0; i < recordIndices.length; i++) {
    if (isRecordKept(recordIndices[i]!)) recordIndices[keptCount++] = recordIndices[i]!;
  }
  return recordIndices.subarray(0, keptCount);
}

/** Time window of a filter, in seconds on the clock of a log. */
function computeTimeWindowOfFilter(
  filter: Extract<Filter, { rule: 'time' }>,
  { source: traceSource, header: { unixStartTime } }: Pick<Trace, 'source' | 'header'>,
): ValueRange {
  const { from, to, isDated = false } = filter;
  if (!isDated) return { from, to };
  if (unixStartTime === undefined)
    throw new InputError(
      `${makePrintableSourceName(traceSource)} has no start date (UnixStartTime), which the filter ${formatFilter(filter)} needs; ` +
        'give times since its start, such as time=7d-14d',
    );
  return { from: from - unixStartTime, to: to - unixStartTime };
}

function makeRecordPredicate(
  { source: traceSource, columns: swfColumns, header }: Pick<Trace, 'source' | 'columns' | 'header'>,
  filter: Exclude<Filter, { rule: 'first' | 'last' | 'runtime' | 'processors' }>,
): (record: number) => boolean {
  const { submit, user, job } = swfColumns;
  switch (filter.rule) {
    case 'flurry':
      return (record) => user[record] !== filter.user || !isInValueRange(job[record]!, filter.jobs);
    case 'time': {
      const { from, to } = computeTimeWindowOfFilter(filter, { source: traceSource, header });
      return (record) => submit[record]! >= from && submit[record]! < to;
    }
    default: {
      const columnValues = swfColumns[filter.rule];
      const valueRanges = resolveValueRangesOfFilter(filter, header);
      const valuesOfOneValueRanges = new Set(
        valueRanges.flatMap(({ from, to }) => (from === to ? [from] : [])),
      );
      const rangesOfManyValues = valueRanges.filter(({ from, to }) => from < to);
      return (record) =>
        valuesOfOneValueRanges.has(columnValues[record]!) ||
        rangesOfManyValues.some((valueRange) => isInValueRange(columnValues[record]!, valueRange));
    }
  }
}

function isInValueRange(fieldValue: number, { from, to }: ValueRange): boolean {
  return fieldValue >= from && fieldValue <= to;
}

/** Describes a rule in a list of dropped records, such as the records outside a filter. */
export function describeDropRule(rule: string): string {
  return /^[a-z-]+$/.test(rule) ? rule : `outside ${rule}`;
}
