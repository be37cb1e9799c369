/** Occupancy of each site over a long simulation: one strip of shades per site. */
import type { HeldProcessors } from '../results/finishedJobs.js';
import type { GanttOptions } from './gantt.js';
import { INK } from './palette.js';
import { coordinate, type PictureWords } from './svg.js';
import {
  type LiveView,
  laneProcessors,
  type SiteLane,
  siteLanes,
  square,
  type TimeScale,
  type TimeWindow,
  timeDrawing,
  timeX,
} from './timeChart.js';
import { busyProcessors, samplePoints } from './timeline.js';

/** Intervals of time in a strip, and shades between nothing and everything in use. */
const INTERVALS = 1020;
const SHADES = 10;
const STRIP_HEIGHT = 34;

/**
 * Share of a lane's processors in use, averaged over each of `intervals` equal parts of the window.
 */
export function occupancy(
  held: readonly HeldProcessors[],
  lane: SiteLane,
  scale: TimeWindow,
  intervals: number,
): number[] {
  const here = held.flatMap((each) => {
    const processors = laneProcessors(each, lane);
    return processors > 0 ? [{ ...each, processors }] : [];
  });
  const points = samplePoints(busyProcessors(here), scale, intervals);
  return points.map(({ y }) => (y ?? 0) / lane.capacity);
}

/** The strips of all sites as their page can draw them again. */
export interface OccupancyData {
  readonly kind: 'occupancy';
  readonly words: PictureWords;
  readonly capacities: readonly number[];
  readonly window: TimeWindow;
  /** The time that the axis counts from, */
  readonly origin: number;
  /** and its date in seconds since 1970, where it is known. */
  readonly beginning?: number | undefined;
  /**
   * For each site, the shade of each interval of the window, as a digit whose base is the number of shades plus 1.
   */
  readonly shades: readonly string[];
}

/** Data of the occupancy strips, in this number of intervals. */
export function occupancyData(
  { jobs, stopped, capacities, window, origin, beginning }: GanttOptions,
  words: PictureWords,
  intervals = INTERVALS,
): OccupancyData {
  const held = [...jobs, ...stopped];
  const shades = siteLanes(capacities, 0, 0, STRIP_HEIGHT).map((lane) =>
    occupancy(held, lane, window, intervals)
      .map((share) => Math.min(SHADES, Math.ceil(share * SHADES - 1e-9)).toString(SHADES + 1))
      .join(''),
  );
  return { kind: 'occupancy', words, capacities, window, origin, beginning, shades };
}

/** The share of a site that a shade represents, rounded up. */
export function levelOf(shade: string): number {
  return Number.parseInt(shade, SHADES + 1) / SHADES;
}

/** The share of a site in use in an interval, in words. */
export function shadeText(shade: string): string {
  const level = levelOf(shade);
  return level === 0 ? 'idle' : `up to ${Math.round(level * 100)} % in use`;
}

/** One path per shade: neighbouring intervals of one shade are one rectangle. */
function strip(shades: string, all: TimeWindow, lane: SiteLane, scale: TimeScale): string {
  const paths = new Map<number, string>();
  const length = (all.to - all.from) / shades.length;
  const x = (interval: number) => coordinate(timeX(all.from + length * interval, scale));
  const begin = Math.max(0, Math.floor((scale.from - all.from) / length));
  const end = Math.min(shades.length, Math.ceil((scale.to - all.from) / length));
  for (let first = begin; first < end; ) {
    let next = first + 1;
    while (next < end && shades[next] === shades[first]) next++;
    const [top, bottom] = [lane.top, lane.top + lane.height].map(coordinate);
    const block = `M${x(first)} ${top}H${x(next)}V${bottom}H${x(first)}z`;
    const shade = Number.parseInt(shades.charAt(first), SHADES + 1);
    if (shade > 0) paths.set(shade, (paths.get(shade) ?? '') + block);
    first = next;
  }
  return [...paths]
    .sort(([a], [b]) => a - b)
    .map(([shade, d]) => `<path fill="${INK}" fill-opacity="${shade / SHADES}" d="${d}"/>`)
    .join('');
}

const LEVELS = [0.2, 0.4, 0.6, 0.8, 1];

/** The strips, the darker the more processors are in use; or the part of them that a page asks for. */
export function drawOccupancy(
  { shades, ...data }: OccupancyData,
  view?: LiveView,
  paperWidth?: number,
): string {
  const legend = LEVELS.map((level) => ({ name: `up to ${level * 100} %`, sample: square(INK, level) }));
  return timeDrawing(
    { ...data, legend, perProcessor: 0, lowestLane: STRIP_HEIGHT, paperWidth },
    view,
    (lanes, scale) => lanes.map((lane, site) => strip(shades[site] ?? '', data.window, lane, scale)).join(''),
  );
}
