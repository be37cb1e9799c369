import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { runProgramInProcess, writeLogFile } from './runProgram.js';

/** Users, accounts, partitions and array tasks must be shown by name everywhere. */

const USER_COUNT = 25;
/**
 * Jobs that run one after the other on one processor: users with higher numbers submit later and
 * wait longer.
 */
const ROWS = Array.from({ length: USER_COUNT }, (_, i) => {
  const userName = `user${String(i + 1).padStart(2, '0')}`;
  return `70_${i}|${100 + i}|${1000 + i}|60|1|${userName}|acct,${i % 2}|batch|COMPLETED`;
});
const SACCT_LOG_TEXT = ['JobID|JobIDRaw|Submit|Elapsed|ReqCPUS|User|Account|Partition|State', ...ROWS].join(
  '\n',
);

let logFile = '';
let folder = '';

beforeAll(async () => {
  logFile = writeLogFile(SACCT_LOG_TEXT);
  folder = makeTemporaryFolder();
  const { exitCode, stderr } = await runProgramInProcess([
    'simulate',
    logFile,
    '--sites',
    '1',
    '--out',
    folder,
    '--quiet',
  ]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
});

const runCommandForOutput = async (...commandWords: string[]) => {
  const { exitCode, stdout: text, stderr } = await runProgramInProcess([...commandWords, '--quiet']);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return text;
};

test('jobs.csv has more columns at its end only for fields with names', () => {
  const [headerLine, firstRow] = readFileSync(join(folder, 'jobs.csv'), 'utf8').split('\n');
  expect(headerLine.endsWith(',estimate,user_name,group_name,queue_name,partition_name')).toBe(true);
  expect(firstRow.startsWith('70_0,')).toBe(true);
  expect(firstRow.endsWith(',user01,"acct,0",batch,batch')).toBe(true);
});

test('schedule.swf keeps names and is read back with them', async () => {
  const schedulePath = join(folder, 'schedule.swf');
  expect(readFileSync(schedulePath, 'utf8')).toContain('; Job: 100-124 70_0\n');
  const outputOfRepeatedSimulation = await runCommandForOutput(
    'simulate',
    schedulePath,
    '--sites',
    '1',
    '--filter',
    'user=user03',
    '--by',
    'user',
  );
  expect(outputOfRepeatedSimulation).toMatch(/^user03 +1 /m);
  for (const jobClassification of ['queue', 'partition'])
    expect(
      await runCommandForOutput('simulate', schedulePath, '--sites', '1', '--by', jobClassification),
    ).toMatch(/^batch +25 /m);
});

describe('in the words of Slurm', () => {
  test('--by account has accounts, and says so', async () => {
    const outputText = await runCommandForOutput(
      'simulate',
      logFile,
      '--sites',
      '1',
      '--by',
      'account,partition',
    );
    expect(outputText).toMatch(/^account +jobs .*\n(?:.*\n)*?acct,1 +12 /m);
    expect(outputText).toMatch(/^partition +jobs .*\n(?:.*\n)*?batch +25 /m);
    const metricWords = ['--metric', 'meanWait[account=acct,1]', '--json'];
    const { classes } = JSON.parse(
      await runCommandForOutput('simulate', logFile, '--sites', '1', '--by', 'group', '--json'),
    );
    expect(
      await runCommandForOutput('compare', logFile, '--sites', '1', '--discipline', 'fcfs', ...metricWords),
    ).toContain(String(classes.group[1].meanWait));
  });

  test.each([
    ['--account', '2'],
    ['--where', "account == 'acct,1'"],
    ['--where', 'account == 2'],
    ['--filter', 'account=2'],
  ])('jobs %s %s', async (...words) => {
    const jobs = JSON.parse(await runCommandForOutput('jobs', logFile, ...words, '--json'));
    expect(jobs.found).toBe(12);
    expect(new Set(jobs.jobs.map(({ group }: { group: string }) => group))).toEqual(new Set(['acct,1']));
    if (words[0] !== '--filter')
      expect(await runCommandForOutput('jobs', logFile, ...words)).toMatch(/^job +account +user /m);
  });

  test('jobs shows the fields by which it filters or sorts', async () => {
    for (const source of [logFile, folder]) {
      expect(await runCommandForOutput('jobs', source, '--partition', 'batch')).toMatch(
        /^job +partition +user .*\n[-─ ]*\n?70_\d+ +batch +user/m,
      );
      expect(await runCommandForOutput('jobs', source, '--sort', 'queue')).toMatch(/^job +queue +user /m);
    }
    const { exitCode, stderr } = await runProgramInProcess([
      'jobs',
      logFile,
      '--account',
      '2',
      '--group',
      '1',
    ]);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr:
        'gridalloc: --account cannot be combined with --group, since they are synonyms; omit one of them\n',
    });
  });
});

describe('--by user', () => {
  test('shows the 20 that wait longest, and says how many more there are', async () => {
    const outputText = await runCommandForOutput('simulate', logFile, '--sites', '1', '--by', 'user');
    const rows = outputText.split('\n').filter((line) => /^user\d/.test(line));
    expect(rows.map((row) => row.slice(0, 6))).toEqual(
      Array.from({ length: 20 }, (_, i) => `user${String(USER_COUNT - i).padStart(2, '0')}`),
    );
    expect(outputText).toContain('5 more wait less; --by user=all shows them.');
  });

  test.each([
    ['simulate', 'user=user07,user01,queue', /^batch +25 /m],
    ['simulate', 'user=user07,user=user01', /^user01 +1 /m],
    ['compare', 'user=user07,user01', /^user01 +1 /m],
  ])('%s --by %s shows these', async (command, jobClassification, expectedRowPattern) => {
    const commandWords =
      command === 'compare'
        ? ['--discipline', 'fcfs,sjf', '--estimates', 'exact', '--replications', '2', '--threads', '1']
        : [];
    const outputText = await runCommandForOutput(
      command,
      logFile,
      '--sites',
      '1',
      ...commandWords,
      '--by',
      jobClassification,
    );
    const rows = outputText.split('\n').filter((line) => /^user\d/.test(line));
    expect(new Set(rows.map((row) => row.slice(0, 6)))).toEqual(new Set(['user07', 'user01']));
    expect(outputText).toMatch(expectedRowPattern);
    expect(outputText).not.toContain('more wait less');
  });

  test('of names refuses names that the log does not have', async () => {
    const { exitCode, stderr } = await runProgramInProcess([
      'simulate',
      logFile,
      '--sites',
      '1',
      '--by',
      'user=usr07',
      '--quiet',
    ]);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/--by: no job is of the user 'usr07'; did you mean 'user07'\?/);
  });

  test('=all shows all, and JSON has all in any case', async () => {
    const outputText = await runCommandForOutput(
      'simulate',
      logFile,
      '--sites',
      '1',
      '--by',
      'user=all,group',
    );
    expect(outputText.split('\n').filter((line) => /^user\d/.test(line))).toHaveLength(USER_COUNT);
    expect(outputText).not.toContain('more wait less');
    expect(outputText).toMatch(/^acct,1 +12 /m);
    const { classes } = JSON.parse(
      await runCommandForOutput('simulate', logFile, '--sites', '1', '--by', 'user', '--json'),
    );
    expect(classes.user.map(({ name }: { name: string }) => name).sort()).toHaveLength(USER_COUNT);
  });
});

test('explain accepts the name and the number of a task, and names its user', async () => {
  for (const job of ['70_3', '103'])
    expect(await runCommandForOutput('explain', folder, '--job', job)).toMatch(
      /^job 70_3: 1 processor, (?:.+\n)+user user04, group acct,1, partition batch\n/,
    );
});

test('diff says whose jobs gain and lose', async () => {
  const otherFolder = makeTemporaryFolder();
  await runCommandForOutput('simulate', logFile, '--sites', '1', '--load', '2', '--out', otherFolder);
  expect(await runCommandForOutput('diff', folder, otherFolder)).toMatch(/^70_24 +user25 /m);
});

test('a name that the log does not have is refused, with a similar one suggested', async () => {
  const { exitCode, stderr } = await runProgramInProcess([
    'simulate',
    logFile,
    '--sites',
    '1',
    '--filter',
    'user=usr07',
    '--quiet',
  ]);
  expect(exitCode).toBe(2);
  expect(stderr).toBe("gridalloc: the log names no user 'usr07'; did you mean 'user07'?\n");
});
