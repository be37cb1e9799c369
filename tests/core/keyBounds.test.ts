/**
 * Queue orders whose keys change over time or are set at submission, with thousands of waiting
 * jobs. The checked build compares each job found through bounds on keys with all waiting jobs, and
 * traps if another one is first.
 */
import { expect, test } from 'vitest';
import { makeConfiguration, type SimulationOptions } from '../../host/options/configuration.js';
import { Simulator } from '../../host/simulate/simulator.js';
import { listCaseSeeds, RANDOM_TEST_TIMEOUT_MILLISECONDS } from '../cases.js';
import { FIRST_TIME_LOSING_SECONDS, LATE_SUBMIT_TIME_OFFSET, SeededDraws } from '../reference/cases/draws.js';
import type { ReferenceJob } from '../reference/simulator/reference.js';
import { makeWorkloadOfReferenceJobs } from './simulateCore.js';

/**
 * Generators of job lengths in seconds: varied, from few values (equal keys), zero, and near the
 * maximum.
 */
const RUNTIME_GENERATORS: readonly ((draws: SeededDraws) => number)[] = [
  (random) => 2 ** (random.below(1600) / 100),
  (random) => random.pick([10, 20, 80]),
  (random) => random.pick([0, 0, 1, 30]),
  (random) => random.pick([1e-7, 1, 1e11]),
];

function makeCrowdedJobs(random: SeededDraws, capacity: number, homes = 1): ReferenceJob[] {
  const startTime = random.pick([0, LATE_SUBMIT_TIME_OFFSET, FIRST_TIME_LOSING_SECONDS]);
  const interval =
    startTime === FIRST_TIME_LOSING_SECONDS ? random.pick([0, 2, 64]) : random.pick([0, 0.25, 1, 10]);
  const simultaneousJobCount = random.pick([0, 0, 3]);
  const drawRuntime = random.pick(RUNTIME_GENERATORS);
  const estimateExcesses = random.pick([[1], [1, 1.5, 3], [0, 0.5, 1, 2]]);
  return Array.from({ length: random.between(300, 900) }, (_, index) => {
    const runtime = drawRuntime(random);
    const maxWidth = random.oneIn(3) ? capacity : Math.ceil(capacity / 16);
    return {
      submit: startTime + interval * (index >> simultaneousJobCount),
      runtime,
      estimate: runtime * random.pick(estimateExcesses),
      processors: random.between(1, maxWidth),
      home: index % homes,
      user: random.below(4),
    };
  });
}

test(
  'the first of many jobs in an order whose keys change is found by their bounds, in forks too',
  () => {
    const countByKind = new Map<string, number>();
    for (const seed of listCaseSeeds(40)) {
      const random = new SeededDraws(seed);
      const capacities = [random.pick([16, 100, 5000])];
      const options = random.pick([
        {},
        {},
        { recent: 1 },
        { recent: 2, refresh: true },
        { dependencies: true },
      ]);
      const backfillOrder = random.pick([
        'wfp3',
        'wfp3',
        ...(options.recent || options.dependencies ? ['shortest', 'longest'] : []),
        ...(options.dependencies ? ['widest', 'submit'] : []),
      ]);
      // Keys change in the queue order or in the backfill order.
      const rules = random.oneIn(3)
        ? { order: options.refresh ? random.pick(['wfp3', 'shortest', 'longest']) : 'wfp3' }
        : { order: options.refresh ? 'submit' : random.pick(['submit', 'narrowest']), backfillOrder };
      const jobs = makeCrowdedJobs(random, capacities[0]!);
      const workload = makeWorkloadOfReferenceJobs(jobs, 'crowd', options);
      const configuration = makeConfiguration(
        { capacities, speeds: [random.pick([1, 3])] },
        { discipline: 'easy', ...rules, timeResolution: random.pick(['exact', 'nearest']) },
      );
      const [releaseSchedule, checkedSchedule] = (['release', 'checked'] as const).map((build) => {
        const simulator = new Simulator(workload, build);
        simulator.begin(configuration);
        simulator.runUntil(jobs[random.below(jobs.length)]!.submit);
        const fork = simulator.fork();
        simulator.run();
        fork.run();
        expect(fork.schedule().start, `fork of case ${seed}`).toEqual(simulator.schedule().start);
        return simulator.schedule();
      });
      expect(releaseSchedule, `case ${seed}`).toEqual(checkedSchedule);
      const namesOfBothOrders = `${rules.order}, ${rules.backfillOrder ?? 'the same'}`;
      countByKind.set(namesOfBothOrders, (countByKind.get(namesOfBothOrders) ?? 0) + 1);
    }
    console.log('crowds by order:', ...countByKind.entries());
  },
  RANDOM_TEST_TIMEOUT_MILLISECONDS,
);

/**
 * Options for sites and for the rule that chooses among them, with one shared queue or a queue per
 * home site.
 */
const SITE_RULE_GENERATORS: readonly ((
  draws: SeededDraws,
  canSitesHaveOwnQueues: boolean,
) => SimulationOptions)[] = [
  () => ({}),
  (random) => ({ policy: random.pick(['best-fit', 'ai2', 'random[seed=5]', 'tai2']) }),
  (random, canQueueBePerHome) => ({
    queue: canQueueBePerHome && random.oneIn(2) ? 'per-home' : 'independent',
  }),
];

const DISCIPLINE_OPTIONS: readonly SimulationOptions[] = [
  { discipline: 'fcfs' },
  { discipline: 'first-available' },
  { discipline: 'easy' },
  { discipline: 'easy', backfillOrder: 'wfp3' },
  { discipline: 'easy', backfillOrder: 'shortest' },
  { discipline: 'conservative', reservations: 'kept' },
];

test(
  'it is found under every discipline, on several sites, and with a second order',
  () => {
    const countByKind = new Map<string, number>();
    for (const seed of listCaseSeeds(36)) {
      const random = new SeededDraws(seed);
      const rules = DISCIPLINE_OPTIONS[seed % DISCIPLINE_OPTIONS.length]!;
      const hasFixedKeys = rules.backfillOrder === 'wfp3' && random.oneIn(2);
      const isOnlyPolicyRuleAllowed = rules.discipline === 'fcfs' || rules.discipline === 'first-available';
      const optionsOfSiteChoice = random.pick(SITE_RULE_GENERATORS)(random, isOnlyPolicyRuleAllowed);
      const isSingle = optionsOfSiteChoice.policy === undefined && optionsOfSiteChoice.queue === undefined;
      const capacities = isSingle ? [64] : [16, 64, 40];
      const jobs = makeCrowdedJobs(random, 16, optionsOfSiteChoice.queue === undefined ? 1 : 3);
      const workload = makeWorkloadOfReferenceJobs(jobs, 'crowd');
      const configuration = makeConfiguration(
        { capacities, speeds: isSingle ? [1] : [1, 0.7, 3] },
        {
          ...rules,
          ...optionsOfSiteChoice,
          order: hasFixedKeys ? 'narrowest' : 'wfp3',
          timeResolution: random.pick(['exact', 'nearest']),
        },
      );
      const [releaseSchedule, checkedSchedule] = (['release', 'checked'] as const).map((build) => {
        const simulator = new Simulator(workload, build);
        simulator.begin(configuration);
        simulator.runUntil(jobs[random.below(jobs.length)]!.submit);
        const fork = simulator.fork();
        simulator.run();
        fork.run();
        expect(fork.schedule().start, `fork of case ${seed}`).toEqual(simulator.schedule().start);
        return simulator.schedule();
      });
      expect(releaseSchedule, `case ${seed}`).toEqual(checkedSchedule);
      const namesOfDisciplineAndSiteRule = `${rules.discipline}, ${optionsOfSiteChoice.policy === undefined ? (optionsOfSiteChoice.queue ?? 'one site') : 'policy'}`;
      countByKind.set(namesOfDisciplineAndSiteRule, (countByKind.get(namesOfDisciplineAndSiteRule) ?? 0) + 1);
    }
    console.log('crowds by discipline:', ...countByKind.entries());
  },
  RANDOM_TEST_TIMEOUT_MILLISECONDS,
);
