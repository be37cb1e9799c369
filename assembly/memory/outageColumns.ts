/** Columns of outages (events/capacityChanges.ts); see columns.ts. */
import { Column } from '../abi/abiColumns';
import { column, namedColumn } from './columnWalk';
import { Simulation } from './state';

/** Outages as the host writes them: five doubles each. */
export let outages: usize = 0;
/** Begins and ends of outages in order of time: 2 * outage, plus 1 for an end. */
export let capacityChanges: usize = 0;
/** Position of the begin of each outage in that order. */
export let outageBegins: usize = 0;
/** Processors that each site has once all outages with an end are over. */
export let lastingCapacities: usize = 0;
/**
 * By site, the processors that its current outages need, and those of them that are out of service; jobs
 * still run on the others.
 */
export let wantedProcessors: usize = 0;
export let goneProcessors: usize = 0;
/**
 * Processors by site that a plan gains between now and its end: those of outages that have begun and will
 * end, less those of planned outages that have not begun and will never end.
 */
export let returningProcessors: usize = 0;
/** Set of processors that outages have taken, in the layout of `freeBits`. */
export let goneBits: usize = 0;
/**
 * First processor of each outage on its site, and the set of processors that outages want now; with plans by
 * nodes.
 */
export let outageProcessors: usize = 0;
export let wantedBits: usize = 0;
export let stepTimes: usize = 0;
export let stepProcessors: usize = 0;
/** First pair of the processors of each step in the log. */
export let stepLogIndices: usize = 0;
/** Jobs that outages have ended, in order of time. */
export let failedJobs: usize = 0;
export let siteOutages: usize = 0;
/** Jobs that the current capacity change has preempted. */
export let preemptedJobs: usize = 0;

/** Places the column that the host writes. */
export function placeHostOutages(simulation: Simulation): void {
  if (simulation.roomForOutages === 0) return;
  outages = namedColumn<f64>(Column.Outage, 5 * <i64>simulation.roomForOutages);
  outageProcessors = namedColumn<i32>(Column.OutageProcessor, simulation.roomForOutages);
}

/** Places the state of sites on which decisions depend. */
export function placeUnavailableProcessors(simulation: Simulation): void {
  if (simulation.roomForOutages === 0) return;
  const siteCount = simulation.siteCount;
  wantedProcessors = column<i32>(siteCount);
  goneProcessors = column<i32>(siteCount);
  returningProcessors = column<i32>(siteCount);
  const words = <i64>(simulation.totalProcessors >> 6) + siteCount;
  if (simulation.roomForRuns > 0) goneBits = column<u64>(words);
  if (simulation.roomForNodePlan > 0) wantedBits = column<u64>(words);
}

/**
 * Places the logs of capacity steps, at most one per begin, end of an outage, and end of a job, and of jobs
 * that outages end.
 */
export function placeCapacitySteps(simulation: Simulation): void {
  if (simulation.roomForOutages === 0) return;
  const steps = 2 * <i64>simulation.roomForOutages + simulation.jobCount;
  stepTimes = namedColumn<f64>(Column.StepTime, steps);
  stepProcessors = namedColumn<u64>(Column.StepProcessors, steps);
  if (simulation.roomForRuns > 0) stepLogIndices = namedColumn<i32>(Column.StepLogIndex, steps);
  failedJobs = namedColumn<i32>(Column.FailedJob, simulation.jobCount);
}

/** Places columns that `begin` derives. */
export function placeCapacityChanges(simulation: Simulation, capacities: usize): void {
  lastingCapacities = capacities;
  if (simulation.roomForOutages === 0) return;
  capacityChanges = column<i32>(2 * <i64>simulation.roomForOutages);
  outageBegins = column<i32>(simulation.roomForOutages);
  lastingCapacities = column<i32>(simulation.siteCount);
}

/** Places temporary memory and results. */
export function placeOutageResults(simulation: Simulation, maxRunningJobCount: i64): void {
  if (simulation.roomForOutages === 0) return;
  siteOutages = namedColumn<f64>(Column.SiteOutage, simulation.siteCount);
  preemptedJobs = column<i32>(maxRunningJobCount);
}
