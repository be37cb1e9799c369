/** Rules for orders that change with time or use. */
import { dependsOnUse, isAgingExpression, isByUsage, type Order, usesUsageTimes } from './order.js';
import { hasOneOfValues, isNotDefault, type OptionCondition, type OptionRule } from './ruleKinds.js';

const ORDERS = ['order', 'backfillOrder'] as const;

const ordersThat = (holds: (order: Order) => boolean, words: string): readonly OptionCondition[] =>
  ORDERS.map((option) => ({ option, suchThat: { holds: (order) => holds(order as Order), words } }));

/** Orders whose keys are computed in each pass. */
const AGING = ordersThat(isAgingExpression, 'an order that changes with time');

/** Orders that depend on other jobs of users or groups. */
const BY_USE = ordersThat(dependsOnUse, 'an order by usage, share or running');

export const SHARE_RULES: readonly OptionRule[] = [
  {
    of: [isNotDefault('limit')],
    excludes: [
      isNotDefault('reclaim'),
      isNotDefault('moldable'),
      isNotDefault('multiSite'),
      isNotDefault('multiSiteFactor'),
      hasOneOfValues('select', 'optimal', 'non-adaptive'),
      isNotDefault('dependencies'),
      hasOneOfValues('cancelled', 'keep'),
    ],
    why: 'limits are defined for jobs that run once, on one site, and are submitted at known times',
  },
  {
    of: [isNotDefault('limit')],
    excludes: [hasOneOfValues('policy', 'dynamic')],
    why: 'the trials of candidates know no limits',
  },
  {
    of: AGING,
    excludes: [isNotDefault('reclaim'), isNotDefault('moldable')],
    why: 'the order changes with time, which no paper combines with these',
  },
  {
    of: AGING,
    excludes: [hasOneOfValues('policy', 'dynamic')],
    why: 'candidates are tried on one queue, in orders whose keys do not change',
  },
  {
    of: BY_USE,
    excludes: [
      isNotDefault('multiSite'),
      hasOneOfValues('select', 'optimal', 'non-adaptive'),
      isNotDefault('dependencies'),
      hasOneOfValues('cancelled', 'keep'),
    ],
    why: 'what a user uses is defined for jobs on one site, submitted at known times',
  },
  {
    of: BY_USE,
    and: [hasOneOfValues('queue', 'independent')],
    excludes: [
      hasOneOfValues('instant', 'batched'),
      isNotDefault('interval'),
      hasOneOfValues('reservations', 'kept'),
      isNotDefault('backfillInterval'),
      isNotDefault('passDelay'),
      isNotDefault('passGap'),
    ],
    why: 'use counts on all sites, whose passes then need one order of events',
  },
  {
    of: [isNotDefault('halfLife'), isNotDefault('usageCount')],
    and: [
      {
        option: 'backfillOrder',
        suchThat: { holds: (order) => !isByUsage(order as Order), words: 'another order' },
      },
    ],
    needs: {
      option: 'order',
      suchThat: { holds: (order) => isByUsage(order as Order), words: 'an order by usage or groupUsage' },
    },
    why: 'it is for an order by usage or groupUsage',
    isIdle: true,
  },
  {
    of: [isNotDefault('usageStep'), isNotDefault('usageOffset')],
    and: [
      {
        option: 'backfillOrder',
        suchThat: { holds: (order) => !usesUsageTimes(order as Order), words: 'another order' },
      },
    ],
    needs: {
      option: 'order',
      suchThat: {
        holds: (order) => usesUsageTimes(order as Order),
        words: 'an order by usage, groupUsage or ages of multifactor',
      },
    },
    why: 'these are computed at such times',
    isIdle: true,
  },
];

/** Options of a scheduler, by name, without the times that have no effect in another order than its own. */
export function withoutIdleTimes(
  order: string | undefined,
  options: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const isIdle = (name: string) =>
    order !== undefined &&
    ((name === 'usage-step' && !usesUsageTimes(order)) ||
      (['half-life', 'usage-count'].includes(name) && !isByUsage(order)));
  return Object.fromEntries(Object.entries(options).filter(([name]) => !isIdle(name)));
}
