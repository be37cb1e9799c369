/** Grids of sites, and the vectors that describe them (speeds, loads). */

import {
  checkArgument,
  checkOptionNames,
  describeReceivedValue,
  registerLibraryOptions,
} from '../arguments.js';
import { InputError } from '../errors.js';
import { formatCount } from '../format/numbers.js';
import { firstElement } from '../lists.js';
import { makeNormalStream, makeUniformStream } from '../math/random.js';
import {
  makeUnknownNameError,
  type NumberRange,
  type ParsedNotation,
  parseNotation,
  parseNumber,
  parseNumberList,
  parseWholeNumber,
  parseWholeNumberList,
} from '../notation.js';

/**
 * A grid of sites. Site j has `capacities[j]` processors of speed `speeds[j]` (speed 1: the machine of the
 * log).
 */
export interface Grid {
  /** Number of processors of each site. */
  readonly capacities: readonly number[];
  /** Speed of each site. */
  readonly speeds: readonly number[];
  /** Time factor h of each site: jobs run h times as long as at speed 1; absent: 1 / speed. */
  readonly timeFactors?: readonly number[] | undefined;
}

/** Definition of a grid: speeds, or time factors h = 1 / speed (Zhang et al. 2006); default: all speeds 1. */
export interface GridOptions {
  /** Number of processors of each site. */
  readonly capacities: readonly number[];
  /** Speed of each site. */
  readonly speeds?: readonly number[] | undefined;
  /** Time factor of each site, instead of speeds. */
  readonly heterogeneity?: readonly number[] | undefined;
}

const MAKE_GRID_OPTIONS = registerLibraryOptions<GridOptions>('makeGrid', {
  capacities: true,
  speeds: true,
  heterogeneity: true,
});

/**
 * Checks a vector of positive numbers, one per site.
 * @param errorContext name of the vector in errors.
 * @throws InputError for a wrong number of entries, or one that is not positive.
 */
export function checkSiteValues(
  siteValues: readonly number[],
  errorContext: string,
  siteCount: number,
): void {
  if (siteValues.length !== siteCount) {
    throw new InputError(
      `${errorContext}: found ${formatCount(siteValues.length, 'value')} for a grid of ${formatCount(siteCount, 'site')}; give one value per site`,
    );
  }
  siteValues.forEach((siteValue, i) => {
    if (!Number.isFinite(siteValue) || siteValue <= 0) {
      throw new InputError(`${errorContext} of site ${i + 1}: expected a number above 0, found ${siteValue}`);
    }
  });
}

/** Maximum speed ratio of sites; larger ones would overflow in squares and quotients of speeds. */
const MAX_SPEED_FACTOR = 1e100;

function checkSpeedFactors(speedFactors: readonly number[], errorContext: string): void {
  speedFactors.forEach((value, i) => {
    if (value > MAX_SPEED_FACTOR || value < 1 / MAX_SPEED_FACTOR) {
      throw new InputError(
        `${errorContext} of site ${i + 1}: expected a number from ${1 / MAX_SPEED_FACTOR} to ${MAX_SPEED_FACTOR}, found ${value}`,
      );
    }
  });
}

/**
 * Creates a grid from capacities and either speeds or time factors, one per site.
 * @throws InputError for no sites, a capacity that is not a positive whole number, a speed or factor that is
 * not positive or beyond 1e100 (or its inverse), different lengths, or both speeds and factors.
 * @example
 * console.log(makeGrid({ capacities: [64, 64], heterogeneity: [1, 0.5] }).speeds.join()); // 1,2
 */
export function makeGrid(options: GridOptions): Grid {
  checkArgument(options, 'object', 'makeGrid');
  checkOptionNames(MAKE_GRID_OPTIONS, options);
  const { capacities, speeds, heterogeneity } = options;
  checkArgument(capacities, 'list', 'makeGrid, capacities');
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
    checkSiteValues(heterogeneity, 'heterogeneity factor', capacities.length);
    checkSpeedFactors(heterogeneity, 'heterogeneity factor');
    return {
      capacities: [...capacities],
      speeds: heterogeneity.map((timeFactor) => 1 / timeFactor),
      timeFactors: [...heterogeneity],
    };
  }
  if (speeds !== undefined) {
    checkSiteValues(speeds, 'speed', capacities.length);
    checkSpeedFactors(speeds, 'speed');
  }
  return { capacities: [...capacities], speeds: speeds ? [...speeds] : capacities.map(() => 1) };
}

/** Time factors h of the sites: as given, otherwise 1 / speed (Zhang et al. 2006, section 3.2). */
export function getTimeFactorsOfSites({ speeds, timeFactors }: Grid): readonly number[] {
  return timeFactors ?? speeds.map((speed) => 1 / speed);
}

/**
 * Parses capacities such as `8,128,128,128,50`: positive whole numbers of processors per site.
 * @param errorContext name of the option in errors.
 * @throws InputError for an invalid text.
 * @example
 * console.log(parseCapacities('8,128').length); // 2
 */
export function parseCapacities(text: string, errorContext = 'sites'): number[] {
  checkArgument(text, 'text', 'parseCapacities');
  return parseWholeNumberList(text, errorContext, { atLeast: 1, atMost: 0x7fffffff });
}

/**
 * Parses a grid such as `640` or `64x1.5,128`: processors of each site, with its speed if that is not 1.
 * @param machineText processors and speeds, separated by commas.
 * @param errorContext name of the option in errors.
 * @throws InputError for an invalid text.
 */
export function parseMachineSites(machineText: string, errorContext: string): Grid {
  const siteTexts = machineText.split(',').map((part) => {
    const [, capacityText = '', speedText = '1'] = /^\s*([^x\s]+)\s*(?:x\s*(\S+))?\s*$/.exec(part) ?? [];
    return { capacity: capacityText, speed: parseNumber(speedText, `${errorContext}, speed`, { above: 0 }) };
  });
  const capacities = parseCapacities(siteTexts.map(({ capacity }) => capacity).join(','), errorContext);
  return makeGrid({ capacities, speeds: siteTexts.map(({ speed }) => speed) });
}

/** Formats a grid as text that `parseMachineSites` reads. */
export function printMachineSites({ capacities, speeds }: Pick<Grid, 'capacities' | 'speeds'>): string {
  return capacities
    .map((capacity, site) => (speeds[site] === 1 ? `${capacity}` : `${capacity}x${speeds[site]}`))
    .join(',');
}

/** Formats the sites of a grid as options: processors, and speeds or time factors. */
export function gridToOptionTexts({
  capacities,
  speeds,
  timeFactors,
}: Grid): Readonly<Record<string, string>> {
  return {
    sites: capacities.join(','),
    ...(timeFactors === undefined ? { speeds: speeds.join(',') } : { heterogeneity: timeFactors.join(',') }),
  };
}

/**
 * Checks the load vector of a grid; a single value applies to every site. Runtimes and estimates of jobs with
 * home site j are multiplied by entry j (Huang et al. 2007, section 3).
 * @param errorContext name of the vector in errors.
 * @throws InputError unless there is one value or one per site, all positive.
 * @example
 * console.log(checkLoad([2], grid).join()); // 2,2
 */
export function checkLoad(load: readonly number[], grid: Grid, errorContext = 'load'): number[] {
  checkArgument(load, 'list', errorContext);
  checkArgument(grid, 'grid', 'checkLoad, grid');
  const siteCount = grid.capacities.length;
  const valuesPerSite =
    load.length === 1 ? Array.from({ length: siteCount }, () => firstElement(load)) : [...load];
  checkSiteValues(valuesPerSite, errorContext, siteCount);
  return valuesPerSite;
}

/**
 * Speed heterogeneity SH: population variance of the site speeds around their unweighted mean, summed in site
 * order (Shih et al. 2010, eq. 3).
 * @example
 * console.log(speedHeterogeneity([1, 3])); // 1
 */
export function speedHeterogeneity(speeds: readonly number[]): number {
  checkArgument(speeds, 'list', 'speedHeterogeneity');
  const mean = speeds.reduce((sum, speed) => sum + speed, 0) / speeds.length;
  return speeds.reduce((sum, speed) => sum + (speed - mean) * (speed - mean), 0) / speeds.length;
}

// Values for each pair of sites.

/** One number for all pairs of different sites, or a row per home site with an entry per site. */
export type SitePairValues = number | readonly (readonly number[])[];

/** Parses values per pair of sites: one number, or rows separated by `;` with entries separated by `,`. */
export function parseSitePairValues(
  sitePairsText: string,
  errorContext: string,
  valueRange: NumberRange = {},
): SitePairValues {
  if (!/[;,]/.test(sitePairsText)) return parseNumber(sitePairsText, errorContext, valueRange);
  return sitePairsText
    .split(';')
    .map((rowText, i) =>
      rowText
        .split(',')
        .map((cellText, j) =>
          parseNumber(cellText, `${errorContext}, row ${i + 1}, entry ${j + 1}`, valueRange),
        ),
    );
}

/** Formats values per pair of sites. */
export function printSitePairValues(sitePairValues: SitePairValues): string {
  return typeof sitePairValues === 'number'
    ? String(sitePairValues)
    : sitePairValues.map((row) => row.join(',')).join(';');
}

/** Expands values per pair of sites to a matrix. */
export function expandSitePairValuesToMatrix(
  sitePairs: SitePairValues,
  siteCount: number,
): readonly (readonly number[])[] {
  if (typeof sitePairs !== 'number') return sitePairs;
  return Array.from({ length: siteCount }, () => Array.from({ length: siteCount }, () => sitePairs));
}

/** Bounds of the values per pair of sites. */
interface SitePairValueBound {
  readonly expected: string;
  readonly isWithinBound: (value: number) => boolean;
}

/**
 * Checks values per pair of sites; the diagonal of a matrix is ignored.
 * @throws InputError for a matrix of another shape, or an entry out of bounds.
 */
export function checkSitePairValues(
  sitePairValues: SitePairValues,
  { capacities }: Grid,
  errorContext: string,
  valueBound: SitePairValueBound,
): SitePairValues {
  const siteCount = capacities.length;
  const checkSiteValue = (siteValue: number, location: string) => {
    if (!valueBound.isWithinBound(siteValue))
      throw new InputError(`${errorContext}${location}: expected ${valueBound.expected}, found ${siteValue}`);
  };
  if (typeof sitePairValues === 'number') {
    checkSiteValue(sitePairValues, '');
    return sitePairValues;
  }
  if (!Array.isArray(sitePairValues) || !sitePairValues.every(Array.isArray))
    throw new InputError(
      `${errorContext}: expected one number, or a row of numbers for each site, found ${describeReceivedValue(sitePairValues)}`,
    );
  const rowLengths = sitePairValues.map((row) => row.length);
  if (rowLengths.length !== siteCount || rowLengths.some((length) => length !== siteCount)) {
    throw new InputError(
      `${errorContext}: expected one number, or ${siteCount} rows (separated by ;) of ${siteCount} entries for ${siteCount} sites, found rows of ${rowLengths.join(', ')}`,
    );
  }
  sitePairValues.forEach((row, i) => {
    row.forEach((value, j) => {
      if (i !== j) checkSiteValue(value, ` from site ${i + 1} to site ${j + 1}`);
    });
  });
  return sitePairValues;
}

// Random speeds of a given heterogeneity (Shih et al. 2010, section 5.1): all but the last two are normal draws, the last
// two are solved for, so that total power and heterogeneity are exact.

/** Choices of the second last speed among the two solutions of the quadratic equation. */
export const ROOTS = ['lower', 'upper', 'random'] as const;
/** Choice of a solution of the quadratic equation: a word of `ROOTS`. */
export type Root = (typeof ROOTS)[number];

/** Minimum drawn speed; draws with a lower one are rejected. */
const DEFAULT_MIN_DRAWN_SPEED = 0.1;
const MAX_SPEED_DRAWS = 10_000;

/** Parameters for drawing random speeds. */
export interface SpeedDraw {
  /** Number of processors of each site. */
  readonly capacities: readonly number[];
  /** Mean square distance of the speeds from 1 (SH of Shih et al. 2010, eq. 19). */
  readonly heterogeneity: number;
  /** Seed, a nonnegative whole number. */
  readonly seed: number;
  /** Solution of the quadratic equation; default: lower. */
  readonly root?: Root;
  /** Minimum accepted speed; default 0.1. */
  readonly floor?: number;
}

/**
 * Solves for the last two speeds minus 1, given the others minus 1: sum(d_j P_j) = 0 (eq. 18) and sum(d_j^2)
 * = m SH (eq. 19). `rootSign` -1 takes the smaller second last speed, +1 the larger; undefined without a real
 * solution.
 */
function solveLastTwoSpeeds(
  deviations: readonly number[],
  { capacities, heterogeneity }: SpeedDraw,
  rootSign: number,
): [number, number] | undefined {
  const m = capacities.length;
  const p = capacities[m - 2]!;
  const q = capacities[m - 1]!;
  let powerWeightedDeviationSum = 0;
  let sumOfSquares = m * heterogeneity;
  deviations.forEach((d, j) => {
    powerWeightedDeviationSum += d * capacities[j]!;
    sumOfSquares -= d * d;
  });
  const discriminant = sumOfSquares * (p * p + q * q) - powerWeightedDeviationSum * powerWeightedDeviationSum;
  if (discriminant < 0) return undefined;
  const secondLastSpeedDeviation =
    (-powerWeightedDeviationSum * p + rootSign * q * Math.sqrt(discriminant)) / (p * p + q * q);
  return [secondLastSpeedDeviation, (-powerWeightedDeviationSum - p * secondLastSpeedDeviation) / q];
}

const DRAW_SPEEDS_OPTIONS = registerLibraryOptions<SpeedDraw>('drawSpeeds', {
  capacities: true,
  ...{ heterogeneity: true, seed: true, root: true, floor: true },
});

/**
 * Draws speeds with sum(speed x capacity) = sum(capacity) and mean((speed - 1)^2) = heterogeneity (Shih et
 * al. 2010, eqs. 18, 19). Draws without a solution, or with a speed below the minimum, are rejected.
 * @returns a speed per site, equal for the same parameters on every machine.
 * @throws InputError for fewer than three sites, a negative heterogeneity, or if no draw succeeds.
 * @example
 * const speeds = drawSpeeds({ capacities: [8, 128, 128, 128, 50], heterogeneity: 0.12, seed: 1 });
 * console.log(speeds.map((speed) => speed.toFixed(3)).join()); // 1.244,1.212,1.393,0.429,0.875
 */
export function drawSpeeds(draw: SpeedDraw): number[] {
  checkArgument(draw, 'object', 'drawSpeeds');
  checkOptionNames(DRAW_SPEEDS_OPTIONS, draw);
  const { capacities, heterogeneity, seed, root = 'lower', floor = DEFAULT_MIN_DRAWN_SPEED } = draw;
  checkArgument(capacities, 'list', 'drawSpeeds, capacities');
  if (capacities.length < 3) {
    throw new InputError(
      `speeds can only be drawn for three sites or more, found ${capacities.length}; give them as a list`,
    );
  }
  if (!Number.isFinite(heterogeneity) || heterogeneity < 0) {
    throw new InputError(`speed heterogeneity: expected a number of at least 0, found ${heterogeneity}`);
  }
  if (heterogeneity === 0) return capacities.map(() => 1);
  const drawNormal = makeNormalStream(seed, 'speeds');
  const drawRandomForRoot = makeUniformStream(seed, 'roots');
  const standardDeviation = Math.sqrt(heterogeneity);
  for (let drawAttemptIndex = 0; drawAttemptIndex < MAX_SPEED_DRAWS; drawAttemptIndex++) {
    const freelyDrawnDeviations = capacities.slice(0, -2).map(() => standardDeviation * drawNormal());
    const rootSign = root === 'lower' || (root === 'random' && drawRandomForRoot() < 0.5) ? -1 : 1;
    const lastTwoDeviations = solveLastTwoSpeeds(freelyDrawnDeviations, draw, rootSign);
    const speeds = lastTwoDeviations && [...freelyDrawnDeviations, ...lastTwoDeviations].map((d) => 1 + d);
    if (speeds?.every((speed) => speed >= floor)) return speeds;
  }
  throw new InputError(
    `no speed vector of heterogeneity ${heterogeneity} with every speed at least ${floor} was found in ` +
      `${MAX_SPEED_DRAWS} draws; take a smaller heterogeneity or a lower floor`,
  );
}

const SPEED_DRAW_PARAMETER_NAMES = ['sh', 'seed', 'root', 'floor'];

function drawSpeedsFromNotation(
  { name: notationName, parameters }: ParsedNotation,
  capacities: readonly number[],
): number[] {
  if (notationName !== 'draw') throw makeUnknownNameError('way to give speeds', notationName, ['draw']);
  for (const key of parameters.keys()) {
    if (!SPEED_DRAW_PARAMETER_NAMES.includes(key))
      throw makeUnknownNameError('parameter of draw', key, SPEED_DRAW_PARAMETER_NAMES);
  }
  const heterogeneity = parameters.get('sh');
  if (heterogeneity === undefined) {
    throw new InputError('speeds draw[...] need the heterogeneity, for instance draw[sh=0.12,seed=1]');
  }
  const root = parameters.get('root') ?? 'lower';
  if (!ROOTS.includes(root as Root)) throw makeUnknownNameError('root of draw', root, ROOTS);
  return drawSpeeds({
    capacities,
    heterogeneity: parseNumber(heterogeneity, 'sh of draw', { atLeast: 0 }),
    seed: parseWholeNumber(parameters.get('seed') ?? '1', 'seed of draw', { atLeast: 0 }),
    root: root as Root,
    floor: parseNumber(parameters.get('floor') ?? String(DEFAULT_MIN_DRAWN_SPEED), 'floor of draw', {
      above: 0,
    }),
  });
}

/** True if a notation of speeds requests random speeds, which have a seed. */
export function isRandomSpeedNotation(speedText: string): boolean {
  return /^\s*[a-z]/i.test(speedText);
}

/**
 * Parses speeds: `1,3,4,4,8`, or `draw[sh=0.12,seed=1,root=lower]` for random speeds (root: lower, upper or
 * random; floor: minimum speed, default 0.1).
 * @param capacities processors per site, for random speeds.
 * @throws InputError for an invalid text, and as `drawSpeeds`.
 * @example
 * console.log(parseSpeeds('1,2', grid.capacities).length); // 2
 */
export function parseSpeeds(text: string, capacities: readonly number[]): number[] {
  checkArgument(text, 'text', 'parseSpeeds, text');
  checkArgument(capacities, 'list', 'parseSpeeds, capacities');
  if (isRandomSpeedNotation(text)) return drawSpeedsFromNotation(parseNotation(text), capacities);
  return parseNumberList(text, 'speeds', { above: 0 });
}
