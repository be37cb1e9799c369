import { describe, expect, test } from 'vitest';
import { openCore } from '../../host/core/module.js';
import { fillJobs, fillSites, JOBS, placeIn, SITES } from './lowLevel.js';

/** Queue order by keys that the host writes itself; the library has no option for it. */

const core = openCore('checked');
const place = placeIn(core, 0);
const { table, block } = place;
fillJobs(core, table);

/** Lays out a simulation with these options, and writes the keys if there are any. */
function loadExperiment(options: Record<string, number>, keys?: readonly number[]): void {
  core.prepare(block);
  for (const [name, value] of Object.entries(options)) {
    core.setOption(block, core.Option[name as keyof typeof core.Option], value);
  }
  core.fitRoom(block, JOBS.length, SITES.length, 12);
  core.arrange(block);
  fillSites(core, block);
  const key = core.columnAddress(block, core.Column.Key);
  expect(key > 0).toBe(keys !== undefined);
  if (keys !== undefined) new Float64Array(core.memory.buffer, key, JOBS.length).set(keys);
}

function startsOf(options: Record<string, number>, keys?: readonly number[]): number[] {
  loadExperiment(options, keys);
  expect(core.begin(block, table)).toBe(core.Status.Finished);
  expect(core.runUntil(block, table, Number.POSITIVE_INFINITY)).toBe(core.Status.Finished);
  const start = core.columnAddress(block, core.Column.Start);
  return [...new Float64Array(core.memory.buffer, start, JOBS.length)];
}

const { FirstComeFirstServed, FirstAvailable, Easy, Conservative } = core.Discipline;
const { Order } = core;
const estimate = (job: (typeof JOBS)[number]) => job.runtime * SITES[job.home].load;

describe.each([
  [Order.Submit, () => 3],
  [Order.Narrowest, (job: (typeof JOBS)[number]) => job.processors],
  [Order.Longest, (job: (typeof JOBS)[number]) => -estimate(job)],
  [Order.SmallestArea, (job: (typeof JOBS)[number]) => estimate(job) * job.processors],
] as const)('the keys of order %i, given', (order, keyOf) => {
  const keys = JOBS.map(keyOf);

  test.each([FirstComeFirstServed, FirstAvailable, Easy, Conservative])('discipline %i', (discipline) => {
    const input = startsOf({ Discipline: discipline, Order: Order.Given }, keys);
    expect(input).toEqual(startsOf({ Discipline: discipline, Order: order }));
  });

  test('queues per home, and moldable jobs', () => {
    for (const options of [{ Topology: core.Topology.PerHome }, { Moldable: core.Moldable.Down }]) {
      expect(startsOf({ ...options, Order: Order.Given }, keys)).toEqual(
        startsOf({ ...options, Order: order }),
      );
    }
  });
});

test('a key that is not finite is refused, and the job named', () => {
  for (const key of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
    loadExperiment(
      { Order: Order.Given },
      JOBS.map((_, job) => (job === 7 ? key : 0)),
    );
    expect(core.begin(block, table)).toBe(core.Status.JobKeyInvalid);
    expect(core.scalar(block, core.Scalar.RefusedJob)).toBe(7);
  }
});

test('a run laid out for another order has no room for keys', () => {
  loadExperiment({ Order: Order.Shortest });
  core.setOption(block, core.Option.Order, Order.Given);
  expect(core.begin(block, table)).toBe(core.Status.RoomTooSmall);
  expect(core.scalar(block, core.Scalar.RefusedRoom)).toBe(core.Room.Keys);
});
