import type { ReferenceJob, ReferenceOptions, Speedup } from '../simulator/reference.js';
import { drawOrder, LATE_SUBMIT_TIME_OFFSET, type RandomCase, SeededDraws } from './draws.js';

/** Sets of values from which the numbers of a case are drawn. */
interface MoldableValueChoices {
  capacities: readonly (readonly number[])[];
  speeds: readonly (readonly number[])[];
  loads: readonly number[];
  runtimes: readonly (readonly number[])[];
  gaps: readonly (readonly number[])[];
  /** Factors from runtime to estimate. */
  estimates: readonly (readonly number[])[];
}

/** Values of every kind, which reach general code paths and the last bits of doubles. */
const mixedValueChoices: MoldableValueChoices = {
  capacities: [[8], [4, 8], [1, 2, 3, 4], [3, 5, 8, 12], [8, 128, 50], [31, 32, 33, 63, 64, 65, 130]],
  speeds: [[1], [1, 2], [1, 1.5, 2, 3], [1, 3, 5, 7, 9], [0.1, 1 / 3, 1.7], [0.6, 0.7, 2.4, 9.5, 4.3]],
  loads: [1, 2, 0.5, 2.5, 1.3, 1 / 3, 0.1],
  runtimes: [[10], [0, 1, 2, 3, 5, 10], [5, 40, 80], [0.1, 2.5, 1 / 3, 7], [0, 4, 8, 12, 100], [0, 10]],
  gaps: [[0, 1, 2], [1], [5, 10], [0.5, 0.1, 2.5], [20, 40]],
  estimates: [[1], [1, 1, 1.2, 3], [0.5, 1, 2], [1 / 3, 1.1], [0, 0.5, 1, 2], [0.3, 0.5]],
};

/**
 * Small whole numbers with many coincidences: equal ends, equal powers, turnarounds equal to the
 * threshold.
 */
const coincidingValueChoices: MoldableValueChoices = {
  capacities: [[4], [2, 4], [4, 8], [6, 12, 4], [8, 16]],
  speeds: [[1], [1, 2], [1, 2, 4], [2]],
  loads: [1, 1, 2],
  runtimes: [[10], [10, 20], [12, 24, 6]],
  gaps: [[1], [5], [5, 10], [0, 2, 4]],
  estimates: [[1], [1], [1, 2], [0.5, 1, 1]],
};

/**
 * A small random case of moldable jobs, determined by its seed: scaling down, and on one site also
 * up, with and without thresholds, under every fit and several speedups; exact and wrong estimates;
 * jobs wider than their site or than every site.
 */
export function randomMoldableCase(seed: number): RandomCase {
  const random = new SeededDraws(seed);
  const menus = random.pick([mixedValueChoices, mixedValueChoices, coincidingValueChoices]);
  const sites = random.pick([1, 1, 1, 1, 1, 2, 2, 3, 3, 4, 5, 5, 6, 7, 8]);
  const capacities = random.oneIn(5)
    ? random.times(sites, () => random.between(1, 20))
    : random.times(sites, random.from(random.pick(menus.capacities)));
  const speedup = drawSpeedup(random);
  const options: ReferenceOptions = {
    capacities,
    speeds: random.times(sites, random.from(random.pick(menus.speeds))),
    load: random.times(sites, random.from(random.oneIn(2) ? [random.pick(menus.loads)] : menus.loads)),
    policy: 'best-fit',
    parameters: {},
    resolution: random.pick(['exact', 'exact', 'nearest', 'floor']),
    instant: random.pick(['per-event', 'per-event', 'batched']),
    minSpeedRatio: 0,
    moldable: sites === 1 && !random.oneIn(3) ? 'up-down' : 'down',
    moldableThreshold: random.pick([undefined, undefined, 0.5, 0.8, 1, 1, 1.1, 1.5, 2, 2.1, 3]),
    moldableFit: random.pick(['demand', 'processors', 'power']),
    speedup,
  };
  options.order = drawOrder(seed, options);
  return { jobs: drawJobs(random, menus, capacities), options };
}

/** Draws a speedup, mostly linear. Widths fall on all sides of the bends of Downey's curves. */
function drawSpeedup(random: SeededDraws): Speedup | undefined {
  if (!random.oneIn(3)) return undefined;
  const A = random.oneIn(2) ? random.between(1, 64) : random.pick([1, 1.5, 2, 3, 4, 5.3, 8]);
  return { A, sigma: random.pick([0, 0.5, 1, 2]) };
}

/** Draws jobs in bursts, so that several wait, or one by one. */
function drawJobs(random: SeededDraws, menus: MoldableValueChoices, capacities: number[]): ReferenceJob[] {
  const jobCount = random.oneIn(25) ? 300 : random.between(1, 60);
  const runtimes = random.pick(menus.runtimes);
  const gaps = random.pick(menus.gaps);
  const estimates = random.pick(menus.estimates);
  const submitTimes = [random.pick([0, 0, 1000, LATE_SUBMIT_TIME_OFFSET])];
  const bursts = random.oneIn(2) ? jobCount : random.between(1, Math.min(jobCount, 12));
  while (submitTimes.length < bursts) submitTimes.push(submitTimes.at(-1)! + random.pick(gaps));
  const width = makeJobWidthSampler(random, capacities);
  const jobs = random.times(jobCount, random.from(submitTimes)).map((submit) => {
    const runtime = random.pick(runtimes);
    const estimate = runtime * random.pick(estimates);
    return { submit, runtime, estimate, processors: width(), home: random.below(capacities.length) };
  });
  return jobs.sort((one, other) => one.submit - other.submit);
}

/** Draws widths of jobs, which may exceed a site, every site, or the grid. */
function makeJobWidthSampler(random: SeededDraws, capacities: number[]): () => number {
  const maxWidth = Math.max(...capacities);
  const totalProcessors = capacities.reduce((sum, capacity) => sum + capacity, 0);
  return random.pick([
    () => random.between(1, Math.max(2, Math.ceil(maxWidth / 3))),
    () => random.between(1, maxWidth),
    () => random.between(Math.ceil(maxWidth / 4), Math.ceil(maxWidth * 1.5)),
    () => (random.oneIn(4) ? maxWidth : random.between(1, 3)),
    () => (random.oneIn(3) ? random.pick(capacities) + 1 : random.between(1, random.pick(capacities))),
    () =>
      random.oneIn(6) ? totalProcessors + 1 : Math.ceil(random.pick(capacities) / random.pick([1, 2, 3, 4])),
    () => random.pick([1, 2, 4, 8, 16]),
  ]);
}
