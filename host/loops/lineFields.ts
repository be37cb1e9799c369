/** Numbers, dates and durations in lines. */
import {
  COLON,
  DASH,
  DAYS,
  FIRST_LOCAL,
  FLAGS,
  HAS_STEPS,
  IN_MINUTES,
  IS_LOCAL,
  IS_STEP,
  IS_TABLE,
  LETTER_T,
  LETTER_Z,
  LINE_FEED,
  NEVER,
  NINE,
  NOTHING,
  NUMBER,
  PLACES,
  PLUS,
  POINT,
  RETURN,
  SEPARATOR,
  SIGNED,
  SLOTS,
  SPACE,
  UNDERSCORE,
  WHOLE,
  ZERO,
} from './lineLayout.js';
import { readText } from './lineTexts.js';
import { areDigits, fourDigits, isDigit, wordAt } from './lineWords.js';
import type { i32 } from './types.js';

/** Digits that whole numbers of 32 bits can hold, and most digits of a number. */
const DIGITS_32: i32 = 9;
const MOST_DIGITS: i32 = 12;

/** From here on times in tables are milliseconds. */
const MILLISECONDS_FROM: number = 1e11;

/** Years of dates whose seconds are whole numbers of 32 bits. */
const FIRST_YEAR: i32 = 1970;
const LAST_YEAR: i32 = 2037;

/** Reads a whole number: of the kind WHOLE nothing is -1. */
export function readNumber(
  bytes: Uint8Array,
  doubles: Float64Array,
  from: i32,
  kind: i32,
  to: i32,
  isTable: boolean,
): i32 {
  const isNegative = kind === SIGNED && bytes[from]! === DASH;
  const first = isNegative ? from + 1 : from;
  let at = first;
  let byte: i32 = bytes[at]!;
  let whole: i32 = 0;
  if (areDigits(wordAt(bytes, at))) {
    whole = fourDigits(wordAt(bytes, at));
    at += 4;
    if (areDigits(wordAt(bytes, at))) {
      whole = whole * 10_000 + fourDigits(wordAt(bytes, at));
      at += 4;
    }
    byte = bytes[at]!;
  }
  while (byte >= ZERO && byte <= NINE && at < first + DIGITS_32) {
    whole = whole * 10 + (byte - ZERO);
    byte = bytes[++at]!;
  }
  let value: number = whole;
  while (byte >= ZERO && byte <= NINE) {
    value = value * 10 + (byte - ZERO);
    byte = bytes[++at]!;
  }
  if (at === first) {
    doubles[to] = NOTHING;
    return kind === WHOLE ? at : -1;
  }
  if (at - first > MOST_DIGITS) return -1;
  doubles[to] = isNegative ? 0 - value : value;
  return isTable && byte === POINT ? endOfZeros(bytes, at) : at;
}

/** The end of a fraction `.0` that begins at an offset; the offset itself for any other. */
function endOfZeros(bytes: Uint8Array, point: i32): i32 {
  let at = point + 1;
  while (bytes[at]! === ZERO) at++;
  return at === point + 1 || isDigit(bytes[at]!) ? point : at;
}

/** Reads what people call a job; the value is its number if it is one. */
export function readTask(
  bytes: Uint8Array,
  ints: Int32Array,
  doubles: Float64Array,
  from: i32,
  row: i32,
  slot: i32,
): i32 {
  const to = row * SLOTS + slot;
  const end = readNumber(bytes, doubles, from, WHOLE, to, false);
  let at = end < 0 ? from : end;
  let byte: i32 = bytes[at]!;
  if (end < 0 || byte === UNDERSCORE) doubles[to] = NOTHING;
  while ((byte >= ZERO && byte <= NINE) || byte === UNDERSCORE) byte = bytes[++at]!;
  ints[PLACES + 2 * to] = from;
  ints[PLACES + 2 * to + 1] = at;
  if (byte !== POINT) return at;
  if (at === from || ints[HAS_STEPS]! === 0) return -1;
  ints[FLAGS + row] = IS_STEP;
  return at;
}

/** Two digits as a number; far below 0 for others. */
function pairAt(bytes: Uint8Array, at: i32): i32 {
  const tens: i32 = bytes[at]! - ZERO;
  const ones: i32 = bytes[at + 1]! - ZERO;
  return (tens | (9 - tens) | ones | (9 - ones)) < 0 ? -1_000_000 : 10 * tens + ones;
}

/** Days from 1970 to a date, whose year, month and day are at some offsets; -1 for none, and beyond the years that are read here. */
export function daysSince1970(bytes: Uint8Array, yearAt: i32, monthAt: i32, dayAt: i32): i32 {
  const year = 100 * pairAt(bytes, yearAt) + pairAt(bytes, yearAt + 2);
  const month = pairAt(bytes, monthAt);
  const day = pairAt(bytes, dayAt);
  if (year < FIRST_YEAR || year > LAST_YEAR || month < 1 || month > 12 || day < 1) return -1;
  const isLeap = (year & 3) === 0;
  const length = month === 2 ? (isLeap ? 29 : 28) : 30 + ((month + (month >> 3)) & 1);
  if (day > length) return -1;
  // From March on, months have 30.6 days: after January and February it is the year before (Neri and Schneider 2023).
  const shifted = month > 2 ? month : month + 12;
  const years = month > 2 ? year : year - 1;
  return 365 * (years - FIRST_YEAR) + ((years - 1968) >> 2) + ((979 * shifted - 2919) >> 5) + day + 58;
}

/** The second of a day as `10:01:05` at an offset; -1 for none. */
export function secondOfDay(bytes: Uint8Array, at: i32): i32 {
  if (bytes[at + 2]! !== COLON || bytes[at + 5]! !== COLON) return -1;
  const hour = pairAt(bytes, at);
  const minute = pairAt(bytes, at + 3);
  const second = pairAt(bytes, at + 6);
  const isOdd = (hour | (23 - hour) | minute | (59 - minute) | second | (59 - second)) < 0;
  return isOdd ? -1 : (hour * 60 + minute) * 60 + second;
}

/** Whether a byte is behind a field. */
function isEnd(byte: i32, separator: i32): boolean {
  return byte === separator || byte === LINE_FEED || byte === RETURN;
}

/** Reads a date in seconds since 1970. */
export function readDate(
  bytes: Uint8Array,
  ints: Int32Array,
  doubles: Float64Array,
  from: i32,
  row: i32,
  slot: i32,
): i32 {
  const separator: i32 = ints[SEPARATOR]!;
  const isTable = ints[IS_TABLE]! !== 0;
  const to = row * SLOTS + slot;
  const first: i32 = bytes[from]!;
  if (first > NINE || isEnd(first, separator)) {
    return readText(bytes, ints, doubles, from, separator, row, slot);
  }
  if (bytes[from + 4]! !== DASH) {
    const at = readNumber(bytes, doubles, from, WHOLE, to, isTable);
    return isTable && doubles[to]! >= MILLISECONDS_FROM ? -1 : at;
  }
  const middle: i32 = bytes[from + 10]!;
  if (bytes[from + 7]! !== DASH || (middle !== LETTER_T && !(isTable && middle === SPACE))) return -1;
  const day = dayAt(bytes, ints, from, slot);
  const second = secondOfDay(bytes, from + 11);
  if (day < 0 || second < 0) return -1;
  doubles[to] = day * 86_400 + second;
  if (ints[IS_LOCAL]! !== 0) ints[FLAGS + row] = ints[FLAGS + row]! | (FIRST_LOCAL << slot);
  return isTable ? endOfUtc(bytes, from + 19) : from + 19;
}

/** Days from 1970 to a date such as 2026-03-05; -1 for none. Mostly it is that of the same field in the line before. */
function dayAt(bytes: Uint8Array, ints: Int32Array, from: i32, slot: i32): i32 {
  const known = DAYS + 4 * slot;
  const year = wordAt(bytes, from);
  const month = wordAt(bytes, from + 4);
  const end = wordAt(bytes, from + 6);
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
function endOfUtc(bytes: Uint8Array, from: i32): i32 {
  const at = bytes[from]! === POINT ? endOfZeros(bytes, from) : from;
  if (bytes[at]! === LETTER_Z) return at + 1;
  if (bytes[at]! !== PLUS) return at;
  const isUtc = pairAt(bytes, at + 1) === 0 && bytes[at + 3]! === COLON && pairAt(bytes, at + 4) === 0;
  return isUtc ? at + 6 : from;
}

/** Reads seconds: a number, or outside tables `[days-][hours:]minutes:seconds`; nothing is -1. */
export function readDuration(
  bytes: Uint8Array,
  doubles: Float64Array,
  from: i32,
  to: i32,
  isTable: boolean,
): i32 {
  let at = readNumber(bytes, doubles, from, WHOLE, to, isTable);
  if (at <= from || (bytes[at]! !== COLON && bytes[at]! !== DASH)) return at;
  if (isTable) return -1;
  let days: number = 0;
  if (bytes[at]! === DASH) {
    days = doubles[to]!;
    at = readNumber(bytes, doubles, at + 1, NUMBER, to, false);
    if (at < 0 || bytes[at]! !== COLON) return -1;
  }
  let value = doubles[to]!;
  let parts: i32 = 0;
  let last: i32 = 0;
  while (bytes[at]! === COLON) {
    last = at + 1;
    at = readNumber(bytes, doubles, last, NUMBER, to, false);
    if (at < 0) return -1;
    value = 60 * value + doubles[to]!;
    parts++;
  }
  if (parts > 2 || at - last !== 2) return -1;
  doubles[to] = days * 86_400 + value;
  return at;
}

/** Reads a limit in seconds; -1 for none. */
export function readLimit(
  bytes: Uint8Array,
  ints: Int32Array,
  doubles: Float64Array,
  from: i32,
  row: i32,
  slot: i32,
): i32 {
  const separator: i32 = ints[SEPARATOR]!;
  const to = row * SLOTS + slot;
  const first: i32 = bytes[from]!;
  if (first > NINE) return readText(bytes, ints, doubles, from, separator, row, slot);
  const at = readDuration(bytes, doubles, from, to, ints[IS_TABLE]! !== 0);
  if (at <= from) return at;
  if (ints[IN_MINUTES]! !== 0) {
    let end = from;
    while (isDigit(bytes[end]!)) end++;
    if (bytes[end]! !== COLON && bytes[end]! !== DASH) doubles[to] = doubles[to]! * 60;
  }
  const never: i32 = ints[NEVER]!;
  if (never > 0 && doubles[to]! === never) doubles[to] = NOTHING;
  return at;
}
