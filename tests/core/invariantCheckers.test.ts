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
import { makeWorkloadOfReferenceJobs } from './simulateCore.js';
import { findPreemptionViolations, findRestartViolations } from './stopOffences.js';
import { observePreemptions, recordStatesAtPauses } from './watchedRuns.js';

/** Tests the invariant checkers on schedules written by hand, both correct and broken. */

function makeWorkloadFromRows(rows: readonly (readonly [number, number, number, number])[]): Workload {
  return makeWorkloadOfReferenceJobs(
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

function makeRunOnOneSite(
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
function replaceRunInList(
  runs: readonly SimulatedRun[],
  runIndex: number,
  change: Partial<SimulatedRun>,
): SimulatedRun[] {
  return runs.map((run, i) => (i === runIndex ? { ...run, ...change } : run));
}

describe('on two sites, of 2 and 3 processors and speeds 1 and 2, with splitting', () => {
  // Columns: submit time, runtime, processors, home site.
  const workload = makeWorkloadFromRows([
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
    makeRunOnOneSite(0, 0, 10, 0, [0, 1]),
    makeRunOnOneSite(1, 1, 6, 1, [2, 3]),
    makeRunOnOneSite(2, 6, 10, 1, [2, 3, 4]),
    {
      ...makeRunOnOneSite(3, 10, 22, 1, [2, 3, 4, 0]),
      split: true,
      parts: [
        { site: 1, processors: 3 },
        { site: 0, processors: 1 },
      ],
    },
    makeRunOnOneSite(4, 12, 16, 0, [1]),
  ];
  const pausesOfSampleRuns = [
    { time: 0, free: 3, running: 1, waiting: 0 },
    { time: 5, free: 1, running: 2, waiting: 2 },
    { time: 6, free: 0, running: 2, waiting: 1 },
    { time: 10, free: 1, running: 1, waiting: 0 },
    { time: 22, free: 5, running: 0, waiting: 0 },
  ];
  const findOffencesInRuns = (runsBreakingRules: readonly SimulatedRun[]) => [
    ...findProcessorViolations(runsBreakingRules, workload, capacities),
    ...findRuleViolations(runsBreakingRules, workload, configuration),
    ...findConservationViolations(runsBreakingRules, pausesOfSampleRuns, workload, capacities),
  ];

  test('the core agrees with the right schedule, and nothing is wrong with it', () => {
    expect(simulateRuns(workload, configuration)).toEqual(runs);
    const pauseTimes = pausesOfSampleRuns.map(({ time }) => time);
    expect(recordStatesAtPauses(pauseTimes, workload, configuration)).toEqual(pausesOfSampleRuns);
    expect(findOffencesInRuns(runs)).toEqual([]);
  });

  const [, , thirdRun, fourth, lastRun] = runs;
  test.each([
    [
      'a start a second late',
      replaceRunInList(runs, 2, { start: 7, end: 11 }),
      'job 2 starts at 7, not when',
    ],
    ['a start a second early', replaceRunInList(runs, 2, { start: 5, end: 9 }), 'job 2 has no room'],
    [
      'the same by its processors',
      replaceRunInList(runs, 2, { start: 5, end: 9 }),
      'job 2 at 5: processor 2',
    ],
    ['the same by the site', replaceRunInList(runs, 2, { start: 5, end: 9 }), 'site 1 at 5: 5 in use'],
    [
      'the same by a pause',
      replaceRunInList(runs, 2, { start: 5, end: 9 }),
      'at 5: free 1, running 2, waiting 2; by',
    ],
    [
      'a start before its submit',
      replaceRunInList(runs, 4, { start: 11, end: 15 }),
      'job 4 starts without waiting',
    ],
    ['an end a second late', replaceRunInList(runs, 3, { end: 23 }), 'job 3 does not run for 12 s'],
    ['a processor of two jobs', replaceRunInList(runs, 4, { processors: [0] }), 'job 4 at 12: processor 0'],
    [
      'a processor elsewhere',
      replaceRunInList(runs, 4, { processors: [2] }),
      'job 4: its processors are not those of',
    ],
    [
      'parts of too many',
      replaceRunInList(runs, 3, { parts: [...fourth.parts, lastRun.parts[0]] }),
      '5 in parts',
    ],
    [
      'two parts on one site',
      replaceRunInList(runs, 3, { parts: [...fourth.parts, lastRun.parts[0]] }),
      'two parts',
    ],
    [
      'a needless split',
      replaceRunInList(runs, 4, { split: true, end: 20 }),
      'job 4 is split though a site has room',
    ],
    [
      'a split in another order',
      replaceRunInList(runs, 3, { parts: [...fourth.parts].reverse() }),
      'job 3 leaves',
    ],
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
  ] as [string, SimulatedRun[], string][])('%s', (_, runsBreakingRules, expected) => {
    expect(
      findOffencesInRuns(runsBreakingRules).filter((offenceText) => offenceText.includes(expected)),
    ).not.toEqual([]);
  });
});

describe('narrowest first on one site of 2 processors, at equal times', () => {
  const configuration = makeTestConfiguration([2], [1], { discipline: 'njf', queue: 'per-home' });
  const judge = (workload: Workload, runs: readonly SimulatedRun[]) =>
    findRuleViolations(runs, workload, configuration);

  test('a job that arrives after a start in the same instant was not waiting at it', () => {
    const workload = makeWorkloadFromRows([
      [5, 3, 2, 0],
      [5, 3, 1, 0],
    ]);
    const runs = [makeRunOnOneSite(0, 5, 8, 0, [0, 1]), makeRunOnOneSite(1, 8, 11, 0, [0])];
    expect(simulateRuns(workload, configuration)).toEqual(runs);
    expect(judge(workload, runs)).toEqual([]);
  });

  test('a job that arrives in the instant of a finish is there before it', () => {
    const workload = makeWorkloadFromRows([
      [0, 5, 2, 0],
      [5, 3, 2, 0],
      [5, 3, 1, 0],
    ]);
    const runs = [
      makeRunOnOneSite(0, 0, 5, 0, [0, 1]),
      makeRunOnOneSite(2, 5, 8, 0, [0]),
      makeRunOnOneSite(1, 8, 11, 0, [0, 1]),
    ];
    expect(simulateRuns(workload, configuration)).toEqual(runs);
    expect(judge(workload, runs)).toEqual([]);
    const runsWithOvertaking = [
      runs[0],
      makeRunOnOneSite(1, 5, 8, 0, [0, 1]),
      makeRunOnOneSite(2, 8, 11, 0, [0]),
    ];
    expect(judge(workload, runsWithOvertaking)).toEqual(['job 1 starts before job 2 of its queue']);
  });
});

describe('on two sites of 2 processors and speeds 1 and 2, with reclaiming', () => {
  const configuration = makeTestConfiguration([2, 2], [1, 2], {
    ...{ policy: 'ff', discipline: 'njf', queue: 'per-home' },
    ...{ reclaim: true, minSpeedRatio: 1, timeResolution: 'floor' },
  } as SimulationOptions);
  const workload = makeWorkloadFromRows([
    [0, 10, 2, 0],
    [3, 4, 2, 1],
  ]);
  const runs: readonly SimulatedRun[] = [
    { ...makeRunOnOneSite(0, 0, 3, 1, [2, 3]), stopped: true },
    makeRunOnOneSite(1, 3, 5, 1, [2, 3]),
    makeRunOnOneSite(0, 5, 10, 1, [2, 3]),
  ];
  const findOffencesInRuns = (runsBreakingRules: readonly SimulatedRun[], jobs = workload) => [
    ...findRestartViolations(runsBreakingRules, jobs, configuration),
    ...findPreemptionViolations(runsBreakingRules, jobs, [2, 2]),
  ];

  test('every run is seen, and nothing is wrong with them', () => {
    const observedPreemptions = observePreemptions(workload, configuration);
    expect(observedPreemptions.runs).toEqual(runs);
    expect(observedPreemptions.pauses.map(({ time, free }) => [time, free])).toEqual([
      [0, 2],
      [3, 2],
      [5, 2],
      [10, 4],
    ]);
    expect([
      observedPreemptions.offences,
      observedPreemptions.unseen.atMost,
      findOffencesInRuns(runs),
    ]).toEqual([[], 0, []]);
  });

  test('a job that is stopped in the instant of its start is seen when it starts again', () => {
    const workloadOfSimultaneousJobs = makeWorkloadFromRows([
      [3, 10, 2, 0],
      [3, 4, 2, 1],
    ]);
    const observedPreemptions = observePreemptions(workloadOfSimultaneousJobs, configuration);
    expect(observedPreemptions.runs).toEqual([{ ...runs[0], start: 3 }, runs[1], runs[2]]);
    expect([
      observedPreemptions.offences,
      observedPreemptions.unseen.atMost,
      findOffencesInRuns(observedPreemptions.runs, workloadOfSimultaneousJobs),
    ]).toEqual([[], 0, []]);
  });

  const laterWorkload = makeWorkloadFromRows([
    [0, 10, 1, 0],
    [1, 10, 1, 0],
    [3, 4, 1, 1],
  ]);
  test.each([
    ['a job that goes on where it was stopped', replaceRunInList(runs, 2, { end: 7 }), 'not for 5 s'],
    [
      'a job that starts before it is stopped',
      replaceRunInList(runs, 2, { start: 2, end: 7 }),
      'runs twice at once',
    ],
    [
      'a job that runs again',
      [...runs, makeRunOnOneSite(0, 10, 15, 1, [2, 3])],
      'job 0 runs again though it has ended',
    ],
    ['a job that is never ended', runs.slice(0, 2), 'job 0 never ends'],
    [
      'a job stopped at home',
      replaceRunInList(runs, 0, { parts: [{ site: 0, processors: 2 }] }),
      'stopped at home',
    ],
    [
      'a stop for nobody',
      replaceRunInList(runs, 1, { start: 4, end: 6 }),
      'at 3 jobs are stopped for no job of site 1',
    ],
  ] as [string, SimulatedRun[], string][])('%s', (_, runsBreakingRules, expected) => {
    expect(
      findOffencesInRuns(runsBreakingRules).filter((offenceText) => offenceText.includes(expected)),
    ).not.toEqual([]);
  });

  test('the earlier of two jobs is stopped, or both though one is enough', () => {
    const earlierRuns = [
      { ...makeRunOnOneSite(0, 0, 3, 1, [2]), stopped: true },
      makeRunOnOneSite(1, 1, 6, 1, [3]),
      makeRunOnOneSite(2, 3, 5, 1, [2]),
      makeRunOnOneSite(0, 5, 10, 1, [2]),
    ];
    expect(findOffencesInRuns(earlierRuns, laterWorkload)).toEqual([
      'job 0 is stopped before the later job 1',
    ]);
    const runsWithNeedlessStop = [
      ...replaceRunInList(earlierRuns, 1, { end: 3, stopped: true }),
      makeRunOnOneSite(1, 5, 10, 1, [3]),
    ];
    expect(findOffencesInRuns(runsWithNeedlessStop, laterWorkload)).toEqual([
      'job 0 is stopped though there was room',
    ]);
    expect(findOffencesInRuns(observePreemptions(laterWorkload, configuration).runs, laterWorkload)).toEqual(
      [],
    );
  });
});
