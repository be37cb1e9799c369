import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { readTrace } from '../../host/files/traceFiles.js';
import { makeGrid } from '../../host/grid/grid.js';
import { simulate } from '../../host/simulate/simulate.js';
import { parseEstimates, printEstimates, withEstimates } from '../../host/workload/estimates.js';
import { makeWorkload } from '../../host/workload/make.js';
import { runProgramInProcess, writeLogFile } from '../cli/runProgram.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { findTraceFilePath } from '../traces.js';

/** Estimates from the last jobs of the same user. */

const makeLogLine = (
  job: number,
  submit: number,
  seconds: number,
  processors: number,
  requestedTime: number,
  user: number,
) =>
  `${job} ${submit} -1 ${seconds} ${processors} -1 -1 ${processors} ${requestedTime} -1 1 ${user} 1 -1 1 -1 -1 -1`;

/**
 * Log for 4 processors: user 1's jobs run 10 and 20 s with 100 s requested, so that job 5, which takes 30 s,
 * is estimated at 15 s. Job 4 is of user 2, without earlier jobs, and job 6 waits for all processors. Job 7
 * is also of user 1, and by its estimate fits before job 6.
 */
const LOG = writeLogFile(
  [
    '; MaxProcs: 4',
    makeLogLine(1, 0, 10, 1, 100, 1),
    makeLogLine(2, 0, 20, 1, 100, 1),
    makeLogLine(4, 30, 40, 2, 40, 2),
    makeLogLine(5, 31, 30, 1, 100, 1),
    makeLogLine(6, 32, 5, 4, 5, 2),
    makeLogLine(7, 33, 9, 1, 100, 1),
    '',
  ].join('\n'),
);

test('an estimate is the mean of what the last jobs took, if that is not more than is requested', async () => {
  const workload = makeWorkload(await readTrace(LOG), { siteCount: 1, capacities: [4] });
  const workloadWithRecentEstimates = withEstimates(workload, parseEstimates('recent[n=2]'));
  const grid = makeGrid({ capacities: [4] });
  const { summary: simulationSummary, schedule } = simulate(workloadWithRecentEstimates, grid, {
    discipline: 'easy',
  });
  // Job 5 is predicted to end at 46 s, so that job 6 has a reservation at 70 s, when job 4 ends;
  // job 7 (15 s) ends before that.
  expect([...schedule.start]).toEqual([0, 0, 30, 31, 70, 33]);
  expect(simulationSummary.meanEstimateRatio).toBe((10 + 5 + 1 + 15 / 30 + 1 + 15 / 9) / 6);
  expect(simulationSummary.meanRequestRatio).toBe((10 + 5 + 1 + 100 / 30 + 1 + 100 / 9) / 6);
  expect(simulationSummary.underestimatedJobs).toBe(1);
  const simulationByRequestedTimes = simulate(workload, grid, { discipline: 'easy' });
  // By its request the job would delay job 6, which is then predicted to start at 131 s.
  expect([...simulationByRequestedTimes.schedule.start]).toEqual([0, 0, 30, 31, 70, 75]);
  expect(simulationByRequestedTimes.summary).toMatchObject({
    meanEstimateRatio: 0,
    meanRequestRatio: 0,
    underestimatedJobs: 0,
  });
});

/**
 * Log for one processor, with estimates from the last job: job 2 is estimated as short as job 1 once job 1
 * has ended.
 */
const LOG_FILE_FOR_REFRESH = writeLogFile(
  [
    '; MaxProcs: 1',
    makeLogLine(1, 0, 100, 1, 1000, 1),
    makeLogLine(2, 1, 10, 1, 1000, 1),
    makeLogLine(3, 2, 50, 1, 500, 2),
    '',
  ].join('\n'),
);

test.each(['shortest', 'estimate * 2'])('as long as a job waits, in the order %s', async (order) => {
  const workload = makeWorkload(await readTrace(LOG_FILE_FOR_REFRESH), { siteCount: 1, capacities: [1] });
  const grid = makeGrid({ capacities: [1] });
  const run = (estimates: string) =>
    simulate(withEstimates(workload, parseEstimates(estimates)), grid, {
      order,
      discipline: 'first-available',
    });
  const refreshedEstimates = run('recent[n=1,refresh=yes]');
  expect([...refreshedEstimates.schedule.start]).toEqual([0, 100, 110]);
  expect([...refreshedEstimates.schedule.estimate!]).toEqual([1000, 100, 500]);
  expect([...run('recent[n=1]').schedule.start]).toEqual([0, 150, 100]);
});

test('conservative replans with estimates that change', async () => {
  const workload = makeWorkload(await readTrace(LOG_FILE_FOR_REFRESH), { siteCount: 1, capacities: [1] });
  const workloadWithRecentEstimates = withEstimates(workload, parseEstimates('recent[refresh=yes]'));
  const grid = makeGrid({ capacities: [1] });
  const conservative = { discipline: 'conservative' } as const;
  expect(() => simulate(workloadWithRecentEstimates, grid, conservative)).toThrow(
    "reservations are not kept for jobs whose estimates change while they wait; take reservations: 'replanned'",
  );
  simulate(workloadWithRecentEstimates, grid, { ...conservative, reservations: 'replanned' });
  const commandWords = [
    'simulate',
    LOG_FILE_FOR_REFRESH,
    '--estimates',
    'recent[refresh=yes]',
    '--discipline',
    'conservative',
  ];
  expect((await runProgramInProcess(commandWords)).exitCode).toBe(0);
  expect((await runProgramInProcess([...commandWords, '--reservations', 'kept'])).stderr).toContain(
    '--estimates recent[n=2,refresh=yes] cannot be combined with --reservations kept, since a job may',
  );
});

test('a folder of results, and running it again', async () => {
  const resultFolder = join(makeTemporaryFolder(), 'results');
  const commandWords = ['--discipline', 'easy', '--order', 'shortest', '--estimates', 'recent'];
  const { exitCode, stdout: printedText } = await runProgramInProcess([
    'simulate',
    LOG,
    ...commandWords,
    '--out',
    resultFolder,
  ]);
  expect(exitCode).toBe(0);
  expect(printedText).toMatch(/jobs longer than estimated +1\n/);
  const repetitionFolder = join(makeTemporaryFolder(), 'again');
  expect(
    (await runProgramInProcess(['simulate', '--config', resultFolder, '--out', repetitionFolder])).exitCode,
  ).toBe(0);
  const readFileText = (folder: string) => readFileSync(join(folder, 'jobs.csv'), 'utf8');
  expect(readFileText(repetitionFolder)).toBe(readFileText(resultFolder));
  const { command } = JSON.parse(readFileSync(join(resultFolder, 'config.json'), 'utf8'));
  expect(command.join(' ')).toContain('--estimates recent');
  expect((await runProgramInProcess(['explain', resultFolder, '--job', '6'])).exitCode).toBe(0);
});

describe('the notation', () => {
  it.each([
    ['recent', 'recent[n=2]'],
    ['recent[n=7]', 'recent[n=7]'],
    ['recent[refresh=yes]', 'recent[n=2,refresh=yes]'],
    ['recent[n=3,refresh=no]', 'recent[n=3]'],
  ])('%s is %s', (text, fullNotation) => {
    expect(printEstimates(parseEstimates(text))).toBe(fullNotation);
  });

  it.each([
    ['recent[n=0]', "n of recent: expected a whole number of at least 1 and at most 999999, found '0'"],
    ['recent[m=2]', "unknown parameter of recent 'm'"],
    ['recent[refresh=maybe]', "refresh of recent: expected yes or no, found 'maybe'"],
    ['recents', "unknown source of estimates 'recents'"],
  ])('%s is refused', (text, message) => {
    expect(() => parseEstimates(text)).toThrow(message);
  });
});

test.each([
  ['lublin99[jobs=20]', [], 'no job names its user (field 12)'],
  [
    LOG,
    ['--moldable', 'down', '--moldable-threshold', '2'],
    '--moldable-threshold cannot be combined with --estimates recent[n=2], since no paper defines',
  ],
])('%s %j is refused', async (source, extraWords, sentence) => {
  const { exitCode, stderr } = await runProgramInProcess([
    'simulate',
    source,
    '--estimates',
    'recent',
    ...extraWords,
  ]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(sentence);
});

const KTH_LOG_FILE = findTraceFilePath('KTH-SP2-1996-2.1-cln.swf.gz');

test.skipIf(KTH_LOG_FILE === undefined)(
  'the mean wait of KTH under EASY, as docs/model.md has it',
  async () => {
    const trace = await readTrace(KTH_LOG_FILE as string);
    const grid = makeGrid({ capacities: [trace.header.maxProcessors as number] });
    const workload = makeWorkload(trace, { siteCount: 1, capacities: grid.capacities });
    const workloadWithRecentEstimates = withEstimates(workload, parseEstimates('recent[n=2]'));
    const { summary: simulationSummary } = simulate(workloadWithRecentEstimates, grid, {
      discipline: 'easy',
    });
    expect(Math.round(simulationSummary.meanWait)).toBe(5810);
    expect(simulationSummary.underestimatedJobs).toBe(13_363);
  },
);
