/** Rules for outages. */
import type { Estimates } from '../workload/estimates.js';
import { areRefreshed } from '../workload/estimates.js';
import { hasOneOfValues, isNotDefault, type OptionRule } from './ruleKinds.js';

export const OUTAGE_RULES: readonly OptionRule[] = [
  {
    of: [isNotDefault('outages')],
    excludes: [
      isNotDefault('reclaim'),
      isNotDefault('moldable'),
      isNotDefault('multiSite'),
      isNotDefault('multiSiteFactor'),
      hasOneOfValues('select', 'optimal', 'non-adaptive'),
      isNotDefault('interval'),
      hasOneOfValues('policy', 'dynamic'),
      {
        option: 'estimates',
        suchThat: {
          holds: (estimates) => areRefreshed(estimates as Estimates),
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
        suchThat: { holds: (outages) => /x\[/.test(String(outages)), words: 'of nodes' },
      },
    ],
    excludes: [hasOneOfValues('planBy', 'count')],
    why: 'only plans by nodes know which processors are away',
  },
  {
    of: [isNotDefault('onOutage')],
    needs: isNotDefault('outages'),
    why: 'it is for outages',
    isIdle: true,
  },
];
