/** Best cells of a study's table: the cells that stand out, and in how many settings each label is best. */
import { countOf, formatNumber, valueText } from '../format/numbers.js';
import { firstOf, groupBy } from '../lists.js';
import { ERROR_PROBABILITY } from '../statistics/interval.js';
import { type Judgement, judgeMethods } from '../statistics/judging.js';
import { defaultMargin, type Population } from '../statistics/population.js';
import { clearlyBest } from '../statistics/samples.js';
import { metricOf } from '../study/runValues.js';
import type { Label } from '../study/schema.js';
import { labelKey } from '../study/steps.js';
import type { Measure, TableSpec } from '../study/study.js';
import type { ReportFact } from '../view/report.js';
import type { DetailedCell } from '../view/table.js';
import { areIdentical, toleranceText, verdictSign } from './verdicts.js';

/** The cells of a table, and what they represent. */
export interface TableCells {
  readonly rows: readonly (readonly (Label | null)[])[];
  readonly columns: readonly { readonly measure: Measure; readonly labels: readonly (Label | null)[] }[];
  /** Cells by row, then by column. */
  readonly cells: readonly (readonly DetailedCell[])[];
  readonly deciding: DecisionBasis;
}

/** Judgement of the labels of a table over replications. */
export interface CellJudging {
  /** The values of a cell by replication, by row, then by column. */
  readonly draws: readonly (readonly (readonly number[])[])[];
  readonly population: Population;
  /** Number of comparisons of the study that hold together, over all settings and measures. */
  readonly together: number;
}

/** Basis on which cells of a table stand out: replications, the noise of one sample, or the values alone. */
export type DecisionBasis = CellJudging | 'noise' | 'values' | 'nothing';

interface Place {
  readonly row: number;
  readonly column: number;
}

/** NaN for an empty cell. */
function valueAt({ cells }: TableCells, { row, column }: Place): number {
  const { value } = cells[row]![column]!;
  return typeof value === 'number' && Number.isFinite(value) ? value : Number.NaN;
}

/** Labels of a place on the axes that are, or are not, among those compared. */
function labelsAt(spec: TableSpec, table: TableCells, place: Place, areCompared: boolean): (Label | null)[] {
  const labels = [...table.rows[place.row]!, ...table.columns[place.column]!.labels];
  const axes = [...spec.rows, ...spec.columns];
  return labels.filter((_, i) => spec.among.includes(axes[i]!) === areCompared);
}

/** Places of cells with a value. */
function placesOf(table: TableCells): Place[] {
  const all = table.cells.flatMap((cells, row) => cells.map((_, column) => ({ row, column })));
  return all.filter((place) => !Number.isNaN(valueAt(table, place)));
}

const measureAt = ({ columns }: TableCells, { column }: Place) => columns[column]!.measure;

/** Places of values of one measure that are compared with each other: on the axes of `among`, or else along a row. */
export function comparedPlaces(spec: TableSpec, table: TableCells): Place[][] {
  const keyOf = (place: Place) => {
    const labels = spec.among.length === 0 ? [place.row] : labelsAt(spec, table, place, false);
    return labelKey([measureAt(table, place).name, ...labels]);
  };
  const groups = groupBy(placesOf(table), keyOf);
  return [...groups.values()].filter((places) => places.length > 1);
}

const betterOf = ({ emphasize }: TableSpec) => (emphasize === 'most' ? 'more' : 'less');

/** Noise of a measure's metric from sample to sample; statistics of the jobs alone have that of means. */
const noiseAt = (table: TableCells, place: Place) =>
  metricOf(measureAt(table, place).metric) ?? { noise: 'all' as const };

/** The places of one measure in one setting, and what replications say of them. */
export interface JudgedPlaces {
  readonly places: readonly Place[];
  readonly judgement: Judgement;
}

/** The judgement of each setting and measure of a table; none where it is not by replications. */
export function judgedPlaces(spec: TableSpec, table: TableCells): JudgedPlaces[] {
  const { deciding } = table;
  if (typeof deciding === 'string') return [];
  const { draws, population, together } = deciding;
  return comparedPlaces(spec, table).map((places) => {
    const samples = places.map(({ row, column }) => draws[row]![column]!);
    const judgement = judgeMethods(samples, {
      better: betterOf(spec),
      within: spec.within ?? defaultMargin(noiseAt(table, firstOf(places)), population),
      fewest: population.fewest,
      level: ERROR_PROBABILITY / together,
    });
    return { places, judgement };
  });
}

/** The best of several cells, or the reason why there is none. */
type Best = readonly Place[] | string;

const SAME = 'no difference';

function bestJudged({ places, judgement }: JudgedPlaces): Best {
  const { methods, isJudged, isOneSample } = judgement;
  if (isOneSample) return 'not judged (all replications are alike)';
  if (!isJudged) return 'not judged';
  if (areIdentical(judgement)) return SAME;
  const best = places.filter((_, i) => methods[i]!.verdict === 'best');
  if (best.length === 0) return 'undecided';
  return best.length === places.length ? `all within ${toleranceText(judgement)}` : best;
}

/** Best cells by value: one, or several with the same value. */
function bestByValue(spec: TableSpec, table: TableCells, places: readonly Place[]): Best {
  const values = places.map((place) => valueAt(table, place));
  const best = values.reduce(betterOf(spec) === 'more' ? (a, b) => Math.max(a, b) : (a, b) => Math.min(a, b));
  const found = places.filter((_, i) => values[i] === best);
  if (table.deciding === 'values') return found;
  if (found.length === places.length) return SAME;
  const clear = clearlyBest(values, betterOf(spec), noiseAt(table, firstOf(places)));
  return clear === undefined ? 'none clearly' : [places[clear]!];
}

/** Best cells in each setting, by each measure. */
function bestOfAll(spec: TableSpec, table: TableCells): { places: readonly Place[]; best: Best }[] {
  const { deciding } = table;
  if (deciding === 'nothing') return [];
  return typeof deciding === 'string'
    ? comparedPlaces(spec, table).map((places) => ({ places, best: bestByValue(spec, table, places) }))
    : judgedPlaces(spec, table).map((judged) => ({ places: judged.places, best: bestJudged(judged) }));
}

/** The cells of a table with those marked that stand out, and with the signs of their verdicts. */
export function emphasized(spec: TableSpec, table: TableCells): DetailedCell[][] {
  const { emphasize } = spec;
  if (emphasize === undefined) return table.cells.map((row) => [...row]);
  const areNegative = emphasize === 'negative';
  // If there is an interval, it must be negative as a whole.
  const isNegative = ({ row, column }: Place) => {
    const { value, high = value } = table.cells[row]![column]!;
    return typeof high === 'number' && high < 0;
  };
  const at = ({ row, column }: Place) => row * table.columns.length + column;
  const standing = areNegative
    ? placesOf(table).filter(isNegative)
    : bestOfAll(spec, table).flatMap(({ best }) => (typeof best === 'string' ? [] : best));
  const marked = new Set(standing.map(at));
  const judged = areNegative ? [] : judgedPlaces(spec, table);
  const signs = new Map(
    judged
      .filter(({ judgement }) => !areIdentical(judgement))
      .flatMap(({ places, judgement }) =>
        places.map((place, i) => [at(place), verdictSign(judgement.methods[i]!, judgement)] as const),
      ),
  );
  return table.cells.map((cells, row) =>
    cells.map((cell, column) => ({
      ...cell,
      ...(marked.has(at({ row, column })) && { isEmphasized: true }),
      ...signs.get(at({ row, column })),
    })),
  );
}

/**
 * The best label by each measure of a table that compares labels of some axes (`among`): in its one setting with the value, in
 * several with the number of settings.
 * @param nameOf name of labels of these axes.
 */
export function bestFacts(
  spec: TableSpec,
  table: TableCells,
  nameOf: (axes: readonly string[], labels: readonly (Label | null)[]) => string,
): ReportFact[] {
  if (spec.among.length === 0 || spec.emphasize === undefined || spec.emphasize === 'negative') return [];
  const axes = [...spec.rows, ...spec.columns].filter((axis) => spec.among.includes(axis));
  const { deciding } = table;
  const alike = typeof deciding === 'string' ? 'alike' : 'as good';
  const over = typeof deciding === 'string' ? '' : ` (${remarkOf(deciding)})`;
  const all = bestOfAll(spec, table);
  return [...new Set(table.columns.map(({ measure }) => measure))].flatMap((measure) => {
    const settings = all.filter(({ places }) => measureAt(table, firstOf(places)) === measure);
    if (settings.length === 0) return [];
    const names = settings.map(({ best, places }) => {
      if (typeof best === 'string') return best;
      if (best.length === places.length) return SAME;
      const name = nameOf(axes, labelsAt(spec, table, firstOf(best), true));
      return best.length === 1 ? name : `${name} (and ${countOf(best.length - 1, 'other')} ${alike})`;
    });
    const label = `Best ${measure.title}${over}`;
    if (names.length > 1)
      return [
        {
          label,
          value: mostFrequent(
            names,
            settings.some(({ best }) => typeof best !== 'string'),
          ),
        },
      ];
    const { best } = firstOf(settings);
    const { unit = '', format } = measure;
    const name = firstOf(names);
    if (typeof best === 'string' || name === SAME) return [{ label, value: name }];
    return [
      { label, value: `${name}: ${valueText(valueAt(table, firstOf(best)), format)} ${unit}`.trimEnd() },
    ];
  });
}

/** Number of replications over which labels are judged, or are too few. */
function remarkOf({ draws, population: { fewest } }: CellJudging): string {
  const count = draws[0]?.[0]?.length ?? 0;
  return count < fewest
    ? `not judged below ${formatNumber(fewest)} replications`
    : `over ${formatNumber(count)} replications`;
}

/** Number of labels with a count of their own. */
const MAX_NAMED = 3;

/** The most frequent names, with how often. */
function mostFrequent(names: readonly string[], isAnyBest: boolean): string {
  const times = [...groupBy(names, (name) => name)].map(([name, { length }]) => [name, length] as const);
  const [[first, most], ...others] = times.sort(([, a], [, b]) => b - a) as [[string, number]];
  if (others.length === 0) return isAnyBest ? `${first} in all ${formatNumber(most)} settings` : first;
  const rest = times.slice(MAX_NAMED).reduce((sum, [, count]) => sum + count, 0);
  return [
    `${first} in ${formatNumber(most)} of ${formatNumber(names.length)} settings`,
    ...times.slice(1, MAX_NAMED).map(([name, count]) => `${name} in ${formatNumber(count)}`),
    ...(rest > 0 ? [`others in ${formatNumber(rest)}`] : []),
  ].join(', ');
}
