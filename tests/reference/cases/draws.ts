import type { ReferenceJob, ReferenceOptions } from '../simulator/reference.js';
import { speedHeterogeneity } from '../simulator/speedHeterogeneity.js';
import { doKeysChangeWithTime, orderWords } from '../simulator/waitingQueue.js';

/** A random case: jobs sorted by submit time, the sites, and the options of a simulation. */
export interface RandomCase {
  jobs: ReferenceJob[];
  options: ReferenceOptions;
}

/** A submit time as in logs: seconds since 1970, for which the last bit of a double is 2^-23 s. */
export const LATE_SUBMIT_TIME_OFFSET = 893466664;

/**
 * Half of the smallest increment of such a submit time: adding it is lost in rounding in every
 * other case.
 */
const LOST_TIME_INCREMENT = 2 ** -24;
/** Time from which adding a second is lost in rounding. */
export const FIRST_TIME_LOSING_SECONDS = 2 ** 53;
/** Ratio of long times to a second, equal to that of late submit times to `LOST_TIME_INCREMENT`. */
const LONG_TIME_FACTOR = 2 ** 24;

/** Seeded random draws in whole-number arithmetic (mulberry32), the same on every platform. */
export class SeededDraws {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** A whole number from 0 to limit - 1. */
  below(upperLimit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * upperLimit);
  }

  between(minimum: number, maximum: number): number {
    return minimum + this.below(maximum - minimum + 1);
  }

  oneIn(n: number): boolean {
    return this.below(n) === 0;
  }

  times<T>(drawCount: number, drawValue: () => T): T[] {
    return Array.from({ length: drawCount }, drawValue);
  }

  from(choices: readonly number[]): () => number {
    return () => this.pick(choices);
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)]!;
  }
}

const DRAWN_ORDER_WORDS = orderWords.filter(
  (orderWord) => orderWord !== 'submit' && !doKeysChangeWithTime(orderWord),
);
const DRAWN_ORDERS = [...DRAWN_ORDER_WORDS, 'f1', 'f2', 'f3', 'f4'];

const DRAWN_EXPRESSION_COLUMNS = [
  'submit',
  'firstSubmit',
  'estimate',
  'estimate',
  'processors',
  'processors',
  'home',
  'number',
];

/** Draws an arithmetic expression with finite values. */
function drawExpression(random: SeededDraws, depth = 2): string {
  const inner = () => drawExpression(random, depth - 1);
  const drawLeaf = () =>
    random.oneIn(3) ? random.pick(['0.5', '3', '.1', '1e3', '7.25']) : random.pick(DRAWN_EXPRESSION_COLUMNS);
  const product = () => `${drawLeaf()} ${random.pick(['*', '/ 3 *', '*-'])} ${drawLeaf()}`;
  if (depth === 0) return random.oneIn(3) ? product() : drawLeaf();
  return random.pick([
    () => `${inner()} ${random.pick(['+', '-'])} ${inner()}`,
    () => `${product()} ${random.pick(['+', '-'])} ${drawLeaf()} / max(1, ${inner()}) - ${product()}`,
    () => `-(${inner()}) * ${drawLeaf()}`,
    () => `${random.pick(['min', 'max'])}(${inner()}, ${drawLeaf()}, ${inner()})`,
    () => `sqrt(abs(${inner()})) / ${random.pick(['ln', 'log2', 'log10'])}(max(1.5, ${inner()}))`,
    () => `${random.pick(['ln', 'log2', 'log10'])}(max(1e-3, ${inner()}))*${drawLeaf()}`,
  ])();
}

/**
 * Draws a queue order in a third of the cases whose discipline implies none. Independent of other
 * draws, so that a case with an order otherwise equals the case without it.
 */
export function drawOrder(
  seed: number,
  { discipline = 'fcfs' }: ReferenceOptions,
): ReferenceOptions['order'] {
  const random = new SeededDraws(-seed);
  const takesOneOrder = !['njf', 'wjf', 'sjf', 'ljf'].includes(discipline);
  return takesOneOrder && random.oneIn(3)
    ? random.oneIn(3)
      ? drawExpression(random)
      : random.pick(DRAWN_ORDERS)
    : undefined;
}

/**
 * Changes the orders in one case of four, independently of other draws, so that jobs overtake each other from
 * pass to pass.
 */
export function drawPassOrders(seed: number, options: ReferenceOptions): void {
  const random = new SeededDraws(seed ^ 0x5eed);
  const { discipline = 'fcfs', reclaim, moldable } = options;
  const takesOneOrder =
    !['njf', 'wjf', 'sjf', 'ljf'].includes(discipline) && !reclaim && moldable === undefined;
  if (takesOneOrder && random.oneIn(4)) options.order = 'wfp3';
  if (discipline === 'easy' && random.oneIn(4))
    options.backfillOrder = random.oneIn(3)
      ? drawExpression(random)
      : random.pick(['submit', 'wfp3', ...DRAWN_ORDER_WORDS, ...DRAWN_ORDERS]);
}

/**
 * Makes some short lengths vanish in rounding, in one case of `cases`, independently of other draws: at
 * realistic times, or at times so late that even a second vanishes.
 */
export function drawLateSubmitTimes(seed: number, { jobs, options }: RandomCase, cases: number): void {
  const random = new SeededDraws(seed ^ 0x1057);
  if (!random.oneIn(cases)) return;
  const timeUnit = random.pick([1, LONG_TIME_FACTOR]);
  let submit = timeUnit === 1 ? LATE_SUBMIT_TIME_OFFSET : FIRST_TIME_LOSING_SECONDS;
  options.resolution = 'exact';
  if (options.interval !== undefined) options.interval *= timeUnit;
  const estimateOf = random.from(random.pick([[1], [1], [1, 1, 2], [1, 1, 2, 0.5]]));
  for (const job of jobs) {
    submit += timeUnit * random.pick([0, 2 * LOST_TIME_INCREMENT, 2 * LOST_TIME_INCREMENT, 0.125]);
    job.submit = submit;
    job.runtime = timeUnit * random.pick([LOST_TIME_INCREMENT, LOST_TIME_INCREMENT, 0.5, 0.75, 1, 30]);
    job.estimate = job.runtime * estimateOf();
  }
}

/** Names of all single-site policies. */
export const SINGLE_SITE_POLICY_NAMES = [
  'best-fit',
  'fastest-first',
  'first-fit',
  'worst-fit',
  'random',
  'si',
  'ti',
  'ai',
  'ai2',
  'tai',
  'tai2',
] as const;

/**
 * Draws a policy with all of its parameters; the speed threshold often equals the grid's own
 * heterogeneity exactly.
 */
export function drawPolicyText(
  random: SeededDraws,
  speeds: number[],
): Pick<ReferenceOptions, 'policy' | 'parameters'> {
  // Policies that compare two sites are more complex and drawn twice as often.
  const policy = random.pick([...SINGLE_SITE_POLICY_NAMES, ...SINGLE_SITE_POLICY_NAMES.slice(5)]);
  const heterogeneity = speedHeterogeneity(speeds);
  const sht = random.pick([0, 0.05, heterogeneity, heterogeneity, heterogeneity / 2, heterogeneity * 2]);
  const slt = random.pick([0, 0.25, 1 / 3, 0.5, 0.5, 0.7, 1, 1, 1, 1.5, 2, 2, 3, 10]);
  const countRule = random.pick(['prefix', 'all']);
  switch (policy) {
    case 'random':
      return { policy, parameters: { seed: random.oneIn(4) ? random.below(1e12) : random.below(10) } };
    case 'ti':
    case 'tai2':
      return { policy, parameters: { sht, slt } };
    case 'tai':
      return { policy, parameters: { sht, slt, count: countRule } };
    case 'ai':
      return { policy, parameters: { count: countRule } };
    default:
      return { policy, parameters: {} };
  }
}
