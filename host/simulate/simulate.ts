/** Simulates a workload in one call: takes options as the user gives them, and returns all results. */
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
  /** Sites of the grid. */
  readonly grid: Grid;
  /** All options, defaults included. */
  readonly configuration: Configuration;
  /** Metrics of the simulation. */
  readonly summary: Summary;
  /** Results of each job. */
  readonly schedule: Schedule;
  /** Processor sets, if requested. */
  readonly processorSets?: ProcessorSets;
}

/**
 * Copies all results of a finished simulator, so that they outlive it.
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
 * Simulates a workload on a grid from its first submission to its last completion. To run one workload under
 * many configurations, or to pause, use a `Simulator`.
 * @throws InputError for options that `makeConfiguration` refuses, jobs without a home in the grid, and jobs
 * that fit on no site.
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
