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
export function joinLabels(labels: readonly (Label | null)[]): string {
  return labels.filter((label) => label !== null && label !== '').join(', ');
}

/** Pattern of labels that need the name of their axis, such as numbers and truth values. */
const BARE_LABEL_PATTERN = /^(?:[^a-z]*|true|false|yes|no|none)$/i;

/** Display title of an axis; parameters of a list are in brackets. */
export function formatAxisTitle(axis: string): string {
  return axis === VARIANT_AXIS_NAME ? 'parameters' : axis;
}

/** Text of labels on several axes; numbers and truth values follow the name of their axis. */
export function formatLabelsWithAxisNames(
  axes: readonly string[],
  labels: readonly (Label | null)[],
): string {
  const isNamedLabel = (label: Label | null) =>
    label !== null && label !== '' && BARE_LABEL_PATTERN.test(String(label));
  return joinLabels(labels.map((label, i) => (isNamedLabel(label) ? `${axes[i]} ${label}` : label)));
}

/** Table view of an evaluated measure: some axes as rows and columns, all others fixed by `location`. */
export class MeasureTableView {
  readonly #positions: readonly (readonly number[])[];
  readonly #values = new Map<string, MeasuredValue>();
  /** Distinct label combinations for each list of axes, in order. */
  readonly labels: readonly (readonly (readonly (Label | null)[])[])[];

  constructor(
    evaluatedMeasure: Evaluated,
    location: AxisLabelConditions,
    by: readonly (readonly string[])[],
  ) {
    const { axes, cells } = selectCellsByLabels(evaluatedMeasure, location);
    this.#positions = by.map((names) => names.map((name) => axes.indexOf(name)));
    const seen = by.map(() => new Map<string, readonly (Label | null)[]>());
    for (const { labels, value } of cells) {
      const place = this.#positions.map((positions) => positions.map((i) => labels[i] ?? null));
      for (const [i, own] of place.entries()) seen[i]!.set(joinLabelsAsKey(own), own);
      this.#values.set(joinLabelsAsKey(place.flat()), value);
    }
    this.labels = seen.map((distinct) => [...distinct.values()]);
  }

  value(...place: readonly (readonly (Label | null)[])[]): MeasuredValue | undefined {
    return this.#values.get(joinLabelsAsKey(place.flat()));
  }
}

/**
 * True if the published value lies in the range over replications or, without a range, equals the
 * reproduced value.
 */
function isPublishedValueInRange({ value, low, high }: MeasuredValue, published: PublishedValue): boolean {
  if (low === undefined || high === undefined) return isPublishedValueReproduced(value, published);
  return low <= published.value && published.value <= high;
}

function makePublishedValueCell(
  value: MeasuredValue | undefined,
  published: PublishedValue | undefined,
): DetailedCell {
  return {
    value: value === undefined || Number.isNaN(value.value) ? null : value.value,
    ...(published === undefined ? {} : { published: published.isPercent ? published.value : published.text }),
    ...(value?.low === undefined ? {} : { low: value.low }),
    ...(value?.high === undefined ? {} : { high: value.high }),
    ...(value === undefined || published === undefined
      ? {}
      : { isInside: isPublishedValueInRange(value, published) }),
  };
}

/** Numeric column of a table: heading, and the value of each row. */
interface MeasureTableColumn {
  /** Key of the column among the published values. */
  readonly key: string;
  readonly measure: Measure;
  readonly labels: readonly (Label | null)[];
  readonly column: TableColumn;
  readonly value: (row: readonly (Label | null)[]) => MeasuredValue | undefined;
}

/** Numeric columns of a table; several measures are placed side by side. */
function makeMeasureColumns(
  evaluation: Evaluation,
  spec: TableSpec,
): { rows: MeasureTableView['labels'][number]; columns: MeasureTableColumn[] } {
  const views = spec.measures.map(
    (name) => new MeasureTableView(evaluation.measure(name), spec.where, [spec.rows, spec.columns]),
  );
  const measures = spec.measures.flatMap((measureColumnSpec) =>
    evaluation.study.measures.filter(({ name }) => name === measureColumnSpec),
  );
  const [rows = [], heads = []] = firstElement(views).labels;
  const columns = heads.flatMap((labels) =>
    measures.map((measure, i): MeasureTableColumn => {
      const isNamed = spec.columns.length === 0 || measures.length > 1;
      const heads = isNamed ? [measure.title] : [];
      return {
        key: joinLabels([...(isNamed ? [measure.name] : []), ...labels]),
        measure,
        labels,
        column: {
          title: joinLabels([
            ...(spec.columns.length === 0 ? [] : [formatLabelsWithAxisNames(spec.columns, labels)]),
            ...heads,
          ]),
          ...(isNamed && measure.unit !== undefined ? { unit: measure.unit } : {}),
          format: measure.format,
        },
        value: (row) => views[i]!.value(row, labels),
      };
    }),
  );
  return { rows, columns };
}

/** Cells of a table with the labels and evidence that decide which are best. */
function evaluateTableCells(
  evaluation: Evaluation,
  spec: TableSpec,
  together: number,
): Omit<TableCellValues, 'columns'> & { readonly columns: readonly MeasureTableColumn[] } {
  const { rows, columns } = makeMeasureColumns(evaluation, spec);
  const cells = rows.map((row) => {
    const published = spec.published.get(joinLabels(row));
    return columns.map(({ value, key }) => makePublishedValueCell(value(row), published?.get(key)));
  });
  return { rows, columns, cells, deciding: bestCellEvidenceOf(evaluation, spec, rows, columns, together) };
}

const comparesCells = ({ emphasize }: TableSpec) => emphasize === 'least' || emphasize === 'most';

/** Caches the result of a function per evaluation, for all tables of a study. */
function cachePerEvaluation<Found>(
  find: (evaluation: Evaluation) => Found,
): (evaluation: Evaluation) => Found {
  const known = new WeakMap<Evaluation, Found>();
  return (evaluation) => {
    const found = known.get(evaluation) ?? find(evaluation);
    known.set(evaluation, found);
    return found;
  };
}

/** Number of comparisons tested in a study, over all settings, measures and tables. */
const comparisonCountOfStudy = cachePerEvaluation((evaluation) => {
  const counts = evaluation.study.tables.filter(comparesCells).map((spec) => {
    const table = evaluateTableCells(evaluation, spec, 1);
    return typeof table.deciding === 'string' ? 0 : groupComparedCells(spec, table).length;
  });
  return Math.max(
    1,
    counts.reduce((sum, count) => sum + count, 0),
  );
});

/**
 * Table of a study with emphasized cells and, if replications are compared, a second table of distances
 * from the best.
 */
export function makeStudyTables(evaluation: Evaluation, spec: TableSpec): Table[] {
  const together = comparisonCountOfStudy(evaluation);
  const table = evaluateTableCells(evaluation, spec, together);
  const { rows, columns } = table;
  const body = emphasizeBestCells(spec, table).map((row, i) => [...rows[i]!, ...row]);
  const judged = comparesCells(spec) ? judgeTableCells(spec, table) : [];
  const metrics = columns.map(({ measure }) => measure.metric);
  const own: Table = {
    id: spec.id,
    title: spec.title,
    caption: [
      spec.caption,
      describeSampledPopulation(evaluation),
      ...(table.deciding === 'noise' && comparesCells(spec) ? [SINGLE_SIMULATION_REMARK] : []),
      ...(evaluation.study.draws?.shows === 'interval' ? warningsOnMeansOfMetrics(metrics) : []),
      describeRuntimeKnowledgeInTable(evaluation, spec),
    ]
      .filter((text) => text !== '')
      .join(' '),
    ...timeRangeEntry(evaluation, spec, table),
    columns: [
      ...spec.rows.map(
        (axis): TableColumn => ({ title: formatAxisTitle(axis), isHeading: true, align: 'left' }),
      ),
      ...columns.map(({ column }) => column),
    ],
    rows: [...body, ...makeTotalsRow(evaluation, spec, rows, columns)],
    ...(spec.total === undefined ? {} : { hasTotal: true }),
    ...boundsKindEntry(evaluation),
  };
  const behind = makeDistancesTable(
    spec,
    table,
    judged,
    [...spec.rows, ...spec.columns].map(formatAxisTitle),
  );
  return behind === undefined ? [own] : [own, behind];
}

/**
 * Range of the values in seconds in a table, for each measure: `8 h 51 min to 10 h 12 min`; empty if bare values
 * decide which cells are best.
 */
function timeRangeEntry(
  { study }: Evaluation,
  spec: TableSpec,
  { columns, cells }: Pick<TableCellValues, 'columns' | 'cells'>,
): Pick<Table, 'times'> {
  if (isJudgedByBareValues(study, spec)) return {};
  const measures = [...new Set(columns.map(({ measure }) => measure))];
  const texts = measures.flatMap((measure) => {
    if (measure.unit !== 's') return [];
    const own = cells.flatMap((row) => row.filter((_, i) => columns[i]!.measure === measure));
    const span = formatDurationSpan(own.flatMap(({ value }) => (typeof value === 'number' ? value : [])));
    return span === undefined ? [] : [measures.length > 1 ? `${measure.title}: ${span}` : span];
  });
  return texts.length === 0 ? {} : { times: texts.join('; ') };
}

/** Kind of bounds around a study's values. */
export function boundsKindEntry(evaluation: Evaluation): Pick<Table, 'bounds'> {
  const { draws, kind } = evaluation.study;
  if (draws === undefined) return {};
  if (draws.shows === 'range') return { bounds: 'range' };
  if (kind === 'workloads') return { bounds: 'interval' };
  return {
    bounds: kindOfMeanBounds(populationOfStudyReplications(evaluation), evaluation.labels(draws.axis).length),
  };
}

/** Last row with the column totals; undefined if the table has none. */
function makeTotalsRow(
  { study }: Evaluation,
  spec: TableSpec,
  rows: MeasureTableView['labels'][number],
  columns: readonly MeasureTableColumn[],
): TableCell[][] {
  const { total } = spec;
  if (total === undefined) return [];
  const published = spec.published.get(total);
  const cells = columns.map(({ value, key }) => {
    const values = rows.map(value).filter((each) => each !== undefined);
    return makePublishedValueCell(
      addMeasuredValues(values, study.draws?.shows ?? 'range'),
      published?.get(key),
    );
  });
  // Totals are never emphasized.
  const deciding = isJudgedByBareValues(study, spec) ? 'values' : 'nothing';
  const own = emphasizeBestCells({ ...spec, among: [] }, { rows: [[]], columns, cells: [cells], deciding });
  return own.map((row) => [total, ...spec.rows.slice(1).map(() => ''), ...row]);
}

/** Sentences on which labels are best by the measures of a table; empty if the table compares none. */
export function describeBestLabels(evaluation: Evaluation, spec: TableSpec): ReportFact[] {
  if (spec.among.length === 0) return [];
  return describeBestCells(
    spec,
    evaluateTableCells(evaluation, spec, comparisonCountOfStudy(evaluation)),
    formatLabelsWithAxisNames,
  );
}

/**
 * True if bare values decide which cells are best: the table holds published values, or the study simulates
 * nothing.
 */
const isJudgedByBareValues = ({ kind }: Evaluation['study'], { published }: TableSpec) =>
  kind === 'workloads' || published.size > 0;

/** Evidence by which the best cells of a table are determined. */
function bestCellEvidenceOf(
  evaluation: Evaluation,
  spec: TableSpec,
  rows: MeasureTableView['labels'][number],
  columns: readonly MeasureTableColumn[],
  together: number,
): BestCellEvidence {
  const { study } = evaluation;
  if (isJudgedByBareValues(study, spec)) return 'values';
  if (study.draws === undefined) return 'noise';
  const draws = rows.map((row) => columns.map(({ value }) => value(row)?.draws ?? []));
  const counts = new Set(draws.flat().map(({ length }) => length));
  const areAllKnown = draws.flat(2).every(Number.isFinite);
  if (counts.size !== 1 || counts.has(0) || counts.has(1) || !areAllKnown) return 'nothing';
  return { draws, population: populationOfStudyReplications(evaluation), together };
}

/** Population that the replications of a study sample; undefined without replications. */
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
  const count = evaluation.labels(study.draws.axis).length;
  return `Replications: ${formatNumber(count)} ${populationOfStudyReplications(evaluation).copies}.`;
}

// Runtime information that methods use, where methods with different information are compared

/** Pairs of setting labels and runtime information used there. */
const runtimeKnowledgeBySetting = cachePerEvaluation(({ study, plan }) => {
  const { runs, points, axes, options } = plan;
  // Several settings may share a run.
  const known = new Map<string, string>();
  const place = axes.indexOf(PART_AXIS_NAME);
  return points.map(({ labels, run }) => {
    const part = study.parts.find(({ name }) => place < 0 || name === labels[place]);
    const text = options.estimates ?? part?.options.estimates;
    const estimates = text?.replace(/\{([^{}]+)\}/g, (_, axis) => `${labels[axes.indexOf(axis)]}`);
    const { policy, order, discipline, moldableThreshold } = parametersOfPlannedRun(runs[run]!);
    const decidingRunOptions = { policy, order, discipline, moldableThreshold };
    const key = JSON.stringify([decidingRunOptions, estimates]);
    const knowledge =
      known.get(key) ?? describeRuntimeKnowledgeOfRun(decidingRunOptions, describeEstimateSource(estimates));
    known.set(key, knowledge);
    return { labels, knowledge };
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
    Object.entries(where).filter(([axis]) => plan.axes.includes(axis)),
  );
  const { cells } = selectCellsByLabels(
    { axes: plan.axes, cells: runtimeKnowledgeBySetting(evaluation) },
    conditionsOnAxes,
  );
  if (new Set(cells.map(({ knowledge }) => runtimeKnowledgeKind(knowledge))).size < 2) return '';
  const all = (some: readonly { readonly knowledge: string }[]) => [
    ...new Set(some.map(({ knowledge }) => knowledge)),
  ];
  for (const axis of [...rows, ...columns].filter((each) => plan.axes.includes(each))) {
    const place = plan.axes.indexOf(axis);
    const cellsByLabel = [...groupBy(cells, ({ labels }) => labels[place]!)];
    if (cellsByLabel.every(([, own]) => all(own).length === 1))
      return listLabelsByRuntimeKnowledge(
        cellsByLabel.map(([label, own]) => [label, firstElement(all(own))]),
      );
  }
  return `Methods know different things: ${all(cells).join('; ')}.`;
}

/** Sentence that lists labels by their runtime information, those without estimates last. */
function listLabelsByRuntimeKnowledge(known: readonly (readonly [Label | null, string])[]): string {
  const { [NO_ESTIMATES_PHRASE]: unknowing, ...others } = Object.fromEntries(
    [...groupBy(known, ([, knowledge]) => knowledge)].map(([group, own]) => [
      group,
      own.map(([label]) => label),
    ]),
  );
  const texts = Object.entries(others).map(([group, labels]) => `${labels.join('; ')}: ${group}`);
  if (unknowing !== undefined)
    texts.push(`${unknowing.length > 3 ? 'all others' : unknowing.join('; ')}: ${NO_ESTIMATES_PHRASE}`);
  return `Information used by ${texts.join(' | ')}.`;
}

// Tables of the distance of each label from the best other one, per setting

/** Range of shares as text: `1.2 % to 4.0 %`. */
function formatShareRange(shares: readonly number[]): string {
  const [least, most] = minAndMax(shares).map((share) => formatPercent(share, share < 0.01 ? 2 : 1));
  return least === most ? `${most}` : `${least} to ${most}`;
}

/** Notes that apply to all comparisons of a table. */
function notesOnTableJudgements(
  judged: readonly JudgedCells[],
  { population, together }: CellComparisonReplications,
): string[] {
  const judgements = judged.map(({ judgement }) => judgement);
  const [{ replications }] = judgements as [Judgement];
  const skewed = judgements.flatMap((each) => each.skewed.slice(0, 1));
  const least = judgements.flatMap(({ leastDifference, methods, observedBest }) => {
    const scale = Math.abs(methods[observedBest]!.mean);
    return leastDifference === null || scale === 0 ? [] : [leastDifference / scale];
  });
  const comparisonsText =
    together === 1 ? 'the comparison' : `all ${formatNumber(together)} comparisons of these tables`;
  return [
    `The difference to the best of the others in percent of the best mean, from paired differences over ${formatNumber(replications)} ${population.copies}, with simultaneous 95 % confidence limits for ${comparisonsText}.`,
    ...(least.length === 0
      ? []
      : [
          `With ${formatNumber(replications)} replications, a difference of ${formatShareRange(least)} between the best mean and what is undecided or may be the best is detected with 80 % power.`,
        ]),
    ...(skewed.length === 0
      ? []
      : [
          `Differences are skewed${judged.length === 1 ? '' : ` in ${skewed.length} of ${judged.length} settings`}: with fewer than ${formatNumber(Math.max(...skewed.map((each) => each.replications)))} replications, the actual coverage of the limits may be below 95 %.`,
        ]),
  ];
}

/**
 * Table of distances from the best label; undefined if nothing is tested or nothing differs.
 * @param axes titles of the row and column axes.
 */
function makeDistancesTable(
  { id, title, emphasize }: TableSpec,
  { rows, columns, deciding }: TableCellValues,
  all: readonly JudgedCells[],
  axes: readonly string[],
): Table | undefined {
  const judged = all.filter(({ judgement }) => judgement.isJudged);
  if (typeof deciding === 'string' || judged.every(({ judgement }) => areMethodsIdentical(judgement)))
    return undefined;
  const hasSeveralMeasures = new Set(columns.map(({ measure }) => measure)).size > 1;
  const shares: DifferenceToBest[] = [];
  const body = judged.flatMap(({ places, judgement }) => {
    const behind = differencesToBest(judgement, emphasize === 'most' ? 'more' : 'less');
    const isSingle = areMethodsIdentical(judgement);
    return places.map(({ row, column }, i): TableCell[] => {
      const method = judgement.methods[i]!;
      shares.push(behind[i]!);
      const word = isSingle ? 'identical' : verdictWord(method);
      const labels: (Label | null)[] = [...rows[row]!, ...columns[column]!.labels];
      return [
        ...labels,
        ...(hasSeveralMeasures ? [columns[column]!.measure.title] : []),
        { ...behind[i]! },
        { value: word, ...(isSingle ? {} : signOfVerdict(method, judgement)) },
      ];
    });
  });
  const heading = (axis: string): TableColumn => ({ title: axis, isHeading: true, align: 'left' });
  return {
    id: `${id}-behind`,
    title: `${title}: behind the best`,
    caption: notesOnTableJudgements(judged, deciding).join(' '),
    columns: [
      ...axes.map(heading),
      ...(hasSeveralMeasures ? [heading('measure')] : []),
      {
        title: 'behind the best',
        format: distinguishingPercentFormat(shares),
        holds: 'difference',
        bounds: 'joint',
      },
      { title: 'verdict' },
    ],
    rows: body,
    bounds: 'joint',
    details: 'beside',
  };
}
