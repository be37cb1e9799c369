import { Order, Option, Status } from '../abi/abi';
import { Jobs, Simulation, Stage, simulationAt } from '../memory/state';
import * as columns from '../memory/columns';
import * as passTimes from '../disciplines/passTimes';
import { at, moveEntries } from '../memory/memory';
import { changesWithTime } from '../memory/runKind';
import * as limits from '../placement/limits';
import * as ranking from '../queue/ranking';
import * as usage from '../queue/usage';
import { checkJobs, noteNewJobs } from './begin';
import { hashJobs } from './jobs';
import { checkBlocks } from './layout';

/**
 * Jobs that are appended to the table of a run that has begun. Every call on an open run first takes over
 * the new jobs, so all that follows sees a table like any other, of which some jobs are not submitted yet.
 */

/** Like `checkBlocks`, for a simulation that has begun with this table; open runs get its new jobs. */
export function checkSimulationBegun(blockAddress: usize, tableAddress: usize): Status {
  const status = checkBlocks(blockAddress, tableAddress);
  if (status !== Status.Finished) return status;
  const simulation = simulationAt(blockAddress);
  if (simulation.stage !== Stage.Begun) return Status.NotBegun;
  const jobs = changetype<Jobs>(tableAddress);
  if (simulation.jobsIdentity === jobs.identity && simulation.knownJobs === jobs.count)
    return Status.Finished;
  if (simulation.awaitsJobs === 0 || jobs.count < simulation.knownJobs) return Status.JobsDiffer;
  columns.attachSimulationAndJobs(simulation, jobs);
  const jobsHash = hashJobs(jobs, simulation.jobsIdentity, simulation.knownJobs, jobs.count);
  return jobsHash === jobs.identity ? takeNewJobs(simulation, jobs) : Status.JobsDiffer;
}

/** Checks the jobs that the run does not know yet, and takes them over; a refusal changes nothing. */
function takeNewJobs(simulation: Simulation, jobs: Jobs): Status {
  const from = simulation.knownJobs;
  const end = jobs.count;
  simulation.refusedJob = -1;
  if (at<f64>(columns.submits, from) < simulation.handledUntil) {
    simulation.refusedJob = from;
    return Status.JobLate;
  }
  let status = checkJobs(simulation, jobs);
  if (status === Status.Finished) status = copyJobColumns(simulation, from, end);
  if (status !== Status.Finished) return status;
  simulation.knownJobs = end;
  simulation.jobsIdentity = jobs.identity;
  if (simulation.limits !== 0) limits.updateWidestJobs(simulation, from, end);
  passTimes.updateFirstAndLastJobsOfQueues(simulation, from, end);
  noteNewJobs(simulation, jobs, from, end);
  return Status.Finished;
}

/** Copies the host's columns of the jobs [from, end), as `begin` does, and checks them. */
function copyJobColumns(simulation: Simulation, from: i32, end: i32): Status {
  const bytesToHostColumns = columns.hostCapacities - columns.capacities;
  const order: Order = <i32>columns.optionOfRun(Option.Order);
  if (simulation.asksKeys === 0 && simulation.roomForKeys !== 0 && !changesWithTime(order)) {
    moveEntries<f64>(columns.keys, from, columns.keys + bytesToHostColumns, from, end - from);
  }
  if (simulation.asksKeys === 0 && simulation.roomForBackfillKeys !== 0) {
    const hasExpressionOrder = (simulation.programOrders & 2) !== 0;
    if (!hasExpressionOrder)
      moveEntries<f64>(
        columns.backfillKeys,
        from,
        columns.backfillKeys + bytesToHostColumns,
        from,
        end - from,
      );
  }
  for (let input = 0; input < simulation.roomForProgramInputs; input++) {
    const valuesAddress = columns.programInputs + <usize>input * <usize>simulation.jobCount * sizeof<f64>();
    moveEntries<f64>(valuesAddress, from, valuesAddress + bytesToHostColumns, from, end - from);
  }
  if (simulation.roomForUsers !== 0)
    moveEntries<i32>(columns.userOf, from, columns.userOf + bytesToHostColumns, from, end - from);
  if (simulation.roomForGroups !== 0)
    moveEntries<i32>(columns.groupOf, from, columns.groupOf + bytesToHostColumns, from, end - from);
  if (simulation.roomForLimits !== 0) {
    moveEntries<i32>(columns.limitedUsers, from, columns.limitedUsers + bytesToHostColumns, from, end - from);
    moveEntries<i32>(
      columns.limitedGroups,
      from,
      columns.limitedGroups + bytesToHostColumns,
      from,
      end - from,
    );
    moveEntries<i32>(columns.pieceOf, from, columns.pieceOf + bytesToHostColumns, from, end - from);
  }
  if (columns.hasOwnEstimates(simulation))
    moveEntries<f64>(columns.estimates, from, columns.requests, from, end - from);
  simulation.refusedJob = ranking.firstJobWithoutKey(simulation, from, end);
  if (simulation.refusedJob >= 0) return Status.JobKeyInvalid;
  simulation.refusedOption = usage.refusedOptionAmong(simulation, from, end);
  if (simulation.refusedOption < 0 && !limits.areAccountsOfJobsValid(simulation, from, end)) {
    simulation.refusedOption = Option.Limits;
  }
  return simulation.refusedOption < 0 ? Status.Finished : Status.OptionInvalid;
}

/**
 * Records up to which time events have been handled: up to `until` if the run has paused there, otherwise up
 * to its last event.
 */
export function noteHandledUntil(simulation: Simulation, until: f64, outcome: Status): void {
  const hasHandledAllEvents = outcome === Status.Paused && until < Infinity;
  simulation.handledUntil = max<f64>(simulation.handledUntil, hasHandledAllEvents ? until : simulation.now);
}
