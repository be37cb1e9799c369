import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFilter } from '../../host/trace/filter.js';
import { scheduleToTrace, workloadToTrace } from '../../host/workload/export.js';
import { makeWorkload, type WorkloadOptions } from '../../host/workload/make.js';
import type { Accounting, Workload } from '../../host/workload/workload.js';
import { buildTrace } from './buildTrace.js';

const columnsOf = ({ job, submit, runtime, estimate, processors, home }: Workload) => ({
  job: [...job],
  submit: [...submit],
  runtime: [...runtime],
  estimate: [...estimate],
  processors: [...processors],
  home: [...home],
});

function expectAccountingAddsUp(workload: Workload): void {
  const {
    read: readCount,
    kept: keptCount,
    dropped: droppedRecords,
    split,
  }: Accounting = workload.accounting;
  expect(keptCount + droppedRecords.reduce((sum, { count: recordCount }) => sum + recordCount, 0)).toBe(
    readCount,
  );
  expect(keptCount - split.jobs + split.pieces).toBe(workload.count);
}

describe('makeWorkload', () => {
  it('takes processors from field 5 or 8, estimates from field 9 or 4, and drops what cannot run', () => {
    const trace = buildTrace([
      { submit: 0, runtime: 10, processors: 4, requestedProcessors: 8, requestedTime: 20 },
      { submit: 1, runtime: 11, processors: -1, requestedProcessors: 8, requestedTime: 0 },
      { submit: 2, runtime: 0, processors: 4 },
      { submit: 3, runtime: 12, processors: 0, requestedProcessors: -1 },
      { submit: 4, runtime: -1, processors: -1 },
    ]);
    const workload = makeWorkload(trace, { siteCount: 1 });
    expect(columnsOf(workload)).toEqual({
      job: [1, 2],
      submit: [0, 1],
      runtime: [10, 11],
      estimate: [20, 11],
      processors: [4, 8],
      home: [0, 0],
    });
    expect(workload.name).toBe('test.swf');
    expect(workload.accounting).toEqual({
      read: 5,
      kept: 2,
      dropped: [
        { rule: 'runtime', count: 2 },
        { rule: 'processors', count: 1 },
      ],
      oversizeJobs: [],
      withoutEstimate: 1,
      split: { jobs: 0, pieces: 0 },
    });
  });

  it('counts the jobs it keeps that request no time, pieces of one job once', () => {
    const trace = buildTrace([
      { runtime: 5, processors: 6 },
      { runtime: 5, processors: 1, requestedTime: 9 },
      { runtime: 0, processors: 1 },
      { runtime: 5, processors: 99 },
    ]);
    const options = { siteCount: 1, capacities: [10], maxWidth: 2 } as const;
    expect(makeWorkload(trace, { ...options, filters: [parseFilter('first=3')] }).accounting).toMatchObject({
      kept: 2,
      withoutEstimate: 1,
      split: { jobs: 1, pieces: 3 },
    });
    const wideJobOptions = { siteCount: 1, capacities: [10], oversize: 'drop' } as const;
    expect(makeWorkload(trace, wideJobOptions).accounting).toMatchObject({ kept: 2, withoutEstimate: 1 });
  });

  it('applies filters first and does not repeat a rule that is among them', () => {
    const record = { submit: 0, runtime: 1, processors: 1 };
    const trace = buildTrace([
      { ...record, queue: 3, runtime: 0 },
      { ...record, queue: 6, runtime: 0 },
      { ...record, queue: 2 },
      { ...record, queue: 3, processors: -1 },
    ]);
    const filters = ['runtime', 'queue=1-5'].map(parseFilter);
    const workload = makeWorkload(trace, { siteCount: 3, filters });
    expect(workload.accounting.dropped).toEqual([
      { rule: 'runtime', count: 2 },
      { rule: 'queue=1-5', count: 0 },
      { rule: 'processors', count: 1 },
    ]);
    expect([...workload.job]).toEqual([3]);
  });

  it('sorts by submit time, equal times in the order of the log', () => {
    const submitTimes = [5, 3, 5, 0, 3];
    const trace = buildTrace(submitTimes.map((submit) => ({ submit, runtime: 1, processors: 1 })));
    expect([...makeWorkload(trace, { siteCount: 1 }).job]).toEqual([4, 2, 5, 1, 3]);
  });

  it('scales submit times, and runtimes with their estimates', () => {
    const trace = buildTrace([
      { submit: 0, runtime: 10, processors: 1, requestedTime: 20 },
      { submit: 8, runtime: 6, processors: 1 },
    ]);
    const { submit, runtime, estimate } = makeWorkload(trace, {
      siteCount: 1,
      arrivalScale: 0.5,
      runtimeScale: 3,
    });
    expect([[...submit], [...runtime], [...estimate]]).toEqual([
      [0, 4],
      [30, 18],
      [60, 18],
    ]);
  });
});

describe('home sites', () => {
  const record = { submit: 0, runtime: 1, processors: 1 };
  const makeWorkloadAndGetHomes = (
    home: WorkloadOptions['home'],
    homeSwfField: string,
    homeNumbers: number[],
  ) => {
    const trace = buildTrace(homeNumbers.map((homeNumber) => ({ ...record, [homeSwfField]: homeNumber })));
    return [...makeWorkload(trace, { home, siteCount: 3 }).home];
  };

  it('queues and partitions count from 1 and wrap around; unknown is the first site', () => {
    expect(makeWorkloadAndGetHomes('queue', 'queue', [1, 2, 3, 4, 9, 0, -1])).toEqual([0, 1, 2, 0, 2, 0, 0]);
    expect(makeWorkloadAndGetHomes('partition', 'partition', [1, 2, 5, -1])).toEqual([0, 1, 1, 0]);
  });

  it('users and groups are taken modulo the sites', () => {
    expect(makeWorkloadAndGetHomes('user', 'user', [0, 1, 2, 3, 7, -1])).toEqual([0, 1, 2, 0, 1, 0]);
    expect(makeWorkloadAndGetHomes('group', 'group', [5])).toEqual([2]);
  });

  it('default to queues if there are any', () => {
    expect(makeWorkloadAndGetHomes(undefined, 'queue', [-1, 2])).toEqual([0, 1]);
    expect(makeWorkloadAndGetHomes(undefined, 'user', [1, 2])).toEqual([0, 0]);
    expect(makeWorkloadAndGetHomes('none', 'queue', [2])).toEqual([0]);
  });
});

describe('cutting wide jobs', () => {
  it('cuts 100 processors by a quarter of 128 into 32, 32, 32, 4 (Shih et al. 2010, section 5.1)', () => {
    const trace = buildTrace([
      { submit: 0, runtime: 9, processors: 100, queue: 2 },
      { submit: 0, runtime: 1, processors: 64, queue: 3 },
      { submit: 0, runtime: 2, processors: 32 },
    ]);
    const workload = makeWorkload(trace, {
      siteCount: 3,
      capacities: [8, 128, 50],
      rc: 0.25,
      oversize: 'split',
    });
    expect([...workload.processors]).toEqual([32, 32, 32, 4, 32, 32, 32]);
    expect([...workload.job]).toEqual([1, 1, 1, 1, 2, 2, 3]);
    expect([...workload.home]).toEqual([1, 1, 1, 1, 2, 2, 0]);
    expect([...workload.runtime]).toEqual([9, 9, 9, 9, 1, 1, 2]);
    expect(workload.accounting.split).toEqual({ jobs: 2, pieces: 6 });
    const workloadCutByMaxWidth = makeWorkload(trace, { siteCount: 3, maxWidth: 32 });
    expect(columnsOf(workloadCutByMaxWidth)).toEqual(columnsOf(workload));
  });

  it.each([
    [{ rc: 0.5, maxWidth: 8, capacities: [8] }, 'give only one of them'],
    [{ rc: 0.5 }, 'give the sites too'],
    [{ rc: 0, capacities: [8] }, 'rc: expected a number above 0 and at most 1, found 0'],
    [{ rc: 1.5, capacities: [8] }, 'rc: expected'],
    [{ rc: 0.1, capacities: [8] }, 'less than one processor'],
    [{ maxWidth: 0.5 }, 'max-width: expected a whole number of at least 1'],
    [{ narrowWidth: 2.5 }, 'narrow-width: expected a whole number of at least 1'],
    [{ shortRuntime: 0 }, 'short-runtime: expected a number above 0'],
    [{ arrivalScale: 0 }, 'arrival scale: expected a number above 0'],
    [{ runtimeScale: Number.NaN }, 'runtime scale: expected'],
    [{ capacities: [8, 8] }, 'found 2 capacities for 1 sites'],
    [{ home: 'job' as 'user' }, "unknown value of home 'job'. Known: queue, partition, user, group, none"],
    [{ oversize: 'spilt' as 'split' }, "unknown value of oversize 'spilt'; did you mean 'split'?"],
    [{ kill: 'never' as 'at-estimate' }, "unknown value of kill 'never'. Known: at-estimate"],
  ])('refuses %j', (options, message) => {
    const trace = buildTrace([{ submit: 0, runtime: 1, processors: 1 }]);
    expect(() => makeWorkload(trace, { siteCount: 1, ...options })).toThrow(message);
  });
});

describe('jobs too large for the grid', () => {
  const trace = buildTrace([
    { submit: 0, runtime: 1, processors: 20, queue: 1 },
    { submit: 1, runtime: 1, processors: 20, queue: 2 },
    { submit: 2, runtime: 1, processors: 200, queue: 1 },
    { submit: 3, runtime: 1, processors: 8, queue: 1 },
  ]);
  const grid = { siteCount: 2, capacities: [8, 64], speeds: [2, 1] };
  const makeWorkloadAndGetProcessors = (options: Partial<WorkloadOptions>) => [
    ...makeWorkload(trace, { ...grid, ...options }).processors,
  ];

  it('are an error that names them and says what to do', () => {
    expect(() => makeWorkload(trace, grid)).toThrow(
      'job 3 is too large for the grid and can never start: it needs 200 processors and can have at most 64; ' +
        'give larger sites, or --oversize drop or --oversize split',
    );
    expect(() => makeWorkload(trace, { ...grid, minSpeedRatio: 1 })).toThrow(
      '2 jobs (1, 3) are too large for the grid and can never start: job 1 needs 20 processors and can have at most 8',
    );
    const traceOfManyHomes = buildTrace(
      Array.from({ length: 9 }, () => ({ submit: 0, runtime: 1, processors: 100 })),
    );
    expect(() => makeWorkload(traceOfManyHomes, grid)).toThrow('9 jobs (1, 2, 3, 4, 5, ...) are too large');
  });

  it('are dropped and listed, or cut to the widest site they may use', () => {
    const workloadWithoutWideJobs = makeWorkload(trace, { ...grid, oversize: 'drop', minSpeedRatio: 1 });
    expect([...workloadWithoutWideJobs.job]).toEqual([2, 4]);
    expect(workloadWithoutWideJobs.accounting.oversizeJobs).toEqual([1, 3]);
    expect(workloadWithoutWideJobs.accounting.dropped.at(-1)).toEqual({ rule: 'oversize', count: 2 });
    expectAccountingAddsUp(workloadWithoutWideJobs);
    expect(makeWorkloadAndGetProcessors({ oversize: 'split' })).toEqual([20, 20, 64, 64, 64, 8, 8]);
    expect(makeWorkloadAndGetProcessors({ oversize: 'split', minSpeedRatio: 1 }).slice(0, 4)).toEqual([
      8, 8, 4, 20,
    ]);
  });

  it('depend on how jobs are placed', () => {
    expect(() => makeWorkloadAndGetProcessors({ placement: 'home' })).toThrow('2 jobs (1, 3)');
    expect(() => makeWorkloadAndGetProcessors({ placement: 'multi-site' })).toThrow('can have at most 72');
    expect(makeWorkloadAndGetProcessors({ placement: 'multi-site', oversize: 'split' })).toEqual([
      20, 20, 64, 64, 64, 8, 8,
    ]);
    expect(makeWorkloadAndGetProcessors({ placement: 'multi-site', capacities: [150, 64] })).toEqual([
      20, 20, 200, 8,
    ]);
    expect(makeWorkloadAndGetProcessors({ placement: 'moldable', oversize: 'split' })).toEqual([
      20, 20, 200, 8,
    ]);
  });

  it('a home that no site is fast enough for', () => {
    const high = { ...grid, minSpeedRatio: 3 };
    expect(() => makeWorkload(trace, high)).toThrow('no site is fast enough for the jobs of site 1');
    expect(() => makeWorkload(trace, { ...high, oversize: 'split' })).toThrow('no site is fast enough');
    expect(() => makeWorkload(trace, { ...high, placement: 'reclaim' })).toThrow('can have at most 8');
  });

  // More sites than a function call can have arguments.
  const MANY_SITE_ADDRESS = 200_000;
  it.each(
    (['single-site', 'home', 'reclaim', 'multi-site', 'moldable'] as const).flatMap((placement) =>
      (['error', 'drop', 'split'] as const).flatMap((oversizeRule) =>
        [undefined, 0.5].map((rc) => ({
          placement,
          oversize: oversizeRule,
          ...(rc === undefined ? {} : { rc }),
        })),
      ),
    ),
  )('takes grids of any number of sites: %o', (options) => {
    const trace = buildTrace([
      { submit: 0, runtime: 10, processors: 4 },
      { submit: 1, runtime: 10, processors: 1 },
    ]);
    const capacities = Array.from({ length: MANY_SITE_ADDRESS }, () => 4);
    const { processors } = makeWorkload(trace, { siteCount: MANY_SITE_ADDRESS, capacities, ...options });
    expect([...processors]).toEqual(options.rc === undefined ? [4, 1] : [2, 2, 1]);
  });

  it('do not occur after cutting by rc', () => {
    const workload = makeWorkload(trace, { ...grid, rc: 0.5 });
    expect([...workload.processors]).toEqual([20, 20, 32, 32, 32, 32, 32, 32, 8, 8]);
    expect(workload.accounting.split).toEqual({ jobs: 1, pieces: 7 });
  });
});

describe('every workload', () => {
  const record = fc.record({
    submit: fc.integer({ min: 0, max: 50 }),
    runtime: fc.integer({ min: -1, max: 20 }),
    processors: fc.integer({ min: -1, max: 100 }),
    requestedProcessors: fc.integer({ min: -1, max: 100 }),
    requestedTime: fc.integer({ min: -1, max: 20 }),
    queue: fc.integer({ min: -1, max: 6 }),
  });
  const options = fc.record(
    {
      maxWidth: fc.integer({ min: 1, max: 100 }),
      minSpeedRatio: fc.constantFrom(0, 0.5, 1),
      oversize: fc.constantFrom('drop' as const, 'split' as const),
    },
    { requiredKeys: ['oversize'] },
  );
  const grid = { siteCount: 3, capacities: [8, 64, 32], speeds: [1, 2, 4] };
  const usable = { submit: 0, runtime: 1, processors: 1 };

  it('adds up, is sorted, fits the grid and conserves the work of the jobs kept', () => {
    fc.assert(
      fc.property(fc.array(record), options, (records, chosenOptions) => {
        const trace = buildTrace([...records, usable]);
        const workload = makeWorkload(trace, { ...grid, ...chosenOptions });
        expectAccountingAddsUp(workload);
        const { job, submit, processors, home } = workload;
        const pieceProcessorsByJob = new Map<number, number>();
        for (let i = 0; i < workload.count; i++) {
          if (i > 0) expect(submit[i]).toBeGreaterThanOrEqual(submit[i - 1]);
          const maxWidth = (chosenOptions.minSpeedRatio ?? 0) > 0.5 && home[i] === 2 ? 32 : 64;
          expect(processors[i]).toBeGreaterThan(0);
          expect(processors[i]).toBeLessThanOrEqual(Math.min(maxWidth, chosenOptions.maxWidth ?? 100));
          pieceProcessorsByJob.set(job[i], (pieceProcessorsByJob.get(job[i]) ?? 0) + processors[i]);
        }
        for (const [number, total] of pieceProcessorsByJob) {
          const { processors: usedProcessors, requestedProcessors } = trace.columns;
          expect(total).toBe(
            usedProcessors[number - 1] > 0 ? usedProcessors[number - 1] : requestedProcessors[number - 1],
          );
        }
      }),
    );
  });

  it('reads back from the log it is written to', () => {
    fc.assert(
      fc.property(fc.array(record), options, (records, chosenOptions) => {
        const trace = buildTrace([...records, usable]);
        const workload = makeWorkload(trace, { ...grid, ...chosenOptions });
        const traceOfWorkload = workloadToTrace(workload, trace);
        expect(columnsOf(makeWorkload(traceOfWorkload, { siteCount: 3, home: 'queue' }))).toEqual(
          columnsOf(workload),
        );
      }),
    );
  });

  it('is refused when no job is left', () => {
    const trace = buildTrace([{ ...usable, runtime: 0 }]);
    expect(() => makeWorkload(trace, { siteCount: 1 })).toThrow(
      'test.swf: no job is left to simulate; records read: 1, dropped by rule: runtime 1; ' +
        'the rule runtime drops jobs that ran 0 s or an unknown time',
    );
  });
});

describe('logs written out', () => {
  const trace = buildTrace([
    { submit: 5, runtime: 10, processors: 20, queue: 2, requestedTime: 30 },
    { submit: 7, runtime: 3, processors: 2, queue: 1 },
    { submit: 8, runtime: 0, processors: 2, queue: 1 },
  ]);
  const workload = makeWorkload(trace, { siteCount: 2, maxWidth: 16, name: 'mine' });

  it('keep the header of their origin but not its queue names', () => {
    const { header, source: traceSource } = workloadToTrace(workload, trace);
    expect(traceSource).toBe('mine');
    expect(header.lines).toEqual([
      '; MaxProcs: 128',
      '; Copyright: of the log',
      '; Note: the jobs simulated of mine',
      '; Note: 1 record dropped by the rule runtime',
      '; Note: 1 jobs cut into 2 pieces',
      '; Note: queue numbers are home sites, numbered from 1',
    ]);
    expect(header.maxProcessors).toBe(128);
    expect(header.names.queue.size).toBe(0);
  });

  it('hold the schedule: new wait, execution, processors held', () => {
    const schedule = { start: [5, 6.5, 9], execution: [5, 5, 1.5], processors: [16, 4, 2] };
    const {
      columns: swfColumns,
      count: recordCount,
      header,
    } = scheduleToTrace(workload, trace, schedule, 442);
    expect(header.maxProcessors).toBe(442);
    expect(header.lines).not.toContain('; MaxProcs: 128');
    expect(recordCount).toBe(3);
    expect([...swfColumns.job]).toEqual([1, 1, 2]);
    expect([...swfColumns.wait]).toEqual([0, 1.5, 2]);
    expect([...swfColumns.runtime]).toEqual([5, 5, 1.5]);
    expect([...swfColumns.processors]).toEqual([16, 4, 2]);
    expect([...swfColumns.requestedProcessors]).toEqual([16, 4, 2]);
    expect([...swfColumns.requestedTime]).toEqual([30, 30, 3]);
    expect([...swfColumns.queue]).toEqual([2, 2, 1]);
    expect([...swfColumns.status]).toEqual([1, 1, 1]);
  });
});
