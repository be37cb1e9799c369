/** Table of repeated texts with their values, found by their bytes. */
import {
  DELETE_CHARACTER,
  FIELD_POSITIONS_OFFSET,
  FIELD_SLOTS,
  HASH_BUCKET_COUNT,
  HASH_BUCKETS_OFFSET,
  IS_TABLE_INDEX,
  KNOWN_TEXT_COUNT_INDEX,
  KNOWN_TEXT_ENTRIES_OFFSET,
  KNOWN_VALUES_OFFSET,
  LINE_FLAGS_OFFSET,
  NEW_TEXT_FLAG,
  NO_VALUE_RESULT,
  QUOTE_CHARACTER,
  REFUSED_TEXT_RESULT,
  SPACE_CHARACTER,
  TEXT_POOL_END_INDEX,
  TEXT_POOL_OFFSET,
  UNKNOWN_TEXT_RESULT,
} from './lineLayout.js';
import { hasNonPrintableByte, hasZeroByte, ONE_IN_EVERY_BYTE, readFourBytes } from './lineWords.js';
import type { i32 } from './types.js';

/**
 * Reads a field of printable ASCII without surrounding blanks; its value is the stored value of the text, or -1 if it is empty.
 */
export function readTextField(
  bytes: Uint8Array,
  ints: Int32Array,
  doubles: Float64Array,
  beginOffset: i32,
  separator: i32,
  row: i32,
  slot: i32,
): i32 {
  let bytePosition = beginOffset;
  let hash = slot;
  let byte: i32 = bytes[bytePosition]!;
  if (byte === QUOTE_CHARACTER && ints[IS_TABLE_INDEX]! !== 0) return -1;
  const separatorWord = separator * ONE_IN_EVERY_BYTE;
  let fourBytes = readFourBytes(bytes, bytePosition);
  while (!hasNonPrintableByte(fourBytes) && !hasZeroByte(fourBytes ^ separatorWord)) {
    hash = (((hash << 5) - hash) | 0) + fourBytes;
    bytePosition += 4;
    fourBytes = readFourBytes(bytes, bytePosition);
  }
  byte = bytes[bytePosition]!;
  while (byte !== separator && byte >= SPACE_CHARACTER && byte < DELETE_CHARACTER) {
    hash = (((hash << 5) - hash) | 0) + byte;
    byte = bytes[++bytePosition]!;
  }
  if (
    bytePosition > beginOffset &&
    (bytes[beginOffset]! === SPACE_CHARACTER || bytes[bytePosition - 1]! === SPACE_CHARACTER)
  )
    return -1;
  return setValueOfKnownText(bytes, ints, doubles, beginOffset, bytePosition, hash | 0, row, slot)
    ? bytePosition
    : -1;
}

/** Sets the value of a text; false if a plain line has no such text. */
export function setValueOfKnownText(
  bytes: Uint8Array,
  ints: Int32Array,
  doubles: Float64Array,
  beginOffset: i32,
  endOffset: i32,
  hash: i32,
  row: i32,
  slot: i32,
): boolean {
  const valueIndex = row * FIELD_SLOTS + slot;
  if (endOffset === beginOffset) {
    doubles[valueIndex] = NO_VALUE_RESULT;
    return true;
  }
  const textNumber = ints[findHashBucketOfText(bytes, ints, beginOffset, endOffset, hash, slot)]!;
  if (textNumber === 0) {
    doubles[valueIndex] = UNKNOWN_TEXT_RESULT;
    ints[LINE_FLAGS_OFFSET + row] = ints[LINE_FLAGS_OFFSET + row]! | NEW_TEXT_FLAG;
    ints[FIELD_POSITIONS_OFFSET + 2 * valueIndex] = beginOffset;
    ints[FIELD_POSITIONS_OFFSET + 2 * valueIndex + 1] = endOffset;
    return true;
  }
  const knownValue = doubles[KNOWN_VALUES_OFFSET + textNumber - 1]!;
  doubles[valueIndex] = knownValue;
  return knownValue !== REFUSED_TEXT_RESULT;
}

/** Hash of a text, as `readTextField` computes it. */
export function hashKnownText(bytes: Uint8Array, beginOffset: i32, endOffset: i32, slot: i32): i32 {
  let hash = slot;
  let bytePosition = beginOffset;
  while (bytePosition + 4 <= endOffset) {
    hash = (((hash << 5) - hash) | 0) + readFourBytes(bytes, bytePosition);
    bytePosition += 4;
  }
  while (bytePosition < endOffset) {
    const byte: i32 = bytes[bytePosition++]!;
    hash = (((hash << 5) - hash) | 0) + byte;
  }
  return hash | 0;
}

/** Bucket of a text in a slot; an empty bucket if the text is unknown. */
export function findHashBucketOfText(
  bytes: Uint8Array,
  ints: Int32Array,
  beginOffset: i32,
  endOffset: i32,
  hash: i32,
  slot: i32,
): i32 {
  const foldedHash = hash ^ (hash >>> 16);
  let hashBucket = (foldedHash ^ (foldedHash >>> 7)) & (HASH_BUCKET_COUNT - 1);
  while (true) {
    const textNumber = ints[HASH_BUCKETS_OFFSET + hashBucket]!;
    if (textNumber === 0) return HASH_BUCKETS_OFFSET + hashBucket;
    const textEntryOffset = KNOWN_TEXT_ENTRIES_OFFSET + 4 * (textNumber - 1);
    if (ints[textEntryOffset]! === hash && ints[textEntryOffset + 1]! === slot) {
      const start: i32 = ints[textEntryOffset + 2]!;
      const textLength = endOffset - beginOffset;
      if (ints[textEntryOffset + 3]! - start === textLength) {
        let i: i32 = 0;
        while (
          i + 4 <= textLength &&
          readFourBytes(bytes, start + i) === readFourBytes(bytes, beginOffset + i)
        )
          i += 4;
        while (i < textLength && bytes[start + i]! === bytes[beginOffset + i]!) i++;
        if (i === textLength) return HASH_BUCKETS_OFFSET + hashBucket;
      }
    }
    hashBucket = (hashBucket + 1) & (HASH_BUCKET_COUNT - 1);
  }
}

/**
 * Adds a text, for which there must be space; the caller sets its value.
 * @returns its number, from 0.
 */
export function addKnownText(
  bytes: Uint8Array,
  ints: Int32Array,
  beginOffset: i32,
  endOffset: i32,
  slot: i32,
): i32 {
  const hash = hashKnownText(bytes, beginOffset, endOffset, slot);
  const hashBucket = findHashBucketOfText(bytes, ints, beginOffset, endOffset, hash, slot);
  if (ints[hashBucket]! !== 0) return ints[hashBucket]! - 1;
  const textNumber = ints[KNOWN_TEXT_COUNT_INDEX]!;
  const textEntryOffset = KNOWN_TEXT_ENTRIES_OFFSET + 4 * textNumber;
  const start: i32 = ints[TEXT_POOL_END_INDEX]!;
  for (let i: i32 = 0; i < endOffset - beginOffset; i++) bytes[start + i] = bytes[beginOffset + i]!;
  ints[textEntryOffset] = hash;
  ints[textEntryOffset + 1] = slot;
  ints[textEntryOffset + 2] = start;
  ints[textEntryOffset + 3] = start + (endOffset - beginOffset);
  ints[TEXT_POOL_END_INDEX] = start + (endOffset - beginOffset);
  ints[KNOWN_TEXT_COUNT_INDEX] = textNumber + 1;
  ints[hashBucket] = textNumber + 1;
  return textNumber;
}

/** Deletes all known texts. */
export function forgetKnownTexts(ints: Int32Array): void {
  ints[KNOWN_TEXT_COUNT_INDEX] = 0;
  ints[TEXT_POOL_END_INDEX] = TEXT_POOL_OFFSET;
  for (let hashBucket: i32 = 0; hashBucket < HASH_BUCKET_COUNT; hashBucket++)
    ints[HASH_BUCKETS_OFFSET + hashBucket] = 0;
}
