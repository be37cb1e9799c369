import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { at } from '../memory/memory';
import { Work, count } from '../memory/check';
import * as priorityQueue from './priorityQueue';
import { boundWidths } from './ranking';

/** Searches of a priority queue by width: blocks of ranks whose jobs are all wider are passed over. */

/** The next waiting job behind a job in its queue that needs at most `processors`, or -1. */
@inline
export function behindNotWider(simulation: Simulation, job: i32, processors: i32): i32 {
  return fromRankNotWider(
    simulation,
    at<i32>(columns.rankOf, job) + 1,
    priorityQueue.endOf(simulation, job),
    processors,
  );
}

/** Any job will do. */
@final
@unmanaged
class AnyJob {
  @inline
  holds(simulation: Simulation, job: i32): bool {
    return true;
  }
}

/** The first waiting job with a rank in [rank, end) that needs at most `processors`, or -1. */
export function fromRankNotWider(simulation: Simulation, rank: i32, end: i32, processors: i32): i32 {
  return firstNotWider<AnyJob>(changetype<AnyJob>(0), simulation, rank, end, processors);
}

/** The same of the jobs for which a condition `C` holds, which is asked of those before it too. */
@inline
export function firstNotWider<C>(
  condition: C,
  simulation: Simulation,
  rank: i32,
  end: i32,
  processors: i32,
): i32 {
  if (simulation.widthsBounded === 0) boundWidths(simulation);
  while (rank < end) {
    count(Work.QueueLooks);
    const block = rank >> 6;
    if (at<i32>(columns.narrowest0, block) <= processors) {
      const fromRank = ~(<u64>0) << (rank & 63);
      for (let bits = at<u64>(columns.waiting0, block) & fromRank; bits !== 0; bits &= bits - 1) {
        const near = (block << 6) + <i32>ctz(bits);
        if (near >= end) return -1;
        count(Work.QueueLooks);
        const job = at<i32>(columns.jobAt, near);
        if (at<i32>(columns.processors, job) <= processors && condition.holds(simulation, job)) return job;
      }
    } else if (at<i32>(columns.narrowest1, block >> 6) > processors) {
      rank = priorityQueue.nextRank(simulation, ((block >> 6) + 1) << 12);
      continue;
    }
    rank = priorityQueue.nextRank(simulation, (block + 1) << 6);
  }
  return -1;
}
