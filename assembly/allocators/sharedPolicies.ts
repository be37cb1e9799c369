import { Status } from '../abi/abi';
import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { at, put } from '../memory/memory';
import { part } from '../live/histories';
import { adopt, compare } from './compare';
import { loadThreshold, preference } from './registry';
import { Scan } from './scan';
import { foundQueueEmpty, loadsAbove } from './signals';
import { Situation, Verdict, favoursFastest, isCounted, ruleOf, verdictIn } from './verdicts';

/**
 * Policies that share a simulation, each of which chooses between best-fit and fastest-first.
 * Policies that always decide alike (for example because SH exceeds the thresholds of all of them)
 * form one member; a set of members is a bit set. A member's preference depends only on the
 * situation and on the number of sorted SL thresholds that the load exceeds. So a table lists, for
 * each of these cases, the set of members with each verdict other than best-fit.
 */

/** Reads the policies written by the host; all become members of the simulation. */
export function takePolicies(simulation: Simulation): Status {
  simulation.memberCount = 0;
  for (let index = 0; index < simulation.policyCount; index++) {
    const status = takePolicy(simulation, index);
    if (status !== Status.Finished) return status;
  }
  const thresholds = sortThresholds(simulation);
  simulation.thresholdCount = thresholds;
  fillRow(simulation, 0, Situation.QueueEmpty, 0);
  for (let above = 0; above <= thresholds; above++) fillRow(simulation, 1 + above, Situation.LoadLow, above);
  simulation.members = ~(<u64>0) >> (columns.MOST_MEMBERS - simulation.memberCount);
  return Status.Finished;
}

/** Adds a policy as a new member, or to a member that decides alike. */
function takePolicy(simulation: Simulation, index: i32): Status {
  if (!adopt(simulation, index)) return Status.ParameterInvalid;
  const preferred = preference(simulation);
  if (preferred < 0) return Status.PoliciesUnshared;
  const rule = ruleOf(preferred);
  // Omits a threshold on SL that no verdict uses, so that it does not distinguish members.
  const threshold = heedsLoad(rule) ? loadThreshold(simulation) : 0;
  let member = 0;
  while (member < simulation.memberCount && !isOf(member, rule, threshold)) member++;
  if (member === columns.MOST_MEMBERS) return Status.PoliciesTooMany;
  if (member === simulation.memberCount) {
    put<i32>(columns.memberRules, member, rule);
    put<f64>(columns.memberThresholds, member, threshold);
    simulation.memberCount++;
  }
  put<i32>(columns.memberOf, index, member);
  return Status.Finished;
}

@inline
function isOf(member: i32, rule: i32, threshold: f64): bool {
  if (at<i32>(columns.memberRules, member) !== rule) return false;
  return at<f64>(columns.memberThresholds, member) === threshold;
}

/** True if a policy written by the host counts its decisions. */
export function countsDecisions(simulation: Simulation, index: i32): bool {
  adopt(simulation, index);
  return isCounted(preference(simulation));
}

/** Sorts the distinct thresholds of members that use SL in ascending order; returns their number. */
function sortThresholds(simulation: Simulation): i32 {
  const thresholds = columns.thresholds;
  let count = 0;
  for (let member = 0; member < simulation.memberCount; member++) {
    if (!heedsLoad(at<i32>(columns.memberRules, member))) continue;
    const threshold = at<f64>(columns.memberThresholds, member);
    let place = count;
    while (place > 0 && at<f64>(thresholds, place - 1) > threshold) place--;
    if (place > 0 && at<f64>(thresholds, place - 1) === threshold) continue;
    for (let later = count; later > place; later--) {
      put<f64>(thresholds, later, at<f64>(thresholds, later - 1));
    }
    put<f64>(thresholds, place, threshold);
    count++;
  }
  return count;
}

@inline
function heedsLoad(rule: i32): bool {
  return verdictIn(rule, Situation.LoadLow) !== verdictIn(rule, Situation.LoadHigh);
}

@inline
function rowAt(index: i32): usize {
  return columns.memberRows + <usize>(index * <i32>columns.MEMBER_ROW_ENTRIES) * sizeof<u64>();
}

/** Fills the table row for a situation in which SL exceeds `above` of the thresholds. */
function fillRow(simulation: Simulation, index: i32, situation: Situation, above: i32): void {
  const row = rowAt(index);
  for (let member = 0; member < simulation.memberCount; member++) {
    const rule = at<i32>(columns.memberRules, member);
    const threshold = at<f64>(columns.memberThresholds, member);
    const isBelow = above > 0 && heedsLoad(rule) && threshold <= at<f64>(columns.thresholds, above - 1);
    const verdict = verdictIn(rule, isBelow ? Situation.LoadHigh : situation);
    if (verdict === Verdict.BestFit) continue;
    const set = <i32>verdict - 1;
    put<u64>(row, set, at<u64>(row, set) | ((<u64>1) << (<u64>member)));
  }
}

/** Site that the members choose; if they disagree, the simulation forks. */
@inline
export function chooseTogether(simulation: Simulation, job: i32): i32 {
  return compare<Members, Scan>(changetype<Members>(0), simulation, job);
}

@final
@unmanaged
class Members {
  @inline
  prefersFastest(simulation: Simulation, job: i32, bestFit: i32, fastestFirst: i32): bool {
    const members = simulation.members;
    let row = columns.memberRows;
    if (!foundQueueEmpty(simulation, job)) {
      row = rowAt(1 + loadsAbove(simulation, job, columns.thresholds, simulation.thresholdCount));
    }
    let fastest = at<u64>(row, Verdict.FastestFirst - 1);
    // Skips verdicts that no member of this simulation has.
    for (let verdict = <i32>Verdict.Faster; verdict <= Verdict.MoreCapacity; verdict++) {
      const set = at<u64>(row, verdict - 1);
      if ((set & members) === 0) continue;
      if (favoursFastest<Scan>(verdict, simulation, job, bestFit, fastestFirst)) fastest |= set;
    }
    fastest &= members;
    if (fastest === 0) return false;
    if (fastest !== members) {
      part(simulation, fastest);
      return false;
    }
    return true;
  }
}
