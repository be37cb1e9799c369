import { Option } from '../abi/abi';
import { Room } from '../abi/abiColumns';
import { copyBytes } from './memory';

/**
 * Headers of a simulation and of a job table. Both are memory blocks that the host places at multiples of 16.
 * The columns follow the header, at positions that numbers in the header determine (columns.ts). No address
 * is stored, so a block may be copied anywhere, compared, saved and restored.
 */

/** Simulation whose block is at an address. */
@inline
export function simulationAt(blockAddress: usize): Simulation {
  return changetype<Simulation>(blockAddress + SETTINGS_BYTES);
}

/** Address of a simulation's block. */
@inline
export function blockAddressOf(simulation: Simulation): usize {
  return changetype<usize>(simulation) - SETTINGS_BYTES;
}

/** Stages of a block. */
export enum Stage {
  Prepared = 1,
  Arranged = 2,
  Begun = 3,
  /** All policies that share the simulation have reached their ends. */
  Shared = 4,
}

/** Header of a simulation, after its settings: all its scalars. Flags are 0 or 1; times are in seconds. */
@unmanaged
export class Simulation {
  /** Constant that identifies a simulation. */
  magic: u32;
  stage: i32;
  bytes: u32;

  // Log capacities.
  /** Capacity of the log in pairs; 0: processor sets are not recorded. */
  logCapacity: i32;
  /** Largest log length before an event: one event can start jobs on all processors, some of them twice. */
  logLimit: i32;
  /** Capacity and limit of the log of parts in pairs; 0 without splitting. */
  partCapacity: i32;
  partLimit: i32;
  /** Capacity and limit of the log of preemptions; 0: not recorded. */
  stopCapacity: i32;
  stopLimit: i32;
  /** Hash of all numbers that determine the positions of the columns. */
  layout: u64;

  // Number of the policy, and a flag: the host chooses sites (`CUSTOM_POLICY_NUMBER`).
  policy: i32;
  asksHost: i32;
  parameter0: f64;
  parameter1: f64;
  parameter2: f64;
  parameter3: f64;
  /** Flag: the policy changes among candidates. */
  choosesPolicies: i32;
  /** Number of policies in the column that are candidates, or run together. */
  policyCount: i32;
  /** Flags: candidates share trials (live/copies.ts); the host gives the choices. */
  sharesTrials: i32;
  choicesGiven: i32;
  /** Number of submissions between trials, and number of futures per trial. */
  submitsPerTrial: i32;
  futureCount: i32;
  /** First option that the host has changed since `begin` copied it (engine/begin.ts); -1 if none. */
  differingOption: i32;
  /** Number of calls that continued the run since `begin` or `measure`. */
  turns: i32;
  hysteresis: f64;
  smoothing: f64;
  seed: f64;
  /**
   * Order and discipline in effect; with candidates that have rules, those of the current one.
   * `backfillOrder`: 1 + an order, or 0.
   */
  order: i32;
  backfillOrder: i32;
  discipline: i32;

  /** Hash of the jobs that the run knows, and the number of these jobs (engine/appendedJobs.ts). */
  jobsIdentity: u64;
  knownJobs: i32;
  /** Flag: jobs may be appended. */
  isOpen: i32;

  // Sizes set by `arrange`, in the order of `Room`.
  jobCount: i32;
  siteCount: i32;
  totalProcessors: i32;
  roomForRuns: i32;
  roomForParts: i32;
  roomForStops: i32;
  // From here to `speedHeterogeneity`: equal in simulations that can continue each other's state.
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
  roomForNodePlan: i32;
  roomForCancellations: i32;
  roomForProgram: i32;
  roomForProgramInputs: i32;
  roomForUsers: i32;
  roomForGroups: i32;
  roomForLimits: i32;
  roomForOutages: i32;
  roomForSiteSets: i32;
  /** Sizes of columns, determined by the files that use them. */
  rankCounterCount: i32;
  queueWords: i64;
  predictionWords: i64;
  predictedEndWords: i64;
  planBlockWords: i64;
  planStepWords: i64;
  runWords: i64;
  /** Size of the index of sites in words; 0: no index; grid/siteIndex.ts. */
  indexWords: i64;
  allocationWords: i64;
  /** Number of doubles, width classes and largest number of slices of the bounds of runs; runBounds.ts. */
  boundEntries: i64;
  boundRows: i32;
  boundSlices: i32;

  // Copied from the options by `begin`: flags of processor sets, predicted ends, and data transfers.
  tracksSets: i32;
  hasPredictions: i32;
  hasTransfers: i32;
  /** Flag: processor sets, parts, remote jobs, sizes of moldable jobs or predictions are stored. */
  hasExtras: i32;
  /** An `AllocationRule` (events/finishQueue.ts): jobs that have allocations. */
  allocationRule: i32;
  /** Flag: sites are found by their index. */
  usesIndex: i32;
  /** Number of slots that a job may use, if it is the same for all jobs; otherwise 0. */
  commonCandidates: i32;
  /** Number of sets of sites, and of slots of all sites and of all sets; grid/siteSets.ts. */
  siteSets: i32;
  slotCount: i32;
  /** Flag: the candidates of every job begin with the first slot. */
  hasCommonSlots: i32;
  resolution: i32;
  hasWholeTimes: i32;
  instant: i32;
  /** Flags: passes come at times of their own (disciplines/passTimes.ts); plans are by nodes. */
  timesPasses: i32;
  plansByNodes: i32;
  /** Flag: plans by count have end windows, closed overlap or a resolution. */
  hasPlanRules: i32;
  /**
   * Flag: candidates have rules of their own; and the last discipline in their order that may take effect.
   */
  hasRules: i32;
  lastDiscipline: i32;
  topology: i32;
  /** Number of jobs per pass with reservations under EASY. */
  reservationDepth: i32;
  /** Flag: reservations hold until their jobs start. */
  keepsReservations: i32;
  hasPriorityQueue: i32;
  /**
   * Number of a user's recent jobs in an estimate, 0: the request is used; flag: ranks are determined at
   * submission.
   */
  recentJobs: i32;
  hasLateRanks: i32;
  /** Flag: jobs have constant second ranks, in the backfilling order or, with bounds of keys, by width. */
  hasBackfillRanks: i32;
  /** Orders whose keys have bounds: 1 the queue's, 2 backfilling's, 3 both. */
  boundsKeys: i32;
  /** Flags: estimates of waiting jobs change; keys of the order change. */
  refreshesEstimates: i32;
  changesKeys: i32;
  /** Flag: the host is asked for keys at submission. */
  asksKeys: i32;
  /**
   * Flags: ranks are set or changed during the run; estimates are unknown; submissions wait for other jobs'
   * ends.
   */
  movesRanks: i32;
  hasNoEstimates: i32;
  hasDependencies: i32;
  /** Jobs are not cancelled (0), as the job table says (1), or also by the host during the run (2). */
  hasCancellations: i32;
  /** Orders that are expressions: 1 the queue's, 2 backfilling's, 3 both; and numbers of users and groups. */
  programOrders: i32;
  users: i32;
  groups: i32;
  /** Number of accounts with limits (placement/limits.ts). */
  limits: i32;
  /** Number of outages, the `OnOutage` rule, and a flag: jobs may be preempted. */
  outages: i32;
  onOutage: i32;
  preempts: i32;
  /** Factor by which usage is reduced in a step; 0: usage is not kept. */
  usageDecay: f64;
  reclaim: i32;
  multiSite: i32;
  /** A `PlacementKind` (placement/start.ts). */
  placement: i32;
  moldable: i32;
  moldableFit: i32;
  selection: i32;
  runtimeReference: i32;
  /** SH: population variance of the site speeds (Shih et al. 2010, eq. 3). */
  speedHeterogeneity: f64;

  // Last refusals; -1 if none.
  refusedJob: i32;
  refusedSite: i32;
  refusedOption: i32;
  refusedRoom: i32;
  /** Expected duration of the run in seconds. */
  span: f64;

  // Caches that can be rebuilt. Flag: the plan is still valid, because everything has happened as predicted.
  planHolds: i32;
  /**
   * First job that arrived after the last plan was made; and the lowest rank of a job that has not been
   * planned.
   */
  firstNewJob: i32;
  unplannedRank: i32;
  /**
   * Number of jobs with reservations in the plan; flag: a job that needs no reservation has started under
   * EASY.
   */
  planReserved: i32;
  planDisturbed: i32;
  nextStartCount: i32;
  /**
   * 1 + the job whose reservation is stored (disciplines/easy.ts), or 0. Then what EASY knows of jobs that
   * would delay it: the smallest width of a job that has not been tried, and the current epoch of the widths
   * by block.
   */
  reservedJob: i32;
  untriedWidth: i32;
  delayEpoch: i32;
  /** Current epoch; bounds of keys from earlier epochs are invalid; queue/keyBounds.ts. */
  keyEpoch: i32;
  /** 1 + the first job whose key was not finite in a pass (queue/agingKeys.ts), or 0. */
  keylessJob: i32;
  /** Index of sites: its parts and sizes, and the number of sites changed in a look-ahead. */
  indexParts: i32;
  indexBlockSitesLog2: i32;
  indexBlockBits: i32;
  indexWidest: i32;
  indexLeaves: i32;
  indexChanged: i32;

  /** Number of members of a shared simulation (live/), and of their thresholds on SL. */
  memberCount: i32;
  thresholdCount: i32;
  forks: i32;
  joins: i32;
  sharedJobs: i64;

  // From here on the header is live, as are the columns after it (columns.ts). First the accounts, on which
  // no decision depends, and values that follow from the rest.
  waitingObserved: i64;
  maxWait: f64;
  lastEnd: f64;
  movedJobs: i32;
  splitJobs: i32;
  scaledDownJobs: i32;
  scaledUpJobs: i32;
  /** Number of jobs in the column `countedJobs`, and of those included in the accounts (sums/metrics.ts). */
  countedJobCount: i32;
  accountedJobs: i32;
  largestQueue: i32;
  decisionsAgreed: i32;
  decisionsBestFit: i32;
  decisionsFastestFirst: i32;
  restarts: i32;
  movedReservations: i32;
  /** Flag of a shared simulation: it has forked during a pass, which must continue. */
  isMidPass: i32;
  /** Set of the members that share this history. */
  members: u64;
  /**
   * Numbers of submissions at which candidates were tried, of changes of candidate, and of jobs started in
   * trials.
   */
  trials: i32;
  switches: i32;
  triedJobs: i64;
  /** Lengths of the logs. */
  logLength: i32;
  partsLength: i32;
  stopsLength: i32;
  stepsLength: i32;
  failedLength: i32;
  /** Flags: each block of ranks has a bound of its jobs' widths; no event is left. */
  widthsBounded: i32;
  isFinished: i32;

  /** Number of jobs whose rows have been removed; all are included in the accounts (engine/compaction.ts). */
  removedRows: f64;
  /** Number of jobs that are cancelled at some time, and of those of them that the host has removed. */
  cancelledJobs: i32;
  removedJobs: i32;
  /** Flag: jobs may still be appended; and the time up to which all events have been handled. */
  awaitsJobs: i32;
  handledUntil: f64;

  // State on which decisions depend.
  now: f64;
  /** Time of the pass that is due, if one is. */
  passTime: f64;
  /** Time of the last pass that an event asked for. */
  lastPass: f64;
  /** A `PassKind`: kind of the current pass (disciplines/passTimes.ts). */
  passKind: i32;
  /**
   * A `RestPeriod`: until when passes that backfill can start no job (disciplines/passTimes.ts); and the
   * number of waiting jobs before the pass.
   */
  backfillRests: i32;
  waitingBefore: i32;
  /** The only job that has joined since no waiting job could start, plus 1; 0 if there is no such job. */
  newJob: i32;
  /** The waiting queue is the window [head, next) of the job table, unless jobs wait in priority queues. */
  head: i32;
  next: i32;
  /**
   * With dependencies, where `next` skips jobs that depend on others: number of jobs submitted, and of jobs
   * in the column `releasedHeap`.
   */
  submittedJobs: i32;
  releasedJobs: i32;
  /** Number of waiting jobs that will be cancelled; events/cancellations.ts. */
  leavingJobs: i32;
  /** Number of jobs that the host holds: they have been submitted and are in no queue. */
  heldJobs: i32;
  /** Number of capacity changes that have happened; events/capacityChanges.ts. */
  changedCapacities: i32;
  /** Number of waiting jobs in all priority queues. */
  waitingJobs: i32;
  /** Job that found the queue empty in this instant (situation (a)); -1 if none. */
  arrivingJob: i32;
  runningJobs: i32;
  /** 0: finishes are a sorted array, 1: a heap. */
  finishHeap: i32;
  /** Flag: the last sweep preempted a job, so jobs of queues visited before may now fit. */
  hasReclaimed: i32;
  /** Flag: an event has happened since the last pass, so a pass follows at `passTime`. */
  passIsDue: i32;
  /**
   * Job about which the host decides, at which the pass continues, or -1; and the host's answer, a site or a
   * `CustomPolicyAnswer`.
   */
  decisionJob: i32;
  decisionAnswer: i32;
  /** 1 + the job whose keys the host was last asked for, or 0; and a flag that it has given them. */
  keyedJob: i32;
  keysGiven: i32;
  /** 1 + the job whose end waiting jobs already know, because it changes their keys; or 0. */
  keyedEnd: i32;
  /** Flag: a pass has begun, so keys of expressions have to be computed before jobs are sorted. */
  keysDue: i32;
  /**
   * Number of usage steps that are over, and the sum of the usage of all users and of all groups after the
   * last of them.
   */
  usageSteps: f64;
  usageOfUsers: f64;
  usageOfGroups: f64;
  /** Number of users seen, among the jobs before `seenJobs`. */
  seenUsers: i32;
  seenJobs: i32;
  /** Flag: use of running jobs counts by number (queue/usage.ts). */
  countsByNumber: i32;
  /** Number of jobs whose bits are set in the column `runningBits`; only for usage by number. */
  unsettledJobs: i32;
  /** Index of the first word of 64 jobs, of which some wait, run or have use to be added. */
  firstOpenWord: i32;
  /** Number of jobs whose submissions have been examined for shares of their accounts. */
  jobsWithShares: i32;
  /** Number of jobs ended by outages in this instant (column `lateUseJobs`). */
  lateUses: i32;
  /** Time in seconds of the instant to which `lateUses` belongs. */
  lateUseTime: f64;
  /** 1 + a job that no limit holds any more and that has no reservation yet, in a list; or 0. */
  releasedHeld: i32;
  /**
   * Queues [passQueue, passEnd) that the pass still has to visit after the pending decision; passQueue -1:
   * the pass tries a single job.
   */
  passQueue: i32;
  passEnd: i32;
  /**
   * Last job that got a reservation under EASY in this pass, once all of its reservations are made; -1
   * before.
   */
  lastReservedJob: i32;
  /** Flag: the host has let a job wait although a site had room, so it may fit without any end. */
  hasDeclined: i32;
  freeProcessors: i64;
  /** Current candidate, and the number of submissions at which candidates are tried next. */
  candidate: i32;
  nextTrial: i32;
  /**
   * Number of jobs in the column `endedJobs`; flag: a length was absorbed by rounding; number of random
   * draws.
   */
  endedJobCount: i32;
  lengthAbsorbed: i32;
  draws: u64;
}

/**
 * Next random number of a seed, uniform over 64 bits: output k = 1, 2, ... of the generator splitmix64,
 * independent of everything else (Steele, Lea, Flood 2014).
 */
export function draw(simulation: Simulation, seed: f64): u64 {
  let bits = <u64>seed + ++simulation.draws * 0x9e3779b97f4a7c15;
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
  return bits ^ (bits >> 31);
}

/** Address of the live part of a simulation. */
@inline
export function liveStateAddressOf(simulation: Simulation): usize {
  return changetype<usize>(simulation) + offsetof<Simulation>('waitingObserved');
}

/** First bytes of a stored state: its format, version, build, size and hash. */
@unmanaged
export class StateSeal {
  /** Constant that identifies a sealed state. */
  magic: u32;
  version: i32;
  build: f64;
  bytes: u64;
  /** Hash of the whole block without the seal. */
  hash: u64;
}

/**
 * Size of the seal in bytes: one cache line, because forks copy what follows, which is slower from the middle
 * of a line.
 */
export const SEAL_BYTES: usize = 64;

/**
 * Size in bytes of the seal and the settings after it (options and room, each a double); all scalars follow.
 */
export const SETTINGS_BYTES: usize = SEAL_BYTES + (Option.COUNT + Room.COUNT) * sizeof<f64>();

/** Header of a job table: its size, and results of `sealJobs`. */
@unmanaged
export class Jobs {
  /** Constant that identifies a job table. */
  magic: u32;
  bytes: u32;
  /** Number of jobs that the table can hold. */
  capacity: i32;
  /** Sum of `Extra` for the optional columns. */
  extras: i32;
  /** Job that `sealJobs` or `appendJobs` refused; -1 if none. */
  refused: i32;
  /** Number of jobs that are checked and known to runs. From here on, what an append changes. */
  count: i32;
  /** Hash of all columns written by the host; 0 until the table is sealed. */
  identity: u64;
  /** Largest number of processors, highest home site, longest runtime or estimate of a job. */
  widest: i32;
  lastHome: i32;
  longest: f64;
  /** Shortest positive runtime in seconds; +infinity if there is none. */
  shortest: f64;
  /** Flag: all submissions and think times are whole seconds. */
  hasWholeSubmits: i32;
  /** Highest set of sites of a job. */
  lastSiteSet: i32;
  /** Largest number of input bytes of a job. */
  largest: f64;
  /**
   * Number of jobs that are cancelled; and a flag: the ends of some jobs are unknown until the host calls
   * `endJob`.
   */
  cancelled: i32;
  hasUnknownEnds: i32;
  /** Copies made by `saveJobTableFields`: the fields from `count` on, as they were before the last append. */
  savedWord0: u64;
  savedWord1: u64;
  savedWord2: u64;
  savedWord3: u64;
  savedWord4: u64;
  savedWord5: u64;
  savedWord6: u64;
  savedWord7: u64;
  savedWord8: u64;
  savedWord9: u64;
}

/** Saves the derived fields of a table before an append. */
export function saveJobTableFields(jobs: Jobs): void {
  const tableAddress = changetype<usize>(jobs);
  const savedFieldsAddress = tableAddress + offsetof<Jobs>('savedWord0');
  copyBytes(
    savedFieldsAddress,
    tableAddress + offsetof<Jobs>('count'),
    offsetof<Jobs>('savedWord0') - offsetof<Jobs>('count'),
  );
}

/** Restores the derived fields of a table as they were before the last append. */
export function restoreJobTableFields(jobs: Jobs): void {
  const tableAddress = changetype<usize>(jobs);
  const savedFieldsAddress = tableAddress + offsetof<Jobs>('savedWord0');
  copyBytes(
    tableAddress + offsetof<Jobs>('count'),
    savedFieldsAddress,
    offsetof<Jobs>('savedWord0') - offsetof<Jobs>('count'),
  );
}
