/** Checks the running and waiting jobs with which a live simulation begins. */
import { describeReceivedValue } from '../arguments.js';
import { InputError } from '../errors.js';
import type { NamedState } from './liveEngine.js';
import type { LiveJobs } from './liveJobs.js';
import { checkPatience, findOptionThatCountsUse, type LiveSettings } from './liveOptions.js';
import {
  checkStateJob,
  checkTime,
  type LiveState,
  type LiveStateJob,
  liveJobContext,
} from './submittedJob.js';

const CONTEXT = 'LiveSimulation, state';

/**
 * Checks a state, and adds its jobs to those of a simulation.
 * @throws InputError.
 */
export function takeLiveState(
  liveState: LiveState,
  liveSettings: LiveSettings,
  liveJobs: LiveJobs,
): NamedState {
  if (typeof liveState !== 'object' || liveState === null || !Array.isArray(liveState.jobs))
    throw new InputError(
      `${CONTEXT}: expected an object with time and jobs, found ${describeReceivedValue(liveState)}`,
    );
  const expectedForm = checkTime(liveState.time);
  if (expectedForm !== undefined)
    throw new InputError(
      `${CONTEXT}, time: expected ${expectedForm}, found ${describeReceivedValue(liveState.time)}`,
    );
  let lastSubmit = 0;
  const jobsWithNames = liveState.jobs.map((job: LiveStateJob, number) => {
    checkStateJob(job, CONTEXT, liveSettings.configuration.grid.capacities.length);
    const context = liveJobContext(CONTEXT, job);
    checkJobInState(job, liveState.time, lastSubmit, context);
    if (job.reservation !== undefined && liveSettings.configuration.reservations !== 'kept')
      throw new InputError(
        `${context}, reservation: only reservations that are kept can be given; omit it, or give the option reservations: 'kept'`,
      );
    checkPatience(job, liveSettings, context);
    lastSubmit = job.submit;
    const jobName = liveJobs.newName(job, number, context);
    liveJobs.add(number, jobName);
    return { job, name: jobName };
  });
  checkStartsOfState(liveState.jobs, liveSettings);
  return { time: liveState.time, jobs: jobsWithNames };
}

/** Refuses running jobs that started in another order than that of submission, if orders count what users use. */
function checkStartsOfState(jobs: readonly LiveStateJob[], { configuration }: LiveSettings): void {
  const countingOption = findOptionThatCountsUse(configuration);
  if (countingOption === undefined) return;
  let lastStart = 0;
  for (const job of jobs) {
    if (job.start === undefined) continue;
    if (job.start < lastStart)
      throw new InputError(
        `${liveJobContext(CONTEXT, job)}: it starts at ${job.start}, and a job above it at ${lastStart}; the option ${countingOption} counts what users use, for which running jobs must have started in order of submission; choose another ${countingOption}`,
      );
    lastStart = job.start;
  }
}

function checkJobInState(job: LiveStateJob, time: number, lastSubmit: number, context: string): void {
  const lateTime = [job.submit, job.start ?? 0].find((each) => each > time);
  if (lateTime !== undefined)
    throw new InputError(
      `${context}: ${lateTime} is after the time ${time} of the state; submit the job later`,
    );
  if (job.submit < lastSubmit)
    throw new InputError(
      `${context}: it is submitted at ${job.submit}, before the job above it at ${lastSubmit}; sort the jobs by submit`,
    );
}

/**
 * Refuses a state in which jobs run that would have ended before.
 * @throws InputError.
 */
export function checkEndsOfState(liveJobs: LiveJobs, time: number): void {
  for (const number of liveJobs.active) {
    const end = liveJobs.endOf(number);
    if (end < time)
      throw new InputError(
        `${CONTEXT}, job ${liveJobs.nameOf(number)}: it would have ended at ${end}, before the time ${time} of the state; leave it out, or omit its runtime`,
      );
  }
}
