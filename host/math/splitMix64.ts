/**
 * SplitMix64 (Steele, Lea and Flood 2014), which counts and has no other state: what it gives at a place depends on
 * no other draw, and so on no order of draws.
 */

/** The upper 32 bits of the product of two unsigned numbers of 32 bits, as a signed number. */
function upperProduct(a: number, b: number): number {
  const [aLow, aHigh, bLow, bHigh] = [a & 0xffff, a >>> 16, b & 0xffff, b >>> 16];
  const middle = Math.imul(aHigh, bLow) + (Math.imul(aLow, bLow) >>> 16);
  const other = Math.imul(aLow, bHigh) + (middle & 0xffff);
  return (Math.imul(aHigh, bHigh) + (middle >>> 16) + (other >>> 16)) | 0;
}

/**
 * The draws of a seed by their place, from [0, 1) with 53 bits: the upper bits of output k = 1, 2, ... of SplitMix64.
 * @param seed a whole number from 0 to 2^53 - 1; places are below 2^32.
 */
export function uniformAt(seed: number): (place: number) => number {
  const seedHigh = Math.floor(seed / 2 ** 32);
  const seedLow = seed >>> 0;
  // 64 bits are two signed numbers of 32, which is much faster than a BigInt.
  return (place) => {
    const step = Math.imul(place, 0x7f4a7c15);
    let low = (step + seedLow) | 0;
    const carry = low >>> 0 < seedLow ? 1 : 0;
    let high = (upperProduct(place, 0x7f4a7c15) + Math.imul(place, 0x9e3779b9) + seedHigh + carry) | 0;
    low ^= (low >>> 30) | (high << 2);
    high ^= high >>> 30;
    high = (upperProduct(low, 0x1ce4e5b9) + Math.imul(high, 0x1ce4e5b9) + Math.imul(low, 0xbf58476d)) | 0;
    low = Math.imul(low, 0x1ce4e5b9);
    low ^= (low >>> 27) | (high << 5);
    high ^= high >>> 27;
    high = (upperProduct(low, 0x133111eb) + Math.imul(high, 0x133111eb) + Math.imul(low, 0x94d049bb)) | 0;
    low = Math.imul(low, 0x133111eb);
    low ^= (low >>> 31) | (high << 1);
    high ^= high >>> 31;
    return ((high >>> 0) * 2 ** 21 + (low >>> 11)) / 2 ** 53;
  };
}
