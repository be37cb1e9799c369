/** Text files that may be long, read line by line and written piece by piece. */
import { closeSync, openSync, readSync, writeSync } from 'node:fs';

const PIECE = 1 << 16;
const LINE_END = 10;

/** A line without its end, and how many bytes the file has up to and with that end. */
export interface Line {
  readonly text: string;
  readonly end: number;
}

/** The lines of a file; what stands behind the last line end is left out. */
export function* linesOf(path: string): Generator<Line> {
  const file = openSync(path, 'r');
  try {
    let rest = Buffer.alloc(0);
    let end = 0;
    const piece = Buffer.alloc(PIECE);
    for (let read = readSync(file, piece); read > 0; read = readSync(file, piece)) {
      const bytes = Buffer.concat([rest, piece.subarray(0, read)]);
      let from = 0;
      for (let stop = bytes.indexOf(LINE_END); stop >= 0; stop = bytes.indexOf(LINE_END, from)) {
        end += stop + 1 - from;
        yield { text: bytes.toString('utf8', from, stop), end };
        from = stop + 1;
      }
      rest = bytes.subarray(from);
    }
  } finally {
    closeSync(file);
  }
}

/** Writes all of a text; a file system may take it in parts. */
export function writeAll(file: number, text: string | Uint8Array): void {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
}
