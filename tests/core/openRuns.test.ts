import { expect, test } from 'vitest';
import type { CoreRun } from '../../host/core/host.js';
import { CoreCallRefusal } from '../../host/core/instance.js';
import { coreRunSettings, makeCoreInputColumns } from '../../host/simulate/layout.js';
import { Simulator } from '../../host/simulate/simulator.js';
import { caseSeeds, doesRunCoverRareCases, RANDOM_TEST_TIMEOUT } from '../cases.js';
import { removeIneffectiveOptions } from '../reference/cases/aging.js';
import { SeededDraws } from '../reference/cases/draws.js';
import { OPEN_CASE_KINDS } from './openCaseKinds.js';
import { differingColumns, OpenRun, OpenTable } from './openRuns.js';
import { configurationOfReferenceOptions, workloadOfReferenceJobs } from './simulateCore.js';

/**
 * Tests runs whose log arrives in parts: schedule and metrics must equal those of the complete log, also if
 * ended jobs are removed meanwhile.
 */

/** True if the options of a run depend on jobs that have ended, so that their rows cannot be removed. */
function needsEndedJobs(run: CoreRun): boolean {
  if (run.room('Trials') > 0 || run.room('Estimates') > 0) return true;
  return run.room('Runs') > 0 && run.room('Outages') > 0;
}

const hasLogs = (run: CoreRun) => run.room('Runs') > 0 || run.room('Parts') > 0;

/** Decision of a host policy that depends only on the state of the run: a job may wait while others run. */
function decide(run: CoreRun): number {
  return decideAbout(run, run.decision('Job'));
}

function decideAbout(run: CoreRun, job: number): number {
  if (run.scalar('Running') > 0 && (3 * job + Math.floor(run.scalar('Now'))) % 4 === 0) return -1;
  return run.decision(job % 2 === 0 ? 'BestFit' : 'FastestFirst');
}

/** True if a run ends while jobs still wait because the host policy never lets them start. */
function isStuck(run: () => void): boolean {
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
  run: OpenRun,
  draws: SeededDraws,
  submits: ArrayLike<number>,
  needsRows: boolean,
): number {
  const { openTable: open } = run;
  const { Finished, JobsNeeded } = run.core.Status;
  const removesOneIn = draws.pick([1, 3, 10]);
  const jobCount = submits.length;
  const mostAppended = draws.pick([1, 3, jobCount]);
  let pauseCount = 0;
  let copiedMetrics: ArrayLike<number> | undefined;
  let handledUntil = 0;
  while (open.knownCount < jobCount) {
    const appendedCount = Math.min(jobCount - open.knownCount, draws.below(mostAppended + 1));
    expect(open.append(appendedCount)).toBe(run.core.Status.Finished);
    run.giveColumns();
    const lastKnownSubmit =
      open.knownCount < jobCount ? submits[open.knownCount]! : submits[jobCount - 1]! + draws.below(100);
    // Continues up to a random time before the next submission, which the run does not know yet.
    const time = draws.oneIn(3)
      ? handledUntil + (lastKnownSubmit - handledUntil) * 0.999
      : handledUntil + draws.below(40);
    if (time >= lastKnownSubmit || time < handledUntil) continue;
    const nextTime = run.nextEventTime();
    expect(run.runUntil(time)).toBe(false);
    if (nextTime > time) expect(run.scalar('Now')).toBeLessThanOrEqual(handledUntil);
    handledUntil = time;
    pauseCount++;
    if (draws.oneIn(removesOneIn)) expect(run.compact()).toBe(needsRows ? JobsNeeded : Finished);
    if (!draws.oneIn(8) || open.knownCount === jobCount) continue;
    // After a snapshot is restored, the jobs appended since then must be appended again.
    const runSnapshot = run.snapshot();
    expect(open.append(1)).toBe(run.core.Status.Finished);
    run.giveColumns();
    run.runUntil(lastKnownSubmit + draws.below(9));
    const columns = run.columnsByJob();
    run.restore(runSnapshot);
    run.writeColumns(columns);
  }
  run.close();
  if (draws.oneIn(2)) {
    run.runUntil(handledUntil + draws.below(200));
    expect(run.compact()).toBe(needsRows ? JobsNeeded : Finished);
  }
  if (draws.oneIn(3)) {
    const copy = run.fork();
    // The accounts of usage in the fork and in the original then contain jobs that still run.
    const isFork = !hasLogs(run) && draws.oneIn(2);
    if (isFork) run.forkInto(copy);
    copy.run();
    copiedMetrics = copy.column('Metric').slice();
    if (!needsRows) expect(run.compact()).toBe(Finished);
  }
  run.run();
  if (copiedMetrics) expect(copiedMetrics).toEqual(run.column('Metric'));
  return pauseCount;
}

test.each(OPEN_CASE_KINDS)(
  '%s: jobs appended at any time give the same bytes',
  (_, draw, cases) => {
    let pauseCount = 0;
    let compactedCount = 0;
    let removedJobs = 0;
    let acceptedCount = 0;
    const caseSeedsToTry = caseSeeds(cases);
    for (const seed of caseSeedsToTry) {
      const { jobs, options } = removeIneffectiveOptions(draw(700_000 + seed));
      // Without its last jobs, a case may still have estimates of users beyond its number of jobs.
      if (options.recent !== undefined && jobs.some(({ user = -1 }) => user >= jobs.length)) continue;
      const random = new SeededDraws(seed);
      const configuration = configurationOfReferenceOptions(options, seed % 5 === 0);
      const workload = workloadOfReferenceJobs(jobs, 'case', options);
      const completeSimulator = new Simulator(workload, seed % 2 === 0 ? 'release' : 'checked');
      completeSimulator.begin(configuration);
      completeSimulator.coreRun.decide = decide;
      if (isStuck(() => completeSimulator.coreRun.run())) continue;
      const settings = coreRunSettings(workload, configuration);
      const sites = makeCoreInputColumns(configuration, [], workload);
      const openTable = new OpenTable(completeSimulator.coreRun);
      const run = new OpenRun(completeSimulator.coreRun, openTable);
      run.decide = (coreRun) => decideAbout(coreRun, openTable.jobOfRow[coreRun.decision('Job')]!);
      openTable.append(random.pick([0, 0, 1, random.below(jobs.length + 1)]));
      try {
        run.beginOpen({ ...settings, sites });
      } catch (error) {
        if (!(error instanceof CoreCallRefusal)) throw error;
        expect(error.status).toBe(run.core.Status.OptionsConflict);
        continue;
      }
      acceptedCount++;
      const needsRows = needsEndedJobs(run);
      pauseCount += runInParts(run, random, workload.submit, needsRows);
      compactedCount += Number(!needsRows);
      removedJobs += run.leftCount;
      expect(differingColumns(run, completeSimulator.coreRun), `seed ${seed}`).toEqual([]);
    }
    // A few cases may all be of settings that open runs refuse.
    if (doesRunCoverRareCases) expect(acceptedCount).toBeGreaterThan(caseSeedsToTry.length / 8);
    if (doesRunCoverRareCases) expect(pauseCount).toBeGreaterThan(acceptedCount);
    if (doesRunCoverRareCases && compactedCount > 0) expect(removedJobs).toBeGreaterThan(compactedCount);
  },
  RANDOM_TEST_TIMEOUT,
);
