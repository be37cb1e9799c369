/**
 * Files that are written whole or not at all, and the folders that hold them, whose errors are those of the file
 * system; and such errors as sentences for a person.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { describeFullDiskError, InputError, OutputError } from '../errors.js';
import { escapeNonPrintingText } from '../format/text.js';

/** A file to be written: its path, and how to write it to another path. */
export interface FileToWrite {
  readonly path: string;
  readonly write: (path: string) => Promise<void> | void;
}

/**
 * The names of unfinished files: of the computer and the process that write them, the second at which that
 * process began, and one for each file. Earlier versions left out the second.
 */
const TEMPORARY_FILE_PATTERN = /^\.gridalloc-(?:(.*)-)?(\d+)-([0-9a-f]{8})?[0-9a-f]{12}\.partial$/;

/** The name of this computer in names of files. */
const HOST_NAME_IN_FILE_NAMES = hostname().replaceAll(/[^\w.-]/g, '_');

/** Start of this process in seconds since 1970; equal in all its threads, within the error of clocks. */
const PROCESS_START_TIME = Math.round(Date.now() / 1000 - process.uptime());
const PROCESS_START_TOLERANCE_SECONDS = 10;

/** Temporary path of a file until it is complete. */
function makeTemporaryPath(path: string): string {
  const mark = PROCESS_START_TIME.toString(16).padStart(8, '0') + randomBytes(6).toString('hex');
  return join(dirname(path), `.gridalloc-${HOST_NAME_IN_FILE_NAMES}-${process.pid}-${mark}.partial`);
}

/**
 * The writer of an unfinished file: a process of this computer that is there, or one that is gone or cannot be
 * asked about from here; undefined for any other file.
 */
export function findWriterOfTemporaryFile(path: string): number | 'gone' | 'unknown' | undefined {
  const [name, host, id, began = '0'] = TEMPORARY_FILE_PATTERN.exec(basename(path)) ?? [];
  if (name === undefined) return undefined;
  if (host !== HOST_NAME_IN_FILE_NAMES) return 'unknown';
  // A process with our own number that began at another time went before this one, in another container of the same name.
  const isGridallocFile =
    Math.abs(Number.parseInt(began, 16) - PROCESS_START_TIME) <= PROCESS_START_TOLERANCE_SECONDS;
  const isWriterRunning = Number(id) === process.pid ? isGridallocFile : isProcessRunning(Number(id));
  return isWriterRunning ? Number(id) : 'gone';
}

/** Deletes what processes have left in a folder that were killed before their files were whole. */
export async function removeAbandonedFiles(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const abandonedFiles = names
    .map((name) => join(folder, name))
    .filter((path) => findWriterOfTemporaryFile(path) === 'gone');
  // Failure to delete is harmless.
  for (const path of abandonedFiles) await rm(path, { force: true }).catch(() => {});
}

/**
 * Writes files beside their places and, when all are whole, moves them there in order. When one cannot be written, or
 * `signal` says to stop, every place is left as it was. What killed processes have left beside them goes.
 * @param temporaryPathOf where a file is until it is whole.
 */
export async function replaceFiles(
  files: readonly FileToWrite[],
  signal?: AbortSignal,
  temporaryPathOf: (path: string) => string = makeTemporaryPath,
): Promise<void> {
  for (const folder of new Set(files.map(({ path }) => dirname(path)))) await removeAbandonedFiles(folder);
  const fileMoves = files.map((file) => ({ ...file, partial: temporaryPathOf(file.path) }));
  try {
    for (const { write, partial } of fileMoves) {
      signal?.throwIfAborted();
      await write(partial);
    }
    signal?.throwIfAborted();
    for (const { partial, path } of fileMoves) await rename(partial, path);
  } catch (error) {
    for (const { partial } of fileMoves) await rm(partial, { force: true }).catch(() => {});
    throw error;
  }
}

/** A file of chunks of text, each made when the one before is written. */
export function makeChunkedFile(path: string, chunks: Iterable<string>): FileToWrite {
  return { path, write: (partial) => writeFile(partial, chunks) };
}

/** A folder, or the nearest above it that exists. */
export async function nearestExistingFolder(folder: string): Promise<string> {
  for (let path = resolve(folder); ; path = dirname(path)) {
    const fileStatus = await stat(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' && path !== dirname(path)) return undefined;
      throw error;
    });
    if (fileStatus?.isDirectory() === false)
      throw Object.assign(new Error(`${path} is not a folder`), { code: 'ENOTDIR' });
    if (fileStatus !== undefined) return path;
  }
}

/**
 * Makes a folder and those above it that are missing, each noted in `created`, the innermost first. (Not by mkdir's
 * `recursive`: it never returns where no folder can be made, as in /proc.)
 */
export async function makeFolderAndParents(folder: string, created: string[] = []): Promise<void> {
  const existingFolder = await nearestExistingFolder(folder);
  const missing: string[] = [];
  for (let path = resolve(folder); path !== existingFolder; path = dirname(path)) missing.unshift(path);
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
export function isProcessRunning(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

// Errors of the file system as sentences for a person

/** Advice for a path that cannot be written, by cause; the text follows the path. */
export interface WriteErrorAdvice {
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
export function explainWriteError(path: string, error: unknown, messageSentences: WriteErrorAdvice): unknown {
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  const name = escapeNonPrintingText(path);
  switch (code) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new InputError(`${name} ${messageSentences.denied}`);
    case 'ENOENT':
      return new InputError(`${name} ${messageSentences.absent}`);
    case 'ENOTDIR':
    case 'EEXIST':
      return new InputError(`${name} ${messageSentences.blocked}`);
  }
  const why = describeFullDiskError(error);
  if (why !== undefined)
    return new OutputError(`${name} cannot be written: ${why}; ${messageSentences.full}`);
  return syscall === undefined
    ? error
    : new OutputError(`${name} cannot be written: ${escapeNonPrintingText(message)}`);
}

/**
 * The error to throw when reading has failed with another: with a sentence if it is one of the file system.
 * @param name of what was read.
 * @param advice what to do when it does not exist.
 */
export function explainReadError(name: string, error: unknown, advice: string): unknown {
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
  return syscall === undefined
    ? error
    : new InputError(`${name} cannot be read: ${escapeNonPrintingText(message)}`);
}
