import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { planStudy } from '../../host/runs/planStudy.js';
import { parseStudy } from '../../host/study/study.js';
import type { Report } from '../../host/view/report.js';
import type { DetailedCell } from '../../host/view/table.js';
import { runGridalloc, writeStudyFile } from '../runs/childProcess.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';

/** Tests studies with metrics by home site, orders of speeds as an axis, and checks against a bound. */

// Site 1 has two jobs that need its 4 processors for 100 s each, site 2 one job of 10 s; site 3 is
// no job's home.
const LOG = `; MaxProcs: 8
1 0 -1 100 4 -1 -1 4 -1 -1 1 1 1 -1 1 -1 -1 -1
2 0 -1 100 4 -1 -1 4 -1 -1 1 1 1 -1 1 -1 -1 -1
3 50 -1 10 8 -1 -1 8 -1 -1 1 1 1 -1 2 -1 -1 -1
`;

const STUDY_TEXT = `title: T
simulate: { workload: $TRACE, sites: '4,8,2', speeds: '1,1,1' }
parts:
  alone: { simulate: { queue: independent } }
  shared: { simulate: { policy: worst-fit } }
measures:
  response: { metric: averageResponseTimeByHome, decimals: 0 }
  gain:
    metric: averageResponseTimeByHome
    steps: [improvement: { over: part, on: [alone] }]
    format: percent
tables:
  t: { title: T, measures: response, rows: part, columns: home site }
  g: { title: G, measures: gain, rows: home site, columns: part, emphasize: negative }
checks:
  - { sentence: nobody loses, measure: gain, where: { part: shared }, atLeast: 0 }
  - { sentence: at most 150 s, measure: response, where: { part: alone, home site: [site 1, site 2] }, atMost: 150 }
`;

test('response times by home site, which site loses, and a bound', async () => {
  const folder = makeTemporaryFolder();
  const logFile = writeStudyFile(folder, LOG, 'log.swf');
  const resultFolder = join(folder, 'out');
  const commandWords = [
    'study',
    'run',
    writeStudyFile(folder, STUDY_TEXT),
    '--trace',
    logFile,
    '--out',
    resultFolder,
    '--quiet',
  ];
  const { exitCode, stderr } = await runGridalloc(commandWords);
  expect([exitCode, stderr]).toEqual([0, '']);
  const { tables, checks } = JSON.parse(readFileSync(join(resultFolder, 'report.json'), 'utf8')) as Report;
  // Independent: (100 + 200 + 10) / 3, 150, 10. Shared: both jobs of site 1 start at once, one of
  // them on site 2, whose own job then waits.
  const cellValues = tables[0].rows.map((cellRow) =>
    cellRow.slice(1).map((cell) => Math.round(Number((cell as DetailedCell).value))),
  );
  expect(tables[0].columns.map(({ title: columnTitle }) => columnTitle)).toEqual([
    'part',
    'entire grid',
    'site 1',
    'site 2',
  ]);
  expect(cellValues).toEqual([
    [103, 150, 10],
    [87, 100, 60],
  ]);
  const rowsWithEmphasizedCell = tables[1].rows.filter((cellRow) =>
    cellRow.some((cell) => (cell as DetailedCell).isEmphasized),
  );
  expect(rowsWithEmphasizedCell.map(([home]) => home)).toEqual(['site 2']);
  expect(checks.map(({ verdict, evidence }) => [verdict, evidence])).toEqual([
    ['contradicted', 'confirmed in 2 of 3 settings, not in site 2'],
    ['confirmed', 'confirmed in 2 of 2 settings'],
  ]);
});

const errorMessageOfChangedStudy = async (textBefore: string, textAfter: string): Promise<string> => {
  expect(STUDY_TEXT).toContain(textBefore);
  try {
    await parseStudy(STUDY_TEXT.replace(textBefore, textAfter), 's.yaml');
  } catch (error) {
    return (error as Error).message;
  }
  return 'nothing was refused';
};

test.each([
  ['[site 1, site 2]', '[site1]', "line 17: unknown label of home site 'site1'"],
  ['columns: home site', 'caption: none', "line 13: the axis 'home site' of measure 'response' has several"],
  ['atLeast: 0', 'atLeast: none', "line 16: 'checks.0.atLeast' must be number"],
  [', atLeast: 0', '', "or 'measure' and one of 'atLeast' and 'atMost'"],
])('%s as %s is refused', async (textBefore, textAfter, sentence) => {
  expect(await errorMessageOfChangedStudy(textBefore, textAfter)).toContain(sentence);
});

const makeStudyTextWithPermutations = (listText: string) => `title: T
simulate: { workload: 'lublin99[jobs=20]', sites: '128,128,128', speeds: '{speeds}' }
axes: { speeds: 'permutations[${listText}]' }
measures: { m: { metric: averageResponseTime } }
`;

test('permutations are all orders, each once', async () => {
  const { plan } = await planStudy(await parseStudy(makeStudyTextWithPermutations('1, 3,5'), 's.yaml'));
  expect([...plan.points].map(({ labels: pointLabels }) => pointLabels[0])).toEqual([
    '1,3,5',
    '1,5,3',
    '3,1,5',
    '3,5,1',
    '5,1,3',
    '5,3,1',
  ]);
  expect([...plan.runs].map(({ common: commonParameters }) => commonParameters.speeds[0])).toEqual([
    1, 1, 3, 3, 5, 5,
  ]);
  const studyPlanWithPermutations = await planStudy(
    await parseStudy(makeStudyTextWithPermutations('2,2,1'), 's.yaml'),
  );
  expect([...studyPlanWithPermutations.plan.points].map(({ labels: pointLabels }) => pointLabels[0])).toEqual(
    ['2,2,1', '2,1,2', '1,2,2'],
  );
  await expect(parseStudy(makeStudyTextWithPermutations('1,2,3,4,5,6,7,8,9'), 's.yaml')).rejects.toThrow(
    's.yaml, line 3: permutations of 9 values are too many; expected at most 8 values',
  );
});

test('whatever is as bad as the worst is last', async () => {
  const folder = makeTemporaryFolder();
  const studyText = `title: T
simulate: { workload: 'lublin99[jobs=50,seed=2]', sites: '128', runtime-scale: '{scale}' }
axes: { scale: [1, 2, 3], load: [1] }
measures:
  last: { metric: averageResponseTime, steps: [standing: { over: scale, of: OWN, is: [last] }], decimals: 0 }
tables:
  t: { title: T, measures: last, rows: load }
`.replace("runtime-scale: '{scale}'", "runtime-scale: '{scale}', load: '{load}'");
  const shareOfStandingLast = async (scaleLabel: number) => {
    const file = writeStudyFile(folder, studyText.replace('OWN', String(scaleLabel)), `${scaleLabel}.yaml`);
    const { stdout } = await runGridalloc([
      'study',
      'run',
      file,
      '--out',
      join(folder, `${scaleLabel}`),
      '--json',
    ]);
    const { tables } = JSON.parse(stdout) as { tables: Report['tables'] };
    return (tables[0].rows[0][1] as DetailedCell).value;
  };
  expect([await shareOfStandingLast(1), await shareOfStandingLast(3)]).toEqual([0, 1]);
});
