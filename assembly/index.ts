/** Whole interface of the core; docs/abi.md describes how a host uses it. */
import { Limit, LookAhead, Status } from './abi/abi';
import { Jobs, Simulation, Stage, simulationAt } from './memory/state';
import { attachSimulationAndJobs, attachSimulation } from './memory/columns';
import {
  areBlocksDisjoint,
  checkBlocks,
  isBlockArranged,
  isInHostMemory,
  isSimulation,
} from './engine/layout';
import { checkSimulationBegun, noteHandledUntil } from './engine/appendedJobs';
import * as beginning from './engine/begin';
import * as changes from './engine/change';
import * as choosing from './engine/choosing';
import * as compaction from './engine/compaction';
import * as corrections from './engine/corrections';
import * as decisions from './engine/decisions';
import * as forks from './engine/fork';
import * as copies from './live/copies';
import { areJobsUnchanged } from './engine/jobs';
import * as outageChanges from './engine/outageChanges';
import * as placing from './engine/place';
import * as layout from './engine/layout';
import * as events from './engine/run';
import * as rooms from './engine/room';
import * as sealing from './engine/sealState';
import * as together from './engine/sharedRun';
import * as metrics from './sums/metrics';
import { doesWindowCoverAllJobs } from './sums/jobSums';

export * from './abi/abi';
export * from './abi/abiColumns';
export { policyDeclaration, sharesHistories } from './allocators/registry';
export { brokenInvariant } from './memory/check';
export { appendJobs, arrangeJobs, jobColumnAddress, refusedJob, sealJobs, withdrawJobs } from './engine/jobs';
export { columnAddress, room, scalar, setOption, setRoom } from './engine/access';
export { buildId } from './engine/sealState';

/** Version of this contract. A host must refuse a binary with an unknown version. */
export function abiVersion(): i32 {
  return 5;
}

/** First address that the host may use. */
export function firstAddress(): usize {
  return __heap_base;
}

/**
 * Turns the beginning of a block into a simulation with all options and room 0. `Limit.HeadBytes` bytes must
 * be in memory.
 */
export function prepare(block: usize): Status {
  if (!isInHostMemory(block, Limit.HeadBytes)) return Status.MemoryMissing;
  layout.prepare(simulationAt(block));
  return Status.Finished;
}

/** Sets the [room](#room) that the options need, for given numbers of jobs, sites and total processors. */
export function fitRoom(block: usize, jobs: i32, sites: i32, processors: i32): Status {
  if (!isSimulation(block)) return Status.NoSimulation;
  const simulation = simulationAt(block);
  attachSimulation(simulation);
  simulation.stage = Stage.Prepared;
  return rooms.fitRoom(simulation, jobs, sites, processors);
}

/**
 * Lays out a simulation for its room. Returns its size in bytes, which the host must provide before the next
 * call. 0: `RefusedRoom` is not a whole number in its range. A simulation that would exceed 4 GiB is not laid
 * out.
 */
export function arrange(block: usize): f64 {
  if (!isSimulation(block)) return 0;
  attachSimulation(simulationAt(block));
  return layout.arrange(simulationAt(block));
}

/**
 * Copies options and columns, and resets everything else to before the first event. Later changes of options
 * and columns make the run refuse to continue (`SettingsDiffer`). May be called again at any time for another
 * run that needs no more room.
 */
export function begin(block: usize, table: usize): Status {
  const status = checkBlocks(block, table);
  if (status !== Status.Finished) return status;
  attachSimulationAndJobs(simulationAt(block), changetype<Jobs>(table));
  return beginning.begin(simulationAt(block), changetype<Jobs>(table));
}

/**
 * Handles all events up to and including a time; +infinity runs to the end. Returns `Finished`, `Paused`,
 * `LogFull`, `Decision`, or `Keys`.
 */
export function runUntil(block: usize, table: usize, until: f64): Status {
  const status = beginTurn(block, table);
  if (status !== Status.Finished) return status;
  return isNaN(until) ? Status.TimeInvalid : runUntilTime(simulationAt(block), until);
}

/**
 * Like `runUntil`, for the next `count` times at which something happens, those of `nextEventTime`; without
 * a known event, as for +infinity. `LogFull`, `Decision` and `Keys` may come within such a time: with a
 * count of 1, the next call handles the rest of it.
 */
export function runEvents(block: usize, table: usize, count: i32): Status {
  let status = beginTurn(block, table);
  if (status !== Status.Finished) return status;
  const simulation = simulationAt(block);
  status = simulation.isFinished !== 0 ? Status.Finished : Status.Paused;
  for (let time: f64 = 0; count > 0 && status === Status.Paused && time < Infinity; count--) {
    time = simulation.decisionJob >= 0 ? simulation.now : events.nextEventTime(simulation);
    status = runUntilTime(simulation, time);
  }
  return status;
}

/** Makes a begun simulation ready to handle events. */
function beginTurn(block: usize, table: usize): Status {
  const status = attachBegunSimulation(block, table);
  if (status !== Status.Finished) return status;
  const simulation = simulationAt(block);
  const refusalStatus = beginning.checkHostColumns(simulation);
  if (refusalStatus !== Status.Finished) return refusalStatus;
  const hasTakenState = simulation.isOpen !== 0 && simulation.turns === 0 && simulation.next > 0;
  return hasTakenState ? placing.completeState(simulation) : Status.Finished;
}

/** Handles all events up to and including a time. */
function runUntilTime(simulation: Simulation, until: f64): Status {
  simulation.turns++;
  const outcome =
    simulation.choosesPolicies === 0
      ? events.runUntil(simulation, until)
      : choosing.runUntil(simulation, until);
  simulation.isFinished = i32(outcome === Status.Finished);
  if (simulation.isOpen !== 0) noteHandledUntil(simulation, until, outcome);
  return outcome;
}

/**
 * Makes the appended jobs known to an open run, as every other call on it does: a job that the run refuses
 * can then be taken back by `withdrawJobs`. Refusals: those of `begin` about jobs, `JobLate`.
 */
export function takeJobs(block: usize, table: usize): Status {
  return checkSimulationBegun(block, table);
}

/** Closes an open run: no more jobs can be appended to it, so that it finishes after the last known event. */
export function closeRun(block: usize, table: usize): Status {
  const status = attachBegunSimulation(block, table);
  if (status === Status.Finished) simulationAt(block).awaitsJobs = 0;
  return status;
}

/**
 * Time in seconds of the next known event, or of a pass before it that may turn out to do nothing; +infinity
 * if there is none, NaN if the run has not begun.
 */
export function nextEventTime(block: usize, table: usize): f64 {
  if (attachBegunSimulation(block, table) !== Status.Finished) return NaN;
  return events.nextEventTime(simulationAt(block));
}

/**
 * Starts the next job of the table on a site, from 0, at a time in seconds; with accounts of usage not before
 * that of the job placed before it. Between `begin` and `runUntil`, so that a run begins in the middle of a
 * schedule. Its submission, which may be later, causes no event. With `PlanBy` `Nodes`, it gets the nodes of
 * `PlacedNodes`. Behind waiting jobs, a run in order of submission needs `Cancellations` 2. Refusals:
 * `RunUnderWay`, `TimeInvalid`, `SiteInfeasible`, `OptionsConflict`.
 */
export function placeJob(block: usize, table: usize, site: i32, start: f64): Status {
  const status = attachBegunSimulation(block, table);
  return status === Status.Finished ? placing.placeJob(simulationAt(block), site, start) : status;
}

/**
 * Lets an open run begin from a state at a time in seconds, between `begin` and `runUntil`, whose first pass
 * then comes at that time. The next jobs of the table, those submitted up to then, run on the `Site` since
 * the `Start` that the host has written after `takeJobs`, or wait if their `Start` is NaN; all that happened
 * up to then is known. The host writes neither column of a job that runs. After a refusal call `begin`
 * again. Refusals: those of `placeJob`.
 */
export function takeState(block: usize, table: usize, time: f64): Status {
  const status = attachBegunSimulation(block, table);
  return status === Status.Finished ? placing.takeState(simulationAt(block), time) : status;
}

/**
 * Gives a job that waits in the state from which the run begins, before the first `runUntil`, its
 * reservation: a site, from 0, and a start in seconds. Only with `Reservations` `Kept`, under which waiting
 * jobs without one count as displaced. Refusals: `RunUnderWay`, `OptionsConflict`, `JobInactive`,
 * `TimeInvalid`, `SiteInfeasible`.
 */
export function reserveJob(block: usize, table: usize, job: i32, site: i32, start: f64): Status {
  const status = attachBegunSimulation(block, table);
  return status === Status.Finished ? placing.reserveJob(simulationAt(block), job, site, start) : status;
}

/**
 * Answers the pending [decision](#decisions): a site, from 0, or -1 to let the job wait. Then call `runUntil`
 * again. Refusals: `NoDecision`, `SiteInfeasible`.
 */
export function decide(block: usize, table: usize, site: i32): Status {
  const status = attachBegunSimulation(block, table);
  return status === Status.Finished ? decisions.decide(simulationAt(block), site) : status;
}

/**
 * Gives the [keys](#keys-at-the-submit) of the job `KeyedJob` in the `Order` and in the `BackfillOrder`; for
 * an order that is not `Given`, any finite number. Then call `runUntil` again. Refusals: `NoDecision`,
 * `JobKeyInvalid`.
 */
export function giveKeys(block: usize, table: usize, key: f64, backfillKey: f64): Status {
  const status = attachBegunSimulation(block, table);
  return status === Status.Finished ? decisions.giveKeys(simulationAt(block), key, backfillKey) : status;
}

/**
 * Has a running job of an open run end at a time in seconds, not before that of the last event, in place of
 * the end that the run expects; jobs whose runtime is unknown end only so. Its estimate stays. Not with
 * `RecentJobs`, and not after a `fork`. Refusals: `JobInactive`, `TimeInvalid`, `DecisionPending`.
 */
export function endJob(block: usize, table: usize, job: i32, time: f64): Status {
  const status = attachBegunSimulation(block, table);
  return status === Status.Finished ? corrections.endJob(simulationAt(block), job, time) : status;
}

/**
 * Cancels a job of an open run with `Cancellations` 2 at a time in seconds, not before its submission: a
 * waiting job then leaves its queue, a running one ends. Refusals: those of `endJob`.
 */
export function removeJob(block: usize, table: usize, job: i32, time: f64): Status {
  const status = attachBegunSimulation(block, table);
  return status === Status.Finished ? corrections.removeJob(simulationAt(block), job, time) : status;
}

/**
 * Takes a waiting job of an open run with `Cancellations` 2 out of its queue, at the time up to which events
 * are handled, until `releaseJob`; a pass of that time follows. Refusals: those of `endJob`.
 */
export function holdJob(block: usize, table: usize, job: i32): Status {
  const status = attachBegunSimulation(block, table);
  return status === Status.Finished ? corrections.holdJob(simulationAt(block), job) : status;
}

/**
 * Returns a held job to its queue, with its old submission in the `Order`, like a job that is submitted at
 * the time up to which events are handled. A run with held jobs pauses and does not finish.
 */
export function releaseJob(block: usize, table: usize, job: i32): Status {
  const status = attachBegunSimulation(block, table);
  return status === Status.Finished ? corrections.releaseJob(simulationAt(block), job) : status;
}

/**
 * Changes the estimate of a job of an open run with `Cancellations` 2 and room for `Estimates`, which only
 * this run and its forks see: `Column.Estimate`. A job that is not submitted yet has it from its submission
 * on. A waiting one leaves its queue and returns to it, as by `holdJob` and `releaseJob`; a running one has
 * its predicted end from its start on. A pass of the time up to which events are handled follows, if the
 * options use estimates. Not with `RecentJobs`, `NoEstimates`, and keys of the host `KeysByEstimate`.
 * Refusals: those of `endJob`, `RoomTooSmall`, `JobEstimateInvalid`.
 */
export function changeEstimate(block: usize, table: usize, job: i32, estimate: f64): Status {
  const status = attachBegunSimulation(block, table);
  if (status !== Status.Finished) return status;
  return corrections.changeEstimate(simulationAt(block), changetype<Jobs>(table), job, estimate);
}

/**
 * Removes the jobs that have ended from an open run and its table, which needs `Extra.Rows`; the first and
 * the last job stay. The others keep their order: `JobColumn.Row` has the new row of each, and the last of
 * these is the last row from then on. Columns of the run by job move along. Metrics still cover all jobs.
 * Other runs of the table refuse it from then on. Refusals: `OptionsConflict` without `Open`, `RoomTooSmall`
 * without the column, `JobsNeeded`, `DecisionPending`.
 */
export function compact(block: usize, table: usize): Status {
  const status = attachBegunSimulation(block, table);
  if (status !== Status.Finished) return status;
  return compaction.compact(simulationAt(block), changetype<Jobs>(table));
}

/** Makes the columns of a begun simulation and its job table current. */
function attachBegunSimulation(block: usize, table: usize): Status {
  const status = checkSimulationBegun(block, table);
  if (status === Status.Finished) attachSimulationAndJobs(simulationAt(block), changetype<Jobs>(table));
  return status;
}

/** 1 if the job of the pending decision can start on the site now, otherwise 0. */
export function isFeasible(block: usize, table: usize, site: i32): i32 {
  return i32(isDecisionPending(block, table) && decisions.isFeasible(simulationAt(block), site));
}

/** A `LookAhead` score if the job of the pending decision goes to the site; NaN if it cannot. */
export function lookAhead(block: usize, table: usize, site: i32, scoreKind: LookAhead): f64 {
  if (isFeasible(block, table, site) === 0) return NaN;
  return decisions.lookAheadFrom(simulationAt(block), site, scoreKind);
}

/**
 * Job behind another one in the queue of the pending decision's job; for -1 the first. -1 if none. In an open
 * run without a pending decision, the waiting jobs that no limit holds, in the order of the last pass.
 */
export function nextInQueue(block: usize, table: usize, job: i32): i32 {
  if (isDecisionPending(block, table)) return decisions.nextInQueue(simulationAt(block), job);
  const isOpenRun =
    attachBegunSimulation(block, table) === Status.Finished && simulationAt(block).isOpen !== 0;
  return isOpenRun ? decisions.nextWaitingJob(simulationAt(block), job) : -1;
}

/** True if a decision is pending; also makes the simulation's columns current. */
function isDecisionPending(block: usize, table: usize): bool {
  return attachBegunSimulation(block, table) === Status.Finished && decisions.isPending(simulationAt(block));
}

/**
 * Starts each of the jobs from `firstJob` up to `end` that fits on a site, and ends it at once, without an
 * event, to measure the cost of decisions. Returns the number of started jobs; -1 unless memory is laid out
 * for `Ranks`, and for no logs, `Molds`, `Guests` and `Predictions`. The jobs must end before all running
 * ones, and the run cannot continue afterwards.
 */
export function rehearse(block: usize, table: usize, firstJob: i32, end: i32): i32 {
  if (attachBegunSimulation(block, table) !== Status.Finished) return -1;
  return decisions.rehearse(simulationAt(block), firstJob, end);
}

/**
 * Sets the total room of the logs, in pairs and preemptions: not less than before, and 0 for a log that does
 * not exist. The logs are last in the block; first provide 8 bytes per additional pair and 32 per additional
 * preemption after the block's end. Returns the new size in bytes; 0 if refused, without a change. Then call
 * `runUntil` again.
 */
export function extendLogs(block: usize, runs: i32, parts: i32, stops: i32): f64 {
  if (!isBlockArranged(block) || simulationAt(block).stage < Stage.Begun) return 0;
  return layout.extendLogs(simulationAt(block), runs, parts, stops);
}

/**
 * Applies the current values of `Policy` and its parameters to a begun run, from the next decision on; also
 * during a run, and after a `fork`. If it refuses, it restores the previous values.
 */
export function changePolicy(block: usize, table: usize): Status {
  const status = attachBegunSimulation(block, table);
  return status === Status.Finished ? changes.changePolicy(simulationAt(block)) : status;
}

/**
 * Changes the `Discipline`, the `Order` and the `BackfillOrder` (1 + an order, or 0) of an open run with
 * `CandidateRules` and one policy, at the time up to which events are handled; a pass of that time follows.
 * Waiting and running jobs stay. The discipline is at most the one in `CandidateRules`; keys do not change
 * with time, and those of the host must be the order with which the run began. Refusals:
 * `OptionsConflict`, `DecisionPending`.
 */
export function changeRules(
  block: usize,
  table: usize,
  discipline: i32,
  order: i32,
  backfillOrder: i32,
): Status {
  const status = attachBegunSimulation(block, table);
  if (status !== Status.Finished) return status;
  return changes.changeRules(simulationAt(block), discipline, order, backfillOrder);
}

/**
 * Applies the speeds in `Speed` (with `RuntimeReference.Home`, the time factors in `TimeFactor`) to jobs that
 * start from now on; running jobs keep their ends. Refuses like `begin`, and then restores the previous
 * speeds.
 */
export function changeSpeeds(block: usize, table: usize): Status {
  const status = attachBegunSimulation(block, table);
  return status === Status.Finished
    ? changes.changeSpeeds(simulationAt(block), changetype<Jobs>(table))
    : status;
}

/**
 * Applies changes that the host has written into the columns of outages of an open run: times that are not
 * over, and outages that have not begun. Unused rows have begin and end +infinity. A pass follows if plans
 * take the changes into account. If it refuses, it restores the previous outages. Refusals: `TimeInvalid`,
 * `OptionInvalid`, `OptionsConflict`, `DecisionPending`, those of `begin` about jobs.
 */
export function changeOutages(block: usize, table: usize): Status {
  const status = attachBegunSimulation(block, table);
  if (status !== Status.Finished) return status;
  return outageChanges.changeOutages(simulationAt(block), changetype<Jobs>(table));
}

/** Computes the metrics and the columns that depend on them, once the run is `Finished`. */
export function measure(block: usize, table: usize): Status {
  return measureBetween(block, table, -Infinity, Infinity);
}

/**
 * Like `measure`, but these metrics cover only jobs submitted in [`from`, `until`] (seconds), NaN if there
 * are none: `AverageResponseTime`, `MeanWait`, `MaxWait`, `MeanSlowdown`, `MeanBoundedSlowdown`, the two
 * weighted means, `HomeResponse` and `HomeJobs`. All other metrics cover the whole run. After a fork, the
 * host first writes `Start`, `Execution` and `Held` of the jobs that had started before the fork.
 */
export function measureBetween(block: usize, table: usize, from: f64, until: f64): Status {
  const status = checkSimulationBegun(block, table);
  if (status !== Status.Finished) return status;
  const simulation = simulationAt(block);
  if (simulation.isFinished === 0) return Status.NotFinished;
  attachSimulationAndJobs(simulation, changetype<Jobs>(table));
  // In an open run, the host may have written columns of jobs that are not appended, so those are not
  // compared.
  const canCompareWholeTable = simulation.isOpen === 0;
  const refusalStatus = canCompareWholeTable
    ? beginning.checkAllHostColumns(simulation)
    : beginning.checkHostColumns(simulation);
  if (refusalStatus !== Status.Finished) return refusalStatus;
  // In a run of a single call, the host cannot have written anything between events, so nothing is checked
  // again.
  if (simulation.turns > 1 && !areJobsUnchanged(changetype<Jobs>(table))) return Status.JobsDiffer;
  if (simulation.removedRows > 0 && !doesWindowCoverAllJobs(from, until)) return Status.JobsNeeded;
  simulation.turns = 0;
  metrics.measure(simulation);
  if (!doesWindowCoverAllJobs(from, until)) metrics.measureBetween(simulation, from, until);
  return Status.Finished;
}

/** Runs each of the policies in `Policies` to the end. Refusals: `PoliciesUnshared`, `PoliciesTooMany`. */
export function runTogether(block: usize, table: usize): Status {
  const status = attachBegunSimulation(block, table);
  if (status !== Status.Finished) return status;
  const refusalStatus = beginning.checkHostColumns(simulationAt(block));
  if (refusalStatus !== Status.Finished) return refusalStatus;
  return together.runTogether(simulationAt(block), changetype<Jobs>(table));
}

/**
 * Computes the metrics and the columns by site of one policy, by its index in `Policies`. Refusal:
 * `SumUnsettled`.
 */
export function measureTogether(block: usize, table: usize, policy: i32): Status {
  const status = checkBlocks(block, table);
  if (status !== Status.Finished) return status;
  attachSimulationAndJobs(simulationAt(block), changetype<Jobs>(table));
  return together.measureTogether(simulationAt(block), policy);
}

/**
 * Writes a seal into a simulation, whose `Scalar.Bytes` bytes can then be stored elsewhere. The seal contains
 * the version of this contract, the build, and a hash of all other bytes. Any later change of the simulation
 * invalidates the seal.
 */
export function sealState(block: usize): Status {
  if (!isSimulation(block) || simulationAt(block).stage < Stage.Arranged) return Status.NoSimulation;
  if (!isBlockArranged(block)) return Status.MemoryMissing;
  sealing.sealSavedState(block, abiVersion());
  return Status.Finished;
}

/**
 * Checks that bytes copied to an address are unchanged since `sealState` of the same build sealed them; at
 * least `Limit.HeadBytes` bytes must be in memory. A refused block must not be used, except with `prepare`.
 * Refusals: `StateDamaged`, `BuildDiffers`.
 */
export function checkState(block: usize, bytes: f64): Status {
  return sealing.checkStateSeal(block, bytes, abiVersion());
}

/** Current size in bytes of the live part of a begun simulation; 0 otherwise. */
export function liveBytes(block: usize): f64 {
  if (!isBlockArranged(block) || simulationAt(block).stage < Stage.Begun) return 0;
  attachSimulation(simulationAt(block));
  return <f64>copies.liveBytes(simulationAt(block));
}

/**
 * Copies the state of `block` to the simulation `other`, which continues from it. Both must have begun with
 * the same jobs, sites and options other than `Policy` and its parameters; otherwise `SimulationsDiffer`.
 * `RoomTooSmall`: first call `extendLogs` of `other` for the log entries of `block`.
 */
export function fork(block: usize, other: usize, table: usize): Status {
  const status = checkSimulationPair(block, other, table);
  return status === Status.Finished ? forks.fork(simulationAt(block), simulationAt(other)) : status;
}

/**
 * 1 if two simulations that `fork` accepts have the same future under the same policy: clock, queue, random
 * generator, and running jobs with sites and ends. 0 if not, or if this is uncertain: equal states may give
 * 0, but different ones never give 1. Always 0 with `ProcessorSets`.
 */
export function sameState(block: usize, other: usize, table: usize): i32 {
  const status = checkSimulationPair(block, other, table);
  return i32(status === Status.Finished && forks.haveSameState(simulationAt(block), simulationAt(other)));
}

/**
 * Checks that one simulation can continue from the state of another, and makes the columns of the other
 * current.
 */
function checkSimulationPair(block: usize, other: usize, table: usize): Status {
  let status = checkSimulationBegun(block, table);
  if (status === Status.Finished) status = checkSimulationBegun(other, table);
  if (status !== Status.Finished) return status;
  const simulation = simulationAt(block);
  if (!areBlocksDisjoint(block, simulation.bytes, other, simulationAt(other).bytes))
    return Status.SimulationsDiffer;
  attachSimulationAndJobs(simulation, changetype<Jobs>(table));
  return forks.haveSameSettings(simulation, simulationAt(other)) ? Status.Finished : Status.SimulationsDiffer;
}
