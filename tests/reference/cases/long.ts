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
  (random) => random.between(1, 200),
  (random) => random.pick([10, 20]),
  (random) => random.pick([0, 1, 2, 5, 10, 20, 50, 100, 200, 500]),
  (random) => random.between(1, 4000) / 16,
];

/** Factors from runtime to estimate. */
const estimateFactorChoices = [[1], [1], [1, 1.5, 3], [0.5, 1, 1, 2], [0, 1, 1, 1, 1, 1]];

/**
 * A random case of 500 to 3,000 jobs, determined by its seed, with the options of a small case of
 * any kind; every third on 16 to 200 sites. The load is about 1.
 */
export function randomLongCase(seed: number): RandomCase {
  const random = new SeededDraws(seed);
  const small = random.pick(LONG_CASE_BASE_CASES)(seed).options;
  const options = random.oneIn(3) && small.moldable !== 'up-down' ? repeatSitesOfGrid(random, small) : small;
  return { jobs: drawJobs(random, options), options };
}

function isPlanningDiscipline({ discipline }: ReferenceOptions): boolean {
  return discipline === 'easy' || discipline === 'conservative';
}

/** Repeats the sites of a grid until there are many. */
function repeatSitesOfGrid(random: SeededDraws, options: ReferenceOptions): ReferenceOptions {
  const { capacities, speeds, load, heterogeneity, bandwidth, latency } = options;
  const sites = random.between(16, options.multiSiteFactor === undefined ? 200 : 24);
  const again = <T>(previousValues: readonly T[]) =>
    Array.from({ length: sites }, (_, site) => previousValues[site % previousValues.length]!);
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

function drawJobs(random: SeededDraws, options: ReferenceOptions): ReferenceJob[] {
  const { capacities, speeds, load } = options;
  // The reference simulator is slow for plans and for look-aheads over many sites.
  const hasSlowedSites = isPlanningDiscipline(options) || capacities.length > 15;
  const jobCount = random.between(500, hasSlowedSites ? 700 : 3000);
  const homes = capacities.flatMap((capacity, home) =>
    maxWidthOfJob({ home }, options) > 0 ? new Array<number>(capacity).fill(home) : [],
  );
  const runtimeOf = random.pick(runtimeSamplers);
  const estimateOf = random.pick(estimateFactorChoices);
  const wideOnes = random.between(10, 40);
  const jobs = Array.from({ length: jobCount }, () => {
    const home = random.pick(homes);
    // A job that needs all of many sites would make all others wait.
    const maxWidth = Math.min(maxWidthOfJob({ home }, options), 2 * Math.max(...capacities));
    const processors = random.oneIn(wideOnes) ? maxWidth : random.between(1, Math.min(maxWidth, 5));
    const runtime = runtimeOf(random);
    return { submit: 0, runtime, estimate: runtime * random.pick(estimateOf), processors, home };
  });

  const power = capacities.reduce((sum, capacity, site) => sum + capacity * speeds[site]!, 0);
  const totalWork = jobs.reduce((sum, job) => sum + job.processors * job.runtime * load[job.home]!, 0);
  const utilization = random.pick(hasSlowedSites ? [0.5, 0.6, 0.7] : [0.6, 0.8, 1, 1.1]);
  const meanSubmitGap = totalWork / power / utilization / jobCount;
  let submit = 0;
  return jobs.map((job) => {
    submit += random.oneIn(3) ? 0 : (meanSubmitGap * random.between(0, 30)) / 10;
    return { ...job, submit: Math.round(4 * submit) / 4 };
  });
}
