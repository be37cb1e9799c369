/** Jobs that a machine ends when they have run as long as they requested. */
import type { Trace } from '../trace/trace.js';

/** When jobs are ended that still run. */
export const KILL_RULES = ['at-estimate'] as const;
/** One of `KILL_RULES`. */
export type KillRule = (typeof KILL_RULES)[number];

/**
 * Runtimes of records that are ended at the time they request, and which records are (1): those that run longer. A
 * record that requests no time is never ended.
 */
export function killAtEstimate({ columns }: Trace): { runtime: Float64Array; killed: Uint8Array } {
  const { runtime, requestedTime } = columns;
  const isKilled = (record: number) => requestedTime[record] > 0 && runtime[record] > requestedTime[record];
  const killed = Uint8Array.from(runtime, (_, record) => Number(isKilled(record)));
  return { runtime: runtime.map((time, record) => (killed[record] ? requestedTime[record] : time)), killed };
}
