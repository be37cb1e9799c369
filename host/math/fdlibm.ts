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

const oneDoubleBuffer = new Float64Array([1]);
const doubleBufferWords = new Int32Array(oneDoubleBuffer.buffer);
/**
 * Index of the 32-bit word of a double with sign and exponent, which depends on the byte order of the machine.
 */
const HIGH_WORD_INDEX = doubleBufferWords[1] === 0 ? 0 : 1;
const LOW_WORD_INDEX = 1 - HIGH_WORD_INDEX;

/** Sign, exponent and the first 20 bits of the fraction, as a signed number. */
function readHighWordOfDouble(x: number): number {
  oneDoubleBuffer[0] = x;
  return doubleBufferWords[HIGH_WORD_INDEX]!;
}

function replaceHighWord(x: number, high: number): number {
  oneDoubleBuffer[0] = x;
  doubleBufferWords[HIGH_WORD_INDEX] = high;
  return oneDoubleBuffer[0];
}

/** Clears the last 32 bits of the fraction, so that products are exact or nearly exact. */
function clearLowWord(x: number): number {
  oneDoubleBuffer[0] = x;
  doubleBufferWords[LOW_WORD_INDEX] = 0;
  return oneDoubleBuffer[0];
}

const HIGH_WORD_FRACTION_MASK = 0x000fffff;
/** High word of 1, and of the smallest normal number. */
const HIGH_WORD_OF_ONE = 0x3ff00000;
const HIGH_WORD_OF_MIN_NORMAL = 0x00100000;
const DOUBLE_EXPONENT_BIAS = 1023;

/** 2^n for n from -1022 to 1023. */
const computeExactPowerOf2 = (n: number) => replaceHighWord(0, (n + DOUBLE_EXPONENT_BIAS) << 20);

/** x 2^n, rounded once, for x near 1 and n from -1075 to 1024. */
function multiplyByPowerOf2(x: number, n: number): number {
  if (n > DOUBLE_EXPONENT_BIAS + 1) return Number.POSITIVE_INFINITY;
  if (n > DOUBLE_EXPONENT_BIAS) return x * 2 * computeExactPowerOf2(n - 1);
  if (n < 1 - DOUBLE_EXPONENT_BIAS) return x * computeExactPowerOf2(n + 100) * computeExactPowerOf2(-100);
  return x * computeExactPowerOf2(n);
}

/** ln 2 in two parts, the first of which has 33 bits, so that its products with exponents are exact. */
const LN2_HIGH = 0.6931471803691238;
const LN2_LOW = 1.9082149292705877e-10;

/** (r coth(r / 2) - 2) / r^2 as a polynomial in z = r^2, for |r| up to ln(2) / 2. */
const evaluateExpRemainderPolynomial = (z: number) =>
  0.16666666666666602 +
  z *
    (-0.0027777777777015593 +
      z * (0.00006613756321437934 + z * (-0.0000016533902205465252 + z * 4.1381367970572385e-8)));

const MIN_OVERFLOWING_EXP_ARGUMENT = 709.782712893384;
const MAX_UNDERFLOWING_EXP_ARGUMENT = -745.1332191019411;

/** e to the power x. */
export function exp(x: number): number {
  if (Number.isNaN(x)) return x;
  if (x > MIN_OVERFLOWING_EXP_ARGUMENT) return Number.POSITIVE_INFINITY;
  if (x < MAX_UNDERFLOWING_EXP_ARGUMENT) return 0;
  if (Math.abs(x) < 2 ** -28) return 1 + x;
  const k = Math.trunc(Math.LOG2E * x + (x < 0 ? -0.5 : 0.5));
  const high = x - k * LN2_HIGH;
  const low = k * LN2_LOW;
  const r = high - low;
  const z = r * r;
  const c = r - z * evaluateExpRemainderPolynomial(z);
  return multiplyByPowerOf2(1 - (low - (r * c) / (2 - c) - high), k);
}

/**
 * 2 to the power x: e to the power of ((x - n) ln 2), scaled by 2^n, with n = floor(x + 0.5).
 */
export function raise2ToPower(x: number): number {
  if (Number.isNaN(x)) return x;
  if (x > MAX_POWER_OF_2_EXPONENT) return Number.POSITIVE_INFINITY;
  if (x < -MAX_POWER_OF_2_EXPONENT) return 0;
  const n = Math.floor(x + 0.5);
  const rest = (x - n) * Math.LN2;
  if (Math.abs(rest) < 2 ** -28) return multiplyByPowerOf2(1 + rest, n);
  const z = rest * rest;
  const c = rest - z * evaluateExpRemainderPolynomial(z);
  return multiplyByPowerOf2(1 - ((rest * c) / (c - 2) - rest), n);
}

/** Exponent beyond which powers of 2 are infinite or 0. */
const MAX_POWER_OF_2_EXPONENT = 1100;

/** Natural logarithm: -Infinity at 0, NaN for negative numbers. */
export function naturalLogarithm(x: number): number {
  if (x === 0) return Number.NEGATIVE_INFINITY;
  if (!(x > 0)) return Number.NaN;
  if (x === Number.POSITIVE_INFINITY) return x;
  const isSubnormal = readHighWordOfDouble(x) < HIGH_WORD_OF_MIN_NORMAL;
  const normalizedX = isSubnormal ? x * 2 ** 54 : x;
  const high = readHighWordOfDouble(normalizedX);
  const fractionBits = high & HIGH_WORD_FRACTION_MASK;
  // x = 2^k (1 + f), 1 + f between sqrt(2) / 2 and sqrt(2).
  const i = (fractionBits + 0x95f64) & HIGH_WORD_OF_MIN_NORMAL;
  const f = replaceHighWord(normalizedX, fractionBits | (i ^ HIGH_WORD_OF_ONE)) - 1;
  const k = (high >> 20) - DOUBLE_EXPONENT_BIAS + (i >> 20) - (isSubnormal ? 54 : 0);
  if ((HIGH_WORD_FRACTION_MASK & (2 + fractionBits)) < 3) {
    // |f| < 2^-20
    if (f === 0) return k === 0 ? 0 : k * LN2_HIGH + k * LN2_LOW;
    const rest = f * f * (0.5 - 0.3333333333333333 * f);
    return k === 0 ? f - rest : k * LN2_HIGH - (rest - k * LN2_LOW - f);
  }
  const s = f / (2 + f);
  const z = s * s;
  const w = z * z;
  const oddTerms = w * (0.3999999999940942 + w * (0.22222198432149784 + w * 0.15313837699209373));
  const evenTerms =
    z * (0.6666666666666735 + w * (0.2857142874366239 + w * (0.1818357216161805 + w * 0.14798198605116586)));
  const rest = evenTerms + oddTerms;
  if (((fractionBits - 0x6147a) | (0x6b851 - fractionBits)) > 0) {
    const half = 0.5 * f * f;
    return k === 0
      ? f - (half - s * (half + rest))
      : k * LN2_HIGH - (half - (s * (half + rest) + k * LN2_LOW) - f);
  }
  return k === 0 ? f - s * (f - rest) : k * LN2_HIGH - (s * (f - rest) - k * LN2_LOW - f);
}

/** log2(x) in two parts, the first of 21 bits, for x within 2^-20 of 1. */
function computeLog2NearOneInTwoParts(x: number): [number, number] {
  const t = x - 1;
  const w = t * t * (0.5 + t * (-0.3333333333333333 + t * 0.25));
  const u = 1.4426950216293335 * t;
  const v = t * 1.9259629911266175e-8 - w * Math.LOG2E;
  const first = clearLowWord(u + v);
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
function computeLog2InTwoParts(x: number): [number, number] {
  const isSubnormal = readHighWordOfDouble(x) < HIGH_WORD_OF_MIN_NORMAL;
  const normalizedX = isSubnormal ? x * 2 ** 53 : x;
  const highWord = readHighWordOfDouble(normalizedX);
  const fractionBits = highWord & HIGH_WORD_FRACTION_MASK;
  // x = 2^n a, a next to 1 or to 1.5: up to sqrt(3/2), up to sqrt(3), above.
  const isFractionNearOne = fractionBits <= 0x3988e;
  const isFractionAboveRoot3 = fractionBits >= 0xbb67a;
  const n = (highWord >> 20) - DOUBLE_EXPONENT_BIAS - (isSubnormal ? 53 : 0) + (isFractionAboveRoot3 ? 1 : 0);
  const highWordOfA =
    (fractionBits | HIGH_WORD_OF_ONE) - (isFractionAboveRoot3 ? HIGH_WORD_OF_MIN_NORMAL : 0);
  const a = replaceHighWord(normalizedX, highWordOfA);
  const isFractionNear1_5 = !isFractionNearOne && !isFractionAboveRoot3;
  const base = isFractionNear1_5 ? 1.5 : 1;
  // s = (a - base) / (a + base), in two parts.
  const difference = a - base;
  const inverseOfSum = 1 / (a + base);
  const s = difference * inverseOfSum;
  const highPartOfS = clearLowWord(s);
  const highPartOfSum = replaceHighWord(
    0,
    ((highWordOfA >> 1) | 0x20000000) + 0x00080000 + (isFractionNear1_5 ? 1 << 18 : 0),
  );
  const lowPartOfSum = a - (highPartOfSum - base);
  const lowPartOfS = inverseOfSum * (difference - highPartOfS * highPartOfSum - highPartOfS * lowPartOfSum);
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
    lowPartOfS * (highPartOfS + s);
  const squareOfHighPart = highPartOfS * highPartOfS;
  const highPartOfSeries = clearLowWord(3 + squareOfHighPart + r);
  const lowPartOfSeries = r - (highPartOfSeries - 3 - squareOfHighPart);
  const u = highPartOfS * highPartOfSeries;
  const v = lowPartOfS * highPartOfSeries + lowPartOfSeries * s;
  const highPartOfProduct = clearLowWord(u + v);
  const lowPartOfProduct = v - (highPartOfProduct - u);
  const high = TWO_OVER_3_LN2_HIGH * highPartOfProduct;
  const low =
    TWO_OVER_3_LN2_LOW * highPartOfProduct +
    lowPartOfProduct * TWO_OVER_3_LN2 +
    (isFractionNear1_5 ? LOG2_OF_1_5_LOW : 0);
  const logOfBase = isFractionNear1_5 ? LOG2_OF_1_5_HIGH : 0;
  const first = clearLowWord(high + low + logOfBase + n);
  return [first, low - (first - n - logOfBase - high)];
}

/** 2^(high + low) for a sum between -1075 and 1024 that is nearly `high`. */
function computeExp2OfTwoParts(high: number, low: number): number {
  const sum = high + low;
  // (A sum just above 0.5 stays whole, as in fdlibm.)
  const n = Math.abs(sum) < 0.5 + 2 ** -21 ? 0 : Math.trunc(sum + (sum < 0 ? -0.5 : 0.5));
  const rest = high - n;
  const t = clearLowWord(low + rest);
  const u = t * 0.6931471824645996;
  const v = (low - (t - rest)) * Math.LN2 + t * -1.904654299957768e-9;
  const z = u + v;
  const w = v - (z - u);
  const square = z * z;
  const c = z - square * evaluateExpRemainderPolynomial(square);
  const r = (z * c) / (c - 2) - (w + z * w);
  return multiplyByPowerOf2(1 - (r - z), n);
}

/** Power x^y for nonnegative x; NaN for negative x. */
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
  const overflowOrUnderflowValue = x < 1 === y < 0 ? Number.POSITIVE_INFINITY : 0;
  if (x === 0 || x === Number.POSITIVE_INFINITY) return overflowOrUnderflowValue;
  const isBaseNearOne = readHighWordOfDouble(x) >= 0x3fefffff && readHighWordOfDouble(x) <= HIGH_WORD_OF_ONE;
  const highWordOfY = readHighWordOfDouble(Math.abs(y));
  const isExponentBeyondAllPowers = highWordOfY > 0x43f00000;
  const isExponentAbove2To31 = highWordOfY > 0x41e00000;
  if (isExponentBeyondAllPowers || (isExponentAbove2To31 && !isBaseNearOne)) return overflowOrUnderflowValue;
  const [logHigh, logLow] = isExponentAbove2To31 ? computeLog2NearOneInTwoParts(x) : computeLog2InTwoParts(x);
  // y log2(x), in two parts.
  const highPartOfY = clearLowWord(y);
  const low = (y - highPartOfY) * logHigh + y * logLow;
  const high = highPartOfY * logHigh;
  const z = low + high;
  if (z > 1024 || (z === 1024 && low + 8.008566259537294e-17 > z - high)) return Number.POSITIVE_INFINITY;
  if (z < -1075 || (z === -1075 && low <= z - high)) return 0;
  return computeExp2OfTwoParts(high, low);
}
