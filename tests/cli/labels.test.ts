import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runGridalloc } from '../runs/childProcess.js';
import { makeSmallLogText } from '../smallStudies.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';

const folder = makeTemporaryFolder();
const logFile = join(folder, 'small.swf');
writeFileSync(logFile, makeSmallLogText());
const COMPARE_WORDS = [
  'compare',
  logFile,
  '--discipline',
  'fcfs,easy',
  '--replications',
  '10',
  '--threads',
  '1',
];
const LABEL_WORDS = ['--label', 'easy=EASY of Lifka', '--label', 'fcfs=First come'];

const readTextsOfFiles = (resultFolder: string, subfolder: string, fileEnding: RegExp) =>
  readdirSync(join(resultFolder, subfolder)).flatMap((name) =>
    fileEnding.test(name) ? [readFileSync(join(resultFolder, subfolder, name), 'utf8')] : [],
  );

test('labels replace the names of methods in tables, figures, LaTeX, methods.md and the page, not in values', async () => {
  const resultFolder = join(folder, 'labelled');
  const { exitCode, stdout, stderr } = await runGridalloc([
    ...COMPARE_WORDS,
    ...LABEL_WORDS,
    '--out',
    resultFolder,
  ]);
  expect(exitCode, stderr).toBe(0);
  expect(stdout).toMatch(/^EASY of Lifka /m);
  expect(stdout).not.toMatch(/^easy |^fcfs /m);
  for (const fileText of [
    ...readTextsOfFiles(resultFolder, 'tables', /\.(?:tex|md|csv)$/),
    ...readTextsOfFiles(resultFolder, 'figures', /\.(?:svg|csv)$/),
  ]) {
    expect(fileText).toContain('EASY of Lifka');
    expect(fileText).not.toMatch(/\beasy\b/);
  }
  const methods = readFileSync(join(resultFolder, 'methods.md'), 'utf8');
  expect(methods).toContain('Names of methods: First come: fcfs; EASY of Lifka: easy.');
  expect(methods).toContain('We compared 2 methods: First come and EASY of Lifka');
  expect(readFileSync(join(resultFolder, 'values.csv'), 'utf8')).not.toContain('EASY of Lifka');
  expect(readFileSync(join(resultFolder, 'comparison.json'), 'utf8')).not.toContain('EASY of Lifka');
});

test('a folder is shown with other labels, and its results stay', async () => {
  const resultFolder = join(folder, 'later');
  await runGridalloc([...COMPARE_WORDS, '--out', resultFolder, '-q']);
  const reportJsonBeforeLabels = readFileSync(join(resultFolder, 'report.json'), 'utf8');
  const { exitCode, stderr } = await runGridalloc(['report', resultFolder, ...LABEL_WORDS]);
  expect(exitCode, stderr).toBe(0);
  const page = readFileSync(join(resultFolder, 'report.html'), 'utf8');
  expect(page).toContain('EASY of Lifka is');
  for (const tableText of readTextsOfFiles(resultFolder, 'tables', /\.tex$/))
    expect(tableText).toContain('EASY of Lifka');
  expect(readFileSync(join(resultFolder, 'report.json'), 'utf8')).toBe(reportJsonBeforeLabels);
  const repeatedRunResult = await runGridalloc([...COMPARE_WORDS, ...LABEL_WORDS, '--out', resultFolder]);
  expect(repeatedRunResult.stdout).toMatch(/^EASY of Lifka /m);
});

test('JSON keeps the names, and tables of logs and sweeps have labels', async () => {
  const { stdout } = await runGridalloc([...COMPARE_WORDS, ...LABEL_WORDS, '--json']);
  expect(JSON.parse(stdout).rows.map(({ name }: { name: string }) => name)).toEqual(['fcfs', 'easy']);
  const sweep = ['sweep', logFile, '--vary', 'discipline=fcfs,easy', '--vary', 'load=1,2', '--threads', '1'];
  const sweepResult = await runGridalloc([...sweep, ...LABEL_WORDS, '--out', join(folder, 'sweep')]);
  expect(sweepResult.stdout).toContain('EASY of Lifka');
  expect(sweepResult.stdout).not.toMatch(/^easy\b/m);
});

test('labels of no method, shared labels and other texts are refused', async () => {
  const runForErrorMessage = async (...commandWords: string[]) => {
    const { exitCode, stderr } = await runGridalloc(commandWords);
    expect(exitCode).toBe(2);
    return stderr;
  };
  expect(await runForErrorMessage(...COMPARE_WORDS, '--label', 'esay=E')).toContain(
    "unknown method of --label 'esay'; did you mean 'easy'?",
  );
  expect(await runForErrorMessage(...COMPARE_WORDS, '--label', 'easy=fcfs')).toContain(
    'two methods would be called fcfs',
  );
  expect(await runForErrorMessage(...COMPARE_WORDS, '--label', 'easy')).toContain('expected NAME=TEXT');
  expect(await runForErrorMessage(...COMPARE_WORDS, '--label', 'easy=a', '--label', 'easy=b')).toContain(
    'names easy twice',
  );
});

function expectLabelsInFolder(resultFolder: string): void {
  for (const tableText of readTextsOfFiles(resultFolder, 'tables', /\.tex$/))
    expect(tableText).toContain('EASY of Lifka');
  expect(readFileSync(join(resultFolder, 'report.html'), 'utf8')).toContain('EASY of Lifka');
}

const SWEEP_WORDS = [
  'sweep',
  logFile,
  '--vary',
  'discipline=fcfs,easy',
  '--vary',
  'load=1,2',
  '--threads',
  '1',
];

test.each([
  ['compare', COMPARE_WORDS],
  ['sweep', SWEEP_WORDS],
])('the folder of %s keeps the labels: run again', async (name, commandWords) => {
  const wholeStudyFolder = join(folder, `${name}-whole`);
  expect(
    await runGridalloc([...commandWords, ...LABEL_WORDS, '--out', wholeStudyFolder, '-q']),
  ).toMatchObject({
    exitCode: 0,
    stderr: '',
  });
  expect(await runGridalloc(['study', 'run', wholeStudyFolder, '-q'])).toMatchObject({
    exitCode: 0,
    stderr: '',
  });
  expectLabelsInFolder(wholeStudyFolder);
  const { command } = JSON.parse(readFileSync(join(wholeStudyFolder, 'plan.json'), 'utf8'));
  expect(command.join(' ')).toContain(`${LABEL_WORDS[0]} ${LABEL_WORDS[1]}`);
  const otherLabelWords = ['--label', 'easy=EASY of another paper'];
  expect(await runGridalloc(['study', 'run', wholeStudyFolder, ...otherLabelWords, '-q'])).toMatchObject({
    exitCode: 0,
  });
  expect(readFileSync(join(wholeStudyFolder, 'report.html'), 'utf8')).toContain('EASY of another paper');
});

test('shards that are merged have the labels of the command that cut them', async () => {
  const unfinishedStudyFolder = join(folder, 'cut');
  expect(
    await runGridalloc([
      ...SWEEP_WORDS,
      ...LABEL_WORDS,
      '--out',
      unfinishedStudyFolder,
      '--shards',
      '2',
      '-q',
    ]),
  ).toMatchObject({
    exitCode: 0,
  });
  for (const shard of ['1/2', '2/2'])
    expect(await runGridalloc(['study', 'run', unfinishedStudyFolder, '--shard', shard, '-q'])).toMatchObject(
      {
        exitCode: 0,
      },
    );
  expect(await runGridalloc(['study', 'merge', unfinishedStudyFolder, '-q'])).toMatchObject({
    exitCode: 0,
    stderr: '',
  });
  expectLabelsInFolder(unfinishedStudyFolder);
});
