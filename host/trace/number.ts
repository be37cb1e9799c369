/** Numbers of a log: the fast path over bytes and the general one over text give the same doubles. */
import { WHOLE } from './syntax.js';

const SPACE = 32;
const TAB = 9;
const RETURN = 13;
const LINE_FEED = 10;
const MINUS = 45;
const ZERO = 48;
const POINT = 46 - ZERO;
/** `byte - ZERO` above this is no blank and no line end. */
const LAST_BLANK = SPACE - ZERO;
const FIELDS = WHOLE.length;
/** With at most 15 digits the digits and the power of ten are both exact doubles, so one division rounds correctly. */
const EXACT_DIGITS = 15;
const POWERS_OF_TEN = Float64Array.from({ length: EXACT_DIGITS + 1 }, (_, k) => Number(`1e${k}`));

/**
 * Reads a line of exactly 18 plain numbers (`12`, `-1`, `7.38`, at most 15 digits) into `rows` from `offset`.
 * A line feed must follow somewhere behind `from`: every loop stops at it.
 * @returns the offset behind the line feed, or -1 when the line is anything else and needs the general path.
 */
export function readPlainRecord(bytes: Uint8Array, from: number, rows: Float64Array, offset: number): number {
  let at = from;
  for (let field = 0; field < FIELDS; field++) {
    let byte = bytes[at]!;
    while (byte === SPACE || byte === TAB) byte = bytes[++at]!;
    const negative = byte === MINUS;
    if (negative) byte = bytes[++at]!;
    const first = at;
    let value = 0;
    let digit = byte - ZERO;
    while (digit >= 0 && digit <= 9) {
      value = value * 10 + digit;
      digit = bytes[++at]! - ZERO;
    }
    let digits = at - first;
    if (digit > LAST_BLANK) {
      if (digit !== POINT) return -1;
      const point = ++at;
      digit = bytes[at]! - ZERO;
      while (digit >= 0 && digit <= 9) {
        value = value * 10 + digit;
        digit = bytes[++at]! - ZERO;
      }
      digits += at - point;
      if (digit > LAST_BLANK || digits > EXACT_DIGITS) return -1;
      value /= POWERS_OF_TEN[at - point]!;
      if (WHOLE[field] && !Number.isInteger(value)) return -1;
    }
    if (digits === 0 || digits > EXACT_DIGITS) return -1;
    // 0 - value, so that -0 is read as 0.
    rows[offset + field] = negative ? 0 - value : value;
  }
  let byte = bytes[at];
  while (byte === SPACE || byte === TAB || byte === RETURN) byte = bytes[++at];
  return byte === LINE_FEED ? at + 1 : -1;
}

/** The value of a decimal number, with or without exponent; undefined for any other text and beyond the doubles. */
export function readDecimal(text: string): number | undefined {
  if (!/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(text)) return undefined;
  const value = Number(text) + 0;
  return Number.isFinite(value) ? value : undefined;
}
