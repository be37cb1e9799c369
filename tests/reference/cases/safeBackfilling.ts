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
  (random) => random.pick([10, 20, 40]),
  (random) => random.between(5, 200),
  (random) => random.between(50, 500),
  (random) => random.pick([0, 1, 2, 5, 10, 100]),
  (random) => random.pick([0, 40, 80.5, 120, 240.25]),
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
  const random = new SeededDraws(seed);
  const sites = random.pick([2, 2, 3, 3, 4, 5, 6, 12]);
  const siteSpeeds = random.times(sites, random.from(random.pick(speedChoices)));
  const options: ReferenceOptions = {
    capacities: random.times(sites, () => random.between(2, 16)),
    speeds: siteSpeeds,
    load: random.times(sites, random.from(random.pick([[1], [1], [1, 2, 1 / 3]]))),
    ...drawPolicyText(random, siteSpeeds),
    resolution: random.pick(['exact', 'exact', 'nearest', 'floor']),
    instant: random.pick(['per-event', 'per-event', 'batched']),
    minSpeedRatio: random.pick([0, 0, 0, 0.5, 1]),
    discipline: random.pick(['easy', 'conservative'] as const),
    queue: random.oneIn(10) ? 'independent' : 'shared',
    withPolicy: true,
  };
  if (random.oneIn(6)) options.interval = random.pick([3, 7.5, 30]);
  options.order = drawOrder(seed, options);
  drawPassOrders(seed, options);
  const jobCount = random.between(10, options.discipline === 'easy' ? 70 : 40);
  const drawn = { jobs: drawJobs(random, options, jobCount), options };
  drawLateSubmitTimes(seed, drawn, 6);
  return drawn;
}

function drawJobs(random: SeededDraws, options: ReferenceOptions, jobCount: number): ReferenceJob[] {
  const runtimeOf = random.pick(runtimeSamplers);
  const estimateFactorsOf = random.pick(estimateFactorChoices);
  const submitGap = random.pick(submitGapChoices);
  const wideOnes = random.between(3, 8);
  let submit = random.pick([0, 0, LATE_SUBMIT_TIME_OFFSET]);
  return Array.from({ length: jobCount }, () => {
    submit += random.pick(submitGap);
    const runtime = runtimeOf(random);
    const home = random.below(options.capacities.length);
    const maxWidth = maxWidthOfJob({ home }, options);
    const processors = random.oneIn(wideOnes) ? maxWidth : random.between(1, Math.ceil(maxWidth / 2));
    return { submit, runtime, estimate: runtime * random.pick(estimateFactorsOf), processors, home };
  });
}
