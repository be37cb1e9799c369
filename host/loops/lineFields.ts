/** Parses numbers, dates and durations in lines. */
import {
  CACHED_DATES_OFFSET,
  CARRIAGE_RETURN_CHARACTER,
  COLON_CHARACTER,
  DASH_CHARACTER,
  FIELD_KIND_REQUIRED_NUMBER,
  FIELD_KIND_SIGNED_NUMBER,
  FIELD_KIND_WHOLE_NUMBER,
  FIELD_POSITIONS_OFFSET,
  FIELD_SEPARATOR_INDEX,
  FIELD_SLOTS,
  FIRST_LOCAL_TIME_FLAG,
  HAS_JOB_STEPS_INDEX,
  IS_LOCAL_TIME_INDEX,
  IS_TABLE_INDEX,
  JOB_STEP_LINE_FLAG,
  LETTER_T_CHARACTER,
  LETTER_Z_CHARACTER,
  LIMIT_IN_MINUTES_INDEX,
  LINE_FEED_CHARACTER,
  LINE_FLAGS_OFFSET,
  NINE_CHARACTER,
  NO_VALUE_RESULT,
  PLUS_CHARACTER,
  POINT_CHARACTER,
  SPACE_CHARACTER,
  UNDERSCORE_CHARACTER,
  UNLIMITED_VALUE_INDEX,
  ZERO_CHARACTER,
} from './lineLayout.js';
import { readTextField } from './lineTexts.js';
import { areFourBytesDigits, isDigitCharacter, parseFourDigits, readFourBytes } from './lineWords.js';
import type { i32 } from './types.js';

/** Number of digits that always fit into 32 bits, and maximum number of digits of a number. */
const MAX_32_BIT_DIGITS: i32 = 9;
const MAX_NUMBER_DIGITS: i32 = 12;

/** Smallest number in a table that is interpreted as milliseconds since 1970. */
const MIN_MILLISECOND_TIMESTAMP: number = 1e11;

/** Range of years whose dates in seconds fit into 32 bits. */
const FIRST_32_BIT_YEAR: i32 = 1970;
const LAST_32_BIT_YEAR: i32 = 2037;

/** Reads a whole number; with kind WHOLE, an empty field is -1. */
export function readNumberField(
  bytes: Uint8Array,
  doubles: Float64Array,
  beginOffset: i32,
  fieldKind: i32,
  valueIndex: i32,
  isTable: boolean,
): i32 {
  const isNegative = fieldKind === FIELD_KIND_SIGNED_NUMBER && bytes[beginOffset]! === DASH_CHARACTER;
  const digitsBeginOffset = isNegative ? beginOffset + 1 : beginOffset;
  let byteOffset = digitsBeginOffset;
  let byte: i32 = bytes[byteOffset]!;
  let wholePart: i32 = 0;
  if (areFourBytesDigits(readFourBytes(bytes, byteOffset))) {
    wholePart = parseFourDigits(readFourBytes(bytes, byteOffset));
    byteOffset += 4;
    if (areFourBytesDigits(readFourBytes(bytes, byteOffset))) {
      wholePart = wholePart * 10_000 + parseFourDigits(readFourBytes(bytes, byteOffset));
      byteOffset += 4;
    }
    byte = bytes[byteOffset]!;
  }
  while (
    byte >= ZERO_CHARACTER &&
    byte <= NINE_CHARACTER &&
    byteOffset < digitsBeginOffset + MAX_32_BIT_DIGITS
  ) {
    wholePart = wholePart * 10 + (byte - ZERO_CHARACTER);
    byte = bytes[++byteOffset]!;
  }
  let magnitude: number = wholePart;
  while (byte >= ZERO_CHARACTER && byte <= NINE_CHARACTER) {
    magnitude = magnitude * 10 + (byte - ZERO_CHARACTER);
    byte = bytes[++byteOffset]!;
  }
  if (byteOffset === digitsBeginOffset) {
    doubles[valueIndex] = NO_VALUE_RESULT;
    return fieldKind === FIELD_KIND_WHOLE_NUMBER ? byteOffset : -1;
  }
  if (byteOffset - digitsBeginOffset > MAX_NUMBER_DIGITS) return -1;
  doubles[valueIndex] = isNegative ? 0 - magnitude : magnitude;
  return isTable && byte === POINT_CHARACTER ? skipTrailingZeroFraction(bytes, byteOffset) : byteOffset;
}

/** Offset behind a fraction `.0`; the given offset for any other text. */
function skipTrailingZeroFraction(bytes: Uint8Array, pointPosition: i32): i32 {
  let byteOffset = pointPosition + 1;
  while (bytes[byteOffset]! === ZERO_CHARACTER) byteOffset++;
  return byteOffset === pointPosition + 1 || isDigitCharacter(bytes[byteOffset]!)
    ? pointPosition
    : byteOffset;
}

/** Reads a job id; its value is the number if it is one. */
export function readJobIdField(
  bytes: Uint8Array,
  ints: Int32Array,
  doubles: Float64Array,
  beginOffset: i32,
  row: i32,
  slot: i32,
): i32 {
  const valueIndex = row * FIELD_SLOTS + slot;
  const numberEndOffset = readNumberField(
    bytes,
    doubles,
    beginOffset,
    FIELD_KIND_WHOLE_NUMBER,
    valueIndex,
    false,
  );
  let byteOffset = numberEndOffset < 0 ? beginOffset : numberEndOffset;
  let byte: i32 = bytes[byteOffset]!;
  if (numberEndOffset < 0 || byte === UNDERSCORE_CHARACTER) doubles[valueIndex] = NO_VALUE_RESULT;
  while ((byte >= ZERO_CHARACTER && byte <= NINE_CHARACTER) || byte === UNDERSCORE_CHARACTER)
    byte = bytes[++byteOffset]!;
  ints[FIELD_POSITIONS_OFFSET + 2 * valueIndex] = beginOffset;
  ints[FIELD_POSITIONS_OFFSET + 2 * valueIndex + 1] = byteOffset;
  if (byte !== POINT_CHARACTER) return byteOffset;
  if (byteOffset === beginOffset || ints[HAS_JOB_STEPS_INDEX]! === 0) return -1;
  ints[LINE_FLAGS_OFFSET + row] = JOB_STEP_LINE_FLAG;
  return byteOffset;
}

/** Parses two digits; far below 0 for other characters. */
function readTwoDigits(bytes: Uint8Array, byteOffset: i32): i32 {
  const tensDigit: i32 = bytes[byteOffset]! - ZERO_CHARACTER;
  const onesDigit: i32 = bytes[byteOffset + 1]! - ZERO_CHARACTER;
  return (tensDigit | (9 - tensDigit) | onesDigit | (9 - onesDigit)) < 0
    ? -1_000_000
    : 10 * tensDigit + onesDigit;
}

/**
 * Days from 1970 to a date given by the offsets of year, month and day; -1 for an invalid date or an
 * unsupported year.
 */
export function daysSince1970(
  bytes: Uint8Array,
  yearPosition: i32,
  monthPosition: i32,
  dayPosition: i32,
): i32 {
  const year = 100 * readTwoDigits(bytes, yearPosition) + readTwoDigits(bytes, yearPosition + 2);
  const month = readTwoDigits(bytes, monthPosition);
  const day = readTwoDigits(bytes, dayPosition);
  if (year < FIRST_32_BIT_YEAR || year > LAST_32_BIT_YEAR || month < 1 || month > 12 || day < 1) return -1;
  const isLeapYear = (year & 3) === 0;
  const monthLength = month === 2 ? (isLeapYear ? 29 : 28) : 30 + ((month + (month >> 3)) & 1);
  if (day > monthLength) return -1;
  // From March on, months have 30.6 days: after January and February it is the year before (Neri and Schneider 2023).
  const shiftedMonth = month > 2 ? month : month + 12;
  const yearsFromMarch = month > 2 ? year : year - 1;
  return (
    365 * (yearsFromMarch - FIRST_32_BIT_YEAR) +
    ((yearsFromMarch - 1968) >> 2) +
    ((979 * shiftedMonth - 2919) >> 5) +
    day +
    58
  );
}

/** Second of the day for a time such as `10:01:05`; -1 for an invalid one. */
export function readSecondOfDay(bytes: Uint8Array, byteOffset: i32): i32 {
  if (bytes[byteOffset + 2]! !== COLON_CHARACTER || bytes[byteOffset + 5]! !== COLON_CHARACTER) return -1;
  const hour = readTwoDigits(bytes, byteOffset);
  const minute = readTwoDigits(bytes, byteOffset + 3);
  const second = readTwoDigits(bytes, byteOffset + 6);
  const isTimeOutOfRange = (hour | (23 - hour) | minute | (59 - minute) | second | (59 - second)) < 0;
  return isTimeOutOfRange ? -1 : (hour * 60 + minute) * 60 + second;
}

/** True if a byte ends a field. */
function isFieldEnd(byte: i32, separator: i32): boolean {
  return byte === separator || byte === LINE_FEED_CHARACTER || byte === CARRIAGE_RETURN_CHARACTER;
}

/** Reads a date in seconds since 1970. */
export function readDateField(
  bytes: Uint8Array,
  ints: Int32Array,
  doubles: Float64Array,
  beginOffset: i32,
  row: i32,
  slot: i32,
): i32 {
  const separator: i32 = ints[FIELD_SEPARATOR_INDEX]!;
  const isTable = ints[IS_TABLE_INDEX]! !== 0;
  const valueIndex = row * FIELD_SLOTS + slot;
  const firstByte: i32 = bytes[beginOffset]!;
  if (firstByte > NINE_CHARACTER || isFieldEnd(firstByte, separator)) {
    return readTextField(bytes, ints, doubles, beginOffset, separator, row, slot);
  }
  if (bytes[beginOffset + 4]! !== DASH_CHARACTER) {
    const byteOffset = readNumberField(
      bytes,
      doubles,
      beginOffset,
      FIELD_KIND_WHOLE_NUMBER,
      valueIndex,
      isTable,
    );
    return isTable && doubles[valueIndex]! >= MIN_MILLISECOND_TIMESTAMP ? -1 : byteOffset;
  }
  const middleByte: i32 = bytes[beginOffset + 10]!;
  if (
    bytes[beginOffset + 7]! !== DASH_CHARACTER ||
    (middleByte !== LETTER_T_CHARACTER && !(isTable && middleByte === SPACE_CHARACTER))
  )
    return -1;
  const day = readDaysSince1970(bytes, ints, beginOffset, slot);
  const second = readSecondOfDay(bytes, beginOffset + 11);
  if (day < 0 || second < 0) return -1;
  doubles[valueIndex] = day * 86_400 + second;
  if (ints[IS_LOCAL_TIME_INDEX]! !== 0)
    ints[LINE_FLAGS_OFFSET + row] = ints[LINE_FLAGS_OFFSET + row]! | (FIRST_LOCAL_TIME_FLAG << slot);
  return isTable ? skipUtcOffset(bytes, beginOffset + 19) : beginOffset + 19;
}

/**
 * Days from 1970 to a date such as 2026-03-05; -1 for an invalid one. Caches the date of the same field in
 * the previous line, which is usually equal.
 */
function readDaysSince1970(bytes: Uint8Array, ints: Int32Array, beginOffset: i32, slot: i32): i32 {
  const cachedDateIndex = CACHED_DATES_OFFSET + 4 * slot;
  const yearBytes = readFourBytes(bytes, beginOffset);
  const monthBytes = readFourBytes(bytes, beginOffset + 4);
  const dayBytes = readFourBytes(bytes, beginOffset + 6);
  if (
    ints[cachedDateIndex]! === yearBytes &&
    ints[cachedDateIndex + 1]! === monthBytes &&
    ints[cachedDateIndex + 2]! === dayBytes
  )
    return ints[cachedDateIndex + 3]!;
  const day = daysSince1970(bytes, beginOffset, beginOffset + 5, beginOffset + 8);
  ints[cachedDateIndex] = yearBytes;
  ints[cachedDateIndex + 1] = monthBytes;
  ints[cachedDateIndex + 2] = dayBytes;
  ints[cachedDateIndex + 3] = day;
  return day;
}

/**
 * Offset behind a suffix `+00:00`, `Z` or `.000Z` of a date; behind `.000` if no zone follows, `beginOffset`
 * for any other zone.
 */
function skipUtcOffset(bytes: Uint8Array, beginOffset: i32): i32 {
  const byteOffset =
    bytes[beginOffset]! === POINT_CHARACTER ? skipTrailingZeroFraction(bytes, beginOffset) : beginOffset;
  if (bytes[byteOffset]! === LETTER_Z_CHARACTER) return byteOffset + 1;
  if (bytes[byteOffset]! !== PLUS_CHARACTER) return byteOffset;
  const isUtc =
    readTwoDigits(bytes, byteOffset + 1) === 0 &&
    bytes[byteOffset + 3]! === COLON_CHARACTER &&
    readTwoDigits(bytes, byteOffset + 4) === 0;
  return isUtc ? byteOffset + 6 : beginOffset;
}

/**
 * Reads a duration in seconds: a number, or outside tables `[days-][hours:]minutes:seconds`; an empty field
 * is -1.
 */
export function readDurationField(
  bytes: Uint8Array,
  doubles: Float64Array,
  beginOffset: i32,
  valueIndex: i32,
  isTable: boolean,
): i32 {
  let byteOffset = readNumberField(bytes, doubles, beginOffset, FIELD_KIND_WHOLE_NUMBER, valueIndex, isTable);
  if (
    byteOffset <= beginOffset ||
    (bytes[byteOffset]! !== COLON_CHARACTER && bytes[byteOffset]! !== DASH_CHARACTER)
  )
    return byteOffset;
  if (isTable) return -1;
  let days: number = 0;
  if (bytes[byteOffset]! === DASH_CHARACTER) {
    days = doubles[valueIndex]!;
    byteOffset = readNumberField(
      bytes,
      doubles,
      byteOffset + 1,
      FIELD_KIND_REQUIRED_NUMBER,
      valueIndex,
      false,
    );
    if (byteOffset < 0 || bytes[byteOffset]! !== COLON_CHARACTER) return -1;
  }
  let seconds = doubles[valueIndex]!;
  let partCount: i32 = 0;
  let lastPosition: i32 = 0;
  while (bytes[byteOffset]! === COLON_CHARACTER) {
    lastPosition = byteOffset + 1;
    byteOffset = readNumberField(bytes, doubles, lastPosition, FIELD_KIND_REQUIRED_NUMBER, valueIndex, false);
    if (byteOffset < 0) return -1;
    seconds = 60 * seconds + doubles[valueIndex]!;
    partCount++;
  }
  if (partCount > 2 || byteOffset - lastPosition !== 2) return -1;
  doubles[valueIndex] = days * 86_400 + seconds;
  return byteOffset;
}

/** Reads a time limit in seconds; -1 for none. */
export function readTimeLimitField(
  bytes: Uint8Array,
  ints: Int32Array,
  doubles: Float64Array,
  beginOffset: i32,
  row: i32,
  slot: i32,
): i32 {
  const separator: i32 = ints[FIELD_SEPARATOR_INDEX]!;
  const valueIndex = row * FIELD_SLOTS + slot;
  const firstByte: i32 = bytes[beginOffset]!;
  if (firstByte > NINE_CHARACTER)
    return readTextField(bytes, ints, doubles, beginOffset, separator, row, slot);
  const byteOffset = readDurationField(bytes, doubles, beginOffset, valueIndex, ints[IS_TABLE_INDEX]! !== 0);
  if (byteOffset <= beginOffset) return byteOffset;
  if (ints[LIMIT_IN_MINUTES_INDEX]! !== 0) {
    let digitsEndOffset = beginOffset;
    while (isDigitCharacter(bytes[digitsEndOffset]!)) digitsEndOffset++;
    if (bytes[digitsEndOffset]! !== COLON_CHARACTER && bytes[digitsEndOffset]! !== DASH_CHARACTER)
      doubles[valueIndex] = doubles[valueIndex]! * 60;
  }
  const unlimitedValue: i32 = ints[UNLIMITED_VALUE_INDEX]!;
  if (unlimitedValue > 0 && doubles[valueIndex]! === unlimitedValue) doubles[valueIndex] = NO_VALUE_RESULT;
  return byteOffset;
}
