/**
 * Bootstrap-t (Efron 1979; Hall 1988): estimates the distribution of Student's t by resampling the sample
 * with replacement, so that intervals of skewed quantities are asymmetric.
 */
import { firstElement } from '../lists.js';
import { sumExactly } from '../math/exactSum.js';
import { computeUniformNumberOfSeed } from '../math/random.js';

/** Seed of all resampling, so that equal samples give equal statistics. */
const RESAMPLING_SEED = 1;

/**
 * Number of resamples: one less than a multiple of 40, so that 95 % bounds are order statistics (Davison,
 * Hinkley 1997).
 */
export const RESAMPLE_COUNT = 1999;

/** Moments of a sample of at least two values. */
export interface SampleMoments {
  readonly count: number;
  readonly mean: number;
  /** Standard deviation, with n - 1 in the denominator. */
  readonly standardDeviation: number;
  readonly standardError: number;
}

/** Computes mean and spread of at least two values. */
export function sampleMoments(sampleValues: readonly number[]): SampleMoments {
  const valueCount = sampleValues.length;
  const hasDifferentValues = sampleValues.some((value) => value !== sampleValues[0]);
  const mean = hasDifferentValues
    ? sumExactly(valueCount, (i) => sampleValues[i]!) / valueCount
    : (sampleValues[0] ?? Number.NaN);
  const sumOfSquares = hasDifferentValues
    ? sumExactly(valueCount, (i) => (sampleValues[i]! - mean) * (sampleValues[i]! - mean))
    : 0;
  const standardDeviation = Math.sqrt(sumOfSquares / (valueCount - 1));
  return {
    count: valueCount,
    mean,
    standardDeviation,
    standardError: standardDeviation / Math.sqrt(valueCount),
  };
}

/** Sample skewness (Fisher-Pearson); 0 if all values are equal. */
export function sampleSkewness(
  sampleValues: readonly number[],
  { count: sampleCount, mean }: SampleMoments,
): number {
  let sumOfSquares = 0;
  let sumOfCubes = 0;
  for (const sampleValue of sampleValues) {
    const square = (sampleValue - mean) * (sampleValue - mean);
    sumOfSquares += square;
    sumOfCubes += square * (sampleValue - mean);
  }
  return sumOfSquares === 0
    ? 0
    : sumOfCubes / sampleCount / ((sumOfSquares / sampleCount) * Math.sqrt(sumOfSquares / sampleCount));
}

/**
 * Positions of the drawn values in each resample, one resample after the other; cached from the last call.
 */
let cachedResamplePositions: { readonly count: number; readonly positions: Uint32Array } | undefined;

function drawResamplePositions(drawCount: number, resampleCount: number): Uint32Array {
  const length = drawCount * resampleCount;
  if (cachedResamplePositions?.count === drawCount && cachedResamplePositions.positions.length >= length)
    return cachedResamplePositions.positions.subarray(0, length);
  const positions = new Uint32Array(length);
  for (let i = 0; i < length; i++)
    positions[i] = Math.floor(computeUniformNumberOfSeed(RESAMPLING_SEED, i + 1) * drawCount);
  cachedResamplePositions = { count: drawCount, positions };
  return positions;
}

/**
 * Student's t of resamples of a sample; all samples of equal length use the same drawn positions. A resample
 * without spread has an infinite t, unless its mean equals the sample's mean.
 * @param minSpreadShare share of the sample's standard deviation up to which a resample counts as having no
 * spread.
 */
export function resampledTStatistics(
  sampleValues: readonly number[],
  resampleCount: number,
  minSpreadShare = 0,
): Float64Array {
  const valueCount = sampleValues.length;
  const { mean: center, standardDeviation } = sampleMoments(sampleValues);
  const minVariance = (minSpreadShare * standardDeviation) ** 2;
  const centeredValues = Float64Array.from(sampleValues, (value) => value - center);
  const positions = drawResamplePositions(valueCount, resampleCount);
  const tValues = new Float64Array(resampleCount);
  for (let i = 0; i < resampleCount; i++)
    tValues[i] = computeTStatisticOfResample(centeredValues, positions, i * valueCount, minVariance);
  return tValues;
}

/**
 * Student's t around 0 for the values at the drawn positions of a resample; infinite up to a minimum
 * variance.
 */
function computeTStatisticOfResample(
  values: Float64Array,
  positions: Uint32Array,
  from: number,
  minVariance = 0,
): number {
  const valueCount = values.length;
  const firstValue = values[positions[from]!];
  let sum = 0;
  let sumOfSquares = 0;
  let hasDifferentDraws = false;
  for (let i = from; i < from + valueCount; i++) {
    const sampleValue = values[positions[i]!]!;
    if (sampleValue !== firstValue) hasDifferentDraws = true;
    sum += sampleValue;
    sumOfSquares += sampleValue * sampleValue;
  }
  if (sum === 0) return 0;
  const resampleVariance = hasDifferentDraws
    ? Math.max(0, sumOfSquares - (sum * sum) / valueCount) / (valueCount - 1)
    : 0;
  return sum / valueCount / Math.sqrt(resampleVariance > minVariance ? resampleVariance / valueCount : 0);
}

/** Number of resamples summed together, since independent sums run in parallel in the processor. */
const RESAMPLES_SUMMED_PER_PASS = 4;
/** Sums of each row over four resamples, one array of sums per resample. */
type FourResampleSums = readonly [Float64Array, Float64Array, Float64Array, Float64Array];

/** Share of the sum of squares below which a variance may be a rounding error. */
const MIN_TRUSTED_RELATIVE_VARIANCE = 1e-6;

/**
 * For each sample, resampled maxima of Student's t over its differences to the other samples, in both
 * directions.
 */
export interface ResampledMaximumStatistics {
  /**
   * Maximum t of the other samples minus this one, by sample, then by resample; -Infinity if no difference
   * varies.
   */
  readonly others: readonly Float64Array[];
  /**
   * Maximum t of this sample minus the others, by sample, then by resample; -Infinity if no difference
   * varies.
   */
  readonly own: readonly Float64Array[];
}

/**
 * Student's t of the differences between samples of equal length, resampling whole positions (equal for all
 * samples); for each sample the maximum over the others. Constant differences are ignored.
 * @param samples two or more samples of two or more values.
 */
export function computeResampledMaxima(
  samples: readonly (readonly number[])[],
  resampleCount: number,
): ResampledMaximumStatistics {
  const replicationCount = firstElement(samples).length;
  const positions = drawResamplePositions(replicationCount, resampleCount);
  const centeredValues = samples.map((values) => {
    const { mean } = sampleMoments(values);
    return Float64Array.from(values, (value) => value - mean);
  });
  const methodPairs = samples.flatMap((values, b) =>
    samples.slice(0, b).flatMap((otherValues, i) => {
      const differences = otherValues.map((otherValue, at) => otherValue - values[at]!);
      const { mean, standardDeviation } = sampleMoments(differences);
      if (standardDeviation === 0) return [];
      return [{ i, b, differences: Float64Array.from(differences, (value) => value - mean) }];
    }),
  );
  const summedRows = [
    ...centeredValues,
    ...methodPairs.map(({ differences }) => differences.map((value) => value * value)),
  ];
  const makeMaximumArrays = () =>
    samples.map(() => new Float64Array(resampleCount).fill(Number.NEGATIVE_INFINITY));
  const result = { others: makeMaximumArrays(), own: makeMaximumArrays() };
  const makeSumArray = () => new Float64Array(summedRows.length + 1);
  const sums: FourResampleSums = [makeSumArray(), makeSumArray(), makeSumArray(), makeSumArray()];
  for (let firstResample = 0; firstResample < resampleCount; firstResample += RESAMPLES_SUMMED_PER_PASS) {
    const resampleCountOfPass = Math.min(RESAMPLES_SUMMED_PER_PASS, resampleCount - firstResample);
    sumFourResamples(summedRows, positions, firstResample, resampleCountOfPass, sums);
    for (let resampleInPass = 0; resampleInPass < resampleCountOfPass; resampleInPass++) {
      const resampleIndex = firstResample + resampleInPass;
      const sumsOfResample = sums[resampleInPass]!;
      for (const [pair, { i, b, differences }] of methodPairs.entries()) {
        const difference = sumsOfResample[i]! - sumsOfResample[b]!;
        const sumOfSquares = sumsOfResample[samples.length + pair]!;
        const sumOfSquaredDeviations = sumOfSquares - (difference * difference) / replicationCount;
        const t =
          sumOfSquaredDeviations > MIN_TRUSTED_RELATIVE_VARIANCE * sumOfSquares
            ? difference /
              replicationCount /
              Math.sqrt(sumOfSquaredDeviations / (replicationCount - 1) / replicationCount)
            : computeTStatisticOfResample(differences, positions, resampleIndex * replicationCount);
        result.others[b]![resampleIndex] = Math.max(result.others[b]![resampleIndex]!, t);
        result.own[b]![resampleIndex] = Math.max(result.own[b]![resampleIndex]!, -t);
        result.others[i]![resampleIndex] = Math.max(result.others[i]![resampleIndex]!, -t);
        result.own[i]![resampleIndex] = Math.max(result.own[i]![resampleIndex]!, t);
      }
    }
  }
  return result;
}

/** Sums of rows over some resamples: each value counts as often as it was drawn. */
function sumFourResamples(
  summedRows: readonly Float64Array[],
  positions: Uint32Array,
  firstResample: number,
  resampleCountOfPass: number,
  sums: FourResampleSums,
): void {
  const replicationCount = firstElement(summedRows).length;
  const countDrawsOfResample = (resampleInPass: number) => {
    const drawCountByReplication = new Float64Array(replicationCount);
    if (resampleInPass >= resampleCountOfPass) return drawCountByReplication;
    const firstDrawIndex = (firstResample + resampleInPass) * replicationCount;
    for (let at = firstDrawIndex; at < firstDrawIndex + replicationCount; at++)
      drawCountByReplication[positions[at]!]!++;
    return drawCountByReplication;
  };
  const [a, b, c, d] = [
    countDrawsOfResample(0),
    countDrawsOfResample(1),
    countDrawsOfResample(2),
    countDrawsOfResample(3),
  ];
  for (let row = 0; row < summedRows.length; row += 2) {
    const values = summedRows[row]!;
    const valuesOfNextRow = summedRows[Math.min(row + 1, summedRows.length - 1)]!;
    let sumOfFirstResample = 0;
    let sumOfSecondResample = 0;
    let sumOfThirdResample = 0;
    let sumOfFourthResample = 0;
    let nextRowSumOfFirstResample = 0;
    let nextRowSumOfSecondResample = 0;
    let nextRowSumOfThirdResample = 0;
    let nextRowSumOfFourthResample = 0;
    for (let at = 0; at < replicationCount; at++) {
      const sampleValue = values[at]!;
      const valueOfNextRow = valuesOfNextRow[at]!;
      sumOfFirstResample += a[at]! * sampleValue;
      nextRowSumOfFirstResample += a[at]! * valueOfNextRow;
      sumOfSecondResample += b[at]! * sampleValue;
      nextRowSumOfSecondResample += b[at]! * valueOfNextRow;
      sumOfThirdResample += c[at]! * sampleValue;
      nextRowSumOfThirdResample += c[at]! * valueOfNextRow;
      sumOfFourthResample += d[at]! * sampleValue;
      nextRowSumOfFourthResample += d[at]! * valueOfNextRow;
    }
    sums[0].set([sumOfFirstResample, nextRowSumOfFirstResample], row);
    sums[1].set([sumOfSecondResample, nextRowSumOfSecondResample], row);
    sums[2].set([sumOfThirdResample, nextRowSumOfThirdResample], row);
    sums[3].set([sumOfFourthResample, nextRowSumOfFourthResample], row);
  }
}

/** Number of times that each value was drawn in each resample. */
export function countDrawsPerValue(valueCount: number, resampleCount: number): Uint32Array[] {
  const positions = drawResamplePositions(valueCount, resampleCount);
  return Array.from({ length: resampleCount }, (_, resampleIndex) => {
    const drawnCounts = new Uint32Array(valueCount);
    for (let i = resampleIndex * valueCount; i < (resampleIndex + 1) * valueCount; i++)
      drawnCounts[positions[i]!]!++;
    return drawnCounts;
  });
}

/** The 95 % percentile interval of resampled values, whose number must be one less than a multiple of 40. */
export function computePercentileInterval(values: readonly number[]): { low: number; high: number } {
  const sortedValues = Float64Array.from(values);
  const rank = Math.round((values.length + 1) / 40);
  return {
    low: orderStatistic(sortedValues, rank - 1),
    high: orderStatistic(sortedValues, sortedValues.length - rank),
  };
}

/** Value of a given rank, from 0, in ascending order (quickselect); reorders the values. */
export function orderStatistic(values: Float64Array, rank: number): number {
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const pivotValue = values[rank]!;
    let nextPosition = low;
    let lastIndex = high;
    while (nextPosition <= lastIndex) {
      while (values[nextPosition]! < pivotValue) nextPosition++;
      while (pivotValue < values[lastIndex]!) lastIndex--;
      if (nextPosition > lastIndex) break;
      const sampleValue = values[nextPosition]!;
      values[nextPosition++] = values[lastIndex]!;
      values[lastIndex--] = sampleValue;
    }
    if (lastIndex < rank) low = nextPosition;
    if (rank < nextPosition) high = lastIndex;
  }
  return values[rank]!;
}
