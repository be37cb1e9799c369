import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { InputError } from '../../host/errors.js';
import { makeGrid } from '../../host/grid/grid.js';
import { drawFolder } from '../../host/reports/savedReport.js';
import { readFinishedJobs } from '../../host/results/finishedJobs.js';
import { simulationFiles, writeResultFolder } from '../../host/results/resultFolder.js';
import { simulate } from '../../host/simulate/simulate.js';
import type { Report } from '../../host/view/report.js';
import { writeReport } from '../../host/view/reportFolder.js';
import { makeWorkload } from '../../host/workload/make.js';
import { makeModelTrace } from '../../host/workload/models.js';
import { findExternalAddresses, parseMarkup } from '../draw/wellFormed.js';

let temporaryFolder: string;
beforeAll(async () => {
  temporaryFolder = await mkdtemp(join(tmpdir(), 'gridalloc-report-'));
});
afterAll(() => rm(temporaryFolder, { recursive: true }));

const SAVED_CONFIG = {
  gridalloc: '0.1.0',
  abi: 1,
  coreBuild: 'release',
  coreSha256: 'c0',
  shell: "gridalloc simulate 'lublin99[jobs=80]'",
  workload: { source: 'lublin99[jobs=80]', jobsSha256: 'f00' },
  load: [1, 1],
  timeResolution: 'exact',
  instant: 'per-event',
  minSpeedRatio: 0,
};

async function writeSimulationFolder(folderName: string, jobCount = 80) {
  const trace = makeModelTrace(`lublin99[jobs=${jobCount},processors=64]`);
  const grid = makeGrid({ capacities: [64, 32], speeds: [1, 2] });
  const workload = makeWorkload(trace, { siteCount: 2, capacities: grid.capacities });
  const simulation = simulate(workload, grid, { policy: 'ai2', processorSets: true });
  const folder = join(temporaryFolder, folderName);
  await writeResultFolder(folder, simulationFiles(simulation, trace, SAVED_CONFIG));
  return { folder, simulation };
}

test('jobs read back as they were simulated', async () => {
  const { folder, simulation } = await writeSimulationFolder('jobs');
  const jobs = await readFinishedJobs(join(folder, 'jobs.csv'));
  const { schedule, workload } = simulation;
  expect(jobs.map(({ start }) => start)).toEqual([...schedule.start]);
  expect(jobs.map(({ end }) => end)).toEqual(
    Array.from(schedule.start, (start, i) => start + schedule.execution[i]),
  );
  expect(jobs.map(({ home }) => home)).toEqual([...workload.home]);
  for (const { runs, processors } of jobs) {
    expect(runs.reduce((sum, [firstStart, lastStart]) => sum + lastStart - firstStart + 1, 0)).toBe(
      processors,
    );
  }
});

test('a simulation becomes a page and drawings, the same bytes every time', async () => {
  const { folder } = await writeSimulationFolder('simulation');
  const page = await writeReport(await drawFolder(folder), folder);
  const firstPageText = await readFile(page, 'utf8');
  const markup = parseMarkup(firstPageText);
  expect(findExternalAddresses(markup)).toEqual([]);
  expect(new Set(markup.ids).size).toBe(markup.ids.length);
  expect(markup.text).toContain('ai2 on lublin99[');
  expect(markup.text).toContain('gridalloc simulate &#39;lublin99[jobs=80]&#39;');
  expect((await readdir(join(folder, 'figures'))).sort()).toEqual(
    ['gantt', 'occupancy', 'queue', 'slowdowns', 'utilization', 'waits'].flatMap((name) => [
      `${name}-column.pdf`,
      `${name}.csv`,
      `${name}.pdf`,
      `${name}.svg`,
    ]),
  );
  for (const figureName of ['gantt', 'occupancy', 'queue']) {
    expect((await readFile(join(folder, 'figures', `${figureName}.pdf`), 'latin1')).slice(0, 5)).toBe(
      '%PDF-',
    );
    expect(firstPageText).toContain(`href="figures/${figureName}.pdf"`);
  }
  for (const figureName of ['gantt', 'queue'])
    parseMarkup(await readFile(join(folder, 'figures', `${figureName}.svg`), 'utf8'));
  await writeReport(await drawFolder(folder), folder);
  expect(await readFile(page, 'utf8')).toBe(firstPageText);
});

test('a long simulation shows the part around its longest queue, a window shows that', async () => {
  const { folder } = await writeSimulationFolder('long', 2500);
  const drawGanttChart = async (window?: { from: number; to: number }) => {
    const { pictures } = await drawFolder(folder, window);
    const { caption, svg } = pictures.find(({ id: pictureId }) => pictureId === 'gantt') ?? {
      caption: '',
      svg: '',
    };
    return { caption, blocks: svg.split('<title>').length - 1 };
  };
  const ganttAroundLongestQueue = await drawGanttChart();
  expect(ganttAroundLongestQueue.caption).toContain('around the longest queue');
  expect(ganttAroundLongestQueue.blocks).toBeGreaterThan(50);
  expect(ganttAroundLongestQueue.blocks).toBeLessThanOrEqual(600);
  const ganttOfFirstHour = await drawGanttChart({ from: 0, to: 3600 });
  expect(ganttOfFirstHour.caption).toContain('from 0\u00a0s to 1\u00a0h after the first submit');
  await expect(drawGanttChart({ from: 1e12, to: 2e12 })).rejects.toThrow(InputError);
});

const SAVED_REPORT: Report = {
  title: 'A study',
  description: '',
  source: '',
  highlights: [],
  tables: [{ id: 't', title: 'T', caption: '', columns: [{ title: 'a' }], rows: [[1]] }],
  figures: [
    {
      id: 'f',
      title: 'F',
      caption: '',
      kind: 'line',
      x: { title: 'x' },
      y: { title: 'y' },
      panels: [{ title: '', series: [{ name: 's', points: [{ x: 1, y: 2 }] }] }],
    },
  ],
  checks: [],
  notes: [],
  commands: [],
  environment: [],
  files: [],
};

async function writeStudyFolder(folderName: string, report: unknown): Promise<string> {
  const folder = await mkdtemp(join(temporaryFolder, folderName));
  await writeFile(join(folder, 'report.json'), typeof report === 'string' ? report : JSON.stringify(report));
  return folder;
}

test('a study becomes a page with its figures', async () => {
  const folder = await writeStudyFolder('study', SAVED_REPORT);
  const page = await writeReport(await drawFolder(folder), folder);
  expect(parseMarkup(await readFile(page, 'utf8')).ids).toEqual(
    expect.arrayContaining(['table-t', 'figure-f', 'title-f']),
  );
  expect(await readdir(join(folder, 'figures'))).toEqual(['f-column.pdf', 'f.csv', 'f.pdf', 'f.svg']);
  await expect(drawFolder(folder, { from: 0, to: 1 })).rejects.toThrow(/no time window/);
});

test.each([
  ['not JSON', '{', /is not JSON/],
  ['a list', [], /expected an object/],
  ['no tables', { ...SAVED_REPORT, tables: undefined }, /has no tables/],
  [
    'an id that is none',
    { ...SAVED_REPORT, tables: [{ ...SAVED_REPORT.tables[0], id: 'a b' }] },
    /'a b' is not the id/,
  ],
  [
    'an id twice',
    { ...SAVED_REPORT, figures: [SAVED_REPORT.figures[0], SAVED_REPORT.figures[0]] },
    /id f appears twice/,
  ],
  [
    'a short row',
    { ...SAVED_REPORT, tables: [{ ...SAVED_REPORT.tables[0], rows: [[1], []] }] },
    /table t, row 2/,
  ],
  ['no panel', { ...SAVED_REPORT, figures: [{ ...SAVED_REPORT.figures[0], panels: [] }] }, /figure f/],
])('a study with %s is refused', async (_, report, sentence) => {
  const folder = await writeStudyFolder('broken', report);
  await expect(drawFolder(folder)).rejects.toThrow(sentence);
  await expect(drawFolder(folder)).rejects.toThrow(InputError);
});

test('a folder of neither, or an incomplete one, is refused', async () => {
  await expect(drawFolder(join(temporaryFolder, 'missing'))).rejects.toThrow(
    /holds neither report.json .* nor config.json/,
  );
  const { folder } = await writeSimulationFolder('half');
  await rm(join(folder, 'jobs.csv'));
  await expect(drawFolder(folder)).rejects.toThrow(/jobs.csv does not exist; run the simulation again/);
  await rm(join(folder, 'summary.json'));
  await expect(drawFolder(folder)).rejects.toThrow(/not a complete folder/);
});

test.each([
  ['a column less', (text: string) => text.replace('home_site', 'home'), /column home_site is missing/],
  ['a line cut off', (text: string) => text.slice(0, -60), /line 81: expected/],
  ['no line', (text: string) => text.slice(0, text.indexOf('\n') + 1), /holds no job/],
])('a jobs.csv with %s is refused', async (_, damageText, sentence) => {
  const { folder } = await writeSimulationFolder('spoilt');
  const path = join(folder, 'jobs.csv');
  await writeFile(path, damageText(await readFile(path, 'utf8')));
  await expect(drawFolder(folder)).rejects.toThrow(sentence);
  await expect(drawFolder(folder)).rejects.toThrow(InputError);
});
