/** Runs the replications of an experiment; each is independent of number and order. */
import { listCodeFilesOfRun } from '../options/document.js';
import type { Experiment } from '../simulate/experiment.js';
import { selectClassMetricsByName, valuePositionsByMetric } from '../study/runValues.js';
import { makeReplicatedJobsRecipe, makeReplicationRuns, type ReplicatedExperiment } from './replications.js';
import { groupRunsByHistory } from './runList.js';
import { RunExecutor, type RunExecutorOptions } from './runner.js';

/** Options for running replications. */
export interface ReplicatorOptions
  extends Required<Pick<RunExecutorOptions, 'threads' | 'timeout' | 'signal' | 'pause'>> {
  /** Names of the requested metrics; per-job metrics take extra time. */
  readonly metrics: readonly string[];
  /** True to simulate methods that differ only in policy together until a decision differs. */
  readonly sharing: boolean;
  /** Number of replications that are already finished and skipped; default: 0. */
  readonly done?: number;
  readonly onDone: () => void;
}

/** Returns the values of a metric under a method (by index), by replication. */
type GetReplicatedValues = (metric: string, method: number) => number[];

/**
 * Runs replications in order, as many as requested.
 * @example
 * const replicator = new ReplicationRunner(experiment, options);
 * const values = await replicator.upTo(20);
 * values('averageResponseTime', 0); // 20 numbers, those of the first method
 * await replicator.close();
 */
export class ReplicationRunner {
  readonly #experiment: ReplicatedExperiment;
  readonly #options: Pick<ReplicatorOptions, 'metrics' | 'sharing' | 'onDone'>;
  readonly #runner: RunExecutor;
  /** Number of sites of each method. */
  readonly #sites: readonly number[];
  readonly #skippedCount: number;
  /** Values by replication (from the first one not skipped), then by method. */
  readonly #values: ArrayLike<number>[] = [];
  /** Number of runs since the last completed replication was reported. */
  #unreportedRuns = 0;

  constructor(
    experiment: ReplicatedExperiment & Pick<Experiment, 'configurations'>,
    { metrics, sharing, done = 0, onDone, ...options }: ReplicatorOptions,
  ) {
    this.#experiment = experiment;
    this.#options = { metrics, sharing, onDone };
    this.#skippedCount = done;
    this.#sites = experiment.configurations.map(({ grid }) => grid.capacities.length);
    const codeFiles = [...new Set(experiment.configurations.flatMap(listCodeFilesOfRun))];
    this.#runner = new RunExecutor({
      ...options,
      code: codeFiles,
      recipe: makeReplicatedJobsRecipe(experiment),
    });
  }

  /**
   * Values of the replications up to `replicationCount`; earlier results are reused.
   * @throws InputError if one cannot be simulated; FunctionError if a user function fails or hangs; the
   * abort reason.
   */
  async upTo(replicationCount: number): Promise<GetReplicatedValues> {
    const { metrics, sharing, onDone } = this.#options;
    const { methods } = this.#experiment;
    const previousCount = this.#values.length;
    const firstReplication = this.#skippedCount + previousCount / methods.length + 1;
    const plannedRuns = makeReplicationRuns(this.#experiment, metrics, firstReplication, replicationCount);
    await this.#runner.run(
      plannedRuns,
      groupRunsByHistory(plannedRuns, plannedRuns.runs.keys(), sharing),
      (batch) => {
        for (const [runIndex, values] of batch) this.#values[previousCount + runIndex] = values;
        for (
          this.#unreportedRuns += batch.length;
          this.#unreportedRuns >= methods.length;
          this.#unreportedRuns -= methods.length
        )
          onDone();
      },
    );
    const classMetrics = selectClassMetricsByName(metrics);
    return (metric, method) => {
      const position = valuePositionsByMetric('simulations', this.#sites[method]!, classMetrics).get(metric);
      if (position === undefined) throw new Error(`there is no metric '${metric}'`);
      const valuesOfMethod = Array.from(
        { length: replicationCount - this.#skippedCount },
        (_, i) => this.#values[i * methods.length + method]!,
      );
      return valuesOfMethod.map((values) => values[position]!);
    };
  }

  /** Ends the threads. */
  async close(): Promise<void> {
    await this.#runner.close();
  }
}
