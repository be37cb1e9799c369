/**
 * Colours for durations on a logarithmic scale (waits, and differences between start times) and for jobs
 * (by wait, home site or user).
 */
import type { FinishedJob } from '../results/finishedJobs.js';
import { ROUND_TIME_STEPS } from './axes.js';
import { chooseAreaColors } from './palette.js';

/** Legend key of a class of durations: name and colour. */
export interface DurationColorKey {
  readonly name: string;
  readonly color: string;
  /** Short name that fits inside the coloured field of a scale. */
  readonly short?: string;
}

/** Upper bounds in seconds of the classes of a duration scale, with their labels. */
export type DurationClasses = readonly (readonly [seconds: number, name: string])[];

const WEEK_SECONDS = 604_800;
const COLOR_DURATION_CLASSES: DurationClasses = [
  ...ROUND_TIME_STEPS.filter(([seconds]) => seconds !== 10 && seconds <= WEEK_SECONDS),
  [2 * WEEK_SECONDS, '2 weeks'],
  [2_592_000, '30 d'],
  [5_184_000, '60 d'],
];

/** Class bounds up to the largest duration, but at least up to a week. */
export const makeDurationClassesUpTo = (longestDuration: number): DurationClasses =>
  COLOR_DURATION_CLASSES.filter(([seconds]) => seconds <= Math.max(longestDuration, WEEK_SECONDS));

/**
 * Colours for light and dark pages, from the middle of a scale to its ends: violet means waiting or later,
 * olive earlier. No method uses these hues (`web/explorer/charts/looks.ts`).
 */
export const DURATION_COLOR_SCALES = {
  light: { none: '#dcdfe2', more: ['#d3cbee', '#2f0a6b'], less: ['#dde3ac', '#4c5600'] },
  dark: { none: '#3c434b', more: ['#54487e', '#ddd0ff'], less: ['#535a26', '#eef59a'] },
} as const;

/** Interpolates `colorCount` colours between two colours. */
export function interpolateColors(
  [fromColor, toColor]: readonly [string, string],
  colorCount: number,
): string[] {
  const parseRgbChannels = (color: string) =>
    [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  const [a, b] = [parseRgbChannels(fromColor), parseRgbChannels(toColor)];
  return Array.from({ length: colorCount }, (_, i) => {
    const mixedChannels = a.map((channel, k) =>
      Math.round(channel + ((b[k]! - channel) * i) / (colorCount - 1)),
    );
    return `#${mixedChannels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
  });
}

/** Legend keys of durations on one side of zero, the shortest first. */
export const makeDurationColorKeys = (
  classTimes: DurationClasses,
  endColors: readonly [string, string],
  nameSuffix = '',
): DurationColorKey[] =>
  interpolateColors(endColors, classTimes.length).map((color, i) => {
    const [, boundText] = classTimes[i]!;
    const durationLabel =
      i + 1 < classTimes.length ? `${boundText} to ${classTimes[i + 1]![1]}` : `${boundText} or more`;
    return { name: durationLabel + nameSuffix, short: boundText, color };
  });

/** Legend keys for differences of start times, from much earlier over no difference to much later. */
export function makeStartDifferenceColorKeys(
  classTimes: DurationClasses,
  theme: keyof typeof DURATION_COLOR_SCALES,
): DurationColorKey[] {
  const { none, more, less } = DURATION_COLOR_SCALES[theme];
  const equalStartKey = { name: 'at the same time', short: '=', color: none };
  const [earlier, later] = [
    makeDurationColorKeys(classTimes, less, ' earlier'),
    makeDurationColorKeys(classTimes, more, ' later'),
  ];
  return [...earlier.reverse(), equalStartKey, ...later];
}

/** Pairs of colours for differences of start times: on light pages and on dark ones. */
export function makeStartDifferenceColorPairs(): (readonly [light: string, dark: string])[] {
  const classesByScale = COLOR_DURATION_CLASSES.filter(([seconds]) => seconds >= WEEK_SECONDS).map(
    ([seconds]) => makeDurationClassesUpTo(seconds),
  );
  return classesByScale.flatMap((classTimes) => {
    const darkKeys = makeStartDifferenceColorKeys(classTimes, 'dark');
    return makeStartDifferenceColorKeys(classTimes, 'light').map(
      ({ color: keyColor }, i) => [keyColor, darkKeys[i]!.color] as const,
    );
  });
}

/** Number of class bounds that a duration in seconds reaches or exceeds. */
export function findDurationClassIndex(classTimes: DurationClasses, seconds: number): number {
  let reachedBoundCount = 0;
  while (reachedBoundCount < classTimes.length && seconds >= classTimes[reachedBoundCount]![0])
    reachedBoundCount++;
  return reachedBoundCount;
}

/**
 * Index among the keys of `makeStartDifferenceColorKeys` for a start that is `delay` seconds later; negative:
 * earlier.
 */
export const findStartDifferenceClassIndex = (classTimes: DurationClasses, delay: number) =>
  classTimes.length + Math.sign(delay) * findDurationClassIndex(classTimes, Math.abs(delay));

/** Black or white, whichever has the higher WCAG contrast on a background colour. */
export function chooseReadableTextColor(color: string): '#000' | '#fff' {
  const toLinearChannel = (position: number) => {
    const level = Number.parseInt(color.slice(position, position + 2), 16) / 255;
    return level <= 0.04045 ? level / 12.92 : ((level + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * toLinearChannel(1) + 0.7152 * toLinearChannel(3) + 0.0722 * toLinearChannel(5) > 0.179
    ? '#000'
    : '#fff';
}

// Colours of jobs

/** Attribute by which a drawing colours its jobs. */
export type JobColoring = 'wait' | 'home site' | 'user';

/** Jobs that share a colour, as one entry of a legend. */
export interface JobColorGroup {
  readonly name: string;
  readonly fill: string;
  /** Colour of text drawn on the group's colour. */
  readonly text: string;
}

/** Classes of waits by their upper bound in seconds. */
const WAIT_CLASSES: readonly (readonly [most: number, name: string])[] = [
  [0, 'did not wait'],
  [600, 'waited up to 10 min'],
  [3600, 'up to 1 h'],
  [21_600, 'up to 6 h'],
  [86_400, 'up to 1 d'],
  [Infinity, 'more than 1 d'],
];
/** Colour of the longest waits: dark, but still visible on a dark background. */
const LONGEST_WAIT_FILL = '#6a3fb5';
/** Colours of the wait classes: the longer the wait, the darker. */
const WAIT_CLASS_FILLS = [
  DURATION_COLOR_SCALES.light.none,
  ...interpolateColors([DURATION_COLOR_SCALES.light.more[0], LONGEST_WAIT_FILL], WAIT_CLASSES.length - 1),
];
const DARK_WAIT_CLASS_FILLS = [
  DURATION_COLOR_SCALES.dark.none,
  ...interpolateColors(DURATION_COLOR_SCALES.dark.more, WAIT_CLASSES.length - 1),
];

/** Pairs of colours for the wait classes: on light pages and on dark ones. */
export const WAIT_CLASS_FILL_PAIRS: readonly (readonly [light: string, dark: string])[] =
  WAIT_CLASS_FILLS.map((fill, i) => [fill, DARK_WAIT_CLASS_FILLS[i]!]);

/** Number of users with their own colour; all other users share one. */
const MAX_COLORED_USERS = 6;
const OTHER_USERS_LABEL = 'other users';

const labelHomeSite = (home: number) => `home site ${home + 1}`;

/** Attributes by which the jobs can be coloured; the first is the default. */
export function findAvailableJobColorings(jobs: readonly FinishedJob[]): JobColoring[] {
  const hasHomeSites = new Set(jobs.map(({ home }) => home)).size > 1;
  const hasKnownUsers = jobs.some(({ user }) => user !== undefined);
  return [
    ...(hasHomeSites ? ['home site' as const] : []),
    'wait',
    ...(hasKnownUsers ? ['user' as const] : []),
  ];
}

function findMostFrequentUsers(jobs: readonly FinishedJob[]): string[] {
  const jobCountByUser = new Map<string, number>();
  for (const { user = '' } of jobs) jobCountByUser.set(user, (jobCountByUser.get(user) ?? 0) + 1);
  return [...jobCountByUser.keys()]
    .sort((a, b) => (jobCountByUser.get(b) ?? 0) - (jobCountByUser.get(a) ?? 0))
    .slice(0, MAX_COLORED_USERS);
}

/**
 * Groups of jobs by colour in legend order, and a function that returns the name of a job's group.
 * @param coloring attribute that determines the colour; default: home site if there are several, otherwise
 * wait.
 */
export function groupJobsByColor(
  jobs: readonly FinishedJob[],
  coloring: JobColoring = findAvailableJobColorings(jobs)[0] as JobColoring,
): { readonly groups: readonly JobColorGroup[]; readonly nameOf: (job: FinishedJob) => string } {
  if (coloring === 'wait') {
    const nameOf = ({ submit, start }: FinishedJob) =>
      WAIT_CLASSES.find(([most]) => start - submit <= most)?.[1] ?? '';
    const presentGroupNames = new Set(jobs.map(nameOf));
    const colorGroups = WAIT_CLASSES.map(([, name], i) => {
      const fill = WAIT_CLASS_FILLS[i]!;
      return { name, fill, text: chooseReadableTextColor(fill) };
    });
    return { groups: colorGroups.filter(({ name: groupName }) => presentGroupNames.has(groupName)), nameOf };
  }
  if (coloring === 'home site') {
    const homes = [...new Set(jobs.map(({ home }) => home))].sort((a, b) => a - b);
    const colors = chooseAreaColors(Math.max(-1, ...homes) + 1);
    return {
      groups: homes.map((home) => ({
        name: labelHomeSite(home),
        ...(colors[home] as Omit<JobColorGroup, 'name'>),
      })),
      nameOf: ({ home }) => labelHomeSite(home),
    };
  }
  const users = findMostFrequentUsers(jobs);
  const colors = chooseAreaColors(users.length);
  const hasOtherUsers = jobs.some(({ user = '' }) => !users.includes(user));
  return {
    groups: [
      ...users.map((user, i) => ({ name: `user ${user}`, ...(colors[i] as Omit<JobColorGroup, 'name'>) })),
      ...(hasOtherUsers ? [{ name: OTHER_USERS_LABEL, fill: '#8a8a8a', text: '#000000' }] : []),
    ],
    nameOf: ({ user = '' }) => (users.includes(user) ? `user ${user}` : OTHER_USERS_LABEL),
  };
}
