/** Texts that come again and again: each has a value, which is found by its bytes. */
import {
  BUCKET,
  BUCKETS,
  DELETE,
  ENTRIES,
  FLAGS,
  HAS_NEW,
  IS_TABLE,
  KNOWN,
  NEW_TEXT,
  NOTHING,
  PLACES,
  POOL,
  POOL_END,
  QUOTE,
  REFUSED,
  SLOTS,
  SPACE,
  TEXTS,
} from './lineLayout.js';
import { hasZero, isOddWord, ONES, wordAt } from './lineWords.js';
import type { i32 } from './types.js';

/** Reads a field of printable ASCII without blanks around it; its value is that of the known text, -1 if it is empty. */
export function readText(
  bytes: Uint8Array,
  ints: Int32Array,
  doubles: Float64Array,
  from: i32,
  separator: i32,
  row: i32,
  slot: i32,
): i32 {
  let at = from;
  let hash = slot;
  let byte: i32 = bytes[at]!;
  if (byte === QUOTE && ints[IS_TABLE]! !== 0) return -1;
  const separators = separator * ONES;
  let word = wordAt(bytes, at);
  while (!isOddWord(word) && !hasZero(word ^ separators)) {
    hash = (((hash << 5) - hash) | 0) + word;
    at += 4;
    word = wordAt(bytes, at);
  }
  byte = bytes[at]!;
  while (byte !== separator && byte >= SPACE && byte < DELETE) {
    hash = (((hash << 5) - hash) | 0) + byte;
    byte = bytes[++at]!;
  }
  if (at > from && (bytes[from]! === SPACE || bytes[at - 1]! === SPACE)) return -1;
  return setText(bytes, ints, doubles, from, at, hash | 0, row, slot) ? at : -1;
}

/** Sets the value of a text; false if a plain line has no such text. */
export function setText(
  bytes: Uint8Array,
  ints: Int32Array,
  doubles: Float64Array,
  from: i32,
  end: i32,
  hash: i32,
  row: i32,
  slot: i32,
): boolean {
  const to = row * SLOTS + slot;
  if (end === from) {
    doubles[to] = NOTHING;
    return true;
  }
  const text = ints[bucketOf(bytes, ints, from, end, hash, slot)]!;
  if (text === 0) {
    doubles[to] = NEW_TEXT;
    ints[FLAGS + row] = ints[FLAGS + row]! | HAS_NEW;
    ints[PLACES + 2 * to] = from;
    ints[PLACES + 2 * to + 1] = end;
    return true;
  }
  const value = doubles[KNOWN + text - 1]!;
  doubles[to] = value;
  return value !== REFUSED;
}

/** The hash of a text, as `readText` computes it. */
export function hashOf(bytes: Uint8Array, from: i32, end: i32, slot: i32): i32 {
  let hash = slot;
  let at = from;
  while (at + 4 <= end) {
    hash = (((hash << 5) - hash) | 0) + wordAt(bytes, at);
    at += 4;
  }
  while (at < end) {
    const byte: i32 = bytes[at++]!;
    hash = (((hash << 5) - hash) | 0) + byte;
  }
  return hash | 0;
}

/** The bucket with a text of a slot; the empty one where it belongs if it is not known. */
export function bucketOf(
  bytes: Uint8Array,
  ints: Int32Array,
  from: i32,
  end: i32,
  hash: i32,
  slot: i32,
): i32 {
  const folded = hash ^ (hash >>> 16);
  let bucket = (folded ^ (folded >>> 7)) & (BUCKETS - 1);
  while (true) {
    const text = ints[BUCKET + bucket]!;
    if (text === 0) return BUCKET + bucket;
    const entry = ENTRIES + 4 * (text - 1);
    if (ints[entry]! === hash && ints[entry + 1]! === slot) {
      const start: i32 = ints[entry + 2]!;
      const length = end - from;
      if (ints[entry + 3]! - start === length) {
        let i: i32 = 0;
        while (i + 4 <= length && wordAt(bytes, start + i) === wordAt(bytes, from + i)) i += 4;
        while (i < length && bytes[start + i]! === bytes[from + i]!) i++;
        if (i === length) return BUCKET + bucket;
      }
    }
    bucket = (bucket + 1) & (BUCKETS - 1);
  }
}

/**
 * Makes a text known, for which there must be room; its value is set by the caller.
 * @returns its number, from 0 on.
 */
export function learnText(bytes: Uint8Array, ints: Int32Array, from: i32, end: i32, slot: i32): i32 {
  const hash = hashOf(bytes, from, end, slot);
  const bucket = bucketOf(bytes, ints, from, end, hash, slot);
  if (ints[bucket]! !== 0) return ints[bucket]! - 1;
  const text = ints[TEXTS]!;
  const entry = ENTRIES + 4 * text;
  const start: i32 = ints[POOL_END]!;
  for (let i: i32 = 0; i < end - from; i++) bytes[start + i] = bytes[from + i]!;
  ints[entry] = hash;
  ints[entry + 1] = slot;
  ints[entry + 2] = start;
  ints[entry + 3] = start + (end - from);
  ints[POOL_END] = start + (end - from);
  ints[TEXTS] = text + 1;
  ints[bucket] = text + 1;
  return text;
}

/** Forgets all known texts. */
export function forgetTexts(ints: Int32Array): void {
  ints[TEXTS] = 0;
  ints[POOL_END] = POOL;
  for (let bucket: i32 = 0; bucket < BUCKETS; bucket++) ints[BUCKET + bucket] = 0;
}
