/**
 * Comparisons over replications, and on the pieces of the log, each unchanged and by itself: for a person, and as
 * numbers.
 */
import { printPolicy } from '../core/policies.js';
import {
  formatDuration,
  formatNumber,
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
import type { Metric } from '../simulate/metric.js';
import type { MeanEstimate } from '../statistics/interval.js';
import { intervalName, warningsOf } from '../statistics/samples.js';
import type { Table } from '../view/table.js';
import { type Colors, fittedTable, LINE, tableText, wrapped } from '../view/terminal.js';
import { compareOnPieces, piecesTable, spanDifferences, verdictsTable } from './verdictTables.js';
import { jointBoundsText, verdictNotes, verdictText } from './verdictText.js';

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
export function verdictsDocument(
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

/** Enough digits to distinguish an interval from its mean. */
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

/** Sentence on the information that methods use; empty if all use the same. */
export function knowledgeText(names: readonly string[], known: readonly string[]): string[] {
  const kinds = [...new Set(known)];
  if (kinds.length < 2) return [];
  const texts = kinds.map((kind) => `${names.filter((_, i) => known[i] === kind).join(', ')}: ${kind}`);
  return [`Information used by ${texts.join('; ')}.`];
}

/** A comparison by one metric: its table, what follows from it, and the methods on the pieces of the log. */
export function verdictsText(
  judgedMetric: JudgedMetric,
  comparison: JudgedComparison,
  configurations: readonly Configuration[],
  known: readonly string[],
  colors: Colors,
): string {
  const { name, metric, estimates, judgement } = judgedMetric;
  const names = methodNames(configurations);
  const { population } = comparison;
  const sentences = [
    verdictText(judgement, names, population),
    ...verdictNotes(judgement, names, name, population),
    ...knowledgeText(names, known),
  ];
  const span = metric.unit === 's' ? spanOfTimes(estimates.map(({ mean }) => mean)) : undefined;
  const heading = span === undefined ? metric.label : `${metric.label}: ${span}`;
  const shown = (table: Table) => tableText({ ...table, title: '', details: 'beside' }, colors, LINE);
  const pieces = piecesTable(judgedMetric, names);
  return [
    wrapped(heading),
    shown(verdictsTable(judgedMetric, names, comparison)),
    sentences.map(wrapped).join('\n'),
    ...(pieces === undefined ? [] : [wrapped(pieces.caption), shown(pieces)]),
  ].join('\n\n');
}

/** The methods on the pieces of the log as a sentence; none without pieces. */
export function piecesSentence(judgedMetric: JudgedMetric, names: readonly string[]): string[] {
  const found = compareOnPieces(judgedMetric, names);
  if (found === undefined) return [];
  const rows = found.others.map(({ name, share: { value, high }, agreeing }) => {
    const text = (amount: number) => formatNumber(found.isShare ? 100 * amount : amount, 1);
    const unit = found.isShare ? '%' : (judgedMetric.metric.unit ?? '');
    return `${name} ${value > 0 ? '+' : ''}${text(value)} ± ${text(high - value)} ${unit} (worse in ${agreeing} of ${found.count})`;
  });
  return [
    `Over the ${found.pieces}, differences to ${found.best} have these means and 95 % intervals: ${listed(rows)}.`,
  ];
}

/** Sentence on how undecided methods can be decided; empty if there are none or nothing is judged. */
function decidingText({ metrics, population }: JudgedComparison): string[] {
  const isOpen = metrics.some(({ judgement }) => judgement.isJudged && !judgement.isDecided);
  if (!isOpen) return [];
  if (population.counted !== undefined) return [`More ${population.counted} may decide what is undecided.`];
  const hasLooks = metrics.some(({ judgement }) => judgement.limits === 'anytime');
  return [
    hasLooks
      ? 'More --replications may decide what is undecided.'
      : 'More --replications may decide what is undecided; --until-decided adds them until nothing is.',
  ];
}

/** Explanations of the columns and words. */
export function verdictLegend(comparison: JudgedComparison): string {
  const { metrics, population, withoutPieces } = comparison;
  const isJudged = metrics.some(({ judgement }) => judgement.isJudged);
  const isAlone = metrics.every(({ judgement }) => judgement.methods.length === 1);
  return [
    ...(isAlone
      ? []
      : [`best in: share of the ${population.counted ?? 'replications'} in which no method is better.`]),
    ...(isJudged
      ? [
          `behind: how far a method is behind the best of the others (below 0: ahead of it), from paired differences; joint limits are simultaneous 95 % confidence limits ${jointBoundsText(comparison)}.`,
        ]
      : []),
    ...(isJudged || population.counted === undefined ? [population.caveat] : []),
    ...(withoutPieces === undefined ? [] : [withoutPieces]),
    ...decidingText(comparison),
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
    // The metric of a class without jobs.
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
