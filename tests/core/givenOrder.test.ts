import { describe, expect, test } from 'vitest';
import { openCore } from '../../host/core/module.js';
import {
  computeArenaAddresses,
  fillJobTable,
  fillSiteColumns,
  LOW_LEVEL_JOBS,
  LOW_LEVEL_SITES,
} from './lowLevel.js';

/** Queue order by keys that the host writes itself; the library has no option for it. */

const core = openCore('checked');
const testBlockAddresses = computeArenaAddresses(core, 0);
const { table, block } = testBlockAddresses;
fillJobTable(core, table);

/** Lays out a simulation with these options, and writes the keys if there are any. */
function layOutRunWithKeys(options: Record<string, number>, jobKeys?: readonly number[]): void {
  core.prepare(block);
  for (const [optionName, optionValue] of Object.entries(options)) {
    core.setOption(block, core.Option[optionName as keyof typeof core.Option], optionValue);
  }
  core.fitRoom(block, LOW_LEVEL_JOBS.length, LOW_LEVEL_SITES.length, 12);
  core.arrange(block);
  fillSiteColumns(core, block);
  const keyAddress = core.columnAddress(block, core.Column.Key);
  expect(keyAddress > 0).toBe(jobKeys !== undefined);
  if (jobKeys !== undefined)
    new Float64Array(core.memory.buffer, keyAddress, LOW_LEVEL_JOBS.length).set(jobKeys);
}

function simulateStartTimes(options: Record<string, number>, jobKeys?: readonly number[]): number[] {
  layOutRunWithKeys(options, jobKeys);
  expect(core.begin(block, table)).toBe(core.Status.Finished);
  expect(core.runUntil(block, table, Number.POSITIVE_INFINITY)).toBe(core.Status.Finished);
  const start = core.columnAddress(block, core.Column.Start);
  return [...new Float64Array(core.memory.buffer, start, LOW_LEVEL_JOBS.length)];
}

const { FirstComeFirstServed, FirstAvailable, Easy, Conservative } = core.Discipline;
const { Order } = core;
const estimateOf = (job: (typeof LOW_LEVEL_JOBS)[number]) => job.runtime * LOW_LEVEL_SITES[job.home].load;

describe.each([
  [Order.Submit, () => 3],
  [Order.Narrowest, (job: (typeof LOW_LEVEL_JOBS)[number]) => job.processors],
  [Order.Longest, (job: (typeof LOW_LEVEL_JOBS)[number]) => -estimateOf(job)],
  [Order.SmallestArea, (job: (typeof LOW_LEVEL_JOBS)[number]) => estimateOf(job) * job.processors],
] as const)('the keys of order %i, given', (order, keyOf) => {
  const keyColumn = LOW_LEVEL_JOBS.map(keyOf);

  test.each([FirstComeFirstServed, FirstAvailable, Easy, Conservative])('discipline %i', (discipline) => {
    const startTimes = simulateStartTimes({ Discipline: discipline, Order: Order.Given }, keyColumn);
    expect(startTimes).toEqual(simulateStartTimes({ Discipline: discipline, Order: order }));
  });

  test('queues per home, and moldable jobs', () => {
    for (const options of [{ Topology: core.Topology.PerHome }, { Moldable: core.Moldable.Down }]) {
      expect(simulateStartTimes({ ...options, Order: Order.Given }, keyColumn)).toEqual(
        simulateStartTimes({ ...options, Order: order }),
      );
    }
  });
});

test('a key that is not finite is refused, and the job named', () => {
  for (const key of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
    layOutRunWithKeys(
      { Order: Order.Given },
      LOW_LEVEL_JOBS.map((_, job) => (job === 7 ? key : 0)),
    );
    expect(core.begin(block, table)).toBe(core.Status.JobKeyInvalid);
    expect(core.scalar(block, core.Scalar.RefusedJob)).toBe(7);
  }
});

test('a run laid out for another order has no room for keys', () => {
  layOutRunWithKeys({ Order: Order.Shortest });
  core.setOption(block, core.Option.Order, Order.Given);
  expect(core.begin(block, table)).toBe(core.Status.RoomTooSmall);
  expect(core.scalar(block, core.Scalar.RefusedRoom)).toBe(core.Room.Keys);
});
