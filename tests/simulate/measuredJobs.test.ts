import { describe, expect, it, test } from 'vitest';
import { makeGrid } from '../../host/grid/grid.js';
import { makeConfiguration, type SimulationOptions } from '../../host/options/configuration.js';
import { FinishedJobOutcomes } from '../../host/simulate/jobOutcomes.js';
import type { Metric } from '../../host/simulate/metric.js';
import { METRICS_BY_SUMMARY_PART } from '../../host/simulate/metrics.js';
import { Simulator } from '../../host/simulate/simulator.js';
import { summarize } from '../../host/simulate/summary.js';
import { withEstimates } from '../../host/workload/estimates.js';
import { makeWorkload, type WorkloadOptions } from '../../host/workload/make.js';
import { sumExactly } from '../reference/simulator/exactSum.js';
import { makeGrid as referenceGrid } from '../reference/simulator/grid.js';
import { computeReferenceMetrics } from '../reference/simulator/measures.js';
import { buildTrace } from '../workload/buildTrace.js';

/**
 * Log for tests of warm-up and cool-down: every metric must be computed from the jobs in between by the
 * reference formulas, or from the whole simulation.
 */

const LOG = buildTrace(
  Array.from({ length: 300 }, (_, i) => ({
    submit: 29 * i + ((i * 31) % 13),
    runtime: i % 50 === 0 ? 5 : 1 + ((i * 7919) % 900) / 7,
    requestedTime: 1 + ((i * 7919) % 900) / (i % 4 === 0 ? 9 : 5),
    processors: 1 + ((i * 5) % 14),
    user: (i * i) % 9,
    precedingJob: i > 20 && i % 3 === 0 ? i - (i % 17) : -1,
    thinkTime: i % 5,
  })),
);
const SITE_CAPACITIES = [16, 24];
const SITE_SPEEDS = [1, 1.5];
const GRID = makeGrid({ capacities: SITE_CAPACITIES, speeds: SITE_SPEEDS });
const MEASURED_TIME_OPTIONS = { warmUp: 1500, coolDown: 700 };

interface MeasuredJobsCase {
  readonly workload?: Partial<WorkloadOptions>;
  readonly options?: SimulationOptions;
  /** True if all times are whole seconds, for which the core sums blocks of jobs. */
  readonly isWhole?: boolean;
  readonly recent?: number;
}

const CASES_BY_RUN_NAME: Readonly<Record<string, MeasuredJobsCase>> = {
  'a policy': { options: { policy: 'ai2', load: 3 } },
  'whole seconds': { options: { discipline: 'first-available', load: 3 }, isWhole: true },
  'killed jobs': { workload: { kill: 'at-estimate' }, options: { discipline: 'easy', load: 3 } },
  'recent estimates': { options: { discipline: 'easy', load: 3 }, recent: 2 },
  'kept reservations': { options: { discipline: 'conservative', reservations: 'kept', load: 3 } },
  'moldable jobs': { options: { moldable: 'down', load: 3 } },
  'stopped runs': { options: { queue: 'per-home', reclaim: true, load: 3 } },
  'split jobs': { options: { multiSite: 'larger-first', load: 3 } },
  'dependent jobs': { workload: { dependencies: true }, options: { load: 3 } },
};

function simulate({ workload, options = {}, isWhole, recent }: MeasuredJobsCase, window = {}): Simulator {
  const trace = isWhole
    ? { ...LOG, columns: { ...LOG.columns, runtime: LOG.columns.runtime.map(Math.ceil) } }
    : LOG;
  const madeWorkload = makeWorkload(trace, { siteCount: 2, capacities: GRID.capacities, ...workload });
  const jobs =
    recent === undefined ? madeWorkload : withEstimates(madeWorkload, { source: 'recent', n: recent });
  const simulator = new Simulator(jobs);
  simulator.begin(
    makeConfiguration(GRID, { ...(isWhole ? { timeResolution: 'nearest' } : {}), ...options, ...window }),
  );
  simulator.run();
  return simulator;
}

/** Indices of the jobs submitted between warm-up and cool-down. */
function findJobsInMeasuredTime(submit: Float64Array): number[] {
  const lastSubmit = Math.max(...submit);
  return [...submit.keys()].filter(
    (job) =>
      submit[job] >= submit[0] + MEASURED_TIME_OPTIONS.warmUp &&
      submit[job] <= lastSubmit - MEASURED_TIME_OPTIONS.coolDown,
  );
}

/**
 * Metrics by the reference formulas for some jobs of a simulation, except those that need sites or
 * processor sets.
 */
function referenceMetricsOfMeasuredJobs(simulator: Simulator, measuredJobs: readonly number[]) {
  const { submit, start, execution, held: heldProcessors, site } = simulator.schedule();
  const { home, processors } = simulator.workload;
  return computeReferenceMetrics({
    jobs: measuredJobs.map((job) => ({
      submit: submit[job],
      runtime: 0,
      estimate: 0,
      processors: processors[job],
      home: home[job],
    })),
    grid: referenceGrid(SITE_CAPACITIES, SITE_SPEEDS),
    start: measuredJobs.map((job) => start[job]),
    execution: measuredJobs.map((job) => execution[job]),
    parts: measuredJobs.map((job) => [{ site: site[job], processors: heldProcessors[job] }]),
    processors: measuredJobs.map((job) => new Array<number>(heldProcessors[job]).fill(0)),
    stops: [],
    lost: measuredJobs.map(() => 0),
    goneSteps: [],
    stoppedRuns: [],
    queueLengths: [],
    decisions: { agreed: 0, bestFit: 0, fastestFirst: 0 },
  });
}

const mean = (valuesOfJobs: readonly number[]) =>
  valuesOfJobs.length > 0 ? sumExactly([...valuesOfJobs]) / valuesOfJobs.length : 0;

/** Expected values of the metrics that the host computes, from the schedule of the measured jobs. */
function computeExpectedHostMetrics(
  simulator: Simulator,
  measuredJobs: readonly number[],
): Readonly<Record<string, number>> {
  const { submit, start, execution, estimate, promised: promisedStarts } = simulator.schedule();
  const { killed, runtime, estimate: request } = simulator.workload;
  const endedJobs = killed?.includes(1) ? measuredJobs.filter((job) => !killed[job]) : measuredJobs;
  const jobsWithPositiveRuntime =
    estimate === undefined ? [] : measuredJobs.filter((job) => runtime[job] > 0);
  const errors =
    promisedStarts === undefined ? [] : measuredJobs.map((job) => start[job] - promisedStarts[job]);
  return {
    completedAverageResponseTime: mean(endedJobs.map((job) => start[job] + execution[job] - submit[job])),
    completedMeanWait: mean(endedJobs.map((job) => start[job] - submit[job])),
    completedMeanBoundedSlowdown: mean(
      endedJobs.map((job) =>
        Math.max(1, (start[job] - submit[job] + execution[job]) / Math.max(10, execution[job])),
      ),
    ),
    meanEstimateRatio: mean(jobsWithPositiveRuntime.map((job) => estimate![job] / runtime[job])),
    meanRequestRatio: mean(jobsWithPositiveRuntime.map((job) => request[job] / runtime[job])),
    meanPromiseError: mean(errors),
    maxPromiseError: Math.max(0, ...errors),
  };
}

describe.each(Object.entries(CASES_BY_RUN_NAME))('%s', (_, run) => {
  const summaryOfWholeRun = summarize(simulate(run));
  const simulator = simulate(run, MEASURED_TIME_OPTIONS);
  const summaryOfMeasuredPart = summarize(simulator);
  const measuredJobs = findJobsInMeasuredTime(simulator.schedule().submit);
  const { homes, ...means } = referenceMetricsOfMeasuredJobs(simulator, measuredJobs);
  const expectedMetrics: Readonly<Record<string, unknown>> = {
    ...means,
    ...computeExpectedHostMetrics(simulator, measuredJobs),
  };

  it('leaves out a good part of the jobs', () => {
    expect(summaryOfMeasuredPart.leftOutJobs).toBe(300 - measuredJobs.length);
    expect(measuredJobs.length).toBeGreaterThan(150);
    expect(measuredJobs.length).toBeLessThan(280);
  });

  test.each(Object.entries<Metric>(METRICS_BY_SUMMARY_PART.run))('%s', (name, { ofMeasured }) => {
    if (name === 'leftOutJobs') return;
    const metricKey = name as keyof typeof METRICS_BY_SUMMARY_PART.run;
    expect(summaryOfMeasuredPart[metricKey]).toBe(
      ofMeasured ? expectedMetrics[name] : summaryOfWholeRun[metricKey],
    );
  });

  it('has homes of the same jobs, and sites of all', () => {
    expect(summaryOfMeasuredPart.homes).toEqual(homes);
    expect(summaryOfMeasuredPart.sites).toEqual(summaryOfWholeRun.sites);
    expect(summaryOfMeasuredPart.decisions).toEqual(summaryOfWholeRun.decisions);
  });
});

test('every metric of measured jobs differs from that of all in one of the runs', () => {
  const metricNames = Object.entries<Metric>(METRICS_BY_SUMMARY_PART.run).flatMap(([name, { ofMeasured }]) =>
    ofMeasured ? [name] : [],
  );
  const namesOfUnchangedMetrics = new Set(metricNames);
  for (const run of Object.values(CASES_BY_RUN_NAME)) {
    const [summaryOfWholeRun, summaryOfPart] = [
      summarize(simulate(run)),
      summarize(simulate(run, MEASURED_TIME_OPTIONS)),
    ];
    for (const metricName of metricNames as (keyof typeof METRICS_BY_SUMMARY_PART.run)[])
      if (summaryOfWholeRun[metricName] !== summaryOfPart[metricName])
        namesOfUnchangedMetrics.delete(metricName);
  }
  // Maxima may be the same, since the largest value may belong to a measured job.
  expect(
    [...namesOfUnchangedMetrics].filter((unchangedMetricName) => !unchangedMetricName.startsWith('max')),
  ).toEqual([]);
});

test('percentiles and means count the same jobs', () => {
  const simulator = simulate(CASES_BY_RUN_NAME['dependent jobs']!, MEASURED_TIME_OPTIONS);
  expect(new FinishedJobOutcomes(simulator).count).toBe(
    findJobsInMeasuredTime(simulator.schedule().submit).length,
  );
});
