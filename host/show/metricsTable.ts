/** Metrics of some methods as tables: a row for each metric and a column for each method, or a row for each of several logs; and as CSV. */
import type { Bounds } from '../draw/figureModel.js';
import { capitalized } from '../format/numbers.js';
import type { Configuration } from '../options/configuration.js';
import { csvLine } from '../results/csv.js';
import type { MeasuredLog } from '../runs/comparison.js';
import { metricId } from '../simulate/jobMetrics.js';
import type { NamedMetric } from '../simulate/metrics.js';
import { hasMetric } from '../simulate/summary.js';
import type { MeanEstimate } from '../statistics/interval.js';
import { clearlyBest } from '../statistics/samples.js';
import { cellOf, type Table, type TableColumn } from './table.js';

/** A metric of each method: a value, or the mean over replications with its interval. */
export interface MetricRow {
  readonly metric: NamedMetric;
  readonly values: readonly (number | MeanEstimate)[];
}

/** The table of all metrics; shares are as such, and not in percent, and a dash where a method has none. */
export function metricsTable(
  names: readonly string[],
  configurations: readonly Pick<Configuration, 'reservations'>[] | undefined,
  rows: readonly MetricRow[],
  caption: string,
  bounds: Bounds = 'interval',
): Table {
  const isThere = (metric: NamedMetric, method: number) =>
    configurations === undefined || hasMetric(metric, configurations[method]!);
  return {
    id: 'metrics',
    title: 'All metrics',
    caption,
    columns: [
      { title: 'metric', isHeading: true },
      { title: 'unit' },
      ...names.map((title) => ({ title, format: { style: 'measure' } as const })),
    ],
    rows: rows.map(({ metric, values }) => {
      const cells = values.map((value, i) => (isThere(metric, i) ? cellOf(value) : null));
      return [metric.label, metric.unit ?? '', ...cells];
    }),
    bounds,
  };
}

// What methods came to on each of several logs, as tables.

/**
 * A table for each metric, with a row for each log and a column for each method; the best value of each log is marked.
 * @param names those of the methods.
 */
export function logTables(
  logs: readonly MeasuredLog[],
  metrics: readonly NamedMetric[],
  names: readonly string[],
): Table[] {
  const format = { style: 'measure' } as const;
  return metrics.map((metric, i): Table => {
    const unit = metric.unit === undefined ? '' : ` [${metric.unit}]`;
    return {
      id: `${metricId(metric.name)}-by-log`,
      title: `${capitalized(metric.label)} on each log${unit}`,
      caption: 'Bold: far ahead of all others on this log; smaller differences may be chance.',
      columns: [
        { title: 'log', isHeading: true },
        { title: 'jobs', format: { style: 'fixed' } },
        { title: 'processors', format: { style: 'fixed' } },
        ...names.map((title): TableColumn => ({ title, format })),
      ],
      rows: logs.map(({ name, jobs, processors, values }) => {
        const best = clearlyBest(values[i]!, metric.better ?? 'less', metric.name);
        const cells = values[i]!.map((value, method) => ({ value, isEmphasized: method === best }));
        return [name, jobs, processors, ...cells];
      }),
    };
  });
}

// The raw values of a comparison as a file: one line for each method and replication.

/** The file of the raw values. */
export const VALUES_FILE = 'values.csv';

/** Values of one metric by method, then by replication. */
export interface NamedValues {
  readonly name: string;
  readonly values: readonly (readonly number[])[];
}

/** What is in the place of replications, by name. */
export interface Counted {
  readonly heading: string;
  readonly names: readonly string[];
}

/**
 * The lines of values.csv: the method, the replication from 1 or what is in its place, and the metrics; empty where there
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
