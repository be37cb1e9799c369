/** Who is next while a candidate of a policy is in force: what its notation says, and else what holds for the run. */
import { coreConstants } from '../core/module.js';
import { type CandidateRules, candidatesOf, type Policy, printPolicy } from '../core/policies.js';
import { InputError } from '../errors.js';
import { FIXED_ORDERS, isByEstimate, type Order } from './order.js';
import { orderOf, RUN_OPTIONS } from './run.js';

const DISCIPLINES = ['fcfs', 'first-available', 'easy', 'conservative'] as const;
type Discipline = (typeof DISCIPLINES)[number];

/** What decides who is next. */
export interface Rules {
  readonly order: Order;
  readonly discipline: Discipline;
  readonly backfillOrder: Order;
}

/** A run, as far as it decides them. */
export interface RulesOfRun extends Omit<Rules, 'discipline'> {
  readonly policy: Policy;
  readonly discipline: Parameters<typeof orderOf>[0]['discipline'];
}

/**
 * The rules of each candidate of the policy of a run; undefined where all have those of the run.
 * @throws InputError for rules that no candidate can have.
 */
export function candidateRules(run: RulesOfRun): readonly Rules[] | undefined {
  const candidates = candidatesOf(run.policy);
  if (candidates.every(({ rules }) => rules === undefined)) return undefined;
  return candidates.map((candidate) => rulesOf(candidate, run));
}

function rulesOf(candidate: Policy, run: RulesOfRun): Rules {
  const { order, discipline, 'backfill-order': backfillOrder }: CandidateRules = candidate.rules ?? {};
  const refuse = (why: string) =>
    new InputError(`${printPolicy(candidate)} cannot be a candidate of dynamic: ${why}`);
  const checked = (name: string, given: string) => {
    if (FIXED_ORDERS.includes(given)) return given;
    throw refuse(
      `expected ${FIXED_ORDERS.join(', ')} for ${name}, found '${given}'; other keys are computed before the run, and for its own order alone`,
    );
  };
  const own = DISCIPLINES.find((word) => word === discipline);
  if (discipline !== undefined && own === undefined)
    throw refuse(`expected ${DISCIPLINES.join(', ')} for discipline, found '${discipline}'`);
  const ofRun = DISCIPLINES.find((word) => word === run.discipline) ?? 'fcfs';
  const isEasy = (own ?? ofRun) === 'easy';
  if (backfillOrder !== undefined && !isEasy)
    throw refuse('a backfill-order is for the jobs behind the one reservation, with discipline=easy');
  const none = RUN_OPTIONS.backfillOrder.default as Order;
  const behind = backfillOrder === undefined ? run.backfillOrder : checked('backfill-order', backfillOrder);
  return {
    order: order === undefined ? orderOf(run) : checked('order', order),
    discipline: own ?? ofRun,
    backfillOrder: isEasy ? behind : none,
  };
}

/** Whether anything is decided by estimates under some rules. */
export function goByEstimates({ order, discipline }: Rules): boolean {
  return discipline === 'easy' || discipline === 'conservative' || isByEstimate(order);
}

/** The rules in the core's words: order, discipline and order of backfilling. */
export function ruleNumbers({ order, discipline, backfillOrder }: Rules): number[] {
  const constants = coreConstants();
  const { Order = 0 } = RUN_OPTIONS.order.core?.(order, constants) ?? {};
  const { Discipline = 0 } = RUN_OPTIONS.discipline.core?.(discipline, constants) ?? {};
  const { BackfillOrder = 0 } = RUN_OPTIONS.backfillOrder.core?.(backfillOrder, constants) ?? {};
  return [Order, Discipline, BackfillOrder];
}
