import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runGridalloc } from '../runs/childProcess.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';

/**
 * Logs that do not give the size of the machine: every command assumes the greatest number of processors in
 * use at once, and reports it.
 */

// Jobs 1 and 2 hold 10 processors at once.
const LOG = [
  '1 0 0 100 4 -1 -1 4 200 -1 1 1 1 -1 1 -1 -1 -1',
  '2 10 0 50 6 -1 -1 6 100 -1 1 2 1 -1 1 -1 -1 -1',
  '3 20 90 50 8 -1 -1 8 100 -1 1 3 1 -1 1 -1 -1 -1',
].join('\n');

const ASSUMED_SIZE_MESSAGE =
  /log\.swf does not give the machine size; assuming one site of 10 processors, the most that its jobs held at once/;

function writeLog(folder: string): string {
  const path = join(folder, 'log.swf');
  writeFileSync(path, `${LOG}\n`);
  return path;
}

test('trace info, simulate, compare, sweep and a study', async () => {
  const folder = makeTemporaryFolder();
  const logFile = writeLog(folder);
  expect((await runGridalloc(['trace', 'info', logFile])).stdout).toMatch(
    /processors +10 +most in use at once/,
  );
  const studyFile = join(folder, 'study.yaml');
  writeFileSync(
    studyFile,
    `title: Two disciplines\nsimulate: { workload: ${logFile} }\nmeasures: { wait: { title: mean wait, metric: meanWait } }\nparts:\n  a: { simulate: { discipline: fcfs } }\n  b: { simulate: { discipline: easy } }\n`,
  );
  const commandWordsToTest = [
    ['simulate', logFile],
    ['compare', logFile],
    ['sweep', logFile, '--vary', 'discipline=fcfs,easy', '--out', join(folder, 'sweep')],
    ['study', 'run', studyFile, '--out', join(folder, 'study')],
  ];
  for (const commandWords of commandWordsToTest) {
    const { exitCode, stderr } = await runGridalloc(commandWords);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: expect.stringMatching(ASSUMED_SIZE_MESSAGE),
    });
  }
  const resultOfSimulateCommand = await runGridalloc(['simulate', logFile, '--sites', '10', '--json']);
  const meanWait = JSON.parse(resultOfSimulateCommand.stdout).meanWait as number;
  for (const resultFolder of ['sweep', 'study']) {
    const [headerLine = '', firstRow = ''] = readFileSync(
      join(folder, resultFolder, 'results.csv'),
      'utf8',
    ).split('\n');
    expect(Number(firstRow.split(',')[headerLine.split(',').indexOf('meanWait')])).toBe(meanWait);
  }
});
