/**
 * The contract with the host: every number that both sides must agree on is declared here or, if it names
 * what stands in memory, in abiColumns.ts, once, and read by the host from the binary's exports. Both files
 * import nothing.
 */
export const ABI_VERSION: i32 = 5;

/** What a call came to. Codes from 16 up are refusals; a scalar of that name tells the job, site, ... */
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
  TimeFactorInvalid = 32,
  OptionUnknown = 33,
  /** `until` is not a number. */
  TimeInvalid = 34,
  /** Numbers of entries that are no whole numbers in their range, or more than memory can ever hold. */
  RoomInvalid = 35,
  /** The options need more room than the simulation was laid out with. */
  RoomTooSmall = 36,
  /** The host has not provided the memory of a block, or it belongs to another. */
  MemoryMissing = 37,
  /** Calls out of order: nothing has been laid out at the address. */
  NoJobTable = 38,
  NoSimulation = 39,
  /** The table has not been sealed, or is not the one that the simulation has begun with. */
  JobsUnsealed = 40,
  JobsDiffer = 41,
  /** `begin` has not been called or has refused; or events are left. */
  NotBegun = 42,
  NotFinished = 43,
  /** A key of the order that is not finite. */
  JobKeyInvalid = 44,
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

/** The order of the waiting jobs: a key per job, the least first, equal keys by job index. */
export enum Order {
  /** 0. */
  Submit = 0,
  /** Processors. */
  Narrowest = 1,
  /** -processors. */
  Widest = 2,
  /** Estimate * load of the home. */
  Shortest = 3,
  /** -(estimate * load). */
  Longest = 4,
  /** (estimate * load) * processors. */
  SmallestArea = 5,
  /** -((estimate * load) * processors). */
  LargestArea = 6,
}

/** What happens when the first job in the order does not fit. */
export enum Discipline {
  /** It blocks those behind it. */
  FirstComeFirstServed = 0,
  /** It is passed over: every job that fits starts. */
  FirstAvailable = 1,
  /** It has a reservation; jobs that do not delay it, by the estimates, start before it. */
  Easy = 2,
  /** It has a reservation, and so has every job behind it; jobs that do not delay them start. */
  Conservative = 3,
}

/** Whether jobs start at predicted times, by their estimates. */
@inline
export function plansAhead(discipline: Discipline): bool {
  return discipline === Discipline.Easy || discipline === Discipline.Conservative;
}

/** Whether the first job that cannot start keeps those behind it waiting, which are else tried too. */
@inline
export function blocks(discipline: Discipline): bool {
  return discipline === Discipline.FirstComeFirstServed;
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
  /** Bytes of a simulation that must be there before it is laid out. */
  HeadBytes = 2048,
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
  /** Whether to keep which processors each job holds (0 or 1). */
  ProcessorSets = 22,
  /** Whether data move, by the columns of bandwidths and latencies (0 or 1). */
  Transfers = 23,
  Order = 24,
  COUNT = 25,
}
