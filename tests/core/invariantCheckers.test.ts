import { describe, expect, test } from 'vitest';
import {
  type Configuration,
  makeConfiguration,
  type SimulationOptions,
} from '../../host/options/configuration.js';
import { Simulator } from '../../host/simulate/simulator.js';
import type { Workload } from '../../host/workload/workload.js';
import { findRuleViolations } from './replayOffences.js';
import {
  findConservationViolations,
  findProcessorViolations,
  listRunsOfSimulation,
  type SimulatedRun,
} from './runOffences.js';
import { workloadOfReferenceJobs } from './simulateCore.js';
import { findPreemptionViolations, findRestartViolations } from './stopOffences.js';
import { observePreemptions, statesAtPauses } from './watchedRuns.js';

/** Tests the invariant checkers on schedules written by hand, both correct and broken. */

function makeWorkloadOfRows(rows: readonly (readonly [number, number, number, number])[]): Workload {
  return workloadOfReferenceJobs(
    rows.map(([submit, runtime, processors, home]) => {
      return { submit, runtime, estimate: runtime, processors, home };
    }),
  );
}

function makeTestConfiguration(
  capacities: readonly number[],
  speeds: readonly number[],
  options: SimulationOptions,
): Configuration {
  return makeConfiguration({ capacities, speeds }, { ...options, processorSets: true });
}

function simulateRuns(workload: Workload, configuration: Configuration): SimulatedRun[] {
  const simulator = new Simulator(workload);
  simulator.begin(configuration);
  simulator.run();
  return listRunsOfSimulation(simulator);
}

function makeWholeRun(
  job: number,
  start: number,
  end: number,
  site: number,
  processors: readonly number[],
): SimulatedRun {
  const runParts = [{ site, processors: processors.length }];
  return { job, start, end, stopped: false, split: false, parts: runParts, processors };
}

/** The runs, with one of them changed. */
function replaceRun(
  runs: readonly SimulatedRun[],
  runIndex: number,
  change: Partial<SimulatedRun>,
): SimulatedRun[] {
  return runs.map((run, i) => (i === runIndex ? { ...run, ...change } : run));
}

describe('on two sites, of 2 and 3 processors and speeds 1 and 2, with splitting', () => {
  // Columns: submit time, runtime, processors, home site.
  const workload = makeWorkloadOfRows([
    [0, 10, 2, 0],
    [1, 10, 2, 1],
    [2, 8, 3, 1],
    [3, 6, 4, 0],
    [12, 4, 1, 0],
  ]);
  const capacities = [2, 3];
  const configuration = makeTestConfiguration(capacities, [1, 2], {
    multiSite: 'larger-first',
    multiSiteOverhead: 1,
  });
  const runs: readonly SimulatedRun[] = [
    makeWholeRun(0, 0, 10, 0, [0, 1]),
    makeWholeRun(1, 1, 6, 1, [2, 3]),
    makeWholeRun(2, 6, 10, 1, [2, 3, 4]),
    {
      ...makeWholeRun(3, 10, 22, 1, [2, 3, 4, 0]),
      split: true,
      parts: [
        { site: 1, processors: 3 },
        { site: 0, processors: 1 },
      ],
    },
    makeWholeRun(4, 12, 16, 0, [1]),
  ];
  const samplePauses = [
    { time: 0, free: 3, running: 1, waiting: 0 },
    { time: 5, free: 1, running: 2, waiting: 2 },
    { time: 6, free: 0, running: 2, waiting: 1 },
    { time: 10, free: 1, running: 1, waiting: 0 },
    { time: 22, free: 5, running: 0, waiting: 0 },
  ];
  const offencesOf = (brokenRuns: readonly SimulatedRun[]) => [
    ...findProcessorViolations(brokenRuns, workload, capacities),
    ...findRuleViolations(brokenRuns, workload, configuration),
    ...findConservationViolations(brokenRuns, samplePauses, workload, capacities),
  ];

  test('the core agrees with the right schedule, and nothing is wrong with it', () => {
    expect(simulateRuns(workload, configuration)).toEqual(runs);
    const pauseTimes = samplePauses.map(({ time }) => time);
    expect(statesAtPauses(pauseTimes, workload, configuration)).toEqual(samplePauses);
    expect(offencesOf(runs)).toEqual([]);
  });

  const [, , thirdRun, fourth, lastRun] = runs;
  test.each([
    ['a start a second late', replaceRun(runs, 2, { start: 7, end: 11 }), 'job 2 starts at 7, not when'],
    ['a start a second early', replaceRun(runs, 2, { start: 5, end: 9 }), 'job 2 has no room'],
    ['the same by its processors', replaceRun(runs, 2, { start: 5, end: 9 }), 'job 2 at 5: processor 2'],
    ['the same by the site', replaceRun(runs, 2, { start: 5, end: 9 }), 'site 1 at 5: 5 in use'],
    [
      'the same by a pause',
      replaceRun(runs, 2, { start: 5, end: 9 }),
      'at 5: free 1, running 2, waiting 2; by',
    ],
    [
      'a start before its submit',
      replaceRun(runs, 4, { start: 11, end: 15 }),
      'job 4 starts without waiting',
    ],
    ['an end a second late', replaceRun(runs, 3, { end: 23 }), 'job 3 does not run for 12 s'],
    ['a processor of two jobs', replaceRun(runs, 4, { processors: [0] }), 'job 4 at 12: processor 0'],
    [
      'a processor elsewhere',
      replaceRun(runs, 4, { processors: [2] }),
      'job 4: its processors are not those of',
    ],
    ['parts of too many', replaceRun(runs, 3, { parts: [...fourth.parts, lastRun.parts[0]] }), '5 in parts'],
    [
      'two parts on one site',
      replaceRun(runs, 3, { parts: [...fourth.parts, lastRun.parts[0]] }),
      'two parts',
    ],
    [
      'a needless split',
      replaceRun(runs, 4, { split: true, end: 20 }),
      'job 4 is split though a site has room',
    ],
    ['a split in another order', replaceRun(runs, 3, { parts: [...fourth.parts].reverse() }), 'job 3 leaves'],
    [
      'a job that passes another',
      [...runs.slice(0, 2), fourth, thirdRun, lastRun],
      'job 3 starts before job 2',
    ],
    [
      'an order against time',
      [...runs.slice(0, 2), fourth, thirdRun, lastRun],
      'starts before one that started',
    ],
    ['a job that is left out', runs.slice(0, 4), 'a job never starts'],
    ['a job that runs twice', [...runs, lastRun], 'job 4 starts twice'],
  ] as [string, SimulatedRun[], string][])('%s', (_, brokenRuns, expected) => {
    expect(offencesOf(brokenRuns).filter((memoryOffence) => memoryOffence.includes(expected))).not.toEqual(
      [],
    );
  });
});

describe('narrowest first on one site of 2 processors, at equal times', () => {
  const configuration = makeTestConfiguration([2], [1], { discipline: 'njf', queue: 'per-home' });
  const judge = (workload: Workload, runs: readonly SimulatedRun[]) =>
    findRuleViolations(runs, workload, configuration);

  test('a job that arrives after a start in the same instant was not waiting at it', () => {
    const workload = makeWorkloadOfRows([
      [5, 3, 2, 0],
      [5, 3, 1, 0],
    ]);
    const runs = [makeWholeRun(0, 5, 8, 0, [0, 1]), makeWholeRun(1, 8, 11, 0, [0])];
    expect(simulateRuns(workload, configuration)).toEqual(runs);
    expect(judge(workload, runs)).toEqual([]);
  });

  test('a job that arrives in the instant of a finish is there before it', () => {
    const workload = makeWorkloadOfRows([
      [0, 5, 2, 0],
      [5, 3, 2, 0],
      [5, 3, 1, 0],
    ]);
    const runs = [
      makeWholeRun(0, 0, 5, 0, [0, 1]),
      makeWholeRun(2, 5, 8, 0, [0]),
      makeWholeRun(1, 8, 11, 0, [0, 1]),
    ];
    expect(simulateRuns(workload, configuration)).toEqual(runs);
    expect(judge(workload, runs)).toEqual([]);
    const overtakingRuns = [runs[0], makeWholeRun(1, 5, 8, 0, [0, 1]), makeWholeRun(2, 8, 11, 0, [0])];
    expect(judge(workload, overtakingRuns)).toEqual(['job 1 starts before job 2 of its queue']);
  });
});

describe('on two sites of 2 processors and speeds 1 and 2, with reclaiming', () => {
  const configuration = makeTestConfiguration([2, 2], [1, 2], {
    ...{ policy: 'ff', discipline: 'njf', queue: 'per-home' },
    ...{ reclaim: true, minSpeedRatio: 1, timeResolution: 'floor' },
  } as SimulationOptions);
  const workload = makeWorkloadOfRows([
    [0, 10, 2, 0],
    [3, 4, 2, 1],
  ]);
  const runs: readonly SimulatedRun[] = [
    { ...makeWholeRun(0, 0, 3, 1, [2, 3]), stopped: true },
    makeWholeRun(1, 3, 5, 1, [2, 3]),
    makeWholeRun(0, 5, 10, 1, [2, 3]),
  ];
  const offencesOf = (brokenRuns: readonly SimulatedRun[], jobs = workload) => [
    ...findRestartViolations(brokenRuns, jobs, configuration),
    ...findPreemptionViolations(brokenRuns, jobs, [2, 2]),
  ];

  test('every run is seen, and nothing is wrong with them', () => {
    const watchedPreemptions = observePreemptions(workload, configuration);
    expect(watchedPreemptions.runs).toEqual(runs);
    expect(watchedPreemptions.pauses.map(({ time, free }) => [time, free])).toEqual([
      [0, 2],
      [3, 2],
      [5, 2],
      [10, 4],
    ]);
    expect([watchedPreemptions.offences, watchedPreemptions.unseen.atMost, offencesOf(runs)]).toEqual([
      [],
      0,
      [],
    ]);
  });

  test('a job that is stopped in the instant of its start is seen when it starts again', () => {
    const simultaneousWorkload = makeWorkloadOfRows([
      [3, 10, 2, 0],
      [3, 4, 2, 1],
    ]);
    const watchedPreemptions = observePreemptions(simultaneousWorkload, configuration);
    expect(watchedPreemptions.runs).toEqual([{ ...runs[0], start: 3 }, runs[1], runs[2]]);
    expect([
      watchedPreemptions.offences,
      watchedPreemptions.unseen.atMost,
      offencesOf(watchedPreemptions.runs, simultaneousWorkload),
    ]).toEqual([[], 0, []]);
  });

  const laterWorkload = makeWorkloadOfRows([
    [0, 10, 1, 0],
    [1, 10, 1, 0],
    [3, 4, 1, 1],
  ]);
  test.each([
    ['a job that goes on where it was stopped', replaceRun(runs, 2, { end: 7 }), 'not for 5 s'],
    [
      'a job that starts before it is stopped',
      replaceRun(runs, 2, { start: 2, end: 7 }),
      'runs twice at once',
    ],
    [
      'a job that runs again',
      [...runs, makeWholeRun(0, 10, 15, 1, [2, 3])],
      'job 0 runs again though it has ended',
    ],
    ['a job that is never ended', runs.slice(0, 2), 'job 0 never ends'],
    [
      'a job stopped at home',
      replaceRun(runs, 0, { parts: [{ site: 0, processors: 2 }] }),
      'stopped at home',
    ],
    [
      'a stop for nobody',
      replaceRun(runs, 1, { start: 4, end: 6 }),
      'at 3 jobs are stopped for no job of site 1',
    ],
  ] as [string, SimulatedRun[], string][])('%s', (_, brokenRuns, expected) => {
    expect(offencesOf(brokenRuns).filter((memoryOffence) => memoryOffence.includes(expected))).not.toEqual(
      [],
    );
  });

  test('the earlier of two jobs is stopped, or both though one is enough', () => {
    const earlierRuns = [
      { ...makeWholeRun(0, 0, 3, 1, [2]), stopped: true },
      makeWholeRun(1, 1, 6, 1, [3]),
      makeWholeRun(2, 3, 5, 1, [2]),
      makeWholeRun(0, 5, 10, 1, [2]),
    ];
    expect(offencesOf(earlierRuns, laterWorkload)).toEqual(['job 0 is stopped before the later job 1']);
    const runsWithTwoEnds = [
      ...replaceRun(earlierRuns, 1, { end: 3, stopped: true }),
      makeWholeRun(1, 5, 10, 1, [3]),
    ];
    expect(offencesOf(runsWithTwoEnds, laterWorkload)).toEqual(['job 0 is stopped though there was room']);
    expect(offencesOf(observePreemptions(laterWorkload, configuration).runs, laterWorkload)).toEqual([]);
  });
});
