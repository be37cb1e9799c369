/**
 * Tests the dynamic policy, which chooses among candidate policies by simulated trials: replays of its
 * choices, forks, and its report.
 */
import { expect, test } from 'vitest';
import { listCandidatePolicies, parsePolicy, printPolicy } from '../../host/core/policies.js';
import { InputError } from '../../host/errors.js';
import { makeConfiguration } from '../../host/options/configuration.js';
import { Simulator } from '../../host/simulate/simulator.js';
import { summarize } from '../../host/simulate/summary.js';
import { doesRunCoverRareCases, listCaseSeeds } from '../cases.js';
import { expectSame } from '../expectSame.js';
import { randomDynamicCase } from '../reference/cases/dynamic.js';
import { makeConfigurationFromReference, makeWorkloadOfReferenceJobs } from './simulateCore.js';

const CASE_SEEDS = listCaseSeeds(600);

function readScheduleAndChoices(simulator: Simulator) {
  const { trials: _, ...summary } = summarize(simulator);
  const { start, execution, site } = simulator.schedule();
  return {
    summary: { ...summary, policy: '' },
    start: [...start],
    execution: [...execution],
    site: [...site],
  };
}

test('a run is determined by its choices: with fixed choices it repeats without trials', () => {
  let switches = 0;
  for (const seed of CASE_SEEDS) {
    const { jobs, options } = randomDynamicCase(seed + 700_000);
    const configuration = makeConfigurationFromReference(options, seed % 3 === 0);
    const simulator = new Simulator(
      makeWorkloadOfReferenceJobs(jobs, 'case', options),
      seed % 2 === 0 ? 'release' : 'checked',
    );
    simulator.begin(configuration);
    simulator.run();
    const expectedChoices = readScheduleAndChoices(simulator);
    const recordedChoices = simulator.choices();
    switches += recordedChoices.length;
    const { times, candidates = [] } = summarize(simulator).trials ?? {};
    expect(candidates.reduce((sum, candidate) => sum + candidate.times, 0)).toBe(times);
    expect(simulator.choosing('Switches')).toBe(recordedChoices.length);
    simulator.begin({ ...configuration, policy: { ...configuration.policy, choices: recordedChoices } });
    simulator.run();
    expect(simulator.choosing('TriedJobs')).toBe(0);
    expectSame(readScheduleAndChoices(simulator), expectedChoices, `case ${seed}`);
  }
  if (doesRunCoverRareCases) expect(switches).toBeGreaterThan(CASE_SEEDS.length / 6);
});

test('forks continue as a single run does', () => {
  for (const seed of listCaseSeeds(60)) {
    const { jobs, options } = randomDynamicCase(seed + 800_000);
    const configuration = makeConfigurationFromReference(options, seed % 3 === 0);
    const simulatorWithoutInterruption = new Simulator(
      makeWorkloadOfReferenceJobs(jobs, 'case', options),
      'checked',
    );
    simulatorWithoutInterruption.begin(configuration);
    simulatorWithoutInterruption.run();
    const expectedChoices = readScheduleAndChoices(simulatorWithoutInterruption);
    const { trials } = summarize(simulatorWithoutInterruption);
    const { start } = simulatorWithoutInterruption.schedule();
    const time = jobs[Math.floor(jobs.length / 2)].submit;
    simulatorWithoutInterruption.begin(configuration);
    simulatorWithoutInterruption.runUntil(time);
    const otherSimulator = new Simulator(simulatorWithoutInterruption.workload, simulatorWithoutInterruption);
    otherSimulator.begin(configuration);
    simulatorWithoutInterruption.forkInto(otherSimulator);
    expect(otherSimulator.hasSameState(simulatorWithoutInterruption)).toBe(seed % 3 !== 0);
    otherSimulator.run();
    expect(readScheduleAndChoices(otherSimulator).summary).toEqual(expectedChoices.summary);
    expect(summarize(otherSimulator).trials).toEqual(trials);
    const startsAfter = otherSimulator.schedule().start;
    expect([...startsAfter].every((startTime, i) => startTime === start[i] || start[i] <= time)).toBe(true);
  }
});

const grid = { capacities: [4, 4], speeds: [1, 2] };

test('the notation lists the candidates', () => {
  expect(printPolicy(parsePolicy('dynamic'))).toBe(
    'dynamic[every=10,candidates=tai2,futures=1,hysteresis=0,smooth=0,seed=1]',
  );
  const policyText = 'dynamic[candidates=bf+ti[slt=1]+tai2,every=5]';
  expect(printPolicy(parsePolicy(policyText))).toBe(
    'dynamic[every=5,candidates=best-fit+ti[sht=0.05,slt=1]+tai2,futures=1,hysteresis=0,smooth=0,seed=1]',
  );
  expect(parsePolicy(printPolicy(parsePolicy(policyText)))).toEqual(parsePolicy(policyText));
});

test.each([
  ['dynamic[candidates=random]', 'trials do not draw its numbers'],
  ['dynamic[candidates=best-fit+dynamic]', 'candidates of its own'],
  ['dynamic[every=0]', 'at least 1'],
  ['dynamic[hysteresis=1]', 'below 1'],
  ['dynamic[hysteresis=-0.1]', "hysteresis' of dynamic: expected a number of at least 0, found '-0.1'"],
  [
    'dynamic[smooth=1]',
    "parameter 'smooth' of dynamic: expected a number of at least 0 and below 1, found 1",
  ],
  ['dynamic[smooth=-1]', "smooth' of dynamic: expected a number of at least 0, found '-1'"],
  ['dynamic[futures=0]', "futures' of dynamic: expected a whole number of at least 1 and at most 65535"],
  ['dynamic[every=2.5]', "every' of dynamic: expected a whole number of at least 1"],
  ['dynamic[seed=-1]', "seed' of dynamic: expected a whole number of at least 0"],
  ['dynamic[horizon=9]', "unknown parameter of dynamic 'horizon'. Known: every, candidates"],
  ['dynamic[candidates=tai3]', "unknown policy 'tai3'"],
  ['dynamic[candidates=ti+]', "cannot read ''"],
  ['dynamic[candidates=bf|ti]', 'expected policies with + between them'],
  ['dynamic[candidates=./mine.js]', './mine.js cannot be a candidate of dynamic: trials ask no function'],
  ['dynamic[candidates=ti[ordr=widest]]', "unknown parameter of ti 'ordr'; did you mean 'order'?"],
  [
    'dynamic[candidates=ti[order=wfp3]]',
    "expected submit, narrowest, widest, shortest, longest, smallest-area, largest-area for order, found 'wfp3'",
  ],
  ['dynamic[candidates=ti[order=f1]]', 'computed before the run, and for its own order alone'],
  [
    'dynamic[candidates=ti[discipline=sjf]]',
    'expected fcfs, first-available, easy, conservative for discipline',
  ],
  ['dynamic[candidates=ti[backfill-order=shortest]]', 'for the jobs behind the one reservation'],
])('%s is refused', (policy, reason) => {
  expect(() => makeConfiguration(grid, { policy })).toThrow(InputError);
  expect(() => makeConfiguration(grid, { policy })).toThrow(reason);
});

test('candidates may set the order of the queue', () => {
  const policyText =
    'dynamic[candidates=bf[discipline=easy,backfill-order=shortest]+ti[order=widest,slt=1]+tai2[order=shortest]]';
  const reprintedPolicyText = printPolicy(parsePolicy(policyText));
  expect(reprintedPolicyText).toContain(
    'candidates=best-fit[discipline=easy,backfill-order=shortest]+ti[sht=0.05,slt=1,order=widest]+tai2[order=shortest],',
  );
  expect(parsePolicy(reprintedPolicyText)).toEqual(parsePolicy(policyText));
  expect(listCandidatePolicies(parsePolicy(policyText))).toHaveLength(12);
});

test('where estimates are unknown no candidate uses them', () => {
  const { jobs } = randomDynamicCase(1);
  const workload = { ...makeWorkloadOfReferenceJobs(jobs), unestimated: true as const };
  for (const rule of ['discipline=easy', 'order=shortest']) {
    const policy = `dynamic[candidates=best-fit+ti[${rule}]]`;
    const beginSimulationOfPolicy = () => new Simulator(workload).begin(makeConfiguration(grid, { policy }));
    expect(beginSimulationOfPolicy).toThrow(
      `ti[sht=0.05,slt=2,${rule}] cannot be a candidate of dynamic: with estimates: 'none' runtimes are unknown`,
    );
  }
});

test('jobs that depend on others are refused', () => {
  const precedingJobColumns = {
    preceding: Int32Array.of(-1, 0),
    thinkTime: Float64Array.of(0, 0),
    firstPiece: Int32Array.of(0, 1),
  };
  const job = { submit: 0, runtime: 1, estimate: 1, processors: 1, home: 0 };
  const simulator = new Simulator({
    ...makeWorkloadOfReferenceJobs([job, job]),
    dependencies: precedingJobColumns,
  });
  expect(() => simulator.begin(makeConfiguration(grid, { policy: 'dynamic' }))).toThrow(InputError);
});

test('several futures require a run without estimates', () => {
  const { jobs } = randomDynamicCase(1);
  const configuration = makeConfiguration(grid, { policy: 'dynamic[futures=2]' });
  expect(() => new Simulator(makeWorkloadOfReferenceJobs(jobs)).begin(configuration)).toThrow(
    "only with estimates: 'none'",
  );
});
