/** A thread that runs replications. */
import { workerData } from 'node:worker_threads';
import { type Fault, faultOf } from '../code/fault.js';
import { loadWatched, type WatchedCode } from '../code/watch.js';
import { setCore } from '../core/module.js';
import { type ReplicatedExperiment, ReplicationRunner } from './replicationRuns.js';

/** The metrics of each method, or the sentence of what was wrong. */
export type ReplicationResult =
  | { readonly values: readonly (readonly number[])[] }
  | { readonly fault: Fault };

/** What every thread is given once. */
export interface ReplicationWorkerData {
  /** The core that simulates. */
  readonly core: WebAssembly.Module;
  readonly experiment: ReplicatedExperiment;
  /** Functions of the user's that methods ask. */
  readonly code: WatchedCode;
}

const { core, experiment, code } = workerData as ReplicationWorkerData;
setCore(core);

let loading: Promise<void> | undefined;
let runner: ReplicationRunner | undefined;

/** Runs all methods on one replication. */
export default async function runReplication(replication: number): Promise<ReplicationResult> {
  try {
    loading ??= loadWatched(code);
    await loading;
    runner ??= new ReplicationRunner(experiment);
    return { values: runner.run(replication) };
  } catch (error) {
    return { fault: faultOf(error, code.files) };
  }
}
