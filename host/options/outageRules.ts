/** Rules for outages. */
import type { Estimates } from '../workload/estimates.js';
import { areRefreshed } from '../workload/estimates.js';
import { hasOneOfValues, isNotDefault, type OptionRule } from './ruleKinds.js';
import { BY_USE } from './shareRules.js';

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
      hasOneOfValues('planBy', 'node'),
      hasOneOfValues('policy', 'dynamic'),
      isNotDefault('limit'),
      ...BY_USE,
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
    of: [isNotDefault('onOutage')],
    needs: isNotDefault('outages'),
    why: 'it is for outages',
    isIdle: true,
  },
];
