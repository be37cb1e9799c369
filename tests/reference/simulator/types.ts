/** A job as the reference sees it. Times in seconds; runtime and estimate at speed 1, before the load factor. */
export interface ReferenceJob {
  submit: number;
  runtime: number;
  estimate: number;
  processors: number;
  /** Home site, numbered from 0. */
  home: number;
  /** User number; absent: unknown. */
  user?: number;
  /** Bytes that go with the job to sites away from home. 0 by default. */
  data?: number;
  /** Sort key of the queue, if it is computed before the run. */
  key?: number | undefined;
  /** Key of the order of backfilling. */
  backfillKey?: number;
  /** Both by another estimate than the job came with. */
  keysBy?: (estimate: number) => { key?: number; backfillKey?: number };
  /** Number passed to a custom policy; default: the position from 1. */
  number?: number;
  /** Index of the job after whose end it is submitted: one before it, of several pieces the first; without it none. */
  preceding?: number | undefined;
  /** Seconds that pass between that end and its submit at least; below 0 it is 0. */
  thinkTime?: number;
  /** Index of the first of the pieces that the job was cut into, which it is one of. */
  pieceOf?: number;
}

/** The grid and the rules of one run. */
export interface ReferenceOptions {
  /** Processors of each site. */
  capacities: number[];
  /** Computing speed of each site. */
  speeds: number[];
  /** Load factor of each home site. */
  load: number[];
  /** Canonical policy name without parameters. */
  policy: string;
  /** The policy's parameters; those left out take their defaults. */
  parameters: Record<string, number | string>;
  /** A policy of one's own, in the place of the one that is named. */
  choose?: ((view: PolicyView) => number) | undefined;
  /** True if it is asked where one site has room, too. */
  mayWait?: boolean | undefined;
  resolution: 'exact' | 'nearest' | 'floor';
  instant: 'per-event' | 'batched';
  /** A job may use only sites at least this many times as fast as its home. */
  minSpeedRatio: number;
  /**
   * Rule for the next job: order of submission (the default), narrowest, widest, shortest or longest first, each with
   * a head that blocks; or any job that fits, in order; or any job planned for now, with a reservation for the first
   * other job (`easy`) or for every other one (`conservative`).
   */
  discipline?: 'fcfs' | 'njf' | 'wjf' | 'sjf' | 'ljf' | 'first-available' | 'easy' | 'conservative';
  /**
   * Sort key of the queue, least first: a word, f1 to f4, or an expression; default `submit`. Not with `njf`, `wjf`,
   * `sjf` and `ljf`, which have their own.
   */
  order?: string | undefined;
  /** Number of jobs of a pass with reservations under `easy`; default 1. */
  reservationDepth?: number | undefined;
  /**
   * Reservations under `conservative`: kept until jobs start, or planned again in every pass (the default).
   */
  reservations?: 'kept' | 'replanned' | undefined;
  /** Order under `easy` in which the jobs behind the one with the reservation are tried. */
  backfillOrder?: string | undefined;
  /** One queue for the grid (the default), one per home site, or every site alone with its own jobs. */
  queue?: 'shared' | 'per-home' | 'independent';
  /** Stop jobs from elsewhere to make room at home (needs `per-home`). */
  reclaim?: boolean;
  /** Rule for splitting a job that fits no single site; absent: no job is split. */
  multiSite?: MultiSite | undefined;
  /** Overhead p of a split job: it runs 1 + p times as long. 0 by default. */
  multiSiteOverhead?: number;
  /** Jobs may start with other than the processors they ask for: fewer, or on one site also more. */
  moldable?: 'down' | 'up-down' | undefined;
  /** A job is scaled down if its predicted turnaround then is at most this many times that of waiting;
   *  without it a job is always scaled down. */
  moldableThreshold?: number | undefined;
  /** Site of a moldable job that finds all it requests; default `demand`. */
  moldableFit?: MoldableFit;
  /** Speedup on more processors; absent: linear. */
  speedup?: Speedup | undefined;
  /** Under `easy` and `conservative` on several sites: the policy chooses the sites, not a selection. */
  withPolicy?: boolean | undefined;
  /** Site sets allowed for a planned job; default `greedy`. */
  select?: Selection | undefined;
  /** A planned job runs this many times as long (p, at least 1) on several sites; without it one site it is. */
  multiSiteFactor?: number | undefined;
  /** Time factor h of each site; 1 / speed by default. Counts for runtimes that refer to the home site. */
  heterogeneity?: number[] | undefined;
  /** True if runtimes and estimates are for a site of speed 1 (the default) or for the home site. */
  runtimeReference?: 'speed1' | 'home' | undefined;
  /** Bytes per second from home (row) to site (column); without it nothing is transferred. */
  bandwidth?: number[][] | undefined;
  /** Seconds from home (row) to site (column) that come on top. 0 by default. */
  latency?: number[][] | undefined;
  /** Number of a user's last ended jobs by which the next one is estimated; absent: `estimate` applies. */
  recent?: number | undefined;
  /** True if it is estimated again as long as it waits. */
  refresh?: boolean | undefined;
  /** The policy is another one at any time, chosen among candidates as the run goes on. */
  dynamic?: Dynamic | undefined;
  /** True if jobs are submitted after the end of their preceding jobs. */
  dependencies?: boolean | undefined;
  /** Sites have other speeds once all events until a time are over. */
  changes?: { time: number; speeds: number[] }[] | undefined;
  /** Seconds between planning passes; without it a pass follows every event, or every instant. */
  interval?: number | undefined;
  /** Seconds from an event, the submit or the end of a job, to the main pass that it asks for. 0 by default where
   *  passes have times of their own. */
  passDelay?: { submit: number; end: number } | undefined;
  /** Least number of seconds between passes that events ask for. */
  passGap?: number | undefined;
  /** Seconds between backfill passes, above 0. Main passes then end at the first job that does not fit. */
  backfillInterval?: number | undefined;
  /** Seconds from the first submit to the first backfill pass. 0 by default. */
  backfillOffset?: number | undefined;
  /** Every processor of the only site is a node, which plans and jobs hold by its number. */
  planBy?: 'node' | undefined;
  /** Seconds of a window: running jobs that end in one are planned to end together, by nodes. 0 is none. */
  endWindow?: number | undefined;
  /** Reservations that begin when a job would end are in its way, by nodes. */
  /** Processors of a node; 1 where absent. Jobs may share a node. */
  processorsPerNode?: number | undefined;
  /** Seconds from the end of a job until its processors are free. */
  releaseDelay?: number | undefined;
  closedOverlap?: boolean | undefined;
  /** Seconds to a multiple of which reservations are rounded down, by nodes. 0 is none. */
  backfillResolution?: number | undefined;
  /** Jobs tested in a backfill pass at most, by nodes. 0 is no limit. */
  backfillJobs?: number | undefined;
  /** Segments of time, between which other nodes are reserved, in a backfill pass at most. 0 is no limit. */
  backfillSegments?: number | undefined;
  /** Seconds that a backfill pass by nodes plans ahead. 0 is no limit. */
  backfillWindow?: number | undefined;
  /** Unix time, in seconds, of the time 0: windows and rounding refer to it. 0 by default. */
  clockOrigin?: number | undefined;
}

/** Choice of a policy among candidates, the first of which is in force at the beginning. */
export interface Dynamic {
  candidates: Candidate[];
  /** Number of submissions between trials. */
  every: number;
  /** Number of assumed futures in a trial. */
  futures: number;
  /** Share by which a candidate must be better than the one in force. */
  hysteresis: number;
  /** The share of the old score in a new one. */
  smooth: number;
  seed: number;
  /** True if nobody knows estimates, so that futures are drawn. */
  isUnestimated: boolean;
  /** Given choices instead of trials: the candidate in force after the submission of a job, by its index. */
  choices?: [job: number, candidate: number][] | undefined;
}

/** A policy, and who is next while it is in force, where that is not as for the run. */
export interface Candidate {
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

/** A job as such a policy sees it. */
export interface WaitingJob {
  number: number;
  processors: number;
  estimate: number;
  submit: number;
  home: number;
  user: number;
}

/** Resource selection (Zhang et al. 2006, sections 4.1.1 and 6): the best of all sets of sites; the best of the
 *  single sites and of the first few in order of speed; or home before other sites before several. */
export type Selection = 'optimal' | 'greedy' | 'non-adaptive';

/**
 * Criterion for the site of a job that is not scaled (Huang et al. 2009, Fig. 1): free processors nearest to those
 * with the job's power at home, free processors nearest to the request, or free power nearest to the power at home.
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

/** Processors taken at one site. */
export interface Part {
  /** Numbered from 0. */
  site: number;
  processors: number;
}

/** Measures of one finished run, in seconds where they are times. */
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
  /** Processor-seconds of the runs that were stopped; they count in the utilizations too. */
  lostProcessorSeconds: number;
  /** Runs that were stopped, and so started again. */
  restarts: number;
  /** Jobs that ran on more than one site. */
  splitJobs: number;
  /** Jobs that ran on fewer, or on more, processors than they asked for. */
  scaledDownJobs: number;
  scaledUpJobs: number;
  /** A split job counts at each of its sites. */
  sites: { utilization: number; jobs: number }[];
  homes: { jobs: number; averageResponseTime: number }[];
  decisions: ReferenceDecisions;
}

/** Number of times that best-fit and fastest-first named the same site, and whose site was taken when they did not. */
export interface ReferenceDecisions {
  agreed: number;
  bestFit: number;
  fastestFirst: number;
}

/** A run that was stopped. */
export interface StoppedRun {
  /** Index of the job. */
  job: number;
  site: number;
  start: number;
  end: number;
  /** Numbered through the grid, ascending. */
  processors: number[];
}

/** Results of every job (columns in job order) and the metrics of the run. */
export interface ReferenceResult {
  /** Submission, as given or after another job. */
  submit: number[];
  /** Start of the run that was not stopped. */
  start: number[];
  execution: number[];
  /** Site of the first part, numbered from 0. */
  site: number[];
  /** Parts of each job in the order taken; one part unless it was split. */
  parts: Part[][];
  /** Number of processors that the job ran on: what it asked for, unless it was moldable. */
  held: number[];
  /** Processors the job held, numbered through the grid, ascending within each part. */
  processors: number[][];
  /** Number of times that the job was stopped. */
  stops: number[];
  /** Stopped runs in the order of the stops. */
  stoppedRuns: StoppedRun[];
  metrics: ReferenceMetrics;
}
