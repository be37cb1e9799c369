/** What a simulation will cost, told before it runs where it is much. */
import { parsePolicy, printPolicy } from '../core/policies.js';
import { InputError } from '../errors.js';
import { formatDuration, formatNumber } from '../format/numbers.js';
import { isCodeName } from '../options/code.js';
import type { Configuration } from '../options/configuration.js';
import { isOrderFunction } from '../options/order.js';
import type { Workload } from '../workload/workload.js';
import { Simulator } from './simulator.js';

/** Seconds that planning a queue of 1,000 jobs anew takes, and how it grows with the queue; docs/performance.md. */
const PASS = 5e-4;
const GROWTH = 1.2;

/** From so many seconds on a simulation is told to take long. */
const LONG = 10;

/**
 * Says that reservations for every waiting job will take long, where they will; undefined otherwise. How many jobs wait
 * is taken from a quick simulation in which every job that fits starts.
 */
export function longPlanning(workload: Workload, configuration: Configuration): string | undefined {
  if (configuration.discipline !== 'conservative') return undefined;
  const simulator = new Simulator(workload);
  try {
    simulator.begin({
      ...configuration,
      discipline: 'first-available',
      order: isOrderFunction(configuration.order) ? 'submit' : configuration.order,
      policy: isCodeName(printPolicy(configuration.policy)) ? parsePolicy('best-fit') : configuration.policy,
      select: 'none',
      backfillOrder: 'none',
      multiSiteFactor: 0,
      runtimeReference: 'speed1',
      interval: 0,
      bandwidth: 0,
      latency: 0,
      trackProcessors: false,
    });
  } catch (error) {
    // Jobs that only several sites together can hold.
    if (error instanceof InputError) return undefined;
    throw error;
  }
  simulator.run();
  const queue = simulator.metric('AverageQueueLength');
  const seconds = 2 * workload.count * PASS * (queue / 1000) ** GROWTH * configuration.grid.capacities.length;
  if (seconds < LONG) return undefined;
  return (
    `about ${formatNumber(Math.round(queue))} jobs will wait at a time, up to ${formatNumber(simulator.metric('LargestQueue'))}, ` +
    `and conservative plans all of them at every event: expect ${formatDuration(Math.ceil(seconds))} or more (easy plans one)`
  );
}
