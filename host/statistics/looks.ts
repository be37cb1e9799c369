/** Schedule of a sequential comparison: the numbers of replications after which it is judged. */
import { checkArgument } from '../arguments.js';

/**
 * Number of replications at the first look; further looks follow every 10 replications, from 200 on every 20.
 */
const FIRST_LOOK_REPLICATIONS = 20;
const LOOK_INTERVAL_REPLICATIONS = 10;
const MAX_DENSE_LOOK_REPLICATIONS = 200;

/**
 * Numbers of replications after which a sequential comparison is judged: 20, 30, ..., 200, 220, 240, ... and
 * the maximum.
 * @param first first look; 50 for resampled replications.
 * @example
 * console.log(looksUpTo(45)); // [ 20, 30, 40, 45 ]
 */
export function looksUpTo(most: number, first = FIRST_LOOK_REPLICATIONS): number[] {
  checkArgument(most, 'number', 'looksUpTo');
  const looks: number[] = [];
  for (
    let at = first;
    at < most;
    at += at < MAX_DENSE_LOOK_REPLICATIONS ? LOOK_INTERVAL_REPLICATIONS : 2 * LOOK_INTERVAL_REPLICATIONS
  )
    looks.push(at);
  return [...looks, most];
}
