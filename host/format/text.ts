/**
 * How text, bytes and names of files are shown to a person. Text of logs and study files may hold characters that
 * do not print, which a terminal obeys.
 */

/** Text with everything that does not print on a terminal written as \u{...}. */
export function escapeText(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, written);
}

function written(char: string): string {
  return `\\u{${char.codePointAt(0)?.toString(16)}}`;
}

/** Characters of a sentence that a person reads, and of its end, where it says what to do. */
const MAX_READ = 3000;
const END_READ = 600;

/** A sentence with the middle of a quotation left out, where that is too long to read. */
export function shortened(text: string): string {
  if (text.length <= MAX_READ) return text;
  return `${text.slice(0, MAX_READ - END_READ)} ... ${text.slice(-END_READ)}`;
}

/**
 * Characters that control a terminal or the direction of text: controls, line separators, marks, embeddings.
 */
const OBEYED = '[\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]';
/** Line ends, tabs and the colours of this program, which must get through. */
const KEPT = '\\u001b\\[(?:1|2|22|3[0-9]|9[0-7])m|[\\n\\t]';
const KEPT_OR_OBEYED = new RegExp(`${KEPT}|${OBEYED}`, 'gu');
const IS_KEPT = new RegExp(`^(?:${KEPT})$`, 'u');

/** Text of several lines as it may go to a terminal: what it would obey is written out, but for colours of this program. */
export function terminalText(text: string): string {
  return text.replace(KEPT_OR_OBEYED, (found) => (IS_KEPT.test(found) ? found : written(found)));
}

const OBEYED_IN_JSON = new RegExp(`(?!\\n)${OBEYED}`, 'gu');

/** A document as JSON of several lines that says the same, without any character that a terminal would obey. */
export function jsonText(document: unknown): string {
  const unicode = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(document, null, 2).replace(OBEYED_IN_JSON, unicode);
}

// Names of files, shell words, and text between quotes

const SHOWN = 40;

/** Name of a log's source in a sentence: its path, or `standard input` for `-`. */
export function sourceName(source: string): string {
  return source === '-' ? 'standard input' : escapeText(source);
}

/** The source as a word of a shell command; `FILE` for standard input, which cannot be read twice. */
export function sourceWord(source: string): string {
  return source === '-' ? 'FILE' : shellWord(source);
}

/** Text as one word of a shell command. */
export function shellWord(input: string): string {
  const text = escapeText(input);
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

/** Characters that are put together at a time; functions take this many arguments everywhere. */
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
