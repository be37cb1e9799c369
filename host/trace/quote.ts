/** How files, bytes and text are shown in sentences for a person. */
import { escapeText } from '../format/escape.js';

const SHOWN = 40;

/** What a sentence calls the source of a log: its path, or standard input for `-`. */
export function sourceName(source: string): string {
  return source === '-' ? 'standard input' : escapeText(source);
}

/** The source as a word of a shell command; `FILE` for standard input, which cannot be read twice. */
export function sourceWord(source: string): string {
  return source === '-' ? 'FILE' : shellWord(source);
}

/** Text as one word of a shell command. */
export function shellWord(given: string): string {
  const text = escapeText(given);
  return /^[\w./+:@%=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Bytes of a log between quotes: what is not printable ASCII as \x.., shortened after 40 bytes. */
export function quoteBytes(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes.subarray(0, SHOWN)) {
    if (byte === 0x22 || byte === 0x5c) text += `\\${String.fromCharCode(byte)}`;
    else if (byte === 0x09) text += '\\t';
    else if (byte < 0x20 || byte > 0x7e) text += `\\x${byte.toString(16).padStart(2, '0')}`;
    else text += String.fromCharCode(byte);
  }
  return `"${text}${bytes.length > SHOWN ? '...' : ''}"`;
}

/** Text of a log between quotes: what does not print escaped, shortened after 40 characters. */
export function quoteText(text: string): string {
  const shown = escapeText(text.slice(0, SHOWN)).replaceAll('"', '\\"');
  return `"${shown}${text.length > SHOWN ? '...' : ''}"`;
}

/** Characters that are put together at a time; functions take so many arguments everywhere. */
const PIECE = 8192;

/** Bytes as text, each the character of its number. */
export function latin1Text(bytes: Uint8Array): string {
  let text = '';
  for (let from = 0; from < bytes.length; from += PIECE) {
    const piece: ArrayLike<number> = bytes.subarray(from, from + PIECE);
    text += String.fromCharCode.apply(null, piece as number[]);
  }
  return text;
}
