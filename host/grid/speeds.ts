/**
 * Random speed vectors of a given heterogeneity (Shih et al. 2010, section 5.1): all speeds but the last two
 * are normal draws, the last two are solved for, so that total power and heterogeneity are exact.
 */

import { InputError } from '../errors.js';
import { checkGiven, checkOptions, takes } from '../given.js';
import { normalStream, uniformStream } from '../math/random.js';
import {
  type Notation,
  parseNotation,
  parseNumber,
  parseNumberList,
  parseWholeNumber,
  unknownName,
} from '../notation.js';

/** Which solution of the quadratic equation becomes the second last speed. */
export const ROOTS = ['lower', 'upper', 'random'] as const;
/** One of `ROOTS`. */
export type Root = (typeof ROOTS)[number];

/** Speed below which a draw is thrown away. */
const DEFAULT_FLOOR = 0.1;
const MOST_TRIES = 10_000;

/** What a speed vector is drawn from. */
export interface SpeedDraw {
  /** Processors of each site. */
  readonly capacities: readonly number[];
  /** Mean square distance of the speeds from 1 (SH of Shih et al. 2010, eq. 19). */
  readonly heterogeneity: number;
  /** Whole number from 0. */
  readonly seed: number;
  /** Default: lower. */
  readonly root?: Root;
  /** Least speed that is accepted; default 0.1. */
  readonly floor?: number;
}

/**
 * The last two speeds minus 1, from the others minus 1: sum(d_j P_j) = 0 (eq. 18) and sum(d_j^2) = m SH (eq. 19).
 * `sign` -1 takes the smaller second last speed, +1 the larger; undefined when no real numbers solve both.
 */
function solveLastTwo(
  deviations: readonly number[],
  { capacities, heterogeneity }: SpeedDraw,
  sign: number,
): [number, number] | undefined {
  const m = capacities.length;
  const p = capacities[m - 2]!;
  const q = capacities[m - 1]!;
  let power = 0;
  let square = m * heterogeneity;
  deviations.forEach((d, j) => {
    power += d * capacities[j]!;
    square -= d * d;
  });
  const discriminant = square * (p * p + q * q) - power * power;
  if (discriminant < 0) return undefined;
  const secondLast = (-power * p + sign * q * Math.sqrt(discriminant)) / (p * p + q * q);
  return [secondLast, (-power - p * secondLast) / q];
}

const DRAW_SPEEDS = takes<SpeedDraw>('drawSpeeds', {
  capacities: true,
  ...{ heterogeneity: true, seed: true, root: true, floor: true },
});

/**
 * Draws speeds with sum(speed x capacity) = sum(capacity) and mean((speed - 1)^2) = heterogeneity (Shih et al.
 * 2010, eqs. 18, 19). Draws without a solution, or with a speed below the floor, are thrown away.
 * @returns a speed per site, the same for the same draw on every machine.
 * @throws InputError for fewer than three sites, a negative heterogeneity, or when no draw succeeds.
 * @example
 * const speeds = drawSpeeds({ capacities: [8, 128, 128, 128, 50], heterogeneity: 0.12, seed: 1 });
 * console.log(speeds.map((speed) => speed.toFixed(3)).join()); // 1.244,1.212,1.393,0.429,0.875
 */
export function drawSpeeds(draw: SpeedDraw): number[] {
  checkGiven(draw, 'object', 'drawSpeeds');
  checkOptions(DRAW_SPEEDS, draw);
  const { capacities, heterogeneity, seed, root = 'lower', floor = DEFAULT_FLOOR } = draw;
  checkGiven(capacities, 'list', 'drawSpeeds, capacities');
  if (capacities.length < 3) {
    throw new InputError(
      `speeds can only be drawn for three sites or more, found ${capacities.length}; give them as a list`,
    );
  }
  if (!Number.isFinite(heterogeneity) || heterogeneity < 0) {
    throw new InputError(`speed heterogeneity: expected a number of at least 0, found ${heterogeneity}`);
  }
  if (heterogeneity === 0) return capacities.map(() => 1);
  const normal = normalStream(seed, 'speeds');
  const coin = uniformStream(seed, 'roots');
  const deviation = Math.sqrt(heterogeneity);
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const free = capacities.slice(0, -2).map(() => deviation * normal());
    const sign = root === 'lower' || (root === 'random' && coin() < 0.5) ? -1 : 1;
    const last = solveLastTwo(free, draw, sign);
    const speeds = last && [...free, ...last].map((d) => 1 + d);
    if (speeds?.every((speed) => speed >= floor)) return speeds;
  }
  throw new InputError(
    `no speed vector of heterogeneity ${heterogeneity} with every speed at least ${floor} was found in ` +
      `${MOST_TRIES} draws; take a smaller heterogeneity or a lower floor`,
  );
}

const PARAMETERS = ['sh', 'seed', 'root', 'floor'];

function parseDraw({ name, parameters }: Notation, capacities: readonly number[]): number[] {
  if (name !== 'draw') throw unknownName('way to give speeds', name, ['draw']);
  for (const key of parameters.keys()) {
    if (!PARAMETERS.includes(key)) throw unknownName('parameter of draw', key, PARAMETERS);
  }
  const heterogeneity = parameters.get('sh');
  if (heterogeneity === undefined) {
    throw new InputError('speeds draw[...] need the heterogeneity, for instance draw[sh=0.12,seed=1]');
  }
  const root = parameters.get('root') ?? 'lower';
  if (!ROOTS.includes(root as Root)) throw unknownName('root of draw', root, ROOTS);
  return drawSpeeds({
    capacities,
    heterogeneity: parseNumber(heterogeneity, 'sh of draw', { atLeast: 0 }),
    seed: parseWholeNumber(parameters.get('seed') ?? '1', 'seed of draw', { atLeast: 0 }),
    root: root as Root,
    floor: parseNumber(parameters.get('floor') ?? String(DEFAULT_FLOOR), 'floor of draw', { above: 0 }),
  });
}

/** Whether speeds as a person writes them are drawn, and so have a seed. */
export function isDrawn(text: string): boolean {
  return /^\s*[a-z]/i.test(text);
}

/**
 * Speeds as a person writes them: `1,3,4,4,8`, or `draw[sh=0.12,seed=1,root=lower]` for a seeded random vector
 * (root: lower, upper or random; floor: least speed, 0.1).
 * @param capacities processors per site, for a draw.
 * @throws InputError for anything else, and for draws that `drawSpeeds` refuses.
 * @example
 * console.log(parseSpeeds('1,2', grid.capacities).length); // 2
 */
export function parseSpeeds(text: string, capacities: readonly number[]): number[] {
  checkGiven(text, 'text', 'parseSpeeds, text');
  checkGiven(capacities, 'list', 'parseSpeeds, capacities');
  if (isDrawn(text)) return parseDraw(parseNotation(text), capacities);
  return parseNumberList(text, 'speeds', { above: 0 });
}
