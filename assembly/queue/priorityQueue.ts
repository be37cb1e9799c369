import { Topology } from '../abi/abi';
import { blocks } from '../memory/runKind';
import { Simulation } from '../memory/state';
import * as bitmap from '../memory/bitmap';
import * as columns from '../memory/columns';
import { CHECKED, Invariant, check, Work, count } from '../memory/check';
import { at, put, move } from '../memory/memory';
import * as keyBounds from './keyBounds';
import * as ranking from './ranking';
import { NOBODY, unboundWidths, isEarlier, keyOf, boundWidths } from './ranking';

/**
 * Waiting jobs that leave in any other order than they came. At the start every job gets a rank, its position
 * in the order among all jobs (ranking.ts); with one queue per home site the ranks of a queue are together.
 * A queue is then a set of ranks (bitmap.ts): joining, leaving, coming back and finding the next in order
 * cost a few word operations however many jobs wait. The least rank is the head's, which is kept at hand.
 *
 * Where a second order says who backfills, with keys that are known before the run, the jobs have ranks in
 * it, too, and those that wait are a set of these as well (sequence.ts).
 *
 * For searches by width, each block of 64 and of 4096 ranks has the fewest processors that a job in it needs:
 * of all jobs, which is bound enough while only heads start; of the waiting ones, or NOBODY, where the narrow
 * jobs of a long queue leave it first.
 */

/** What is kept of a queue. */
@unmanaged
export class Queue {
  /** Processors that its jobs request together. */
  processors: f64;
  waiting: i32;
  /** The job that found the queue empty in this instant, or -1. */
  newcomer: i32;
  /** The job of the least rank, its rank and processors; -1, NOBODY and NOBODY while none waits. */
  head: i32;
  headRank: i32;
  headWidth: i32;
  /** Whether something has happened since its last pass, where passes are deferred. */
  touched: i32;
  /** Its passes at intervals (passTimes.ts): the next one; how many are over; its first and last job. */
  nextPass: f64;
  passes: f64;
  firstJob: i32;
  lastJob: i32;
}

const QUEUE_SHIFT: i32 = 6;

/** Words of 8 bytes of this many queues. */
export function wordsOf(queues: i64): i64 {
  return queues << (QUEUE_SHIFT - 3);
}

@inline
export function queueAt(queue: i32): Queue {
  return changetype<Queue>(columns.queues + ((<usize>queue) << QUEUE_SHIFT));
}

/**
 * Ranks the jobs, the widest of which needs `widest` processors, and empties all queues; returns a job whose
 * key is not finite, or -1.
 */
export function reset(simulation: Simulation, widest: i32): i32 {
  let refused = ranking.rankJobs(simulation, widest);
  if (refused < 0) refused = ranking.rankBehind(simulation, widest);
  if (refused >= 0) return refused;
  if (keepsBounds(simulation)) unboundWidths(simulation);
  if (simulation.hasBackfillRanks !== 0) {
    columns.turnRanks();
    unboundWidths(simulation);
    columns.turnRanks();
  }
  simulation.waiting = 0;
  for (let index = 0; index < simulation.siteCount; index++) {
    const queue = queueAt(index);
    queue.processors = 0;
    queue.waiting = 0;
    queue.newcomer = -1;
    queue.touched = 0;
    lead(queue, -1, NOBODY, NOBODY);
  }
  return -1;
}

/** How many queues there are. */
export function queuesOf(simulation: Simulation): i32 {
  return simulation.topology === Topology.Shared ? 1 : simulation.siteCount;
}

/** The queue that a job waits in. */
@inline
export function queueOf(simulation: Simulation, job: i32): i32 {
  return simulation.topology === Topology.Shared ? 0 : at<i32>(columns.homes, job);
}

/** A job joins its queue, or comes back to it. */
export function join(simulation: Simulation, job: i32): void {
  const rank = at<i32>(columns.rankOf, job);
  const processors = at<i32>(columns.processors, job);
  const queue = queueAt(queueOf(simulation, job));
  enlarge(simulation, queue, 1, processors);
  if (simulation.refreshesEstimates !== 0) joinOfUser(job);
  if (rank < queue.headRank) lead(queue, job, rank, processors);
  setRank(rank);
  if (keepsBounds(simulation)) boundBy(rank, processors);
  if (simulation.hasBackfillRanks === 0) return;
  columns.turnRanks();
  enter(simulation, job);
  columns.turnRanks();
}

/** A job takes its rank at hand, which is its second. */
export function enter(simulation: Simulation, job: i32): void {
  const rank = at<i32>(columns.rankOf, job);
  setRank(rank);
  boundBy(rank, at<i32>(columns.processors, job));
  if (simulation.boundsKeys !== 0) keyBounds.enter(simulation, job);
}

/** A job gives up its rank at hand, where bounds are of the jobs that wait. */
export function withdraw(job: i32): void {
  const rank = at<i32>(columns.rankOf, job);
  clearRank(rank);
  if (at<i32>(columns.narrowest0, rank >> 6) === at<i32>(columns.processors, job)) narrowAgain(rank);
}

/** The rank of a job in the order in which those behind a reservation are tried. */
export function backfillRankOf(simulation: Simulation, job: i32): i32 {
  const isTurning = simulation.hasBackfillRanks !== 0 && !columns.areRanksTurned;
  if (isTurning) columns.turnRanks();
  const rank = at<i32>(columns.rankOf, job);
  if (isTurning) columns.turnRanks();
  return rank;
}

/**
 * A job that has come, or will at once, or has another estimate, may delay no job some time, as far as EASY
 * knows (disciplines/easy.ts).
 */
export function mayNotDelay(simulation: Simulation, job: i32): void {
  const processors = at<i32>(columns.processors, job);
  simulation.untriedWidth = min(simulation.untriedWidth, processors);
  untry(backfillRankOf(simulation, job), processors);
}

@inline
function untry(rank: i32, processors: i32): void {
  put<i32>(columns.untriedIn, rank >> 6, min(at<i32>(columns.untriedIn, rank >> 6), processors));
}

/** Whether the bounds of widths are of the jobs that wait, and not of all. */
@inline
function keepsBounds(simulation: Simulation): bool {
  return !blocks(simulation.discipline) || simulation.movesRanks !== 0;
}

/** A job of this many processors is among those that are looked for. */
@inline
function boundBy(rank: i32, processors: i32): void {
  put<i32>(columns.narrowest0, rank >> 6, min(at<i32>(columns.narrowest0, rank >> 6), processors));
  put<i32>(columns.narrowest1, rank >> 12, min(at<i32>(columns.narrowest1, rank >> 12), processors));
}

@inline
function setRank(rank: i32): void {
  bitmap.enter(columns.waiting0, columns.waiting1, columns.waiting2, columns.waiting3, rank);
}

/** Whether the job of a rank waits. */
@inline
export function isTaken(rank: i32): bool {
  return (at<u64>(columns.waiting0, rank >> 6) >> (rank & 63)) % 2 === 1;
}

/** The waiting jobs of the ranks from `from` on until before `to`, which was free, are now `by` further. */
function moveRanks(simulation: Simulation, index: i32, from: i32, to: i32, by: i32): void {
  const queue = queueAt(index);
  clearRank(from);
  setRank(to);
  if (queue.headRank !== NOBODY && (queue.headRank - from) * by >= 0 && (to - queue.headRank) * by > 0) {
    queue.headRank += by;
  }
  for (let rank = from + by; rank !== to + by; rank += by) {
    const processors = at<i32>(columns.processors, at<i32>(columns.jobAt, rank));
    boundBy(rank, processors);
    // One that has come from another block has not been tried in this one, as far as is known.
    if (simulation.roomForPlan !== 0 && (rank - by) >> 6 !== rank >> 6) untry(rank, processors);
  }
}

/** A job becomes the head of its queue. */
@inline
function lead(queue: Queue, job: i32, rank: i32, processors: i32): void {
  queue.head = job;
  queue.headRank = rank;
  queue.headWidth = processors;
}

/** A job waits, as others of its user do. */
function joinOfUser(job: i32): void {
  const user = at<i32>(columns.users, job);
  if (user < 0) return;
  const next = at<i32>(columns.waitingOfUsers, user);
  if (next !== 0) put<i32>(columns.previousOfUser, next - 1, job + 1);
  put<i32>(columns.nextOfUser, job, next);
  put<i32>(columns.waitingOfUsers, user, job + 1);
}

/** It waits no more; equal states are alike in what is kept of it. */
function leaveOfUser(job: i32): void {
  const user = at<i32>(columns.users, job);
  if (user < 0) return;
  const next = at<i32>(columns.nextOfUser, job);
  const previous = at<i32>(columns.previousOfUser, job);
  if (next !== 0) put<i32>(columns.previousOfUser, next - 1, previous);
  if (previous !== 0) put<i32>(columns.nextOfUser, previous - 1, next);
  else put<i32>(columns.waitingOfUsers, user, next);
  put<i32>(columns.nextOfUser, job, 0);
  put<i32>(columns.previousOfUser, job, 0);
}

/** A job leaves its queue. */
export function leave(simulation: Simulation, job: i32): void {
  if (simulation.refreshesEstimates !== 0) leaveOfUser(job);
  if (simulation.hasBackfillRanks === 0) {
    leaveOrder(simulation, job);
    return;
  }
  const isTurned = columns.areRanksTurned;
  if (!isTurned) columns.turnRanks();
  withdraw(job);
  columns.turnRanks();
  leaveOrder(simulation, job);
  if (isTurned) columns.turnRanks();
}

/** A job leaves the order of its queue, whose ranks are at hand. */
@inline
function leaveOrder(simulation: Simulation, job: i32): void {
  const rank = at<i32>(columns.rankOf, job);
  const queue = queueAt(queueOf(simulation, job));
  const processors = at<i32>(columns.processors, job);
  if (rank === queue.headRank) {
    leaveFirst(simulation, queue);
  } else {
    enlarge(simulation, queue, -1, processors);
    clearRank(rank);
  }
  if (!keepsBounds(simulation)) return;
  if (at<i32>(columns.narrowest0, rank >> 6) === processors) narrowAgain(rank);
}

/** The head of a queue leaves it, where heads are all that is looked for. */
export function leaveFirst(simulation: Simulation, queue: Queue): void {
  const rank = queue.headRank;
  enlarge(simulation, queue, -1, queue.headWidth);
  clearRank(rank);
  if (queue.waiting === 0) {
    lead(queue, -1, NOBODY, NOBODY);
  } else {
    leadFrom(simulation, queue, rank);
  }
}

/** The first job of a queue from a rank on becomes its head. */
@inline
function leadFrom(simulation: Simulation, queue: Queue, rank: i32): void {
  const next = nextRank(simulation, rank);
  const job = at<i32>(columns.jobAt, next);
  lead(queue, job, next, at<i32>(columns.processors, job));
}

/** Jobs of a queue, in which some wait, have changed places. */
export function findHead(simulation: Simulation, queue: i32): void {
  leadFrom(simulation, queueAt(queue), at<i32>(columns.firstRanks, queue));
}

/** Bounds the widths again in the blocks of ranks in [rank, end), whose jobs have changed places. */
export function boundBlocks(simulation: Simulation, rank: i32, end: i32): void {
  let wide = rank >> 12;
  while (rank < end) {
    const block = rank >> 6;
    if (block >> 6 !== wide) boundOf4096(wide);
    wide = block >> 6;
    put<i32>(columns.narrowest0, block, fewestIn(block, 0));
    rank = nextRank(simulation, (block + 1) << 6);
  }
  boundOf4096(wide);
}

/** One job more or less in a queue. */
@inline
function enlarge(simulation: Simulation, queue: Queue, jobs: i32, processors: i32): void {
  simulation.waiting += jobs;
  queue.waiting += jobs;
  queue.processors += <f64>(jobs * processors);
}

@inline
function clearRank(rank: i32): void {
  if (CHECKED) check((at<u64>(columns.waiting0, rank >> 6) >> (rank & 63)) % 2 === 1, Invariant.WaitingQueue);
  bitmap.leave(columns.waiting0, columns.waiting1, columns.waiting2, columns.waiting3, rank);
}

/** Whether a job that is not in a queue would be its head. */
@inline
export function isFirst(queue: i32, job: i32): bool {
  return at<i32>(columns.rankOf, job) < queueAt(queue).headRank;
}

/** Finds the fewest processors again in the blocks of a rank that has left. */
function narrowAgain(rank: i32): void {
  const block = rank >> 6;
  const before = at<i32>(columns.narrowest0, block);
  const least = fewestIn(block, before);
  if (least === before) return;
  put<i32>(columns.narrowest0, block, least);
  if (at<i32>(columns.narrowest1, rank >> 12) === before) boundOf4096(rank >> 12);
}

/** The fewest processors of a waiting job in a block of 64 ranks, where none needs fewer than given. */
@inline
function fewestIn(block: i32, least: i32): i32 {
  let fewest = NOBODY;
  for (let bits = at<u64>(columns.waiting0, block); bits !== 0 && fewest !== least; bits &= bits - 1) {
    const job = at<i32>(columns.jobAt, (block << 6) + <i32>ctz(bits));
    fewest = min(fewest, at<i32>(columns.processors, job));
  }
  return fewest;
}

/** Finds the fewest processors in a block of 4096 ranks from those of its blocks of 64. */
function boundOf4096(block: i32): void {
  let least = NOBODY;
  for (let bits = at<u64>(columns.waiting1, block); bits !== 0; bits &= bits - 1) {
    least = min(least, at<i32>(columns.narrowest0, (block << 6) + <i32>ctz(bits)));
  }
  put<i32>(columns.narrowest1, block, least);
}

/** The first waiting rank at or above a rank, in any queue; the number of jobs when there is none. */
export function nextRank(simulation: Simulation, rank: i32): i32 {
  const end = simulation.jobCount;
  return bitmap.next(columns.waiting0, columns.waiting1, columns.waiting2, columns.waiting3, rank, end);
}

/** The job at the head of a queue, or -1. */
@inline
export function headOf(simulation: Simulation, queue: i32): i32 {
  return queueAt(queue).head;
}

/** The next waiting job of the same queue behind a job, or -1. */
export function behind(simulation: Simulation, job: i32): i32 {
  const rank = nextRank(simulation, at<i32>(columns.rankOf, job) + 1);
  return rank < endOf(simulation, job) ? at<i32>(columns.jobAt, rank) : -1;
}

/** The first rank after the queue of a job. */
@inline
export function endOf(simulation: Simulation, job: i32): i32 {
  return at<i32>(columns.firstRanks, queueOf(simulation, job) + 1);
}

/**
 * Ranks of jobs whose keys are known only when they are submitted. Each queue has as many ranks as it has
 * jobs; those in use are the first of them, `placedJobs`. Their jobs are in order, also those that wait no
 * more, whose ranks others may take; where a job has to be between two that wait, those behind it move up.
 */

/** Gives a job that joins its queue, or comes back to it, its rank among those that wait there. */
export function place(simulation: Simulation, job: i32): void {
  const queue = queueOf(simulation, job);
  const first = at<i32>(columns.firstRanks, queue);
  const end = first + at<i32>(columns.placedJobs, queue);
  // -0 is 0.
  put<f64>(columns.lateKeys, job, keyOf(simulation.order, columns.keys, job, 0) + 0);
  const rank = makeRoom(simulation, queue, first, placeOf(first, end, job), end);
  put<i32>(columns.jobAt, rank, job);
  put<i32>(columns.rankOf, job, rank);
}

/** The first rank in [first, end) whose job is not before a job; `end` where there is none. */
function placeOf(first: i32, end: i32, job: i32): i32 {
  while (first < end) {
    const middle = (first + end) >>> 1;
    if (standsBefore(at<i32>(columns.jobAt, middle), job)) first = middle + 1;
    else end = middle;
  }
  return first;
}

@inline
function standsBefore(job: i32, other: i32): bool {
  const difference = at<f64>(columns.lateKeys, job) - at<f64>(columns.lateKeys, other);
  return difference < 0 || (difference === 0 && isEarlier(job, other));
}

/**
 * A rank that no waiting job has, behind the ranks below `rank` and before that and those above; [first,
 * end) are in use. There always is one, since the job itself does not wait.
 */
function makeRoom(simulation: Simulation, queue: i32, first: i32, rank: i32, end: i32): i32 {
  if (rank > first && !isTaken(rank - 1)) return rank - 1;
  let free = rank;
  while (free < end && isTaken(free)) free++;
  if (free === end && end < at<i32>(columns.firstRanks, queue + 1)) {
    put<i32>(columns.placedJobs, queue, end + 1 - first);
    moveUp(simulation, queue, rank, free);
    return rank;
  }
  if (free < end) {
    moveUp(simulation, queue, rank, free);
    return rank;
  }
  free = rank - 1;
  while (isTaken(free)) free--;
  moveDown(simulation, queue, free, rank - 1);
  return rank - 1;
}

/** The waiting jobs of the ranks [from, to) move up by one. */
function moveUp(simulation: Simulation, queue: i32, from: i32, to: i32): void {
  if (from === to) return;
  move<i32>(columns.jobAt, from + 1, columns.jobAt, from, to - from);
  for (let rank = from + 1; rank <= to; rank++) put<i32>(columns.rankOf, at<i32>(columns.jobAt, rank), rank);
  moveRanks(simulation, queue, from, to, 1);
}

/** The waiting jobs of the ranks (from, to] move down by one. */
function moveDown(simulation: Simulation, queue: i32, from: i32, to: i32): void {
  move<i32>(columns.jobAt, from, columns.jobAt, from + 1, to - from);
  for (let rank = from; rank < to; rank++) put<i32>(columns.rankOf, at<i32>(columns.jobAt, rank), rank);
  moveRanks(simulation, queue, to, from, -1);
}

/** The next waiting job behind a job in its queue that needs at most `processors`, or -1. */
@inline
export function behindNotWider(simulation: Simulation, job: i32, processors: i32): i32 {
  return fromRankNotWider(simulation, at<i32>(columns.rankOf, job) + 1, endOf(simulation, job), processors);
}

/**
 * The first waiting job with a rank in [rank, end) that needs at most `processors`, or -1. Blocks of ranks
 * whose jobs are all wider are passed over.
 */
export function fromRankNotWider(simulation: Simulation, rank: i32, end: i32, processors: i32): i32 {
  if (simulation.widthsBounded === 0) boundWidths(simulation);
  while (rank < end) {
    count(Work.QueueLooks);
    const block = rank >> 6;
    if (at<i32>(columns.narrowest0, block) <= processors) {
      const fromRank = ~(<u64>0) << (rank & 63);
      for (let bits = at<u64>(columns.waiting0, block) & fromRank; bits !== 0; bits &= bits - 1) {
        const near = (block << 6) + <i32>ctz(bits);
        if (near >= end) return -1;
        count(Work.QueueLooks);
        const job = at<i32>(columns.jobAt, near);
        if (at<i32>(columns.processors, job) <= processors) return job;
      }
    } else if (at<i32>(columns.narrowest1, block >> 6) > processors) {
      rank = nextRank(simulation, ((block >> 6) + 1) << 12);
      continue;
    }
    rank = nextRank(simulation, (block + 1) << 6);
  }
  return -1;
}
