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
  const draws = new SeededDraws(seed);
  const menus = draws.pick([mixedValueChoices, mixedValueChoices, coincidingValueChoices]);
  const sites = draws.pick([1, 1, 1, 1, 1, 2, 2, 3, 3, 4, 5, 5, 6, 7, 8]);
  const capacities = draws.oneIn(5)
    ? draws.times(sites, () => draws.between(1, 20))
    : draws.times(sites, draws.from(draws.pick(menus.capacities)));
  const speedup = drawSpeedup(draws);
  const options: ReferenceOptions = {
    capacities,
    speeds: draws.times(sites, draws.from(draws.pick(menus.speeds))),
    load: draws.times(sites, draws.from(draws.oneIn(2) ? [draws.pick(menus.loads)] : menus.loads)),
    policy: 'best-fit',
    parameters: {},
    resolution: draws.pick(['exact', 'exact', 'nearest', 'floor']),
    instant: draws.pick(['per-event', 'per-event', 'batched']),
    minSpeedRatio: 0,
    moldable: sites === 1 && !draws.oneIn(3) ? 'up-down' : 'down',
    moldableThreshold: draws.pick([undefined, undefined, 0.5, 0.8, 1, 1, 1.1, 1.5, 2, 2.1, 3]),
    moldableFit: draws.pick(['demand', 'processors', 'power']),
    speedup,
  };
  options.order = drawOrder(seed, options);
  return { jobs: drawJobs(draws, menus, capacities), options };
}

/** Draws a speedup, mostly linear. Widths fall on all sides of the bends of Downey's curves. */
function drawSpeedup(draws: SeededDraws): Speedup | undefined {
  if (!draws.oneIn(3)) return undefined;
  const A = draws.oneIn(2) ? draws.between(1, 64) : draws.pick([1, 1.5, 2, 3, 4, 5.3, 8]);
  return { A, sigma: draws.pick([0, 0.5, 1, 2]) };
}

/** Draws jobs in bursts, so that several wait, or one by one. */
function drawJobs(draws: SeededDraws, menus: MoldableValueChoices, capacities: number[]): ReferenceJob[] {
  const count = draws.oneIn(25) ? 300 : draws.between(1, 60);
  const runtimes = draws.pick(menus.runtimes);
  const gaps = draws.pick(menus.gaps);
  const estimates = draws.pick(menus.estimates);
  const times = [draws.pick([0, 0, 1000, LATE_SUBMIT_TIME_OFFSET])];
  const bursts = draws.oneIn(2) ? count : draws.between(1, Math.min(count, 12));
  while (times.length < bursts) times.push(times.at(-1)! + draws.pick(gaps));
  const width = makeJobWidthSampler(draws, capacities);
  const jobs = draws.times(count, draws.from(times)).map((submit) => {
    const runtime = draws.pick(runtimes);
    const estimate = runtime * draws.pick(estimates);
    return { submit, runtime, estimate, processors: width(), home: draws.below(capacities.length) };
  });
  return jobs.sort((one, other) => one.submit - other.submit);
}

/** Draws widths of jobs, which may exceed a site, every site, or the grid. */
function makeJobWidthSampler(draws: SeededDraws, capacities: number[]): () => number {
  const widest = Math.max(...capacities);
  const all = capacities.reduce((sum, capacity) => sum + capacity, 0);
  return draws.pick([
    () => draws.between(1, Math.max(2, Math.ceil(widest / 3))),
    () => draws.between(1, widest),
    () => draws.between(Math.ceil(widest / 4), Math.ceil(widest * 1.5)),
    () => (draws.oneIn(4) ? widest : draws.between(1, 3)),
    () => (draws.oneIn(3) ? draws.pick(capacities) + 1 : draws.between(1, draws.pick(capacities))),
    () => (draws.oneIn(6) ? all + 1 : Math.ceil(draws.pick(capacities) / draws.pick([1, 2, 3, 4]))),
    () => draws.pick([1, 2, 4, 8, 16]),
  ]);
}
