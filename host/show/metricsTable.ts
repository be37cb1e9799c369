/** All metrics of some methods as one table: a row for each metric, a column for each method. */
import type { Bounds } from '../draw/figureModel.js';
import type { Configuration } from '../options/configuration.js';
import type { NamedMetric } from '../simulate/metric.js';
import { hasMetric } from '../simulate/metricValues.js';
import type { MeanEstimate } from '../statistics/interval.js';
import type { Table, TableCell } from './table.js';

/** A metric of each method: a value, or the mean over replications with its interval. */
export interface MetricRow {
  readonly metric: NamedMetric;
  readonly values: readonly (number | MeanEstimate)[];
}

const cellOf = (value: number | MeanEstimate): TableCell =>
  typeof value === 'number' ? value : { value: value.mean, low: value.low, high: value.high };

/** The table of all metrics; shares stand as such, and not in percent, and a dash where a method has none. */
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
