/** Schedule of a sequential comparison: the numbers of replications after which it is judged. */
import { checkArgument } from '../arguments.js';

/** Number of replications at the first look of a sequential comparison. */
const FIRST_LOOK_REPLICATION_COUNT = 20;
/** Number of replications between two looks, up to 200 replications; twice as many from then on. */
const REPLICATIONS_BETWEEN_LOOKS = 10;
const MAX_DENSE_LOOK_REPLICATIONS = 200;

/**
 * Numbers of replications after which a sequential comparison is judged: 20, 30, ..., 200, 220, 240, ... and
 * the maximum.
 * @param replicationsAtFirstLook first look; 50 for resampled replications.
 * @example
 * console.log(looksUpTo(45)); // [ 20, 30, 40, 45 ]
 */
export function looksUpTo(
  maxReplications: number,
  replicationsAtFirstLook = FIRST_LOOK_REPLICATION_COUNT,
): number[] {
  checkArgument(maxReplications, 'number', 'looksUpTo');
  const looks: number[] = [];
  for (
    let replicationCount = replicationsAtFirstLook;
    replicationCount < maxReplications;
    replicationCount +=
      replicationCount < MAX_DENSE_LOOK_REPLICATIONS
        ? REPLICATIONS_BETWEEN_LOOKS
        : 2 * REPLICATIONS_BETWEEN_LOOKS
  )
    looks.push(replicationCount);
  return [...looks, maxReplications];
}
