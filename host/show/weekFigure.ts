/** The week of a log: what is usual at each of its hours. */
import type { Figure, FigureAxis, FigurePoint, FigureView } from '../draw/figureModel.js';
import { INK } from '../draw/palette.js';
import type { TimeWindow } from '../draw/timeChart.js';
import { type SampledPoint, type Steps, samplePoints } from '../draw/timeline.js';

const [HOUR, DAY, WEEK] = [3600, 86_400, 604_800];
/** Seconds from the first Monday after 1 January 1970, a Thursday. */
const MONDAY = 4 * DAY;
const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
/** A log has a profile from so many weeks on. */
const LEAST_WEEKS = 2;

/** The value below which a share of ascending values lies. */
const quantile = (ascending: readonly number[], share: number) =>
  ascending[Math.min(ascending.length - 1, Math.floor(share * ascending.length))] ?? 0;

/** The mean of each hour of the week over all weeks, with the quartiles of these hours. */
function profileOf(hours: readonly SampledPoint[], firstHour: number): FigurePoint[] {
  const points = Array.from({ length: WEEK / HOUR }, (_, hour): FigurePoint => {
    const own = hours.filter((_, i) => (firstHour + i) % (WEEK / HOUR) === hour).map(({ y }) => y);
    own.sort((a, b) => a - b);
    const mean = own.reduce((sum, y) => sum + y, 0) / own.length;
    const short = (value: number) => Number(value.toPrecision(6));
    return { x: hour, y: short(mean), low: short(quantile(own, 0.25)), high: short(quantile(own, 0.75)) };
  });
  return [...points, { ...(points[0] as FigurePoint), x: points.length }];
}

/** What is shown of the hours of a week: steps over time, and what one unit of them is on its axis. */
export interface WeekMeasure {
  readonly y: FigureAxis;
  readonly steps: Steps;
  readonly perUnit: number;
}

/**
 * A figure of the hours of a week, in UTC: the mean over all weeks of a window, and quartiles. Nothing of a window of less than two weeks.
 * @param shown the window, on the clock of the log.
 * @param toDate what makes a time of that clock one since 1970.
 */
export function weekFigure(
  measures: readonly WeekMeasure[],
  shown: TimeWindow,
  toDate: number,
): Figure | undefined {
  const begin = Math.ceil((shown.from + toDate) / HOUR) * HOUR;
  const count = Math.floor((shown.to + toDate - begin) / HOUR);
  const [first] = measures;
  if (first === undefined || count < (LEAST_WEEKS * WEEK) / HOUR) return undefined;
  const from = begin - toDate;
  const firstHour = ((begin - MONDAY) / HOUR) % (WEEK / HOUR);
  const views = measures.map(({ y, steps, perUnit }): FigureView => {
    const hours = samplePoints(steps, { from, to: from + count * HOUR }, count).map((point) => ({
      ...point,
      y: point.y / perUnit,
    }));
    const series = [{ name: 'mean', color: INK, points: profileOf(hours, firstHour) }];
    return { measure: y.title, y, panels: [{ title: '', series }], bounds: 'quartiles' };
  });
  return {
    id: 'week',
    title: 'The hours of the week',
    caption:
      'The line is the mean over all weeks, in half of the weeks the hour is within the band. Hours are in UTC, whatever the time zone of the machine.',
    kind: 'step',
    x: {
      title: 'hour of the week',
      ticks: DAYS.map((day, i) => ({ value: (i * DAY) / HOUR, label: day })),
    },
    y: first.y,
    panels: views[0]?.panels ?? [],
    bounds: 'quartiles',
    views,
  };
}
