/**
 * Contract with the host, first part: status codes, options and their values. Every number that core and host
 * must agree on is declared once, here or in abiColumns.ts (memory contents), and the host reads it from the
 * binary's exports. The comments of members become the tables of docs/abi.md. These files import nothing.
 */

/** Outcome of a call. Below 16 the call succeeded; from 16 up it was refused. */
export enum Status {
  /** Done; for `runUntil`: no event is left. */
  Finished = 0,
  /** `runUntil` handled every event up to its time; more remain. */
  Paused = 1,
  /** Enlarge the logs and call again. */
  LogFull = 2,
  /** The host must choose a site for a job: answer with `decide` and call again. */
  Decision = 3,
  /**
   * The host must give the keys of the job in the scalar `KeyedJob`, whose `Estimate` is known: answer with
   * `giveKeys` and call again. The job is submitted next, or the next end changes its estimate.
   */
  Keys = 4,

  /** A job has an earlier submission time than the job before it (`sealJobs`). */
  JobsUnsorted = 16,
  /** A submission time is not a number from 0 to 1e300 (`sealJobs`). */
  JobSubmitInvalid = 17,
  /**
   * A runtime is neither 0 nor a finite number of at least 1e-250 (`sealJobs`). Or an execution time is out
   * of range (`begin`): the longest runtime or estimate, at the largest load on the slowest site, would
   * exceed 1e15 seconds; or the shortest positive runtime, at the smallest load on the fastest site, would be
   * below 1e-250.
   */
  JobRuntimeInvalid = 18,
  /** A job needs less than one processor (`sealJobs`). */
  JobProcessorsInvalid = 19,
  /** A home is negative (`sealJobs`) or not a site of the grid (`begin`). */
  JobHomeInvalid = 20,
  /** A job needs more processors than it may ever use (`begin`); `RefusedJob` is its index. */
  JobTooWide = 21,
  /** A capacity is below 1 (`RefusedSite`), or the capacities do not add up to the room for `Processors`. */
  SiteCapacityInvalid = 22,
  /** A speed is not a positive number of at most 1e100; `RefusedSite` is the site. */
  SiteSpeedInvalid = 23,
  /** A load is not a positive finite number; `RefusedSite` is the site. */
  SiteLoadInvalid = 24,
  /** No policy has this number. */
  PolicyUnknown = 25,
  /**
   * A parameter is not finite, or a choice of `ChoicesGiven` is not a candidate; `RefusedOption` is the
   * option.
   */
  ParameterInvalid = 26,
  /** An option has a value outside its range; `RefusedOption` is the option. */
  OptionInvalid = 27,
  /** An estimate is not a finite number of at least 0, or too long (`sealJobs`, `changeEstimate`). */
  JobEstimateInvalid = 28,
  /** Options exclude each other; `RefusedOption` is one of them. */
  OptionsConflict = 29,
  /** A number of bytes is not a finite number of at least 0 (`sealJobs`). */
  JobDataInvalid = 30,
  /** A bandwidth from the home `RefusedSite` is not positive, or a latency not finite and at least 0. */
  TransferInvalid = 31,
  /**
   * With `RuntimeReference.Home`, a time factor is not a positive number of at most 1e100; `RefusedSite` is
   * the site.
   */
  TimeFactorInvalid = 32,
  /** No option has this number. */
  OptionUnknown = 33,
  /** `until` is not a number. */
  TimeInvalid = 34,
  /** No kind of room has this number (`setRoom`). */
  RoomInvalid = 35,
  /**
   * The options need more memory than the simulation was laid out for, `RefusedRoom` is the kind of room; or
   * a fork needs longer logs.
   */
  RoomTooSmall = 36,
  /**
   * The block is not wholly in memory, its address is not a multiple of 16 or is below `firstAddress()`, or
   * it overlaps the job table.
   */
  MemoryMissing = 37,
  /** No job table has been laid out at this address. */
  NoJobTable = 38,
  /** No simulation has been prepared at this address, or it has not been laid out since its room was set. */
  NoSimulation = 39,
  /** The job table has not been sealed. */
  JobsUnsealed = 40,
  /**
   * The job table is not the one given to `begin`, or its number of jobs differs from the room for `Jobs`; or
   * its columns were written after `sealJobs` (`measure`, after a run of several calls).
   */
  JobsDiffer = 41,
  /** `begin` has not been called, or was refused. */
  NotBegun = 42,
  /** Events are left (`measure`). */
  NotFinished = 43,
  /**
   * A job's key in the `Order` or `BackfillOrder` is not finite (`begin`, `giveKeys`); `RefusedJob` is the
   * job.
   */
  JobKeyInvalid = 44,
  /** The two simulations differ in more than their policies, or their memory overlaps (`fork`). */
  SimulationsDiffer = 45,
  /** `decide` was called without a pending decision, or `giveKeys` without a pending request for keys. */
  NoDecision = 46,
  /** The chosen site cannot start the job now (`RefusedJob`, `RefusedSite`). */
  SiteInfeasible = 47,
  /**
   * The host lets a job wait while no job runs and no submission is left, so it would wait forever
   * (`RefusedJob`).
   */
  QueueStuck = 48,
  /** A policy cannot share a simulation with others, or the options do not allow sharing. */
  PoliciesUnshared = 49,
  /** More than 64 distinct policies in a shared simulation. */
  PoliciesTooMany = 50,
  /** The last bit of a sum cannot be determined in a shared simulation; run the policy alone. */
  SumUnsettled = 51,
  /** A user is neither -1 nor below the number of jobs. */
  JobUserInvalid = 52,
  /**
   * A preceding job or a first piece does not come before its job, or a think time is not from 0 to 4e290.
   */
  JobDependencyInvalid = 53,
  /**
   * The `Interval` is too short: adding it would not change the clock late in the run, or it would cause more
   * than `Limit.Passes` passes over the expected `Span` (`begin`) or the actual one (`runUntil`).
   */
  IntervalTooShort = 54,
  /** A decision is pending: answer it and continue the run first (`changeSpeeds`). */
  DecisionPending = 55,
  /** The bytes are not those that `sealState` sealed: damaged, truncated, or never sealed (`checkState`). */
  StateDamaged = 56,
  /** Another build of the core sealed the state; only that build can continue it (`checkState`). */
  BuildDiffers = 57,
  /**
   * An option (`RefusedOption`) or column was changed after `begin`: call `begin`, `changePolicy` or
   * `changeSpeeds`, or restore the old value (`runUntil`; `measure` also checks columns by job).
   */
  SettingsDiffer = 58,
  /** `placeJob` was called after the first `runUntil`, or all jobs have been placed. */
  RunUnderWay = 59,
  /** A patience is neither -1 nor a number of seconds from 0 to 1e300 (`sealJobs`). */
  JobPatienceInvalid = 60,
  /** A set of sites is negative (`sealJobs`) or above the option `SiteSets` (`begin`). */
  JobSitesInvalid = 61,
  /** A job is appended with a submission before the time up to which the run has handled all events. */
  JobLate = 62,
  /** A job is corrected that is not known, has ended, or (`endJob`) has not started. */
  JobInactive = 63,
  /**
   * The rows of ended jobs are needed, by the option `RefusedOption` (`compact`), or have left
   * (`measureBetween`).
   */
  JobsNeeded = 64,
}

/** Rounding of execution times. */
export enum Resolution {
  /** Not rounded. */
  Exact = 0,
  /** To the nearest second, floor(x + 0.5). */
  Nearest = 1,
  /** Down to whole seconds, floor(x). */
  Floor = 2,
  COUNT = 3,
}

/** Time of allocation passes. */
export enum Instant {
  /** After every event. */
  PerEvent = 0,
  /** Once per instant, after all its events. */
  Batched = 1,
  COUNT = 2,
}

/**
 * Order of the jobs in a queue: smallest key first, ties by submission time and job index. Each member's
 * comment is its key.
 */
export enum Order {
  /** 0: order of submission. */
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
  /** Value of the column `Key`, written by the host. */
  Given = 7,
  /**
   * -(((q * q) * q) * processors), q = wait / max(1, estimate * load). Changes with time, so queues are
   * sorted before every pass. Not with `Reclaim` and `Moldable`.
   */
  Wfp3 = 8,
  /**
   * Value of an expression of `Program`, computed for all waiting jobs at the beginning of each pass. Not
   * with `Reclaim` and `Moldable`.
   */
  Expression = 9,
  COUNT = 10,
}

/**
 * Rule for the jobs behind a first job that does not fit. `Easy` and `Conservative` require `Shared` or
 * `Independent`, exclude `MultiSite`, and choose sites by `Selection`.
 */
export enum Discipline {
  /** The first job blocks all jobs behind it. */
  FirstComeFirstServed = 0,
  /** A job that does not fit is skipped, and every job that fits starts. */
  FirstAvailable = 1,
  /**
   * The first job gets a reservation; a later job starts if, by the estimates, it does not delay the first.
   */
  Easy = 2,
  /** Every waiting job gets a reservation; a job starts if, by the estimates, it delays no job before it. */
  Conservative = 3,
  COUNT = 4,
}

/** Queues, and the sites that their jobs may use. */
export enum Topology {
  /** One queue for the whole grid. */
  Shared = 0,
  /**
   * One queue per home site, visited in order of the sites; jobs may run on any site. Not with
   * `FirstAvailable`.
   */
  PerHome = 1,
  /** One queue per home site; jobs run only at home. */
  Independent = 2,
  COUNT = 3,
}

/** Rule for splitting a job that fits on no single site. */
export enum MultiSite {
  /** Jobs are not split. */
  None = 0,
  /** Over the sites with the most free processors. */
  LargerFirst = 1,
  /** Over the fastest sites. */
  FasterFirst = 2,
  /** `LargerFirst` or `FasterFirst`, whichever lets more waiting jobs start afterwards. */
  Adaptive = 3,
  COUNT = 4,
}

/**
 * Rule for running a job on another number of processors than requested (Huang et al. 2009). Only with
 * `FirstComeFirstServed` on one `Shared` queue, without `MultiSite` and `MinSpeedRatio`; `Policy` has no
 * effect.
 */
export enum Moldable {
  /** Jobs are rigid. */
  None = 0,
  /** A job may run on fewer processors instead of waiting. */
  Down = 1,
  /** A job may also run on more processors if no job waits behind it; on one site only. */
  UpDown = 2,
  COUNT = 3,
}

/** Choice of a moldable job's site among those with enough free processors for the whole job. */
export enum MoldableFit {
  /** The site whose free processors are closest to what the job needs at the site's speed. */
  Demand = 0,
  /** The site with the fewest free processors. */
  Processors = 1,
  /** The site whose free processors * speed is closest to the job's processors * speed of its home. */
  Power = 2,
  COUNT = 3,
}

/**
 * Choice of a job's sites, now or later, under `Easy` and `Conservative` (the first three: Zhang et al. 2006,
 * section 4). `MinSpeedRatio` requires `Allocator`, and on one `Shared` queue then excludes
 * `MultiSiteFactor`, `Transfers` and `RuntimeReference.Home`.
 */
export enum Selection {
  /** The set of sites with the earliest end of the job (at most 16 sites with a `MultiSiteFactor`). */
  Optimal = 0,
  /** Like `Optimal`, among single sites and sets of the fastest sites only. */
  Greedy = 1,
  /** Sites with enough free processors now: the home, another site, or several sites. */
  NonAdaptive = 2,
  /**
   * Now on the site that `Policy` chooses, if no reservation is delayed; otherwise on the site with the
   * earliest start.
   */
  Allocator = 3,
  COUNT = 4,
}

/** Lifetime of the reservations of `Conservative`. */
export enum Reservations {
  /** Every pass plans all reservations again (Zhang et al. 2006). */
  Replanned = 0,
  /**
   * A reservation holds until its job starts; whenever a job ends, it may move to an earlier time (Mu'alem,
   * Feitelson 2001).
   */
  Kept = 1,
  COUNT = 2,
}

/** Unit in which a plan counts processors. */
export enum PlanBy {
  /** Processors of a site are interchangeable. */
  Processors = 0,
  /** Processors belong to nodes (`NodeProcessors`), and a reservation holds particular nodes. */
  Nodes = 1,
  COUNT = 2,
}

/** Limits that hosts need to know. */
export enum Limit {
  /** Largest number of sites with `Optimal` and a `MultiSiteFactor`. */
  SitesOfSets = 16,
  /** Bytes of a simulation block that must be in memory before `prepare`. */
  HeadBytes = 2048,
  /** Largest number of passes that an `Interval` may cause. */
  Passes = 10000000,
  /** Largest expected number of passes that backfill. */
  BackfillPasses = 1000000000,
  /** Largest number of nodes in a plan by nodes. */
  Nodes = 16384,
  /** Largest number of instructions in `Program`, and of values on its stack. */
  Instructions = 65536,
  StackDepth = 64,
  /** Execution times below this many seconds count as this many in the bounded slowdown. */
  BoundedExecution = 10,
}

/** Score of a look-ahead over the waiting jobs that could start at once (Shih et al. 2010). */
export enum LookAhead {
  /** Number of jobs, TNoA (eq. 8). */
  Jobs = 0,
  /** Computing capacity of the jobs, TCC: the sum of speed * processors (eq. 13). */
  Capacity = 1,
}

/** Machine to which runtimes refer. */
export enum RuntimeReference {
  /** A machine of speed 1. */
  Speed1 = 0,
  /** Runtimes are those on the job's home site; with `Easy` and `Conservative` only. */
  Home = 1,
  COUNT = 2,
}

/** Rule for outages that need more processors of a site than are free. */
export enum OnOutage {
  /** Processors go when jobs end. */
  Drain = 0,
  /** Running jobs are preempted, the latest started first, and wait again. */
  Requeue = 1,
  /** Running jobs end, the latest started first. */
  Kill = 2,
}

/** Options of a simulation, each a double, set before `begin`. */
export enum Option {
  /** Number of the allocation policy. */
  Policy = 0,
  /** First parameter of the policy. */
  Parameter0 = 1,
  /** Second parameter of the policy. */
  Parameter1 = 2,
  /** Third parameter of the policy. */
  Parameter2 = 3,
  /** Fourth parameter of the policy. */
  Parameter3 = 4,
  /** A `Resolution`. */
  Resolution = 5,
  /** An `Instant`. */
  Instant = 6,
  /** Sites slower than this factor times the speed of a job's home are not candidates. */
  MinSpeedRatio = 7,
  /** A `Discipline`. */
  Discipline = 8,
  /** A `Topology`. */
  Topology = 9,
  /** 1: a site preempts remote jobs to start its own; with `PerHome` only, not with `MultiSite`. */
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
  /** A of Downey's speed-up, at least 1; 0: linear speed-up. */
  SpeedupA = 16,
  /** sigma of Downey's speed-up. */
  SpeedupSigma = 17,
  /** A `Selection`; used by `Easy` and `Conservative`. */
  Selection = 18,
  /**
   * p, at least 1: under `Easy` and `Conservative` a job may be split over sites and then runs p times as
   * long; 0: jobs are not split.
   */
  MultiSiteFactor = 19,
  /** A `RuntimeReference`. */
  RuntimeReference = 20,
  /**
   * Seconds between allocation passes under `Easy` and `Conservative`, counted from the first submission of
   * each queue; 0: passes as given by `Instant`.
   */
  Interval = 21,
  /** 1: the processors of each job are recorded, in `LogIndex` and `Log`. */
  ProcessorSets = 22,
  /** 1: input data are transferred at `Bandwidth` and `Latency`; with `Easy` and `Conservative` only. */
  Transfers = 23,
  /** An `Order`. */
  Order = 24,
  /**
   * n: a job's estimate, made at its submission, is the mean runtime of its user's last n finished jobs, but
   * at most `JobColumn.Estimate`; 0: `JobColumn.Estimate`. Not with a `MoldableThreshold`.
   */
  RecentJobs = 25,
  /**
   * 1 + an `Order` (`Given`: the host writes the column `BackfillKey`) in which `Easy` tries the jobs behind
   * the reserved one; 0: order of the queue.
   */
  BackfillOrder = 26,
  /** Fifth parameter of the policy. */
  Parameter4 = 27,
  /** Sixth parameter of the policy. */
  Parameter5 = 28,
  /** 1: estimates are unknown; not with options that use them. */
  NoEstimates = 29,
  /** 1: the host gives the sequence of candidates, in `GivenChoice`, and none is tried. */
  ChoicesGiven = 30,
  /**
   * 1: a job is submitted when the jobs that it depends on have ended (`Extra.Dependencies`); not with
   * `Independent` and `Open`.
   */
  Dependencies = 31,
  /**
   * 1 + a `Discipline`: candidates may differ in order and discipline, up to this one, given in the column
   * `CandidateRules`, or the host changes both by `changeRules`; 0: neither changes.
   */
  CandidateRules = 32,
  /** 1: the keys of `Order.Given` depend on estimates; not with `NoEstimates`. */
  KeysByEstimate = 33,
  /** Number of rows of `Policies` that `runTogether` simulates. */
  SharedPolicies = 34,
  /** 1: `runUntil` asks the host for the keys of `Given` orders at each submission (`Status.Keys`). */
  KeysAtSubmit = 35,
  /**
   * A `Reservations`; `Kept` with `Conservative` only, without `MultiSiteFactor`, `Interval` and policies
   * chosen among candidates. `Instant` then has no effect.
   */
  Reservations = 36,
  /** 1 + the number of jobs per pass that get reservations under `Easy`; 0: one job. */
  ReservationDepth = 37,
  /**
   * 1: with `RecentJobs`, estimates of waiting jobs and keys that depend on them are updated when jobs end;
   * 0: they are fixed at submission. Not with `Kept`.
   */
  RefreshEstimates = 38,
  /**
   * Seconds between the passes that backfill; 0: every pass does. With it, the pass after events (the main
   * pass) starts jobs only up to the first that does not fit. Needs another discipline than
   * `FirstComeFirstServed`; not with `PerHome` or an `Interval`. `Kept` reservations begin at such passes.
   */
  BackfillInterval = 39,
  /** Seconds from the first submission to the first pass that backfills. */
  BackfillOffset = 40,
  /** Seconds from a submission to the pass that it causes. Not with an `Interval`. */
  SubmitPassDelay = 41,
  /** Seconds from the time at which the processors of a job become free to the pass that this causes. */
  EndPassDelay = 42,
  /**
   * Unit in which plans count: `Processors` or `Nodes`. `Nodes` needs a `BackfillInterval`, and on several
   * sites with one queue `Selection` `Allocator`.
   */
  PlanBy = 43,
  /**
   * With a `BackfillInterval`, not with `Kept`: seconds W; a plan takes the ends of running jobs together up
   * to W, 2 W, 4 W, ... behind the first multiple of W after the first end; 0: no groups.
   */
  EndWindow = 44,
  /**
   * With a `BackfillInterval`, not with `Kept`: 1: a job conflicts with a reservation that begins in the
   * instant of its end.
   */
  ClosedOverlap = 45,
  /**
   * With a `BackfillInterval`, not with `Kept`: seconds; begins and ends of reservations are rounded down to
   * multiples; 0: not rounded.
   */
  BackfillResolution = 46,
  /** With `Nodes`: largest number of jobs that a pass looks at; 0: all. */
  BackfillJobs = 47,
  /** With `Nodes`: number of segments of time at which a pass ends; 0: no limit. */
  BackfillSegments = 48,
  /**
   * With `Nodes`: seconds; a job that would start later than this from now gets no reservation; 0: no limit.
   */
  BackfillWindow = 49,
  /** Unix time of time 0, for multiples of `EndWindow` and `BackfillResolution`. */
  ClockOrigin = 50,
  /** With `Nodes`: seconds from the end of a job until its processors are free. */
  ReleaseDelay = 51,
  /** Least seconds between two passes that events cause. Not with an `Interval`. */
  PassGap = 52,
  /** With `Nodes`: processors of a node, which jobs may share; reservations hold whole ones; 0 or 1: one. */
  NodeProcessors = 53,
  /**
   * 1: jobs with a `Patience` (`Extra.Patience`) are cancelled; 2: those that the host removes, too. They
   * count only in the metrics of sites and queues. Not with `Reclaim`, `Moldable`, `MultiSite`, a factor, an
   * `Interval`, policies chosen among candidates, a `Selection` other than `Greedy` and `Allocator`.
   */
  Cancellations = 54,
  /** Number of instructions in `Program`, for those of `Order` and `BackfillOrder` that are `Expression`. */
  ProgramLength = 55,
  /** Number of columns in `ProgramInput`. */
  ProgramInputs = 56,
  /**
   * Number of users in the column `UserAccount`; 0: users are not distinguished, and `Program` cannot use
   * them.
   */
  Users = 57,
  /**
   * Number of groups in the column `GroupAccount`; 0: groups are not distinguished, and `Program` cannot use
   * them.
   */
  Groups = 58,
  /** Seconds of a step, after which the usage of users and groups is reduced; 0: usage is not kept. */
  UsageStep = 59,
  /** Seconds in which usage is halved; above 0 with a `UsageStep`. */
  HalfLife = 60,
  /** Number of accounts with limits, in the column `AccountLimit`; 0: none. Excludes what `Users` does. */
  Limits = 61,
  /** Number of outages, in the column `Outage`; 0: none. Excludes what `Cancellations` does. */
  Outages = 62,
  /** An `OnOutage`. */
  OnOutage = 63,
  /** Seconds by which the first step of usage begins before the first submission; less than `UsageStep`. */
  UsageLead = 64,
  /** A `UsageCount`; `AtOnce` without `UsageStep`. */
  UsageCount = 65,
  /** Number of sets of sites. Excludes what `Cancellations` does but `Interval`, `Independent`, `Nodes`. */
  SiteSets = 66,
  /** 1: jobs may be appended until `closeRun`; before it starts, a job has `Start` NaN and `Site` -1. */
  Open = 67,
  COUNT = 68,
}
