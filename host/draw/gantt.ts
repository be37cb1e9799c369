/** Gantt charts: every job as the processors it held over time. */

import { InputError } from '../errors.js';
import { countOf, valueText } from '../format/numbers.js';
import type { FinishedJob, StoppedRun } from '../results/finishedJobs.js';
import { areaColors, FONT, INK } from './palette.js';
import { coordinate, escapeMarkup, type PictureWords, svgOpening, textWidth } from './svg.js';
import {
  BELOW,
  DRAWING_WIDTH,
  drawingFrame,
  FONT_SIZE,
  type GanttBlock,
  heldBlocks,
  heldWithin,
  LEFT,
  LEGEND_ROW,
  RIGHT,
  siteLanes,
  squareLegend,
  type TimeScale,
  type TimeWindow,
  textAt,
} from './timeChart.js';

/** As many jobs and stopped runs as a chart can hold and still be looked at. */
export const MOST_GANTT_JOBS = 2000;

/** What a drawing of jobs over time shows. */
export interface GanttOptions {
  readonly jobs: readonly FinishedJob[];
  /** Runs of these jobs that were stopped. */
  readonly stopped: readonly StoppedRun[];
  readonly capacities: readonly number[];
  readonly window: TimeWindow;
  /** The time that the axis counts from. */
  readonly origin: number;
  /** That time in seconds since 1970, where it is known. */
  readonly beginning?: number | undefined;
}

/** Of one home alone, which needs no colour: they tell jobs apart that follow each other. */
const SHADES = ['#56b4e9', '#b5ddf5', '#86c9ee'];

const HEIGHT = 430;
const TALLEST_PROCESSOR = 14;
const LOWEST_LANE = 16;

function describeJob(job: FinishedJob, stops: number, origin: number): string {
  const { name, processors, requested, submit, start, end, home } = job;
  const duration = (seconds: number) => valueText(seconds, { style: 'duration' });
  const asked = requested === processors ? '' : ` (requested ${requested})`;
  return (
    `job ${name}: ${countOf(processors, 'processor')}${asked}, home site ${home + 1}, ` +
    `submitted at ${duration(submit - origin)}, waited ${duration(start - submit)}, ran ${duration(end - start)}` +
    (stops === 0 ? '' : ` after ${countOf(stops, 'stopped run')}`)
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
  describe: (job: FinishedJob) => string,
  shades: readonly string[],
): string {
  const drawn = jobs.map((job) => ({ job, blocks: blocksOf(job) })).filter(({ blocks }) => blocks.length > 0);
  const shapes = drawn.map(
    ({ job, blocks }, i) =>
      `<path${shades.length === 0 ? '' : ` fill="${shades[i % shades.length]}"`} d="${blocks.map(blockPath).join('')}"><title>${escapeMarkup(describe(job))}</title></path>`,
  );
  const labels = drawn.map(({ job, blocks }) => blockLabel(blocks, job.name));
  return (
    `<g fill="${fill}" stroke="#fff" stroke-width="0.8" paint-order="stroke">${shapes.join('')}</g>` +
    `<g fill="${text}" pointer-events="none">${labels.join('')}</g>`
  );
}

/** What is shown, in the order of the home sites: colours, definitions, legend. */
function looksOf(homes: readonly number[], hasStopped: boolean, id: string) {
  const colors = areaColors(Math.max(...homes) + 1);
  const hatchingId = (home: number | 'any') => `${id}-stopped-${home === 'any' ? home : home + 1}`;
  const patterns = [
    ...homes.map((home) => hatching(hatchingId(home), colors[home].fill)),
    hatching(hatchingId('any'), INK),
  ];
  const stoppedEntry = { color: `url(#${hatchingId('any')})`, endMark: cross, name: 'stopped run' };
  const legend = squareLegend([
    ...(homes.length < 2 ? [] : homes).map((home) => ({
      color: colors[home].fill,
      name: `home site ${home + 1}`,
    })),
    ...(hasStopped ? [stoppedEntry] : []),
  ]);
  return { colors, hatchingId, definitions: hasStopped ? `<defs>${patterns.join('')}</defs>` : '', legend };
}

/** How often each job was stopped. */
function countStops(stopped: readonly StoppedRun[]): Map<FinishedJob, number> {
  const stops = new Map<FinishedJob, number>();
  for (const { job } of stopped) stops.set(job, (stops.get(job) ?? 0) + 1);
  return stops;
}

/**
 * A Gantt chart by site as SVG: processors downwards, time to the right, coloured by home site; jobs carry their
 * numbers where there is room, and all that became of them as a title. Stopped runs are hatched, with a cross at the end.
 * @throws InputError when more than MOST_GANTT_JOBS jobs and stopped runs fall inside the window, or none.
 */
export function ganttSvg(options: GanttOptions, words: PictureWords): string {
  const { capacities, window, origin } = options;
  const [jobs, stopped] = [heldWithin(options.jobs, window), heldWithin(options.stopped, window)];
  const count = jobs.length + stopped.length;
  if (count === 0 || count > MOST_GANTT_JOBS) {
    throw new InputError(
      `the time window holds ${count} running jobs, a Gantt chart 1 to ${MOST_GANTT_JOBS}; give another window`,
    );
  }
  const shownHomes = new Set([...jobs, ...stopped.map(({ job }) => job)].map(({ home }) => home));
  const homes = [...shownHomes].sort((a, b) => a - b);
  const { colors, hatchingId, definitions, legend } = looksOf(homes, stopped.length > 0, words.id);
  const top = legend.rows * LEGEND_ROW + 8;
  const processors = capacities.reduce((sum, capacity) => sum + capacity, 0);
  const lanes = siteLanes(capacities, top, Math.min(TALLEST_PROCESSOR, HEIGHT / processors), LOWEST_LANE);
  const scale: TimeScale = { ...window, left: LEFT, width: DRAWING_WIDTH - LEFT - RIGHT };
  const stops = countStops(options.stopped);
  const bodies = homes.map((home) =>
    drawJobs(
      jobs.filter((job) => job.home === home),
      homes.length > 1 ? colors[home] : { ...colors[home], text: '#000000' },
      (job) => heldBlocks(job, lanes, scale),
      (job) => describeJob(job, stops.get(job) ?? 0, origin),
      homes.length > 1 ? [] : SHADES,
    ),
  );
  const hatched = homes.map((home) =>
    drawStopped({
      runs: stopped
        .filter(({ job }) => job.home === home)
        .map((run) => ({ run, blocks: heldBlocks(run, lanes, scale) })),
      color: colors[home].fill,
      hatchingId: hatchingId(home),
      pathOf: blockPath,
      origin,
      to: window.to,
    }),
  );
  const { top: lastTop, height } = lanes[lanes.length - 1];
  const opening = svgOpening(words, DRAWING_WIDTH, Math.ceil(lastTop + height + BELOW), FONT);
  const drawing = bodies.join('') + (stopped.length === 0 ? '' : hatched.join(''));
  return (
    opening +
    definitions +
    drawingFrame(lanes, { ...scale, beginning: options.beginning }, origin, legend.markup, drawing)
  );
}

/** Half the width of the largest cross, and of the least that is drawn, in pixels. */
const LARGEST_CROSS = 3.5;
const LEAST_CROSS = 1.5;

/** A definition of hatching in a colour, to fill shapes as `url(#id)`. */
function hatching(id: string, color: string): string {
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
function cross(x: number, y: number): string {
  return crosses(crossPath(x - LARGEST_CROSS, y, LARGEST_CROSS));
}

function crosses(paths: string): string {
  return `<path d="${paths}" fill="none" stroke="${INK}" stroke-width="1.4" pointer-events="none"/>`;
}

function describeRun({ job, start, end, processors }: StoppedRun, origin: number): string {
  const duration = (seconds: number) => valueText(seconds, { style: 'duration' });
  return (
    `stopped run of job ${job.name}: ${countOf(processors, 'processor')}, ` +
    `home site ${job.home + 1}, began at ${duration(start - origin)}, stopped after ${duration(end - start)}`
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
  /** The time that is counted from, and the end of what is shown. */
  readonly origin: number;
  readonly to: number;
}

/** The stopped runs of the jobs of one home site. Blocks too low for a cross have none. */
function drawStopped({ runs, color, hatchingId, pathOf, origin, to }: StoppedDrawing): string {
  const shapes = runs.map(
    ({ run, blocks }) =>
      `<path d="${blocks.map(pathOf).join('')}"><title>${escapeMarkup(describeRun(run, origin))}</title></path>`,
  );
  const ends = runs.flatMap(({ run, blocks }) => (run.end > to ? [] : blocks));
  const marks = ends.map(({ x, y, width, height }) => {
    const half = Math.min(LARGEST_CROSS, height / 2);
    return half < LEAST_CROSS ? '' : crossPath(x + Math.max(width - half, 0), y + height / 2, half);
  });
  const crossed = marks.join('');
  return (
    `<g fill="url(#${hatchingId})" stroke="${color}" stroke-width="0.8">${shapes.join('')}</g>` +
    (crossed === '' ? '' : crosses(crossed))
  );
}
