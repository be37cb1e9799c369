import { Jobs, Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { speedOf } from '../grid/sites';
import { at, put } from '../memory/memory';

/** How long a run is expected to take, before it begins. */

/** Seconds of a job at speed 1. */
@inline
function workOf(job: i32): f64 {
  return at<f64>(columns.runtimes, job) * at<f64>(columns.loads, at<i32>(columns.homes, job));
}

/**
 * About how long the run takes: from the first submit to the last, and at least as long as all processors
 * together need for the work, and then the longest job.
 */
export function expectedSpan(simulation: Simulation, jobs: Jobs): f64 {
  let power: f64 = 0;
  let slowest: f64 = Infinity;
  for (let site = 0; site < simulation.siteCount; site++) {
    power += <f64>at<i32>(columns.capacities, site) * speedOf(site);
    slowest = min<f64>(slowest, speedOf(site));
  }
  let work: f64 = 0;
  let longest: f64 = 0;
  for (let job = 0; job < jobs.count; job++) {
    const seconds = workOf(job);
    work += seconds * <f64>at<i32>(columns.processors, job);
    longest = max<f64>(longest, seconds);
  }
  const submits = lastSubmit(simulation, jobs) - at<f64>(columns.loggedSubmits, 0);
  return max<f64>(submits, work / power) + longest / slowest;
}

/** When the last job is submitted at the soonest; notes that of each where submits will stand. */
function lastSubmit(simulation: Simulation, jobs: Jobs): f64 {
  if (simulation.hasDependencies === 0) return at<f64>(columns.loggedSubmits, jobs.count - 1);
  let fastest: f64 = 0;
  for (let site = 0; site < simulation.siteCount; site++) fastest = max<f64>(fastest, speedOf(site));
  let last: f64 = 0;
  for (let job = 0; job < jobs.count; job++) {
    const preceding = at<i32>(columns.precedingJobs, job);
    let soonest = at<f64>(columns.loggedSubmits, job);
    if (preceding >= 0) {
      const end = at<f64>(columns.submits, preceding) + workOf(preceding) / fastest;
      soonest = max<f64>(soonest, end + at<f64>(columns.thinkTimes, job));
    }
    put<f64>(columns.submits, job, soonest);
    last = max<f64>(last, soonest);
  }
  return last;
}
