/** User-written code files: reading them, and copying them to results. */
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
 * Reads a code file and registers it by name, without executing it.
 * @throws InputError if it cannot be read, or is TypeScript and this engine does not support it.
 */
export async function readCodeFile(fileName: string): Promise<CodeFile> {
  let text: string;
  try {
    text = await readFile(fileName, 'utf8');
  } catch (error) {
    throw explainReadError(fileName, error, 'give the path of a file with a function');
  }
  if (/\.[cm]?ts$/.test(fileName) && !canStripTypes) {
    throw new InputError(
      `${fileName} is TypeScript, which Node takes from version 22.13 on, and this is ${process.version}; give JavaScript, or use a later Node`,
    );
  }
  const file = { name: fileName, text, sha256: hashTextSha256(text) };
  provideCodeFile(file);
  setUserFunctionCaller(callUserFunctionInThread);
  return file;
}

/** Option that permits code files from a study or results folder. */
export const ALLOW_CODE_OPTION = '--allow-code';

/**
 * Checks the permission for code files named by a study or folder, which must not run without consent.
 * @param subject file, and the study or folder that names it.
 * @throws InputError without permission.
 */
export function requireCodeAllowed(isAllowed: boolean, subject: string): void {
  if (isAllowed) return;
  throw new InputError(
    `${subject}, which runs with your permissions; review it, then add ${ALLOW_CODE_OPTION}`,
  );
}

/** Folder of code file copies among results. */
export const CODE_COPIES_FOLDER = 'code';

/** Name for the copy of a file: its name plus digits of its hash, so that names are unique. */
export function makeNameOfCodeCopy({ name: fileName, sha256 }: CodeFile): string {
  const fileEnding = extname(fileName);
  const hashSuffix = `-${sha256.slice(0, 8)}`;
  // The copy of a copy is called as that.
  return `${CODE_COPIES_FOLDER}/${basename(fileName, fileEnding).replace(hashSuffix, '')}${hashSuffix}${fileEnding}`;
}

/** Names of the code files in options; an option may name several, separated by commas. */
export function findCodeFileNames(optionTexts: OptionStrings): string[] {
  const codeOptionTexts = OPTIONS_TAKING_CODE.flatMap(
    (optionName) => optionTexts[optionName]?.split(',') ?? [],
  );
  return codeOptionTexts.map((word) => word.trim()).filter(isCodeFileName);
}

/**
 * Reads an outage file and registers it by name.
 * @param path path of the file; default: its name.
 * @throws InputError if it cannot be read or is invalid.
 */
export async function readOutageFile(fileName: string, path = fileName): Promise<void> {
  try {
    provideOutageFile(fileName, await readFile(path, 'utf8'));
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw explainReadError(
      fileName,
      error,
      'give the path of a CSV file with outages, or outages such as 1x64@3600..7200',
    );
  }
}

/** Reads the code files named by options, without executing them. */
export async function readCodeFilesOfOptions(optionTexts: OptionStrings): Promise<void> {
  const named = typeof optionTexts.outages === 'string' ? optionTexts.outages.split(',') : [];
  for (const fileName of named) if (isOutageFileName(fileName.trim())) await readOutageFile(fileName.trim());
  for (const fileName of findCodeFileNames(optionTexts)) await readCodeFile(fileName);
}

/** Reads the code files named by options, except those already provided, such as copies among results. */
export async function readMissingCodeFiles(optionTexts: OptionStrings): Promise<void> {
  for (const fileName of findCodeFileNames(optionTexts))
    if (!isCodeFileProvided(fileName)) await readCodeFile(fileName);
}

/** Loads code files that were read into this thread, where a function that hangs cannot be stopped. */
export async function loadCodeFilesOfOptions(optionTexts: OptionStrings): Promise<void> {
  for (const fileName of findCodeFileNames(optionTexts))
    await loadCodeFile(findProvidedCode(fileName, fileName));
}
