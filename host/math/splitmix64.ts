/**
 * The counting generator splitmix64 (Steele, Lea, Flood 2014): output k of a seed is a function of the two alone, so
 * draws depend on no order. Computed in 32-bit words; the same bits on every host.
 */

/** The increment of the counter and the two multipliers, each as high and low word. */
const GAMMA_HIGH = 0x9e3779b9;
const GAMMA_LOW = 0x7f4a7c15;
const FIRST_HIGH = 0xbf58476d;
const FIRST_LOW = 0x1ce4e5b9;
const SECOND_HIGH = 0x94d049bb;
const SECOND_LOW = 0x133111eb;

const WORD = 2 ** 32;

/** The words of the last product and of the last output. */
let high = 0;
let low = 0;

/** The high word of the product of two words. */
function highOfProduct(a: number, b: number): number {
  const aLow = a & 0xffff;
  const aHigh = a >>> 16;
  const bLow = b & 0xffff;
  const bHigh = b >>> 16;
  const middle = (aHigh * bLow + ((aLow * bLow) >>> 16)) >>> 0;
  const cross = (aLow * bHigh + (middle & 0xffff)) >>> 0;
  return aHigh * bHigh + (middle >>> 16) + (cross >>> 16);
}

/** Sets `high` and `low` to their product with a multiplier, modulo 2^64. */
function multiply(byHigh: number, byLow: number): void {
  const upper = highOfProduct(low, byLow) + Math.imul(low, byHigh) + Math.imul(high, byLow);
  low = Math.imul(low, byLow) >>> 0;
  high = upper >>> 0;
}

/** Sets `high` and `low` to their exclusive or with themselves, shifted right by less than 32 bits. */
function fold(shift: number): void {
  low = (low ^ ((low >>> shift) | (high << (32 - shift)))) >>> 0;
  high = (high ^ (high >>> shift)) >>> 0;
}

/** Sets `high` and `low` to output k of a seed. */
function draw(seed: number, k: number): void {
  low = k >>> 0;
  high = Math.floor(k / WORD);
  multiply(GAMMA_HIGH, GAMMA_LOW);
  const sum = low + (seed >>> 0);
  high = (high + Math.floor(seed / WORD) + (sum >= WORD ? 1 : 0)) >>> 0;
  low = sum >>> 0;
  fold(30);
  multiply(FIRST_HIGH, FIRST_LOW);
  fold(27);
  multiply(SECOND_HIGH, SECOND_LOW);
  fold(31);
}

/** Output k = 1, 2, ... of a seed, from [0, 1) with 53 bits. Seed and k are whole numbers from 0 to 2^53 - 1. */
export function uniformOf(seed: number, k: number): number {
  draw(seed, k);
  return (high * 2 ** 21 + (low >>> 11)) * 2 ** -53;
}
