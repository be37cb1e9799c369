/** Grids of sites, and the vectors that belong to one (speeds, loads). */
import { InputError } from '../errors.js';
import { countOf } from '../format/numbers.js';
import { checkGiven, checkOptions, takes } from '../given.js';
import { firstOf } from '../lists.js';
import { type NumberRange, parseNumber, parseWholeNumberList } from '../notation.js';

/** A grid of sites; site j has `capacities[j]` processors of speed `speeds[j]` (speed 1: the machine of the log). */
export interface Grid {
  /** Processors of each site. */
  readonly capacities: readonly number[];
  /** Speed of each site. */
  readonly speeds: readonly number[];
  /** h of each site, how many times as long as at speed 1 jobs run; where absent, 1 / speed. */
  readonly timeFactors?: readonly number[] | undefined;
}

/** What a grid is made of: speeds, or time factors h = 1 / speed (Zhang et al. 2006), or neither (all speeds 1). */
export interface GridOptions {
  /** Processors of each site. */
  readonly capacities: readonly number[];
  /** Speed of each site. */
  readonly speeds?: readonly number[] | undefined;
  /** Time factor of each site, instead of speeds. */
  readonly heterogeneity?: readonly number[] | undefined;
}

const MAKE_GRID = takes<GridOptions>('makeGrid', { capacities: true, speeds: true, heterogeneity: true });

/**
 * Checks numbers above 0, one for each of so many sites.
 * @param what names them in errors.
 * @throws InputError for another number of them, and for one that is not above 0.
 */
export function checkVector(values: readonly number[], what: string, count: number): void {
  if (values.length !== count) {
    throw new InputError(
      `${what}: found ${countOf(values.length, 'value')} for a grid of ${countOf(count, 'site')}; give one value per site`,
    );
  }
  values.forEach((value, i) => {
    if (!Number.isFinite(value) || value <= 0) {
      throw new InputError(`${what} of site ${i + 1}: expected a number above 0, found ${value}`);
    }
  });
}

/** No machine is so much faster or slower than another; beyond, squares and quotients of speeds are no numbers any more. */
const FASTEST = 1e100;

function checkScale(values: readonly number[], what: string): void {
  values.forEach((value, i) => {
    if (value > FASTEST || value < 1 / FASTEST) {
      throw new InputError(
        `${what} of site ${i + 1}: expected a number from ${1 / FASTEST} to ${FASTEST}, found ${value}`,
      );
    }
  });
}

/**
 * A grid from capacities and either speeds or heterogeneity factors, one per site.
 * @throws InputError when there is no site, a capacity is not a whole number above 0, a speed or factor is not a
 * number above 0 or beyond 1e100 (its inverse too), the lengths differ, or both speeds and factors are given.
 * @example
 * console.log(makeGrid({ capacities: [64, 64], heterogeneity: [1, 0.5] }).speeds.join()); // 1,2
 */
export function makeGrid(options: GridOptions): Grid {
  checkGiven(options, 'object', 'makeGrid');
  checkOptions(MAKE_GRID, options);
  const { capacities, speeds, heterogeneity } = options;
  checkGiven(capacities, 'list', 'makeGrid, capacities');
  if (capacities.length === 0) throw new InputError('sites: a grid needs at least one site');
  capacities.forEach((capacity, i) => {
    if (!Number.isInteger(capacity) || capacity <= 0 || capacity > 0x7fffffff) {
      throw new InputError(`capacity of site ${i + 1}: expected a whole number above 0, found ${capacity}`);
    }
  });
  if (speeds !== undefined && heterogeneity !== undefined) {
    throw new InputError(
      'speeds and heterogeneity factors both say how fast the sites are; give only one of them',
    );
  }
  if (heterogeneity !== undefined) {
    checkVector(heterogeneity, 'heterogeneity factor', capacities.length);
    checkScale(heterogeneity, 'heterogeneity factor');
    return {
      capacities: [...capacities],
      speeds: heterogeneity.map((factor) => 1 / factor),
      timeFactors: [...heterogeneity],
    };
  }
  if (speeds !== undefined) {
    checkVector(speeds, 'speed', capacities.length);
    checkScale(speeds, 'speed');
  }
  return { capacities: [...capacities], speeds: speeds ? [...speeds] : capacities.map(() => 1) };
}

/** Time factors of the sites, h: as they were given, else 1 / speed (Zhang et al. 2006, section 3.2). */
export function timeFactorsOf({ speeds, timeFactors }: Grid): readonly number[] {
  return timeFactors ?? speeds.map((speed) => 1 / speed);
}

/**
 * Capacities written as `8,128,128,128,50`: whole processors per site, each above 0.
 * @param what names the option in errors.
 * @throws InputError for anything else.
 * @example
 * console.log(parseCapacities('8,128').length); // 2
 */
export function parseCapacities(text: string, what = 'sites'): number[] {
  checkGiven(text, 'text', 'parseCapacities');
  return parseWholeNumberList(text, what, { atLeast: 1, atMost: 0x7fffffff });
}

/**
 * The load vector of a grid: one value stands for every site. Runtimes and estimates of the jobs at home on
 * site j are multiplied by entry j (Huang et al. 2007, section 3).
 * @param what names it in errors.
 * @throws InputError unless there is one value or one per site, each a number above 0.
 * @example
 * console.log(checkLoad([2], grid).join()); // 2,2
 */
export function checkLoad(load: readonly number[], grid: Grid, what = 'load'): number[] {
  checkGiven(load, 'list', what);
  checkGiven(grid, 'grid', 'checkLoad, grid');
  const count = grid.capacities.length;
  const vector = load.length === 1 ? Array.from({ length: count }, () => firstOf(load)) : [...load];
  checkVector(vector, what, count);
  return vector;
}

/**
 * Speed heterogeneity SH: population variance of the site speeds around their plain mean, summed in site order
 * (Shih et al. 2010, eq. 3).
 * @example
 * console.log(speedHeterogeneity([1, 3])); // 1
 */
export function speedHeterogeneity(speeds: readonly number[]): number {
  checkGiven(speeds, 'list', 'speedHeterogeneity');
  const mean = speeds.reduce((sum, speed) => sum + speed, 0) / speeds.length;
  return speeds.reduce((sum, speed) => sum + (speed - mean) * (speed - mean), 0) / speeds.length;
}

// Values for each pair of sites.

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
