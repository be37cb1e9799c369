/**
 * Planning operations per job, counted by the checked build: detects a return to scanning all
 * waiting jobs without measuring time.
 */
import { expect, test } from 'vitest';
import { type Core, openCore } from '../../host/core/module.js';
import { makeNormalStream, makeUniformStream } from '../../host/math/random.js';
import { makeConfiguration, type SimulationOptions } from '../../host/options/configuration.js';
import { putJobTableAtMemoryStart } from '../../host/simulate/layout.js';
import { Simulator } from '../../host/simulate/simulator.js';
import { sampleTestCases } from '../cases.js';
import { makeExampleJob } from '../reference/examples.js';
import type { ReferenceOptions } from '../reference/simulator/types.js';
import { makeWorkloadOfReferenceJobs } from './simulateCore.js';

const SINGLE_SITE_GRID = { capacities: [128], speeds: [1] };
const FIVE_SITE_GRID = { capacities: [128, 128, 128, 128, 128], speeds: [0.7, 1.3, 0.8, 1.1, 0.9] };
const EXACT_ESTIMATE_EXCESS = 0;
const DOUBLE_ESTIMATE_EXCESS = 2;

/**
 * Source of estimates: requested times, recent jobs of the user, or recent jobs with updates at
 * each end.
 */
type EstimateOptions = Pick<Partial<ReferenceOptions>, 'recent' | 'refresh'>;
const USER_COUNT = 50;

/**
 * Draws jobs, one per second, which exceed the sites' capacity so that most wait. Estimates are up
 * to 1 + `estimateExcess` times the runtimes.
 */
function makeOverloadedJobs(jobCount: number, estimateExcess: number, estimateOptions: EstimateOptions) {
  const uniform = makeUniformStream(1, 'widths');
  const drawNormal = makeNormalStream(1, 'runtimes');
  return makeWorkloadOfReferenceJobs(
    Array.from({ length: jobCount }, (_, submitSecond) => {
      const maxWidth = 2 ** Math.floor(7 * uniform() ** 2);
      const runtime = Math.exp(6.5 + 1.6 * drawNormal());
      const exampleJob = makeExampleJob(
        submitSecond,
        runtime,
        Math.ceil(maxWidth * uniform()),
        0,
        runtime * (1 + estimateExcess * uniform()),
      );
      return { ...exampleJob, user: (submitSecond * 7919) % USER_COUNT };
    }),
    'overload',
    estimateOptions,
  );
}

/**
 * Operations per job: jobs examined in the queue, searches of the plan, blocks examined by these
 * searches, and moves (assembly/memory/check.ts).
 */
function countOperationsPerJob(
  jobCount: number,
  estimateExcesses: number,
  grid: typeof SINGLE_SITE_GRID,
  options: SimulationOptions,
  estimateOptions: EstimateOptions = {},
) {
  const core = openCore('checked') as Core & { workDone(kindOfWork: number): number };
  const workload = makeOverloadedJobs(jobCount, estimateExcesses, estimateOptions);
  const simulator = new Simulator(workload, putJobTableAtMemoryStart(core, workload));
  simulator.begin(makeConfiguration(grid, options));
  simulator.run();
  return [0, 1, 2, 3].map((kindOfWork) => core.workDone(kindOfWork) / jobCount);
}

// Examining all waiting jobs at every end would take some 1,000 examinations per job for 2,000
// jobs, and as many searches per site.
test.each(
  sampleTestCases([
    ['easy', SINGLE_SITE_GRID, EXACT_ESTIMATE_EXCESS, 2000, [260, 0, 0]],
    // Sorting the whole queue at every event would take some 1,000 examinations per job.
    ['easy', SINGLE_SITE_GRID, EXACT_ESTIMATE_EXCESS, 2000, [145, 0, 0], 'shortest'],
    ['easy', SINGLE_SITE_GRID, DOUBLE_ESTIMATE_EXCESS, 2000, [80, 0, 0], 'widest'],
    ['easy', SINGLE_SITE_GRID, DOUBLE_ESTIMATE_EXCESS, 2000, [175, 0, 0], 'estimate / processors'],
    // Keys change with time: computing a key for every fitting job would take some 800 examinations
    // per job for 2,000 jobs, and 3,000 for 8,000.
    ['easy', SINGLE_SITE_GRID, DOUBLE_ESTIMATE_EXCESS, 2000, [95, 0, 0], 'wfp3'],
    ['easy', SINGLE_SITE_GRID, EXACT_ESTIMATE_EXCESS, 2000, [85, 0, 0], 'wfp3'],
    ['easy', SINGLE_SITE_GRID, DOUBLE_ESTIMATE_EXCESS, 8000, [135, 0, 0], 'wfp3'],
    // Sorting the whole queue at every event would take some 2,000 examinations per job.
    ['easy', SINGLE_SITE_GRID, DOUBLE_ESTIMATE_EXCESS, 2000, [245, 0, 0], undefined, 'wfp3'],
    ['easy', SINGLE_SITE_GRID, DOUBLE_ESTIMATE_EXCESS, 2000, [250, 0, 0], 'wfp3', 'wfp3'],
    ['easy', SINGLE_SITE_GRID, DOUBLE_ESTIMATE_EXCESS, 2000, [240, 0, 0], 'shortest', 'wfp3'],
    ['easy', FIVE_SITE_GRID, DOUBLE_ESTIMATE_EXCESS, 2000, [225, 0, 0], undefined, 'wfp3', 'best-fit'],
    ['easy', FIVE_SITE_GRID, DOUBLE_ESTIMATE_EXCESS, 8000, [535, 0, 0], undefined, 'wfp3', 'best-fit'],
    ['easy', FIVE_SITE_GRID, DOUBLE_ESTIMATE_EXCESS, 2000, [95, 0, 0], 'wfp3', undefined, 'best-fit'],
    ['fcfs', SINGLE_SITE_GRID, DOUBLE_ESTIMATE_EXCESS, 2000, [235, 0, 0], undefined, 'wfp3'],
    ['fcfs', FIVE_SITE_GRID, DOUBLE_ESTIMATE_EXCESS, 8000, [580, 0, 0], undefined, 'wfp3', 'best-fit'],
    ['first-available', SINGLE_SITE_GRID, DOUBLE_ESTIMATE_EXCESS, 2000, [105, 0, 0], undefined, 'wfp3'],
    ['conservative', SINGLE_SITE_GRID, EXACT_ESTIMATE_EXCESS, 2000, [2, 2, 235], undefined, 'wfp3'],
    ['easy', FIVE_SITE_GRID, DOUBLE_ESTIMATE_EXCESS, 2000, [1700, 110, 165], 'shortest'],
    ['easy', SINGLE_SITE_GRID, DOUBLE_ESTIMATE_EXCESS, 2000, [195, 0, 0]],
    ['easy', FIVE_SITE_GRID, EXACT_ESTIMATE_EXCESS, 2000, [1650, 450, 700]],
    ['easy', FIVE_SITE_GRID, DOUBLE_ESTIMATE_EXCESS, 2000, [775, 46, 88]],
    // With kept reservations, the blocks of the plan examined by a search grow with the number of
    // waiting jobs.
    ['conservative', SINGLE_SITE_GRID, EXACT_ESTIMATE_EXCESS, 2000, [2, 2, 235]],
    ['conservative', SINGLE_SITE_GRID, EXACT_ESTIMATE_EXCESS, 4000, [2, 2, 475]],
    ['conservative', SINGLE_SITE_GRID, DOUBLE_ESTIMATE_EXCESS, 1000, [2, 470, 41_500]],
    ['conservative', FIVE_SITE_GRID, EXACT_ESTIMATE_EXCESS, 2000, [3.1, 5, 180]],
    ['conservative', FIVE_SITE_GRID, DOUBLE_ESTIMATE_EXCESS, 500, [395, 255, 1120]],
  ] as const),
)(
  '%s on %o, estimates %i, %i jobs, at most %o, backfilling in the order %s, the queue in the order %s, policy %s',
  (discipline, grid, estimateExcess, count, largestWorkPerJob, backfillOrder?: string, order?: string, policy?: string) => {
    const workPerJob = countOperationsPerJob(count, estimateExcess, grid, {
      discipline,
      backfillOrder,
      order,
      policy,
    });
    for (const [index, upperLimit] of largestWorkPerJob.entries())
      expect(workPerJob[index]).toBeLessThanOrEqual(upperLimit);
  },
);

// Examining all fitting jobs at every event would take some 200 to 1,500 examinations per job for
// 8,000 jobs. With estimates updated at ends, key bounds by width and request are loose, since
// updated estimates do not follow that order.
const RECENT_ESTIMATE_CASES = [
  [{}, 8000, 470, undefined],
  [{}, 2000, 400, 'shortest'],
  [{}, 8000, 1550, 'shortest'],
  [{ recent: 2 }, 2000, 155, undefined],
  [{ recent: 2 }, 8000, 155, undefined],
  [{ recent: 2 }, 2000, 80, 'shortest'],
  [{ recent: 2 }, 8000, 80, 'shortest'],
  [{ recent: 2 }, 8000, 600, 'wfp3'],
  [{ recent: 2, refresh: true }, 2000, 55, undefined],
  [{ recent: 2, refresh: true }, 8000, 75, undefined],
  [{ recent: 2, refresh: true }, 2000, 380, 'shortest'],
  [{ recent: 2, refresh: true }, 8000, 1900, 'shortest'],
  [{ recent: 2, refresh: true }, 8000, 720, 'wfp3'],
  [{ recent: 2, refresh: true }, 8000, 610, undefined, 'shortest'],
] as const;

test.each(sampleTestCases(RECENT_ESTIMATE_CASES))(
  'easy with estimates %o, %i jobs: at most %i looks at the queue, in the order %s, backfilling in the order %s',
  (estimateOptions, count, largestCount, order?: string, backfillOrder?: string) => {
    const options = { discipline: 'easy', order, backfillOrder } as const;
    const [lookCount] = countOperationsPerJob(
      count,
      DOUBLE_ESTIMATE_EXCESS,
      SINGLE_SITE_GRID,
      options,
      estimateOptions,
    );
    expect(lookCount).toBeLessThanOrEqual(largestCount);
  },
);
