/** Checks that objects given to a live run have known fields only, and error messages for its refused calls. */
import { type Core, CoreCallRefusal } from './instance.js';

/**
 * Refuses fields that nothing would read.
 * @param context function and thing that has the fields, for errors.
 * @throws RangeError with the known names.
 */
export function checkFieldNames(givenObject: object, known: readonly string[], context: string): void {
  if (typeof givenObject !== 'object' || givenObject === null)
    throw new RangeError(`${context}: expected an object, found ${givenObject}`);
  for (const name in givenObject)
    if (!known.includes(name))
      throw new RangeError(`${context}: unknown field '${name}'. Known: ${known.join(', ')}`);
}

/** Facts about a live run that sentences state. */
export interface LiveRunFacts {
  /** Largest number of jobs in memory. */
  readonly capacity: number;
  /** True if jobs that have ended leave the memory. */
  readonly jobsLeave: boolean;
  /** Numbers of processors of the sites. */
  readonly siteCapacities: ArrayLike<number>;
  /** Time in seconds up to which events are handled. */
  readonly time: number;
  /** Row of the job that is being submitted; -1: none is. */
  readonly submittedRow: number;
  /** Number of the job in a row. */
  readonly numberOfRow: (row: number) => number;
  /** Processors of the job in a row. */
  readonly processorsOfRow: (row: number) => number;
}

/** Facts about a live run, and the words for what has caused a refusal. */
interface RefusalWords extends LiveRunFacts {
  readonly jobPhrase: string;
  readonly processors: number;
  readonly sitePhrase: string;
  readonly option: string;
}

type SentenceMaker = (refusalWords: RefusalWords) => string;

/** Reasons and advice by status of the core. */
const SENTENCE_MAKERS: { readonly [Name in keyof Core['Status']]?: SentenceMaker } = {
  JobsUnsorted: ({ jobPhrase }) =>
    `${jobPhrase} has an earlier Submit than the job before it; submit jobs in order of Submit`,
  JobSubmitInvalid: ({ jobPhrase }) => `${jobPhrase}: Submit is not a number of seconds from 0 to 1e300`,
  JobRuntimeInvalid: ({ jobPhrase }) =>
    `${jobPhrase} would run for less than 1e-250 s and not 0, or for more than 1e15 s, on one of the sites; correct its Runtime or Estimate`,
  JobProcessorsInvalid: ({ jobPhrase }) => `${jobPhrase} asks for less than one processor`,
  JobHomeInvalid: ({ jobPhrase, siteCapacities }) =>
    `${jobPhrase}: Home is no site; sites are numbered from 0 to ${siteCapacities.length - 1}`,
  JobTooWide: ({ jobPhrase, processors, siteCapacities }) => {
    const largestCapacity = Math.max(...Array.from(siteCapacities));
    return processors > largestCapacity
      ? `${jobPhrase} asks for ${processors} processors, and the largest site has ${largestCapacity}; split the job, or give a larger site`
      : `${jobPhrase} asks for ${processors} processors, more than any site that it may use has beside the outages that do not end (the largest has ${largestCapacity}); split the job, or give a larger site or an end of the outage`;
  },
  JobEstimateInvalid: ({ jobPhrase }) =>
    `${jobPhrase}: Estimate is not a number of seconds of at least 0 with which it would run for at most 1e15 s on each site`,
  JobDataInvalid: ({ jobPhrase }) => `${jobPhrase}: Data is not a finite number of bytes of at least 0`,
  JobUserInvalid: ({ jobPhrase, capacity }) =>
    `${jobPhrase}: User is neither -1 nor below the capacity ${capacity}`,
  JobPatienceInvalid: ({ jobPhrase }) =>
    `${jobPhrase}: Patience is neither -1 nor a number of seconds from 0 to 1e300`,
  JobSitesInvalid: ({ jobPhrase }) =>
    `${jobPhrase}: Sites is no set of sites; the option SiteSets is the largest number`,
  JobKeyInvalid: ({ jobPhrase }) => `the key by which ${jobPhrase} is ordered is not a finite number`,
  JobLate: ({ jobPhrase, time }) =>
    `${jobPhrase} has a Submit before ${time} s, up to which the run has advanced; give a later one`,
  JobInactive: ({ jobPhrase }) =>
    `${jobPhrase} is in another state, has ended or is not known; give one that waits or runs, as the call needs`,
  JobsNeeded: ({ option }) =>
    `jobs that have ended cannot leave the memory with the option ${option}; omit onLeave or the option`,
  SiteCapacityInvalid: ({ sitePhrase }) => `${sitePhrase}: Capacity is no whole number of at least 1`,
  SiteSpeedInvalid: ({ sitePhrase }) => `${sitePhrase}: Speed is not a number above 0 and at most 1e100`,
  SiteLoadInvalid: ({ sitePhrase }) => `${sitePhrase}: Load is not a finite number above 0`,
  SiteInfeasible: ({ jobPhrase, sitePhrase }) =>
    `${jobPhrase} does not fit on ${sitePhrase} then, or may not use it`,
  TimeFactorInvalid: ({ sitePhrase }) =>
    `${sitePhrase}: TimeFactor is not a number above 0 and at most 1e100`,
  TransferInvalid: ({ sitePhrase }) =>
    `${sitePhrase}: a bandwidth from there is not above 0, or a latency is not a finite number of at least 0`,
  PolicyUnknown: () => 'the option Policy is the number of no policy',
  ParameterInvalid: ({ option }) => `the parameter ${option} of the policy is not a finite number`,
  OptionInvalid: ({ option }) =>
    option === 'Outages'
      ? 'the outages of a time take more processors than their site has, or an entry of one is not in range'
      : `the option ${option} has a value outside its range`,
  OptionsConflict: ({ option }) => `a live run cannot do this with the option ${option} as it is`,
  IntervalTooShort: () => 'the option Interval is too short for the times of this run; give a longer one',
  TimeInvalid: ({ time, jobPhrase }) =>
    `the time is not a number, or is before ${time} s, up to which the run has advanced, or ${jobPhrase} starts or ends at a time that is over`,
  RoomTooSmall: ({ capacity, jobsLeave }) =>
    jobsLeave
      ? `${capacity} jobs wait, run, or are the first or last one, and capacity is ${capacity}; give a larger capacity`
      : `${capacity} jobs have been submitted, and capacity is ${capacity}; give a larger one, or onLeave so that jobs that have ended leave`,
  MemoryMissing: ({ capacity }) =>
    `the memory of ${capacity} jobs does not fit into 4 GiB beside what is in use; give a smaller capacity`,
  QueueStuck: ({ jobPhrase }) =>
    `${jobPhrase} waits for ever, since the policy does not let it start, and no event is left`,
  DecisionPending: () => 'a decision of the policy is pending; answer it first',
  RunUnderWay: () => 'the run has begun; a state comes before its first event',
  SettingsDiffer: ({ option }) => `the option ${option} or a column was changed while the run was under way`,
};

/** Words for what has caused a refusal. */
function makeRefusalWords(core: Core, { culprit }: CoreCallRefusal, facts: LiveRunFacts): RefusalWords {
  const { Job: refusedRow, Site: site, Option: option } = culprit;
  const row = refusedRow < 0 ? facts.submittedRow : refusedRow;
  return {
    ...facts,
    jobPhrase: row < 0 ? 'a job' : `job ${facts.numberOfRow(row)}`,
    processors: row < 0 ? Number.NaN : facts.processorsOfRow(row),
    sitePhrase: site < 0 ? 'a site' : `site ${site}`,
    option: Object.entries(core.Option).find(([, number]) => number === option)?.[0] ?? '',
  };
}

/**
 * Adds a sentence to a refusal of the core; other errors are unchanged.
 * @param callName function of the live run, at the begin of the sentence.
 */
export function withLiveSentence(core: Core, error: unknown, callName: string, facts: LiveRunFacts): unknown {
  if (!(error instanceof CoreCallRefusal)) return error;
  const statusName = Object.entries(core.Status).find(([, number]) => number === error.status)?.[0];
  const makeSentence = SENTENCE_MAKERS[statusName as keyof Core['Status']];
  if (makeSentence === undefined) return error;
  const refusalWords = makeRefusalWords(core, error, facts);
  const refusal = new CoreCallRefusal(
    core,
    error.status,
    error.culprit,
    `${callName}: ${makeSentence(refusalWords)}`,
  );
  refusal.jobProcessors = refusalWords.processors;
  return refusal;
}
