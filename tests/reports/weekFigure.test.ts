import { expect, test } from 'vitest';
import { makeWeekFigures } from '../../host/reports/simulationFigures.js';

const [HOUR, WEEK] = [3600, 604_800];
/** Monday, 4 May 1998, 00:00 UTC. */
const FIRST_MONDAY_TIME = Date.UTC(1998, 4, 4) / 1000;

/**
 * Processors in use: both of two from 9 to 10 o'clock on each Monday, one from 10 o'clock on every
 * second Monday.
 */
function makeWeeklyUtilizationSteps(weekCount: number, offset: number) {
  const changes = Array.from({ length: weekCount }, (_, weekIndex) => {
    const nineOClockTime = weekIndex * WEEK + 9 * HOUR - offset;
    return [
      [nineOClockTime, 2],
      [nineOClockTime + HOUR, weekIndex % 2],
      [nineOClockTime + 2 * HOUR, 0],
    ] as const;
  }).flat();
  return {
    time: Float64Array.from(changes, ([time]) => time),
    value: Float64Array.from(changes, ([, value]) => value),
  };
}

// The log may begin at any time of the week.
test.each([0, 5 * HOUR + 17, 3 * 86_400])(
  'the hours of all weeks are combined, in a log that begins %d s after Monday',
  (offset) => {
    const weekCount = 8;
    const measure = {
      y: { title: 'processors in use' },
      steps: makeWeeklyUtilizationSteps(weekCount + 2, offset),
      divisor: 2,
    };
    const [figure] = makeWeekFigures(
      [measure],
      [],
      { from: 0, to: weekCount * WEEK },
      FIRST_MONDAY_TIME + offset,
    );
    const [{ points: seriesPoints }] = figure?.panels[0].series ?? [];
    expect(seriesPoints).toHaveLength(169);
    const pointOfHour = (hour: number) => seriesPoints.find(({ x }) => x === hour);
    expect(pointOfHour(9)).toMatchObject({ y: 1, low: 1, high: 1 });
    expect(pointOfHour(10)).toMatchObject({ low: 0, high: 0.5 });
    expect(pointOfHour(10)?.y).toBeGreaterThan(0.15);
    for (const hour of [0, 8, 11, 33, 167])
      expect(pointOfHour(hour)).toMatchObject({ y: 0, low: 0, high: 0 });
    expect(figure?.x.ticks?.find(({ value }) => value === 24)?.label).toBe('Tuesday');
  },
);

// The figure is a map by hour and weekday of processors in use, and of the waits of jobs submitted
// then.
test.each([0, 5 * HOUR + 17, 3 * 86_400 + 0.3])(
  'hours and weekdays make a map, in a log that begins %d s after Monday',
  (offset) => {
    const measure = {
      y: { title: 'processors in use' },
      steps: makeWeeklyUtilizationSteps(10, offset),
      divisor: 2,
    };
    const jobs = Array.from({ length: 8 }, (_, weekIndex) => {
      const submit = weekIndex * WEEK + 2 * 86_400 + 13.5 * HOUR - offset;
      return { submit, start: submit + 60 * weekIndex };
    });
    const [, map] = makeWeekFigures([measure], jobs, { from: 0, to: 8 * WEEK }, FIRST_MONDAY_TIME + offset);
    expect(map).toMatchObject({ kind: 'heat', panels: map.views?.[0].panels });
    const [utilizationSeries, waitSeries] = map.views?.map(({ panels }) => panels[0].series) ?? [];
    expect(utilizationSeries.map(({ name: seriesName }) => seriesName).join()).toMatch(
      /^Monday,Tuesday,.*,Sunday$/,
    );
    for (const { points: seriesPoints } of utilizationSeries)
      expect(seriesPoints.map(({ x }) => x)).toEqual([...Array(24).keys()]);
    const busyHours = utilizationSeries.flatMap(({ name: seriesName, points: seriesPoints }) =>
      seriesPoints.filter(({ y }) => (y ?? 0) > 1e-6).map(({ x, y }) => [seriesName, x, y]),
    );
    expect(busyHours).toEqual([
      ['Monday', 9, expect.closeTo(1, 6)],
      ['Monday', 10, expect.closeTo(0.25, 1)],
    ]);
    const waitedText = waitSeries.flatMap(({ name: seriesName, points: seriesPoints }) =>
      seriesPoints.filter(({ y }) => y !== null).map(({ x, y }) => [seriesName, x, y]),
    );
    const [mean] = offset > 2 * 86_400 + 14 * HOUR ? [240] : [210];
    expect(waitedText).toEqual([['Wednesday', 13, mean]]);
  },
);

test('less than two weeks have no profile', () => {
  const measure = { y: { title: 'y' }, steps: makeWeeklyUtilizationSteps(2, 0), divisor: 1 };
  expect(makeWeekFigures([measure], [], { from: 0, to: 2 * WEEK - 1 }, FIRST_MONDAY_TIME)).toEqual([]);
  const figures = makeWeekFigures([measure], [], { from: 0, to: 2 * WEEK }, FIRST_MONDAY_TIME);
  expect(figures.map(({ id: figureId }) => figureId)).toEqual(['week', 'week-map']);
});
