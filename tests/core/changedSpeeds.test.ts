import { expect, test } from 'vitest';
import { type Core, openCore } from '../../host/core/module.js';
import { InputError } from '../../host/errors.js';
import { putJobTableAtMemoryStart } from '../../host/simulate/layout.js';
import { Simulator } from '../../host/simulate/simulator.js';
import { summarize } from '../../host/simulate/summary.js';
import { chooseRandomCaseCount, RANDOM_TEST_TIMEOUT_MILLISECONDS } from '../cases.js';
import { expectSame } from '../expectSame.js';
import { randomAllocatorCase } from '../reference/cases/allocators.js';
import { randomDependencyCase } from '../reference/cases/dependencies.js';
import { type RandomCase, SeededDraws } from '../reference/cases/draws.js';
import { randomLoadSharingCase } from '../reference/cases/loadSharing.js';
import { randomMoldableCase } from '../reference/cases/moldable.js';
import { randomRecentCase } from '../reference/cases/recent.js';
import { simulateReference } from '../reference/simulator/reference.js';
import {
  makeConfigurationFromReference,
  makeWorkloadOfReferenceJobs,
  pickReferenceMetrics,
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
function canPredictionsChangeStarts({ discipline, moldableThreshold }: RandomCase['options']): boolean {
  return discipline === 'easy' || discipline === 'conservative' || moldableThreshold !== undefined;
}

function readScheduleAndMetrics(simulator: Simulator) {
  const { submit, start, execution, site, held: heldProcessors } = simulator.schedule();
  const jobs = [submit, start, execution, site, heldProcessors].map((column) => [...column]);
  return { jobs, metrics: pickReferenceMetrics(summarize(simulator)) };
}

test.each(caseKinds)(
  '%s',
  (_, draw, cases) => {
    const cores: Core[] = [openCore('release'), openCore('checked')];
    let [changedCount, differingCount] = [0, 0];
    for (let seed = 1; seed <= chooseRandomCaseCount(cases); seed++) {
      const random = new SeededDraws(seed);
      const { jobs, options: drawnOptions } = draw(700_000 + seed);
      const options = { ...drawnOptions, minSpeedRatio: 0 };
      if (canPredictionsChangeStarts(options)) continue;
      changedCount++;
      const workload = makeWorkloadOfReferenceJobs(jobs, 'case', options);
      const run = new Simulator(workload, putJobTableAtMemoryStart(cores[seed % 2], workload));
      const configuration = makeConfigurationFromReference(options, false);
      run.begin(configuration);
      run.run();
      const resultsWithoutSpeedChange = readScheduleAndMetrics(run);
      const [, starts, executions] = resultsWithoutSpeedChange.jobs;
      const eventTimes = starts.flatMap((time, job) => [time, time + executions[job], time + 0.5]);
      const changes = random
        .times(random.between(1, 3), () => random.pick(eventTimes))
        .sort((left, right) => left - right)
        .map((time) => ({
          time,
          speeds: options.speeds.map((speed) => random.pick([speed, 0.5, 1, 2, 3 * speed])),
        }));
      const resultOfReference = simulateReference(jobs, { ...options, changes });
      const {
        submit,
        start,
        execution,
        site,
        held: heldProcessors,
        metrics: referenceMetrics,
      } = resultOfReference;
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
      expectSame(readScheduleAndMetrics(run), expectedResults, `seed ${seed}`);
      // An earlier fork continues unaffected by the change.
      fork.run();
      expectSame(
        readScheduleAndMetrics(fork).metrics,
        resultsWithoutSpeedChange.metrics,
        `seed ${seed}, fork`,
      );
      if (start.some((time, job) => time !== starts[job])) differingCount++;
    }
    expect(differingCount).toBeGreaterThan(changedCount / 4);
  },
  RANDOM_TEST_TIMEOUT_MILLISECONDS,
);

test('speeds that are refused change nothing', () => {
  const { jobs, options } = randomAllocatorCase(9);
  const run = new Simulator(makeWorkloadOfReferenceJobs(jobs));
  const configuration = makeConfigurationFromReference({ ...options, minSpeedRatio: 0 }, false);
  run.begin(configuration);
  run.run();
  const expectedResults = readScheduleAndMetrics(run);
  run.begin(configuration);
  run.runUntil(jobs[5]!.submit);
  for (const speed of [Number.NaN, 0, 1e-90]) {
    expect(() => run.changeSpeeds(options.speeds.map(() => speed))).toThrow(InputError);
  }
  run.run();
  expect(readScheduleAndMetrics(run)).toEqual(expectedResults);
  run.begin(makeConfigurationFromReference({ ...options, minSpeedRatio: 1e-9 }, false));
  expect(() => run.changeSpeeds(options.speeds)).toThrow('MinSpeedRatio');
  run.begin(
    makeConfigurationFromReference(
      { ...options, minSpeedRatio: 0, discipline: 'easy', queue: 'shared' },
      false,
    ),
  );
  expect(() => run.changeSpeeds(options.speeds)).toThrow('Discipline');
});
