/** A folder of results: all of its files or none, and never over something else. */
import { createWriteStream } from 'node:fs';
import { access, constants, mkdir, readdir, readFile, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { InputError, lackOfRoom, OutputError } from '../errors.js';

export { OutputError };

/** A file to be written: its name, and how to write it to a path. */
export interface ResultFile {
  readonly name: string;
  readonly write: (path: string) => Promise<void>;
}

/** The file by which a folder of results is known; it is put in place last. */
export const CONFIG_FILE = 'config.json';

/** The file of the stopped runs: one that not every folder of results has. */
export const STOPS_FILE = 'stops.csv';

/** A file of chunks of text, each made when the one before is written. */
export function textFile(name: string, chunks: () => Iterable<string>): ResultFile {
  return { name, write: (path) => pipeline(chunks(), createWriteStream(path)) };
}

/** A document as a file. */
export function jsonFile(name: string, document: unknown): ResultFile {
  return textFile(name, () => [`${JSON.stringify(document, null, 2)}\n`]);
}

/**
 * Makes sure, before the work begins, that results can go to a folder: it does not exist yet, is empty, or holds
 * earlier results, and may be written.
 * @throws InputError otherwise.
 */
export async function checkResultFolder(folder: string): Promise<void> {
  try {
    const entries = await listFolder(folder);
    if (entries.length > 0 && !(await holdsResults(folder))) {
      throw new InputError(
        `${folder} holds other things, for instance ${entries.sort()[0]}; give a new or empty folder for the results`,
      );
    }
    await access(await nearestFolder(folder), constants.W_OK);
  } catch (error) {
    throw writeFault(folder, error);
  }
}

/**
 * Writes all files into a folder, under temporary names first. When one cannot be written, or `signal` tells to
 * stop, the folder is left as it was. Results without stopped runs take away those of earlier results.
 * @throws InputError when the folder may not be written, OutputError when writing fails on the way.
 */
export async function writeResultFolder(
  folder: string,
  files: readonly ResultFile[],
  signal?: AbortSignal,
): Promise<void> {
  const ordered = [...files].sort((a, b) => Number(a.name === CONFIG_FILE) - Number(b.name === CONFIG_FILE));
  const temporary = (file: ResultFile) => join(folder, `.${file.name}.${process.pid}.partial`);
  const created: string[] = [];
  try {
    await makeFolder(folder, created);
    for (const file of ordered) {
      signal?.throwIfAborted();
      await file.write(temporary(file));
    }
    signal?.throwIfAborted();
    for (const file of ordered) await rename(temporary(file), join(folder, file.name));
    const names = files.map(({ name }) => name);
    if (names.includes(CONFIG_FILE) && !names.includes(STOPS_FILE)) {
      await rm(join(folder, STOPS_FILE), { force: true });
    }
  } catch (error) {
    for (const file of ordered) await rm(temporary(file), { force: true }).catch(() => {});
    for (const path of created) await rmdir(path).catch(() => {});
    throw writeFault(folder, error);
  }
}

async function listFolder(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

async function holdsResults(folder: string): Promise<boolean> {
  try {
    const config: unknown = JSON.parse(await readFile(join(folder, CONFIG_FILE), 'utf8'));
    return typeof config === 'object' && config !== null && 'gridalloc' in config;
  } catch {
    return false;
  }
}

/** The folder itself, or the nearest above it that exists. */
async function nearestFolder(folder: string): Promise<string> {
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
 * Makes the folder and those above it, each noted in `created`, the innermost first. (Not by mkdir's `recursive`:
 * it never returns where no folder can be made, as in /proc.)
 */
async function makeFolder(folder: string, created: string[]): Promise<void> {
  const existing = await nearestFolder(folder);
  const missing: string[] = [];
  for (let path = resolve(folder); path !== existing; path = dirname(path)) missing.unshift(path);
  for (const path of missing) {
    await mkdir(path);
    created.unshift(path);
  }
}

/** The sentence for an error of the file system while something is written to a path; other errors as they are. */
function writeFault(path: string, error: unknown): unknown {
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new InputError(
        `${path} may not be written by this user; give another place, or change its permissions`,
      );
    case 'ENOENT':
      return new InputError(`${path} cannot be made; give another folder for the results`);
    case 'ENOTDIR':
    case 'EEXIST':
      return new InputError(`${path} is not a folder, or stands below a file; give a folder for the results`);
  }
  const why = lackOfRoom(error);
  if (why !== undefined) {
    return new OutputError(
      `${path} cannot be written: ${why}; what was there stays, make room and give the same command again`,
    );
  }
  return syscall === undefined ? error : new OutputError(`${path} could not be written: ${message}`);
}
