/** Methods over several logs: each log is one value of each method, its ratio to the best method on that log. */

import { InputError } from '../errors.js';
import type { NamedMetric } from '../simulate/metric.js';
import { estimateMean, LEFT_OUT } from '../statistics/interval.js';
import { judgeMethods } from '../statistics/judging.js';
import { LOGS } from '../statistics/population.js';
import type { AskedComparison, JudgedComparison } from './comparison.js';

/** A log and what the methods came to on it. */
export interface LogValues {
  /** As sentences name it. */
  readonly name: string;
  readonly jobs: number;
  readonly processors: number;
  /** By metric, then by method, in the unit of the metric. */
  readonly values: readonly (readonly number[])[];
}

/** The best of some values. */
export const bestOf = ({ better }: Pick<NamedMetric, 'better'>, values: readonly number[]) =>
  better === 'more' ? Math.max(...values) : Math.min(...values);

/** By method, then by log: the value over that of the best method on the log. */
function ratiosOf(logs: readonly LogValues[], metric: NamedMetric, place: number): number[][] {
  const byLog = logs.map(({ name, values }) => {
    const own = values[place];
    const best = bestOf(metric, own);
    if (best !== 0 && own.every(Number.isFinite)) return own.map((value) => value / best);
    throw new InputError(
      `${metric.name} on ${name} is ${best === 0 ? '0 under the best method' : 'not known'}, so that nothing is relative to it; compare by another --metric, or leave the log out`,
    );
  });
  return byLog[0].map((_, method) => byLog.map((ratios) => ratios[method]));
}

/**
 * The methods judged over logs, by each metric.
 * @throws InputError for a metric whose best value on a log is 0 or not known.
 */
export function judgeOverLogs(
  logs: readonly LogValues[],
  { metrics, within }: Pick<AskedComparison, 'metrics' | 'within'>,
): JudgedComparison {
  const level = LEFT_OUT / metrics.length;
  const { fewest } = LOGS;
  return {
    replications: logs.length,
    population: LOGS,
    looks: [logs.length],
    metrics: metrics.map((metric, i) => {
      const values = ratiosOf(logs, metric, i);
      const { label, formula, better = 'less' } = metric;
      return {
        name: metric.name,
        metric: {
          ...{ label: `${label}, relative to the best method on each log`, formula, better },
          format: { style: 'fixed', decimals: 3 },
        },
        values,
        estimates: values.map(estimateMean),
        within: within[i],
        judgement: judgeMethods(values, { better, within: within[i], level, fewest }),
      };
    }),
  };
}
