import { Simulation, liveOf } from '../memory/state';
import * as columns from '../memory/columns';
import { entryAt, soonestTime } from '../events/finishQueue';
import { areSame, at, clear, copyBytes, put } from '../memory/memory';
import { branch } from './copies';
import * as copies from './copies';
import { lostIn, settledWithin } from '../sums/exactSum';
import { addJobs, sumsOf } from '../sums/jobSums';

/**
 * Histories: states of one simulation that some of its members have in common. One of them is at hand, in
 * the columns of the simulation, and goes on; the others are in records, of the live scalars and columns
 * without the accounts, and of the running jobs. `historyOrder` has the records, first those of living
 * histories.
 *
 * What the metrics need of jobs is summed once for each history. A member's sums are those of its history and
 * its account, which has what other histories had more when this member was in them. So parting costs
 * nothing but a copy, and joining changes the accounts of the members of one side.
 */

/** Living histories. */
export let count: i32 = 0;
/** The record whose history is at hand, -1 for none. */
let atHand: i32 = -1;

/** Bytes of a record but the running jobs. */
@inline
function pieceBytes(simulation: Simulation): usize {
  return columns.accounts - liveOf(simulation);
}

@inline
function recordAt(simulation: Simulation, record: i32): usize {
  const running = entryAt(<i32>columns.mostRunning(simulation) + 1) - entryAt(1);
  return columns.histories + <usize>record * (pieceBytes(simulation) + running);
}

/** A record, or an account, as a simulation that has only its live scalars. */
@inline
function scalarsAt(simulation: Simulation, address: usize): Simulation {
  return changetype<Simulation>(address - (liveOf(simulation) - changetype<usize>(simulation)));
}

/** Where a live column is in a record, or in an account. */
@inline
function columnIn(simulation: Simulation, address: usize, column: usize): usize {
  return address + (column - liveOf(simulation));
}

@inline
function accountAt(simulation: Simulation, member: i32): usize {
  return columns.memberAccounts + <usize>member * pieceBytes(simulation);
}

/** The record of a living history. */
@inline
function recordOf(history: i32): i32 {
  return at<i32>(columns.historyOrder, history);
}

/** One history begins, which is at hand and has all members. */
export function begin(simulation: Simulation): void {
  const order = columns.historyOrder;
  for (let record = 0; record < simulation.memberCount; record++) put<i32>(order, record, record);
  clear(columns.memberAccounts, <usize>simulation.memberCount * pieceBytes(simulation));
  count = 1;
  atHand = 0;
  simulation.forks = 0;
  simulation.joins = 0;
  simulation.sharedJobs = 0;
}

/** Copies the state at hand to a record. */
function keep(simulation: Simulation, record: i32): usize {
  const address = recordAt(simulation, record);
  copies.copyOut(simulation, address, columns.accounts, entryAt(1));
  return address;
}

/** Makes a history the one at hand. */
export function takeUp(simulation: Simulation, history: i32): void {
  const record = recordOf(history);
  if (record === atHand) return;
  putDown(simulation);
  copies.copyBack(simulation, recordAt(simulation, record), columns.accounts, entryAt(1));
  atHand = record;
}

/** No history is at hand any more. */
function putDown(simulation: Simulation): void {
  if (atHand >= 0) keep(simulation, atHand);
  atHand = -1;
}

/** In a decision some members leave, to go on from here by themselves; in trials as a branch. */
export function part(simulation: Simulation, members: u64): void {
  if (simulation.chooses !== 0) {
    branch(simulation, members);
    return;
  }
  // What both have of started jobs is summed up here.
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

/** The history at hand has reached its end; what it has is added to its members' accounts. */
export function end(simulation: Simulation, history: i32): void {
  const address = keep(simulation, recordOf(history));
  for (let rest = simulation.members; rest !== 0; rest &= rest - 1) {
    const account = accountAt(simulation, <i32>ctz(rest));
    addTo(simulation, account, address, 1);
    addExtremes(simulation, account, address);
  }
  atHand = -1;
  remove(history);
}

function remove(history: i32): void {
  const order = columns.historyOrder;
  count--;
  const record = at<i32>(order, history);
  put<i32>(order, history, at<i32>(order, count));
  put<i32>(order, count, record);
}

/** When the next job ends in any history. */
export function soonestEnd(simulation: Simulation): f64 {
  if (atHand >= 0 && count === 1) return soonestTime(simulation);
  let soonest: f64 = Infinity;
  for (let history = 0; history < count; history++) {
    takeUp(simulation, history);
    soonest = min<f64>(soonest, soonestTime(simulation));
  }
  return soonest;
}

/** Joins histories that have become equal; all are at the same time. */
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

/** A number that is the same of equal states, and seldom of others. */
function signatureOf(simulation: Simulation, address: usize): u64 {
  const scalars = scalarsAt(simulation, address);
  const running = address + pieceBytes(simulation);
  const count = scalars.running;
  const last: u64 = count > 0 ? at<u64>(running, 2 * count - 1) : 0;
  const jobs = <u64>scalars.head ^ ((<u64>count) << 32);
  return jobs ^ rotl<u64>(<u64>scalars.freeProcessors, 24) ^ rotl<u64>(last, 40);
}

/** Whether two histories have the same future: all that decisions depend on, and the running jobs. */
function areEqual(simulation: Simulation, history: i32, other: i32): bool {
  const own = recordAt(simulation, recordOf(history));
  const others = recordAt(simulation, recordOf(other));
  const first = offsetof<Simulation>('now') - offsetof<Simulation>('waitingObserved');
  const words = <i32>((columns.siteJobs - liveOf(simulation) - first) >> 3);
  if (!areSame(own + first, others + first, words)) return false;
  const bytes = pieceBytes(simulation);
  return areSame(own + bytes, others + bytes, 2 * scalarsAt(simulation, own).running);
}

/** One of two equal histories takes the members of the other, which is no more. */
function unite(simulation: Simulation, history: i32, other: i32): void {
  let stays = recordAt(simulation, recordOf(history));
  let leaves = recordAt(simulation, recordOf(other));
  // The accounts of the fewer members change.
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
  // In the record that is returned.
  addTo(simulation, leaves, stays, -1);
  for (let rest = leaving.members; rest !== 0; rest &= rest - 1) {
    const account = accountAt(simulation, <i32>ctz(rest));
    addTo(simulation, account, leaves, 1);
    addExtremes(simulation, account, leaves);
  }
  // A greatest value cannot be taken back, so it begins again for all.
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

/** Adds counts and sums of a history to an account, or takes them off where the sign is -1. */
function addTo(simulation: Simulation, account: usize, address: usize, sign: i32): void {
  const own = scalarsAt(simulation, account);
  const history = scalarsAt(simulation, address);
  own.waitingObserved += <i64>sign * history.waitingObserved;
  own.movedJobs += sign * history.movedJobs;
  own.decisionsAgreed += sign * history.decisionsAgreed;
  own.decisionsBestFit += sign * history.decisionsBestFit;
  own.decisionsFastestFirst += sign * history.decisionsFastestFirst;
  // Jobs of sites, and of homes behind them.
  const counts = columnIn(simulation, account, columns.siteJobs);
  const counted = columnIn(simulation, address, columns.siteJobs);
  for (let place = 0; place < 2 * simulation.siteCount; place++) {
    put<f64>(counts, place, at<f64>(counts, place) + <f64>sign * at<f64>(counted, place));
  }
  const tallies = columnIn(simulation, account, columns.tallies);
  joinTallies(simulation, tallies, columnIn(simulation, address, columns.tallies), sign);
}

/** Makes what a member's account has that of the simulation. */
export function showMember(simulation: Simulation, member: i32): void {
  copyBytes(liveOf(simulation), accountAt(simulation, member), pieceBytes(simulation));
}

/**
 * Sums of jobs of a simulation that parts and is joined: each a double, what that lacks, and how far the two
 * may be off. Adding one to another counts in what that itself loses, so they can go back and forth between
 * histories; the three determine the double that the exact sum rounds to, except in very rare cases. The
 * exact sum itself (sums/exactSum.ts) has 35 words: twelve times as much to copy at a fork and to add at a
 * join.
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

/** Brings the tallies up to date with the jobs of the fcfs queue that have started. */
export function updateTallies(simulation: Simulation): void {
  const first = simulation.accounted;
  const end = simulation.head;
  if (first === end) return;
  simulation.accounted = end;
  simulation.sharedJobs += end - first;
  addJobs<Tallied>(changetype<Tallied>(columns.tallies), simulation, first, end, false);
}

/** A term more: what the first double loses goes to the second, what that loses to the doubt. */
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

/** Other tallies join, or leave where the sign is -1. */
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

/** The double that a sum rounds to, NaN where its tally leaves that open. */
export function settledTally(tallies: usize, sum: i32): f64 {
  const tally = sumAt(tallies, sum);
  // The doubts were rounded when they were added up.
  return settledWithin(at<f64>(tally, 0), at<f64>(tally, 1), 2 * at<f64>(tally, 2));
}
