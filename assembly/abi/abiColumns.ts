/**
 * The contract with the host, continued from abi.ts: what is in a job table and in a simulation, and what
 * is said of a run.
 */

/** What a simulation is laid out for: whole numbers, each a double; `fitRoom` sets what the options need. */
export enum Room {
  /** As many as the job table has. */
  Jobs = 0,
  /** Of the grid. */
  Sites = 1,
  /** Of all sites together. */
  Processors = 2,
  /** Pairs in the log of processor sets; with `ProcessorSets`. */
  Runs = 3,
  /** Pairs in the log of parts of split jobs; with `MultiSite` or a `MultiSiteFactor`. */
  Parts = 4,
  /** Runs in the log of stopped runs, 0: only the last of each; `fitRoom`: `Reclaim` and `ProcessorSets`. */
  Stops = 5,
  /**
   * 1: queues in any order; 0: `Discipline` must be `FirstComeFirstServed`, `Order` `Submit`, `Topology`
   * `Shared`.
   */
  Ranks = 6,
  /** 1: what `Reclaim` needs. */
  Guests = 7,
  /** 1: what `Moldable` needs. */
  Molds = 8,
  /** 1: when running jobs are expected to end, for `Easy`, `Conservative` and a `MoldableThreshold`. */
  Predictions = 9,
  /**
   * Shares of sites that waiting jobs can have reserved at once: 1 under `Easy`, one per job under
   * `Conservative`, and with a `MultiSiteFactor` this many times the number of sites. With
   * `KeptReservations` two per job.
   */
  Reservations = 10,
  /** 1: bandwidths and latencies between sites. */
  Transfers = 11,
  /** 1: the host's keys, for the `Order` `Given`. */
  Keys = 12,
  /**
   * 1: allocators find sites by an index of what is free; 0: by a look at each. The schedule is the same.
   * `fitRoom` keeps one from 64 sites on.
   */
  Index = 13,
  /** Policies that share the simulation, or candidates. */
  Policies = 14,
  /** 1: estimates that the run itself makes, with `RecentJobs`. */
  Estimates = 15,
  /**
   * 1: ranks that jobs get at their submits, with `RecentJobs` and an order by estimate, `Dependencies`, or
   * `KeysAtSubmit`.
   */
  LateRanks = 16,
  /** 1: waiting jobs are put in another order in passes. */
  Sequences = 17,
  /** Times at which candidates are tried, and 1: every so many submits (with a policy that does). */
  Trials = 18,
  /** Jobs that have ended, by their widths (0 or 1). */
  EndedJobs = 19,
  /** Choices that are given (as many as `Trials`, or 0). */
  Choices = 20,
  /** 1: the host's keys, for the `BackfillOrder` of `Given`. */
  BackfillKeys = 21,
  /** 1: submits that the run itself finds, with `Dependencies`. */
  Dependencies = 22,
  /** 1: keys that the host gives at the submit, with `KeysAtSubmit`; then `Keys`, `BackfillKeys` may be 0. */
  KeysAtSubmit = 23,
  /** 1: reservations that hold until their jobs start, with `Reservations` `Kept`. */
  KeptReservations = 24,
  /** 1: ranks in the `BackfillOrder`, if its keys are known before the run; 2: by widths, with bounds. */
  BackfillRanks = 25,
  COUNT = 26,
}

/** Columns of a job table; all but `Demand` are written by the host before `sealJobs`. */
export enum JobColumn {
  /** f64 per job, one more. Seconds, not descending. `sealJobs` writes +infinity behind the last. */
  Submit = 0,
  /** f64 per job. Seconds at speed 1 and load 1. */
  Runtime = 1,
  /** i32 per job. How many the job needs. */
  Processors = 2,
  /** i32 per job. Home site, from 0. */
  Home = 3,
  /** f64 per job, one more. Processors of all earlier jobs together (written by `sealJobs`). */
  Demand = 4,
  /** f64 per job. Estimated runtime, seconds at speed 1 and load 1. */
  Estimate = 5,
  /** f64 per job. Bytes that move with the job (with `Extra.Data` only). */
  Data = 6,
  /** i32 per job. Who submitted it, numbered from 0; -1: unknown (with `Extra.Users` only). */
  User = 7,
  /**
   * i32 per job. The job at whose end it is submitted, -1: none; of several pieces the first (with
   * `Extra.Dependencies` only).
   */
  Preceding = 8,
  /**
   * f64 per job. Seconds between that end and its submit at least, from 0 on (with `Extra.Dependencies`
   * only).
   */
  ThinkTime = 9,
  /**
   * i32 per job. Itself, or the first of the pieces of one job, which ends when the last of them does (with
   * `Extra.Dependencies` only).
   */
  FirstPiece = 10,
}

/** What a job table may have besides; `arrangeJobs` takes the sum. */
export enum Extra {
  /** `JobColumn.Data`. */
  Data = 1,
  /** `JobColumn.User`. */
  Users = 2,
  /** `JobColumn.Preceding`, `ThinkTime` and `FirstPiece`. */
  Dependencies = 4,
}

/** Columns of a simulation. What the host writes, it writes before `begin`, which takes it. */
export enum Column {
  /** i32 per site. Processors; written by the host. */
  Capacity = 0,
  /** f64 per site. Written by the host. */
  Speed = 1,
  /** f64 per site. Factor on the runtimes of the jobs at home there; written by the host. */
  Load = 2,
  /** f64 per job. Seconds; 0 until the job has started. Of a stopped job its last start. */
  Start = 3,
  /** f64 per job. Seconds; the end is start + execution. */
  Execution = 4,
  /** i32 per job. The site it runs on, from 0; the first of a split job. */
  Site = 5,
  /** i32 per job. Its first pair in the log (with `ProcessorSets` only). */
  LogIndex = 6,
  /**
   * pairs of i32. First and last of a run of neighbouring processors, numbered through the grid from 0. A
   * job's pairs continue until their sizes add up to its processors, of a moldable job to `Held`.
   */
  Log = 7,
  /** f64 per site. Processor-seconds used (after `measure`). */
  SiteBusy = 8,
  /** f64 per site. Jobs that ran there (after `measure`). */
  SiteJobs = 9,
  /** f64 per site. Sum of the response times of the jobs at home there (after `measure`). */
  HomeResponse = 10,
  /** f64 per site. Jobs at home there (after `measure`). */
  HomeJobs = 11,
  /** f64 per `Metric`. The metrics (after `measure`; until then NaN). */
  Metric = 12,
  /**
   * i32 per job. Its first pair in the log of parts; -1 if it was not split (where jobs may be split only).
   */
  PartIndex = 13,
  /** pairs of i32. Site and processors of each part of a split job, until they add up to its processors. */
  Parts = 14,
  /** f64 per job. Seconds that it ran in vain before it was stopped (with `Reclaim` only). */
  LostTime = 15,
  /** i32 per job. The processors that it ran on (where jobs are moldable only). */
  Held = 16,
  /**
   * f64 per site. h, how many times as long as at speed 1 a job runs: 1 / speed, or what it was given as;
   * written by the host, used with `RuntimeReference.Home`.
   */
  TimeFactor = 17,
  /**
   * f64 per home site and site. Bytes per second, row by row; written by the host (with `Transfers` only).
   * The diagonal is not read.
   */
  Bandwidth = 18,
  /** f64 per home site and site. Seconds, in the same way. */
  Latency = 19,
  /**
   * i32 per stopped run. Index of the job that was stopped, in the order of the stops (with room for them
   * only, as the next four).
   */
  StopJob = 20,
  /** i32 per stopped run. The site it ran on, from 0. */
  StopSite = 21,
  /** f64 per stopped run. When the run began, seconds. */
  StopStart = 22,
  /** f64 per stopped run. When it was stopped, seconds. */
  StopEnd = 23,
  /** i32 per stopped run. Its first pair in the log (with `ProcessorSets` too). */
  StopLogIndex = 24,
  /** f64 per job. Key of the `Order` `Given`, the least first; written by the host. */
  Key = 25,
  /** f64 per `Decision`. What a pending decision is about. */
  Decision = 26,
  /**
   * pairs of i32 per slot. Site and its free processors, from the fastest site to the slowest, equal ones by
   * index.
   */
  Slot = 27,
  /** i32 per site. Its slot. */
  SlotOfSite = 28,
  /**
   * five f64 per policy. Number and parameters of those that share the simulation, or of the candidates among
   * which one is chosen as it runs; written by the host.
   */
  Policies = 29,
  /** f64 per job. What it is estimated by, once it is submitted (with `RecentJobs` only). */
  Estimate = 30,
  /**
   * i32 per time of trials. Which candidate is in force after it; where none was tried it is the one before
   * (with `Trials` only, as the next four).
   */
  Choice = 31,
  /** i32 per given choice. What is given in its place; written by the host (with `Choices` only). */
  GivenChoice = 32,
  /** f64 per candidate. Its score after the last trials. */
  Score = 33,
  /** f64 per candidate. Total response time in them of the waiting jobs, seconds. */
  Prospect = 34,
  /** f64 per candidate. After how many of the times it was in force. */
  TimesChosen = 35,
  /** f64 per job. Key of the `BackfillOrder` of `Given`, the least first; written by the host. */
  BackfillKey = 36,
  /** f64 per job. When it was submitted; before that what the job table says (with `Dependencies` only). */
  Submit = 37,
  /** three f64 per candidate. `Order`, `Discipline`, `BackfillOrder` (with `Trials`); written by the host. */
  CandidateRules = 38,
  /**
   * i32 per job. Jobs in the order in which their results became final, as many as the scalar
   * `Counted` (where options need `Ranks` only; else that is the order of the jobs).
   */
  Counted = 39,
  /** f64 per job. When it was to start by the reservation of its submit (with `KeptReservations` only). */
  PromisedStart = 40,
}

/** What a pending decision is about, each a double (`Status.Decision`). */
export enum Decision {
  /** Index of the job. */
  Job = 0,
  /** Seconds. */
  Time = 1,
  /** S_bf, the site that best-fit would take, from 0. */
  BestFit = 2,
  /** S_ff, the site that fastest-first would take, from 0. */
  FastestFirst = 3,
  /** 1: the job found its queue empty and this is the pass of its submit, situation (a). */
  FoundQueueEmpty = 4,
  /** Processors that the jobs of its queue request together, its own too: the numerator of SL. */
  QueuedProcessors = 5,
  /** Free processors of all sites, with `Independent` of its own: the denominator of SL, where at least 1. */
  FreeProcessors = 6,
  /** Jobs that wait, it too; with `Independent` on its own site. */
  Waiting = 7,
  /** Jobs that run; with `Independent` on its own site. */
  Running = 8,
  COUNT = 9,
}

/** Scalars of a simulation's progress. */
export enum Scalar {
  /** Size of the block. */
  Bytes = 0,
  /** Time of the last event handled; 0 before the first. */
  Now = 1,
  /** Jobs submitted so far. */
  Submitted = 2,
  /** Jobs in the queue. */
  Waiting = 3,
  /** Jobs that run. */
  Running = 4,
  /** Of all sites together. */
  FreeProcessors = 5,
  /** SH (Shih et al. 2010, eq. 3). */
  SpeedHeterogeneity = 6,
  /** Pairs in the log. */
  LogLength = 7,
  /** The job that `begin` refused with `JobTooWide`; -1 for none, as of the others. */
  RefusedJob = 8,
  /** The site that `begin` refused. */
  RefusedSite = 9,
  /** Pairs in the log of parts. */
  PartsLength = 10,
  /** Runs in the log of stopped runs. */
  StopsLength = 11,
  /** The option that `fitRoom` or `begin` refused. */
  RefusedOption = 12,
  /** The room that `arrange` or `begin` refused. */
  RefusedRoom = 13,
  /** How often a simulation that policies share has parted. */
  Forks = 14,
  /** How often two of its parts became one again. */
  Joins = 15,
  /** Jobs that all its parts have started. */
  SharedJobs = 16,
  /** At how many submits candidates were tried, how often another came into force, jobs started in trials. */
  Trials = 17,
  Switches = 18,
  TriedJobs = 19,
  /** Seconds of the log that `begin` expects the run to take, by which an `Interval` is judged. */
  Span = 20,
  /** Jobs that have results so far, which have started and cannot be stopped; the first of `Counted`. */
  Counted = 21,
  /** The job whose keys the host is asked for (`Status.Keys`); -1: none. */
  KeyedJob = 22,
  /** How often a job that ran too long has taken the place of a reservation (`Reservations` `Kept`). */
  MovedReservations = 23,
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
