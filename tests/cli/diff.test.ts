import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { RUN_OPTIONS } from '../../host/options/runOptions.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { makeSwfRecord, runProgramInProcess, writeLogFile } from './runProgram.js';

/**
 * Tests `gridalloc diff`, which compares two schedules. Under the discipline first-available, jobs 3 and 4
 * overtake job 2, which then waits for job 4.
 */

const DISCIPLINES = RUN_OPTIONS.discipline.choices as readonly string[];

const LOG = writeLogFile(
  [
    '; MaxProcs: 4',
    makeSwfRecord(1, 0, 10, 3, 1),
    makeSwfRecord(2, 1, 10, 4, 1),
    makeSwfRecord(3, 2, 5, 1, 1),
    makeSwfRecord(4, 3, 30, 1, 1),
    '',
  ].join('\n'),
);
const baseFolder = makeTemporaryFolder();
const [firstFolder, secondFolder, smallerFolder] = ['first', 'second', 'less'].map((name) =>
  join(baseFolder, name),
);

beforeAll(async () => {
  await runProgramInProcess(['simulate', LOG, '--out', firstFolder]);
  await runProgramInProcess(['simulate', LOG, '--discipline', 'first-available', '--out', secondFolder]);
  await runProgramInProcess(['simulate', LOG, '--filter', 'job=1-3', '--out', smallerFolder]);
});

test('metrics and jobs, as numbers', async () => {
  const { exitCode, stdout } = await runProgramInProcess(['diff', firstFolder, secondFolder, '--json']);
  expect(exitCode).toBe(0);
  const { a, b, metrics, jobs } = JSON.parse(stdout);
  expect([a.folder, b.folder]).toEqual([firstFolder, secondFolder]);
  const wait = metrics.find(({ name: metricName }: { name: string }) => metricName === 'meanWait');
  expect(wait).toEqual({ name: 'meanWait', label: 'mean wait', unit: 's', a: 11, b: 10, difference: -1 });
  expect(jobs).toMatchObject({ sooner: 2, same: 1, later: 1 });
  expect(
    jobs.gained.map(({ job, difference }: { job: string; difference: number }) => [job, difference]),
  ).toEqual([
    ['3', -18],
    ['4', -13],
  ]);
  expect(jobs.lost[0]).toMatchObject({ job: '2', waitA: 9, waitB: 36, difference: 27 });
});

test.each(DISCIPLINES)('a run on one site is named by its discipline: %s', async (discipline) => {
  const folder = join(baseFolder, discipline);
  const rules = ['--discipline', discipline, '--estimates', 'exact'];
  const { exitCode, stdout } = await runProgramInProcess(['simulate', LOG, ...rules, '--out', folder]);
  expect(stdout).not.toContain('best-fit on ');
  expect(exitCode).toBe(0);
  const { a } = JSON.parse((await runProgramInProcess(['diff', folder, firstFolder, '--json'])).stdout);
  expect(a.method).toMatch(new RegExp(`^${discipline}\\b`));
  const comparisonResult = await runProgramInProcess(['compare', LOG, ...rules, '--json']);
  expect(JSON.parse(comparisonResult.stdout).runs[0].method).toBe(a.method);
});

test('tables with the commands that explain, and a drawing', async () => {
  const drawing = join(baseFolder, 'difference.svg');
  const { exitCode, stdout, stderr } = await runProgramInProcess([
    'diff',
    firstFolder,
    secondFolder,
    '--out',
    drawing,
  ]);
  expect([exitCode, stderr]).toEqual([0, `the difference is drawn in ${drawing}\n`]);
  expect(stdout).toContain('In B 2 jobs end sooner, 1 later and 1 at the same time.');
  expect(stdout).toContain(`gridalloc explain ${secondFolder} --job 3`);
  const titles = readFileSync(drawing, 'utf8').match(/<title>job [^<]*<\/title>/g);
  expect(titles).toHaveLength(8);
  expect(titles?.filter((title) => title.includes('starts at the same time in A and B'))).not.toHaveLength(0);
  const page = join(baseFolder, 'difference.html');
  expect(
    await runProgramInProcess(['diff', firstFolder, secondFolder, '--out', page, '--quiet']),
  ).toMatchObject({
    exitCode: 0,
    stderr: '',
  });
  expect(readFileSync(page, 'utf8')).toMatch(/^<!DOCTYPE html>[\s\S]*Jobs that gain most[\s\S]*<svg/);
});

test('a simulation does not differ from itself', async () => {
  const { stdout } = await runProgramInProcess(['diff', firstFolder, firstFolder, '--json']);
  const { metrics, jobs } = JSON.parse(stdout);
  expect(metrics.every(({ difference }: { difference: number }) => difference === 0)).toBe(true);
  expect(jobs).toEqual({ sooner: 0, same: 4, later: 0, gained: [], lost: [] });
});

test('other jobs, other folders and other files are refused', async () => {
  const otherDifferenceResult = await runProgramInProcess(['diff', firstFolder, smallerFolder]);
  expect(otherDifferenceResult).toMatchObject({
    exitCode: 2,
    stderr: `gridalloc: ${firstFolder} and ${smallerFolder} hold different jobs: job 4 is only in ${firstFolder}; simulate the same jobs with other policies or sites\n`,
  });
  expect(await runProgramInProcess(['diff', firstFolder, baseFolder])).toMatchObject({ exitCode: 2 });
  const drawing = join(baseFolder, 'difference.png');
  expect(await runProgramInProcess(['diff', firstFolder, secondFolder, '--out', drawing])).toMatchObject({
    exitCode: 2,
    stderr: `gridalloc: --out: expected FILE.svg or FILE.html, found '${drawing}'\n`,
  });
  expect(existsSync(drawing)).toBe(false);
});

test('a missing folder of --out is created, and one that cannot be is named', async () => {
  const picture = join(baseFolder, 'new', 'folder', 'difference.svg');
  const { exitCode } = await runProgramInProcess(['diff', firstFolder, secondFolder, '--out', picture]);
  expect(exitCode).toBe(0);
  expect(existsSync(picture)).toBe(true);
  const blockedFilePath = join(picture, 'difference.svg');
  const refusedResult = await runProgramInProcess([
    'diff',
    firstFolder,
    secondFolder,
    '--out',
    blockedFilePath,
  ]);
  expect({ exitCode: refusedResult.exitCode, err: refusedResult.stderr.trim() }).toEqual({
    exitCode: 2,
    err: `gridalloc: ${blockedFilePath} cannot be written: ${picture} is not a folder; give another path`,
  });
});
