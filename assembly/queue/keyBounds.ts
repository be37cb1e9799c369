import { ages } from '../memory/runKind';
import { Order } from '../abi/abi';
import { Simulation } from '../memory/state';
import * as bitmap from '../memory/bitmap';
import * as columns from '../memory/columns';
import { CHECKED, Invariant, Work, check, count } from '../memory/check';
import { workOf } from '../grid/execution';
import { at } from '../memory/memory';
import { isEarlier, keyOf } from './ranking';

/**
 * The next of the waiting jobs in an order whose keys change with time, or are known from the submits on
 * only: of all, or of those that may start. The jobs are in second ranks, by width and estimate, and each
 * block of 64 and of 4096 ranks has bounds of those that wait: of how early in the order one can be, and
 * of their work. So blocks are skipped in which no job fits, is short enough, or comes before the first one
 * found; the keys themselves decide among the jobs of the others.
 *
 * There are two orders, that of the queue and that of backfilling, and bounds for each whose keys change. The
 * second goes for the jobs behind the last reservation.
 *
 * What is bounded is the priority of a job, a straight line over time: minus its key, where that stays, and
 * for WFP3 the cube root of that, (wait / max(1, e)) * processors^(1/3). The bound of a block is exact when
 * its jobs have been looked at, and rises from then on as the steepest of them. Jobs that leave do not lower
 * it.
 */

@unmanaged
class Bound {
  /** No priority was greater at this time, and none rises by more a second. */
  since: f64;
  height: f64;
  rise: f64;
  /** No job has less work, as far as is known, and none was submitted before. */
  leastWork: f64;
  earliest: f64;
  /** A bound of another epoch says nothing. */
  epoch: i64;
}

/** Of a bound where keys change: more than all roundings of priorities and keys. */
const SPARE: f64 = 1 + 1.0 / <f64>(1 << 30);
/** Below this keys have lost bits, or are 0. */
const LEAST_KEY: f64 = 1e-290;

/** Whether jobs are found by the keys of the order of backfilling, and not by those of the queue's. */
let isSecond: bool = false;

/** The bound of a block of 64 ranks in the order at hand. */
@inline
function boundAt(simulation: Simulation, block: i32): Bound {
  const blocks = isSecond ? (simulation.jobCount >> 6) + (simulation.jobCount >> 12) + 2 : 0;
  return changetype<Bound>(
    columns.keyBounds + <usize>(blocks + block) * <usize>(columns.KEY_BOUND_WORDS << 3),
  );
}

/** Those of blocks of 4096 ranks are behind those of 64. */
@inline
function boundOf4096(simulation: Simulation, block: i32): Bound {
  return boundAt(simulation, (simulation.jobCount >> 6) + 1 + block);
}

/** Whether the pass tries the jobs behind the last reservation, in an order of their own. */
@inline
function isBehindReservation(simulation: Simulation): bool {
  return simulation.backfillOrder !== 0 && simulation.reserved >= 0;
}

/** Whether the order in which jobs are tried now is one of those that have bounds. */
@inline
export function areInForce(simulation: Simulation): bool {
  if (simulation.boundsKeys === 0) return false;
  return hasBounds(simulation, isBehindReservation(simulation));
}

@inline
function hasBounds(simulation: Simulation, ofSecond: bool): bool {
  return ((simulation.boundsKeys >> i32(ofSecond)) & 1) !== 0;
}

/** Nothing is known of the keys of those that wait, or of their lengths. */
@inline
export function forget(simulation: Simulation): void {
  simulation.keyEpoch++;
}

/** What a job has now: its key, its priority, and by how much that rises in a second. */
let key: f64 = 0;
let height: f64 = 0;
let rise: f64 = 0;
/** A width and its cube root. */
let width: i32 = 1;
let root: f64 = 1;

/** The order by whose keys jobs are found. */
@inline
function orderOf(simulation: Simulation): Order {
  return isSecond ? simulation.backfillOrder - 1 : simulation.order;
}

@inline
function keyNow(simulation: Simulation, job: i32): f64 {
  return keyOf(orderOf(simulation), isSecond ? columns.backfillKeys : columns.keys, job, simulation.now);
}

function findPriority(simulation: Simulation, job: i32): void {
  const order = orderOf(simulation);
  key = keyNow(simulation, job);
  height = -key;
  rise = 0;
  if (!ages(order)) return;
  const processors = at<i32>(columns.processors, job);
  if (processors !== width) {
    width = processors;
    root = cubeRoot(<f64>width);
  }
  rise = root / max<f64>(1, workOf(job));
  height = rise * (simulation.now - at<f64>(columns.submits, job));
}

/** The cube root of a number from 1 on, to some bits: by Newton's method, from a third of the exponent. */
function cubeRoot(value: f64): f64 {
  let root = reinterpret<f64>(reinterpret<u64>(value) / 3 + ((<u64>682) << 52));
  for (let step = 0; step < 4; step++) root -= (root - value / (root * root)) / 3;
  return root;
}

/** A job has taken its rank. */
export function enter(simulation: Simulation, job: i32): void {
  const block = at<i32>(columns.rankOf, job) >> 6;
  const waiting = at<u64>(columns.waiting0, block);
  const blocks = at<u64>(columns.waiting1, block >> 6);
  const isAlone = (waiting & (waiting - 1)) === 0;
  const isAloneIn4096 = isAlone && (blocks & (blocks - 1)) === 0;
  const wasSecond = isSecond;
  for (let order = 0; order < 2; order++) {
    isSecond = order !== 0;
    if (!hasBounds(simulation, isSecond)) continue;
    begin();
    add(simulation, job);
    raise(simulation, boundAt(simulation, block), isAlone);
    raise(simulation, boundOf4096(simulation, block >> 6), isAloneIn4096);
  }
  isSecond = wasSecond;
}

/** The keys of a job that waits have changed, or its work. */
export function change(simulation: Simulation, job: i32): void {
  if (simulation.boundsKeys === 0) return;
  columns.turnRanks();
  enter(simulation, job);
  columns.turnRanks();
}

/** Bounds of what is gone through, as it stands now. */
let highest: f64 = 0;
let steepest: f64 = 0;
let leastWork: f64 = 0;
let earliest: f64 = 0;

/** Nothing has been gone through. */
@inline
function begin(): void {
  highest = -Infinity;
  steepest = 0;
  leastWork = Infinity;
  earliest = Infinity;
}

/** A job is gone through. */
@inline
function add(simulation: Simulation, job: i32): void {
  findPriority(simulation, job);
  highest = max<f64>(highest, height);
  steepest = max<f64>(steepest, rise);
  leastWork = min<f64>(leastWork, workOf(job));
  earliest = min<f64>(earliest, at<f64>(columns.submits, job));
}

/** A block about which something is known is searched. */
@inline
function addBlock(simulation: Simulation, bound: Bound): void {
  highest = max<f64>(highest, heightOf(simulation, bound));
  steepest = max<f64>(steepest, bound.rise);
  leastWork = min<f64>(leastWork, bound.leastWork);
  earliest = min<f64>(earliest, bound.earliest);
}

/** A bound is of the job that has been gone through: of it alone, or beside those that it was of. */
@inline
function raise(simulation: Simulation, bound: Bound, isAlone: bool): void {
  if (!isAlone && bound.epoch !== simulation.keyEpoch) return;
  if (!isAlone) addBlock(simulation, bound);
  set(simulation, bound);
}

/** A bound is of what has been gone through. */
@inline
function set(simulation: Simulation, bound: Bound): void {
  bound.since = simulation.now;
  bound.height = highest;
  bound.rise = steepest;
  bound.leastWork = leastWork;
  bound.earliest = earliest;
  bound.epoch = simulation.keyEpoch;
}

/** No priority of a block is greater now; +infinity where nothing is known. */
@inline
function heightOf(simulation: Simulation, bound: Bound): f64 {
  if (bound.epoch !== simulation.keyEpoch) return Infinity;
  if (bound.rise === 0) return bound.height;
  return (bound.height + bound.rise * (simulation.now - bound.since)) * SPARE;
}

/** The first that has been found, or -1, and its key. */
let first: i32 = -1;
let firstKey: f64 = Infinity;

/** Whether no job that a bound is of is before the first that has been found. */
@inline
function isBehind(simulation: Simulation, bound: Bound): bool {
  if (first < 0) return false;
  const height = heightOf(simulation, bound);
  if (ages(orderOf(simulation))) return height * height * height * SPARE + LEAST_KEY < -firstKey;
  return -height > firstKey || (-height === firstKey && bound.earliest > at<f64>(columns.submits, first));
}

/** Those that are found are behind this job, if it is one, in the order at hand. */
let last: i32 = -1;
let lastKey: f64 = 0;
/** And behind this one, if it is one, in the order of the queue. */
let reserved: i32 = -1;

/** A job that needs no more processors than this. */
let widest: i32 = 0;

@final
@unmanaged
class NotWider {
  @inline
  mayHold(simulation: Simulation, narrowest: i32, leastWork: f64): bool {
    return narrowest <= widest;
  }

  @inline
  holds(simulation: Simulation, job: i32): bool {
    return at<i32>(columns.processors, job) <= widest;
  }
}

/** The job behind another in the order of its queue, with -1 the first; or -1. */
export function behindInQueue(simulation: Simulation, queue: i32, job: i32): i32 {
  widest = i32.MAX_VALUE;
  return inOrder<NotWider>(simulation, queue, job, false);
}

/**
 * The next job behind one in the order in force, with -1 the first that is tried, of those that need at most
 * this many processors; or -1.
 */
export function behindNotWider(simulation: Simulation, queue: i32, job: i32, processors: i32): i32 {
  widest = processors;
  return next<NotWider>(simulation, queue, job);
}

/** The same of those for which a condition `C` holds. */
@inline
export function next<C>(simulation: Simulation, queue: i32, job: i32): i32 {
  const ofSecond = isBehindReservation(simulation);
  if (job < 0 && !ofSecond) job = simulation.reserved;
  return inOrder<C>(simulation, queue, job, ofSecond);
}

function inOrder<C>(simulation: Simulation, queue: i32, job: i32, ofSecond: bool): i32 {
  const begin = at<i32>(columns.firstRanks, queue);
  const end = at<i32>(columns.firstRanks, queue + 1);
  return firstOf<C>(simulation, begin, end, job, ofSecond);
}

/** Whether a job is before another in the order of the queue, which has bounds or stays. */
export function isBeforeInQueue(simulation: Simulation, job: i32, other: i32): bool {
  if (!hasBounds(simulation, false)) {
    return columns.rankInQueue(job) < columns.rankInQueue(other);
  }
  const key = keyOf(simulation.order, columns.keys, job, simulation.now);
  const otherKey = keyOf(simulation.order, columns.keys, other, simulation.now);
  return key < otherKey || (key === otherKey && isEarlier(job, other));
}

/**
 * The first job behind one, if it is any, in the order of the queue or of backfilling, of the waiting ones
 * with second ranks in [rank, end), for which a condition `C` holds; or -1. It says, too, whether it may hold
 * of jobs that are no narrower and have no less work than given.
 */
export function firstOf<C>(simulation: Simulation, rank: i32, end: i32, job: i32, ofSecond: bool): i32 {
  isSecond = ofSecond;
  last = job;
  if (job >= 0) lastKey = keyNow(simulation, job);
  reserved = ofSecond ? simulation.reserved : -1;
  const isTurned = columns.areRanksTurned;
  if (!isTurned) columns.turnRanks();
  find<C>(simulation, rank, end);
  if (!isTurned) columns.turnRanks();
  return first;
}

/** The ranks at hand are those of the widths. */
function find<C>(simulation: Simulation, rank: i32, end: i32): void {
  first = -1;
  firstKey = Infinity;
  for (let from = nextRank(rank, end); from < end; ) {
    const wide = from >> 12;
    const until = min((wide + 1) << 12, end);
    const bound = boundOf4096(simulation, wide);
    const narrowest = at<i32>(columns.narrowest1, wide);
    if (mayHold<C>(simulation, bound, narrowest)) search<C>(simulation, from, until);
    from = nextRank(until, end);
  }
  if (CHECKED) check(isFirst<C>(simulation, rank, end), Invariant.KeyBounds);
}

@inline
function nextRank(rank: i32, end: i32): i32 {
  return bitmap.next(columns.waiting0, columns.waiting1, columns.waiting2, columns.waiting3, rank, end);
}

/** Whether a job that a bound is of may be the first, the narrowest having this many processors. */
@inline
function mayHold<C>(simulation: Simulation, bound: Bound, narrowest: i32): bool {
  count(Work.QueueLooks);
  const least = bound.epoch === simulation.keyEpoch ? bound.leastWork : 0;
  if (!changetype<C>(0).mayHold(simulation, narrowest, least)) return false;
  return !isBehind(simulation, bound);
}

/**
 * Searches the ranks [rank, end) of a block of 4096: first the most promising of its blocks, then all that
 * may have a job that is before.
 */
function search<C>(simulation: Simulation, rank: i32, end: i32): void {
  const wide = rank >> 12;
  // Of one of several queues.
  const within = (~(<u64>0) << ((rank >> 6) & 63)) & (~(<u64>0) >> (63 - (((end - 1) >> 6) & 63)));
  const blocks = at<u64>(columns.waiting1, wide) & within;
  let promising = -1;
  let greatest: f64 = -Infinity;
  for (let bits = blocks; bits !== 0; bits &= bits - 1) {
    const block = (wide << 6) + <i32>ctz(bits);
    const bound = boundAt(simulation, block);
    const height = heightOf(simulation, bound);
    if (promising >= 0 && !(height > greatest)) continue;
    if (!mayHold<C>(simulation, bound, at<i32>(columns.narrowest0, block))) continue;
    promising = block;
    greatest = height;
  }
  if (promising < 0) return;
  look<C>(simulation, promising, rank, end);
  for (let bits = blocks & ~((<u64>1) << (promising & 63)); bits !== 0; bits &= bits - 1) {
    const block = (wide << 6) + <i32>ctz(bits);
    const bound = boundAt(simulation, block);
    const narrowest = at<i32>(columns.narrowest0, block);
    if (mayHold<C>(simulation, bound, narrowest)) look<C>(simulation, block, rank, end);
  }
  boundAgain(simulation, wide);
}

/** Bounds a block of 4096 by its blocks of 64, if something is known of each. */
function boundAgain(simulation: Simulation, wide: i32): void {
  begin();
  for (let bits = at<u64>(columns.waiting1, wide); bits !== 0; bits &= bits - 1) {
    const bound = boundAt(simulation, (wide << 6) + <i32>ctz(bits));
    if (bound.epoch !== simulation.keyEpoch) return;
    addBlock(simulation, bound);
  }
  set(simulation, boundOf4096(simulation, wide));
}

/** Looks at the jobs of a block; the first is one of those with ranks in [rank, end). */
function look<C>(simulation: Simulation, block: i32, rank: i32, end: i32): void {
  begin();
  for (let bits = at<u64>(columns.waiting0, block); bits !== 0; bits &= bits - 1) {
    count(Work.QueueLooks);
    const own = (block << 6) + <i32>ctz(bits);
    const job = at<i32>(columns.jobAt, own);
    add(simulation, job);
    if (own < rank || own >= end || !isBefore(job, key) || !isTried(simulation, job, key)) continue;
    if (!changetype<C>(0).holds(simulation, job)) continue;
    first = job;
    firstKey = key;
  }
  set(simulation, boundAt(simulation, block));
}

/** Whether a job with such a key is before the first that has been found. */
@inline
function isBefore(job: i32, key: f64): bool {
  if (first < 0) return true;
  return key < firstKey || (key === firstKey && isEarlier(job, first));
}

/** Whether a job with such a key is behind those that those are behind that are looked for. */
@inline
function isTried(simulation: Simulation, job: i32, key: f64): bool {
  if (last >= 0 && !(key > lastKey || (key === lastKey && isEarlier(last, job)))) return false;
  return reserved < 0 || isBeforeInQueue(simulation, reserved, job);
}

/** Whether no job is before the first that has been found: for the checked build, by a look at all. */
function isFirst<C>(simulation: Simulation, rank: i32, end: i32): bool {
  for (rank = nextRank(rank, end); rank < end; rank = nextRank(rank + 1, end)) {
    const job = at<i32>(columns.jobAt, rank);
    const key = keyNow(simulation, job);
    if (job === first || !isBefore(job, key) || !isTried(simulation, job, key)) continue;
    if (changetype<C>(0).holds(simulation, job)) return false;
  }
  return true;
}
