import { Moldable, Option, Selection, Topology } from '../abi/abi';
import { changesWithTime, plansAhead } from '../memory/runKind';
import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';

/** Runs in which other rules (policy, order and discipline) can take effect, to stay or on trial. */

/** True if during a run the order and discipline may change. */
export function allowsOtherRules(simulation: Simulation): bool {
  if (simulation.choosesPolicies !== 0) return true;
  if (simulation.isOpen === 0 || simulation.keepsReservations !== 0 || simulation.reservationDepth !== 1)
    return false;
  return simulation.timesPasses === 0 && simulation.plansByNodes === 0 && canChangeRules(simulation);
}

/** True if by its options a simulation can try candidates on its waiting jobs. */
export function canTryCandidates(simulation: Simulation): bool {
  return canChangeRules(simulation) && (simulation.hasNoEstimates !== 0 || simulation.futureCount <= 1);
}

/**
 * True if the options permit a change of rules: rigid jobs without dependencies in one queue, with constant
 * keys.
 */
function canChangeRules(simulation: Simulation): bool {
  if (simulation.topology !== Topology.Shared || simulation.moldable !== Moldable.None) return false;
  if (simulation.multiSite !== 0 || simulation.reclaim !== 0 || columns.optionOfRun(Option.Interval) > 0)
    return false;
  if (simulation.hasDependencies !== 0) return false;
  const selectsSiteSets =
    plansAhead(simulation.lastDiscipline) && simulation.selection !== Selection.Allocator;
  return !selectsSiteSets && simulation.changesKeys === 0 && !changesWithTime(simulation.backfillOrder - 1);
}
