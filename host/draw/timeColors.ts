/** Colours of lengths of time on a logarithmic scale: how long jobs waited, how much earlier or later they started. */
import { ROUND_TIMES } from './axes.js';

/** Times of one colour. */
export interface TimeKey {
  readonly name: string;
  readonly color: string;
  /** The name, short enough to be written in the colour itself, on a scale. */
  readonly short?: string;
}

/** Bounds of a scale of times in seconds, and what they are called. */
export type TimeBounds = readonly (readonly [seconds: number, name: string])[];

const WEEK = 604_800;
const TIMES: TimeBounds = [
  ...ROUND_TIMES.filter(([seconds]) => seconds !== 10 && seconds <= WEEK),
  [2 * WEEK, '2 weeks'],
  [2_592_000, '30 d'],
  [5_184_000, '60 d'],
];

/** The bounds up to the largest time that there is, a week at least. */
export const timesUpTo = (most: number): TimeBounds =>
  TIMES.filter(([seconds]) => seconds <= Math.max(most, WEEK));

/**
 * From the middle of a scale to its ends, on light and on dark. No method has these hues (`web/explorer/charts/looks.ts`): violet is a wait, and later;
 * olive is earlier.
 */
export const TIME_SCALES = {
  light: { none: '#dcdfe2', more: ['#d3cbee', '#2f0a6b'], less: ['#dde3ac', '#4c5600'] },
  dark: { none: '#3c434b', more: ['#54487e', '#ddd0ff'], less: ['#535a26', '#eef59a'] },
} as const;

/** So many colours from one to another. */
export function ramp([from, to]: readonly [string, string], count: number): string[] {
  const parts = (color: string) => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  const [a, b] = [parts(from), parts(to)];
  return Array.from({ length: count }, (_, i) => {
    const mixed = a.map((part, k) => Math.round(part + ((b[k]! - part) * i) / (count - 1)));
    return `#${mixed.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
  });
}

/** The keys of times on one side of zero, from the least on. */
export const timeKeys = (times: TimeBounds, ends: readonly [string, string], after = ''): TimeKey[] =>
  ramp(ends, times.length).map((color, i) => {
    const [, bound] = times[i]!;
    const name = i + 1 < times.length ? `${bound} to ${times[i + 1]![1]}` : `${bound} or more`;
    return { name: name + after, short: bound, color };
  });

/** The keys of differences: from the earliest to the latest, that of no difference in the middle. */
export function differenceKeys(times: TimeBounds, theme: keyof typeof TIME_SCALES): TimeKey[] {
  const { none, more, less } = TIME_SCALES[theme];
  const same = { name: 'at the same time', short: '=', color: none };
  const [earlier, later] = [timeKeys(times, less, ' earlier'), timeKeys(times, more, ' later')];
  return [...earlier.reverse(), same, ...later];
}

/** Colours of differences in drawings, each with what it is on a dark page. */
export function darkDifferences(): (readonly [light: string, dark: string])[] {
  const scales = TIMES.filter(([seconds]) => seconds >= WEEK).map(([seconds]) => timesUpTo(seconds));
  return scales.flatMap((times) => {
    const dark = differenceKeys(times, 'dark');
    return differenceKeys(times, 'light').map(({ color }, i) => [color, dark[i]!.color] as const);
  });
}

/** How many bounds a time is not below. */
export function timeClass(times: TimeBounds, seconds: number): number {
  let found = 0;
  while (found < times.length && seconds >= times[found]![0]) found++;
  return found;
}

/** The place among the keys of differences of a start that is so many seconds later; earlier where it is negative. */
export const differenceClass = (times: TimeBounds, later: number) =>
  times.length + Math.sign(later) * timeClass(times, Math.abs(later));

/** Black or white, whichever is read more easily on a colour, by the contrast of WCAG. */
export function textOn(color: string): '#000' | '#fff' {
  const light = (at: number) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * light(1) + 0.7152 * light(3) + 0.0722 * light(5) > 0.179 ? '#000' : '#fff';
}
