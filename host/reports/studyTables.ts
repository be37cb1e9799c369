/** Tables of a finished study, with published values beside the reproduced ones. */
import { formatDurationSpan, formatNumber, formatPercent } from '../format/numbers.js';
import { firstElement, groupBy, minAndMax } from '../lists.js';
import {
  describeEstimateSource,
  describeRuntimeKnowledgeOfRun,
  NO_ESTIMATES_PHRASE,
} from '../simulate/decisionView.js';
import type { Judgement } from '../statistics/judging.js';
import { type Population, populationOfSettings, populationOfStudyOptions } from '../statistics/population.js';
import {
  kindOfMeanBounds,
  SINGLE_SIMULATION_REMARK,
  warningsOnMeansOfMetrics,
} from '../statistics/samples.js';
import {
  addMeasuredValues,
  type Evaluated,
  type Evaluation,
  type MeasuredValue,
  selectCellsByLabels,
} from '../study/evaluate.js';
import {
  optionsVaryingAlongAxis,
  PART_AXIS_NAME,
  parseSettingOptions,
  VARIANT_AXIS_NAME,
} from '../study/expand.js';
import { parametersOfPlannedRun } from '../study/plan.js';
import type { AxisLabelConditions, Label } from '../study/schema.js';
import { joinLabelsAsKey } from '../study/steps.js';
import {
  isPublishedValueReproduced,
  type Measure,
  type PublishedValue,
  type TableSpec,
} from '../study/study.js';
import type { ReportFact } from '../view/report.js';
import type { DetailedCell, Table, TableCell, TableColumn } from '../view/table.js';
import {
  type BestCellEvidence,
  type CellComparisonReplications,
  describeBestCells,
  emphasizeBestCells,
  groupComparedCells,
  type JudgedCells,
  judgeTableCells,
  type TableCellValues,
} from './bestCells.js';
import {
  areMethodsIdentical,
  type DifferenceToBest,
  differencesToBest,
  distinguishingPercentFormat,
  signOfVerdict,
  verdictWord,
} from './verdicts.js';

/** Text of several labels, separated by commas. */
export function joinLabels(cellLabels: readonly (Label | null)[]): string {
  return cellLabels.filter((label) => label !== null && label !== '').join(', ');
}

/** Pattern of labels that need the name of their axis, such as numbers and truth values. */
const BARE_LABEL_PATTERN = /^(?:[^a-z]*|true|false|yes|no|none)$/i;

/** Display title of an axis; parameters of a list are in brackets. */
export function formatAxisTitle(axisName: string): string {
  return axisName === VARIANT_AXIS_NAME ? 'parameters' : axisName;
}

/** Text of labels on several axes; numbers and truth values follow the name of their axis. */
export function formatLabelsWithAxisNames(
  axes: readonly string[],
  cellLabels: readonly (Label | null)[],
): string {
  const isNamedLabel = (axisLabel: Label | null) =>
    axisLabel !== null && axisLabel !== '' && BARE_LABEL_PATTERN.test(String(axisLabel));
  return joinLabels(cellLabels.map((label, i) => (isNamedLabel(label) ? `${axes[i]} ${label}` : label)));
}

/** Table view of an evaluated measure: some axes as rows and columns, all others fixed by conditions. */
export class MeasureTableView {
  readonly #positions: readonly (readonly number[])[];
  readonly #values = new Map<string, MeasuredValue>();
  /** Distinct label combinations for each list of axes, in order. */
  readonly labels: readonly (readonly (readonly (Label | null)[])[])[];

  constructor(
    evaluatedMeasure: Evaluated,
    conditions: AxisLabelConditions,
    axisGroups: readonly (readonly string[])[],
  ) {
    const { axes, cells } = selectCellsByLabels(evaluatedMeasure, conditions);
    this.#positions = axisGroups.map((names) => names.map((name) => axes.indexOf(name)));
    const labelsByKey = axisGroups.map(() => new Map<string, readonly (Label | null)[]>());
    for (const { labels: cellLabels, value: evaluatedValue } of cells) {
      const labelsByView = this.#positions.map((positions) => positions.map((i) => cellLabels[i] ?? null));
      for (const [i, axisLabels] of labelsByView.entries())
        labelsByKey[i]!.set(joinLabelsAsKey(axisLabels), axisLabels);
      this.#values.set(joinLabelsAsKey(labelsByView.flat()), evaluatedValue);
    }
    this.labels = labelsByKey.map((distinct) => [...distinct.values()]);
  }

  value(...cellLabels: readonly (readonly (Label | null)[])[]): MeasuredValue | undefined {
    return this.#values.get(joinLabelsAsKey(cellLabels.flat()));
  }
}

/**
 * True if the published value lies in the range over replications or, without a range, equals the
 * reproduced value.
 */
function isPublishedValueInRange(
  { value: measuredValue, low, high }: MeasuredValue,
  publishedValue: PublishedValue,
): boolean {
  if (low === undefined || high === undefined)
    return isPublishedValueReproduced(measuredValue, publishedValue);
  return low <= publishedValue.value && publishedValue.value <= high;
}

function makePublishedValueCell(
  measuredValue: MeasuredValue | undefined,
  publishedValue: PublishedValue | undefined,
): DetailedCell {
  return {
    value: measuredValue === undefined || Number.isNaN(measuredValue.value) ? null : measuredValue.value,
    ...(publishedValue === undefined
      ? {}
      : { published: publishedValue.isPercent ? publishedValue.value : publishedValue.text }),
    ...(measuredValue?.low === undefined ? {} : { low: measuredValue.low }),
    ...(measuredValue?.high === undefined ? {} : { high: measuredValue.high }),
    ...(measuredValue === undefined || publishedValue === undefined
      ? {}
      : { isInside: isPublishedValueInRange(measuredValue, publishedValue) }),
  };
}

/** Numeric column of a table: heading, and the value of each row. */
interface MeasureTableColumn {
  /** Key of the column among the published values. */
  readonly key: string;
  readonly measure: Measure;
  readonly labels: readonly (Label | null)[];
  readonly column: TableColumn;
  readonly valueOfRow: (row: readonly (Label | null)[]) => MeasuredValue | undefined;
}

/** Numeric columns of a table; several measures are placed side by side. */
function makeMeasureColumns(
  evaluation: Evaluation,
  tableSpec: TableSpec,
): { rows: MeasureTableView['labels'][number]; columns: MeasureTableColumn[] } {
  const views = tableSpec.measures.map(
    (measureName) =>
      new MeasureTableView(evaluation.measure(measureName), tableSpec.where, [
        tableSpec.rows,
        tableSpec.columns,
      ]),
  );
  const measures = tableSpec.measures.flatMap((requestedName) =>
    evaluation.study.measures.filter(({ name: measureName }) => measureName === requestedName),
  );
  const [rows = [], heads = []] = firstElement(views).labels;
  const measureColumns = heads.flatMap((labels) =>
    measures.map((measure, i): MeasureTableColumn => {
      const showsMeasure = tableSpec.columns.length === 0 || measures.length > 1;
      const titles = showsMeasure ? [measure.title] : [];
      return {
        key: joinLabels([...(showsMeasure ? [measure.name] : []), ...labels]),
        measure,
        labels,
        column: {
          title: joinLabels([
            ...(tableSpec.columns.length === 0 ? [] : [formatLabelsWithAxisNames(tableSpec.columns, labels)]),
            ...titles,
          ]),
          ...(showsMeasure && measure.unit !== undefined ? { unit: measure.unit } : {}),
          format: measure.format,
        },
        valueOfRow: (row) => views[i]!.value(row, labels),
      };
    }),
  );
  return { rows, columns: measureColumns };
}

/** Cells of a table with the labels and evidence that decide which are best. */
function evaluateTableCells(
  evaluation: Evaluation,
  tableSpec: TableSpec,
  comparisonCount: number,
): Omit<TableCellValues, 'columns'> & { readonly columns: readonly MeasureTableColumn[] } {
  const { rows, columns: measureColumns } = makeMeasureColumns(evaluation, tableSpec);
  const cells = rows.map((row) => {
    const publishedByColumn = tableSpec.published.get(joinLabels(row));
    return measureColumns.map(({ valueOfRow, key: columnKey }) =>
      makePublishedValueCell(valueOfRow(row), publishedByColumn?.get(columnKey)),
    );
  });
  return {
    rows,
    columns: measureColumns,
    cells,
    evidence: bestCellEvidenceOf(evaluation, tableSpec, rows, measureColumns, comparisonCount),
  };
}

const comparesCells = ({ emphasize }: TableSpec) => emphasize === 'least' || emphasize === 'most';

/** Caches the result of a function per evaluation, for all tables of a study. */
function cachePerEvaluation<Value>(
  compute: (evaluation: Evaluation) => Value,
): (evaluation: Evaluation) => Value {
  const cache = new WeakMap<Evaluation, Value>();
  return (evaluation) => {
    const cachedValue = cache.get(evaluation) ?? compute(evaluation);
    cache.set(evaluation, cachedValue);
    return cachedValue;
  };
}

/** Number of comparisons tested in a study, over all settings, measures and tables. */
const comparisonCountOfStudy = cachePerEvaluation((evaluation) => {
  const comparisonCounts = evaluation.study.tables.filter(comparesCells).map((tableSpec) => {
    const table = evaluateTableCells(evaluation, tableSpec, 1);
    return typeof table.evidence === 'string' ? 0 : groupComparedCells(tableSpec, table).length;
  });
  return Math.max(
    1,
    comparisonCounts.reduce((sum, count) => sum + count, 0),
  );
});

/**
 * Table of a study with emphasized cells and, if replications are compared, a second table of distances
 * from the best.
 */
export function makeStudyTables(evaluation: Evaluation, tableSpec: TableSpec): Table[] {
  const comparisonCount = comparisonCountOfStudy(evaluation);
  const table = evaluateTableCells(evaluation, tableSpec, comparisonCount);
  const { rows, columns: measureColumns } = table;
  const tableBody = emphasizeBestCells(tableSpec, table).map((cellRow, i) => [...rows[i]!, ...cellRow]);
  const judgedGroups = comparesCells(tableSpec) ? judgeTableCells(tableSpec, table) : [];
  const metrics = measureColumns.map(({ measure }) => measure.metric);
  const mainTable: Table = {
    id: tableSpec.id,
    title: tableSpec.title,
    caption: [
      tableSpec.caption,
      describeSampledPopulation(evaluation),
      ...(table.evidence === 'noise' && comparesCells(tableSpec) ? [SINGLE_SIMULATION_REMARK] : []),
      ...(evaluation.study.draws?.shows === 'interval' ? warningsOnMeansOfMetrics(metrics) : []),
      describeRuntimeKnowledgeInTable(evaluation, tableSpec),
    ]
      .filter((remark) => remark !== '')
      .join(' '),
    ...timeRangeEntry(evaluation, tableSpec, table),
    columns: [
      ...tableSpec.rows.map(
        (axisName): TableColumn => ({ title: formatAxisTitle(axisName), isHeading: true, align: 'left' }),
      ),
      ...measureColumns.map(({ column }) => column),
    ],
    rows: [...tableBody, ...makeTotalsRow(evaluation, tableSpec, rows, measureColumns)],
    ...(tableSpec.total === undefined ? {} : { hasTotal: true }),
    ...boundsKindEntry(evaluation),
  };
  const distancesTable = makeDistancesTable(
    tableSpec,
    table,
    judgedGroups,
    [...tableSpec.rows, ...tableSpec.columns].map(formatAxisTitle),
  );
  return distancesTable === undefined ? [mainTable] : [mainTable, distancesTable];
}

/**
 * Range of the values in seconds in a table, for each measure: `8 h 51 min to 10 h 12 min`; empty if bare values
 * decide which cells are best.
 */
function timeRangeEntry(
  { study }: Evaluation,
  tableSpec: TableSpec,
  { columns, cells: cellValues }: Pick<TableCellValues, 'columns' | 'cells'>,
): Pick<Table, 'times'> {
  if (isJudgedByBareValues(study, tableSpec)) return {};
  const measures = [...new Set(columns.map(({ measure }) => measure))];
  const sentenceTexts = measures.flatMap((measure) => {
    if (measure.unit !== 's') return [];
    const cellsOfMeasure = cellValues.flatMap((cellRow) =>
      cellRow.filter((_, i) => columns[i]!.measure === measure),
    );
    const spanText = formatDurationSpan(
      cellsOfMeasure.flatMap(({ value: cellValue }) => (typeof cellValue === 'number' ? cellValue : [])),
    );
    return spanText === undefined ? [] : [measures.length > 1 ? `${measure.title}: ${spanText}` : spanText];
  });
  return sentenceTexts.length === 0 ? {} : { times: sentenceTexts.join('; ') };
}

/** Kind of bounds around a study's values. */
export function boundsKindEntry(evaluation: Evaluation): Pick<Table, 'bounds'> {
  const { draws, kind: studyKind } = evaluation.study;
  if (draws === undefined) return {};
  if (draws.shows === 'range') return { bounds: 'range' };
  if (studyKind === 'workloads') return { bounds: 'interval' };
  return {
    bounds: kindOfMeanBounds(populationOfStudyReplications(evaluation), evaluation.labels(draws.axis).length),
  };
}

/** Last row with the column totals, as a list of rows; empty if the table has no totals. */
function makeTotalsRow(
  { study }: Evaluation,
  tableSpec: TableSpec,
  rows: MeasureTableView['labels'][number],
  measureColumns: readonly MeasureTableColumn[],
): TableCell[][] {
  const { total } = tableSpec;
  if (total === undefined) return [];
  const publishedByColumn = tableSpec.published.get(total);
  const detailedCells = measureColumns.map(({ valueOfRow, key: columnKey }) => {
    const columnValues = rows.map(valueOfRow).filter((each) => each !== undefined);
    return makePublishedValueCell(
      addMeasuredValues(columnValues, study.draws?.shows ?? 'range'),
      publishedByColumn?.get(columnKey),
    );
  });
  // Totals are never emphasized.
  const evidence = isJudgedByBareValues(study, tableSpec) ? 'values' : 'nothing';
  const totalRows = emphasizeBestCells(
    { ...tableSpec, among: [] },
    { rows: [[]], columns: measureColumns, cells: [detailedCells], evidence },
  );
  return totalRows.map((totalRow) => [total, ...tableSpec.rows.slice(1).map(() => ''), ...totalRow]);
}

/** Sentences on which labels are best by the measures of a table; empty if the table compares none. */
export function describeBestLabels(evaluation: Evaluation, tableSpec: TableSpec): ReportFact[] {
  if (tableSpec.among.length === 0) return [];
  return describeBestCells(
    tableSpec,
    evaluateTableCells(evaluation, tableSpec, comparisonCountOfStudy(evaluation)),
    formatLabelsWithAxisNames,
  );
}

/**
 * True if bare values decide which cells are best: the table holds published values, or the study simulates
 * nothing.
 */
const isJudgedByBareValues = ({ kind: studyKind }: Evaluation['study'], { published }: TableSpec) =>
  studyKind === 'workloads' || published.size > 0;

/** Evidence by which the best cells of a table are determined. */
function bestCellEvidenceOf(
  evaluation: Evaluation,
  tableSpec: TableSpec,
  rows: MeasureTableView['labels'][number],
  measureColumns: readonly MeasureTableColumn[],
  comparisonCount: number,
): BestCellEvidence {
  const { study } = evaluation;
  if (isJudgedByBareValues(study, tableSpec)) return 'values';
  if (study.draws === undefined) return 'noise';
  const valuesByReplication = rows.map((row) =>
    measureColumns.map(({ valueOfRow }) => valueOfRow(row)?.draws ?? []),
  );
  const replicationCounts = new Set(valuesByReplication.flat().map(({ length }) => length));
  const areAllKnown = valuesByReplication.flat(2).every(Number.isFinite);
  if (replicationCounts.size !== 1 || replicationCounts.has(0) || replicationCounts.has(1) || !areAllKnown)
    return 'nothing';
  return {
    replicationValues: valuesByReplication,
    population: populationOfStudyReplications(evaluation),
    comparisonCount,
  };
}

/** Population that the replications of a study sample, or would sample if it had any. */
export function populationOfStudyReplications({ plan, study }: Evaluation): Population {
  const settings = parseSettingOptions({ options: firstElement(plan.sources), locate: String });
  return study.draws === undefined
    ? populationOfSettings(settings)
    : populationOfStudyOptions(settings, optionsVaryingAlongAxis(study, study.draws.axis));
}

/**
 * Sentence on the sampled population; empty without replications or if the study's options already describe
 * it.
 */
export function describeSampledPopulation(evaluation: Evaluation): string {
  const { study, plan } = evaluation;
  if (study.draws === undefined || plan.sources[0]?.replication === undefined) return '';
  const drawCount = evaluation.labels(study.draws.axis).length;
  return `Replications: ${formatNumber(drawCount)} ${populationOfStudyReplications(evaluation).copies}.`;
}

// Runtime information that methods use, where methods with different information are compared

/** Runtime information used in each setting of a study, with the labels of the setting. */
const runtimeKnowledgeBySetting = cachePerEvaluation(({ study, plan }) => {
  const { runs, points: studyPoints, axes: axisNames, options } = plan;
  // Several settings may share a run.
  const knowledgeByKey = new Map<string, string>();
  const partAxisIndex = axisNames.indexOf(PART_AXIS_NAME);
  return studyPoints.map(({ labels: pointLabels, run }) => {
    const studyPart = study.parts.find(
      ({ name: partName }) => partAxisIndex < 0 || partName === pointLabels[partAxisIndex],
    );
    const estimatesText = options.estimates ?? studyPart?.options.estimates;
    const estimatesPhrase = estimatesText?.replace(
      /\{([^{}]+)\}/g,
      (_, axis) => `${pointLabels[axisNames.indexOf(axis)]}`,
    );
    const { policy, order, discipline, moldableThreshold } = parametersOfPlannedRun(runs[run]!);
    const knowledgeOptions = { policy, order, discipline, moldableThreshold };
    const methodKey = JSON.stringify([knowledgeOptions, estimatesPhrase]);
    const knowledge =
      knowledgeByKey.get(methodKey) ??
      describeRuntimeKnowledgeOfRun(knowledgeOptions, describeEstimateSource(estimatesPhrase));
    knowledgeByKey.set(methodKey, knowledge);
    return { labels: pointLabels, knowledge };
  });
});

/** Kind of runtime information, without the source of estimates in brackets. */
const runtimeKnowledgeKind = (knowledge: string) => knowledge.replace(/ \(.*/, '');

/**
 * Sentence on the runtime information that the methods in a table use, for the first axis along which it
 * differs; empty if all methods use the same.
 */
function describeRuntimeKnowledgeInTable(
  evaluation: Evaluation,
  { where, rows, columns }: Pick<TableSpec, 'where' | 'rows' | 'columns'>,
): string {
  const { study, plan } = evaluation;
  if (study.kind !== 'simulations') return '';
  const conditionsOnAxes = Object.fromEntries(
    Object.entries(where).filter(([axisName]) => plan.axes.includes(axisName)),
  );
  const { cells } = selectCellsByLabels(
    { axes: plan.axes, cells: runtimeKnowledgeBySetting(evaluation) },
    conditionsOnAxes,
  );
  if (new Set(cells.map(({ knowledge }) => runtimeKnowledgeKind(knowledge))).size < 2) return '';
  const findDistinctKnowledge = (settings: readonly { readonly knowledge: string }[]) => [
    ...new Set(settings.map(({ knowledge }) => knowledge)),
  ];
  for (const axisName of [...rows, ...columns].filter((each) => plan.axes.includes(each))) {
    const axisIndex = plan.axes.indexOf(axisName);
    const cellsByLabel = [...groupBy(cells, ({ labels }) => labels[axisIndex]!)];
    if (cellsByLabel.every(([, cellsOfLabel]) => findDistinctKnowledge(cellsOfLabel).length === 1))
      return listLabelsByRuntimeKnowledge(
        cellsByLabel.map(([label, cellsOfLabel]) => [
          label,
          firstElement(findDistinctKnowledge(cellsOfLabel)),
        ]),
      );
  }
  return `Methods know different things: ${findDistinctKnowledge(cells).join('; ')}.`;
}

/** Sentence that lists labels by their runtime information, those without estimates last. */
function listLabelsByRuntimeKnowledge(
  knowledgeOfLabels: readonly (readonly [Label | null, string])[],
): string {
  const { [NO_ESTIMATES_PHRASE]: labelsWithoutEstimates, ...labelsByKnowledge } = Object.fromEntries(
    [...groupBy(knowledgeOfLabels, ([, knowledge]) => knowledge)].map(([group, labelsOfGroup]) => [
      group,
      labelsOfGroup.map(([label]) => label),
    ]),
  );
  const sentenceTexts = Object.entries(labelsByKnowledge).map(
    ([group, labels]) => `${labels.join('; ')}: ${group}`,
  );
  if (labelsWithoutEstimates !== undefined)
    sentenceTexts.push(
      `${labelsWithoutEstimates.length > 3 ? 'all others' : labelsWithoutEstimates.join('; ')}: ${NO_ESTIMATES_PHRASE}`,
    );
  return `Information used by ${sentenceTexts.join(' | ')}.`;
}

// Tables of the distance of each label from the best other one, per setting

/** Range of shares as text: `1.2 % to 4.0 %`. */
function formatShareRange(shares: readonly number[]): string {
  const [leastText, mostText] = minAndMax(shares).map((share) => formatPercent(share, share < 0.01 ? 2 : 1));
  return leastText === mostText ? `${mostText}` : `${leastText} to ${mostText}`;
}

/** Notes that apply to all comparisons of a table. */
function notesOnTableJudgements(
  judged: readonly JudgedCells[],
  { population, comparisonCount }: CellComparisonReplications,
): string[] {
  const judgements = judged.map(({ judgement }) => judgement);
  const [{ replications: replicationCount }] = judgements as [Judgement];
  const skewedDifferences = judgements.flatMap((judgement) => judgement.skewed.slice(0, 1));
  const leastDifferences = judgements.flatMap(({ leastDifference, methods, observedBest }) => {
    const scale = Math.abs(methods[observedBest]!.mean);
    return leastDifference === null || scale === 0 ? [] : [leastDifference / scale];
  });
  const comparisonsText =
    comparisonCount === 1
      ? 'the comparison'
      : `all ${formatNumber(comparisonCount)} comparisons of these tables`;
  return [
    `The difference to the best of the others in percent of the best mean, from paired differences over ${formatNumber(replicationCount)} ${population.copies}, with simultaneous 95 % confidence limits for ${comparisonsText}.`,
    ...(leastDifferences.length === 0
      ? []
      : [
          `With ${formatNumber(replicationCount)} replications, a difference of ${formatShareRange(leastDifferences)} between the best mean and what is undecided or may be the best is detected with 80 % power.`,
        ]),
    ...(skewedDifferences.length === 0
      ? []
      : [
          `Differences are skewed${judged.length === 1 ? '' : ` in ${skewedDifferences.length} of ${judged.length} settings`}: with fewer than ${formatNumber(Math.max(...skewedDifferences.map((skewedDifference) => skewedDifference.replications)))} replications, the actual coverage of the limits may be below 95 %.`,
        ]),
  ];
}

/**
 * Table of distances from the best label; undefined if nothing is tested or nothing differs.
 * @param axes titles of the row and column axes.
 */
function makeDistancesTable(
  { id, title: tableTitle, emphasize }: TableSpec,
  { rows, columns, evidence }: TableCellValues,
  judgedCells: readonly JudgedCells[],
  axes: readonly string[],
): Table | undefined {
  const judgedGroups = judgedCells.filter(({ judgement }) => judgement.isJudged);
  if (typeof evidence === 'string' || judgedGroups.every(({ judgement }) => areMethodsIdentical(judgement)))
    return undefined;
  const hasSeveralMeasures = new Set(columns.map(({ measure }) => measure)).size > 1;
  const shares: DifferenceToBest[] = [];
  const tableBody = judgedGroups.flatMap(({ positions: cellPositions, judgement }) => {
    const differences = differencesToBest(judgement, emphasize === 'most' ? 'more' : 'less');
    const isSingle = areMethodsIdentical(judgement);
    return cellPositions.map(({ row: rowIndex, column: columnIndex }, i): TableCell[] => {
      const judgedMethod = judgement.methods[i]!;
      shares.push(differences[i]!);
      const verdictText = isSingle ? 'identical' : verdictWord(judgedMethod);
      const cellLabels: (Label | null)[] = [...rows[rowIndex]!, ...columns[columnIndex]!.labels];
      return [
        ...cellLabels,
        ...(hasSeveralMeasures ? [columns[columnIndex]!.measure.title] : []),
        { ...differences[i]! },
        { value: verdictText, ...(isSingle ? {} : signOfVerdict(judgedMethod, judgement)) },
      ];
    });
  });
  const makeHeadingColumn = (axisName: string): TableColumn => ({
    title: axisName,
    isHeading: true,
    align: 'left',
  });
  return {
    id: `${id}-behind`,
    title: `${tableTitle}: behind the best`,
    caption: notesOnTableJudgements(judgedGroups, evidence).join(' '),
    columns: [
      ...axes.map(makeHeadingColumn),
      ...(hasSeveralMeasures ? [makeHeadingColumn('measure')] : []),
      {
        title: 'behind the best',
        format: distinguishingPercentFormat(shares),
        holds: 'difference',
        bounds: 'joint',
      },
      { title: 'verdict' },
    ],
    rows: tableBody,
    bounds: 'joint',
    details: 'beside',
  };
}
