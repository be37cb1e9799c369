/** Writing a log in SWF. */
import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { InputError, lackOfRoom, OutputError } from '../errors.js';
import { SwfParser } from './parser.js';
import { escapeText } from './quote.js';
import { SWF_FIELDS, type Trace } from './trace.js';

/** Records per piece of text. */
const PIECE = 1024;

/** How a log is written. */
export interface WriteOptions {
  /** What `-` writes to; standard output by default. It is left open. */
  readonly output?: Writable;
}

/**
 * The text of a log, in pieces: the header lines as they are, then a line per record, numbers in the shortest
 * form that reads back to the same number.
 * @throws InputError when a header line would not read back as it is, or a number is not finite.
 */
export function* encodeTrace(trace: Trace): Generator<string> {
  checkHeader(trace);
  if (trace.header.lines.length > 0) yield `${trace.header.lines.join('\n')}\n`;
  const columns = SWF_FIELDS.map((field) => trace.columns[field]);
  for (let from = 0; from < trace.count; from += PIECE) {
    let text = '';
    for (let record = from; record < Math.min(from + PIECE, trace.count); record++) {
      for (let field = 0; field < columns.length; field++) {
        const value = columns[field][record];
        if (!Number.isFinite(value)) throw notFinite(trace, record, field);
        text += field === 0 ? value : ` ${value}`;
      }
      text += '\n';
    }
    yield text;
  }
}

/**
 * Writes a log: to standard output for `-`, compressed when the path ends in .gz. A file appears under its
 * name only when it is complete: it is written beside it and renamed. Devices and pipes are written to directly.
 * @throws InputError when the place may not be written or the log holds what SWF cannot; OutputError when writing
 * fails: a full disk, a device error. Errors of `output` are thrown as they are.
 */
export async function writeTrace(trace: Trace, path: string, options: WriteOptions = {}): Promise<void> {
  if (path === '-') {
    await pipeline(Readable.from(encodeTrace(trace)), options.output ?? process.stdout, { end: false });
    return;
  }
  try {
    const place = await findPlace(path);
    if (!place.isSpecial) await writeBeside(trace, place.path, /\.gz$/i.test(path));
    else await writeText(trace, place.path, /\.gz$/i.test(path), 'w');
  } catch (error) {
    throw writeFault(path, error);
  }
}

/** The file itself if the path is a link, and whether it is there and no regular file. */
async function findPlace(path: string): Promise<{ path: string; isSpecial: boolean }> {
  try {
    const stats = await stat(path);
    if (stats.isDirectory()) throw new InputError(`${escapeText(path)} is a folder; give the path of a file`);
    return stats.isFile() ? { path: await realpath(path), isSpecial: false } : { path, isSpecial: true };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return { path, isSpecial: false };
  }
}

async function writeBeside(trace: Trace, path: string, isGzip: boolean): Promise<void> {
  const unfinished = join(dirname(path), `.gridalloc-${process.pid}-${randomBytes(6).toString('hex')}.tmp`);
  try {
    await writeText(trace, unfinished, isGzip, 'wx');
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

async function writeText(trace: Trace, path: string, isGzip: boolean, flags: string): Promise<void> {
  const text = Readable.from(encodeTrace(trace));
  const file = createWriteStream(path, { flags });
  await (isGzip ? pipeline(text, createGzip(), file) : pipeline(text, file));
}

/** Every line must come back from the parser as it is. */
function checkHeader({ source, header }: Trace): void {
  let readBack: readonly string[] = [];
  const parser = new SwfParser({
    header: (lines) => {
      readBack = lines;
    },
    records: () => {},
    problem: () => {},
  });
  parser.push(Buffer.from(header.lines.map((line) => `${line}\n`).join('')));
  parser.end();
  const wrong = header.lines.findIndex((line, index) => line !== readBack[index]);
  if (wrong < 0) return;
  throw new InputError(
    `${escapeText(source)}: header line ${wrong + 1} cannot be written: found '${escapeText(header.lines[wrong].slice(0, 40))}', ` +
      'expected one line of printable text that starts with ;',
  );
}

function notFinite({ source }: Trace, record: number, field: number): InputError {
  return new InputError(
    `${escapeText(source)}: record ${record + 1}, field ${field + 1} (${SWF_FIELDS[field]}) cannot be written: ` +
      'it is not a finite number; use -1 for what is unknown',
  );
}

function writeFault(path: string, error: unknown): unknown {
  const { code, message, syscall } = error as NodeJS.ErrnoException;
  const name = escapeText(path);
  const folder = escapeText(dirname(path));
  switch (code) {
    case 'ENOENT':
      return new InputError(
        `${name} cannot be written: the folder ${folder} does not exist; create it first`,
      );
    case 'ENOTDIR':
      return new InputError(`${name} cannot be written: ${folder} is no folder; give another path`);
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new InputError(
        `${name} cannot be written: this user may not write to ${folder}; give another path`,
      );
  }
  const why = lackOfRoom(error);
  if (why !== undefined) {
    return new OutputError(`${name} cannot be written: ${why}; free some space or give another path`);
  }
  return syscall === undefined ? error : new OutputError(`${name} cannot be written: ${escapeText(message)}`);
}
