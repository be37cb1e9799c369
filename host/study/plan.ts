/** The plan of a study: its settings in order, and the runs that they need. All of it is plain data. */
import { printPolicy } from '../core/policies.js';
import { makeGrid } from '../grid/grid.js';
import { type Configuration, makeConfiguration, type RunSettings } from '../options/configuration.js';
import { codeOf } from '../options/document.js';
import { printOrder } from '../options/order.js';
import type { Accounting, RecentEstimates } from '../workload/workload.js';
import type { Label, OptionTexts } from './schema.js';

/** All parameters of a simulation except its jobs, as plain data; `runConfiguration` restores them. */
export interface RunParameters extends Omit<RunSettings, 'policy' | 'order' | 'backfillOrder'> {
  readonly sites: readonly number[];
  readonly speeds: readonly number[];
  /** h of each site where it was given instead of its speed. */
  readonly timeFactors?: readonly number[] | undefined;
  readonly policy: string;
  readonly order: string;
  readonly backfillOrder: string;
  /** SHA-256 of each file with functions that it names, by name. */
  readonly code?: Readonly<Record<string, string>> | undefined;
}

/** A configuration as plain data, from which `runConfiguration` makes it again, in a thread or at another time. */
export function runParameters(configuration: Configuration): RunParameters {
  const { grid, policy, order, trackProcessors: _, labels: __, ...rest } = configuration;
  const { capacities: sites, ...speeds } = grid;
  const code = codeOf(configuration).map(({ name, sha256 }) => [name, sha256] as const);
  return {
    ...(code.length > 0 && { code: Object.fromEntries(code) }),
    sites,
    ...speeds,
    policy: printPolicy(policy),
    ...rest,
    backfillOrder: printOrder(rest.backfillOrder),
    order: printOrder(order),
  };
}

/** The configuration of a run. */
export function runConfiguration({
  sites,
  speeds,
  timeFactors,
  code: _,
  ...options
}: RunParameters): Configuration {
  return makeConfiguration({ ...makeGrid({ capacities: sites, speeds }), timeFactors }, options);
}

/** One simulation. Settings of the same simulation share it. */
export interface PlannedRun {
  /** Hash of the core's binary, the jobs and the parameters: 16 hexadecimal digits. */
  readonly id: string;
  /** Index among the plan's workloads. */
  readonly workload: number;
  readonly policy: string;
  /**
   * Other parameters, with an empty policy: one object for all runs of a plan that differ only in policies and jobs.
   */
  readonly common: RunParameters;
}

/** The parameters of a run: everything but its workload. */
export function parametersOf({ common, policy }: Pick<PlannedRun, 'common' | 'policy'>): RunParameters {
  return { ...common, policy };
}

/** Replaces equal parameters of runs by one shared object. */
export class CommonParameters {
  readonly #byText = new Map<string, RunParameters>();

  /** Parameters without their policy: the same object for equal ones. */
  of(parameters: RunParameters): RunParameters {
    const common = parameters.policy === '' ? parameters : { ...parameters, policy: '' };
    const text = JSON.stringify(common);
    const known = this.#byText.get(text);
    if (known !== undefined) return known;
    this.#byText.set(text, common);
    return common;
  }
}

/** One setting: its labels in the order of the plan's axes, and its run. */
export interface Point {
  /** One per axis; null where its part has no such axis. */
  readonly labels: readonly (Label | null)[];
  /** Place of its run among the runs. */
  readonly run: number;
}

/** Jobs that some runs simulate. */
export interface PlannedWorkload {
  /** The log, or the model with all its parameters. */
  readonly name: string;
  /** SHA-256 of the jobs. */
  readonly sha256: string;
  /** Number of jobs. */
  readonly jobs: number;
  /** Accounting of the records of the log. */
  readonly accounting: Accounting;
  /** Number of a user's recent jobs by which each job is estimated, if the run itself finds estimates. */
  readonly recent?: RecentEstimates;
  /** True if runtimes are unknown in advance. */
  readonly unestimated?: true;
}

/** Plan of a study: enough to resume it, or to make its tables, without its logs. */
export interface Plan {
  /** Name of the study. */
  readonly study: string;
  /** Words behind `gridalloc` that it came from, without what `trace`, `draws` and `options` hold. */
  readonly command: readonly string[];
  /** SHA-256 of the core's binary. */
  readonly coreSha256: string;
  readonly trace: string | null;
  readonly draws: number | null;
  readonly options: OptionTexts;
  /** Names of the axes. */
  readonly axes: readonly string[];
  /** Metrics kept of each run, in order, named as for a run on one site. */
  readonly metrics: readonly string[];
  /** Workloads of all runs. */
  readonly workloads: readonly PlannedWorkload[];
  /** Options that make the jobs of each workload again, in the same order; none in a plan of an earlier version. */
  readonly sources: readonly OptionTexts[];
  /** Each simulation once. */
  readonly runs: readonly PlannedRun[];
  /** Each combination of labels, with its run. */
  readonly points: readonly Point[];
  /** Hashes of earlier plans of its folder whose runs it includes: their results are its own. */
  readonly continues?: readonly string[] | undefined;
  /** Hash of all run ids and labels: two plans with the same hash have the same results. */
  readonly sha256: string;
}

/** Number of sites that the run of a plan has that has the most. */
export function planSites({ runs }: Pick<Plan, 'runs'>): number {
  return runs.reduce((most, { common }) => Math.max(most, common.sites.length), 0);
}

/**
 * Which runs have the same jobs and differ in nothing but their policies, so that they begin as one: the number of the
 * group of each run. Groups are numbered in the order of their first runs.
 */
export function historiesOf(runs: readonly Pick<PlannedRun, 'workload' | 'common'>[]): Uint32Array {
  const byCommon = new Map<RunParameters, Map<number, number>>();
  let count = 0;
  return Uint32Array.from(runs, ({ workload, common }) => {
    const byWorkload = byCommon.get(common) ?? new Map<number, number>();
    byCommon.set(common, byWorkload);
    const history = byWorkload.get(workload) ?? count++;
    byWorkload.set(workload, history);
    return history;
  });
}
