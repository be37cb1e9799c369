import { Option, Status } from '../abi/abi';
import { Extra } from '../abi/abiColumns';
import { Jobs, Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import * as cancellations from '../events/cancellations';
import * as finishQueue from '../events/finishQueue';
import { entryAt, jobIn } from '../events/finishQueue';
import { at, put } from '../memory/memory';
import { compactColumn, newPositionOf } from '../memory/rowMoves';
import * as limits from '../placement/limits';
import * as priorityQueue from '../queue/priorityQueue';
import * as usageByNumber from '../queue/usageByNumber';
import { RECORDED } from '../record/log';
import * as metrics from '../sums/metrics';
import { mayPreempt } from '../sums/sums';
import { dropCaches } from './fork';
import { removeRows } from './jobs';

/**
 * Removal of jobs that have ended from an open run and its table, so that a run needs memory only for jobs
 * that wait or run. The jobs that stay move up and keep their order, so ties by job index are broken as
 * before.
 *
 * The first job stays, because times count from its submission; so does the last one, which the next appended
 * job must follow.
 */

/** Mark of a table row whose job stays, before rows get new numbers; and of a row that is removed. */
const ROW_STAYS: i32 = 0;
const ROW_LEAVES: i32 = -1;

/** Removes the jobs that have ended. */
export function compact(simulation: Simulation, jobs: Jobs): Status {
  simulation.refusedJob = -1;
  simulation.refusedOption = -1;
  if (simulation.isOpen === 0) {
    simulation.refusedOption = Option.Open;
    return Status.OptionsConflict;
  }
  if ((jobs.extras & Extra.Rows) === 0) return Status.RoomTooSmall;
  simulation.refusedOption = optionNeedingAllRows(simulation);
  if (simulation.refusedOption >= 0) return Status.JobsNeeded;
  const awaitsKeys = simulation.keyedJob > 0 && simulation.keysGiven === 0;
  if (simulation.decisionJob >= 0 || awaitsKeys) return Status.DecisionPending;
  markRows(simulation);
  const end = simulation.knownJobs;
  let keptCount = 0;
  let from = end;
  for (let job = 0; job < end; job++) {
    const isKept = at<i32>(columns.rows, job) === ROW_STAYS;
    if (!isKept) from = min(from, job);
    put<i32>(columns.rows, job, isKept ? keptCount++ : ROW_LEAVES);
  }
  if (keptCount === end) return Status.Finished;
  metrics.accountForRemoved(simulation);
  simulation.removedRows += <f64>(end - keptCount);
  removeRows(jobs, from, keptCount);
  moveColumns(simulation, from, keptCount, end);
  renumber(simulation, keptCount, end);
  simulation.jobsIdentity = jobs.identity;
  return Status.Finished;
}

/** First option of the run that needs the rows of all jobs, also of those that have ended; -1 if none. */
function optionNeedingAllRows(simulation: Simulation): i32 {
  if (simulation.recentJobs > 0) return Option.RecentJobs;
  if (simulation.choosesPolicies !== 0) return Option.Policy;
  if (RECORDED) return Option.Open;
  // Jobs that a fork has taken over have no entries in its columns.
  const isInOrder = simulation.accountedJobs === 0 && simulation.preempts === 0;
  if (simulation.logCapacity > 0 && !isInOrder) return Option.ProcessorSets;
  if (simulation.partCapacity === 0 || isInOrder) return -1;
  return simulation.multiSite !== 0 ? Option.MultiSite : Option.MultiSiteFactor;
}

/** Marks the rows that stay and those that are removed. */
function markRows(simulation: Simulation): void {
  const end = simulation.knownJobs;
  // A step of the capacities that the end of a job caused is stored in that job's entry of the step column.
  let steps = simulation.outages !== 0 ? simulation.stepsLength - simulation.changedCapacities : 0;
  markEnded(simulation);
  for (let job = 0; job < end && steps > 0; job++) {
    if (at<i32>(columns.rows, job) === ROW_STAYS) continue;
    put<i32>(columns.rows, job, ROW_STAYS);
    steps--;
  }
  // A first piece comes before the others, and counts those that run.
  for (let job = end - 1; simulation.limits !== 0 && job >= 0; job--) {
    if (at<i32>(columns.rows, job) === ROW_STAYS)
      put<i32>(columns.rows, at<i32>(columns.pieceOf, job), ROW_STAYS);
  }
}

/** Marks the rows of all jobs: those that have started and do not run are removed. */
function markEnded(simulation: Simulation): void {
  const end = simulation.knownJobs;
  for (let job = 0; job < end; job++) {
    const isWaiting = job >= simulation.next || isNaN(at<f64>(columns.starts, job));
    put<i32>(columns.rows, job, isWaiting || job === 0 || job === end - 1 ? ROW_STAYS : ROW_LEAVES);
  }
  for (let finishEntry = simulation.runningJobs; finishEntry > 0; finishEntry--) {
    put<i32>(columns.rows, jobIn(at<u64>(entryAt(finishEntry), 1)), ROW_STAYS);
  }
  if (simulation.countsByNumber !== 0) usageByNumber.markUnsettled(simulation);
}

/** Moves the entries of the jobs in all columns by job. */
function moveColumns(simulation: Simulation, from: i32, keptCount: i32, end: i32): void {
  compactColumn<u64>(columns.starts, from, keptCount, end);
  compactColumn<u64>(columns.executions, from, keptCount, end);
  compactColumn<i32>(columns.sites, from, keptCount, end);
  if (simulation.moldable !== 0) compactColumn<i32>(columns.allocatedProcessorColumn, from, keptCount, end);
  if (simulation.logCapacity > 0) compactColumn<i32>(columns.logIndices, from, keptCount, end);
  if (simulation.partCapacity > 0) compactColumn<i32>(columns.partIndices, from, keptCount, end);
  if (mayPreempt(simulation)) compactColumn<u64>(columns.lostTimes, from, keptCount, end);
  if (simulation.roomForKept !== 0) {
    compactColumn<u64>(columns.keptStarts, from, keptCount, end);
    compactColumn<i32>(columns.keptSites, from, keptCount, end);
    compactColumn<u64>(columns.promisedStarts, from, keptCount, end);
  }
  if (simulation.roomForPlan !== 0) {
    // Choices of skipped jobs are used by later plans, too, so they move with the rows.
    compactColumn<u64>(columns.plannedStarts, from, keptCount, end);
    compactColumn<i32>(columns.plannedSites, from, keptCount, end);
  }
  if (simulation.roomForCancellations !== 0)
    compactColumn<i32>(columns.cancellationHeapPlaces, from, keptCount, end);
  if (simulation.roomForCancellations > 1)
    compactColumn<u64>(columns.cancellationTimes, from, keptCount, end);
  const hasKeys = (simulation.asksKeys | simulation.roomForKeys | (simulation.programOrders & 1)) !== 0;
  if (hasKeys) compactColumn<u64>(columns.keys, from, keptCount, end);
  const hasBackfillKeys =
    simulation.asksKeys | simulation.roomForBackfillKeys | (simulation.programOrders & 2);
  if (hasBackfillKeys !== 0) compactColumn<u64>(columns.backfillKeys, from, keptCount, end);
  if (simulation.hasLateRanks !== 0) compactColumn<u64>(columns.lateKeys, from, keptCount, end);
  for (let input = 0; input < simulation.roomForProgramInputs; input++) {
    const valuesAddress = columns.programInputs + <usize>input * <usize>simulation.jobCount * sizeof<f64>();
    compactColumn<u64>(valuesAddress, from, keptCount, end);
  }
  if (columns.hasOwnEstimates(simulation)) compactColumn<u64>(columns.estimates, from, keptCount, end);
  if (simulation.roomForUsers !== 0) compactColumn<i32>(columns.userOf, from, keptCount, end);
  if (simulation.roomForGroups !== 0) compactColumn<i32>(columns.groupOf, from, keptCount, end);
  if (simulation.limits === 0) return;
  compactColumn<i32>(columns.limitedUsers, from, keptCount, end);
  compactColumn<i32>(columns.limitedGroups, from, keptCount, end);
  compactColumn<i32>(columns.pieceOf, from, keptCount, end);
  compactColumn<i32>(columns.runningPieces, from, keptCount, end);
  compactColumn<i32>(columns.nextHeld, from, keptCount, end);
  // Two links for each job.
  compactColumn<u64>(columns.nextOfAccount, from, keptCount, end);
  compactColumn<u64>(columns.previousOfAccount, from, keptCount, end);
}

/**
 * Removes the entries of jobs that have left from the logs of processors and of parts. Jobs are examined in
 * the order of their starts, in which the entries are too, so that no entry is overwritten before it moves.
 */
function compactLogs(simulation: Simulation): void {
  if ((simulation.logCapacity | simulation.partCapacity) === 0) return;
  const areJobsListed = simulation.hasPriorityQueue !== 0;
  const countedJobs = areJobsListed ? simulation.countedJobCount : simulation.head;
  simulation.logLength = 0;
  simulation.partsLength = 0;
  for (let index = 0; index < countedJobs; index++) {
    const job = areJobsListed ? at<i32>(columns.countedJobs, index) : index;
    // A job that was cancelled while it waited has no entry that could be moved.
    if (at<i32>(columns.sites, job) < 0) continue;
    if (simulation.logCapacity > 0) {
      const logStart = at<i32>(columns.logIndices, job);
      put<i32>(columns.logIndices, job, simulation.logLength);
      const end = moveEntries<LogRanges>(
        columns.log,
        logStart,
        simulation.logLength,
        processorsOfJob(simulation, job),
      );
      simulation.logLength = end;
    }
    if (simulation.partCapacity === 0 || at<i32>(columns.partIndices, job) < 0) continue;
    const partsStart = at<i32>(columns.partIndices, job);
    put<i32>(columns.partIndices, job, simulation.partsLength);
    const end = moveEntries<LogParts>(
      columns.parts,
      partsStart,
      simulation.partsLength,
      processorsOfJob(simulation, job),
    );
    simulation.partsLength = end;
  }
}

/** Number of processors that a started job has. */
@inline
function processorsOfJob(simulation: Simulation, job: i32): i32 {
  return at<i32>(simulation.moldable !== 0 ? columns.allocatedProcessorColumn : columns.processors, job);
}

/** Kind of log whose entries are a first and a last processor. */
@final
@unmanaged
class LogRanges {
  areRanges: bool;
}
@final
@unmanaged
class LogParts {}

/**
 * Moves what the log says about where a job ran (pairs of numbers) towards the begin of the log, so that no
 * gap stays where jobs were removed; returns the index behind the last pair moved. The job's processors tell
 * how many pairs it has.
 */
function moveEntries<E>(logAddress: usize, firstEntry: i32, target: i32, processors: i32): i32 {
  for (let remainingProcessors = processors; remainingProcessors > 0; firstEntry++) {
    put<u64>(logAddress, target++, at<u64>(logAddress, firstEntry));
    const last = at<i32>(logAddress, 2 * firstEntry + 1);
    remainingProcessors -= isDefined(changetype<E>(0).areRanges)
      ? last - at<i32>(logAddress, 2 * firstEntry) + 1
      : last;
  }
  return target;
}

/** Gives the jobs their new rows wherever the run refers to them; `keptCount` of `end` rows remain. */
function renumber(simulation: Simulation, keptCount: i32, end: i32): void {
  finishQueue.renumber(simulation);
  if (simulation.roomForCancellations !== 0) cancellations.renumber(simulation);
  if (simulation.hasPriorityQueue !== 0) priorityQueue.renumber(simulation);
  if (simulation.countsByNumber !== 0) usageByNumber.renumber(simulation);
  if (simulation.outages !== 0) renumberFailed(simulation);
  simulation.knownJobs = keptCount;
  if (simulation.limits !== 0) limits.renumber(simulation);
  simulation.head = newPositionOf(simulation.head, keptCount, end);
  compactLogs(simulation);
  simulation.next = newPositionOf(simulation.next, keptCount, end);
  simulation.seenJobs = newPositionOf(simulation.seenJobs, keptCount, end);
  simulation.jobsWithShares = newPositionOf(simulation.jobsWithShares, keptCount, end);
  simulation.newJob = 0;
  const arrivingJob = simulation.arrivingJob;
  if (arrivingJob >= 0) simulation.arrivingJob = at<i32>(columns.rows, arrivingJob);
  simulation.lastReservedJob = -1;
  // Keys that the host has given stay for a job that is not submitted yet.
  const keyedJob = simulation.keyedJob - 1;
  simulation.keyedJob = keyedJob < 0 ? 0 : at<i32>(columns.rows, keyedJob) + 1;
  if (simulation.keyedJob <= simulation.next) simulation.keyedJob = 0;
  if (simulation.hasPriorityQueue !== 0 && columns.taken(Option.Interval) > 0) {
    priorityQueue.queueAt(0).lastJob = keptCount - 1;
  }
  dropCaches(simulation);
  simulation.nextStartCount = 0;
}

/** Removes the jobs that have left from those that outages have ended. */
function renumberFailed(simulation: Simulation): void {
  let remainingCount = 0;
  for (let entry = 0; entry < simulation.failedLength; entry++) {
    const row = at<i32>(columns.rows, at<i32>(columns.failedJobs, entry));
    if (row >= 0) put<i32>(columns.failedJobs, remainingCount++, row);
  }
  simulation.failedLength = remainingCount;
}
