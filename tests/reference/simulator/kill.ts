/** Reference computation of jobs killed at their requested time, and of the metrics on them. */
import { sumExactly } from './exactSum.js';
import type { LoggedJobRecord } from './perturbation.js';
import type { ReferenceJob, ReferenceResult } from './types.js';

/** Jobs with their runtimes cut at the requested time, and whether each was killed. */
export function killReference(jobs: readonly LoggedJobRecord[]): { job: LoggedJobRecord; killed: boolean }[] {
  return jobs.map((job) => {
    if (job.requested <= 0) return { job, killed: false };
    return {
      job: { ...job, runtime: Math.min(job.runtime, job.requested) },
      killed: job.runtime > job.requested,
    };
  });
}

/** Metrics of the killed jobs and of the completed jobs. */
export function measureKilled(
  jobs: readonly ReferenceJob[],
  killed: readonly boolean[],
  { start, execution, held }: ReferenceResult,
): Record<string, number> {
  const all = jobs.map((_, i) => i);
  const gone = all.filter((i) => killed[i]);
  const left = gone.length === 0 ? [] : all.filter((i) => !killed[i]);
  const wait = (i: number) => start[i]! - jobs[i]!.submit;
  const mean = (term: (i: number) => number) =>
    left.length === 0 ? 0 : sumExactly(left.map(term)) / left.length;
  return {
    killedJobs: gone.length,
    killedProcessorSeconds: sumExactly(gone.map((i) => held[i]! * execution[i]!)),
    completedAverageResponseTime: mean((i) => start[i]! + execution[i]! - jobs[i]!.submit),
    completedMeanWait: mean(wait),
    completedMeanBoundedSlowdown: mean((i) =>
      Math.max(1, (wait(i) + execution[i]!) / Math.max(10, execution[i]!)),
    ),
  };
}
