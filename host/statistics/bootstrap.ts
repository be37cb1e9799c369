/**
 * Bootstrap-t (Efron 1979; Hall 1988): the distribution of Student's t is taken from the sample itself, drawn again with
 * replacement, so that intervals of skewed quantities are as long on either side as they must be.
 */
import { exactSum } from '../math/exactSum.js';
import { uniformOf } from '../math/splitmix64.js';
import { valueOfRank } from './ranks.js';

/** Seed of all resampling: statistics of the same numbers are the same numbers. */
const SEED = 1;

/** With one less than so many resamples the bounds of a 95 % interval are order statistics (Davison, Hinkley 1997). */
const RESAMPLES = 2000;
/** Order statistics beyond the bound of a test, at least; and resamples at most, where so many are out of reach. */
const BEYOND = 10;
const MOST_RESAMPLES = 20_000;

/** A sample in numbers: at least two values. */
export interface Moments {
  readonly count: number;
  readonly mean: number;
  /** With n - 1 below. */
  readonly standardDeviation: number;
  /** Of the mean. */
  readonly standardError: number;
}

/** Mean and spread of at least two values. */
export function momentsOf(values: readonly number[]): Moments {
  const count = values.length;
  const isSpread = values.some((value) => value !== values[0]);
  const mean = isSpread ? exactSum(count, (i) => values[i]) / count : values[0];
  const squares = isSpread ? exactSum(count, (i) => (values[i] - mean) * (values[i] - mean)) : 0;
  const standardDeviation = Math.sqrt(squares / (count - 1));
  return { count, mean, standardDeviation, standardError: standardDeviation / Math.sqrt(count) };
}

/** How many resamples tell whether a two-sided test of some level is passed: one less than a multiple of 2,000. */
export function resamplesFor(level: number): number {
  const needed = RESAMPLES * Math.ceil((2 * BEYOND) / level / RESAMPLES);
  return Math.min(MOST_RESAMPLES, Math.max(RESAMPLES, needed)) - 1;
}

/** Which of so many values each resample holds, one after the other; those of the last call are kept. */
let drawn: { readonly count: number; readonly positions: Uint32Array } | undefined;

function positionsOf(count: number, resamples: number): Uint32Array {
  const length = count * resamples;
  if (drawn?.count === count && drawn.positions.length >= length) return drawn.positions.subarray(0, length);
  const positions = new Uint32Array(length);
  for (let i = 0; i < length; i++) positions[i] = Math.floor(uniformOf(SEED, i + 1) * count);
  drawn = { count, positions };
  return positions;
}

/**
 * The t of so many resamples of a sample; of all samples of one length the same positions are drawn. A resample without
 * spread has an infinite t, unless its mean is that of the sample.
 */
export function resampledT(values: readonly number[], resamples: number): Float64Array {
  const count = values.length;
  const { mean: center } = momentsOf(values);
  const centered = Float64Array.from(values, (value) => value - center);
  const positions = positionsOf(count, resamples);
  const ratios = new Float64Array(resamples);
  for (let i = 0; i < resamples; i++) ratios[i] = ratioAt(centered, positions, i * count);
  return ratios;
}

/** Student's t around 0 of the values at the positions from one on, as many as there are values. */
function ratioAt(values: Float64Array, positions: Uint32Array, from: number): number {
  const count = values.length;
  const first = values[positions[from]];
  let sum = 0;
  let squares = 0;
  let hasSpread = false;
  for (let i = from; i < from + count; i++) {
    const value = values[positions[i]];
    if (value !== first) hasSpread = true;
    sum += value;
    squares += value * value;
  }
  if (sum === 0) return 0;
  const variance = hasSpread ? Math.max(0, squares - (sum * sum) / count) / (count - 1) : 0;
  return sum / count / Math.sqrt(variance / count);
}

/**
 * The two-sided p value of a t against its resampled distribution: twice the share beyond it on the side where there is
 * less, itself counted.
 */
export function resampledTails(t: number, ratios: Float64Array): number {
  let below = 0;
  let above = 0;
  for (let i = 0; i < ratios.length; i++) {
    below += Number(ratios[i] <= t);
    above += Number(ratios[i] >= t);
  }
  return Math.min(1, (2 * (Math.min(below, above) + 1)) / (ratios.length + 1));
}

/** How often each of so many values stands in each of so many resamples. */
export function resampledCounts(count: number, resamples: number): Uint32Array[] {
  const positions = positionsOf(count, resamples);
  return Array.from({ length: resamples }, (_, resample) => {
    const counts = new Uint32Array(count);
    for (let i = resample * count; i < (resample + 1) * count; i++) counts[positions[i]]++;
    return counts;
  });
}

/** The percentile interval of 95 % of what resamples come to: order statistics of a number one below a multiple of 40. */
export function bootstrapRanks(values: readonly number[]): { low: number; high: number } {
  const own = Float64Array.from(values);
  const rank = Math.round((values.length + 1) / 40);
  return { low: valueOfRank(own, rank - 1), high: valueOfRank(own, own.length - rank) };
}
