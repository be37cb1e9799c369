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
 * @param beginOffset start of the first line; the byte before `endOffset` is a line feed.
 * @param maxLineBytes maximum length of a plain line in bytes, including its line feed.
 * @returns number of lines read.
 */
export function readLogLines(
  bytes: Uint8Array,
  ints: Int32Array,
  doubles: Float64Array,
  beginOffset: i32,
  endOffset: i32,
  maxLineBytes: i32,
): i32 {
  ints[KEY_ORDER_OFFSET] = 0;
  let bytePosition = beginOffset;
  let row: i32 = 0;
  while (bytePosition < endOffset && row < ROWS_PER_BATCH) {
    ints[LINE_STARTS_OFFSET + row] = bytePosition;
    ints[LINE_FLAGS_OFFSET + row] = 0;
    let nextPosition = readLineFields(bytes, ints, doubles, bytePosition, row);
    if (nextPosition < 0 || nextPosition - bytePosition > maxLineBytes) {
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
  doubles: Float64Array,
  beginOffset: i32,
  row: i32,
): i32 {
  const separator: i32 = ints[FIELD_SEPARATOR_INDEX]!;
  const isTable = ints[IS_TABLE_INDEX]! !== 0;
  const lastIndex: i32 = ints[FIELD_DESCRIPTIONS_END_INDEX]! - FIELD_ENTRY_LENGTH;
  let bytePosition = beginOffset;
  for (let fieldIndex = FIRST_FIELD_INDEX; fieldIndex <= lastIndex; fieldIndex += FIELD_ENTRY_LENGTH) {
    const fieldKind: i32 = ints[fieldIndex]!;
    const slot: i32 = ints[fieldIndex + 1]!;
    if (fieldKind === FIELD_KIND_SKIPPED)
      bytePosition = skipPrintableFields(bytes, bytePosition, separator, slot, isTable);
    else if (fieldKind === FIELD_KIND_TEXT)
      bytePosition = readTextField(bytes, ints, doubles, bytePosition, separator, row, slot);
    else if (fieldKind === FIELD_KIND_DATE)
      bytePosition = readDateField(bytes, ints, doubles, bytePosition, row, slot);
    else if (fieldKind <= FIELD_KIND_SIGNED_NUMBER)
      bytePosition = readNumberField(
        bytes,
        doubles,
        bytePosition,
        fieldKind,
        row * FIELD_SLOTS + slot,
        isTable,
      );
    else {
      bytePosition = readRareFieldKind(bytes, ints, doubles, bytePosition, fieldKind, row, slot);
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
    ? readKeyValuePairs(bytes, ints, doubles, bytePosition + 1, row)
    : -1;
}

/** Offset behind the line end at an offset; -1 if there is none. */
function findEndOfLine(bytes: Uint8Array, beginOffset: i32): i32 {
  const bytePosition = bytes[beginOffset]! === CARRIAGE_RETURN_CHARACTER ? beginOffset + 1 : beginOffset;
  return bytes[bytePosition]! === LINE_FEED_CHARACTER ? bytePosition + 1 : -1;
}

/** End of the last of several skipped fields; -1 if they are not printable or too few. */
function skipPrintableFields(
  bytes: Uint8Array,
  beginOffset: i32,
  separator: i32,
  fieldCount: i32,
  isTable: boolean,
): i32 {
  let bytePosition = beginOffset;
  let remainingFieldCount = fieldCount;
  // Four bytes at a time, up to those with the last separator; quotes, which matter at the begin of a field of a table, one by one.
  if (!isTable) {
    const separatorWord = separator * ONE_IN_EVERY_BYTE;
    let fourBytes = readFourBytes(bytes, bytePosition);
    while (!hasNonPrintableByte(fourBytes)) {
      const separatorCount = countZeroBytes(fourBytes ^ separatorWord);
      if (separatorCount >= remainingFieldCount) break;
      remainingFieldCount -= separatorCount;
      bytePosition += 4;
      fourBytes = readFourBytes(bytes, bytePosition);
    }
  }
  while (true) {
    let byte: i32 = bytes[bytePosition]!;
    if (isTable && byte === QUOTE_CHARACTER) return -1;
    while (byte !== separator && byte >= SPACE_CHARACTER && byte < DELETE_CHARACTER)
      byte = bytes[++bytePosition]!;
    remainingFieldCount--;
    if (remainingFieldCount === 0) return bytePosition;
    if (byte !== separator) return -1;
    bytePosition++;
  }
}

/** Reads fields of the rarer kinds. */
function readRareFieldKind(
  bytes: Uint8Array,
  ints: Int32Array,
  doubles: Float64Array,
  beginOffset: i32,
  fieldKind: i32,
  row: i32,
  slot: i32,
): i32 {
  const valueIndex = row * FIELD_SLOTS + slot;
  if (fieldKind === FIELD_KIND_DURATION)
    return readDurationField(bytes, doubles, beginOffset, valueIndex, ints[IS_TABLE_INDEX]! !== 0);
  if (fieldKind === FIELD_KIND_TIME_LIMIT)
    return readTimeLimitField(bytes, ints, doubles, beginOffset, row, slot);
  if (fieldKind === FIELD_KIND_SLASH_DATE) {
    if (
      bytes[beginOffset + 2]! !== SLASH_CHARACTER ||
      bytes[beginOffset + 5]! !== SLASH_CHARACTER ||
      bytes[beginOffset + 10]! !== SPACE_CHARACTER
    )
      return -1;
    const day = daysSince1970(bytes, beginOffset + 6, beginOffset, beginOffset + 3);
    const second = readSecondOfDay(bytes, beginOffset + 11);
    if (day < 0 || second < 0) return -1;
    doubles[valueIndex] = day * 86_400 + second;
    return beginOffset + 19;
  }
  if (fieldKind === FIELD_KIND_TASK_ID) return readJobIdField(bytes, ints, doubles, beginOffset, row, slot);
  let bytePosition = readNumberField(
    bytes,
    doubles,
    beginOffset,
    FIELD_KIND_REQUIRED_NUMBER,
    valueIndex,
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
  ints[FIELD_POSITIONS_OFFSET + 2 * valueIndex] = beginOffset;
  ints[FIELD_POSITIONS_OFFSET + 2 * valueIndex + 1] = bytePosition;
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
  beginOffset: i32,
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
  let bytePosition = beginOffset;
  let pairIndex: i32 = 0;
  while (true) {
    const start = bytePosition;
    let descriptionIndex: i32 = 0;
    // Lines have mostly the same keys as the line before, in the same order.
    if (pairIndex < knownKeyCount) {
      const byteCountToPreviousKey = ints[KEY_ORDER_OFFSET + 1 + 2 * pairIndex]! - bytePosition;
      let fourBytes = readFourBytes(bytes, bytePosition);
      while (
        fourBytes === readFourBytes(bytes, bytePosition + byteCountToPreviousKey) &&
        !hasNonPrintableByte(fourBytes) &&
        !hasZeroByte(fourBytes ^ (EQUALS_CHARACTER * ONE_IN_EVERY_BYTE))
      ) {
        bytePosition += 4;
        fourBytes = readFourBytes(bytes, bytePosition);
      }
      let byte: i32 = bytes[bytePosition]!;
      while (byte === bytes[bytePosition + byteCountToPreviousKey]! && byte !== EQUALS_CHARACTER)
        byte = bytes[++bytePosition]!;
      if (byte === EQUALS_CHARACTER && bytes[bytePosition + byteCountToPreviousKey]! === EQUALS_CHARACTER)
        descriptionIndex = ints[KEY_ORDER_OFFSET + 2 + 2 * pairIndex]!;
      else bytePosition = start;
    }
    if (bytePosition === start) {
      bytePosition = findEndOfKey(bytes, bytePosition);
      if (bytePosition < 0) return -1;
      descriptionIndex = findKeyDescription(bytes, ints, doubles, start, bytePosition);
    }
    if (pairIndex < MAX_KEY_PAIRS) {
      ints[KEY_ORDER_OFFSET + 1 + 2 * pairIndex] = start;
      ints[KEY_ORDER_OFFSET + 2 + 2 * pairIndex] = descriptionIndex;
      pairIndex++;
    }
    bytePosition = readPairValue(bytes, ints, doubles, bytePosition + 1, descriptionIndex, row);
    if (bytePosition < 0) return -1;
    if (bytes[bytePosition]! !== SPACE_CHARACTER) break;
    bytePosition++;
  }
  ints[KEY_ORDER_OFFSET] = pairIndex;
  return findEndOfLine(bytes, bytePosition);
}

/** End of the key at an offset, where `=` must follow; -1 otherwise. */
function findEndOfKey(bytes: Uint8Array, beginOffset: i32): i32 {
  let bytePosition = beginOffset;
  while (isNameCharacter(bytes[bytePosition]!)) bytePosition++;
  return bytePosition > beginOffset && bytes[bytePosition]! === EQUALS_CHARACTER ? bytePosition : -1;
}

/** Index of the description of a key; 0 if there is none. */
function findKeyDescription(
  bytes: Uint8Array,
  ints: Int32Array,
  doubles: Float64Array,
  beginOffset: i32,
  endOffset: i32,
): i32 {
  const textNumber =
    ints[
      findHashBucketOfText(
        bytes,
        ints,
        beginOffset,
        endOffset,
        hashKnownText(bytes, beginOffset, endOffset, KEY_TEXT_SLOT),
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
  beginOffset: i32,
  keyIndex: i32,
  row: i32,
): i32 {
  let bytePosition = beginOffset;
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
    return readNumberField(bytes, doubles, beginOffset, fieldKind, row * FIELD_SLOTS + slot, false);
  const isQuotedValue = byte === QUOTE_CHARACTER;
  if (isQuotedValue) byte = bytes[++bytePosition]!;
  const start = bytePosition;
  let hash = slot;
  const endByteMask = isQuotedValue ? QUOTE_CHARACTER * ONE_IN_EVERY_BYTE : BLANK_IN_EVERY_BYTE;
  let word = readFourBytes(bytes, bytePosition);
  while (
    !hasNonPrintableByte(word) &&
    !hasZeroByte(word ^ endByteMask) &&
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
