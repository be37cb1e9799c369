/**
 * The contract with the host: every number that both sides must agree on is declared here or, if it names
 * what is in memory, in abiColumns.ts, once, and read by the host from the binary's exports. The comments
 * of members are the tables of docs/abi.md. These files import nothing.
 */

/** The outcome of a call. Below 16 the call did what it should; from 16 up it refused. */
export enum Status {
  /** Done; for `runUntil`: no event is left. */
  Finished = 0,
  /** `runUntil` handled every event up to its time; more remain. */
  Paused = 1,
  /** Enlarge the logs and call again. */
  LogFull = 2,
  /** The host is asked which site a job gets: answer with `decide` and call again. */
  Decision = 3,
  /**
   * The host is asked for the keys of the job that is submitted next, or whose estimate the next end changes,
   * the scalar `KeyedJob`, whose `Estimate` is known: answer with `giveKeys` and call again.
   */
  Keys = 4,

  /** A job is submitted before the one above it (`sealJobs`). */
  JobsUnsorted = 16,
  /** A submit time is not a number from 0 up to 1e300 (`sealJobs`). */
  JobSubmitInvalid = 17,
  /**
   * A runtime is not a finite number, 0 or from 1e-250 on (`sealJobs`); or the longest runtime or estimate at
   * the largest load on the slowest site would exceed 1e15 seconds, or the shortest runtime above 0 at the
   * least load on the fastest site fall below 1e-250 (`begin`).
   */
  JobRuntimeInvalid = 18,
  /** A job needs less than one processor (`sealJobs`). */
  JobProcessorsInvalid = 19,
  /** A home is below 0 (`sealJobs`) or not a site of the grid (`begin`). */
  JobHomeInvalid = 20,
  /** A job needs more processors than it may use; `RefusedJob` is its index (`begin`). */
  JobTooWide = 21,
  /** A capacity below 1 (`RefusedSite`), or the sum is not what `arrange` was told. */
  SiteCapacityInvalid = 22,
  /** A speed is not a number above 0 and up to 1e100; `RefusedSite` is the site. */
  SiteSpeedInvalid = 23,
  /** A load is not a finite number above 0; `RefusedSite` is the site. */
  SiteLoadInvalid = 24,
  /** No policy has this number. */
  PolicyUnknown = 25,
  /**
   * A parameter is not finite, or a choice of `ChoicesGiven` is not a candidate; `RefusedOption` says which.
   */
  ParameterInvalid = 26,
  /** An option has a value that it does not take; `RefusedOption` says which. */
  OptionInvalid = 27,
  /** An estimate is not a finite number from 0 on (`sealJobs`). */
  JobEstimateInvalid = 28,
  /** Options exclude each other; `RefusedOption` is one of them. */
  OptionsConflict = 29,
  /** A number of bytes is not finite and from 0 on (`sealJobs`). */
  JobDataInvalid = 30,
  /**
   * A bandwidth from the home `RefusedSite` to another site is not above 0, or a latency is not a finite
   * number from 0 on.
   */
  TransferInvalid = 31,
  /**
   * With `RuntimeReference.Home`, a time factor is not a number above 0 and up to 1e100; `RefusedSite` is the
   * site.
   */
  TimeFactorInvalid = 32,
  /** There is no such option. */
  OptionUnknown = 33,
  /** `until` is not a number. */
  TimeInvalid = 34,
  /** There is no such room (`setRoom`). */
  RoomInvalid = 35,
  /**
   * The options need more than the simulation was laid out for, `RefusedRoom` says of what; or a fork needs
   * longer logs.
   */
  RoomTooSmall = 36,
  /**
   * Not all of the block is in memory, it is not on a multiple of 16 behind `firstAddress()`, or it overlaps
   * the job table.
   */
  MemoryMissing = 37,
  /** No job table has been laid out there. */
  NoJobTable = 38,
  /** No simulation has been prepared there, or it has not been laid out since its room was set. */
  NoSimulation = 39,
  /** The job table has not been sealed. */
  JobsUnsealed = 40,
  /**
   * The job table is not the one that the simulation has begun with, or does not have as many jobs as
   * the simulation was laid out for; or its columns have been written since it was sealed (`measure`, of a
   * run that took several calls).
   */
  JobsDiffer = 41,
  /** `begin` has not been called, or has refused. */
  NotBegun = 42,
  /** Events are left (`measure`). */
  NotFinished = 43,
  /** The key of a job in the `Order` or `BackfillOrder` is not finite (`begin`, `giveKeys`); `RefusedJob`. */
  JobKeyInvalid = 44,
  /** The two simulations differ in more than their policies, or overlap (`fork`). */
  SimulationsDiffer = 45,
  /** `decide` without a decision to be made, or `giveKeys` without keys to be given. */
  NoDecision = 46,
  /** The answer is not a site on which the job can start now (`RefusedJob`, `RefusedSite`). */
  SiteInfeasible = 47,
  /** A job waits, told to by the host, while nothing runs and no submit is left (`RefusedJob`). */
  QueueStuck = 48,
  /** Policies that share no simulation, or that exist under options under which none is shared. */
  PoliciesUnshared = 49,
  /** More than 64 policies that may decide differently. */
  PoliciesTooMany = 50,
  /** The last bit of a sum is open, which a run of the policy by itself settles. */
  SumUnsettled = 51,
  /** A user that is neither -1 nor less than the number of jobs. */
  JobUserInvalid = 52,
  /**
   * A preceding job or a first piece that does not come before its job, or a think time that is not from 0 up
   * to 4e290.
   */
  JobDependencyInvalid = 53,
  /**
   * The `Interval` is so short that it would not move the clock late in the run, or means more than
   * `Limit.Passes` passes over the `Span` that the run is expected to take (`begin`), or took (`runUntil`).
   */
  IntervalTooShort = 54,
  /** A decision is pending: answer it and continue the run first (`changeSpeeds`). */
  DecisionPending = 55,
  /** The bytes are not what `sealState` has sealed: damaged, cut off, or never sealed (`checkState`). */
  StateDamaged = 56,
  /** The state was sealed by another build of the core, which alone can continue from it (`checkState`). */
  BuildDiffers = 57,
  /**
   * Since the run began, an option has been set (`RefusedOption`) or a column written that it does not take
   * then: call `begin`, or `changePolicy` or `changeSpeeds` for theirs, or restore the previous value
   * (`runUntil`, `runTogether`; `measure`, which looks at columns by job too).
   */
  SettingsDiffer = 58,
}

/** What execution times are rounded to. */
export enum Resolution {
  /** As computed. */
  Exact = 0,
  /** To the nearest second, floor(x + 0.5). */
  Nearest = 1,
  /** Down to whole seconds, floor(x). */
  Floor = 2,
  COUNT = 3,
}

/** When allocation passes follow events. */
export enum Instant {
  /** An allocation pass after every event. */
  PerEvent = 0,
  /** One pass after all events of an instant. */
  Batched = 1,
  COUNT = 2,
}

/** The order of the jobs in a queue: least key first, equal keys by submit and job index. */
export enum Order {
  /** The key is 0: jobs are in the order of their submits. */
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
  /** What the host writes into the column `Key`. */
  Given = 7,
  /**
   * -(((q * q) * q) * processors), q = wait / max(1, estimate * load): changes with time, so that queues are
   * put in order before every pass. Not with `Reclaim` and `Moldable`.
   */
  Wfp3 = 8,
  COUNT = 9,
}

/**
 * What happens when the first job in the order does not fit. `Easy` and `Conservative` go with `Shared` and
 * `Independent`, and not with `MultiSite`; `Selection` says which sites they choose.
 */
export enum Discipline {
  /** It blocks those behind it. */
  FirstComeFirstServed = 0,
  /** It is passed over, and every job that fits starts. */
  FirstAvailable = 1,
  /** It has a reservation; jobs that do not delay it, by the estimates, start before it. */
  Easy = 2,
  /**
   * Every job that must wait has a reservation; jobs that delay none before them, by the estimates, start.
   */
  Conservative = 3,
  COUNT = 4,
}

/** Which jobs wait together, and where they may run. */
export enum Topology {
  /** One queue for the grid. */
  Shared = 0,
  /** One queue per home site, swept in the order of the sites; not with `FirstAvailable`. */
  PerHome = 1,
  /** One queue per home site, whose jobs run nowhere else. */
  Independent = 2,
  COUNT = 3,
}

/** How a job is split that no single site has room for. */
export enum MultiSite {
  /** Not at all. */
  None = 0,
  /** Over the sites with the most free processors. */
  LargerFirst = 1,
  /** Over the fastest sites. */
  FasterFirst = 2,
  /** As the one of the two after which more waiting jobs could start. */
  Adaptive = 3,
  COUNT = 4,
}

/**
 * Whether a job may run on other than its processors (Huang et al. 2009). Only with `FirstComeFirstServed` on
 * one `Shared` queue, and neither with `MultiSite` nor with a `MinSpeedRatio`; `Policy` then has no effect.
 */
export enum Moldable {
  /** No. */
  None = 0,
  /** On fewer, rather than wait. */
  Down = 1,
  /** Also on more, where no job waits behind it; on one site only. */
  UpDown = 2,
  COUNT = 3,
}

/** Which site a moldable job gets among those with room for all its processors. */
export enum MoldableFit {
  /** Whose free processors are nearest to what the job needs at the site's speed. */
  Demand = 0,
  /** With the fewest free processors. */
  Processors = 1,
  /** Whose free processors * speed are nearest to the job's processors * speed of its home. */
  Power = 2,
  COUNT = 3,
}

/**
 * Which sites a job gets, now or later, under `Easy` and `Conservative` (the first three: Zhang et al. 2006,
 * section 4). A `MinSpeedRatio` goes with `Allocator` alone, which on one `Shared` queue goes with none of
 * `MultiSiteFactor`, `Transfers` and `RuntimeReference.Home`.
 */
export enum Selection {
  /** On which it ends soonest, of all sets of sites (at most 16 sites with a `MultiSiteFactor`). */
  Optimal = 0,
  /** The same of single sites and sets of the fastest sites. */
  Greedy = 1,
  /** On which it can start now: its home, another site, several sites. */
  NonAdaptive = 2,
  /** Now the one that `Policy` chooses where no reservation is delayed; else where it starts first. */
  Allocator = 3,
  COUNT = 4,
}

/** What becomes of the reservations of `Conservative`. */
export enum Reservations {
  /** Every pass plans them again (Zhang et al. 2006). */
  Replanned = 0,
  /** They hold until their jobs start; when a job ends each may become earlier (Mu'alem, Feitelson 2001). */
  Kept = 1,
  COUNT = 2,
}

/** Limits that hosts must know. */
export enum Limit {
  /** Most sites of a grid with `Optimal` and a `MultiSiteFactor`. */
  SitesOfSets = 16,
  /** Bytes of a simulation that must be there for `prepare`. */
  HeadBytes = 2048,
  /** Most passes that an `Interval` may mean. */
  Passes = 10000000,
  /** Seconds as which shorter executions count in the bounded slowdown. */
  BoundedExecution = 10,
}

/** What a look-ahead counts of the waiting jobs that could start at once (Shih et al. 2010). */
export enum LookAhead {
  /** The jobs, TNoA (eq. 8). */
  Jobs = 0,
  /** The capacity that they take, TCC: the sum of speed * processors (eq. 13). */
  Capacity = 1,
}

/** The machine to which runtimes refer. */
export enum RuntimeReference {
  /** A machine of speed 1. */
  Speed1 = 0,
  /** The job's home site; with `Easy` and `Conservative` only. */
  Home = 1,
  COUNT = 2,
}

/** Options of a simulation, each a double, set before `begin`. */
export enum Option {
  /** Number of the allocator. */
  Policy = 0,
  /** Its first parameter. */
  Parameter0 = 1,
  /** Its second parameter. */
  Parameter1 = 2,
  /** Its third parameter. */
  Parameter2 = 3,
  /** Its fourth parameter. */
  Parameter3 = 4,
  /** A `Resolution`. */
  Resolution = 5,
  /** An `Instant`. */
  Instant = 6,
  /** Sites slower than this times the speed of a job's home are not candidates. */
  MinSpeedRatio = 7,
  /** A `Discipline`. */
  Discipline = 8,
  /** A `Topology`. */
  Topology = 9,
  /** 1: sites stop jobs from elsewhere to start their own; with `PerHome` only, and not with `MultiSite`. */
  Reclaim = 10,
  /** A `MultiSite`. */
  MultiSite = 11,
  /** p: a split job runs 1 + p times as long. */
  MultiSiteOverhead = 12,
  /** A `Moldable`. */
  Moldable = 13,
  /** x: a job is scaled down if Tsd <= x * To; 0: always. */
  MoldableThreshold = 14,
  /** A `MoldableFit`. */
  MoldableFit = 15,
  /** A of Downey's speed-up, at least 1; 0: linear. */
  SpeedupA = 16,
  /** sigma of Downey's speed-up. */
  SpeedupSigma = 17,
  /** A `Selection`; used by `Easy` and `Conservative`. */
  Selection = 18,
  /**
   * p, at least 1: under `Easy` and `Conservative` a job may run on several sites, p times as long; 0: on
   * single sites only.
   */
  MultiSiteFactor = 19,
  /** A `RuntimeReference`. */
  RuntimeReference = 20,
  /**
   * Seconds between allocation passes under `Easy` and `Conservative`, from the first submit of each queue
   * on; 0: as `Instant` says.
   */
  Interval = 21,
  /** 1: which processors each job holds is kept, in `LogIndex` and `Log`. */
  ProcessorSets = 22,
  /** 1: data move, by `Bandwidth` and `Latency`; with `Easy` and `Conservative` only. */
  Transfers = 23,
  /** An `Order`. */
  Order = 24,
  /**
   * n: a job is estimated, at its submit, by the mean of what the last n jobs of its user took that have
   * ended, and at most by `JobColumn.Estimate`; 0: by that. Not with a `MoldableThreshold`.
   */
  RecentJobs = 25,
  /**
   * 1 + an `Order`, where `Given` is what the host writes into the column `BackfillKey`: under `Easy` the
   * jobs behind the one that has the reservation are tried in this order; 0: in that of the queue.
   */
  BackfillOrder = 26,
  /** Its fifth parameter. */
  Parameter4 = 27,
  /** Its sixth parameter. */
  Parameter5 = 28,
  /** 1: estimates are unknown; not with what decides by them. */
  NoEstimates = 29,
  /** 1: the candidates that come into force are given, in `GivenChoice`, and none is tried. */
  ChoicesGiven = 30,
  /**
   * 1: jobs are submitted when those that they depend on have ended (`Extra.Dependencies`); not with
   * `Independent`.
   */
  Dependencies = 31,
  /**
   * 1 + a `Discipline`: candidates have rules of their own, in the column `CandidateRules`, and no discipline
   * behind this one; 0: they are policies alone.
   */
  CandidateRules = 32,
  /** 1: keys that the host writes (`Order.Given`) are made from estimates; not with `NoEstimates`. */
  KeysByEstimate = 33,
  /** How many rows of `Policies` are the policies that `runTogether` runs. */
  SharedPolicies = 34,
  /** 1: `runUntil` asks the host for the keys of `Given` orders when a job is submitted (`Status.Keys`). */
  KeysAtSubmit = 35,
  /**
   * A `Reservations`; `Kept` with `Conservative` only, and neither with a `MultiSiteFactor` and an `Interval`
   * nor with a policy that is chosen among candidates. `Instant` then has no effect.
   */
  Reservations = 36,
  /** 1 + how many jobs of a pass `Easy` makes reservations for; 0: for one. */
  ReservationDepth = 37,
  /**
   * 1: with `RecentJobs` the estimates of waiting jobs are renewed when jobs end, and so are keys that
   * depend on them; 0: they hold from the submit on. Not with `Kept`.
   */
  RefreshEstimates = 38,
  COUNT = 39,
}
