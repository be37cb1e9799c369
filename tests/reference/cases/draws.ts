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
  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * limit);
  }

  between(least: number, greatest: number): number {
    return least + this.below(greatest - least + 1);
  }

  oneIn(n: number): boolean {
    return this.below(n) === 0;
  }

  times<T>(count: number, draw: () => T): T[] {
    return Array.from({ length: count }, draw);
  }

  from(values: readonly number[]): () => number {
    return () => this.pick(values);
  }

  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)]!;
  }
}

const DRAWN_ORDER_WORDS = orderWords.filter((word) => word !== 'submit' && !doKeysChangeWithTime(word));
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
function drawExpression(draws: SeededDraws, maxNesting = 2): string {
  const inner = () => drawExpression(draws, maxNesting - 1);
  const drawLeaf = () =>
    draws.oneIn(3) ? draws.pick(['0.5', '3', '.1', '1e3', '7.25']) : draws.pick(DRAWN_EXPRESSION_COLUMNS);
  const product = () => `${drawLeaf()} ${draws.pick(['*', '/ 3 *', '*-'])} ${drawLeaf()}`;
  if (maxNesting === 0) return draws.oneIn(3) ? product() : drawLeaf();
  return draws.pick([
    () => `${inner()} ${draws.pick(['+', '-'])} ${inner()}`,
    () => `${product()} ${draws.pick(['+', '-'])} ${drawLeaf()} / max(1, ${inner()}) - ${product()}`,
    () => `-(${inner()}) * ${drawLeaf()}`,
    () => `${draws.pick(['min', 'max'])}(${inner()}, ${drawLeaf()}, ${inner()})`,
    () => `sqrt(abs(${inner()})) / ${draws.pick(['ln', 'log2', 'log10'])}(max(1.5, ${inner()}))`,
    () => `${draws.pick(['ln', 'log2', 'log10'])}(max(1e-3, ${inner()}))*${drawLeaf()}`,
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
  const draws = new SeededDraws(-seed);
  const takesOneOrder = !['njf', 'wjf', 'sjf', 'ljf'].includes(discipline);
  return takesOneOrder && draws.oneIn(3)
    ? draws.oneIn(3)
      ? drawExpression(draws)
      : draws.pick(DRAWN_ORDERS)
    : undefined;
}

/**
 * Changes the orders in one case of four, independently of other draws, so that jobs overtake each other from
 * pass to pass.
 */
export function drawPassOrders(seed: number, options: ReferenceOptions): void {
  const draws = new SeededDraws(seed ^ 0x5eed);
  const { discipline = 'fcfs', reclaim, moldable } = options;
  const takesOneOrder =
    !['njf', 'wjf', 'sjf', 'ljf'].includes(discipline) && !reclaim && moldable === undefined;
  if (takesOneOrder && draws.oneIn(4)) options.order = 'wfp3';
  if (discipline === 'easy' && draws.oneIn(4))
    options.backfillOrder = draws.oneIn(3)
      ? drawExpression(draws)
      : draws.pick(['submit', 'wfp3', ...DRAWN_ORDER_WORDS, ...DRAWN_ORDERS]);
}

/**
 * Makes some short lengths vanish in rounding, in one case of `cases`, independently of other draws: at
 * realistic times, or at times so late that even a second vanishes.
 */
export function drawLateSubmitTimes(seed: number, { jobs, options }: RandomCase, cases: number): void {
  const draws = new SeededDraws(seed ^ 0x1057);
  if (!draws.oneIn(cases)) return;
  const unit = draws.pick([1, LONG_TIME_FACTOR]);
  let submit = unit === 1 ? LATE_SUBMIT_TIME_OFFSET : FIRST_TIME_LOSING_SECONDS;
  options.resolution = 'exact';
  if (options.interval !== undefined) options.interval *= unit;
  const estimateOf = draws.from(draws.pick([[1], [1], [1, 1, 2], [1, 1, 2, 0.5]]));
  for (const job of jobs) {
    submit += unit * draws.pick([0, 2 * LOST_TIME_INCREMENT, 2 * LOST_TIME_INCREMENT, 0.125]);
    job.submit = submit;
    job.runtime = unit * draws.pick([LOST_TIME_INCREMENT, LOST_TIME_INCREMENT, 0.5, 0.75, 1, 30]);
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
  draws: SeededDraws,
  speeds: number[],
): Pick<ReferenceOptions, 'policy' | 'parameters'> {
  // Policies that compare two sites are more complex and drawn twice as often.
  const policy = draws.pick([...SINGLE_SITE_POLICY_NAMES, ...SINGLE_SITE_POLICY_NAMES.slice(5)]);
  const heterogeneity = speedHeterogeneity(speeds);
  const sht = draws.pick([0, 0.05, heterogeneity, heterogeneity, heterogeneity / 2, heterogeneity * 2]);
  const slt = draws.pick([0, 0.25, 1 / 3, 0.5, 0.5, 0.7, 1, 1, 1, 1.5, 2, 2, 3, 10]);
  const count = draws.pick(['prefix', 'all']);
  switch (policy) {
    case 'random':
      return { policy, parameters: { seed: draws.oneIn(4) ? draws.below(1e12) : draws.below(10) } };
    case 'ti':
    case 'tai2':
      return { policy, parameters: { sht, slt } };
    case 'tai':
      return { policy, parameters: { sht, slt, count } };
    case 'ai':
      return { policy, parameters: { count } };
    default:
      return { policy, parameters: {} };
  }
}
