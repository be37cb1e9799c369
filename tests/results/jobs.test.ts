import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { expect, test } from 'vitest';
import { formatCsvField } from '../../host/format/csv.js';
import {
  JOB_COLUMNS,
  jobsCsv,
  makeGrid,
  makeWorkload,
  parseTrace,
  type Simulation,
  simulate,
  simulationFiles,
  type Workload,
} from '../../host/index.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { buildTrace } from '../workload/buildTrace.js';

function workload(workloadName: string, jobCount: number): Workload {
  const makeColumnOfOnes = () => new Float64Array(jobCount).fill(1);
  return {
    name: workloadName,
    count: jobCount,
    job: makeColumnOfOnes(),
    submit: Float64Array.from({ length: jobCount }, (_, i) => i / 3),
    runtime: makeColumnOfOnes(),
    estimate: makeColumnOfOnes(),
    processors: new Int32Array(jobCount).fill(3),
    home: new Int32Array(jobCount),
    accounting: {
      read: jobCount,
      kept: jobCount,
      dropped: [],
      oversizeJobs: [],
      withoutEstimate: 0,
      split: { jobs: 0, pieces: 0 },
    },
  };
}

function rows(simulation: Simulation): string[][] {
  const lines = [...jobsCsv(simulation)].join('').trimEnd().split('\n');
  return lines.slice(1).map((line) => line.split(','));
}

const columnIndexOf = (column: (typeof JOB_COLUMNS)[number]) => JOB_COLUMNS.indexOf(column);

test('processor sets are written as intervals', () => {
  const simulation = simulate(workload('x', 2), makeGrid({ capacities: [6] }), { processorSets: true });
  const heldProcessors = {
    firstPair: Int32Array.of(0, 3),
    pairs: Int32Array.of(0, 0, 2, 2, 5, 5, 1, 1, 3, 4),
  };
  const [firstRow, secondRow] = rows({ ...simulation, processorSets: heldProcessors });
  expect(firstRow[columnIndexOf('allocated_resources')]).toBe('0 2 5');
  expect(secondRow[columnIndexOf('allocated_resources')]).toBe('1 3-4');
});

test('every time reads back to the same number, every job has its own name', () => {
  const jobCount = 5000;
  const simulation = simulate(workload('x', jobCount), makeGrid({ capacities: [4] }), {
    processorSets: true,
  });
  const lines = rows(simulation);
  expect(lines.length).toBe(jobCount);
  expect(new Set(lines.map(([name]) => name)).size).toBe(jobCount);
  expect(lines.slice(0, 3).map(([name]) => name)).toEqual(['1', '1#2', '1#3']);
  for (const job of [1, 2, jobCount - 1]) {
    const submit = Number(lines[job][columnIndexOf('submission_time')]);
    const start = Number(lines[job][columnIndexOf('starting_time')]);
    expect(submit).toBe(simulation.workload.submit[job]);
    expect(start).toBe(simulation.schedule.start[job]);
    expect(Number(lines[job][columnIndexOf('waiting_time')])).toBe(start - submit);
    expect(Number(lines[job][columnIndexOf('stretch')])).toBe(
      Number(lines[job][columnIndexOf('turnaround_time')]) / 1,
    );
  }
});

test('the stretch of a job without length is 1', () => {
  const shortJobWorkload = { ...workload('x', 1), runtime: Float64Array.of(0.2) };
  const options = { processorSets: true, timeResolution: 'floor' } as const;
  const [row] = rows(simulate(shortJobWorkload, makeGrid({ capacities: [4] }), options));
  expect([row[columnIndexOf('execution_time')], row[columnIndexOf('stretch')]]).toEqual(['0', '1']);
});

test('the stretch of a job that is short beside the clock is not below 1', () => {
  const lateJobWorkload = {
    ...workload('x', 1),
    submit: Float64Array.of(1e12),
    runtime: Float64Array.of(1e-3),
  };
  const simulation = simulate(lateJobWorkload, makeGrid({ capacities: [4] }), { processorSets: true });
  const [row] = rows(simulation);
  expect(Number(row[columnIndexOf('turnaround_time')])).toBeLessThan(1e-3);
  expect(row[columnIndexOf('stretch')]).toBe('1');
  expect(simulation.summary.meanSlowdown).toBe(1);
});

test('fields with commas, quotes or line ends are quoted', () => {
  expect(formatCsvField('plain name.swf')).toBe('plain name.swf');
  expect(formatCsvField('lublin99[a=1,b=2]')).toBe('"lublin99[a=1,b=2]"');
  expect(formatCsvField('a "b"\n')).toBe('"a ""b""\n"');
  // Spreadsheets would evaluate these cells as formulas.
  expect(["=cmd|' /C calc'!A0", '+1', '-x.swf', '@a'].map(formatCsvField)).toEqual([
    "'=cmd|' /C calc'!A0",
    "'+1",
    "'-x.swf",
    "'@a",
  ]);
  const simulation = simulate(workload('a,b', 1), makeGrid({ capacities: [4] }), { processorSets: true });
  expect([...jobsCsv(simulation)].join('')).toContain('\n1,"a,b",1,0,3,');
});

test('fields of the log come last, in Parquet too', async () => {
  const logFields = { user: 7, group: 3, queue: 2, status: 5, wait: 11 };
  const trace = buildTrace([
    { submit: 4, runtime: 2.5, processors: 3, ...logFields },
    { submit: 5, runtime: 1, processors: 5 },
  ]);
  const grid = makeGrid({ capacities: [4, 2] });
  const jobs = makeWorkload(trace, { siteCount: 2, capacities: grid.capacities, oversize: 'split' });
  const simulation = simulate(jobs, grid, { processorSets: true });
  const lines = rows(simulation);
  expect(lines.map((cells) => cells.slice(columnIndexOf('user')))).toEqual([
    ['7', '3', '2', '5', '11', '2.5', ''],
    ['-1', '-1', '-1', '-1', '-1', '1', ''],
    ['-1', '-1', '-1', '-1', '-1', '1', ''],
  ]);
  const folder = makeTemporaryFolder();
  for (const { name: fileName, write } of simulationFiles(simulation, trace, {}, { parquet: true }))
    await write(join(folder, fileName));
  const file = await asyncBufferFromFile(join(folder, 'jobs.parquet'));
  const table = await parquetReadObjects({ file });
  expect(table.map((row) => JOB_COLUMNS.map((name) => String(row[name])))).toEqual(
    lines.map((cells) => cells.slice(0, JOB_COLUMNS.length)),
  );
  const { key_value_metadata: metadata = [] } = await parquetMetadataAsync(file);
  const units = JSON.parse(metadata.find(({ key: entryKey }) => entryKey === 'units')?.value ?? '{}');
  const timeColumns = JOB_COLUMNS.filter(
    (name) => name.endsWith('_time') || ['profile', 'recorded_wait', 'estimate'].includes(name),
  );
  expect(units).toEqual(Object.fromEntries(timeColumns.map((name) => [name, 's'])));
  const { user, group, status, wait } = parseTrace(
    readFileSync(join(folder, 'schedule.swf'), 'utf8'),
  ).columns;
  expect([...user, ...group, ...status, wait[0]]).toEqual([7, -1, -1, 3, -1, -1, 5, 1, 1, 0]);
});
