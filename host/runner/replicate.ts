/** Replications of a comparison, by threads: each by itself, so that their number and order change nothing. */
import { errorOf } from '../code/fault.js';
import { type WatchedCode, watchedCode, watchThreads } from '../code/watch.js';
import { coreModule } from '../core/module.js';
import { type ReplicatedExperiment, ReplicationRunner } from './replicationRuns.js';
import type { ReplicationResult, ReplicationWorkerData } from './replicationWorker.js';
import type { Threads } from './threads.js';

/** The metrics of each method in one replication, in the order of `metricNames`. */
export type ReplicationValues = readonly (readonly number[])[];

/** How replications are run. */
export interface ReplicateOptions {
  /** With one, everything happens in the calling thread, unless methods ask functions from files. */
  readonly threads: number;
  /** Seconds that a function of the user's may take for one answer. */
  readonly timeout: number;
  readonly signal: AbortSignal;
  /** Called between replications in the calling thread; throws where the user wants to stop. */
  readonly pause: () => Promise<void>;
  readonly onDone: () => void;
}

/** Does replications from the first on, as many as are asked for. */
export class Replicator {
  readonly #experiment: ReplicatedExperiment;
  readonly #options: ReplicateOptions;
  readonly #values: ReplicationValues[] = [];
  readonly #code: WatchedCode;
  #threads: Threads<number, ReplicationResult> | undefined;
  #runner: ReplicationRunner | undefined;

  constructor(experiment: ReplicatedExperiment, options: ReplicateOptions) {
    this.#experiment = experiment;
    this.#options = options;
    this.#code = watchedCode(experiment.code, options.timeout, options.threads);
  }

  /**
   * The values of replications 1 to `count`; those that were done before are not done again.
   * @throws InputError when one cannot be simulated; FunctionError for a function that fails or does not end; the reason
   * of the signal.
   */
  async upTo(count: number): Promise<readonly ReplicationValues[]> {
    const done = this.#values.length;
    const missing = Array.from({ length: count - done }, (_, i) => done + i + 1);
    const isAlone = this.#options.threads === 1 && this.#code.files.length === 0;
    const fresh = isAlone ? await this.#inThisThread(missing) : await this.#inThreads(missing);
    this.#values.push(...fresh);
    return this.#values;
  }

  /** Ends the threads. */
  async close(): Promise<void> {
    await this.#threads?.close();
  }

  async #inThisThread(replications: readonly number[]): Promise<ReplicationValues[]> {
    this.#runner ??= new ReplicationRunner(this.#experiment);
    const values: ReplicationValues[] = [];
    for (const replication of replications) {
      await this.#options.pause();
      values.push(this.#runner.run(replication));
      this.#options.onDone();
    }
    return values;
  }

  async #inThreads(replications: readonly number[]): Promise<ReplicationValues[]> {
    const { threads, onDone } = this.#options;
    if (this.#threads === undefined) {
      const { Threads: Started } = await import('./threads.js');
      const workerData: ReplicationWorkerData = {
        core: coreModule('release'),
        experiment: this.#experiment,
        code: this.#code,
      };
      this.#threads = new Started('./replicationWorker.js', threads, workerData, this.#code.files);
    }
    const values: ReplicationValues[] = [];
    const take = (result: ReplicationResult, { place }: { readonly place: number }) => {
      if ('fault' in result) throw errorOf(result.fault);
      values[place] = result.values;
      onDone();
    };
    const { signal, end } = watchThreads(this.#code, this.#options.signal);
    try {
      await this.#threads.run(tasksOf(replications), take, signal);
      return values;
    } finally {
      end();
    }
  }
}

async function* tasksOf(replications: readonly number[]) {
  for (const [place, task] of replications.entries()) yield { task, place };
}
