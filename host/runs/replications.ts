/** The methods of an experiment on replications of its jobs, as runs: what simulates a replication makes its jobs. */
import { type Core, openCore } from '../core/module.js';
import type { Grid } from '../grid/grid.js';
import type { Settings } from '../options/options.js';
import {
  configurationOf,
  type Experiment,
  gridOf,
  type JobSource,
  jobSource,
} from '../simulate/experiment.js';
import { placeJobs } from '../simulate/layout.js';
import { Simulator } from '../simulate/simulator.js';
import { CommonParameters, runParameters } from '../study/plan.js';
import { jobMetricsIn } from '../study/runValues.js';
import type { Trace } from '../trace/trace.js';
import type { RunList } from './runList.js';

/** What is the same in all replications. */
export interface ReplicatedExperiment extends Pick<Experiment, 'settings' | 'loaded' | 'methods'> {
  /** Each replication has its sites, with its own speeds where these are perturbed. */
  readonly grid: Pick<Grid, 'capacities'>;
}

/** What decides the jobs of every replication: plain data, which threads are given once. */
export interface Recipe {
  /** The log, or the jobs of the model, as read. */
  readonly trace: Trace;
  readonly settings: Settings;
  readonly capacities: readonly number[];
}

/** What decides the jobs of an experiment, without policies and orders, which may be functions and decide no jobs. */
export function recipeOf({ settings, loaded, grid }: ReplicatedExperiment): Recipe {
  const { policy: _, order: __, backfillOrder: ___, ...ofJobs } = settings;
  return { trace: loaded, settings: ofJobs, capacities: grid.capacities };
}

/** Makes the jobs of replications, one after the other in the same memory. */
export class ReplicatedJobs {
  readonly #recipe: Recipe;
  readonly #source: JobSource;
  readonly #core: Core = openCore('release');

  constructor(recipe: Recipe) {
    this.#recipe = recipe;
    this.#source = jobSource(recipe.settings, recipe.trace);
  }

  /**
   * A simulator of replication r = 1, 2, ..., which ends that of the replication before.
   * @throws InputError for jobs or speeds that cannot be simulated.
   */
  simulator(replication: number): Simulator {
    const { settings, capacities } = this.#recipe;
    const grid = gridOf({ ...settings, replication }, capacities);
    const { workload } = this.#source.jobs(grid, replication);
    return new Simulator(workload, placeJobs(this.#core, workload));
  }
}

/**
 * The runs of replications of an experiment, by replication, then by method; the number of a workload is that of its
 * replication.
 * @param metrics names of those that are wanted; metrics of every job are computed where they are among these.
 * @param from the first replication, 1 or more.
 * @param to the last.
 * @throws InputError for speeds or options that do not fit.
 */
export function replicationRuns(
  { settings, grid: { capacities }, methods }: ReplicatedExperiment,
  metrics: readonly string[],
  from: number,
  to: number,
): RunList {
  const kept = { jobMetrics: jobMetricsIn(metrics) };
  const commons = new CommonParameters();
  const onGrid = (grid: Grid) =>
    methods.map((method) => {
      const parameters = runParameters(configurationOf(grid, settings, method));
      return { policy: parameters.policy, common: commons.of(parameters) };
    });
  const runs: RunList['runs'][number][] = [];
  // Replications mostly have the same grid, and so the same parameters.
  let last: { readonly speeds: string; readonly runs: ReturnType<typeof onGrid> } | undefined;
  for (let replication = from; replication <= to; replication++) {
    const grid = gridOf({ ...settings, replication }, capacities);
    const speeds = String(grid.speeds);
    if (last?.speeds !== speeds) last = { speeds, runs: onGrid(grid) };
    for (const run of last.runs) runs.push({ workload: replication, ...run });
  }
  return { runs, wanted: runs.map(() => kept) };
}
