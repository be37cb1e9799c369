/** What went wrong in a thread, as it is told to the one that started it. */
import { FunctionError, InputError } from '../errors.js';

/** A sentence, and whether a function of the user's has failed, or input is wrong. */
export interface Fault {
  readonly sentence: string;
  readonly isOfFunction: boolean;
}

/**
 * An error as a fault.
 * @throws the error where it is neither an InputError nor a FunctionError.
 */
export function faultOf(error: unknown): Fault {
  const isOfFunction = error instanceof FunctionError;
  if (!isOfFunction && !(error instanceof InputError)) throw error;
  return { sentence: error.message, isOfFunction };
}

/** A fault as the error that it was. */
export function errorOf({ sentence, isOfFunction }: Fault): Error {
  return isOfFunction ? new FunctionError(sentence) : new InputError(sentence);
}
