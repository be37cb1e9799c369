import { expect, test } from 'vitest';
import { planStudy } from '../../host/runs/planStudy.js';
import { assignRunsToShards, listRunIndicesByShard, restrictPlanToRuns } from '../../host/runs/shards.js';
import { assignHistoryNumbersToRuns } from '../../host/study/plan.js';
import { parseStudy } from '../../host/study/study.js';

/**
 * Division of a study into shards: similar cost, complete histories, and the same division on every
 * computer.
 */

/**
 * A study of 20 workloads of two lengths under two disciplines and five policies: 40 histories of 5
 * runs.
 */
const STUDY_TEXT = `
title: T
simulate:
  workload: 'lublin99[jobs={jobs},seed={draw}]'
  sites: 8,128,128
  estimates: exact
  discipline: '{discipline}'
  policy: '{policy}'
axes: { discipline: [fcfs, easy], policy: [best-fit, fastest-first, ai2, tai2, si], jobs: [20, 60] }
draws: { axis: draw, count: 10 }
measures: { art: { metric: averageResponseTime } }
`;

const { plan } = await planStudy(await parseStudy(STUDY_TEXT, 's.yaml'));
const histories = assignHistoryNumbersToRuns(plan.runs);

/** Number of shards over which the runs of each history are spread. */
function countShardsPerHistory(shards: Uint32Array): number[] {
  const sets = new Map<number, Set<number>>();
  shards.forEach((shard, runIndex) => {
    sets.set(histories[runIndex], (sets.get(histories[runIndex]) ?? new Set()).add(shard));
  });
  return [...sets.values()].map(({ size }) => size);
}

test.each([1, 2, 3, 4, 7])('%d shards have whole histories and cost about the same', (count) => {
  const { shards, runs, costs } = assignRunsToShards(plan, count);
  const totalCost = costs.reduce((sum, cost) => sum + cost, 0);
  const maxAllowedCostAboveMean = 5 * 8 * 60;
  expect(totalCost).toBe(5 * 10 * (1 + 8) * (20 + 60));
  expect(Math.max(...costs) - totalCost / count).toBeLessThanOrEqual(maxAllowedCostAboveMean);
  expect(runs.reduce((sum, runIndex) => sum + runIndex, 0)).toBe(200);
  if (4 * count * maxAllowedCostAboveMean <= totalCost)
    expect(Math.max(...countShardsPerHistory(shards))).toBe(1);
  expect(listRunIndicesByShard({ shards, runs, costs }).map(({ length }) => length)).toEqual(runs);
});

test('where there are few histories for each shard, the expensive ones are cut where shards meet', () => {
  const { shards, costs } = assignRunsToShards(plan, 40);
  const totalCost = costs.reduce((sum, cost) => sum + cost, 0);
  expect(Math.max(...countShardsPerHistory(shards))).toBeGreaterThan(1);
  expect(Math.max(...costs)).toBeLessThanOrEqual((1.5 * totalCost) / 40);
  // With more shards than groups of runs that share a history, no shard may cost more than one run.
  expect(Math.max(...assignRunsToShards(plan, 500).costs)).toBe(8 * 60);
});

test('jobs are made for few shards', () => {
  const { shards } = assignRunsToShards(plan, 4);
  const shardPairs = new Set(
    [...shards].map((shard, runIndex) => `${shard} ${plan.runs[runIndex].workload}`),
  );
  expect(shardPairs.size).toBeLessThanOrEqual(20 + 3);
});

test('what is done is in no shard, and the rest is distributed again', () => {
  const isDone = (runIndex: number) => runIndex % 3 === 0;
  const shardAssignment = assignRunsToShards(plan, 4, isDone);
  const runs = listRunIndicesByShard(shardAssignment).flatMap((list) => [...list]);
  expect(runs.sort((a, b) => a - b)).toEqual(
    Array.from({ length: 200 }, (_, runIndex) => runIndex).filter((run) => !isDone(run)),
  );
  expect(assignRunsToShards(plan, 4, () => true).runs).toEqual([0, 0, 0, 0]);
});

test('the plan of a part has its runs, and only the workloads and sources that they need', () => {
  const [runs] = listRunIndicesByShard(assignRunsToShards(plan, 7));
  const restrictedPlan = restrictPlanToRuns(plan, runs);
  expect(restrictedPlan.sha256).toBe(plan.sha256);
  expect(restrictedPlan.points.length).toBe(0);
  expect(restrictedPlan.workloads.length).toBeLessThan(plan.workloads.length / 2);
  expect(restrictedPlan.sources.length).toBe(restrictedPlan.workloads.length);
  [...runs].forEach((runIndex, index) => {
    const { workload, ...of } = restrictedPlan.runs[index];
    const runInWholePlan = plan.runs[runIndex];
    expect({ ...of, workload: runInWholePlan.workload }).toEqual(runInWholePlan);
    expect(restrictedPlan.workloads[workload]).toBe(plan.workloads[runInWholePlan.workload]);
    expect(restrictedPlan.sources[workload]).toBe(plan.sources[runInWholePlan.workload]);
  });
});
