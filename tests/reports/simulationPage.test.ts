import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { drawFigureSvg } from '../../host/draw/figure.js';
import type { Figure } from '../../host/draw/figureModel.js';
import { chooseAreaColors } from '../../host/draw/palette.js';
import { sampleTestCases } from '../cases.js';
import { makeSwfRecord, runProgramInProcess, TINY_OPTIONS, writeLogFile } from '../cli/runProgram.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';

async function simulateToFolder(commandWords: readonly string[], resultFolder = makeTemporaryFolder()) {
  const { exitCode, stderr } = await runProgramInProcess([
    'simulate',
    writeLogFile(),
    ...commandWords,
    '--out',
    resultFolder,
  ]);
  expect(exitCode).toBe(0);
  return { resultFolder, stderr };
}

const readSavedFigureText = (resultFolder: string, figureName: string) =>
  readFileSync(join(resultFolder, 'figures', `${figureName}.svg`), 'utf8');

test('a colour of a home means the same in every drawing', async () => {
  const { resultFolder } = await simulateToFolder([...TINY_OPTIONS, '--home', 'queue']);
  expect((await runProgramInProcess(['report', resultFolder])).exitCode).toBe(0);
  const homes = chooseAreaColors(2).map(({ fill }) => fill);
  for (const fillColor of homes) {
    expect(readSavedFigureText(resultFolder, 'gantt')).toContain(fillColor);
    expect(readSavedFigureText(resultFolder, 'waits')).toContain(fillColor);
    for (const figureName of ['queue', 'utilization', 'occupancy'])
      expect(readSavedFigureText(resultFolder, figureName)).not.toContain(fillColor);
  }
});

test('jobs of one home are coloured by their waits, as the legend says', async () => {
  const { resultFolder } = await simulateToFolder([]);
  expect((await runProgramInProcess(['report', resultFolder])).exitCode).toBe(0);
  const svg = readSavedFigureText(resultFolder, 'gantt');
  const colorGroups = [...svg.matchAll(/<g fill="(#[0-9a-f]{6})" stroke="#fff"[^>]*>(.*?)<\/g>/gs)];
  expect(colorGroups.length).toBeGreaterThan(1);
  for (const [, fillColor, jobs] of colorGroups) {
    const isWaiting = !jobs.includes('waited 0');
    for (const [, wait] of jobs.matchAll(/waited ([^,<]*)/g)) expect(wait !== '0\u00a0s').toBe(isWaiting);
    expect(svg.match(new RegExp(`<rect [^>]*fill="${fillColor}"`, 'g'))).toHaveLength(1);
  }
  expect(readFileSync(join(resultFolder, 'report.html'), 'utf8')).not.toContain('coloured by its home site');
});

test('new results remove the report of earlier ones, and say so', async () => {
  const { resultFolder, stderr } = await simulateToFolder([]);
  expect(stderr).not.toContain('replaced');
  await runProgramInProcess(['report', resultFolder]);
  const secondRun = await simulateToFolder(['--policy', 'fastest-first'], resultFolder);
  expect(secondRun.stderr).toContain(
    `replaced the earlier results in ${resultFolder} and deleted their report`,
  );
  expect(existsSync(join(resultFolder, 'report.html'))).toBe(false);
  expect(existsSync(join(resultFolder, 'figures'))).toBe(false);
  expect(existsSync(join(resultFolder, 'jobs.csv'))).toBe(true);
});

test('checksums are folded away, and name their build', async () => {
  const { resultFolder } = await simulateToFolder([]);
  await runProgramInProcess(['report', resultFolder]);
  const page = readFileSync(join(resultFolder, 'report.html'), 'utf8');
  const [, folded] = /<details><summary>SHA-256 sums<\/summary>(.*?)<\/details>/s.exec(page) ?? [];
  expect(folded).toContain('SHA-256 of the core, release build');
  const pageDataScriptPattern = /<script type="application\/json".*?<\/script>/gs;
  expect(page.replace(folded, '').replaceAll(pageDataScriptPattern, '')).not.toMatch(/[0-9a-f]{64}/);
});

test('an axis of percentages has as many decimals as tell its ticks apart', () => {
  const makeFigure = (figureValues: number[]): Figure => ({
    ...{ id: 'f', title: 'F', caption: '', kind: 'line', x: { title: 'x' } },
    y: { title: 'y', format: { style: 'percent' } },
    panels: [{ title: '', series: [{ name: 's', points: figureValues.map((y, x) => ({ x, y })) }] }],
  });
  expect(drawFigureSvg(makeFigure([0.165, 0.185]))).toContain('>17.5%<');
  expect(drawFigureSvg(makeFigure([0, 1]))).toContain('>40%<');
});

/** Text of a log that began on 1 May 1998: a job of ten minutes every hour for four days. */
function writeDatedLogFile(): string {
  const logRecords = Array.from({ length: 96 }, (_, i) => makeSwfRecord(i + 1, 3600 * i, 600, 1, 1));
  return writeLogFile(
    ['; MaxProcs: 4', '; UnixStartTime: 893980800', ...logRecords, ''].join('\n'),
    'dated.swf',
  );
}

test('a window in days or dates holds for all charts, whose ticks are dates', async () => {
  const resultFolder = makeTemporaryFolder();
  expect((await runProgramInProcess(['simulate', writeDatedLogFile(), '--out', resultFolder])).exitCode).toBe(
    0,
  );
  const countGanttBlocks = () => readSavedFigureText(resultFolder, 'gantt').split('<title>').length - 1;
  const drawAndReadFiguresOfWindow = async (window: string) => {
    expect((await runProgramInProcess(['report', resultFolder, '--window', window])).stderr).not.toContain(
      'expected',
    );
    return ['queue', 'utilization', 'occupancy', 'gantt', 'waits'].map((name) =>
      readSavedFigureText(resultFolder, name),
    );
  };
  const days = await drawAndReadFiguresOfWindow('1d,2d');
  expect(countGanttBlocks()).toBe(24);
  for (const svg of days.slice(0, 4)) {
    for (const text of ['>2 May<', '>03:00<', '>21:00<', '>3 May<', '>UTC, 1998<'])
      expect(svg).toContain(text);
  }
  const equivalentWindows = [
    ...['1d..2d', '1d', '24h,48h', '86400,172800'],
    ...['1998-05-02..1998-05-03', '1998-05-02', '1998-05-02,1998-05-03'],
  ];
  for (const equivalentWindow of sampleTestCases(equivalentWindows))
    expect(await drawAndReadFiguresOfWindow(equivalentWindow), equivalentWindow).toEqual(days);
  const figureTextsOfWholeLog = await drawAndReadFiguresOfWindow('0d,4d');
  for (const [i, svg] of days.slice(0, 3).entries()) expect(svg).not.toBe(figureTextsOfWholeLog[i]);
});

test.each(['1', '2d,1d', '1d,2d,3d', '1y,2y', '1998-13-01', '1998-05-02,x'])(
  'the window %s is refused',
  async (window) => {
    const resultFolder = makeTemporaryFolder();
    await runProgramInProcess(['simulate', writeLogFile(), '--out', resultFolder]);
    const { exitCode, stderr } = await runProgramInProcess(['report', resultFolder, '--window', window]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('--window: expected two times since the first submit');
  },
);

test('dates need a log that says when it began', async () => {
  const { resultFolder } = await simulateToFolder([]);
  const { exitCode, stderr } = await runProgramInProcess(['report', resultFolder, '--window', '1998-05-01']);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('UnixStartTime');
});

test('a report names what decides: on one site the discipline, on several the allocator', async () => {
  const titleOfRule = async (commandWords: readonly string[]) => {
    const { resultFolder } = await simulateToFolder(commandWords);
    await runProgramInProcess(['report', resultFolder]);
    const page = readFileSync(join(resultFolder, 'report.html'), 'utf8');
    return { title: /<h1>(.*?) on /.exec(page)?.[1], hasSpeeds: page.includes('variance of speeds ') };
  };
  expect(await titleOfRule([])).toEqual({ title: 'fcfs', hasSpeeds: false });
  expect(await titleOfRule(['--discipline', 'easy'])).toEqual({
    title: 'easy backfilling',
    hasSpeeds: false,
  });
  expect(await titleOfRule(TINY_OPTIONS)).toEqual({ title: 'best-fit', hasSpeeds: true });
});

test('the highlights have makespan and bounded slowdown', async () => {
  const { resultFolder } = await simulateToFolder([]);
  await runProgramInProcess(['report', resultFolder]);
  const page = readFileSync(join(resultFolder, 'report.html'), 'utf8');
  const highlights = page.slice(page.indexOf('class="highlights"'), page.indexOf('id="part-figures"'));
  for (const label of ['makespan', 'bounded slowdown']) expect(highlights).toContain(`<dt>${label}</dt>`);
});

test('a report lists settings without defaults, and a load that all sites share once', async () => {
  const commandWords = [...TINY_OPTIONS, '--discipline', 'easy', '--estimates', 'exact', '--load', '1.5'];
  const { resultFolder } = await simulateToFolder(commandWords);
  expect((await runProgramInProcess(['report', resultFolder])).exitCode).toBe(0);
  const page = readFileSync(join(resultFolder, 'report.html'), 'utf8');
  const [, set] = /Set: ([^<]*)\./.exec(page) ?? [];
  expect(set).toContain('load 1.5');
  expect(set).not.toMatch(/select|load 1\.5,/);
  const [, command] = /<pre>(gridalloc simulate[^<]*)<\/pre>/.exec(page) ?? [];
  expect(command).toMatch(/--load 1\.5( |$)/);
});
