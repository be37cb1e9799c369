import { Metric } from './abiColumns';
import { Simulation } from './state';
import * as columns from './columns';
import { speedOf } from './grid/sites';
import { at, put } from './memory';

/**
 * Results of a finished simulation, from its columns read once, in job order: adding up a column of the
 * schedule from top to bottom gives the same doubles. docs/results.md has every formula.
 */

/** Executions shorter than this count as this long in the bounded slowdown, in seconds. */
const SHORTEST_EXECUTION: f64 = 10;

export function measure(simulation: Simulation): void {
  const count = simulation.jobCount;
  clearTotals(simulation);
  let responseSum: f64 = 0;
  let waitSum: f64 = 0;
  let queuedSum: f64 = 0;
  let maxWait: f64 = 0;
  let slowdownSum: f64 = 0;
  let boundedSum: f64 = 0;
  let weightSum: f64 = 0;
  let weightedResponse: f64 = 0;
  let weightedWait: f64 = 0;
  let lastEnd: f64 = 0;
  let moved = 0;
  let scaledDown = 0;
  let scaledUp = 0;
  for (let job = 0; job < count; job++) {
    const submit = at<f64>(columns.submits, job);
    const start = at<f64>(columns.starts, job);
    const execution = at<f64>(columns.executions, job);
    const home = at<i32>(columns.homes, job);
    const end = start + execution;
    const wait = start - submit;
    const response = end - submit;
    const processors = at<i32>(columns.processors, job);
    const held = simulation.moldable !== 0 ? at<i32>(columns.held, job) : processors;
    const weight = <f64>held * execution;
    scaledDown += i32(held < processors);
    scaledUp += i32(held > processors);
    responseSum += response;
    waitSum += wait;
    if (simulation.reclaim !== 0) queuedSum += wait - at<f64>(columns.lostTimes, job);
    maxWait = max<f64>(maxWait, wait);
    // Not the response, which is a difference of times that may have swallowed a short execution.
    const stay = wait + execution;
    slowdownSum += execution > 0 ? stay / execution : 1;
    boundedSum += max<f64>(1, stay / max<f64>(SHORTEST_EXECUTION, execution));
    weightSum += weight;
    weightedResponse += weight * response;
    weightedWait += weight * wait;
    lastEnd = max<f64>(lastEnd, end);
    add(columns.homeResponses, home, response);
    add(columns.homeJobs, home, 1);
    if (simulation.partCapacity > 0 && at<i32>(columns.partIndices, job) >= 0) {
      moved += i32(addParts(job, home, execution));
    } else {
      const site = at<i32>(columns.sites, job);
      add(columns.siteBusy, site, weight);
      add(columns.siteJobs, site, 1);
      moved += i32(site !== home);
    }
  }
  const makespan = lastEnd - at<f64>(columns.submits, 0);
  const metrics = columns.metrics;
  put<f64>(metrics, Metric.Jobs, <f64>count);
  put<f64>(metrics, Metric.AverageResponseTime, responseSum / <f64>count);
  put<f64>(metrics, Metric.AverageQueueLength, <f64>simulation.waitingObserved / <f64>(2 * count));
  const queued = simulation.reclaim !== 0 ? queuedSum : waitSum;
  put<f64>(metrics, Metric.AverageQueueLengthOverTime, makespan > 0 ? queued / makespan : 0);
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
  put<f64>(metrics, Metric.Restarts, <f64>simulation.restarts);
  put<f64>(metrics, Metric.LostProcessorSeconds, addLost(simulation));
  put<f64>(metrics, Metric.SplitJobs, <f64>countSplitJobs(simulation));
  put<f64>(metrics, Metric.ScaledDownJobs, <f64>scaledDown);
  put<f64>(metrics, Metric.ScaledUpJobs, <f64>scaledUp);
  measureUtilization(simulation, makespan);
}

/** Zeroes the totals of sites and homes. */
function clearTotals(simulation: Simulation): void {
  for (let site = 0; site < simulation.siteCount; site++) {
    put<f64>(columns.siteBusy, site, 0);
    put<f64>(columns.siteJobs, site, 0);
    put<f64>(columns.homeResponses, site, 0);
    put<f64>(columns.homeJobs, site, 0);
  }
}

@inline
function add(column: usize, index: i32, value: f64): void {
  put<f64>(column, index, at<f64>(column, index) + value);
}

/** Adds a split job to the totals of its sites; returns whether any of them is not its home. */
function addParts(job: i32, home: i32, execution: f64): bool {
  let away = false;
  let part = at<i32>(columns.partIndices, job);
  for (let rest = at<i32>(columns.processors, job); rest > 0; part++) {
    const site = at<i32>(columns.parts, 2 * part);
    const share = at<i32>(columns.parts, 2 * part + 1);
    add(columns.siteBusy, site, <f64>share * execution);
    add(columns.siteJobs, site, 1);
    away = away || site !== home;
    rest -= share;
  }
  return away;
}

/** Jobs with more than one part. */
function countSplitJobs(simulation: Simulation): i32 {
  let split = 0;
  for (let job = 0; simulation.partCapacity > 0 && job < simulation.jobCount; job++) {
    const part = at<i32>(columns.partIndices, job);
    if (part >= 0 && at<i32>(columns.parts, 2 * part + 1) < at<i32>(columns.processors, job)) split++;
  }
  return split;
}

/** Processor-seconds of stopped runs, which are part of what a site was busy with. */
function addLost(simulation: Simulation): f64 {
  let lost: f64 = 0;
  for (let site = 0; simulation.reclaim !== 0 && site < simulation.siteCount; site++) {
    const onSite = at<f64>(columns.lostOnSite, site);
    add(columns.siteBusy, site, onSite);
    lost += onSite;
  }
  return lost;
}

function measureUtilization(simulation: Simulation, makespan: f64): void {
  const siteBusy = columns.siteBusy;
  const capacities = columns.capacities;
  let busy: f64 = 0;
  let busyCapacity: f64 = 0;
  let capacity: f64 = 0;
  for (let site = 0; site < simulation.siteCount; site++) {
    busy += at<f64>(siteBusy, site);
    busyCapacity += at<f64>(siteBusy, site) * speedOf(site);
    capacity += <f64>at<i32>(capacities, site) * speedOf(site);
  }
  const metrics = columns.metrics;
  const processors = <f64>simulation.totalProcessors;
  put<f64>(metrics, Metric.Utilization, makespan > 0 ? busy / (processors * makespan) : 0);
  put<f64>(metrics, Metric.CapacityUtilization, makespan > 0 ? busyCapacity / (capacity * makespan) : 0);
}
