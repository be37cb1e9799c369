import { Option, Status } from '../abi/abi';
import { Jobs, Simulation } from '../memory/state';
import { DYNAMIC, OWN } from '../allocators/registry';
import * as columns from '../memory/columns';
import { plansAhead } from '../memory/runKind';
import { orderBySpeeds } from '../grid/sites';
import { at, move, put } from '../memory/memory';
import { checkJobs, checkPairs, noteOptions } from './begin';
import { dropCaches } from './fork';
import { checkOption, choice, conflict, isOfPolicy, setPolicy } from './options';

/**
 * What if from here on: what the host may change between events. What is chosen among candidates depends on
 * what has been counted from the first event on: no run takes that up on the way, leaves it, or then changes
 * its sites.
 */

/** The policy and its parameters, if they go with what holds; else those in force are set again. */
export function changePolicy(simulation: Simulation): Status {
  const status = takePolicy(simulation);
  if (status === Status.Finished) copyPolicy(columns.options, columns.takenOptions);
  else copyPolicy(columns.takenOptions, columns.options);
  noteOptions(simulation);
  return status;
}

function copyPolicy(from: usize, to: usize): void {
  for (let which: i32 = 0; which < Option.COUNT; which++) {
    if (isOfPolicy(which)) put<f64>(to, which, at<f64>(from, which));
  }
}

function takePolicy(simulation: Simulation): Status {
  for (let which: i32 = 0; which < Option.COUNT; which++) {
    if (!isOfPolicy(which)) continue;
    const status = checkOption(which, at<f64>(columns.options, which));
    simulation.refusedOption = which;
    if (status !== Status.Finished) return status;
  }
  const asks = simulation.asks;
  simulation.asks = i32(choice(Option.Policy) === OWN);
  simulation.refusedOption = conflict(simulation);
  if (simulation.chooses !== 0 || choice(Option.Policy) === DYNAMIC) simulation.refusedOption = Option.Policy;
  if (simulation.refusedOption >= 0) {
    simulation.asks = asks;
    return Status.OptionsConflict;
  }
  setPolicy(simulation);
  dropCaches(simulation);
  return Status.Finished;
}

/**
 * Speeds and time factors of the sites, for jobs that start from now on; those that run keep their ends.
 * Where they are refused, those in force replace what the host has written.
 */
export function changeSpeeds(simulation: Simulation, jobs: Jobs): Status {
  const status = takeSpeeds(simulation, jobs);
  move<f64>(columns.givenSpeeds, 0, columns.speeds, 0, simulation.siteCount);
  move<f64>(columns.givenTimeFactors, 0, columns.timeFactors, 0, simulation.siteCount);
  return status;
}

function takeSpeeds(simulation: Simulation, jobs: Jobs): Status {
  simulation.refusedJob = -1;
  simulation.refusedSite = -1;
  simulation.refusedOption = simulation.chooses !== 0 ? Option.Policy : -1;
  // A job that waits could start at once, without an event that makes a pass.
  if (columns.taken(Option.MinSpeedRatio) > 0) simulation.refusedOption = Option.MinSpeedRatio;
  if (simulation.hasPredictions !== 0) {
    const isPlanned = plansAhead(simulation.discipline);
    simulation.refusedOption = isPlanned ? Option.Discipline : Option.MoldableThreshold;
  }
  if (simulation.refusedOption >= 0) return Status.OptionsConflict;
  // The pass has asked by the old ones.
  if (simulation.asked >= 0) return Status.DecisionPending;
  exchangeSpeeds(simulation);
  let status = orderBySpeeds(simulation);
  if (status === Status.Finished) status = checkPairs(simulation);
  if (status === Status.Finished) status = checkJobs(simulation, jobs);
  if (status === Status.Finished) {
    dropCaches(simulation);
    return status;
  }
  const site = simulation.refusedSite;
  exchangeSpeeds(simulation);
  orderBySpeeds(simulation);
  simulation.refusedSite = site;
  return status;
}

/** What the host has written becomes what holds, and the other way round. */
function exchangeSpeeds(simulation: Simulation): void {
  exchange(columns.speeds, columns.givenSpeeds, simulation.siteCount);
  exchange(columns.timeFactors, columns.givenTimeFactors, simulation.siteCount);
}

function exchange(one: usize, other: usize, count: i32): void {
  for (let site = 0; site < count; site++) {
    const value = at<f64>(one, site);
    put<f64>(one, site, at<f64>(other, site));
    put<f64>(other, site, value);
  }
}
