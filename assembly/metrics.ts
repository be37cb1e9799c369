import { Jobs, Metric, Simulation } from './abi';
import * as columns from './columns';
import { speedOf } from './grid/sites';
import { at, put } from './memory';

/**
 * Results of a finished simulation, from its columns read once, in job order: adding up a column of the
 * schedule from top to bottom gives the same doubles. docs/results.md has every formula.
 */

/** Executions shorter than this count as this long in the bounded slowdown, in seconds. */
const SHORTEST_EXECUTION: f64 = 10;

export function measure(simulation: Simulation, jobs: Jobs): void {
  const block = changetype<usize>(simulation);
  const table = changetype<usize>(jobs);
  const submits = columns.submits;
  const starts = columns.starts;
  const executions = columns.executions;
  const sites = columns.sites;
  const homes = columns.homes;
  const widths = columns.processors;
  const siteBusy = columns.siteBusy;
  const siteJobs = columns.siteJobs;
  const homeResponse = columns.homeResponses;
  const homeJobs = columns.homeJobs;
  const count = jobs.count;
  for (let site = 0; site < simulation.siteCount; site++) {
    put<f64>(siteBusy, site, 0);
    put<f64>(siteJobs, site, 0);
    put<f64>(homeResponse, site, 0);
    put<f64>(homeJobs, site, 0);
  }
  let responseSum: f64 = 0;
  let waitSum: f64 = 0;
  let maxWait: f64 = 0;
  let slowdownSum: f64 = 0;
  let boundedSum: f64 = 0;
  let weightSum: f64 = 0;
  let weightedResponse: f64 = 0;
  let weightedWait: f64 = 0;
  let lastEnd: f64 = 0;
  let moved = 0;
  for (let job = 0; job < count; job++) {
    const submit = at<f64>(submits, job);
    const start = at<f64>(starts, job);
    const execution = at<f64>(executions, job);
    const site = at<i32>(sites, job);
    const home = at<i32>(homes, job);
    const end = start + execution;
    const wait = start - submit;
    const response = end - submit;
    const weight = <f64>at<i32>(widths, job) * execution;
    responseSum += response;
    waitSum += wait;
    maxWait = max<f64>(maxWait, wait);
    slowdownSum += execution > 0 ? response / execution : 1;
    boundedSum += max<f64>(1, response / max<f64>(SHORTEST_EXECUTION, execution));
    weightSum += weight;
    weightedResponse += weight * response;
    weightedWait += weight * wait;
    lastEnd = max<f64>(lastEnd, end);
    moved += i32(site !== home);
    put<f64>(siteBusy, site, at<f64>(siteBusy, site) + weight);
    put<f64>(siteJobs, site, at<f64>(siteJobs, site) + 1);
    put<f64>(homeResponse, home, at<f64>(homeResponse, home) + response);
    put<f64>(homeJobs, home, at<f64>(homeJobs, home) + 1);
  }
  const makespan = lastEnd - at<f64>(submits, 0);
  const metrics = columns.metrics;
  put<f64>(metrics, Metric.Jobs, <f64>count);
  put<f64>(metrics, Metric.AverageResponseTime, responseSum / <f64>count);
  put<f64>(metrics, Metric.AverageQueueLength, <f64>simulation.waitingObserved / <f64>(2*count));
  put<f64>(metrics, Metric.AverageQueueLengthOverTime, makespan > 0 ? waitSum / makespan : 0);
  put<f64>(metrics, Metric.LargestQueue, <f64>simulation.largestQueue);
  put<f64>(metrics, Metric.MeanWait, waitSum / <f64>count);
  put<f64>(metrics, Metric.MaxWait, maxWait);
  put<f64>(metrics, Metric.MeanSlowdown, slowdownSum / <f64>count);
  put<f64>(metrics, Metric.MeanBoundedSlowdown, boundedSum / <f64>count);
  put<f64>(metrics, Metric.AverageWeightedResponseTime, weightSum > 0 ? weightedResponse / weightSum : 0);
  put<f64>(metrics, Metric.AverageWeightedWaitTime, weightSum > 0 ? weightedWait / weightSum : 0);
  put<f64>(metrics, Metric.Makespan, makespan);
  put<f64>(metrics, Metric.MovedJobs, <f64>moved);
  put<f64>(metrics, Metric.DecisionsAgreed, <f64>simulation.decisionsAgreed);
  put<f64>(metrics, Metric.DecisionsBestFit, <f64>simulation.decisionsBestFit);
  put<f64>(metrics, Metric.DecisionsFastestFirst, <f64>simulation.decisionsFastestFirst);
  measureUtilization(simulation, makespan);
}

function measureUtilization(simulation: Simulation, makespan: f64): void {
  const block = changetype<usize>(simulation);
  const siteBusy = columns.siteBusy;
  const capacities = columns.capacities;
  let busy: f64 = 0;
  let busyCapacity: f64 = 0;
  let capacity: f64 = 0;
  for (let site = 0; site < simulation.siteCount; site++) {
    busy += at<f64>(siteBusy, site);
    busyCapacity += at<f64>(siteBusy, site) * speedOf(simulation, site);
    capacity += <f64>at<i32>(capacities, site) * speedOf(simulation, site);
  }
  const metrics = columns.metrics;
  const processors = <f64>simulation.totalProcessors;
  put<f64>(metrics, Metric.Utilization, makespan > 0 ? busy / (processors * makespan) : 0);
  put<f64>(metrics, Metric.CapacityUtilization, makespan > 0 ? busyCapacity / (capacity * makespan) : 0);
}
