/** Queue rules of the candidates of policies that choose among candidates. */
import { loadCoreConstants } from '../core/module.js';
import {
  type CandidateRules,
  listCandidatePolicies,
  makeCandidatePolicyError,
  type Policy,
  printPolicy,
} from '../core/policies.js';
import { dependsOnEstimates, type Order, TIME_INDEPENDENT_ORDER_WORDS } from './order.js';
import { findOrderOfWaitingJobs, RUN_OPTIONS } from './runOptions.js';

const CANDIDATE_DISCIPLINES = ['fcfs', 'first-available', 'easy', 'conservative'] as const;
type CandidateDiscipline = (typeof CANDIDATE_DISCIPLINES)[number];

/** Rules that determine the next job: order, discipline and backfill order. */
export interface QueueRules {
  readonly order: Order;
  readonly discipline: CandidateDiscipline;
  readonly backfillOrder: Order;
}

/** Policy and queue rules of a run, from which the queue rules of its candidates follow. */
export interface RunWithQueueRules extends Omit<QueueRules, 'discipline'> {
  readonly policy: Policy;
  readonly discipline: Parameters<typeof findOrderOfWaitingJobs>[0]['discipline'];
}

/**
 * Queue rules of each candidate of the policy of a run; undefined if all use the rules of the run.
 * @throws InputError for rules that a candidate cannot have.
 */
export function listQueueRulesOfCandidates(runRules: RunWithQueueRules): readonly QueueRules[] | undefined {
  const candidates = listCandidatePolicies(runRules.policy);
  if (candidates.every(({ rules }) => rules === undefined)) return undefined;
  return candidates.map((candidate) => makeQueueRulesOfCandidate(candidate, runRules));
}

function makeQueueRulesOfCandidate(candidate: Policy, runRules: RunWithQueueRules): QueueRules {
  const { order, discipline, 'backfill-order': backfillOrder }: CandidateRules = candidate.rules ?? {};
  const makeCandidateError = (reason: string) => makeCandidatePolicyError(printPolicy(candidate), reason);
  const checkOrderWord = (optionName: string, orderWord: string) => {
    if (TIME_INDEPENDENT_ORDER_WORDS.includes(orderWord)) return orderWord;
    throw makeCandidateError(
      `expected ${TIME_INDEPENDENT_ORDER_WORDS.join(', ')} for ${optionName}, found '${orderWord}'; other keys are computed before the run, and for its own order alone`,
    );
  };
  const candidateDiscipline = CANDIDATE_DISCIPLINES.find(
    (candidateDiscipline) => candidateDiscipline === discipline,
  );
  if (discipline !== undefined && candidateDiscipline === undefined)
    throw makeCandidateError(
      `expected ${CANDIDATE_DISCIPLINES.join(', ')} for discipline, found '${discipline}'`,
    );
  const disciplineOfRun =
    CANDIDATE_DISCIPLINES.find((candidateDiscipline) => candidateDiscipline === runRules.discipline) ??
    'fcfs';
  const isEasyBackfilling = (candidateDiscipline ?? disciplineOfRun) === 'easy';
  if (backfillOrder !== undefined && !isEasyBackfilling)
    throw makeCandidateError(
      'a backfill-order is for the jobs behind the one reservation, with discipline=easy',
    );
  const defaultBackfillOrder = RUN_OPTIONS.backfillOrder.default as Order;
  const candidateBackfillOrder =
    backfillOrder === undefined ? runRules.backfillOrder : checkOrderWord('backfill-order', backfillOrder);
  return {
    order: order === undefined ? findOrderOfWaitingJobs(runRules) : checkOrderWord('order', order),
    discipline: candidateDiscipline ?? disciplineOfRun,
    backfillOrder: isEasyBackfilling ? candidateBackfillOrder : defaultBackfillOrder,
  };
}

/** True if queue rules use runtime estimates. */
export function doQueueRulesNeedEstimates({ order, discipline }: QueueRules): boolean {
  return discipline === 'easy' || discipline === 'conservative' || dependsOnEstimates(order);
}

/** Queue rules as numbers of the core: order, discipline and backfill order. */
export function toCoreQueueRuleNumbers({
  order,
  discipline,
  backfillOrder,
}: QueueRules): [number, number, number] {
  const constants = loadCoreConstants();
  const { Order = 0 } = RUN_OPTIONS.order.core?.(order, constants) ?? {};
  const { Discipline = 0 } = RUN_OPTIONS.discipline.core?.(discipline, constants) ?? {};
  const { BackfillOrder = 0 } = RUN_OPTIONS.backfillOrder.core?.(backfillOrder, constants) ?? {};
  return [Order, Discipline, BackfillOrder];
}
