import { Simulation } from '../state';
import * as columns from '../columns';
import { at, put } from '../memory';

/**
 * Running jobs away from home, where they may be stopped: per site a list in the order of their starts, equal
 * starts by job index, so that the last is the first to be stopped (Huang et al. 2007, section 5). A link
 * holds a job index plus one; 0 ends the list.
 */

/** A job that starts now on a site joins those of the site, unless it is at home there. */
@inline
export function arrive(simulation: Simulation, job: i32, site: i32): void {
  if (at<i32>(columns.homes, job) !== site) enlist(simulation, job, site);
}

function enlist(simulation: Simulation, job: i32, site: i32): void {
  // Only those started in this very instant can stand behind it.
  let after = 0;
  let before = at<i32>(columns.lastRemoteJob, site);
  while (before !== 0 && before - 1 > job && at<f64>(columns.starts, before - 1) === simulation.now) {
    after = before;
    before = at<i32>(columns.previousRemoteJob, before - 1);
  }
  link(site, before, job + 1);
  link(site, job + 1, after);
  const processors = at<i32>(columns.remoteProcessors, site) + at<i32>(columns.processors, job);
  put<i32>(columns.remoteProcessors, site, processors);
}

/** Makes two links of a site's list neighbours. */
@inline
function link(site: i32, before: i32, after: i32): void {
  if (before !== 0) put<i32>(columns.nextRemoteJob, before - 1, after);
  if (after !== 0) put<i32>(columns.previousRemoteJob, after - 1, before);
  else put<i32>(columns.lastRemoteJob, site, before);
}

/** A job that ends on a site, or is stopped there, leaves them. */
@inline
export function leave(simulation: Simulation, job: i32, site: i32): void {
  if (at<i32>(columns.homes, job) === site) return;
  link(site, at<i32>(columns.previousRemoteJob, job), at<i32>(columns.nextRemoteJob, job));
  const processors = at<i32>(columns.remoteProcessors, site) - at<i32>(columns.processors, job);
  put<i32>(columns.remoteProcessors, site, processors);
}

/** Processors that the remote jobs of a site occupy. */
@inline
export function processorsOn(site: i32): i32 {
  return at<i32>(columns.remoteProcessors, site);
}

/** The remote job of a site that would be stopped first, or -1. */
@inline
export function latest(site: i32): i32 {
  return at<i32>(columns.lastRemoteJob, site) - 1;
}
