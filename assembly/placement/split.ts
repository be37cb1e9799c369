import { MultiSite, Topology } from '../abi/abi';
import { Simulation } from '../memory/state';
import { IndexSearch, ScanSearch } from '../allocators/scan';
import { placeFollowingJobs } from '../allocators/lookAhead';
import * as columns from '../memory/columns';
import { executionTimeOnSites } from '../grid/execution';
import { Slot, freeProcessorsAt, freeProcessorsInSlot, siteOfSlot, speedOf } from '../grid/sites';
import { at, put } from '../memory/memory';
import { IS_RECORDING_BUILD, note, noteShares, Note } from '../record/log';
import { startJobOnSites } from './commit';

/**
 * Multi-site execution (Huang et al. 2007, section 6): a job that fits on no single site runs on several,
 * taking all free processors of one after another until it has enough. A split is written to `chosenSites`
 * and `chosenShares`; the functions that write it return the number of parts.
 */

/**
 * Splits a waiting job over the sites and starts it, if they have enough free processors together; returns
 * true if it started. If each site has a queue of its own, only the home site of the job is used.
 */
export function startSplitJob(simulation: Simulation, job: i32): bool {
  const processors = at<i32>(columns.processors, job);
  const home = at<i32>(columns.homes, job);
  const hasQueuePerSite = simulation.topology === Topology.Independent;
  if ((hasQueuePerSite ? <i64>freeProcessorsAt(home) : simulation.freeProcessors) < <i64>processors)
    return false;
  let partCount = 0;
  if (hasQueuePerSite) partCount = setChosenPart(0, home, processors);
  else if (simulation.usesIndex !== 0) partCount = chooseParts<IndexSearch>(simulation, job, processors);
  else partCount = chooseParts<ScanSearch>(simulation, job, processors);
  startJobOnSites(
    simulation,
    job,
    partCount,
    executionTimeOnSites(simulation, job, slowestSpeedOfParts(partCount)),
  );
  return true;
}

/** Splits a job by the rule of the options; `S` is the search for sites. */
function chooseParts<S>(simulation: Simulation, job: i32, processors: i32): i32 {
  switch (simulation.multiSite) {
    case MultiSite.LargerFirst:
      return divideByFreeProcessors<S>(simulation, processors);
    case MultiSite.FasterFirst:
      return divideBySpeed(simulation, processors);
    default:
      return choosePartsAdaptively<S>(simulation, job, processors);
  }
}

/**
 * Larger-first, unless faster-first lets more jobs start behind this one, or equally many with a faster
 * slowest site.
 */
function choosePartsAdaptively<S>(simulation: Simulation, job: i32, processors: i32): i32 {
  const fasterPartCount = divideBySpeed(simulation, processors);
  const slowestFasterSpeed = slowestSpeedOfParts(fasterPartCount);
  const jobCountBehindFaster = countJobsStartableBehind<S>(simulation, job, fasterPartCount);
  if (IS_RECORDING_BUILD) noteSplitChoice(MultiSite.FasterFirst, fasterPartCount, jobCountBehindFaster);
  const largerPartCount = divideByFreeProcessors<S>(simulation, processors);
  const jobCountBehindLarger = countJobsStartableBehind<S>(simulation, job, largerPartCount);
  if (IS_RECORDING_BUILD) noteSplitChoice(MultiSite.LargerFirst, largerPartCount, jobCountBehindLarger);
  const isFasterFirstBetter =
    jobCountBehindFaster === jobCountBehindLarger &&
    slowestFasterSpeed > slowestSpeedOfParts(largerPartCount);
  return isFasterFirstBetter || jobCountBehindFaster > jobCountBehindLarger
    ? divideBySpeed(simulation, processors)
    : largerPartCount;
}

/** Splits a job over the sites with the most free processors, ties by index. */
function divideByFreeProcessors<S>(simulation: Simulation, processors: i32): i32 {
  const search = changetype<S>(0);
  search.beginHypothesis(simulation);
  let partCount = 0;
  while (processors > 0) {
    const mostFreeProcessors = search.mostFree(simulation);
    const site = search.roomiest(simulation);
    search.takeHypotheticalProcessors(simulation, site, mostFreeProcessors);
    partCount = setChosenPart(partCount, site, min(mostFreeProcessors, processors));
    processors -= mostFreeProcessors;
  }
  search.endHypothesis(simulation);
  return partCount;
}

/** Splits a job over the fastest sites, ties by index. */
function divideBySpeed(simulation: Simulation, processors: i32): i32 {
  let partCount = 0;
  for (let index = 0; processors > 0; index++) {
    const slot = at<Slot>(columns.slots, index);
    const share = min(freeProcessorsInSlot(slot), processors);
    if (share === 0) continue;
    partCount = setChosenPart(partCount, siteOfSlot(slot), share);
    processors -= share;
  }
  return partCount;
}

/** Writes a part; returns the number of parts including it. */
@inline
function setChosenPart(part: i32, site: i32, processors: i32): i32 {
  put<i32>(columns.chosenSites, part, site);
  put<i32>(columns.chosenShares, part, processors);
  return part + 1;
}

/** Number of waiting jobs behind this one that could start on single sites after the written split. */
function countJobsStartableBehind<S>(simulation: Simulation, job: i32, partCount: i32): i32 {
  const search = changetype<S>(0);
  search.beginHypothesis(simulation);
  for (let part = 0; part < partCount; part++) {
    search.takeHypotheticalProcessors(
      simulation,
      at<i32>(columns.chosenSites, part),
      at<i32>(columns.chosenShares, part),
    );
  }
  const starts = placeFollowingJobs<i32, S>(simulation, job, 0);
  search.endHypothesis(simulation);
  return starts;
}

/** Records the split that has just been written, for explanations. */
function noteSplitChoice(rule: MultiSite, partCount: i32, startableJobCount: i32): void {
  note(Note.Split, <f64>rule, slowestSpeedOfParts(partCount), <f64>startableJobCount);
  noteShares(columns.chosenSites, columns.chosenShares, partCount);
}

function slowestSpeedOfParts(partCount: i32): f64 {
  let slowestSiteSpeed: f64 = Infinity;
  for (let part = 0; part < partCount; part++) {
    slowestSiteSpeed = min<f64>(slowestSiteSpeed, speedOf(at<i32>(columns.chosenSites, part)));
  }
  return slowestSiteSpeed;
}
