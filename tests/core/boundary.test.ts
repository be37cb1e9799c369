import { beforeEach, describe, expect, test } from 'vitest';
import { declaredPolicies } from '../../host/core/instance.js';
import { type Core, type CoreOption, openCore } from '../../host/core/module.js';
import {
  arenaAddresses,
  fillJobTable,
  fillSiteColumns,
  LOW_LEVEL_JOBS,
  LOW_LEVEL_SITES,
  runLowLevelToEnd,
} from './lowLevel.js';

/**
 * Tests invalid calls of the core: each returns a status, and none traps, whatever the numbers and the order
 * of calls.
 */

/** A simulation begins with a seal of this many bytes, followed by its options. */
const STATE_SEAL_BYTES = 64;

let core: Core;
let table: number;
let block: number;

beforeEach(() => {
  core = openCore();
  ({ table, block } = arenaAddresses(core, 0));
});

const readScalar = (scalarName: keyof Core['Scalar']) => core.scalar(block, core.Scalar[scalarName]);
const statusNumber = (statusCode: number) =>
  Object.entries(core.Status).find(([, value]) => value === statusCode)?.[0];

/** Seals a job table and lays out a simulation with these options and its sites. */
function layOutSimulation(options: Partial<Record<CoreOption, number>> = {}): void {
  fillJobTable(core, table);
  core.prepare(block);
  for (const [optionName, optionValue] of Object.entries(options)) {
    core.setOption(block, core.Option[optionName as CoreOption], optionValue);
  }
  core.fitRoom(block, LOW_LEVEL_JOBS.length, LOW_LEVEL_SITES.length, 12);
  core.arrange(block);
  fillSiteColumns(core, block);
}

const beginRun = () => statusNumber(core.begin(block, table));
const run = (untilTime = Number.POSITIVE_INFINITY) => statusNumber(core.runUntil(block, table, untilTime));

describe('too little room', () => {
  const conservativeOptions = () => ({ Discipline: core.Discipline.Conservative });
  const keptReservationOptions = () => ({
    ...conservativeOptions(),
    Selection: core.Selection.Greedy,
    Reservations: core.Reservations.Kept,
  });

  test.each([
    ['Reservations', () => ({ ...conservativeOptions() }), LOW_LEVEL_JOBS.length],
    ['Reservations', () => ({ ...keptReservationOptions() }), 2 * LOW_LEVEL_JOBS.length],
    ['KeptReservations', () => ({ ...keptReservationOptions() }), 1],
    ['Predictions', () => ({ ...conservativeOptions() }), 1],
    ['Ranks', () => ({ ...conservativeOptions() }), 1],
    ['Parts', () => ({ MultiSite: core.MultiSite.LargerFirst }), 12],
    ['Parts', () => ({ Discipline: core.Discipline.Easy, MultiSiteFactor: 1 }), 12],
    ['Reservations', () => ({ ...conservativeOptions(), MultiSiteFactor: 1 }), 2 * LOW_LEVEL_JOBS.length],
    ['Runs', () => ({ ProcessorSets: 1 }), 12],
    ['Guests', () => ({ Reclaim: 1, Topology: core.Topology.PerHome }), 1],
    ['Runs', () => ({ Reclaim: 1, Topology: core.Topology.PerHome, ProcessorSets: 1 }), 24],
    ['Molds', () => ({ Moldable: core.Moldable.Down }), 1],
    ['Transfers', () => ({ ...conservativeOptions(), Transfers: 1 }), 1],
  ] as const)('%s', (name, makeOptions, lowestValue) => {
    layOutSimulation(makeOptions());
    core.setRoom(block, core.Room[name], lowestValue - 1);
    expect(beginRun()).toBe('NoSimulation');
    core.arrange(block);
    fillSiteColumns(core, block);
    expect(beginRun()).toBe('RoomTooSmall');
    expect(readScalar('RefusedRoom')).toBe(core.Room[name]);
    expect(run()).toBe('NotBegun');
    core.setRoom(block, core.Room[name], lowestValue);
    core.arrange(block);
    fillSiteColumns(core, block);
    expect(beginRun()).toBe('Finished');
    expect(['Finished', 'LogFull']).toContain(run());
  });

  test('a size beyond any host is reported exactly, and not laid out', () => {
    expect(core.arrangeJobs(0, 100_000_000, 1)).toBeGreaterThan(4.8e9);
    expect(core.arrangeJobs(table, 100_000_000, 1)).toBeGreaterThan(4.8e9);
    expect(statusNumber(core.sealJobs(table))).toBe('NoJobTable');
    layOutSimulation(conservativeOptions());
    expect(statusNumber(core.fitRoom(block, 60_000_000, 1, 100))).toBe('Finished');
    expect(core.arrange(block)).toBeGreaterThan(2 ** 32);
    expect(core.columnAddress(block, core.Column.Speed)).toBe(0);
    expect(beginRun()).toBe('NoSimulation');
  });

  test.each([Number.NaN, -1, 0.5, 2 ** 31, Number.POSITIVE_INFINITY])(
    '%d is no number of entries',
    (entries) => {
      layOutSimulation();
      core.setRoom(block, core.Room.Runs, entries);
      expect(core.arrange(block)).toBe(0);
      expect(readScalar('RefusedRoom')).toBe(core.Room.Runs);
    },
  );

  test('logs do not shrink, appear where there was none, or grow beyond the memory', () => {
    layOutSimulation({ ProcessorSets: 1 });
    expect(core.extendLogs(block, 1000, 0, 0)).toBe(0);
    beginRun();
    run(0);
    const bytes = readScalar('Bytes');
    for (const logs of [[1], [-1], [1000, 5], [1000, 0, 5], [2_000_000_000]]) {
      const [runs, partLogLength = 0, stops = 0] = logs;
      expect(core.extendLogs(block, runs, partLogLength, stops)).toBe(0);
    }
    expect(readScalar('Bytes')).toBe(bytes);
    expect(core.extendLogs(block, 1000, 0, 0)).toBeGreaterThan(bytes);
    expect(run()).toBe('Finished');
  });
});

describe('options', () => {
  test.each([
    ['Policy', 1.5, 'PolicyUnknown'],
    ['Policy', 13, 'PolicyUnknown'],
    ['Policy', Number.NaN, 'PolicyUnknown'],
    ['Parameter2', Number.NaN, 'ParameterInvalid'],
    ['Instant', 0.5, 'OptionInvalid'],
    ['Moldable', 3, 'OptionInvalid'],
    ['Interval', -1, 'OptionInvalid'],
    ['MultiSiteFactor', 0.5, 'OptionInvalid'],
    ['Selection', Number.POSITIVE_INFINITY, 'OptionInvalid'],
    ['Interval', 5, 'OptionsConflict'],
    ['Reclaim', 1, 'OptionsConflict'],
  ] as const)('%s %d: %s', (name, value, expected) => {
    layOutSimulation();
    core.setOption(block, core.Option[name], value);
    expect(beginRun()).toBe(expected);
    const refusingOption = name === 'Reclaim' ? 'Topology' : name;
    expect(readScalar('RefusedOption')).toBe(core.Option[refusingOption]);
    core.setOption(block, core.Option[name], 0);
    expect(beginRun()).toBe('Finished');
    expect(readScalar('RefusedOption')).toBe(-1);
  });

  test('an option that does not exist', () => {
    layOutSimulation();
    for (const option of [-1, 99, core.Option.COUNT]) {
      expect(statusNumber(core.setOption(block, option, 1))).toBe('OptionUnknown');
      expect(statusNumber(core.setRoom(block, option, 1))).toBe('RoomInvalid');
      expect(core.room(block, option)).toBeNaN();
    }
  });

  test('a time factor counts only where runtimes are those of the home site', () => {
    layOutSimulation({ Discipline: core.Discipline.Easy });
    new Float64Array(core.memory.buffer, core.columnAddress(block, core.Column.TimeFactor), 2).fill(0);
    expect(beginRun()).toBe('Finished');
    core.setOption(block, core.Option.RuntimeReference, core.RuntimeReference.Home);
    expect(beginRun()).toBe('TimeFactorInvalid');
    expect(readScalar('RefusedSite')).toBe(0);
  });
});

test('an interval moves the clock at every time of the run, and causes no more passes than the limit', () => {
  layOutSimulation({ Discipline: core.Discipline.Easy });
  for (const [interval, expected] of [
    [1e-300, 'IntervalTooShort'],
    [1e-12, 'IntervalTooShort'],
    [2e-12, 'IntervalTooShort'],
    [8e-6, 'IntervalTooShort'],
    [1e-4, 'Finished'],
  ] as const) {
    core.setOption(block, core.Option.Interval, interval);
    expect(beginRun()).toBe(expected);
    expect(readScalar('RefusedOption')).toBe(expected === 'Finished' ? -1 : core.Option.Interval);
  }
});

describe('calls out of order', () => {
  test('a table that is not laid out, not filled or not sealed', () => {
    layOutSimulation();
    expect(statusNumber(core.begin(block, table + 16))).toBe('NoJobTable');
    core.arrangeJobs(table, LOW_LEVEL_JOBS.length, 0);
    expect(beginRun()).toBe('JobsUnsealed');
    expect(statusNumber(core.sealJobs(table + 16))).toBe('NoJobTable');
    new Float64Array(core.memory.buffer, core.jobColumnAddress(table, core.JobColumn.Runtime), 1)[0] = -1;
    expect(statusNumber(core.sealJobs(table))).toBe('JobRuntimeInvalid');
    expect(core.refusedJob(table)).toBe(0);
    expect(beginRun()).toBe('JobsUnsealed');
  });

  test('a simulation of other jobs', () => {
    layOutSimulation();
    const otherTable = arenaAddresses(core, 1).table;
    fillJobTable(core, otherTable, LOW_LEVEL_JOBS.slice(1));
    expect(statusNumber(core.begin(block, otherTable))).toBe('JobsDiffer');
    fillJobTable(
      core,
      otherTable,
      [...LOW_LEVEL_JOBS.slice(1), LOW_LEVEL_JOBS[0]].map((job, i) => ({ ...job, submit: i })),
    );
    expect(beginRun()).toBe('Finished');
    expect(statusNumber(core.runUntil(block, otherTable, 10))).toBe('JobsDiffer');
    fillJobTable(core, otherTable);
    expect(statusNumber(core.runUntil(block, otherTable, 10))).toBe('Paused');
  });

  test('running before begin, results before the end, and NaN as time are refused', () => {
    layOutSimulation();
    expect(run()).toBe('NotBegun');
    expect(statusNumber(core.measure(block, table))).toBe('NotBegun');
    beginRun();
    expect(run(Number.NaN)).toBe('TimeInvalid');
    expect(run(10)).toBe('Paused');
    expect(statusNumber(core.measure(block, table))).toBe('NotFinished');
    expect(run(0)).toBe('Paused');
    expect(run()).toBe('Finished');
    expect(statusNumber(core.measure(block, table))).toBe('Finished');
  });

  test('memory that does not exist, or overlaps', () => {
    layOutSimulation();
    const pages = core.memory.buffer.byteLength;
    expect(statusNumber(core.prepare(pages - 16))).toBe('MemoryMissing');
    expect(statusNumber(core.prepare(block + 8))).toBe('MemoryMissing');
    expect(statusNumber(core.prepare(0))).toBe('MemoryMissing');
    core.setRoom(block, core.Room.Runs, 1e8);
    core.arrange(block);
    expect(beginRun()).toBe('MemoryMissing');
    const addressInside = table + 4096;
    core.prepare(addressInside);
    core.fitRoom(addressInside, LOW_LEVEL_JOBS.length, 2, 12);
    core.arrange(addressInside);
    new Uint32Array(core.memory.buffer, table + 4, 1)[0] = 65_536;
    expect(statusNumber(core.begin(addressInside, table))).toBe('MemoryMissing');
  });

  test('no write in the middle of a run changes it: it continues once the old values are back', () => {
    layOutSimulation({ Order: core.Order.Shortest });
    const expectedMetrics = runLowLevelToEnd(core, { table, block });
    beginRun();
    run(20);
    for (const columnName of ['Capacity', 'Speed', 'Load', 'TimeFactor'] as const) {
      const bytes = new Uint8Array(core.memory.buffer, core.columnAddress(block, core.Column[columnName]), 8);
      const bytesBefore = bytes.slice();
      bytes.fill(7);
      expect(run(), columnName).toBe('SettingsDiffer');
      expect(readScalar('RefusedOption')).toBe(-1);
      bytes.set(bytesBefore);
    }
    for (let option = 0; option < core.Option.COUNT; option++) {
      const optionBefore = new Float64Array(core.memory.buffer, block + STATE_SEAL_BYTES, core.Option.COUNT)[
        option
      ];
      core.setOption(block, option, 2);
      expect(run()).toBe('SettingsDiffer');
      expect(readScalar('RefusedOption')).toBe(option);
      core.setOption(block, option, optionBefore);
    }
    run();
    for (const [name, Numbers] of [
      ['Submit', Float64Array],
      ['Runtime', Float64Array],
      ['Estimate', Float64Array],
      ['Processors', Int32Array],
      ['Home', Int32Array],
    ] as const) {
      const column = new Numbers(core.memory.buffer, core.jobColumnAddress(table, core.JobColumn[name]), 40);
      column[17] += 1;
      expect(statusNumber(core.measure(block, table)), name).toBe('JobsDiffer');
      column[17] -= 1;
    }
    expect(statusNumber(core.measure(block, table))).toBe('Finished');
    const start = new Float64Array(
      core.memory.buffer,
      core.columnAddress(block, core.Column.Start),
      LOW_LEVEL_JOBS.length,
    );
    expect([...start]).toEqual(expectedMetrics);
  });
});

test('speeds do not change while a pass waits for a decision', () => {
  const ownPolicyNumber = declaredPolicies(core).findIndex(({ name: policyName }) => policyName === 'own');
  layOutSimulation({ Policy: ownPolicyNumber });
  beginRun();
  const speeds = new Float64Array(core.memory.buffer, core.columnAddress(block, core.Column.Speed), 2);
  expect(run()).toBe('Decision');
  speeds[0] = 3;
  expect(statusNumber(core.changeSpeeds(block, table))).toBe('DecisionPending');
  expect(speeds[0]).toBe(1);
  core.decide(block, table, 0);
  expect(statusNumber(core.changeSpeeds(block, table))).toBe('DecisionPending');
  expect(run(0)).toBe('Decision');
});

describe('forks', () => {
  /**
   * Lays out a second simulation of the same jobs, sites and options, with an additional option if
   * it is not 0.
   */
  function layOutSecondSimulation(option = 0, optionValue = 0): number {
    const otherBlock = arenaAddresses(core, 1).block;
    core.prepare(otherBlock);
    for (let optionIndex = 0; optionIndex < core.Option.COUNT; optionIndex++) {
      const optionColumn = new Float64Array(core.memory.buffer, block + STATE_SEAL_BYTES, core.Option.COUNT)[
        optionIndex
      ];
      core.setOption(otherBlock, optionIndex, optionIndex === option ? optionValue : optionColumn);
    }
    core.fitRoom(otherBlock, LOW_LEVEL_JOBS.length, LOW_LEVEL_SITES.length, 12);
    core.arrange(otherBlock);
    fillSiteColumns(core, otherBlock);
    return otherBlock;
  }

  const fork = (targetBlock: number) => statusNumber(core.fork(block, targetBlock, table));

  test('before both runs have begun, into the run itself, and with other options', () => {
    layOutSimulation({ ProcessorSets: 1 });
    expect(core.liveBytes(block)).toBe(0);
    const secondSimulation = layOutSecondSimulation();
    expect(fork(secondSimulation)).toBe('NotBegun');
    beginRun();
    expect(fork(secondSimulation)).toBe('NotBegun');
    expect(fork(block)).toBe('SimulationsDiffer');
    core.begin(secondSimulation, table);
    expect(fork(secondSimulation)).toBe('Finished');
    expect(core.liveBytes(secondSimulation)).toBe(core.liveBytes(block));
    for (const [option, value, expected] of [
      ['Policy', 1, 'Finished'],
      ['Parameter0', 1, 'Finished'],
      ['ProcessorSets', 0, 'SimulationsDiffer'],
      ['MinSpeedRatio', 1e-9, 'SimulationsDiffer'],
      ['Resolution', core.Resolution.Floor, 'SimulationsDiffer'],
      ['Instant', core.Instant.Batched, 'SimulationsDiffer'],
      ['Discipline', core.Discipline.Easy, 'SimulationsDiffer'],
    ] as const) {
      core.begin(layOutSecondSimulation(core.Option[option], value), table);
      expect(fork(secondSimulation), option).toBe(expected);
    }
    expect(core.sameState(block, secondSimulation, table)).toBe(0);
  });

  test('into logs that are too short', () => {
    layOutSimulation({ ProcessorSets: 1 });
    beginRun();
    run();
    const logEntryCount = core.scalar(block, core.Scalar.LogLength);
    expect(logEntryCount).toBeGreaterThan(12);
    const secondSimulation = layOutSecondSimulation();
    core.setRoom(secondSimulation, core.Room.Runs, 12);
    core.arrange(secondSimulation);
    fillSiteColumns(core, secondSimulation);
    core.begin(secondSimulation, table);
    expect(fork(secondSimulation)).toBe('RoomTooSmall');
    core.extendLogs(secondSimulation, logEntryCount, 0, 0);
    expect(fork(secondSimulation)).toBe('Finished');
    expect(core.scalar(secondSimulation, core.Scalar.LogLength)).toBe(logEntryCount);
  });
});
