import { Option } from '../abi/abi';
import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { at, put } from '../memory/memory';
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

/**
 * Usage as Slurm's multifactor plugin keeps it (22.05), in whole seconds. At the end of a step all usage
 * decays. A walk through the jobs by number then adds what running jobs have used in the step, and takes the
 * share of an account at its first waiting job. The use of later jobs, of other accounts too, is missing in
 * that share. If no job of an account waits then, its share is taken at its next submission. The use of a job
 * between the last step and its end counts from its end on.
 *
 * A job keeps its bit in `runningBits` until its last use is added, which a later walk does. One more
 * account, behind those of the users, has the usage of all users; another one, behind those of the groups,
 * that of all groups.
 */

/** Constant of the decay per second, about ln 2 (Slurm's `_decay_thread`). */
const DECAY_CONSTANT: f64 = 0.693;

/** Factor by which usage decays in a second: almost 2^(-1 / half-life). */
@inline
function decayPerSecond(): f64 {
  return 1 - DECAY_CONSTANT / columns.optionOfRun(Option.HalfLife);
}

/** Factor by which usage decays in a whole number of seconds. */
@inline
function decayFactorOver(seconds: f64): f64 {
  return raiseToWholePower(decayPerSecond(), seconds);
}

/** True if the half-life is long enough for a decay per second. */
export function canDecay(): bool {
  return decayPerSecond() > 0;
}

/** End of a usage step in seconds, rounded down to a whole number. */
@inline
function wholeEndOfUsageStep(step: f64): f64 {
  return floor<f64>(endOfUsageStep(step));
}

/** Sets all accounts and jobs to before the first event. */
export function reset(simulation: Simulation): void {
  for (let wordIndex = 0; wordIndex <= simulation.jobCount >> 6; wordIndex++) {
    put<u64>(columns.runningBits, wordIndex, 0);
    put<u64>(columns.startedBits, wordIndex, 0);
  }
  simulation.unsettledJobs = 0;
  simulation.firstOpenWord = 0;
  simulation.jobsWithShares = 0;
  simulation.lateUses = 0;
}

@inline
function bitOfJob(job: i32): u64 {
  return (<u64>1) << (job & 63);
}

/** True if a job runs, or its last use is not added yet. */
@inline
function isUsageUnsettled(job: i32): bool {
  return (at<u64>(columns.runningBits, job >> 6) & bitOfJob(job)) !== 0;
}

/** Marks a job whose processor-seconds have all been added to the usage of its user and group. */
@inline
function settleUsageOfJob(simulation: Simulation, job: i32): void {
  put<u64>(columns.runningBits, job >> 6, at<u64>(columns.runningBits, job >> 6) & ~bitOfJob(job));
  simulation.unsettledJobs--;
}

/** Marks a job as running. Requires usage to be up to date. */
export function countStartedJob(simulation: Simulation, job: i32): void {
  const wordIndex = job >> 6;
  put<u64>(columns.runningBits, wordIndex, at<u64>(columns.runningBits, wordIndex) | bitOfJob(job));
  put<u64>(columns.startedBits, wordIndex, at<u64>(columns.startedBits, wordIndex) | bitOfJob(job));
  simulation.unsettledJobs++;
}

/** Marks with 0 in `columns.rows` the jobs whose use has not all been added. */
export function markUsageUnsettled(simulation: Simulation): void {
  for (let job = 0; job < simulation.knownJobs; job++) {
    if (isUsageUnsettled(job)) put<i32>(columns.rows, job, 0);
  }
  for (let lateUse = 0; lateUse < simulation.lateUses; lateUse++) {
    put<i32>(columns.rows, at<i32>(columns.lateUseJobs, lateUse), 0);
  }
}

/** Gives the jobs the rows of `columns.rows`; bits of rows that no job has any more are cleared. */
export function renumberOwnedJobs(simulation: Simulation): void {
  for (let lateUse = 0; lateUse < simulation.lateUses; lateUse++) {
    put<i32>(columns.lateUseJobs, lateUse, at<i32>(columns.rows, at<i32>(columns.lateUseJobs, lateUse)));
  }
  for (let job = 0; job < simulation.knownJobs; job++) {
    const row = at<i32>(columns.rows, job);
    moveBit(columns.runningBits, job, row);
    moveBit(columns.startedBits, job, row);
  }
  simulation.firstOpenWord = 0;
}

/** Moves the bit of a job to its new row; clears it if the job has no row (-1). */
function moveBit(bits: usize, job: i32, row: i32): void {
  const word = at<u64>(bits, job >> 6);
  put<u64>(bits, job >> 6, word & ~bitOfJob(job));
  if (row < 0 || (word & bitOfJob(job)) === 0) return;
  put<u64>(bits, row >> 6, at<u64>(bits, row >> 6) | bitOfJob(row));
}

/** Copies the times of jobs whose last use is not added yet to a simulation at a distance in bytes. */
export function copyUsageTimes(simulation: Simulation, byteDistance: usize): void {
  for (let job = 0; job < simulation.knownJobs; job++) {
    if (!isUsageUnsettled(job)) continue;
    put<f64>(columns.starts + byteDistance, job, at<f64>(columns.starts, job));
    put<f64>(columns.executions + byteDistance, job, at<f64>(columns.executions, job));
  }
}

/** Scheduled end of a job that has started, in seconds. */
@inline
function scheduledEndOf(job: i32): f64 {
  return at<f64>(columns.starts, job) + at<f64>(columns.executions, job);
}

/**
 * Stores the last use of a job that ends or is preempted before its scheduled end. Requires usage to be up to
 * date.
 */
export function countEndedJob(simulation: Simulation, job: i32): void {
  if (isUsageUnsettled(job) && scheduledEndOf(job) > simulation.now) storeLateUse(simulation, job);
}

/** Marks a preempted job as waiting. Requires usage to be up to date. */
export function noteRejoinedJob(simulation: Simulation, job: i32): void {
  // Its next start replaces the columns of this one.
  if (isUsageUnsettled(job)) storeLateUse(simulation, job);
  const wordIndex = job >> 6;
  put<u64>(columns.startedBits, wordIndex, at<u64>(columns.startedBits, wordIndex) & ~bitOfJob(job));
  simulation.firstOpenWord = min(simulation.firstOpenWord, wordIndex);
  computeLateShares(simulation, job, simulation.now);
}

/**
 * Stores the last use of a job, up to now or up to its scheduled end if that is earlier; it counts only after
 * the current instant.
 */
function storeLateUse(simulation: Simulation, job: i32): void {
  const end = min<f64>(simulation.now, scheduledEndOf(job));
  const lateUse = simulation.lateUses++;
  put<i32>(columns.lateUseJobs, lateUse, job);
  put<f64>(
    columns.lateUses,
    lateUse,
    usageOfJobBetween(job, wholeEndOfUsageStep(simulation.usageSteps), floor<f64>(end)),
  );
  simulation.lateUseTime = simulation.now;
  settleUsageOfJob(simulation, job);
}

/** Adds the last uses that `storeLateUse` has stored to the usage, once their instant is over. */
function addLateUses(simulation: Simulation): void {
  if (!(simulation.now > simulation.lateUseTime)) return;
  for (let lateUse = 0; lateUse < simulation.lateUses; lateUse++)
    addUse(simulation, at<i32>(columns.lateUseJobs, lateUse), at<f64>(columns.lateUses, lateUse));
  simulation.lateUses = 0;
}

/** Decayed processor-seconds that a job uses between two times in whole seconds. */
function usageOfJobBetween(job: i32, from: f64, until: f64): f64 {
  const seconds = until - max<f64>(floor<f64>(at<f64>(columns.starts, job)), from);
  return seconds > 0 ? <f64>at<i32>(columns.processors, job) * (seconds * decayFactorOver(seconds)) : 0;
}

/** Adds the use of a job to the usage of its accounts, and of all. */
function addUse(simulation: Simulation, job: i32, usageAmount: f64): void {
  if (usageAmount === 0) return;
  if (simulation.users !== 0) {
    addUsageToAccount(
      simulation,
      columns.userAccounts,
      columns.userSums,
      at<i32>(columns.userOf, job),
      usageAmount,
    );
    addUsageToAccount(simulation, columns.userAccounts, columns.userSums, simulation.users, usageAmount);
  }
  if (simulation.groups !== 0) {
    addUsageToAccount(
      simulation,
      columns.groupAccounts,
      columns.groupSums,
      at<i32>(columns.groupOf, job),
      usageAmount,
    );
    addUsageToAccount(simulation, columns.groupAccounts, columns.groupSums, simulation.groups, usageAmount);
  }
}

function addUsageToAccount(simulation: Simulation, accounts: usize, sums: usize, index: i32, use: f64): void {
  const account = accountAt(accounts, index);
  closeUsageSteps(simulation, account, sumAddressAt(sums, index));
  addTermToAccount(account, sumAddressAt(sums, index), use);
}

/** Brings an account to the current step: what it used in an earlier one decays. */
function closeUsageSteps(simulation: Simulation, account: Account, sum: usize): void {
  if (account.closedSteps === simulation.usageSteps) return;
  const pendingUsage = pendingUsageOf(account, sum);
  if (pendingUsage !== 0) {
    const begin = wholeEndOfUsageStep(account.closedSteps);
    const end = wholeEndOfUsageStep(account.closedSteps + 1);
    account.usage = (decayedUsageBefore(account, begin) + pendingUsage) * decayFactorOver(end - begin);
    account.since = end;
    account.currentUse = 0;
    account.isExact = 0;
  }
  account.closedSteps = simulation.usageSteps;
}

/** Usage of an account at a time in whole seconds, without the use in the step that begins then. */
@inline
function decayedUsageBefore(account: Account, time: f64): f64 {
  return account.usage === 0 ? 0 : account.usage * decayFactorOver(time - account.since);
}

/** Usage of an account now. */
function usageOfAccountAt(simulation: Simulation, accounts: usize, sums: usize, index: i32): f64 {
  const account = accountAt(accounts, index);
  closeUsageSteps(simulation, account, sumAddressAt(sums, index));
  return (
    decayedUsageBefore(account, wholeEndOfUsageStep(account.closedSteps)) +
    pendingUsageOf(account, sumAddressAt(sums, index))
  );
}

/** True if the share of an account has not been computed in the current step. */
@inline
function doesAccountLackShare(simulation: Simulation, accounts: usize, index: i32): bool {
  return accountAt(accounts, index).lastUseStep !== simulation.usageSteps + 1;
}

/**
 * Computes the share of an account in all usage, unless it has been computed in the current step;
 * `totalAccountIndex` is the index of the account with the usage of all.
 */
function computeShareOfAccount(
  simulation: Simulation,
  accounts: usize,
  sums: usize,
  index: i32,
  totalAccountIndex: i32,
): void {
  if (!doesAccountLackShare(simulation, accounts, index)) return;
  const totalUsage = usageOfAccountAt(simulation, accounts, sums, totalAccountIndex);
  const ownUsage = usageOfAccountAt(simulation, accounts, sums, index);
  const account = accountAt(accounts, index);
  account.share = totalUsage > 0 ? min<f64>(1, ownUsage / totalUsage) : 0;
  account.lastUseStep = simulation.usageSteps + 1;
}

/**
 * Computes the shares of a job's user and group in all usage, unless they have been computed in the current
 * step.
 */
function computeUsageShares(simulation: Simulation, job: i32): void {
  if (simulation.users !== 0) {
    const user = at<i32>(columns.userOf, job);
    computeShareOfAccount(simulation, columns.userAccounts, columns.userSums, user, simulation.users);
  }
  if (simulation.groups !== 0) {
    const group = at<i32>(columns.groupOf, job);
    computeShareOfAccount(simulation, columns.groupAccounts, columns.groupSums, group, simulation.groups);
  }
}

/** Computes the shares of the accounts of a job that waits from a time within the current step on. */
function computeLateShares(simulation: Simulation, job: i32, time: f64): void {
  const doesUserLackShare =
    simulation.users !== 0 &&
    doesAccountLackShare(simulation, columns.userAccounts, at<i32>(columns.userOf, job));
  const doesGroupLackShare =
    simulation.groups !== 0 &&
    doesAccountLackShare(simulation, columns.groupAccounts, at<i32>(columns.groupOf, job));
  if (!doesUserLackShare && !doesGroupLackShare) return;
  settleEndedJobs(simulation, time);
  computeUsageShares(simulation, job);
}

/** Brings usage and shares up to now: steps before the events of their time, and submissions. */
export function bringUpToDate(simulation: Simulation): void {
  if (simulation.lateUses > 0) addLateUses(simulation);
  const steps = usageStepCountUntil(simulation, simulation.now);
  while (simulation.usageSteps < steps) {
    // If no job runs, steps change nothing but the decay.
    const nextStep = simulation.unsettledJobs > 0 ? simulation.usageSteps + 1 : steps;
    settleEndedJobs(simulation, endOfUsageStep(nextStep));
    const stepBegin = wholeEndOfUsageStep(simulation.usageSteps);
    simulation.usageSteps = nextStep;
    addUsageAndSharesByNumber(simulation, stepBegin, endOfUsageStep(nextStep), nextStep === steps);
  }
  let job = simulation.jobsWithShares;
  // The column of submissions ends with +infinity.
  for (; at<f64>(columns.submits, job) <= simulation.now; job++)
    computeLateShares(simulation, job, at<f64>(columns.submits, job));
  simulation.jobsWithShares = job;
}

/** Adds the last use, in the current step, of jobs that ended before a time. */
function settleEndedJobs(simulation: Simulation, time: f64): void {
  const stepBegin = wholeEndOfUsageStep(simulation.usageSteps);
  let remainingUnsettledCount = simulation.unsettledJobs;
  for (let wordIndex = simulation.firstOpenWord; remainingUnsettledCount > 0; wordIndex++) {
    for (let bits = at<u64>(columns.runningBits, wordIndex); bits !== 0; bits &= bits - 1) {
      const job = (wordIndex << 6) + <i32>ctz(bits);
      remainingUnsettledCount--;
      const end = scheduledEndOf(job);
      if (!(end < time)) continue;
      addUse(simulation, job, usageOfJobBetween(job, stepBegin, floor<f64>(end)));
      settleUsageOfJob(simulation, job);
    }
  }
}

/**
 * Walks through the jobs by number at the end of a step that began at `stepBegin`, in whole seconds: adds the
 * use of running ones and, if `computesShares`, computes the shares of accounts at their first waiting job.
 */
function addUsageAndSharesByNumber(
  simulation: Simulation,
  stepBegin: f64,
  until: f64,
  computesShares: bool,
): void {
  let wordIndex = simulation.firstOpenWord;
  while (
    at<u64>(columns.runningBits, wordIndex) === 0 &&
    at<u64>(columns.startedBits, wordIndex) === ~(<u64>0)
  )
    wordIndex++;
  simulation.firstOpenWord = wordIndex;
  const end = floor<f64>(until);
  for (; ; wordIndex++) {
    const runningJobBits = at<u64>(columns.runningBits, wordIndex);
    for (let bits = runningJobBits | ~at<u64>(columns.startedBits, wordIndex); bits !== 0; bits &= bits - 1) {
      const job = (wordIndex << 6) + <i32>ctz(bits);
      if (isUsageUnsettled(job)) addUse(simulation, job, usageOfJobBetween(job, stepBegin, end));
      else if (!(at<f64>(columns.submits, job) < until)) return;
      else if (computesShares) computeUsageShares(simulation, job);
    }
  }
}
