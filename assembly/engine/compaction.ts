import { Option, Status } from '../abi/abi';
import { Extra } from '../abi/abiColumns';
import { Jobs, Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import * as cancellations from '../events/cancellations';
import * as finishQueue from '../events/finishQueue';
import { finishEntryAt, jobOfKey } from '../events/finishQueue';
import { at, put } from '../memory/memory';
import { compactColumn, newPositionOf } from '../memory/rowMoves';
import * as limits from '../placement/limits';
import * as priorityQueue from '../queue/priorityQueue';
import * as usageByNumber from '../queue/usageByNumber';
import { IS_RECORDING_BUILD } from '../record/log';
import * as metrics from '../sums/metrics';
import { mayPreemptJobs } from '../sums/sums';
import { dropCaches } from './fork';
import { removeJobRows } from './jobs';

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
  const isAwaitingKeys = simulation.keyedJob > 0 && simulation.keysGiven === 0;
  if (simulation.decisionJob >= 0 || isAwaitingKeys) return Status.DecisionPending;
  markKeptAndRemovedRows(simulation);
  const end = simulation.knownJobs;
  let keptRowCount = 0;
  let from = end;
  for (let job = 0; job < end; job++) {
    const isRowKept = at<i32>(columns.rows, job) === ROW_STAYS;
    if (!isRowKept) from = min(from, job);
    put<i32>(columns.rows, job, isRowKept ? keptRowCount++ : ROW_LEAVES);
  }
  if (keptRowCount === end) return Status.Finished;
  metrics.accountForRemovedJobs(simulation);
  simulation.removedRows += <f64>(end - keptRowCount);
  removeJobRows(jobs, from, keptRowCount);
  moveColumns(simulation, from, keptRowCount, end);
  renumberJobs(simulation, keptRowCount, end);
  simulation.jobsIdentity = jobs.identity;
  return Status.Finished;
}

/** First option of the run that needs the rows of all jobs, also of those that have ended; -1 if none. */
function optionNeedingAllRows(simulation: Simulation): i32 {
  if (simulation.recentJobs > 0) return Option.RecentJobs;
  if (simulation.choosesPolicies !== 0) return Option.Policy;
  if (IS_RECORDING_BUILD) return Option.Open;
  // Jobs that a fork has taken over have no entries in its columns.
  const areLogsInJobOrder = simulation.accountedJobs === 0 && simulation.preempts === 0;
  if (simulation.logCapacity > 0 && !areLogsInJobOrder) return Option.ProcessorSets;
  if (simulation.partCapacity === 0 || areLogsInJobOrder) return -1;
  return simulation.multiSite !== 0 ? Option.MultiSite : Option.MultiSiteFactor;
}

/** Marks the rows that stay and those that are removed. */
function markKeptAndRemovedRows(simulation: Simulation): void {
  const end = simulation.knownJobs;
  // A step of the capacities that the end of a job caused is stored in that job's entry of the step column.
  let steps = simulation.outages !== 0 ? simulation.stepsLength - simulation.changedCapacities : 0;
  markEndedJobsForRemoval(simulation);
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
function markEndedJobsForRemoval(simulation: Simulation): void {
  const end = simulation.knownJobs;
  for (let job = 0; job < end; job++) {
    const isWaiting = job >= simulation.next || isNaN(at<f64>(columns.starts, job));
    put<i32>(columns.rows, job, isWaiting || job === 0 || job === end - 1 ? ROW_STAYS : ROW_LEAVES);
  }
  for (let finishEntry = simulation.runningJobs; finishEntry > 0; finishEntry--) {
    put<i32>(columns.rows, jobOfKey(at<u64>(finishEntryAt(finishEntry), 1)), ROW_STAYS);
  }
  if (simulation.countsByNumber !== 0) usageByNumber.markUsageUnsettled(simulation);
}

/** Moves the entries of the jobs in all columns by job. */
function moveColumns(simulation: Simulation, from: i32, keptRowCount: i32, end: i32): void {
  compactColumn<u64>(columns.starts, from, keptRowCount, end);
  compactColumn<u64>(columns.executions, from, keptRowCount, end);
  compactColumn<i32>(columns.sites, from, keptRowCount, end);
  if (simulation.moldable !== 0)
    compactColumn<i32>(columns.allocatedProcessorColumn, from, keptRowCount, end);
  if (simulation.logCapacity > 0) compactColumn<i32>(columns.logIndices, from, keptRowCount, end);
  if (simulation.partCapacity > 0) compactColumn<i32>(columns.partIndices, from, keptRowCount, end);
  if (mayPreemptJobs(simulation)) compactColumn<u64>(columns.lostTimes, from, keptRowCount, end);
  if (simulation.roomForKept !== 0) {
    compactColumn<u64>(columns.keptStarts, from, keptRowCount, end);
    compactColumn<i32>(columns.keptSites, from, keptRowCount, end);
    compactColumn<u64>(columns.promisedStarts, from, keptRowCount, end);
  }
  if (simulation.roomForPlan !== 0) {
    // Choices of skipped jobs are used by later plans, too, so they move with the rows.
    compactColumn<u64>(columns.plannedStarts, from, keptRowCount, end);
    compactColumn<i32>(columns.plannedSites, from, keptRowCount, end);
  }
  if (simulation.roomForCancellations !== 0)
    compactColumn<i32>(columns.cancellationHeapPlaces, from, keptRowCount, end);
  if (simulation.roomForCancellations > 1)
    compactColumn<u64>(columns.cancellationTimes, from, keptRowCount, end);
  const hasKeys = (simulation.asksKeys | simulation.roomForKeys | (simulation.programOrders & 1)) !== 0;
  if (hasKeys) compactColumn<u64>(columns.keys, from, keptRowCount, end);
  const hasBackfillKeys =
    simulation.asksKeys | simulation.roomForBackfillKeys | (simulation.programOrders & 2);
  if (hasBackfillKeys !== 0) compactColumn<u64>(columns.backfillKeys, from, keptRowCount, end);
  if (simulation.hasLateRanks !== 0) compactColumn<u64>(columns.lateKeys, from, keptRowCount, end);
  for (let input = 0; input < simulation.roomForProgramInputs; input++) {
    const valuesAddress = columns.programInputs + <usize>input * <usize>simulation.jobCount * sizeof<f64>();
    compactColumn<u64>(valuesAddress, from, keptRowCount, end);
  }
  if (columns.hasOwnEstimates(simulation)) compactColumn<u64>(columns.estimates, from, keptRowCount, end);
  if (simulation.roomForUsers !== 0) compactColumn<i32>(columns.userOf, from, keptRowCount, end);
  if (simulation.roomForGroups !== 0) compactColumn<i32>(columns.groupOf, from, keptRowCount, end);
  if (simulation.limits === 0) return;
  compactColumn<i32>(columns.limitedUsers, from, keptRowCount, end);
  compactColumn<i32>(columns.limitedGroups, from, keptRowCount, end);
  compactColumn<i32>(columns.pieceOf, from, keptRowCount, end);
  compactColumn<i32>(columns.runningPieces, from, keptRowCount, end);
  compactColumn<i32>(columns.nextHeld, from, keptRowCount, end);
  // Two links for each job.
  compactColumn<u64>(columns.nextOfAccount, from, keptRowCount, end);
  compactColumn<u64>(columns.previousOfAccount, from, keptRowCount, end);
}

/**
 * Removes the entries of jobs that have left from the logs of processors and of parts. Jobs are examined in
 * the order of their starts, in which the entries are too, so that no entry is overwritten before it moves.
 */
function compactLogs(simulation: Simulation): void {
  if ((simulation.logCapacity | simulation.partCapacity) === 0) return;
  const areCountedJobsListed = simulation.hasPriorityQueue !== 0;
  const countedJobCount = areCountedJobsListed ? simulation.countedJobCount : simulation.head;
  simulation.logLength = 0;
  simulation.partsLength = 0;
  for (let index = 0; index < countedJobCount; index++) {
    const job = areCountedJobsListed ? at<i32>(columns.countedJobs, index) : index;
    // A job that was cancelled while it waited has no entry that could be moved.
    if (at<i32>(columns.sites, job) < 0) continue;
    if (simulation.logCapacity > 0) {
      const firstLogIndex = at<i32>(columns.logIndices, job);
      put<i32>(columns.logIndices, job, simulation.logLength);
      const end = moveLogEntries<LogRanges>(
        columns.log,
        firstLogIndex,
        simulation.logLength,
        processorsOfJob(simulation, job),
      );
      simulation.logLength = end;
    }
    if (simulation.partCapacity === 0 || at<i32>(columns.partIndices, job) < 0) continue;
    const firstPartIndex = at<i32>(columns.partIndices, job);
    put<i32>(columns.partIndices, job, simulation.partsLength);
    const end = moveLogEntries<LogParts>(
      columns.parts,
      firstPartIndex,
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
function moveLogEntries<E>(logAddress: usize, firstEntryIndex: i32, target: i32, processors: i32): i32 {
  for (let remainingProcessors = processors; remainingProcessors > 0; firstEntryIndex++) {
    put<u64>(logAddress, target++, at<u64>(logAddress, firstEntryIndex));
    const lastProcessor = at<i32>(logAddress, 2 * firstEntryIndex + 1);
    remainingProcessors -= isDefined(changetype<E>(0).areRanges)
      ? lastProcessor - at<i32>(logAddress, 2 * firstEntryIndex) + 1
      : lastProcessor;
  }
  return target;
}

/** Gives the jobs their new rows wherever the run refers to them; `keptRowCount` of `end` rows remain. */
function renumberJobs(simulation: Simulation, keptRowCount: i32, end: i32): void {
  finishQueue.renumberRunningJobs(simulation);
  if (simulation.roomForCancellations !== 0) cancellations.renumberJobsInHeap(simulation);
  if (simulation.hasPriorityQueue !== 0) priorityQueue.renumberQueuedJobs(simulation);
  if (simulation.countsByNumber !== 0) usageByNumber.renumberOwnedJobs(simulation);
  if (simulation.outages !== 0) renumberFailedJobs(simulation);
  simulation.knownJobs = keptRowCount;
  if (simulation.limits !== 0) limits.renumberHeldJobs(simulation);
  simulation.head = newPositionOf(simulation.head, keptRowCount, end);
  compactLogs(simulation);
  simulation.next = newPositionOf(simulation.next, keptRowCount, end);
  simulation.seenJobs = newPositionOf(simulation.seenJobs, keptRowCount, end);
  simulation.jobsWithShares = newPositionOf(simulation.jobsWithShares, keptRowCount, end);
  simulation.newJob = 0;
  const arrivingJob = simulation.arrivingJob;
  if (arrivingJob >= 0) simulation.arrivingJob = at<i32>(columns.rows, arrivingJob);
  simulation.lastReservedJob = -1;
  // Keys that the host has given stay for a job that is not submitted yet.
  const keyedJob = simulation.keyedJob - 1;
  simulation.keyedJob = keyedJob < 0 ? 0 : at<i32>(columns.rows, keyedJob) + 1;
  if (simulation.keyedJob <= simulation.next) simulation.keyedJob = 0;
  if (simulation.hasPriorityQueue !== 0 && columns.optionOfRun(Option.Interval) > 0) {
    priorityQueue.queueAt(0).lastJob = keptRowCount - 1;
  }
  dropCaches(simulation);
  simulation.nextStartCount = 0;
}

/** Removes the jobs that have left from those that outages have ended. */
function renumberFailedJobs(simulation: Simulation): void {
  let remainingFailedCount = 0;
  for (let entry = 0; entry < simulation.failedLength; entry++) {
    const row = at<i32>(columns.rows, at<i32>(columns.failedJobs, entry));
    if (row >= 0) put<i32>(columns.failedJobs, remainingFailedCount++, row);
  }
  simulation.failedLength = remainingFailedCount;
}
