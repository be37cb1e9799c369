/** Which jobs are measured: with warm-up and cool-down those that are submitted in between. */
import type { Configuration } from '../options/configuration.js';

/** Jobs count that are submitted in [from, until], in seconds. */
export interface MeasuredWindow {
  readonly from: number;
  readonly until: number;
}

/**
 * From warm-up seconds after the first submit to cool-down seconds before the last; undefined where all jobs count.
 * @param submit when each job was submitted; the first depends on none.
 */
export function windowOf(
  { warmUp, coolDown }: Configuration,
  submit: Float64Array,
): MeasuredWindow | undefined {
  if (warmUp === 0 && coolDown === 0) return undefined;
  const last = submit.reduce((latest, time) => Math.max(latest, time));
  return { from: submit[0]! + warmUp, until: last - coolDown };
}
