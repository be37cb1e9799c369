import { expect, test } from 'vitest';
import { addParsedOptionTexts } from '../../host/options/options.js';
import { joinEqualRunsOfPlans } from '../../host/runs/joinedRuns.js';
import { planStudy } from '../../host/runs/planStudy.js';
import {
  makeReplicatedJobsRecipe,
  makeReplicationRuns,
  type ReplicatedExperiment,
  ReplicatedJobsMaker,
} from '../../host/runs/replications.js';
import {
  groupRunsByHistory,
  type RunList,
  runListInThisThread,
  splitRunHistory,
} from '../../host/runs/runList.js';
import { Results } from '../../host/study/results.js';
import { parseStudy } from '../../host/study/study.js';
import { makeModelTrace } from '../../host/workload/models.js';
import { STUDY_TEXT_WITH_DRAWS as STUDY } from '../study/drawnStudy.js';

/** Runs with a common history, and their distribution over threads. */

async function planOfText(studyText: string, metric = 'averageResponseTime') {
  return planStudy(await parseStudy(studyText.replace('averageResponseTime', metric), 's.yaml'));
}

const groupAllRunsByHistory = (runList: RunList, areRunsShared = true) =>
  groupRunsByHistory(runList, runList.runs.keys(), areRunsShared);

const runCountsOfHistories = (runList: RunList, areRunsShared = true) =>
  [...groupAllRunsByHistory(runList, areRunsShared).values()].map((histories) =>
    histories.map(({ length }) => length),
  );

test('runs that differ in nothing but their policies are one history; all of the same jobs are side by side', async () => {
  const plannedStudy = await planOfText(STUDY);
  const joinedRuns = joinEqualRunsOfPlans([plannedStudy], true);
  const { runs } = joinedRuns;
  expect(runCountsOfHistories(joinedRuns)).toEqual([
    [5, 5, 5, 5],
    [5, 5, 5, 5],
  ]);
  for (const [workload, histories] of groupAllRunsByHistory(joinedRuns)) {
    for (const history of histories) {
      const runsOfHistory = history.map((runIndex) => runs[runIndex]);
      expect(
        new Set(runsOfHistory.map(({ common: commonParameters }) => JSON.stringify(commonParameters))).size,
      ).toBe(1);
      expect(new Set(runsOfHistory.map(({ policy }) => policy)).size).toBe(history.length);
      for (const run of runsOfHistory) expect(run.workload).toBe(workload);
    }
  }
  expect(runCountsOfHistories(joinedRuns, false)).toEqual([Array(20).fill(1), Array(20).fill(1)]);
});

test('runs of several studies are one history where what is kept of them is the same', async () => {
  const firstStudyPlan = await planOfText(STUDY);
  const secondStudyPlan = await planOfText(STUDY.replace('BF: best-fit', 'FF: fastest-first'));
  // Four of the five policies are in both studies and are simulated once.
  const joinedRuns = joinEqualRunsOfPlans([firstStudyPlan, secondStudyPlan], true);
  expect([joinedRuns.runs.length, joinedRuns.total]).toEqual([48, 48]);
  expect(joinedRuns.requests.filter(({ owners }) => owners.length === 2).length).toBe(32);
  expect(runCountsOfHistories(joinedRuns)).toEqual([
    [6, 6, 6, 6],
    [6, 6, 6, 6],
  ]);
  const ofJobs = await planOfText(STUDY, 'p95Wait');
  expect(runCountsOfHistories(joinEqualRunsOfPlans([firstStudyPlan, ofJobs], true))[0]).toEqual(
    Array(8).fill(5),
  );
});

test('results that one study holds are known to the others, unless nothing is shared', async () => {
  const plans = [await planOfText(STUDY), await planOfText(STUDY)];
  const studyResults = plans.map(({ plan }) => new Results('simulations', plan));
  studyResults[1].set(3, [1, 2]);
  const { runs, requests, known, total } = joinEqualRunsOfPlans(plans, true, studyResults);
  expect([runs.length, total]).toEqual([40, 40]);
  expect([...known]).toEqual([[3, [1, 2]]]);
  expect([runs[3].id, requests[3].owners]).toEqual([plans[0].plan.runs[3].id, [0]]);
  const separateRuns = joinEqualRunsOfPlans(plans, false, studyResults);
  expect([separateRuns.runs.length, separateRuns.total, separateRuns.known.size]).toEqual([79, 80, 0]);
  expect(separateRuns.requests.every(({ owners }) => owners.length === 1)).toBe(true);
});

test.each([
  [10, 3, [3, 3, 4]],
  [2, 5, [1, 1]],
  [7, 1, [7]],
])('%d runs cut in %d', (count, pieceCount, expected) => {
  const runs = Array.from({ length: count }, (_, i) => i);
  const piecesOfHistory = splitRunHistory(runs, pieceCount);
  expect(piecesOfHistory.map(({ length }) => length)).toEqual(expected);
  expect(piecesOfHistory.flat()).toEqual(runs);
});

test('methods of a comparison share their histories, with the values that each has alone', () => {
  const modelNotation = 'lublin99[aarr=9,jobs=400]';
  const experiment: ReplicatedExperiment = {
    settings: addParsedOptionTexts({ workload: modelNotation }, { speeds: '1,2,1.5', estimates: 'exact' }),
    loaded: makeModelTrace(modelNotation),
    grid: { capacities: [64, 64, 128] },
    methods: [
      { policy: 'best-fit' },
      { discipline: 'sjf', policy: 'ai2' },
      { policy: 'tai2[slt=1.5]' },
      { policy: 'fastest-first' },
      { policy: 'random' },
    ].map((methodOptions) => addParsedOptionTexts({}, methodOptions)),
  };
  const jobs = new ReplicatedJobsMaker(structuredClone(makeReplicatedJobsRecipe(experiment)));
  const valuesOf = (planOfValues: ReplicatedExperiment, replication: number, isShared: boolean) =>
    runListInThisThread(
      makeReplicationRuns(planOfValues, [], replication, replication),
      (workloadIndex) => jobs.simulator(workloadIndex),
      isShared,
    );
  for (const replication of [1, 2]) {
    const valuesOfEachMethodAlone = experiment.methods.flatMap((method) =>
      valuesOf({ ...experiment, methods: [method] }, replication, true),
    );
    expect(valuesOf(experiment, replication, true)).toEqual(valuesOfEachMethodAlone);
    expect(valuesOf(experiment, replication, false)).toEqual(valuesOfEachMethodAlone);
  }
});
