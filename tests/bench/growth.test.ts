import { expect, test } from 'vitest';
import { fitPowerLaw } from '../../host/bench/bench.js';

const machineSizes = [5, 100, 300, 1000, 3000, 10_000];

test('an exponent is recovered whatever its factor; small values do not count', () => {
  const costPoints = machineSizes.map((size) => ({ size, cost: size < 100 ? 40 : 0.5 * size ** 1.25 }));
  const { power, low, high } = fitPowerLaw(costPoints)!;
  expect(power).toBeCloseTo(1.25, 10);
  expect(high - low).toBeLessThan(1e-6);
});

test("Student's interval: three points off the line by a factor", () => {
  // Logarithms to base 10 are x = 0, 1, 2 and y = 0, 1.3, 2: the fitted exponent is 1, the residuals are
  // -0.1, 0.2, -0.1, and the standard error is sqrt(0.06 / 2).
  const costPoints = [0, 1.3, 2].map((y, x) => ({ size: 10 ** x, cost: 10 ** y }));
  const { power, low, high } = fitPowerLaw(costPoints)!;
  expect(power).toBeCloseTo(1, 10);
  expect(high - power).toBeCloseTo(12.7062 * Math.sqrt(0.03), 3);
  expect(power - low).toBeCloseTo(high - power, 10);
});

test('two points give no error estimate, and an empty queue has no logarithm', () => {
  expect(fitPowerLaw([0, 100, 10_000].map((size) => ({ size, cost: 20 })))).toBeUndefined();
});
