/** Generators of random cases whose options are allowed in open runs, to which jobs are appended. */
import { randomAgingCase } from '../reference/cases/aging.js';
import { randomAllocatorCase } from '../reference/cases/allocators.js';
import { randomBackfillingCase } from '../reference/cases/backfilling.js';
import { randomCancellationCase } from '../reference/cases/cancellations.js';
import { randomCoallocationCase } from '../reference/cases/coallocation.js';
import type { RandomCase } from '../reference/cases/draws.js';
import { randomDynamicCase } from '../reference/cases/dynamic.js';
import { randomKeptCase } from '../reference/cases/keptReservations.js';
import { randomLimitCase } from '../reference/cases/limits.js';
import { randomLoadSharingCase } from '../reference/cases/loadSharing.js';
import { randomLongCase } from '../reference/cases/long.js';
import { randomMoldableCase } from '../reference/cases/moldable.js';
import { randomOutageCase } from '../reference/cases/outages.js';
import { randomCustomPolicyCase, randomCustomPolicyPlanCase } from '../reference/cases/ownPolicies.js';
import { randomPartitionCase } from '../reference/cases/partitions.js';
import { randomPassCase } from '../reference/cases/passes.js';
import { randomRecentCase } from '../reference/cases/recent.js';
import { randomDepthCase } from '../reference/cases/reservationDepth.js';

/** Name, generator of a case from a seed, and number of cases in a full test, for each kind of case. */
export const OPEN_CASE_KINDS: [name: string, draw: (seed: number) => RandomCase, cases: number][] = [
  ['allocators', randomAllocatorCase, 1200],
  ['load sharing', randomLoadSharingCase, 600],
  ['moldable jobs', randomMoldableCase, 300],
  ['backfilling', randomBackfillingCase, 1200],
  ['co-allocation', randomCoallocationCase, 600],
  ['estimates by recent jobs', randomRecentCase, 600],
  ['kept reservations', randomKeptCase, 900],
  ['depths of reservations', randomDepthCase, 600],
  ["policies of one's own", randomCustomPolicyCase, 150],
  ["backfilling with policies of one's own", randomCustomPolicyPlanCase, 150],
  ['orders that change', randomAgingCase, 900],
  ['cancellations', randomCancellationCase, 600],
  ['limits', randomLimitCase, 600],
  ['outages', randomOutageCase, 600],
  ['partitions', randomPartitionCase, 450],
  ['passes', randomPassCase, 900],
  ['dynamic', randomDynamicCase, 300],
  ['long cases', randomLongCase, 12],
];
