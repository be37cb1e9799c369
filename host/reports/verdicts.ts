/** Verdicts on methods by one metric over replications or logs: in sentences, as signs, in tables and in figures. */
import type { Figure, FigureAxis, FigureSeries } from '../draw/figureModel.js';
import {
  capitalized,
  formatDuration,
  formatNumber,
  formatPercent,
  listed,
  type NumberFormat,
  valueText,
} from '../format/numbers.js';
import type { JudgedComparison, JudgedMetric } from '../runs/comparison.js';
import { metricId } from '../simulate/jobMetrics.js';
import type { Metric } from '../simulate/metric.js';
import { momentsOf } from '../statistics/bootstrap.js';
import { type MeanInterval, studentInterval } from '../statistics/interval.js';
import type { JudgedMethod, Judgement } from '../statistics/judging.js';
import type { Population } from '../statistics/population.js';
import { haveIntervals, intervalName, meanBounds, meansOver, warningsOf } from '../statistics/samples.js';
import { cellOf, type Sign, type Table, type TableColumn } from '../view/table.js';

/** Mean of the observed best, of which differences are shares; 1 where that is 0, since they then have the unit of the metric. */
const scaleOf = ({ methods, observedBest }: Judgement) => Math.abs(methods[observedBest]!.mean) || 1;

/** True if differences are shares of the mean of the observed best. */
const areShares = ({ methods, observedBest }: Judgement) => methods[observedBest]!.mean !== 0;

/** The tolerance in percent of the best mean: `1 %`, `0.5 %`. */
export const toleranceText = (judgement: Judgement) =>
  formatPercent(judgement.within / scaleOf(judgement), 3).replace(/\.?0+(?=\s%)/, '');

/** Range of distances: `2.1 to 4.0 %`, or in the unit of the metric. */
function rangeText(judgement: Judgement, low: number, high: number): string {
  if (!areShares(judgement)) return `${formatNumber(low, 3)} to ${formatNumber(high, 3)}`;
  const scale = scaleOf(judgement);
  const decimals = decimalsFor(Math.max(Math.abs(low), Math.abs(high)) / scale);
  return `${formatNumber((100 * low) / scale, decimals)} to ${formatPercent(high / scale, decimals)}`;
}

function amountText(judgement: Judgement, amount: number): string {
  if (!areShares(judgement)) return formatNumber(amount, 3);
  const share = amount / scaleOf(judgement);
  return formatPercent(share, decimalsFor(share));
}

const decimalsFor = (share: number) => (Math.abs(share) < 0.01 ? 2 : Math.abs(share) < 1 ? 1 : 0);

/** Distance to the best of the others: `2.1 to 4.0 % worse`, `0.4 % better to 2.3 % worse`; empty if not judged. */
export function distanceText({ behind }: JudgedMethod, judgement: Judgement): string {
  if (behind === null) return '';
  const { low, high } = behind;
  if (low >= 0) return `${rangeText(judgement, low, high)} worse`;
  if (high <= 0) return `${rangeText(judgement, 0 - high, -low)} better`;
  return `${amountText(judgement, -low)} better to ${amountText(judgement, high)} worse`;
}

/** A verdict in a word; empty if not judged. */
export function verdictWord({ verdict, behind }: JudgedMethod): string {
  if (verdict === null || behind === null) return '';
  return verdict === 'best' && behind.low > 0 ? 'within' : verdict;
}

/** Places of the methods with a verdict. */
const placesWith = ({ methods }: Judgement, word: string) =>
  methods.flatMap((each, i) => (verdictWord(each) === word ? [i] : []));

/** Names of the methods that are the best or within the tolerance, `undecided` or `not judged`. */
export function bestText(judgement: Judgement, names: readonly string[]): string[] {
  if (!judgement.isJudged) return ['not judged'];
  const best = placesWith(judgement, 'best').map((i) => names[i]!);
  return best.length === 0 ? ['undecided'] : best;
}

/** `A is worse, by 2 to 4 %`; `worse are A (2 to 4 %) and B (3 to 5 %)`. */
function clauseOf(
  word: string,
  before: string,
  found: readonly { readonly name: string; readonly amount: string }[],
): string[] {
  const [first] = found;
  if (first === undefined) return [];
  if (found.length > 1)
    return [`${word} are ${listed(found.map(({ name, amount }) => `${name} (${amount})`))}`];
  return [`${first.name} is ${word}${before === '' ? ` (${first.amount})` : `${before}${first.amount}`}`];
}

/** Number of undecided methods from which the sentence omits their bounds, which the table has. */
const MAX_BOUNDED = 3;

function undecidedClause(judgement: Judgement, names: readonly string[]): string[] {
  const { methods } = judgement;
  const found = placesWith(judgement, 'undecided');
  if (found.length <= MAX_BOUNDED) {
    const amounts = found.map((i) => ({ name: names[i]!, amount: distanceText(methods[i]!, judgement) }));
    return clauseOf('undecided', '', amounts);
  }
  const which =
    found.length === methods.length ? `all ${methods.length} methods` : listed(found.map((i) => names[i]!));
  return [`${which} are undecided, within the bounds of the table`];
}

function bestClause(judgement: Judgement, names: readonly string[]): string {
  const { methods, within } = judgement;
  const best = placesWith(judgement, 'best');
  const share = toleranceText(judgement);
  if (best.length === 0) {
    return within === 0 ? 'none is known to be the best' : `none is known to be within ${share} of the best`;
  }
  const candidates = methods.filter(({ couldBeBest, sameAs }) => couldBeBest && sameAs === null);
  const isSure = within === 0 || (candidates.length === 1 && best.length === 1);
  const are = `${listed(best.map((i) => names[i]!))} ${best.length === 1 ? 'is' : 'are'}`;
  return isSure ? `${are} the best` : `${are} within ${share} of the best`;
}

/** True if no method differs from another in any replication. */
export function areIdentical({ methods }: Pick<Judgement, 'methods'>): boolean {
  return methods.every(({ sameAs }, i) => i === 0 || sameAs === 0);
}

/** Scope of simultaneous limits: `for all methods, 2 metrics and 3 looks`. */
export function jointBoundsText({ metrics, looks }: Pick<JudgedComparison, 'metrics' | 'looks'>): string {
  const further = Object.entries({ metrics, looks }).filter(([, { length }]) => length > 1);
  return listed(['for all methods', ...further.map(([name, { length }]) => `${length} ${name}`)]);
}

/** Sentence on the verdicts over replications, and on the population. */
export function verdictText(judgement: Judgement, names: readonly string[], population: Population): string {
  const { methods, replications, isJudged, isOneSample } = judgement;
  const over = `these ${formatNumber(replications)} ${population.copies}`;
  if (methods.length === 1) return 'There is only one method, so nothing is compared.';
  if (isOneSample)
    return `No verdicts: each method has the same value in all ${over}, so they are one sample.`;
  if (!isJudged) {
    const { fewest, counted } = population;
    return counted === undefined
      ? `No verdicts from ${over}: at least ${fewest} replications are needed.`
      : `No verdict over all ${counted}: at least ${fewest} ${counted} are needed, and ${formatNumber(replications)} were given.`;
  }
  if (areIdentical(judgement))
    return `Among ${over}, ${methods.length === 2 ? 'both' : `all ${methods.length}`} methods are identical.`;
  const worse = placesWith(judgement, 'worse').map((i) => {
    const { low, high } = methods[i]!.behind!;
    return { name: names[i]!, amount: rangeText(judgement, low, high) };
  });
  const within = placesWith(judgement, 'within').map(
    (i) => `${names[i]} is worse, by less than ${toleranceText(judgement)}`,
  );
  const clauses = [
    bestClause(judgement, names),
    ...within,
    ...clauseOf('worse', ', by ', worse),
    ...undecidedClause(judgement, names),
  ];
  return `Among ${over}, ${clauses.join('; ')}.`;
}

/** Notes for readers of a judgement. */
export function verdictNotes(
  judgement: Judgement,
  names: readonly string[],
  metric: string,
  population: Pick<Population, 'counted'>,
): string[] {
  const { methods, replications, observedBest, skewed, leastDifference, fixed } = judgement;
  const counted = countedBy(population);
  const [worst] = skewed;
  const each = `in every ${counted.slice(0, -1)}`;
  const notes = [
    ...methods.map(
      ({ sameAs }, i) => sameAs !== null && `${names[i]} and ${names[sameAs]} are identical ${each}.`,
    ),
    ...fixed.map(([i, b]) => `The difference between ${names[i]} and ${names[b]} is the same ${each}.`),
    leastDifference !== null &&
      `With ${formatNumber(replications)} ${counted}, a difference of ${amountText(judgement, leastDifference)} between ${names[observedBest]} and the methods that are undecided or may be the best is detected with 80 % power.`,
    worst !== undefined &&
      `Differences are skewed (most of all ${worst.methods.map((i) => names[i]).join(' minus ')}): with fewer than ${formatNumber(worst.replications)} ${counted}, the actual coverage of the limits may be below 95 %.`,
    judgement.lacksResamples && "Some differences hardly vary; Student's t limits are used for those.",
    judgement.lacksCandidate &&
      `Through rounding, the bounds put every method behind another; ${names[observedBest]} has the best mean and counts as the best.`,
    ...warningsOf([metric]),
  ];
  return notes.filter((note) => note !== false);
}

/** Unit of the samples of a population: `replications` or `logs`. */
export const countedBy = ({ counted }: Pick<Population, 'counted'>): string => counted ?? 'replications';

// Verdicts as signs, and distances from the best, for tables and figures

/** Looks of verdicts: colour and sign. */
const VERDICTS = {
  best: { color: '#009e73', mark: '✓', tone: 'good' },
  within: { color: '#56b4e9', mark: '≈', tone: 'good' },
  undecided: { color: '#8a8a8a', mark: '?' },
  worse: { color: '#d55e00', mark: '✗', tone: 'bad' },
} as const;

/** The sign of a verdict, with what it means; none where nothing is judged. */
export function verdictSign(method: JudgedMethod, judgement: Judgement): { readonly sign?: Sign } {
  const word = verdictWord(method) as keyof typeof VERDICTS | '';
  if (word === '') return {};
  const share = toleranceText(judgement);
  const meaning = {
    best: `the best, or within ${share} of the best`,
    within: `worse, but by less than ${share}`,
    undecided: 'the data are inconclusive',
    worse: 'significantly worse than the best',
  }[word];
  const { color: _, mark, ...tone } = VERDICTS[word];
  return { sign: { mark, meaning: `${word}: ${meaning}`, ...tone } };
}

/** Distance of a method from the best of the others, as a share of the mean of the observed best; negative: ahead. */
export interface Behind {
  readonly value: number;
  readonly low?: number;
  readonly high?: number;
}

/** Distances of all methods, in their order. */
export function behindOf(judgement: Judgement, better: 'less' | 'more' = 'less'): Behind[] {
  const { methods } = judgement;
  const scale = scaleOf(judgement);
  const sign = better === 'more' ? -1 : 1;
  const first = (i: number) => methods[i]!.sameAs ?? i;
  return methods.map(({ mean, behind }, i) => {
    const others = methods.flatMap((each, j) => (first(j) === first(i) ? [] : [sign * each.mean]));
    const value = others.length === 0 ? 0 : (sign * mean - Math.min(...others)) / scale;
    return behind === null ? { value } : { value, low: behind.low / scale, high: behind.high / scale };
  });
}

/** Format of differences in the unit of a metric. */
const SIGNED: NumberFormat = { style: 'measure', isSigned: true };

/** Format of shares: enough decimals to tell them and their bounds apart. */
export function shareFormat(shares: readonly Behind[]): NumberFormat {
  const sizes = shares.flatMap(({ value, low = 0, high = 0 }) => [value, low, high].map(Math.abs));
  const [least, most] = [Math.min(...sizes.filter((size) => size > 0)), Math.max(...sizes)];
  return { style: 'percent', decimals: most < 0.01 ? 2 : least < 0.1 ? 1 : 0, isSigned: true };
}

const METHOD: TableColumn = { title: 'method', isHeading: true };

/** The unit of a column or an axis, if it has one. */
export const unitOf = ({ unit }: Pick<Metric, 'unit'>) => (unit === undefined ? {} : { unit });

/** The panel of a figure with one series. */
export const onePanel = (name: string, points: FigureSeries['points']) => [
  { title: '', series: [{ name, color: '#0072b2', points }] },
];

/** A column of distances: shares, or amounts in the unit of the metric. */
const distanceColumn = (title: string, shares: readonly Behind[], isShare: boolean, metric: Metric) => ({
  title,
  ...(isShare ? { format: shareFormat(shares) } : { format: SIGNED, ...unitOf(metric) }),
  holds: 'difference' as const,
});

/** The methods by one metric: means, shares of wins, differences, verdicts. */
export function verdictsTable(
  { name, metric, estimates, judgement }: JudgedMetric,
  names: readonly string[],
  comparison: JudgedComparison,
): Table {
  const { replications, population } = comparison;
  const { isJudged, methods } = judgement;
  const shares = behindOf(judgement, metric.better);
  const isShare = areShares(judgement);
  const hasIntervals = haveIntervals(population, replications);
  const isAlone = methods.length === 1;
  const over = meansOver(population, replications);
  const share = isShare ? ' in percent of the best mean' : '';
  const limits = isJudged
    ? `, with simultaneous 95 % confidence limits ${jointBoundsText(comparison)}.`
    : '; too few to judge.';
  const format: NumberFormat =
    metric.format.style === 'percent' ? { style: 'percent', decimals: 2 } : { style: 'measure' };
  return {
    id: metricId(name),
    title: capitalized(metric.label),
    caption: isAlone
      ? `${over}.`
      : `${over}; the difference to the best of the other methods${share}, from paired ${countedBy(population)}${limits}`,
    columns: [
      METHOD,
      { title: 'mean', format, ...unitOf(metric) },
      ...(isJudged ? [{ title: 'verdict' }] : []),
      ...(isAlone
        ? []
        : [
            { ...distanceColumn('behind', shares, isShare, metric), bounds: 'joint' as const },
            { title: 'best in', format: { style: 'percent', decimals: 0 } as const },
          ]),
    ],
    rows: methods.map((method, i) => [
      names[i]!,
      hasIntervals ? cellOf(estimates[i]!) : estimates[i]!.mean,
      ...(isJudged ? [{ value: verdictWord(method) || null, ...verdictSign(method, judgement) }] : []),
      ...(isAlone ? [] : [{ ...shares[i]! }, method.bestIn]),
    ]),
    bounds: meanBounds(population, replications),
  };
}

/** Differences to the best of the other methods beside a line at 0. */
export function differenceFigure(
  { name, metric, judgement }: JudgedMetric,
  names: readonly string[],
  comparison: JudgedComparison,
): Figure {
  const { replications, population } = comparison;
  const shares = behindOf(judgement, metric.better);
  const isShare = areShares(judgement);
  const order = names.map((_, i) => i).sort((a, b) => shares[a]!.value - shares[b]!.value);
  const series = [...Object.keys(VERDICTS), 'not judged'].flatMap((word): FigureSeries[] => {
    const own = order.filter((i) => (verdictWord(judgement.methods[i]!) || 'not judged') === word);
    const color = VERDICTS[word as keyof typeof VERDICTS]?.color ?? VERDICTS.undecided.color;
    const points = own.map((i) => ({
      ...{ x: names[i]!, y: shares[i]!.value, ...shares[i] },
      remark: distanceText(judgement.methods[i]!, judgement),
    }));
    return own.length === 0 ? [] : [{ name: word, color, points }];
  });
  const shaded = isShare ? `; shaded: within ${toleranceText(judgement)} of the best` : '';
  return {
    id: `${metricId(name)}-behind`,
    title: `${capitalized(metric.label)}: how far behind the best of the others`,
    caption:
      `Over ${formatNumber(replications)} ${population.copies}. Left of 0 a method is ahead of all others. ` +
      (judgement.isJudged
        ? `Whiskers are simultaneous 95 % confidence limits ${jointBoundsText(comparison)}${shaded}.`
        : `Too few ${countedBy(population)} to judge: no limits are drawn.`),
    kind: 'dots',
    bounds: 'joint',
    x: { title: 'method' },
    y: {
      title: 'behind the best',
      ...unitOf(isShare ? {} : metric),
      ...signedAxis(shares, judgement.within / scaleOf(judgement), isShare),
    },
    panels: [{ title: '', series }],
  };
}

/** Decimals of the ticks of shares, and the zone that is small beside them. */
function signedAxis(shares: readonly Behind[], zone: number, isShare: boolean): Partial<FigureAxis> {
  const part = shownRange(shares);
  if (!isShare) return { format: SIGNED, ...part };
  const ends = part.range ?? shares.flatMap(({ value, low, high }) => [value, low ?? value, high ?? value]);
  const span = Math.max(...ends, zone) - Math.min(...ends, 0);
  const decimals = span < 0.004 ? 2 : span < 0.04 ? 1 : 0;
  return { zone: [0, zone], format: { style: 'percent', isSigned: true, decimals }, ...part };
}

/** A value that is this many times the next is at the edge of its axis, so that the others can be distinguished. */
const FAR = 5;

/** The part of an axis on which most values are, where few are far beyond it; else nothing. In the unit of the axis. */
export function shownRange(values: readonly Behind[]): Pick<FigureAxis, 'range'> {
  const ends = values.map(({ value, high = value }) => high).sort((a, b) => a - b);
  let last = ends.length - 1;
  while (2 * last > ends.length && ends[last - 1]! > 0 && ends[last]! > FAR * ends[last - 1]!) last--;
  if (last === ends.length - 1) return {};
  const lows = values.filter(({ value }) => value <= ends[last]!).map(({ value, low = value }) => low);
  return { range: [Math.min(...lows), ends[last]!] };
}

/** Means with their intervals. */
export function meanFigure(
  { name, metric, estimates, judgement }: JudgedMetric,
  names: readonly string[],
  { replications, population }: Pick<JudgedComparison, 'replications' | 'population'>,
): Figure {
  const sign = metric.better === 'more' ? -1 : 1;
  const hasIntervals = haveIntervals(population, replications);
  const order = names.map((_, i) => i).sort((a, b) => sign * (estimates[a]!.mean - estimates[b]!.mean));
  const remarkOf = (mean: number) =>
    metric.unit === 's' && mean >= 60 ? formatDuration(mean) : valueText(mean, metric.format);
  const points = order.map((i) => {
    const { mean, low, high } = estimates[i]!;
    return { x: names[i]!, y: mean, ...(hasIntervals ? { low, high } : {}), remark: remarkOf(mean) };
  });
  const advice =
    hasIntervals && judgement.isJudged
      ? ' Intervals of means may overlap where paired differences are significant: judge by the differences.'
      : '';
  const shown = hasIntervals ? `mean and ${intervalName(population, replications)}` : 'mean';
  return {
    id: `${metricId(name)}-mean`,
    title: `${capitalized(metric.label)}: means`,
    caption: `${meansOver(population, replications)}.${advice}`,
    kind: 'dots',
    bounds: meanBounds(population, replications),
    x: { title: 'method' },
    y: {
      title: metric.label,
      ...unitOf(metric),
      ...(metric.format.style === 'percent' ? { format: { style: 'percent' as const } } : {}),
      ...shownRange(estimates.map(({ mean, low, high }) => ({ value: mean, low, high }))),
    },
    panels: onePanel(shown, points),
  };
}

// Methods on the pieces of a log, each unchanged and by itself

/** Distance of a method from the observed best over the pieces of a log. */
interface PieceDifference extends Omit<MeanInterval, 'method'> {
  readonly mean: number;
  /** Number of pieces in which it has the sign that it has over the replications. */
  readonly agreeing: number;
}

/** The differences of each method to the observed best over the pieces of a log; none without pieces. */
export function pieceDifferences({ metric, judgement, spans }: JudgedMetric): PieceDifference[] {
  const sign = metric.better === 'more' ? -1 : 1;
  return (spans?.values ?? []).map((values, i) => {
    const best = spans?.values[judgement.observedBest] ?? [];
    const differences = values.map((value, piece) => sign * (value - best[piece]!));
    const moments = momentsOf(differences);
    const { low, high } = studentInterval(moments);
    const side = Math.sign(judgement.methods[i]!.behindObserved);
    const agreeing = differences.filter((difference) => Math.sign(difference) === side).length;
    return { mean: moments.mean, low, high, agreeing };
  });
}

/** The methods on the pieces of a log, in every form. */
export interface PieceComparison {
  readonly table: Table;
  readonly figure: Figure;
  readonly sentence: string;
}

/** The methods on the pieces of the log; none without pieces, or if nothing is distinguished. */
export function compareOnPieces(judged: JudgedMetric, names: readonly string[]): PieceComparison[] {
  const { name: metricName, metric, judgement, spans } = judged;
  if (spans === undefined) return [];
  const { observedBest, methods } = judgement;
  const own = spans.values[observedBest]!;
  const { mean: bestMean } = momentsOf(own);
  const isShare = bestMean !== 0;
  const scale = Math.abs(bestMean) || 1;
  const others = pieceDifferences(judged).flatMap(({ mean, low, high, agreeing }, i) => {
    if (i === observedBest || methods[i]!.behindObserved === 0) return [];
    return [{ name: names[i]!, value: mean / scale, low: low / scale, high: high / scale, agreeing }];
  });
  if (others.length === 0) return [];
  others.sort((a, b) => a.value - b.value);
  const [count, best] = [own.length, names[observedBest]!];
  const length = formatDuration(Math.round(spans.seconds / 86_400) * 86_400);
  const pieces = `${count} pieces of the log of ${length} each, unchanged, each by itself`;
  const words = {
    id: `${metricId(metricName)}-pieces`,
    title: `${capitalized(metric.label)}: pieces of the log`,
    caption: `The ${pieces}: difference to ${best}, mean and 95 % interval over pieces.`,
    bounds: 'interval' as const,
  };
  const column = distanceColumn(`behind ${best}`, others, isShare, metric);
  const points = others.map(({ name: x, value: y, low, high, agreeing }) => ({
    ...{ x, y, low, high },
    remark: `worse in ${agreeing} of ${count}`,
  }));
  const text = (amount: number) => formatNumber(isShare ? 100 * amount : amount, 1);
  const unit = isShare ? '%' : (metric.unit ?? '');
  const listing = others.map(
    ({ name, value, high, agreeing }) =>
      `${name} ${value > 0 ? '+' : ''}${text(value)} ± ${text(high - value)} ${unit} (worse in ${agreeing} of ${count})`,
  );
  return [
    {
      table: {
        ...words,
        columns: [METHOD, column, { title: `worse in, of ${count}`, format: { style: 'fixed' } }],
        rows: others.map(({ name, agreeing, ...share }) => [name, share, agreeing]),
      },
      figure: {
        ...words,
        kind: 'dots',
        x: { title: 'method' },
        y: { title: column.title, ...signedAxis(others, 0, isShare) },
        panels: onePanel('mean and 95 % interval', points),
      },
      sentence: `Over the ${pieces}, differences to ${best} have these means and 95 % intervals: ${listed(listing)}.`,
    },
  ];
}
