import type { MultiSite, ReferenceJob, ReferenceOptions } from '../simulator/reference.js';
import { maxWidthOfJob } from '../simulator/refusals.js';
import {
  drawLateSubmitTimes,
  drawOrder,
  drawPassOrders,
  drawPolicyText,
  LATE_SUBMIT_TIME_OFFSET,
  type RandomCase,
  SeededDraws,
} from './draws.js';

/** Sets of values from which the numbers of a case are drawn. */
interface LoadSharingValueChoices {
  capacities: readonly (readonly number[])[];
  speeds: readonly (readonly number[])[];
  runtimes: readonly (readonly number[])[];
  gaps: readonly (readonly number[])[];
  ratios: readonly number[];
  loads: readonly number[];
  instants: readonly ReferenceOptions['instant'][];
  widths: readonly JobWidthSampler[];
}

/** Draws the width of a job from the capacity of its home and the largest permitted width. */
type JobWidthSampler = (draws: SeededDraws, capacity: number, widest: number) => number;

/**
 * Values with many ties: few capacities, speeds, runtimes and submit times, and more work than the
 * sites can do.
 */
const crowdedValueChoices: LoadSharingValueChoices = {
  capacities: [[4], [8], [4, 8], [2, 4, 6], [1, 2, 3, 4], [3, 5, 8, 12], [8, 16, 12]],
  speeds: [[1], [1, 2], [1, 2], [1, 1.5, 2, 3], [1, 3, 4, 4, 8], [0.1, 1 / 3, 1.7], [0.6, 0.7, 2.4, 9.5]],
  runtimes: [[10], [10, 20], [1, 2, 3, 5, 10], [5, 40, 80], [0, 1, 4, 12], [0, 10], [0.1, 2.5, 1 / 3, 7]],
  gaps: [[0, 1], [1], [1, 2, 5], [2, 10], [0.5, 0.1], [5]],
  ratios: [0, 0, 0.5, 1, 1, 1, 1.5],
  loads: [1, 1, 2, 0.5, 1.3, 1 / 3, 0.1],
  instants: ['per-event', 'per-event', 'batched'],
  widths: [
    (random) => random.between(1, 4),
    (random, capacity) => random.between(1, capacity),
    (random, capacity) => (random.oneIn(3) ? capacity : random.between(1, 3)),
    (random, capacity) => Math.ceil(capacity / random.pick([1, 2, 2, 4])),
    (random, _, widest) => (random.oneIn(3) ? widest : random.between(1, 3)),
    (random, _, widest) => random.between(1, widest),
    (random) => random.pick([1, 2, 4, 8]),
  ],
};

/**
 * Values for which processors are free at many sites while a wide job waits, so that later jobs and
 * splits have choices.
 */
const fragmentedValueChoices: LoadSharingValueChoices = {
  capacities: [[8], [4, 8], [8, 16, 12], [5, 6, 7, 8, 9]],
  speeds: [
    [1, 2],
    [1, 1.5, 2, 3],
    [1, 3, 4, 4, 8],
  ],
  runtimes: [[10], [10, 20], [5, 40, 80], [7, 11, 30]],
  gaps: [[1], [1, 2, 5], [2, 10]],
  ratios: [0, 0, 0, 0.5],
  loads: [1, 1, 2, 0.5, 1.3],
  instants: ['per-event', 'per-event', 'batched'],
  widths: [
    (random, _, widest) => (random.oneIn(5) ? widest : random.between(1, 3)),
    (random, capacity, widest) => (random.oneIn(3) ? Math.ceil(widest / 2) : random.between(1, capacity)),
    (random, _, widest) =>
      random.oneIn(3) ? random.between(Math.floor(widest / 4), Math.ceil(widest / 2)) : random.between(1, 5),
    (random, _, widest) => (random.oneIn(4) ? Math.ceil(widest / 2) : random.between(2, 3)),
    (random) => random.between(3, 6),
  ],
};

/**
 * Values for which the whole grid becomes free at once repeatedly, so that splits leave different
 * room for others.
 */
const coincidingValueChoices: LoadSharingValueChoices = {
  capacities: [
    [4, 8],
    [8, 16, 12],
    [3, 5, 8, 12],
    [5, 6, 7, 8, 9],
  ],
  speeds: [[1], [1, 2], [1, 2, 4]],
  runtimes: [[10], [10, 20]],
  gaps: [[1], [5], [5, 10]],
  ratios: [0, 0, 0, 0.5, 1],
  loads: [1],
  instants: ['batched', 'batched', 'batched', 'per-event'],
  widths: [
    (random, capacity, widest) =>
      random.oneIn(4)
        ? random.between(Math.ceil(widest / 4), Math.ceil(widest / 2))
        : random.between(1, capacity),
    (random, _, widest) =>
      random.oneIn(3) ? random.between(Math.ceil(widest / 3), Math.ceil(widest / 1.5)) : random.between(2, 7),
  ],
};

/** Factors from runtime to estimate. */
const estimateFactorChoices = [[1], [1, 1, 1.2, 3], [0.5, 1, 2], [1 / 3, 1.1]];

const MULTI_SITE_SPLIT_RULES: MultiSite[] = [
  'larger-first',
  'faster-first',
  'adaptive',
  'adaptive',
  'adaptive',
];

/**
 * A small random case of load sharing, determined by its seed: every discipline with every
 * compatible queue topology, reclaiming and splitting, under every single-site policy. Every job
 * can start.
 */
export function randomLoadSharingCase(seed: number): RandomCase {
  const random = new SeededDraws(seed);
  const menus = random.pick([crowdedValueChoices, fragmentedValueChoices, coincidingValueChoices]);
  const sites = random.oneIn(12) ? random.between(9, 14) : random.pick([1, 2, 3, 3, 4, 4, 5, 5, 5, 6]);
  const capacities = random.times(sites, random.from(random.pick(menus.capacities)));
  const speeds = random.times(sites, random.from(random.pick(menus.speeds)));
  const options: ReferenceOptions = {
    capacities,
    speeds,
    load: random.times(sites, random.from(random.oneIn(2) ? [random.pick(menus.loads)] : menus.loads)),
    ...drawPolicyText(random, speeds),
    resolution: random.pick(['exact', 'exact', 'nearest', 'floor']),
    instant: random.pick(menus.instants),
    minSpeedRatio: random.pick(menus.ratios),
    ...drawLoadSharingOptions(random),
  };
  options.order = drawOrder(seed, options);
  drawPassOrders(seed, options);
  const drawn = { jobs: drawJobs(random, menus, options), options };
  drawLateSubmitTimes(seed, drawn, 8);
  return drawn;
}

/** Draws a compatible discipline and queue topology, with options that they permit. */
function drawLoadSharingOptions(random: SeededDraws): Partial<ReferenceOptions> {
  const queue = random.pick([
    'shared',
    'shared',
    'shared',
    'per-home',
    'per-home',
    'per-home',
    'independent',
  ] as const);
  const BLOCKING_DISCIPLINES = ['fcfs', 'njf', 'wjf', 'sjf', 'ljf'] as const;
  const discipline = random.pick<NonNullable<ReferenceOptions['discipline']>>(
    queue === 'per-home'
      ? BLOCKING_DISCIPLINES
      : [...BLOCKING_DISCIPLINES, 'first-available', 'first-available'],
  );
  const usesReclaim = queue === 'per-home' && random.below(3) > 0;
  // On one site a job is split only if the speed ratio excludes the site, which the split ignores,
  // so such cases are rare.
  const splitsJobs = !usesReclaim && (queue === 'independent' ? random.oneIn(4) : !random.oneIn(4));
  const multiSite = splitsJobs ? random.pick(MULTI_SITE_SPLIT_RULES) : undefined;
  const multiSiteOverhead = random.pick([0, 0, 0.1, 0.5, 1 / 3, 1, 2]);
  return { queue, discipline, reclaim: usesReclaim, multiSite, multiSiteOverhead };
}

/**
 * Draws jobs in bursts; one home may have most of them, so that its jobs are guests on all sites.
 */
function drawJobs(
  random: SeededDraws,
  menus: LoadSharingValueChoices,
  options: ReferenceOptions,
): ReferenceJob[] {
  const { capacities } = options;
  const jobCount = random.oneIn(25) ? 250 : random.between(1, 70);
  const runtimes = random.pick(menus.runtimes);
  const gaps = random.pick(menus.gaps);
  const submitTimes = [random.pick([0, 0, 1000, LATE_SUBMIT_TIME_OFFSET])];
  const bursts = random.oneIn(2) ? jobCount : random.between(1, Math.min(jobCount, 10));
  while (submitTimes.length < bursts) submitTimes.push(submitTimes.at(-1)! + random.pick(gaps));
  const busiestHome = random.oneIn(2) ? random.below(capacities.length) : undefined;
  const width = random.pick(menus.widths);
  const estimates = random.pick(estimateFactorChoices);

  const jobs = random.times(jobCount, random.from(submitTimes)).map((submit) => {
    const isOfBusiestHome = busiestHome !== undefined && !random.oneIn(3);
    const home = chooseHomeOrSlowestSite(
      isOfBusiestHome ? busiestHome : random.below(capacities.length),
      options,
    );
    const maxWidth = maxWidthOfJob({ home }, options);
    const processors = Math.max(1, Math.min(maxWidth, width(random, capacities[home]!, maxWidth)));
    const runtime = random.pick(runtimes);
    return { submit, runtime, estimate: runtime * random.pick(estimates), processors, home };
  });
  return jobs.sort((one, other) => one.submit - other.submit);
}

/**
 * Returns the home, or the slowest site if jobs of this home may use no site at all; if that does
 * not help, the speed ratio becomes 0.
 */
function chooseHomeOrSlowestSite(home: number, options: ReferenceOptions): number {
  if (maxWidthOfJob({ home }, options) > 0) return home;
  const slowest = options.speeds.indexOf(Math.min(...options.speeds));
  if (maxWidthOfJob({ home: slowest }, options) > 0) return slowest;
  options.minSpeedRatio = 0;
  return home;
}
