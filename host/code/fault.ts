/** What went wrong in a thread, as it is told to the one that started it. */
import { FunctionError, InputError, OutputError } from '../errors.js';

const KINDS = { input: InputError, output: OutputError, function: FunctionError };

/** A sentence, and of what kind the error was. */
export interface Fault {
  readonly sentence: string;
  readonly kind: keyof typeof KINDS;
}

/**
 * An error as a fault.
 * @throws the error where it is of no kind that is told in a sentence.
 */
export function faultOf(error: unknown): Fault {
  for (const [kind, Kind] of Object.entries(KINDS)) {
    if (error instanceof Kind) return { sentence: error.message, kind: kind as Fault['kind'] };
  }
  throw error;
}

/** A fault as the error that it was. */
export function errorOf({ sentence, kind }: Fault): Error {
  return new KINDS[kind](sentence);
}
