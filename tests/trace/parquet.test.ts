import { join } from 'node:path';
import { type ColumnSource, parquetWriteFile } from 'hyparquet-writer';
import { describe, expect, test } from 'vitest';
import { checkTrace, readTrace } from '../../host/files/traceFiles.js';
import { formatLogCheck } from '../../host/reports/logDescription.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { inputErrorMessage, knownColumnsOfTrace } from './helpers.js';

/** Column types of Parquet files as written by pandas, Arrow, Polars, fastparquet and DuckDB. */

const folder = makeTemporaryFolder();
let parquetFileCount = 0;

type Column = ColumnSource & {
  readonly element?: Readonly<Record<string, unknown>>;
};

/** Writes a Parquet file; `element` changes a column's type in the schema. */
function writeParquetFile(
  tableColumns: readonly Column[],
  metadata: Readonly<Record<string, string>> = {},
): string {
  const path = join(folder, `${parquetFileCount++}.parquet`);
  const schema = tableColumns.map(({ name: columnName, type: columnType, element }) => ({
    name: columnName,
    repetition_type: 'OPTIONAL' as const,
    ...(element ?? TYPES[columnType ?? 'DOUBLE']),
  }));
  parquetWriteFile({
    filename: path,
    columnData: tableColumns.map(({ name: columnName, data }) => ({ name: columnName, data })),
    schema: [{ name: 'root', num_children: schema.length }, ...schema] as never,
    kvMetadata: Object.entries(metadata).map(([key, value]) => ({ key, value })),
  });
  return path;
}

const TYPES: Readonly<Record<string, object>> = {
  INT32: { type: 'INT32' },
  INT64: { type: 'INT64' },
  DOUBLE: { type: 'DOUBLE' },
  STRING: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
};

const timeColumns = (isAdjustedToUTC: boolean, timeUnit = 'MICROS') => ({
  type: 'INT64',
  logical_type: { type: 'TIMESTAMP', isAdjustedToUTC, unit: timeUnit },
});

const START_TIME_2019 = Date.UTC(2019, 0, 1, 8, 55, 55);
const makeMicrosecondTimes = (...seconds: number[]) =>
  seconds.map((second) => BigInt((START_TIME_2019 + second * 1000) * 1000));

/**
 * Columns as in NREL's Eagle data set: timestamps without a zone, durations in seconds or as pandas
 * writes them.
 */
function makeEagleLogColumns(
  makeDurationColumnData: (seconds: number[]) => Omit<Column, 'name'>,
  isUtc = false,
): Column[] {
  const makeTextColumn = (columnName: string, columnTexts: string[]): Column => ({
    name: columnName,
    data: columnTexts,
    type: 'STRING',
  });
  const makeWholeNumberColumn = (columnName: string, columnNumbers: number[]): Column => ({
    name: columnName,
    data: columnNumbers.map(BigInt),
    type: 'INT64',
  });
  return [
    makeWholeNumberColumn('job_id', [9, 8]),
    makeTextColumn('user', ['user1', 'user2']),
    makeTextColumn('account', ['account3', 'account3']),
    makeTextColumn('partition', ['p1', 'p2']),
    { name: 'wallclock_req', ...makeDurationColumnData([172_800, 1800]) },
    makeWholeNumberColumn('processors_req', [10, 36]),
    { name: 'submit_time', data: makeMicrosecondTimes(0, 2), element: timeColumns(isUtc) },
    { name: 'start_time', data: makeMicrosecondTimes(1, 5), element: timeColumns(isUtc) },
    { name: 'end_time', data: makeMicrosecondTimes(201, 1805), element: timeColumns(isUtc) },
    { name: 'run_time', ...makeDurationColumnData([200, 1800]) },
    makeTextColumn('state', ['COMPLETED', 'TIMEOUT']),
  ];
}

const JOBS = {
  ...{ job: [9, 8], submit: [0, 2], wait: [1, 3], runtime: [200, 1800], processors: [10, 36] },
  ...{ requestedTime: [172_800, 1800], status: [1, 0], user: [1, 2], group: [1, 1], queue: [1, 2] },
};

/** Metadata by which pandas marks columns as durations in nanoseconds. */
const PANDAS_METADATA_JSON = JSON.stringify({
  columns: ['wallclock_req', 'run_time'].map((name) => ({
    ...{ name, field_name: name, pandas_type: 'timedelta', numpy_type: 'timedelta64[ns]' },
  })),
});

/**
 * A schema as Arrow 24 stores it in a file: s is a timestamp in microseconds, r a duration in
 * nanoseconds, l one in milliseconds, n a 32-bit integer.
 */
const ARROW_SCHEMA_BASE64 =
  '/////wABAAAQAAAAAAAKAAwABgAFAAgACgAAAAABBAAMAAAACAAIAAAABAAIAAAABAAAAAQAAACkAAAAaAAAADwAAAAEAAAAfP///wAAAQIQAAAAHAAAAAQAAAAAAAAA' +
  'AQAAAG4AAAAIAAwACAAHAAgAAAAAAAABIAAAALD///8AAAESEAAAABgAAAAEAAAAAAAAAAEAAABsAAAABAAEAAQAAADY////AAABEhAAAAAUAAAABAAAAAAAAAABAAAA' +
  'cgAAAMr///8AAAMAEAAUAAgABgAHAAwAAAAQABAAAAAAAAEKEAAAABgAAAAEAAAAAAAAAAEAAABzAAYACAAGAAYAAAAAAAIA';

/** An interval as DuckDB stores it: months, days and milliseconds. */
function makeDuckDbInterval(logOfMonths: number, seconds: number): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(12));
  bytes.setUint32(0, logOfMonths, true);
  bytes.setUint32(4, Math.floor(seconds / 86_400), true);
  bytes.setUint32(8, (seconds % 86_400) * 1000, true);
  return new Uint8Array(bytes.buffer);
}
const INTERVAL_COLUMN_TYPE = { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 12, converted_type: 'INTERVAL' };

describe('durations', () => {
  const makeDecimalColumnScaler = (scaleFactor: number) => (seconds: number[]) => ({
    data: seconds.map((second) => BigInt(second * scaleFactor)),
    type: 'INT64' as const,
  });
  test.each([
    ['seconds with a fraction', (data: number[]) => ({ data }), {}],
    ['whole seconds', makeDecimalColumnScaler(1), {}],
    ['those of pandas, in nanoseconds', makeDecimalColumnScaler(1e9), { pandas: PANDAS_METADATA_JSON }],
    [
      'times of fastparquet, in microseconds',
      (seconds: number[]) => ({
        data: seconds.map((second) => BigInt(second * 1e6)),
        element: { type: 'INT64', converted_type: 'TIME_MICROS' },
      }),
      {},
    ],
    [
      'times in milliseconds',
      (seconds: number[]) => ({
        data: seconds.map((second) => second * 1000),
        element: { type: 'INT32', logical_type: { type: 'TIME', isAdjustedToUTC: true, unit: 'MILLIS' } },
      }),
      {},
    ],
    [
      'intervals',
      (seconds: number[]) => ({
        data: seconds.map((second) => makeDuckDbInterval(0, second)),
        element: INTERVAL_COLUMN_TYPE,
      }),
      {},
    ],
  ] as const)('%s', async (_, durationText, metadata) => {
    const trace = await readTrace(writeParquetFile(makeEagleLogColumns(durationText as never), metadata));
    expect(knownColumnsOfTrace(trace)).toEqual(JOBS);
    expect(trace.notes ?? []).toEqual([]);
  });

  test('those of Arrow, by its schema', async () => {
    const tableColumns: Column[] = [
      { name: 's', data: makeMicrosecondTimes(0), element: timeColumns(false) },
      { name: 'r', data: [BigInt(200e9)], type: 'INT64' },
      { name: 'l', data: [BigInt(300e3)], type: 'INT64' },
      { name: 'n', data: [4], type: 'INT32' },
    ];
    const path = writeParquetFile(tableColumns, { 'ARROW:schema': ARROW_SCHEMA_BASE64 });
    const trace = await readTrace(path, { columns: 'submit=s,runtime=r,requestedTime=l,processors=n' });
    expect(knownColumnsOfTrace(trace)).toEqual({
      job: [1],
      submit: [0],
      runtime: [200],
      requestedTime: [300],
      processors: [4],
    });
  });

  test('an interval of months is refused, since they have no fixed length', async () => {
    const path = writeParquetFile(
      makeEagleLogColumns((seconds) => ({
        data: seconds.map(() => makeDuckDbInterval(1, 5)),
        element: INTERVAL_COLUMN_TYPE,
      })),
    );
    expect(await inputErrorMessage(readTrace(path))).toMatch(
      /row 1, column "run_time": found "1 months and 5 s"/,
    );
  });
});

describe('timestamps', () => {
  const seconds = (columnSeconds: number[]) => ({ data: columnSeconds });
  test.each([
    ['without a zone are of that of the option', false, START_TIME_2019 / 1000 + 7 * 3600],
    ['with a zone stay', true, START_TIME_2019 / 1000],
  ])('%s', async (_, isUtc, clock) => {
    const trace = await readTrace(writeParquetFile(makeEagleLogColumns(seconds, isUtc)), {
      timeZone: 'America/Denver',
    });
    expect(trace.header.unixStartTime).toBe(clock);
    expect(knownColumnsOfTrace(trace)).toEqual(JOBS);
  });

  test('PM100: in UTC, limits in minutes, counts as whole numbers', async () => {
    const makeWholeNumberColumn = (columnName: string, columnNumbers: number[]): Column => ({
      name: columnName,
      data: columnNumbers.map(BigInt),
      type: 'INT64',
    });
    const time = (columnName: string, ...seconds: number[]): Column => ({
      name: columnName,
      data: makeMicrosecondTimes(...seconds),
      element: timeColumns(true),
    });
    const path = writeParquetFile([
      makeWholeNumberColumn('job_id', [501, 502]),
      time('submit_time', 0, 60),
      time('eligible_time', 0, 90),
      time('start_time', 10, 100),
      time('end_time', 3610, 220),
      makeWholeNumberColumn('run_time', [3600, 120]),
      { name: 'time_limit', data: [120, null] as never, type: 'DOUBLE' },
      makeWholeNumberColumn('num_cores_req', [128, 32]),
      makeWholeNumberColumn('num_cores_alloc', [128, 64]),
      { name: 'job_state', data: ['COMPLETED', 'FAILED'], type: 'STRING' },
      makeWholeNumberColumn('user_id', [7, 8]),
      makeWholeNumberColumn('group_id', [3, 3]),
      { name: 'partition', data: ['1', '2'], type: 'STRING' },
    ]);
    expect(knownColumnsOfTrace(await readTrace(path))).toEqual({
      ...{ job: [501, 502], submit: [0, 90], wait: [10, 10], runtime: [3600, 120], processors: [128, 64] },
      ...{ requestedProcessors: [128, 32], requestedTime: [7200, -1], status: [1, 0], user: [7, 8] },
      ...{ group: [3, 3], queue: [1, 2] },
    });
  });

  test('F-DATA: in nanoseconds, durations and limits in seconds', async () => {
    const time = (columnName: string, ...seconds: number[]): Column => ({
      name: columnName,
      data: makeMicrosecondTimes(...seconds).map((value) => value * 1000n),
      element: timeColumns(false, 'NANOS'),
    });
    const makeTextColumn = (columnName: string, columnTexts: string[]): Column => ({
      name: columnName,
      data: columnTexts,
      type: 'STRING',
    });
    const path = writeParquetFile([
      makeTextColumn('jid', ['a', 'b']),
      makeTextColumn('usr', ['u', 'u']),
      makeTextColumn('jnam', ['x', 'y']),
      time('adt', 0, 60),
      time('sdt', 600, 240),
      time('edt', 2400, 300),
      { name: 'duration', data: [1800, 60] },
      { name: 'elpl', data: [3600, 120] },
      { name: 'cnumr', data: [96, 48].map(BigInt), type: 'INT64' },
      { name: 'cnumat', data: [96, 48].map(BigInt), type: 'INT64' },
      makeTextColumn('exit state', ['completed', 'failed']),
    ]);
    expect(knownColumnsOfTrace(await readTrace(path))).toMatchObject({
      ...{ submit: [0, 60], wait: [600, 180], runtime: [1800, 60], processors: [96, 48] },
      ...{ requestedProcessors: [96, 48], requestedTime: [3600, 120], status: [1, 0] },
    });
  });
});

test('places are rows, and the names of the columns', async () => {
  const makeJobColumns = (submits: string[]): Column[] => [
    { name: 's', data: submits, type: 'STRING' },
    { name: 'r', data: submits.map(() => 60) },
    { name: 'n', data: submits.map(() => 4) },
  ];
  const path = writeParquetFile(makeJobColumns(['2026-03-05', 'tomorrow', '2026-03-06', '', '1e9']));
  const columns = 'submit=s,runtime=r,processors=n';
  expect(await inputErrorMessage(readTrace(path, { columns }))).toMatch(
    /\.parquet, row 2, column "s": found "tomorrow"/,
  );
  const trace = await readTrace(path, { columns, skipBadLines: true });
  expect(trace.leftOut?.map(({ places: recordPlaces }) => recordPlaces)).toEqual([
    ['row 2', 'row 4', 'row 5'],
  ]);
  const logCheck = await checkTrace(path, { columns });
  expect([logCheck.unit, logCheck.lines, logCheck.records]).toEqual(['row', 0, 5]);
  const colors = { bold: String, dim: String, red: String, yellow: String } as never;
  expect(formatLogCheck(logCheck, colors)).toMatch(/: 5 rows\n\nerror time, 3 times in rows 2, 4, 5\n/);
  expect(await inputErrorMessage(readTrace(path))).toMatch(
    /\.parquet, the names of the columns: found a table with the columns s, r, n, expected/,
  );
  const emptyFile = writeParquetFile(makeJobColumns([]));
  expect(await inputErrorMessage(readTrace(emptyFile, { columns }))).toMatch(/ holds no rows; /);
});
