/** A thread that runs replications. */
import { workerData } from 'node:worker_threads';
import '../files/coreFile.js';
import { InputError } from '../errors.js';
import { type ReplicatedExperiment, ReplicationRunner } from './replicationRuns.js';

/** The metrics of each method, or the sentence of what was wrong. */
export type ReplicationResult =
  | { readonly values: readonly (readonly number[])[] }
  | { readonly fault: string };

let runner: ReplicationRunner | undefined;

/** Runs all methods on one replication. */
export default function runReplication(replication: number): ReplicationResult {
  try {
    runner ??= new ReplicationRunner(workerData as ReplicatedExperiment);
    return { values: runner.run(replication) };
  } catch (error) {
    if (error instanceof InputError) return { fault: error.message };
    throw error;
  }
}
