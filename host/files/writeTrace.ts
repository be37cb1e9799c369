/** Writing a log in SWF to a file or to standard output. */

import { createWriteStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { InputError } from '../errors.js';
import { escapeText } from '../format/escape.js';
import { checkGiven, checkOptions, takes } from '../given.js';
import { encodeTrace } from '../trace/swf.js';
import type { Trace } from '../trace/trace.js';
import { type WriteSentences, writeFault } from './faults.js';
import { replaceFiles } from './replace.js';

/** How a log is written. */
export interface WriteOptions {
  /** What `-` writes to, a Writable of Node; standard output by default. It is left open. */
  readonly output?: LogOutput;
}

const WRITE_TRACE = takes<WriteOptions>('writeTrace', { output: true });

/** What tells a Writable, whose type would ask every user for those of Node. */
export interface LogOutput {
  write(text: string): boolean;
  end(): unknown;
  once(event: 'drain', listener: () => void): unknown;
}

/**
 * Writes a log: to standard output for `-`, compressed when the path ends in .gz. A file appears under its
 * name only when it is complete: it is written beside it and renamed. Devices and pipes are written to directly.
 * @throws InputError when the place may not be written or the log holds what SWF cannot; OutputError when writing
 * fails: a full disk, a device error. Errors of `output` are thrown as they are.
 * @example
 * await writeTrace(trace, 'model.swf.gz');
 * console.log((await readTrace('model.swf.gz')).count); // 200
 */
export async function writeTrace(trace: Trace, path: string, options: WriteOptions = {}): Promise<void> {
  checkGiven(trace, 'trace', 'writeTrace, trace');
  checkGiven(path, 'text', 'writeTrace, path');
  checkOptions(WRITE_TRACE, options);
  if (path === '-') {
    const output = (options.output as Writable | undefined) ?? process.stdout;
    await pipeline(Readable.from(encodeTrace(trace)), output, { end: false });
    return;
  }
  try {
    const place = await findPlace(path);
    const isGzip = /\.gz$/i.test(path);
    const write = (to: string, flags: string) => writeText(trace, to, isGzip, flags);
    if (place.isSpecial) await write(place.path, 'w');
    else await replaceFiles([{ path: place.path, write: (partial) => write(partial, 'wx') }]);
  } catch (error) {
    throw writeFault(path, error, sentencesFor(dirname(path)));
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

async function writeText(trace: Trace, path: string, isGzip: boolean, flags: string): Promise<void> {
  const text = Readable.from(encodeTrace(trace));
  const file = createWriteStream(path, { flags });
  await (isGzip ? pipeline(text, createGzip(), file) : pipeline(text, file));
}

function sentencesFor(folder: string): WriteSentences {
  const name = escapeText(folder);
  return {
    denied: `cannot be written: this user may not write to ${name}; give another path`,
    absent: `cannot be written: the folder ${name} does not exist; create it first`,
    blocked: `cannot be written: ${name} is no folder; give another path`,
    full: 'free some space or give another path',
  };
}
