/**
 * Student's t distribution for whole degrees of freedom: finite sums (Abramowitz, Stegun 1964, 26.7.3 and 26.7.4) of + - * /
 * and sqrt alone, so that every host gets the same bits.
 */
import { exp, ln } from '../math/fdlibm.js';

/** Arctangents of numbers from 0 on are halved so often before the series. */
const HALVINGS = 4;
const ARCTANGENT_TERMS = 12;

function arctangent(x: number): number {
  let reduced = x;
  for (let i = 0; i < HALVINGS; i++) reduced /= 1 + Math.sqrt(1 + reduced * reduced);
  const square = reduced * reduced;
  let sum = 0;
  for (let i = ARCTANGENT_TERMS; i >= 0; i--) sum = 1 / (2 * i + 1) - square * sum;
  return 2 ** HALVINGS * reduced * sum;
}

/** The probability of |T| < t, for t from 0 on. */
function central(t: number, degrees: number): number {
  const squaredCosine = degrees / (degrees + t * t);
  const sine = t / Math.sqrt(degrees + t * t);
  const isOdd = degrees % 2 === 1;
  let term = isOdd ? Math.sqrt(squaredCosine) : 1;
  let sum = 0;
  for (let i = isOdd ? 2 : 1; i < degrees; i += 2) {
    sum += term;
    term *= (i / (i + 1)) * squaredCosine;
  }
  if (!isOdd) return sine * sum;
  return (2 / Math.PI) * (arctangent(t / Math.sqrt(degrees)) + sine * sum);
}

/** The probability that |T| is at least |t|, with so many (whole) degrees of freedom. */
export function studentTails(t: number, degrees: number): number {
  return Number.isFinite(t) ? Math.max(0, 1 - central(Math.abs(t), degrees)) : 0;
}

const BISECTIONS = 80;

/** The t that |T| exceeds with a probability between 0 and 1, with so many (whole) degrees of freedom. */
export function studentBound(probability: number, degrees: number): number {
  let high = 1;
  while (studentTails(high, degrees) > probability) high *= 2;
  let low = 0;
  for (let i = 0; i < BISECTIONS; i++) {
    const middle = (low + high) / 2;
    if (studentTails(middle, degrees) > probability) low = middle;
    else high = middle;
  }
  return high;
}

/** The variance of the effect, in squares of its standard deviation, that limits for all counts are tightest for. */
const MIXTURE = 0.1;

/**
 * How many standard errors a mean of normal values stays from its expectation at all counts together, but for a
 * probability: the limits of Student's t mixed over normal effects (Lai 1976; Wang, Ramdas 2024). Infinite for the first
 * few values.
 */
export function anytimeBound(probability: number, count: number): number {
  const spread = 1 + MIXTURE * count;
  const factor = exp((2 / count) * ln(Math.sqrt(spread) / probability));
  if (factor >= spread) return Number.POSITIVE_INFINITY;
  return Math.sqrt(((count - 1) * (factor - 1)) / (1 - factor / spread));
}
