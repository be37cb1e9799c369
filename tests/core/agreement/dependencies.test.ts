import { test } from 'vitest';
import { randomCrowdedDependencyCase, randomDependencyCase } from '../../reference/cases/dependencies.js';
import { compare, PATIENCE } from './compare.js';

test(
  'jobs that depend on others: the core agrees with the reference to the bit',
  () => {
    compare('dependencies', 1500, randomDependencyCase, (options) => [
      options.queue ?? 'shared',
      options.discipline ?? 'fcfs',
      options.order !== undefined && options.order !== 'submit' && 'ordered',
    ]);
  },
  PATIENCE,
);

test(
  'crowds of jobs that depend on others: the core agrees with the reference to the bit',
  () => {
    compare('crowded dependencies', 50, randomCrowdedDependencyCase, ({ order }) => [order]);
  },
  PATIENCE,
);
