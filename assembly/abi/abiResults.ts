/** The contract with the host, continued from abiColumns.ts: what is said of a run. */

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
  /** At how many submits candidates were tried, how often another came in force, jobs started in trials. */
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
