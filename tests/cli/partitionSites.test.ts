import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { makeConfiguration } from '../../host/options/configuration.js';
import { makeSiteSetColumns } from '../../host/simulate/partitionSets.js';
import type { Workload } from '../../host/workload/workload.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { runProgramInProcess, writeLogFile } from './runProgram.js';

/**
 * Job log whose jobs belong to the partitions `short` and `long` of one queue `all`, except one job of no
 * partition.
 */
const LOG = `; MaxProcs: 8
; Partition: 1 short
; Partition: 2 long
; Queue: 7 all
1 0 -1 100 3 -1 -1 3 100 -1 1 1 1 -1 7 1 -1 -1
2 1 -1 100 4 -1 -1 4 100 -1 1 2 1 -1 7 2 -1 -1
3 2 -1 50 2 -1 -1 2 50 -1 1 1 1 -1 7 1 -1 -1
4 3 -1 50 2 -1 -1 2 50 -1 1 3 1 -1 7 2 -1 -1
5 4 -1 20 1 -1 -1 1 20 -1 1 3 1 -1 -1 -1 -1 -1
`;

const folder = makeTemporaryFolder();
const SITES = ['--sites', '4,4', '--policy', 'best-fit'];
let logFile = '';
let resultFolderCount = 0;

beforeAll(() => {
  logFile = writeLogFile(LOG);
});

/** Runs a simulation into a new folder; returns the folder with the start time and site of each job. */
async function simulateToFolder(...commandWords: string[]) {
  resultFolderCount += 1;
  const resultFolder = join(folder, `run-${resultFolderCount}`);
  const { exitCode, stderr } = await runProgramInProcess([
    'simulate',
    logFile,
    ...SITES,
    ...commandWords,
    '--out',
    resultFolder,
  ]);
  expect(stderr.match(/^gridalloc: .*/m)?.[0]).toBeUndefined();
  expect(exitCode).toBe(0);
  const [headerLine = '', ...rows] = readFileSync(join(resultFolder, 'jobs.csv'), 'utf8').trim().split('\n');
  const columnIndexOf = (columnName: string) => headerLine.split(',').indexOf(columnName);
  const [start, site] = [columnIndexOf('starting_time'), columnIndexOf('execution_sites')];
  const cells = rows.map((row) => row.split(','));
  return {
    out: resultFolder,
    starts: cells.map((row) => Number(row[start])),
    sites: cells.map((row) => Number(row[site])),
  };
}

test.each([
  ['names', 'short=1;long=2'],
  ['numbers', '1=1,2=2'],
])('partitions by %s keep jobs to their sites', async (_, text) => {
  const { starts, sites } = await simulateToFolder('--discipline', 'easy', '--partition-sites', text);
  // Job 3 needs one processor more than site 1 has free; job 5, of no partition, starts beside job 1.
  expect(starts).toEqual([0, 1, 100, 101, 4]);
  expect(sites).toEqual([1, 2, 1, 2, 1]);
});

test('a partition may have sites of another', async () => {
  const { starts, sites } = await simulateToFolder(
    '--discipline',
    'easy',
    '--partition-sites',
    'short=1;long=1+2',
  );
  expect(starts).toEqual([0, 1, 100, 100, 4]);
  expect(sites.slice(0, 4)).toEqual([1, 2, 1, 1]);
});

test('the head of a queue blocks jobs of other partitions under fcfs', async () => {
  const { starts } = await simulateToFolder('--partition-sites', 'short=1;long=2');
  expect(starts).toEqual([0, 1, 100, 101, 101]);
});

test('a queue is named where no partition is so called', async () => {
  const { sites } = await simulateToFolder('--discipline', 'easy', '--partition-sites', 'all=2');
  expect(sites.slice(0, 4)).toEqual([2, 2, 2, 2]);
  const { sites: ofBoth } = await simulateToFolder(
    '--discipline',
    'easy',
    '--partition-sites',
    'all=1+2;short=2',
  );
  expect(ofBoth[0]).toBe(2);
});

test('the folder keeps the partitions, and the story of a job tells of them', async () => {
  const { out, starts } = await simulateToFolder(
    '--discipline',
    'easy',
    '--partition-sites',
    'short=1;long=2',
  );
  expect(JSON.parse(readFileSync(join(out, 'config.json'), 'utf8')).partitionSites).toBe('short=1;long=2');
  const { stdout: story } = await runProgramInProcess(['explain', out, '--job', '3']);
  expect(story).toMatch(/2 +4 +1 +0 +- +not of its partition or queue/);
  const { stdout: explanationText } = await runProgramInProcess(['explain', out, '--job', '4']);
  // At that time, site 1 has two free processors, as many as the job needs.
  expect(explanationText).toContain('Of the sites that it may use, only site 2 had room for it.');
  const repetitionFolder = join(folder, 'again');
  expect(
    (await runProgramInProcess(['simulate', '--config', join(out, 'config.json'), '--out', repetitionFolder]))
      .exitCode,
  ).toBe(0);
  expect(readFileSync(join(repetitionFolder, 'jobs.csv'), 'utf8')).toBe(
    readFileSync(join(out, 'jobs.csv'), 'utf8'),
  );
  expect(starts[2]).toBe(100);
});

test.each([
  ['short', 'expected partitions and their sites such as short=1+2;long=2+3'],
  ['short=', "expected a whole number of at least 1 and at most 2147483647, found ''"],
  ['short=0', "expected a whole number of at least 1 and at most 2147483647, found '0'"],
  ['short=1.5', "expected a whole number of at least 1 and at most 2147483647, found '1.5'"],
  ['=1', "'' cannot be the name of a partition"],
  ['short=1;short=2', 'partition short is given twice'],
  ['shrot=1', "is of partition or queue shrot; did you mean 'short'?"],
  ['short=3', 'short is to have site 3, and the grid has 2 sites'],
  ['short=1;all=2', 'some jobs of all are also of another partition or queue that is named'],
])('--partition-sites %s is refused', async (text, message) => {
  const { exitCode, stderr } = await runProgramInProcess([
    'simulate',
    logFile,
    ...SITES,
    '--partition-sites',
    text,
  ]);
  expect(stderr.replaceAll(/\s+/g, ' ')).toContain(message);
  expect(exitCode).toBe(2);
});

test('jobs wider than the sites of their partition are refused', async () => {
  const { exitCode, stderr } = await runProgramInProcess([
    'simulate',
    logFile,
    '--sites',
    '4,3',
    '--partition-sites',
    'long=2',
  ]);
  expect(stderr).toContain('job 2: needs 4 processors, more than any site that it may use has');
  expect(exitCode).toBe(2);
});

test('a workload cut without its log is refused', () => {
  const makeColumnOfHomeSites = (...homeNumbers: number[]) => Float64Array.from(homeNumbers);
  const log = { partition: makeColumnOfHomeSites(1, 2, 1), queue: makeColumnOfHomeSites(-1, -1, -1) };
  const configuration = makeConfiguration(
    { capacities: [4, 4], speeds: [1, 1] },
    { policy: 'best-fit', partitionSites: '1=2' },
  );
  const jobs = { name: 'a log', log: log as NonNullable<Workload['log']> };
  expect(makeSiteSetColumns(configuration, { ...jobs, count: 3 })).toEqual({
    SetSite: Int32Array.of(0, 1, 1, 1),
  });
  expect(() => makeSiteSetColumns(configuration, { ...jobs, count: 2 })).toThrow(
    'the workload has 2 jobs, and its log 3 records; cut the log with the workload',
  );
});
