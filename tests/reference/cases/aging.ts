import type { ReferenceJob, ReferenceOptions } from '../simulator/reference.js';
import { isPassPerEvent } from '../simulator/refusals.js';
import { randomAllocatorCase } from './allocators.js';
import { randomBackfillingCase } from './backfilling.js';
import { randomCoallocationCase } from './coallocation.js';
import { type RandomCase, SeededDraws } from './draws.js';
import { randomKeptCase } from './keptReservations.js';
import { randomLoadSharingCase } from './loadSharing.js';
import { randomOneMachineCase } from './oneMachine.js';
import { randomCustomPolicyCase, randomCustomPolicyPlanCase } from './ownPolicies.js';
import { randomNodePlanCase, randomPassCase } from './passes.js';
import { randomRecentCase } from './recent.js';
import { randomDepthCase } from './reservationDepth.js';
import { randomSafeCase } from './safeBackfilling.js';

const AGING_BASE_CASES = [
  randomAllocatorCase,
  randomBackfillingCase,
  randomCoallocationCase,
  randomDepthCase,
  randomKeptCase,
  randomKeptCase,
  randomLoadSharingCase,
  randomNodePlanCase,
  randomOneMachineCase,
  randomOneMachineCase,
  randomCustomPolicyPlanCase,
  randomCustomPolicyCase,
  randomPassCase,
  randomPassCase,
  randomRecentCase,
  randomSafeCase,
  randomSafeCase,
];

/** Distance to the next seed of a kind. */
const DISTANT_SEED_OFFSET = 10_000_019;

/** A random case of another kind whose orders change with time, or with what users and groups use. */
export function randomAgingCase(seed: number): RandomCase {
  const draws = new SeededDraws(seed * 5 + 2);
  const base = drawBaseCase(seed, draws, AGING_BASE_CASES);
  const { jobs, options } = assignUsersAndGroups(base, draws);
  const span = jobs.at(-1)!.submit - jobs[0]!.submit + Math.max(...jobs.map(({ runtime }) => runtime));
  const unit = draws.pick([span / 8, span / 30, span / 100, 2 ** Math.floor(Math.log2(span / 20))]) || 1;
  const isEasyDiscipline = options.discipline === 'easy';
  const hasPlainOrder = draws.oneIn(4) || !mayOrderDependOnUse(options);
  const order =
    isEasyDiscipline && draws.oneIn(4) ? options.order : drawTimeDependentOrder(draws, unit, hasPlainOrder);
  const backfillOrder =
    isEasyDiscipline && draws.oneIn(3)
      ? drawTimeDependentOrder(draws, unit, hasPlainOrder)
      : options.backfillOrder;
  const changed = { ...options, order, backfillOrder };
  if (!/usage/i.test(`${order} ${backfillOrder}`)) return { jobs, options: changed };
  const usageStep = draws.pick([unit, Math.max(1, Math.floor(unit)), unit / 1.5, 3 * unit]);
  const usageOffset = draws.oneIn(3) ? draws.pick([unit / 3, 1, unit, 2.5 * unit]) : undefined;
  const halfLife = draws.pick([1, 2, 7.5, 50, 1000]) * unit;
  const usageCount = draws.oneIn(3) ? ('by-number' as const) : undefined;
  const times = {
    usageStep,
    usageOffset,
    halfLife: usageCount === undefined ? halfLife : Math.max(1, halfLife),
  };
  return { jobs, options: { ...changed, ...times, usageCount } };
}

/** A case without options that have no effect: without reservations no job is behind one. */
export function removeIneffectiveOptions({ jobs, options }: RandomCase): RandomCase {
  if (options.reservationDepth !== 0) return { jobs, options };
  const { backfillOrder: _, halfLife, usageStep, usageOffset, usageCount, ...others } = options;
  const isByUsage = /usage/i.test(others.order ?? '');
  return { jobs, options: isByUsage ? { ...others, halfLife, usageStep, usageOffset, usageCount } : others };
}

/** Jobs of a case; more show no more, and take long. */
const MAX_AGING_CASE_JOBS = 36;

/** A case of one of some kinds that may have an order. */
export function drawBaseCase(
  seed: number,
  draws: SeededDraws,
  bases: readonly ((seed: number) => RandomCase)[],
): RandomCase {
  const draw = draws.pick(bases);
  for (let from = seed; ; from += DISTANT_SEED_OFFSET) {
    const { jobs, options } = draw(from);
    const { discipline = 'fcfs', dynamic, reclaim, moldable } = options;
    const isOrdered = ['njf', 'wjf', 'sjf', 'ljf'].includes(discipline);
    if (!isOrdered && dynamic === undefined && !reclaim && moldable === undefined && jobs.length > 1)
      return { jobs: jobs.slice(0, MAX_AGING_CASE_JOBS), options };
  }
}

/** The case with users and groups, of which some are unknown. */
export function assignUsersAndGroups({ jobs, options }: RandomCase, draws: SeededDraws): RandomCase {
  const [users, groups] = [draws.between(1, 6), draws.between(1, 3)];
  const isKnown = draws.oneIn(2);
  const named = jobs.map((job): ReferenceJob => {
    const user = job.user ?? draws.below(users);
    const group = user % groups;
    return isKnown || !draws.oneIn(5) ? { ...job, user, group } : { ...job, group: -1 };
  });
  return { jobs: named, options };
}

/** True if the order may depend on use. */
function mayOrderDependOnUse(options: ReferenceOptions): boolean {
  const { multiSite, select, dependencies, queue } = options;
  if ((multiSite ?? select ?? dependencies) !== undefined) return false;
  return queue !== 'independent' || isPassPerEvent(options);
}

/** An order that changes with time; a plain one does not depend on use. */
function drawTimeDependentOrder(draws: SeededDraws, unit: number, isPlain: boolean): string {
  const time = () => draws.pick([unit, unit / 2, 10 * unit]);
  const weight = () => draws.pick([1, 10, 0.5, 1000]);
  const plain = [
    () => `-(wait * wait) / max(1, estimate)`,
    () => `${weight()} * processors - min(wait / ${time()}, ${weight()})`,
    () => `(wait > ${time()}) * -${weight()} + processors`,
    () => `(now - wait) * processors - sqrt(wait) * estimate`,
    () => `abs(wait - ${time()})`,
    () => `max(wait, ${time()}) / -max(1, estimate * processors)`,
    () => `-pow2(min(20, wait / ${time()})) * processors`,
    () => `(wait <= ${time()}) - (now >= ${time()}) * processors - wait * wait`,
    () => `-floor(wait / ${time()}) * ${weight()} + floor(-wait / ${time()})`,
    () => `-floor(${weight()} * min(1, wait / ${time()}) + ${weight()} * processors / siteProcessors)`,
    () => `ln(1 + wait) * -${weight()} - log10(max(1, estimate)) * log2(2 + wait)`,
  ];
  const byUse = [
    () => `-(${weight()} * min(1, wait / ${time()}) + ${weight()} * pow2(-usage / share))`,
    () => `usage`,
    () => `groupUsage * ${weight()} - wait / ${time()}`,
    () => `usage * ${weight()} + groupUsage - min(1, wait / ${time()})`,
    () => `running`,
    () => `running - wait / ${time()}`,
    () => `(running > ${draws.between(1, 8)}) * ${weight()} + usage`,
    () =>
      `-max(1, floor(${weight()} * floor(now / ${time()}) * (processors / siteProcessors) + ${weight()} * pow2(-usage / share)))`,
    () =>
      `-floor(${weight()} * min(1, max(0, floor((now - usageOffset) / usageStep) * usageStep + usageOffset - (submit - firstSubmit)) / ${time()}) + ${weight()} * pow2(-usage / share))`,
    () => `usage / share - pow2(groupUsage) * processors`,
    () => `share * processors - running * wait`,
    () => `(usage == 0) * -1 + (running != processors) * share`,
  ];
  return draws.pick(isPlain ? plain : byUse)();
}
