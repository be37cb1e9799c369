import { expect, test } from 'vitest';
import { type Core, coreConstants, openCore } from '../../host/core/module.js';
import { parsePolicy } from '../../host/core/policies.js';
import { InputError } from '../../host/errors.js';
import { putJobTableAtMemoryStart } from '../../host/simulate/layout.js';
import { Simulator } from '../../host/simulate/simulator.js';
import { caseSeeds, doesRunCoverRareCases, RANDOM_TEST_TIMEOUT } from '../cases.js';
import { randomAllocatorCase } from '../reference/cases/allocators.js';
import { randomDependencyCase } from '../reference/cases/dependencies.js';
import { type RandomCase, SeededDraws } from '../reference/cases/draws.js';
import { randomLoadSharingCase } from '../reference/cases/loadSharing.js';
import { addRecentEstimates } from '../reference/cases/recent.js';
import { randomSafeCase } from '../reference/cases/safeBackfilling.js';
import {
  configurationOfReferenceOptions,
  listPartsOfJobs,
  listPreemptedRuns,
  workloadOfReferenceJobs,
} from './simulateCore.js';

/**
 * Changing the policy of a fork before the first decision must equal a run under the new policy
 * from the start.
 */

/** Cases of shared histories with estimates by recent jobs. */
const randomRecentSharingCase = (seed: number) =>
  addRecentEstimates(randomLoadSharingCase(seed), new SeededDraws(seed));

const caseKinds: [name: string, draw: (seed: number) => RandomCase, cases: number][] = [
  ['allocators', randomAllocatorCase, 1000],
  ['load sharing', randomLoadSharingCase, 600],
  ['backfilling with allocators', randomSafeCase, 400],
  ['jobs that depend on others', randomDependencyCase, 100],
  ['estimates by recent jobs', randomRecentSharingCase, 100],
];

/**
 * All metrics but the counts of agreeing rules, which depend on decisions before the change too.
 */
const metricNames = Object.keys(coreConstants().Metric).filter(
  (name): name is keyof Core['Metric'] => name !== 'COUNT' && !name.startsWith('Decisions'),
);

const resultsOf = (simulator: Simulator) => metricNames.map((name) => simulator.metric(name));

/** All runs of jobs, preempted ones included: start times by a key of job, start and place. */
function runStartsByKey(simulator: Simulator): Map<string, number> {
  const { start } = simulator.schedule();
  const last = listPartsOfJobs(simulator).map((parts, job) => ({ job, start: start[job], parts }));
  const stopped = listPreemptedRuns(simulator).map(({ job, start: begun, site }) => ({
    job,
    start: begun,
    site,
  }));
  return new Map([...last, ...stopped].map((run) => [JSON.stringify(run), run.start]));
}

/** Draws a policy with thresholds. */
function drawPolicyText(draws: SeededDraws): string {
  const name = draws.pick(['ti', 'tai', 'tai2']);
  return `${name}[sht=${draws.pick([0, 0.05, 0.5])},slt=${draws.pick([0.5, 1, 1.5, 2, 3])}]`;
}

test.each(caseKinds)(
  '%s',
  (_, draw, cases) => {
    const cores = [openCore('release'), openCore('checked')];
    let differing = 0;
    const tried = caseSeeds(cases);
    for (const seed of tried) {
      const draws = new SeededDraws(seed);
      const { jobs, options } = draw(500_000 + seed);
      // Preempted runs are recorded only if processors are tracked.
      const base = configurationOfReferenceOptions(
        { ...options, policy: 'best-fit', parameters: {} },
        Boolean(options.reclaim),
      );
      const [before, after] = [drawPolicyText(draws), drawPolicyText(draws)].map((policy) =>
        parsePolicy(policy),
      );
      const workload = workloadOfReferenceJobs(jobs, 'case', options);
      const run = new Simulator(workload, putJobTableAtMemoryStart(cores[seed % 2], workload));
      const [first, second] = [before, after].map((policy) => {
        run.begin({ ...base, policy });
        run.run();
        return { start: run.schedule().start, runs: runStartsByKey(run), results: resultsOf(run) };
      });
      // Until the first difference both runs have the same history, so that one can be turned into
      // the other at any event.
      const differs = [...first.runs, ...second.runs].filter(
        ([each]) => !(first.runs.has(each) && second.runs.has(each)),
      );
      const until = Math.min(...differs.map(([, time]) => time));
      const times = [...first.start, ...jobs.map(({ submit }) => submit)].filter((time) => time < until);
      const time = times.length > 0 ? draws.pick(times) : -1;
      run.begin({ ...base, policy: before });
      const other = new Simulator(workload, run);
      other.begin({ ...base, policy: before });
      run.runUntil(time);
      run.forkInto(other);
      other.changePolicy(after);
      other.run();
      expect(resultsOf(other), `seed ${seed}, fork`).toEqual(second.results);
      run.changePolicy(after);
      run.run();
      expect(resultsOf(run), `seed ${seed}`).toEqual(second.results);
      expect(run.schedule().start).toEqual(second.start);
      if (differs.length > 0) differing++;
    }
    if (doesRunCoverRareCases) expect(differing).toBeGreaterThan(tried.length / 20);
  },
  RANDOM_TEST_TIMEOUT,
);

test('a policy that the core does not take changes nothing', () => {
  const { jobs, options } = randomAllocatorCase(9);
  const run = new Simulator(workloadOfReferenceJobs(jobs, 'case', options));
  run.begin(configurationOfReferenceOptions({ ...options, policy: 'best-fit', parameters: {} }, false));
  run.run();
  const expected = resultsOf(run);
  run.begin(configurationOfReferenceOptions({ ...options, policy: 'best-fit', parameters: {} }, false));
  const policy = parsePolicy('ti');
  expect(() => run.changePolicy({ ...policy, values: [Number.NaN, 1] })).toThrow(InputError);
  expect(() => run.changePolicy(parsePolicy('dynamic'))).toThrow(InputError);
  run.run();
  expect(resultsOf(run)).toEqual(expected);
});

test('a run with candidates cannot stop trying them', () => {
  const { jobs, options } = randomAllocatorCase(9);
  const run = new Simulator(workloadOfReferenceJobs(jobs, 'case', options));
  const settings = {
    ...options,
    queue: 'shared',
    order: undefined,
    minSpeedRatio: 0,
    policy: 'best-fit',
    parameters: {},
  } as const;
  run.begin({ ...configurationOfReferenceOptions(settings, false), policy: parsePolicy('dynamic') });
  expect(() => run.changePolicy(parsePolicy('ti'))).toThrow(InputError);
  expect(() => run.run()).not.toThrow();
});
