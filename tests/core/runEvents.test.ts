import { expect, test } from 'vitest';
import { Simulator } from '../../host/simulate/simulator.js';
import { listCaseSeeds } from '../cases.js';
import { removeIneffectiveOptions } from '../reference/cases/aging.js';
import { randomAllocatorCase } from '../reference/cases/allocators.js';
import { randomBackfillingCase } from '../reference/cases/backfilling.js';
import { SeededDraws } from '../reference/cases/draws.js';
import { OPEN_CASE_KINDS } from './openCaseKinds.js';
import { makeConfigurationFromReference, makeWorkloadOfReferenceJobs } from './simulateCore.js';

/** Tests runs that advance by a number of times at which something happens. */

test.each([
  ['allocators', randomAllocatorCase],
  ['backfilling', randomBackfillingCase],
])('%s: a run stops at each submission and each end', (_, draw) => {
  for (const seed of listCaseSeeds(300)) {
    const { jobs, options } = draw(seed);
    if (options.interval !== undefined) continue;
    const workload = makeWorkloadOfReferenceJobs(jobs, 'case', options);
    const simulator = new Simulator(workload, seed % 2 === 0 ? 'release' : 'checked');
    const configuration = makeConfigurationFromReference(options, false);
    simulator.begin(configuration);
    const { coreRun: run } = simulator;
    run.run();
    const startTimes = run.column('Start').slice();
    const endTimes = Array.from(run.column('Execution'), (execution, job) => startTimes[job]! + execution);
    const eventTimes = [...new Set([...workload.submit, ...endTimes])].sort((timeA, timeB) => timeA - timeB);
    simulator.begin(configuration);
    const { Paused, Finished } = run.core.Status;
    for (const time of eventTimes) {
      const status = time === eventTimes.at(-1) ? Finished : Paused;
      expect(run.core.runEvents(run.block, run.jobs.table, 1), `seed ${seed}`).toBe(status);
      expect(run.scalar('Now'), `seed ${seed}`).toBe(time);
    }
    expect(run.core.runEvents(run.block, run.jobs.table, 1)).toBe(Finished);
    expect(run.column('Start')).toEqual(startTimes);
  }
});

test.each(OPEN_CASE_KINDS)('%s: a run in steps of several times gives the same metrics', (_, draw, cases) => {
  for (const seed of listCaseSeeds(cases / 3)) {
    const { jobs, options } = removeIneffectiveOptions(draw(500_000 + seed));
    const random = new SeededDraws(seed);
    const workload = makeWorkloadOfReferenceJobs(jobs, 'case', options);
    const simulator = new Simulator(workload, seed % 2 === 0 ? 'release' : 'checked');
    const configuration = makeConfigurationFromReference(options, false);
    const begin = () => {
      simulator.begin(configuration);
      simulator.coreRun.decide = (run) => run.decision('BestFit');
    };
    begin();
    const { coreRun: run } = simulator;
    run.run();
    const metrics = run.column('Metric').slice();
    begin();
    while (!run.runEvents(random.pick([0, 1, 2, 5]))) expect(run.scalar('Now')).toBeGreaterThanOrEqual(0);
    run.measure();
    expect(run.column('Metric'), `seed ${seed}`).toEqual(metrics);
  }
});
