import { Option, Selection, Topology } from '../abi/abi';
import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { leastTimeOnTwo, predictedTimeOn } from '../grid/execution';
import { siteInSlot } from '../grid/sites';
import { at } from '../memory/memory';
import * as candidates from './candidates';

/**
 * Resource selection (Zhang et al. 2006, section 4.1.1): which sites a job gets, now or later. The answer is
 * the best candidate that `candidates` has kept. Several sites together are candidates only with a multi-site
 * factor.
 */
export function select(simulation: Simulation, job: i32): void {
  candidates.clear();
  if (simulation.topology === Topology.Independent) {
    candidates.considerAlone(simulation, job, at<i32>(columns.homes, job));
  } else if (simulation.selection === Selection.NonAdaptive) {
    selectNonAdaptively(simulation, job);
  } else {
    considerEachSite(simulation, job);
    if (columns.taken(Option.MultiSiteFactor) === 0) return;
    if (simulation.selection === Selection.Optimal) considerSets(simulation, job, 0, 0);
    else considerPrefixes(simulation, job);
  }
}

function considerEachSite(simulation: Simulation, job: i32): void {
  for (let site = 0; site < simulation.siteCount; site++) candidates.considerAlone(simulation, job, site);
}

/**
 * Every set of two or more sites that contains the first `count` members and otherwise sites from `index` on
 * (Algorithm 2). A further site makes no set faster, so a set that would end too late even if it started now
 * is left with all that contain it. What comes of a set when some of its sites get no share is no better than
 * what the rest alone offers, which is a candidate too; so a set counts with its full predicted runtime, but
 * for jobs that have none on a site.
 */
function considerSets(simulation: Simulation, job: i32, index: i32, count: i32): void {
  for (; index < simulation.siteCount; index++) {
    candidates.setMember(count, siteInSlot(index));
    const predictedRuntime = predictedTimeOn(simulation, job, columns.members, count + 1);
    const leastRuntime = candidates.leastTogether(predictedRuntime);
    if (simulation.now + leastRuntime > candidates.chosenEnd) continue;
    if (count > 0) candidates.considerTogether(simulation, job, count + 1, leastRuntime);
    considerSets(simulation, job, index + 1, count + 1);
  }
}

/** The two fastest sites, the three fastest, and so on. */
function considerPrefixes(simulation: Simulation, job: i32): void {
  candidates.setMember(0, siteInSlot(0));
  for (let index = 1; index < simulation.siteCount; index++) {
    candidates.setMember(index, siteInSlot(index));
    const leastRuntime = leastTimeOnTwo(simulation, job, columns.members, index + 1);
    candidates.considerTogether(simulation, job, index + 1, candidates.leastTogether(leastRuntime));
  }
}

function considerPrefixesNow(simulation: Simulation, job: i32): void {
  candidates.setMember(0, siteInSlot(0));
  for (let index = 1; index < simulation.siteCount; index++) {
    candidates.setMember(index, siteInSlot(index));
    candidates.considerTogetherNow(simulation, job, index + 1);
  }
}

/**
 * What can start now: at home, else on the other site where it ends soonest, else on several; and only if
 * nothing can, a reservation in the same order of what can ever hold the job (section 6).
 */
function selectNonAdaptively(simulation: Simulation, job: i32): void {
  const home = at<i32>(columns.homes, job);
  const several = columns.taken(Option.MultiSiteFactor) > 0;
  if (candidates.startsAlone(simulation, job, home)) {
    candidates.considerAlone(simulation, job, home);
    return;
  }
  for (let site = 0; site < simulation.siteCount; site++) {
    if (candidates.startsAlone(simulation, job, site)) candidates.considerAlone(simulation, job, site);
  }
  if (candidates.chosenCount === 0 && several) considerPrefixesNow(simulation, job);
  if (candidates.chosenCount === 0) candidates.considerAlone(simulation, job, home);
  if (candidates.chosenCount === 0) considerEachSite(simulation, job);
  if (candidates.chosenCount === 0) considerPrefixes(simulation, job);
}
