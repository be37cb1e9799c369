import { expect, test } from 'vitest';
import type { CoreRun } from '../../host/core/host.js';
import { CoreCallRefusal } from '../../host/core/instance.js';
import { InputError } from '../../host/errors.js';
import { coreRunSettings, makeCoreInputColumns } from '../../host/simulate/layout.js';
import { Simulator } from '../../host/simulate/simulator.js';
import { caseSeeds, doesRunCoverRareCases, RANDOM_TEST_TIMEOUT } from '../cases.js';
import { removeIneffectiveOptions } from '../reference/cases/aging.js';
import { SeededDraws } from '../reference/cases/draws.js';
import { OPEN_CASE_KINDS } from './openCaseKinds.js';
import { differingColumns, OpenRun, OpenTable } from './openRuns.js';
import { configurationOfReferenceOptions, workloadOfReferenceJobs } from './simulateCore.js';

/**
 * Tests an open run that is told during the simulation when jobs end or are cancelled: schedule and metrics
 * must equal those of a log that has these times from the beginning.
 */

interface ToldTime {
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
function drawToldTimes(completeSimulator: Simulator, random: SeededDraws, failsJobs: boolean): ToldTime[] {
  const run = completeSimulator.coreRun;
  const { submit, patience, runtime } = completeSimulator.workload;
  const [starts, executions, sites] = [run.column('Start'), run.column('Execution'), run.column('Site')];
  return Array.from(submit, (submission, job): ToldTime[] => {
    const [start, execution] = [starts[job]!, executions[job]!];
    if (random.oneIn(3)) return [];
    if ((patience?.[job] ?? -1) >= 0) {
      const time = submission + patience![job]!;
      // The log marks the other jobs as cancelled although they end earlier.
      const isEffective = sites[job] === -1 || start + execution === time;
      return isEffective && isReversible(start, execution) ? [{ job, time, from: -1, isRemoval: true }] : [];
    }
    // Outages end jobs without being told; a job without a runtime ends in the instant of its start.
    if (failsJobs || execution === 0 || !isReversible(start, execution) || runtime[job] === 0) return [];
    return [{ job, time: start + execution, from: start, isRemoval: false }];
  }).flat();
}

/**
 * Runs to the end and tells the run each end or cancellation at a random time, at the latest just before it
 * happens.
 */
function runWithToldTimes(
  run: OpenRun,
  random: SeededDraws,
  submits: ArrayLike<number>,
  toldTimes: ToldTime[],
): void {
  const { openTable } = run;
  let handledUntil = 0;
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
  const tellTime = (toldTime: ToldTime) => {
    if (toldTime.isRemoval) run.remove(toldTime.job, toldTime.time);
    else run.end(toldTime.job, toldTime.time);
  };
  let remaining: ToldTime[] = [...toldTimes].sort((left, right) => left.time - right.time);
  while (remaining.length > 0) {
    const { time } = remaining[0]!;
    append(time);
    const due = remaining.filter((toldTime) => toldTime.time === time);
    const earliestPause = Math.max(handledUntil, ...due.map((toldTime) => toldTime.from));
    const pause = random.pick([
      earliestPause,
      earliestPause + (time - earliestPause) / 2,
      earliestPause + (time - earliestPause) * 0.99,
    ]);
    // Rounding may move the pause up to the very time of the end or cancellation.
    const nextPause = pause < time ? pause : earliestPause;
    if (nextPause < time) {
      expect(run.runUntil(nextPause)).toBe(false);
      handledUntil = nextPause;
      if (random.oneIn(3)) run.compact();
    }
    const isEarly = (toldTime: ToldTime) =>
      toldTime.from <= handledUntil &&
      toldTime.job < openTable.knownCount &&
      (toldTime.isRemoval || toldTime.from < handledUntil) &&
      random.oneIn(4);
    const dueTimes = remaining.filter((toldTime) => due.includes(toldTime) || isEarly(toldTime));
    for (const toldTime of dueTimes) tellTime(toldTime);
    remaining = remaining.filter((toldTime) => !dueTimes.includes(toldTime));
  }
  append(Number.POSITIVE_INFINITY);
  run.close();
  run.run();
}

/**
 * Cases with estimates by recent jobs are left out, since these estimates depend on which job ends are known.
 */
const KINDS = OPEN_CASE_KINDS.filter(([name]) => name !== 'estimates by recent jobs');

test.each(KINDS)(
  '%s: ends and cancellations told during a run give the same bytes',
  (_, draw, cases) => {
    let toldCount = 0;
    let acceptedCount = 0;
    const caseSeedsToTry = caseSeeds(cases);
    for (const seed of caseSeedsToTry) {
      const { jobs, options } = removeIneffectiveOptions(draw(900_000 + seed));
      if (options.recent !== undefined) continue;
      const random = new SeededDraws(seed);
      const configuration = configurationOfReferenceOptions(options, seed % 5 === 0);
      const workload = workloadOfReferenceJobs(jobs, 'case', options);
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
      const settings = coreRunSettings(workload, configuration);
      const toldTimes = drawToldTimes(completeSimulator, random, options.onOutage === 'kill');
      const openTable = new OpenTable(completeSimulator.coreRun);
      const jobsWithToldEnd = new Set(toldTimes.filter(({ isRemoval }) => !isRemoval).map(({ job }) => job));
      const removals = new Set(toldTimes.filter(({ isRemoval }) => isRemoval).map(({ job }) => job));
      openTable.replacements = {
        Runtime: workload.runtime.map((runtime, job) => {
          if (!jobsWithToldEnd.has(job)) return runtime;
          return random.oneIn(3) ? 3 * runtime : Number.NaN;
        }),
        ...(workload.patience && {
          Patience: workload.patience.map((patience, job) => (removals.has(job) ? -1 : patience)),
        }),
      };
      openTable.append(random.pick([0, random.below(2)]));
      const run = new OpenRun(completeSimulator.coreRun, openTable);
      run.decide = (coreRun) => decide(coreRun, openTable.jobOfRow[coreRun.decision('Job')]!);
      try {
        const sites = makeCoreInputColumns(configuration, [], workload);
        const cancellations = removals.size > 0 ? { Cancellations: 2 } : {};
        run.beginOpen({ ...settings, sites, options: { ...settings.options, ...cancellations } });
      } catch (error) {
        if (!(error instanceof CoreCallRefusal)) throw error;
        expect(error.status).toBe(run.core.Status.OptionsConflict);
        continue;
      }
      acceptedCount++;
      toldCount += toldTimes.length;
      try {
        runWithToldTimes(run, random, workload.submit, toldTimes);
      } catch (error) {
        // A running job cannot be cancelled after its expected end, even if an outage then returns it to the
        // queue.
        const isOfRequeue = options.onOutage === 'requeue' && error instanceof CoreCallRefusal;
        if (!isOfRequeue || error.status !== run.core.Status.JobInactive) throw error;
        continue;
      }
      expect(differingColumns(run, completeSimulator.coreRun), `seed ${seed}`).toEqual([]);
    }
    if (doesRunCoverRareCases) expect(acceptedCount).toBeGreaterThan(caseSeedsToTry.length / 8);
    if (doesRunCoverRareCases) expect(toldCount).toBeGreaterThan(acceptedCount);
  },
  RANDOM_TEST_TIMEOUT,
);
