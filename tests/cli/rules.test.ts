import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { makeSwfRecord, runProgramInProcess } from './runProgram.js';

/**
 * Options of load sharing, moldable jobs and estimates, on logs small enough to compute by hand.
 */

async function simulateAndReadSummary(logText: string, options: string) {
  const { exitCode, stdout, stderr } = await runProgramInProcess(
    ['simulate', '-', ...options.split(' '), '--json'],
    {
      input: logText,
    },
  );
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return JSON.parse(stdout);
}

describe('load sharing', () => {
  /**
   * Log of two jobs with home site 1, the first of which takes all its processors, and then one job with home
   * site 2.
   */
  const threeJobLogText = [
    makeSwfRecord(1, 0, 100, 4, 1),
    makeSwfRecord(2, 1, 100, 4, 1),
    makeSwfRecord(3, 2, 10, 4, 2),
    '',
  ].join('\n');

  test.each([
    // Job 2 runs on site 2 from 1 s on; job 3 waits until site 1 is free.
    ['--queue shared', (100 + 100 + 108) / 3, 2, 0, 0],
    ['--queue per-home', (100 + 100 + 108) / 3, 2, 0, 0],
    // Job 2 waits for its home site, job 3 does not.
    ['--queue independent', (100 + 199 + 10) / 3, 0, 0, 0],
    // Job 2 is preempted at 2 s and restarts when job 3 has ended.
    ['--queue per-home --reclaim', (100 + 111 + 10) / 3, 1, 1, 4],
  ])('%s', async (options, averageResponseTime, movedJobCount, restartCount, lostProcessorSeconds) => {
    const summary = await simulateAndReadSummary(threeJobLogText, `--sites 4,4 ${options}`);
    expect(summary).toMatchObject({
      averageResponseTime,
      movedJobs: movedJobCount,
      restarts: restartCount,
      lostProcessorSeconds,
    });
  });

  test.each([
    ['larger-first', '', 10, [1, 1, 0]],
    ['larger-first', ' --multi-site-overhead 0.5', 15, [1, 1, 0]],
    ['faster-first', '', 5, [0, 1, 1]],
    // No jobs wait behind this job, so the rule prefers the set of sites whose slowest site is faster.
    ['adaptive', '', 5, [0, 1, 1]],
  ])('--multi-site %s%s', async (rule, overhead, averageResponseTime, jobs) => {
    const logText = `${makeSwfRecord(1, 0, 10, 6, 1)}\n`;
    const summary = await simulateAndReadSummary(
      logText,
      `--sites 4,3,3 --speeds 1,2,4 --multi-site ${rule}${overhead}`,
    );
    expect(summary).toMatchObject({ averageResponseTime, splitJobs: 1 });
    expect(summary.sites.map((site: { jobs: number }) => site.jobs)).toEqual(jobs);
  });
});

describe('moldable jobs', () => {
  /**
   * Log of two jobs: when job 2 arrives, 2 of its 4 processors are free until 10 s; job 1 is estimated to end
   * at 5 s.
   */
  const moldableJobsLogText = [makeSwfRecord(1, 0, 10, 6, 1, 5), makeSwfRecord(2, 1, 10, 4, 1, 10), ''].join(
    '\n',
  );

  test.each([
    ['--queue shared', 10, 19, 0, 0],
    ['--moldable down', 10, 20, 1, 0],
    // The jobs run on all 8 processors, one after the other.
    ['--moldable up-down', 7.5, 11.5, 0, 2],
    // Estimated turnaround as requested: Tsd = 20; with fewer processors: To = 9 + 10.
    ['--moldable down --estimates exact --moldable-threshold 1', 10, 19, 0, 0],
    ['--moldable down --estimates exact --moldable-threshold 1.1', 10, 20, 1, 0],
    // With the estimates of the trace, To = 4 + 10.
    ['--moldable down --estimates trace --moldable-threshold 1.1', 10, 19, 0, 0],
    ['--moldable down --estimates trace --moldable-threshold 1.5', 10, 20, 1, 0],
    // Speedup does not grow beyond 2 processors: job 2 is as fast on 2 processors as on 4, job 1 as
    // on 6.
    ['--moldable down --speedup downey[A=2,sigma=0]', 10, 10, 1, 0],
    // Speedups: S(2) = 12/7, S(4) = 8/3.
    ['--moldable down --speedup downey[A=4,sigma=2]', 10, (10 * 8 * 7) / (3 * 12), 1, 0],
  ])('%s', async (options, startOfFirstJob, startOfSecondJob, scaledDownJobCount, scaledUpJobCount) => {
    const summary = await simulateAndReadSummary(moldableJobsLogText, `--sites 8 ${options}`);
    expect(summary).toMatchObject({ scaledDownJobs: scaledDownJobCount, scaledUpJobs: scaledUpJobCount });
    expect(summary.averageResponseTime).toBeCloseTo((startOfFirstJob + startOfSecondJob) / 2, 10);
  });

  test.each([
    ['demand', 3, 10],
    ['processors', 1, 2.5],
    ['power', 2, 20],
  ])('--moldable-fit %s takes site %d', async (fit, site, averageResponseTime) => {
    const logText = `${makeSwfRecord(1, 0, 10, 4, 3)}\n`;
    const siteWords = '--sites 4,11,6 --speeds 4,0.5,1';
    const summary = await simulateAndReadSummary(
      logText,
      `${siteWords} --moldable down --moldable-fit ${fit}`,
    );
    expect(summary.averageResponseTime).toBe(averageResponseTime);
    expect(summary.sites[site - 1].jobs).toBe(1);
  });

  test('a job wider than the grid runs on what there is', async () => {
    const logText = `${makeSwfRecord(1, 0, 10, 20, 1)}\n`;
    expect(await simulateAndReadSummary(logText, '--sites 4,8 --moldable down')).toMatchObject({
      averageResponseTime: 25,
      scaledDownJobs: 1,
    });
  });
});

describe('backfilling', () => {
  /**
   * Log on 6 processors: job 1 leaves 2 of them until 100 s; job 2 needs 4; jobs 3 and 4 need 2, for 99 s and
   * 150 s.
   */
  const backfillingLogText = [
    makeSwfRecord(1, 0, 100, 4, 1, 100),
    makeSwfRecord(2, 1, 10, 4, 1, 10),
    makeSwfRecord(3, 2, 98, 2, 1, 98),
    makeSwfRecord(4, 3, 150, 2, 1, 150),
    '',
  ].join('\n');

  test.each([
    // Jobs 2 and 3 start at 100 s, job 4 at 110 s.
    ['fcfs', [100, 109, 196, 257]],
    // Job 3 ends by 100 s, when job 2 can start. Job 4 does not, but fits on the 2 processors that
    // job 2 leaves.
    ['easy', [100, 109, 98, 247]],
    ['conservative', [100, 109, 98, 247]],
  ])('--discipline %s', async (discipline, responses) => {
    const summary = await simulateAndReadSummary(backfillingLogText, `--sites 6 --discipline ${discipline}`);
    const mean = responses.reduce((sum, response) => sum + response, 0) / responses.length;
    expect(summary.averageResponseTime).toBe(mean);
    expect(summary.method).toBe(discipline === 'fcfs' ? 'best-fit' : `${discipline} backfilling`);
  });

  test.each([
    // The job takes 4 processors of site 1 and 2 of site 2, which is half as fast: 10 x 1.5 x 2.
    ['--multi-site-factor 1.5 --heterogeneity 1,2', 30, 1, 0],
    // Runtimes refer to home site 1, whose heterogeneity is 2: 10 x 1.5 x 2 / 2.
    ['--multi-site-factor 1.5 --heterogeneity 2,1 --runtime-reference home', 15, 1, 0],
    // The execution time also includes the transfer of 500 bytes to the other site.
    ['--multi-site-factor 1 --bandwidth 100 --latency 2 --data-size 500', 10 + 7, 1, 0],
    ['--multi-site-factor 1 --bandwidth 0,100;50,0 --data-size 500', 10 + 5, 1, 0],
  ])('a job on two sites: %s', async (options, averageResponseTime, splitJobCount) => {
    const logText = `${makeSwfRecord(1, 0, 10, 6, 1, 10)}\n`;
    const summary = await simulateAndReadSummary(logText, `--sites 4,4 --discipline easy ${options}`);
    expect(summary).toMatchObject({ averageResponseTime, splitJobs: splitJobCount });
  });

  test('--interval waits for the clock', async () => {
    const logText = [makeSwfRecord(1, 5, 10, 4, 1, 10), makeSwfRecord(2, 6, 10, 4, 1, 10), ''].join('\n');
    // Passes occur at 5, 35 and 65 s: the second job starts at 35.
    const summary = await simulateAndReadSummary(logText, '--sites 4 --discipline easy --interval 30');
    expect(summary.averageResponseTime).toBe((10 + 39) / 2);
  });
});

describe('--estimates with errors', () => {
  /** Ratio of estimate to runtime for each of 200 jobs. */
  async function simulatePromiseErrors(estimates: string): Promise<number[]> {
    const resultFolder = join(makeTemporaryFolder(), 'results');
    const { exitCode } = await runProgramInProcess([
      'simulate',
      'lublin99[jobs=200]',
      '--estimates',
      estimates,
      '--out',
      resultFolder,
    ]);
    expect(exitCode).toBe(0);
    const [, ...lines] = readFileSync(join(resultFolder, 'jobs.csv'), 'utf8').trimEnd().split('\n');
    return lines.map((line) => {
      const cells = line.replace(/"[^"]*"/, '').split(',');
      return Number(cells[5]) / Number(cells[2]) - 1;
    });
  }

  test.each(['uniform:0.2', 'normal:0.2'])('%s: within the range on both sides', async (estimates) => {
    const errors = await simulatePromiseErrors(estimates);
    expect(errors).toHaveLength(200);
    expect(Math.max(...errors.map(Math.abs))).toBeLessThanOrEqual(0.2 + 1e-12);
    expect(Math.max(...errors)).toBeGreaterThan(0.1);
    expect(Math.min(...errors)).toBeLessThan(-0.1);
  });

  test('the seed decides', async () => {
    const promiseErrors = await simulatePromiseErrors('uniform:0.5:7');
    expect(await simulatePromiseErrors('uniform:0.5:7')).toEqual(promiseErrors);
    expect(await simulatePromiseErrors('uniform:0.5:8')).not.toEqual(promiseErrors);
    expect(await simulatePromiseErrors('uniform:0.5')).toEqual(await simulatePromiseErrors('uniform:0.5:1'));
    expect(await simulatePromiseErrors('exact')).toEqual(promiseErrors.map(() => 0));
  });
});

describe('the command of config.json', () => {
  const logText = [
    makeSwfRecord(1, 0, 10, 5, 1, 20),
    makeSwfRecord(2, 1, 10, 6, 2, 10),
    makeSwfRecord(3, 2, 30, 3, 2, 25),
    makeSwfRecord(4, 3, 7, 7, 1, 9),
    makeSwfRecord(5, 4, 7, 2, 1, 9),
    '',
  ].join('\n');

  test.each([
    [
      '--sites 4,3 --speeds 1,2 --multi-site adaptive --multi-site-overhead 0.25 --discipline sjf',
      '5,1 2,4 1',
      { multiSite: 'adaptive', multiSiteOverhead: 0.25 },
    ],
    [
      '--sites 4,8 --speeds 2,1 --queue per-home --reclaim --time-resolution floor',
      '5,2,5',
      { queue: 'per-home', reclaim: true },
    ],
    [
      '--sites 7 --moldable up-down --moldable-threshold 1.5 --estimates normal:0.3:4 --speedup downey[A=6,sigma=0.5]',
      '5,1,7',
      { moldable: 'up-down', moldableThreshold: 1.5, speedup: 'downey[A=6,sigma=0.5]' },
    ],
    [
      '--sites 4,3 --speeds 1,2 --load 2 --moldable down --moldable-fit power',
      '5,2,3',
      { moldable: 'down', moldableFit: 'power', moldableThreshold: 0, speedup: 'linear' },
    ],
  ])('%s: the same bytes again', async (options, placed, optionText) => {
    const folder = makeTemporaryFolder();
    const firstFolder = join(folder, 'one');
    const { exitCode } = await runProgramInProcess(
      ['simulate', '-', ...options.split(' '), '--out', firstFolder],
      {
        input: logText,
      },
    );
    expect(exitCode).toBe(0);
    // Cells of the first job: requested processors, sites and allocated processors.
    const [, firstRow] = readFileSync(join(firstFolder, 'jobs.csv'), 'utf8').split('\n');
    expect(
      firstRow
        .split(',')
        .filter((_, column) => [4, 18, 19].includes(column))
        .join(','),
    ).toBe(placed);
    const config = JSON.parse(readFileSync(join(firstFolder, 'config.json'), 'utf8'));
    expect(config).toMatchObject(optionText);
    const [, ...words] = config.command;
    const repetitionFolder = join(folder, 'two');
    expect(
      (await runProgramInProcess([...words, '--out', repetitionFolder], { input: logText })).exitCode,
    ).toBe(0);
    for (const file of ['jobs.csv', 'summary.json', 'schedule.swf', 'config.json']) {
      expect(readFileSync(join(repetitionFolder, file), 'utf8')).toBe(
        readFileSync(join(firstFolder, file), 'utf8'),
      );
    }
  });
});
