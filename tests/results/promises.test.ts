/** What jobs were promised is in results where reservations are kept, and elsewhere absent: not 0, which says that promises were kept. */
import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readTrace } from '../../host/files/readTrace.js';
import { simulate } from '../../host/simulate/simulate.js';
import { makeWorkload } from '../../host/workload/make.js';
import { run } from '../cli/runProgram.js';

const LOG = new URL('../../traces/cluster.txt.gz', import.meta.url).pathname;
const MAIN = new URL('../../dist/cli/main.js', import.meta.url).pathname;
const METRICS = 'meanPromiseError,maxPromiseError,meanWait';
const PROMISES = ['meanPromiseError', 'maxPromiseError'] as const;
const UNKEPT = ['fcfs', 'first-available', 'easy', 'conservative'] as const;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gridalloc-promises-'));
});
afterAll(() => rm(folder, { recursive: true }));

const words = (discipline: string, more: readonly string[] = []) => [
  ...[LOG, '--sites', '128', '--discipline', discipline],
  ...(discipline === 'conservative' ? ['--reservations', 'replanned'] : []),
  ...more,
];
const KEPT = [LOG, '--sites', '128', '--discipline', 'conservative'];

/** What a command prints. */
async function printed(...given: string[]): Promise<string> {
  const { code, out, err } = await run(given);
  expect([code, err]).toEqual([0, expect.not.stringContaining('gridalloc:')]);
  return out;
}

/** The same of a command that simulates in threads, which are made of the built files. */
const built = (...given: string[]): string =>
  execFileSync(process.execPath, [MAIN, ...given], { encoding: 'utf8' });

/** The columns of the first lines of a CSV file, by name. */
async function rowsOf(path: string): Promise<Record<string, string>[]> {
  const [head, ...rows] = (await readFile(path, 'utf8')).trimEnd().split('\n');
  const names = head!.split(',');
  return rows.map((row) => Object.fromEntries(row.split(',').map((cell, i) => [names[i]!, cell])));
}

test.each(UNKEPT)('simulate, %s: no number in the text, the JSON, the files', async (discipline) => {
  const text = await printed('simulate', ...words(discipline, ['--metric', METRICS, '--quiet']));
  expect(text).toMatch(/mean promise error +– /);
  expect(text).toMatch(/largest delay beyond a promise +–\n/);
  const out = join(folder, discipline);
  const document = JSON.parse(await printed('simulate', ...words(discipline, ['--json', '--out', out])));
  const saved = JSON.parse(await readFile(join(out, 'summary.json'), 'utf8'));
  for (const name of PROMISES) for (const each of [document, saved]) expect(each).not.toHaveProperty(name);
  expect(saved.movedReservations).toBe(0);
  expect((await rowsOf(join(out, 'jobs.csv')))[0]).not.toHaveProperty('promised_start');
});

test('simulate, kept: numbers, 0 among them', async () => {
  const out = join(folder, 'kept');
  const document = JSON.parse(await printed('simulate', ...KEPT, '--json', '--out', out));
  expect(document.meanPromiseError).toBeLessThan(0);
  expect(document.maxPromiseError).toBe(0);
  expect((await rowsOf(join(out, 'jobs.csv')))[0]).toHaveProperty('promised_start');
  const text = await printed('simulate', ...KEPT, '--quiet');
  expect(text).toMatch(/largest delay beyond a promise +0\.00 s/);
});

test('compare, and the folder that it writes', async () => {
  const out = join(folder, 'compared');
  const methods = [...KEPT.slice(0, -1), 'easy,conservative'];
  const text = built('compare', ...methods, '--metric', METRICS, '--out', out);
  expect(text).toMatch(/^easy +– +– +[\d,.]+/m);
  const { runs } = JSON.parse(built('compare', ...methods, '--json'));
  expect(runs.map((each: Record<string, unknown>) => PROMISES.map((name) => each[name]))).toEqual([
    [undefined, undefined],
    [expect.any(Number), 0],
  ]);
  const rows = await rowsOf(join(out, 'results.csv'));
  expect(rows.map((row) => PROMISES.map((name) => row[name]))).toEqual([
    ['', ''],
    [expect.stringMatching(/^-/), '0'],
  ]);
});

test('sweep: an empty cell of the table', async () => {
  const out = join(folder, 'swept');
  const given = [LOG, '--sites', '128', '--vary', 'discipline=easy,conservative'];
  built('sweep', ...given, '--metric', 'maxPromiseError', '--out', out, '--quiet');
  const rows = await rowsOf(join(out, 'results.csv'));
  expect(rows.map(({ maxPromiseError }) => maxPromiseError)).toEqual(['', '0']);
  const [name] = (await readdir(join(out, 'tables'))).filter((each) => each.endsWith('.md'));
  expect(await readFile(join(out, 'tables', name!), 'utf8')).toMatch(/\| easy \|\s*[–-]?\s*\|/);
});

test('diff: a dash for the one, the number of the other', async () => {
  const text = await printed('diff', join(folder, 'easy'), join(folder, 'kept'));
  expect(text).toMatch(/^mean promise error \[s\] +- +−[\d,.]+/m);
  expect(text).toMatch(/^largest delay beyond a promise \[s\] +- +0\.00/m);
});

test('the library', async () => {
  const workload = makeWorkload(await readTrace(LOG), { siteCount: 1, home: 'none' });
  const grid = { capacities: [128], speeds: [1] };
  const easy = simulate(workload, grid, { discipline: 'easy' });
  const kept = simulate(workload, grid, { discipline: 'conservative' });
  for (const name of PROMISES) {
    expect(easy.summary[name]).toBeUndefined();
    expect(kept.summary[name]).toEqual(expect.any(Number));
  }
});
