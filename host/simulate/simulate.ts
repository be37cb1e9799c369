/** A simulation in one call: options as a person gives them in, everything that came out back. */
import { checkArgument } from '../arguments.js';
import type { Grid } from '../grid/grid.js';
import { type Configuration, makeConfiguration, type SimulationOptions } from '../options/configuration.js';
import type { Workload } from '../workload/workload.js';
import type { ProcessorSets, Schedule } from './schedule.js';
import { Simulator } from './simulator.js';
import { type Summary, summarize } from './summary.js';

/** A finished simulation. */
export interface Simulation {
  /** Simulated jobs. */
  readonly workload: Workload;
  /** The sites. */
  readonly grid: Grid;
  /** All options, defaults included. */
  readonly configuration: Configuration;
  /** The metrics. */
  readonly summary: Summary;
  /** Results of each job. */
  readonly schedule: Schedule;
  /** Processor sets, if requested. */
  readonly processorSets?: ProcessorSets;
}

/**
 * What a simulator that has run to its end holds: copies that outlive it.
 * @example
 * const simulator = new Simulator(workload);
 * simulator.begin(makeConfiguration(grid));
 * simulator.run();
 * console.log(collectSimulation(simulator).schedule.start.length); // 200
 */
export function collectSimulation(simulator: Simulator): Simulation {
  checkArgument(simulator, 'simulator', 'collectSimulation');
  const { workload, configuration } = simulator;
  return {
    workload,
    grid: configuration.grid,
    configuration,
    summary: summarize(simulator),
    schedule: simulator.schedule(),
    ...(configuration.trackProcessors ? { processorSets: simulator.processorSets() } : {}),
  };
}

/**
 * Simulates a workload on a grid from its first submit to its last end. To run one workload under many
 * configurations, or to stop midway, use a `Simulator`.
 * @throws InputError for options that `makeConfiguration` refuses, jobs without a home in the grid, and jobs that
 * no site can ever hold.
 * @example
 * const { summary, schedule } = simulate(workload, grid, { policy: 'ti[slt=1.5]', load: 1.2 });
 * console.log(summary.meanWait.toFixed(2), schedule.site[0]); // 1801.81 1
 */
export function simulate(workload: Workload, grid: Grid, options: SimulationOptions = {}): Simulation {
  checkArgument(workload, 'workload', 'simulate, workload');
  checkArgument(grid, 'grid', 'simulate, grid');
  const configuration = makeConfiguration(grid, options);
  const simulator = new Simulator(workload);
  simulator.begin(configuration);
  simulator.run();
  return collectSimulation(simulator);
}
