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
 * A log that arrives in parts gives the schedule and the metrics of the log that is complete from the beginning, also if
 * jobs that have ended leave.
 */

/** True if a run needs the rows of jobs that have ended. */
function needsEndedJobs(run: CoreRun): boolean {
  if (run.room('Trials') > 0 || run.room('Estimates') > 0) return true;
  return run.room('Runs') > 0 && run.room('Outages') > 0;
}

const hasLogs = (run: CoreRun) => run.room('Runs') > 0 || run.room('Parts') > 0;

/** Answer of the host, which depends on nothing but the state of the run: a job may wait while others run. */
function decide(run: CoreRun): number {
  return decideAbout(run, run.decision('Job'));
}

function decideAbout(run: CoreRun, job: number): number {
  if (run.scalar('Running') > 0 && (3 * job + Math.floor(run.scalar('Now'))) % 4 === 0) return -1;
  return run.decision(job % 2 === 0 ? 'BestFit' : 'FastestFirst');
}

/** True if a run ends with jobs that the host never lets start. */
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
 * Appends jobs and runs on, by turns, at random, and removes jobs that have ended if the run can do without; returns how
 * often the run has paused between two jobs.
 */
function runInParts(
  run: OpenRun,
  draws: SeededDraws,
  submits: ArrayLike<number>,
  needsRows: boolean,
): number {
  const { open } = run;
  const { Finished, JobsNeeded } = run.core.Status;
  const removesOneIn = draws.pick([1, 3, 10]);
  const count = submits.length;
  const most = draws.pick([1, 3, count]);
  let pauses = 0;
  let copiedMetrics: ArrayLike<number> | undefined;
  let handled = 0;
  while (open.known < count) {
    const more = Math.min(count - open.known, draws.below(most + 1));
    expect(open.append(more)).toBe(run.core.Status.Finished);
    run.giveColumns();
    const last = open.known < count ? submits[open.known]! : submits[count - 1]! + draws.below(100);
    // Up to any time before the next job, which then comes to a run that knows nothing of it.
    const time = draws.oneIn(3) ? handled + (last - handled) * 0.999 : handled + draws.below(40);
    if (time >= last || time < handled) continue;
    const next = run.nextEventTime();
    expect(run.runUntil(time)).toBe(false);
    if (next > time) expect(run.scalar('Now')).toBeLessThanOrEqual(handled);
    handled = time;
    pauses++;
    if (draws.oneIn(removesOneIn)) expect(run.compact()).toBe(needsRows ? JobsNeeded : Finished);
    if (!draws.oneIn(8) || open.known === count) continue;
    // A state that is restored has to get the jobs again that were appended since.
    const state = run.snapshot();
    expect(open.append(1)).toBe(run.core.Status.Finished);
    run.giveColumns();
    run.runUntil(last + draws.below(9));
    const columns = run.columnsByJob();
    run.restore(state);
    run.writeColumns(columns);
  }
  run.close();
  if (draws.oneIn(2)) {
    run.runUntil(handled + draws.below(200));
    expect(run.compact()).toBe(needsRows ? JobsNeeded : Finished);
  }
  if (draws.oneIn(3)) {
    const copy = run.fork();
    // Afterwards the accounts of both contain jobs that still run.
    const isFork = !hasLogs(run) && draws.oneIn(2);
    if (isFork) run.forkInto(copy);
    copy.run();
    copiedMetrics = copy.column('Metric').slice();
    if (!needsRows) expect(run.compact()).toBe(Finished);
  }
  run.run();
  if (copiedMetrics) expect(copiedMetrics).toEqual(run.column('Metric'));
  return pauses;
}

test.each(OPEN_CASE_KINDS)(
  '%s: jobs appended at any time give the same bytes',
  (_, draw, cases) => {
    let pauses = 0;
    let compacted = 0;
    let left = 0;
    let accepted = 0;
    const tried = caseSeeds(cases);
    for (const seed of tried) {
      const { jobs, options } = removeIneffectiveOptions(draw(700_000 + seed));
      // Estimates of a case that has lost its last jobs may be those of users beyond its number of jobs.
      if (options.recent !== undefined && jobs.some(({ user = -1 }) => user >= jobs.length)) continue;
      const draws = new SeededDraws(seed);
      const configuration = configurationOfReferenceOptions(options, seed % 5 === 0);
      const workload = workloadOfReferenceJobs(jobs, 'case', options);
      const complete = new Simulator(workload, seed % 2 === 0 ? 'release' : 'checked');
      complete.begin(configuration);
      complete.coreRun.decide = decide;
      if (isStuck(() => complete.coreRun.run())) continue;
      const settings = coreRunSettings(workload, configuration);
      const sites = makeCoreInputColumns(configuration, [], workload);
      const open = new OpenTable(complete.coreRun);
      const run = new OpenRun(complete.coreRun, open);
      run.decide = (each) => decideAbout(each, open.jobOfRow[each.decision('Job')]!);
      open.append(draws.pick([0, 0, 1, draws.below(jobs.length + 1)]));
      try {
        run.beginOpen({ ...settings, sites });
      } catch (error) {
        if (!(error instanceof CoreCallRefusal)) throw error;
        expect(error.status).toBe(run.core.Status.OptionsConflict);
        continue;
      }
      accepted++;
      const needsRows = needsEndedJobs(run);
      pauses += runInParts(run, draws, workload.submit, needsRows);
      compacted += Number(!needsRows);
      left += run.leftCount;
      expect(differingColumns(run, complete.coreRun), `seed ${seed}`).toEqual([]);
    }
    expect(accepted).toBeGreaterThan(tried.length / 8);
    if (doesRunCoverRareCases) expect(pauses).toBeGreaterThan(accepted);
    if (doesRunCoverRareCases && compacted > 0) expect(left).toBeGreaterThan(compacted);
  },
  RANDOM_TEST_TIMEOUT,
);
