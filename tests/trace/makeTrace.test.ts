import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  encodeTrace,
  makeGrid,
  makeTrace,
  makeWorkload,
  parseTrace,
  SWF_FIELDS,
  simulate,
} from '../../host/index.js';

describe('makeTrace', () => {
  test('objects and columns in any order give the log that their lines in SWF give', () => {
    const job = fc.record(
      {
        submit: fc.nat(10_000),
        runtime: fc.nat(500),
        processors: fc.integer({ min: 1, max: 64 }),
        requestedTime: fc.nat(900),
        user: fc.integer({ min: 1, max: 9 }),
        status: fc.constantFrom(0, 1, 5),
      },
      { requiredKeys: ['submit', 'runtime', 'processors'] },
    );
    fc.assert(
      fc.property(fc.array(job, { minLength: 1, maxLength: 20 }), (jobs) => {
        const madeTrace = makeTrace(jobs);
        const lines = jobs.map((job, i) =>
          SWF_FIELDS.map((field) =>
            field === 'job' ? i + 1 : ((job as Record<string, number>)[field] ?? -1),
          ).join(' '),
        );
        const parsedTrace = parseTrace(`${lines.join('\n')}\n`, { sort: true });
        expect(madeTrace.columns).toEqual({ ...parsedTrace.columns });
        const columns = Object.fromEntries(
          SWF_FIELDS.slice(1).map((field) => [
            field,
            jobs.map((job) => (job as Record<string, number>)[field] ?? -1),
          ]),
        );
        expect({ ...makeTrace(columns as never).columns }).toEqual({ ...madeTrace.columns });
      }),
    );
  });

  test('runs, knows its machine and date, and keeps names of queues', () => {
    const jobs = [
      { submit: 5, runtime: 30, processors: 2, queue: 'night', user: 'bob' },
      { submit: 0, runtime: 60, processors: 4, queue: 'day', user: 'ann' },
    ];
    const trace = makeTrace(jobs, { name: 'mine', maxProcessors: 4, unixStartTime: 86_400 });
    expect(trace.header).toMatchObject({ maxProcessors: 4, unixStartTime: 86_400 });
    expect([...trace.columns.job]).toEqual([2, 1]);
    expect(trace.header.names.queue.get(trace.columns.queue[0])).toBe('day');
    expect(
      new TextDecoder().decode(
        Buffer.concat([...encodeTrace(trace)].map((textChunk) => Buffer.from(textChunk))),
      ),
    ).toContain('; MaxProcs: 4');
    const grid = makeGrid({ capacities: [4] });
    const { schedule } = simulate(makeWorkload(trace, { siteCount: 1 }), grid);
    expect([...schedule.start]).toEqual([0, 60]);
  });

  test.each([
    [[{ submit: 0, runtime: 1 }], 'makeTrace: job 1, processors: expected a number, found undefined'],
    [
      [{ submit: 0, runtime: 1, processors: 1.5 }],
      'makeTrace: job 1, processors: expected a whole number of at least 1, found 1.5',
    ],
    [
      [{ submit: -1, runtime: 1, processors: 1 }],
      'makeTrace: job 1, submit: expected a number of at least 0, found -1',
    ],
    [
      [{ submit: 0, runtime: Number.NaN, processors: 1 }],
      'makeTrace: job 1, runtime: expected a number of at least 0, found NaN',
    ],
    [
      [{ submit: 0, runtime: 1, processors: 1, usr: 'ann' }],
      "unknown field of a job 'usr'; did you mean 'user'?",
    ],
    [
      [{ submit: 0, runtime: 1, processors: 1, status: 'done' }],
      'makeTrace: job 1, status: expected a number, found done',
    ],
    [[3], 'makeTrace, job 1: expected an object, found 3'],
    [{ submit: [0], runtime: [1] }, 'makeTrace, column processors: expected an array, found undefined'],
    [
      { submit: [0, 1], runtime: [1, 2], processors: [1] },
      'makeTrace: column processors has 1 entries, and submit 2; give one per job',
    ],
  ])('refuses %j', (jobs, sentence) => {
    expect(() => makeTrace(jobs as never)).toThrow(sentence);
  });
});
