/** Best cells of a study's table: the cells that stand out, and in how many settings each label is best. */
import { countOf, formatNumber, valueText } from '../format/numbers.js';
import { firstOf } from '../lists.js';
import type { Metric } from '../simulate/metric.js';
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

/** Row and column of a cell. */
export interface Place {
  readonly row: number;
  readonly column: number;
}

/** Value of a cell; undefined for an empty one. */
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
export function comparedPlaces(spec: TableSpec, table: TableCells): Place[][] {
  const groups = new Map<string, Place[]>();
  for (const place of placesOf(table)) {
    const { name } = table.columns[place.column]!.measure;
    const labels = spec.among.length === 0 ? [place.row] : labelsAt(spec, table, place, false);
    const key = labelKey([name, ...labels]);
    groups.set(key, [...(groups.get(key) ?? []), place]);
  }
  return [...groups.values()].filter((places) => places.length > 1);
}

const betterOf = ({ emphasize }: TableSpec) => (emphasize === 'most' ? 'more' : 'less');

/** The places of one measure in one setting, and what replications say of them. */
export interface JudgedPlaces {
  readonly places: readonly Place[];
  readonly judgement: Judgement;
}

/** Noise of a measure's metric from sample to sample; statistics of the jobs alone have that of means. */
const noiseOfMeasure = (metric: string): Pick<Metric, 'noise'> => metricOf(metric) ?? { noise: 'all' };

/** The judgement of each setting and measure of a table; none where it is not by replications. */
export function judgedPlaces(spec: TableSpec, table: TableCells): JudgedPlaces[] {
  const { deciding, columns } = table;
  if (typeof deciding === 'string') return [];
  const { draws, population, together } = deciding;
  return comparedPlaces(spec, table).map((places) => {
    const samples = places.map(({ row, column }) => draws[row]![column]!);
    const { metric } = columns[firstOf(places).column]!.measure;
    const judgement = judgeMethods(samples, {
      better: betterOf(spec),
      within: spec.within ?? defaultMargin(noiseOfMeasure(metric), population),
      fewest: population.fewest,
      level: ERROR_PROBABILITY / together,
    });
    return { places, judgement };
  });
}

/** Best of several cells, or the reason why there is none. */
type Best = { readonly places: readonly Place[] } | { readonly none: string };

/** Best cells according to replications. */
function bestJudged({ places, judgement }: JudgedPlaces): Best {
  const { methods, isJudged, isOneSample } = judgement;
  if (isOneSample) return { none: ONE_SAMPLE_ONLY };
  if (!isJudged) return { none: NOT_JUDGED };
  if (areIdentical(judgement)) return { none: SAME };
  const best = places.filter((_, i) => methods[i]!.verdict === 'best');
  if (best.length === 0) return { none: UNDECIDED };
  return best.length === places.length
    ? { none: `all within ${toleranceText(judgement)}` }
    : { places: best };
}

/** Best cells by value: one, or several with the same value. */
function bestByValue(spec: TableSpec, table: TableCells, places: readonly Place[]): Best {
  const values = places.map((place) => valueAt(table, place) as number);
  const best = values.reduce(betterOf(spec) === 'more' ? (a, b) => Math.max(a, b) : (a, b) => Math.min(a, b));
  const found = places.filter((_, i) => values[i] === best);
  if (table.deciding === 'values') return { places: found };
  if (found.length === places.length) return { none: SAME };
  const { metric } = table.columns[firstOf(places).column]!.measure;
  const clear = clearlyBest(values, betterOf(spec), noiseOfMeasure(metric));
  return clear === undefined ? { none: UNCLEAR } : { places: [places[clear]!] };
}

/** Best cells in each setting, by each measure. */
function bestOfAll(spec: TableSpec, table: TableCells): { places: readonly Place[]; best: Best }[] {
  const { deciding } = table;
  if (deciding === 'nothing') return [];
  if (typeof deciding !== 'string')
    return judgedPlaces(spec, table).map((judged) => ({ places: judged.places, best: bestJudged(judged) }));
  return comparedPlaces(spec, table).map((places) => ({ places, best: bestByValue(spec, table, places) }));
}

/** The cells of a table with those marked that stand out, and with the signs of their verdicts. */
export function emphasized(spec: TableSpec, table: TableCells): DetailedCell[][] {
  const { emphasize } = spec;
  if (emphasize === undefined) return table.cells.map((row) => [...row]);
  // If there is an interval, it must be negative as a whole.
  const isNegative = ({ row, column }: Place) => {
    const { value, high = value } = table.cells[row]![column]!;
    return typeof high === 'number' && high < 0;
  };
  const standing =
    emphasize === 'negative'
      ? placesOf(table).filter(isNegative)
      : bestOfAll(spec, table).flatMap(({ best }) => ('places' in best ? best.places : []));
  const at = ({ row, column }: Place) => row * table.columns.length + column;
  const marked = new Set(standing.map(at));
  const judged = emphasize === 'negative' ? [] : judgedPlaces(spec, table);
  const signs = new Map(
    judged.flatMap(({ places, judgement }) =>
      areIdentical(judgement)
        ? []
        : places.map((place, i) => [at(place), verdictSign(judgement.methods[i]!, judgement)] as const),
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

/** Labels named one by one. */
const MAX_NAMED = 3;

const SAME = 'no difference';

/** Text for one sample with no label far ahead of all others. */
const UNCLEAR = 'none clearly';

/** Text for replications that show no label to be the best, or within the margin. */
const UNDECIDED = 'undecided';

const NOT_JUDGED = 'not judged';

const ONE_SAMPLE_ONLY = 'not judged (all replications are alike)';

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
  const all = bestOfAll(spec, table);
  return [...new Set(table.columns.map(({ measure }) => measure))].flatMap((measure) => {
    const settings = all.filter(({ places }) => table.columns[firstOf(places).column]!.measure === measure);
    if (settings.length === 0) return [];
    const names = settings.map(({ best, places }) => {
      if ('none' in best) return best.none;
      if (best.places.length === places.length) return SAME;
      const name = nameOf(axes, labelsAt(spec, table, firstOf(best.places), true));
      const isJudged = typeof table.deciding !== 'string';
      return best.places.length === 1
        ? name
        : `${name} (and ${countOf(best.places.length - 1, 'other')} ${isJudged ? 'as good' : 'alike'})`;
    });
    const { unit = '', format, title } = measure;
    const [{ best }] = settings as [(typeof settings)[number]];
    const only = names.length === 1 && 'places' in best && names[0] !== SAME ? best.places : [];
    const value =
      only.length === 0
        ? ''
        : `: ${valueText(valueAt(table, firstOf(only)) as number, format)} ${unit}`.trimEnd();
    const over = typeof table.deciding === 'string' ? '' : ` (${remarkOf(table.deciding)})`;
    const isBest = settings.some((setting) => 'places' in setting.best);
    return [
      {
        label: `Best ${title}${over}`,
        value: names.length === 1 ? `${names[0]}${value}` : oftenest(names, isBest),
      },
    ];
  });
}

/** Over what labels are judged, or that they are not. */
function remarkOf({ draws, population: { fewest } }: CellJudging): string {
  const count = draws[0]?.[0]?.length ?? 0;
  return count < fewest
    ? `not judged below ${formatNumber(fewest)} replications`
    : `over ${formatNumber(count)} replications`;
}

/** The most frequent names, with how often. */
function oftenest(names: readonly string[], isBest: boolean): string {
  const times = new Map<string, number>();
  for (const name of names) times.set(name, (times.get(name) ?? 0) + 1);
  if (times.size === 1 && !isBest) return firstOf(names);
  const ordered = [...times].sort(([, a], [, b]) => b - a);
  const [first, most] = firstOf(ordered);
  if (ordered.length === 1) return `${first} in all ${formatNumber(most)} settings`;
  const rest = ordered.slice(MAX_NAMED).reduce((sum, [, count]) => sum + count, 0);
  return [
    `${first} in ${formatNumber(most)} of ${formatNumber(names.length)} settings`,
    ...ordered.slice(1, MAX_NAMED).map(([name, count]) => `${name} in ${formatNumber(count)}`),
    ...(rest > 0 ? [`others in ${formatNumber(rest)}`] : []),
  ].join(', ');
}
