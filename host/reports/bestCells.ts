/** Best cells of a study's table: which cells are emphasized, and in how many settings each label is best. */
import { formatCount, formatNumber, formatValue } from '../format/numbers.js';
import { firstElement, groupBy } from '../lists.js';
import { INTERVAL_ERROR_PROBABILITY } from '../statistics/interval.js';
import { type Judgement, judgeMethods } from '../statistics/judging.js';
import { defaultEquivalenceMargin, type Population } from '../statistics/population.js';
import { findClearlyBestValue } from '../statistics/samples.js';
import { findSimulationMetric } from '../study/runValues.js';
import type { Label } from '../study/schema.js';
import { joinLabelsAsKey } from '../study/steps.js';
import type { StudyMeasure, StudyTableSpec } from '../study/study.js';
import type { ReportFact } from '../view/report.js';
import type { DetailedCell } from '../view/table.js';
import { areMethodsIdentical, formatEquivalenceMargin, signOfVerdict } from './verdicts.js';

/** Cells of a table with their axis labels, as input for finding the best ones. */
export interface TableCellValues {
  readonly rows: readonly (readonly (Label | null)[])[];
  readonly columns: readonly { readonly measure: StudyMeasure; readonly labels: readonly (Label | null)[] }[];
  /** Cells by row, then by column. */
  readonly cells: readonly (readonly DetailedCell[])[];
  readonly evidence: BestCellEvidence;
}

/** Replications by which the labels of a table are compared. */
export interface ReplicationsOfComparedCells {
  /** Values by row, column and replication. */
  readonly replicationValues: readonly (readonly (readonly number[])[])[];
  readonly population: Population;
  /** Number of simultaneous comparisons in the study, over all settings and measures. */
  readonly comparisonCount: number;
}

/**
 * Evidence by which cells count as best: replications, the assumed noise of one sample, or the bare values.
 */
export type BestCellEvidence = ReplicationsOfComparedCells | 'noise' | 'values' | 'nothing';

interface CellPosition {
  readonly row: number;
  readonly column: number;
}

/** Value of a cell; NaN if it is empty. */
function getCellValueAt(
  { cells: cellValues }: TableCellValues,
  { row: rowIndex, column: columnIndex }: CellPosition,
): number {
  const { value: cellValue } = cellValues[rowIndex]![columnIndex]!;
  return typeof cellValue === 'number' && Number.isFinite(cellValue) ? cellValue : Number.NaN;
}

/** Labels of a cell on the compared axes, or on all other axes. */
function getAxisLabelsOfCell(
  tableSpec: StudyTableSpec,
  tableValues: TableCellValues,
  position: CellPosition,
  selectsComparedAxes: boolean,
): (Label | null)[] {
  const cellLabels = [...tableValues.rows[position.row]!, ...tableValues.columns[position.column]!.labels];
  const axes = [...tableSpec.rows, ...tableSpec.columns];
  return cellLabels.filter((_, i) => tableSpec.among.includes(axes[i]!) === selectsComparedAxes);
}

/** Positions of all cells with a value. */
function listPositionsOfFilledCells(tableValues: TableCellValues): CellPosition[] {
  const allCells = tableValues.cells.flatMap((detailedCells, row) =>
    detailedCells.map((_, column) => ({ row, column })),
  );
  return allCells.filter((cellPosition) => !Number.isNaN(getCellValueAt(tableValues, cellPosition)));
}

const getMetricOfCell = ({ columns }: TableCellValues, { column: columnIndex }: CellPosition) =>
  columns[columnIndex]!.measure;

/**
 * Groups of cells that are compared with each other: along the axes of `among` or, by default, along a row.
 */
export function groupComparedCells(
  tableSpec: StudyTableSpec,
  tableValues: TableCellValues,
): CellPosition[][] {
  const keyOf = (position: CellPosition) => {
    const cellLabels =
      tableSpec.among.length === 0
        ? [position.row]
        : getAxisLabelsOfCell(tableSpec, tableValues, position, false);
    return joinLabelsAsKey([getMetricOfCell(tableValues, position).name, ...cellLabels]);
  };
  const cellGroups = groupBy(listPositionsOfFilledCells(tableValues), keyOf);
  return [...cellGroups.values()].filter((cellPositions) => cellPositions.length > 1);
}

const findBetterDirectionOfTable = ({ emphasize }: StudyTableSpec) =>
  emphasize === 'most' ? 'more' : 'less';

/**
 * Kind of noise between samples of the cell's metric, from which equivalence margins follow; for workload
 * statistics, that of a mean.
 */
const findNoiseKindOfCell = (tableValues: TableCellValues, position: CellPosition) =>
  findSimulationMetric(getMetricOfCell(tableValues, position).metric) ?? { noise: 'all' as const };

/** Cells of one measure in one setting, with the judgement over the replications. */
export interface JudgedCells {
  readonly positions: readonly CellPosition[];
  readonly judgement: Judgement;
}

/** Judgements for all settings and measures of a table; empty unless replications decide. */
export function judgeTableCells(tableSpec: StudyTableSpec, tableValues: TableCellValues): JudgedCells[] {
  const { evidence } = tableValues;
  if (typeof evidence === 'string') return [];
  const { replicationValues, population, comparisonCount } = evidence;
  return groupComparedCells(tableSpec, tableValues).map((positions) => {
    const samples = positions.map(
      ({ row: rowIndex, column: columnIndex }) => replicationValues[rowIndex]![columnIndex]!,
    );
    const judgement = judgeMethods(samples, {
      better: findBetterDirectionOfTable(tableSpec),
      within:
        tableSpec.within ??
        defaultEquivalenceMargin(findNoiseKindOfCell(tableValues, firstElement(positions)), population),
      fewest: population.fewest,
      level: INTERVAL_ERROR_PROBABILITY / comparisonCount,
    });
    return { positions, judgement };
  });
}

/** Best cells of a group, or a text that says why there is none. */
type BestCellsOrReason = readonly CellPosition[] | string;

const NO_DIFFERENCE_TEXT = 'no difference';

function findBestCellsByJudgement({ positions: cellPositions, judgement }: JudgedCells): BestCellsOrReason {
  const { methods, isJudged, isOneSample } = judgement;
  if (isOneSample) return 'not judged (all replications are alike)';
  if (!isJudged) return 'not judged';
  if (areMethodsIdentical(judgement)) return NO_DIFFERENCE_TEXT;
  const bestCells = cellPositions.filter((_, i) => methods[i]!.verdict === 'best');
  if (bestCells.length === 0) return 'undecided';
  return bestCells.length === cellPositions.length
    ? `all within ${formatEquivalenceMargin(judgement)}`
    : bestCells;
}

/** Best cells of a group by bare value; several if they are equal. */
function findBestCellsByValue(
  tableSpec: StudyTableSpec,
  tableValues: TableCellValues,
  cellPositions: readonly CellPosition[],
): BestCellsOrReason {
  const cellValues = cellPositions.map((cellPosition) => getCellValueAt(tableValues, cellPosition));
  const bestValue = cellValues.reduce(
    findBetterDirectionOfTable(tableSpec) === 'more' ? (a, b) => Math.max(a, b) : (a, b) => Math.min(a, b),
  );
  const bestCellPositions = cellPositions.filter((_, i) => cellValues[i] === bestValue);
  if (tableValues.evidence === 'values') return bestCellPositions;
  if (bestCellPositions.length === cellPositions.length) return NO_DIFFERENCE_TEXT;
  const clearlyBestIndex = findClearlyBestValue(
    cellValues,
    findBetterDirectionOfTable(tableSpec),
    findNoiseKindOfCell(tableValues, firstElement(cellPositions)),
  );
  return clearlyBestIndex === undefined ? 'too close to tell' : [cellPositions[clearlyBestIndex]!];
}

/** Best cells in every setting, by every measure. */
function findBestCells(
  tableSpec: StudyTableSpec,
  tableValues: TableCellValues,
): { places: readonly CellPosition[]; best: BestCellsOrReason }[] {
  const { evidence } = tableValues;
  if (evidence === 'nothing') return [];
  return typeof evidence === 'string'
    ? groupComparedCells(tableSpec, tableValues).map((cellPositions) => ({
        places: cellPositions,
        best: findBestCellsByValue(tableSpec, tableValues, cellPositions),
      }))
    : judgeTableCells(tableSpec, tableValues).map((judgedCells) => ({
        places: judgedCells.positions,
        best: findBestCellsByJudgement(judgedCells),
      }));
}

/** Cells of a table with the best ones emphasized and with verdict signs. */
export function emphasizeBestCells(
  tableSpec: StudyTableSpec,
  tableValues: TableCellValues,
): DetailedCell[][] {
  const { emphasize } = tableSpec;
  if (emphasize === undefined) return tableValues.cells.map((cellRow) => [...cellRow]);
  const emphasizesNegative = emphasize === 'negative';
  // If the difference has an interval, the whole interval must be negative.
  const isNegative = ({ row: rowIndex, column: columnIndex }: CellPosition) => {
    const { value: cellValue, high = cellValue } = tableValues.cells[rowIndex]![columnIndex]!;
    return typeof high === 'number' && high < 0;
  };
  const computeIndexOfCell = ({ row: rowIndex, column: columnIndex }: CellPosition) =>
    rowIndex * tableValues.columns.length + columnIndex;
  const emphasizedCellPositions = emphasizesNegative
    ? listPositionsOfFilledCells(tableValues).filter(isNegative)
    : findBestCells(tableSpec, tableValues).flatMap(({ best: bestCells }) =>
        typeof bestCells === 'string' ? [] : bestCells,
      );
  const emphasizedCellIndices = new Set(emphasizedCellPositions.map(computeIndexOfCell));
  const judgedGroups = emphasizesNegative ? [] : judgeTableCells(tableSpec, tableValues);
  const verdictSigns = new Map(
    judgedGroups
      .filter(({ judgement }) => !areMethodsIdentical(judgement))
      .flatMap(({ positions: cellPositions, judgement }) =>
        cellPositions.map(
          (cellPosition, i) =>
            [computeIndexOfCell(cellPosition), signOfVerdict(judgement.methods[i]!, judgement)] as const,
        ),
      ),
  );
  return tableValues.cells.map((detailedCells, row) =>
    detailedCells.map((cell, column) => ({
      ...cell,
      ...(emphasizedCellIndices.has(computeIndexOfCell({ row, column })) && { isEmphasized: true }),
      ...verdictSigns.get(computeIndexOfCell({ row, column })),
    })),
  );
}

/**
 * Best label by each measure of a table that compares labels of the axes `among`: its value if there is one
 * setting, otherwise the number of settings in which it is best.
 * @param describeLabels name of labels of these axes.
 */
export function describeBestCells(
  tableSpec: StudyTableSpec,
  tableValues: TableCellValues,
  describeLabels: (axes: readonly string[], labels: readonly (Label | null)[]) => string,
): ReportFact[] {
  if (tableSpec.among.length === 0 || tableSpec.emphasize === undefined || tableSpec.emphasize === 'negative')
    return [];
  const axes = [...tableSpec.rows, ...tableSpec.columns].filter((axisName) =>
    tableSpec.among.includes(axisName),
  );
  const { evidence } = tableValues;
  const alikeText = typeof evidence === 'string' ? 'alike' : 'as good';
  const replicationRemark = typeof evidence === 'string' ? '' : ` (${formatReplicationRemark(evidence)})`;
  const bestCells = findBestCells(tableSpec, tableValues);
  return [...new Set(tableValues.columns.map(({ measure }) => measure))].flatMap((measure) => {
    const settings = bestCells.filter(
      ({ places: cellPositions }) => getMetricOfCell(tableValues, firstElement(cellPositions)) === measure,
    );
    if (settings.length === 0) return [];
    const bestCellNames = settings.map(({ best: bestCells, places: cellPositions }) => {
      if (typeof bestCells === 'string') return bestCells;
      if (bestCells.length === cellPositions.length) return NO_DIFFERENCE_TEXT;
      const cellName = describeLabels(
        axes,
        getAxisLabelsOfCell(tableSpec, tableValues, firstElement(bestCells), true),
      );
      return bestCells.length === 1
        ? cellName
        : `${cellName} (and ${formatCount(bestCells.length - 1, 'other')} ${alikeText})`;
    });
    const bestCellsLabel = `Best ${measure.title}${replicationRemark}`;
    if (bestCellNames.length > 1)
      return [
        {
          label: bestCellsLabel,
          value: formatMostFrequentNames(
            bestCellNames,
            settings.some(({ best: bestCells }) => typeof bestCells !== 'string'),
          ),
        },
      ];
    const { best } = firstElement(settings);
    const { unit: measureUnit = '', format } = measure;
    const cellName = firstElement(bestCellNames);
    if (typeof best === 'string' || cellName === NO_DIFFERENCE_TEXT)
      return [{ label: bestCellsLabel, value: cellName }];
    return [
      {
        label: bestCellsLabel,
        value:
          `${cellName}: ${formatValue(getCellValueAt(tableValues, firstElement(best)), format)} ${measureUnit}`.trimEnd(),
      },
    ];
  });
}

/** Remark on the number of replications, and whether they are too few to judge. */
function formatReplicationRemark({
  replicationValues: draws,
  population: { fewest },
}: ReplicationsOfComparedCells): string {
  const drawCount = draws[0]?.[0]?.length ?? 0;
  return drawCount < fewest
    ? `not judged below ${formatNumber(fewest)} replications`
    : `over ${formatNumber(drawCount)} replications`;
}

/** Largest number of labels that are listed with their counts. */
const MAX_LISTED_BEST_NAMES = 3;

/** Most frequent names with their counts, as text. */
function formatMostFrequentNames(names: readonly string[], isAnyCellBest: boolean): string {
  const countsByName = [...groupBy(names, (name) => name)].map(
    ([name, { length }]) => [name, length] as const,
  );
  const [[firstName, most], ...others] = countsByName.sort(([, a], [, b]) => b - a) as [[string, number]];
  if (others.length === 0)
    return isAnyCellBest ? `${firstName} in all ${formatNumber(most)} settings` : firstName;
  const unlistedCount = countsByName.slice(MAX_LISTED_BEST_NAMES).reduce((sum, [, count]) => sum + count, 0);
  return [
    `${firstName} in ${formatNumber(most)} of ${formatNumber(names.length)} settings`,
    ...countsByName
      .slice(1, MAX_LISTED_BEST_NAMES)
      .map(([name, count]) => `${name} in ${formatNumber(count)}`),
    ...(unlistedCount > 0 ? [`others in ${formatNumber(unlistedCount)}`] : []),
  ].join(', ');
}
