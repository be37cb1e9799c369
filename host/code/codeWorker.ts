/** A thread with one simulation that runs functions of the user's. */
import { parentPort, workerData } from 'node:worker_threads';
import { setCore } from '../core/module.js';
import { makeConfiguration } from '../options/configuration.js';
import { onCommandLine } from '../options/options.js';
import { Simulator } from '../simulate/simulator.js';
import type { ThreadData, ThreadResult } from './codeThread.js';
import { faultOf, loadWatched } from './watch.js';

const { core, code, workload, grid, options } = workerData as ThreadData;

async function run(): Promise<ThreadResult> {
  try {
    setCore(core);
    await loadWatched(code);
    const simulator = new Simulator(workload);
    const begin = performance.now();
    simulator.begin(makeConfiguration(grid, options, onCommandLine));
    simulator.run();
    return { snapshot: simulator.snapshot(), milliseconds: performance.now() - begin };
  } catch (error) {
    return { fault: faultOf(error, code.files) };
  }
}

parentPort?.postMessage(await run());
