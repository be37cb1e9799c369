import { Option } from '../abi/abi';
import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { at, put } from '../memory/memory';
import * as exactSum from '../sums/exactSum';

/**
 * Shares in the usage as Slurm's multifactor plugin takes them (22.05). At the end of a step it walks through
 * the jobs by number: it adds what a running job has used in the step, and takes the usage of an account at
 * its first waiting job. So for the jobs of an account, all use in the step by later jobs is missing, that of
 * other accounts too; it counts a step later.
 */

/** Forgets which jobs have started. */
export function reset(simulation: Simulation): void {
  for (let word = 0; word <= simulation.jobCount >> 6; word++) {
    put<u64>(columns.runningBits, word, 0);
    put<u64>(columns.startedBits, word, 0);
  }
}

/** Notes that a job starts. */
export function started(job: i32): void {
  const bit = (<u64>1) << (job & 63);
  put<u64>(columns.runningBits, job >> 6, at<u64>(columns.runningBits, job >> 6) | bit);
  put<u64>(columns.startedBits, job >> 6, at<u64>(columns.startedBits, job >> 6) | bit);
}

/** Notes that a job has ended, or is preempted. */
export function ended(job: i32): void {
  const bit = (<u64>1) << (job & 63);
  put<u64>(columns.runningBits, job >> 6, at<u64>(columns.runningBits, job >> 6) & ~bit);
}

/** Notes that a preempted job waits again. */
export function waits(job: i32): void {
  const bit = (<u64>1) << (job & 63);
  put<u64>(columns.startedBits, job >> 6, at<u64>(columns.startedBits, job >> 6) & ~bit);
}

/**
 * Computes the shares of accounts with waiting jobs at the end of a step into `countedShares`, -1 for others.
 * Method `at` of `U` returns the usage of an account, with all use in the step.
 */
export function compute<U>(
  simulation: Simulation,
  accountOf: usize,
  count: i32,
  from: f64,
  until: f64,
): void {
  if (count === 0) return;
  findFirstWaiting(simulation, accountOf, count, until);
  for (let index = 0; index < count; index++) {
    const first = at<i32>(columns.firstWaitingJobs, index);
    put<f64>(columns.countedShares, index, -1);
    if (first < 0) continue;
    findLaterUse(simulation, accountOf, count, first, from, until);
    exactSum.reset(columns.exactSum);
    for (let each = 0; each < count; each++)
      exactSum.add(columns.exactSum, counted(each, changetype<U>(0).at(each)));
    const total = exactSum.rounded(columns.exactSum);
    const own = counted(index, changetype<U>(0).at(index));
    put<f64>(columns.countedShares, index, total > 0 ? own / total : 0);
  }
}

/** Usage of an account without the use that is missing. */
@inline
function counted(index: i32, usage: f64): f64 {
  return max<f64>(0, usage - at<f64>(columns.laterUse, index));
}

/** Finds the first job of each account that waits at the end of a step; -1: none. */
function findFirstWaiting(simulation: Simulation, accountOf: usize, count: i32, until: f64): void {
  for (let index = 0; index < count; index++) put<i32>(columns.firstWaitingJobs, index, -1);
  const last = simulation.next;
  for (let word = 0; word <= last >> 6; word++) {
    for (let bits = ~at<u64>(columns.startedBits, word); bits !== 0; bits &= bits - 1) {
      const job = (word << 6) + <i32>ctz(bits);
      if (job >= last || !(at<f64>(columns.submits, job) < until)) return;
      const account = at<i32>(accountOf, job);
      if (at<i32>(columns.firstWaitingJobs, account) < 0) put<i32>(columns.firstWaitingJobs, account, job);
    }
  }
}

/** Adds up what running jobs behind a job have used in a step, by account. */
function findLaterUse(
  simulation: Simulation,
  accountOf: usize,
  count: i32,
  first: i32,
  from: f64,
  until: f64,
): void {
  for (let index = 0; index < count; index++) put<f64>(columns.laterUse, index, 0);
  for (let word = first >> 6; word <= simulation.next >> 6; word++) {
    for (let bits = at<u64>(columns.runningBits, word); bits !== 0; bits &= bits - 1) {
      const job = (word << 6) + <i32>ctz(bits);
      if (job <= first) continue;
      const seconds = until - max<f64>(at<f64>(columns.starts, job), from);
      const use = <f64>at<i32>(columns.processors, job) * seconds;
      const account = at<i32>(accountOf, job);
      put<f64>(columns.laterUse, account, at<f64>(columns.laterUse, account) + use);
    }
  }
}
