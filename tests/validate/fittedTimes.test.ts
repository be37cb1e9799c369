import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeGrid, makeWorkload, parseTrace, type SimulationOptions, simulate } from '../../host/index.js';
import { runProgramInProcess } from '../cli/runProgram.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';

/** Times that logs in whole seconds do not show, and that `validate` fits: logs with known times. */

const folder = makeTemporaryFolder();

async function runValidationAsJson(...commandWords: string[]) {
  const { exitCode, stdout, stderr } = await runProgramInProcess([
    'validate',
    ...commandWords,
    '--json',
    '--quiet',
  ]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return JSON.parse(stdout);
}

/** Writes a log of jobs given as submit, wait, runtime, processors; times in seconds. */
function writeLog(fileName: string, jobs: readonly (readonly number[])[], processors = 4): string {
  const lines = jobs.map(
    ([submit, wait, runtime, width], i) =>
      `${i + 1} ${submit} ${wait} ${runtime} ${width} -1 -1 ${width} ${runtime} -1 1 1 1 -1 1 1 -1 -1`,
  );
  const path = join(folder, fileName);
  writeFileSync(path, `; MaxProcs: ${processors}\n${lines.join('\n')}\n`);
  return path;
}

test('how many seconds of the interval agree equally is said', async () => {
  // Both jobs start at once, whenever backfill passes come.
  const log = writeLog('any-second.swf', [
    [0, 0, 100, 2],
    [10, 0, 50, 2],
  ]);
  const commandWords = [log, '--discipline', 'easy', '--backfill-interval', '30'];
  expect(await runValidationAsJson(...commandWords)).toMatchObject({
    isOffsetFitted: true,
    equalOffsets: 30,
  });
  const { stdout } = await runProgramInProcess(['validate', ...commandWords, '--quiet']);
  expect(stdout.replace(/\s+/g, ' ')).toContain(
    'one of 30 whole seconds of the interval that agree equally, and best, with this log.',
  );
});

describe('the order of a pass and the ends in its second', () => {
  /**
   * Two jobs that run when the third comes; it needs the processors of the first, and starts at a given time.
   */
  const makeJobsWithThirdStart = (start: number) => [
    [0, 0, 100, 2],
    [0, 0, 130, 2],
    [10, start - 10, 50, 2],
  ];
  const commandWords = ['--discipline', 'easy'];

  test('is fitted where a later pass starts the job as recorded', async () => {
    const logFile = writeLog('later.swf', makeJobsWithThirdStart(130));
    const { ways, orderFit } = await runValidationAsJson(logFile, ...commandWords);
    expect(ways[1].all.within['2']).toBeCloseTo(2 / 3);
    expect(ways[1].different[0]).toMatchObject({ job: '3', recordedStart: 130, simulatedStart: 100 });
    expect(orderFit).toMatchObject({ passes: 1, all: { jobs: 3, missed: 0, within: { 2: 1 } } });
    const { stdout } = await runProgramInProcess(['validate', logFile, ...commandWords, '--quiet']);
    expect(stdout.replace(/\s+/g, ' ')).toContain('where that meets more starts; at 1 pass it does.');
    expect(stdout).toContain(
      'step by step, order fitted: starts within 2 s of the recorded ones: 100.0 % of 3',
    );
  });

  test('explains no start at another time than that of a pass', async () => {
    const logFile = writeLog('elsewhere.swf', makeJobsWithThirdStart(115));
    const { ways, orderFit } = await runValidationAsJson(logFile, ...commandWords);
    expect(orderFit).toMatchObject({ passes: 0 });
    expect(orderFit.all).toEqual(ways[1].all);
  });

  test('is that of the log where all starts are met', async () => {
    const logFile = writeLog('met.swf', makeJobsWithThirdStart(100));
    const { ways, orderFit } = await runValidationAsJson(logFile, ...commandWords);
    expect(orderFit).toMatchObject({ passes: 0, all: { within: { 2: 1 } } });
    expect(orderFit.all).toEqual(ways[1].all);
  });

  test('leaves a start missed that no order explains', async () => {
    // Job 4 overtakes job 3, which EASY never has it do. If job 1 ends after the pass, job 3 is met.
    const logFile = writeLog('overtaken.swf', [...makeJobsWithThirdStart(130), [10, 90, 200, 2]]);
    const { ways, orderFit } = await runValidationAsJson(logFile, ...commandWords);
    expect(ways[1].all.within['2']).toBe(0.5);
    expect(orderFit).toMatchObject({ passes: 1, all: { missed: 1, within: { 2: 0.75 } } });
  });

  test('is left alone where more than four jobs end in the second', async () => {
    const endTimes = Array.from({ length: 5 }, () => [0, 0, 100, 1]);
    const jobs = [...endTimes, [0, 0, 130, 2], [10, 120, 50, 3]];
    const logFile = writeLog('many.swf', jobs, 7);
    const { orderFit } = await runValidationAsJson(logFile, ...commandWords);
    expect(orderFit.passes).toBe(0);
    expect(orderFit.all.within['2']).toBeLessThan(1);
  });
});

describe('times of passes', () => {
  /** Jobs on eight processors that wait for each other. */
  const JOBS = Array.from({ length: 60 }, (_, i) => ({
    submit: 5 * i + (i % 3),
    runtime: 8 + ((i * 37) % 23),
    processors: 1 + ((i * 11) % 7),
  }));

  const writeLogWithWaits = (waits: readonly number[]) =>
    `; MaxProcs: 8\n${JOBS.map(
      ({ submit, runtime, processors }, i) =>
        `${i + 1} ${submit} ${waits[i]} ${runtime} ${processors} -1 -1 ${processors} ${runtime + 25} -1 1 1 1 -1 1 1 -1 -1`,
    ).join('\n')}\n`;

  const RULES: SimulationOptions = {
    discipline: 'conservative',
    planBy: 'node',
    endWindow: 30,
    backfillOverlap: 'closed',
    backfillInterval: 1,
    backfillResolution: 60,
    backfillWindow: 86_400,
    backfillJobs: 500,
    backfillSegments: 500,
  };

  /**
   * Simulates the jobs with these times of passes and releases, and writes the schedule as a log in whole
   * seconds; returns its path.
   */
  function writeLogOfSimulatedStarts(fileName: string, timingOptions: SimulationOptions): string {
    const workload = makeWorkload(parseTrace(writeLogWithWaits(JOBS.map(() => -1))), {
      siteCount: 1,
      capacities: [8],
    });
    const { schedule } = simulate(workload, makeGrid({ capacities: [8] }), { ...RULES, ...timingOptions });
    const path = join(folder, fileName);
    writeFileSync(
      path,
      writeLogWithWaits(JOBS.map(({ submit }, i) => Math.floor(schedule.start[i]!) - submit)),
    );
    return path;
  }

  const scheduler = ['--scheduler', 'slurm[bf_interval=1]'];

  test.each([
    { passGap: 3, releaseDelay: 0.2 },
    { passGap: 0, releaseDelay: 0.2 },
    { passGap: 3, releaseDelay: 0.05 },
    { passGap: 0, releaseDelay: 0.05 },
  ])('are found: $passGap s between passes, processors free after $releaseDelay s', async (times) => {
    const { passGap, releaseDelay } = times;
    const logFile = writeLogOfSimulatedStarts('times.swf', { releaseDelay, ...(passGap > 0 && { passGap }) });
    const { ways, ...fitted } = await runValidationAsJson(logFile, ...scheduler);
    const [free] = ways;
    expect(fitted).toMatchObject({ passGap });
    expect(free.all.within['2']).toBe(1);
  });

  test('are kept where they are varied', async () => {
    const logFile = writeLogOfSimulatedStarts('varied.swf', { releaseDelay: 0.05 });
    const { passGap, releaseDelay, settings } = await runValidationAsJson(
      logFile,
      ...scheduler,
      '--vary',
      'pass-gap=none,3',
    );
    expect({ passGap, isReleaseFitted: releaseDelay !== undefined }).toEqual({ isReleaseFitted: true });
    const [given, other] = settings;
    expect(given.ways[0].all.meanError).not.toBe(other.ways[0].all.meanError);
  });

  test('are kept beside a given phase', async () => {
    const logFile = writeLogOfSimulatedStarts('given.swf', { releaseDelay: 0.05 });
    const document = await runValidationAsJson(logFile, ...scheduler, '--backfill-offset', '0.5');
    expect(document).not.toHaveProperty('passGap');
    expect(document).not.toHaveProperty('releaseDelay');
  });
});
