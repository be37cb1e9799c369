/** Writing a log in SWF to a file or to standard output. */
import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { InputError, lackOfRoom, OutputError } from '../errors.js';
import { encodeTrace } from '../trace/encode.js';
import { escapeText } from '../trace/quote.js';
import type { Trace } from '../trace/trace.js';

/** How a log is written. */
export interface WriteOptions {
  /** What `-` writes to; standard output by default. It is left open. */
  readonly output?: Writable;
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
