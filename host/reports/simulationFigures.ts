/** The drawings of one finished simulation. */
import { jobColorings } from '../draw/colors.js';
import type { Figure, FigureAxis, FigurePoint, FigureSeries, FigureView } from '../draw/figureModel.js';
import { ganttData, MAX_GANTT_JOBS } from '../draw/gantt.js';
import { occupancyData } from '../draw/occupancy.js';
import { areaColors, INK } from '../draw/palette.js';
import { allocationsWithin, type TimeWindow, timeOn } from '../draw/timeChart.js';
import {
  busyProcessors,
  countUpTo,
  cumulativeShares,
  quartilePoints,
  type Steps,
  samplePoints,
  stepPoints,
  timeOfLargest,
  waitingJobs,
} from '../draw/timeline.js';
import { formatDuration, formatNumber } from '../format/numbers.js';
import type { FinishedJob, HeldProcessors, StoppedRun } from '../results/finishedJobs.js';
import { type Picture, pictureOf } from '../view/html.js';
import { slowdownsFigure, waitsFigure } from './distributionFigures.js';

/** Jobs in the part of a long simulation that a Gantt chart shows. */
const SHOWN_JOBS = 600;
/** Homes with a curve of their own. */
const MAX_CURVES = 7;
/** Intervals of a plot over time, which can be looked at closer. */
const INTERVALS = 2000;
const INTERVAL_CAPTION =
  'The line is the mean over each of many intervals, the band from the minimum to the maximum within each.';

/** Span from the first submission to the last end. */
function fullSpan(jobs: readonly FinishedJob[]): TimeWindow {
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

/** Six digits, as a page carries them. */
const short = (value: number) => Number(value.toPrecision(6));

/** Periods of time over which quartiles are taken, at most this many of them. */
const PERIODS = [
  { name: 'hour', seconds: 3600 },
  { name: '6 hours', seconds: 21_600 },
  { name: 'day', seconds: 86_400 },
  { name: 'week', seconds: 604_800 },
  { name: '4 weeks', seconds: 2_419_200 },
];
const MAX_PERIODS = 150;
const isFewOf =
  ({ from, to }: TimeWindow) =>
  ({ seconds }: { readonly seconds: number }) =>
    (to - from) / seconds <= MAX_PERIODS;

type Words = Pick<Figure, 'id' | 'title' | 'caption'>;

function timeFigure(
  words: Words,
  steps: Steps,
  y: Figure['y'],
  perUnit: number,
  { shown, origin, beginning }: Shown,
): Figure {
  const scaled = ({ x, y, low, high }: FigurePoint): FigurePoint => ({
    x: Math.round((Number(x) - origin) * 1000) / 1000,
    y: y === null ? null : short(y / perUnit),
    ...(low === undefined || high === undefined
      ? {}
      : { low: short(low / perUnit), high: short(high / perUnit) }),
  });
  const points = stepPoints(steps, shown, INTERVALS).map(scaled);
  const isSampled = points.some(({ low }) => low !== undefined);
  const panelsOf = (drawn: readonly FigurePoint[]) => [
    { title: '', series: [{ name: words.title, color: INK, points: drawn }] },
  ];
  const own = {
    caption: [words.caption, isSampled ? INTERVAL_CAPTION : ''].filter((text) => text !== '').join(' '),
    panels: panelsOf(points),
  };
  const figure = { ...words, ...own, kind: 'step', x: { title: 'time', time: { beginning } }, y } as const;
  const period = isSampled && y.format?.style === 'percent' ? PERIODS.find(isFewOf(shown)) : undefined;
  if (period === undefined) return figure;
  const panels = panelsOf(quartilePoints(steps, shown, period.seconds).map(scaled));
  return {
    ...figure,
    caption: `${words.caption} The line is the mean over each ${period.name}; half of its time the share is within the band.`,
    panels,
    bounds: 'quartiles',
    views: [
      { measure: `mean and quartiles of each ${period.name}`, y, panels, bounds: 'quartiles' },
      { measure: 'mean and extremes, as fine as there is room', y, panels: own.panels, bounds: 'range' },
    ],
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
  const perHome = homes.length < 2 || homes.length > MAX_CURVES ? [] : homes;
  return [
    curve('all jobs', jobs, INK),
    ...perHome.map((home) =>
      curve(
        `home site ${home + 1}`,
        jobs.filter((job) => job.home === home),
        areaColors(home + 1)[home]!.fill,
      ),
    ),
  ];
}

/**
 * Candidates for the beginning of an axis of waits, in seconds: the last that few jobs with a wait stay below.
 */
const BEGINNINGS = [1, 10, 60, 600];
const FEW = 0.01;

/** Figures of the distributions of waits and slowdowns. */
function distributionFigures(jobs: readonly FinishedJob[]): Figure[] {
  const slowdown = ({ submit, start, end }: FinishedJob) =>
    Math.max(1, (end - submit) / Math.max(10, end - start));
  const waits = Float64Array.from(jobs, ({ submit, start }) => start - submit).sort();
  const none = waits.findIndex((wait) => wait >= 1);
  const without = none < 0 ? jobs.length : none;
  const from = BEGINNINGS.findLast((least) => countUpTo(waits, least) - without <= FEW * jobs.length) ?? 1;
  const atOnce =
    `${formatNumber(without)} of ${formatNumber(jobs.length)} waited less than a second` +
    (from === 1 ? '' : `, and so few up to ${formatDuration(from)} that the axis begins there`);
  return [
    waitsFigure(
      curves(jobs, ({ submit, start }) => start - submit, from),
      atOnce,
    ),
    slowdownsFigure(curves(jobs, slowdown, 1)),
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

export interface SimulationPictureOptions {
  readonly jobs: readonly FinishedJob[];
  /** Runs of these jobs that were stopped. */
  readonly stopped: readonly StoppedRun[];
  readonly capacities: readonly number[];
  /**
   * Window of all charts in seconds since the first submission; default: everything, for the Gantt chart the part
   * around the longest queue.
   */
  readonly window?: TimeWindow | undefined;
  /** The first submit as seconds since 1970 where the log says when it began. */
  readonly beginning?: number | undefined;
}

/** Caption of the Gantt chart of a simulation. */
function ganttCaption(
  { jobs, stopped, window, beginning }: SimulationPictureOptions,
  shown: TimeWindow,
  span: TimeWindow,
): string {
  const at = (time: number) => timeOn({ origin: span.from, beginning }, time);
  const isWhole = shown === span;
  const [some, stops] = [allocationsWithin(jobs, shown), allocationsWithin(stopped, shown)].map(
    ({ length }) => formatNumber(length),
  );
  const part = isWhole
    ? 'All jobs'
    : `The ${some} jobs ${stopped.length === 0 ? '' : `and ${stops} stopped runs `}` +
      `that ran from ${at(shown.from)} to ${at(shown.to)}` +
      (beginning === undefined ? ' after the first submit' : '') +
      (window === undefined ? ', around the longest queue' : '');
  const blocks =
    stopped.length === 0
      ? 'Every block is a job'
      : 'Every block is a job, or hatched and with a cross at its end a run that was stopped (its job began again later)';
  const [coloring] = jobColorings(allocationsWithin(jobs, shown));
  return `${part}. ${blocks}, as high as it has processors, coloured by its ${coloring}.`;
}

function ganttPicture(options: SimulationPictureOptions, span: TimeWindow, queue: Steps): Picture {
  const { jobs, stopped, window } = options;
  const held = [...jobs, ...stopped];
  const isWhole = window === undefined && held.length <= MAX_GANTT_JOBS;
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
  const drawn = { ...options, window: shown, origin: span.from };
  return pictureOf(ganttData(drawn, words));
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
  const drawn = { ...options, window: shown, origin };
  return pictureOf(occupancyData(drawn, words));
}

/** Note that use includes stopped runs; empty if there are none. */
function byStoppedRuns({ stopped }: SimulationPictureOptions): string {
  return stopped.length === 0 ? '' : ', by stopped runs too';
}

/** The axes of what changes over time. */
const waiting: Figure['y'] = { title: 'waiting jobs' };
const inUse: Figure['y'] = { title: 'processors in use', format: { style: 'percent' } };

/** The week of a simulation whose log has dates. */
function weekOf(
  { jobs, beginning }: SimulationPictureOptions,
  span: TimeWindow,
  shown: TimeWindow,
  measures: readonly WeekMeasure[],
): Figure[] {
  return beginning === undefined ? [] : weekFigures(measures, jobs, shown, beginning - span.from);
}

/**
 * Queue length and utilization over time, the hours of the week, use of the sites, a Gantt chart, and how waits and slowdowns are spread.
 * @throws InputError when the window requested holds no job or too many for a Gantt chart.
 */
export function simulationPictures(options: SimulationPictureOptions): Picture[] {
  const { jobs, stopped, capacities } = options;
  const span = fullSpan(jobs);
  const queue = waitingJobs(jobs, stopped);
  const processors = capacities.reduce((sum, capacity) => sum + capacity, 0);
  const request = options.window;
  const shown =
    request === undefined
      ? span
      : { from: span.from + request.from, to: Math.min(span.from + request.to, span.to) };
  const view: Shown = { shown, origin: span.from, beginning: options.beginning };
  const gantt = ganttPicture(options, span, queue);
  const counted = request === undefined ? jobs : allocationsWithin(jobs, shown);
  const overTime = (words: Words, steps: Steps, y: Figure['y'], perUnit: number) =>
    pictureOf(timeFigure(words, steps, y, perUnit, view));
  const busy = busyProcessors([...jobs, ...stopped]);
  const week = weekOf(options, span, shown, [
    { y: inUse, steps: busy, perUnit: processors },
    { y: waiting, steps: queue, perUnit: 1 },
  ]);
  return [
    overTime(
      {
        id: 'queue',
        title: 'Waiting jobs over time',
        caption: stopped.length === 0 ? '' : 'A job that was stopped waits again.',
      },
      queue,
      waiting,
      1,
    ),
    overTime(
      {
        id: 'utilization',
        title: 'Utilization over time',
        caption: `Share of all processors in use${byStoppedRuns(options)}.`,
      },
      busy,
      inUse,
      processors,
    ),
    ...week.map(pictureOf),
    occupancyPicture(options, view),
    gantt,
    ...distributionFigures(counted).map(pictureOf),
  ];
}

// The week of a log: typical values at each of its hours.

const [HOUR, DAY, WEEK] = [3600, 86_400, 604_800];
const [HOURS_OF_DAY, HOURS_OF_WEEK] = [DAY / HOUR, WEEK / HOUR];
/** Monday, 29 December 1969, in seconds since 1970. */
const MONDAY = -3 * DAY;
const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
/** A log has a profile from this many weeks on. */
const MIN_WEEKS = 2;
/** The colour of a heat map, on light paper and on dark. */
const HEAT = '#0072b2';
const UTC = 'Hours are in UTC, whatever the time zone of the machine.';

/** The hour of the week of a time since 1970. */
function hourOf(date: number): number {
  const hour = Math.floor((date - MONDAY) / HOUR) % HOURS_OF_WEEK;
  return hour < 0 ? hour + HOURS_OF_WEEK : hour;
}

/** The value below which a share of ascending values lies. */
const quantile = (ascending: readonly number[], share: number) =>
  ascending[Math.min(ascending.length - 1, Math.floor(share * ascending.length))] ?? 0;

const meanOf = (values: readonly number[]) => values.reduce((sum, y) => sum + y, 0) / values.length;

/** Values put into the hours of the week that they belong to. */
function byHour(values: readonly number[], hourOf: (place: number) => number): number[][] {
  const hours = Array.from({ length: HOURS_OF_WEEK }, (): number[] => []);
  for (const [place, value] of values.entries()) hours[hourOf(place)]!.push(value);
  return hours;
}

/** The mean of each hour of the week over all weeks, with the quartiles of these hours. */
function profileOf(hours: readonly number[][]): FigurePoint[] {
  const points = hours.map((values, hour): FigurePoint => {
    const own = values.toSorted((a, b) => a - b);
    return {
      x: hour,
      y: short(meanOf(own)),
      low: short(quantile(own, 0.25)),
      high: short(quantile(own, 0.75)),
    };
  });
  return [...points, { ...(points[0] as FigurePoint), x: points.length }];
}

/** The mean of each hour of each day; none where there is no value. */
const heatOf = (hours: readonly number[][]): FigureView['panels'] => [
  {
    title: '',
    series: DAYS.map((name, day) => ({
      name,
      color: HEAT,
      points: Array.from({ length: HOURS_OF_DAY }, (_, hour): FigurePoint => {
        const own = hours[day * HOURS_OF_DAY + hour]!;
        return { x: hour, y: own.length === 0 ? null : short(meanOf(own)) };
      }),
    })),
  },
];

/** Step function over the hours of a week, and the unit of its axis. */
export interface WeekMeasure {
  readonly y: FigureAxis;
  readonly steps: Steps;
  readonly perUnit: number;
}

const WAIT: FigureAxis = { title: 'mean wait of the jobs submitted', unit: 's' };

/**
 * Figures of the hours of a week, in UTC, over all weeks of a window: as a line the mean with quartiles, and as a map of hour and weekday
 * the mean, to which the wait of the jobs submitted in each hour is added. None of a window of less than two weeks.
 * @param shown the window, on the clock of the log.
 * @param toDate what makes a time of that clock one since 1970.
 */
export function weekFigures(
  measures: readonly WeekMeasure[],
  jobs: readonly Pick<FinishedJob, 'submit' | 'start'>[],
  shown: TimeWindow,
  toDate: number,
): Figure[] {
  const begin = Math.ceil((shown.from + toDate) / HOUR) * HOUR;
  const count = Math.floor((shown.to + toDate - begin) / HOUR);
  if (count < MIN_WEEKS * HOURS_OF_WEEK) return [];
  const from = begin - toDate;
  const to = from + count * HOUR;
  const samples = measures.map(({ y, steps, perUnit }) => {
    const values = samplePoints(steps, { from, to }, count).map((point) => point.y / perUnit);
    return { y, hours: byHour(values, (place) => hourOf(begin + place * HOUR)) };
  });
  const lines = samples.map(({ y, hours }): FigureView => {
    const series = [{ name: 'mean', color: INK, points: profileOf(hours) }];
    return { measure: y.title, y, panels: [{ title: '', series }], bounds: 'quartiles' };
  });
  const submitted = jobs.filter(({ submit }) => submit >= from && submit < to);
  const waits = submitted.map(({ submit, start }) => start - submit);
  const ofJobs = { y: WAIT, hours: byHour(waits, (place) => hourOf(submitted[place]!.submit + toDate)) };
  const maps = [...samples, ofJobs].map(
    ({ y, hours }): FigureView => ({ measure: y.title, y, panels: heatOf(hours) }),
  );
  const [[line], [map]] = [lines, maps];
  if (line === undefined || map === undefined) return [];
  return [
    {
      id: 'week',
      title: 'The hours of the week',
      caption: `The line is the mean over all weeks, in half of the weeks the hour is within the band. ${UTC}`,
      kind: 'step',
      x: {
        title: 'hour of the week',
        ticks: DAYS.map((day, i) => ({ value: (i * DAY) / HOUR, label: day })),
      },
      y: line.y,
      panels: line.panels,
      bounds: 'quartiles',
      views: lines,
    },
    {
      id: 'week-map',
      title: 'Hour of the day and day of the week',
      caption: `The mean over all weeks: the stronger the colour, the larger. ${UTC}`,
      kind: 'heat',
      x: { title: 'hour of the day' },
      y: map.y,
      panels: map.panels,
      views: maps,
    },
  ];
}
