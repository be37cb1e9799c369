import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { runProgramInProcess, writeLogFile } from './runProgram.js';

/** Randomly perturbed logs, requested by options of the command line. */

const LOG_RECORD_LINES = Array.from({ length: 60 }, (_, i) => {
  const [submit, runtime, width, user] = [43_200 * i, 50_000 + i, 1 + (i % 4), i % 3];
  return `${i + 1} ${submit} -1 ${runtime} ${width} -1 -1 ${width} -1 -1 1 ${user} -1 -1 -1 -1 -1 -1`;
});
const LOG = writeLogFile(['; MaxProcs: 4', ...LOG_RECORD_LINES].join('\n'));

test('convert writes the perturbed log; without a change it equals the log byte for byte', async () => {
  const resultOfPlainConversion = await runProgramInProcess(['trace', 'convert', LOG, '-']);
  const resultWithoutChange = await runProgramInProcess([
    'trace',
    'convert',
    LOG,
    '-',
    '--perturb',
    'shake[submit=0]',
  ]);
  expect(resultWithoutChange).toMatchObject({ exitCode: 0, stdout: resultOfPlainConversion.stdout });
  const thirdReplication = await runProgramInProcess(['trace', 'convert', LOG, '-', '--replication', '3']);
  expect(thirdReplication.stdout).not.toBe(resultOfPlainConversion.stdout);
  expect(thirdReplication.stdout).toBe(
    (await runProgramInProcess(['trace', 'convert', LOG, '-', '--perturb', 'shake[seed=3]'])).stdout,
  );
});

test('a replication can be explained from its folder, and simulated from the log that convert writes', async () => {
  const folder = join(makeTemporaryFolder(), 'out');
  const options = ['--perturb', 'resample[block=86400]', '--replication', '2'];
  expect(await runProgramInProcess(['simulate', LOG, ...options, '--out', folder])).toMatchObject({
    exitCode: 0,
  });
  const { command } = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8'));
  expect(command.join(' ')).toContain('--perturb resample[by=user,block=86400,seed=1] --replication 2');
  expect(await runProgramInProcess(['explain', folder, '--job', '7'])).toMatchObject({ exitCode: 0 });
  const writtenLogPath = join(makeTemporaryFolder(), 'second.swf');
  await runProgramInProcess(['trace', 'convert', LOG, writtenLogPath, ...options]);
  const simulateAndReadSummary = async (...commandWords: string[]) => {
    const { workload: _, ...otherFields } = JSON.parse(
      (await runProgramInProcess(['simulate', ...commandWords, '--json'])).stdout,
    );
    return otherFields;
  };
  expect(await simulateAndReadSummary(writtenLogPath)).toEqual(await simulateAndReadSummary(LOG, ...options));
});

test('a replication of a model with other speeds can be run again', async () => {
  const folder = join(makeTemporaryFolder(), 'out');
  const commandWords = [
    'lublin99[jobs=40,seed=2]',
    '--sites',
    '64,64,128',
    '--speeds',
    'draw[sh=0.1,seed=3]',
  ];
  const perturbWords = ['--perturb', 'speeds', '--replication', '4'];
  expect(
    await runProgramInProcess(['simulate', ...commandWords, ...perturbWords, '--out', folder]),
  ).toMatchObject({
    exitCode: 0,
  });
  const { command, grid } = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8'));
  expect(command[2]).toContain('seed=2');
  expect(command).not.toContain('--perturb');
  const { stdout } = await runProgramInProcess([...command.slice(1), '--json']);
  expect(JSON.parse(stdout)).toEqual(JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8')));
  const directlyParsedTrace = await runProgramInProcess([
    'simulate',
    'lublin99[jobs=40,seed=5]',
    '--sites',
    '64,64,128',
    '--speeds',
    grid.speeds.join(','),
    '--json',
  ]);
  expect(JSON.parse(directlyParsedTrace.stdout)).toEqual(JSON.parse(stdout));
});

test('a log too short to be recombined is refused in a sentence', async () => {
  const { stderr } = await runProgramInProcess(['simulate', LOG, '--perturb', 'resample[block=9999999]']);
  expect(stderr).toContain('is shorter than two blocks');
});
