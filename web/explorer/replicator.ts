/** Replications by workers of their own, so that the page stays as quick as it is. */
import type { Client } from './client.js';
import type { Controller } from './controller.js';
import type { Setup } from './protocol.js';

/** The most workers at once, if the machine has the processors. */
const MOST_WORKERS = 4;

/** Replications of a setup: what is done is known by its number, so that order and number of workers change nothing. */
export class Replicator {
  readonly #controller: Controller;
  #clients: Client[] = [];
  #isStopped = false;

  constructor(controller: Controller) {
    this.#controller = controller;
  }

  /**
   * The metrics of every method in replications 1 to `count`; undefined when it was stopped.
   * @param tell is called with how many are done.
   */
  async run(setup: Setup, count: number, tell: (done: number) => void): Promise<number[][][] | undefined> {
    const values: number[][][] = [];
    let next = 1;
    let done = 0;
    this.#isStopped = false;
    const work = async () => {
      const client = await this.#controller.newClient();
      this.#clients.push(client);
      while (next <= count && !this.#isStopped) {
        const replication = next++;
        values[replication - 1] = await client.ask('replicate', { setup, replication });
        tell(++done);
      }
    };
    const workers = Math.max(1, Math.min(navigator.hardwareConcurrency - 1, MOST_WORKERS, count));
    try {
      await Promise.all(Array.from({ length: workers }, work));
      return this.#isStopped ? undefined : values;
    } catch (error) {
      if (this.#isStopped) return undefined;
      throw error;
    } finally {
      this.#close();
    }
  }

  /** Gives up what is still to be done. */
  stop(): void {
    this.#isStopped = true;
    this.#close();
  }

  #close(): void {
    for (const client of this.#clients) client.close();
    this.#clients = [];
  }
}
