/** Rules for limits on users and groups, and for orders that depend on time or usage. */
import {
  dependsOnOtherJobs,
  dependsOnUsage,
  dependsOnUsageTimes,
  isTimeDependentOrder,
  type Order,
} from './order.js';
import {
  makeOptionIsOneOfCondition,
  makeOptionIsSetCondition,
  type OptionCondition,
  type OptionRule,
} from './ruleKinds.js';

const ORDER_OPTION_KEYS = ['order', 'backfillOrder'] as const;

const makeOrderConditions = (
  isOrderSatisfying: (order: Order) => boolean,
  satisfyingOrdersText: string,
): readonly OptionCondition[] =>
  ORDER_OPTION_KEYS.map((option) => ({
    option,
    suchThat: { isSatisfiedBy: (order) => isOrderSatisfying(order as Order), words: satisfyingOrdersText },
  }));

/** Orders whose keys are computed in each pass. */
const TIME_DEPENDENT_ORDER_CONDITIONS = makeOrderConditions(
  isTimeDependentOrder,
  'an order that changes with time',
);

/** Conditions: orders that depend on other jobs of users or groups. */
const USE_DEPENDENT_ORDER_CONDITIONS = makeOrderConditions(
  dependsOnOtherJobs,
  'an order by usage, share or running',
);

/**
 * Rules on options that exclude or need each other, for limits and for orders that depend on time, usage or
 * other jobs.
 */
export const LIMIT_AND_ORDER_RULES: readonly OptionRule[] = [
  {
    of: [makeOptionIsSetCondition('limit')],
    excludes: [
      makeOptionIsSetCondition('reclaim'),
      makeOptionIsSetCondition('moldable'),
      makeOptionIsSetCondition('multiSite'),
      makeOptionIsSetCondition('multiSiteFactor'),
      makeOptionIsOneOfCondition('select', 'optimal', 'non-adaptive'),
      makeOptionIsSetCondition('dependencies'),
      makeOptionIsOneOfCondition('cancelled', 'keep'),
    ],
    why: 'limits are defined for jobs that run once, on one site, and are submitted at known times',
  },
  {
    of: [makeOptionIsSetCondition('limit')],
    excludes: [makeOptionIsOneOfCondition('policy', 'dynamic')],
    why: 'the trials of candidates know no limits',
  },
  {
    of: TIME_DEPENDENT_ORDER_CONDITIONS,
    excludes: [makeOptionIsSetCondition('reclaim'), makeOptionIsSetCondition('moldable')],
    why: 'the order changes with time, which no paper combines with these',
  },
  {
    of: TIME_DEPENDENT_ORDER_CONDITIONS,
    excludes: [makeOptionIsOneOfCondition('policy', 'dynamic')],
    why: 'candidates are tried on one queue, in orders whose keys do not change',
  },
  {
    of: USE_DEPENDENT_ORDER_CONDITIONS,
    excludes: [
      makeOptionIsSetCondition('multiSite'),
      makeOptionIsOneOfCondition('select', 'optimal', 'non-adaptive'),
      makeOptionIsSetCondition('dependencies'),
      makeOptionIsOneOfCondition('cancelled', 'keep'),
    ],
    why: 'what a user uses is defined for jobs on one site, submitted at known times',
  },
  {
    of: USE_DEPENDENT_ORDER_CONDITIONS,
    and: [makeOptionIsOneOfCondition('queue', 'independent')],
    excludes: [
      makeOptionIsOneOfCondition('instant', 'batched'),
      makeOptionIsSetCondition('interval'),
      makeOptionIsOneOfCondition('reservations', 'kept'),
      makeOptionIsSetCondition('backfillInterval'),
      makeOptionIsSetCondition('passDelay'),
      makeOptionIsSetCondition('passGap'),
    ],
    why: 'use counts on all sites, whose passes then need one order of events',
  },
  {
    of: [makeOptionIsOneOfCondition('usageCount', 'by-number')],
    excludes: [
      {
        option: 'halfLife',
        suchThat: { isSatisfiedBy: (halfLife) => Number(halfLife) < 1, words: 'a half-life below 1 s' },
      },
    ],
    why: 'usage by number decays every second, for which a half-life must be at least 1 s',
    remedy: 'give a longer half-life',
  },
  {
    of: [makeOptionIsSetCondition('halfLife'), makeOptionIsSetCondition('usageCount')],
    and: [
      {
        option: 'backfillOrder',
        suchThat: { isSatisfiedBy: (order) => !dependsOnUsage(order as Order), words: 'another order' },
      },
    ],
    needs: {
      option: 'order',
      suchThat: {
        isSatisfiedBy: (order) => dependsOnUsage(order as Order),
        words: 'an order by usage or groupUsage',
      },
    },
    why: 'it is for an order by usage or groupUsage',
    isIdle: true,
  },
  {
    of: [makeOptionIsSetCondition('usageStep'), makeOptionIsSetCondition('usageOffset')],
    and: [
      {
        option: 'backfillOrder',
        suchThat: { isSatisfiedBy: (order) => !dependsOnUsageTimes(order as Order), words: 'another order' },
      },
    ],
    needs: {
      option: 'order',
      suchThat: {
        isSatisfiedBy: (order) => dependsOnUsageTimes(order as Order),
        words: 'an order by usage, groupUsage or ages of multifactor',
      },
    },
    why: 'these are computed at such times',
    isIdle: true,
  },
];

/**
 * Options of a scheduler, by name, without those for usage that have no effect since its order is replaced.
 * @param orders orders that replace it; none: it is not replaced.
 */
export function omitUnusedUsageOptions(
  orders: readonly string[],
  options: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const isOptionUnused = (optionName: string) =>
    orders.length > 0 &&
    ((optionName === 'usage-step' && !orders.some(dependsOnUsageTimes)) ||
      (['half-life', 'usage-count'].includes(optionName) && !orders.some(dependsOnUsage)));
  return Object.fromEntries(Object.entries(options).filter(([optionName]) => !isOptionUnused(optionName)));
}
