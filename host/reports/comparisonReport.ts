/**
 * Reports on methods: compared over replications or logs, compared in one simulation each, or one method
 * over replications.
 */
import type { BoundsKind, Figure } from '../draw/figureModel.js';
import {
  capitalizeFirst,
  formatCount,
  formatDuration,
  formatNumber,
  formatValue,
  joinWithAnd,
} from '../format/numbers.js';
import { firstElement, groupBy } from '../lists.js';
import type { Configuration } from '../options/configuration.js';
import type {
  EstimatedMetric,
  JudgedComparison,
  JudgedMetric,
  LogResultsWithSize,
  ReplicatedFacts,
} from '../runs/comparison.js';
import { metricAsFileName } from '../simulate/jobMetrics.js';
import type { NamedMetric } from '../simulate/metric.js';
import { hasRunMetric } from '../simulate/summary.js';
import type { MeanEstimate } from '../statistics/interval.js';
import {
  describeMeansOverReplications,
  findClearlyBestValue,
  kindOfMeanBounds,
  makeWarningsOnMeans,
  nameMeanInterval,
  SINGLE_SIMULATION_REMARK,
} from '../statistics/samples.js';
import { type NamedMetricValues, VALUES_FILE_NAME } from '../view/files.js';
import { describeReportFiles, makeReportOfSections, type Report, type ReportFact } from '../view/report.js';
import { type DetailedCell, makeCellOfValue, type Table, type TableColumn } from '../view/table.js';
import { makeClassTables } from './jobClasses.js';
import {
  bestMethodNames,
  chooseReplicationUnit,
  compareOnLogPieces,
  describeVerdicts,
  makeDifferenceFigure,
  makeMethodMeansFigure,
  makeSingleSeriesPanel,
  makeVerdictsTable,
  notesOnJudgement,
  signOfVerdict,
  unitEntryOfMetric,
} from './verdicts.js';

/** Name of the file with sentences for a paper's methods section. */
export const METHODS_SECTION_FILE = 'methods.md';

interface MethodsReportFacts {
  readonly names: readonly string[];
  /** Configuration of each method; absent if all methods have all metrics. */
  readonly configurations?: readonly Pick<Configuration, 'reservations'>[];
  /** Lines that describe the simulated jobs, sites and options. */
  readonly setting: string;
  /** Short name of the log or model. */
  readonly workload: string;
  readonly jobs: number;
  /** Additional tables after the report's own, such as job classes. */
  readonly extraTables: readonly Table[];
  readonly commands: readonly string[];
  readonly environment: readonly ReportFact[];
}

/** Report on methods: adds setting, files and commands to the given sections. */
function makeMethodsReport(
  { setting, jobs: jobCount, extraTables, commands, environment }: MethodsReportFacts,
  sections: Pick<Report, 'title' | 'highlights' | 'tables' | 'figures'>,
  paragraphs: readonly string[],
): Report {
  const tables = [...sections.tables, ...extraTables];
  const files = {
    [METHODS_SECTION_FILE]: 'sentences for a methods section, and what to cite',
    [VALUES_FILE_NAME]: 'the values of each method in each replication',
    'results.csv': 'all metrics of every run',
    'results.parquet': 'the same as Parquet',
    'comparison.json': 'what was compared, and what came of it',
    'environment.json': 'versions, hashes, workloads',
  };
  return makeReportOfSections({
    ...sections,
    description: [...paragraphs, `${setting.replaceAll('\n', '; ')}.`].join('\n\n'),
    highlights: [...sections.highlights, { label: 'Jobs', value: formatNumber(jobCount) }],
    tables,
    commands,
    environment,
    files: describeReportFiles(files, tables),
  });
}

const makeMethodsReportTitle = ({ names: methodNames, workload }: MethodsReportFacts) =>
  `${methodNames.length > 3 ? `${methodNames.length} methods` : methodNames.join(', ')} on ${workload}`;

/** Metric with one value per method: a single value, or a mean with its interval. */
export interface MetricValuesByMethod {
  readonly metric: NamedMetric;
  readonly values: readonly (number | MeanEstimate)[];
}

/**
 * Table of all metrics by method; shares are not converted to percent, and a dash means that a method lacks
 * the metric.
 */
function makeMetricsTable(
  methodNames: readonly string[],
  { configurations }: Pick<MethodsReportFacts, 'configurations'>,
  metricRows: readonly MetricValuesByMethod[],
  caption: string,
  boundsKind: BoundsKind = 'interval',
): Table {
  const hasMetric = (metric: NamedMetric, method: number) =>
    configurations === undefined || hasRunMetric(metric, configurations[method]!);
  return {
    id: 'metrics',
    title: 'All metrics',
    caption,
    columns: [
      { title: 'metric', isHeading: true },
      { title: 'unit' },
      ...methodNames.map((title) => ({ title, format: { style: 'measure' } as const })),
    ],
    rows: metricRows.map(({ metric, values: metricRowValues }) => {
      const cells = metricRowValues.map((value, i) => (hasMetric(metric, i) ? makeCellOfValue(value) : null));
      return [metric.label, metric.unit ?? '', ...cells];
    }),
    bounds: boundsKind,
  };
}

/** Table of all metrics over replications: means with intervals. */
export function makeMeansTable(
  methodNames: readonly string[],
  facts: Pick<MethodsReportFacts, 'configurations'>,
  metricRows: readonly MetricValuesByMethod[],
  metrics: readonly string[],
  { population, replications: replicationCount }: ReplicatedFacts,
): Table {
  const replicationCaption = `${describeMeansOverReplications(population, replicationCount)}; shares of 1 where there is no unit.`;
  const caption = [replicationCaption, ...makeWarningsOnMeans(metrics)].join(' ');
  return makeMetricsTable(
    methodNames,
    facts,
    metricRows,
    caption,
    kindOfMeanBounds(population, replicationCount),
  );
}

/** Facts for a report on methods that were compared over replications or logs. */
export interface ComparisonReportFacts extends MethodsReportFacts {
  readonly comparison: JudgedComparison;
  /** Comparison on each log by its own replications; only if there are several logs. */
  readonly comparisonsByLog?: LogsWithComparisons | undefined;
}

/** Sentences on the comparison by one metric: verdict and notes. */
export const describeMetricVerdicts = (
  { name: metricName, judgement }: JudgedMetric,
  methodNames: readonly string[],
  { population }: Pick<ReplicatedFacts, 'population'>,
) => [
  describeVerdicts(judgement, methodNames, population),
  ...notesOnJudgement(judgement, methodNames, metricName, population),
];

/** Caveats of a comparison, such as the population that the replications represent. */
export function listComparisonCaveats({ metrics, population, withoutPieces }: JudgedComparison): string[] {
  const isJudged = metrics.some(({ judgement }) => judgement.isJudged);
  return [
    ...(isJudged || population.counted === undefined ? [population.caveat] : []),
    ...(withoutPieces === undefined ? [] : [withoutPieces]),
  ];
}

/** Report of a comparison over replications or logs. */
export function makeComparisonReport(facts: ComparisonReportFacts): Report {
  const { names: methodNames, comparison, comparisonsByLog } = facts;
  const { metrics, population, replications: replicationCount, classes } = comparison;
  const isSingle = metrics.length === 1;
  const paragraphs = metrics.flatMap((judgedMetric, i) => {
    const messageSentences = describeMetricVerdicts(judgedMetric, methodNames, comparison).join(' ');
    return [
      isSingle ? messageSentences : `${capitalizeFirst(judgedMetric.metric.label)}: ${messageSentences}`,
      ...(comparisonsByLog === undefined ? [] : describeVerdictsByLog(comparisonsByLog, i, methodNames)),
    ];
  });
  const caveats = [
    ...listComparisonCaveats(comparison),
    ...(comparisonsByLog === undefined ? [] : listCaveatsOfLogComparisons(comparisonsByLog)),
  ].join(' ');
  const pieceComparisons = metrics.flatMap((judgedMetric) => compareOnLogPieces(judgedMetric, methodNames));
  return makeMethodsReport(
    facts,
    {
      title: makeMethodsReportTitle(facts),
      highlights: [
        ...metrics.map(({ metric, judgement }, i) => ({
          label: isSingle ? 'Best' : `Best ${metric.label}`,
          value:
            comparisonsByLog === undefined || judgement.isJudged
              ? bestMethodNames(judgement, methodNames).join(', ')
              : countLogsByBestMethod(comparisonsByLog, i, methodNames),
        })),
        { label: capitalizeFirst(chooseReplicationUnit(population)), value: formatNumber(replicationCount) },
        { label: 'Methods', value: formatNumber(methodNames.length) },
      ],
      tables: [
        ...metrics.map((judgedMetric) => makeVerdictsTable(judgedMetric, methodNames, comparison)),
        ...pieceComparisons.map(({ table }) => table),
        ...makeClassTables(classes, methodNames, comparison),
      ],
      figures: [
        ...metrics.flatMap((judgedMetric) => [
          ...(methodNames.length > 1 ? [makeDifferenceFigure(judgedMetric, methodNames, comparison)] : []),
          makeMethodMeansFigure(judgedMetric, methodNames, comparison),
        ]),
        ...pieceComparisons.map(({ figure }) => figure),
      ],
    },
    [...paragraphs, caveats],
  );
}

// Comparison of methods on each of several logs

/** Several logs with the comparison of methods on each of them. */
export interface LogsWithComparisons {
  readonly logs: readonly string[];
  readonly comparisons: readonly JudgedComparison[];
}

/** Groups logs that share the same text. */
const groupLogsWithEqualText = ({ logs }: LogsWithComparisons, logTexts: readonly string[]) => [
  ...groupBy(logs, (_, i) => logTexts[i]!),
];

/** Verdict sentences by one metric for each log; logs with the same sentences are listed together. */
export function describeVerdictsByLog(
  logComparisons: LogsWithComparisons,
  metricIndex: number,
  names: readonly string[],
): string[] {
  const verdictTexts = logComparisons.comparisons.map((comparison) => {
    const judgedMetric = comparison.metrics[metricIndex]!;
    const pieceSentences = compareOnLogPieces(judgedMetric, names).map(
      ({ sentence: comparisonSentence }) => comparisonSentence,
    );
    return [...describeMetricVerdicts(judgedMetric, names, comparison), ...pieceSentences].join(' ');
  });
  return groupLogsWithEqualText(logComparisons, verdictTexts).map(
    ([text, logs]) => `${joinWithAnd(logs)}: ${text}`,
  );
}

/** Number of logs on which each method is best: `easy on 3 logs; undecided on 1 log`. */
function countLogsByBestMethod(
  logComparisons: LogsWithComparisons,
  metricIndex: number,
  names: readonly string[],
): string {
  const verdictTexts = logComparisons.comparisons.map(({ metrics }) =>
    joinWithAnd(bestMethodNames(metrics[metricIndex]!.judgement, names)),
  );
  return groupLogsWithEqualText(logComparisons, verdictTexts)
    .map(([text, { length }]) => `${text} on ${formatCount(length, 'log')}`)
    .join('; ');
}

const isAnyLogJudged = (comparisons: readonly JudgedComparison[]) =>
  comparisons.some(({ metrics }) => metrics.some(({ judgement }) => judgement.isJudged));

/** Caveats of the comparisons on single logs, each once. */
export function listCaveatsOfLogComparisons({ comparisons }: LogsWithComparisons): string[] {
  const reasonsWithoutPieces = comparisons.flatMap(({ withoutPieces }) => withoutPieces ?? []);
  const caveatScopeText =
    'Verdicts on a log are by its own replications and hold with 95 % on that log by itself, not on all logs together.';
  return [
    ...(isAnyLogJudged(comparisons) ? [caveatScopeText] : []),
    firstElement(comparisons).population.caveat,
    ...new Set(reasonsWithoutPieces),
  ];
}

function makeCaptionOfLogTable(comparisons: readonly JudgedComparison[] | undefined): string {
  if (comparisons === undefined)
    return 'Bold: far ahead of all others on this log; smaller differences may be chance.';
  const { population, replications: replicationCount } = firstElement(comparisons);
  const replicationCaption = `${describeMeansOverReplications(population, replicationCount)}, on each log by itself`;
  return isAnyLogJudged(comparisons)
    ? `${replicationCaption}; verdicts are by the replications of that log.`
    : `${replicationCaption}.`;
}

/** Table cell of a method on one log: mean with interval and verdict. */
function makeEstimateCellOnLog({ estimates, judgement }: JudgedMetric, method: number): DetailedCell {
  const { mean, low, high } = estimates[method]!;
  return { value: mean, low, high, ...signOfVerdict(judgement.methods[method]!, judgement) };
}

/**
 * Tables of methods on several logs, one per metric: a row per log, a column per method. Cells contain the
 * value or, with replications, the mean with its interval and the verdict on that log.
 * @param names names of the methods.
 * @param comparisonsByLog comparison on each log over its own replications, if any.
 */
export function makeLogTables(
  logs: readonly LogResultsWithSize[],
  metrics: readonly NamedMetric[],
  names: readonly string[],
  comparisonsByLog?: readonly JudgedComparison[],
): Table[] {
  const wholeNumberFormat = { style: 'fixed' } as const;
  return metrics.map((metric, i): Table => {
    const unitSuffix = metric.unit === undefined ? '' : ` [${metric.unit}]`;
    return {
      id: `${metricAsFileName(metric.name)}-by-log`,
      title: `${capitalizeFirst(metric.label)} on each log${unitSuffix}`,
      caption: makeCaptionOfLogTable(comparisonsByLog),
      columns: [
        { title: 'log', isHeading: true },
        { title: 'jobs', format: wholeNumberFormat },
        { title: 'processors', format: wholeNumberFormat },
        ...names.map((title): TableColumn => ({ title, format: { style: 'measure' } })),
      ],
      rows: logs.map(({ name: logName, jobs: jobCount, processors, values: logValues }, log) => {
        const judgedMetric = comparisonsByLog?.[log]?.metrics[i];
        const bestIndex = findClearlyBestValue(logValues[i]!, metric.better ?? 'less', metric);
        const detailedCells = logValues[i]!.map((value, method) =>
          judgedMetric === undefined
            ? { value, isEmphasized: method === bestIndex }
            : makeEstimateCellOnLog(judgedMetric, method),
        );
        return [logName, jobCount, processors, ...detailedCells];
      }),
      ...(comparisonsByLog === undefined
        ? {}
        : {
            bounds: kindOfMeanBounds(
              firstElement(comparisonsByLog).population,
              firstElement(comparisonsByLog).replications,
            ),
          }),
    };
  });
}

// Comparison of methods in one simulation each

/** Metric with its value for each method. */
type NamedMetricWithValues = NamedMetric & NamedMetricValues;

/** Facts for a report on methods in one simulation of the original jobs each. */
export interface UnperturbedReportFacts extends MethodsReportFacts {
  readonly metrics: readonly NamedMetricWithValues[];
  /** Requested metrics, shown in the first table and drawn; if empty, the default metrics. */
  readonly requestedMetrics: readonly NamedMetricWithValues[];
}

/** Default metrics of the first table. */
const DEFAULT_TABLE_METRICS = [
  'averageResponseTime',
  'meanWait',
  'meanBoundedSlowdown',
  'averageQueueLength',
  'utilization',
];
const DEFAULT_FIGURE_METRICS = ['averageResponseTime', 'meanBoundedSlowdown'];

/** Value of a metric for a method; null if the method lacks the metric. */
function getMetricValueOfMethod(
  { configurations }: UnperturbedReportFacts,
  metricWithValues: NamedMetricWithValues,
  method: number,
): number | null {
  const hasMetricValue =
    configurations === undefined || hasRunMetric(metricWithValues, configurations[method]!);
  return hasMetricValue ? firstElement(metricWithValues.values[method]!) : null;
}

function makeMetricValueFigure(facts: UnperturbedReportFacts, valuedMetric: NamedMetricWithValues): Figure {
  const { name: metricName, label: metricLabel, unit: metricUnit } = valuedMetric;
  const unsortedPoints = facts.names.flatMap((methodName, method) => {
    const y = getMetricValueOfMethod(facts, valuedMetric, method);
    return y === null ? [] : [{ x: methodName, y }];
  });
  const formatValueRemark = (y: number) =>
    metricUnit === 's' ? formatDuration(y) : formatValue(y, { style: 'measure' });
  const methodPoints = unsortedPoints
    .sort((a, b) => a.y - b.y)
    .map(({ x, y }) => ({ x, y, remark: formatValueRemark(y) }));
  return {
    id: metricAsFileName(metricName),
    title: capitalizeFirst(metricLabel),
    caption: SINGLE_SIMULATION_REMARK,
    kind: 'dots',
    x: { title: 'method' },
    y: { title: metricLabel, ...unitEntryOfMetric(valuedMetric) },
    panels: makeSingleSeriesPanel(metricLabel, methodPoints),
  };
}

/** Report on methods in one simulation of the original jobs each. */
export function makeUnperturbedReport(facts: UnperturbedReportFacts): Report {
  const { names: methodNames, metrics, requestedMetrics } = facts;
  const chooseMetrics = (defaultMetricNames: readonly string[]) =>
    requestedMetrics.length > 0
      ? requestedMetrics
      : metrics.filter(({ name: metricName }) => defaultMetricNames.includes(metricName));
  const tableMetrics = chooseMetrics(DEFAULT_TABLE_METRICS);
  const methodsTable: Table = {
    id: 'methods',
    title: 'Methods',
    caption: SINGLE_SIMULATION_REMARK,
    columns: [
      { title: 'method', isHeading: true },
      ...tableMetrics.map(
        (metricWithValues): TableColumn => ({
          title: metricWithValues.label,
          format: metricWithValues.format,
          ...unitEntryOfMetric(metricWithValues),
        }),
      ),
    ],
    rows: methodNames.map((methodName, method) => [
      methodName,
      ...tableMetrics.map((metricWithValues) => getMetricValueOfMethod(facts, metricWithValues, method)),
    ]),
  };
  const metricRows = metrics.map(
    (metricWithValues): MetricValuesByMethod => ({
      metric: metricWithValues,
      values: metricWithValues.values.map(firstElement),
    }),
  );
  return makeMethodsReport(
    facts,
    {
      title: makeMethodsReportTitle(facts),
      highlights: [{ label: 'Methods', value: formatNumber(methodNames.length) }],
      tables: [
        methodsTable,
        makeMetricsTable(methodNames, facts, metricRows, 'Shares of 1 where there is no unit.'),
      ],
      figures: chooseMetrics(DEFAULT_FIGURE_METRICS).map((metricWithValues) =>
        makeMetricValueFigure(facts, metricWithValues),
      ),
    },
    [`${SINGLE_SIMULATION_REMARK} Replications show how certain they are.`],
  );
}

// One method over replications

/** Facts for a report on one method over replications. */
export interface ReplicationsReportFacts extends MethodsReportFacts, ReplicatedFacts {
  /** First sentence of the report, without its period: number and kind of the replications. */
  readonly head: string;
  readonly metrics: readonly EstimatedMetric[];
}

/**
 * Figure of the precision of each metric: its interval relative to the mean, in percent; empty without
 * intervals.
 */
function makePrecisionFigure({
  metrics,
  replications: replicationCount,
  population,
}: ReplicationsReportFacts): Figure[] {
  const intervalName = nameMeanInterval(population, replicationCount);
  const points = metrics
    .filter(({ estimate: { mean, low, high } }) => mean !== 0 && low !== high)
    .map(({ metric: { label: metricLabel, unit: metricUnit, format }, estimate: { mean, low, high } }) => ({
      ...{ x: metricLabel, y: 0, low: low / mean - 1, high: high / mean - 1 },
      remark: metricUnit === 's' ? formatDuration(mean) : formatValue(mean, format),
    }));
  if (points.length === 0) return [];
  return [
    {
      id: 'precision',
      title: 'How sure each mean is',
      caption: `${capitalizeFirst(intervalName)} of each mean in percent of it, over ${formatNumber(replicationCount)} ${population.copies}; at the right the mean.`,
      kind: 'dots',
      bounds: kindOfMeanBounds(population, replicationCount),
      x: { title: 'metric' },
      y: { title: 'from the mean', format: { style: 'percent', isSigned: true } },
      panels: makeSingleSeriesPanel(intervalName, points),
    },
  ];
}

/** Report on one method over replications. */
export function makeReplicationsReport(facts: ReplicationsReportFacts): Report {
  const { names: methodNames, head, workload, metrics, replications: replicationCount, population } = facts;
  const metricRows = metrics.map(
    ({ name: metricName, metric, estimate }): MetricValuesByMethod => ({
      metric: { ...metric, name: metricName },
      values: [estimate],
    }),
  );
  const metricNames = metrics.map(({ name: metricName }) => metricName);
  return makeMethodsReport(
    facts,
    {
      title: `${methodNames[0]} on ${workload}, ${formatCount(replicationCount, 'replication')}`,
      highlights: [{ label: 'Replications', value: formatNumber(replicationCount) }],
      tables: [makeMeansTable(['mean'], facts, metricRows, metricNames, facts)],
      figures: makePrecisionFigure(facts),
    },
    [`${head}.`, population.caveat],
  );
}
