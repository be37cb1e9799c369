/** Remarks on outages before the first job and after the last one. */
import { formatNumber, joinWithAnd } from '../format/numbers.js';
import type { Configuration } from '../options/configuration.js';
import { type ParsedOutage, parseOutages, printOutages } from '../options/outages.js';
import type { Workload } from '../workload/workload.js';

/** Largest number of outages that a remark names. */
const MAX_NAMED_OUTAGES = 3;

/**
 * Remarks on outages that end before the first submission or begin after the end of the last job.
 * @param lastEnd end of the last job in seconds on the clock of the log.
 */
export function remarksOnUnusedOutages(
  { outages }: Pick<Configuration, 'outages'>,
  { submit, unixStartTime }: Pick<Workload, 'submit' | 'unixStartTime'>,
  lastEnd: number,
): string[] {
  const secondsOf = ({ seconds, isDated }: ParsedOutage['from']) =>
    isDated ? seconds - (unixStartTime ?? Number.NaN) : seconds;
  const parsed = parseOutages(outages);
  const first = submit[0]!;
  const early = parsed.filter(({ to }) => to !== undefined && secondsOf(to) <= first);
  const late = parsed.filter(({ from }) => secondsOf(from) >= lastEnd);
  const beforeJobs = `before the first submission, at ${formatLogSeconds(first)}`;
  const afterJobs = `after the last job has ended, at ${formatLogSeconds(lastEnd)}`;
  // Plans may have kept jobs off the processors of a planned outage before it begins.
  const [planned, unplanned] = [true, false].map((each) =>
    late.filter(({ isPlanned }) => isPlanned === each),
  );
  return [
    ...remarkOnOutages(early, {
      one: `has no effect: it ends ${beforeJobs}`,
      several: `have no effect: they end ${beforeJobs}`,
    }),
    ...remarkOnOutages(unplanned!, {
      one: `has no effect: it begins ${afterJobs}`,
      several: `have no effect: they begin ${afterJobs}`,
    }),
    ...remarkOnOutages(planned!, { one: `begins ${afterJobs}`, several: `begin ${afterJobs}` }),
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
