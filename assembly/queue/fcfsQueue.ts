import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { at } from '../memory/memory';

/**
 * Waiting jobs that leave in the order in which they came: the window [head, next) of the job table. Joining
 * and leaving move an index; no job is copied, and the processors that it requests are a difference of
 * two prefix sums.
 */

/** Number of waiting jobs. */
@inline
export function waitingJobs(simulation: Simulation): i32 {
  return simulation.next - simulation.head;
}

/** Processors that all waiting jobs request together: the numerator of SL (Shih et al. 2010, eq. 4). */
@inline
export function queuedProcessors(simulation: Simulation): f64 {
  const sums = columns.processorSums;
  return at<f64>(sums, simulation.next) - at<f64>(sums, simulation.head);
}

/**
 * The first waiting job from `job` on that needs at most `processors`; the end of the queue when there is
 * none. Blocks of jobs that are all wider are passed over, so a long queue costs little.
 */
export function nextNotWider(simulation: Simulation, job: i32, processors: i32): i32 {
  const end = simulation.next;
  if (processors === 0) return end;
  while (job < end) {
    if ((job & 63) === 0) {
      if ((job & 4095) === 0 && at<i32>(columns.narrowestOf4096, job >> 12) > processors) {
        job += 4096;
        continue;
      }
      if (at<i32>(columns.narrowestOf64, job >> 6) > processors) {
        job += 64;
        continue;
      }
    }
    if (at<i32>(columns.processors, job) <= processors) return job;
    job++;
  }
  return end;
}
