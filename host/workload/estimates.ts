/** Where estimated runtimes come from. */
import { InputError } from '../errors.js';
import { parseNumber, parseWholeNumber, unknownName } from '../notation.js';
import { sourceName } from '../trace/quote.js';
import type { Trace } from '../trace/trace.js';

/** As requested in the log; exactly the runtime; or the runtime with random errors. */
export const ESTIMATE_SOURCES = ['trace', 'exact', 'uniform', 'normal'] as const;

/** A source of estimates. */
export type Estimates =
  | { readonly source: 'trace' | 'exact' }
  | {
      readonly source: 'uniform' | 'normal';
      /** r: errors lie in [-r, r] times the runtime. */
      readonly range: number;
      readonly seed: number;
    };

/**
 * A source from its notation: `trace`, `exact`, `uniform:0.2` or `normal:0.2`, with a seed behind another colon.
 * @throws InputError for another word, a range that is not above 0, or one that could make estimates negative.
 */
export function parseEstimates(text: string): Estimates {
  const [source, range, seed, ...more] = text.split(':');
  if (!(ESTIMATE_SOURCES as readonly string[]).includes(source)) {
    throw unknownName('source of estimates', source, ESTIMATE_SOURCES);
  }
  if (source === 'trace' || source === 'exact') {
    if (range !== undefined) throw new InputError(`estimates '${text}': ${source} takes no error range`);
    return { source };
  }
  if (range === undefined || more.length > 0) {
    throw new InputError(
      `estimates '${text}': expected an error range, such as ${source}:0.2 or ${source}:0.2:7`,
    );
  }
  const what = `error range of the estimates '${text}'`;
  const value = parseNumber(range, what, { above: 0 });
  // Normal errors are cut at the range, and the paper has one of 100 %; uniform ones stay below it.
  if (source === 'uniform' ? value >= 1 : value > 1) {
    const most = source === 'uniform' ? 'less than 1' : 'at most 1';
    throw new InputError(`${what}: expected ${most}, since a runtime cannot be negative, found ${range}`);
  }
  return {
    source: source as 'uniform' | 'normal',
    range: value,
    seed: seed === undefined ? 1 : parseWholeNumber(seed, `seed of the estimates '${text}'`),
  };
}

/** Records of a log that request no time; their runtime stands in as the estimate. */
export function missingEstimates({ columns }: Trace): number {
  return columns.requestedTime.reduce((sum, time) => sum + Number(!(time > 0)), 0);
}

/**
 * Refuses a log in which no record requests a time, or not all do, for a run that decides by requested times. (The
 * runtime stands in where one is missing.)
 * @throws InputError with how many are missing.
 */
export function requireEstimates(trace: Trace, ofAll: boolean): void {
  const { source, count } = trace;
  const missing = missingEstimates(trace);
  if (ofAll ? missing === 0 : missing < count) return;
  throw new InputError(
    `${sourceName(source)}: ${missing} of ${count} records request no time (field 9, requestedTime), by which this run decides; use --estimates exact, or filter them out of the log`,
  );
}
