/** How files, bytes and text are shown in sentences for a person. */

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

/** Text with everything that does not print on a terminal written as \u{...}. */
export function escapeText(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`);
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

/** Bytes as text, each the character of its number. */
export function latin1Text(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}
