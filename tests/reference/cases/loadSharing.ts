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
    (draws) => draws.between(1, 4),
    (draws, capacity) => draws.between(1, capacity),
    (draws, capacity) => (draws.oneIn(3) ? capacity : draws.between(1, 3)),
    (draws, capacity) => Math.ceil(capacity / draws.pick([1, 2, 2, 4])),
    (draws, _, widest) => (draws.oneIn(3) ? widest : draws.between(1, 3)),
    (draws, _, widest) => draws.between(1, widest),
    (draws) => draws.pick([1, 2, 4, 8]),
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
    (draws, _, widest) => (draws.oneIn(5) ? widest : draws.between(1, 3)),
    (draws, capacity, widest) => (draws.oneIn(3) ? Math.ceil(widest / 2) : draws.between(1, capacity)),
    (draws, _, widest) =>
      draws.oneIn(3) ? draws.between(Math.floor(widest / 4), Math.ceil(widest / 2)) : draws.between(1, 5),
    (draws, _, widest) => (draws.oneIn(4) ? Math.ceil(widest / 2) : draws.between(2, 3)),
    (draws) => draws.between(3, 6),
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
    (draws, capacity, widest) =>
      draws.oneIn(4)
        ? draws.between(Math.ceil(widest / 4), Math.ceil(widest / 2))
        : draws.between(1, capacity),
    (draws, _, widest) =>
      draws.oneIn(3) ? draws.between(Math.ceil(widest / 3), Math.ceil(widest / 1.5)) : draws.between(2, 7),
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
  const draws = new SeededDraws(seed);
  const menus = draws.pick([crowdedValueChoices, fragmentedValueChoices, coincidingValueChoices]);
  const sites = draws.oneIn(12) ? draws.between(9, 14) : draws.pick([1, 2, 3, 3, 4, 4, 5, 5, 5, 6]);
  const capacities = draws.times(sites, draws.from(draws.pick(menus.capacities)));
  const speeds = draws.times(sites, draws.from(draws.pick(menus.speeds)));
  const options: ReferenceOptions = {
    capacities,
    speeds,
    load: draws.times(sites, draws.from(draws.oneIn(2) ? [draws.pick(menus.loads)] : menus.loads)),
    ...drawPolicyText(draws, speeds),
    resolution: draws.pick(['exact', 'exact', 'nearest', 'floor']),
    instant: draws.pick(menus.instants),
    minSpeedRatio: draws.pick(menus.ratios),
    ...drawLoadSharingOptions(draws),
  };
  options.order = drawOrder(seed, options);
  drawPassOrders(seed, options);
  const drawn = { jobs: drawJobs(draws, menus, options), options };
  drawLateSubmitTimes(seed, drawn, 8);
  return drawn;
}

/** Draws a compatible discipline and queue topology, with options that they permit. */
function drawLoadSharingOptions(draws: SeededDraws): Partial<ReferenceOptions> {
  const queue = draws.pick([
    'shared',
    'shared',
    'shared',
    'per-home',
    'per-home',
    'per-home',
    'independent',
  ] as const);
  const BLOCKING_DISCIPLINES = ['fcfs', 'njf', 'wjf', 'sjf', 'ljf'] as const;
  const discipline = draws.pick<NonNullable<ReferenceOptions['discipline']>>(
    queue === 'per-home'
      ? BLOCKING_DISCIPLINES
      : [...BLOCKING_DISCIPLINES, 'first-available', 'first-available'],
  );
  const usesReclaim = queue === 'per-home' && draws.below(3) > 0;
  // On one site a job is split only if the speed ratio excludes the site, which the split ignores,
  // so such cases are rare.
  const splitsJobs = !usesReclaim && (queue === 'independent' ? draws.oneIn(4) : !draws.oneIn(4));
  const multiSite = splitsJobs ? draws.pick(MULTI_SITE_SPLIT_RULES) : undefined;
  const multiSiteOverhead = draws.pick([0, 0, 0.1, 0.5, 1 / 3, 1, 2]);
  return { queue, discipline, reclaim: usesReclaim, multiSite, multiSiteOverhead };
}

/**
 * Draws jobs in bursts; one home may have most of them, so that its jobs are guests on all sites.
 */
function drawJobs(
  draws: SeededDraws,
  menus: LoadSharingValueChoices,
  options: ReferenceOptions,
): ReferenceJob[] {
  const { capacities } = options;
  const count = draws.oneIn(25) ? 250 : draws.between(1, 70);
  const runtimes = draws.pick(menus.runtimes);
  const gaps = draws.pick(menus.gaps);
  const times = [draws.pick([0, 0, 1000, LATE_SUBMIT_TIME_OFFSET])];
  const bursts = draws.oneIn(2) ? count : draws.between(1, Math.min(count, 10));
  while (times.length < bursts) times.push(times.at(-1)! + draws.pick(gaps));
  const busiestHome = draws.oneIn(2) ? draws.below(capacities.length) : undefined;
  const width = draws.pick(menus.widths);
  const estimates = draws.pick(estimateFactorChoices);

  const jobs = draws.times(count, draws.from(times)).map((submit) => {
    const isOfBusiestHome = busiestHome !== undefined && !draws.oneIn(3);
    const home = chooseHomeOrSlowestSite(
      isOfBusiestHome ? busiestHome : draws.below(capacities.length),
      options,
    );
    const widest = maxWidthOfJob({ home }, options);
    const processors = Math.max(1, Math.min(widest, width(draws, capacities[home]!, widest)));
    const runtime = draws.pick(runtimes);
    return { submit, runtime, estimate: runtime * draws.pick(estimates), processors, home };
  });
  return jobs.sort((one, other) => one.submit - other.submit);
}

/**
 * Returns the home, or the slowest site if jobs of this home may use no site at all; if that does
 * not help, the speed ratio becomes 0.
 */
function chooseHomeOrSlowestSite(home: number, options: ReferenceOptions): number {
  if (maxWidthOfJob({ home }, options) > 0) return home;
  const slowestSite = options.speeds.indexOf(Math.min(...options.speeds));
  if (maxWidthOfJob({ home: slowestSite }, options) > 0) return slowestSite;
  options.minSpeedRatio = 0;
  return home;
}
