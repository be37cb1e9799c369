import { expect, test } from 'vitest';
import { makeGrid } from '../../host/grid/grid.js';
import { LiveSimulation } from '../../host/live/liveSimulation.js';
import { LiveTable } from '../../host/live/liveTable.js';
import type { LiveName } from '../../host/live/submittedJob.js';

/** Tests what a live simulation reports and remembers of jobs that have ended or were cancelled. */

const grid = makeGrid({ capacities: [4] });

test('a function that throws receives each result once, and the first error is thrown', () => {
  const namesOfEndedJobs: LiveName[] = [];
  const live = new LiveSimulation(grid, {
    onEnd: ({ job }) => {
      namesOfEndedJobs.push(job);
      if (job !== 'b' && job !== 'e') throw new Error(`after ${job}`);
    },
  });
  for (const job of ['a', 'b', 'c', 'd']) live.submit({ job, submit: 0, runtime: 5, processors: 1 });
  expect(() => live.advance(5)).toThrow('after a');
  expect(namesOfEndedJobs).toEqual(['a', 'b', 'c', 'd']);
  live.submit({ job: 'e', submit: 6, runtime: 5, processors: 1 });
  live.submit({ job: 'f', submit: 6, runtime: 5, processors: 1 });
  expect(() => live.finish()).toThrow('after f');
  expect(namesOfEndedJobs).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  expect(live.summary().jobs).toBe(6);
});

test('a name that has left the memory is free for another job', () => {
  const live = new LiveSimulation(grid, { onEnd: () => {}, capacity: 3 });
  live.submit({ job: 'first', submit: 0, runtime: 1, processors: 1 });
  for (let time = 10; time < 100; time += 10) {
    live.submit({ job: 'again', submit: time, runtime: 1, processors: 1 });
    live.advance(time + 2);
    expect(live.resultOf('again')).toMatchObject({ submit: time, state: 'ended' });
    for (const other of [3, 5]) {
      live.submit({ submit: time + other, runtime: 1, processors: 1 });
      live.advance(time + other + 1);
    }
  }
  live.finish();
  expect(live.summary().jobs).toBe(28);
});

test('a table keeps the names of the jobs in it only, with a number for each', () => {
  const table = new LiveTable({ name: 'live', capacity: 2 });
  const numbers = new Set<number>();
  for (let job = 0; job < 100; job++) {
    table.write(table.count, { submit: job, runtime: 1, processors: 1 }, `job ${job}`);
    table.add();
    numbers.add(table.job[table.count - 1]!);
    if (table.count === 2) table.move((row) => row - 1);
  }
  expect(numbers.size).toBe(100);
  expect([...table.names.job.values()]).toEqual(['job 99']);
  table.write(table.count, { submit: 100, runtime: 1, processors: 1 }, '77');
  table.add();
  expect(table.job[1]).toBe(77);
});

test('progress counts held jobs among those that wait, and by themselves', () => {
  const live = new LiveSimulation(grid);
  for (const job of ['a', 'b', 'c']) live.submit({ job, submit: 0, runtime: 5, processors: 4 });
  live.advance(1);
  live.hold('b');
  expect(live.waiting).toEqual(['c']);
  expect(live.progress).toEqual({ time: 1, submitted: 3, waiting: 2, held: 1, running: 1, ended: 0 });
  live.release('b');
  live.finish();
  expect(live.progress).toMatchObject({ waiting: 0, held: 0, ended: 3 });
  live.dispose();
  for (const field of ['progress', 'waiting', 'running'] as const)
    expect(() => live[field]).toThrow(`${field}: the simulation is disposed of; fork it before, or begin`);
});

test('a job with a time of cancellation is in no mean, whenever it ends', () => {
  const live = new LiveSimulation(grid);
  live.submit({ job: 'counted', submit: 0, runtime: 10, processors: 2 });
  live.submit({ job: 'ends before', submit: 0, runtime: 1, processors: 1, patience: 50 });
  live.submit({ job: 'is ended', submit: 0, runtime: 40, processors: 1, patience: 20 });
  live.submit({ job: 'leaves the queue', submit: 0, runtime: 5, processors: 4, patience: 3 });
  live.finish();
  expect(live.summary()).toMatchObject({ jobs: 1, meanWait: 0, meanSlowdown: 1 });
});
