import { Topology } from '../abi/abi';
import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import * as exact from '../sums/exactSum';
import { experienceOf } from '../grid/execution';
import { at, move, put } from '../memory/memory';

/**
 * Estimates from what jobs of the same user took (Tsafrir, Etsion, Feitelson 2007): when a job is submitted,
 * it is estimated by the mean of the last so many of its user's that have ended, and by what it requests
 * where that is less, or they are fewer. They stand in a column of the simulation in the place of the
 * requests, so that whoever reads estimates reads these.
 *
 * The jobs of a user that have ended are a list from the latest back, by job + 1; 0 ends it.
 */

/** Nobody has ended; until their submit jobs are estimated by their requests. */
export function reset(simulation: Simulation): void {
  move<f64>(columns.estimates, 0, columns.requests, 0, simulation.jobCount);
}

/** A job is submitted: what it is estimated by from now on. */
export function estimate(simulation: Simulation, job: i32): void {
  const user = at<i32>(columns.users, job);
  if (user < 0) return;
  const sum = columns.exactSum;
  exact.reset(sum);
  let earlier = at<i32>(columns.lastOfUsers, user);
  for (let count = 0; count < simulation.recentJobs; ) {
    if (earlier === 0) return;
    if (isKnownTo(simulation, job, earlier - 1)) {
      exact.add(sum, experienceOf(earlier - 1));
      count++;
    }
    earlier = at<i32>(columns.earlierOfUsers, earlier - 1);
  }
  const mean = exact.rounded(sum) / <f64>simulation.recentJobs;
  put<f64>(columns.estimates, job, min<f64>(at<f64>(columns.requests, job), mean));
}

/** Whether a job runs on machines that know of another: independent sites know of their own only. */
@inline
function isKnownTo(simulation: Simulation, job: i32, other: i32): bool {
  if (simulation.topology !== Topology.Independent) return true;
  return at<i32>(columns.homes, job) === at<i32>(columns.homes, other);
}

/** A job has ended. */
export function learn(job: i32): void {
  const user = at<i32>(columns.users, job);
  if (user < 0) return;
  put<i32>(columns.earlierOfUsers, job, at<i32>(columns.lastOfUsers, user));
  put<i32>(columns.lastOfUsers, user, job + 1);
}
