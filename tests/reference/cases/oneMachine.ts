import type { ReferenceJob, ReferenceOptions } from '../simulator/reference.js';
import {
  drawLateSubmitTimes,
  drawOrder,
  drawPassOrders,
  LATE_SUBMIT_TIME_OFFSET,
  type RandomCase,
  SeededDraws,
} from './draws.js';

/** Runtimes with many values, with ties, or of 0. */
const runtimeSamplers: readonly ((draws: SeededDraws) => number)[] = [
  (draws) => draws.between(1, 300),
  (draws) => draws.pick([10, 20, 30, 40, 60]),
  (draws) => draws.pick([0, 0.4, 1, 5, 10, 100]),
  (draws) => draws.pick([0, 40, 80.5, 120, 240.25]),
];

/** Factors from runtime to estimate: exact except for a few jobs that are early or overdue. */
const estimateFactorSamplers: readonly ((draws: SeededDraws) => number)[] = [
  () => 1,
  () => 1,
  (draws) => (draws.oneIn(8) ? draws.pick([0, 0.5, 0.9]) : 1),
  (draws) => (draws.oneIn(8) ? draws.pick([1.5, 3]) : 1),
  (draws) => draws.pick([0, 0.5, 1, 1, 2, 5]),
];

const submitGapChoices: readonly (readonly number[])[] = [
  [0, 1, 2],
  [1, 2, 3, 4, 5],
  [0, 0, 10],
  [2.5, 7, 15],
];

/**
 * A random case of backfilling on one machine, determined by its seed. It tests what the core
 * stores: the reservation while jobs end as predicted, jobs that would have delayed the head, jobs
 * that start on submission, and plans of many steps. Most jobs end as predicted, also in one
 * instant, some early, late or at once. In some cases, more jobs run and wait than fit into a block
 * of steps; in others, short lengths vanish in rounding.
 */
export function randomOneMachineCase(seed: number): RandomCase {
  const draws = new SeededDraws(seed);
  const discipline = draws.pick(['easy', 'easy', 'conservative'] as const);
  const isCrowdedMachine = draws.oneIn(8);
  const options: ReferenceOptions = {
    capacities: [isCrowdedMachine ? 100 : draws.between(4, 24)],
    speeds: [draws.pick([1, 1, 2, 1 / 3])],
    load: [draws.pick([1, 1, 2])],
    policy: 'best-fit',
    parameters: {},
    resolution: draws.pick(['exact', 'exact', 'nearest', 'floor']),
    instant: draws.pick(['per-event', 'per-event', 'batched']),
    minSpeedRatio: 0,
    discipline,
    queue: draws.oneIn(5) ? 'independent' : 'shared',
  };
  if (draws.oneIn(6)) options.interval = draws.pick([3, 7.5, 30]);
  options.order = drawOrder(seed, options);
  drawPassOrders(seed, options);
  const jobs = drawJobs(draws, options, isCrowdedMachine ? 120 : draws.between(20, 60));
  const drawn = { jobs, options };
  drawLateSubmitTimes(seed, drawn, 2);
  return drawn;
}

function drawJobs(draws: SeededDraws, { capacities }: ReferenceOptions, count: number): ReferenceJob[] {
  const widest = capacities[0]!;
  const narrow = count === 120 ? 6 : Math.ceil(widest / 2);
  const wideOnes = draws.between(3, 12);
  const runtimeOf = draws.pick(runtimeSamplers);
  const estimateOf = draws.pick(estimateFactorSamplers);
  const gap = draws.pick(submitGapChoices);
  let submit = draws.pick([0, 0, LATE_SUBMIT_TIME_OFFSET]);
  return Array.from({ length: count }, () => {
    submit += draws.pick(gap);
    const runtime = runtimeOf(draws);
    const processors = draws.oneIn(wideOnes) ? draws.between(narrow, widest) : draws.between(1, narrow);
    return { submit, runtime, estimate: runtime * estimateOf(draws), processors, home: 0 };
  });
}
