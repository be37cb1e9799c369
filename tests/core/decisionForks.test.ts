import { expect, test } from 'vitest';
import { Simulator } from '../../host/simulate/simulator.js';
import { caseSeeds, doesRunCoverRareCases, RANDOM_TEST_TIMEOUT } from '../cases.js';
import type { RandomCase } from '../reference/cases/draws.js';
import { randomCustomPolicyCase, randomCustomPolicyPlanCase } from '../reference/cases/ownPolicies.js';
import type { PolicyView } from '../reference/simulator/types.js';
import { beginForkTarget, expectSameFrom, logLengthsOf, numberFromSeed, resultsOf } from './forkResults.js';
import { configurationOfReferenceOptions, workloadOfReferenceJobs } from './simulateCore.js';

/**
 * Forks and snapshots taken while a decision is pending, in the middle of a pass, must continue
 * unaffected.
 */

const caseKinds: [name: string, draw: (seed: number) => RandomCase, cases: number][] = [
  ["policies of one's own", randomCustomPolicyCase, 120],
  ["backfilling with policies of one's own", randomCustomPolicyPlanCase, 240],
];

/** A case whose policy counts its decisions and performs an action at one of them. */
function watchDecisionsOfCase({ jobs, options }: RandomCase, choose: (view: PolicyView) => number) {
  const decisions = { made: 0, until: -1, beside: () => {} };
  const countingPolicy = (view: PolicyView) => {
    const answer = choose(view);
    if (decisions.made++ === decisions.until) decisions.beside();
    return answer;
  };
  return { jobs, decisions, options: { ...options, choose: countingPolicy } };
}

test.each(caseKinds)(
  '%s: forks at a pending decision continue as a single run does',
  (_, draw, cases) => {
    let forks = 0;
    const tried = caseSeeds(cases);
    for (const [i, seed] of tried.entries()) {
      const drawn = draw(500_000 + seed);
      const { jobs, options, decisions } = watchDecisionsOfCase(drawn, drawn.options.choose!);
      const tracksProcessorSets = i % 3 === 0;
      const configuration = configurationOfReferenceOptions(options, tracksProcessorSets);
      const workload = workloadOfReferenceJobs(jobs, 'case', options);
      const origin = new Simulator(workload, i % 2 === 0 ? 'release' : 'checked');
      const straight = beginForkTarget(origin, configuration);
      straight.run();
      if (decisions.made === 0) continue;
      const expected = resultsOf(straight, tracksProcessorSets);
      forks++;

      const [first, second, third] = [0, 1, 2].map(() => beginForkTarget(origin, configuration));
      let time = 0;
      let lengths: ReturnType<typeof logLengthsOf> = {};
      let snapshot: Uint8Array = new Uint8Array();
      decisions.until = numberFromSeed(decisions.made, seed);
      decisions.made = 0;
      decisions.beside = () => {
        time = origin.progress.now;
        lengths = logLengthsOf(origin, tracksProcessorSets);
        snapshot = origin.snapshot();
        origin.forkInto(first);
        expect(origin.hasSameState(first)).toBe(
          !tracksProcessorSets && options.discipline !== 'conservative',
        );
        first.forkInto(second);
      };
      origin.begin(configuration);
      origin.run();
      third.restore(snapshot, configuration);
      for (const each of [first, second, third]) each.run();
      for (const each of [origin, third]) expect(resultsOf(each, tracksProcessorSets)).toEqual(expected);
      for (const each of [first, second])
        expectSameFrom(resultsOf(each, tracksProcessorSets), expected, time, lengths);
    }
    expect(forks).toBeGreaterThan((doesRunCoverRareCases ? 0.8 : 0.4) * tried.length);
  },
  RANDOM_TEST_TIMEOUT,
);

test.each(caseKinds)(
  '%s: a policy of the core takes over a pending decision',
  (_, draw, cases) => {
    for (const seed of caseSeeds(cases / 2)) {
      const { jobs, options, decisions } = watchDecisionsOfCase(
        draw(600_000 + seed),
        ({ bestFit }) => bestFit,
      );
      const configuration = configurationOfReferenceOptions({ ...options, choose: undefined }, false);
      const origin = new Simulator(workloadOfReferenceJobs(jobs, 'case', options));
      const straight = beginForkTarget(origin, configuration);
      straight.run();
      const other = beginForkTarget(origin, configuration);
      let time = Infinity;
      decisions.until = numberFromSeed(40, seed);
      decisions.beside = () => {
        time = origin.progress.now;
        origin.forkInto(other);
      };
      origin.begin(configurationOfReferenceOptions(options, false));
      origin.run();
      const expected = resultsOf(straight, false);
      expect(resultsOf(origin, false)).toEqual(expected);
      if (time === Infinity) continue;
      other.run();
      expectSameFrom(resultsOf(other, false), expected, time, logLengthsOf(straight, false));
    }
  },
  RANDOM_TEST_TIMEOUT,
);
