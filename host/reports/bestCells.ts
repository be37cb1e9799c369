/** Best cells of a study's table: which cells are emphasized, and in how many settings each label is best. */
import { formatCount, formatNumber, formatValue } from '../format/numbers.js';
import { firstElement, groupBy } from '../lists.js';
import { INTERVAL_ERROR_PROBABILITY } from '../statistics/interval.js';
import { type Judgement, judgeMethods } from '../statistics/judging.js';
import { defaultEquivalenceMargin, type Population } from '../statistics/population.js';
import { indexOfClearlyBestValue } from '../statistics/samples.js';
import { findSimulationMetric } from '../study/runValues.js';
import type { Label } from '../study/schema.js';
import { joinLabelsAsKey } from '../study/steps.js';
import type { Measure, TableSpec } from '../study/study.js';
import type { ReportFact } from '../view/report.js';
import type { DetailedCell } from '../view/table.js';
import { areMethodsIdentical, formatEquivalenceMargin, signOfVerdict } from './verdicts.js';

/** Cells of a table with their axis labels, as input for finding the best ones. */
export interface TableCellValues {
  readonly rows: readonly (readonly (Label | null)[])[];
  readonly columns: readonly { readonly measure: Measure; readonly labels: readonly (Label | null)[] }[];
  /** Cells by row, then by column. */
  readonly cells: readonly (readonly DetailedCell[])[];
  readonly deciding: BestCellEvidence;
}

/** Replications by which the labels of a table are compared. */
export interface CellComparisonReplications {
  /** Values by row, column and replication. */
  readonly draws: readonly (readonly (readonly number[])[])[];
  readonly population: Population;
  /** Number of simultaneous comparisons in the study, over all settings and measures. */
  readonly together: number;
}

/**
 * Evidence by which cells count as best: replications, the assumed noise of one sample, or the bare values.
 */
export type BestCellEvidence = CellComparisonReplications | 'noise' | 'values' | 'nothing';

interface CellPosition {
  readonly row: number;
  readonly column: number;
}

/** Value of a cell; NaN if it is empty. */
function cellValueAt({ cells }: TableCellValues, { row, column }: CellPosition): number {
  const { value } = cells[row]![column]!;
  return typeof value === 'number' && Number.isFinite(value) ? value : Number.NaN;
}

/** Labels of a cell on the compared axes, or on all other axes. */
function axisLabelsOfCell(
  spec: TableSpec,
  table: TableCellValues,
  place: CellPosition,
  areCompared: boolean,
): (Label | null)[] {
  const labels = [...table.rows[place.row]!, ...table.columns[place.column]!.labels];
  const axes = [...spec.rows, ...spec.columns];
  return labels.filter((_, i) => spec.among.includes(axes[i]!) === areCompared);
}

/** Positions of all cells with a value. */
function positionsOfFilledCells(table: TableCellValues): CellPosition[] {
  const all = table.cells.flatMap((cells, row) => cells.map((_, column) => ({ row, column })));
  return all.filter((place) => !Number.isNaN(cellValueAt(table, place)));
}

const metricOfColumn = ({ columns }: TableCellValues, { column }: CellPosition) => columns[column]!.measure;

/**
 * Groups of cells that are compared with each other: along the axes of `among` or, by default, along a row.
 */
export function groupComparedCells(spec: TableSpec, table: TableCellValues): CellPosition[][] {
  const keyOf = (place: CellPosition) => {
    const labels = spec.among.length === 0 ? [place.row] : axisLabelsOfCell(spec, table, place, false);
    return joinLabelsAsKey([metricOfColumn(table, place).name, ...labels]);
  };
  const groups = groupBy(positionsOfFilledCells(table), keyOf);
  return [...groups.values()].filter((places) => places.length > 1);
}

const betterDirectionOfTable = ({ emphasize }: TableSpec) => (emphasize === 'most' ? 'more' : 'less');

/** Assumed noise of the cell's metric between samples, as a share; workload statistics have that of means. */
const assumedNoiseOfCell = (table: TableCellValues, place: CellPosition) =>
  findSimulationMetric(metricOfColumn(table, place).metric) ?? { noise: 'all' as const };

/** Cells of one measure in one setting, with the judgement over the replications. */
export interface JudgedCells {
  readonly places: readonly CellPosition[];
  readonly judgement: Judgement;
}

/** Judgements for all settings and measures of a table; empty unless replications decide. */
export function judgeTableCells(spec: TableSpec, table: TableCellValues): JudgedCells[] {
  const { deciding } = table;
  if (typeof deciding === 'string') return [];
  const { draws, population, together } = deciding;
  return groupComparedCells(spec, table).map((places) => {
    const samples = places.map(({ row, column }) => draws[row]![column]!);
    const judgement = judgeMethods(samples, {
      better: betterDirectionOfTable(spec),
      within:
        spec.within ?? defaultEquivalenceMargin(assumedNoiseOfCell(table, firstElement(places)), population),
      fewest: population.fewest,
      level: INTERVAL_ERROR_PROBABILITY / together,
    });
    return { places, judgement };
  });
}

/** Best cells of a group, or a text that says why there is none. */
type BestCellsOrReason = readonly CellPosition[] | string;

const NO_DIFFERENCE_TEXT = 'no difference';

function bestCellsByJudgement({ places, judgement }: JudgedCells): BestCellsOrReason {
  const { methods, isJudged, isOneSample } = judgement;
  if (isOneSample) return 'not judged (all replications are alike)';
  if (!isJudged) return 'not judged';
  if (areMethodsIdentical(judgement)) return NO_DIFFERENCE_TEXT;
  const best = places.filter((_, i) => methods[i]!.verdict === 'best');
  if (best.length === 0) return 'undecided';
  return best.length === places.length ? `all within ${formatEquivalenceMargin(judgement)}` : best;
}

/** Best cells of a group by bare value; several if they are equal. */
function bestCellsByValue(
  spec: TableSpec,
  table: TableCellValues,
  places: readonly CellPosition[],
): BestCellsOrReason {
  const values = places.map((place) => cellValueAt(table, place));
  const best = values.reduce(
    betterDirectionOfTable(spec) === 'more' ? (a, b) => Math.max(a, b) : (a, b) => Math.min(a, b),
  );
  const found = places.filter((_, i) => values[i] === best);
  if (table.deciding === 'values') return found;
  if (found.length === places.length) return NO_DIFFERENCE_TEXT;
  const clearlyBestIndex = indexOfClearlyBestValue(
    values,
    betterDirectionOfTable(spec),
    assumedNoiseOfCell(table, firstElement(places)),
  );
  return clearlyBestIndex === undefined ? 'none clearly' : [places[clearlyBestIndex]!];
}

/** Best cells in every setting, by every measure. */
function findBestCells(
  spec: TableSpec,
  table: TableCellValues,
): { places: readonly CellPosition[]; best: BestCellsOrReason }[] {
  const { deciding } = table;
  if (deciding === 'nothing') return [];
  return typeof deciding === 'string'
    ? groupComparedCells(spec, table).map((places) => ({
        places,
        best: bestCellsByValue(spec, table, places),
      }))
    : judgeTableCells(spec, table).map((judged) => ({
        places: judged.places,
        best: bestCellsByJudgement(judged),
      }));
}

/** Cells of a table with the best ones emphasized and with verdict signs. */
export function emphasizeBestCells(spec: TableSpec, table: TableCellValues): DetailedCell[][] {
  const { emphasize } = spec;
  if (emphasize === undefined) return table.cells.map((row) => [...row]);
  const areNegative = emphasize === 'negative';
  // If the difference has an interval, the whole interval must be negative.
  const isNegative = ({ row, column }: CellPosition) => {
    const { value, high = value } = table.cells[row]![column]!;
    return typeof high === 'number' && high < 0;
  };
  const at = ({ row, column }: CellPosition) => row * table.columns.length + column;
  const emphasizedPlaces = areNegative
    ? positionsOfFilledCells(table).filter(isNegative)
    : findBestCells(spec, table).flatMap(({ best }) => (typeof best === 'string' ? [] : best));
  const emphasizedKeys = new Set(emphasizedPlaces.map(at));
  const judged = areNegative ? [] : judgeTableCells(spec, table);
  const verdictSigns = new Map(
    judged
      .filter(({ judgement }) => !areMethodsIdentical(judgement))
      .flatMap(({ places, judgement }) =>
        places.map((place, i) => [at(place), signOfVerdict(judgement.methods[i]!, judgement)] as const),
      ),
  );
  return table.cells.map((cells, row) =>
    cells.map((cell, column) => ({
      ...cell,
      ...(emphasizedKeys.has(at({ row, column })) && { isEmphasized: true }),
      ...verdictSigns.get(at({ row, column })),
    })),
  );
}

/**
 * Best label by each measure of a table that compares labels of the axes `among`: its value if there is one
 * setting, otherwise the number of settings in which it is best.
 * @param nameOf name of labels of these axes.
 */
export function describeBestCells(
  spec: TableSpec,
  table: TableCellValues,
  nameOf: (axes: readonly string[], labels: readonly (Label | null)[]) => string,
): ReportFact[] {
  if (spec.among.length === 0 || spec.emphasize === undefined || spec.emphasize === 'negative') return [];
  const axes = [...spec.rows, ...spec.columns].filter((axis) => spec.among.includes(axis));
  const { deciding } = table;
  const alikeText = typeof deciding === 'string' ? 'alike' : 'as good';
  const over = typeof deciding === 'string' ? '' : ` (${remarkOnReplications(deciding)})`;
  const all = findBestCells(spec, table);
  return [...new Set(table.columns.map(({ measure }) => measure))].flatMap((measure) => {
    const settings = all.filter(({ places }) => metricOfColumn(table, firstElement(places)) === measure);
    if (settings.length === 0) return [];
    const names = settings.map(({ best, places }) => {
      if (typeof best === 'string') return best;
      if (best.length === places.length) return NO_DIFFERENCE_TEXT;
      const name = nameOf(axes, axisLabelsOfCell(spec, table, firstElement(best), true));
      return best.length === 1 ? name : `${name} (and ${formatCount(best.length - 1, 'other')} ${alikeText})`;
    });
    const label = `Best ${measure.title}${over}`;
    if (names.length > 1)
      return [
        {
          label,
          value: formatMostFrequentNames(
            names,
            settings.some(({ best }) => typeof best !== 'string'),
          ),
        },
      ];
    const { best } = firstElement(settings);
    const { unit = '', format } = measure;
    const name = firstElement(names);
    if (typeof best === 'string' || name === NO_DIFFERENCE_TEXT) return [{ label, value: name }];
    return [
      {
        label,
        value: `${name}: ${formatValue(cellValueAt(table, firstElement(best)), format)} ${unit}`.trimEnd(),
      },
    ];
  });
}

/** Remark on the number of replications, and whether they are too few to judge. */
function remarkOnReplications({ draws, population: { fewest } }: CellComparisonReplications): string {
  const count = draws[0]?.[0]?.length ?? 0;
  return count < fewest
    ? `not judged below ${formatNumber(fewest)} replications`
    : `over ${formatNumber(count)} replications`;
}

/** Largest number of labels that are listed with their counts. */
const MAX_LISTED_BEST_NAMES = 3;

/** Most frequent names with their counts, as text. */
function formatMostFrequentNames(names: readonly string[], isAnyBest: boolean): string {
  const times = [...groupBy(names, (name) => name)].map(([name, { length }]) => [name, length] as const);
  const [[first, most], ...others] = times.sort(([, a], [, b]) => b - a) as [[string, number]];
  if (others.length === 0) return isAnyBest ? `${first} in all ${formatNumber(most)} settings` : first;
  const rest = times.slice(MAX_LISTED_BEST_NAMES).reduce((sum, [, count]) => sum + count, 0);
  return [
    `${first} in ${formatNumber(most)} of ${formatNumber(names.length)} settings`,
    ...times.slice(1, MAX_LISTED_BEST_NAMES).map(([name, count]) => `${name} in ${formatNumber(count)}`),
    ...(rest > 0 ? [`others in ${formatNumber(rest)}`] : []),
  ].join(', ');
}
