/**
 * Gantt charts: the processors that each job held over time, for one simulation or for two below each
 * other.
 */
import { InputError } from '../errors.js';
import { formatCount, formatValue } from '../format/numbers.js';
import type { Absence } from '../results/capacity.js';
import type { FinishedJob, HeldProcessors, StoppedRun } from '../results/finishedJobs.js';
import { drawAbsences, hasAbsences, makeAbsenceLegendEntry } from './absences.js';
import { LABEL_FONT_SIZE, svgTextElement } from './axes.js';
import {
  chooseReadableTextColor,
  findStartDifferenceClassIndex,
  groupJobsByColor,
  type JobColorGroup,
  type JobColoring,
  makeDurationClassesUpTo,
  makeStartDifferenceColorKeys,
} from './colors.js';
import { TEXT_COLOR } from './palette.js';
import { escapeMarkup, estimateTextWidth, formatSvgCoordinate, type PictureWords } from './svg.js';
import {
  type AxisClock,
  drawTimeChart,
  formatTimeOnAxis,
  type GanttBlock,
  keepAllocationsInWindow,
  type LiveFigureOptions,
  makeGanttBlockPath,
  makeGanttBlocksOfAllocation,
  makeLegendSquare,
  type TimeScale,
  type TimeWindow,
} from './timeChart.js';

/** Largest number of jobs and preempted runs in one chart. */
export const MAX_GANTT_JOBS = 2000;

/** Options of a Gantt chart. */
export interface GanttOptions {
  readonly jobs: readonly FinishedJob[];
  /** Preempted runs of these jobs. */
  readonly stopped: readonly StoppedRun[];
  /** Processors absent because of outages; absent: none. */
  readonly absences?: readonly Absence[] | undefined;
  readonly capacities: readonly number[];
  readonly window: TimeWindow;
  /** Time in seconds that the axis counts from. */
  readonly origin: number;
  /** Date of time 0 in seconds since 1970, if known. */
  readonly beginning?: number | undefined;
}

const GANTT_HEIGHT = 430;
const MAX_GANTT_PROCESSOR_HEIGHT = 14;
const MIN_GANTT_LANE_HEIGHT = 16;

/** Computes lane heights so that all lanes fit on a page. */
function fitGanttLaneHeights(capacities: readonly number[]) {
  const processors = capacities.reduce((sum, capacity) => sum + capacity, 0);
  return {
    heightPerProcessor: Math.min(MAX_GANTT_PROCESSOR_HEIGHT, GANTT_HEIGHT / processors),
    minLaneHeight: MIN_GANTT_LANE_HEIGHT,
  };
}

function ganttTooltipOfJob(job: FinishedJob, stopCount: number, axisClock: AxisClock): string {
  const { name: jobName, processors, requested, submit, start, end, home } = job;
  const formatSeconds = (seconds: number) => formatValue(seconds, { style: 'duration' });
  const requestedProcessorsText = requested === processors ? '' : ` (requested ${requested})`;
  return (
    `job ${jobName}: ${formatCount(processors, 'processor')}${requestedProcessorsText}, home site ${home + 1}, ` +
    `submitted at ${formatTimeOnAxis(axisClock, submit)}, waited ${formatSeconds(start - submit)}, ran ${formatSeconds(end - start)}` +
    (stopCount === 0 ? '' : ` after ${formatCount(stopCount, 'stopped run')}`)
  );
}

/** SVG of a job's name inside its largest block; empty if it does not fit. */
function drawJobName(ganttBlocks: readonly GanttBlock[], jobName: string): string {
  const { x, y, width, height } = ganttBlocks.reduce((a, b) =>
    b.width * b.height > a.width * a.height ? b : a,
  );
  if (height < LABEL_FONT_SIZE || width < estimateTextWidth(jobName, LABEL_FONT_SIZE) + 4) return '';
  return svgTextElement(x + width / 2, y + height / 2 + 3.5, jobName, 'middle');
}

/** SVG of the jobs of one colour: all blocks first, then the names on top. */
function drawJobsOfColor<Job extends FinishedJob>(
  jobs: readonly Job[],
  { fill, text: textColor }: JobColorGroup,
  blocksOfJob: (job: Job) => GanttBlock[],
  describeJob: (job: Job) => string,
): string {
  const jobsWithBlocks = jobs
    .map((job) => ({ job, blocks: blocksOfJob(job) }))
    .filter(({ blocks }) => blocks.length > 0);
  const shapes = jobsWithBlocks.map(
    ({ job, blocks }) =>
      `<path d="${blocks.map(makeGanttBlockPath).join('')}"><title>${escapeMarkup(describeJob(job))}</title></path>`,
  );
  const jobLabels = jobsWithBlocks.map(({ job, blocks }) => drawJobName(blocks, job.name));
  return (
    `<g fill="${fill}" stroke="#fff" stroke-width="0.8" paint-order="stroke">${shapes.join('')}</g>` +
    `<g fill="${textColor}" pointer-events="none">${jobLabels.join('')}</g>`
  );
}

/** Half the width in pixels of the largest and of the smallest cross drawn for a preemption. */
const MAX_CROSS_SIZE = 3.5;
const MIN_CROSS_SIZE = 1.5;

/** SVG definition of a hatching pattern in a colour; shapes refer to it by `fill="url(#id)"`. */
function drawHatchingPattern(id: string, color: string): string {
  return (
    `<pattern id="${id}" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">` +
    `<path d="M0 2H4" stroke="${color}" stroke-width="1.3"/></pattern>`
  );
}

/** SVG path of a cross around a position. */
function makeCrossPath(x: number, y: number, halfSize: number): string {
  const [left, right, top, bottom] = [x - halfSize, x + halfSize, y - halfSize, y + halfSize].map(
    formatSvgCoordinate,
  );
  return `M${left} ${top}L${right} ${bottom}M${left} ${bottom}L${right} ${top}`;
}

function drawCrosses(crossPathsText: string): string {
  return `<path d="${crossPathsText}" fill="none" stroke="${TEXT_COLOR}" stroke-width="1.4" pointer-events="none"/>`;
}

function describePreemptedRun({ job, start, end, processors }: StoppedRun, axisClock: AxisClock): string {
  const formatSeconds = (seconds: number) => formatValue(seconds, { style: 'duration' });
  return (
    `stopped run of job ${job.name}: ${formatCount(processors, 'processor')}, ` +
    `home site ${job.home + 1}, began at ${formatTimeOnAxis(axisClock, start)}, stopped after ${formatSeconds(end - start)}`
  );
}

/** Preempted runs to draw, all of one colour. */
interface PreemptedRunsDrawing {
  readonly runs: readonly { readonly run: StoppedRun; readonly blocks: readonly GanttBlock[] }[];
  readonly color: string;
  /** SVG id of the hatching pattern in this colour. */
  readonly hatchingId: string;
  readonly clock: AxisClock;
  /** Scale of the visible time window. */
  readonly scale: TimeScale;
}

/** SVG of the preempted runs of jobs of one colour; blocks too low for a cross get none. */
function drawPreemptedRuns({ runs, color, hatchingId, clock, scale }: PreemptedRunsDrawing): string {
  const shapes = runs.map(
    ({ run, blocks }) =>
      `<path d="${blocks.map(makeGanttBlockPath).join('')}"><title>${escapeMarkup(describePreemptedRun(run, clock))}</title></path>`,
  );
  const blocksAtStops = runs.flatMap(({ run, blocks }) => (run.end > scale.to ? [] : blocks));
  const marks = blocksAtStops.map(({ x, y, width, height }) => {
    const halfSize = Math.min(MAX_CROSS_SIZE, height / 2);
    // Short preempted runs are narrower than their cross, which is kept inside the chart.
    const crossX = Math.max(x + width, scale.left + 2 * halfSize) - halfSize;
    return halfSize < MIN_CROSS_SIZE ? '' : makeCrossPath(crossX, y + height / 2, halfSize);
  });
  const crossPaths = marks.join('');
  return (
    `<g fill="url(#${hatchingId})" stroke="${color}" stroke-width="0.8">${shapes.join('')}</g>` +
    (crossPaths === '' ? '' : drawCrosses(crossPaths))
  );
}

/** Legend entry of preempted runs. */
function makePreemptedRunLegendEntry(patternId: string) {
  const drawSample = (x: number, y: number) =>
    makeLegendSquare(`url(#${patternId})`)(x, y) +
    drawCrosses(makeCrossPath(x + 14 - MAX_CROSS_SIZE, y, MAX_CROSS_SIZE));
  return { name: 'stopped run', drawSample };
}

/** Number of preemptions of each job. */
function countPreemptionsByJob(preemptedRuns: readonly StoppedRun[]): Map<FinishedJob, number> {
  const countByJob = new Map<FinishedJob, number>();
  for (const { job } of preemptedRuns) countByJob.set(job, (countByJob.get(job) ?? 0) + 1);
  return countByJob;
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
 * @throws InputError if the window contains no job, or more than MAX_GANTT_JOBS jobs and preempted runs.
 */
export function makeGanttData(options: GanttOptions, pictureWords: PictureWords): GanttData {
  const { capacities, window, origin, beginning } = options;
  const allocations = [
    ...keepAllocationsInWindow(options.jobs, window),
    ...keepAllocationsInWindow(options.stopped, window),
  ];
  if (allocations.length === 0 || allocations.length > MAX_GANTT_JOBS) {
    throw new InputError(
      `the time window holds ${formatCount(allocations.length, 'running job')}, a Gantt chart 1 to ${MAX_GANTT_JOBS}; give another window`,
    );
  }
  const jobs = [
    ...new Set(allocations.map((allocation) => ('job' in allocation ? allocation.job : allocation))),
  ];
  const indexByJob = new Map(jobs.map((job, index) => [job, index]));
  const stoppedRuns = options.stopped.flatMap((stoppedRun) => {
    const jobIndex = indexByJob.get(stoppedRun.job);
    return jobIndex === undefined ? [] : [{ ...stoppedRun, job: jobIndex }];
  });
  const absences = keepAllocationsInWindow(options.absences ?? [], window);
  const absencesEntry = absences.length === 0 ? {} : { absences };
  return {
    kind: 'gantt',
    words: pictureWords,
    jobs,
    stopped: stoppedRuns,
    ...absencesEntry,
    capacities,
    window,
    origin,
    beginning,
  };
}

/** Restricts a Gantt chart to a time window, without the hidden groups. */
export function restrictGantt(
  ganttData: GanttData,
  window: TimeWindow,
  hiddenNames: ReadonlySet<string>,
): GanttData {
  const { nameOf } = groupJobsByColor(ganttData.jobs, ganttData.coloring);
  const visibleJobs = ganttData.jobs.filter((job) => !hiddenNames.has(nameOf(job)));
  const indexByJob = new Map(keepAllocationsInWindow(visibleJobs, window).map((job, index) => [job, index]));
  const stoppedRuns = ganttData.stopped.flatMap((stoppedRun) => {
    const jobIndex = indexByJob.get(ganttData.jobs[stoppedRun.job]!);
    return jobIndex === undefined ? [] : [{ ...stoppedRun, job: jobIndex }];
  });
  return { ...ganttData, jobs: [...indexByJob.keys()], stopped: stoppedRuns, window };
}

/** Legend of a Gantt chart: group names and colours. */
export function makeGanttLegendEntries({
  jobs,
  coloring,
}: GanttData): { readonly name: string; readonly color: string }[] {
  return groupJobsByColor(jobs, coloring).groups.map(({ name: groupName, fill }) => ({
    name: groupName,
    color: fill,
  }));
}

/**
 * Gantt chart as SVG, or the part of it that a page requests: processors downwards, time to the right.
 * Preempted runs are hatched and end with a cross; absent processors are grey and hatched.
 */
export function drawGantt(
  ganttData: GanttData,
  liveOptions?: LiveFigureOptions,
  paperWidth?: number,
): string {
  const { jobs, absences = [], capacities, words, window: fullWindow, origin, beginning } = ganttData;
  const stoppedRuns = ganttData.stopped.map((run): StoppedRun => ({ ...run, job: jobs[run.job]! }));
  const preemptionsByJob = countPreemptionsByJob(stoppedRuns);
  const axisClock = { origin, beginning };
  const { groups, nameOf } = groupJobsByColor(jobs, ganttData.coloring);
  const visibleGroups = groups.filter(({ name: groupName }) => liveOptions?.hidden.has(groupName) !== true);
  const makeHatchingId = (colorGroup: JobColorGroup | 'any') =>
    `stopped-${colorGroup === 'any' ? colorGroup : groups.indexOf(colorGroup) + 1}-${words.id}`;
  const window = liveOptions?.window ?? fullWindow;
  const isInWindow = ({ start, end }: HeldProcessors) => start < window.to && end > window.from;
  const hasStoppedRuns = stoppedRuns.some(isInWindow);
  const hatchingPatterns = [
    ...groups.map((colorGroup) => drawHatchingPattern(makeHatchingId(colorGroup), colorGroup.fill)),
    drawHatchingPattern(makeHatchingId('any'), TEXT_COLOR),
  ];
  const legendEntries = liveOptions === undefined ? makeGanttLegendEntries(ganttData) : [];
  const legend = [
    ...legendEntries.map(({ name, color }) => ({ name, drawSample: makeLegendSquare(color) })),
    ...(hasStoppedRuns ? [makePreemptedRunLegendEntry(makeHatchingId('any'))] : []),
    ...(hasAbsences(absences, window) ? [makeAbsenceLegendEntry(words.id)] : []),
  ];
  const frame = { words, capacities, window: fullWindow, ...axisClock, legend, paperWidth };
  return drawTimeChart({ ...frame, ...fitGanttLaneHeights(capacities) }, liveOptions, (lanes, timeScale) => {
    const placeBlocksOfAllocation = (allocation: HeldProcessors) =>
      isInWindow(allocation) ? makeGanttBlocksOfAllocation(allocation, lanes, timeScale) : [];
    const jobGroupMarkups = visibleGroups.map((colorGroup) =>
      drawJobsOfColor(
        jobs.filter((job) => nameOf(job) === colorGroup.name),
        colorGroup,
        placeBlocksOfAllocation,
        (job) => ganttTooltipOfJob(job, preemptionsByJob.get(job) ?? 0, axisClock),
      ),
    );
    const selectStoppedRuns = (colorGroup: JobColorGroup) =>
      stoppedRuns
        .filter(({ job }) => nameOf(job) === colorGroup.name)
        .map((stoppedRun) => ({ run: stoppedRun, blocks: placeBlocksOfAllocation(stoppedRun) }))
        .filter(({ blocks }) => blocks.length > 0);
    const stoppedRunMarkups = (hasStoppedRuns ? visibleGroups : []).map((colorGroup) =>
      drawPreemptedRuns({
        runs: selectStoppedRuns(colorGroup),
        color: colorGroup.fill,
        hatchingId: makeHatchingId(colorGroup),
        clock: axisClock,
        scale: timeScale,
      }),
    );
    return (
      drawAbsences({ id: words.id, absences, window, clock: axisClock }, placeBlocksOfAllocation) +
      (hasStoppedRuns ? `<defs>${hatchingPatterns.join('')}</defs>` : '') +
      jobGroupMarkups.join('') +
      stoppedRunMarkups.join('')
    );
  });
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

/** A simulation to compare: its name and jobs. */
interface ComparedRun<Job> {
  readonly name: string;
  readonly jobs: readonly Job[];
  /** Processors absent because of outages; absent: none. */
  readonly absences?: readonly Absence[] | undefined;
}

/** Data from which a page draws two schedules, restricted to the time window. */
export interface DifferenceData extends Omit<DifferenceOptions, 'runs'> {
  readonly kind: 'difference';
  readonly words: PictureWords;
  readonly runs: readonly ComparedRun<DelayedJob>[];
}

/** Data of a comparison drawing, from its options. */
export function makeDifferenceData(options: DifferenceOptions, pictureWords: PictureWords): DifferenceData {
  const [a, b] = options.runs;
  const computeStartDelay = (i: number) => b.jobs[i]!.start - a.jobs[i]!.start;
  const comparedRuns = options.runs.map(({ name: runName, jobs, absences = [] }) => {
    const delayedJobs = jobs.map((job, i): DelayedJob => ({ ...job, later: computeStartDelay(i) }));
    const absencesInWindow = keepAllocationsInWindow(absences, options.window);
    return {
      name: runName,
      jobs: keepAllocationsInWindow(delayedJobs, options.window),
      ...(absencesInWindow.length === 0 ? {} : { absences: absencesInWindow }),
    };
  });
  return { kind: 'difference', words: pictureWords, ...options, runs: comparedRuns };
}

/**
 * Groups of jobs by how much later they start, from much earlier to much later, and a function that returns
 * a job's group.
 */
function groupJobsByStartDifference({ runs }: DifferenceData): {
  readonly groups: readonly JobColorGroup[];
  readonly nameOf: (job: DelayedJob) => string;
} {
  const jobs = runs.flatMap((comparedRun) => comparedRun.jobs);
  const classTimes = makeDurationClassesUpTo(
    jobs.reduce((longestDifference, { later }) => Math.max(longestDifference, Math.abs(later)), 0),
  );
  const differenceColorKeys = makeStartDifferenceColorKeys(classTimes, 'light');
  const nameOf = ({ later }: DelayedJob) =>
    differenceColorKeys[findStartDifferenceClassIndex(classTimes, later)]!.name;
  const present = new Set(jobs.map(nameOf));
  const colorGroups = differenceColorKeys
    .filter(({ name: keyName }) => present.has(keyName))
    .map(({ name: keyName, color: keyColor }) => ({
      name: keyName,
      fill: keyColor,
      text: chooseReadableTextColor(keyColor),
    }));
  return { groups: colorGroups, nameOf };
}

/** Legend of a comparison drawing: classes of differences and their colours. */
export function makeDifferenceLegendEntries(
  differenceData: DifferenceData,
): { readonly name: string; readonly color: string }[] {
  return groupJobsByStartDifference(differenceData).groups.map(({ name: groupName, fill }) => ({
    name: groupName,
    color: fill,
  }));
}

/** Restricts a comparison drawing to a time window, without the hidden groups. */
export function restrictDifferenceDrawing(
  differenceData: DifferenceData,
  window: TimeWindow,
  hidden: ReadonlySet<string>,
): DifferenceData {
  const { nameOf } = groupJobsByStartDifference(differenceData);
  const comparedRuns = differenceData.runs.map(({ jobs, ...run }) => ({
    ...run,
    jobs: keepAllocationsInWindow(jobs, window).filter((job) => !hidden.has(nameOf(job))),
  }));
  return { ...differenceData, window, runs: comparedRuns };
}

/** Lane names for two schedules: name of the simulation and number of the site. */
function makeLaneNames(comparedRuns: DifferenceData['runs'], siteCount: number): string[] {
  return comparedRuns.flatMap((_, runIndex) =>
    Array.from({ length: siteCount }, (_, site) => `${'AB'[runIndex]}, site ${site + 1}`),
  );
}

/**
 * Two schedules as SVG below each other, or the part that a page requests. Colours show how much earlier or
 * later a job starts in the second.
 */
export function drawDifference(
  data: DifferenceData,
  liveOptions?: LiveFigureOptions,
  paperWidth?: number,
): string {
  const { runs, capacities, window, origin, beginning, words } = data;
  const { groups, nameOf } = groupJobsByStartDifference(data);
  const visibleWindow = liveOptions?.window ?? window;
  const legend = [
    ...(liveOptions === undefined
      ? groups.map(({ name: groupName, fill }) => ({ name: groupName, drawSample: makeLegendSquare(fill) }))
      : []),
    ...(hasAbsences(collectAbsencesOfRuns(data), visibleWindow) ? [makeAbsenceLegendEntry(words.id)] : []),
  ];
  const laneCapacities = runs.flatMap(() => capacities);
  const processors = capacities.reduce((sum, capacity) => sum + capacity, 0);
  const describe = ({ later, ...job }: DelayedJob) => {
    const [delayText, directionWord] = [
      formatValue(Math.abs(later), { style: 'duration' }),
      later < 0 ? 'earlier' : 'later',
    ];
    const startChangeText =
      later === 0 ? 'starts at the same time in A and B' : `starts ${delayText} ${directionWord} in B`;
    return `${ganttTooltipOfJob(job, 0, { origin, beginning })}; ${startChangeText}`;
  };
  const laneNames = makeLaneNames(runs, capacities.length);
  const frame = { words, capacities: laneCapacities, laneNames, lanesPerGroup: capacities.length };
  return drawTimeChart(
    { ...frame, window, origin, beginning, legend, paperWidth, ...fitGanttLaneHeights(laneCapacities) },
    liveOptions,
    (lanes, timeScale) =>
      drawAbsences(
        {
          id: words.id,
          absences: collectAbsencesOfRuns(data),
          window: visibleWindow,
          clock: { origin, beginning },
        },
        (absence) => makeGanttBlocksOfAllocation(absence, lanes, timeScale),
      ) +
      runs
        .map(({ jobs }, runIndex) => {
          const visibleJobs = keepAllocationsInWindow(jobs, visibleWindow);
          const blocksOfJob = (job: FinishedJob) =>
            makeGanttBlocksOfAllocation(shiftToLanesOfRun(job, runIndex, processors), lanes, timeScale);
          return groups
            .filter(({ name: groupName }) => liveOptions?.hidden.has(groupName) !== true)
            .map((colorGroup) =>
              drawJobsOfColor(
                visibleJobs.filter((job) => nameOf(job) === colorGroup.name),
                colorGroup,
                blocksOfJob,
                describe,
              ),
            )
            .join('');
        })
        .join(''),
  );
}

/** Shifts the processor numbers of an allocation to the lanes of its simulation. */
function shiftToLanesOfRun<Held extends HeldProcessors>(
  allocation: Held,
  runIndex: number,
  processors: number,
): Held {
  const processorRanges = allocation.runs.map(
    ([first, last]) => [first + runIndex * processors, last + runIndex * processors] as const,
  );
  return { ...allocation, runs: processorRanges };
}

/** Absent processors of both schedules, numbered across both. */
function collectAbsencesOfRuns({ runs, capacities }: DifferenceData): Absence[] {
  const processors = capacities.reduce((sum, capacity) => sum + capacity, 0);
  return runs.flatMap(({ absences = [] }, runIndex) =>
    absences.map((absence) => shiftToLanesOfRun(absence, runIndex, processors)),
  );
}

/** Largest number of jobs per schedule that remain distinguishable. */
const MAX_COMPARED_GANTT_JOBS = 400;

/**
 * Longest time window around an instant in which at most MAX_COMPARED_GANTT_JOBS jobs run in each schedule.
 */
export function findTimeWindowAroundInstant(
  instant: number,
  schedules: readonly (readonly FinishedJob[])[],
  timeWindow: TimeWindow,
): TimeWindow {
  let windowLength = timeWindow.to - timeWindow.from;
  for (;;) {
    const window = {
      from: Math.max(timeWindow.from, instant - windowLength),
      to: Math.min(timeWindow.to, instant + windowLength),
    };
    const maxJobCount = Math.max(...schedules.map((jobs) => keepAllocationsInWindow(jobs, window).length));
    if (maxJobCount <= MAX_COMPARED_GANTT_JOBS || windowLength < 60) return window;
    windowLength /= 2;
  }
}
