import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { makeGrid, makeWorkload, parseTrace, type SimulationOptions, simulate } from '../../host/index.js';
import { runProgramInProcess } from '../cli/runProgram.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';

/** Compares recorded starts with those of queue orders that change with time, and of limits per user. */

const folder = makeTemporaryFolder();

/** Jobs of four users on eight processors, who wait for each other. */
const JOBS = Array.from({ length: 90 }, (_, i) => ({
  submit: 7 * i,
  runtime: 20 + ((i * 37) % 61),
  processors: 1 + ((i * 11) % 5),
  user: 1 + (((i * i) % 11) % 4),
}));

function makeLogTextWithWaits(waitTimes: readonly number[]): string {
  const lines = JOBS.map(
    ({ submit, runtime, processors, user }, i) =>
      `${i + 1} ${submit} ${waitTimes[i]} ${runtime} ${processors} -1 -1 ${processors} ${runtime + 10} -1 1 ${user} ${1 + (user % 2)} 1 1 -1 -1 -1`,
  );
  return `; MaxProcs: 8\n${lines.join('\n')}\n`;
}

const ORDERS = [
  'multifactor[age=1000,maxAge=10m,fairshare=10000,size=500]',
  'usage / share - running',
  'groupUsage * 100 - min(1, wait / 1h)',
];

test.each(ORDERS)('step by step, a schedule in the order %s agrees with its own rules', async (order) => {
  const options: SimulationOptions = { discipline: 'easy', order, limit: 'user.processors=6;user.jobs=3' };
  const usageTimeOptions = /usage|multifactor/i.test(order) ? { usageStep: 60, halfLife: 1200 } : {};
  const workload = makeWorkload(parseTrace(makeLogTextWithWaits(JOBS.map(() => -1))), {
    siteCount: 1,
    capacities: [8],
  });
  const { schedule } = simulate(workload, makeGrid({ capacities: [8] }), { ...options, ...usageTimeOptions });
  const path = join(folder, 'own.swf');
  writeFileSync(path, makeLogTextWithWaits(JOBS.map(({ submit }, i) => schedule.start[i]! - submit)));
  const commandWords = [
    'validate',
    path,
    '--discipline',
    'easy',
    '--limit',
    options.limit as string,
    '--json',
  ];
  const usage = ['--usage-step', '60', '--half-life', '1200'];
  const { exitCode, stdout, stderr } = await runProgramInProcess([
    ...commandWords,
    '--order',
    order,
    ...usage,
  ]);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const [free, steps] = JSON.parse(stdout).ways;
  expect(free.all).toMatchObject({ jobs: 90, missed: 0, meanError: 0 });
  expect(free.all.simulatedWait).toBeGreaterThan(100);
  // Jobs that end in the second of a start may seem to be gone before it.
  expect(steps.all.within['2']).toBeGreaterThan(0.97);
  // Another order, or no limit, disagrees.
  const [, otherRules] = JSON.parse(
    (await runProgramInProcess([...commandWords.slice(0, 4), '--json', '--order', order, ...usage])).stdout,
  ).ways;
  expect(otherRules.all.within['2']).toBeLessThan(1);
  const [, bySubmit] = JSON.parse((await runProgramInProcess(commandWords)).stdout).ways;
  expect(bySubmit.all.within['2']).toBeLessThan(0.9);
});

const page = readFileSync(new URL('../../docs/slurm.md', import.meta.url), 'utf8');
const ROWS = [...page.matchAll(/^\| ((?:priorities|outages)-\w+) \| `(.*)` \| ([\d.]+) s \| (.*) \|$/gm)];
const recordingFilePath = (recordingName: string) =>
  fileURLToPath(new URL(`recordings/${recordingName}`, import.meta.url));
const percent = (agreementShare: number) => `${(100 * agreementShare).toFixed(1)} %`;

test('the page has all recordings', () => {
  expect(ROWS.map(([, name]) => name)).toEqual([
    ...['priorities-jobs', 'priorities-processors'],
    ...['outages-maintenance', 'outages-reservation', 'outages-logged', 'outages-later'],
  ]);
});

test.each(ROWS.map(([, ...cells]) => cells as [string, string, string, string]))(
  '%s is followed as the page says',
  async (name, timeLimit, offset, expectedCellsText) => {
    const commandWords = [
      'validate',
      recordingFilePath(`${name}.txt`),
      '--sites',
      '8',
      '--limit',
      timeLimit,
      '--json',
    ];
    if (name.startsWith('outages')) commandWords.push('--outages', recordingFilePath(`${name}.csv`));
    const scheduler = ['--scheduler', recordingFilePath('priorities.conf')];
    const runValidationWithScheduler = async (...extraWords: string[]) => {
      const { exitCode, stdout, stderr } = await runProgramInProcess([
        ...commandWords,
        ...scheduler,
        ...extraWords,
      ]);
      expect(exitCode, stderr).toBe(0);
      return JSON.parse(stdout).ways;
    };
    const [free, steps] = await runValidationWithScheduler('--usage-offset', offset);
    const [, bySubmit] = await runValidationWithScheduler('--order', 'submit');
    const actualRows = [
      ...[steps.all.within['5'], bySubmit.all.within['5'], free.all.within['5'], free.all.within['60']].map(
        percent,
      ),
      ...[free.all.recordedWait, free.all.simulatedWait].map((wait: number) => `${wait.toFixed(1)} s`),
    ];
    expect(actualRows).toEqual(expectedCellsText.split(' | '));
  },
);

test('the time of computations is fitted where it is not given', async () => {
  const commandWords = ['validate', recordingFilePath('outages-logged.txt'), '--sites', '8'];
  commandWords.push(
    '--outages',
    recordingFilePath('outages-logged.csv'),
    '--limit',
    'user[u1].jobs=2;user[u2].processors=4',
  );
  commandWords.push('--scheduler', recordingFilePath('priorities.conf'));
  const { stdout } = await runProgramInProcess([...commandWords, '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ usageOffset: 53, isUsageOffsetFitted: true });
  const { stdout: given } = await runProgramInProcess([...commandWords, '--usage-offset', '0', '--json']);
  expect(JSON.parse(given)).toMatchObject({ usageOffset: 0, isUsageOffsetFitted: false });
  expect((await runProgramInProcess(commandWords)).stdout).toContain(
    'Usage is computed 53 s after the first submission, the whole second that agrees',
  );
});
