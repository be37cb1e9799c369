import { expect, test } from 'vitest';
import { CoreRun, makeJobs } from '../../host/core/host.js';
import { openCore } from '../../host/core/module.js';
import { parsePolicy } from '../../host/core/policies.js';
import { makeConfiguration } from '../../host/options/configuration.js';
import { Simulator } from '../../host/simulate/simulator.js';
import { withEstimates } from '../../host/workload/estimates.js';
import { makeWorkload } from '../../host/workload/make.js';
import { makeModelTrace } from '../../host/workload/models.js';

const GRID_OPTIONS = { capacities: [32, 6], speeds: [1, 2] };
const CANDIDATE_POLICY_NAMES = ['best-fit', 'fastest-first'];

test('a host chooses online by the numbers of docs/abi.md', () => {
  const trace = makeModelTrace('lublin99[jobs=400,processors=32,seed=3]');
  const workload = withEstimates(makeWorkload(trace, { siteCount: 2, capacities: GRID_OPTIONS.capacities }), {
    source: 'exact',
  });
  const simulator = new Simulator(workload, 'release');
  const policy = `dynamic[every=5,candidates=${CANDIDATE_POLICY_NAMES.join('+')},futures=1,hysteresis=0,smooth=0.5,seed=7]`;
  simulator.begin(makeConfiguration(GRID_OPTIONS, { policy }));
  simulator.run();

  const core = openCore('release');
  const { submit, runtime, estimate, processors, home } = workload;
  const jobs = makeJobs(core, {
    ...{ Submit: submit, Runtime: runtime, Estimate: estimate, Processors: processors, Home: home },
  });
  const run = new CoreRun(jobs);
  const parameterNumbers = [5, CANDIDATE_POLICY_NAMES.length, 1, 0, 0.5, 7];
  const parameters = Object.fromEntries(parameterNumbers.map((value, i) => [`Parameter${i}`, value]));
  run.begin({
    sites: {
      Capacity: GRID_OPTIONS.capacities,
      Speed: GRID_OPTIONS.speeds,
      Policies: CANDIDATE_POLICY_NAMES.flatMap((name) => [parsePolicy(name).declaration.index, 0, 0, 0, 0]),
    },
    options: { Policy: 12, ...parameters },
  });
  run.run();
  expect([...run.column('Start')]).toEqual([...simulator.schedule().start]);
  expect([...run.column('Site')]).toEqual([...simulator.schedule().site]);
  expect(run.scalar('Trials')).toBeGreaterThan(10);
  expect(run.scalar('Switches')).toBeGreaterThan(0);
  const timesChosen = run.column('TimesChosen');
  expect(timesChosen.reduce((sum, time) => sum + time, 0)).toBe(run.scalar('Trials'));
});

test('for no job there is no table', () => {
  const core = openCore('release');
  expect(core.arrangeJobs(0, 0, 0)).toBe(0);
});
