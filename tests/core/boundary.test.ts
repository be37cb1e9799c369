import { beforeEach, describe, expect, test } from 'vitest';
import { declaredPolicies } from '../../host/core/instance.js';
import { type Core, type CoreOption, openCore } from '../../host/core/module.js';
import {
  computeArenaAddresses,
  fillJobTable,
  fillSiteColumns,
  LOW_LEVEL_JOBS,
  LOW_LEVEL_SITES,
  runLowLevelSimulation,
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
  ({ table, block } = computeArenaAddresses(core, 0));
});

const readScalar = (scalarName: keyof Core['Scalar']) => core.scalar(block, core.Scalar[scalarName]);
const findNameOfStatus = (statusCode: number) =>
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

const beginAndNameStatus = () => findNameOfStatus(core.begin(block, table));
const run = (untilTime = Number.POSITIVE_INFINITY) =>
  findNameOfStatus(core.runUntil(block, table, untilTime));

describe('too little room', () => {
  const makeConservativeOptions = () => ({ Discipline: core.Discipline.Conservative });
  const makeKeptReservationOptions = () => ({
    ...makeConservativeOptions(),
    Selection: core.Selection.Greedy,
    Reservations: core.Reservations.Kept,
  });

  test.each([
    ['Reservations', () => ({ ...makeConservativeOptions() }), LOW_LEVEL_JOBS.length],
    ['Reservations', () => ({ ...makeKeptReservationOptions() }), 2 * LOW_LEVEL_JOBS.length],
    ['KeptReservations', () => ({ ...makeKeptReservationOptions() }), 1],
    ['Predictions', () => ({ ...makeConservativeOptions() }), 1],
    ['Ranks', () => ({ ...makeConservativeOptions() }), 1],
    ['Parts', () => ({ MultiSite: core.MultiSite.LargerFirst }), 12],
    ['Parts', () => ({ Discipline: core.Discipline.Easy, MultiSiteFactor: 1 }), 12],
    ['Reservations', () => ({ ...makeConservativeOptions(), MultiSiteFactor: 1 }), 2 * LOW_LEVEL_JOBS.length],
    ['Runs', () => ({ ProcessorSets: 1 }), 12],
    ['Guests', () => ({ Reclaim: 1, Topology: core.Topology.PerHome }), 1],
    ['Runs', () => ({ Reclaim: 1, Topology: core.Topology.PerHome, ProcessorSets: 1 }), 24],
    ['Molds', () => ({ Moldable: core.Moldable.Down }), 1],
    ['Transfers', () => ({ ...makeConservativeOptions(), Transfers: 1 }), 1],
  ] as const)('%s', (name, makeOptions, leastCapacity) => {
    layOutSimulation(makeOptions());
    core.setRoom(block, core.Room[name], leastCapacity - 1);
    expect(beginAndNameStatus()).toBe('NoSimulation');
    core.arrange(block);
    fillSiteColumns(core, block);
    expect(beginAndNameStatus()).toBe('RoomTooSmall');
    expect(readScalar('RefusedRoom')).toBe(core.Room[name]);
    expect(run()).toBe('NotBegun');
    core.setRoom(block, core.Room[name], leastCapacity);
    core.arrange(block);
    fillSiteColumns(core, block);
    expect(beginAndNameStatus()).toBe('Finished');
    expect(['Finished', 'LogFull']).toContain(run());
  });

  test('a size beyond any host is reported exactly, and not laid out', () => {
    expect(core.arrangeJobs(0, 100_000_000, 1)).toBeGreaterThan(4.8e9);
    expect(core.arrangeJobs(table, 100_000_000, 1)).toBeGreaterThan(4.8e9);
    expect(findNameOfStatus(core.sealJobs(table))).toBe('NoJobTable');
    layOutSimulation(makeConservativeOptions());
    expect(findNameOfStatus(core.fitRoom(block, 60_000_000, 1, 100))).toBe('Finished');
    expect(core.arrange(block)).toBeGreaterThan(2 ** 32);
    expect(core.columnAddress(block, core.Column.Speed)).toBe(0);
    expect(beginAndNameStatus()).toBe('NoSimulation');
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
    beginAndNameStatus();
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
    expect(beginAndNameStatus()).toBe(expected);
    const nameOfRefusingOption = name === 'Reclaim' ? 'Topology' : name;
    expect(readScalar('RefusedOption')).toBe(core.Option[nameOfRefusingOption]);
    core.setOption(block, core.Option[name], 0);
    expect(beginAndNameStatus()).toBe('Finished');
    expect(readScalar('RefusedOption')).toBe(-1);
  });

  test('an option that does not exist', () => {
    layOutSimulation();
    for (const option of [-1, 99, core.Option.COUNT]) {
      expect(findNameOfStatus(core.setOption(block, option, 1))).toBe('OptionUnknown');
      expect(findNameOfStatus(core.setRoom(block, option, 1))).toBe('RoomInvalid');
      expect(core.room(block, option)).toBeNaN();
    }
  });

  test('a time factor counts only where runtimes are those of the home site', () => {
    layOutSimulation({ Discipline: core.Discipline.Easy });
    new Float64Array(core.memory.buffer, core.columnAddress(block, core.Column.TimeFactor), 2).fill(0);
    expect(beginAndNameStatus()).toBe('Finished');
    core.setOption(block, core.Option.RuntimeReference, core.RuntimeReference.Home);
    expect(beginAndNameStatus()).toBe('TimeFactorInvalid');
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
    expect(beginAndNameStatus()).toBe(expected);
    expect(readScalar('RefusedOption')).toBe(expected === 'Finished' ? -1 : core.Option.Interval);
  }
});

describe('calls out of order', () => {
  test('a table that is not laid out, not filled or not sealed', () => {
    layOutSimulation();
    expect(findNameOfStatus(core.begin(block, table + 16))).toBe('NoJobTable');
    core.arrangeJobs(table, LOW_LEVEL_JOBS.length, 0);
    expect(beginAndNameStatus()).toBe('JobsUnsealed');
    expect(findNameOfStatus(core.sealJobs(table + 16))).toBe('NoJobTable');
    new Float64Array(core.memory.buffer, core.jobColumnAddress(table, core.JobColumn.Runtime), 1)[0] = -1;
    expect(findNameOfStatus(core.sealJobs(table))).toBe('JobRuntimeInvalid');
    expect(core.refusedJob(table)).toBe(0);
    expect(beginAndNameStatus()).toBe('JobsUnsealed');
  });

  test('a simulation of other jobs', () => {
    layOutSimulation();
    const addressOfOtherTable = computeArenaAddresses(core, 1).table;
    fillJobTable(core, addressOfOtherTable, LOW_LEVEL_JOBS.slice(1));
    expect(findNameOfStatus(core.begin(block, addressOfOtherTable))).toBe('JobsDiffer');
    fillJobTable(
      core,
      addressOfOtherTable,
      [...LOW_LEVEL_JOBS.slice(1), LOW_LEVEL_JOBS[0]].map((job, i) => ({ ...job, submit: i })),
    );
    expect(beginAndNameStatus()).toBe('Finished');
    expect(findNameOfStatus(core.runUntil(block, addressOfOtherTable, 10))).toBe('JobsDiffer');
    fillJobTable(core, addressOfOtherTable);
    expect(findNameOfStatus(core.runUntil(block, addressOfOtherTable, 10))).toBe('Paused');
  });

  test('running before begin, results before the end, and NaN as time are refused', () => {
    layOutSimulation();
    expect(run()).toBe('NotBegun');
    expect(findNameOfStatus(core.measure(block, table))).toBe('NotBegun');
    beginAndNameStatus();
    expect(run(Number.NaN)).toBe('TimeInvalid');
    expect(run(10)).toBe('Paused');
    expect(findNameOfStatus(core.measure(block, table))).toBe('NotFinished');
    expect(run(0)).toBe('Paused');
    expect(run()).toBe('Finished');
    expect(findNameOfStatus(core.measure(block, table))).toBe('Finished');
  });

  test('memory that does not exist, or overlaps', () => {
    layOutSimulation();
    const pages = core.memory.buffer.byteLength;
    expect(findNameOfStatus(core.prepare(pages - 16))).toBe('MemoryMissing');
    expect(findNameOfStatus(core.prepare(block + 8))).toBe('MemoryMissing');
    expect(findNameOfStatus(core.prepare(0))).toBe('MemoryMissing');
    core.setRoom(block, core.Room.Runs, 1e8);
    core.arrange(block);
    expect(beginAndNameStatus()).toBe('MemoryMissing');
    const addressInside = table + 4096;
    core.prepare(addressInside);
    core.fitRoom(addressInside, LOW_LEVEL_JOBS.length, 2, 12);
    core.arrange(addressInside);
    new Uint32Array(core.memory.buffer, table + 4, 1)[0] = 65_536;
    expect(findNameOfStatus(core.begin(addressInside, table))).toBe('MemoryMissing');
  });

  test('no write in the middle of a run changes it: it continues once the old values are back', () => {
    layOutSimulation({ Order: core.Order.Shortest });
    const expectedMetrics = runLowLevelSimulation(core, { table, block });
    beginAndNameStatus();
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
      expect(findNameOfStatus(core.measure(block, table)), name).toBe('JobsDiffer');
      column[17] -= 1;
    }
    expect(findNameOfStatus(core.measure(block, table))).toBe('Finished');
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
  beginAndNameStatus();
  const speeds = new Float64Array(core.memory.buffer, core.columnAddress(block, core.Column.Speed), 2);
  expect(run()).toBe('Decision');
  speeds[0] = 3;
  expect(findNameOfStatus(core.changeSpeeds(block, table))).toBe('DecisionPending');
  expect(speeds[0]).toBe(1);
  core.decide(block, table, 0);
  expect(findNameOfStatus(core.changeSpeeds(block, table))).toBe('DecisionPending');
  expect(run(0)).toBe('Decision');
});

describe('forks', () => {
  /**
   * Lays out a second simulation of the same jobs, sites and options, with an additional option if
   * it is not 0.
   */
  function layOutSecondSimulation(option = 0, optionValue = 0): number {
    const otherBlock = computeArenaAddresses(core, 1).block;
    core.prepare(otherBlock);
    for (let optionIndex = 0; optionIndex < core.Option.COUNT; optionIndex++) {
      const optionValueOfFirstRun = new Float64Array(
        core.memory.buffer,
        block + STATE_SEAL_BYTES,
        core.Option.COUNT,
      )[optionIndex];
      core.setOption(otherBlock, optionIndex, optionIndex === option ? optionValue : optionValueOfFirstRun);
    }
    core.fitRoom(otherBlock, LOW_LEVEL_JOBS.length, LOW_LEVEL_SITES.length, 12);
    core.arrange(otherBlock);
    fillSiteColumns(core, otherBlock);
    return otherBlock;
  }

  const fork = (targetBlock: number) => findNameOfStatus(core.fork(block, targetBlock, table));

  test('before both runs have begun, into the run itself, and with other options', () => {
    layOutSimulation({ ProcessorSets: 1 });
    expect(core.liveBytes(block)).toBe(0);
    const addressOfSecondSimulation = layOutSecondSimulation();
    expect(fork(addressOfSecondSimulation)).toBe('NotBegun');
    beginAndNameStatus();
    expect(fork(addressOfSecondSimulation)).toBe('NotBegun');
    expect(fork(block)).toBe('SimulationsDiffer');
    core.begin(addressOfSecondSimulation, table);
    expect(fork(addressOfSecondSimulation)).toBe('Finished');
    expect(core.liveBytes(addressOfSecondSimulation)).toBe(core.liveBytes(block));
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
      expect(fork(addressOfSecondSimulation), option).toBe(expected);
    }
    expect(core.sameState(block, addressOfSecondSimulation, table)).toBe(0);
  });

  test('into logs that are too short', () => {
    layOutSimulation({ ProcessorSets: 1 });
    beginAndNameStatus();
    run();
    const logEntryCount = core.scalar(block, core.Scalar.LogLength);
    expect(logEntryCount).toBeGreaterThan(12);
    const addressOfSecondSimulation = layOutSecondSimulation();
    core.setRoom(addressOfSecondSimulation, core.Room.Runs, 12);
    core.arrange(addressOfSecondSimulation);
    fillSiteColumns(core, addressOfSecondSimulation);
    core.begin(addressOfSecondSimulation, table);
    expect(fork(addressOfSecondSimulation)).toBe('RoomTooSmall');
    core.extendLogs(addressOfSecondSimulation, logEntryCount, 0, 0);
    expect(fork(addressOfSecondSimulation)).toBe('Finished');
    expect(core.scalar(addressOfSecondSimulation, core.Scalar.LogLength)).toBe(logEntryCount);
  });
});
