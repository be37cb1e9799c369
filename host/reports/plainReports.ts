/** Reports of methods on the unperturbed jobs, and of one method over replications. */
import type { Figure } from '../draw/figureModel.js';
import { capitalized, countOf, formatDuration, formatNumber, valueText } from '../format/numbers.js';
import { firstOf } from '../lists.js';
import type { Configuration } from '../options/configuration.js';
import type { EstimatedMetric } from '../runs/comparison.js';
import { metricId } from '../simulate/jobMetrics.js';
import type { NamedMetric } from '../simulate/metric.js';
import { hasMetric } from '../simulate/summary.js';
import type { Population } from '../statistics/population.js';
import { intervalName, meanBounds, meansOver, ONE_SAMPLE, warningsOf } from '../statistics/samples.js';
import { type Report, reportOf } from '../view/report.js';
import type { Table, TableColumn } from '../view/table.js';
import { type ComparisonFacts, comparisonFiles, titleOfMethods } from './comparisonReport.js';
import { type MetricRow, metricsTable, type NamedValues } from './metricsTable.js';

type Common = Pick<
  ComparisonFacts,
  'names' | 'setting' | 'workload' | 'jobs' | 'commands' | 'environment'
> & {
  /** Absent where all methods have all the metrics. */
  readonly configurations?: readonly Pick<Configuration, 'reservations'>[];
};

/** A metric with its values by method. */
type ValuedMetric = NamedMetric & NamedValues;

/** Methods on the unperturbed jobs, with all metrics. */
export interface PlainFacts extends Common {
  readonly metrics: readonly ValuedMetric[];
  /** The requested metrics, which are in the first table and drawn. */
  readonly requestedMetrics: readonly ValuedMetric[];
  /** Tables that follow those of the metrics. */
  readonly more: readonly Table[];
}

/** The metrics of the first table, and those that are drawn. */
const SHOWN = ['averageResponseTime', 'meanWait', 'meanBoundedSlowdown', 'averageQueueLength', 'utilization'];
const DRAWN = ['averageResponseTime', 'meanBoundedSlowdown'];

const named = (metrics: PlainFacts['metrics'], names: readonly string[]) =>
  metrics.filter(({ name }) => names.includes(name));

/** A metric of a method; null where it has none. */
function valueIn({ configurations }: PlainFacts, metric: ValuedMetric, method: number): number | null {
  const hasValue = configurations === undefined || hasMetric(metric, configurations[method]!);
  return hasValue ? firstOf(metric.values[method]!) : null;
}

function methodsTable(facts: PlainFacts): Table {
  const { names, metrics, requestedMetrics } = facts;
  const shown = requestedMetrics.length > 0 ? requestedMetrics : named(metrics, SHOWN);
  const columns = shown.map(
    ({ label, unit, format }): TableColumn => ({
      title: label,
      format,
      ...(unit === undefined ? {} : { unit }),
    }),
  );
  return {
    id: 'methods',
    title: 'Methods',
    caption: ONE_SAMPLE,
    columns: [{ title: 'method', isHeading: true }, ...columns],
    rows: names.map((name, method) => [name, ...shown.map((metric) => valueIn(facts, metric, method))]),
  };
}

function valueFigure(facts: PlainFacts, metric: ValuedMetric): Figure {
  const { name, label, unit } = metric;
  const found = facts.names.flatMap((x, method) => {
    const y = valueIn(facts, metric, method);
    return y === null ? [] : [{ x, y }];
  });
  const points = found
    .sort((a, b) => a.y - b.y)
    .map(({ x, y }) => ({
      ...{ x, y },
      remark: unit === 's' ? formatDuration(y) : valueText(y, { style: 'measure' }),
    }));
  return {
    id: metricId(name),
    title: capitalized(label),
    caption: ONE_SAMPLE,
    kind: 'dots',
    x: { title: 'method' },
    y: { title: label, ...(unit === undefined ? {} : { unit }) },
    panels: [{ title: '', series: [{ name: label, color: '#0072b2', points }] }],
  };
}

/** The report of methods on the unperturbed jobs. */
export function plainReport(facts: PlainFacts): Report {
  const { names, configurations, setting, workload, jobs, commands, environment } = facts;
  const { metrics, requestedMetrics, more } = facts;
  const drawn = requestedMetrics.length > 0 ? requestedMetrics : named(metrics, DRAWN);
  const rows = metrics.map((metric): MetricRow => ({ metric, values: metric.values.map(firstOf) }));
  const tables = [
    methodsTable(facts),
    metricsTable(names, configurations, rows, 'Shares of 1 where there is no unit.'),
    ...more,
  ];
  return reportOf({
    title: titleOfMethods(names, workload),
    description: `${ONE_SAMPLE} Replications show how certain they are.\n\n${setting.replaceAll('\n', '; ')}.`,
    highlights: [
      { label: 'Methods', value: formatNumber(names.length) },
      { label: 'Jobs', value: formatNumber(jobs) },
    ],
    tables,
    figures: drawn.map((metric) => valueFigure(facts, metric)),
    commands,
    environment,
    files: comparisonFiles(tables),
  });
}

/** One method over replications, with all metrics. */
export interface ReplicationsFacts extends Common {
  /** Heading of the count of samples. */
  readonly head: string;
  readonly population: Population;
  readonly replications: number;
  readonly metrics: readonly EstimatedMetric[];
  /** Tables that follow that of the metrics. */
  readonly more: readonly Table[];
}

/** Figure of the precision of each metric: its interval in percent of its mean. */
function precisionFigure({ metrics, replications, population }: ReplicationsFacts): Figure {
  const interval = intervalName(population, replications);
  const points = metrics
    .filter(({ estimate: { mean, low, high } }) => mean !== 0 && low !== high)
    .map(({ metric: { label, unit, format }, estimate: { mean, low, high } }) => ({
      x: label,
      y: 0,
      low: low / mean - 1,
      high: high / mean - 1,
      remark: unit === 's' ? formatDuration(mean) : valueText(mean, format),
    }));
  return {
    id: 'precision',
    title: 'How sure each mean is',
    caption: `${capitalized(interval)} of each mean in percent of it, over ${formatNumber(replications)} ${population.copies}; at the right the mean.`,
    kind: 'dots',
    bounds: meanBounds(population, replications),
    x: { title: 'metric' },
    y: { title: 'from the mean', format: { style: 'percent', isSigned: true } },
    panels: [{ title: '', series: [{ name: interval, color: '#0072b2', points }] }],
  };
}

/** The report of one method over replications. */
export function replicationsReport(facts: ReplicationsFacts): Report {
  const { names, head, setting, workload, jobs, commands, environment, metrics, replications } = facts;
  const { configurations, population } = facts;
  const rows = metrics.map(
    ({ name, metric, estimate }): MetricRow => ({ metric: { ...metric, name }, values: [estimate] }),
  );
  const over = [
    `${meansOver(population, replications)}; shares of 1 where there is no unit.`,
    ...warningsOf(metrics.map(({ name }) => name)),
  ].join(' ');
  const means = metricsTable(['mean'], configurations, rows, over, meanBounds(population, replications));
  const tables = [means, ...facts.more];
  const precision = precisionFigure(facts);
  const isDrawn = precision.panels.some(({ series }) => series.some(({ points }) => points.length > 0));
  return reportOf({
    title: `${names[0]} on ${workload}, ${countOf(replications, 'replication')}`,
    description: `${head}.\n\n${population.caveat}\n\n${setting.replaceAll('\n', '; ')}.`,
    highlights: [
      { label: 'Replications', value: formatNumber(replications) },
      { label: 'Jobs', value: formatNumber(jobs) },
    ],
    tables,
    figures: isDrawn ? [precision] : [],
    commands,
    environment,
    files: comparisonFiles(tables),
  });
}
