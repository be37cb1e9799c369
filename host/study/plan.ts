/** Plan of a study as plain data: its settings in order, and the distinct runs they need. */
import { printPolicy } from '../core/policies.js';
import { makeGrid } from '../grid/grid.js';
import { type Configuration, makeConfiguration, type RunSettings } from '../options/configuration.js';
import { listCodeFilesOfRun } from '../options/document.js';
import { printOrder } from '../options/order.js';
import type { Accounting, RecentEstimates } from '../workload/workload.js';
import type { Label, OptionTexts } from './schema.js';

/**
 * Parameters of a simulation without its jobs, as plain data; `makeConfigurationOfRun` restores the
 * configuration.
 */
export interface RunParameters extends Omit<RunSettings, 'policy' | 'order' | 'backfillOrder'> {
  readonly sites: readonly number[];
  readonly speeds: readonly number[];
  /** Time factor h of each site, if given instead of speeds. */
  readonly timeFactors?: readonly number[] | undefined;
  readonly policy: string;
  readonly order: string;
  readonly backfillOrder: string;
  /** SHA-256 of each code file by name. */
  readonly code?: Readonly<Record<string, string>> | undefined;
}

/** Converts a configuration to plain data. */
export function makeRunParametersOfConfiguration(configuration: Configuration): RunParameters {
  const { grid, policy, order, trackProcessors: _, labels: __, ...otherFields } = configuration;
  const { capacities: sites, ...speeds } = grid;
  const codeFileHashes = listCodeFilesOfRun(configuration).map(
    ({ name: fileName, sha256 }) => [fileName, sha256] as const,
  );
  return {
    ...(codeFileHashes.length > 0 && { code: Object.fromEntries(codeFileHashes) }),
    sites,
    ...speeds,
    policy: printPolicy(policy),
    ...otherFields,
    backfillOrder: printOrder(otherFields.backfillOrder),
    order: printOrder(order),
  };
}

/** Restores the configuration of a run from its parameters. */
export function makeConfigurationOfRun({
  sites,
  speeds,
  timeFactors,
  code: _,
  ...options
}: RunParameters): Configuration {
  return makeConfiguration({ ...makeGrid({ capacities: sites, speeds }), timeFactors }, options);
}

/** Simulation to run; settings with the same simulation share it. */
export interface PlannedRun {
  /** Run id: hash of core, jobs and parameters in 16 hexadecimal digits. */
  readonly id: string;
  /** Index of its workload in the plan. */
  readonly workload: number;
  readonly policy: string;
  /** Parameters without policy; runs that differ only in policy share one object. */
  readonly common: RunParameters;
}

/** Complete parameters of a run. */
export function restoreParametersOfPlannedRun({
  common: commonParameters,
  policy,
}: Pick<PlannedRun, 'common' | 'policy'>): RunParameters {
  return { ...commonParameters, policy };
}

/** Deduplicates equal run parameters. */
export class RunParametersPool {
  readonly #byText = new Map<string, RunParameters>();

  /** Parameters without policy: the same object for equal parameters. */
  shareEqual(runParameters: RunParameters): RunParameters {
    const commonParameters = runParameters.policy === '' ? runParameters : { ...runParameters, policy: '' };
    const commonParametersText = JSON.stringify(commonParameters);
    const existing = this.#byText.get(commonParametersText);
    if (existing !== undefined) return existing;
    this.#byText.set(commonParametersText, commonParameters);
    return commonParameters;
  }
}

/** Setting: its axis labels and the index of its run. */
export interface Point {
  /** One label per axis of the study; null for an axis that the part of the study with this point lacks. */
  readonly labels: readonly (Label | null)[];
  /** Index of its run. */
  readonly run: number;
}

/** Jobs that runs simulate. */
export interface PlannedWorkload {
  /** Log name, or model notation with all parameters. */
  readonly name: string;
  /** SHA-256 of the jobs. */
  readonly sha256: string;
  /** Number of jobs. */
  readonly jobs: number;
  /** Counts of read, kept and dropped records. */
  readonly accounting: Accounting;
  /** Settings for estimates from a user's recent jobs, if runs compute them. */
  readonly recent?: RecentEstimates;
  /** True if the jobs have no runtime estimates. */
  readonly unestimated?: true;
  /** Number of pairs of a partition and a queue of the jobs, if any is known. */
  readonly partitions?: number;
}

/** Plan of a study, sufficient to resume it or to make its tables. */
export interface Plan {
  /** Name of the study. */
  readonly study: string;
  /** Command words after `gridalloc`, without trace, replications and overriding options. */
  readonly command: readonly string[];
  /** SHA-256 of the core's binary. */
  readonly coreSha256: string;
  readonly trace: string | null;
  readonly draws: number | null;
  readonly options: OptionTexts;
  /** Names of the axes. */
  readonly axes: readonly string[];
  /** Names of the metrics kept of each run, as for a run on one site. */
  readonly metrics: readonly string[];
  /** Workloads of all runs. */
  readonly workloads: readonly PlannedWorkload[];
  /** Options that recreate the jobs of each workload; empty in plans of earlier versions. */
  readonly sources: readonly OptionTexts[];
  /** Each simulation once. */
  readonly runs: readonly PlannedRun[];
  /** Settings with their labels and runs. */
  readonly points: readonly Point[];
  /** Hashes of earlier plans in the folder whose results remain valid. */
  readonly continues?: readonly string[] | undefined;
  /** Hash of all run ids and labels: equal hashes mean equal results. */
  readonly sha256: string;
}

/** Largest number of sites of any run. */
export function computeMaxSiteCountOfPlan({ runs }: Pick<Plan, 'runs'>): number {
  return runs.reduce(
    (mostSites, { common: commonParameters }) => Math.max(mostSites, commonParameters.sites.length),
    0,
  );
}

/**
 * Group number of each run; runs in a group have the same jobs and differ only in policy. Groups are
 * numbered by first occurrence.
 */
export function assignHistoryNumbersToRuns(
  plannedRuns: readonly Pick<PlannedRun, 'workload' | 'common'>[],
): Uint32Array {
  const historiesByCommonOptions = new Map<RunParameters, Map<number, number>>();
  let historyCount = 0;
  return Uint32Array.from(plannedRuns, ({ workload, common: commonParameters }) => {
    const historiesByWorkload = historiesByCommonOptions.get(commonParameters) ?? new Map<number, number>();
    historiesByCommonOptions.set(commonParameters, historiesByWorkload);
    const history = historiesByWorkload.get(workload) ?? historyCount++;
    historiesByWorkload.set(workload, history);
    return history;
  });
}
