import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { findLogFilesOfWorkload, joinFileNames } from '../../host/files/traceFiles.js';
import { runProgramInProcess, TINY_LOG_TEXT } from '../cli/runProgram.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';

/**
 * Tests that a relative log path in config.json is resolved when the current folder is that of the project.
 */

/**
 * Writes a log and, in a subfolder, results whose config.json names that log relative to the
 * subfolder.
 */
async function writeLogAndSimulate(
  logPath: string,
): Promise<{ readonly folder: string; readonly results: string }> {
  const folder = makeTemporaryFolder();
  const resultFolder = join(folder, 'out', 'first');
  mkdirSync(join(folder, 'logs'));
  writeFileSync(join(folder, logPath), TINY_LOG_TEXT);
  const commandWords = ['simulate', join(folder, logPath), '--sites', '8', '--out', resultFolder];
  expect((await runProgramInProcess(commandWords)).exitCode).toBe(0);
  const path = join(resultFolder, 'config.json');
  const document = readFileSync(path, 'utf8');
  writeFileSync(path, document.replaceAll(join(folder, logPath), logPath));
  return { folder, results: resultFolder };
}

test('simulate --config finds the log from the folders above, wherever it is run', async () => {
  const { folder, results } = await writeLogAndSimulate('logs/tiny.swf');
  const resultBeforeMove = await runProgramInProcess(['simulate', '--config', results, '--json']);
  expect({ code: resultBeforeMove.exitCode, err: resultBeforeMove.stderr }).toEqual({
    code: 0,
    err: expect.not.stringContaining('exist'),
  });
  const movedFolder = `${folder}-moved`;
  renameSync(folder, movedFolder);
  const resultAfterMove = await runProgramInProcess([
    'simulate',
    '--config',
    join(movedFolder, 'out/first/config.json'),
    '--json',
  ]);
  const readMetricsOfOutput = ({ stdout }: typeof resultBeforeMove) => ({
    ...JSON.parse(stdout),
    source: '',
    settings: '',
  });
  expect(readMetricsOfOutput(resultAfterMove).meanResponse).toBe(
    readMetricsOfOutput(resultBeforeMove).meanResponse,
  );
  expect(
    (await runProgramInProcess(['explain', join(movedFolder, 'out/first'), '--job', '1'])).exitCode,
  ).toBe(0);
});

test('a log that is not there is named in one sentence with the command that helps', async () => {
  const { folder, results } = await writeLogAndSimulate('logs/tiny.swf');
  renameSync(join(folder, 'logs/tiny.swf'), join(folder, 'other.swf'));
  const { exitCode, stderr } = await runProgramInProcess(['simulate', '--config', results]);
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr:
      `gridalloc: ${results} names the log logs/tiny.swf, which is not there from its folder, from one above, or from the current one; ` +
      `say where it is: gridalloc simulate LOG --config ${results}\n`,
  });
  expect(
    (await runProgramInProcess(['simulate', join(folder, 'other.swf'), '--config', results])).exitCode,
  ).toBe(0);
});

test('lists and patterns are found as single files are; models and standard input stay', async () => {
  const folder = makeTemporaryFolder();
  const subfolder = join(folder, 'a', 'b');
  mkdirSync(subfolder, { recursive: true });
  for (const logName of ['1.swf', '2.swf', 'a/1.swf']) writeFileSync(join(folder, logName), TINY_LOG_TEXT);
  const findWorkloadLogFile = async (workloadText: string) =>
    (await findLogFilesOfWorkload(workloadText, subfolder))?.replaceAll(relative('', folder), folder);
  expect(await findWorkloadLogFile('1.swf')).toBe(join(folder, 'a/1.swf'));
  // A list of log files is found only if all of them are in the same place.
  expect(await findWorkloadLogFile(joinFileNames(['1.swf', '2.swf']))).toBe(
    joinFileNames([join(folder, '1.swf'), join(folder, '2.swf')]),
  );
  expect(await findWorkloadLogFile('*.swf')).toBe(join(folder, 'a/*.swf'));
  expect(await findWorkloadLogFile('traces/queues.swf')).toBe('traces/queues.swf');
  expect(await findWorkloadLogFile(join(folder, '2.swf'))).toBe(join(folder, '2.swf'));
  expect(await findWorkloadLogFile('3.swf')).toBeUndefined();
  expect(await findWorkloadLogFile('-')).toBe('-');
  expect(await findWorkloadLogFile('lublin99[jobs=5]')).toBe('lublin99[jobs=5]');
});
