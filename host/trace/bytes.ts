/** Lines of text as bytes. */
import { latin1Text } from './quote.js';

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Blank, tab or the CR of a line end. */
export function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d;
}

/** What does not stand in text. */
export function isUnprintable(byte: number): boolean {
  return (byte < 0x20 && byte !== 0x09 && byte !== 0x0d) || byte === 0x7f;
}

/** Whether bytes start with the byte order mark that some editors put before UTF-8. */
export function startsWithMark(line: Uint8Array): boolean {
  return line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf;
}

/** The parts between blanks. */
export function splitFields(line: Uint8Array): Uint8Array[] {
  const fields: Uint8Array[] = [];
  let start = -1;
  for (let at = 0; at <= line.length; at++) {
    const inside = at < line.length && !isBlank(line[at]);
    if (inside && start < 0) start = at;
    if (inside || start < 0) continue;
    fields.push(line.subarray(start, at));
    start = -1;
  }
  return fields;
}

/** UTF-8 where the bytes are that, otherwise Latin-1; without the CR of a CRLF line end. */
export function decodeLine(line: Uint8Array): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === 0x0d) end--;
  const bytes = line.subarray(0, end);
  try {
    return UTF8.decode(bytes);
  } catch {
    return latin1Text(bytes);
  }
}
