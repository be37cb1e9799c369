import { Room } from '../abi/abiColumns';
import { Simulation, Stage, blockOf, Jobs, simulationAt } from '../memory/state';
import { layoutOf } from '../memory/columns';
import * as columns from '../memory/columns';
import { wordsOf as allocationWordsOf } from '../events/finishQueue';
import { wordsOf as runWordsOf } from '../grid/processors';
import { wordsOf as indexWordsOf } from '../grid/siteIndex';
import { clear, move, put, memoryEnd } from '../memory/memory';
import { blockWordsOf, blocksOf, stepWordsOf } from '../planning/freeSteps';
import { wordsOf as predictedEndWordsOf } from '../planning/predictedEnds';
import { wordsOf } from '../planning/profile';
import * as runBounds from '../planning/runBounds';
import { wordsOf as queueWordsOf } from '../queue/priorityQueue';
import { COUNTERS } from '../queue/ranking';
import { isSplitting, roomFor } from './room';
import { Status } from '../abi/abi';

/** Layout of a simulation's columns, and growth of its logs. */

/** Initializes the header of a simulation without options and room. */
export function prepare(simulation: Simulation): void {
  const blockAddress = blockOf(simulation);
  clear(blockAddress, changetype<usize>(simulation) - blockAddress + offsetof<Simulation>());
  simulation.magic = SIMULATION_MAGIC;
  simulation.stage = Stage.Prepared;
}

/**
 * Lays out a simulation for its room. Returns the block's size in bytes; 0 if a kind of room is not a whole
 * number in its range. A block beyond the address range is not laid out.
 */
export function arrange(simulation: Simulation): f64 {
  simulation.stage = Stage.Prepared;
  simulation.refusedRoom = firstInvalidRoom();
  if (simulation.refusedRoom >= 0) return 0;
  const roomFieldsAddress = changetype<usize>(simulation) + offsetof<Simulation>('jobCount');
  for (let roomKind: i32 = 0; roomKind < Room.COUNT; roomKind++) {
    // The number of reservations may exceed this integer; it is read again below.
    put<i32>(roomFieldsAddress, roomKind, <i32>min<f64>(roomFor(roomKind), i32.MAX_VALUE));
  }
  const siteCount = simulation.siteCount;
  // One node for each allocation of a running job, and one per site for overdue jobs.
  const nodeCount = mostAllocations(simulation) + siteCount;
  simulation.rankCounterCount = COUNTERS;
  simulation.queueWords = queueWordsOf(siteCount);
  simulation.predictionWords = wordsOf(siteCount, nodeCount);
  simulation.predictedEndWords = predictedEndWordsOf(siteCount);
  // Each reservation on a site, and each outage, takes two steps.
  const stepPairs = <i64>roomFor(Room.Reservations) + simulation.roomForOutages;
  const blockCount = blocksOf(siteCount, nodeCount + 2 * stepPairs);
  simulation.planBlockWords = blockWordsOf(blockCount);
  simulation.planStepWords = stepWordsOf(blockCount);
  runBounds.arrange(simulation);
  simulation.runWords = simulation.roomForRuns > 0 ? runWordsOf(simulation.totalProcessors) : 0;
  simulation.indexWords = simulation.roomForIndex !== 0 ? indexWordsOf(siteCount) : 0;
  simulation.allocationWords = needsAllocations(simulation)
    ? allocationWordsOf(mostAllocations(simulation))
    : 0;
  const bytes = columns.attachSimulation(simulation);
  if (<u64>blockOf(simulation) + bytes <= ADDRESS_COUNT) {
    simulation.bytes = <u32>bytes;
    simulation.layout = layoutOf(simulation);
    simulation.stage = Stage.Arranged;
  }
  return <f64>bytes;
}

/** Largest accepted number of policies that share a simulation. */
const MOST_POLICIES: f64 = 65536;

/** First kind of room that is not a whole number in its range; -1 if none. */
function firstInvalidRoom(): i32 {
  for (let roomKind: i32 = 0; roomKind < Room.COUNT; roomKind++) {
    const entries = roomFor(roomKind);
    const isInRange = entries >= leastRoomOf(roomKind) && entries <= mostRoom(roomKind);
    if (!isInRange || floor<f64>(entries) !== entries) return roomKind;
  }
  return -1;
}

/** Smallest accepted value of a kind of room: a simulation has at least one job, site and processor. */
function leastRoomOf(roomKind: Room): f64 {
  return roomKind === Room.Jobs || roomKind === Room.Sites || roomKind === Room.Processors ? 1 : 0;
}

/** Largest accepted value of a kind of room. */
function mostRoom(roomKind: Room): f64 {
  switch (roomKind) {
    case Room.Reservations:
      return 4503599627370496;
    case Room.Policies:
      return MOST_POLICIES;
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
  const sharesSites = simulation.roomForGuests !== 0 || simulation.roomForMolds !== 0;
  return hasLogs || sharesSites || simulation.roomForOutages !== 0 || simulation.roomForPredictions !== 0;
}

/** Largest number of allocations of running jobs, one per job and site. */
@inline
function mostAllocations(simulation: Simulation): i64 {
  const sharesOfJob = simulation.roomForParts > 0 ? simulation.siteCount : 1;
  return min<i64>(<i64>simulation.jobCount * sharesOfJob, simulation.totalProcessors);
}

/**
 * Sets the fill levels above which the logs must be enlarged before an event. One sweep can start jobs on all
 * processors, and again on those that it reclaimed, or after an outage has taken or given back some. It can
 * preempt a job per processor, since a site's remote jobs are preempted only while its own queue is visited,
 * when none arrive.
 */
export function limitLogs(simulation: Simulation): void {
  const totalProcessors = simulation.totalProcessors;
  const mayRepeat = simulation.reclaim !== 0 || simulation.outages !== 0;
  const mostStarts = mayRepeat ? 2 * <i64>totalProcessors : totalProcessors;
  simulation.logCapacity = simulation.tracksSets !== 0 ? simulation.roomForRuns : 0;
  simulation.logLimit = fillLimit(simulation.logCapacity, mostStarts);
  simulation.partCapacity = isSplitting(simulation) ? simulation.roomForParts : 0;
  simulation.partLimit = fillLimit(simulation.partCapacity, mostStarts);
  simulation.stopCapacity = simulation.preempts !== 0 ? simulation.roomForStops : 0;
  simulation.stopLimit = fillLimit(simulation.stopCapacity, totalProcessors);
}

/**
 * Largest length of a log of this capacity before an event that may append `entriesPerEvent` entries; the
 * largest integer for a log that does not exist.
 */
function fillLimit(capacity: i32, entriesPerEvent: i64): i32 {
  return capacity > 0 ? <i32>(<i64>capacity - entriesPerEvent) : i32.MAX_VALUE;
}

/**
 * Enlarges the logs of a simulation in place (they are its last columns). The host must provide the memory: 8
 * bytes per entry of the first two logs and 32 per preemption, after the block's end. Returns the new size in
 * bytes; 0, without a change, if the memory is missing, a log would shrink, or a log that does not exist
 * would be created.
 */
export function extendLogs(simulation: Simulation, runs: i32, parts: i32, stops: i32): f64 {
  const runsBefore = simulation.roomForRuns;
  const partsBefore = simulation.roomForParts;
  const stopsBefore = simulation.roomForStops;
  if (!mayGrow(runsBefore, runs) || !mayGrow(partsBefore, parts) || !mayGrow(stopsBefore, stops)) return 0;
  columns.attachSimulation(simulation);
  const log = columns.log;
  const stopStarts = columns.stopStarts;
  const stopEnds = columns.stopEnds;
  const stopJobs = columns.stopJobs;
  const stopSites = columns.stopSites;
  const stopLogIndices = columns.stopLogIndices;
  const bytes = attachLogs(simulation, runs, parts, stops);
  if (!isHostMemory(blockOf(simulation), bytes)) {
    attachLogs(simulation, runsBefore, partsBefore, stopsBefore);
    return 0;
  }
  simulation.bytes = <u32>bytes;
  simulation.layout = layoutOf(simulation);
  limitLogs(simulation);
  // Moves from last to first, because a new position may overlap an old one further back.
  const usedEntries = simulation.stopsLength;
  if (usedEntries > 0) {
    if (runs > 0) move<i32>(columns.stopLogIndices, 0, stopLogIndices, 0, usedEntries);
    move<i32>(columns.stopSites, 0, stopSites, 0, usedEntries);
    move<i32>(columns.stopJobs, 0, stopJobs, 0, usedEntries);
    move<f64>(columns.stopEnds, 0, stopEnds, 0, usedEntries);
    move<f64>(columns.stopStarts, 0, stopStarts, 0, usedEntries);
  }
  if (runs > 0) move<u64>(columns.log, 0, log, 0, simulation.logLength);
  return <f64>bytes;
}

/**
 * True if a log may change to this number of entries: it does not shrink, and a log that does not exist stays
 * so.
 */
@inline
function mayGrow(previousEntries: i32, entries: i32): bool {
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
export const ADDRESS_COUNT: u64 = 0x100000000;

/** True if the bytes from an address on are memory of the host, and the address is a multiple of 16. */
export function isHostMemory(address: usize, bytes: u64): bool {
  return address >= __heap_base && (address & 15) === 0 && <u64>address + bytes <= memoryEnd();
}

/** True if a whole job table lies at an address. */
export function isJobTable(tableAddress: usize): bool {
  if (!isHostMemory(tableAddress, offsetof<Jobs>())) return false;
  return (
    changetype<Jobs>(tableAddress).magic === JOB_TABLE_MAGIC &&
    isHostMemory(tableAddress, changetype<Jobs>(tableAddress).bytes)
  );
}

/** True if a prepared simulation lies at an address. */
export function isSimulation(blockAddress: usize): bool {
  const simulation = simulationAt(blockAddress);
  const headBytes = changetype<usize>(simulation) - blockAddress + offsetof<Simulation>();
  if (!isHostMemory(blockAddress, headBytes) || simulation.magic !== SIMULATION_MAGIC) return false;
  return changetype<Jobs>(blockAddress).magic !== JOB_TABLE_MAGIC;
}

/** True if a whole laid-out simulation lies at an address. */
export function isArranged(blockAddress: usize): bool {
  if (!isSimulation(blockAddress) || simulationAt(blockAddress).stage < Stage.Arranged) return false;
  return isHostMemory(blockAddress, simulationAt(blockAddress).bytes);
}

/** True if two memory blocks do not overlap. */
export function areApart(blockAddress: usize, bytes: u32, otherAddress: usize, otherBytes: u32): bool {
  return blockAddress + bytes <= otherAddress || otherAddress + otherBytes <= blockAddress;
}

/** Checks that a laid-out simulation and a job table exist and do not overlap. */
export function checkBlocks(blockAddress: usize, tableAddress: usize): Status {
  if (!isSimulation(blockAddress) || simulationAt(blockAddress).stage < Stage.Arranged)
    return Status.NoSimulation;
  if (!isArranged(blockAddress)) return Status.MemoryMissing;
  if (!isJobTable(tableAddress)) return Status.NoJobTable;
  const jobs = changetype<Jobs>(tableAddress);
  if (!areApart(blockAddress, simulationAt(blockAddress).bytes, tableAddress, jobs.bytes))
    return Status.MemoryMissing;
  if (jobs.identity === 0) return Status.JobsUnsealed;
  return jobs.capacity === simulationAt(blockAddress).jobCount ? Status.Finished : Status.JobsDiffer;
}
