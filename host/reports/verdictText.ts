/**
 * Verdicts on methods over replications: in the words of terminals and pages, and as signs of tables and figures.
 */
import type { FigureAxis } from '../draw/figureModel.js';
import { formatNumber, formatPercent, listed, type NumberFormat } from '../format/numbers.js';
import type { JudgedComparison } from '../runs/comparison.js';
import type { JudgedMethod, Judgement } from '../statistics/judging.js';
import type { Population } from '../statistics/population.js';
import { warningsOf } from '../statistics/samples.js';
import type { Sign } from '../view/table.js';

/** Amounts of a judgement: in percent of the mean of the observed best; where that is 0, in the unit of the metric. */
interface Amounts {
  readonly text: (amount: number) => string;
  /** `2.1 to 4.0 %`. */
  readonly range: (low: number, high: number) => string;
}

function amountsOf({ methods, observedBest }: Judgement): Amounts {
  const scale = Math.abs(methods[observedBest]!.mean);
  if (scale === 0) {
    const text = (amount: number) => formatNumber(amount, 3);
    return { text, range: (low, high) => `${text(low)} to ${text(high)}` };
  }
  const decimalsFor = (share: number) => (Math.abs(share) < 0.01 ? 2 : Math.abs(share) < 1 ? 1 : 0);
  return {
    text: (amount) => formatPercent(amount / scale, decimalsFor(amount / scale)),
    range: (low, high) => {
      const decimals = decimalsFor(Math.max(Math.abs(low), Math.abs(high)) / scale);
      return `${formatNumber((100 * low) / scale, decimals)} to ${formatPercent(high / scale, decimals)}`;
    },
  };
}

/** How far a method is behind the best of the others: `2.1 to 4.0 % worse`, `0.4 % better to 2.3 % worse`; empty if not judged. */
export function distanceText({ behind }: JudgedMethod, judgement: Judgement): string {
  if (behind === null) return '';
  const { text, range } = amountsOf(judgement);
  const { low, high } = behind;
  if (low >= 0) return `${range(low, high)} worse`;
  if (high <= 0) return `${range(0 - high, -low)} better`;
  return `${text(-low)} better to ${text(high)} worse`;
}

/** A verdict in a word. */
export function verdictWord({ verdict, behind }: JudgedMethod): string {
  if (verdict === null || behind === null) return '';
  return verdict === 'best' && behind.low > 0 ? 'within' : verdict;
}

/** `A is worse, by 2 to 4 %`; `worse are A (2 to 4 %) and B (3 to 5 %)`. */
function clauseOf(
  word: string,
  found: readonly { readonly name: string; readonly before: string; readonly amount: string }[],
): string[] {
  const [first] = found;
  if (first === undefined) return [];
  const { name, before, amount } = first;
  if (found.length > 1)
    return [`${word} are ${listed(found.map((each) => `${each.name} (${each.amount})`))}`];
  return [`${name} is ${word}${before === '' ? ` (${amount})` : `${before}${amount}`}`];
}

/** Number of undecided methods from which the sentence omits their bounds, which the table has. */
const MAX_BOUNDED = 3;

/** Clause on undecided methods, with the bounds if there are few. */
function undecidedClause(judgement: Judgement, names: readonly string[], found: readonly number[]): string[] {
  const { methods } = judgement;
  if (found.length <= MAX_BOUNDED) {
    return clauseOf(
      'undecided',
      found.map((i) => ({ name: names[i]!, before: '', amount: distanceText(methods[i]!, judgement) })),
    );
  }
  const which =
    found.length === methods.length
      ? `all ${methods.length} methods are undecided`
      : `${listed(found.map((i) => names[i]!))} are undecided`;
  return [`${which}, within the bounds of the table`];
}

/** Which methods are the best, or within the tolerance of it. */
function bestClause(judgement: Judgement, names: readonly string[], best: readonly number[]): string {
  const { methods, within } = judgement;
  const share = shareOf(judgement);
  if (best.length === 0) {
    return within === 0 ? 'none is known to be the best' : `none is known to be within ${share} of the best`;
  }
  const candidates = methods.filter(({ couldBeBest, sameAs }) => couldBeBest && sameAs === null);
  const isSure = within === 0 || (candidates.length === 1 && best.length === 1);
  const are = `${listed(best.map((i) => names[i]!))} ${best.length === 1 ? 'is' : 'are'}`;
  return isSure ? `${are} the best` : `${are} within ${share} of the best`;
}

/** The tolerance. */
function shareOf(judgement: Judgement): string {
  return amountsOf(judgement)
    .text(judgement.within)
    .replace(/\.0+ %/, ' %');
}

/** True if no method differs from another in any replication. */
export function areIdentical({ methods }: Pick<Judgement, 'methods'>): boolean {
  return methods.every(({ sameAs }, i) => i === 0 || sameAs === 0);
}

/** For what all bounds hold together, where that is more than the methods. */
export function jointBoundsText({ metrics, looks }: Pick<JudgedComparison, 'metrics' | 'looks'>): string {
  const parts = [
    'for all methods',
    ...(metrics.length > 1 ? [`${metrics.length} metrics`] : []),
    ...(looks.length > 1 ? [`${looks.length} looks`] : []),
  ];
  return listed(parts);
}

/** Sentence on the verdicts over replications, and on the population. */
export function verdictText(judgement: Judgement, names: readonly string[], population: Population): string {
  const { methods, replications, isJudged, isOneSample } = judgement;
  const over = `these ${formatNumber(replications)} ${population.copies}`;
  if (methods.length === 1) return 'There is only one method, so nothing is compared.';
  if (isOneSample) {
    return `No verdicts: each method has the same value in all ${over}, so they are one sample.`;
  }
  if (!isJudged) {
    const { fewest, counted } = population;
    return counted === undefined
      ? `No verdicts from ${over}: at least ${fewest} replications are needed.`
      : `No verdict over all ${counted}: at least ${fewest} ${counted} are needed, and ${formatNumber(replications)} were given.`;
  }
  if (areIdentical(judgement)) {
    return `Among ${over}, ${methods.length === 2 ? 'both' : `all ${methods.length}`} methods are identical.`;
  }
  const { range } = amountsOf(judgement);
  const of = (word: string) => methods.flatMap((each, i) => (verdictWord(each) === word ? [i] : []));
  const clauses = [
    bestClause(judgement, names, of('best')),
    ...of('within').map((i) => `${names[i]} is worse, by less than ${shareOf(judgement)}`),
    ...clauseOf(
      'worse',
      of('worse').map((i) => {
        const { low, high } = methods[i]!.behind ?? { low: 0, high: 0 };
        return { name: names[i]!, before: ', by ', amount: range(low, high) };
      }),
    ),
    ...undecidedClause(judgement, names, of('undecided')),
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
  const counted: string = population.counted ?? 'replications';
  const { methods, replications, observedBest, skewed, leastDifference, fixed } = judgement;
  const { text } = amountsOf(judgement);
  const [worst] = skewed;
  const each = `in every ${counted.slice(0, -1)}`;
  const count = formatNumber(replications);
  return [
    ...methods.flatMap(({ sameAs }, i) =>
      sameAs === null ? [] : [`${names[i]} and ${names[sameAs]} are identical ${each}.`],
    ),
    ...fixed.map(([i, b]) => `The difference between ${names[i]} and ${names[b]} is the same ${each}.`),
    ...(leastDifference === null
      ? []
      : [
          `With ${count} ${counted}, a difference of ${text(leastDifference)} between ${names[observedBest]} and the methods that are undecided or may be the best is detected with 80 % power.`,
        ]),
    ...(worst === undefined
      ? []
      : [
          `Differences are skewed (most of all ${worst.methods.map((i) => names[i]).join(' minus ')}): with fewer than ${formatNumber(worst.replications)} ${counted}, the actual coverage of the limits may be below 95 %.`,
        ]),
    ...(judgement.lacksResamples
      ? ["Some differences hardly vary; Student's t limits are used for those."]
      : []),
    ...(judgement.lacksCandidate
      ? [
          `Through rounding, the bounds put every method behind another; ${names[observedBest]} has the best mean and counts as the best.`,
        ]
      : []),
    ...warningsOf([metric]),
  ];
}

// Verdicts as signs, and how far methods are behind, for tables and figures

/** How verdicts look: by colour, and by a sign. */
export const VERDICTS = {
  best: { color: '#009e73', mark: '✓', tone: 'good' },
  within: { color: '#56b4e9', mark: '≈', tone: 'good' },
  undecided: { color: '#8a8a8a', mark: '?' },
  worse: { color: '#d55e00', mark: '✗', tone: 'bad' },
} as const;

/** Explanation of a verdict. */
function meaningOf(word: keyof typeof VERDICTS, share: string): string {
  return {
    best: `the best, or within ${share} of the best`,
    within: `worse, but by less than ${share}`,
    undecided: 'the data are inconclusive',
    worse: 'significantly worse than the best',
  }[word];
}

/** The sign of a verdict, with what it means; none where nothing is judged. */
export function signOf(method: JudgedMethod, { within, methods, observedBest }: Judgement): Sign | undefined {
  const word = verdictWord(method);
  if (!Object.hasOwn(VERDICTS, word)) return undefined;
  const key = word as keyof typeof VERDICTS;
  const share = formatPercent(within / (Math.abs(methods[observedBest]!.mean) || 1), 1).replace('.0', '');
  const { mark, ...look } = VERDICTS[key];
  return {
    mark,
    meaning: `${key}: ${meaningOf(key, share)}`,
    ...('tone' in look ? { tone: look.tone } : {}),
  };
}

/** How far a method is behind the best of the others, as a share of the mean of the observed best; below 0 it is ahead. */
export interface Behind {
  readonly value: number;
  readonly low?: number;
  readonly high?: number;
}

/** That of each method, in their order. */
export function behindOf({ methods, observedBest }: Judgement, better: 'less' | 'more' = 'less'): Behind[] {
  const scale = Math.abs(methods[observedBest]!.mean) || 1;
  const sign = better === 'more' ? -1 : 1;
  const first = (i: number) => methods[i]!.sameAs ?? i;
  return methods.map(({ mean, behind }, i) => {
    const others = methods.flatMap((each, j) => (first(j) === first(i) ? [] : [sign * each.mean]));
    const value = others.length === 0 ? 0 : (sign * mean - Math.min(...others)) / scale;
    return behind === null ? { value } : { value, low: behind.low / scale, high: behind.high / scale };
  });
}

const SHARE: NumberFormat = { style: 'percent', decimals: 1, isSigned: true };

/** True if differences are shares of the mean of the observed best; where that is 0 they are in the unit of the metric. */
export function areShares({ methods, observedBest }: Judgement): boolean {
  return methods[observedBest]!.mean !== 0;
}

/** How differences in the unit of a metric are shown. */
export const SIGNED: NumberFormat = { style: 'measure', isSigned: true };

/** Enough decimals to tell shares, and where they begin and end, apart. */
export function shareFormat(shares: readonly Behind[]): NumberFormat {
  const sizes = shares.flatMap(({ value, low = 0, high = 0 }) => [value, low, high].map(Math.abs));
  const [least, most] = [Math.min(...sizes.filter((size) => size > 0)), Math.max(...sizes)];
  return { ...SHARE, decimals: most < 0.01 ? 2 : least < 0.1 ? 1 : 0 };
}

// The part of an axis that distinguishes most values.

/** A value that is this many times the next is at the edge of its axis, so that the others can be distinguished. */
const FAR = 5;

/** The part of an axis on which most values are, where few are far beyond it; nothing else. Values and bounds are in the unit of the axis. */
export function shownRange(values: readonly Behind[]): Pick<FigureAxis, 'range'> {
  const ends = values.map(({ value, high = value }) => high).sort((a, b) => a - b);
  let last = ends.length - 1;
  while (2 * last > ends.length && ends[last - 1]! > 0 && ends[last]! > FAR * ends[last - 1]!) last--;
  if (last === ends.length - 1) return {};
  const lows = values.filter(({ value }) => value <= ends[last]!).map(({ value, low = value }) => low);
  return { range: [Math.min(...lows), ends[last]!] };
}
