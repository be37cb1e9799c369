/** Thread that runs one simulation with user-written functions. */
import { parentPort, workerData } from 'node:worker_threads';
import { setCore } from '../core/module.js';
import { makeConfiguration } from '../options/configuration.js';
import { nameOptionOnCommandLine } from '../options/options.js';
import { Simulator } from '../simulate/simulator.js';
import type { CodeThreadData, CodeThreadResult } from './codeThread.js';
import { loadWatchedCode, makeFaultFromError } from './watch.js';

const { core, code: watchedCode, workload, grid, options } = workerData as CodeThreadData;

async function runSimulationOfThread(): Promise<CodeThreadResult> {
  try {
    setCore(core);
    await loadWatchedCode(watchedCode);
    const simulator = new Simulator(workload);
    const begin = performance.now();
    simulator.begin(makeConfiguration(grid, options, nameOptionOnCommandLine));
    simulator.run();
    return { snapshot: simulator.snapshot(), milliseconds: performance.now() - begin };
  } catch (error) {
    return { fault: makeFaultFromError(error, watchedCode.files) };
  }
}

parentPort?.postMessage(await runSimulationOfThread());
