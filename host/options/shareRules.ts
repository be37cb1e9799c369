/** Rules for limits on users and groups, and for orders that depend on time or usage. */
import {
  dependsOnOtherJobs,
  dependsOnUsage,
  dependsOnUsageTimes,
  isTimeDependentOrder,
  type Order,
} from './order.js';
import { type OptionCondition, type OptionRule, optionIsOneOf, optionIsSet } from './ruleKinds.js';

const ORDER_OPTION_KEYS = ['order', 'backfillOrder'] as const;

const ordersSatisfying = (
  isSatisfied: (order: Order) => boolean,
  orderWords: string,
): readonly OptionCondition[] =>
  ORDER_OPTION_KEYS.map((option) => ({
    option,
    suchThat: { isSatisfiedBy: (order) => isSatisfied(order as Order), words: orderWords },
  }));

/** Orders whose keys are computed in each pass. */
const TIME_DEPENDENT_ORDER_CONDITIONS = ordersSatisfying(
  isTimeDependentOrder,
  'an order that changes with time',
);

/** Conditions: orders that depend on other jobs of users or groups. */
const USE_DEPENDENT_ORDER_CONDITIONS = ordersSatisfying(
  dependsOnOtherJobs,
  'an order by usage, share or running',
);

/**
 * Rules on options that exclude or need each other, for limits and for orders that depend on time, usage or
 * other jobs.
 */
export const LIMIT_AND_ORDER_RULES: readonly OptionRule[] = [
  {
    of: [optionIsSet('limit')],
    excludes: [
      optionIsSet('reclaim'),
      optionIsSet('moldable'),
      optionIsSet('multiSite'),
      optionIsSet('multiSiteFactor'),
      optionIsOneOf('select', 'optimal', 'non-adaptive'),
      optionIsSet('dependencies'),
      optionIsOneOf('cancelled', 'keep'),
    ],
    why: 'limits are defined for jobs that run once, on one site, and are submitted at known times',
  },
  {
    of: [optionIsSet('limit')],
    excludes: [optionIsOneOf('policy', 'dynamic')],
    why: 'the trials of candidates know no limits',
  },
  {
    of: TIME_DEPENDENT_ORDER_CONDITIONS,
    excludes: [optionIsSet('reclaim'), optionIsSet('moldable')],
    why: 'the order changes with time, which no paper combines with these',
  },
  {
    of: TIME_DEPENDENT_ORDER_CONDITIONS,
    excludes: [optionIsOneOf('policy', 'dynamic')],
    why: 'candidates are tried on one queue, in orders whose keys do not change',
  },
  {
    of: USE_DEPENDENT_ORDER_CONDITIONS,
    excludes: [
      optionIsSet('multiSite'),
      optionIsOneOf('select', 'optimal', 'non-adaptive'),
      optionIsSet('dependencies'),
      optionIsOneOf('cancelled', 'keep'),
    ],
    why: 'what a user uses is defined for jobs on one site, submitted at known times',
  },
  {
    of: USE_DEPENDENT_ORDER_CONDITIONS,
    and: [optionIsOneOf('queue', 'independent')],
    excludes: [
      optionIsOneOf('instant', 'batched'),
      optionIsSet('interval'),
      optionIsOneOf('reservations', 'kept'),
      optionIsSet('backfillInterval'),
      optionIsSet('passDelay'),
      optionIsSet('passGap'),
    ],
    why: 'use counts on all sites, whose passes then need one order of events',
  },
  {
    of: [optionIsOneOf('usageCount', 'by-number')],
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
    of: [optionIsSet('halfLife'), optionIsSet('usageCount')],
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
    of: [optionIsSet('usageStep'), optionIsSet('usageOffset')],
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
  const isIdle = (optionName: string) =>
    orders.length > 0 &&
    ((optionName === 'usage-step' && !orders.some(dependsOnUsageTimes)) ||
      (['half-life', 'usage-count'].includes(optionName) && !orders.some(dependsOnUsage)));
  return Object.fromEntries(Object.entries(options).filter(([optionName]) => !isIdle(optionName)));
}
