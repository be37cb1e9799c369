import { expect, test } from 'vitest';
import { weekFigure } from '../../host/show/weekFigure.js';

const [HOUR, WEEK] = [3600, 604_800];
/** Monday, 4 May 1998, 00:00 UTC. */
const MONDAY = Date.UTC(1998, 4, 4) / 1000;

/** Both of two processors are in use from 9 to 10 on each Monday, one of them from 10 on every second Monday. */
function steps(weeks: number, offset: number) {
  const changes = Array.from({ length: weeks }, (_, week) => {
    const nine = week * WEEK + 9 * HOUR - offset;
    return [
      [nine, 2],
      [nine + HOUR, week % 2],
      [nine + 2 * HOUR, 0],
    ] as const;
  }).flat();
  return {
    time: Float64Array.from(changes, ([time]) => time),
    value: Float64Array.from(changes, ([, value]) => value),
  };
}

// The log may begin at any time.
test.each([0, 5 * HOUR + 17, 3 * 86_400])(
  'the hours of weeks are put together, of a log that begins %d s after Monday',
  (offset) => {
    const weeks = 8;
    const measure = { y: { title: 'processors in use' }, steps: steps(weeks + 2, offset), perUnit: 2 };
    const figure = weekFigure([measure], { from: 0, to: weeks * WEEK }, MONDAY + offset);
    const [{ points }] = figure?.panels[0].series ?? [];
    expect(points).toHaveLength(169);
    const at = (hour: number) => points.find(({ x }) => x === hour);
    expect(at(9)).toMatchObject({ y: 1, low: 1, high: 1 });
    expect(at(10)).toMatchObject({ low: 0, high: 0.5 });
    expect(at(10)?.y).toBeGreaterThan(0.15);
    for (const hour of [0, 8, 11, 33, 167]) expect(at(hour)).toMatchObject({ y: 0, low: 0, high: 0 });
    expect(figure?.x.ticks?.find(({ value }) => value === 24)?.label).toBe('Tuesday');
  },
);

test('less than two weeks have no profile', () => {
  const measure = { y: { title: 'y' }, steps: steps(2, 0), perUnit: 1 };
  expect(weekFigure([measure], { from: 0, to: 2 * WEEK - 1 }, MONDAY)).toBe(undefined);
  expect(weekFigure([measure], { from: 0, to: 2 * WEEK }, MONDAY)?.id).toBe('week');
});
