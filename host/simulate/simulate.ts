/** A simulation in one call: options as a person gives them in, everything that came out back. */

import {
  type Configuration,
  DISCIPLINES,
  INSTANTS,
  MULTI_SITE_RULES,
  type SimulationOptions,
  TIME_RESOLUTIONS,
  TOPOLOGIES,
} from '../core/configuration.js';
import { parsePolicy } from '../core/policies.js';
import { InputError } from '../errors.js';
import { checkLoad, type Grid } from '../grid/grid.js';
import { checkMoldable, checkWord } from '../options/moldable.js';
import { checkPlanning } from '../options/planning.js';
import type { Workload } from '../workload/workload.js';
import type { ProcessorSets, Schedule } from './schedule.js';
import { Simulator } from './simulator.js';
import { type Summary, summarize } from './summary.js';

/** A finished simulation. */
export interface Simulation {
  readonly workload: Workload;
  readonly grid: Grid;
  readonly configuration: Configuration;
  readonly summary: Summary;
  readonly schedule: Schedule;
  /** Only if they were asked for. */
  readonly processorSets?: ProcessorSets;
}

/** Refuses combinations that no paper defines. */
function checkLoadSharing(
  chosen: Pick<Configuration, 'queue' | 'discipline' | 'multiSite' | 'reclaim' | 'multiSiteOverhead'>,
): void {
  const { queue, discipline, multiSite, reclaim, multiSiteOverhead } = chosen;
  if (reclaim && queue !== 'per-home') {
    throw new InputError(`reclaiming needs one queue per home site (per-home), found queue ${queue}`);
  }
  if (reclaim && multiSite !== 'none') {
    throw new InputError('reclaiming and multi-site execution exclude each other; choose one of them');
  }
  if (queue === 'per-home' && discipline === 'first-available') {
    throw new InputError('first-available needs a shared queue or independent sites, found queue per-home');
  }
  if (!(multiSiteOverhead >= 0 && multiSiteOverhead < Infinity)) {
    throw new InputError(`multi-site overhead: expected a number of at least 0, found ${multiSiteOverhead}`);
  }
  if (multiSiteOverhead > 0 && multiSite === 'none') {
    throw new InputError('multi-site overhead: nothing is split; choose a multi-site rule too');
  }
}

/**
 * The options checked and with their defaults filled in, as `Simulator.begin` takes them.
 * @throws InputError for an unknown policy, parameter or word, a load that does not fit the grid, a negative ratio.
 */
export function makeConfiguration(grid: Grid, options: SimulationOptions = {}): Configuration {
  const { policy = 'best-fit', load = 1, minSpeedRatio = 0, processorSets = false } = options;
  if (!(minSpeedRatio >= 0 && minSpeedRatio < Infinity)) {
    throw new InputError(`minimum speed ratio: expected a number of at least 0, found ${minSpeedRatio}`);
  }
  const queue = checkWord(options.queue ?? 'shared', TOPOLOGIES, 'queue topology');
  const discipline = checkWord(options.discipline ?? 'fcfs', DISCIPLINES, 'discipline');
  const multiSite = checkWord(options.multiSite ?? 'none', MULTI_SITE_RULES, 'multi-site rule');
  const { reclaim = false, multiSiteOverhead = 0 } = options;
  checkLoadSharing({ queue, discipline, multiSite, reclaim, multiSiteOverhead });
  const moldable = checkMoldable(grid, options, { queue, discipline, multiSite, reclaim, minSpeedRatio });
  const planning = checkPlanning(grid, options, {
    queue,
    discipline,
    multiSite,
    reclaim,
    minSpeedRatio,
    moldable: moldable.moldable,
  });
  return {
    ...moldable,
    ...planning,
    grid,
    policy: typeof policy === 'string' ? parsePolicy(policy) : policy,
    load: checkLoad(typeof load === 'number' ? [load] : load, grid),
    timeResolution: checkWord(options.timeResolution ?? 'exact', TIME_RESOLUTIONS, 'time resolution'),
    instant: checkWord(options.instant ?? 'per-event', INSTANTS, 'instant rule'),
    minSpeedRatio,
    discipline,
    queue,
    reclaim,
    multiSite,
    multiSiteOverhead,
    trackProcessors: processorSets,
  };
}

/** What a simulator that has run to its end holds: copies that outlive it. */
export function collectSimulation(simulator: Simulator): Simulation {
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
 * configurations, or to stop on the way, use a `Simulator`.
 * @throws InputError for options that `makeConfiguration` refuses, jobs without a home in the grid, and jobs that
 * no site can ever hold.
 */
export function simulate(workload: Workload, grid: Grid, options: SimulationOptions = {}): Simulation {
  const configuration = makeConfiguration(grid, options);
  const simulator = new Simulator(workload);
  simulator.begin(configuration);
  simulator.run();
  return collectSimulation(simulator);
}
