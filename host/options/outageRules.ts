/** Rules on combinations of outage options. */
import type { Estimates } from '../workload/estimates.js';
import { areEstimatesRefreshed } from '../workload/estimates.js';
import { type OptionRule, optionIsOneOf, optionIsSet } from './ruleKinds.js';

export const OUTAGE_RULES: readonly OptionRule[] = [
  {
    of: [optionIsSet('outages')],
    excludes: [
      optionIsSet('reclaim'),
      optionIsSet('moldable'),
      optionIsSet('multiSite'),
      optionIsSet('multiSiteFactor'),
      optionIsOneOf('select', 'optimal', 'non-adaptive'),
      optionIsSet('interval'),
      optionIsOneOf('policy', 'dynamic'),
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
    needs: optionIsOneOf('planBy', 'node'),
    why: 'it names nodes, and only plans by nodes know which processors are away',
  },
  {
    of: [optionIsSet('onOutage')],
    needs: optionIsSet('outages'),
    why: 'it is for outages',
    isIdle: true,
  },
];
