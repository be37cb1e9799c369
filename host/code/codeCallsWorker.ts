/** Thread that calls the function of a user-written file for every job. */
import { workerData } from 'node:worker_threads';
import { callUserFunctionAndCheckAnswers, findProvidedCode } from '../providedCode.js';
import { rememberWorkloadOfView } from '../simulate/policyView.js';
import type { CodeCallResult, CodeCallThreadData } from './codeCalls.js';
import { loadWatchedCode, makeFaultFromError } from './watch.js';

const { code: watchedCode, jobColumns, done, port } = workerData as CodeCallThreadData;

function endThread(): void {
  Atomics.store(done, 0, 1);
  Atomics.notify(done, 0);
}

async function callUserFunctionForJobs(): Promise<CodeCallResult> {
  try {
    await loadWatchedCode(watchedCode);
    const ask = findProvidedCode(watchedCode.files[0]!.name, 'estimates').exports?.default as (
      job: object,
    ) => unknown;
    const workload = { name: jobColumns.logName };
    return {
      values: callUserFunctionAndCheckAnswers(
        watchedCode.files[0]!,
        (job) => ask(rememberWorkloadOfView(job, workload)),
        jobColumns,
      ),
    };
  } catch (error) {
    return { fault: makeFaultFromError(error, watchedCode.files) };
  }
}

process.on('exit', endThread);
port.postMessage(await callUserFunctionForJobs());
endThread();
