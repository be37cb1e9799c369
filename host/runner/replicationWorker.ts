/** A thread that runs replications. */
import { workerData } from 'node:worker_threads';
import { setCore } from '../core/module.js';
import { InputError } from '../errors.js';
import { type ReplicatedExperiment, ReplicationRunner } from './replicationRuns.js';

/** The metrics of each method, or the sentence of what was wrong. */
export type ReplicationResult =
  | { readonly values: readonly (readonly number[])[] }
  | { readonly fault: string };

/** What every thread is given once. */
export interface ReplicationWorkerData {
  /** The core that simulates. */
  readonly core: WebAssembly.Module;
  readonly experiment: ReplicatedExperiment;
}

const { core, experiment } = workerData as ReplicationWorkerData;
setCore(core);

let runner: ReplicationRunner | undefined;

/** Runs all methods on one replication. */
export default function runReplication(replication: number): ReplicationResult {
  try {
    runner ??= new ReplicationRunner(experiment);
    return { values: runner.run(replication) };
  } catch (error) {
    if (error instanceof InputError) return { fault: error.message };
    throw error;
  }
}
