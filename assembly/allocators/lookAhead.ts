import { Simulation } from '../state';
import * as columns from '../columns';
import { Slot, candidatesOf, firstCandidateOf, freeIn, requestOf, siteIn, speedOf } from '../grid/sites';
import { at, put } from '../memory';
import { behind, behindNotWider } from '../queue/waiting';
import { fits, tightest } from './argmin';

/**
 * The look-ahead over the waiting queue: on a copy of the free counts, the hypothetical
 * slots, a job goes to a site, then
 * the jobs behind it are placed by best-fit in queue order, until the first that fits nowhere.
 *
 * `T` is the score: i32 the number of placed jobs, TNoA (Shih et al. 2010, eqs. 8 to 10); f64 the
 * computing capacity that they take, TCC, the sum of speed * processors in queue order (eqs. 13 to 15). The
 * job itself counts in both.
 */
export function lookAhead<T>(simulation: Simulation, job: i32, site: i32): T {
  beginHypothesis(simulation);
  assume(site, at<i32>(columns.processors, job));
  return placeBehind<T>(simulation, job, scoreOf<T>(job, site));
}

/**
 * Adds to a score the jobs behind a job that are placed on the hypothetical slots, until the first that fits
 * nowhere.
 */
export function placeBehind<T>(simulation: Simulation, job: i32, score: T): T {
  for (let follower = behind(simulation, job); follower >= 0; follower = behind(simulation, follower)) {
    const site = place(simulation, follower);
    if (site < 0) break;
    score += scoreOf<T>(follower, site);
  }
  return score;
}

/** The look-ahead in which a job that fits nowhere is passed over and those behind it still count. */
export function lookAheadOfAll<T>(simulation: Simulation, job: i32, site: i32): T {
  beginHypothesis(simulation);
  assume(site, at<i32>(columns.processors, job));
  let score = scoreOf<T>(job, site);
  let most = mostFree(simulation, columns.hypotheticalSlots);
  let follower = behindNotWider(simulation, job, most);
  while (follower >= 0) {
    const chosen = place(simulation, follower);
    if (chosen >= 0) {
      score += scoreOf<T>(follower, chosen);
      most = mostFree(simulation, columns.hypotheticalSlots);
    }
    follower = behindNotWider(simulation, follower, most);
  }
  return score;
}

/** Makes the hypothetical slots a copy of what is free now. */
@inline
export function beginHypothesis(simulation: Simulation): void {
  for (let slot = 0; slot < simulation.siteCount; slot++) {
    put<Slot>(columns.hypotheticalSlots, slot, at<Slot>(columns.slots, slot));
  }
}

/** Takes processors of a site in the hypothetical slots. */
@inline
export function assume(site: i32, processors: i32): void {
  const slot = at<i32>(columns.slotOfSite, site);
  const slots = columns.hypotheticalSlots;
  put<Slot>(slots, slot, at<Slot>(slots, slot) - requestOf(processors));
}

/** Places a follower on the hypothetical slots by best-fit; returns its site, or -1 when it fits nowhere. */
@inline
function place(simulation: Simulation, follower: i32): i32 {
  const request = requestOf(at<i32>(columns.processors, follower));
  const first = columns.hypotheticalSlots + firstCandidateOf(simulation, follower);
  const left = tightest(first, candidatesOf(simulation, follower), request);
  if (!fits(left)) return -1;
  const site = siteIn(left);
  put<Slot>(columns.hypotheticalSlots, at<i32>(columns.slotOfSite, site), left);
  return site;
}

@inline
function scoreOf<T>(job: i32, site: i32): T {
  if (isInteger<T>()) return <T>1;
  return speedOf(site) * <f64>at<i32>(columns.processors, job);
}

/** The most processors that are free on one site, in the slots or the hypothetical ones. */
@inline
export function mostFree(simulation: Simulation, slots: usize): i32 {
  let most: Slot = 0;
  for (let slot = 0; slot < simulation.siteCount; slot++) most = max<u64>(most, at<Slot>(slots, slot));
  return freeIn(most);
}
