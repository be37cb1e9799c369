import { at, put } from './memory';

/**
 * Set of non-negative integers: a bitmap and three summary levels, each with a bit per non-empty word of the
 * level below. Insertion, removal and search take a few word operations for any size. Each of the four
 * columns is two words longer than its bits need, because a search may read beyond the end.
 */

/** Inserts a number. */
@inline
export function enter(bits0: usize, bits1: usize, bits2: usize, bits3: usize, number: i32): void {
  setBit(bits0, number) &&
    setBit(bits1, number >> 6) &&
    setBit(bits2, number >> 12) &&
    setBit(bits3, number >> 18);
}

/** Removes a number. */
@inline
export function leave(bits0: usize, bits1: usize, bits2: usize, bits3: usize, number: i32): void {
  clearBit(bits0, number) &&
    clearBit(bits1, number >> 6) &&
    clearBit(bits2, number >> 12) &&
    clearBit(bits3, number >> 18);
}

/** Sets a bit; returns true if its word was empty. */
@inline
function setBit(bits: usize, index: i32): bool {
  const word = at<u64>(bits, index >> 6);
  put<u64>(bits, index >> 6, word | ((<u64>1) << (index & 63)));
  return word === 0;
}

/** Clears a bit; returns true if its word became empty. */
@inline
function clearBit(bits: usize, index: i32): bool {
  const word = at<u64>(bits, index >> 6) & ~((<u64>1) << (index & 63));
  put<u64>(bits, index >> 6, word);
  return word === 0;
}

/** Smallest number in the set from `number` on and below `end`; `end` if there is none. */
@inline
export function next(bits0: usize, bits1: usize, bits2: usize, bits3: usize, number: i32, end: i32): i32 {
  if (number >= end) return end;
  const near = bitInWord(bits0, number);
  if (near >= 0) return near;
  let word = bitInWord(bits1, (number >> 6) + 1);
  if (word < 0) word = farWord(bits1, bits2, bits3, (number >> 12) + 1, end);
  return word < 0 ? end : (word << 6) + <i32>ctz(at<u64>(bits0, word));
}

/** First set bit at or above an index within the word of that index; -1 if none. */
@inline
function bitInWord(bits: usize, index: i32): i32 {
  const rest = at<u64>(bits, index >> 6) >> (index & 63);
  return rest !== 0 ? index + <i32>ctz(rest) : -1;
}

/** First non-empty word in blocks of 4096 numbers from `block` on; -1 if none. */
function farWord(bits1: usize, bits2: usize, bits3: usize, block: i32, end: i32): i32 {
  let found = bitInWord(bits2, block);
  if (found < 0) {
    let group = (block >> 6) + 1;
    const groups = (end >> 18) + 1;
    while (group < groups && (at<u64>(bits3, group >> 6) >> (group & 63)) % 2 === 0) group++;
    if (group >= groups) return -1;
    found = (group << 6) + <i32>ctz(at<u64>(bits2, group));
  }
  return (found << 6) + <i32>ctz(at<u64>(bits1, found));
}

/** Largest number in the set, all being below `end`; -1 if the set is empty. */
export function last(bits0: usize, bits1: usize, bits2: usize, bits3: usize, end: i32): i32 {
  let word = end >> 24;
  while (word >= 0 && at<u64>(bits3, word) === 0) word--;
  if (word < 0) return -1;
  return lastIn(bits0, lastIn(bits1, lastIn(bits2, lastIn(bits3, word))));
}

/** Last set bit of a non-empty word. */
@inline
function lastIn(bits: usize, word: i32): i32 {
  return (word << 6) + 63 - <i32>clz(at<u64>(bits, word));
}
