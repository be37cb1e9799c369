/** Metrics of some methods as tables: a row for each metric and a column for each method, or a row for each of several logs; and as CSV. */
import type { Bounds } from '../draw/figureModel.js';
import { csvLine } from '../format/csv.js';
import { capitalized } from '../format/numbers.js';
import { firstOf } from '../lists.js';
import type { Configuration } from '../options/configuration.js';
import type { JudgedComparison, JudgedMetric, MeasuredLog } from '../runs/comparison.js';
import { metricId } from '../simulate/jobMetrics.js';
import type { NamedMetric } from '../simulate/metric.js';
import { hasMetric } from '../simulate/summary.js';
import type { MeanEstimate } from '../statistics/interval.js';
import { clearlyBest, meanBounds, meansOver } from '../statistics/samples.js';
import { cellOf, type DetailedCell, type Table, type TableColumn } from '../view/table.js';
import { signOf } from './verdictText.js';

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

// Methods on each of several logs, as tables.

/** Caption on the values of a metric on each log. */
function captionOnLogs(ofLogs: readonly JudgedComparison[] | undefined): string {
  if (ofLogs === undefined)
    return 'Bold: far ahead of all others on this log; smaller differences may be chance.';
  const { population, replications } = firstOf(ofLogs);
  const over = `${meansOver(population, replications)}, on each log by itself`;
  const isJudged = ofLogs.some(({ metrics }) => metrics.some(({ judgement }) => judgement.isJudged));
  return isJudged ? `${over}; verdicts are by the replications of that log.` : `${over}.`;
}

/** The value of a method on a log judged by its own replications: a mean with its interval and verdict. */
function cellOnLog({ estimates, judgement }: JudgedMetric, method: number): DetailedCell {
  const { mean, low, high } = estimates[method]!;
  const sign = signOf(judgement.methods[method]!, judgement);
  return { value: mean, low, high, ...(sign === undefined ? {} : { sign }) };
}

/**
 * A table for each metric, with a row for each log and a column for each method: the value, of which the best is marked where it
 * is far ahead; with replications the mean, its interval and the verdict on that log.
 * @param names those of the methods.
 * @param ofLogs the methods judged on each log by its own replications, if there are some.
 */
export function logTables(
  logs: readonly MeasuredLog[],
  metrics: readonly NamedMetric[],
  names: readonly string[],
  ofLogs?: readonly JudgedComparison[],
): Table[] {
  const format = { style: 'measure' } as const;
  return metrics.map((metric, i): Table => {
    const unit = metric.unit === undefined ? '' : ` [${metric.unit}]`;
    return {
      id: `${metricId(metric.name)}-by-log`,
      title: `${capitalized(metric.label)} on each log${unit}`,
      caption: captionOnLogs(ofLogs),
      columns: [
        { title: 'log', isHeading: true },
        { title: 'jobs', format: { style: 'fixed' } },
        { title: 'processors', format: { style: 'fixed' } },
        ...names.map((title): TableColumn => ({ title, format })),
      ],
      rows: logs.map(({ name, jobs, processors, values }, log) => {
        const judged = ofLogs?.[log]?.metrics[i];
        const best = clearlyBest(values[i]!, metric.better ?? 'less', metric);
        const cells = values[i]!.map((value, method) =>
          judged === undefined ? { value, isEmphasized: method === best } : cellOnLog(judged, method),
        );
        return [name, jobs, processors, ...cells];
      }),
      ...(ofLogs === undefined
        ? {}
        : { bounds: meanBounds(firstOf(ofLogs).population, firstOf(ofLogs).replications) }),
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

/** Column headings and cells that replace the number of replications. */
export interface Counted {
  readonly headings: readonly string[];
  readonly lines: readonly (readonly (string | number)[])[];
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
  yield csvLine(['method', ...(counted?.headings ?? ['replication']), ...metrics.map(({ name }) => name)]);
  const count = metrics[0]?.values[0]?.length ?? 0;
  for (const [method, name] of names.entries())
    for (let line = 0; line < count; line++) {
      const values = metrics.map(({ values: all }) => all[method]![line] ?? Number.NaN);
      yield csvLine([
        name,
        ...(counted?.lines[line] ?? [line + 1]),
        ...values.map((value) => (Number.isNaN(value) ? null : value)),
      ]);
    }
}
