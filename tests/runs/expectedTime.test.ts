import { expect, test } from 'vitest';
import { estimateStudyExtent } from '../../host/runs/joinedRuns.js';
import { type Planned, planStudies } from '../../host/runs/planStudy.js';
import { parseStudy } from '../../host/study/study.js';

const STUDY_TEXT = `
title: T
simulate: { workload: 'lublin99[jobs=200,seed={seed}]', sites: '64,64,128', policy: '{policy}', estimates: exact }
axes: { seed: [1, 2, 3], policy: [best-fit, dynamic] }
measures: { response: { metric: averageResponseTime } }
tables: { t: { title: T, measures: response, rows: policy, columns: seed } }
`;

/** Plans of two studies; the second has two runs in common with the first, and four others. */
async function plans(): Promise<Planned[]> {
  const otherStudyText = STUDY_TEXT.replace('[1, 2, 3]', '[3, 4, 5]');
  const studies = await Promise.all([parseStudy(STUDY_TEXT, 's.yaml'), parseStudy(otherStudyText, 't.yaml')]);
  return planStudies(studies, [{}, {}]);
}

test('the time of long studies is measured on some of their runs, that of short ones is not', async () => {
  const [plannedStudy] = await plans();
  expect(await estimateStudyExtent([plannedStudy], true)).toEqual({
    simulations: 6,
    jobs: 1200,
    expected: undefined,
  });
  const workloads = plannedStudy.plan.workloads.map((workload) => ({ ...workload, jobs: 1e9 }));
  const { expected: expectedRunTime } = await estimateStudyExtent(
    [{ ...plannedStudy, plan: { ...plannedStudy.plan, workloads } }],
    true,
  );
  const { seconds, samples } = expectedRunTime!;
  expect(samples).toBe(16);
  // The time per job is between 1 ns and 100 microseconds.
  expect(seconds).toBeGreaterThan(6);
  expect(seconds).toBeLessThan(600_000);
});

test('work in common of studies that run as one is counted once, unless nothing is shared', async () => {
  const plannedStudies = await plans();
  expect(await estimateStudyExtent(plannedStudies, true)).toEqual({
    simulations: 10,
    jobs: 2000,
    expected: undefined,
  });
  expect(await estimateStudyExtent(plannedStudies, false)).toMatchObject({ simulations: 12, jobs: 2400 });
  const plansWithHugeWorkloads = plannedStudies.map((plannedStudy) => {
    const workloads = plannedStudy.plan.workloads.map((workload) => ({ ...workload, jobs: 1e9 }));
    return { ...plannedStudy, plan: { ...plannedStudy.plan, workloads } };
  });
  const {
    simulations,
    jobs,
    expected: expectedRunTime,
  } = await estimateStudyExtent(plansWithHugeWorkloads, true);
  expect({ simulations, jobs }).toEqual({ simulations: 10, jobs: 1e10 });
  expect(expectedRunTime?.samples).toBe(16);
});

test('jobs without a requested time serve runs by estimates and others, whichever comes first', async () => {
  const study = await parseStudy(
    `
title: T
simulate: { workload: 'lublin99[jobs=200]', sites: '128' }
parts:
  none: { simulate: { discipline: fcfs } }
  exact: { simulate: { discipline: easy, estimates: exact } }
measures: { response: { metric: averageResponseTime } }
tables: { t: { title: T, measures: response, rows: part } }
`,
    's.yaml',
  );
  const [plannedStudy] = await planStudies([study], [{}]);
  expect(plannedStudy.plan.workloads).toHaveLength(1);
  const workloads = plannedStudy.plan.workloads.map((workload) => ({ ...workload, jobs: 1e9 }));
  const { expected: expectedRunTime } = await estimateStudyExtent(
    [{ ...plannedStudy, plan: { ...plannedStudy.plan, workloads } }],
    true,
  );
  expect(expectedRunTime?.samples).toBe(16);
});
