/** Loads user-written code files as modules of a thread. */
import * as modules from 'node:module';
import { types } from 'node:util';
import { describeReturnedValue, describeThrownValue, InputError } from '../errors.js';
import { type CodeFile, provideCodeFile } from '../providedCode.js';

/** Function of Node (22.13 or later) that removes types from a program text. */
type TypeStripper = (text: string) => string;
const stripTypesWithNode = (modules as { stripTypeScriptTypes?: TypeStripper }).stripTypeScriptTypes;

/** True if this version of Node can remove types from TypeScript. */
export const canStripTypes = stripTypesWithNode !== undefined;

/**
 * Removes types from a TypeScript program. Node 22 warns that its type stripping is experimental; the warning
 * is suppressed.
 */
function stripTypesOfTypeScript(sourceText: string): string {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return (stripTypesWithNode as TypeStripper)(sourceText);
  } finally {
    process.emitWarning = emitWarning;
  }
}

type CodeFileExports = NonNullable<CodeFile['exports']>;

/**
 * Runs a code file as an ES module in this thread, and registers its exports. It runs from the text that was
 * read and hashed; it cannot import other files, since results keep a copy of this file only.
 * @param prepare converts its exports to the registered ones.
 * @throws InputError if it fails, imports other files, or has no default export that is a function.
 */
export async function loadCodeFile(
  file: CodeFile,
  prepare: (exports: CodeFileExports) => CodeFileExports = (exports) => exports,
): Promise<void> {
  const { name: fileName, text: fileText } = file;
  const codeText = /ts$/.test(fileName) ? stripTypesOfTypeScript(fileText) : fileText;
  const url = `data:text/javascript;base64,${Buffer.from(`${codeText}\n//# sourceURL=${fileName}`).toString('base64')}`;
  let exports: CodeFileExports | null | undefined;
  try {
    // Importing a module that exports a function `then` yields the result of that function.
    exports = (await import(url)) as CodeFileExports | null | undefined;
  } catch (error) {
    throw new InputError(await describeLoadError(fileName, codeText, error));
  }
  const defaultExport = exports?.default;
  if (exports == null || typeof defaultExport !== 'function') {
    const moduleProblem =
      defaultExport === undefined ? 'is missing' : `is ${describeReturnedValue(defaultExport)}`;
    throw new InputError(
      `${fileName}: its default export ${moduleProblem}, expected a function: export default (job) => ...`,
    );
  }
  provideCodeFile({ ...file, exports: prepare(exports) });
}

async function describeLoadError(fileName: string, codeText: string, error: unknown): Promise<string> {
  if (!types.isNativeError(error))
    return `${fileName} cannot be loaded: ${describeThrownValue(error, fileName)}`;
  const { message, code: reason } = error as NodeJS.ErrnoException;
  const [, imported] = /^Failed to resolve module specifier "([^"]*)"/.exec(message) ?? [];
  if (imported !== undefined || reason === 'ERR_UNSUPPORTED_RESOLVE_REQUEST')
    return `${fileName} imports ${imported}: results keep a copy of one file, so it may import only Node's own modules (node:...); put all code into it`;
  if (!(error instanceof SyntaxError))
    return `${fileName} cannot be loaded: ${describeThrownValue(error, fileName)}`;
  // The error of a failed import does not say in which line.
  const { spawnSync } = await import('node:child_process');
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '--check', '-'], {
    input: codeText,
    encoding: 'utf8',
  });
  const [, line] = /^\[stdin\]:(\d+)/.exec(stderr) ?? [];
  return `${fileName}${line === undefined ? '' : `, line ${line}`}: ${message}`;
}
