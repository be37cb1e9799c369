/** Replications of an experiment as a list of runs; simulators create the jobs themselves. */
import { type Core, openCore } from '../core/module.js';
import type { Grid } from '../grid/grid.js';
import type { Settings } from '../options/options.js';
import {
  distinctJobSettings,
  type Experiment,
  type JobMaker,
  makeGridOfSettings,
  makeGridsOfMethods,
  makeJobMaker,
  makeMethodConfiguration,
} from '../simulate/experiment.js';
import { putJobTableAtMemoryStart } from '../simulate/layout.js';
import { Simulator } from '../simulate/simulator.js';
import { determineRequestedCapacities } from '../simulate/workloadSettings.js';
import { makeRunParametersOfConfiguration, RunParametersPool } from '../study/plan.js';
import { selectJobMetrics } from '../study/runValues.js';
import type { Trace } from '../trace/trace.js';
import type { RunList } from './runList.js';

/** Parts of an experiment that all replications share. */
export interface ReplicatedExperiment extends Pick<Experiment, 'settings' | 'loaded' | 'methods'> {
  /** Sites of methods without their own; replications may perturb their speeds. */
  readonly grid: Pick<Grid, 'capacities'>;
}

/** Plain data from which threads create the jobs of every replication. */
export interface ReplicatedJobsRecipe {
  /** Log or model jobs before perturbation. */
  readonly trace: Trace;
  /** Settings that determine jobs, one per distinct set of jobs among the methods. */
  readonly variants: readonly Settings[];
  /** Processors per site, for variants that name none. */
  readonly capacities: readonly number[];
}

/** Data from which the jobs of an experiment's replications are created; contains no functions. */
export function makeReplicatedJobsRecipe({
  settings,
  loaded: loadedLog,
  grid,
  methods,
}: ReplicatedExperiment): ReplicatedJobsRecipe {
  const variants = distinctJobSettings(settings, methods).settings.map((setting) => {
    const { policy: _, order: __, backfillOrder: ___, ...jobSettings } = setting;
    return jobSettings;
  });
  return { trace: loadedLog, variants, capacities: grid.capacities };
}

/** Creates the jobs of replications one after another, reusing memory. */
export class ReplicatedJobsMaker {
  readonly #recipe: ReplicatedJobsRecipe;
  /** Job sources by variant. */
  readonly #sources: readonly JobMaker[];
  readonly #core: Core = openCore('release');

  constructor(jobsRecipe: ReplicatedJobsRecipe) {
    this.#recipe = jobsRecipe;
    this.#sources = jobsRecipe.variants.map((settings) => makeJobMaker(settings, jobsRecipe.trace));
  }

  /**
   * Simulator for the jobs with a number assigned by `makeReplicationRuns`; invalidates the previous simulator.
   * @throws InputError for jobs or speeds that cannot be simulated.
   */
  simulator(workloadNumber: number): Simulator {
    const { variants, capacities } = this.#recipe;
    const variant = (workloadNumber - 1) % variants.length;
    const replication = 1 + Math.floor((workloadNumber - 1) / variants.length);
    const settings = { ...variants[variant]!, replication };
    const grid = makeGridOfSettings(settings, determineRequestedCapacities(settings) ?? capacities);
    const { workload } = this.#sources[variant]!.makeJobs(grid, replication);
    return new Simulator(workload, putJobTableAtMemoryStart(this.#core, workload));
  }
}

/**
 * Runs of replications, by replication, then by method. Workload numbers start at 1, by replication, then
 * by variant of the jobs (`distinctJobSettings`).
 * @param metrics names of the requested metrics.
 * @param from first replication, at least 1.
 * @param to last replication.
 * @throws InputError for invalid speeds or options.
 */
export function makeReplicationRuns(
  { settings, grid: { capacities }, methods }: ReplicatedExperiment,
  metrics: readonly string[],
  from: number,
  to: number,
): RunList {
  const request = { jobMetrics: selectJobMetrics(metrics) };
  const commonParameters = new RunParametersPool();
  const variants = distinctJobSettings(settings, methods);
  const makeRunParameters = (grids: readonly Grid[]) =>
    methods.map((method, i) => {
      const runParameters = makeRunParametersOfConfiguration(
        makeMethodConfiguration(grids[i]!, settings, method),
      );
      return { policy: runParameters.policy, common: commonParameters.shareEqual(runParameters) };
    });
  const plannedRuns: RunList['runs'][number][] = [];
  // Most replications share the grid and thus the run parameters.
  let previousSpeedsAndRuns:
    | { readonly speeds: string; readonly runs: ReturnType<typeof makeRunParameters> }
    | undefined;
  for (let replication = from; replication <= to; replication++) {
    const grids = makeGridsOfMethods({ ...settings, replication }, methods, capacities);
    const speedsJson = JSON.stringify([...new Set(grids)].map((grid) => grid.speeds));
    if (previousSpeedsAndRuns?.speeds !== speedsJson)
      previousSpeedsAndRuns = { speeds: speedsJson, runs: makeRunParameters(grids) };
    const firstWorkloadNumber = 1 + (replication - 1) * variants.settings.length;
    for (const [method, plannedRun] of previousSpeedsAndRuns.runs.entries())
      plannedRuns.push({ workload: firstWorkloadNumber + variants.settingsIndexes[method]!, ...plannedRun });
  }
  return { runs: plannedRuns, requests: plannedRuns.map(() => request) };
}
