/**
 * Loops over the lines of accounting files and tables: whole numbers, dates, durations, and texts that come again and again. The build
 * compiles them to WebAssembly together with loops.ts, whose rules they keep. plainLines.ts fills the arrays and uses what was read.
 */
import {
  daysSince1970,
  readDateField,
  readDurationField,
  readNumberField,
  readTaskField,
  readTimeLimitField,
  secondOfDayAt,
} from './lineFields.js';
import {
  CARRIAGE_RETURN,
  CLOCK_TIME_KIND,
  DASH_CHARACTER,
  DATE_KIND,
  DELETE_CHARACTER,
  DURATION_KIND,
  EQUALS_CHARACTER,
  FIELD_COUNT_INDEX,
  FIELD_ENTRY_LENGTH,
  FIELD_PLACES_OFFSET,
  FIELD_SLOTS,
  FIELDS_BEGIN_INDEX,
  FIELDS_END_INDEX,
  HAS_STEPS_INDEX,
  IS_TABLE_INDEX,
  JOB_ID_KIND,
  KEY_KIND_BASE,
  KEY_ORDER_OFFSET,
  KEYS_END_INDEX,
  KNOWN_VALUES_OFFSET,
  LINE_FEED,
  LINE_FLAGS_OFFSET,
  LINE_STARTS_OFFSET,
  MAX_KEY_PAIRS,
  NO_VALUE_RESULT,
  NUMBER_KIND,
  ODD_LINE_FLAG,
  POINT_CHARACTER,
  QUOTE_CHARACTER,
  ROWS_PER_BATCH,
  SEPARATOR_INDEX,
  SERVER_JOB_ID_KIND,
  SIGNED_NUMBER_KIND,
  SKIPPED_FIELD_KIND,
  SLASH_CHARACTER,
  SPACE_CHARACTER,
  STEP_LINE_FLAG,
  TASK_ID_KIND,
  TEXT_KIND,
  TIME_LIMIT_KIND,
} from './lineLayout.js';
import { hashBucketOfText, hashOfText, readTextField, setTextValue } from './lineTexts.js';
import {
  BLANK_IN_EVERY_BYTE,
  hasUnusualByte,
  hasZeroByte,
  isNameByte,
  ONE_IN_EVERY_BYTE,
  wordAtByte,
  zeroByteFlags,
} from './lineWords.js';
import type { i32 } from './types.js';

/**
 * Reads lines, plain and odd ones.
 * @param from where the first one begins; the byte before `end` is a line feed.
 * @param longest the longest plain line, in bytes with its line feed.
 * @returns how many lines were read.
 */
export function readLogLines(
  bytes: Uint8Array,
  ints: Int32Array,
  doubles: Float64Array,
  from: i32,
  end: i32,
  longest: i32,
): i32 {
  ints[KEY_ORDER_OFFSET] = 0;
  let at = from;
  let row: i32 = 0;
  while (at < end && row < ROWS_PER_BATCH) {
    ints[LINE_STARTS_OFFSET + row] = at;
    ints[LINE_FLAGS_OFFSET + row] = 0;
    let next = readLineFields(bytes, ints, doubles, at, row);
    if (next < 0 || next - at > longest) {
      ints[LINE_FLAGS_OFFSET + row] = ODD_LINE_FLAG;
      next = at;
      while (bytes[next]! !== LINE_FEED) next++;
      next++;
    }
    at = next;
    row++;
  }
  ints[LINE_STARTS_OFFSET + row] = at;
  return row;
}

/** Reads the fields of a line; returns the offset behind it, or -1 where it is odd. */
function readLineFields(
  bytes: Uint8Array,
  ints: Int32Array,
  doubles: Float64Array,
  from: i32,
  row: i32,
): i32 {
  const separator: i32 = ints[SEPARATOR_INDEX]!;
  const isTable = ints[IS_TABLE_INDEX]! !== 0;
  const last: i32 = ints[FIELDS_END_INDEX]! - FIELD_ENTRY_LENGTH;
  let at = from;
  for (let field = FIELDS_BEGIN_INDEX; field <= last; field += FIELD_ENTRY_LENGTH) {
    const kind: i32 = ints[field]!;
    const slot: i32 = ints[field + 1]!;
    if (kind === SKIPPED_FIELD_KIND) at = skipFields(bytes, at, separator, slot, isTable);
    else if (kind === TEXT_KIND) at = readTextField(bytes, ints, doubles, at, separator, row, slot);
    else if (kind === DATE_KIND) at = readDateField(bytes, ints, doubles, at, row, slot);
    else if (kind <= SIGNED_NUMBER_KIND)
      at = readNumberField(bytes, doubles, at, kind, row * FIELD_SLOTS + slot, isTable);
    else {
      at = readUncommonField(bytes, ints, doubles, at, kind, row, slot);
      if (at >= 0 && ints[LINE_FLAGS_OFFSET + row]! === STEP_LINE_FLAG) {
        at = skipFields(bytes, at, separator, ints[FIELD_COUNT_INDEX]! - ints[field + 2]!, false);
        return at < 0 ? -1 : findEndOfLine(bytes, at);
      }
    }
    if (at < 0) return -1;
    if (field === last) break;
    if (bytes[at]! !== separator) return -1;
    at++;
  }
  if (ints[KEYS_END_INDEX]! === ints[FIELDS_END_INDEX]!) return findEndOfLine(bytes, at);
  return bytes[at]! === separator ? readKeyValuePairs(bytes, ints, doubles, at + 1, row) : -1;
}

/** The offset behind the end of a line that begins at an offset; -1 if something else does. */
function findEndOfLine(bytes: Uint8Array, from: i32): i32 {
  const at = bytes[from]! === CARRIAGE_RETURN ? from + 1 : from;
  return bytes[at]! === LINE_FEED ? at + 1 : -1;
}

/** The end of the last of some fields; -1 if they are not printable, or there are fewer. */
function skipFields(bytes: Uint8Array, from: i32, separator: i32, count: i32, isTable: boolean): i32 {
  let at = from;
  let left = count;
  // Four bytes at a time, up to those with the last separator; quotes, which matter at the begin of a field of a table, one by one.
  if (!isTable) {
    const separatorWord = separator * ONE_IN_EVERY_BYTE;
    let word = wordAtByte(bytes, at);
    while (!hasUnusualByte(word)) {
      const found = zeroByteFlags(word ^ separatorWord);
      if (found >= left) break;
      left -= found;
      at += 4;
      word = wordAtByte(bytes, at);
    }
  }
  while (true) {
    let byte: i32 = bytes[at]!;
    if (isTable && byte === QUOTE_CHARACTER) return -1;
    while (byte !== separator && byte >= SPACE_CHARACTER && byte < DELETE_CHARACTER) byte = bytes[++at]!;
    left--;
    if (left === 0) return at;
    if (byte !== separator) return -1;
    at++;
  }
}

/** Reads fields of the rarer kinds. */
function readUncommonField(
  bytes: Uint8Array,
  ints: Int32Array,
  doubles: Float64Array,
  from: i32,
  kind: i32,
  row: i32,
  slot: i32,
): i32 {
  const to = row * FIELD_SLOTS + slot;
  if (kind === DURATION_KIND) return readDurationField(bytes, doubles, from, to, ints[IS_TABLE_INDEX]! !== 0);
  if (kind === TIME_LIMIT_KIND) return readTimeLimitField(bytes, ints, doubles, from, row, slot);
  if (kind === CLOCK_TIME_KIND) {
    if (
      bytes[from + 2]! !== SLASH_CHARACTER ||
      bytes[from + 5]! !== SLASH_CHARACTER ||
      bytes[from + 10]! !== SPACE_CHARACTER
    )
      return -1;
    const day = daysSince1970(bytes, from + 6, from, from + 3);
    const second = secondOfDayAt(bytes, from + 11);
    if (day < 0 || second < 0) return -1;
    doubles[to] = day * 86_400 + second;
    return from + 19;
  }
  if (kind === TASK_ID_KIND) return readTaskField(bytes, ints, doubles, from, row, slot);
  let at = readNumberField(bytes, doubles, from, NUMBER_KIND, to, ints[IS_TABLE_INDEX]! !== 0);
  if (at < 0 || bytes[at]! !== POINT_CHARACTER) return kind === SERVER_JOB_ID_KIND ? -1 : at;
  if (kind === JOB_ID_KIND) {
    if (ints[HAS_STEPS_INDEX]! === 0) return -1;
    ints[LINE_FLAGS_OFFSET + row] = STEP_LINE_FLAG;
    return at;
  }
  while (isNameByte(bytes[at]!) || bytes[at]! === DASH_CHARACTER) at++;
  ints[FIELD_PLACES_OFFSET + 2 * to] = from;
  ints[FIELD_PLACES_OFFSET + 2 * to + 1] = at;
  return at;
}

/** Reads `key=value` to the end of the line, separated by blanks; returns the offset behind the line, or -1. */
function readKeyValuePairs(
  bytes: Uint8Array,
  ints: Int32Array,
  doubles: Float64Array,
  from: i32,
  row: i32,
): i32 {
  const first = row * FIELD_SLOTS;
  for (let key: i32 = ints[FIELDS_END_INDEX]!; key < ints[KEYS_END_INDEX]!; key += FIELD_ENTRY_LENGTH) {
    doubles[first + ints[key + 1]!] = ints[key + 2]! !== 0 ? NaN : NO_VALUE_RESULT;
  }
  const known: i32 = ints[KEY_ORDER_OFFSET]!;
  let at = from;
  let pair: i32 = 0;
  while (true) {
    const start = at;
    let key: i32 = 0;
    // Lines have mostly the same keys as the line before, in the same order.
    if (pair < known) {
      const before = ints[KEY_ORDER_OFFSET + 1 + 2 * pair]! - at;
      let word = wordAtByte(bytes, at);
      while (
        word === wordAtByte(bytes, at + before) &&
        !hasUnusualByte(word) &&
        !hasZeroByte(word ^ (EQUALS_CHARACTER * ONE_IN_EVERY_BYTE))
      ) {
        at += 4;
        word = wordAtByte(bytes, at);
      }
      let byte: i32 = bytes[at]!;
      while (byte === bytes[at + before]! && byte !== EQUALS_CHARACTER) byte = bytes[++at]!;
      if (byte === EQUALS_CHARACTER && bytes[at + before]! === EQUALS_CHARACTER)
        key = ints[KEY_ORDER_OFFSET + 2 + 2 * pair]!;
      else at = start;
    }
    if (at === start) {
      at = findEndOfKey(bytes, at);
      if (at < 0) return -1;
      key = findKeyDescription(bytes, ints, doubles, start, at);
    }
    if (pair < MAX_KEY_PAIRS) {
      ints[KEY_ORDER_OFFSET + 1 + 2 * pair] = start;
      ints[KEY_ORDER_OFFSET + 2 + 2 * pair] = key;
      pair++;
    }
    at = readPairValue(bytes, ints, doubles, at + 1, key, row);
    if (at < 0) return -1;
    if (bytes[at]! !== SPACE_CHARACTER) break;
    at++;
  }
  ints[KEY_ORDER_OFFSET] = pair;
  return findEndOfLine(bytes, at);
}

/** The end of the key that begins at an offset, where `=` must be; -1 if that is something else. */
function findEndOfKey(bytes: Uint8Array, from: i32): i32 {
  let at = from;
  while (isNameByte(bytes[at]!)) at++;
  return at > from && bytes[at]! === EQUALS_CHARACTER ? at : -1;
}

/** Where a key is described; 0 where it is not. */
function findKeyDescription(
  bytes: Uint8Array,
  ints: Int32Array,
  doubles: Float64Array,
  from: i32,
  end: i32,
): i32 {
  const text =
    ints[
      hashBucketOfText(bytes, ints, from, end, hashOfText(bytes, from, end, KEY_KIND_BASE), KEY_KIND_BASE)
    ]!;
  return text === 0 ? 0 : (doubles[KNOWN_VALUES_OFFSET + text - 1]! as i32);
}

/** Reads the value of a key; returns where it ends, or -1. */
function readPairValue(
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
    let word = wordAtByte(bytes, at);
    // Neither blanks nor quotes.
    while (
      !hasUnusualByte(word) &&
      !hasZeroByte(word ^ BLANK_IN_EVERY_BYTE) &&
      !hasZeroByte(word ^ (QUOTE_CHARACTER * ONE_IN_EVERY_BYTE))
    ) {
      at += 4;
      word = wordAtByte(bytes, at);
    }
    byte = bytes[at]!;
    while (byte > SPACE_CHARACTER && byte < DELETE_CHARACTER && byte !== QUOTE_CHARACTER) byte = bytes[++at]!;
    return byte === QUOTE_CHARACTER ? -1 : at;
  }
  const kind: i32 = ints[key]!;
  const slot: i32 = ints[key + 1]!;
  if (kind !== TEXT_KIND) return readNumberField(bytes, doubles, from, kind, row * FIELD_SLOTS + slot, false);
  const isQuotedValue = byte === QUOTE_CHARACTER;
  if (isQuotedValue) byte = bytes[++at]!;
  const start = at;
  let hash = slot;
  const stops = isQuotedValue ? QUOTE_CHARACTER * ONE_IN_EVERY_BYTE : BLANK_IN_EVERY_BYTE;
  let word = wordAtByte(bytes, at);
  while (
    !hasUnusualByte(word) &&
    !hasZeroByte(word ^ stops) &&
    !hasZeroByte(word ^ (QUOTE_CHARACTER * ONE_IN_EVERY_BYTE))
  ) {
    hash = (((hash << 5) - hash) | 0) + word;
    at += 4;
    word = wordAtByte(bytes, at);
  }
  byte = bytes[at]!;
  while (
    (byte > SPACE_CHARACTER || (isQuotedValue && byte === SPACE_CHARACTER)) &&
    byte < DELETE_CHARACTER &&
    byte !== QUOTE_CHARACTER
  ) {
    hash = (((hash << 5) - hash) | 0) + byte;
    byte = bytes[++at]!;
  }
  if (isQuotedValue !== (byte === QUOTE_CHARACTER)) return -1;
  if (!setTextValue(bytes, ints, doubles, start, at, hash | 0, row, slot)) return -1;
  return isQuotedValue ? at + 1 : at;
}
