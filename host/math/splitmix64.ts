/**
 * The counting generator splitmix64 (Steele, Lea, Flood 2014): output k of a seed is a function of the two alone, so
 * draws depend on no order. 64 bits are two words of 32, which is much faster than whole numbers of 64; the same bits on
 * every host.
 */

const WORD = 2 ** 32;

/** The high word of the product of two unsigned words, as a signed number. */
function highOfProduct(a: number, b: number): number {
  const aLow = a & 0xffff;
  const aHigh = a >>> 16;
  const bLow = b & 0xffff;
  const bHigh = b >>> 16;
  const middle = Math.imul(aHigh, bLow) + (Math.imul(aLow, bLow) >>> 16);
  const cross = Math.imul(aLow, bHigh) + (middle & 0xffff);
  return (Math.imul(aHigh, bHigh) + (middle >>> 16) + (cross >>> 16)) | 0;
}

/** The high word of the product of two numbers of 64 bits, modulo 2^64. */
function highWord(high: number, low: number, byHigh: number, byLow: number): number {
  return (highOfProduct(low, byLow) + Math.imul(high, byLow) + Math.imul(low, byHigh)) | 0;
}

/** Output k = 1, 2, ... of a seed, from [0, 1) with 53 bits. Seed and k are whole numbers from 0 to 2^53 - 1. */
export function uniformOf(seed: number, k: number): number {
  const step = highWord(Math.floor(k / WORD), k, 0x9e3779b9, 0x7f4a7c15);
  const seedLow = seed >>> 0;
  let low = (Math.imul(k, 0x7f4a7c15) + seedLow) | 0;
  let high = (step + Math.floor(seed / WORD) + (low >>> 0 < seedLow ? 1 : 0)) | 0;
  low ^= (low >>> 30) | (high << 2);
  high ^= high >>> 30;
  high = highWord(high, low, 0xbf58476d, 0x1ce4e5b9);
  low = Math.imul(low, 0x1ce4e5b9);
  low ^= (low >>> 27) | (high << 5);
  high ^= high >>> 27;
  high = highWord(high, low, 0x94d049bb, 0x133111eb);
  low = Math.imul(low, 0x133111eb);
  low ^= (low >>> 31) | (high << 1);
  high ^= high >>> 31;
  return ((high >>> 0) * 2 ** 21 + (low >>> 11)) * 2 ** -53;
}
