/**
 * Comparisons over replications, and on the pieces of the log, each unchanged and by itself: for a person, and as
 * numbers.
 */
import { printPolicy } from '../core/policies.js';
import {
  formatDuration,
  formatNumber,
  formatPercent,
  LONG_TIME,
  listed,
  type NumberFormat,
  spanOfTimes,
  valueText,
} from '../format/numbers.js';
import { firstOf } from '../lists.js';
import type { Configuration } from '../options/configuration.js';
import { printOrder } from '../options/order.js';
import type { EstimatedMetric, JudgedComparison, JudgedMetric, Replicated } from '../runs/comparison.js';
import { differingOptions, methodNames } from '../simulate/methodNames.js';
import type { Metric } from '../simulate/metrics.js';
import { momentsOf } from '../statistics/bootstrap.js';
import { type MeanEstimate, studentInterval } from '../statistics/interval.js';
import { haveIntervals, intervalName, warningsOf } from '../statistics/samples.js';
import { type Colors, fittedTable, wrapped } from './tableText.js';
import { behindCell, verdictNotes, verdictText, verdictWord } from './verdictText.js';

/** How far a method is behind the observed best over the spans of a log. */
interface SpanDifference {
  readonly mean: number;
  /** Student's 95 % interval, over spans. */
  readonly low: number;
  readonly high: number;
  /** In how many spans it has the sign that it has over the replications. */
  readonly agreeing: number;
}

/** The differences of each method to the observed best over the spans of a log; none without spans. */
function spanDifferences({ metric, judgement, spans }: JudgedMetric): SpanDifference[] {
  const sign = metric.better === 'more' ? -1 : 1;
  return (spans?.values ?? []).map((values, i) => {
    const best = spans?.values[judgement.observedBest] ?? [];
    const differences = values.map((value, span) => sign * (value - best[span]!));
    const moments = momentsOf(differences);
    const { low, high } = studentInterval(moments);
    const side = Math.sign(judgement.methods[i]!.behindObserved);
    const agreeing = differences.filter((difference) => Math.sign(difference) === side).length;
    return { mean: moments.mean, low, high, agreeing };
  });
}

/** The methods on the pieces of the log. */
interface OnPieces {
  readonly count: number;
  /** `11 pieces of the log of 30 d each, unchanged, each by itself`. */
  readonly pieces: string;
  /** The method that is the best over the replications, with which the others are compared. */
  readonly best: string;
  /** Of the others, how far each is behind as a share of the mean of the best, with its 95 % interval. */
  readonly others: readonly {
    readonly name: string;
    readonly share: { readonly value: number; readonly low: number; readonly high: number };
    /** In how many pieces it is worse, or better where it is better over the replications. */
    readonly agreeing: number;
  }[];
}

/** The methods on the pieces of the log; undefined where there are none, or nothing is told apart. */
export function onPieces(judged: JudgedMetric, names: readonly string[]): OnPieces | undefined {
  const { judgement, spans } = judged;
  if (spans === undefined) return undefined;
  const { observedBest, methods } = judgement;
  const best = spans.values[observedBest]!;
  const scale = Math.abs(momentsOf(best).mean) || 1;
  const others = spanDifferences(judged).flatMap(({ mean, low, high, agreeing }, i) => {
    if (i === observedBest || methods[i]!.behindObserved === 0) return [];
    const share = { value: mean / scale, low: low / scale, high: high / scale };
    return [{ name: names[i]!, share, agreeing }];
  });
  if (others.length === 0) return undefined;
  const [count, length] = [best.length, formatDuration(Math.round(spans.seconds / 86_400) * 86_400)];
  const pieces = `${count} pieces of the log of ${length} each, unchanged, each by itself`;
  return { count, pieces, best: names[observedBest]!, others };
}

/** A method as JSON names it. */
export function nameOf({ policy, discipline, order }: Configuration): object {
  return { policy: printPolicy(policy), discipline, order: printOrder(order) };
}

const intervalOf = ({ mean, standardDeviation, low, high, method }: MeanEstimate) => ({
  mean,
  standardDeviation,
  low,
  high,
  interval: method,
});

/** The document of a comparison by one metric: a row for each method, with what it decides by and its value in each replication. */
export function judgedDocument(
  judgedMetric: JudgedMetric,
  { replications, population }: Replicated,
  configurations: readonly Configuration[],
  known: readonly string[],
): object {
  const { name, values, estimates, within, judgement, spans } = judgedMetric;
  const { methods, level, limits, isJudged, isDecided, skewed, leastDifference } = judgement;
  const inSpans = spanDifferences(judgedMetric);
  const names = methodNames(configurations);
  const options = differingOptions(configurations);
  return {
    replications,
    perturb: population.perturb,
    metric: name,
    within,
    level,
    limits,
    judged: isJudged,
    decided: isDecided,
    leastDifference,
    skewed,
    ...(spans === undefined ? {} : { spans: firstOf(spans.values).length, spanSeconds: spans.seconds }),
    rows: methods.map((judged, i) => ({
      name: names[i],
      ...nameOf(configurations[i]!),
      options: options[i],
      knowledge: known[i],
      ...intervalOf(estimates[i]!),
      bestIn: judged.bestIn,
      verdict: judged.verdict,
      couldBeBest: judged.couldBeBest,
      sameAs: judged.sameAs,
      behindObserved: judged.behindObserved,
      behindLow: judged.behind?.low ?? null,
      behindHigh: judged.behind?.high ?? null,
      values: values[i],
      ...(spans === undefined ? {} : { spans: { ...inSpans[i], values: spans.values[i] } }),
    })),
  };
}

/** So many digits that an interval is told from its mean. */
function formatFor(metric: Metric, values: readonly number[]): NumberFormat {
  if (metric.format.style === 'percent') return { style: 'percent', decimals: 2 };
  const most = values.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
  return { style: 'fixed', decimals: most < 10 ? 3 : most < 1000 ? 2 : most < 10_000 ? 1 : 0 };
}

/** `31,690 .. 32,028`, `44.52 .. 51.98 %`. */
function boundsCell({ low, high }: MeanEstimate, format: NumberFormat): string {
  const [from, to] = [valueText(low, format), valueText(high, format)];
  return `${format.style === 'percent' ? from.replace(/\s%$/, '') : from} .. ${to}`;
}

/** What methods use, in a sentence; none where all use the same. */
export function knowledgeText(names: readonly string[], known: readonly string[]): string[] {
  const kinds = [...new Set(known)];
  if (kinds.length < 2) return [];
  const told = kinds.map((kind) => `${kind}: ${names.filter((_, i) => known[i] === kind).join(', ')}`);
  return [`What the methods use: ${told.join('; ')}.`];
}

/** The table of a comparison by one metric, and what follows from it. */
export function judgedText(
  judgedMetric: JudgedMetric,
  replicated: Replicated,
  configurations: readonly Configuration[],
  known: readonly string[],
  colors: Colors,
): string {
  const { name, metric, estimates, judgement } = judgedMetric;
  const names = methodNames(configurations);
  const format = formatFor(
    metric,
    estimates.map(({ mean }) => mean),
  );
  const text = (value: number) => valueText(value, format);
  const unit = metric.unit === undefined ? '' : ` [${metric.unit}]`;
  const { population, replications } = replicated;
  const hasIntervals = haveIntervals(population, replications);
  const columns = [
    { heading: 'method', align: 'left' as const },
    { heading: `mean${unit}` },
    ...(hasIntervals ? [{ heading: intervalName(population, replications) }] : []),
    { heading: 'best in' },
    ...(judgement.isJudged ? [{ heading: 'behind the best' }, { heading: '', align: 'left' as const }] : []),
  ];
  const rows = judgement.methods.map((method, i) => {
    const cells = [
      names[i]!,
      text(estimates[i]!.mean),
      ...(hasIntervals ? [boundsCell(estimates[i]!, format)] : []),
      formatPercent(method.bestIn, 0),
      ...(judgement.isJudged ? [behindCell(method, judgement), verdictWord(method)] : []),
    ];
    return method.verdict === 'best' ? cells.map((cell) => (cell === '' ? cell : colors.green(cell))) : cells;
  });
  const sentences = [
    verdictText(judgement, names, replicated.population),
    ...verdictNotes(judgement, names, name, replicated.population),
    ...knowledgeText(names, known),
  ];
  const span = metric.unit === 's' ? spanOfTimes(estimates.map(({ mean }) => mean)) : undefined;
  const heading = span === undefined ? metric.label : `${metric.label}: ${span}`;
  return `${wrapped(heading)}\n\n${fittedTable(columns, rows, colors)}\n\n${sentences.map((each) => wrapped(each)).join('\n')}${piecesText(judgedMetric, names, colors)}`;
}

/** The methods other than the best on the pieces of the log, in words: how far behind, and in how many pieces. */
function pieceRows({
  count,
  others,
}: OnPieces): (readonly [name: string, behind: string, worseIn: string])[] {
  return others.map(({ name, share: { value, high }, agreeing }) => {
    const behind = `${value > 0 ? '+' : ''}${formatNumber(100 * value, 1)}`;
    return [name, `${behind} ± ${formatNumber(100 * (high - value), 1)} %`, `${agreeing} of ${count}`];
  });
}

/** The methods on the pieces of the log as a table. */
function piecesText(judgedMetric: JudgedMetric, names: readonly string[], colors: Colors): string {
  const found = onPieces(judgedMetric, names);
  if (found === undefined) return '';
  const columns = [
    { heading: 'method', align: 'left' as const },
    { heading: `behind ${found.best}` },
    { heading: 'worse in' },
  ];
  return `\n\n${wrapped(`The ${found.pieces}:`)}\n\n${fittedTable(columns, pieceRows(found), colors)}`;
}

/** The same as a sentence; none without pieces. */
export function piecesSentence(judgedMetric: JudgedMetric, names: readonly string[]): string[] {
  const found = onPieces(judgedMetric, names);
  if (found === undefined) return [];
  const rows = pieceRows(found).map(([name, behind, worseIn]) => `${name} ${behind} (worse in ${worseIn})`);
  return [
    `Over the ${found.pieces}, differences to ${found.best} have these means and 95 % intervals: ${listed(rows)}.`,
  ];
}

/** For what all bounds hold together, where that is more than the methods. */
export function togetherText({ metrics, looks }: Pick<JudgedComparison, 'metrics' | 'looks'>): string {
  const parts = [
    'for all methods',
    ...(metrics.length > 1 ? [`${metrics.length} metrics`] : []),
    ...(looks.length > 1 ? [`${looks.length} looks`] : []),
  ];
  return listed(parts);
}

/** What columns and words mean. */
export function judgedLegend(comparison: JudgedComparison): string {
  const { metrics, population, withoutPieces } = comparison;
  const isJudged = metrics.some(({ judgement }) => judgement.isJudged);
  return [
    `best in: share of the ${population.counted ?? 'replications'} in which no method is better.`,
    ...(isJudged
      ? [
          `behind the best: how far a method is behind the best of the others (below 0: ahead of it), from paired differences; with 95 % confidence all bounds hold together, ${togetherText(comparison)}.`,
          'best: the best, or within the tolerance of it (--within); within: worse, but within the tolerance; worse: bounds above 0; undecided: none of these.',
        ]
      : []),
    ...(isJudged || population.counted === undefined ? [population.caveat] : []),
    ...(withoutPieces === undefined ? [] : [withoutPieces]),
  ]
    .map((each) => wrapped(each))
    .join('\n');
}

/** The document of one method over replications. */
export function estimatedDocument(
  metrics: readonly EstimatedMetric[],
  { replications, population }: Replicated,
  configuration: Configuration,
): object {
  return {
    replications,
    perturb: population.perturb,
    ...nameOf(configuration),
    metrics: metrics.map(({ name, estimate, values }) => ({
      metric: name,
      ...intervalOf(estimate),
      values,
    })),
  };
}

/** The table of one method over replications. */
export function estimatedText(
  metrics: readonly EstimatedMetric[],
  { replications, population }: Replicated,
  colors: Colors,
): string {
  const isLong = ({ metric, estimate }: EstimatedMetric) => metric.unit === 's' && estimate.mean >= LONG_TIME;
  const hasDurations = metrics.some(isLong);
  const rows = metrics.map((each) => {
    const { metric, estimate } = each;
    const { mean, standardDeviation } = estimate;
    const format = formatFor(metric, [mean]);
    const text = (value: number) => valueText(value, format);
    const unit = metric.unit === undefined ? '' : ` [${metric.unit}]`;
    // That of a class without jobs.
    if (Number.isNaN(mean)) return [`${metric.label}${unit}`, '-', ...(hasDurations ? [''] : []), '-', '-'];
    return [
      `${metric.label}${unit}`,
      text(mean),
      ...(hasDurations ? [isLong(each) ? formatDuration(mean) : ''] : []),
      boundsCell(estimate, format),
      text(standardDeviation),
    ];
  });
  const columns = [
    { heading: 'metric', align: 'left' as const },
    { heading: 'mean' },
    ...(hasDurations ? [{ heading: '' }] : []),
    { heading: `${intervalName(population, replications)} of the mean` },
    { heading: 'sd' },
  ];
  const warnings = warningsOf(metrics.map(({ name }) => name));
  return [fittedTable(columns, rows, colors), ...warnings.map((each) => wrapped(each))].join('\n');
}
