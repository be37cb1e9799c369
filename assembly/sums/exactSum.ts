import { at, clearBytes, put } from '../memory/memory';

/**
 * Exact sums of doubles, rounded once: the result does not depend on the order of the terms or on the
 * partition into partial sums.
 *
 * A sum is a fixed-point number wide enough for all doubles, in words of 64 bits from the lowest (two's
 * complement; the lowest bit is 2^-1074), followed by the sum of infinite terms. It contains no address, so
 * it may be copied.
 */
const SUM_WORDS: i32 = 34;

/** Number of entries of 8 bytes in a sum. */
export const ENTRIES_PER_SUM: i32 = SUM_WORDS + 1;

/** Address of a sum in an array of sums. */
@inline
export function sumAt(sumsAddress: usize, index: i32): usize {
  return sumsAddress + <usize>(index * ENTRIES_PER_SUM) * sizeof<u64>();
}

/** Sets a sum to 0. */
export function reset(sumAddress: usize): void {
  clearBytes(sumAddress, ENTRIES_PER_SUM * sizeof<u64>());
}

/** Adds a double to an exact sum, without rounding. */
export function add(sumAddress: usize, term: f64): void {
  const bits = reinterpret<u64>(term);
  const exponent = <i32>(bits >> 52) & 0x7ff;
  if (exponent === 0x7ff) {
    put<f64>(sumAddress, SUM_WORDS, at<f64>(sumAddress, SUM_WORDS) + term);
    return;
  }
  const fractionBits = bits & 0xfffffffffffff;
  const mantissaBits = exponent === 0 ? fractionBits : fractionBits | 0x10000000000000;
  const lowestBit = max(exponent, 1) - 1;
  const shift = <u64>(lowestBit & 63);
  // A negative term is added as its complement plus 1, with ones in all higher words.
  const signMask = <u64>(<i64>bits >> 63);
  const word = lowestBit >> 6;
  let carryWord = addToWord(sumAddress, word, (mantissaBits << shift) ^ signMask, signMask & 1);
  // Shifted in two steps, because a shift by 64 would have no effect.
  carryWord = addToWord(sumAddress, word + 1, ((mantissaBits >> 1) >> (63 - shift)) ^ signMask, carryWord);
  // Stops when the carry cannot change higher words: all ones with a carry, or zeros without one.
  for (let wordAbove = word + 2; wordAbove < SUM_WORDS && carryWord !== (signMask & 1); wordAbove++) {
    carryWord = addToWord(sumAddress, wordAbove, signMask, carryWord);
  }
}

/** Adds to a word; returns the carry. */
@inline
function addToWord(sumAddress: usize, word: i32, term: u64, carryWord: u64): u64 {
  const partialSum = at<u64>(sumAddress, word) + term;
  const total = partialSum + carryWord;
  put<u64>(sumAddress, word, total);
  return u64(partialSum < term) | u64(total < partialSum);
}

/** Adds an exact sum to another, without rounding. */
export function addSum(sumAddress: usize, otherSumAddress: usize): void {
  let carryWord: u64 = 0;
  for (let word = 0; word < SUM_WORDS; word++)
    carryWord = addToWord(sumAddress, word, at<u64>(otherSumAddress, word), carryWord);
  put<f64>(sumAddress, SUM_WORDS, at<f64>(sumAddress, SUM_WORDS) + at<f64>(otherSumAddress, SUM_WORDS));
}

/** Nearest double to a sum; ties to even. */
export function roundedSum(sumAddress: usize): f64 {
  // 0 unless a term was infinite.
  const specialValue = at<f64>(sumAddress, SUM_WORDS);
  if (specialValue !== 0) return specialValue;
  if (at<i64>(sumAddress, SUM_WORDS - 1) >= 0) return magnitudeOfSum(sumAddress);
  negateSum(sumAddress);
  const value = -magnitudeOfSum(sumAddress);
  negateSum(sumAddress);
  return value;
}

function negateSum(sumAddress: usize): void {
  let carryWord: u64 = 1;
  for (let word = 0; word < SUM_WORDS; word++) {
    const total = ~at<u64>(sumAddress, word) + carryWord;
    carryWord &= u64(total === 0);
    put<u64>(sumAddress, word, total);
  }
}

/** Nearest double to a non-negative sum. */
function magnitudeOfSum(sumAddress: usize): f64 {
  let topWord = SUM_WORDS - 1;
  while (topWord >= 0 && at<u64>(sumAddress, topWord) === 0) topWord--;
  if (topWord < 0) return 0;
  const leadingZeros = clz<u64>(at<u64>(sumAddress, topWord));
  const nextWord: u64 = topWord > 0 ? at<u64>(sumAddress, topWord - 1) : 0;
  // Highest 64 bits of the sum; the lowest of these is also set if any lower bit of the sum is.
  let bits = (at<u64>(sumAddress, topWord) << leadingZeros) | ((nextWord >> 1) >> (63 - leadingZeros));
  let lowerBits = nextWord << leadingZeros;
  for (let word = topWord - 2; word >= 0; word--) lowerBits |= at<u64>(sumAddress, word);
  bits |= u64(lowerBits !== 0);
  const scale = 64 * topWord - <i32>leadingZeros - 1074;
  return <f64>bits * powerOfTwo(scale >> 1) * powerOfTwo(scale - (scale >> 1));
}

@inline
function powerOfTwo(exponent: i32): f64 {
  return reinterpret<f64>((<u64>(1023 + exponent)) << 52);
}

/** Rounding error of adding a term to a double: exactly (sum + term) - fl(sum + term) (Knuth's TwoSum). */
@inline
export function roundingErrorOfAddition(sum: f64, term: f64): f64 {
  const total = sum + term;
  const addedPart = total - sum;
  return sum - (total - addedPart) + (term - addedPart);
}

/**
 * Rounding error of an addition in which the larger operand is usually the same one: a comparison makes it
 * faster (Dekker).
 */
@inline
export function roundingErrorOfPartialAddition(sum: f64, term: f64, total: f64): f64 {
  return abs<f64>(sum) >= abs<f64>(term) ? term - (total - sum) : sum - (total - term);
}

/**
 * Like `roundedSum`, for `termCount` terms that were added to a double one by one; `errorSum` is the sum of
 * the rounding errors, and `absoluteSum` an upper bound of the sum of absolute terms. NaN if the last bit is
 * not determined. With u = 2^-53 each rounding error is at most u * absoluteSum, so their sum is off by at
 * most termCount * u * (termCount * u * absoluteSum), doubled here as a margin (compare Ogita, Rump, Oishi
 * 2005, section 4).
 */
export function roundedValueIfDetermined(sum: f64, errorSum: f64, absoluteSum: f64, termCount: i32): f64 {
  const relativeError = <f64>termCount * 1.1102230246251565e-16;
  return roundedValueIfDeterminedWithin(sum, errorSum, 4 * relativeError * relativeError * absoluteSum);
}

/** Nearest double to sum + errorSum if it is the same for all errors up to `errorBound`; otherwise NaN. */
export function roundedValueIfDeterminedWithin(sum: f64, errorSum: f64, errorBound: f64): f64 {
  const total = sum + errorSum;
  const roundingErrorOfResult = roundingErrorOfAddition(sum, errorSum);
  // Widens the margin, so that an error bound far smaller than the rounding error of the sum does not vanish
  // in rounding.
  const errorMargin = errorBound === 0 ? 0 : errorBound + f64.EPSILON * abs<f64>(roundingErrorOfResult);
  return total + (roundingErrorOfResult + errorMargin) === total &&
    total + (roundingErrorOfResult - errorMargin) === total
    ? total
    : NaN;
}
