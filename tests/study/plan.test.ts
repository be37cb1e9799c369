import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findStudyFile, includedStudyNames, planStudy } from '../../host/runs/planStudy.js';
import { listAxisNamesOfStudy } from '../../host/study/expand.js';
import { parseStudy } from '../../host/study/study.js';
import { STUDY_TEXT_WITH_DRAWS as STUDY } from './drawnStudy.js';

/** Runs that a study needs, and their names. */

const planRunsAndNames = async (studyText: string, drawCount?: number) =>
  (await planStudy(await parseStudy(studyText, 's.yaml', { draws: drawCount }))).plan;

test('settings are in the order of the axes, lists within options last; equal sites are drawn once', async () => {
  const { axes: axisNames, points: studyPoints, runs } = await planRunsAndNames(STUDY);
  expect(axisNames).toEqual(['seed', 'sh', 'policy', 'draw', 'variant']);
  expect(studyPoints.length).toBe(2 * 2 * 5 * 3);
  expect(runs.length).toBe(2 * 5 * (1 + 3));
  expect(studyPoints.slice(0, 8).map(({ labels: pointLabels, run }) => [...pointLabels, run])).toEqual([
    [1, 0, 'BF', 1, '', 0],
    [1, 0, 'BF', 2, '', 0],
    [1, 0, 'BF', 3, '', 0],
    [1, 0, 'TI', 1, 'ti[sht=0.05,slt=1]', 1],
    [1, 0, 'TI', 1, 'ti[sht=0.05,slt=2]', 2],
    [1, 0, 'TI', 1, 'ti[sht=0.1,slt=1]', 3],
    [1, 0, 'TI', 1, 'ti[sht=0.1,slt=2]', 4],
    [1, 0, 'TI', 2, 'ti[sht=0.05,slt=1]', 1],
  ]);
});

test('the same study has the same run ids; an id does not depend on the position of its run', async () => {
  const [firstPlan, samePlan] = [await planRunsAndNames(STUDY), await planRunsAndNames(STUDY)];
  expect(samePlan).toEqual(firstPlan);
  const planWithMoreReplications = await planRunsAndNames(STUDY, 4);
  const planWithReversedAxis = await planRunsAndNames(STUDY.replace('sh: [0, 0.1]', 'sh: [0.1, 0]'));
  const ids = new Set(planWithMoreReplications.runs.map(({ id: runId }) => runId));
  for (const { id: runId } of firstPlan.runs) expect(ids.has(runId)).toBe(true);
  expect(planWithReversedAxis.runs.map(({ id: runId }) => runId).sort()).toEqual(
    firstPlan.runs.map(({ id: runId }) => runId).sort(),
  );
  expect(planWithReversedAxis.sha256).not.toBe(firstPlan.sha256);
});

test('other jobs, speeds, policies or rules are other runs', async () => {
  const planRunIds = async (textBefore: string, textAfter: string) => {
    expect(STUDY).toContain(textBefore);
    return (await planRunsAndNames(STUDY.replace(textBefore, textAfter))).runs.map(({ id: runId }) => runId);
  };
  const runIdsOfUnchangedStudy = new Set((await planRunsAndNames(STUDY)).runs.map(({ id: runId }) => runId));
  for (const [textBefore, textAfter] of [
    ['jobs=200', 'jobs=201'],
    ['8,128,128', '9,128,128'],
    ["policy: '{policy}'", "policy: '{policy}'\n  load: 2"],
    ["policy: '{policy}'", "policy: '{policy}'\n  time-resolution: floor"],
    ["policy: '{policy}'", "policy: '{policy}'\n  instant: batched"],
  ]) {
    for (const id of await planRunIds(textBefore, textAfter))
      expect(runIdsOfUnchangedStudy.has(id)).toBe(false);
  }
});

test('parts have their own axes; an axis that a part lacks is empty there', async () => {
  const { axes: axisNames, points: studyPoints } = await planRunsAndNames(`
title: T
simulate: { sites: '8,128', policy: best-fit }
parts:
  A: { simulate: { workload: 'lublin99[jobs=50,aarr={gap}]' }, axes: { gap: [9, 10] } }
  B: { simulate: { workload: 'feitelson96[jobs=50]', load: '{load}' }, axes: { load: [1, 2] } }
measures:
  art: { metric: averageResponseTime }
`);
  expect(axisNames).toEqual(['part', 'gap', 'load']);
  expect(studyPoints.map(({ labels: pointLabels }) => pointLabels)).toEqual([
    ['A', 9, null],
    ['A', 10, null],
    ['B', null, 1],
    ['B', null, 2],
  ]);
});

test('every study that comes with the program is well formed', async () => {
  const studyNames = includedStudyNames();
  expect(studyNames.length).toBeGreaterThanOrEqual(12);
  for (const studyName of studyNames) {
    const study = await parseStudy(readFileSync(findStudyFile(studyName), 'utf8'), `${studyName}.yaml`);
    expect(study.source).not.toBe('');
    expect(listAxisNamesOfStudy(study).length).toBeGreaterThan(0);
  }
});

test.each([
  ['0.5..0.8:0.1', [0.5, 0.6, 0.7, 0.8]],
  ['2..1:0.25', [2, 1.75, 1.5, 1.25, 1]],
  ['3..-1', [3, 2, 1, 0, -1]],
  ['1..10:4', [1, 5, 9]],
  ['1e3..2e3:5e2', [1000, 1500, 2000]],
  ['1e-7..3e-7:1e-7', [1e-7, 2e-7, 3e-7]],
  ['70%..90%:10%', [0.7, 0.8, 0.9]],
  ['30m..1h30m:30m', [1800, 3600, 5400]],
])('the range %s', async (range, values) => {
  const study = await parseStudy(
    STUDY.replace(/^axes:$/m, `axes:\n  load: ${range}`).replace(
      /^simulate:$/m,
      "simulate:\n  load: '{load}'",
    ),
    's.yaml',
  );
  const [load] = study.parts[0].axes.filter(({ name: axisName }) => axisName === 'load');
  expect(load.entries.map(({ label: valueLabel }) => valueLabel)).toEqual(values);
});

test('values that go together are one axis, which fills several places', async () => {
  const makeStudyText = (axis: string) => `
title: Joined
simulate: { workload: 'lublin99[jobs=50]', sites: '{sites}', speeds: '{speeds}', load: '{load}' }
axes:
  ${axis}
  load: [1, 2]
measures: { art: { metric: averageResponseTime } }
tables: { t: { title: T, measures: art, rows: 'sites+speeds', columns: load } }
`;
  const {
    axes: axisNames,
    points: studyPoints,
    runs,
  } = await planRunsAndNames(makeStudyText("sites+speeds: ['128:1', '128,128:1,2']"));
  expect(axisNames).toEqual(['sites+speeds', 'load']);
  expect(studyPoints.map(({ labels: pointLabels }) => pointLabels)).toEqual([
    ['128:1', 1],
    ['128:1', 2],
    ['128,128:1,2', 1],
    ['128,128:1,2', 2],
  ]);
  expect(studyPoints.map(({ run }) => [runs[run].common.sites, runs[run].common.speeds])).toEqual([
    [[128], [1]],
    [[128], [1]],
    [
      [128, 128],
      [1, 2],
    ],
    [
      [128, 128],
      [1, 2],
    ],
  ]);
  const planWithNamedLabels = await planRunsAndNames(
    makeStudyText("sites+speeds: { one: '128 : 1', two: '128,128 : 1,2' }"),
  );
  expect(planWithNamedLabels.points.map(({ labels: [label] }) => label)).toEqual([
    'one',
    'one',
    'two',
    'two',
  ]);
  expect(planWithNamedLabels.runs.map(({ id: runId }) => runId)).toEqual(runs.map(({ id: runId }) => runId));
});
