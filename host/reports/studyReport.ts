/** Report of a finished study: tables, figures, checks, and the environment that produced them. */
import { join } from 'node:path';
import { checkArgument } from '../arguments.js';
import type { Figure, FigurePoint, FigureSeries, FigureView } from '../draw/figureModel.js';
import { formatNumber, formatValue } from '../format/numbers.js';
import { stringifyDocument } from '../results/documents.js';
import { REPORT_PAGE_FILE } from '../results/resultFolder.js';
import { makeStudyFile, writeStudyFilesAtomically } from '../runs/runsFolder.js';
import {
  applySignToMeasuredValue,
  differencesToLabel,
  type Evaluated,
  type Evaluation,
  type MeasuredValue,
  selectCellsByLabels,
  shiftMeasuredValue,
  simultaneousBounds,
  subtractMeasuredValues,
} from '../study/evaluate.js';
import type { Plan } from '../study/plan.js';
import type { CheckSpec, Label } from '../study/schema.js';
import { joinLabelsAsKey } from '../study/steps.js';
import type { FigureSpec } from '../study/study.js';
import { makeFilesOfTable, REPORT_TABLES_FOLDER } from '../view/files.js';
import {
  describeReportFiles,
  formatVerdictCounts,
  makeReportOfSections,
  REPORT_FILE,
  type Report,
  type ReportCheck,
  type ReportFact,
  type Verdict,
} from '../view/report.js';
import { boundsDisplayName, countReproducedValues, type Table } from '../view/table.js';
import {
  factOnEstimatesFromRuntimes,
  makeFactsOnSharedOptions,
  makeFactsOnVersions,
  makeRepeatStudyCommand,
  makeVersionsDocument,
} from './studyFacts.js';
import {
  boundsKindEntry,
  describeBestLabels,
  describeSampledPopulation,
  formatAxisTitle,
  formatLabelsWithAxisNames,
  joinLabels,
  MeasureTableView,
  makePopulationOfStudy,
  makeStudyTables,
} from './studyTables.js';

/**
 * Makes the report of a study.
 * @returns tables, figures and checks as data; `drawFolder` draws them.
 * @example
 * const study = await readStudy('my.yaml');
 * const { plan, results } = await runStudy(study, {}, { out: 'results/my', threads: 2 });
 * console.log(studyReport(new Evaluation(study, plan, results)).title); // Responses by load
 */
export function studyReport(evaluation: Evaluation): Report {
  checkArgument(evaluation, 'evaluation', 'studyReport');
  const { study, plan } = evaluation;
  const tables = study.tables.flatMap((tableSpec) => makeStudyTables(evaluation, tableSpec));
  return {
    title: study.title,
    description: study.description.trim(),
    source: study.source,
    highlights: highlightStudyResults(evaluation, tables),
    tables,
    figures: study.figures.map((spec) => makeStudyFigure(evaluation, spec)),
    checks: study.checks.map((check) => evaluateStudyCheck(evaluation, check, tables)),
    notes: study.notes,
    commands: [makeRepeatStudyCommand(plan)],
    environment: [...makeFactsOnSharedOptions(study, plan), ...makeFactsOnVersions(plan)],
    files: describeReportFiles(STUDY_FILE_DESCRIPTIONS, tables),
  };
}

/** Descriptions of the files in the folder of a study besides its report. */
const STUDY_FILE_DESCRIPTIONS = {
  'study.yaml': 'the study: every setting, measure, table and figure',
  'results.csv': 'all parameters and metrics of every run',
  'results.parquet': 'the same as Parquet',
  'environment.json': 'versions, hashes, workloads',
};

function highlightStudyResults(evaluation: Evaluation, tables: readonly Table[]): ReportFact[] {
  const { study, plan } = evaluation;
  const runsLabel = study.kind === 'workloads' ? 'Workloads' : 'Simulations';
  const { inside, published } = countReproducedValues(tables);
  const jobCount = plan.runs.reduce((sum, { workload }) => sum + plan.workloads[workload]!.jobs, 0);
  const replicationCount = study.draws === undefined ? 1 : evaluation.labels(study.draws.axis).length;
  return [
    { label: runsLabel, value: formatNumber(plan.runs.length) },
    ...(study.kind === 'workloads' ? [] : [{ label: 'Jobs simulated', value: formatNumber(jobCount) }]),
    ...(study.draws === undefined ? [] : [{ label: 'Replications', value: formatNumber(replicationCount) }]),
    ...factOnEstimatesFromRuntimes(plan),
    ...study.tables.flatMap((tableSpec) => describeBestLabels(evaluation, tableSpec)),
    ...(published === 0
      ? []
      : [
          {
            label:
              replicationCount === 1
                ? 'Published cells reproduced'
                : study.draws?.shows === 'interval'
                  ? `Published cells inside the ${boundsDisplayName(boundsKindEntry(evaluation))}`
                  : 'Published cells inside the range of replications',
            value: `${inside} of ${published}`,
          },
        ]),
  ];
}

// Files of a finished study: tables, figures and environment

/**
 * Writes the tables, report.json and environment.json of a study to its folder.
 * @param textFiles additional text files by name.
 * @throws InputError if the folder is not writable, OutputError if writing fails.
 */
export async function writeStudyReportFiles(
  folder: string,
  plan: Plan,
  report: Report,
  textFiles: Readonly<Record<string, Iterable<string>>> = {},
): Promise<void> {
  const makeTextFile = (fileName: string, textPieces: Iterable<string>) =>
    makeStudyFile(join(folder, fileName), textPieces);
  const makeJsonFile = (fileName: string, document: unknown) =>
    makeTextFile(fileName, [stringifyDocument(document)]);
  await writeStudyFilesAtomically([
    ...report.tables
      .flatMap(makeFilesOfTable)
      .map((file) => makeTextFile(join(REPORT_TABLES_FOLDER, file.name), [file.text])),
    ...Object.entries(textFiles).map(([fileName, pieces]) => makeTextFile(fileName, pieces)),
    makeJsonFile('environment.json', makeVersionsDocument(plan)),
    makeJsonFile(REPORT_FILE, report),
  ]);
}

// Combined page for the reports of several studies

/** Study that was run together with others. */
export interface StudyOfCollection {
  /** Name of the study and its folder. */
  readonly name: string;
  readonly simulations: number;
  readonly report: Report;
}

/**
 * Combined page for studies in neighbouring folders.
 * @param simulations number of distinct simulations in all of them.
 */
export function makeCollectionReport(
  title: string,
  studies: readonly StudyOfCollection[],
  simulations: number,
  command: string,
): Report {
  const simulationCount = studies.reduce((sum, study) => sum + study.simulations, 0);
  return makeReportOfSections({
    title,
    description: 'Studies run together: a simulation that several of them share has the same id in each.',
    highlights: [
      { label: 'Studies', value: formatNumber(studies.length) },
      { label: 'Simulations', value: formatNumber(simulations) },
      { label: 'Asked for more than once', value: formatNumber(simulationCount - simulations) },
    ],
    tables: [
      {
        id: 'studies',
        title: 'Studies',
        caption: '',
        columns: [
          { title: 'study', isHeading: true },
          { title: 'title' },
          { title: 'simulations', format: { style: 'fixed', decimals: 0 } },
          { title: 'checks' },
        ],
        rows: studies.map(({ name: studyName, simulations: simulationCount, report }) => [
          studyName,
          report.title,
          simulationCount,
          report.checks.length === 0 ? null : formatVerdictCounts(report.checks),
        ]),
      },
    ],
    checks: studies.flatMap(({ name: studyName, report }) =>
      report.checks.map((check) => ({ ...check, sentence: `${studyName}: ${check.sentence}` })),
    ),
    commands: [command],
    files: studies.map(({ name: studyName, report }) => ({
      path: `${studyName}/${REPORT_PAGE_FILE}`,
      meaning: report.title,
    })),
  });
}

// Figures of a study, with alternative views: other measures and differences to a series

function makeFigurePoint(
  x: Label,
  { value: measuredValue, low, high }: Partial<MeasuredValue> = {},
): FigurePoint {
  return {
    x,
    y: measuredValue ?? null,
    ...(low !== undefined && { low }),
    ...(high !== undefined && { high }),
  };
}

/** Remark that the panels of a figure have different scales. */
const PANEL_SCALES_REMARK = 'Each panel has a scale of its own.';

/** Figure of a study with its alternative views. Axes that mix numbers and words become categories. */
export function makeStudyFigure(evaluation: Evaluation, spec: FigureSpec): Figure {
  const mainView = makeFigureView(evaluation, spec);
  const views = [mainView, ...makeOtherFigureViews(evaluation, spec, countFigurePoints(mainView))];
  const hasNumericAxis = mainView.panels.every(({ series }) =>
    series.every(({ points: seriesPoints }) => seriesPoints.every(({ x }) => typeof x === 'number')),
  );
  return {
    id: spec.id,
    title: spec.title,
    caption: [
      spec.caption,
      describeSampledPopulation(evaluation),
      mainView.panels.length > 1 && !spec.sharesY ? PANEL_SCALES_REMARK : '',
    ]
      .filter((remark) => remark !== '')
      .join(' '),
    kind: hasNumericAxis ? 'line' : 'bar',
    x: { title: formatAxisTitle(spec.xTitle ?? spec.x) },
    y: mainView.y,
    sharesY: spec.sharesY,
    panels: mainView.panels,
    ...boundsKindEntry(evaluation),
    ...(views.length > 1 ? { views, ...chooseFirstFigureView(evaluation, spec, views) } : {}),
  };
}

/** Number of series from which differences are easier to read than overlapping lines. */
const MIN_SERIES_FOR_DIFFERENCE_VIEW = 6;

/** Index of the view shown first: differences for many series, unless another figure already shows them. */
function chooseFirstFigureView(
  evaluation: Evaluation,
  { measure, baseline }: FigureSpec,
  [mainView, ...otherFigures]: readonly FigureView[],
): Pick<Figure, 'firstView'> {
  const hasManySeries = mainView!.panels.some(
    ({ series }) => series.length >= MIN_SERIES_FOR_DIFFERENCE_VIEW,
  );
  const isDifferenceShown = evaluation.study.figures.some(
    (figure) => figure.measure === measure && figure.baseline,
  );
  const viewIndex = otherFigures.findIndex(
    (figureView) => figureView.measure === mainView!.measure && figureView.baseline !== undefined,
  );
  return hasManySeries && baseline === undefined && !isDifferenceShown && viewIndex >= 0
    ? { firstView: viewIndex + 1 }
    : {};
}

/**
 * Largest number of points of all views of a figure, which its page stores: with differences to one series, and with
 * differences to every series.
 */
const MAX_FIGURE_POINTS = 10_000;
const MAX_FIGURE_DIFFERENCE_POINTS = 2_000;

function countFigurePoints({ panels }: FigureView): number {
  return panels.reduce(
    (sum, { series }) =>
      sum + series.reduce((pointCount, figureSeries) => pointCount + figureSeries.points.length, 0),
    0,
  );
}

/**
 * Alternative views of a figure: other measures of the same settings, and differences to each series,
 * within the point limits.
 */
function makeOtherFigureViews(evaluation: Evaluation, spec: FigureSpec, figureSize: number): FigureView[] {
  const axesKeyOfMeasure = (measureName: string) =>
    joinLabelsAsKey(evaluation.measure(measureName).axes.toSorted());
  const measures = evaluation.study.measures
    .map(({ name: measureName }) => measureName)
    .filter((measureName) => axesKeyOfMeasure(measureName) === axesKeyOfMeasure(spec.measure));
  const [axisName] = spec.series;
  const { labels, axes } = labelsShownInFigure(evaluation, spec);
  const baselineLabels =
    axisName !== undefined && spec.series.length === 1 && labels.length > 1 && axes.includes(axisName)
      ? labels.map((label) => ({ axis: axisName, label }))
      : [];
  const views = [undefined, ...baselineLabels]
    .flatMap((baseline) => measures.map((measure) => ({ ...spec, measure, baseline })))
    .filter(
      ({ measure, baseline }) => measure !== spec.measure || !areBaselinesEqual(baseline, spec.baseline),
    );
  const [firstBaseline] = spec.baseline === undefined ? baselineLabels : [];
  const viewsOfFirstBaseline = views.filter(
    ({ measure, baseline }) =>
      baseline === undefined || (baseline === firstBaseline && measure === spec.measure),
  );
  const shownViews =
    views.length * figureSize <= MAX_FIGURE_DIFFERENCE_POINTS
      ? views
      : viewsOfFirstBaseline.length * figureSize <= MAX_FIGURE_POINTS
        ? viewsOfFirstBaseline
        : [];
  return shownViews.map((shownView) => makeFigureView(evaluation, shownView));
}

function areBaselinesEqual(
  oneBaseline: FigureSpec['baseline'],
  secondBaseline: FigureSpec['baseline'],
): boolean {
  return (
    oneBaseline?.axis === secondBaseline?.axis && String(oneBaseline?.label) === String(secondBaseline?.label)
  );
}

/** Labels that a figure shows on the first series axis, and the names of all its axes. */
function labelsShownInFigure(
  evaluation: Evaluation,
  { measure, where, series }: FigureSpec,
): { readonly labels: Label[]; readonly axes: readonly string[] } {
  const { axes, cells } = selectCellsByLabels(evaluation.measure(measure), where);
  const axisPosition = axes.indexOf(series[0] ?? '');
  const labels = new Set(cells.map((cell) => cell.labels[axisPosition]));
  return {
    labels: [...labels].filter((label): label is Label => label != null && label !== ''),
    axes,
  };
}

/** Cells that a figure shows, and those with the other labels of an axis, with which it compares them. */
function evaluateComparedCells(
  evaluation: Evaluation,
  { measure, where }: FigureSpec,
  { axis }: NonNullable<FigureSpec['baseline']>,
): Evaluated {
  const { [axis]: _, ...otherConditions } = where;
  return selectCellsByLabels(evaluation.measure(measure), otherConditions);
}

function makeFigureView(evaluation: Evaluation, spec: FigureSpec): FigureView {
  const measure = evaluation.study.measures.find(({ name: measureName }) => measureName === spec.measure);
  const { baseline, measure: name } = spec;
  const title = measure?.title ?? name;
  const evaluatedMeasure =
    baseline === undefined
      ? evaluation.measure(name)
      : differencesToLabel(
          evaluateComparedCells(evaluation, spec, baseline),
          baseline,
          evaluation.study.draws?.shows,
        );
  const tableView = new MeasureTableView(evaluatedMeasure, spec.where, [spec.panels, spec.series, [spec.x]]);
  const [panels = [], series = [], xLabels = []] = tableView.labels;
  const hasNumericAxis = xLabels.every(([x]) => typeof x === 'number');
  const makeSeries = (panel: readonly (Label | null)[]): FigureSeries[] =>
    series.map((seriesLabels) => ({
      name: formatLabelsWithAxisNames(spec.series, seriesLabels) || title,
      points: xLabels.map((xLabel) =>
        makeFigurePoint(
          hasNumericAxis ? Number(xLabel[0]) : String(xLabel[0]),
          tableView.value(panel, seriesLabels, xLabel),
        ),
      ),
    }));
  return {
    measure: title,
    ...(baseline === undefined
      ? {}
      : { baseline: formatLabelsWithAxisNames([baseline.axis], [baseline.label]) }),
    y: {
      title: `${title}${baseline === undefined ? '' : `, difference to ${baseline.label}`}`,
      ...(measure?.unit === undefined ? {} : { unit: measure.unit }),
      scale: baseline === undefined ? spec.yScale : 'linear',
      ...(measure?.format.style === 'percent' ? { format: { style: 'percent' } as const } : {}),
    },
    panels: panels.map((panel) => ({
      title: formatLabelsWithAxisNames(spec.panels, panel),
      series: makeSeries(panel),
    })),
  };
}

// Results of a study's checks, with the numbers behind each verdict

type OrderCheck = Extract<CheckSpec['test'], { kind: 'order' }>;
type BoundCheck = Extract<CheckSpec['test'], { kind: 'bound' }>;

/** Evaluates a check against the results. */
export function evaluateStudyCheck(
  evaluation: Evaluation,
  { sentence, test }: CheckSpec,
  tables: readonly Table[],
): ReportCheck {
  if (test.kind === 'order') return { sentence, ...evaluateOrderCheck(evaluation, test) };
  if (test.kind === 'bound') return { sentence, ...evaluateBoundCheck(evaluation, test) };
  const table = tables.find(({ id: tableId }) => tableId === test.table);
  const { inside, published } = countReproducedValues(table === undefined ? [] : [table]);
  return {
    sentence,
    verdict: verdictOfTruth(inside === published),
    evidence: `${inside} of ${published} published cells`,
  };
}

/** Verdict from a truth value, for numbers without uncertainty. */
const verdictOfTruth = (holds: boolean): Verdict => (holds ? 'confirmed' : 'contradicted');

/** Number of replications in which a condition holds. */
const countReplicationsHolding = (replicationCount: number, isFulfilled: (draw: number) => boolean) =>
  Array.from({ length: replicationCount }, (_, draw) => isFulfilled(draw)).filter(Boolean).length;

function evaluateOrderCheck(evaluation: Evaluation, test: OrderCheck): Omit<ReportCheck, 'sentence'> {
  const valuesBySetting = [...checkedValuesBySetting(evaluation, test).values()];
  const directionSign = test.direction === 'ascending' ? 1 : -1;
  if (hasReplicationIntervals(evaluation)) {
    const valueSteps = valuesBySetting.map((values) =>
      values.slice(1).map((laterValue, i) => {
        const valueBefore = values[i];
        return laterValue === undefined || valueBefore === undefined
          ? { value: Number.NaN }
          : applySignToMeasuredValue(subtractMeasuredValues(laterValue, valueBefore), directionSign);
      }),
    );
    return testPositiveBySimultaneousIntervals(evaluation, test.measure, valueSteps, 'difference');
  }
  const areValuesOrdered = (settingValues: readonly (number | undefined)[]) =>
    settingValues.every(
      (value, i) =>
        i === 0 || directionSign * ((value ?? Number.NaN) - (settingValues[i - 1] ?? Number.NaN)) > 0,
    );
  const holdingCount = valuesBySetting.filter((values) =>
    areValuesOrdered(values.map((each) => each?.value)),
  ).length;
  const drawCount = valuesBySetting[0]?.[0]?.draws?.length ?? 0;
  const heldDrawCount = countReplicationsHolding(drawCount, (draw) =>
    valuesBySetting.every((values) => areValuesOrdered(values.map((each) => each?.draws?.[draw]))),
  );
  // With a single setting, the verdict needs no count of settings.
  const isSingle = valuesBySetting.length === 1;
  const settingsEvidence = isSingle
    ? []
    : [`confirmed in ${holdingCount} of ${valuesBySetting.length} settings`];
  const replicationsEvidence =
    drawCount > 1
      ? [`${isSingle ? '' : 'in every setting at once '}in ${heldDrawCount} of ${drawCount} replications`]
      : [];
  return {
    verdict: verdictOfTruth(valuesBySetting.length > 0 && holdingCount === valuesBySetting.length),
    evidence: [...settingsEvidence, ...replicationsEvidence].join('; '),
  };
}

/** True if the numbers of a setting are equal in all replications, which then count as one sample. */
const areReplicationsIdentical = (measuredNumbers: readonly MeasuredValue[]) =>
  measuredNumbers.every(
    ({ draws: replicationValues = [] }) =>
      replicationValues.length > 1 &&
      replicationValues.every((value) => Object.is(value, replicationValues[0])),
  );

/** True if the study has replications with intervals of the means. */
function hasReplicationIntervals(evaluation: Evaluation): boolean {
  const { draws } = evaluation.study;
  return draws?.shows === 'interval' && evaluation.labels(draws.axis).length > 1;
}

/**
 * Tests whether numbers are above 0 by simultaneous 95 % intervals: confirmed if all are above 0 in every
 * setting, contradicted if one is below, otherwise open.
 */
function testPositiveBySimultaneousIntervals(
  evaluation: Evaluation,
  measure: string,
  valuesBySetting: readonly (readonly MeasuredValue[])[],
  testedQuantity: 'difference' | 'distance to the bound',
): Omit<ReportCheck, 'sentence'> {
  const { study } = evaluation;
  // Equality satisfies a bound but not an order.
  const isAbove = (value = Number.NaN) => (testedQuantity === 'difference' ? value > 0 : value >= 0);
  const judged = valuesBySetting.filter((numbers) => !areReplicationsIdentical(numbers));
  const equalCount = valuesBySetting.length - judged.length;
  const comparisonCount = judged.flat().length;
  const bounds = judged.map((numbers) => numbers.map((each) => simultaneousBounds(each, comparisonCount)));
  const confirmedCount = bounds.filter((limits) => limits.every(({ low }) => isAbove(low))).length;
  const contradictedCount = bounds.filter((limits) => limits.some(({ high }) => high < 0)).length;
  const openCount = judged.length - confirmedCount - contradictedCount;
  const replicationCount = valuesBySetting[0]?.[0]?.draws?.length ?? 0;
  const heldDrawCount = countReplicationsHolding(replicationCount, (draw) =>
    judged.every((numbers) => numbers.every(({ draws }) => isAbove(draws?.[draw]))),
  );
  const { fewest, copies } = makePopulationOfStudy(evaluation);
  const replicationsPhrase = `${heldDrawCount} of ${replicationCount} ${copies}`;
  if (replicationCount < fewest) {
    return {
      verdict: 'open',
      evidence: `not judged below ${fewest} replications; holds in every setting at once in ${replicationsPhrase}`,
    };
  }
  if (valuesBySetting.length > 0 && judged.length === 0) {
    return {
      verdict: 'open',
      evidence: `not judged: the values are the same in all ${replicationCount} ${copies}, so they are one sample`,
    };
  }
  const isCheckConfirmed = judged.length > 0 && confirmedCount === judged.length;
  const verdict = isCheckConfirmed ? 'confirmed' : contradictedCount > 0 ? 'contradicted' : 'open';
  const [values] = judged;
  if (values !== undefined && valuesBySetting.length === 1) {
    const [limits] = bounds as [(typeof bounds)[number]];
    const leastIndex = limits.reduce((least, { low }, i) => (low < limits[least]!.low ? i : least), 0);
    const { low, high } = limits[leastIndex]!;
    const { format, unit = '' } = study.measures.find(({ name }) => name === measure) ?? {};
    const withUnit = (value = Number.NaN) => `${formatValue(value, format)}${unit === '' ? '' : ` ${unit}`}`;
    const quantityPhrase = values.length > 1 ? `least ${testedQuantity}` : testedQuantity;
    const intervalText = values.length > 1 ? `with 95 % for all ${values.length} together` : '95 % interval';
    return {
      verdict,
      evidence: `${quantityPhrase} ${withUnit(values[leastIndex]!.value)} (${intervalText} ${withUnit(low)} to ${withUnit(high)}); in ${replicationsPhrase}`,
    };
  }
  return {
    verdict,
    evidence:
      `confirmed in ${confirmedCount} of ${judged.length} settings by simultaneous 95 % confidence intervals, contradicted in ${contradictedCount}, ` +
      `open in ${openCount}; holds in every setting at once in ${replicationsPhrase}` +
      (equalCount === 0
        ? ''
        : `; not judged in ${equalCount}, where all ${replicationCount} are the same, one sample`),
  };
}

/** Largest number of contradicting settings that are listed. */
const MAX_LISTED_CONTRADICTIONS = 6;

function evaluateBoundCheck(
  evaluation: Evaluation,
  { measure, where, direction, bound }: BoundCheck,
): Omit<ReportCheck, 'sentence'> {
  const directionSign = direction === 'atLeast' ? 1 : -1;
  const { axes, cells: valuesBySetting } = selectCellsByLabels(evaluation.measure(measure), where);
  if (hasReplicationIntervals(evaluation)) {
    const signedDistances = valuesBySetting.map(({ value: evaluatedValue }) => [
      applySignToMeasuredValue(shiftMeasuredValue(evaluatedValue, -bound), directionSign),
    ]);
    return testPositiveBySimultaneousIntervals(evaluation, measure, signedDistances, 'distance to the bound');
  }
  const contradictingSettings = valuesBySetting.filter(
    ({ value: evaluatedValue }) => !(directionSign * (evaluatedValue.value - bound) >= 0),
  );
  const verdict = verdictOfTruth(valuesBySetting.length > 0 && contradictingSettings.length === 0);
  const isAxisVarying = (axis: number) => where[axes[axis]!]?.length !== 1;
  const settingNames = contradictingSettings.map(({ labels: rowLabels }) =>
    joinLabels(rowLabels.filter((_, axis) => isAxisVarying(axis))),
  );
  const contradictionsPhrase =
    settingNames.length > 0 && settingNames.length <= MAX_LISTED_CONTRADICTIONS
      ? `, not in ${settingNames.join('; ')}`
      : '';
  const holdingCount = valuesBySetting.length - contradictingSettings.length;
  return {
    verdict,
    evidence: `confirmed in ${holdingCount} of ${valuesBySetting.length} settings${contradictionsPhrase}`,
  };
}

/** Values along the tested labels, for each setting. */
function checkedValuesBySetting(
  evaluation: Evaluation,
  { measure, where, axis, labels }: OrderCheck,
): Map<string, (MeasuredValue | undefined)[]> {
  const { axes, cells } = selectCellsByLabels(evaluation.measure(measure), where);
  const axisPosition = axes.indexOf(axis);
  const labelTexts = labels.map(String);
  const valuesBySetting = new Map<string, (MeasuredValue | undefined)[]>();
  for (const { labels: settingLabels, value: evaluatedValue } of cells) {
    const index = labelTexts.indexOf(String(settingLabels[axisPosition] ?? ''));
    if (index < 0) continue;
    const settingKey = joinLabelsAsKey(settingLabels.filter((_: Label | null, i) => i !== axisPosition));
    const values =
      valuesBySetting.get(settingKey) ?? Array.from<MeasuredValue | undefined>({ length: labelTexts.length });
    values[index] = evaluatedValue;
    valuesBySetting.set(settingKey, values);
  }
  return valuesBySetting;
}
