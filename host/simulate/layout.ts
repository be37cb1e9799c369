/** What a simulation is in the core's words, and how much memory it takes. */
import type { Core, CoreOption } from '../core/module.js';
import { candidatesOf, type Policy, parameterOf, policyNumbers } from '../core/policies.js';
import { layOut, type RunSettings } from '../core/runSettings.js';
import { InputError } from '../errors.js';
import { matrixOf, timeFactorsOf } from '../grid/grid.js';
import { type Configuration, setCoreOptions } from '../options/configuration.js';
import { hasGivenKeys, type Order } from '../options/order.js';
import { candidateRules, ruleNumbers } from '../options/rules.js';
import { orderOf } from '../options/runOptions.js';
import type { RecentEstimates } from '../workload/workload.js';
import { areKeysFoundAtSubmit, type KeyedColumns, orderKeys } from './orderKeys.js';
import { inWords } from './refusalWords.js';

const MOST_PROCESSORS = 0x7fffffff;

/** How allocators look for a site: one by one, or by an index of what is free. The answers are the same. */
export type SiteSearch = 'scan' | 'index';

/** As much of jobs as a simulation is laid out for. */
interface Sized {
  readonly count: number;
  readonly unestimated?: true;
  readonly recent?: RecentEstimates;
  readonly dependencies?: object;
}

/**
 * What a run of a configuration is in the core's words.
 * @param search how sites are searched, where the core is not to choose by their number.
 * @param policies how many policies it is to run together.
 * @throws InputError for more processors than a grid may have.
 */
export function settingsOf(
  { recent, unestimated, dependencies }: Sized,
  configuration: Configuration,
  search?: SiteSearch,
  policies = 0,
): RunSettings {
  const { capacities, speeds } = configuration.grid;
  const processors = capacities.reduce((sum, capacity) => sum + capacity, 0);
  if (processors > MOST_PROCESSORS) {
    throw new InputError(`sites: ${processors} processors are more than a grid may have`);
  }
  const options: { [Name in CoreOption]?: number } = {};
  setCoreOptions(configuration, (name, value) => {
    options[name] = value;
  });
  options.RecentJobs = recent?.n ?? 0;
  options.RefreshEstimates = Number(recent?.refresh ?? false);
  const orders = [orderOf(configuration), configuration.backfillOrder];
  options.KeysAtSubmit = Number(areKeysFoundAtSubmit(orders, { recent }));
  options.NoEstimates = Number(unestimated ?? false);
  options.Dependencies = dependencies === undefined ? 0 : 1;
  options.CandidateRules = lastDiscipline(configuration);
  const index = search && { Index: search === 'index' ? 1 : 0 };
  options.SharedPolicies = policies;
  return { sites: { Capacity: capacities, Speed: speeds }, options, room: { ...index } };
}

/** 1 + the last of the disciplines of candidates with rules of their own, in the core's words; 0 where they have none. */
function lastDiscipline(configuration: Configuration): number {
  const rules = candidateRules(configuration);
  return rules === undefined ? 0 : 1 + Math.max(...rules.map((each) => ruleNumbers(each)[1]));
}

/**
 * Bytes of a simulation, which is laid out at an address where the memory for its head (`Limit.HeadBytes`) must be there.
 * @throws InputError when the core refuses an option.
 */
export function simulationBytes(
  core: Core,
  block: number,
  sized: Sized,
  configuration: Configuration,
  policies: number,
): number {
  const settings = settingsOf(sized, configuration, undefined, policies);
  try {
    return layOut(core, block, sized.count, settings);
  } catch (error) {
    throw inWords(core, undefined, error);
  }
}

/** Bytes that the histories of policies that are run together may take, beyond which it is not worth it. */
const MOST_HISTORY_BYTES = 2 ** 25;
/** Histories at most, and bytes of each for every job that runs. */
const MOST_HISTORIES = 64;
const RUNNING_BYTES = 16;

/**
 * How many of some policies a simulation may be laid out to run together: all, or none where the core would not, or
 * where too many jobs may run at once.
 */
export function policiesTogether({ grid, discipline, queue }: Configuration, policies: number): number {
  if (policies < 2 || discipline !== 'fcfs' || queue !== 'shared') return 0;
  const running = grid.capacities.reduce((sum, capacity) => sum + capacity, 0);
  const bytes = Math.min(policies, MOST_HISTORIES) * running * RUNNING_BYTES;
  return bytes <= MOST_HISTORY_BYTES ? policies : 0;
}

// What a host writes into a simulation before it begins: sites, pairs of sites, keys of the order, policies to be
// run together.

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
