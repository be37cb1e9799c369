import type { RunningLimits } from './limits.js';
/**
 * A job of the reference simulator. Times in seconds; runtime and estimate for speed 1, before the
 * load factor.
 */
export interface ReferenceJob {
  submit: number;
  runtime: number;
  estimate: number;
  processors: number;
  /** Home site, numbered from 0. */
  home: number;
  /** User number; absent if unknown. */
  user?: number;
  /** Group number; absent: unknown. */
  group?: number;
  /** Input data in bytes, copied to sites other than the home. Default: 0. */
  data?: number;
  /** Sort key of the queue, if it is computed before the run. */
  key?: number | undefined;
  /** Sort key of the backfill order. */
  backfillKey?: number;
  /** Computes both keys from another estimate. */
  keysBy?: (estimate: number) => { key?: number; backfillKey?: number };
  /** Number passed to a custom policy; default: the position from 1. */
  number?: number;
  /**
   * Index of an earlier job after whose end this job is submitted; for a job in pieces, that of the
   * first piece. Absent: none.
   */
  preceding?: number | undefined;
  /** Minimum seconds between that end and the submission; negative values count as 0. */
  thinkTime?: number;
  /** Index of the first piece of the job of which this job is a piece. */
  pieceOf?: number;
  /**
   * Seconds from the submission to the cancellation of the job, which then leaves the queue or ends.
   * Absent: the job is not cancelled. A cancelled job runs as long as its estimate at most.
   */
  patience?: number;
  /** Partition, from 1; absent: none, so the job may use all sites. */
  partition?: number;
}

/** The grid and the scheduling rules of a simulation. */
export interface ReferenceOptions {
  /** Processors of each site. */
  capacities: number[];
  /** Computing speed of each site. */
  speeds: number[];
  /** Load factor of each home site. */
  load: number[];
  /** Name of the policy. */
  policy: string;
  /** Parameters of the policy; absent ones have their defaults. */
  parameters: Record<string, number | string>;
  /** A custom policy, used instead of the named one. */
  choose?: ((view: PolicyView) => number) | undefined;
  /** True if the custom policy is also called when only one site has room. */
  mayWait?: boolean | undefined;
  resolution: 'exact' | 'nearest' | 'floor';
  instant: 'per-event' | 'batched';
  /** Minimum speed of a site relative to the job's home. */
  minSpeedRatio: number;
  /**
   * Discipline: FCFS (the default), narrowest, widest, shortest or longest job first, each with a
   * head that blocks; any job that fits, in order; or any job planned for now, with a reservation
   * for the first other job (`easy`) or for every other job (`conservative`).
   */
  discipline?: 'fcfs' | 'njf' | 'wjf' | 'sjf' | 'ljf' | 'first-available' | 'easy' | 'conservative';
  /**
   * Queue order by ascending sort key: a name, f1 to f4, or an expression. Default: `submit`. Not
   * with `njf`, `wjf`, `sjf` and `ljf`, which are orders themselves.
   */
  order?: string | undefined;
  /** Number of jobs of a pass with reservations under `easy`. Default: 1. */
  reservationDepth?: number | undefined;
  /**
   * Reservations under `conservative`: kept until jobs start, or planned again in every pass (the
   * default).
   */
  reservations?: 'kept' | 'replanned' | undefined;
  /** Order under `easy` in which jobs behind the last reservation are tried. */
  backfillOrder?: string | undefined;
  /**
   * Queues: one for the grid (the default), one per home site, or independent sites with their own
   * jobs.
   */
  queue?: 'shared' | 'per-home' | 'independent';
  /** Preempts guest jobs to free processors at the home of a job (requires `per-home`). */
  reclaim?: boolean;
  /** Rule for splitting a job that fits on no single site; absent: no job is split. */
  multiSite?: MultiSite | undefined;
  /** Overhead p of a split job, which runs 1 + p times as long. Default: 0. */
  multiSiteOverhead?: number;
  /** Lets jobs start with fewer processors than requested, or on one site also more. */
  moldable?: 'down' | 'up-down' | undefined;
  /**
   * Maximum ratio of the predicted turnaround when scaled down to that of waiting; absent: jobs are
   * always scaled down.
   */
  moldableThreshold?: number | undefined;
  /** Site of a moldable job that gets all requested processors. Default: `demand`. */
  moldableFit?: MoldableFit;
  /** Speedup on several processors; absent: linear. */
  speedup?: Speedup | undefined;
  /**
   * True if the policy, not a selection, chooses the sites under `easy` and `conservative` on several sites.
   */
  withPolicy?: boolean | undefined;
  /** Sets of sites considered for a planned job. Default: `greedy`. */
  select?: SiteSelection | undefined;
  /**
   * Factor p, at least 1, by which a planned job runs longer on several sites; absent: jobs use one
   * site.
   */
  multiSiteFactor?: number | undefined;
  /** Time factor h of each site, for runtimes that refer to the home site. Default: 1 / speed. */
  heterogeneity?: number[] | undefined;
  /** Site to which runtimes and estimates refer: one of speed 1 (the default), or the home site. */
  runtimeReference?: 'speed1' | 'home' | undefined;
  /** Bytes per second from home (row) to site (column); absent: no transfers. */
  bandwidth?: number[][] | undefined;
  /** Additional seconds of a transfer from home (row) to site (column). Default: 0. */
  latency?: number[][] | undefined;
  /**
   * Number of a user's last ended jobs from which the next one is estimated; absent: `estimate`
   * applies.
   */
  recent?: number | undefined;
  /** True if waiting jobs are estimated again at each pass. */
  refresh?: boolean | undefined;
  /** Dynamic policy, chosen among candidates during the simulation. */
  dynamic?: DynamicPolicySettings | undefined;
  /** True if jobs with a preceding job are submitted after its end. */
  dependencies?: boolean | undefined;
  /** Limits of what the running jobs of a user or group hold; a job over one is passed over. */
  limits?: RunningLimits | undefined;
  /** Sites, from 0, that the jobs of each partition may use. */
  partitions?: number[][] | undefined;
  /** Outages, during which sites have fewer processors. */
  outages?: ReferenceOutage[] | undefined;
  /**
   * Rule for an outage that needs more processors than are free: it waits until jobs end (the default),
   * or preempts running jobs, which are then submitted again or end as failed.
   */
  onOutage?: 'drain' | 'requeue' | 'kill' | undefined;
  /** Changes of the site speeds, each after all events up to its time. */
  changes?: { time: number; speeds: number[] }[] | undefined;
  /** Seconds between the times at which usage is computed, and in which it halves. */
  usageStep?: number | undefined;
  halfLife?: number | undefined;
  /** Seconds from the first submission to a computation of usage. Default: 0. */
  usageOffset?: number | undefined;
  /** Time at which the usage of running jobs counts; absent: immediately. */
  usageCount?: 'by-number' | undefined;
  /** Seconds between planning passes; absent: a pass follows every event or every instant. */
  interval?: number | undefined;
  /**
   * Seconds from a submission or an end to the main pass that it requests. Default with timed
   * passes: 0.
   */
  passDelay?: { submit: number; end: number } | undefined;
  /** Minimum seconds between passes requested by events. */
  passGap?: number | undefined;
  /**
   * Seconds between backfill passes, above 0. Main passes then end at the first job that does not
   * fit.
   */
  backfillInterval?: number | undefined;
  /** Seconds from the first submission to the first backfill pass. Default: 0. */
  backfillOffset?: number | undefined;
  /**
   * Plans and allocations by individual nodes: every processor of the single site is a numbered
   * node.
   */
  planBy?: 'node' | undefined;
  /**
   * Seconds of an end window in backfill passes: running jobs that end within one are planned
   * to end together. 0: none.
   */
  endWindow?: number | undefined;
  /** Processors per node. Jobs may share a node. Default: 1. */
  processorsPerNode?: number | undefined;
  /** Seconds from the end of a job until its processors are free. */
  releaseDelay?: number | undefined;
  /**
   * True if a reservation that begins exactly when a job would end delays the job, when planning by
   * nodes.
   */
  closedOverlap?: boolean | undefined;
  /** Seconds to whose multiples reservations are rounded down in backfill passes. 0: none. */
  backfillResolution?: number | undefined;
  /** Maximum number of jobs tested in a backfill pass, when planning by nodes. 0: no limit. */
  backfillJobs?: number | undefined;
  /**
   * Maximum number of time segments with different reserved nodes in a backfill pass. 0: no limit.
   */
  backfillSegments?: number | undefined;
  /** Seconds that a backfill pass by nodes plans ahead. 0: no limit. */
  backfillWindow?: number | undefined;
  /**
   * Unix time, in seconds, of simulated time 0, to which windows and rounding refer. Default: 0.
   */
  clockOrigin?: number | undefined;
}

/** A time span in which a site has fewer processors. Outages of a site add up. */
export interface ReferenceOutage {
  /** Site, numbered from 0. */
  site: number;
  /** Seconds. */
  from: number;
  /** End in seconds, after `from`. */
  to: number;
  /** Processors that the site lacks. */
  processors: number;
  /** True if plans know the outage from the beginning of the simulation; otherwise from `from` on. */
  isPlanned: boolean;
  /** First of its processors, which are neighbours, in plans by nodes. */
  first?: number;
  /** Index among the outages of the grid, if its site runs alone. */
  number?: number;
}

/** Settings of a dynamic policy, which begins with the first candidate. */
export interface DynamicPolicySettings {
  candidates: CandidatePolicy[];
  /** Number of submissions between trials. */
  every: number;
  /** Number of assumed futures per trial. */
  futures: number;
  /** Share by which a candidate must be better than the one in use. */
  hysteresis: number;
  /** Weight of the old score in a new one, from 0 to 1. */
  smooth: number;
  seed: number;
  /** True if there are no estimates, so that futures are drawn. */
  isUnestimated: boolean;
  /**
   * Fixed choices instead of trials: the candidate in use after the submission of a job, by its
   * index.
   */
  choices?: [job: number, candidate: number][] | undefined;
}

/**
 * A candidate policy, with scheduling rules that differ from those of the simulation while it is in
 * use.
 */
export interface CandidatePolicy {
  name: string;
  parameters: Record<string, number | string>;
  rules?: Pick<ReferenceOptions, 'order' | 'discipline' | 'backfillOrder'> | undefined;
}

/** View of a custom policy; sites and homes are numbered from 1. */
export interface PolicyView {
  job: WaitingJob;
  sites: readonly {
    number: number;
    free: number;
    capacity: number;
    speed: number;
    isFeasible: boolean;
  }[];
  time: number;
  bestFit: number;
  fastestFirst: number;
  speedHeterogeneity: number;
  queuedProcessors: number;
  freeProcessors: number;
  situation: 'a' | 'b';
  lookAhead(site: number): { jobs: number; capacity: number };
  queue: Iterable<WaitingJob>;
}

/** A job in the view of a custom policy. */
export interface WaitingJob {
  number: number;
  processors: number;
  estimate: number;
  submit: number;
  home: number;
  user: number;
}

/**
 * Resource selection (Zhang et al. 2006, sections 4.1.1 and 6): the best of all sets of sites; the
 * best of single sites and of the first few by speed; or home before other sites before several
 * sites.
 */
export type SiteSelection = 'optimal' | 'greedy' | 'non-adaptive';

/**
 * Criterion for the site of a job that is not scaled (Huang et al. 2009, Fig. 1): free processors
 * nearest to those with the job's power at home, free processors nearest to the request, or free
 * power nearest to the power at home.
 */
export type MoldableFit = 'demand' | 'processors' | 'power';

/** Parameters of Downey's speed-up model (1997). */
export interface Speedup {
  /** Average parallelism, at least 1. */
  A: number;
  /** Variance of parallelism, at least 0. */
  sigma: number;
}

/** Order in which a split takes the sites (Huang et al. 2007, section 6). */
export type MultiSite = 'larger-first' | 'faster-first' | 'adaptive';

/** Processors allocated at one site. */
export interface AllocatedPart {
  /** Site, numbered from 0. */
  site: number;
  processors: number;
}

/** Metrics of a finished simulation; times in seconds. */
export interface ReferenceMetrics {
  averageResponseTime: number;
  meanWait: number;
  maxWait: number;
  meanSlowdown: number;
  meanBoundedSlowdown: number;
  awrt: number;
  awwt: number;
  makespan: number;
  utilization: number;
  capacityUtilization: number;
  averageQueueLength: number;
  averageQueueLengthOverTime: number;
  largestQueue: number;
  movedJobs: number;
  /** Processor-seconds of preempted runs, which also count in the utilizations. */
  lostProcessorSeconds: number;
  /** Number of preempted runs, each followed by a restart. */
  restarts: number;
  /** Number of jobs that ran on several sites. */
  splitJobs: number;
  /** Numbers of jobs that ran on fewer, and on more, processors than requested. */
  scaledDownJobs: number;
  scaledUpJobs: number;
  /** Utilization and number of jobs per site; a split job counts at each of its sites. */
  sites: { utilization: number; jobs: number }[];
  homes: { jobs: number; averageResponseTime: number }[];
  decisions: ReferenceDecisions;
}

/**
 * Number of decisions in which best-fit and fastest-first chose the same site, and which one won
 * otherwise.
 */
export interface ReferenceDecisions {
  agreed: number;
  bestFit: number;
  fastestFirst: number;
}

/** A preempted run. */
export interface StoppedRun {
  /** Index of the job. */
  job: number;
  site: number;
  start: number;
  end: number;
  /** Processors, numbered across the grid, ascending. */
  processors: number[];
}

/** Results of every job (columns in job order) and the metrics of a simulation. */
export interface ReferenceResult {
  /** Submit time in seconds, from the log or after another job. */
  submit: number[];
  /** Start in seconds of the run that was not preempted. */
  start: number[];
  execution: number[];
  /** Site of the first part, numbered from 0. */
  site: number[];
  /** Parts of each job in the order of allocation; one part unless it was split. */
  parts: AllocatedPart[][];
  /** Number of processors that each job ran on: as requested, unless it was moldable. */
  held: number[];
  /** Processors of each job, numbered across the grid, ascending within each part. */
  processors: number[][];
  /** Number of times that each job was preempted. */
  stops: number[];
  /** Preempted runs in the order of preemption. */
  stoppedRuns: StoppedRun[];
  metrics: ReferenceMetrics;
}
