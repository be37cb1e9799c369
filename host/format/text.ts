/**
 * Formats text, bytes and file names for display. Logs and study files may contain control characters, which
 * terminals would interpret.
 */

/** Escapes all nonprintable characters as \u{...}. */
export function escapeNonPrintingText(rawText: string): string {
  return rawText.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, escapeToCodePoint);
}

function escapeToCodePoint(char: string): string {
  return `\\u{${char.codePointAt(0)?.toString(16)}}`;
}

/** Maximum length of a message in characters, and of its end with the advice. */
const MAX_MESSAGE_LENGTH = 3000;
const SHORTENED_MESSAGE_END_LENGTH = 600;

/** Shortens a message by omitting the middle of a long quotation. */
export function shortenLongQuotation(message: string): string {
  if (message.length <= MAX_MESSAGE_LENGTH) return message;
  return `${message.slice(0, MAX_MESSAGE_LENGTH - SHORTENED_MESSAGE_END_LENGTH)} ... ${message.slice(-SHORTENED_MESSAGE_END_LENGTH)}`;
}

/** Pattern of characters that control a terminal or text direction. */
const CONTROL_CHARACTER_PATTERN =
  '[\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]';
/** Pattern of allowed control sequences: line ends, tabs and the program's own colours. */
const ALLOWED_TERMINAL_CONTROL_PATTERN = '\\u001b\\[(?:1|2|22|3[0-9]|9[0-7])m|[\\n\\t]';
const ANY_CONTROL_PATTERN = new RegExp(
  `${ALLOWED_TERMINAL_CONTROL_PATTERN}|${CONTROL_CHARACTER_PATTERN}`,
  'gu',
);
const ONLY_ALLOWED_CONTROL_PATTERN = new RegExp(`^(?:${ALLOWED_TERMINAL_CONTROL_PATTERN})$`, 'u');

/** Escapes control characters in text for a terminal, except the program's own colours. */
export function escapeTerminalControls(rawText: string): string {
  return rawText.replace(ANY_CONTROL_PATTERN, (match) =>
    ONLY_ALLOWED_CONTROL_PATTERN.test(match) ? match : escapeToCodePoint(match),
  );
}

const JSON_CONTROL_PATTERN = new RegExp(`(?!\\n)${CONTROL_CHARACTER_PATTERN}`, 'gu');

/** Formats a document as multiline JSON without control characters. */
export function stringifyJsonSafely(document: unknown): string {
  const escapeAsUnicode = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(document, null, 2).replace(JSON_CONTROL_PATTERN, escapeAsUnicode);
}

// Names of files, shell words, and text between quotes

const MAX_PRINTED_NAME_LENGTH = 40;

/** Name of a log's source in messages: its path, or `standard input` for `-`. */
export function makePrintableSourceName(sourceName: string): string {
  return sourceName === '-' ? 'standard input' : escapeNonPrintingText(sourceName);
}

/** Source of a log as a word of a shell command; `FILE` for standard input, which cannot be read twice. */
export function formatSourceAsShellWord(sourceName: string): string {
  return sourceName === '-' ? 'FILE' : quoteShellWord(sourceName);
}

/** Quotes text as one word of a shell command. */
export function quoteShellWord(shellText: string): string {
  const printableText = escapeNonPrintingText(shellText);
  return /^[\w./+:@%=,-]+$/.test(printableText)
    ? printableText
    : `'${printableText.replaceAll("'", `'\\''`)}'`;
}

/** Quotes bytes of a log: nonprintable bytes as \x.., shortened to 40 bytes. */
export function quoteLogBytes(bytes: Uint8Array): string {
  let printableText = '';
  for (const byte of bytes.subarray(0, MAX_PRINTED_NAME_LENGTH)) {
    if (byte === 0x22 || byte === 0x5c) printableText += `\\${String.fromCharCode(byte)}`;
    else if (byte === 0x09) printableText += '\\t';
    else if (byte < 0x20 || byte > 0x7e) printableText += `\\x${byte.toString(16).padStart(2, '0')}`;
    else printableText += String.fromCharCode(byte);
  }
  return `"${printableText}${bytes.length > MAX_PRINTED_NAME_LENGTH ? '...' : ''}"`;
}

/** Quotes text of a log: nonprintable characters escaped, shortened to 40 characters. */
export function quoteLogText(logText: string): string {
  const escapedBeginOfLogText = escapeNonPrintingText(logText.slice(0, MAX_PRINTED_NAME_LENGTH)).replaceAll(
    '"',
    '\\"',
  );
  return `"${escapedBeginOfLogText}${logText.length > MAX_PRINTED_NAME_LENGTH ? '...' : ''}"`;
}

/** Number of characters converted per call, within the argument limit of all engines. */
const MAX_CHARACTERS_PER_DECODE_CALL = 8192;

/** Decodes bytes as Latin-1: each byte is the character with its number. */
export function decodeLatin1(bytes: Uint8Array): string {
  let decodedText = '';
  for (let from = 0; from < bytes.length; from += MAX_CHARACTERS_PER_DECODE_CALL) {
    const piece: ArrayLike<number> = bytes.subarray(from, from + MAX_CHARACTERS_PER_DECODE_CALL);
    decodedText += String.fromCharCode.apply(null, piece as number[]);
  }
  return decodedText;
}
