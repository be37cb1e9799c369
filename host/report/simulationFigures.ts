/** The drawings of one finished simulation. */
import { countUpTo, cumulativeShares } from '../draw/distribution.js';
import { figureToSvg } from '../draw/figure.js';
import { ganttSvg, MOST_GANTT_JOBS } from '../draw/gantt.js';
import { occupancySvg } from '../draw/occupancy.js';
import { areaColors, INK } from '../draw/palette.js';
import { heldWithin, type TimeWindow } from '../draw/timeChart.js';
import { busyProcessors, type Steps, stepPoints, timeOfLargest, waitingJobs } from '../draw/timeline.js';
import { timeTicks } from '../draw/timeTicks.js';
import type { Figure, FigurePoint, FigureSeries } from '../draw/types.js';
import { formatNumber, valueText } from '../format/numbers.js';
import type { FinishedJob, HeldProcessors, StoppedRun } from '../results/finishedJobs.js';
import type { Picture } from './html.js';

/** Intervals of a plot over time. */
const INTERVALS = 500;
/** Jobs in the part of a long simulation that a Gantt chart shows. */
const SHOWN_JOBS = 600;
/** Homes with a curve of their own. */
const MOST_CURVES = 7;
const INTERVAL_CAPTION = `The line is the mean over each of ${INTERVALS} intervals, the band reaches from the least to the largest value in it.`;

/** From the first submit to the last end. */
function wholeSpan(jobs: readonly FinishedJob[]): TimeWindow {
  let [from, to] = [Infinity, -Infinity];
  for (const { submit, end } of jobs) {
    from = Math.min(from, submit);
    to = Math.max(to, end);
  }
  return { from, to: Math.max(to, from + 1) };
}

/** The part of a simulation that is shown, and the time that its axes count from, with its date where that is known. */
interface Shown {
  readonly shown: TimeWindow;
  readonly origin: number;
  readonly beginning: number | undefined;
}

function timeFigure(
  words: { readonly id: string; readonly title: string; readonly caption: string },
  steps: Steps,
  y: Figure['y'],
  perUnit: number,
  { shown, origin, beginning }: Shown,
): Figure {
  const { ticks, title } = timeTicks(shown.from - origin, shown.to - origin, beginning);
  const scaled = ({ x, y, low, high }: FigurePoint): FigurePoint => ({
    x: Number(x) - origin,
    y: y === null ? null : y / perUnit,
    ...(low === undefined || high === undefined ? {} : { low: low / perUnit, high: high / perUnit }),
  });
  const points = stepPoints(steps, shown, INTERVALS).map(scaled);
  const isSampled = points.some(({ low }) => low !== undefined);
  return {
    ...words,
    caption: [words.caption, isSampled ? INTERVAL_CAPTION : ''].filter((text) => text !== '').join(' '),
    kind: 'step',
    x: { title, ticks: ticks.map(({ time, label }) => ({ value: time, label })) },
    y,
    panels: [{ title: '', series: [{ name: words.title, color: INK, points }] }],
  };
}

/** One curve for all jobs, and one for each home site where there are several. */
function curves(
  jobs: readonly FinishedJob[],
  measure: (job: FinishedJob) => number,
  from: number,
): FigureSeries[] {
  const largest = jobs.reduce((most, job) => Math.max(most, measure(job)), from);
  const curve = (name: string, some: readonly FinishedJob[], color: string) => ({
    name,
    color,
    points: cumulativeShares(some.map(measure), from, largest),
  });
  const homes = [...new Set(jobs.map(({ home }) => home))].sort((a, b) => a - b);
  const perHome = homes.length < 2 || homes.length > MOST_CURVES ? [] : homes;
  return [
    curve('all jobs', jobs, INK),
    ...perHome.map((home) =>
      curve(
        `home site ${home + 1}`,
        jobs.filter((job) => job.home === home),
        areaColors(home + 1)[home].fill,
      ),
    ),
  ];
}

function distributionFigures(jobs: readonly FinishedJob[]): Figure[] {
  const slowdown = ({ submit, start, end }: FinishedJob) =>
    Math.max(1, (end - submit) / Math.max(10, end - start));
  const y = { title: 'jobs', format: { style: 'percent' } } as const;
  const none = jobs.filter(({ submit, start }) => start - submit < 1).length;
  return [
    {
      id: 'waits',
      title: 'Distribution of waits',
      caption: `Share of jobs that waited x seconds or less; ${formatNumber(none)} of ${formatNumber(jobs.length)} waited less than a second.`,
      kind: 'step',
      x: { title: 'wait', unit: 's', scale: 'log' },
      y,
      panels: [{ title: '', series: curves(jobs, ({ submit, start }) => start - submit, 1) }],
    },
    {
      id: 'slowdowns',
      title: 'Distribution of bounded slowdowns',
      caption:
        'Share of jobs whose response time was at most x times their runtime, which is bounded below at 10 s.',
      kind: 'step',
      x: { title: 'bounded slowdown', scale: 'log' },
      y,
      panels: [{ title: '', series: curves(jobs, slowdown, 1) }],
    },
  ];
}

/** The longest time around the longest queue in which few enough jobs and stopped runs fall for a chart. */
function busiestWindow(held: readonly HeldProcessors[], queue: Steps, span: TimeWindow): TimeWindow {
  const starts = Float64Array.from(held, ({ start }) => start).sort();
  const ends = Float64Array.from(held, ({ end }) => end).sort();
  const peak = timeOfLargest(queue);
  const around = (half: number) => ({ from: peak - half, to: peak + half });
  const running = ({ from, to }: TimeWindow) => countUpTo(starts, to) - countUpTo(ends, from);
  let half = span.to - span.from;
  while (half > 1 && running(around(half)) > SHOWN_JOBS) half *= 0.9;
  const { from, to } = around(half);
  return { from: Math.max(from, span.from), to: Math.min(to, span.to) };
}

/** What of a simulation to draw. */
export interface SimulationPictureOptions {
  readonly jobs: readonly FinishedJob[];
  /** Runs of these jobs that were stopped. */
  readonly stopped: readonly StoppedRun[];
  readonly capacities: readonly number[];
  /** Of all charts, in seconds since the first submit; default everything, of the Gantt chart the part around the longest queue. */
  readonly window?: TimeWindow | undefined;
  /** The first submit as seconds since 1970 where the log says when it began. */
  readonly beginning?: number | undefined;
}

/** What a Gantt chart shows of a simulation, in words. */
function ganttCaption(
  { jobs, stopped, window }: SimulationPictureOptions,
  shown: TimeWindow,
  span: TimeWindow,
): string {
  const since = (time: number) => valueText(time - span.from, { style: 'duration' });
  const isWhole = shown === span;
  const [some, stops] = [heldWithin(jobs, shown), heldWithin(stopped, shown)].map(({ length }) =>
    formatNumber(length),
  );
  const part = isWhole
    ? 'All jobs'
    : `The ${some} jobs ${stopped.length === 0 ? '' : `and ${stops} stopped runs `}` +
      `that ran from ${since(shown.from)} to ${since(shown.to)} after the first submit` +
      (window === undefined ? ', around the longest queue' : '');
  const blocks =
    stopped.length === 0
      ? 'Every block is a job'
      : 'Every block is a job, or hatched and with a cross at its end a run that was stopped (its job began again later)';
  const homes = new Set(heldWithin(jobs, shown).map(({ home }) => home));
  const colors = homes.size > 1 ? 'coloured by its home site' : 'the shades tell neighbours apart';
  return `${part}. ${blocks}, as high as it has processors, ${colors}.`;
}

function ganttPicture(options: SimulationPictureOptions, span: TimeWindow, queue: Steps): Picture {
  const { jobs, stopped, window } = options;
  const held = [...jobs, ...stopped];
  const isWhole = window === undefined && held.length <= MOST_GANTT_JOBS;
  const shown =
    window !== undefined
      ? { from: span.from + window.from, to: span.from + window.to }
      : isWhole
        ? span
        : busiestWindow(held, queue, span);
  const words = {
    id: 'gantt',
    title: 'Gantt chart by site',
    caption: ganttCaption(options, shown, span),
  };
  return { ...words, svg: ganttSvg({ ...options, window: shown, origin: span.from }, words) };
}

function occupancyPicture(options: SimulationPictureOptions, { shown, origin }: Shown): Picture {
  const time = options.window === undefined ? 'the whole simulation' : 'the time asked for';
  const words = {
    id: 'occupancy',
    title: 'Use of the sites over time',
    caption:
      `Share of the processors of each site in use${byStoppedRuns(options)}, over ${time}; ` +
      'blank is an idle site.',
  };
  return { ...words, svg: occupancySvg({ ...options, window: shown, origin }, words) };
}

/** Says that use counts stopped runs, where there are any. */
function byStoppedRuns({ stopped }: SimulationPictureOptions): string {
  return stopped.length === 0 ? '' : ', by stopped runs too';
}

/**
 * Queue length and utilization over time, use of the sites, a Gantt chart, and how waits and slowdowns are spread.
 * @throws InputError when the window asked for holds no job or too many for a Gantt chart.
 */
export async function simulationPictures(options: SimulationPictureOptions): Promise<Picture[]> {
  const { jobs, stopped, capacities } = options;
  const span = wholeSpan(jobs);
  const queue = waitingJobs(jobs, stopped);
  const processors = capacities.reduce((sum, capacity) => sum + capacity, 0);
  const asked = options.window;
  const shown =
    asked === undefined
      ? span
      : { from: span.from + asked.from, to: Math.min(span.from + asked.to, span.to) };
  const view: Shown = { shown, origin: span.from, beginning: options.beginning };
  const gantt = ganttPicture(options, span, queue);
  const counted = asked === undefined ? jobs : heldWithin(jobs, shown);
  const draw = async (figure: Figure): Promise<Picture> => ({ ...figure, svg: await figureToSvg(figure) });
  return [
    await draw(
      timeFigure(
        {
          id: 'queue',
          title: 'Waiting jobs over time',
          caption: stopped.length === 0 ? '' : 'A job that was stopped waits again.',
        },
        queue,
        { title: 'waiting jobs' },
        1,
        view,
      ),
    ),
    await draw(
      timeFigure(
        {
          id: 'utilization',
          title: 'Utilization over time',
          caption: `Share of all processors in use${byStoppedRuns(options)}.`,
        },
        busyProcessors([...jobs, ...stopped]),
        { title: 'processors in use', format: { style: 'percent' } },
        processors,
        view,
      ),
    ),
    occupancyPicture(options, view),
    gantt,
    ...(await Promise.all(distributionFigures(counted).map(draw))),
  ];
}
