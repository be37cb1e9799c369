import { Option, Order, Topology } from '../abi/abi';
import { changesWithTime } from '../memory/runKind';
import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { at, clearBytes, moveEntries, put } from '../memory/memory';

/**
 * Ranks of all jobs: by queue, then by the key of the order, then by index. If there are few queues and
 * widths, jobs are ranked by counting in two passes, otherwise by radix sort.
 */

/** Value that means "no rank" or "no width": larger than any rank and any job's number of processors. */
export const NO_RANK: i32 = i32.MAX_VALUE;

/** Digits of the radix sort: number of bits and of values. */
const DIGIT_BITS: i32 = 11;
const DIGIT_VALUES: i32 = 1 << DIGIT_BITS;
/** Number of counters that ranking needs. */
export const COUNTER_COUNT: i32 = DIGIT_VALUES;

/** True if a job precedes another of the same key: earlier submission, or lower index. */
@inline
export function isSubmittedEarlier(job: i32, other: i32): bool {
  const submit = at<f64>(columns.submits, job);
  const otherSubmit = at<f64>(columns.submits, other);
  return submit < otherSubmit || (submit === otherSubmit && job < other);
}

/** First of the jobs [from, end) without a finite key; -1 if none. */
function firstJobWithoutFiniteKey(order: Order, keyColumn: usize, from: i32, end: i32): i32 {
  for (let job = from; job < end; job++) {
    if (!isFinite(orderKeyOfJob(order, keyColumn, job, 0))) return job;
  }
  return -1;
}

/** First of the appended jobs [from, end) without a finite constant key in one of the orders; -1 if none. */
export function firstJobWithoutKey(simulation: Simulation, from: i32, end: i32): i32 {
  const order = <i32>columns.optionOfRun(Option.Order);
  const refused = changesWithTime(order) ? -1 : firstJobWithoutFiniteKey(order, columns.keys, from, end);
  const backfillOrder = <i32>columns.optionOfRun(Option.BackfillOrder) - 1;
  if (refused >= 0 || backfillOrder < 0 || changesWithTime(backfillOrder)) return refused;
  return firstJobWithoutFiniteKey(backfillOrder, columns.backfillKeys, from, end);
}

/** Ranks the jobs, of which the widest has `widest` processors; returns a job without a finite key, or -1. */
export function rankJobs(simulation: Simulation, widest: i32): i32 {
  simulation.widthsBounded = 0;
  const refreshesKeys = simulation.changesKeys !== 0 && !changesWithTime(simulation.order);
  if (simulation.hasLateRanks !== 0 || simulation.hasRules !== 0 || refreshesKeys) {
    const order = <i32>at<f64>(columns.options, Option.Order);
    const refused = firstJobWithoutFiniteKey(order, columns.keys, 0, simulation.knownJobs);
    if (refused >= 0) return refused;
  }
  // Jobs that get their ranks later, or change them during the run, are ranked in order of submission here.
  const order: Order = simulation.movesRanks !== 0 ? Order.Submit : simulation.order;
  return rankJobsByOrder(simulation, order, columns.keys, widest);
}

/** Ranks the jobs in the constant backfilling order; returns a job without a finite key, or -1. */
export function rankJobsForBackfilling(simulation: Simulation, widest: i32): i32 {
  const order = <i32>at<f64>(columns.options, Option.BackfillOrder) - 1;
  let refused = -1;
  if (simulation.hasBackfillRanks === 0 || simulation.boundsKeys !== 0) {
    if (order >= 0 && !changesWithTime(order))
      refused = firstJobWithoutFiniteKey(order, columns.backfillKeys, 0, simulation.knownJobs);
    if (simulation.boundsKeys === 0 || refused >= 0) return refused;
  }
  columns.switchRanks();
  if (simulation.boundsKeys !== 0) rankJobsByWidth(simulation);
  else refused = rankJobsByOrder(simulation, order, columns.backfillKeys, widest);
  columns.switchRanks();
  return refused;
}

/**
 * Ranks the jobs by width and, within a width, by estimate in 32 steps per power of 2 up to 2^32 seconds, so
 * that the jobs of a block are similar.
 */
function rankJobsByWidth(simulation: Simulation): void {
  const queueCount = simulation.topology === Topology.Shared ? 1 : simulation.siteCount;
  listJobsByIndex(simulation);
  for (let job = 0; job < simulation.jobCount; job++) {
    const steps = (reinterpret<u64>(max<f64>(1, at<f64>(columns.estimates, job))) >> 47) - (1023 << 5);
    put<u64>(sortKeysAddress(), job, ((<u64>at<i32>(columns.processors, job)) << 10) | min<u64>(steps, 1023));
  }
  radixSort(simulation);
  rankListedJobs(simulation, queueCount);
}

/**
 * Ranks the jobs in an order, whose given keys are in a column; returns a job without a finite key, or -1.
 */
function rankJobsByOrder(simulation: Simulation, order: Order, keyColumn: usize, widest: i32): i32 {
  const queueCount = simulation.topology === Topology.Shared ? 1 : simulation.siteCount;
  const isByWidth = order === Order.Narrowest || order === Order.Widest;
  const widthCount: i64 = isByWidth ? <i64>widest + 1 : 1;
  const isAlreadySorted = order === Order.Submit && queueCount === 1;
  if (!isAlreadySorted && (isByWidth || order === Order.Submit) && queueCount * widthCount <= DIGIT_VALUES) {
    rankJobsByCounting(simulation, order, queueCount, <i32>widthCount);
    return -1;
  }
  listJobsByIndex(simulation);
  if (order !== Order.Submit) {
    const refused = convertKeysToSortable(simulation, order, keyColumn);
    if (refused >= 0) return refused;
    radixSort(simulation);
  }
  rankListedJobs(simulation, queueCount);
  return -1;
}

/** Lists the jobs by index. */
function listJobsByIndex(simulation: Simulation): void {
  for (let job = 0; job < simulation.jobCount; job++) put<i32>(columns.jobAt, job, job);
}

/** Assigns ranks to the listed jobs, queue by queue. */
function rankListedJobs(simulation: Simulation, queueCount: i32): void {
  if (queueCount > 1) {
    for (let job = 0; job < simulation.jobCount; job++)
      put<u64>(sortKeysAddress(), job, at<i32>(columns.homes, job));
    radixSort(simulation);
  }
  for (let rank = 0; rank < simulation.jobCount; rank++) {
    put<i32>(columns.rankOf, at<i32>(columns.jobAt, rank), rank);
  }
  recordFirstRanks(simulation, queueCount);
}

/** Counts the jobs of each queue and width, then assigns consecutive ranks. */
function rankJobsByCounting(simulation: Simulation, order: Order, queues: i32, widthCount: i32): void {
  const jobCount = simulation.jobCount;
  const counters = columns.rankCounters;
  const homes = columns.homes;
  const processors = columns.processors;
  const rankOf = columns.rankOf;
  const jobAt = columns.jobAt;
  // Key of a job: home * keyPerHome + processors * keyPerProcessor + keyOffset.
  const keyPerHome = queues > 1 ? widthCount : 0;
  const isWidestFirst = order === Order.Widest;
  const keyPerProcessor = widthCount === 1 ? 0 : isWidestFirst ? -1 : 1;
  const keyOffset = isWidestFirst ? widthCount - 1 : 0;
  for (let key = 0; key < queues * widthCount; key++) put<i32>(counters, key, 0);
  for (let job = 0; job < jobCount; job++) {
    const key = at<i32>(homes, job) * keyPerHome + at<i32>(processors, job) * keyPerProcessor + keyOffset;
    put<i32>(counters, key, at<i32>(counters, key) + 1);
  }
  let firstRank = 0;
  for (let queue = 0; queue < queues; queue++) {
    put<i32>(columns.firstRanks, queue, firstRank);
    for (let key = queue * widthCount; key < (queue + 1) * widthCount; key++) {
      const jobCountOfKey = at<i32>(counters, key);
      put<i32>(counters, key, firstRank);
      firstRank += jobCountOfKey;
    }
  }
  put<i32>(columns.firstRanks, queues, firstRank);
  for (let job = 0; job < jobCount; job++) {
    const key = at<i32>(homes, job) * keyPerHome + at<i32>(processors, job) * keyPerProcessor + keyOffset;
    const rank = at<i32>(counters, key);
    put<i32>(counters, key, rank + 1);
    put<i32>(rankOf, job, rank);
    put<i32>(jobAt, rank, job);
  }
}

/**
 * Temporary memory for the sort keys: a column that is used only after jobs start, and is cleared after the
 * sort.
 */
@inline
function sortKeysAddress(): usize {
  return columns.starts;
}

/**
 * Converts the keys of all jobs to integers with the same order; returns a job without a finite key, or -1.
 */
function convertKeysToSortable(simulation: Simulation, order: Order, keyColumn: usize): i32 {
  for (let job = 0; job < simulation.jobCount; job++) {
    // Adding 0 turns -0 into 0.
    const key = orderKeyOfJob(order, keyColumn, job, 0) + 0;
    if (!isFinite(key)) return job;
    const bits = reinterpret<u64>(key);
    // The bits of non-negative doubles have the same order as the doubles; those of negative ones the reverse
    // order, so they are inverted.
    put<u64>(sortKeysAddress(), job, bits >> 63 !== 0 ? ~bits : bits | ((<u64>1) << 63));
  }
  return -1;
}

/** True if the key of an order depends on the estimate. */
export function isByEstimate(order: Order): bool {
  switch (order) {
    case Order.Shortest:
    case Order.Longest:
    case Order.SmallestArea:
    case Order.LargestArea:
      return true;
    default:
      return false;
  }
}

/** Key of a job; given keys are in a column. `now` matters only to orders whose keys change with time. */
export function orderKeyOfJob(order: Order, keyColumn: usize, job: i32, now: f64): f64 {
  const processors = <f64>at<i32>(columns.processors, job);
  const estimate = at<f64>(columns.estimates, job) * at<f64>(columns.loads, at<i32>(columns.homes, job));
  switch (order) {
    case Order.Narrowest:
      return processors;
    case Order.Widest:
      return -processors;
    case Order.Shortest:
      return estimate;
    case Order.Longest:
      return -estimate;
    case Order.SmallestArea:
      return estimate * processors;
    case Order.LargestArea:
      return -(estimate * processors);
    case Order.Given:
    case Order.Expression:
      return at<f64>(keyColumn, job);
    case Order.Wfp3: {
      const waitRatio = (now - at<f64>(columns.submits, job)) / max<f64>(1, estimate);
      return -(waitRatio * waitRatio * waitRatio * processors);
    }
    default:
      return 0;
  }
}

/** Stable radix sort of `jobAt` by the keys, from the lowest digit in which they differ; clears the keys. */
function radixSort(simulation: Simulation): void {
  const jobCount = simulation.jobCount;
  const counters = columns.rankCounters;
  let differingBits: u64 = 0;
  for (let job = 1; job < jobCount; job++)
    differingBits |= at<u64>(sortKeysAddress(), job) ^ at<u64>(sortKeysAddress(), 0);
  let source = columns.jobAt;
  let target = columns.rankOf;
  for (let shift = <i32>ctz(differingBits); shift < 64 && differingBits >> shift !== 0; shift += DIGIT_BITS) {
    if (digitOf(differingBits, shift) === 0) continue;
    for (let digit = 0; digit < DIGIT_VALUES; digit++) put<i32>(counters, digit, 0);
    for (let job = 0; job < jobCount; job++) {
      const digit = digitOf(at<u64>(sortKeysAddress(), job), shift);
      put<i32>(counters, digit, at<i32>(counters, digit) + 1);
    }
    let nextPosition = 0;
    for (let digit = 0; digit < DIGIT_VALUES; digit++) {
      const jobCountOfDigit = at<i32>(counters, digit);
      put<i32>(counters, digit, nextPosition);
      nextPosition += jobCountOfDigit;
    }
    for (let i = 0; i < jobCount; i++) {
      const job = at<i32>(source, i);
      const digit = digitOf(at<u64>(sortKeysAddress(), job), shift);
      const position = at<i32>(counters, digit);
      put<i32>(counters, digit, position + 1);
      put<i32>(target, position, job);
    }
    const previousSource = source;
    source = target;
    target = previousSource;
  }
  if (source !== columns.jobAt) moveEntries<i32>(columns.jobAt, 0, source, 0, jobCount);
  clearBytes(sortKeysAddress(), (<usize>jobCount) << alignof<u64>());
}

@inline
function digitOf(key: u64, shift: i32): i32 {
  return <i32>(key >> shift) & (DIGIT_VALUES - 1);
}

/** Records the first rank of each queue. */
function recordFirstRanks(simulation: Simulation, queueCount: i32): void {
  let rank = 0;
  for (let queue = 0; queue < queueCount; queue++) {
    put<i32>(columns.firstRanks, queue, rank);
    while (rank < simulation.jobCount && isJobOfQueue(at<i32>(columns.jobAt, rank), queue, queueCount))
      rank++;
  }
  put<i32>(columns.firstRanks, queueCount, rank);
}

@inline
function isJobOfQueue(job: i32, queue: i32, queues: i32): bool {
  return queues === 1 || at<i32>(columns.homes, job) === queue;
}
