import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parquetWriteFile } from 'hyparquet-writer';
import { describe, expect, test } from 'vitest';
import { checkTrace, readTrace } from '../../host/files/traceFiles.js';
import { mersenneTwister } from '../../host/math/random.js';
import { type ParseOptions, parseTrace } from '../../host/trace/readText.js';
import { KNOWN_TABLES } from '../../host/trace/tableColumns.js';
import { durationOf, TimeReader } from '../../host/trace/tableTimes.js';
import { SWF_FIELDS, type Trace } from '../../host/trace/trace.js';
import { temporaryFolder } from '../temporaryFolder.js';

/** Tables of jobs; the records that they are is worked out by hand. */

const TABLE = readFileSync(new URL('../../traces/table.csv', import.meta.url), 'utf8');

/** Records without the fields that are unknown in all of them. */
function recordsOf({ count, columns }: Trace): Record<string, number[]> {
  const known = SWF_FIELDS.filter((field) => columns[field].some((value) => value !== -1));
  return Object.fromEntries(known.map((field) => [field, [...columns[field].subarray(0, count)]]));
}

/** The sentence of what is wrong with a text. */
function faultOf(text: string, options: ParseOptions = {}): string {
  try {
    parseTrace(text, options);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('nothing is wrong');
}

/** Public tables in their own shape: two jobs of each, and what they are. */
const PUBLIC: Readonly<Record<string, { readonly text: string; readonly jobs: Record<string, number[]> }>> = {
  PM100: {
    text: TABLE,
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
      ...{ requestedProcessors: [4, 2], requestedTime: [100, 50] },
    },
  },
};

test('every known table is here', () => {
  expect(Object.keys(PUBLIC).sort()).toEqual(KNOWN_TABLES.map(({ name }) => name).sort());
});

describe.each(Object.entries(PUBLIC))('%s', (_, { text, jobs }) => {
  test('is read without an option, with any separator, and columns in any order', () => {
    expect(recordsOf(parseTrace(text))).toEqual(jobs);
    const rows = text
      .trim()
      .split('\n')
      .map((line) =>
        [...line.matchAll(/(?:^|,)("(?:[^"]|"")*"|[^,]*)/g)].map(([, field]) => field as string),
      );
    const joined = (separator: string, turn: (fields: string[]) => string[] = (fields) => fields) =>
      rows.map((row) => turn(row).join(separator)).join('\r\n');
    expect(recordsOf(parseTrace(joined('\t')))).toEqual(jobs);
    expect(recordsOf(parseTrace(joined(';')))).toEqual(jobs);
    expect(recordsOf(parseTrace(joined(',', (fields) => fields.toReversed())))).toEqual(jobs);
  });
});

test('Parquet is read as the same table in CSV, whatever its compression and row groups', async () => {
  const folder = temporaryFolder();
  const at = (minutes: number) => new Date(Date.UTC(2020, 4, 4, 8, minutes));
  const rows = 25;
  const numbers = Array.from({ length: rows }, (_, i) => i);
  const csv = [
    'job_id,submit_time,eligible_time,start_time,end_time,run_time,time_limit,num_cores_req,num_cores_alloc,job_state,user_id,group_id,partition',
    ...numbers.map((i) => {
      const times = [at(i), at(i), at(i + 2), at(i + 7)].map((time) => time.toISOString());
      return [i + 1, ...times, 300, i % 3 === 0 ? '' : 10, 4, 4, 'COMPLETED', 1 + (i % 2), 7, 'a "b", c'].map(
        (value) => `"${String(value).replaceAll('"', '""')}"`,
      );
    }),
  ].join('\n');
  const expected = parseTrace(csv);
  for (const codec of ['UNCOMPRESSED', 'SNAPPY'] as const) {
    const path = join(folder, `${codec}.parquet`);
    parquetWriteFile({
      filename: path,
      codec,
      rowGroupSize: 10,
      columnData: [
        { name: 'job_id', data: numbers.map((i) => BigInt(i + 1)), type: 'INT64' },
        { name: 'submit_time', data: numbers.map(at), type: 'TIMESTAMP' },
        { name: 'eligible_time', data: numbers.map(at), type: 'TIMESTAMP' },
        { name: 'start_time', data: numbers.map((i) => at(i + 2)), type: 'TIMESTAMP' },
        { name: 'end_time', data: numbers.map((i) => at(i + 7)), type: 'TIMESTAMP' },
        { name: 'run_time', data: numbers.map(() => 300), type: 'INT32' },
        {
          name: 'time_limit',
          data: numbers.map((i) => (i % 3 === 0 ? null : 10)),
          type: 'DOUBLE',
          nullable: true,
        },
        { name: 'num_cores_req', data: numbers.map(() => 4), type: 'INT32' },
        { name: 'num_cores_alloc', data: numbers.map(() => 4), type: 'INT32' },
        { name: 'job_state', data: numbers.map(() => 'COMPLETED'), type: 'STRING' },
        { name: 'user_id', data: numbers.map((i) => 1 + (i % 2)), type: 'INT32' },
        { name: 'group_id', data: numbers.map(() => 7), type: 'INT32' },
        { name: 'partition', data: numbers.map(() => 'a "b", c'), type: 'STRING' },
      ],
    });
    const trace = await readTrace(path);
    expect(recordsOf(trace)).toEqual(recordsOf(expected));
    expect(trace.header).toEqual(expected.header);
    expect((await checkTrace(path)).readable).toBe(true);
    const cut = join(folder, 'cut.parquet');
    writeFileSync(cut, readFileSync(path).subarray(0, 900));
    await expect(readTrace(cut)).rejects.toThrow(/holds damaged or incomplete Parquet data/);
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
  // The hour that occurs twice is the second one.
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
  expect(new TimeReader(zone).read(text)).toBe(seconds);
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
  expect(durationOf(text)).toBe(seconds);
});

describe('columns as the option says', () => {
  const text = 'id,queued at,begun,minutes,n,who\nx7,100,130,5,4,ann\nx8,110,,2.5,2,bob\n';
  const columns = 'job=id, submit=queued at, start=BEGUN, runtime=minutes*60, processors=n, user=who';

  test('seconds from the start of the log stay what they are', () => {
    const trace = parseTrace(text, { columns });
    expect(recordsOf(trace)).toEqual({
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
    const waits = parseTrace('s,w,e,n\n1600000000,20,1600000050,4\n', {
      columns: 'submit=s,wait=w,end=e,processors=n',
    });
    expect(recordsOf(waits)).toMatchObject({ wait: [20], runtime: [30] });
  });

  test.each([
    ['submit=queued at,runtime=minutes,processors=cores', /expected a column "cores"; say what they are/],
    ['submit=queued at,processors=n', /expected runtime or end; say/],
    ['submit=queued at,end=begun,processors=n', /expected start beside end; say/],
    [
      'submitted=queued at',
      /found "submitted=queued at", expected WHAT=COLUMN, where WHAT is one of job, submit/,
    ],
    ['submit=begun,submit=n', /submit is there twice/],
  ])('%s', (option, sentence) => {
    expect(faultOf(text, { columns: option })).toMatch(sentence);
  });
});

test('a table of unknown columns is answered with a command that reads it', () => {
  const text = 'Job ID,Queued,Start Time,elapsed,NCPUS\n1,2020-01-01 00:00:00,2020-01-01 00:01:00,60,4\n';
  const fault = faultOf(text, { source: 'my jobs.csv' });
  expect(fault).toMatch(
    /^my jobs.csv, line 1: found a table with the columns Job ID, Queued, Start Time, elapsed, NCPUS, expected/,
  );
  const [, guess] = /--columns '(.*)'$/.exec(fault) ?? [];
  expect(recordsOf(parseTrace(text, { columns: guess }))).toEqual({
    ...{ job: [1], submit: [0], wait: [60], runtime: [60], processors: [4] },
  });
  expect(faultOf('a,b,c\n1,2,3\n')).toMatch(/--columns submit=COLUMN,runtime=COLUMN,processors=COLUMN$/);
});

test.each([
  ['submit_time', 'tomorrow', /line 2, column "submit_time": found "tomorrow", expected a date/],
  ['submit_time', '', /line 2, column "submit_time": found "", expected a date/],
  ['duration', '1h', /line 2, column "duration": found "1h", expected seconds, or a duration/],
  ['gpu_num', '1.5', /line 2, column "gpu_num": found "1.5", expected a whole number/],
])('a wrong %s: "%s"', (column, value, sentence) => {
  const [names = '', row = ''] = (PUBLIC.Helios as { text: string }).text.split('\n');
  const fields = row.split(',');
  fields[names.split(',').indexOf(column)] = value;
  expect(faultOf(`${names}\n${fields.join(',')}\n`)).toMatch(sentence);
});

test('a row of another length, and a quote without end', () => {
  const { text } = PUBLIC.Helios as { text: string };
  expect(faultOf(`${text}1,2\n`)).toMatch(/line 4: found 2 fields in "1,2", expected 12 fields/);
  expect(faultOf(`${text}"1,2\n`)).toMatch(/line 4: found a quote without end in/);
});

test('jobs of Philly', () => {
  const text = readFileSync(new URL('../../traces/philly.json', import.meta.url), 'utf8');
  const trace = parseTrace(text);
  expect(recordsOf(trace)).toEqual({
    job: [1e12 + 1, 1e12 + 2, 1e12 + 3],
    submit: [0, 234, 294],
    wait: [30, 30, 0],
    runtime: [3600, 900, 0],
    processors: [2, 2, -1],
    status: [1, 0, 5],
    user: [1, 2, 2],
    group: [1, 1, 2],
  });
  expect(trace.leftOut?.map(({ rule, count }) => [rule, count])).toEqual([['unfinished', 1]]);
  expect(trace.notes).toContainEqual({ rule: 'suspended', count: 1, seconds: 600 });
});

/** What a log is read as, or why it is refused. */
function readOf(text: string, options: ParseOptions = {}): unknown {
  try {
    const trace = parseTrace(text, { ...options, source: 'log' });
    return {
      records: recordsOf(trace),
      header: trace.header.lines,
      leftOut: trace.leftOut,
      notes: trace.notes,
    };
  } catch (error) {
    return (error as Error).message.replace(/"[^"]*"/g, 'TEXT');
  }
}

describe('plain lines, which are read byte by byte, and others mean the same', () => {
  const TIMES = [
    '2026-03-05 08:00:00',
    '2026-03-05T08:10:00Z',
    '2026-03-05 09:00:00.000',
    '2026-03-05 08:30:00+00:00',
    '1772697600',
    '1772697660.0',
    '177269766000',
    '1772697600000',
    '',
    'None',
    '2026-02-30 00:00:00',
    '0',
    '-1',
    '2026-03-05 10:00:00+01:00',
    '2026-03-05 08:00',
  ];
  const NUMBERS = ['4', '4.0', '0', '', '-1', '4.5', '1e3', '123456789012345', 'NaN', 'x', '4.'];
  const DURATIONS = [
    ...NUMBERS,
    '1:30',
    '1:30:00',
    '1-01:00:00',
    'INFINITE',
    'UNLIMITED',
    'Partition_Limit',
    '525600',
    '31536000',
  ];
  const NAMES = ['ann', 'Bob', '7', '', '-1', 'None', 'null', 'unknown', 'é', 'a b', ' c '];
  const STATES = [
    'COMPLETED',
    'FAILED',
    'CANCELLED',
    'CANCELLED by 7',
    'completed',
    'RUNNING',
    'NODE_FAIL',
    'REQUEUED',
    'Pass',
    '1',
    '5',
    '',
    'x',
  ];
  const COLUMNS =
    'job=id,submit=sub,eligible=eli,start=sta,end=end,runtime=run,processors=cpu,requestedProcessors=req,requestedTime=lim,status=sta2,user=usr,group=grp,queue=q';
  const HEADER = 'id,sub,eli,sta,end,run,cpu,req,lim,sta2,usr,grp,q,other';

  test('tables', () => {
    const draw = mersenneTwister([46]);
    const of = (values: readonly string[], usual: string) =>
      draw.uniform() < 0.6 ? usual : (values[Math.floor(draw.uniform() * values.length)] as string);
    const kinds = { read: 0, refused: 0 };
    for (let round = 0; round < 3000; round++) {
      const rows = Array.from({ length: 3 }, (_, i) => [
        of([...NUMBERS, 'j_1'], String(i)),
        of(TIMES, '2026-03-05 08:00:00'),
        of(TIMES, '2026-03-05 08:00:00'),
        of(TIMES, '2026-03-05 08:01:00'),
        of(TIMES, '2026-03-05 08:02:00'),
        of(DURATIONS, '60'),
        of(NUMBERS, '4'),
        of(NUMBERS, '4'),
        of(DURATIONS, '10'),
        of(STATES, 'COMPLETED'),
        of(NAMES, 'ann'),
        of(NAMES, 'bob'),
        of(NAMES, 'q'),
        of(NAMES, 'z'),
      ]);
      const factor = round % 2 === 0 ? '*60' : '';
      const columns = COLUMNS.replace('lim', `lim${factor}`);
      const plain = [HEADER, ...rows.map((row) => row.join(','))].join('\n');
      const quoted = [HEADER, ...rows.map((row) => row.map((field) => `"${field}"`).join(','))].join('\n');
      const found = readOf(plain, { columns });
      expect(found, plain).toEqual(readOf(quoted, { columns }));
      kinds[typeof found === 'string' ? 'refused' : 'read']++;
    }
    expect(Math.min(kinds.read, kinds.refused)).toBeGreaterThan(300);
  });

  test('Grid Engine', () => {
    const log = readFileSync(new URL('../../traces/grid-engine.txt', import.meta.url), 'utf8');
    const lines = log.split('\n').filter((line) => /^\w/.test(line));
    const draw = mersenneTwister([47]);
    const values = [
      '0',
      '1',
      '25',
      '100',
      '-1',
      'x',
      '',
      '1795760397',
      '1795760397123',
      'NONE',
      '-l h_rt=60',
      '-l h_rt=1:00:00',
      'é',
    ];
    for (let round = 0; round < 3000; round++) {
      const fields = (lines[Math.floor(draw.uniform() * lines.length)] as string).split(':');
      for (let times = Math.floor(draw.uniform() * 3); times > 0; times--)
        fields[Math.floor(draw.uniform() * fields.length)] = values[
          Math.floor(draw.uniform() * values.length)
        ] as string;
      const line = fields.join(':');
      // One field more than the current version has is no plain line.
      expect(readOf(`# Version: 1\n${line}\n`), line).toEqual(readOf(`# Version: 1\n${line}:0\n`));
    }
  });

  test('PBS', () => {
    const log = readFileSync(new URL('../../traces/pbs.txt', import.meta.url), 'utf8')
      .trim()
      .split('\n');
    const draw = mersenneTwister([48]);
    const values = [
      '0',
      '1',
      '271',
      '-11',
      '-1',
      'x',
      '',
      '"a b"',
      '"',
      '1772704800',
      '1772704800000',
      '1:00:00',
      '00:02:00',
      'é',
      '4',
    ];
    const extra = [
      '',
      ' resources_used.ncpus=4',
      ' Resource_List.ncpus=2',
      ' a-b=3',
      ' odd',
      '  two=2',
      ' Exit_status=0',
    ];
    let plain = 0;
    for (let round = 0; round < 3000; round++) {
      const lines = log.map((line) => {
        if (draw.uniform() < 0.7) return line;
        const pairs = line.split(' ');
        const at = Math.floor(draw.uniform() * pairs.length);
        pairs[at] = (pairs[at] as string).replace(
          /=.*/,
          `=${values[Math.floor(draw.uniform() * values.length)]}`,
        );
        return pairs.join(' ') + extra[Math.floor(draw.uniform() * extra.length)];
      });
      plain += Number(lines.some((line) => /;E;\d+\./.test(line)));
      // Two blanks before the first key make a line that is not plain.
      const odd = lines.map((line) => line.replace(/^(\S+ \S+?;E;[^;]*;)/, '$1  '));
      expect(readOf(lines.join('\n')), lines.join('\n')).toEqual(readOf(odd.join('\n')));
    }
    expect(plain).toBeGreaterThan(2000);
  });
});
