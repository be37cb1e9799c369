/** A thread that calls the function of a file for every job. */
import { workerData } from 'node:worker_threads';
import { codeAnswersForJobs, codeNamed } from '../providedCode.js';
import { rememberWorkload } from '../simulate/policyView.js';
import type { CodeCallData, CodeCallResult } from './codeCalls.js';
import { faultFromError, loadWatchedCode } from './watch.js';

const { code, jobs, done, port } = workerData as CodeCallData;

function end(): void {
  Atomics.store(done, 0, 1);
  Atomics.notify(done, 0);
}

async function answer(): Promise<CodeCallResult> {
  try {
    await loadWatchedCode(code);
    const ask = codeNamed(code.files[0]!.name, 'estimates').exports?.default as (job: object) => unknown;
    const workload = { name: jobs.log };
    return {
      values: codeAnswersForJobs(code.files[0]!, (job) => ask(rememberWorkload(job, workload)), jobs),
    };
  } catch (error) {
    return { fault: faultFromError(error, code.files) };
  }
}

process.on('exit', end);
port.postMessage(await answer());
end();
