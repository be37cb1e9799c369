import { describe, expect, it } from 'vitest';
import { applyFilters, formatFilter, parseFilter } from '../../host/trace/filter.js';
import { parseTrace } from '../../host/trace/readText.js';
import { encodeTrace } from '../../host/trace/swf.js';
import {
  FIELDS_WITH_NAMES,
  formatHeaderNameLines,
  parseHeader,
  shiftTraceToZero,
} from '../../host/trace/trace.js';
import { makeUniqueJobNames } from '../../host/workload/workload.js';

/** Names that belong to numbers in a log (users, groups, partitions). */

const makeSacctLogText = (columnNames: string, ...rows: string[]) =>
  parseTrace([`${columnNames}|Submit|Elapsed|ReqCPUS|User|Account|Partition|Cluster`, ...rows].join('\n'));

const LOG = makeSacctLogText(
  'JobID|JobIDRaw',
  '7|7|100|5|1|ann|physics|batch|alps',
  '8_1|9|100|5|1|bob|biology|batch|alps',
  '8_2|10|100|5|1|bob|biology|gpu|alps',
  '8_3|8|100|5|1|bob|biology|gpu|alps',
  '11+0|11|100|5|1|ann|physics|gpu|alps',
);

describe('names of a log', () => {
  it('are those of users, accounts, partitions, clusters and tasks', () => {
    const { names: namesByField } = LOG.header;
    expect([...namesByField.user]).toEqual([
      [1, 'ann'],
      [2, 'bob'],
    ]);
    expect([...namesByField.group.values()]).toEqual(['physics', 'biology']);
    expect([...namesByField.queue.values()]).toEqual(['batch', 'gpu']);
    expect([...namesByField.partition.values()]).toEqual(['alps']);
    expect(makeUniqueJobNames({ job: LOG.columns.job, names: namesByField })).toEqual([
      '7',
      '8_1',
      '8_2',
      '8_3',
      '11',
    ]);
  });

  it('are notes in the header of SWF, of which neighbouring tasks have one, and are read back', () => {
    expect(LOG.header.lines.filter((line) => line.startsWith('; Job:'))).toEqual([
      '; Job: 9-10 8_1',
      '; Job: 8 8_3',
    ]);
    const traceReadBack = parseTrace([...encodeTrace(LOG)].join(''));
    expect(traceReadBack.header.names).toEqual(LOG.header.names);
    const { trace } = applyFilters(LOG, [parseFilter('user=bob')]);
    expect(shiftTraceToZero(trace).header.names).toEqual(LOG.header.names);
  });

  it('stay for any text, as lines that can be written', () => {
    const unusualNames = ['a b', '7', 'x"y,z', '-', 'Ü', '\u0007', '8_01', '8_9007199254740993', '_0', '0'];
    for (const field of FIELDS_WITH_NAMES) {
      const namesByNumber = new Map(
        unusualNames.map((unusualName, i) => [i, unusualName.replaceAll(/\s/g, field === 'job' ? '_' : ' ')]),
      );
      expect(parseHeader(formatHeaderNameLines(field, namesByNumber)).names[field], field).toEqual(
        namesByNumber,
      );
    }
    const trace = parseTrace(
      JSON.stringify({
        jobs: [{ job_id: 1, user: 'a\n\u0007b', time: { submission: 1, elapsed: 1 }, required: { CPUs: 1 } }],
      }),
    );
    expect([...trace.header.names.user.values()]).toEqual(['a\\u{a}\\u{7}b']);
    expect(parseTrace([...encodeTrace(trace)].join('')).header.names).toEqual(trace.header.names);
  });

  it('of tasks alone number jobs beyond those that have numbers', () => {
    const trace = makeSacctLogText(
      'JobID',
      '7|100|5|1|ann|a|b|c',
      '8_1|100|5|1|ann|a|b|c',
      '8_2|100|5|1|ann|a|b|c',
    );
    expect([...trace.columns.job]).toEqual([7, 1e12 + 1, 1e12 + 2]);
    expect(trace.header.lines.at(-1)).toBe('; Job: 1000000000001-1000000000002 8_1');
    expect(makeUniqueJobNames({ job: trace.columns.job, names: trace.header.names })).toEqual([
      '7',
      '8_1',
      '8_2',
    ]);
  });

  it('never fill the memory: a note of too many tasks is ignored', () => {
    const { names: namesByField } = parseHeader([
      '; Job: 1-9007199254740991 1_1',
      '; Job: 5 4_1',
      '; Job: 3-1 9_9',
    ]);
    expect([...namesByField.job]).toEqual([[5, '4_1']]);
  });
});

describe('filters by name', () => {
  const listJobsKeptByFilter = (filter: string) => [
    ...applyFilters(LOG, [parseFilter(filter)]).trace.columns.job,
  ];

  it.each([
    ['user=ann', [7, 11]],
    ['user=2', [9, 10, 8]],
    ['user=ann,2', [7, 9, 10, 8, 11]],
    ['group=biology', [9, 10, 8]],
    ['queue=gpu', [10, 8, 11]],
    ['partition=alps', [7, 9, 10, 8, 11]],
    ['job=8_2', [10]],
    ['job=8', [9, 10, 8]],
    ['job=8_2,7', [7, 10]],
    ['job=11', [11]],
    ['cluster=alps', [7, 9, 10, 8, 11]],
    ['job=9-11', [9, 10, 11]],
  ])('%s', (filter, jobs) => {
    expect(listJobsKeptByFilter(filter)).toEqual(jobs);
    expect(formatFilter(parseFilter(formatFilter(parseFilter(filter))))).toBe(
      formatFilter(parseFilter(filter)),
    );
  });

  it.each([
    ['user=anne', "the log names no user 'anne'; did you mean 'ann'?"],
    ['job=8_9', "the log names no task '8_9'"],
  ])('%s is refused', (filter, sentence) => {
    expect(() => listJobsKeptByFilter(filter)).toThrow(sentence);
  });

  it('are refused for a log that has only numbers', () => {
    const log = parseTrace('1 0 -1 60 4 -1 -1 4 90 -1 1 7 -1 -1 1 -1 -1 -1');
    const sentence = "the log names no user 'ann'; its users have numbers alone";
    expect(() => applyFilters(log, [parseFilter('user=ann')])).toThrow(sentence);
  });
});
