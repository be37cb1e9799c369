/** A log in spans of equal length, each by itself: months of one machine differ more than copies of the same months. */
import type { SwfField } from '../trace/trace.js';
import type { Workload } from './workload.js';

/** Spans at most, their least length in seconds, and the fewest that say something. */
const MOST_SPANS = 12;
const LEAST_LENGTH = 30 * 86_400;
const FEWEST_SPANS = 4;

/** The jobs from one index to another, by themselves, their first submit at 0. */
function jobsBetween(workload: Workload, from: number, to: number): Workload {
  const { job, submit, runtime, estimate, processors, home, data, killed, recent, log } = workload;
  const columns = Object.entries(log ?? {}).map(([field, values]) => [field, values.slice(from, to)]);
  return {
    ...workload,
    count: to - from,
    job: job.slice(from, to),
    submit: submit.slice(from, to).map((time) => time - submit[from]!),
    runtime: runtime.slice(from, to),
    estimate: estimate.slice(from, to),
    processors: processors.slice(from, to),
    home: home.slice(from, to),
    ...(data === undefined ? {} : { data: data.slice(from, to) }),
    ...(killed === undefined ? {} : { killed: killed.slice(from, to) }),
    ...(recent === undefined ? {} : { recent: { ...recent, users: recent.users.slice(from, to) } }),
    ...(log === undefined ? {} : { log: Object.fromEntries(columns) as Record<SwfField, Float64Array> }),
  };
}

/** Spans of a log. */
export interface Spans {
  /** How long each is, in seconds; those without jobs, which are left out, too. */
  readonly seconds: number;
  readonly workloads: readonly Workload[];
}

/**
 * The jobs of a log in up to 12 spans of equal length by submit, each of 30 days or more; those without jobs are left out.
 * Undefined where that makes fewer than four, or where jobs depend on others.
 */
export function spansOf(workload: Workload): Spans | undefined {
  const { submit, count, dependencies } = workload;
  const length = submit[count - 1]! - submit[0]!;
  const spans = Math.min(MOST_SPANS, Math.floor(length / LEAST_LENGTH));
  if (spans < FEWEST_SPANS || dependencies !== undefined) return undefined;
  const found: Workload[] = [];
  let from = 0;
  for (let span = 1; span <= spans; span++) {
    const end = submit[0]! + (length * span) / spans;
    let to = from;
    while (to < count && (span === spans || submit[to]! < end)) to++;
    if (to > from) found.push(jobsBetween(workload, from, to));
    from = to;
  }
  return found.length < FEWEST_SPANS ? undefined : { seconds: length / spans, workloads: found };
}
