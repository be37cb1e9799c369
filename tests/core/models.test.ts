import { expect, test } from 'vitest';
import { makeGrid } from '../../host/grid/grid.js';
import { simulate } from '../../host/simulate/simulate.js';
import { makeWorkload } from '../../host/workload/make.js';
import { makeModelTrace } from '../../host/workload/models.js';
import { sampleTestCases } from '../cases.js';

/**
 * Average queue lengths of the two workload models under best-fit on equal sites, which Shih et al. 2010
 * (section 5.1) print for one sample each. The quartiles and extremes are those of 40 (Lublin99) and 30
 * (Feitelson96-like) samples of other programs that follow the same descriptions.
 */
const grid = makeGrid({ capacities: [8, 128, 128, 128, 50] });
const seeds = Array.from({ length: 25 }, (_, i) => i + 1);

function simulateMeanQueueLengths(model: string): number[] {
  return seeds
    .map((seed) => {
      const workload = makeWorkload(makeModelTrace(model.replace(']', `,seed=${seed}]`)), { siteCount: 5 });
      return simulate(workload, grid).summary.averageQueueLength;
    })
    .sort((a, b) => a - b);
}

test.each(
  sampleTestCases([
    ['lublin99[aarr=10.5]', 0.9, { quartiles: [0.62, 0.92], extremes: [0.51, 1.22] }],
    ['lublin99[aarr=10]', 3.2, { quartiles: [2.26, 3.07], extremes: [1.54, 3.77] }],
    ['lublin99[aarr=9.5]', 9.3, { quartiles: [7.21, 9.11], extremes: [5.82, 12.03] }],
    ['lublin99[aarr=9]', 24.2, { quartiles: [22.45, 31.45], extremes: [17.04, 38.81] }],
    ['lublin99[aarr=8.5]', 377.3, { quartiles: [173.13, 301.5], extremes: [103.34, 651.38] }],
    ['feitelson96[arrFactor=600]', 0.9, { quartiles: [0.37, 0.97], extremes: [0.05, 8.1] }],
    ['feitelson96[arrFactor=500]', 2.7, { quartiles: [1.54, 3.76], extremes: [0.6, 52] }],
    ['feitelson96[arrFactor=400]', 13.5, { quartiles: [12.25, 24.17], extremes: [4, 340] }],
    ['feitelson96[arrFactor=350]', 43.3, { quartiles: [40.83, 111.9], extremes: [11, 850] }],
    ['feitelson96[arrFactor=300]', 523.6, { quartiles: [227.11, 569.53], extremes: [100, 2600] }],
  ] as const),
)('%s, published %d', (model, publishedValue, { quartiles, extremes }) => {
  const meanQueueLengthBySeed = simulateMeanQueueLengths(model);
  const median = meanQueueLengthBySeed[Math.floor(meanQueueLengthBySeed.length / 2)];
  expect(median).toBeGreaterThan(quartiles[0]);
  expect(median).toBeLessThan(quartiles[1]);
  const lengthsWithinLimits = meanQueueLengthBySeed.filter(
    (queueLength) => queueLength >= extremes[0] && queueLength <= extremes[1],
  );
  expect(lengthsWithinLimits.length).toBeGreaterThanOrEqual(0.8 * meanQueueLengthBySeed.length);
  expect(publishedValue).toBeGreaterThan(extremes[0]);
  expect(publishedValue).toBeLessThan(extremes[1]);
});
