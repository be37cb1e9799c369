import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { LOG } from '../ways/samples.js';
import { runProgramInProcess } from './runProgram.js';

/** Commands with --scheduler, which must stand for the same options everywhere. */

const folder = makeTemporaryFolder();
const [log, configurationFile] = ['log.swf', 'slurm.conf'].map((name) => join(folder, name)) as [
  string,
  string,
];
writeFileSync(log, LOG);
writeFileSync(
  configurationFile,
  [
    'SchedulerType=sched/backfill',
    'SchedulerParameters=bf_interval=60',
    'PriorityType=priority/multifactor',
    'PriorityWeightAge=100',
    'PriorityWeightFairshare=1000',
    'PriorityDecayHalfLife=0',
  ].join('\n'),
);

const OPTIONS_OF_SLURM_DEFAULTS = [
  ...['--plan-by', 'node', '--end-window', '30', '--backfill-overlap', 'closed', '--release-delay', '0.2'],
  ...['--backfill-interval', '60', '--pass-delay', 'submit=1+end=0.8', '--pass-gap', '3'],
  ...['--backfill-resolution', '60', '--backfill-window', '86400', '--backfill-jobs', '500'],
  ...['--backfill-segments', '500'],
];
const PRIORITY_OPTIONS = [
  ...['--order', 'multifactor[age=100,maxAge=604800,fairshare=1000]'],
  ...['--usage-step', '300', '--half-life', 'none', '--usage-count', 'by-number'],
];

async function runAndReadDocument(...commandWords: string[]) {
  const { exitCode, stdout, stderr } = await runProgramInProcess([...commandWords, '--json', '--quiet']);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return JSON.parse(stdout);
}

describe('compare --scheduler', () => {
  test.each([
    ['slurm[bf_interval=60]', OPTIONS_OF_SLURM_DEFAULTS],
    [configurationFile, [...OPTIONS_OF_SLURM_DEFAULTS, ...PRIORITY_OPTIONS]],
  ])('%s has the rules of a scheduler for all methods', async (scheduler, options) => {
    const methods = ['compare', log, '--discipline', 'easy,conservative'];
    const document = await runAndReadDocument(...methods, '--scheduler', scheduler);
    expect(document.runs).toHaveLength(2);
    expect(document).toEqual(await runAndReadDocument(...methods, ...options));
  });

  test('has its discipline and order, unless methods have others', async () => {
    const words = ['--scheduler', configurationFile, '--method', 'slurm: conservative'];
    const document = await runAndReadDocument('compare', log, ...words, '--method', 'easy, order=submit');
    const documentWithSchedulerAlone = await runAndReadDocument(
      'simulate',
      log,
      '--scheduler',
      configurationFile,
    );
    expect(document.runs[0]).toMatchObject({ name: 'slurm', meanWait: documentWithSchedulerAlone.meanWait });
    const easyDocument = await runAndReadDocument(
      'simulate',
      log,
      '--discipline',
      'easy',
      ...OPTIONS_OF_SLURM_DEFAULTS,
    );
    expect(document.runs[1].meanWait).toBe(easyDocument.meanWait);
  });

  test('of a method lets its other values come first', async () => {
    const words = ['compare', log, '--method', 'fcfs', '--method'];
    const document = await runAndReadDocument(...words, 'easy, scheduler=slurm, pass-gap=9');
    const easyWithSlurmWords = ['--discipline', 'easy', '--scheduler', 'slurm', '--pass-gap', '9'];
    expect(document.runs[1].meanWait).toBe(
      (await runAndReadDocument('simulate', log, ...easyWithSlurmWords)).meanWait,
    );
  });

  test('keeps the half-life and the count of usage while one of several orders needs them', async () => {
    const methods = ['compare', log, '--scheduler', configurationFile, '--order'];
    const wordsOfNeededOptions = ['--half-life', 'none', '--usage-count', 'by-number', '--usage-step', '300'];
    const document = await runAndReadDocument(...methods, 'usage,submit');
    const words = ['--discipline', 'conservative', ...OPTIONS_OF_SLURM_DEFAULTS];
    expect(document).toEqual(
      await runAndReadDocument('compare', log, '--order', 'usage,submit', ...words, ...wordsOfNeededOptions),
    );
    expect(await runAndReadDocument(...methods, 'shortest,submit')).toEqual(
      await runAndReadDocument('compare', log, '--order', 'shortest,submit', ...words),
    );
  });
});

test('--scheduler ignores the case of parameters of Slurm', async () => {
  const file = join(folder, 'case.conf');
  writeFileSync(file, 'SchedulerType=sched/backfill\nSchedulerParameters=BF_Interval=60\n');
  const expected = await runAndReadDocument('simulate', log, '--scheduler', 'slurm[bf_interval=60]');
  const schedule = async (scheduler: string) =>
    (await runAndReadDocument('simulate', log, '--scheduler', scheduler)).options;
  expect(await schedule('slurm[BF_INTERVAL=60]')).toEqual(expected.options);
  expect(await schedule(file)).toEqual(expected.options);
  const commandWordsWithKeyTwice = ['simulate', log, '--scheduler', 'slurm[bf_interval=60,BF_INTERVAL=30]'];
  expect((await runProgramInProcess(commandWordsWithKeyTwice)).stderr).toContain(
    "parameter 'bf_interval' is given twice",
  );
});

test('--scheduler none is the same as no scheduler, also in a method', async () => {
  const plain = await runAndReadDocument('simulate', log);
  expect(await runAndReadDocument('simulate', log, '--scheduler', 'none')).toEqual(plain);
  const methods = ['--method', 'x: scheduler=none', '--method', 'easy, scheduler=none'];
  const { runs } = await runAndReadDocument('compare', log, '--scheduler', 'slurm', ...methods);
  expect(runs[0]).toMatchObject({ name: 'x', meanWait: plain.meanWait });
  expect(runs[1].meanWait).toBe((await runAndReadDocument('simulate', log, '--discipline', 'easy')).meanWait);
});

test.each([
  ['slurm,slurm[bf_interval=60]', "gridalloc compare --method 'scheduler=slurm'"],
  ['slurm[bf_interval=60],slurm', "gridalloc compare --method 'scheduler=slurm'"],
  ['slrum', "did you mean 'slurm'?"],
  ['Slurm', "did you mean 'slurm'?"],
  ['Slurm[bf_interval=60]', "did you mean 'slurm'?"],
  ['slurm[bf_interval=5m]', 'bf_interval: expected a number of seconds'],
  ['slurm[bf_window=1d]', 'bf_window: expected a number of minutes'],
])('--scheduler %s is refused with advice', async (scheduler, advice) => {
  const { exitCode, stderr } = await runProgramInProcess(['compare', log, '--scheduler', scheduler]);
  expect({ exitCode, message: stderr.replaceAll(/\s+/g, ' ') }).toEqual({
    exitCode: 2,
    message: expect.stringContaining(advice),
  });
});

test('sweep --vary scheduler is refused, and compare named for it', async () => {
  const words = ['sweep', log, '--vary', 'scheduler=none,slurm'];
  expect((await runProgramInProcess(words)).stderr).toMatch(/a sweep has one --scheduler[\s\S]*compare/);
});

test('errors say which options were set by --scheduler', async () => {
  const words = ['simulate', log, '--policy', 'dynamic', '--scheduler', 'slurm'];
  const { stderr } = await runProgramInProcess(words);
  expect(stderr.replaceAll(/\s+/g, ' ')).toContain('(--backfill-interval is set by --scheduler slurm)');
});
