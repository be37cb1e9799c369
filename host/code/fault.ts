/** What went wrong in a thread, as it is told to the one that started it. */
import { FunctionError, InputError, OutputError, thrownText } from '../errors.js';
import type { CodeFile } from '../options/providedCode.js';

const KINDS = { input: InputError, output: OutputError, function: FunctionError };

/** A sentence, and of what kind the error was. */
export interface Fault {
  readonly sentence: string;
  readonly kind: keyof typeof KINDS;
}

/**
 * An error as a fault.
 * @param code what has run in the thread.
 * @throws the error where it is of no kind that is told in a sentence.
 */
export function faultOf(error: unknown, code: readonly CodeFile[] = []): Fault {
  for (const [kind, Kind] of Object.entries(KINDS)) {
    if (error instanceof Kind) return { sentence: error.message, kind: kind as Fault['kind'] };
  }
  if (code.length === 0) throw error;
  return { sentence: endOf(code, error), kind: 'function' };
}

/** What a thread has ended by, as it is told: where code of the user's ran in it, that may have done anything. */
export function endedBy(error: unknown, code: readonly CodeFile[]): unknown {
  return code.length === 0 ? error : new FunctionError(endOf(code, error));
}

function endOf(code: readonly CodeFile[], error: unknown): string {
  const names = code.map(({ name }) => name).join(', ');
  return `${names}: the thread in which functions run has failed (${thrownText(error, '')}); a function must not end it, fail later than it answers, or change what JavaScript has built in`;
}

/** A fault as the error that it was. */
export function errorOf({ sentence, kind }: Fault): Error {
  return new KINDS[kind](sentence);
}
