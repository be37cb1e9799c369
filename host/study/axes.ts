/** The axes of a study as its file writes them: lists, labels with values, ranges, permutations. */
import { InputError } from '../errors.js';
import { formatNumber } from '../format/numbers.js';
import type { Axis, Label } from './definition.js';
import type { RawAxes } from './schema.js';

/**
 * An axis with all its labels written out.
 * @param placeOf where the value at a key stands, for errors.
 * @throws InputError for a range or permutations of too many values, or none.
 */
export function axisFrom(
  name: string,
  values: RawAxes[string],
  placeOf: (key: string | number) => string,
): Axis {
  const entry = (label: Label, text: Label, place: string) => ({ label, text: String(text), place });
  const [, permuted] = /^permutations\[(.+)\]$/.exec(String(values)) ?? [];
  if (permuted !== undefined) {
    const place = placeOf(0);
    return { name, entries: permutations(permuted, place).map((text) => entry(text, text, place)) };
  }
  if (typeof values === 'string') {
    const place = placeOf(0);
    return { name, entries: range(values, place).map((label) => entry(label, label, place)) };
  }
  if (Array.isArray(values)) {
    return { name, entries: (values as Label[]).map((label, i) => entry(label, label, placeOf(i))) };
  }
  return { name, entries: Object.entries(values).map(([label, text]) => entry(label, text, placeOf(label))) };
}

/** More labels of one axis would be more settings than any study may have. */
const MOST_LABELS = 1_000_000;

/** The numbers of `first..last` or `first..last:step`, in whole multiples of the step from the first on. */
function range(text: string, place: string): number[] {
  const [bounds, width = '1'] = text.split(':');
  const [first, last] = bounds.split('..').map(Number);
  const step = Number(width);
  const isWhole = text.includes(':') || (Number.isSafeInteger(first) && Number.isSafeInteger(last));
  if (![first, last].every(Number.isFinite) || !(step > 0) || !isWhole) {
    throw new InputError(
      `${place}: ${text} is no range; expected whole numbers such as 1..10, or a step above 0 as in 0.5..0.9:0.1`,
    );
  }
  // Numbers such as 0.1 are not exact, so the last may be missed by little.
  const count = Math.floor(Math.abs(last - first) / step + 1e-9) + 1;
  if (!(count <= MOST_LABELS)) {
    throw new InputError(
      `${place}: ${text} are ${formatNumber(count)} values; expected at most ${formatNumber(MOST_LABELS)}`,
    );
  }
  const decimals = Math.max(...[first, step].map((value) => (String(value).split('.')[1] ?? '').length));
  const direction = first <= last ? step : -step;
  return Array.from({ length: count }, (_, i) => Number((first + direction * i).toFixed(decimals)));
}

/** More would be millions of settings. */
const MOST_PERMUTED = 8;

/** The distinct orders of numbers separated by commas, in lexicographic order of their places in the list. */
function permutations(list: string, place: string): string[] {
  const values = list.split(',').map((value) => value.trim());
  if (values.length > MOST_PERMUTED) {
    throw new InputError(
      `${place}: permutations of ${values.length} values are too many; expected at most ${MOST_PERMUTED} values`,
    );
  }
  const orders = (rest: readonly string[]): string[][] =>
    rest.length === 0
      ? [[]]
      : rest.flatMap((first, i) => orders(rest.toSpliced(i, 1)).map((order) => [first, ...order]));
  return [...new Set(orders(values).map((order) => order.join(',')))];
}
