import { expect, test } from 'vitest';
import type { CoreRun } from '../../host/core/host.js';
import { CoreCallRefusal } from '../../host/core/instance.js';
import { InputError } from '../../host/errors.js';
import { makeCoreInputColumns, makeCoreRunSettings } from '../../host/simulate/layout.js';
import { Simulator } from '../../host/simulate/simulator.js';
import { doesRunCoverRareCases, listCaseSeeds, RANDOM_TEST_TIMEOUT_MILLISECONDS } from '../cases.js';
import { removeIneffectiveOptions } from '../reference/cases/aging.js';
import { SeededDraws } from '../reference/cases/draws.js';
import { OPEN_CASE_KINDS } from './openCaseKinds.js';
import { findDifferingColumns, OpenTable, RunWithAppendedJobs } from './openRuns.js';
import { makeConfigurationFromReference, makeWorkloadOfReferenceJobs } from './simulateCore.js';

/**
 * Tests an open run that is told during the simulation when jobs end or are cancelled: schedule and metrics
 * must equal those of a log that has these times from the beginning.
 */

interface AnnouncedTime {
  readonly job: number;
  /**
   * Time in seconds at which the job ends or is cancelled, which is also the earliest time at which the run
   * may be told.
   */
  readonly time: number;
  readonly from: number;
  readonly isRemoval: boolean;
}

/** Decision of a host policy about the next job, which depends only on the state of the run. */
const decide = (run: CoreRun, job = run.decision('Job')) =>
  run.decision(job % 2 === 0 ? 'BestFit' : 'FastestFirst');

/** True if an end is the sum of start and execution, so that the execution follows from it. */
const isReversible = (start: number, execution: number) => start + execution - start === execution;

/** Draws the job ends and cancellations that the test tells the run instead of the log. */
function drawAnnouncedTimes(
  completeSimulator: Simulator,
  random: SeededDraws,
  canOutagesKillJobs: boolean,
): AnnouncedTime[] {
  const run = completeSimulator.coreRun;
  const { submit, patience, runtime } = completeSimulator.workload;
  const [starts, executions, sites] = [run.column('Start'), run.column('Execution'), run.column('Site')];
  return Array.from(submit, (submission, job): AnnouncedTime[] => {
    const [start, execution] = [starts[job]!, executions[job]!];
    if (random.oneIn(3)) return [];
    if ((patience?.[job] ?? -1) >= 0) {
      const time = submission + patience![job]!;
      // The log marks the other jobs as cancelled although they end earlier.
      const isCancellationEffective = sites[job] === -1 || start + execution === time;
      return isCancellationEffective && isReversible(start, execution)
        ? [{ job, time, from: -1, isRemoval: true }]
        : [];
    }
    // Outages end jobs without being told; a job without a runtime ends in the instant of its start.
    if (canOutagesKillJobs || execution === 0 || !isReversible(start, execution) || runtime[job] === 0)
      return [];
    return [{ job, time: start + execution, from: start, isRemoval: false }];
  }).flat();
}

/**
 * Runs to the end and tells the run each end or cancellation at a random time, at the latest just before it
 * happens.
 */
function runWithAnnouncedTimes(
  run: RunWithAppendedJobs,
  random: SeededDraws,
  submits: ArrayLike<number>,
  announcedTimes: AnnouncedTime[],
): void {
  const { openTable } = run;
  let handledUntilTime = 0;
  const append = (untilTime: number) => {
    let appendedCount = 0;
    while (
      openTable.knownCount + appendedCount < submits.length &&
      submits[openTable.knownCount + appendedCount]! <= untilTime
    )
      appendedCount++;
    expect(openTable.append(appendedCount)).toBe(run.core.Status.Finished);
    run.giveColumns();
  };
  const announceTime = (announcedTime: AnnouncedTime) => {
    if (announcedTime.isRemoval) run.remove(announcedTime.job, announcedTime.time);
    else run.end(announcedTime.job, announcedTime.time);
  };
  let remainingTimes: AnnouncedTime[] = [...announcedTimes].sort((left, right) => left.time - right.time);
  while (remainingTimes.length > 0) {
    const { time } = remainingTimes[0]!;
    append(time);
    const timesAnnouncedNext = remainingTimes.filter((announcedTime) => announcedTime.time === time);
    const earliestPauseTime = Math.max(
      handledUntilTime,
      ...timesAnnouncedNext.map((announcedTime) => announcedTime.from),
    );
    const pause = random.pick([
      earliestPauseTime,
      earliestPauseTime + (time - earliestPauseTime) / 2,
      earliestPauseTime + (time - earliestPauseTime) * 0.99,
    ]);
    // Rounding may move the pause up to the very time of the end or cancellation.
    const pauseBeforeAnnouncement = pause < time ? pause : earliestPauseTime;
    if (pauseBeforeAnnouncement < time) {
      expect(run.runUntil(pauseBeforeAnnouncement)).toBe(false);
      handledUntilTime = pauseBeforeAnnouncement;
      if (random.oneIn(3)) run.compact();
    }
    const isAnnouncedEarly = (announcedTime: AnnouncedTime) =>
      announcedTime.from <= handledUntilTime &&
      announcedTime.job < openTable.knownCount &&
      (announcedTime.isRemoval || announcedTime.from < handledUntilTime) &&
      random.oneIn(4);
    const timesToAnnounceNow = remainingTimes.filter(
      (announcedTime) => timesAnnouncedNext.includes(announcedTime) || isAnnouncedEarly(announcedTime),
    );
    for (const announcedTime of timesToAnnounceNow) announceTime(announcedTime);
    remainingTimes = remainingTimes.filter((announcedTime) => !timesToAnnounceNow.includes(announcedTime));
  }
  append(Number.POSITIVE_INFINITY);
  run.close();
  run.run();
}

/**
 * Cases with estimates by recent jobs are left out, since these estimates depend on which job ends are known.
 */
const TESTED_CASE_KINDS = OPEN_CASE_KINDS.filter(([name]) => name !== 'estimates by recent jobs');

test.each(TESTED_CASE_KINDS)(
  '%s: ends and cancellations told during a run give the same bytes',
  (_, draw, cases) => {
    let toldCount = 0;
    let acceptedCount = 0;
    const caseSeedsToTry = listCaseSeeds(cases);
    for (const seed of caseSeedsToTry) {
      const { jobs, options } = removeIneffectiveOptions(draw(900_000 + seed));
      if (options.recent !== undefined) continue;
      const random = new SeededDraws(seed);
      const configuration = makeConfigurationFromReference(options, seed % 5 === 0);
      const workload = makeWorkloadOfReferenceJobs(jobs, 'case', options);
      const completeSimulator = new Simulator(workload, seed % 2 === 0 ? 'release' : 'checked');
      try {
        completeSimulator.begin(configuration);
      } catch (error) {
        // Some drawn jobs do not fit the drawn limits or usage steps.
        if (!(error instanceof InputError)) throw error;
        continue;
      }
      completeSimulator.coreRun.decide = (coreRun) => decide(coreRun);
      completeSimulator.coreRun.run();
      const settings = makeCoreRunSettings(workload, configuration);
      const announcedTimes = drawAnnouncedTimes(completeSimulator, random, options.onOutage === 'kill');
      const openTable = new OpenTable(completeSimulator.coreRun);
      const jobsWithAnnouncedEnd = new Set(
        announcedTimes.filter(({ isRemoval }) => !isRemoval).map(({ job }) => job),
      );
      const removedJobSet = new Set(
        announcedTimes.filter(({ isRemoval }) => isRemoval).map(({ job }) => job),
      );
      openTable.replacements = {
        Runtime: workload.runtime.map((runtime, job) => {
          if (!jobsWithAnnouncedEnd.has(job)) return runtime;
          return random.oneIn(3) ? 3 * runtime : Number.NaN;
        }),
        ...(workload.patience && {
          Patience: workload.patience.map((patience, job) => (removedJobSet.has(job) ? -1 : patience)),
        }),
      };
      openTable.append(random.pick([0, random.below(2)]));
      const run = new RunWithAppendedJobs(completeSimulator.coreRun, openTable);
      run.decide = (coreRun) => decide(coreRun, openTable.jobOfRow[coreRun.decision('Job')]!);
      try {
        const sites = makeCoreInputColumns(configuration, [], workload);
        const cancellationOptions = removedJobSet.size > 0 ? { Cancellations: 2 } : {};
        run.beginOpen({ ...settings, sites, options: { ...settings.options, ...cancellationOptions } });
      } catch (error) {
        if (!(error instanceof CoreCallRefusal)) throw error;
        expect(error.status).toBe(run.core.Status.OptionsConflict);
        continue;
      }
      acceptedCount++;
      toldCount += announcedTimes.length;
      try {
        runWithAnnouncedTimes(run, random, workload.submit, announcedTimes);
      } catch (error) {
        // A running job cannot be cancelled after its expected end, even if an outage then returns it to the
        // queue.
        const isRefusalOfRequeue = options.onOutage === 'requeue' && error instanceof CoreCallRefusal;
        if (!isRefusalOfRequeue || error.status !== run.core.Status.JobInactive) throw error;
        continue;
      }
      expect(findDifferingColumns(run, completeSimulator.coreRun), `seed ${seed}`).toEqual([]);
    }
    if (doesRunCoverRareCases) expect(acceptedCount).toBeGreaterThan(caseSeedsToTry.length / 8);
    if (doesRunCoverRareCases) expect(toldCount).toBeGreaterThan(acceptedCount);
  },
  RANDOM_TEST_TIMEOUT_MILLISECONDS,
);
