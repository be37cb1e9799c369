/**
 * Files that are written whole or not at all, and the folders that hold them, whose errors are those of the file
 * system; and such errors as sentences for a person.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { diskFullReason, InputError, OutputError } from '../errors.js';
import { escapeText } from '../format/text.js';

/** A file to be written: its path, and how to write it to another path. */
export interface FileToWrite {
  readonly path: string;
  readonly write: (path: string) => Promise<void> | void;
}

/**
 * The names of unfinished files: of the computer and the process that write them, the second at which that
 * process began, and one for each file. Earlier versions left out the second.
 */
const PARTIAL_NAME = /^\.gridalloc-(?:(.*)-)?(\d+)-([0-9a-f]{8})?[0-9a-f]{12}\.partial$/;

/** The name of this computer in names of files. */
const HOST_NAME = hostname().replaceAll(/[^\w.-]/g, '_');

/** Start of this process in seconds since 1970; equal in all its threads, within the error of clocks. */
const PROCESS_START = Math.round(Date.now() / 1000 - process.uptime());
const MODE_MASK = 10;

/** Temporary path of a file until it is complete. */
function temporaryPathFor(path: string): string {
  const mark = PROCESS_START.toString(16).padStart(8, '0') + randomBytes(6).toString('hex');
  return join(dirname(path), `.gridalloc-${HOST_NAME}-${process.pid}-${mark}.partial`);
}

/**
 * The writer of an unfinished file: a process of this computer that is there, or one that is gone or cannot be
 * asked about from here; undefined for any other file.
 */
export function writerOf(path: string): number | 'gone' | 'unknown' | undefined {
  const [name, host, id, began = '0'] = PARTIAL_NAME.exec(basename(path)) ?? [];
  if (name === undefined) return undefined;
  if (host !== HOST_NAME) return 'unknown';
  // A process with our own number that began at another time went before this one, in another container of the same name.
  const isGridallocFile = Math.abs(Number.parseInt(began, 16) - PROCESS_START) <= MODE_MASK;
  const isThere = Number(id) === process.pid ? isGridallocFile : isRunning(Number(id));
  return isThere ? Number(id) : 'gone';
}

/** Deletes what processes have left in a folder that were killed before their files were whole. */
export async function removeAbandoned(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const abandoned = names.map((name) => join(folder, name)).filter((path) => writerOf(path) === 'gone');
  // Failure to delete is harmless.
  for (const path of abandoned) await rm(path, { force: true }).catch(() => {});
}

/**
 * Writes files beside their places and, when all are whole, moves them there in order. When one cannot be written, or
 * `signal` says to stop, every place is left as it was. What killed processes have left beside them goes.
 * @param partialOf where a file is until it is whole.
 */
export async function replaceFiles(
  files: readonly FileToWrite[],
  signal?: AbortSignal,
  partialOf: (path: string) => string = temporaryPathFor,
): Promise<void> {
  for (const folder of new Set(files.map(({ path }) => dirname(path)))) await removeAbandoned(folder);
  const moves = files.map((file) => ({ ...file, partial: partialOf(file.path) }));
  try {
    for (const { write, partial } of moves) {
      signal?.throwIfAborted();
      await write(partial);
    }
    signal?.throwIfAborted();
    for (const { partial, path } of moves) await rename(partial, path);
  } catch (error) {
    for (const { partial } of moves) await rm(partial, { force: true }).catch(() => {});
    throw error;
  }
}

/** A file of chunks of text, each made when the one before is written. */
export function textAt(path: string, chunks: Iterable<string>): FileToWrite {
  return { path, write: (partial) => writeFile(partial, chunks) };
}

/** A folder, or the nearest above it that exists. */
export async function nearestFolder(folder: string): Promise<string> {
  for (let path = resolve(folder); ; path = dirname(path)) {
    const stats = await stat(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' && path !== dirname(path)) return undefined;
      throw error;
    });
    if (stats?.isDirectory() === false)
      throw Object.assign(new Error(`${path} is not a folder`), { code: 'ENOTDIR' });
    if (stats !== undefined) return path;
  }
}

/**
 * Makes a folder and those above it that are missing, each noted in `created`, the innermost first. (Not by mkdir's
 * `recursive`: it never returns where no folder can be made, as in /proc.)
 */
export async function makeFolder(folder: string, created: string[] = []): Promise<void> {
  const existing = await nearestFolder(folder);
  const missing: string[] = [];
  for (let path = resolve(folder); path !== existing; path = dirname(path)) missing.unshift(path);
  for (const path of missing) {
    try {
      await mkdir(path);
      created.unshift(path);
    } catch (error) {
      // Another process was faster.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

/** Processes of this computer. */

/** True if a process of this computer is there, as far as this user can tell. */
export function isRunning(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

// Errors of the file system as sentences for a person

/** Advice for a path that cannot be written, by cause; the text follows the path. */
export interface WriteSentences {
  /** The user may not write there. */
  readonly denied: string;
  /** A folder above is not there, and cannot be made. */
  readonly absent: string;
  /** Advice if the path, or a folder above it, is something else. */
  readonly blocked: string;
  /** Advice if the disk is full. */
  readonly full: string;
}

/** The error to throw when writing a path has failed with another: with a sentence if it is one of the file system. */
export function writeFault(path: string, error: unknown, sentences: WriteSentences): unknown {
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  const name = escapeText(path);
  switch (code) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new InputError(`${name} ${sentences.denied}`);
    case 'ENOENT':
      return new InputError(`${name} ${sentences.absent}`);
    case 'ENOTDIR':
    case 'EEXIST':
      return new InputError(`${name} ${sentences.blocked}`);
  }
  const why = diskFullReason(error);
  if (why !== undefined) return new OutputError(`${name} cannot be written: ${why}; ${sentences.full}`);
  return syscall === undefined ? error : new OutputError(`${name} cannot be written: ${escapeText(message)}`);
}

/**
 * The error to throw when reading has failed with another: with a sentence if it is one of the file system.
 * @param name of what was read.
 * @param advice what to do when it does not exist.
 */
export function readFault(name: string, error: unknown, advice: string): unknown {
  const { code, message, syscall } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return new InputError(`${name} does not exist; ${advice}`);
    case 'EACCES':
    case 'EPERM':
      return new InputError(`${name} may not be read by this user; change its permissions`);
    case 'EISDIR':
      return new InputError(`${name} is a folder; give the path of a file`);
  }
  return syscall === undefined ? error : new InputError(`${name} cannot be read: ${escapeText(message)}`);
}
