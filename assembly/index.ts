/** The whole interface of the core; docs/abi.md describes how a host drives it. */
import { Limit, LookAhead, Status } from './abi';
import { Jobs, Stage, simulationAt } from './state';
import { attach } from './attach';
import { attachSimulation } from './columns';
import { areApart, checkBegun, checkBlocks, isArranged, isProvided, isSimulation } from './engine/blocks';
import * as beginning from './engine/begin';
import * as decisions from './engine/decisions';
import * as forks from './engine/fork';
import * as layout from './engine/layout';
import * as rehearsal from './engine/rehearse';
import * as rooms from './engine/room';
import * as running from './engine/run';
import * as together from './engine/together';
import * as metrics from './metrics';

export * from './abi';
export * from './abiColumns';
export { policyDeclaration, sharesHistories } from './allocators/registry';
export { brokenInvariant } from './check';
export { arrangeJobs, jobColumnAddress, refusedJob, sealJobs } from './engine/jobs';
export { columnAddress, room, scalar, setOption, setRoom } from './engine/access';

/** Changes whenever a host written for an earlier version would misread this one. */
export function abiVersion(): i32 {
  return 5;
}

/** First address that a host may use; all below belongs to the core. */
export function firstAddress(): usize {
  return __heap_base;
}

/**
 * Makes the beginning of a block a simulation with all options and room 0, in memory of which
 * `Limit.HeadBytes` must be there.
 */
export function prepare(block: usize): Status {
  if (!isProvided(block, Limit.HeadBytes)) return Status.MemoryMissing;
  layout.prepare(simulationAt(block));
  return Status.Finished;
}

/**
 * Sets the room to what the options need, with so many jobs, sites, and processors of all sites together; the
 * simulation must then be laid out for it.
 */
export function fitRoom(block: usize, jobs: i32, sites: i32, processors: i32): Status {
  if (!isSimulation(block)) return Status.NoSimulation;
  const simulation = simulationAt(block);
  attachSimulation(simulation);
  simulation.stage = Stage.Prepared;
  return rooms.fitRoom(simulation, jobs, sites, processors);
}

/**
 * Lays a simulation out for its room; the host then provides the memory and fills the site columns. Returns
 * the size of the block in bytes; 0 where a number of the room is not possible. A block that would reach
 * beyond 4 GiB is not laid out.
 */
export function arrange(block: usize): f64 {
  if (!isSimulation(block)) return 0;
  attachSimulation(simulationAt(block));
  return layout.arrange(simulationAt(block));
}

/** Takes the options and site columns of a simulation and goes back to before the first event. */
export function begin(block: usize, table: usize): Status {
  const status = checkBlocks(block, table);
  if (status !== Status.Finished) return status;
  attach(simulationAt(block), changetype<Jobs>(table));
  return beginning.begin(simulationAt(block), changetype<Jobs>(table));
}

/** Handles all events up to and including a time, in seconds; +infinity runs to the end. */
export function runUntil(block: usize, table: usize, until: f64): Status {
  const status = checkBegun(block, table);
  if (status !== Status.Finished) return status;
  if (isNaN(until)) return Status.TimeInvalid;
  const simulation = simulationAt(block);
  attach(simulation, changetype<Jobs>(table));
  const outcome = running.runUntil(simulation, until);
  simulation.finished = i32(outcome === Status.Finished);
  return outcome;
}

/** Answers the decision at which `runUntil` paused: a site, from 0, or -1 for the job to wait. */
export function decide(block: usize, table: usize, site: i32): Status {
  const status = checkBegun(block, table);
  if (status !== Status.Finished) return status;
  attach(simulationAt(block), changetype<Jobs>(table));
  return decisions.decide(simulationAt(block), site);
}

/** 1 if the job of the pending decision can start on a site now, else 0. */
export function isFeasible(block: usize, table: usize, site: i32): i32 {
  return i32(isAsked(block, table) && decisions.isFeasible(simulationAt(block), site));
}

/** How far the waiting jobs come if the job of the pending decision goes to a site, NaN if it cannot. */
export function lookAhead(block: usize, table: usize, site: i32, what: LookAhead): f64 {
  if (isFeasible(block, table, site) === 0) return NaN;
  return decisions.lookAheadFrom(simulationAt(block), site, what);
}

/**
 * The job behind another in the queue of the job of the pending decision, the first for -1; -1 where none is.
 */
export function nextInQueue(block: usize, table: usize, job: i32): i32 {
  return isAsked(block, table) ? decisions.nextInQueue(simulationAt(block), job) : -1;
}

/** Whether a decision is pending in a simulation, whose columns are then at hand. */
function isAsked(block: usize, table: usize): bool {
  if (checkBegun(block, table) !== Status.Finished) return false;
  if (!decisions.isPending(simulationAt(block))) return false;
  attach(simulationAt(block), changetype<Jobs>(table));
  return true;
}

/** Starts and ends jobs, to measure what decisions cost; see engine/rehearse.ts. */
export function rehearse(block: usize, table: usize, first: i32, end: i32): i32 {
  if (checkBegun(block, table) !== Status.Finished) return -1;
  attach(simulationAt(block), changetype<Jobs>(table));
  return rehearsal.rehearse(simulationAt(block), first, end);
}

/** Gives the logs of a simulation that has begun room for so many entries; see engine/layout.ts. */
export function extendLogs(block: usize, runs: i32, parts: i32, stops: i32): f64 {
  if (!isArranged(block) || simulationAt(block).stage < Stage.Begun) return 0;
  return layout.extendLogs(simulationAt(block), runs, parts, stops);
}

/** Computes all metrics of a finished simulation. */
export function measure(block: usize, table: usize): Status {
  const status = checkBegun(block, table);
  if (status !== Status.Finished) return status;
  if (simulationAt(block).finished === 0) return Status.NotFinished;
  attach(simulationAt(block), changetype<Jobs>(table));
  metrics.measure(simulationAt(block));
  return Status.Finished;
}

/**
 * Runs a simulation that has begun under each of the policies that the host has written, whatever its own:
 * they share what is the same. After it there are the metrics of each (`measureTogether`), and no jobs; to be
 * run again it must begin again.
 */
export function runTogether(block: usize, table: usize): Status {
  const status = checkBegun(block, table);
  if (status !== Status.Finished) return status;
  attach(simulationAt(block), changetype<Jobs>(table));
  return together.runTogether(simulationAt(block), changetype<Jobs>(table));
}

/** Computes the metrics of one of the policies that `runTogether` has run, as `measure` does. */
export function measureTogether(block: usize, table: usize, policy: i32): Status {
  const status = checkBlocks(block, table);
  if (status !== Status.Finished) return status;
  attach(simulationAt(block), changetype<Jobs>(table));
  return together.measureTogether(simulationAt(block), policy);
}

/** Bytes of the live part of a simulation that has begun, as it is; 0 of any other. */
export function liveBytes(block: usize): f64 {
  if (!isArranged(block) || simulationAt(block).stage < Stage.Begun) return 0;
  attachSimulation(simulationAt(block));
  return <f64>forks.liveBytes(simulationAt(block));
}

/**
 * Another simulation of the same jobs, sites and options, whatever its policy, goes on from where this one
 * stands: the live part is copied, results stay where they are; see engine/fork.ts.
 */
export function fork(block: usize, other: usize, table: usize): Status {
  const status = checkPair(block, other, table);
  return status === Status.Finished ? forks.fork(simulationAt(block), simulationAt(other)) : status;
}

/** 1 if two simulations that `fork` takes have the same future under the same policy; 0 if that is unsure. */
export function sameState(block: usize, other: usize, table: usize): i32 {
  const status = checkPair(block, other, table);
  return i32(status === Status.Finished && forks.sameState(simulationAt(block), simulationAt(other)));
}

/** Whether one simulation can go on from the state of another, whose columns are then at hand. */
function checkPair(block: usize, other: usize, table: usize): Status {
  let status = checkBegun(block, table);
  if (status === Status.Finished) status = checkBegun(other, table);
  if (status !== Status.Finished) return status;
  const simulation = simulationAt(block);
  if (!areApart(block, simulation.bytes, other, simulationAt(other).bytes)) return Status.SimulationsDiffer;
  attach(simulation, changetype<Jobs>(table));
  return forks.areAlike(simulation, simulationAt(other)) ? Status.Finished : Status.SimulationsDiffer;
}
