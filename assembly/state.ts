/**
 * The heads of a job table and of a simulation. Both are blocks of memory that the host places on multiples
 * of 16. Behind its head a block has its columns, whose places follow from the numbers in the head
 * (columns.ts); no address is stored, so that a block may be copied anywhere, compared, saved and restored.
 * This file imports nothing.
 */

/** Head of a job table: its size, and what `seal` found. */
@unmanaged
export class Jobs {
  count: i32;
  /** Most processors of a job, greatest home site, longest runtime or estimate. */
  widest: i32;
  lastHome: i32;
  longest: f64;
  /** Most bytes of a job. */
  largest: f64;
  /** Whether any job has bytes to transfer. */
  hasData: i32;
}

/** Head of a simulation: all its scalars. */
@unmanaged
export class Simulation {
  // Geometry, fixed by `arrange`.
  bytes: u32;
  jobCount: i32;
  siteCount: i32;
  totalProcessors: i32;
  /** Pairs that the log can hold; 0: processor sets are not tracked. */
  logCapacity: i32;
  /**
   * Longest log with which an event may be handled: one event can start jobs on all processors, some twice.
   */
  logLimit: i32;
  /** Pairs that the log of parts can hold, 0 without splitting; and its limit. */
  partCapacity: i32;
  partLimit: i32;
  /** Runs that the log of stopped runs can hold, 0: they are not kept; and its limit. */
  stopCapacity: i32;
  stopLimit: i32;
  /** What `arrange` was asked to make room for: queues in any order, and reclaiming. */
  hasRanks: i32;
  hasGuests: i32;
  /** Whether jobs are moldable, and whether the ends of running jobs are predicted. */
  hasMolds: i32;
  hasPredictions: i32;
  /** Shares of sites that can be reserved at once, 0 without backfilling; whether data are transferred. */
  planCapacity: i32;
  hasTransfers: i32;
  /** Entries of columns whose rules stand with those who use them. */
  queueWords: i32;
  counters: i32;
  predictionWords: i32;
  planWords: i32;
  frontierEntries: i32;

  /** How many slots any job may use where the number is the same for all homes, else 0. */
  commonCandidates: i32;
  /** Whether anything but free counts and columns is kept: processor sets, parts, guests or molds. */
  hasExtras: i32;

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
  moldable: i32;
  moldableFit: i32;
  moldableThreshold: f64;
  speedupA: f64;
  speedupSigma: f64;
  selection: i32;
  multiSiteFactor: f64;
  runtimeReference: i32;
  interval: f64;
  /** SH: population variance of the site speeds (Shih et al. 2010, eq. 3). */
  speedHeterogeneity: f64;

  // Progress.
  now: f64;
  /** The waiting queue is the window [head, next) of the job table, unless it is ranked. */
  head: i32;
  next: i32;
  /** Waiting jobs in all ranked queues. */
  waiting: i32;
  /** Whether each block of ranks has a bound on the widths of its jobs. */
  widthsBounded: i32;
  /** The job that found the queue empty in this instant, -1 when there is none: situation (a). */
  newcomer: i32;
  running: i32;
  /** 0: finishes stand in a sorted array, 1: in a heap. */
  finishHeap: i32;
  logLength: i32;
  partsLength: i32;
  stopsLength: i32;
  /** Whether the last sweep stopped a job, so that queues it had passed may have room again. */
  reclaimed: i32;
  /** Allocation passes that are over, counted from the first submit, where they follow an interval. */
  passes: f64;
  /** Whether the plan still holds: nothing has come otherwise than predicted since it was made. */
  planHolds: i32;
  /** Jobs before this one have been planned; and jobs in `nextStarts`. */
  planned: i32;
  /** Whether a waiting job holds a reservation; and jobs in `nextStarts`. */
  planReserved: i32;
  /** Whether the searches for room are remembered; planning/frontier.ts. */
  planRemembers: i32;
  nextStartCount: i32;
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
