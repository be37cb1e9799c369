import { type OptionRule, optionIsOneOf, optionIsSet } from './ruleKinds.js';

/** Rules on combinations of the partition option. */
export const PARTITION_RULES: readonly OptionRule[] = [
  {
    of: [optionIsSet('partitionSites')],
    excludes: [
      optionIsOneOf('queue', 'independent'),
      optionIsSet('reclaim'),
      optionIsSet('moldable'),
      optionIsSet('multiSite'),
      optionIsSet('multiSiteFactor'),
      optionIsOneOf('select', 'optimal', 'non-adaptive'),
      optionIsOneOf('policy', 'dynamic'),
    ],
    why: 'no rule says what partitions mean for it',
  },
];
