/** Jobs and runs of the benchmarks, and the comparison of results. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listAllocatorDeclarations, makeCorePolicyParameters, parsePolicy } from '../host/core/policies.js';
import { readTrace } from '../host/files/traceFiles.js';
import { makeWorkload } from '../host/workload/make.js';
import { makeModelTrace } from '../host/workload/models.js';
import { findPreset } from '../host/workload/presets.js';
import type { Workload } from '../host/workload/workload.js';
import { findTraceFilePath } from '../tests/traces.js';

/** One simulation: sites, speeds and load of Shih et al. 2010 with one draw of speeds. */
export interface BenchRun {
  /** Name of the policy; its parameters are the defaults. `ai` and `tai` count the prefix. */
  readonly policy: string;
  readonly index: number;
  readonly parameters: readonly number[];
  readonly load: number;
  readonly capacities: readonly number[];
  readonly speeds: readonly number[];
}

/** Result on which all programs must agree. */
export interface ScheduleColumns {
  readonly start: Float64Array;
  readonly execution: Float64Array;
  readonly site: Int32Array;
}

export const LOADS = [1, 2.5, 4];
/** Sites of Shih et al. 2010 with one draw of speeds. */
export const SITES = {
  capacities: findPreset('shih2010').capacities,
  speeds: [0.7, 1.3, 0.8, 1.1, 0.9],
};

/** Every policy that the core declares, at each load. */
export function makeAllBenchRuns(): BenchRun[] {
  return listAllocatorDeclarations().flatMap(({ name: policyName, index: policyIndex }) =>
    LOADS.map((load) => ({
      policy: policyName,
      index: policyIndex,
      parameters: makeCorePolicyParameters(parsePolicy(policyName)),
      load,
      ...SITES,
    })),
  );
}

/**
 * Loads the San Diego log from GRIDALLOC_TRACES; if missing, generates a Lublin99 workload of similar size.
 */
export async function loadBenchWorkload(): Promise<Workload> {
  const file = findTraceFilePath('sdsc-sp2-54041.swf.gz');
  if (file === undefined)
    return makeWorkload(makeModelTrace('lublin99[aarr=9,jobs=54041]'), { siteCount: 5 });
  const { capacities, filters, home } = findPreset('shih2010');
  const name = 'San Diego SP2 log';
  return makeWorkload(await readTrace(file), { name, filters, home, siteCount: capacities.length });
}

/** Writes the jobs to a file for the native program; returns its path. */
export function writeJobsFile({
  count: jobCount,
  submit,
  runtime,
  processors,
  home,
  estimate,
}: Workload): string {
  const path = join(mkdtempSync(join(tmpdir(), 'gridalloc-bench-')), 'jobs.bin');
  const columns = [Uint32Array.of(jobCount), submit, runtime, processors, home, estimate];
  writeFileSync(
    path,
    Buffer.concat(
      columns.map((column) => new Uint8Array(column.buffer, column.byteOffset, column.byteLength)),
    ),
  );
  return path;
}

/** 32-bit FNV-1a hash of the columns' bytes. */
export function hashOfSchedule({ start, execution, site }: ScheduleColumns): number {
  let hash = 0x811c9dc5;
  for (const column of [start, execution, site]) {
    for (const byte of new Uint8Array(column.buffer, column.byteOffset, column.byteLength)) {
      hash = Math.imul(hash ^ byte, 0x01000193);
    }
  }
  return hash >>> 0;
}
