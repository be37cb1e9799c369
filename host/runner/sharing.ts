/** How much of the work of runs was shared, added up. */
import type { Sharing } from '../simulate/sharing.js';

/** Of no runs. */
export const NOTHING_SHARED: Sharing = { runs: 0, forks: 0, joins: 0, jobs: 0 };

/** Of the runs of both. */
export function addSharing(one: Sharing, other: Sharing): Sharing {
  return {
    runs: one.runs + other.runs,
    forks: one.forks + other.forks,
    joins: one.joins + other.joins,
    jobs: one.jobs + other.jobs,
  };
}
