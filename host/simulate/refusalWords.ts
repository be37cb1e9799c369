/** What the core refuses, in words. */
import type { Core } from '../core/module.js';
import { Refusal } from '../core/refusal.js';
import { FunctionError, InputError } from '../errors.js';
import { countOf, formatDuration, formatNumber } from '../format/numbers.js';
import type { Workload } from '../workload/workload.js';

/** What a simulation tells of itself in sentences. */
export interface Told {
  readonly scalar: (name: keyof Core['Scalar']) => number;
  /** Between its allocation passes. */
  readonly interval: number;
  /** Of its grid. */
  readonly processors?: number | undefined;
}

/**
 * What is thrown for an error of the core: of what the core refuses an InputError with a sentence, or a FunctionError for
 * a job that the policy of the user's lets wait for ever; other errors as they are.
 * @param told what the simulation tells of itself, if there is one.
 */
export function inWords(
  core: Core,
  workload: Workload | undefined,
  error: unknown,
  told: Told = { scalar: () => Number.NaN, interval: 0 },
): unknown {
  return error instanceof Refusal ? sentenceOf(core, workload, error, told) : error;
}

function sentenceOf(
  { Status, Option, Limit }: Core,
  workload: Workload | undefined,
  { status, culprit }: Refusal,
  { scalar, interval, processors }: Told,
): InputError | FunctionError {
  const index = culprit.Job;
  const job = `${workload?.name}, job ${workload?.job[index]}`;
  const site = `site ${culprit.Site + 1}`;
  const jobs = countOf(workload?.count ?? 0, 'job');
  const room =
    processors === undefined
      ? [jobs, 'jobs']
      : [`${jobs} on ${formatNumber(processors)} processors`, 'jobs or processors'];
  const option = Object.entries(Option).find(([, number]) => number === culprit.Option)?.[0];
  if (status === Status.QueueStuck) {
    return new FunctionError(
      `${job} at time ${scalar('Now')}: the policy lets it wait while no job runs and none is left to be submitted`,
    );
  }
  if (status === Status.IntervalTooShort) {
    const first = workload?.submit[0] ?? 0;
    return new InputError(intervalSentence(interval, scalar('Span'), first, Limit.Passes));
  }
  const sentences: { [status: number]: string } = {
    [Status.JobsUnsorted]: `${job}: submitted before the job above it; sort the jobs by submit time`,
    [Status.JobSubmitInvalid]: `${job}: the submit time must be a number of seconds from 0 up to 1e300`,
    [Status.JobRuntimeInvalid]: `${unusualRuntime(workload)} its execution would take more than 1e15 seconds, or less than 1e-250 and not 0; correct or filter its record, or give another load or other speeds`,
    [Status.JobEstimateInvalid]: `${job}: the estimated runtime must be a number of seconds from 0 on`,
    [Status.JobProcessorsInvalid]: `${job}: needs at least one processor`,
    [Status.JobHomeInvalid]: `${workload?.name}: a job's home is not a site of the grid; give more sites or another home rule`,
    [Status.JobTooWide]: `${job}: needs ${workload?.processors[index]} processors, more than any site that it may use has; drop or split such jobs, or give a larger site`,
    [Status.SiteCapacityInvalid]: `${site}: the capacity must be a whole number above 0`,
    [Status.SiteSpeedInvalid]: `${site}: the speed must be a number above 0 and at most 1e100`,
    [Status.SiteLoadInvalid]: `${site}: the load must be a number above 0`,
    [Status.PolicyUnknown]: 'the core does not know this policy',
    [Status.ParameterInvalid]: 'a parameter of the policy is not a finite number',
    [Status.OptionInvalid]: `the core does not take the value of option ${option}`,
    [Status.JobDataInvalid]: `${job}: the data size must be a number of bytes from 0 on`,
    [Status.JobDependencyInvalid]: `${job}: the preceding job must be an earlier one, and the think time a number of seconds from 0 on`,
    [Status.TransferInvalid]: `${site}: bandwidths must be above 0 and latencies not below 0`,
    [Status.JobKeyInvalid]: `${job}: the key by which the queue is ordered is not a finite number; choose another order, or lower the load`,
    [Status.TimeFactorInvalid]: `${site}: the time factor must be a number above 0 and at most 1e100`,
    [Status.SimulationsDiffer]: 'the simulations differ in more than their policies',
    [Status.MemoryMissing]: `${workload?.name}: ${room[0]} do not fit into the core's 4 GiB; take fewer ${room[1]}`,
    [Status.StateDamaged]:
      'the snapshot is damaged: its bytes are not those that were saved; take another, or run again from the beginning',
    [Status.BuildDiffers]:
      'the snapshot comes from another build of gridalloc; restore it in that one, or run again from the beginning',
    [Status.NoSimulation]: 'the simulation has not begun; begin it first',
    [Status.OptionsConflict]: `the core does not take option ${option} beside the others`,
  };
  return new InputError(sentences[status] ?? `the core refused with status ${status}`);
}

/** Above this a runtime is the longest rather than the shortest that anything is wrong with. */
const LONG = 1e6;

/** The job whose execution is too long or too short, which is the one that runs longest or shortest. */
function unusualRuntime(workload: Workload | undefined): string {
  const runtimes = [...(workload?.runtime ?? [])].filter((seconds) => seconds > 0);
  const longest = runtimes.reduce((most, each) => Math.max(most, each), 0);
  const shortest = runtimes.reduce((least, each) => Math.min(least, each), Infinity);
  const found = longest > LONG ? longest : shortest;
  const job = workload?.job[workload.runtime.indexOf(found)];
  return `${workload?.name}, job ${job}: with a runtime of ${found} s`;
}

/**
 * The sentence.
 * @param span how long the run is expected to take, in seconds of the log.
 * @param first the first submit.
 * @param most passes that an interval may mean.
 */
function intervalSentence(interval: number, span: number, first: number, most: number): string {
  const passes = span / interval;
  // A little more, so that it holds when it is given in two digits.
  const least = 1.05 * Math.max(span / most, (first + span) * Number.EPSILON);
  return (
    `an interval of ${interval} s between allocation passes means about ${passes.toPrecision(2)} passes over the ` +
    `${formatDuration(Math.ceil(span))} of these jobs, expected at most ${formatNumber(most)}; ` +
    `give at least ${Number(least.toPrecision(2))} s`
  );
}
