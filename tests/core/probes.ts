/**
 * A simulation in the checked build, called directly through the test functions of
 * assembly/testing.ts.
 */
import { type Core, openCore } from '../../host/core/module.js';

/** Functions that only the checked build exports. Blocks are passed as addresses. */
interface CheckedBuildFunctions {
  pushFinish(simulation: number, jobsAddress: number, time: number, job: number): void;
  popFinish(simulation: number, jobsAddress: number): number;
  soonestFinish(simulation: number, jobsAddress: number): number;
  nextNotWider(simulation: number, jobsAddress: number, job: number, end: number, processors: number): number;
  moveProcessors(simulation: number, jobsAddress: number, site: number, processors: number): void;
}

export interface ProbedSimulation {
  readonly core: Core & CheckedBuildFunctions;
  readonly jobs: number;
  readonly simulation: number;
}

/**
 * Begins a simulation with one site of `capacity` processors and jobs that request `jobWidths` processors,
 * all submitted at 0 with runtime 1.
 */
export function beginProbedSimulation(capacity: number, jobWidths: readonly number[]): ProbedSimulation {
  const core = openCore('checked') as Core & CheckedBuildFunctions;
  core.memory.grow(512);
  const jobsAddress = Math.ceil(core.firstAddress() / 16) * 16;
  const jobCount = jobWidths.length;
  const simulationAddress = Math.ceil((jobsAddress + core.arrangeJobs(jobsAddress, jobCount, 0)) / 16) * 16;
  const { buffer } = core.memory;
  new Float64Array(buffer, core.jobColumnAddress(jobsAddress, core.JobColumn.Runtime), jobCount).fill(1);
  new Int32Array(buffer, core.jobColumnAddress(jobsAddress, core.JobColumn.Processors), jobCount).set(
    jobWidths,
  );
  core.sealJobs(jobsAddress);
  core.prepare(simulationAddress);
  core.fitRoom(simulationAddress, jobCount, 1, capacity);
  core.arrange(simulationAddress);
  new Int32Array(buffer, core.columnAddress(simulationAddress, core.Column.Capacity), 1)[0] = capacity;
  for (const columnName of ['Speed', 'Load', 'TimeFactor'] as const) {
    new Float64Array(buffer, core.columnAddress(simulationAddress, core.Column[columnName]), 1)[0] = 1;
  }
  core.begin(simulationAddress, jobsAddress);
  return { core, jobs: jobsAddress, simulation: simulationAddress };
}
