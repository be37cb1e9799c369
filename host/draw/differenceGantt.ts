/** Two Gantt charts in one, as evalys draws the difference of schedules: what only one of them has stands out. */
import type { FinishedJob } from '../results/finishedJobs.js';
import { FONT } from './palette.js';
import { coordinate, escapeMarkup, type PictureWords, svgOpening } from './svg.js';
import {
  BELOW,
  DRAWING_WIDTH,
  drawingFrame,
  heldBlocks,
  heldWithin,
  LEGEND_ROW,
  type LiveView,
  lanesAcross,
  siteLanes,
  squareLegend,
  type TimeScale,
  type TimeWindow,
} from './timeChart.js';

/** Colours of the two, seen through each other. */
const COLORS = ['#0072b2', '#d55e00'];
const OPACITY = 0.5;
/** The second over the first, which lets a quarter of the paper through. */
const BOTH = { color: '#8e653b', opacity: 0.75, name: 'both' };
const HEIGHT = 430;
const TALLEST_PROCESSOR = 14;
const LOWEST_LANE = 16;

/** What is drawn of two simulations of the same jobs on grids of the same size. */
export interface DifferenceOptions {
  readonly runs: readonly { readonly name: string; readonly jobs: readonly FinishedJob[] }[];
  readonly capacities: readonly number[];
  readonly window: TimeWindow;
  /** The time that the axis counts from. */
  readonly origin: number;
}

/** A drawing as its page can draw it anew: what is inside its window. */
export interface DifferenceData extends DifferenceOptions {
  readonly kind: 'difference';
  readonly words: PictureWords;
}

/** What a page carries to draw both schedules anew. */
export function differenceData(options: DifferenceOptions, words: PictureWords): DifferenceData {
  const runs = options.runs.map(({ name, jobs }) => ({ name, jobs: heldWithin(jobs, options.window) }));
  return { kind: 'difference', words, ...options, runs };
}

/** The schedules and their colours. */
export function differenceLegend({
  runs,
}: DifferenceData): { readonly name: string; readonly color: string }[] {
  return runs.map(({ name }, i) => ({ name, color: COLORS[i] }));
}

/** Both schedules over each other as SVG, or the part that a page asks for: processors downwards, time to the right. */
export function differenceGanttSvg(
  { runs, capacities, window: whole, origin }: DifferenceOptions,
  words: PictureWords,
  view?: LiveView,
): string {
  const { window, width, hidden } = view ?? { window: whole, width: DRAWING_WIDTH, hidden: new Set() };
  const legend = squareLegend([
    ...(view === undefined ? runs : []).map(({ name }, i) => ({
      color: COLORS[i],
      opacity: OPACITY,
      name: `${name} alone`,
    })),
    BOTH,
  ]);
  const processors = capacities.reduce((sum, capacity) => sum + capacity, 0);
  const top = legend.rows * LEGEND_ROW + 8;
  const lanes = siteLanes(capacities, top, Math.min(TALLEST_PROCESSOR, HEIGHT / processors), LOWEST_LANE);
  const scale: TimeScale = { ...window, ...lanesAcross(lanes, width) };
  const layers = runs.map(({ name, jobs }, i) => {
    const shapes = heldWithin(hidden.has(name) ? [] : jobs, window).map((job) => {
      const blocks = heldBlocks(job, lanes, scale).map(({ x, y, width, height }) => {
        const [left, up, right, down] = [x, y, x + Math.max(width, 0.4), y + height].map(coordinate);
        return `M${left} ${up}H${right}V${down}H${left}z`;
      });
      return `<path d="${blocks.join('')}"><title>${escapeMarkup(`${name}: job ${job.name}`)}</title></path>`;
    });
    return `<g fill="${COLORS[i]}" fill-opacity="${OPACITY}" stroke="${COLORS[i]}" stroke-width="0.4">${shapes.join('')}</g>`;
  });
  const { top: lastTop, height } = lanes[lanes.length - 1];
  return (
    svgOpening(words, width, Math.ceil(lastTop + height + BELOW), FONT) +
    drawingFrame(lanes, scale, origin, legend.markup, layers.join(''))
  );
}

/** As many jobs of each schedule as can be told apart. */
const MOST_JOBS = 400;

/** The time around an instant in which few enough jobs of all schedules run to be told apart, within a span. */
export function windowAround(
  instant: number,
  schedules: readonly (readonly FinishedJob[])[],
  span: TimeWindow,
): TimeWindow {
  let reach = span.to - span.from;
  for (;;) {
    const window = { from: Math.max(span.from, instant - reach), to: Math.min(span.to, instant + reach) };
    const most = Math.max(...schedules.map((jobs) => heldWithin(jobs, window).length));
    if (most <= MOST_JOBS || reach < 60) return window;
    reach /= 2;
  }
}
