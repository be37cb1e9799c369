import { at, put } from './memory';

/**
 * Set of non-negative integers: a bitmap and three summary levels, each with a bit per non-empty word of the
 * level below. Insertion, removal and search take a few word operations for any size. Each of the four
 * columns is two words longer than its bits need, because a search may read beyond the end.
 */

/** Inserts a number. */
@inline
export function insertNumber(
  levelAddress0: usize,
  levelAddress1: usize,
  levelAddress2: usize,
  levelAddress3: usize,
  number: i32,
): void {
  setBit(levelAddress0, number) &&
    setBit(levelAddress1, number >> 6) &&
    setBit(levelAddress2, number >> 12) &&
    setBit(levelAddress3, number >> 18);
}

/** Removes a number. */
@inline
export function removeNumber(
  levelAddress0: usize,
  levelAddress1: usize,
  levelAddress2: usize,
  levelAddress3: usize,
  number: i32,
): void {
  clearBit(levelAddress0, number) &&
    clearBit(levelAddress1, number >> 6) &&
    clearBit(levelAddress2, number >> 12) &&
    clearBit(levelAddress3, number >> 18);
}

/** Sets a bit; returns true if its word was empty. */
@inline
function setBit(bitsAddress: usize, index: i32): bool {
  const word = at<u64>(bitsAddress, index >> 6);
  put<u64>(bitsAddress, index >> 6, word | ((<u64>1) << (index & 63)));
  return word === 0;
}

/** Clears a bit; returns true if its word became empty. */
@inline
function clearBit(bitsAddress: usize, index: i32): bool {
  const word = at<u64>(bitsAddress, index >> 6) & ~((<u64>1) << (index & 63));
  put<u64>(bitsAddress, index >> 6, word);
  return word === 0;
}

/** Smallest number of the set that is at least `number` and below `end`; `end` if there is none. */
@inline
export function nextNumberFrom(
  levelAddress0: usize,
  levelAddress1: usize,
  levelAddress2: usize,
  levelAddress3: usize,
  number: i32,
  end: i32,
): i32 {
  if (number >= end) return end;
  const nearestSetBit = nextBitInWord(levelAddress0, number);
  if (nearestSetBit >= 0) return nearestSetBit;
  let word = nextBitInWord(levelAddress1, (number >> 6) + 1);
  if (word < 0) word = nextWordAbove(levelAddress1, levelAddress2, levelAddress3, (number >> 12) + 1, end);
  return word < 0 ? end : (word << 6) + <i32>ctz(at<u64>(levelAddress0, word));
}

/** First set bit at or above an index within the word of that index; -1 if none. */
@inline
function nextBitInWord(bitsAddress: usize, index: i32): i32 {
  const remainingBits = at<u64>(bitsAddress, index >> 6) >> (index & 63);
  return remainingBits !== 0 ? index + <i32>ctz(remainingBits) : -1;
}

/** First non-empty word in blocks of 4096 numbers from `block` on; -1 if none. */
function nextWordAbove(
  levelAddress1: usize,
  levelAddress2: usize,
  levelAddress3: usize,
  block: i32,
  end: i32,
): i32 {
  let nextBit = nextBitInWord(levelAddress2, block);
  if (nextBit < 0) {
    let wordGroup = (block >> 6) + 1;
    const wordGroupEnd = (end >> 18) + 1;
    while (wordGroup < wordGroupEnd && (at<u64>(levelAddress3, wordGroup >> 6) >> (wordGroup & 63)) % 2 === 0)
      wordGroup++;
    if (wordGroup >= wordGroupEnd) return -1;
    nextBit = (wordGroup << 6) + <i32>ctz(at<u64>(levelAddress2, wordGroup));
  }
  return (nextBit << 6) + <i32>ctz(at<u64>(levelAddress1, nextBit));
}

/** Largest number in the set, all being below `end`; -1 if the set is empty. */
export function lastNumber(
  levelAddress0: usize,
  levelAddress1: usize,
  levelAddress2: usize,
  levelAddress3: usize,
  end: i32,
): i32 {
  let word = end >> 24;
  while (word >= 0 && at<u64>(levelAddress3, word) === 0) word--;
  if (word < 0) return -1;
  return lastBitInWord(
    levelAddress0,
    lastBitInWord(levelAddress1, lastBitInWord(levelAddress2, lastBitInWord(levelAddress3, word))),
  );
}

/** Last set bit of a non-empty word. */
@inline
function lastBitInWord(bitsAddress: usize, word: i32): i32 {
  return (word << 6) + 63 - <i32>clz(at<u64>(bitsAddress, word));
}
