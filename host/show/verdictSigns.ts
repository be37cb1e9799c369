/** Verdicts as signs, and how far methods are behind, for tables and figures. */

import type { FigureAxis } from '../draw/figureModel.js';
import { formatPercent, type NumberFormat } from '../format/numbers.js';
import type { JudgedMethod, Judgement } from '../statistics/judging.js';
import type { Sign } from './table.js';
import { verdictWord } from './verdictText.js';

/** How verdicts look: by colour, and by a sign. */
export const VERDICTS = {
  best: { color: '#009e73', mark: '✓', tone: 'good' },
  within: { color: '#56b4e9', mark: '≈', tone: 'good' },
  undecided: { color: '#8a8a8a', mark: '?' },
  worse: { color: '#d55e00', mark: '✗', tone: 'bad' },
} as const;

/** What a verdict means. */
function meaningOf(word: keyof typeof VERDICTS, share: string): string {
  return {
    best: `the best, or within ${share} of it`,
    within: `worse, but by less than ${share}`,
    undecided: 'neither is significant',
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

/** So many decimals that shares, and where they begin and end, are told apart. */
export function shareFormat(shares: readonly Behind[]): NumberFormat {
  const sizes = shares.flatMap(({ value, low = 0, high = 0 }) => [value, low, high].map(Math.abs));
  const [least, most] = [Math.min(...sizes.filter((size) => size > 0)), Math.max(...sizes)];
  return { ...SHARE, decimals: most < 0.01 ? 2 : least < 0.1 ? 1 : 0 };
}

// The part of an axis that tells most values apart.

/** A value that is so many times the next stands at the edge of its axis, so that the others are told apart. */
const FAR = 5;

/** The part of an axis on which most values stand, where few are far beyond it; nothing else. Values and bounds are in the unit of the axis. */
export function shownRange(values: readonly Behind[]): Pick<FigureAxis, 'range'> {
  const ends = values.map(({ value, high = value }) => high).sort((a, b) => a - b);
  let last = ends.length - 1;
  while (2 * last > ends.length && ends[last - 1]! > 0 && ends[last]! > FAR * ends[last - 1]!) last--;
  if (last === ends.length - 1) return {};
  const lows = values.filter(({ value }) => value <= ends[last]!).map(({ value, low = value }) => low);
  return { range: [Math.min(...lows), ends[last]!] };
}
