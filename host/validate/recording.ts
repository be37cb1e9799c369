/** A log as a recording of what a real scheduler did: when each job started, on which clock. */
import { InputError } from '../errors.js';
import { formatNumber } from '../format/numbers.js';
import type { Workload } from '../workload/workload.js';

/** Recorded starts of the jobs of a workload, by job. */
export interface Recording {
  readonly workload: Workload;
  /** Start of each job in seconds on the clock of the log; NaN where the log does not say. */
  readonly start: Float64Array;
  /** Number of jobs whose start the log says. */
  readonly known: number;
  /** Nodes that each job had processors of, from 0, by job; absent where the log does not list them. */
  readonly nodes?: readonly (readonly number[])[];
}

/**
 * Reads the recorded starts off a workload: submission plus recorded wait.
 * @throws InputError for jobs of no log, and for a log without waits.
 */
export function recordingOf(workload: Workload): Recording {
  const { log, submit, count, name } = workload;
  if (log === undefined) throw new InputError(`${name}: jobs of a model have no recorded starts; give a log`);
  const start = new Float64Array(count).fill(Number.NaN);
  let known = 0;
  for (let job = 0; job < count; job++) {
    if (!(log.wait[job]! >= 0)) continue;
    start[job] = submit[job]! + log.wait[job]!;
    known++;
  }
  if (known === 0) throw new InputError(`${name}: the log records no waits, so no starts to compare with`);
  return { workload, start, known };
}

/**
 * The recording with the nodes that jobs held, where every job with a recorded start has some, and no more than processors.
 * Nodes are numbered by name, in the order of the numbers in their names.
 * @param lists names of nodes by the name of the job.
 * @param names the name of each job.
 */
export function withNodes(
  recording: Recording,
  lists: ReadonlyMap<string, readonly string[]>,
  names: readonly string[],
): Recording {
  const all = [...new Set([...lists.values()].flat())].sort((one, other) =>
    one.localeCompare(other, 'en', { numeric: true }),
  );
  const numbers = new Map(all.map((name, number) => [name, number]));
  const { start, workload } = recording;
  const nodes = names.map((name) => (lists.get(name) ?? []).map((node) => numbers.get(node)!));
  const isWhole = nodes.every(
    (list, job) => Number.isNaN(start[job]!) || (list.length > 0 && list.length <= workload.processors[job]!),
  );
  return isWhole ? { ...recording, nodes } : recording;
}

/** States how many jobs have no recorded start; undefined where all have one. */
export function unknownStarts({ workload, known }: Recording): string | undefined {
  const missing = workload.count - known;
  if (missing === 0) return undefined;
  return `${formatNumber(missing)} of ${formatNumber(workload.count)} jobs have no recorded start and are not compared`;
}
