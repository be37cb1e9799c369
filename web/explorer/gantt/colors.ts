/** Colours of jobs by the attribute that the user has chosen, distinguishable for colour-blind users. */

import { ABSENCE_COLORS } from '../../../host/draw/absences.js';
import {
  DURATION_COLOR_SCALES,
  type DurationClasses,
  type DurationColorKey,
  findDurationClassIndex,
  findStartDifferenceClassIndex,
  interpolateColors,
  makeDurationClassesUpTo,
  makeDurationColorKeys,
  makeStartDifferenceColorKeys,
} from '../../../host/draw/colors.js';
import { chooseAreaColors } from '../../../host/draw/palette.js';
import { nameOfLogNumber } from '../../../host/trace/trace.js';
import type { ColorTheme } from '../charts/looks.js';
import type { FinishedRunData, SharedJobColumns } from '../protocol.js';
import type { GanttPixelColors } from './raster.js';

/** Attributes by which jobs can be coloured. */
export const JOB_COLORING_KINDS = ['wait', 'difference', 'width', 'user', 'queue', 'home'] as const;
export type JobColoringKind = (typeof JOB_COLORING_KINDS)[number];

/** Display name of each colouring. */
export const JOB_COLORING_LABELS: Readonly<Record<JobColoringKind, string>> = {
  wait: 'wait',
  difference: 'start, against the other',
  width: 'processors',
  user: 'user',
  queue: 'queue',
  home: 'home site',
};

/** Legend entry: a kind of job and its colour. */
export type ColorLegendEntry = DurationColorKey;

/** Colour of each kind, and the kind of each job. */
export interface JobColorAssignment {
  readonly keys: readonly ColorLegendEntry[];
  /** Labels of both ends of the colour scale; absent if the kinds have no order. */
  readonly endLabels?: readonly [string, string];
  readonly pixelColors: GanttPixelColors;
}

const WIDTH_CLASS_BOUNDS = [1, 4, 16, 64];
const WIDTH_CLASS_NAMES = ['1 processor', '2 to 4', '5 to 16', '17 to 64', 'more'];

const FREE_PROCESSOR_COLORS = { light: '#f3f4f5', dark: '#20252a' };
const DIMMED_JOB_COLORS = { light: '#dfe2e5', dark: '#3a4148' };

/** Returns the legend entries for waits, start differences or widths. */
function makeColorScaleLegend(
  coloring: JobColoringKind,
  theme: ColorTheme,
  classTimes: DurationClasses,
): Pick<JobColorAssignment, 'keys' | 'endLabels'> | undefined {
  const { none, more } = DURATION_COLOR_SCALES[theme];
  if (coloring === 'wait')
    return {
      keys: [{ name: 'no wait', short: '0', color: none }, ...makeDurationColorKeys(classTimes, more)],
      endLabels: ['started at once', 'waited'],
    };
  if (coloring === 'difference')
    return { keys: makeStartDifferenceColorKeys(classTimes, theme), endLabels: ['earlier', 'later'] };
  if (coloring !== 'width') return undefined;
  const colors = interpolateColors(more, WIDTH_CLASS_NAMES.length);
  return { keys: WIDTH_CLASS_NAMES.map((widthClassName, i) => ({ name: widthClassName, color: colors[i] })) };
}

/**
 * Returns the longest wait under both runs, or the largest difference of starts, so that both charts share
 * one scale.
 */
function findLongestWaitOrDifference(
  coloring: JobColoringKind,
  { jobs, run, other: otherRun }: Pick<JobColoringData, 'jobs' | 'run' | 'other'>,
): number {
  if (coloring !== 'wait' && coloring !== 'difference') return 0;
  let maximum = 0;
  for (let job = 0; job < jobs.count; job++) {
    const start = run.start[job];
    const otherStart = otherRun?.start[job] ?? start;
    const duration =
      coloring === 'wait' ? Math.max(start, otherStart) - jobs.submit[job] : Math.abs(start - otherStart);
    if (duration > maximum) maximum = duration;
  }
  return maximum;
}

/** Converts `#rrggbb` to a pixel value. */
function parseColorAsPixel(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((offset) => Number.parseInt(color.slice(offset, offset + 2), 16));
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

/** Number of field values with a colour of their own; the others share one. */
const MAX_COLORED_VALUE_COUNT = 7;

const findClassIndexOfValue = (classBounds: readonly number[], classValue: number) => {
  const classIndex = classBounds.findIndex((bound) => classValue <= bound);
  return classIndex < 0 ? classBounds.length : classIndex;
};

/** Returns the colourings that the jobs' data allow. */
export function findAvailableColorings(jobs: SharedJobColumns, runCount: number): JobColoringKind[] {
  return JOB_COLORING_KINDS.filter((jobColoringKind) => {
    if (jobColoringKind === 'difference') return runCount > 1;
    if (jobColoringKind === 'user' || jobColoringKind === 'queue') return jobs[jobColoringKind] !== undefined;
    return jobColoringKind !== 'home' || jobs.hasHomes;
  });
}

/** Returns the kind of a job on a colour scale. */
function makeColorScaleClassFunction(
  coloring: JobColoringKind,
  classTimes: DurationClasses,
  { jobs, run, other: otherRun }: Pick<JobColoringData, 'jobs' | 'run' | 'other'>,
): (job: number) => number {
  if (coloring === 'wait')
    return (job) => findDurationClassIndex(classTimes, run.start[job] - jobs.submit[job]);
  if (coloring === 'width') return (job) => findClassIndexOfValue(WIDTH_CLASS_BOUNDS, jobs.requested[job]);
  return (job) => {
    return findStartDifferenceClassIndex(
      classTimes,
      otherRun === undefined ? 0 : run.start[job] - otherRun.start[job],
    );
  };
}

/**
 * Colour classes of jobs by user, queue or home site: the legend (empty if there are more values than
 * colours), and a function that returns the colour index of a job.
 */
function makeClassesOfLogField(
  namedField: 'user' | 'queue' | 'home',
  jobs: SharedJobColumns,
): readonly [keys: readonly ColorLegendEntry[], kind: (job: number) => number] {
  const column = namedField === 'home' ? jobs.home : (jobs[namedField] ?? jobs.home);
  const classValues = [...new Set(column)].sort((a, b) => a - b);
  const classIndexByValue = new Map(classValues.map((classValue, valueIndex) => [classValue, valueIndex]));
  const formatClassValueName = (classValue: number) =>
    namedField === 'home'
      ? `site ${classValue + 1}`
      : `${namedField} ${nameOfLogNumber(jobs.numberNames, namedField, classValue)}`;
  const namedValues = classValues.length > MAX_COLORED_VALUE_COUNT ? [] : classValues;
  const colors = chooseAreaColors(MAX_COLORED_VALUE_COUNT);
  return [
    namedValues.map((namedValue, i) => ({ name: formatClassValueName(namedValue), color: colors[i].fill })),
    (job) => (classIndexByValue.get(column[job]) ?? 0) % MAX_COLORED_VALUE_COUNT,
  ];
}

/** Data that determine the colours of jobs. */
interface JobColoringData {
  readonly jobs: SharedJobColumns;
  readonly run: FinishedRunData;
  readonly other: FinishedRunData | undefined;
  /** Jobs drawn faintly because a search has found others. */
  readonly dimmed: ((job: number) => boolean) | undefined;
}

/** Returns the colours of a run's jobs. */
export function computeJobColors(
  coloring: JobColoringKind,
  theme: ColorTheme,
  jobColoringData: JobColoringData,
): JobColorAssignment {
  const { jobs, dimmed } = jobColoringData;
  const classTimes = makeDurationClassesUpTo(findLongestWaitOrDifference(coloring, jobColoringData));
  const scale = makeColorScaleLegend(coloring, theme, classTimes);
  const [keys, kindOfJob] =
    scale === undefined
      ? makeClassesOfLogField(coloring as 'user' | 'queue' | 'home', jobs)
      : [scale.keys, makeColorScaleClassFunction(coloring, classTimes, jobColoringData)];
  const colors =
    scale === undefined
      ? chooseAreaColors(MAX_COLORED_VALUE_COUNT).map(({ fill }) => fill)
      : keys.map(({ color: keyColor }) => keyColor);
  const classAndDimmedColors = [...colors, DIMMED_JOB_COLORS[theme]];
  const kindByJob = new Uint8Array(jobs.count);
  for (let job = 0; job < jobs.count; job++) kindByJob[job] = dimmed?.(job) ? colors.length : kindOfJob(job);
  return {
    keys,
    ...(scale?.endLabels === undefined ? {} : { endLabels: scale.endLabels }),
    pixelColors: {
      fills: Uint32Array.from(classAndDimmedColors, (color) => parseColorAsPixel(color)),
      free: parseColorAsPixel(FREE_PROCESSOR_COLORS[theme]),
      absent: {
        area: parseColorAsPixel(ABSENCE_COLORS[theme].area),
        line: parseColorAsPixel(ABSENCE_COLORS[theme].line),
      },
      kindOf: kindByJob,
    },
  };
}

/** Formats a pixel value as a CSS colour. */
export function formatPixelAsColor(pixel: number): string {
  const rgbChannels = [pixel & 255, (pixel >>> 8) & 255, (pixel >>> 16) & 255];
  return `#${rgbChannels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}
