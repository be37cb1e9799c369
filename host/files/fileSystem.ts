/** Writes files and folders atomically, and explains file system errors to users. */
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { describeFullDiskError, InputError, OutputError } from '../errors.js';
import { escapeNonPrintingText } from '../format/text.js';

/** A file to write: its path, and a function that writes it to another path. */
export interface FileToWrite {
  readonly path: string;
  readonly write: (path: string) => Promise<void> | void;
}

/**
 * Pattern of temporary file names: computer, process, start time of the process (absent in earlier versions),
 * and a number.
 */
const TEMPORARY_FILE_PATTERN = /^\.gridalloc-(?:(.*)-)?(\d+)-([0-9a-f]{8})?[0-9a-f]{12}\.partial$/;

/** Name of this computer in file names. */
const HOST_NAME_IN_FILE_NAMES = hostname().replaceAll(/[^\w.-]/g, '_');

/** Start of this process in seconds since 1970; equal in all its threads, within the error of clocks. */
const PROCESS_START_TIME = Math.round(Date.now() / 1000 - process.uptime());
const PROCESS_START_TOLERANCE_SECONDS = 10;

/** Creates the temporary path of a file until it is complete. */
export function makeTemporaryPath(path: string): string {
  const mark = PROCESS_START_TIME.toString(16).padStart(8, '0') + randomBytes(6).toString('hex');
  return join(dirname(path), `.gridalloc-${HOST_NAME_IN_FILE_NAMES}-${process.pid}-${mark}.partial`);
}

/**
 * Process that writes a temporary file: its number if it runs on this computer, `gone` if it has ended,
 * `unknown` if it ran on another computer; undefined if the file is not temporary.
 */
export function findWriterOfTemporaryFile(path: string): number | 'gone' | 'unknown' | undefined {
  const [name, hostName, id, startTimeDigits = '0'] = TEMPORARY_FILE_PATTERN.exec(basename(path)) ?? [];
  if (name === undefined) return undefined;
  if (hostName !== HOST_NAME_IN_FILE_NAMES) return 'unknown';
  // A process with this process's number that began at another time was in another container of the same name.
  const isOwnProcess =
    Math.abs(Number.parseInt(startTimeDigits, 16) - PROCESS_START_TIME) <= PROCESS_START_TOLERANCE_SECONDS;
  const isWriterRunning = Number(id) === process.pid ? isOwnProcess : isProcessRunning(Number(id));
  return isWriterRunning ? Number(id) : 'gone';
}

/** Deletes unfinished files of killed processes from a folder. */
export async function removeAbandonedFiles(folder: string): Promise<void> {
  const fileNames = await readdir(folder).catch(() => []);
  const abandonedFiles = fileNames
    .map((fileName) => join(folder, fileName))
    .filter((path) => findWriterOfTemporaryFile(path) === 'gone');
  // Failure to delete is harmless.
  for (const abandonedFile of abandonedFiles) await rm(abandonedFile, { force: true }).catch(() => {});
}

/**
 * Writes files under temporary names and, when all are complete, renames them in order. If one cannot be
 * written, or `signal` aborts, all targets stay unchanged. Leftovers of killed processes are deleted.
 * @param temporaryPathOf returns the temporary path of a file.
 */
export async function replaceFiles(
  files: readonly FileToWrite[],
  signal?: AbortSignal,
  temporaryPathOf: (path: string) => string = makeTemporaryPath,
): Promise<void> {
  for (const folder of new Set(files.map(({ path: filePath }) => dirname(filePath))))
    await removeAbandonedFiles(folder);
  const filesWithTemporaryPaths = files.map((file) => ({ ...file, partial: temporaryPathOf(file.path) }));
  try {
    for (const { write, partial } of filesWithTemporaryPaths) {
      signal?.throwIfAborted();
      await write(partial);
    }
    signal?.throwIfAborted();
    for (const { partial, path: filePath } of filesWithTemporaryPaths) await rename(partial, filePath);
  } catch (error) {
    for (const { partial } of filesWithTemporaryPaths) await rm(partial, { force: true }).catch(() => {});
    throw error;
  }
}

/** File consisting of text chunks, each created after the previous one is written. */
export function makeChunkedFile(path: string, chunks: Iterable<string>): FileToWrite {
  return { path, write: (partialPath) => writeFile(partialPath, chunks) };
}

/** Nearest existing folder: the path itself or one of its parents. */
export async function findNearestExistingFolder(folder: string): Promise<string> {
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
 * Creates a folder and missing parents, and appends each to `createdFolders`, innermost first. (The `recursive`
 * option of mkdir never returns where folders cannot be created, as in /proc.)
 */
export async function makeFolderWithParents(folder: string, createdFolders: string[] = []): Promise<void> {
  const existingFolder = await findNearestExistingFolder(folder);
  const missingFolders: string[] = [];
  for (let path = resolve(folder); path !== existingFolder; path = dirname(path))
    missingFolders.unshift(path);
  for (const path of missingFolders) {
    try {
      await mkdir(path);
      createdFolders.unshift(path);
    } catch (error) {
      // Another process was faster.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

/**
 * Writes the file that a user named, such as with `--out`, or the files of a folder that the user named. Missing
 * folders are created, and deleted again if a file cannot be written.
 * @param userPath path of the file or folder, as errors name it.
 * @throws InputError if the path is not writable, OutputError if writing fails midway.
 */
export async function writeUserFiles(
  userPath: string,
  files: readonly FileToWrite[],
  signal?: AbortSignal,
): Promise<void> {
  const createdFolders: string[] = [];
  try {
    for (const { path } of files) await makeFolderWithParents(dirname(path), createdFolders);
    await replaceFiles(files, signal);
  } catch (error) {
    for (const createdFolder of createdFolders) await rmdir(createdFolder).catch(() => {});
    throw explainWriteError(userPath, error, makeWriteErrorAdvice(dirname(userPath)));
  }
}

/** True if a process of this computer is running, as far as this user can tell. */
export function isProcessRunning(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

// Errors of the file system as sentences for a person

/** Advice by cause for a path that cannot be written; it is appended to the path. */
export interface WriteErrorAdvice {
  /** Advice if the user has no permission. */
  readonly denied: string;
  /** Advice if a parent folder is missing and cannot be created. */
  readonly absent: string;
  /** Advice if the path or a parent exists but is not a suitable file or folder. */
  readonly blocked: string;
  /** Advice if the disk is full. */
  readonly full: string;
}

/** Advice for a file that cannot be written to a folder. */
export function makeWriteErrorAdvice(folder: string): WriteErrorAdvice {
  const printableFolderPath = escapeNonPrintingText(folder);
  return {
    denied: `cannot be written: this user may not write to ${printableFolderPath}; give another path`,
    absent: `cannot be written: the folder ${printableFolderPath} does not exist; create it first`,
    blocked: `cannot be written: ${printableFolderPath} is not a folder; give another path`,
    full: 'free some space or give another path',
  };
}

/** Converts an error of writing a path: file system errors become a message for users. */
export function explainWriteError(path: string, error: unknown, advice: WriteErrorAdvice): unknown {
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  const printablePath = escapeNonPrintingText(path);
  switch (code) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new InputError(`${printablePath} ${advice.denied}`);
    case 'ENOENT':
      return new InputError(`${printablePath} ${advice.absent}`);
    case 'ENOTDIR':
    case 'EEXIST':
      return new InputError(`${printablePath} ${advice.blocked}`);
  }
  const fullDiskReason = describeFullDiskError(error);
  if (fullDiskReason !== undefined)
    return new OutputError(`${printablePath} cannot be written: ${fullDiskReason}; ${advice.full}`);
  return syscall === undefined
    ? error
    : new OutputError(`${printablePath} cannot be written: ${escapeNonPrintingText(message)}`);
}

/**
 * Converts an error of reading: file system errors become a message for users.
 * @param sourceName name of the source: a path, or words such as `the study file my.yaml`.
 * @param advice advice if it does not exist.
 */
export function explainReadError(sourceName: string, error: unknown, advice: string): unknown {
  const { code, message, syscall } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return new InputError(`${sourceName} does not exist; ${advice}`);
    case 'EACCES':
    case 'EPERM':
      return new InputError(`${sourceName} may not be read by this user; change its permissions`);
    case 'EISDIR':
      return new InputError(`${sourceName} is a folder; give the path of a file`);
  }
  return syscall === undefined
    ? error
    : new InputError(`${sourceName} cannot be read: ${escapeNonPrintingText(message)}`);
}
