import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { makeGrid } from '../../host/grid/grid.js';
import { makeConfiguration, type SimulationOptions } from '../../host/options/configuration.js';
import {
  CLASS_ATTRIBUTES,
  CLASS_METRIC_NAMES,
  computeJainFairnessIndex,
  computeJobMetrics,
  findJobMetric,
  getJobClassesOfRun,
  JOB_METRICS,
} from '../../host/simulate/jobMetrics.js';
import { FinishedJobOutcomes, selectPercentile } from '../../host/simulate/jobOutcomes.js';
import { Simulator } from '../../host/simulate/simulator.js';
import { summarize, summarizeRunWithClasses } from '../../host/simulate/summary.js';
import { withEstimates } from '../../host/workload/estimates.js';
import { makeWorkload } from '../../host/workload/make.js';
import { sumExactly } from '../reference/simulator/exactSum.js';
import { buildTrace } from '../workload/buildTrace.js';

/** Metrics over jobs compared with slow and simple computations. */

const LOG = buildTrace(
  Array.from({ length: 400 }, (_, i) => ({
    submit: 17 * i + ((i * 31) % 13),
    runtime: i % 50 === 0 ? 5 : 1 + ((i * 7919) % 9000) / 7,
    processors: 1 + ((i * 5) % 12),
    user: (i * i) % 9 === 4 ? -1 : (i * i) % 9,
    queue: 1 + (i % 3),
    wait: i % 4 === 0 ? -1 : 10 * i,
  })),
);
const GRID = makeGrid({ capacities: [16, 24], speeds: [1, 1.7] });

function run(options: SimulationOptions = {}, trace = LOG): Simulator {
  const madeWorkload = makeWorkload(trace, { siteCount: 2, capacities: GRID.capacities });
  const workload = withEstimates(madeWorkload, { source: 'exact' });
  const simulator = new Simulator(workload);
  simulator.begin(makeConfiguration(GRID, options));
  simulator.run();
  return simulator;
}

interface Row {
  user: number;
  group: number;
  queue: number;
  partition: number;
  home: number;
  runtime: number;
  processors: number;
  recorded: number;
  execution: number;
  wait: number;
  response: number;
  boundedSlowdown: number;
}

/**
 * One row per job submitted within the measured time (without warm-up and cool-down, in seconds).
 */
function rowsOf(simulator: Simulator, warmUpSeconds = 0, coolDownSeconds = 0): Row[] {
  const { submit, runtime, processors, home, log } = simulator.workload;
  const { start, execution } = simulator.schedule();
  const rows: Row[] = [];
  for (let i = 0; i < submit.length; i++) {
    if (submit[i] < submit[0] + warmUpSeconds || submit[i] > submit[submit.length - 1] - coolDownSeconds)
      continue;
    const wait = start[i] - submit[i];
    rows.push({
      ...{ user: log!.user[i], group: log!.group[i], queue: log!.queue[i], partition: log!.partition[i] },
      ...{ recorded: log!.wait[i], home: home[i] + 1 },
      ...{ runtime: runtime[i], processors: processors[i], execution: execution[i], wait },
      response: start[i] + execution[i] - submit[i],
      boundedSlowdown: Math.max(1, (wait + execution[i]) / Math.max(10, execution[i])),
    });
  }
  return rows;
}

const mean = (valuesOfJobs: number[]) => sumExactly(valuesOfJobs) / valuesOfJobs.length;

/** Smallest value that at least p percent of the values do not exceed. */
function computeExpectedPercentile(valuesOfJobs: number[], p: number): number {
  const valuesReachingPercentile = valuesOfJobs.filter(
    (value) =>
      100 * valuesOfJobs.filter((otherValue) => otherValue <= value).length >= p * valuesOfJobs.length,
  );
  return Math.min(...valuesReachingPercentile);
}

const JOB_QUANTITIES = ['wait', 'response', 'boundedSlowdown'] as const;

test.each([
  [0, 0],
  [1000, 2000],
])('percentiles, users and the log, %d s and %d s left out', (warmUp, coolDown) => {
  const simulator = run({ policy: 'fastest-first', warmUp, coolDown });
  const rows = rowsOf(simulator, warmUp, coolDown);
  const computedJobMetrics = computeJobMetrics(new FinishedJobOutcomes(simulator));
  const expectedMetrics: Record<string, number> = {};
  for (const quantity of JOB_QUANTITIES) {
    const metricName = quantity[0].toUpperCase() + quantity.slice(1);
    const valuesOfJobs = rows.map((row) => row[quantity]);
    for (const p of [50, 90, 95, 99])
      expectedMetrics[`p${p}${metricName}`] = computeExpectedPercentile(valuesOfJobs, p);
    if (quantity !== 'wait') expectedMetrics[`max${metricName}`] = Math.max(...valuesOfJobs);
    const users = [...new Set(rows.map(({ user }) => user))].filter((user) => user >= 0);
    const quantityMeansByUser = users.map((user) =>
      mean(rows.filter((row) => row.user === user).map((row) => row[quantity])),
    );
    expectedMetrics[`user${metricName}Least`] = Math.min(...quantityMeansByUser);
    expectedMetrics[`user${metricName}Median`] = computeExpectedPercentile(quantityMeansByUser, 50);
    expectedMetrics[`user${metricName}Greatest`] = Math.max(...quantityMeansByUser);
    const squareOfSum = sumExactly(quantityMeansByUser) ** 2;
    expectedMetrics[`user${metricName}Jain`] =
      squareOfSum / (quantityMeansByUser.length * sumExactly(quantityMeansByUser.map((mean) => mean * mean)));
  }
  expectedMetrics.recordedMeanWait = mean(rows.map(({ recorded }) => recorded).filter((wait) => wait >= 0));
  expect(Object.keys(computedJobMetrics)).toEqual(JOB_METRICS.map(({ name: metricName }) => metricName));
  for (const [expectedMetricName, expectedMetricValue] of Object.entries(expectedMetrics))
    expect([expectedMetricName, computedJobMetrics[expectedMetricName]]).toEqual([
      expectedMetricName,
      expectedMetricValue,
    ]);
});

test.each(CLASS_ATTRIBUTES)('jobs by %s', (jobClassification) => {
  const simulator = run({ discipline: 'easy' });
  const rows = rowsOf(simulator);
  const widthClassOf = (row: Row) => {
    if (jobClassification === 'class')
      return `${row.runtime > 3600 ? 'long' : 'short'} ${row.processors > 8 ? 'wide' : 'narrow'}`;
    if (jobClassification === 'home') return String(row.home);
    const classField = jobClassification === 'account' ? 'group' : jobClassification;
    return row[classField] < 0
      ? 'unknown'
      : (simulator.workload.names?.[classField].get(row[classField]) ?? String(row[classField]));
  };
  const jobClasses = getJobClassesOfRun(new FinishedJobOutcomes(simulator), jobClassification);
  expect(jobClasses.reduce((sum, { jobs }) => sum + jobs, 0)).toBe(rows.length);
  for (const jobClass of jobClasses) {
    const rowsOfClass = rows.filter((row) => widthClassOf(row) === jobClass.name);
    const waitTimes = rowsOfClass.map(({ wait }) => wait);
    expect(jobClass).toEqual({
      name: jobClass.name,
      jobs: rowsOfClass.length,
      meanWait: mean(waitTimes),
      p50Wait: computeExpectedPercentile(waitTimes, 50),
      p95Wait: computeExpectedPercentile(waitTimes, 95),
      maxWait: Math.max(...waitTimes),
      averageResponseTime: mean(rowsOfClass.map(({ response }) => response)),
      meanBoundedSlowdown: mean(rowsOfClass.map(({ boundedSlowdown }) => boundedSlowdown)),
    });
  }
});

describe('warm-up and cool-down', () => {
  it('change means alone, and say how many jobs they leave out', () => {
    const summaryOfWholeRun = summarize(run({ discipline: 'easy' }));
    const simulator = run({ discipline: 'easy', warmUp: 500, coolDown: 700 });
    const summaryOfMeasuredPart = summarize(simulator);
    const rows = rowsOf(simulator, 500, 700);
    const {
      leftOutJobs: countExcludedJobs,
      averageResponseTime,
      meanWait,
      maxWait,
      meanSlowdown,
      ...otherFields
    } = summaryOfMeasuredPart;
    expect(countExcludedJobs).toBe(400 - rows.length);
    expect(countExcludedJobs).toBeGreaterThan(60);
    expect(averageResponseTime).toBe(mean(rows.map(({ response }) => response)));
    expect(meanWait).toBe(mean(rows.map(({ wait }) => wait)));
    expect(maxWait).toBe(Math.max(...rows.map(({ wait }) => wait)));
    expect(meanSlowdown).toBe(mean(rows.map(({ wait, execution }) => (wait + execution) / execution)));
    expect(summaryOfMeasuredPart.meanBoundedSlowdown).toBe(
      mean(rows.map(({ boundedSlowdown }) => boundedSlowdown)),
    );
    const weights = rows.map(({ processors, execution }) => processors * execution);
    const workWeightedMeanOf = (valuesOfJobs: number[]) =>
      sumExactly(valuesOfJobs.map((value, i) => weights[i] * value)) / sumExactly(weights);
    expect(summaryOfMeasuredPart.awrt).toBe(workWeightedMeanOf(rows.map(({ response }) => response)));
    expect(summaryOfMeasuredPart.awwt).toBe(workWeightedMeanOf(rows.map(({ wait }) => wait)));
    const ofHome = rows.filter(({ home }) => home === 2).map(({ response }) => response);
    expect(summaryOfMeasuredPart.homes[1]).toEqual({
      jobs: ofHome.length,
      averageResponseTime: mean(ofHome),
    });
    for (const metricName of [
      'makespan',
      'utilization',
      'averageQueueLength',
      'offeredLoad',
      'jobs',
    ] as const) {
      expect(otherFields[metricName]).toBe(summaryOfWholeRun[metricName]);
    }
  });

  it('that leave out almost nothing give the means of the core', () => {
    const { homes, leftOutJobs: countExcludedJobs, ...whole } = summarize(run({ discipline: 'easy' }));
    const {
      homes: otherHomes,
      leftOutJobs: none,
      ...same
    } = summarize(run({ discipline: 'easy', coolDown: 1e-9 }));
    expect([countExcludedJobs, none]).toEqual([0, 1]);
    expect(Object.keys(same)).toEqual(Object.keys(whole));
    expect(homes.length).toBe(otherHomes.length);
  });

  it('that leave out all are refused', () => {
    expect(() => summarize(run({ warmUp: 1e6 }))).toThrow(
      '--warm-up and --cool-down exclude all jobs; shorten them',
    );
  });
});

test('jobs of a model have no values of users, and no recorded ones', () => {
  const logWithUnknownUsers = buildTrace([{ submit: 0, runtime: 5, processors: 1 }]);
  const { distribution = {} } = summarizeRunWithClasses(run({}, logWithUnknownUsers));
  expect(Object.keys(distribution).filter((name) => /^user|^recorded/.test(name))).toEqual([]);
  const metric = JOB_METRICS.find(({ name: metricName }) => metricName === 'userWaitJain');
  expect(() => metric?.computeFromJobs(new FinishedJobOutcomes(run({}, logWithUnknownUsers)))).toThrow(
    'the log has no user numbers',
  );
});

test('percentiles are values of rank ceil(p n / 100)', () => {
  const valuesOfJobs = fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(valuesOfJobs, fc.constantFrom(1, 50, 90, 95, 99, 100), (input, p) => {
      const ascending = [...input].sort((a, b) => a - b);
      expect(selectPercentile(ascending, p)).toBe(computeExpectedPercentile(input, p));
    }),
  );
});

test("Jain's index is 1 for equal values, and 1 / u where one has all", () => {
  expect(computeJainFairnessIndex(Float64Array.of(3, 3, 3))).toBe(1);
  expect(computeJainFairnessIndex(Float64Array.of(0, 0, 0, 7))).toBe(0.25);
  expect(computeJainFairnessIndex(Float64Array.of(0, 0))).toBe(1);
});

test.each(Object.getOwnPropertyNames(Object.prototype))(
  '%s, which every object has, is no metric',
  (name) => {
    expect(findJobMetric(name)).toBeUndefined();
    expect(findJobMetric(`${name}[user=1]`)).toBeUndefined();
  },
);

test.each(CLASS_METRIC_NAMES)('%s is a metric of a class', (name) => {
  expect(findJobMetric(`${name}[user=1]`)?.name).toBe(`${name}[user=1]`);
});
