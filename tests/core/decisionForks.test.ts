import { expect, test } from 'vitest';
import { Simulator } from '../../host/simulate/simulator.js';
import { doesRunCoverRareCases, listCaseSeeds, RANDOM_TEST_TIMEOUT_MILLISECONDS } from '../cases.js';
import type { RandomCase } from '../reference/cases/draws.js';
import { randomCustomPolicyCase, randomCustomPolicyPlanCase } from '../reference/cases/ownPolicies.js';
import type { PolicyView } from '../reference/simulator/types.js';
import {
  beginForkTarget,
  computePseudoRandom,
  expectSameResultsAfter,
  readAllResults,
  readLogLengths,
} from './forkResults.js';
import { makeConfigurationFromReference, makeWorkloadOfReferenceJobs } from './simulateCore.js';

/**
 * Forks and snapshots taken while a decision is pending, in the middle of a pass, must continue
 * unaffected.
 */

const caseKinds: [name: string, draw: (seed: number) => RandomCase, cases: number][] = [
  ["policies of one's own", randomCustomPolicyCase, 120],
  ["backfilling with policies of one's own", randomCustomPolicyPlanCase, 240],
];

/** Options of a case whose host policy counts its decisions and performs an action at one of them. */
function runCaseWatchingDecisions({ jobs, options }: RandomCase, chooseSite: (view: PolicyView) => number) {
  const decisions = { made: 0, until: -1, beside: () => {} };
  const policyCountingDecisions = (policyView: PolicyView) => {
    const chosenSite = chooseSite(policyView);
    if (decisions.made++ === decisions.until) decisions.beside();
    return chosenSite;
  };
  return { jobs, decisions, options: { ...options, choose: policyCountingDecisions } };
}

test.each(caseKinds)(
  '%s: forks at a pending decision continue as a single run does',
  (_, draw, cases) => {
    let forkCount = 0;
    const caseSeedsToTry = listCaseSeeds(cases);
    for (const [i, seed] of caseSeedsToTry.entries()) {
      const randomCase = draw(500_000 + seed);
      const { jobs, options, decisions } = runCaseWatchingDecisions(randomCase, randomCase.options.choose!);
      const tracksProcessorSets = i % 3 === 0;
      const configuration = makeConfigurationFromReference(options, tracksProcessorSets);
      const workload = makeWorkloadOfReferenceJobs(jobs, 'case', options);
      const originSimulator = new Simulator(workload, i % 2 === 0 ? 'release' : 'checked');
      const unforkedSimulator = beginForkTarget(originSimulator, configuration);
      unforkedSimulator.run();
      if (decisions.made === 0) continue;
      const expectedResults = readAllResults(unforkedSimulator, tracksProcessorSets);
      forkCount++;

      const [firstFork, secondFork, thirdFork] = [0, 1, 2].map(() =>
        beginForkTarget(originSimulator, configuration),
      );
      let time = 0;
      let lengths: ReturnType<typeof readLogLengths> = {};
      let snapshot: Uint8Array = new Uint8Array();
      decisions.until = computePseudoRandom(decisions.made, seed);
      decisions.made = 0;
      decisions.beside = () => {
        time = originSimulator.progress.now;
        lengths = readLogLengths(originSimulator, tracksProcessorSets);
        snapshot = originSimulator.snapshot();
        originSimulator.forkInto(firstFork);
        expect(originSimulator.hasSameState(firstFork)).toBe(
          !tracksProcessorSets && options.discipline !== 'conservative',
        );
        firstFork.forkInto(secondFork);
      };
      originSimulator.begin(configuration);
      originSimulator.run();
      thirdFork.restore(snapshot, configuration);
      for (const fork of [firstFork, secondFork, thirdFork]) fork.run();
      for (const fork of [originSimulator, thirdFork])
        expect(readAllResults(fork, tracksProcessorSets)).toEqual(expectedResults);
      for (const fork of [firstFork, secondFork])
        expectSameResultsAfter(readAllResults(fork, tracksProcessorSets), expectedResults, time, lengths);
    }
    expect(forkCount).toBeGreaterThan((doesRunCoverRareCases ? 0.8 : 0.4) * caseSeedsToTry.length);
  },
  RANDOM_TEST_TIMEOUT_MILLISECONDS,
);

test.each(caseKinds)(
  '%s: a policy of the core takes over a pending decision',
  (_, draw, cases) => {
    for (const seed of listCaseSeeds(cases / 2)) {
      const { jobs, options, decisions } = runCaseWatchingDecisions(
        draw(600_000 + seed),
        ({ bestFit }) => bestFit,
      );
      const configuration = makeConfigurationFromReference({ ...options, choose: undefined }, false);
      const originSimulator = new Simulator(makeWorkloadOfReferenceJobs(jobs, 'case', options));
      const unforkedSimulator = beginForkTarget(originSimulator, configuration);
      unforkedSimulator.run();
      const otherFork = beginForkTarget(originSimulator, configuration);
      let time = Infinity;
      decisions.until = computePseudoRandom(40, seed);
      decisions.beside = () => {
        time = originSimulator.progress.now;
        originSimulator.forkInto(otherFork);
      };
      originSimulator.begin(makeConfigurationFromReference(options, false));
      originSimulator.run();
      const expectedResults = readAllResults(unforkedSimulator, false);
      expect(readAllResults(originSimulator, false)).toEqual(expectedResults);
      if (time === Infinity) continue;
      otherFork.run();
      expectSameResultsAfter(
        readAllResults(otherFork, false),
        expectedResults,
        time,
        readLogLengths(unforkedSimulator, false),
      );
    }
  },
  RANDOM_TEST_TIMEOUT_MILLISECONDS,
);
