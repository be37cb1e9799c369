import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { applyFilters, parseFilter } from '../../host/trace/filter.js';
import { type ParseOptions, parseTrace } from '../../host/trace/readText.js';
import { encodeTrace } from '../../host/trace/swf.js';
import type { SWF_FIELDS, Trace } from '../../host/trace/trace.js';
import { makeWorkload } from '../../host/workload/make.js';

/**
 * Output of a real Slurm 22.05.8 compared with the expected records, which were derived from the
 * fields by the rules of docs/traces.md alone.
 */

const folder = new URL('./sacct/', import.meta.url);
const textOf = (fileName: string) => readFileSync(new URL(fileName, folder), 'utf8');
const encodeTraceAsSwfLines = (trace: Trace) =>
  [...encodeTrace(trace)]
    .join('')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith(';'));

const logs = readdirSync(folder).filter((name) => !name.endsWith('.swf'));

describe('records of a real Slurm', () => {
  it.each(logs)('%s', (name) => {
    // A name that contains a line end breaks a record in two of the files.
    const hasBrokenRows = ['format-all.txt', 'jobname-newline.txt'].includes(name);
    const trace = parseTrace(textOf(name), { skipBadLines: hasBrokenRows });
    const filters = name === 'two-clusters.txt' ? [parseFilter('cluster=work')] : [];
    expect(encodeTraceAsSwfLines(applyFilters(trace, filters).trace)).toEqual(
      textOf(`${name}.swf`).trimEnd().split('\n'),
    );
    const droppedRowCount = (trace.leftOut ?? []).find(({ rule }) => rule === 'field-count')?.count ?? 0;
    expect(droppedRowCount).toBe(Number(hasBrokenRows));
  });

  it('are all here: each kind of output, the same jobs as text and as JSON, and 40 ordinary ones', () => {
    expect(logs.map((name) => name.replace(/\..*/, '')).sort()).toEqual(
      [
        ...['40-jobs', 'cases', 'cases', 'document', 'documented-command', 'duplicates', 'format-all'],
        ...['jobname-newline', 'nolimit-by-backfill', 'nolimit-by-main', 'summer-time-ends', 'two-clusters'],
        'under-a-second',
      ].sort(),
    );
  });

  it('without fields that jobs need are refused with the command that prints them', () => {
    const jsonText = readFileSync(new URL('./refused/default-format.txt', import.meta.url), 'utf8');
    expect(() => parseTrace(jsonText)).toThrow(
      /^log, line 1: found "JobID\|JobName\|Partition\|Account\|AllocCPU...", expected the fields Submit, ElapsedRaw or End too; let sacct print them/,
    );
  });

  it('are read the same line by line with other line ends, and sorted whatever their order', () => {
    for (const logName of logs.filter((log) => log.endsWith('.txt') && !/newline|all/.test(log))) {
      const [names = '', ...rows] = textOf(logName).trimEnd().split('\n');
      const wholeTrace = parseTrace(textOf(logName));
      expect(parseTrace([names, ...rows].join('\r\n')).columns).toEqual(wholeTrace.columns);
      const { submit } = parseTrace([names, ...rows.toReversed()].join('\n')).columns;
      expect([...submit]).toEqual([...submit].sort((a, b) => a - b));
    }
  });

  it('of two clusters are refused, unless a filter chooses one', () => {
    const trace = parseTrace(textOf('two-clusters.txt'));
    expect(() => makeWorkload(trace, { siteCount: 1 })).toThrow(
      /^log has jobs of 2 clusters \(cases, work\), which are machines with a queue each; choose one with --filter cluster=cases, or/,
    );
    const filters = [parseFilter('cluster=work')];
    expect(makeWorkload(trace, { siteCount: 1, filters }).count).toBe(40);
  });
});

it('a name of a task is no name of the job with its number in another cluster', () => {
  const trace = parseTrace(
    [
      'JobID|JobIDRaw|Cluster|Submit|Start|End|ElapsedRaw|AllocCPUS|State',
      '12_1|19|a|100|110|120|10|1|COMPLETED',
      '12_2|20|a|100|110|120|10|1|COMPLETED',
      '19|19|b|100|110|120|10|1|COMPLETED',
    ].join('\n'),
  );
  expect([...trace.header.names.job]).toEqual([[20, '12_2']]);
});

const NAMES =
  'JobID|JobIDRaw|Submit|Eligible|Start|End|ElapsedRaw|Suspended|TimelimitRaw|ReqCPUS|AllocCPUS|State';
const readTrace = (rows: readonly string[], options: ParseOptions = {}) =>
  parseTrace([NAMES, ...rows].join('\n'), options);
const selectFieldsOfRecords = (
  { columns: swfColumns }: Trace,
  ...fieldNames: (typeof SWF_FIELDS)[number][]
) => Array.from(swfColumns.job, (_, i) => fieldNames.map((field) => swfColumns[field][i]));
const rulesOfTraceNotes = ({ notes: recordNotes = [] }: Trace) =>
  Object.fromEntries(recordNotes.map(({ rule, count: noteCount }) => [rule, noteCount]));

describe('arrival', () => {
  const rows = [
    '1|1|100|100|110|120|10|00:00:00|5|1|1|COMPLETED',
    '2|2|101|150|160|170|10|00:00:00|5|1|1|COMPLETED',
    '3|3|102|140|145|155|10|00:00:00|5|1|1|COMPLETED',
  ];

  it('is when a job became eligible, in whose order they are sorted', () => {
    const trace = readTrace(rows);
    expect(selectFieldsOfRecords(trace, 'job', 'submit', 'wait')).toEqual([
      [1, 0, 10],
      [3, 40, 5],
      [2, 50, 10],
    ]);
    expect(rulesOfTraceNotes(trace)).toEqual({ 'late-arrival': 2 });
    expect(trace.header.lines).toContain(
      '; Note: 2 jobs arrived later than submitted: held, with a later begin, dependent on others, or in a limited array',
    );
  });

  it('is the submit on request', () => {
    const trace = readTrace(rows, { arrival: 'submit' });
    expect(selectFieldsOfRecords(trace, 'job', 'submit', 'wait')).toEqual([
      [1, 0, 10],
      [2, 1, 59],
      [3, 2, 43],
    ]);
    expect(trace.notes).toBeUndefined();
  });
});

describe('jobs that were cancelled while they waited', () => {
  it('wait until then, hold no processors, and arrive at their end if they never could start', () => {
    const trace = readTrace([
      '1|1|100|100|None|130|0|00:00:00|5|4|4|CANCELLED by 0',
      '2|2|100|110|130|130|0|00:00:00|5|4|4|CANCELLED',
      '3|3|100|Unknown|None|130|0|00:00:00|5|4|4|CANCELLED',
      '4|4|100|900|Unknown|130|0|00:00:00|5|4|4|CANCELLED',
      '62_[1-9%1]|62|100|Unknown|None|130|0|00:00:00|5|1|1|CANCELLED by 0',
      '5|5|100|100|120|130|10|00:00:00|5|4|4|CANCELLED by 0',
    ]);
    expect(
      selectFieldsOfRecords(
        trace,
        'job',
        'submit',
        'wait',
        'runtime',
        'processors',
        'requestedProcessors',
        'status',
      ),
    ).toEqual([
      [1, 0, 30, 0, -1, 4, 5],
      [5, 0, 20, 10, 4, 4, 5],
      [2, 10, 20, 0, -1, 4, 5],
      [3, 30, 0, 0, -1, 4, 5],
      [4, 30, 0, 0, -1, 4, 5],
      [62, 30, 0, 0, -1, 1, 5],
    ]);
    expect(trace.header.names.job.size).toBe(0);
  });
});

describe('limits', () => {
  it.each(['UNLIMITED', 'Partition_Limit', '', '525600'])('%s is none', (limitText) => {
    const trace = readTrace([
      `1|1|100|100|110|120|10|00:00:00|${limitText}|1|1|COMPLETED`,
      '2|2|100|100|110|120|10|00:00:00|525599|1|1|COMPLETED',
    ]);
    expect([...trace.columns.requestedTime]).toEqual([-1, 525_599 * 60]);
    const makeEstimatesWithNoLimit = (noLimit?: number) => [
      ...makeWorkload(trace, { siteCount: 1, noLimit }).estimate,
    ];
    expect(makeEstimatesWithNoLimit()).toEqual([365 * 86_400, 525_599 * 60]);
    expect(makeEstimatesWithNoLimit(7200)).toEqual([7200, 525_599 * 60]);
    // The converted log must give the same jobs.
    const convertedTrace = parseTrace([...encodeTrace(trace)].join(''));
    expect([...makeWorkload(convertedTrace, { siteCount: 1 }).estimate]).toEqual(makeEstimatesWithNoLimit());
  });

  it('that a log does not know are unknown: the runtime is the estimate', () => {
    const trace = parseTrace('JobID|Submit|Elapsed|ReqCPUS\n1|100|10|1\n');
    expect([...makeWorkload(trace, { siteCount: 1 }).estimate]).toEqual([10]);
  });
});

describe('heterogeneous jobs', () => {
  const makeHetJobComponentLine = (componentNumber: number, extraFieldsText: string) =>
    `13+${componentNumber}|${13 + componentNumber}|100|100|110|${extraFieldsText}`;

  it('are one job, wherever their components are', () => {
    const rows = [
      makeHetJobComponentLine(1, '140|30|00:00:00|9|3|3|COMPLETED'),
      '9|9|100|100|100|101|1|00:00:00|1|1|1|COMPLETED',
      makeHetJobComponentLine(0, '130|20|00:00:00|5|1|2|COMPLETED'),
    ];
    const trace = readTrace(rows);
    expect(
      selectFieldsOfRecords(trace, 'job', 'runtime', 'processors', 'requestedProcessors', 'requestedTime'),
    ).toEqual([
      [13, 30, 5, 4, 540],
      [9, 1, 1, 1, 60],
    ]);
    expect(trace.leftOut).toMatchObject([{ rule: 'component', count: 1, places: ['line 4'] }]);
  });

  it('have not ended if a component has not', () => {
    const rows = [
      makeHetJobComponentLine(0, '130|20|00:00:00|5|1|2|COMPLETED'),
      makeHetJobComponentLine(1, 'Unknown|30|00:00:00|9|3|3|RUNNING'),
      '9|9|100|100|100|101|1|00:00:00|1|1|1|COMPLETED',
    ];
    expect(selectFieldsOfRecords(readTrace(rows), 'job')).toEqual([[9]]);
  });
});

describe('resized jobs', () => {
  const makePhaseLine = (
    submit: number,
    end: string,
    elapsedSeconds: number,
    cpuCount: number,
    stateName: string,
  ) => `29|29|${submit}|${submit}|110|${end}|${elapsedSeconds}|00:00:00|3|4|${cpuCount}|${stateName}`;

  it('have a record for each size, which follow one another', () => {
    const trace = readTrace([
      makePhaseLine(100, '120', 10, 4, 'RESIZING'),
      makePhaseLine(120, '150', 40, 2, 'RESIZING'),
      makePhaseLine(150, '170', 60, 1, 'FAILED'),
    ]);
    expect(
      selectFieldsOfRecords(
        trace,
        'job',
        'submit',
        'wait',
        'runtime',
        'processors',
        'requestedTime',
        'status',
        'precedingJob',
      ),
    ).toEqual([
      [29, 0, 10, 10, 4, 180, 2, -1],
      [29, 20, 0, 30, 2, 170, 2, 29],
      [29, 50, 0, 20, 1, 140, 4, 29],
    ]);
    expect(rulesOfTraceNotes(trace)).toEqual({ resized: 1 });
  });

  it.each(['RUNNING', ''])('that have not ended are dropped as a whole: %s', (state) => {
    const rows = [
      '9|9|100|100|100|101|1|00:00:00|1|1|1|COMPLETED',
      makePhaseLine(100, '120', 10, 4, 'RESIZING'),
      ...(state === '' ? [] : [makePhaseLine(120, 'Unknown', 40, 2, state)]),
    ];
    const trace = readTrace(rows);
    expect(selectFieldsOfRecords(trace, 'job')).toEqual([[9]]);
    expect(trace.leftOut?.[0]?.count).toBe(rows.length - 1);
  });
});

describe('times', () => {
  it('tell suspensions, and clocks that jump', () => {
    const trace = readTrace([
      '1|1|100|100|110|140|10|00:00:20|5|1|1|COMPLETED',
      '2|2|100|100|110|140|10|00:00:00|5|1|1|COMPLETED',
      '3|3|100|100|110|90|10|00:00:00|5|1|1|COMPLETED',
      '4|4|100|100|90|100|10|00:00:00|5|1|1|COMPLETED',
    ]);
    expect(trace.notes).toEqual([
      { rule: 'suspended', count: 1, seconds: 20 },
      { rule: 'clock-jump', count: 3, seconds: 0 },
    ]);
  });

  it('without the field Suspended, show suspensions all the same', () => {
    const trace = parseTrace('JobID|Submit|Start|End|ElapsedRaw|ReqCPUS\n1|100|110|140|10|1\n');
    expect(trace.notes).toEqual([{ rule: 'suspended', count: 1, seconds: 20 }]);
  });
});

describe('states', () => {
  const makeRow = (stateName: string) => `1|1|100|100|110|120|10|00:00:00|5|1|1|${stateName}`;

  it.each(['REQUEUED', 'NODE_FAIL', 'PREEMPTED', 'BOOT_FAIL', 'DEADLINE', 'OUT_OF_MEMORY', 'OUT_OF_ME+'])(
    '%s is an end',
    (state) => {
      expect(selectFieldsOfRecords(readTrace([makeRow(state)]), 'status', 'runtime')).toEqual([[0, 10]]);
    },
  );

  it.each([
    ...['PENDING', 'RUNNING', 'SUSPENDED', 'CONFIGURING', 'COMPLETING', 'RESIZING', 'STAGE_OUT'],
    ...['SIGNALING', 'STOPPED'],
  ])('%s is none', (state) => {
    expect(
      readTrace([makeRow(state), makeRow('COMPLETED').replaceAll(/1\|1\|100/g, '2|2|100')]).leftOut,
    ).toMatchObject([{ rule: 'unfinished', count: 1 }]);
  });
});

describe('data parsers of sacct --json', () => {
  type Job = { state: { current: unknown }; time: Record<string, unknown>; [key: string]: unknown };
  const makeSlurmNumber = (valueOfSetNumber: unknown) => ({
    set: valueOfSetNumber !== null,
    infinite: false,
    number: valueOfSetNumber ?? 0,
  });
  const makeDocumentText = (change: (job: Job) => void, documentMeta?: object) => {
    const cases = JSON.parse(textOf('cases.json')) as { meta: object; jobs: Job[] };
    for (const job of cases.jobs) change(job);
    return JSON.stringify({ ...cases, ...(documentMeta === undefined ? {} : { meta: documentMeta }) });
  };
  const expectedLogText = textOf('cases.json.swf').trimEnd().split('\n');

  it('0.0.37 has the eligible time as the start', () => {
    const jsonText = makeDocumentText(
      ({ time }) => {
        time.start = time.eligible;
      },
      { plugin: { type: 'openapi/dbv0.0.37' }, Slurm: {} },
    );
    expect(encodeTraceAsSwfLines(parseTrace(jsonText))).toEqual(expectedLogText);
  });

  it('0.0.39 has times that are set or not', () => {
    const jsonText = makeDocumentText((job) => {
      for (const key of ['limit', 'start', 'end', 'eligible', 'submission'])
        job.time[key] = makeSlurmNumber(job.time[key]);
      const { array, het } = job as unknown as Record<string, Record<string, unknown>>;
      array!.task_id = makeSlurmNumber(array!.task_id);
      het!.job_offset = makeSlurmNumber(het!.job_offset);
    });
    expect(encodeTraceAsSwfLines(parseTrace(jsonText))).toEqual(expectedLogText);
  });

  it('0.0.40 to 0.0.43 have lists of states; a run that was put back is PENDING and REQUEUED', () => {
    const jsonText = makeDocumentText((job) => {
      const state = String(job.state.current);
      job.state.current = state === 'REQUEUED' ? ['PENDING', 'REQUEUED'] : [state];
      if (job.time.limit === 525_600) job.time.limit = { set: false, infinite: true, number: 0 };
    });
    expect(encodeTraceAsSwfLines(parseTrace(jsonText))).toEqual(expectedLogText);
  });

  it('a state without an object around it', () => {
    const jsonText = makeDocumentText((job) => Object.assign(job, { state: job.state.current }));
    expect(encodeTraceAsSwfLines(parseTrace(jsonText))).toEqual(expectedLogText);
  });

  it('jobs of two clusters have the cluster as their partition', () => {
    let jobCount = 0;
    const trace = parseTrace(
      makeDocumentText((job) => Object.assign(job, { cluster: jobCount++ < 4 ? 'a' : 'b' })),
    );
    expect(trace.clusters).toHaveLength(2);
    expect(applyFilters(trace, [parseFilter('cluster=a')]).trace.count).toBe(4);
  });
});
