/**
 * Drives the core call by call, without the host: a few jobs on two sites, with blocks at separate
 * places in memory.
 */
import type { Core } from '../../host/core/module.js';

/** Bytes of memory for one job table and one simulation. */
export const TEST_ARENA_BYTES = 2 ** 21;

export interface TableAndBlockAddresses {
  readonly table: number;
  readonly block: number;
}

export const LOW_LEVEL_SITES = [
  { processors: 4, speed: 1, load: 1 },
  { processors: 8, speed: 0.5, load: 1.5 },
] as const;

export const LOW_LEVEL_JOBS = Array.from({ length: 40 }, (_, i) => ({
  submit: 3 * Math.floor(i / 2),
  runtime: 5 + ((i * 7) % 23),
  processors: 1 + ((i * 5) % 4),
  home: i % 2,
}));

/**
 * Addresses of a job table and a simulation, separate for each number; memory grows to hold them.
 */
export function computeArenaAddresses(core: Core, arenaIndex: number): TableAndBlockAddresses {
  const firstAddress = Math.ceil(core.firstAddress() / 16) * 16 + arenaIndex * TEST_ARENA_BYTES;
  const missingBytes = firstAddress + TEST_ARENA_BYTES - core.memory.buffer.byteLength;
  if (missingBytes > 0) core.memory.grow(Math.ceil(missingBytes / 65_536));
  return { table: firstAddress, block: firstAddress + TEST_ARENA_BYTES / 2 };
}

/** Lays out a job table, fills and seals it. */
export function fillJobTable(core: Core, table: number, jobs = LOW_LEVEL_JOBS): void {
  core.arrangeJobs(table, jobs.length, 0);
  const { buffer } = core.memory;
  const columnAddressOf = (columnName: keyof Core['JobColumn']) =>
    core.jobColumnAddress(table, core.JobColumn[columnName]);
  for (const columnName of ['Submit', 'Runtime', 'Estimate'] as const) {
    const columnValues = jobs.map((job) => (columnName === 'Submit' ? job.submit : job.runtime));
    new Float64Array(buffer, columnAddressOf(columnName), jobs.length).set(columnValues);
  }
  new Int32Array(buffer, columnAddressOf('Processors'), jobs.length).set(jobs.map((job) => job.processors));
  new Int32Array(buffer, columnAddressOf('Home'), jobs.length).set(jobs.map((job) => job.home));
  core.sealJobs(table);
}

/**
 * Writes values for `LOW_LEVEL_JOBS` into the columns of a simulation that concern orders, users and limits;
 * columns for which the simulation has no memory are left out.
 */
function fillAccountColumns(core: Core, block: number): void {
  const writeIntegers = (
    columnName: keyof Core['Column'],
    integerCount: number,
    entryAt: (index: number) => number,
  ) => {
    const address = core.columnAddress(block, core.Column[columnName]);
    if (address === 0) return;
    new Int32Array(core.memory.buffer, address, integerCount).set(
      Array.from({ length: integerCount }, (_, i) => entryAt(i)),
    );
  };
  for (const columnName of ['UserAccount', 'GroupAccount'] as const)
    writeIntegers(columnName, LOW_LEVEL_JOBS.length, () => 0);
  writeIntegers('LimitedUser', LOW_LEVEL_JOBS.length, () => 0);
  writeIntegers('LimitedGroup', LOW_LEVEL_JOBS.length, () => -1);
  writeIntegers('PieceOf', LOW_LEVEL_JOBS.length, (job) => job);
  writeIntegers('AccountLimit', 2 * core.room(block, core.Room.Limits), () => 8);
  writeIntegers('SetSite', LOW_LEVEL_SITES.length * core.room(block, core.Room.SiteSets), () => 1);
  const writeDoubles = (
    columnName: keyof Core['Column'],
    doubleValues: readonly number[],
    doubleCount: number,
  ) => {
    const address = core.columnAddress(block, core.Column[columnName]);
    if (address === 0) return;
    new Float64Array(core.memory.buffer, address, doubleCount).set(
      Array.from({ length: doubleCount }, (_, i) => doubleValues[i % doubleValues.length]!),
    );
  };
  const { Wait, End } = core.Instruction;
  writeDoubles('Program', [Wait, 0, End, 0], 2 * core.room(block, core.Room.Program));
  writeDoubles('ProgramInput', [1], LOW_LEVEL_JOBS.length * core.room(block, core.Room.ProgramInputs));
}

/**
 * Fills the columns that the host writes of a simulation of `LOW_LEVEL_JOBS` that is laid out for two sites.
 */
export function fillSiteColumns(core: Core, block: number): void {
  const columnAddressOf = (columnName: keyof Core['Column']) =>
    core.columnAddress(block, core.Column[columnName]);
  if (core.room(block, core.Room.Jobs) === LOW_LEVEL_JOBS.length) fillAccountColumns(core, block);
  if (columnAddressOf('Speed') === 0 || core.room(block, core.Room.Sites) !== LOW_LEVEL_SITES.length) return;
  const { buffer } = core.memory;
  new Int32Array(buffer, columnAddressOf('Capacity'), LOW_LEVEL_SITES.length).set(
    LOW_LEVEL_SITES.map((site) => site.processors),
  );
  new Float64Array(buffer, columnAddressOf('Speed'), LOW_LEVEL_SITES.length).set(
    LOW_LEVEL_SITES.map((site) => site.speed),
  );
  new Float64Array(buffer, columnAddressOf('Load'), LOW_LEVEL_SITES.length).set(
    LOW_LEVEL_SITES.map((site) => site.load),
  );
  new Float64Array(buffer, columnAddressOf('TimeFactor'), LOW_LEVEL_SITES.length).set(
    LOW_LEVEL_SITES.map((site) => 1 / site.speed),
  );
  if (columnAddressOf('Bandwidth') === 0) return;
  new Float64Array(buffer, columnAddressOf('Bandwidth'), LOW_LEVEL_SITES.length ** 2).fill(1e6);
  new Float64Array(buffer, columnAddressOf('Latency'), LOW_LEVEL_SITES.length ** 2).fill(0);
}

/**
 * Runs a simulation with one option set (if not 0); returns the start times, or none if the core
 * refuses or a log is full.
 */
export function runLowLevelSimulation(
  core: Core,
  { table, block }: TableAndBlockAddresses,
  option = 0,
  optionValue = 0,
): number[] {
  fillJobTable(core, table);
  core.prepare(block);
  core.setOption(block, option, optionValue);
  core.fitRoom(block, LOW_LEVEL_JOBS.length, LOW_LEVEL_SITES.length, 12);
  core.arrange(block);
  fillSiteColumns(core, block);
  core.begin(block, table);
  if (core.runUntil(block, table, Number.POSITIVE_INFINITY) !== core.Status.Finished) return [];
  core.measure(block, table);
  const start = core.columnAddress(block, core.Column.Start);
  return [...new Float64Array(core.memory.buffer, start, LOW_LEVEL_JOBS.length)];
}
