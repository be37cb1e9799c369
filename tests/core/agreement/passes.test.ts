import { test } from 'vitest';
import { randomKeptPassCase } from '../../reference/cases/keptPasses.js';
import { randomNodePlanCase, randomPassCase } from '../../reference/cases/passes.js';
import { compareWithReference, describeSiteOptions, TEST_TIMEOUT } from './compare.js';

test(
  'passes at times of their own: the core agrees with the reference to the bit',
  () => {
    compareWithReference('passes', 2000, randomPassCase, (options) => [
      options.queue === 'independent' && (options.capacities.length > 1 ? 'independent sites' : 'one site'),
      options.discipline ?? 'fcfs',
      options.backfillInterval !== undefined && 'backfill passes',
      options.passDelay !== undefined && 'delays',
      options.passGap !== undefined && 'gaps',
      options.endWindow !== undefined && 'windows',
      options.closedOverlap && 'closed',
      options.backfillResolution !== undefined && 'resolution',
    ]);
  },
  TEST_TIMEOUT,
);

test(
  'kept reservations at times of backfill passes: the core agrees with the reference to the bit',
  () => {
    compareWithReference('kept reservations in passes', 3000, randomKeptPassCase, (options) => [
      describeSiteOptions(options),
      options.choose ? 'own policy' : options.withPolicy && 'policy',
      (options.passDelay ?? options.passGap) !== undefined && 'delays',
      (options.limits ?? options.outages) !== undefined && 'limits or outages',
    ]);
  },
  TEST_TIMEOUT,
);

test(
  'plans by nodes: the core agrees with the reference to the bit',
  () => {
    compareWithReference('plans by nodes', 2000, randomNodePlanCase, (options) => [
      options.capacities.length > 1 && (options.queue === 'independent' ? 'independent sites' : 'sites'),
      options.discipline,
      options.endWindow !== undefined && 'windows',
      options.closedOverlap && 'closed',
      options.backfillResolution !== undefined && 'resolution',
      options.processorsPerNode !== undefined && 'nodes of several processors',
      options.releaseDelay !== undefined && 'late release',
    ]);
  },
  TEST_TIMEOUT,
);
