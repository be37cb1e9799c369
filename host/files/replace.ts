/** Files that are written whole or not at all, and the folders that hold them. Errors are those of the file system. */
import { randomBytes } from 'node:crypto';
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** A file to be written: its path, and how to write it to another path. */
export interface FileToWrite {
  readonly path: string;
  readonly write: (path: string) => Promise<void> | void;
}

/** Where a file stands until it is whole: a name of its own for each process and file, so that it is no other's. */
function besideOf(path: string): string {
  return join(dirname(path), `.gridalloc-${process.pid}-${randomBytes(6).toString('hex')}.partial`);
}

/**
 * Writes files beside their places and, when all are whole, moves them there in order. When one cannot be written, or
 * `signal` tells to stop, every place is left as it was.
 * @param partialOf where a file stands until it is whole.
 */
export async function replaceFiles(
  files: readonly FileToWrite[],
  signal?: AbortSignal,
  partialOf: (path: string) => string = besideOf,
): Promise<void> {
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

/** Writes chunks of text to a path, each made when the one before is written; the file is closed when this is over. */
export function writeChunks(path: string, chunks: Iterable<string>): Promise<void> {
  return writeFile(path, chunks);
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
