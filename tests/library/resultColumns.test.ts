import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseCsvNumber } from '../../host/format/csv.js';
import type * as library from '../../host/index.js';
import { compare, judgeLogs, replications, resultColumns } from '../../host/index.js';
import { readCsvRows } from '../../host/results/finishedJobs.js';
import { runGridalloc } from '../runs/childProcess.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { LOG } from '../ways/samples.js';

const folder = makeTemporaryFolder();
const path = join(folder, 'log.swf');
writeFileSync(path, LOG);

test('of replications: one row each', async () => {
  const resultOfReplications = await replications(path, { replications: 5, threads: 1 });
  const { replication, ...metrics } = resultColumns(resultOfReplications);
  expect(replication).toEqual(Int32Array.of(1, 2, 3, 4, 5));
  expect(Object.keys(metrics)).toEqual(
    resultOfReplications.metrics.map(({ name: metricName }) => metricName),
  );
  for (const { name: metricName, values: metricValues } of resultOfReplications.metrics)
    expect(metrics[metricName]).toEqual(Float64Array.from(metricValues));
});

test('of a comparison: one row for each replication of each method', async () => {
  const metricNames = ['meanWait', 'utilization'];
  const resultOfComparison = await compare(path, {
    methods: ['fcfs', 'sjf'],
    metrics: metricNames,
    replications: 4,
    threads: 1,
  });
  const { method, replication, ...metrics } = resultColumns(resultOfComparison);
  expect(method).toEqual([
    ...Array(4).fill(resultOfComparison.names[0]),
    ...Array(4).fill(resultOfComparison.names[1]),
  ]);
  expect(replication).toEqual(Int32Array.of(1, 2, 3, 4, 1, 2, 3, 4));
  expect(Object.keys(metrics)).toEqual(metricNames);
  for (const { name: metricName, values: metricValues } of resultOfComparison.metrics)
    expect(metrics[metricName]).toEqual(Float64Array.from([...metricValues[0], ...metricValues[1]]));
});

test('of a sweep: the columns of results.csv', { timeout: 120_000 }, async () => {
  const resultFolder = join(folder, 'sweep');
  const commandWords = [
    '--vary',
    'sites=8;8,6',
    '--vary',
    'load=1,1.5',
    '--vary',
    'interval=1..2',
    '--discipline',
    'easy',
  ];
  const { exitCode, stderr } = await runGridalloc([
    'sweep',
    path,
    ...commandWords,
    '--threads',
    '1',
    '--out',
    resultFolder,
    '--quiet',
  ]);
  expect(exitCode, stderr).toBe(0);
  const variedOptions = { sites: ['8', '8,6'], load: [1, 1.5], interval: [1, 2] };
  // The threads load the compiled modules.
  const { sweep }: typeof library = await import(new URL('../../dist/index.js', import.meta.url).href);
  const columns = resultColumns(await sweep(path, { vary: variedOptions, discipline: 'easy', threads: 1 }));

  const file = join(resultFolder, 'results.csv');
  const metricNames = readFileSync(file, 'utf8').split('\n', 1)[0].split(',');
  const rows: string[][] = [];
  await readCsvRows(file, metricNames, (fields) => rows.push([...fields]), 'a simulation');
  expect(Object.keys(columns)).toEqual(metricNames);
  expect(rows).toHaveLength(8);
  const namesOfColumnTypes = new Set<string>();
  for (const [columnIndex, name] of metricNames.entries()) {
    const column = columns[name];
    namesOfColumnTypes.add(column.constructor.name);
    const columnValues = rows.map((row) => row[columnIndex]);
    const isTextColumn = Array.isArray(column);
    const expectedColumn = columnValues.map((columnValue) =>
      columnValue === ''
        ? isTextColumn
          ? null
          : Number.NaN
        : isTextColumn
          ? columnValue
          : parseCsvNumber(columnValue),
    );
    expect([name, ...column]).toEqual([name, ...expectedColumn]);
  }
  expect(namesOfColumnTypes).toEqual(new Set(['Array', 'Int32Array', 'Float64Array']));
});

test('each column is its own block of memory, without gaps', async () => {
  const columns = resultColumns(await replications(path, { replications: 3, threads: 1 }));
  for (const column of Object.values(columns)) {
    if (!ArrayBuffer.isView(column)) throw new Error('expected numbers alone');
    expect([column.byteOffset, column.byteLength]).toEqual([0, column.buffer.byteLength]);
  }
});

test('results without such rows are refused', () => {
  const logs = Array.from({ length: 2 }, (_, i) => ({ name: `log ${i}`, values: [[1, 2]] }));
  for (const inputOfOtherKind of [judgeLogs(logs), {}, 7, undefined])
    expect(() => resultColumns(inputOfOtherKind as never)).toThrow(
      /^resultColumns: expected what compare, replications or sweep give, found /,
    );
});
