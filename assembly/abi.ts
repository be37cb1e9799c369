/**
 * The contract with the host: every number that both sides must agree on is declared here, once,
 * and read by the host from the binary's exports. This file imports nothing.
 *
 * Addresses are byte offsets in linear memory. A job table and a simulation are blocks of memory that
 * the host places on multiples of 16; inside a block all references are relative to the block, so a
 * block may be copied anywhere, compared, saved and restored.
 */
export const ABI_VERSION: i32 = 1;

/** What a call came to. Codes from 16 up are refusals; `refusedJob` or `refusedSite` name the culprit. */
export enum Status {
  Finished = 0,
  /** `runUntil` handled every event up to its time; more remain. */
  Paused = 1,
  /** The log of processor sets may not hold the next event: enlarge it and call again. */
  LogFull = 2,

  JobsUnsorted = 16,
  JobSubmitInvalid = 17,
  JobRuntimeInvalid = 18,
  JobProcessorsInvalid = 19,
  JobHomeInvalid = 20,
  JobTooWide = 21,
  SiteCapacityInvalid = 22,
  SiteSpeedInvalid = 23,
  SiteLoadInvalid = 24,
  PolicyUnknown = 25,
  ParameterInvalid = 26,
  OptionInvalid = 27,
}

/** Execution times: as computed, to the nearest second (floor(x + 0.5)), or cut to whole seconds. */
export enum Resolution {
  Exact = 0,
  Nearest = 1,
  Floor = 2,
}

/** One allocation pass after every event, or one after all events of an instant. */
export enum Instant {
  PerEvent = 0,
  Batched = 1,
}

/** Options of a simulation, each a double, set before `begin`. */
export enum Option {
  Policy = 0,
  Parameter0 = 1,
  Parameter1 = 2,
  Parameter2 = 3,
  Parameter3 = 4,
  Resolution = 5,
  Instant = 6,
  MinSpeedRatio = 7,
  COUNT = 8,
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
}

/** Columns of a simulation. Capacity, Speed and Load are written by the host before `begin`. */
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
  /** The job or site that `begin` refused, or -1. */
  RefusedJob = 8,
  RefusedSite = 9,
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
  COUNT = 18,
}

/** Head of a job table: what `seal` found. Column references are byte offsets from the table. */
@unmanaged
export class Jobs {
  count: i32;
  /** Most processors of a job, greatest home site, longest runtime. */
  widest: i32;
  lastHome: i32;
  longest: f64;
  submit: u32;
  runtime: u32;
  processors: u32;
  home: u32;
  demand: u32;
  /** i32 per block of 64 jobs and per block of 4096: fewest processors of a job in it (written by `seal`). */
  narrowestOf64: u32;
  narrowestOf4096: u32;
}

/** Head of a simulation: all its scalars. Column references are byte offsets from the simulation. */
@unmanaged
export class Simulation {
  // Geometry, fixed by `arrange`.
  bytes: u32;
  jobCount: i32;
  siteCount: i32;
  totalProcessors: i32;
  /** Pairs that the log can hold; 0: processor sets are not tracked. */
  logCapacity: i32;
  /** Longest log with which an event may be handled: one event can start jobs on all processors. */
  logLimit: i32;

  // Columns.
  option: u32;
  capacity: u32;
  speed: u32;
  load: u32;
  /** Where the part that `begin` clears starts. */
  mutable: u32;
  metric: u32;
  /** u64 per slot; slots are the sites from the fastest to the slowest: free processors << 32 | site. */
  free: u32;
  /** u64 per slot: the free counts of a what-if. */
  trial: u32;
  /** i32 per site. */
  slot: u32;
  /** i32 per home site: how many slots, from the fastest, its jobs may use. */
  candidates: u32;
  /** The same where it is one number for all homes, else 0. */
  commonCandidates: i32;
  siteBusy: u32;
  siteJobs: u32;
  homeResponse: u32;
  homeJobs: u32;
  finishTime: u32;
  finishJob: u32;
  start: u32;
  execution: u32;
  site: u32;
  /** u64 words of free processors, and per site its first word and first grid-wide processor. */
  freeBits: u32;
  firstWord: u32;
  firstProcessor: u32;
  logIndex: u32;
  log: u32;

  // Choices, taken from the options by `begin`.
  policy: i32;
  resolution: i32;
  instant: i32;
  parameter0: f64;
  parameter1: f64;
  parameter2: f64;
  parameter3: f64;
  minSpeedRatio: f64;
  /** SH: population variance of the site speeds (Shih et al. 2010, eq. 3). */
  speedHeterogeneity: f64;

  // Progress.
  now: f64;
  /** The waiting queue is the window [head, next) of the job table. */
  head: i32;
  next: i32;
  /** The job that found the queue empty in this instant, -1 when there is none: situation (a). */
  newcomer: i32;
  running: i32;
  /** 0: finishes stand in a sorted array, 1: in a heap. */
  finishHeap: i32;
  logLength: i32;
  freeProcessors: i64;
  /** Random numbers drawn so far. */
  draws: u64;

  // Observations.
  events: i64;
  waitingObserved: i64;
  largestQueue: i32;
  decisionsAgreed: i32;
  decisionsBestFit: i32;
  decisionsFastestFirst: i32;

  // Refusals.
  refusedJob: i32;
  refusedSite: i32;
}
