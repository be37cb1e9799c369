/**
 * Functions from files, by the name that options give them. Reading a file takes a host that has files, and time, so
 * code that can load them (`host/code/`) provides them before options that name them are read.
 */
import { describeThrownValue, FunctionError, InputError } from './errors.js';

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
export const OPTIONS_TAKING_CODE: readonly string[] = ['policy', 'order', 'backfill-order', 'estimates'];

const providedCodeFiles = new Map<string, CodeFile>();

/** True if a text is the name of a file with code, and no word or notation. */
export function isCodeFileName(text: string): boolean {
  return /\.[cm]?[jt]s$/.test(text);
}

/** Makes a file known by its name, in the place of one of that name before. */
export function provideCodeFile(file: CodeFile): void {
  providedCodeFiles.set(file.name, file);
}

/** True if a file of this name has been provided. */
export function isCodeFileProvided(name: string): boolean {
  return providedCodeFiles.has(name);
}

/**
 * The file of a name.
 * @param what names the option in errors.
 * @throws InputError when it has not been provided.
 */
export function findProvidedCode(name: string, what: string): CodeFile {
  const file = providedCodeFiles.get(name);
  if (file !== undefined) return file;
  throw new InputError(
    `${what}: ${name} is a file, and files are read for the command line and for studies only; give the function itself`,
  );
}

/** Columns of jobs by name, all of the same length. */
export type JobColumns = Readonly<Record<string, ArrayLike<number>>>;

/** Calls the function of a file for every row of some columns, and returns its answers. */
export type UserFunctionCaller = (file: CodeFile, jobs: LoggedJobColumns) => Float64Array;

/** Columns of the jobs of a log. */
export interface LoggedJobColumns {
  /** Name of the log. */
  readonly log: string;
  readonly count: number;
  readonly columns: JobColumns;
}

let userFunctionCaller: UserFunctionCaller | undefined;

/** Makes known how files are called whose functions are not loaded in this thread. */
export function setUserFunctionCaller(own: UserFunctionCaller): void {
  userFunctionCaller = own;
}

/**
 * The answers of the function of a file for every row of some columns; the file is loaded afresh where threads can be
 * started, so that nothing is left of earlier calls.
 * @throws FunctionError when it fails or does not end; InputError for a file that has not been read.
 */
export function callUserFunctionForRows(name: string, what: string, jobs: LoggedJobColumns): Float64Array {
  const file = findProvidedCode(name, what);
  if (userFunctionCaller !== undefined) return userFunctionCaller(file, jobs);
  return answersOfUserFunction(file, file.exports?.default as (job: object) => unknown, jobs);
}

/**
 * The answers of a function for every row of some columns.
 * @throws FunctionError when it fails.
 */
export function answersOfUserFunction(
  { name: file }: Pick<CodeFile, 'name'>,
  ask: (job: object) => unknown,
  { log, count, columns }: LoggedJobColumns,
): Float64Array {
  const entries = Object.entries(columns);
  return Float64Array.from({ length: count }, (_, row) => {
    try {
      return Number(ask(Object.fromEntries(entries.map(([name, values]) => [name, values[row]!]))));
    } catch (error) {
      const job = columns.number?.[row];
      throw new FunctionError(
        `${log}, job ${job}: the estimate of ${file} failed: ${describeThrownValue(error, file)}`,
      );
    }
  });
}
