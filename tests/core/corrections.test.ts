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
 * A run that is told during its way when jobs end and are cancelled gives the schedule and the metrics of the log that
 * has these times from the beginning.
 */

interface ToldTime {
  readonly job: number;
  /** Time in seconds at which the job ends or is cancelled, and from which on it may be told. */
  readonly time: number;
  readonly from: number;
  readonly isRemoval: boolean;
}

/** Answer of the host about a job, which depends on nothing but the state of the run. */
const decide = (run: CoreRun, job = run.decision('Job')) =>
  run.decision(job % 2 === 0 ? 'BestFit' : 'FastestFirst');

/** True if an end is the sum of start and execution, so that the execution follows from it. */
const isReversible = (start: number, execution: number) => start + execution - start === execution;

/** Draws ends and cancellations that the run has to be told. */
function drawToldTimes(complete: Simulator, draws: SeededDraws, failsJobs: boolean): ToldTime[] {
  const run = complete.coreRun;
  const { submit, patience, runtime } = complete.workload;
  const [starts, executions, sites] = [run.column('Start'), run.column('Execution'), run.column('Site')];
  return Array.from(submit, (submission, job): ToldTime[] => {
    const [start, execution] = [starts[job]!, executions[job]!];
    if (draws.oneIn(3)) return [];
    if ((patience?.[job] ?? -1) >= 0) {
      const time = submission + patience![job]!;
      // Of the others, the log says that they are cancelled although they end before.
      const isEffective = sites[job] === -1 || start + execution === time;
      return isEffective && isReversible(start, execution) ? [{ job, time, from: -1, isRemoval: true }] : [];
    }
    // Outages end jobs without being told; a job without a runtime ends in the instant of its start.
    if (failsJobs || execution === 0 || !isReversible(start, execution) || runtime[job] === 0) return [];
    return [{ job, time: start + execution, from: start, isRemoval: false }];
  }).flat();
}

/** Runs to the end; tells ends and cancellations at random times, at last before they happen. */
function runWithToldTimes(
  run: OpenRun,
  draws: SeededDraws,
  submits: ArrayLike<number>,
  told: ToldTime[],
): void {
  const { open } = run;
  let handled = 0;
  const append = (until: number) => {
    let more = 0;
    while (open.known + more < submits.length && submits[open.known + more]! <= until) more++;
    expect(open.append(more)).toBe(run.core.Status.Finished);
    run.giveColumns();
  };
  const tell = (each: ToldTime) => {
    if (each.isRemoval) run.remove(each.job, each.time);
    else run.end(each.job, each.time);
  };
  let remaining: ToldTime[] = [...told].sort((one, other) => one.time - other.time);
  while (remaining.length > 0) {
    const { time } = remaining[0]!;
    append(time);
    const due = remaining.filter((each) => each.time === time);
    const least = Math.max(handled, ...due.map((each) => each.from));
    const pause = draws.pick([least, least + (time - least) / 2, least + (time - least) * 0.99]);
    // Rounding may lift the pause to the told time itself.
    const last = pause < time ? pause : least;
    if (last < time) {
      expect(run.runUntil(last)).toBe(false);
      handled = last;
      if (draws.oneIn(3)) run.compact();
    }
    const isEarly = (each: ToldTime) =>
      each.from <= handled &&
      each.job < open.known &&
      (each.isRemoval || each.from < handled) &&
      draws.oneIn(4);
    const next = remaining.filter((each) => due.includes(each) || isEarly(each));
    for (const each of next) tell(each);
    remaining = remaining.filter((each) => !next.includes(each));
  }
  append(Number.POSITIVE_INFINITY);
  run.close();
  run.run();
}

/** Estimates by recent jobs are those of jobs whose ends are known. */
const KINDS = OPEN_CASE_KINDS.filter(([name]) => name !== 'estimates by recent jobs');

test.each(KINDS)(
  '%s: ends and cancellations told during a run give the same bytes',
  (_, draw, cases) => {
    let toldCount = 0;
    let accepted = 0;
    const tried = caseSeeds(cases);
    for (const seed of tried) {
      const { jobs, options } = removeIneffectiveOptions(draw(900_000 + seed));
      if (options.recent !== undefined) continue;
      const draws = new SeededDraws(seed);
      const configuration = configurationOfReferenceOptions(options, seed % 5 === 0);
      const workload = workloadOfReferenceJobs(jobs, 'case', options);
      const complete = new Simulator(workload, seed % 2 === 0 ? 'release' : 'checked');
      complete.begin(configuration);
      complete.coreRun.decide = (each) => decide(each);
      complete.coreRun.run();
      const settings = coreRunSettings(workload, configuration);
      const told = drawToldTimes(complete, draws, options.onOutage === 'kill');
      const open = new OpenTable(complete.coreRun);
      const ends = new Set(told.filter(({ isRemoval }) => !isRemoval).map(({ job }) => job));
      const removals = new Set(told.filter(({ isRemoval }) => isRemoval).map(({ job }) => job));
      open.replacements = {
        Runtime: workload.runtime.map((runtime, job) => {
          if (!ends.has(job)) return runtime;
          return draws.oneIn(3) ? 3 * runtime : Number.NaN;
        }),
        ...(workload.patience && {
          Patience: workload.patience.map((patience, job) => (removals.has(job) ? -1 : patience)),
        }),
      };
      open.append(draws.pick([0, draws.below(2)]));
      const run = new OpenRun(complete.coreRun, open);
      run.decide = (each) => decide(each, open.jobOfRow[each.decision('Job')]!);
      try {
        const sites = makeCoreInputColumns(configuration, [], workload);
        const cancellations = removals.size > 0 ? { Cancellations: 2 } : {};
        run.beginOpen({ ...settings, sites, options: { ...settings.options, ...cancellations } });
      } catch (error) {
        if (!(error instanceof CoreCallRefusal)) throw error;
        expect(error.status).toBe(run.core.Status.OptionsConflict);
        continue;
      }
      accepted++;
      toldCount += told.length;
      runWithToldTimes(run, draws, workload.submit, told);
      expect(differingColumns(run, complete.coreRun), `seed ${seed}`).toEqual([]);
    }
    if (doesRunCoverRareCases) expect(accepted).toBeGreaterThan(tried.length / 8);
    if (doesRunCoverRareCases) expect(toldCount).toBeGreaterThan(accepted);
  },
  RANDOM_TEST_TIMEOUT,
);
