import { Simulation, liveStateAddressOf } from '../memory/state';
import * as columns from '../memory/columns';
import { finishEntryAt, soonestFinishTime } from '../events/finishQueue';
import { areBytesEqual, at, clearBytes, copyBytes, put } from '../memory/memory';
import { openBranch } from './copies';
import * as copies from './copies';
import { roundingErrorOfAddition, roundedValueIfDeterminedWithin } from '../sums/exactSum';
import { addJobs, sumCountOf } from '../sums/jobSums';

/**
 * Histories: states of a shared simulation, each common to some of its members (policies). One history is
 * current, in the simulation's columns; the others are in records: live scalars and columns without the
 * accounts, and the running jobs. `historyOrder` lists the records, those of living histories first.
 *
 * Sums for the metrics are computed once per history. A member's total is its history's sum plus its own
 * account, which contains the differences from earlier histories of the member. So separating costs only a
 * copy, and joining changes only the accounts of one side.
 */

/** Number of living histories. */
export let count: i32 = 0;
/** Record of the current history; -1 if none. */
let currentRecordNumber: i32 = -1;

/** Size of a record in bytes, without the running jobs. */
@inline
function recordByteCount(simulation: Simulation): usize {
  return columns.accounts - liveStateAddressOf(simulation);
}

@inline
function historyRecordAt(simulation: Simulation, record: i32): usize {
  const runningByteCount = finishEntryAt(<i32>columns.mostRunning(simulation) + 1) - finishEntryAt(1);
  return columns.histories + <usize>record * (recordByteCount(simulation) + runningByteCount);
}

/** Scalars of a record or account, as a Simulation of which only the live scalars exist. */
@inline
function simulationScalarsAt(simulation: Simulation, address: usize): Simulation {
  return changetype<Simulation>(address - (liveStateAddressOf(simulation) - changetype<usize>(simulation)));
}

/** Address of a live column in a record or account. */
@inline
function columnAddressInRecord(simulation: Simulation, address: usize, column: usize): usize {
  return address + (column - liveStateAddressOf(simulation));
}

@inline
function memberAccountAt(simulation: Simulation, member: i32): usize {
  return columns.memberAccounts + <usize>member * recordByteCount(simulation);
}

/** Number of the record in which a living history is stored. */
@inline
function recordNumberOfHistory(history: i32): i32 {
  return at<i32>(columns.historyOrder, history);
}

/** Starts with a single history, which is current and has all members. */
export function begin(simulation: Simulation): void {
  const order = columns.historyOrder;
  for (let record = 0; record < simulation.memberCount; record++) put<i32>(order, record, record);
  clearBytes(columns.memberAccounts, <usize>simulation.memberCount * recordByteCount(simulation));
  count = 1;
  currentRecordNumber = 0;
  simulation.forks = 0;
  simulation.joins = 0;
  simulation.sharedJobs = 0;
}

/** Copies the current state to a record, and returns the record's address. */
function saveStateInRecord(simulation: Simulation, record: i32): usize {
  const address = historyRecordAt(simulation, record);
  copies.copyStateOut(simulation, address, columns.accounts, finishEntryAt(1));
  return address;
}

/** Makes a history current. */
export function loadHistory(simulation: Simulation, history: i32): void {
  const record = recordNumberOfHistory(history);
  if (record === currentRecordNumber) return;
  saveCurrentHistory(simulation);
  copies.copyStateBack(simulation, historyRecordAt(simulation, record), columns.accounts, finishEntryAt(1));
  currentRecordNumber = record;
}

/** Saves the current history; afterwards none is current. */
function saveCurrentHistory(simulation: Simulation): void {
  if (currentRecordNumber >= 0) saveStateInRecord(simulation, currentRecordNumber);
  currentRecordNumber = -1;
}

/**
 * Separates the members that decide differently from the current history; in trials, as a branch.
 */
export function splitHistory(simulation: Simulation, memberBits: u64): void {
  if (simulation.choosesPolicies !== 0) {
    openBranch(simulation, memberBits);
    return;
  }
  // Adds the started jobs that both histories share to the sums, before they separate.
  updateTallies(simulation);
  const remainingMembers = simulation.members & ~memberBits;
  simulation.members = memberBits;
  simulation.isMidPass = 1;
  saveStateInRecord(simulation, recordNumberOfHistory(count));
  count++;
  simulation.members = remainingMembers;
  simulation.isMidPass = 0;
  simulation.forks++;
}

/** Ends the current history: adds its sums to the accounts of its members. */
export function finishHistory(simulation: Simulation, history: i32): void {
  const address = saveStateInRecord(simulation, recordNumberOfHistory(history));
  for (
    let remainingMembers = simulation.members;
    remainingMembers !== 0;
    remainingMembers &= remainingMembers - 1
  ) {
    const accountAddress = memberAccountAt(simulation, <i32>ctz(remainingMembers));
    addTotalsToAccount(simulation, accountAddress, address, 1);
    addExtremesToAccount(simulation, accountAddress, address);
  }
  currentRecordNumber = -1;
  removeHistory(history);
}

function removeHistory(history: i32): void {
  const order = columns.historyOrder;
  count--;
  const record = at<i32>(order, history);
  put<i32>(order, history, at<i32>(order, count));
  put<i32>(order, count, record);
}

/** Time of the next end of a job in any history. */
export function soonestEnd(simulation: Simulation): f64 {
  if (currentRecordNumber >= 0 && count === 1) return soonestFinishTime(simulation);
  let soonestEndSoFar: f64 = Infinity;
  for (let history = 0; history < count; history++) {
    loadHistory(simulation, history);
    soonestEndSoFar = min<f64>(soonestEndSoFar, soonestFinishTime(simulation));
  }
  return soonestEndSoFar;
}

/** Joins histories whose states have become equal; all must be at the same time. */
export function joinEqualHistories(simulation: Simulation): void {
  if (count === 1) return;
  saveCurrentHistory(simulation);
  const signatures = columns.signatures;
  for (let history = 0; history < count; history++) {
    put<u64>(
      signatures,
      history,
      stateSignatureOf(simulation, historyRecordAt(simulation, recordNumberOfHistory(history))),
    );
  }
  for (let history = 0; history < count; history++) {
    for (let otherHistory = count - 1; otherHistory > history; otherHistory--) {
      if (at<u64>(signatures, history) !== at<u64>(signatures, otherHistory)) continue;
      if (!areHistoriesEqual(simulation, history, otherHistory)) continue;
      uniteHistories(simulation, history, otherHistory);
      put<u64>(signatures, otherHistory, at<u64>(signatures, count));
    }
  }
}

/** Hash that is equal for equal states and rarely equal for others. */
function stateSignatureOf(simulation: Simulation, address: usize): u64 {
  const stateScalars = simulationScalarsAt(simulation, address);
  const runningAddress = address + recordByteCount(simulation);
  const runningJobCount = stateScalars.runningJobs;
  const lastKey: u64 = runningJobCount > 0 ? at<u64>(runningAddress, 2 * runningJobCount - 1) : 0;
  const queueSignature = <u64>stateScalars.head ^ ((<u64>runningJobCount) << 32);
  return queueSignature ^ rotl<u64>(<u64>stateScalars.freeProcessors, 24) ^ rotl<u64>(lastKey, 40);
}

/** True if two histories have the same future: equal decision state and running jobs. */
function areHistoriesEqual(simulation: Simulation, history: i32, otherHistory: i32): bool {
  const recordAddress = historyRecordAt(simulation, recordNumberOfHistory(history));
  const otherRecordAddress = historyRecordAt(simulation, recordNumberOfHistory(otherHistory));
  const firstFieldOffset = offsetof<Simulation>('now') - offsetof<Simulation>('waitingObserved');
  const words = <i32>((columns.siteJobs - liveStateAddressOf(simulation) - firstFieldOffset) >> 3);
  if (!areBytesEqual(recordAddress + firstFieldOffset, otherRecordAddress + firstFieldOffset, words))
    return false;
  const bytes = recordByteCount(simulation);
  return areBytesEqual(
    recordAddress + bytes,
    otherRecordAddress + bytes,
    2 * simulationScalarsAt(simulation, recordAddress).runningJobs,
  );
}

/**
 * Unites two equal histories: the members of one move to the other, and the record of the first becomes free.
 */
function uniteHistories(simulation: Simulation, history: i32, otherHistory: i32): void {
  let remainingRecordAddress = historyRecordAt(simulation, recordNumberOfHistory(history));
  let leavingRecordAddress = historyRecordAt(simulation, recordNumberOfHistory(otherHistory));
  // Keeps the history with more members, so that fewer accounts change.
  if (
    memberBitsOfHistory(simulation, remainingRecordAddress) <
    memberBitsOfHistory(simulation, leavingRecordAddress)
  ) {
    const order = columns.historyOrder;
    const record = at<i32>(order, history);
    put<i32>(order, history, at<i32>(order, otherHistory));
    put<i32>(order, otherHistory, record);
    const address = remainingRecordAddress;
    remainingRecordAddress = leavingRecordAddress;
    leavingRecordAddress = address;
  }
  const remainingScalars = simulationScalarsAt(simulation, remainingRecordAddress);
  const leavingScalars = simulationScalarsAt(simulation, leavingRecordAddress);
  // Subtracts in the record, so that it holds the difference.
  addTotalsToAccount(simulation, leavingRecordAddress, remainingRecordAddress, -1);
  for (
    let remainingMembers = leavingScalars.members;
    remainingMembers !== 0;
    remainingMembers &= remainingMembers - 1
  ) {
    const accountAddress = memberAccountAt(simulation, <i32>ctz(remainingMembers));
    addTotalsToAccount(simulation, accountAddress, leavingRecordAddress, 1);
    addExtremesToAccount(simulation, accountAddress, leavingRecordAddress);
  }
  // A maximum cannot be subtracted, so the common one starts again and each account takes the old one.
  for (
    let remainingMembers = remainingScalars.members;
    remainingMembers !== 0;
    remainingMembers &= remainingMembers - 1
  ) {
    addExtremesToAccount(
      simulation,
      memberAccountAt(simulation, <i32>ctz(remainingMembers)),
      remainingRecordAddress,
    );
  }
  remainingScalars.maxWait = 0;
  remainingScalars.lastEnd = 0;
  remainingScalars.largestQueue = 0;
  remainingScalars.members |= leavingScalars.members;
  removeHistory(otherHistory);
  simulation.joins++;
}

@inline
function memberBitsOfHistory(simulation: Simulation, address: usize): u64 {
  return popcnt(simulationScalarsAt(simulation, address).members);
}

function addExtremesToAccount(simulation: Simulation, accountAddress: usize, address: usize): void {
  const accountScalars = simulationScalarsAt(simulation, accountAddress);
  const history = simulationScalarsAt(simulation, address);
  accountScalars.maxWait = max<f64>(accountScalars.maxWait, history.maxWait);
  accountScalars.lastEnd = max<f64>(accountScalars.lastEnd, history.lastEnd);
  accountScalars.largestQueue = max(accountScalars.largestQueue, history.largestQueue);
}

/** Adds counts and sums of a history to an account; subtracts for sign -1. */
function addTotalsToAccount(simulation: Simulation, accountAddress: usize, address: usize, sign: i32): void {
  const accountScalars = simulationScalarsAt(simulation, accountAddress);
  const history = simulationScalarsAt(simulation, address);
  accountScalars.waitingObserved += <i64>sign * history.waitingObserved;
  accountScalars.movedJobs += sign * history.movedJobs;
  accountScalars.decisionsAgreed += sign * history.decisionsAgreed;
  accountScalars.decisionsBestFit += sign * history.decisionsBestFit;
  accountScalars.decisionsFastestFirst += sign * history.decisionsFastestFirst;
  // Number of jobs by site, followed by that by home.
  const memberCountsAddress = columnAddressInRecord(simulation, accountAddress, columns.siteJobs);
  const historyCountsAddress = columnAddressInRecord(simulation, address, columns.siteJobs);
  for (let countIndex = 0; countIndex < 2 * simulation.siteCount; countIndex++) {
    put<f64>(
      memberCountsAddress,
      countIndex,
      at<f64>(memberCountsAddress, countIndex) + <f64>sign * at<f64>(historyCountsAddress, countIndex),
    );
  }
  const accountTalliesAddress = columnAddressInRecord(simulation, accountAddress, columns.accountTallies);
  joinTalliesInto(
    simulation,
    accountTalliesAddress,
    columnAddressInRecord(simulation, address, columns.accountTallies),
    sign,
  );
}

/** Replaces the simulation's sums by a member's account. */
export function showMemberAccount(simulation: Simulation, member: i32): void {
  copyBytes(liveStateAddressOf(simulation), memberAccountAt(simulation, member), recordByteCount(simulation));
}

/**
 * Sums over jobs of a simulation whose branches are joined. Each sum is a double, its rounding error, and a
 * bound of the error of both. Adding one tally to another includes the rounding of that addition, so sums can
 * move between histories. The three numbers almost always determine the double to which the exact sum rounds.
 * The exact sum itself (sums/exactSum.ts) has 35 words: twelve times as much to copy at a fork and to add at
 * a join.
 */

@inline
function tallySumAt(accountTalliesAddress: usize, sum: i32): usize {
  return accountTalliesAddress + <usize>(<i32>columns.ENTRIES_PER_TALLY * sum) * sizeof<f64>();
}

@final
@unmanaged
class TallyingSums {
  @inline
  add(sum: i32, term: f64): void {
    addTermToTally(tallySumAt(changetype<usize>(this), sum), term);
  }
}

/** Adds the newly started jobs of the fcfs queue to the tallies. */
export function updateTallies(simulation: Simulation): void {
  const firstJob = simulation.accountedJobs;
  const end = simulation.head;
  if (firstJob === end) return;
  simulation.accountedJobs = end;
  simulation.sharedJobs += end - firstJob;
  addJobs<TallyingSums>(changetype<TallyingSums>(columns.accountTallies), simulation, firstJob, end, false);
}

/**
 * Adds a term to a sum kept as (double, rounding error, error bound): the rounding error of the first double
 * goes to the second, that of the second to the bound.
 */
@inline
function addTermToTally(tallyAddress: usize, term: f64): void {
  const sum = at<f64>(tallyAddress, 0);
  const errorSum = at<f64>(tallyAddress, 1);
  const roundingError = roundingErrorOfAddition(sum, term);
  put<f64>(tallyAddress, 0, sum + term);
  put<f64>(tallyAddress, 1, errorSum + roundingError);
  addToErrorBound(tallyAddress, abs<f64>(roundingErrorOfAddition(errorSum, roundingError)));
}

@inline
function addToErrorBound(tallyAddress: usize, addedError: f64): void {
  put<f64>(tallyAddress, 2, at<f64>(tallyAddress, 2) + addedError);
}

/** Adds the sums of other tallies to tallies; subtracts them if `sign` is -1. */
export function joinTalliesInto(
  simulation: Simulation,
  accountTalliesAddress: usize,
  addedTalliesAddress: usize,
  sign: f64,
): void {
  const sumCount = sumCountOf(simulation);
  for (let sumIndex = 0; sumIndex < sumCount; sumIndex++) {
    const tallyAddress = tallySumAt(accountTalliesAddress, sumIndex);
    const otherTallyAddress = tallySumAt(addedTalliesAddress, sumIndex);
    addTermToTally(tallyAddress, sign * at<f64>(otherTallyAddress, 0));
    addTermToTally(tallyAddress, sign * at<f64>(otherTallyAddress, 1));
    addToErrorBound(tallyAddress, at<f64>(otherTallyAddress, 2));
  }
}

/** Double to which a sum rounds; NaN if the tally does not determine it. */
export function roundedTallyValue(accountTalliesAddress: usize, sum: i32): f64 {
  const tallyAddress = tallySumAt(accountTalliesAddress, sum);
  // The bound is doubled, because adding up the bounds was itself subject to rounding.
  return roundedValueIfDeterminedWithin(
    at<f64>(tallyAddress, 0),
    at<f64>(tallyAddress, 1),
    2 * at<f64>(tallyAddress, 2),
  );
}
