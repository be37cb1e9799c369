import type { ReferenceJob, ReferenceOptions } from '../simulator/reference.js';
import { maxWidthOfJob } from '../simulator/refusals.js';
import {
  drawLateSubmitTimes,
  drawOrder,
  drawPassOrders,
  LATE_SUBMIT_TIME_OFFSET,
  type RandomCase,
  SeededDraws,
} from './draws.js';

/** Sets of values from which the numbers of a case are drawn. */
interface CoallocationValueChoices {
  capacities: readonly (readonly number[])[];
  speeds: readonly (readonly number[])[];
  /** Time factors of sites, if used; their speeds are the reciprocals. */
  heterogeneity: readonly (readonly number[])[];
  loads: readonly number[];
  runtimes: readonly (readonly number[])[];
  gaps: readonly (readonly number[])[];
  multiSiteFactors: readonly number[];
  /** Bandwidths in bytes per second, input data in bytes. */
  bandwidths: readonly number[];
  data: readonly number[];
  latencies: readonly number[];
}

/** Values of every kind, which reach general code paths and the last bits of doubles. */
const mixedValueChoices: CoallocationValueChoices = {
  capacities: [[8], [4, 8], [1, 2, 3, 4], [3, 5, 8, 12], [4, 16, 16], [31, 32, 33, 65]],
  speeds: [[1], [1, 2], [1, 1.5, 2, 3], [1, 3, 5, 7, 9], [0.1, 1 / 3, 1.7], [0.6, 0.7, 2.4, 9.5, 4.3]],
  heterogeneity: [
    [1.4, 1, 0.6],
    [1, 1.1, 1.3, 0.7],
    [1 / 3, 1.7, 0.9],
  ],
  loads: [1, 2, 0.5, 2.5, 1.3, 1 / 3, 0.1],
  runtimes: [
    [10],
    [0, 1, 2, 3, 5, 10],
    [5, 40, 80],
    [0.1, 2.5, 1 / 3, 7],
    [0, 4, 8, 12, 100],
    [0, 0.25, 0.5, 1, 1.5],
  ],
  gaps: [[0, 1, 2], [1], [5, 10], [0.5, 0.1, 2.5], [20, 40]],
  multiSiteFactors: [1, 1.2, 1.6, 2],
  bandwidths: [10, 7, 30, 100, 0.7],
  data: [0, 5, 10, 33, 100, 1 / 3],
  latencies: [0, 0.1, 0.5, 1, 3],
};

/**
 * Small whole numbers with many coincidences: equally good sites, adjacent reservations, ends at
 * passes.
 */
const coincidingValueChoices: CoallocationValueChoices = {
  capacities: [[4], [2, 4], [4, 8], [2, 4, 6], [1, 2, 3]],
  speeds: [[1], [1], [1, 2], [1, 2, 4]],
  heterogeneity: [[1], [1, 0.5], [2, 1, 0.5, 0.25]],
  loads: [1, 1, 1, 2],
  runtimes: [[10], [10, 20], [12, 24, 6], [0, 10], [5, 10, 15, 20]],
  gaps: [[1], [5], [5, 10], [0, 2, 4]],
  multiSiteFactors: [1, 1, 2],
  bandwidths: [1, 10],
  data: [0, 10, 20, 50],
  latencies: [0, 1, 5],
};

/** Draws the estimate of a job from its runtime, in seconds. */
type EstimateSampler = (draws: SeededDraws, runtime: number) => number;

const estimateSamplers: EstimateSampler[] = [
  (_, runtime) => runtime,
  (_, runtime) => runtime,
  (draws, runtime) => runtime * draws.pick([1, 1.5, 2, 5]),
  (draws, runtime) => runtime * draws.pick([1, 0.5, 1 / 3]),
  (draws, runtime) => runtime * draws.pick([0.5, 1, 1, 2]),
  (draws, runtime) => (draws.oneIn(3) ? 0 : runtime),
  (draws) => draws.pick([0, 0.5, 3, 10, 40, 500]),
  () => 0,
];

/** Draws the width of a job from the capacity of its home and the largest permitted width. */
type JobWidthSampler = (draws: SeededDraws, capacity: number, widest: number) => number;

const widthSamplers: JobWidthSampler[] = [
  (draws) => draws.between(1, 4),
  (draws, capacity) => draws.between(1, capacity),
  (draws, capacity) => (draws.oneIn(3) ? capacity : draws.between(1, 3)),
  (draws, capacity) => Math.ceil(capacity / draws.pick([1, 2, 2, 4])),
  (draws, _, widest) => (draws.oneIn(4) ? widest : draws.between(1, 3)),
  (draws, _, widest) => draws.between(1, widest),
  (draws, capacity, widest) =>
    draws.oneIn(3) ? draws.between(capacity, widest) : draws.between(1, capacity),
  (draws, _, widest) => Math.ceil(widest / draws.pick([1, 2, 3, 4, 6])),
];

/**
 * A small random case of planned jobs, determined by its seed: EASY and conservative backfilling
 * with every selection on one or several sites of equal or different speeds, with or without data
 * transfers; estimates of any quality; jobs that need several sites. Every job can start.
 */
export function randomCoallocationCase(seed: number): RandomCase {
  const draws = new SeededDraws(seed);
  const menus = draws.pick([mixedValueChoices, mixedValueChoices, coincidingValueChoices]);
  const hasManySites = draws.oneIn(25);
  const sites = hasManySites ? draws.between(7, 9) : draws.pick([1, 1, 2, 2, 3, 3, 3, 4, 5, 6]);
  const runtimes = draws.pick(menus.runtimes);
  const options: ReferenceOptions = {
    capacities: draws.times(sites, draws.from(draws.pick(menus.capacities))),
    ...drawSpeeds(draws, menus, sites),
    load: draws.times(sites, draws.from(draws.oneIn(2) ? [draws.pick(menus.loads)] : menus.loads)),
    policy: 'best-fit',
    parameters: {},
    resolution: draws.pick(['exact', 'exact', 'nearest', 'floor']),
    instant: draws.pick(['per-event', 'per-event', 'batched']),
    minSpeedRatio: 0,
    discipline: draws.pick(['easy', 'conservative']),
    queue: !hasManySites && draws.oneIn(12) ? 'independent' : 'shared',
    runtimeReference: draws.pick([undefined, 'speed1', 'home', 'home']),
    ...drawNetwork(draws, menus, sites),
  };
  if (options.queue === 'shared') {
    options.select = hasManySites ? 'optimal' : draws.pick([undefined, 'optimal', 'greedy', 'non-adaptive']);
    options.multiSiteFactor = draws.oneIn(4) ? undefined : draws.pick(menus.multiSiteFactors);
    options.interval = draws.oneIn(3) ? drawPassInterval(draws, runtimes) : undefined;
  }
  options.order = drawOrder(seed, options);
  drawPassOrders(seed, options);
  const drawn = { jobs: drawJobs(draws, menus, runtimes, options), options };
  drawLateSubmitTimes(seed, drawn, 8);
  return drawn;
}

/** Draws speeds, or time factors with the speeds that follow from them. */
function drawSpeeds(
  draws: SeededDraws,
  menus: CoallocationValueChoices,
  sites: number,
): Pick<ReferenceOptions, 'speeds' | 'heterogeneity'> {
  if (!draws.oneIn(3)) return { speeds: draws.times(sites, draws.from(draws.pick(menus.speeds))) };
  const heterogeneity = draws.times(sites, draws.from(draws.pick(menus.heterogeneity)));
  return { heterogeneity, speeds: heterogeneity.map((scaleFactor) => 1 / scaleFactor) };
}

/** Draws the network: no transfers, the same bandwidth everywhere, or one per pair of sites. */
function drawNetwork(
  draws: SeededDraws,
  menus: CoallocationValueChoices,
  sites: number,
): Pick<ReferenceOptions, 'bandwidth' | 'latency'> {
  const drawSiteMatrix = (values: readonly number[]) => {
    const valuesOfGrid = draws.oneIn(2) ? [draws.pick(values)] : values;
    return Array.from({ length: sites }, () => draws.times(sites, draws.from(valuesOfGrid)));
  };
  if (draws.oneIn(3)) return {};
  const bandwidth = drawSiteMatrix(menus.bandwidths);
  return draws.oneIn(3) ? { bandwidth } : { bandwidth, latency: drawSiteMatrix(menus.latencies) };
}

/** Draws an interval of passes about as long as a job, so that passes may coincide with ends. */
function drawPassInterval(draws: SeededDraws, runtimes: readonly number[]): number {
  const runtime = draws.pick(runtimes);
  return (runtime > 0 ? runtime : 1) * draws.pick([0.3, 0.5, 1, 1, 2]);
}

/** Draws jobs in bursts, so that many wait, or in a trickle. */
function drawJobs(
  draws: SeededDraws,
  menus: CoallocationValueChoices,
  runtimes: readonly number[],
  options: ReferenceOptions,
): ReferenceJob[] {
  const { capacities } = options;
  const count = drawJobCount(draws, options);
  const gaps = draws.pick(menus.gaps);
  const times = [draws.pick([0, 0, 1000, LATE_SUBMIT_TIME_OFFSET])];
  const bursts = draws.oneIn(2) ? count : draws.between(1, Math.min(count, 8));
  while (times.length < bursts) times.push(times.at(-1)! + draws.pick(gaps));
  const width = draws.pick(widthSamplers);
  const estimate = draws.pick(estimateSamplers);
  const data = draws.pick([[0], [draws.pick(menus.data)], menus.data, menus.data]);

  const jobs = draws.times(count, draws.from(times)).map((submit) => {
    const home = draws.below(capacities.length);
    const widest = maxWidthOfJob({ home }, options);
    const processors = Math.max(1, Math.min(widest, width(draws, capacities[home]!, widest)));
    const runtime = draws.pick(runtimes);
    const planned = { submit, runtime, estimate: estimate(draws, runtime), processors, home };
    return draws.oneIn(10) ? planned : { ...planned, data: draws.pick(data) };
  });
  return jobs.sort((one, other) => one.submit - other.submit);
}

/** Draws the number of jobs; fewer if each is planned on every set of many sites. */
function drawJobCount(draws: SeededDraws, { capacities, select, multiSiteFactor }: ReferenceOptions): number {
  const sets = select === 'optimal' && multiSiteFactor !== undefined ? 2 ** capacities.length : 1;
  if (sets > 64) return draws.between(3, 8);
  if (sets > 8) return draws.between(3, 24);
  return draws.oneIn(12) ? draws.between(60, 90) : draws.between(5, 45);
}
