import type { ReferenceJob, ReferenceOptions } from '../simulator/reference.js';
import { speedHeterogeneity } from '../simulator/speedHeterogeneity.js';
import { ages, orderWords } from '../simulator/waitingQueue.js';

/** One case: jobs sorted by submit time, and a grid with the rules of a run. */
export interface RandomCase {
  jobs: ReferenceJob[];
  options: ReferenceOptions;
}

/** A submit as late as in logs: seconds since 1970, where the last bit of a time is 2^-23 s. */
export const LATE = 893466664;

/** Half of the least that can be added to a late submit: it is lost there in every other case. */
const LOST = 2 ** -24;
/** Time from which a second is lost in rounding likewise. */
export const SECONDS_LOST = 2 ** 53;
/** Factor of long times relative to a second, as late times are to `LOST`. */
const LONGER = 2 ** 24;

/** Seeded draws in whole-number arithmetic (mulberry32), the same everywhere. */
export class Draws {
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

  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  oneIn(n: number): boolean {
    return this.below(n) === 0;
  }

  times(count: number, draw: () => number): number[] {
    return Array.from({ length: count }, draw);
  }

  from(values: readonly number[]): () => number {
    return () => this.pick(values);
  }

  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)]!;
  }
}

const words = orderWords.filter((word) => word !== 'submit' && !ages(word));
const orders = [...words, 'f1', 'f2', 'f3', 'f4'];

const columns = [
  'submit',
  'firstSubmit',
  'estimate',
  'estimate',
  'processors',
  'processors',
  'home',
  'number',
];

/** An expression whose values are finite. */
function drawExpression(draws: Draws, depth = 2): string {
  const inner = () => drawExpression(draws, depth - 1);
  const leaf = () => (draws.oneIn(3) ? draws.pick(['0.5', '3', '.1', '1e3', '7.25']) : draws.pick(columns));
  const product = () => `${leaf()} ${draws.pick(['*', '/ 3 *', '*-'])} ${leaf()}`;
  if (depth === 0) return draws.oneIn(3) ? product() : leaf();
  return draws.pick([
    () => `${inner()} ${draws.pick(['+', '-'])} ${inner()}`,
    () => `${product()} ${draws.pick(['+', '-'])} ${leaf()} / max(1, ${inner()}) - ${product()}`,
    () => `-(${inner()}) * ${leaf()}`,
    () => `${draws.pick(['min', 'max'])}(${inner()}, ${leaf()}, ${inner()})`,
    () => `sqrt(abs(${inner()})) / ${draws.pick(['ln', 'log2', 'log10'])}(max(1.5, ${inner()}))`,
    () => `${draws.pick(['ln', 'log2', 'log10'])}(max(1e-3, ${inner()}))*${leaf()}`,
  ])();
}

/**
 * An order, in a third of the cases whose discipline does not bring one itself; drawn apart from all else, so that a
 * case with an order is the case without it.
 */
export function drawOrder(
  seed: number,
  { discipline = 'fcfs' }: ReferenceOptions,
): ReferenceOptions['order'] {
  const draws = new Draws(-seed);
  const takesOne = !['njf', 'wjf', 'sjf', 'ljf'].includes(discipline);
  return takesOne && draws.oneIn(3)
    ? draws.oneIn(3)
      ? drawExpression(draws)
      : draws.pick(orders)
    : undefined;
}

/** Changes orders of a case so that jobs change places from pass to pass; in one case of four, drawn apart likewise. */
export function drawSequence(seed: number, options: ReferenceOptions): void {
  const draws = new Draws(seed ^ 0x5eed);
  const { discipline = 'fcfs', reclaim, moldable } = options;
  const takesOne = !['njf', 'wjf', 'sjf', 'ljf'].includes(discipline) && !reclaim && moldable === undefined;
  if (takesOne && draws.oneIn(4)) options.order = 'wfp3';
  if (discipline === 'easy' && draws.oneIn(4))
    options.backfillOrder = draws.oneIn(3)
      ? drawExpression(draws)
      : draws.pick(['submit', 'wfp3', ...words, ...orders]);
}

/**
 * In one case of this many, drawn apart likewise, short lengths are lost in rounding at one time and not at another: in
 * times of logs, or in times so late that a second is.
 */
export function drawLost(seed: number, { jobs, options }: RandomCase, cases: number): void {
  const draws = new Draws(seed ^ 0x1057);
  if (!draws.oneIn(cases)) return;
  const unit = draws.pick([1, LONGER]);
  let submit = unit === 1 ? LATE : SECONDS_LOST;
  options.resolution = 'exact';
  if (options.interval !== undefined) options.interval *= unit;
  const estimateOf = draws.from(draws.pick([[1], [1], [1, 1, 2], [1, 1, 2, 0.5]]));
  for (const job of jobs) {
    submit += unit * draws.pick([0, 2 * LOST, 2 * LOST, 0.125]);
    job.submit = submit;
    job.runtime = unit * draws.pick([LOST, LOST, 0.5, 0.75, 1, 30]);
    job.estimate = job.runtime * estimateOf();
  }
}

/** All single-site policies by their canonical names. */
export const policyNames = [
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

/** A policy with all of its parameters; the threshold of SH is often the grid's own SH, an exact tie. */
export function drawPolicy(draws: Draws, speeds: number[]): Pick<ReferenceOptions, 'policy' | 'parameters'> {
  // The methods that compare, with more to go wrong, twice as often as the others.
  const policy = draws.pick([...policyNames, ...policyNames.slice(5)]);
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
