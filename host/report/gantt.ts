/** Gantt charts: every job as the processors it held over time. */
import { InputError } from '../errors.js';
import type { FinishedJob } from './finishedJobs.js';
import {
  BELOW,
  DRAWING_WIDTH,
  drawingFrame,
  FONT_SIZE,
  LEFT,
  LEGEND_ROW,
  RIGHT,
  squareLegend,
  textAt,
} from './ganttFrame.js';
import {
  type GanttBlock,
  jobBlocks,
  jobsWithin,
  siteLanes,
  type TimeScale,
  type TimeWindow,
} from './ganttLayout.js';
import { escapeMarkup } from './markup.js';
import { areaColors, FONT } from './palette.js';
import { coordinate, type PictureWords, svgOpening } from './svgText.js';
import { textWidth } from './textWidth.js';
import { valueText } from './valueText.js';

/** As many jobs as a chart can hold and still be looked at. */
export const MOST_GANTT_JOBS = 2000;

/** What a drawing of jobs over time shows. */
export interface GanttOptions {
  readonly jobs: readonly FinishedJob[];
  readonly capacities: readonly number[];
  readonly window: TimeWindow;
  /** The time that the axis counts from. */
  readonly origin: number;
}

const HEIGHT = 430;
const TALLEST_PROCESSOR = 14;
const LOWEST_LANE = 16;

function describeJob(job: FinishedJob, origin: number): string {
  const { name, processors, requested, submit, start, end, home } = job;
  const duration = (seconds: number) => valueText(seconds, { style: 'duration' });
  const asked = requested === processors ? '' : ` (requested ${requested})`;
  return (
    `job ${name}: ${processors} processor${processors === 1 ? '' : 's'}${asked}, home site ${home + 1}, ` +
    `submitted at ${duration(submit - origin)}, waited ${duration(start - submit)}, ran ${duration(end - start)}`
  );
}

function blockPath({ x, y, width, height }: GanttBlock): string {
  const [left, top, right, bottom] = [x, y, x + Math.max(width, 0.4), y + height].map(coordinate);
  return `M${left} ${top}H${right}V${bottom}H${left}z`;
}

/** The name of a job inside its largest block, where there is room. */
function blockLabel(blocks: readonly GanttBlock[], name: string): string {
  const { x, y, width, height } = blocks.reduce((a, b) => (b.width * b.height > a.width * a.height ? b : a));
  if (height < FONT_SIZE || width < textWidth(name, FONT_SIZE) + 4) return '';
  return textAt(x + width / 2, y + height / 2 + 3.5, name, 'middle');
}

/** The jobs of one home site: all shapes first, then the names upon them. */
function drawJobs(
  jobs: readonly FinishedJob[],
  { fill, text }: { readonly fill: string; readonly text: string },
  blocksOf: (job: FinishedJob) => GanttBlock[],
  origin: number,
): string {
  const drawn = jobs.map((job) => ({ job, blocks: blocksOf(job) })).filter(({ blocks }) => blocks.length > 0);
  const shapes = drawn.map(
    ({ job, blocks }) =>
      `<path d="${blocks.map(blockPath).join('')}"><title>${escapeMarkup(describeJob(job, origin))}</title></path>`,
  );
  const labels = drawn.map(({ job, blocks }) => blockLabel(blocks, job.name));
  return (
    `<g fill="${fill}" stroke="#fff" stroke-width="0.8" paint-order="stroke">${shapes.join('')}</g>` +
    `<g fill="${text}" pointer-events="none">${labels.join('')}</g>`
  );
}

/**
 * A Gantt chart by site as SVG: processors downwards, time to the right, coloured by home site; jobs carry their
 * numbers where there is room, and all that became of them as a title.
 * @throws InputError when more than MOST_GANTT_JOBS jobs run inside the window, or none.
 */
export function ganttSvg({ jobs, capacities, window, origin }: GanttOptions, words: PictureWords): string {
  const shown = jobsWithin(jobs, window);
  if (shown.length === 0 || shown.length > MOST_GANTT_JOBS) {
    throw new InputError(
      `the time window holds ${shown.length} running jobs, a Gantt chart 1 to ${MOST_GANTT_JOBS}; give another window`,
    );
  }
  const homes = [...new Set(shown.map(({ home }) => home))].sort((a, b) => a - b);
  const colors = areaColors(Math.max(...homes) + 1);
  const legend = squareLegend(
    (homes.length < 2 ? [] : homes).map((home) => ({
      color: colors[home].fill,
      name: `home site ${home + 1}`,
    })),
  );
  const top = legend.rows * LEGEND_ROW + 8;
  const processors = capacities.reduce((sum, capacity) => sum + capacity, 0);
  const lanes = siteLanes(capacities, top, Math.min(TALLEST_PROCESSOR, HEIGHT / processors), LOWEST_LANE);
  const scale: TimeScale = { ...window, left: LEFT, width: DRAWING_WIDTH - LEFT - RIGHT };
  const bottom = lanes[lanes.length - 1].top + lanes[lanes.length - 1].height;
  const bodies = homes.map((home) =>
    drawJobs(
      shown.filter((job) => job.home === home),
      colors[home],
      (job) => jobBlocks(job, lanes, scale),
      origin,
    ),
  );
  const opening = svgOpening(words, DRAWING_WIDTH, Math.ceil(bottom + BELOW), FONT);
  return opening + drawingFrame(lanes, scale, origin, legend.markup, bodies.join(''));
}
