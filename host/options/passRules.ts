/** Rules on combinations of options for scheduling passes and plans by nodes. */
import { coreConstants } from '../core/module.js';
import { InputError } from '../errors.js';
import { formatCount } from '../format/numbers.js';
import type { Grid } from '../grid/grid.js';
import type { Naming } from './options.js';
import {
  BACKFILLING_CONDITION,
  type OptionRule,
  optionIsGiven,
  optionIsOneOf,
  optionIsSet,
  SHARED_QUEUE_CONDITION,
  siteCountAbove,
} from './ruleKinds.js';

export const PASS_RULES: readonly OptionRule[] = [
  {
    of: [optionIsSet('backfillInterval'), optionIsSet('passDelay'), optionIsSet('passGap')],
    excludes: [optionIsSet('interval')],
    why: (naming) => `${naming('interval')} already says when passes come`,
  },
  {
    of: [optionIsSet('backfillInterval'), optionIsSet('passDelay'), optionIsSet('passGap')],
    excludes: [optionIsOneOf('policy', 'dynamic')],
    why: 'trials have no rule for it',
  },
  {
    of: [optionIsSet('passDelay'), optionIsSet('passGap')],
    and: [optionIsOneOf('reservations', 'kept')],
    needs: optionIsSet('backfillInterval'),
    why: 'a kept reservation begins at a pass, and only backfill passes have times that are known before',
  },
  {
    of: [optionIsSet('backfillInterval')],
    needs: optionIsOneOf('discipline', 'first-available', 'easy', 'conservative'),
    why: 'the other disciplines do not backfill',
  },
  {
    of: [optionIsSet('backfillOffset')],
    needs: optionIsSet('backfillInterval'),
    why: 'it says when the first such pass comes',
    isIdle: true,
  },
  {
    of: [optionIsOneOf('planBy', 'node')],
    needs: optionIsSet('backfillInterval'),
    why: 'nodes are planned in passes that backfill',
  },
  {
    of: [optionIsOneOf('planBy', 'node')],
    needs: BACKFILLING_CONDITION,
    why: 'only backfilling plans ahead',
  },
  {
    of: [optionIsOneOf('planBy', 'node')],
    excludes: [
      optionIsOneOf('select', 'non-adaptive'),
      optionIsSet('multiSiteFactor'),
      optionIsSet('bandwidth'),
    ],
    why: 'a job gets nodes of one site, and runs there for its length on it',
  },
  {
    of: [
      optionIsOneOf('planBy', 'node'),
      optionIsSet('endWindow'),
      optionIsSet('backfillOverlap'),
      optionIsSet('backfillResolution'),
    ],
    excludes: [optionIsOneOf('reservations', 'kept')],
    why: 'it is a rule of plans that each pass makes again',
  },
  {
    of: [optionIsOneOf('planBy', 'node')],
    and: [SHARED_QUEUE_CONDITION, siteCountAbove(() => 1)],
    needs: optionIsGiven('policy'),
    why: 'a policy chooses among the sites on which a job finds nodes now',
  },
  {
    of: [optionIsSet('endWindow'), optionIsSet('backfillOverlap'), optionIsSet('backfillResolution')],
    needs: optionIsSet('backfillInterval'),
    why: 'it is a rule of the plans of such passes',
  },
  {
    of: [optionIsSet('endWindow'), optionIsSet('backfillOverlap'), optionIsSet('backfillResolution')],
    needs: BACKFILLING_CONDITION,
    why: 'only backfilling plans ahead',
  },
  {
    of: [
      optionIsSet('backfillJobs'),
      optionIsSet('backfillSegments'),
      optionIsSet('backfillWindow'),
      optionIsSet('processorsPerNode'),
      optionIsSet('releaseDelay'),
    ],
    needs: optionIsOneOf('planBy', 'node'),
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
  const maxProcessors = coreConstants().Limit.Nodes;
  if (processors <= maxProcessors) return;
  throw new InputError(
    `${naming('planBy', 'node')} is for at most ${formatCount(maxProcessors, 'processor')} on all sites together, found ${formatCount(processors, 'processor')}; give smaller ${naming('sites')}, or ${naming('planBy', 'count')}`,
  );
}
