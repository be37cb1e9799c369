/** Runs replications in extra workers, so that the page stays responsive. */
import type { WorkerClient } from './client.js';
import type { ExplorerController } from './controller.js';
import type { ExplorerSetup } from './protocol.js';

/** Largest number of workers; fewer if the machine has fewer processors. */
const MAX_REPLICATION_WORKER_COUNT = 4;

/**
 * Replications of a setup. Results are stored by replication number, so that the number and order of workers
 * do not change them.
 */
export class WorkerReplicator {
  readonly #controller: ExplorerController;
  #clients: WorkerClient[] = [];
  #isStopped = false;

  constructor(controller: ExplorerController) {
    this.#controller = controller;
  }

  /**
   * Returns the metrics of every method in replications 1 to `replicationCount`; undefined if stopped.
   * @param onProgress called with the number of finished replications.
   */
  async run(
    setup: ExplorerSetup,
    replicationCount: number,
    onProgress: (finishedCount: number) => void,
  ): Promise<number[][][] | undefined> {
    const valuesByReplication: number[][][] = [];
    let nextReplicationNumber = 1;
    let finishedCount = 0;
    this.#isStopped = false;
    const runReplicationsInWorker = async () => {
      const client = await this.#controller.createWorkerClient();
      this.#clients.push(client);
      while (nextReplicationNumber <= replicationCount && !this.#isStopped) {
        const replication = nextReplicationNumber++;
        valuesByReplication[replication - 1] = await client.ask('replicate', { setup, replication });
        onProgress(++finishedCount);
      }
    };
    const workerCount = Math.max(
      1,
      Math.min(navigator.hardwareConcurrency - 1, MAX_REPLICATION_WORKER_COUNT, replicationCount),
    );
    try {
      await Promise.all(Array.from({ length: workerCount }, runReplicationsInWorker));
      return this.#isStopped ? undefined : valuesByReplication;
    } catch (error) {
      if (this.#isStopped) return undefined;
      throw error;
    } finally {
      this.#close();
    }
  }

  /** Cancels the remaining replications. */
  stop(): void {
    this.#isStopped = true;
    this.#close();
  }

  #close(): void {
    for (const client of this.#clients) client.close();
    this.#clients = [];
  }
}
