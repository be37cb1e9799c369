import { describe, expect, test } from 'vitest';
import { InputError } from '../../host/errors.js';
import { makeGrid } from '../../host/grid/grid.js';
import type { LiveOptions } from '../../host/live/liveOptions.js';
import { LiveSimulation } from '../../host/live/liveSimulation.js';
import { SUBMITTED_JOB_FIELDS } from '../../host/live/submittedJob.js';
import { simulate } from '../../host/simulate/simulate.js';
import { makeTrace } from '../../host/trace/makeTrace.js';
import { makeWorkload } from '../../host/workload/make.js';

/** All errors of live simulations are sentences, and a refused call changes nothing. */

const grid = makeGrid({ capacities: [4, 2], speeds: [1, 2] });
const JOB = { submit: 10, runtime: 5, processors: 2 };

const catchInputErrorMessage = (call: () => unknown): string => {
  try {
    call();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    expect(error.message).toMatch(/^[a-zA-Z].*[^.\s]$/);
    expect(error.message).not.toMatch(/undefined job|NaN job|status|Refusal/);
    return error.message;
  }
  throw new Error('there is no error');
};

/** A simulation at time 10 with a running, a waiting and a held job, and one that has ended. */
function makeStartedSimulation(options: LiveOptions = {}): LiveSimulation {
  const live = new LiveSimulation(grid, { maxOutages: 1, ...options });
  live.submit({ job: 'over', submit: 0, runtime: 5, processors: 4 });
  live.submit({ job: 'runs', submit: 1, runtime: 50, processors: 4 });
  live.submit({ job: 'waits', submit: 2, runtime: 50, processors: 4 });
  live.submit({ job: 'held', submit: 3, runtime: 50, processors: 4 });
  live.advance(4);
  live.hold('held');
  live.advance(10);
  return live;
}

/** All that a simulation shows of itself. */
const describeVisibleState = (live: LiveSimulation) =>
  JSON.stringify([live.progress, live.waiting, live.running, live.nextEventTime, live.resultOf('held')]);

const VALUES_OF_WRONG_TYPE: readonly unknown[] = [
  null,
  Number.NaN,
  -1,
  1e301,
  'x',
  '',
  true,
  {},
  [],
  () => 1,
  1.5,
  Infinity,
];
const CORRECT_VALUES_BY_FIELD: Readonly<Record<string, readonly unknown[]>> = {
  job: ['x'],
  submit: [1.5],
  runtime: [1.5],
  requestedTime: [1.5],
  patience: [1.5],
  ...{ user: ['x'], group: ['x'], queue: ['x'], partition: ['x'], data: [1.5, 1e301] },
};

describe.each(SUBMITTED_JOB_FIELDS)('field %s', (field) => {
  test.each(
    VALUES_OF_WRONG_TYPE.filter((wrongValue) => !CORRECT_VALUES_BY_FIELD[field]?.includes(wrongValue)).map(
      (wrongValue) => [wrongValue],
    ),
  )('of %o is refused with its name', (value) => {
    const live = new LiveSimulation(grid, { bandwidth: 1, discipline: 'conservative' });
    const message = catchInputErrorMessage(() => live.submit({ ...JOB, [field]: value } as never));
    expect(message).toMatch(
      new RegExp(`^submit(, job [^:]*)?(, ${field}: expected .*, found |: .*execution)`),
    );
    expect(live.submit({ ...JOB, job: 'next' })).toBe('next');
  });
});

const METHODS = ['end', 'cancel', 'hold', 'release', 'changeRequestedTime', 'resultOf'] as const;

describe.each(METHODS)('%s', (method) => {
  test.each([undefined, null, {}, [], 'unknown', 17, Number.NaN, true])('of the unknown job %o', (job) => {
    const live = makeStartedSimulation();
    const visibleStateBefore = describeVisibleState(live);
    expect(catchInputErrorMessage(() => live[method](job as never, 1))).toMatch(
      new RegExp(`^${method}: there is no job .*(; submit it first|did you mean .*)$`),
    );
    expect(describeVisibleState(live)).toBe(visibleStateBefore);
  });
  test('suggests the nearest name', () => {
    expect(catchInputErrorMessage(() => makeStartedSimulation()[method]('wait', 1))).toBe(
      `${method}: there is no job 'wait'; did you mean 'waits'?`,
    );
  });
});

test.each([
  ['end', 'waits', 'end, job waits: it is waiting, expected running'],
  ['end', 'over', 'end, job over: it is ended, expected running'],
  ['cancel', 'over', 'cancel, job over: it is ended, expected submitted or waiting or held or running'],
  ['hold', 'runs', 'hold, job runs: it is running, expected waiting'],
  ['hold', 'held', 'hold, job held: it is held, expected waiting'],
  ['release', 'waits', 'release, job waits: it is waiting, expected held'],
] as const)('%s of a job in another state: %s', (method, job, message) => {
  expect(catchInputErrorMessage(() => makeStartedSimulation()[method](job))).toBe(message);
});

const clauseAboutTime10 = 'since the simulation has advanced to 10; give a later time';

test.each<[string, (live: LiveSimulation) => unknown, string]>([
  [
    'late',
    (live) => live.submit({ ...JOB, submit: 9 }),
    'submit: it is submitted at 9, and the simulation has advanced to 10; submit jobs before you advance to their submission',
  ],
  [
    'no object',
    (live) => live.submit(3 as never),
    'submit: expected a job such as { submit: 0, runtime: 60, processors: 4 }, found 3',
  ],
  [
    'misspelt',
    (live) => live.submit({ ...JOB, procesors: 1 } as never),
    "unknown field of a job 'procesors'; did you mean 'processors'? Known: job, submit, runtime, processors, requestedTime, home, user, group, queue, partition, data, patience",
  ],
  [
    'without processors',
    (live) => live.submit({ submit: 10, runtime: 1 } as never),
    'submit, processors: expected a whole number of at least 1, found undefined',
  ],
  [
    'without an end',
    (live) => live.submit({ submit: 10, processors: 1 }),
    'submit: expected a runtime, or a requestedTime until `end` tells when the job ends; found neither',
  ],
  [
    'too wide',
    (live) => live.submit({ ...JOB, processors: 5 }),
    'submit, job 5: job 5 needs 5 processors, and the largest site has 4; split it, or give a larger site',
  ],
  [
    'unknown home',
    (live) => live.submit({ ...JOB, home: 3 }),
    'submit: there is no site 3; the grid has 2 sites, numbered from 1',
  ],
  [
    'repeated',
    (live) => live.submit({ ...JOB, job: 'over' }),
    'submit, job over: there is a job of this name already; give another name',
  ],
  [
    'data',
    (live) => live.submit({ ...JOB, data: 5 }),
    'submit, data: it counts with the option bandwidth only; give it, or omit data',
  ],
  ['past end', (live) => live.end('runs', 9), `end, job runs: the time 9 is over, ${clauseAboutTime10}`],
  [
    'past cancellation',
    (live) => live.cancel('waits', 9),
    `cancel, job waits: the time 9 is over, ${clauseAboutTime10}`,
  ],
  [
    'wrong end',
    (live) => live.end('runs', 'x' as never),
    "end, job runs: expected a number of seconds of at least 0, found 'x'",
  ],
  [
    'wrong requested time',
    (live) => live.changeRequestedTime('runs', -1),
    'changeRequestedTime, job runs: expected a number of seconds of at least 0, found -1',
  ],
  [
    'no requested time',
    (live) => live.changeRequestedTime('waits', undefined as never),
    'changeRequestedTime, job waits: expected a number of seconds of at least 0, found undefined',
  ],
  [
    'requested time of a job that has ended',
    (live) => live.changeRequestedTime('over', 5),
    'changeRequestedTime, job over: it is ended, expected submitted or waiting or held or running',
  ],
  [
    'endless requested time',
    (live) => live.changeRequestedTime('waits', 1e300),
    'changeRequestedTime, job waits: job waits would take more than 1e15 seconds by this requested time; give a shorter one',
  ],
  ['past time', (live) => live.advance(9), `advance: the time 9 is over, ${clauseAboutTime10}`],
  [
    'wrong time',
    (live) => live.advance(Number.NaN),
    'advance: expected a number of seconds of at least 0, found NaN',
  ],
  ['held at the end', (live) => live.finish(), 'finish: jobs are held: held; release or cancel them first'],
  [
    'early summary',
    (live) => live.summary(),
    'summary: the simulation is not finished; call finish first, or fork it and finish the fork',
  ],
  [
    'outage of no site',
    (live) => live.addOutage({ site: 3, from: 20 }),
    'addOutage: there is no site 3; the grid has 2 sites, numbered from 1',
  ],
  [
    'outage in the past',
    (live) => live.addOutage({ site: 1, from: 5 }),
    'addOutage: it begins at 5, and the simulation has advanced to 10; give a later time',
  ],
  [
    'wide outage',
    (live) => live.addOutage({ site: 1, from: 20, to: 30, processors: 5 }),
    'addOutage: it takes 5 processors, and site 1 has 4; give fewer',
  ],
  [
    'reversed outage',
    (live) => live.addOutage({ site: 1, from: 20, to: 15 }),
    'addOutage: it ends at 15, not after its begin at 20; give a later end',
  ],
  [
    'misspelt outage',
    (live) => live.addOutage({ site: 1, form: 20 } as never),
    "unknown field of an outage 'form'; did you mean 'from'? Known: site, from, to, processors, isPlanned, firstProcessor",
  ],
  [
    'outage without site',
    (live) => live.addOutage({ from: 20 } as never),
    'addOutage, site: expected the number of a site, from 1, found undefined',
  ],
  [
    'outage by nodes',
    (live) => live.addOutage({ site: 1, from: 20, processors: 1, firstProcessor: 1 }),
    "addOutage, firstProcessor: only plans by nodes know it; omit it, or give planBy: 'node'",
  ],
  [
    'endless outage',
    (live) => live.addOutage({ site: 1, from: 20 }),
    'addOutage: job waits needs 4 processors, more than any site that it may use has beside the outages that do not end (the largest has 4); split it, or give a larger site or an end of the outage',
  ],
  [
    'unknown outage',
    (live) => live.changeOutage(1, { to: 20 }),
    'changeOutage, outage 1: there is no such outage; give a number that addOutage has returned',
  ],
  [
    'unknown option of a fork',
    (live) => live.fork({ state: { time: 0, jobs: [] } } as never),
    "fork has no option 'state'; state is an option of LiveSimulation",
  ],
  [
    'outages of a fork',
    (live) => live.fork({ discipline: 'easy' }),
    "fork, discipline: the copy begins from the running and waiting jobs, and outages cannot go along; leave them out with outages: 'none' and maxOutages: 0, or fork without discipline",
  ],
])('%s', (_, call, message) => {
  const live = makeStartedSimulation();
  const visibleStateBefore = describeVisibleState(live);
  expect(catchInputErrorMessage(() => call(live))).toBe(message);
  expect(describeVisibleState(live)).toBe(visibleStateBefore);
});

test('outages whose room is taken, and changes of what has happened', () => {
  const live = makeStartedSimulation();
  expect(live.addOutage({ site: 2, from: 20, to: 30 })).toBe(1);
  expect(catchInputErrorMessage(() => live.addOutage({ site: 2, from: 40, to: 50 }))).toBe(
    'addOutage: there are 1 outage, for which maxOutages has room; give a larger maxOutages',
  );
  live.advance(25);
  expect(catchInputErrorMessage(() => live.changeOutage(1, { processors: 1 }))).toBe(
    'changeOutage, outage 1, processors: it has begun at 20, and only its end can change',
  );
  live.changeOutage(1, { to: 28 });
  live.advance(29);
  expect(catchInputErrorMessage(() => live.changeOutage(1, { to: 35 }))).toBe(
    'changeOutage, outage 1: it has ended at 28, before the time 29; add another outage',
  );
});

test('a full capacity', () => {
  for (const onEnd of [undefined, () => {}]) {
    const live = new LiveSimulation(grid, { capacity: 2, onEnd });
    live.submit(JOB);
    live.submit(JOB);
    expect(catchInputErrorMessage(() => live.submit(JOB))).toBe(
      onEnd
        ? 'submit, job 3: 2 jobs wait, run, or are the first one, for which capacity has room; give a larger capacity'
        : 'submit, job 3: 2 jobs have been submitted, for which capacity has room; give a larger capacity, or onEnd so that jobs which have ended leave',
    );
    live.finish();
    expect(live.summary().jobs).toBe(2);
    expect(catchInputErrorMessage(() => live.submit(JOB))).toBe(
      'submit: the simulation is finished; fork it before, or begin another one',
    );
    live.dispose();
    expect(catchInputErrorMessage(() => live.resultOf(1))).toMatch(
      /^resultOf: the simulation is disposed of/,
    );
  }
});

test('names and numbers in one field', () => {
  const live = new LiveSimulation(grid);
  live.submit({ ...JOB, user: 7 });
  expect(catchInputErrorMessage(() => live.submit({ ...JOB, user: 'ann' }))).toBe(
    'submit, user: found a name, "ann", and earlier jobs have numbers; give all jobs one kind',
  );
});

test.each<[LiveOptions, string]>([
  [{ limit: 'user.jobs=1' }, 'cancel: jobs cannot leave the queue with the option limit; omit the option'],
  [{ order: 'usage' }, 'cancel: jobs cannot leave the queue with the option order; omit the option'],
  [{ moldable: 'down' }, 'cancel: jobs cannot leave the queue with the option moldable; omit the option'],
])('cancellations with %j', (options, message) => {
  const live = new LiveSimulation(grid, options);
  live.submit({ ...JOB, job: 'a' });
  expect(catchInputErrorMessage(() => live.cancel('a'))).toBe(message);
  expect(catchInputErrorMessage(() => live.submit({ ...JOB, patience: 3 }))).toMatch(
    /^submit, patience: jobs cannot be cancelled/,
  );
});

test('limits and partitions of a job', () => {
  const live = new LiveSimulation(grid, {
    ...{ limit: 'user.processors=3;user[bob].processors=1', partitionSites: 'one=1;two=2' },
  });
  expect(catchInputErrorMessage(() => live.submit({ ...JOB, processors: 4, user: 'ann' }))).toBe(
    'submit, job 1: its 4 processors alone exceed the limit of 3 for user ann; raise the option limit, or split the job',
  );
  expect(catchInputErrorMessage(() => live.submit({ ...JOB, user: 'bob' }))).toMatch(
    /limit of 1 for user bob/,
  );
  expect(catchInputErrorMessage(() => live.submit({ ...JOB, partition: 'one', queue: 'two' }))).toBe(
    'submit, job 1: its partition one and its queue two have no site in common; change the option partitionSites',
  );
});

const WAITING = { job: 'w', submit: 3, runtime: 5, processors: 1 };
test.each<[unknown, string]>([
  [{ Discipline: 'easy' }, "unknown option of LiveSimulation 'Discipline'; did you mean 'discipline'?"],
  [{ capacity: 0 }, 'LiveSimulation, capacity: expected a whole number from 1 to 50000000, found 0'],
  [{ maxOutages: 'x' }, "LiveSimulation, maxOutages: expected a whole number from 0 to 50000000, found 'x'"],
  [{ onEnd: 3 }, 'LiveSimulation, onEnd: expected a function, found 3'],
  [{ name: 3 }, 'LiveSimulation, name: expected a text, found 3'],
  [
    { unixStartTime: 'x' },
    "LiveSimulation, unixStartTime: expected a number of seconds since 1970, found 'x'",
  ],
  [
    { queue: 'per-home' },
    'LiveSimulation, queue: jobs that come while a simulation runs wait in one queue; omit it',
  ],
  [
    { dependencies: 'log' },
    "LiveSimulation has no option 'dependencies'; dependencies is an option of makeWorkload",
  ],
  [
    { outages: '1x1@2020-01-01..2020-01-02' },
    'outage 1x1@2020-01-01..2020-01-02: live has no start date (UnixStartTime)',
  ],
  [
    { warmUp: 5, onEnd: () => {} },
    'LiveSimulation, warmUp: means over some of the jobs need jobs that onEnd lets leave; omit one of them',
  ],
  [{ coolDown: 5, onEnd: () => {} }, 'LiveSimulation, coolDown: means over some of the jobs'],
  [
    { policy: 'dynamic', onEnd: () => {} },
    'LiveSimulation, policy: its trials need jobs that onEnd lets leave',
  ],
  [{ moldable: 'down', maxOutages: 1 }, "outages cannot be combined with moldable: 'down'"],
  [{ partitionSites: 'a=7' }, 'partitionSites: a is to have site 7, and the grid has 2 sites'],
  [{ policy: 'dynamic[futures=3]' }, 'with estimates there is only one future'],
  [{ state: 3 }, 'LiveSimulation, state: expected an object with time and jobs, found 3'],
  [
    { state: { time: -1, jobs: [] } },
    'LiveSimulation, state, time: expected a number of seconds of at least 0, found -1',
  ],
  [
    { state: { time: 5, jobs: [{ ...WAITING, Start: 3 }] } },
    "unknown field of a job 'Start'; did you mean 'start'?",
  ],
  [
    { state: { time: 5, jobs: [{ ...WAITING, submit: 6 }] } },
    'LiveSimulation, state, job w: 6 is after the time 5 of the state; submit the job later',
  ],
  [
    { state: { time: 5, jobs: [{ ...WAITING, start: 4 }] } },
    'LiveSimulation, state, job w: a job that runs has both a start and a site; give the other one, too',
  ],
  [
    { state: { time: 5, jobs: [{ ...WAITING, start: 2, site: 1 }] } },
    'LiveSimulation, state, job w: it starts at 2, before its submission at 3; correct one of them',
  ],
  [
    { state: { time: 5, jobs: [{ ...WAITING, start: 4, site: 3 }] } },
    'LiveSimulation, state, job w: there is no site 3; the grid has 2 sites',
  ],
  [
    { state: { time: 5, jobs: [{ ...WAITING, start: 4, site: 2, processors: 3 }] } },
    'LiveSimulation: job w does not fit on site 2 beside the others, or may not use it; give another site',
  ],
  [
    { state: { time: 5, jobs: [WAITING, WAITING] } },
    'LiveSimulation, state, job w: there is a job of this name already; give another name',
  ],
  [
    { state: { time: 5, jobs: [WAITING, { ...WAITING, job: 'v', submit: 2 }] } },
    'LiveSimulation, state, job v: it is submitted at 2, before the job above it at 3; sort the jobs by submit',
  ],
  [
    { state: { time: 5, jobs: [] }, maxOutages: 1 },
    'LiveSimulation, outages: a simulation that begins from a state cannot have it',
  ],
  [
    { state: { time: 5, jobs: [] }, moldable: 'down' },
    'LiveSimulation, moldable: a simulation that begins from a state cannot have it',
  ],
  [
    { state: { time: 5, jobs: [{ ...WAITING, reservation: { start: 9, site: 1 } }] } },
    'LiveSimulation, state, job w, reservation: only reservations that are kept can be given',
  ],
])('options %j', (options, message) => {
  expect(catchInputErrorMessage(() => new LiveSimulation(grid, options as never))).toContain(message);
});

test('a state with a known end in the past', () => {
  const jobs = [{ ...WAITING, submit: 0, runtime: 1, start: 1, site: 1 }];
  const makeSimulationFromState = () => new LiveSimulation(grid, { state: { time: 5, jobs } });
  expect(catchInputErrorMessage(makeSimulationFromState)).toBe(
    'LiveSimulation, state, job w: it would have ended at 2, before the time 5 of the state; leave it out, or omit its runtime',
  );
});

test('a simulation all of whose jobs were cancelled has no metrics', () => {
  const message = 'every job was cancelled, so there are no metrics; give other jobs, too';
  const live = new LiveSimulation(grid);
  live.submit({ ...JOB, job: 'only', submit: 0 });
  live.cancel('only', 0);
  live.finish();
  expect(catchInputErrorMessage(() => live.summary())).toBe(message);
  const workload = makeWorkload(makeTrace([{ submit: 0, runtime: 5, processors: 2, requestedTime: 5 }]), {
    siteCount: 2,
    capacities: grid.capacities,
  });
  const workloadWithPatience = { ...workload, patience: Float64Array.of(0) };
  for (const options of [{}, { warmUp: 1 }, { policy: 'fastest-first', discipline: 'easy' }] as const)
    expect(catchInputErrorMessage(() => simulate(workloadWithPatience, grid, options))).toBe(message);
});
