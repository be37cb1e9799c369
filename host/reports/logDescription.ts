/** Job logs, models and presets for a person at a terminal. */
import {
  countOf,
  formatDate,
  formatDuration,
  formatMeasure,
  formatNumber,
  formatPercent,
} from '../format/numbers.js';
import { sourceName } from '../format/text.js';
import type { NumberRange } from '../notation.js';
import { optionName } from '../options/options.js';
import type { TraceCheck, TraceProblem } from '../trace/checkTrace.js';
import { formatFilter } from '../trace/filter.js';

import type { Distribution, QueueInfo, TraceInfo } from '../trace/info.js';
import type { LogFormat } from '../trace/logFormat.js';
import { joinPlaces } from '../trace/places.js';
import { remarkText } from '../trace/readText.js';
import type { NoteRule, ReadingOption, Trace } from '../trace/trace.js';
import { type Colors, formatFacts, formatTable, LINE, wrapText } from '../view/terminal.js';
import type { Model } from '../workload/models.js';
import type { Preset } from '../workload/presets.js';

type Fact = readonly [label: string, value: string, remark?: string];

function share(value: number | undefined): string {
  return value === undefined ? 'unknown' : formatPercent(value);
}

function distribution(label: string, unit: string, values: Distribution | undefined): Fact[] {
  if (values === undefined) return [];
  const { mean, median, max } = values;
  const remark = `median ${formatMeasure(median)}, longest ${formatMeasure(max)}`;
  return [
    [
      label,
      `${formatNumber(mean, 2)}${unit}`,
      unit === '' ? `processors; ${remark.replace('longest', 'largest')}` : remark,
    ],
  ];
}

function queueTable(queues: readonly QueueInfo[], colors: Colors): string {
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
    formatMeasure(queue.longestRuntime),
    formatNumber(queue.meanProcessors, 2),
    formatNumber(queue.widest),
  ]);
  return formatTable(columns, rows, colors);
}

function dates({ firstSubmitDate, lastSubmitDate }: TraceInfo): Fact[] {
  if (firstSubmitDate === undefined || lastSubmitDate === undefined) return [];
  return [['first submit', dateText(firstSubmitDate), `UTC; last ${dateText(lastSubmitDate)}`]];
}

function dateText(iso: string): string {
  return formatDate(Date.parse(iso) / 1000);
}

function requestedTimes({ jobs, withoutEstimate, hasNoLimits }: TraceInfo): Fact[] {
  if (jobs === 0) return [];
  const others = hasNoLimits
    ? 'the others have no limit, and 365 days count as their request (--no-limit)'
    : 'for the others the runtime serves as the estimate';
  if (withoutEstimate === jobs)
    return [
      [
        'requested times',
        'none',
        hasNoLimits ? others.replace('the others', 'jobs') : 'no estimates for backfilling',
      ],
    ];
  const remark = withoutEstimate === 0 ? 'of every job' : `jobs; ${others}`;
  return [['requested times', formatNumber(jobs - withoutEstimate), remark]];
}

function dependencies({ dependent }: TraceInfo): Fact[] {
  if (dependent === 0) return [];
  return [['preceding jobs', formatNumber(dependent), 'jobs name an earlier one; see --dependencies']];
}

/** Text on the contents of a log, wrapped if a width is given. */
export function infoText(info: TraceInfo, colors: Colors, width?: number): string {
  const machine = [info.computer, info.installation].filter((part) => part !== undefined).join(', ');
  const size = info.maxProcessors ?? info.peakProcessors;
  const isPeak = info.maxProcessors === undefined && size !== undefined;
  const facts: Fact[] = [
    ['records', formatNumber(info.records), `${countOf(info.jobs, 'job')} with a runtime and processors`],
    [
      'processors',
      size === undefined ? 'unknown' : formatNumber(size),
      isPeak ? 'most in use at once (no size in the log)' : 'of the machine',
    ],
    ['first to last submit', `${formatNumber(info.spanSeconds)} s`, formatDuration(info.spanSeconds)],
    ...dates(info),
    ['offered load', share(info.offeredLoad), 'work / (processors x time)'],
    ...distribution('mean runtime', ' s', info.runtime),
    ...distribution('mean job size', '', info.processors),
    ['serial jobs', share(info.serialShare), ''],
    ['sizes a power of two', share(info.powerOfTwoShare), ''],
    ['users', formatNumber(info.users), ''],
    ...requestedTimes(info),
    ...dependencies(info),
    ...info.leftOut.map(
      ({ rule, count }): Fact => ['dropped', formatNumber(count), `records, by the rule ${rule}`],
    ),
  ];
  const title = colors.bold(sourceName(info.source)) + (machine === '' ? '' : `\n${machine}`);
  const parts = [title, formatFacts(facts, colors, width)];
  if (info.queues.length > 1) parts.push(queueTable(info.queues, colors));
  return parts.join('\n\n');
}

/** A sentence for each rule by which records were left out when a log was read: how many, where, and what the first is. */
export function droppedRecordMessages({ source, leftOut = [] }: Trace): string[] {
  return leftOut.map(({ rule, count, places, example }) => {
    const where = `${joinPlaces(places)}${count > places.length ? ', ...' : ''}`;
    const what = rule === 'component' ? 'merged into their jobs by' : 'dropped by';
    return `${sourceName(source)}: ${countOf(count, 'record')} ${what} the rule ${rule} (${where}); the first: ${example}`;
  });
}

const FOR: Readonly<Record<ReadingOption, string>> = {
  arrival: 'accounting records and tables',
  columns: 'tables (CSV, TSV, Parquet)',
  timeZone: 'logs with dates (tables, sacct, Philly)',
};

/** A sentence for each option of reading that made no difference. */
export function unusedOptionMessages({ source, unused = [] }: Pick<Trace, 'source' | 'unused'>): string[] {
  return unused.map(
    (option) => `${sourceName(source)}: --${optionName(option)} has no effect; it is for ${FOR[option]}`,
  );
}

/** Kinds of remarks that tell how far a simulation may be from what the log records. */
const REPORTED_NOTES: readonly NoteRule[] = ['late-arrival', 'suspended', 'resized', 'clock-jump'];

/** A sentence for each remark on the records of a log that a reader of results has to know. */
export function remarkMessages({ source, notes = [] }: Trace): string[] {
  return notes
    .filter(({ rule }) => REPORTED_NOTES.includes(rule))
    .map((note) => `${sourceName(source)}: ${remarkText(note)}`);
}

/** The formats of logs. */
export function formatsText(formats: readonly LogFormat[], colors: Colors): string {
  const columns = ['format', 'title'].map((heading) => ({ heading, align: 'left' as const }));
  const table = formatTable(
    columns,
    formats.map(({ name, title }) => [name, title]),
    colors,
  );
  const widest = Math.max(...formats.map(({ name }) => name.length));
  const examples = formats.map(({ name, example }) => {
    const line = `${name.padEnd(widest)}  ${example.split('\n')[0]}`;
    return line.length > LINE ? `${line.slice(0, LINE - 3)}...` : line;
  });
  const tables = formats.flatMap(({ tables: known = [] }) => known);
  const sources = tables.map(({ name, source }) => wrapText(`${name}: ${source}`, LINE));
  return `${table}\n\nA line of each:\n${examples.join('\n')}\n\nTables that are read without --columns:\n${sources.join('\n')}`;
}

/** Sentence with the number of errors that a check has found. */
export function checkSentence({
  source,
  readable,
  problems,
}: Pick<TraceCheck, 'source' | 'readable' | 'problems'>): string {
  const errors = problems.filter(({ severity }) => severity === 'error');
  const count = errors.reduce((sum, problem) => sum + problem.count, 0);
  const what = readable ? 'cannot be simulated as it is' : 'cannot be read';
  return `${sourceName(source)} ${what}: ${countOf(count, 'error')} of ${countOf(errors.length, 'kind')}`;
}

function problemText(problem: TraceProblem, colors: Colors): string {
  const { rule, severity, count, places, example, meaning } = problem;
  const color = severity === 'error' ? colors.red : colors.yellow;
  const more = count > places.length ? ', ...' : '';
  const where = places.length === 0 ? '' : ` in ${joinPlaces(places)}${more}`;
  return [
    `${color(severity)} ${colors.bold(rule)}, ${countOf(count, 'time')}${where}`,
    `  ${meaning}`,
    `  ${colors.dim(`first: ${example}`)}`,
  ].join('\n');
}

/** Every problem of a log with its count, the first places, what it means and what was found first. */
export function checkText(check: Omit<TraceCheck, 'header'>, colors: Colors): string {
  const { source, records, unit, lines, problems } = check;
  const of =
    unit === 'line' ? `${countOf(records, 'record')} in ${countOf(lines, 'line')}` : countOf(records, unit);
  const title = `${sourceName(source)}: ${of}`;
  if (problems.length === 0) return `${title}, no problem found`;
  return [title, ...problems.map((problem) => problemText(problem, colors))].join('\n\n');
}

function rangeText({ atLeast, above, atMost }: NumberRange): string {
  const low = atLeast !== undefined ? `from ${atLeast}` : above !== undefined ? `above ${above}` : '';
  return [low, atMost === undefined ? '' : `to ${atMost}`].filter((part) => part !== '').join(' ');
}

/** A name in bold and what it is, wrapped into a width, if given. */
function described(name: string, description: string, colors: Colors, width = Infinity): string {
  return wrapText(`${colors.bold(name)}: ${description}`, width);
}

/** Every model with a table of its parameters; wrapped into a width, if given. */
export function modelsText(models: readonly Model[], colors: Colors, width?: number): string {
  const left = (heading: string) => ({ heading, align: 'left' as const });
  const blocks = models.map(({ name, description, parameters }) => {
    const rows = parameters.map((each) => [
      `  ${each.name}`,
      String(each.default),
      rangeText(each.range),
      each.description,
    ]);
    const columns = [left('  parameter'), { heading: 'default' }, left('range'), left('meaning')];
    return `${described(name, description, colors, width)}\n\n${formatTable(columns, rows, colors, width)}`;
  });
  return [...blocks, `For instance: '${models.at(-1)?.name}[jobs=1000,seed=2]'`].join('\n\n');
}

/** Every preset: what it keeps, where jobs are at home, the sites; wrapped into a width, if given. */
export function presetsText(presets: readonly Preset[], colors: Colors, width?: number): string {
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
    return `${described(name, description, colors, width)}\n\n${left}`;
  });
  return blocks.join('\n\n');
}
