import { Simulation, liveOf } from '../memory/state';
import * as columns from '../memory/columns';
import { entryAt, soonestTime } from '../events/finishQueue';
import { areSame, at, clear, copyBytes, put } from '../memory/memory';
import { branch } from './copies';
import * as copies from './copies';
import { lostIn, settledWithin } from '../sums/exactSum';
import { addJobs, sumsOf } from '../sums/jobSums';

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
let currentRecord: i32 = -1;

/** Size of a record in bytes, without the running jobs. */
@inline
function pieceBytes(simulation: Simulation): usize {
  return columns.accounts - liveOf(simulation);
}

@inline
function recordAt(simulation: Simulation, record: i32): usize {
  const running = entryAt(<i32>columns.mostRunning(simulation) + 1) - entryAt(1);
  return columns.histories + <usize>record * (pieceBytes(simulation) + running);
}

/** Scalars of a record or account, as a Simulation of which only the live scalars exist. */
@inline
function scalarsAt(simulation: Simulation, address: usize): Simulation {
  return changetype<Simulation>(address - (liveOf(simulation) - changetype<usize>(simulation)));
}

/** Address of a live column in a record or account. */
@inline
function columnIn(simulation: Simulation, address: usize, column: usize): usize {
  return address + (column - liveOf(simulation));
}

@inline
function accountAt(simulation: Simulation, member: i32): usize {
  return columns.memberAccounts + <usize>member * pieceBytes(simulation);
}

/** Record of a living history. */
@inline
function recordOf(history: i32): i32 {
  return at<i32>(columns.historyOrder, history);
}

/** Starts with a single history, which is current and has all members. */
export function begin(simulation: Simulation): void {
  const order = columns.historyOrder;
  for (let record = 0; record < simulation.memberCount; record++) put<i32>(order, record, record);
  clear(columns.memberAccounts, <usize>simulation.memberCount * pieceBytes(simulation));
  count = 1;
  currentRecord = 0;
  simulation.forks = 0;
  simulation.joins = 0;
  simulation.sharedJobs = 0;
}

/** Copies the current state to a record, and returns the record's address. */
function keep(simulation: Simulation, record: i32): usize {
  const address = recordAt(simulation, record);
  copies.copyOut(simulation, address, columns.accounts, entryAt(1));
  return address;
}

/** Makes a history current. */
export function takeUp(simulation: Simulation, history: i32): void {
  const record = recordOf(history);
  if (record === currentRecord) return;
  putDown(simulation);
  copies.copyBack(simulation, recordAt(simulation, record), columns.accounts, entryAt(1));
  currentRecord = record;
}

/** Saves the current history; afterwards none is current. */
function putDown(simulation: Simulation): void {
  if (currentRecord >= 0) keep(simulation, currentRecord);
  currentRecord = -1;
}

/**
 * Separates the members that decide differently from the current history; in trials, as a branch.
 */
export function part(simulation: Simulation, members: u64): void {
  if (simulation.chooses !== 0) {
    branch(simulation, members);
    return;
  }
  // Adds the started jobs that both histories share to the sums, before they separate.
  updateTallies(simulation);
  const own = simulation.members & ~members;
  simulation.members = members;
  simulation.isMidPass = 1;
  keep(simulation, recordOf(count));
  count++;
  simulation.members = own;
  simulation.isMidPass = 0;
  simulation.forks++;
}

/** Ends the current history: adds its sums to the accounts of its members. */
export function end(simulation: Simulation, history: i32): void {
  const address = keep(simulation, recordOf(history));
  for (let rest = simulation.members; rest !== 0; rest &= rest - 1) {
    const account = accountAt(simulation, <i32>ctz(rest));
    addTo(simulation, account, address, 1);
    addExtremes(simulation, account, address);
  }
  currentRecord = -1;
  remove(history);
}

function remove(history: i32): void {
  const order = columns.historyOrder;
  count--;
  const record = at<i32>(order, history);
  put<i32>(order, history, at<i32>(order, count));
  put<i32>(order, count, record);
}

/** Time of the next end of a job in any history. */
export function soonestEnd(simulation: Simulation): f64 {
  if (currentRecord >= 0 && count === 1) return soonestTime(simulation);
  let soonest: f64 = Infinity;
  for (let history = 0; history < count; history++) {
    takeUp(simulation, history);
    soonest = min<f64>(soonest, soonestTime(simulation));
  }
  return soonest;
}

/** Joins histories whose states have become equal; all must be at the same time. */
export function join(simulation: Simulation): void {
  if (count === 1) return;
  putDown(simulation);
  const signatures = columns.signatures;
  for (let history = 0; history < count; history++) {
    put<u64>(signatures, history, signatureOf(simulation, recordAt(simulation, recordOf(history))));
  }
  for (let history = 0; history < count; history++) {
    for (let other = count - 1; other > history; other--) {
      if (at<u64>(signatures, history) !== at<u64>(signatures, other)) continue;
      if (!areEqual(simulation, history, other)) continue;
      unite(simulation, history, other);
      put<u64>(signatures, other, at<u64>(signatures, count));
    }
  }
}

/** Hash that is equal for equal states and rarely equal for others. */
function signatureOf(simulation: Simulation, address: usize): u64 {
  const scalars = scalarsAt(simulation, address);
  const running = address + pieceBytes(simulation);
  const count = scalars.running;
  const last: u64 = count > 0 ? at<u64>(running, 2 * count - 1) : 0;
  const jobs = <u64>scalars.head ^ ((<u64>count) << 32);
  return jobs ^ rotl<u64>(<u64>scalars.freeProcessors, 24) ^ rotl<u64>(last, 40);
}

/** True if two histories have the same future: equal decision state and running jobs. */
function areEqual(simulation: Simulation, history: i32, other: i32): bool {
  const own = recordAt(simulation, recordOf(history));
  const others = recordAt(simulation, recordOf(other));
  const first = offsetof<Simulation>('now') - offsetof<Simulation>('waitingObserved');
  const words = <i32>((columns.siteJobs - liveOf(simulation) - first) >> 3);
  if (!areSame(own + first, others + first, words)) return false;
  const bytes = pieceBytes(simulation);
  return areSame(own + bytes, others + bytes, 2 * scalarsAt(simulation, own).running);
}

/** Moves the members of one of two equal histories to the other, and removes the first. */
function unite(simulation: Simulation, history: i32, other: i32): void {
  let stays = recordAt(simulation, recordOf(history));
  let leaves = recordAt(simulation, recordOf(other));
  // Keeps the history with more members, so that fewer accounts change.
  if (membersOf(simulation, stays) < membersOf(simulation, leaves)) {
    const order = columns.historyOrder;
    const record = at<i32>(order, history);
    put<i32>(order, history, at<i32>(order, other));
    put<i32>(order, other, record);
    const address = stays;
    stays = leaves;
    leaves = address;
  }
  const staying = scalarsAt(simulation, stays);
  const leaving = scalarsAt(simulation, leaves);
  // Subtracts in the record, so that it holds the difference.
  addTo(simulation, leaves, stays, -1);
  for (let rest = leaving.members; rest !== 0; rest &= rest - 1) {
    const account = accountAt(simulation, <i32>ctz(rest));
    addTo(simulation, account, leaves, 1);
    addExtremes(simulation, account, leaves);
  }
  // A maximum cannot be subtracted, so the common one starts again and each account takes the old one.
  for (let rest = staying.members; rest !== 0; rest &= rest - 1) {
    addExtremes(simulation, accountAt(simulation, <i32>ctz(rest)), stays);
  }
  staying.maxWait = 0;
  staying.lastEnd = 0;
  staying.largestQueue = 0;
  staying.members |= leaving.members;
  remove(other);
  simulation.joins++;
}

@inline
function membersOf(simulation: Simulation, address: usize): u64 {
  return popcnt(scalarsAt(simulation, address).members);
}

function addExtremes(simulation: Simulation, account: usize, address: usize): void {
  const own = scalarsAt(simulation, account);
  const history = scalarsAt(simulation, address);
  own.maxWait = max<f64>(own.maxWait, history.maxWait);
  own.lastEnd = max<f64>(own.lastEnd, history.lastEnd);
  own.largestQueue = max(own.largestQueue, history.largestQueue);
}

/** Adds counts and sums of a history to an account; subtracts for sign -1. */
function addTo(simulation: Simulation, account: usize, address: usize, sign: i32): void {
  const own = scalarsAt(simulation, account);
  const history = scalarsAt(simulation, address);
  own.waitingObserved += <i64>sign * history.waitingObserved;
  own.movedJobs += sign * history.movedJobs;
  own.decisionsAgreed += sign * history.decisionsAgreed;
  own.decisionsBestFit += sign * history.decisionsBestFit;
  own.decisionsFastestFirst += sign * history.decisionsFastestFirst;
  // Number of jobs by site, followed by that by home.
  const counts = columnIn(simulation, account, columns.siteJobs);
  const counted = columnIn(simulation, address, columns.siteJobs);
  for (let place = 0; place < 2 * simulation.siteCount; place++) {
    put<f64>(counts, place, at<f64>(counts, place) + <f64>sign * at<f64>(counted, place));
  }
  const tallies = columnIn(simulation, account, columns.tallies);
  joinTallies(simulation, tallies, columnIn(simulation, address, columns.tallies), sign);
}

/** Replaces the simulation's sums by a member's account. */
export function showMember(simulation: Simulation, member: i32): void {
  copyBytes(liveOf(simulation), accountAt(simulation, member), pieceBytes(simulation));
}

/**
 * Sums over jobs of a simulation whose branches are joined. Each sum is a double, its rounding error, and a
 * bound of the error of both. Adding one tally to another includes the rounding of that addition, so sums can
 * move between histories. The three numbers almost always determine the double to which the exact sum rounds.
 * The exact sum itself (sums/exactSum.ts) has 35 words: twelve times as much to copy at a fork and to add at
 * a join.
 */

@inline
function sumAt(tallies: usize, sum: i32): usize {
  return tallies + <usize>(<i32>columns.TALLY_ENTRIES * sum) * sizeof<f64>();
}

@final
@unmanaged
class Tallied {
  @inline
  add(sum: i32, term: f64): void {
    addTerm(sumAt(changetype<usize>(this), sum), term);
  }
}

/** Adds the newly started jobs of the fcfs queue to the tallies. */
export function updateTallies(simulation: Simulation): void {
  const first = simulation.accounted;
  const end = simulation.head;
  if (first === end) return;
  simulation.accounted = end;
  simulation.sharedJobs += end - first;
  addJobs<Tallied>(changetype<Tallied>(columns.tallies), simulation, first, end, false);
}

/**
 * Adds a term: the rounding error of the first double goes to the second, that of the second to the bound.
 */
@inline
function addTerm(tally: usize, term: f64): void {
  const sum = at<f64>(tally, 0);
  const rest = at<f64>(tally, 1);
  const lost = lostIn(sum, term);
  put<f64>(tally, 0, sum + term);
  put<f64>(tally, 1, rest + lost);
  doubt(tally, abs<f64>(lostIn(rest, lost)));
}

@inline
function doubt(tally: usize, much: f64): void {
  put<f64>(tally, 2, at<f64>(tally, 2) + much);
}

/** Adds other tallies; subtracts for sign -1. */
export function joinTallies(simulation: Simulation, tallies: usize, others: usize, sign: f64): void {
  const sums = sumsOf(simulation);
  for (let sum = 0; sum < sums; sum++) {
    const tally = sumAt(tallies, sum);
    const other = sumAt(others, sum);
    addTerm(tally, sign * at<f64>(other, 0));
    addTerm(tally, sign * at<f64>(other, 1));
    doubt(tally, at<f64>(other, 2));
  }
}

/** Double to which a sum rounds; NaN if the tally does not determine it. */
export function settledTally(tallies: usize, sum: i32): f64 {
  const tally = sumAt(tallies, sum);
  // The bound is doubled, because adding up the bounds was itself subject to rounding.
  return settledWithin(at<f64>(tally, 0), at<f64>(tally, 1), 2 * at<f64>(tally, 2));
}
