import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { checkLogInChunks } from '../../host/trace/checkTrace.js';
import { type ParseOptions, parseTrace } from '../../host/trace/readText.js';
import { encodeTrace } from '../../host/trace/swf.js';
import { nameOfLogNumber } from '../../host/trace/trace.js';

/**
 * Accounting files of schedulers other than Slurm; the expected SWF records were worked out by
 * hand.
 */

const textOf = (fileName: string) =>
  readFileSync(new URL(`../../traces/${fileName}`, import.meta.url), 'utf8');

/**
 * Jobs of a converted log without unused fields, by name if they have one; and the notes of its
 * header.
 */
function convertLogToTextSections(logText: string, options: ParseOptions = {}) {
  const trace = parseTrace(logText, options);
  const swf = [...encodeTrace(trace)].join('').split('\n');
  const { names: namesByField } = trace.header;
  const nameOfNumber = (namedField: 'job' | 'user' | 'group' | 'queue', numberText: string) =>
    nameOfLogNumber(namesByField, namedField, Number(numberText));
  return {
    clock: Number(/^; UnixStartTime: (\d+)$/m.exec(swf.join('\n'))?.[1]),
    notes: swf.flatMap((line) => (line.startsWith('; Note: ') ? [line.slice(8)] : [])),
    leftOut: (trace.leftOut ?? []).map(({ rule, count: droppedCount }) => `${rule} ${droppedCount}`),
    jobs: swf
      .filter((line) => /^\d/.test(line))
      .map((line) => {
        const [
          job,
          submit,
          wait,
          runtime,
          processors,
          ,
          ,
          requestedProcessors,
          timeLimit,
          ,
          status,
          user,
          group,
          ,
          queue,
        ] = line.split(/\s+/);
        return [
          ...[
            nameOfNumber('job', job!),
            submit,
            wait,
            runtime,
            processors,
            requestedProcessors,
            timeLimit,
            status,
          ],
          ...[nameOfNumber('user', user!), nameOfNumber('group', group!), nameOfNumber('queue', queue!)],
        ].join(' ');
      }),
  };
}

describe('Grid Engine', () => {
  test('the accounting of a real one', () => {
    expect(convertLogToTextSections(textOf('grid-engine.txt'))).toEqual({
      clock: 1795760396,
      // Job 28 was requeued by qmod -rj, which left a line of zeros before the line of its run.
      leftOut: ['unfinished 1'],
      notes: ['9 jobs came without a time limit'],
      // Columns: job, submit, wait, runtime, processors, requested processors, limit, status, user,
      // group, queue.
      jobs: [
        '23 0 9 5 1 1 60 1 u1 u1 all.q',
        '25.1 1 8 4 1 1 -1 1 u1 u1 all.q',
        '25.2 1 8 4 1 1 -1 1 u1 u1 all.q',
        '24 1 8 8 3 3 100 1 u1 u1 all.q',
        '25.3 1 24 4 1 1 -1 1 u1 u1 all.q',
        // The job was held, which no field shows.
        '26 1 38 3 1 1 -1 1 u1 u1 all.q',
        '27 2 23 4 1 1 -1 5 u1 u1 all.q',
        '28 2 23 30 1 1 -1 1 u1 u1 all.q',
        '29 3 22 2 1 1 -1 1 u1 u1 all.q',
        '32 3 22 6 1 1 5 0 u1 u1 all.q',
        '33 3 36 0 1 1 -1 0 u1 u1 all.q',
        // The job's runtime includes the suspension.
        '31 3 21 31 1 1 -1 1 u1 u1 all.q',
      ],
    });
  });

  /** An accounting line with some fields changed, by position. */
  const makeLineWithChangedFields = (changes: Readonly<Record<number, string>>) => {
    const [, firstLine] = /^((?!#).+:plain:.+)$/m.exec(textOf('grid-engine.txt'))!;
    const lineFields = firstLine!.replace(':-l h_rt=60:', ':CATEGORY:').split(':');
    for (const [fieldIndexText, changeText] of Object.entries(changes))
      lineFields[Number(fieldIndexText)] = changeText;
    return `${lineFields.join(':').replace('CATEGORY', '-l h_rt=60')}\n`;
  };

  test.each([
    ['-l h_rt=1:00:00,h_vmem=1G', 3600],
    ['-l h_rt=0:1:30', 90],
    ['-q all.q -l h_rt=90,s_rt=40', 90],
    ['-l s_rt=70', 70],
    ['-q all.q -soft -l h_rt=77', -1],
    ['-l h_cpu=1:00:00,h_rt=5', 5],
    ['NONE', -1],
  ])('the limit in %s', (category, timeLimit) => {
    expect(parseTrace(makeLineWithChangedFields({ 39: category })).columns.requestedTime[0]).toBe(timeLimit);
  });

  test('milliseconds, slave tasks, jobs that never started, runs that were rescheduled', () => {
    const logText =
      makeLineWithChangedFields({ 8: '1772000000000', 9: '1772000005000', 10: '1772000065999' }) +
      makeLineWithChangedFields({ 41: '1.node2' }) +
      makeLineWithChangedFields({ 5: '24', 9: '0', 10: '0', 11: '28', 8: '1772000001' }) +
      makeLineWithChangedFields({
        5: '25',
        8: '1772000002',
        9: '1772000010',
        10: '1772000019',
        11: '25',
        12: '99',
      });
    expect(convertLogToTextSections(logText)).toMatchObject({
      leftOut: ['step 1'],
      notes: [
        '1 job ended a run after which the scheduler may run the job again, such as a requeued one or one whose node failed',
      ],
      jobs: [
        '23 0 5 60 1 1 60 1 u1 u1 all.q',
        '24 1 -1 -1 -1 1 60 0 u1 u1 all.q',
        '25 2 8 9 1 1 60 0 u1 u1 all.q',
      ],
    });
  });

  test('a line that is cut, and fields that are no numbers', () => {
    const wholeLogText = textOf('grid-engine.txt').trimEnd();
    expect(() => parseTrace(`${wholeLogText}\nall.q:node1:u1\n`)).toThrow(
      'line 18: found 3 fields in "all.q:node1:u1", expected 45 fields separated by : as in accounting(5)',
    );
    expect(() => parseTrace(`${wholeLogText}\n${makeLineWithChangedFields({ 34: 'x' })}`)).toThrow(
      'line 18, slots: found "x", expected a finite decimal number',
    );
  });
});

test('PBS: runs, requeued ones, subjobs, and a job that was deleted while it waited', () => {
  expect(convertLogToTextSections(textOf('pbs.txt'))).toEqual({
    clock: 1772704800,
    leftOut: ['step 1'],
    notes: [
      '3 jobs arrived later than submitted: held, with a later begin, dependent on others, or in a limited array',
      '1 job ended a run after which the scheduler may run the job again, such as a requeued one or one whose node failed',
      '1 job left the queue, cancelled, without having run',
      '1 job came without a time limit',
    ],
    jobs: [
      '7 0 5 60 4 4 120 1 ann chem workq',
      // The server's clock is an hour ahead: queued at 11:00:10, deleted 30 s later.
      '8 10 30 0 -1 -1 -1 5 bob -1 workq',
      '12[3] 25 75 20 3 3 -1 0 bob staff long',
      '9 30 5 15 3 3 3600 0 bob staff long',
      '9 50 20 60 3 3 3600 5 bob staff long',
    ],
  });
});

test('LSF: slots of hosts, limits behind what hosts used, begin times, and a job that never started', () => {
  expect(convertLogToTextSections(textOf('lsf.txt'))).toEqual({
    clock: 1772000000,
    leftOut: [],
    notes: [
      '1 job arrived later than submitted: held, with a later begin, dependent on others, or in a limited array',
      '1 job left the queue, cancelled, without having run',
      '2 jobs came without a time limit',
    ],
    jobs: [
      '7 0 5 60 4 4 120 1 ann chem normal',
      '8[2] 10 10 60 3 3 60 0 bob bio normal',
      '9 20 70 0 -1 2 -1 5 ann chem normal',
      '10 100 1 49 1 1 -1 5 bob bio night',
    ],
  });
});

test.each([
  ['grid-engine.txt', /^.*:rerun:28:sge:0:0:.*$/m, 'unfinished 1'],
  ['pbs.txt', /^.*;E;12\[\]\.srv;.*$/m, 'step 1'],
  ['sacct.txt', /^JobID[\s\S]*?\n(?=\d)/m, ''],
])(
  'a log of %s whose records are all dropped says by which rules, and check agrees',
  async (name, droppedRecordPattern, rules) => {
    const logText = textOf(name);
    const recordText = droppedRecordPattern.exec(logText)![0];
    const logWithDroppedRecordsOnly =
      name === 'sacct.txt'
        ? `${recordText.trimEnd()}\n${logText.split('\n').find((line) => /^\d+\.batch/.test(line)) ?? ''}`
        : recordText;
    const parseLogOfDroppedRecords = () => parseTrace(`${logWithDroppedRecordsOnly}\n`);
    const { readable, problems } = await checkLogInChunks('log', [
      new TextEncoder().encode(`${logWithDroppedRecordsOnly}\n`),
    ]);
    expect(parseLogOfDroppedRecords).toThrow(
      rules === ''
        ? /^log holds no/
        : `log holds no job that has run; records by the rule that drops them: ${rules};`,
    );
    expect(readable).toBe(false);
    expect(problems.map(({ rule }) => rule)).toContain('no-records');
  },
);
