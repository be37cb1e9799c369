/**
 * The Mersenne Twister MT19937 of Matsumoto and Nishimura (1998), seeded with an array as in their program of
 * 2002, whose notice stands in THIRD-PARTY.md.
 */

const SIZE = 624;
const SHIFT = 397;

/** One step of both fillings of the state: the word before, mixed and multiplied. */
const mixed = (word: number, factor: number) => Math.imul(word ^ (word >>> 30), factor);

/** The state after seeding; the words of the seed are taken modulo 2^32. */
function seededState(seed: readonly number[]): Int32Array {
  const state = new Int32Array(SIZE);
  state[0] = 19650218;
  for (let i = 1; i < SIZE; i++) state[i] = mixed(state[i - 1]!, 1812433253) + i;
  let i = 1;
  const advance = () => {
    if (++i < SIZE) return;
    state[0] = state[SIZE - 1]!;
    i = 1;
  };
  for (let k = 0; k < Math.max(SIZE, seed.length); k++) {
    const j = k % seed.length;
    state[i] = (state[i]! ^ mixed(state[i - 1]!, 1664525)) + seed[j]! + j;
    advance();
  }
  for (let k = 1; k < SIZE; k++) {
    state[i] = (state[i]! ^ mixed(state[i - 1]!, 1566083941)) - i;
    advance();
  }
  state[0] = -(2 ** 31);
  return state;
}

/** The next 624 words, in place. */
function twist(state: Int32Array): void {
  for (let i = 0; i < SIZE; i++) {
    const after = i + 1 < SIZE ? i + 1 : 0;
    const ahead = i + SHIFT < SIZE ? i + SHIFT : i + SHIFT - SIZE;
    const word = (state[i]! & 0x80000000) | (state[after]! & 0x7fffffff);
    state[i] = state[ahead]! ^ (word >>> 1) ^ (-(word & 1) & 0x9908b0df);
  }
}

/** A stream of random numbers. */
export interface Generator {
  /** The next 32 bits, as a signed number. */
  readonly bits: () => number;
  /** A number from [0, 1) with 53 bits, made of two times 32. */
  readonly uniform: () => number;
}

/** The stream of a seed, which has at least one word. */
export function mersenneTwister(seed: readonly number[]): Generator {
  const state = seededState(seed);
  let next = SIZE;
  const bits = () => {
    if (next === SIZE) {
      twist(state);
      next = 0;
    }
    let word = state[next++]!;
    word ^= word >>> 11;
    word ^= (word << 7) & 0x9d2c5680;
    word ^= (word << 15) & 0xefc60000;
    return word ^ (word >>> 18);
  };
  const uniform = () => {
    const high = bits() >>> 5;
    return (high * 2 ** 26 + (bits() >>> 6)) / 2 ** 53;
  };
  return { bits, uniform };
}
