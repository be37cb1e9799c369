/**
 * Gantt charts: the processors that each job held over time, for one simulation or for two below each
 * other.
 */
import { InputError } from '../errors.js';
import { countText, valueText } from '../format/numbers.js';
import type { FinishedJob, HeldProcessors, StoppedRun } from '../results/finishedJobs.js';
import { LABEL_SIZE, textAt } from './axes.js';
import {
  differenceClass,
  differenceKeys,
  type JobColoring,
  type JobGroup,
  jobGroups,
  textOn,
  timesUpTo,
} from './colors.js';
import { TEXT_COLOR } from './palette.js';
import { coordinateText, escapeMarkup, type PictureWords, textWidth } from './svg.js';
import {
  type AxisClock,
  allocationsWithin,
  blocksOfJob,
  type GanttBlock,
  type LiveView,
  legendSquare,
  type TimeScale,
  type TimeWindow,
  timeDrawing,
  timeOn,
} from './timeChart.js';

/** Largest number of jobs and preempted runs in one chart. */
export const MAX_GANTT_JOBS = 2000;

/** Options of a Gantt chart. */
export interface GanttOptions {
  readonly jobs: readonly FinishedJob[];
  /** Preempted runs of these jobs. */
  readonly stopped: readonly StoppedRun[];
  readonly capacities: readonly number[];
  readonly window: TimeWindow;
  /** Time in seconds that the axis counts from. */
  readonly origin: number;
  /** Date of time 0 in seconds since 1970, if known. */
  readonly beginning?: number | undefined;
}

const GANTT_HEIGHT = 430;
const TALLEST_PROCESSOR = 14;
const LOWEST_LANE = 16;

/** Computes lane heights so that all lanes fit on a page. */
function laneHeights(capacities: readonly number[]) {
  const processors = capacities.reduce((sum, capacity) => sum + capacity, 0);
  return { perProcessor: Math.min(TALLEST_PROCESSOR, GANTT_HEIGHT / processors), lowestLane: LOWEST_LANE };
}

function describeJob(job: FinishedJob, stops: number, clock: AxisClock): string {
  const { name, processors, requested, submit, start, end, home } = job;
  const duration = (seconds: number) => valueText(seconds, { style: 'duration' });
  const requestedText = requested === processors ? '' : ` (requested ${requested})`;
  return (
    `job ${name}: ${countText(processors, 'processor')}${requestedText}, home site ${home + 1}, ` +
    `submitted at ${timeOn(clock, submit)}, waited ${duration(start - submit)}, ran ${duration(end - start)}` +
    (stops === 0 ? '' : ` after ${countText(stops, 'stopped run')}`)
  );
}

function blockPath({ x, y, width, height }: GanttBlock): string {
  const [left, top, right, bottom] = [x, y, x + Math.max(width, 0.4), y + height].map(coordinateText);
  return `M${left} ${top}H${right}V${bottom}H${left}z`;
}

/** SVG of a job's name inside its largest block; empty if it does not fit. */
function blockLabel(blocks: readonly GanttBlock[], name: string): string {
  const { x, y, width, height } = blocks.reduce((a, b) => (b.width * b.height > a.width * a.height ? b : a));
  if (height < LABEL_SIZE || width < textWidth(name, LABEL_SIZE) + 4) return '';
  return textAt(x + width / 2, y + height / 2 + 3.5, name, 'middle');
}

/** SVG of the jobs of one colour: all blocks first, then the names on top. */
function drawJobs<Job extends FinishedJob>(
  jobs: readonly Job[],
  { fill, text }: JobGroup,
  blocksOf: (job: Job) => GanttBlock[],
  describe: (job: Job) => string,
): string {
  const drawn = jobs.map((job) => ({ job, blocks: blocksOf(job) })).filter(({ blocks }) => blocks.length > 0);
  const shapes = drawn.map(
    ({ job, blocks }) =>
      `<path d="${blocks.map(blockPath).join('')}"><title>${escapeMarkup(describe(job))}</title></path>`,
  );
  const labels = drawn.map(({ job, blocks }) => blockLabel(blocks, job.name));
  return (
    `<g fill="${fill}" stroke="#fff" stroke-width="0.8" paint-order="stroke">${shapes.join('')}</g>` +
    `<g fill="${text}" pointer-events="none">${labels.join('')}</g>`
  );
}

/** Half the width in pixels of the largest and of the smallest cross drawn for a preemption. */
const LARGEST_CROSS = 3.5;
const MIN_CROSS = 1.5;

/** SVG definition of a hatching in a colour; shapes use it as `fill="url(#id)"`. */
function hatchingPattern(id: string, color: string): string {
  return (
    `<pattern id="${id}" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">` +
    `<path d="M0 2H4" stroke="${color}" stroke-width="1.3"/></pattern>`
  );
}

/** SVG path of a cross around a position. */
function crossPath(x: number, y: number, half: number): string {
  const [left, right, top, bottom] = [x - half, x + half, y - half, y + half].map(coordinateText);
  return `M${left} ${top}L${right} ${bottom}M${left} ${bottom}L${right} ${top}`;
}

function crossesMarkup(paths: string): string {
  return `<path d="${paths}" fill="none" stroke="${TEXT_COLOR}" stroke-width="1.4" pointer-events="none"/>`;
}

function describeRun({ job, start, end, processors }: StoppedRun, clock: AxisClock): string {
  const duration = (seconds: number) => valueText(seconds, { style: 'duration' });
  return (
    `stopped run of job ${job.name}: ${countText(processors, 'processor')}, ` +
    `home site ${job.home + 1}, began at ${timeOn(clock, start)}, stopped after ${duration(end - start)}`
  );
}

/** Preempted runs to draw, all of one colour. */
interface StoppedDrawing {
  readonly runs: readonly { readonly run: StoppedRun; readonly blocks: readonly GanttBlock[] }[];
  readonly color: string;
  /** SVG id of the hatching pattern in this colour. */
  readonly hatchingId: string;
  readonly clock: AxisClock;
  /** Scale of the visible time window. */
  readonly scale: TimeScale;
}

/** SVG of the preempted runs of jobs of one colour; blocks too low for a cross get none. */
function drawStopped({ runs, color, hatchingId, clock, scale }: StoppedDrawing): string {
  const shapes = runs.map(
    ({ run, blocks }) =>
      `<path d="${blocks.map(blockPath).join('')}"><title>${escapeMarkup(describeRun(run, clock))}</title></path>`,
  );
  const ends = runs.flatMap(({ run, blocks }) => (run.end > scale.to ? [] : blocks));
  const marks = ends.map(({ x, y, width, height }) => {
    const half = Math.min(LARGEST_CROSS, height / 2);
    // Short preempted runs are narrower than their cross, which is kept inside the chart.
    const middle = Math.max(x + width, scale.left + 2 * half) - half;
    return half < MIN_CROSS ? '' : crossPath(middle, y + height / 2, half);
  });
  const crossed = marks.join('');
  return (
    `<g fill="url(#${hatchingId})" stroke="${color}" stroke-width="0.8">${shapes.join('')}</g>` +
    (crossed === '' ? '' : crossesMarkup(crossed))
  );
}

/** Number of preemptions of each job. */
function countStops(stopped: readonly StoppedRun[]): Map<FinishedJob, number> {
  const stops = new Map<FinishedJob, number>();
  for (const { job } of stopped) stops.set(job, (stops.get(job) ?? 0) + 1);
  return stops;
}

/** Data from which a page draws a Gantt chart, restricted to its time window. */
export interface GanttData extends Omit<GanttOptions, 'stopped'> {
  readonly kind: 'gantt';
  /** Attribute that colours the jobs; default: home site if there are several, otherwise wait. */
  readonly coloring?: JobColoring;
  readonly words: PictureWords;
  /** Preempted runs, each with the index of its job in the list. */
  readonly stopped: readonly (HeldProcessors & { readonly job: number })[];
}

/**
 * Data of a Gantt chart: jobs inside the time window and all their preempted runs.
 * @throws InputError when more than MOST_GANTT_JOBS jobs and stopped runs fall inside the window, or none.
 */
export function ganttData(options: GanttOptions, words: PictureWords): GanttData {
  const { capacities, window, origin, beginning } = options;
  const held = [...allocationsWithin(options.jobs, window), ...allocationsWithin(options.stopped, window)];
  if (held.length === 0 || held.length > MAX_GANTT_JOBS) {
    throw new InputError(
      `the time window holds ${countText(held.length, 'running job')}, a Gantt chart 1 to ${MAX_GANTT_JOBS}; give another window`,
    );
  }
  const jobs = [...new Set(held.map((each) => ('job' in each ? each.job : each)))];
  const places = new Map(jobs.map((job, place) => [job, place]));
  const stopped = options.stopped.flatMap((run) => {
    const job = places.get(run.job);
    return job === undefined ? [] : [{ ...run, job }];
  });
  return { kind: 'gantt', words, jobs, stopped, capacities, window, origin, beginning };
}

/** Restricts a Gantt chart to a time window, without the hidden groups. */
export function shownGantt(data: GanttData, window: TimeWindow, hidden: ReadonlySet<string>): GanttData {
  const { nameOf } = jobGroups(data.jobs, data.coloring);
  const kept = data.jobs.filter((job) => !hidden.has(nameOf(job)));
  const places = new Map(allocationsWithin(kept, window).map((job, place) => [job, place]));
  const stopped = data.stopped.flatMap((run) => {
    const place = places.get(data.jobs[run.job]!);
    return place === undefined ? [] : [{ ...run, job: place }];
  });
  return { ...data, jobs: [...places.keys()], stopped, window };
}

/** Legend of a Gantt chart: group names and colours. */
export function ganttLegend({
  jobs,
  coloring,
}: GanttData): { readonly name: string; readonly color: string }[] {
  return jobGroups(jobs, coloring).groups.map(({ name, fill }) => ({ name, color: fill }));
}

/**
 * Gantt chart as SVG, or the part of it that a page requests: processors downwards, time to the right.
 * Preempted runs are hatched and end with a cross.
 */
export function drawGantt(data: GanttData, view?: LiveView, paperWidth?: number): string {
  const { jobs, capacities, words, window: whole, origin, beginning } = data;
  const stopped = data.stopped.map((run): StoppedRun => ({ ...run, job: jobs[run.job]! }));
  const stops = countStops(stopped);
  const clock = { origin, beginning };
  const { groups, nameOf } = jobGroups(jobs, data.coloring);
  const shown = groups.filter(({ name }) => view?.hidden.has(name) !== true);
  const hatchingId = (group: JobGroup | 'any') =>
    `stopped-${group === 'any' ? group : groups.indexOf(group) + 1}-${words.id}`;
  const window = view?.window ?? whole;
  const isShown = ({ start, end }: HeldProcessors) => start < window.to && end > window.from;
  const hasStopped = stopped.some(isShown);
  const hatchings = [
    ...groups.map((group) => hatchingPattern(hatchingId(group), group.fill)),
    hatchingPattern(hatchingId('any'), TEXT_COLOR),
  ];
  const sample = (x: number, y: number) =>
    legendSquare(`url(#${hatchingId('any')})`)(x, y) +
    crossesMarkup(crossPath(x + 14 - LARGEST_CROSS, y, LARGEST_CROSS));
  const legend = [
    ...(view === undefined ? ganttLegend(data) : []).map(({ name, color }) => ({
      name,
      sample: legendSquare(color),
    })),
    ...(hasStopped ? [{ name: 'stopped run', sample }] : []),
  ];
  return timeDrawing(
    { words, capacities, window: whole, ...clock, legend, paperWidth, ...laneHeights(capacities) },
    view,
    (lanes, scale) => {
      const blocksOf = (held: HeldProcessors) => (isShown(held) ? blocksOfJob(held, lanes, scale) : []);
      const bodies = shown.map((group) =>
        drawJobs(
          jobs.filter((job) => nameOf(job) === group.name),
          group,
          blocksOf,
          (job) => describeJob(job, stops.get(job) ?? 0, clock),
        ),
      );
      const runsOf = (group: JobGroup) =>
        stopped
          .filter(({ job }) => nameOf(job) === group.name)
          .map((run) => ({ run, blocks: blocksOf(run) }))
          .filter(({ blocks }) => blocks.length > 0);
      const hatched = (hasStopped ? shown : []).map((group) =>
        drawStopped({
          runs: runsOf(group),
          color: group.fill,
          hatchingId: hatchingId(group),
          clock,
          scale,
        }),
      );
      return (hasStopped ? `<defs>${hatchings.join('')}</defs>` : '') + bodies.join('') + hatched.join('');
    },
  );
}

/** Job with the difference of its start times in two schedules: `later` seconds (negative: earlier). */
export interface DelayedJob extends FinishedJob {
  readonly later: number;
}

/** Options of a drawing that compares two simulations of the same jobs on grids of the same size. */
export interface DifferenceOptions extends AxisClock {
  /** Jobs of both simulations, in the same order. */
  readonly runs: readonly [ComparedRun<FinishedJob>, ComparedRun<FinishedJob>];
  readonly capacities: readonly number[];
  readonly window: TimeWindow;
}

/** One of the two compared simulations: its name and jobs. */
interface ComparedRun<Job> {
  readonly name: string;
  readonly jobs: readonly Job[];
}

/** Data from which a page draws two schedules, restricted to the time window. */
export interface DifferenceData extends Omit<DifferenceOptions, 'runs'> {
  readonly kind: 'difference';
  readonly words: PictureWords;
  readonly runs: readonly ComparedRun<DelayedJob>[];
}

/** Data of a comparison drawing, from its options. */
export function differenceData(options: DifferenceOptions, words: PictureWords): DifferenceData {
  const [a, b] = options.runs;
  const laterOf = (i: number) => b.jobs[i]!.start - a.jobs[i]!.start;
  const runs = options.runs.map(({ name, jobs }) => {
    const delayed = jobs.map((job, i): DelayedJob => ({ ...job, later: laterOf(i) }));
    return { name, jobs: allocationsWithin(delayed, options.window) };
  });
  return { kind: 'difference', words, ...options, runs };
}

/**
 * Groups of jobs by how much later they start, from much earlier to much later, and a function that returns
 * a job's group.
 */
function delayGroups({ runs }: DifferenceData): {
  readonly groups: readonly JobGroup[];
  readonly nameOf: (job: DelayedJob) => string;
} {
  const jobs = runs.flatMap((run) => run.jobs);
  const times = timesUpTo(jobs.reduce((most, { later }) => Math.max(most, Math.abs(later)), 0));
  const keys = differenceKeys(times, 'light');
  const nameOf = ({ later }: DelayedJob) => keys[differenceClass(times, later)]!.name;
  const present = new Set(jobs.map(nameOf));
  const groups = keys
    .filter(({ name }) => present.has(name))
    .map(({ name, color }) => ({ name, fill: color, text: textOn(color) }));
  return { groups, nameOf };
}

/** Legend of a comparison drawing: classes of differences and their colours. */
export function differenceLegend(data: DifferenceData): { readonly name: string; readonly color: string }[] {
  return delayGroups(data).groups.map(({ name, fill }) => ({ name, color: fill }));
}

/** Restricts a comparison drawing to a time window, without the hidden groups. */
export function shownDifference(
  data: DifferenceData,
  window: TimeWindow,
  hidden: ReadonlySet<string>,
): DifferenceData {
  const { nameOf } = delayGroups(data);
  const runs = data.runs.map(({ name, jobs }) => ({
    name,
    jobs: allocationsWithin(jobs, window).filter((job) => !hidden.has(nameOf(job))),
  }));
  return { ...data, window, runs };
}

/** Lane names for two schedules: name of the simulation and number of the site. */
function comparedLanes(runs: DifferenceData['runs'], sites: number): string[] {
  return runs.flatMap((_, run) =>
    Array.from({ length: sites }, (_, site) => `${'AB'[run]}, site ${site + 1}`),
  );
}

/**
 * Two schedules as SVG below each other, or the part that a page requests. Colours show how much earlier or
 * later a job starts in the second.
 */
export function drawDifference(data: DifferenceData, view?: LiveView, paperWidth?: number): string {
  const { runs, capacities, window, origin, beginning, words } = data;
  const { groups, nameOf } = delayGroups(data);
  const legend =
    view === undefined ? groups.map(({ name, fill }) => ({ name, sample: legendSquare(fill) })) : [];
  const all = runs.flatMap(() => capacities);
  const processors = capacities.reduce((sum, capacity) => sum + capacity, 0);
  const describe = ({ later, ...job }: DelayedJob) => {
    const [far, what] = [valueText(Math.abs(later), { style: 'duration' }), later < 0 ? 'earlier' : 'later'];
    const change = later === 0 ? 'starts at the same time in A and B' : `starts ${far} ${what} in B`;
    return `${describeJob(job, 0, { origin, beginning })}; ${change}`;
  };
  const laneNames = comparedLanes(runs, capacities.length);
  const frame = { words, capacities: all, laneNames, grouped: capacities.length };
  return timeDrawing(
    { ...frame, window, origin, beginning, legend, paperWidth, ...laneHeights(all) },
    view,
    (lanes, scale) =>
      runs
        .map(({ jobs }, run) => {
          const own = allocationsWithin(jobs, view?.window ?? window);
          const blocksOf = (job: FinishedJob) => {
            const below = job.runs.map(([first, last]) => [first, last].map((at) => at + run * processors));
            return blocksOfJob({ ...job, runs: below as [number, number][] }, lanes, scale);
          };
          return groups
            .filter(({ name }) => view?.hidden.has(name) !== true)
            .map((group) =>
              drawJobs(
                own.filter((job) => nameOf(job) === group.name),
                group,
                blocksOf,
                describe,
              ),
            )
            .join('');
        })
        .join(''),
  );
}

/** Largest number of jobs per schedule that remain distinguishable. */
const MAX_COMPARED = 400;

/** Longest time window around an instant in which at most MAX_COMPARED jobs run in each schedule. */
export function windowAround(
  instant: number,
  schedules: readonly (readonly FinishedJob[])[],
  span: TimeWindow,
): TimeWindow {
  let reach = span.to - span.from;
  for (;;) {
    const window = { from: Math.max(span.from, instant - reach), to: Math.min(span.to, instant + reach) };
    const most = Math.max(...schedules.map((jobs) => allocationsWithin(jobs, window).length));
    if (most <= MAX_COMPARED || reach < 60) return window;
    reach /= 2;
  }
}
