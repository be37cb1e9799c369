/** Gantt charts: every job as the processors it held over time. */

import { InputError } from '../errors.js';
import { countOf, valueText } from '../format/numbers.js';
import type { FinishedJob, HeldProcessors, StoppedRun } from '../results/finishedJobs.js';
import { areaColors, FONT, INK } from './palette.js';
import { cross, drawStopped, hatching } from './stoppedRuns.js';
import { coordinate, escapeMarkup, type PictureWords, svgOpening, textWidth } from './svg.js';
import {
  BELOW,
  type Clock,
  DRAWING_WIDTH,
  drawingFrame,
  FONT_SIZE,
  type GanttBlock,
  heldBlocks,
  heldWithin,
  LEGEND_ROW,
  type LiveView,
  lanesAcross,
  siteLanes,
  squareLegend,
  type TimeScale,
  type TimeWindow,
  textAt,
  timeOn,
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

function describeJob(job: FinishedJob, stops: number, clock: Clock): string {
  const { name, processors, requested, submit, start, end, home } = job;
  const duration = (seconds: number) => valueText(seconds, { style: 'duration' });
  const asked = requested === processors ? '' : ` (requested ${requested})`;
  return (
    `job ${name}: ${countOf(processors, 'processor')}${asked}, home site ${home + 1}, ` +
    `submitted at ${timeOn(clock, submit)}, waited ${duration(start - submit)}, ran ${duration(end - start)}` +
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
  const drawn = jobs
    .map((job, i) => ({ job, i, blocks: blocksOf(job) }))
    .filter(({ blocks }) => blocks.length > 0);
  const shapes = drawn.map(
    ({ job, blocks, i }) =>
      `<path${shades.length === 0 ? '' : ` fill="${shades[i % shades.length]}"`} d="${blocks.map(blockPath).join('')}"><title>${escapeMarkup(describe(job))}</title></path>`,
  );
  const labels = drawn.map(({ job, blocks }) => blockLabel(blocks, job.name));
  return (
    `<g fill="${fill}" stroke="#fff" stroke-width="0.8" paint-order="stroke">${shapes.join('')}</g>` +
    `<g fill="${text}" pointer-events="none">${labels.join('')}</g>`
  );
}

/** What the legend calls a home site. */
const homeName = (home: number) => `home site ${home + 1}`;

function homesOf({ jobs, stopped }: Pick<GanttOptions, 'jobs' | 'stopped'>): number[] {
  const homes = new Set([...jobs, ...stopped.map(({ job }) => job)].map(({ home }) => home));
  return [...homes].sort((a, b) => a - b);
}

/** What is shown, in the order of the home sites: colours, definitions, legend. */
function looksOf(homes: readonly number[], hasStopped: boolean, id: string, isLive: boolean) {
  const colors = areaColors(Math.max(...homes) + 1);
  const hatchingId = (home: number | 'any') => `stopped-${home === 'any' ? home : home + 1}-${id}`;
  const patterns = [
    ...homes.map((home) => hatching(hatchingId(home), colors[home].fill)),
    hatching(hatchingId('any'), INK),
  ];
  const stoppedEntry = { color: `url(#${hatchingId('any')})`, endMark: cross, name: 'stopped run' };
  const legend = squareLegend([
    ...(homes.length < 2 || isLive ? [] : homes).map((home) => ({
      color: colors[home].fill,
      name: homeName(home),
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
  const { window } = options;
  const [jobs, stopped] = [heldWithin(options.jobs, window), heldWithin(options.stopped, window)];
  const count = jobs.length + stopped.length;
  if (count === 0 || count > MOST_GANTT_JOBS) {
    throw new InputError(
      `the time window holds ${count} running jobs, a Gantt chart 1 to ${MOST_GANTT_JOBS}; give another window`,
    );
  }
  return drawGantt({ ...options, jobs, stopped }, countStops(options.stopped), words);
}

/** What is inside the window, or the part of it that a page asks for. */
function drawGantt(
  { jobs, stopped, capacities, window: whole, origin, beginning }: GanttOptions,
  stops: ReadonlyMap<FinishedJob, number>,
  words: PictureWords,
  view?: LiveView,
): string {
  const { window, width, hidden } = view ?? { window: whole, width: DRAWING_WIDTH, hidden: new Set() };
  const homes = homesOf({ jobs, stopped });
  const shown = homes.filter((home) => !hidden.has(homeName(home)));
  const { colors, hatchingId, definitions, legend } = looksOf(
    homes,
    stopped.length > 0,
    words.id,
    view !== undefined,
  );
  const top = legend.rows * LEGEND_ROW + 8;
  const processors = capacities.reduce((sum, capacity) => sum + capacity, 0);
  const lanes = siteLanes(capacities, top, Math.min(TALLEST_PROCESSOR, HEIGHT / processors), LOWEST_LANE);
  const scale: TimeScale = { ...window, ...lanesAcross(lanes, width) };
  const blocksOf = (held: HeldProcessors) =>
    held.start < window.to && held.end > window.from ? heldBlocks(held, lanes, scale) : [];
  const bodies = shown.map((home) =>
    drawJobs(
      jobs.filter((job) => job.home === home),
      homes.length > 1 ? colors[home] : { ...colors[home], text: '#000000' },
      blocksOf,
      (job) => describeJob(job, stops.get(job) ?? 0, { origin, beginning }),
      homes.length > 1 ? [] : SHADES,
    ),
  );
  const hatched = shown.map((home) =>
    drawStopped({
      runs: stopped
        .filter(({ job }) => job.home === home)
        .map((run) => ({ run, blocks: blocksOf(run) }))
        .filter(({ blocks }) => blocks.length > 0),
      color: colors[home].fill,
      hatchingId: hatchingId(home),
      pathOf: blockPath,
      clock: { origin, beginning },
      scale,
    }),
  );
  const { top: lastTop, height } = lanes[lanes.length - 1];
  const opening = svgOpening(words, width, Math.ceil(lastTop + height + BELOW), FONT);
  const drawing = bodies.join('') + (stopped.length === 0 ? '' : hatched.join(''));
  return opening + definitions + drawingFrame(lanes, { ...scale, beginning }, origin, legend.markup, drawing);
}

/** A chart as its page can draw it anew: what is inside its window. */
export interface GanttData extends Omit<GanttOptions, 'stopped'> {
  readonly kind: 'gantt';
  readonly words: PictureWords;
  /** Each with the number of its job in the list. */
  readonly stopped: readonly (HeldProcessors & { readonly job: number })[];
}

/** What a page carries to draw a chart anew. */
export function ganttData(options: GanttOptions, words: PictureWords): GanttData {
  const { capacities, window, origin, beginning } = options;
  const within = new Set([
    ...heldWithin(options.jobs, window),
    ...heldWithin(options.stopped, window).map(({ job }) => job),
  ]);
  const jobs = [...within];
  const stopped = options.stopped
    .filter(({ job }) => within.has(job))
    .map((run) => ({ ...run, job: jobs.indexOf(run.job) }));
  return { kind: 'gantt', words, jobs, stopped, capacities, window, origin, beginning };
}

/** The part of a chart that a page asks for. */
export function drawGanttPart(data: GanttData, view: LiveView): string {
  const stopped = data.stopped.map((run): StoppedRun => ({ ...run, job: data.jobs[run.job] }));
  return drawGantt({ ...data, stopped }, countStops(stopped), data.words, view);
}

/** The home sites by whose colours a chart tells jobs apart; none where all jobs have one. */
export function ganttLegend(data: GanttData): { readonly name: string; readonly color: string }[] {
  const homes = homesOf({ jobs: data.jobs, stopped: [] });
  const colors = areaColors(Math.max(...homes) + 1);
  return homes.length < 2 ? [] : homes.map((home) => ({ name: homeName(home), color: colors[home].fill }));
}
