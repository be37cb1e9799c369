/** Rules for the options of times of passes, and of plans by nodes. */
import { BACKFILLING, hasOneOf, notDefault, type OptionRule, sitesAbove } from './ruleKinds.js';

export const PASS_RULES: readonly OptionRule[] = [
  {
    of: [notDefault('backfillInterval'), notDefault('passDelay'), notDefault('passGap')],
    excludes: [notDefault('interval')],
    why: (naming) => `${naming('interval')} already says when passes come`,
  },
  {
    of: [notDefault('backfillInterval'), notDefault('passDelay'), notDefault('passGap')],
    excludes: [hasOneOf('queue', 'independent'), hasOneOf('policy', 'dynamic')],
    why: 'passes are those of one queue, and trials have no rule for it',
  },
  {
    of: [notDefault('backfillInterval'), notDefault('passDelay'), notDefault('passGap')],
    excludes: [hasOneOf('reservations', 'kept')],
    why: 'a kept reservation starts its job at its own time',
  },
  {
    of: [notDefault('backfillInterval')],
    needs: hasOneOf('discipline', 'first-available', 'easy', 'conservative'),
    why: 'the other disciplines do not backfill',
  },
  {
    of: [notDefault('backfillOffset')],
    needs: notDefault('backfillInterval'),
    why: 'it says when the first such pass comes',
    isIdle: true,
  },
  {
    of: [hasOneOf('planBy', 'node')],
    needs: notDefault('backfillInterval'),
    why: 'nodes are planned in passes that backfill',
  },
  {
    of: [hasOneOf('planBy', 'node')],
    needs: BACKFILLING,
    why: 'only backfilling plans ahead',
  },
  {
    of: [hasOneOf('planBy', 'node')],
    excludes: [hasOneOf('select', 'non-adaptive'), notDefault('multiSiteFactor'), notDefault('bandwidth')],
    why: 'a job gets nodes of the one site',
  },
  {
    of: [hasOneOf('planBy', 'node')],
    excludes: [sitesAbove(() => 1)],
    why: 'nodes are those of one machine',
  },
  {
    of: [
      notDefault('endWindow'),
      notDefault('backfillOverlap'),
      notDefault('backfillResolution'),
      notDefault('backfillJobs'),
      notDefault('backfillSegments'),
      notDefault('backfillWindow'),
      notDefault('processorsPerNode'),
      notDefault('releaseDelay'),
    ],
    needs: hasOneOf('planBy', 'node'),
    why: 'it is a rule of plans by nodes',
  },
];
