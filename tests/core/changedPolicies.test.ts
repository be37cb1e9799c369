import { expect, test } from 'vitest';
import { type Core, loadCoreConstants, openCore } from '../../host/core/module.js';
import { parsePolicy } from '../../host/core/policies.js';
import { InputError } from '../../host/errors.js';
import { putJobTableAtMemoryStart } from '../../host/simulate/layout.js';
import { Simulator } from '../../host/simulate/simulator.js';
import { doesRunCoverRareCases, listCaseSeeds, RANDOM_TEST_TIMEOUT_MILLISECONDS } from '../cases.js';
import { randomAllocatorCase } from '../reference/cases/allocators.js';
import { randomDependencyCase } from '../reference/cases/dependencies.js';
import { type RandomCase, SeededDraws } from '../reference/cases/draws.js';
import { randomLoadSharingCase } from '../reference/cases/loadSharing.js';
import { addRecentEstimates } from '../reference/cases/recent.js';
import { randomSafeCase } from '../reference/cases/safeBackfilling.js';
import {
  listPartsOfJobs,
  listPreemptedRuns,
  makeConfigurationFromReference,
  makeWorkloadOfReferenceJobs,
} from './simulateCore.js';

/**
 * Changing the policy of a fork before the first decision must equal a run under the new policy
 * from the start.
 */

/** Cases of shared histories with estimates by recent jobs. */
const drawRecentLoadSharingCase = (seed: number) =>
  addRecentEstimates(randomLoadSharingCase(seed), new SeededDraws(seed));

const caseKinds: [name: string, draw: (seed: number) => RandomCase, cases: number][] = [
  ['allocators', randomAllocatorCase, 1000],
  ['load sharing', randomLoadSharingCase, 600],
  ['backfilling with allocators', randomSafeCase, 400],
  ['jobs that depend on others', randomDependencyCase, 100],
  ['estimates by recent jobs', drawRecentLoadSharingCase, 100],
];

/**
 * Names of all metrics except the numbers of agreeing decisions, which also depend on decisions before the
 * change.
 */
const metricNames = Object.keys(loadCoreConstants().Metric).filter(
  (name): name is keyof Core['Metric'] => name !== 'COUNT' && !name.startsWith('Decisions'),
);

const readMetrics = (simulator: Simulator) => metricNames.map((metricName) => simulator.metric(metricName));

/** All runs of jobs, preempted ones included: start times by a key of job, start and place. */
function readRunStartsByKey(simulator: Simulator): Map<string, number> {
  const { start } = simulator.schedule();
  const lastRunOfEachJob = listPartsOfJobs(simulator).map((jobParts, job) => ({
    job,
    start: start[job],
    parts: jobParts,
  }));
  const stoppedRuns = listPreemptedRuns(simulator).map(({ job, start: begun, site }) => ({
    job,
    start: begun,
    site,
  }));
  return new Map([...lastRunOfEachJob, ...stoppedRuns].map((run) => [JSON.stringify(run), run.start]));
}

/** Draws the text of a random policy with its thresholds. */
function drawPolicyText(random: SeededDraws): string {
  const policyName = random.pick(['ti', 'tai', 'tai2']);
  return `${policyName}[sht=${random.pick([0, 0.05, 0.5])},slt=${random.pick([0.5, 1, 1.5, 2, 3])}]`;
}

test.each(caseKinds)(
  '%s',
  (_, draw, cases) => {
    const cores = [openCore('release'), openCore('checked')];
    let differingCaseCount = 0;
    const caseSeedsToTry = listCaseSeeds(cases);
    for (const seed of caseSeedsToTry) {
      const random = new SeededDraws(seed);
      const { jobs, options } = draw(500_000 + seed);
      // Preempted runs are recorded only if processors are tracked.
      const baseConfiguration = makeConfigurationFromReference(
        { ...options, policy: 'best-fit', parameters: {} },
        Boolean(options.reclaim),
      );
      const [policyBefore, policyAfter] = [drawPolicyText(random), drawPolicyText(random)].map((policy) =>
        parsePolicy(policy),
      );
      const workload = makeWorkloadOfReferenceJobs(jobs, 'case', options);
      const run = new Simulator(workload, putJobTableAtMemoryStart(cores[seed % 2], workload));
      const [scheduleBefore, scheduleAfter] = [policyBefore, policyAfter].map((policy) => {
        run.begin({ ...baseConfiguration, policy });
        run.run();
        return { start: run.schedule().start, runs: readRunStartsByKey(run), results: readMetrics(run) };
      });
      // Until the first difference both runs have the same history, so that one can be turned into
      // the other at any event.
      const runsInOneScheduleOnly = [...scheduleBefore.runs, ...scheduleAfter.runs].filter(
        ([runKey]) => !(scheduleBefore.runs.has(runKey) && scheduleAfter.runs.has(runKey)),
      );
      const untilTime = Math.min(...runsInOneScheduleOnly.map(([, time]) => time));
      const eventTimes = [...scheduleBefore.start, ...jobs.map(({ submit }) => submit)].filter(
        (time) => time < untilTime,
      );
      const time = eventTimes.length > 0 ? random.pick(eventTimes) : -1;
      run.begin({ ...baseConfiguration, policy: policyBefore });
      const otherSimulator = new Simulator(workload, run);
      otherSimulator.begin({ ...baseConfiguration, policy: policyBefore });
      run.runUntil(time);
      run.forkInto(otherSimulator);
      otherSimulator.changePolicy(policyAfter);
      otherSimulator.run();
      expect(readMetrics(otherSimulator), `seed ${seed}, fork`).toEqual(scheduleAfter.results);
      run.changePolicy(policyAfter);
      run.run();
      expect(readMetrics(run), `seed ${seed}`).toEqual(scheduleAfter.results);
      expect(run.schedule().start).toEqual(scheduleAfter.start);
      if (runsInOneScheduleOnly.length > 0) differingCaseCount++;
    }
    if (doesRunCoverRareCases) expect(differingCaseCount).toBeGreaterThan(caseSeedsToTry.length / 20);
  },
  RANDOM_TEST_TIMEOUT_MILLISECONDS,
);

test('a policy that the core does not take changes nothing', () => {
  const { jobs, options } = randomAllocatorCase(9);
  const run = new Simulator(makeWorkloadOfReferenceJobs(jobs, 'case', options));
  run.begin(makeConfigurationFromReference({ ...options, policy: 'best-fit', parameters: {} }, false));
  run.run();
  const expectedResults = readMetrics(run);
  run.begin(makeConfigurationFromReference({ ...options, policy: 'best-fit', parameters: {} }, false));
  const policy = parsePolicy('ti');
  expect(() => run.changePolicy({ ...policy, values: [Number.NaN, 1] })).toThrow(InputError);
  expect(() => run.changePolicy(parsePolicy('dynamic'))).toThrow(InputError);
  run.run();
  expect(readMetrics(run)).toEqual(expectedResults);
});

test('a run with candidates cannot stop trying them', () => {
  const { jobs, options } = randomAllocatorCase(9);
  const run = new Simulator(makeWorkloadOfReferenceJobs(jobs, 'case', options));
  const settings = {
    ...options,
    queue: 'shared',
    order: undefined,
    minSpeedRatio: 0,
    policy: 'best-fit',
    parameters: {},
  } as const;
  run.begin({ ...makeConfigurationFromReference(settings, false), policy: parsePolicy('dynamic') });
  expect(() => run.changePolicy(parsePolicy('ti'))).toThrow(InputError);
  expect(() => run.run()).not.toThrow();
});
