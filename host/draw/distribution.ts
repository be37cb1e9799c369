/** How values are spread: the share of them that is not above x. */
import type { FigurePoint } from './types.js';

/** Points of the curve on a logarithmic axis. */
const POINTS = 120;

/** Number of entries of an ascending list that are not above x. */
export function countUpTo(ascending: Float64Array, x: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle] <= x) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The cumulative distribution of values from x = `from` (above 0) to `to` on a logarithmic axis: each point is the
 * exact share of the values that are not above its x.
 */
export function cumulativeShares(values: readonly number[], from: number, to: number): FigurePoint[] {
  const ascending = Float64Array.from(values).sort();
  const end = Math.max(to, from * 10);
  return Array.from({ length: POINTS + 1 }, (_, i) => {
    const x = i === POINTS ? end : Number((from * (end / from) ** (i / POINTS)).toPrecision(4));
    return { x, y: countUpTo(ascending, x) / ascending.length };
  });
}
