/** Classes of jobs over replications as tables and as a document. */
import { capitalized, type NumberFormat } from '../format/numbers.js';
import { firstOf } from '../lists.js';
import { type ClassResult, type ClassResults, type ClassValue, metricOfClass } from '../runs/classResults.js';
import type { Classing } from '../simulate/jobMetrics.js';
import type { Population } from '../statistics/population.js';
import { meanBounds, meansOver, warningsOf } from '../statistics/samples.js';
import { CLASS_TITLES, shownClasses } from './distributionTables.js';
import { cellOf, type Table, type TableColumn } from './table.js';
import { type Colors, LINE, tableText, wrapped } from './tableText.js';

const MEASURE: NumberFormat = { style: 'measure' };

/** What a metric is called, with its unit. */
function titleOf(metric: string, by: Classing): string {
  const { label, unit } = metricOfClass(metric, by, '1');
  const name = label.slice(0, label.lastIndexOf(','));
  return `${name}${unit === undefined ? '' : ` [${unit}]`}`;
}

/** A column of a table of classes: a metric under a method, by their places. */
interface ClassColumn {
  readonly title: string;
  readonly metric: number;
  readonly method: number;
}

/**
 * Classes under several methods: a table for each kind of class and metric, with a row for each class and a column for each
 * method; under one method: a table for each kind of class with a column for each metric.
 * @param names those of the methods.
 * @param population what replications are, and how many.
 */
export function classTables(
  results: readonly ClassResults[],
  names: readonly string[],
  replications: number,
  population: Population,
): Table[] {
  const over = [
    `${meansOver(population, replications)}, per-class results; not judged.`,
    ...warningsOf(results.flatMap(({ metrics }) => metrics)),
  ].join(' ');
  return tablesOf(results, names, over, meanBounds(population, replications));
}

/** The same of one simulation of each method. */
export function sampleClassTables(results: readonly ClassResults[], names: readonly string[]): Table[] {
  return tablesOf(
    results,
    names,
    'Per-class results of one simulation of each method: one sample.',
    undefined,
  );
}

function tablesOf(
  results: readonly ClassResults[],
  names: readonly string[],
  over: string,
  bounds: Table['bounds'],
): Table[] {
  const table = (of: ClassResults, id: string, title: string, columns: readonly ClassColumn[]): Table => {
    const { by, shown: asked, classes, limits } = of;
    const mean = ({ estimates }: ClassResult) =>
      estimates[firstOf(columns).metric]!.reduce((sum, estimate) => sum + (estimate?.mean ?? 0), 0);
    const { shown, remark } = shownClasses(by, classes, asked, mean, limits);
    return {
      id,
      title,
      caption: [over, remark].filter((text) => text !== '').join(' '),
      columns: [
        { title: CLASS_TITLES[by], isHeading: true },
        { title: 'jobs', format: { style: 'fixed' } },
        ...columns.map((column): TableColumn => ({ title: column.title, format: MEASURE })),
      ],
      rows: shown.map(({ name, jobs, estimates }) => [
        name,
        jobs,
        ...columns.map(({ metric, method }) => cellOf(estimates[metric]![method]!)),
      ]),
      ...(bounds === undefined ? {} : { bounds }),
    };
  };
  return results.flatMap((of) => {
    const { by, metrics } = of;
    const title = CLASS_TITLES[by];
    if (names.length === 1) {
      const columns = metrics.map((name, metric) => ({ title: titleOf(name, by), metric, method: 0 }));
      return [table(of, `jobs-by-${by}`, `Jobs by ${title}`, columns)];
    }
    return metrics.map((name, metric) => {
      const columns = names.map((title, method) => ({ title, metric, method }));
      return table(of, `${name}-by-${by}`, `${capitalized(titleOf(name, by))} by ${title}`, columns);
    });
  });
}

/** The same for a terminal, each with its population. */
export const classText = (tables: readonly Table[], colors: Colors): string[] =>
  tables.map((table) =>
    [
      colors.bold(table.title),
      '',
      tableText({ ...table, title: '' }, colors, LINE),
      wrapped(table.caption),
    ].join('\n'),
  );

/** Classes as a document: the means of each class, with their intervals, in the order of the methods. */
export function classDocument(results: readonly ClassResults[]): object {
  return Object.fromEntries(
    results.map(({ by, metrics, classes }) => [
      by,
      classes.map(({ name, jobs, estimates }) => ({
        name,
        jobs,
        ...Object.fromEntries(metrics.map((metric, i) => [metric, estimates[i]!.map(meanOf)])),
      })),
    ]),
  );
}

const meanOf = (estimate: ClassValue | null) =>
  estimate === null ? null : { mean: estimate.mean, low: estimate.low, high: estimate.high };
