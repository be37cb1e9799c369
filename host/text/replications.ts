/** Comparisons over replications: for a person, and as numbers. */

import { printPolicy } from '../core/policies.js';
import { countOf, formatNumber, formatPercent, type NumberFormat, valueText } from '../format/numbers.js';
import { type Colors, formatTable } from '../format/table.js';
import type { Configuration } from '../options/configuration.js';
import { asksPolicy, isBackfilling } from '../options/configuration.js';
import { printOrder } from '../options/order.js';
import type { Metric } from '../simulate/metric.js';
import { chooserOf } from '../simulate/summary.js';
import type { MeanEstimate } from '../statistics/interval.js';
import type { JudgedMethod } from '../statistics/methods.js';

/** The methods of a comparison judged by one metric. */
export interface JudgedMetric {
  readonly name: string;
  readonly metric: Metric;
  /** In the order of the configurations. */
  readonly methods: readonly JudgedMethod[];
}

/** What is said of replications, whatever is made of them. */
export interface Replicated {
  readonly replications: number;
  /** What was changed from one to the next, as text. */
  readonly perturb: string;
}

/** A method as JSON names it. */
function nameOf({ policy, discipline, order }: Configuration): object {
  return { policy: printPolicy(policy), discipline, order: printOrder(order) };
}

const intervalOf = ({ mean, standardDeviation, low, high, method }: MeanEstimate) => ({
  mean,
  standardDeviation,
  low,
  high,
  interval: method,
});

/** The document of a comparison by one metric: a row for each method, with what it decides by. */
export function judgedDocument(
  { name, methods }: JudgedMetric,
  { replications, perturb }: Replicated,
  configurations: readonly Configuration[],
  known: readonly string[],
): object {
  return {
    replications,
    perturb,
    metric: name,
    rows: methods.map((judged, i) => ({
      ...nameOf(configurations[i]),
      knowledge: known[i],
      ...intervalOf(judged),
      bestIn: judged.bestIn,
      best: judged.isBest,
      distinguishable: judged.isDistinguishable,
      difference: judged.difference.mean,
      differenceLow: judged.difference.low,
      differenceHigh: judged.difference.high,
      replicationsNeeded: judged.replicationsNeeded,
    })),
  };
}

/** What tells methods apart, in a word or two each. */
export function methodNames(configurations: readonly Configuration[]): string[] {
  const choosers = configurations.map((each) =>
    isBackfilling(each.discipline) && !asksPolicy(each) ? '' : chooserOf(each),
  );
  const hasOneChooser = new Set(choosers.filter((chooser) => chooser !== '')).size < 2;
  const namesWith = (chooserFor: (index: number) => string) => {
    const parts = configurations.map(({ discipline, order }, i) => [
      discipline,
      order === 'submit' ? '' : printOrder(order),
      hasOneChooser && configurations.length > 1 ? '' : chooserFor(i),
    ]);
    const differs = parts[0].map((_, part) => new Set(parts.map((each) => each[part])).size > 1);
    return parts.map(
      (each) => each.filter((text, part) => text !== '' && differs[part]).join(' ') || each[2] || each[0],
    );
  };
  // The parameters of policies stand there where names alone leave some alike.
  const short = namesWith((i) => choosers[i].replace(/\[.*/, ''));
  return new Set(short).size === short.length ? short : namesWith((i) => choosers[i]);
}

/** So many digits that an interval is told from its mean. */
function formatFor(metric: Metric, values: readonly number[]): NumberFormat {
  if (metric.format.style === 'percent') return { style: 'percent', decimals: 2 };
  const most = values.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
  return { style: 'fixed', decimals: most < 10 ? 3 : most < 1000 ? 2 : 1 };
}

/** A number of replications as a person says it: in two digits. */
function roughly(count: number): string {
  const scale = 10 ** Math.max(0, Math.floor(Math.log10(count)) - 1);
  return formatNumber(Math.ceil(count / scale) * scale);
}

/** More replications than anybody would make. */
const ENDLESS = 1_000_000;

function conclusion({ methods }: JudgedMetric, names: readonly string[], replications: number): string {
  const best = names[methods.findIndex(({ isBest }) => isBest)];
  const alike = methods.flatMap(({ isDistinguishable, replicationsNeeded }, i) => {
    if (isDistinguishable !== false) return [];
    if (replicationsNeeded === null) return [`${names[i]} (the same in every replication)`];
    return [
      replicationsNeeded > ENDLESS ? names[i] : `${names[i]} (about ${roughly(replicationsNeeded)} would do)`,
    ];
  });
  if (methods.length < 2) return '';
  if (alike.length === 0)
    return `${best} is the best of the ${methods.length}: all others can be told apart from it.`;
  return `${best} is the best; with ${countOf(replications, 'replication')} these cannot be told apart from it: ${alike.join(', ')}.`;
}

/** The table of a comparison by one metric, and what follows from it. */
export function judgedText(
  judged: JudgedMetric,
  { replications }: Replicated,
  configurations: readonly Configuration[],
  known: readonly string[],
  colors: Colors,
): string {
  const { metric, methods } = judged;
  const isKnownToAll = new Set(known).size < 2;
  const names = methodNames(configurations);
  const format = formatFor(
    metric,
    methods.map(({ mean }) => mean),
  );
  const text = (value: number) => valueText(value, format);
  const signed = (value: number) => (value > 0 ? '+' : '') + text(value);
  const unit = metric.unit === undefined ? '' : ` [${metric.unit}]`;
  const columns = [
    { heading: 'method', align: 'left' as const },
    { heading: `${metric.label}${unit}` },
    { heading: '95 % interval' },
    { heading: 'sd' },
    { heading: 'best in' },
    { heading: 'from the best' },
    { heading: '95 % interval' },
    ...(isKnownToAll ? [] : [{ heading: 'knows', align: 'left' as const }]),
    { heading: '', align: 'left' as const },
  ];
  const rows = methods.map((method, i) => {
    const { difference, isBest, isDistinguishable } = method;
    const cells = [
      names[i],
      text(method.mean),
      `${text(method.low)} .. ${text(method.high)}`,
      text(method.standardDeviation),
      formatPercent(method.bestIn, 0),
      isBest ? '' : signed(difference.mean),
      isBest ? '' : `${signed(difference.low)} .. ${signed(difference.high)}`,
      ...(isKnownToAll ? [] : [known[i]]),
      isBest ? '*' : isDistinguishable ? '' : '~',
    ];
    return isDistinguishable === true
      ? cells
      : cells.map((cell) => (cell === '' ? cell : colors.green(cell)));
  });
  return `${formatTable(columns, rows, colors)}\n\n${conclusion(judged, names, replications)}`;
}

/** What intervals and marks mean. */
export const JUDGED_LEGEND = [
  '* the best mean; ~ cannot be told apart from it (Holm over the paired differences, two-sided 5 %)',
  'best in: share of the replications; from the best: paired differences on the same replications',
  "95 % intervals of means: Student's t, or bootstrap-t where values are skewed; of differences: bootstrap-t",
].join('\n');

/** A metric of one method over replications. */
export interface EstimatedMetric {
  readonly name: string;
  readonly metric: Metric;
  readonly estimate: MeanEstimate;
}

/** The document of one method over replications. */
export function estimatedDocument(
  metrics: readonly EstimatedMetric[],
  { replications, perturb }: Replicated,
  configuration: Configuration,
): object {
  return {
    replications,
    perturb,
    ...nameOf(configuration),
    metrics: metrics.map(({ name, estimate }) => ({ metric: name, ...intervalOf(estimate) })),
  };
}

/** The table of one method over replications. */
export function estimatedText(metrics: readonly EstimatedMetric[], colors: Colors): string {
  const rows = metrics.map(({ metric, estimate: { mean, low, high, standardDeviation } }) => {
    const format = formatFor(metric, [mean]);
    const text = (value: number) => valueText(value, format);
    const unit = metric.unit === undefined ? '' : ` [${metric.unit}]`;
    return [`${metric.label}${unit}`, text(mean), `${text(low)} .. ${text(high)}`, text(standardDeviation)];
  });
  const columns = [
    { heading: 'metric', align: 'left' as const },
    { heading: 'mean' },
    { heading: '95 % interval of the mean' },
    { heading: 'sd' },
  ];
  return formatTable(columns, rows, colors);
}
