/** Precision of means: 95 % intervals from independent values. */
import { checkArgument } from '../arguments.js';
import { exp, naturalLogarithm } from '../math/fdlibm.js';
import {
  orderStatistic,
  RESAMPLE_COUNT,
  resampledTStatistics,
  type SampleMoments,
  sampleMoments,
} from './bootstrap.js';

/** Error probability of an interval, both sides together: 5 %. */
export const INTERVAL_ERROR_PROBABILITY = 0.05;

/** Method by which an interval was computed: Student's t, or bootstrap-t. */
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
const MIN_VALUES_FOR_BOOTSTRAP_INTERVAL = 10;

/**
 * A resample that lacks the few values from which a sample has its spread says nothing of it: up to this share of the
 * spread it counts as without any. Else limits would be thousands of standard errors away.
 */
const MIN_RESAMPLE_SPREAD = 0.05;

/** Number of standard errors from 0 at which a skewness counts: one in twenty normal samples reaches it. */
const MAX_SKEWNESS_FOR_STUDENT = 2;

/** The sample skewness (adjusted Fisher-Pearson) over its standard error for a normal distribution. */
function skewnessInStandardErrors(
  values: readonly number[],
  { count: n, mean, standardDeviation }: SampleMoments,
): number {
  const sumOfCubes = values.reduce((sum, value) => sum + (value - mean) * (value - mean) * (value - mean), 0);
  const cubedDeviation = standardDeviation * standardDeviation * standardDeviation;
  const adjustedSkewness = (n * sumOfCubes) / ((n - 1) * (n - 2) * cubedDeviation);
  return adjustedSkewness / Math.sqrt((6 * n * (n - 1)) / ((n - 2) * (n + 1) * (n + 3)));
}

/** Student's interval of a mean. */
export function studentInterval({ count, mean, standardError }: SampleMoments): MeanInterval {
  const reach =
    standardError === 0 ? 0 : studentQuantile(INTERVAL_ERROR_PROBABILITY, count - 1) * standardError;
  return { low: mean - reach, high: mean + reach, method: 'student' };
}

/** The interval of a mean from the resampled t of its values, which are put into another order; Student's where too many have hardly any spread. */
function bootstrapTInterval(differenceMoments: SampleMoments, ratios: Float64Array): MeanInterval {
  const { mean, standardError } = differenceMoments;
  const rank = Math.round(((ratios.length + 1) * INTERVAL_ERROR_PROBABILITY) / 2);
  const lowerBound = orderStatistic(ratios, rank - 1);
  const upperBound = orderStatistic(ratios, ratios.length - rank);
  if (!Number.isFinite(lowerBound) || !Number.isFinite(upperBound)) return studentInterval(differenceMoments);
  return {
    low: mean - upperBound * standardError,
    high: mean - lowerBound * standardError,
    method: 'bootstrap-t',
  };
}

/**
 * Mean, standard deviation and 95 % interval of the mean of at least two independent values: Student's, or by bootstrap-t
 * where there are ten values or more and their skewness is more than two standard errors from 0.
 * @example
 * const { mean, low, high } = estimateMean([10, 12, 11]);
 * console.log(mean, low.toFixed(2), high.toFixed(2)); // 11 8.52 13.48
 */
export function estimateMean(values: readonly number[]): MeanEstimate {
  checkArgument(values, 'list', 'estimateMean');
  const differenceMoments = sampleMoments(values);
  const { mean, standardDeviation } = differenceMoments;
  const isSkewed =
    values.length >= MIN_VALUES_FOR_BOOTSTRAP_INTERVAL &&
    standardDeviation > 0 &&
    Math.abs(skewnessInStandardErrors(values, differenceMoments)) > MAX_SKEWNESS_FOR_STUDENT;
  const interval = isSkewed
    ? bootstrapTInterval(differenceMoments, resampledTStatistics(values, RESAMPLE_COUNT, MIN_RESAMPLE_SPREAD))
    : studentInterval(differenceMoments);
  return { mean, standardDeviation, ...interval };
}

// Student's t distribution for whole degrees of freedom: finite sums (Abramowitz, Stegun 1964, 26.7.3 and 26.7.4) of +
// - * / and sqrt alone, so that every host gets the same bits.

/** Arctangents of numbers from 0 on are halved so often before the series. */
const ARCTANGENT_HALVING_COUNT = 4;
const ARCTANGENT_SERIES_TERMS = 12;

function computeArctangent(x: number): number {
  let reducedArgument = x;
  for (let i = 0; i < ARCTANGENT_HALVING_COUNT; i++)
    reducedArgument /= 1 + Math.sqrt(1 + reducedArgument * reducedArgument);
  const square = reducedArgument * reducedArgument;
  let sum = 0;
  for (let i = ARCTANGENT_SERIES_TERMS; i >= 0; i--) sum = 1 / (2 * i + 1) - square * sum;
  return 2 ** ARCTANGENT_HALVING_COUNT * reducedArgument * sum;
}

/** The probability of |T| < t, for t from 0 on. */
function studentCentralProbability(t: number, degreesOfFreedom: number): number {
  const cosineSquared = degreesOfFreedom / (degreesOfFreedom + t * t);
  const sine = t / Math.sqrt(degreesOfFreedom + t * t);
  const isOutOfRange = degreesOfFreedom % 2 === 1;
  let term = isOutOfRange ? Math.sqrt(cosineSquared) : 1;
  let sum = 0;
  for (let i = isOutOfRange ? 2 : 1; i < degreesOfFreedom; i += 2) {
    sum += term;
    term *= (i / (i + 1)) * cosineSquared;
  }
  if (!isOutOfRange) return sine * sum;
  return (2 / Math.PI) * (computeArctangent(t / Math.sqrt(degreesOfFreedom)) + sine * sum);
}

/** Probability that |T| is at least |t|, for Student's t with this (whole) number of degrees of freedom. */
export function studentTailProbability(t: number, degreesOfFreedom: number): number {
  return Number.isFinite(t) ? Math.max(0, 1 - studentCentralProbability(Math.abs(t), degreesOfFreedom)) : 0;
}

const BISECTION_STEPS = 80;

/**
 * The t that |T| exceeds with a probability between 0 and 1, with this (whole) number of degrees of freedom.
 */
export function studentQuantile(probability: number, degreesOfFreedom: number): number {
  let high = 1;
  while (studentTailProbability(high, degreesOfFreedom) > probability) high *= 2;
  let low = 0;
  for (let i = 0; i < BISECTION_STEPS; i++) {
    const middle = (low + high) / 2;
    if (studentTailProbability(middle, degreesOfFreedom) > probability) low = middle;
    else high = middle;
  }
  return high;
}

/** The variance of the effect, in squares of its standard deviation, that limits for all counts are tightest for. */
const MIXTURE_PRIOR_VARIANCE = 0.1;

/**
 * Number of standard errors within which a mean of normal values stays of its expectation at all counts together, but for a
 * probability: the limits of Student's t mixed over normal effects (Lai 1976; Wang, Ramdas 2024). Infinite for the first
 * few values.
 */
export function anytimeValidBound(probability: number, count: number): number {
  const spread = 1 + MIXTURE_PRIOR_VARIANCE * count;
  const scaleFactor = exp((2 / count) * naturalLogarithm(Math.sqrt(spread) / probability));
  if (scaleFactor >= spread) return Number.POSITIVE_INFINITY;
  return Math.sqrt(((count - 1) * (scaleFactor - 1)) / (1 - scaleFactor / spread));
}
