import { expect, test } from 'vitest';
import {
  type ChangeableRules,
  type CoreRun,
  LiveRun,
  Refusal,
  type RunSettings,
} from '../../host/core/host.js';
import { openCore } from '../../host/core/module.js';
import { makeCoreInputColumns, makeCoreRunSettings } from '../../host/simulate/layout.js';
import { Simulator } from '../../host/simulate/simulator.js';
import { doesRunCoverRareCases, listCaseSeeds, RANDOM_TEST_TIMEOUT_MILLISECONDS } from '../cases.js';
import { removeIneffectiveOptions } from '../reference/cases/aging.js';
import { SeededDraws } from '../reference/cases/draws.js';
import { OPEN_CASE_KINDS } from './openCaseKinds.js';
import { OpenTable, RunWithAppendedJobs } from './openRuns.js';
import { continueFromState, doesStateOmitNeededPast, stateOf } from './runStates.js';
import { makeConfigurationFromReference, makeWorkloadOfReferenceJobs } from './simulateCore.js';

/**
 * Tests runs whose discipline and orders change: later starts must be those of a run that begins with the new
 * rules from the state at the change.
 */

const TESTED_CASE_KINDS = OPEN_CASE_KINDS.filter(([name]) =>
  ['allocators', 'load sharing', 'backfilling', 'cancellations', 'limits', 'partitions'].includes(name),
);

const ORDERS = ['Submit', 'Narrowest', 'Widest', 'Shortest', 'Longest', 'SmallestArea', 'LargestArea'];
const DISCIPLINES = ['FirstComeFirstServed', 'FirstAvailable', 'Easy', 'Conservative'];

function drawRules(random: SeededDraws): ChangeableRules {
  const Discipline = random.pick(DISCIPLINES);
  const hasBackfillOrder = Discipline === 'Easy' && random.oneIn(3);
  return {
    Discipline,
    Order: random.pick(ORDERS),
    ...(hasBackfillOrder && { BackfillOrder: random.pick(ORDERS) }),
  };
}

/** Makes decisions of a host policy by the index of the job in the complete log. */
const makeDecisionByParity = (findJobIndexOfRow: (row: number) => number) => (run: CoreRun) =>
  run.decision(findJobIndexOfRow(run.decision('Job')) % 2 === 0 ? 'BestFit' : 'FastestFirst');

test.each(TESTED_CASE_KINDS)(
  '%s: changed rules give the starts of a run that begins with them from the state at the change',
  (_, draw, cases) => {
    let [accepted, changedCount] = [0, 0];
    const caseSeedsToTry = listCaseSeeds(cases);
    for (const seed of caseSeedsToTry) {
      const { jobs, options } = removeIneffectiveOptions(draw(900_000 + seed));
      const random = new SeededDraws(seed);
      const configuration = makeConfigurationFromReference(options, seed % 5 === 0);
      const workload = makeWorkloadOfReferenceJobs(jobs, 'case', options);
      const completeSimulator = new Simulator(workload, seed % 2 === 0 ? 'release' : 'checked');
      completeSimulator.begin(configuration);
      const settings = makeCoreRunSettings(workload, configuration);
      if (options.recent !== undefined || doesStateOmitNeededPast(options, settings)) continue;
      const {
        Key: _key,
        BackfillKey: _backfillKey,
        ...sites
      } = makeCoreInputColumns(configuration, [], workload);
      const [rulesBefore, rulesAfter] = [drawRules(random), drawRules(random)];
      const { BackfillOrder: _order, ReservationDepth: _depth, ...otherFields } = settings.options ?? {};
      const cancellationOptions = options.limits === undefined && { Cancellations: 2 };
      const optionsOfOpenRun = { ...otherFields, ...cancellationOptions, Selection: 'Allocator' };
      const open = () =>
        new RunWithAppendedJobs(completeSimulator.coreRun, new OpenTable(completeSimulator.coreRun));
      const [source, continuedRun] = [open(), open()];
      for (const run of [source, continuedRun]) run.openTable.append(0);
      const optionsWithCandidateRules = { ...optionsOfOpenRun, CandidateRules: 'Conservative' };
      try {
        source.beginOpen({ ...settings, sites, options: { ...optionsWithCandidateRules, ...rulesBefore } });
        // A run that can change its rules and one that cannot must agree.
        const optionsAfterChange = random.oneIn(2) ? optionsWithCandidateRules : optionsOfOpenRun;
        continuedRun.beginOpen({ ...settings, sites, options: { ...optionsAfterChange, ...rulesAfter } });
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        expect(error.status).toBe(source.core.Status.OptionsConflict);
        continue;
      }
      accepted++;
      source.openTable.append(jobs.length);
      source.giveColumns();
      source.decide = makeDecisionByParity((row) => row);
      const time = random.pick([...workload.submit]) + random.below(60);
      source.runUntil(time);
      const liveState = { ...stateOf(source, workload.submit), time };
      source.close();
      const copy = source.fork();
      source.changeRules(rulesAfter);
      source.forkInto(copy);
      continuedRun.openTable.rows = liveState.rows;
      continuedRun.decide = makeDecisionByParity((row) => liveState.rows[row]!);
      continueFromState(continuedRun, source, liveState);
      source.run();
      copy.run();
      const readStartTimes = (run: CoreRun, rows: Iterable<number>) =>
        Array.from(rows, (row) => [run.column('Start')[row], run.column('Site')[row]]);
      const context = `seed ${seed}: ${JSON.stringify([rulesBefore, rulesAfter])} at ${time}`;
      const startsWithRulesChanged = readStartTimes(continuedRun, liveState.rows.keys());
      expect(readStartTimes(source, liveState.rows), context).toEqual(startsWithRulesChanged);
      const laterJobs = liveState.rows.filter((job) => !liveState.running.has(job));
      expect(readStartTimes(copy, laterJobs), `${context}, fork`).toEqual(readStartTimes(source, laterJobs));
      changedCount += liveState.waiting.size;
      for (const run of [source, copy, continuedRun]) run.dispose();
      for (const { openTable } of [source, continuedRun]) openTable.dispose();
    }
    if (doesRunCoverRareCases) expect(accepted).toBeGreaterThan(caseSeedsToTry.length / 10);
    if (doesRunCoverRareCases) expect(changedCount).toBeGreaterThan(accepted / 4);
  },
  RANDOM_TEST_TIMEOUT_MILLISECONDS,
);

test('rules that a run cannot change to are refused, and change nothing', () => {
  const begin = (options: NonNullable<RunSettings['options']>) => {
    const core = openCore('checked');
    const run = new LiveRun(core, {
      capacity: 4,
      sites: { Capacity: [4], Speed: [1] },
      policy: 'best-fit',
      options: { Selection: 'Allocator', ...options },
    });
    run.submit({ Submit: 0, Runtime: 10, Processors: 4 });
    for (const runtime of [9, 5, 7]) run.submit({ Submit: 1, Runtime: runtime, Processors: 3 });
    run.advance(2);
    return run;
  };
  const refusedOption = (run: LiveRun, rules: ChangeableRules) => {
    try {
      run.run.changeRules(rules);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      expect(error.status).toBe(run.run.core.Status.OptionsConflict);
      return Object.entries(run.run.core.Option).find(([, number]) => number === error.culprit.Option)?.[0];
    }
    return 'none';
  };
  const runToEndForStarts = (run: LiveRun) => {
    run.advance(Infinity);
    return Array.from(run.run.column('Start').subarray(1));
  };
  const run = begin({ CandidateRules: 'Easy' });
  expect(refusedOption(run, { Discipline: 'Conservative' })).toBe('Discipline');
  expect(refusedOption(run, { Order: 'Wfp3' })).toBe('Order');
  expect(refusedOption(run, { Order: 'Given' })).toBe('Order');
  expect(refusedOption(run, { BackfillOrder: 'Shortest' })).toBe('BackfillOrder');
  expect(refusedOption(run, { Order: -1 })).toBe('Order');
  expect(runToEndForStarts(run)).toEqual([10, 19, 24]);
  const runWithEasyCandidateRules = begin({ CandidateRules: 'Easy' });
  expect(refusedOption(runWithEasyCandidateRules, { Discipline: 'Easy', Order: 'Shortest' })).toBe('none');
  expect(runToEndForStarts(runWithEasyCandidateRules)).toEqual([22, 10, 15]);
  expect(refusedOption(begin({}), { Order: 'Shortest' })).toBe('CandidateRules');
  const simulationWithoutEstimates = begin({ CandidateRules: 'FirstAvailable', NoEstimates: 1 });
  expect(refusedOption(simulationWithoutEstimates, { Order: 'Shortest' })).toBe('NoEstimates');
  const refusalText = 'a live run cannot do this with the option CandidateRules as it is';
  expect(() => begin({ CandidateRules: 'Easy', Order: 'Wfp3' })).toThrow(refusalText);
  expect(() => begin({ CandidateRules: 'Easy', Selection: 'Greedy' })).toThrow(refusalText);
});
