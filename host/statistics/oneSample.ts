/** What one sample says of methods: little. */

import { metricBase } from '../simulate/metric.js';

/** What is said of a simulation that stands alone. */
export const ONE_SAMPLE = 'One simulation is one sample: differences of a few percent may be chance.';

/** A few jobs decide these; and many, but those that wait longest count most. */
const OF_FEW = /^(?:p\d|max|largest)|(?:Most|Least)$/;
const OF_WAITS = /wait|awwt|slowdown|queue/i;

/**
 * One sample says nothing of smaller differences, as a share: submits that move by 30 s move a mean response by two or three
 * percent either way, means of waits and slowdowns by five, percentiles and maxima by ten and more.
 */
export function noiseOf(metric: string): number {
  const base = metricBase(metric);
  if (OF_FEW.test(base)) return 0.25;
  return OF_WAITS.test(base) ? 0.1 : 0.05;
}

/** The place of the value of a metric that is ahead of all others by more than the noise of one sample; undefined where none is. */
export function clearlyBest(
  values: readonly number[],
  better: 'less' | 'more',
  metric: string,
): number | undefined {
  const ordered = values
    .map((_, i) => i)
    .sort((a, b) => (better === 'less' ? values[a]! - values[b]! : values[b]! - values[a]!));
  const [best, next] = ordered.map((place) => values[place]!);
  if (best === undefined || next === undefined) return ordered[0];
  const isClear = Math.abs(next - best) > noiseOf(metric) * Math.max(Math.abs(best), Math.abs(next));
  return isClear ? ordered[0] : undefined;
}
