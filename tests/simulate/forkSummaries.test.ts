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

const OPTIONS_BY_RUN_NAME: Readonly<Record<string, SimulationOptions>> = {
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
const OPTIONS_BY_MEASURED_TIME: Readonly<Record<string, SimulationOptions>> = {
  plain: {},
  'warm-up': { warmUp: 20_000 },
  'cool-down': { coolDown: 20_000 },
};

test.each(
  Object.keys(OPTIONS_BY_RUN_NAME).flatMap((run) =>
    Object.keys(OPTIONS_BY_MEASURED_TIME).map((measured) => [run, measured]),
  ),
)('of %s, %s: forks, forks of forks, and forks whose source has been restarted', (run, measured) => {
  for (const jobs of [workload({ kill: 'at-estimate' }), workload({})]) {
    const configuration = makeConfiguration(GRID, {
      load: 2,
      ...OPTIONS_BY_RUN_NAME[run],
      ...OPTIONS_BY_MEASURED_TIME[measured],
    });
    const summaryOfCommand = (simulator: Simulator) => summarizeRunWithClasses(simulator, ['class', 'home']);
    const unforkedSimulator = new Simulator(jobs);
    unforkedSimulator.begin(configuration);
    unforkedSimulator.run();
    const unforkedSummary = summaryOfCommand(unforkedSimulator);
    const firstForkTime = unforkedSimulator.progress.now / 4;
    const sourceSimulator = new Simulator(jobs);
    const historySharingSimulators = [0, 1, 2].map(() => new Simulator(jobs, sourceSimulator));
    for (const simulator of [sourceSimulator, ...historySharingSimulators]) simulator.begin(configuration);
    sourceSimulator.runUntil(firstForkTime);
    sourceSimulator.forkInto(historySharingSimulators[0]);
    historySharingSimulators[0].runUntil(2 * firstForkTime);
    historySharingSimulators[0].forkInto(historySharingSimulators[1]);
    const snapshot = historySharingSimulators[0].snapshot();
    historySharingSimulators[0].run();
    expect(summaryOfCommand(historySharingSimulators[0])).toEqual(unforkedSummary);
    sourceSimulator.begin(makeConfiguration(GRID, { load: 0.5 }));
    sourceSimulator.run();
    expect(summaryOfCommand(historySharingSimulators[0])).toEqual(unforkedSummary);
    historySharingSimulators[0].begin(configuration);
    historySharingSimulators[1].run();
    expect(summaryOfCommand(historySharingSimulators[1])).toEqual(unforkedSummary);
    historySharingSimulators[2].restore(snapshot, configuration);
    historySharingSimulators[2].run();
    expect(summaryOfCommand(historySharingSimulators[2])).toEqual(unforkedSummary);
    const fork = historySharingSimulators[2].fork();
    expect(summaryOfCommand(fork)).toEqual(unforkedSummary);
  }
});
