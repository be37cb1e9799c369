/**
 * What a job table and a simulation consist of. Both are blocks of memory that the host places on multiples
 * of 16; inside a block all references are relative to the block, so that a block may be copied anywhere,
 * compared, saved and restored. This file imports nothing.
 */

/** Head of a job table: what `seal` found. Column references are byte offsets from the table. */
@unmanaged
export class Jobs {
  count: i32;
  /** Most processors of a job, greatest home site, longest runtime or estimate. */
  widest: i32;
  lastHome: i32;
  longest: f64;
  /** Most bytes of a job. */
  largest: f64;
  submit: u32;
  runtime: u32;
  processors: u32;
  home: u32;
  demand: u32;
  estimate: u32;
  /** Bytes to transfer; 0 when no job has any. */
  data: u32;
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

  // Columns.
  option: u32;
  capacity: u32;
  speed: u32;
  load: u32;
  timeFactor: u32;
  bandwidth: u32;
  latency: u32;
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
  queues: u32;
  /** Jobs away from home, per site; placement/guests.ts. */
  nextGuest: u32;
  previousGuest: u32;
  lastGuest: u32;
  guestProcessors: u32;
  lostTime: u32;
  lostOnSite: u32;
  held: u32;
  /** Predicted ends of running jobs and the forest they make; planning/predictions.ts. */
  predictedEnd: u32;
  predictions: u32;
  /** Free processors over future time with reservations, and what is reserved; planning/plan.ts. */
  plan: u32;
  frontier: u32;
  plannedStart: u32;
  plannedSite: u32;
  nextStarts: u32;
  /** Sites and shares of the candidate at hand and of the best so far; planning/candidates.ts. */
  members: u32;
  trialSites: u32;
  trialShares: u32;
  chosenSites: u32;
  chosenShares: u32;
  /** Per queue: until when and beside how many processors others may run; disciplines/shadow.ts. */
  shadowTime: u32;
  shadowRoom: u32;
  partIndex: u32;
  parts: u32;
  log: u32;
  /** Stopped runs; placement/stops.ts. */
  stopJob: u32;
  stopSite: u32;
  stopStart: u32;
  stopEnd: u32;
  stopLogIndex: u32;

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
