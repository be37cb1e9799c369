/** Replications of an experiment, each by itself, so that their number and order change nothing. */
import { codeOf } from '../options/document.js';
import type { Experiment } from '../simulate/experiment.js';
import { type ReplicatedExperiment, ReplicationPlan, recipeOf } from './replications.js';
import { Runner, type RunnerOptions } from './runner.js';
import { type RunTask, type TaskResult, valuesOfRuns } from './runTask.js';

/** How replications are run. */
export interface ReplicateOptions
  extends Required<Pick<RunnerOptions, 'threads' | 'timeout' | 'signal' | 'pause'>> {
  /** Names of the metrics that are wanted; those of every job take time. */
  readonly metrics: readonly string[];
  /** Whether methods that differ in nothing but their policies are simulated as one until a decision differs. */
  readonly sharing: boolean;
  /** So many replications are done already and not asked for; default 0. */
  readonly done?: number;
  readonly onDone: () => void;
}

/** The values of a metric under a method (its place among those of the experiment), by replication. */
export type ReplicatedValues = (metric: string, method: number) => number[];

/**
 * Does replications from the first on, as many as are asked for.
 * @example
 * const replicator = new Replicator(experiment, options);
 * const values = await replicator.upTo(20);
 * values('averageResponseTime', 0); // 20 numbers, those of the first method
 * await replicator.close();
 */
export class Replicator {
  readonly #plan: ReplicationPlan;
  readonly #runner: Runner;
  readonly #onDone: () => void;
  readonly #done: number;
  /** From the first that was not done before; by replication, then by method. */
  readonly #values: Float64Array[][] = [];

  constructor(
    experiment: ReplicatedExperiment & Pick<Experiment, 'configurations'>,
    { metrics, sharing, done = 0, onDone, ...options }: ReplicateOptions,
  ) {
    this.#plan = new ReplicationPlan(experiment, metrics, sharing);
    this.#onDone = onDone;
    this.#done = done;
    const code = [...new Set(experiment.configurations.flatMap(codeOf))];
    this.#runner = new Runner({ ...options, code, recipe: recipeOf(experiment) });
  }

  /**
   * The values of the replications up to `count` that were not done before; those of an earlier call are not done again.
   * @throws InputError when one cannot be simulated; FunctionError for a function that fails or does not end; the reason
   * of the signal.
   */
  async upTo(count: number): Promise<ReplicatedValues> {
    const take = (result: TaskResult, { replication }: { readonly replication: number }) => {
      if (result.fault !== undefined) return;
      this.#values[replication - 1 - this.#done] = this.#plan.byMethod(valuesOfRuns(result));
      this.#onDone();
    };
    await this.#runner.run(this.#tasks(count), take);
    const { places } = this.#plan;
    return (metric, method) => {
      const place = places.get(metric);
      if (place === undefined) throw new Error(`there is no metric '${metric}'`);
      return this.#values.slice(0, count - this.#done).map((each) => each[method]![place]!);
    };
  }

  /** Ends the threads. */
  async close(): Promise<void> {
    await this.#runner.close();
  }

  async *#tasks(count: number): AsyncGenerator<{ readonly task: RunTask; readonly replication: number }> {
    for (let replication = this.#done + this.#values.length + 1; replication <= count; replication++) {
      yield { task: this.#plan.task(replication), replication };
    }
  }
}
