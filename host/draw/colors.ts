/**
 * Colours of drawings: of lengths of time on a logarithmic scale (how long jobs waited, how much earlier or later
 * they started), and of jobs, by how long they waited, their home site or their user.
 */
import type { FinishedJob } from '../results/finishedJobs.js';
import { ROUND_TIMES } from './axes.js';
import { areaColors } from './palette.js';

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

/** The bounds up to the largest time, a week at least. */
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

/** Some colours from one to another. */
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

/** Legend keys of differences, from the earliest to the latest, with no difference in the middle. */
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

/** Number of bounds that a time reaches or exceeds. */
export function timeClass(times: TimeBounds, seconds: number): number {
  let found = 0;
  while (found < times.length && seconds >= times[found]![0]) found++;
  return found;
}

/** The place among the keys of differences of a start that is this many seconds later; earlier where it is negative. */
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

// Colours of jobs

/** Attribute by which a drawing colours its jobs. */
export type JobColoring = 'wait' | 'home site' | 'user';

/** Jobs of one colour, as a legend calls them. */
export interface JobGroup {
  readonly name: string;
  readonly fill: string;
  /** The colour of text upon it. */
  readonly text: string;
}

/** Classes of waits, each up to a number of seconds. */
const WAITS: readonly (readonly [most: number, name: string])[] = [
  [0, 'did not wait'],
  [600, 'waited up to 10 min'],
  [3600, 'up to 1 h'],
  [21_600, 'up to 6 h'],
  [86_400, 'up to 1 d'],
  [Infinity, 'more than 1 d'],
];
/** Their colours, of the hue that waits have everywhere: the longer, the darker, but not so dark that a dark background hides them in a file. */
const LONGEST_FILL = '#6a3fb5';
const WAIT_FILLS = [
  TIME_SCALES.light.none,
  ...ramp([TIME_SCALES.light.more[0], LONGEST_FILL], WAITS.length - 1),
];
const DARK_WAIT_FILLS = [TIME_SCALES.dark.none, ...ramp(TIME_SCALES.dark.more, WAITS.length - 1)];

/** Colours of waits in drawings, each with what it is on a dark page. */
export const DARK_WAITS: readonly (readonly [light: string, dark: string])[] = WAIT_FILLS.map((fill, i) => [
  fill,
  DARK_WAIT_FILLS[i]!,
]);

/** Users with a colour of their own; all others share one. */
const MAX_USERS = 6;
const OTHERS = 'other users';

const homeName = (home: number) => `home site ${home + 1}`;

/** Attributes by which the jobs can be coloured; the first is the default. */
export function jobColorings(jobs: readonly FinishedJob[]): JobColoring[] {
  const hasHomes = new Set(jobs.map(({ home }) => home)).size > 1;
  const hasUsers = jobs.some(({ user }) => user !== undefined);
  return [...(hasHomes ? ['home site' as const] : []), 'wait', ...(hasUsers ? ['user' as const] : [])];
}

function frequentUsers(jobs: readonly FinishedJob[]): string[] {
  const counts = new Map<string, number>();
  for (const { user = '' } of jobs) counts.set(user, (counts.get(user) ?? 0) + 1);
  return [...counts.keys()].sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0)).slice(0, MAX_USERS);
}

/** The groups that jobs are in, in the order of a legend, and the name of the group of a job. */
export function jobGroups(
  jobs: readonly FinishedJob[],
  coloring: JobColoring = jobColorings(jobs)[0] as JobColoring,
): { readonly groups: readonly JobGroup[]; readonly nameOf: (job: FinishedJob) => string } {
  if (coloring === 'wait') {
    const nameOf = ({ submit, start }: FinishedJob) =>
      WAITS.find(([most]) => start - submit <= most)?.[1] ?? '';
    const present = new Set(jobs.map(nameOf));
    const groups = WAITS.map(([, name], i) => {
      const fill = WAIT_FILLS[i]!;
      return { name, fill, text: textOn(fill) };
    });
    return { groups: groups.filter(({ name }) => present.has(name)), nameOf };
  }
  if (coloring === 'home site') {
    const homes = [...new Set(jobs.map(({ home }) => home))].sort((a, b) => a - b);
    const colors = areaColors(Math.max(-1, ...homes) + 1);
    return {
      groups: homes.map((home) => ({ name: homeName(home), ...(colors[home] as Omit<JobGroup, 'name'>) })),
      nameOf: ({ home }) => homeName(home),
    };
  }
  const users = frequentUsers(jobs);
  const colors = areaColors(users.length);
  const hasOthers = jobs.some(({ user = '' }) => !users.includes(user));
  return {
    groups: [
      ...users.map((user, i) => ({ name: `user ${user}`, ...(colors[i] as Omit<JobGroup, 'name'>) })),
      ...(hasOthers ? [{ name: OTHERS, fill: '#8a8a8a', text: '#000000' }] : []),
    ],
    nameOf: ({ user = '' }) => (users.includes(user) ? `user ${user}` : OTHERS),
  };
}
