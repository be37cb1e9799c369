import { Selection, Topology } from '../abi/abi';
import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import {
  Slot,
  slotRequestOf,
  candidateAt,
  candidateIndexOf,
  candidateCountOf,
  firstCandidateOffsetOf,
  freeProcessorsAt,
} from '../grid/sites';
import { at, put } from '../memory/memory';
import { IS_RECORDING_BUILD, note, beginDecision, Note } from '../record/log';
import { mayHostLetJobsWait } from '../allocators/own';
import { chooseSiteByScan } from '../allocators/registry';
import { IS_CHECKED_BUILD, Invariant, check } from '../memory/check';
import { predictedTimeWithoutTransfer } from '../grid/execution';
import * as candidates from '../planning/candidates';

/**
 * Backfilling on several sites with an allocator. A site with room is safe for a job if its start there now
 * delays no reservation; the allocator chooses among the safe sites. The allocator's other inputs, free
 * processors and waiting jobs, are unchanged.
 */

/**
 * True if an allocator has safe sites to choose among; with one site per job there is no choice.
 */
@inline
export function hasSafeChoice(simulation: Simulation): bool {
  if (simulation.selection !== Selection.Allocator) return false;
  const hasSingleSiteChoice = simulation.siteCount === 1 || simulation.topology === Topology.Independent;
  return !hasSingleSiteChoice || mayHostLetJobsWait(simulation);
}

/** Marks all candidates of a job as safe. */
export function markAllCandidatesSafe(simulation: Simulation, job: i32): void {
  const firstCandidateOffset = firstCandidateOffsetOf(simulation, job);
  for (let index = candidateCountOf(simulation, job) - 1; index >= 0; index--) {
    put<Slot>(
      columns.safeSlots + firstCandidateOffset,
      index,
      at<Slot>(columns.slots + firstCandidateOffset, index),
    );
  }
}

/** Marks a site as unsafe for a job. */
export function markSiteUnsafe(simulation: Simulation, job: i32, site: i32): void {
  if (IS_RECORDING_BUILD) note(Note.Unsafe, <f64>site);
  const index = candidateIndexOf(simulation, job, site);
  if (index < 0 || index >= candidateCountOf(simulation, job)) return;
  put<Slot>(columns.safeSlots + firstCandidateOffsetOf(simulation, job), index, slotRequestOf(0) | <u64>site);
}

/**
 * Site that the allocator chooses among the safe sites; -1 if the job fits on none, `WITHHELD_ANSWER` if the
 * job waits.
 */
export function chooseAmongSafeSites(simulation: Simulation, job: i32): i32 {
  columns.setSelectableSlots(columns.safeSlots);
  const site = chooseSiteByScan(simulation, job);
  columns.setSelectableSlots(columns.slots);
  return site;
}

/** Selection of sites with an allocator, which chooses the site if a job can safely start now. */

/**
 * The allocator's choice among the sites that are safe now; no candidate if the job waits or the host must
 * decide. If no site is safe, the site with the earliest start.
 */
export function selectSafeSite(simulation: Simulation, job: i32): void {
  const candidateCount = candidateCountOf(simulation, job);
  const processors = at<i32>(columns.processors, job);
  let safeSiteCount = 0;
  candidates.clearCandidates();
  markAllCandidatesSafe(simulation, job);
  for (let index = 0; index < candidateCount; index++) {
    const site = candidateAt(simulation, job, index);
    if (freeProcessorsAt(site) < processors) continue;
    if (candidates.canStartOnSite(simulation, job, site)) safeSiteCount++;
    else markSiteUnsafe(simulation, job, site);
  }
  if (safeSiteCount > 0) {
    const site = chooseAmongSafeSites(simulation, job);
    if (site >= 0)
      candidates.chooseSingleSite(
        job,
        site,
        simulation.now,
        predictedTimeWithoutTransfer(simulation, job, site),
      );
  } else {
    for (let index = 0; index < candidateCount; index++) {
      candidates.considerStart(simulation, job, candidateAt(simulation, job, index));
    }
  }
}

/**
 * Asks the allocator about a job that is safe on a single site, which it therefore takes, so that its
 * decision is recorded.
 */
export function recordForcedChoice(simulation: Simulation, job: i32, site: i32): void {
  if (IS_RECORDING_BUILD) beginDecision(simulation, job);
  markAllCandidatesSafe(simulation, job);
  for (let index = candidateCountOf(simulation, job) - 1; index >= 0; index--) {
    const otherSite = candidateAt(simulation, job, index);
    const hasEnoughProcessors = freeProcessorsAt(otherSite) >= at<i32>(columns.processors, job);
    if (otherSite !== site && hasEnoughProcessors) markSiteUnsafe(simulation, job, otherSite);
  }
  const chosenSite = chooseAmongSafeSites(simulation, job);
  if (IS_CHECKED_BUILD) check(chosenSite === site, Invariant.PlanOutdated);
}
