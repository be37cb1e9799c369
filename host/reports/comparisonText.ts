/** Comparisons and replications as terminal text. */
import {
  columnFormat,
  formatDuration,
  formatNumber,
  formatPercent,
  LONG_DURATION,
  type NumberFormat,
  timeSpanText,
  valueText,
} from '../format/numbers.js';
import type { EstimatedMetric, JudgedComparison, JudgedMetric, ReplicatedFacts } from '../runs/comparison.js';
import type { Experiment } from '../simulate/experiment.js';
import { namesForReports } from '../simulate/methodNames.js';
import type { Metric, NamedMetric } from '../simulate/metric.js';
import { hasMetric } from '../simulate/summary.js';
import { clearlyBest, intervalName, warningsForMetrics } from '../statistics/samples.js';
import type { Table } from '../view/table.js';
import {
  type Colors,
  type Column,
  formatFittedTable,
  MAX_TERMINAL_LINE,
  parquetTableAsCsv,
  wrapLines,
} from '../view/terminal.js';
import type { ComparedRun, RankedRun } from './comparisonDocument.js';
import { comparisonCaveats, verdictSentences } from './comparisonReport.js';
import { compareOnPieces, countedPopulationText, jointBoundsText, verdictsTable } from './verdicts.js';

/** Sentence for a comparison of allocation policies on one site, where all give the same schedule. */
export const ALIKE_ON_ONE_SITE =
  'with one site every allocation policy gives the same schedule; compare disciplines, or use several sites';

interface TextColumn extends Column {
  readonly cell: (run: RankedRun) => string;
}

/** True if a run made choices between best-fit and fastest-first. */
const isDecided = ({ summary: { decisions } }: ComparedRun) =>
  decisions.agreed + decisions.bestFit + decisions.fastestFirst > 0;

const metricTitle = ({ label, unit }: Metric) => (unit === undefined ? label : `${label} [${unit}]`);

/** Columns of the requested metrics; a star marks a value that is best by more than noise. */
function requestedMetricColumns(
  runs: readonly RankedRun[],
  metrics: readonly NamedMetric[],
  { green }: Colors,
): TextColumn[] {
  return metrics.map((metric, i) => {
    const values = runs.map(({ values: own = [], configuration }) =>
      hasMetric(metric, configuration) ? own[i]! : Number.NaN,
    );
    const best = values.some(Number.isNaN) ? undefined : clearlyBest(values, metric.better ?? 'less', metric);
    const format = columnFormat(values, metric.format);
    const cells = values.map((value, place) => {
      const bestMark = best === undefined ? '' : place === best ? ' *' : '  ';
      const text = (Number.isNaN(value) ? '-' : valueText(value, format)) + bestMark;
      return place === best ? green(text) : text;
    });
    return { heading: metricTitle(metric), cell: (run) => cells[runs.indexOf(run)]! };
  });
}

/** Columns of a comparison if no metrics are requested. */
function defaultMetricColumns(runs: readonly RankedRun[], showsRatios: boolean): TextColumn[] {
  const showsImprovementRatios = showsRatios && runs.every((run) => run.improvementRatio !== undefined);
  const improvementRatioText = ({ improvementRatio: share = 0 }: RankedRun) =>
    (share > 0 ? '+' : '') + formatPercent(share);
  const choices = ({ summary: { decisions } }: RankedRun) =>
    `${formatNumber(decisions.bestFit)} / ${formatNumber(decisions.fastestFirst)}`;
  return [
    { heading: 'response [s]', cell: ({ summary }) => formatNumber(summary.averageResponseTime, 1) },
    { heading: '', cell: ({ summary }) => formatDuration(summary.averageResponseTime) },
    ...(showsImprovementRatios ? [{ heading: 'NPIR', cell: improvementRatioText }] : []),
    { heading: 'queue', cell: ({ summary }) => formatNumber(summary.averageQueueLength, 2) },
    { heading: 'used', cell: ({ summary }) => formatPercent(summary.utilization) },
    { heading: 'slowdown', cell: ({ summary }) => formatNumber(summary.meanBoundedSlowdown, 2) },
    ...(runs.some(isDecided)
      ? [{ heading: 'bf / ff chosen', cell: (run: RankedRun) => (isDecided(run) ? choices(run) : '-') }]
      : []),
    ...(new Set(runs.map(({ knowledge }) => knowledge)).size > 1
      ? [{ heading: 'uses', align: 'left' as const, cell: ({ knowledge = '' }: RankedRun) => knowledge }]
      : []),
  ];
}

/** Choice of columns for the table of a comparison. */
interface ColumnChoice {
  /** True if the table shows improvement ratios. */
  readonly ratios?: boolean;
  /** Requested metrics, which replace the default columns. */
  readonly metrics?: readonly NamedMetric[];
}

/** Table of methods in one simulation each, one row per method; a star marks a clearly best one. */
export function comparisonText(
  runs: readonly RankedRun[],
  colors: Colors,
  { ratios = false, metrics = [] }: ColumnChoice = {},
): string {
  const names = namesForReports(runs.map(({ configuration }) => configuration));
  const isDefault = metrics.length === 0;
  const hasTimings = runs.every((run) => run.nanosecondsPerJob !== undefined);
  const measures: TextColumn[] = [
    { heading: 'method', align: 'left', cell: (run) => names[runs.indexOf(run)]! },
    ...(isDefault ? defaultMetricColumns(runs, ratios) : requestedMetricColumns(runs, metrics, colors)),
    ...(hasTimings
      ? [{ heading: 'ns/job', cell: (run: RankedRun) => formatNumber(run.nanosecondsPerJob ?? 0) }]
      : []),
    ...(isDefault && runs.some(({ isBest }) => isBest)
      ? [{ heading: '', cell: ({ isBest }: RankedRun) => (isBest ? '*' : '') }]
      : []),
  ];
  const rows = runs.map((run) => {
    const cells = measures.map(({ cell }) => cell(run));
    return isDefault && run.isBest ? cells.map((cell) => (cell === '' ? cell : colors.green(cell))) : cells;
  });
  return formatFittedTable(measures, rows, colors);
}

/** Explanation of the terms in a comparison's table. */
export function comparisonLegend(
  runs: readonly RankedRun[],
  knowledge: readonly string[],
  { ratios = false, metrics = [] }: ColumnChoice,
): string[] {
  const hasTimings = runs.some(({ nanosecondsPerJob }) => nanosecondsPerJob !== undefined);
  const time = hasTimings ? ['ns/job: wall-clock time of the whole simulation'] : [];
  const names = namesForReports(runs.map(({ configuration }) => configuration));
  if (metrics.length > 0)
    return [
      ...knowledgeText(names, knowledge),
      ...warningsForMetrics(metrics.map(({ name }) => name)),
      'gridalloc metrics explains each metric.',
      ...time,
    ];
  return [
    'response: average response time, submit to end; queue: jobs waiting, on average',
    'used: utilization of the processors; slowdown: bounded at 10 s',
    ...(runs.some(isDecided)
      ? ['bf / ff chosen: how often best-fit and fastest-first were, where they differed']
      : []),
    ...(ratios ? ['NPIR: improvement on the better of best-fit and fastest-first (Shih et al. 2010)'] : []),
    ...time,
  ];
}

/** Sentence on the runtime information that methods use; empty if it is the same for all. */
function knowledgeText(names: readonly string[], known: readonly string[]): string[] {
  const knowledgeKinds = [...new Set(known)];
  if (knowledgeKinds.length < 2) return [];
  const texts = knowledgeKinds.map(
    (kind) => `${names.filter((_, i) => known[i] === kind).join(', ')}: ${kind}`,
  );
  return [`Information used by ${texts.join('; ')}.`];
}

// Comparisons of methods over replications

/** Text of a comparison by one metric: table, verdicts, and the comparison on pieces of the log. */
export function verdictsText(
  judged: JudgedMetric,
  comparison: JudgedComparison,
  { configurations, knowledge }: Pick<Experiment, 'configurations' | 'knowledge'>,
  colors: Colors,
): string {
  const { metric, estimates } = judged;
  const names = namesForReports(configurations);
  const messageSentences = [
    ...verdictSentences(judged, names, comparison),
    ...knowledgeText(names, knowledge),
  ];
  const span = metric.unit === 's' ? timeSpanText(estimates.map(({ mean }) => mean)) : undefined;
  const shown = (table: Table) =>
    parquetTableAsCsv({ ...table, title: '', details: 'beside' }, colors, MAX_TERMINAL_LINE);
  return [
    wrapLines(span === undefined ? metric.label : `${metric.label}: ${span}`),
    shown(verdictsTable(judged, names, comparison)),
    messageSentences.map(wrapLines).join('\n'),
    ...compareOnPieces(judged, names).flatMap(({ table }) => [wrapLines(table.caption), shown(table)]),
  ].join('\n\n');
}

/** Advice on how to decide undecided methods; empty if there are none or if nothing is judged. */
function decisionRuleLines({ metrics, population }: JudgedComparison): string[] {
  const isOpen = metrics.some(({ judgement }) => judgement.isJudged && !judgement.isDecided);
  if (!isOpen) return [];
  if (population.counted !== undefined) return [`More ${population.counted} may decide what is undecided.`];
  const isSequentialComparison = metrics.some(({ judgement }) => judgement.limits === 'anytime');
  const rest = isSequentialComparison ? '.' : '; --until-decided adds them until nothing is.';
  return [`More --replications may decide what is undecided${rest}`];
}

/** Explanation of the columns and terms of a comparison over replications. */
export function verdictLegend(comparison: JudgedComparison): string {
  const metricJudgements = comparison.metrics.map(({ judgement }) => judgement);
  return [
    ...(metricJudgements.every(({ methods }) => methods.length === 1)
      ? []
      : [
          `best in: share of the ${countedPopulationText(comparison.population)} in which no method is better.`,
        ]),
    ...(metricJudgements.some(({ isJudged }) => isJudged)
      ? [
          `behind: how far a method is behind the best of the others (below 0: ahead of it), from paired differences; joint limits are simultaneous 95 % confidence limits ${jointBoundsText(comparison)}.`,
        ]
      : []),
    ...comparisonCaveats(comparison),
    ...decisionRuleLines(comparison),
  ]
    .map(wrapLines)
    .join('\n');
}

// One method over replications

/** Number format with enough digits to distinguish a mean from the bounds of its interval. */
function meanNumberFormat({ format }: Metric, mean: number): NumberFormat {
  if (format.style === 'percent') return { style: 'percent', decimals: 2 };
  const size = Math.abs(mean);
  return { style: 'fixed', decimals: size < 10 ? 3 : size < 1000 ? 2 : size < 10_000 ? 1 : 0 };
}

/** Table of one method over replications: mean, interval and standard deviation of each metric. */
export function estimatedText(
  metrics: readonly EstimatedMetric[],
  { replications, population }: ReplicatedFacts,
  colors: Colors,
): string {
  const isLongTime = ({ metric, estimate }: EstimatedMetric) =>
    metric.unit === 's' && estimate.mean >= LONG_DURATION;
  const hasDurations = metrics.some(isLongTime);
  const rows = metrics.map((each) => {
    const { metric, estimate } = each;
    const { mean, standardDeviation, low, high } = estimate;
    const text = (value: number) => valueText(value, meanNumberFormat(metric, mean));
    // The mean is NaN for a class without jobs.
    const [bounds, deviation] = Number.isNaN(mean)
      ? ['-', '-']
      : [`${text(low).replace(/\s%$/, '')} .. ${text(high)}`, text(standardDeviation)];
    const durationText = hasDurations ? [isLongTime(each) ? formatDuration(mean) : ''] : [];
    return [metricTitle(metric), Number.isNaN(mean) ? '-' : text(mean), ...durationText, bounds, deviation];
  });
  const columns: Column[] = [
    { heading: 'metric', align: 'left' },
    { heading: 'mean' },
    ...(hasDurations ? [{ heading: '' }] : []),
    { heading: `${intervalName(population, replications)} of the mean` },
    { heading: 'sd' },
  ];
  const metricWarnings = warningsForMetrics(metrics.map(({ name }) => name));
  return [formatFittedTable(columns, rows, colors), ...metricWarnings.map(wrapLines)].join('\n');
}
