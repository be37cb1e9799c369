/** Replications of a comparison, by threads: each by itself, so that their number and order change nothing. */
import type { Piscina } from 'piscina';
import { errorOf } from '../code/fault.js';
import { type WatchedCode, watchedCode, watchThreads } from '../code/watch.js';
import { coreModule } from '../core/module.js';
import { type ReplicatedExperiment, ReplicationRunner } from './replicationRuns.js';
import type { ReplicationResult, ReplicationWorkerData } from './replicationWorker.js';

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

/** Replications that a thread has at hand, so that it never waits for the next. */
const AHEAD = 2;

/** Does replications from the first on, as many as are asked for. */
export class Replicator {
  readonly #experiment: ReplicatedExperiment;
  readonly #options: ReplicateOptions;
  readonly #values: ReplicationValues[] = [];
  readonly #code: WatchedCode;
  #pool: Piscina<number, ReplicationResult> | undefined;
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
    const fresh = isAlone ? await this.#inThisThread(missing) : await this.#inPool(missing);
    this.#values.push(...fresh);
    return this.#values;
  }

  /** Ends the threads. */
  async close(): Promise<void> {
    await this.#pool?.destroy();
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

  async #inPool(replications: readonly number[]): Promise<ReplicationValues[]> {
    const { threads, onDone } = this.#options;
    const { signal, end } = watchThreads(this.#code, this.#options.signal);
    if (this.#pool === undefined) {
      const { Piscina: Pool } = await import('piscina');
      this.#pool = new Pool<number, ReplicationResult>({
        filename: new URL('./replicationWorker.js', import.meta.url).href,
        minThreads: threads,
        maxThreads: threads,
        workerData: {
          core: coreModule('release'),
          experiment: this.#experiment,
          code: this.#code,
        } satisfies ReplicationWorkerData,
      });
      // What a thread still sends when the pool is closed comes as an error that nobody waits for.
      this.#pool.on('error', () => {});
    }
    const pool = this.#pool;
    const values: ReplicationValues[] = [];
    let next = 0;
    const lane = async () => {
      while (next < replications.length && !signal.aborted) {
        const place = next++;
        const result = await pool.run(replications[place]);
        if ('fault' in result) throw errorOf(result.fault);
        values[place] = result.values;
        onDone();
      }
    };
    let stop = () => {};
    const stopped = new Promise<never>((_, reject) => {
      stop = () => reject(signal.reason);
      signal.addEventListener('abort', stop);
    });
    try {
      signal.throwIfAborted();
      await Promise.race([Promise.all(Array.from({ length: AHEAD * threads }, lane)), stopped]);
      return values;
    } finally {
      signal.removeEventListener('abort', stop);
      end();
    }
  }
}
