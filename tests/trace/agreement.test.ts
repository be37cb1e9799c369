import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { addParsedOptionTexts } from '../../host/options/options.js';
import { formatLogCheck } from '../../host/reports/logDescription.js';
import { makeExperimentOnRequestedSites } from '../../host/simulate/experiment.js';
import { simulate } from '../../host/simulate/simulate.js';
import { checkLogInChunks, type TraceCheck } from '../../host/trace/checkTrace.js';
import { FORMAT_DESCRIPTIONS, FORMAT_NAMES, type FormatName } from '../../host/trace/formats.js';
import { traceInfo } from '../../host/trace/info.js';
import { type ParseOptions, parseTrace } from '../../host/trace/readText.js';
import { canLogBeSimulated, logErrorMessage } from './helpers.js';

/**
 * Reports of `trace check` must agree with reading and simulating a log, in every format, and name
 * places in the unit of the format.
 */

const textOf = (fileName: string) =>
  readFileSync(new URL(`../../traces/${fileName}`, import.meta.url), 'utf8');
const checkLogText = (logText: string, options: ParseOptions = {}) =>
  checkLogInChunks('log', [new TextEncoder().encode(logText)], options);

const doesNotThrow = (action: () => unknown): boolean => {
  try {
    action();
    return true;
  } catch {
    return false;
  }
};

/** Checks, reads and simulates a log, and compares the results. */
async function checkReadAndSimulate(logText: string): Promise<TraceCheck> {
  const logCheck = await checkLogText(logText);
  const isReadable = doesNotThrow(() => parseTrace(logText));
  expect({ readable: logCheck.readable, usable: logCheck.usable }).toEqual({
    readable: isReadable,
    usable: canLogBeSimulated(logText),
  });
  const isRefused = logCheck.problems.some(({ rule }) => rule === 'clusters');
  expect(doesNotThrow(() => traceInfo(parseTrace(logText)))).toBe(isReadable && !isRefused);
  return logCheck;
}

const makeSwfLine = (job: number, runtime: number, processors: number) =>
  `${job} 0 1 ${runtime} ${processors} -1 -1 ${processors} -1 -1 1 1 1 1 1 1 -1 -1`;
const makeGwfLine = (job: number, runtime: number, processors: number) =>
  [job, 0, 1, runtime, processors, ...Array.from({ length: 24 }, () => -1)].join('\t');
const SACCT = 'JobIDRaw|Submit|Start|End|ElapsedRaw|AllocCPUS|State|Cluster';
const makeSacctJsonJob = (job: number, elapsedSeconds: number, cpuCount: number, cluster = 'a') => ({
  job_id: job,
  cluster,
  time: {
    submission: 1772000000,
    start: 1772000001,
    end: 1772000001 + elapsedSeconds,
    elapsed: elapsedSeconds,
  },
  state: { current: ['COMPLETED'] },
  tres: { allocated: [{ type: 'cpu', count: cpuCount }] },
});
const makeGridEngineLine = (job: number, runtime: number) => {
  const { example } = FORMAT_DESCRIPTIONS.find(({ name: formatName }) => formatName === 'grid-engine')!;
  return example.replace(':23:', `:${job}:`).replace('1772000065', String(1772000005 + runtime));
};
const makePbsLine = (job: number, runtime: number) => {
  const { example } = FORMAT_DESCRIPTIONS.find(({ name: formatName }) => formatName === 'pbs')!;
  return example.replace('7.srv', `${job}.srv`).replace('1772704865', String(1772704805 + runtime));
};
const makeLsfLine = (job: number, runtime: number) => {
  const { example } = FORMAT_DESCRIPTIONS.find(({ name: formatName }) => formatName === 'lsf')!;
  return example.replace(' 7 ', ` ${job} `).replace('1772000065', String(1772000005 + runtime));
};
const TABLE_HEADER_LINE =
  'job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,queue';
const makeBatsimDocument = (runtime: number, width: number) =>
  `{"nb_res":4,"jobs":[{"id":1,"subtime":0,"res":${width},"profile":"p"}],"profiles":{"p":{"type":"delay","delay":${runtime}}}}`;
const makePhillyDocument = (end: string) =>
  `[{"status":"Pass","vc":"v","jobid":"a","attempts":[{"start_time":"2017-10-07 01:06:06","end_time":"${end}","detail":[{"gpus":["g"]}]}],"submitted_time":"2017-10-07 01:05:36","user":"u"}]`;

interface TestLogsOfFormat {
  readonly usable: string;
  readonly 'no-jobs': string;
  /** An unreadable record, and its place in the error message. */
  readonly brokenTextAndPlace: readonly [text: string, place: string];
  readonly 'no-records': string;
  readonly clusters?: string;
  readonly 'too-wide'?: string;
  readonly 'long-runtime'?: string;
}

const makeSacctJson = (...jobs: readonly object[]) => JSON.stringify({ meta: { slurm: {} }, jobs });

const LOGS_BY_FORMAT: Record<FormatName, TestLogsOfFormat> = {
  swf: {
    usable: `; MaxProcs: 4\n${makeSwfLine(1, 9, 4)}\n`,
    'no-jobs': `${makeSwfLine(1, 0, 4)}\n${makeSwfLine(2, 9, -1)}\n`,
    brokenTextAndPlace: [`${makeSwfLine(1, 9, 4)}\n\n1 2\n`, 'line 3'],
    'no-records': '; MaxProcs: 4\n',
    'too-wide': `; MaxProcs: 4\n${makeSwfLine(1, 9, 5)}\n`,
    'long-runtime': `${makeSwfLine(1, 1e16, 4)}\n`,
  },
  gwf: {
    usable: `${makeGwfLine(1, 9, 4)}\n`,
    'no-jobs': `${makeGwfLine(1, -1, 4)}\n`,
    brokenTextAndPlace: [`# JobID\n${makeGwfLine(1, 9, 4)}\n1\t2\n`, 'line 3'],
    'no-records': '# JobID\tSubmitTime\n',
    'long-runtime': `${makeGwfLine(1, 1e16, 4)}\n`,
  },
  sacct: {
    usable: `${SACCT}\n1|100|110|120|10|4|COMPLETED|a\n2|100|100|100|0|4|COMPLETED|b\n`,
    'no-jobs': `${SACCT}\n1|100|110|110|0|4|COMPLETED|a\n`,
    brokenTextAndPlace: [
      `${SACCT}\n1|100|110|120|10|4|COMPLETED|a\n2|x|110|120|10|4|COMPLETED|a\n`,
      'line 3',
    ],
    'no-records': `${SACCT}\n1|100|110|Unknown|10|4|RUNNING|a\n`,
    clusters: `${SACCT}\n1|100|110|120|10|4|COMPLETED|a\n1|100|110|120|10|4|COMPLETED|b\n`,
  },
  'sacct-json': {
    usable: makeSacctJson(makeSacctJsonJob(1, 9, 4), makeSacctJsonJob(2, 0, 4, 'b')),
    'no-jobs': makeSacctJson(makeSacctJsonJob(1, 0, 4)),
    brokenTextAndPlace: [makeSacctJson(makeSacctJsonJob(1, 9, 4), { job_id: 2 }), 'jobs[1]'],
    'no-records': makeSacctJson(),
    clusters: makeSacctJson(makeSacctJsonJob(1, 9, 4), makeSacctJsonJob(1, 9, 4, 'b')),
  },
  'grid-engine': {
    usable: `${makeGridEngineLine(1, 9)}\n`,
    'no-jobs': `${makeGridEngineLine(1, 0)}\n`,
    brokenTextAndPlace: [`# x\n${makeGridEngineLine(1, 9)}\nall.q\n`, 'line 3'],
    'no-records': `${makeGridEngineLine(1, 9).replace(':1772000000:1772000005:1772000014:0:', ':0:0:0:25:')}\n`,
  },
  pbs: {
    usable: `${makePbsLine(1, 9)}\n`,
    'no-jobs': `${makePbsLine(1, 0)}\n`,
    brokenTextAndPlace: [`${makePbsLine(1, 9)}\n03/05/2026\n`, 'line 2'],
    'no-records': '03/05/2026 10:01:05;Q;7.srv;queue=workq\n',
  },
  lsf: {
    usable: `${makeLsfLine(1, 9)}\n`,
    'no-jobs': `${makeLsfLine(1, 0)}\n`,
    brokenTextAndPlace: [`${makeLsfLine(1, 9)}\n"JOB_FINISH" "10.1" x\n`, 'line 2'],
    'no-records': '"EVENT_ADRSV_FINISH" "10.1" 1772000000 1\n',
  },
  table: {
    usable: `${TABLE_HEADER_LINE}\n7,a,v,4,4,1,COMPLETED,100,110,120,10,10\n`,
    'no-jobs': `${TABLE_HEADER_LINE}\n7,a,v,0,4,1,COMPLETED,100,110,120,10,10\n`,
    brokenTextAndPlace: [`${TABLE_HEADER_LINE}\n7,a,v,4,4,1,COMPLETED,100,110,120,10,10\n\n7,a\n`, 'line 4'],
    'no-records': `${TABLE_HEADER_LINE}\n`,
    'long-runtime': `${TABLE_HEADER_LINE}\n7,a,v,4,4,1,COMPLETED,100,110,,10000000000000000,10\n`,
  },
  batsim: {
    usable: makeBatsimDocument(9, 4),
    'no-jobs': makeBatsimDocument(0, 4),
    brokenTextAndPlace: [makeBatsimDocument(9, 4).replace('"res":4', '"res":"x"'), 'jobs[0]'],
    'no-records': '{"jobs":[],"profiles":{}}',
    'too-wide': makeBatsimDocument(9, 5),
    'long-runtime': makeBatsimDocument(1e16, 4),
  },
  philly: {
    usable: makePhillyDocument('2017-10-07 02:06:06'),
    'no-jobs': makePhillyDocument('2017-10-07 01:06:06'),
    brokenTextAndPlace: [makePhillyDocument('yesterday'), 'jobs[0]'],
    'no-records': '[]',
  },
};

describe.each(FORMAT_NAMES)('%s', (format) => {
  const { usable, brokenTextAndPlace: broken, ...refused } = LOGS_BY_FORMAT[format];
  const [brokenText, faultyField] = broken;

  test('a log that can be simulated', async () => {
    const { problems } = await checkReadAndSimulate(usable);
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(parseTrace(usable).count).toBeGreaterThan(0);
  });

  test.each(Object.entries(refused))('a log that is refused: %s', async (rule, text) => {
    const { usable: isUsable, problems } = await checkReadAndSimulate(text);
    expect(isUsable).toBe(false);
    expect(problems.filter(({ severity }) => severity === 'error').map((problem) => problem.rule)).toEqual([
      rule,
    ]);
  });

  test('the place of a broken record, wherever it is named', async () => {
    const logCheck = await checkReadAndSimulate(brokenText);
    const [problem] = logCheck.problems;
    expect(problem?.places).toEqual([faultyField]);
    expect(problem?.example).toMatch(new RegExp(`^${faultyField.replaceAll(/[[\]]/g, '\\$&')}[,:] `));
    expect(logErrorMessage(brokenText)).toContain(`log, ${problem?.example};`);
    const { leftOut = [] } = doesNotThrow(() => parseTrace(brokenText, { skipBadLines: true }))
      ? parseTrace(brokenText, { skipBadLines: true })
      : {};
    for (const { places: recordPlaces } of leftOut) expect(recordPlaces).toEqual([faultyField]);
    const colors = { bold: String, dim: String, red: String, yellow: String } as never;
    const faultUnitPattern = faultyField.startsWith('line') ? / records? in \d+ lines?$/m : / jobs?$/m;
    expect(formatLogCheck(logCheck, colors).split('\n')[0]).toMatch(faultUnitPattern);
    expect(formatLogCheck(logCheck, colors)).toContain(` in ${faultyField}\n`);
    expect(logCheck.unit).toBe(
      FORMAT_DESCRIPTIONS.find(({ name: formatName }) => formatName === format)!.places.unit,
    );
  });
});

test('jobs of two clusters with the same number are no duplicates', async () => {
  const { clusters = '', usable } = LOGS_BY_FORMAT.sacct;
  expect((await checkLogText(clusters)).problems.map(({ rule }) => rule)).toEqual([
    'clusters',
    'missing-machine',
  ]);
  const logTextWithRepeatedRow = `${usable}${usable.split('\n')[1]}\n`;
  expect((await checkLogText(logTextWithRepeatedRow)).problems.map(({ rule }) => rule)).toContain(
    'duplicate-record',
  );
});

test.each([
  [
    'a requested time',
    makeSwfLine(1, 9, 4).replace('-1 -1 1 1', '1e20 -1 1 1'),
    /job 1: with a requested time of 100000000000000000000 s/,
  ],
  [
    'a runtime that is too short',
    makeSwfLine(1, 9, 4).replace(' 9 ', ' 1e-251 '),
    /job 1: with a runtime of 1e-251 s/,
  ],
  [
    'a submit time',
    `${makeSwfLine(1, 9, 4)}\n${makeSwfLine(2, 9, 4).replace('2 0', '2 1e301')}`,
    /submit time must be/,
  ],
])('%s beyond what a simulation holds is an error, which the simulation names', async (_, text, sentence) => {
  const { problems } = await checkReadAndSimulate(`${text}\n`);
  expect(problems[0]?.rule).toBe('long-runtime');
  const { workload, grid } = makeExperimentOnRequestedSites(
    addParsedOptionTexts({ workload: 'log' }, {}),
    parseTrace(text),
    [{}],
  );
  expect(() => simulate(workload, grid)).toThrow(sentence);
});

test('records are checked as they are read: components of a job together', async () => {
  const rowsText = [
    'JobID|JobIDRaw|Submit|Start|End|ElapsedRaw|TimelimitRaw|AllocCPUS|State',
    '7+0|7|100|110|230|120|1|1|COMPLETED',
    '7+1|8|100|110|230|120|3|1|COMPLETED',
  ].join('\n');
  expect((await checkLogText(rowsText)).problems.map(({ rule }) => rule)).toEqual([
    'component',
    'missing-machine',
  ]);
});

describe('jobs are called as in the log', () => {
  const findProblemExamples = async (logText: string) =>
    (await checkLogText(logText)).problems.map(({ example }) => example);

  test('tasks of arrays, those that never started, and names', async () => {
    const sacctLogText = [
      'JobID|JobIDRaw|Submit|Eligible|Start|End|ElapsedRaw|TimelimitRaw|AllocCPUS|State',
      '12_1|13|100|100|110|120|10|UNLIMITED|1|COMPLETED',
      '12_[2-9%1]|12|100|100|None|130|0|1|1|CANCELLED by 0',
      '14_3|15|100|100|110|Unknown|9|1|1|RUNNING',
    ].join('\n');
    expect(await findProblemExamples(sacctLogText)).toEqual(
      expect.arrayContaining([
        'job "14_3" is "RUNNING"',
        'job 12_[2-9%1], runtime 0',
        'job 12_[2-9%1] was cancelled after waiting 30 s',
        'job 12_1 has no time limit',
      ]),
    );
    expect(await findProblemExamples(textOf('grid-engine.txt'))).toContain('job 25.1 has no time limit');
    const phillyLogText = LOGS_BY_FORMAT.philly.usable.replace('"jobid":"a"', '"jobid":"application_1"');
    expect(
      await findProblemExamples(phillyLogText.replace('2017-10-07 02:06:06', '2017-10-07 01:06:06')),
    ).toContain('job application_1, runtime 0');
  });

  test.each(FORMAT_NAMES)('no number that was made up is in a message about %s', async (format) => {
    const { usable, brokenTextAndPlace: broken, ...refused } = LOGS_BY_FORMAT[format];
    for (const text of [usable, broken[0], ...Object.values(refused)])
      for (const example of await findProblemExamples(text))
        expect(example).not.toMatch(/\b1000000000\d{3}\b/);
  });
});
