import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import {
  makeSwfRecord,
  runProgramInProcess,
  TINY_LOG_TEXT,
  TINY_OPTIONS,
  writeLogFile,
} from './runProgram.js';

/**
 * Logs without requested times: if some jobs lack them, runtimes serve as estimates and every
 * command reports it; if all do, commands refuse.
 */

const PROGRAM_PATH = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/**
 * Sentence of the output that counts jobs without a requested time: jobs 2 and 5. Job 4 has none either, but
 * is dropped for its missing runtime.
 */
const MISSING_TIMES_MESSAGE = '2 of 4 jobs have no requested time; their actual runtime is used instead\n';

const OPTIONS_USING_ESTIMATES = [
  ['--discipline', 'easy'],
  ['--discipline', 'conservative'],
  ['--discipline', 'sjf'],
  ['--discipline', 'ljf'],
  ['--moldable', 'down', '--moldable-threshold', '2'],
];

test.each(OPTIONS_USING_ESTIMATES)(
  'simulate %s %s counts those of the jobs that it keeps',
  async (...options) => {
    const commandWords = ['simulate', '-', ...TINY_OPTIONS, ...options];
    expect(await runProgramInProcess(commandWords, { input: TINY_LOG_TEXT })).toMatchObject({
      exitCode: 0,
      stderr: `standard input: ${MISSING_TIMES_MESSAGE}`,
    });
    const resultOfFirstFourJobs = await runProgramInProcess([...commandWords, '--filter', 'job=1-4'], {
      input: TINY_LOG_TEXT,
    });
    expect(resultOfFirstFourJobs.stderr).toBe(
      `standard input: ${MISSING_TIMES_MESSAGE.replace('2 of 4', '1 of 3')}`,
    );
    const resultOfJobsWithTimes = await runProgramInProcess([...commandWords, '--filter', 'job=1,3'], {
      input: TINY_LOG_TEXT,
    });
    expect(resultOfJobsWithTimes).toMatchObject({ exitCode: 0, stderr: '' });
    expect(
      await runProgramInProcess([...commandWords, '--estimates', 'exact'], { input: TINY_LOG_TEXT }),
    ).toMatchObject({
      stderr: '',
    });
  },
);

test.each(OPTIONS_USING_ESTIMATES)(
  'simulate %s %s refuses jobs of which none requests a time',
  async (...options) => {
    const commandWords = ['simulate', '-', ...TINY_OPTIONS, ...options];
    const refusedResult = await runProgramInProcess([...commandWords, '--filter', 'job=2,4,5'], {
      input: TINY_LOG_TEXT,
    });
    expect(refusedResult).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr:
        'gridalloc: standard input: none of the 2 jobs requests a time (field 9, requestedTime), by which this run ' +
        'decides; use --estimates exact\n',
    });
    const exactWords = [...commandWords, '--filter', 'job=2,4,5', '--estimates', 'exact'];
    expect(await runProgramInProcess(exactWords, { input: TINY_LOG_TEXT })).toMatchObject({
      exitCode: 0,
      stderr: '',
    });
  },
);

test('there is no message where estimates decide nothing', async () => {
  expect(
    (await runProgramInProcess(['simulate', '-', ...TINY_OPTIONS], { input: TINY_LOG_TEXT })).stderr,
  ).toBe('');
});

test('a report of a simulation gives the count', async () => {
  const logFile = writeLogFile();
  const resultFolder = join(makeTemporaryFolder(), 'run');
  await runProgramInProcess([
    'simulate',
    logFile,
    ...TINY_OPTIONS,
    '--discipline',
    'easy',
    '--out',
    resultFolder,
  ]);
  await runProgramInProcess(['report', resultFolder]);
  expect(readFileSync(join(resultFolder, 'report.html'), 'utf8')).toMatch(
    /jobs without a requested time[\s\S]{1,80}2 of 4; their actual runtime is used instead/,
  );
});

test('a sweep reports the number of jobs without requested times, also in its report', () => {
  const logFile = writeLogFile([TINY_LOG_TEXT, makeSwfRecord(6, 9, 1, 1, 1, 5), ''].join(''));
  const sweep = (variedOptions: string) => {
    const resultFolder = join(makeTemporaryFolder(), 'sweep');
    const commandWords = [
      'sweep',
      logFile,
      '--sites',
      '6',
      '--vary',
      variedOptions,
      '--threads',
      '1',
      '--out',
      resultFolder,
    ];
    const { status, stderr } = spawnSync(process.execPath, [PROGRAM_PATH, ...commandWords], {
      encoding: 'utf8',
    });
    expect(status).toBe(0);
    return { stderr, labels: JSON.parse(readFileSync(join(resultFolder, 'report.json'), 'utf8')).highlights };
  };
  const fact = { label: 'Jobs whose runtime serves as the estimate', value: '2 of 5' };
  const description = sweep('discipline=fcfs,easy,conservative');
  expect(description.stderr).toBe(`${logFile}: ${MISSING_TIMES_MESSAGE.replace('of 4', 'of 5')}`);
  expect(description.labels).toContainEqual(fact);
  const sweepResultWithoutEstimates = sweep('load=1,2');
  expect(sweepResultWithoutEstimates.stderr).toBe('');
  expect(sweepResultWithoutEstimates.labels).not.toContainEqual(fact);
});
