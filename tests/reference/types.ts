/** A job as the reference sees it. Times in seconds; runtime and estimate at speed 1, before the load factor. */
export interface ReferenceJob {
  submit: number;
  runtime: number;
  estimate: number;
  processors: number;
  /** Home site, numbered from 0. */
  home: number;
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
  resolution: 'exact' | 'nearest' | 'floor';
  instant: 'per-event' | 'batched';
  /** A job may use only sites at least this many times as fast as its home. */
  minSpeedRatio: number;
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
  sites: { utilization: number; jobs: number }[];
  homes: { jobs: number; averageResponseTime: number }[];
  decisions: ReferenceDecisions;
}

/** How often best-fit and fastest-first named the same site, and whose site was taken when they did not. */
export interface ReferenceDecisions {
  agreed: number;
  bestFit: number;
  fastestFirst: number;
}

/** What became of every job (columns in job order) and the measures of the run. */
export interface ReferenceResult {
  start: number[];
  execution: number[];
  /** Site the job ran on, numbered from 0. */
  site: number[];
  /** Processors the job held, numbered through the grid, ascending. */
  processors: number[][];
  metrics: ReferenceMetrics;
}
