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

/** Two-sided error probability of an interval: 5 %. */
export const INTERVAL_ERROR_PROBABILITY = 0.05;

/** Method by which an interval was computed: Student's t, or bootstrap-t. */
export type IntervalMethod = 'student' | 'bootstrap-t';

/** A 95 % confidence interval of a mean. */
export interface MeanInterval {
  readonly low: number;
  readonly high: number;
  readonly method: IntervalMethod;
}

/** Mean and spread of values, with a confidence interval of the mean. */
export interface MeanEstimate extends MeanInterval {
  readonly mean: number;
  readonly standardDeviation: number;
}

/** Minimum number of values for bootstrap intervals, since fewer do not represent their distribution. */
const MIN_VALUES_FOR_BOOTSTRAP_INTERVAL = 10;

/**
 * Minimum spread of a resample, as a share of the sample's. A resample without the few values that cause the
 * spread has almost none; it would give limits thousands of standard errors away.
 */
const MIN_RESAMPLE_SPREAD = 0.05;

/** Number of standard errors above which a skewness counts; one in twenty normal samples exceeds it. */
const MAX_SKEWNESS_FOR_STUDENT = 2;

/** Sample skewness (adjusted Fisher-Pearson) divided by its standard error for normal samples. */
function computeSkewnessInStandardErrors(
  sampleValues: readonly number[],
  { count: n, mean, standardDeviation }: SampleMoments,
): number {
  const sumOfCubes = sampleValues.reduce(
    (sum, value) => sum + (value - mean) * (value - mean) * (value - mean),
    0,
  );
  const cubedDeviation = standardDeviation * standardDeviation * standardDeviation;
  const adjustedSkewness = (n * sumOfCubes) / ((n - 1) * (n - 2) * cubedDeviation);
  return adjustedSkewness / Math.sqrt((6 * n * (n - 1)) / ((n - 2) * (n + 1) * (n + 3)));
}

/** Student's t interval of a mean. */
export function studentInterval({ count: sampleCount, mean, standardError }: SampleMoments): MeanInterval {
  const halfWidth =
    standardError === 0 ? 0 : studentQuantile(INTERVAL_ERROR_PROBABILITY, sampleCount - 1) * standardError;
  return { low: mean - halfWidth, high: mean + halfWidth, method: 'student' };
}

/**
 * Bootstrap-t interval of a mean from resampled t values, which are reordered; Student's if too many
 * resamples have almost no spread.
 */
function computeBootstrapTInterval(moments: SampleMoments, tValues: Float64Array): MeanInterval {
  const { mean, standardError } = moments;
  const rank = Math.round(((tValues.length + 1) * INTERVAL_ERROR_PROBABILITY) / 2);
  const lowerBound = orderStatistic(tValues, rank - 1);
  const upperBound = orderStatistic(tValues, tValues.length - rank);
  if (!Number.isFinite(lowerBound) || !Number.isFinite(upperBound)) return studentInterval(moments);
  return {
    low: mean - upperBound * standardError,
    high: mean - lowerBound * standardError,
    method: 'bootstrap-t',
  };
}

/**
 * Mean, standard deviation and 95 % interval of the mean of at least two independent values. The interval is
 * Student's, or bootstrap-t for ten or more values whose skewness is more than two standard errors from 0.
 * @example
 * const { mean, low, high } = estimateMean([10, 12, 11]);
 * console.log(mean, low.toFixed(2), high.toFixed(2)); // 11 8.52 13.48
 */
export function estimateMean(values: readonly number[]): MeanEstimate {
  checkArgument(values, 'list', 'estimateMean');
  const moments = sampleMoments(values);
  const { mean, standardDeviation } = moments;
  const isSkewed =
    values.length >= MIN_VALUES_FOR_BOOTSTRAP_INTERVAL &&
    standardDeviation > 0 &&
    Math.abs(computeSkewnessInStandardErrors(values, moments)) > MAX_SKEWNESS_FOR_STUDENT;
  const interval = isSkewed
    ? computeBootstrapTInterval(moments, resampledTStatistics(values, RESAMPLE_COUNT, MIN_RESAMPLE_SPREAD))
    : studentInterval(moments);
  return { mean, standardDeviation, ...interval };
}

// Student's t distribution for whole degrees of freedom: finite sums (Abramowitz, Stegun 1964, 26.7.3 and 26.7.4) of +
// - * / and sqrt alone, so that every host gets the same bits.

/** Number of halvings of an arctangent's argument before the series. */
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

/** Probability of |T| < t for nonnegative t. */
function computeStudentCentralProbability(t: number, degreesOfFreedom: number): number {
  const cosineSquared = degreesOfFreedom / (degreesOfFreedom + t * t);
  const sine = t / Math.sqrt(degreesOfFreedom + t * t);
  const isDegreeCountOdd = degreesOfFreedom % 2 === 1;
  let term = isDegreeCountOdd ? Math.sqrt(cosineSquared) : 1;
  let sum = 0;
  for (let i = isDegreeCountOdd ? 2 : 1; i < degreesOfFreedom; i += 2) {
    sum += term;
    term *= (i / (i + 1)) * cosineSquared;
  }
  if (!isDegreeCountOdd) return sine * sum;
  return (2 / Math.PI) * (computeArctangent(t / Math.sqrt(degreesOfFreedom)) + sine * sum);
}

/**
 * Two-sided tail probability of Student's t with a whole number of degrees of freedom: the probability of |T|
 * >= |t|.
 */
export function computeStudentTailProbability(t: number, degreesOfFreedom: number): number {
  return Number.isFinite(t)
    ? Math.max(0, 1 - computeStudentCentralProbability(Math.abs(t), degreesOfFreedom))
    : 0;
}

const BISECTION_STEPS = 80;

/** Two-sided quantile of Student's t: the value that |T| exceeds with a given probability. */
export function studentQuantile(probability: number, degreesOfFreedom: number): number {
  let high = 1;
  while (computeStudentTailProbability(high, degreesOfFreedom) > probability) high *= 2;
  let low = 0;
  for (let i = 0; i < BISECTION_STEPS; i++) {
    const middleValue = (low + high) / 2;
    if (computeStudentTailProbability(middleValue, degreesOfFreedom) > probability) low = middleValue;
    else high = middleValue;
  }
  return high;
}

/**
 * Variance of the mixing distribution of effect sizes (means in standard deviations), for which the limits are
 * tightest.
 */
const MIXTURE_PRIOR_VARIANCE = 0.1;

/**
 * Bound in standard errors on the distance of a mean of normal values from its expectation, valid
 * simultaneously for all counts except with a given probability: a mixture of Student's t over normal effects
 * (Lai 1976; Wang, Ramdas 2024). Infinite for the first few values.
 */
export function anytimeValidBound(probability: number, observationCount: number): number {
  const mixtureVariance = 1 + MIXTURE_PRIOR_VARIANCE * observationCount;
  const scaleFactor = exp(
    (2 / observationCount) * naturalLogarithm(Math.sqrt(mixtureVariance) / probability),
  );
  if (scaleFactor >= mixtureVariance) return Number.POSITIVE_INFINITY;
  return Math.sqrt(((observationCount - 1) * (scaleFactor - 1)) / (1 - scaleFactor / mixtureVariance));
}
