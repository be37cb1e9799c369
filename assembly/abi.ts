/**
 * The contract with the host: every number that both sides must agree on is declared here, once,
 * and read by the host from the binary's exports. This file imports nothing.
 *
 * Addresses are byte offsets in linear memory. A job table and a simulation are blocks of memory that
 * the host places on multiples of 16; inside a block all references are relative to the block, so a
 * block may be copied anywhere, compared, saved and restored.
 */
export const ABI_VERSION: i32 = 2;

/** What a call came to. Codes from 16 up are refusals; `refusedJob` or `refusedSite` name the culprit. */
export enum Status {
  Finished = 0,
  /** `runUntil` handled every event up to its time; more remain. */
  Paused = 1,
  /** A log may not hold the next event: enlarge both and call again. */
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
  JobEstimateInvalid = 28,
  /** Options that exclude each other. */
  OptionsConflict = 29,
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

/** Who is next: the order of the waiting jobs. In all but the last the head blocks. */
export enum Discipline {
  /** Submit order. */
  FirstComeFirstServed = 0,
  /** Fewest processors first. */
  NarrowestFirst = 1,
  /** Most processors first. */
  WidestFirst = 2,
  /** Least estimate * load first. */
  ShortestFirst = 3,
  /** Greatest estimate * load first. */
  LongestFirst = 4,
  /** Submit order, and every job that fits starts. */
  FirstAvailable = 5,
}

/** Which jobs wait together, and where they may run. */
export enum Topology {
  /** One queue for the grid. */
  Shared = 0,
  /** One queue per home site, swept in the order of the sites. */
  PerHome = 1,
  /** One queue per home site, whose jobs run nowhere else. */
  Independent = 2,
}

/** How a job is split that no single site has room for. */
export enum MultiSite {
  None = 0,
  /** Over the sites with the most free processors. */
  LargerFirst = 1,
  /** Over the fastest sites. */
  FasterFirst = 2,
  /** As the one of the two after which more waiting jobs could start. */
  Adaptive = 3,
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
  Discipline = 8,
  Topology = 9,
  /** Whether jobs from elsewhere are stopped to make room at home (0 or 1). */
  Reclaim = 10,
  MultiSite = 11,
  /** p: a split job runs 1 + p times as long. */
  MultiSiteOverhead = 12,
  COUNT = 13,
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
  /** i32 per job: where its parts begin in the log of parts, -1 for a job on one site (with such a log only). */
  PartIndex = 13,
  /** Pairs of i32: site and processors of each part of a split job, until they add up to its processors. */
  Parts = 14,
  /** f64 per job: seconds that it ran in vain before it was stopped (where jobs are reclaimed only). */
  LostTime = 15,
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
  /** Pairs in the log of parts. */
  PartsLength = 10,
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
  COUNT = 21,
}

/** Head of a job table: what `seal` found. Column references are byte offsets from the table. */
@unmanaged
export class Jobs {
  count: i32;
  /** Most processors of a job, greatest home site, longest runtime or estimate. */
  widest: i32;
  lastHome: i32;
  longest: f64;
  submit: u32;
  runtime: u32;
  processors: u32;
  home: u32;
  demand: u32;
  estimate: u32;
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
  /** Longest log with which an event may be handled: one event can start jobs on all processors, some twice. */
  logLimit: i32;
  /** Pairs that the log of parts can hold, 0 without splitting; and its limit. */
  partCapacity: i32;
  partLimit: i32;
  /** What `arrange` was asked to make room for: queues in any order, and reclaiming. */
  hasRanks: i32;
  hasGuests: i32;

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
  /** The queues in any order; queue/ranked.ts. */
  rankOf: u32;
  jobAt: u32;
  counters: u32;
  waiting0: u32;
  waiting1: u32;
  waiting2: u32;
  waiting3: u32;
  narrowest0: u32;
  narrowest1: u32;
  firstRanks: u32;
  queueWaiting: u32;
  queueDemand: u32;
  heads: u32;
  newcomers: u32;
  /** Jobs away from home, per site; placement/guests.ts. */
  nextGuest: u32;
  previousGuest: u32;
  lastGuest: u32;
  guestProcessors: u32;
  lostTime: u32;
  lostOnSite: u32;
  partIndex: u32;
  parts: u32;
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
  discipline: i32;
  topology: i32;
  /** Whether the queue is kept by ranks instead of as a window. */
  ranked: i32;
  reclaim: i32;
  multiSite: i32;
  multiSiteOverhead: f64;
  /** SH: population variance of the site speeds (Shih et al. 2010, eq. 3). */
  speedHeterogeneity: f64;

  // Progress.
  now: f64;
  /** The waiting queue is the window [head, next) of the job table, unless it is ranked. */
  head: i32;
  next: i32;
  /** Waiting jobs in all ranked queues. */
  waiting: i32;
  /** The job that found the queue empty in this instant, -1 when there is none: situation (a). */
  newcomer: i32;
  running: i32;
  /** 0: finishes stand in a sorted array, 1: in a heap. */
  finishHeap: i32;
  logLength: i32;
  partsLength: i32;
  /** Whether the last sweep stopped a job, so that queues it had passed may have room again. */
  reclaimed: i32;
  freeProcessors: i64;
  /** Random numbers drawn so far. */
  draws: u64;

  // Observations.
  waitingObserved: i64;
  largestQueue: i32;
  decisionsAgreed: i32;
  decisionsBestFit: i32;
  decisionsFastestFirst: i32;
  restarts: i32;

  // Refusals.
  refusedJob: i32;
  refusedSite: i32;
}
