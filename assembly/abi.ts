/**
 * The contract with the host: every number that both sides must agree on is declared here, once,
 * and read by the host from the binary's exports. This file imports nothing.
 */
export const ABI_VERSION: i32 = 4;

/** What a call came to. Codes from 16 up are refusals; `refusedJob` or `refusedSite` name the culprit. */
export enum Status {
  Finished = 0,
  /** `runUntil` handled every event up to its time; more remain. */
  Paused = 1,
  /** A log may not hold the next event: enlarge them and call again. */
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
  JobDataInvalid = 30,
  /** A bandwidth that is not above 0, or a latency below 0. */
  TransferInvalid = 31,
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

/** Who is next: the order of the waiting jobs, and what happens when the first does not fit. */
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
  /** Submit order; who does not delay the first that must wait, by the estimates, starts before it. */
  Easy = 6,
  /** Submit order; who does not delay anyone before it, by the estimates, starts. */
  Conservative = 7,
}

/** Whether jobs start at predicted times, by their estimates. */
@inline
export function plansAhead(discipline: Discipline): bool {
  return discipline === Discipline.Easy || discipline === Discipline.Conservative;
}

/** Whether the first job that cannot start keeps those behind it waiting, which are else tried too. */
@inline
export function blocks(discipline: Discipline): bool {
  return discipline !== Discipline.FirstAvailable && !plansAhead(discipline);
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

/** Whether a job may run on other than its processors (Huang et al. 2009). */
export enum Moldable {
  None = 0,
  /** On fewer, rather than wait. */
  Down = 1,
  /** Also on more, where nobody waits behind it; on one site only. */
  UpDown = 2,
}

/** Which site a moldable job gets among those with room for all its processors. */
export enum MoldableFit {
  /** Whose free processors are nearest to what the job needs at the site's speed. */
  Demand = 0,
  /** With the fewest free processors. */
  Processors = 1,
  /** Whose free processors * speed are nearest to the job's processors * home speed. */
  Power = 2,
}

/** Which sites a job gets, now or later, under backfilling (Zhang et al. 2006, section 4). */
export enum Selection {
  /** Those on which it ends soonest, of all sets of sites. */
  Optimal = 0,
  /** The same among single sites and sets of the fastest sites. */
  Greedy = 1,
  /** What can start now, at home before elsewhere before several sites. */
  NonAdaptive = 2,
}

/** How far some choices go. */
export enum Limit {
  /** Sites of a grid of which every set can be looked at: more have too many sets. */
  SitesOfSets = 16,
}

/** The machine to which runtimes refer. */
export enum RuntimeReference {
  /** One of speed 1. */
  Speed1 = 0,
  /** The job's home site. */
  Home = 1,
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
  Moldable = 13,
  /** x: a job is scaled down if Tsd <= x * To; 0: always. */
  MoldableThreshold = 14,
  MoldableFit = 15,
  /** A and sigma of Downey's speed-up; A = 0: linear. */
  SpeedupA = 16,
  SpeedupSigma = 17,
  Selection = 18,
  /** p: a job on several sites runs p times as long under backfilling; 0: jobs run on single sites only. */
  MultiSiteFactor = 19,
  RuntimeReference = 20,
  /** Seconds between allocation passes under backfilling; 0: a pass after every event or instant. */
  Interval = 21,
  COUNT = 22,
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
  /** The job or site that `begin` refused, or -1. */
  RefusedJob = 8,
  RefusedSite = 9,
  /** Pairs in the log of parts. */
  PartsLength = 10,
  /** Runs in the log of stopped runs. */
  StopsLength = 11,
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
