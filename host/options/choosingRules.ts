/** What goes together with a policy that is chosen as a run goes on, and where nobody knows how long jobs run. */
import { is, type OptionRule, set } from './conditions.js';

/** Orders whose keys go by estimates. */
const BY_ESTIMATE = ['shortest', 'longest', 'smallest-area', 'largest-area', 'wfp3', 'f1', 'f2', 'f3', 'f4'];

/** Behind all other rules. */
export const CHOOSING_RULES: readonly OptionRule[] = [
  {
    of: [is('estimates', 'none')],
    excludes: [
      is('discipline', 'easy', 'conservative', 'sjf', 'ljf'),
      is('order', ...BY_ESTIMATE),
      set('moldableThreshold'),
    ],
    why: 'nobody knows then how long jobs will run',
  },
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
