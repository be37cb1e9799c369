/** Looking at a comparison again and again until it is decided, at the price of one look. */
import { LEFT_OUT } from './interval.js';

/** A look: after how many replications, and the chance of a wrong distinction that it may take. */
export interface Look {
  readonly replications: number;
  readonly level: number;
}

const FIRST_LOOK = 20;

/**
 * The looks at up to so many replications: after 20, 40, 80, ... and at the end. Of the 5 % the first look spends half,
 * each further one half of what is left, the last all of it: so no look depends on how many are still to come, and
 * together they spend no more (a spending function after Lan and DeMets 1983, with Bonferroni's bound over the looks).
 * @example
 * console.log(looksUpTo(50).map(({ replications }) => replications)); // [ 20, 40, 50 ]
 */
export function looksUpTo(replications: number): Look[] {
  const looks: Look[] = [];
  let left = LEFT_OUT;
  for (let at = FIRST_LOOK; at < replications; at *= 2) {
    left /= 2;
    looks.push({ replications: at, level: left });
  }
  return [...looks, { replications, level: left }];
}
