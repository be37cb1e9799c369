import { Option, Status } from '../abi/abi';
import { Jobs, Simulation } from '../memory/state';
import { DYNAMIC_POLICY_NUMBER, CUSTOM_POLICY_NUMBER } from '../allocators/registry';
import * as columns from '../memory/columns';
import { plansAhead } from '../memory/runKind';
import { orderSitesBySpeed } from '../grid/sites';
import { at, moveEntries, put } from '../memory/memory';
import { Note } from '../record/log';
import { checkJobs, checkPairs, noteChangedOption } from './begin';
import { dropCaches } from './fork';
import { firstInvalidRuleOption } from './choosing';
import { isAwaitingHost, requestPass } from './corrections';
import { checkOption, choice, conflict, isOfPolicy, setPolicy, usesEstimates } from './options';

/**
 * Changes by the host between events of a run. A policy that chooses among candidates depends on counts from
 * the first event on. So no run can change to such a policy or from it, or change its speeds under it.
 */

/**
 * Changes the policy and its parameters, if they are compatible with the run; otherwise restores the current
 * ones.
 */
export function changePolicy(simulation: Simulation): Status {
  const status = readPolicy(simulation);
  if (status === Status.Finished) copyPolicy(columns.options, columns.copiedOptions);
  else copyPolicy(columns.copiedOptions, columns.options);
  noteChangedOption(simulation);
  return status;
}

function copyPolicy(sourceAddress: usize, targetAddress: usize): void {
  for (let option: i32 = 0; option < Option.COUNT; option++) {
    if (isOfPolicy(option)) put<f64>(targetAddress, option, at<f64>(sourceAddress, option));
  }
}

/**
 * Checks the policy and its parameters as written by the host and, if the run can use them, puts them into
 * effect.
 */
function readPolicy(simulation: Simulation): Status {
  for (let option: i32 = 0; option < Option.COUNT; option++) {
    if (!isOfPolicy(option)) continue;
    const status = checkOption(option, at<f64>(columns.options, option));
    simulation.refusedOption = option;
    if (status !== Status.Finished) return status;
  }
  const previousAsksHost = simulation.asksHost;
  simulation.asksHost = i32(choice(Option.Policy) === CUSTOM_POLICY_NUMBER);
  simulation.refusedOption = conflict(simulation);
  if (simulation.choosesPolicies !== 0 || choice(Option.Policy) === DYNAMIC_POLICY_NUMBER)
    simulation.refusedOption = Option.Policy;
  if (simulation.refusedOption >= 0) {
    simulation.asksHost = previousAsksHost;
    return Status.OptionsConflict;
  }
  setPolicy(simulation);
  dropCaches(simulation);
  return Status.Finished;
}

/**
 * Changes the discipline and the orders, and asks for a pass; running jobs and the clock stay as they are.
 * `backfillOrder`: 1 + an order, or 0.
 */
export function changeRules(simulation: Simulation, discipline: i32, order: i32, backfillOrder: i32): Status {
  simulation.refusedJob = -1;
  const mayChangeRules = simulation.hasRules !== 0 && simulation.choosesPolicies === 0;
  simulation.refusedOption = mayChangeRules
    ? firstInvalidRuleOption(discipline, order, backfillOrder)
    : Option.CandidateRules;
  const previousOrder = simulation.order;
  if (simulation.refusedOption < 0) {
    simulation.order = order;
    if (simulation.hasNoEstimates !== 0 && usesEstimates(simulation)) {
      simulation.order = previousOrder;
      simulation.refusedOption = Option.NoEstimates;
    }
  }
  if (simulation.refusedOption >= 0) return Status.OptionsConflict;
  if (isAwaitingHost(simulation)) {
    simulation.order = previousOrder;
    return Status.DecisionPending;
  }
  simulation.discipline = discipline;
  simulation.backfillOrder = backfillOrder;
  dropCaches(simulation);
  requestPass(simulation, Note.ByEnd, 0);
  return Status.Finished;
}

/**
 * Changes speeds and time factors for jobs that start from now on; running jobs keep their ends. If the new
 * values are refused, the current ones replace them in the host's columns.
 */
export function changeSpeeds(simulation: Simulation, jobs: Jobs): Status {
  const status = adoptHostSpeeds(simulation, jobs);
  moveEntries<f64>(columns.hostSpeeds, 0, columns.speeds, 0, simulation.siteCount);
  moveEntries<f64>(columns.hostTimeFactors, 0, columns.timeFactors, 0, simulation.siteCount);
  return status;
}

function adoptHostSpeeds(simulation: Simulation, jobs: Jobs): Status {
  simulation.refusedJob = -1;
  simulation.refusedSite = -1;
  simulation.refusedOption = simulation.choosesPolicies !== 0 ? Option.Policy : -1;
  // With `MinSpeedRatio`, another speed could let a waiting job start at once, but no event would trigger the
  // pass.
  if (columns.optionOfRun(Option.MinSpeedRatio) > 0) simulation.refusedOption = Option.MinSpeedRatio;
  if (simulation.hasPredictions !== 0) {
    const hasPlanningDiscipline = plansAhead(simulation.discipline);
    simulation.refusedOption = hasPlanningDiscipline ? Option.Discipline : Option.MoldableThreshold;
  }
  if (simulation.refusedOption >= 0) return Status.OptionsConflict;
  // A pending decision was asked with the old speeds, so it must be answered before these change.
  if (simulation.decisionJob >= 0) return Status.DecisionPending;
  swapSpeedsWithHost(simulation);
  let status = orderSitesBySpeed(simulation);
  if (status === Status.Finished) status = checkPairs(simulation);
  if (status === Status.Finished) status = checkJobs(simulation, jobs);
  if (status === Status.Finished) {
    dropCaches(simulation);
    return status;
  }
  const site = simulation.refusedSite;
  swapSpeedsWithHost(simulation);
  orderSitesBySpeed(simulation);
  simulation.refusedSite = site;
  return status;
}

/** Swaps the values written by the host with those in effect. */
function swapSpeedsWithHost(simulation: Simulation): void {
  swapColumns(columns.speeds, columns.hostSpeeds, simulation.siteCount);
  swapColumns(columns.timeFactors, columns.hostTimeFactors, simulation.siteCount);
}

function swapColumns(column: usize, otherColumn: usize, siteCount: i32): void {
  for (let site = 0; site < siteCount; site++) {
    const siteValue = at<f64>(column, site);
    put<f64>(column, site, at<f64>(otherColumn, site));
    put<f64>(otherColumn, site, siteValue);
  }
}
