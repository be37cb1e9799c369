/**
 * Seeded random streams. A stream belongs to a seed and a name, so that one quantity of a model can change
 * without moving the draws of another. All are built on plain arithmetic: a stream gives the same bits on
 * every machine. Nothing is global.
 */
import { mersenneTwister } from '../math/mersenneTwister.js';
import { gammaDraws, normalDraws } from '../math/variates.js';

/** Seed array of the Mersenne Twister: low and high half of the seed, then the letters of the name. */
function seedArray(seed: number, name: string): number[] {
  const high = Math.floor(seed / 2 ** 32);
  return [seed >>> 0, high, ...Array.from(name, (letter) => letter.codePointAt(0)!)];
}

const generator = (seed: number, name: string) => mersenneTwister(seedArray(seed, name));

/** Draws from [0, 1), 53 bits each. `seed` is a whole number from 0 to 2^53 - 1. */
export function uniformStream(seed: number, name: string): () => number {
  return generator(seed, name).uniform;
}

/** Draws from gamma distributions of the given shape and scale (mean: shape times scale). */
export function gammaStream(seed: number, name: string): (shape: number, scale: number) => number {
  const draw = gammaDraws(generator(seed, name));
  return (shape, scale) => draw(shape) * scale;
}

/** Draws from the normal distribution of mean 0 and variance 1. */
export function normalStream(seed: number, name: string): () => number {
  return normalDraws(generator(seed, name));
}
