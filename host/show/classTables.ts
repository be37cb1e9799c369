/** Classes of jobs over replications as tables and as a document. */
import { formatNumber, type NumberFormat } from '../format/numbers.js';
import { type ClassResult, type ClassResults, metricOfClass } from '../runs/classResults.js';
import type { Classing } from '../simulate/jobClasses.js';
import type { MeanEstimate } from '../statistics/interval.js';
import type { Population } from '../statistics/population.js';
import { CLASS_TITLES, shownClasses } from './distributionTables.js';
import type { Table, TableColumn } from './table.js';

const MEASURE: NumberFormat = { style: 'measure' };

const cellOf = (estimate: MeanEstimate | null) =>
  estimate === null ? null : { value: estimate.mean, low: estimate.low, high: estimate.high };

/** What a metric is called, with its unit. */
function titleOf(metric: string, by: Classing): string {
  const { label, unit } = metricOfClass(metric, by, '1');
  const name = label.slice(0, label.lastIndexOf(','));
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}${unit === undefined ? '' : ` [${unit}]`}`;
}

/**
 * A table for each kind of class and metric, with a row for each class and a column for each method.
 * @param names those of the methods.
 * @param population what replications are, of which there are so many.
 */
export function classTables(
  results: readonly ClassResults[],
  names: readonly string[],
  replications: number,
  { copies }: Pick<Population, 'copies'>,
): Table[] {
  return results.flatMap(({ by, isWhole, metrics, classes }) =>
    metrics.map((metric, i): Table => {
      const mean = ({ estimates }: ClassResult) =>
        estimates[i].reduce((sum, estimate) => sum + (estimate?.mean ?? 0), 0);
      const { shown, remark } = shownClasses(by, classes, isWhole, mean);
      const over = `Mean and 95 % interval over ${formatNumber(replications)} ${copies}, class by class, not judged.`;
      return {
        id: `${metric}-by-${by}`,
        title: `${titleOf(metric, by)} by ${CLASS_TITLES[by]}`,
        caption: [over, remark].filter((text) => text !== '').join(' '),
        columns: [
          { title: CLASS_TITLES[by], isHeading: true },
          { title: 'jobs', format: { style: 'fixed' } },
          ...names.map((title): TableColumn => ({ title, format: MEASURE })),
        ],
        rows: shown.map(({ name, jobs, estimates }) => [name, jobs, ...estimates[i].map(cellOf)]),
        bounds: 'interval',
      };
    }),
  );
}

/** Classes as a document: the means of each class, with their intervals, in the order of the methods. */
export function classDocument(results: readonly ClassResults[]): object {
  return Object.fromEntries(
    results.map(({ by, metrics, classes }) => [
      by,
      classes.map(({ name, jobs, estimates }) => ({
        name,
        jobs,
        ...Object.fromEntries(metrics.map((metric, i) => [metric, estimates[i].map(meanOf)])),
      })),
    ]),
  );
}

const meanOf = (estimate: MeanEstimate | null) =>
  estimate === null ? null : { mean: estimate.mean, low: estimate.low, high: estimate.high };
