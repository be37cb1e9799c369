/** Verdicts on methods over replications, in the words of terminals and pages. */

import { formatNumber, formatPercent, listed } from '../format/numbers.js';
import { firstOf } from '../lists.js';
import type { JudgedMethod, Judgement } from '../statistics/judging.js';
import type { Population } from '../statistics/population.js';

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
export function behindText({ behind }: JudgedMethod, judgement: Judgement): string {
  if (behind === null) return '';
  const { text, range } = amountsOf(judgement);
  const { low, high } = behind;
  if (low >= 0) return `${range(low, high)} worse`;
  if (high <= 0) return `${range(0 - high, -low)} better`;
  return `${text(-low)} better to ${text(high)} worse`;
}

/** The same for a column, below 0 where the method is ahead: `-0.4 .. +2.3 %`. */
export function behindCell({ behind }: JudgedMethod, { methods, observedBest }: Judgement): string {
  if (behind === null) return '';
  const scale = Math.abs(methods[observedBest]!.mean);
  const signed = (amount: number) => {
    const text = scale === 0 ? formatNumber(amount, 3) : formatNumber((100 * amount) / scale, 1);
    return /[1-9]/.test(text) ? `${amount > 0 ? '+' : ''}${text}` : text.replace('-', '');
  };
  return `${signed(behind.low)} .. ${signed(behind.high)}${scale === 0 ? '' : ' %'}`;
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

/** What replications say of methods, in one sentence, and over what it holds. */
export function verdictText(judgement: Judgement, names: readonly string[], population: Population): string {
  const { methods, replications, within, isJudged } = judgement;
  const over = `these ${formatNumber(replications)} ${population.copies}`;
  if (!isJudged) {
    return `Nothing is judged by ${over}: that takes ${population.fewest} ${population.counted ?? 'replications'} or more.`;
  }
  if (methods.every(({ sameAs }, i) => i === 0 || sameAs === 0)) {
    return `Among ${over}, all ${methods.length} methods are identical.`;
  }
  const { range } = amountsOf(judgement);
  const of = (word: string) => methods.flatMap((each, i) => (verdictWord(each) === word ? [i] : []));
  const share = amountsOf(judgement)
    .text(within)
    .replace(/\.0+ %/, ' %');
  const best = of('best');
  const candidates = methods.filter(({ couldBeBest, sameAs }) => couldBeBest && sameAs === null);
  const clauses = [
    best.length === 0
      ? `none is known to be within ${share} of the best`
      : candidates.length === 1 && best.length === 1
        ? `${names[firstOf(best)]} is the best`
        : `${listed(best.map((i) => names[i]!))} ${best.length === 1 ? 'is' : 'are'} the best or within ${share} of it`,
    ...of('within').map((i) => `${names[i]} is worse, by less than ${share}`),
    ...clauseOf(
      'worse',
      of('worse').map((i) => {
        const { low, high } = methods[i]!.behind ?? { low: 0, high: 0 };
        return { name: names[i]!, before: ', by ', amount: range(low, high) };
      }),
    ),
    ...clauseOf(
      'undecided',
      of('undecided').map((i) => ({
        name: names[i]!,
        before: '',
        amount: behindText(methods[i]!, judgement),
      })),
    ),
  ];
  return `Among ${over}, ${clauses.join('; ')}.`;
}

/** What a reader should know of a judgement besides, in sentences. */
export function verdictNotes(
  judgement: Judgement,
  names: readonly string[],
  metric: string,
  population: Pick<Population, 'counted'>,
): string[] {
  const counted: string = population.counted ?? 'replications';
  const { methods, replications, skewed, leastDifference, lacksResamples, isJudged } = judgement;
  const { text } = amountsOf(judgement);
  const [worst] = skewed;
  const same = methods.flatMap(({ sameAs }, i) =>
    sameAs === null
      ? []
      : [`${names[i]} and ${names[sameAs]} are identical in every ${counted.slice(0, -1)}.`],
  );
  const count = formatNumber(replications);
  return [
    ...same,
    ...(isJudged && leastDifference !== null
      ? [
          `${count} ${counted} detect a difference of ${text(leastDifference)} from the best four times in five.`,
        ]
      : []),
    ...(worst !== undefined
      ? [
          `Differences are skewed (most of all ${worst.methods.map((i) => names[i]).join(' minus ')}): below ${formatNumber(worst.replications)} ${counted}, bounds may hold less often than stated.`,
        ]
      : []),
    ...(lacksResamples
      ? ["Some differences are nearly always the same; their limits are Student's alone."]
      : []),
    ...(metric === 'meanSlowdown'
      ? ['A few very short jobs decide the unbounded mean slowdown; meanBoundedSlowdown is steadier.']
      : []),
  ];
}
