/**
 * Bad input or wrong usage. The message is one sentence for a person: where (file, line, field),
 * what was found, what was expected, what to do. The command line prints it and exits with 2.
 */
export class InputError extends Error {
  override readonly name = 'InputError';
}

/** A packed log that ends early or does not unpack: what was read before is text of the log all the same. */
export class DamagedLogError extends InputError {}

/** Jobs that request no times, for a run that decides by requested times. */
export class MissingEstimatesError extends InputError {}

/** Results that could not be written, through no fault of the input: a full disk, a device error. Exit code 1. */
export class OutputError extends Error {
  override readonly name = 'OutputError';
}

/**
 * A function of the user's, an order or a policy, that threw, gave what it may not, or did not end: a sentence with its
 * name, the job and the time; and a command of the user's that did not do what it was to. Exit code 1.
 */
export class FunctionError extends Error {
  override readonly name = 'FunctionError';
}

/**
 * Describes what a user's function has thrown, with the line of its file if known. Reading a thrown value may itself
 * fail.
 */
export function describeThrownValue(error: unknown, file: string): string {
  try {
    if (!(error instanceof Error)) return `it throws ${describeReturnedValue(error)}`;
    const line = error.stack
      ?.split('\n')
      .map((stackLine) => stackLine.split(`${file}:`)[1])
      .find((place) => place !== undefined);
    return line === undefined ? `${error.message}` : `${error.message} (line ${Number.parseInt(line, 10)})`;
  } catch {
    return 'it throws a value that cannot be inspected';
  }
}

/** Describes what a user's function has returned, without calling anything in it. */
export function describeReturnedValue(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return `'${value}'`;
    case 'bigint':
      return `${value}n`;
    case 'function':
      return 'a function';
    case 'object':
      return value === null ? 'null' : 'an object';
  }
  return String(value);
}

/** Reason for a failed write if the disk or quota is full; else undefined. */
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

/** An InputError with the place in front; other errors as they are. */
export function prefixErrorWithLocation(error: unknown, place: string): unknown {
  return error instanceof InputError ? new InputError(`${place}: ${error.message}`) : error;
}
