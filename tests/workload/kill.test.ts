import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeGrid } from '../../host/grid/grid.js';
import { simulate } from '../../host/simulate/simulate.js';
import { makeWorkload } from '../../host/workload/make.js';
import { runProgramInProcess, writeLogFile } from '../cli/runProgram.js';
import { killReference, measureKilled } from '../reference/simulator/kill.js';
import { simulateReference } from '../reference/simulator/reference.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { buildTrace } from './buildTrace.js';

const PROGRAM_PATH = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

const jobs = fc.array(
  fc.record({
    submit: fc.nat(200),
    runtime: fc.integer({ min: 1, max: 90 }),
    requestedTime: fc.oneof(fc.constant(-1), fc.integer({ min: 1, max: 90 })),
    processors: fc.integer({ min: 1, max: 6 }),
  }),
  { minLength: 1, maxLength: 40 },
);

test('jobs run, wait and are measured as in a slow program, loads and speeds applied to the runtimes after killing', () => {
  const disciplines = fc.constantFrom('fcfs' as const, 'easy' as const);
  let caseCountWithKilledJobs = 0;
  fc.assert(
    fc.property(jobs, fc.constantFrom(1, 1.7), disciplines, (records, load, discipline) => {
      const sortedRecords = [...records].sort((a, b) => a.submit - b.submit);
      // A simulation with estimates is refused if no job requests a time.
      fc.pre(sortedRecords.some(({ requestedTime }) => requestedTime > 0));
      const workload = makeWorkload(buildTrace(sortedRecords), {
        siteCount: 1,
        capacities: [6],
        kill: 'at-estimate',
      });
      const expectedKillOutcomes = killReference(
        sortedRecords.map(({ submit, runtime, requestedTime }, number) => ({
          ...{ number, submit, runtime, requested: requestedTime, owner: -1 },
        })),
      );
      const expectedKilledFlags = expectedKillOutcomes.map((outcome) => outcome.killed);
      if (expectedKilledFlags.includes(true)) caseCountWithKilledJobs++;
      expect([...(workload.killed as Uint8Array)]).toEqual(expectedKilledFlags.map(Number));
      const expectedJobs = expectedKillOutcomes.map(({ job }, i) => ({
        submit: job.submit,
        runtime: job.runtime,
        estimate: job.requested > 0 ? job.requested : job.runtime,
        processors: sortedRecords[i].processors,
        home: 0,
      }));
      const reference = simulateReference(expectedJobs, {
        ...{ capacities: [6], speeds: [1.5], load: [load], policy: 'best-fit', parameters: {}, discipline },
        ...{ resolution: 'exact', instant: 'per-event', minSpeedRatio: 0 },
      });
      const actualSimulation = simulate(workload, makeGrid({ capacities: [6], speeds: [1.5] }), {
        load,
        discipline,
      });
      expect([...actualSimulation.schedule.start]).toEqual(reference.start);
      expect([...actualSimulation.schedule.execution]).toEqual(reference.execution);
      const { averageResponseTime, meanWait, meanBoundedSlowdown } = actualSimulation.summary;
      expect(actualSimulation.summary).toMatchObject({
        ...measureKilled(expectedJobs, expectedKilledFlags, reference),
        // Without killed jobs, the completed ones are all jobs.
        ...(!expectedKilledFlags.includes(true) && {
          completedAverageResponseTime: averageResponseTime,
          completedMeanWait: meanWait,
          completedMeanBoundedSlowdown: meanBoundedSlowdown,
        }),
      });
    }),
    { numRuns: 400 },
  );
  expect(caseCountWithKilledJobs).toBeGreaterThan(200);
});

/** Job 1 runs 30 s with 20 s requested, job 2 as long as requested, job 3 requests no time. */
const LOG = [
  '1 0 -1 30 4 -1 -1 4 20 -1 1 1 1 -1 1 -1 -1 -1',
  '2 5 -1 10 4 -1 -1 4 10 -1 5 1 1 -1 1 -1 -1 -1',
  '3 6 -1 99 4 -1 -1 4 -1 -1 1 1 1 -1 1 -1 -1 -1',
  '',
].join('\n');
const KILL_COMMAND_WORDS = ['--sites', '4', '--kill', 'at-estimate'];

test('every result shows a killed job, and a rerun kills it again', async () => {
  const resultFolder = join(makeTemporaryFolder(), 'results');
  const { exitCode, stdout: printedText } = await runProgramInProcess([
    'simulate',
    writeLogFile(LOG),
    ...KILL_COMMAND_WORDS,
    '--load',
    '2',
    '--out',
    resultFolder,
  ]);
  expect(exitCode).toBe(0);
  expect(printedText).toMatch(/killed jobs +1 /);
  expect(printedText).toMatch(/work of killed jobs +160 /);
  const readFileText = (file: string) => readFileSync(join(resultFolder, file), 'utf8');
  const cells = readFileText('jobs.csv')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split(',').filter((_, column) => [2, 6, 7, 9, 23].includes(column)));
  expect(cells).toEqual([
    ['20', '0', 'COMPLETED_WALLTIME_REACHED', '40', '1'],
    ['10', '1', 'COMPLETED_SUCCESSFULLY', '20', '5'],
    ['99', '1', 'COMPLETED_SUCCESSFULLY', '198', '1'],
  ]);
  const recordStatuses = readFileText('schedule.swf')
    .split('\n')
    .filter((line) => /^\d/.test(line))
    .map((line) => line.split(' ')[10]);
  expect(recordStatuses).toEqual(['0', '5', '1']);
  expect(JSON.parse(readFileText('summary.json'))).toMatchObject({
    killedJobs: 1,
    killedProcessorSeconds: 160,
    // The jobs start at 40 and 60 s.
    completedMeanWait: (35 + 54) / 2,
    completedAverageResponseTime: (55 + 252) / 2,
  });
  const repetitionFolder = join(makeTemporaryFolder(), 'again');
  expect(
    (await runProgramInProcess(['simulate', '--config', resultFolder, '--out', repetitionFolder])).exitCode,
  ).toBe(0);
  expect(readFileSync(join(repetitionFolder, 'jobs.csv'), 'utf8')).toBe(readFileText('jobs.csv'));
  const explanationResult = await runProgramInProcess(['explain', resultFolder, '--job', '1']);
  expect(explanationResult.stdout).toContain('the job ran 40 s and was killed at its requested time');
  expect(
    JSON.parse((await runProgramInProcess(['explain', resultFolder, '--job', '2', '--json'])).stdout).killed,
  ).toBe(false);
});

test('the offered load is that of the runtimes after killing', async () => {
  const { stdout } = await runProgramInProcess(['simulate', '-', ...KILL_COMMAND_WORDS, '--json'], {
    input: LOG,
  });
  expect(JSON.parse(stdout).offeredLoad).toBe((20 + 10 + 99) / 6);
});

test.each([
  [
    ['--estimates', 'exact'],
    '--kill at-estimate needs --estimates trace or recent, since jobs are killed at their requested times',
  ],
  [['--estimates', 'uniform:0.2'], '--kill at-estimate needs --estimates trace'],
])('%j is refused', async (extraWords, sentence) => {
  const { exitCode, stderr } = await runProgramInProcess(
    ['simulate', '-', ...KILL_COMMAND_WORDS, ...extraWords],
    {
      input: LOG,
    },
  );
  expect(exitCode).toBe(2);
  expect(stderr).toContain(sentence);
});

test('a log that requests no times is refused', async () => {
  const { exitCode, stderr } = await runProgramInProcess([
    'simulate',
    'lublin99[jobs=20]',
    '--kill',
    'at-estimate',
  ]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('none of the 20 jobs requests a time');
  expect(stderr).toContain('omit --kill, which needs requested times');
  expect(stderr).not.toContain('exact');
});

test('a sweep counts killed jobs in its threads too', () => {
  const resultFolder = join(makeTemporaryFolder(), 'sweep');
  const commandWords = [
    'sweep',
    writeLogFile(LOG),
    '--sites',
    '4',
    '--vary',
    'kill=none,at-estimate',
    '--threads',
    '1',
  ];
  execFileSync(process.execPath, [PROGRAM_PATH, ...commandWords, '--out', resultFolder], { stdio: 'ignore' });
  const [headerLine, ...rows] = readFileSync(join(resultFolder, 'results.csv'), 'utf8').trimEnd().split('\n');
  const column = headerLine.split(',').indexOf('killedJobs');
  expect(rows.map((row) => row.split(',')[column])).toEqual(['0', '1']);
});
