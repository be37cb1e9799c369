/** Operations on four bytes of a text at a time. */
import { NINE_CHARACTER, POINT_CHARACTER, UNDERSCORE_CHARACTER, ZERO_CHARACTER } from './lineLayout.js';
import type { i32 } from './types.js';

/** Reads four bytes as a little-endian word; compiled to a single load (scripts/build.mjs). */
export function readFourBytes(bytes: Uint8Array, bytePosition: i32): i32 {
  return (
    bytes[bytePosition]! |
    (bytes[bytePosition + 1]! << 8) |
    (bytes[bytePosition + 2]! << 16) |
    (bytes[bytePosition + 3]! << 24)
  );
}

/**
 * Masks for the highest bit of each byte of a word, to find bytes below a blank or not ASCII, and bytes equal
 * to 127.
 */
const HIGH_BIT_OF_EVERY_BYTE: i32 = 0x80808080 | 0;
export const ONE_IN_EVERY_BYTE: i32 = 0x01010101;
export const BLANK_IN_EVERY_BYTE: i32 = 0x20202020;
const LOW_BITS_OF_EVERY_BYTE: i32 = 0x7f7f7f7f;

/** True if any of four bytes is not printable ASCII. */
export function hasNonPrintableByte(fourBytes: i32): boolean {
  // Bytes above one that is below a blank may count as such too, which changes nothing.
  return (
    (((fourBytes - BLANK_IN_EVERY_BYTE) | 0 | ((fourBytes + ONE_IN_EVERY_BYTE) | 0) | fourBytes) &
      HIGH_BIT_OF_EVERY_BYTE) !==
    0
  );
}

/** True if any of four bytes is 0, provided none is above 127. */
export function hasZeroByte(fourBytes: i32): boolean {
  return (((fourBytes - ONE_IN_EVERY_BYTE) | 0) & HIGH_BIT_OF_EVERY_BYTE) !== 0;
}

/** Number of zero bytes among four, none of which may be above 127. */
export function countZeroBytes(fourBytes: i32): i32 {
  const zeroFlags = ~((fourBytes & LOW_BITS_OF_EVERY_BYTE) + LOW_BITS_OF_EVERY_BYTE) & HIGH_BIT_OF_EVERY_BYTE;
  return (((zeroFlags >>> 7) * ONE_IN_EVERY_BYTE) | 0) >>> 24;
}

export function isDigitCharacter(byte: i32): boolean {
  return byte >= ZERO_CHARACTER && byte <= NINE_CHARACTER;
}

/** True for letters, digits, `_` and `.`. */
export function isNameCharacter(byte: i32): boolean {
  if (byte >= 97) return byte <= 122;
  if (byte >= 65) return byte <= 90 || byte === UNDERSCORE_CHARACTER;
  return isDigitCharacter(byte) || byte === POINT_CHARACTER;
}

/** True if four bytes are digits. */
export function areFourBytesDigits(word: i32): boolean {
  const aboveNineFlags = (word + 0x46464646) | 0;
  const belowZeroFlags = (word - 0x30303030) | 0;
  return ((aboveNineFlags | belowZeroFlags | word) & HIGH_BIT_OF_EVERY_BYTE) === 0;
}

/** Value of four digits. */
export function parseFourDigits(word: i32): i32 {
  const digits = word & 0x0f0f0f0f;
  const digitPairs = (digits * 10 + (digits >> 8)) & 0x00ff00ff;
  return (digitPairs & 0xff) * 100 + (digitPairs >> 16);
}
