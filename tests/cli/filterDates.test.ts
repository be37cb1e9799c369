import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readTrace } from '../../host/files/traceFiles.js';
import { applyFilters, parseFilter } from '../../host/trace/filter.js';
import { runGridalloc } from '../runs/childProcess.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';

/**
 * Filters by date must keep the same jobs as filters in seconds, for every option that takes a
 * filter.
 */

/** 2026-03-05 00:00 UTC, an hour after the log begins. */
const START_OF_DAY = 1_772_668_800;
const DATE_FILTER = 'time=2026-03-05..2026-03-07';
const SECONDS_FILTER = 'time=3600-176400';

const folder = makeTemporaryFolder();
const logFile = join(folder, 'log.swf');
const jobs = Array.from(
  { length: 60 },
  (_, i) =>
    `${i + 1} ${5000 * i} -1 ${4000 + 700 * (i % 9)} 4 -1 -1 4 9999 -1 1 ${1 + (i % 3)} 1 -1 1 -1 -1 -1`,
);
writeFileSync(logFile, `; UnixStartTime: ${START_OF_DAY - 3600}\n; MaxProcs: 4\n${jobs.join('\n')}\n`);

/** Output of a command with a filter, from which the filter and the folder are removed for comparison. */
async function runCommandWithFilter(
  makeCommandWords: (resultFolder: string) => string[],
  filter: string,
): Promise<string> {
  const resultFolder = makeTemporaryFolder();
  const args = makeCommandWords(resultFolder).map((commandWord) => commandWord.replace('FILTER', filter));
  const { exitCode, stdout, stderr } = await runGridalloc(args);
  expect(exitCode, stderr).toBe(0);
  return stdout
    .replaceAll(resultFolder, 'OUT')
    .replaceAll(filter, 'FILTER')
    .replaceAll(/"[^"]*(?:sha|time|version)[^"]*": .*/gi, '');
}

test.each<[string, (resultFolder: string) => string[]]>([
  ['simulate', () => ['simulate', logFile, '--filter', 'FILTER', '--json']],
  [
    'compare',
    () => [
      'compare',
      logFile,
      '--discipline',
      'fcfs,easy',
      '--filter',
      'FILTER',
      '--metric',
      'meanWait',
      '--json',
    ],
  ],
  [
    'sweep',
    (resultFolder) => [
      'sweep',
      logFile,
      '--filter',
      'FILTER',
      '--vary',
      'load=1,2',
      '--metric',
      'meanWait',
      '--out',
      join(resultFolder, 'a'),
      '--json',
    ],
  ],
  ['jobs', () => ['jobs', logFile, '--filter', 'FILTER', '--csv']],
  [
    'trace convert',
    (resultFolder) => [
      'trace',
      'convert',
      logFile,
      join(resultFolder, 'b.swf'),
      '--filter',
      'FILTER',
      '--json',
    ],
  ],
])('%s', async (_, makeCommandWords) => {
  const outputWithDateFilter = await runCommandWithFilter(makeCommandWords, DATE_FILTER);
  expect(outputWithDateFilter).toBe(await runCommandWithFilter(makeCommandWords, SECONDS_FILTER));
  expect(outputWithDateFilter).not.toBe(await runCommandWithFilter(makeCommandWords, 'time=0-1e6'));
});

test('studies, and what runs a folder again', async () => {
  const makeStudyCommandWords = (filter: string) => {
    const path = join(makeTemporaryFolder(), 'study.yaml');
    writeFileSync(
      path,
      `title: Dates\nsimulate:\n  workload: ${logFile}\n  filter: ${filter}\n  load: '{load}'\naxes:\n  load: [1, 2]\nmeasures:\n  wait: { metric: meanWait }\n`,
    );
    return (resultFolder: string) => [
      'study',
      'run',
      path,
      '--out',
      join(resultFolder, 'c'),
      '--yes',
      '--json',
    ];
  };
  const [dated, seconds] = [
    await runCommandWithFilter(makeStudyCommandWords(DATE_FILTER), DATE_FILTER),
    await runCommandWithFilter(makeStudyCommandWords(SECONDS_FILTER), SECONDS_FILTER),
  ];
  expect(dated).toBe(seconds);
  const resultFolder = join(makeTemporaryFolder(), 'run');
  expect(
    (await runGridalloc(['simulate', logFile, '--filter', DATE_FILTER, '--out', resultFolder, '--quiet']))
      .exitCode,
  ).toBe(0);
  const { exitCode, stderr } = await runGridalloc(['explain', resultFolder, '--longest', '1']);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
});

test('the library', async () => {
  const trace = await readTrace(logFile);
  const listJobsKeptByFilter = (filter: string) => [
    ...applyFilters(trace, [parseFilter(filter)]).trace.columns.job,
  ];
  expect(listJobsKeptByFilter(DATE_FILTER)).toEqual(listJobsKeptByFilter(SECONDS_FILTER));
  expect(listJobsKeptByFilter(DATE_FILTER).length).toBe(35);
});

test('a model has no dates: one sentence', async () => {
  const { exitCode, stderr } = await runGridalloc(['simulate', 'lublin99[jobs=50]', '--filter', DATE_FILTER]);
  expect(exitCode).toBe(2);
  expect(stderr.trim().split('\n').at(-1)).toMatch(
    /^gridalloc: lublin99.* has no start date \(UnixStartTime\), which the filter time=2026-03-05\.\.2026-03-07/,
  );
});
