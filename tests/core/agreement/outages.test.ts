import { test } from 'vitest';
import { removeIneffectiveOptions } from '../../reference/cases/aging.js';
import {
  randomAccountOutageCase,
  randomNodeOutageCase,
  randomOutageCase,
} from '../../reference/cases/outages.js';
import { doOrdersDependOnUse } from '../../reference/simulator/refusals.js';
import { compareWithReference, TEST_TIMEOUT } from './compare.js';

test(
  'outages: the core agrees with the reference to the bit',
  () => {
    compareWithReference('outages', 5000, randomOutageCase, (options) => [
      options.queue ?? 'shared',
      options.capacities.length > 1 ? 'sites' : 'one site',
      options.discipline ?? 'fcfs',
      options.reservations === 'kept' && 'kept',
      options.onOutage ?? 'drain',
    ]);
  },
  TEST_TIMEOUT,
);

test(
  'outages with limits and orders that change with time and use: the core agrees with the reference to the bit',
  () => {
    const drawCase = (seed: number) => removeIneffectiveOptions(randomAccountOutageCase(seed));
    compareWithReference('outages and accounts', 5000, drawCase, (options) => [
      options.queue ?? 'shared',
      options.discipline ?? 'fcfs',
      options.reservations === 'kept' && 'kept',
      options.limits !== undefined && 'limits',
      doOrdersDependOnUse(options) && 'use',
      options.onOutage ?? 'drain',
    ]);
  },
  TEST_TIMEOUT,
);

test(
  'outages of particular nodes: the core agrees with the reference to the bit',
  () => {
    const drawCase = (seed: number) => removeIneffectiveOptions(randomNodeOutageCase(seed));
    compareWithReference('outages of nodes', 5000, drawCase, (options) => [
      options.capacities.length > 1 && (options.queue === 'independent' ? 'independent sites' : 'sites'),
      options.discipline ?? 'fcfs',
      options.processorsPerNode !== undefined && 'nodes of several processors',
      options.releaseDelay !== undefined && 'late release',
      options.onOutage ?? 'drain',
    ]);
  },
  TEST_TIMEOUT,
);
