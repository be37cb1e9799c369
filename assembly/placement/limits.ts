import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { at, put } from '../memory/memory';
import { Note, appendEntry, isWaiting, watchedJob, SPARE_ENTRIES, IS_RECORDING_BUILD } from '../record/log';
import * as priorityQueue from '../queue/priorityQueue';

/**
 * Limits of the number of running jobs, and of the processors that they hold, per user and group. A job that
 * would exceed a limit is held: it waits, but is not in the set of ranks of its queue, so no pass finds it.
 * Jobs are held when one of their account starts, and released when one of their account ends; so an event
 * looks only at jobs of the accounts that it changes. With kept reservations a job is held at its reserved
 * start instead, and gets a new reservation after its release.
 *
 * Accounts of users and groups have numbers of one range. The searchable waiting jobs of an account form a
 * list in both directions, the held ones, each at the account that held it, another list. Links are job + 1
 * (2 * job + which + 1 for lists in both directions); 0 is none.
 */

/** Account of a user or group; 32 bytes. */
@unmanaged
export class LimitedAccount {
  /** Running jobs and their processors. */
  runningJobs: i32;
  processors: i32;
  /** Largest allowed values. */
  mostJobs: i32;
  mostProcessors: i32;
  /** Processors of its widest job. */
  widest: i32;
  /** First searchable waiting job and first held one, as links. */
  firstWaiting: i32;
  firstHeld: i32;
  spare: i32;
}

const ACCOUNT_BYTES_LOG2: usize = 5;
/** Number of accounts of a job: its user's and its group's. */
const ACCOUNTS_PER_JOB: i32 = 2;

@inline
function accountAt(index: i32): LimitedAccount {
  return changetype<LimitedAccount>(columns.limitedAccounts + ((<usize>index) << ACCOUNT_BYTES_LOG2));
}

/** Account of a job's user (0) or group (1); -1 if unknown. */
@inline
function accountIndexOf(job: i32, accountKind: i32): i32 {
  return at<i32>(accountKind === 0 ? columns.limitedUsers : columns.limitedGroups, job);
}

/** True if accounts, pieces and limits are valid: no job exceeds a limit alone, or has an account twice. */
export function areValid(simulation: Simulation): bool {
  if (!areAccountsOfJobsValid(simulation, 0, simulation.knownJobs)) return false;
  for (let index = 0; index < simulation.limits; index++) {
    if (at<i32>(columns.accountLimits, 2 * index) < 1) return false;
    if (at<i32>(columns.accountLimits, 2 * index + 1) < 1) return false;
  }
  return true;
}

/** True if the accounts and pieces of the jobs [from, end) are valid. */
export function areAccountsOfJobsValid(simulation: Simulation, from: i32, end: i32): bool {
  for (let job = from; simulation.limits > 0 && job < end; job++) {
    for (let accountKind = 0; accountKind < ACCOUNTS_PER_JOB; accountKind++) {
      const account = accountIndexOf(job, accountKind);
      if (account < -1 || account >= simulation.limits) return false;
      if (account < 0) continue;
      const maxProcessors = at<i32>(columns.accountLimits, 2 * account + 1);
      if (at<i32>(columns.processors, job) > maxProcessors) return false;
    }
    if (accountIndexOf(job, 0) >= 0 && accountIndexOf(job, 0) === accountIndexOf(job, 1)) return false;
    const firstPiece = at<i32>(columns.pieceOf, job);
    if (firstPiece < 0 || firstPiece > job) return false;
  }
  return true;
}

/** Sets all accounts to before the first event. */
export function reset(simulation: Simulation): void {
  simulation.releasedHeld = 0;
  for (let index = 0; index < simulation.limits; index++) {
    const account = accountAt(index);
    account.runningJobs = 0;
    account.processors = 0;
    account.mostJobs = at<i32>(columns.accountLimits, 2 * index);
    account.mostProcessors = at<i32>(columns.accountLimits, 2 * index + 1);
    account.widest = 0;
    account.firstWaiting = 0;
    account.firstHeld = 0;
  }
  if (simulation.limits > 0) updateWidestJobs(simulation, 0, simulation.knownJobs);
}

/** Adds the jobs [from, end) to the widest job of each account. */
export function updateWidestJobs(simulation: Simulation, from: i32, end: i32): void {
  for (let job = from; job < end; job++) {
    for (let accountKind = 0; accountKind < ACCOUNTS_PER_JOB; accountKind++) {
      const index = accountIndexOf(job, accountKind);
      if (index < 0) continue;
      const account = accountAt(index);
      account.widest = max(account.widest, at<i32>(columns.processors, job));
    }
  }
}

/** Adds a job that has joined its queue to the waiting jobs of its accounts, or holds it. */
export function addWaitingJob(simulation: Simulation, job: i32): void {
  if (simulation.keepsReservations === 0 && !holdJobIfOverLimit(simulation, job)) addToWaitingList(job);
}

/** True if a job would exceed a limit if it started now. */
export function isJobOverLimit(job: i32): bool {
  return exceededLimitKind(job) >= 0;
}

/** Counts a job that starts, and its processors; holds waiting jobs that are over a limit now. */
export function countStartedJob(simulation: Simulation, job: i32): void {
  removeFromWaitingList(job);
  const firstPiece = at<i32>(columns.pieceOf, job);
  const runningPieceCount = at<i32>(columns.runningPieces, firstPiece);
  put<i32>(columns.runningPieces, firstPiece, runningPieceCount + 1);
  for (let accountKind = 0; accountKind < ACCOUNTS_PER_JOB; accountKind++) {
    const index = accountIndexOf(job, accountKind);
    if (index < 0) continue;
    const account = accountAt(index);
    account.runningJobs += i32(runningPieceCount === 0);
    account.processors += at<i32>(columns.processors, job);
  }
  if (simulation.keepsReservations !== 0) return;
  for (let accountKind = 0; accountKind < ACCOUNTS_PER_JOB; accountKind++) {
    const index = accountIndexOf(job, accountKind);
    if (index >= 0 && mayExceedLimit(accountAt(index))) holdJobsOfAccount(simulation, index);
  }
}

/** Counts the end of a job, and releases held jobs of its user and group that are within their limits now. */
export function countEndedJob(simulation: Simulation, job: i32): void {
  const firstPiece = at<i32>(columns.pieceOf, job);
  const runningPieceCount = at<i32>(columns.runningPieces, firstPiece) - 1;
  put<i32>(columns.runningPieces, firstPiece, runningPieceCount);
  for (let accountKind = 0; accountKind < ACCOUNTS_PER_JOB; accountKind++) {
    const index = accountIndexOf(job, accountKind);
    if (index < 0) continue;
    const account = accountAt(index);
    account.runningJobs -= i32(runningPieceCount === 0);
    account.processors -= at<i32>(columns.processors, job);
  }
  for (let accountKind = 0; accountKind < ACCOUNTS_PER_JOB; accountKind++) {
    const index = accountIndexOf(job, accountKind);
    if (index >= 0) releaseHeldJobsOfAccount(simulation, accountAt(index));
  }
}

/** True if some job of an account may be over a limit. */
@inline
function mayExceedLimit(account: LimitedAccount): bool {
  return (
    account.runningJobs >= account.mostJobs || account.processors + account.widest > account.mostProcessors
  );
}

/** Holds all waiting jobs of an account that are over a limit. */
function holdJobsOfAccount(simulation: Simulation, index: i32): void {
  let linkNumber = accountAt(index).firstWaiting;
  while (linkNumber !== 0) {
    const nextLink = at<i32>(columns.nextOfAccount, linkNumber - 1);
    holdJobIfOverLimit(simulation, (linkNumber - 1) >> 1);
    linkNumber = nextLink;
  }
}

/** Holds a waiting job if it is over a limit; returns true if it is. */
function holdJobIfOverLimit(simulation: Simulation, job: i32): bool {
  if (exceededLimitKind(job) < 0) return false;
  hold(simulation, job);
  return true;
}

/** Holds a waiting job that is over a limit. */
export function hold(simulation: Simulation, job: i32): void {
  removeFromWaitingList(job);
  priorityQueue.hideJobFromSearch(simulation, job);
  addToHeldJobs(simulation, job);
}

/** Adds a job to the held ones of an account whose limit it exceeds. */
function addToHeldJobs(simulation: Simulation, job: i32): void {
  const accountKind = exceededLimitKind(job);
  const account = accountAt(accountIndexOf(job, accountKind));
  put<i32>(columns.nextHeld, job, account.firstHeld);
  account.firstHeld = job + 1;
  if (IS_RECORDING_BUILD && job === watchedJob && isWaiting) {
    const isJobLimit = wouldExceedJobLimit(account, job);
    const currentValue = isJobLimit ? account.runningJobs : account.processors;
    const maxAllowedValue = isJobLimit ? account.mostJobs : account.mostProcessors;
    appendEntry(
      SPARE_ENTRIES,
      Note.Held,
      simulation.now,
      <f64>accountKind,
      <f64>i32(isJobLimit),
      <f64>currentValue,
      <f64>maxAllowedValue,
    );
  }
}

/** Releases the held jobs of an account that are within their limits again. */
function releaseHeldJobsOfAccount(simulation: Simulation, account: LimitedAccount): void {
  let linkNumber = account.firstHeld;
  account.firstHeld = 0;
  while (linkNumber !== 0) {
    const job = linkNumber - 1;
    linkNumber = at<i32>(columns.nextHeld, job);
    put<i32>(columns.nextHeld, job, 0);
    if (exceededLimitKind(job) >= 0) {
      addToHeldJobs(simulation, job);
      continue;
    }
    if (IS_RECORDING_BUILD && job === watchedJob && isWaiting)
      appendEntry(SPARE_ENTRIES, Note.Freed, simulation.now);
    if (simulation.keepsReservations !== 0) {
      put<i32>(columns.nextHeld, job, simulation.releasedHeld);
      simulation.releasedHeld = job + 1;
    } else {
      addToWaitingList(job);
      priorityQueue.showJobToSearch(simulation, job);
    }
  }
}

/** Takes a job that needs a new reservation from the list of those that no limit holds any more. */
export function takeReleasedJob(simulation: Simulation): i32 {
  const job = simulation.releasedHeld - 1;
  simulation.releasedHeld = at<i32>(columns.nextHeld, job);
  put<i32>(columns.nextHeld, job, 0);
  return job;
}

/** Gives the jobs in the lists, and the first pieces of jobs, the rows of `columns.rows`. */
export function renumberHeldJobs(simulation: Simulation): void {
  simulation.releasedHeld = renumberedLink(simulation.releasedHeld, 0);
  for (let index = 0; index < simulation.limits; index++) {
    const account = accountAt(index);
    account.firstWaiting = renumberedLink(account.firstWaiting, 1);
    account.firstHeld = renumberedLink(account.firstHeld, 0);
  }
  for (let job = 0; job < simulation.knownJobs; job++) {
    put<i32>(columns.pieceOf, job, at<i32>(columns.rows, at<i32>(columns.pieceOf, job)));
    put<i32>(columns.nextHeld, job, renumberedLink(at<i32>(columns.nextHeld, job), 0));
    for (let linkIndex = ACCOUNTS_PER_JOB * job; linkIndex < ACCOUNTS_PER_JOB * (job + 1); linkIndex++) {
      put<i32>(
        columns.nextOfAccount,
        linkIndex,
        renumberedLink(at<i32>(columns.nextOfAccount, linkIndex), 1),
      );
      put<i32>(
        columns.previousOfAccount,
        linkIndex,
        renumberedLink(at<i32>(columns.previousOfAccount, linkIndex), 1),
      );
    }
  }
}

/** Link to the new row of a job; the lowest `bits` bits of a link, less 1, are not part of the job. */
function renumberedLink(linkNumber: i32, bits: i32): i32 {
  if (linkNumber === 0) return 0;
  const kindBits = (linkNumber - 1) & ((1 << bits) - 1);
  return (at<i32>(columns.rows, (linkNumber - 1) >> bits) << bits) + kindBits + 1;
}

/** Kind of account whose limit a job would exceed: its user (0), its group (1), or none (-1). */
function exceededLimitKind(job: i32): i32 {
  for (let accountKind = 0; accountKind < ACCOUNTS_PER_JOB; accountKind++) {
    const index = accountIndexOf(job, accountKind);
    if (index < 0) continue;
    const account = accountAt(index);
    if (account.processors + at<i32>(columns.processors, job) > account.mostProcessors) return accountKind;
    if (wouldExceedJobLimit(account, job)) return accountKind;
  }
  return -1;
}

/**
 * True if a job would exceed the account's limit of running jobs; further pieces of a running job do not
 * count.
 */
@inline
function wouldExceedJobLimit(account: LimitedAccount, job: i32): bool {
  return (
    account.runningJobs >= account.mostJobs &&
    at<i32>(columns.runningPieces, at<i32>(columns.pieceOf, job)) === 0
  );
}

/** Adds a job to the searchable waiting ones of its accounts. */
function addToWaitingList(job: i32): void {
  for (let accountKind = 0; accountKind < ACCOUNTS_PER_JOB; accountKind++) {
    const index = accountIndexOf(job, accountKind);
    if (index < 0) continue;
    const account = accountAt(index);
    const linkIndex = 2 * job + accountKind;
    const nextLink = account.firstWaiting;
    put<i32>(columns.nextOfAccount, linkIndex, nextLink);
    put<i32>(columns.previousOfAccount, linkIndex, 0);
    if (nextLink !== 0) put<i32>(columns.previousOfAccount, nextLink - 1, linkIndex + 1);
    account.firstWaiting = linkIndex + 1;
  }
}

/** Removes a job from the searchable waiting ones of its accounts, if it is there; its links are cleared. */
function removeFromWaitingList(job: i32): void {
  for (let accountKind = 0; accountKind < ACCOUNTS_PER_JOB; accountKind++) {
    const index = accountIndexOf(job, accountKind);
    if (index < 0) continue;
    const account = accountAt(index);
    const linkIndex = 2 * job + accountKind;
    const nextLink = at<i32>(columns.nextOfAccount, linkIndex);
    const previousLink = at<i32>(columns.previousOfAccount, linkIndex);
    if (previousLink !== 0) put<i32>(columns.nextOfAccount, previousLink - 1, nextLink);
    else if (account.firstWaiting === linkIndex + 1) account.firstWaiting = nextLink;
    else continue;
    if (nextLink !== 0) put<i32>(columns.previousOfAccount, nextLink - 1, previousLink);
    put<i32>(columns.nextOfAccount, linkIndex, 0);
    put<i32>(columns.previousOfAccount, linkIndex, 0);
  }
}
