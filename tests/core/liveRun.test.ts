import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  CoreRun,
  type EndedLiveJob,
  instantiateCore,
  LiveRun,
  type LiveRunSettings,
  makeJobs,
  Refusal,
} from '../../host/core/host.js';
import { coreFile } from '../../host/files/coreFile.js';
import { listCaseSeeds } from '../cases.js';
import { SeededDraws } from '../reference/cases/draws.js';

/** Tests jobs that are submitted one by one during a run, some of which the run must refuse. */

const core = instantiateCore(readFileSync(coreFile('checked')));
const SITES = { Capacity: [6, 9, 4], Speed: [1, 2, 1.5] };
const RULES = [
  { policy: 'ai2' },
  { policy: 'best-fit', options: { Order: 'Shortest' } },
  { policy: 'best-fit', options: { Discipline: 'FirstAvailable', Order: 'Widest' } },
  { options: { Discipline: 'Easy', Selection: 'Greedy', BackfillOrder: 'Shortest' } },
  { options: { Discipline: 'Conservative', Selection: 'Greedy', Reservations: 'Kept' } },
  { options: { Discipline: 'Conservative', Selection: 'Greedy', Order: 'Wfp3' } },
  { policy: 'best-fit', options: { Cancellations: 1 } },
] as const;

const catchRefusalStatus = (call: () => unknown): string | undefined => {
  try {
    call();
    return undefined;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return Object.entries(core.Status).find(([, value]) => value === error.status)?.[0];
  }
};

test.each(RULES)('%o: the starts of the same jobs in one log, whatever else was refused', (settings) => {
  for (const seed of listCaseSeeds(300)) {
    const random = new SeededDraws(seed);
    const capacity = random.between(1, 60);
    const columns =
      'options' in settings && 'Cancellations' in settings.options ? (['Patience'] as const) : [];
    const live = new LiveRun(core, { capacity, columns, sites: SITES, ...settings });
    const jobs: { Submit: number; Runtime: number; Processors: number; Home: number; Patience: number }[] =
      [];
    const startedJobs: number[] = [];
    let time = 0;
    let advanceCallCount = 0;
    while (jobs.length < capacity) {
      time += random.below(4);
      const patience = random.oneIn(3) ? random.below(20) : -1;
      const job = {
        Submit: time,
        Runtime: 1 + random.below(30),
        Processors: 1 + random.below(9),
        Home: random.below(3),
      };
      if (random.oneIn(5)) {
        expect(catchRefusalStatus(() => live.submit({ ...job, Processors: 10 }))).toBe('JobTooWide');
        expect(catchRefusalStatus(() => live.submit({ ...job, Home: 3 }))).toBe('JobHomeInvalid');
        expect(catchRefusalStatus(() => live.submit({ ...job, Runtime: 1e16 }))).toBe('JobRuntimeInvalid');
        expect(catchRefusalStatus(() => live.submit({ ...job, Runtime: -1 }))).toBe('JobRuntimeInvalid');
      }
      const patienceOption = columns.length > 0 && { Patience: patience };
      expect(live.submit({ ...job, ...patienceOption })).toBe(jobs.length);
      jobs.push({ ...job, Patience: patience });
      if (!random.oneIn(3)) continue;
      time += 0.5;
      advanceCallCount = time + random.below(20);
      startedJobs.push(...live.advance(advanceCallCount));
      const expectedStatus =
        jobs.length < capacity
          ? advanceCallCount > jobs.at(-1)!.Submit
            ? 'JobLate'
            : undefined
          : 'RoomTooSmall';
      expect(catchRefusalStatus(() => live.submit({ ...job, Submit: advanceCallCount - 0.25 }))).toBe(
        expectedStatus,
      );
      for (const job of startedJobs) expect(live.startOf(job)!.start).toBeLessThanOrEqual(advanceCallCount);
      // A job submitted at the current time would be handled after the ends of that time instead of before
      // them.
      time = advanceCallCount + 0.25;
      if (random.oneIn(4)) {
        const forkRunToEnd = live.fork();
        expect(forkRunToEnd.runUntil(Number.POSITIVE_INFINITY)).toBe(false);
        expect(Array.from(forkRunToEnd.column('Start').subarray(0, jobs.length)).some(Number.isNaN)).toBe(
          false,
        );
        forkRunToEnd.dispose();
      }
    }
    live.finish();
    const readColumnOfJobs = (columnName: keyof (typeof jobs)[number]) => jobs.map((job) => job[columnName]);
    const coreJobs = makeJobs(core, {
      Submit: readColumnOfJobs('Submit'),
      Runtime: readColumnOfJobs('Runtime'),
      Processors: readColumnOfJobs('Processors'),
      Home: readColumnOfJobs('Home'),
      ...(columns.length > 0 && { Patience: readColumnOfJobs('Patience') }),
    });
    const completeRun = new CoreRun(coreJobs);
    completeRun.begin({ sites: SITES, ...settings });
    completeRun.run();
    for (const columnName of ['Start', 'Site', 'Execution', 'Metric'] as const) {
      expect(Array.from(live.run.column(columnName)), `${columnName}, seed ${seed}`).toEqual(
        Array.from(completeRun.column(columnName)),
      );
    }
    live.dispose();
    completeRun.dispose();
    coreJobs.dispose();
  }
});

test('jobs that are not submitted in order, unknown settings', () => {
  const live = new LiveRun(core, { capacity: 2, sites: SITES });
  live.submit({ Submit: 5, Runtime: 1, Processors: 1 });
  expect(catchRefusalStatus(() => live.submit({ Submit: 4, Runtime: 1, Processors: 1 }))).toBe(
    'JobsUnsorted',
  );
  expect(live.count).toBe(1);
  live.dispose();
  for (const options of [
    { Topology: 'Independent' },
    { Topology: 'PerHome' },
    { SharedPolicies: 2 },
  ] as const) {
    expect(catchRefusalStatus(() => new LiveRun(core, { capacity: 2, sites: SITES, options }))).toBe(
      'OptionsConflict',
    );
  }
});

/**
 * A random job with what the run must not know in advance: its runtime, and the time at which its user
 * cancels it.
 */
interface JobWithHiddenRuntime {
  readonly Submit: number;
  readonly Runtime: number;
  readonly Processors: number;
  readonly Estimate: number;
  readonly patience: number;
}

test.each([
  { policy: 'best-fit' },
  { policy: 'ai2', options: { Cancellations: 2 } },
  { options: { Discipline: 'Easy', Selection: 'Greedy', Cancellations: 2 } },
  { options: { Discipline: 'Conservative', Selection: 'Greedy', Reservations: 'Kept', Cancellations: 2 } },
] as const)('%o: jobs that end and leave when somebody says so are those of a log', (settings) => {
  const speeds = [1, 2, 4];
  const sites = { Capacity: [6, 9, 4], Speed: speeds };
  const canJobsLeave = 'options' in settings;
  let removedJobCount = 0;
  for (const seed of listCaseSeeds(300)) {
    const random = new SeededDraws(seed);
    let submission = 0;
    const jobs = Array.from({ length: random.between(1, 40) }, (): JobWithHiddenRuntime => {
      submission += random.below(6);
      const Runtime = 4 * (1 + random.below(12));
      const patience = canJobsLeave && random.oneIn(3) ? 1 + random.below(30) : -1;
      return {
        Submit: submission,
        Runtime,
        Processors: 1 + random.below(9),
        Estimate: Runtime + random.pick([-3, 0, 20]),
        patience,
      };
    });
    const live = new LiveRun(core, { capacity: jobs.length, sites, ...settings });
    /** End time of each running job and cancellation time of each waiting job. */
    const endTimeByJob = new Map<number, number>();
    const departureTimeByJob = new Map<number, number>();
    const patience = jobs.map(() => -1);
    for (;;) {
      const nextSubmitTime = jobs[live.count]?.Submit ?? Number.POSITIVE_INFINITY;
      const time = Math.min(
        nextSubmitTime,
        ...endTimeByJob.values(),
        ...departureTimeByJob.values(),
        live.nextEventTime,
      );
      if (time === Number.POSITIVE_INFINITY) break;
      while (jobs[live.count]?.Submit === time) {
        const { Submit, Processors, Estimate, patience: mostWait } = jobs[live.count]!;
        const job = live.submit({ Submit, Processors, Estimate });
        if (mostWait >= 0) departureTimeByJob.set(job, Submit + mostWait);
      }
      for (const [job, departure] of departureTimeByJob) {
        if (departure !== time) continue;
        live.remove(job, time);
        patience[job] = jobs[job]!.patience;
        departureTimeByJob.delete(job);
        endTimeByJob.delete(job);
        removedJobCount++;
      }
      for (const [job, end] of endTimeByJob) {
        if (end !== time) continue;
        live.end(job, time);
        endTimeByJob.delete(job);
        departureTimeByJob.delete(job);
      }
      for (const job of live.advance(time)) {
        const { start, end, site } = live.startOf(job)!;
        // A job that is cancelled at the current time may already have started in the same instant.
        expect(end).toBe(patience[job]! >= 0 ? time : Number.POSITIVE_INFINITY);
        if (end < Number.POSITIVE_INFINITY) continue;
        endTimeByJob.set(job, start + jobs[job]!.Runtime / speeds[site]!);
      }
      expect(live.running.toSorted((left, right) => left - right)).toEqual(
        [...endTimeByJob.keys()].sort((left, right) => left - right),
      );
      const waitingJobNumbers = Array.from({ length: live.count }, (_, job) => job).filter(
        (job) => live.startOf(job) === undefined,
      );
      expect(live.waiting).toEqual(waitingJobNumbers);
      if (endTimeByJob.size > 0 && random.oneIn(5))
        expect(() => live.finish()).toThrow('jobs run whose ends are unknown');
    }
    live.finish();
    const readColumnOfJobs = (columnName: keyof JobWithHiddenRuntime) => jobs.map((job) => job[columnName]);
    const coreJobs = makeJobs(core, {
      Submit: readColumnOfJobs('Submit'),
      Runtime: readColumnOfJobs('Runtime'),
      Processors: readColumnOfJobs('Processors'),
      Estimate: readColumnOfJobs('Estimate'),
      Home: jobs.map(() => 0),
      ...(canJobsLeave && { Patience: patience }),
    });
    const completeRun = new CoreRun(coreJobs);
    completeRun.begin({
      ...{ sites, ...settings },
      ...(canJobsLeave && { options: { ...settings.options, Cancellations: 1 } }),
    });
    completeRun.run();
    for (const columnName of ['Start', 'Site', 'Execution', 'Metric'] as const) {
      expect(Array.from(live.run.column(columnName)), `${columnName}, seed ${seed}`).toEqual(
        Array.from(completeRun.column(columnName)),
      );
    }
    for (const job of [0, jobs.length])
      expect(catchRefusalStatus(() => live.end(job, submission + 1e6))).toBe('JobInactive');
    live.dispose();
    completeRun.dispose();
    coreJobs.dispose();
  }
  expect(removedJobCount > 0).toBe(canJobsLeave);
});

test('ends and cancellations that a run does not take', () => {
  const live = new LiveRun(core, { capacity: 3, sites: SITES });
  expect(() => live.submit({ Submit: 5, Processors: 1 })).toThrow('needs an estimate');
  live.submit({ Submit: 5, Processors: 9, Estimate: 10 });
  live.submit({ Submit: 5, Processors: 9, Estimate: 10 });
  expect(catchRefusalStatus(() => live.end(0, 6))).toBe('JobInactive');
  expect(catchRefusalStatus(() => live.remove(1, 6))).toBe('OptionsConflict');
  live.advance(5);
  expect(catchRefusalStatus(() => live.end(0, 4))).toBe('TimeInvalid');
  expect(catchRefusalStatus(() => live.end(1, 6))).toBe('JobInactive');
  live.end(0, 20);
  live.end(0, 8);
  live.advance(10);
  expect([live.startOf(0)?.end, live.startOf(1)?.start]).toEqual([8, 8]);
  live.dispose();
});

test.each([...RULES] as const)(
  '%o: jobs that leave memory when they have ended have the starts of one log',
  (settings) => {
    const columns =
      'options' in settings && 'Cancellations' in settings.options ? (['Patience'] as const) : [];
    let largestEndedJobCount = 0;
    for (const seed of listCaseSeeds(300)) {
      const random = new SeededDraws(seed);
      let submission = 0;
      const jobs = Array.from({ length: random.between(1, 150) }, () => {
        submission += random.below(12);
        return {
          Submit: submission,
          Runtime: 1 + random.below(30),
          Processors: 1 + random.below(9),
          Home: random.below(3),
          Patience: columns.length > 0 && random.oneIn(3) ? random.below(20) : -1,
        };
      });
      const coreJobs = makeJobs(core, {
        Submit: jobs.map((job) => job.Submit),
        Runtime: jobs.map((job) => job.Runtime),
        Processors: jobs.map((job) => job.Processors),
        Home: jobs.map((job) => job.Home),
        ...(columns.length > 0 && { Patience: jobs.map((job) => job.Patience) }),
      });
      const completeRun = new CoreRun(coreJobs);
      completeRun.begin({ sites: SITES, ...settings });
      completeRun.run();
      const resultsByJob = new Map<number, EndedLiveJob>();
      const onLeave = (endedJob: EndedLiveJob) => {
        expect(resultsByJob.has(endedJob.job)).toBe(false);
        resultsByJob.set(endedJob.job, endedJob);
      };
      const live = new LiveRun(core, { capacity: 70, columns, sites: SITES, ...settings, onLeave });
      for (const [number, job] of jobs.entries()) {
        expect(live.submit(job)).toBe(number);
        const nextSubmitTime = jobs[number + 1]?.Submit ?? Number.POSITIVE_INFINITY;
        if (random.oneIn(3) && nextSubmitTime > job.Submit)
          for (const startedJob of live.advance(job.Submit)) expect(startedJob).toBeLessThan(jobs.length);
        for (const runningJob of live.running)
          expect(live.startOf(runningJob)!.start).toBeLessThanOrEqual(job.Submit);
        for (const job of live.waiting) expect(live.startOf(job)).toBeUndefined();
      }
      largestEndedJobCount = Math.max(largestEndedJobCount, resultsByJob.size);
      live.finish();
      const [start, execution, site] = [
        completeRun.column('Start'),
        completeRun.column('Execution'),
        completeRun.column('Site'),
      ];
      const expectedJobs = jobs.map((_, job) => ({
        job,
        start: start[job],
        end: start[job]! + execution[job]!,
        site: site[job],
      }));
      expect(
        jobs.map((_, job) => resultsByJob.get(job)),
        `seed ${seed}`,
      ).toEqual(expectedJobs);
      expect(Array.from(live.run.column('Metric')), `seed ${seed}`).toEqual(
        Array.from(completeRun.column('Metric')),
      );
      live.dispose();
      completeRun.dispose();
      coreJobs.dispose();
    }
    expect(largestEndedJobCount).toBeGreaterThan(0);
  },
);

test('jobs cannot leave a run that learns from them', () => {
  const options = { Discipline: 'Easy', Selection: 'Greedy', RecentJobs: 2 } as const;
  const settings = {
    capacity: 8,
    columns: ['User'],
    sites: SITES,
    options,
    onLeave: () => undefined,
  } as const;
  expect(catchRefusalStatus(() => new LiveRun(core, settings))).toBe('JobsNeeded');
});

test('a state with running, waiting and reserved jobs; states that cannot be are refused', () => {
  const runningJob = { Submit: 0, Runtime: 100, Processors: 6, start: 20 };
  const waitingJob = { Submit: 5, Runtime: 10, Processors: 6 };
  const settings = { capacity: 9, sites: { Capacity: [6], Speed: [1] } };
  const beginLiveRun = (options: object, time: number, jobs: readonly object[]) =>
    new LiveRun(core, { ...settings, options, state: { time, jobs } } as LiveRunSettings);
  const keptReservationOptions = { Discipline: 'Conservative', Selection: 'Greedy', Reservations: 'Kept' };
  const live = beginLiveRun(keptReservationOptions, 30, [
    runningJob,
    waitingJob,
    { ...waitingJob, reservation: { start: 150, site: 0 } },
  ]);
  expect(live.running).toEqual([0]);
  expect(live.waiting).toEqual([1, 2]);
  live.finish();
  // When the first job ends, the reserved job moves to an earlier start, but stays behind the other job.
  expect([1, 2].map((job) => live.startOf(job)?.start)).toEqual([120, 130]);

  const catchStatusOfRefusedBegin = (...[options, time, jobs]: Parameters<typeof beginLiveRun>) =>
    catchRefusalStatus(() => beginLiveRun(options, time, jobs).advance(time));
  expect(catchStatusOfRefusedBegin({}, 30, [runningJob, { ...waitingJob, start: 25 }])).toBe(
    'SiteInfeasible',
  );
  expect(catchStatusOfRefusedBegin({}, 30, [runningJob, { ...waitingJob, start: 31 }])).toBe('TimeInvalid');
  expect(catchStatusOfRefusedBegin({}, 130, [runningJob])).toBe('TimeInvalid');
  expect(catchStatusOfRefusedBegin({}, 4, [{ ...runningJob, start: 2 }, waitingJob])).toBeUndefined();
  const jobSubmittedLater = { Submit: 6, Runtime: 90, Processors: 1, start: 6 };
  expect(catchStatusOfRefusedBegin({}, 30, [waitingJob, jobSubmittedLater])).toBe('OptionsConflict');
  expect(
    catchStatusOfRefusedBegin({ Cancellations: 2 }, 30, [waitingJob, jobSubmittedLater]),
  ).toBeUndefined();
  const jobWithReservation = { ...waitingJob, reservation: { start: 150, site: 0 } };
  expect(catchStatusOfRefusedBegin({}, 30, [runningJob, jobWithReservation])).toBe('OptionsConflict');
  expect(
    catchStatusOfRefusedBegin(keptReservationOptions, 30, [
      runningJob,
      { ...waitingJob, reservation: { start: 29, site: 0 } },
    ]),
  ).toBe('TimeInvalid');
  expect(
    catchStatusOfRefusedBegin(keptReservationOptions, 30, [
      runningJob,
      { ...waitingJob, reservation: { start: 150, site: 1 } },
    ]),
  ).toBe('SiteInfeasible');
  expect(
    catchStatusOfRefusedBegin(keptReservationOptions, 30, [
      { ...runningJob, reservation: { start: 150, site: 0 } },
    ]),
  ).toBe('JobInactive');
});

const RULES_WITH_HELD_JOBS = [
  { policy: 'best-fit', options: {} },
  { policy: 'best-fit', options: { Discipline: 'FirstAvailable' } },
  { policy: 'fastest-first', options: { Discipline: 'Easy', Selection: 'Greedy' } },
  { options: { Discipline: 'Easy', Selection: 'Greedy', BackfillOrder: 'Longest' } },
  { options: { Discipline: 'Easy', Selection: 'Greedy', ReservationDepth: 3 } },
  { options: { Discipline: 'Conservative', Selection: 'Greedy' } },
  { options: { Discipline: 'Conservative', Selection: 'Greedy', Reservations: 'Kept' } },
  { options: { Discipline: 'Easy', Selection: 'Greedy', BackfillInterval: 7 } },
] as const;

test.each(RULES_WITH_HELD_JOBS)(
  '%o: a held job waits like one that is cancelled and submitted again',
  (settings) => {
    let heldCount = 0;
    for (const seed of listCaseSeeds(300)) {
      const random = new SeededDraws(seed);
      const sites = random.oneIn(2) ? SITES : { Capacity: [9], Speed: [1] };
      // No two jobs have the same place in the order, or end at the same time.
      const options = { ...settings.options, Order: 'Shortest', Cancellations: 2 };
      const startLiveRun = () => new LiveRun(core, { capacity: 60, sites, ...settings, options });
      const [live, otherRun] = [startLiveRun(), startLiveRun()];
      const numberInOtherRunByJob: number[] = [];
      const heldJobsByNumber = new Map<number, { Runtime: number; Processors: number }>();
      const jobs: { Runtime: number; Processors: number }[] = [];
      let time = 0;
      const release = (job: number) => {
        live.release(job);
        numberInOtherRunByJob[job] = otherRun.submit({ Submit: time, ...heldJobsByNumber.get(job)! });
        heldJobsByNumber.delete(job);
      };
      for (let stepNumber = 0; stepNumber < 30; stepNumber++) {
        time += random.below(6);
        const job = {
          Runtime: 1 + random.below(30) + Math.sqrt(stepNumber) / 8,
          Processors: 1 + random.below(9),
        };
        jobs.push(job);
        numberInOtherRunByJob[live.submit({ Submit: time, ...job })] = otherRun.submit({
          Submit: time,
          ...job,
        });
        // Submissions and ends are at multiples of another time, so only the calls of this test happen at these
        // times.
        time += 1 / 128;
        live.advance(time);
        otherRun.advance(time);
        if (random.oneIn(3) && live.waiting.length > 0) {
          const chosenJob = random.pick(live.waiting);
          live.hold(chosenJob);
          otherRun.remove(numberInOtherRunByJob[chosenJob]!, time);
          heldJobsByNumber.set(chosenJob, jobs[chosenJob]!);
          heldCount++;
        } else if (random.oneIn(3) && heldJobsByNumber.size > 0) {
          release(random.pick([...heldJobsByNumber.keys()]));
        }
        live.advance(time);
        otherRun.advance(time);
        const waitingNumbersInOtherRun = otherRun.waiting.map((each) => numberInOtherRunByJob.indexOf(each));
        expect(live.waiting, `seed ${seed}`).toEqual(waitingNumbersInOtherRun);
      }
      if (heldJobsByNumber.size > 0) expect(() => live.finish()).toThrow('jobs are held; call release first');
      for (const job of [...heldJobsByNumber.keys()]) {
        time += 1;
        live.advance(time);
        otherRun.advance(time);
        release(job);
      }
      live.finish();
      otherRun.finish();
      const startTimes = jobs.map((_, job) => otherRun.startOf(numberInOtherRunByJob[job]!));
      expect(
        jobs.map((_, job) => live.startOf(job)),
        `seed ${seed}`,
      ).toEqual(startTimes);
      for (const liveRun of [live, otherRun]) liveRun.dispose();
    }
    expect(heldCount).toBeGreaterThan(0);
  },
);

test('holds that a run does not take; a held job that is cancelled, or whose run is copied', () => {
  const sites = { Capacity: [4], Speed: [1] };
  const live = new LiveRun(core, { capacity: 10, sites, options: { Cancellations: 2 }, onLeave: () => {} });
  for (const Processors of [4, 3, 2, 1]) live.submit({ Submit: 0, Runtime: 10, Processors });
  expect(catchRefusalStatus(() => live.hold(1))).toBe('JobInactive');
  live.advance(5);
  expect(catchRefusalStatus(() => live.hold(0))).toBe('JobInactive');
  expect(catchRefusalStatus(() => live.release(1))).toBe('JobInactive');
  live.hold(1);
  expect(catchRefusalStatus(() => live.hold(1))).toBe('JobInactive');
  const copy = live.fork();
  live.hold(2);
  expect([live.waiting, live.advance(12)]).toEqual([[3], [3]]);
  live.remove(2, 15);
  live.release(1);
  expect([live.advance(14), live.advance(20), live.startOf(2)]).toEqual([
    [1],
    [],
    { start: 15, end: 15, site: -1 },
  ]);
  live.finish();
  copy.runUntil(14);
  expect([...copy.column('Start')].slice(0, 4)).toEqual([0, Number.NaN, 10, 10]);
  const plainRun = new LiveRun(core, { capacity: 10, sites });
  for (const Processors of [4, 3]) plainRun.submit({ Submit: 0, Runtime: 10, Processors });
  plainRun.advance(0);
  expect(catchRefusalStatus(() => plainRun.hold(1))).toBe('OptionsConflict');
});

test('outages that a run learns of, changed and withdrawn ones', () => {
  const options = { Discipline: 'Easy', Selection: 'Greedy', OnOutage: 'Requeue' };
  const sites = { Capacity: [4], Speed: [1] };
  const live = new LiveRun(core, { capacity: 10, sites, options, maxOutages: 2 });
  live.advance(3);
  expect(live.addOutage({ site: 0, from: 10, to: 20, processors: 4, isPlanned: true })).toBe(0);
  live.submit({ Submit: 3, Runtime: 15, Processors: 4 });
  // It would meet the outage.
  expect([live.advance(5), live.waiting]).toEqual([[], [0]]);
  live.changeOutage(0, { from: Number.POSITIVE_INFINITY });
  expect([live.advance(5), live.startOf(0)]).toEqual([[0], { start: 5, end: 20, site: 0 }]);
  expect(live.addOutage({ site: 0, from: 8, to: 12, processors: 4 })).toBe(1);
  expect([live.advance(9), live.waiting, live.running]).toEqual([[], [0], []]);
  expect(() => live.addOutage({ site: 0, from: 10, processors: 1 })).toThrow('give a larger maxOutages');
  expect(() => live.changeOutage(2, { to: 30 })).toThrow('there is no outage 2');
  const outageChangesToRefuse: [Parameters<LiveRun['changeOutage']>, string][] = [
    [[1, { from: 50 }], 'TimeInvalid'],
    [[1, { processors: 3 }], 'TimeInvalid'],
    [[1, { to: 5 }], 'TimeInvalid'],
    [[1, { to: 8 }], 'TimeInvalid'],
    [[1, { to: Number.NaN }], 'TimeInvalid'],
    [[1, { to: Number.POSITIVE_INFINITY }], 'JobTooWide'],
    [[0, { from: 11 }], 'OptionInvalid'],
    [[0, { from: 7, to: 8, processors: 1 }], 'TimeInvalid'],
    [[0, { from: 40, processors: 5 }], 'OptionInvalid'],
    [[0, { from: 40, site: 1 }], 'OptionInvalid'],
  ];
  for (const [changes, status] of outageChangesToRefuse) {
    expect(
      catchRefusalStatus(() => live.changeOutage(...changes)),
      JSON.stringify(changes),
    ).toBe(status);
  }
  live.changeOutage(1, { to: 30 });
  expect([live.advance(29), live.advance(30)]).toEqual([[], [0]]);
  live.changeOutage(0, { from: 50, to: 60, processors: 1, isPlanned: false });
  live.finish();
  expect(live.startOf(0)).toEqual({ start: 30, end: 45, site: 0 });
  const runWithCompleteJobTable = new CoreRun(
    makeJobs(core, { Submit: [0], Runtime: [1], Processors: [1], Home: [0] }),
  );
  runWithCompleteJobTable.begin({ sites });
  expect(core.changeOutages(runWithCompleteJobTable.block, runWithCompleteJobTable.jobs.table)).toBe(
    core.Status.OptionsConflict,
  );
});

test('numbers of processors that are not whole are refused, not cut', () => {
  const live = new LiveRun(core, { capacity: 2, sites: SITES });
  for (const Processors of [2 ** 32 + 1, 2 ** 31, 1.5, Number.NaN, '2' as unknown as number])
    expect(() => live.submit({ Submit: 0, Runtime: 10, Processors })).toThrow('a whole number of processors');
  for (const Processors of [0, -1])
    expect(catchRefusalStatus(() => live.submit({ Submit: 0, Runtime: 10, Processors }))).toBe(
      'JobProcessorsInvalid',
    );
  expect(live.submit({ Submit: 0, Runtime: 10, Processors: 2 })).toBe(0);
  live.finish();
  live.dispose();
});

describe('a live run says in a sentence', () => {
  const settings = { capacity: 3, sites: SITES, policy: 'best-fit' };
  const job = { Submit: 5, Runtime: 10, Processors: 1 };

  test.each<[string, object, string]>([
    ['a misspelt setting', { capasity: 9 }, "LiveRun, settings: unknown field 'capasity'. Known: sites, "],
    ['no sites', { sites: undefined }, 'LiveRun: sites need Capacity and Speed'],
    [
      'no capacity',
      { capacity: 0.5 },
      'LiveRun: capacity is a whole number of jobs of at least 1, found 0.5',
    ],
    [
      'a misspelt field of a state',
      { state: { time: 5, job: [] } },
      "LiveRun, state: unknown field 'job'. Known: time, jobs",
    ],
    [
      'a misspelt field of a job in a state',
      { state: { time: 9, jobs: [{ ...job, started: 7 }] } },
      "LiveRun, state, job: unknown field 'started'. Known: Submit, ",
    ],
    [
      'a wrong option',
      { options: { MultiSiteFactor: 0.5 } },
      'LiveRun: the option MultiSiteFactor has a value outside its range',
    ],
    [
      'conflicting options',
      { options: { Topology: 'PerHome' } },
      'LiveRun: a live run cannot do this with the option ',
    ],
    [
      'a site without processors',
      { sites: { Capacity: [4, 0], Speed: [1, 1] } },
      'LiveRun: site 1: Capacity is no whole number of at least 1',
    ],
    [
      'a state that does not fit',
      { state: { time: 9, jobs: [{ ...job, Processors: 7, start: 6 }] } },
      'LiveRun, state: job 0 does not fit on site 0 then',
    ],
  ])('%s', (_, changes, sentence) => {
    const makeLiveRun = () => new LiveRun(core, { ...settings, ...changes } as LiveRunSettings);
    expect(makeLiveRun).toThrow(sentence);
  });

  test.each<[string, (live: LiveRun) => unknown, string]>([
    [
      'a misspelt field',
      (live) => live.submit({ ...job, Procesors: 2 } as never),
      "submit, job: unknown field 'Procesors'. Known: Submit, ",
    ],
    [
      'a field without a column',
      (live) => live.submit({ ...job, User: 2 }),
      "User of a job needs columns: ['User'] in the settings",
    ],
    [
      'too wide a job',
      (live) => live.submit({ ...job, Processors: 10 }),
      'submit: job 2 asks for 10 processors, and the largest site has 9; split the job',
    ],
    [
      'a home that is no site',
      (live) => live.submit({ ...job, Home: 3 }),
      'submit: job 2: Home is no site; sites are numbered from 0 to 2',
    ],
    [
      'a late job',
      (live) => live.advance(8) && live.submit({ ...job, Submit: 6 }),
      'submit: job 2 has a Submit before 8 s, up to which the run has advanced',
    ],
    [
      'an earlier time',
      (live) => live.advance(4),
      'advance: 4 s is before 5 s, up to which the run has advanced; give a later time',
    ],
    ['no time', (live) => live.advance(Number.NaN), 'advance: the time is not a number'],
    [
      'the end of a job that is not known',
      (live) => live.end(7, 9),
      'end: a job is in another state, has ended or is not known',
    ],
    [
      'a cancellation without the option',
      (live) => live.remove(0, 9),
      'remove: a live run cannot do this with the option Cancellations as it is',
    ],
    [
      'a misspelt field of an outage',
      (live) => live.addOutage({ sites: 0 } as never),
      "addOutage, outage: unknown field 'sites'. Known: site, from, ",
    ],
    [
      'an outage with which a job never fits',
      (live) => live.addOutage({ site: 1, from: 6, processors: 5 }),
      'addOutage: job 1 asks for 9 processors, more than any site that it may use has beside the outages that do not end (the largest has 9)',
    ],
  ])('%s', (_, call, sentence) => {
    const run = new LiveRun(core, { ...settings, maxOutages: 1 });
    run.submit({ ...job, Processors: 9 });
    run.advance(5);
    run.submit({ ...job, Processors: 9, Submit: 5 });
    expect(() => call(run)).toThrow(sentence);
    run.dispose();
  });

  test('a call by a function of the policy, and the run goes on', () => {
    const live = new LiveRun(core, { ...settings, policy: 'own' });
    live.submit(job);
    const calls = [
      () => live.advance(9),
      () => live.advanceEvents(),
      () => live.submit(job),
      () => live.end(0, 9),
      () => live.finish(),
    ];
    const sentences: string[] = [];
    live.run.decide = () => {
      for (const call of calls) {
        try {
          call();
        } catch (error) {
          sentences.push((error as Error).message);
        }
      }
      return 0;
    };
    expect(live.advance(5)).toEqual([0]);
    expect(sentences).toEqual(
      ['advance', 'advanceEvents', 'submit', 'end', 'finish'].map(
        (name) =>
          `${name} was called by a function of the policy while the run advances; return the answer first`,
      ),
    );
    live.finish();
    expect(live.startOf(0)).toMatchObject({ start: 5, site: 0 });
    live.dispose();
  });

  test('a function of the policy that throws leaves the run usable', () => {
    const live = new LiveRun(core, { ...settings, policy: 'own' });
    live.submit(job);
    live.run.decide = () => {
      throw new Error('no answer');
    };
    expect(() => live.advance(5)).toThrow('no answer');
    live.run.decide = () => 1;
    expect(live.advance(5)).toEqual([0]);
    live.dispose();
  });
});
