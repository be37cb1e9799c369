/** All metrics of some methods as one table: a row for each metric, a column for each method. */
import type { Bounds } from '../draw/figureModel.js';
import type { Metric } from '../simulate/metric.js';
import type { MeanEstimate } from '../statistics/interval.js';
import type { Table, TableCell } from './table.js';

/** A metric of each method: a value, or the mean over replications with its interval. */
export interface MetricRow {
  readonly metric: Metric;
  readonly values: readonly (number | MeanEstimate)[];
}

const cellOf = (value: number | MeanEstimate): TableCell =>
  typeof value === 'number' ? value : { value: value.mean, low: value.low, high: value.high };

/** The table of all metrics; shares stand as such, and not in percent. */
export function metricsTable(
  names: readonly string[],
  rows: readonly MetricRow[],
  caption: string,
  bounds: Bounds = 'interval',
): Table {
  return {
    id: 'metrics',
    title: 'All metrics',
    caption,
    columns: [
      { title: 'metric', isHeading: true },
      { title: 'unit' },
      ...names.map((title) => ({ title, format: { style: 'measure' } as const })),
    ],
    rows: rows.map(({ metric: { label, unit = '' }, values }) => [label, unit, ...values.map(cellOf)]),
    bounds,
  };
}
