/**
 * Random number generators and distributions with seeded streams. Only basic arithmetic is used, which gives
 * equal bits on every machine.
 */
import { exp, naturalLogarithm, pow } from './fdlibm.js';

// The Mersenne Twister MT19937 of Matsumoto and Nishimura (1998), seeded with an array as in their program of 2002,
// whose notice is in THIRD-PARTY.md.

const TWISTER_STATE_WORD_COUNT = 624;
const TWISTER_SHIFT_WORD_COUNT = 397;

/** Mixing step of both initializations: mixes and multiplies the previous word. */
const mixTwisterWord = (twisterWord: number, multiplier: number) =>
  Math.imul(twisterWord ^ (twisterWord >>> 30), multiplier);

/** State after seeding; seed words are taken modulo 2^32. */
function seedTwisterState(seed: readonly number[]): Int32Array {
  const twisterState = new Int32Array(TWISTER_STATE_WORD_COUNT);
  twisterState[0] = 19650218;
  for (let i = 1; i < TWISTER_STATE_WORD_COUNT; i++)
    twisterState[i] = mixTwisterWord(twisterState[i - 1]!, 1812433253) + i;
  let i = 1;
  const moveToNextStateWord = () => {
    if (++i < TWISTER_STATE_WORD_COUNT) return;
    twisterState[0] = twisterState[TWISTER_STATE_WORD_COUNT - 1]!;
    i = 1;
  };
  for (let k = 0; k < Math.max(TWISTER_STATE_WORD_COUNT, seed.length); k++) {
    const j = k % seed.length;
    twisterState[i] = (twisterState[i]! ^ mixTwisterWord(twisterState[i - 1]!, 1664525)) + seed[j]! + j;
    moveToNextStateWord();
  }
  for (let k = 1; k < TWISTER_STATE_WORD_COUNT; k++) {
    twisterState[i] = (twisterState[i]! ^ mixTwisterWord(twisterState[i - 1]!, 1566083941)) - i;
    moveToNextStateWord();
  }
  twisterState[0] = -(2 ** 31);
  return twisterState;
}

/** Computes the next 624 words in place. */
function advanceTwisterState(twisterState: Int32Array): void {
  for (let i = 0; i < TWISTER_STATE_WORD_COUNT; i++) {
    const nextIndex = i + 1 < TWISTER_STATE_WORD_COUNT ? i + 1 : 0;
    const shiftedWordIndex =
      i + TWISTER_SHIFT_WORD_COUNT < TWISTER_STATE_WORD_COUNT
        ? i + TWISTER_SHIFT_WORD_COUNT
        : i + TWISTER_SHIFT_WORD_COUNT - TWISTER_STATE_WORD_COUNT;
    const twisterWord = (twisterState[i]! & 0x80000000) | (twisterState[nextIndex]! & 0x7fffffff);
    twisterState[i] =
      twisterState[shiftedWordIndex]! ^ (twisterWord >>> 1) ^ (-(twisterWord & 1) & 0x9908b0df);
  }
}

/** A stream of random numbers. */
export interface RandomGenerator {
  /** Next 32 bits, as a signed number. */
  readonly drawBits: () => number;
  /** Uniform number in [0, 1) with 53 bits, from two words. */
  readonly drawUniform: () => number;
}

/** Mersenne Twister with a seed of at least one word. */
export function makeMersenneTwister(seed: readonly number[]): RandomGenerator {
  const twisterState = seedTwisterState(seed);
  let nextStateWordIndex = TWISTER_STATE_WORD_COUNT;
  const drawBits = () => {
    if (nextStateWordIndex === TWISTER_STATE_WORD_COUNT) {
      advanceTwisterState(twisterState);
      nextStateWordIndex = 0;
    }
    let twisterWord = twisterState[nextStateWordIndex++]!;
    twisterWord ^= twisterWord >>> 11;
    twisterWord ^= (twisterWord << 7) & 0x9d2c5680;
    twisterWord ^= (twisterWord << 15) & 0xefc60000;
    return twisterWord ^ (twisterWord >>> 18);
  };
  const drawUniform = () => {
    const high = drawBits() >>> 5;
    return (high * 2 ** 26 + (drawBits() >>> 6)) / 2 ** 53;
  };
  return { drawBits, drawUniform };
}

// The counting generator splitmix64 (Steele, Lea, Flood 2014): output k of a seed is a function of the two alone, so draws
// depend on no order. 64 bits are two words of 32, which is much faster than whole numbers of 64.

const TWO_TO_THE_32 = 2 ** 32;

/** High word of the product of two unsigned words, as a signed number. */
function computeHighWordOf32BitProduct(a: number, b: number): number {
  const lowHalfOfA = a & 0xffff;
  const highHalfOfA = a >>> 16;
  const lowHalfOfB = b & 0xffff;
  const highHalfOfB = b >>> 16;
  const middleProduct = Math.imul(highHalfOfA, lowHalfOfB) + (Math.imul(lowHalfOfA, lowHalfOfB) >>> 16);
  const crossProduct = Math.imul(lowHalfOfA, highHalfOfB) + (middleProduct & 0xffff);
  return (Math.imul(highHalfOfA, highHalfOfB) + (middleProduct >>> 16) + (crossProduct >>> 16)) | 0;
}

/** High word of the product of two 64-bit numbers, modulo 2^64. */
function computeHighWordOf64BitProduct(
  high: number,
  low: number,
  factorHigh: number,
  factorLow: number,
): number {
  return (
    (computeHighWordOf32BitProduct(low, factorLow) +
      Math.imul(high, factorLow) +
      Math.imul(low, factorHigh)) |
    0
  );
}

/**
 * Number k = 1, 2, ... of a seed: uniform in [0, 1) with 53 bits. Seed and k are whole numbers from 0 to 2^53
 * - 1.
 */
export function computeUniformNumberOfSeed(seed: number, k: number): number {
  const highProduct = computeHighWordOf64BitProduct(Math.floor(k / TWO_TO_THE_32), k, 0x9e3779b9, 0x7f4a7c15);
  const lowWordOfSeed = seed >>> 0;
  let low = (Math.imul(k, 0x7f4a7c15) + lowWordOfSeed) | 0;
  let high = (highProduct + Math.floor(seed / TWO_TO_THE_32) + (low >>> 0 < lowWordOfSeed ? 1 : 0)) | 0;
  low ^= (low >>> 30) | (high << 2);
  high ^= high >>> 30;
  high = computeHighWordOf64BitProduct(high, low, 0xbf58476d, 0x1ce4e5b9);
  low = Math.imul(low, 0x1ce4e5b9);
  low ^= (low >>> 27) | (high << 5);
  high ^= high >>> 27;
  high = computeHighWordOf64BitProduct(high, low, 0x94d049bb, 0x133111eb);
  low = Math.imul(low, 0x133111eb);
  low ^= (low >>> 31) | (high << 1);
  high ^= high >>> 31;
  return ((high >>> 0) * 2 ** 21 + (low >>> 11)) * 2 ** -53;
}

// Draws from distributions

/**
 * Layers of the ziggurat for the normal density: 128 of equal area, the lowest including the tail beyond
 * NORMAL_TAIL_START. ZIGGURAT_LAYER_EDGES contains their ends, from the lowest up.
 */
const ZIGGURAT_LAYER_COUNT = 128;
const NORMAL_TAIL_START = 3.442619855899;
const ZIGGURAT_LAYER_AREA = 9.91256303526217e-3;
/** Normal density, scaled to 1 at 0. */
const computeUnscaledNormalDensity = (x: number) => exp(-0.5 * x * x);
const ZIGGURAT_LAYER_EDGES = Float64Array.from(computeZigguratLayerEdges());

function computeZigguratLayerEdges(): number[] {
  const layerEdges = [
    ZIGGURAT_LAYER_AREA / computeUnscaledNormalDensity(NORMAL_TAIL_START),
    NORMAL_TAIL_START,
  ];
  while (layerEdges.length < ZIGGURAT_LAYER_COUNT) {
    const layerEdge = layerEdges[layerEdges.length - 1]!;
    layerEdges.push(
      Math.sqrt(
        -2 * naturalLogarithm(ZIGGURAT_LAYER_AREA / layerEdge + computeUnscaledNormalDensity(layerEdge)),
      ),
    );
  }
  return [...layerEdges, 0];
}

/** Draws from the tail of the normal distribution (Marsaglia 1964). */
function drawNormalTailNumber({ drawUniform }: RandomGenerator): number {
  for (;;) {
    const x = -naturalLogarithm(drawUniform()) / NORMAL_TAIL_START;
    if (-2 * naturalLogarithm(drawUniform()) >= x * x) return NORMAL_TAIL_START + x;
  }
}

/** Draws from the standard normal distribution: J. A. Doornik's improved ziggurat (2005). */
export function makeNormalSampler(generator: RandomGenerator): () => number {
  const { drawBits, drawUniform } = generator;
  return () => {
    for (;;) {
      const u = 2 * drawUniform() - 1;
      const layer = drawBits() & (ZIGGURAT_LAYER_COUNT - 1);
      const layerEdge = ZIGGURAT_LAYER_EDGES[layer]!;
      const inner = ZIGGURAT_LAYER_EDGES[layer + 1]!;
      if (Math.abs(u) < inner / layerEdge) return u * layerEdge;
      if (layer === 0) return u < 0 ? -drawNormalTailNumber(generator) : drawNormalTailNumber(generator);
      const x = u * layerEdge;
      // Densities at the outer and the inner edge of the layer, divided by the density at x.
      const low = exp(-0.5 * (layerEdge * layerEdge - x * x));
      const high = exp(-0.5 * (inner * inner - x * x));
      if (high + drawUniform() * (low - high) < 1) return x;
    }
  };
}

/** Draws from gamma distributions with scale 1: G. Marsaglia and W. W. Tsang, A simple method (2000). */
export function makeGammaSampler(generator: RandomGenerator): (shape: number) => number {
  const { drawUniform } = generator;
  const drawNormal = makeNormalSampler(generator);
  const drawWithShapeFromOne = (shape: number) => {
    const d = shape - 1 / 3;
    const c = 1 / Math.sqrt(9 * d);
    for (;;) {
      const x = drawNormal();
      const root = 1 + c * x;
      if (root <= 0) continue;
      const v = root * (root * root);
      const square = x * x;
      const u = drawUniform();
      if (
        u < 1 - 0.0331 * square * square ||
        naturalLogarithm(u) < 0.5 * square + d * (1 - v + naturalLogarithm(v))
      )
        return d * v;
    }
  };
  return (shape) =>
    shape < 1 ? drawWithShapeFromOne(shape + 1) * pow(drawUniform(), 1 / shape) : drawWithShapeFromOne(shape);
}

// Seeded streams. A stream belongs to a seed and a name, so that one quantity of a model can change without moving
// the draws of another. Nothing is global.

/** Seed words of the Mersenne Twister: low and high half of the seed, then the letters of the name. */
function makeTwisterSeedArray(seed: number, streamName: string): number[] {
  const high = Math.floor(seed / 2 ** 32);
  return [seed >>> 0, high, ...Array.from(streamName, (letter) => letter.codePointAt(0)!)];
}

const makeNamedGenerator = (seed: number, streamName: string) =>
  makeMersenneTwister(makeTwisterSeedArray(seed, streamName));

/** Stream of uniform numbers in [0, 1) with 53 bits. `seed` is a whole number from 0 to 2^53 - 1. */
export function makeUniformStream(seed: number, streamName: string): () => number {
  return makeNamedGenerator(seed, streamName).drawUniform;
}

/** Stream of gamma-distributed numbers with given shape and scale (mean: shape times scale). */
export function makeGammaStream(seed: number, streamName: string): (shape: number, scale: number) => number {
  const drawGamma = makeGammaSampler(makeNamedGenerator(seed, streamName));
  return (shape, scale) => drawGamma(shape) * scale;
}

/** Stream of standard normal numbers. */
export function makeNormalStream(seed: number, streamName: string): () => number {
  return makeNormalSampler(makeNamedGenerator(seed, streamName));
}
