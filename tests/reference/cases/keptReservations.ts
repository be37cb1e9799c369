import type { ReferenceJob, ReferenceOptions } from '../simulator/reference.js';
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

const speedChoices: readonly (readonly number[])[] = [[1], [1, 2], [0.5, 1, 2], [1, 1.5, 2, 3]];

/** Runtimes with many ties, including zeros, or with many values. */
const runtimeSamplers: readonly ((draws: SeededDraws) => number)[] = [
  (draws) => draws.pick([10, 20, 40]),
  (draws) => draws.between(5, 200),
  (draws) => draws.between(5, 200),
  (draws) => draws.pick([0, 1, 2, 5, 10, 100]),
  (draws) => draws.pick([0, 40, 80.5, 120, 240.25]),
];

/**
 * Pairs (factor, extra seconds) from runtime to estimate: jobs that end early, on time, late, or
 * have an estimate of 0.
 */
const estimateFactorChoices: readonly (readonly [number, number][])[] = [
  [[1, 0]],
  [
    [1, 0],
    [1, 0],
    [2, 0],
    [5, 0],
  ],
  [
    [1, 10],
    [3, 0],
    [10, 60],
  ],
  [
    [1, 0],
    [1, 0],
    [0.5, 0],
  ],
  [
    [0.25, 0],
    [1, 0],
    [2, 0],
    [0, 0],
  ],
];

const submitGapChoices: readonly (readonly number[])[] = [
  [0, 1, 2],
  [1, 2, 3, 4, 5],
  [5, 10],
  [0, 0, 20],
  [2.5, 7, 15],
];

/** A custom policy that makes some jobs wait while others run, so that the run goes on. */
function makeHesitantPolicy(seed: number): NonNullable<ReferenceOptions['choose']> {
  return ({ job, sites, time }) => {
    const feasibleViews = sites.filter(({ isFeasible }) => isFeasible);
    const areSomeProcessorsBusy = sites.some(({ free, capacity }) => free < capacity);
    const turn =
      Math.floor(time + job.number + seed) % (feasibleViews.length + Number(areSomeProcessorsBusy));
    return turn === feasibleViews.length ? 0 : feasibleViews[turn]!.number;
  };
}

/**
 * A random case of conservative backfilling with kept reservations, determined by its seed: on one
 * site, on independent sites, or on several with or without a policy; jobs end early, as predicted,
 * and late.
 */
export function randomKeptCase(seed: number): RandomCase {
  return drawRandomCase(seed, 10, 40);
}

/** Random cases of kept reservations with more jobs. */
export function randomKeptCrowd(seed: number): RandomCase {
  return drawRandomCase(seed, 80, 160);
}

function drawRandomCase(seed: number, fewest: number, maxJobCount: number): RandomCase {
  const draws = new SeededDraws(seed);
  const sites = draws.pick([1, 1, 1, 2, 3, 4]);
  const siteSpeeds = draws.times(sites, draws.from(draws.pick(speedChoices)));
  const addSecurityPolicy = draws.oneIn(2);
  const options: ReferenceOptions = {
    capacities: draws.times(sites, () => draws.between(2, 16)),
    speeds: siteSpeeds,
    load: draws.times(sites, draws.from(draws.pick([[1], [1], [1, 2, 1 / 3]]))),
    ...(addSecurityPolicy ? drawPolicyText(draws, siteSpeeds) : { policy: 'best-fit', parameters: {} }),
    resolution: draws.pick(['exact', 'exact', 'nearest', 'floor']),
    instant: draws.pick(['per-event', 'batched']),
    minSpeedRatio: addSecurityPolicy ? draws.pick([0, 0, 0.5, 1]) : 0,
    discipline: 'conservative',
    reservations: 'kept',
    queue: draws.oneIn(5) ? 'independent' : 'shared',
    withPolicy: addSecurityPolicy,
  };
  if (addSecurityPolicy && draws.oneIn(4)) {
    options.choose = draws.oneIn(2) ? makeHesitantPolicy(seed) : ({ bestFit }) => bestFit;
    options.mayWait = draws.oneIn(2);
  }
  options.order = drawOrder(seed, options);
  drawPassOrders(seed, options);
  if (draws.oneIn(5) && !/estimate|^f[1-4]$/.test(options.order ?? '')) options.recent = draws.between(1, 3);
  if (draws.oneIn(6) && options.queue === 'shared') options.dependencies = true;
  const drawn = { jobs: drawJobs(draws, options, draws.between(fewest, maxJobCount)), options };
  if (options.dependencies !== true) drawLateSubmitTimes(seed, drawn, 6);
  return drawn;
}

function drawJobs(draws: SeededDraws, options: ReferenceOptions, count: number): ReferenceJob[] {
  const runtimeOf = draws.pick(runtimeSamplers);
  const estimateFactorsOf = draws.pick(estimateFactorChoices);
  const gap = draws.pick(submitGapChoices);
  const wideOnes = draws.between(3, 8);
  let submit = draws.pick([0, 0, LATE_SUBMIT_TIME_OFFSET]);
  return Array.from({ length: count }, (_, index) => {
    submit += draws.pick(gap);
    const runtime = runtimeOf(draws);
    const [factor, more] = draws.pick(estimateFactorsOf);
    const home = draws.below(options.capacities.length);
    const widest = maxWidthOfJob({ home }, options);
    const processors = draws.oneIn(wideOnes) ? widest : draws.between(1, Math.ceil(widest / 2));
    const job: ReferenceJob = {
      submit,
      runtime,
      estimate: runtime * factor + more,
      processors,
      home,
      number: index + 1,
    };
    if (options.recent !== undefined) job.user = draws.below(3);
    if (options.dependencies === true && index > 0 && draws.oneIn(3))
      return { ...job, preceding: draws.below(index), thinkTime: draws.pick([0, 0, 5]) };
    return job;
  });
}
