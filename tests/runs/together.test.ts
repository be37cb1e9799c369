import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { expandStudyName, includedCollectionNames, includedStudyNames } from '../../host/runs/planStudy.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import {
  readFilesWithoutJournal,
  readJournalRunIds,
  runGridalloc,
  runGridallocProcess,
  writeStudyFile,
} from './childProcess.js';

/**
 * Studies that run together must leave the same folders as when run alone, with or without common
 * histories, and after any interruption.
 */

const makeStudyText = (title: string, policies: string, metric: string) => `
title: ${title}
simulate:
  workload: lublin99[aarr={aarr},jobs=3000,seed=1]
  sites: 8,128,128,128,50
  speeds: draw[sh={sh},seed=1]
  policy: '{policy}'
  estimates: exact
axes:
  aarr: [9.5, 8.5]
  sh: [0.06, 0.24]
  policy: [${policies}]
measures:
  art: { metric: ${metric}, steps: [least: variant] }
tables:
  art: { title: Response, measures: art, rows: policy, columns: sh, where: { aarr: 9.5 } }
checks:
  - { sentence: nothing is negative, measure: art, atLeast: 0 }
`;
const ONE = makeStudyText(
  'One',
  "best-fit, fastest-first, 'tai2[sht=0.05|0.1,slt=1|1.5|2]'",
  'averageResponseTime',
);
/** A study whose setting needs more memory than those with which it shares its jobs. */
const OTHER_STUDY_TEXT = makeStudyText(
  'Other',
  "best-fit, si, ai, ai2, 'tai2[sht=0.05,slt=1|2.5]', 'dynamic[candidates=best-fit[discipline=easy]+tai2]'",
  'averageResponseTime',
);
const STUDY_TEXT_WITH_JOB_METRICS = makeStudyText('Of jobs', "best-fit, 'ti[slt=1|2]'", 'p95Wait');
/**
 * Number of simulations: 4 settings of 8, 7 and 3 policies; two of the second study are also in the
 * first, and the third stores other metrics.
 */
const SIMULATION_COUNT = 4 * (8 + (7 - 2) + 3);

const NAMES = ['one', 'other', 'ofJobs'];
let folder: string;
let files: string[];
let expected: Record<string, Record<string, string>>;
const run = (resultFolder: string, commandWords: readonly string[], ...options: string[]) =>
  runGridalloc([
    'study',
    'run',
    ...commandWords,
    '--out',
    join(folder, resultFolder),
    '--threads',
    '2',
    ...options,
  ]);
const readFilesOfStudyFolders = (resultFolder: string) =>
  Object.fromEntries(NAMES.map((name) => [name, readFilesWithoutJournal(join(folder, resultFolder, name))]));

beforeAll(async () => {
  folder = makeTemporaryFolder();
  files = [ONE, OTHER_STUDY_TEXT, STUDY_TEXT_WITH_JOB_METRICS].map((text, i) =>
    writeStudyFile(folder, text, `${NAMES[i]}.yaml`),
  );
  for (const [i, name] of NAMES.entries()) {
    const { exitCode, stderr } = await run(join('alone', name), [files[i]], '--no-sharing');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  }
  expected = readFilesOfStudyFolders('alone');
});

test('each study writes the bytes that it writes alone without sharing, and common runs are simulated once', async () => {
  const { exitCode, stdout } = await run('all', files, '--json');
  expect(exitCode).toBe(0);
  const { simulations, studies, report } = JSON.parse(stdout);
  expect(simulations).toBe(SIMULATION_COUNT);
  expect(studies.map(({ name: studyName }: { name: string }) => studyName)).toEqual(NAMES);
  expect(readFilesOfStudyFolders('all')).toEqual(expected);
  for (const [i, name] of NAMES.entries()) {
    const ids = readJournalRunIds(join(folder, 'all', name));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBe([32, 28, 12][i]);
    expect(readFileSync(report, 'utf8')).toContain(`href="${name}/report.html"`);
  }
  expect(readFileSync(report, 'utf8')).toMatch(/Checks: \d (?:confirmed|open)/);
});

test('without sharing each study is simulated by itself, with the same bytes', async () => {
  const { stdout } = await run('apart', files, '--no-sharing', '--json');
  expect(JSON.parse(stdout).simulations).toBe(32 + 28 + 12);
  expect(readFilesOfStudyFolders('apart')).toEqual(expected);
});

test('what simulations shared is shown only with --verbose', async () => {
  const commandWords = [
    'sweep',
    'lublin99[jobs=200]',
    '--sites',
    '64,128',
    '--vary',
    'policy=best-fit,fastest-first,ti',
  ];
  const readProgressMessagesOf = async (folderName: string, ...extraWords: string[]) => {
    const { exitCode, stderr } = await runGridalloc([
      ...commandWords,
      '--threads',
      '1',
      '--out',
      join(folder, folderName),
      ...extraWords,
    ]);
    expect(exitCode).toBe(0);
    return stderr;
  };
  expect(await readProgressMessagesOf('quiet-about-it')).not.toContain('were simulated');
  expect(await readProgressMessagesOf('verbose', '--verbose')).toMatch(/of 600 jobs \d+ were simulated \(/);
});

test('where nothing is simulated sharing is not mentioned', async () => {
  const studyText = `
title: Jobs
kind: workloads
simulate: { workload: 'lublin99[jobs=50,seed={seed}]' }
axes: { seed: [1, 2] }
measures: { jobs: { metric: jobs } }
tables: { jobs: { title: Jobs, measures: jobs, rows: seed } }
`;
  const { exitCode, stderr } = await run('jobs', [writeStudyFile(folder, studyText, 'jobs.yaml')]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
});

test('studies killed midway resume, and what one has done is not repeated for another', async () => {
  const resultFolder = join(folder, 'killed');
  const journal = join(resultFolder, 'one', 'journal.jsonl');
  const hasRecordedRuns = () => existsSync(journal) && readFileSync(journal, 'utf8').split('\n').length > 2;
  const commandWords = ['study', 'run', ...files, '--out', resultFolder, '--threads', '1', '--no-sharing'];
  const killedResult = await runGridallocProcess(commandWords, { signal: 'SIGKILL', when: hasRecordedRuns });
  expect(killedResult.signal).toBe('SIGKILL');
  const { exitCode, stderr } = await run('killed', files);
  expect(exitCode).toBe(0);
  expect(stderr).toMatch(/^\d+ simulations were already in .*; \d+ were run now$/m);
  expect(readFilesOfStudyFolders('killed')).toEqual(expected);
});

test('a study that was run alone before gives its results to the others', async () => {
  expect(await run(join('later', 'one'), [files[0]], '--quiet')).toMatchObject({ exitCode: 0 });
  const { stderr } = await run('later', files);
  expect(stderr).toContain(`32 simulations were already in ${join(folder, 'later')}; 32 were run now`);
  expect(readFilesOfStudyFolders('later')).toEqual(expected);
});

test.each([
  [['--shard', '1/2'], '--shard is for one study; cut all with --shards first'],
  [['--only', '0123456789abcdef'], '--only is for one study'],
])('%j is refused for several', async (commandWords, sentence) => {
  const { exitCode, stderr } = await run('refused', files, ...commandWords);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(sentence);
});

test('the name of a paper stands for all of its studies', () => {
  expect(includedCollectionNames()).toContain('shih2010-all');
  for (const name of includedCollectionNames()) expect(expandStudyName(name).length, name).toBeGreaterThan(1);
  const shihStudyNames = includedStudyNames().filter((includedStudyName) =>
    includedStudyName.startsWith('shih2010-'),
  );
  expect(expandStudyName('shih2010-all')).toEqual(shihStudyNames);
  expect(expandStudyName('shih2010-table10')).toEqual(['shih2010-table10']);
});
