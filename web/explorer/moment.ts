/** State of a run at one time: waiting jobs, free processors, current events. */
import { formatCount } from '../../host/format/numbers.js';
import type { ExplorerModel } from './model.js';
import type { FinishedRunData, SimulatedSetupOutcome } from './protocol.js';

/** State of a run after all events up to a time. */
export interface RunStateAtTime {
  /** Waiting jobs, ordered by submission. */
  readonly waiting: readonly number[];
  readonly running: number;
  /** Free processors of each site. */
  readonly free: readonly number[];
}

/** Computes the state after all events up to and at a time. */
export function computeStateAtTime(
  model: ExplorerModel,
  run: FinishedRunData,
  { jobs, capacities }: SimulatedSetupOutcome,
  time: number,
): RunStateAtTime {
  const waitingJobs: number[] = [];
  for (let job = 0; job < jobs.count && jobs.submit[job] <= time; job++) {
    if (run.start[job] > time) waitingJobs.push(job);
  }
  const freeProcessors = [...capacities];
  const { start, end, first: firstProcessors, after: endProcessors, site, job } = run.blocks;
  const runningJobs = new Set<number>();
  model.indexOf(run).visitBlocks(time, Number.POSITIVE_INFINITY, (block) => {
    if (start[block] > time || end[block] <= time) return;
    freeProcessors[site[block]] -= endProcessors[block] - firstProcessors[block];
    runningJobs.add(job[block]);
  });
  for (const absence of run.absences ?? [])
    if (absence.start <= time && absence.end > time) freeProcessors[absence.site] -= absence.processors;
  return { waiting: waitingJobs, running: runningJobs.size, free: freeProcessors };
}

function describeNamedJobs(
  jobs: SimulatedSetupOutcome['jobs'],
  matchingJobs: readonly number[],
  verb: string,
): string[] {
  if (matchingJobs.length === 0) return [];
  if (matchingJobs.length > 3) return [`${formatCount(matchingJobs.length, 'job')} ${verb}`];
  return [
    `${matchingJobs.length === 1 ? 'job' : 'jobs'} ${matchingJobs.map((job) => jobs.names[job]).join(', ')} ${verb}`,
  ];
}

/** Describes the processors that outages take at a time, and those that come back. */
function describeOutageEvents({ absences = [] }: FinishedRunData, time: number): string[] {
  const sites = [...new Set(absences.map(({ site }) => site))].sort((a, b) => a - b);
  return sites.flatMap((site) => {
    const change = absences
      .filter((absence) => absence.site === site)
      .reduce(
        (sum, { start, end, processors }) =>
          sum + (start === time ? processors : 0) - (end === time ? processors : 0),
        0,
      );
    if (change === 0) return [];
    const changeText = `${formatCount(Math.abs(change), 'processor')} of site ${site + 1}`;
    if (change > 0) return [`an outage takes ${changeText}`];
    return [`${changeText} ${change === -1 ? 'comes' : 'come'} back after an outage`];
  });
}

/** Describes the events at a time in one line. */
export function describeEventsAtTime(
  run: FinishedRunData,
  { jobs }: SimulatedSetupOutcome,
  time: number,
): string {
  const findJobsWhere = (isIncluded: (job: number) => boolean) => {
    const foundJobs: number[] = [];
    for (let job = 0; job < jobs.count; job++) if (isIncluded(job)) foundJobs.push(job);
    return foundJobs;
  };
  const eventTexts = [
    ...describeNamedJobs(
      jobs,
      findJobsWhere((job) => run.start[job] + run.execution[job] === time),
      'end',
    ),
    ...describeNamedJobs(
      jobs,
      findJobsWhere((job) => jobs.submit[job] === time),
      'submitted',
    ),
    ...describeNamedJobs(
      jobs,
      findJobsWhere((job) => run.start[job] === time),
      'start',
    ),
  ];
  eventTexts.push(...describeOutageEvents(run, time));
  return eventTexts.length === 0 ? 'nothing happens at this moment' : eventTexts.join('; ');
}
