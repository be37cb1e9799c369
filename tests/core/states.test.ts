import { expect, test } from 'vitest';
import type { CoreRun } from '../../host/core/host.js';
import { CoreCallRefusal } from '../../host/core/instance.js';
import { makeCoreInputColumns, makeCoreRunSettings } from '../../host/simulate/layout.js';
import { Simulator } from '../../host/simulate/simulator.js';
import { doesRunCoverRareCases, listCaseSeeds, RANDOM_TEST_TIMEOUT_MILLISECONDS } from '../cases.js';
import { removeIneffectiveOptions } from '../reference/cases/aging.js';
import type { RandomCase } from '../reference/cases/draws.js';
import { SeededDraws } from '../reference/cases/draws.js';
import { OPEN_CASE_KINDS } from './openCaseKinds.js';
import { OpenTable, RunWithAppendedJobs } from './openRuns.js';
import { continueFromState, doesStateOmitNeededPast, type RunState, stateOf } from './runStates.js';
import { makeConfigurationFromReference, makeWorkloadOfReferenceJobs } from './simulateCore.js';

/**
 * Tests runs that begin from the state of another run at an event: with its running and waiting jobs placed,
 * they must give the same later starts.
 */

/** Kinds of cases whose future depends on more than running jobs, waiting jobs and kept reservations. */
const TESTED_CASE_KINDS = OPEN_CASE_KINDS.filter(
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
function doesAnotherPassStartMore(
  run: CoreRun,
  options: RandomCase['options'],
  { time, rows, waiting }: RunState,
) {
  if (options.discipline !== 'easy' || options.capacities.length === 1) return false;
  const startTimes = run.column('Start');
  return rows.some((job, row) => waiting.has(job) && startTimes[row] === time);
}

test.each(TESTED_CASE_KINDS)(
  '%s: a run from the state of another gives the same starts',
  (_, draw, cases) => {
    let acceptedCount = 0;
    let queuedJobCount = 0;
    let comparedStateCount = 0;
    const caseSeedsToTry = listCaseSeeds(cases);
    for (const seed of caseSeedsToTry) {
      const { jobs, options } = removeIneffectiveOptions(draw(800_000 + seed));
      const random = new SeededDraws(seed);
      const configuration = makeConfigurationFromReference(options, seed % 5 === 0);
      const workload = makeWorkloadOfReferenceJobs(jobs, 'case', options);
      const completeSimulator = new Simulator(workload, seed % 2 === 0 ? 'release' : 'checked');
      const settings = makeCoreRunSettings(workload, configuration);
      if (options.recent !== undefined || doesStateOmitNeededPast(options, settings)) continue;
      const decide = (rows: readonly number[] | undefined) => (run: CoreRun) => {
        const job = run.decision('Job');
        return run.decision((rows?.[job] ?? job) % 2 === 0 ? 'BestFit' : 'FastestFirst');
      };
      completeSimulator.begin(configuration);
      completeSimulator.coreRun.decide = decide(undefined);
      completeSimulator.coreRun.run();
      const sites = makeCoreInputColumns(configuration, [], workload);
      // Under FCFS, the core accepts running jobs submitted after waiting jobs only with `Cancellations` 2.
      const cancellationOptions = configuration.discipline === 'fcfs' ? { Cancellations: 2 } : {};
      const settingsOfOpenRun = {
        ...settings,
        sites,
        options: { ...settings.options, ...cancellationOptions },
      };
      const sourceRun = new RunWithAppendedJobs(
        completeSimulator.coreRun,
        new OpenTable(completeSimulator.coreRun),
      );
      const continuedRun = new RunWithAppendedJobs(
        completeSimulator.coreRun,
        new OpenTable(completeSimulator.coreRun),
      );
      for (const run of [sourceRun, continuedRun]) run.openTable.append(0);
      try {
        sourceRun.beginOpen(settingsOfOpenRun);
        continuedRun.beginOpen(settingsOfOpenRun);
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
      queuedJobCount += liveState.waiting.size;
      continuedRun.openTable.rows = liveState.rows;
      continuedRun.decide = decide(liveState.rows);
      continueFromState(continuedRun, sourceRun, liveState);
      if (doesAnotherPassStartMore(continuedRun, options, liveState)) continue;
      comparedStateCount++;
      for (const columnName of ['Start', 'Execution', 'Site'] as const) {
        const valuesOfCompleteRun = liveState.rows.map(
          (job) => completeSimulator.coreRun.column(columnName)[job],
        );
        const continuedValues = liveState.rows.map((_jobIndex, row) => continuedRun.column(columnName)[row]);
        expect(continuedValues, `seed ${seed}: ${columnName} after ${liveState.time}`).toEqual(
          valuesOfCompleteRun,
        );
      }
      for (const run of [sourceRun, continuedRun]) {
        run.dispose();
        run.openTable.dispose();
      }
    }
    if (doesRunCoverRareCases) expect(acceptedCount).toBeGreaterThan(caseSeedsToTry.length / 10);
    if (doesRunCoverRareCases) expect(comparedStateCount).toBeGreaterThanOrEqual(0.9 * acceptedCount);
    if (doesRunCoverRareCases) expect(queuedJobCount).toBeGreaterThan(acceptedCount / 4);
  },
  RANDOM_TEST_TIMEOUT_MILLISECONDS,
);
