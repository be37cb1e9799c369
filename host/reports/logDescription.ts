/** Descriptions of job logs, models, formats and presets as terminal text. */
import {
  countText,
  formatDate,
  formatDuration,
  formatMeasurement,
  formatNumber,
  formatPercent,
} from '../format/numbers.js';
import { printableSourceName } from '../format/text.js';
import type { NumberRange } from '../notation.js';
import { optionName } from '../options/options.js';
import type { TraceCheck, TraceProblem } from '../trace/checkTrace.js';
import { formatFilter } from '../trace/filter.js';

import type { Distribution, QueueInfo, TraceInfo } from '../trace/info.js';
import type { LogFormat } from '../trace/logFormat.js';
import { joinPlaceNames } from '../trace/places.js';
import { logRemarkText } from '../trace/readText.js';
import type { NoteRule, ReadingOption, Trace } from '../trace/trace.js';
import { type Colors, formatFacts, formatTable, MAX_TERMINAL_LINE, wrapText } from '../view/terminal.js';
import type { Model } from '../workload/models.js';
import type { Preset } from '../workload/presets.js';

type LabelledLogFact = readonly [label: string, value: string, remark?: string];

function sharePercentText(value: number | undefined): string {
  return value === undefined ? 'unknown' : formatPercent(value);
}

function distributionFactOf(
  label: string,
  unit: string,
  values: Distribution | undefined,
): LabelledLogFact[] {
  if (values === undefined) return [];
  const { mean, median, max } = values;
  const remark = `median ${formatMeasurement(median)}, longest ${formatMeasurement(max)}`;
  return [
    [
      label,
      `${formatNumber(mean, 2)}${unit}`,
      unit === '' ? `processors; ${remark.replace('longest', 'largest')}` : remark,
    ],
  ];
}

function queueTableText(queues: readonly QueueInfo[], colors: Colors): string {
  const headings = ['queue', 'name', 'jobs', 'mean runtime [s]', 'longest [s]', 'mean job size', 'largest'];
  const columns = headings.map((heading) => ({
    heading,
    align: heading === 'name' ? ('left' as const) : ('right' as const),
  }));
  const rows = queues.map((queue) => [
    queue.queue < 0 ? 'unknown' : String(queue.queue),
    queue.name ?? '',
    formatNumber(queue.jobs),
    formatNumber(queue.meanRuntime, 2),
    formatMeasurement(queue.longestRuntime),
    formatNumber(queue.meanProcessors, 2),
    formatNumber(queue.widest),
  ]);
  return formatTable(columns, rows, colors);
}

function logDateFacts({ firstSubmitDate, lastSubmitDate }: TraceInfo): LabelledLogFact[] {
  if (firstSubmitDate === undefined || lastSubmitDate === undefined) return [];
  return [['first submit', dateText(firstSubmitDate), `UTC; last ${dateText(lastSubmitDate)}`]];
}

function dateText(iso: string): string {
  return formatDate(Date.parse(iso) / 1000);
}

function requestedTimeFacts({ jobs, withoutEstimate, hasNoLimits }: TraceInfo): LabelledLogFact[] {
  if (jobs === 0) return [];
  const otherEntries = hasNoLimits
    ? 'the others have no limit, and 365 days count as their request (--no-limit)'
    : 'for the others the runtime serves as the estimate';
  if (withoutEstimate === jobs)
    return [
      [
        'requested times',
        'none',
        hasNoLimits ? otherEntries.replace('the others', 'jobs') : 'no estimates for backfilling',
      ],
    ];
  const remark = withoutEstimate === 0 ? 'of every job' : `jobs; ${otherEntries}`;
  return [['requested times', formatNumber(jobs - withoutEstimate), remark]];
}

function cancellationFacts({ cancelledWaiting }: TraceInfo): LabelledLogFact[] {
  if (cancelledWaiting === 0) return [];
  return [
    [
      'cancelled waiting',
      formatNumber(cancelledWaiting),
      'records, dropped unless --cancelled keep is given',
    ],
  ];
}

function dependencyFacts({ dependent }: TraceInfo): LabelledLogFact[] {
  if (dependent === 0) return [];
  return [['preceding jobs', formatNumber(dependent), 'jobs name an earlier one; see --dependencies']];
}

/** Statistics of a log as terminal text, wrapped if a width is given. */
export function logInfoText(info: TraceInfo, colors: Colors, width?: number): string {
  const machine = [info.computer, info.installation].filter((part) => part !== undefined).join(', ');
  const size = info.maxProcessors ?? info.peakProcessors;
  const isPeakUseShown = info.maxProcessors === undefined && size !== undefined;
  const facts: LabelledLogFact[] = [
    ['records', formatNumber(info.records), `${countText(info.jobs, 'job')} with a runtime and processors`],
    [
      'processors',
      size === undefined ? 'unknown' : formatNumber(size),
      isPeakUseShown ? 'most in use at once (no size in the log)' : 'of the machine',
    ],
    ['first to last submit', `${formatNumber(info.spanSeconds)} s`, formatDuration(info.spanSeconds)],
    ...logDateFacts(info),
    ['offered load', sharePercentText(info.offeredLoad), 'work / (processors x time)'],
    ...distributionFactOf('mean runtime', ' s', info.runtime),
    ...distributionFactOf('mean job size', '', info.processors),
    ['serial jobs', sharePercentText(info.serialShare), ''],
    ['sizes a power of two', sharePercentText(info.powerOfTwoShare), ''],
    ['users', formatNumber(info.users), ''],
    ...requestedTimeFacts(info),
    ...dependencyFacts(info),
    ...cancellationFacts(info),
    ...info.leftOut.map(
      ({ rule, count }): LabelledLogFact => ['dropped', formatNumber(count), `records, by the rule ${rule}`],
    ),
  ];
  const title = colors.bold(printableSourceName(info.source)) + (machine === '' ? '' : `\n${machine}`);
  const parts = [title, formatFacts(facts, colors, width)];
  if (info.queues.length > 1) parts.push(queueTableText(info.queues, colors));
  return parts.join('\n\n');
}

/**
 * One message per rule by which records were dropped while reading a log: number, lines and first example.
 */
export function droppedRecordMessages({ source, leftOut = [] }: Trace): string[] {
  return leftOut.map(({ rule, count, places, example }) => {
    const location = `${joinPlaceNames(places)}${count > places.length ? ', ...' : ''}`;
    const what = rule === 'component' ? 'merged into their jobs by' : 'dropped by';
    return `${printableSourceName(source)}: ${countText(count, 'record')} ${what} the rule ${rule} (${location}); the first: ${example}`;
  });
}

const READING_OPTION_PURPOSES: Readonly<Record<ReadingOption, string>> = {
  arrival: 'accounting records and tables',
  columns: 'tables (CSV, TSV, Parquet)',
  timeZone: 'logs with dates (tables, sacct, Philly)',
};

/** One message per reading option that had no effect on a log. */
export function unusedOptionMessages({ source, unused = [] }: Pick<Trace, 'source' | 'unused'>): string[] {
  return unused.map(
    (option) =>
      `${printableSourceName(source)}: --${optionName(option)} has no effect; it is for ${READING_OPTION_PURPOSES[option]}`,
  );
}

/** Kinds of notes on records that make a simulation deviate from what the log records. */
const REPORTED_NOTE_RULES: readonly NoteRule[] = ['late-arrival', 'suspended', 'resized', 'clock-jump'];

/** Messages on notes about records that a reader of results should know. */
export function remarkMessages({ source, notes = [] }: Trace): string[] {
  return notes
    .filter(({ rule }) => REPORTED_NOTE_RULES.includes(rule))
    .map((note) => `${printableSourceName(source)}: ${logRemarkText(note)}`);
}

/** Table of the supported log formats, as terminal text. */
export function formatListText(formats: readonly LogFormat[], colors: Colors): string {
  const columns = ['format', 'title'].map((heading) => ({ heading, align: 'left' as const }));
  const table = formatTable(
    columns,
    formats.map(({ name, title }) => [name, title]),
    colors,
  );
  const widest = Math.max(...formats.map(({ name }) => name.length));
  const examples = formats.map(({ name, example }) => {
    const line = `${name.padEnd(widest)}  ${example.split('\n')[0]}`;
    return line.length > MAX_TERMINAL_LINE ? `${line.slice(0, MAX_TERMINAL_LINE - 3)}...` : line;
  });
  const tables = formats.flatMap(({ tables: known = [] }) => known);
  const sources = tables.map(({ name, source }) => wrapText(`${name}: ${source}`, MAX_TERMINAL_LINE));
  return `${table}\n\nA line of each:\n${examples.join('\n')}\n\nTables that are read without --columns:\n${sources.join('\n')}`;
}

/** Sentence with the number of errors found in a log. */
export function logCheckSentence({
  source,
  readable,
  problems,
}: Pick<TraceCheck, 'source' | 'readable' | 'problems'>): string {
  const errorProblems = problems.filter(({ severity }) => severity === 'error');
  const count = errorProblems.reduce((sum, problem) => sum + problem.count, 0);
  const what = readable ? 'cannot be simulated as it is' : 'cannot be read';
  return `${printableSourceName(source)} ${what}: ${countText(count, 'error')} of ${countText(errorProblems.length, 'kind')}`;
}

function checkProblemText(problem: TraceProblem, colors: Colors): string {
  const { rule, severity, count, places, example, meaning } = problem;
  const color = severity === 'error' ? colors.red : colors.yellow;
  const more = count > places.length ? ', ...' : '';
  const location = places.length === 0 ? '' : ` in ${joinPlaceNames(places)}${more}`;
  return [
    `${color(severity)} ${colors.bold(rule)}, ${countText(count, 'time')}${location}`,
    `  ${meaning}`,
    `  ${colors.dim(`first: ${example}`)}`,
  ].join('\n');
}

/** Problems of a log as terminal text: count, first lines, meaning and example. */
export function logCheckText(check: Omit<TraceCheck, 'header'>, colors: Colors): string {
  const { source, records, unit, lines, problems } = check;
  const of =
    unit === 'line'
      ? `${countText(records, 'record')} in ${countText(lines, 'line')}`
      : countText(records, unit);
  const title = `${printableSourceName(source)}: ${of}`;
  if (problems.length === 0) return `${title}, no problem found`;
  return [title, ...problems.map((problem) => checkProblemText(problem, colors))].join('\n\n');
}

function numberRangeText({ atLeast, above, atMost }: NumberRange): string {
  const low = atLeast !== undefined ? `from ${atLeast}` : above !== undefined ? `above ${above}` : '';
  return [low, atMost === undefined ? '' : `to ${atMost}`].filter((part) => part !== '').join(' ');
}

/** Bold name with its description, wrapped if a width is given. */
function nameWithDescription(name: string, description: string, colors: Colors, width = Infinity): string {
  return wrapText(`${colors.bold(name)}: ${description}`, width);
}

/** Workload models with their parameters as terminal text, wrapped if a width is given. */
export function modelListText(models: readonly Model[], colors: Colors, width?: number): string {
  const left = (heading: string) => ({ heading, align: 'left' as const });
  const blocks = models.map(({ name, description, parameters }) => {
    const rows = parameters.map((each) => [
      `  ${each.name}`,
      String(each.default),
      numberRangeText(each.range),
      each.description,
    ]);
    const columns = [left('  parameter'), { heading: 'default' }, left('range'), left('meaning')];
    return `${nameWithDescription(name, description, colors, width)}\n\n${formatTable(columns, rows, colors, width)}`;
  });
  return [...blocks, `For instance: '${models.at(-1)?.name}[jobs=1000,seed=2]'`].join('\n\n');
}

/** Presets as terminal text: record filters, home rule and sites; wrapped if a width is given. */
export function presetListText(presets: readonly Preset[], colors: Colors, width?: number): string {
  const blocks = presets.map(({ name, description, filters, home, capacities }) => {
    const left = formatFacts(
      [
        ['  filters', '', filters.map(formatFilter).join(' ')],
        ['  home', '', home],
        ['  sites', '', capacities.join(',')],
      ],
      colors,
      width,
    );
    return `${nameWithDescription(name, description, colors, width)}\n\n${left}`;
  });
  return blocks.join('\n\n');
}
