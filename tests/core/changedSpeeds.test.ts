import { expect, test } from 'vitest';
import { type Core, openCore } from '../../host/core/module.js';
import { InputError } from '../../host/errors.js';
import { putJobTableAtMemoryStart } from '../../host/simulate/layout.js';
import { Simulator } from '../../host/simulate/simulator.js';
import { summarize } from '../../host/simulate/summary.js';
import { RANDOM_TEST_TIMEOUT, randomCaseCount } from '../cases.js';
import { expectSame } from '../expectSame.js';
import { randomAllocatorCase } from '../reference/cases/allocators.js';
import { randomDependencyCase } from '../reference/cases/dependencies.js';
import { type RandomCase, SeededDraws } from '../reference/cases/draws.js';
import { randomLoadSharingCase } from '../reference/cases/loadSharing.js';
import { randomMoldableCase } from '../reference/cases/moldable.js';
import { randomRecentCase } from '../reference/cases/recent.js';
import { simulateReference } from '../reference/simulator/reference.js';
import {
  configurationOfReferenceOptions,
  pickReferenceMetrics,
  workloadOfReferenceJobs,
} from './simulateCore.js';

/**
 * Changing the speeds of a fork: the core must agree with the reference simulator to the last bit.
 */

const caseKinds: [name: string, draw: (seed: number) => RandomCase, cases: number][] = [
  ['allocators', randomAllocatorCase, 200],
  ['load sharing', randomLoadSharingCase, 200],
  ['moldable jobs', randomMoldableCase, 150],
  ['estimates by recent jobs', randomRecentCase, 150],
  ['dependencies', randomDependencyCase, 120],
];

/**
 * True if by the options of a case starts depend on predictions, so that changed speeds may let a job start
 * at once.
 */
function doStartsDependOnPredictions({ discipline, moldableThreshold }: RandomCase['options']): boolean {
  return discipline === 'easy' || discipline === 'conservative' || moldableThreshold !== undefined;
}

function resultsOf(simulator: Simulator) {
  const { submit, start, execution, site, held: heldProcessors } = simulator.schedule();
  const jobs = [submit, start, execution, site, heldProcessors].map((column) => [...column]);
  return { jobs, metrics: pickReferenceMetrics(summarize(simulator)) };
}

test.each(caseKinds)(
  '%s',
  (_, draw, cases) => {
    const cores: Core[] = [openCore('release'), openCore('checked')];
    let [changedCount, differingCount] = [0, 0];
    for (let seed = 1; seed <= randomCaseCount(cases); seed++) {
      const random = new SeededDraws(seed);
      const { jobs, options: drawnOptions } = draw(700_000 + seed);
      const options = { ...drawnOptions, minSpeedRatio: 0 };
      if (doStartsDependOnPredictions(options)) continue;
      changedCount++;
      const workload = workloadOfReferenceJobs(jobs, 'case', options);
      const run = new Simulator(workload, putJobTableAtMemoryStart(cores[seed % 2], workload));
      const configuration = configurationOfReferenceOptions(options, false);
      run.begin(configuration);
      run.run();
      const unchangedResults = resultsOf(run);
      const [, starts, executions] = unchangedResults.jobs;
      const eventTimes = starts.flatMap((time, job) => [time, time + executions[job], time + 0.5]);
      const changes = random
        .times(random.between(1, 3), () => random.pick(eventTimes))
        .sort((left, right) => left - right)
        .map((time) => ({
          time,
          speeds: options.speeds.map((speed) => random.pick([speed, 0.5, 1, 2, 3 * speed])),
        }));
      const reference = simulateReference(jobs, { ...options, changes });
      const { submit, start, execution, site, held: heldProcessors, metrics: referenceMetrics } = reference;
      const expectedResults = {
        jobs: [submit, start, execution, site, heldProcessors],
        metrics: referenceMetrics,
      };
      const fork = new Simulator(workload, run);
      run.begin(configuration);
      fork.begin(configuration);
      for (const [index, { time, speeds }] of changes.entries()) {
        run.runUntil(time);
        if (index === 0) run.forkInto(fork);
        run.changeSpeeds(speeds);
      }
      run.run();
      expectSame(resultsOf(run), expectedResults, `seed ${seed}`);
      // An earlier fork continues unaffected by the change.
      fork.run();
      expectSame(resultsOf(fork).metrics, unchangedResults.metrics, `seed ${seed}, fork`);
      if (start.some((time, job) => time !== starts[job])) differingCount++;
    }
    expect(differingCount).toBeGreaterThan(changedCount / 4);
  },
  RANDOM_TEST_TIMEOUT,
);

test('speeds that are refused change nothing', () => {
  const { jobs, options } = randomAllocatorCase(9);
  const run = new Simulator(workloadOfReferenceJobs(jobs));
  const configuration = configurationOfReferenceOptions({ ...options, minSpeedRatio: 0 }, false);
  run.begin(configuration);
  run.run();
  const expectedResults = resultsOf(run);
  run.begin(configuration);
  run.runUntil(jobs[5]!.submit);
  for (const speed of [Number.NaN, 0, 1e-90]) {
    expect(() => run.changeSpeeds(options.speeds.map(() => speed))).toThrow(InputError);
  }
  run.run();
  expect(resultsOf(run)).toEqual(expectedResults);
  run.begin(configurationOfReferenceOptions({ ...options, minSpeedRatio: 1e-9 }, false));
  expect(() => run.changeSpeeds(options.speeds)).toThrow('MinSpeedRatio');
  run.begin(
    configurationOfReferenceOptions(
      { ...options, minSpeedRatio: 0, discipline: 'easy', queue: 'shared' },
      false,
    ),
  );
  expect(() => run.changeSpeeds(options.speeds)).toThrow('Discipline');
});
