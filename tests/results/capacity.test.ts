import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { InputError } from '../../host/errors.js';
import { makeGrid } from '../../host/grid/grid.js';
import { CAPACITY_COLUMNS, capacityCsv, jobsCsv, type Simulation, simulate } from '../../host/index.js';
import { drawDifferencePicture } from '../../host/reports/differenceReport.js';
import { drawFolder } from '../../host/reports/savedReport.js';
import { joinStepsIntoAbsences, makeAbsenceStepsOfSimulation } from '../../host/results/capacity.js';
import { compareSimulations, readFinishedSimulation } from '../../host/results/difference.js';
import { simulationFiles, writeResultFolder } from '../../host/results/resultFolder.js';
import { makeModelTrace } from '../../host/workload/models.js';
import { makeWorkloadOfReferenceJobs } from '../core/simulateCore.js';
import { parseMarkup } from '../draw/wellFormed.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';

const temporaryFolder = makeTemporaryFolder();
const trace = makeModelTrace('lublin99[jobs=2]');
const SAVED_CONFIG = {
  gridalloc: '0.2.0',
  abi: 5,
  coreBuild: 'release',
  coreSha256: 'c0',
  shell: 'gridalloc simulate log.swf',
  workload: { source: 'log.swf', jobsSha256: 'f00' },
};

function job(submit: number, runtime: number, processors: number) {
  return { submit, runtime, estimate: runtime, processors, home: 0 };
}

/** Jobs on 4 and 2 processors; an outage wants 4 of site 1 from 10 to 50, another 1 of site 2 from 20 on. */
function simulateSmallOutage(onOutage: 'drain' | 'requeue' | 'kill'): Simulation {
  const jobs = [job(0, 40, 1), job(0, 20, 2), job(4, 30, 3), job(9, 10, 1)];
  return simulate(makeWorkloadOfReferenceJobs(jobs), makeGrid({ capacities: [4, 2] }), {
    outages: '1x4@10..50+2x1@20..ever',
    onOutage,
    processorSets: true,
    policy: 'best-fit',
  });
}

const csvLinesOf = (lines: Iterable<string>) => [...lines].join('').trim().split('\n');

async function writeSimulationFolder(
  folderName: string,
  simulation: Simulation,
  options = '1x4@10..50+2x1@20..ever',
): Promise<string> {
  const folder = join(temporaryFolder, folderName);
  const config = { ...SAVED_CONFIG, options: { outages: options } };
  await writeResultFolder(folder, simulationFiles(simulation, trace, config));
  return folder;
}

test('under drain the file has what outages took, when jobs released it', () => {
  const simulation = simulateSmallOutage('drain');
  expect(csvLinesOf(capacityCsv(simulation))).toEqual([
    CAPACITY_COLUMNS.join(','),
    '1,10,2,2-3',
    '1,20,0,0-3',
    '2,20,1,5',
    '1,50,4,',
  ]);
  const absences = joinStepsIntoAbsences(makeAbsenceStepsOfSimulation(simulation), 100);
  expect(
    absences.map(({ site, start, end, runs: processorRanges }) => [site, start, end, processorRanges]),
  ).toEqual([
    [0, 10, 50, [[2, 3]]],
    [0, 20, 50, [[0, 1]]],
    [1, 20, 100, [[5, 5]]],
  ]);
});

test('an absence is split where some of its processors come back before the others', () => {
  const listAbsentRanges = (...absent: [number, number][]) => absent;
  const capacitySteps = [
    { site: 0, time: 5, absent: listAbsentRanges([2, 7]) },
    { site: 0, time: 8, absent: listAbsentRanges([0, 0], [2, 3], [6, 7]) },
    { site: 0, time: 9, absent: listAbsentRanges([0, 0]) },
    { site: 0, time: 9.5, absent: listAbsentRanges() },
  ];
  expect(
    joinStepsIntoAbsences(capacitySteps, 20).map(({ start, end, runs: processorRanges }) => [
      start,
      end,
      processorRanges,
    ]),
  ).toEqual([
    [5, 8, [[4, 5]]],
    [
      5,
      9,
      [
        [2, 3],
        [6, 7],
      ],
    ],
    [8, 9.5, [[0, 0]]],
  ]);
});

const findPicture = ({ pictures }: Awaited<ReturnType<typeof drawFolder>>, id: string) =>
  pictures.find((picture) => picture.id === id) ?? { caption: '', svg: '' };

test('jobs that an outage ended are told from others', async () => {
  const simulation = simulateSmallOutage('kill');
  expect(csvLinesOf(jobsCsv(simulation)).map((line) => line.split(',').slice(6, 8))).toEqual([
    ['success', 'final_state'],
    ['1', 'COMPLETED_SUCCESSFULLY'],
    ['0', 'COMPLETED_KILLED'],
    ['1', 'COMPLETED_SUCCESSFULLY'],
    ['1', 'COMPLETED_SUCCESSFULLY'],
  ]);
  const folder = await writeSimulationFolder('killed', simulation);
  const table = (await drawFolder(folder)).report.tables.find(({ id: tableId }) => tableId === 'ended');
  expect(table?.caption).toContain('Outages stopped 1 job, which did not run again');
  expect(table?.rows).toEqual([['2', 1, 2, 0, 10]]);
  const scheduleRecords = csvLinesOf([await readFile(join(folder, 'schedule.swf'), 'utf8')]).filter((line) =>
    /^\d/.test(line),
  );
  expect(scheduleRecords.map((line) => line.split(/\s+/)[10])).toEqual(['1', '0', '1', '1']);
});

describe('a folder with outages', () => {
  test('is drawn with the processors that were not available', async () => {
    const drawnReport = await drawFolder(
      await writeSimulationFolder('drained', simulateSmallOutage('drain')),
    );
    const ganttPicture = findPicture(drawnReport, 'gantt');
    const { text: markupText } = parseMarkup(ganttPicture.svg);
    expect(ganttPicture.caption).toContain('Grey with hatching: outages had the processors.');
    expect(markupText).toContain('not available');
    expect(markupText).toContain('2 processors of site 1 not available from');
    const utilizationPicture = findPicture(drawnReport, 'utilization');
    expect(utilizationPicture.caption).toContain('the share that was available');
    expect(parseMarkup(utilizationPicture.svg).text).toContain('available');
    expect(findPicture(drawnReport, 'occupancy').caption).toContain('hatched is the share that outages had');
    expect(drawnReport.report.files?.map(({ path: filePath }) => filePath)).toContain('capacity.csv');
  });

  test('says that outages stopped runs, and how much of the work was lost', async () => {
    const { report } = await drawFolder(
      await writeSimulationFolder('requeued', simulateSmallOutage('requeue')),
    );
    // Lost 2 x 10 processor-seconds; also used 1 x 40 + 2 x 20 + 3 x 30 + 1 x 10.
    expect(report.tables.find(({ id: tableId }) => tableId === 'restarts')?.caption).toBe(
      '1 run of 1 job was stopped by an outage; 20 processor-seconds were lost, 10.00 % of all that were used.',
    );
  });

  test('of an earlier version, without capacity.csv, is drawn as if nothing was away', async () => {
    const folder = await writeSimulationFolder('earlier', simulateSmallOutage('drain'));
    await rm(join(folder, 'capacity.csv'));
    const drawnReport = await drawFolder(folder);
    const allPictures = ['gantt', 'utilization', 'occupancy'].map((id) => findPicture(drawnReport, id));
    expect(allPictures.map(({ svg, caption }) => svg + caption).join('')).not.toContain('available');
  });

  test('loses the file when a run without outages replaces it', async () => {
    const folder = await writeSimulationFolder('replaced', simulateSmallOutage('drain'));
    const { workload, grid } = simulateSmallOutage('drain');
    await writeSimulationFolder('replaced', simulate(workload, grid, { processorSets: true }));
    await expect(readFile(join(folder, 'capacity.csv'))).rejects.toThrow('ENOENT');
  });

  test('is compared with another one by a drawing of both, each with its own processors away', async () => {
    const folders = [
      await writeSimulationFolder('one', simulateSmallOutage('drain')),
      await writeSimulationFolder('other', simulateSmallOutage('requeue')),
    ];
    const [a, b] = await Promise.all(folders.map((folder) => readFinishedSimulation(folder)));
    const { svg } = drawDifferencePicture(compareSimulations(a!, b!));
    const { text: markupText } = parseMarkup(svg);
    expect(markupText.split(' not available from').length - 1).toBe(3 + 2);
    expect(markupText).toContain('4 processors of site 1 not available from');
  });

  test.each([
    [
      'another number of processors',
      (text: string) => text.replace('1,10,2,', '1,10,3,'),
      /line 2: expected a site/,
    ],
    ['an unknown site', (text: string) => text.replace('2,20,1,', '3,20,1,'), /line 4: expected a site/],
    ['no time', (text: string) => text.replace('1,50,', '1,,'), /line 5: expected a site/],
    ['a column less', (text: string) => text.replace(',time', ''), /the column time is missing/],
  ])('is refused where capacity.csv has %s', async (_, damageText, sentence) => {
    const folder = await writeSimulationFolder('spoilt', simulateSmallOutage('drain'));
    const path = join(folder, 'capacity.csv');
    await writeFile(path, damageText(await readFile(path, 'utf8')));
    await expect(drawFolder(folder)).rejects.toThrow(sentence);
    await expect(drawFolder(folder)).rejects.toThrow(InputError);
  });
});
