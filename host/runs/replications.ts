/** The methods of an experiment on replications of its jobs, as runs: what simulates a replication makes its jobs. */
import { type Core, openCore } from '../core/module.js';
import type { Grid } from '../grid/grid.js';
import type { Settings } from '../options/options.js';
import {
  capacitiesOf,
  configurationOf,
  type Experiment,
  gridOf,
  gridsOf,
  type JobSource,
  jobSource,
  jobVariants,
} from '../simulate/experiment.js';
import { placeJobs } from '../simulate/layout.js';
import { Simulator } from '../simulate/simulator.js';
import { CommonParameters, runParameters } from '../study/plan.js';
import { jobMetricsIn } from '../study/runValues.js';
import type { Trace } from '../trace/trace.js';
import type { RunList } from './runList.js';

/** Parts of an experiment that are the same in all replications. */
export interface ReplicatedExperiment extends Pick<Experiment, 'settings' | 'loaded' | 'methods'> {
  /**
   * Sites of the methods without their own; each replication has them, with its own speeds where these are perturbed.
   */
  readonly grid: Pick<Grid, 'capacities'>;
}

/** Plain data from which the jobs of every replication are made; threads get it once. */
export interface Recipe {
  /** The log, or the jobs of the model, as read. */
  readonly trace: Trace;
  /** One for each way in which options of the methods decide the jobs. */
  readonly variants: readonly Settings[];
  /** Processors of the sites of variants that name none. */
  readonly capacities: readonly number[];
}

/** Settings that decide the jobs of an experiment, without policies and orders, which may be functions. */
export function recipeOf({ settings, loaded, grid, methods }: ReplicatedExperiment): Recipe {
  const variants = jobVariants(settings, methods).settings.map((each) => {
    const { policy: _, order: __, backfillOrder: ___, ...ofJobs } = each;
    return ofJobs;
  });
  return { trace: loaded, variants, capacities: grid.capacities };
}

/** Makes the jobs of replications, one after the other in the same memory. */
export class ReplicatedJobs {
  readonly #recipe: Recipe;
  /** Sources of jobs by variant. */
  readonly #sources: readonly JobSource[];
  readonly #core: Core = openCore('release');

  constructor(recipe: Recipe) {
    this.#recipe = recipe;
    this.#sources = recipe.variants.map((settings) => jobSource(settings, recipe.trace));
  }

  /**
   * A simulator of the jobs with a number that `replicationRuns` gave, which ends the simulator before.
   * @throws InputError for jobs or speeds that cannot be simulated.
   */
  simulator(number: number): Simulator {
    const { variants, capacities } = this.#recipe;
    const variant = (number - 1) % variants.length;
    const replication = 1 + Math.floor((number - 1) / variants.length);
    const settings = { ...variants[variant]!, replication };
    const grid = gridOf(settings, capacitiesOf(settings) ?? capacities);
    const { workload } = this.#sources[variant]!.jobs(grid, replication);
    return new Simulator(workload, placeJobs(this.#core, workload));
  }
}

/**
 * The runs of replications of an experiment, by replication, then by method. Workloads are numbered from 1 by replication,
 * then by variant of the jobs (`jobVariants`); without variants the number is that of the replication.
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
  const variants = jobVariants(settings, methods);
  const onGrids = (grids: readonly Grid[]) =>
    methods.map((method, i) => {
      const parameters = runParameters(configurationOf(grids[i]!, settings, method));
      return { policy: parameters.policy, common: commons.of(parameters) };
    });
  const runs: RunList['runs'][number][] = [];
  // Replications mostly have the same grid, and so the same parameters.
  let last: { readonly speeds: string; readonly runs: ReturnType<typeof onGrids> } | undefined;
  for (let replication = from; replication <= to; replication++) {
    const grids = gridsOf({ ...settings, replication }, methods, capacities);
    const speeds = JSON.stringify([...new Set(grids)].map((grid) => grid.speeds));
    if (last?.speeds !== speeds) last = { speeds, runs: onGrids(grids) };
    const firstNumber = 1 + (replication - 1) * variants.settings.length;
    for (const [method, run] of last.runs.entries())
      runs.push({ workload: firstNumber + variants.places[method]!, ...run });
  }
  return { runs, requests: runs.map(() => kept) };
}
