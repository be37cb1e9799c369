/**
 * Fast reader for lines of accounting files and tables: whole numbers, dates, durations and repeated texts.
 * The build compiles this file to WebAssembly together with loops.ts, under the same restrictions.
 * plainLines.ts fills the arrays and uses the results.
 */
import {
  daysSince1970,
  readDateField,
  readDurationField,
  readJobIdField,
  readNumberField,
  readSecondOfDay,
  readTimeLimitField,
} from './lineFields.js';
import {
  CARRIAGE_RETURN_CHARACTER,
  DASH_CHARACTER,
  DELETE_CHARACTER,
  EQUALS_CHARACTER,
  FIELD_COUNT_INDEX,
  FIELD_DESCRIPTIONS_END_INDEX,
  FIELD_ENTRY_LENGTH,
  FIELD_KIND_DATE,
  FIELD_KIND_DURATION,
  FIELD_KIND_JOB_ID,
  FIELD_KIND_REQUIRED_NUMBER,
  FIELD_KIND_SERVER_JOB_ID,
  FIELD_KIND_SIGNED_NUMBER,
  FIELD_KIND_SKIPPED,
  FIELD_KIND_SLASH_DATE,
  FIELD_KIND_TASK_ID,
  FIELD_KIND_TEXT,
  FIELD_KIND_TIME_LIMIT,
  FIELD_POSITIONS_OFFSET,
  FIELD_SEPARATOR_INDEX,
  FIELD_SLOTS,
  FIRST_FIELD_INDEX,
  HAS_JOB_STEPS_INDEX,
  IRREGULAR_LINE_FLAG,
  IS_TABLE_INDEX,
  JOB_STEP_LINE_FLAG,
  KEY_DESCRIPTIONS_END_INDEX,
  KEY_ORDER_OFFSET,
  KEY_TEXT_SLOT,
  KNOWN_VALUES_OFFSET,
  LINE_FEED_CHARACTER,
  LINE_FLAGS_OFFSET,
  LINE_STARTS_OFFSET,
  MAX_KEY_PAIRS,
  NO_VALUE_RESULT,
  POINT_CHARACTER,
  QUOTE_CHARACTER,
  ROWS_PER_BATCH,
  SLASH_CHARACTER,
  SPACE_CHARACTER,
} from './lineLayout.js';
import { findHashBucketOfText, hashKnownText, readTextField, setValueOfKnownText } from './lineTexts.js';
import {
  BLANK_IN_EVERY_BYTE,
  countZeroBytes,
  hasNonPrintableByte,
  hasZeroByte,
  isNameCharacter,
  ONE_IN_EVERY_BYTE,
  readFourBytes,
} from './lineWords.js';
import type { i32 } from './types.js';

/**
 * Reads plain and irregular lines.
 * @param from start of the first line; the byte before `end` is a line feed.
 * @param longest maximum length of a plain line in bytes, including its line feed.
 * @returns number of lines read.
 */
export function readLogLines(
  bytes: Uint8Array,
  ints: Int32Array,
  numberSlots: Float64Array,
  from: i32,
  end: i32,
  longest: i32,
): i32 {
  ints[KEY_ORDER_OFFSET] = 0;
  let bytePosition = from;
  let row: i32 = 0;
  while (bytePosition < end && row < ROWS_PER_BATCH) {
    ints[LINE_STARTS_OFFSET + row] = bytePosition;
    ints[LINE_FLAGS_OFFSET + row] = 0;
    let nextPosition = readLineFields(bytes, ints, numberSlots, bytePosition, row);
    if (nextPosition < 0 || nextPosition - bytePosition > longest) {
      ints[LINE_FLAGS_OFFSET + row] = IRREGULAR_LINE_FLAG;
      nextPosition = bytePosition;
      while (bytes[nextPosition]! !== LINE_FEED_CHARACTER) nextPosition++;
      nextPosition++;
    }
    bytePosition = nextPosition;
    row++;
  }
  ints[LINE_STARTS_OFFSET + row] = bytePosition;
  return row;
}

/** Reads the fields of a line; returns the offset behind it, or -1 if the line is irregular. */
function readLineFields(
  bytes: Uint8Array,
  ints: Int32Array,
  numberSlots: Float64Array,
  from: i32,
  row: i32,
): i32 {
  const separator: i32 = ints[FIELD_SEPARATOR_INDEX]!;
  const isTable = ints[IS_TABLE_INDEX]! !== 0;
  const lastIndex: i32 = ints[FIELD_DESCRIPTIONS_END_INDEX]! - FIELD_ENTRY_LENGTH;
  let bytePosition = from;
  for (let fieldIndex = FIRST_FIELD_INDEX; fieldIndex <= lastIndex; fieldIndex += FIELD_ENTRY_LENGTH) {
    const fieldKind: i32 = ints[fieldIndex]!;
    const slot: i32 = ints[fieldIndex + 1]!;
    if (fieldKind === FIELD_KIND_SKIPPED)
      bytePosition = skipPrintableFields(bytes, bytePosition, separator, slot, isTable);
    else if (fieldKind === FIELD_KIND_TEXT)
      bytePosition = readTextField(bytes, ints, numberSlots, bytePosition, separator, row, slot);
    else if (fieldKind === FIELD_KIND_DATE)
      bytePosition = readDateField(bytes, ints, numberSlots, bytePosition, row, slot);
    else if (fieldKind <= FIELD_KIND_SIGNED_NUMBER)
      bytePosition = readNumberField(
        bytes,
        numberSlots,
        bytePosition,
        fieldKind,
        row * FIELD_SLOTS + slot,
        isTable,
      );
    else {
      bytePosition = readRareFieldKind(bytes, ints, numberSlots, bytePosition, fieldKind, row, slot);
      if (bytePosition >= 0 && ints[LINE_FLAGS_OFFSET + row]! === JOB_STEP_LINE_FLAG) {
        bytePosition = skipPrintableFields(
          bytes,
          bytePosition,
          separator,
          ints[FIELD_COUNT_INDEX]! - ints[fieldIndex + 2]!,
          false,
        );
        return bytePosition < 0 ? -1 : findEndOfLine(bytes, bytePosition);
      }
    }
    if (bytePosition < 0) return -1;
    if (fieldIndex === lastIndex) break;
    if (bytes[bytePosition]! !== separator) return -1;
    bytePosition++;
  }
  if (ints[KEY_DESCRIPTIONS_END_INDEX]! === ints[FIELD_DESCRIPTIONS_END_INDEX]!)
    return findEndOfLine(bytes, bytePosition);
  return bytes[bytePosition]! === separator
    ? readKeyValuePairs(bytes, ints, numberSlots, bytePosition + 1, row)
    : -1;
}

/** Offset behind the line end at an offset; -1 if there is none. */
function findEndOfLine(bytes: Uint8Array, from: i32): i32 {
  const bytePosition = bytes[from]! === CARRIAGE_RETURN_CHARACTER ? from + 1 : from;
  return bytes[bytePosition]! === LINE_FEED_CHARACTER ? bytePosition + 1 : -1;
}

/** End of the last of several skipped fields; -1 if they are not printable or too few. */
function skipPrintableFields(
  bytes: Uint8Array,
  from: i32,
  separator: i32,
  fieldCount: i32,
  isTable: boolean,
): i32 {
  let bytePosition = from;
  let remainingFields = fieldCount;
  // Four bytes at a time, up to those with the last separator; quotes, which matter at the begin of a field of a table, one by one.
  if (!isTable) {
    const separatorWord = separator * ONE_IN_EVERY_BYTE;
    let fourBytes = readFourBytes(bytes, bytePosition);
    while (!hasNonPrintableByte(fourBytes)) {
      const separatorCount = countZeroBytes(fourBytes ^ separatorWord);
      if (separatorCount >= remainingFields) break;
      remainingFields -= separatorCount;
      bytePosition += 4;
      fourBytes = readFourBytes(bytes, bytePosition);
    }
  }
  while (true) {
    let byte: i32 = bytes[bytePosition]!;
    if (isTable && byte === QUOTE_CHARACTER) return -1;
    while (byte !== separator && byte >= SPACE_CHARACTER && byte < DELETE_CHARACTER)
      byte = bytes[++bytePosition]!;
    remainingFields--;
    if (remainingFields === 0) return bytePosition;
    if (byte !== separator) return -1;
    bytePosition++;
  }
}

/** Reads fields of the rarer kinds. */
function readRareFieldKind(
  bytes: Uint8Array,
  ints: Int32Array,
  numberSlots: Float64Array,
  from: i32,
  fieldKind: i32,
  row: i32,
  slot: i32,
): i32 {
  const to = row * FIELD_SLOTS + slot;
  if (fieldKind === FIELD_KIND_DURATION)
    return readDurationField(bytes, numberSlots, from, to, ints[IS_TABLE_INDEX]! !== 0);
  if (fieldKind === FIELD_KIND_TIME_LIMIT)
    return readTimeLimitField(bytes, ints, numberSlots, from, row, slot);
  if (fieldKind === FIELD_KIND_SLASH_DATE) {
    if (
      bytes[from + 2]! !== SLASH_CHARACTER ||
      bytes[from + 5]! !== SLASH_CHARACTER ||
      bytes[from + 10]! !== SPACE_CHARACTER
    )
      return -1;
    const day = daysSince1970(bytes, from + 6, from, from + 3);
    const second = readSecondOfDay(bytes, from + 11);
    if (day < 0 || second < 0) return -1;
    numberSlots[to] = day * 86_400 + second;
    return from + 19;
  }
  if (fieldKind === FIELD_KIND_TASK_ID) return readJobIdField(bytes, ints, numberSlots, from, row, slot);
  let bytePosition = readNumberField(
    bytes,
    numberSlots,
    from,
    FIELD_KIND_REQUIRED_NUMBER,
    to,
    ints[IS_TABLE_INDEX]! !== 0,
  );
  if (bytePosition < 0 || bytes[bytePosition]! !== POINT_CHARACTER)
    return fieldKind === FIELD_KIND_SERVER_JOB_ID ? -1 : bytePosition;
  if (fieldKind === FIELD_KIND_JOB_ID) {
    if (ints[HAS_JOB_STEPS_INDEX]! === 0) return -1;
    ints[LINE_FLAGS_OFFSET + row] = JOB_STEP_LINE_FLAG;
    return bytePosition;
  }
  while (isNameCharacter(bytes[bytePosition]!) || bytes[bytePosition]! === DASH_CHARACTER) bytePosition++;
  ints[FIELD_POSITIONS_OFFSET + 2 * to] = from;
  ints[FIELD_POSITIONS_OFFSET + 2 * to + 1] = bytePosition;
  return bytePosition;
}

/**
 * Reads pairs `key=value` to the end of the line, separated by blanks; returns the offset behind the line, or
 * -1.
 */
function readKeyValuePairs(
  bytes: Uint8Array,
  ints: Int32Array,
  doubles: Float64Array,
  from: i32,
  row: i32,
): i32 {
  const firstSlot = row * FIELD_SLOTS;
  for (
    let descriptionIndex: i32 = ints[FIELD_DESCRIPTIONS_END_INDEX]!;
    descriptionIndex < ints[KEY_DESCRIPTIONS_END_INDEX]!;
    descriptionIndex += FIELD_ENTRY_LENGTH
  ) {
    doubles[firstSlot + ints[descriptionIndex + 1]!] =
      ints[descriptionIndex + 2]! !== 0 ? NaN : NO_VALUE_RESULT;
  }
  const knownKeyCount: i32 = ints[KEY_ORDER_OFFSET]!;
  let bytePosition = from;
  let pair: i32 = 0;
  while (true) {
    const start = bytePosition;
    let descriptionIndex: i32 = 0;
    // Lines have mostly the same keys as the line before, in the same order.
    if (pair < knownKeyCount) {
      const before = ints[KEY_ORDER_OFFSET + 1 + 2 * pair]! - bytePosition;
      let fourBytes = readFourBytes(bytes, bytePosition);
      while (
        fourBytes === readFourBytes(bytes, bytePosition + before) &&
        !hasNonPrintableByte(fourBytes) &&
        !hasZeroByte(fourBytes ^ (EQUALS_CHARACTER * ONE_IN_EVERY_BYTE))
      ) {
        bytePosition += 4;
        fourBytes = readFourBytes(bytes, bytePosition);
      }
      let byte: i32 = bytes[bytePosition]!;
      while (byte === bytes[bytePosition + before]! && byte !== EQUALS_CHARACTER)
        byte = bytes[++bytePosition]!;
      if (byte === EQUALS_CHARACTER && bytes[bytePosition + before]! === EQUALS_CHARACTER)
        descriptionIndex = ints[KEY_ORDER_OFFSET + 2 + 2 * pair]!;
      else bytePosition = start;
    }
    if (bytePosition === start) {
      bytePosition = findEndOfKey(bytes, bytePosition);
      if (bytePosition < 0) return -1;
      descriptionIndex = findKeyDescription(bytes, ints, doubles, start, bytePosition);
    }
    if (pair < MAX_KEY_PAIRS) {
      ints[KEY_ORDER_OFFSET + 1 + 2 * pair] = start;
      ints[KEY_ORDER_OFFSET + 2 + 2 * pair] = descriptionIndex;
      pair++;
    }
    bytePosition = readPairValue(bytes, ints, doubles, bytePosition + 1, descriptionIndex, row);
    if (bytePosition < 0) return -1;
    if (bytes[bytePosition]! !== SPACE_CHARACTER) break;
    bytePosition++;
  }
  ints[KEY_ORDER_OFFSET] = pair;
  return findEndOfLine(bytes, bytePosition);
}

/** End of the key at an offset, where `=` must follow; -1 otherwise. */
function findEndOfKey(bytes: Uint8Array, from: i32): i32 {
  let bytePosition = from;
  while (isNameCharacter(bytes[bytePosition]!)) bytePosition++;
  return bytePosition > from && bytes[bytePosition]! === EQUALS_CHARACTER ? bytePosition : -1;
}

/** Index of the description of a key; 0 if there is none. */
function findKeyDescription(
  bytes: Uint8Array,
  ints: Int32Array,
  doubles: Float64Array,
  from: i32,
  end: i32,
): i32 {
  const textNumber =
    ints[
      findHashBucketOfText(
        bytes,
        ints,
        from,
        end,
        hashKnownText(bytes, from, end, KEY_TEXT_SLOT),
        KEY_TEXT_SLOT,
      )
    ]!;
  return textNumber === 0 ? 0 : (doubles[KNOWN_VALUES_OFFSET + textNumber - 1]! as i32);
}

/** Reads the value of a key; returns its end, or -1. */
function readPairValue(
  bytes: Uint8Array,
  ints: Int32Array,
  doubles: Float64Array,
  from: i32,
  keyIndex: i32,
  row: i32,
): i32 {
  let bytePosition = from;
  let byte: i32 = bytes[bytePosition]!;
  if (keyIndex === 0) {
    let fourBytes = readFourBytes(bytes, bytePosition);
    // Neither blanks nor quotes.
    while (
      !hasNonPrintableByte(fourBytes) &&
      !hasZeroByte(fourBytes ^ BLANK_IN_EVERY_BYTE) &&
      !hasZeroByte(fourBytes ^ (QUOTE_CHARACTER * ONE_IN_EVERY_BYTE))
    ) {
      bytePosition += 4;
      fourBytes = readFourBytes(bytes, bytePosition);
    }
    byte = bytes[bytePosition]!;
    while (byte > SPACE_CHARACTER && byte < DELETE_CHARACTER && byte !== QUOTE_CHARACTER)
      byte = bytes[++bytePosition]!;
    return byte === QUOTE_CHARACTER ? -1 : bytePosition;
  }
  const fieldKind: i32 = ints[keyIndex]!;
  const slot: i32 = ints[keyIndex + 1]!;
  if (fieldKind !== FIELD_KIND_TEXT)
    return readNumberField(bytes, doubles, from, fieldKind, row * FIELD_SLOTS + slot, false);
  const isQuotedValue = byte === QUOTE_CHARACTER;
  if (isQuotedValue) byte = bytes[++bytePosition]!;
  const start = bytePosition;
  let hash = slot;
  const stops = isQuotedValue ? QUOTE_CHARACTER * ONE_IN_EVERY_BYTE : BLANK_IN_EVERY_BYTE;
  let word = readFourBytes(bytes, bytePosition);
  while (
    !hasNonPrintableByte(word) &&
    !hasZeroByte(word ^ stops) &&
    !hasZeroByte(word ^ (QUOTE_CHARACTER * ONE_IN_EVERY_BYTE))
  ) {
    hash = (((hash << 5) - hash) | 0) + word;
    bytePosition += 4;
    word = readFourBytes(bytes, bytePosition);
  }
  byte = bytes[bytePosition]!;
  while (
    (byte > SPACE_CHARACTER || (isQuotedValue && byte === SPACE_CHARACTER)) &&
    byte < DELETE_CHARACTER &&
    byte !== QUOTE_CHARACTER
  ) {
    hash = (((hash << 5) - hash) | 0) + byte;
    byte = bytes[++bytePosition]!;
  }
  if (isQuotedValue !== (byte === QUOTE_CHARACTER)) return -1;
  if (!setValueOfKnownText(bytes, ints, doubles, start, bytePosition, hash | 0, row, slot)) return -1;
  return isQuotedValue ? bytePosition + 1 : bytePosition;
}
