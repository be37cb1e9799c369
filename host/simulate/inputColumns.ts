/** What a host writes into a simulation before it begins: sites, pairs of sites, keys of the order, policies to be run together. */
import { candidatesOf, type Policy, parameterOf, policyNumbers } from '../core/policies.js';
import type { RunSettings } from '../core/runSettings.js';
import { timeFactorsOf } from '../grid/grid.js';
import { matrixOf } from '../grid/pairs.js';
import type { Configuration } from '../options/configuration.js';
import { hasGivenKeys, type Order } from '../options/order.js';
import { candidateRules, ruleNumbers } from '../options/rules.js';
import { orderOf } from '../options/runOptions.js';
import { areKeysFoundAtSubmit, type KeyedColumns, orderKeys } from './orderKeys.js';

/**
 * The columns.
 * @throws InputError, FunctionError as `orderKeys`.
 */
export function inputColumns(
  configuration: Configuration,
  policies: readonly Policy[],
  jobs: KeyedColumns,
): RunSettings['sites'] {
  const { grid, load, bandwidth, latency, policy, backfillOrder } = configuration;
  const candidates = candidatesOf(policy);
  const tried = candidates.length > 0 ? candidates : policies;
  const sites = grid.capacities.length;
  const order = orderOf(configuration);
  const areFoundLater = areKeysFoundAtSubmit([order, backfillOrder], jobs);
  const hasKeysBefore = (each: Order) => hasGivenKeys(each) && !areFoundLater;
  const hasTransfers = bandwidth !== 0;
  return {
    Capacity: grid.capacities,
    Speed: grid.speeds,
    Load: load,
    TimeFactor: timeFactorsOf(grid),
    Bandwidth: hasTransfers ? matrixOf(bandwidth, sites).flat() : undefined,
    Latency: hasTransfers ? matrixOf(latency, sites).flat() : undefined,
    Policies: tried.length > 0 ? tried.flatMap(policyEntries) : undefined,
    CandidateRules: candidateRules(configuration)?.flatMap(ruleNumbers),
    GivenChoice: givenChoices(policy, jobs.submit.length),
    Key: hasKeysBefore(order) ? orderKeys(order, jobs, load) : undefined,
    BackfillKey: hasKeysBefore(backfillOrder) ? orderKeys(backfillOrder, jobs, load) : undefined,
  };
}

/** Which candidate is in force after each of the submits at which they are tried, where that is given. */
function givenChoices({ choices, ...policy }: Policy, jobs: number): Int32Array | undefined {
  if (choices === undefined) return undefined;
  const every = Number(parameterOf(policy, 'every'));
  const column = new Int32Array(Math.floor(jobs / every) + 1);
  for (const [job, candidate] of choices) column.fill(candidate, Math.ceil((job + 1) / every) - 1);
  return column;
}

/** Parameters that a policy may have at most. */
const MOST_PARAMETERS = 4;

/** A policy as the core takes those that are run together: its number, and four parameters. */
function policyEntries(policy: Policy): number[] {
  const numbers = policyNumbers(policy);
  return [policy.declaration.index, ...Array.from({ length: MOST_PARAMETERS }, (_, i) => numbers[i] ?? 0)];
}
