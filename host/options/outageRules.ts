/** Rules on combinations of outage options. */
import type { Estimates } from '../workload/estimates.js';
import { areEstimatesRefreshed } from '../workload/estimates.js';
import { makeOptionIsOneOfCondition, makeOptionIsSetCondition, type OptionRule } from './ruleKinds.js';

export const OUTAGE_RULES: readonly OptionRule[] = [
  {
    of: [makeOptionIsSetCondition('outages')],
    excludes: [
      makeOptionIsSetCondition('reclaim'),
      makeOptionIsSetCondition('moldable'),
      makeOptionIsSetCondition('multiSite'),
      makeOptionIsSetCondition('multiSiteFactor'),
      makeOptionIsOneOfCondition('select', 'optimal', 'non-adaptive'),
      makeOptionIsSetCondition('interval'),
      makeOptionIsOneOfCondition('policy', 'dynamic'),
      {
        option: 'estimates',
        suchThat: {
          isSatisfiedBy: (estimates) => areEstimatesRefreshed(estimates as Estimates),
          words: '`recent` with `refresh=yes`',
        },
      },
    ],
    why: 'no rule says what an outage means for it',
  },
  {
    of: [
      {
        option: 'outages',
        suchThat: { isSatisfiedBy: (outages) => /x\[/.test(String(outages)), words: 'of nodes' },
      },
    ],
    needs: makeOptionIsOneOfCondition('planBy', 'node'),
    why: 'it names nodes, and only plans by nodes know which processors are away',
  },
  {
    of: [makeOptionIsSetCondition('onOutage')],
    needs: makeOptionIsSetCondition('outages'),
    why: 'it is for outages',
    isIdle: true,
  },
];
