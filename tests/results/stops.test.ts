import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { busyProcessorsOverTime, type StepFunction, waitingJobsOverTime } from '../../host/draw/timeline.js';
import { InputError } from '../../host/errors.js';
import { makeGrid } from '../../host/grid/grid.js';
import { jobsCsv, type Simulation, STOP_COLUMNS, simulate, stopsCsv } from '../../host/index.js';
import { drawFolder } from '../../host/reports/savedReport.js';
import { readFinishedJobs, readStoppedRuns } from '../../host/results/finishedJobs.js';
import { simulationFiles, writeResultFolder } from '../../host/results/resultFolder.js';
import { makeModelTrace } from '../../host/workload/models.js';
import { makeWorkloadOfReferenceJobs } from '../core/simulateCore.js';
import { parseMarkup } from '../draw/wellFormed.js';

let temporaryFolder: string;
beforeAll(async () => {
  temporaryFolder = await mkdtemp(join(tmpdir(), 'gridalloc-stops-'));
});
afterAll(() => rm(temporaryFolder, { recursive: true }));

const SAVED_CONFIG = {
  gridalloc: '0.1.0',
  abi: 4,
  coreBuild: 'release',
  coreSha256: 'c0',
  shell: 'gridalloc simulate log.swf',
  workload: { source: 'log.swf', jobsSha256: 'f00' },
  reclaim: true,
};

const PREEMPTING_OPTIONS = {
  policy: 'ff',
  queue: 'per-home',
  reclaim: true,
  minSpeedRatio: 1,
  processorSets: true,
} as const;
const trace = makeModelTrace('lublin99[jobs=2]');

function job(submit: number, runtime: number, processors: number, home: number) {
  return { submit, runtime, estimate: runtime, processors, home };
}

/**
 * Simulates two pieces of job 7 as guests on the first site: the wide piece is preempted twice, the other
 * once.
 */
function simulateSmallPreemptions(): Simulation {
  const jobs = [job(0, 40, 1, 1), job(0, 20, 2, 1), job(4, 8, 2, 0), job(9, 2, 3, 0)];
  const workload = { ...makeWorkloadOfReferenceJobs(jobs), job: Float64Array.of(7, 7, 8, 9) };
  return simulate(workload, makeGrid({ capacities: [3, 1], speeds: [2, 1] }), PREEMPTING_OPTIONS);
}

/** Simulates several hundred jobs of three homes, many of which are preempted. */
function simulateManyPreemptions(): Simulation {
  const { submit, runtime } = makeModelTrace('lublin99[jobs=600,processors=64,aarr=8]').columns;
  const jobs = Array.from({ length: 600 }, (_, i) => job(submit[i], runtime[i], 1 + ((i * 7) % 40), i % 3));
  return simulate(
    makeWorkloadOfReferenceJobs(jobs),
    makeGrid({ capacities: [48, 40, 64], speeds: [1, 1.5, 2] }),
    PREEMPTING_OPTIONS,
  );
}

async function writeSimulationFolder(folderName: string, simulation: Simulation): Promise<string> {
  const folder = join(temporaryFolder, folderName);
  await writeResultFolder(folder, simulationFiles(simulation, trace, SAVED_CONFIG));
  return folder;
}

test('every stopped run is a line, in the order of the stops, under the name of jobs.csv', () => {
  const simulation = simulateSmallPreemptions();
  expect([...stopsCsv(simulation)].join('')).toBe(
    [STOP_COLUMNS.join(','), '7#2,1,0,4,4,2,1-2', '7#2,1,8,9,1,2,1-2', '7,1,0,9,9,1,0', ''].join('\n'),
  );
  expect([...jobsCsv(simulation)].join('')).toContain(
    '\n7#2,case,20,0,2,20,1,COMPLETED_SUCCESSFULLY,10,10,20,',
  );
});

test('a run that reclaims has the file, even if nothing was stopped; another run removes it', async () => {
  const simulation = simulateSmallPreemptions();
  const folder = await writeSimulationFolder('kept', simulation);
  expect(await readdir(folder)).toContain('stops.csv');
  const { workload, grid } = simulation;
  const workloadWithOneHome = { ...workload, home: new Int32Array(workload.count) };
  await writeSimulationFolder('kept', simulate(workloadWithOneHome, grid, PREEMPTING_OPTIONS));
  expect(await readFile(join(folder, 'stops.csv'), 'utf8')).toBe(`${STOP_COLUMNS.join(',')}\n`);
  const unsharedOptions = simulate(workload, grid, { ...PREEMPTING_OPTIONS, reclaim: false });
  await writeSimulationFolder('kept', unsharedOptions);
  expect((await readdir(folder)).sort()).toEqual(['config.json', 'jobs.csv', 'schedule.swf', 'summary.json']);
  expect(() => [...stopsCsv(unsharedOptions)]).toThrow(/needs a simulation that reclaims/);
});

describe('a report', () => {
  /** Integral of a step function of time up to a time. */
  const integralValue = ({ time, value: stepValues }: StepFunction, to: number) =>
    time.reduce((sum, from, i) => sum + stepValues[i] * ((time[i + 1] ?? to) - from), 0);

  test('has curves that integrate to the measures', async () => {
    const simulation = simulateManyPreemptions();
    const { summary: simulationSummary, schedule } = simulation;
    const folder = await writeSimulationFolder('large', simulation);
    const jobs = await readFinishedJobs(join(folder, 'jobs.csv'));
    const stoppedRuns = await readStoppedRuns(join(folder, 'stops.csv'), jobs);
    expect(stoppedRuns.length).toBeGreaterThan(100);
    expect(stoppedRuns.map(({ start }) => start)).toEqual([...(schedule.stops?.start ?? [])]);
    expect(stoppedRuns.map(({ end }) => end)).toEqual([...(schedule.stops?.end ?? [])]);
    const end = Math.max(...jobs.map((job) => job.end));
    const totalProcessors = simulation.grid.capacities.reduce((a, b) => a + b);
    const utilization =
      integralValue(busyProcessorsOverTime([...jobs, ...stoppedRuns]), end) /
      (totalProcessors * simulationSummary.makespan);
    expect(utilization).toBeCloseTo(simulationSummary.utilization, 12);
    const waitingSeconds =
      integralValue(waitingJobsOverTime(jobs, stoppedRuns), end) / simulationSummary.makespan;
    expect(waitingSeconds).toBeCloseTo(simulationSummary.averageQueueLengthOverTime, 9);
    expect(Math.min(...waitingJobsOverTime(jobs, stoppedRuns).value)).toBe(0);
  });

  test('draws the stopped runs and says what was lost', async () => {
    const { report, pictures } = await drawFolder(
      await writeSimulationFolder('small', simulateSmallPreemptions()),
    );
    const { caption, svg } = pictures.find(({ id: pictureId }) => pictureId === 'gantt') ?? {
      caption: '',
      svg: '',
    };
    expect(caption).toContain('hatched and with a cross at its end a run that was stopped');
    expect(parseMarkup(svg).text.split('stopped run of job')).toHaveLength(4);
    const table = report.tables.find(({ id: tableId }) => tableId === 'restarts');
    // Lost 2 x (4 + 1) + 9 processor-seconds; also used 1 x 40 + 2 x 10 + 2 x 4 + 3 x 1.
    expect(table?.caption).toContain(
      '3 runs of 2 jobs were stopped; 19 processor-seconds were lost, 21.11 % of all that were used.',
    );
    expect(table?.rows).toEqual([
      ['7#2', 2, 2, 2, 5, 10, 20],
      ['7', 2, 1, 1, 9, 9, 49],
    ]);
  });

  test('of a long simulation shows a part and the jobs that were stopped most often', async () => {
    const { report, pictures } = await drawFolder(
      await writeSimulationFolder('long', simulateManyPreemptions()),
      {
        from: 0,
        to: 3600,
      },
    );
    expect(pictures.find(({ id: pictureId }) => pictureId === 'gantt')?.caption).toMatch(
      /^The \d+ jobs and \d+ stopped runs that ran/,
    );
    const table = report.tables.find(({ id: tableId }) => tableId === 'restarts');
    expect(table?.rows).toHaveLength(10);
    expect(table?.caption).toContain('Shown are the 10 that were stopped most often.');
    const stops = table?.rows.map((cellRow) => Number(cellRow[3])) ?? [];
    expect(stops).toEqual([...stops].sort((a, b) => b - a));
  });

  test('of a folder without the file has last runs alone', async () => {
    const folder = await writeSimulationFolder('older', simulateSmallPreemptions());
    await rm(join(folder, 'stops.csv'));
    const { report, pictures } = await drawFolder(folder);
    expect(report.tables.map(({ id: tableId }) => tableId)).toEqual(['measures', 'sites']);
    expect(pictures.map(({ svg, caption }) => svg + caption).join('')).not.toContain('stopped');
  });

  test.each([
    [
      'a column less',
      (text: string) => text.replace('stopped_time', 'end'),
      /column stopped_time is missing/,
    ],
    ['a line less', (text: string) => text.replace(/7,1,0.*\n/, ''), /holds 2 stopped runs, summary.json 3/],
    ['an unknown job', (text: string) => text.replace('\n7,', '\n5,'), /line 4: expected the times/],
    ['other processors', (text: string) => text.replace('1-2', '1-3'), /line 2: expected the times/],
    ['no time', (text: string) => text.replace(',8,9,', ',,9,'), /line 3: expected the times/],
  ])('is refused where stops.csv has %s', async (_, damageText, sentence) => {
    const folder = await writeSimulationFolder('spoilt', simulateSmallPreemptions());
    const path = join(folder, 'stops.csv');
    await writeFile(path, damageText(await readFile(path, 'utf8')));
    await expect(drawFolder(folder)).rejects.toThrow(sentence);
    await expect(drawFolder(folder)).rejects.toThrow(InputError);
  });
});
