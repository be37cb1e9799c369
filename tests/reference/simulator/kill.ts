/** Jobs ended at their requested time, and what is reported of them, as it is defined. */
import { exactSum } from './exactSum.js';
import type { LoggedJob } from './perturbation.js';
import type { ReferenceJob, ReferenceResult } from './types.js';

/** The jobs with the runtimes that they are left, and whether each is killed. */
export function killReference(jobs: readonly LoggedJob[]): { job: LoggedJob; killed: boolean }[] {
  return jobs.map((job) => {
    if (job.requested <= 0) return { job, killed: false };
    return {
      job: { ...job, runtime: Math.min(job.runtime, job.requested) },
      killed: job.runtime > job.requested,
    };
  });
}

/** Measures of the killed jobs and of the others. */
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
    left.length === 0 ? 0 : exactSum(left.map(term)) / left.length;
  return {
    killedJobs: gone.length,
    killedProcessorSeconds: exactSum(gone.map((i) => held[i]! * execution[i]!)),
    completedAverageResponseTime: mean((i) => start[i]! + execution[i]! - jobs[i]!.submit),
    completedMeanWait: mean(wait),
    completedMeanBoundedSlowdown: mean((i) =>
      Math.max(1, (wait(i) + execution[i]!) / Math.max(10, execution[i]!)),
    ),
  };
}
