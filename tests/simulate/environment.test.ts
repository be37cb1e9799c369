import { describe, expect, test } from 'vitest';
import { makeGrid } from '../../host/grid/grid.js';
import { Environment, type EnvironmentOptions, EnvironmentVector } from '../../host/learn/environment.js';
import type { SimulationOptions } from '../../host/options/configuration.js';
import { simulate } from '../../host/simulate/simulate.js';
import { withEstimates } from '../../host/workload/estimates.js';
import { makeWorkload } from '../../host/workload/make.js';
import { makeModelTrace } from '../../host/workload/models.js';
import { makeWorkloadOfReferenceJobs } from '../core/simulateCore.js';
import { SeededDraws } from '../reference/cases/draws.js';

const grid = makeGrid({ capacities: [8, 128, 64, 50], speeds: [1, 2, 0.5, 1.5] });

/** Jobs of a replication of a workload model. */
function jobs(replication: number) {
  const trace = makeModelTrace(`lublin99[jobs=400,seed=${replication}]`);
  const madeWorkload = makeWorkload(trace, { siteCount: 4, capacities: grid.capacities });
  return withEstimates(madeWorkload, { source: 'exact' });
}

function makeEnvironment(options: Partial<EnvironmentOptions> = {}): Environment {
  return new Environment({ jobs, grid, observation: ['processors', 'left'], ...options });
}

type AgentFunction = (environment: Environment) => number;

/** Plays an episode; returns the sum of rewards and the number of steps. */
function playEpisodes(environment: Environment, agentFunction: AgentFunction, replication?: number) {
  environment.reset(replication);
  let totalReward = environment.last.reward;
  let stepCount = 0;
  while (!environment.last.terminated) {
    totalReward += environment.step(agentFunction(environment)).reward;
    stepCount++;
  }
  return { total: totalReward, steps: stepCount };
}

/** An agent that takes random permitted actions. */
function randomAgent(seed: number): AgentFunction {
  const random = new SeededDraws(seed);
  const feasibleSites = new Uint8Array(grid.capacities.length + 1);
  return (environment) => {
    environment.actionMask(feasibleSites);
    return random.pick([...feasibleSites.keys()].filter((action) => feasibleSites[action] === 1));
  };
}

const ENVIRONMENT_OPTION_SETS: Omit<SimulationOptions, 'policy'>[] = [
  {},
  { discipline: 'first-available', load: 2 },
  { order: 'shortest', load: 3 },
  { discipline: 'first-available', order: 'largest-area', instant: 'batched', load: 3 },
];

describe('rewards', () => {
  const METRICS = {
    response: 'averageResponseTime',
    wait: 'meanWait',
    boundedSlowdown: 'meanBoundedSlowdown',
  } as const;

  test.each(ENVIRONMENT_OPTION_SETS)(
    'of whole seconds add up to the metrics to the bit: %j',
    (environmentOptions) => {
      for (const mayLetJobsWait of [false, true]) {
        for (const reward of ['response', 'wait'] as const) {
          const simulation = { ...environmentOptions, timeResolution: 'nearest' } as const;
          const environment = makeEnvironment({ reward, mayWait: mayLetJobsWait, simulation });
          const { total, steps } = playEpisodes(environment, randomAgent(7), 3);
          const summary = environment.summary();
          expect(steps).toBeGreaterThan(100);
          expect(-total / summary.jobs).toBe(summary[METRICS[reward]]);
        }
      }
    },
  );

  test.each(Object.keys(METRICS) as (keyof typeof METRICS)[])('of fractions up to rounding: %s', (reward) => {
    const environment = makeEnvironment({ reward, simulation: { load: 2 } });
    const { total } = playEpisodes(environment, randomAgent(5));
    const { [METRICS[reward]]: mean, jobs: count } = environment.summary();
    expect(-total / count / mean).toBeCloseTo(1, 12);
  });
});

test.each(['best-fit', 'fastest-first'])(
  'an agent that does as %s gives its metrics, decisions too',
  (policy) => {
    for (const environmentOptions of ENVIRONMENT_OPTION_SETS) {
      const environment = makeEnvironment({ simulation: environmentOptions });
      playEpisodes(
        environment,
        ({ view: decisionView }) =>
          policy === 'best-fit' ? decisionView.bestFit : decisionView.fastestFirst,
        2,
      );
      const { policy: _, method: __, decisions: ___, ...found } = environment.summary();
      const {
        policy: _p,
        method: _m,
        decisions: _d,
        ...expected
      } = simulate(jobs(2), grid, { ...environmentOptions, policy }).summary;
      expect(found).toEqual(expected);
    }
  },
);

test('an episode is that of its replication, whatever came before', () => {
  const environment = makeEnvironment({ mayWait: true });
  const firstEpisodeResults = playEpisodes(environment, randomAgent(1), 1);
  const secondEpisodeResults = playEpisodes(environment, randomAgent(1));
  expect(environment.replication).toBe(2);
  expect(secondEpisodeResults).not.toEqual(firstEpisodeResults);
  environment.reset(1);
  environment.step(environment.view.fastestFirst);
  expect(playEpisodes(environment, randomAgent(1), 1)).toEqual(firstEpisodeResults);
  expect(playEpisodes(environment, randomAgent(1), 1)).toEqual(firstEpisodeResults);
});

/** Jobs of 4 and 6 processors, for a grid with two sites that are wide enough and one that is not. */
const SMALL_WORKLOAD = makeWorkloadOfReferenceJobs([
  { submit: 0, runtime: 10, estimate: 20, processors: 4, home: 0 },
  { submit: 5, runtime: 10, estimate: 15, processors: 6, home: 1 },
]);
const SMALL_GRID = makeGrid({ capacities: [6, 2, 8], speeds: [1, 4, 2] });

test('features describe a decision, those of sites for each site', () => {
  const environment = new Environment({
    jobs: SMALL_WORKLOAD,
    grid: SMALL_GRID,
    observation: [
      ...(['processors', 'estimate', 'waited', 'foundQueueEmpty', 'waiting', 'running'] as const),
      ...(['queuedProcessors', 'freeProcessors'] as const),
      ...(['free', 'left', 'feasible', 'capacity', 'speed', 'bestFit', 'fastestFirst'] as const),
    ],
    simulation: { load: [1, 3, 1] },
  });
  const sites = [6, 2, 8, 2, -2, 4, 1, 0, 1, 6, 2, 8, 1, 4, 2, 1, 0, 0, 0, 0, 1];
  expect([...environment.reset()]).toEqual([4, 20, 0, 1, 1, 0, 4, 16, ...sites]);
  environment.step(3);
  // The second job fits only on the first site, so that the agent is not asked.
  expect(environment.last).toMatchObject({ terminated: true, reward: -5 - 30 });
});

test('a function may write any observation, and may look ahead', () => {
  const environment = new Environment({
    jobs: SMALL_WORKLOAD,
    grid: SMALL_GRID,
    observation: {
      size: 3,
      write: (decisionView, observation) => {
        observation[0] = decisionView.job;
        observation[1] = decisionView.lookAheadJobs(3);
        observation[2] = decisionView.lookAheadCapacity(3);
      },
    },
    mayWait: true,
  });
  expect([...environment.reset()]).toEqual([0, 1, 8]);
  expect(environment.step(1).observation[0]).toBe(1);
});

test('steps allocate no objects', () => {
  const environment = makeEnvironment({ jobs: jobs(1) });
  const measureHeapGrowth = () => {
    let stepCount = 0;
    // Other code in this process may allocate memory in single episodes.
    for (let episodeNumber = 0; episodeNumber < 400; episodeNumber++) {
      environment.reset();
      const heapBytesBefore = process.memoryUsage().heapUsed;
      while (!environment.last.terminated) {
        environment.step(environment.view.bestFit);
        stepCount++;
      }
      const heapGrowthBytes = process.memoryUsage().heapUsed - heapBytesBefore;
      // An object takes at least 24 bytes, and a boxed number in V8 takes 16.
      if (episodeNumber > 30 && heapGrowthBytes < 24 * 300) return true;
    }
    return stepCount === 0;
  };
  expect(measureHeapGrowth()).toBe(true);
});

describe('refusals', () => {
  const startEnvironment = (options: Partial<EnvironmentOptions> = {}) => {
    const environment = new Environment({
      jobs: SMALL_WORKLOAD,
      grid: SMALL_GRID,
      observation: ['free'],
      ...options,
    });
    environment.reset();
    return environment;
  };

  test.each([
    [2, 'site 2 for job 1 at time 0: the job cannot start there now'],
    [4, 'site 4 for job 1 at time 0: the job cannot start there now'],
    [1.5, 'site 1.5 for job 1 at time 0: the job cannot start there now'],
    [Number.NaN, 'site NaN for job 1 at time 0: the job cannot start there now'],
    [0, 'waiting for job 1 at time 0: mayWait is off'],
  ])('action %s', (action, sentence) => {
    const environment = startEnvironment();
    expect(() => environment.step(action)).toThrow(sentence);
    expect(environment.step(1).terminated).toBe(true);
  });

  test('waiting for ever', () => {
    const environment = startEnvironment({ mayWait: true });
    expect([...environment.actionMask()]).toEqual([0, 1, 0, 1]);
    environment.step(1);
    expect([...environment.actionMask()]).toEqual([1, 0, 0, 1]);
    environment.step(0);
    expect(environment.view.time).toBe(10);
    expect(() => environment.step(0)).toThrow('waiting for job 2 at time 10: no running job is left');
    expect([...environment.actionMask()]).toEqual([0, 1, 0, 1]);
  });

  test('settings that make no environment', () => {
    const makeValue = (options: object) => () => startEnvironment(options);
    expect(makeValue({ observation: ['fre'] })).toThrow(/unknown feature 'fre'; did you mean 'free'/);
    expect(makeValue({ reward: 'responses' })).toThrow('reward: expected wait, response, boundedSlowdown');
    expect(makeValue({ simulation: { reclaim: true, queue: 'per-home' } })).toThrow(
      /^reclaim: jobs that are stopped/,
    );
    expect(makeValue({ simulation: { warmUp: 10 } })).toThrow(/^warmUp: every job of an episode counts/);
    expect(() => startEnvironment().reset(0)).toThrow('replication: expected a whole number from 1');
    const startedEnvironment = startEnvironment();
    startedEnvironment.step(1);
    expect(() => startedEnvironment.step(1)).toThrow('the episode is over');
    expect(() => makeEnvironment().view).toThrow('there is no episode yet');
  });
});

test('a vector does what its environments do alone, and continues with further replications', () => {
  const options: EnvironmentOptions = { jobs, grid, observation: ['processors', 'free'] };
  const environmentVector = new EnvironmentVector(3, options);
  const separateEnvironments = [1, 2, 3].map((replication) => {
    const environment = new Environment(options);
    environment.reset(replication);
    return environment;
  });
  const observations = environmentVector.reset();
  const actions = new Int32Array(3);
  let nextReplicationNumber = 4;
  for (let stepCount = 0; stepCount < 1500; stepCount++) {
    for (const [i, environment] of separateEnvironments.entries()) {
      expect([...observations.subarray(5 * i, 5 * i + 5)]).toEqual([...environment.last.observation]);
      actions[i] = environment.view.fastestFirst;
    }
    const { rewards, terminated } = environmentVector.step(actions);
    for (const [i, environment] of separateEnvironments.entries()) {
      const { reward, terminated: isOver } = environment.step(actions[i]);
      expect([rewards[i], terminated[i]]).toEqual([reward, Number(isOver)]);
      if (isOver) environment.reset(nextReplicationNumber++);
    }
  }
  expect(nextReplicationNumber).toBeGreaterThan(9);
});
