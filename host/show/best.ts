/** Which cells of a study's table stand out, and which labels are best in how many settings. */

import { countOf, formatNumber, valueText } from '../format/numbers.js';
import { firstOf } from '../lists.js';
import { type Judgement, judgeMethods } from '../statistics/judging.js';
import { type Population, usualWithin } from '../statistics/population.js';
import type { Label } from '../study/schema.js';
import { labelKey } from '../study/steps.js';
import type { Measure, TableSpec } from '../study/study.js';
import type { ReportFact } from './report.js';
import type { DetailedCell } from './table.js';

/** The cells of a table, and what they stand for. */
export interface TableCells {
  readonly rows: readonly (readonly (Label | null)[])[];
  readonly columns: readonly { readonly measure: Measure; readonly labels: readonly (Label | null)[] }[];
  /** By row, then by column. */
  readonly cells: readonly (readonly DetailedCell[])[];
  /** How labels are judged where there are replications; else their values decide. */
  readonly judging?: CellJudging | undefined;
}

/** How the labels of a table are judged over replications. */
export interface CellJudging {
  /** The values of a cell by replication, by row, then by column. */
  readonly draws: readonly (readonly (readonly number[])[])[];
  readonly population: Population;
}

/** Where a cell stands among those of its table. */
interface Place {
  readonly row: number;
  readonly column: number;
}

/** Its value; undefined for an empty cell. */
function valueAt({ cells }: TableCells, { row, column }: Place): number | undefined {
  const { value } = cells[row]![column]!;
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Labels of a place on the axes that are, or are not, among those compared. */
function labelsAt(
  { rows: rowAxes, columns: columnAxes, among }: TableSpec,
  { rows, columns }: TableCells,
  { row, column }: Place,
  areCompared: boolean,
): (Label | null)[] {
  const labels = [...rows[row]!, ...columns[column]!.labels];
  return [...rowAxes, ...columnAxes].flatMap((axis, i) =>
    among.includes(axis) === areCompared ? [labels[i]!] : [],
  );
}

/** Places that have a value. */
function placesOf(table: TableCells): Place[] {
  const all = table.cells.flatMap((cells, row) => cells.map((_, column) => ({ row, column })));
  return all.filter((place) => valueAt(table, place) !== undefined);
}

/** Places of values of one measure that are compared with each other: on the axes of `among`, or else along a row. */
function comparedPlaces(spec: TableSpec, table: TableCells): Place[][] {
  const groups = new Map<string, Place[]>();
  for (const place of placesOf(table)) {
    const { name } = table.columns[place.column]!.measure;
    const labels = spec.among.length === 0 ? [place.row] : labelsAt(spec, table, place, false);
    const key = labelKey([name, ...labels]);
    groups.set(key, [...(groups.get(key) ?? []), place]);
  }
  return [...groups.values()].filter((places) => places.length > 1);
}

/** The best of some places: one, or several with the same value; over replications those that are surely the best or within the tolerance. */
function bestOf(spec: TableSpec, table: TableCells, places: readonly Place[]): Place[] {
  const { emphasize } = spec;
  if (table.judging !== undefined && spec.among.length > 0) {
    const judged = judgedBest(emphasize === 'most' ? 'more' : 'less', table, table.judging, places);
    return places.filter((_, i) => judged.methods[i]!.verdict === 'best');
  }
  const values = places.map((place) => valueAt(table, place) as number);
  const best = values.reduce(emphasize === 'most' ? (a, b) => Math.max(a, b) : (a, b) => Math.min(a, b));
  return places.filter((_, i) => values[i] === best);
}

/** What replications say of the labels of some places. */
function judgedBest(
  better: 'less' | 'more',
  { columns }: TableCells,
  { draws, population }: CellJudging,
  places: readonly Place[],
): Judgement {
  const samples = places.map(({ row, column }) => draws[row]![column]!);
  const within = usualWithin(columns[firstOf(places).column]!.measure.metric, population);
  return judgeMethods(samples, { better, within, fewest: population.fewest });
}

/** The cells of a table with those marked that stand out. */
export function emphasized(spec: TableSpec, table: TableCells): DetailedCell[][] {
  const { emphasize } = spec;
  if (emphasize === undefined) return table.cells.map((row) => [...row]);
  const isNegative = (place: Place) => (valueAt(table, place) ?? 0) < 0;
  const standing =
    emphasize === 'negative'
      ? placesOf(table).filter(isNegative)
      : comparedPlaces(spec, table).flatMap((places) => bestOf(spec, table, places));
  const marked = new Set(standing.map(({ row, column }) => row * table.columns.length + column));
  return table.cells.map((cells, row) =>
    cells.map((cell, column) =>
      marked.has(row * table.columns.length + column) ? { ...cell, isEmphasized: true } : cell,
    ),
  );
}

/** Labels named one by one. */
const MOST_NAMED = 3;

const SAME = 'no difference';

/** Where replications tell no label from the best. */
const UNTOLD = 'not told apart';

/**
 * What is best by each measure of a table that compares labels of some axes (`among`): in its one setting the value, in
 * several how often.
 * @param nameOf how labels of these axes are called.
 */
export function bestFacts(
  spec: TableSpec,
  table: TableCells,
  nameOf: (axes: readonly string[], labels: readonly (Label | null)[]) => string,
): ReportFact[] {
  if (spec.among.length === 0 || spec.emphasize === undefined || spec.emphasize === 'negative') return [];
  const axes = [...spec.rows, ...spec.columns].filter((axis) => spec.among.includes(axis));
  const groups = comparedPlaces(spec, table);
  return [...new Set(table.columns.map(({ measure }) => measure))].flatMap((measure) => {
    const settings = groups.filter((places) => table.columns[firstOf(places).column]!.measure === measure);
    if (settings.length === 0) return [];
    const best = settings.map((places) => bestOf(spec, table, places));
    const names = best.map((places, i) => {
      const isJudged = table.judging !== undefined;
      if (places.length === 0 || places.length === settings[i]!.length) return isJudged ? UNTOLD : SAME;
      const name = nameOf(axes, labelsAt(spec, table, firstOf(places), true));
      return places.length === 1
        ? name
        : `${name} (and ${countOf(places.length - 1, 'other')} ${isJudged ? 'as good' : 'alike'})`;
    });
    const { unit = '', format, title } = measure;
    const only = names.length === 1 && names[0] !== SAME && names[0] !== UNTOLD;
    const value = only
      ? `${valueText(valueAt(table, firstOf(firstOf(best))) as number, format)} ${unit}`.trim()
      : '';
    const over = table.judging === undefined ? '' : ` (${remarkOf(table.judging)})`;
    return [{ label: `Best ${title}${over}`, value: only ? `${names[0]}: ${value}` : oftenest(names) }];
  });
}

/** Over what labels are judged, or that they are not. */
function remarkOf({ draws, population: { fewest } }: CellJudging): string {
  const count = draws[0]?.[0]?.length ?? 0;
  return count < fewest
    ? `not judged below ${formatNumber(fewest)} replications`
    : `over ${formatNumber(count)} replications`;
}

/** The names that stand most often, with how often. */
function oftenest(names: readonly string[]): string {
  const times = new Map<string, number>();
  for (const name of names) times.set(name, (times.get(name) ?? 0) + 1);
  if (times.size === 1 && (times.has(SAME) || times.has(UNTOLD))) return firstOf(names);
  const ordered = [...times].sort(([, a], [, b]) => b - a);
  const [first, most] = firstOf(ordered);
  if (ordered.length === 1) return `${first} in all ${formatNumber(most)} settings`;
  const rest = ordered.slice(MOST_NAMED).reduce((sum, [, count]) => sum + count, 0);
  return [
    `${first} in ${formatNumber(most)} of ${formatNumber(names.length)} settings`,
    ...ordered.slice(1, MOST_NAMED).map(([name, count]) => `${name} in ${formatNumber(count)}`),
    ...(rest > 0 ? [`others in ${formatNumber(rest)}`] : []),
  ].join(', ');
}
