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
  (draws, runtime) => (draws.oneIn(8) ? 2 * runtime : runtime),
  (draws, runtime) => (draws.oneIn(8) ? runtime / 2 : runtime),
  (draws, runtime) => (draws.oneIn(10) ? 0 : runtime),
  (draws, runtime) => runtime * draws.pick([0.5, 1, 1, 1.5, 2]),
];

/**
 * Runtimes that exceed the gaps between submissions, so that many jobs arrive between two ends;
 * with many values or ties.
 */
const runtimeSamplers: readonly ((draws: SeededDraws) => number)[] = [
  (draws) => draws.between(50, 500),
  (draws) => draws.between(50, 500),
  (draws) => draws.between(50, 500),
  (draws) => draws.between(10, 1000),
  (draws) => draws.pick([50, 60, 70, 80, 100, 150, 250, 500]),
  (draws) => draws.pick([0, 40, 80.5, 120, 240.25, 400]),
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
  const draws = new SeededDraws(seed);
  const isShared = !draws.oneIn(6);
  const sites = isShared ? draws.pick([2, 3, 4, 5, 5, 6]) : draws.between(1, 2);
  const discipline = draws.pick(['easy', 'easy', 'easy', 'conservative'] as const);
  const options: ReferenceOptions = {
    capacities: draws.times(sites, () => draws.between(6, 16)),
    speeds: draws.times(sites, draws.from(draws.pick(speedChoices))),
    load: draws.times(sites, () => 1),
    policy: 'best-fit',
    parameters: {},
    resolution: draws.pick(['exact', 'exact', 'nearest', 'floor']),
    instant: draws.pick(['per-event', 'per-event', 'batched']),
    minSpeedRatio: 0,
    discipline,
    queue: isShared ? 'shared' : 'independent',
    ...(isShared && {
      select: draws.pick([undefined, 'greedy', 'optimal', 'optimal', 'non-adaptive'] as const),
    }),
  };
  options.order = drawOrder(seed, options);
  drawPassOrders(seed, options);
  const count = discipline === 'easy' ? draws.between(30, 70) : draws.between(15, 40);
  const drawn = { jobs: drawJobs(draws, options, count), options };
  drawLateSubmitTimes(seed, drawn, 6);
  return drawn;
}

function drawJobs(
  draws: SeededDraws,
  { capacities, queue }: ReferenceOptions,
  count: number,
): ReferenceJob[] {
  const widest = Math.max(...capacities);
  const narrow = Math.ceil(widest * draws.pick([0.4, 0.5, 0.6]));
  const wideJobChance = draws.between(4, 7);
  const drawRuntime = draws.pick(runtimeSamplers);
  const estimateOf = draws.pick(estimateSamplers);
  const gap = draws.pick(submitGapChoices);
  let submit = draws.pick([0, 0, LATE_SUBMIT_TIME_OFFSET]);
  return Array.from({ length: count }, () => {
    submit += draws.pick(gap);
    const runtime = drawRuntime(draws);
    const home = draws.below(capacities.length);
    const width = draws.oneIn(wideJobChance) ? widest : draws.between(1, narrow);
    const processors = Math.min(width, queue === 'independent' ? capacities[home]! : widest);
    return { submit, runtime, estimate: estimateOf(draws, runtime), processors, home };
  });
}
