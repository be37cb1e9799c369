/** Numbers, dates and durations in lines. */
import {
  CACHED_DAYS_OFFSET,
  CARRIAGE_RETURN,
  COLON_CHARACTER,
  DASH_CHARACTER,
  FIELD_PLACES_OFFSET,
  FIELD_SLOTS,
  FIRST_LOCAL_FLAG,
  HAS_STEPS_INDEX,
  IS_LOCAL_TIME_INDEX,
  IS_TABLE_INDEX,
  LETTER_T_CHARACTER,
  LETTER_Z_CHARACTER,
  LIMIT_IN_MINUTES_INDEX,
  LINE_FEED,
  LINE_FLAGS_OFFSET,
  NINE_CHARACTER,
  NO_VALUE_RESULT,
  NUMBER_KIND,
  PLUS_CHARACTER,
  POINT_CHARACTER,
  SEPARATOR_INDEX,
  SIGNED_NUMBER_KIND,
  SPACE_CHARACTER,
  STEP_LINE_FLAG,
  UNDERSCORE_CHARACTER,
  UNLIMITED_VALUE_INDEX,
  WHOLE_NUMBER_KIND,
  ZERO_CHARACTER,
} from './lineLayout.js';
import { readTextField } from './lineTexts.js';
import { areAllDigits, fourDigitNumber, isDigitByte, wordAtByte } from './lineWords.js';
import type { i32 } from './types.js';

/** Digits that whole numbers of 32 bits can hold, and most digits of a number. */
const DIGITS_IN_32_BITS: i32 = 9;
const MAX_NUMBER_DIGITS: i32 = 12;

/** From here on times in tables are milliseconds. */
const MIN_TIME_IN_MILLISECONDS: number = 1e11;

/** Years of dates whose seconds are whole numbers of 32 bits. */
const FIRST_DATE_YEAR: i32 = 1970;
const LAST_DATE_YEAR: i32 = 2037;

/** Reads a whole number: of the kind WHOLE nothing is -1. */
export function readNumberField(
  bytes: Uint8Array,
  doubles: Float64Array,
  from: i32,
  kind: i32,
  to: i32,
  isTable: boolean,
): i32 {
  const isNegative = kind === SIGNED_NUMBER_KIND && bytes[from]! === DASH_CHARACTER;
  const first = isNegative ? from + 1 : from;
  let at = first;
  let byte: i32 = bytes[at]!;
  let whole: i32 = 0;
  if (areAllDigits(wordAtByte(bytes, at))) {
    whole = fourDigitNumber(wordAtByte(bytes, at));
    at += 4;
    if (areAllDigits(wordAtByte(bytes, at))) {
      whole = whole * 10_000 + fourDigitNumber(wordAtByte(bytes, at));
      at += 4;
    }
    byte = bytes[at]!;
  }
  while (byte >= ZERO_CHARACTER && byte <= NINE_CHARACTER && at < first + DIGITS_IN_32_BITS) {
    whole = whole * 10 + (byte - ZERO_CHARACTER);
    byte = bytes[++at]!;
  }
  let value: number = whole;
  while (byte >= ZERO_CHARACTER && byte <= NINE_CHARACTER) {
    value = value * 10 + (byte - ZERO_CHARACTER);
    byte = bytes[++at]!;
  }
  if (at === first) {
    doubles[to] = NO_VALUE_RESULT;
    return kind === WHOLE_NUMBER_KIND ? at : -1;
  }
  if (at - first > MAX_NUMBER_DIGITS) return -1;
  doubles[to] = isNegative ? 0 - value : value;
  return isTable && byte === POINT_CHARACTER ? endOfTrailingZeros(bytes, at) : at;
}

/** The end of a fraction `.0` that begins at an offset; the offset itself for any other. */
function endOfTrailingZeros(bytes: Uint8Array, point: i32): i32 {
  let at = point + 1;
  while (bytes[at]! === ZERO_CHARACTER) at++;
  return at === point + 1 || isDigitByte(bytes[at]!) ? point : at;
}

/** Reads what people call a job; the value is its number if it is one. */
export function readTaskField(
  bytes: Uint8Array,
  ints: Int32Array,
  doubles: Float64Array,
  from: i32,
  row: i32,
  slot: i32,
): i32 {
  const to = row * FIELD_SLOTS + slot;
  const end = readNumberField(bytes, doubles, from, WHOLE_NUMBER_KIND, to, false);
  let at = end < 0 ? from : end;
  let byte: i32 = bytes[at]!;
  if (end < 0 || byte === UNDERSCORE_CHARACTER) doubles[to] = NO_VALUE_RESULT;
  while ((byte >= ZERO_CHARACTER && byte <= NINE_CHARACTER) || byte === UNDERSCORE_CHARACTER)
    byte = bytes[++at]!;
  ints[FIELD_PLACES_OFFSET + 2 * to] = from;
  ints[FIELD_PLACES_OFFSET + 2 * to + 1] = at;
  if (byte !== POINT_CHARACTER) return at;
  if (at === from || ints[HAS_STEPS_INDEX]! === 0) return -1;
  ints[LINE_FLAGS_OFFSET + row] = STEP_LINE_FLAG;
  return at;
}

/** Two digits as a number; far below 0 for others. */
function twoDigitsAt(bytes: Uint8Array, at: i32): i32 {
  const tensDigit: i32 = bytes[at]! - ZERO_CHARACTER;
  const onesDigit: i32 = bytes[at + 1]! - ZERO_CHARACTER;
  return (tensDigit | (9 - tensDigit) | onesDigit | (9 - onesDigit)) < 0
    ? -1_000_000
    : 10 * tensDigit + onesDigit;
}

/** Days from 1970 to a date, whose year, month and day are at some offsets; -1 for none, and beyond the years that are read here. */
export function daysSince1970(
  bytes: Uint8Array,
  yearPosition: i32,
  monthPosition: i32,
  dayPosition: i32,
): i32 {
  const year = 100 * twoDigitsAt(bytes, yearPosition) + twoDigitsAt(bytes, yearPosition + 2);
  const month = twoDigitsAt(bytes, monthPosition);
  const day = twoDigitsAt(bytes, dayPosition);
  if (year < FIRST_DATE_YEAR || year > LAST_DATE_YEAR || month < 1 || month > 12 || day < 1) return -1;
  const isLeap = (year & 3) === 0;
  const length = month === 2 ? (isLeap ? 29 : 28) : 30 + ((month + (month >> 3)) & 1);
  if (day > length) return -1;
  // From March on, months have 30.6 days: after January and February it is the year before (Neri and Schneider 2023).
  const shiftedMonth = month > 2 ? month : month + 12;
  const yearsFromMarch = month > 2 ? year : year - 1;
  return (
    365 * (yearsFromMarch - FIRST_DATE_YEAR) +
    ((yearsFromMarch - 1968) >> 2) +
    ((979 * shiftedMonth - 2919) >> 5) +
    day +
    58
  );
}

/** The second of a day as `10:01:05` at an offset; -1 for none. */
export function secondOfDayAt(bytes: Uint8Array, at: i32): i32 {
  if (bytes[at + 2]! !== COLON_CHARACTER || bytes[at + 5]! !== COLON_CHARACTER) return -1;
  const hour = twoDigitsAt(bytes, at);
  const minute = twoDigitsAt(bytes, at + 3);
  const second = twoDigitsAt(bytes, at + 6);
  const isOutOfRange = (hour | (23 - hour) | minute | (59 - minute) | second | (59 - second)) < 0;
  return isOutOfRange ? -1 : (hour * 60 + minute) * 60 + second;
}

/** Whether a byte is behind a field. */
function isFieldEnd(byte: i32, separator: i32): boolean {
  return byte === separator || byte === LINE_FEED || byte === CARRIAGE_RETURN;
}

/** Reads a date in seconds since 1970. */
export function readDateField(
  bytes: Uint8Array,
  ints: Int32Array,
  doubles: Float64Array,
  from: i32,
  row: i32,
  slot: i32,
): i32 {
  const separator: i32 = ints[SEPARATOR_INDEX]!;
  const isTable = ints[IS_TABLE_INDEX]! !== 0;
  const to = row * FIELD_SLOTS + slot;
  const first: i32 = bytes[from]!;
  if (first > NINE_CHARACTER || isFieldEnd(first, separator)) {
    return readTextField(bytes, ints, doubles, from, separator, row, slot);
  }
  if (bytes[from + 4]! !== DASH_CHARACTER) {
    const at = readNumberField(bytes, doubles, from, WHOLE_NUMBER_KIND, to, isTable);
    return isTable && doubles[to]! >= MIN_TIME_IN_MILLISECONDS ? -1 : at;
  }
  const middle: i32 = bytes[from + 10]!;
  if (
    bytes[from + 7]! !== DASH_CHARACTER ||
    (middle !== LETTER_T_CHARACTER && !(isTable && middle === SPACE_CHARACTER))
  )
    return -1;
  const day = dayPosition(bytes, ints, from, slot);
  const second = secondOfDayAt(bytes, from + 11);
  if (day < 0 || second < 0) return -1;
  doubles[to] = day * 86_400 + second;
  if (ints[IS_LOCAL_TIME_INDEX]! !== 0)
    ints[LINE_FLAGS_OFFSET + row] = ints[LINE_FLAGS_OFFSET + row]! | (FIRST_LOCAL_FLAG << slot);
  return isTable ? endOfUtcOffset(bytes, from + 19) : from + 19;
}

/** Days from 1970 to a date such as 2026-03-05; -1 for none. Mostly it is that of the same field in the line before. */
function dayPosition(bytes: Uint8Array, ints: Int32Array, from: i32, slot: i32): i32 {
  const known = CACHED_DAYS_OFFSET + 4 * slot;
  const year = wordAtByte(bytes, from);
  const month = wordAtByte(bytes, from + 4);
  const end = wordAtByte(bytes, from + 6);
  if (ints[known]! === year && ints[known + 1]! === month && ints[known + 2]! === end)
    return ints[known + 3]!;
  const day = daysSince1970(bytes, from, from + 5, from + 8);
  ints[known] = year;
  ints[known + 1] = month;
  ints[known + 2] = end;
  ints[known + 3] = day;
  return day;
}

/** The offset behind `+00:00`, `Z` or `.000Z` after a date; without a zone behind `.000`, with another zone `from`. */
function endOfUtcOffset(bytes: Uint8Array, from: i32): i32 {
  const at = bytes[from]! === POINT_CHARACTER ? endOfTrailingZeros(bytes, from) : from;
  if (bytes[at]! === LETTER_Z_CHARACTER) return at + 1;
  if (bytes[at]! !== PLUS_CHARACTER) return at;
  const isUtc =
    twoDigitsAt(bytes, at + 1) === 0 &&
    bytes[at + 3]! === COLON_CHARACTER &&
    twoDigitsAt(bytes, at + 4) === 0;
  return isUtc ? at + 6 : from;
}

/** Reads seconds: a number, or outside tables `[days-][hours:]minutes:seconds`; nothing is -1. */
export function readDurationField(
  bytes: Uint8Array,
  doubles: Float64Array,
  from: i32,
  to: i32,
  isTable: boolean,
): i32 {
  let at = readNumberField(bytes, doubles, from, WHOLE_NUMBER_KIND, to, isTable);
  if (at <= from || (bytes[at]! !== COLON_CHARACTER && bytes[at]! !== DASH_CHARACTER)) return at;
  if (isTable) return -1;
  let days: number = 0;
  if (bytes[at]! === DASH_CHARACTER) {
    days = doubles[to]!;
    at = readNumberField(bytes, doubles, at + 1, NUMBER_KIND, to, false);
    if (at < 0 || bytes[at]! !== COLON_CHARACTER) return -1;
  }
  let value = doubles[to]!;
  let parts: i32 = 0;
  let last: i32 = 0;
  while (bytes[at]! === COLON_CHARACTER) {
    last = at + 1;
    at = readNumberField(bytes, doubles, last, NUMBER_KIND, to, false);
    if (at < 0) return -1;
    value = 60 * value + doubles[to]!;
    parts++;
  }
  if (parts > 2 || at - last !== 2) return -1;
  doubles[to] = days * 86_400 + value;
  return at;
}

/** Reads a limit in seconds; -1 for none. */
export function readTimeLimitField(
  bytes: Uint8Array,
  ints: Int32Array,
  doubles: Float64Array,
  from: i32,
  row: i32,
  slot: i32,
): i32 {
  const separator: i32 = ints[SEPARATOR_INDEX]!;
  const to = row * FIELD_SLOTS + slot;
  const first: i32 = bytes[from]!;
  if (first > NINE_CHARACTER) return readTextField(bytes, ints, doubles, from, separator, row, slot);
  const at = readDurationField(bytes, doubles, from, to, ints[IS_TABLE_INDEX]! !== 0);
  if (at <= from) return at;
  if (ints[LIMIT_IN_MINUTES_INDEX]! !== 0) {
    let end = from;
    while (isDigitByte(bytes[end]!)) end++;
    if (bytes[end]! !== COLON_CHARACTER && bytes[end]! !== DASH_CHARACTER) doubles[to] = doubles[to]! * 60;
  }
  const unlimitedValue: i32 = ints[UNLIMITED_VALUE_INDEX]!;
  if (unlimitedValue > 0 && doubles[to]! === unlimitedValue) doubles[to] = NO_VALUE_RESULT;
  return at;
}
