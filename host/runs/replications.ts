/** The methods of an experiment on replications of its jobs, as runs: whoever simulates a replication makes its jobs. */

import { type Core, openCore } from '../core/module.js';
import type { Grid } from '../grid/grid.js';
import { firstOf } from '../lists.js';
import type { Settings } from '../options/options.js';
import { isCodeName } from '../options/providedCode.js';
import { configurationOf, type Experiment } from '../simulate/experiment.js';
import { placeJobs } from '../simulate/jobTable.js';
import { gridOf, type JobSource, jobSource } from '../simulate/prepare.js';
import { Simulator } from '../simulate/simulator.js';
import { runParameters } from '../study/plan.js';
import { classMetricsIn, jobMetricsIn, valuePlaces } from '../study/runValues.js';
import type { Trace } from '../trace/trace.js';
import type { RunGroup, RunTask } from './runTask.js';

/** What is the same in all replications. */
export interface ReplicatedExperiment extends Pick<Experiment, 'settings' | 'loaded' | 'methods'> {
  /** Of which each replication has the sites, with speeds of its own where these are perturbed. */
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

/** The runs of each replication of an experiment. */
export class ReplicationPlan {
  readonly #experiment: ReplicatedExperiment;
  readonly #jobMetrics: readonly string[];
  readonly #isShared: boolean;
  /** The methods in the order in which their runs are simulated. */
  readonly #order: readonly number[];
  readonly #alike: readonly (readonly number[])[];

  /**
   * @param metrics names of those that are wanted; metrics of every job are computed where they are among these.
   * @param isShared whether methods that differ in nothing but their policies are simulated as one until a decision
   * differs; the values are the same.
   */
  constructor(experiment: ReplicatedExperiment, metrics: readonly string[], isShared = true) {
    this.#experiment = experiment;
    this.#jobMetrics = jobMetricsIn(metrics);
    this.#isShared = isShared;
    this.#alike = this.#alikeMethods();
    this.#order = this.#alike.flat();
  }

  /** Where the values of a run are, by the names of metrics. */
  get places(): ReadonlyMap<string, number> {
    return valuePlaces(
      'simulations',
      this.#experiment.grid.capacities.length,
      classMetricsIn(this.#jobMetrics),
    );
  }

  /**
   * The runs of replication r = 1, 2, ...
   * @throws InputError for speeds or options that do not fit.
   */
  task(replication: number): RunTask {
    const { settings, grid: sites, methods } = this.#experiment;
    const grid = gridOf({ ...settings, replication }, sites.capacities);
    const parameters = methods.map((method) => runParameters(configurationOf(grid, settings, method)));
    const groups = this.#alike.map(
      (group): RunGroup => ({
        parameters: parameters[firstOf(group)]!,
        policies: group.map((method) => parameters[method]!.policy),
        jobMetrics: this.#jobMetrics,
      }),
    );
    return { jobs: replication, groups };
  }

  /** The values of the runs of a task, by method. */
  byMethod<Values>(values: readonly Values[]): Values[] {
    const byMethod: Values[] = [];
    this.#order.forEach((method, run) => {
      byMethod[method] = values[run]!;
    });
    return byMethod;
  }

  /** Methods that differ in nothing but their policies. */
  #alikeMethods(): number[][] {
    const groups = new Map<string, number[]>();
    this.#experiment.methods.forEach(({ policy, ...others }, method) => {
      // Functions are asked about one run at a time.
      const mayShare = this.#isShared && policy !== undefined && !isCodeName(policy);
      const key = mayShare ? JSON.stringify(others) : String(method);
      groups.set(key, [...(groups.get(key) ?? []), method]);
    });
    return [...groups.values()];
  }
}
