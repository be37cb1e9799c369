import { expect, test } from 'vitest';
import { expectedTime } from '../../host/runner/expectedTime.js';
import { planStudy } from '../../host/runner/planStudy.js';
import { parseStudy } from '../../host/study/read.js';

const STUDY = `
title: T
simulate: { workload: 'lublin99[jobs=200,seed={seed}]', sites: '64,64,128', policy: '{policy}', estimates: exact }
axes: { seed: [1, 2, 3], policy: [best-fit, dynamic] }
measures: { response: { metric: averageResponseTime } }
tables: { t: { title: T, measures: response, rows: policy, columns: seed } }
`;

test('the time of long studies is measured on some of their runs, that of short ones is not', async () => {
  const planned = await planStudy(await parseStudy(STUDY, 's.yaml'), {});
  expect(await expectedTime(planned)).toBeUndefined();
  const expectedWith = async (jobs: number) => {
    const workloads = planned.plan.workloads.map((workload) => ({ ...workload, jobs }));
    return (await expectedTime({ ...planned, plan: { ...planned.plan, workloads } }))!;
  };
  const { seconds, samples } = await expectedWith(1e9);
  expect(samples).toBe(64);
  // A job takes between 1 ns and 100 microseconds.
  expect(seconds).toBeGreaterThan(6);
  expect(seconds).toBeLessThan(600_000);
});
