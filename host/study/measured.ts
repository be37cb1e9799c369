/** A number of a study, over replications: how sure it is, and how far it is from another. */
import { bootstrapRanks, resampledCounts } from '../statistics/bootstrap.js';
import { estimateMean } from '../statistics/interval.js';
import { pairedDifference } from '../statistics/methods.js';
import type { Draws } from './definition.js';
import type { Transformation, Values } from './steps.js';

/** A number of a measure; with several replications how sure it is, or how far they scatter. */
export interface MeasuredValue {
  readonly value: number;
  /** Bounds of the 95 % interval, or the least and greatest of single replications: as the study says. */
  readonly low?: number;
  readonly high?: number;
  /** By replication, where there are several. */
  readonly draws?: readonly number[];
  /** Of resampled replications, where the value is not the mean of those of the replications. */
  readonly resamples?: readonly number[];
}

/** Resamples of whole measures; one less than a multiple of 40, so that bounds are order statistics. */
const RESAMPLES = 999;

/** The mean of each cell over tables; cells without a value in some have the mean of the others. */
export function meanOf(tables: readonly Values[]): number[] {
  return Array.from({ length: tables[0].length }, (_, cell) => {
    let sum = 0;
    let count = 0;
    for (const table of tables) {
      if (Number.isNaN(table[cell])) continue;
      sum += table[cell];
      count++;
    }
    return sum / count;
  });
}

/** The bounds of what replications say of a cell. */
function boundsOf(
  { value, draws = [], resamples }: Pick<MeasuredValue, 'value' | 'draws' | 'resamples'>,
  shows: Draws['shows'],
): { low: number; high: number } {
  if (shows === 'range' || draws.some(Number.isNaN)) {
    return { low: Math.min(...draws), high: Math.max(...draws) };
  }
  if (resamples !== undefined) {
    // Resampled means are less extreme than single ones, so that the value of a minimum may lie beyond all of theirs.
    const { low, high } = bootstrapRanks(resamples);
    return { low: Math.min(low, value), high: Math.max(high, value) };
  }
  const { low, high } = estimateMean(draws);
  return { low, high };
}

/** What the steps of a measure make of replications: values, the values of each, and their bounds. */
export function measuredValues(
  tables: readonly Values[],
  { apply, isLinear }: Transformation,
  { average, shows }: Pick<Draws, 'average' | 'shows'>,
): MeasuredValue[] {
  const single = tables.map(apply);
  const isMeanOfSingle = average === 'after';
  const values = isMeanOfSingle ? meanOf(single) : apply(meanOf(tables));
  const cells = Array.from(values);
  if (tables.length < 2) return cells.map((value) => ({ value }));
  const isResampled = shows === 'interval' && !isMeanOfSingle && !isLinear;
  const resampled = isResampled
    ? resampledCounts(tables.length, RESAMPLES).map((counts) => apply(weighted(tables, counts)))
    : [];
  return cells.map((value, cell) => {
    const draws = single.map((table) => table[cell]);
    const known = isResampled ? { draws, resamples: resampled.map((table) => table[cell]) } : { draws };
    return { value, ...known, ...boundsOf({ value, ...known }, shows) };
  });
}

/** The mean of tables, each taken so often. */
function weighted(tables: readonly Values[], counts: ArrayLike<number>): Float64Array {
  const sums = new Float64Array(tables[0].length);
  tables.forEach((table, i) => {
    const weight = counts[i] / tables.length;
    if (weight > 0) for (let cell = 0; cell < sums.length; cell++) sums[cell] += weight * table[cell];
  });
  return sums;
}

/** How far a value is from another of the same measure, on the same replications. */
export function differenceOf(
  own: MeasuredValue,
  other: MeasuredValue,
  shows: Draws['shows'] = 'interval',
): MeasuredValue {
  const value = own.value - other.value;
  if (own.draws === undefined || other.draws === undefined) return { value };
  const others = other.draws;
  const draws = own.draws.map((each, i) => each - others[i]);
  if (own.resamples !== undefined && other.resamples !== undefined) {
    const theirs = other.resamples;
    const resamples = own.resamples.map((each, i) => each - theirs[i]);
    return { value, draws, resamples, ...boundsOf({ value, draws, resamples }, shows) };
  }
  if (shows === 'range' || draws.some(Number.isNaN))
    return { value, draws, ...boundsOf({ value, draws }, 'range') };
  const { low, high } = pairedDifference(own.draws, others);
  return { value, draws, low, high };
}

/** The sum of values of a measure. */
export function sumOf(values: readonly MeasuredValue[], shows: Draws['shows']): MeasuredValue | undefined {
  if (values.length === 0) return undefined;
  const total = (of: (value: MeasuredValue) => number) => values.reduce((sum, each) => sum + of(each), 0);
  const value = total((each) => each.value);
  const sums = (name: 'draws' | 'resamples') =>
    values[0][name]?.map((_, i) => total((each) => each[name]?.[i] ?? 0));
  const [draws, resamples] = [sums('draws'), sums('resamples')];
  if (draws === undefined) return { value };
  const known = resamples === undefined ? { draws } : { draws, resamples };
  return { value, ...known, ...boundsOf({ value, ...known }, shows) };
}
