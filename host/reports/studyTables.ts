/** Tables of a finished study, with published values beside the reproduced ones. */
import { formatDurationSpan, formatNumber, formatPercent } from '../format/numbers.js';
import { firstElement, groupBy, minAndMax } from '../lists.js';
import {
  describeEstimateSource,
  describeRuntimeKnowledgeOfRun,
  NO_ESTIMATES_PHRASE,
} from '../simulate/decisionView.js';
import type { Judgement } from '../statistics/judging.js';
import {
  makePopulationOfStudyOptions,
  type Population,
  populationOfSettings,
} from '../statistics/population.js';
import { kindOfMeanBounds, makeWarningsOnMeans, SINGLE_SIMULATION_REMARK } from '../statistics/samples.js';
import {
  addMeasuredValues,
  type Evaluated,
  type Evaluation,
  type MeasuredValue,
  selectCellsByLabels,
} from '../study/evaluate.js';
import {
  listOptionsVaryingAlongAxis,
  PART_AXIS_NAME,
  parseSettingOptions,
  VARIANT_AXIS_NAME,
} from '../study/expand.js';
import { restoreParametersOfPlannedRun } from '../study/plan.js';
import type { AxisLabelConditions, Label } from '../study/schema.js';
import { joinLabelsAsKey } from '../study/steps.js';
import {
  isPublishedValueReproduced,
  type PublishedValue,
  type StudyMeasure,
  type StudyTableSpec,
} from '../study/study.js';
import type { ReportFact } from '../view/report.js';
import type { DetailedCell, Table, TableCell, TableColumn } from '../view/table.js';
import {
  type BestCellEvidence,
  describeBestCells,
  emphasizeBestCells,
  groupComparedCells,
  type JudgedCells,
  judgeTableCells,
  type ReplicationsOfComparedCells,
  type TableCellValues,
} from './bestCells.js';
import {
  areMethodsIdentical,
  chooseSignedPercentFormat,
  type DifferenceToBest,
  differencesToBest,
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
  const needsAxisName = (axisLabel: Label | null) =>
    axisLabel !== null && axisLabel !== '' && BARE_LABEL_PATTERN.test(String(axisLabel));
  return joinLabels(cellLabels.map((label, i) => (needsAxisName(label) ? `${axes[i]} ${label}` : label)));
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
      const labelsByAxisGroup = this.#positions.map((positions) =>
        positions.map((i) => cellLabels[i] ?? null),
      );
      for (const [i, axisLabels] of labelsByAxisGroup.entries())
        labelsByKey[i]!.set(joinLabelsAsKey(axisLabels), axisLabels);
      this.#values.set(joinLabelsAsKey(labelsByAxisGroup.flat()), evaluatedValue);
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
  readonly measure: StudyMeasure;
  readonly labels: readonly (Label | null)[];
  readonly column: TableColumn;
  readonly valueOfRow: (row: readonly (Label | null)[]) => MeasuredValue | undefined;
}

/** Numeric columns of a table; several measures are placed side by side. */
function makeMeasureColumns(
  evaluation: Evaluation,
  tableSpec: StudyTableSpec,
): { rows: MeasureTableView['labels'][number]; columns: MeasureTableColumn[] } {
  const views = tableSpec.measures.map(
    (measureName) =>
      new MeasureTableView(evaluation.measure(measureName), tableSpec.where, [
        tableSpec.rows,
        tableSpec.columns,
      ]),
  );
  const measures = tableSpec.measures.flatMap((requestedMeasureName) =>
    evaluation.study.measures.filter(({ name: measureName }) => measureName === requestedMeasureName),
  );
  const [rows = [], heads = []] = firstElement(views).labels;
  const measureColumns = heads.flatMap((labels) =>
    measures.map((measure, i): MeasureTableColumn => {
      const namesMeasureInColumn = tableSpec.columns.length === 0 || measures.length > 1;
      const titles = namesMeasureInColumn ? [measure.title] : [];
      return {
        key: joinLabels([...(namesMeasureInColumn ? [measure.name] : []), ...labels]),
        measure,
        labels,
        column: {
          title: joinLabels([
            ...(tableSpec.columns.length === 0 ? [] : [formatLabelsWithAxisNames(tableSpec.columns, labels)]),
            ...titles,
          ]),
          ...(namesMeasureInColumn && measure.unit !== undefined ? { unit: measure.unit } : {}),
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
  tableSpec: StudyTableSpec,
  comparisonCount: number,
): Omit<TableCellValues, 'columns'> & { readonly columns: readonly MeasureTableColumn[] } {
  const { rows, columns: measureColumns } = makeMeasureColumns(evaluation, tableSpec);
  const cells = rows.map((row) => {
    const publishedValuesByColumn = tableSpec.published.get(joinLabels(row));
    return measureColumns.map(({ valueOfRow, key: columnKey }) =>
      makePublishedValueCell(valueOfRow(row), publishedValuesByColumn?.get(columnKey)),
    );
  });
  return {
    rows,
    columns: measureColumns,
    cells,
    evidence: chooseBestCellEvidence(evaluation, tableSpec, rows, measureColumns, comparisonCount),
  };
}

const isTableOfComparison = ({ emphasize }: StudyTableSpec) => emphasize === 'least' || emphasize === 'most';

/** Caches the result of a function per evaluation, for all tables of a study. */
function cachePerEvaluation<Value>(
  compute: (evaluation: Evaluation) => Value,
): (evaluation: Evaluation) => Value {
  const valueByEvaluation = new WeakMap<Evaluation, Value>();
  return (evaluation) => {
    const valueOfEvaluation = valueByEvaluation.get(evaluation) ?? compute(evaluation);
    valueByEvaluation.set(evaluation, valueOfEvaluation);
    return valueOfEvaluation;
  };
}

/** Number of comparisons tested in a study, over all settings, measures and tables. */
const countComparisonsOfStudy = cachePerEvaluation((evaluation) => {
  const comparisonCounts = evaluation.study.tables.filter(isTableOfComparison).map((tableSpec) => {
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
export function makeStudyTables(evaluation: Evaluation, tableSpec: StudyTableSpec): Table[] {
  const comparisonCount = countComparisonsOfStudy(evaluation);
  const table = evaluateTableCells(evaluation, tableSpec, comparisonCount);
  const { rows, columns: measureColumns } = table;
  const tableBody = emphasizeBestCells(tableSpec, table).map((cellRow, i) => [...rows[i]!, ...cellRow]);
  const judgedGroups = isTableOfComparison(tableSpec) ? judgeTableCells(tableSpec, table) : [];
  const metrics = measureColumns.map(({ measure }) => measure.metric);
  const mainTable: Table = {
    id: tableSpec.id,
    title: tableSpec.title,
    caption: [
      tableSpec.caption,
      describeSampledPopulation(evaluation),
      ...(table.evidence === 'noise' && isTableOfComparison(tableSpec) ? [SINGLE_SIMULATION_REMARK] : []),
      ...(evaluation.study.draws?.shows === 'interval' ? makeWarningsOnMeans(metrics) : []),
      describeRuntimeKnowledgeInTable(evaluation, tableSpec),
    ]
      .filter((remark) => remark !== '')
      .join(' '),
    ...makeTimeRangeEntry(evaluation, tableSpec, table),
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
function makeTimeRangeEntry(
  { study }: Evaluation,
  tableSpec: StudyTableSpec,
  { columns, cells: cellValues }: Pick<TableCellValues, 'columns' | 'cells'>,
): Pick<Table, 'times'> {
  if (isJudgedByBareValues(study, tableSpec)) return {};
  const measures = [...new Set(columns.map(({ measure }) => measure))];
  const sentenceTexts = measures.flatMap((measure) => {
    if (measure.unit !== 's') return [];
    const cellsOfMeasure = cellValues.flatMap((cellRow) =>
      cellRow.filter((_, i) => columns[i]!.measure === measure),
    );
    const durationSpanText = formatDurationSpan(
      cellsOfMeasure.flatMap(({ value: cellValue }) => (typeof cellValue === 'number' ? cellValue : [])),
    );
    return durationSpanText === undefined
      ? []
      : [measures.length > 1 ? `${measure.title}: ${durationSpanText}` : durationSpanText];
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
    bounds: kindOfMeanBounds(makePopulationOfStudy(evaluation), evaluation.labels(draws.axis).length),
  };
}

/** Last row with the column totals, as a list of rows; empty if the table has no totals. */
function makeTotalsRow(
  { study }: Evaluation,
  tableSpec: StudyTableSpec,
  rows: MeasureTableView['labels'][number],
  measureColumns: readonly MeasureTableColumn[],
): TableCell[][] {
  const { total } = tableSpec;
  if (total === undefined) return [];
  const publishedValuesByColumn = tableSpec.published.get(total);
  const detailedCells = measureColumns.map(({ valueOfRow, key: columnKey }) => {
    const columnValues = rows.map(valueOfRow).filter((each) => each !== undefined);
    return makePublishedValueCell(
      addMeasuredValues(columnValues, study.draws?.shows ?? 'range'),
      publishedValuesByColumn?.get(columnKey),
    );
  });
  // Totals are never emphasized.
  const evidenceForTotals = isJudgedByBareValues(study, tableSpec) ? 'values' : 'nothing';
  const totalRows = emphasizeBestCells(
    { ...tableSpec, among: [] },
    { rows: [[]], columns: measureColumns, cells: [detailedCells], evidence: evidenceForTotals },
  );
  return totalRows.map((totalRow) => [total, ...tableSpec.rows.slice(1).map(() => ''), ...totalRow]);
}

/** Sentences on which labels are best by the measures of a table; empty if the table compares none. */
export function describeBestLabels(evaluation: Evaluation, tableSpec: StudyTableSpec): ReportFact[] {
  if (tableSpec.among.length === 0) return [];
  return describeBestCells(
    tableSpec,
    evaluateTableCells(evaluation, tableSpec, countComparisonsOfStudy(evaluation)),
    formatLabelsWithAxisNames,
  );
}

/**
 * True if bare values decide which cells are best: the table holds published values, or the study simulates
 * nothing.
 */
const isJudgedByBareValues = ({ kind: studyKind }: Evaluation['study'], { published }: StudyTableSpec) =>
  studyKind === 'workloads' || published.size > 0;

/** Evidence by which the best cells of a table are determined. */
function chooseBestCellEvidence(
  evaluation: Evaluation,
  tableSpec: StudyTableSpec,
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
  const areAllValuesKnown = valuesByReplication.flat(2).every(Number.isFinite);
  if (
    replicationCounts.size !== 1 ||
    replicationCounts.has(0) ||
    replicationCounts.has(1) ||
    !areAllValuesKnown
  )
    return 'nothing';
  return {
    replicationValues: valuesByReplication,
    population: makePopulationOfStudy(evaluation),
    comparisonCount,
  };
}

/** Population that the replications of a study sample, or would sample if it had any. */
export function makePopulationOfStudy({ plan, study }: Evaluation): Population {
  const settings = parseSettingOptions({ options: firstElement(plan.sources), locate: String });
  return study.draws === undefined
    ? populationOfSettings(settings)
    : makePopulationOfStudyOptions(settings, listOptionsVaryingAlongAxis(study, study.draws.axis));
}

/**
 * Sentence on the sampled population; empty without replications or if the study's options already describe
 * it.
 */
export function describeSampledPopulation(evaluation: Evaluation): string {
  const { study, plan } = evaluation;
  if (study.draws === undefined || plan.sources[0]?.replication === undefined) return '';
  const drawCount = evaluation.labels(study.draws.axis).length;
  return `Replications: ${formatNumber(drawCount)} ${makePopulationOfStudy(evaluation).copies}.`;
}

// Runtime information that methods use, where methods with different information are compared

/** Runtime information used in each setting of a study, with the labels of the setting. */
const listRuntimeKnowledgeOfSettings = cachePerEvaluation(({ study, plan }) => {
  const { runs, points: studyPoints, axes: axisNames, options } = plan;
  // Several settings may share a run.
  const knowledgeTextByMethod = new Map<string, string>();
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
    const { policy, order, discipline, moldableThreshold } = restoreParametersOfPlannedRun(runs[run]!);
    const knowledgeOptions = { policy, order, discipline, moldableThreshold };
    const methodKey = JSON.stringify([knowledgeOptions, estimatesPhrase]);
    const runtimeKnowledgeText =
      knowledgeTextByMethod.get(methodKey) ??
      describeRuntimeKnowledgeOfRun(knowledgeOptions, describeEstimateSource(estimatesPhrase));
    knowledgeTextByMethod.set(methodKey, runtimeKnowledgeText);
    return { labels: pointLabels, knowledge: runtimeKnowledgeText };
  });
});

/** Kind of runtime information, without the source of estimates in brackets. */
const kindOfRuntimeKnowledge = (knowledge: string) => knowledge.replace(/ \(.*/, '');

/**
 * Sentence on the runtime information that the methods in a table use, for the first axis along which it
 * differs; empty if all methods use the same.
 */
function describeRuntimeKnowledgeInTable(
  evaluation: Evaluation,
  { where, rows, columns }: Pick<StudyTableSpec, 'where' | 'rows' | 'columns'>,
): string {
  const { study, plan } = evaluation;
  if (study.kind !== 'simulations') return '';
  const conditionsOnAxes = Object.fromEntries(
    Object.entries(where).filter(([axisName]) => plan.axes.includes(axisName)),
  );
  const { cells } = selectCellsByLabels(
    { axes: plan.axes, cells: listRuntimeKnowledgeOfSettings(evaluation) },
    conditionsOnAxes,
  );
  if (new Set(cells.map(({ knowledge }) => kindOfRuntimeKnowledge(knowledge))).size < 2) return '';
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
  labelsWithRuntimeKnowledge: readonly (readonly [Label | null, string])[],
): string {
  const { [NO_ESTIMATES_PHRASE]: labelsWithoutEstimates, ...labelsByKnowledge } = Object.fromEntries(
    [...groupBy(labelsWithRuntimeKnowledge, ([, knowledge]) => knowledge)].map(([group, labelsOfGroup]) => [
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
function makeNotesOnTableJudgements(
  judged: readonly JudgedCells[],
  { population, comparisonCount }: ReplicationsOfComparedCells,
): string[] {
  const judgements = judged.map(({ judgement }) => judgement);
  const [{ replications: replicationCount }] = judgements as [Judgement];
  const skewedDifferences = judgements.flatMap((judgement) => judgement.skewed.slice(0, 1));
  const leastDifferences = judgements.flatMap(({ leastDifference, methods, observedBest }) => {
    const scale = Math.abs(methods[observedBest]!.mean);
    return leastDifference === null || scale === 0 ? [] : [leastDifference / scale];
  });
  const comparedCountText =
    comparisonCount === 1
      ? 'the comparison'
      : `all ${formatNumber(comparisonCount)} comparisons of these tables`;
  return [
    `The difference to the best of the others in percent of the best mean, from paired differences over ${formatNumber(replicationCount)} ${population.copies}, with simultaneous 95 % confidence limits for ${comparedCountText}.`,
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
  { id, title: tableTitle, emphasize }: StudyTableSpec,
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
    caption: makeNotesOnTableJudgements(judgedGroups, evidence).join(' '),
    columns: [
      ...axes.map(makeHeadingColumn),
      ...(hasSeveralMeasures ? [makeHeadingColumn('measure')] : []),
      {
        title: 'behind the best',
        format: chooseSignedPercentFormat(shares),
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
