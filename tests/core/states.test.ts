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
import { continueFrom, dependsOnPast, type RunState, stateOf } from './runStates.js';
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

/**
 * True if a job that waits in the state starts at the time of the state, in another pass. Under EASY on
 * several sites, a job that starts behind the reservation may take what another job waits for, which a second
 * pass then starts elsewhere.
 */
function startsMoreInAnotherPass(
  run: CoreRun,
  options: RandomCase['options'],
  { time, rows, waiting }: RunState,
) {
  if (options.discipline !== 'easy' || options.capacities.length === 1) return false;
  const startTimes = run.column('Start');
  return rows.some((job, row) => waiting.has(job) && startTimes[row] === time);
}

test.each(KINDS)(
  '%s: a run from the state of another gives the same starts',
  (_, draw, cases) => {
    let acceptedCount = 0;
    let queuedCount = 0;
    let comparedCount = 0;
    const caseSeedsToTry = caseSeeds(cases);
    for (const seed of caseSeedsToTry) {
      const { jobs, options } = removeIneffectiveOptions(draw(800_000 + seed));
      const random = new SeededDraws(seed);
      const configuration = configurationOfReferenceOptions(options, seed % 5 === 0);
      const workload = workloadOfReferenceJobs(jobs, 'case', options);
      const completeSimulator = new Simulator(workload, seed % 2 === 0 ? 'release' : 'checked');
      const settings = coreRunSettings(workload, configuration);
      if (options.recent !== undefined || dependsOnPast(options, settings)) continue;
      const decide = (rows: readonly number[] | undefined) => (run: CoreRun) => {
        const job = run.decision('Job');
        return run.decision((rows?.[job] ?? job) % 2 === 0 ? 'BestFit' : 'FastestFirst');
      };
      completeSimulator.begin(configuration);
      completeSimulator.coreRun.decide = decide(undefined);
      completeSimulator.coreRun.run();
      const sites = makeCoreInputColumns(configuration, [], workload);
      // Under FCFS, the core accepts running jobs submitted after waiting jobs only with `Cancellations` 2.
      const cancellations = configuration.discipline === 'fcfs' ? { Cancellations: 2 } : {};
      const openSettings = { ...settings, sites, options: { ...settings.options, ...cancellations } };
      const sourceRun = new OpenRun(completeSimulator.coreRun, new OpenTable(completeSimulator.coreRun));
      const continuedRun = new OpenRun(completeSimulator.coreRun, new OpenTable(completeSimulator.coreRun));
      for (const run of [sourceRun, continuedRun]) run.openTable.append(0);
      try {
        sourceRun.beginOpen(openSettings);
        continuedRun.beginOpen(openSettings);
      } catch (error) {
        if (!(error instanceof CoreCallRefusal)) throw error;
        expect(error.status).toBe(sourceRun.core.Status.OptionsConflict);
        continue;
      }
      sourceRun.openTable.append(jobs.length);
      sourceRun.giveColumns();
      const eventTimes = [...completeSimulator.coreRun.column('Start'), ...workload.submit];
      sourceRun.runUntil(random.pick(eventTimes) + random.below(3));
      const liveState = stateOf(sourceRun, workload.submit);
      const jobPieces = sourceRun.room('Limits') > 0 ? sourceRun.column('PieceOf') : [];
      if (liveState.rows.some((job) => !liveState.rows.includes(jobPieces[job] ?? job))) continue;
      acceptedCount++;
      queuedCount += liveState.waiting.size;
      continuedRun.openTable.rows = liveState.rows;
      continuedRun.decide = decide(liveState.rows);
      continueFrom(continuedRun, sourceRun, liveState);
      if (startsMoreInAnotherPass(continuedRun, options, liveState)) continue;
      comparedCount++;
      for (const columnName of ['Start', 'Execution', 'Site'] as const) {
        const expectedStarts = liveState.rows.map((job) => completeSimulator.coreRun.column(columnName)[job]);
        const columnOfState = liveState.rows.map((_job, row) => continuedRun.column(columnName)[row]);
        expect(columnOfState, `seed ${seed}: ${columnName} after ${liveState.time}`).toEqual(expectedStarts);
      }
      for (const run of [sourceRun, continuedRun]) {
        run.dispose();
        run.openTable.dispose();
      }
    }
    if (doesRunCoverRareCases) expect(acceptedCount).toBeGreaterThan(caseSeedsToTry.length / 10);
    if (doesRunCoverRareCases) expect(comparedCount).toBeGreaterThanOrEqual(0.9 * acceptedCount);
    if (doesRunCoverRareCases) expect(queuedCount).toBeGreaterThan(acceptedCount / 4);
  },
  RANDOM_TEST_TIMEOUT,
);
