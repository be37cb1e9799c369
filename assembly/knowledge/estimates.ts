import { Topology } from '../abi/abi';
import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import * as exact from '../sums/exactSum';
import { runtimeOfEndedJob } from '../grid/execution';
import { at, moveEntries, put } from '../memory/memory';
import * as keyBounds from '../queue/keyBounds';
import * as priorityQueue from '../queue/priorityQueue';
import { drawsRandomFutures } from '../memory/runKind';
import * as endedJobs from './endedJobs';
import * as releases from './releases';

/**
 * Estimates from earlier jobs of the same user (Tsafrir, Etsion, Feitelson 2007). At a job's submission its
 * estimate is the mean of its user's last n finished jobs; or its request, if that is less or there are fewer
 * than n such jobs. The estimate is constant or, optionally, updated while the job waits (EASY++ of pyss).
 * Estimates replace the requests in a column of the simulation, so every reader of estimates uses them.
 *
 * A user's finished jobs are a linked list from the latest back (job + 1; 0 ends the list). So are the
 * waiting ones if estimates are updated, so that an end visits no other user's jobs.
 */

/** Estimates a job that is submitted or waits. */
export function estimateRuntime(simulation: Simulation, job: i32): void {
  put<f64>(
    columns.estimates,
    job,
    min<f64>(at<f64>(columns.requests, job), meanRecentRuntime(simulation, job)),
  );
}

/** Mean runtime of the last jobs of a job's user; +infinity if too few have ended. */
function meanRecentRuntime(simulation: Simulation, job: i32): f64 {
  const user = at<i32>(columns.users, job);
  if (user < 0) return Infinity;
  const runtimeSumAddress = columns.exactSum;
  exact.reset(runtimeSumAddress);
  let earlierLink = at<i32>(columns.lastOfUsers, user);
  for (let countedJobCount = 0; countedJobCount < simulation.recentJobs; ) {
    if (earlierLink === 0) return Infinity;
    if (mayAffectEstimate(simulation, job, earlierLink - 1)) {
      exact.add(runtimeSumAddress, runtimeOfEndedJob(earlierLink - 1));
      countedJobCount++;
    }
    earlierLink = at<i32>(columns.earlierOfUsers, earlierLink - 1);
  }
  return exact.roundedSum(runtimeSumAddress) / <f64>simulation.recentJobs;
}

/** Updates the estimates of waiting jobs after the end of a job. */
export function refreshEstimates(simulation: Simulation, endedJob: i32): void {
  const mean = meanRecentRuntime(simulation, endedJob);
  if (mean === Infinity) return;
  let job = nextJobToRefresh(simulation, endedJob, -1);
  for (; job >= 0; job = nextJobToRefresh(simulation, endedJob, job)) {
    const estimate = min<f64>(at<f64>(columns.requests, job), mean);
    if (estimate === at<f64>(columns.estimates, job)) continue;
    put<f64>(columns.estimates, job, estimate);
    // The plan and the reservation rest on the old estimate, so both are discarded.
    simulation.planHolds = 0;
    simulation.reservedJob = 0;
    if (simulation.roomForPlan !== 0) priorityQueue.markJobUntried(simulation, job);
    // Keys that the host gives are updated when it answers.
    if (simulation.asksKeys !== 0) keyBounds.invalidateBounds(simulation);
    else keyBounds.updateChangedJob(simulation, job);
  }
}

/** Next waiting job (first for -1) whose estimate depends on a finished job; -1 if none. */
export function nextJobToRefresh(simulation: Simulation, endedJob: i32, job: i32): i32 {
  const user = at<i32>(columns.users, endedJob);
  if (user < 0) return -1;
  let nextLink = job < 0 ? at<i32>(columns.waitingOfUsers, user) : at<i32>(columns.nextOfUser, job);
  while (nextLink !== 0 && !mayAffectEstimate(simulation, nextLink - 1, endedJob))
    nextLink = at<i32>(columns.nextOfUser, nextLink - 1);
  return nextLink - 1;
}

/**
 * True if the end of one job may affect estimates of another: independent sites know only their own
 * jobs.
 */
@inline
function mayAffectEstimate(simulation: Simulation, job: i32, other: i32): bool {
  if (simulation.topology !== Topology.Independent) return true;
  return at<i32>(columns.homes, job) === at<i32>(columns.homes, other);
}

/** Adds a finished job to its user's list. */
export function learnFromEndedJob(job: i32): void {
  const user = at<i32>(columns.users, job);
  if (user < 0) return;
  put<i32>(columns.earlierOfUsers, job, at<i32>(columns.lastOfUsers, user));
  put<i32>(columns.lastOfUsers, user, job + 1);
}

/**
 * Handling of submissions and ends by the parts that estimate later jobs and release dependent
 * ones.
 */

/** Resets estimates and dependent submissions to before the first event. */
export function reset(simulation: Simulation): void {
  // Before their submission, jobs are estimated by their requests.
  if (columns.hasOwnEstimates(simulation))
    moveEntries<f64>(columns.estimates, 0, columns.requests, 0, simulation.jobCount);
  if (drawsRandomFutures(simulation)) endedJobs.reset(simulation);
  if (simulation.hasDependencies !== 0) releases.reset(simulation);
}

/** Handles the submission of a job, before it joins its queue. */
export function handleJobSubmission(simulation: Simulation, job: i32): void {
  if (simulation.recentJobs > 0) estimateRuntime(simulation, job);
  if (simulation.hasLateRanks !== 0) priorityQueue.assignRank(simulation, job);
}

/** Handles the cancellation of a waiting job. */
export function handleJobCancellation(simulation: Simulation, job: i32): void {
  if (simulation.hasDependencies !== 0) releases.releaseDependents(simulation, job);
}

/** Handles the end of a job. */
export function handleJobEnd(simulation: Simulation, job: i32): void {
  const canLearnFromJob = simulation.recentJobs > 0 && !columns.isCancelled(simulation, job);
  if (canLearnFromJob && simulation.keyedEnd !== job + 1) {
    learnFromEndedJob(job);
    if (simulation.refreshesEstimates !== 0) refreshEstimates(simulation, job);
  }
  if (drawsRandomFutures(simulation)) endedJobs.learnFromEndedJob(simulation, job);
  if (simulation.hasDependencies !== 0) releases.releaseDependents(simulation, job);
}
