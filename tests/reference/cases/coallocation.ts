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
  (random, runtime) => runtime * random.pick([1, 1.5, 2, 5]),
  (random, runtime) => runtime * random.pick([1, 0.5, 1 / 3]),
  (random, runtime) => runtime * random.pick([0.5, 1, 1, 2]),
  (random, runtime) => (random.oneIn(3) ? 0 : runtime),
  (random) => random.pick([0, 0.5, 3, 10, 40, 500]),
  () => 0,
];

/** Draws the width of a job from the capacity of its home and the largest permitted width. */
type JobWidthSampler = (draws: SeededDraws, capacity: number, widest: number) => number;

const widthSamplers: JobWidthSampler[] = [
  (random) => random.between(1, 4),
  (random, capacity) => random.between(1, capacity),
  (random, capacity) => (random.oneIn(3) ? capacity : random.between(1, 3)),
  (random, capacity) => Math.ceil(capacity / random.pick([1, 2, 2, 4])),
  (random, _, widest) => (random.oneIn(4) ? widest : random.between(1, 3)),
  (random, _, widest) => random.between(1, widest),
  (random, capacity, widest) =>
    random.oneIn(3) ? random.between(capacity, widest) : random.between(1, capacity),
  (random, _, widest) => Math.ceil(widest / random.pick([1, 2, 3, 4, 6])),
];

/**
 * A small random case of planned jobs, determined by its seed: EASY and conservative backfilling
 * with every selection on one or several sites of equal or different speeds, with or without data
 * transfers; estimates of any quality; jobs that need several sites. Every job can start.
 */
export function randomCoallocationCase(seed: number): RandomCase {
  const random = new SeededDraws(seed);
  const menus = random.pick([mixedValueChoices, mixedValueChoices, coincidingValueChoices]);
  const hasManySites = random.oneIn(25);
  const sites = hasManySites ? random.between(7, 9) : random.pick([1, 1, 2, 2, 3, 3, 3, 4, 5, 6]);
  const runtimes = random.pick(menus.runtimes);
  const options: ReferenceOptions = {
    capacities: random.times(sites, random.from(random.pick(menus.capacities))),
    ...drawSpeeds(random, menus, sites),
    load: random.times(sites, random.from(random.oneIn(2) ? [random.pick(menus.loads)] : menus.loads)),
    policy: 'best-fit',
    parameters: {},
    resolution: random.pick(['exact', 'exact', 'nearest', 'floor']),
    instant: random.pick(['per-event', 'per-event', 'batched']),
    minSpeedRatio: 0,
    discipline: random.pick(['easy', 'conservative']),
    queue: !hasManySites && random.oneIn(12) ? 'independent' : 'shared',
    runtimeReference: random.pick([undefined, 'speed1', 'home', 'home']),
    ...drawNetwork(random, menus, sites),
  };
  if (options.queue === 'shared') {
    options.select = hasManySites ? 'optimal' : random.pick([undefined, 'optimal', 'greedy', 'non-adaptive']);
    options.multiSiteFactor = random.oneIn(4) ? undefined : random.pick(menus.multiSiteFactors);
    options.interval = random.oneIn(3) ? drawPassInterval(random, runtimes) : undefined;
  }
  options.order = drawOrder(seed, options);
  drawPassOrders(seed, options);
  const drawn = { jobs: drawJobs(random, menus, runtimes, options), options };
  drawLateSubmitTimes(seed, drawn, 8);
  return drawn;
}

/** Draws speeds, or time factors with the speeds that follow from them. */
function drawSpeeds(
  random: SeededDraws,
  menus: CoallocationValueChoices,
  sites: number,
): Pick<ReferenceOptions, 'speeds' | 'heterogeneity'> {
  if (!random.oneIn(3)) return { speeds: random.times(sites, random.from(random.pick(menus.speeds))) };
  const heterogeneity = random.times(sites, random.from(random.pick(menus.heterogeneity)));
  return { heterogeneity, speeds: heterogeneity.map((scaleFactor) => 1 / scaleFactor) };
}

/** Draws the network: no transfers, the same bandwidth everywhere, or one per pair of sites. */
function drawNetwork(
  random: SeededDraws,
  menus: CoallocationValueChoices,
  sites: number,
): Pick<ReferenceOptions, 'bandwidth' | 'latency'> {
  const drawSiteMatrix = (matrixValues: readonly number[]) => {
    const valuesOfGrid = random.oneIn(2) ? [random.pick(matrixValues)] : matrixValues;
    return Array.from({ length: sites }, () => random.times(sites, random.from(valuesOfGrid)));
  };
  if (random.oneIn(3)) return {};
  const bandwidth = drawSiteMatrix(menus.bandwidths);
  return random.oneIn(3) ? { bandwidth } : { bandwidth, latency: drawSiteMatrix(menus.latencies) };
}

/** Draws an interval of passes about as long as a job, so that passes may coincide with ends. */
function drawPassInterval(random: SeededDraws, runtimes: readonly number[]): number {
  const runtime = random.pick(runtimes);
  return (runtime > 0 ? runtime : 1) * random.pick([0.3, 0.5, 1, 1, 2]);
}

/** Draws jobs in bursts, so that many wait, or in a trickle. */
function drawJobs(
  random: SeededDraws,
  menus: CoallocationValueChoices,
  runtimes: readonly number[],
  options: ReferenceOptions,
): ReferenceJob[] {
  const { capacities } = options;
  const jobCount = drawJobCount(random, options);
  const gaps = random.pick(menus.gaps);
  const submitTimes = [random.pick([0, 0, 1000, LATE_SUBMIT_TIME_OFFSET])];
  const bursts = random.oneIn(2) ? jobCount : random.between(1, Math.min(jobCount, 8));
  while (submitTimes.length < bursts) submitTimes.push(submitTimes.at(-1)! + random.pick(gaps));
  const width = random.pick(widthSamplers);
  const estimate = random.pick(estimateSamplers);
  const inputSizes = random.pick([[0], [random.pick(menus.data)], menus.data, menus.data]);

  const jobs = random.times(jobCount, random.from(submitTimes)).map((submit) => {
    const home = random.below(capacities.length);
    const maxWidth = maxWidthOfJob({ home }, options);
    const processors = Math.max(1, Math.min(maxWidth, width(random, capacities[home]!, maxWidth)));
    const runtime = random.pick(runtimes);
    const planned = { submit, runtime, estimate: estimate(random, runtime), processors, home };
    return random.oneIn(10) ? planned : { ...planned, data: random.pick(inputSizes) };
  });
  return jobs.sort((one, other) => one.submit - other.submit);
}

/** Draws the number of jobs; fewer if each is planned on every set of many sites. */
function drawJobCount(
  random: SeededDraws,
  { capacities, select, multiSiteFactor }: ReferenceOptions,
): number {
  const sets = select === 'optimal' && multiSiteFactor !== undefined ? 2 ** capacities.length : 1;
  if (sets > 64) return random.between(3, 8);
  if (sets > 8) return random.between(3, 24);
  return random.oneIn(12) ? random.between(60, 90) : random.between(5, 45);
}
