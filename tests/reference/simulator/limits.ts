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
  const isOver = (by: 'user' | 'group', mostJobs?: number, mostProcessors?: number) => {
    const account = job[by] ?? -1;
    if (account < 0) return false;
    const others = running.filter((other) => other[by] === account);
    const whole = ({ pieceOf, index }: JobRecord) => (pieceOf === undefined ? index : -1 - pieceOf);
    const jobs = new Set([...others, job].map(whole)).size;
    const processors = others.reduce((sum, other) => sum + other.processors, job.processors);
    return jobs > (mostJobs ?? jobs) || processors > (mostProcessors ?? processors);
  };
  const { userJobs, userProcessors, groupJobs, groupProcessors } = limits;
  return isOver('user', userJobs, userProcessors) || isOver('group', groupJobs, groupProcessors);
}
