/** Reports of methods: judged over replications or over logs, in one simulation each, or one method over replications. */
import type { Bounds, Figure } from '../draw/figureModel.js';
import { capitalized, countOf, formatDuration, formatNumber, listed, valueText } from '../format/numbers.js';
import { firstOf, groupBy } from '../lists.js';
import type { Configuration } from '../options/configuration.js';
import type {
  EstimatedMetric,
  JudgedComparison,
  JudgedMetric,
  MeasuredLog,
  Replicated,
} from '../runs/comparison.js';
import { metricId } from '../simulate/jobMetrics.js';
import type { NamedMetric } from '../simulate/metric.js';
import { hasMetric } from '../simulate/summary.js';
import type { MeanEstimate } from '../statistics/interval.js';
import {
  clearlyBest,
  intervalName,
  meanBounds,
  meansOver,
  ONE_SAMPLE,
  warningsOf,
} from '../statistics/samples.js';
import { type NamedValues, VALUES_FILE } from '../view/files.js';
import { filesBeside, type Report, type ReportFact, reportOf } from '../view/report.js';
import { cellOf, type DetailedCell, type Table, type TableColumn } from '../view/table.js';
import { classTables } from './jobClasses.js';
import {
  bestText,
  compareOnPieces,
  countedBy,
  differenceFigure,
  meanFigure,
  onePanel,
  unitOf,
  verdictNotes,
  verdictSign,
  verdictsTable,
  verdictText,
} from './verdicts.js';

/** File of the sentences for a paper. */
export const METHODS_FILE = 'methods.md';

interface MethodsFacts {
  readonly names: readonly string[];
  /** Absent if all methods have all metrics. */
  readonly configurations?: readonly Pick<Configuration, 'reservations'>[];
  /** Lines on what was simulated. */
  readonly setting: string;
  /** The log or model, in short. */
  readonly workload: string;
  readonly jobs: number;
  /** Tables behind those of the report itself, such as classes of jobs. */
  readonly more: readonly Table[];
  readonly commands: readonly string[];
  readonly environment: readonly ReportFact[];
}

/** A report of methods: the setting, and the files of its folder, are added to its own sections. */
function methodsReport(
  { setting, jobs, more, commands, environment }: MethodsFacts,
  own: Pick<Report, 'title' | 'highlights' | 'tables' | 'figures'>,
  paragraphs: readonly string[],
): Report {
  const tables = [...own.tables, ...more];
  const files = {
    [METHODS_FILE]: 'sentences for a methods section, and what to cite',
    [VALUES_FILE]: 'the values of each method in each replication',
    'results.csv': 'all metrics of every run',
    'results.parquet': 'the same as Parquet',
    'comparison.json': 'what was compared, and what came of it',
    'environment.json': 'versions, hashes, workloads',
  };
  return reportOf({
    ...own,
    description: [...paragraphs, `${setting.replaceAll('\n', '; ')}.`].join('\n\n'),
    highlights: [...own.highlights, { label: 'Jobs', value: formatNumber(jobs) }],
    tables,
    commands,
    environment,
    files: filesBeside(files, tables),
  });
}

const titleOf = ({ names, workload }: MethodsFacts) =>
  `${names.length > 3 ? `${names.length} methods` : names.join(', ')} on ${workload}`;

/** A metric of each method: a value, or the mean over replications with its interval. */
export interface MetricRow {
  readonly metric: NamedMetric;
  readonly values: readonly (number | MeanEstimate)[];
}

/** The table of all metrics, shares as such and not in percent; a dash where a method lacks a metric. */
function metricsTable(
  names: readonly string[],
  { configurations }: Pick<MethodsFacts, 'configurations'>,
  rows: readonly MetricRow[],
  caption: string,
  bounds: Bounds = 'interval',
): Table {
  const isThere = (metric: NamedMetric, method: number) =>
    configurations === undefined || hasMetric(metric, configurations[method]!);
  return {
    id: 'metrics',
    title: 'All metrics',
    caption,
    columns: [
      { title: 'metric', isHeading: true },
      { title: 'unit' },
      ...names.map((title) => ({ title, format: { style: 'measure' } as const })),
    ],
    rows: rows.map(({ metric, values }) => {
      const cells = values.map((value, i) => (isThere(metric, i) ? cellOf(value) : null));
      return [metric.label, metric.unit ?? '', ...cells];
    }),
    bounds,
  };
}

/** The table of all metrics over replications. */
export function meansTable(
  names: readonly string[],
  facts: Pick<MethodsFacts, 'configurations'>,
  rows: readonly MetricRow[],
  metrics: readonly string[],
  { population, replications }: Replicated,
): Table {
  const over = `${meansOver(population, replications)}; shares of 1 where there is no unit.`;
  const caption = [over, ...warningsOf(metrics)].join(' ');
  return metricsTable(names, facts, rows, caption, meanBounds(population, replications));
}

/** Methods judged over replications or logs. */
export interface ComparisonFacts extends MethodsFacts {
  readonly comparison: JudgedComparison;
  /** The methods judged on each log; only of several logs with replications. */
  readonly each?: JudgedLogs | undefined;
}

/** Sentences on a metric: the verdict, notes for readers. */
export const verdictSentences = (
  { name, judgement }: JudgedMetric,
  names: readonly string[],
  { population }: Pick<Replicated, 'population'>,
) => [verdictText(judgement, names, population), ...verdictNotes(judgement, names, name, population)];

/** Sentences on what remains open in a comparison. */
export function caveatsOf({ metrics, population, withoutPieces }: JudgedComparison): string[] {
  const isJudged = metrics.some(({ judgement }) => judgement.isJudged);
  return [
    ...(isJudged || population.counted === undefined ? [population.caveat] : []),
    ...(withoutPieces === undefined ? [] : [withoutPieces]),
  ];
}

/** The report of a comparison over replications or logs. */
export function comparisonReport(facts: ComparisonFacts): Report {
  const { names, comparison, each } = facts;
  const { metrics, population, replications, classes } = comparison;
  const isOne = metrics.length === 1;
  const paragraphs = metrics.flatMap((judged, i) => {
    const sentences = verdictSentences(judged, names, comparison).join(' ');
    return [
      isOne ? sentences : `${capitalized(judged.metric.label)}: ${sentences}`,
      ...(each === undefined ? [] : logVerdicts(each, i, names)),
    ];
  });
  const caveats = [...caveatsOf(comparison), ...(each === undefined ? [] : logCaveats(each))].join(' ');
  const pieces = metrics.flatMap((judged) => compareOnPieces(judged, names));
  return methodsReport(
    facts,
    {
      title: titleOf(facts),
      highlights: [
        ...metrics.map(({ metric, judgement }, i) => ({
          label: isOne ? 'Best' : `Best ${metric.label}`,
          value:
            each === undefined || judgement.isJudged
              ? bestText(judgement, names).join(', ')
              : bestByLog(each, i, names),
        })),
        { label: capitalized(countedBy(population)), value: formatNumber(replications) },
        { label: 'Methods', value: formatNumber(names.length) },
      ],
      tables: [
        ...metrics.map((judged) => verdictsTable(judged, names, comparison)),
        ...pieces.map(({ table }) => table),
        ...classTables(classes, names, comparison),
      ],
      figures: [
        ...metrics.flatMap((judged) => [
          ...(names.length > 1 ? [differenceFigure(judged, names, comparison)] : []),
          meanFigure(judged, names, comparison),
        ]),
        ...pieces.map(({ figure }) => figure),
      ],
    },
    [...paragraphs, caveats],
  );
}

// Methods on each of several logs

/** Several logs, on each of which methods are judged by its own replications. */
export interface JudgedLogs {
  readonly logs: readonly string[];
  readonly ofLogs: readonly JudgedComparison[];
}

/** Logs by the text on them. */
const byText = ({ logs }: JudgedLogs, texts: readonly string[]) => [...groupBy(logs, (_, i) => texts[i]!)];

/** Sentences on the verdicts by a metric on each log; logs with the same sentences are named together. */
export function logVerdicts(each: JudgedLogs, metric: number, names: readonly string[]): string[] {
  const texts = each.ofLogs.map((comparison) => {
    const judged = comparison.metrics[metric]!;
    const pieces = compareOnPieces(judged, names).map(({ sentence }) => sentence);
    return [...verdictSentences(judged, names, comparison), ...pieces].join(' ');
  });
  return byText(each, texts).map(([text, logs]) => `${listed(logs)}: ${text}`);
}

/** `easy on 3 logs; undecided on 1 log`. */
function bestByLog(each: JudgedLogs, metric: number, names: readonly string[]): string {
  const texts = each.ofLogs.map(({ metrics }) => listed(bestText(metrics[metric]!.judgement, names)));
  return byText(each, texts)
    .map(([text, { length }]) => `${text} on ${countOf(length, 'log')}`)
    .join('; ');
}

const isAnyJudged = (ofLogs: readonly JudgedComparison[]) =>
  ofLogs.some(({ metrics }) => metrics.some(({ judgement }) => judgement.isJudged));

/** Caveats of the verdicts on each log, each once. */
export function logCaveats({ ofLogs }: JudgedLogs): string[] {
  const pieces = ofLogs.flatMap(({ withoutPieces }) => withoutPieces ?? []);
  const scope =
    'Verdicts on a log are by its own replications and hold with 95 % on that log by itself, not on all logs together.';
  return [...(isAnyJudged(ofLogs) ? [scope] : []), firstOf(ofLogs).population.caveat, ...new Set(pieces)];
}

function captionOnLogs(ofLogs: readonly JudgedComparison[] | undefined): string {
  if (ofLogs === undefined)
    return 'Bold: far ahead of all others on this log; smaller differences may be chance.';
  const { population, replications } = firstOf(ofLogs);
  const over = `${meansOver(population, replications)}, on each log by itself`;
  return isAnyJudged(ofLogs) ? `${over}; verdicts are by the replications of that log.` : `${over}.`;
}

/** The value of a method on a log judged by its own replications: a mean with its interval and verdict. */
function cellOnLog({ estimates, judgement }: JudgedMetric, method: number): DetailedCell {
  const { mean, low, high } = estimates[method]!;
  return { value: mean, low, high, ...verdictSign(judgement.methods[method]!, judgement) };
}

/**
 * A table for each metric, with a row for each log and a column for each method: the value, emphasized if it is far ahead; with
 * replications the mean, its interval and the verdict on that log.
 * @param names those of the methods.
 * @param ofLogs the methods judged on each log by its own replications, if there are some.
 */
export function logTables(
  logs: readonly MeasuredLog[],
  metrics: readonly NamedMetric[],
  names: readonly string[],
  ofLogs?: readonly JudgedComparison[],
): Table[] {
  const whole = { style: 'fixed' } as const;
  return metrics.map((metric, i): Table => {
    const unit = metric.unit === undefined ? '' : ` [${metric.unit}]`;
    return {
      id: `${metricId(metric.name)}-by-log`,
      title: `${capitalized(metric.label)} on each log${unit}`,
      caption: captionOnLogs(ofLogs),
      columns: [
        { title: 'log', isHeading: true },
        { title: 'jobs', format: whole },
        { title: 'processors', format: whole },
        ...names.map((title): TableColumn => ({ title, format: { style: 'measure' } })),
      ],
      rows: logs.map(({ name, jobs, processors, values }, log) => {
        const judged = ofLogs?.[log]?.metrics[i];
        const best = clearlyBest(values[i]!, metric.better ?? 'less', metric);
        const cells = values[i]!.map((value, method) =>
          judged === undefined ? { value, isEmphasized: method === best } : cellOnLog(judged, method),
        );
        return [name, jobs, processors, ...cells];
      }),
      ...(ofLogs === undefined
        ? {}
        : { bounds: meanBounds(firstOf(ofLogs).population, firstOf(ofLogs).replications) }),
    };
  });
}

// Methods in one simulation each

/** A metric with its values by method. */
type ValuedMetric = NamedMetric & NamedValues;

/** Methods on the unperturbed jobs, with all metrics. */
export interface PlainFacts extends MethodsFacts {
  readonly metrics: readonly ValuedMetric[];
  /** The requested metrics, which are in the first table and drawn; none: the default ones. */
  readonly requestedMetrics: readonly ValuedMetric[];
}

/** The default metrics of the first table, and of figures. */
const SHOWN = ['averageResponseTime', 'meanWait', 'meanBoundedSlowdown', 'averageQueueLength', 'utilization'];
const DRAWN = ['averageResponseTime', 'meanBoundedSlowdown'];

/** A metric of a method; null where it has none. */
function valueIn({ configurations }: PlainFacts, metric: ValuedMetric, method: number): number | null {
  const hasValue = configurations === undefined || hasMetric(metric, configurations[method]!);
  return hasValue ? firstOf(metric.values[method]!) : null;
}

function valueFigure(facts: PlainFacts, metric: ValuedMetric): Figure {
  const { name, label, unit } = metric;
  const found = facts.names.flatMap((x, method) => {
    const y = valueIn(facts, metric, method);
    return y === null ? [] : [{ x, y }];
  });
  const remarkOf = (y: number) => (unit === 's' ? formatDuration(y) : valueText(y, { style: 'measure' }));
  const points = found.sort((a, b) => a.y - b.y).map(({ x, y }) => ({ x, y, remark: remarkOf(y) }));
  return {
    id: metricId(name),
    title: capitalized(label),
    caption: ONE_SAMPLE,
    kind: 'dots',
    x: { title: 'method' },
    y: { title: label, ...unitOf(metric) },
    panels: onePanel(label, points),
  };
}

/** The report of methods on the unperturbed jobs. */
export function plainReport(facts: PlainFacts): Report {
  const { names, metrics, requestedMetrics } = facts;
  const chosen = (defaults: readonly string[]) =>
    requestedMetrics.length > 0 ? requestedMetrics : metrics.filter(({ name }) => defaults.includes(name));
  const shown = chosen(SHOWN);
  const methods: Table = {
    id: 'methods',
    title: 'Methods',
    caption: ONE_SAMPLE,
    columns: [
      { title: 'method', isHeading: true },
      ...shown.map(
        (metric): TableColumn => ({ title: metric.label, format: metric.format, ...unitOf(metric) }),
      ),
    ],
    rows: names.map((name, method) => [name, ...shown.map((metric) => valueIn(facts, metric, method))]),
  };
  const rows = metrics.map((metric): MetricRow => ({ metric, values: metric.values.map(firstOf) }));
  return methodsReport(
    facts,
    {
      title: titleOf(facts),
      highlights: [{ label: 'Methods', value: formatNumber(names.length) }],
      tables: [methods, metricsTable(names, facts, rows, 'Shares of 1 where there is no unit.')],
      figures: chosen(DRAWN).map((metric) => valueFigure(facts, metric)),
    },
    [`${ONE_SAMPLE} Replications show how certain they are.`],
  );
}

// One method over replications

/** One method over replications, with all metrics. */
export interface ReplicationsFacts extends MethodsFacts, Replicated {
  /** Heading of the count of samples. */
  readonly head: string;
  readonly metrics: readonly EstimatedMetric[];
}

/** Figure of the precision of each metric: its interval in percent of its mean; none without intervals. */
function precisionFigure({ metrics, replications, population }: ReplicationsFacts): Figure[] {
  const interval = intervalName(population, replications);
  const points = metrics
    .filter(({ estimate: { mean, low, high } }) => mean !== 0 && low !== high)
    .map(({ metric: { label, unit, format }, estimate: { mean, low, high } }) => ({
      ...{ x: label, y: 0, low: low / mean - 1, high: high / mean - 1 },
      remark: unit === 's' ? formatDuration(mean) : valueText(mean, format),
    }));
  if (points.length === 0) return [];
  return [
    {
      id: 'precision',
      title: 'How sure each mean is',
      caption: `${capitalized(interval)} of each mean in percent of it, over ${formatNumber(replications)} ${population.copies}; at the right the mean.`,
      kind: 'dots',
      bounds: meanBounds(population, replications),
      x: { title: 'metric' },
      y: { title: 'from the mean', format: { style: 'percent', isSigned: true } },
      panels: onePanel(interval, points),
    },
  ];
}

/** The report of one method over replications. */
export function replicationsReport(facts: ReplicationsFacts): Report {
  const { names, head, workload, metrics, replications, population } = facts;
  const rows = metrics.map(
    ({ name, metric, estimate }): MetricRow => ({ metric: { ...metric, name }, values: [estimate] }),
  );
  const shown = metrics.map(({ name }) => name);
  return methodsReport(
    facts,
    {
      title: `${names[0]} on ${workload}, ${countOf(replications, 'replication')}`,
      highlights: [{ label: 'Replications', value: formatNumber(replications) }],
      tables: [meansTable(['mean'], facts, rows, shown, facts)],
      figures: precisionFigure(facts),
    },
    [`${head}.`, population.caveat],
  );
}
