/**
 * Registry of user-written functions by the file name that options contain. Reading files requires a host
 * with files, so `host/code/` provides them before options that name them are parsed.
 */
import { describeThrownValue, FunctionError, InputError } from './errors.js';

/** A user-written code file. */
export interface CodeFile {
  /** Path of the file as given in options. */
  readonly name: string;
  readonly text: string;
  /** SHA-256 of the text, in hexadecimal digits. */
  readonly sha256: string;
  /** Exports of the module; absent in a thread that delegates calls to another thread. */
  readonly exports?: Readonly<Record<string, unknown>> | undefined;
}

/** Names of the options that accept code files. */
export const OPTIONS_TAKING_CODE: readonly string[] = ['policy', 'order', 'backfill-order', 'estimates'];

const providedCodeFiles = new Map<string, CodeFile>();

/** True if a text is the name of a code file rather than a word or notation. */
export function isCodeFileName(fileName: string): boolean {
  return /\.[cm]?[jt]s$/.test(fileName);
}

/** Registers a code file by its name, replacing an earlier one of that name. */
export function provideCodeFile(file: CodeFile): void {
  providedCodeFiles.set(file.name, file);
}

/** True if a file of this name has been provided. */
export function isCodeFileProvided(fileName: string): boolean {
  return providedCodeFiles.has(fileName);
}

/**
 * Finds a registered code file by name.
 * @param errorContext name of the option in errors.
 * @throws InputError if it has not been provided.
 */
export function findProvidedCode(fileName: string, errorContext: string): CodeFile {
  const file = providedCodeFiles.get(fileName);
  if (file !== undefined) return file;
  throw new InputError(
    `${errorContext}: ${fileName} is a file, and files are read for the command line and for studies only; give the function itself`,
  );
}

/** Columns of jobs by name, all of the same length. */
export type JobColumns = Readonly<Record<string, ArrayLike<number>>>;

/** Calls the function of a file for every row of some columns, and returns the results. */
export type UserFunctionCaller = (file: CodeFile, jobColumns: LoggedJobColumns) => Float64Array;

/** Columns of the jobs of a log. */
export interface LoggedJobColumns {
  /** Name of the log. */
  readonly logName: string;
  readonly count: number;
  readonly columns: JobColumns;
}

let userFunctionCaller: UserFunctionCaller | undefined;

/** Sets the function that calls code files which are not loaded in this thread. */
export function setUserFunctionCaller(caller: UserFunctionCaller): void {
  userFunctionCaller = caller;
}

/**
 * Calls the function of a code file for every row of some columns. If threads are available, the file is
 * loaded afresh, so that no state is left from earlier calls.
 * @throws FunctionError if it fails or hangs; InputError for a file that has not been read.
 */
export function callUserFunctionForRows(
  fileName: string,
  errorContext: string,
  jobColumns: LoggedJobColumns,
): Float64Array {
  const file = findProvidedCode(fileName, errorContext);
  if (userFunctionCaller !== undefined) return userFunctionCaller(file, jobColumns);
  return callUserFunctionAndCheckAnswers(file, file.exports?.default as (job: object) => unknown, jobColumns);
}

/**
 * Calls a user-written function for every row of some columns.
 * @throws FunctionError if it fails.
 */
export function callUserFunctionAndCheckAnswers(
  { name: file }: Pick<CodeFile, 'name'>,
  ask: (job: object) => unknown,
  { logName, count, columns }: LoggedJobColumns,
): Float64Array {
  const columnEntries = Object.entries(columns);
  return Float64Array.from({ length: count }, (_, row) => {
    try {
      return Number(ask(Object.fromEntries(columnEntries.map(([name, values]) => [name, values[row]!]))));
    } catch (error) {
      const job = columns.number?.[row];
      throw new FunctionError(
        `${logName}, job ${job}: the estimate of ${file} failed: ${describeThrownValue(error, file)}`,
      );
    }
  });
}
