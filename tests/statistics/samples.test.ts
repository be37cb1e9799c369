import { expect, test } from 'vitest';
import { addParsedTexts } from '../../host/options/options.js';
import { findJobMetric, JOB_METRICS } from '../../host/simulate/jobMetrics.js';
import { METRICS } from '../../host/simulate/metrics.js';
import { SCALAR_METRICS } from '../../host/simulate/summary.js';
import { defaultMargin, POPULATION_OF_LOGS, populationOf } from '../../host/statistics/population.js';
import { clearlyBest, noiseOfMetric } from '../../host/statistics/samples.js';

/** Noise class of every metric, listed by hand: a new metric must be added here. */
const METRICS_BY_NOISE: Readonly<Record<string, string>> = {
  waits:
    'averageQueueLength averageQueueLengthOverTime meanWait meanSlowdown meanBoundedSlowdown awwt completedMeanWait ' +
    'completedMeanBoundedSlowdown userWaitMedian userWaitJain userBoundedSlowdownMedian userBoundedSlowdownJain recordedMeanWait',
  few:
    'largestQueue maxWait maxPromiseError p50Wait p90Wait p95Wait p99Wait p50Response p90Response p95Response p99Response ' +
    'maxResponse p50BoundedSlowdown p90BoundedSlowdown p95BoundedSlowdown p99BoundedSlowdown maxBoundedSlowdown userWaitLeast ' +
    'userWaitGreatest userResponseLeast userResponseGreatest userBoundedSlowdownLeast userBoundedSlowdownGreatest',
  all:
    'jobs leftOutJobs offeredLoad averageResponseTime awrt makespan utilization capacityUtilization speedHeterogeneity movedJobs ' +
    'cancelledWaitingJobs cancelledRunningJobs cancelledProcessorSeconds restarts lostProcessorSeconds killedJobs killedProcessorSeconds completedAverageResponseTime meanEstimateRatio ' +
    'meanRequestRatio underestimatedJobs meanPromiseError movedReservations splitJobs scaledDownJobs scaledUpJobs trialsTimes ' +
    'trialsSwitches trialsJobs decisionsAgreed decisionsBestFit decisionsFastestFirst userResponseMedian userResponseJain',
};

test('every metric says what decides it', () => {
  const found = Object.fromEntries(
    [...SCALAR_METRICS, ...JOB_METRICS].map(({ name, noise }) => [name, noise]),
  );
  const expected = Object.entries(METRICS_BY_NOISE).flatMap(([noise, names]) =>
    names.split(' ').map((name) => [name, noise]),
  );
  expect(found).toEqual(Object.fromEntries(expected));
  for (const of of [METRICS.sites, METRICS.homes])
    for (const { noise } of Object.values(of)) expect(noise).toMatch(/^(?:all|waits|few)$/);
});

test('a metric of a class is decided as that of all jobs', () => {
  for (const [name, noise] of [
    ['meanWait', 'waits'],
    ['p95Wait', 'few'],
    ['averageResponseTime', 'all'],
    ['jobs', 'all'],
  ])
    expect(findJobMetric(`${name}[user=ann]`)?.noise).toBe(noise);
});

test('a value is clearly the best beyond the noise of its metric', () => {
  const values = [100, 112];
  expect(clearlyBest(values, 'less', METRICS.run.averageResponseTime)).toBe(0);
  expect(clearlyBest(values, 'less', METRICS.run.meanWait)).toBe(0);
  expect(clearlyBest(values, 'less', METRICS.run.maxWait)).toBeUndefined();
  expect(
    [METRICS.run.averageResponseTime, METRICS.run.meanWait, METRICS.run.maxWait].map(noiseOfMetric),
  ).toEqual([0.05, 0.1, 0.25]);
});

test('only resampled waits and what few jobs decide have a wider tolerance', () => {
  const resampled = populationOf(addParsedTexts({ workload: 'log.swf' }, { perturb: 'resample[by=user]' }));
  expect(resampled.kind).toBe('resample');
  for (const metric of [...SCALAR_METRICS, ...JOB_METRICS]) {
    expect(defaultMargin(metric, POPULATION_OF_LOGS), metric.name).toBe(0.01);
    expect(defaultMargin(metric, resampled), metric.name).toBe(metric.noise === 'all' ? 0.01 : 0.05);
  }
});
