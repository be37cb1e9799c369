import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runGridalloc } from '../runs/childProcess.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { LOG } from '../ways/samples.js';

/** Comparisons whose methods have names, sites and estimates of their own. */

const folder = makeTemporaryFolder();
const [log, otherLog] = ['log.swf', 'other.swf'].map((name, i) => {
  const path = join(folder, name);
  const stretchedLogText = LOG.replace(/^(\d+ )(\d+)/gm, (_, n, submit) => `${n}${(1 + i) * Number(submit)}`);
  writeFileSync(path, stretchedLogText);
  return path;
}) as [string, string];

const METHODS = [
  'today: easy, sites=8',
  '20 % more: easy, sites=10',
  'EASY++: easy, backfill-order=shortest, estimates=recent[n=2,refresh=yes]',
  'fcfs, sites=6,5, speeds=1,2',
];
const METHOD_NAMES = ['today', '20 % more', 'EASY++', 'fcfs sites 6,5 speeds 1,2'];
const COMPARE_COMMAND_WORDS = ['compare', log, ...METHODS.flatMap((method) => ['--method', method])];
const REPLICATION_WORDS = ['--replications', '12', '--threads', '1', '--metric', 'meanWait,utilization'];

async function runAndReadOutput(...commandWords: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await runGridalloc([...commandWords, '--quiet']);
  expect({ words: commandWords, exitCode, stderr }).toEqual({ words: commandWords, exitCode: 0, stderr: '' });
  return stdout;
}

async function runAndReadDocument(...commandWords: string[]) {
  const { format: _, ...document } = JSON.parse(await runAndReadOutput(...commandWords, '--json'));
  return document;
}

const textOf = (...path: string[]) => readFileSync(join(...path), 'utf8');

describe('a folder', () => {
  const resultFolder = join(folder, 'out');

  test('method names appear in report, tables, figures and texts, with their meaning', async () => {
    const document = await runAndReadDocument(...COMPARE_COMMAND_WORDS, ...REPLICATION_WORDS);
    expect(
      await runAndReadDocument(...COMPARE_COMMAND_WORDS, ...REPLICATION_WORDS, '--out', resultFolder),
    ).toEqual(document);
    const { rows, machines } = document.metrics[0] && document;
    expect(rows.map(({ name }: { name: string }) => name)).toEqual(METHOD_NAMES);
    expect(machines.map(({ name: machineName }: { name: string }) => machineName)).toEqual(METHOD_NAMES);
    expect(machines[3]).toMatchObject({ capacities: [6, 5], speeds: [1, 2] });
    expect(rows.map(({ options }: { options: object }) => options)).toMatchObject([
      { sites: '8', estimates: 'trace' },
      { sites: '10', estimates: 'trace' },
      { sites: '8', estimates: 'recent[n=2,refresh=yes]', 'backfill-order': 'shortest' },
      { sites: '6,5', speeds: '1,2', discipline: 'fcfs' },
    ]);
    expect(rows[2].knowledge).toBe('estimates (recent[n=2,refresh=yes])');
    const report = JSON.parse(textOf(resultFolder, 'report.json'));
    expect(report.tables[0].rows.map(([name]: [string]) => name)).toEqual(METHOD_NAMES);
    for (const file of [
      'tables/meanWait.csv',
      'tables/meanWait.md',
      'figures/meanWait-mean.svg',
      'values.csv',
    ])
      for (const methodName of METHOD_NAMES.slice(0, 3))
        expect(textOf(resultFolder, file), file).toContain(methodName);
    expect(textOf(resultFolder, 'tables/meanWait.tex')).toContain('20 \\% more');
    const methodsText = textOf(resultFolder, 'methods.md');
    expect(methodsText).toContain('EASY++: easy backfill shortest sites 8 estimates recent[n=2,refresh=yes]');
    expect(methodsText).toContain(
      'on one site of 8 processors (today), on one site of 10 processors (20 % more)',
    );
    const terminalOutput = (
      await runAndReadOutput(...COMPARE_COMMAND_WORDS, ...REPLICATION_WORDS)
    ).replaceAll(/\s+/g, ' ');
    expect(terminalOutput).toContain(
      'methods: today: easy sites 8; 20 % more: easy sites 10; EASY++: easy backfill shortest',
    );
  });

  test('a comparison with named methods resumes after some of its runs', async () => {
    const journal = join(resultFolder, 'journal.jsonl');
    const lines = textOf(journal).trim().split('\n');
    writeFileSync(journal, `${lines.slice(0, 1 + lines.length / 3).join('\n')}\n`);
    const valuesCsvBeforeContinuation = textOf(resultFolder, 'values.csv');
    expect(
      await runAndReadDocument(...COMPARE_COMMAND_WORDS, ...REPLICATION_WORDS, '--out', resultFolder),
    ).toEqual(await runAndReadDocument(...COMPARE_COMMAND_WORDS, ...REPLICATION_WORDS));
    expect(textOf(resultFolder, 'values.csv')).toBe(valuesCsvBeforeContinuation);
  });

  test('is merged from shards', async () => {
    const sharedFolder = join(folder, 'shared');
    await runAndReadOutput(...COMPARE_COMMAND_WORDS, ...REPLICATION_WORDS, '--out', sharedFolder);
    writeFileSync(
      join(sharedFolder, 'journal.jsonl'),
      `${textOf(resultFolder, 'journal.jsonl').split('\n').slice(0, 1).join('\n')}\n`,
    );
    for (const shard of ['1/2', '2/2'])
      await runAndReadOutput('study', 'run', sharedFolder, '--shard', shard, '--threads', '1');
    await runAndReadOutput('study', 'merge', sharedFolder);
    expect(textOf(sharedFolder, 'values.csv')).toBe(textOf(resultFolder, 'values.csv'));
    expect(textOf(sharedFolder, 'results.csv')).toBe(textOf(resultFolder, 'results.csv'));
  });
});

test('several logs have the same values as each alone', async () => {
  const [, , ...methods] = COMPARE_COMMAND_WORDS;
  const commandWords = ['compare', log, otherLog, ...methods, '--replications', '12', '--threads', '1'];
  const document = await runAndReadDocument(...commandWords);
  expect(await runAndReadDocument(...commandWords, '--out', join(folder, 'logs'))).toEqual(document);
  expect(document.metrics[0].rows.map(({ name }: { name: string }) => name)).toEqual(METHOD_NAMES);
  for (const [i, path] of [log, otherLog].entries()) {
    const { jobs: _, values: __, ...own } = document.logs[i];
    expect(own).toEqual(await runAndReadDocument('compare', path, ...commandWords.slice(3)));
  }
  const terminalOutput = await runAndReadOutput(...commandWords);
  expect(terminalOutput).toContain('today: easy sites 8');
});

test('an offered load is a share of the first machine, so that all methods have the same jobs', async () => {
  const methods = ['today: fcfs, sites=8', 'more: fcfs, sites=16'].flatMap((method) => ['--method', method]);
  const commandWords = ['compare', log, ...methods, '--offered-load', '0.8', '--metric', 'meanWait'];
  const { runs } = await runAndReadDocument(...commandWords);
  const loads = Object.fromEntries(
    runs.map((run: { name: string; offeredLoad: number }) => [run.name, run.offeredLoad]),
  );
  expect(loads.today).toBeCloseTo(0.8, 1);
  expect(loads.more).toBeCloseTo(loads.today / 2, 12);
  const namedComparison = await runAndReadDocument(...commandWords, '--load-machine', '16');
  const otherRun = namedComparison.runs.find(({ name: runName }: { name: string }) => runName === 'more');
  expect(otherRun.offeredLoad).toBeCloseTo(0.8, 1);
  expect(await runAndReadOutput(...commandWords)).toContain('load machine 8');
});

test('a method has the options of its scheduler', async () => {
  const documentOfMethod = (method: string) =>
    runAndReadDocument('compare', log, '--method', 'easy', '--method', method);
  const comparisonOfSlurmMethod = await documentOfMethod(
    'slurm: scheduler=slurm[bf_interval=60], backfill-jobs=3, sites=9',
  );
  const settingsText =
    'slurm: backfill-jobs=3, sites=9, discipline=conservative, plan-by=node, end-window=30, backfill-overlap=closed, ' +
    'backfill-interval=60, backfill-resolution=60, backfill-window=86400, backfill-segments=500, ' +
    'pass-gap=3, pass-delay=submit=1+end=0.8, release-delay=0.2';
  expect(comparisonOfSlurmMethod).toEqual(await documentOfMethod(settingsText));
});

test('jobs that sites of methods cut or drop are reported', async () => {
  const logFileWithWideJob = join(folder, 'wide.swf');
  writeFileSync(logFileWithWideJob, '; MaxProcs: 9\n1 0 -1 10 6 -1 -1 6 20 -1 1 1 1 -1 -1 -1 -1 -1\n');
  const documentOfMethod = async (...commandWords: string[]) =>
    (await runGridalloc(commandWords)).stderr.replaceAll(/\s+/g, ' ');
  const makeCompareCommandWords = (path: string, a: number, b: number) => [
    'compare',
    path,
    '--method',
    `a: fcfs, sites=${a}`,
    '--method',
    `b: fcfs, sites=${b}`,
  ];
  expect(await documentOfMethod(...makeCompareCommandWords(log, 4, 8), '--oversize', 'drop')).toMatch(
    /do not have the same jobs, since their options decide which jobs fit: a 40, b 60/,
  );
  expect(
    await documentOfMethod(...makeCompareCommandWords(logFileWithWideJob, 4, 5), '--oversize', 'split'),
  ).toContain('do not have the same jobs, since their sites decide how jobs are cut');
  expect(await documentOfMethod(...makeCompareCommandWords(logFileWithWideJob, 7, 8))).toBe('');
});

test('easy++ stands for its options, and may have others', async () => {
  const rowsOf = async (...methods: string[]) => {
    const commandWords = methods.flatMap((method) => ['--method', method]);
    const { rows } = await runAndReadDocument('compare', log, ...commandWords, ...REPLICATION_WORDS);
    return rows as { name: string; values: number[] }[];
  };
  const [, alias] = await rowsOf('easy', 'easy++');
  const [, spelled] = await rowsOf('easy', METHODS[2]!);
  expect(alias!.name).toBe('easy++');
  expect(alias!.values).toEqual(spelled!.values);
  const [, wider] = await rowsOf('easy', 'easy++, sites=10');
  expect(wider!.values).not.toEqual(alias!.values);
  const { stderr } = await runGridalloc([
    'compare',
    log,
    '--method',
    'easy',
    '--method',
    'easy++, estimates=exact',
  ]);
  expect(stderr).toContain('gives estimates twice');
});

test('names of methods with many outages show one that differs, and how many there are', async () => {
  const outages = Array.from({ length: 12 }, (_, i) => `1x2@${100 * i}..${100 * i + 50}`);
  const compareByOutageLists = (...lists: readonly string[]) =>
    runAndReadDocument(
      'compare',
      log,
      '--method',
      'easy',
      ...lists.flatMap((list) => ['--method', `easy, outages=${list}`]),
    );
  const namesOf = async (...lists: readonly string[]) =>
    (await compareByOutageLists(...lists)).runs.map(({ name }: { name: string }) => name);
  const allOutagesText = outages.join('+');
  expect(await namesOf(allOutagesText, outages.slice(0, 11).join('+'))).toEqual([
    'easy',
    'easy outages 1x2@1100..1150 and 11 more',
    'easy outages 1x2@0..50 and 10 more',
  ]);
  const outageListWithOneChange = [...outages.slice(0, 11), '1x3@1100..1150'].join('+');
  expect(await namesOf(allOutagesText, outageListWithOneChange)).toEqual([
    'easy',
    'easy outages 1x2@1100..1150 and 11 more',
    'easy outages 1x3@1100..1150 and 11 more',
  ]);
  const { runs } = await compareByOutageLists(allOutagesText);
  expect(runs[1].options.outages).toBe(allOutagesText);
});
