/** Several policies side by side, for a person and as numbers. */
import { columnFormat, formatDuration, formatNumber, formatPercent, valueText } from '../format/numbers.js';
import type { Configuration } from '../options/configuration.js';
import { printOrder } from '../options/order.js';
import type { ClassResults } from '../runs/classResults.js';
import type { Experiment } from '../simulate/experiment.js';
import { differingOptions, methodNames } from '../simulate/methodNames.js';
import type { NamedMetric } from '../simulate/metric.js';
import { METRICS } from '../simulate/metrics.js';
import { hasMetric, improvementRatio, runName, type Summary, type SummaryWith } from '../simulate/summary.js';
import { clearlyBest, warningsOf } from '../statistics/samples.js';
import { type Colors, type Column, fittedTable } from '../view/terminal.js';
import { classDocument } from './classTables.js';
import { knowledgeText } from './replicationsText.js';

/** The result of a comparison of policies on one site. */
export const ALIKE_ON_ONE_SITE =
  'with one site every allocation policy gives the same schedule; compare disciplines, or use several sites';

/** One method of a comparison. */
export interface ComparedRun {
  readonly configuration: Configuration;
  readonly summary: SummaryWith<object>;
  /** The values of the requested metrics. */
  readonly values?: readonly number[];
  /** Information by which the method decides. */
  readonly knowledge?: string;
  /** Wall-clock nanoseconds per job; only where time was taken. */
  readonly nanosecondsPerJob?: number;
}

/** A run with its place among the others. */
export interface RankedRun extends ComparedRun {
  /**
   * Improvement of the average response time over the better of best-fit and fastest-first, if both are there.
   */
  readonly improvementRatio?: number;
  /** True if its average response time is so much less than all others' that it is hardly chance. */
  readonly isBest: boolean;
}

function responseOf(runs: readonly ComparedRun[], name: string): number | undefined {
  return runs.find(({ configuration }) => configuration.policy.declaration.name === name)?.summary
    .averageResponseTime;
}

/**
 * Marks a run that is best by more than the noise of one sample and, where best-fit and fastest-first both ran and nothing but policies differs, compares all with
 * the better of the two.
 */
export function rankRuns(runs: readonly ComparedRun[]): RankedRun[] {
  const best = clearlyBest(
    runs.map(({ summary }) => summary.averageResponseTime),
    'less',
    METRICS.run.averageResponseTime,
  );
  const differing = differingOptions(runs.map(({ configuration }) => configuration));
  const isOfPolicies = differing.every((options) => Object.keys(options).every((name) => name === 'policy'));
  const bestFit = responseOf(runs, 'best-fit');
  const fastestFirst = responseOf(runs, 'fastest-first');
  return runs.map((run, i) => {
    const response = run.summary.averageResponseTime;
    const isBest = i === best;
    if (bestFit === undefined || fastestFirst === undefined || !isOfPolicies) return { ...run, isBest };
    return { ...run, isBest, improvementRatio: improvementRatio(response, bestFit, fastestFirst) };
  });
}

interface Measure extends Column {
  readonly cell: (run: RankedRun) => string;
}

function signedPercent(share: number): string {
  return (share > 0 ? '+' : '') + formatPercent(share);
}

/** True if a run has chosen between best-fit and fastest-first. */
function isDecided({ summary: { decisions } }: ComparedRun): boolean {
  return decisions.agreed + decisions.bestFit + decisions.fastestFirst > 0;
}

/** A column for each metric requested; a value that is hardly chance has a star. */
function requestedMeasures(
  runs: readonly RankedRun[],
  metrics: readonly NamedMetric[],
  { green }: Colors,
): Measure[] {
  return metrics.map((metric, i) => {
    const { label, unit, format, better = 'less' } = metric;
    const of = ({ values = [], configuration }: RankedRun) =>
      hasMetric(metric, configuration) ? values[i]! : Number.NaN;
    const isOfAll = runs.every((run) => !Number.isNaN(of(run)));
    const best = isOfAll ? clearlyBest(runs.map(of), better, metric) : undefined;
    const shown = columnFormat(runs.map(of), format);
    const star = (run: RankedRun) => (best === undefined ? '' : run === runs[best] ? ' *' : '  ');
    const text = (run: RankedRun) => (Number.isNaN(of(run)) ? '-' : valueText(of(run), shown)) + star(run);
    return {
      heading: unit === undefined ? label : `${label} [${unit}]`,
      cell: (run) => (best !== undefined && run === runs[best] ? green(text(run)) : text(run)),
    };
  });
}

/** The columns that are where no metrics are requested. */
function defaultMeasures(runs: readonly RankedRun[], showsRatios: boolean): Measure[] {
  const measures: Measure[] = [
    { heading: 'response [s]', cell: ({ summary }) => formatNumber(summary.averageResponseTime, 1) },
    { heading: '', cell: ({ summary }) => formatDuration(summary.averageResponseTime) },
  ];
  if (showsRatios && runs.every((run) => run.improvementRatio !== undefined)) {
    measures.push({ heading: 'NPIR', cell: (run) => signedPercent(run.improvementRatio ?? 0) });
  }
  measures.push(
    { heading: 'queue', cell: ({ summary }) => formatNumber(summary.averageQueueLength, 2) },
    { heading: 'used', cell: ({ summary }) => formatPercent(summary.utilization) },
    { heading: 'slowdown', cell: ({ summary }) => formatNumber(summary.meanBoundedSlowdown, 2) },
  );
  if (runs.some(isDecided)) {
    const counts = ({ bestFit, fastestFirst }: Summary['decisions']) =>
      `${formatNumber(bestFit)} / ${formatNumber(fastestFirst)}`;
    measures.push({
      heading: 'bf / ff chosen',
      cell: (run) => (isDecided(run) ? counts(run.summary.decisions) : '-'),
    });
  }
  return measures;
}

/** Columns behind the others. */
function remarks(runs: readonly RankedRun[], isDefault: boolean): Measure[] {
  const measures: Measure[] = [];
  if (isDefault && new Set(runs.map(({ knowledge }) => knowledge)).size > 1) {
    measures.push({ heading: 'uses', align: 'left', cell: ({ knowledge = '' }) => knowledge });
  }
  if (runs.every((run) => run.nanosecondsPerJob !== undefined)) {
    measures.push({ heading: 'ns/job', cell: (run) => formatNumber(run.nanosecondsPerJob ?? 0) });
  }
  return measures;
}

/** Columns of a comparison's table that are added to the default ones or replace them. */
interface Shown {
  /** True if there is a column of improvement ratios. */
  readonly ratios?: boolean;
  /** The metrics requested, in the place of the default columns. */
  readonly metrics?: readonly NamedMetric[];
}

/** The table of a comparison: one row per method, one that is clearly the best marked with a star. */
export function comparisonText(
  runs: readonly RankedRun[],
  colors: Colors,
  { ratios = false, metrics = [] }: Shown = {},
): string {
  const names = methodNames(runs.map(({ configuration }) => configuration));
  const isDefault = metrics.length === 0;
  const measures: Measure[] = [
    { heading: 'method', align: 'left', cell: (run) => names[runs.indexOf(run)]! },
    ...(isDefault ? defaultMeasures(runs, ratios) : requestedMeasures(runs, metrics, colors)),
    ...remarks(runs, isDefault),
    ...(isDefault && runs.some(({ isBest }) => isBest)
      ? [{ heading: '', cell: ({ isBest }: RankedRun) => (isBest ? '*' : '') }]
      : []),
  ];
  const rows = runs.map((run) => {
    const cells = measures.map(({ cell }) => cell(run));
    return isDefault && run.isBest ? cells.map((cell) => (cell === '' ? cell : colors.green(cell))) : cells;
  });
  return fittedTable(measures, rows, colors);
}

/** Explanations of the words in the table. */
export function comparisonLegend(
  runs: readonly RankedRun[],
  knowledge: readonly string[],
  { ratios = false, metrics = [] }: Shown,
): string[] {
  const isTimed = runs.some(({ nanosecondsPerJob }) => nanosecondsPerJob !== undefined);
  const time = isTimed ? ['ns/job: wall-clock time of the whole simulation'] : [];
  if (metrics.length > 0) {
    const known = knowledgeText(methodNames(runs.map(({ configuration }) => configuration)), knowledge);
    const lines = [...known, ...warningsOf(metrics.map(({ name }) => name))];
    return [...lines, 'gridalloc metrics explains each metric.', ...time];
  }
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

/** Entries that every document of a comparison has. */
export function comparedHead({
  workload,
  grid: { capacities, speeds },
}: Pick<Experiment, 'workload' | 'grid'>): object {
  return { workload: workload.name, capacities, speeds };
}

/**
 * The document of a comparison: the summaries, each with what identifies its method, the metrics requested, and its
 * ratio and its time where there is one; and the classes of jobs requested.
 */
export function comparisonDocument(
  experiment: Pick<Experiment, 'workload' | 'grid'>,
  runs: readonly RankedRun[],
  metrics: readonly NamedMetric[] = [],
  classes?: readonly ClassResults[],
): object {
  const configurations = runs.map(({ configuration }) => configuration);
  const names = methodNames(configurations);
  const options = differingOptions(configurations);
  return {
    ...comparedHead(experiment),
    runs: runs.map(
      (
        { configuration, summary, values = [], knowledge, improvementRatio: ratio, nanosecondsPerJob },
        i,
      ) => ({
        ...summary,
        method: runName(summary, configuration),
        name: names[i],
        discipline: configuration.discipline,
        order: printOrder(configuration.order),
        options: options[i],
        ...(metrics.length === 0
          ? {}
          : { metrics: Object.fromEntries(metrics.map(({ name }, metric) => [name, values[metric]])) }),
        ...(knowledge === undefined ? {} : { knowledge }),
        ...(ratio === undefined ? {} : { improvementRatio: ratio }),
        ...(nanosecondsPerJob === undefined ? {} : { nanosecondsPerJob }),
      }),
    ),
    ...(classes && { classes: classDocument(classes) }),
  };
}
