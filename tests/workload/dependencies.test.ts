import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readTrace } from '../../host/files/traceFiles.js';
import { findPrecedingRecords } from '../../host/trace/columns.js';
import { parseFilter } from '../../host/trace/filter.js';
import { workloadToTrace } from '../../host/workload/export.js';
import { makeWorkload, remarkOnDependencies } from '../../host/workload/make.js';
import { parsePerturbation } from '../../host/workload/perturb.js';
import type { Workload } from '../../host/workload/workload.js';
import { findTraceFilePath } from '../traces.js';
import { buildTrace } from './buildTrace.js';

const job = { submit: 0, runtime: 10, processors: 2, user: 1 };

/** Seven jobs: 2 depends on 1, 4 and 5 on 2, 6 on a missing job, 7 on itself, 3 on a later job. */
const trace = buildTrace([
  job,
  { ...job, submit: 5, precedingJob: 1, thinkTime: 7 },
  { ...job, submit: 6, precedingJob: 5, thinkTime: 1 },
  { ...job, submit: 7, processors: 5, precedingJob: 2, thinkTime: -1 },
  { ...job, submit: 8, precedingJob: 2, thinkTime: 3, user: 2 },
  { ...job, submit: 9, precedingJob: 99 },
  { ...job, submit: 10, precedingJob: 7 },
]);

function makeDependentWorkload(options: Partial<Parameters<typeof makeWorkload>[1]> = {}): Workload {
  return makeWorkload(trace, { siteCount: 1, dependencies: true, ...options });
}

describe('jobs that depend on others', () => {
  it('have the last earlier record with the number in field 17', () => {
    expect([...findPrecedingRecords(trace)]).toEqual([-1, 0, -1, 1, 1, -1, -1]);
    const traceWithRepeatedJobNumber = buildTrace([
      { job: 4 },
      { job: 4 },
      { job: 5, precedingJob: 4 },
      { job: 4 },
    ]);
    expect([...findPrecedingRecords(traceWithRepeatedJobNumber)]).toEqual([-1, -1, 1, -1]);
  });

  it('are counted by what happened to the preceding job', () => {
    const { dependencies, accounting } = makeDependentWorkload();
    expect([...(dependencies?.preceding ?? [])]).toEqual([-1, 0, -1, 1, 1, -1, -1]);
    // Unknown think times become 0.
    expect([...(dependencies?.thinkTime ?? [])]).toEqual([0, 7, 1, 0, 3, 0, 0]);
    expect(accounting.dependencies).toEqual({ jobs: 3, unknown: 1, dropped: 0, later: 2 });
    const workloadOfFilteredJobs = makeDependentWorkload({ filters: [parseFilter('job=1,3-7')] });
    expect(workloadOfFilteredJobs.accounting.dependencies).toEqual({
      jobs: 0,
      unknown: 1,
      dropped: 2,
      later: 2,
    });
    expect(remarkOnDependencies(workloadOfFilteredJobs)).toBe(
      'test.swf: 0 of 6 jobs are submitted after the end of another; the preceding jobs of 5 more are not there ' +
        '(1 not in the log, 2 dropped, 2 no earlier job)',
    );
    expect(remarkOnDependencies(makeDependentWorkload({ filters: [parseFilter('job=1,2')] }))).toBe(
      'test.swf: 1 of 2 jobs is submitted after the end of another',
    );
  });

  it('depend on none that is dropped as too wide', () => {
    const { accounting } = makeDependentWorkload({ capacities: [1], oversize: 'split', siteCount: 1 });
    expect(accounting.dependencies).toMatchObject({ jobs: 3, dropped: 0 });
    const traceWithWideJob = buildTrace([
      { ...job, processors: 9 },
      { ...job, precedingJob: 1 },
    ]);
    const independentWorkload = makeWorkload(traceWithWideJob, {
      siteCount: 1,
      capacities: [4],
      oversize: 'drop',
      dependencies: true,
    });
    expect(independentWorkload.accounting.dependencies).toEqual({
      jobs: 0,
      unknown: 0,
      dropped: 1,
      later: 0,
    });
    expect([...(independentWorkload.dependencies?.preceding ?? [])]).toEqual([-1]);
  });

  it('wait for all pieces, and so do their own', () => {
    const { dependencies } = makeDependentWorkload({ maxWidth: 1 });
    expect([...(dependencies?.firstPiece ?? [])]).toEqual([
      0, 0, 2, 2, 4, 4, 6, 6, 6, 6, 6, 11, 11, 13, 13, 15, 15,
    ]);
    expect([...(dependencies?.preceding ?? [])].slice(0, 13)).toEqual([
      -1, -1, 0, 0, -1, -1, 2, 2, 2, 2, 2, 2, 2,
    ]);
  });

  it('are refused where no job names a preceding one', () => {
    const makeWorkloadWithoutPreceding = () =>
      makeWorkload(buildTrace([job, job]), { siteCount: 1, dependencies: true });
    expect(makeWorkloadWithoutPreceding).toThrow('test.swf: no job names a preceding job (field 17)');
    expect(makeDependentWorkload({ dependencies: false })).not.toHaveProperty('dependencies');
  });

  it('are written out and read back', () => {
    const workload = makeDependentWorkload();
    const workloadReadBack = makeWorkload(workloadToTrace(workload, trace), {
      siteCount: 1,
      dependencies: true,
    });
    const { preceding, thinkTime } = workloadReadBack.dependencies ?? {};
    expect(preceding).toEqual(workload.dependencies?.preceding);
    const hasPrecedingJob = (i: number) => (preceding?.[i] ?? -1) >= 0;
    expect(thinkTime?.filter((_, i) => hasPrecedingJob(i))).toEqual(
      workload.dependencies?.thinkTime.filter((_, i) => hasPrecedingJob(i)),
    );
    expect(workloadReadBack.accounting.dependencies).toEqual({ jobs: 3, unknown: 0, dropped: 0, later: 0 });
  });
});

describe('replications of them', () => {
  const recordsArbitrary = fc.array(
    fc.record({
      submit: fc.nat(200),
      runtime: fc.integer({ min: 1, max: 90 }),
      processors: fc.constant(1),
      precedingJob: fc.integer({ min: -1, max: 20 }),
    }),
    { minLength: 1, maxLength: 20 },
  );

  it('keep their dependencies when they are shaken', () => {
    fc.assert(
      fc.property(recordsArbitrary, fc.nat(300), fc.nat(), (generatedRecords, submit, seed) => {
        const sortedLog = buildTrace(
          [{ ...job, precedingJob: 1 }, ...generatedRecords].sort((a, b) => a.submit - b.submit),
        );
        const listDependencyPairs = ({ job: numbers, dependencies }: Workload) =>
          Array.from(
            dependencies?.preceding ?? [],
            (precedingJob, i) => `${numbers[i]} after ${numbers[precedingJob]}`,
          ).sort();
        const unshakenWorkload = makeWorkload(sortedLog, { siteCount: 1, dependencies: true });
        const perturb = parsePerturbation(`shake[submit=${submit},seed=${seed}]`);
        const shakenWorkload = makeWorkload(sortedLog, { siteCount: 1, dependencies: true, perturb });
        expect(listDependencyPairs(shakenWorkload)).toEqual(listDependencyPairs(unshakenWorkload));
        expect(shakenWorkload.accounting.dependencies).toEqual(unshakenWorkload.accounting.dependencies);
      }),
    );
  });

  it('are not recombined where a job depends on one of another user', () => {
    const perturb = parsePerturbation('resample[block=2]');
    expect(() => makeDependentWorkload({ perturb })).toThrow(
      'test.swf: job 5 depends on job 2 of another user, from which recombining their histories would part it',
    );
    const workloadOfOneUser = makeDependentWorkload({ perturb, filters: [parseFilter('user=1')] });
    const { jobs, later } = workloadOfOneUser.accounting.dependencies ?? { jobs: 0, later: 0 };
    // Jobs that come before their preceding job after the change do not depend on it.
    expect(jobs + later).toBe(3);
  });
});

describe('sessions of users', () => {
  const jobOfKnownUser = { wait: 0, runtime: 10, processors: 1, user: 1 };
  const makeWorkloadWithSessions = (logRecords: Parameters<typeof buildTrace>[0], pause = 20) =>
    makeWorkload(buildTrace(logRecords), { siteCount: 1, dependencies: `sessions[pause=${pause}]` });
  const listDependencyPairs = ({ dependencies: actualDependencies }: Workload) =>
    Array.from(actualDependencies?.preceding ?? [], (precedingJob, i) =>
      precedingJob < 0 ? '-' : `${precedingJob}+${actualDependencies?.thinkTime[i]}`,
    );

  it("consist of a user's jobs that follow an end by at most the pause", () => {
    const logRecordsOfSessions = [
      { ...jobOfKnownUser, submit: 0, wait: 5 },
      { ...jobOfKnownUser, submit: 0, runtime: 15 },
      // Job 0 and 1 end at 15: the later one counts.
      { ...jobOfKnownUser, submit: 15 },
      { ...jobOfKnownUser, submit: 16, user: 2 },
      // Of another user; of no known user; while his own job runs; long after the last end.
      { ...jobOfKnownUser, submit: 20, user: -1 },
      { ...jobOfKnownUser, submit: 20, user: 2 },
      { ...jobOfKnownUser, submit: 45 },
      { ...jobOfKnownUser, submit: 76 },
    ];
    expect(listDependencyPairs(makeWorkloadWithSessions(logRecordsOfSessions))).toEqual([
      '-',
      '-',
      '1+0',
      '-',
      '-',
      '-',
      '2+20',
      '-',
    ]);
    expect(listDependencyPairs(makeWorkloadWithSessions(logRecordsOfSessions, 21))).toEqual([
      '-',
      '-',
      '1+0',
      '-',
      '-',
      '-',
      '2+20',
      '6+21',
    ]);
    expect(makeWorkloadWithSessions(logRecordsOfSessions).accounting.dependencies).toEqual({
      jobs: 2,
      unknown: 0,
      dropped: 0,
      later: 0,
    });
  });

  it('know no end of a job whose wait is not recorded', () => {
    const logRecordsOfSessions = [
      jobOfKnownUser,
      { ...jobOfKnownUser, submit: 2, wait: -1 },
      { ...jobOfKnownUser, submit: 13 },
    ];
    expect(
      listDependencyPairs(
        makeWorkloadWithSessions(logRecordsOfSessions.map((record) => ({ submit: 0, ...record }))),
      ),
    ).toEqual(['-', '-', '0+3']);
    expect(() => makeWorkloadWithSessions([{ ...jobOfKnownUser, submit: 0 }])).toThrow(
      /no job was submitted within 20 s of the end of an earlier job of its user/,
    );
  });

  it('are those that a search through all pairs of jobs finds', () => {
    const record = fc.record({
      submit: fc.nat(100),
      wait: fc.integer({ min: -1, max: 20 }),
      runtime: fc.integer({ min: 1, max: 30 }),
      processors: fc.constant(1),
      user: fc.integer({ min: -1, max: 2 }),
    });
    fc.assert(
      fc.property(
        fc.array(record, { minLength: 1, maxLength: 30 }),
        fc.nat(30),
        (generatedRecords, pause) => {
          const jobs = [
            ...generatedRecords,
            { ...jobOfKnownUser, submit: 200 },
            { ...jobOfKnownUser, submit: 210 },
          ];
          jobs.sort((a, b) => a.submit - b.submit);
          const endOfLoggedJob = ({ submit, wait, runtime }: (typeof jobs)[number]) =>
            submit + wait + runtime;
          const expectedStarts = jobs.map((job, i) => {
            const endedJobsOfUser = jobs.flatMap((otherJob, k) =>
              k < i &&
              otherJob.user >= 0 &&
              otherJob.user === job.user &&
              otherJob.wait >= 0 &&
              endOfLoggedJob(otherJob) <= job.submit
                ? [k]
                : [],
            );
            const latestSubmit = Math.max(
              ...endedJobsOfUser.map((endedJob) => endOfLoggedJob(jobs[endedJob]!)),
            );
            const lastEndedJob = endedJobsOfUser
              .filter((endedJob) => endOfLoggedJob(jobs[endedJob]!) === latestSubmit)
              .at(-1);
            return lastEndedJob === undefined || job.submit - latestSubmit > pause
              ? '-'
              : `${lastEndedJob}+${job.submit - latestSubmit}`;
          });
          expect(listDependencyPairs(makeWorkloadWithSessions(jobs, pause))).toEqual(expectedStarts);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('stay what they were in the log when jobs are shaken and stretched', () => {
    const logRecordsOfSessions = [
      jobOfKnownUser,
      { ...jobOfKnownUser, submit: 15 },
      { ...jobOfKnownUser, submit: 40 },
    ].map((job) => ({
      submit: 0,
      ...job,
    }));
    const perturb = parsePerturbation('shake[submit=30,seed=3]');
    const workloadShakenAndStretched = makeWorkload(buildTrace(logRecordsOfSessions), {
      siteCount: 1,
      dependencies: 'sessions[pause=20]',
      perturb,
      arrivalScale: 3,
    });
    expect([...(workloadShakenAndStretched.dependencies?.thinkTime ?? [])].sort()).toEqual([0, 15, 5].sort());
    expect(workloadShakenAndStretched.accounting.dependencies?.jobs).toBe(2);
  });

  it.each([
    ['KTH-SP2-1996-2.1-cln.swf.gz', 11_515, 28_467],
    ['SDSC-SP2-1998-4.2-cln.swf.gz', 24_229, 54_034],
  ])('of %s are those that docs/traces.md counts', async (name, jobCount, count) => {
    const path = findTraceFilePath(name);
    if (path === undefined) return;
    const log = await readTrace(path);
    const workload = makeWorkload(log, { siteCount: 1, home: 'none', dependencies: 'sessions[pause=1200]' });
    expect([workload.accounting.dependencies?.jobs, workload.count]).toEqual([jobCount, count]);
  });
});
