import { Simulation } from '../memory/state';
import { IS_RECORDING_BUILD, note, Note } from '../record/log';
import { ScanSearch } from './scan';
import * as columns from '../memory/columns';
import { at } from '../memory/memory';

/**
 * Common rule of all methods of Shih et al. 2010 (Fig. 1): best-fit and fastest-first nominate sites S_bf and
 * S_ff. If the sites are equal, the job goes there; otherwise method `M` prefers one. `S` is the search for
 * sites.
 */
@inline
export function compareTwoSites<M, S = ScanSearch>(
  comparisonMethod: M,
  simulation: Simulation,
  job: i32,
): i32 {
  return changetype<S>(0).chooseBetweenNominatedSites<SiteComparison<M>>(simulation, job);
}

@final
@unmanaged
class SiteComparison<M> {
  @inline
  between(simulation: Simulation, job: i32, bestFitSite: i32, fastestFirstSite: i32): i32 {
    if (IS_RECORDING_BUILD) note(Note.Nominated, <f64>bestFitSite, <f64>fastestFirstSite);
    if (bestFitSite === fastestFirstSite) {
      simulation.decisionsAgreed++;
      return bestFitSite;
    }
    if (changetype<M>(0).prefersFastest(simulation, job, bestFitSite, fastestFirstSite)) {
      simulation.decisionsFastestFirst++;
      return fastestFirstSite;
    }
    simulation.decisionsBestFit++;
    return bestFitSite;
  }
}

/** Makes a policy written by the host the simulation's policy; false if a parameter is not finite. */
export function adoptPolicyOfCandidate(simulation: Simulation, index: i32): bool {
  return adoptPolicyFrom(simulation, columns.policies, index);
}

/** Like `adoptPolicyOfCandidate`, with the policies at the given address. */
export function adoptPolicyFrom(simulation: Simulation, policiesAddress: usize, index: i32): bool {
  const firstEntryIndex = columns.ENTRIES_PER_POLICY * index;
  const policyNumber = at<f64>(policiesAddress, firstEntryIndex);
  simulation.policy = policyNumber >= 0 && policyNumber < 1_000_000 ? <i32>policyNumber : -1;
  simulation.parameter0 = at<f64>(policiesAddress, firstEntryIndex + 1);
  simulation.parameter1 = at<f64>(policiesAddress, firstEntryIndex + 2);
  simulation.parameter2 = at<f64>(policiesAddress, firstEntryIndex + 3);
  simulation.parameter3 = at<f64>(policiesAddress, firstEntryIndex + 4);
  for (let policyEntryIndex = 1; policyEntryIndex < columns.ENTRIES_PER_POLICY; policyEntryIndex++) {
    if (!isFinite(at<f64>(policiesAddress, firstEntryIndex + policyEntryIndex))) return false;
  }
  return true;
}
