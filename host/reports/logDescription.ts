/** Descriptions of job logs, models, formats and presets as terminal text. */
import {
  formatCount,
  formatDuration,
  formatMeasurement,
  formatNumber,
  formatPercent,
  formatUtcDate,
} from '../format/numbers.js';
import { makePrintableSourceName } from '../format/text.js';
import type { NumberRange } from '../notation.js';
import { optionNameOfKey } from '../options/options.js';
import type { TraceCheck, TraceProblem } from '../trace/checkTrace.js';
import { formatFilter } from '../trace/filter.js';

import type { Distribution, QueueInfo, TraceInfo } from '../trace/info.js';
import type { LogFormat } from '../trace/logFormat.js';
import { joinPlaceNames } from '../trace/places.js';
import { formatLogNote } from '../trace/readText.js';
import type { NoteRule, ReadingOptionName, Trace } from '../trace/trace.js';
import {
  formatFactsForTerminal,
  formatTerminalTable,
  MAX_TERMINAL_LINE_WIDTH,
  type TerminalColors,
  wrapText,
} from '../view/terminal.js';
import type { Model } from '../workload/models.js';
import type { Preset } from '../workload/presets.js';

type LogStatistic = readonly [label: string, value: string, remark?: string];

function formatShareAsPercent(jobShare: number | undefined): string {
  return jobShare === undefined ? 'unknown' : formatPercent(jobShare);
}

function makeDistributionStatistic(
  statisticLabel: string,
  statisticUnit: string,
  statisticValues: Distribution | undefined,
): LogStatistic[] {
  if (statisticValues === undefined) return [];
  const { mean, median, max } = statisticValues;
  const remark = `median ${formatMeasurement(median)}, longest ${formatMeasurement(max)}`;
  return [
    [
      statisticLabel,
      `${formatNumber(mean, 2)}${statisticUnit}`,
      statisticUnit === '' ? `processors; ${remark.replace('longest', 'largest')}` : remark,
    ],
  ];
}

function formatQueueTable(queueInfos: readonly QueueInfo[], colors: TerminalColors): string {
  const headings = ['queue', 'name', 'jobs', 'mean runtime [s]', 'longest [s]', 'mean job size', 'largest'];
  const columns = headings.map((heading) => ({
    heading,
    align: heading === 'name' ? ('left' as const) : ('right' as const),
  }));
  const rows = queueInfos.map((queueInfo) => [
    queueInfo.queue < 0 ? 'unknown' : String(queueInfo.queue),
    queueInfo.name ?? '',
    formatNumber(queueInfo.jobs),
    formatNumber(queueInfo.meanRuntime, 2),
    formatMeasurement(queueInfo.longestRuntime),
    formatNumber(queueInfo.meanProcessors, 2),
    formatNumber(queueInfo.widest),
  ]);
  return formatTerminalTable(columns, rows, colors);
}

function makeLogDateStatistics({ firstSubmitDate, lastSubmitDate }: TraceInfo): LogStatistic[] {
  if (firstSubmitDate === undefined || lastSubmitDate === undefined) return [];
  return [['first submit', formatIsoDate(firstSubmitDate), `UTC; last ${formatIsoDate(lastSubmitDate)}`]];
}

function formatIsoDate(isoDateText: string): string {
  return formatUtcDate(Date.parse(isoDateText) / 1000);
}

function makeRequestedTimeStatistics({
  jobs: jobCount,
  withoutEstimate,
  hasNoLimits,
}: TraceInfo): LogStatistic[] {
  if (jobCount === 0) return [];
  const requestedTimeFallbackText = hasNoLimits
    ? 'the others have no limit, and 365 days count as their request (--no-limit)'
    : 'for the others the runtime serves as the estimate';
  if (withoutEstimate === jobCount)
    return [
      [
        'requested times',
        'none',
        hasNoLimits
          ? requestedTimeFallbackText.replace('the others', 'jobs')
          : 'no estimates for backfilling',
      ],
    ];
  const remark = withoutEstimate === 0 ? 'of every job' : `jobs; ${requestedTimeFallbackText}`;
  return [['requested times', formatNumber(jobCount - withoutEstimate), remark]];
}

function makeCancellationStatistics({ cancelledWaiting }: TraceInfo): LogStatistic[] {
  if (cancelledWaiting === 0) return [];
  return [
    [
      'cancelled waiting',
      formatNumber(cancelledWaiting),
      'records, dropped unless --cancelled keep is given',
    ],
  ];
}

function makeDependencyStatistics({ dependent }: TraceInfo): LogStatistic[] {
  if (dependent === 0) return [];
  return [['preceding jobs', formatNumber(dependent), 'jobs name an earlier one; see --dependencies']];
}

/** Statistics of a log as terminal text, wrapped if a width is given. */
export function formatLogStatistics(info: TraceInfo, colors: TerminalColors, width?: number): string {
  const machineText = [info.computer, info.installation].filter((part) => part !== undefined).join(', ');
  const machineProcessorCount = info.maxProcessors ?? info.peakProcessors;
  const isPeakUseShown = info.maxProcessors === undefined && machineProcessorCount !== undefined;
  const facts: LogStatistic[] = [
    ['records', formatNumber(info.records), `${formatCount(info.jobs, 'job')} with a runtime and processors`],
    [
      'processors',
      machineProcessorCount === undefined ? 'unknown' : formatNumber(machineProcessorCount),
      isPeakUseShown ? 'most in use at once (no size in the log)' : 'of the machine',
    ],
    ['first to last submit', `${formatNumber(info.spanSeconds)} s`, formatDuration(info.spanSeconds)],
    ...makeLogDateStatistics(info),
    ['offered load', formatShareAsPercent(info.offeredLoad), 'work / (processors x time)'],
    ...makeDistributionStatistic('mean runtime', ' s', info.runtime),
    ...makeDistributionStatistic('mean job size', '', info.processors),
    ['serial jobs', formatShareAsPercent(info.serialShare), ''],
    ['sizes a power of two', formatShareAsPercent(info.powerOfTwoShare), ''],
    ['users', formatNumber(info.users), ''],
    ...makeRequestedTimeStatistics(info),
    ...makeDependencyStatistics(info),
    ...makeCancellationStatistics(info),
    ...info.leftOut.map(
      ({ rule, count: droppedCount }): LogStatistic => [
        'dropped',
        formatNumber(droppedCount),
        `records, by the rule ${rule}`,
      ],
    ),
  ];
  const title =
    colors.bold(makePrintableSourceName(info.source)) + (machineText === '' ? '' : `\n${machineText}`);
  const paragraphs = [title, formatFactsForTerminal(facts, colors, width)];
  if (info.queues.length > 1) paragraphs.push(formatQueueTable(info.queues, colors));
  return paragraphs.join('\n\n');
}

/**
 * One message per rule by which records were dropped while reading a log: number, lines and first example.
 */
export function makeDroppedRecordMessages({
  source: traceSource,
  leftOut = [],
}: Pick<Trace, 'source' | 'leftOut'>): string[] {
  return leftOut.map(({ rule, count: droppedCount, places: recordPlaces, example }) => {
    const location = `${joinPlaceNames(recordPlaces)}${droppedCount > recordPlaces.length ? ', ...' : ''}`;
    const fateOfRecordsText = rule === 'component' ? 'merged into their jobs by' : 'dropped by';
    return `${makePrintableSourceName(traceSource)}: ${formatCount(droppedCount, 'record')} ${fateOfRecordsText} the rule ${rule} (${location}); the first: ${example}`;
  });
}

const PURPOSES_OF_READING_OPTIONS: Readonly<Record<ReadingOptionName, string>> = {
  arrival: 'accounting records and tables',
  columns: 'tables (CSV, TSV, Parquet)',
  timeZone: 'logs with dates (tables, sacct, Philly)',
};

/** One message per reading option that had no effect on a log. */
export function makeUnusedOptionMessages({
  source: traceSource,
  unused = [],
}: Pick<Trace, 'source' | 'unused'>): string[] {
  return unused.map(
    (option) =>
      `${makePrintableSourceName(traceSource)}: --${optionNameOfKey(option)} has no effect; it is for ${PURPOSES_OF_READING_OPTIONS[option]}`,
  );
}

/** Kinds of notes on records that make a simulation deviate from what the log records. */
const REPORTED_NOTE_RULES: readonly NoteRule[] = ['late-arrival', 'suspended', 'resized', 'clock-jump'];

/** Messages on notes about records that a reader of results should know. */
export function makeRecordNoteMessages({ source: traceSource, notes: recordNotes = [] }: Trace): string[] {
  return recordNotes
    .filter(({ rule }) => REPORTED_NOTE_RULES.includes(rule))
    .map((recordNote) => `${makePrintableSourceName(traceSource)}: ${formatLogNote(recordNote)}`);
}

/** Table of the supported log formats, as terminal text. */
export function formatTableOfLogFormats(formats: readonly LogFormat[], colors: TerminalColors): string {
  const columns = ['format', 'title'].map((heading) => ({ heading, align: 'left' as const }));
  const tableText = formatTerminalTable(
    columns,
    formats.map(({ name: formatName, title: formatTitle }) => [formatName, formatTitle]),
    colors,
  );
  const longestNameLength = Math.max(...formats.map(({ name: formatName }) => formatName.length));
  const examples = formats.map(({ name: formatName, example }) => {
    const line = `${formatName.padEnd(longestNameLength)}  ${example.split('\n')[0]}`;
    return line.length > MAX_TERMINAL_LINE_WIDTH ? `${line.slice(0, MAX_TERMINAL_LINE_WIDTH - 3)}...` : line;
  });
  const tablesOfLogFormats = formats.flatMap(({ tables: knownTables = [] }) => knownTables);
  const sources = tablesOfLogFormats.map(({ name: tableName, source }) =>
    wrapText(`${tableName}: ${source}`, MAX_TERMINAL_LINE_WIDTH),
  );
  return `${tableText}\n\nA line of each:\n${examples.join('\n')}\n\nTables that are read without --columns:\n${sources.join('\n')}`;
}

/** Sentence with the number of errors found in a log. */
export function describeLogErrorCount({
  source,
  readable,
  problems,
}: Pick<TraceCheck, 'source' | 'readable' | 'problems'>): string {
  const errorProblems = problems.filter(({ severity }) => severity === 'error');
  const problemCount = errorProblems.reduce((sum, problem) => sum + problem.count, 0);
  const errorEffectText = readable ? 'cannot be simulated as it is' : 'cannot be read';
  return `${makePrintableSourceName(source)} ${errorEffectText}: ${formatCount(problemCount, 'error')} of ${formatCount(errorProblems.length, 'kind')}`;
}

function formatLogProblem(problem: TraceProblem, colors: TerminalColors): string {
  const { rule, severity, count: problemCount, places: recordPlaces, example, meaning } = problem;
  const color = severity === 'error' ? colors.red : colors.yellow;
  const morePlacesText = problemCount > recordPlaces.length ? ', ...' : '';
  const location = recordPlaces.length === 0 ? '' : ` in ${joinPlaceNames(recordPlaces)}${morePlacesText}`;
  return [
    `${color(severity)} ${colors.bold(rule)}, ${formatCount(problemCount, 'time')}${location}`,
    `  ${meaning}`,
    `  ${colors.dim(`first: ${example}`)}`,
  ].join('\n');
}

/** Problems of a log as terminal text: count, first lines, meaning and example. */
export function formatLogCheck(logCheck: Omit<TraceCheck, 'header'>, colors: TerminalColors): string {
  const { source, records: recordCount, unit, lines: lineCount, problems } = logCheck;
  const sizeText =
    unit === 'line'
      ? `${formatCount(recordCount, 'record')} in ${formatCount(lineCount, 'line')}`
      : formatCount(recordCount, unit);
  const title = `${makePrintableSourceName(source)}: ${sizeText}`;
  if (problems.length === 0) return `${title}, no problem found`;
  return [title, ...problems.map((problem) => formatLogProblem(problem, colors))].join('\n\n');
}

function formatNumberRange({ atLeast, above, atMost }: NumberRange): string {
  const lowerBoundText =
    atLeast !== undefined ? `from ${atLeast}` : above !== undefined ? `above ${above}` : '';
  return [lowerBoundText, atMost === undefined ? '' : `to ${atMost}`].filter((part) => part !== '').join(' ');
}

/** Bold name with its description, wrapped if a width is given. */
function formatNameWithDescription(
  listedName: string,
  description: string,
  colors: TerminalColors,
  width = Infinity,
): string {
  return wrapText(`${colors.bold(listedName)}: ${description}`, width);
}

/** Workload models with their parameters as terminal text, wrapped if a width is given. */
export function formatModelList(models: readonly Model[], colors: TerminalColors, width?: number): string {
  const makeLeftAlignedColumn = (heading: string) => ({ heading, align: 'left' as const });
  const blocks = models.map(({ name: modelName, description: modelDescription, parameters }) => {
    const rows = parameters.map((parameter) => [
      `  ${parameter.name}`,
      String(parameter.default),
      formatNumberRange(parameter.range),
      parameter.description,
    ]);
    const columns = [
      makeLeftAlignedColumn('  parameter'),
      { heading: 'default' },
      makeLeftAlignedColumn('range'),
      makeLeftAlignedColumn('meaning'),
    ];
    return `${formatNameWithDescription(modelName, modelDescription, colors, width)}\n\n${formatTerminalTable(columns, rows, colors, width)}`;
  });
  return [...blocks, `For instance: '${models.at(-1)?.name}[jobs=1000,seed=2]'`].join('\n\n');
}

/** Presets as terminal text: record filters, home rule and sites; wrapped if a width is given. */
export function formatPresetList(presets: readonly Preset[], colors: TerminalColors, width?: number): string {
  const blocks = presets.map(
    ({ name: presetName, description: presetDescription, filters, home, capacities }) => {
      const factsText = formatFactsForTerminal(
        [
          ['  filters', '', filters.map(formatFilter).join(' ')],
          ['  home', '', home],
          ['  sites', '', capacities.join(',')],
        ],
        colors,
        width,
      );
      return `${formatNameWithDescription(presetName, presetDescription, colors, width)}\n\n${factsText}`;
    },
  );
  return blocks.join('\n\n');
}
