import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkTrace } from '../../host/files/traceFiles.js';
import {
  AnyFormatLogReader,
  FORMAT_DESCRIPTIONS,
  FORMAT_NAMES,
  type FormatName,
} from '../../host/trace/formats.js';
import { type ParseOptions, parseTrace, TraceTextReader } from '../../host/trace/readText.js';
import { LogNames, type LogSink } from '../../host/trace/records.js';
import { RECOMMENDED_SACCT_COMMAND } from '../../host/trace/syntax.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { knownColumnsOfTrace, logErrorMessage, makeSwfLine } from './helpers.js';

/** Logs in formats other than SWF, compared with values worked out by hand. */

const EXAMPLE_FILE_NAMES: Record<FormatName, string> = {
  swf: 'spellings.swf',
  gwf: 'grid.gwf',
  sacct: 'sacct.txt',
  'sacct-json': 'sacct.json',
  batsim: 'batsim.json',
  'grid-engine': 'grid-engine.txt',
  pbs: 'pbs.txt',
  lsf: 'lsf.txt',
  table: 'table.csv',
  philly: 'philly.json',
};

const textOf = (format: FormatName) =>
  readFileSync(new URL(`../../traces/${EXAMPLE_FILE_NAMES[format]}`, import.meta.url), 'utf8');

/** Receiver of the records and notes of a log reader that ignores them. */
const SINK_IGNORING_ALL: LogSink = { header() {}, records() {}, problem() {}, leaveOut() {} };

describe.each(FORMAT_NAMES)('%s', (format) => {
  const logText = textOf(format);

  it('reports the options of reading that it has no use for, and no others', () => {
    const { uses = [] } = FORMAT_DESCRIPTIONS.find(({ name: formatName }) => formatName === format)!;
    const readTrace = (options: ParseOptions) => parseTrace(logText, { format, ...options });
    expect(readTrace({ arrival: 'submit' }).unused ?? []).toEqual(
      uses.includes('arrival') ? [] : ['arrival'],
    );
    const { unused = [], header } = readTrace({ timeZone: '+01:00' });
    expect(unused).toEqual(uses.includes('timeZone') ? [] : ['timeZone']);
    // sacct.txt names no time zone, table.csv does.
    const timeZoneOffsetSeconds = format === 'sacct' || format === 'philly' ? 3600 : 0;
    expect(header.unixStartTime).toBe(
      (readTrace({}).header.unixStartTime ?? 0) - timeZoneOffsetSeconds || undefined,
    );
    if (format !== 'table')
      expect(readTrace({ columns: 'submit=a,runtime=b,processors=c' }).unused).toEqual(['columns']);
  });

  it('is recognized by content, and reads the same when it is named', () => {
    const traceOfRecognizedFormat = parseTrace(logText);
    const traceOfNamedFormat = parseTrace(logText, { format });
    expect(knownColumnsOfTrace(traceOfNamedFormat)).toEqual(knownColumnsOfTrace(traceOfRecognizedFormat));
    expect(traceOfNamedFormat.header).toEqual(traceOfRecognizedFormat.header);
    expect(traceOfRecognizedFormat.header.lines.some((line) => line.startsWith('; Conversion: from '))).toBe(
      format !== 'swf',
    );
    for (const textBefore of ['\n \n', '\ufeff', '\ufeff\r\n']) {
      expect(knownColumnsOfTrace(parseTrace(textBefore + logText))).toEqual(
        knownColumnsOfTrace(traceOfRecognizedFormat),
      );
    }
  });

  it('reads the same wherever the bytes are cut, and with other line ends', () => {
    const bytes = new TextEncoder().encode(logText);
    const wholeTrace = parseTrace(bytes);
    const cutIntoPieces = (logChunks: readonly Uint8Array[]) => {
      const reader = new TraceTextReader();
      for (const piece of logChunks) reader.push(piece);
      return reader.end();
    };
    for (let cutPosition = 0; cutPosition <= bytes.length; cutPosition += 7) {
      expect(cutIntoPieces([bytes.subarray(0, cutPosition), bytes.subarray(cutPosition)])).toEqual(
        wholeTrace,
      );
    }
    expect(cutIntoPieces(Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(wholeTrace);
    const traceWithCrlf = parseTrace(logText.replaceAll('\n', '\r\n'));
    expect(knownColumnsOfTrace(traceWithCrlf)).toEqual(knownColumnsOfTrace(wholeTrace));
    expect(traceWithCrlf.header.lines).toEqual(wholeTrace.header.lines);
    expect(knownColumnsOfTrace(parseTrace(logText.trimEnd()))).toEqual(knownColumnsOfTrace(wholeTrace));
  });

  it('refuses the lines of another', () => {
    for (const otherFormat of FORMAT_NAMES.filter((formatName) => formatName !== format)) {
      expect(() => parseTrace(textOf(otherFormat), { format })).toThrow();
    }
  });
});

describe.each(
  FORMAT_DESCRIPTIONS.map(
    ({ name: formatName, example, title: formatTitle }) => [formatName, example, formatTitle] as const,
  ),
)('the example of %s', (name, example, title) => {
  const recognizeFormatName = (logText: string) => {
    let errorText = '';
    const reader = new AnyFormatLogReader(SINK_IGNORING_ALL, {
      names: new LogNames(),
      onFormat: (format) => (errorText = format.name),
    });
    reader.push(new TextEncoder().encode(logText));
    reader.end();
    return errorText;
  };

  it('is recognized, also behind comments', () => {
    expect(recognizeFormatName(`${example}\n`)).toBe(name);
    expect(recognizeFormatName(`\n${example}`)).toBe(name);
    if (!/^[[{]/.test(example) && name !== 'swf' && name !== 'gwf')
      expect(recognizeFormatName(`# Version: 1\n#\n# any comment\n${example}\n`)).toBe(name);
  });

  it('is read', () => {
    if (name === 'sacct') return;
    const trace = parseTrace(`${example}\n`);
    expect(trace.count).toBe(1);
    if (name !== 'swf') expect(trace.header.lines.join()).toContain(title);
  });
});

describe('sacct', () => {
  const logText = textOf('sacct');

  it('gives jobs with numbers for names, and a clock that begins with the first submit', () => {
    const trace = parseTrace(logText);
    expect(knownColumnsOfTrace(trace)).toEqual({
      job: [100, 101, 104, 105],
      submit: [0, 300, 600, 1200],
      wait: [30, 0, 60, 600],
      runtime: [3600, 93600, 600, 0],
      processors: [64, 8, 2, -1],
      requestedProcessors: [64, 8, 1, 128],
      requestedTime: [7200, -1, 1800, -1],
      status: [1, 0, 0, 5],
      user: [1, 2, 1, 2],
      group: [1, 2, 1, 2],
      executable: [1, 2, 3, 2],
      queue: [1, 2, 1, 2],
      partition: [1, 2, 1, 2],
    });
    expect(trace.header.lines).toEqual([
      '; Version: 2.2',
      '; Conversion: from output of sacct --parsable2, by gridalloc',
      `; UnixStartTime: ${Date.UTC(2024, 2, 1, 12) / 1000}`,
      '; NoLimit: 2 (-1 in field 9 means no limit)',
      ...['; User: 1 ada', '; User: 2 bob', '; Group: 1 physics', '; Group: 2 biology'],
      ...['; Queue: 1 batch', '; Queue: 2 gpu', '; Partition: 1 batch', '; Partition: 2 gpu'],
      '; Job: 104 102_1',
      '; Note: 1 job left the queue, cancelled, without having run',
      '; Note: 2 jobs came without a time limit',
    ]);
    expect(trace.leftOut).toEqual([
      { rule: 'step', count: 1, places: ['line 3'], example: 'job step "100.batch"' },
      { rule: 'unfinished', count: 1, places: ['line 7'], example: 'job "106" is "RUNNING"' },
    ]);
  });

  it('reads fields by name, in any order, raw or not', () => {
    const columnNames = 'State|Elapsed|Timelimit|NCPUS|Submit|JobID|';
    const rows = [
      'COMPLETED|1-02:03:04|02:00:00|4|1709294400|7|',
      'COMPLETED|03:04|1-00:00:00|1|1709294401|8_3|',
      'CANCELLED|00:00:09.5|Partition_Limit|2|1709294402|9+1|',
      'ODD|00:00:01|INVALID|2|1709294402|10|',
    ];
    expect(knownColumnsOfTrace(parseTrace([columnNames, ...rows].join('\n')))).toEqual({
      job: [7, 1e12 + 1, 9, 10],
      submit: [0, 1, 2, 2],
      runtime: [93784, 184, 9.5, 1],
      processors: [4, 1, 2, 2],
      requestedTime: [7200, 86400, -1, -1],
      status: [1, 1, 5, -1],
    });
  });

  it('takes the runtime from start and end where no elapsed time is given', () => {
    const rows = ['JobID|Submit|Start|End|ReqCPUS', '1|100|110|150|1', '2|100|Unknown|None|1', '3|100|9|5|1'];
    expect(knownColumnsOfTrace(parseTrace(rows.join('\n')))).toMatchObject({
      wait: [10, -1, -1],
      runtime: [40, -1, -1],
      requestedProcessors: [1, 1, 1],
    });
  });

  it('reads concatenated outputs', () => {
    const [names, ...rows] = logText.trimEnd().split('\n');
    const textOfConcatenatedOutputs = [names, ...rows.slice(0, 2), names, ...rows.slice(2)].join('\n');
    expect(knownColumnsOfTrace(parseTrace(textOfConcatenatedOutputs))).toEqual(
      knownColumnsOfTrace(parseTrace(logText)),
    );
  });

  const NAMES = 'JobID|Submit|Elapsed|ReqCPUS|Timelimit';
  const remedy =
    'correct it, skip it with --skip-bad-lines, or run `gridalloc trace check log` to list all problems';

  it.each([
    [
      '1|2024-02-30T00:00:00|1|1|1',
      'field Submit: found "2024-02-30T00:00:00", expected a date such as 2024-03-01T12:00:00, or seconds since 1970',
    ],
    [
      '1|Unknown|1|1|1',
      'field Submit: found "Unknown", expected a date such as 2024-03-01T12:00:00, or seconds since 1970',
    ],
    ['1|1|1:2|1|1', 'field Elapsed: found "1:2", expected a duration such as 1-02:03:04, or seconds'],
    ['1|1|1|four|1', 'field ReqCPUS: found "four", expected a whole number'],
    ['1|1|1|1|never', 'field Timelimit: found "never", expected a duration such as 1-02:03:04, or minutes'],
    ['x|1|1|1|1', 'field JobID: found "x", expected the number of a job'],
  ])('refuses %s', (row, fault) => {
    expect(logErrorMessage(`${NAMES}\n${row}\n`)).toBe(`log, line 2, ${fault}; ${remedy}`);
  });

  it('refuses a line with a bar too many, and one without names', () => {
    expect(logErrorMessage(`${NAMES}\n1|1|1|1|1|1\n`)).toBe(
      `log, line 2: found 6 fields in "1|1|1|1|1|1", expected 5 fields, as named in line 1; ${remedy}`,
    );
    expect(logErrorMessage('1|1709294400|10|4|COMPLETED\n')).toBe(
      'log, line 1: found "1|1709294400|10|4|COMPLETED", expected the fields JobIDRaw, Submit, ElapsedRaw or End, ' +
        `AllocCPUS or ReqCPUS too; ${COMMAND_CODE}`,
    );
  });

  const COMMAND_CODE = `let sacct print them, for the time that you want: ${RECOMMENDED_SACCT_COMMAND}`;

  it.each([
    '       JobID    JobName  Partition    Account  AllocCPUS      State ExitCode \n------------ ----------',
    'JobIDRaw               Submit    Elapsed\n-------- ------------------- ----------',
  ])('says what to give instead of columns for people: %s', (text) => {
    const columnNames = text.split('\n')[0].trim().replaceAll(/ +/g, ' ');
    const shownNames = columnNames.length > 40 ? `${columnNames.slice(0, 40)}...` : columnNames;
    expect(logErrorMessage(`${text}\n`)).toBe(
      `log, line 1: found "${shownNames}", expected fields separated by |; ${COMMAND_CODE}`,
    );
  });

  it('the command that it suggests prints what is read', () => {
    const columnNames = /--format (\S+)/.exec(COMMAND_CODE)?.[1].replaceAll(',', '|');
    const row =
      '7|7|ann|acc|batch|2024-03-01T12:00:00|2024-03-01T12:00:00|2024-03-01T12:00:05|2024-03-01T12:01:05|60|00:00:00|2|4|8|COMPLETED|SchedMain';
    expect(knownColumnsOfTrace(parseTrace(`${columnNames}\n${row}\n`))).toEqual({
      ...{ job: [7], submit: [0], wait: [5], runtime: [60], processors: [8], requestedProcessors: [4] },
      ...{ requestedTime: [120], status: [1], user: [1], group: [1], queue: [1], partition: [1] },
    });
  });
});

describe('sacct --json', () => {
  const logText = textOf('sacct-json');

  it('gives what sacct --parsable2 gives of the same jobs', () => {
    expect(parseTrace(logText).header.names).toEqual(parseTrace(textOf('sacct')).header.names);
    expect(knownColumnsOfTrace(parseTrace(logText))).toEqual(
      knownColumnsOfTrace(parseTrace(textOf('sacct'))),
    );
    expect(parseTrace(logText).leftOut).toEqual([
      { rule: 'unfinished', count: 1, places: ['jobs[4]'], example: 'job "106" is "RUNNING"' },
    ]);
  });

  it('takes numbers that are objects, lists of states, and what older versions say', () => {
    const unsetSlurmNumber = { set: false, infinite: false, number: 0 };
    const job = {
      job_id: { set: true, infinite: false, number: 7 },
      time: { submission: 50, start: 60, end: 90, elapsed: unsetSlurmNumber, limit: unsetSlurmNumber },
      state: { current: ['COMPLETED', 'RECORDED'] },
      required: { CPUs: 3 },
      tres: { allocated: [{ type: 'cpu', count: -2 }] },
      group: 'staff',
    };
    expect(knownColumnsOfTrace(parseTrace(JSON.stringify({ jobs: [job] })))).toEqual({
      ...{
        job: [7],
        submit: [0],
        wait: [10],
        runtime: [30],
        requestedProcessors: [3],
        status: [1],
        group: [1],
      },
    });
    const runningJob = { ...job, state: { current: ['COMPLETED', 'COMPLETING'] } };
    expect(logErrorMessage(JSON.stringify({ jobs: [runningJob] }))).toMatch(
      /^log holds no job that has run; .*: unfinished 1;/,
    );
  });

  it.each([
    ['{"job_id": [', /^log, line 1, .* expected a JSON document with jobs, as sacct --json prints it; give/],
    ['{"meta":{"slurm":{}}}', /^log, jobs: found none, expected a JSON document with jobs, as sacct/],
    ['{"meta":{"slurm":{}},"jobs":[]}', /^log holds no jobs;/],
    ['{"jobs":[{"job_id":1}]}', /^log, jobs\[0\], field time\.submission: found "", expected a date/],
    [
      logText.replace('1709294400', '"soon"'),
      /^log, jobs\[0\], field time\.submission: found "soon", expected/,
    ],
    [logText.replace('"elapsed": 3600', '"elapsed": 1.5'), /jobs\[0\], field time\.elapsed: found "1\.5"/],
    [logText.replace('"count": 64', '"count": "x"'), /jobs\[0\], field tres\.allocated/],
  ])('refuses %#', (input, fault) => {
    expect(logErrorMessage(input)).toMatch(fault);
  });
});

describe('GWF', () => {
  it('gives the shared fields, names as numbers, and the site of the submit as partition', () => {
    const trace = parseTrace(textOf('gwf'));
    expect(knownColumnsOfTrace(trace)).toEqual({
      job: [1, 2, 3, 4, 5],
      submit: [0, 10, 10, 25, 40.5],
      wait: [5, 0, 0, -1, 1],
      runtime: [100, 50, 60, -1, 20],
      processors: [4, 1, 1, -1, 2],
      averageCpuTime: [99.5, -1, -1, -1, -1],
      requestedProcessors: [4, 1, 1, 8, -1],
      requestedTime: [3600, -1, -1, -1, -1],
      status: [1, 0, 1, 5, 1],
      user: [1, 2, 2, 1, -1],
      group: [1, 1, 1, 2, -1],
      queue: [1, 2, 2, 1, -1],
      partition: [1, 2, 2, 3, -1],
    });
    expect(trace.header.unixStartTime).toBe(1136070000);
    expect(trace.header.names.queue).toEqual(
      new Map([
        [1, 'long'],
        [2, 'short'],
      ]),
    );
    expect(trace.header.lines.filter((line) => line.startsWith('; Partition'))).toEqual([
      '; Partition: 1 G1/site1',
      '; Partition: 2 G1/site2',
      '; Partition: 3 P1',
    ]);
    expect(trace.leftOut).toBeUndefined();
  });

  it('keeps numbers of users as they are, and blanks part fields where there are no tabs', () => {
    const makeRow = (user: string) =>
      `1 0 0 5 1 -1 -1 1 -1 -1 1 ${user} 2 -1 0 -1 -1 -1 UNITARY${' -1'.repeat(10)}`;
    const trace = parseTrace([makeRow('17'), makeRow('bob'), makeRow('17'), makeRow('bob')].join('\n'));
    expect([...trace.columns.user]).toEqual([17, 1e12 + 1, 17, 1e12 + 1]);
    expect([...trace.columns.queue]).toEqual([0, 0, 0, 0]);
  });

  it('refuses records that are too short, and invalid numbers', () => {
    expect(logErrorMessage(`# x\n1\t2\t3\n`)).toMatch(
      /^log, line 2: found 3 fields in "1.*3", expected 29 fields separated by/,
    );
    const logTextWithInvalidRuntime = textOf('gwf').replace('\t50\t', '\tlong\t');
    expect(logErrorMessage(logTextWithInvalidRuntime)).toMatch(
      /^log, line 5, field 4 \(runtime\): found "long", expected a finite decimal number/,
    );
  });
});

describe('Batsim', () => {
  it('gives jobs whose profiles say how long they take, and counts the others', () => {
    const trace = parseTrace(textOf('batsim'));
    expect(knownColumnsOfTrace(trace)).toEqual({
      job: [1, 2, 3],
      submit: [0, 5.5, 7],
      runtime: [20.25, 46.5, 3],
      requestedProcessors: [4, 8, 1],
      requestedTime: [100, -1, -1],
    });
    expect(trace.header.maxProcessors).toBe(8);
    const example = 'a profile of type "parallel_homogeneous" does not say how long it takes';
    expect(trace.leftOut).toEqual([{ rule: 'profile', count: 2, places: ['jobs[3]', 'jobs[4]'], example }]);
  });

  const makeBatsimText = (jobsText: string, profiles = '{"p":{"type":"delay","delay":1}}') =>
    `{"jobs":${jobsText},"profiles":${profiles}}`;
  const job = '{"id":1,"subtime":2,"res":1,"profile":"p"}';

  it.each([
    [
      '{"jobs": [',
      'line 1, column 1: found',
      'expected a JSON document with jobs and profiles; give a job log',
    ],
    ['{"jobs": [],\n x}', 'line 2, column 2: found "x}"', 'expected a JSON document with jobs and profiles'],
    ['{"profiles":{}}', 'log, jobs: found none', 'expected a JSON document with jobs and profiles'],
    [makeBatsimText('{}'), 'log, jobs: found none', 'expected a JSON'],
    [makeBatsimText('[1]'), 'log, jobs[0], subtime: found nothing, expected a number', 'correct it'],
    [
      makeBatsimText(`[${job}, ${job.replace('2', '"2"')}]`),
      'jobs[1], subtime: found "\\"2\\"", expected a number',
      '',
    ],
    [
      makeBatsimText(`[${job.replace('"res":1', '"res":1.5')}]`),
      'jobs[0], res: found "1.5", expected a whole number',
      '',
    ],
    [
      makeBatsimText(`[${job.replace('"p"', '"toString"')}]`),
      'jobs[0], profile: found',
      'the name of one of the profiles',
    ],
    [
      makeBatsimText(`[${job}, ${job.replace('2', '1')}]`),
      'jobs[1]: found 1 after 2 in jobs[0]',
      'use --sort',
    ],
  ])('refuses %s', (text, start, end) => {
    const fault = logErrorMessage(text);
    expect(fault).toContain(start);
    expect(fault).toContain(end);
  });

  it('places of a check are jobs, never lines', async () => {
    const jobJsonTexts = [
      '{"subtime":0,"res":9,"profile":"p"}',
      '{"subtime":1,"res":0,"profile":"p"}',
      '{"subtime":2,"res":1,"profile":"z"}',
      '{"id":7,"subtime":3,"res":1,"walltime":1,"profile":"p"}',
      '{"id":7,"subtime":2,"res":1,"profile":"p"}',
      '{"subtime":2,"res":"1","profile":"p"}',
    ];
    const profiles = '{"p":{"type":"delay","delay":5},"z":{"type":"delay","delay":0}}';
    const logText = makeBatsimText(`[${jobJsonTexts}]`, profiles).replace('{', '{"nb_res":8,');
    const path = join(makeTemporaryFolder(), 'log.json');
    writeFileSync(path, logText);
    const { problems } = await checkTrace(path);
    for (const rule of [
      'too-wide',
      'unknown-runtime',
      'duplicate-job',
      'overrun-request',
      'submit-order',
      'job',
    ])
      expect(problems.map((problem) => problem.rule)).toContain(rule);
    for (const { lines: problemLines, places: recordPlaces, rule } of problems) {
      expect(problemLines, rule).toEqual([]);
      expect(recordPlaces.join(), rule).toMatch(/^(?:jobs\[\d\],?)+$/);
    }
  });

  it('sequences that contain themselves have no known length', () => {
    const profiles = '{"p":{"type":"composed","seq":["q"]},"q":{"type":"composed","seq":["p"]}}';
    expect(logErrorMessage(makeBatsimText(`[${job}]`, profiles))).toMatch(
      /^log holds no job that has run; .*: profile 1;/,
    );
  });
});

describe('limits of formats with lines', () => {
  const NAMES = 'JobID|Submit|Elapsed|ReqCPUS\n';
  const makeJobLine = (jobNumber: number) => `${jobNumber}|${jobNumber}|1|1\n`;

  it('long lines are refused, or left out and the rest is read', () => {
    const lineOverLengthLimit = `${'x'.repeat(70_000)}\n`;
    const logText =
      NAMES +
      makeJobLine(1) +
      lineOverLengthLimit +
      makeJobLine(2) +
      lineOverLengthLimit.repeat(9) +
      makeJobLine(3) +
      lineOverLengthLimit;
    expect(logErrorMessage(logText)).toMatch(
      /^log, line 3: found more, starting with "x{40}\.\.\.", expected lines of at most 65536 bytes/,
    );
    const trace = parseTrace(logText, { skipBadLines: true });
    expect([...trace.columns.job]).toEqual([1, 2, 3]);
    expect(
      trace.leftOut?.map(({ rule, count: droppedCount, places: recordPlaces }) => [
        rule,
        droppedCount,
        recordPlaces[0],
        recordPlaces[1],
      ]),
    ).toEqual([['long-line', 11, 'line 3', 'line 5']]);
  });

  it('many jobs in long pieces are all read', () => {
    const jobs = Array.from({ length: 100_000 }, (_, i) => i + 1);
    const trace = parseTrace(NAMES + jobs.map(makeJobLine).join(''));
    expect([...trace.columns.job]).toEqual(jobs);
  });

  it('blank lines and comments have a limit', () => {
    const emptyLinesText = '\n'.repeat(1_000_000);
    expect(parseTrace(NAMES + makeJobLine(1) + emptyLinesText + makeJobLine(2)).count).toBe(2);
    expect(logErrorMessage(`${NAMES}${makeJobLine(1)}\n${emptyLinesText}${makeJobLine(2)}`)).toMatch(
      /^log, line 1000003: found 1000000 lines in a row/,
    );
    const header = `# ${'x'.repeat(16_380)}\n`.repeat(1025);
    expect(logErrorMessage(header + textOf('gwf'))).toMatch(
      /^log, line 1025: found more, expected at most 16777216 bytes/,
    );
  });

  it('bytes that do not print are refused', () => {
    expect(logErrorMessage(`${NAMES}1|1|\u001b[31m|1\n`)).toMatch(
      /^log, line 2: found "1\|1\|\\x1b\[31m\|1", expected text/,
    );
  });
});

describe('records that are left out', () => {
  const logText = [
    '; MaxProcs: 8',
    makeSwfLine({ job: 1 }),
    'what is this',
    makeSwfLine({ job: 2, runtime: 'x', queue: '1.5' }),
    makeSwfLine({ job: 3, submit: -1 }),
    makeSwfLine({ job: 4, submit: 7 }),
    'and this',
  ].join('\n');

  it('are refused, or with skipBadLines counted by rule, each once', () => {
    expect(() => parseTrace(logText)).toThrow(/^log, line 3: found 3 fields/);
    const trace = parseTrace(logText, { skipBadLines: true });
    expect([...trace.columns.job]).toEqual([1, 4]);
    expect(trace.leftOut).toEqual([
      {
        rule: 'field-count',
        count: 2,
        places: ['line 3', 'line 7'],
        example: 'line 3: found 3 fields in "what is this", expected 18 numbers separated by blanks',
      },
      {
        rule: 'number',
        count: 1,
        places: ['line 4'],
        example: 'line 4, field 4 (runtime): found "x", expected a finite decimal number (-1 if unknown)',
      },
      {
        rule: 'negative-submit',
        count: 1,
        places: ['line 5'],
        example: 'line 5, field 2 (submit): found -1, expected a submit time of 0 or later',
      },
    ]);
  });

  it('do not hide a log out of order, or a file that is not a log', () => {
    const unsortedLogText = [makeSwfLine({ submit: 5 }), makeSwfLine({ submit: 4 })].join('\n');
    expect(() => parseTrace(unsortedLogText, { skipBadLines: true })).toThrow(/use --sort/);
    expect(() => parseTrace('x\ny\n', { skipBadLines: true })).toThrow(
      /^log holds no job that has run; .*: field-count 2;/,
    );
  });
});

describe('the command for sacct', () => {
  it.each(['traces', 'questions', 'tutorial'])('is the same in docs/%s.md', (page) => {
    const logText = readFileSync(new URL(`../../docs/${page}.md`, import.meta.url), 'utf8');
    const commands = [...logText.matchAll(/^ {4}(?:\w+=\S+ )?sacct (?:.*\\\n)*.*$/gm)];
    const commandsOnOneLine = commands.map(([command]) =>
      command.replaceAll(/\\\n/g, ' ').replaceAll(/\s+/g, ' ').trim(),
    );
    expect(commandsOnOneLine).toEqual([expect.stringMatching(/ > \w+\.txt$/)]);
    expect(commandsOnOneLine[0]?.replace(/ > .*/, '')).toBe(RECOMMENDED_SACCT_COMMAND);
  });
});
