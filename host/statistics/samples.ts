/** Wording for means over replications and their intervals, and for single samples. */
import { formatNumber } from '../format/numbers.js';
import { extractBaseMetricName, type Metric } from '../simulate/metric.js';
import type { Population } from './population.js';

/** Number of resampled replications below which intervals of means have less than 95 % coverage. */
const MIN_REPLICATIONS_FOR_CERTAINTY = 30;

/** Kind of bounds for means over a number of replications. */
export function kindOfMeanBounds(
  { kind: populationKind }: Pick<Population, 'kind'>,
  replicationCount: number,
): 'interval' | 'rough' {
  return populationKind === 'resample' && replicationCount < MIN_REPLICATIONS_FOR_CERTAINTY
    ? 'rough'
    : 'interval';
}

/** Name of the interval of a mean over replications: "95 %" only if its coverage is that high. */
export function nameMeanInterval(population: Pick<Population, 'kind'>, replicationCount: number): string {
  return { interval: '95 % interval', rough: 'rough interval' }[
    kindOfMeanBounds(population, replicationCount)
  ];
}

/** Describes means in a caption: `Mean and 95 % interval over 20 copies of this log, shaken by ±30 s`. */
export function describeMeansOverReplications(
  population: Pick<Population, 'kind' | 'copies' | 'counted' | 'fewest'>,
  replicationCount: number,
): string {
  const intervalText = areIntervalsInformative(population, replicationCount)
    ? ` and ${nameMeanInterval(population, replicationCount)}`
    : '';
  return `Mean${intervalText} over ${formatNumber(replicationCount)} ${population.copies}`;
}

/** True if intervals of means are informative about other samples, unlike ratios on a few logs. */
export function areIntervalsInformative(
  { counted, fewest }: Pick<Population, 'counted' | 'fewest'>,
  replicationCount: number,
): boolean {
  return counted === undefined || replicationCount >= fewest;
}

/** Warnings about means of certain metrics, in sentences; usually empty. */
export function makeWarningsOnMeans(metrics: readonly string[]): string[] {
  return metrics.some((metricName) => extractBaseMetricName(metricName) === 'meanSlowdown')
    ? ['A few very short jobs decide the unbounded mean slowdown; meanBoundedSlowdown is steadier.']
    : [];
}

// Remarks on results of a single sample (one simulation)

/** Note on a single simulation. */
export const SINGLE_SIMULATION_REMARK =
  'One simulation is one sample: differences of a few percent may be chance.';

/**
 * Noise of single samples, as a share, by the kind of metric. Shifting submit times by 30 s changes a mean
 * response time by two or three percent, means of waits and slowdowns by five, percentiles and maxima by ten
 * or more.
 */
const SINGLE_SAMPLE_NOISE_BY_KIND: Readonly<Record<Metric['noise'], number>> = {
  all: 0.05,
  waits: 0.1,
  few: 0.25,
};

/** Share below which differences of a metric between single samples are not informative. */
export function estimateSingleSampleNoise({ noise }: Pick<Metric, 'noise'>): number {
  return SINGLE_SAMPLE_NOISE_BY_KIND[noise];
}

/**
 * Index of the value that is better than all others by more than the noise of one sample; undefined if there
 * is none.
 */
export function findClearlyBestValue(
  methodValues: readonly number[],
  better: 'less' | 'more',
  metric: Pick<Metric, 'noise'>,
): number | undefined {
  const indexesFromBestToWorst = methodValues
    .map((_, i) => i)
    .sort((a, b) =>
      better === 'less' ? methodValues[a]! - methodValues[b]! : methodValues[b]! - methodValues[a]!,
    );
  const [best, secondBest] = indexesFromBestToWorst.map((valueIndex) => methodValues[valueIndex]!);
  if (best === undefined || secondBest === undefined) return indexesFromBestToWorst[0];
  const isBestClear =
    Math.abs(secondBest - best) >
    estimateSingleSampleNoise(metric) * Math.max(Math.abs(best), Math.abs(secondBest));
  return isBestClear ? indexesFromBestToWorst[0] : undefined;
}
