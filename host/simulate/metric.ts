/** Definition of metrics and of their kinds. */
import type { Core } from '../core/module.js';
import type { NumberFormat } from '../format/numbers.js';
import type { Simulator } from './simulator.js';

/** A metric: how it is computed, called and shown. */
export interface Metric {
  /** Name in the core, or function that reads it. Metrics of sites and homes are composed by `summarize`. */
  readonly core?: keyof Core['Metric'] | ((simulator: Simulator) => number);
  /** Title in tables. */
  readonly label: string;
  readonly unit?: string;
  /** A few words beside the number. */
  readonly remark?: string;
  /** Format of the number of a single run. */
  readonly format: NumberFormat;
  /**
   * What decides its value, and so how much it differs from sample to sample: all jobs about alike, those that wait long, or a few
   * jobs (percentiles, extremes).
   */
  readonly noise: 'all' | 'waits' | 'few';
  /** Direction that is an improvement; absent: neither is. */
  readonly better?: 'less' | 'more';
  /** Formula with its edge cases, in Markdown for the documentation. */
  readonly formula: string;
  readonly edges?: string;
  /**
   * Topic: its metrics are shown if any of them is not 0; metrics without a topic always; `heading` is shown
   * elsewhere.
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
  /** True if the metric covers only the jobs between warm-up and cool-down; others cover the whole run. */
  readonly ofMeasured?: true;
  /** True if the metric is meaningless for jobs without homes. */
  readonly needsHomes?: boolean;
}

/** A metric with its name. */
export interface NamedMetric extends Metric {
  readonly name: string;
}

/** Fields of a metric that its kind does not set. */
type MetricDefinition = Omit<Metric, 'unit' | 'format' | 'better'>;

const WHOLE_METRIC_FORMAT: NumberFormat = { style: 'fixed' };
/** Two decimals. */
export const TWO_DECIMAL_METRIC_FORMAT: NumberFormat = { style: 'fixed', decimals: 2 };

/** A time; less is better. */
export const makeSecondsMetric = (description: MetricDefinition): Metric => ({
  ...description,
  unit: 's',
  format: TWO_DECIMAL_METRIC_FORMAT,
  better: 'less',
});
/** A ratio; less is better. */
export const makeFactorMetric = (description: MetricDefinition): Metric => ({
  ...description,
  format: TWO_DECIMAL_METRIC_FORMAT,
  better: 'less',
});
/** A share of 1, shown in percent; more is better. */
export const makeShareMetric = (description: MetricDefinition): Metric => ({
  ...description,
  format: { style: 'percent', decimals: 2 },
  better: 'more',
});
/** Count that is neither good nor bad; if the label does not name the unit, `unit` does. */
export const makeCountMetric = (description: MetricDefinition & Pick<Metric, 'unit'>): Metric => ({
  ...description,
  format: WHOLE_METRIC_FORMAT,
});

/** The metric that a metric of a class is of: `meanWait` for `meanWait[user=ann]`; any other is itself. */
export function baseMetricName(name: string): string {
  return name.replace(/\[.*/, '');
}
