/** What a host writes into a simulation before it begins: sites, pairs of sites, keys of the order, policies to be run together. */
import type { Core } from '../core/module.js';
import { type Policy, policyNumbers } from '../core/policies.js';
import { timeFactorsOf } from '../grid/grid.js';
import { matrixOf } from '../grid/pairs.js';
import type { Configuration } from '../options/configuration.js';
import { hasGivenKeys } from '../options/order.js';
import { orderOf } from '../options/run.js';
import { type KeyedColumns, orderKeys } from './orderKeys.js';

type Column = keyof Core['Column'];

/** Gives a column of the simulation, so many numbers long. */
type Doubles = (name: Column, count: number) => Float64Array;

/**
 * Writes the columns.
 * @throws InputError, FunctionError as `orderKeys`.
 */
export function writeInputs(
  configuration: Configuration,
  policies: readonly Policy[],
  jobs: KeyedColumns,
  doubles: Doubles,
  integers: (name: Column, count: number) => Int32Array,
): void {
  const { grid, load, bandwidth, latency } = configuration;
  const sites = grid.capacities.length;
  integers('Capacity', sites).set(grid.capacities);
  doubles('Speed', sites).set(grid.speeds);
  doubles('Load', sites).set(load);
  doubles('TimeFactor', sites).set(timeFactorsOf(grid));
  if (bandwidth !== 0) {
    doubles('Bandwidth', sites ** 2).set(matrixOf(bandwidth, sites).flat());
    doubles('Latency', sites ** 2).set(matrixOf(latency, sites).flat());
  }
  const entries = policies.flatMap(policyEntries);
  if (entries.length > 0) doubles('Policies', entries.length).set(entries);
  const order = orderOf(configuration);
  if (!hasGivenKeys(order)) return;
  const keys = orderKeys(order, jobs, load);
  doubles('Key', keys.length).set(keys);
}

/** Parameters that a policy may have at most. */
const MOST_PARAMETERS = 4;

/** A policy as the core takes those that are run together: its number, and four parameters. */
function policyEntries(policy: Policy): number[] {
  const numbers = policyNumbers(policy);
  return [policy.declaration.index, ...Array.from({ length: MOST_PARAMETERS }, (_, i) => numbers[i] ?? 0)];
}
