import { Option } from '../abi/abi';
import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { at } from '../memory/memory';
import * as exactSum from '../sums/exactSum';
import { wholePowerOf } from './powers';
import { Account, accountAt, addTerm, endOfStep, pendingOf, stepsUntil, sumOf } from './usageAccounts';
import * as byNumber from './usageByNumber';

/**
 * Processors that the running jobs of each user and group hold, and the usage of each user and group:
 * processor-seconds, reduced by a factor after each step. The end of a step changes only the usage; so the
 * steps of an account are closed when a job of the account starts or ends, or when a pass needs the usage.
 * Usage of a step is the exact sum of the processors held times the seconds for which they were, rounded
 * once.
 */

/** Option whose columns or value are not in range; -1 if none. */
export function refusedOption(simulation: Simulation): i32 {
  const refused = refusedOptionAmong(simulation, 0, simulation.knownJobs);
  if (refused >= 0) return refused;
  if (columns.taken(Option.UsageStep) > 0 && !(simulation.usageDecay > 0)) return Option.HalfLife;
  if (simulation.countsByNumber !== 0 && !byNumber.canDecay()) return Option.HalfLife;
  return -1;
}

/** Option whose columns are not in range for the jobs [from, end); -1 if none. */
export function refusedOptionAmong(simulation: Simulation, from: i32, end: i32): i32 {
  if (!areBelow(columns.userOf, simulation.users, from, end)) return Option.Users;
  return areBelow(columns.groupOf, simulation.groups, from, end) ? -1 : Option.Groups;
}

/** True if the accounts of the jobs [from, end) are from 0 to `count` - 1, or there are none. */
function areBelow(accountOf: usize, count: i32, from: i32, end: i32): bool {
  for (let job = from; count > 0 && job < end; job++) {
    const account = at<i32>(accountOf, job);
    if (account < 0 || account >= count) return false;
  }
  return true;
}

/** Sets all accounts to before the first event. */
export function reset(simulation: Simulation): void {
  simulation.usageOfUsers = 0;
  simulation.usageOfGroups = 0;
  simulation.usageSteps = 0;
  simulation.seenUsers = 0;
  simulation.seenJobs = 0;
  if (simulation.countsByNumber !== 0) byNumber.reset(simulation);
}

/** Counts a job that starts. */
export function countStartedJob(simulation: Simulation, job: i32): void {
  if (simulation.countsByNumber !== 0) {
    bringUpToDate(simulation);
    byNumber.countStartedJob(simulation, job);
  }
  changeProcessors(simulation, job, at<i32>(columns.processors, job));
}

/** Counts a job that has ended. */
export function countEndedJob(simulation: Simulation, job: i32): void {
  if (simulation.countsByNumber !== 0) {
    bringUpToDate(simulation);
    byNumber.countEndedJob(simulation, job);
  }
  changeProcessors(simulation, job, -at<i32>(columns.processors, job));
}

/** Notes that a preempted job waits again. */
export function noteRejoinedJob(simulation: Simulation, job: i32): void {
  if (simulation.countsByNumber !== 0) byNumber.noteRejoinedJob(simulation, job);
}

function changeProcessors(simulation: Simulation, job: i32, processors: i32): void {
  if (simulation.users !== 0) {
    const user = at<i32>(columns.userOf, job);
    changeAccount(
      simulation,
      accountAt(columns.userAccounts, user),
      sumOf(columns.userSums, user),
      processors,
    );
  }
  if (simulation.groups !== 0) {
    const group = at<i32>(columns.groupOf, job);
    const account = accountAt(columns.groupAccounts, group);
    changeAccount(simulation, account, sumOf(columns.groupSums, group), processors);
  }
}

function changeAccount(simulation: Simulation, account: Account, sum: usize, processors: i32): void {
  if (simulation.usageDecay > 0 && simulation.countsByNumber === 0) {
    closeSteps(simulation, account, sum, stepsUntil(simulation, simulation.now));
    addUse(account, sum, simulation.now);
  }
  account.processors += processors;
}

/** Adds what an account has used until a time of the current step. */
function addUse(account: Account, sum: usize, time: f64): void {
  const seconds = time - account.since;
  account.since = time;
  if (account.processors === 0 || seconds === 0) return;
  addTerm(account, sum, <f64>account.processors * seconds);
}

/** Closes the steps of an account up to a number of steps. */
function closeSteps(simulation: Simulation, account: Account, sum: usize, steps: f64): void {
  while (account.closedSteps < steps) {
    if (account.processors === 0 && account.currentUse === 0 && account.isExact === 0) {
      account.closedSteps = steps;
      return;
    }
    addUse(account, sum, endOfStep(account.closedSteps + 1));
    const used = pendingOf(account, sum);
    const idleSteps = account.closedSteps - account.lastUseStep;
    const decayedUsage = account.usage * wholePowerOf(simulation.usageDecay, idleSteps);
    account.usage = decayedUsage * simulation.usageDecay + used;
    account.currentUse = 0;
    account.isExact = 0;
    account.closedSteps++;
    account.lastUseStep = account.closedSteps;
  }
}

/** Updates the number of users seen so far, and the shares of users and groups in the usage. */
export function bringUpToDate(simulation: Simulation): void {
  countSubmittedUsers(simulation);
  if (simulation.usageDecay === 0) return;
  if (simulation.countsByNumber !== 0) {
    byNumber.bringUpToDate(simulation);
    return;
  }
  const steps = stepsUntil(simulation, simulation.now);
  if (steps === simulation.usageSteps) return;
  simulation.usageSteps = steps;
  const users = columns.userAccounts;
  const groups = columns.groupAccounts;
  simulation.usageOfUsers = computeShares(simulation, users, columns.userSums, simulation.users);
  simulation.usageOfGroups = computeShares(simulation, groups, columns.groupSums, simulation.groups);
}

/** Marks the users of all jobs submitted until now as seen. */
function countSubmittedUsers(simulation: Simulation): void {
  if (simulation.users === 0) return;
  let job = simulation.seenJobs;
  // The column of submissions ends with +infinity.
  for (; at<f64>(columns.submits, job) <= simulation.now; job++) {
    const account = accountAt(columns.userAccounts, at<i32>(columns.userOf, job));
    simulation.seenUsers += 1 - account.isSeen;
    account.isSeen = 1;
  }
  simulation.seenJobs = job;
}

/**
 * Computes the shares of accounts in the usage after the last step; returns the usage of all accounts
 * together.
 */
function computeShares(simulation: Simulation, accounts: usize, sums: usize, accountCount: i32): f64 {
  let total: f64 = 0;
  let errorSum: f64 = 0;
  for (let index = 0; index < accountCount; index++) {
    const account = accountAt(accounts, index);
    closeSteps(simulation, account, sumOf(sums, index), simulation.usageSteps);
    const idleSteps = account.closedSteps - account.lastUseStep;
    account.share = account.usage * wholePowerOf(simulation.usageDecay, idleSteps);
    errorSum += exactSum.lostInAddition(total, account.share);
    total += account.share;
  }
  const settledTotal = errorSum === 0 ? total : exactSum.settledValue(total, errorSum, total, accountCount);
  total = isNaN(settledTotal) ? exactTotal(accounts, accountCount) : settledTotal;
  for (let index = 0; index < accountCount; index++) {
    const account = accountAt(accounts, index);
    account.share = total > 0 ? account.share / total : 0;
  }
  return total;
}

/** Exact sum of the field `share` of all accounts, rounded once. */
function exactTotal(accounts: usize, accountCount: i32): f64 {
  exactSum.reset(columns.exactSum);
  for (let index = 0; index < accountCount; index++) {
    exactSum.add(columns.exactSum, accountAt(accounts, index).share);
  }
  return exactSum.roundedSum(columns.exactSum);
}

/** Share of a job's user in the usage of all users. */
@inline
export function shareOfUser(job: i32): f64 {
  return accountAt(columns.userAccounts, at<i32>(columns.userOf, job)).share;
}

/** Share of a job's group in the usage of all groups. */
@inline
export function shareOfGroup(job: i32): f64 {
  return accountAt(columns.groupAccounts, at<i32>(columns.groupOf, job)).share;
}

/** Processors that the jobs of a job's user hold. */
@inline
export function processorsOfUser(job: i32): f64 {
  return <f64>accountAt(columns.userAccounts, at<i32>(columns.userOf, job)).processors;
}
