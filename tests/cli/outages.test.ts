import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { runProgramInProcess, writeLogFile } from './runProgram.js';

/**
 * Job log on four processors that begins on 2 January 1970: jobs of 60, 50 and 30 s, estimated exactly, on 4,
 * 1 and 1 processors.
 */
const LOG = `; UnixStartTime: 86400
; MaxProcs: 4
1 0 -1 60 4 -1 -1 4 60 -1 1 1 1 -1 -1 -1 -1 -1
2 1 -1 50 1 -1 -1 1 50 -1 1 2 1 -1 -1 -1 -1 -1
3 2 -1 30 1 -1 -1 1 30 -1 1 3 1 -1 -1 -1 -1 -1
`;

const folder = makeTemporaryFolder();
let logFile = '';

beforeAll(() => {
  logFile = writeLogFile(LOG);
});

let outageFileCount = 0;

/** Writes a CSV file of outages with the columns site, from, to, processors and planned; returns its path. */
function writeOutageFile(...lines: string[]): string {
  outageFileCount += 1;
  const path = join(folder, `outages-${outageFileCount}.csv`);
  writeFileSync(path, ['site,from,to,processors,planned', ...lines].join('\n'));
  return path;
}

interface StartedJob {
  readonly start: number;
  readonly seconds: number;
}

/** Starts and execution times of the jobs in a folder of results. */
function readStartedJobs(resultFolder: string): StartedJob[] {
  const [headerLine = '', ...rows] = readFileSync(join(resultFolder, 'jobs.csv'), 'utf8').trim().split('\n');
  const columnIndexOf = (columnName: string) => headerLine.split(',').indexOf(columnName);
  const [start, end] = [columnIndexOf('starting_time'), columnIndexOf('finish_time')];
  return rows.map((row) => {
    const cells = row.split(',').map(Number);
    return { start: cells[start]!, seconds: cells[end]! - cells[start]! };
  });
}

async function simulateToFolder(...commandWords: string[]): Promise<string> {
  outageFileCount += 1;
  const resultFolder = join(folder, `run-${outageFileCount}`);
  const { exitCode, stderr } = await runProgramInProcess([
    'simulate',
    logFile,
    ...commandWords,
    '--out',
    resultFolder,
  ]);
  expect(stderr.match(/^gridalloc: .*/m)?.[0]).toBeUndefined();
  expect(exitCode).toBe(0);
  return resultFolder;
}

test.each([
  ['1,100,200,,yes', [0, 200, 60]],
  ['1,1970-01-02T00:01:40,1970-01-02T00:03:20,4,true', [0, 200, 60]],
  ['1,100,200,3,yes', [0, 60, 60]],
  ['1,100,200,,no', [0, 60, 60]],
])('under easy, with the outage %s jobs start at %j', async (line, starts) => {
  const resultFolder = await simulateToFolder('--discipline', 'easy', '--outages', writeOutageFile(line));
  expect(readStartedJobs(resultFolder).map(({ start }) => start)).toEqual(starts);
});

test('config.json has the outages themselves, so that the run can be repeated without the file', async () => {
  const file = writeOutageFile('1,1970-01-02T00:01:20,200,,');
  const resultFolder = await simulateToFolder(
    '--discipline',
    'easy',
    '--outages',
    file,
    '--on-outage',
    'kill',
  );
  writeFileSync(file, '');
  expect(readStartedJobs(resultFolder)[1]).toEqual({ start: 60, seconds: 20 });
  expect(readFileSync(join(resultFolder, 'config.json'), 'utf8')).toContain('1xall@1970-01-02T00:01:20..200');
  const repetitionFolder = join(folder, 'again');
  const { exitCode } = await runProgramInProcess([
    'simulate',
    '--config',
    join(resultFolder, 'config.json'),
    '--out',
    repetitionFolder,
  ]);
  expect(exitCode).toBe(0);
  expect(readStartedJobs(repetitionFolder)).toEqual(readStartedJobs(resultFolder));
});

test('requeued jobs are counted, and listed in stops.csv', async () => {
  const resultFolder = await simulateToFolder('--outages', '1x3@70..100', '--on-outage', 'requeue');
  expect(readStartedJobs(resultFolder).map(({ start }) => start)).toEqual([0, 60, 100]);
  const { restarts, lostProcessorSeconds } = JSON.parse(
    readFileSync(join(resultFolder, 'summary.json'), 'utf8'),
  );
  expect({ restarts, lostProcessorSeconds }).toEqual({ restarts: 1, lostProcessorSeconds: 10 });
  expect(readFileSync(join(resultFolder, 'stops.csv'), 'utf8').trim().split('\n')).toHaveLength(2);
});

test('the story of a job names the outages during its wait', async () => {
  const resultFolder = await simulateToFolder('--discipline', 'easy', '--outages', 'planned:1xall@100..200');
  const { stdout: story } = await runProgramInProcess(['explain', resultFolder, '--job', '2']);
  const storyText = story.replaceAll(/\s+/g, ' ');
  expect(storyText).toContain('an outage takes 4 processors of site 1');
  expect(storyText).toContain('4 processors of site 1 come back after an outage');
  expect(storyText).toMatch(/there was room for it, but it could have met an outage\./);
});

test('the story of a job that an outage stopped says so', async () => {
  const folderOfRequeued = await simulateToFolder('--outages', '1x3@70..100', '--on-outage', 'requeue');
  const folderOfKilled = await simulateToFolder('--outages', '1x3@70..100', '--on-outage', 'kill');
  const storyOf = async (resultFolder: string) =>
    (await runProgramInProcess(['explain', resultFolder, '--job', '3'])).stdout.replaceAll(/\s+/g, ' ');
  expect(await storyOf(folderOfRequeued)).toContain('stopped at 2 Jan 1970 00:01:10 on site 1 by an outage');
  expect(await storyOf(folderOfKilled)).toContain('the job ran 10 s and was stopped by an outage');
});

test.each([
  ['2,0,10,1,no', 'there is no site 2; the grid has 1 site'],
  ['1,0,10,5,no', 'it needs 5 processors, and site 1 has 4'],
  ['1,20,10,1,no', 'line 2: the outage ends at 10, before it begins, at 20'],
  ['1,20,20,1,no', 'line 2: the outage begins and ends at 20; give a later end'],
  [
    '1,0,10',
    'line 2: expected 5 values (site, from, to, processors, planned), found 3; end the row with a comma',
  ],
  ['1,0,10,1,no,1', 'line 2: expected 5 values (site, from, to, processors, planned), found 6'],
  ['x,0,10,1,no', "line 2: the site is a whole number from 1 on, not 'x'"],
  ['1,0,10,x,no', "line 2: processors are a whole number from 1 on, not 'x'"],
  ['1,,10,1,no', "line 2, from: expected seconds, or a date such as 2010-05-01T12:00, found ''"],
  ['1,0,10,1,maybe', "line 2: planned is yes or no, not 'maybe'"],
  ['1,soon,10,1,no', "line 2, from: expected seconds, or a date such as 2010-05-01T12:00, found 'soon'"],
  ['0,0,10,1,no', 'line 2: the site is a whole number from 1 on, not 0'],
  ['1,0,10,0.5,no', 'line 2: processors are a whole number from 1 on, not 0.5'],
  [
    '1,5,,2,no',
    'needs 4 processors, more than any site that it may use has beside the outages that do not end',
  ],
])('the outage %s is refused', async (line, message) => {
  const { exitCode, stderr } = await runProgramInProcess([
    'simulate',
    logFile,
    '--outages',
    writeOutageFile(line),
  ]);
  expect(stderr).toContain(message);
  expect(exitCode).toBe(2);
});

test.each([
  ['1x[2]@0..100', [100, 1, 2]],
  ['planned:1x[1-4]@60..100', [0, 100, 100]],
  ['planned:1x[1-4]@40..100', [100, 160, 2]],
])('planned by nodes, with the outage %s jobs start at %j', async (outages, starts) => {
  const commandWords = ['--discipline', 'conservative', '--plan-by', 'node', '--backfill-interval', '1'];
  const resultFolder = await simulateToFolder(...commandWords, '--outages', outages);
  expect(readStartedJobs(resultFolder).map(({ start }) => start)).toEqual(starts);
});

test.each([
  ['1x[5]@0..10', 'there is no node 5; the site has 4 nodes'],
  ['1x[2-3]@0..10+1x[3]@5..20', 'node 3 is in two outages at once'],
  ['1x[3 3]@0..10', "node 3 is given twice in '3 3'; give each node once"],
  ['1x[2 1-4]@0..10', "node 2 is given twice in '2 1-4'"],
  ['1x[2-1]@0..10', 'nodes are numbers from 1 on, such as 3 7-8'],
  ['1x[1]@0..10+1x[2]@15..30+1x3@5..20', '2 processors are in no other outage'],
])('planned by nodes, the outages %s are refused', async (outages, message) => {
  const commandWords = ['--discipline', 'conservative', '--plan-by', 'node', '--backfill-interval', '1'];
  const { exitCode, stderr } = await runProgramInProcess([
    'simulate',
    logFile,
    ...commandWords,
    '--outages',
    outages,
  ]);
  expect(stderr).toContain(message);
  expect(exitCode).toBe(2);
});

test('outages of nodes need plans by nodes, and have no number of processors', async () => {
  const { stderr } = await runProgramInProcess(['simulate', logFile, '--outages', '1x[2]@0..10']);
  expect(stderr).toContain('--outages needs --plan-by node');
  const path = join(folder, 'both.csv');
  writeFileSync(path, 'site,from,to,processors,nodes\n1,0,10,2,3\n');
  expect((await runProgramInProcess(['simulate', logFile, '--outages', path])).stderr).toContain(
    'processors or nodes, not both',
  );
});

test('without nodes, a plan by nodes loses the highest-numbered ones that no other outage has', async () => {
  const commandWords = ['--discipline', 'conservative', '--plan-by', 'node', '--backfill-interval', '1'];
  const folderOfOutagesByCount = await simulateToFolder(
    ...commandWords,
    '--outages',
    '1x2@0..100+1x[4]@0..40',
  );
  const folderOfOutagesByNode = await simulateToFolder(
    ...commandWords,
    '--outages',
    '1x[2-3]@0..100+1x[4]@0..40',
  );
  expect(readStartedJobs(folderOfOutagesByCount)).toEqual(readStartedJobs(folderOfOutagesByNode));
});

test('outages at the same time that need more than the site has are refused', async () => {
  const { stderr } = await runProgramInProcess([
    'simulate',
    logFile,
    '--outages',
    writeOutageFile('1,0,10,3,no', '1,5,20,2,no'),
  ]);
  expect(stderr).toContain('it needs, with the others of that time, 5 processors, and site 1 has 4');
});

test('a file with another column, or that is not there, is refused', async () => {
  const path = join(folder, 'columns.csv');
  writeFileSync(path, 'site,from,until\n1,0,10\n');
  expect((await runProgramInProcess(['simulate', logFile, '--outages', path])).stderr).toContain('unknown');
  const missingFileResult = await runProgramInProcess([
    'simulate',
    logFile,
    '--outages',
    join(folder, 'missing.csv'),
  ]);
  expect(missingFileResult.stderr).toContain('give the path of a CSV file with outages');
});

test.each([
  ['', ' is empty; expected a CSV file with the columns site, from, to, processors or nodes, and planned'],
  ['\u007fELF\0\0,site', ' is not text; expected a CSV file'],
  ['site,from,to,processor\n1,0,10,1\n', ", line 1: unknown column 'processor'; did you mean 'processors'?"],
  ['site,from\n1,0\n', ', line 1: the column to is missing'],
  ['site,site,from,to\n1,1,0,10\n', ', line 1: the column site is there twice; remove one of them'],
  ['site,from,to,site\n1,0,10,1\n', ', line 1: the column site is there twice; remove one of them'],
  ['site,from,to,nodes\n1,0,10,3 3\n', ", line 2: node 3 is given twice in '3 3'"],
  ['site,from,to\n', ' has no row with an outage; add one, or give --outages none'],
])('the file of outages %j is refused in one sentence', async (text, message) => {
  const path = join(folder, 'refused.csv');
  writeFileSync(path, text);
  const { exitCode, stderr } = await runProgramInProcess(['simulate', logFile, '--outages', path]);
  expect(stderr).toContain(`gridalloc: ${path}${message}`);
  expect(exitCode).toBe(2);
});

/** The log of three jobs shifted by 1000 s, so that it ends at 1110 s. */
const LOG_SHIFTED_IN_TIME = LOG.replaceAll(/^(\d) (\d)/gm, '$1 100$2');

test.each([
  ['1xall@0..1000', 'outage 1xall@0..1000 has no effect: it ends before the first submission, at 1,000 s'],
  ['1x1@0..5+1x2@5..6', 'outages 1x1@0..5 and 1x2@5..6 have no effect: they end before the first submission'],
  [
    '1xall@5000..6000',
    'outage 1xall@5000..6000 has no effect: it begins after the last job has ended, at 1,',
  ],
  ['planned:1x1@5000..6000', 'outage planned:1x1@5000..6000 begins after the last job has ended, at 1,'],
  ['1xall@0..1001', undefined],
  ['1x1@1050..6000', undefined],
])('outages without effect are named, unless --quiet: %s', async (outages, message) => {
  const shiftedLogFile = writeLogFile(LOG_SHIFTED_IN_TIME);
  for (const command of ['simulate', 'compare']) {
    const commandWords = [
      command,
      shiftedLogFile,
      '--discipline',
      'easy',
      '--outages',
      outages,
      '--metric',
      'meanWait',
    ];
    const { exitCode, stderr } = await runProgramInProcess(commandWords);
    expect(exitCode, stderr).toBe(0);
    if (message === undefined || message.includes('planned')) expect(stderr).not.toContain('no effect');
    expect(stderr).toContain(message ?? '');
    expect((await runProgramInProcess([...commandWords, '--quiet'])).stderr).not.toContain('no effect');
  }
});

test.each([
  ['1e-9', 'at least 0.29 s'],
  ['0.1', 'at least 0.29 s, or a usage step of at most 100 s'],
  ['0.2', 'at least 0.29 s'],
  ['0.29', undefined],
  ['1', undefined],
])(
  'a half-life of %s s, too short for the usage step, is refused with its bounds',
  async (halfLife, bounds) => {
    const commandWords = ['simulate', logFile, '--order', 'usage', '--half-life', halfLife];
    const { exitCode, stderr } = await runProgramInProcess(commandWords);
    expect(exitCode, stderr).toBe(bounds === undefined ? 0 : 2);
    if (bounds !== undefined)
      expect(stderr).toMatch(new RegExp(`half-life: .* is too short for a usage step of 300 s.* ${bounds}`));
  },
);

test('jobs that an outage kills count as killed', async () => {
  const resultFolder = await simulateToFolder(
    '--outages',
    writeOutageFile('1,10,20,,no'),
    '--on-outage',
    'kill',
  );
  const killedStateCount = readFileSync(join(resultFolder, 'jobs.csv'), 'utf8').match(
    /COMPLETED_KILLED/g,
  )!.length;
  const { killedJobs, killedProcessorSeconds, completedMeanWait } = JSON.parse(
    readFileSync(join(resultFolder, 'summary.json'), 'utf8'),
  );
  // Job 1 runs on 4 processors for 10 s; jobs 2 and 3 start at 20 s.
  expect({ states: killedStateCount, killedJobs, killedProcessorSeconds, completedMeanWait }).toEqual({
    states: 1,
    killedJobs: 1,
    killedProcessorSeconds: 40,
    completedMeanWait: 18.5,
  });
});
