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
   * assembly/index/begin
   * @param simulation `usize`
   * @param jobs `usize`
   * @returns `i32`
   */
  export function begin(simulation: number, jobs: number): number;
  /**
   * assembly/index/runUntil
   * @param simulation `usize`
   * @param jobs `usize`
   * @param until `f64`
   * @returns `i32`
   */
  export function runUntil(simulation: number, jobs: number, until: number): number;
  /**
   * assembly/index/measure
   * @param simulation `usize`
   * @param jobs `usize`
   */
  export function measure(simulation: number, jobs: number): void;
  /** assembly/abi/Column */
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
  }
  /** assembly/abi/JobColumn */
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
  }
  /** assembly/abi/Metric */
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
  /** assembly/abi/Option */
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
    COUNT,
  }
  /** assembly/abi/Scalar */
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
  }
  /** assembly/abi/Status */
  export enum Status {
    /** @type `i32` */
    Finished,
    /** @type `i32` */
    Paused,
    /** @type `i32` */
    LogFull,
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
  }
  /** assembly/abi/Discipline */
  export enum Discipline {
    /** @type `i32` */
    FirstComeFirstServed,
    /** @type `i32` */
    NarrowestFirst,
    /** @type `i32` */
    WidestFirst,
    /** @type `i32` */
    ShortestFirst,
    /** @type `i32` */
    LongestFirst,
    /** @type `i32` */
    FirstAvailable,
    /** @type `i32` */
    Easy,
    /** @type `i32` */
    Conservative,
  }
  /** assembly/abi/Instant */
  export enum Instant {
    /** @type `i32` */
    PerEvent,
    /** @type `i32` */
    Batched,
  }
  /** assembly/abi/Moldable */
  export enum Moldable {
    /** @type `i32` */
    None,
    /** @type `i32` */
    Down,
    /** @type `i32` */
    UpDown,
  }
  /** assembly/abi/MoldableFit */
  export enum MoldableFit {
    /** @type `i32` */
    Demand,
    /** @type `i32` */
    Processors,
    /** @type `i32` */
    Power,
  }
  /** assembly/abi/MultiSite */
  export enum MultiSite {
    /** @type `i32` */
    None,
    /** @type `i32` */
    LargerFirst,
    /** @type `i32` */
    FasterFirst,
    /** @type `i32` */
    Adaptive,
  }
  /** assembly/abi/Resolution */
  export enum Resolution {
    /** @type `i32` */
    Exact,
    /** @type `i32` */
    Nearest,
    /** @type `i32` */
    Floor,
  }
  /** assembly/abi/Limit */
  export enum Limit {
    /** @type `i32` */
    SitesOfSets,
  }
  /** assembly/abi/RuntimeReference */
  export enum RuntimeReference {
    /** @type `i32` */
    Speed1,
    /** @type `i32` */
    Home,
  }
  /** assembly/abi/Selection */
  export enum Selection {
    /** @type `i32` */
    Optimal,
    /** @type `i32` */
    Greedy,
    /** @type `i32` */
    NonAdaptive,
  }
  /** assembly/abi/Topology */
  export enum Topology {
    /** @type `i32` */
    Shared,
    /** @type `i32` */
    PerHome,
    /** @type `i32` */
    Independent,
  }
  /**
   * assembly/allocators/registry/policyDeclaration
   * @param policy `i32`
   * @returns `usize`
   */
  export function policyDeclaration(policy: number): number;
  /**
   * assembly/check/brokenInvariant
   * @returns `i32`
   */
  export function brokenInvariant(): number;
  /**
   * assembly/engine/jobs/arrangeJobs
   * @param table `usize`
   * @param count `i32`
   * @param hasData `i32`
   * @returns `u32`
   */
  export function arrangeJobs(table: number, count: number, hasData: number): number;
  /**
   * assembly/engine/jobs/jobColumnAddress
   * @param table `usize`
   * @param which `i32`
   * @returns `usize`
   */
  export function jobColumnAddress(table: number, which: number): number;
  /**
   * assembly/engine/jobs/sealJobs
   * @param table `usize`
   * @param culprit `usize`
   * @returns `i32`
   */
  export function sealJobs(table: number, culprit: number): number;
  /**
   * assembly/engine/access/columnAddress
   * @param block `usize`
   * @param which `i32`
   * @returns `usize`
   */
  export function columnAddress(block: number, which: number): number;
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
   */
  export function setOption(block: number, which: number, value: number): void;
  /**
   * assembly/engine/layout/arrange
   * @param block `usize`
   * @param jobCount `i32`
   * @param siteCount `i32`
   * @param totalProcessors `i32`
   * @param logCapacity `i32`
   * @param partCapacity `i32`
   * @param stopCapacity `i32`
   * @param hasRanks `i32`
   * @param hasGuests `i32`
   * @param hasMolds `i32`
   * @param hasPredictions `i32`
   * @param planCapacity `i32`
   * @param hasTransfers `i32`
   * @returns `u32`
   */
  export function arrange(block: number, jobCount: number, siteCount: number, totalProcessors: number, logCapacity: number, partCapacity: number, stopCapacity: number, hasRanks: number, hasGuests: number, hasMolds: number, hasPredictions: number, planCapacity: number, hasTransfers: number): number;
  /**
   * assembly/engine/layout/extendLogs
   * @param block `usize`
   * @param logCapacity `i32`
   * @param partCapacity `i32`
   * @param stopCapacity `i32`
   * @returns `u32`
   */
  export function extendLogs(block: number, logCapacity: number, partCapacity: number, stopCapacity: number): number;
}
/** Instantiates the compiled WebAssembly module with the given imports. */
export declare function instantiate(module: WebAssembly.Module, imports: {
}): Promise<typeof __AdaptedExports>;
