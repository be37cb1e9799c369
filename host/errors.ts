/**
 * Error for bad input or wrong usage. The message is one sentence for users: where (file, line, field), what
 * was found, what was expected, what to do. The command line prints it and exits with code 2.
 */
export class InputError extends Error {
  override readonly name = 'InputError';
}

/** Error for a compressed log that is truncated or damaged; the text read before is still valid. */
export class DamagedLogError extends InputError {}

/** Error for jobs without requested times in a run that needs them. */
export class MissingEstimatesError extends InputError {}

/**
 * Error for results that could not be written although the input is valid: full disk, device error. Exit code
 * 1.
 */
export class OutputError extends Error {
  override readonly name = 'OutputError';
}

/**
 * Error for a user-written function that threw, returned an invalid value or hung (with its name, the job and
 * the time), or for a user's command that failed. Exit code 1.
 */
export class FunctionError extends Error {
  override readonly name = 'FunctionError';
}

/**
 * Describes an error thrown by a user-written function, with the line in its file if known. Reading a thrown
 * value may itself fail.
 */
export function describeThrownValue(error: unknown, file: string): string {
  try {
    if (!(error instanceof Error)) return `it throws ${describeReturnedValue(error)}`;
    const line = error.stack
      ?.split('\n')
      .map((stackLine) => stackLine.split(`${file}:`)[1])
      .find((lineAndColumn) => lineAndColumn !== undefined);
    return line === undefined ? `${error.message}` : `${error.message} (line ${Number.parseInt(line, 10)})`;
  } catch {
    return 'it throws a value that cannot be inspected';
  }
}

/** Describes a value returned by a user-written function, without calling any of its methods. */
export function describeReturnedValue(returnedValue: unknown): string {
  switch (typeof returnedValue) {
    case 'string':
      return `'${returnedValue}'`;
    case 'bigint':
      return `${returnedValue}n`;
    case 'function':
      return 'a function';
    case 'object':
      return returnedValue === null ? 'null' : 'an object';
  }
  return String(returnedValue);
}

/** Reason for a failed write if the disk or quota is full; otherwise undefined. */
export function describeFullDiskError(error: unknown): string | undefined {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOSPC':
      return 'the disk is full';
    case 'EDQUOT':
      return 'the disk quota of this user is used up';
    case 'EFBIG':
      return 'it would exceed the limit on the size of files';
  }
  return undefined;
}

/** Adds a location to the front of an InputError; other errors are returned unchanged. */
export function prefixErrorWithLocation(error: unknown, location: string): unknown {
  return error instanceof InputError ? new InputError(`${location}: ${error.message}`) : error;
}
