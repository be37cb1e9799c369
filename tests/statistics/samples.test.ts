import { expect, test } from 'vitest';
import { addParsedOptionTexts } from '../../host/options/options.js';
import { findJobMetric, JOB_METRICS } from '../../host/simulate/jobMetrics.js';
import { METRICS_BY_SUMMARY_PART } from '../../host/simulate/metrics.js';
import { SCALAR_METRICS } from '../../host/simulate/summary.js';
import {
  defaultEquivalenceMargin,
  LOGS_POPULATION,
  populationOfSettings,
} from '../../host/statistics/population.js';
import { estimateSingleSampleNoise, findClearlyBestValue } from '../../host/statistics/samples.js';

/** Noise class of every metric, listed by hand: a new metric must be added here. */
const METRIC_NAMES_BY_NOISE: Readonly<Record<string, string>> = {
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
  const actualResult = Object.fromEntries(
    [...SCALAR_METRICS, ...JOB_METRICS].map(({ name: metricName, noise }) => [metricName, noise]),
  );
  const expectedSamples = Object.entries(METRIC_NAMES_BY_NOISE).flatMap(([noise, names]) =>
    names.split(' ').map((name) => [name, noise]),
  );
  expect(actualResult).toEqual(Object.fromEntries(expectedSamples));
  for (const of of [METRICS_BY_SUMMARY_PART.sites, METRICS_BY_SUMMARY_PART.homes])
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
  const metricValues = [100, 112];
  expect(findClearlyBestValue(metricValues, 'less', METRICS_BY_SUMMARY_PART.run.averageResponseTime)).toBe(0);
  expect(findClearlyBestValue(metricValues, 'less', METRICS_BY_SUMMARY_PART.run.meanWait)).toBe(0);
  expect(findClearlyBestValue(metricValues, 'less', METRICS_BY_SUMMARY_PART.run.maxWait)).toBeUndefined();
  expect(
    [
      METRICS_BY_SUMMARY_PART.run.averageResponseTime,
      METRICS_BY_SUMMARY_PART.run.meanWait,
      METRICS_BY_SUMMARY_PART.run.maxWait,
    ].map(estimateSingleSampleNoise),
  ).toEqual([0.05, 0.1, 0.25]);
});

test('only resampled waits and what few jobs decide have a wider tolerance', () => {
  const populationForResampledLog = populationOfSettings(
    addParsedOptionTexts({ workload: 'log.swf' }, { perturb: 'resample[by=user]' }),
  );
  expect(populationForResampledLog.kind).toBe('resample');
  for (const metric of [...SCALAR_METRICS, ...JOB_METRICS]) {
    expect(defaultEquivalenceMargin(metric, LOGS_POPULATION), metric.name).toBe(0.01);
    expect(defaultEquivalenceMargin(metric, populationForResampledLog), metric.name).toBe(
      metric.noise === 'all' ? 0.01 : 0.05,
    );
  }
});
