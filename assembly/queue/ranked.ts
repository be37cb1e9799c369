import { Discipline, Topology } from '../abi';
import { Simulation } from '../state';
import * as columns from '../columns';
import { CHECKED, Invariant, check } from '../check';
import { at, put } from '../memory';

/**
 * Waiting jobs that leave in any other order than they came. At the start every job gets a rank, its place in
 * the order of the discipline among all jobs; with one queue per home site the ranks of a queue stand
 * together. A queue is then a set of ranks, kept as a bitmap with three summary levels above it (a bit for
 * each word below that is not empty). Joining, leaving, coming back and finding the next in order cost a few
 * word operations however many jobs wait.
 *
 * For searches by width, each block of 64 and of 4096 ranks has the fewest processors that a job in it needs:
 * of all jobs, which is bound enough while only heads start; of the waiting ones, or NOBODY, where the narrow
 * jobs of a long queue leave it first.
 */
const NOBODY: i32 = i32.MAX_VALUE;

/** Whether jobs are looked for throughout the queue and not only at its head. */
@inline
function isScanned(simulation: Simulation): bool {
  return simulation.discipline >= Discipline.FirstAvailable;
}

/** The queue that a job waits in. */
@inline
export function queueOf(simulation: Simulation, job: i32): i32 {
  return simulation.topology === Topology.Shared ? 0 : at<i32>(columns.homes, job);
}

/** A job joins its queue, or comes back to it. */
export function join(simulation: Simulation, job: i32): void {
  const rank = at<i32>(columns.rankOf, job);
  const queue = queueOf(simulation, job);
  const processors = at<i32>(columns.processors, job);
  const waiting = at<i32>(columns.queueWaiting, queue);
  simulation.waiting++;
  put<i32>(columns.queueWaiting, queue, waiting + 1);
  put<f64>(columns.queueDemands, queue, at<f64>(columns.queueDemands, queue) + <f64>processors);
  if (waiting === 0 || rank < at<i32>(columns.rankOf, at<i32>(columns.heads, queue))) {
    put<i32>(columns.heads, queue, job);
  }
  setBit(columns.waiting0, rank) &&
    setBit(columns.waiting1, rank >> 6) &&
    setBit(columns.waiting2, rank >> 12) &&
    setBit(columns.waiting3, rank >> 18);
  if (!isScanned(simulation)) return;
  put<i32>(columns.narrowest0, rank >> 6, min(at<i32>(columns.narrowest0, rank >> 6), processors));
  put<i32>(columns.narrowest1, rank >> 12, min(at<i32>(columns.narrowest1, rank >> 12), processors));
}

/** A job leaves its queue. */
export function leave(simulation: Simulation, job: i32): void {
  const rank = at<i32>(columns.rankOf, job);
  const queue = queueOf(simulation, job);
  const processors = at<i32>(columns.processors, job);
  const waiting = at<i32>(columns.queueWaiting, queue);
  if (CHECKED) check((at<u64>(columns.waiting0, rank >> 6) >> (rank & 63)) % 2 === 1, Invariant.QueueWindow);
  simulation.waiting--;
  put<i32>(columns.queueWaiting, queue, waiting - 1);
  put<f64>(columns.queueDemands, queue, at<f64>(columns.queueDemands, queue) - <f64>processors);
  clearBit(columns.waiting0, rank) &&
    clearBit(columns.waiting1, rank >> 6) &&
    clearBit(columns.waiting2, rank >> 12) &&
    clearBit(columns.waiting3, rank >> 18);
  if (waiting > 1 && at<i32>(columns.heads, queue) === job) {
    put<i32>(columns.heads, queue, at<i32>(columns.jobAt, nextRank(simulation, rank)));
  }
  if (!isScanned(simulation)) return;
  if (at<i32>(columns.narrowest0, rank >> 6) === processors) narrowAgain(rank);
}

/** Sets a bit; true when its word was empty. */
@inline
function setBit(bits: usize, index: i32): bool {
  const word = at<u64>(bits, index >> 6);
  put<u64>(bits, index >> 6, word | (<u64>1 << (index & 63)));
  return word === 0;
}

/** Clears a bit; true when its word became empty. */
@inline
function clearBit(bits: usize, index: i32): bool {
  const word = at<u64>(bits, index >> 6) & ~(<u64>1 << (index & 63));
  put<u64>(bits, index >> 6, word);
  return word === 0;
}

/** Finds the fewest processors anew in the blocks of a rank that has left. */
function narrowAgain(rank: i32): void {
  const block = rank >> 6;
  let least = NOBODY;
  for (let bits = at<u64>(columns.waiting0, block); bits !== 0; bits &= bits - 1) {
    const job = at<i32>(columns.jobAt, (block << 6) + <i32>ctz(bits));
    least = min(least, at<i32>(columns.processors, job));
  }
  const before = at<i32>(columns.narrowest0, block);
  put<i32>(columns.narrowest0, block, least);
  if (least === before || at<i32>(columns.narrowest1, rank >> 12) !== before) return;
  let leastOfBlocks = NOBODY;
  for (let bits = at<u64>(columns.waiting1, rank >> 12); bits !== 0; bits &= bits - 1) {
    leastOfBlocks = min(leastOfBlocks, at<i32>(columns.narrowest0, ((rank >> 12) << 6) + <i32>ctz(bits)));
  }
  put<i32>(columns.narrowest1, rank >> 12, leastOfBlocks);
}

/** The first set bit of a bitmap at or above an index within that index's word, or -1. */
@inline
function bitInWord(bits: usize, index: i32): i32 {
  const rest = at<u64>(bits, index >> 6) >> (index & 63);
  return rest !== 0 ? index + <i32>ctz(rest) : -1;
}

/** The first waiting rank at or above a rank, in any queue; the number of jobs when there is none. */
export function nextRank(simulation: Simulation, rank: i32): i32 {
  if (rank >= simulation.jobCount) return simulation.jobCount;
  const near = bitInWord(columns.waiting0, rank);
  if (near >= 0) return near;
  let word = bitInWord(columns.waiting1, (rank >> 6) + 1);
  if (word < 0) word = farWord(simulation, (rank >> 12) + 1);
  return word < 0 ? simulation.jobCount : (word << 6) + <i32>ctz(at<u64>(columns.waiting0, word));
}

/** The first word that is not empty in blocks of 4096 ranks from `block` on, or -1. */
function farWord(simulation: Simulation, block: i32): i32 {
  let found = bitInWord(columns.waiting2, block);
  if (found < 0) {
    let group = (block >> 6) + 1;
    const groups = (simulation.jobCount >> 18) + 1;
    while (group < groups && (at<u64>(columns.waiting3, group >> 6) >> (group & 63)) % 2 === 0) group++;
    if (group >= groups) return -1;
    found = (group << 6) + <i32>ctz(at<u64>(columns.waiting2, group));
  }
  return (found << 6) + <i32>ctz(at<u64>(columns.waiting1, found));
}

/** The job at the head of a queue, or -1. */
@inline
export function headOf(simulation: Simulation, queue: i32): i32 {
  return at<i32>(columns.queueWaiting, queue) === 0 ? -1 : at<i32>(columns.heads, queue);
}

/** The next waiting job of the same queue behind a job, or -1. */
export function behind(simulation: Simulation, job: i32): i32 {
  const rank = nextRank(simulation, at<i32>(columns.rankOf, job) + 1);
  return rank < endOf(simulation, job) ? at<i32>(columns.jobAt, rank) : -1;
}

/** The first rank after the queue of a job. */
@inline
function endOf(simulation: Simulation, job: i32): i32 {
  return at<i32>(columns.firstRanks, queueOf(simulation, job) + 1);
}

/** The next waiting job behind a job in its queue that needs at most `processors`, or -1. */
@inline
export function behindNotWider(simulation: Simulation, job: i32, processors: i32): i32 {
  return fromRankNotWider(
    simulation,
    at<i32>(columns.rankOf, job) + 1,
    endOf(simulation, job),
    processors,
  );
}

/** The first waiting job with a rank in [rank, end) that needs at most `processors`, or -1. */
export function fromRankNotWider(simulation: Simulation, rank: i32, end: i32, processors: i32): i32 {
  rank = nextRank(simulation, rank);
  while (rank < end) {
    if (at<i32>(columns.narrowest1, rank >> 12) > processors) {
      rank = nextRank(simulation, ((rank >> 12) + 1) << 12);
    } else if (at<i32>(columns.narrowest0, rank >> 6) > processors) {
      rank = nextRank(simulation, ((rank >> 6) + 1) << 6);
    } else {
      const job = at<i32>(columns.jobAt, rank);
      if (at<i32>(columns.processors, job) <= processors) return job;
      rank = nextRank(simulation, rank + 1);
    }
  }
  return -1;
}

/** Digits of the sort, in bits and values. */
const DIGIT: i32 = 11;
const DIGITS: i32 = 1 << DIGIT;
/** Counters that the sort needs. */
export const SORT_COUNTERS: i32 = DIGITS + 1;

/** Empties all queues and ranks the jobs: by queue, then by the key of the discipline, then by index. */
export function reset(simulation: Simulation, widest: i32): void {
  simulation.waiting = 0;
  for (let job = 0; job < simulation.jobCount; job++) put<i32>(columns.jobAt, job, job);
  const discipline = simulation.discipline;
  if (discipline === Discipline.NarrowestFirst || discipline === Discipline.WidestFirst) {
    sortBy(simulation, 0, <u64>widest);
  } else if (discipline === Discipline.ShortestFirst || discipline === Discipline.LongestFirst) {
    sortBy(simulation, 0, ~(<u64>0));
  }
  if (simulation.topology !== Topology.Shared) sortBy(simulation, HOME, <u64>(simulation.siteCount - 1));
  for (let rank = 0; rank < simulation.jobCount; rank++) {
    put<i32>(columns.rankOf, at<i32>(columns.jobAt, rank), rank);
  }
  markQueues(simulation);
  boundWidths(simulation);
}

/** The fewest processors of any job in each block of ranks; nobody's in a queue that is scanned. */
function boundWidths(simulation: Simulation): void {
  const count = simulation.jobCount;
  for (let block = 0; block <= count >> 6; block++) put<i32>(columns.narrowest0, block, NOBODY);
  for (let block = 0; block <= count >> 12; block++) put<i32>(columns.narrowest1, block, NOBODY);
  if (isScanned(simulation)) return;
  for (let rank = 0; rank < count; rank++) {
    const processors = at<i32>(columns.processors, at<i32>(columns.jobAt, rank));
    put<i32>(columns.narrowest0, rank >> 6, min(at<i32>(columns.narrowest0, rank >> 6), processors));
  }
  for (let block = 0; block <= count >> 6; block++) {
    const processors = at<i32>(columns.narrowest0, block);
    put<i32>(columns.narrowest1, block >> 6, min(at<i32>(columns.narrowest1, block >> 6), processors));
  }
}

/** The sort key is the home site instead of the discipline's. */
const HOME: i32 = 1;

/** What a job is sorted by: whole numbers that order like the discipline. */
@inline
function keyOf(simulation: Simulation, what: i32, job: i32, greatest: u64): u64 {
  if (what === HOME) return <u64>at<i32>(columns.homes, job);
  const processors = <u64>at<i32>(columns.processors, job);
  switch (simulation.discipline) {
    case Discipline.NarrowestFirst:
      return processors;
    case Discipline.WidestFirst:
      return greatest - processors;
    default: {
      // Doubles from 0 on order like their bits.
      const load = at<f64>(columns.loads, at<i32>(columns.homes, job));
      const bits = reinterpret<u64>(at<f64>(columns.estimates, job) * load);
      return simulation.discipline === Discipline.ShortestFirst ? bits : greatest - bits;
    }
  }
}

/** Stable sort of `jobAt` by keys up to `greatest`, digit by digit from the lowest. */
function sortBy(simulation: Simulation, what: i32, greatest: u64): void {
  const count = simulation.jobCount;
  const counters = columns.counters;
  let from = columns.jobAt;
  let to = columns.rankOf;
  for (let shift = 0; shift < 64 && greatest >> shift !== 0; shift += DIGIT) {
    for (let digit = 0; digit <= DIGITS; digit++) put<i32>(counters, digit, 0);
    for (let i = 0; i < count; i++) {
      const digit = digitOf(keyOf(simulation, what, at<i32>(from, i), greatest), shift);
      put<i32>(counters, digit + 1, at<i32>(counters, digit + 1) + 1);
    }
    // A digit that all keys share needs no pass: whole seconds leave most of a double's digits zero.
    const firstDigit = digitOf(keyOf(simulation, what, at<i32>(from, 0), greatest), shift);
    if (at<i32>(counters, firstDigit + 1) === count) continue;
    for (let digit = 0; digit < DIGITS; digit++) {
      put<i32>(counters, digit + 1, at<i32>(counters, digit + 1) + at<i32>(counters, digit));
    }
    for (let i = 0; i < count; i++) {
      const job = at<i32>(from, i);
      const digit = digitOf(keyOf(simulation, what, job, greatest), shift);
      const place = at<i32>(counters, digit);
      put<i32>(counters, digit, place + 1);
      put<i32>(to, place, job);
    }
    const other = from;
    from = to;
    to = other;
  }
  if (from !== columns.jobAt) {
    for (let i = 0; i < count; i++) put<i32>(columns.jobAt, i, at<i32>(from, i));
  }
}

@inline
function digitOf(key: u64, shift: i32): i32 {
  return <i32>(key >> shift) & (DIGITS - 1);
}

/** Where the ranks of each queue begin. */
function markQueues(simulation: Simulation): void {
  const queues = simulation.topology === Topology.Shared ? 1 : simulation.siteCount;
  let rank = 0;
  for (let queue = 0; queue < queues; queue++) {
    put<i32>(columns.firstRanks, queue, rank);
    while (rank < simulation.jobCount && queueOf(simulation, at<i32>(columns.jobAt, rank)) === queue) rank++;
  }
  put<i32>(columns.firstRanks, queues, rank);
}
