/** What a simulation will cost, told before it runs where it is much. */
import { candidatesOf, isTrying, parameterOf, parsePolicy, printPolicy } from '../core/policies.js';
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
 * Says that reservations for every waiting job will take long, where they will, in the run or in trials of candidates;
 * undefined otherwise. How many jobs wait is taken from a quick simulation in which every job that fits starts.
 */
export function longPlanning(workload: Workload, configuration: Configuration): string | undefined {
  const { policy } = configuration;
  const planning = candidatesOf(policy).filter(
    ({ rules }) => (rules?.discipline ?? configuration.discipline) === 'conservative',
  ).length;
  const isPlanned = configuration.discipline === 'conservative';
  if (!isPlanned && planning === 0) return undefined;
  const simulator = new Simulator(workload);
  try {
    simulator.begin({
      ...configuration,
      discipline: 'first-available',
      order: isOrderFunction(configuration.order) ? 'submit' : configuration.order,
      policy: isTrying(policy) || isCodeName(printPolicy(policy)) ? parsePolicy('best-fit') : policy,
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
  // In a trial the queue grows shorter, event by event.
  const trials = planning > 0 ? (planning * workload.count) / Number(parameterOf(policy, 'every')) : 0;
  const plans = (isPlanned ? 2 * workload.count : 0) + (trials * queue) / (1 + GROWTH);
  const seconds = plans * PASS * (queue / 1000) ** GROWTH * configuration.grid.capacities.length;
  if (seconds < LONG) return undefined;
  return (
    `about ${formatNumber(Math.round(queue))} jobs will wait at a time, up to ${formatNumber(simulator.metric('LargestQueue'))}, ` +
    `and conservative plans all of them at every event${planning > 0 ? ', those of trials too' : ''}: expect ${formatDuration(Math.ceil(seconds))} or more (easy plans one)`
  );
}
