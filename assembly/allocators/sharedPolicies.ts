import { Status } from '../abi/abi';
import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { at, put } from '../memory/memory';
import { splitHistory } from '../live/histories';
import { adoptPolicyOfCandidate, compareTwoSites } from './compare';
import { loadThresholdOfPolicy, policyPreference } from './registry';
import { ScanSearch } from './scan';
import { hasFoundQueueEmpty, countThresholdsBelowLoad } from './signals';
import {
  JobSituation,
  SiteVerdict,
  prefersFastestSite,
  isDecisionCounted,
  comparisonRuleOf,
  verdictInSituation,
} from './verdicts';

/**
 * Policies that share a simulation, each of which chooses between best-fit and fastest-first.
 * Policies that always decide alike (for example because SH exceeds the thresholds of all of them)
 * form one member; a set of members is a bit set. A member's preference depends only on the
 * situation and on the number of sorted SL thresholds that the load exceeds. So a table lists, for
 * each of these cases, the set of members with each verdict other than best-fit.
 */

/** Reads the policies written by the host; all become members of the simulation. */
export function readPolicies(simulation: Simulation): Status {
  simulation.memberCount = 0;
  for (let index = 0; index < simulation.policyCount; index++) {
    const status = readPolicy(simulation, index);
    if (status !== Status.Finished) return status;
  }
  const thresholdCount = sortThresholds(simulation);
  simulation.thresholdCount = thresholdCount;
  fillMemberRow(simulation, 0, JobSituation.QueueEmpty, 0);
  for (let exceededThresholdCount = 0; exceededThresholdCount <= thresholdCount; exceededThresholdCount++)
    fillMemberRow(simulation, 1 + exceededThresholdCount, JobSituation.LoadLow, exceededThresholdCount);
  simulation.members = ~(<u64>0) >> (columns.MAX_MEMBERS - simulation.memberCount);
  return Status.Finished;
}

/** Adds a policy as a new member, or to a member that decides alike. */
function readPolicy(simulation: Simulation, index: i32): Status {
  if (!adoptPolicyOfCandidate(simulation, index)) return Status.ParameterInvalid;
  const packedVerdicts = policyPreference(simulation);
  if (packedVerdicts < 0) return Status.PoliciesUnshared;
  const rule = comparisonRuleOf(packedVerdicts);
  // Omits a threshold on SL that no verdict uses, so that it does not distinguish members.
  const threshold = dependsOnLoad(rule) ? loadThresholdOfPolicy(simulation) : 0;
  let member = 0;
  while (member < simulation.memberCount && !hasRuleAndThreshold(member, rule, threshold)) member++;
  if (member === columns.MAX_MEMBERS) return Status.PoliciesTooMany;
  if (member === simulation.memberCount) {
    put<i32>(columns.memberRules, member, rule);
    put<f64>(columns.memberThresholds, member, threshold);
    simulation.memberCount++;
  }
  put<i32>(columns.memberOfPolicy, index, member);
  return Status.Finished;
}

@inline
function hasRuleAndThreshold(member: i32, rule: i32, threshold: f64): bool {
  if (at<i32>(columns.memberRules, member) !== rule) return false;
  return at<f64>(columns.memberThresholds, member) === threshold;
}

/** True if decisions are counted for the policy at this index of the column `Policies`. */
export function arePolicyDecisionsCounted(simulation: Simulation, index: i32): bool {
  adoptPolicyOfCandidate(simulation, index);
  return isDecisionCounted(policyPreference(simulation));
}

/** Sorts the distinct thresholds of members that use SL in ascending order; returns their number. */
function sortThresholds(simulation: Simulation): i32 {
  const thresholdsAddress = columns.thresholds;
  let thresholdCount = 0;
  for (let member = 0; member < simulation.memberCount; member++) {
    if (!dependsOnLoad(at<i32>(columns.memberRules, member))) continue;
    const threshold = at<f64>(columns.memberThresholds, member);
    let position = thresholdCount;
    while (position > 0 && at<f64>(thresholdsAddress, position - 1) > threshold) position--;
    if (position > 0 && at<f64>(thresholdsAddress, position - 1) === threshold) continue;
    for (let laterPosition = thresholdCount; laterPosition > position; laterPosition--) {
      put<f64>(thresholdsAddress, laterPosition, at<f64>(thresholdsAddress, laterPosition - 1));
    }
    put<f64>(thresholdsAddress, position, threshold);
    thresholdCount++;
  }
  return thresholdCount;
}

@inline
function dependsOnLoad(rule: i32): bool {
  return verdictInSituation(rule, JobSituation.LoadLow) !== verdictInSituation(rule, JobSituation.LoadHigh);
}

@inline
function memberRowAddress(index: i32): usize {
  return columns.memberRows + <usize>(index * <i32>columns.ENTRIES_PER_MEMBER_ROW) * sizeof<u64>();
}

/**
 * Fills the table row for a situation in which SL exceeds the first `exceededThresholdCount` of the sorted
 * thresholds.
 */
function fillMemberRow(
  simulation: Simulation,
  index: i32,
  situation: JobSituation,
  exceededThresholdCount: i32,
): void {
  const rowAddress = memberRowAddress(index);
  for (let member = 0; member < simulation.memberCount; member++) {
    const rule = at<i32>(columns.memberRules, member);
    const threshold = at<f64>(columns.memberThresholds, member);
    const isLoadAboveThreshold =
      exceededThresholdCount > 0 &&
      dependsOnLoad(rule) &&
      threshold <= at<f64>(columns.thresholds, exceededThresholdCount - 1);
    const verdict = verdictInSituation(rule, isLoadAboveThreshold ? JobSituation.LoadHigh : situation);
    if (verdict === SiteVerdict.BestFit) continue;
    const memberSetIndex = <i32>verdict - 1;
    put<u64>(rowAddress, memberSetIndex, at<u64>(rowAddress, memberSetIndex) | ((<u64>1) << (<u64>member)));
  }
}

/** Site that the members choose; if they disagree, the simulation forks. */
@inline
export function chooseSiteForAllMembers(simulation: Simulation, job: i32): i32 {
  return compareTwoSites<MemberVerdicts, ScanSearch>(changetype<MemberVerdicts>(0), simulation, job);
}

@final
@unmanaged
class MemberVerdicts {
  @inline
  prefersFastest(simulation: Simulation, job: i32, bestFitSite: i32, fastestFirstSite: i32): bool {
    const memberBits = simulation.members;
    let rowAddress = columns.memberRows;
    if (!hasFoundQueueEmpty(simulation, job)) {
      rowAddress = memberRowAddress(
        1 + countThresholdsBelowLoad(simulation, job, columns.thresholds, simulation.thresholdCount),
      );
    }
    let membersForFastest = at<u64>(rowAddress, SiteVerdict.FastestFirst - 1);
    // Skips verdicts that no member of this simulation has.
    for (let verdict = <i32>SiteVerdict.Faster; verdict <= SiteVerdict.MoreCapacity; verdict++) {
      const membersOfVerdict = at<u64>(rowAddress, verdict - 1);
      if ((membersOfVerdict & memberBits) === 0) continue;
      if (prefersFastestSite<ScanSearch>(verdict, simulation, job, bestFitSite, fastestFirstSite))
        membersForFastest |= membersOfVerdict;
    }
    membersForFastest &= memberBits;
    if (membersForFastest === 0) return false;
    if (membersForFastest !== memberBits) {
      splitHistory(simulation, membersForFastest);
      return false;
    }
    return true;
  }
}
