/** Rules that change while a live simulation runs: the discipline and the orders. */
import { checkOptionNames, registerLibraryOptions } from '../arguments.js';
import { InputError } from '../errors.js';
import type { Grid } from '../grid/grid.js';
import { type QueueRules, toCoreQueueRuleNumbers } from '../options/candidateRules.js';
import { type Configuration, makeConfiguration, type SimulationOptions } from '../options/configuration.js';
import { type Order, TIME_INDEPENDENT_ORDER_WORDS } from '../options/order.js';
import { findOrderOfWaitingJobs, RUN_OPTIONS } from '../options/runOptions.js';
import { type LiveOptions, selectSimulationOptions } from './liveOptions.js';

/** Rules by which waiting jobs start; what is left out stays as it is. */
export type LiveRules = Pick<SimulationOptions, 'discipline' | 'order' | 'backfillOrder'>;

const RULE_OPTIONS = registerLibraryOptions<LiveRules>('changeRules', {
  discipline: RUN_OPTIONS.discipline,
  order: RUN_OPTIONS.order,
  backfillOrder: RUN_OPTIONS.backfillOrder,
});

/** Changed configuration of a simulation, and its rules as numbers of the core. */
interface RulesChangeResult {
  readonly configuration: Configuration;
  readonly core: { readonly Discipline: number; readonly Order: number; readonly BackfillOrder: number };
}

/**
 * Configuration after rules have changed.
 * @param options options of the simulation so far.
 * @param initialConfiguration configuration with which it began.
 * @throws InputError for an unknown name or word, rules that do not go together, and orders whose keys are not known.
 */
export function changeLiveRules(
  grid: Grid,
  options: LiveOptions,
  initialConfiguration: Configuration,
  rules: LiveRules,
): RulesChangeResult {
  checkOptionNames(RULE_OPTIONS, rules);
  const changedRules = Object.fromEntries(
    Object.entries(rules).filter(([, ruleValue]) => ruleValue !== undefined),
  );
  const configuration = makeConfiguration(grid, selectSimulationOptions({ ...options, ...changedRules }));
  const order = findOrderOfWaitingJobs(configuration);
  checkKeysOfOrderAreKnown('order', order, findOrderOfWaitingJobs(initialConfiguration));
  if (configuration.backfillOrder !== RUN_OPTIONS.backfillOrder.default)
    checkKeysOfOrderAreKnown(
      'backfillOrder',
      configuration.backfillOrder,
      initialConfiguration.backfillOrder,
    );
  const [Order, Discipline, BackfillOrder] = toCoreQueueRuleNumbers({
    order,
    discipline: configuration.discipline as QueueRules['discipline'],
    backfillOrder: configuration.backfillOrder,
  });
  return { configuration, core: { Discipline, Order, BackfillOrder } };
}

/** Checks that the core can compute the keys of an order, or has them from the beginning. */
function checkKeysOfOrderAreKnown(option: string, order: Order, initialOrder: Order): void {
  if (order === initialOrder || TIME_INDEPENDENT_ORDER_WORDS.includes(order as string)) return;
  throw new InputError(
    `changeRules, ${option}: expected ${TIME_INDEPENDENT_ORDER_WORDS.join(', ')}, or the one with which the simulation began; the keys of others are computed when jobs are submitted`,
  );
}
