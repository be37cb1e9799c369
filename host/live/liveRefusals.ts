/** Sentences for what the core refuses in a live simulation. */
import { CoreCallRefusal } from '../core/instance.js';
import type { Core } from '../core/module.js';
import { FunctionError, InputError } from '../errors.js';
import { formatCount } from '../format/numbers.js';
import type { LiveSettings } from './liveOptions.js';

/** Core option for which the core refuses a combination, as the library names it. */
const LIBRARY_NAME_BY_CORE_OPTION: Readonly<Record<string, string>> = {
  Policy: 'policy',
  ProcessorSets: 'processorSets',
  MultiSite: 'multiSite',
  MultiSiteFactor: 'multiSiteFactor',
  Cancellations: 'order',
  Topology: 'queue',
  Outages: 'maxOutages',
  Limits: 'limit',
  Moldable: 'moldable',
  CandidateRules: 'mayChangeRules',
};

const RULES_CANNOT_CHANGE_MESSAGE =
  'rules cannot change with an order that changes with time, kept reservations, another depth of reservations, passes at their own times, moldable jobs, and jobs on several sites';

/** Reason why a job is too wide, and advice, with its processors and those of the largest site. */
function describeWhyJobIsTooWide(processors: number, largestCapacity: number): string {
  const neededProcessorsText = `needs ${formatCount(processors, 'processor')}`;
  return processors > largestCapacity
    ? `${neededProcessorsText}, and the largest site has ${largestCapacity}; split it, or give a larger site`
    : `${neededProcessorsText}, more than any site that it may use has beside the outages that do not end (the largest has ${largestCapacity}); split it, or give a larger site or an end of the outage`;
}

/**
 * Translates a refusal of the core into an InputError; other errors are unchanged.
 * @param context function and job, at the begin of the sentence.
 * @param jobNameOf returns the name of the job in a row.
 */
export function translateLiveRefusal(
  core: Core,
  error: unknown,
  context: string,
  { capacity, jobsLeave, configuration }: LiveSettings,
  jobNameOf: (row: number) => string,
): unknown {
  if (!(error instanceof CoreCallRefusal)) return error;
  const { Status, Option } = core;
  const { status, culprit } = error;
  const refusedOption = Object.entries(Option).find(([, number]) => number === culprit.Option)?.[0] ?? '';
  const option = LIBRARY_NAME_BY_CORE_OPTION[refusedOption] ?? refusedOption;
  const jobPhrase = culprit.Job >= 0 ? `job ${jobNameOf(culprit.Job)}` : 'a job';
  const sitePhrase = `site ${culprit.Site + 1}`;
  if (status === Status.QueueStuck) {
    return new FunctionError(
      `${context}: ${jobPhrase} waits for ever, since the policy does not let it start and no event is left`,
    );
  }
  const sentences: { readonly [status: number]: string } = {
    [Status.JobTooWide]: `${context}: ${jobPhrase} ${describeWhyJobIsTooWide(error.jobProcessors, Math.max(...configuration.grid.capacities))}`,
    [Status.JobRuntimeInvalid]: `${context}: the execution of ${jobPhrase} would take more than 1e15 seconds, or less than 1e-250 and not 0; correct its runtime, the load or the speeds`,
    [Status.JobInactive]: `${context}: ${jobPhrase} has ended; give a job that waits or runs`,
    [Status.JobEstimateInvalid]: `${context}: ${jobPhrase} would take more than 1e15 seconds by this requested time; give a shorter one`,
    [Status.JobKeyInvalid]: `${context}: the key by which ${jobPhrase} is ordered is not a finite number; choose another order`,
    [Status.RoomTooSmall]: jobsLeave
      ? `${context}: ${formatCount(capacity, 'job')} wait, run, or are the first one, for which capacity has room; give a larger capacity`
      : `${context}: ${formatCount(capacity, 'job')} have been submitted, for which capacity has room; give a larger capacity, or onEnd so that jobs which have ended leave`,
    [Status.MemoryMissing]: `${context}: the memory of ${formatCount(capacity, 'job')} does not fit into the core's 4 GiB; give a smaller capacity`,
    [Status.OptionsConflict]:
      option === 'mayChangeRules'
        ? `${context}, mayChangeRules: ${RULES_CANNOT_CHANGE_MESSAGE}; omit one of them`
        : `${context}: live simulations do not have this together with the option ${option}; omit it`,
    [Status.OptionInvalid]:
      option === 'maxOutages'
        ? `${context}: the outages of a time take more processors than their site has; give fewer processors, or other times`
        : `${context}: the option ${option} has a value outside its range; give another`,
    [Status.SiteInfeasible]: `${context}: ${jobPhrase} does not fit on ${sitePhrase} beside the others, or may not use it; give another site`,
    [Status.TimeInvalid]: `${context}: the time is over, or ${jobPhrase} would have ended or started before it; give a later time`,
    [Status.DecisionPending]: `${context}: a decision of the policy is pending; answer it first`,
  };
  const statusName = Object.entries(Status).find(([, number]) => number === status)?.[0];
  return new InputError(sentences[status] ?? `${context}: the core refuses with the status ${statusName}`);
}
