import { Simulation } from '../memory/state';
import { WITHHELD } from '../allocators/own';
import { chooseSite } from '../allocators/registry';
import { chooseTogether } from '../allocators/sharedPolicies';
import * as columns from '../memory/columns';
import { executionTime, coallocatedTime, timeAlone } from '../grid/execution';
import { at } from '../memory/memory';
import { RECORDED, beginDecision } from '../record/log';
import { startOn, startKept, startOnSeveral } from './commit';
import { startMolded } from './mold';
import { startReclaiming } from './reclaim';
import { startSplit } from './split';
import * as kind from '../memory/runKind';

/** How a job comes by its processors. */
export enum Placement {
  /** On one site with all of them, the allocator's. */
  Rigid = 0,
  /** Likewise, but where no site has them on several. */
  Split = 1,
  /** Likewise, but where no site has them at home, by stopping jobs from elsewhere. */
  Reclaim = 2,
  /** On one site with as many as are free there, where that is better than to wait. */
  Mold = 3,
}

/** The placement that the options ask for, which exclude each other. */
export function placementOf(simulation: Simulation): Placement {
  if (simulation.moldable !== 0) return Placement.Mold;
  if (simulation.multiSite !== 0) return Placement.Split;
  return simulation.reclaim !== 0 ? Placement.Reclaim : Placement.Rigid;
}

/**
 * Starts a waiting job if it can start now; returns whether it did. The job is still in its queue while
 * it is decided where it goes; the caller removes it. Where the host is asked first it has not started, and
 * `asked` is the job: the caller leaves the pass as it stands (disciplines/discipline.ts).
 */
@inline
export function startJob<R>(simulation: Simulation, job: i32): bool {
  if (RECORDED) beginDecision(simulation, job);
  const isRigid = kind.isRigid<R>(simulation);
  if (!isRigid && simulation.placement === Placement.Mold) return startMolded(simulation, job);
  const isShared = kind.isShared<R>();
  const site = isShared ? chooseTogether(simulation, job) : chooseSite<R>(simulation, job);
  if (site < 0) return !isRigid && site !== WITHHELD && startOtherwise(simulation, job);
  const execution = executionTime(simulation, job, site);
  startOn<R>(simulation, job, site, at<i32>(columns.processors, job), execution);
  return true;
}

/** The same where it is too rare to be inlined. */
export function startAny<R>(simulation: Simulation, job: i32): bool {
  return startJob<R>(simulation, job);
}

/** Whether a pass has stopped where the host is asked. */
@inline
export function hasStopped<R>(simulation: Simulation): bool {
  return kind.hasDecisions<R>() && simulation.asked >= 0;
}

/** Starts a job that fits on no site. */
function startOtherwise(simulation: Simulation, job: i32): bool {
  if (simulation.placement === Placement.Split) return startSplit(simulation, job);
  return startReclaiming(simulation, job);
}

/**
 * A job starts now as planned: on the sites of `chosenSites` with their shares, all its processors until its
 * end (Zhang et al. 2006). `predictedRuntime` is what it is predicted to take there.
 */
export function startPlanned(simulation: Simulation, job: i32, count: i32, predictedRuntime: f64): void {
  if (count === 1) {
    startAlone(simulation, job, at<i32>(columns.chosenSites, 0), predictedRuntime);
    return;
  }
  const execution = coallocatedTime(simulation, job, columns.chosenSites, count);
  startOnSeveral(simulation, job, count, execution, predictedRuntime);
}

/** The same on one site. */
@inline
export function startAlone(simulation: Simulation, job: i32, site: i32, predictedRuntime: f64): void {
  const execution = timeAlone(simulation, job, site);
  startKept(simulation, job, site, at<i32>(columns.processors, job), execution, predictedRuntime);
}
