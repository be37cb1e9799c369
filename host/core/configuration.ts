/** Everything that decides a simulation besides its jobs, in the words of the command line. */
import type { Grid } from '../grid/grid.js';
import type { Pairs } from '../grid/pairs.js';
import type { Policy } from './policies.js';

/** Time resolution of executions: as computed, to the nearest second, or cut to whole seconds. */
export const TIME_RESOLUTIONS = { exact: 'Exact', nearest: 'Nearest', floor: 'Floor' } as const;
export type TimeResolution = keyof typeof TIME_RESOLUTIONS;

/** An allocation pass after every event, or one after all events of an instant. */
export const INSTANTS = { 'per-event': 'PerEvent', batched: 'Batched' } as const;
export type InstantRule = keyof typeof INSTANTS;

/** Who is next: the order of the waiting jobs; in all but the last three the head blocks. */
export const DISCIPLINES = {
  fcfs: 'FirstComeFirstServed',
  njf: 'NarrowestFirst',
  wjf: 'WidestFirst',
  sjf: 'ShortestFirst',
  ljf: 'LongestFirst',
  'first-available': 'FirstAvailable',
  easy: 'Easy',
  conservative: 'Conservative',
} as const;
export type Discipline = keyof typeof DISCIPLINES;

/** Whether a discipline plans ahead by the estimates. */
export function isBackfilling(discipline: Discipline): boolean {
  return discipline === 'easy' || discipline === 'conservative';
}

/** Whether a discipline orders the waiting jobs by their estimates. */
export function isByEstimate(discipline: Discipline): boolean {
  return discipline === 'sjf' || discipline === 'ljf';
}

/** Which jobs wait together: all, those of a home site, or those of a site that runs nothing else. */
export const TOPOLOGIES = { shared: 'Shared', 'per-home': 'PerHome', independent: 'Independent' } as const;
export type Topology = keyof typeof TOPOLOGIES;

/** How a job is split that no single site has room for. */
export const MULTI_SITE_RULES = {
  none: 'None',
  'larger-first': 'LargerFirst',
  'faster-first': 'FasterFirst',
  adaptive: 'Adaptive',
} as const;
export type MultiSiteRule = keyof typeof MULTI_SITE_RULES;

/** Whether jobs may run on fewer, or also on more, processors than they ask for (Huang et al. 2009). */
export const MOLDABLE_RULES = { none: 'None', down: 'Down', 'up-down': 'UpDown' } as const;
export type MoldableRule = keyof typeof MOLDABLE_RULES;

/** Which site with room for all its processors a moldable job gets. */
export const MOLDABLE_FITS = { demand: 'Demand', processors: 'Processors', power: 'Power' } as const;
export type MoldableFit = keyof typeof MOLDABLE_FITS;

/** Which sites a job gets, now or later, under backfilling (Zhang et al. 2006); none without. */
export const SELECTIONS = {
  none: 'Greedy',
  optimal: 'Optimal',
  greedy: 'Greedy',
  'non-adaptive': 'NonAdaptive',
} as const;
export type Selection = keyof typeof SELECTIONS;

/** The machine to which runtimes refer: one of speed 1, or the job's home site. */
export const RUNTIME_REFERENCES = { speed1: 'Speed1', home: 'Home' } as const;
export type RuntimeReference = keyof typeof RUNTIME_REFERENCES;

/** Parameters of Downey's speed-up: average parallelism and its variation (Downey 1997). */
export interface Speedup {
  /** At least 1. */
  readonly averageParallelism: number;
  /** At least 0. */
  readonly sigma: number;
}

/** Everything that decides a simulation besides its jobs. */
export interface Configuration {
  readonly grid: Grid;
  readonly policy: Policy;
  /** One factor per home site. */
  readonly load: readonly number[];
  readonly timeResolution: TimeResolution;
  readonly instant: InstantRule;
  /** Sites slower than this times the home site's speed are no candidates; 0 admits all. */
  readonly minSpeedRatio: number;
  readonly discipline: Discipline;
  readonly queue: Topology;
  /** Whether jobs from elsewhere are stopped to make room for a site's own. */
  readonly reclaim: boolean;
  readonly multiSite: MultiSiteRule;
  /** p: a split job runs 1 + p times as long. */
  readonly multiSiteOverhead: number;
  readonly moldable: MoldableRule;
  /** x: a job is scaled down if its turnaround is then at most x times the one of waiting; 0: always. */
  readonly moldableThreshold: number;
  readonly moldableFit: MoldableFit;
  /** How much faster a moldable job runs on more processors: linear, or Downey's model. */
  readonly speedup: 'linear' | Speedup;
  /** Which sites jobs get under backfilling. */
  readonly select: Selection;
  /** p: a job on several sites runs p times as long under backfilling; 0: single sites only. */
  readonly multiSiteFactor: number;
  readonly runtimeReference: RuntimeReference;
  /** Seconds between allocation passes; 0: after every event or instant. */
  readonly interval: number;
  /** Bytes per second between home and site; 0: data take no time. */
  readonly bandwidth: Pairs;
  /** Seconds that a transfer takes besides. */
  readonly latency: Pairs;
  /** Whether to keep which processors each job holds. */
  readonly trackProcessors: boolean;
}

/** Whether a job may run on several sites at once. */
export function maySplit({
  multiSite,
  multiSiteFactor,
}: Pick<Configuration, 'multiSite' | 'multiSiteFactor'>): boolean {
  return multiSite !== 'none' || multiSiteFactor > 0;
}

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
