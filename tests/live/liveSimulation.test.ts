import { expect, test } from 'vitest';
import { InputError } from '../../host/errors.js';
import { makeGrid } from '../../host/grid/grid.js';
import type { LiveOptions } from '../../host/live/liveOptions.js';
import { LiveSimulation } from '../../host/live/liveSimulation.js';
import type { SubmittedJob } from '../../host/live/submittedJob.js';
import { simulate } from '../../host/simulate/simulate.js';
import { makeTrace } from '../../host/trace/makeTrace.js';
import { makeWorkload } from '../../host/workload/make.js';
import type { Workload } from '../../host/workload/workload.js';
import { doesRunCoverRareCases, listCaseSeeds, RANDOM_TEST_TIMEOUT_MILLISECONDS } from '../cases.js';
import { SeededDraws } from '../reference/cases/draws.js';
import { expectSameResultsAsLog, makeSubmittedJobs, simulateJobsLive } from './liveJobs.js';

/** Jobs that come one by one, or leave, have the results of the whole log. */

const grid = makeGrid({ capacities: [6, 9, 4], speeds: [1, 2, 1.5] });

function drawWorkload(random: SeededDraws): Workload {
  let submit = 0;
  const jobs = Array.from({ length: random.between(1, 80) }, () => {
    submit += random.below(6) + (random.oneIn(9) ? 0.25 : 0);
    const runtime = random.below(40) + (random.oneIn(9) ? 0.5 : 0);
    return {
      ...{ submit, runtime, processors: 1 + random.below(9) },
      ...{ requestedTime: random.oneIn(4) ? runtime : runtime + random.below(40) },
      ...(random.oneIn(5) ? {} : { user: random.pick(['ann', 'bob', 'eve']) }),
      ...{
        group: 1 + random.below(2),
        queue: random.pick(['long', 'short']),
        partition: random.pick(['p1', 'p2', 'p3']),
      },
    };
  });
  const workload = makeWorkload(makeTrace(jobs), {
    ...{ siteCount: 3, capacities: grid.capacities, home: 'queue' },
  });
  if (random.oneIn(2)) return workload;
  return { ...workload, patience: workload.submit.map(() => (random.oneIn(4) ? random.below(50) : -1)) };
}

const ORDERS = ['submit', 'shortest', 'widest', 'wfp3', 'estimate * processors - wait', 'processors - now'];
const ORDERS_DEPENDING_ON_USAGE = [
  ...['usage', 'running', 'groupUsage * 100 + processors', 'usage / share'],
  'multifactor[age=1000,maxAge=1m,fairshare=1000,size=500]',
];

function drawOptions(random: SeededDraws, { patience }: Workload): LiveOptions {
  const discipline = random.pick(['fcfs', 'sjf', 'first-available', 'easy', 'conservative'] as const);
  const mayShare = patience === undefined;
  return {
    discipline,
    ...(random.oneIn(2) &&
      discipline !== 'sjf' && {
        order: random.pick(mayShare ? [...ORDERS, ...ORDERS_DEPENDING_ON_USAGE] : ORDERS),
      }),
    ...(random.oneIn(2) && {
      policy: random.pick([
        'fastest-first',
        'ai2',
        'ti[slt=1]',
        'random[seed=3]',
        ({ sites, bestFit }) => sites.findLast(({ isFeasible }) => isFeasible)?.number ?? bestFit,
      ]),
    }),
    ...(random.oneIn(3) && { instant: 'batched' }),
    ...(random.oneIn(3) && { load: [1, 2, 0.5] }),
    ...(random.oneIn(3) && { timeResolution: 'nearest' }),
    ...(random.oneIn(4) &&
      mayShare && { limit: random.pick(['user.jobs=2', 'user[ann].processors=9;group.jobs=5']) }),
    ...(random.oneIn(5) && { partitionSites: 'p2=1+2;long=2+3' }),
    ...(random.oneIn(5) && {
      outages: '1x3@30..50+planned:2x9@100..120',
      onOutage: random.pick(['requeue', 'kill', 'drain']),
    }),
    ...(random.oneIn(6) && { warmUp: 20, coolDown: 10 }),
  };
}

test(
  'random logs, submitted in pieces, have the starts, sites and metrics of the log',
  () => {
    const messagesOfRefusals: string[] = [];
    let comparedCount = 0;
    for (const seed of listCaseSeeds(200)) {
      const random = new SeededDraws(seed);
      const workload = drawWorkload(random);
      const options = drawOptions(random, workload);
      let expected: ReturnType<typeof simulate>;
      try {
        expected = simulate(workload, grid, options);
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        messagesOfRefusals.push(error.message);
        continue;
      }
      comparedCount++;
      const liveRun = simulateJobsLive(grid, options, makeSubmittedJobs(workload, false), random);
      expectSameResultsAsLog(
        liveRun,
        expected.schedule,
        expected.summary,
        `seed ${seed}: ${JSON.stringify(options)}`,
      );
    }
    if (doesRunCoverRareCases) {
      expect(comparedCount, messagesOfRefusals.join('\n')).toBeGreaterThan(listCaseSeeds(200).length / 2);
    }
  },
  RANDOM_TEST_TIMEOUT_MILLISECONDS,
);

test(
  'jobs that have ended leave the memory, with the same results',
  () => {
    let [left, compared] = [0, 0];
    for (const seed of listCaseSeeds(150)) {
      const random = new SeededDraws(7000 + seed);
      const workload = drawWorkload(random);
      const { warmUp, coolDown, ...options } = drawOptions(random, workload);
      let expected: ReturnType<typeof simulate>;
      try {
        expected = simulate(workload, grid, options);
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        continue;
      }
      const reportedNames: string[] = [];
      const onEnd: LiveOptions['onEnd'] = ({ job }) => reportedNames.push(String(job));
      const jobs = makeSubmittedJobs(workload, false);
      let liveRun: ReturnType<typeof simulateJobsLive>;
      try {
        liveRun = simulateJobsLive(
          grid,
          { ...options, onEnd, capacity: random.between(15, 40) },
          jobs,
          random,
        );
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        expect(error.message).toMatch(
          /^submit, job \d+: \d+ jobs wait, run, or are the first one, for which capacity has room; give a larger capacity$/,
        );
        continue;
      }
      compared++;
      expectSameResultsAsLog(
        liveRun,
        expected.schedule,
        expected.summary,
        `seed ${seed}: ${JSON.stringify(options)}`,
      );
      expect(reportedNames).toEqual([...liveRun.results.keys()]);
      if (jobs.length <= 40) continue;
      expect(() => liveRun.live.resultOf(2)).not.toThrow(TypeError);
      left++;
    }
    if (!doesRunCoverRareCases) return;
    expect(left).toBeGreaterThan(0);
    expect(compared).toBeGreaterThan(listCaseSeeds(150).length / 4);
  },
  RANDOM_TEST_TIMEOUT_MILLISECONDS,
);

/** A log of jobs that end or are cancelled when somebody says so. */
test('ends, cancellations and outages that come while it runs have the results of the log', () => {
  for (const seed of listCaseSeeds(100)) {
    const random = new SeededDraws(300 + seed);
    const options: LiveOptions = {
      discipline: random.pick(['fcfs', 'first-available', 'easy', 'conservative'] as const),
      onOutage: random.pick(['requeue', 'kill', 'drain'] as const),
    };
    const workload = drawWorkload(random);
    const outages = random.oneIn(2) ? [] : [{ site: 2, from: 40, to: 70, processors: 5 }];
    const { patience, ...jobs } = workload;
    const jobsWithPatience = { ...jobs, ...(patience && { patience }) };
    const { onOutage, ...rules } = options;
    const expectedRun = simulate(jobsWithPatience, grid, {
      ...rules,
      ...(outages.length > 0 && { outages, onOutage: onOutage! }),
    });
    const live = new LiveSimulation(grid, { ...options, capacity: workload.count, maxOutages: 1 });
    if (outages.length > 0) expect(live.addOutage(outages[0]!)).toBe(1);
    const resultsByName = new Map();
    const submitted = makeSubmittedJobs(jobsWithPatience, false);
    submitted.forEach(({ patience: seconds, ...job }, i) => {
      const jobName = live.submit(job);
      if (seconds !== undefined) live.cancel(jobName, job.submit + seconds);
      if (!((submitted[i + 1]?.submit ?? 0) > job.submit)) return;
      for (const result of live.advance(job.submit).ended) resultsByName.set(String(result.job), result);
    });
    for (const result of live.finish().ended) resultsByName.set(String(result.job), result);
    expectSameResultsAsLog(
      { live, results: resultsByName },
      expectedRun.schedule,
      expectedRun.summary,
      `seed ${seed}`,
    );
  }
});

test(
  'requested times that change before the submission give the results of the log that has them',
  () => {
    let changeCount = 0;
    for (const seed of listCaseSeeds(150)) {
      const random = new SeededDraws(5000 + seed);
      const workload = drawWorkload(random);
      const options = drawOptions(random, workload);
      const context = `seed ${seed}: ${JSON.stringify(options)}`;
      let live: LiveSimulation;
      let expected: ReturnType<typeof simulate>;
      try {
        expected = simulate(workload, grid, options);
        live = new LiveSimulation(grid, { ...options, capacity: workload.count });
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        continue;
      }
      const resultsByName = new Map();
      try {
        for (const job of makeSubmittedJobs(workload, false)) {
          const isOther = random.oneIn(2);
          const jobName = live.submit({ ...job, ...(isOther && { requestedTime: random.below(50) }) });
          // The simulation has not reached the submission of the job yet.
          if (isOther) live.changeRequestedTime(jobName, job.requestedTime!);
          changeCount += Number(isOther);
          if (job.submit <= live.time + 1) continue;
          for (const result of live.advance(job.submit - 1).ended)
            resultsByName.set(String(result.job), result);
        }
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        expect(error.message, context).toMatch(
          /^changeRequestedTime: .* with the option [a-zA-Z]+; omit the option$/,
        );
        continue;
      }
      for (const result of live.finish().ended) resultsByName.set(String(result.job), result);
      expectSameResultsAsLog({ live, results: resultsByName }, expected.schedule, expected.summary, context);
    }
    if (doesRunCoverRareCases) expect(changeCount).toBeGreaterThan(listCaseSeeds(150).length);
  },
  RANDOM_TEST_TIMEOUT_MILLISECONDS,
);

test('a requested time that changes later moves plans, and forks have it', () => {
  const makeWithNewRequestedTime = (newRequestedTime: number) => {
    const live = new LiveSimulation(makeGrid({ capacities: [4] }), { discipline: 'easy' });
    live.submit({ job: 'runs', submit: 0, runtime: 90, requestedTime: 60, processors: 3 });
    live.submit({ job: 'waits', submit: 0, runtime: 50, processors: 4 });
    live.submit({ job: 'fits', submit: 10, runtime: 80, processors: 1 });
    live.advance(10);
    live.changeRequestedTime('runs', newRequestedTime);
    return live;
  };
  const startOf = (live: LiveSimulation, job: string) => {
    live.finish();
    return live.resultOf(job).start;
  };
  expect([60, 89, 90].map((time) => startOf(makeWithNewRequestedTime(time), 'fits'))).toEqual([140, 140, 10]);
  expect(startOf(makeWithNewRequestedTime(90).fork({ discipline: 'conservative' }), 'fits')).toBe(10);
  expect(startOf(makeWithNewRequestedTime(60).fork({ discipline: 'conservative' }), 'fits')).toBe(140);
  const simulationWithShorterRequest = makeWithNewRequestedTime(60);
  simulationWithShorterRequest.changeRequestedTime('fits', 50);
  expect(startOf(simulationWithShorterRequest, 'fits')).toBe(10);
});

test('jobs without a runtime end when the host says so', () => {
  const live = new LiveSimulation(makeGrid({ capacities: [4] }), { discipline: 'easy' });
  live.submit({ job: 'a', submit: 0, processors: 4, requestedTime: 100 });
  live.submit({ job: 'b', submit: 0, processors: 2, runtime: 5 });
  expect(live.advance(10)).toEqual({
    started: [{ job: 'a', state: 'running', submit: 0, start: 0, end: undefined, site: 1, processors: 4 }],
    ended: [],
  });
  expect(live.nextEventTime).toBe(Number.POSITIVE_INFINITY);
  expect(() => live.finish()).toThrow(
    new InputError('finish: jobs have no known end: a; call end or cancel for them first'),
  );
  live.end('a', 30);
  expect(live.nextEventTime).toBe(30);
  expect(live.resultOf('b')).toMatchObject({ state: 'waiting', start: undefined, site: undefined });
  const { started, ended } = live.advance(32);
  expect([started.map(({ job }) => job), ended.map(({ job, end }) => [job, end])]).toEqual([
    ['b'],
    [['a', 30]],
  ]);
  expect(live.progress).toEqual({ time: 32, submitted: 2, waiting: 0, held: 0, running: 1, ended: 1 });
  live.finish();
  expect(live.summary()).toMatchObject({ jobs: 2, meanWait: 15, makespan: 35, utilization: 130 / 140 });
});

const JOBS: readonly SubmittedJob[] = [
  { job: 'a', submit: 0, runtime: 50, processors: 3, user: 'ann' },
  { job: 'b', submit: 1, runtime: 20, processors: 4, user: 'bob' },
  { job: 'c', submit: 2, runtime: 60, processors: 1, user: 'ann' },
  { job: 'd', submit: 3, runtime: 10, processors: 1 },
];

/** Simulation with the jobs above at time 5. */
function makeStarted(options: LiveOptions = {}): LiveSimulation {
  const live = new LiveSimulation(makeGrid({ capacities: [4] }), options);
  for (const job of JOBS) live.submit(job);
  live.advance(5);
  return live;
}

const readStartTimes = (live: LiveSimulation) => JOBS.map(({ job }) => live.resultOf(job!).start);

test('a fork goes on by itself, under the same or other options', () => {
  const live = makeStarted();
  expect(live.waiting).toEqual(['b', 'c', 'd']);
  const unchangedFork = live.fork();
  unchangedFork.submit({ job: 'e', submit: 6, runtime: 1, processors: 4 });
  live.submit({ job: 'e', submit: 7, runtime: 5, processors: 1 });
  unchangedFork.finish();
  expect([...readStartTimes(unchangedFork), unchangedFork.resultOf('e').start]).toEqual([0, 50, 70, 70, 130]);
  expect(unchangedFork.summary().jobs).toBe(5);
  const forkWithEasy = live.fork({ discipline: 'easy' });
  expect(forkWithEasy.running).toEqual(['a']);
  forkWithEasy.finish();
  expect(readStartTimes(forkWithEasy)).toEqual([0, 50, 70, 5]);
  const forkWithConservative = live.fork({ discipline: 'conservative' });
  const forkOfConservativeFork = forkWithConservative.fork({ order: 'submit', name: 'other' });
  for (const liveSimulation of [forkWithConservative, forkOfConservativeFork]) {
    liveSimulation.finish();
    expect([...readStartTimes(liveSimulation), liveSimulation.resultOf('e').start]).toEqual([
      0, 50, 70, 5, 15,
    ]);
  }
  expect(forkOfConservativeFork.summary().workload).toBe('other');
  live.finish();
  expect([...readStartTimes(live), live.resultOf('e').start]).toEqual([0, 50, 70, 70, 70]);
  unchangedFork.dispose();
});

test('a fork of a simulation whose jobs leave reports only to its own function', () => {
  const [reported, forked]: [unknown[], unknown[]] = [[], []];
  const live = makeStarted({ onEnd: ({ job }) => reported.push(job), capacity: 5 });
  live.advance(75);
  live.fork().finish();
  const fork = live.fork({ onEnd: ({ job }) => forked.push(job) });
  fork.submit({ submit: 100, runtime: 1, processors: 1 });
  fork.submit({ submit: 101, runtime: 1, processors: 1 });
  expect(() => fork.resultOf('b')).toThrow("there is no job 'b', or it has ended and left the memory");
  fork.finish();
  expect([reported, forked]).toEqual([
    ['a', 'b'],
    ['d', 5, 6, 'c'],
  ]);
  live.finish();
  expect(fork.summary()).toMatchObject({ jobs: 6, workload: 'live' });
  expect([live.summary().jobs, reported]).toEqual([4, ['a', 'b', 'd', 'c']]);
});

test('a fork under another discipline has held jobs, told ends and cancellations', () => {
  const live = makeStarted();
  live.hold('b');
  live.end('a', 8);
  live.cancel('d', 9);
  const fork = live.fork({ discipline: 'easy' });
  fork.advance(20);
  for (const liveSimulation of [fork, live]) {
    liveSimulation.advance(20);
    expect(JOBS.map(({ job }) => liveSimulation.resultOf(job!).state)).toEqual([
      'ended',
      'held',
      'running',
      'cancelled',
    ]);
    liveSimulation.release('b');
    liveSimulation.finish();
    expect(liveSimulation.resultOf('b')).toMatchObject({ start: 65, site: 1 });
  }
});

test('a fork under another policy continues as a run whose policy changes', () => {
  const live = new LiveSimulation(grid, { policy: 'best-fit' });
  live.submit({ submit: 0, runtime: 100, processors: 3 });
  live.advance(0);
  live.submit({ submit: 1, runtime: 100, processors: 3 });
  const fork = live.fork({ policy: 'fastest-first' });
  fork.finish();
  live.finish();
  expect(
    [live, fork].map((liveSimulation) => [1, 2].map((job) => liveSimulation.resultOf(job).site)),
  ).toEqual([
    [3, 1],
    [3, 2],
  ]);
  expect(fork.summary()).toMatchObject({ policy: 'fastest-first', jobs: 2 });
});

test(
  'a fork of random simulations has the results of its original',
  () => {
    for (const seed of listCaseSeeds(100)) {
      const random = new SeededDraws(900 + seed);
      const workload = drawWorkload(random);
      const options = drawOptions(random, workload);
      let live: LiveSimulation;
      try {
        simulate(workload, grid, options);
        live = new LiveSimulation(grid, { ...options, capacity: workload.count });
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        continue;
      }
      const jobs = makeSubmittedJobs(workload, false);
      const firstHalfOfJobs = jobs.slice(0, Math.ceil(jobs.length / 2));
      for (const job of firstHalfOfJobs) live.submit(job);
      live.advance(firstHalfOfJobs.at(-1)!.submit + 3);
      const fork = live.fork();
      for (const liveSimulation of [fork, live]) {
        for (const job of jobs.slice(firstHalfOfJobs.length))
          if (job.submit > firstHalfOfJobs.at(-1)!.submit + 3) liveSimulation.submit(job);
        liveSimulation.finish();
      }
      expect(fork.summary(), `seed ${seed}`).toEqual(live.summary());
      fork.dispose();
      live.dispose();
    }
  },
  RANDOM_TEST_TIMEOUT_MILLISECONDS,
);

test('a state of running and waiting jobs', () => {
  const live = new LiveSimulation(makeGrid({ capacities: [4] }), {
    discipline: 'conservative',
    state: {
      time: 100,
      jobs: [
        { job: 'a', submit: 0, runtime: 150, processors: 3, start: 0, site: 1 },
        { job: 'b', submit: 20, runtime: 60, processors: 4, reservation: { start: 150, site: 1 } },
        { job: 'c', submit: 30, runtime: 40, processors: 1 },
      ],
    },
  });
  expect([live.time, live.running, live.waiting]).toEqual([100, ['a'], ['b', 'c']]);
  expect(live.advance(100).started.map(({ job }) => job)).toEqual(['c']);
  expect(live.submit({ submit: 100, runtime: 5, processors: 1 })).toBe(4);
  live.finish();
  expect(live.resultOf('b')).toMatchObject({ start: 150, end: 210 });
});
