import { expect, test } from 'vitest';
import type { CoreRun } from '../../host/core/host.js';
import { CoreCallRefusal } from '../../host/core/instance.js';
import { makeCoreInputColumns, makeCoreRunSettings } from '../../host/simulate/layout.js';
import { Simulator } from '../../host/simulate/simulator.js';
import { doesRunCoverRareCases, listCaseSeeds, RANDOM_TEST_TIMEOUT_MILLISECONDS } from '../cases.js';
import { removeIneffectiveOptions } from '../reference/cases/aging.js';
import { SeededDraws } from '../reference/cases/draws.js';
import { OPEN_CASE_KINDS } from './openCaseKinds.js';
import { findDifferingColumns, OpenTable, RunWithAppendedJobs } from './openRuns.js';
import { makeConfigurationFromReference, makeWorkloadOfReferenceJobs } from './simulateCore.js';

/**
 * Tests runs whose log arrives in parts: schedule and metrics must equal those of the complete log, also if
 * ended jobs are removed meanwhile.
 */

/** True if the options of a run depend on jobs that have ended, so that their rows cannot be removed. */
function doesRunNeedEndedJobs(run: CoreRun): boolean {
  if (run.room('Trials') > 0 || run.room('Estimates') > 0) return true;
  return run.room('Runs') > 0 && run.room('Outages') > 0;
}

const hasLogs = (run: CoreRun) => run.room('Runs') > 0 || run.room('Parts') > 0;

/** Decision of a host policy that depends only on the state of the run: a job may wait while others run. */
function decide(run: CoreRun): number {
  return decideSiteOfJob(run, run.decision('Job'));
}

function decideSiteOfJob(run: CoreRun, job: number): number {
  if (run.scalar('Running') > 0 && (3 * job + Math.floor(run.scalar('Now'))) % 4 === 0) return -1;
  return run.decision(job % 2 === 0 ? 'BestFit' : 'FastestFirst');
}

/** True if a run ends while jobs still wait because the host policy never lets them start. */
function doesRunGetStuck(run: () => void): boolean {
  try {
    run();
    return false;
  } catch (error) {
    if (error instanceof CoreCallRefusal && error.message.includes('QueueStuck')) return true;
    throw error;
  }
}

/**
 * Alternately appends jobs and continues the run, at random times, and removes ended jobs where that is
 * allowed; returns the number of pauses between two submissions.
 */
function runInParts(
  run: RunWithAppendedJobs,
  draws: SeededDraws,
  submits: ArrayLike<number>,
  needsRowsOfEndedJobs: boolean,
): number {
  const { openTable: open } = run;
  const { Finished, JobsNeeded } = run.core.Status;
  const removalDivisor = draws.pick([1, 3, 10]);
  const jobCount = submits.length;
  const mostJobsAppendedAtOnce = draws.pick([1, 3, jobCount]);
  let pauseCount = 0;
  let metricsOfFork: ArrayLike<number> | undefined;
  let handledUntilTime = 0;
  while (open.knownCount < jobCount) {
    const appendedCount = Math.min(jobCount - open.knownCount, draws.below(mostJobsAppendedAtOnce + 1));
    expect(open.append(appendedCount)).toBe(run.core.Status.Finished);
    run.giveColumns();
    const timeLimitOfStep =
      open.knownCount < jobCount ? submits[open.knownCount]! : submits[jobCount - 1]! + draws.below(100);
    // Continues up to a random time before the next submission, which the run does not know yet.
    const time = draws.oneIn(3)
      ? handledUntilTime + (timeLimitOfStep - handledUntilTime) * 0.999
      : handledUntilTime + draws.below(40);
    if (time >= timeLimitOfStep || time < handledUntilTime) continue;
    const nextTime = run.nextEventTime();
    expect(run.runUntil(time)).toBe(false);
    if (nextTime > time) expect(run.scalar('Now')).toBeLessThanOrEqual(handledUntilTime);
    handledUntilTime = time;
    pauseCount++;
    if (draws.oneIn(removalDivisor)) expect(run.compact()).toBe(needsRowsOfEndedJobs ? JobsNeeded : Finished);
    if (!draws.oneIn(8) || open.knownCount === jobCount) continue;
    // After a snapshot is restored, the jobs appended since then must be appended again.
    const runSnapshot = run.snapshot();
    expect(open.append(1)).toBe(run.core.Status.Finished);
    run.giveColumns();
    run.runUntil(timeLimitOfStep + draws.below(9));
    const columns = run.columnsByJob();
    run.restore(runSnapshot);
    run.writeColumns(columns);
  }
  run.close();
  if (draws.oneIn(2)) {
    run.runUntil(handledUntilTime + draws.below(200));
    expect(run.compact()).toBe(needsRowsOfEndedJobs ? JobsNeeded : Finished);
  }
  if (draws.oneIn(3)) {
    const copy = run.fork();
    // The accounts of usage in the fork and in the original then contain jobs that still run.
    const doesFork = !hasLogs(run) && draws.oneIn(2);
    if (doesFork) run.forkInto(copy);
    copy.run();
    metricsOfFork = copy.column('Metric').slice();
    if (!needsRowsOfEndedJobs) expect(run.compact()).toBe(Finished);
  }
  run.run();
  if (metricsOfFork) expect(metricsOfFork).toEqual(run.column('Metric'));
  return pauseCount;
}

test.each(OPEN_CASE_KINDS)(
  '%s: jobs appended at any time give the same bytes',
  (_, draw, cases) => {
    let pauseCount = 0;
    let compactionCount = 0;
    let removedJobCount = 0;
    let acceptedCount = 0;
    const caseSeedsToTry = listCaseSeeds(cases);
    for (const seed of caseSeedsToTry) {
      const { jobs, options } = removeIneffectiveOptions(draw(700_000 + seed));
      // Without its last jobs, a case may still have estimates of users beyond its number of jobs.
      if (options.recent !== undefined && jobs.some(({ user = -1 }) => user >= jobs.length)) continue;
      const random = new SeededDraws(seed);
      const configuration = makeConfigurationFromReference(options, seed % 5 === 0);
      const workload = makeWorkloadOfReferenceJobs(jobs, 'case', options);
      const completeSimulator = new Simulator(workload, seed % 2 === 0 ? 'release' : 'checked');
      completeSimulator.begin(configuration);
      completeSimulator.coreRun.decide = decide;
      if (doesRunGetStuck(() => completeSimulator.coreRun.run())) continue;
      const settings = makeCoreRunSettings(workload, configuration);
      const sites = makeCoreInputColumns(configuration, [], workload);
      const openTable = new OpenTable(completeSimulator.coreRun);
      const run = new RunWithAppendedJobs(completeSimulator.coreRun, openTable);
      run.decide = (coreRun) => decideSiteOfJob(coreRun, openTable.jobOfRow[coreRun.decision('Job')]!);
      openTable.append(random.pick([0, 0, 1, random.below(jobs.length + 1)]));
      try {
        run.beginOpen({ ...settings, sites });
      } catch (error) {
        if (!(error instanceof CoreCallRefusal)) throw error;
        expect(error.status).toBe(run.core.Status.OptionsConflict);
        continue;
      }
      acceptedCount++;
      const needsRowsOfEndedJobs = doesRunNeedEndedJobs(run);
      pauseCount += runInParts(run, random, workload.submit, needsRowsOfEndedJobs);
      compactionCount += Number(!needsRowsOfEndedJobs);
      removedJobCount += run.leftCount;
      expect(findDifferingColumns(run, completeSimulator.coreRun), `seed ${seed}`).toEqual([]);
    }
    // A few cases may all be of settings that open runs refuse.
    if (doesRunCoverRareCases) expect(acceptedCount).toBeGreaterThan(caseSeedsToTry.length / 8);
    if (doesRunCoverRareCases) expect(pauseCount).toBeGreaterThan(acceptedCount);
    if (doesRunCoverRareCases && compactionCount > 0)
      expect(removedJobCount).toBeGreaterThan(compactionCount);
  },
  RANDOM_TEST_TIMEOUT_MILLISECONDS,
);
