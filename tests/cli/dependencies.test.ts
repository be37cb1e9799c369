import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parquetReadObjects } from 'hyparquet';
import { expect, test } from 'vitest';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { runProgramInProcess, writeLogFile } from './runProgram.js';

const PROGRAM_PATH = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/**
 * Job log in which job 2 depends on job 1, job 4 on job 2, and job 5 on a job without a runtime; job 3 takes
 * the whole machine after job 1.
 */
const LOG = [
  '1 0 -1 100 8 -1 -1 8 100 -1 1 1 1 -1 1 -1 -1 -1',
  '2 10 -1 50 4 -1 -1 4 50 -1 1 1 1 -1 1 -1 1 0',
  '3 20 -1 50 8 -1 -1 8 50 -1 1 2 1 -1 1 -1 -1 -1',
  '4 30 -1 50 2 -1 -1 2 50 -1 1 1 1 -1 1 -1 2 20',
  '5 40 -1 50 2 -1 -1 2 50 -1 1 1 1 -1 1 -1 6 20',
  '6 40 -1 0 2 -1 -1 2 50 -1 1 1 1 -1 1 -1 -1 -1',
  '',
].join('\n');
const OPTIONS = ['--sites', '8', '--dependencies'];

/** Sentence in the output that counts the jobs with dependencies. */
const DEPENDENCY_MESSAGE =
  '2 of 5 jobs are submitted after the end of another; the preceding jobs of 1 more are not there (1 dropped)';

test('every result shows a dependent job, and so do a rerun and explain', async () => {
  const logFile = writeLogFile(LOG);
  const resultFolder = join(makeTemporaryFolder(), 'results');
  const firstRun = await runProgramInProcess([
    'simulate',
    logFile,
    ...OPTIONS,
    '--parquet',
    '--out',
    resultFolder,
  ]);
  expect(firstRun.exitCode).toBe(0);
  expect(firstRun.stderr).toContain(DEPENDENCY_MESSAGE);
  const readFileText = (file: string) => readFileSync(join(resultFolder, file), 'utf8');
  const [headerLine, ...lines] = readFileText('jobs.csv').trimEnd().split('\n');
  const columnNames = headerLine.split(',');
  const readCellsOfColumn = (columnName: string) =>
    lines.map((line) => Number(line.split(',')[columnNames.indexOf(columnName)]));
  expect(columnNames.slice(-3)).toEqual(['logged_submission_time', 'preceding_job', 'estimate']);
  expect(readCellsOfColumn('submission_time')).toEqual([0, 100, 20, 220, 40]);
  expect(readCellsOfColumn('logged_submission_time')).toEqual([0, 10, 20, 30, 40]);
  expect(readCellsOfColumn('preceding_job')).toEqual([-1, 1, -1, 2, -1]);
  expect(readCellsOfColumn('starting_time')).toEqual([0, 150, 100, 220, 150]);
  expect(readCellsOfColumn('waiting_time')).toEqual([0, 50, 80, 0, 110]);
  expect(JSON.parse(readFileText('summary.json'))).toMatchObject({ meanWait: 48, makespan: 270 });
  const fileBytes = readFileSync(join(resultFolder, 'jobs.parquet'));
  const rows = await parquetReadObjects({
    file: fileBytes.buffer.slice(fileBytes.byteOffset, fileBytes.byteOffset + fileBytes.length),
  });
  expect(rows.map((row) => Number(row.preceding_job))).toEqual([-1, 1, -1, 2, -1]);

  // The schedule.swf file is a log in submission order; simulating it gives the same schedule.
  const schedule = join(resultFolder, 'schedule.swf');
  const scheduleRecords = readFileText('schedule.swf')
    .split('\n')
    .filter((line) => /^\d/.test(line));
  expect(scheduleRecords.map((line) => Number(line.split(' ')[0]))).toEqual([1, 3, 5, 2, 4]);
  const repeatedResult = JSON.parse(
    (await runProgramInProcess(['simulate', schedule, ...OPTIONS, '--json'])).stdout,
  );
  expect(repeatedResult).toMatchObject({ meanWait: 48, makespan: 270 });

  const folderOfRerun = join(makeTemporaryFolder(), 'again');
  expect(
    (await runProgramInProcess(['simulate', '--config', resultFolder, '--out', folderOfRerun])).exitCode,
  ).toBe(0);
  expect(readFileSync(join(folderOfRerun, 'jobs.csv'), 'utf8')).toBe(readFileText('jobs.csv'));
  const explanationResult = await runProgramInProcess(['explain', resultFolder, '--job', '4']);
  expect(explanationResult.stdout).toContain('submitted at 220 after job 2, started at 220');
  const document = JSON.parse(
    (await runProgramInProcess(['explain', resultFolder, '--job', '2', '--json'])).stdout,
  );
  expect(document).toMatchObject({ submit: 100, wait: 50, precedingJob: { job: '1', loggedSubmit: 10 } });

  const folderWithoutDependencies = join(makeTemporaryFolder(), 'plain');
  await runProgramInProcess(['simulate', logFile, '--sites', '8', '--out', folderWithoutDependencies]);
  expect((await runProgramInProcess(['diff', folderWithoutDependencies, resultFolder])).exitCode).toBe(0);
});

test('trace info counts the jobs that have a preceding one', async () => {
  const { stdout } = await runProgramInProcess(['trace', 'info', '-', '--json'], { input: LOG });
  expect(JSON.parse(stdout).dependent).toBe(2);
  expect((await runProgramInProcess(['trace', 'info', '-'], { input: LOG })).stdout).toMatch(
    /preceding jobs +2 /,
  );
});

test('warm-up and cool-down use the submit times in force', async () => {
  const commandWords = ['simulate', '-', ...OPTIONS, '--json', '--warm-up', '30', '--cool-down', '110'];
  const { leftOutJobs: countExcludedJobs, meanWait } = JSON.parse(
    (await runProgramInProcess(commandWords, { input: LOG })).stdout,
  );
  // Submit times are 0, 20, 40, 100 and 220.
  expect([countExcludedJobs, meanWait]).toEqual([3, 80]);
});

test.each([
  [
    ['--queue', 'independent'],
    '--dependencies log cannot be combined with --queue independent, since independent sites',
  ],
  [['--filter', 'job=1,3'], 'no job names a preceding job (field 17) after whose end it would be submitted'],
])('%j is refused', async (extraWords, sentence) => {
  const { exitCode, stderr } = await runProgramInProcess(['simulate', '-', ...OPTIONS, ...extraWords], {
    input: LOG,
  });
  expect(exitCode).toBe(2);
  expect(stderr).toContain(sentence);
});

test('a sweep over dependencies simulates every policy in threads', () => {
  const resultFolder = join(makeTemporaryFolder(), 'sweep');
  const policies = ['--vary', 'policy=best-fit,fastest-first'];
  const commandWords = [
    'sweep',
    writeLogFile(LOG),
    '--sites',
    '8,8',
    '--speeds',
    '1,2',
    '--threads',
    '1',
    ...policies,
  ];
  execFileSync(
    process.execPath,
    [PROGRAM_PATH, ...commandWords, '--vary', 'dependencies=false,true', '--out', resultFolder],
    {
      stdio: 'ignore',
    },
  );
  const [headerLine, ...rows] = readFileSync(join(resultFolder, 'results.csv'), 'utf8').trimEnd().split('\n');
  const cellOfRow = (row: string, columnName: string) =>
    row.split(',')[headerLine.split(',').indexOf(columnName)];
  const rowsOfDependentJobs = rows.filter((row) => cellOfRow(row, 'dependencies') === 'true');
  expect(rows).toHaveLength(4);
  expect(rowsOfDependentJobs.map((row) => Number(cellOfRow(row, 'meanWait')))).toEqual([1, 2]);
  const averageResponseTimes = rows.map((row) => cellOfRow(row, 'averageResponseTime'));
  expect(new Set(averageResponseTimes).size).toBeGreaterThan(2);
});
