import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runGridalloc } from '../runs/childProcess.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';

/** Tests that commands written for the reader run as they are, also with values that begin with `-`. */

const MODEL = 'lublin99[jobs=60,seed=3]';
const OPTIONS = ['--sites', '128', '--estimates', 'exact', '--order=-(wait / estimate)'];

/** Words of a line of a shell. */
function splitShellWords(line: string): string[] {
  return execFileSync('sh', ['-c', `printf '%s\\0' ${line}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);
}

/** Runs a line that begins with `gridalloc`, and returns what it prints. */
async function run(line: string): Promise<string> {
  const [program, ...words] = splitShellWords(line);
  expect(program).toBe('gridalloc');
  const { exitCode, stdout, stderr } = await runGridalloc([...words, '--quiet']);
  expect([exitCode, stderr]).toEqual([0, '']);
  return stdout;
}

/** Lines that begin with `gridalloc`. */
const findCommandsInText = (writtenText: string) =>
  writtenText.split('\n').flatMap((line) => line.match(/^ +(gridalloc .*)$/)?.[1] ?? []);

test('the commands in config.json repeat the run', async () => {
  const out = join(makeTemporaryFolder(), 'run');
  const { exitCode } = await runGridalloc(['simulate', MODEL, ...OPTIONS, '--out', out, '--quiet']);
  expect(exitCode).toBe(0);
  const { command, shell } = JSON.parse(readFileSync(join(out, 'config.json'), 'utf8'));
  const jobsText = readFileSync(join(out, 'jobs.csv'), 'utf8');
  await run(shell);
  expect(readFileSync(join(out, 'jobs.csv'), 'utf8')).toBe(jobsText);
  expect(splitShellWords(shell).slice(-command.length)).toEqual(command);
});

test('a simulation suggests a replication that runs', async () => {
  const { stdout } = await runGridalloc(['simulate', MODEL, ...OPTIONS]);
  const [command = ''] = findCommandsInText(stdout);
  expect(await run(command.replace('--replications 20', '--replications 2'))).toMatch(/mean wait/);
});

test.each([
  ['comparison', ['--vary', 'discipline=fcfs,easy', '--metric', 'meanWait,killedJobs']],
  ['sweep', ['--vary', 'load=1,1.2', '--metric', 'meanWait,killedJobs']],
])('a sweep suggests a %s that runs', async (_, commandWords) => {
  const out = join(makeTemporaryFolder(), 'swept');
  const { exitCode, stdout } = await runGridalloc([
    'sweep',
    MODEL,
    ...OPTIONS,
    ...commandWords,
    '--out',
    out,
  ]);
  expect(exitCode).toBe(0);
  const [command = ''] = findCommandsInText(stdout);
  const commandWithFewerReplications = command
    .replace(/--replications \d+/, '--replications 2')
    .replace(out, `${out}-again`);
  expect(await run(commandWithFewerReplications)).toMatch(/mean wait/i);
});
