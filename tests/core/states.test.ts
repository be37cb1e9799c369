import { expect, test } from 'vitest';
import type { CoreRun } from '../../host/core/host.js';
import { CoreCallRefusal } from '../../host/core/instance.js';
import { coreRunSettings, makeCoreInputColumns } from '../../host/simulate/layout.js';
import { Simulator } from '../../host/simulate/simulator.js';
import { caseSeeds, doesRunCoverRareCases, RANDOM_TEST_TIMEOUT } from '../cases.js';
import { removeIneffectiveOptions } from '../reference/cases/aging.js';
import type { RandomCase } from '../reference/cases/draws.js';
import { SeededDraws } from '../reference/cases/draws.js';
import { OPEN_CASE_KINDS } from './openCaseKinds.js';
import { OpenRun, OpenTable } from './openRuns.js';
import { configurationOfReferenceOptions, workloadOfReferenceJobs } from './simulateCore.js';

/**
 * Tests runs that begin from the state of another run at an event: with its running and waiting jobs placed,
 * they must give the same later starts.
 */

/** Kinds of cases whose future depends on more than running jobs, waiting jobs and kept reservations. */
const KINDS = OPEN_CASE_KINDS.filter(
  ([name]) =>
    !['estimates by recent jobs', 'passes', 'dynamic', 'moldable jobs', 'long cases', 'outages'].includes(
      name,
    ),
);

/** Values that mark a reservation as displaced, or as one that the host's policy let pass. */
const MARKS = 2 ** 30 + 2 ** 29;

/**
 * True if the later starts of a case depend on more of the past than running jobs, waiting jobs and
 * reservations.
 */
function dependsOnPast(
  options: RandomCase['options'],
  settings: ReturnType<typeof coreRunSettings>,
): boolean {
  const { MultiSite, MultiSiteFactor, Interval, ReleaseDelay, Users, Groups, Outages } =
    settings.options ?? {};
  const { SubmitPassDelay, EndPassDelay, PassGap, BackfillInterval } = settings.options ?? {};
  const values = [MultiSite, MultiSiteFactor, Interval, ReleaseDelay, Users, Groups, SubmitPassDelay];
  values.push(Outages, EndPassDelay, PassGap, BackfillInterval);
  if (values.some((value) => value !== undefined && value !== 0 && value !== 'None')) return true;
  if (options.reservations === 'kept' && options.limits !== undefined) return true;
  return /\b(now|usage|groupUsage|share|random)\b/.test(JSON.stringify(options));
}

interface State {
  readonly time: number;
  /**
   * Indices in the complete run of the running and waiting jobs, followed by those of jobs not submitted yet.
   */
  readonly rows: readonly number[];
  readonly running: ReadonlySet<number>;
  readonly waiting: ReadonlySet<number>;
}

/** State of an open run that knows all jobs, after its last event. */
function stateOf(run: CoreRun, submits: ArrayLike<number>): State {
  const time = run.scalar('Now');
  const [starts, executions, sites] = [run.column('Start'), run.column('Execution'), run.column('Site')];
  const jobs = Array.from(submits, (_, job) => job);
  const future = jobs.filter((job) => submits[job]! > time);
  const running = jobs.filter((job) => sites[job]! >= 0 && starts[job]! + executions[job]! > time);
  const waiting = jobs.filter((job) => submits[job]! <= time && Number.isNaN(starts[job]!));
  const rows = [...running, ...waiting].sort((left, right) => left - right);
  return { time, rows: [...rows, ...future], running: new Set(running), waiting: new Set(waiting) };
}

/** Begins a run from the state of another and runs it to the end. */
function continueFrom(run: OpenRun, source: CoreRun, { time, rows, running, waiting }: State): void {
  const [starts, sites] = [source.column('Start'), source.column('Site')];
  run.openTable.append(rows.length);
  run.giveColumns();
  run.check(run.core.takeJobs(run.block, run.jobs.table));
  for (const [row, job] of rows.entries()) {
    if (!running.has(job)) continue;
    run.column('Start')[row] = starts[job]!;
    run.column('Site')[row] = sites[job]!;
  }
  run.takeState(time);
  if (run.room('KeptReservations') > 0) {
    const [reservedStarts, reservedSites] = [source.column('ReservedStart'), source.column('ReservedSite')];
    for (const [row, job] of rows.entries()) {
      const isKept = waiting.has(job) && (reservedSites[job]! & MARKS) === 0 && reservedStarts[job]! >= time;
      if (isKept) run.reserve(row, reservedSites[job]!, reservedStarts[job]!);
    }
  }
  run.close();
  run.run();
}

/**
 * True if a job that waits in the state starts at the time of the state, in another pass. Under EASY on
 * several sites, a job that starts behind the reservation may take what another job waits for, which a second
 * pass then starts elsewhere.
 */
function startsMoreInAnotherPass(
  run: CoreRun,
  options: RandomCase['options'],
  { time, rows, waiting }: State,
) {
  if (options.discipline !== 'easy' || options.capacities.length === 1) return false;
  const starts = run.column('Start');
  return rows.some((job, row) => waiting.has(job) && starts[row] === time);
}

test.each(KINDS)(
  '%s: a run from the state of another gives the same starts',
  (_, draw, cases) => {
    let accepted = 0;
    let queued = 0;
    let comparedCount = 0;
    const caseSeedsToTry = caseSeeds(cases);
    for (const seed of caseSeedsToTry) {
      const { jobs, options } = removeIneffectiveOptions(draw(800_000 + seed));
      const draws = new SeededDraws(seed);
      const configuration = configurationOfReferenceOptions(options, seed % 5 === 0);
      const workload = workloadOfReferenceJobs(jobs, 'case', options);
      const complete = new Simulator(workload, seed % 2 === 0 ? 'release' : 'checked');
      const settings = coreRunSettings(workload, configuration);
      if (options.recent !== undefined || dependsOnPast(options, settings)) continue;
      const decide = (rows: readonly number[] | undefined) => (run: CoreRun) => {
        const job = run.decision('Job');
        return run.decision((rows?.[job] ?? job) % 2 === 0 ? 'BestFit' : 'FastestFirst');
      };
      complete.begin(configuration);
      complete.coreRun.decide = decide(undefined);
      complete.coreRun.run();
      const sites = makeCoreInputColumns(configuration, [], workload);
      // Under FCFS, the core accepts running jobs submitted after waiting jobs only with `Cancellations` 2.
      const cancellations = configuration.discipline === 'fcfs' ? { Cancellations: 2 } : {};
      const openSettings = { ...settings, sites, options: { ...settings.options, ...cancellations } };
      const source = new OpenRun(complete.coreRun, new OpenTable(complete.coreRun));
      const continued = new OpenRun(complete.coreRun, new OpenTable(complete.coreRun));
      for (const run of [source, continued]) run.openTable.append(0);
      try {
        source.beginOpen(openSettings);
        continued.beginOpen(openSettings);
      } catch (error) {
        if (!(error instanceof CoreCallRefusal)) throw error;
        expect(error.status).toBe(source.core.Status.OptionsConflict);
        continue;
      }
      source.openTable.append(jobs.length);
      source.giveColumns();
      const times = [...complete.coreRun.column('Start'), ...workload.submit];
      source.runUntil(draws.pick(times) + draws.below(3));
      const state = stateOf(source, workload.submit);
      const pieces = source.room('Limits') > 0 ? source.column('PieceOf') : [];
      if (state.rows.some((job) => !state.rows.includes(pieces[job] ?? job))) continue;
      accepted++;
      queued += state.waiting.size;
      continued.openTable.rows = state.rows;
      continued.decide = decide(state.rows);
      continueFrom(continued, source, state);
      if (startsMoreInAnotherPass(continued, options, state)) continue;
      comparedCount++;
      for (const name of ['Start', 'Execution', 'Site'] as const) {
        const expected = state.rows.map((job) => complete.coreRun.column(name)[job]);
        const columnOfState = state.rows.map((_job, row) => continued.column(name)[row]);
        expect(columnOfState, `seed ${seed}: ${name} after ${state.time}`).toEqual(expected);
      }
      for (const run of [source, continued]) {
        run.dispose();
        run.openTable.dispose();
      }
    }
    if (doesRunCoverRareCases) expect(accepted).toBeGreaterThan(caseSeedsToTry.length / 10);
    if (doesRunCoverRareCases) expect(comparedCount).toBeGreaterThanOrEqual(0.9 * accepted);
    if (doesRunCoverRareCases) expect(queued).toBeGreaterThan(accepted / 4);
  },
  RANDOM_TEST_TIMEOUT,
);
