import { expect, test } from 'vitest';
import { listAllocatorDeclarations } from '../../host/core/policies.js';
import { InputError } from '../../host/errors.js';
import { Simulator } from '../../host/simulate/simulator.js';
import { doesRunCoverRareCases, listCaseSeeds, RANDOM_TEST_TIMEOUT_MILLISECONDS } from '../cases.js';
import { expectSame } from '../expectSame.js';
import { randomAgingCase, removeIneffectiveOptions } from '../reference/cases/aging.js';
import { randomAllocatorCase } from '../reference/cases/allocators.js';
import { randomBackfillingCase } from '../reference/cases/backfilling.js';
import { randomCoallocationCase } from '../reference/cases/coallocation.js';
import { randomDependencyCase } from '../reference/cases/dependencies.js';
import type { RandomCase } from '../reference/cases/draws.js';
import { randomKeptCase } from '../reference/cases/keptReservations.js';
import { randomLoadSharingCase } from '../reference/cases/loadSharing.js';
import { randomLongCase } from '../reference/cases/long.js';
import { randomMoldableCase } from '../reference/cases/moldable.js';
import { randomCustomPolicyCase, randomCustomPolicyPlanCase } from '../reference/cases/ownPolicies.js';
import { randomRecentCase } from '../reference/cases/recent.js';
import { randomDepthCase } from '../reference/cases/reservationDepth.js';
import {
  beginForkTarget,
  computePseudoRandom,
  expectSameResultsAfter,
  type Results,
  readAllResults,
  readLogLengths,
} from './forkResults.js';
import { makeConfigurationFromReference, makeWorkloadOfReferenceJobs } from './simulateCore.js';

/**
 * Tests forks of simulations: they must continue like the original run, and states that compare as equal must
 * have the same future.
 */

const caseKinds: [name: string, draw: (seed: number) => RandomCase, cases: number][] = [
  ['allocators', randomAllocatorCase, 800],
  ['load sharing', randomLoadSharingCase, 1200],
  ['moldable jobs', randomMoldableCase, 600],
  ['backfilling', randomBackfillingCase, 600],
  ['co-allocation', randomCoallocationCase, 600],
  ['estimates by recent jobs', randomRecentCase, 300],
  ['kept reservations', randomKeptCase, 400],
  ['depths of reservations', randomDepthCase, 200],
  ["policies of one's own", randomCustomPolicyCase, 80],
  ["backfilling with policies of one's own", randomCustomPolicyPlanCase, 120],
  ['dependencies', randomDependencyCase, 200],
  ['orders that change', (seed) => removeIneffectiveOptions(randomAgingCase(seed)), 300],
  ['long cases', randomLongCase, 12],
];

/** Draws two event times of a finished simulation, the earlier first. */
function drawForkTimes({ jobs }: Results, seed: number): [number, number] {
  const pickSeeded = (drawNumber: number) => {
    const job = computePseudoRandom(jobs.start.length, drawNumber);
    return jobs.start[job] + (drawNumber % 2) * jobs.execution[job];
  };
  const [firstSample, secondSample] = [pickSeeded(seed), pickSeeded(seed + 77)];
  return [Math.min(firstSample, secondSample), Math.max(firstSample, secondSample)];
}

test.each(caseKinds)(
  '%s: forks continue as a single run does, and are at the same point',
  (name, draw, cases) => {
    // If queue keys change with time, equal states are not always recognized as equal.
    const areStatesCompared = name !== 'orders that change';
    let runningJobCount = 0;
    const caseSeedsToTry = listCaseSeeds(cases);
    for (const seed of caseSeedsToTry) {
      const { jobs, options } = draw(300_000 + seed);
      const hasProcessorSets = seed % 3 === 0;
      const configuration = makeConfigurationFromReference(options, hasProcessorSets);
      const originSimulator = new Simulator(
        makeWorkloadOfReferenceJobs(jobs, 'case', options),
        seed % 2 === 0 ? 'release' : 'checked',
      );
      const unforkedSimulator = beginForkTarget(originSimulator, configuration);
      unforkedSimulator.run();
      const expectedResults = readAllResults(unforkedSimulator, hasProcessorSets);
      const [time, laterTime] = drawForkTimes(expectedResults, seed);

      originSimulator.begin(configuration);
      originSimulator.runUntil(time);
      runningJobCount += originSimulator.progress.running;
      const lengths = readLogLengths(originSimulator, hasProcessorSets);
      const firstFork = beginForkTarget(originSimulator, configuration);
      const secondFork = beginForkTarget(originSimulator, configuration);
      originSimulator.forkInto(firstFork);
      if (areStatesCompared) expect(originSimulator.hasSameState(firstFork)).toBe(!hasProcessorSets);
      firstFork.runUntil(laterTime);
      if (areStatesCompared)
        expect(originSimulator.hasSameState(firstFork)).toBe(
          !hasProcessorSets && originSimulator.progress.now === firstFork.progress.now,
        );
      // Makes a fork of a fork, then overwrites the first fork.
      const logLengthsAfterFork = readLogLengths(firstFork, hasProcessorSets);
      firstFork.forkInto(secondFork);
      firstFork.run();
      expectSameResultsAfter(readAllResults(firstFork, hasProcessorSets), expectedResults, time, lengths);
      originSimulator.forkInto(firstFork);
      firstFork.run();
      expectSameResultsAfter(readAllResults(firstFork, hasProcessorSets), expectedResults, time, lengths);
      const fork = originSimulator.fork();
      originSimulator.runUntil(laterTime);
      if (areStatesCompared) expect(originSimulator.hasSameState(secondFork)).toBe(!hasProcessorSets);
      secondFork.run();
      expectSameResultsAfter(
        readAllResults(secondFork, hasProcessorSets),
        expectedResults,
        laterTime,
        logLengthsAfterFork,
      );
      for (const simulator of [originSimulator, fork]) {
        simulator.run();
        expectSame(readAllResults(simulator, hasProcessorSets), expectedResults);
      }
    }
    if (doesRunCoverRareCases) expect(runningJobCount).toBeGreaterThan(caseSeedsToTry.length);
  },
  RANDOM_TEST_TIMEOUT_MILLISECONDS,
);

test.each(caseKinds.slice(0, 2))(
  '%s: states that compare as equal after different decisions have the same future',
  (_, draw, cases) => {
    let sameScheduleCount = 0;
    let differentScheduleCount = 0;
    const caseSeedsToTry = listCaseSeeds(cases);
    for (const seed of caseSeedsToTry) {
      const { jobs, options } = draw(400_000 + seed);
      const configuration = makeConfigurationFromReference(options, false);
      const policyNames = listAllocatorDeclarations().map(({ name: policyName }) => policyName);
      const configurationWithOtherPolicy = makeConfigurationFromReference(
        { ...options, policy: policyNames[computePseudoRandom(policyNames.length, seed)], parameters: {} },
        false,
      );
      const originalSimulator = new Simulator(makeWorkloadOfReferenceJobs(jobs, 'case', options));
      const forkWithOtherPolicy = beginForkTarget(originalSimulator, configurationWithOtherPolicy);
      const forksWithSamePolicy = [
        beginForkTarget(originalSimulator, configuration),
        beginForkTarget(originalSimulator, configuration),
      ];
      originalSimulator.begin(configuration);
      for (const [index, { submit }] of jobs.entries()) {
        if (index % 4 > 0) continue;
        originalSimulator.runUntil(submit);
        forkWithOtherPolicy.runUntil(submit);
        if (!originalSimulator.hasSameState(forkWithOtherPolicy)) {
          differentScheduleCount++;
          continue;
        }
        sameScheduleCount++;
        originalSimulator.forkInto(forksWithSamePolicy[0]);
        forkWithOtherPolicy.forkInto(forksWithSamePolicy[1]);
        for (const end of forksWithSamePolicy) end.run();
        const [left, right] = forksWithSamePolicy.map((end) => readAllResults(end, false).jobs);
        const jobsStartedLater = [...left.start.keys()].filter(
          (job) => left.start[job] > submit || right.start[job] > submit,
        );
        for (const columnName of ['start', 'execution', 'site', 'held'] as const) {
          expect(jobsStartedLater.map((job) => left[columnName][job])).toEqual(
            jobsStartedLater.map((job) => right[columnName][job]),
          );
        }
      }
    }
    if (!doesRunCoverRareCases) return;
    expect(sameScheduleCount).toBeGreaterThan(caseSeedsToTry.length);
    expect(differentScheduleCount).toBeGreaterThan(caseSeedsToTry.length);
  },
  RANDOM_TEST_TIMEOUT_MILLISECONDS,
);

test('a fork under another policy continues as a run that changes its policy there', () => {
  const { jobs, options } = randomAllocatorCase(9);
  const originSimulator = new Simulator(makeWorkloadOfReferenceJobs(jobs, 'case', options));
  const [configurationBefore, configurationAfter] = ['best-fit', 'fastest-first'].map((policy) =>
    makeConfigurationFromReference({ ...options, policy, parameters: {} }, false),
  );
  const unforkedSimulator = beginForkTarget(originSimulator, configurationAfter);
  unforkedSimulator.run();
  originSimulator.begin(configurationBefore);
  originSimulator.forkInto(unforkedSimulator);
  unforkedSimulator.run();
  const simulatorFromConfigurationAfter = beginForkTarget(originSimulator, configurationAfter);
  simulatorFromConfigurationAfter.run();
  expect(readAllResults(unforkedSimulator, false)).toEqual(
    readAllResults(simulatorFromConfigurationAfter, false),
  );
});

test('a fork that differs in more than the policy, or is at another point, is refused', () => {
  const { jobs, options } = randomAllocatorCase(9);
  const originSimulator = new Simulator(makeWorkloadOfReferenceJobs(jobs, 'case', options));
  originSimulator.begin(makeConfigurationFromReference(options, false));
  const otherOptions = [
    { ...options, speeds: options.speeds.map((speed) => 2 * speed) },
    { ...options, load: options.load.map((load) => 2 * load) },
    { ...options, minSpeedRatio: options.minSpeedRatio === 0 ? 1e-9 : 0 },
  ];
  for (const otherOption of otherOptions) {
    const simulator = beginForkTarget(originSimulator, makeConfigurationFromReference(otherOption, false));
    expect(() => originSimulator.forkInto(simulator)).toThrow('differ in more than their policies');
    expect(originSimulator.hasSameState(simulator)).toBe(false);
  }
  expect(() => originSimulator.forkInto(new Simulator(originSimulator.workload, originSimulator))).toThrow(
    InputError,
  );
  const otherSimulator = new Simulator(originSimulator.workload);
  otherSimulator.begin(makeConfigurationFromReference(options, false));
  expect(() => originSimulator.forkInto(otherSimulator)).toThrow('share one instance of the core');
  expect(originSimulator.hasSameState(otherSimulator)).toBe(false);
});

test('under fcfs on a shared queue the live part is a few kilobytes', () => {
  const jobs = Array.from({ length: 5000 }, (_, i) => {
    return { submit: i, runtime: 60, estimate: 60, processors: 1, home: i % 5 };
  });
  const simulator = new Simulator(makeWorkloadOfReferenceJobs(jobs));
  const { options } = randomAllocatorCase(9);
  const sites = { capacities: [8, 128, 128, 128, 50], speeds: [1, 1, 1, 1, 1], load: [1, 1, 1, 1, 1] };
  const plainOptions = {
    policy: 'best-fit',
    parameters: {},
    instant: 'per-event',
    minSpeedRatio: 0,
  } as const;
  simulator.begin(makeConfigurationFromReference({ ...options, ...sites, ...plainOptions }, false));
  simulator.runUntil(1000);
  expect(simulator.progress.running).toBe(60);
  expect(simulator.liveBytes).toBeLessThan(7000);
});
