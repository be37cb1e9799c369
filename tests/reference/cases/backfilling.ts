import type { ReferenceJob, ReferenceOptions } from '../simulator/reference.js';
import {
  drawLateSubmitTimes,
  drawOrder,
  drawPassOrders,
  LATE_SUBMIT_TIME_OFFSET,
  type RandomCase,
  SeededDraws,
} from './draws.js';

/** Draws the estimate of a job from its runtime, in seconds. */
type EstimateSampler = (draws: SeededDraws, runtime: number) => number;

/** Mostly exact estimates, so that a plan stays valid for long, and some others. */
const estimateSamplers: readonly EstimateSampler[] = [
  (_, runtime) => runtime,
  (_, runtime) => runtime,
  (_, runtime) => runtime,
  (random, runtime) => (random.oneIn(8) ? 2 * runtime : runtime),
  (random, runtime) => (random.oneIn(8) ? runtime / 2 : runtime),
  (random, runtime) => (random.oneIn(10) ? 0 : runtime),
  (random, runtime) => runtime * random.pick([0.5, 1, 1, 1.5, 2]),
];

/**
 * Runtimes that exceed the gaps between submissions, so that many jobs arrive between two ends;
 * with many values or ties.
 */
const runtimeSamplers: readonly ((draws: SeededDraws) => number)[] = [
  (random) => random.between(50, 500),
  (random) => random.between(50, 500),
  (random) => random.between(50, 500),
  (random) => random.between(10, 1000),
  (random) => random.pick([50, 60, 70, 80, 100, 150, 250, 500]),
  (random) => random.pick([0, 40, 80.5, 120, 240.25, 400]),
];

const submitGapChoices: readonly (readonly number[])[] = [
  [1, 2, 3, 4, 5],
  [1, 2, 3, 4, 5],
  [2.5, 7, 15],
  [0, 1, 2],
];

const speedChoices: readonly (readonly number[])[] = [
  [1, 2, 4],
  [0.5, 1, 2],
  [1, 3, 9],
  [1, 1.5, 2, 3],
];

/**
 * A random case, determined by its seed, that tests what a planner stores between passes when jobs
 * run on one site each. The sites are overloaded, mostly between two ends: some jobs skip free
 * sites because they would end earlier on a faster site later, and other jobs take those.
 */
export function randomBackfillingCase(seed: number): RandomCase {
  const random = new SeededDraws(seed);
  const isShared = !random.oneIn(6);
  const sites = isShared ? random.pick([2, 3, 4, 5, 5, 6]) : random.between(1, 2);
  const discipline = random.pick(['easy', 'easy', 'easy', 'conservative'] as const);
  const options: ReferenceOptions = {
    capacities: random.times(sites, () => random.between(6, 16)),
    speeds: random.times(sites, random.from(random.pick(speedChoices))),
    load: random.times(sites, () => 1),
    policy: 'best-fit',
    parameters: {},
    resolution: random.pick(['exact', 'exact', 'nearest', 'floor']),
    instant: random.pick(['per-event', 'per-event', 'batched']),
    minSpeedRatio: 0,
    discipline,
    queue: isShared ? 'shared' : 'independent',
    ...(isShared && {
      select: random.pick([undefined, 'greedy', 'optimal', 'optimal', 'non-adaptive'] as const),
    }),
  };
  options.order = drawOrder(seed, options);
  drawPassOrders(seed, options);
  const jobCount = discipline === 'easy' ? random.between(30, 70) : random.between(15, 40);
  const drawn = { jobs: drawJobs(random, options, jobCount), options };
  drawLateSubmitTimes(seed, drawn, 6);
  return drawn;
}

function drawJobs(
  random: SeededDraws,
  { capacities, queue }: ReferenceOptions,
  jobCount: number,
): ReferenceJob[] {
  const maxWidth = Math.max(...capacities);
  const narrow = Math.ceil(maxWidth * random.pick([0.4, 0.5, 0.6]));
  const wideJobChance = random.between(4, 7);
  const drawRuntime = random.pick(runtimeSamplers);
  const estimateOf = random.pick(estimateSamplers);
  const submitGap = random.pick(submitGapChoices);
  let submit = random.pick([0, 0, LATE_SUBMIT_TIME_OFFSET]);
  return Array.from({ length: jobCount }, () => {
    submit += random.pick(submitGap);
    const runtime = drawRuntime(random);
    const home = random.below(capacities.length);
    const width = random.oneIn(wideJobChance) ? maxWidth : random.between(1, narrow);
    const processors = Math.min(width, queue === 'independent' ? capacities[home]! : maxWidth);
    return { submit, runtime, estimate: estimateOf(random, runtime), processors, home };
  });
}
