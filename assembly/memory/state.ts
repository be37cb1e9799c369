import { Option } from '../abi/abi';
import { Room } from '../abi/abiColumns';

/**
 * The headers of a simulation and of a job table. Both are blocks of memory that the host
 * places on multiples of 16. Behind its header a block has its columns, whose places follow from the numbers
 * in the header (columns.ts); no address is stored, so that a block may be copied anywhere, compared, saved
 * and restored.
 */

/** The simulation whose block is at an address. */
@inline
export function simulationAt(block: usize): Simulation {
  return changetype<Simulation>(block + SETTINGS);
}

/** Where the block of a simulation begins. */
@inline
export function blockOf(simulation: Simulation): usize {
  return changetype<usize>(simulation) - SETTINGS;
}

/** How far a block has come. */
export enum Stage {
  Prepared = 1,
  Arranged = 2,
  Begun = 3,
  /** All policies that share the simulation have reached their ends. */
  Shared = 4,
}

/** Header of a simulation, behind its settings: all its scalars. */
@unmanaged
export class Simulation {
  /** Tells a simulation from anything else. */
  magic: u32;
  stage: i32;
  bytes: u32;

  // Logs.
  /** Pairs that the log can hold; 0: processor sets are not tracked. */
  logCapacity: i32;
  /** Longest log before an event: one event can start jobs on all processors, some twice. */
  logLimit: i32;
  /** Pairs that the log of parts can hold, 0 without splitting; and its limit. */
  partCapacity: i32;
  partLimit: i32;
  /** Runs that the log of stopped runs can hold, 0: they are not kept; and its limit. */
  stopCapacity: i32;
  stopLimit: i32;
  /** A hash of what the places of all columns follow from. */
  layout: u64;

  // The policy; and whether it is the host's, which is asked.
  policy: i32;
  asks: i32;
  parameter0: f64;
  parameter1: f64;
  parameter2: f64;
  parameter3: f64;
  /** Whether it is chosen among candidates as it goes on: every so many submits, over a number of futures. */
  chooses: i32;
  /** How many policies of the column are candidates, or run together. */
  policyCount: i32;
  /** Whether candidates share trials (live/copies.ts); and whether choices are given. */
  sharesTrials: i32;
  choicesGiven: i32;
  every: i32;
  futures: i32;
  /** An option that has been set since otherwise than it was taken (engine/begin.ts), or -1. */
  differingOption: i32;
  /** How often the run has gone on since it was measured. */
  turns: i32;
  hysteresis: f64;
  smoothing: f64;
  seed: f64;
  /** Who is next, of candidates with rules by those of the one in force. `backfillOrder`: 1 + one, or 0. */
  order: i32;
  backfillOrder: i32;
  discipline: i32;

  /** The identity of the job table that it has begun with. */
  jobs: u64;

  // What the block is laid out for, fixed by `arrange`, in the order of `Room`.
  jobCount: i32;
  siteCount: i32;
  totalProcessors: i32;
  roomForRuns: i32;
  roomForParts: i32;
  roomForStops: i32;
  // From here to `speedHeterogeneity`: what simulations have in common that go on from each other's state.
  roomForRanks: i32;
  roomForGuests: i32;
  roomForMolds: i32;
  roomForPredictions: i32;
  roomForPlan: i32;
  roomForTransfers: i32;
  roomForKeys: i32;
  roomForIndex: i32;
  roomForPolicies: i32;
  roomForEstimates: i32;
  roomForLateRanks: i32;
  roomForSequences: i32;
  roomForTrials: i32;
  roomForEndedJobs: i32;
  roomForChoices: i32;
  roomForBackfillKeys: i32;
  roomForDependencies: i32;
  roomForKeysAtSubmit: i32;
  roomForKept: i32;
  roomForBackfillRanks: i32;
  /** Entries of columns whose rules are with those who use them. */
  counters: i32;
  queueWords: i64;
  predictionWords: i64;
  predictedEndWords: i64;
  planBlockWords: i64;
  planStepWords: i64;
  runWords: i64;
  /** 0: sites have no index; grid/siteIndex.ts. */
  indexWords: i64;
  /** How fine searchBounds.ts is, below 0: not kept; classes of widths; most slices of runBounds.ts. */
  searchBoundEntries: i64;
  boundShift: i32;
  boundRows: i32;
  boundSlices: i32;
  allocationWords: i64;

  // Taken from the options by `begin`: whether sets of processors and predicted ends are kept, and data move.
  tracksSets: i32;
  hasPredictions: i32;
  hasTransfers: i32;
  /** Whether sets of processors, parts, remote jobs, sizes of moldable jobs or predictions are kept. */
  hasExtras: i32;
  /** Which jobs have allocations; events/finishQueue.ts. */
  allocates: i32;
  /** Whether sites are searched by their index. */
  indexed: i32;
  /** How many slots any job may use where the number is the same for all homes, else 0. */
  commonCandidates: i32;
  resolution: i32;
  hasWholeTimes: i32;
  instant: i32;
  /** Whether candidates have rules of their own; the last of all disciplines that may be in force. */
  hasRules: i32;
  lastDiscipline: i32;
  topology: i32;
  /** How many jobs of a pass have reservations under EASY. */
  reservationDepth: i32;
  /** Whether reservations hold until their jobs start. */
  keepsReservations: i32;
  hasPriorityQueue: i32;
  /** By how many jobs of its user a job is estimated, 0: by its request; whether ranks come with submits. */
  recentJobs: i32;
  hasLateRanks: i32;
  /** Whether jobs have second ranks, which stay: in the order of backfilling, or of widths with bounds. */
  hasBackfillRanks: i32;
  /** The orders whose keys have bounds: 1 that of the queue, 2 that of backfilling, 3 both. */
  boundsKeys: i32;
  /** Whether estimates of jobs change while they wait; whether keys of the order do. */
  refreshesEstimates: i32;
  changesKeys: i32;
  /** Whether the host is asked for keys when jobs are submitted. */
  asksKeys: i32;
  /** Whether ranks come or change in the run, estimates are unknown, submits wait for other jobs' ends. */
  movesRanks: i32;
  hasNoEstimates: i32;
  hasDependencies: i32;
  reclaim: i32;
  multiSite: i32;
  /** How a job comes by its processors; placement/start.ts. */
  placement: i32;
  moldable: i32;
  moldableFit: i32;
  selection: i32;
  runtimeReference: i32;
  /** SH: population variance of the site speeds (Shih et al. 2010, eq. 3). */
  speedHeterogeneity: f64;

  // Refusals.
  refusedJob: i32;
  refusedSite: i32;
  refusedOption: i32;
  refusedRoom: i32;
  /** How long the run is expected to take. */
  span: f64;

  // Caches, which could be rebuilt. Whether the plan still holds: all has come as predicted since.
  planHolds: i32;
  /** Jobs before this one have been planned; and the least rank of those that have not. */
  planned: i32;
  unplannedRank: i32;
  /** How many jobs the plan has reserved; whether one has started past others, searchBounds.ts is used. */
  planReserved: i32;
  planDisturbed: i32;
  usesSearchBounds: i32;
  nextStartCount: i32;
  /** 1 + the job whose reservation is kept (disciplines/easy.ts), or 0; of those that delay it: easy.ts. */
  reservedJob: i32;
  untriedWidth: i32;
  delayEpoch: i32;
  /** Bounds of keys that are of an earlier epoch hold no more; queue/keyBounds.ts. */
  keyEpoch: i32;
  /** The index of sites: its parts and measures; sites moved in a what-if. */
  indexParts: i32;
  indexShift: i32;
  indexBlockBits: i32;
  indexWidest: i32;
  indexLeaves: i32;
  indexTouched: i32;

  /** Policies that share the simulation (live/) and may decide differently; their thresholds on SL. */
  memberCount: i32;
  thresholdCount: i32;
  forks: i32;
  joins: i32;
  sharedJobs: i64;

  // From here on the head is live, as are the columns behind it (columns.ts): accounts, on which no decision
  // depends, and what follows from the rest.
  waitingObserved: i64;
  maxWait: f64;
  lastEnd: f64;
  movedJobs: i32;
  splitJobs: i32;
  scaledDownJobs: i32;
  scaledUpJobs: i32;
  /** Jobs in `countedJobs`; and how many the accounts have (sums/metrics.ts). */
  counted: i32;
  accounted: i32;
  largestQueue: i32;
  decisionsAgreed: i32;
  decisionsBestFit: i32;
  decisionsFastestFirst: i32;
  restarts: i32;
  movedReservations: i32;
  /** Of a simulation that policies share: whether it has parted in a pass, which is to go on. */
  isMidPass: i32;
  /** Those of the members that it is the history of. */
  members: u64;
  /** Times at which candidates were tried, switches between them, and jobs that started in that. */
  trials: i32;
  switches: i32;
  triedJobs: i64;
  /** Entries in the logs. */
  logLength: i32;
  partsLength: i32;
  stopsLength: i32;
  /** Whether each block of ranks has a bound on the widths of its jobs; and whether no event is left. */
  widthsBounded: i32;
  finished: i32;

  // What decisions depend on.
  now: f64;
  /** The waiting queue is the window [head, next) of the job table, unless jobs wait in priority queues. */
  head: i32;
  next: i32;
  /** With dependencies, `next` being a job without: jobs submitted so far; and those in `released`. */
  submitted: i32;
  releasedJobs: i32;
  /** Waiting jobs in all priority queues. */
  waiting: i32;
  /** The job that found the queue empty in this instant, -1 when there is none: situation (a). */
  newcomer: i32;
  running: i32;
  /** 0: finishes are in a sorted array, 1: in a heap. */
  finishHeap: i32;
  /** Whether the last sweep stopped a job, so that jobs of queues it had passed may fit again. */
  reclaimed: i32;
  /** Whether something has happened in this instant, at whose end a pass follows. */
  passIsDue: i32;
  /** The job that the host is asked about, in whose place the pass goes on, or -1; and the answer. */
  asked: i32;
  answer: i32;
  /** 1 + the job whose keys the host has been asked for last, or 0; and whether it has given them. */
  keyedJob: i32;
  keysGiven: i32;
  /** 1 + the job whose end is known to those that wait already, since it changes their keys; or 0. */
  keyedEnd: i32;
  /** The queues [passQueue, passEnd) that this pass has yet to visit; -1: it tries the job alone. */
  passQueue: i32;
  passEnd: i32;
  /** The job that EASY has a reservation for in this pass, or -1. */
  reserved: i32;
  /** Whether a job has ever been told to wait although a site had room: it may fit without anything freed. */
  declined: i32;
  freeProcessors: i64;
  /** Among candidates: the one in force, and after how many submits they are next tried. */
  candidate: i32;
  nextTrial: i32;
  /** Jobs that have ended, where they are kept; whether a length was lost; random numbers drawn. */
  ended: i32;
  lost: i32;
  draws: u64;
}

/**
 * The next of the random numbers of a seed, uniform over 64 bits: output k = 1, 2, ... of the generator
 * splitmix64, which depends on nothing else (Steele, Lea, Flood 2014).
 */
export function draw(simulation: Simulation, seed: f64): u64 {
  let bits = <u64>seed + ++simulation.draws * 0x9e3779b97f4a7c15;
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
  return bits ^ (bits >> 31);
}

/** Where the live part of a simulation begins. */
@inline
export function liveOf(simulation: Simulation): usize {
  return changetype<usize>(simulation) + offsetof<Simulation>('waitingObserved');
}

/** A simulation begins with its seal, if it has one: by it a state is known again that was kept elsewhere. */
@unmanaged
export class Seal {
  /** Tells a sealed state from anything else. */
  magic: u32;
  version: i32;
  build: f64;
  bytes: u64;
  /** A hash of all of the block but itself. */
  hash: u64;
}

/** A line of a cache: what is behind is copied by forks, slower where it begins in mid-line. */
export const SEAL_ROOM: usize = 64;

/** Behind it is what the host sets, options and room, each a double; then all scalars (state.ts). */
export const SETTINGS: usize = SEAL_ROOM + (Option.COUNT + Room.COUNT) * sizeof<f64>();

/** Header of a job table: its size, and what `seal` found. */
@unmanaged
export class Jobs {
  /** Tells a job table from anything else. */
  magic: u32;
  bytes: u32;
  count: i32;
  /** Which columns it has besides: a sum of `Extra`. */
  extras: i32;
  /** A hash of all that the host wrote; 0 until the table is sealed. */
  identity: u64;
  /** Most processors of a job, greatest home site, longest runtime or estimate. */
  widest: i32;
  lastHome: i32;
  longest: f64;
  /** The shortest runtime above 0. */
  shortest: f64;
  /** Whether all submits, and think times, are whole seconds. */
  hasWholeSubmits: i32;
  /** Most bytes of a job. */
  largest: f64;
  /** The job that `seal` refused, or -1. */
  refused: i32;
}
