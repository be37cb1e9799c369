import { at, put } from './memory';

/**
 * Set of non-negative integers: a bitmap and three summary levels, each with a bit per non-empty word of the
 * level below. Insertion, removal and search take a few word operations for any size. Each of the four
 * columns is two words longer than its bits need, because a search may read beyond the end.
 */

/** Inserts a number. */
@inline
export function enter(
  levelBits0: usize,
  levelBits1: usize,
  levelBits2: usize,
  levelBits3: usize,
  number: i32,
): void {
  setBit(levelBits0, number) &&
    setBit(levelBits1, number >> 6) &&
    setBit(levelBits2, number >> 12) &&
    setBit(levelBits3, number >> 18);
}

/** Removes a number. */
@inline
export function leave(
  levelBits0: usize,
  levelBits1: usize,
  levelBits2: usize,
  levelBits3: usize,
  number: i32,
): void {
  clearBit(levelBits0, number) &&
    clearBit(levelBits1, number >> 6) &&
    clearBit(levelBits2, number >> 12) &&
    clearBit(levelBits3, number >> 18);
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

/** Smallest number of the set that is at least `number` and below `end`; `end` if there is none. */
@inline
export function next(
  levelBits0: usize,
  levelBits1: usize,
  levelBits2: usize,
  levelBits3: usize,
  number: i32,
  end: i32,
): i32 {
  if (number >= end) return end;
  const nearestSetBit = nextBitInWord(levelBits0, number);
  if (nearestSetBit >= 0) return nearestSetBit;
  let word = nextBitInWord(levelBits1, (number >> 6) + 1);
  if (word < 0) word = nextWordAbove(levelBits1, levelBits2, levelBits3, (number >> 12) + 1, end);
  return word < 0 ? end : (word << 6) + <i32>ctz(at<u64>(levelBits0, word));
}

/** First set bit at or above an index within the word of that index; -1 if none. */
@inline
function nextBitInWord(bits: usize, index: i32): i32 {
  const remainingBits = at<u64>(bits, index >> 6) >> (index & 63);
  return remainingBits !== 0 ? index + <i32>ctz(remainingBits) : -1;
}

/** First non-empty word in blocks of 4096 numbers from `block` on; -1 if none. */
function nextWordAbove(levelBits1: usize, levelBits2: usize, levelBits3: usize, block: i32, end: i32): i32 {
  let nextBit = nextBitInWord(levelBits2, block);
  if (nextBit < 0) {
    let wordGroup = (block >> 6) + 1;
    const wordGroupEnd = (end >> 18) + 1;
    while (wordGroup < wordGroupEnd && (at<u64>(levelBits3, wordGroup >> 6) >> (wordGroup & 63)) % 2 === 0)
      wordGroup++;
    if (wordGroup >= wordGroupEnd) return -1;
    nextBit = (wordGroup << 6) + <i32>ctz(at<u64>(levelBits2, wordGroup));
  }
  return (nextBit << 6) + <i32>ctz(at<u64>(levelBits1, nextBit));
}

/** Largest number in the set, all being below `end`; -1 if the set is empty. */
export function last(
  levelBits0: usize,
  levelBits1: usize,
  levelBits2: usize,
  levelBits3: usize,
  end: i32,
): i32 {
  let word = end >> 24;
  while (word >= 0 && at<u64>(levelBits3, word) === 0) word--;
  if (word < 0) return -1;
  return lastBitInWord(
    levelBits0,
    lastBitInWord(levelBits1, lastBitInWord(levelBits2, lastBitInWord(levelBits3, word))),
  );
}

/** Last set bit of a non-empty word. */
@inline
function lastBitInWord(bits: usize, word: i32): i32 {
  return (word << 6) + 63 - <i32>clz(at<u64>(bits, word));
}
