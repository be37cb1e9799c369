/**
 * Calls functions in user-written files for every job before a simulation, in a separate thread that can be
 * terminated.
 */
import { createRequire } from 'node:module';
import { FunctionError } from '../errors.js';
import type { CodeFile, LoggedJobColumns } from '../providedCode.js';
import {
  DEFAULT_ANSWER_TIMEOUT_SECONDS,
  type Fault,
  makeErrorFromFault,
  makeWatchState,
  startWatchdog,
  type WatchedCode,
} from './watch.js';

/** Data passed to the thread. */
export interface CodeCallThreadData {
  readonly code: WatchedCode;
  readonly jobColumns: LoggedJobColumns;
  /** Flag that becomes 1 when the thread has answered or ended. */
  readonly done: Int32Array;
  readonly port: import('node:worker_threads').MessagePort;
}

/** Answers of the thread, or an error. */
export type CodeCallResult = { readonly values: Float64Array } | { readonly fault: Fault };

/** Milliseconds between checks of the thread. */
const THREAD_CHECK_INTERVAL_MS = 25;

let answerTimeoutSeconds = DEFAULT_ANSWER_TIMEOUT_SECONDS;

/** Sets the timeout in seconds for one call of a user-written function. */
export function setAnswerTimeout(seconds: number): void {
  answerTimeoutSeconds = seconds;
}

/**
 * Calls the function of a file in another thread while this one waits, and returns its results.
 * @throws FunctionError if the function fails or hangs.
 */
export function callUserFunctionInThread(file: CodeFile, jobColumns: LoggedJobColumns): Float64Array {
  // Loaded where it is used, since jobs are made without waiting.
  const threadsModule = createRequire(import.meta.url)(
    'node:worker_threads',
  ) as typeof import('node:worker_threads');
  const { port1, port2 } = new threadsModule.MessageChannel();
  const { exports: _, ...plain } = file;
  const watchedCode = makeWatchState([plain], answerTimeoutSeconds, 1);
  const doneFlags = new Int32Array(new SharedArrayBuffer(4));
  const workerData: CodeCallThreadData = {
    code: watchedCode,
    jobColumns,
    done: doneFlags,
    port: port2,
  };
  const worker = new threadsModule.Worker(new URL('./codeCallsWorker.js', import.meta.url), {
    workerData,
    transferList: [port2],
  });
  worker.unref();
  let timeoutError: Error | undefined;
  const checkTimeouts = startWatchdog(watchedCode, (error) => {
    timeoutError ??= error;
  });
  try {
    while (Atomics.wait(doneFlags, 0, 0, THREAD_CHECK_INTERVAL_MS) === 'timed-out') {
      checkTimeouts();
      if (timeoutError !== undefined) throw timeoutError;
    }
    const { message } = (threadsModule.receiveMessageOnPort(port1) ?? {}) as { message?: CodeCallResult };
    if (message === undefined) throw new FunctionError(`${file.name} ended its thread without an answer`);
    if ('fault' in message) throw makeErrorFromFault(message.fault);
    return message.values;
  } finally {
    port1.close();
    void worker.terminate();
  }
}
