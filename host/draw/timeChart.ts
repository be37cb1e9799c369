/**
 * Drawings with time to the right and the processors of all sites downwards: their geometry, and what surrounds them: the
 * sites at the left, the time below, a legend above.
 */

import { formatNumber, valueText } from '../format/numbers.js';
import type { HeldProcessors } from '../results/finishedJobs.js';
import { placeEntries } from './legend.js';
import { INK } from './palette.js';
import { coordinate, escapeMarkup, textWidth } from './svg.js';
import { timeText, timeTicks } from './timeTicks.js';

/** A span of time in seconds on the clock of the log. */
export interface TimeWindow {
  readonly from: number;
  readonly to: number;
}

/** The stripe of one site. */
export interface SiteLane {
  /** Its first processor, numbered through the grid from 0. */
  readonly first: number;
  readonly capacity: number;
  readonly top: number;
  readonly height: number;
}

/** Between two lanes. */
const LANE_GAP = 6;

/** Lanes from `top` downwards, as high as sites have processors, none lower than `least` pixels. */
export function siteLanes(
  capacities: readonly number[],
  top: number,
  perProcessor: number,
  least: number,
): SiteLane[] {
  const lanes: SiteLane[] = [];
  let first = 0;
  let y = top;
  for (const capacity of capacities) {
    const height = Math.max(least, capacity * perProcessor);
    lanes.push({ first, capacity, top: y, height });
    first += capacity;
    y += height + LANE_GAP;
  }
  return lanes;
}

/** A block of neighbouring processors that are held for a while, in pixels. */
export interface GanttBlock {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Where time stands from left to right. */
export interface TimeScale extends TimeWindow {
  readonly left: number;
  readonly width: number;
  /** The first submit in seconds since 1970, where it is known. */
  readonly beginning?: number | undefined;
}

/** The x of a time, kept within the window. */
export function timeX(time: number, { from, to, left, width }: TimeScale): number {
  const inside = Math.min(Math.max(time, from), to);
  return left + ((inside - from) / (to - from)) * width;
}

/** Those of jobs or stopped runs that hold processors at some time inside a window. */
export function heldWithin<Held extends HeldProcessors>(
  held: readonly Held[],
  { from, to }: TimeWindow,
): Held[] {
  return held.filter(({ start, end }) => start < to && end > from);
}

/** The blocks of one job or stopped run: one per run of processors, cut where a lane ends. */
export function heldBlocks(job: HeldProcessors, lanes: readonly SiteLane[], scale: TimeScale): GanttBlock[] {
  const x = timeX(job.start, scale);
  const width = timeX(job.end, scale) - x;
  return job.runs.flatMap(([first, last]) =>
    lanes.flatMap((lane): GanttBlock[] => {
      const from = Math.max(first, lane.first);
      const to = Math.min(last + 1, lane.first + lane.capacity);
      if (from >= to) return [];
      const perProcessor = lane.height / lane.capacity;
      return [
        { x, y: lane.top + (from - lane.first) * perProcessor, width, height: (to - from) * perProcessor },
      ];
    }),
  );
}

/** Processors of a lane in use by one job or stopped run. */
export function laneProcessors(job: HeldProcessors, { first, capacity }: SiteLane): number {
  return job.runs.reduce(
    (sum, [from, to]) => sum + Math.max(0, Math.min(to + 1, first + capacity) - Math.max(from, first)),
    0,
  );
}

/** The time that an axis counts from, and its date where that is known. */
export interface Clock {
  readonly origin: number;
  /** In seconds since 1970. */
  readonly beginning?: number | undefined;
}

/** A time as the axis below has it: a date, or the time since its origin. */
export function timeOn({ origin, beginning }: Clock, time: number): string {
  if (beginning !== undefined) return timeText(time - origin, beginning);
  return valueText(time - origin, { style: 'duration' });
}

/** How a page that asks a drawing wants it; the legend is the page's. */
export interface LiveView {
  /** The part that is shown. */
  readonly window: TimeWindow;
  /** In pixels. */
  readonly width: number;
  /** Names in the legend that are not shown. */
  readonly hidden: ReadonlySet<string>;
}

/** Size of all text, and width of all drawings but live ones, in pixels. */
export const FONT_SIZE = 10.5;
export const DRAWING_WIDTH = 780;
/** The least width left of the lanes, and what is right of them. */
const LEFT = 92;
const RIGHT = 14;
/** Height below the lanes. */
export const BELOW = 38;

/** Text at a place. */
export function textAt(
  x: number,
  y: number,
  text: string,
  anchor: 'start' | 'middle' | 'end' = 'start',
): string {
  const place = anchor === 'start' ? '' : ` text-anchor="${anchor}"`;
  return `<text x="${coordinate(x)}" y="${coordinate(y)}"${place}>${escapeMarkup(text)}</text>`;
}

/** Lanes of this height have room for two lines. */
const TWO_LINES = 28;
/** Between lanes and their names, and between these and the edge. */
const NAME_GAP = 8;

/** What stands beside a lane: the name of its site and its size, in one line or two. */
function laneWords({ height, capacity }: SiteLane, site: number): string[] {
  const words = [`site ${site + 1}`, `${formatNumber(capacity)} proc.`];
  return height >= TWO_LINES ? words : [words.join(', ')];
}

/** Where lanes begin in a drawing of some width, and how wide they are: there is room for what stands beside them. */
export function lanesAcross(
  lanes: readonly SiteLane[],
  drawingWidth: number,
): { left: number; width: number } {
  const widths = lanes.flatMap(laneWords).map((words) => textWidth(words, FONT_SIZE));
  const left = widths.reduce((most, width) => Math.max(most, Math.ceil(width) + 2 * NAME_GAP), LEFT);
  return { left, width: drawingWidth - left - RIGHT };
}

/** Names of sites and outlines of lanes. */
function laneFrames(lanes: readonly SiteLane[], { left, width }: TimeScale): string {
  return lanes
    .map((lane, site) => {
      const { top, height } = lane;
      const words = laneWords(lane, site);
      const names = words
        .map((line, i) => {
          const middle = top + height / 2 + 3.5 + 14 * (i - (words.length - 1) / 2);
          return textAt(left - NAME_GAP, middle, line, 'end');
        })
        .join('');
      const [x, y, w, h] = [left, top, width, height].map(coordinate);
      return `<rect class="lane" x="${x}" y="${y}" width="${w}" height="${h}" fill="none" stroke="${INK}" stroke-opacity="0.35"/>${names}`;
    })
    .join('');
}

/** Between the labels of ticks; those without room are left out. */
const LABEL_GAP = 4;
/** Width for a tick. */
const TICK_ROOM = 85;

/** Ticks, their labels and the name of the time axis, counted from `origin`. */
function timeAxis(scale: TimeScale, bottom: number, origin: number): string {
  const most = Math.max(2, Math.round(scale.width / TICK_ROOM));
  const { ticks, title } = timeTicks(scale.from - origin, scale.to - origin, scale.beginning, most);
  const edge = scale.left + scale.width + RIGHT;
  let taken = 0;
  const drawn = ticks.map(({ time, label }) => {
    const x = timeX(origin + time, scale);
    const line = `<path d="M${coordinate(x)} ${coordinate(bottom)}v4" stroke="${INK}" stroke-opacity="0.35"/>`;
    const half = Math.ceil(textWidth(label, FONT_SIZE) / 2);
    const middle = Math.min(x, edge - half);
    if (middle - half < taken) return line;
    taken = middle + half + LABEL_GAP;
    return line + textAt(middle, bottom + 15, label, 'middle');
  });
  return drawn.join('') + textAt(scale.left + scale.width / 2, bottom + 31, title, 'middle');
}

/** An entry of a legend. */
export interface LegendEntry {
  readonly color: string;
  readonly opacity?: number;
  /** What stands at the middle of the sample's right edge; nothing by default. */
  readonly endMark?: (x: number, y: number) => string;
  readonly name: string;
}

/** Height of one row of a legend. */
export const LEGEND_ROW = 18;
/** Width of a sample, where the name begins behind it, and from a name to the next sample. */
const SAMPLE = 14;
const NAME = 19;
const GAP = 16;

/** Coloured squares with their names, in rows from the left; returns the rows' number too. */
export function squareLegend(
  entries: readonly LegendEntry[],
  drawingWidth = DRAWING_WIDTH,
): { markup: string; rows: number } {
  const widths = entries.map(({ name }) => NAME + textWidth(name, FONT_SIZE));
  const { places, rows } = placeEntries(widths, GAP, drawingWidth - LEFT - RIGHT);
  const drawn = entries.map(({ color, opacity = 1, endMark, name }, i) => {
    const [x, y] = [LEFT + places[i].left, places[i].row * LEGEND_ROW + 4];
    const box = `<rect x="${coordinate(x)}" y="${y}" width="${SAMPLE}" height="10" fill="${color}" fill-opacity="${opacity}" stroke="${INK}" stroke-opacity="0.35"/>`;
    return box + (endMark?.(x + SAMPLE, y + 5) ?? '') + textAt(x + NAME, y + 9, name);
  });
  return { markup: drawn.join(''), rows };
}

/** Legend, drawing, lanes and time axis, and the end of the SVG. */
export function drawingFrame(
  lanes: readonly SiteLane[],
  scale: TimeScale,
  origin: number,
  legend: string,
  drawing: string,
): string {
  const { top, height } = lanes[lanes.length - 1];
  const words = legend + laneFrames(lanes, scale) + timeAxis(scale, top + height, origin);
  const text = `<g font-size="${FONT_SIZE}px" fill="${INK}">${words}</g>`;
  return `<g font-size="${FONT_SIZE}px">${drawing}</g>${text}</svg>`;
}
