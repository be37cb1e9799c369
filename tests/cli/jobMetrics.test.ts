import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { makeSwfRecord, runProgramInProcess, writeLogFile } from './runProgram.js';

/**
 * Metrics over all jobs from a sweep, whose threads have no log, must equal those of single
 * simulations.
 */

const PROGRAM_PATH = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const SWF_RECORD_LINES = Array.from({ length: 60 }, (_, i) => {
  const recordFields = makeSwfRecord(i + 1, 10 * i, 20 + ((37 * i) % 90), 1 + (i % 4), 1, 200).split(' ');
  recordFields[2] = String(5 * i);
  recordFields[11] = String(i % 7);
  return recordFields.join(' ');
});
const LOG = writeLogFile(['; MaxProcs: 6', ...SWF_RECORD_LINES, ''].join('\n'));
const METRIC_NAMES = [
  'p95Wait',
  'maxResponse',
  'userBoundedSlowdownJain',
  'userWaitMedian',
  'p50BoundedSlowdown',
];

test('sweep --metric', async () => {
  const resultFolder = join(makeTemporaryFolder(), 'sweep');
  const commandWords = [
    'sweep',
    LOG,
    '--vary',
    'discipline=fcfs,easy',
    '--metric',
    METRIC_NAMES.join(','),
    '--threads',
    '1',
  ];
  execFileSync(process.execPath, [PROGRAM_PATH, ...commandWords, '--out', resultFolder], { stdio: 'ignore' });
  const [headerLine, ...rows] = readFileSync(join(resultFolder, 'results.csv'), 'utf8').trim().split('\n');
  const columns = headerLine.split(',');
  expect(columns.slice(-METRIC_NAMES.length).sort()).toEqual([...METRIC_NAMES].sort());
  for (const [i, discipline] of ['fcfs', 'easy'].entries()) {
    const { distribution } = JSON.parse(
      (await runProgramInProcess(['simulate', LOG, '--discipline', discipline, '--json'])).stdout,
    );
    // Columns before the metrics may contain commas, so cells are counted from the end.
    const cells = rows[i].split(',').slice(-METRIC_NAMES.length);
    const metricsByNameInRow = Object.fromEntries(
      columns.slice(-METRIC_NAMES.length).map((name, index) => [name, Number(cells[index])]),
    );
    for (const metricName of METRIC_NAMES)
      expect([metricName, metricsByNameInRow[metricName]]).toEqual([metricName, distribution[metricName]]);
  }
});

test('metrics that the log has no data for are refused', () => {
  const commandWords = [
    'sweep',
    'lublin99[jobs=20]',
    '--vary',
    'load=1,2',
    '--metric',
    'userWaitJain',
    '--threads',
    '1',
  ];
  const runCommand = () =>
    execFileSync(process.execPath, [
      PROGRAM_PATH,
      ...commandWords,
      '--out',
      join(makeTemporaryFolder(), 's'),
    ]);
  expect(runCommand).toThrow('the log has no user numbers, so per-user metrics are unavailable');
});
