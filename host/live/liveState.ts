/** Checks the running and waiting jobs with which a live simulation begins. */
import { describeReceivedValue } from '../arguments.js';
import { InputError } from '../errors.js';
import type { StateWithJobNames } from './liveEngine.js';
import type { LiveJobs } from './liveJobs.js';
import { checkPatience, findOptionDependingOnUsage, type LiveSettings } from './liveOptions.js';
import {
  checkStateJob,
  checkTime,
  type LiveState,
  type LiveStateJob,
  makeLiveJobContext,
} from './submittedJob.js';

const LIVE_STATE_ERROR_CONTEXT = 'LiveSimulation, state';

/**
 * Checks a state, and adds its jobs to those of a simulation.
 * @throws InputError.
 */
export function addJobsOfLiveState(
  liveState: LiveState,
  liveSettings: LiveSettings,
  liveJobs: LiveJobs,
): StateWithJobNames {
  if (typeof liveState !== 'object' || liveState === null || !Array.isArray(liveState.jobs))
    throw new InputError(
      `${LIVE_STATE_ERROR_CONTEXT}: expected an object with time and jobs, found ${describeReceivedValue(liveState)}`,
    );
  const expectedForm = checkTime(liveState.time);
  if (expectedForm !== undefined)
    throw new InputError(
      `${LIVE_STATE_ERROR_CONTEXT}, time: expected ${expectedForm}, found ${describeReceivedValue(liveState.time)}`,
    );
  let lastSubmit = 0;
  const jobsWithNames = liveState.jobs.map((job: LiveStateJob, number) => {
    checkStateJob(job, LIVE_STATE_ERROR_CONTEXT, liveSettings.configuration.grid.capacities.length);
    const context = makeLiveJobContext(LIVE_STATE_ERROR_CONTEXT, job);
    checkJobInState(job, liveState.time, lastSubmit, context);
    if (job.reservation !== undefined && liveSettings.configuration.reservations !== 'kept')
      throw new InputError(
        `${context}, reservation: only reservations that are kept can be given; omit it, or give the option reservations: 'kept'`,
      );
    checkPatience(job, liveSettings, context);
    lastSubmit = job.submit;
    const jobName = liveJobs.chooseNameOfNewJob(job, number, context);
    liveJobs.add(number, jobName);
    return { job, name: jobName };
  });
  checkStartsOfState(liveState.jobs, liveSettings);
  return { time: liveState.time, jobs: jobsWithNames };
}

/** Refuses running jobs that started in another order than that of submission, if orders count what users use. */
function checkStartsOfState(jobs: readonly LiveStateJob[], { configuration }: LiveSettings): void {
  const usageDependentOption = findOptionDependingOnUsage(configuration);
  if (usageDependentOption === undefined) return;
  let lastStartTime = 0;
  for (const job of jobs) {
    if (job.start === undefined) continue;
    if (job.start < lastStartTime)
      throw new InputError(
        `${makeLiveJobContext(LIVE_STATE_ERROR_CONTEXT, job)}: it starts at ${job.start}, and a job above it at ${lastStartTime}; the option ${usageDependentOption} counts what users use, for which running jobs must have started in order of submission; choose another ${usageDependentOption}`,
      );
    lastStartTime = job.start;
  }
}

function checkJobInState(job: LiveStateJob, time: number, lastSubmit: number, context: string): void {
  const timeAfterState = [job.submit, job.start ?? 0].find((each) => each > time);
  if (timeAfterState !== undefined)
    throw new InputError(
      `${context}: ${timeAfterState} is after the time ${time} of the state; submit the job later`,
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
        `${LIVE_STATE_ERROR_CONTEXT}, job ${liveJobs.nameOf(number)}: it would have ended at ${end}, before the time ${time} of the state; leave it out, or omit its runtime`,
      );
  }
}
