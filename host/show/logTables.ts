/** What methods came to on each of several logs, as tables. */

import { capitalized } from '../format/numbers.js';
import type { MeasuredLog } from '../runs/comparison.js';
import { metricId } from '../simulate/jobMetrics.js';
import type { NamedMetric } from '../simulate/metric.js';
import { clearlyBest } from '../statistics/oneSample.js';
import type { Table, TableColumn } from './table.js';

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
