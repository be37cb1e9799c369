declare namespace __AdaptedExports {
  /** Exported memory */
  export const memory: WebAssembly.Memory;
  /**
   * assembly/index/abiVersion
   * @returns `i32`
   */
  export function abiVersion(): number;
  /**
   * assembly/index/firstAddress
   * @returns `usize`
   */
  export function firstAddress(): number;
  /**
   * assembly/index/prepare
   * @param block `usize`
   * @returns `i32`
   */
  export function prepare(block: number): number;
  /**
   * assembly/index/fitRoom
   * @param block `usize`
   * @param jobs `i32`
   * @param sites `i32`
   * @param processors `i32`
   * @returns `i32`
   */
  export function fitRoom(block: number, jobs: number, sites: number, processors: number): number;
  /**
   * assembly/index/arrange
   * @param block `usize`
   * @returns `f64`
   */
  export function arrange(block: number): number;
  /**
   * assembly/index/begin
   * @param block `usize`
   * @param table `usize`
   * @returns `i32`
   */
  export function begin(block: number, table: number): number;
  /**
   * assembly/index/runUntil
   * @param block `usize`
   * @param table `usize`
   * @param until `f64`
   * @returns `i32`
   */
  export function runUntil(block: number, table: number, until: number): number;
  /**
   * assembly/index/decide
   * @param block `usize`
   * @param table `usize`
   * @param site `i32`
   * @returns `i32`
   */
  export function decide(block: number, table: number, site: number): number;
  /**
   * assembly/index/giveKeys
   * @param block `usize`
   * @param table `usize`
   * @param key `f64`
   * @param backfillKey `f64`
   * @returns `i32`
   */
  export function giveKeys(block: number, table: number, key: number, backfillKey: number): number;
  /**
   * assembly/index/isFeasible
   * @param block `usize`
   * @param table `usize`
   * @param site `i32`
   * @returns `i32`
   */
  export function isFeasible(block: number, table: number, site: number): number;
  /**
   * assembly/index/lookAhead
   * @param block `usize`
   * @param table `usize`
   * @param site `i32`
   * @param what `i32`
   * @returns `f64`
   */
  export function lookAhead(block: number, table: number, site: number, what: number): number;
  /**
   * assembly/index/nextInQueue
   * @param block `usize`
   * @param table `usize`
   * @param job `i32`
   * @returns `i32`
   */
  export function nextInQueue(block: number, table: number, job: number): number;
  /**
   * assembly/index/rehearse
   * @param block `usize`
   * @param table `usize`
   * @param first `i32`
   * @param end `i32`
   * @returns `i32`
   */
  export function rehearse(block: number, table: number, first: number, end: number): number;
  /**
   * assembly/index/extendLogs
   * @param block `usize`
   * @param runs `i32`
   * @param parts `i32`
   * @param stops `i32`
   * @returns `f64`
   */
  export function extendLogs(block: number, runs: number, parts: number, stops: number): number;
  /**
   * assembly/index/changePolicy
   * @param block `usize`
   * @param table `usize`
   * @returns `i32`
   */
  export function changePolicy(block: number, table: number): number;
  /**
   * assembly/index/changeSpeeds
   * @param block `usize`
   * @param table `usize`
   * @returns `i32`
   */
  export function changeSpeeds(block: number, table: number): number;
  /**
   * assembly/index/measure
   * @param block `usize`
   * @param table `usize`
   * @returns `i32`
   */
  export function measure(block: number, table: number): number;
  /**
   * assembly/index/runTogether
   * @param block `usize`
   * @param table `usize`
   * @returns `i32`
   */
  export function runTogether(block: number, table: number): number;
  /**
   * assembly/index/measureTogether
   * @param block `usize`
   * @param table `usize`
   * @param policy `i32`
   * @returns `i32`
   */
  export function measureTogether(block: number, table: number, policy: number): number;
  /**
   * assembly/index/sealState
   * @param block `usize`
   * @returns `i32`
   */
  export function sealState(block: number): number;
  /**
   * assembly/index/checkState
   * @param block `usize`
   * @param bytes `f64`
   * @returns `i32`
   */
  export function checkState(block: number, bytes: number): number;
  /**
   * assembly/index/liveBytes
   * @param block `usize`
   * @returns `f64`
   */
  export function liveBytes(block: number): number;
  /**
   * assembly/index/fork
   * @param block `usize`
   * @param other `usize`
   * @param table `usize`
   * @returns `i32`
   */
  export function fork(block: number, other: number, table: number): number;
  /**
   * assembly/index/sameState
   * @param block `usize`
   * @param other `usize`
   * @param table `usize`
   * @returns `i32`
   */
  export function sameState(block: number, other: number, table: number): number;
  /**
   * assembly/allocators/registry/policyDeclaration
   * @param policy `i32`
   * @returns `usize`
   */
  export function policyDeclaration(policy: number): number;
  /**
   * assembly/allocators/registry/sharesHistories
   * @param policy `i32`
   * @returns `i32`
   */
  export function sharesHistories(policy: number): number;
  /**
   * assembly/memory/check/brokenInvariant
   * @returns `i32`
   */
  export function brokenInvariant(): number;
  /**
   * assembly/engine/jobs/arrangeJobs
   * @param table `usize`
   * @param count `i32`
   * @param extras `i32`
   * @returns `f64`
   */
  export function arrangeJobs(table: number, count: number, extras: number): number;
  /**
   * assembly/engine/jobs/jobColumnAddress
   * @param table `usize`
   * @param which `i32`
   * @returns `usize`
   */
  export function jobColumnAddress(table: number, which: number): number;
  /**
   * assembly/engine/jobs/refusedJob
   * @param table `usize`
   * @returns `i32`
   */
  export function refusedJob(table: number): number;
  /**
   * assembly/engine/jobs/sealJobs
   * @param table `usize`
   * @returns `i32`
   */
  export function sealJobs(table: number): number;
  /**
   * assembly/engine/access/columnAddress
   * @param block `usize`
   * @param which `i32`
   * @returns `usize`
   */
  export function columnAddress(block: number, which: number): number;
  /**
   * assembly/engine/access/room
   * @param block `usize`
   * @param which `i32`
   * @returns `f64`
   */
  export function room(block: number, which: number): number;
  /**
   * assembly/engine/access/scalar
   * @param block `usize`
   * @param which `i32`
   * @returns `f64`
   */
  export function scalar(block: number, which: number): number;
  /**
   * assembly/engine/access/setOption
   * @param block `usize`
   * @param which `i32`
   * @param value `f64`
   * @returns `i32`
   */
  export function setOption(block: number, which: number, value: number): number;
  /**
   * assembly/engine/access/setRoom
   * @param block `usize`
   * @param which `i32`
   * @param entries `f64`
   * @returns `i32`
   */
  export function setRoom(block: number, which: number, entries: number): number;
  /**
   * assembly/engine/sealState/buildId
   * @returns `f64`
   */
  export function buildId(): number;
  /** assembly/abi/abi/Resolution */
  export enum Resolution {
    /** @type `i32` */
    Exact,
    /** @type `i32` */
    Nearest,
    /** @type `i32` */
    Floor,
    /** @type `i32` */
    COUNT,
  }
  /** assembly/abi/abi/Instant */
  export enum Instant {
    /** @type `i32` */
    PerEvent,
    /** @type `i32` */
    Batched,
    /** @type `i32` */
    COUNT,
  }
  /** assembly/abi/abi/Order */
  export enum Order {
    /** @type `i32` */
    Submit,
    /** @type `i32` */
    Narrowest,
    /** @type `i32` */
    Widest,
    /** @type `i32` */
    Shortest,
    /** @type `i32` */
    Longest,
    /** @type `i32` */
    SmallestArea,
    /** @type `i32` */
    LargestArea,
    /** @type `i32` */
    Given,
    /** @type `i32` */
    Wfp3,
    /** @type `i32` */
    COUNT,
  }
  /** assembly/abi/abi/Discipline */
  export enum Discipline {
    /** @type `i32` */
    FirstComeFirstServed,
    /** @type `i32` */
    FirstAvailable,
    /** @type `i32` */
    Easy,
    /** @type `i32` */
    Conservative,
    /** @type `i32` */
    COUNT,
  }
  /** assembly/abi/abi/Topology */
  export enum Topology {
    /** @type `i32` */
    Shared,
    /** @type `i32` */
    PerHome,
    /** @type `i32` */
    Independent,
    /** @type `i32` */
    COUNT,
  }
  /** assembly/abi/abi/MultiSite */
  export enum MultiSite {
    /** @type `i32` */
    None,
    /** @type `i32` */
    LargerFirst,
    /** @type `i32` */
    FasterFirst,
    /** @type `i32` */
    Adaptive,
    /** @type `i32` */
    COUNT,
  }
  /** assembly/abi/abi/Moldable */
  export enum Moldable {
    /** @type `i32` */
    None,
    /** @type `i32` */
    Down,
    /** @type `i32` */
    UpDown,
    /** @type `i32` */
    COUNT,
  }
  /** assembly/abi/abi/MoldableFit */
  export enum MoldableFit {
    /** @type `i32` */
    Demand,
    /** @type `i32` */
    Processors,
    /** @type `i32` */
    Power,
    /** @type `i32` */
    COUNT,
  }
  /** assembly/abi/abi/Selection */
  export enum Selection {
    /** @type `i32` */
    Optimal,
    /** @type `i32` */
    Greedy,
    /** @type `i32` */
    NonAdaptive,
    /** @type `i32` */
    Allocator,
    /** @type `i32` */
    COUNT,
  }
  /** assembly/abi/abi/Reservations */
  export enum Reservations {
    /** @type `i32` */
    Replanned,
    /** @type `i32` */
    Kept,
    /** @type `i32` */
    COUNT,
  }
  /** assembly/abi/abi/Limit */
  export enum Limit {
    /** @type `i32` */
    SitesOfSets,
    /** @type `i32` */
    HeadBytes,
    /** @type `i32` */
    Passes,
    /** @type `i32` */
    BoundedExecution,
  }
  /** assembly/abi/abi/LookAhead */
  export enum LookAhead {
    /** @type `i32` */
    Jobs,
    /** @type `i32` */
    Capacity,
  }
  /** assembly/abi/abi/RuntimeReference */
  export enum RuntimeReference {
    /** @type `i32` */
    Speed1,
    /** @type `i32` */
    Home,
    /** @type `i32` */
    COUNT,
  }
  /** assembly/abi/abi/Option */
  export enum Option {
    /** @type `i32` */
    Policy,
    /** @type `i32` */
    Parameter0,
    /** @type `i32` */
    Parameter1,
    /** @type `i32` */
    Parameter2,
    /** @type `i32` */
    Parameter3,
    /** @type `i32` */
    Resolution,
    /** @type `i32` */
    Instant,
    /** @type `i32` */
    MinSpeedRatio,
    /** @type `i32` */
    Discipline,
    /** @type `i32` */
    Topology,
    /** @type `i32` */
    Reclaim,
    /** @type `i32` */
    MultiSite,
    /** @type `i32` */
    MultiSiteOverhead,
    /** @type `i32` */
    Moldable,
    /** @type `i32` */
    MoldableThreshold,
    /** @type `i32` */
    MoldableFit,
    /** @type `i32` */
    SpeedupA,
    /** @type `i32` */
    SpeedupSigma,
    /** @type `i32` */
    Selection,
    /** @type `i32` */
    MultiSiteFactor,
    /** @type `i32` */
    RuntimeReference,
    /** @type `i32` */
    Interval,
    /** @type `i32` */
    ProcessorSets,
    /** @type `i32` */
    Transfers,
    /** @type `i32` */
    Order,
    /** @type `i32` */
    RecentJobs,
    /** @type `i32` */
    BackfillOrder,
    /** @type `i32` */
    Parameter4,
    /** @type `i32` */
    Parameter5,
    /** @type `i32` */
    NoEstimates,
    /** @type `i32` */
    ChoicesGiven,
    /** @type `i32` */
    Dependencies,
    /** @type `i32` */
    CandidateRules,
    /** @type `i32` */
    KeysByEstimate,
    /** @type `i32` */
    SharedPolicies,
    /** @type `i32` */
    KeysAtSubmit,
    /** @type `i32` */
    Reservations,
    /** @type `i32` */
    ReservationDepth,
    /** @type `i32` */
    RefreshEstimates,
    /** @type `i32` */
    COUNT,
  }
  /** assembly/abi/abiStatus/Status */
  export enum Status {
    /** @type `i32` */
    Finished,
    /** @type `i32` */
    Paused,
    /** @type `i32` */
    LogFull,
    /** @type `i32` */
    Decision,
    /** @type `i32` */
    Keys,
    /** @type `i32` */
    JobsUnsorted,
    /** @type `i32` */
    JobSubmitInvalid,
    /** @type `i32` */
    JobRuntimeInvalid,
    /** @type `i32` */
    JobProcessorsInvalid,
    /** @type `i32` */
    JobHomeInvalid,
    /** @type `i32` */
    JobTooWide,
    /** @type `i32` */
    SiteCapacityInvalid,
    /** @type `i32` */
    SiteSpeedInvalid,
    /** @type `i32` */
    SiteLoadInvalid,
    /** @type `i32` */
    PolicyUnknown,
    /** @type `i32` */
    ParameterInvalid,
    /** @type `i32` */
    OptionInvalid,
    /** @type `i32` */
    JobEstimateInvalid,
    /** @type `i32` */
    OptionsConflict,
    /** @type `i32` */
    JobDataInvalid,
    /** @type `i32` */
    TransferInvalid,
    /** @type `i32` */
    TimeFactorInvalid,
    /** @type `i32` */
    OptionUnknown,
    /** @type `i32` */
    TimeInvalid,
    /** @type `i32` */
    RoomInvalid,
    /** @type `i32` */
    RoomTooSmall,
    /** @type `i32` */
    MemoryMissing,
    /** @type `i32` */
    NoJobTable,
    /** @type `i32` */
    NoSimulation,
    /** @type `i32` */
    JobsUnsealed,
    /** @type `i32` */
    JobsDiffer,
    /** @type `i32` */
    NotBegun,
    /** @type `i32` */
    NotFinished,
    /** @type `i32` */
    JobKeyInvalid,
    /** @type `i32` */
    SimulationsDiffer,
    /** @type `i32` */
    NoDecision,
    /** @type `i32` */
    SiteInfeasible,
    /** @type `i32` */
    QueueStuck,
    /** @type `i32` */
    PoliciesUnshared,
    /** @type `i32` */
    PoliciesTooMany,
    /** @type `i32` */
    SumUnsettled,
    /** @type `i32` */
    JobUserInvalid,
    /** @type `i32` */
    JobDependencyInvalid,
    /** @type `i32` */
    IntervalTooShort,
    /** @type `i32` */
    DecisionPending,
    /** @type `i32` */
    StateDamaged,
    /** @type `i32` */
    BuildDiffers,
    /** @type `i32` */
    SettingsDiffer,
  }
  /** assembly/abi/abiColumns/Room */
  export enum Room {
    /** @type `i32` */
    Jobs,
    /** @type `i32` */
    Sites,
    /** @type `i32` */
    Processors,
    /** @type `i32` */
    Runs,
    /** @type `i32` */
    Parts,
    /** @type `i32` */
    Stops,
    /** @type `i32` */
    Ranks,
    /** @type `i32` */
    Guests,
    /** @type `i32` */
    Molds,
    /** @type `i32` */
    Predictions,
    /** @type `i32` */
    Reservations,
    /** @type `i32` */
    Transfers,
    /** @type `i32` */
    Keys,
    /** @type `i32` */
    Index,
    /** @type `i32` */
    Policies,
    /** @type `i32` */
    Estimates,
    /** @type `i32` */
    LateRanks,
    /** @type `i32` */
    Sequences,
    /** @type `i32` */
    Trials,
    /** @type `i32` */
    EndedJobs,
    /** @type `i32` */
    Choices,
    /** @type `i32` */
    BackfillKeys,
    /** @type `i32` */
    Dependencies,
    /** @type `i32` */
    KeysAtSubmit,
    /** @type `i32` */
    KeptReservations,
    /** @type `i32` */
    BackfillRanks,
    /** @type `i32` */
    COUNT,
  }
  /** assembly/abi/abiColumns/JobColumn */
  export enum JobColumn {
    /** @type `i32` */
    Submit,
    /** @type `i32` */
    Runtime,
    /** @type `i32` */
    Processors,
    /** @type `i32` */
    Home,
    /** @type `i32` */
    Demand,
    /** @type `i32` */
    Estimate,
    /** @type `i32` */
    Data,
    /** @type `i32` */
    User,
    /** @type `i32` */
    Preceding,
    /** @type `i32` */
    ThinkTime,
    /** @type `i32` */
    FirstPiece,
  }
  /** assembly/abi/abiColumns/Extra */
  export enum Extra {
    /** @type `i32` */
    Data,
    /** @type `i32` */
    Users,
    /** @type `i32` */
    Dependencies,
  }
  /** assembly/abi/abiColumns/Column */
  export enum Column {
    /** @type `i32` */
    Capacity,
    /** @type `i32` */
    Speed,
    /** @type `i32` */
    Load,
    /** @type `i32` */
    Start,
    /** @type `i32` */
    Execution,
    /** @type `i32` */
    Site,
    /** @type `i32` */
    LogIndex,
    /** @type `i32` */
    Log,
    /** @type `i32` */
    SiteBusy,
    /** @type `i32` */
    SiteJobs,
    /** @type `i32` */
    HomeResponse,
    /** @type `i32` */
    HomeJobs,
    /** @type `i32` */
    Metric,
    /** @type `i32` */
    PartIndex,
    /** @type `i32` */
    Parts,
    /** @type `i32` */
    LostTime,
    /** @type `i32` */
    Held,
    /** @type `i32` */
    TimeFactor,
    /** @type `i32` */
    Bandwidth,
    /** @type `i32` */
    Latency,
    /** @type `i32` */
    StopJob,
    /** @type `i32` */
    StopSite,
    /** @type `i32` */
    StopStart,
    /** @type `i32` */
    StopEnd,
    /** @type `i32` */
    StopLogIndex,
    /** @type `i32` */
    Key,
    /** @type `i32` */
    Decision,
    /** @type `i32` */
    Slot,
    /** @type `i32` */
    SlotOfSite,
    /** @type `i32` */
    Policies,
    /** @type `i32` */
    Estimate,
    /** @type `i32` */
    Choice,
    /** @type `i32` */
    GivenChoice,
    /** @type `i32` */
    Score,
    /** @type `i32` */
    Prospect,
    /** @type `i32` */
    TimesChosen,
    /** @type `i32` */
    BackfillKey,
    /** @type `i32` */
    Submit,
    /** @type `i32` */
    CandidateRules,
    /** @type `i32` */
    Counted,
    /** @type `i32` */
    PromisedStart,
  }
  /** assembly/abi/abiResults/Decision */
  export enum Decision {
    /** @type `i32` */
    Job,
    /** @type `i32` */
    Time,
    /** @type `i32` */
    BestFit,
    /** @type `i32` */
    FastestFirst,
    /** @type `i32` */
    FoundQueueEmpty,
    /** @type `i32` */
    QueuedProcessors,
    /** @type `i32` */
    FreeProcessors,
    /** @type `i32` */
    Waiting,
    /** @type `i32` */
    Running,
    /** @type `i32` */
    COUNT,
  }
  /** assembly/abi/abiResults/Scalar */
  export enum Scalar {
    /** @type `i32` */
    Bytes,
    /** @type `i32` */
    Now,
    /** @type `i32` */
    Submitted,
    /** @type `i32` */
    Waiting,
    /** @type `i32` */
    Running,
    /** @type `i32` */
    FreeProcessors,
    /** @type `i32` */
    SpeedHeterogeneity,
    /** @type `i32` */
    LogLength,
    /** @type `i32` */
    RefusedJob,
    /** @type `i32` */
    RefusedSite,
    /** @type `i32` */
    PartsLength,
    /** @type `i32` */
    StopsLength,
    /** @type `i32` */
    RefusedOption,
    /** @type `i32` */
    RefusedRoom,
    /** @type `i32` */
    Forks,
    /** @type `i32` */
    Joins,
    /** @type `i32` */
    SharedJobs,
    /** @type `i32` */
    Trials,
    /** @type `i32` */
    Switches,
    /** @type `i32` */
    TriedJobs,
    /** @type `i32` */
    Span,
    /** @type `i32` */
    Counted,
    /** @type `i32` */
    KeyedJob,
    /** @type `i32` */
    MovedReservations,
  }
  /** assembly/abi/abiResults/Metric */
  export enum Metric {
    /** @type `i32` */
    Jobs,
    /** @type `i32` */
    AverageResponseTime,
    /** @type `i32` */
    AverageQueueLength,
    /** @type `i32` */
    AverageQueueLengthOverTime,
    /** @type `i32` */
    LargestQueue,
    /** @type `i32` */
    MeanWait,
    /** @type `i32` */
    MaxWait,
    /** @type `i32` */
    MeanSlowdown,
    /** @type `i32` */
    MeanBoundedSlowdown,
    /** @type `i32` */
    AverageWeightedResponseTime,
    /** @type `i32` */
    AverageWeightedWaitTime,
    /** @type `i32` */
    Makespan,
    /** @type `i32` */
    Utilization,
    /** @type `i32` */
    CapacityUtilization,
    /** @type `i32` */
    MovedJobs,
    /** @type `i32` */
    DecisionsAgreed,
    /** @type `i32` */
    DecisionsBestFit,
    /** @type `i32` */
    DecisionsFastestFirst,
    /** @type `i32` */
    Restarts,
    /** @type `i32` */
    LostProcessorSeconds,
    /** @type `i32` */
    SplitJobs,
    /** @type `i32` */
    ScaledDownJobs,
    /** @type `i32` */
    ScaledUpJobs,
    /** @type `i32` */
    COUNT,
  }
}
/** Instantiates the compiled WebAssembly module with the given imports. */
export declare function instantiate(module: WebAssembly.Module, imports: {
}): Promise<typeof __AdaptedExports>;
