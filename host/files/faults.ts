/** Errors of the file system as sentences for a person. */
import { InputError, lackOfRoom, OutputError } from '../errors.js';
import { escapeText } from '../format/escape.js';

/** What to do about a path that cannot be written, by what is wrong; each goes on behind the path. */
export interface WriteSentences {
  /** The user may not write there. */
  readonly denied: string;
  /** A folder above is not there, and cannot be made. */
  readonly absent: string;
  /** It, or what should be a folder above it, is something else. */
  readonly blocked: string;
  /** What to do where there is no room; stands behind what is full. */
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
  const why = lackOfRoom(error);
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
