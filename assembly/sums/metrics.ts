import { Metric } from '../abi/abiColumns';
import { Simulation } from '../memory/state';
import { SumKind, mayQueueTimeDifferFromWaits, sumIndexOfHome, sumIndexOfSite, queuedSumIndex } from './sums';
import * as columns from '../memory/columns';
import { speedOf } from '../grid/sites';
import { at, clearBytes, copyBytes, put } from '../memory/memory';
import {
  addJobsSubmittedBetween,
  addJobs,
  SumsWithRoundingErrors,
  initializeTotalsFromAccounts,
  clearJobCounts,
  clearTotals,
  isJobMeasured,
  settleTotals,
  totalOfSum,
  setTotalOfSum,
  sumCountOf,
} from './jobSums';
import * as capacitySteps from '../placement/capacitySteps';
import * as exact from './exactSum';

/**
 * Metrics of a finished simulation. A sum over jobs is exact and rounded once, so it does not depend on their
 * order. Each is computed as a double with its rounding error, and again exactly if these do not determine
 * the last bit; after a fork, the sums are those of the accounts. Formulas: docs/results.md.
 */
export function measure(simulation: Simulation): void {
  if (simulation.accountedJobs > 0 || simulation.removedRows > 0) {
    updateMetrics(simulation);
    roundMetrics(simulation);
  } else {
    sumAllJobs(simulation);
  }
  reportMetrics(simulation);
}

/**
 * Replaces means and maxima by those of the jobs submitted in [from, until]; requires all results in the
 * columns.
 */
export function measureBetween(simulation: Simulation, from: f64, until: f64): void {
  clearTotals(simulation);
  const addedJobCount = addJobsSubmittedBetween(simulation, from, until);
  settleTotals(simulation, sumIndexOfSite(simulation, 0), from, until);
  clearBytes(columns.measuredHomeJobs, <usize>simulation.siteCount * sizeof<f64>());
  let maxWait: f64 = 0;
  for (let job = 0; job < simulation.knownJobs; job++) {
    if (!isJobMeasured(simulation, job, from, until)) continue;
    const submit = at<f64>(columns.submits, job);
    const home = at<i32>(columns.homes, job);
    put<f64>(columns.measuredHomeJobs, home, at<f64>(columns.measuredHomeJobs, home) + 1);
    maxWait = max<f64>(maxWait, at<f64>(columns.starts, job) - submit);
  }
  reportMeans(<f64>addedJobCount, maxWait, simulation.siteCount);
}

/**
 * Writes the metrics that cover only measured jobs, from rounded sums; the homes' numbers of jobs are known.
 */
function reportMeans(measuredJobCount: f64, maxWait: f64, homes: i32): void {
  for (let home = 0; home < homes; home++)
    put<f64>(columns.homeResponses, home, totalOfSum(sumIndexOfHome(home)));
  const jobWeight = totalOfSum(SumKind.Weight);
  const metrics = columns.metrics;
  put<f64>(metrics, Metric.AverageResponseTime, totalOfSum(SumKind.Response) / measuredJobCount);
  put<f64>(metrics, Metric.MeanWait, totalOfSum(SumKind.Wait) / measuredJobCount);
  put<f64>(metrics, Metric.MaxWait, maxWait);
  put<f64>(metrics, Metric.MeanSlowdown, totalOfSum(SumKind.Slowdown) / measuredJobCount);
  put<f64>(metrics, Metric.MeanBoundedSlowdown, totalOfSum(SumKind.BoundedSlowdown) / measuredJobCount);
  put<f64>(
    metrics,
    Metric.AverageWeightedResponseTime,
    ratioOrZero(totalOfSum(SumKind.WeightedResponse), jobWeight),
  );
  put<f64>(metrics, Metric.AverageWeightedWaitTime, ratioOrZero(totalOfSum(SumKind.WeightedWait), jobWeight));
}

/** Writes the metrics from rounded sums. */
export function reportMetrics(simulation: Simulation): void {
  const sites = simulation.siteCount;
  copyBytes(columns.measuredHomeJobs, columns.homeJobs, <usize>sites * sizeof<f64>());
  for (let site = 0; site < sites; site++) {
    put<f64>(columns.siteBusy, site, totalOfSum(sumIndexOfSite(simulation, site)));
  }
  const jobs = simulation.removedRows + <f64>simulation.knownJobs;
  const finishedJobCount = jobs - <f64>simulation.cancelledJobs;
  reportMeans(finishedJobCount, simulation.maxWait, sites);
  const queueTime = totalOfSum(
    mayQueueTimeDifferFromWaits(simulation) ? queuedSumIndex(simulation) : <i32>SumKind.Wait,
  );
  const lostProcessorSeconds = simulation.preempts !== 0 ? totalOfSum(queuedSumIndex(simulation) + 1) : 0;
  const makespan = simulation.lastEnd - at<f64>(columns.submits, 0);
  const metrics = columns.metrics;
  put<f64>(metrics, Metric.Jobs, finishedJobCount);
  const eventCount = 2 * jobs;
  put<f64>(metrics, Metric.AverageQueueLength, <f64>simulation.waitingObserved / eventCount);
  put<f64>(metrics, Metric.AverageQueueLengthOverTime, makespan > 0 ? queueTime / makespan : 0);
  put<f64>(metrics, Metric.LargestQueue, <f64>simulation.largestQueue);
  put<f64>(metrics, Metric.Makespan, makespan);
  put<f64>(metrics, Metric.MovedJobs, <f64>simulation.movedJobs);
  put<f64>(metrics, Metric.DecisionsAgreed, <f64>simulation.decisionsAgreed);
  put<f64>(metrics, Metric.DecisionsBestFit, <f64>simulation.decisionsBestFit);
  put<f64>(metrics, Metric.DecisionsFastestFirst, <f64>simulation.decisionsFastestFirst);
  put<f64>(metrics, Metric.Restarts, <f64>simulation.restarts);
  put<f64>(metrics, Metric.LostProcessorSeconds, lostProcessorSeconds);
  put<f64>(metrics, Metric.SplitJobs, <f64>simulation.splitJobs);
  put<f64>(metrics, Metric.ScaledDownJobs, <f64>simulation.scaledDownJobs);
  put<f64>(metrics, Metric.ScaledUpJobs, <f64>simulation.scaledUpJobs);
  measureUtilization(simulation, makespan);
}

@inline
function ratioOrZero(part: f64, whole: f64): f64 {
  return whole > 0 ? part / whole : 0;
}

/** Sums up all jobs from their columns. */
function sumAllJobs(simulation: Simulation): void {
  clearJobCounts(simulation);
  clearTotals(simulation);
  if (simulation.preempts !== 0) initializeTotalsFromAccounts(simulation);
  addJobs<SumsWithRoundingErrors>(
    changetype<SumsWithRoundingErrors>(columns.totals),
    simulation,
    0,
    simulation.knownJobs,
    false,
  );
  settleTotals(simulation, sumCountOf(simulation), -Infinity, Infinity);
}

function measureUtilization(simulation: Simulation, makespan: f64): void {
  const siteBusy = columns.siteBusy;
  const capacities = columns.capacities;
  let busyTime: f64 = 0;
  let weightedBusyTime: f64 = 0;
  let capacity: f64 = 0;
  let outageTime: f64 = 0;
  let weightedOutageTime: f64 = 0;
  if (simulation.outages !== 0) {
    capacitySteps.measure(simulation, at<f64>(columns.submits, 0), simulation.lastEnd);
  }
  for (let site = 0; site < simulation.siteCount; site++) {
    busyTime += at<f64>(siteBusy, site);
    weightedBusyTime += at<f64>(siteBusy, site) * speedOf(site);
    capacity += <f64>at<i32>(capacities, site) * speedOf(site);
    if (simulation.outages === 0) continue;
    outageTime += at<f64>(columns.siteOutages, site);
    weightedOutageTime += at<f64>(columns.siteOutages, site) * speedOf(site);
  }
  const metrics = columns.metrics;
  const processors = <f64>simulation.totalProcessors;
  put<f64>(metrics, Metric.Utilization, ratioOrZero(busyTime, processors * makespan - outageTime));
  put<f64>(
    metrics,
    Metric.CapacityUtilization,
    ratioOrZero(weightedBusyTime, capacity * makespan - weightedOutageTime),
  );
}

/**
 * Accounts: sums, counts and extremes over jobs that started before a fork, whose results are not in the
 * columns. They are exact and live. They are updated only before a fork, and when rows of jobs are removed,
 * so a simulation without either pays nothing.
 *
 * A job enters the accounts at its start, or at its end if executions may be preempted. Jobs of the fcfs
 * queue enter in job order, others in the order of `countedJobs`.
 */

@final
@unmanaged
class AccountSums {
  @inline
  add(sum: i32, term: f64): void {
    exact.add(exact.sumAt(changetype<usize>(this), sum), term);
  }
}

/** Adds the jobs that have been counted since the last update to the accounts. */
export function updateMetrics(simulation: Simulation): void {
  if (simulation.accountedJobs === 0 && simulation.removedRows === 0) clearJobCounts(simulation);
  const areCountedJobsListed = simulation.hasPriorityQueue !== 0;
  const countedJobs = areCountedJobsListed ? simulation.countedJobCount : simulation.head;
  const accountSums = changetype<AccountSums>(columns.accounts);
  addJobs<AccountSums>(accountSums, simulation, simulation.accountedJobs, countedJobs, areCountedJobsListed);
  simulation.accountedJobs = countedJobs;
}

/**
 * Adds the ended jobs whose rows are about to be removed, which `columns.rows` marks by -1, to the accounts,
 * unless they are there already; the other jobs keep their order, with their new rows.
 */
export function accountForRemovedJobs(simulation: Simulation): void {
  if (simulation.accountedJobs === 0 && simulation.removedRows === 0) clearJobCounts(simulation);
  const areCountedJobsListed = simulation.hasPriorityQueue !== 0;
  const countedJobs = areCountedJobsListed ? simulation.countedJobCount : simulation.head;
  const accountSums = changetype<AccountSums>(columns.accounts);
  const previouslyAccountedJobCount = simulation.accountedJobs;
  let remainingJobCount = 0;
  for (let index = 0; index < countedJobs; index++) {
    const row = at<i32>(columns.rows, areCountedJobsListed ? at<i32>(columns.countedJobs, index) : index);
    if (index === previouslyAccountedJobCount) simulation.accountedJobs = remainingJobCount;
    if (row < 0) {
      if (index >= previouslyAccountedJobCount)
        addJobs<AccountSums>(accountSums, simulation, index, index + 1, areCountedJobsListed);
    } else {
      // Entries before this one have been read, so they may be overwritten.
      if (areCountedJobsListed) put<i32>(columns.countedJobs, remainingJobCount, row);
      remainingJobCount++;
    }
  }
  if (previouslyAccountedJobCount === countedJobs) simulation.accountedJobs = remainingJobCount;
  if (areCountedJobsListed) simulation.countedJobCount = remainingJobCount;
}

/** Sets the totals to the rounded sums of the accounts. */
export function roundMetrics(simulation: Simulation): void {
  for (let index = 0; index < sumCountOf(simulation); index++) {
    setTotalOfSum(index, exact.roundedSum(exact.sumAt(columns.accounts, index)));
  }
}

/** Sets metrics to unknown until the run is measured; NaN as number of jobs marks them. */
export function invalidateMetrics(metricsAddress: usize): void {
  if (isNaN(at<f64>(metricsAddress, Metric.Jobs))) return;
  for (let metricIndex = 0; metricIndex < Metric.COUNT; metricIndex++)
    put<f64>(metricsAddress, metricIndex, NaN);
}
