/** Files with functions of the user's: reading them, and loading what they export. */

import { readFile } from 'node:fs/promises';
import * as modules from 'node:module';
import { basename, extname } from 'node:path';
import { types } from 'node:util';
import { answerText, InputError, thrownText } from '../errors.js';
import { readFault } from '../files/fileSystem.js';
import { hashText } from '../files/hash.js';
import type { OptionStrings } from '../options/options.js';
import { type CodeFile, codeNamed, isCodeName, provideCode, TAKING_CODE } from '../options/providedCode.js';

/** Function of Node (22.13 or later) that removes types from a program text. */
type StripTypes = (text: string) => string;
const stripTypes = (modules as { stripTypeScriptTypes?: StripTypes }).stripTypeScriptTypes;

/**
 * JavaScript of a TypeScript text. Node 22 warns that its type stripping is experimental; the warning is suppressed.
 */
function withoutTypes(text: string): string {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return (stripTypes as StripTypes)(text);
  } finally {
    process.emitWarning = emitWarning;
  }
}

/**
 * Reads a file, and makes it known by its name; nothing in it runs.
 * @throws InputError when it cannot be read, or is TypeScript and this engine takes none.
 */
export async function readCode(name: string): Promise<CodeFile> {
  let text: string;
  try {
    text = await readFile(name, 'utf8');
  } catch (error) {
    throw readFault(name, error, 'give the path of a file with a function');
  }
  if (/\.[cm]?ts$/.test(name) && stripTypes === undefined) {
    throw new InputError(
      `${name} is TypeScript, which Node takes from version 22.13 on, and this is ${process.version}; give JavaScript, or use a later Node`,
    );
  }
  const file = { name, text, sha256: hashText(text) };
  provideCode(file);
  return file;
}

/** The option that allows code that comes with a study or a folder. */
export const ALLOW_CODE = '--allow-code';

/**
 * Files that a study or a folder names came with it, so nothing in them runs unasked.
 * @param who which file, and what names it.
 * @throws InputError unless it is allowed.
 */
export function requireAllowed(isAllowed: boolean, who: string): void {
  if (isAllowed) return;
  throw new InputError(`${who}, which runs with your permissions; review it, then add ${ALLOW_CODE}`);
}

type Exports = NonNullable<CodeFile['exports']>;

/** The folder of the copies among results. */
export const CODE_FOLDER = 'code';

/** Name for the copy of a file: its name plus digits of its hash, so that names are unique. */
export function copyName({ name, sha256 }: CodeFile): string {
  const ending = extname(name);
  const digits = `-${sha256.slice(0, 8)}`;
  // The copy of a copy is called as that.
  return `${CODE_FOLDER}/${basename(name, ending).replace(digits, '')}${digits}${ending}`;
}

/**
 * Runs a file as an ES module in this thread, and makes its exports known. It is run from its text: what was read and
 * hashed is what runs, and since results keep a copy of this one file it imports no other.
 * @param prepare turns its exports into what is registered.
 * @throws InputError when it does not run, imports other files, or does not export a function by default.
 */
export async function loadCode(
  file: CodeFile,
  prepare: (exports: Exports) => Exports = (exports) => exports,
): Promise<void> {
  const { name, text } = file;
  const code = /ts$/.test(name) ? withoutTypes(text) : text;
  const url = `data:text/javascript;base64,${Buffer.from(`${code}\n//# sourceURL=${name}`).toString('base64')}`;
  let exports: Exports | null | undefined;
  try {
    // Importing a module that exports a function `then` yields the result of that function.
    exports = (await import(url)) as Exports | null | undefined;
  } catch (error) {
    throw new InputError(await loadingFault(name, code, error));
  }
  const input = exports?.default;
  if (exports == null || typeof input !== 'function') {
    const found = input === undefined ? 'is missing' : `is ${answerText(input)}`;
    throw new InputError(
      `${name}: its default export ${found}, expected a function: export default (job) => ...`,
    );
  }
  provideCode({ ...file, exports: prepare(exports) });
}

async function loadingFault(name: string, code: string, error: unknown): Promise<string> {
  if (!types.isNativeError(error)) return `${name} cannot be loaded: ${thrownText(error, name)}`;
  const { message, code: reason } = error as NodeJS.ErrnoException;
  const [, imported] = /^Failed to resolve module specifier "([^"]*)"/.exec(message) ?? [];
  if (imported !== undefined || reason === 'ERR_UNSUPPORTED_RESOLVE_REQUEST')
    return `${name} imports ${imported}: results keep a copy of one file, so it may import only Node's own modules (node:...); put all code into it`;
  if (!(error instanceof SyntaxError)) return `${name} cannot be loaded: ${thrownText(error, name)}`;
  // The error of an import does not say where.
  const { spawnSync } = await import('node:child_process');
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '--check', '-'], {
    input: code,
    encoding: 'utf8',
  });
  const [, line] = /^\[stdin\]:(\d+)/.exec(stderr) ?? [];
  return `${name}${line === undefined ? '' : `, line ${line}`}: ${message}`;
}

/** The files that options name, which may be several with commas. */
export function codeNamesIn(texts: OptionStrings): string[] {
  const words = TAKING_CODE.flatMap((name) => texts[name]?.split(',') ?? []);
  return words.map((word) => word.trim()).filter(isCodeName);
}

/** Reads the files that options name; nothing in them runs. */
export async function readCodeIn(texts: OptionStrings): Promise<void> {
  for (const name of codeNamesIn(texts)) await readCode(name);
}

/** Loads those that have been read into this thread, in which nothing ends a function that does not return. */
export async function loadCodeIn(texts: OptionStrings): Promise<void> {
  for (const name of codeNamesIn(texts)) await loadCode(codeNamed(name, name));
}
