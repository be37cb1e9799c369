/**
 * Drawings with time to the right and the processors of all sites downwards: their geometry, and what surrounds them: the
 * sites at the left, the time below, a legend above.
 */
import { formatNumber, valueText } from '../format/numbers.js';
import type { HeldProcessors } from '../results/finishedJobs.js';
import {
  axisBelow,
  drawLegend,
  FAINT,
  heightBelow,
  LABEL_SIZE,
  type Legend,
  textAt,
  timeText,
  timeTicks,
} from './axes.js';
import { FONT, INK } from './palette.js';
import { coordinate, type PictureWords, svgOpening, textWidth } from './svg.js';

/** A span of time in seconds on the clock of the log. */
export interface TimeWindow {
  readonly from: number;
  readonly to: number;
}

/** The stripe of one site. */
export interface SiteLane {
  /** First processor of the site, numbered through the grid from 0. */
  readonly first: number;
  readonly capacity: number;
  readonly top: number;
  readonly height: number;
}

/** Between two lanes, and between two groups of lanes. */
const [LANE_GAP, GROUP_GAP] = [6, 20];

/**
 * Lanes from `top` downwards, as high as sites have processors, none lower than `least` pixels.
 * @param grouped lanes of a group; groups are further apart.
 */
export function siteLanes(
  capacities: readonly number[],
  top: number,
  perProcessor: number,
  least: number,
  grouped = capacities.length,
): SiteLane[] {
  const lanes: SiteLane[] = [];
  let first = 0;
  let y = top;
  for (const capacity of capacities) {
    const height = Math.max(least, capacity * perProcessor);
    lanes.push({ first, capacity, top: y, height });
    first += capacity;
    y += height + (lanes.length % grouped === 0 ? GROUP_GAP : LANE_GAP);
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

/** Scale from times to horizontal places. */
export interface TimeScale extends TimeWindow {
  readonly left: number;
  readonly width: number;
}

/** The x of a time, kept within the window. */
export function timeX(time: number, { from, to, left, width }: TimeScale): number {
  const inside = Math.min(Math.max(time, from), to);
  return left + ((inside - from) / (to - from)) * width;
}

/** The jobs or stopped runs that hold processors at some time inside a window. */
export function allocationsWithin<Held extends HeldProcessors>(
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
  /** Time 0 in seconds since 1970. */
  readonly beginning?: number | undefined;
}

/** A time as the axis below has it: a date, or the time since its origin. */
export function timeOn({ origin, beginning }: Clock, time: number): string {
  if (beginning !== undefined) return timeText(time - origin, beginning);
  return valueText(time - origin, { style: 'duration' });
}

/** Options of a page that draws over time; the page draws the legend. */
export interface LiveView {
  /** The part that is shown. */
  readonly window: TimeWindow;
  /** Width in pixels. */
  readonly width: number;
  /** Names in the legend that are not shown. */
  readonly hidden: ReadonlySet<string>;
}

/** Default width in pixels of drawings outside a page. */
const DRAWING_WIDTH = 780;
/** The least width left of the lanes, and what is right of them. */
const LEFT = 92;
const RIGHT = 14;
/** Between the legend and the first lane. */
const LEGEND_GAP = 8;

/** Lanes of this height have room for two lines. */
const TWO_LINES = 28;
/** Between lanes and their names, and between these and the edge. */
const NAME_GAP = 8;

/** The words beside a lane: its name and its size, in one line or two. */
function laneWords({ height, capacity }: SiteLane, name: string): string[] {
  const words = [name, `${formatNumber(capacity)} proc.`];
  return height >= TWO_LINES ? words : [words.join(', ')];
}

/** Left end and width of the lanes in a drawing of some width, beside their names. */
function lanesAcross(
  lanes: readonly SiteLane[],
  names: readonly string[],
  drawingWidth: number,
): { left: number; width: number } {
  const words = lanes.flatMap((lane, i) => laneWords(lane, names[i]!));
  const widths = words.map((line) => textWidth(line, LABEL_SIZE));
  const left = widths.reduce((most, width) => Math.max(most, Math.ceil(width) + 2 * NAME_GAP), LEFT);
  return { left, width: drawingWidth - left - RIGHT };
}

/** Names and outlines of lanes. */
function laneFrames(
  lanes: readonly SiteLane[],
  laneNames: readonly string[],
  { left, width, from, to }: TimeScale,
): string {
  return lanes
    .map((lane, i) => {
      const { top, height } = lane;
      const words = laneWords(lane, laneNames[i]!);
      const names = words
        .map((line, row) => {
          const middle = top + height / 2 + 3.5 + 14 * (row - (words.length - 1) / 2);
          return textAt(left - NAME_GAP, middle, line, 'end');
        })
        .join('');
      const [x, y, w, h] = [left, top, width, height].map(coordinate);
      return `<rect class="plot-area" x="${x}" y="${y}" width="${w}" height="${h}" ${FAINT} data-domain="${from} ${to}"/>${names}`;
    })
    .join('');
}

/** Width for a tick. */
const TICK_ROOM = 85;

/** Ticks, their labels and the name of the time axis, counted from the origin of the clock. */
export function timeAxis(scale: TimeScale, bottom: number, { origin, beginning }: Clock): string {
  const { from, to, left, width } = scale;
  const most = Math.max(2, Math.round(width / TICK_ROOM));
  const { ticks, title } = timeTicks(from - origin, to - origin, beginning, most);
  const place = (time: number) => timeX(origin + time, scale);
  return axisBelow({
    ticks,
    place,
    left,
    right: left + width,
    bottom,
    ends: [0, left + width + RIGHT],
    title: [title],
  });
}

/** A square of a colour as the sample of a legend. */
export function square(color: string, opacity = 1): (x: number, y: number) => string {
  return (x, y) =>
    `<rect x="${coordinate(x)}" y="${coordinate(y - 5)}" width="14" height="10" fill="${color}" fill-opacity="${opacity}" stroke="${INK}" stroke-opacity="0.35"/>`;
}

/** Data from which the lanes and the scale of a drawing are made. */
export interface TimeDrawingFrame extends Clock {
  readonly words: PictureWords;
  readonly capacities: readonly number[];
  /** Names of the lanes; default the numbers of their sites. */
  readonly laneNames?: readonly string[];
  readonly window: TimeWindow;
  readonly legend: Parameters<typeof drawLegend>[0];
  /** The height of lanes. */
  readonly perProcessor: number;
  readonly lowestLane: number;
  /** Lanes of a group; default all of them. */
  readonly grouped?: number;
  /** Pixels across of a drawing that is no page's. */
  readonly paperWidth?: number | undefined;
}

/** A drawing of all sites over time as SVG: what `draw` draws inside the lanes, the sites beside it, the time below, the legend above. */
export function timeDrawing(
  {
    words,
    capacities,
    laneNames,
    window,
    legend: entries,
    perProcessor,
    lowestLane,
    grouped,
    paperWidth = DRAWING_WIDTH,
    ...clock
  }: TimeDrawingFrame,
  view: LiveView | undefined,
  draw: (lanes: readonly SiteLane[], scale: TimeScale) => string,
): string {
  const drawingWidth = view?.width ?? paperWidth;
  const legend: Legend = drawLegend(entries, 14, LEFT, drawingWidth - LEFT - RIGHT);
  const names = laneNames ?? capacities.map((_, site) => `site ${site + 1}`);
  const lanes = siteLanes(capacities, legend.height + LEGEND_GAP, perProcessor, lowestLane, grouped);
  const scale = { ...(view?.window ?? window), ...lanesAcross(lanes, names, drawingWidth) };
  const { top, height } = lanes[lanes.length - 1] as SiteLane;
  const bottom = top + height;
  return (
    svgOpening(words, drawingWidth, Math.ceil(bottom + heightBelow(1)), FONT) +
    `<g font-size="${LABEL_SIZE}px">${draw(lanes, scale)}</g>` +
    `<g font-size="${LABEL_SIZE}px" fill="${INK}">${legend.markup}${laneFrames(lanes, names, scale)}${timeAxis(scale, bottom, clock)}</g></svg>`
  );
}
