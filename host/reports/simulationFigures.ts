/** Drawings of a finished simulation: queue, utilization, distributions, weekly profile and Gantt chart. */
import { findAvailableJobColorings } from '../draw/colors.js';
import type { Figure, FigureAxis, FigurePoint, FigureSeries, FigureView } from '../draw/figureModel.js';
import { MAX_GANTT_JOBS, makeGanttData } from '../draw/gantt.js';
import { makeOccupancyData } from '../draw/occupancy.js';
import { chooseAreaColors, TEXT_COLOR } from '../draw/palette.js';
import { formatTimeOnAxis, keepAllocationsInWindow, type TimeWindow } from '../draw/timeChart.js';
import {
  availableProcessorsOverTime,
  busyProcessorsOverTime,
  computeQuartilePointsOverTime,
  countValuesAtMost,
  findFirstTimeOfLargestValue,
  makeCumulativeDistributionCurve,
  makeStepFunctionPlotPoints,
  type StepFunction,
  sampleStepFunction,
  waitingJobsOverTime,
} from '../draw/timeline.js';
import { formatDuration, formatNumber } from '../format/numbers.js';
import type { Absence } from '../results/capacity.js';
import type { FinishedJob, HeldProcessors, StoppedRun } from '../results/finishedJobs.js';
import { makePictureOfDrawing, type Picture } from '../view/html.js';
import { makeSlowdownDistributionFigure, makeWaitDistributionFigure } from './distributionFigures.js';

/** Number of jobs in the Gantt chart of a long simulation. */
const MAX_GANTT_JOBS_SHOWN = 600;
/** Largest number of home sites with separate curves. */
const MAX_HOME_CURVES = 7;
/** Number of intervals of a plot over time, enough for zooming. */
const MAX_TIMELINE_INTERVALS = 2000;
const INTERVAL_MEAN_CAPTION_TEXT = 'Line: mean of each interval. Band: minimum to maximum in it.';

/** Time window from the first submission to the last completion. */
function timeSpanOfJobs(jobs: readonly FinishedJob[]): TimeWindow {
  let [from, to] = [Infinity, -Infinity];
  for (const { submit, end } of jobs) {
    from = Math.min(from, submit);
    to = Math.max(to, end);
  }
  return { from, to: Math.max(to, from + 1) };
}

/** Visible time window, and the origin of the time axes with its date if known. */
interface VisibleTimeWindow {
  readonly visibleWindow: TimeWindow;
  readonly origin: number;
  readonly beginning: number | undefined;
}

/** Name and colour of the line that shows the processors not taken by outages. */
const [AVAILABLE_NAME, AVAILABLE_COLOR] = ['available', '#d55e00'];

/** Rounds to six significant digits, to keep pages small. */
const roundToSixDigits = (coordinate: number) => Number(coordinate.toPrecision(6));

/** Period lengths for quartiles; the first one with at most MAX_PERIODS periods is used. */
const QUARTILE_PERIOD_CHOICES = [
  { name: 'hour', seconds: 3600 },
  { name: '6 hours', seconds: 21_600 },
  { name: 'day', seconds: 86_400 },
  { name: 'week', seconds: 604_800 },
  { name: '4 weeks', seconds: 2_419_200 },
];
const MAX_QUARTILE_PERIOD_COUNT = 150;
const makeFewQuartilePeriodsTest =
  ({ from, to }: TimeWindow) =>
  ({ seconds }: { readonly seconds: number }) =>
    (to - from) / seconds <= MAX_QUARTILE_PERIOD_COUNT;

type FigureTexts = Pick<Figure, 'id' | 'title' | 'caption'>;

function makeTimelineFigure(
  figureTexts: FigureTexts,
  stepFunction: StepFunction,
  yAxis: Figure['y'],
  valueDivisor: number,
  { visibleWindow, origin, beginning }: VisibleTimeWindow,
  availableProcessors?: StepFunction,
): Figure {
  const toPointInAxisUnit = ({ x, y, low, high }: FigurePoint): FigurePoint => ({
    x: Math.round((Number(x) - origin) * 1000) / 1000,
    y: y === null ? null : roundToSixDigits(y / valueDivisor),
    ...(low === undefined || high === undefined
      ? {}
      : { low: roundToSixDigits(low / valueDivisor), high: roundToSixDigits(high / valueDivisor) }),
  });
  const toFigurePoints = (stepFunction: StepFunction) =>
    makeStepFunctionPlotPoints(stepFunction, visibleWindow, MAX_TIMELINE_INTERVALS).map(toPointInAxisUnit);
  const figurePoints = toFigurePoints(stepFunction);
  const hasSampledRange = figurePoints.some(({ low }) => low !== undefined);
  const availablePoints = availableProcessors && toFigurePoints(availableProcessors);
  const availableSeries = { name: AVAILABLE_NAME, color: AVAILABLE_COLOR, points: availablePoints ?? [] };
  const lineName = availableProcessors === undefined ? figureTexts.title : 'in use';
  const makeSinglePanel = (points: readonly FigurePoint[]) => {
    const series = { name: lineName, color: TEXT_COLOR, points };
    return [{ title: '', series: availableProcessors === undefined ? [series] : [series, availableSeries] }];
  };
  const rangeView = {
    caption: [figureTexts.caption, hasSampledRange ? INTERVAL_MEAN_CAPTION_TEXT : '']
      .filter((captionText) => captionText !== '')
      .join(' '),
    panels: makeSinglePanel(figurePoints),
  };
  const x = { title: 'time', time: { beginning } };
  const figure = { ...figureTexts, ...rangeView, kind: 'step', x, y: yAxis } as const;
  const quartilePeriod =
    hasSampledRange && yAxis.format?.style === 'percent'
      ? QUARTILE_PERIOD_CHOICES.find(makeFewQuartilePeriodsTest(visibleWindow))
      : undefined;
  if (quartilePeriod === undefined) return figure;
  const panels = makeSinglePanel(
    computeQuartilePointsOverTime(stepFunction, visibleWindow, quartilePeriod.seconds).map(toPointInAxisUnit),
  );
  return {
    ...figure,
    caption: `${figureTexts.caption} Line: mean of each ${quartilePeriod.name}. Band: the middle half of the values in it.`,
    panels,
    bounds: 'quartiles',
    views: [
      { measure: `mean and quartiles of each ${quartilePeriod.name}`, y: yAxis, panels, bounds: 'quartiles' },
      {
        measure: 'mean and extremes, as fine as there is room',
        y: yAxis,
        panels: rangeView.panels,
        bounds: 'range',
      },
    ],
  };
}

/** Distribution curves for all jobs and, if there are several home sites, for each. */
function makeDistributionCurves(
  jobs: readonly FinishedJob[],
  measure: (job: FinishedJob) => number,
  from: number,
): FigureSeries[] {
  const largestValue = jobs.reduce((most, job) => Math.max(most, measure(job)), from);
  const makeCurve = (seriesName: string, jobsOfCurve: readonly FinishedJob[], color: string) => ({
    name: seriesName,
    color,
    points: makeCumulativeDistributionCurve(jobsOfCurve.map(measure), from, largestValue),
  });
  const homes = [...new Set(jobs.map(({ home }) => home))].sort((a, b) => a - b);
  const homesWithCurve = homes.length < 2 || homes.length > MAX_HOME_CURVES ? [] : homes;
  return [
    makeCurve('all jobs', jobs, TEXT_COLOR),
    ...homesWithCurve.map((home) =>
      makeCurve(
        `home site ${home + 1}`,
        jobs.filter((job) => job.home === home),
        chooseAreaColors(home + 1)[home]!.fill,
      ),
    ),
  ];
}

/** Candidate starts of a wait axis in seconds; the largest is used below which few waiting jobs lie. */
const LOGARITHMIC_AXIS_STARTS = [1, 10, 60, 600];
const NEGLIGIBLE_JOBS_SHARE = 0.01;

/** Figures of the distributions of waits and slowdowns. */
function makeDistributionFigures(jobs: readonly FinishedJob[]): Figure[] {
  const computeBoundedSlowdown = ({ submit, start, end }: FinishedJob) =>
    Math.max(1, (end - submit) / Math.max(10, end - start));
  const waits = Float64Array.from(jobs, ({ submit, start }) => start - submit).sort();
  const firstWaitingIndex = waits.findIndex((wait) => wait >= 1);
  const jobCountWithoutWait = firstWaitingIndex < 0 ? jobs.length : firstWaitingIndex;
  const from =
    LOGARITHMIC_AXIS_STARTS.findLast(
      (least) => countValuesAtMost(waits, least) - jobCountWithoutWait <= NEGLIGIBLE_JOBS_SHARE * jobs.length,
    ) ?? 1;
  const startedAtOnceText =
    `${formatNumber(jobCountWithoutWait)} of ${formatNumber(jobs.length)} waited less than a second` +
    (from === 1 ? '' : `, and so few up to ${formatDuration(from)} that the axis begins there`);
  return [
    makeWaitDistributionFigure(
      makeDistributionCurves(jobs, ({ submit, start }) => start - submit, from),
      startedAtOnceText,
    ),
    makeSlowdownDistributionFigure(makeDistributionCurves(jobs, computeBoundedSlowdown, 1)),
  ];
}

/** Longest time window around the longest queue with few enough jobs for a Gantt chart. */
function findBusiestTimeWindow(
  allocations: readonly HeldProcessors[],
  queueSteps: StepFunction,
  timeWindow: TimeWindow,
): TimeWindow {
  const startTimes = Float64Array.from(allocations, ({ start }) => start).sort();
  const endTimes = Float64Array.from(allocations, ({ end }) => end).sort();
  const busiestTime = findFirstTimeOfLargestValue(queueSteps);
  const makeWindowAround = (halfWidth: number) => ({
    from: busiestTime - halfWidth,
    to: busiestTime + halfWidth,
  });
  const countRunningJobs = ({ from, to }: TimeWindow) =>
    countValuesAtMost(startTimes, to) - countValuesAtMost(endTimes, from);
  let halfWidth = timeWindow.to - timeWindow.from;
  while (halfWidth > 1 && countRunningJobs(makeWindowAround(halfWidth)) > MAX_GANTT_JOBS_SHOWN)
    halfWidth *= 0.9;
  const { from, to } = makeWindowAround(halfWidth);
  return { from: Math.max(from, timeWindow.from), to: Math.min(to, timeWindow.to) };
}

export interface SimulationPictureOptions {
  readonly jobs: readonly FinishedJob[];
  /** Preempted runs of these jobs. */
  readonly stopped: readonly StoppedRun[];
  /** Processors absent because of outages; absent: none. */
  readonly absences?: readonly Absence[];
  readonly capacities: readonly number[];
  /**
   * Time window of all charts in seconds since the first submission; default: all (Gantt chart: around the
   * longest queue).
   */
  readonly window?: TimeWindow | undefined;
  /** First submission in seconds since 1970, if the log says when it started. */
  readonly beginning?: number | undefined;
}

/** Caption of a Gantt chart. */
function makeGanttCaption(
  { jobs, stopped: preemptedRuns, absences = [], window, beginning }: SimulationPictureOptions,
  shownWindow: TimeWindow,
  timeWindow: TimeWindow,
): string {
  const formatTime = (time: number) => formatTimeOnAxis({ origin: timeWindow.from, beginning }, time);
  const isWholeWindowShown = shownWindow === timeWindow;
  const [jobCountText, preemptionCountText] = [
    keepAllocationsInWindow(jobs, shownWindow),
    keepAllocationsInWindow(preemptedRuns, shownWindow),
  ].map(({ length }) => formatNumber(length));
  const jobsPhrase = isWholeWindowShown
    ? 'All jobs'
    : `The ${jobCountText} jobs ${preemptedRuns.length === 0 ? '' : `and ${preemptionCountText} stopped runs `}` +
      `that ran from ${formatTime(shownWindow.from)} to ${formatTime(shownWindow.to)}` +
      (beginning === undefined ? ' after the first submit' : '') +
      (window === undefined ? ', around the longest queue' : '');
  const blocksPhrase =
    preemptedRuns.length === 0
      ? 'Every block is a job'
      : 'Every block is a job, or hatched and with a cross at its end a run that was stopped (its job began again later)';
  const outagesNote =
    keepAllocationsInWindow(absences, shownWindow).length === 0
      ? ''
      : ' Grey with hatching: outages had the processors.';
  const [coloring] = findAvailableJobColorings(keepAllocationsInWindow(jobs, shownWindow));
  return `${jobsPhrase}. ${blocksPhrase}, as high as it has processors, coloured by its ${coloring}.${outagesNote}`;
}

function makeGanttPicture(
  options: SimulationPictureOptions,
  timeWindow: TimeWindow,
  queueSteps: StepFunction,
): Picture {
  const { jobs, stopped: preemptedRuns, window } = options;
  const allocations = [...jobs, ...preemptedRuns];
  const isComplete = window === undefined && allocations.length <= MAX_GANTT_JOBS;
  const shownWindow =
    window !== undefined
      ? { from: timeWindow.from + window.from, to: timeWindow.from + window.to }
      : isComplete
        ? timeWindow
        : findBusiestTimeWindow(allocations, queueSteps, timeWindow);
  const pictureTexts = {
    id: 'gantt',
    title: 'Gantt chart by site',
    caption: makeGanttCaption(options, shownWindow, timeWindow),
  };
  const drawingOptions = { ...options, window: shownWindow, origin: timeWindow.from };
  return makePictureOfDrawing(makeGanttData(drawingOptions, pictureTexts));
}

function makeOccupancyPicture(
  options: SimulationPictureOptions,
  { visibleWindow, origin }: VisibleTimeWindow,
): Picture {
  const timePhrase = options.window === undefined ? 'the whole simulation' : 'the time asked for';
  const pictureTexts = {
    id: 'occupancy',
    title: 'Use of the sites over time',
    caption:
      `Share of the ${chooseAvailableWord(options)}processors of each site in use${preemptedRunsNote(options)}, over ${timePhrase}; ` +
      `blank is an idle site${hasAbsentProcessors(options) ? ', hatched is the share that outages had' : ''}.`,
  };
  const drawingOptions = { ...options, window: visibleWindow, origin };
  return makePictureOfDrawing(makeOccupancyData(drawingOptions, pictureTexts));
}

const hasAbsentProcessors = ({ absences = [] }: SimulationPictureOptions) => absences.length > 0;

/** Word for the processors available during outages, followed by a blank; empty without outages. */
const chooseAvailableWord = (options: SimulationPictureOptions) =>
  hasAbsentProcessors(options) ? 'available ' : '';

/** Note that busy processors include preempted runs; empty if there are none. */
function preemptedRunsNote({ stopped: preemptedRuns }: SimulationPictureOptions): string {
  return preemptedRuns.length === 0 ? '' : ', by stopped runs too';
}

/** Vertical axes of the plots over time. */
const WAITING_JOBS_AXIS: Figure['y'] = { title: 'waiting jobs' };
const BUSY_PROCESSORS_AXIS: Figure['y'] = { title: 'processors in use', format: { style: 'percent' } };

/** Weekly profile of a simulation; empty if its log has no dates. */
function makeWeeklyProfileFigures(
  { jobs, beginning }: SimulationPictureOptions,
  timeWindow: TimeWindow,
  shownSpan: TimeWindow,
  measures: readonly WeeklyProfileQuantity[],
): Figure[] {
  return beginning === undefined
    ? []
    : makeWeekFigures(measures, jobs, shownSpan, beginning - timeWindow.from);
}

/**
 * All drawings of a simulation: queue length, utilization, week, occupancy, Gantt chart, distributions.
 * @throws InputError if the requested window contains no job, or too many for a Gantt chart.
 */
export function makeSimulationPictures(options: SimulationPictureOptions): Picture[] {
  const { jobs, stopped: preemptedRuns, capacities, beginning } = options;
  const timeWindow = timeSpanOfJobs(jobs);
  const queueSteps = waitingJobsOverTime(jobs, preemptedRuns);
  const processors = capacities.reduce((sum, capacity) => sum + capacity, 0);
  const requestedWindow = options.window;
  const shownSpan =
    requestedWindow === undefined
      ? timeWindow
      : {
          from: timeWindow.from + requestedWindow.from,
          to: Math.min(timeWindow.from + requestedWindow.to, timeWindow.to),
        };
  const visibleWindow: VisibleTimeWindow = { visibleWindow: shownSpan, origin: timeWindow.from, beginning };
  const gantt = makeGanttPicture(options, timeWindow, queueSteps);
  const jobsInWindow = requestedWindow === undefined ? jobs : keepAllocationsInWindow(jobs, shownSpan);
  const makeFigureOverTime = (
    texts: FigureTexts,
    stepFunction: StepFunction,
    yAxis: Figure['y'],
    divisor: number,
    limitSteps?: StepFunction,
  ) =>
    makePictureOfDrawing(makeTimelineFigure(texts, stepFunction, yAxis, divisor, visibleWindow, limitSteps));
  const busyProcessors = busyProcessorsOverTime([...jobs, ...preemptedRuns]);
  const availableProcessors = availableProcessorsOverTime(options.absences ?? [], processors, timeWindow);
  const weekFigures = makeWeeklyProfileFigures(options, timeWindow, shownSpan, [
    { y: BUSY_PROCESSORS_AXIS, steps: busyProcessors, divisor: processors, available: availableProcessors },
    { y: WAITING_JOBS_AXIS, steps: queueSteps, divisor: 1 },
  ]);
  return [
    makeFigureOverTime(
      {
        id: 'queue',
        title: 'Waiting jobs over time',
        caption: preemptedRuns.length === 0 ? '' : 'A job that was stopped waits again.',
      },
      queueSteps,
      WAITING_JOBS_AXIS,
      1,
    ),
    makeFigureOverTime(
      {
        id: 'utilization',
        title: 'Utilization over time',
        caption:
          `Share of all processors in use${preemptedRunsNote(options)}` +
          `${availableProcessors === undefined ? '' : ', and the share that was available: outages had the others'}.`,
      },
      busyProcessors,
      BUSY_PROCESSORS_AXIS,
      processors,
      availableProcessors,
    ),
    ...weekFigures.map(makePictureOfDrawing),
    makeOccupancyPicture(options, visibleWindow),
    gantt,
    ...makeDistributionFigures(jobsInWindow).map(makePictureOfDrawing),
  ];
}

// Weekly profile: typical values at each hour of the week

const [HOUR, DAY, WEEK] = [3600, 86_400, 604_800];
const [HOURS_OF_DAY, HOURS_OF_WEEK] = [DAY / HOUR, WEEK / HOUR];
/** Monday, 29 December 1969, in seconds since 1970; the start of week numbering. */
const FIRST_MONDAY_TIME = -3 * DAY;
const DAY_NAMES = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
/** Smallest length of a log, in weeks, for a weekly profile. */
const MIN_WEEKS_FOR_PROFILE = 2;
/** Colour of heat maps, on light and dark pages. */
const HEAT_MAP_COLOR = '#0072b2';
const UTC_HOURS_REMARK = 'Hours are in UTC, whatever the time zone of the machine.';

/** Hour of the week (from 0, Monday 00:00 UTC) of a time in seconds since 1970. */
function computeHourOfWeek(date: number): number {
  const hour = Math.floor((date - FIRST_MONDAY_TIME) / HOUR) % HOURS_OF_WEEK;
  return hour < 0 ? hour + HOURS_OF_WEEK : hour;
}

/** Quantile of ascending values. */
const computeQuantileOfSortedValues = (ascending: readonly number[], quantileShare: number) =>
  ascending[Math.min(ascending.length - 1, Math.floor(quantileShare * ascending.length))] ?? 0;

const computeMeanOfValues = (values: readonly number[]) =>
  values.reduce((sum, y) => sum + y, 0) / values.length;

/** Groups values by hour of the week. */
function groupByHourOfWeek(
  values: readonly (number | undefined)[],
  hourOfIndex: (place: number) => number,
): number[][] {
  const hours = Array.from({ length: HOURS_OF_WEEK }, (): number[] => []);
  for (const [index, value] of values.entries())
    if (value !== undefined) hours[hourOfIndex(index)]!.push(value);
  return hours;
}

/** Points of a weekly profile: mean of each hour of the week over all weeks, with quartiles. */
function makeWeeklyProfilePoints(hours: readonly number[][]): FigurePoint[] {
  const figurePoints = hours.map((values, hour): FigurePoint => {
    const sortedValues = values.toSorted((a, b) => a - b);
    if (sortedValues.length === 0) return { x: hour, y: null };
    return {
      x: hour,
      y: roundToSixDigits(computeMeanOfValues(sortedValues)),
      low: roundToSixDigits(computeQuantileOfSortedValues(sortedValues, 0.25)),
      high: roundToSixDigits(computeQuantileOfSortedValues(sortedValues, 0.75)),
    };
  });
  return [...figurePoints, { ...(figurePoints[0] as FigurePoint), x: figurePoints.length }];
}

/** Heat map panel with the mean of each hour by weekday; null for hours without values. */
const makeWeekHeatMap = (hours: readonly number[][]): FigureView['panels'] => [
  {
    title: '',
    series: DAY_NAMES.map((dayName, day) => ({
      name: dayName,
      color: HEAT_MAP_COLOR,
      points: Array.from({ length: HOURS_OF_DAY }, (_, hour): FigurePoint => {
        const valuesInHour = hours[day * HOURS_OF_DAY + hour]!;
        const y = valuesInHour.length === 0 ? null : roundToSixDigits(computeMeanOfValues(valuesInHour));
        return { x: hour, y };
      }),
    })),
  },
];

/** Quantity of a weekly profile: step function over time, and axis with its unit. */
export interface WeeklyProfileQuantity {
  readonly y: FigureAxis;
  readonly steps: StepFunction;
  /** Number by which values are divided for display, such as the number of processors. */
  readonly divisor: number;
  /** Number of available processors, by which the values are divided; absent: always `divisor`. */
  readonly available?: StepFunction | undefined;
}

/** Mean value of a quantity in each of `partCount` equal parts of a window; undefined if nothing was available. */
function computeMeanByWindowPart(
  { steps, divisor, available: availableProcessors }: WeeklyProfileQuantity,
  window: TimeWindow,
  partCount: number,
): (number | undefined)[] {
  const windowMeans = sampleStepFunction(steps, window, partCount).map(({ y }) => y);
  if (availableProcessors === undefined) return windowMeans.map((mean) => mean / divisor);
  const availableMeans = sampleStepFunction(availableProcessors, window, partCount).map(({ y }) => y);
  return windowMeans.map((mean, i) => (availableMeans[i]! > 0 ? mean / availableMeans[i]! : undefined));
}

const MEAN_WAIT_AXIS: FigureAxis = { title: 'mean wait of the jobs submitted', unit: 's' };

/**
 * Weekly profiles in UTC: a line of means with quartiles, a heat map of means by hour and weekday, and the
 * mean wait by hour of submission. Empty for less than two weeks.
 * @param shownSpan time window on the clock of the log.
 * @param unixTimeOffset seconds from 1970 to time 0 of that clock.
 */
export function makeWeekFigures(
  measures: readonly WeeklyProfileQuantity[],
  jobs: readonly Pick<FinishedJob, 'submit' | 'start'>[],
  shownSpan: TimeWindow,
  unixTimeOffset: number,
): Figure[] {
  const firstFullHour = Math.ceil((shownSpan.from + unixTimeOffset) / HOUR) * HOUR;
  const hourCount = Math.floor((shownSpan.to + unixTimeOffset - firstFullHour) / HOUR);
  if (hourCount < MIN_WEEKS_FOR_PROFILE * HOURS_OF_WEEK) return [];
  const from = firstFullHour - unixTimeOffset;
  const to = from + hourCount * HOUR;
  const samples = measures.map((measure) => {
    const windowValues = computeMeanByWindowPart(measure, { from, to }, hourCount);
    return {
      y: measure.y,
      hours: groupByHourOfWeek(windowValues, (hour) => computeHourOfWeek(firstFullHour + hour * HOUR)),
    };
  });
  const lineViews = samples.map(({ y, hours }): FigureView => {
    const series = [{ name: 'mean', color: TEXT_COLOR, points: makeWeeklyProfilePoints(hours) }];
    return { measure: y.title, y, panels: [{ title: '', series }], bounds: 'quartiles' };
  });
  const jobsInSpan = jobs.filter(({ submit }) => submit >= from && submit < to);
  const waits = jobsInSpan.map(({ submit, start }) => start - submit);
  const waitsByHour = {
    y: MEAN_WAIT_AXIS,
    hours: groupByHourOfWeek(waits, (job) => computeHourOfWeek(jobsInSpan[job]!.submit + unixTimeOffset)),
  };
  const heatMapViews = [...samples, waitsByHour].map(
    ({ y, hours }): FigureView => ({ measure: y.title, y, panels: makeWeekHeatMap(hours) }),
  );
  const [[lineFigure], [map]] = [lineViews, heatMapViews];
  if (lineFigure === undefined || map === undefined) return [];
  return [
    {
      id: 'week',
      title: 'The hours of the week',
      caption: `Line: mean over all weeks. Band: the middle half of the weeks. ${UTC_HOURS_REMARK}`,
      kind: 'step',
      x: {
        title: 'hour of the week',
        ticks: DAY_NAMES.map((day, i) => ({ value: (i * DAY) / HOUR, label: day })),
      },
      y: lineFigure.y,
      panels: lineFigure.panels,
      bounds: 'quartiles',
      views: lineViews,
    },
    {
      id: 'week-map',
      title: 'Hour of the day and day of the week',
      caption: `The mean over all weeks: the stronger the colour, the larger. ${UTC_HOURS_REMARK}`,
      kind: 'heat',
      x: { title: 'hour of the day' },
      y: map.y,
      panels: map.panels,
      views: heatMapViews,
    },
  ];
}
