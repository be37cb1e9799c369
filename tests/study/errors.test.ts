import { describe, expect, test } from 'vitest';
import { planStudy } from '../../host/runs/planStudy.js';
import { makeTestSampler } from '../cases.js';
import { runGridalloc, writeStudyFile } from '../runs/childProcess.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { parse, sentenceOf, VALID_STUDY_TEXT } from './goodStudy.js';

/** All errors in a study must be reported before anything runs, with file, line and key. */

const planAndGetErrorSentence = (studyText: string, trace?: string) =>
  sentenceOf(async () => planStudy(await parse(studyText), { trace }));

test('the study that the others are made from is valid', async () => {
  const { plan } = await planStudy(await parse(VALID_STUDY_TEXT));
  expect(plan.runs.length).toBe(4);
});

test('draws without a count take the labels of an axis, which must exist', async () => {
  const parseStudyWithDraws = (drawsText: string) => parse(`${VALID_STUDY_TEXT}draws: ${drawsText}\n`);
  expect(await sentenceOf(() => parseStudyWithDraws('{ axis: lod }'))).toBe(
    "my.yaml, line 14: unknown axis 'lod'; did you mean 'load'? Known: load, policy",
  );
  expect(await sentenceOf(() => parseStudyWithDraws('{ axis: load, count: 2 }'))).toBe(
    "my.yaml, line 14: 'load' is an axis already, whose values are the replications without count",
  );
});

describe('study files', () => {
  test.each([
    ['an unknown key', 'titel: T\n', "unknown key 'titel' in the study; did you mean 'title'?", 15],
    ['an unknown option', '  polcy: ai\n', "unknown option 'polcy'; did you mean 'policy'?", 7],
  ])('%s', async (_, line, sentence, number) => {
    const studyText = line.startsWith(' ')
      ? VALID_STUDY_TEXT.replace('axes:\n', `${line}axes:\n`)
      : VALID_STUDY_TEXT + line;
    const message = await sentenceOf(() => parse(studyText));
    expect(message).toContain(sentence);
    expect(message).toMatch(new RegExp(`^my.yaml, line ${number - (line.startsWith(' ') ? 0 : 1)}: `));
  });

  test.each([
    ['no YAML', 'load: [1, 2]', 'load: [1, 2', /^my.yaml, line \d+: /],
    ['an empty axis', 'load: [1, 2]', 'load: []', /^my.yaml, line 8: 'axes.load' is empty/],
    [
      'an unknown metric',
      'averageResponseTime',
      'averageResponsTime',
      /line 11: unknown metric .* did you mean 'averageResponseTime'/,
    ],
    ['an unknown axis', 'rows: load', 'rows: lod', /line 13: unknown axis 'lod'; did you mean 'load'/],
    [
      'an axis without a place',
      ', columns: policy',
      '',
      /line 13: the axis 'policy' of measure 'art' has several labels and no place/,
    ],
    ['an axis that nothing uses', "  load: '{load}'\n", '', /line 7: no option uses the axis 'load'/],
    [
      'a value too few of joined axes',
      '  load: [1, 2]',
      "  load+rc: ['1:0.5', '2']",
      /line 8: '2' is not a value of load and rc; expected 2 values with a colon between/,
    ],
    [
      'joined axes that nothing uses',
      '  load: [1, 2]',
      "  load+rc: ['1:0.5', '2:0.5']",
      /line 8: no option uses the axis 'rc'/,
    ],
    [
      'an axis in two places',
      '  load: [1, 2]',
      "  load: [1, 2]\n  load+rc: ['1:0.5', '2:0.5']",
      /'load' is on two axes/,
    ],
    ['a label twice', '[1, 2]', '[1, 1]', /line 8: '1' appears twice on the axis 'load'/],
    [
      'no metric',
      '{ metric: averageResponseTime }',
      '{ title: x }',
      /line 11: 'measures.art' needs the key 'metric'/,
    ],
    [
      'a wrong kind',
      'measures: art',
      'measures: art, total: 3',
      /line 13: 'tables.t.total' must be string, found 3/,
    ],
    [
      'measures compared with each other',
      'measures: art, rows: load, columns: policy',
      'measures: [art, art], rows: [load, policy], emphasize: least',
      /line 13: emphasize: least compares values of one measure.*; name in among .*, such as load/,
    ],
    [
      'values without end',
      '[1, 2]',
      '1..4000000000',
      /line 8: 1..4000000000 are 4,000,000,000 values; expected at most 1,000,000/,
    ],
    [
      'numbers beyond reach',
      '[1, 2]',
      '1..999999999999999999999',
      /line 8: .* is not a range; expected whole numbers/,
    ],
    ['a step of nothing', '[1, 2]', '0..1:0', /line 8: 0..1:0 is not a range; expected .* a step above 0/],
    ['parts without a step', '[1, 2]', '0.5..2', /line 8: 0.5..2 is not a range/],
    [
      'a value that holds itself',
      'title: T',
      'notes: &n [*n]\ntitle: T',
      /^my.yaml: values lie more than 100 levels deep/,
    ],
    [
      'values too deep',
      'title: T',
      `x: ${'['.repeat(20000)}\ntitle: T`,
      /^my.yaml: values lie more than 100 levels deep/,
    ],
    [
      'aliases of aliases',
      'title: T',
      `${['a: &a [1,1,1,1,1,1,1,1,1]', ...Array.from('bcdefghi', (name, i) => `${name}: &${name} [${Array(9).fill(`*${'abcdefghi'[i]}`)}]`)].join('\n')}\ntitle: T`,
      /^my.yaml: its aliases .* expand to too much/,
    ],
    [
      'names of files that differ only in capitals',
      'tables:',
      'tables:\n  T: { title: T, measures: art, rows: load, columns: policy }',
      /line 14: 'T' and 't' differ only in capitals/,
    ],
    ['an unknown measure', 'measures: art', 'measures: at', /line 13: unknown measure 'at'/],
    [
      'an unknown label',
      'rows: load',
      'where: { policy: ai3 }, rows: load',
      /line 13: unknown label of policy 'ai3'; did you mean 'ai2'/,
    ],
  ])('%s', async (_, textBefore, textAfter, expected) => {
    expect(VALID_STUDY_TEXT).toContain(textBefore);
    expect(await sentenceOf(() => parse(VALID_STUDY_TEXT.replace(textBefore, textAfter)))).toMatch(expected);
  });
});

describe('settings', () => {
  test.each([
    ['an unknown policy', 'ai2]', 'ai9]', /^my.yaml, line 9: unknown policy 'ai9'; did you mean 'ai'/],
    [
      'a policy without that parameter',
      'ai2]',
      "'ai2[sht=1]']",
      /^my.yaml, line 9: policy 'ai2' has no parameters/,
    ],
    [
      'a wrong parameter',
      'ai2]',
      "'ti[sth=1]']",
      /^my.yaml, line 9: unknown parameter of ti 'sth'; did you mean 'sht'/,
    ],
    [
      'a load of 0',
      '[1, 2]',
      '[1, 0]',
      /^my.yaml, line 8: load, entry 1: expected a number above 0, found '0'/,
    ],
    ['no workload', '  workload: lublin99[jobs=100]\n', '', /line 2: simulate needs a workload/],
    ['a placeholder without axis', "'{load}'", "'{lod}'", /line 8: no option uses the axis 'load'/],
    [
      'a log that is not given',
      'lublin99[jobs=100]',
      '$TRACE',
      /line 3: this study needs a job log; name it with --trace/,
    ],
    [
      'a log that is not there',
      'lublin99[jobs=100]',
      'nowhere.swf',
      /^my.yaml, at load 1, policy best-fit: .*nowhere.swf/,
    ],
    [
      'a wrong number of speeds',
      '  load:',
      '  speeds: 1,2\n  load:',
      /at load 1, policy best-fit: speeds: found 2 values for a grid of 3 sites; give one value per site$/,
    ],
    ['jobs too wide', '64,128,128', '64,64,64', /at load 1, policy best-fit: .*too large for the grid/],
  ])('%s', async (_, textBefore, textAfter, expected) => {
    expect(VALID_STUDY_TEXT).toContain(textBefore);
    expect(await planAndGetErrorSentence(VALID_STUDY_TEXT.replace(textBefore, textAfter))).toMatch(expected);
  });

  test.runIf(makeTestSampler(4)())('many simulations must be asked for', async () => {
    // With any number of settings, planning must stop as soon as the limit is exceeded.
    const studyTextWithManyLoads = VALID_STUDY_TEXT.replace('[1, 2]', '1..1000000');
    const message =
      'this study has more than 20,000 simulations in its 2,000,000 settings; give --yes to run them';
    expect(await planAndGetErrorSentence(studyTextWithManyLoads)).toBe(message);
  });
});

describe('the command line', () => {
  const folder = makeTemporaryFolder();
  const file = writeStudyFile(folder, VALID_STUDY_TEXT);

  test.each([
    [['study', 'run', 'shih2010-table99'], "unknown study 'shih2010-table99'; did you mean 'shih2010-table"],
    [
      ['study', 'run', 'nowhere.yaml'],
      'the study file nowhere.yaml does not exist; check its path, or give a name of gridalloc study list',
    ],
    [
      ['study', 'run', 'shih2010-table5', '--out', folder],
      'this study needs a job log; name it with --trace',
    ],
    [['study', 'run', file, '--out', folder], 'is not empty (it contains small.yaml)'],
    [['study', 'run', file, '--out', `${file}/x`], 'is not a folder, or is below a file'],
    [['study', 'run', file, '--out', '/proc/none/x'], '/proc/none/x cannot be made; give another folder'],
    [
      ['study', 'run', file, '--draws', '3'],
      'this study has no number of replications that could be changed',
    ],
    [
      ['study', 'run', file, '--shard', '4/3'],
      "--shard: expected a part and their number, such as 2/3, found '4/3'",
    ],
    [['study', 'run', file, '--set', 'polcy=ai'], "unknown option 'polcy'; did you mean 'policy'?"],
    [['study', 'merge', folder], 'holds no study'],
    [['sweep', 'lublin99'], 'needs --vary'],
    [['sweep', 'lublin99', '--vary', 'load'], "--vary: expected name=value,value,..., found 'load'"],
    [['sweep', 'lublin99', '--vary', 'load='], '--vary load: there is no value'],
    [
      ['sweep', 'lublin99', '--vary', 'lod=1,2'],
      "--vary lod: no option uses the axis 'lod'; did you mean 'load'? Else write {lod}",
    ],
    [['sweep', 'lublin99', '--vary', 'load=1,2', '--metric', 'awr'], "--metric: unknown metric 'awr'"],
    [
      ['sweep', 'lublin99', '--sites', '128,128', '--vary', 'load=1,2', '--metric', 'site3Utilization'],
      "--metric: the metric 'site3Utilization' refers to a site that does not exist; the grid has 2 sites",
    ],
    [['sweep', 'lublin99', '--vary', 'policy=ai,aj'], "--vary policy: unknown policy 'aj'"],
    [['sweep', 'lublin99', '--vary', 'load=1,x'], '--vary load: load, entry 1: expected a number above 0'],
    [['sweep', 'lublin99', '--vary', 'my_load=1,2'], '--vary'],
  ])('%j', async (commandWords, sentence) => {
    const { exitCode, stderr, stdout } = await runGridalloc(commandWords as string[]);
    expect(stderr).toContain(sentence);
    expect(stderr.trimEnd().split('\n').length).toBe(1);
    expect(stdout).toBe('');
    expect(exitCode).toBe(2);
  });
});
