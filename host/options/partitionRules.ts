import { type OptionRule, optionHasOneOfValues, optionNotDefault } from './ruleKinds.js';

/** Rule for partitions. */
export const PARTITION_RULES: readonly OptionRule[] = [
  {
    of: [optionNotDefault('partitionSites')],
    excludes: [
      optionHasOneOfValues('queue', 'independent'),
      optionNotDefault('reclaim'),
      optionNotDefault('moldable'),
      optionNotDefault('multiSite'),
      optionNotDefault('multiSiteFactor'),
      optionHasOneOfValues('select', 'optimal', 'non-adaptive'),
      optionHasOneOfValues('planBy', 'node'),
      optionHasOneOfValues('policy', 'dynamic'),
    ],
    why: 'no rule says what partitions mean for it',
  },
];
