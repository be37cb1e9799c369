import { Option } from '../abi/abi';
import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { at } from '../memory/memory';
import * as exactSum from '../sums/exactSum';
import { raiseToWholePower } from './powers';
import {
  Account,
  accountAt,
  addTermToAccount,
  endOfUsageStep,
  pendingUsageOf,
  usageStepCountUntil,
  sumAddressAt,
} from './usageAccounts';
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
  const firstRefusedOption = refusedOptionAmong(simulation, 0, simulation.knownJobs);
  if (firstRefusedOption >= 0) return firstRefusedOption;
  if (columns.optionOfRun(Option.UsageStep) > 0 && !(simulation.usageDecay > 0)) return Option.HalfLife;
  if (simulation.countsByNumber !== 0 && !byNumber.canDecay()) return Option.HalfLife;
  return -1;
}

/** Option whose columns are not in range for the jobs [from, end); -1 if none. */
export function refusedOptionAmong(simulation: Simulation, from: i32, end: i32): i32 {
  if (!areAccountsBelow(columns.userOf, simulation.users, from, end)) return Option.Users;
  return areAccountsBelow(columns.groupOf, simulation.groups, from, end) ? -1 : Option.Groups;
}

/** True if the accounts of the jobs [from, end) are from 0 to `count` - 1, or there are none. */
function areAccountsBelow(accountOf: usize, count: i32, from: i32, end: i32): bool {
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
    bringUsageUpToDate(simulation);
    byNumber.countStartedJob(simulation, job);
  }
  changeProcessorsInUse(simulation, job, at<i32>(columns.processors, job));
}

/** Counts a job that has ended. */
export function countEndedJob(simulation: Simulation, job: i32): void {
  if (simulation.countsByNumber !== 0) {
    bringUsageUpToDate(simulation);
    byNumber.countEndedJob(simulation, job);
  }
  changeProcessorsInUse(simulation, job, -at<i32>(columns.processors, job));
}

/** Notes that a preempted job waits again. */
export function noteRejoinedJob(simulation: Simulation, job: i32): void {
  if (simulation.countsByNumber !== 0) byNumber.noteRejoinedJob(simulation, job);
}

function changeProcessorsInUse(simulation: Simulation, job: i32, processors: i32): void {
  if (simulation.users !== 0) {
    const user = at<i32>(columns.userOf, job);
    changeProcessorsOfAccount(
      simulation,
      accountAt(columns.userAccounts, user),
      sumAddressAt(columns.userSums, user),
      processors,
    );
  }
  if (simulation.groups !== 0) {
    const group = at<i32>(columns.groupOf, job);
    const account = accountAt(columns.groupAccounts, group);
    changeProcessorsOfAccount(simulation, account, sumAddressAt(columns.groupSums, group), processors);
  }
}

function changeProcessorsOfAccount(
  simulation: Simulation,
  account: Account,
  sum: usize,
  processors: i32,
): void {
  if (simulation.usageDecay > 0 && simulation.countsByNumber === 0) {
    closeUsageSteps(simulation, account, sum, usageStepCountUntil(simulation, simulation.now));
    addUsageUntil(account, sum, simulation.now);
  }
  account.processors += processors;
}

/** Adds what an account has used until a time of the current step. */
function addUsageUntil(account: Account, sum: usize, time: f64): void {
  const seconds = time - account.since;
  account.since = time;
  if (account.processors === 0 || seconds === 0) return;
  addTermToAccount(account, sum, <f64>account.processors * seconds);
}

/** Closes the steps of an account up to a number of steps. */
function closeUsageSteps(simulation: Simulation, account: Account, sum: usize, steps: f64): void {
  while (account.closedSteps < steps) {
    if (account.processors === 0 && account.currentUse === 0 && account.isExact === 0) {
      account.closedSteps = steps;
      return;
    }
    addUsageUntil(account, sum, endOfUsageStep(account.closedSteps + 1));
    const pendingUsage = pendingUsageOf(account, sum);
    const idleStepCount = account.closedSteps - account.lastUseStep;
    const decayedUsage = account.usage * raiseToWholePower(simulation.usageDecay, idleStepCount);
    account.usage = decayedUsage * simulation.usageDecay + pendingUsage;
    account.currentUse = 0;
    account.isExact = 0;
    account.closedSteps++;
    account.lastUseStep = account.closedSteps;
  }
}

/** Updates the number of users seen so far, and the shares of users and groups in the usage. */
export function bringUsageUpToDate(simulation: Simulation): void {
  countSubmittedUsers(simulation);
  if (simulation.usageDecay === 0) return;
  if (simulation.countsByNumber !== 0) {
    byNumber.bringUpToDate(simulation);
    return;
  }
  const steps = usageStepCountUntil(simulation, simulation.now);
  if (steps === simulation.usageSteps) return;
  simulation.usageSteps = steps;
  const users = columns.userAccounts;
  const groups = columns.groupAccounts;
  simulation.usageOfUsers = computeUsageShares(simulation, users, columns.userSums, simulation.users);
  simulation.usageOfGroups = computeUsageShares(simulation, groups, columns.groupSums, simulation.groups);
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
function computeUsageShares(simulation: Simulation, accounts: usize, sums: usize, accountCount: i32): f64 {
  let total: f64 = 0;
  let errorSum: f64 = 0;
  for (let index = 0; index < accountCount; index++) {
    const account = accountAt(accounts, index);
    closeUsageSteps(simulation, account, sumAddressAt(sums, index), simulation.usageSteps);
    const idleStepCount = account.closedSteps - account.lastUseStep;
    account.share = account.usage * raiseToWholePower(simulation.usageDecay, idleStepCount);
    errorSum += exactSum.roundingErrorOfAddition(total, account.share);
    total += account.share;
  }
  const settledTotal =
    errorSum === 0 ? total : exactSum.roundedValueIfDetermined(total, errorSum, total, accountCount);
  total = isNaN(settledTotal) ? exactTotalUsage(accounts, accountCount) : settledTotal;
  for (let index = 0; index < accountCount; index++) {
    const account = accountAt(accounts, index);
    account.share = total > 0 ? account.share / total : 0;
  }
  return total;
}

/** Exact sum of the field `share` of all accounts, rounded once. */
function exactTotalUsage(accounts: usize, accountCount: i32): f64 {
  exactSum.reset(columns.exactSum);
  for (let index = 0; index < accountCount; index++) {
    exactSum.add(columns.exactSum, accountAt(accounts, index).share);
  }
  return exactSum.roundedSum(columns.exactSum);
}

/** Share of a job's user in the usage of all users. */
@inline
export function usageShareOfUser(job: i32): f64 {
  return accountAt(columns.userAccounts, at<i32>(columns.userOf, job)).share;
}

/** Share of a job's group in the usage of all groups. */
@inline
export function usageShareOfGroup(job: i32): f64 {
  return accountAt(columns.groupAccounts, at<i32>(columns.groupOf, job)).share;
}

/** Processors that the jobs of a job's user hold. */
@inline
export function processorsInUseByUser(job: i32): f64 {
  return <f64>accountAt(columns.userAccounts, at<i32>(columns.userOf, job)).processors;
}
