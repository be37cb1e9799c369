/** A simulation in one call: options as a person gives them in, everything that came out back. */

import {
  type Configuration,
  DISCIPLINES,
  type Discipline,
  INSTANTS,
  type InstantRule,
  type MoldableFit,
  type MoldableRule,
  MULTI_SITE_RULES,
  type MultiSiteRule,
  type RuntimeReference,
  type Selection,
  type Speedup,
  TIME_RESOLUTIONS,
  type TimeResolution,
  TOPOLOGIES,
  type Topology,
} from '../core/configuration.js';
import { type Policy, parsePolicy } from '../core/policies.js';
import type { ProcessorSets, Schedule } from '../core/schedule.js';
import { Simulator } from '../core/simulator.js';
import { InputError } from '../errors.js';
import { checkLoad, type Grid } from '../grid/grid.js';
import type { Pairs } from '../grid/pairs.js';
import type { Workload } from '../workload/workload.js';
import { checkMoldable, checkWord } from './moldable.js';
import { checkPlanning } from './planning.js';
import { type Summary, summarize } from './summary.js';

/** What decides a simulation besides its jobs and its grid; everything has a default. */
export interface SimulationOptions {
  /** As text, such as `ti[sht=0.05,slt=2]`, or taken apart; default `best-fit`. */
  readonly policy?: string | Policy | undefined;
  /** Factor on runtimes and estimates, one for all or one per home site; default 1. */
  readonly load?: number | readonly number[] | undefined;
  /** What executions are rounded to: `exact` (default), `nearest` second, or `floor` to whole seconds. */
  readonly timeResolution?: TimeResolution | undefined;
  /** Jobs are placed after every event (`per-event`, default) or once after all events of an instant (`batched`). */
  readonly instant?: InstantRule | undefined;
  /** Only sites with speed >= ratio x speed of a job's home may run it (Huang et al. 2007, section 4); default 0. */
  readonly minSpeedRatio?: number | undefined;
  /** Who is next: `fcfs` (default), `njf`, `wjf`, `sjf`, `ljf`, `first-available`, `easy` or `conservative`. */
  readonly discipline?: Discipline | undefined;
  /** One `shared` queue (default), one `per-home` site, or `independent` sites (Huang et al. 2007, section 4). */
  readonly queue?: Topology | undefined;
  /** Whether sites stop jobs from elsewhere to run their own (Huang et al. 2007, section 5); default false. */
  readonly reclaim?: boolean | undefined;
  /** How jobs are split that no single site has room for (Huang et al. 2007, section 6); default `none`. */
  readonly multiSite?: MultiSiteRule | undefined;
  /** p: a split job runs 1 + p times as long; default 0. */
  readonly multiSiteOverhead?: number | undefined;
  /** Whether jobs may run on fewer (`down`) or also on more processors (`up-down`); default `none` (Huang et al. 2009). */
  readonly moldable?: MoldableRule | undefined;
  /** x: scale down only if the turnaround is at most x times that of waiting, by the estimates; default: always. */
  readonly moldableThreshold?: number | undefined;
  /** Which site with room a moldable job gets; default `demand`. */
  readonly moldableFit?: MoldableFit | undefined;
  /** Speed-up of moldable jobs: `linear` (default) or Downey's model. */
  readonly speedup?: 'linear' | Speedup | undefined;
  /** Which sites jobs get under backfilling (Zhang et al. 2006, section 4); default `greedy`. */
  readonly select?: Selection | undefined;
  /** p, at least 1: backfilling may place a job on several sites, where it runs p times as long; default: it may not. */
  readonly multiSiteFactor?: number | undefined;
  /** What runtimes refer to under backfilling: a machine of `speed1` (default), or the `home` site. */
  readonly runtimeReference?: RuntimeReference | undefined;
  /** Seconds between allocation passes under backfilling; default: a pass after every event or instant. */
  readonly interval?: number | undefined;
  /** Bytes per second between home and site; default, and 0: data take no time. */
  readonly bandwidth?: Pairs | undefined;
  /** Seconds that a transfer takes besides; default 0. */
  readonly latency?: Pairs | undefined;
  /** Whether to keep which processors each job held; default false. */
  readonly processorSets?: boolean | undefined;
}

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
