/** Remarks on outages before the first job and after the last one. */
import { formatNumber, joinWithAnd } from '../format/numbers.js';
import type { Configuration } from '../options/configuration.js';
import { type ParsedOutage, parseOutages, printOutages } from '../options/outages.js';
import type { Workload } from '../workload/workload.js';

/** Largest number of outages that a remark names. */
const MAX_NAMED_OUTAGES = 3;

/** First and last submission in seconds on the clock of the log, and the start of that clock since 1970. */
export interface SubmissionClock {
  readonly unixStartTime: number | undefined;
  readonly first: number;
  readonly last: number;
}

/** Submissions of jobs. */
export function submissionClockOfJobs({
  submit,
  unixStartTime,
}: Pick<Workload, 'submit' | 'unixStartTime'>): SubmissionClock {
  return { first: submit[0]!, last: submit[submit.length - 1]!, unixStartTime };
}

/** Outages that end before the first submission, and those that begin at or after a time. */
function outagesOutside(
  outages: string,
  { first, unixStartTime }: SubmissionClock,
  since: number,
): { readonly early: ParsedOutage[]; readonly late: ParsedOutage[] } {
  const secondsOf = ({ seconds, isDated }: ParsedOutage['from']) =>
    isDated ? seconds - (unixStartTime ?? Number.NaN) : seconds;
  const parsedOutages = parseOutages(outages);
  return {
    early: parsedOutages.filter(({ to }) => to !== undefined && secondsOf(to) <= first),
    late: parsedOutages.filter(({ from }) => secondsOf(from) >= since),
  };
}

function remarkOnEarlyOutages(earlyOutages: readonly ParsedOutage[], firstSubmit: number): string[] {
  const beforeJobs = `before the first submission, at ${formatLogSeconds(firstSubmit)}`;
  return remarkOnOutages(earlyOutages, {
    one: `has no effect: it ends ${beforeJobs}`,
    several: `have no effect: they end ${beforeJobs}`,
  });
}

/** Remarks, before any run, on outages that end before the first submission or begin after the last one. */
export function remarksOnOutagesOutsideSubmissions(
  { outages }: Pick<Configuration, 'outages'>,
  clock: SubmissionClock,
): string[] {
  const { early, late } = outagesOutside(outages, clock, clock.last);
  const afterJobs = `after the last submission, at ${formatLogSeconds(clock.last)}`;
  return [
    ...remarkOnEarlyOutages(early, clock.first),
    ...remarkOnOutages(late, { one: `begins ${afterJobs}`, several: `begin ${afterJobs}` }),
  ];
}

/**
 * Remarks on outages that end before the first submission or begin after the end of the last job.
 * @param lastEnd end of the last job in seconds on the clock of the log.
 */
export function remarksOnUnusedOutages(
  { outages }: Pick<Configuration, 'outages'>,
  jobs: Pick<Workload, 'submit' | 'unixStartTime'>,
  lastEnd: number,
): string[] {
  const clock = submissionClockOfJobs(jobs);
  const { early, late } = outagesOutside(outages, clock, lastEnd);
  const afterJobs = `after the last job has ended, at ${formatLogSeconds(lastEnd)}`;
  // Plans may have kept jobs off the processors of a planned outage before it begins.
  const plannedOutages = late.filter(({ isPlanned }) => isPlanned);
  const unplanned = late.filter(({ isPlanned }) => !isPlanned);
  return [
    ...remarkOnEarlyOutages(early, clock.first),
    ...remarkOnOutages(unplanned, {
      one: `has no effect: it begins ${afterJobs}`,
      several: `have no effect: they begin ${afterJobs}`,
    }),
    ...remarkOnOutages(plannedOutages, { one: `begins ${afterJobs}`, several: `begin ${afterJobs}` }),
  ];
}

const formatLogSeconds = (seconds: number) => `${formatNumber(seconds)} s on the clock of the log`;

function remarkOnOutages(
  outages: readonly ParsedOutage[],
  predicate: { readonly one: string; readonly several: string },
): string[] {
  if (outages.length === 0) return [];
  const named = outages.slice(0, MAX_NAMED_OUTAGES).map((outage) => printOutages([outage]));
  if (outages.length > named.length) named.push(`${formatNumber(outages.length - named.length)} more`);
  return outages.length === 1
    ? [`outage ${joinWithAnd(named)} ${predicate.one}`]
    : [`outages ${joinWithAnd(named)} ${predicate.several}`];
}
