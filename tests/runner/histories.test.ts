import { expect, test } from 'vitest';
import { cutRuns, groupRuns, type RunPlace } from '../../host/runner/histories.js';
import { planStudy } from '../../host/runner/planStudy.js';
import { type ReplicatedExperiment, ReplicationRunner } from '../../host/runner/replicationRuns.js';
import { parseStudy } from '../../host/study/read.js';
import { makeModelTrace } from '../../host/workload/models.js';
import { DRAWN_STUDY as STUDY } from '../study/drawnStudy.js';

/** Which runs begin as one, and how they are dealt out. */

async function wanted(text: string, metric = 'averageResponseTime') {
  const planned = await planStudy(await parseStudy(text.replace('averageResponseTime', metric), 's.yaml'));
  return { planned, runs: Uint32Array.from({ length: planned.plan.runs.length }, (_, run) => run) };
}

const sizes = (groups: ReturnType<typeof groupRuns>) =>
  groups.map(({ histories }) => histories.map(({ length }) => length));

test('runs that differ in nothing but their policies are one history; all of the same jobs stand together', async () => {
  const study = await wanted(STUDY);
  const groups = groupRuns([study], true);
  expect(sizes(groups)).toEqual([
    [5, 5, 5, 5],
    [5, 5, 5, 5],
  ]);
  const { runs } = study.planned.plan;
  for (const { histories, madeBy } of groups) {
    for (const history of histories) {
      const texts = history.map(([, run]) => JSON.stringify({ ...runs.parameters(run), policy: '' }));
      expect(new Set(texts).size).toBe(1);
      expect(new Set(history.map(([, run]) => runs.parameters(run).policy)).size).toBe(history.length);
      for (const [, run] of history) expect(runs.workload(run)).toBe(madeBy[1]);
    }
  }
  expect(sizes(groupRuns([study], false))).toEqual([Array(20).fill(1), Array(20).fill(1)]);
});

test('runs of several studies are one history where what is kept of them is the same', async () => {
  const one = await wanted(STUDY);
  const other = await wanted(STUDY.replace('BF: best-fit', 'FF: fastest-first'));
  expect(sizes(groupRuns([one, other], true))).toEqual([
    [10, 10, 10, 10],
    [10, 10, 10, 10],
  ]);
  const ofJobs = await wanted(STUDY, 'p95Wait');
  expect(sizes(groupRuns([one, ofJobs], true))[0]).toEqual(Array(8).fill(5));
});

const run = (number: number): RunPlace => [0, number];

test.each([
  [10, 3, [3, 3, 4]],
  [2, 5, [1, 1]],
  [7, 1, [7]],
])('%d runs cut in %d', (count, parts, expected) => {
  const runs = Array.from({ length: count }, (_, i) => run(i));
  const cut = cutRuns(runs, parts);
  expect(cut.map(({ length }) => length)).toEqual(expected);
  expect(cut.flat()).toEqual(runs);
});

test('methods of a comparison share their histories, with the values that each has alone', () => {
  const workload = 'lublin99[aarr=9,jobs=400]';
  const experiment: ReplicatedExperiment = {
    trace: makeModelTrace(workload),
    options: { workload, speeds: '1,2,1.5', estimates: 'exact' },
    capacities: [64, 64, 128],
    methods: [
      { policy: 'best-fit' },
      { discipline: 'sjf', policy: 'ai2' },
      { policy: 'tai2[slt=1.5]' },
      { policy: 'fastest-first' },
      { policy: 'random' },
    ],
    jobMetrics: [],
    code: [],
  };
  const together = new ReplicationRunner(experiment);
  const apart = new ReplicationRunner({ ...experiment, sharing: false });
  for (const replication of [1, 2]) {
    const alone = experiment.methods.flatMap((method) =>
      new ReplicationRunner({ ...experiment, methods: [method] }).run(replication),
    );
    expect(together.run(replication)).toEqual(alone);
    expect(apart.run(replication)).toEqual(alone);
  }
});
