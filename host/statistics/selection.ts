/** The best of many methods: those that are surely not it are left out as replications come in (Kim and Nelson 2001, KN). */

import { InputError } from '../errors.js';
import { checkGiven, checkOptions, takes } from '../given.js';
import { firstOf } from '../lists.js';
import { exp, ln } from '../math/fdlibm.js';
import { momentsOf } from './bootstrap.js';
import { LEFT_OUT } from './interval.js';

/** What a selection comes to so far. */
export interface Selection {
  /** The methods that may still be it, by their places; one when it is over. */
  readonly left: readonly number[];
  /** After how many replications each method was left out, or how many there are. */
  readonly replications: readonly number[];
}

/** How a method is selected. */
export interface SelectionOptions {
  /** Which values are better. */
  readonly better: 'less' | 'more';
  /** A smaller difference does not matter: in the unit of the values, above 0. */
  readonly delta: number;
  /** After so many replications the first methods may be left out; two or more. */
  readonly first: number;
  /** The chance that the selected one is further than delta behind the best; default 0.05. */
  readonly level?: number;
}

const SELECTION = takes<SelectionOptions>('selectBest', {
  ...{ better: true, delta: true, first: true, level: true },
});

function checkSelection(samples: readonly (readonly number[])[], options: SelectionOptions): void {
  checkGiven(samples, 'some', 'selectBest, samples');
  checkGiven(options, 'object', 'selectBest, options');
  checkOptions(SELECTION, options);
  const { better, delta, first, level = LEFT_OUT } = options;
  if (better !== 'less' && better !== 'more')
    throw new InputError(`selectBest, better: expected less or more, found ${better}`);
  if (!(delta > 0 && delta < Number.POSITIVE_INFINITY))
    throw new InputError(`selectBest, delta: expected a number above 0, found ${delta}`);
  if (!(Number.isInteger(first) && first >= 2))
    throw new InputError(`selectBest, first: expected a whole number, 2 or more, found ${first}`);
  if (!(level > 0 && level < 0.5))
    throw new InputError(`selectBest, level: expected a number above 0 and below 0.5, found ${level}`);
  for (const [i, values] of samples.entries()) {
    const what = `selectBest, samples[${i}]`;
    checkGiven(values, 'list', what);
    if (values.length < first || !values.every(Number.isFinite))
      throw new InputError(`${what}: expected ${first} finite numbers or more, as first says`);
  }
}

/**
 * Leaves methods out by their values on the same replications, as far as there are any. With a probability of 1 - level the
 * last one is the best or within delta of it, if values are normal; they may be correlated between methods.
 * @param samples the values of each method, replication by replication: of one that has been left out as many as there were then, or more.
 * @throws InputError for fewer than `first` values of a method, values that are not finite, and options out of range.
 * @example
 * const noise = [1, -1, 2, -2, 0, 1, -1, 0, 2, -2, 0, 1];
 * const samples = [noise.map((x) => 50 + x), noise.map((x) => 40 - x)];
 * console.log(selectBest(samples, { better: 'less', delta: 5, first: 10 }).left); // [ 1 ]
 */
export function selectBest(samples: readonly (readonly number[])[], options: SelectionOptions): Selection {
  checkSelection(samples, options);
  const { better, delta, first, level = LEFT_OUT } = options;
  const sign = better === 'less' ? 1 : -1;
  const count = Math.max(...samples.map((values) => values.length));
  const spread = (exp((-2 / (first - 1)) * ln((2 * level) / Math.max(1, samples.length - 1))) - 1) / 2;
  const squares = samples.map((values, i) =>
    samples.map((others, l) => {
      if (i === l) return 0;
      const differences = Array.from({ length: first }, (_, r) => values[r]! - others[r]!);
      return 2 * spread * (first - 1) * momentsOf(differences).standardDeviation ** 2;
    }),
  );
  const sums = samples.map((values) => values.slice(0, first - 1).reduce((sum, value) => sum + value, 0));
  const replications = samples.map(() => count);
  let left = samples.map((_, i) => i);
  for (let r = first; r <= count && left.length > 1; r++) {
    for (const i of left) sums[i]! += samples[i]![r - 1]!;
    // In sums of r values: r times what means may differ by.
    const slack = (i: number, l: number) => Math.max(0, squares[i]![l]! / (2 * delta) - (delta * r) / 2);
    const staying = left.filter((i) => left.every((l) => sign * (sums[i]! - sums[l]!) <= slack(i, l)));
    const isOver = left.every((i) => left.every((l) => slack(i, l) === 0));
    for (const i of left) if (!staying.includes(i)) replications[i] = r;
    // Where nothing is left to chance, equal ones are alike.
    left = isOver ? staying.slice(0, 1) : staying;
    if (left.length === 1) replications[firstOf(left)] = r;
  }
  return { left, replications };
}
