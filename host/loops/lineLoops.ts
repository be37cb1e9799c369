/**
 * Loops over the lines of accounting files and tables: whole numbers, dates, durations, and texts that come again and again. The build
 * compiles them to WebAssembly together with loops.ts, whose rules they keep. plainLines.ts fills the arrays and uses what was read.
 */
import {
  daysSince1970,
  readDate,
  readDuration,
  readLimit,
  readNumber,
  readTask,
  secondOfDay,
} from './lineFields.js';
import {
  CLOCK,
  COUNT,
  DASH,
  DATE,
  DELETE,
  DURATION,
  EQUALS,
  FIELD,
  FIELDS_END,
  FIELDS_FROM,
  FLAGS,
  HAS_STEPS,
  IS_ODD,
  IS_STEP,
  IS_TABLE,
  JOB,
  KEY,
  KEYS_END,
  KNOWN,
  LIMIT,
  LINE_FEED,
  MOST_PAIRS,
  NOTHING,
  NUMBER,
  ORDER,
  PLACES,
  POINT,
  QUOTE,
  RETURN,
  ROWS,
  SEPARATOR,
  SERVER_JOB,
  SIGNED,
  SKIPPED,
  SLASH,
  SLOTS,
  SPACE,
  STARTS,
  TASK,
  TEXT,
} from './lineLayout.js';
import { bucketOf, hashOf, readText, setText } from './lineTexts.js';
import { BLANKS, hasZero, isOddWord, isWordByte, ONES, wordAt, zerosIn } from './lineWords.js';
import type { i32 } from './types.js';

/**
 * Reads lines, plain and odd ones.
 * @param from where the first one begins; the byte before `end` is a line feed.
 * @param longest the longest plain line, in bytes with its line feed.
 * @returns how many lines were read.
 */
export function readLines(
  bytes: Uint8Array,
  ints: Int32Array,
  doubles: Float64Array,
  from: i32,
  end: i32,
  longest: i32,
): i32 {
  ints[ORDER] = 0;
  let at = from;
  let row: i32 = 0;
  while (at < end && row < ROWS) {
    ints[STARTS + row] = at;
    ints[FLAGS + row] = 0;
    let next = readFields(bytes, ints, doubles, at, row);
    if (next < 0 || next - at > longest) {
      ints[FLAGS + row] = IS_ODD;
      next = at;
      while (bytes[next]! !== LINE_FEED) next++;
      next++;
    }
    at = next;
    row++;
  }
  ints[STARTS + row] = at;
  return row;
}

/** Reads the fields of a line; returns the offset behind it, or -1 where it is odd. */
function readFields(bytes: Uint8Array, ints: Int32Array, doubles: Float64Array, from: i32, row: i32): i32 {
  const separator: i32 = ints[SEPARATOR]!;
  const isTable = ints[IS_TABLE]! !== 0;
  const last: i32 = ints[FIELDS_END]! - FIELD;
  let at = from;
  for (let field = FIELDS_FROM; field <= last; field += FIELD) {
    const kind: i32 = ints[field]!;
    const slot: i32 = ints[field + 1]!;
    if (kind === SKIPPED) at = skipFields(bytes, at, separator, slot, isTable);
    else if (kind === TEXT) at = readText(bytes, ints, doubles, at, separator, row, slot);
    else if (kind === DATE) at = readDate(bytes, ints, doubles, at, row, slot);
    else if (kind <= SIGNED) at = readNumber(bytes, doubles, at, kind, row * SLOTS + slot, isTable);
    else {
      at = readRareField(bytes, ints, doubles, at, kind, row, slot);
      if (at >= 0 && ints[FLAGS + row]! === IS_STEP) {
        at = skipFields(bytes, at, separator, ints[COUNT]! - ints[field + 2]!, false);
        return at < 0 ? -1 : endOfLine(bytes, at);
      }
    }
    if (at < 0) return -1;
    if (field === last) break;
    if (bytes[at]! !== separator) return -1;
    at++;
  }
  if (ints[KEYS_END]! === ints[FIELDS_END]!) return endOfLine(bytes, at);
  return bytes[at]! === separator ? readPairs(bytes, ints, doubles, at + 1, row) : -1;
}

/** The offset behind the end of a line that begins at an offset; -1 if something else does. */
function endOfLine(bytes: Uint8Array, from: i32): i32 {
  const at = bytes[from]! === RETURN ? from + 1 : from;
  return bytes[at]! === LINE_FEED ? at + 1 : -1;
}

/** The end of the last of some fields; -1 if they are not printable, or there are fewer. */
function skipFields(bytes: Uint8Array, from: i32, separator: i32, count: i32, isTable: boolean): i32 {
  let at = from;
  let left = count;
  // Four bytes at a time, up to those with the last separator; quotes, which matter at the begin of a field of a table, one by one.
  if (!isTable) {
    const separators = separator * ONES;
    let word = wordAt(bytes, at);
    while (!isOddWord(word)) {
      const found = zerosIn(word ^ separators);
      if (found >= left) break;
      left -= found;
      at += 4;
      word = wordAt(bytes, at);
    }
  }
  while (true) {
    let byte: i32 = bytes[at]!;
    if (isTable && byte === QUOTE) return -1;
    while (byte !== separator && byte >= SPACE && byte < DELETE) byte = bytes[++at]!;
    left--;
    if (left === 0) return at;
    if (byte !== separator) return -1;
    at++;
  }
}

/** Reads fields of the rarer kinds. */
function readRareField(
  bytes: Uint8Array,
  ints: Int32Array,
  doubles: Float64Array,
  from: i32,
  kind: i32,
  row: i32,
  slot: i32,
): i32 {
  const to = row * SLOTS + slot;
  if (kind === DURATION) return readDuration(bytes, doubles, from, to, ints[IS_TABLE]! !== 0);
  if (kind === LIMIT) return readLimit(bytes, ints, doubles, from, row, slot);
  if (kind === CLOCK) {
    if (bytes[from + 2]! !== SLASH || bytes[from + 5]! !== SLASH || bytes[from + 10]! !== SPACE) return -1;
    const day = daysSince1970(bytes, from + 6, from, from + 3);
    const second = secondOfDay(bytes, from + 11);
    if (day < 0 || second < 0) return -1;
    doubles[to] = day * 86_400 + second;
    return from + 19;
  }
  if (kind === TASK) return readTask(bytes, ints, doubles, from, row, slot);
  let at = readNumber(bytes, doubles, from, NUMBER, to, ints[IS_TABLE]! !== 0);
  if (at < 0 || bytes[at]! !== POINT) return kind === SERVER_JOB ? -1 : at;
  if (kind === JOB) {
    if (ints[HAS_STEPS]! === 0) return -1;
    ints[FLAGS + row] = IS_STEP;
    return at;
  }
  while (isWordByte(bytes[at]!) || bytes[at]! === DASH) at++;
  ints[PLACES + 2 * to] = from;
  ints[PLACES + 2 * to + 1] = at;
  return at;
}

/** Reads `key=value` to the end of the line, separated by blanks; returns the offset behind the line, or -1. */
function readPairs(bytes: Uint8Array, ints: Int32Array, doubles: Float64Array, from: i32, row: i32): i32 {
  const first = row * SLOTS;
  for (let key: i32 = ints[FIELDS_END]!; key < ints[KEYS_END]!; key += FIELD) {
    doubles[first + ints[key + 1]!] = ints[key + 2]! !== 0 ? NaN : NOTHING;
  }
  const known: i32 = ints[ORDER]!;
  let at = from;
  let pair: i32 = 0;
  while (true) {
    const start = at;
    let key: i32 = 0;
    // Lines have mostly the same keys as the line before, in the same order.
    if (pair < known) {
      const before = ints[ORDER + 1 + 2 * pair]! - at;
      let word = wordAt(bytes, at);
      while (word === wordAt(bytes, at + before) && !isOddWord(word) && !hasZero(word ^ (EQUALS * ONES))) {
        at += 4;
        word = wordAt(bytes, at);
      }
      let byte: i32 = bytes[at]!;
      while (byte === bytes[at + before]! && byte !== EQUALS) byte = bytes[++at]!;
      if (byte === EQUALS && bytes[at + before]! === EQUALS) key = ints[ORDER + 2 + 2 * pair]!;
      else at = start;
    }
    if (at === start) {
      at = endOfKey(bytes, at);
      if (at < 0) return -1;
      key = descriptionOfKey(bytes, ints, doubles, start, at);
    }
    if (pair < MOST_PAIRS) {
      ints[ORDER + 1 + 2 * pair] = start;
      ints[ORDER + 2 + 2 * pair] = key;
      pair++;
    }
    at = readValue(bytes, ints, doubles, at + 1, key, row);
    if (at < 0) return -1;
    if (bytes[at]! !== SPACE) break;
    at++;
  }
  ints[ORDER] = pair;
  return endOfLine(bytes, at);
}

/** The end of the key that begins at an offset, where `=` must be; -1 if that is something else. */
function endOfKey(bytes: Uint8Array, from: i32): i32 {
  let at = from;
  while (isWordByte(bytes[at]!)) at++;
  return at > from && bytes[at]! === EQUALS ? at : -1;
}

/** Where a key is described; 0 where it is not. */
function descriptionOfKey(
  bytes: Uint8Array,
  ints: Int32Array,
  doubles: Float64Array,
  from: i32,
  end: i32,
): i32 {
  const text = ints[bucketOf(bytes, ints, from, end, hashOf(bytes, from, end, KEY), KEY)]!;
  return text === 0 ? 0 : (doubles[KNOWN + text - 1]! as i32);
}

/** Reads the value of a key; returns where it ends, or -1. */
function readValue(
  bytes: Uint8Array,
  ints: Int32Array,
  doubles: Float64Array,
  from: i32,
  key: i32,
  row: i32,
): i32 {
  let at = from;
  let byte: i32 = bytes[at]!;
  if (key === 0) {
    let word = wordAt(bytes, at);
    // Neither blanks nor quotes.
    while (!isOddWord(word) && !hasZero(word ^ BLANKS) && !hasZero(word ^ (QUOTE * ONES))) {
      at += 4;
      word = wordAt(bytes, at);
    }
    byte = bytes[at]!;
    while (byte > SPACE && byte < DELETE && byte !== QUOTE) byte = bytes[++at]!;
    return byte === QUOTE ? -1 : at;
  }
  const kind: i32 = ints[key]!;
  const slot: i32 = ints[key + 1]!;
  if (kind !== TEXT) return readNumber(bytes, doubles, from, kind, row * SLOTS + slot, false);
  const isQuoted = byte === QUOTE;
  if (isQuoted) byte = bytes[++at]!;
  const start = at;
  let hash = slot;
  const stops = isQuoted ? QUOTE * ONES : BLANKS;
  let word = wordAt(bytes, at);
  while (!isOddWord(word) && !hasZero(word ^ stops) && !hasZero(word ^ (QUOTE * ONES))) {
    hash = (((hash << 5) - hash) | 0) + word;
    at += 4;
    word = wordAt(bytes, at);
  }
  byte = bytes[at]!;
  while ((byte > SPACE || (isQuoted && byte === SPACE)) && byte < DELETE && byte !== QUOTE) {
    hash = (((hash << 5) - hash) | 0) + byte;
    byte = bytes[++at]!;
  }
  if (isQuoted !== (byte === QUOTE)) return -1;
  if (!setText(bytes, ints, doubles, start, at, hash | 0, row, slot)) return -1;
  return isQuoted ? at + 1 : at;
}
