/** Four bytes of a text at a time. */
import { NINE, POINT, UNDERSCORE, ZERO } from './lineLayout.js';
import type { i32 } from './types.js';

/** Four bytes as a whole number, the first one lowest: compiled, this is a single load (scripts/build.mjs). */
export function wordAt(bytes: Uint8Array, at: i32): i32 {
  return bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
}

/** The highest bit of each byte of a word, set where the byte is below a blank, or not ASCII; where it is 127. */
const HIGH_BITS: i32 = 0x80808080 | 0;
export const ONES: i32 = 0x01010101;
export const BLANKS: i32 = 0x20202020;
const LOW_BITS: i32 = 0x7f7f7f7f;

/** Some of four bytes is not printable ASCII. */
export function isOddWord(word: i32): boolean {
  // Bytes above one that is below a blank may count as such too, which changes nothing.
  return (((word - BLANKS) | 0 | ((word + ONES) | 0) | word) & HIGH_BITS) !== 0;
}

/** Some of four bytes is 0, if none is above 127. */
export function hasZero(word: i32): boolean {
  return (((word - ONES) | 0) & HIGH_BITS) !== 0;
}

/** How many of four bytes, none of which is above 127, are 0. */
export function zerosIn(word: i32): i32 {
  const zeros = ~((word & LOW_BITS) + LOW_BITS) & HIGH_BITS;
  return (((zeros >>> 7) * ONES) | 0) >>> 24;
}

export function isDigit(byte: i32): boolean {
  return byte >= ZERO && byte <= NINE;
}

/** Letters, digits, `_` and `.`. */
export function isWordByte(byte: i32): boolean {
  if (byte >= 97) return byte <= 122;
  if (byte >= 65) return byte <= 90 || byte === UNDERSCORE;
  return isDigit(byte) || byte === POINT;
}

/** Four bytes are digits. */
export function areDigits(word: i32): boolean {
  const isAbove = (word + 0x46464646) | 0;
  const isBelow = (word - 0x30303030) | 0;
  return ((isAbove | isBelow | word) & HIGH_BITS) === 0;
}

/** The number that four digits make. */
export function fourDigits(word: i32): i32 {
  const digits = word & 0x0f0f0f0f;
  const pairs = (digits * 10 + (digits >> 8)) & 0x00ff00ff;
  return (pairs & 0xff) * 100 + (pairs >> 16);
}
