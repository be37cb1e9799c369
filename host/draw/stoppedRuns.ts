/** Stopped runs in a Gantt chart: hatched, with a cross at the end. */
import { countOf, valueText } from '../format/numbers.js';
import type { StoppedRun } from '../results/finishedJobs.js';
import { INK } from './palette.js';
import { coordinate, escapeMarkup } from './svg.js';
import { type Clock, type GanttBlock, type TimeScale, timeOn } from './timeChart.js';

/** Half the width of the largest cross, and of the least that is drawn, in pixels. */
const LARGEST_CROSS = 3.5;
const LEAST_CROSS = 1.5;

/** A definition of hatching in a colour, to fill shapes as `url(#id)`. */
export function hatching(id: string, color: string): string {
  return (
    `<pattern id="${id}" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">` +
    `<path d="M0 2H4" stroke="${color}" stroke-width="1.3"/></pattern>`
  );
}

/** The path of a cross around a place. */
function crossPath(x: number, y: number, half: number): string {
  const [left, right, top, bottom] = [x - half, x + half, y - half, y + half].map(coordinate);
  return `M${left} ${top}L${right} ${bottom}M${left} ${bottom}L${right} ${top}`;
}

/** The cross of a legend, left of a place. */
export function cross(x: number, y: number): string {
  return crosses(crossPath(x - LARGEST_CROSS, y, LARGEST_CROSS));
}

function crosses(paths: string): string {
  return `<path d="${paths}" fill="none" stroke="${INK}" stroke-width="1.4" pointer-events="none"/>`;
}

function describeRun({ job, start, end, processors }: StoppedRun, clock: Clock): string {
  const duration = (seconds: number) => valueText(seconds, { style: 'duration' });
  return (
    `stopped run of job ${job.name}: ${countOf(processors, 'processor')}, ` +
    `home site ${job.home + 1}, began at ${timeOn(clock, start)}, stopped after ${duration(end - start)}`
  );
}

/** Stopped runs with their blocks. */
export interface StoppedDrawing {
  readonly runs: readonly { readonly run: StoppedRun; readonly blocks: readonly GanttBlock[] }[];
  readonly color: string;
  /** Of the hatching in this colour. */
  readonly hatchingId: string;
  /** The path of a block. */
  readonly pathOf: (block: GanttBlock) => string;
  readonly clock: Clock;
  /** Of what is shown. */
  readonly scale: TimeScale;
}

/** The stopped runs of the jobs of one home site. Blocks too low for a cross have none. */
export function drawStopped({ runs, color, hatchingId, pathOf, clock, scale }: StoppedDrawing): string {
  const shapes = runs.map(
    ({ run, blocks }) =>
      `<path d="${blocks.map(pathOf).join('')}"><title>${escapeMarkup(describeRun(run, clock))}</title></path>`,
  );
  const ends = runs.flatMap(({ run, blocks }) => (run.end > scale.to ? [] : blocks));
  const marks = ends.map(({ x, y, width, height }) => {
    const half = Math.min(LARGEST_CROSS, height / 2);
    // Runs that were stopped soon are narrower than a cross, which stays beside the names of the sites all the same.
    const middle = Math.max(x + width, scale.left + 2 * half) - half;
    return half < LEAST_CROSS ? '' : crossPath(middle, y + height / 2, half);
  });
  const crossed = marks.join('');
  return (
    `<g fill="url(#${hatchingId})" stroke="${color}" stroke-width="0.8">${shapes.join('')}</g>` +
    (crossed === '' ? '' : crosses(crossed))
  );
}
