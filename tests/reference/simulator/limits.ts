import type { JobRecord, Simulation } from './simulation.js';

/** Largest number of running jobs, and of processors that they hold, per user and per group. */
export interface RunningLimits {
  userJobs?: number;
  userProcessors?: number;
  groupJobs?: number;
  groupProcessors?: number;
}

/** True if a job would exceed a limit of its user or group if it started now. */
export function exceedsLimit({ options, running }: Simulation, job: JobRecord): boolean {
  const { limits } = options;
  if (limits === undefined) return false;
  const isOverLimit = (by: 'user' | 'group', maxJobCount?: number, maxProcessors?: number) => {
    const account = job[by] ?? -1;
    if (account < 0) return false;
    const otherJobsOfOwner = running.filter((other) => other[by] === account);
    const whole = ({ pieceOf, index }: JobRecord) => (pieceOf === undefined ? index : -1 - pieceOf);
    const jobs = new Set([...otherJobsOfOwner, job].map(whole)).size;
    const processors = otherJobsOfOwner.reduce((sum, other) => sum + other.processors, job.processors);
    return jobs > (maxJobCount ?? jobs) || processors > (maxProcessors ?? processors);
  };
  const { userJobs, userProcessors, groupJobs, groupProcessors } = limits;
  return isOverLimit('user', userJobs, userProcessors) || isOverLimit('group', groupJobs, groupProcessors);
}
