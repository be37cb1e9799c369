import { test } from 'vitest';
import { randomDependencyCase } from '../../reference/cases/dependencies.js';
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
