import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { instantiateCore, LiveRun } from '../../host/core/host.js';
import { InputError } from '../../host/errors.js';
import { coreFile } from '../../host/files/coreFile.js';
import { makeGrid } from '../../host/grid/grid.js';
import type { LiveOptions } from '../../host/live/liveOptions.js';
import { LiveSimulation } from '../../host/live/liveSimulation.js';
import { simulate } from '../../host/simulate/simulate.js';
import { makeTrace } from '../../host/trace/makeTrace.js';
import { makeWorkload } from '../../host/workload/make.js';

/** Tests jobs that leave the queue while they are held, promises of jobs that run at the begin, and summaries. */

const grid = makeGrid({ capacities: [4] });
const core = instantiateCore(readFileSync(coreFile('checked')));

/** A held job beside a running one, and how it comes to leave. */
function makeSimulationWithHeldJob(patience?: number): LiveSimulation {
  const live = new LiveSimulation(grid, { discipline: 'easy' });
  live.submit({ job: 'runs', submit: 0, runtime: 100, processors: 4 });
  live.submit({ job: 'held', submit: 0, runtime: 10, processors: 4, patience });
  live.advance(5);
  return live;
}

describe('a held job leaves by its cancellation', () => {
  const ways: Readonly<Record<string, (live: LiveSimulation) => void>> = {
    'cancelled before': (live) => {
      live.cancel('held', 20);
      live.hold('held');
    },
    'cancelled now, then held': (live) => {
      live.cancel('held');
      live.hold('held');
    },
    'cancelled after': (live) => {
      live.hold('held');
      live.cancel('held', 20);
    },
  };
  test.each(Object.entries(ways))('%s', (_, leave) => {
    const live = makeSimulationWithHeldJob();
    leave(live);
    expect(live.resultOf('held').state).toBe('held');
    const fork = live.fork({ discipline: 'fcfs' });
    for (const simulation of [live, fork]) {
      simulation.finish();
      expect(simulation.resultOf('held').state).toBe('cancelled');
      expect(simulation.summary().jobs).toBe(1);
    }
  });

  test('by its patience', () => {
    const live = makeSimulationWithHeldJob(20);
    live.hold('held');
    live.advance(50);
    expect(live.resultOf('held').state).toBe('cancelled');
    live.finish();
  });

  test('but one without cancellation must be released', () => {
    const live = makeSimulationWithHeldJob();
    live.hold('held');
    expect(() => live.finish()).toThrow('finish: jobs are held: held; release or cancel them first');
    live.release('held');
    live.finish();
  });

  test.each([true, false])('in the core (ended jobs leave: %s)', (doEndedJobsLeaveMemory) => {
    for (const isPatient of [false, true]) {
      const left: number[] = [];
      const live = new LiveRun(core, {
        capacity: 3,
        columns: ['Patience'],
        sites: { Capacity: [4], Speed: [1] },
        options: { Cancellations: 2 },
        ...(doEndedJobsLeaveMemory && { onLeave: ({ job }) => left.push(job) }),
      });
      live.submit({ Submit: 0, Runtime: 100, Processors: 4 });
      live.submit({ Submit: 0, Runtime: 10, Processors: 4, Patience: isPatient ? 20 : -1 });
      live.submit({ Submit: 0, Runtime: 10, Processors: 4 });
      live.advance(1);
      if (!isPatient) live.remove(1, 5);
      for (const job of [1, 2]) live.hold(job);
      expect(() => live.finish()).toThrow('jobs are held; call release first: 2');
      live.release(2);
      live.finish();
      expect(left).toEqual(doEndedJobsLeaveMemory ? [0, 1, 2] : []);
      live.dispose();
    }
  });
});

test('a job that runs when a simulation begins is promised its start', () => {
  const now = 1.7e9;
  const live = new LiveSimulation(grid, { discipline: 'conservative' });
  live.submit({ job: 'runs', submit: now, runtime: 150, processors: 3 });
  live.submit({ job: 'waits', submit: now, runtime: 50, processors: 4 });
  live.advance(now + 10);
  for (const fork of [live.fork(), live.fork({ order: 'shortest' })]) {
    fork.finish();
    expect(fork.resultOf('runs').promisedStart).toBe(now);
    expect(fork.summary()).toMatchObject({ meanPromiseError: 0, maxPromiseError: 0 });
  }
});

test('a summary of no job is refused', () => {
  const live = new LiveSimulation(grid, { warmUp: 1000 });
  live.submit({ submit: 0, runtime: 10, processors: 1 });
  live.finish();
  expect(() => live.summary()).toThrow('summary: warmUp and coolDown exclude all jobs; shorten them');
});

test.each([null, [], 'easy', 7])('options %j are refused', (options) => {
  expect(() => new LiveSimulation(grid, options as unknown as LiveOptions)).toThrow(InputError);
});

test('fields of outages that do not exist are refused, in every way of giving them', () => {
  const trace = makeTrace({ submit: [0], runtime: [20], processors: [4] });
  const workload = makeWorkload(trace, { siteCount: 1 });
  for (const field of ['planned', 'foo']) {
    const outages = [{ site: 1, from: 5, to: 9, [field]: true }];
    const expected = new RegExp(`'${field}'.*field of an outage|field of an outage.*'${field}'`);
    expect(() => simulate(workload, grid, { discipline: 'easy', outages })).toThrow(expected);
    expect(() => new LiveSimulation(grid, { outages })).toThrow(expected);
  }
  const outages = [{ site: 1, from: 5, to: 9, isPlanned: 'yes' as unknown as boolean }];
  expect(() => simulate(workload, grid, { outages })).toThrow('isPlanned: expected true or false');
});
