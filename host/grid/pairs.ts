/** Numbers for pairs of sites: one for all, or a matrix with a row per home site (Zhang et al. 2006, section 3.2). */
import { InputError } from '../errors.js';
import { type NumberRange, parseNumber } from '../notation.js';
import type { Grid } from './grid.js';

/** One number for all pairs of different sites, or a row per home site with an entry per site. */
export type Pairs = number | readonly (readonly number[])[];

/** Pairs written as one number, or as rows separated by `;` with entries separated by `,`. */
export function parsePairs(text: string, what: string, range: NumberRange = {}): Pairs {
  if (!/[;,]/.test(text)) return parseNumber(text, what, range);
  return text
    .split(';')
    .map((row, i) =>
      row.split(',').map((entry, j) => parseNumber(entry, `${what}, row ${i + 1}, entry ${j + 1}`, range)),
    );
}

/** Pairs as they are written. */
export function printPairs(pairs: Pairs): string {
  return typeof pairs === 'number' ? String(pairs) : pairs.map((row) => row.join(',')).join(';');
}

/** Pairs as a matrix for so many sites. */
export function matrixOf(pairs: Pairs, count: number): readonly (readonly number[])[] {
  if (typeof pairs !== 'number') return pairs;
  return Array.from({ length: count }, () => Array.from({ length: count }, () => pairs));
}

/** What the entries must be. */
interface Bound {
  readonly expected: string;
  readonly holds: (value: number) => boolean;
}

/**
 * Checks pairs of the sites of a grid. What stands on the diagonal of a matrix has no meaning and is not looked at.
 * @throws InputError for a matrix of another shape, or an entry out of bounds.
 */
export function checkPairs(pairs: Pairs, { capacities }: Grid, what: string, bound: Bound): Pairs {
  const count = capacities.length;
  const check = (value: number, where: string) => {
    if (!bound.holds(value))
      throw new InputError(`${what}${where}: expected ${bound.expected}, found ${value}`);
  };
  if (typeof pairs === 'number') {
    check(pairs, '');
    return pairs;
  }
  const shape = pairs.map((row) => row.length);
  if (shape.length !== count || shape.some((length) => length !== count)) {
    throw new InputError(
      `${what}: expected one number, or ${count} rows (separated by ;) of ${count} entries for ${count} sites, found rows of ${shape.join(', ')}`,
    );
  }
  pairs.forEach((row, i) => {
    row.forEach((value, j) => {
      if (i !== j) check(value, ` from site ${i + 1} to site ${j + 1}`);
    });
  });
  return pairs;
}
