/**
 * Occupancy charts: for each site of a simulation, the share of busy processors over time as a strip of
 * shades.
 */
import type { HeldProcessors } from '../results/finishedJobs.js';
import type { GanttOptions } from './gantt.js';
import { TEXT_COLOR } from './palette.js';
import { coordinateText, type PictureWords } from './svg.js';
import {
  type LiveView,
  laneProcessors,
  legendSquare,
  type SiteLane,
  siteLanes,
  type TimeScale,
  type TimeWindow,
  timeDrawing,
  timeX,
} from './timeChart.js';
import { busyProcessors, samplePoints } from './timeline.js';

/** Number of time intervals in a strip; SHADE_COUNT is the number of shades between idle and fully busy. */
const STRIP_INTERVALS = 1020;
const SHADE_COUNT = 10;
const STRIP_HEIGHT = 34;

/** Share of a site's processors in use, averaged over each of `intervals` equal parts of the time window. */
export function occupiedShares(
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

/** Data from which a page draws the strips of all sites. */
export interface OccupancyData {
  readonly kind: 'occupancy';
  readonly words: PictureWords;
  readonly capacities: readonly number[];
  readonly window: TimeWindow;
  /** Time in seconds that the axis counts from. */
  readonly origin: number;
  /** Date of time 0 in seconds since 1970, if known. */
  readonly beginning?: number | undefined;
  /** Per site, one character per interval: its shade as a digit in base SHADE_COUNT + 1. */
  readonly shades: readonly string[];
}

/** Data of the occupancy strips with a given number of intervals. */
export function occupancyData(
  { jobs, stopped, capacities, window, origin, beginning }: GanttOptions,
  words: PictureWords,
  intervals = STRIP_INTERVALS,
): OccupancyData {
  const held = [...jobs, ...stopped];
  const shades = siteLanes(capacities, 0, 0, STRIP_HEIGHT).map((lane) =>
    occupiedShares(held, lane, window, intervals)
      .map((share) => Math.min(SHADE_COUNT, Math.ceil(share * SHADE_COUNT - 1e-9)).toString(SHADE_COUNT + 1))
      .join(''),
  );
  return { kind: 'occupancy', words, capacities, window, origin, beginning, shades };
}

/** Largest share of busy processors that a shade represents. */
export function shareOfShade(shade: string): number {
  return Number.parseInt(shade, SHADE_COUNT + 1) / SHADE_COUNT;
}

/** Share of busy processors in an interval, as text for tooltips. */
export function shadeText(shade: string): string {
  const level = shareOfShade(shade);
  return level === 0 ? 'idle' : `up to ${Math.round(level * 100)} % in use`;
}

/** SVG with one path per shade; neighbouring intervals of equal shade are merged. */
function stripPaths(shades: string, all: TimeWindow, lane: SiteLane, scale: TimeScale): string {
  const paths = new Map<number, string>();
  const length = (all.to - all.from) / shades.length;
  const x = (interval: number) => coordinateText(timeX(all.from + length * interval, scale));
  const begin = Math.max(0, Math.floor((scale.from - all.from) / length));
  const end = Math.min(shades.length, Math.ceil((scale.to - all.from) / length));
  for (let first = begin; first < end; ) {
    let next = first + 1;
    while (next < end && shades[next] === shades[first]) next++;
    const [top, bottom] = [lane.top, lane.top + lane.height].map(coordinateText);
    const block = `M${x(first)} ${top}H${x(next)}V${bottom}H${x(first)}z`;
    const shade = Number.parseInt(shades.charAt(first), SHADE_COUNT + 1);
    if (shade > 0) paths.set(shade, (paths.get(shade) ?? '') + block);
    first = next;
  }
  return [...paths]
    .sort(([a], [b]) => a - b)
    .map(([shade, d]) => `<path fill="${TEXT_COLOR}" fill-opacity="${shade / SHADE_COUNT}" d="${d}"/>`)
    .join('');
}

const LEGEND_SHARES = [0.2, 0.4, 0.6, 0.8, 1];

/** Occupancy strips as SVG, darker for more busy processors, or the part that a page requests. */
export function drawOccupancy(
  { shades, ...data }: OccupancyData,
  view?: LiveView,
  paperWidth?: number,
): string {
  const legend = LEGEND_SHARES.map((level) => ({
    name: `up to ${level * 100} %`,
    sample: legendSquare(TEXT_COLOR, level),
  }));
  return timeDrawing(
    { ...data, legend, perProcessor: 0, lowestLane: STRIP_HEIGHT, paperWidth },
    view,
    (lanes, scale) =>
      lanes.map((lane, site) => stripPaths(shades[site] ?? '', data.window, lane, scale)).join(''),
  );
}
