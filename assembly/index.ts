/** The whole interface of the core; docs/abi.md describes how a host drives it. */
import { Limit, LookAhead, Status } from './abi/abi';
import { Jobs, Stage, simulationAt } from './memory/state';
import { attach, attachSimulation } from './memory/columns';
import { areApart, checkBegun, checkBlocks, isArranged, isProvided, isSimulation } from './engine/layout';
import * as beginning from './engine/begin';
import * as changes from './engine/change';
import * as choosing from './engine/choosing';
import * as decisions from './engine/decisions';
import * as forks from './engine/fork';
import * as copies from './live/copies';
import { isAsSealed } from './engine/jobs';
import * as layout from './engine/layout';
import * as events from './engine/run';
import * as rooms from './engine/room';
import * as sealing from './engine/sealState';
import * as together from './engine/sharedRun';
import * as metrics from './sums/metrics';
import { isOfAll } from './sums/jobSums';

export * from './abi/abi';
export * from './abi/abiColumns';
export { policyDeclaration, sharesHistories } from './allocators/registry';
export { brokenInvariant } from './memory/check';
export { arrangeJobs, jobColumnAddress, refusedJob, sealJobs } from './engine/jobs';
export { columnAddress, room, scalar, setOption, setRoom } from './engine/access';
export { buildId } from './engine/sealState';

/** The version of this contract. A host must refuse a binary whose version it does not know. */
export function abiVersion(): i32 {
  return 5;
}

/** The first address that the host may use. */
export function firstAddress(): usize {
  return __heap_base;
}

/**
 * Makes the beginning of a block a simulation with all options and room 0. `Limit.HeadBytes` bytes must be
 * there.
 */
export function prepare(block: usize): Status {
  if (!isProvided(block, Limit.HeadBytes)) return Status.MemoryMissing;
  layout.prepare(simulationAt(block));
  return Status.Finished;
}

/**
 * Sets the [room](#room) to what the options need, with this many jobs, sites, and processors of all sites
 * together.
 */
export function fitRoom(block: usize, jobs: i32, sites: i32, processors: i32): Status {
  if (!isSimulation(block)) return Status.NoSimulation;
  const simulation = simulationAt(block);
  attachSimulation(simulation);
  simulation.stage = Stage.Prepared;
  return rooms.fitRoom(simulation, jobs, sites, processors);
}

/**
 * Lays the simulation out for its room. Returns its size in bytes; provide them before the next call. 0:
 * `RefusedRoom` is not a whole number in its range. A simulation that would exceed 4 GiB is not laid out.
 */
export function arrange(block: usize): f64 {
  if (!isSimulation(block)) return 0;
  attachSimulation(simulationAt(block));
  return layout.arrange(simulationAt(block));
}

/**
 * Takes options and columns (the run refuses what is written there later, `SettingsDiffer`) and clears
 * everything else; no event is handled yet. May be called again at any time for another run that finds enough
 * room.
 */
export function begin(block: usize, table: usize): Status {
  const status = checkBlocks(block, table);
  if (status !== Status.Finished) return status;
  attach(simulationAt(block), changetype<Jobs>(table));
  return beginning.begin(simulationAt(block), changetype<Jobs>(table));
}

/**
 * Handles all events up to and including a time; +infinity runs to the end. `Finished`, `Paused`, `LogFull`,
 * `Decision`, or `Keys`.
 */
export function runUntil(block: usize, table: usize, until: f64): Status {
  const status = checkBegun(block, table);
  if (status !== Status.Finished) return status;
  if (isNaN(until)) return Status.TimeInvalid;
  const simulation = simulationAt(block);
  attach(simulation, changetype<Jobs>(table));
  const refusal = beginning.checkGiven(simulation);
  if (refusal !== Status.Finished) return refusal;
  simulation.turns++;
  const outcome =
    simulation.chooses === 0 ? events.runUntil(simulation, until) : choosing.runUntil(simulation, until);
  simulation.finished = i32(outcome === Status.Finished);
  return outcome;
}

/**
 * Answers the pending [decision](#decisions): a site, from 0, or -1 for the job to wait. Then call `runUntil`
 * again. `NoDecision`, `SiteInfeasible`.
 */
export function decide(block: usize, table: usize, site: i32): Status {
  const status = attachBegun(block, table);
  return status === Status.Finished ? decisions.decide(simulationAt(block), site) : status;
}

/**
 * Gives the [keys](#keys-at-the-submit) of the job `KeyedJob` in the `Order` and in the `BackfillOrder`; in
 * an order that is not `Given` any finite number does. Then call `runUntil` again. `NoDecision`,
 * `JobKeyInvalid`.
 */
export function giveKeys(block: usize, table: usize, key: f64, backfillKey: f64): Status {
  const status = attachBegun(block, table);
  return status === Status.Finished ? decisions.giveKeys(simulationAt(block), key, backfillKey) : status;
}

/** Makes the columns the ones at hand of a simulation that has begun with a job table. */
function attachBegun(block: usize, table: usize): Status {
  const status = checkBegun(block, table);
  if (status === Status.Finished) attach(simulationAt(block), changetype<Jobs>(table));
  return status;
}

/** 1 if the job of the pending decision can start on the site now, else 0. */
export function isFeasible(block: usize, table: usize, site: i32): i32 {
  return i32(isAsked(block, table) && decisions.isFeasible(simulationAt(block), site));
}

/** A `LookAhead` if the job of the pending decision goes to the site, NaN if it cannot. */
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
  return attachBegun(block, table) === Status.Finished && decisions.isPending(simulationAt(block));
}

/**
 * For measuring: each of the jobs from `first` up to `end` starts, if a site has room, and ends at once,
 * without an event. Returns how many did; -1 unless the run has room for `Ranks` and none for logs, `Molds`,
 * `Guests` and `Predictions`. They must end before all that run, and the run cannot continue afterwards.
 */
export function rehearse(block: usize, table: usize, first: i32, end: i32): i32 {
  if (attachBegun(block, table) !== Status.Finished) return -1;
  return decisions.rehearse(simulationAt(block), first, end);
}

/**
 * Gives the logs room for this many pairs and stopped runs in all, not less than before, and 0 if there was
 * none; they are last in the block. Provide 8 bytes per pair and 32 per stopped run behind its present end
 * first. Returns the new size, or 0 and changes nothing. Then call `runUntil` again.
 */
export function extendLogs(block: usize, runs: i32, parts: i32, stops: i32): f64 {
  if (!isArranged(block) || simulationAt(block).stage < Stage.Begun) return 0;
  return layout.extendLogs(simulationAt(block), runs, parts, stops);
}

/**
 * A run that has begun follows `Policy` and its parameters as they are set now, from the next decision on;
 * also in the middle of a run, and after a `fork`. When it refuses, it restores the previous values.
 */
export function changePolicy(block: usize, table: usize): Status {
  const status = attachBegun(block, table);
  return status === Status.Finished ? changes.changePolicy(simulationAt(block)) : status;
}

/**
 * From now on the sites have the speeds in `Speed` (with `RuntimeReference.Home`, the time factors in
 * `TimeFactor`), for jobs that start later; running jobs keep their ends. Refuses as `begin` does, and then
 * restores the previous speeds.
 */
export function changeSpeeds(block: usize, table: usize): Status {
  const status = attachBegun(block, table);
  return status === Status.Finished
    ? changes.changeSpeeds(simulationAt(block), changetype<Jobs>(table))
    : status;
}

/** Computes the metrics and the columns that say so, once the run is `Finished`. */
export function measure(block: usize, table: usize): Status {
  return measureBetween(block, table, -Infinity, Infinity);
}

/**
 * The same, with means and largest values of only the jobs submitted in [`from`, `until`], NaN for none of
 * them: `AverageResponseTime`, `MeanWait`, `MaxWait`, `MeanSlowdown`, `MeanBoundedSlowdown`, the two weighted
 * ones, `HomeResponse` and `HomeJobs`. All other metrics are of the whole run. After a fork the host first
 * writes `Start`, `Execution` and `Held` of the jobs that had started before it.
 */
export function measureBetween(block: usize, table: usize, from: f64, until: f64): Status {
  const status = checkBegun(block, table);
  if (status !== Status.Finished) return status;
  const simulation = simulationAt(block);
  if (simulation.finished === 0) return Status.NotFinished;
  attach(simulation, changetype<Jobs>(table));
  const refusal = beginning.checkAllGiven(simulation);
  if (refusal !== Status.Finished) return refusal;
  // While it went on in one turn nothing can have been written between its events.
  if (simulation.turns > 1 && !isAsSealed(changetype<Jobs>(table))) return Status.JobsDiffer;
  simulation.turns = 0;
  metrics.measure(simulation);
  if (!isOfAll(from, until)) metrics.measureBetween(simulation, from, until);
  return Status.Finished;
}

/**
 * Runs to the end under each of the policies in `Policies`. `PoliciesUnshared`, `PoliciesTooMany`.
 */
export function runTogether(block: usize, table: usize): Status {
  const status = attachBegun(block, table);
  if (status !== Status.Finished) return status;
  const refusal = beginning.checkGiven(simulationAt(block));
  if (refusal !== Status.Finished) return refusal;
  return together.runTogether(simulationAt(block), changetype<Jobs>(table));
}

/**
 * Computes the metrics and the columns by site of one of them, by its place in `Policies`. `SumUnsettled`.
 */
export function measureTogether(block: usize, table: usize, policy: i32): Status {
  const status = checkBlocks(block, table);
  if (status !== Status.Finished) return status;
  attach(simulationAt(block), changetype<Jobs>(table));
  return together.measureTogether(simulationAt(block), policy);
}

/**
 * Writes a seal into a simulation, whose `Scalar.Bytes` bytes can then be kept elsewhere: the version of this
 * contract, the build, and a hash of all else. What changes the simulation later breaks the seal.
 */
export function sealState(block: usize): Status {
  if (!isSimulation(block) || simulationAt(block).stage < Stage.Arranged) return Status.NoSimulation;
  if (!isArranged(block)) return Status.MemoryMissing;
  sealing.seal(block, abiVersion());
  return Status.Finished;
}

/**
 * Whether this many bytes that have been copied to an address, at which at least `Limit.HeadBytes` bytes are
 * there, are as `sealState` of this build has sealed them. A refused block must not be used: `prepare` it
 * again. `StateDamaged`, `BuildDiffers`.
 */
export function checkState(block: usize, bytes: f64): Status {
  return sealing.check(block, bytes, abiVersion());
}

/** Bytes of the live part of a simulation that has begun, as it is; 0 of any other. */
export function liveBytes(block: usize): f64 {
  if (!isArranged(block) || simulationAt(block).stage < Stage.Begun) return 0;
  attachSimulation(simulationAt(block));
  return <f64>copies.liveBytes(simulationAt(block));
}

/**
 * The simulation `other` continues from the state of `block`. Both have begun with the same jobs, sites and
 * options, but for `Policy` and its parameters; else `SimulationsDiffer`. `RoomTooSmall`: `extendLogs` of
 * `other` first, to what `block` has in its logs.
 */
export function fork(block: usize, other: usize, table: usize): Status {
  const status = checkPair(block, other, table);
  return status === Status.Finished ? forks.fork(simulationAt(block), simulationAt(other)) : status;
}

/**
 * 1 if two simulations that `fork` takes have the same future under the same policy: clock, queue, random
 * draws, and running jobs with sites and ends. 0 if not, or if that is not sure: of equal states it may say
 * 0, of different ones it never says 1. With `ProcessorSets` it always says 0.
 */
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
