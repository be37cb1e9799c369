import { Discipline, Option, Order, Status } from '../abi/abi';
import { Simulation } from '../memory/state';
import { adoptFrom } from '../allocators/compare';
import { mayBeTried } from '../allocators/registry';
import * as columns from '../memory/columns';
import { ages } from '../memory/runKind';
import { at } from '../memory/memory';
import { goesByEstimates } from './options';

/** Candidates: policies, and with `CandidateRules` also who is next while they are in force. */

/** The entries of the rules of a candidate. */
enum Rule {
  Order = 0,
  Discipline = 1,
  BackfillOrder = 2,
}

/** A candidate that the host has written is the one that decides; false if a parameter is not finite. */
export function takeUp(simulation: Simulation, candidate: i32): bool {
  return takeUpFrom(simulation, columns.policies, columns.candidateRules, candidate);
}

/** The same of those that stand at addresses. What is planned by other rules holds no longer. */
export function takeUpFrom(simulation: Simulation, policies: usize, rules: usize, candidate: i32): bool {
  if (simulation.hasRules !== 0) {
    simulation.order = ruleAt(rules, candidate, Rule.Order);
    simulation.discipline = ruleAt(rules, candidate, Rule.Discipline);
    simulation.backfillOrder = ruleAt(rules, candidate, Rule.BackfillOrder);
    simulation.planHolds = 0;
    simulation.reservedJob = 0;
  }
  return adoptFrom(simulation, policies, candidate);
}

/** Whether candidates are alike in who is next. */
export function areRulesAlike(simulation: Simulation, candidate: i32, other: i32): bool {
  if (simulation.hasRules === 0) return true;
  const rules = columns.candidateRules;
  for (let rule = 0; rule < columns.RULE_ENTRIES; rule++) {
    if (ruleAt(rules, candidate, rule) !== ruleAt(rules, other, rule)) return false;
  }
  return true;
}

@inline
function ruleAt(rules: usize, candidate: i32, rule: Rule): i32 {
  return <i32>at<f64>(rules, columns.RULE_ENTRIES * candidate + rule);
}

/** Makes a candidate the one that decides, if trials can be made of it; says which option it is not for. */
export function check(simulation: Simulation, candidate: i32): Status {
  if (simulation.hasRules !== 0) {
    simulation.refusedOption = refusedRule(candidate);
    if (simulation.refusedOption >= 0) return Status.OptionsConflict;
  }
  simulation.refusedOption = Option.Policy;
  if (!takeUp(simulation, candidate)) return Status.ParameterInvalid;
  if (!mayBeTried(simulation.policy)) return Status.PolicyUnknown;
  simulation.refusedOption = Option.NoEstimates;
  if (simulation.hasNoEstimates !== 0 && goesByEstimates(simulation)) return Status.OptionsConflict;
  simulation.refusedOption = -1;
  return Status.Finished;
}

/** The option whose values a rule of a candidate is not among, or -1. */
function refusedRule(candidate: i32): i32 {
  const first = columns.RULE_ENTRIES * candidate;
  const rules = columns.candidateRules;
  const backfillOrder = at<f64>(rules, first + Rule.BackfillOrder);
  const discipline = at<f64>(rules, first + Rule.Discipline);
  const order = at<f64>(rules, first + Rule.Order);
  if (!isOrder(order, at<f64>(columns.options, Option.Order))) return Option.Order;
  if (!isBelow(discipline, at<f64>(columns.options, Option.CandidateRules))) return Option.Discipline;
  if (backfillOrder === 0) return -1;
  const given = at<f64>(columns.options, Option.BackfillOrder) - 1;
  const isTaken = discipline === Discipline.Easy && isOrder(backfillOrder - 1, given);
  return isTaken ? -1 : Option.BackfillOrder;
}

/** Whether a number is an order that a candidate may have: its keys stay, and are at hand. */
function isOrder(value: f64, given: f64): bool {
  if (!isBelow(value, Order.COUNT) || ages(<i32>value)) return false;
  return value !== Order.Given || given === Order.Given;
}

@inline
function isBelow(value: f64, end: f64): bool {
  return value >= 0 && value < end && floor<f64>(value) === value;
}
