/**
 * All that computes, for any host: logs from text or bytes, models of jobs, grids, allocation policies, simulations,
 * metrics, the evaluation of studies. Nothing here needs files, threads or Node.
 *
 * ```ts
 * import { makeGrid, makeWorkload, parseTrace, setCore, simulate } from 'gridalloc';
 *
 * setCore(await (await fetch('release.wasm')).arrayBuffer());
 * const trace = parseTrace(await (await fetch('log.swf')).text());
 * const grid = makeGrid({ capacities: [128, 64], speeds: [1, 2] });
 * const workload = makeWorkload(trace, { siteCount: 2, capacities: grid.capacities });
 * console.log(simulate(workload, grid, { policy: 'ai2' }).summary.averageResponseTime);
 * ```
 */

export { type Core, type CoreBuild, openCore, setCore } from './core/module.js';
export type {
  LookAheadCount,
  OwnPolicy,
  PolicyFunction,
  PolicyView,
  SiteState,
  WaitingJob,
} from './core/policies.js';
export {
  type Policy,
  type PolicyDeclaration,
  type PolicyParameter,
  parsePolicy,
  policies,
  printPolicy,
} from './core/policies.js';
export { FunctionError, InputError } from './errors.js';
export { explainJob } from './explain/explain.js';
export type { Explanation } from './explain/explanation.js';
export {
  checkLoad,
  drawSpeeds,
  type Grid,
  type GridOptions,
  makeGrid,
  parseCapacities,
  parseSpeeds,
  ROOTS,
  type Root,
  type SpeedDraw,
  speedHeterogeneity,
} from './grid/grid.js';
export { JOB_COLUMNS, type JobColumns } from './jobs/attributes.js';
export {
  Environment,
  type EnvironmentOptions,
  EnvironmentVector,
  FEATURES,
  type FeatureName,
  type Observer,
  type Step,
  type VectorStep,
} from './learn/environment.js';
export type { JobSource } from './learn/liveEpisode.js';
export type { LiveForkOptions, LiveOptions } from './live/liveOptions.js';
export type { LiveOutage } from './live/liveOutage.js';
export type { LiveJobState, LiveResult } from './live/liveResult.js';
export type { LiveRules } from './live/liveRules.js';
export { type LiveProgress, LiveSimulation, type LiveStep } from './live/liveSimulation.js';
export type { LiveName, LiveState, LiveStateJob, SubmittedJob } from './live/submittedJob.js';
export {
  type Configuration,
  type Discipline,
  makeConfiguration,
  type RunSettings,
  type SimulationOptions,
} from './options/configuration.js';
export type { Option } from './options/kinds.js';
export { type NamedOption, type Naming, OPTIONS, type Settings } from './options/options.js';
export type { Order, OrderedJob, OrderFunction, OrderWord } from './options/order.js';
export type { Downey, Speedup } from './options/runOptions.js';
export { CAPACITY_COLUMNS, capacityCsv } from './results/capacity.js';
export { jobsCsv, STOP_COLUMNS, stopsCsv } from './results/jobsFile.js';
export { jobColumns } from './results/simulatedJobs.js';
export { DecisionView } from './simulate/decisionView.js';
export type { JobTable } from './simulate/layout.js';
export { type RecordEntry, Recorder } from './simulate/recorder.js';
export type { OutageEffects, Parts, ProcessorSets, Schedule, StoppedRuns } from './simulate/schedule.js';
export { type PolicyRuns, runPolicies, simulateAll } from './simulate/sharedHistories.js';
export { collectSimulation, type Simulation, simulate } from './simulate/simulate.js';
export type { Sharing } from './simulate/simulator.js';
export { Simulator } from './simulate/simulator.js';
export {
  type DecisionCounts,
  type HomeSummary,
  improvementRatio,
  type SiteSummary,
  type Summary,
  summarize,
} from './simulate/summary.js';
export {
  estimateMean,
  type IntervalMethod,
  type MeanEstimate,
  type MeanInterval,
} from './statistics/interval.js';
export {
  type JudgedMethod,
  type Judgement,
  type JudgingOptions,
  judgeMethods,
  type PairedDifference,
  pairedDifference,
  type Selection,
  type SelectionOptions,
  type SkewedDifference,
  selectBest,
  type Verdict,
} from './statistics/judging.js';
export { looksUpTo } from './statistics/looks.js';
export { type Evaluated, Evaluation, type MeasuredValue } from './study/evaluate.js';
export type { Plan, PlannedRun, PlannedWorkload, Point, RunParameters } from './study/plan.js';
export { Results } from './study/results.js';
export { type Label, type OptionTexts, type RawStudy, STUDY_SCHEMA } from './study/schema.js';
export { makeStudy, parseStudy, type Study, type StudyOverrides } from './study/study.js';
export type { CheckOptions, TraceCheck, TraceProblem } from './trace/checkTrace.js';
export {
  applyFilters,
  type Dropped,
  FILTER_RULES,
  type Filter,
  formatFilter,
  parseFilter,
} from './trace/filter.js';
export type { FormatName } from './trace/formats.js';
export { type Distribution, type QueueInfo, type TraceInfo, traceInfo } from './trace/info.js';
export { type GivenColumns, type GivenJob, type GivenLog, makeTrace } from './trace/makeTrace.js';
export { type ParseOptions, parseTrace } from './trace/readText.js';
export { encodeTrace } from './trace/swf.js';
export {
  type LeftOut,
  type NumberNames,
  SWF_FIELDS,
  type SwfField,
  type Trace,
  type TraceHeader,
} from './trace/trace.js';
export { type EstimatedJob, type Estimates, parseEstimates, withEstimates } from './workload/estimates.js';
export { type FinishedColumns, scheduleToTrace, workloadToTrace } from './workload/export.js';
export {
  defaultHomeRule,
  HOME_RULES,
  type HomeRule,
  makeWorkload,
  OVERSIZE_RULES,
  type OversizeRule,
  type WorkloadOptions,
} from './workload/make.js';
export type { Model, ModelJobs, ModelParameter } from './workload/models.js';
export { MODELS, makeModelTrace } from './workload/models.js';
export { type Perturbation, parsePerturbation, perturbTrace, printPerturbation } from './workload/perturb.js';
export type { Placement } from './workload/pieces.js';
export { findPreset, PRESETS, type Preset } from './workload/presets.js';
export type { Accounting, Workload } from './workload/workload.js';
