/** Colours of jobs by the attribute that the user has chosen, distinguishable for colour-blind users. */

import { ABSENCE_COLORS } from '../../../host/draw/absences.js';
import {
  DURATION_COLOR_SCALES,
  type DurationClasses,
  type DurationColorKey,
  durationClassesUpTo,
  durationClassIndex,
  durationColorKeys,
  interpolateColors,
  startDifferenceClassIndex,
  startDifferenceColorKeys,
} from '../../../host/draw/colors.js';
import { chooseAreaColors } from '../../../host/draw/palette.js';
import { nameOfLogNumber } from '../../../host/trace/trace.js';
import type { Theme } from '../charts/looks.js';
import type { JobColumns, RunData } from '../protocol.js';
import type { PixelColors } from './raster.js';

/** Attributes by which jobs can be coloured. */
export const COLORING_KINDS = ['wait', 'difference', 'width', 'user', 'queue', 'home'] as const;
export type ColoringKind = (typeof COLORING_KINDS)[number];

/** Display name of each colouring. */
export const COLORING_LABELS: Readonly<Record<ColoringKind, string>> = {
  wait: 'wait',
  difference: 'start, against the other',
  width: 'processors',
  user: 'user',
  queue: 'queue',
  home: 'home site',
};

/** Legend entry: a kind of job and its colour. */
export type ColorKey = DurationColorKey;

/** Colour of each kind, and the kind of each job. */
export interface JobColors {
  readonly keys: readonly ColorKey[];
  /** Labels of both ends of the colour scale; absent if the kinds have no order. */
  readonly ends?: readonly [string, string];
  readonly pixelColors: PixelColors;
}

const WIDTHS = [1, 4, 16, 64];
const WIDTH_CLASS_NAMES = ['1 processor', '2 to 4', '5 to 16', '17 to 64', 'more'];

const FREE_PROCESSOR_COLORS = { light: '#f3f4f5', dark: '#20252a' };
const DIMMED_JOB_COLORS = { light: '#dfe2e5', dark: '#3a4148' };

/** Returns the legend entries for waits, start differences or widths. */
function colorScaleKeys(
  coloring: ColoringKind,
  theme: Theme,
  times: DurationClasses,
): Pick<JobColors, 'keys' | 'ends'> | undefined {
  const { none, more } = DURATION_COLOR_SCALES[theme];
  if (coloring === 'wait')
    return {
      keys: [{ name: 'no wait', short: '0', color: none }, ...durationColorKeys(times, more)],
      ends: ['started at once', 'waited'],
    };
  if (coloring === 'difference')
    return { keys: startDifferenceColorKeys(times, theme), ends: ['earlier', 'later'] };
  if (coloring !== 'width') return undefined;
  const colors = interpolateColors(more, WIDTH_CLASS_NAMES.length);
  return { keys: WIDTH_CLASS_NAMES.map((name, i) => ({ name, color: colors[i] })) };
}

/**
 * Returns the longest wait under both runs, or the largest difference of starts, so that both charts share
 * one scale.
 */
function longest(
  coloring: ColoringKind,
  { jobs, run, other }: Pick<ColoringData, 'jobs' | 'run' | 'other'>,
): number {
  if (coloring !== 'wait' && coloring !== 'difference') return 0;
  let most = 0;
  for (let job = 0; job < jobs.count; job++) {
    const start = run.start[job];
    const second = other?.start[job] ?? start;
    const time = coloring === 'wait' ? Math.max(start, second) - jobs.submit[job] : Math.abs(start - second);
    if (time > most) most = time;
  }
  return most;
}

/** Converts `#rrggbb` to a pixel value. */
function pixelOfColor(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

/** Number of field values with a colour of their own; the others share one. */
const FIELD_COLOR_COUNT = 7;

const classOf = (bounds: readonly number[], value: number) => {
  const found = bounds.findIndex((bound) => value <= bound);
  return found < 0 ? bounds.length : found;
};

/** Returns the colourings that the jobs' data allow. */
export function coloringsFor(jobs: JobColumns, runs: number): ColoringKind[] {
  return COLORING_KINDS.filter((each) => {
    if (each === 'difference') return runs > 1;
    if (each === 'user' || each === 'queue') return jobs[each] !== undefined;
    return each !== 'home' || jobs.hasHomes;
  });
}

/** Returns the kind of a job on a colour scale. */
function scaleClassOfJob(
  coloring: ColoringKind,
  times: DurationClasses,
  { jobs, run, other }: Pick<ColoringData, 'jobs' | 'run' | 'other'>,
): (job: number) => number {
  if (coloring === 'wait') return (job) => durationClassIndex(times, run.start[job] - jobs.submit[job]);
  if (coloring === 'width') return (job) => classOf(WIDTHS, jobs.requested[job]);
  return (job) => {
    return startDifferenceClassIndex(times, other === undefined ? 0 : run.start[job] - other.start[job]);
  };
}

/** Returns the kinds of a log field: its values, or names if these are few. */
function fieldClasses(
  field: 'user' | 'queue' | 'home',
  jobs: JobColumns,
): readonly [keys: readonly ColorKey[], kind: (job: number) => number] {
  const column = field === 'home' ? jobs.home : (jobs[field] ?? jobs.home);
  const values = [...new Set(column)].sort((a, b) => a - b);
  const placeOf = new Map(values.map((value, place) => [value, place]));
  const called = (value: number) =>
    field === 'home' ? `site ${value + 1}` : `${field} ${nameOfLogNumber(jobs.numberNames, field, value)}`;
  const named = values.length > FIELD_COLOR_COUNT ? [] : values;
  const colors = chooseAreaColors(FIELD_COLOR_COUNT);
  return [
    named.map((value, i) => ({ name: called(value), color: colors[i].fill })),
    (job) => (placeOf.get(column[job]) ?? 0) % FIELD_COLOR_COUNT,
  ];
}

/** Data that determine the colours of jobs. */
interface ColoringData {
  readonly jobs: JobColumns;
  readonly run: RunData;
  readonly other: RunData | undefined;
  /** Jobs drawn faintly because a search has found others. */
  readonly dimmed: ((job: number) => boolean) | undefined;
}

/** Returns the colours of a run's jobs. */
export function colorsOfRun(coloring: ColoringKind, theme: Theme, by: ColoringData): JobColors {
  const { jobs, dimmed } = by;
  const times = durationClassesUpTo(longest(coloring, by));
  const scale = colorScaleKeys(coloring, theme, times);
  const [keys, kind] =
    scale === undefined
      ? fieldClasses(coloring as 'user' | 'queue' | 'home', jobs)
      : [scale.keys, scaleClassOfJob(coloring, times, by)];
  const colors =
    scale === undefined
      ? chooseAreaColors(FIELD_COLOR_COUNT).map(({ fill }) => fill)
      : keys.map(({ color }) => color);
  const all = [...colors, DIMMED_JOB_COLORS[theme]];
  const kindOf = new Uint8Array(jobs.count);
  for (let job = 0; job < jobs.count; job++) kindOf[job] = dimmed?.(job) ? colors.length : kind(job);
  return {
    keys,
    ...(scale?.ends === undefined ? {} : { ends: scale.ends }),
    pixelColors: {
      fills: Uint32Array.from(all, (color) => pixelOfColor(color)),
      free: pixelOfColor(FREE_PROCESSOR_COLORS[theme]),
      absent: {
        area: pixelOfColor(ABSENCE_COLORS[theme].area),
        line: pixelOfColor(ABSENCE_COLORS[theme].line),
      },
      kindOf,
    },
  };
}

/** Formats a pixel value as a CSS colour. */
export function colorOfPair(pixel: number): string {
  const parts = [pixel & 255, (pixel >>> 8) & 255, (pixel >>> 16) & 255];
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}
