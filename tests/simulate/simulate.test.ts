import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Grid,
  InputError,
  improvementRatio,
  makeGrid,
  makeModelTrace,
  makeWorkload,
  parsePolicy,
  type Simulation,
  type SimulationOptions,
  simulate,
  type Workload,
} from '../../host/index.js';
import { sumExactly } from '../reference/simulator/exactSum.js';

type Job = [submit: number, runtime: number, processors: number, home: number];

function workloadOf(jobs: readonly Job[]): Workload {
  const sortedJobs = [...jobs].sort((a, b) => a[0] - b[0]);
  const valuesOfField = (fieldIndex: number) => sortedJobs.map((job) => job[fieldIndex]);
  return {
    name: 'test',
    count: sortedJobs.length,
    job: Float64Array.from(sortedJobs, (_, i) => i + 1),
    submit: Float64Array.from(valuesOfField(0)),
    runtime: Float64Array.from(valuesOfField(1)),
    estimate: Float64Array.from(valuesOfField(1)),
    processors: Int32Array.from(valuesOfField(2)),
    home: Int32Array.from(valuesOfField(3)),
    accounting: {
      read: sortedJobs.length + 3,
      kept: sortedJobs.length,
      dropped: [
        { rule: 'first=9', count: 1 },
        { rule: 'runtime', count: 0 },
        { rule: 'first=9', count: 2 },
      ],
      oversizeJobs: [],
      withoutEstimate: 0,
      split: { jobs: 0, pieces: 0 },
    },
  };
}

/** Metrics computed from the schedule by their definitions. */
function computeExpectedSummary({ workload, grid, schedule }: Simulation) {
  const { count: jobCount, submit, processors, home } = workload;
  const jobs = Array.from({ length: jobCount }, (_, i) => ({
    wait: schedule.start[i] - submit[i],
    response: schedule.start[i] + schedule.execution[i] - submit[i],
    execution: schedule.execution[i],
    weight: processors[i] * schedule.execution[i],
    end: schedule.start[i] + schedule.execution[i],
    site: schedule.site[i],
    home: home[i],
  }));
  const sum = (valueOfJob: (job: (typeof jobs)[number]) => number) => sumExactly(jobs.map(valueOfJob));
  const weightedSum = sum(({ weight }) => weight);
  const makespan = Math.max(...jobs.map(({ end }) => end)) - submit[0];
  const totalProcessors = grid.capacities.reduce((capacitySum, capacity) => capacitySum + capacity, 0);
  return {
    jobs: jobCount,
    averageResponseTime: sum(({ response }) => response) / jobCount,
    averageQueueLengthOverTime: sum(({ wait }) => wait) / makespan,
    meanWait: sum(({ wait }) => wait) / jobCount,
    maxWait: Math.max(...jobs.map(({ wait }) => wait)),
    meanSlowdown: sum(({ response, execution }) => response / execution) / jobCount,
    meanBoundedSlowdown:
      sum(({ response, execution }) => Math.max(1, response / Math.max(10, execution))) / jobCount,
    awrt: sum(({ weight, response }) => weight * response) / weightedSum,
    awwt: sum(({ weight, wait }) => weight * wait) / weightedSum,
    makespan,
    utilization: weightedSum / (totalProcessors * makespan),
    movedJobs: jobs.filter((job) => job.site !== job.home).length,
    sites: grid.capacities.map((capacity, site) => {
      const jobsOnSite = jobs.filter((job) => job.site === site);
      const busySeconds = jobsOnSite.reduce((weightSum, { weight }) => weightSum + weight, 0);
      return {
        capacity,
        speed: grid.speeds[site],
        jobs: jobsOnSite.length,
        utilization: expect.closeTo(busySeconds / (capacity * makespan), 12),
      };
    }),
    homes: grid.capacities.map((_, site) => {
      const jobsOfHome = jobs.filter((job) => job.home === site);
      const response = jobsOfHome.reduce((responseSum, job) => responseSum + job.response, 0);
      return {
        jobs: jobsOfHome.length,
        averageResponseTime: jobsOfHome.length > 0 ? response / jobsOfHome.length : 0,
      };
    }),
  };
}

const GRID: Grid = makeGrid({ capacities: [4, 2, 8], speeds: [1, 2, 0.5] });
const JOBS = fc.array(
  fc.tuple(fc.nat(50), fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 8 }), fc.nat(2)),
  { minLength: 1, maxLength: 30 },
);

describe('simulate', () => {
  test('gives a summary that follows from its schedule', () => {
    fc.assert(
      fc.property(JOBS, fc.constantFrom('best-fit', 'ai2', 'random[seed=2]'), (jobs, policy) => {
        const simulation = simulate(workloadOf(jobs as Job[]), GRID, { policy });
        expect(simulation.summary).toMatchObject(computeExpectedSummary(simulation));
      }),
      { numRuns: 100 },
    );
  });

  test('gives processor sets only on request', () => {
    const workload = workloadOf([[0, 5, 3, 0]]);
    expect(simulate(workload, GRID)).not.toHaveProperty('processorSets');
    expect(simulate(workload, GRID, { processorSets: true }).processorSets?.pairs).toEqual(
      Int32Array.of(0, 2),
    );
  });

  test('takes policies as text or taken apart, and loads for all or one per site', () => {
    const workload = workloadOf([
      [0, 10, 4, 0],
      [0, 10, 4, 1],
    ]);
    const { summary: simulationSummary, configuration } = simulate(workload, GRID, {
      policy: parsePolicy('ff'),
      load: 2,
    });
    expect(simulationSummary.policy).toBe('fastest-first');
    expect(configuration.load).toEqual([2, 2, 2]);
    const { execution } = simulate(workload, GRID, { load: [1, 3, 1] }).schedule;
    expect(execution).toEqual(Float64Array.of(10, 60));
  });

  test('adds up records dropped by a rule that is given twice', () => {
    expect(simulate(workloadOf([[0, 1, 1, 0]]), GRID).summary.dropped).toEqual({ 'first=9': 3, runtime: 0 });
  });

  const wrongOptions: [SimulationOptions, string][] = [
    [{ policy: 'best' }, "unknown policy 'best'"],
    [{ load: 0 }, 'load of site 1: expected a number above 0, found 0'],
    [{ load: [1, 2] }, 'load: found 2 values for a grid of 3 sites; give one value per site'],
    [{ minSpeedRatio: Number.NaN }, 'minSpeedRatio: expected a number of at least 0, found NaN'],
    [
      { timeResolution: 'near' as never },
      "unknown value of timeResolution 'near'. Known: exact, nearest, floor",
    ],
    [{ instant: 'toString' as never }, "unknown value of instant 'toString'. Known: per-event, batched"],
  ];
  const wrongOptionCases: [SimulationOptions, string][] = [
    [
      { polcy: 'ai2' } as SimulationOptions,
      "unknown option of simulate 'polcy'; did you mean 'policy'? Known: policy, load, ",
    ],
    [{ reclaim: 'yes' as never }, 'reclaim: expected true or false, found yes'],
    [{ reclaim: true }, "reclaim needs queue: 'per-home', since "],
    [
      { moldable: 'down', discipline: 'easy' },
      "moldable: 'down' cannot be combined with discipline: 'easy', since ",
    ],
  ];
  test.each([...wrongOptions, ...wrongOptionCases])('refuses %o', (options, sentence) => {
    const attempt = () => simulate(workloadOf([[0, 1, 1, 0]]), GRID, options);
    expect(attempt).toThrow(InputError);
    expect(attempt).toThrow(sentence);
  });
});

test.each([
  [1e9, 50, 'an interval of 50 s between allocation passes means about 2.0e+7 passes over the '],
  [1e9, 1e-8, 'give at least 110 s'],
])(
  'with submits until %d an interval of %d s is refused before it runs',
  (lastSubmit, interval, sentence) => {
    const jobs = workloadOf([
      [0, 10, 1, 0],
      [lastSubmit, 10, 1, 0],
    ]);
    const attempt = () => simulate(jobs, GRID, { discipline: 'easy', interval });
    expect(attempt).toThrow(InputError);
    expect(attempt).toThrow(sentence);
    expect(simulate(jobs, GRID, { discipline: 'easy', interval: 110 }).summary.jobs).toBe(2);
  },
);

test('misspelt options of grids and workloads are refused too', () => {
  expect(() => makeGrid({ capacities: [1], speed: [1] } as never)).toThrow(
    "unknown option of makeGrid 'speed'; did you mean 'speeds'?",
  );
  expect(() =>
    makeWorkload(makeModelTrace('lublin99[jobs=2]'), { siteCount: 1, maxwidth: 4 } as never),
  ).toThrow("unknown option of makeWorkload 'maxwidth'; did you mean 'maxWidth'?");
});

test('improvementRatio is eq. 23 of Shih et al. 2010', () => {
  expect(improvementRatio(90, 100, 120)).toBe(0.1);
  expect(improvementRatio(120, 200, 100)).toBe(-0.2);
  expect(improvementRatio(0, 0, 5)).toBe(0);
});
