import { Simulation } from '../memory/state';
import { WITHHELD_ANSWER } from '../allocators/own';
import { chooseSite } from '../allocators/registry';
import { chooseSiteForAllMembers } from '../allocators/sharedPolicies';
import * as columns from '../memory/columns';
import { executionTime, executionTimeOnSeveralSites, executionTimeOnSite } from '../grid/execution';
import { at } from '../memory/memory';
import { IS_RECORDING_BUILD, beginDecision } from '../record/log';
import { startJobOnSite, startJobWithReservation, startJobOnSites } from './commit';
import { startMoldedJob } from './mold';
import { startJobByReclaiming } from './reclaim';
import { startSplitJob } from './split';
import * as kind from '../memory/runKind';

/** Ways in which jobs obtain processors. */
export enum PlacementKind {
  /** All on one site, chosen by the allocator. */
  Rigid = 0,
  /** Like Rigid; if no site suffices, on several sites. */
  Split = 1,
  /** Like Rigid; if no site suffices, at home by preempting remote jobs. */
  Reclaim = 2,
  /** Like Rigid; if no site suffices, on the free processors of one site if that is better than waiting. */
  Mold = 3,
}

/** Placement required by the options, which exclude each other. */
export function placementKindOf(simulation: Simulation): PlacementKind {
  if (simulation.moldable !== 0) return PlacementKind.Mold;
  if (simulation.multiSite !== 0) return PlacementKind.Split;
  return simulation.reclaim !== 0 ? PlacementKind.Reclaim : PlacementKind.Rigid;
}

/**
 * Starts a waiting job if it can start now; returns true if it did. The job is still in its queue, and the
 * caller removes it. If the host must decide, the job has not started and `decisionJob` is the job: the
 * caller leaves the pass unfinished (disciplines/discipline.ts).
 */
@inline
export function startJob<R>(simulation: Simulation, job: i32): bool {
  if (IS_RECORDING_BUILD) beginDecision(simulation, job);
  const hasRigidJobs = kind.hasRigidJobs<R>(simulation);
  if (!hasRigidJobs && simulation.placement === PlacementKind.Mold) return startMoldedJob(simulation, job);
  const isShared = kind.isShared<R>();
  const site = isShared ? chooseSiteForAllMembers(simulation, job) : chooseSite<R>(simulation, job);
  if (site < 0) return !hasRigidJobs && site !== WITHHELD_ANSWER && startJobByPlacementKind(simulation, job);
  const execution = executionTime(simulation, job, site);
  startJobOnSite<R>(simulation, job, site, at<i32>(columns.processors, job), execution);
  return true;
}

/** Like `startJob`, not inlined. Kinds of runs that test all conditions at run time share one function. */
@inline
export function startJobWithoutInlining<R>(simulation: Simulation, job: i32): bool {
  if (kind.isPlain<R>() || kind.isTrialKind<R>()) return startJobOfKind<R>(simulation, job);
  return startJobOfKind<kind.GeneralRunKind>(simulation, job);
}

function startJobOfKind<R>(simulation: Simulation, job: i32): bool {
  return startJob<R>(simulation, job);
}

/** True if a simulation has paused in a pass until the host has decided. */
@inline
export function isDecisionPending<R>(simulation: Simulation): bool {
  return kind.recordsDecisions<R>() && simulation.decisionJob >= 0;
}

/** Starts a job that fits on no single site, by splitting, preemption or scaling down. */
function startJobByPlacementKind(simulation: Simulation, job: i32): bool {
  if (simulation.placement === PlacementKind.Split) return startSplitJob(simulation, job);
  return startJobByReclaiming(simulation, job);
}

/**
 * Starts a planned job now: on the sites of `chosenSites` with their shares, all processors until its end
 * (Zhang et al. 2006). `predictedRuntime` is its predicted execution time in seconds.
 */
export function startPlannedJob(
  simulation: Simulation,
  job: i32,
  siteCount: i32,
  predictedRuntime: f64,
): void {
  if (siteCount === 1) {
    startPlannedJobOnOneSite(simulation, job, at<i32>(columns.chosenSites, 0), predictedRuntime);
    return;
  }
  const execution = executionTimeOnSeveralSites(simulation, job, columns.chosenSites, siteCount);
  startJobOnSites(simulation, job, siteCount, execution, predictedRuntime);
}

/** Starts a planned job on a single site. */
@inline
export function startPlannedJobOnOneSite(
  simulation: Simulation,
  job: i32,
  site: i32,
  predictedRuntime: f64,
): void {
  const execution = executionTimeOnSite(simulation, job, site);
  startJobWithReservation(
    simulation,
    job,
    site,
    at<i32>(columns.processors, job),
    execution,
    predictedRuntime,
  );
}
