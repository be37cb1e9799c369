import type { JobRecord, Simulation } from './simulation.js';

/** Largest number of running jobs, and of processors that they hold, per user and per group. */
export interface RunningLimits {
  userJobs?: number;
  userProcessors?: number;
  groupJobs?: number;
  groupProcessors?: number;
}

/** True if a job would exceed a limit of its user or group if it started now. */
export function exceedsLimit({ options, running: runningJobs }: Simulation, job: JobRecord): boolean {
  const { limits } = options;
  if (limits === undefined) return false;
  const isOver = (accountKind: 'user' | 'group', mostJobs?: number, mostProcessors?: number) => {
    const account = job[accountKind] ?? -1;
    if (account < 0) return false;
    const otherRunningJobs = runningJobs.filter((otherJob) => otherJob[accountKind] === account);
    const wholeJobOf = ({ pieceOf, index: jobIndex }: JobRecord) =>
      pieceOf === undefined ? jobIndex : -1 - pieceOf;
    const jobs = new Set([...otherRunningJobs, job].map(wholeJobOf)).size;
    const processors = otherRunningJobs.reduce((sum, otherJob) => sum + otherJob.processors, job.processors);
    return jobs > (mostJobs ?? jobs) || processors > (mostProcessors ?? processors);
  };
  const { userJobs, userProcessors, groupJobs, groupProcessors } = limits;
  return isOver('user', userJobs, userProcessors) || isOver('group', groupJobs, groupProcessors);
}
