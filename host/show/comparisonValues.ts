/** The raw values of a comparison as a file: one line for each method and replication. */
import { csvLine } from '../results/csv.js';

/** The file of the raw values. */
export const VALUES_FILE = 'values.csv';

/** Values of one metric by method, then by replication. */
export interface NamedValues {
  readonly name: string;
  readonly values: readonly (readonly number[])[];
}

/** What stands in the place of replications, by name. */
export interface Counted {
  readonly heading: string;
  readonly names: readonly string[];
}

/**
 * The lines of values.csv: the method, the replication from 1 or what stands in its place, and the metrics; empty where there
 * is no value.
 */
export function* valueLines(
  names: readonly string[],
  metrics: readonly NamedValues[],
  counted?: Counted,
): Generator<string> {
  yield csvLine(['method', counted?.heading ?? 'replication', ...metrics.map(({ name }) => name)]);
  const replications = metrics[0]?.values[0]?.length ?? 0;
  for (const [method, name] of names.entries())
    for (let replication = 0; replication < replications; replication++) {
      const values = metrics.map(({ values: all }) => all[method]![replication] ?? Number.NaN);
      yield csvLine([
        name,
        counted?.names[replication] ?? replication + 1,
        ...values.map((value) => (Number.isNaN(value) ? null : value)),
      ]);
    }
}
