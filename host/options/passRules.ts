/** Rules on combinations of options for scheduling passes and plans by nodes. */
import { loadCoreConstants } from '../core/module.js';
import { InputError } from '../errors.js';
import { formatCount } from '../format/numbers.js';
import type { Grid } from '../grid/grid.js';
import type { Naming } from './options.js';
import {
  BACKFILLING_CONDITION,
  makeOptionIsGivenCondition,
  makeOptionIsOneOfCondition,
  makeOptionIsSetCondition,
  makeSiteCountAboveCondition,
  type OptionRule,
  SHARED_QUEUE_CONDITION,
} from './ruleKinds.js';

export const PASS_RULES: readonly OptionRule[] = [
  {
    of: [
      makeOptionIsSetCondition('backfillInterval'),
      makeOptionIsSetCondition('passDelay'),
      makeOptionIsSetCondition('passGap'),
    ],
    excludes: [makeOptionIsSetCondition('interval')],
    why: (naming) => `${naming('interval')} already says when passes come`,
  },
  {
    of: [
      makeOptionIsSetCondition('backfillInterval'),
      makeOptionIsSetCondition('passDelay'),
      makeOptionIsSetCondition('passGap'),
    ],
    excludes: [makeOptionIsOneOfCondition('policy', 'dynamic')],
    why: 'trials have no rule for it',
  },
  {
    of: [makeOptionIsSetCondition('passDelay'), makeOptionIsSetCondition('passGap')],
    and: [makeOptionIsOneOfCondition('reservations', 'kept')],
    needs: makeOptionIsSetCondition('backfillInterval'),
    why: 'a kept reservation begins at a pass, and only backfill passes have times that are known before',
  },
  {
    of: [makeOptionIsSetCondition('backfillInterval')],
    needs: makeOptionIsOneOfCondition('discipline', 'first-available', 'easy', 'conservative'),
    why: 'the other disciplines do not backfill',
  },
  {
    of: [makeOptionIsSetCondition('backfillOffset')],
    needs: makeOptionIsSetCondition('backfillInterval'),
    why: 'it says when the first such pass comes',
    isIdle: true,
  },
  {
    of: [makeOptionIsOneOfCondition('planBy', 'node')],
    needs: makeOptionIsSetCondition('backfillInterval'),
    why: 'nodes are planned in passes that backfill',
  },
  {
    of: [makeOptionIsOneOfCondition('planBy', 'node')],
    needs: BACKFILLING_CONDITION,
    why: 'only backfilling plans ahead',
  },
  {
    of: [makeOptionIsOneOfCondition('planBy', 'node')],
    excludes: [
      makeOptionIsOneOfCondition('select', 'non-adaptive'),
      makeOptionIsSetCondition('multiSiteFactor'),
      makeOptionIsSetCondition('bandwidth'),
    ],
    why: 'a job gets nodes of one site, and runs there for its length on it',
  },
  {
    of: [
      makeOptionIsOneOfCondition('planBy', 'node'),
      makeOptionIsSetCondition('endWindow'),
      makeOptionIsSetCondition('backfillOverlap'),
      makeOptionIsSetCondition('backfillResolution'),
    ],
    excludes: [makeOptionIsOneOfCondition('reservations', 'kept')],
    why: 'it is a rule of plans that each pass makes again',
  },
  {
    of: [makeOptionIsOneOfCondition('planBy', 'node')],
    and: [SHARED_QUEUE_CONDITION, makeSiteCountAboveCondition(() => 1)],
    needs: makeOptionIsGivenCondition('policy'),
    why: 'a policy chooses among the sites on which a job finds nodes now',
  },
  {
    of: [
      makeOptionIsSetCondition('endWindow'),
      makeOptionIsSetCondition('backfillOverlap'),
      makeOptionIsSetCondition('backfillResolution'),
    ],
    needs: makeOptionIsSetCondition('backfillInterval'),
    why: 'it is a rule of the plans of such passes',
  },
  {
    of: [
      makeOptionIsSetCondition('endWindow'),
      makeOptionIsSetCondition('backfillOverlap'),
      makeOptionIsSetCondition('backfillResolution'),
    ],
    needs: BACKFILLING_CONDITION,
    why: 'only backfilling plans ahead',
  },
  {
    of: [
      makeOptionIsSetCondition('backfillJobs'),
      makeOptionIsSetCondition('backfillSegments'),
      makeOptionIsSetCondition('backfillWindow'),
      makeOptionIsSetCondition('processorsPerNode'),
      makeOptionIsSetCondition('releaseDelay'),
    ],
    needs: makeOptionIsOneOfCondition('planBy', 'node'),
    why: 'it is a rule of plans by nodes',
  },
];

/**
 * Refuses a grid that is too large for plans by nodes.
 * @throws InputError for more processors on all sites together than the core plans.
 */
export function checkGridOfNodePlans(
  { capacities }: Grid,
  { planBy }: { readonly planBy: string },
  naming: Naming,
): void {
  if (planBy !== 'node') return;
  const processors = capacities.reduce((sum, capacity) => sum + capacity, 0);
  const maxProcessors = loadCoreConstants().Limit.Nodes;
  if (processors <= maxProcessors) return;
  throw new InputError(
    `${naming('planBy', 'node')} is for at most ${formatCount(maxProcessors, 'processor')} on all sites together, found ${formatCount(processors, 'processor')}; give smaller ${naming('sites')}, or ${naming('planBy', 'count')}`,
  );
}
