/** Colours of jobs: by what was asked, told apart by those who see colours differently too. */
import { areaColors } from '../../../host/draw/palette.js';
import { nameOf } from '../../../host/trace/trace.js';
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
export interface Key {
  readonly name: string;
  readonly color: string;
}

/** Colours by kind, and the kind of each job. */
export interface Colored {
  readonly keys: readonly Key[];
  readonly inks: Inks;
}

/** From little to much, on light and on dark. */
const RAMP = {
  light: ['#cfe0ee', '#94c2e0', '#4e97c8', '#1d6ba6', '#0a3d70'],
  dark: ['#23405a', '#2f6491', '#4a8dc0', '#86bbe0', '#d3e8f8'],
};
/** Earlier, the same, later. */
const DIVERGING = {
  light: ['#0a5a96', '#7db4db', '#d5d8db', '#f0b47a', '#c25608'],
  dark: ['#7fc0f0', '#2f76a8', '#454b52', '#a8682a', '#ffae66'],
};
const FREE = { light: '#f3f4f5', dark: '#20252a' };
const DIMMED = { light: '#dfe2e5', dark: '#3a4148' };

const [MINUTE, HOUR, DAY] = [60, 3600, 86_400];
const WAITS = [MINUTE, HOUR, 6 * HOUR, DAY];
const WAIT_NAMES = ['under a minute', 'under an hour', 'under 6 hours', 'under a day', 'a day or more'];
const WIDTHS = [1, 4, 16, 64];
const WIDTH_NAMES = ['1 processor', '2 to 4', '5 to 16', '17 to 64', 'more'];
const DIFFERENCE_NAMES = [
  'an hour or more earlier',
  'earlier',
  'at the same time',
  'later',
  'an hour or more later',
];

/** A colour `#rrggbb` as a pixel has it, darkened by a factor. */
function pixelOf(color: string, factor = 1): number {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) * factor);
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

const classOf = (bounds: readonly number[], value: number) => {
  const found = bounds.findIndex((bound) => value <= bound);
  return found < 0 ? bounds.length : found;
};

/** Those by which the jobs of a log can be coloured. */
export function coloringsFor(jobs: JobColumns, runs: number): Coloring[] {
  return COLORINGS.filter((each) => {
    if (each === 'difference') return runs > 1;
    if (each === 'user' || each === 'queue') return jobs[each] !== undefined;
    return each !== 'home' || jobs.hasHomes;
  });
}

function kindsOf(
  coloring: Coloring,
  jobs: JobColumns,
  run: RunData,
  other: RunData | undefined,
): readonly [names: readonly string[], kind: (job: number) => number] {
  switch (coloring) {
    case 'wait':
      return [
        WAIT_NAMES,
        (job) => WAITS.filter((bound) => run.start[job] - jobs.submit[job] >= bound).length,
      ];
    case 'width':
      return [WIDTH_NAMES, (job) => classOf(WIDTHS, jobs.requested[job])];
    case 'difference':
      return [
        DIFFERENCE_NAMES,
        (job) => {
          const later = other === undefined ? 0 : run.start[job] - other.start[job];
          return Math.abs(later) < 1 ? 2 : 2 + Math.sign(later) * (Math.abs(later) < HOUR ? 1 : 2);
        },
      ];
    default: {
      const column = coloring === 'home' ? jobs.home : (jobs[coloring] ?? jobs.home);
      const values = [...new Set(column)].sort((a, b) => a - b);
      const placeOf = new Map(values.map((value, place) => [value, place]));
      const shift = coloring === 'home' ? 1 : 0;
      const many = values.length > 7;
      const names = many
        ? []
        : values.map((value) =>
            coloring === 'home'
              ? `site ${value + shift}`
              : `${coloring} ${nameOf(jobs.called, coloring, value)}`,
          );
      return [names, (job) => (placeOf.get(column[job]) ?? 0) % 7];
    }
  }
}

/**
 * The colours of a run.
 * @param dimmed jobs that stand back, since others are looked for.
 */
export function colorRun(
  coloring: Coloring,
  theme: 'light' | 'dark',
  {
    jobs,
    run,
    other,
    dimmed,
  }: {
    readonly jobs: JobColumns;
    readonly run: RunData;
    readonly other: RunData | undefined;
    readonly dimmed: ((job: number) => boolean) | undefined;
  },
): Colored {
  const [names, kind] = kindsOf(coloring, jobs, run, other);
  const colors =
    coloring === 'difference'
      ? DIVERGING[theme]
      : coloring === 'wait' || coloring === 'width'
        ? RAMP[theme]
        : areaColors(7).map(({ fill }) => fill);
  const all = [...colors, DIMMED[theme]];
  const kindOf = Uint8Array.from({ length: jobs.count }, (_, job) =>
    dimmed?.(job) ? colors.length : kind(job),
  );
  return {
    keys: names.map((name, i) => ({ name, color: colors[i] })),
    inks: {
      fills: Uint32Array.from(all, (color) => pixelOf(color)),
      edges: Uint32Array.from(all, (color) => pixelOf(color, theme === 'light' ? 0.82 : 0.7)),
      free: pixelOf(FREE[theme]),
      kindOf,
    },
  };
}
