/** Curves of the explorer: what is drawn of what changes within every pixel, and of values far from each other. */
import { expect, test } from 'vitest';
import { shownRange } from '../../host/show/shownRange.js';
import { StepIndex, smoothed } from '../../web/explorer/charts/stepIndex.js';

const SPAN = 1000;
/** Up and down in every second. */
const restless = new StepIndex({
  time: Float64Array.from({ length: SPAN }, (_, i) => i),
  value: Float64Array.from({ length: SPAN }, (_, i) => (i % 2 === 0 ? 100 : 0)),
});

test('a running mean is calm, keeps the extremes beside it, and leaves alone what is drawn step by step', () => {
  expect(restless.count(0, SPAN)).toBe(SPAN - 1);
  const exact = restless.samples(0, SPAN, SPAN);
  expect(Math.max(...exact.mean) - Math.min(...exact.mean)).toBe(100);
  const calm = smoothed(exact, 16);
  const inner = calm.mean.slice(16, -16);
  expect(Math.max(...inner) - Math.min(...inner)).toBeLessThan(10);
  expect(inner.reduce((sum, each) => sum + each, 0) / inner.length).toBeCloseTo(50, 0);
  expect([calm.low, calm.high]).toEqual([exact.low, exact.high]);
  for (const width of [0, 1, 1.9]) expect(smoothed(exact, width)).toEqual(exact);
});

test('a mean that is many times the others stands beyond the axis, where most have room', () => {
  const mean = (value: number) => ({ value, low: value - 1, high: value + 1 });
  expect(shownRange([400, 20, 22].map(mean))).toEqual({ range: [19, 23] });
  expect(shownRange([40, 20, 22].map(mean))).toEqual({});
  expect(shownRange([400, 20].map(mean))).toEqual({});
});
