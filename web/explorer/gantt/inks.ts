/** Colours of jobs: by what the user chose, distinguishable by colour-blind users too. */

import {
  differenceClass,
  differenceKeys,
  ramp,
  TIME_SCALES,
  type TimeBounds,
  type TimeKey,
  timeClass,
  timeKeys,
  timesUpTo,
} from '../../../host/draw/colors.js';
import { areaColors } from '../../../host/draw/palette.js';
import { nameOf } from '../../../host/trace/trace.js';
import type { Theme } from '../charts/looks.js';
import type { JobColumns, RunData } from '../protocol.js';
import type { Inks } from './raster.js';

/** By what jobs are coloured. */
export const COLORINGS = ['wait', 'difference', 'width', 'user', 'queue', 'home'] as const;
export type Coloring = (typeof COLORINGS)[number];

/** What each is called. */
export const COLORING_NAMES: Readonly<Record<Coloring, string>> = {
  wait: 'wait',
  difference: 'start, against the other',
  width: 'processors',
  user: 'user',
  queue: 'queue',
  home: 'home site',
};

/** A kind of job, with its colour. */
export type Key = TimeKey;

/** Colours by kind, and the kind of each job. */
export interface Colored {
  readonly keys: readonly Key[];
  /** What the ends of a scale mean; absent where kinds have no order. */
  readonly ends?: readonly [string, string];
  readonly inks: Inks;
}

const WIDTHS = [1, 4, 16, 64];
const WIDTH_NAMES = ['1 processor', '2 to 4', '5 to 16', '17 to 64', 'more'];

const FREE = { light: '#f3f4f5', dark: '#20252a' };
const DIMMED = { light: '#dfe2e5', dark: '#3a4148' };

/** The keys of waits, of differences, and of widths. */
function scaleKeys(
  coloring: Coloring,
  theme: Theme,
  times: TimeBounds,
): Pick<Colored, 'keys' | 'ends'> | undefined {
  const { none, more } = TIME_SCALES[theme];
  if (coloring === 'wait')
    return {
      keys: [{ name: 'no wait', short: '0', color: none }, ...timeKeys(times, more)],
      ends: ['started at once', 'waited'],
    };
  if (coloring === 'difference') return { keys: differenceKeys(times, theme), ends: ['earlier', 'later'] };
  if (coloring !== 'width') return undefined;
  const colors = ramp(more, WIDTH_NAMES.length);
  return { keys: WIDTH_NAMES.map((name, i) => ({ name, color: colors[i] })) };
}

/** The longest wait under either run, or how far their starts are apart at most: so both charts have one scale. */
function longest(
  coloring: Coloring,
  { jobs, run, other }: Pick<ColoredBy, 'jobs' | 'run' | 'other'>,
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

/** A colour `#rrggbb` as a pixel has it. */
function pixelOf(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

/** Values of a field that have colours of their own. */
const FIELD_COLORS = 7;

const classOf = (bounds: readonly number[], value: number) => {
  const found = bounds.findIndex((bound) => value <= bound);
  return found < 0 ? bounds.length : found;
};

/** The choices by which the jobs of a log can be coloured. */
export function coloringsFor(jobs: JobColumns, runs: number): Coloring[] {
  return COLORINGS.filter((each) => {
    if (each === 'difference') return runs > 1;
    if (each === 'user' || each === 'queue') return jobs[each] !== undefined;
    return each !== 'home' || jobs.hasHomes;
  });
}

/** The kind of each job on a scale. */
function scaleKind(
  coloring: Coloring,
  times: TimeBounds,
  { jobs, run, other }: Pick<ColoredBy, 'jobs' | 'run' | 'other'>,
): (job: number) => number {
  if (coloring === 'wait') return (job) => timeClass(times, run.start[job] - jobs.submit[job]);
  if (coloring === 'width') return (job) => classOf(WIDTHS, jobs.requested[job]);
  return (job) => {
    return differenceClass(times, other === undefined ? 0 : run.start[job] - other.start[job]);
  };
}

/** The kinds of a field of the log: its values, and names where these are few. */
function fieldKinds(
  field: 'user' | 'queue' | 'home',
  jobs: JobColumns,
): readonly [keys: readonly Key[], kind: (job: number) => number] {
  const column = field === 'home' ? jobs.home : (jobs[field] ?? jobs.home);
  const values = [...new Set(column)].sort((a, b) => a - b);
  const placeOf = new Map(values.map((value, place) => [value, place]));
  const called = (value: number) =>
    field === 'home' ? `site ${value + 1}` : `${field} ${nameOf(jobs.called, field, value)}`;
  const named = values.length > FIELD_COLORS ? [] : values;
  const colors = areaColors(FIELD_COLORS);
  return [
    named.map((value, i) => ({ name: called(value), color: colors[i].fill })),
    (job) => (placeOf.get(column[job]) ?? 0) % FIELD_COLORS,
  ];
}

/** What jobs are coloured by. */
interface ColoredBy {
  readonly jobs: JobColumns;
  readonly run: RunData;
  readonly other: RunData | undefined;
  /** Jobs that are dimmed, since others are looked for. */
  readonly dimmed: ((job: number) => boolean) | undefined;
}

/** The colours of a run. */
export function colorRun(coloring: Coloring, theme: Theme, by: ColoredBy): Colored {
  const { jobs, dimmed } = by;
  const times = timesUpTo(longest(coloring, by));
  const scale = scaleKeys(coloring, theme, times);
  const [keys, kind] =
    scale === undefined
      ? fieldKinds(coloring as 'user' | 'queue' | 'home', jobs)
      : [scale.keys, scaleKind(coloring, times, by)];
  const colors =
    scale === undefined ? areaColors(FIELD_COLORS).map(({ fill }) => fill) : keys.map(({ color }) => color);
  const all = [...colors, DIMMED[theme]];
  const kindOf = new Uint8Array(jobs.count);
  for (let job = 0; job < jobs.count; job++) kindOf[job] = dimmed?.(job) ? colors.length : kind(job);
  return {
    keys,
    ...(scale?.ends === undefined ? {} : { ends: scale.ends }),
    inks: { fills: Uint32Array.from(all, (color) => pixelOf(color)), free: pixelOf(FREE[theme]), kindOf },
  };
}

/** A pixel as a colour. */
export function colorOf(pixel: number): string {
  const parts = [pixel & 255, (pixel >>> 8) & 255, (pixel >>> 16) & 255];
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}
