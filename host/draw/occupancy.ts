/** How much of each site is in use over the whole of a long simulation: one strip of shades per site. */
import type { HeldProcessors } from '../results/finishedJobs.js';
import type { GanttOptions } from './gantt.js';
import { FONT, INK } from './palette.js';
import { coordinate, type PictureWords, svgOpening } from './svg.js';
import {
  BELOW,
  DRAWING_WIDTH,
  drawingFrame,
  LEFT,
  LEGEND_ROW,
  laneProcessors,
  RIGHT,
  type SiteLane,
  siteLanes,
  squareLegend,
  type TimeScale,
  timeX,
} from './timeChart.js';
import { busyProcessors, samplePoints } from './timeline.js';

/** Intervals of time in a strip, and shades between nothing and everything in use. */
const INTERVALS = 340;
const SHADES = 10;
const STRIP_HEIGHT = 34;

/**
 * Share of a lane's processors in use, averaged over each of `intervals` equal parts of the window.
 */
export function occupancy(
  held: readonly HeldProcessors[],
  lane: SiteLane,
  scale: TimeScale,
  intervals: number,
): number[] {
  const here = held.flatMap((each) => {
    const processors = laneProcessors(each, lane);
    return processors > 0 ? [{ ...each, processors }] : [];
  });
  const points = samplePoints(busyProcessors(here), scale, intervals);
  return points.map(({ y }) => (y ?? 0) / lane.capacity);
}

/** One path per shade: neighbouring intervals of one shade are one rectangle. */
function strip(shares: readonly number[], lane: SiteLane, scale: TimeScale, fill: string): string {
  const shades = shares.map((share) => Math.min(SHADES, Math.ceil(share * SHADES - 1e-9)));
  const paths = new Map<number, string>();
  const x = (interval: number) =>
    coordinate(timeX(scale.from + ((scale.to - scale.from) * interval) / shares.length, scale));
  for (let first = 0; first < shades.length; ) {
    let next = first + 1;
    while (shades[next] === shades[first]) next++;
    const [top, bottom] = [lane.top, lane.top + lane.height].map(coordinate);
    const block = `M${x(first)} ${top}H${x(next)}V${bottom}H${x(first)}z`;
    if (shades[first] > 0) paths.set(shades[first], (paths.get(shades[first]) ?? '') + block);
    first = next;
  }
  return [...paths]
    .sort(([a], [b]) => a - b)
    .map(([shade, d]) => `<path fill="${fill}" fill-opacity="${shade / SHADES}" d="${d}"/>`)
    .join('');
}

/** The strips of all sites as SVG; the darker, the more processors are in use. */
export function occupancySvg(
  { jobs, stopped, capacities, window, origin, beginning }: GanttOptions,
  words: PictureWords,
): string {
  const levels = [0.2, 0.4, 0.6, 0.8, 1];
  const legend = squareLegend(
    levels.map((level) => ({ color: INK, opacity: level, name: `up to ${level * 100} %` })),
  );
  const lanes = siteLanes(capacities, legend.rows * LEGEND_ROW + 8, 0, STRIP_HEIGHT);
  const scale: TimeScale = { ...window, left: LEFT, width: DRAWING_WIDTH - LEFT - RIGHT };
  const held = [...jobs, ...stopped];
  const strips = lanes.map((lane) => strip(occupancy(held, lane, scale, INTERVALS), lane, scale, INK));
  const bottom = lanes[lanes.length - 1].top + STRIP_HEIGHT;
  const opening = svgOpening(words, DRAWING_WIDTH, Math.ceil(bottom + BELOW), FONT);
  return opening + drawingFrame(lanes, { ...scale, beginning }, origin, legend.markup, strips.join(''));
}
