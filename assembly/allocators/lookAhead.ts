import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { speedOf } from '../grid/sites';
import { at } from '../memory/memory';
import { nextBehind, behindNotWider } from '../queue/waiting';
import { ScanSearch } from './scan';

/**
 * Look-ahead over the waiting queue: on hypothetical free processors the job goes to `site`, then the jobs
 * behind it are placed by best-fit in queue order, up to the first that fits nowhere.
 *
 * `T` selects the score, which includes the job itself: i32 the number of placed jobs, TNoA (Shih et al.
 * 2010, eqs. 8 to 10); f64 their computing capacity TCC, the sum of speed * processors in queue order (eqs.
 * 13 to 15). `S` is the search for sites.
 */
export function lookAhead<T, S = ScanSearch>(simulation: Simulation, job: i32, site: i32): T {
  const search = changetype<S>(0);
  search.beginHypothesis(simulation);
  search.takeHypotheticalProcessors(simulation, site, at<i32>(columns.processors, job));
  const score = placeFollowingJobs<T, S>(simulation, job, lookAheadScore<T>(job, site));
  search.endHypothesis(simulation);
  return score;
}

/** Adds to a score the jobs behind `job` that fit in the look-ahead, up to the first that fits nowhere. */
export function placeFollowingJobs<T, S = ScanSearch>(simulation: Simulation, job: i32, score: T): T {
  for (
    let followingJob = nextBehind(simulation, job);
    followingJob >= 0;
    followingJob = nextBehind(simulation, followingJob)
  ) {
    const site = changetype<S>(0).place(simulation, followingJob);
    if (site < 0) break;
    score += lookAheadScore<T>(followingJob, site);
  }
  return score;
}

/** TNoA in which jobs that fit nowhere are skipped instead of ending the look-ahead. */
export function lookAheadOfWholeQueue<S = ScanSearch>(simulation: Simulation, job: i32, site: i32): i32 {
  const search = changetype<S>(0);
  search.beginHypothesis(simulation);
  search.takeHypotheticalProcessors(simulation, site, at<i32>(columns.processors, job));
  let score = 1;
  let mostFreeProcessors = search.mostFree(simulation);
  let followingJob = behindNotWider(simulation, job, mostFreeProcessors);
  while (followingJob >= 0) {
    if (search.place(simulation, followingJob) >= 0) {
      score++;
      mostFreeProcessors = search.mostFree(simulation);
    }
    followingJob = behindNotWider(simulation, followingJob, mostFreeProcessors);
  }
  search.endHypothesis(simulation);
  return score;
}

@inline
function lookAheadScore<T>(job: i32, site: i32): T {
  if (isInteger<T>()) return <T>1;
  return speedOf(site) * <f64>at<i32>(columns.processors, job);
}
