/**
 * Bad input or wrong usage. The message is one sentence for a person: where (file, line, field),
 * what was found, what was expected, what to do. The command line prints it and exits with 2.
 */
export class InputError extends Error {
  override readonly name = 'InputError';
}

/** Results that could not be written, through no fault of what was asked for: a full disk, a device error. Exit code 1. */
export class OutputError extends Error {
  override readonly name = 'OutputError';
}
