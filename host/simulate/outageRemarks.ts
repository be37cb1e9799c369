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
export function makeSubmissionClock({
  submit,
  unixStartTime,
}: Pick<Workload, 'submit' | 'unixStartTime'>): SubmissionClock {
  return { first: submit[0]!, last: submit[submit.length - 1]!, unixStartTime };
}

/** Outages that end before the first submission, and those that begin at or after a time. */
function findOutagesOutside(
  outages: string,
  { first, unixStartTime }: SubmissionClock,
  since: number,
): { readonly early: ParsedOutage[]; readonly late: ParsedOutage[] } {
  const convertToLogSeconds = ({ seconds, isDated }: ParsedOutage['from']) =>
    isDated ? seconds - (unixStartTime ?? Number.NaN) : seconds;
  const parsedOutages = parseOutages(outages);
  return {
    early: parsedOutages.filter(({ to }) => to !== undefined && convertToLogSeconds(to) <= first),
    late: parsedOutages.filter(({ from }) => convertToLogSeconds(from) >= since),
  };
}

function remarkOnEarlyOutages(earlyOutages: readonly ParsedOutage[], firstSubmit: number): string[] {
  const beforeFirstSubmissionPhrase = `before the first submission, at ${formatLogSeconds(firstSubmit)}`;
  return remarkOnOutages(earlyOutages, {
    one: `has no effect: it ends ${beforeFirstSubmissionPhrase}`,
    several: `have no effect: they end ${beforeFirstSubmissionPhrase}`,
  });
}

/** Remarks, before any run, on outages that end before the first submission or begin after the last one. */
export function describeOutagesOutsideJobs(
  { outages }: Pick<Configuration, 'outages'>,
  clock: SubmissionClock,
): string[] {
  const { early, late } = findOutagesOutside(outages, clock, clock.last);
  const afterJobsPhrase = `after the last submission, at ${formatLogSeconds(clock.last)}`;
  return [
    ...remarkOnEarlyOutages(early, clock.first),
    ...remarkOnOutages(late, { one: `begins ${afterJobsPhrase}`, several: `begin ${afterJobsPhrase}` }),
  ];
}

/**
 * Remarks on outages that end before the first submission or begin after the end of the last job.
 * @param lastEndTime end of the last job in seconds on the clock of the log.
 */
export function describeUnusedOutages(
  { outages }: Pick<Configuration, 'outages'>,
  jobs: Pick<Workload, 'submit' | 'unixStartTime'>,
  lastEndTime: number,
): string[] {
  const clock = makeSubmissionClock(jobs);
  const { early, late } = findOutagesOutside(outages, clock, lastEndTime);
  const afterJobsPhrase = `after the last job has ended, at ${formatLogSeconds(lastEndTime)}`;
  // Plans may have kept jobs off the processors of a planned outage before it begins.
  const latePlannedOutages = late.filter(({ isPlanned }) => isPlanned);
  const lateUnplannedOutages = late.filter(({ isPlanned }) => !isPlanned);
  return [
    ...remarkOnEarlyOutages(early, clock.first),
    ...remarkOnOutages(lateUnplannedOutages, {
      one: `has no effect: it begins ${afterJobsPhrase}`,
      several: `have no effect: they begin ${afterJobsPhrase}`,
    }),
    ...remarkOnOutages(latePlannedOutages, {
      one: `begins ${afterJobsPhrase}`,
      several: `begin ${afterJobsPhrase}`,
    }),
  ];
}

const formatLogSeconds = (seconds: number) => `${formatNumber(seconds)} s on the clock of the log`;

function remarkOnOutages(
  outages: readonly ParsedOutage[],
  predicateForms: { readonly one: string; readonly several: string },
): string[] {
  if (outages.length === 0) return [];
  const named = outages.slice(0, MAX_NAMED_OUTAGES).map((outage) => printOutages([outage]));
  if (outages.length > named.length) named.push(`${formatNumber(outages.length - named.length)} more`);
  return outages.length === 1
    ? [`outage ${joinWithAnd(named)} ${predicateForms.one}`]
    : [`outages ${joinWithAnd(named)} ${predicateForms.several}`];
}
