import { Simulation } from '../state';
import * as columns from '../columns';
import { Slot, candidatesOf, demandOf, firstCandidateOf, freeIn, siteIn, speedOf } from '../grid/sites';
import { at, put } from '../memory';
import { behind, behindNotWider } from '../queue/waiting';
import { hasRoom, tightest } from './argmin';

/**
 * The look-ahead over the waiting queue: on a copy of the free counts, the trial, a job goes to a site, then
 * the jobs behind it are placed by best-fit in queue order, until the first that fits nowhere.
 *
 * `T` is what is tallied: i32 the number of placed jobs, TNoA (Shih et al. 2010, eqs. 8 to 10); f64 the
 * computing capacity that they take, TCC, the sum of speed * processors in queue order (eqs. 13 to 15). The
 * job itself counts in both.
 */
export function lookAhead<T>(simulation: Simulation, job: i32, site: i32): T {
  beginTrial(simulation);
  assume(site, at<i32>(columns.processors, job));
  return placeBehind<T>(simulation, job, worth<T>(job, site));
}

/** Adds to a tally the jobs behind a job that are placed on the trial, until the first that fits nowhere. */
export function placeBehind<T>(simulation: Simulation, job: i32, tally: T): T {
  for (let follower = behind(simulation, job); follower >= 0; follower = behind(simulation, follower)) {
    const site = place(simulation, follower);
    if (site < 0) break;
    tally += worth<T>(follower, site);
  }
  return tally;
}

/** The look-ahead in which a job that fits nowhere is passed over and those behind it still count. */
export function lookAheadOfAll<T>(simulation: Simulation, job: i32, site: i32): T {
  beginTrial(simulation);
  assume(site, at<i32>(columns.processors, job));
  let tally = worth<T>(job, site);
  let room = mostRoom(simulation, columns.trial);
  let follower = behindNotWider(simulation, job, room);
  while (follower >= 0) {
    const chosen = place(simulation, follower);
    if (chosen >= 0) {
      tally += worth<T>(follower, chosen);
      room = mostRoom(simulation, columns.trial);
    }
    follower = behindNotWider(simulation, follower, room);
  }
  return tally;
}

/** Makes the trial a copy of what is free now. */
@inline
export function beginTrial(simulation: Simulation): void {
  for (let place = 0; place < simulation.siteCount; place++) {
    put<Slot>(columns.trial, place, at<Slot>(columns.slots, place));
  }
}

/** Takes processors of a site on the trial. */
@inline
export function assume(site: i32, processors: i32): void {
  const place = at<i32>(columns.slotOfSite, site);
  put<Slot>(columns.trial, place, at<Slot>(columns.trial, place) - demandOf(processors));
}

/** Places a follower on the trial by best-fit; returns its site, or -1 when it fits nowhere. */
@inline
function place(simulation: Simulation, follower: i32): i32 {
  const demand = demandOf(at<i32>(columns.processors, follower));
  const first = columns.trial + firstCandidateOf(simulation, follower);
  const left = tightest(first, candidatesOf(simulation, follower), demand);
  if (!hasRoom(left)) return -1;
  const site = siteIn(left);
  put<Slot>(columns.trial, at<i32>(columns.slotOfSite, site), left);
  return site;
}

@inline
function worth<T>(job: i32, site: i32): T {
  if (isInteger<T>()) return <T>1;
  return speedOf(site) * <f64>at<i32>(columns.processors, job);
}

/** The most processors that are free on one site, in the slots or on the trial. */
@inline
export function mostRoom(simulation: Simulation, slots: usize): i32 {
  let most: Slot = 0;
  for (let place = 0; place < simulation.siteCount; place++) most = max<u64>(most, at<Slot>(slots, place));
  return freeIn(most);
}
