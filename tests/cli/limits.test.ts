import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { runProgramInProcess, writeLogFile } from './runProgram.js';

/**
 * Job log on four processors: user 1 submits three jobs of one processor, user 2 two such jobs; each runs for
 * 50 s.
 */
const LOG = `; MaxProcs: 4
1 0 -1 50 1 -1 -1 1 60 -1 1 1 5 -1 -1 -1 -1 -1
2 1 -1 50 1 -1 -1 1 60 -1 1 1 5 -1 -1 -1 -1 -1
3 2 -1 50 1 -1 -1 1 60 -1 1 1 5 -1 -1 -1 -1 -1
4 3 -1 50 1 -1 -1 1 60 -1 1 2 6 -1 -1 -1 -1 -1
5 4 -1 50 1 -1 -1 1 60 -1 1 2 6 -1 -1 -1 -1 -1
`;

const folder = makeTemporaryFolder();
let logFile = '';

beforeAll(() => {
  logFile = writeLogFile(LOG);
});

/** Start times in seconds of the five jobs under the given limits of users. */
async function simulateStartsUnderLimits(...limits: string[]): Promise<number[]> {
  const resultFolder = join(folder, limits.join(' ').replaceAll(/\W/g, '-') || 'none');
  const commandWords = limits.flatMap((limitText) => ['--limit', limitText]);
  const { exitCode, stderr } = await runProgramInProcess([
    'simulate',
    logFile,
    '--discipline',
    'easy',
    ...commandWords,
    '--out',
    resultFolder,
  ]);
  expect(stderr.match(/^gridalloc: .*/m)?.[0]).toBeUndefined();
  expect(exitCode).toBe(0);
  const [headerLine = '', ...rows] = readFileSync(join(resultFolder, 'jobs.csv'), 'utf8').trim().split('\n');
  const indexOfStartColumn = headerLine.split(',').indexOf('starting_time');
  return rows.map((row) => Number(row.split(',')[indexOfStartColumn]));
}

test.each([
  [[], [0, 1, 2, 3, 50]],
  [['user.jobs=1'], [0, 50, 100, 3, 53]],
  [['user.processors=2'], [0, 1, 50, 3, 4]],
  [['user[1].jobs=1'], [0, 50, 100, 3, 4]],
  [['user.jobs=1;user[2].jobs=2'], [0, 50, 100, 3, 4]],
  [
    ['group[5].processors=2', 'user[2].jobs=1'],
    [0, 1, 50, 3, 53],
  ],
])('with %j jobs start at %j', async (limits, starts) => {
  expect(await simulateStartsUnderLimits(...limits)).toEqual(starts);
});

test('the story of a job that a limit held back says which', async () => {
  await simulateStartsUnderLimits('user[1].jobs=1');
  const { stdout } = await runProgramInProcess(['explain', join(folder, 'user-1--jobs-1'), '--job', '2']);
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    'a limit holds it back for 49 s, to the end of the wait: the running jobs of its user have 1 job, the limit is 1',
  );
});

test('many periods of limits are told in one line', async () => {
  // Every second job is short, so that a limit holds waiting jobs and releases them many times.
  const lines = Array.from(
    { length: 60 },
    (_, i) => `${i + 1} ${i} -1 ${i % 2 === 0 ? 1 : 9} 1 -1 -1 1 9 -1 1 1`,
  );
  const manyJobsLogFile = writeLogFile(
    `; MaxProcs: 4\n${lines.map((line) => `${line} -1 -1 -1 -1 -1 -1`).join('\n')}\n`,
  );
  const resultFolder = join(folder, 'many');
  await runProgramInProcess([
    'simulate',
    manyJobsLogFile,
    '--discipline',
    'first-available',
    '--limit',
    'user.jobs=2',
    '--out',
    resultFolder,
  ]);
  const { stdout: story } = await runProgramInProcess(['explain', resultFolder, '--job', '60']);
  expect(story.replaceAll(/\s+/g, ' ')).toMatch(/\d+ other limit periods last .* in total/);
});

test.each([
  ['user.cores=3', "unknown --limit 'user.cores'"],
  ['user.jobs', 'expected a limit such as user.processors=64 or user[alice].jobs=2'],
  ['user.jobs=0', 'limit user.jobs: expected'],
  ['user.jobs=1;user.jobs=2', 'user.jobs is given twice'],
  ['user[9].jobs=1', 'is of user 9'],
  ['user[alice].jobs=1', "the log names no user 'alice'"],
])('--limit %s is refused in one sentence', async (limit, sentence) => {
  const { exitCode, stderr } = await runProgramInProcess(['simulate', logFile, '--limit', limit]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(sentence);
  expect(stderr.trim().split('\n')).toHaveLength(1);
});

test('a job that exceeds a limit by itself is refused with its number', async () => {
  const logFileWithWideJob = writeLogFile(LOG.replace('2 1 -1 50 1 -1 -1 1 ', '2 1 -1 50 3 -1 -1 3 '));
  const { exitCode, stderr } = await runProgramInProcess([
    'simulate',
    logFileWithWideJob,
    '--limit',
    'user.processors=2',
  ]);
  expect(exitCode).toBe(2);
  expect(stderr.replaceAll(/\s+/g, ' ')).toContain(
    'job 2: its 3 processors alone exceed the limit user.processors=2; raise the limit, or split jobs with --max-width',
  );
});
