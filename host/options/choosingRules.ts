/** What goes together with a policy that is chosen as a run goes on, and where nobody knows how long jobs run. */
import { type Condition, is, type OptionRule, set } from './conditions.js';
import { isByEstimate, isOrderFunction, type Order } from './order.js';
import { SHORT_FORMS } from './run.js';

/** Disciplines that are short for an order by estimates. */
const SHORT_FOR_ESTIMATES = Object.entries(SHORT_FORMS)
  .filter(([, order]) => isByEstimate(order))
  .map(([word]) => word);

/** What decides by estimates. A function may: it shows when it reads one. */
export const BY_ESTIMATE: readonly Condition[] = [
  is('discipline', 'easy', 'conservative', ...SHORT_FOR_ESTIMATES),
  {
    option: 'order',
    suchThat: {
      holds: (order) => !isOrderFunction(order as Order) && isByEstimate(order as Order),
      words: 'an order by `estimate`',
    },
  },
  set('moldableThreshold'),
];

/** Where nobody knows how long jobs run. */
export const WITHOUT_ESTIMATES: OptionRule = {
  of: [is('estimates', 'none')],
  excludes: BY_ESTIMATE,
  why: 'nobody knows then how long jobs will run',
};

/** Behind all other rules. */
export const CHOOSING_RULES: readonly OptionRule[] = [
  WITHOUT_ESTIMATES,
  {
    of: [is('policy', 'dynamic')],
    excludes: [
      is('queue', 'per-home', 'independent'),
      set('multiSite'),
      set('interval'),
      is('order', 'wfp3'),
      is('backfillOrder', 'wfp3'),
    ],
    why: 'candidates are tried on one queue, in orders whose keys stay',
  },
  {
    of: [is('policy', 'dynamic')],
    excludes: [set('dependencies')],
    why: 'candidates are tried on the jobs that wait, without those that come after their ends',
  },
];
