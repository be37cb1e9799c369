import { hasOneOfValues, isNotDefault, type OptionRule } from './ruleKinds.js';

/** Rule for partitions. */
export const PARTITION_RULES: readonly OptionRule[] = [
  {
    of: [isNotDefault('partitionSites')],
    excludes: [
      hasOneOfValues('queue', 'independent'),
      isNotDefault('reclaim'),
      isNotDefault('moldable'),
      isNotDefault('multiSite'),
      isNotDefault('multiSiteFactor'),
      hasOneOfValues('select', 'optimal', 'non-adaptive'),
      hasOneOfValues('planBy', 'node'),
      hasOneOfValues('policy', 'dynamic'),
    ],
    why: 'no rule says what partitions mean for it',
  },
];
