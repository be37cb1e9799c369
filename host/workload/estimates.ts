/** Where estimated runtimes come from. */
import { InputError } from '../errors.js';
import { parseNotation, parseNumber, parseWholeNumber, printNotation, unknownName } from '../notation.js';
import { sourceName } from '../trace/quote.js';
import type { Workload } from './workload.js';

/** As requested in the log; exactly the runtime; that with random errors; what jobs of the same user took; or unknown. */
const ESTIMATE_SOURCES = ['trace', 'exact', 'uniform', 'normal', 'recent', 'none'] as const;

/** A source of estimates. */
export type Estimates =
  | { readonly source: 'trace' | 'exact' | 'none' }
  | {
      readonly source: 'recent';
      /** n: of how many jobs of the user that ended last it is the mean. */
      readonly n: number;
    }
  | {
      readonly source: 'uniform' | 'normal';
      /** r: errors lie in [-r, r] times the runtime. */
      readonly range: number;
      readonly seed: number;
    };

/**
 * A source from its notation: `trace`, `exact`, `none`, `uniform:0.2` or `normal:0.2`, with a seed behind another colon, or
 * `recent[n=2]`.
 * @throws InputError for another word, a range that is not above 0, or one that could make estimates negative.
 * @example
 * console.log(parseEstimates('uniform:0.2:7').seed); // 7
 */
export function parseEstimates(text: string): Estimates {
  if (/^recent\b/.test(text)) return parseRecent(text);
  const [source, range, seed, ...more] = text.split(':');
  if (!(ESTIMATE_SOURCES as readonly string[]).includes(source)) {
    throw unknownName('source of estimates', source, ESTIMATE_SOURCES);
  }
  if (source === 'trace' || source === 'exact' || source === 'none') {
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

function parseRecent(text: string): Estimates {
  const { name, parameters } = parseNotation(text);
  if (name !== 'recent') throw unknownName('source of estimates', name, ESTIMATE_SOURCES);
  for (const parameter of parameters.keys()) {
    if (parameter !== 'n') throw unknownName('parameter of recent', parameter, ['n']);
  }
  const n = parseWholeNumber(parameters.get('n') ?? '2', 'n of recent', { atLeast: 1, atMost: 999_999 });
  return { source: 'recent', n };
}

/** A source in its notation. */
export function printEstimates(estimates: Estimates): string {
  if (estimates.source === 'recent') return printNotation('recent', [['n', estimates.n]]);
  if (!('range' in estimates)) return estimates.source;
  const { source, range, seed } = estimates;
  return `${source}:${range}:${seed}`;
}

/** That the runtime stands in for some of the estimates of a workload, in a sentence; undefined when they are all there. */
export function missingEstimates({
  name,
  accounting,
}: Pick<Workload, 'name' | 'accounting'>): string | undefined {
  const { withoutEstimate, kept } = accounting;
  // Plans of older versions say nothing of it.
  if (!(withoutEstimate > 0)) return undefined;
  return `${sourceName(name)}: ${withoutEstimate} of ${kept} jobs request no time; their runtime stands in as the estimate`;
}

/**
 * Refuses a workload in which no job requests a time, for a run that decides by requested times.
 * @param remedy what to do, in the words of who asks.
 * @throws InputError with what to do.
 */
export function requireEstimates(
  { name, accounting }: Pick<Workload, 'name' | 'accounting'>,
  remedy = 'use --estimates exact',
): void {
  const { withoutEstimate, kept } = accounting;
  if (withoutEstimate === 0 || withoutEstimate < kept) return;
  throw new InputError(
    `${sourceName(name)}: none of the ${kept} jobs requests a time (field 9, requestedTime), by which this run decides; ${remedy}`,
  );
}
