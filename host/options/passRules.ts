/** Rules for the options of times of passes, and of plans by nodes. */
import {
  BACKFILLING_CONDITION,
  hasMoreSitesThan,
  hasOneOfValues,
  isNotDefault,
  type OptionRule,
} from './ruleKinds.js';

export const PASS_RULES: readonly OptionRule[] = [
  {
    of: [isNotDefault('backfillInterval'), isNotDefault('passDelay'), isNotDefault('passGap')],
    excludes: [isNotDefault('interval')],
    why: (naming) => `${naming('interval')} already says when passes come`,
  },
  {
    of: [isNotDefault('backfillInterval'), isNotDefault('passDelay'), isNotDefault('passGap')],
    excludes: [hasOneOfValues('policy', 'dynamic')],
    why: 'trials have no rule for it',
  },
  {
    of: [isNotDefault('backfillInterval'), isNotDefault('passDelay'), isNotDefault('passGap')],
    excludes: [hasOneOfValues('reservations', 'kept')],
    why: 'a kept reservation starts its job at its own time',
  },
  {
    of: [isNotDefault('backfillInterval')],
    needs: hasOneOfValues('discipline', 'first-available', 'easy', 'conservative'),
    why: 'the other disciplines do not backfill',
  },
  {
    of: [isNotDefault('backfillOffset')],
    needs: isNotDefault('backfillInterval'),
    why: 'it says when the first such pass comes',
    isIdle: true,
  },
  {
    of: [hasOneOfValues('planBy', 'node')],
    needs: isNotDefault('backfillInterval'),
    why: 'nodes are planned in passes that backfill',
  },
  {
    of: [hasOneOfValues('planBy', 'node')],
    needs: BACKFILLING_CONDITION,
    why: 'only backfilling plans ahead',
  },
  {
    of: [hasOneOfValues('planBy', 'node')],
    excludes: [
      hasOneOfValues('select', 'non-adaptive'),
      isNotDefault('multiSiteFactor'),
      isNotDefault('bandwidth'),
    ],
    why: 'a job gets nodes of the one site',
  },
  {
    of: [hasOneOfValues('planBy', 'node')],
    excludes: [hasMoreSitesThan(() => 1)],
    why: 'nodes are those of one machine',
  },
  {
    of: [isNotDefault('endWindow'), isNotDefault('backfillOverlap'), isNotDefault('backfillResolution')],
    needs: isNotDefault('backfillInterval'),
    why: 'it is a rule of the plans of such passes',
  },
  {
    of: [isNotDefault('endWindow'), isNotDefault('backfillOverlap'), isNotDefault('backfillResolution')],
    needs: BACKFILLING_CONDITION,
    why: 'only backfilling plans ahead',
  },
  {
    of: [
      isNotDefault('backfillJobs'),
      isNotDefault('backfillSegments'),
      isNotDefault('backfillWindow'),
      isNotDefault('processorsPerNode'),
      isNotDefault('releaseDelay'),
    ],
    needs: hasOneOfValues('planBy', 'node'),
    why: 'it is a rule of plans by nodes',
  },
];
