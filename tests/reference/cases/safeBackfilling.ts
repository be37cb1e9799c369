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

const speedChoices: readonly (readonly number[])[] = [
  [1],
  [1, 2],
  [0.5, 1, 2],
  [1, 1.5, 2, 3],
  [0.1, 1 / 3, 1.7],
];

/** Runtimes with ties and zeros, or with many values. */
const runtimeSamplers: readonly ((draws: SeededDraws) => number)[] = [
  (draws) => draws.pick([10, 20, 40]),
  (draws) => draws.between(5, 200),
  (draws) => draws.between(50, 500),
  (draws) => draws.pick([0, 1, 2, 5, 10, 100]),
  (draws) => draws.pick([0, 40, 80.5, 120, 240.25]),
];

/** Factors from runtime to estimate: exact, too long, too short (jobs are overdue), or 0. */
const estimateFactorChoices: readonly (readonly number[])[] = [
  [1],
  [1],
  [1],
  [1, 1, 2],
  [0.5, 1, 1.5, 2],
  [0, 1, 1, 1],
  [1, 1, 1, 0.25],
];

const submitGapChoices: readonly (readonly number[])[] = [
  [0, 1, 2],
  [1, 2, 3, 4, 5],
  [5, 10],
  [0, 0, 20],
  [2.5, 7, 15],
];

/**
 * A random case of backfilling on several sites with a policy, determined by its seed. The sites
 * are overloaded, so that jobs wait for reservations; with few distinct times, these begin and end
 * together.
 */
export function randomSafeCase(seed: number): RandomCase {
  const draws = new SeededDraws(seed);
  const sites = draws.pick([2, 2, 3, 3, 4, 5, 6, 12]);
  const siteSpeeds = draws.times(sites, draws.from(draws.pick(speedChoices)));
  const options: ReferenceOptions = {
    capacities: draws.times(sites, () => draws.between(2, 16)),
    speeds: siteSpeeds,
    load: draws.times(sites, draws.from(draws.pick([[1], [1], [1, 2, 1 / 3]]))),
    ...drawPolicyText(draws, siteSpeeds),
    resolution: draws.pick(['exact', 'exact', 'nearest', 'floor']),
    instant: draws.pick(['per-event', 'per-event', 'batched']),
    minSpeedRatio: draws.pick([0, 0, 0, 0.5, 1]),
    discipline: draws.pick(['easy', 'conservative'] as const),
    queue: draws.oneIn(10) ? 'independent' : 'shared',
    withPolicy: true,
  };
  if (draws.oneIn(6)) options.interval = draws.pick([3, 7.5, 30]);
  options.order = drawOrder(seed, options);
  drawPassOrders(seed, options);
  const count = draws.between(10, options.discipline === 'easy' ? 70 : 40);
  const drawn = { jobs: drawJobs(draws, options, count), options };
  drawLateSubmitTimes(seed, drawn, 6);
  return drawn;
}

function drawJobs(draws: SeededDraws, options: ReferenceOptions, count: number): ReferenceJob[] {
  const runtimeOf = draws.pick(runtimeSamplers);
  const estimateFactorsOf = draws.pick(estimateFactorChoices);
  const gap = draws.pick(submitGapChoices);
  const wideOnes = draws.between(3, 8);
  let submit = draws.pick([0, 0, LATE_SUBMIT_TIME_OFFSET]);
  return Array.from({ length: count }, () => {
    submit += draws.pick(gap);
    const runtime = runtimeOf(draws);
    const home = draws.below(options.capacities.length);
    const widest = maxWidthOfJob({ home }, options);
    const processors = draws.oneIn(wideOnes) ? widest : draws.between(1, Math.ceil(widest / 2));
    return { submit, runtime, estimate: runtime * draws.pick(estimateFactorsOf), processors, home };
  });
}
