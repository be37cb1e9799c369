/**
 * Words on means over replications and their intervals, wherever they are shown; and on one sample, which
 * says little.
 */
import { formatNumber } from '../format/numbers.js';
import { baseMetricName, type Metric } from '../simulate/metric.js';
import type { Population } from './population.js';

/** Intervals of means over fewer resampled replications hold less often than 95 %. */
const MIN_REPLICATIONS_FOR_CERTAINTY = 30;

/** Kind of bounds of means over this number of replications. */
export function kindOfMeanBounds(
  { kind }: Pick<Population, 'kind'>,
  replications: number,
): 'interval' | 'rough' {
  return kind === 'resample' && replications < MIN_REPLICATIONS_FOR_CERTAINTY ? 'rough' : 'interval';
}

/** Name of the interval of a mean over replications: "95 %" only if its coverage is that high. */
export function nameOfMeanInterval(population: Pick<Population, 'kind'>, replications: number): string {
  return { interval: '95 % interval', rough: 'rough interval' }[kindOfMeanBounds(population, replications)];
}

/** `Mean and 95 % interval over 20 copies of this log, shaken by ±30 s`. */
export function describeMeansOverReplications(
  population: Pick<Population, 'kind' | 'copies' | 'counted' | 'fewest'>,
  replications: number,
): string {
  const interval = areIntervalsInformative(population, replications)
    ? ` and ${nameOfMeanInterval(population, replications)}`
    : '';
  return `Mean${interval} over ${formatNumber(replications)} ${population.copies}`;
}

/** True if intervals of means inform about other samples: ratios on a few logs have none. */
export function areIntervalsInformative(
  { counted, fewest }: Pick<Population, 'counted' | 'fewest'>,
  replications: number,
): boolean {
  return counted === undefined || replications >= fewest;
}

/** Warnings beside means of metrics, in sentences; none of most. */
export function warningsOnMeansOfMetrics(metrics: readonly string[]): string[] {
  return metrics.some((name) => baseMetricName(name) === 'meanSlowdown')
    ? ['A few very short jobs decide the unbounded mean slowdown; meanBoundedSlowdown is steadier.']
    : [];
}

// One sample

/** Note on a single simulation. */
export const SINGLE_SIMULATION_REMARK =
  'One simulation is one sample: differences of a few percent may be chance.';

/**
 * One sample says nothing of smaller differences, as a share, by what decides a metric: submits that move by 30 s move a mean
 * response by two or three percent either way, means of waits and slowdowns by five, percentiles and maxima by ten and more.
 */
const SINGLE_SAMPLE_NOISE_BY_KIND: Readonly<Record<Metric['noise'], number>> = {
  all: 0.05,
  waits: 0.1,
  few: 0.25,
};

/** The share below which differences of a metric between single samples say nothing. */
export function singleSampleNoiseOfMetric({ noise }: Pick<Metric, 'noise'>): number {
  return SINGLE_SAMPLE_NOISE_BY_KIND[noise];
}

/** The place of the value of a metric that is ahead of all others by more than the noise of one sample; undefined where none is. */
export function indexOfClearlyBestValue(
  values: readonly number[],
  better: 'less' | 'more',
  metric: Pick<Metric, 'noise'>,
): number | undefined {
  const ordered = values
    .map((_, i) => i)
    .sort((a, b) => (better === 'less' ? values[a]! - values[b]! : values[b]! - values[a]!));
  const [best, next] = ordered.map((place) => values[place]!);
  if (best === undefined || next === undefined) return ordered[0];
  const isClear =
    Math.abs(next - best) > singleSampleNoiseOfMetric(metric) * Math.max(Math.abs(best), Math.abs(next));
  return isClear ? ordered[0] : undefined;
}
