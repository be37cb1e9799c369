/** Rules for outages. */
import type { Estimates } from '../workload/estimates.js';
import { areEstimatesRefreshed } from '../workload/estimates.js';
import { type OptionRule, optionHasOneOfValues, optionNotDefault } from './ruleKinds.js';

export const OUTAGE_RULES: readonly OptionRule[] = [
  {
    of: [optionNotDefault('outages')],
    excludes: [
      optionNotDefault('reclaim'),
      optionNotDefault('moldable'),
      optionNotDefault('multiSite'),
      optionNotDefault('multiSiteFactor'),
      optionHasOneOfValues('select', 'optimal', 'non-adaptive'),
      optionNotDefault('interval'),
      optionHasOneOfValues('policy', 'dynamic'),
      {
        option: 'estimates',
        suchThat: {
          holds: (estimates) => areEstimatesRefreshed(estimates as Estimates),
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
    excludes: [optionHasOneOfValues('planBy', 'count')],
    why: 'only plans by nodes know which processors are away',
  },
  {
    of: [optionNotDefault('onOutage')],
    needs: optionNotDefault('outages'),
    why: 'it is for outages',
    isIdle: true,
  },
];
