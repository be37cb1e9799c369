import { expect, test } from 'vitest';
import {
  makeGrid,
  makeModelTrace,
  makeWorkload,
  policies,
  simulate,
  withEstimates,
} from '../../host/index.js';

/**
 * Candidates of the dynamic policy that are identical at these speeds are listed once, whichever
 * policies have a heterogeneity threshold.
 */

const trace = makeModelTrace('lublin99[jobs=400]');
const HETEROGENEITY_THRESHOLDS = [0, 0.2, 1e99];
const GRIDS = [
  { speeds: [1, 1, 1], sides: 1 },
  { speeds: [1, 1.5, 0.8], sides: 2 },
  { speeds: [1, 3, 2], sides: 2 },
];

test.each(GRIDS)('on speeds $speeds', ({ speeds, sides }) => {
  const grid = makeGrid({ capacities: [128, 128, 128], speeds });
  const workload = withEstimates(makeWorkload(trace, { siteCount: 3, capacities: grid.capacities }), {
    source: 'exact',
  });
  const listDistinctCandidates = (candidates: string) => {
    const { trials } = simulate(workload, grid, {
      load: 9,
      policy: `dynamic[candidates=${candidates}]`,
    }).summary;
    return trials!.candidates;
  };
  const candidatesOfFamily = listDistinctCandidates('tai2');
  expect(candidatesOfFamily).toHaveLength(5 * sides);
  expect(candidatesOfFamily.reduce((sum, { times }) => sum + times, 0)).toBe(
    simulate(workload, grid, { load: 9, policy: 'dynamic' }).summary.trials!.times,
  );
  const policiesWithParameters = policies().filter(({ parameters: policyParameters }) =>
    policyParameters.some(({ name: parameterName }) => parameterName === 'sht'),
  );
  expect(policiesWithParameters.map(({ name: policyName }) => policyName)).toEqual(['ti', 'tai', 'tai2']);
  for (const { name: policyName } of policiesWithParameters) {
    const candidateTexts = HETEROGENEITY_THRESHOLDS.map((sht) => `${policyName}[sht=${sht},slt=1]`).join('+');
    expect(listDistinctCandidates(`best-fit+${candidateTexts}`)).toHaveLength(1 + sides);
  }
});
