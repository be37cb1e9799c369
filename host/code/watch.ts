/**
 * Watches threads that run user-written functions, since a function that hangs can only be terminated from
 * outside; and transfers errors of a thread to its creator.
 */
import { describeThrownValue, FunctionError, InputError, OutputError } from '../errors.js';
import { escapeTerminalControls } from '../format/text.js';
import type { CodeFile } from '../providedCode.js';
import { getWorkloadNamesOfView } from '../simulate/policyView.js';
import { loadCodeFile } from './loadCode.js';

/** User-written functions to run in threads, with a timeout. */
export interface WatchedCode {
  readonly files: readonly CodeFile[];
  /** Timeout in seconds for one call of a user-written function. */
  readonly timeout: number;
  /** Shared memory: number of threads, followed by a slot per thread. */
  readonly memory: SharedArrayBuffer;
}

/** Maximum number of bytes kept of a log name, and the doubles they occupy. */
const WATCHED_LOG_NAME_BYTES = 256;
const WATCHED_LOG_NAME_DOUBLES = WATCHED_LOG_NAME_BYTES / 8;
/** Doubles per slot: number of calls begun and ended (odd: a call is in progress), file, job, time, log. */
const WATCH_SLOT_DOUBLES = 5 + WATCHED_LOG_NAME_DOUBLES;
/** Value in place of a job number while a code file is being loaded. */
const JOB_NUMBER_WHILE_FILE_LOADS = -1;
/** Value in place of a job number if the job has a name, which then follows the name of the log. */
const JOB_NUMBER_OF_NAMED_JOB = -2;
/** Default timeout in seconds for one call. */
export const DEFAULT_ANSWER_TIMEOUT_SECONDS = 10;
/** Milliseconds between checks. */
const WATCH_INTERVAL_MS = 25;

/** Shared state by which this number of threads is watched. */
export function makeWatchState(
  files: readonly CodeFile[],
  answerTimeoutSeconds: number,
  threadCount: number,
): WatchedCode {
  return {
    files,
    timeout: answerTimeoutSeconds,
    memory: new SharedArrayBuffer(8 * (1 + WATCH_SLOT_DOUBLES * threadCount)),
  };
}

/**
 * Loads the files into this thread, in which their functions then record their arguments.
 * @throws InputError as `loadCodeFile`.
 */
export async function loadWatchedCode({ files, memory }: WatchedCode): Promise<void> {
  if (files.length > 0) redirectStdoutToStderr();
  const entries = new Float64Array(memory);
  const slot = 1 + WATCH_SLOT_DOUBLES * Atomics.add(new Int32Array(memory), 0, 1);
  const logNameBytes = new Uint8Array(memory, 8 * (slot + 5), WATCHED_LOG_NAME_BYTES);
  let log = '';
  const recordLogName = (logName: string) => {
    log = logName;
    const bytes = new TextEncoder().encode(logName).subarray(0, WATCHED_LOG_NAME_BYTES);
    logNameBytes.set(bytes);
    entries[slot + 4] = bytes.length;
  };
  const recordCall = <Answer>(file: number, job: number, time: number, call: () => Answer): Answer => {
    entries[slot + 1] = file;
    entries[slot + 2] = job;
    entries[slot + 3] = time;
    entries[slot]!++;
    try {
      return call();
    } finally {
      entries[slot]!++;
    }
  };
  for (const [fileIndex, file] of files.entries()) {
    // Loading counts as a call until it ends, since top-level code may hang too.
    entries.set([entries[slot]! + 1, fileIndex, JOB_NUMBER_WHILE_FILE_LOADS, 0, 0], slot);
    await loadCodeFile(file, (exports) => {
      const { default: choose, ...otherExports } = exports;
      const userChooseFunction = choose as (question: UserFunctionArgument) => unknown;
      return {
        ...otherExports,
        default: (question: UserFunctionArgument) => {
          const { name: workloadName, names: workloadNames } = getWorkloadNamesOfView(question);
          const { job, time } = 'job' in question ? question : { job: question, time: question.submit };
          const jobName = workloadNames?.job.get(job.number);
          const logAndJobText = jobName === undefined ? workloadName : `${workloadName}, job ${jobName}`;
          if (logAndJobText !== log) recordLogName(logAndJobText);
          return recordCall(
            fileIndex,
            jobName === undefined ? job.number : JOB_NUMBER_OF_NAMED_JOB,
            time,
            () => userChooseFunction(question),
          );
        },
      };
    });
    entries[slot]!++;
  }
}

/** Redirects output of user-written functions to standard error, since standard output is for results. */
function redirectStdoutToStderr(): void {
  const { stdout, stderr } = process;
  const print = stderr.write.bind(stderr) as (text: unknown, ...more: unknown[]) => boolean;
  const write = (printedValue: unknown, ...otherPrintedValues: unknown[]) =>
    print(
      typeof printedValue === 'string' ? escapeTerminalControls(printedValue) : printedValue,
      ...otherPrintedValues,
    );
  for (const stream of [stdout, stderr]) stream.write = write as typeof stream.write;
}

/** Argument of a user's function: the view of a policy, or the job of an order. */
type UserFunctionArgument =
  | { readonly job: { readonly number: number }; readonly time: number }
  | { readonly number: number; readonly submit: number };

/** Signal that stops threads, and a function that ends the watching. */
interface ThreadWatch {
  readonly signal: AbortSignal;
  readonly endWatch: () => void;
}

/**
 * Watches the threads until told to stop.
 * @param stopSignal signal that also stops the threads, with its reason.
 * @returns a signal that is aborted with a FunctionError if a function takes too long.
 */
export function watchThreads(watchedCode: WatchedCode, stopSignal?: AbortSignal): ThreadWatch {
  const controller = new AbortController();
  const stop = () => controller.abort(stopSignal?.reason);
  if (stopSignal?.aborted) stop();
  stopSignal?.addEventListener('abort', stop);
  const checkTimeouts = startWatchdog(watchedCode, (error) => controller.abort(error));
  const watchTimer =
    watchedCode.files.length === 0 ? undefined : setInterval(checkTimeouts, WATCH_INTERVAL_MS);
  const endWatch = () => {
    clearInterval(watchTimer);
    stopSignal?.removeEventListener('abort', stop);
  };
  return { signal: controller.signal, endWatch };
}

/** Entry that a thread writes before it calls a function. */
type WatchEntry = readonly [calls: number, file: number, job: number, time: number, nameLength: number];

/** Creates a function that, called regularly, finds user-written functions that take too long. */
export function startWatchdog(
  { files, timeout, memory }: WatchedCode,
  onExpired: (error: FunctionError) => void,
): () => void {
  const entries = new Float64Array(memory);
  const slotCount = (entries.length - 1) / WATCH_SLOT_DOUBLES;
  const describeWatchedJob = (slot: number, job: number, time: number, length: number) => {
    if (job === JOB_NUMBER_WHILE_FILE_LOADS) return undefined;
    // A copy, since shared bytes are no text.
    const logName = new TextDecoder().decode(new Uint8Array(memory, 8 * (slot + 5), length).slice());
    return job === JOB_NUMBER_OF_NAMED_JOB
      ? `${logName} at time ${time}`
      : `${logName}, job ${job} at time ${time}`;
  };
  const lastCallByThread = Array.from({ length: slotCount }, () => ({ calls: 0, since: 0 }));
  return () => {
    const now = performance.now();
    for (const [thread, last] of lastCallByThread.entries()) {
      const slot = 1 + WATCH_SLOT_DOUBLES * thread;
      const [callCount, file, job, time, nameLength] = entries.subarray(
        slot,
        slot + 5,
      ) as unknown as WatchEntry;
      if (callCount !== last.calls || callCount % 2 === 0)
        Object.assign(last, { calls: callCount, since: now });
      else if (now - last.since > 1000 * timeout)
        onExpired(
          new FunctionError(
            makeTimeoutMessage(files[file]!.name, describeWatchedJob(slot, job, time, nameLength), timeout),
          ),
        );
    }
  };
}

/**
 * @param jobDescription description of the job; undefined while the file was being loaded.
 */
function makeTimeoutMessage(fileName: string, jobDescription: string | undefined, timeout: number): string {
  const unfinishedCall =
    jobDescription === undefined
      ? `${fileName} has not been loaded`
      : `${jobDescription}: the function ${fileName} has not answered`;
  return `${unfinishedCall} within ${timeout} s; raise the limit with --policy-timeout`;
}

// Kinds of errors in a thread

const ERROR_KINDS = { input: InputError, output: OutputError, function: FunctionError };

/** An error as its message and kind. */
export interface Fault {
  readonly sentence: string;
  readonly kind: keyof typeof ERROR_KINDS;
}

/**
 * Converts an error to plain data.
 * @param codeFiles files that have run in the thread.
 * @throws the error itself if its kind is not reported as a message.
 */
export function makeFaultFromError(error: unknown, codeFiles: readonly CodeFile[] = []): Fault {
  for (const [kind, Kind] of Object.entries(ERROR_KINDS)) {
    if (error instanceof Kind) return { sentence: error.message, kind: kind as Fault['kind'] };
  }
  if (codeFiles.length === 0) throw error;
  return { sentence: describeLastUserCall(codeFiles, error), kind: 'function' };
}

/**
 * Creates the error for a thread that ended unexpectedly; if user-written code ran in it, that may be the
 * cause.
 */
export function makeErrorOfEndedThread(error: unknown, codeFiles: readonly CodeFile[]): unknown {
  return codeFiles.length === 0 ? error : new FunctionError(describeLastUserCall(codeFiles, error));
}

function describeLastUserCall(codeFiles: readonly CodeFile[], error: unknown): string {
  const codeFileNames = codeFiles.map(({ name: fileName }) => fileName).join(', ');
  return `${codeFileNames}: the thread in which functions run has failed (${describeThrownValue(error, '')}); a function must not end it, fail later than it answers, or change what JavaScript has built in`;
}

/** Converts plain data back to an error. */
export function makeErrorFromFault({ sentence, kind }: Fault): Error {
  return new ERROR_KINDS[kind](sentence);
}
