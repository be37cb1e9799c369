/** The table of a report on jobs that were stopped and begun again. */

import { countOf, formatNumber, formatPercent } from '../format/numbers.js';
import type { FinishedJob, StoppedRun } from '../results/finishedJobs.js';
import type { Summary } from '../simulate/summary.js';
import type { Table } from './table.js';

/** Jobs in the table. */
const MOST_JOBS = 10;

/** A job that was stopped, and the seconds and processor-seconds that it lost. */
interface StoppedJob {
  readonly job: FinishedJob;
  runs: number;
  time: number;
  work: number;
}

/** The jobs that were stopped, most often first; of equals first the one that lost more work. */
function stoppedJobs(stopped: readonly StoppedRun[]): StoppedJob[] {
  const byJob = new Map<FinishedJob, StoppedJob>();
  for (const { job, start, end, processors } of stopped) {
    const entry = byJob.get(job) ?? { job, runs: 0, time: 0, work: 0 };
    entry.runs++;
    entry.time += end - start;
    entry.work += processors * (end - start);
    byJob.set(job, entry);
  }
  return [...byJob.values()].sort((a, b) => b.runs - a.runs || b.work - a.work);
}

/** How many runs were stopped and what was lost; the jobs that were stopped most often, one per row. */
export function restartsTable(
  stopped: readonly StoppedRun[],
  { utilization, makespan, sites }: Summary,
): Table {
  const jobs = stoppedJobs(stopped);
  const lost = jobs.reduce((sum, { work }) => sum + work, 0);
  const used = utilization * makespan * sites.reduce((sum, { capacity }) => sum + capacity, 0);
  const share = used > 0 ? `, ${formatPercent(lost / used, 2)} of all that were used` : '';
  const whole = { style: 'fixed' } as const;
  const duration = { style: 'duration' } as const;
  const shown = jobs.length > MOST_JOBS ? ` Shown are the ${MOST_JOBS} that were stopped most often.` : '';
  return {
    id: 'restarts',
    title: 'Jobs stopped and begun again',
    caption:
      `To make room for jobs at home, ${countOf(stopped.length, 'run')} of ${countOf(jobs.length, 'job')} ` +
      `${stopped.length === 1 ? 'was' : 'were'} stopped; ${formatNumber(lost)} processor-seconds were lost${share}.${shown}`,
    columns: [
      { title: 'job', isHeading: true },
      { title: 'home site', format: whole },
      { title: 'processors', format: whole },
      { title: 'stopped runs', format: whole },
      { title: 'time lost', format: duration },
      { title: 'work lost', unit: 'proc. × s', format: whole },
      { title: 'response', format: duration },
    ],
    rows: jobs.slice(0, MOST_JOBS).map(({ job, runs, time, work }) => {
      const { name, home, processors, submit, end } = job;
      return [name, home + 1, processors, runs, time, work, end - submit];
    }),
  };
}
