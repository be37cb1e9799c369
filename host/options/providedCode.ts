/**
 * Functions from files, by the name that options give them. Reading a file takes a host that has files, and time, so
 * code that can load them (`host/code/`) provides them before options that name them are read.
 */
import { InputError } from '../errors.js';

/** A file with a function of the user's. */
export interface CodeFile {
  /** Path of the file as given in options. */
  readonly name: string;
  readonly text: string;
  /** SHA-256 of the text, in hexadecimal digits. */
  readonly sha256: string;
  /** Exports of the module; absent in a thread that lets another thread run it. */
  readonly exports?: Readonly<Record<string, unknown>> | undefined;
}

/** Options that take such files, as they are named in texts. */
export const TAKING_CODE: readonly string[] = ['policy', 'order', 'backfill-order'];

const provided = new Map<string, CodeFile>();

/** True if a text is the name of a file with code, and no word or notation. */
export function isCodeName(text: string): boolean {
  return /\.[cm]?[jt]s$/.test(text);
}

/** Makes a file known by its name, in the place of one of that name before. */
export function provideCode(file: CodeFile): void {
  provided.set(file.name, file);
}

/**
 * The file of a name.
 * @param what names the option in errors.
 * @throws InputError when it has not been provided.
 */
export function codeNamed(name: string, what: string): CodeFile {
  const file = provided.get(name);
  if (file !== undefined) return file;
  throw new InputError(
    `${what}: ${name} is a file, and files are read for the command line and for studies only; give the function itself`,
  );
}
