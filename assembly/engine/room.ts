import { Discipline, Moldable, Option, Order, Status, Topology } from '../abi/abi';
import { plansAhead, drawsRandomFutures, mayDeferPasses, mayPassesChangeOrder } from '../memory/runKind';
import { Room } from '../abi/abiColumns';
import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { at, put } from '../memory/memory';
import { readOptions } from './options';

/** Room (sizes of columns) that a simulation needs for its options. */

/** Log entries per job, chosen so that logs seldom have to be enlarged. */
const RUNS_PER_JOB: f64 = 4;
const PARTS_PER_JOB: f64 = 2;
const STOPS_PER_JOB: f64 = 1;

/** Number of entries for a kind of column, as set by the host. */
@inline
export function roomFor(roomKind: Room): f64 {
  return at<f64>(columns.room, roomKind);
}

/** Number of sites from which their index is faster than scanning all; docs/internals/performance.md. */
const MIN_INDEXED_SITES: f64 = 64;

/** Sets the room to what the options need, for given numbers of jobs, sites and total processors. */
export function fitRoom(simulation: Simulation, jobs: i32, sites: i32, processors: i32): Status {
  put<f64>(columns.room, Room.Jobs, jobs);
  put<f64>(columns.room, Room.Sites, sites);
  put<f64>(columns.room, Room.Processors, processors);
  // Reads the options where the host wrote them, because there is no memory for copies yet.
  columns.useHostColumns();
  const status = readOptions(simulation);
  if (status !== Status.Finished) return status;
  for (let roomKind: i32 = Room.Runs; roomKind < Room.COUNT; roomKind++) {
    put<f64>(
      columns.room,
      roomKind,
      requiredRoom(simulation, roomKind) + extraLogRoom(simulation, roomKind, jobs),
    );
  }
  return Status.Finished;
}

/** First kind of room that is smaller than the options need; -1 if none. */
export function firstMissingRoomKind(simulation: Simulation): i32 {
  for (let roomKind: i32 = Room.Runs; roomKind < Room.COUNT; roomKind++) {
    if (roomFor(roomKind) < requiredRoom(simulation, roomKind)) return roomKind;
  }
  return -1;
}

/**
 * Smallest sufficient value of a kind of room. Logs must hold what one event can start: jobs on all
 * processors, and once more on the reclaimed ones, or what outages take or give back.
 */
function requiredRoom(simulation: Simulation, roomKind: Room): f64 {
  const maxEntriesPerEvent =
    roomFor(Room.Processors) * ((simulation.reclaim | simulation.outages) !== 0 ? 2 : 1);
  switch (roomKind) {
    case Room.Runs:
      return simulation.tracksSets !== 0 ? maxEntriesPerEvent : 0;
    case Room.Parts:
      return mayRunOnSeveralSites(simulation) ? maxEntriesPerEvent : 0;
    case Room.Ranks:
      return <f64>simulation.hasPriorityQueue;
    case Room.Guests:
      return <f64>simulation.reclaim;
    case Room.Molds:
      return simulation.moldable !== Moldable.None ? 1 : 0;
    case Room.Predictions:
      return <f64>simulation.hasPredictions;
    case Room.Reservations:
      return reservationRoom(simulation);
    case Room.Transfers:
      return <f64>simulation.hasTransfers;
    case Room.Keys:
      return i32(simulation.order === Order.Given && simulation.asksKeys === 0);
    case Room.BackfillKeys:
      return i32(simulation.backfillOrder === 1 + Order.Given && simulation.asksKeys === 0);
    case Room.KeysAtSubmit:
      return <f64>simulation.asksKeys;
    case Room.Estimates:
      return simulation.recentJobs > 0 ? 1 : 0;
    case Room.LateRanks:
      return <f64>simulation.hasLateRanks;
    case Room.Sequences:
      return sequenceRoom(simulation);
    case Room.Policies:
      return simulation.policyCount;
    case Room.Trials:
      return trialRoom(simulation);
    case Room.Choices:
      return simulation.choicesGiven !== 0 ? trialRoom(simulation) : 0;
    case Room.EndedJobs:
      return i32(drawsRandomFutures(simulation));
    case Room.Dependencies:
      return <f64>simulation.hasDependencies;
    case Room.KeptReservations:
      return <f64>simulation.keepsReservations;
    case Room.BackfillRanks:
      return simulation.hasBackfillRanks + i32(simulation.boundsKeys !== 0);
    case Room.NodePlan:
      return segmentRoom(simulation);
    case Room.Cancellations:
      return <f64>simulation.hasCancellations;
    case Room.Program:
      return columns.optionOfRun(Option.ProgramLength);
    default:
      return accountRoom(simulation, roomKind);
  }
}

/** Smallest sufficient room for expressions of orders, accounts, outages and sets of sites. */
function accountRoom(simulation: Simulation, roomKind: Room): f64 {
  switch (roomKind) {
    case Room.ProgramInputs:
      return columns.optionOfRun(Option.ProgramInputs);
    case Room.Users:
      return simulation.users;
    case Room.Groups:
      return simulation.groups;
    case Room.Limits:
      return simulation.limits;
    case Room.Outages:
      return simulation.outages;
    case Room.SiteSets:
      return simulation.siteSets;
    default:
      return 0;
  }
}

/** 1 if passes sort the waiting jobs, else 0. */
function sequenceRoom(simulation: Simulation): f64 {
  if (!mayPassesChangeOrder(simulation)) return 0;
  return i32(simulation.boundsKeys === 0 || simulation.keepsReservations !== 0);
}

/** Largest number of segments of time in a plan by nodes: one per site, and up to two per reservation. */
function segmentRoom(simulation: Simulation): f64 {
  if (simulation.plansByNodes === 0) return 0;
  const sites = roomFor(Room.Sites);
  const maxSegments = sites + 2 + 2 * roomFor(Room.Jobs);
  const limit = columns.optionOfRun(Option.BackfillSegments);
  return limit > 0 ? min<f64>(maxSegments, max<f64>(limit, sites) + 3) : maxSegments;
}

/** Number of times at which candidates may be tried, plus 1. */
function trialRoom(simulation: Simulation): f64 {
  return simulation.choosesPolicies !== 0
    ? floor<f64>(roomFor(Room.Jobs) / <f64>simulation.submitsPerTrial) + 1
    : 0;
}

/**
 * True if trials of a run need only the fcfs queue. Further data of jobs and an index of sites do not matter,
 * because trials do without them.
 */
export function canTrialsUsePlainQueue(simulation: Simulation): bool {
  if (simulation.hasPriorityQueue !== 0 || simulation.placement !== 0) return false;
  return !mayDeferPasses(simulation);
}

/** Largest number of reservations of waiting jobs, each on one site. */
function reservationRoom(simulation: Simulation): f64 {
  if (!plansAhead(simulation.lastDiscipline)) return 0;
  // Doubled, because blocks of steps may be only half full.
  if (simulation.keepsReservations !== 0) return 2 * roomFor(Room.Jobs);
  // At least 1, because a plan needs a step even without reservations.
  const reservationsPerPass = max<f64>(1, min<f64>(<f64>simulation.reservationDepth, roomFor(Room.Jobs)));
  const jobs =
    simulation.lastDiscipline === Discipline.Conservative ? roomFor(Room.Jobs) : reservationsPerPass;
  return columns.optionOfRun(Option.MultiSiteFactor) > 0 ? jobs * roomFor(Room.Sites) : jobs;
}

/** True if by its options a simulation may run a job on several sites. */
export function mayRunOnSeveralSites(simulation: Simulation): bool {
  return simulation.multiSite !== 0 || columns.optionOfRun(Option.MultiSiteFactor) > 0;
}

/** Additional log room beyond one event. Preemptions are logged if sets of processors are. */
function extraLogRoom(simulation: Simulation, roomKind: Room, jobs: f64): f64 {
  switch (roomKind) {
    case Room.Runs:
      return simulation.tracksSets !== 0 ? RUNS_PER_JOB * jobs : 0;
    case Room.Parts:
      return mayRunOnSeveralSites(simulation) ? PARTS_PER_JOB * jobs : 0;
    case Room.Stops:
      if (simulation.preempts === 0 || simulation.tracksSets === 0) return 0;
      return STOPS_PER_JOB * jobs + roomFor(Room.Processors);
    case Room.Index:
      if (roomFor(Room.Sites) < MIN_INDEXED_SITES || simulation.siteSets !== 0) return 0;
      return i32(asksAllocators(simulation));
    default:
      return 0;
  }
}

/** True if by its options a simulation asks an allocator to choose among several sites. */
export function asksAllocators(simulation: Simulation): bool {
  if (plansAhead(simulation.lastDiscipline) || simulation.moldable !== Moldable.None) return false;
  return simulation.topology !== Topology.Independent;
}
