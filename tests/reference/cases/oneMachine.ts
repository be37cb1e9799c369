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
  (random) => random.between(1, 300),
  (random) => random.pick([10, 20, 30, 40, 60]),
  (random) => random.pick([0, 0.4, 1, 5, 10, 100]),
  (random) => random.pick([0, 40, 80.5, 120, 240.25]),
];

/** Factors from runtime to estimate: exact except for a few jobs that are early or overdue. */
const estimateFactorSamplers: readonly ((draws: SeededDraws) => number)[] = [
  () => 1,
  () => 1,
  (random) => (random.oneIn(8) ? random.pick([0, 0.5, 0.9]) : 1),
  (random) => (random.oneIn(8) ? random.pick([1.5, 3]) : 1),
  (random) => random.pick([0, 0.5, 1, 1, 2, 5]),
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
  const random = new SeededDraws(seed);
  const discipline = random.pick(['easy', 'easy', 'conservative'] as const);
  const isCrowdedMachine = random.oneIn(8);
  const options: ReferenceOptions = {
    capacities: [isCrowdedMachine ? 100 : random.between(4, 24)],
    speeds: [random.pick([1, 1, 2, 1 / 3])],
    load: [random.pick([1, 1, 2])],
    policy: 'best-fit',
    parameters: {},
    resolution: random.pick(['exact', 'exact', 'nearest', 'floor']),
    instant: random.pick(['per-event', 'per-event', 'batched']),
    minSpeedRatio: 0,
    discipline,
    queue: random.oneIn(5) ? 'independent' : 'shared',
  };
  if (random.oneIn(6)) options.interval = random.pick([3, 7.5, 30]);
  options.order = drawOrder(seed, options);
  drawPassOrders(seed, options);
  const jobs = drawJobs(random, options, isCrowdedMachine ? 120 : random.between(20, 60));
  const drawn = { jobs, options };
  drawLateSubmitTimes(seed, drawn, 2);
  return drawn;
}

function drawJobs(random: SeededDraws, { capacities }: ReferenceOptions, jobCount: number): ReferenceJob[] {
  const maxWidth = capacities[0]!;
  const narrow = jobCount === 120 ? 6 : Math.ceil(maxWidth / 2);
  const wideOnes = random.between(3, 12);
  const runtimeOf = random.pick(runtimeSamplers);
  const estimateOf = random.pick(estimateFactorSamplers);
  const submitGap = random.pick(submitGapChoices);
  let submit = random.pick([0, 0, LATE_SUBMIT_TIME_OFFSET]);
  return Array.from({ length: jobCount }, () => {
    submit += random.pick(submitGap);
    const runtime = runtimeOf(random);
    const processors = random.oneIn(wideOnes) ? random.between(narrow, maxWidth) : random.between(1, narrow);
    return { submit, runtime, estimate: runtime * estimateOf(random), processors, home: 0 };
  });
}
