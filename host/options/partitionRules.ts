import { type OptionRule, optionIsOneOf, optionIsSet } from './ruleKinds.js';

/** Rule for partitions. */
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
      optionIsOneOf('planBy', 'node'),
      optionIsOneOf('policy', 'dynamic'),
    ],
    why: 'no rule says what partitions mean for it',
  },
];
