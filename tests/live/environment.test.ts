import { expect, test } from 'vitest';
import { InputError } from '../../host/errors.js';
import { makeGrid } from '../../host/grid/grid.js';
import { Environment, type EnvironmentOptions } from '../../host/learn/environment.js';
import type { LiveResult } from '../../host/live/liveResult.js';
import type { SubmittedJob } from '../../host/live/submittedJob.js';
import { withEstimates } from '../../host/workload/estimates.js';
import { makeWorkload } from '../../host/workload/make.js';
import { makeModelTrace } from '../../host/workload/models.js';
import { SeededDraws } from '../reference/cases/draws.js';
import { makeSubmittedJobs } from './liveJobs.js';

/** Episodes whose jobs come one by one. */

const grid = makeGrid({ capacities: [8, 128, 64], speeds: [1, 2, 0.5] });
const workloadOf = (replication: number) =>
  withEstimates(
    makeWorkload(makeModelTrace(`lublin99[jobs=150,seed=${replication}]`), {
      ...{ siteCount: 3, capacities: grid.capacities },
    }),
    { source: 'exact' },
  );

/** All bytes of an episode with random actions. */
function recordEpisodes(options: Partial<EnvironmentOptions>): unknown[] {
  const observation = ['processors', 'estimate', 'waited', 'waiting', 'left', 'bestFit'] as const;
  const environment = new Environment({ jobs: workloadOf, grid, observation, ...options });
  const recordedValues: unknown[] = [];
  for (const replication of [1, 2, 1]) {
    const random = new SeededDraws(replication);
    environment.reset(replication);
    for (
      let lastStep = environment.last;
      ;
      lastStep = environment.step(random.pick(listPossibleActions(environment)))
    ) {
      recordedValues.push([...lastStep.observation], lastStep.reward, lastStep.terminated);
      if (lastStep.terminated) break;
    }
    const { workload: _, dropped: __, ...summary } = environment.summary();
    recordedValues.push(summary);
  }
  return recordedValues;
}

const listPossibleActions = (environment: Environment) =>
  [...environment.actionMask().keys()].filter((action) => environment.actionMask()[action] === 1);

test.each<Partial<EnvironmentOptions>>([
  {},
  { mayWait: true, reward: 'wait' },
  { simulation: { discipline: 'first-available', order: 'shortest', load: 2 }, reward: 'boundedSlowdown' },
  { simulation: { discipline: 'easy', instant: 'batched', load: 3 } },
])('%j: the bytes of the log that is known beforehand', (options) => {
  const expectedEpisodeRecord = recordEpisodes(options);
  expect(expectedEpisodeRecord.length).toBeGreaterThan(300);
  const makeJobsOfReplication = (replication: number) => makeSubmittedJobs(workloadOf(replication), false);
  expect(recordEpisodes({ ...options, jobs: makeJobsOfReplication })).toEqual(expectedEpisodeRecord);
  const endedCountsAtRequests: number[] = [];
  // Whether a source yields its next job at once or first waits for times and ends, the episode is the same.
  function* waitingJobSource(
    replication: number,
  ): Generator<SubmittedJob | number, void, readonly LiveResult[]> {
    let [time, endedCount] = [0, 0];
    for (const job of makeJobsOfReplication(replication)) {
      while (time + 50 < job.submit) {
        time = Math.max(time + 50, job.submit - 1000);
        endedCount += (yield time).length;
      }
      endedCount += (yield job).length;
      time = Math.max(time, job.submit);
    }
    endedCountsAtRequests.push(endedCount);
  }
  expect(recordEpisodes({ ...options, jobs: waitingJobSource })).toEqual(expectedEpisodeRecord);
  expect(Math.min(...endedCountsAtRequests)).toBeGreaterThan(0);
});

test('users who submit their next job when the last one has ended', () => {
  const endTimes: string[] = [];
  function* users(): Generator<SubmittedJob | number, void, readonly LiveResult[]> {
    for (const user of ['ann', 'bob'])
      yield { job: `${user} 1`, submit: 0, runtime: 60, processors: 4, user };
    for (let submitted = 2; submitted < 6; ) {
      for (const { job, end } of yield Number.POSITIVE_INFINITY) {
        endTimes.push(`${job} ${end}`);
        if (submitted < 6) yield { job: `next ${++submitted}`, submit: end!, runtime: 30, processors: 4 };
      }
    }
  }
  const environment = new Environment({ jobs: users, grid, observation: ['processors'] });
  environment.reset();
  let stepCount = 0;
  while (!environment.last.terminated) {
    environment.step(environment.view.fastestFirst);
    stepCount++;
  }
  expect([stepCount, endTimes, environment.summary().makespan]).toEqual([
    6,
    ['ann 1 30', 'bob 1 30', 'next 3 45', 'next 4 45'],
    60,
  ]);
});

const JOB = { submit: 5, runtime: 1, processors: 1 };

test.each<[string, readonly unknown[], string]>([
  ['no job', [], 'jobs: the source has no job; give at least one'],
  ['no number', ['x'], "jobs: expected a job, or a time in seconds, from the source, found 'x'"],
  ['misspelt field', [{ ...JOB, sumbit: 4 }], "unknown field of a job 'sumbit'; did you mean 'submit'?"],
  [
    'late job',
    [JOB, { ...JOB, submit: 4 }],
    'jobs: it is submitted at 4, before 5, to which the episode has come; yield jobs in order of time',
  ],
  ['late time', [JOB, 3], 'jobs: the source waits for the time 3, which is not after the time'],
  [
    'endless wait',
    [JOB, Infinity, Infinity],
    'jobs: the source waits for the end of a job, and no job is left that could end; yield a job, or return',
  ],
  [
    'unknown end',
    [{ submit: 0, requestedTime: 5, processors: 1 }],
    'jobs, runtime: expected a number of seconds, found undefined',
  ],
  [
    'too many',
    [JOB, JOB, JOB],
    'jobs: the source has more than 2 jobs, for which capacity has room; give a larger capacity',
  ],
  [
    'too wide',
    [{ ...JOB, processors: 200 }],
    'jobs, job 1: job 1 needs 200 processors, and the largest site has',
  ],
])('a source with %s', (_, jobs, message) => {
  const environment = new Environment({ jobs: jobs as never, grid, observation: ['left'], capacity: 2 });
  const playOneEpisode = () => {
    environment.reset();
    while (!environment.last.terminated) environment.step(environment.view.bestFit);
  };
  expect(playOneEpisode).toThrow(InputError);
  expect(playOneEpisode).toThrow(message);
});
