/** Jobs of which measurements are made. */
import type { Workload } from '../workload/workload.js';

/** A workload of jobs in the order of their submits, all of the first site. */
export function workloadOf(
  jobs: readonly { submit: number; runtime: number; processors: number }[],
): Workload {
  const count = jobs.length;
  const runtime = Float64Array.from(jobs, (job) => job.runtime);
  const none = { dropped: [], oversizeJobs: [], withoutEstimate: 0, split: { jobs: 0, pieces: 0 } };
  return {
    name: 'bench',
    count,
    job: Float64Array.from(jobs, (_, i) => i + 1),
    submit: Float64Array.from(jobs, (job) => job.submit),
    runtime,
    estimate: runtime,
    processors: Int32Array.from(jobs, (job) => job.processors),
    home: new Int32Array(count),
    accounting: { read: count, kept: count, ...none },
  };
}
