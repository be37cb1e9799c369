import { changesWithTime } from '../memory/runKind';
import { Order } from '../abi/abi';
import { Simulation } from '../memory/state';
import * as bitmap from '../memory/bitmap';
import * as columns from '../memory/columns';
import { IS_CHECKED_BUILD, Invariant, Work, check, count } from '../memory/check';
import { predictedWork } from '../grid/execution';
import { at } from '../memory/memory';
import { isSubmittedEarlier, orderKeyOfJob } from './ranking';

/**
 * Search for the next waiting job in an order whose keys change with time or become known at submission;
 * among all jobs, or among those that may start. Jobs have second ranks, by width and estimate. Each block of
 * 64 and of 4096 ranks has bounds for its waiting jobs: of their priority and of their work. So a search
 * skips blocks in which no job fits, is short enough, or precedes the best job found; in other blocks it
 * compares keys.
 *
 * Both orders, of the queue and of backfilling, have such bounds if their keys change. The order of
 * backfilling applies to the jobs behind the last reservation.
 *
 * The bounded quantity is a job's priority, a linear function of time: minus the key if the key is constant,
 * and for WFP3 the cube root of the priority, (wait / max(1, e)) * processors^(1/3). A block's bound is exact
 * when its jobs have been examined, and then rises like its steepest job. Jobs that leave do not lower it.
 */

@unmanaged
class KeyBound {
  /**
   * Time in seconds at which no priority exceeded `highestPriority`, and the largest increase of a priority
   * per second.
   */
  boundTime: f64;
  highestPriority: f64;
  steepestIncrease: f64;
  /** Lower bounds of the jobs' known work and of their submission times. */
  leastWork: f64;
  earliestSubmit: f64;
  /** Epoch in which the bound was computed; a bound from another epoch is invalid. */
  epoch: i64;
}

/**
 * Factor by which bounds of changing keys are raised: more than all rounding errors of priorities and keys.
 */
const ROUNDING_MARGIN: f64 = 1 + 1.0 / <f64>(1 << 30);
/** Keys smaller than this are 0 or have lost precision. */
const MIN_KEY: f64 = 1e-290;

/** True if the search uses the keys of the backfilling order; false for those of the queue's order. */
let usesBackfillOrder: bool = false;

/** Bound of a block of 64 ranks in the current order. */
@inline
function boundAt(simulation: Simulation, block: i32): KeyBound {
  const blockCount = usesBackfillOrder ? (simulation.jobCount >> 6) + (simulation.jobCount >> 12) + 2 : 0;
  return changetype<KeyBound>(
    columns.keyBounds + <usize>(blockCount + block) * <usize>(columns.KEY_BOUND_WORDS << 3),
  );
}

/** Bound of a block of 4096 ranks; these bounds are stored after those of 64 ranks. */
@inline
function boundOf4096(simulation: Simulation, block: i32): KeyBound {
  return boundAt(simulation, (simulation.jobCount >> 6) + 1 + block);
}

/** True if the pass tries the jobs behind the last reservation, in an order of their own. */
@inline
function isBehindReservation(simulation: Simulation): bool {
  return simulation.backfillOrder !== 0 && simulation.lastReservedJob >= 0;
}

/** True if the order in which jobs are tried now has bounds. */
@inline
export function areBoundsUsable(simulation: Simulation): bool {
  if (simulation.boundsKeys === 0) return false;
  return hasBounds(simulation, isBehindReservation(simulation));
}

/** True if the order of the queue, or the one of backfilling, has bounds. */
@inline
function hasBounds(simulation: Simulation, isForBackfillOrder: bool): bool {
  return ((simulation.boundsKeys >> i32(isForBackfillOrder)) & 1) !== 0;
}

/** Invalidates all bounds, because keys or estimates of waiting jobs may have changed. */
@inline
export function invalidateBounds(simulation: Simulation): void {
  simulation.keyEpoch++;
}

/** Current key of a job, its priority, and the priority's increase per second. */
let currentKey: f64 = 0;
let currentPriority: f64 = 0;
let currentIncrease: f64 = 0;
/** Cached width and its cube root. */
let cachedWidth: i32 = 1;
let widthCubeRoot: f64 = 1;

/** Order whose keys the search uses. */
@inline
function orderOfCurrentRanks(simulation: Simulation): Order {
  return usesBackfillOrder ? simulation.backfillOrder - 1 : simulation.order;
}

@inline
function currentKeyOf(simulation: Simulation, job: i32): f64 {
  return orderKeyOfJob(
    orderOfCurrentRanks(simulation),
    usesBackfillOrder ? columns.backfillKeys : columns.keys,
    job,
    simulation.now,
  );
}

/** Computes the current key of a job, its priority, and the increase of the priority per second. */
function computePriority(simulation: Simulation, job: i32): void {
  const currentOrder = orderOfCurrentRanks(simulation);
  currentKey = currentKeyOf(simulation, job);
  currentPriority = -currentKey;
  currentIncrease = 0;
  if (!changesWithTime(currentOrder)) return;
  const processors = at<i32>(columns.processors, job);
  if (processors !== cachedWidth) {
    cachedWidth = processors;
    widthCubeRoot = cubeRoot(<f64>cachedWidth);
  }
  currentIncrease = widthCubeRoot / max<f64>(1, predictedWork(job));
  currentPriority = currentIncrease * (simulation.now - at<f64>(columns.submits, job));
}

/** Approximate cube root of a number of at least 1: Newton's method, from a third of the exponent. */
function cubeRoot(value: f64): f64 {
  let root = reinterpret<f64>(reinterpret<u64>(value) / 3 + ((<u64>682) << 52));
  for (let step = 0; step < 4; step++) root -= (root - value / (root * root)) / 3;
  return root;
}

/** Updates the bounds for a job that has taken its rank. */
export function includeRankedJob(simulation: Simulation, job: i32): void {
  const block = at<i32>(columns.rankOf, job) >> 6;
  const waitingRankBits = at<u64>(columns.waitingRanks0, block);
  const waitingBlocks = at<u64>(columns.waitingRanks1, block >> 6);
  const isOnlyWaitingJob = (waitingRankBits & (waitingRankBits - 1)) === 0;
  const isOnlyWaitingJobIn4096 = isOnlyWaitingJob && (waitingBlocks & (waitingBlocks - 1)) === 0;
  const usesBackfillOrderBefore = usesBackfillOrder;
  for (let order = 0; order < 2; order++) {
    usesBackfillOrder = order !== 0;
    if (!hasBounds(simulation, usesBackfillOrder)) continue;
    beginExamination();
    includeJobInBound(simulation, job);
    raiseBound(simulation, boundAt(simulation, block), isOnlyWaitingJob);
    raiseBound(simulation, boundOf4096(simulation, block >> 6), isOnlyWaitingJobIn4096);
  }
  usesBackfillOrder = usesBackfillOrderBefore;
}

/** Updates the bounds for a waiting job whose keys or work have changed. */
export function updateChangedJob(simulation: Simulation, job: i32): void {
  if (simulation.boundsKeys === 0) return;
  columns.switchRanks();
  includeRankedJob(simulation, job);
  columns.switchRanks();
}

/**
 * Bounds over the jobs examined so far: priority, its increase per second, known work, and
 * submission time.
 */
let highestPriority: f64 = 0;
let steepestIncrease: f64 = 0;
let leastWork: f64 = 0;
let earliestSubmit: f64 = 0;

/** Starts with no jobs examined. */
@inline
function beginExamination(): void {
  highestPriority = -Infinity;
  steepestIncrease = 0;
  leastWork = Infinity;
  earliestSubmit = Infinity;
}

/** Includes a job in the bounds. */
@inline
function includeJobInBound(simulation: Simulation, job: i32): void {
  computePriority(simulation, job);
  highestPriority = max<f64>(highestPriority, currentPriority);
  steepestIncrease = max<f64>(steepestIncrease, currentIncrease);
  leastWork = min<f64>(leastWork, predictedWork(job));
  earliestSubmit = min<f64>(earliestSubmit, at<f64>(columns.submits, job));
}

/** Includes a block with a valid bound. */
@inline
function includeBlockInBound(simulation: Simulation, bound: KeyBound): void {
  highestPriority = max<f64>(highestPriority, priorityBoundOf(simulation, bound));
  steepestIncrease = max<f64>(steepestIncrease, bound.steepestIncrease);
  leastWork = min<f64>(leastWork, bound.leastWork);
  earliestSubmit = min<f64>(earliestSubmit, bound.earliestSubmit);
}

/** Raises a bound to include the examined job; if `isOnlyWaitingJob`, the bound covers only this job. */
@inline
function raiseBound(simulation: Simulation, bound: KeyBound, isOnlyWaitingJob: bool): void {
  if (!isOnlyWaitingJob && bound.epoch !== simulation.keyEpoch) return;
  if (!isOnlyWaitingJob) includeBlockInBound(simulation, bound);
  setBound(simulation, bound);
}

/** Sets the bound of a block to the priority, increase, work and submission time of the examined jobs. */
@inline
function setBound(simulation: Simulation, bound: KeyBound): void {
  bound.boundTime = simulation.now;
  bound.highestPriority = highestPriority;
  bound.steepestIncrease = steepestIncrease;
  bound.leastWork = leastWork;
  bound.earliestSubmit = earliestSubmit;
  bound.epoch = simulation.keyEpoch;
}

/** Upper bound of the current priorities in a block; +infinity if unknown. */
@inline
function priorityBoundOf(simulation: Simulation, bound: KeyBound): f64 {
  if (bound.epoch !== simulation.keyEpoch) return Infinity;
  if (bound.steepestIncrease === 0) return bound.highestPriority;
  return (
    (bound.highestPriority + bound.steepestIncrease * (simulation.now - bound.boundTime)) * ROUNDING_MARGIN
  );
}

/** First job found, or -1, and its key. */
let firstFoundJob: i32 = -1;
let firstFoundKey: f64 = Infinity;

/** True if no job of a bound can precede the first job found. */
@inline
function canNoJobOfBoundPrecede(simulation: Simulation, bound: KeyBound): bool {
  if (firstFoundJob < 0) return false;
  const priority = priorityBoundOf(simulation, bound);
  if (changesWithTime(orderOfCurrentRanks(simulation)))
    return priority * priority * priority * ROUNDING_MARGIN + MIN_KEY < -firstFoundKey;
  return (
    -priority > firstFoundKey ||
    (-priority === firstFoundKey && bound.earliestSubmit > at<f64>(columns.submits, firstFoundJob))
  );
}

/** If set (not -1), the search returns only jobs behind this one in the current order. */
let precedingJob: i32 = -1;
let precedingKey: f64 = 0;
/** If set (not -1), the search returns only jobs behind this one in the queue's order. */
let reservedJob: i32 = -1;

/** Largest width of the jobs that the search returns. */
let maxWantedWidth: i32 = 0;

@final
@unmanaged
class IsNotWider {
  @inline
  mayContainJob(simulation: Simulation, narrowestWidth: i32, leastWork: f64): bool {
    return narrowestWidth <= maxWantedWidth;
  }

  @inline
  isSatisfiedBy(simulation: Simulation, job: i32): bool {
    return at<i32>(columns.processors, job) <= maxWantedWidth;
  }
}

/** Job behind another one in the queue's order; for -1 the first. -1 if none. */
export function nextJobBehindInQueue(simulation: Simulation, queue: i32, job: i32): i32 {
  maxWantedWidth = i32.MAX_VALUE;
  return firstJobInOrder<IsNotWider>(simulation, queue, job, false);
}

/**
 * Next job behind another one in the current order, for -1 the first that is tried, with at most `processors`
 * processors; -1 if none.
 */
export function nextJobBehindNotWider(simulation: Simulation, queue: i32, job: i32, processors: i32): i32 {
  maxWantedWidth = processors;
  return nextJobSatisfying<IsNotWider>(simulation, queue, job);
}

/** Like `nextJobBehindNotWider`, among jobs that satisfy the condition `C`. */
@inline
export function nextJobSatisfying<C>(simulation: Simulation, queue: i32, job: i32): i32 {
  const isForBackfillOrder = isBehindReservation(simulation);
  if (job < 0 && !isForBackfillOrder) job = simulation.lastReservedJob;
  return firstJobInOrder<C>(simulation, queue, job, isForBackfillOrder);
}

function firstJobInOrder<C>(simulation: Simulation, queue: i32, job: i32, ofBackfillOrder: bool): i32 {
  const begin = at<i32>(columns.firstRanks, queue);
  const end = at<i32>(columns.firstRanks, queue + 1);
  return firstJobSatisfying<C>(simulation, begin, end, job, ofBackfillOrder);
}

/** True if a job precedes another in its queue, by current keys if there are bounds, otherwise by rank. */
export function precedesInQueue(simulation: Simulation, job: i32, other: i32): bool {
  if (!hasBounds(simulation, false)) {
    return columns.rankOfJobInQueue(job) < columns.rankOfJobInQueue(other);
  }
  const key = orderKeyOfJob(simulation.order, columns.keys, job, simulation.now);
  const otherKey = orderKeyOfJob(simulation.order, columns.keys, other, simulation.now);
  return key < otherKey || (key === otherKey && isSubmittedEarlier(job, other));
}

/**
 * First job behind `job` (if any) in the order of the queue or of backfilling, among waiting jobs with second
 * ranks in [rank, end) that satisfy the condition `C`; -1 if none. `C` also tells whether jobs of at least a
 * given width and work could satisfy it.
 */
export function firstJobSatisfying<C>(
  simulation: Simulation,
  rank: i32,
  end: i32,
  job: i32,
  isForBackfillOrder: bool,
): i32 {
  usesBackfillOrder = isForBackfillOrder;
  precedingJob = job;
  if (job >= 0) precedingKey = currentKeyOf(simulation, job);
  reservedJob = isForBackfillOrder ? simulation.lastReservedJob : -1;
  const areBackfillRanksInUse = columns.areBackfillRanksCurrent;
  if (!areBackfillRanksInUse) columns.switchRanks();
  findFirstJob<C>(simulation, rank, end);
  if (!areBackfillRanksInUse) columns.switchRanks();
  return firstFoundJob;
}

/** Finds the first job, `firstFoundJob`; the current ranks must be those by width. */
function findFirstJob<C>(simulation: Simulation, rank: i32, end: i32): void {
  firstFoundJob = -1;
  firstFoundKey = Infinity;
  for (let from = nextWaitingRank(rank, end); from < end; ) {
    const blockOf4096 = from >> 12;
    const until = min((blockOf4096 + 1) << 12, end);
    const bound = boundOf4096(simulation, blockOf4096);
    const narrowestWidth = at<i32>(columns.minWidths4096, blockOf4096);
    if (mayContainJob<C>(simulation, bound, narrowestWidth)) searchBlockOf4096<C>(simulation, from, until);
    from = nextWaitingRank(until, end);
  }
  if (IS_CHECKED_BUILD) check(isFirstByFullSearch<C>(simulation, rank, end), Invariant.KeyBounds);
}

@inline
function nextWaitingRank(rank: i32, end: i32): i32 {
  return bitmap.nextNumberFrom(
    columns.waitingRanks0,
    columns.waitingRanks1,
    columns.waitingRanks2,
    columns.waitingRanks3,
    rank,
    end,
  );
}

/**
 * True if a bound allows a job that precedes the first one found; `narrowestWidth` is the block's smallest
 * width.
 */
@inline
function mayContainJob<C>(simulation: Simulation, bound: KeyBound, narrowestWidth: i32): bool {
  count(Work.QueueLooks);
  const knownWorkBound = bound.epoch === simulation.keyEpoch ? bound.leastWork : 0;
  if (!changetype<C>(0).mayContainJob(simulation, narrowestWidth, knownWorkBound)) return false;
  return !canNoJobOfBoundPrecede(simulation, bound);
}

/**
 * Searches the ranks [rank, end) of a block of 4096: first its most promising block of 64, then all others
 * that may have a preceding job.
 */
function searchBlockOf4096<C>(simulation: Simulation, rank: i32, end: i32): void {
  const blockOf4096 = rank >> 12;
  // Restricts the block to one of several queues.
  const rangeMask = (~(<u64>0) << ((rank >> 6) & 63)) & (~(<u64>0) >> (63 - (((end - 1) >> 6) & 63)));
  const blockBits = at<u64>(columns.waitingRanks1, blockOf4096) & rangeMask;
  let bestBlock = -1;
  let bestPriority: f64 = -Infinity;
  for (let bits = blockBits; bits !== 0; bits &= bits - 1) {
    const block = (blockOf4096 << 6) + <i32>ctz(bits);
    const bound = boundAt(simulation, block);
    const priority = priorityBoundOf(simulation, bound);
    if (bestBlock >= 0 && !(priority > bestPriority)) continue;
    if (!mayContainJob<C>(simulation, bound, at<i32>(columns.minWidths64, block))) continue;
    bestBlock = block;
    bestPriority = priority;
  }
  if (bestBlock < 0) return;
  examineBlock<C>(simulation, bestBlock, rank, end);
  for (let bits = blockBits & ~((<u64>1) << (bestBlock & 63)); bits !== 0; bits &= bits - 1) {
    const block = (blockOf4096 << 6) + <i32>ctz(bits);
    const bound = boundAt(simulation, block);
    const narrowestWidth = at<i32>(columns.minWidths64, block);
    if (mayContainJob<C>(simulation, bound, narrowestWidth)) examineBlock<C>(simulation, block, rank, end);
  }
  recomputeBoundOf4096(simulation, blockOf4096);
}

/** Recomputes the bound of a block of 4096 from its blocks of 64, if all have valid bounds. */
function recomputeBoundOf4096(simulation: Simulation, blockOf4096: i32): void {
  beginExamination();
  for (let bits = at<u64>(columns.waitingRanks1, blockOf4096); bits !== 0; bits &= bits - 1) {
    const bound = boundAt(simulation, (blockOf4096 << 6) + <i32>ctz(bits));
    if (bound.epoch !== simulation.keyEpoch) return;
    includeBlockInBound(simulation, bound);
  }
  setBound(simulation, boundOf4096(simulation, blockOf4096));
}

/**
 * Examines the jobs of a block of 64 ranks; only jobs with ranks in [rank, end) can become the
 * first found.
 */
function examineBlock<C>(simulation: Simulation, block: i32, rank: i32, end: i32): void {
  beginExamination();
  for (let bits = at<u64>(columns.waitingRanks0, block); bits !== 0; bits &= bits - 1) {
    count(Work.QueueLooks);
    const jobRank = (block << 6) + <i32>ctz(bits);
    const job = at<i32>(columns.jobAt, jobRank);
    includeJobInBound(simulation, job);
    if (
      jobRank < rank ||
      jobRank >= end ||
      !isBeforeFirstFound(job, currentKey) ||
      !isBehindExcludedJobs(simulation, job, currentKey)
    )
      continue;
    if (!changetype<C>(0).isSatisfiedBy(simulation, job)) continue;
    firstFoundJob = job;
    firstFoundKey = currentKey;
  }
  setBound(simulation, boundAt(simulation, block));
}

/** True if a job with this key precedes the first one found. */
@inline
function isBeforeFirstFound(job: i32, key: f64): bool {
  if (firstFoundJob < 0) return true;
  return key < firstFoundKey || (key === firstFoundKey && isSubmittedEarlier(job, firstFoundJob));
}

/** True if a job with this key comes after `precedingJob` and `reservedJob`. */
@inline
function isBehindExcludedJobs(simulation: Simulation, job: i32, key: f64): bool {
  if (
    precedingJob >= 0 &&
    !(key > precedingKey || (key === precedingKey && isSubmittedEarlier(precedingJob, job)))
  )
    return false;
  return reservedJob < 0 || precedesInQueue(simulation, reservedJob, job);
}

/** Checked build: true if no job precedes the first one found, by examining all. */
function isFirstByFullSearch<C>(simulation: Simulation, rank: i32, end: i32): bool {
  for (rank = nextWaitingRank(rank, end); rank < end; rank = nextWaitingRank(rank + 1, end)) {
    const job = at<i32>(columns.jobAt, rank);
    const key = currentKeyOf(simulation, job);
    if (job === firstFoundJob || !isBeforeFirstFound(job, key) || !isBehindExcludedJobs(simulation, job, key))
      continue;
    if (changetype<C>(0).isSatisfiedBy(simulation, job)) return false;
  }
  return true;
}
