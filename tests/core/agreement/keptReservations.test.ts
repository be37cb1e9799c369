import { test } from 'vitest';
import { randomKeptCase, randomKeptCrowd } from '../../reference/cases/keptReservations.js';
import { compare, PATIENCE } from './compare.js';

const kindOf: Parameters<typeof compare>[3] = (options) => [
  options.queue === 'independent'
    ? 'independent'
    : options.capacities.length > 1
      ? 'several sites'
      : 'one site',
  options.choose ? 'own policy' : options.withPolicy && 'policy',
  options.order && 'ordered',
  options.recent !== undefined && 'recent',
  options.dependencies && 'dependencies',
];

test(
  'conservative backfilling with kept reservations: the core agrees with the reference to the bit',
  () => compare('kept reservations', 1500, randomKeptCase, kindOf),
  PATIENCE,
);

test(
  'so it does where many jobs wait',
  () => compare('kept reservations, crowds', 15, randomKeptCrowd, kindOf),
  PATIENCE,
);
