import { Limit, Moldable, MultiSite, Option, RuntimeReference, Selection, Topology } from '../abi/abi';
import { blocks } from '../abi/disciplineKind';
import { Simulation } from '../memory/state';

/** Which options go with backfilling, which with moldable jobs: of those that do not, one; -1 for none. */

/** An option that is set though backfilling alone heeds it. */
export function planningOption(simulation: Simulation): i32 {
  if (simulation.hasTransfers !== 0) return Option.Transfers;
  if (simulation.interval > 0) return Option.Interval;
  if (simulation.multiSiteFactor > 0) return Option.MultiSiteFactor;
  return simulation.runtimeReference !== RuntimeReference.Speed1 ? Option.RuntimeReference : -1;
}

/** Backfilling is for one queue, or for every site alone. */
export function backfillingConflict(simulation: Simulation): i32 {
  if (simulation.multiSite !== 0) return Option.MultiSite;
  if (simulation.reclaim !== 0) return Option.Reclaim;
  if (simulation.topology === Topology.PerHome) return Option.Topology;
  if (simulation.selection !== Selection.Allocator) {
    if (simulation.minSpeedRatio > 0) return Option.MinSpeedRatio;
  } else if (simulation.topology === Topology.Shared) {
    // Allocators know nothing of what these do.
    if (simulation.multiSiteFactor > 0) return Option.MultiSiteFactor;
    if (simulation.hasTransfers !== 0) return Option.Transfers;
    if (simulation.runtimeReference !== RuntimeReference.Speed1) return Option.RuntimeReference;
  }
  const isAlone = simulation.topology === Topology.Independent;
  if (isAlone && simulation.multiSiteFactor > 0) return Option.MultiSiteFactor;
  const looksAtSets = simulation.multiSiteFactor > 0 && simulation.selection === Selection.Optimal;
  return looksAtSets && simulation.siteCount > Limit.SitesOfSets ? Option.Selection : -1;
}

/** Moldable jobs are for first come, first served on one shared queue without further rules. */
export function moldableConflict(simulation: Simulation): i32 {
  if (!blocks(simulation.discipline)) return Option.Discipline;
  if (simulation.topology !== Topology.Shared) return Option.Topology;
  if (simulation.multiSite !== 0) return Option.MultiSite;
  if (simulation.reclaim !== 0) return Option.Reclaim;
  if (simulation.minSpeedRatio > 0) return Option.MinSpeedRatio;
  if (simulation.moldable === Moldable.UpDown && simulation.siteCount > 1) return Option.Moldable;
  if (simulation.moldableThreshold > 0 && simulation.recentJobs > 0) return Option.RecentJobs;
  return planningOption(simulation);
}
