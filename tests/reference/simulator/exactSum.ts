/** Number of fraction bits of the smallest positive double, 2^-1074. */
const MIN_DOUBLE_FRACTION_BITS = 1074;
const doubleBits = new DataView(new ArrayBuffer(8));

/** A finite double as a whole number of units of 2^-1074. */
function toUnitsOfMinDouble(value: number): bigint {
  doubleBits.setFloat64(0, value);
  const word = doubleBits.getBigUint64(0);
  const exponent = (word >> 52n) & 0x7ffn;
  const fractionBits = word & 0xfffffffffffffn;
  const magnitude = exponent === 0n ? fractionBits : (fractionBits | (1n << 52n)) << (exponent - 1n);
  return value < 0 ? -magnitude : magnitude;
}

/**
 * Exact sum of doubles, rounded once to the nearest double (ties to even), as Python's math.fsum.
 */
export function sumExactly(values: readonly number[]): number {
  const nonFiniteValues = values.filter((value) => !Number.isFinite(value));
  if (nonFiniteValues.length > 0) return nonFiniteValues.reduce((sum, value) => sum + value);
  const total = values.reduce((sum, value) => sum + toUnitsOfMinDouble(value), 0n);
  // The leading 64 bits, the last of which also represents all following ones; Number() rounds
  // once, and scaling is exact.
  const magnitude = total < 0n ? -total : total;
  const shift = BigInt(Math.max(0, magnitude.toString(2).length - 64));
  const isCut = magnitude % (1n << shift) !== 0n;
  const roundedNumber =
    Number((magnitude >> shift) | (isCut ? 1n : 0n)) * 2 ** (Number(shift) - MIN_DOUBLE_FRACTION_BITS);
  return total < 0n ? -roundedNumber : roundedNumber;
}
