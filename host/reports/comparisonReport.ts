/**
 * Reports on methods: compared over replications or logs, compared in one simulation each, or one method
 * over replications.
 */
import type { Bounds, Figure } from '../draw/figureModel.js';
import {
  capitalizeFirst,
  countText,
  enumerationText,
  formatDuration,
  formatNumber,
  valueText,
} from '../format/numbers.js';
import { firstElement, groupBy } from '../lists.js';
import type { Configuration } from '../options/configuration.js';
import type {
  EstimatedMetric,
  JudgedComparison,
  JudgedMetric,
  MeasuredLog,
  ReplicatedFacts,
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
  ONE_SAMPLE_REMARK,
  warningsForMetrics,
} from '../statistics/samples.js';
import { type NamedValues, VALUES_FILE_NAME } from '../view/files.js';
import { filesBesideTables, type Report, type ReportFact, reportOfSections } from '../view/report.js';
import { cellOfValue, type DetailedCell, type Table, type TableColumn } from '../view/table.js';
import { classTables } from './jobClasses.js';
import {
  bestMethodLines,
  compareOnPieces,
  countedPopulationText,
  differenceFigure,
  methodMeansFigure,
  metricUnitEntry,
  singleFigurePanel,
  verdictNotes,
  verdictSign,
  verdictsTable,
  verdictText,
} from './verdicts.js';

/** Name of the file with sentences for a paper's methods section. */
export const METHODS_FILE = 'methods.md';

interface MethodsFacts {
  readonly names: readonly string[];
  /** Configuration of each method; absent if all methods have all metrics. */
  readonly configurations?: readonly Pick<Configuration, 'reservations'>[];
  /** Lines that describe the simulated jobs, sites and options. */
  readonly setting: string;
  /** Short name of the log or model. */
  readonly workload: string;
  readonly jobs: number;
  /** Additional tables after the report's own, such as job classes. */
  readonly more: readonly Table[];
  readonly commands: readonly string[];
  readonly environment: readonly ReportFact[];
}

/** Report on methods: adds setting, files and commands to the given sections. */
function methodsReport(
  { setting, jobs, more, commands, environment }: MethodsFacts,
  own: Pick<Report, 'title' | 'highlights' | 'tables' | 'figures'>,
  paragraphs: readonly string[],
): Report {
  const tables = [...own.tables, ...more];
  const files = {
    [METHODS_FILE]: 'sentences for a methods section, and what to cite',
    [VALUES_FILE_NAME]: 'the values of each method in each replication',
    'results.csv': 'all metrics of every run',
    'results.parquet': 'the same as Parquet',
    'comparison.json': 'what was compared, and what came of it',
    'environment.json': 'versions, hashes, workloads',
  };
  return reportOfSections({
    ...own,
    description: [...paragraphs, `${setting.replaceAll('\n', '; ')}.`].join('\n\n'),
    highlights: [...own.highlights, { label: 'Jobs', value: formatNumber(jobs) }],
    tables,
    commands,
    environment,
    files: filesBesideTables(files, tables),
  });
}

const methodsTitle = ({ names, workload }: MethodsFacts) =>
  `${names.length > 3 ? `${names.length} methods` : names.join(', ')} on ${workload}`;

/** Metric with one value per method: a single value, or a mean with its interval. */
export interface MetricRow {
  readonly metric: NamedMetric;
  readonly values: readonly (number | MeanEstimate)[];
}

/**
 * Table of all metrics by method; shares are not converted to percent, and a dash means that a method lacks
 * the metric.
 */
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
      const cells = values.map((value, i) => (isThere(metric, i) ? cellOfValue(value) : null));
      return [metric.label, metric.unit ?? '', ...cells];
    }),
    bounds,
  };
}

/** Table of all metrics over replications: means with intervals. */
export function meansTable(
  names: readonly string[],
  facts: Pick<MethodsFacts, 'configurations'>,
  rows: readonly MetricRow[],
  metrics: readonly string[],
  { population, replications }: ReplicatedFacts,
): Table {
  const over = `${meansOver(population, replications)}; shares of 1 where there is no unit.`;
  const caption = [over, ...warningsForMetrics(metrics)].join(' ');
  return metricsTable(names, facts, rows, caption, meanBounds(population, replications));
}

/** Facts for a report on methods that were compared over replications or logs. */
export interface ComparisonFacts extends MethodsFacts {
  readonly comparison: JudgedComparison;
  /** Comparison on each log by its own replications; only if there are several logs. */
  readonly each?: JudgedLogs | undefined;
}

/** Sentences on the comparison by one metric: verdict and notes. */
export const verdictSentences = (
  { name, judgement }: JudgedMetric,
  names: readonly string[],
  { population }: Pick<ReplicatedFacts, 'population'>,
) => [verdictText(judgement, names, population), ...verdictNotes(judgement, names, name, population)];

/** Caveats of a comparison, such as the population that the replications represent. */
export function comparisonCaveats({ metrics, population, withoutPieces }: JudgedComparison): string[] {
  const isJudged = metrics.some(({ judgement }) => judgement.isJudged);
  return [
    ...(isJudged || population.counted === undefined ? [population.caveat] : []),
    ...(withoutPieces === undefined ? [] : [withoutPieces]),
  ];
}

/** Report of a comparison over replications or logs. */
export function comparisonReport(facts: ComparisonFacts): Report {
  const { names, comparison, each } = facts;
  const { metrics, population, replications, classes } = comparison;
  const isSingle = metrics.length === 1;
  const paragraphs = metrics.flatMap((judged, i) => {
    const messageSentences = verdictSentences(judged, names, comparison).join(' ');
    return [
      isSingle ? messageSentences : `${capitalizeFirst(judged.metric.label)}: ${messageSentences}`,
      ...(each === undefined ? [] : logVerdictTexts(each, i, names)),
    ];
  });
  const comparisonCaveatList = [
    ...comparisonCaveats(comparison),
    ...(each === undefined ? [] : logCaveats(each)),
  ].join(' ');
  const pieceComparisons = metrics.flatMap((judged) => compareOnPieces(judged, names));
  return methodsReport(
    facts,
    {
      title: methodsTitle(facts),
      highlights: [
        ...metrics.map(({ metric, judgement }, i) => ({
          label: isSingle ? 'Best' : `Best ${metric.label}`,
          value:
            each === undefined || judgement.isJudged
              ? bestMethodLines(judgement, names).join(', ')
              : bestMethodByLog(each, i, names),
        })),
        { label: capitalizeFirst(countedPopulationText(population)), value: formatNumber(replications) },
        { label: 'Methods', value: formatNumber(names.length) },
      ],
      tables: [
        ...metrics.map((judged) => verdictsTable(judged, names, comparison)),
        ...pieceComparisons.map(({ table }) => table),
        ...classTables(classes, names, comparison),
      ],
      figures: [
        ...metrics.flatMap((judged) => [
          ...(names.length > 1 ? [differenceFigure(judged, names, comparison)] : []),
          methodMeansFigure(judged, names, comparison),
        ]),
        ...pieceComparisons.map(({ figure }) => figure),
      ],
    },
    [...paragraphs, comparisonCaveatList],
  );
}

// Comparison of methods on each of several logs

/** Several logs with the comparison of methods on each of them. */
export interface JudgedLogs {
  readonly logs: readonly string[];
  readonly ofLogs: readonly JudgedComparison[];
}

/** Groups logs that share the same text. */
const metricByText = ({ logs }: JudgedLogs, texts: readonly string[]) => [
  ...groupBy(logs, (_, i) => texts[i]!),
];

/** Verdict sentences by one metric for each log; logs with the same sentences are listed together. */
export function logVerdictTexts(each: JudgedLogs, metric: number, names: readonly string[]): string[] {
  const texts = each.ofLogs.map((comparison) => {
    const judged = comparison.metrics[metric]!;
    const pieceComparisons = compareOnPieces(judged, names).map(({ sentence }) => sentence);
    return [...verdictSentences(judged, names, comparison), ...pieceComparisons].join(' ');
  });
  return metricByText(each, texts).map(([text, logs]) => `${enumerationText(logs)}: ${text}`);
}

/** Number of logs on which each method is best: `easy on 3 logs; undecided on 1 log`. */
function bestMethodByLog(each: JudgedLogs, metric: number, names: readonly string[]): string {
  const texts = each.ofLogs.map(({ metrics }) =>
    enumerationText(bestMethodLines(metrics[metric]!.judgement, names)),
  );
  return metricByText(each, texts)
    .map(([text, { length }]) => `${text} on ${countText(length, 'log')}`)
    .join('; ');
}

const isAnyLogJudged = (ofLogs: readonly JudgedComparison[]) =>
  ofLogs.some(({ metrics }) => metrics.some(({ judgement }) => judgement.isJudged));

/** Caveats of the comparisons on single logs, each once. */
export function logCaveats({ ofLogs }: JudgedLogs): string[] {
  const pieceComparisons = ofLogs.flatMap(({ withoutPieces }) => withoutPieces ?? []);
  const caveatScope =
    'Verdicts on a log are by its own replications and hold with 95 % on that log by itself, not on all logs together.';
  return [
    ...(isAnyLogJudged(ofLogs) ? [caveatScope] : []),
    firstElement(ofLogs).population.caveat,
    ...new Set(pieceComparisons),
  ];
}

function captionOnLogs(ofLogs: readonly JudgedComparison[] | undefined): string {
  if (ofLogs === undefined)
    return 'Bold: far ahead of all others on this log; smaller differences may be chance.';
  const { population, replications } = firstElement(ofLogs);
  const over = `${meansOver(population, replications)}, on each log by itself`;
  return isAnyLogJudged(ofLogs) ? `${over}; verdicts are by the replications of that log.` : `${over}.`;
}

/** Table cell of a method on one log: mean with interval and verdict. */
function estimateCellOnLog({ estimates, judgement }: JudgedMetric, method: number): DetailedCell {
  const { mean, low, high } = estimates[method]!;
  return { value: mean, low, high, ...verdictSign(judgement.methods[method]!, judgement) };
}

/**
 * Tables of methods on several logs, one per metric: a row per log, a column per method. Cells have the
 * value or, with replications, the mean with its interval and the verdict on that log.
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
      title: `${capitalizeFirst(metric.label)} on each log${unit}`,
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
          judged === undefined ? { value, isEmphasized: method === best } : estimateCellOnLog(judged, method),
        );
        return [name, jobs, processors, ...cells];
      }),
      ...(ofLogs === undefined
        ? {}
        : { bounds: meanBounds(firstElement(ofLogs).population, firstElement(ofLogs).replications) }),
    };
  });
}

// Comparison of methods in one simulation each

/** Metric with its value for each method. */
type ValuedMetric = NamedMetric & NamedValues;

/** Facts for a report on methods in one simulation of the original jobs each. */
export interface PlainFacts extends MethodsFacts {
  readonly metrics: readonly ValuedMetric[];
  /** Requested metrics, shown in the first table and drawn; if empty, the default metrics. */
  readonly requestedMetrics: readonly ValuedMetric[];
}

/** Default metrics of the first table. */
const TABLE_METRICS = [
  'averageResponseTime',
  'meanWait',
  'meanBoundedSlowdown',
  'averageQueueLength',
  'utilization',
];
const FIGURE_METRICS = ['averageResponseTime', 'meanBoundedSlowdown'];

/** Value of a metric for a method; null if the method lacks the metric. */
function metricValueOf({ configurations }: PlainFacts, metric: ValuedMetric, method: number): number | null {
  const hasMetricValue = configurations === undefined || hasMetric(metric, configurations[method]!);
  return hasMetricValue ? firstElement(metric.values[method]!) : null;
}

function valueFigure(facts: PlainFacts, metric: ValuedMetric): Figure {
  const { name, label, unit } = metric;
  const found = facts.names.flatMap((x, method) => {
    const y = metricValueOf(facts, metric, method);
    return y === null ? [] : [{ x, y }];
  });
  const valueRemarkOf = (y: number) =>
    unit === 's' ? formatDuration(y) : valueText(y, { style: 'measure' });
  const points = found.sort((a, b) => a.y - b.y).map(({ x, y }) => ({ x, y, remark: valueRemarkOf(y) }));
  return {
    id: metricId(name),
    title: capitalizeFirst(label),
    caption: ONE_SAMPLE_REMARK,
    kind: 'dots',
    x: { title: 'method' },
    y: { title: label, ...metricUnitEntry(metric) },
    panels: singleFigurePanel(label, points),
  };
}

/** Report on methods in one simulation of the original jobs each. */
export function plainReport(facts: PlainFacts): Report {
  const { names, metrics, requestedMetrics } = facts;
  const chosen = (defaults: readonly string[]) =>
    requestedMetrics.length > 0 ? requestedMetrics : metrics.filter(({ name }) => defaults.includes(name));
  const shown = chosen(TABLE_METRICS);
  const methods: Table = {
    id: 'methods',
    title: 'Methods',
    caption: ONE_SAMPLE_REMARK,
    columns: [
      { title: 'method', isHeading: true },
      ...shown.map(
        (metric): TableColumn => ({ title: metric.label, format: metric.format, ...metricUnitEntry(metric) }),
      ),
    ],
    rows: names.map((name, method) => [name, ...shown.map((metric) => metricValueOf(facts, metric, method))]),
  };
  const rows = metrics.map((metric): MetricRow => ({ metric, values: metric.values.map(firstElement) }));
  return methodsReport(
    facts,
    {
      title: methodsTitle(facts),
      highlights: [{ label: 'Methods', value: formatNumber(names.length) }],
      tables: [methods, metricsTable(names, facts, rows, 'Shares of 1 where there is no unit.')],
      figures: chosen(FIGURE_METRICS).map((metric) => valueFigure(facts, metric)),
    },
    [`${ONE_SAMPLE_REMARK} Replications show how certain they are.`],
  );
}

// One method over replications

/** Facts for a report on one method over replications. */
export interface ReplicationsFacts extends MethodsFacts, ReplicatedFacts {
  /** Heading above the number of samples, such as `replications`. */
  readonly head: string;
  readonly metrics: readonly EstimatedMetric[];
}

/**
 * Figure of the precision of each metric: half width of its interval in percent of the mean; undefined
 * without intervals.
 */
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
      caption: `${capitalizeFirst(interval)} of each mean in percent of it, over ${formatNumber(replications)} ${population.copies}; at the right the mean.`,
      kind: 'dots',
      bounds: meanBounds(population, replications),
      x: { title: 'metric' },
      y: { title: 'from the mean', format: { style: 'percent', isSigned: true } },
      panels: singleFigurePanel(interval, points),
    },
  ];
}

/** Report on one method over replications. */
export function replicationsReport(facts: ReplicationsFacts): Report {
  const { names, head, workload, metrics, replications, population } = facts;
  const rows = metrics.map(
    ({ name, metric, estimate }): MetricRow => ({ metric: { ...metric, name }, values: [estimate] }),
  );
  const shown = metrics.map(({ name }) => name);
  return methodsReport(
    facts,
    {
      title: `${names[0]} on ${workload}, ${countText(replications, 'replication')}`,
      highlights: [{ label: 'Replications', value: formatNumber(replications) }],
      tables: [meansTable(['mean'], facts, rows, shown, facts)],
      figures: precisionFigure(facts),
    },
    [`${head}.`, population.caveat],
  );
}
