/**
 * The library on Node: all that computes (portable.ts), and logs, results, studies and reports in files.
 *
 * ```ts
 * import { makeGrid, makeWorkload, readTrace, simulate } from 'gridalloc';
 *
 * const trace = await readTrace('log.swf.gz');
 * const grid = makeGrid({ capacities: [128, 64], speeds: [1, 2] });
 * const workload = makeWorkload(trace, { siteCount: 2, capacities: grid.capacities });
 * console.log(simulate(workload, grid, { policy: 'ai2' }).summary.averageResponseTime);
 * ```
 */

export { pdfOf } from './draw/pdf.js';
export { OutputError } from './errors.js';
export { coreFile, useCoreFile } from './files/coreFile.js';
export type { LogInput, SourceOptions } from './files/traceFiles.js';
export {
  checkTrace,
  type LogOutput,
  type ReadOptions,
  readTrace,
  type WriteOptions,
  writeTrace,
} from './files/traceFiles.js';
export * from './portable.js';
export { type ResultColumns, resultColumns } from './reports/resultTable.js';
export { type DrawnWindow as AskedWindow, type DrawnWindow, drawFolder } from './reports/savedReport.js';
export { studyReport } from './reports/studyReport.js';
export { type Rerun, type RerunOptions, rerunOf } from './request/saved.js';
export {
  checkResultFolder,
  type ResultFile,
  simulationFiles,
  writeResultFolder,
} from './results/resultFolder.js';
export {
  type CommonSettings,
  type Comparison,
  type ComparisonOptions,
  compare,
  judgeLogs,
  type LogJudgingOptions,
  type Replicates,
  type ReplicationOptions,
  replications,
  type Sweep,
  type SweepOptions,
  sweep,
  type ThreadOptions,
} from './runs/compare.js';
export type { EstimatedMetric, JudgedComparison, JudgedMetric, LogValues } from './runs/comparison.js';
export { type Planned, type PlanOptions, planStudy, readStudy } from './runs/planStudy.js';
export { type RunningOptions, type RunOptions, type RunOutcome, runStudy } from './runs/runPlan.js';
export { type Merged, mergeStudies } from './runs/shardFolder.js';
export type { Shard } from './runs/shards.js';
export type { Report } from './view/report.js';
export { type DrawnReport, drawReport, writeReport } from './view/reportFolder.js';
