import { Metric, Option } from '../abi';
import { Simulation } from '../state';
import { aligned, column, move } from '../memory';
import { wordsOf } from '../planning/forest';
import { entriesOf } from '../planning/frontier';
import { bytesOf } from '../queue/ranked';
import { COUNTERS } from '../queue/ranking';

/** Reserves a column of `count` entries of type T at the block's end so far; returns its reference. */
function reserve<T>(simulation: Simulation, count: i32): u32 {
  const offset = simulation.bytes;
  simulation.bytes = aligned(offset + (<u32>count << alignof<T>()));
  return offset;
}

/** Number of jobs that can run at once: each holds at least one processor. */
@inline
function mostRunning(jobCount: i32, totalProcessors: i32): i32 {
  return min(jobCount, totalProcessors);
}

/**
 * Lays a simulation out at `block`, where the memory for at least its head must be there: scalars, site
 * columns, finish queue, job columns, and what was asked for: `logCapacity` above 0 keeps processor sets,
 * `partCapacity` above 0 allows splitting, `stopCapacity` above 0 keeps stopped runs, `hasRanks` every
 * discipline and topology but fcfs on one shared queue, `hasGuests` reclaiming, `hasMolds` moldable jobs,
 * `hasPredictions` their threshold; `planCapacity`, the number of shares of sites that can be reserved at
 * once, with `hasPredictions` backfilling, and `hasTransfers` data that move. Returns the size in bytes,
 * which the host provides before anything else is called.
 */
export function arrange(
  block: usize,
  jobCount: i32,
  siteCount: i32,
  totalProcessors: i32,
  logCapacity: i32,
  partCapacity: i32,
  stopCapacity: i32,
  hasRanks: i32,
  hasGuests: i32,
  hasMolds: i32,
  hasPredictions: i32,
  planCapacity: i32,
  hasTransfers: i32,
): u32 {
  const simulation = changetype<Simulation>(block);
  const tracked = logCapacity > 0;
  simulation.bytes = aligned(offsetof<Simulation>());
  simulation.jobCount = jobCount;
  simulation.siteCount = siteCount;
  simulation.totalProcessors = totalProcessors;
  simulation.hasRanks = hasRanks;
  simulation.hasGuests = hasGuests;
  simulation.hasMolds = hasMolds;
  simulation.hasPredictions = hasPredictions;
  simulation.planCapacity = planCapacity;
  simulation.hasTransfers = hasTransfers;
  limitLogs(simulation, logCapacity, partCapacity, stopCapacity);
  simulation.hasExtras = i32(tracked) | i32(partCapacity > 0) | hasGuests | hasMolds | hasPredictions;
  simulation.option = reserve<f64>(simulation, Option.COUNT);
  simulation.capacity = reserve<i32>(simulation, siteCount);
  simulation.speed = reserve<f64>(simulation, siteCount);
  simulation.load = reserve<f64>(simulation, siteCount);
  simulation.timeFactor = reserve<f64>(simulation, siteCount);
  const pairs = hasTransfers !== 0 ? siteCount * siteCount : 0;
  simulation.bandwidth = reserve<f64>(simulation, pairs);
  simulation.latency = reserve<f64>(simulation, pairs);
  simulation.mutable = simulation.bytes;
  simulation.metric = reserve<f64>(simulation, Metric.COUNT);
  simulation.free = reserve<u64>(simulation, siteCount);
  simulation.trial = reserve<u64>(simulation, siteCount);
  simulation.slot = reserve<i32>(simulation, siteCount);
  simulation.candidates = reserve<i32>(simulation, siteCount);
  simulation.siteBusy = reserve<f64>(simulation, siteCount);
  simulation.siteJobs = reserve<f64>(simulation, siteCount);
  simulation.homeResponse = reserve<f64>(simulation, siteCount);
  simulation.homeJobs = reserve<f64>(simulation, siteCount);
  // One entry more: the sentinel of the sorted array.
  const running = mostRunning(jobCount, totalProcessors) + 1;
  simulation.finishTime = reserve<f64>(simulation, running);
  simulation.finishJob = reserve<i32>(simulation, running);
  simulation.start = reserve<f64>(simulation, jobCount);
  simulation.execution = reserve<f64>(simulation, jobCount);
  simulation.site = reserve<i32>(simulation, jobCount);
  // Each site's processors start on a word of their own, so at most one word a site is partly used.
  simulation.freeBits = reserve<u64>(simulation, tracked ? (totalProcessors >> 6) + siteCount : 0);
  simulation.firstWord = reserve<i32>(simulation, tracked ? siteCount + 1 : 0);
  simulation.firstProcessor = reserve<i32>(simulation, tracked ? siteCount : 0);
  simulation.logIndex = reserve<i32>(simulation, tracked ? jobCount : 0);
  arrangeQueues(simulation, hasRanks !== 0 ? jobCount : -1);
  arrangeGuests(simulation, hasGuests !== 0 ? jobCount : 0);
  simulation.held = reserve<i32>(simulation, hasMolds !== 0 ? jobCount : 0);
  arrangePredictions(simulation, hasPredictions !== 0 ? jobCount : 0);
  arrangePlan(simulation, planCapacity > 0 ? jobCount : 0);
  simulation.partIndex = reserve<i32>(simulation, partCapacity > 0 ? jobCount : 0);
  arrangeLogs(simulation);
  return simulation.bytes;
}

/** The ranked queues; each summary level has a word more, so that a search may look one beyond its end. */
function arrangeQueues(simulation: Simulation, jobCount: i32): void {
  const words = jobCount < 0 ? -2 : jobCount >> 6;
  const sites = jobCount < 0 ? 0 : simulation.siteCount;
  simulation.rankOf = reserve<i32>(simulation, max(jobCount, 0));
  simulation.jobAt = reserve<i32>(simulation, max(jobCount, 0));
  simulation.counters = reserve<i32>(simulation, jobCount < 0 ? 0 : COUNTERS);
  simulation.waiting0 = reserve<u64>(simulation, words + 2);
  simulation.waiting1 = reserve<u64>(simulation, (max(words, 0) >> 6) + 2);
  simulation.waiting2 = reserve<u64>(simulation, (max(words, 0) >> 12) + 2);
  simulation.waiting3 = reserve<u64>(simulation, (max(words, 0) >> 18) + 2);
  simulation.narrowest0 = reserve<i32>(simulation, words + 2);
  simulation.narrowest1 = reserve<i32>(simulation, (max(words, 0) >> 6) + 2);
  simulation.firstRanks = reserve<i32>(simulation, sites + 1);
  simulation.queues = reserve<u8>(simulation, bytesOf(sites));
}

function arrangeGuests(simulation: Simulation, jobCount: i32): void {
  const sites = jobCount > 0 ? simulation.siteCount : 0;
  simulation.nextGuest = reserve<i32>(simulation, jobCount);
  simulation.previousGuest = reserve<i32>(simulation, jobCount);
  simulation.lastGuest = reserve<i32>(simulation, sites);
  simulation.guestProcessors = reserve<i32>(simulation, sites);
  simulation.lostTime = reserve<f64>(simulation, jobCount);
  simulation.lostOnSite = reserve<f64>(simulation, sites);
}

/** Nodes of what running jobs give back: one for each share of a site, and one more for what is overdue. */
@inline
function predictionNodes(simulation: Simulation): i32 {
  const sharesOfJob = simulation.partCapacity > 0 ? simulation.siteCount : 1;
  const shares = <i64>simulation.jobCount * sharesOfJob;
  return <i32>min<i64>(shares, simulation.totalProcessors) + simulation.siteCount;
}

function arrangePredictions(simulation: Simulation, jobCount: i32): void {
  const words = jobCount > 0 ? wordsOf(simulation.siteCount, predictionNodes(simulation)) : 0;
  simulation.predictedEnd = reserve<f64>(simulation, jobCount);
  simulation.predictions = reserve<u64>(simulation, words);
}

/** A share that is reserved takes two nodes. */
function arrangePlan(simulation: Simulation, jobCount: i32): void {
  const sites = jobCount > 0 ? simulation.siteCount : 0;
  const nodes = predictionNodes(simulation) + 2 * simulation.planCapacity;
  simulation.plan = reserve<u64>(simulation, jobCount > 0 ? wordsOf(sites, nodes) : 0);
  simulation.frontier = reserve<f64>(simulation, entriesOf(sites));
  simulation.plannedStart = reserve<f64>(simulation, jobCount);
  simulation.plannedSite = reserve<i32>(simulation, jobCount);
  simulation.nextStarts = reserve<i32>(simulation, jobCount > 0 ? jobCount + 1 : 0);
  simulation.members = reserve<i32>(simulation, sites);
  simulation.trialSites = reserve<i32>(simulation, sites);
  simulation.trialShares = reserve<i32>(simulation, sites);
  simulation.chosenSites = reserve<i32>(simulation, sites);
  simulation.chosenShares = reserve<i32>(simulation, sites);
  simulation.shadowTime = reserve<f64>(simulation, sites);
  simulation.shadowRoom = reserve<i32>(simulation, sites);
}

/** The logs stand last, so that they can grow. */
function arrangeLogs(simulation: Simulation): void {
  const stops = simulation.stopCapacity;
  simulation.parts = reserve<u64>(simulation, simulation.partCapacity);
  simulation.log = reserve<u64>(simulation, simulation.logCapacity);
  simulation.stopStart = reserve<f64>(simulation, stops);
  simulation.stopEnd = reserve<f64>(simulation, stops);
  simulation.stopJob = reserve<i32>(simulation, stops);
  simulation.stopSite = reserve<i32>(simulation, stops);
  simulation.stopLogIndex = reserve<i32>(simulation, simulation.logCapacity > 0 ? stops : 0);
}

/**
 * A sweep can start jobs on all processors, and once more on those that it reclaimed. It can stop a job per
 * processor: guests of a site are stopped only in the visit of the site's own queue, in which none come.
 */
function limitLogs(simulation: Simulation, logCapacity: i32, partCapacity: i32, stopCapacity: i32): void {
  const total = simulation.totalProcessors;
  const starts = simulation.hasGuests !== 0 ? 2 * total : total;
  simulation.logCapacity = logCapacity;
  simulation.logLimit = logCapacity > 0 ? logCapacity - starts : i32.MAX_VALUE;
  simulation.partCapacity = partCapacity;
  simulation.partLimit = partCapacity > 0 ? partCapacity - starts : i32.MAX_VALUE;
  simulation.stopCapacity = stopCapacity;
  simulation.stopLimit = stopCapacity > 0 ? stopCapacity - total : i32.MAX_VALUE;
}

/**
 * Enlarges the logs of a simulation in place (they are its last columns); the host must have provided the
 * memory: 8 bytes for each pair of the first two, and 32 for each stopped run, behind its present end.
 * Returns the new size in bytes.
 */
export function extendLogs(block: usize, logCapacity: i32, partCapacity: i32, stopCapacity: i32): u32 {
  const simulation = changetype<Simulation>(block);
  const log = column(block, simulation.log);
  const starts = column(block, simulation.stopStart);
  const ends = column(block, simulation.stopEnd);
  const jobs = column(block, simulation.stopJob);
  const sites = column(block, simulation.stopSite);
  const logIndices = column(block, simulation.stopLogIndex);
  limitLogs(simulation, logCapacity, partCapacity, stopCapacity);
  simulation.bytes = simulation.parts;
  arrangeLogs(simulation);
  // From the last to the first, since each may come to lie where those behind it stood.
  const stops = simulation.stopsLength;
  if (logCapacity > 0) move<i32>(column(block, simulation.stopLogIndex), 0, logIndices, 0, stops);
  move<i32>(column(block, simulation.stopSite), 0, sites, 0, stops);
  move<i32>(column(block, simulation.stopJob), 0, jobs, 0, stops);
  move<f64>(column(block, simulation.stopEnd), 0, ends, 0, stops);
  move<f64>(column(block, simulation.stopStart), 0, starts, 0, stops);
  move<u64>(column(block, simulation.log), 0, log, 0, simulation.logLength);
  return simulation.bytes;
}
