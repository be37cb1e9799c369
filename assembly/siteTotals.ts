import { Simulation } from './state';
import * as columns from './columns';
import * as exact from './exactSum';
import { lostIn } from './exactSum';
import { at, put } from './memory';
import { responseOf, weightOf } from './metricSums';

/** Sums over the jobs of a home, and over the jobs and stopped runs of a site, which are exact too. */

/** Zeroes the totals of sites and homes; sites were busy with stopped runs already. */
export function clearTotals(simulation: Simulation): void {
  for (let site = 0; site < simulation.siteCount; site++) {
    put<f64>(columns.siteBusy, site, 0);
    put<f64>(columns.siteRests, site, 0);
    put<f64>(columns.siteJobs, site, 0);
    put<f64>(columns.homeResponses, site, 0);
    put<f64>(columns.homeRests, site, 0);
    put<f64>(columns.homeJobs, site, 0);
    if (simulation.reclaim !== 0) beginWithLost(site);
  }
}

/** The exact processor-seconds of a site's stopped runs as a double and what that lacks. */
function beginWithLost(site: i32): void {
  const sum = lostOn(site);
  const lost = exact.rounded(sum);
  exact.add(sum, -lost);
  put<f64>(columns.siteBusy, site, lost);
  put<f64>(columns.siteRests, site, exact.rounded(sum));
  exact.add(sum, lost);
}

/** The exact sum of a site's stopped runs. */
@inline
function lostOn(site: i32): usize {
  return columns.lostOnSite + <usize>(site * exact.ENTRIES) * sizeof<u64>();
}

@inline
function addAt(sums: usize, rests: usize, index: i32, term: f64): void {
  const sum = at<f64>(sums, index);
  put<f64>(rests, index, at<f64>(rests, index) + lostIn(sum, term));
  put<f64>(sums, index, sum + term);
}

/** A job more that is at home on a site, with its response time. */
@inline
export function addResponse(home: i32, response: f64): void {
  addAt(columns.homeResponses, columns.homeRests, home, response);
  count(columns.homeJobs, home);
}

/** A job more that ran on a site, with its processor-seconds there. */
@inline
export function addBusy(site: i32, busy: f64): void {
  addAt(columns.siteBusy, columns.siteRests, site, busy);
  count(columns.siteJobs, site);
}

@inline
function count(column: usize, index: i32): void {
  put<f64>(column, index, at<f64>(column, index) + 1);
}

/** Adds a split job to the totals of its sites; returns whether any of them is not its home. */
export function addParts(job: i32, home: i32, execution: f64): bool {
  let away = false;
  let part = at<i32>(columns.partIndices, job);
  for (let rest = at<i32>(columns.processors, job); rest > 0; part++) {
    const site = at<i32>(columns.parts, 2 * part);
    const share = at<i32>(columns.parts, 2 * part + 1);
    addBusy(site, <f64>share * execution);
    away = away || site !== home;
    rest -= share;
  }
  return away;
}

/** Rounds the totals of homes and sites. */
export function settleSites(simulation: Simulation): void {
  for (let site = 0; site < simulation.siteCount; site++) {
    const response = at<f64>(columns.homeResponses, site);
    const ofHome = <i32>at<f64>(columns.homeJobs, site);
    const responses = exact.settled(response, at<f64>(columns.homeRests, site), response, ofHome);
    put<f64>(columns.homeResponses, site, isNaN(responses) ? exactResponse(simulation, site) : responses);
    const busy = at<f64>(columns.siteBusy, site);
    // Two terms more where runs were stopped.
    const terms = <i32>at<f64>(columns.siteJobs, site) + 2;
    const total = exact.settled(busy, at<f64>(columns.siteRests, site), busy, terms);
    put<f64>(columns.siteBusy, site, isNaN(total) ? exactBusy(simulation, site) : total);
  }
}

/** Response times of the jobs of a home, added up anew. */
function exactResponse(simulation: Simulation, home: i32): f64 {
  exact.reset(columns.exactSum);
  for (let job = 0; job < simulation.jobCount; job++) {
    if (at<i32>(columns.homes, job) === home) exact.add(columns.exactSum, responseOf(job));
  }
  return exact.rounded(columns.exactSum);
}

/** Processor-seconds of a site, added up anew. */
function exactBusy(simulation: Simulation, site: i32): f64 {
  exact.reset(columns.exactSum);
  if (simulation.reclaim !== 0) exact.join(columns.exactSum, lostOn(site));
  for (let job = 0; job < simulation.jobCount; job++) {
    if (simulation.partCapacity > 0 && at<i32>(columns.partIndices, job) >= 0) {
      addPartsOn(job, site);
    } else if (at<i32>(columns.sites, job) === site) {
      exact.add(columns.exactSum, weightOf(simulation, job));
    }
  }
  return exact.rounded(columns.exactSum);
}

function addPartsOn(job: i32, site: i32): void {
  let part = at<i32>(columns.partIndices, job);
  for (let rest = at<i32>(columns.processors, job); rest > 0; part++) {
    const share = at<i32>(columns.parts, 2 * part + 1);
    if (at<i32>(columns.parts, 2 * part) === site) {
      exact.add(columns.exactSum, <f64>share * at<f64>(columns.executions, job));
    }
    rest -= share;
  }
}

/** Processor-seconds of all stopped runs. */
export function lostOnAll(simulation: Simulation): f64 {
  if (simulation.reclaim === 0) return 0;
  exact.reset(columns.exactSum);
  for (let site = 0; site < simulation.siteCount; site++) exact.join(columns.exactSum, lostOn(site));
  return exact.rounded(columns.exactSum);
}
