/** Contract with the host, second part: contents of a job table and of a simulation, and its results. */

/**
 * Sizes that a simulation is laid out for: whole numbers, each a double. `fitRoom` sets those that the
 * options need.
 */
export enum Room {
  /** Number of jobs in the job table. */
  Jobs = 0,
  /** Number of sites. */
  Sites = 1,
  /** Number of processors of all sites. */
  Processors = 2,
  /** Pairs in the log of processor sets; with `ProcessorSets`. */
  Runs = 3,
  /** Pairs in the log of parts of split jobs; with `MultiSite` or a `MultiSiteFactor`. */
  Parts = 4,
  /**
   * Entries in the log of preempted executions; 0: only the last one of each job is recorded. `fitRoom`
   * reserves them with `ProcessorSets` and `Reclaim` or `Outages`.
   */
  Stops = 5,
  /**
   * 1: queues may have any order; 0: `Discipline` must be `FirstComeFirstServed`, `Order` `Submit`,
   * `Topology` `Shared`.
   */
  Ranks = 6,
  /** 1: memory for `Reclaim` (remote jobs of each site). */
  Guests = 7,
  /** 1: memory for `Moldable` (scaled jobs). */
  Molds = 8,
  /** 1: predicted ends of running jobs, for `Easy`, `Conservative` and a `MoldableThreshold`. */
  Predictions = 9,
  /**
   * Largest number of reservations at once, each on one site: 1 under `Easy`, one per job under
   * `Conservative`; with a `MultiSiteFactor` multiplied by the number of sites. With `KeptReservations` two
   * per job.
   */
  Reservations = 10,
  /** 1: bandwidths and latencies between sites. */
  Transfers = 11,
  /** 1: keys written by the host, for the `Order` `Given`. */
  Keys = 12,
  /**
   * 1: allocators find sites in an index of free processors; 0: by scanning all sites. The schedule is the
   * same. `fitRoom` chooses the index from 64 sites on.
   */
  Index = 13,
  /** Number of policies that share the simulation, or of candidates. */
  Policies = 14,
  /** 1: estimates made during the run, with `RecentJobs`, or by `changeEstimate`, with `Open`. */
  Estimates = 15,
  /**
   * 1: ranks determined at submission, with `RecentJobs` and an order by estimate, `Dependencies`, or
   * `KeysAtSubmit`.
   */
  LateRanks = 16,
  /** 1: waiting jobs are sorted again during passes. */
  Sequences = 17,
  /** Number of times at which candidates are tried, plus 1 (with a policy that chooses among candidates). */
  Trials = 18,
  /** 1: runtimes of finished jobs, sorted by width. */
  EndedJobs = 19,
  /** Number of given choices (as many as `Trials`, or 0). */
  Choices = 20,
  /** 1: keys written by the host, for the `BackfillOrder` of `Given`. */
  BackfillKeys = 21,
  /** 1: submission times determined during the run, with `Dependencies`. */
  Dependencies = 22,
  /**
   * 1: keys that the host gives at submission, with `KeysAtSubmit`; then `Keys` and `BackfillKeys` may be 0.
   */
  KeysAtSubmit = 23,
  /** 1: reservations that hold until their jobs start, with `Reservations` `Kept`. */
  KeptReservations = 24,
  /**
   * Index of the waiting jobs for backfilling. 1: their ranks in the `BackfillOrder`, if its keys are known
   * before the run; 2: the jobs by width, with bounds of their keys.
   */
  BackfillRanks = 25,
  /** Segments of time in a plan by nodes; with `PlanBy` `Nodes`. */
  NodePlan = 26,
  /** 1 or 2: times at which waiting jobs are cancelled, with `Cancellations`. */
  Cancellations = 27,
  /** Instructions of orders, with `ProgramLength`. */
  Program = 28,
  /** Columns of numbers that the instructions use, with `ProgramInputs`. */
  ProgramInputs = 29,
  /** Users whose jobs are counted, with `Users`. */
  Users = 30,
  /** Groups whose jobs are counted, with `Groups`. */
  Groups = 31,
  /** Accounts with limits, with `Limits`. */
  Limits = 32,
  /** Outages, with `Outages`. */
  Outages = 33,
  /** Sets of sites, with `SiteSets`. */
  SiteSets = 34,
  COUNT = 35,
}

/**
 * Instructions of the expressions in the column `Program`, for a machine with a stack of numbers: each pushes
 * a value, or replaces the last one or two values by a result. True is 1, false is 0.
 */
export enum Instruction {
  /** End of an expression, whose value is then the only one left. */
  End = 0,
  /** Pushes the argument. */
  Number = 1,
  /** Pushes the job's value of the input column with the argument's number, from 0. */
  Input = 2,
  /** Pushes estimate * load of the home. */
  Estimate = 3,
  /** Pushes the seconds since the submission of the job. */
  Wait = 4,
  /** Pushes the current time in seconds since the first submission. */
  Now = 5,
  /** Pushes the usage of the job's user divided by that of all users. */
  Usage = 6,
  /** Pushes the usage of the job's group divided by that of all groups. */
  GroupUsage = 7,
  /** Pushes the number of processors that jobs of the same user hold. */
  Running = 8,
  /** Pushes 1 / the number of users of jobs submitted so far. */
  Share = 9,
  /** Sum. */
  Add = 10,
  /** Difference. */
  Subtract = 11,
  /** Product. */
  Multiply = 12,
  /** Quotient. */
  Divide = 13,
  /** Smaller of two values. */
  Minimum = 14,
  /** Larger of two values. */
  Maximum = 15,
  /** Absolute value. */
  Absolute = 16,
  /** Square root. */
  SquareRoot = 17,
  /** Natural logarithm. */
  Logarithm = 18,
  /** 2 to the power of the value. */
  PowerOf2 = 19,
  /** True if the first of two values is less. */
  Less = 20,
  /** True if the first of two values is not greater. */
  LessOrEqual = 21,
  /** True if two values are equal. */
  Equal = 22,
  /** True if both values are true (not 0). */
  And = 23,
  /** True if one of two values is true. */
  Or = 24,
  /** True if the value is 0 (not true). */
  Not = 25,
  /** Largest whole number that is not greater. */
  Floor = 26,
  COUNT = 27,
}

/** Columns of a job table. The host writes all but `Demand`, before `sealJobs`. */
export enum JobColumn {
  /**
   * f64 per job, one more. Submission time in seconds, not descending. `sealJobs` writes +infinity after the
   * last.
   */
  Submit = 0,
  /** f64 per job. Runtime in seconds at speed 1 and load 1. */
  Runtime = 1,
  /** i32 per job. Requested processors. */
  Processors = 2,
  /** i32 per job. Home site, from 0. */
  Home = 3,
  /** f64 per job, one more. Sum of the processors of all earlier jobs (written by `sealJobs`). */
  Demand = 4,
  /** f64 per job. Estimated runtime in seconds at speed 1 and load 1. */
  Estimate = 5,
  /**
   * f64 per job. Input data in bytes, transferred if the job runs away from home (with `Extra.Data` only).
   */
  Data = 6,
  /** i32 per job. User, numbered from 0; -1: unknown (with `Extra.Users` only). */
  User = 7,
  /**
   * i32 per job. Job that must end before this one is submitted, for a job of several pieces the first; -1:
   * none (with `Extra.Dependencies` only).
   */
  Preceding = 8,
  /**
   * f64 per job. Least number of seconds from the end of the preceding job to the submission, from 0 (with
   * `Extra.Dependencies` only).
   */
  ThinkTime = 9,
  /**
   * i32 per job. The job itself, or the first of several pieces of one job, which ends when its last piece
   * ends (with `Extra.Dependencies` only).
   */
  FirstPiece = 10,
  /**
   * f64 per job. Seconds from its submission to its cancellation, when it leaves the queue or, if it runs,
   * ends; -1: it is not cancelled (with `Extra.Patience` only).
   */
  Patience = 11,
  /**
   * i32 per job. Set of sites that the job may use, numbered from 1; 0: all sites (with `Extra.Sites` only).
   */
  Sites = 12,
  /**
   * i32 per job. Written by `compact` for each previous row: the new row of its job, or -1 if the job has
   * been removed (with `Extra.Rows` only).
   */
  Row = 13,
}

/** Flags for optional columns of a job table; `arrangeJobs` takes their sum. */
export enum Extra {
  /** Adds the column `JobColumn.Data`. */
  Data = 1,
  /** Adds the column `JobColumn.User`. */
  Users = 2,
  /** Adds the columns `JobColumn.Preceding`, `ThinkTime` and `FirstPiece`. */
  Dependencies = 4,
  /** Adds the column `JobColumn.Patience`. */
  Patience = 8,
  /** Adds the column `JobColumn.Sites`. */
  Sites = 16,
  /** Adds the column `JobColumn.Row`. */
  Rows = 32,
}

/** Columns of a simulation. The host writes its columns before `begin`, which copies them. */
export enum Column {
  /** i32 per site. Processors; written by the host. */
  Capacity = 0,
  /** f64 per site. Speed; written by the host. */
  Speed = 1,
  /** f64 per site. Factor on the runtimes of jobs with this home; written by the host. */
  Load = 2,
  /**
   * f64 per job. Start in seconds; 0 until the job has started. For a preempted job the last start; for a job
   * that was cancelled while it waited, the time of the cancellation.
   */
  Start = 3,
  /** f64 per job. Execution time in seconds; the end is start + execution. */
  Execution = 4,
  /** i32 per job. Site, from 0; for a split job the first; -1: the job was cancelled while it waited. */
  Site = 5,
  /** i32 per job. Index of its first pair in the log (with `ProcessorSets` only). */
  LogIndex = 6,
  /**
   * pairs of i32. First and last of a range of neighbouring processors, numbered through the grid from 0. A
   * job's pairs continue until their sizes add up to its processors, for a moldable job to `Held`. Those of a
   * capacity step continue until they add up to the change of `StepProcessors`.
   */
  Log = 7,
  /** f64 per site. Processor-seconds used (after `measure`). */
  SiteBusy = 8,
  /** f64 per site. Number of jobs that ran on it (after `measure`). */
  SiteJobs = 9,
  /** f64 per site. Sum of the response times of jobs with this home, in seconds (after `measure`). */
  HomeResponse = 10,
  /** f64 per site. Number of jobs with this home (after `measure`). */
  HomeJobs = 11,
  /** f64 per `Metric`. The metrics (after `measure`; until then NaN). */
  Metric = 12,
  /**
   * i32 per job. Index of its first pair in the log of parts; -1 if it was not split (if jobs may be split).
   */
  PartIndex = 13,
  /** pairs of i32. Site and processors of each part of a split job, until they add up to its processors. */
  Parts = 14,
  /** f64 per job. Seconds of execution lost to preemptions (with `Reclaim` or `Outages` only). */
  LostTime = 15,
  /** i32 per job. Processors that the job actually used (if jobs are moldable). */
  Held = 16,
  /**
   * f64 per site. Time factor h: execution times are h times those at speed 1; 1 / speed, or the value
   * written by the host; used with `RuntimeReference.Home`.
   */
  TimeFactor = 17,
  /**
   * f64 per home site and site. Bytes per second, row by row; written by the host (with `Transfers` only).
   * The diagonal is ignored.
   */
  Bandwidth = 18,
  /**
   * f64 per home site and site. Latency in seconds, row by row; written by the host (with `Transfers` only).
   */
  Latency = 19,
  /**
   * i32 per preemption. Index of the preempted job, in order of time (this and the next four: with room for
   * `Stops` only).
   */
  StopJob = 20,
  /** i32 per preemption. Site of the job, from 0. */
  StopSite = 21,
  /** f64 per preemption. Start of the ended execution in seconds. */
  StopStart = 22,
  /** f64 per preemption. Time of the preemption in seconds. */
  StopEnd = 23,
  /** i32 per preemption. Index of the execution's first pair in the log (with `ProcessorSets` too). */
  StopLogIndex = 24,
  /** f64 per job. Key for the `Order` `Given`, smallest first; written by the host. */
  Key = 25,
  /** f64 per `Decision`. State of a pending decision. */
  Decision = 26,
  /**
   * pairs of i32 per slot. Site and its free processors, from the fastest site to the slowest, ties by index.
   */
  Slot = 27,
  /** i32 per site. Its slot. */
  SlotOfSite = 28,
  /**
   * five f64 per policy. Number and parameters of the policies that share the simulation, or of the
   * candidates; written by the host.
   */
  Policies = 29,
  /** f64 per job. Estimate in seconds at speed 1 and load 1, made at submission or by `changeEstimate`. */
  Estimate = 30,
  /**
   * i32 per time of trials. Candidate in effect afterwards; unchanged if none was tried (this and the next
   * four: with `Trials` only).
   */
  Choice = 31,
  /**
   * i32 per given choice. Candidate to use instead of a tried one; written by the host (with `Choices` only).
   */
  GivenChoice = 32,
  /** f64 per candidate. Score after the last trials. */
  Score = 33,
  /** f64 per candidate. Total response time in seconds of the waiting jobs in the last trials. */
  Prospect = 34,
  /** f64 per candidate. Number of trial times after which it was in effect. */
  TimesChosen = 35,
  /** f64 per job. Key for the `BackfillOrder` of `Given`, smallest first; written by the host. */
  BackfillKey = 36,
  /**
   * f64 per job. Actual submission time in seconds; until then the value in the job table (with
   * `Dependencies` only).
   */
  Submit = 37,
  /** three f64 per candidate. `Order`, `Discipline`, `BackfillOrder` (with `Trials`); written by the host. */
  CandidateRules = 38,
  /**
   * i32 per job. Jobs in the order in which their results became final; the scalar `Counted` is their number
   * (only if options need `Ranks`; otherwise this is the order of the jobs).
   */
  Counted = 39,
  /** f64 per job. Start by the reservation made at submission, in seconds (with `KeptReservations` only). */
  PromisedStart = 40,
  /**
   * i32 per processor. 1: `placeJob` gives this node, from 0 on its site, to the job (with `PlanBy` `Nodes`);
   * written by the host.
   */
  PlacedNodes = 41,
  /** pairs of f64 per instruction. An `Instruction` and its argument; written by the host. */
  Program = 42,
  /**
   * f64 per input and job. Values of the jobs for `Instruction.Input`, input by input; written by the host.
   */
  ProgramInput = 43,
  /** i32 per job. User of the job, from 0 (with `Users` only); written by the host. */
  UserAccount = 44,
  /** i32 per job. Group of the job, from 0 (with `Groups` only); written by the host. */
  GroupAccount = 45,
  /** i32 per job. Account of its user, from 0; -1: no limit (with `Limits` only); written by the host. */
  LimitedUser = 46,
  /**
   * i32 per job. Account of its group, another one than that of its user; -1: no limit (with `Limits` only);
   * written by the host.
   */
  LimitedGroup = 47,
  /**
   * i32 per job. The job itself, or the first of several pieces of one job, which count as one job (with
   * `Limits` only); written by the host.
   */
  PieceOf = 48,
  /**
   * pairs of i32 per account. Largest numbers of running jobs and of their processors, from 1 and from the
   * processors of its widest job; written by the host.
   */
  AccountLimit = 49,
  /**
   * five f64 per outage. Site, from 0; begin and end in seconds (+infinity: none); processors; 1: plans know
   * it beforehand, 0: from its begin on. Written by the host.
   */
  Outage = 50,
  /** f64 per capacity step. Time in seconds, in order (this and the next: with `Outages` only). */
  StepTime = 51,
  /** pairs of i32 per capacity step. Site, and its processors that outages have from then on. */
  StepProcessors = 52,
  /**
   * f64 per site. Processor-seconds that outages had, from the first submission to the last end (after
   * `measure`; with `Outages` only).
   */
  SiteOutage = 53,
  /**
   * i32 per capacity step. Index of the first pair in the log of the processors that outages took, or gave
   * back (with `Outages` and `ProcessorSets` only).
   */
  StepLogIndex = 54,
  /** i32 per failed job. Job that an outage ended, in order of time (with `Outages` only). */
  FailedJob = 55,
  /**
   * i32 per outage. First of its processors, from 0 on its site, the others follow it (with `PlanBy` `Nodes`
   * only). Outages of one time have no processor in common. Written by the host.
   */
  OutageProcessor = 56,
  /** i32 per set and site. 1: jobs with the set may use the site, 0: not. Written by the host. */
  SetSite = 57,
  /**
   * f64 per job. Start by the reservation of a waiting job, in seconds (this and the next: with
   * `KeptReservations` only).
   */
  ReservedStart = 58,
  /**
   * i32 per job. Site of the reservation, from 0, plus 2^30 if it has lost its place to a job that runs too
   * long, and plus 2^29 if the host lets the job wait.
   */
  ReservedSite = 59,
}

/** State of a pending decision, each entry a double (`Status.Decision`). */
export enum Decision {
  /** Index of the job. */
  Job = 0,
  /** Time in seconds. */
  Time = 1,
  /** S_bf, the site that best-fit would choose, from 0. */
  BestFit = 2,
  /** S_ff, the site that fastest-first would choose, from 0. */
  FastestFirst = 3,
  /** 1: the job found its queue empty and this is the pass at its submission, situation (a). */
  FoundQueueEmpty = 4,
  /** Processors requested by all jobs of the queue, including this one: the numerator of SL. */
  QueuedProcessors = 5,
  /**
   * Free processors of all sites, with `Independent` of the job's site: the denominator of SL, if at least 1.
   */
  FreeProcessors = 6,
  /** Number of waiting jobs, including this one; with `Independent` on the job's site. */
  Waiting = 7,
  /** Number of running jobs; with `Independent` on the job's site. */
  Running = 8,
  COUNT = 9,
}

/** Progress of a simulation, one number each. */
export enum Scalar {
  /** Size of the simulation block in bytes. */
  Bytes = 0,
  /** Time of the last event, in seconds; 0 before the first. */
  Now = 1,
  /** Number of jobs submitted so far. */
  Submitted = 2,
  /** Number of jobs in the queues. */
  Waiting = 3,
  /** Number of running jobs. */
  Running = 4,
  /** Free processors of all sites. */
  FreeProcessors = 5,
  /** SH (Shih et al. 2010, eq. 3). */
  SpeedHeterogeneity = 6,
  /** Number of pairs in the log of processors, `Log`. */
  LogLength = 7,
  /** Job that `begin` refused with `JobTooWide`; -1 if none, like all `Refused` scalars. */
  RefusedJob = 8,
  /** Site that `begin` refused. */
  RefusedSite = 9,
  /** Number of pairs in the log of parts. */
  PartsLength = 10,
  /** Number of entries in the log of preemptions. */
  StopsLength = 11,
  /** Option that `fitRoom` or `begin` refused. */
  RefusedOption = 12,
  /** Kind of room that `arrange` or `begin` refused. */
  RefusedRoom = 13,
  /** Number of forks of a simulation that policies share. */
  Forks = 14,
  /** Number of joins of its branches. */
  Joins = 15,
  /** Number of simulated jobs; a job that several policies share counts once. */
  SharedJobs = 16,
  /**
   * Number of submissions at which candidates were tried, of changes of candidate, of jobs started in trials.
   */
  Trials = 17,
  Switches = 18,
  TriedJobs = 19,
  /** Duration of the run in seconds that `begin` expects; limits the `Interval`. */
  Span = 20,
  /**
   * Number of jobs with final results: started, and no longer preemptible. The first entries of `Counted`.
   */
  Counted = 21,
  /** Job for whose keys the host is asked (`Status.Keys`); -1: none. */
  KeyedJob = 22,
  /** Number of reservations displaced by a job that ran longer than its estimate (`Reservations` `Kept`). */
  MovedReservations = 23,
  /** Number of entries in `StepTime`. */
  CapacitySteps = 24,
  /** Number of entries in `FailedJob`. */
  FailedJobs = 25,
}

/** Time from which the use of running jobs counts in the usage. */
export enum UsageCount {
  /** From the end of the step in which it occurs, for all jobs. */
  AtOnce = 0,
  /**
   * As in Slurm: use of jobs behind the first waiting job of an account counts for this account a step later.
   */
  ByNumber = 1,
  COUNT = 2,
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
