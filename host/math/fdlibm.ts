/**
 * Exponential, logarithm and power after fdlibm, Sun's freely distributable library: + - * / and sqrt alone, so
 * that every host gets the same bits (those of `Math` differ between engines). Errors are below one unit in the
 * last place.
 *
 * Copyright (C) 1993, 2004 by Sun Microsystems, Inc. All rights reserved.
 *
 * Developed at SunSoft, a Sun Microsystems, Inc. business.
 * Permission to use, copy, modify, and distribute this
 * software is freely granted, provided that this notice
 * is preserved.
 */

const doubleBits = new Float64Array([1]);
const doubleWords = new Int32Array(doubleBits.buffer);
/**
 * Index of the 32-bit word of a double with sign and exponent, which depends on the byte order of the machine.
 */
const HIGH_WORD = doubleWords[1] === 0 ? 0 : 1;
const LOW_WORD = 1 - HIGH_WORD;

/** Sign, exponent and the first 20 bits of the fraction, as a signed number. */
function highWord(x: number): number {
  doubleBits[0] = x;
  return doubleWords[HIGH_WORD]!;
}

function withHighWord(x: number, high: number): number {
  doubleBits[0] = x;
  doubleWords[HIGH_WORD] = high;
  return doubleBits[0];
}

/** The value without the last 32 bits of its fraction, so that products with it are exact or nearly so. */
function withoutLowWord(x: number): number {
  doubleBits[0] = x;
  doubleWords[LOW_WORD] = 0;
  return doubleBits[0];
}

const FRACTION_MASK = 0x000fffff;
/** High word of 1, and of the least normal number. */
const ONE_HIGH = 0x3ff00000;
const MIN_NORMAL = 0x00100000;
const EXPONENT_BIAS = 1023;

/** 2^n for n from -1022 to 1023. */
const powerOfTwo = (n: number) => withHighWord(0, (n + EXPONENT_BIAS) << 20);

/** x 2^n, rounded once, for x near 1 and n from -1075 to 1024. */
function timesPowerOf2(x: number, n: number): number {
  if (n > EXPONENT_BIAS) return x * 2 * powerOfTwo(n - 1);
  if (n < 1 - EXPONENT_BIAS) return x * powerOfTwo(n + 100) * powerOfTwo(-100);
  return x * powerOfTwo(n);
}

/** ln 2 in two parts, the first of which has 33 bits: its products with exponents are exact. */
const LN2_HIGH = 0.6931471803691238;
const LN2_LOW = 1.9082149292705877e-10;

/** (r coth(r / 2) - 2) / r^2 as a polynomial in z = r^2, for |r| up to ln(2) / 2. */
const expPolynomial = (z: number) =>
  0.16666666666666602 +
  z *
    (-0.0027777777777015593 +
      z * (0.00006613756321437934 + z * (-0.0000016533902205465252 + z * 4.1381367970572385e-8)));

const MIN_OVERFLOWING = 709.782712893384;
const MAX_UNDERFLOWING = -745.1332191019411;

/** e to the power x. */
export function exp(x: number): number {
  if (Number.isNaN(x)) return x;
  if (x > MIN_OVERFLOWING) return Number.POSITIVE_INFINITY;
  if (x < MAX_UNDERFLOWING) return 0;
  if (Math.abs(x) < 2 ** -28) return 1 + x;
  const k = Math.trunc(Math.LOG2E * x + (x < 0 ? -0.5 : 0.5));
  const high = x - k * LN2_HIGH;
  const low = k * LN2_LOW;
  const r = high - low;
  const z = r * r;
  const c = r - z * expPolynomial(z);
  return timesPowerOf2(1 - (low - (r * c) / (2 - c) - high), k);
}

/** Natural logarithm: -Infinity at 0, NaN below. */
export function ln(x: number): number {
  if (x === 0) return Number.NEGATIVE_INFINITY;
  if (!(x > 0)) return Number.NaN;
  if (x === Number.POSITIVE_INFINITY) return x;
  const subnormal = highWord(x) < MIN_NORMAL;
  const normal = subnormal ? x * 2 ** 54 : x;
  const high = highWord(normal);
  const fraction = high & FRACTION_MASK;
  // x = 2^k (1 + f), 1 + f between sqrt(2) / 2 and sqrt(2).
  const i = (fraction + 0x95f64) & MIN_NORMAL;
  const f = withHighWord(normal, fraction | (i ^ ONE_HIGH)) - 1;
  const k = (high >> 20) - EXPONENT_BIAS + (i >> 20) - (subnormal ? 54 : 0);
  if ((FRACTION_MASK & (2 + fraction)) < 3) {
    // |f| < 2^-20
    if (f === 0) return k === 0 ? 0 : k * LN2_HIGH + k * LN2_LOW;
    const rest = f * f * (0.5 - 0.3333333333333333 * f);
    return k === 0 ? f - rest : k * LN2_HIGH - (rest - k * LN2_LOW - f);
  }
  const s = f / (2 + f);
  const z = s * s;
  const w = z * z;
  const odd = w * (0.3999999999940942 + w * (0.22222198432149784 + w * 0.15313837699209373));
  const even =
    z * (0.6666666666666735 + w * (0.2857142874366239 + w * (0.1818357216161805 + w * 0.14798198605116586)));
  const rest = even + odd;
  if (((fraction - 0x6147a) | (0x6b851 - fraction)) > 0) {
    const half = 0.5 * f * f;
    return k === 0
      ? f - (half - s * (half + rest))
      : k * LN2_HIGH - (half - (s * (half + rest) + k * LN2_LOW) - f);
  }
  return k === 0 ? f - s * (f - rest) : k * LN2_HIGH - (s * (f - rest) - k * LN2_LOW - f);
}

/** log2(x) in two parts, the first of 21 bits, for x within 2^-20 of 1. */
function log2NearOne(x: number): [number, number] {
  const t = x - 1;
  const w = t * t * (0.5 + t * (-0.3333333333333333 + t * 0.25));
  const u = 1.4426950216293335 * t;
  const v = t * 1.9259629911266175e-8 - w * Math.LOG2E;
  const first = withoutLowWord(u + v);
  return [first, v - (first - u)];
}

/** 2 / (3 ln 2), and the same in two parts. */
const TWO_OVER_3_LN2 = 0.9617966939259756;
const TWO_OVER_3_LN2_HIGH = 0.9617967009544373;
const TWO_OVER_3_LN2_LOW = -7.028461650952758e-9;
/** log2(1.5) in two parts. */
const LOG2_OF_1_5_HIGH = 0.5849624872207642;
const LOG2_OF_1_5_LOW = 1.350039202129749e-8;

/** log2(x) in two parts, the first of 21 bits, for positive and finite x. */
function log2(x: number): [number, number] {
  const subnormal = highWord(x) < MIN_NORMAL;
  const normal = subnormal ? x * 2 ** 53 : x;
  const word = highWord(normal);
  const fraction = word & FRACTION_MASK;
  // x = 2^n a, a next to 1 or to 1.5: up to sqrt(3/2), up to sqrt(3), above.
  const nextToOne = fraction <= 0x3988e;
  const aboveRoot3 = fraction >= 0xbb67a;
  const n = (word >> 20) - EXPONENT_BIAS - (subnormal ? 53 : 0) + (aboveRoot3 ? 1 : 0);
  const aWord = (fraction | ONE_HIGH) - (aboveRoot3 ? MIN_NORMAL : 0);
  const a = withHighWord(normal, aWord);
  const nextTo1_5 = !nextToOne && !aboveRoot3;
  const base = nextTo1_5 ? 1.5 : 1;
  // s = (a - base) / (a + base), in two parts.
  const difference = a - base;
  const inverse = 1 / (a + base);
  const s = difference * inverse;
  const sHigh = withoutLowWord(s);
  const sumHigh = withHighWord(0, ((aWord >> 1) | 0x20000000) + 0x00080000 + (nextTo1_5 ? 1 << 18 : 0));
  const sumLow = a - (sumHigh - base);
  const sLow = inverse * (difference - sHigh * sumHigh - sHigh * sumLow);
  // ln(a / base) = 2 s + 2/3 s^3 + 2/5 s^5 + ...
  const square = s * s;
  const r =
    square *
      square *
      (0.5999999999999946 +
        square *
          (0.4285714285785502 +
            square *
              (0.33333332981837743 +
                square *
                  (0.272728123808534 + square * (0.23066074577556175 + square * 0.20697501780033842))))) +
    sLow * (sHigh + s);
  const squareHigh = sHigh * sHigh;
  const seriesHigh = withoutLowWord(3 + squareHigh + r);
  const seriesLow = r - (seriesHigh - 3 - squareHigh);
  const u = sHigh * seriesHigh;
  const v = sLow * seriesHigh + seriesLow * s;
  const productHigh = withoutLowWord(u + v);
  const productLow = v - (productHigh - u);
  const high = TWO_OVER_3_LN2_HIGH * productHigh;
  const low =
    TWO_OVER_3_LN2_LOW * productHigh + productLow * TWO_OVER_3_LN2 + (nextTo1_5 ? LOG2_OF_1_5_LOW : 0);
  const baseLog = nextTo1_5 ? LOG2_OF_1_5_HIGH : 0;
  const first = withoutLowWord(high + low + baseLog + n);
  return [first, low - (first - n - baseLog - high)];
}

/** 2^(high + low) for a sum between -1075 and 1024 that is nearly `high`. */
function exp2(high: number, low: number): number {
  const sum = high + low;
  // (A sum just above 0.5 stays whole, as in fdlibm.)
  const n = Math.abs(sum) < 0.5 + 2 ** -21 ? 0 : Math.trunc(sum + (sum < 0 ? -0.5 : 0.5));
  const rest = high - n;
  const t = withoutLowWord(low + rest);
  const u = t * 0.6931471824645996;
  const v = (low - (t - rest)) * Math.LN2 + t * -1.904654299957768e-9;
  const z = u + v;
  const w = v - (z - u);
  const square = z * z;
  const c = z - square * expPolynomial(square);
  const r = (z * c) / (c - 2) - (w + z * w);
  return timesPowerOf2(1 - (r - z), n);
}

/** x to the power y, for x of at least 0; NaN below. */
export function pow(x: number, y: number): number {
  if (!(x >= 0) || Number.isNaN(y)) return Number.NaN;
  if (y === 0 || x === 1) return 1;
  if (y === 1) return x;
  if (y === -1) return 1 / x;
  if (y === 0.5) return Math.sqrt(x);
  if (y === -0.5) return 1 / Math.sqrt(x);
  if (y === 2) return x * x;
  if (y === 3) return x * x * x;
  if (y === 4) return x * x * (x * x);
  const atLimit = x < 1 === y < 0 ? Number.POSITIVE_INFINITY : 0;
  if (x === 0 || x === Number.POSITIVE_INFINITY) return atLimit;
  const nearOne = highWord(x) >= 0x3fefffff && highWord(x) <= ONE_HIGH;
  const yWord = highWord(Math.abs(y));
  const aboveAll = yWord > 0x43f00000;
  const above2To31 = yWord > 0x41e00000;
  if (aboveAll || (above2To31 && !nearOne)) return atLimit;
  const [logHigh, logLow] = above2To31 ? log2NearOne(x) : log2(x);
  // y log2(x), in two parts.
  const yHigh = withoutLowWord(y);
  const low = (y - yHigh) * logHigh + y * logLow;
  const high = yHigh * logHigh;
  const z = low + high;
  if (z > 1024 || (z === 1024 && low + 8.008566259537294e-17 > z - high)) return Number.POSITIVE_INFINITY;
  if (z < -1075 || (z === -1075 && low <= z - high)) return 0;
  return exp2(high, low);
}
