import { test } from 'vitest';
import { randomCrowdedDependencyCase, randomDependencyCase } from '../../reference/cases/dependencies.js';
import { compareWithReference, TEST_TIMEOUT } from './compare.js';

test(
  'jobs that depend on others: the core agrees with the reference to the bit',
  () => {
    compareWithReference('dependencies', 1500, randomDependencyCase, (options) => [
      options.queue ?? 'shared',
      options.discipline ?? 'fcfs',
      options.order !== undefined && options.order !== 'submit' && 'ordered',
    ]);
  },
  TEST_TIMEOUT,
);

test(
  'crowds of jobs that depend on others: the core agrees with the reference to the bit',
  () => {
    compareWithReference('crowded dependencies', 50, randomCrowdedDependencyCase, ({ order }) => [order]);
  },
  TEST_TIMEOUT,
);
