import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { BenchRow } from '../../host/bench/bench.js';
import { listAllocatorDeclarations } from '../../host/core/policies.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { runProgramInProcess } from './runProgram.js';

/** Tests the output of `gridalloc bench`, but no measured times. */

test('every allocator by both ways, as JSON, CSV and a figure', async () => {
  const resultFolder = join(makeTemporaryFolder(), 'costs');
  const sizeOptions = ['--sites', '2,5,70', '--queue', '10', '--running', '5,20,50'];
  const commandWords = ['bench', '--quick', ...sizeOptions, '--out', resultFolder];
  const { exitCode, stdout: printedText } = await runProgramInProcess([...commandWords, '--json']);
  expect(exitCode).toBe(0);
  const { machine, binary, noise, rows, runs, growth } = JSON.parse(printedText);
  expect(machine.cores).toBeGreaterThan(0);
  expect(binary).toMatch(/^[0-9a-f]{64}$/);
  expect(noise).toBeGreaterThanOrEqual(0);
  expect(rows).toHaveLength(listAllocatorDeclarations().length * 2 * 3);
  for (const row of rows) {
    expect(row.low).toBeGreaterThan(0);
    expect(row.nsPerDecision).toBeGreaterThanOrEqual(row.low);
    expect(row.high).toBeGreaterThanOrEqual(row.nsPerDecision);
  }
  expect(runs).toHaveLength(listAllocatorDeclarations().length * 3);
  for (const { low, nsPerJob, high } of runs)
    expect([low, nsPerJob, high].sort((a, b) => a - b)).toEqual([low, nsPerJob, high]);
  const kinds = growth.map(({ policy, method, in: size }: Record<string, string>) => [policy, method, size]);
  expect(kinds).toContainEqual(['ai2', 'index', 'sites']);
  expect(kinds).not.toContainEqual(['ai2', 'index', 'queue']);
  expect(kinds).toContainEqual(['ai2', 'scan', 'running']);
  expect(JSON.parse(readFileSync(join(resultFolder, 'bench.json'), 'utf8')).rows).toEqual(rows);
  expect(readFileSync(join(resultFolder, 'bench.csv'), 'utf8').split('\n')).toHaveLength(rows.length + 2);
  expect(readFileSync(join(resultFolder, 'runs.csv'), 'utf8').split('\n')).toHaveLength(runs.length + 2);
  const page = readFileSync(join(resultFolder, 'report.html'), 'utf8');
  const figureLinkPaths = [...page.matchAll(/href="(figures\/[^"]+)"/g)].map(([, path]) => path);
  expect(figureLinkPaths.length).toBeGreaterThan(2);
  for (const path of figureLinkPaths) expect(existsSync(join(resultFolder, path)), path).toBe(true);
  // `gridalloc report` writes the same page again from the JSON document.
  expect(await runProgramInProcess(['report', resultFolder])).toMatchObject({ exitCode: 0 });
  expect(readFileSync(join(resultFolder, 'report.html'), 'utf8')).toBe(page);
});

test('a table with what Shih et al. say', async () => {
  const commandWords = [
    'bench',
    '--policy',
    'ti[slt=1]',
    '--policy',
    'random',
    '--sites',
    '3,6,12',
    '--queue',
    '5',
    '--running',
    '5',
  ];
  const { exitCode, stdout } = await runProgramInProcess(commandWords);
  expect(exitCode).toBe(0);
  expect(stdout).toContain('ti[sht=0.05,slt=1]');
  expect(stdout).toMatch(/O\(m \+ q\) +-?\d/);
});

test('an allocator and policy files, one of which fails', async () => {
  const folder = makeTemporaryFolder();
  const [mine, wrong] = [join(folder, 'mine.mjs'), join(folder, 'wrong.mjs')];
  writeFileSync(mine, 'export default ({ bestFit }) => bestFit;');
  writeFileSync(wrong, 'export default (view) => view.nothing.here;');
  const sizeOptions = ['--sites', '3,70', '--queue', '0,3', '--running', '5', '--quick'];
  const { exitCode, stdout } = await runProgramInProcess([
    'bench',
    '--policy',
    mine,
    '--policy',
    'best-fit',
    ...sizeOptions,
    '--json',
  ]);
  expect(exitCode).toBe(0);
  const { rows, runs } = JSON.parse(stdout);
  const rowsOfPolicy = rows.filter(({ policy }: { policy: string }) => policy === mine);
  expect(
    rowsOfPolicy.map(({ method: searchMethod, sites, queue }: BenchRow) => [searchMethod, sites, queue]),
  ).toEqual([
    ['function', 3, 0],
    ['function', 70, 0],
    ['function', 3, 3],
    ['function', 70, 3],
  ]);
  for (const { nsPerDecision } of rowsOfPolicy) expect(nsPerDecision).toBeGreaterThan(0);
  expect(runs.map(({ policy }: BenchRow) => policy)).toEqual([mine, 'best-fit']);
  const failedResult = await runProgramInProcess(['bench', '--policy', wrong, ...sizeOptions]);
  expect(failedResult.exitCode).toBe(1);
  expect(failedResult.stderr).toContain('wrong.mjs failed');
});

test('wrong input', async () => {
  const { exitCode, stderr } = await runProgramInProcess(['bench', '--sites', '1', '--out', 'nowhere']);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('--sites');
  expect(existsSync('nowhere')).toBe(false);
});
