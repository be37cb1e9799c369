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
  numberSlots: Float64Array,
  from: i32,
  fieldKind: i32,
  to: i32,
  isTable: boolean,
): i32 {
  const isNegative = fieldKind === FIELD_KIND_SIGNED_NUMBER && bytes[from]! === DASH_CHARACTER;
  const digitsStart = isNegative ? from + 1 : from;
  let at = digitsStart;
  let byte: i32 = bytes[at]!;
  let wholePart: i32 = 0;
  if (areFourBytesDigits(readFourBytes(bytes, at))) {
    wholePart = parseFourDigits(readFourBytes(bytes, at));
    at += 4;
    if (areFourBytesDigits(readFourBytes(bytes, at))) {
      wholePart = wholePart * 10_000 + parseFourDigits(readFourBytes(bytes, at));
      at += 4;
    }
    byte = bytes[at]!;
  }
  while (byte >= ZERO_CHARACTER && byte <= NINE_CHARACTER && at < digitsStart + MAX_32_BIT_DIGITS) {
    wholePart = wholePart * 10 + (byte - ZERO_CHARACTER);
    byte = bytes[++at]!;
  }
  let magnitude: number = wholePart;
  while (byte >= ZERO_CHARACTER && byte <= NINE_CHARACTER) {
    magnitude = magnitude * 10 + (byte - ZERO_CHARACTER);
    byte = bytes[++at]!;
  }
  if (at === digitsStart) {
    numberSlots[to] = NO_VALUE_RESULT;
    return fieldKind === FIELD_KIND_WHOLE_NUMBER ? at : -1;
  }
  if (at - digitsStart > MAX_NUMBER_DIGITS) return -1;
  numberSlots[to] = isNegative ? 0 - magnitude : magnitude;
  return isTable && byte === POINT_CHARACTER ? skipTrailingZeroFraction(bytes, at) : at;
}

/** Offset behind a fraction `.0`; the given offset for any other text. */
function skipTrailingZeroFraction(bytes: Uint8Array, pointPosition: i32): i32 {
  let at = pointPosition + 1;
  while (bytes[at]! === ZERO_CHARACTER) at++;
  return at === pointPosition + 1 || isDigitCharacter(bytes[at]!) ? pointPosition : at;
}

/** Reads a job id; its value is the number if it is one. */
export function readJobIdField(
  bytes: Uint8Array,
  ints: Int32Array,
  numberSlots: Float64Array,
  from: i32,
  row: i32,
  slot: i32,
): i32 {
  const to = row * FIELD_SLOTS + slot;
  const end = readNumberField(bytes, numberSlots, from, FIELD_KIND_WHOLE_NUMBER, to, false);
  let at = end < 0 ? from : end;
  let byte: i32 = bytes[at]!;
  if (end < 0 || byte === UNDERSCORE_CHARACTER) numberSlots[to] = NO_VALUE_RESULT;
  while ((byte >= ZERO_CHARACTER && byte <= NINE_CHARACTER) || byte === UNDERSCORE_CHARACTER)
    byte = bytes[++at]!;
  ints[FIELD_POSITIONS_OFFSET + 2 * to] = from;
  ints[FIELD_POSITIONS_OFFSET + 2 * to + 1] = at;
  if (byte !== POINT_CHARACTER) return at;
  if (at === from || ints[HAS_JOB_STEPS_INDEX]! === 0) return -1;
  ints[LINE_FLAGS_OFFSET + row] = JOB_STEP_LINE_FLAG;
  return at;
}

/** Parses two digits; far below 0 for other characters. */
function readTwoDigits(bytes: Uint8Array, at: i32): i32 {
  const tensDigit: i32 = bytes[at]! - ZERO_CHARACTER;
  const onesDigit: i32 = bytes[at + 1]! - ZERO_CHARACTER;
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
  const isLeap = (year & 3) === 0;
  const length = month === 2 ? (isLeap ? 29 : 28) : 30 + ((month + (month >> 3)) & 1);
  if (day > length) return -1;
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
export function readSecondOfDay(bytes: Uint8Array, at: i32): i32 {
  if (bytes[at + 2]! !== COLON_CHARACTER || bytes[at + 5]! !== COLON_CHARACTER) return -1;
  const hour = readTwoDigits(bytes, at);
  const minute = readTwoDigits(bytes, at + 3);
  const second = readTwoDigits(bytes, at + 6);
  const isOutOfRange = (hour | (23 - hour) | minute | (59 - minute) | second | (59 - second)) < 0;
  return isOutOfRange ? -1 : (hour * 60 + minute) * 60 + second;
}

/** True if a byte ends a field. */
function isFieldEnd(byte: i32, separator: i32): boolean {
  return byte === separator || byte === LINE_FEED_CHARACTER || byte === CARRIAGE_RETURN_CHARACTER;
}

/** Reads a date in seconds since 1970. */
export function readDateField(
  bytes: Uint8Array,
  ints: Int32Array,
  numberSlots: Float64Array,
  from: i32,
  row: i32,
  slot: i32,
): i32 {
  const separator: i32 = ints[FIELD_SEPARATOR_INDEX]!;
  const isTable = ints[IS_TABLE_INDEX]! !== 0;
  const to = row * FIELD_SLOTS + slot;
  const firstByte: i32 = bytes[from]!;
  if (firstByte > NINE_CHARACTER || isFieldEnd(firstByte, separator)) {
    return readTextField(bytes, ints, numberSlots, from, separator, row, slot);
  }
  if (bytes[from + 4]! !== DASH_CHARACTER) {
    const at = readNumberField(bytes, numberSlots, from, FIELD_KIND_WHOLE_NUMBER, to, isTable);
    return isTable && numberSlots[to]! >= MIN_MILLISECOND_TIMESTAMP ? -1 : at;
  }
  const middleByte: i32 = bytes[from + 10]!;
  if (
    bytes[from + 7]! !== DASH_CHARACTER ||
    (middleByte !== LETTER_T_CHARACTER && !(isTable && middleByte === SPACE_CHARACTER))
  )
    return -1;
  const day = readDaysSince1970(bytes, ints, from, slot);
  const second = readSecondOfDay(bytes, from + 11);
  if (day < 0 || second < 0) return -1;
  numberSlots[to] = day * 86_400 + second;
  if (ints[IS_LOCAL_TIME_INDEX]! !== 0)
    ints[LINE_FLAGS_OFFSET + row] = ints[LINE_FLAGS_OFFSET + row]! | (FIRST_LOCAL_TIME_FLAG << slot);
  return isTable ? skipUtcOffset(bytes, from + 19) : from + 19;
}

/**
 * Days from 1970 to a date such as 2026-03-05; -1 for an invalid one. Caches the date of the same field in
 * the previous line, which is usually equal.
 */
function readDaysSince1970(bytes: Uint8Array, ints: Int32Array, from: i32, slot: i32): i32 {
  const known = CACHED_DATES_OFFSET + 4 * slot;
  const year = readFourBytes(bytes, from);
  const month = readFourBytes(bytes, from + 4);
  const end = readFourBytes(bytes, from + 6);
  if (ints[known]! === year && ints[known + 1]! === month && ints[known + 2]! === end)
    return ints[known + 3]!;
  const day = daysSince1970(bytes, from, from + 5, from + 8);
  ints[known] = year;
  ints[known + 1] = month;
  ints[known + 2] = end;
  ints[known + 3] = day;
  return day;
}

/**
 * Offset behind a suffix `+00:00`, `Z` or `.000Z` of a date; behind `.000` if no zone follows, `from` for any
 * other zone.
 */
function skipUtcOffset(bytes: Uint8Array, from: i32): i32 {
  const at = bytes[from]! === POINT_CHARACTER ? skipTrailingZeroFraction(bytes, from) : from;
  if (bytes[at]! === LETTER_Z_CHARACTER) return at + 1;
  if (bytes[at]! !== PLUS_CHARACTER) return at;
  const isUtc =
    readTwoDigits(bytes, at + 1) === 0 &&
    bytes[at + 3]! === COLON_CHARACTER &&
    readTwoDigits(bytes, at + 4) === 0;
  return isUtc ? at + 6 : from;
}

/**
 * Reads a duration in seconds: a number, or outside tables `[days-][hours:]minutes:seconds`; an empty field
 * is -1.
 */
export function readDurationField(
  bytes: Uint8Array,
  doubles: Float64Array,
  from: i32,
  to: i32,
  isTable: boolean,
): i32 {
  let at = readNumberField(bytes, doubles, from, FIELD_KIND_WHOLE_NUMBER, to, isTable);
  if (at <= from || (bytes[at]! !== COLON_CHARACTER && bytes[at]! !== DASH_CHARACTER)) return at;
  if (isTable) return -1;
  let days: number = 0;
  if (bytes[at]! === DASH_CHARACTER) {
    days = doubles[to]!;
    at = readNumberField(bytes, doubles, at + 1, FIELD_KIND_REQUIRED_NUMBER, to, false);
    if (at < 0 || bytes[at]! !== COLON_CHARACTER) return -1;
  }
  let seconds = doubles[to]!;
  let partCount: i32 = 0;
  let lastPosition: i32 = 0;
  while (bytes[at]! === COLON_CHARACTER) {
    lastPosition = at + 1;
    at = readNumberField(bytes, doubles, lastPosition, FIELD_KIND_REQUIRED_NUMBER, to, false);
    if (at < 0) return -1;
    seconds = 60 * seconds + doubles[to]!;
    partCount++;
  }
  if (partCount > 2 || at - lastPosition !== 2) return -1;
  doubles[to] = days * 86_400 + seconds;
  return at;
}

/** Reads a time limit in seconds; -1 for none. */
export function readTimeLimitField(
  bytes: Uint8Array,
  ints: Int32Array,
  doubles: Float64Array,
  from: i32,
  row: i32,
  slot: i32,
): i32 {
  const separator: i32 = ints[FIELD_SEPARATOR_INDEX]!;
  const to = row * FIELD_SLOTS + slot;
  const firstByte: i32 = bytes[from]!;
  if (firstByte > NINE_CHARACTER) return readTextField(bytes, ints, doubles, from, separator, row, slot);
  const at = readDurationField(bytes, doubles, from, to, ints[IS_TABLE_INDEX]! !== 0);
  if (at <= from) return at;
  if (ints[LIMIT_IN_MINUTES_INDEX]! !== 0) {
    let end = from;
    while (isDigitCharacter(bytes[end]!)) end++;
    if (bytes[end]! !== COLON_CHARACTER && bytes[end]! !== DASH_CHARACTER) doubles[to] = doubles[to]! * 60;
  }
  const unlimitedValue: i32 = ints[UNLIMITED_VALUE_INDEX]!;
  if (unlimitedValue > 0 && doubles[to]! === unlimitedValue) doubles[to] = NO_VALUE_RESULT;
  return at;
}
