import { test } from 'vitest';
import { randomKeptCase } from '../../reference/cases/keptReservations.js';
import { compare, PATIENCE } from './compare.js';

test(
  'conservative backfilling with kept reservations: the core agrees with the reference to the bit',
  () => {
    compare('kept reservations', 1500, randomKeptCase, (options) => [
      options.queue === 'independent'
        ? 'independent'
        : options.capacities.length > 1
          ? 'several sites'
          : 'one site',
      options.choose ? 'own policy' : options.withPolicy && 'policy',
      options.order && 'ordered',
      options.recent !== undefined && 'recent',
      options.dependencies && 'dependencies',
    ]);
  },
  PATIENCE,
);
