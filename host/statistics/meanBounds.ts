/** What is said of means over replications and of their intervals, wherever they are shown. */

import { formatNumber } from '../format/numbers.js';
import { metricBase } from '../simulate/metric.js';
import type { Population } from './population.js';

/** Intervals of means over fewer resampled replications hold less often than 95 %. */
const FEWEST_SURE = 30;

/** What stands beside means over so many replications. */
export function meanBounds({ kind }: Pick<Population, 'kind'>, replications: number): 'interval' | 'rough' {
  return kind === 'resample' && replications < FEWEST_SURE ? 'rough' : 'interval';
}

/** What the interval of a mean over replications is called: of 95 % only where it holds that often. */
export function intervalName(population: Pick<Population, 'kind'>, replications: number): string {
  return { interval: '95 % interval', rough: 'rough interval' }[meanBounds(population, replications)];
}

/** `Mean and 95 % interval over 20 copies of this log, shaken by ±30 s`. */
export function meansOver(
  population: Pick<Population, 'kind' | 'copies' | 'counted' | 'fewest'>,
  replications: number,
): string {
  const interval = haveIntervals(population, replications)
    ? ` and ${intervalName(population, replications)}`
    : '';
  return `Mean${interval} over ${formatNumber(replications)} ${population.copies}`;
}

/** Whether means have intervals that say something of others: ratios on a few logs have none. */
export function haveIntervals(
  { counted, fewest }: Pick<Population, 'counted' | 'fewest'>,
  replications: number,
): boolean {
  return counted === undefined || replications >= fewest;
}

/** Warnings beside means of metrics, in sentences; none of most. */
export function warningsOf(metrics: readonly string[]): string[] {
  return metrics.some((name) => metricBase(name) === 'meanSlowdown')
    ? ['A few very short jobs decide the unbounded mean slowdown; meanBoundedSlowdown is steadier.']
    : [];
}
