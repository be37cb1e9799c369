/** The contract with the host, continued from abi.ts: what stands in a job table and in a simulation. */

/** What a simulation is laid out for: whole numbers, each a double; `fitRoom` sets what the options need. */
export enum Room {
  /** Jobs, sites, and processors of all sites together. */
  Jobs = 0,
  Sites = 1,
  Processors = 2,
  /** Entries of the logs: runs of processors, parts of split jobs, stopped runs. */
  Runs = 3,
  Parts = 4,
  Stops = 5,
  /** Queues in any order (0 or 1). */
  Ranks = 6,
  /** Jobs away from home, to be stopped (0 or 1). */
  Guests = 7,
  /** How many processors each job got (0 or 1). */
  Molds = 8,
  /** When running jobs are expected to end (0 or 1). */
  Predictions = 9,
  /** Shares of sites that waiting jobs have reserved at once. */
  Reservations = 10,
  /** Bandwidths and latencies between sites (0 or 1). */
  Transfers = 11,
  COUNT = 12,
}

/** Columns of a job table; all but `Demand` are written by the host before `seal`. */
export enum JobColumn {
  /** f64, seconds; one entry more than jobs, the last is +infinity (written by `seal`). */
  Submit = 0,
  /** f64, seconds at speed 1. */
  Runtime = 1,
  /** i32. */
  Processors = 2,
  /** i32, site number from 0. */
  Home = 3,
  /** f64, processors of all earlier jobs together; one entry more than jobs (written by `seal`). */
  Demand = 4,
  /** f64, seconds at speed 1. */
  Estimate = 5,
  /** f64, bytes that move with the job (only where the table has room for it). */
  Data = 6,
}

/** Columns of a simulation. What the host writes, it writes before `begin`, which takes it. */
export enum Column {
  /** i32 per site. */
  Capacity = 0,
  /** f64 per site. */
  Speed = 1,
  /** f64 per site: factor on the runtimes of the jobs whose home it is. */
  Load = 2,
  /** f64 per job, seconds. */
  Start = 3,
  /** f64 per job, seconds of execution. */
  Execution = 4,
  /** i32 per job: the site it ran on. */
  Site = 5,
  /** i32 per job: where its processor set begins in the log (with a log only). */
  LogIndex = 6,
  /** Pairs of i32: first and last processor of each run of neighbouring processors, grid-wide numbers. */
  Log = 7,
  /** f64 per site: processor-seconds held, and number of jobs (after `measure`). */
  SiteBusy = 8,
  SiteJobs = 9,
  /** f64 per home site: sum of response times, and number of jobs (after `measure`). */
  HomeResponse = 10,
  HomeJobs = 11,
  /** f64 per `Metric` (after `measure`). */
  Metric = 12,
  /**
   * i32 per job: where its parts begin in the log of parts, -1 for a job on one site (with such a log only).
   */
  PartIndex = 13,
  /** Pairs of i32: site and processors of each part of a split job, until they add up to its processors. */
  Parts = 14,
  /** f64 per job: seconds that it ran in vain before it was stopped (where jobs are reclaimed only). */
  LostTime = 15,
  /** i32 per job: the processors that it ran on (where jobs are moldable only). */
  Held = 16,
  /** f64 per site: h, how many times as long as at speed 1 a job runs; written by the host. */
  TimeFactor = 17,
  /** f64 per home site and site: bytes per second and seconds of a transfer; written by the host. */
  Bandwidth = 18,
  Latency = 19,
  /**
   * One entry per stopped run, in the order of the stops: i32 job, i32 site from 0, f64 seconds of its start
   * and its end (with such a log only), i32 where its processor set begins in the log (with that one too).
   */
  StopJob = 20,
  StopSite = 21,
  StopStart = 22,
  StopEnd = 23,
  StopLogIndex = 24,
}

/** Scalars of a simulation's progress. */
export enum Scalar {
  /** Size of the block. */
  Bytes = 0,
  /** Time of the last event handled, seconds. */
  Now = 1,
  /** Jobs submitted so far, waiting, running. */
  Submitted = 2,
  Waiting = 3,
  Running = 4,
  FreeProcessors = 5,
  /** SH of the grid (Shih et al. 2010, eq. 3). */
  SpeedHeterogeneity = 6,
  /** Pairs in the log. */
  LogLength = 7,
  /** The job or site that was refused, or -1. */
  RefusedJob = 8,
  RefusedSite = 9,
  /** Pairs in the log of parts. */
  PartsLength = 10,
  /** Runs in the log of stopped runs. */
  StopsLength = 11,
  /** The option or the room that was refused, or -1. */
  RefusedOption = 12,
  RefusedRoom = 13,
}

/** Results of `measure`, each a double; docs/results.md gives every formula. */
export enum Metric {
  Jobs = 0,
  AverageResponseTime = 1,
  AverageQueueLength = 2,
  AverageQueueLengthOverTime = 3,
  LargestQueue = 4,
  MeanWait = 5,
  MaxWait = 6,
  MeanSlowdown = 7,
  MeanBoundedSlowdown = 8,
  AverageWeightedResponseTime = 9,
  AverageWeightedWaitTime = 10,
  Makespan = 11,
  Utilization = 12,
  CapacityUtilization = 13,
  MovedJobs = 14,
  DecisionsAgreed = 15,
  DecisionsBestFit = 16,
  DecisionsFastestFirst = 17,
  Restarts = 18,
  LostProcessorSeconds = 19,
  SplitJobs = 20,
  ScaledDownJobs = 21,
  ScaledUpJobs = 22,
  COUNT = 23,
}
