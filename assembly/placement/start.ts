import { Simulation } from '../state';
import { chooseSite } from '../allocators/registry';
import { RECORDED, look } from '../record/log';
import { commit, commitPlainly } from './commit';
import { startMolded } from './mold';
import { startSplit } from './split';

/**
 * Starts a job if the allocator finds a site for it, or else by splitting it; returns whether it did. The job
 * still stands in its queue while it is decided where it goes, and leaves it by the caller's hand.
 */
@inline
export function startJob(simulation: Simulation, job: i32): bool {
  if (RECORDED) look(simulation, job);
  if (simulation.moldable !== 0) return startMolded(simulation, job);
  const site = chooseSite(simulation, job);
  if (site < 0) return simulation.multiSite !== 0 && startSplit(simulation, job);
  commit(simulation, job, site);
  return true;
}

/** The same where jobs run on one site with all their processors and nothing is kept but free counts. */
@inline
export function startPlainly(simulation: Simulation, job: i32): bool {
  const site = chooseSite(simulation, job);
  if (site < 0) return false;
  commitPlainly(simulation, job, site);
  return true;
}
