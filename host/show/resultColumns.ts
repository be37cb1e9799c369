/** Results of comparisons, replications and sweeps as typed arrays. */
import { checkGiven } from '../given.js';
import type { Comparison, Replicates, Sweep } from '../runs/compare.js';
import { valueAt } from '../study/results.js';
import { type GivenColumn, settingTable } from './settingTable.js';

/** Columns by name, each with an entry per row: numbers as typed arrays, texts as lists, in which null is unknown. */
export type ResultColumns = Readonly<Record<string, Float64Array | Int32Array | readonly (string | null)[]>>;

/**
 * What `compare`, `replications` and `sweep` give, as columns for Arrow and data frame libraries, which take the typed arrays without
 * a copy. Metrics are `Float64Array`, in their units; NaN is unknown.
 *
 * A row is one replication (`replication`, numbered from 1); in a comparison, one replication of one method (`method`); in a sweep, one
 * simulation, with the columns of results.csv.
 * @throws InputError for anything else.
 * @example
 * const columns = resultColumns(await replications('lublin99[jobs=200]', { sites: [128], replications: 5, threads: 1 }));
 * console.log(columns.replication.join(), columns.meanWait.map(Math.round).join()); // 1,2,3,4,5 17624,39031,82900,72145,25250
 */
export function resultColumns(result: Comparison | Replicates | Sweep): ResultColumns {
  checkGiven(result, 'result', 'resultColumns');
  if ('plan' in result) return sweepColumns(result);
  return 'names' in result ? comparisonColumns(result) : replicationColumns(result);
}

function replicationColumns({ replications, metrics }: Replicates): ResultColumns {
  return {
    replication: numbersUpTo(replications),
    ...Object.fromEntries(metrics.map(({ name, values }) => [name, Float64Array.from(values)])),
  };
}

function comparisonColumns({ replications, metrics, names }: Comparison): ResultColumns {
  return {
    method: names.flatMap((name) => Array<string>(replications).fill(name)),
    replication: Int32Array.from(names.flatMap(() => [...numbersUpTo(replications)])),
    ...Object.fromEntries(metrics.map(({ name, values }) => [name, Float64Array.from(values.flat())])),
  };
}

/** 1, 2, ... up to a number. */
function numbersUpTo(count: number): Int32Array {
  return Int32Array.from({ length: count }, (_, i) => i + 1);
}

function sweepColumns({ study, plan, results }: Sweep): ResultColumns {
  const table = settingTable(study, plan, results);
  const { runs, sites } = table;
  const given = table.given.map((column) => [column.name, givenValues(column)] as const);
  const metrics = table.metrics.map(({ name, positions }) => {
    const value = (run: number, row: number) => valueAt(table.results, run, positions[sites[row]!]!);
    return [name, Float64Array.from(runs, value)] as const;
  });
  return Object.fromEntries([...given, ...metrics]);
}

/** Numbers where there is no text: whole ones as such where it may count and none is unknown. */
function givenValues({ isCount, distinct, places }: GivenColumn): ResultColumns[string] {
  if (distinct.some((value) => typeof value === 'string')) {
    const texts = distinct.map((value) => (value === null ? null : String(value)));
    return Array.from(places, (place) => texts[place]!);
  }
  const numbers = distinct.map((value) => (value === null ? Number.NaN : Number(value)));
  const values = Float64Array.from(places, (place) => numbers[place]!);
  const areWhole = isCount && numbers.every((value) => (value | 0) === value);
  return areWhole ? Int32Array.from(values) : values;
}
