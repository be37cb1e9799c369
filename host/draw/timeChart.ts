/**
 * Common parts of charts with time to the right and the processors of all sites downwards: geometry, site
 * names, time axis and legend.
 */
import { formatNumber, formatValue } from '../format/numbers.js';
import type { HeldProcessors } from '../results/finishedJobs.js';
import {
  drawHorizontalAxis,
  drawLegend,
  FAINT_LINE_SVG_ATTRIBUTES,
  formatTimeInWords,
  horizontalAxisHeight,
  LABEL_FONT_SIZE,
  type Legend,
  makeElapsedTimeTicks,
  svgTextElement,
} from './axes.js';
import { FONT_FAMILY, TEXT_COLOR } from './palette.js';
import { estimateTextWidth, formatSvgCoordinate, makeSvgOpeningTag, type PictureWords } from './svg.js';

/** Time window in seconds on the clock of the log. */
export interface TimeWindow {
  readonly from: number;
  readonly to: number;
}

/** Lane of a site: the horizontal stripe of a chart with its processors; positions in pixels. */
export interface SiteLane {
  /** First processor of the site, numbered through the grid from 0. */
  readonly first: number;
  readonly capacity: number;
  readonly top: number;
  readonly height: number;
}

/** Pixels between two lanes, and between two groups of lanes. */
const [LANE_GAP, GROUP_GAP] = [6, 20];

/**
 * Lanes of the sites from `top` downwards, each as high as its number of processors requires, but at least
 * `minHeight` pixels.
 * @param laneCountPerGroup number of lanes of a group; groups are further apart.
 */
export function layOutSiteLanes(
  capacities: readonly number[],
  top: number,
  pixelsPerProcessor: number,
  minHeight: number,
  laneCountPerGroup = capacities.length,
): SiteLane[] {
  const lanes: SiteLane[] = [];
  let firstProcessor = 0;
  let y = top;
  for (const capacity of capacities) {
    const height = Math.max(minHeight, capacity * pixelsPerProcessor);
    lanes.push({ first: firstProcessor, capacity, top: y, height });
    firstProcessor += capacity;
    y += height + (lanes.length % laneCountPerGroup === 0 ? GROUP_GAP : LANE_GAP);
  }
  return lanes;
}

/** Rectangle in pixels for neighbouring processors held by a job during a time. */
export interface GanttBlock {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** SVG path of a block; blocks of very short times stay visible. */
export function makeGanttBlockPath({ x, y, width, height }: GanttBlock): string {
  const [left, top, right, bottom] = [x, y, x + Math.max(width, 0.4), y + height].map(formatSvgCoordinate);
  return `M${left} ${top}H${right}V${bottom}H${left}z`;
}

/** Scale from times in seconds to horizontal pixels. */
export interface TimeScale extends TimeWindow {
  readonly left: number;
  readonly width: number;
}

/** Horizontal pixel of a time; times outside the window are moved to its edge. */
export function timeToX(time: number, { from, to, left, width }: TimeScale): number {
  const clampedTime = Math.min(Math.max(time, from), to);
  return left + ((clampedTime - from) / (to - from)) * width;
}

/** Allocations (jobs, preempted runs or absences) that hold processors during part of a time window. */
export function keepAllocationsInWindow<Held extends HeldProcessors>(
  allocations: readonly Held[],
  { from, to }: TimeWindow,
): Held[] {
  return allocations.filter(({ start, end }) => start < to && end > from);
}

/**
 * Rectangles of one job or preempted run: one per range of neighbouring processors, split at lane borders.
 */
export function makeGanttBlocksOfAllocation(
  allocation: HeldProcessors,
  lanes: readonly SiteLane[],
  timeScale: TimeScale,
): GanttBlock[] {
  const x = timeToX(allocation.start, timeScale);
  const width = timeToX(allocation.end, timeScale) - x;
  return allocation.runs.flatMap(([first, last]) =>
    lanes.flatMap((lane): GanttBlock[] => {
      const firstProcessor = Math.max(first, lane.first);
      const processorsEnd = Math.min(last + 1, lane.first + lane.capacity);
      if (firstProcessor >= processorsEnd) return [];
      const pixelsPerProcessor = lane.height / lane.capacity;
      return [
        {
          x,
          y: lane.top + (firstProcessor - lane.first) * pixelsPerProcessor,
          width,
          height: (processorsEnd - firstProcessor) * pixelsPerProcessor,
        },
      ];
    }),
  );
}

/** Number of processors of a lane that a job or preempted run holds. */
export function countProcessorsInLane(allocation: HeldProcessors, { first, capacity }: SiteLane): number {
  return allocation.runs.reduce(
    (sum, [from, to]) => sum + Math.max(0, Math.min(to + 1, first + capacity) - Math.max(from, first)),
    0,
  );
}

/** Origin of a time axis in seconds, and its date if known. */
export interface AxisClock {
  readonly origin: number;
  /** Date of time 0 in seconds since 1970, if known. */
  readonly beginning?: number | undefined;
}

/** Time as the axis shows it: a date, or the time since the origin. */
export function formatTimeOnAxis({ origin, beginning }: AxisClock, time: number): string {
  if (beginning !== undefined) return formatTimeInWords(time - origin, beginning);
  return formatValue(time - origin, { style: 'duration' });
}

/** Options of a page that draws a chart over time; the page draws the legend itself. */
export interface LiveFigureOptions {
  /** Visible time window. */
  readonly window: TimeWindow;
  /** Width in pixels. */
  readonly width: number;
  /** Legend names that are hidden. */
  readonly hidden: ReadonlySet<string>;
}

/** Width in pixels of drawings outside pages. */
const DRAWING_WIDTH = 780;
/** Smallest margin in pixels left of the lanes of a chart, where the site names are. */
const MIN_LANE_LEFT_MARGIN = 92;
/** Margin in pixels right of the lanes of a chart. */
const LANE_RIGHT_MARGIN = 14;
/** Pixels between the legend and the first lane. */
const LEGEND_TO_LANE_GAP = 8;

/** Height in pixels from which a lane label has two lines. */
const MIN_TWO_LINE_LABEL_HEIGHT = 28;
/** Pixels between a lane and its name, and between the name and the edge of the drawing. */
const LANE_NAME_GAP = 8;

/** Label of a lane: name and number of processors, in one or two lines. */
function makeSiteLaneLabelLines({ height, capacity }: SiteLane, laneName: string): string[] {
  const labelParts = [laneName, `${formatNumber(capacity)} proc.`];
  return height >= MIN_TWO_LINE_LABEL_HEIGHT ? labelParts : [labelParts.join(', ')];
}

/** Left end and width in pixels of the lanes, beside their names. */
function computeHorizontalExtentOfLanes(
  lanes: readonly SiteLane[],
  names: readonly string[],
  drawingWidth: number,
): { left: number; width: number } {
  const labelLines = lanes.flatMap((lane, i) => makeSiteLaneLabelLines(lane, names[i]!));
  const widths = labelLines.map((labelLine) => estimateTextWidth(labelLine, LABEL_FONT_SIZE));
  const lanesLeftEdge = widths.reduce(
    (widest, width) => Math.max(widest, Math.ceil(width) + 2 * LANE_NAME_GAP),
    MIN_LANE_LEFT_MARGIN,
  );
  return { left: lanesLeftEdge, width: drawingWidth - lanesLeftEdge - LANE_RIGHT_MARGIN };
}

/** SVG of the names and outlines of the lanes. */
function drawLaneFrames(
  lanes: readonly SiteLane[],
  laneNames: readonly string[],
  { left, width, from, to }: TimeScale,
): string {
  return lanes
    .map((lane, i) => {
      const { top: laneTop, height } = lane;
      const labelLines = makeSiteLaneLabelLines(lane, laneNames[i]!);
      const labelMarkup = labelLines
        .map((labelLine, row) => {
          const labelY = laneTop + height / 2 + 3.5 + 14 * (row - (labelLines.length - 1) / 2);
          return svgTextElement(left - LANE_NAME_GAP, labelY, labelLine, 'end');
        })
        .join('');
      const [x, y, w, h] = [left, laneTop, width, height].map(formatSvgCoordinate);
      return `<rect class="plot-area" x="${x}" y="${y}" width="${w}" height="${h}" ${FAINT_LINE_SVG_ATTRIBUTES} data-domain="${from} ${to}"/>${labelMarkup}`;
    })
    .join('');
}

/** Smallest distance in pixels between two time ticks. */
const MIN_TIME_TICK_WIDTH = 85;

/** SVG of the time axis: ticks, labels and title. */
export function drawTimeAxis(timeScale: TimeScale, bottom: number, { origin, beginning }: AxisClock): string {
  const { from, to, left, width } = timeScale;
  const maxTickCount = Math.max(2, Math.round(width / MIN_TIME_TICK_WIDTH));
  const { ticks, title: axisTitle } = makeElapsedTimeTicks(
    from - origin,
    to - origin,
    beginning,
    maxTickCount,
  );
  const toPixel = (time: number) => timeToX(origin + time, timeScale);
  return drawHorizontalAxis({
    ticks,
    toPixel,
    left,
    right: left + width,
    bottom,
    ends: [0, left + width + LANE_RIGHT_MARGIN],
    title: [axisTitle],
  });
}

/** Function that draws a coloured square, as legend sample. */
export function makeLegendSquare(color: string, opacity = 1): (x: number, y: number) => string {
  return (x, y) =>
    `<rect x="${formatSvgCoordinate(x)}" y="${formatSvgCoordinate(y - 5)}" width="14" height="10" fill="${color}" fill-opacity="${opacity}" stroke="${TEXT_COLOR}" stroke-opacity="0.35"/>`;
}

/** Data that determine the lanes, scale and legend of a chart over time. */
export interface TimeDrawingFrame extends AxisClock {
  readonly words: PictureWords;
  readonly capacities: readonly number[];
  /** Lane names; default: the site numbers. */
  readonly laneNames?: readonly string[];
  readonly window: TimeWindow;
  readonly legend: Parameters<typeof drawLegend>[0];
  /** Height of a lane in pixels per processor. */
  readonly heightPerProcessor: number;
  /** Smallest height of a lane in pixels. */
  readonly minLaneHeight: number;
  /** Number of lanes per group; default: all lanes. */
  readonly lanesPerGroup?: number;
  /** Width in pixels of a drawing outside a page. */
  readonly paperWidth?: number | undefined;
}

/**
 * Chart over time as SVG: calls `drawContent` for the inside of the lanes, and adds site names, time axis and
 * legend.
 */
export function drawTimeChart(
  {
    words: pictureWords,
    capacities,
    laneNames = capacities.map((_, site) => `site ${site + 1}`),
    window,
    legend: legendEntries,
    heightPerProcessor,
    minLaneHeight,
    lanesPerGroup,
    paperWidth = DRAWING_WIDTH,
    ...clock
  }: TimeDrawingFrame,
  figureOptions: LiveFigureOptions | undefined,
  drawContent: (lanes: readonly SiteLane[], timeScale: TimeScale) => string,
): string {
  const drawingWidth = figureOptions?.width ?? paperWidth;
  const legend: Legend = drawLegend(
    legendEntries,
    14,
    MIN_LANE_LEFT_MARGIN,
    drawingWidth - MIN_LANE_LEFT_MARGIN - LANE_RIGHT_MARGIN,
  );
  const lanes = layOutSiteLanes(
    capacities,
    legend.height + LEGEND_TO_LANE_GAP,
    heightPerProcessor,
    minLaneHeight,
    lanesPerGroup,
  );
  const timeScale = {
    ...(figureOptions?.window ?? window),
    ...computeHorizontalExtentOfLanes(lanes, laneNames, drawingWidth),
  };
  const { top: laneTop, height } = lanes[lanes.length - 1] as SiteLane;
  const bottom = laneTop + height;
  return (
    makeSvgOpeningTag(pictureWords, drawingWidth, Math.ceil(bottom + horizontalAxisHeight(1)), FONT_FAMILY) +
    `<g font-size="${LABEL_FONT_SIZE}px">${drawContent(lanes, timeScale)}</g>` +
    `<g font-size="${LABEL_FONT_SIZE}px" fill="${TEXT_COLOR}">${legend.markup}${drawLaneFrames(lanes, laneNames, timeScale)}${drawTimeAxis(timeScale, bottom, clock)}</g></svg>`
  );
}
