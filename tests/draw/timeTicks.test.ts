import { expect, test } from 'vitest';
import { timeTicks } from '../../host/draw/timeTicks.js';

const DAY = 86_400;
/** 30 September 1996, 10:38 UTC. */
const BEGINNING = Date.UTC(1996, 8, 30, 10, 38) / 1000;

const labels = (from: number, to: number, beginning?: number) =>
  timeTicks(from, to, beginning).ticks.map(({ label }) => label);

test('without a date, times count in a unit, and in days and hours where a short part is shown', () => {
  expect(timeTicks(0, 10 * DAY, undefined).title).toBe('time since the first submit [d]');
  expect(labels(0, 10 * DAY)).toEqual(['0', '2', '4', '6', '8', '10']);
  expect(timeTicks(100 * DAY, 101 * DAY, undefined).title).toBe('time since the first submit');
  expect(labels(100 * DAY, 101 * DAY)).toEqual([
    '100 d',
    ...['03', '06', '09', '12', '15', '18', '21'].map((hour) => `100 d ${hour}:00`),
    '101 d',
  ]);
  expect(labels(100 * DAY + 1, 100 * DAY + 40)[0]).toBe('100 d 00:00:05');
});

test('with a date, ticks are at round hours, days and months, wherever the log begins', () => {
  expect(labels(0, DAY, BEGINNING)).toEqual([
    '30 Sept 12:00',
    ...['15:00', '18:00', '21:00'],
    '1 Oct',
    ...['03:00', '06:00', '09:00'],
  ]);
  const { ticks, title } = timeTicks(0, DAY, BEGINNING);
  expect(ticks[0].time).toBe(82 * 60);
  expect(title).toBe('UTC, 1996');
  expect(labels(0, 12 * DAY, BEGINNING)).toEqual(['1 Oct', '3 Oct', '5 Oct', '7 Oct', '9 Oct', '11 Oct']);
  expect(labels(0, 333 * DAY, BEGINNING)).toEqual([
    ...['Nov 1996', 'Jan 1997', 'Mar 1997', 'May 1997', 'Jul 1997'],
  ]);
  expect(timeTicks(0, 333 * DAY, BEGINNING).title).toBe('UTC');
});
