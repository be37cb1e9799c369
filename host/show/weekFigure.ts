/** The week of a log: what is usual at each of its hours. */
import type { Figure, FigureAxis, FigurePoint, FigureView } from '../draw/figureModel.js';
import { INK } from '../draw/palette.js';
import type { TimeWindow } from '../draw/timeChart.js';
import { type Steps, samplePoints } from '../draw/timeline.js';
import type { FinishedJob } from '../results/finishedJobs.js';

const [HOUR, DAY, WEEK] = [3600, 86_400, 604_800];
const [HOURS_OF_DAY, HOURS_OF_WEEK] = [DAY / HOUR, WEEK / HOUR];
/** Monday, 29 December 1969, in seconds since 1970. */
const MONDAY = -3 * DAY;
const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
/** A log has a profile from so many weeks on. */
const LEAST_WEEKS = 2;
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

const short = (value: number) => Number(value.toPrecision(6));
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

/** What is shown of the hours of a week: steps over time, and what one unit of them is on its axis. */
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
  if (count < LEAST_WEEKS * HOURS_OF_WEEK) return [];
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
