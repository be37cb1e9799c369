/** Numbers of replications after which a sequential comparison is judged. */
import { checkArgument } from '../arguments.js';

/** First look; looks are after every 10 replications, from 200 on after every 20. */
const FIRST_LOOK_REPLICATIONS = 20;
const LOOK_INTERVAL_REPLICATIONS = 10;
const MAX_DENSE_LOOK_REPLICATIONS = 200;

/**
 * Numbers of replications after which methods are judged that are compared until it is decided: 20, 30, ..., 200, 220, 240, ... and
 * at the most.
 * @param first the first look; 50 where replications are resampled.
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
