/** What the core refuses, in words. */

import type { Core } from '../core/module.js';
import { FunctionError, InputError } from '../errors.js';
import type { Workload } from '../workload/workload.js';

/** What a refusal may be about: a job of a workload or a site by its index, an option by its number. */
export interface Culprit {
  readonly workload?: Workload;
  readonly job?: number;
  readonly site?: number;
  readonly option?: number;
  /** Seconds. */
  readonly time?: number;
}

/** What a simulation has refused last, as far as it says. */
export function culpritIn({ Scalar, scalar }: Core, block: number): Culprit {
  return {
    job: scalar(block, Scalar.RefusedJob),
    site: scalar(block, Scalar.RefusedSite),
    option: scalar(block, Scalar.RefusedOption),
    time: scalar(block, Scalar.Now),
  };
}

/**
 * Turns a refusal of the core into a sentence; does nothing for other statuses.
 * @throws InputError; FunctionError for a job that the policy of the user's lets wait for ever.
 */
export function accept(core: Core, status: number, culprit: Culprit): void {
  const { Status } = core;
  if (status < Status.JobsUnsorted) return;
  const { workload, job: index = -1 } = culprit;
  const job = `${workload?.name}, job ${workload?.job[index]}`;
  const site = `site ${(culprit.site ?? -1) + 1}`;
  const option = Object.entries(core.Option).find(([, number]) => number === culprit.option)?.[0];
  if (status === Status.QueueStuck) {
    throw new FunctionError(
      `${job} at time ${culprit.time}: the policy lets it wait while no job runs and none is left to be submitted`,
    );
  }
  const sentences: { [status: number]: string } = {
    [Status.JobsUnsorted]: `${job}: submitted before the job above it; sort the jobs by submit time`,
    [Status.JobSubmitInvalid]: `${job}: the submit time must be a number of seconds from 0 on`,
    [Status.JobRuntimeInvalid]: `${workload?.name}: a job's execution would take more than 1e15 seconds; lower the load or raise the speeds`,
    [Status.JobEstimateInvalid]: `${job}: the estimated runtime must be a number of seconds from 0 on`,
    [Status.JobProcessorsInvalid]: `${job}: needs at least one processor`,
    [Status.JobHomeInvalid]: `${workload?.name}: a job's home is not a site of the grid; give more sites or another home rule`,
    [Status.JobTooWide]: `${job}: needs ${workload?.processors[index]} processors, more than any site that it may use has; drop or split such jobs, or give a larger site`,
    [Status.SiteCapacityInvalid]: `${site}: the capacity must be a whole number above 0`,
    [Status.SiteSpeedInvalid]: `${site}: the speed must be a number above 0`,
    [Status.SiteLoadInvalid]: `${site}: the load must be a number above 0`,
    [Status.PolicyUnknown]: 'the core does not know this policy',
    [Status.ParameterInvalid]: 'a parameter of the policy is not a finite number',
    [Status.OptionInvalid]: `the core does not take the value of option ${option}`,
    [Status.JobDataInvalid]: `${job}: the data size must be a number of bytes from 0 on`,
    [Status.TransferInvalid]: `${site}: bandwidths must be above 0 and latencies not below 0`,
    [Status.JobKeyInvalid]: `${job}: the key by which the queue is ordered is not a finite number; choose another order, or lower the load`,
    [Status.TimeFactorInvalid]: `${site}: the time factor must be a number above 0`,
    [Status.SimulationsDiffer]: 'the simulations differ in more than their policies',
    [Status.OptionsConflict]: `the core does not take option ${option} beside the others`,
  };
  throw new InputError(sentences[status] ?? `the core refused with status ${status}`);
}
