/** The contract with the host, continued from abi.ts: what calls answer. */

/** What a call came to. Below 16 the call did what it should; from 16 up it refused. */
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
  /** A job is wider than all that it may use; `RefusedJob` is its index (`begin`). */
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
   * A parameter is not finite, or, of `ChoicesGiven`, no candidate is that; `RefusedOption` tells which.
   */
  ParameterInvalid = 26,
  /** An option has a value that it does not take; `RefusedOption` tells which. */
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
   * The options need more than the simulation was laid out for, `RefusedRoom` tells of what; or a fork needs
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
   * The job table is not the one that the simulation has begun with, or has not so many jobs as the
   * simulation was laid out for; or its columns have been written since it was sealed (`measure`, of a run
   * that has not gone on in one call).
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
  /** The answer is no site on which the job can start now (`RefusedJob`, `RefusedSite`). */
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
   * A preceding job or a first piece that does not stand before a job, or a think time that is not from 0 up
   * to 4e290.
   */
  JobDependencyInvalid = 53,
  /**
   * The `Interval` is so short that it would not move the clock late in the run, or means more than
   * `Limit.Passes` passes over the `Span` that the run is expected to take (`begin`), or took (`runUntil`).
   */
  IntervalTooShort = 54,
  /** A pass stands at a decision, which is to be answered first, and the run to go on (`changeSpeeds`). */
  DecisionPending = 55,
  /** The bytes are not what `sealState` has sealed: damaged, cut off, or never sealed (`checkState`). */
  StateDamaged = 56,
  /** The state was sealed by another build of the core, which alone can go on from it (`checkState`). */
  BuildDiffers = 57,
  /**
   * Since the run has begun an option has been set (`RefusedOption`), or a column written, by which it does
   * not go: `begin` takes it, `changePolicy` or `changeSpeeds` what they are for; or put back what was there
   * (`runUntil`, `runTogether`; `measure`, which looks at columns by job too).
   */
  SettingsDiffer = 58,
}
