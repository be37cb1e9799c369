/** How sure a mean is: 95 % intervals from independent values. */
import { checkGiven } from '../given.js';
import { type Moments, momentsOf, RESAMPLES, resampledT } from './bootstrap.js';
import { valueOfRank } from './ranks.js';
import { studentBound } from './student.js';

/** What an interval leaves out, on both sides together. */
export const LEFT_OUT = 0.05;

/** How an interval was computed: by Student's t, or by bootstrap-t. */
export type IntervalMethod = 'student' | 'bootstrap-t';

/** The 95 % interval of a mean. */
export interface MeanInterval {
  readonly low: number;
  readonly high: number;
  readonly method: IntervalMethod;
}

/** Mean and spread of values, and how sure the mean is. */
export interface MeanEstimate extends MeanInterval {
  readonly mean: number;
  readonly standardDeviation: number;
}

/** Fewer values say too little of their distribution to be drawn from again. */
const FEWEST_RESAMPLED = 10;

/** So many standard errors from 0 a skewness counts: of normal samples one in twenty. */
const SKEWED = 2;

/** The sample skewness (adjusted Fisher-Pearson) over its standard error for a normal distribution. */
function skewness(values: readonly number[], { count: n, mean, standardDeviation }: Moments): number {
  const cubes = values.reduce((sum, value) => sum + (value - mean) * (value - mean) * (value - mean), 0);
  const cubed = standardDeviation * standardDeviation * standardDeviation;
  const adjusted = (n * cubes) / ((n - 1) * (n - 2) * cubed);
  return adjusted / Math.sqrt((6 * n * (n - 1)) / ((n - 2) * (n + 1) * (n + 3)));
}

/** Student's interval of a mean. */
export function studentInterval({ count, mean, standardError }: Moments): MeanInterval {
  const reach = standardError === 0 ? 0 : studentBound(LEFT_OUT, count - 1) * standardError;
  return { low: mean - reach, high: mean + reach, method: 'student' };
}

/**
 * The interval of a mean from the resampled t of its values, which are put into another order; Student's where too many
 * resamples have no spread to have any.
 */
function bootstrapInterval(moments: Moments, ratios: Float64Array): MeanInterval {
  const { mean, standardError } = moments;
  const rank = Math.round(((ratios.length + 1) * LEFT_OUT) / 2);
  const lower = valueOfRank(ratios, rank - 1);
  const upper = valueOfRank(ratios, ratios.length - rank);
  if (!Number.isFinite(lower) || !Number.isFinite(upper)) return studentInterval(moments);
  return { low: mean - upper * standardError, high: mean - lower * standardError, method: 'bootstrap-t' };
}

/**
 * Mean, standard deviation and 95 % interval of the mean of at least two independent values: Student's, or by bootstrap-t
 * where there are ten values or more and their skewness is more than two standard errors from 0.
 * @example
 * const { mean, low, high } = estimateMean([10, 12, 11]);
 * console.log(mean, low.toFixed(2), high.toFixed(2)); // 11 8.52 13.48
 */
export function estimateMean(values: readonly number[]): MeanEstimate {
  checkGiven(values, 'list', 'estimateMean');
  const moments = momentsOf(values);
  const { mean, standardDeviation } = moments;
  const isSkewed =
    values.length >= FEWEST_RESAMPLED &&
    standardDeviation > 0 &&
    Math.abs(skewness(values, moments)) > SKEWED;
  const interval = isSkewed
    ? bootstrapInterval(moments, resampledT(values, RESAMPLES))
    : studentInterval(moments);
  return { mean, standardDeviation, ...interval };
}
