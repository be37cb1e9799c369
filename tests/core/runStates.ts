/** States of open runs, from which other runs begin, for tests. */
import type { CoreRun } from '../../host/core/host.js';
import type { makeCoreRunSettings } from '../../host/simulate/layout.js';
import type { RandomCase } from '../reference/cases/draws.js';
import type { RunWithAppendedJobs } from './openRuns.js';

/** Values that mark a reservation as displaced, or as one that the host's policy let pass. */
const MARKS = 2 ** 30 + 2 ** 29;

/** Running and waiting jobs of a run at a time. */
export interface RunState {
  readonly time: number;
  /**
   * Indices in the complete run of the running and waiting jobs, followed by those of jobs not submitted yet.
   */
  readonly rows: readonly number[];
  readonly running: ReadonlySet<number>;
  readonly waiting: ReadonlySet<number>;
}

/** State of an open run that knows all jobs, after its last event. */
export function stateOf(run: CoreRun, submits: ArrayLike<number>): RunState {
  const time = run.scalar('Now');
  const [starts, executions, sites] = [run.column('Start'), run.column('Execution'), run.column('Site')];
  const jobs = Array.from(submits, (_, job) => job);
  const futureJobs = jobs.filter((job) => submits[job]! > time);
  const runningJobs = jobs.filter((job) => sites[job]! >= 0 && starts[job]! + executions[job]! > time);
  const waitingJobs = jobs.filter((job) => submits[job]! <= time && Number.isNaN(starts[job]!));
  const rows = [...runningJobs, ...waitingJobs].sort((left, right) => left - right);
  return {
    time,
    rows: [...rows, ...futureJobs],
    running: new Set(runningJobs),
    waiting: new Set(waitingJobs),
  };
}

/** Begins a run from the state of another and runs it to the end. */
export function continueFromState(
  run: RunWithAppendedJobs,
  sourceRun: CoreRun,
  { time, rows: tableRows, running: runningJobs, waiting: waitingJobs }: RunState,
): void {
  const [startsOfState, sites] = [sourceRun.column('Start'), sourceRun.column('Site')];
  run.openTable.append(tableRows.length);
  run.giveColumns();
  run.check(run.core.takeJobs(run.block, run.jobs.table));
  for (const [row, job] of tableRows.entries()) {
    if (!runningJobs.has(job)) continue;
    run.column('Start')[row] = startsOfState[job]!;
    run.column('Site')[row] = sites[job]!;
  }
  run.takeState(time);
  if (run.room('KeptReservations') > 0) {
    const [reservedStarts, reservedSites] = [
      sourceRun.column('ReservedStart'),
      sourceRun.column('ReservedSite'),
    ];
    for (const [row, job] of tableRows.entries()) {
      const isKept =
        waitingJobs.has(job) && (reservedSites[job]! & MARKS) === 0 && reservedStarts[job]! >= time;
      if (isKept) run.reserve(row, reservedSites[job]!, reservedStarts[job]!);
    }
  }
  run.close();
  run.run();
}

/**
 * True if the later starts of a case depend on more of the past than running jobs, waiting jobs and
 * reservations.
 */
export function doesStateOmitNeededPast(
  options: RandomCase['options'],
  settings: ReturnType<typeof makeCoreRunSettings>,
): boolean {
  const { MultiSite, MultiSiteFactor, Interval, ReleaseDelay, Users, Groups, Outages } =
    settings.options ?? {};
  const { SubmitPassDelay, EndPassDelay, PassGap, BackfillInterval } = settings.options ?? {};
  const optionValues = [MultiSite, MultiSiteFactor, Interval, ReleaseDelay, Users, Groups, SubmitPassDelay];
  optionValues.push(Outages, EndPassDelay, PassGap, BackfillInterval);
  if (
    optionValues.some(
      (optionValue) => optionValue !== undefined && optionValue !== 0 && optionValue !== 'None',
    )
  )
    return true;
  if (options.reservations === 'kept' && options.limits !== undefined) return true;
  return /\b(now|usage|groupUsage|share|random)\b/.test(JSON.stringify(options));
}
