/** The columns of what has happened; columns.ts says how. */
import { Column, Metric } from '../abi/abiColumns';
import { shown } from './columnWalk';
import { Simulation } from './state';
import { at, put } from './memory';

export let metrics: usize = 0;
export let siteBusy: usize = 0;
export let homeResponses: usize = 0;
export let starts: usize = 0;
export let executions: usize = 0;
export let sites: usize = 0;
export let logIndices: usize = 0;
export let countedJobs: usize = 0;
export let allocated: usize = 0;
export let partIndices: usize = 0;

/** What has happened, by job, and the metrics. */
export function placeResults(simulation: Simulation): void {
  const jobs = simulation.jobCount;
  const ofSites = simulation.siteCount;
  metrics = shown<f64>(Column.Metric, Metric.COUNT);
  siteBusy = shown<f64>(Column.SiteBusy, ofSites);
  homeResponses = shown<f64>(Column.HomeResponse, ofSites);
  starts = shown<f64>(Column.Start, jobs);
  executions = shown<f64>(Column.Execution, jobs);
  sites = shown<i32>(Column.Site, jobs);
  if (simulation.roomForRuns > 0) logIndices = shown<i32>(Column.LogIndex, jobs);
  if (simulation.roomForRanks !== 0) countedJobs = shown<i32>(Column.Counted, jobs);
  if (simulation.roomForMolds !== 0) allocated = shown<i32>(Column.Held, jobs);
  if (simulation.roomForParts > 0) partIndices = shown<i32>(Column.PartIndex, jobs);
}

/** Metrics at an address are not known until the run is measured, of which the number of jobs tells. */
export function forgetMetrics(metrics: usize): void {
  if (isNaN(at<f64>(metrics, Metric.Jobs))) return;
  for (let metric = 0; metric < Metric.COUNT; metric++) put<f64>(metrics, metric, NaN);
}

/** Jobs that start have their starts, executions and sites written elsewhere from now on. */
export function writeStartsTo(ownStarts: usize, ownExecutions: usize, ownSites: usize): void {
  starts = ownStarts;
  executions = ownExecutions;
  sites = ownSites;
}
