/** A thread that makes logs of workload models. */
import type { Trace } from '../trace/trace.js';
import { makeModelTrace } from '../workload/models.js';

/** The log of a model; undefined where there is none, for which who asked for it finds the words. */
export default function madeLog(text: string): Trace | undefined {
  try {
    return makeModelTrace(text);
  } catch {
    return undefined;
  }
}
