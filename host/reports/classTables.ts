/** Classes of jobs over replications as tables and as a document. */
import { capitalized, formatNumber, type NumberFormat } from '../format/numbers.js';
import { firstOf } from '../lists.js';
import { type ClassResult, type ClassResults, type ClassValue, metricOfClass } from '../runs/classResults.js';
import type { Classing } from '../simulate/jobMetrics.js';
import type { Population } from '../statistics/population.js';
import { intervalName, meanBounds, warningsOf } from '../statistics/samples.js';
import { cellOf, type Table, type TableColumn } from '../view/table.js';
import { type Colors, LINE, tableText, wrapped } from '../view/terminal.js';
import { CLASS_TITLES, shownClasses } from './distributionTables.js';

const MEASURE: NumberFormat = { style: 'measure' };

/** Title of a metric with its unit. */
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
  const interval = intervalName(population, replications);
  const tested = names.length === 1 ? '' : '; differences are not tested';
  const over = ({ by, metrics }: ClassResults) =>
    [
      `Means with ${interval}s by ${CLASS_TITLES[by]} over ${formatNumber(replications)} ${population.copies}${tested}.`,
      ...warningsOf(metrics),
    ].join(' ');
  return tablesOf(results, names, over, meanBounds(population, replications));
}

/** Tables of classes for one simulation of each method. */
export function sampleClassTables(results: readonly ClassResults[], names: readonly string[]): Table[] {
  return tablesOf(
    results,
    names,
    () => 'Per-class results of one simulation of each method: one sample.',
    undefined,
  );
}

const JOBS: NumberFormat = { style: 'fixed' };

/** True if each class has as many jobs under all methods. */
const haveSameJobs = ({ classes }: ClassResults) =>
  classes.every(({ jobs }) => jobs.every((count) => count === jobs[0]));

/** The classes that are shown: of many those with the highest values of a metric. */
function shownRows({ by, classes, shown, limits }: ClassResults, metric: number) {
  const sum = ({ estimates }: ClassResult) =>
    estimates[metric]!.reduce((total, estimate) => total + (estimate?.mean ?? 0), 0);
  return shownClasses(by, classes, shown, sum, limits);
}

/** The number of jobs of each class under each method. */
function jobsTable(of: ClassResults, names: readonly string[]): Table {
  const { by } = of;
  const { shown, remark } = shownRows(of, 0);
  const reason = 'The methods do not have the same jobs, since their options decide which jobs fit.';
  return {
    id: `jobs-by-${by}`,
    title: `Jobs by ${CLASS_TITLES[by]}`,
    caption: [reason, remark].filter((text) => text !== '').join(' '),
    columns: [
      { title: CLASS_TITLES[by], isHeading: true },
      ...names.map((title): TableColumn => ({ title, format: JOBS })),
    ],
    rows: shown.map(({ name, jobs }) => [name, ...jobs]),
  };
}

function tablesOf(
  results: readonly ClassResults[],
  names: readonly string[],
  over: (of: ClassResults) => string,
  bounds: Table['bounds'],
): Table[] {
  const table = (of: ClassResults, id: string, title: string, columns: readonly ClassColumn[]): Table => {
    const { by } = of;
    const { shown, remark } = shownRows(of, firstOf(columns).metric);
    const sameJobs = haveSameJobs(of);
    return {
      id,
      title,
      caption: [over(of), remark].filter((text) => text !== '').join(' '),
      columns: [
        { title: CLASS_TITLES[by], isHeading: true },
        ...(sameJobs ? [{ title: 'jobs', format: JOBS }] : []),
        ...columns.map((column): TableColumn => ({ title: column.title, format: MEASURE })),
      ],
      rows: shown.map(({ name, jobs, estimates }) => [
        name,
        ...(sameJobs ? [firstOf(jobs)] : []),
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
    return [
      ...(haveSameJobs(of) ? [] : [jobsTable(of, names)]),
      ...metrics.map((name, metric) => {
        const columns = names.map((title, method) => ({ title, metric, method }));
        return table(of, `${name}-by-${by}`, `${capitalized(titleOf(name, by))} by ${title}`, columns);
      }),
    ];
  });
}

/** Class tables for a terminal, each with its population. */
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
