/** Files with functions of the user's: reading them, and their copies among results. */
import { readFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { InputError } from '../errors.js';
import { explainReadError } from '../files/fileSystem.js';
import { hashTextSha256 } from '../files/hash.js';
import type { OptionStrings } from '../options/options.js';
import { isOutageFileName, provideOutageFile } from '../options/outages.js';
import {
  type CodeFile,
  findProvidedCode,
  isCodeFileName,
  isCodeFileProvided,
  OPTIONS_TAKING_CODE,
  provideCodeFile,
  setUserFunctionCaller,
} from '../providedCode.js';
import { callUserFunctionInThread } from './codeCalls.js';
import { canStripTypes, loadCodeFile } from './loadCode.js';

/**
 * Reads a file, and makes it known by its name; nothing in it runs.
 * @throws InputError when it cannot be read, or is TypeScript and this engine takes none.
 */
export async function readCodeFile(name: string): Promise<CodeFile> {
  let text: string;
  try {
    text = await readFile(name, 'utf8');
  } catch (error) {
    throw explainReadError(name, error, 'give the path of a file with a function');
  }
  if (/\.[cm]?ts$/.test(name) && !canStripTypes) {
    throw new InputError(
      `${name} is TypeScript, which Node takes from version 22.13 on, and this is ${process.version}; give JavaScript, or use a later Node`,
    );
  }
  const file = { name, text, sha256: hashTextSha256(text) };
  provideCodeFile(file);
  setUserFunctionCaller(callUserFunctionInThread);
  return file;
}

/** The option that allows code that comes with a study or a folder. */
export const ALLOW_CODE_OPTION = '--allow-code';

/**
 * Files that a study or a folder names came with it, so nothing in them runs unasked.
 * @param questionOwner which file, and what names it.
 * @throws InputError unless it is allowed.
 */
export function requireCodeAllowed(isAllowed: boolean, questionOwner: string): void {
  if (isAllowed) return;
  throw new InputError(
    `${questionOwner}, which runs with your permissions; review it, then add ${ALLOW_CODE_OPTION}`,
  );
}

/** The folder of the copies among results. */
export const CODE_COPIES_FOLDER = 'code';

/** Name for the copy of a file: its name plus digits of its hash, so that names are unique. */
export function nameOfCodeCopy({ name, sha256 }: CodeFile): string {
  const fileEnding = extname(name);
  const digits = `-${sha256.slice(0, 8)}`;
  // The copy of a copy is called as that.
  return `${CODE_COPIES_FOLDER}/${basename(name, fileEnding).replace(digits, '')}${digits}${fileEnding}`;
}

/** The files that options name, which may be several with commas. */
export function codeFileNamesInOptions(texts: OptionStrings): string[] {
  const words = OPTIONS_TAKING_CODE.flatMap((name) => texts[name]?.split(',') ?? []);
  return words.map((word) => word.trim()).filter(isCodeFileName);
}

/**
 * Reads a file with outages, and makes it known by its name.
 * @throws InputError when it cannot be read, or has something wrong in it.
 */
export async function readOutageFile(name: string): Promise<void> {
  try {
    provideOutageFile(name, await readFile(name, 'utf8'));
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw explainReadError(name, error, 'give the path of a CSV file with outages');
  }
}

/** Reads the files that options name; nothing in them runs. */
export async function readCodeFilesOfOptions(texts: OptionStrings): Promise<void> {
  const named = typeof texts.outages === 'string' ? texts.outages.split(',') : [];
  for (const name of named) if (isOutageFileName(name.trim())) await readOutageFile(name.trim());
  for (const name of codeFileNamesInOptions(texts)) await readCodeFile(name);
}

/** Reads the files that options name, but for those that have been provided, such as copies among results. */
export async function readMissingCodeFiles(texts: OptionStrings): Promise<void> {
  for (const name of codeFileNamesInOptions(texts)) if (!isCodeFileProvided(name)) await readCodeFile(name);
}

/** Loads those that have been read into this thread, in which nothing ends a function that does not return. */
export async function loadCodeFilesOfOptions(texts: OptionStrings): Promise<void> {
  for (const name of codeFileNamesInOptions(texts)) await loadCodeFile(findProvidedCode(name, name));
}
