import { makeOptionIsOneOfCondition, makeOptionIsSetCondition, type OptionRule } from './ruleKinds.js';

/** Rules on combinations of the partition option. */
export const PARTITION_RULES: readonly OptionRule[] = [
  {
    of: [makeOptionIsSetCondition('partitionSites')],
    excludes: [
      makeOptionIsOneOfCondition('queue', 'independent'),
      makeOptionIsSetCondition('reclaim'),
      makeOptionIsSetCondition('moldable'),
      makeOptionIsSetCondition('multiSite'),
      makeOptionIsSetCondition('multiSiteFactor'),
      makeOptionIsOneOfCondition('select', 'optimal', 'non-adaptive'),
      makeOptionIsOneOfCondition('policy', 'dynamic'),
    ],
    why: 'no rule says what partitions mean for it',
  },
];
