import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { findLogFilesOfWorkload, joinFileNames } from '../../host/files/traceFiles.js';
import { runProgramInProcess, TINY_LOG_TEXT } from '../cli/runProgram.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';

/**
 * Finds the log named by a relative path in config.json, when the current folder is the project's.
 */

/**
 * Writes a log and, in a subfolder, results whose config.json names that log relative to the
 * subfolder.
 */
async function writeLogAndResults(
  log: string,
): Promise<{ readonly folder: string; readonly results: string }> {
  const folder = makeTemporaryFolder();
  const results = join(folder, 'out', 'first');
  mkdirSync(join(folder, 'logs'));
  writeFileSync(join(folder, log), TINY_LOG_TEXT);
  const words = ['simulate', join(folder, log), '--sites', '8', '--out', results];
  expect((await runProgramInProcess(words)).code).toBe(0);
  const path = join(results, 'config.json');
  const document = readFileSync(path, 'utf8');
  writeFileSync(path, document.replaceAll(join(folder, log), log));
  return { folder, results };
}

test('simulate --config finds the log from the folders above, wherever it is run', async () => {
  const { folder, results } = await writeLogAndResults('logs/tiny.swf');
  const first = await runProgramInProcess(['simulate', '--config', results, '--json']);
  expect({ code: first.code, err: first.err }).toEqual({
    code: 0,
    err: expect.not.stringContaining('exist'),
  });
  const moved = `${folder}-moved`;
  renameSync(folder, moved);
  const second = await runProgramInProcess([
    'simulate',
    '--config',
    join(moved, 'out/first/config.json'),
    '--json',
  ]);
  const metricsOfOutput = ({ out }: typeof first) => ({ ...JSON.parse(out), source: '', settings: '' });
  expect(metricsOfOutput(second).meanResponse).toBe(metricsOfOutput(first).meanResponse);
  expect((await runProgramInProcess(['explain', join(moved, 'out/first'), '--job', '1'])).code).toBe(0);
});

test('a log that is not there is named in one sentence with the command that helps', async () => {
  const { folder, results } = await writeLogAndResults('logs/tiny.swf');
  renameSync(join(folder, 'logs/tiny.swf'), join(folder, 'other.swf'));
  const { code, err } = await runProgramInProcess(['simulate', '--config', results]);
  expect({ code, err }).toEqual({
    code: 2,
    err:
      `gridalloc: ${results} names the log logs/tiny.swf, which is not there from its folder, from one above, or from the current one; ` +
      `say where it is: gridalloc simulate LOG --config ${results}\n`,
  });
  expect((await runProgramInProcess(['simulate', join(folder, 'other.swf'), '--config', results])).code).toBe(
    0,
  );
});

test('lists and patterns are found as single files are; models and standard input stay', async () => {
  const folder = makeTemporaryFolder();
  const below = join(folder, 'a', 'b');
  mkdirSync(below, { recursive: true });
  for (const name of ['1.swf', '2.swf', 'a/1.swf']) writeFileSync(join(folder, name), TINY_LOG_TEXT);
  const found = async (text: string) =>
    (await findLogFilesOfWorkload(text, below))?.replaceAll(relative('', folder), folder);
  expect(await found('1.swf')).toBe(join(folder, 'a/1.swf'));
  // A list of log files is found only if all of them are in the same place.
  expect(await found(joinFileNames(['1.swf', '2.swf']))).toBe(
    joinFileNames([join(folder, '1.swf'), join(folder, '2.swf')]),
  );
  expect(await found('*.swf')).toBe(join(folder, 'a/*.swf'));
  expect(await found('traces/queues.swf')).toBe('traces/queues.swf');
  expect(await found(join(folder, '2.swf'))).toBe(join(folder, '2.swf'));
  expect(await found('3.swf')).toBeUndefined();
  expect(await found('-')).toBe('-');
  expect(await found('lublin99[jobs=5]')).toBe('lublin99[jobs=5]');
});
