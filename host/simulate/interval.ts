/** How often an interval between allocation passes passes in a simulation. */
import { InputError } from '../errors.js';
import { formatDuration, formatNumber } from '../format/numbers.js';
import type { Configuration } from '../options/configuration.js';
import type { Workload } from '../workload/workload.js';

/** Allocation passes of a simulation with an interval between them: more would be a mistake. */
const MOST_PASSES = 10_000_000;

/**
 * About how long a simulation goes on, in seconds of the log: from the first submit to the last, and at least as long
 * as all processors together need for the work, and then the longest job.
 */
function expectedSpan(workload: Workload, configuration: Configuration): number {
  const { count, submit, runtime, processors, home, dependencies } = workload;
  const { grid, load } = configuration;
  const { capacities, speeds } = grid;
  const power = capacities.reduce((sum, capacity, site) => sum + capacity * speeds[site], 0);
  let work = 0;
  let longest = 0;
  for (let job = 0; job < count; job++) {
    const seconds = runtime[job] * load[home[job]];
    work += seconds * processors[job];
    longest = Math.max(longest, seconds);
  }
  const last = dependencies === undefined ? submit[count - 1] : lastSubmit(workload, configuration);
  return Math.max(last - submit[0], work / power) + longest / Math.min(...speeds);
}

/** When the last job is submitted at the soonest, if others must have ended before it. */
function lastSubmit(workload: Workload, { grid, load }: Configuration): number {
  const { submit, runtime, home, dependencies } = workload;
  const speed = Math.max(...grid.speeds);
  const soonest = submit.slice();
  dependencies?.preceding.forEach((earlier, job) => {
    if (earlier < 0) return;
    const end = soonest[earlier] + (runtime[earlier] * load[home[earlier]]) / speed;
    soonest[job] = Math.max(submit[job], end + dependencies.thinkTime[job]);
  });
  return soonest.reduce((last, time) => Math.max(last, time));
}

/**
 * Refuses an interval between allocation passes that does not move the clock, or means more passes than anyone wants.
 * @throws InputError.
 */
export function checkInterval(workload: Workload, configuration: Configuration): void {
  const { interval } = configuration;
  if (interval === 0 || workload.count === 0) return;
  const span = expectedSpan(workload, configuration);
  const last = workload.submit[0] + span;
  const passes = span / interval;
  if (passes <= MOST_PASSES && last + interval > last) return;
  // A little more, so that it holds when it is given in two digits.
  const least = 1.05 * Math.max(span / MOST_PASSES, last * Number.EPSILON);
  throw new InputError(
    `an interval of ${interval} s between allocation passes means about ${passes.toPrecision(2)} passes over the ` +
      `${formatDuration(Math.ceil(span))} of these jobs, expected at most ${formatNumber(MOST_PASSES)}; ` +
      `give at least ${Number(least.toPrecision(2))} s`,
  );
}
