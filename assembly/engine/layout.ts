import { Room } from '../abi/abiColumns';
import { Simulation, Stage, blockAddressOf, Jobs, simulationAt } from '../memory/state';
import { layoutHashOf } from '../memory/columns';
import * as columns from '../memory/columns';
import { allocationWordCount as allocationWordsOf } from '../events/finishQueue';
import { processorWordCount as runWordsOf } from '../grid/processors';
import { indexWordCount as indexWordsOf } from '../grid/siteIndex';
import { clearBytes, moveEntries, put, memoryEnd } from '../memory/memory';
import { blockWordCountOf, blockCountOf, stepWordCountOf } from '../planning/freeSteps';
import { predictedEndWordCount as predictedEndWordsOf } from '../planning/predictedEnds';
import { profileWordCount } from '../planning/profile';
import * as runBounds from '../planning/runBounds';
import { queueWordCount as queueWordsOf } from '../queue/priorityQueue';
import { COUNTER_COUNT } from '../queue/ranking';
import { mayRunOnSeveralSites, roomFor } from './room';
import { Status } from '../abi/abi';

/** Layout of a simulation's columns, and growth of its logs. */

/** Initializes the header of a simulation without options and room. */
export function prepare(simulation: Simulation): void {
  const blockAddress = blockAddressOf(simulation);
  clearBytes(blockAddress, changetype<usize>(simulation) - blockAddress + offsetof<Simulation>());
  simulation.magic = SIMULATION_MAGIC;
  simulation.stage = Stage.Prepared;
}

/**
 * Lays out a simulation for its room. Returns the block's size in bytes; 0 if a kind of room is not a whole
 * number in its range. A block beyond the address range is not laid out.
 */
export function arrange(simulation: Simulation): f64 {
  simulation.stage = Stage.Prepared;
  simulation.refusedRoom = firstInvalidRoomKind();
  if (simulation.refusedRoom >= 0) return 0;
  const roomFieldsAddress = changetype<usize>(simulation) + offsetof<Simulation>('jobCount');
  for (let roomKind: i32 = 0; roomKind < Room.COUNT; roomKind++) {
    // The number of reservations may exceed this integer; it is read again below.
    put<i32>(roomFieldsAddress, roomKind, <i32>min<f64>(roomFor(roomKind), i32.MAX_VALUE));
  }
  const siteCount = simulation.siteCount;
  // One node for each allocation of a running job, and one per site for overdue jobs.
  const nodeCount = maxAllocationCount(simulation) + siteCount;
  simulation.rankCounterCount = COUNTER_COUNT;
  simulation.queueWords = queueWordsOf(siteCount);
  simulation.predictionWords = profileWordCount(siteCount, nodeCount);
  simulation.predictedEndWords = predictedEndWordsOf(siteCount);
  // Each reservation on a site, and each outage, takes two steps.
  const maxStepPairCount = <i64>roomFor(Room.Reservations) + simulation.roomForOutages;
  const blockCount = blockCountOf(siteCount, nodeCount + 2 * maxStepPairCount);
  simulation.planBlockWords = blockWordCountOf(blockCount);
  simulation.planStepWords = stepWordCountOf(blockCount);
  runBounds.arrange(simulation);
  simulation.runWords = simulation.roomForRuns > 0 ? runWordsOf(simulation.totalProcessors) : 0;
  simulation.indexWords = simulation.roomForIndex !== 0 ? indexWordsOf(siteCount) : 0;
  simulation.allocationWords = needsAllocations(simulation)
    ? allocationWordsOf(maxAllocationCount(simulation))
    : 0;
  const bytes = columns.attachSimulation(simulation);
  if (<u64>blockAddressOf(simulation) + bytes <= ADDRESS_SPACE_BYTES) {
    simulation.bytes = <u32>bytes;
    simulation.layout = layoutHashOf(simulation);
    simulation.stage = Stage.Arranged;
  }
  return <f64>bytes;
}

/** Largest accepted number of policies that share a simulation. */
const MAX_POLICY_COUNT: f64 = 65536;

/** First kind of room that is not a whole number in its range; -1 if none. */
function firstInvalidRoomKind(): i32 {
  for (let roomKind: i32 = 0; roomKind < Room.COUNT; roomKind++) {
    const entries = roomFor(roomKind);
    const isRoomInRange = entries >= minRoomOf(roomKind) && entries <= maxRoomOf(roomKind);
    if (!isRoomInRange || floor<f64>(entries) !== entries) return roomKind;
  }
  return -1;
}

/** Smallest accepted value of a kind of room: a simulation has at least one job, site and processor. */
function minRoomOf(roomKind: Room): f64 {
  return roomKind === Room.Jobs || roomKind === Room.Sites || roomKind === Room.Processors ? 1 : 0;
}

/** Largest accepted value of a kind of room. */
function maxRoomOf(roomKind: Room): f64 {
  switch (roomKind) {
    case Room.Reservations:
      return 4503599627370496;
    case Room.Policies:
      return MAX_POLICY_COUNT;
    case Room.BackfillRanks:
    case Room.Cancellations:
      return 2;
    case Room.Jobs:
    case Room.Sites:
    case Room.Processors:
    case Room.Runs:
    case Room.Parts:
    case Room.Stops:
    case Room.Trials:
    case Room.Choices:
    case Room.NodePlan:
    case Room.Program:
    case Room.ProgramInputs:
    case Room.Users:
    case Room.Groups:
    case Room.Limits:
    case Room.Outages:
    case Room.SiteSets:
      return <f64>i32.MAX_VALUE;
    default:
      return 1;
  }
}

/**
 * True if a simulation needs memory to store, for every running job, more than its site: its predicted end
 * and which processors it holds (`Allocation` in events/finishQueue.ts).
 */
function needsAllocations(simulation: Simulation): bool {
  const hasLogs = simulation.roomForRuns > 0 || simulation.roomForParts > 0;
  const hasGuestOrMoldRoom = simulation.roomForGuests !== 0 || simulation.roomForMolds !== 0;
  return (
    hasLogs || hasGuestOrMoldRoom || simulation.roomForOutages !== 0 || simulation.roomForPredictions !== 0
  );
}

/** Largest number of allocations of running jobs, one per job and site. */
@inline
function maxAllocationCount(simulation: Simulation): i64 {
  const maxPartsPerJob = simulation.roomForParts > 0 ? simulation.siteCount : 1;
  return min<i64>(<i64>simulation.jobCount * maxPartsPerJob, simulation.totalProcessors);
}

/**
 * Sets the fill levels above which the logs must be enlarged before an event. One sweep can start jobs on all
 * processors, and again on those that it reclaimed, or after an outage has taken or given back some. It can
 * preempt a job per processor, since a site's remote jobs are preempted only while its own queue is visited,
 * when none arrive.
 */
export function setLogLimits(simulation: Simulation): void {
  const totalProcessors = simulation.totalProcessors;
  const mayJobsStartAgain = simulation.reclaim !== 0 || simulation.outages !== 0;
  const maxEntriesPerEvent = mayJobsStartAgain ? 2 * <i64>totalProcessors : totalProcessors;
  simulation.logCapacity = simulation.tracksSets !== 0 ? simulation.roomForRuns : 0;
  simulation.logLimit = logFillLimit(simulation.logCapacity, maxEntriesPerEvent);
  simulation.partCapacity = mayRunOnSeveralSites(simulation) ? simulation.roomForParts : 0;
  simulation.partLimit = logFillLimit(simulation.partCapacity, maxEntriesPerEvent);
  simulation.stopCapacity = simulation.preempts !== 0 ? simulation.roomForStops : 0;
  simulation.stopLimit = logFillLimit(simulation.stopCapacity, totalProcessors);
}

/**
 * Largest length of a log of this capacity before an event that may append `entriesPerEvent` entries; the
 * largest integer for a log that does not exist.
 */
function logFillLimit(capacity: i32, entriesPerEvent: i64): i32 {
  return capacity > 0 ? <i32>(<i64>capacity - entriesPerEvent) : i32.MAX_VALUE;
}

/**
 * Enlarges the logs of a simulation in place (they are its last columns). The host must provide the memory: 8
 * bytes per entry of the first two logs and 32 per preemption, after the block's end. Returns the new size in
 * bytes; 0, without a change, if the memory is missing, a log would shrink, or a log that does not exist
 * would be created.
 */
export function extendLogs(simulation: Simulation, runs: i32, parts: i32, stops: i32): f64 {
  const previousRunCapacity = simulation.roomForRuns;
  const previousPartCapacity = simulation.roomForParts;
  const previousStopCapacity = simulation.roomForStops;
  if (
    !mayCapacityGrow(previousRunCapacity, runs) ||
    !mayCapacityGrow(previousPartCapacity, parts) ||
    !mayCapacityGrow(previousStopCapacity, stops)
  )
    return 0;
  columns.attachSimulation(simulation);
  const log = columns.log;
  const stopStarts = columns.stopStarts;
  const stopEnds = columns.stopEnds;
  const stopJobs = columns.stopJobs;
  const stopSites = columns.stopSites;
  const stopLogIndices = columns.stopLogIndices;
  const bytes = attachLogs(simulation, runs, parts, stops);
  if (!isInHostMemory(blockAddressOf(simulation), bytes)) {
    attachLogs(simulation, previousRunCapacity, previousPartCapacity, previousStopCapacity);
    return 0;
  }
  simulation.bytes = <u32>bytes;
  simulation.layout = layoutHashOf(simulation);
  setLogLimits(simulation);
  // Moves from last to first, because a new position may overlap an old one further back.
  const usedEntryCount = simulation.stopsLength;
  if (usedEntryCount > 0) {
    if (runs > 0) moveEntries<i32>(columns.stopLogIndices, 0, stopLogIndices, 0, usedEntryCount);
    moveEntries<i32>(columns.stopSites, 0, stopSites, 0, usedEntryCount);
    moveEntries<i32>(columns.stopJobs, 0, stopJobs, 0, usedEntryCount);
    moveEntries<f64>(columns.stopEnds, 0, stopEnds, 0, usedEntryCount);
    moveEntries<f64>(columns.stopStarts, 0, stopStarts, 0, usedEntryCount);
  }
  if (runs > 0) moveEntries<u64>(columns.log, 0, log, 0, simulation.logLength);
  return <f64>bytes;
}

/**
 * True if a log may change to this number of entries: it does not shrink, and a log that does not exist stays
 * so.
 */
@inline
function mayCapacityGrow(previousEntries: i32, entries: i32): bool {
  return previousEntries === 0 ? entries === 0 : entries >= previousEntries;
}

/** Places the columns for other log lengths; returns the size of the block in bytes. */
function attachLogs(simulation: Simulation, runs: i32, parts: i32, stops: i32): u64 {
  simulation.roomForRuns = runs;
  simulation.roomForParts = parts;
  simulation.roomForStops = stops;
  put<f64>(columns.room, Room.Runs, runs);
  put<f64>(columns.room, Room.Parts, parts);
  put<f64>(columns.room, Room.Stops, stops);
  return columns.attachSimulation(simulation);
}

/** Checks of an address before its block is used. */

export const JOB_TABLE_MAGIC: u32 = 0x73626f6a;
export const SIMULATION_MAGIC: u32 = 0x006d6973;

/** Number of addressable bytes. */
export const ADDRESS_SPACE_BYTES: u64 = 0x100000000;

/** True if the bytes from an address on are memory of the host, and the address is a multiple of 16. */
export function isInHostMemory(address: usize, bytes: u64): bool {
  return address >= __heap_base && (address & 15) === 0 && <u64>address + bytes <= memoryEnd();
}

/** True if a whole job table lies at an address. */
export function isJobTable(tableAddress: usize): bool {
  if (!isInHostMemory(tableAddress, offsetof<Jobs>())) return false;
  return (
    changetype<Jobs>(tableAddress).magic === JOB_TABLE_MAGIC &&
    isInHostMemory(tableAddress, changetype<Jobs>(tableAddress).bytes)
  );
}

/** True if a prepared simulation lies at an address. */
export function isSimulation(blockAddress: usize): bool {
  const simulation = simulationAt(blockAddress);
  const headerBytes = changetype<usize>(simulation) - blockAddress + offsetof<Simulation>();
  if (!isInHostMemory(blockAddress, headerBytes) || simulation.magic !== SIMULATION_MAGIC) return false;
  return changetype<Jobs>(blockAddress).magic !== JOB_TABLE_MAGIC;
}

/** True if a whole laid-out simulation lies at an address. */
export function isBlockArranged(blockAddress: usize): bool {
  if (!isSimulation(blockAddress) || simulationAt(blockAddress).stage < Stage.Arranged) return false;
  return isInHostMemory(blockAddress, simulationAt(blockAddress).bytes);
}

/** True if two memory blocks do not overlap. */
export function areBlocksDisjoint(
  blockAddress: usize,
  bytes: u32,
  otherAddress: usize,
  otherBytes: u32,
): bool {
  return blockAddress + bytes <= otherAddress || otherAddress + otherBytes <= blockAddress;
}

/** Checks that a laid-out simulation and a job table exist and do not overlap. */
export function checkBlocks(blockAddress: usize, tableAddress: usize): Status {
  if (!isSimulation(blockAddress) || simulationAt(blockAddress).stage < Stage.Arranged)
    return Status.NoSimulation;
  if (!isBlockArranged(blockAddress)) return Status.MemoryMissing;
  if (!isJobTable(tableAddress)) return Status.NoJobTable;
  const jobs = changetype<Jobs>(tableAddress);
  if (!areBlocksDisjoint(blockAddress, simulationAt(blockAddress).bytes, tableAddress, jobs.bytes))
    return Status.MemoryMissing;
  if (jobs.identity === 0) return Status.JobsUnsealed;
  return jobs.capacity === simulationAt(blockAddress).jobCount ? Status.Finished : Status.JobsDiffer;
}
