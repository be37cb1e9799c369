import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { runGridalloc } from '../runs/childProcess.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { runProgramInProcess, writeLogFile } from './runProgram.js';

/**
 * Job log on 4 processors, which job 1 holds until 50 s. Job 2 is cancelled while it waits, job 3 after it
 * has started; job 4 starts when job 2 has left.
 */
const LOG = `; MaxProcs: 4
1 0 -1 50 3 -1 -1 3 60 -1 1 1 -1 -1 -1 -1 -1 -1
2 10 20 0 -1 -1 -1 4 100 -1 5 1 -1 -1 -1 -1 -1 -1
3 12 70 0 -1 -1 -1 3 100 -1 5 1 -1 -1 -1 -1 -1 -1
4 20 -1 5 1 -1 -1 1 5 -1 1 2 -1 -1 -1 -1 -1 -1
`;

const folder = makeTemporaryFolder();
const resultFolder = join(folder, 'kept');
let logFile = '';

beforeAll(async () => {
  logFile = writeLogFile(LOG);
  await runProgramInProcess([
    'simulate',
    logFile,
    '--discipline',
    'easy',
    '--cancelled',
    'keep',
    '--out',
    resultFolder,
  ]);
}, 120_000);

test('a folder tells cancelled jobs from others', () => {
  const { jobs, cancelledWaitingJobs, cancelledRunningJobs, cancelledProcessorSeconds } = JSON.parse(
    readFileSync(join(resultFolder, 'summary.json'), 'utf8'),
  );
  expect({ jobs, cancelledWaitingJobs, cancelledRunningJobs, cancelledProcessorSeconds }).toEqual({
    jobs: 2,
    cancelledWaitingJobs: 1,
    cancelledRunningJobs: 1,
    cancelledProcessorSeconds: 3 * 32,
  });
  const jobsCsvText = readFileSync(join(resultFolder, 'jobs.csv'), 'utf8');
  expect(jobsCsvText).toContain('CANCELLED_WAITING');
  expect(jobsCsvText).toContain('CANCELLED_RUNNING');
});

test('the story of a job that was cancelled while it waited ends with that', async () => {
  const { stdout: output } = await runProgramInProcess(['explain', resultFolder, '--job', '2']);
  expect(output).toContain('cancelled at 30, waited 20 s');
  expect(output).toContain('the job never ran');
  expect(output).toContain('cancelled after waiting 20 s');
  expect(output).toContain('It was cancelled, so it got no site');
});

test('the story of one that was cancelled while it ran says so', async () => {
  const { stdout: output } = await runProgramInProcess(['explain', resultFolder, '--job', '3']);
  expect(output).toMatch(/the job ran 32 s and was cancelled[;.]/);
});

test('the story of one that reached its requested time before the cancellation says so', async () => {
  const logFileWithKeptJob = writeLogFile(LOG.replace('3 12 70 0 -1 -1 -1 3 100', '3 12 70 0 -1 -1 -1 3 20'));
  const folderWithLimit = join(folder, 'limited');
  const commandWords = [
    'simulate',
    logFileWithKeptJob,
    '--discipline',
    'easy',
    '--cancelled',
    'keep',
    '--out',
    folderWithLimit,
  ];
  expect((await runProgramInProcess(commandWords)).exitCode).toBe(0);
  const {
    exitCode,
    stdout: output,
    stderr,
  } = await runProgramInProcess(['explain', folderWithLimit, '--job', '3']);
  expect(exitCode, stderr).toBe(0);
  expect(output).toContain('the job ran 20 s and was killed at its requested time');
  expect(output).not.toContain('and was cancelled');
});

test('charts of a folder, lists of its jobs and comparisons take cancelled jobs', async () => {
  const report = await runProgramInProcess(['report', resultFolder]);
  expect(report.exitCode).toBe(0);
  const { stdout: output } = await runProgramInProcess(['jobs', resultFolder]);
  expect(output).toMatch(/^2 .* 20 s/m);
  const comparisonResult = await runProgramInProcess([
    'compare',
    logFile,
    '--method',
    'fcfs',
    '--method',
    'easy',
    '--cancelled',
    'keep',
  ]);
  expect(comparisonResult.exitCode).toBe(0);
  expect(comparisonResult.stdout).toContain('easy');
});

test('an option without a rule for cancelled jobs is refused in one sentence', async () => {
  const { exitCode, stderr: errors } = await runProgramInProcess([
    'simulate',
    logFile,
    '--cancelled',
    'keep',
    '--moldable',
    'down',
  ]);
  expect(exitCode).toBe(2);
  expect(errors).toContain('no paper combines cancelled jobs with these');
});

test('many cancelled jobs have room in the memory that the runs of a sweep share', async () => {
  // Three of four records were cancelled while they waited.
  const lines = Array.from({ length: 2000 }, (_, i) =>
    i % 4 === 0
      ? `${i + 1} ${10 * i} -1 50 3 -1 -1 3 60 -1 1 ${1 + (i % 3)} -1 -1 -1 -1 -1 -1`
      : `${i + 1} ${10 * i} 20 0 -1 -1 -1 4 100 -1 5 1 -1 -1 -1 -1 -1 -1`,
  );
  const manyJobsLogFile = writeLogFile(`; MaxProcs: 4\n${lines.join('\n')}\n`);
  const commandWords = [manyJobsLogFile, '--discipline', 'easy', '--json', '--quiet'];
  const variedOptions = ['--vary', 'cancelled=drop,keep', '--metric', 'meanWait', '--threads', '1'];
  const sweepResult = await runGridalloc([
    'sweep',
    ...commandWords,
    ...variedOptions,
    '--out',
    join(folder, 'swept'),
  ]);
  expect(sweepResult.exitCode, sweepResult.stderr).toBe(0);
  const resultsCsvText = readFileSync(join(folder, 'swept', 'results.csv'), 'utf8');
  for (const cancelledRule of ['drop', 'keep']) {
    const separateResult = await runProgramInProcess([
      'simulate',
      ...commandWords,
      '--cancelled',
      cancelledRule,
    ]);
    expect(resultsCsvText).toContain(`,${JSON.parse(separateResult.stdout).meanWait},`);
  }
});
