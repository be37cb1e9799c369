import { expect, test } from 'vitest';
import { InputError } from '../../host/errors.js';
import { makeGrid } from '../../host/grid/grid.js';
import type { LiveForkOptions, LiveOptions } from '../../host/live/liveOptions.js';
import { LiveSimulation } from '../../host/live/liveSimulation.js';
import type { LiveStateJob } from '../../host/live/submittedJob.js';

/** Forks with other options take the jobs as they are now; forks with the same options are copies. */

const grid = makeGrid({ capacities: [4] });

const makeLiveSimulation = (options: LiveOptions = {}) => new LiveSimulation(grid, options);

/** A simulation at time 5 with a job that has ended, one that runs and one that waits. */
function makeStartedSimulation(options: LiveOptions = {}): LiveSimulation {
  const live = makeLiveSimulation(options);
  live.submit({ job: 'over', submit: 0, runtime: 2, processors: 4 });
  live.submit({ job: 'runs', submit: 1, runtime: 10, requestedTime: 60, processors: 4 });
  live.submit({ job: 'waits', submit: 2, runtime: 10, processors: 4 });
  live.advance(5);
  return live;
}

/** Results of the last two jobs and number of jobs in the metrics after the end. */
function finished(live: LiveSimulation) {
  live.finish();
  const { start: _, ...runsResult } = live.resultOf('runs');
  return { runs: runsResult, waits: live.resultOf('waits'), jobs: live.summary().jobs };
}

test.each<[string, (live: LiveSimulation) => void, number]>([
  ['a later end', (live) => live.end('runs', 50), 50],
  ['an earlier end', (live) => live.end('runs', 7), 7],
  ['a later end after an earlier one', (live) => [6, 40].forEach((time) => void live.end('runs', time)), 40],
])('a fork has the end of a running job as it is known now: %s', (_, correctRunningJob, end) => {
  const live = makeStartedSimulation();
  correctRunningJob(live);
  live.advance(Math.min(20, end - 0.5));
  const fork = live.fork({ discipline: 'easy' });
  expect(fork.resultOf('runs')).toEqual(live.resultOf('runs'));
  expect([finished(fork), finished(live)]).toEqual([
    expect.objectContaining({ waits: expect.objectContaining({ start: end }), jobs: 2 }),
    expect.objectContaining({ waits: expect.objectContaining({ start: end }), jobs: 3 }),
  ]);
});

test.each<[string, (live: LiveSimulation) => void, number]>([
  ['that ends before', (live) => live.cancel('waits', 100), 22],
  ['that is cut', (live) => live.cancel('waits', 15), 15],
  [
    'whose end is told again',
    (live) => {
      live.cancel('waits', 15);
      live.advance(13);
      live.end('waits', 30);
      live.advance(20);
    },
    30,
  ],
])('a fork has a running job with a cancellation %s', (_, correctRunningJob, end) => {
  const live = makeStartedSimulation();
  correctRunningJob(live);
  live.advance(Math.max(13, live.time));
  expect(live.resultOf('waits')).toMatchObject({ state: 'running', start: 12, end });
  const fork = live.fork({ discipline: 'easy' });
  expect(fork.resultOf('waits')).toEqual(live.resultOf('waits'));
  fork.submit({ job: 'next', submit: live.time, runtime: 1, processors: 4 });
  fork.finish();
  expect(fork.resultOf('waits')).toMatchObject({ state: 'cancelled', start: 12, end });
  expect(fork.resultOf('next').start).toBe(end);
  // Cancelled jobs are in no mean, whenever they end.
  expect(fork.summary().jobs).toBe(1);
  live.finish();
  expect(live.summary().jobs).toBe(2);
});

test.each<[LiveOptions, LiveForkOptions]>([
  [{ discipline: 'easy' }, { discipline: undefined }],
  [{ discipline: 'easy' }, { discipline: 'easy', name: 'B' }],
  [{}, { discipline: 'fcfs', capacity: 10_000, unixStartTime: undefined }],
  [
    { maxOutages: 2, onOutage: 'requeue' },
    { name: 'B', order: 'submit' },
  ],
  [{ policy: 'best-fit' }, { policy: 'fastest-first', name: 'B' }],
  [
    { unixStartTime: 7, capacity: 20 },
    { unixStartTime: 7, capacity: 20, onEnd: undefined },
  ],
])('a simulation with %j, forked with %j, keeps the jobs that have ended', (options, forkOptions) => {
  const fork = makeStartedSimulation(options).fork(forkOptions);
  expect(fork.resultOf('over').state).toBe('ended');
  fork.finish();
  expect(fork.summary()).toMatchObject({ jobs: 3, workload: forkOptions.name ?? 'live' });
});

test.each<LiveForkOptions>([{ capacity: 20 }, { unixStartTime: 7 }, { discipline: 'easy' }])(
  'a fork with %j begins from the jobs that have not ended',
  (forkOptions) => {
    const fork = makeStartedSimulation().fork(forkOptions);
    expect(() => fork.resultOf('over')).toThrow("resultOf: there is no job 'over'");
    fork.finish();
    expect(fork.summary().jobs).toBe(2);
  },
);

test('a fork with another function as its order has this order', () => {
  const live = makeLiveSimulation({ order: ({ submit }) => submit });
  live.submit({ job: 'runs', submit: 0, runtime: 10, processors: 4 });
  live.submit({ job: 'early', submit: 1, runtime: 10, processors: 4 });
  live.submit({ job: 'late', submit: 2, runtime: 10, processors: 4 });
  live.advance(3);
  const fork = live.fork({ order: ({ submit }) => -submit });
  fork.finish();
  expect(fork.resultOf('late').start).toBe(10);
});

test('rules that change to undefined stay, also in forks', () => {
  const live = makeStartedSimulation({ discipline: 'easy', mayChangeRules: true });
  live.changeRules({ discipline: undefined, order: 'shortest' });
  const fork = live.fork();
  expect(fork.resultOf('over').state).toBe('ended');
  fork.finish();
  expect(fork.summary().jobs).toBe(3);
});

test('a fork leaves out outages if it says so', () => {
  const live = makeStartedSimulation({ discipline: 'easy', maxOutages: 1, onOutage: 'requeue' });
  live.addOutage({ site: 1, from: 6, to: 100 });
  live.advance(7);
  expect(live.waiting).toEqual(['runs', 'waits']);
  const fork = live.fork({ outages: 'none', maxOutages: 0 });
  expect(finished(fork)).toMatchObject({ runs: { end: 17 }, waits: { start: 17 } });
  expect(finished(live)).toMatchObject({ runs: { end: 110 }, waits: { start: 110 } });
});

const clauseAboutCopy = 'the copy begins from the running and waiting jobs, and';
const adviceToLeaveOutOutages = "leave them out with outages: 'none' and maxOutages: 0, or fork without";
test.each<[LiveOptions, object, string]>([
  [
    { maxOutages: 1 },
    { discipline: 'easy', order: 'shortest' },
    `fork, discipline, order: ${clauseAboutCopy} outages cannot go along; ${adviceToLeaveOutOutages} discipline and order`,
  ],
  [
    { discipline: 'easy', outages: '1x1@50..60' },
    { policy: 'best-fit', name: 'B' },
    `fork, policy: ${clauseAboutCopy} outages cannot go along; ${adviceToLeaveOutOutages} policy`,
  ],
  [
    {},
    { maxOutages: 1 },
    `fork, maxOutages: ${clauseAboutCopy} outages cannot go along; ${adviceToLeaveOutOutages} maxOutages`,
  ],
  [
    {},
    { moldable: 'down' },
    `fork, moldable: ${clauseAboutCopy} the option moldable cannot go along; give the fork another moldable, or fork without moldable`,
  ],
  [
    { moldable: 'down' },
    { load: 2 },
    'fork: jobs that run with the option moldable cannot be taken over under other options; change the policy or the name only',
  ],
])('a simulation with %j cannot be forked with %j', (options, forkOptions, message) => {
  expect(() => makeStartedSimulation(options).fork(forkOptions)).toThrow(new InputError(message));
});

/** Jobs at time 10, of which the first one started last. */
const STATE_JOBS: readonly LiveStateJob[] = [
  { job: 'a', submit: 0, runtime: 50, processors: 1, user: 'ann', start: 5, site: 1 },
  { job: 'b', submit: 1, runtime: 50, processors: 1, user: 'bob', start: 3, site: 1 },
];

test.each(['usage', 'share', 'multifactor[fairshare=10]'])(
  'order %s takes running jobs that started in order of submission',
  (order) => {
    const message =
      'LiveSimulation, state, job b: it starts at 3, and a job above it at 5; the option order counts what users use, for which running jobs must have started in order of submission; choose another order';
    const state = { time: 10, jobs: STATE_JOBS };
    expect(() => makeLiveSimulation({ order, state })).toThrow(message);
    expect(() => makeLiveSimulation({ state }).fork({ order })).toThrow(message);
    const [first, second] = STATE_JOBS as [LiveStateJob, LiveStateJob];
    const inOrder = { time: 10, jobs: [first, { ...second, start: 5 }] };
    expect(makeLiveSimulation({ order, state: inOrder }).running).toEqual(['a', 'b']);
    expect(makeLiveSimulation({ state: inOrder }).fork({ order }).running).toEqual(['a', 'b']);
  },
);

test('a state refuses cancellations that its options cannot have', () => {
  const jobs = [{ job: 'a', submit: 0, runtime: 50, processors: 1, patience: 5 }];
  expect(() => makeLiveSimulation({ order: 'usage', state: { time: 1, jobs } })).toThrow(
    'LiveSimulation, state, job a, patience: jobs cannot be cancelled with the option order; omit one of them',
  );
});
