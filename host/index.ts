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

export type { Report } from './draw/types.js';
export { OutputError } from './errors.js';
export { coreFile, useCoreFile } from './files/coreFile.js';
export type { LogInput, SourceOptions } from './files/logSource.js';
export { checkTrace, type ReadOptions, readTrace } from './files/readTrace.js';
export { type LogOutput, type WriteOptions, writeTrace } from './files/writeTrace.js';
export * from './portable.js';
export {
  type AskedWindow,
  type DrawnReport,
  drawFolder,
  drawReport,
  writeReport,
} from './report/fromFolder.js';
export { studyReport } from './report/studyReport.js';
export { simulationFiles } from './results/files.js';
export { checkResultFolder, type ResultFile, writeResultFolder } from './results/folder.js';
export { type Merged, mergeStudies } from './runner/merge.js';
export { type Planned, type PlanOptions, planStudy } from './runner/planStudy.js';
export { readStudy } from './runner/readStudy.js';
export { type RunningOptions, type RunOptions, type RunOutcome, runStudy } from './runner/run.js';
export type { Shard } from './runner/shards.js';
