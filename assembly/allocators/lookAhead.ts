import { Jobs, Simulation } from '../abi';
import * as columns from '../columns';
import { Slot, candidatesOf, demandOf, freeIn, siteIn, slotsOf, speedOf } from '../grid/sites';
import { at, move, put } from '../memory';
import { nextNotWider } from '../queue/window';
import { hasRoom, tightest } from './argmin';

/**
 * The look-ahead over the waiting queue: on a copy of the free counts a job goes to a site, then the jobs
 * behind it are placed by best-fit in queue order, until the first that fits nowhere.
 *
 * `T` is what is tallied: i32 the number of placed jobs, TNoA (Shih et al. 2010, eqs. 8 to 10); f64 the
 * computing capacity that they take, TCC, the sum of speed * processors in queue order (eqs. 13 to 15). The
 * job itself counts in both.
 */
export function lookAhead<T>(simulation: Simulation, jobs: Jobs, job: i32, site: i32): T {
  const trial = begin(simulation, jobs, job, site);
  let tally = worth<T>(simulation, jobs, job, site);
  for (let follower = job + 1; follower < simulation.next; follower++) {
    const chosen = place(simulation, jobs, follower, trial);
    if (chosen < 0) break;
    tally += worth<T>(simulation, jobs, follower, chosen);
  }
  return tally;
}

/** The same, but a job that fits nowhere is passed over and those behind it still count. */
export function lookAheadOfAll<T>(simulation: Simulation, jobs: Jobs, job: i32, site: i32): T {
  const trial = begin(simulation, jobs, job, site);
  let tally = worth<T>(simulation, jobs, job, site);
  let room = mostRoom(simulation, trial);
  let follower = nextNotWider(simulation, job + 1, room);
  while (follower < simulation.next) {
    const chosen = place(simulation, jobs, follower, trial);
    if (chosen >= 0) {
      tally += worth<T>(simulation, jobs, follower, chosen);
      room = mostRoom(simulation, trial);
    }
    follower = nextNotWider(simulation, follower + 1, room);
  }
  return tally;
}

/** A copy of the slots in which the job has been placed on the site. */
@inline
function begin(simulation: Simulation, jobs: Jobs, job: i32, site: i32): usize {
  const trial = columns.trial;
  const processors = at<i32>(columns.processors, job);
  for (let place = 0; place < simulation.siteCount; place++) put<Slot>(trial, place, at<Slot>(slotsOf(simulation), place));
  const place = at<i32>(columns.slotOfSite, site);
  put<Slot>(trial, place, at<Slot>(trial, place) - demandOf(processors));
  return trial;
}

/** Places a follower by best-fit; returns its site, or -1 when it fits nowhere. */
@inline
function place(simulation: Simulation, jobs: Jobs, follower: i32, trial: usize): i32 {
  const processors = at<i32>(columns.processors, follower);
  const left = tightest(trial, candidatesOf(simulation, jobs, follower), demandOf(processors));
  if (!hasRoom(left)) return -1;
  const site = siteIn(left);
  put<Slot>(trial, at<i32>(columns.slotOfSite, site), left);
  return site;
}

@inline
function worth<T>(simulation: Simulation, jobs: Jobs, job: i32, site: i32): T {
  if (isInteger<T>()) return <T>1;
  return speedOf(simulation, site) * <f64>at<i32>(columns.processors, job);
}

/** The most processors that are free on one site of a trial. */
@inline
function mostRoom(simulation: Simulation, trial: usize): i32 {
  let most: Slot = 0;
  for (let place = 0; place < simulation.siteCount; place++) most = max<u64>(most, at<Slot>(trial, place));
  return freeIn(most);
}
