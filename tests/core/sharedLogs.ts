/** Real logs on grids of sites that share their load, for tests of invariants. */
import { expect } from 'vitest';
import { readTrace } from '../../host/files/traceFiles.js';
import { type Grid, makeGrid } from '../../host/grid/grid.js';
import { makeWorkload } from '../../host/workload/make.js';
import { findPreset } from '../../host/workload/presets.js';
import type { Workload } from '../../host/workload/workload.js';
import { findTraceFilePath } from '../traces.js';

/** A log with its sites and the load of each home site. */
export interface RealTestLog {
  readonly name: string;
  /** Path of the log; undefined if it is missing, in which case its tests are skipped. */
  readonly file: string | undefined;
  readonly grid: Grid;
  readonly load: number | readonly number[];
  /** Reads the jobs of the log; cached for all tests of a file. */
  workload(): Promise<Workload>;
}

const { filters, home, capacities } = findPreset('huang2007');
const sanDiegoLogFile = findTraceFilePath('sdsc-sp2-56490-reconstructed.swf.gz');
const stockholmLogFile = findTraceFilePath('KTH-SP2-1996-2.1-cln.swf.gz');

function cacheWorkloadReader(readWorkload: () => Promise<Workload>): () => Promise<Workload> {
  let workload: Promise<Workload> | undefined;
  return () => {
    workload ??= readWorkload();
    return workload;
  };
}

const readSanDiegoWorkload = cacheWorkloadReader(async () =>
  makeWorkload(await readTrace(sanDiegoLogFile as string), { filters, home, capacities, siteCount: 5 }),
);

export const REAL_TEST_LOGS: readonly RealTestLog[] = [
  {
    name: 'San Diego SP2, homes by queue',
    file: sanDiegoLogFile,
    grid: makeGrid({ capacities, speeds: [1, 3, 4, 4, 8] }),
    load: [5, 4, 5, 4, 1],
    workload: readSanDiegoWorkload,
  },
  {
    name: 'San Diego SP2, homes by queue, other speeds',
    file: sanDiegoLogFile,
    grid: makeGrid({ capacities, speeds: [0.6, 0.7, 2.4, 9.5, 4.3] }),
    load: 3,
    workload: readSanDiegoWorkload,
  },
  {
    name: 'KTH SP2, homes by user',
    file: stockholmLogFile,
    grid: makeGrid({ capacities: [100, 128, 100], speeds: [1, 2, 1.5] }),
    load: 3,
    workload: cacheWorkloadReader(async () =>
      makeWorkload(await readTrace(stockholmLogFile as string), { home: 'user', siteCount: 3 }),
    ),
  },
];

/** Fails if there are offences, showing the first five. */
export function expectNoViolations(offences: readonly string[]): void {
  expect(offences.slice(0, 5)).toEqual([]);
}
