/** Studies: reading and checking study files before anything runs. */

import { checkArgument, checkOptionNames, registerLibraryOptions } from '../arguments.js';
import { InputError, prefixErrorWithLocation } from '../errors.js';
import { firstElement } from '../lists.js';
import { formatNameSuggestion, makeUnknownNameError } from '../notation.js';
import { OPTIONS } from '../options/options.js';
import { doOptionsUseEstimates } from '../options/rules.js';
import { remarkOnMissingEstimates } from '../workload/estimates.js';
import {
  ENTIRE_GRID_LABEL,
  HOME_SITE_AXIS_NAME,
  listAxisNamesOfStudy,
  listOptionNamesOfAxis,
  makeStudyParts,
  type ReplicationsWithKey,
  type StudyPart,
  VARIANT_AXIS_NAME,
} from './expand.js';
import { type Plan, type PlannedWorkload, restoreParametersOfPlannedRun } from './plan.js';
import { checkStudyMetricName, findSimulationMetric, RESPONSE_TIME_BY_HOME_METRIC } from './runValues.js';
import {
  type AxisLabelConditions,
  type CheckSpec,
  type FigureKeys,
  type Label,
  type MeasureKeys,
  type OptionTexts,
  type RawStudy,
  type Replications,
  STUDY_SHAPE,
  type StudyKeys,
  type TableKeys,
} from './schema.js';
import { findAxesNamedInStep, findAxesRemainingAfterSteps, findLabelsNamedInStep } from './steps.js';
import { parseStudyDocument, validateAgainstSchema } from './yamlSource.js';

/** Measure: a value per setting, computed from a run metric by steps. */
export interface StudyMeasure extends Omit<MeasureKeys, 'title' | 'format' | 'decimals'> {
  readonly name: string;
  readonly title: string;
  readonly format: { readonly style: NonNullable<MeasureKeys['format']>; readonly decimals?: number };
}

/** Published number: its value and number of decimals (of percent for percentages). */
export interface PublishedValue {
  readonly text: string;
  readonly value: number;
  readonly decimals: number;
  readonly isPercent: boolean;
}

export interface StudyTableSpec extends Omit<TableKeys, 'published'> {
  readonly id: string;
  /** Published values by row label (labels joined by ', '), then by column label. */
  readonly published: ReadonlyMap<string, ReadonlyMap<string, PublishedValue>>;
}

export interface FigureSpec extends Omit<FigureKeys, 'baseline'> {
  readonly id: string;
  readonly baseline?: FigureKeys['baseline'] | undefined;
}

/** Checked study. */
export interface Study
  extends Pick<StudyKeys, 'title' | 'description' | 'source' | 'kind' | 'checks' | 'notes'> {
  readonly name: string;
  readonly parts: readonly StudyPart[];
  readonly draws: Replications | undefined;
  readonly measures: readonly StudyMeasure[];
  readonly tables: readonly StudyTableSpec[];
  readonly figures: readonly FigureSpec[];
  /** Source text of the study, or an equivalent text. */
  readonly text: string;
  /** Returns the position of a part in the file, for error messages: `file, line 12`. */
  readonly locate: (documentPath: readonly (string | number)[]) => string;
  /** Folder of the study file, in which its files of outages are looked up first; absent: no file. */
  readonly folder?: string;
}

/** Overrides of a study by the user. */
export interface StudyOverrides {
  /** Number of replications. */
  readonly draws?: number | undefined;
  /** Simulation options that replace those of the study. */
  readonly options?: OptionTexts | undefined;
}

const MAKE_STUDY_OPTIONS = registerLibraryOptions<StudyOverrides>('makeStudy', {
  draws: true,
  options: true,
});

type StudyDocumentPath = readonly (string | number)[];

/**
 * Parses the text of a study file.
 * @param file name of the file in errors.
 * @throws InputError with file, line and key for any error.
 * @example
 * const text = 'title: One\nmeasures: { wait: { metric: meanWait } }';
 * console.log((await parseStudy(text, 'one.yaml')).title); // One
 */
export async function parseStudy(
  text: string,
  file: string,
  studyOverrides: StudyOverrides = {},
): Promise<Study> {
  checkArgument(text, 'text', 'parseStudy');
  const { data, locate } = await parseStudyDocument(text, file);
  const studyName = file.replace(/^.*[/\\]/, '').replace(/\.ya?ml$/, '');
  return makeStudy(data as unknown as RawStudy, { name: studyName, text, locate }, studyOverrides);
}

/**
 * Makes a study from plain data.
 * @param source name of the study, its text as a study file, and a function that locates a part by its path,
 * for errors.
 * @throws InputError for data that violate the schema or are inconsistent.
 * @example
 * const raw = { title: 'One', measures: { wait: { metric: 'meanWait' } } };
 * console.log((await makeStudy(raw, { name: 'one', text: '', locate: () => 'one' })).title); // One
 */
export async function makeStudy(
  raw: RawStudy,
  source: Pick<Study, 'name' | 'text' | 'locate'>,
  studyOverrides: StudyOverrides = {},
): Promise<Study> {
  checkArgument(raw, 'object', 'makeStudy, raw');
  checkArgument(source, 'source', 'makeStudy, source');
  const { name: studyName, text, locate } = source;
  checkOptionNames(MAKE_STUDY_OPTIONS, studyOverrides);
  await validateAgainstSchema(raw, locate);
  const studyFields = STUDY_SHAPE.read(raw);
  const replications = readReplicationsOfStudy(studyFields, locate, studyOverrides.draws);
  const study: Study = {
    ...studyFields,
    name: studyName,
    parts: makeStudyParts(studyFields, replications, studyOverrides.options ?? {}, locate),
    draws: replications,
    measures: Object.entries(studyFields.measures).map(([measureName, measure]) =>
      makeMeasure(measureName, measure),
    ),
    tables: Object.entries(studyFields.tables).map(([id, table]) => {
      return {
        ...table,
        id,
        published: parsePublishedCells(table, (rowKey) =>
          locate(['tables', id, 'published', 'rows', rowKey]),
        ),
      };
    }),
    figures: Object.entries(studyFields.figures).map(([id, figure]) => ({ ...figure, id })),
    text,
    locate,
  };
  checkStudyConsistency(study);
  return study;
}

/** Replications of a study, under either key; the user's number takes precedence. */
function readReplicationsOfStudy(
  { replications, draws }: StudyKeys,
  locate: Study['locate'],
  replicationCount: number | undefined,
): ReplicationsWithKey | undefined {
  if (replications !== undefined && draws !== undefined) {
    throw new InputError(`${locate(['draws'])}: draws is another name of replications; give one of the two`);
  }
  const replicationsOrDraws = replications ?? draws;
  if (replicationsOrDraws?.count === undefined && replicationCount !== undefined) {
    throw new InputError(`${locate([])}: this study has no number of replications that could be changed`);
  }
  const replicationsOrDrawsKey = replications === undefined ? 'draws' : 'replications';
  return (
    replicationsOrDraws && {
      ...replicationsOrDraws,
      ...(replicationCount === undefined ? {} : { count: replicationCount }),
      key: replicationsOrDrawsKey,
    }
  );
}

/** Creates a measure; without a title, and in the metric's unit, it is named like the metric. */
function makeMeasure(measureName: string, { format, decimals, ...keys }: MeasureKeys): StudyMeasure {
  const keepsUnitOfMetric = keys.steps.every(
    ({ kind: stepKind }) => stepKind !== 'improvement' && stepKind !== 'standing',
  );
  const metric =
    keys.title === undefined && keepsUnitOfMetric ? findSimulationMetric(keys.metric) : undefined;
  const defaultNumberStyle = metric?.format.style === 'percent' ? 'percent' : 'measure';
  const numberStyle = format ?? (decimals === undefined ? defaultNumberStyle : 'fixed');
  const shownDecimals = decimals ?? (numberStyle === 'percent' ? metric?.format.decimals : undefined);
  const measureUnit = keys.unit ?? metric?.unit;
  return {
    ...keys,
    name: measureName,
    title: keys.title ?? metric?.label ?? measureName,
    ...(measureUnit === undefined ? {} : { unit: measureUnit }),
    format: { style: numberStyle, ...(shownDecimals === undefined ? {} : { decimals: shownDecimals }) },
  };
}

/** Published values of a table, by row and column. */
function parsePublishedCells(
  { published: { columns, rows } = { columns: [], rows: {} } }: TableKeys,
  locateRow: (rowKey: string) => string,
): StudyTableSpec['published'] {
  const cells = Object.entries(rows).map(([rowKey, values]) => {
    if (values.length !== columns.length) {
      throw new InputError(
        `${locateRow(rowKey)}: '${rowKey}' has ${values.length} published values for ${columns.length} columns; write null for none`,
      );
    }
    const publishedValuesByColumn = values.flatMap((value, i) =>
      value === null ? [] : [[String(columns[i]), parsePublishedNumber(value, locateRow(rowKey))] as const],
    );
    return [rowKey, new Map(publishedValuesByColumn)] as const;
  });
  return new Map(cells);
}

/**
 * Parses a printed number such as `19.8` or `-473%`.
 * @param location position for the error message.
 */
export function parsePublishedNumber(printed: number | string, location: string): PublishedValue {
  const publishedText = String(printed).trim();
  const patternMatch = /^[+-]?\d+(?:\.(\d+))?\s*(%?)$/.exec(publishedText);
  if (patternMatch === null)
    throw new InputError(
      `${location}: expected a number as printed, such as 19.8 or -473%, found '${publishedText}'`,
    );
  const isPercent = patternMatch[2] === '%';
  const publishedNumber = Number.parseFloat(publishedText);
  return {
    text: publishedText,
    value: isPercent ? publishedNumber / 100 : publishedNumber,
    decimals: patternMatch[1]?.length ?? 0,
    isPercent,
  };
}

/** True if a value rounds or truncates to the printed digits; papers do either. */
export function isPublishedValueReproduced(
  computedValue: number,
  { text, decimals, isPercent }: PublishedValue,
): boolean {
  const scale = 10 ** decimals;
  const scaledValue = (isPercent ? computedValue * 100 : computedValue) * scale;
  const printed = Math.round(Number.parseFloat(text) * scale);
  // Tolerates rounding errors in the last bits.
  const roundedValue = Math.round(scaledValue);
  return (
    printed === roundedValue ||
    printed === Math.trunc(scaledValue) ||
    Math.abs(scaledValue - printed) < 1e-9 * Math.abs(printed)
  );
}

const HOME_LABEL_PATTERN = new RegExp(`^(?:${ENTIRE_GRID_LABEL}|site [1-9]\\d*)$`);

/** Labels by axis as text; the axis `variant` is known only after expansion. */
type LabelsByAxis = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Checks a study for consistency.
 * @throws InputError for unknown axes, labels, metrics or measures, and for axes that are unused or neither
 * shown nor reduced.
 */
function checkStudyConsistency(study: Study): void {
  const labelsByAxis = collectAxisLabelsOfStudy(study);
  const runCheckWithPathInError = (path: StudyDocumentPath, check: () => void) => {
    try {
      check();
    } catch (error) {
      throw prefixErrorWithLocation(error, study.locate(path));
    }
  };
  checkAxesOfParts(study);
  for (const part of ['tables', 'figures'] as const) {
    checkFileNames(part, study);
  }
  for (const measure of study.measures)
    runCheckWithPathInError(['measures', measure.name], () =>
      checkMeasureSteps(measure, study, labelsByAxis),
    );
  for (const tableSpec of study.tables)
    runCheckWithPathInError(['tables', tableSpec.id], () => checkTableSpec(tableSpec, study, labelsByAxis));
  for (const figure of study.figures) {
    runCheckWithPathInError(['figures', figure.id], () => checkFigureSpec(figure, study, labelsByAxis));
  }
  study.checks.forEach((check, i) => {
    runCheckWithPathInError(['checks', i], () => checkStudyCheckTest(check.test, study, labelsByAxis));
  });
}

/** Largest length of an id used in file names, which have at most about 255 characters. */
const MAX_FILE_NAME_LETTERS = 100;

/** File names reserved by Windows. */
const WINDOWS_DEVICE_NAME_PATTERN = /^(?:aux|con|nul|prn|(?:com|lpt)\d)$/i;

/** Checks ids that become file names: some file systems ignore case. */
function checkFileNames(sectionKey: 'tables' | 'figures', study: Study): void {
  const idByLowerCaseId = new Map<string, string>();
  for (const { id } of study[sectionKey]) {
    if (id.length > MAX_FILE_NAME_LETTERS) {
      throw new InputError(
        `${study.locate([sectionKey, id])}: a name of ${id.length} letters is too long for that of a file; give it ${MAX_FILE_NAME_LETTERS} at most`,
      );
    }
    if (WINDOWS_DEVICE_NAME_PATTERN.test(id)) {
      throw new InputError(
        `${study.locate([sectionKey, id])}: Windows takes a file named '${id}' for a device; give another name`,
      );
    }
    const earlierId = idByLowerCaseId.get(id.toLowerCase());
    if (earlierId !== undefined) {
      throw new InputError(
        `${study.locate([sectionKey, id])}: '${earlierId}' and '${id}' differ only in capitals, which not all disks tell apart; rename one`,
      );
    }
    idByLowerCaseId.set(id.toLowerCase(), id);
  }
}

function collectAxisLabelsOfStudy(study: Study): LabelsByAxis {
  const labelsByAxis = new Map<string, Set<string>>(
    listAxisNamesOfStudy(study).map((axisName) => [axisName, new Set()]),
  );
  for (const { name: partName, axes } of study.parts) {
    if (partName !== undefined) labelsByAxis.get('part')?.add(partName);
    for (const axis of axes)
      for (const { label: valueLabel } of axis.entries) labelsByAxis.get(axis.name)?.add(String(valueLabel));
  }
  return labelsByAxis;
}

function checkAxesOfParts({ parts: studyParts, draws, locate }: Study): void {
  for (const { options, axes } of studyParts) {
    const optionAndAxisTexts = [
      ...Object.values(options),
      ...axes.flatMap(({ entries: axisValues }) => axisValues.map(({ text: valueText }) => valueText)),
    ];
    for (const { name: axisName, entries: axisValues } of axes) {
      const unused = listOptionNamesOfAxis(axisName).find(
        (optionName) => !optionAndAxisTexts.some((optionText) => optionText.includes(`{${optionName}}`)),
      );
      if (unused !== undefined) {
        const suggestion = Object.hasOwn(OPTIONS, unused)
          ? ''
          : formatNameSuggestion(unused, Object.keys(OPTIONS));
        throw new InputError(
          `${firstElement(axisValues).place}: no option uses the axis '${unused}'${suggestion === '' ? '; write' : `${suggestion} Else write`} {${unused}} where its values belong, for instance ${unused}: '{${unused}}'`,
        );
      }
      const seenLabels = new Set<string>();
      for (const { label: valueLabel, place: placeInFile } of axisValues) {
        if (seenLabels.has(String(valueLabel))) {
          throw new InputError(`${placeInFile}: '${valueLabel}' appears twice on the axis '${axisName}'`);
        }
        seenLabels.add(String(valueLabel));
      }
    }
    const axisNames = axes.map(({ name: axisName }) => axisName);
    if (draws !== undefined && !axisNames.includes(draws.axis)) {
      throw prefixErrorWithLocation(makeUnknownNameError('axis', draws.axis, axisNames), locate(['draws']));
    }
  }
}

function checkAxisKnown(axisName: string, axes: Iterable<string>): void {
  const axisNames = [...axes];
  if (!axisNames.includes(axisName)) throw makeUnknownNameError('axis', axisName, axisNames);
}

function checkLabelsOfAxisKnown(
  axisName: string,
  namedLabels: readonly Label[],
  labelsByAxis: LabelsByAxis,
): void {
  const unknownHomeLabel = namedLabels.find((label) => !HOME_LABEL_PATTERN.test(String(label)));
  if (axisName === HOME_SITE_AXIS_NAME && unknownHomeLabel !== undefined) {
    throw new InputError(
      `unknown label of ${axisName} '${unknownHomeLabel}'. Known: ${ENTIRE_GRID_LABEL}, site 1, site 2, ...`,
    );
  }
  const knownLabels = labelsByAxis.get(axisName);
  if (knownLabels === undefined || axisName === VARIANT_AXIS_NAME) return;
  for (const label of namedLabels)
    if (!knownLabels.has(String(label)))
      throw makeUnknownNameError(`label of ${axisName}`, String(label), knownLabels);
}

function checkAxisLabelConditions(
  conditions: AxisLabelConditions,
  axes: readonly string[],
  labelsByAxis: LabelsByAxis,
): void {
  for (const [axisName, labels] of Object.entries(conditions)) {
    checkAxisKnown(axisName, axes);
    checkLabelsOfAxisKnown(axisName, labels, labelsByAxis);
  }
}

/** Axes of a measure's metric, without the replications. */
function findAxesOfMetric({ metric }: StudyMeasure, study: Study): string[] {
  const axes = listAxisNamesOfStudy(study).filter((axisName) => axisName !== study.draws?.axis);
  return metric === RESPONSE_TIME_BY_HOME_METRIC ? [...axes, HOME_SITE_AXIS_NAME] : axes;
}

/** Axes that remain after a measure's steps. */
function findAxesOfMeasure(measure: StudyMeasure, study: Study): string[] {
  return findAxesRemainingAfterSteps(findAxesOfMetric(measure, study), measure.steps);
}

function checkMeasureSteps(measure: StudyMeasure, study: Study, labelsByAxis: LabelsByAxis): void {
  checkStudyMetricName(measure.metric, study.kind);
  let axes = findAxesOfMetric(measure, study);
  checkAxisLabelConditions(measure.where, axes, labelsByAxis);
  if (measure.steps.some(({ kind: stepKind }, i) => stepKind === 'choose' && i > 0)) {
    throw new InputError('choose comes before all other steps');
  }
  const replicationCount = labelsByAxis.get(study.draws?.axis ?? '')?.size ?? 1;
  if (measure.steps.some(({ kind: stepKind }) => stepKind === 'choose') && replicationCount < 2) {
    throw new InputError(
      'choose takes the odd replications for choosing and the even ones for judging, so there must be 2 or more',
    );
  }
  for (const measureStep of measure.steps) {
    const axesUsedByStep = findAxesNamedInStep(measureStep);
    for (const axisName of axesUsedByStep) checkAxisKnown(axisName, axes);
    checkLabelsOfAxisKnown(firstElement(axesUsedByStep), findLabelsNamedInStep(measureStep), labelsByAxis);
    axes = findAxesRemainingAfterSteps(axes, [measureStep]);
  }
  checkMeasureDifference(measure, study);
}

/**
 * Checks a difference of measures: both must have the same labels, and the subtracted one must not be a
 * difference itself.
 */
function checkMeasureDifference(measure: StudyMeasure, study: Study): void {
  const { less, chosenOn, name: measureName } = measure;
  if (chosenOn === 'one' && study.draws !== undefined && study.draws.average !== 'after') {
    throw new InputError('chosenOn: one needs replications with average: after');
  }
  if (less === undefined) return;
  const subtrahend = findMeasureByName(less, study);
  if (subtrahend.less !== undefined) {
    throw new InputError(`less: '${less}' has another measure taken off itself; name one that has not`);
  }
  const [axesOfMinuend, axesOfSubtrahend] = [measure, subtrahend].map((each) =>
    findAxesOfMeasure(each, study).join(', '),
  );
  if (axesOfMinuend !== axesOfSubtrahend) {
    throw new InputError(
      `less: '${measureName}' has the axes ${axesOfMinuend}, but '${less}' has ${axesOfSubtrahend}`,
    );
  }
}

function findMeasureByName(measureName: string, { measures }: Study): StudyMeasure {
  const measure = measures.find((candidate) => candidate.name === measureName);
  if (measure !== undefined) return measure;
  throw makeUnknownNameError(
    'measure',
    measureName,
    measures.map((candidate) => candidate.name),
  );
}

/** Checks that every axis of a measure is shown or fixed to one label. */
function checkAxesShownOrFixed(
  measureName: string,
  conditions: AxisLabelConditions,
  shownAxisNames: readonly string[],
  study: Study,
  labelsByAxis: LabelsByAxis,
): void {
  const measure = findMeasureByName(measureName, study);
  const axes = findAxesOfMeasure(measure, study);
  checkAxisLabelConditions(conditions, axes, labelsByAxis);
  for (const axisName of shownAxisNames) checkAxisKnown(axisName, axes);
  for (const axisName of axes) {
    if (shownAxisNames.includes(axisName)) continue;
    const labelCount =
      (conditions[axisName] ?? measure.where[axisName])?.length ?? labelsByAxis.get(axisName)?.size ?? 0;
    const hasUnknownLabels =
      axisName === VARIANT_AXIS_NAME || (axisName === HOME_SITE_AXIS_NAME && labelCount === 0);
    if (!hasUnknownLabels && labelCount <= 1) continue;
    throw new InputError(
      `the axis '${axisName}' of measure '${measureName}' has several labels and no place here; ` +
        `name it, reduce it by a step such as mean: ${axisName}, or choose one label with where`,
    );
  }
}

/** Possible column headings of published values; undefined if headings combine several names. */
function listPublishedColumnHeadings(
  { measures, columns: specColumns }: StudyTableSpec,
  labelsByAxis: LabelsByAxis,
): ReadonlySet<string> | undefined {
  if (specColumns.length === 0) return new Set(measures);
  return specColumns.length === 1 && measures.length === 1
    ? labelsByAxis.get(firstElement(specColumns))
    : undefined;
}

function checkFigureSpec(
  { measure, where, panels, x, series, baseline }: FigureSpec,
  study: Study,
  labelsByAxis: LabelsByAxis,
): void {
  checkAxesShownOrFixed(measure, where, [...panels, x, ...series], study, labelsByAxis);
  if (baseline === undefined) return;
  checkAxisKnown(baseline.axis, [...panels, x, ...series]);
  checkLabelsOfAxisKnown(baseline.axis, [baseline.label], labelsByAxis);
}

function checkTableSpec(tableSpec: StudyTableSpec, study: Study, labelsByAxis: LabelsByAxis): void {
  const { measures, where, rows: specRows, columns: specColumns, among, published, emphasize } = tableSpec;
  for (const measure of measures)
    checkAxesShownOrFixed(measure, where, [...specRows, ...specColumns], study, labelsByAxis);
  for (const axisName of among) checkAxisKnown(axisName, [...specRows, ...specColumns]);
  const isComparingTable = emphasize === 'least' || emphasize === 'most';
  if (isComparingTable && measures.length > 1 && specColumns.length === 0 && among.length === 0) {
    throw new InputError(
      `emphasize: ${emphasize} compares values of one measure, and here each value of a row is of another; ` +
        `name in among the axes whose labels are compared, such as ${specRows[0]}`,
    );
  }
  const columnHeadings = listPublishedColumnHeadings(tableSpec, labelsByAxis);
  const rowLabels = specRows.length === 1 ? labelsByAxis.get(firstElement(specRows)) : undefined;
  for (const [rowKey, cells] of published) {
    if (rowLabels !== undefined && rowKey !== tableSpec.total && !rowLabels.has(rowKey))
      throw makeUnknownNameError('published row', rowKey, rowLabels);
    for (const columnName of cells.keys()) {
      if (columnHeadings !== undefined && !columnHeadings.has(columnName))
        throw makeUnknownNameError('published column', columnName, columnHeadings);
      if (specColumns[0] === HOME_SITE_AXIS_NAME)
        checkLabelsOfAxisKnown(HOME_SITE_AXIS_NAME, [columnName], labelsByAxis);
    }
  }
}

function checkStudyCheckTest(test: CheckSpec['test'], study: Study, labelsByAxis: LabelsByAxis): void {
  if (test.kind === 'reproduced') {
    const ids = study.tables.map(({ id: tableId }) => tableId);
    if (!ids.includes(test.table)) throw makeUnknownNameError('table', test.table, ids);
    return;
  }
  const axes = findAxesOfMeasure(findMeasureByName(test.measure, study), study);
  checkAxisLabelConditions(test.where, axes, labelsByAxis);
  if (test.kind === 'bound') return;
  checkAxisKnown(test.axis, axes);
  checkLabelsOfAxisKnown(test.axis, test.labels, labelsByAxis);
}

// Warnings on the jobs of a study

/** Workloads in which actual runtimes replace missing estimates that affect decisions. */
export function findWorkloadsWithoutEstimates({ runs, workloads }: Plan): PlannedWorkload[] {
  const indicesOfDecisiveWorkloads = new Set<number>();
  for (const { workload, policy, common: commonParameters } of runs) {
    if (
      remarkOnMissingEstimates(workloads[workload]!) === undefined ||
      indicesOfDecisiveWorkloads.has(workload)
    )
      continue;
    if (doOptionsUseEstimates(restoreParametersOfPlannedRun({ policy, common: commonParameters })))
      indicesOfDecisiveWorkloads.add(workload);
  }
  return [...indicesOfDecisiveWorkloads].map((workload) => workloads[workload]!);
}
