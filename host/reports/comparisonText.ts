/** Comparisons and replications as terminal text. */
import {
  findCommonColumnFormat,
  formatDuration,
  formatDurationSpan,
  formatNumber,
  formatPercent,
  formatValue,
  LONG_DURATION_SECONDS,
  type NumberFormat,
} from '../format/numbers.js';
import type { EstimatedMetric, JudgedComparison, JudgedMetric, ReplicatedFacts } from '../runs/comparison.js';
import type { Experiment } from '../simulate/experiment.js';
import { makeMethodNamesForReports } from '../simulate/methodNames.js';
import type { Metric, NamedMetric } from '../simulate/metric.js';
import { hasRunMetric } from '../simulate/summary.js';
import { findClearlyBestValue, makeWarningsOnMeans, nameMeanInterval } from '../statistics/samples.js';
import type { Table } from '../view/table.js';
import {
  formatFittedTable,
  formatTableForTerminal,
  MAX_TERMINAL_LINE_WIDTH,
  type TerminalColors,
  type TerminalColumn,
  wrapToTerminalLine,
} from '../view/terminal.js';
import type { ComparedMethodRun, RankedComparedRun } from './comparisonDocument.js';
import { describeMetricVerdicts, listComparisonCaveats } from './comparisonReport.js';
import {
  chooseReplicationUnit,
  compareOnLogPieces,
  describeSimultaneousLimits,
  makeVerdictsTable,
} from './verdicts.js';

/** Sentence for a comparison of allocation policies on one site, where all give the same schedule. */
export const EQUAL_ON_ONE_SITE_MESSAGE =
  'with one site every allocation policy gives the same schedule; compare disciplines, or use several sites';

interface ComparisonTextColumn extends TerminalColumn {
  readonly formatCell: (rankedRun: RankedComparedRun) => string;
}

/** True if a run made choices between best-fit and fastest-first. */
const hasMadeSiteChoices = ({ summary: { decisions } }: ComparedMethodRun) =>
  decisions.agreed + decisions.bestFit + decisions.fastestFirst > 0;

const formatMetricTitle = ({ label: metricLabel, unit: metricUnit }: Metric) =>
  metricUnit === undefined ? metricLabel : `${metricLabel} [${metricUnit}]`;

/** Columns of the requested metrics; a star marks a value that is best by more than noise. */
function makeRequestedMetricColumns(
  rankedRuns: readonly RankedComparedRun[],
  metrics: readonly NamedMetric[],
  { green }: TerminalColors,
): ComparisonTextColumn[] {
  return metrics.map((metric, i) => {
    const metricValues = rankedRuns.map(({ values: runValues = [], configuration }) =>
      hasRunMetric(metric, configuration) ? runValues[i]! : Number.NaN,
    );
    const bestIndex = metricValues.some(Number.isNaN)
      ? undefined
      : findClearlyBestValue(metricValues, metric.better ?? 'less', metric);
    const numberFormat = findCommonColumnFormat(metricValues, metric.format);
    const cells = metricValues.map((metricValue, methodIndex) => {
      const bestMark = bestIndex === undefined ? '' : methodIndex === bestIndex ? ' *' : '  ';
      const valueText = (Number.isNaN(metricValue) ? '-' : formatValue(metricValue, numberFormat)) + bestMark;
      return methodIndex === bestIndex ? green(valueText) : valueText;
    });
    return {
      heading: formatMetricTitle(metric),
      formatCell: (rankedRun) => cells[rankedRuns.indexOf(rankedRun)]!,
    };
  });
}

/** Columns of a comparison if no metrics are requested. */
function makeDefaultMetricColumns(
  rankedRuns: readonly RankedComparedRun[],
  showsRatios: boolean,
): ComparisonTextColumn[] {
  const showsImprovementRatios =
    showsRatios && rankedRuns.every((rankedRun) => rankedRun.improvementRatio !== undefined);
  const formatImprovementRatio = ({ improvementRatio: share = 0 }: RankedComparedRun) =>
    (share > 0 ? '+' : '') + formatPercent(share);
  const formatSiteChoices = ({ summary: { decisions } }: RankedComparedRun) =>
    `${formatNumber(decisions.bestFit)} / ${formatNumber(decisions.fastestFirst)}`;
  return [
    {
      heading: 'response [s]',
      formatCell: ({ summary: runSummary }) => formatNumber(runSummary.averageResponseTime, 1),
    },
    { heading: '', formatCell: ({ summary: runSummary }) => formatDuration(runSummary.averageResponseTime) },
    ...(showsImprovementRatios ? [{ heading: 'NPIR', formatCell: formatImprovementRatio }] : []),
    {
      heading: 'queue',
      formatCell: ({ summary: runSummary }) => formatNumber(runSummary.averageQueueLength, 2),
    },
    { heading: 'used', formatCell: ({ summary: runSummary }) => formatPercent(runSummary.utilization) },
    {
      heading: 'slowdown',
      formatCell: ({ summary: runSummary }) => formatNumber(runSummary.meanBoundedSlowdown, 2),
    },
    ...(rankedRuns.some(hasMadeSiteChoices)
      ? [
          {
            heading: 'bf / ff chosen',
            formatCell: (rankedRun: RankedComparedRun) =>
              hasMadeSiteChoices(rankedRun) ? formatSiteChoices(rankedRun) : '-',
          },
        ]
      : []),
    ...(new Set(rankedRuns.map(({ knowledge }) => knowledge)).size > 1
      ? [
          {
            heading: 'uses',
            align: 'left' as const,
            formatCell: ({ knowledge = '' }: RankedComparedRun) => knowledge,
          },
        ]
      : []),
  ];
}

/** Choice of columns for the table of a comparison. */
interface ComparisonColumnChoice {
  /** True if the table shows improvement ratios. */
  readonly ratios?: boolean;
  /** Requested metrics, which replace the default columns. */
  readonly metrics?: readonly NamedMetric[];
}

/** Table of methods in one simulation each, one row per method; a star marks a clearly best one. */
export function formatComparison(
  rankedRuns: readonly RankedComparedRun[],
  colors: TerminalColors,
  { ratios = false, metrics = [] }: ComparisonColumnChoice = {},
): string {
  const methodLabels = makeMethodNamesForReports(rankedRuns.map(({ configuration }) => configuration));
  const isDefault = metrics.length === 0;
  const hasTimings = rankedRuns.every((rankedRun) => rankedRun.nanosecondsPerJob !== undefined);
  const columns: ComparisonTextColumn[] = [
    {
      heading: 'method',
      align: 'left',
      formatCell: (rankedRun) => methodLabels[rankedRuns.indexOf(rankedRun)]!,
    },
    ...(isDefault
      ? makeDefaultMetricColumns(rankedRuns, ratios)
      : makeRequestedMetricColumns(rankedRuns, metrics, colors)),
    ...(hasTimings
      ? [
          {
            heading: 'ns/job',
            formatCell: (rankedRun: RankedComparedRun) => formatNumber(rankedRun.nanosecondsPerJob ?? 0),
          },
        ]
      : []),
    ...(isDefault && rankedRuns.some(({ isBest }) => isBest)
      ? [{ heading: '', formatCell: ({ isBest }: RankedComparedRun) => (isBest ? '*' : '') }]
      : []),
  ];
  const rows = rankedRuns.map((rankedRun) => {
    const cells = columns.map(({ formatCell }) => formatCell(rankedRun));
    return isDefault && rankedRun.isBest
      ? cells.map((cellText) => (cellText === '' ? cellText : colors.green(cellText)))
      : cells;
  });
  return formatFittedTable(columns, rows, colors);
}

/** Explanation of the terms in a comparison's table. */
export function explainComparisonTerms(
  rankedRuns: readonly RankedComparedRun[],
  runtimeKnowledgeByMethod: readonly string[],
  { ratios = false, metrics = [] }: ComparisonColumnChoice,
): string[] {
  const hasTimings = rankedRuns.some(({ nanosecondsPerJob }) => nanosecondsPerJob !== undefined);
  const timingNotes = hasTimings ? ['ns/job: wall-clock time of the whole simulation'] : [];
  const methodLabels = makeMethodNamesForReports(rankedRuns.map(({ configuration }) => configuration));
  if (metrics.length > 0)
    return [
      ...describeRuntimeKnowledge(methodLabels, runtimeKnowledgeByMethod),
      ...makeWarningsOnMeans(metrics.map(({ name: metricName }) => metricName)),
      'gridalloc metrics explains each metric.',
      ...timingNotes,
    ];
  return [
    'response: average response time, submit to end; queue: jobs waiting, on average',
    'used: utilization of the processors; slowdown: bounded at 10 s',
    ...(rankedRuns.some(hasMadeSiteChoices)
      ? ['bf / ff chosen: how often best-fit and fastest-first were, where they differed']
      : []),
    ...(ratios ? ['NPIR: improvement on the better of best-fit and fastest-first (Shih et al. 2010)'] : []),
    ...timingNotes,
  ];
}

/** Sentence on the runtime information that methods use; empty if it is the same for all. */
function describeRuntimeKnowledge(names: readonly string[], knowledgeByMethod: readonly string[]): string[] {
  const knowledgeKinds = [...new Set(knowledgeByMethod)];
  if (knowledgeKinds.length < 2) return [];
  const knowledgeTexts = knowledgeKinds.map(
    (knowledgeKind) =>
      `${names.filter((_, i) => knowledgeByMethod[i] === knowledgeKind).join(', ')}: ${knowledgeKind}`,
  );
  return [`Information used by ${knowledgeTexts.join('; ')}.`];
}

// Comparisons of methods over replications

/** Text of a comparison by one metric: table, verdicts, and the comparison on pieces of the log. */
export function formatVerdicts(
  judgedMetric: JudgedMetric,
  comparison: JudgedComparison,
  { configurations, knowledge }: Pick<Experiment, 'configurations' | 'knowledge'>,
  colors: TerminalColors,
): string {
  const { metric, estimates } = judgedMetric;
  const methodLabels = makeMethodNamesForReports(configurations);
  const messageSentences = [
    ...describeMetricVerdicts(judgedMetric, methodLabels, comparison),
    ...describeRuntimeKnowledge(methodLabels, knowledge),
  ];
  const durationSpanText =
    metric.unit === 's' ? formatDurationSpan(estimates.map(({ mean }) => mean)) : undefined;
  const formatVerdictTable = (table: Table) =>
    formatTableForTerminal({ ...table, title: '', details: 'beside' }, colors, MAX_TERMINAL_LINE_WIDTH);
  return [
    wrapToTerminalLine(
      durationSpanText === undefined ? metric.label : `${metric.label}: ${durationSpanText}`,
    ),
    formatVerdictTable(makeVerdictsTable(judgedMetric, methodLabels, comparison)),
    messageSentences.map(wrapToTerminalLine).join('\n'),
    ...compareOnLogPieces(judgedMetric, methodLabels).flatMap(({ table }) => [
      wrapToTerminalLine(table.caption),
      formatVerdictTable(table),
    ]),
  ].join('\n\n');
}

/** Advice on how to decide undecided methods; empty if there are none or if nothing is judged. */
function adviseOnUndecidedMetrics({ metrics, population }: JudgedComparison): string[] {
  const hasUndecidedMetric = metrics.some(({ judgement }) => judgement.isJudged && !judgement.isDecided);
  if (!hasUndecidedMetric) return [];
  if (population.counted !== undefined) return [`More ${population.counted} may decide what is undecided.`];
  const isSequentialComparison = metrics.some(({ judgement }) => judgement.limits === 'anytime');
  const sentenceEnd = isSequentialComparison ? '.' : '; --until-decided adds them until nothing is.';
  return [`More --replications may decide what is undecided${sentenceEnd}`];
}

/** Explanation of the columns and terms of a comparison over replications. */
export function explainVerdictTerms(comparison: JudgedComparison): string {
  const metricJudgements = comparison.metrics.map(({ judgement }) => judgement);
  return [
    ...(metricJudgements.every(({ methods }) => methods.length === 1)
      ? []
      : [
          `best in: share of the ${chooseReplicationUnit(comparison.population)} in which no method is better.`,
        ]),
    ...(metricJudgements.some(({ isJudged }) => isJudged)
      ? [
          `behind: how far a method is behind the best of the others (below 0: ahead of it), from paired differences; joint limits are simultaneous 95 % confidence limits ${describeSimultaneousLimits(comparison)}.`,
        ]
      : []),
    ...listComparisonCaveats(comparison),
    ...adviseOnUndecidedMetrics(comparison),
  ]
    .map(wrapToTerminalLine)
    .join('\n');
}

// One method over replications

/** Number format with enough digits to distinguish a mean from the bounds of its interval. */
function chooseNumberFormatForBounds({ format }: Metric, mean: number): NumberFormat {
  if (format.style === 'percent') return { style: 'percent', decimals: 2 };
  const absoluteMean = Math.abs(mean);
  return {
    style: 'fixed',
    decimals: absoluteMean < 10 ? 3 : absoluteMean < 1000 ? 2 : absoluteMean < 10_000 ? 1 : 0,
  };
}

/** Table of one method over replications: mean, interval and standard deviation of each metric. */
export function formatReplicatedMeans(
  metrics: readonly EstimatedMetric[],
  { replications: replicationCount, population }: ReplicatedFacts,
  colors: TerminalColors,
): string {
  const isMeanOfLongTimes = ({ metric, estimate }: EstimatedMetric) =>
    metric.unit === 's' && estimate.mean >= LONG_DURATION_SECONDS;
  const hasMeansOfLongTimes = metrics.some(isMeanOfLongTimes);
  const rows = metrics.map((estimatedMetric) => {
    const { metric, estimate } = estimatedMetric;
    const { mean, standardDeviation, low, high } = estimate;
    const formatStatistic = (statistic: number) =>
      formatValue(statistic, chooseNumberFormatForBounds(metric, mean));
    // The mean is NaN for a class without jobs.
    const [boundsText, deviationText] = Number.isNaN(mean)
      ? ['-', '-']
      : [
          `${formatStatistic(low).replace(/\s%$/, '')} .. ${formatStatistic(high)}`,
          formatStatistic(standardDeviation),
        ];
    const durationCells = hasMeansOfLongTimes
      ? [isMeanOfLongTimes(estimatedMetric) ? formatDuration(mean) : '']
      : [];
    return [
      formatMetricTitle(metric),
      Number.isNaN(mean) ? '-' : formatStatistic(mean),
      ...durationCells,
      boundsText,
      deviationText,
    ];
  });
  const terminalColumns: TerminalColumn[] = [
    { heading: 'metric', align: 'left' },
    { heading: 'mean' },
    ...(hasMeansOfLongTimes ? [{ heading: '' }] : []),
    { heading: `${nameMeanInterval(population, replicationCount)} of the mean` },
    { heading: 'sd' },
  ];
  const metricWarnings = makeWarningsOnMeans(metrics.map(({ name: metricName }) => metricName));
  return [formatFittedTable(terminalColumns, rows, colors), ...metricWarnings.map(wrapToTerminalLine)].join(
    '\n',
  );
}
