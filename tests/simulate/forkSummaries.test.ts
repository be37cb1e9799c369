import { expect, test } from 'vitest';
import { makeGrid } from '../../host/grid/grid.js';
import { makeConfiguration, type SimulationOptions } from '../../host/options/configuration.js';
import { Simulator } from '../../host/simulate/simulator.js';
import { summarizeRunWithClasses } from '../../host/simulate/summary.js';
import { makeWorkload, type WorkloadOptions } from '../../host/workload/make.js';
import { makeModelTrace } from '../../host/workload/models.js';

/** The summary of a fork must equal that of an uninterrupted simulation in every value. */

const GRID = makeGrid({ capacities: [64, 128], speeds: [1, 2] });

function workload(options: Partial<WorkloadOptions>) {
  const trace = makeModelTrace('lublin99[jobs=400,seed=3]');
  const { requestedTime } = trace.columns;
  trace.columns.runtime.forEach((_, i) => {
    requestedTime[i] = Math.max(1, Math.floor(trace.columns.runtime[i] * (i % 3 === 0 ? 0.5 : 2)));
  });
  return makeWorkload(trace, { siteCount: 2, capacities: GRID.capacities, ...options });
}

const RUNS: Readonly<Record<string, SimulationOptions>> = {
  'one queue': { policy: 'ai2' },
  'a queue in order': { order: 'shortest', policy: 'ti' },
  'first available': { discipline: 'first-available' },
  easy: { discipline: 'easy' },
  conservative: { discipline: 'conservative' },
  'kept reservations': { discipline: 'conservative', reservations: 'kept' },
  'kept reservations with a policy': { discipline: 'conservative', policy: 'ai2', order: 'wfp3' },
  'moldable jobs': { moldable: 'down' },
  reclaiming: { queue: 'per-home', reclaim: true },
  dynamic: { policy: 'dynamic' },
};
const SETTINGS_OF_METRICS: Readonly<Record<string, SimulationOptions>> = {
  plain: {},
  'warm-up': { warmUp: 20_000 },
  'cool-down': { coolDown: 20_000 },
};

test.each(
  Object.keys(RUNS).flatMap((run) => Object.keys(SETTINGS_OF_METRICS).map((measured) => [run, measured])),
)('of %s, %s: forks, forks of forks, and forks whose source has been restarted', (run, measured) => {
  for (const jobs of [workload({ kill: 'at-estimate' }), workload({})]) {
    const configuration = makeConfiguration(GRID, {
      load: 2,
      ...RUNS[run],
      ...SETTINGS_OF_METRICS[measured],
    });
    const summaryOfCommand = (simulator: Simulator) => summarizeRunWithClasses(simulator, ['class', 'home']);
    const straight = new Simulator(jobs);
    straight.begin(configuration);
    straight.run();
    const expected = summaryOfCommand(straight);
    const middle = straight.progress.now / 4;
    const source = new Simulator(jobs);
    const beside = [0, 1, 2].map(() => new Simulator(jobs, source));
    for (const each of [source, ...beside]) each.begin(configuration);
    source.runUntil(middle);
    source.forkInto(beside[0]);
    beside[0].runUntil(2 * middle);
    beside[0].forkInto(beside[1]);
    const snapshot = beside[0].snapshot();
    beside[0].run();
    expect(summaryOfCommand(beside[0])).toEqual(expected);
    source.begin(makeConfiguration(GRID, { load: 0.5 }));
    source.run();
    expect(summaryOfCommand(beside[0])).toEqual(expected);
    beside[0].begin(configuration);
    beside[1].run();
    expect(summaryOfCommand(beside[1])).toEqual(expected);
    beside[2].restore(snapshot, configuration);
    beside[2].run();
    expect(summaryOfCommand(beside[2])).toEqual(expected);
    const whole = beside[2].fork();
    expect(summaryOfCommand(whole)).toEqual(expected);
  }
});
