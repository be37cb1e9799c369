import type { ReferenceJob, ReferenceOptions } from '../simulator/reference.js';
import { maxWidthOfJob } from '../simulator/refusals.js';
import { randomAllocatorCase } from './allocators.js';
import { randomBackfillingCase } from './backfilling.js';
import { randomCoallocationCase } from './coallocation.js';
import { type RandomCase, SeededDraws } from './draws.js';
import { randomLoadSharingCase } from './loadSharing.js';
import { randomMoldableCase } from './moldable.js';
import { randomOneMachineCase } from './oneMachine.js';

const LONG_CASE_BASE_CASES = [
  randomAllocatorCase,
  randomLoadSharingCase,
  randomMoldableCase,
  randomCoallocationCase,
  randomBackfillingCase,
  randomBackfillingCase,
  randomOneMachineCase,
];

const runtimeSamplers: readonly ((draws: SeededDraws) => number)[] = [
  (draws) => draws.between(1, 200),
  (draws) => draws.pick([10, 20]),
  (draws) => draws.pick([0, 1, 2, 5, 10, 20, 50, 100, 200, 500]),
  (draws) => draws.between(1, 4000) / 16,
];

/** Factors from runtime to estimate. */
const estimateFactorChoices = [[1], [1], [1, 1.5, 3], [0.5, 1, 1, 2], [0, 1, 1, 1, 1, 1]];

/**
 * A random case of 500 to 3,000 jobs, determined by its seed, with the options of a small case of
 * any kind; every third on 16 to 200 sites. The load is about 1.
 */
export function randomLongCase(seed: number): RandomCase {
  const draws = new SeededDraws(seed);
  const small = draws.pick(LONG_CASE_BASE_CASES)(seed).options;
  const options = draws.oneIn(3) && small.moldable !== 'up-down' ? repeatSitesOfGrid(draws, small) : small;
  return { jobs: drawJobs(draws, options), options };
}

function isPlanningDiscipline({ discipline }: ReferenceOptions): boolean {
  return discipline === 'easy' || discipline === 'conservative';
}

/** Repeats the sites of a grid until there are many. */
function repeatSitesOfGrid(draws: SeededDraws, options: ReferenceOptions): ReferenceOptions {
  const { capacities, speeds, load, heterogeneity, bandwidth, latency } = options;
  const sites = draws.between(16, options.multiSiteFactor === undefined ? 200 : 24);
  const again = <T>(values: readonly T[]) =>
    Array.from({ length: sites }, (_, site) => values[site % values.length]!);
  const drawSiteMatrix = (rows: number[][] | undefined) => rows && again(rows).map(again);
  return {
    ...options,
    capacities: again(capacities),
    speeds: again(speeds),
    load: again(load),
    ...(heterogeneity && { heterogeneity: again(heterogeneity) }),
    ...(bandwidth && { bandwidth: drawSiteMatrix(bandwidth) }),
    ...(latency && { latency: drawSiteMatrix(latency) }),
    // Optimal selection over this many sites would try too many sets.
    ...(options.multiSiteFactor !== undefined &&
      options.select === 'optimal' && { select: 'greedy' as const }),
  };
}

function drawJobs(draws: SeededDraws, options: ReferenceOptions): ReferenceJob[] {
  const { capacities, speeds, load } = options;
  // The reference simulator is slow for plans and for look-aheads over many sites.
  const hasSlowedSites = isPlanningDiscipline(options) || capacities.length > 15;
  const count = draws.between(500, hasSlowedSites ? 700 : 3000);
  const homes = capacities.flatMap((capacity, home) =>
    maxWidthOfJob({ home }, options) > 0 ? new Array<number>(capacity).fill(home) : [],
  );
  const runtimeOf = draws.pick(runtimeSamplers);
  const estimateOf = draws.pick(estimateFactorChoices);
  const wideOnes = draws.between(10, 40);
  const jobs = Array.from({ length: count }, () => {
    const home = draws.pick(homes);
    // A job that needs all of many sites would make all others wait.
    const widest = Math.min(maxWidthOfJob({ home }, options), 2 * Math.max(...capacities));
    const processors = draws.oneIn(wideOnes) ? widest : draws.between(1, Math.min(widest, 5));
    const runtime = runtimeOf(draws);
    return { submit: 0, runtime, estimate: runtime * draws.pick(estimateOf), processors, home };
  });

  const totalSpeed = capacities.reduce((sum, capacity, site) => sum + capacity * speeds[site]!, 0);
  const work = jobs.reduce((sum, job) => sum + job.processors * job.runtime * load[job.home]!, 0);
  const utilization = draws.pick(hasSlowedSites ? [0.5, 0.6, 0.7] : [0.6, 0.8, 1, 1.1]);
  const gap = work / totalSpeed / utilization / count;
  let submit = 0;
  return jobs.map((job) => {
    submit += draws.oneIn(3) ? 0 : (gap * draws.between(0, 30)) / 10;
    return { ...job, submit: Math.round(4 * submit) / 4 };
  });
}
