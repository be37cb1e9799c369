import { expect, test } from 'vitest';
import { parsePolicy } from '../../host/core/policies.js';
import { makeGrid } from '../../host/grid/grid.js';
import { makeConfiguration } from '../../host/options/configuration.js';
import { remarkOnLongPlanning } from '../../host/simulate/cost.js';
import { makeWorkload } from '../../host/workload/make.js';
import { makeModelTrace } from '../../host/workload/models.js';

test('the cost of conservative with thousands of waiting jobs is announced beforehand, and no other cost', () => {
  const trace = makeModelTrace('lublin99[jobs=20000,aarr=5]');
  const workload = makeWorkload(trace, { siteCount: 1 });
  const costOfConfiguration = (discipline: 'conservative' | 'easy' | 'fcfs', siteCount: number) =>
    makeConfiguration(makeGrid({ capacities: [siteCount] }), { discipline });
  expect(remarkOnLongPlanning(workload, costOfConfiguration('conservative', 128))).toMatch(
    /^about [\d,]+ jobs will wait at a time, up to [\d,]+, and conservative plans all of them at every event: expect .* or more/,
  );
  const remarkOnCandidateCost = (...disciplines: string[]) =>
    remarkOnLongPlanning(workload, {
      ...costOfConfiguration('fcfs', 128),
      policy: parsePolicy(
        `dynamic[candidates=${disciplines.map((word) => `best-fit[discipline=${word}]`).join('+')}]`,
      ),
    });
  expect(remarkOnCandidateCost('fcfs', 'conservative')).toMatch(
    /at every event, those of trials too: expect /,
  );
  expect(remarkOnCandidateCost('fcfs', 'easy')).toBeUndefined();
  expect(remarkOnLongPlanning(workload, costOfConfiguration('easy', 128))).toBeUndefined();
  expect(remarkOnLongPlanning(workload, costOfConfiguration('fcfs', 128))).toBeUndefined();
  expect(remarkOnLongPlanning(workload, costOfConfiguration('conservative', 1_000_000))).toBeUndefined();
});
