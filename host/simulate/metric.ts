/** Definition of metrics, and kinds of metrics. */
import type { Core } from '../core/module.js';
import type { NumberFormat } from '../format/numbers.js';
import type { MeasuredRun } from './jobFolds.js';

/** A metric: its computation, title and format. */
export interface Metric {
  /** Name in the core, or function that computes it. `summarize` handles metrics of sites and homes. */
  readonly core?: keyof Core['Metric'] | ((measuredRun: MeasuredRun) => number);
  /** Title in tables. */
  readonly label: string;
  readonly unit?: string;
  /** Short remark shown beside the value. */
  readonly remark?: string;
  /** Format of the value of a single run. */
  readonly format: NumberFormat;
  /**
   * Origin of the metric's noise between samples: all jobs similarly, the jobs with long waits, or a few jobs
   * (percentiles, extremes).
   */
  readonly noise: 'all' | 'waits' | 'few';
  /** Direction of improvement; absent: neither. */
  readonly better?: 'less' | 'more';
  /** Formula with edge cases, in Markdown for the documentation. */
  readonly formula: string;
  readonly edges?: string;
  /**
   * Topic of the metric. Metrics of a topic are shown if any of them is not 0, metrics without one always;
   * those of the topic `heading` are shown elsewhere.
   */
  readonly topic?:
    | 'heading'
    | 'measuring'
    | 'killing'
    | 'cancelling'
    | 'estimating'
    | 'reserving'
    | 'stopping'
    | 'splitting'
    | 'scaling'
    | 'decisions'
    | 'trials';
  /** Name of the metric that decides instead whether this one is shown, by not being 0. */
  readonly shownWith?: 'killedJobs';
  /** True if the metric covers only the jobs between warm-up and cool-down; others cover the whole run. */
  readonly ofMeasured?: true;
  /** True if the metric is meaningless for jobs without homes. */
  readonly needsHomes?: boolean;
}

/** A metric with its name. */
export interface NamedMetric extends Metric {
  readonly name: string;
}

/** Fields of a metric that are not determined by its kind. */
type MetricDefinition = Omit<Metric, 'unit' | 'format' | 'better'>;

const WHOLE_METRIC_FORMAT: NumberFormat = { style: 'fixed' };
/** Number format with two decimals. */
export const TWO_DECIMAL_METRIC_FORMAT: NumberFormat = { style: 'fixed', decimals: 2 };

/** Defines a metric in seconds; less is better. */
export const makeSecondsMetric = (description: MetricDefinition): Metric => ({
  ...description,
  unit: 's',
  format: TWO_DECIMAL_METRIC_FORMAT,
  better: 'less',
});
/** Defines a ratio; less is better. */
export const makeFactorMetric = (description: MetricDefinition): Metric => ({
  ...description,
  format: TWO_DECIMAL_METRIC_FORMAT,
  better: 'less',
});
/** Defines a share from 0 to 1, shown in percent; more is better. */
export const makeShareMetric = (description: MetricDefinition): Metric => ({
  ...description,
  format: { style: 'percent', decimals: 2 },
  better: 'more',
});
/** Defines a count without a better direction; `unit` names what is counted if the label does not. */
export const makeCountMetric = (description: MetricDefinition & Pick<Metric, 'unit'>): Metric => ({
  ...description,
  format: WHOLE_METRIC_FORMAT,
});

/**
 * Name of the metric without its job class: `meanWait` for `meanWait[user=ann]`; other names are unchanged.
 */
export function extractBaseMetricName(metricName: string): string {
  return metricName.replace(/\[.*/, '');
}
