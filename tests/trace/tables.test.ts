import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parquetWriteFile } from 'hyparquet-writer';
import { describe, expect, test } from 'vitest';
import { InputError } from '../../host/errors.js';
import { checkTrace, readTrace } from '../../host/files/traceFiles.js';
import { checkLogInChunks } from '../../host/trace/checkTrace.js';
import { parseTrace } from '../../host/trace/readText.js';
import { PUBLIC_TABLE_FORMATS } from '../../host/trace/tableColumns.js';
import { parseTableDuration, TableTimeReader } from '../../host/trace/tableTimes.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { knownColumnsOfTrace, logErrorMessage } from './helpers.js';

/** Tables of jobs compared with records worked out by hand. */

const TABLE_LOG_TEXT = readFileSync(new URL('../../traces/table.csv', import.meta.url), 'utf8');

/** Public tables in their own format: two jobs of each, and the expected records. */
const PUBLIC_TABLE_CASES: Readonly<
  Record<string, { readonly text: string; readonly jobs: Record<string, number[]> }>
> = {
  PM100: {
    text: TABLE_LOG_TEXT,
    jobs: {
      job: [501, 505, 503, 502],
      submit: [0, 90, 120, 300],
      wait: [10, 90, 480, 30],
      runtime: [3600, 1800, 0, 120],
      processors: [128, 4, -1, 64],
      requestedProcessors: [128, 4, 4, 32],
      requestedTime: [7200, 1800, 1800, -1],
      status: [1, 0, 5, 0],
      user: [7, 9, 7, 8],
      group: [3, 4, 3, 3],
      queue: [1, 2, 2, 1],
    },
  },
  Helios: {
    text:
      'job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,queue\n' +
      '11,uA,vcX,1,1,1,COMPLETED,2020-06-09 18:41:01,2020-06-09 18:41:01,2020-06-09 18:51:01,600,0\n' +
      '12,uB,vcX,4,16,1,FAILED,2020-06-09 18:41:31,2020-06-09 18:42:01,2020-06-09 18:46:10,249,30\n',
    jobs: {
      ...{ job: [11, 12], submit: [0, 30], wait: [0, 30], runtime: [600, 249], processors: [1, 4] },
      ...{ status: [1, 0], user: [1, 2], group: [1, 1] },
    },
  },
  'F-DATA': {
    text:
      'jid,usr,jnam,adt,qdt,sdt,edt,duration,elpl,cnumr,cnumat,nnumr,exit state\n' +
      'a1,u1,j1,2023-06-01 09:00:00+00:00,,2023-06-01 09:10:00+00:00,2023-06-01 09:40:00+00:00,1800.0,3600.0,96,96,2,completed\n' +
      'b2,u1,j2,2023-06-01 09:01:00+00:00,,2023-06-01 09:04:00+00:00,2023-06-01 09:05:00+00:00,60.0,120.0,48,48,1,failed\n',
    jobs: {
      job: [1e12 + 1, 1e12 + 2],
      ...{ submit: [0, 60], wait: [600, 180], runtime: [1800, 60], processors: [96, 48] },
      ...{ requestedProcessors: [96, 48], requestedTime: [3600, 120], status: [1, 0], user: [1, 1] },
      executable: [1, 2],
    },
  },
  'ALCF DIM_JOB_COMPOSITE': {
    text:
      '"JOB_NAME","COBALT_JOBID","QUEUED_TIMESTAMP","START_TIMESTAMP","END_TIMESTAMP","USERNAME_GENID","QUEUE_NAME","WALLTIME_SECONDS","RUNTIME_SECONDS","NODES_USED"\n' +
      '"1.mira",1,"2018-01-01 00:00:10","2018-01-01 00:01:00","2018-01-01 01:01:00",77,"prod",7200.0,3600.0,512.0\n' +
      '"2.mira",2,"2018-01-01 00:00:40","2018-01-01 00:00:40","2018-01-01 00:10:40",78,"debug",600.0,600.0,32.0\n',
    jobs: {
      ...{ job: [1, 2], submit: [0, 30], wait: [50, 0], runtime: [3600, 600], processors: [512, 32] },
      ...{ requestedTime: [7200, 600], user: [77, 78], queue: [1, 2] },
    },
  },
  Eagle: {
    text:
      'job_id,user,account,partition,qos,wallclock_req,nodes_req,processors_req,gpus_req,mem_req,submit_time,start_time,end_time,run_time,state,name,work_dir,submit_line\n' +
      '9,user1,account3,partition1,normal,172800.0,10,10,0,0.0,2019-01-01 08:55:55,2019-01-01 08:55:56,2019-01-01 08:59:16,200.0,COMPLETED,n1,w1,s1\n' +
      '8,user2,account3,partition2,normal,1800.0,36,36,0,0.0,2019-01-01 08:55:57,2019-01-01 08:56:00,2019-01-01 09:26:00,1800.0,TIMEOUT,n2,w2,s2\n',
    jobs: {
      ...{ job: [9, 8], submit: [0, 2], wait: [1, 3], runtime: [200, 1800], processors: [10, 36] },
      ...{
        requestedTime: [172800, 1800],
        status: [1, 0],
        user: [1, 2],
        group: [1, 1],
        executable: [1, 2],
        queue: [1, 2],
      },
    },
  },
  Batsim: {
    text:
      'job_id,workload_name,submission_time,requested_number_of_resources,requested_time,success,starting_time,execution_time,finish_time,waiting_time\n' +
      '1,w0,0,4,100,1,5,90,95,5\n2,w0,10,2,50,1,95,40,135,85\n',
    jobs: {
      ...{ job: [1, 2], submit: [0, 10], wait: [5, 85], runtime: [90, 40] },
      ...{ requestedProcessors: [4, 2], requestedTime: [100, 50], status: [1, 1] },
    },
  },
};

test('every known table is here', () => {
  expect(Object.keys(PUBLIC_TABLE_CASES).sort()).toEqual(
    PUBLIC_TABLE_FORMATS.map(({ name: tableName }) => tableName).sort(),
  );
});

describe.each(Object.entries(PUBLIC_TABLE_CASES))('%s', (_, { text, jobs }) => {
  test('is read without an option, with any separator, and columns in any order', () => {
    expect(knownColumnsOfTrace(parseTrace(text))).toEqual(jobs);
    const rows = text
      .trim()
      .split('\n')
      .map((line) =>
        [...line.matchAll(/(?:^|,)("(?:[^"]|"")*"|[^,]*)/g)].map(([, field]) => field as string),
      );
    const joinRowsWithSeparator = (
      separator: string,
      arrangeFields: (fields: string[]) => string[] = (fields) => fields,
    ) => rows.map((row) => arrangeFields(row).join(separator)).join('\r\n');
    expect(knownColumnsOfTrace(parseTrace(joinRowsWithSeparator('\t')))).toEqual(jobs);
    expect(knownColumnsOfTrace(parseTrace(joinRowsWithSeparator(';')))).toEqual(jobs);
    expect(
      knownColumnsOfTrace(parseTrace(joinRowsWithSeparator(',', (fields) => fields.toReversed()))),
    ).toEqual(jobs);
  });
});

test('Parquet is read as the same table in CSV, whatever its compression and row groups', async () => {
  const folder = makeTemporaryFolder();
  const makeDateOfMinute = (minutes: number) => new Date(Date.UTC(2020, 4, 4, 8, minutes));
  const rowCount = 25;
  const rowNumbers = Array.from({ length: rowCount }, (_, i) => i);
  const csvText = [
    'job_id,submit_time,eligible_time,start_time,end_time,run_time,time_limit,num_cores_req,num_cores_alloc,job_state,user_id,group_id,partition',
    ...rowNumbers.map((row) => {
      const submitStartAndEndTimes = [
        makeDateOfMinute(row),
        makeDateOfMinute(row),
        makeDateOfMinute(row + 2),
        makeDateOfMinute(row + 7),
      ].map((time) => time.toISOString());
      return [
        row + 1,
        ...submitStartAndEndTimes,
        300,
        row % 3 === 0 ? '' : 10,
        4,
        4,
        'COMPLETED',
        1 + (row % 2),
        7,
        'a "b", c',
      ].map((value) => `"${String(value).replaceAll('"', '""')}"`);
    }),
  ].join('\n');
  const expectedTrace = parseTrace(csvText);
  for (const parquetCodec of ['UNCOMPRESSED', 'SNAPPY'] as const) {
    const path = join(folder, `${parquetCodec}.parquet`);
    parquetWriteFile({
      filename: path,
      codec: parquetCodec,
      rowGroupSize: 10,
      columnData: [
        { name: 'job_id', data: rowNumbers.map((row) => BigInt(row + 1)), type: 'INT64' },
        { name: 'submit_time', data: rowNumbers.map(makeDateOfMinute), type: 'TIMESTAMP' },
        { name: 'eligible_time', data: rowNumbers.map(makeDateOfMinute), type: 'TIMESTAMP' },
        { name: 'start_time', data: rowNumbers.map((row) => makeDateOfMinute(row + 2)), type: 'TIMESTAMP' },
        { name: 'end_time', data: rowNumbers.map((row) => makeDateOfMinute(row + 7)), type: 'TIMESTAMP' },
        { name: 'run_time', data: rowNumbers.map(() => 300), type: 'INT32' },
        {
          name: 'time_limit',
          data: rowNumbers.map((row) => (row % 3 === 0 ? null : 10)),
          type: 'DOUBLE',
          nullable: true,
        },
        { name: 'num_cores_req', data: rowNumbers.map(() => 4), type: 'INT32' },
        { name: 'num_cores_alloc', data: rowNumbers.map(() => 4), type: 'INT32' },
        { name: 'job_state', data: rowNumbers.map(() => 'COMPLETED'), type: 'STRING' },
        { name: 'user_id', data: rowNumbers.map((row) => 1 + (row % 2)), type: 'INT32' },
        { name: 'group_id', data: rowNumbers.map(() => 7), type: 'INT32' },
        { name: 'partition', data: rowNumbers.map(() => 'a "b", c'), type: 'STRING' },
      ],
    });
    const trace = await readTrace(path);
    expect(knownColumnsOfTrace(trace)).toEqual(knownColumnsOfTrace(expectedTrace));
    expect(trace.header).toEqual(expectedTrace.header);
    expect((await checkTrace(path)).readable).toBe(true);
    const truncatedFilePath = join(folder, 'cut.parquet');
    writeFileSync(truncatedFilePath, readFileSync(path).subarray(0, 900));
    await expect(readTrace(truncatedFilePath)).rejects.toThrow(/holds damaged or incomplete Parquet data/);
  }
});

test.each([
  ['2026-03-05 08:00:00', 'UTC', 1772697600],
  ['2026-03-05T08:00:00.250Z', 'UTC', 1772697600.25],
  ['2026-03-05 08:00', 'UTC', 1772697600],
  ['2026-03-05', 'UTC', 1772668800],
  ['2026-03-05 09:00:00+01:00', 'Europe/Berlin', 1772697600],
  ['2026-03-05 09:00:00', 'Europe/Berlin', 1772697600],
  ['2026-07-01 10:00:00', 'Europe/Berlin', 1782892800],
  ['2026-03-05 03:30:00', '-0430', 1772697600],
  // An hour that occurs twice is read as the second one.
  ['2026-10-25 02:30:00', 'Europe/Berlin', 1792891800],
  ['1772697600', 'UTC', 1772697600],
  ['1772697600123', 'UTC', 1772697600.123],
  ['1772697600000000', 'UTC', 1772697600],
  ['1772697600000000000', 'UTC', 1772697600],
  ['17', 'UTC', 17],
  ['2026-02-30 00:00:00', 'UTC', undefined],
  ['2026-03-05 25:00:00', 'UTC', undefined],
  ['yesterday', 'UTC', undefined],
])('the time %s in %s', (text, zone, seconds) => {
  expect(new TableTimeReader(zone).read(text)).toBe(seconds);
});

test.each([
  ['90', 90],
  ['90.5', 90.5],
  ['1:30:00', 5400],
  ['2-01:00:00', 176400],
  ['2 days 01:00:00', 176400],
  ['1 day, 0:00:30', 86430],
  ['1h', undefined],
  ['-5', undefined],
])('the duration %s', (text, seconds) => {
  expect(parseTableDuration(text)).toBe(seconds);
});

describe('columns as the option says', () => {
  const tableText = 'id,queued at,begun,minutes,n,who\nx7,100,130,5,4,ann\nx8,110,,2.5,2,bob\n';
  const columns = 'job=id, submit=queued at, start=BEGUN, runtime=minutes*60, processors=n, user=who';

  test('seconds from the start of the log stay what they are', () => {
    const trace = parseTrace(tableText, { columns });
    expect(knownColumnsOfTrace(trace)).toEqual({
      ...{ job: [1e12 + 1, 1e12 + 2], submit: [100, 110], wait: [30, -1], runtime: [300, 150] },
      ...{ processors: [4, 2], user: [1, 2] },
    });
    expect(trace.header.unixStartTime).toBeUndefined();
    expect([...trace.header.names.user]).toEqual([
      [1, 'ann'],
      [2, 'bob'],
    ]);
  });

  test('a wait, or an end, gives the rest', () => {
    const traceWithWaits = parseTrace('s,w,e,n\n1600000000,20,1600000050,4\n', {
      columns: 'submit=s,wait=w,end=e,processors=n',
    });
    expect(knownColumnsOfTrace(traceWithWaits)).toMatchObject({ wait: [20], runtime: [30] });
  });

  test.each([
    ['submit=queued at,runtime=minutes,processors=cores', /expected a column "cores"; say what they are/],
    ['submit=queued at,processors=n', /expected runtime, or start and end; say/],
    ['submit=queued at,end=begun,processors=n', /expected start beside end; say/],
    [
      'submitted=queued at',
      /found "submitted=queued at", expected WHAT=COLUMN, where WHAT is one of job, submit/,
    ],
    ['submit=begun,submit=n', /submit is there twice/],
  ])('%s', (option, sentence) => {
    expect(logErrorMessage(tableText, { columns: option })).toMatch(sentence);
  });
});

test('a table of unknown columns is answered with a command that reads it', () => {
  const tableText =
    'Job ID,Queued,Start Time,elapsed,NCPUS\n1,2020-01-01 00:00:00,2020-01-01 00:01:00,60,4\n';
  const fault = logErrorMessage(tableText, { source: 'my jobs.csv' });
  expect(fault).toMatch(
    /^my jobs.csv, line 1: found a table with the columns Job ID, Queued, Start Time, elapsed, NCPUS, expected/,
  );
  const [, guessedColumns] = /--columns '(.*)'$/.exec(fault) ?? [];
  expect(knownColumnsOfTrace(parseTrace(tableText, { columns: guessedColumns }))).toEqual({
    ...{ job: [1], submit: [0], wait: [60], runtime: [60], processors: [4] },
  });
  expect(logErrorMessage('jobid,t_submit,startTs,job_end_time,n_procs,wait_min\n')).toMatch(
    /--columns job=jobid,submit=t_submit,processors=n_procs,start=startTs,end=job_end_time$/,
  );
  expect(logErrorMessage('a,b,c\n1,2,3\n')).toMatch(
    /--columns submit=COLUMN,runtime=COLUMN,processors=COLUMN$/,
  );
});

test.each([
  ['submit_time', 'tomorrow', /line 2, column "submit_time": found "tomorrow", expected a date/],
  ['submit_time', '', /line 2, column "submit_time": found "", expected a date/],
  ['duration', '1h', /line 2, column "duration": found "1h", expected seconds, or a duration/],
  ['gpu_num', '1.5', /line 2, column "gpu_num": found "1.5", expected a whole number/],
])('a wrong %s: "%s"', (column, value, sentence) => {
  const [names = '', row = ''] = (PUBLIC_TABLE_CASES.Helios as { text: string }).text.split('\n');
  const rowFields = row.split(',');
  rowFields[names.split(',').indexOf(column)] = value;
  expect(logErrorMessage(`${names}\n${rowFields.join(',')}\n`)).toMatch(sentence);
});

test('a row of another length, and a quote without end', () => {
  const { text } = PUBLIC_TABLE_CASES.Helios as { text: string };
  expect(logErrorMessage(`${text}1,2\n`)).toMatch(/line 4: found 2 fields in "1,2", expected 12 fields/);
  expect(logErrorMessage(`${text}"1,2\n`)).toMatch(/line 4: found a quote without end in/);
});

test('jobs of Philly', () => {
  const tableText = readFileSync(new URL('../../traces/philly.json', import.meta.url), 'utf8');
  const trace = parseTrace(tableText);
  expect(knownColumnsOfTrace(trace)).toEqual({
    job: [1e12 + 1, 1e12 + 2, 1e12 + 3],
    submit: [0, 234, 294],
    wait: [30, 30, 0],
    runtime: [3600, 900, 0],
    processors: [2, 2, -1],
    status: [1, 0, 5],
    user: [1, 2, 2],
    group: [1, 1, 2],
  });
  expect(trace.leftOut?.map(({ rule, count: droppedCount }) => [rule, droppedCount])).toEqual([
    ['unfinished', 1],
  ]);
  expect(trace.notes).toContainEqual({ rule: 'suspended', count: 1, seconds: 600 });
});

test.each([
  [
    'dates and small numbers in one column',
    'submit=a,runtime=b,processors=c',
    ['2026-03-05 08:00:00,60,4', '100,60,4'],
    /line 3, column "a": found "100", expected a date, or seconds since 1970, as in the rows before/,
  ],
  [
    'small numbers and dates',
    'submit=a,runtime=b,processors=c',
    ['100,60,4', '2026-03-05 08:00:00,60,4'],
    /line 3, column "a": .* expected seconds from the start of the log/,
  ],
  [
    'a factor of a duration that is no number',
    'submit=a,runtime=b*60,processors=c',
    ['100,1:00:00,4'],
    /column "b": found "1:00:00", expected a number, since b is multiplied by 60/,
  ],
  [
    'a factor of a date',
    'submit=a*0.001,runtime=b,processors=c',
    ['2026-03-05,60,4'],
    /column "a": found "2026-03-05", expected a date/,
  ],
  [
    'a zone that does not exist',
    'submit=a,runtime=b,processors=c',
    ['2026-03-05 08:00:00+25:00,60,4'],
    /column "a": found "2026-03-05 08:00:00\+25:00"/,
  ],
  [
    'a factor of 0',
    'submit=a,runtime=b*0,processors=c',
    [],
    /only times, durations and counts have a factor, a positive number such as \*60/,
  ],
  ['a negative factor', 'submit=a,runtime=b*-1,processors=c', [], /a positive number such as \*60/],
  [
    'a factor of a status',
    'submit=a,runtime=b,processors=c,status=b*2',
    [],
    /only times, durations and counts/,
  ],
])('%s', (_, columns, rows, sentence) => {
  expect(logErrorMessage(['a,b,c', ...rows].join('\n'), { columns })).toMatch(sentence);
});

test('any name of a column can be given', () => {
  const columnNames = [
    'größe',
    '# cores',
    'q [UTC]',
    'p+q',
    'p?',
    'cpu*h',
    "p's",
    'Job, ID',
    'say "x"',
    'a=b',
    'run*60',
  ];
  for (const columnName of columnNames) {
    const cell = `"${columnName.replaceAll('"', '""')}"`;
    for (const separator of [',', ';', '\t', '|']) {
      const tableText = [`${cell},q,n`, '60,100,4']
        .join('\n')
        .replaceAll(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/gm, separator);
      const columns = `runtime=${cell},submit=q,processors=n`;
      expect(knownColumnsOfTrace(parseTrace(tableText, { columns })), tableText).toEqual({
        ...{ job: [1], submit: [100], runtime: [60], processors: [4] },
      });
      expect(
        knownColumnsOfTrace(parseTrace(tableText, { columns: `runtime=${cell}*60,submit=q,processors=n` }))
          .runtime,
      ).toEqual([3600]);
    }
  }
  const tableWithCommentedHeader = '#id,queued,run,n\n7,100,60,4\n';
  const columns = 'job=#id,submit=queued,runtime=run,processors=n';
  expect(knownColumnsOfTrace(parseTrace(tableWithCommentedHeader, { columns })).job).toEqual([7]);
});

test('a column that is there twice is refused', () => {
  expect(logErrorMessage('id,q,q,r,p\n1,2,3,4,5\n', { columns: 'submit=q,runtime=r,processors=p' })).toMatch(
    /expected one column "q" instead of 2/,
  );
});

test('a suggestion for a header is accepted wherever it names all that is needed', () => {
  const columns = [
    ['job', 'Job, ID'],
    ['submit', 'queued'],
    ['start', 'began', 'Start Time'],
    ['end', 'ended'],
    ['runtime', 'duration'],
    ['processors', 'cores', 'nodes'],
    ['requestedProcessors', 'ReqCPUS'],
    ['user', 'owner'],
  ];
  let acceptedCount = 0;
  for (let caseIndex = 0; caseIndex < 2 ** columns.length; caseIndex++) {
    const columnNames = columns.flatMap(([, ...defaultValue], i) =>
      caseIndex & (1 << i) ? [defaultValue[caseIndex % defaultValue.length] as string] : [],
    );
    const header = [...columnNames, 'other', 'more', 'last'].map((name) => `"${name}"`).join(',');
    const fault = logErrorMessage(`${header}\n`);
    const [, quotedWord, unquotedWord] = /--columns (?:'(.*)'|(\S+))$/.exec(fault) ?? [];
    const suggestedColumnsOption = (quotedWord ?? unquotedWord ?? '').replaceAll("'\\''", "'");
    if (suggestedColumnsOption.includes('COLUMN')) continue;
    acceptedCount++;
    expect(
      logErrorMessage(`${header}\n`, { columns: suggestedColumnsOption }),
      suggestedColumnsOption,
    ).toMatch(/holds no records/);
  }
  expect(acceptedCount).toBeGreaterThan(50);
});

test('Parquet in gzip is read too', async () => {
  const path = join(makeTemporaryFolder(), 'jobs.parquet');
  const parquetColumnData = [
    { name: 's', data: [100, 200] },
    { name: 'r', data: [60, 70] },
    { name: 'n', data: [4, 8] },
  ];
  parquetWriteFile({ filename: path, columnData: parquetColumnData });
  writeFileSync(`${path}.gz`, gzipSync(readFileSync(path)));
  const columns = 'submit=s,runtime=r,processors=n';
  expect(knownColumnsOfTrace(await readTrace(`${path}.gz`, { columns }))).toEqual(
    knownColumnsOfTrace(await readTrace(path, { columns })),
  );
});

test('an unknown word for how a job ended, and an end before the start, are reported', async () => {
  const tableText = 's,b,e,n,state\n100,120,110,4,WEIRD\n200,210,260,4,done\n';
  const columns = 'submit=s,start=b,end=e,processors=n,status=state';
  const { notes: recordNotes = [] } = parseTrace(tableText, { columns });
  expect(recordNotes.map(({ rule, count: noteCount }) => [rule, noteCount]).sort()).toEqual([
    ['clock-jump', 1],
    ['unknown-state', 1],
  ]);
  const { problems } = await checkLogInChunks('log', [new TextEncoder().encode(tableText)], { columns });
  expect(problems.map(({ rule, example }) => `${rule}: ${example}`)).toEqual(
    expect.arrayContaining([
      'clock-jump: job 1 ends before its start',
      'unknown-state: job 1 ended as "WEIRD"',
    ]),
  );
});

test.each([
  ['timeZone', 'Mars'],
  ['timeZone', '+25:00'],
  ['timeZone', '+05:75'],
  ['columns', { submit: 'a' }],
  ['columns', 'nothing=a'],
])('the library refuses %s %j in a sentence', (option, value) => {
  expect(() => parseTrace('a,b,c\n1,2,3\n', { format: 'table', [option]: value })).toThrow(InputError);
});

test.each([',', '\t', ';', '|'])(
  'a header of two or three columns is that of a table, with "%s" between',
  (separator) => {
    for (const names of [
      ['queued', 'minutes'],
      ['queued', 'minutes', 'cores'],
    ]) {
      const tableText = `${names.join(separator)}\n${names.map((_, i) => i + 1).join(separator)}\n`;
      const fault = logErrorMessage(tableText, { source: 'jobs.csv' });
      expect(fault).toContain(
        `jobs.csv, line 1: found a table with the columns ${names.join(', ')}, expected`,
      );
      expect(fault).toMatch(/gridalloc trace info jobs\.csv --columns submit=queued,\S*runtime=COLUMN/);
    }
    // Plain sentences and lines of different lengths are not taken for a table.
    expect(logErrorMessage(`Dear reader${separator} look\nat this.\n`)).not.toContain('a table');
  },
);
