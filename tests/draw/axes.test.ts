import { expect, test } from 'vitest';
import {
  drawHorizontalAxis,
  makeDurationTicks,
  makeElapsedTimeTicks,
  makeNumberTicks,
  numberScale,
} from '../../host/draw/axes.js';

const SECONDS_PER_DAY = 86_400;
/** 30 September 1996, 10:38 UTC. */
const LOG_START_TIME = Date.UTC(1996, 8, 30, 10, 38) / 1000;

const labelTexts = (from: number, to: number, beginning?: number) =>
  makeElapsedTimeTicks(from, to, beginning).ticks.map(({ label: tickLabel }) => tickLabel);

test('lengths of time have ticks at round minutes, hours and days, and as many as asked for at most', () => {
  const makeTickLabelTexts = (from: number, to: number, isLogarithmic = false) =>
    makeDurationTicks(numberScale([from, to], [0, 500], { isLog: isLogarithmic }), 6, isLogarithmic).map(
      ({ label: tickLabel }) => tickLabel,
    );
  expect(makeTickLabelTexts(1, 10 * SECONDS_PER_DAY, true)).toEqual([
    '1 s',
    '10 s',
    '1 min',
    '10 min',
    '1 h',
    '6 h',
    '1 d',
    '1 week',
  ]);
  expect(makeTickLabelTexts(0, 8 * 3600)).toEqual(['0', '2 h', '4 h', '6 h', '8 h']);
  expect(makeTickLabelTexts(-SECONDS_PER_DAY, SECONDS_PER_DAY)).toEqual([
    '\u22121 d',
    '\u221212 h',
    '0',
    '12 h',
    '1 d',
  ]);
  for (let span = 2; span < 1e8; span *= 1.7) {
    const ticks = makeDurationTicks(numberScale([span / 7, span], [0, 500]), 6, false);
    expect(ticks.length).toBeGreaterThan(0);
    expect(ticks.length).toBeLessThanOrEqual(7);
  }
});

test('without a date, times count in a unit, and in days and hours where a short part is shown', () => {
  expect(makeElapsedTimeTicks(0, 10 * SECONDS_PER_DAY, undefined).title).toBe(
    'time since the first submit [d]',
  );
  expect(labelTexts(0, 10 * SECONDS_PER_DAY)).toEqual(Array.from({ length: 11 }, (_, day) => `${day}`));
  expect(makeElapsedTimeTicks(100 * SECONDS_PER_DAY, 101 * SECONDS_PER_DAY, undefined).title).toBe(
    'time since the first submit',
  );
  expect(labelTexts(100 * SECONDS_PER_DAY, 101 * SECONDS_PER_DAY)).toEqual([
    '100 d',
    ...['03', '06', '09', '12', '15', '18', '21'].map((hour) => `100 d ${hour}:00`),
    '101 d',
  ]);
  expect(labelTexts(100 * SECONDS_PER_DAY + 1, 100 * SECONDS_PER_DAY + 40)[0]).toBe('100 d 00:00:05');
});

test('with a date, ticks are at round hours, days and months, wherever the log begins', () => {
  expect(labelTexts(0, SECONDS_PER_DAY, LOG_START_TIME)).toEqual([
    '30 Sept 12:00',
    ...['15:00', '18:00', '21:00'],
    '1 Oct',
    ...['03:00', '06:00', '09:00'],
  ]);
  const { ticks, title: axisTitle } = makeElapsedTimeTicks(0, SECONDS_PER_DAY, LOG_START_TIME);
  expect(ticks[0].value).toBe(82 * 60);
  expect(axisTitle).toBe('UTC, 1996');
  expect(labelTexts(0, 12 * SECONDS_PER_DAY, LOG_START_TIME)).toEqual([
    '1 Oct',
    '3 Oct',
    '5 Oct',
    '7 Oct',
    '9 Oct',
    '11 Oct',
  ]);
  expect(labelTexts(0, 333 * SECONDS_PER_DAY, LOG_START_TIME)).toEqual([
    ...['Oct 1996', 'Nov 1996', 'Dec 1996', 'Jan 1997', 'Feb 1997', 'Mar 1997', 'Apr 1997'],
    ...['May 1997', 'Jun 1997', 'Jul 1997', 'Aug 1997'],
  ]);
  expect(makeElapsedTimeTicks(0, 333 * SECONDS_PER_DAY, LOG_START_TIME).title).toBe('UTC');
});

test('lengths of time have two ticks or more, three but for a few spans, wherever an axis begins', () => {
  const labelCounts: number[] = [];
  for (let span = 900; span < 200 * SECONDS_PER_DAY; span *= 1.03)
    for (const from of [0, span / 3, 2.2 * span])
      labelCounts.push(makeDurationTicks(numberScale([from, from + span], [0, 300]), 5, false).length);
  expect(Math.min(...labelCounts)).toBeGreaterThanOrEqual(2);
  expect(Math.max(...labelCounts)).toBeLessThanOrEqual(7);
  expect(labelCounts.filter((count) => count < 3).length / labelCounts.length).toBeLessThan(0.01);
});

test('times count in a unit that gives small numbers', () => {
  const findUnitOfTimeAxis = (span: number) =>
    /\[(.*)\]/.exec(makeElapsedTimeTicks(0, span, undefined).title)?.[1];
  expect([40, 600, 20_000, 300_000].map(findUnitOfTimeAxis)).toEqual(['s', 'min', 'h', 'd']);
});

test('scales have room for markers, end at ticks, and work for one value and none', () => {
  const scale = numberScale([3, 97], [100, 0], { margin: 10, isNice: true });
  expect(scale.domain()).toEqual([expect.closeTo((-10 / 90) * 110), 110]);
  expect(numberScale([-3, 97], [100, 0], { margin: 10, isNice: true }).domain()).toEqual([-20, 110]);
  expect(scale(97)).toBeGreaterThanOrEqual(10);
  expect(makeNumberTicks(scale, 5, ',.6~r').map(({ label: tickLabel }) => tickLabel)).toEqual([
    '0',
    '20',
    '40',
    '60',
    '80',
    '100',
  ]);
  for (const values of [[], [7], [0]])
    expect(numberScale(values, [0, 100], { margin: 8 }).domain()).not.toContain(Number.NaN);
  expect(numberScale([5], [0, 100], { isLog: true }).domain()).toEqual([2.5, 10]);
});

test('a scale does not reach below 0 where no value does, except for the room of a marker', () => {
  for (const isRangeRounded of [false, true])
    for (const smallestValue of [0, 1e-9, 1, 5, 40]) {
      const scale = numberScale([smallestValue, 50], [100, 0], { margin: 6, isNice: isRangeRounded });
      const [from] = scale.domain() as [number, number];
      if (smallestValue >= 5) expect(from).toBeGreaterThanOrEqual(0);
      else expect(scale(0)).toBeCloseTo(94);
      expect(scale(smallestValue)).toBeLessThanOrEqual(94.0001);
      expect(makeNumberTicks(scale, 5, '~r')[0]?.value).toBeGreaterThanOrEqual(0);
    }
  expect(numberScale([0, 50], [0, 100], { margin: 8 })(0)).toBeCloseTo(8);
});

test('labels that would overlap are left out, ticks are not', () => {
  const ticks = Array.from({ length: 30 }, (_, value) => ({ value, label: `number ${value}` }));
  const positionOf = (axisValue: number) => axisValue * 10;
  const svg = drawHorizontalAxis({
    ticks,
    toPixel: positionOf,
    left: 0,
    right: 300,
    bottom: 0,
    ends: [0, 300],
    title: [],
  });
  expect(svg.split('<text').length - 1).toBe(4);
  expect(svg.split('v4').length - 1).toBe(30);
});
