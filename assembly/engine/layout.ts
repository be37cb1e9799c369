import { Simulation } from '../state';
import * as columns from '../columns';
import { move } from '../memory';
import { wordsOf } from '../planning/forest';
import { entriesOf } from '../planning/frontier';
import { wordsOf as queueWordsOf } from '../queue/ranked';
import { COUNTERS } from '../queue/ranking';

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
  simulation.hasExtras =
    i32(logCapacity > 0) | i32(partCapacity > 0) | hasGuests | hasMolds | hasPredictions;
  simulation.queueWords = hasRanks !== 0 ? queueWordsOf(siteCount) : 0;
  simulation.counters = COUNTERS;
  const nodes = predictionNodes(simulation);
  simulation.predictionWords = hasPredictions !== 0 ? wordsOf(siteCount, nodes) : 0;
  // A share that is reserved takes two nodes.
  simulation.planWords = planCapacity > 0 ? wordsOf(siteCount, nodes + 2 * planCapacity) : 0;
  simulation.frontierEntries = planCapacity > 0 ? entriesOf(siteCount) : 0;
  simulation.bytes = <u32>columns.attachSimulation(simulation);
  return simulation.bytes;
}

/** Nodes of what running jobs give back: one for each share of a site, and one more for what is overdue. */
@inline
function predictionNodes(simulation: Simulation): i32 {
  const sharesOfJob = simulation.partCapacity > 0 ? simulation.siteCount : 1;
  const shares = <i64>simulation.jobCount * sharesOfJob;
  return <i32>min<i64>(shares, simulation.totalProcessors) + simulation.siteCount;
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
  columns.attachSimulation(simulation);
  const log = columns.log;
  const starts = columns.stopStarts;
  const ends = columns.stopEnds;
  const jobs = columns.stopJobs;
  const sites = columns.stopSites;
  const logIndices = columns.stopLogIndices;
  limitLogs(simulation, logCapacity, partCapacity, stopCapacity);
  simulation.bytes = <u32>columns.attachSimulation(simulation);
  // From the last to the first, since each may come to lie where those behind it stood.
  const stops = simulation.stopsLength;
  if (logCapacity > 0) move<i32>(columns.stopLogIndices, 0, logIndices, 0, stops);
  move<i32>(columns.stopSites, 0, sites, 0, stops);
  move<i32>(columns.stopJobs, 0, jobs, 0, stops);
  move<f64>(columns.stopEnds, 0, ends, 0, stops);
  move<f64>(columns.stopStarts, 0, starts, 0, stops);
  move<u64>(columns.log, 0, log, 0, simulation.logLength);
  return simulation.bytes;
}
