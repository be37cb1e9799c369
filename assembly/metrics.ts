import { Metric } from './abiColumns';
import { Simulation } from './state';
import * as columns from './columns';
import { lostIn } from './exactSum';
import { speedOf } from './grid/sites';
import { at, put } from './memory';
import { Sum, allocatedTo, boundedSlowdownOf, queuedOf, responseOf, settle, slowdownOf } from './metricSums';
import { waitOf, weightOf } from './metricSums';
import { addBusy, addParts, addResponse, clearTotals, lostOnAll, settleSites } from './siteTotals';

/**
 * Results of a finished simulation, from its columns read once. A sum over jobs is exact and rounded once, so
 * it does not depend on their order: each is added up as a double beside what is lost in that, and where the
 * two leave the last bit open it is added up anew without an error. docs/results.md has every formula.
 */

export function measure(simulation: Simulation): void {
  const count = simulation.jobCount;
  clearTotals(simulation);
  let response: f64 = 0;
  let responseRest: f64 = 0;
  let wait: f64 = 0;
  let waitRest: f64 = 0;
  let queued: f64 = 0;
  let queuedRest: f64 = 0;
  let slowdown: f64 = 0;
  let slowdownRest: f64 = 0;
  let bounded: f64 = 0;
  let boundedRest: f64 = 0;
  let weight: f64 = 0;
  let weightRest: f64 = 0;
  let weightedResponse: f64 = 0;
  let weightedResponseRest: f64 = 0;
  let weightedWait: f64 = 0;
  let weightedWaitRest: f64 = 0;
  let maxWait: f64 = 0;
  let lastEnd: f64 = 0;
  let moved = 0;
  let scaledDown = 0;
  let scaledUp = 0;
  for (let job = 0; job < count; job++) {
    const ofWait = waitOf(job);
    const ofResponse = responseOf(job);
    const ofWeight = weightOf(simulation, job);
    const home = at<i32>(columns.homes, job);
    const processors = at<i32>(columns.processors, job);
    const execution = at<f64>(columns.executions, job);
    const allocated = allocatedTo(simulation, job);
    scaledDown += i32(allocated < processors);
    scaledUp += i32(allocated > processors);
    responseRest += lostIn(response, ofResponse);
    response += ofResponse;
    waitRest += lostIn(wait, ofWait);
    wait += ofWait;
    if (simulation.reclaim !== 0) {
      const ofQueued = queuedOf(job);
      queuedRest += lostIn(queued, ofQueued);
      queued += ofQueued;
    }
    maxWait = max<f64>(maxWait, ofWait);
    const ofSlowdown = slowdownOf(job);
    slowdownRest += lostIn(slowdown, ofSlowdown);
    slowdown += ofSlowdown;
    const ofBounded = boundedSlowdownOf(job);
    boundedRest += lostIn(bounded, ofBounded);
    bounded += ofBounded;
    weightRest += lostIn(weight, ofWeight);
    weight += ofWeight;
    weightedResponseRest += lostIn(weightedResponse, ofWeight * ofResponse);
    weightedResponse += ofWeight * ofResponse;
    weightedWaitRest += lostIn(weightedWait, ofWeight * ofWait);
    weightedWait += ofWeight * ofWait;
    lastEnd = max<f64>(lastEnd, at<f64>(columns.starts, job) + execution);
    addResponse(home, ofResponse);
    if (simulation.partCapacity > 0 && at<i32>(columns.partIndices, job) >= 0) {
      moved += i32(addParts(job, home, execution));
    } else {
      const site = at<i32>(columns.sites, job);
      addBusy(site, ofWeight);
      moved += i32(site !== home);
    }
  }
  response = settle(simulation, Sum.Response, response, responseRest, response);
  queued = simulation.reclaim === 0 ? 0 : settle(simulation, Sum.Queued, queued, queuedRest, 2 * wait);
  wait = settle(simulation, Sum.Wait, wait, waitRest, wait);
  slowdown = settle(simulation, Sum.Slowdown, slowdown, slowdownRest, slowdown);
  bounded = settle(simulation, Sum.BoundedSlowdown, bounded, boundedRest, bounded);
  weight = settle(simulation, Sum.Weight, weight, weightRest, weight);
  weightedResponse =
    settle(simulation, Sum.WeightedResponse, weightedResponse, weightedResponseRest, weightedResponse);
  weightedWait = settle(simulation, Sum.WeightedWait, weightedWait, weightedWaitRest, weightedWait);
  settleSites(simulation);
  const makespan = lastEnd - at<f64>(columns.submits, 0);
  const metrics = columns.metrics;
  put<f64>(metrics, Metric.Jobs, <f64>count);
  put<f64>(metrics, Metric.AverageResponseTime, response / <f64>count);
  put<f64>(metrics, Metric.AverageQueueLength, <f64>simulation.waitingObserved / <f64>(2 * count));
  if (simulation.reclaim === 0) queued = wait;
  put<f64>(metrics, Metric.AverageQueueLengthOverTime, makespan > 0 ? queued / makespan : 0);
  put<f64>(metrics, Metric.LargestQueue, <f64>simulation.largestQueue);
  put<f64>(metrics, Metric.MeanWait, wait / <f64>count);
  put<f64>(metrics, Metric.MaxWait, maxWait);
  put<f64>(metrics, Metric.MeanSlowdown, slowdown / <f64>count);
  put<f64>(metrics, Metric.MeanBoundedSlowdown, bounded / <f64>count);
  put<f64>(metrics, Metric.AverageWeightedResponseTime, weight > 0 ? weightedResponse / weight : 0);
  put<f64>(metrics, Metric.AverageWeightedWaitTime, weight > 0 ? weightedWait / weight : 0);
  put<f64>(metrics, Metric.Makespan, makespan);
  put<f64>(metrics, Metric.MovedJobs, <f64>moved);
  put<f64>(metrics, Metric.DecisionsAgreed, <f64>simulation.decisionsAgreed);
  put<f64>(metrics, Metric.DecisionsBestFit, <f64>simulation.decisionsBestFit);
  put<f64>(metrics, Metric.DecisionsFastestFirst, <f64>simulation.decisionsFastestFirst);
  put<f64>(metrics, Metric.Restarts, <f64>simulation.restarts);
  put<f64>(metrics, Metric.LostProcessorSeconds, lostOnAll(simulation));
  put<f64>(metrics, Metric.SplitJobs, <f64>countSplitJobs(simulation));
  put<f64>(metrics, Metric.ScaledDownJobs, <f64>scaledDown);
  put<f64>(metrics, Metric.ScaledUpJobs, <f64>scaledUp);
  measureUtilization(simulation, makespan);
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
