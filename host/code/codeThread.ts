/**
 * Runs one simulation in a separate thread, since it calls user-written functions and may have to be
 * terminated.
 */
import { loadCoreModule } from '../core/module.js';
import type { Grid } from '../grid/grid.js';
import type { Configuration, SimulationOptions } from '../options/configuration.js';
import { listCodeFilesOfRun, makePlainRunOptions } from '../options/document.js';
import type { Simulator } from '../simulate/simulator.js';
import { keepFieldsOfLog, SIMULATED_FIELDS, type Workload } from '../workload/workload.js';
import {
  type Fault,
  makeErrorFromFault,
  makeErrorOfEndedThread,
  makeWatchState,
  type WatchedCode,
  watchThreads,
} from './watch.js';

/** Data passed to the thread. */
export interface CodeThreadData {
  readonly core: WebAssembly.Module;
  readonly code: WatchedCode;
  readonly workload: Workload;
  readonly grid: Grid;
  readonly options: SimulationOptions;
}

/** Result of a thread: the state of the finished simulation and its milliseconds, or an error. */
export type CodeThreadResult =
  | { readonly snapshot: Uint8Array; readonly milliseconds: number }
  | { readonly fault: Fault };

/** Options of a simulation in a thread. */
export interface CodeThreadOptions {
  /** Timeout in seconds for one call of a user-written function. */
  readonly timeout: number;
  readonly signal?: AbortSignal | undefined;
}

/** Workload with the columns that orders may use, as plain arrays that can be passed to a thread. */
function removeLogFromWorkload({ log, ...workload }: Workload): Workload {
  if (log === undefined) return workload;
  return { ...workload, log: keepFieldsOfLog(log, SIMULATED_FIELDS) };
}

/**
 * Runs a configuration to the end in a thread if it calls code files that are not loaded here.
 * @returns milliseconds of the simulation; undefined if it calls none, and nothing was run.
 * @throws InputError for a simulation that is impossible; FunctionError if a function fails or hangs; the
 * reason of the abort signal.
 */
export async function runSimulationWithUserCode(
  simulator: Simulator,
  configuration: Configuration,
  options: CodeThreadOptions,
): Promise<number | undefined> {
  if (listCodeFilesOfConfiguration(configuration).every(({ exports }) => exports !== undefined))
    return undefined;
  const { snapshot, milliseconds } = await runSimulationInThread(simulator.workload, configuration, options);
  simulator.restore(snapshot, configuration);
  return milliseconds;
}

/**
 * Code files that the simulation itself calls, excluding functions for estimates, which the jobs already
 * have.
 */
const listCodeFilesOfConfiguration = (configuration: Configuration) =>
  listCodeFilesOfRun({ ...configuration, labels: undefined });

/** Runs a simulation in the thread; returns the final state, for `Simulator.restore`, and milliseconds. */
async function runSimulationInThread(
  workload: Workload,
  configuration: Configuration,
  { timeout, signal }: CodeThreadOptions,
): Promise<{ readonly snapshot: Uint8Array; readonly milliseconds: number }> {
  const watchedCode = makeWatchState(listCodeFilesOfConfiguration(configuration), timeout, 1);
  const { grid, trackProcessors: processorSets } = configuration;
  const workerData: CodeThreadData = {
    core: loadCoreModule('release'),
    code: watchedCode,
    workload: removeLogFromWorkload(workload),
    grid,
    options: { ...makePlainRunOptions(configuration), processorSets },
  };
  const { Worker } = await import('node:worker_threads');
  const worker = new Worker(new URL('./codeWorker.js', import.meta.url), { workerData });
  const threadWatch = watchThreads(watchedCode, signal);
  try {
    return await new Promise((resolve, reject) => {
      const rejectWithStopReason = () => reject(threadWatch.signal.reason);
      threadWatch.signal.addEventListener('abort', rejectWithStopReason);
      if (threadWatch.signal.aborted) rejectWithStopReason();
      worker.on('error', (error) => reject(makeErrorOfEndedThread(error, watchedCode.files)));
      worker.on('exit', (status) =>
        reject(makeErrorOfEndedThread(new Error(`it exits with ${status}`), watchedCode.files)),
      );
      worker.on('message', (result: CodeThreadResult) => {
        if ('fault' in result) reject(makeErrorFromFault(result.fault));
        else resolve(result);
      });
    });
  } finally {
    threadWatch.endWatch();
    await worker.terminate();
  }
}
