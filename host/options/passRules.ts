/** Rules for the options of times of passes, and of plans by nodes. */
import {
  BACKFILLING_CONDITION,
  type OptionRule,
  optionHasOneOfValues,
  optionNotDefault,
  siteCountAbove,
} from './ruleKinds.js';

export const PASS_RULES: readonly OptionRule[] = [
  {
    of: [optionNotDefault('backfillInterval'), optionNotDefault('passDelay'), optionNotDefault('passGap')],
    excludes: [optionNotDefault('interval')],
    why: (naming) => `${naming('interval')} already says when passes come`,
  },
  {
    of: [optionNotDefault('backfillInterval'), optionNotDefault('passDelay'), optionNotDefault('passGap')],
    excludes: [optionHasOneOfValues('policy', 'dynamic')],
    why: 'trials have no rule for it',
  },
  {
    of: [optionNotDefault('backfillInterval'), optionNotDefault('passDelay'), optionNotDefault('passGap')],
    excludes: [optionHasOneOfValues('reservations', 'kept')],
    why: 'a kept reservation starts its job at its own time',
  },
  {
    of: [optionNotDefault('backfillInterval')],
    needs: optionHasOneOfValues('discipline', 'first-available', 'easy', 'conservative'),
    why: 'the other disciplines do not backfill',
  },
  {
    of: [optionNotDefault('backfillOffset')],
    needs: optionNotDefault('backfillInterval'),
    why: 'it says when the first such pass comes',
    isIdle: true,
  },
  {
    of: [optionHasOneOfValues('planBy', 'node')],
    needs: optionNotDefault('backfillInterval'),
    why: 'nodes are planned in passes that backfill',
  },
  {
    of: [optionHasOneOfValues('planBy', 'node')],
    needs: BACKFILLING_CONDITION,
    why: 'only backfilling plans ahead',
  },
  {
    of: [optionHasOneOfValues('planBy', 'node')],
    excludes: [
      optionHasOneOfValues('select', 'non-adaptive'),
      optionNotDefault('multiSiteFactor'),
      optionNotDefault('bandwidth'),
    ],
    why: 'a job gets nodes of the one site',
  },
  {
    of: [optionHasOneOfValues('planBy', 'node')],
    excludes: [siteCountAbove(() => 1)],
    why: 'nodes are those of one machine',
  },
  {
    of: [
      optionNotDefault('endWindow'),
      optionNotDefault('backfillOverlap'),
      optionNotDefault('backfillResolution'),
    ],
    needs: optionNotDefault('backfillInterval'),
    why: 'it is a rule of the plans of such passes',
  },
  {
    of: [
      optionNotDefault('endWindow'),
      optionNotDefault('backfillOverlap'),
      optionNotDefault('backfillResolution'),
    ],
    needs: BACKFILLING_CONDITION,
    why: 'only backfilling plans ahead',
  },
  {
    of: [
      optionNotDefault('backfillJobs'),
      optionNotDefault('backfillSegments'),
      optionNotDefault('backfillWindow'),
      optionNotDefault('processorsPerNode'),
      optionNotDefault('releaseDelay'),
    ],
    needs: optionHasOneOfValues('planBy', 'node'),
    why: 'it is a rule of plans by nodes',
  },
];
