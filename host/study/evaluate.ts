/**
 * Evaluates a study: from the metrics of runs, through the steps of measures, to numbers with their bounds.
 */
import { InputError } from '../errors.js';
import { firstElement } from '../lists.js';
import { hasRunMetric } from '../simulate/summary.js';
import { computePercentileInterval, countDrawsPerValue, sampleMoments } from '../statistics/bootstrap.js';
import { estimateMean, INTERVAL_ERROR_PROBABILITY, studentQuantile } from '../statistics/interval.js';
import { pairedDifference } from '../statistics/judging.js';
import { ENTIRE_GRID_LABEL, HOME_SITE_AXIS_NAME } from './expand.js';
import { computeMaxSiteCountOfPlan, type Plan, restoreParametersOfPlannedRun } from './plan.js';
import type { Results } from './results.js';
import { RESPONSE_TIME_BY_HOME_METRIC } from './runValues.js';
import type { AxisLabelConditions, Label, MeasureStep, Replications } from './schema.js';
import {
  type CellTransformation,
  type CellValues,
  combineStepTransformations,
  computeCellMeansOverTables,
  doesStepChooseLabels,
  groupCellsWithoutAxes,
  joinLabelsAsKey,
  type LabelledCells,
} from './steps.js';
import type { Study, StudyMeasure } from './study.js';

/** Value of a measure, with bounds if there are several replications. */
export interface MeasuredValue {
  readonly value: number;
  /** Bounds: a 95 % interval, or minimum and maximum over the replications, as the study specifies. */
  readonly low?: number;
  readonly high?: number;
  /** Values by replication, if there are several. */
  readonly draws?: readonly number[];
  /** Resampled values, if the value is not the mean of the replications' values. */
  readonly resamples?: readonly number[];
}

/** Value with one label per axis. */
interface AxisCell {
  readonly labels: readonly (Label | null)[];
  readonly value: number;
}

/** Values by axis labels, in plan order. */
interface AxisCells {
  readonly axes: readonly string[];
  readonly cells: readonly AxisCell[];
}

/** Values of a measure by axis labels. */
export interface Evaluated {
  /** Names of the remaining axes. */
  readonly axes: readonly string[];
  /** Values in plan order. */
  readonly cells: readonly { readonly labels: readonly (Label | null)[]; readonly value: MeasuredValue }[];
}

/** Evaluates the measures of a finished study from its plan and results. */
export class Evaluation {
  readonly study: Study;
  readonly plan: Plan;
  readonly #results: Results;
  readonly #measured = new Map<string, Evaluated>();

  /**
   * @param results values of all runs; runs of other shards are undefined.
   * @throws InputError if results are missing.
   */
  constructor(study: Study, plan: Plan, results: Results | undefined) {
    if (results === undefined)
      throw new InputError('Evaluation, results: expected those of all runs; merge the shards first');
    this.study = study;
    this.plan = plan;
    this.#results = results;
  }

  /** Labels of an axis, in order. */
  labels(axisName: string): (Label | null)[] {
    const index = this.plan.axes.indexOf(axisName);
    const { points: studyPoints } = this.plan;
    return [...new Set(studyPoints.map(({ labels: pointLabels }) => pointLabels[index] ?? null))];
  }

  /**
   * Values of a measure, by the axes that its steps leave.
   * @param measureName name in the study file.
   */
  measure(measureName: string): Evaluated {
    const cachedEvaluatedMeasure = this.#measured.get(measureName);
    if (cachedEvaluatedMeasure !== undefined) return cachedEvaluatedMeasure;
    const measure = this.study.measures.find((candidate) => candidate.name === measureName);
    if (measure === undefined) throw new Error(`there is no measure '${measureName}'`);
    const evaluatedMeasure = this.#evaluate(measure);
    this.#measured.set(measureName, evaluatedMeasure);
    return evaluatedMeasure;
  }

  #evaluate(measure: StudyMeasure): Evaluated {
    const subtrahend = this.study.measures.find(({ name: measureName }) => measureName === measure.less);
    const minuend = this.#values(
      measure,
      subtrahend === undefined
        ? doesMeasureChooseOnHalf(measure)
        : doesMeasureChooseOnHalf(measure) || doesMeasureChooseOnHalf(subtrahend),
    );
    if (subtrahend === undefined) return minuend;
    const { axes, cells: evaluatedCells } = this.#values(
      subtrahend,
      doesMeasureChooseOnHalf(measure) || doesMeasureChooseOnHalf(subtrahend),
    );
    const subtrahendByLabels = new Map(
      evaluatedCells.map(({ labels: cellLabels, value: evaluatedValue }) => [
        joinLabelsAsKey(cellLabels),
        evaluatedValue,
      ]),
    );
    return {
      axes,
      cells: minuend.cells.flatMap(({ labels: cellLabels, value: evaluatedValue }) => {
        const measuredSubtrahend = subtrahendByLabels.get(joinLabelsAsKey(cellLabels));
        return measuredSubtrahend === undefined
          ? []
          : [
              {
                labels: cellLabels,
                value: subtractMeasuredValues(evaluatedValue, measuredSubtrahend, this.study.draws?.shows),
              },
            ];
      }),
    };
  }

  /** Values of a measure after its steps; only of even replications if labels are chosen on odd ones. */
  #values(
    { metric, where, steps: measureSteps, chosenOn }: StudyMeasure,
    usesHalvesOfReplications: boolean,
  ): Evaluated {
    const selectedCells = selectCellsByLabels(
      metric === RESPONSE_TIME_BY_HOME_METRIC ? this.#byHome() : this.#metric(metric),
      where,
    );
    const { draws = { axis: undefined, average: 'before', shows: 'range' } } = this.study;
    const tablesByReplication = splitByReplication(
      selectedCells,
      draws.axis === undefined ? [] : [draws.axis],
    );
    const { layout, tables } = tablesByReplication;
    const isChoiceMadePerReplication =
      chosenOn === 'one' && measureSteps.some(doesStepChooseLabels) && tables.length > 1;
    const crossValidatedCells = isChoiceMadePerReplication
      ? crossValidateSteps(tablesByReplication, measureSteps)
      : undefined;
    const [choosingTables, evaluatedTables] =
      usesHalvesOfReplications && tables.length > 1
        ? [tables.filter((_, i) => i % 2 === 0), tables.filter((_, i) => i % 2 === 1)]
        : [[], tables];
    const transformation =
      crossValidatedCells === undefined
        ? combineStepTransformations(layout, measureSteps, choosingTables)
        : combineStepTransformations(crossValidatedCells.layout, []);
    const values = measureReplicatedTables(
      crossValidatedCells?.tables ?? evaluatedTables,
      transformation,
      draws,
    );
    return {
      axes: transformation.layout.axes,
      cells: transformation.layout.labels.map((labels, i) => ({ labels, value: values[i]! })),
    };
  }

  /** Average response times by home site; sites without jobs are omitted. */
  #byHome(): AxisCells {
    const { points: studyPoints, axes: axisNames } = this.plan;
    const sites = Array.from({ length: computeMaxSiteCountOfPlan(this.plan) }, (_, i) => i + 1);
    const grid = this.#valuesOf('averageResponseTime');
    const homes = sites.map((site) => ({
      label: `site ${site}`,
      jobs: this.#valuesOf(`home${site}Jobs`),
      times: this.#valuesOf(`home${site}AverageResponseTime`),
    }));
    const cells: AxisCell[] = [];
    for (const [point, { labels: pointLabels }] of studyPoints.entries()) {
      cells.push({ labels: [...pointLabels, ENTIRE_GRID_LABEL], value: grid[point]! });
      for (const { label: homeLabel, jobs, times } of homes) {
        if (jobs[point]! > 0) cells.push({ labels: [...pointLabels, homeLabel], value: times[point]! });
      }
    }
    return { axes: [...axisNames, HOME_SITE_AXIS_NAME], cells };
  }

  #metric(metric: string): AxisCells {
    const { points: studyPoints, axes: axisNames } = this.plan;
    const values = this.#valuesOf(metric);
    return {
      axes: axisNames,
      cells: Array.from(values, (value, point) => ({ labels: studyPoints[point]!.labels, value })),
    };
  }

  /** Values of a metric by setting; NaN if the run lacks it. */
  #valuesOf(metric: string): Float64Array {
    const hasMetricValue = (runIndex: number) =>
      this.study.kind === 'workloads' ||
      hasRunMetric({ name: metric }, restoreParametersOfPlannedRun(this.plan.runs[runIndex]!));
    return Float64Array.from(this.plan.points, ({ run }) =>
      hasMetricValue(run) ? this.#results.value(run, metric) : Number.NaN,
    );
  }
}

/**
 * Selects the cells whose labels fulfil all conditions; each condition lists the accepted labels of an axis.
 */
export function selectCellsByLabels<Each extends { readonly labels: readonly (Label | null)[] }>(
  { axes, cells }: { readonly axes: readonly string[]; readonly cells: readonly Each[] },
  conditions: AxisLabelConditions,
): { readonly axes: readonly string[]; readonly cells: readonly Each[] } {
  const labelConditions = Object.entries(conditions).map(
    ([axisName, labels]) => [axes.indexOf(axisName), labels.map(String)] as const,
  );
  if (labelConditions.length === 0) return { axes, cells };
  const areLabelsSelected = ({ labels }: Each) =>
    labelConditions.every(([position, acceptedLabels]) =>
      acceptedLabels.includes(String(labels[position] ?? '')),
    );
  return { axes, cells: cells.filter(areLabelsSelected) };
}

/** Values as tables, one per replication, with the axes of a table. */
interface TablesByReplication {
  readonly layout: LabelledCells;
  readonly tables: readonly CellValues[];
}

/** True if labels are chosen on odd replications and evaluated on even ones. */
const doesMeasureChooseOnHalf = ({ steps: measureSteps, chosenOn }: StudyMeasure) =>
  chosenOn === 'half' && measureSteps.some(doesStepChooseLabels);

function splitByReplication(
  { axes, cells }: AxisCells,
  replicationAxes: readonly string[],
): TablesByReplication {
  const layout = { axes, labels: cells.map(({ labels: cellLabels }) => cellLabels) };
  const { axes: remainingAxes, groups } = groupCellsWithoutAxes(layout, replicationAxes);
  const position = replicationAxes.length === 0 ? -1 : axes.indexOf(firstElement(replicationAxes));
  const replicationLabels = [...new Set(cells.map(({ labels: cellLabels }) => cellLabels[position]))];
  const replicationIndexes = new Map(replicationLabels.map((label, i) => [label, i]));
  const tables = replicationLabels.map(() => new Float64Array(groups.length).fill(Number.NaN));
  for (const [i, { members: groupMembers }] of groups.entries()) {
    for (const member of groupMembers) {
      tables[replicationIndexes.get(cells[member]!.labels[position]) as number]![i] = cells[member]!.value;
    }
  }
  return {
    layout: { axes: remainingAxes, labels: groups.map(({ labels: groupLabels }) => groupLabels) },
    tables,
  };
}

/**
 * Results of choices made on each replication and evaluated on all others. The value of a replication
 * combines what its own choice yields and what other choices yield on it, so that the values' spread shows
 * the error of their mean (projections of a U-statistic of two replications).
 */
function crossValidateSteps(
  { layout, tables }: TablesByReplication,
  measureSteps: readonly MeasureStep[],
): TablesByReplication {
  const transformations = tables.map((cellValues) =>
    combineStepTransformations(layout, measureSteps, [cellValues]),
  );
  const tablesByChoice = transformations.map(({ apply }, choosing) =>
    tables.map((cellValues, r) => (r === choosing ? [] : apply(cellValues))),
  );
  const { layout: remainingLayout } = firstElement(transformations);
  const cellCount = remainingLayout.labels.length;
  const otherTableCount = tables.length - 1;
  const meanByChoice = tablesByChoice.map((tablesOfChoice, choosing) =>
    computeCellMeansOverTables(tablesOfChoice.filter((_, r) => r !== choosing)),
  );
  const meanOverChoices = computeCellMeansOverTables(meanByChoice);
  const values = tables.map((_, r) =>
    Array.from({ length: cellCount }, (_, cell) => {
      const meanOfOtherChoices =
        tablesByChoice.reduce(
          (sum, tablesOfChoice, choosing) => sum + (choosing === r ? 0 : tablesOfChoice[r]![cell]!),
          0,
        ) / otherTableCount;
      return meanByChoice[r]![cell]! + meanOfOtherChoices - meanOverChoices[cell]!;
    }),
  );
  return { tables: values, layout: remainingLayout };
}

/** Differences of a measure to one label of an axis, which is removed. */
export function differencesToLabel(
  { axes, cells: evaluatedCells }: Evaluated,
  { axis, label: baseline }: { readonly axis: string; readonly label: Label },
  shownSpread: Replications['shows'] = 'interval',
): Evaluated {
  const position = axes.indexOf(axis);
  const keyOf = (cellLabels: readonly (Label | null)[]) => joinLabelsAsKey(cellLabels.toSpliced(position, 1));
  const isBaselineCell = (cellLabels: readonly (Label | null)[]) =>
    String(cellLabels[position]) === String(baseline);
  const baselineValues = new Map(
    evaluatedCells.flatMap(({ labels: cellLabels, value: evaluatedValue }) =>
      isBaselineCell(cellLabels) ? [[keyOf(cellLabels), evaluatedValue] as const] : [],
    ),
  );
  return {
    axes,
    cells: evaluatedCells.flatMap(({ labels: cellLabels, value: evaluatedValue }) => {
      const base = baselineValues.get(keyOf(cellLabels));
      return base === undefined || isBaselineCell(cellLabels)
        ? []
        : [{ labels: cellLabels, value: subtractMeasuredValues(evaluatedValue, base, shownSpread) }];
    }),
  };
}

/** Number of bootstrap resamples; one less than a multiple of 40, so that bounds are order statistics. */
const STUDY_RESAMPLE_COUNT = 999;

/** Bounds of a value from its replications. */
function computeBoundsOfMeasuredValue(
  {
    value: measuredValue,
    draws: replicationValues = [],
    resamples,
  }: Pick<MeasuredValue, 'value' | 'draws' | 'resamples'>,
  shownSpread: Replications['shows'],
): { low: number; high: number } {
  if (shownSpread === 'range' || replicationValues.some(Number.isNaN)) {
    return { low: Math.min(...replicationValues), high: Math.max(...replicationValues) };
  }
  if (resamples !== undefined) {
    const { low, high } = computePercentileInterval(resamples);
    // The minimum of similar means is biased; the interval is widened to the side indicated by the
    // resamples.
    const studentReach =
      studentQuantile(INTERVAL_ERROR_PROBABILITY, replicationValues.length - 1) *
      computeStandardErrorOfMean(replicationValues, resamples);
    const reach = Math.max(measuredValue - low, high - measuredValue, studentReach);
    return { low: measuredValue - reach, high: measuredValue + reach };
  }
  const { low, high } = estimateMean(replicationValues);
  return { low, high };
}

/** Standard error of a mean over replications. */
function computeStandardErrorOfMean(
  replicationValues: readonly number[],
  resamples: readonly number[] | undefined,
): number {
  if (resamples === undefined) return sampleMoments(replicationValues).standardError;
  // Resampling underestimates the variance by the factor (n - 1) / n, which is corrected here.
  return (
    sampleMoments(resamples).standardDeviation *
    Math.sqrt(replicationValues.length / (replicationValues.length - 1))
  );
}

/** Values of a measure over replications after its steps, with bounds. */
function measureReplicatedTables(
  tables: readonly CellValues[],
  { apply, isLinear }: CellTransformation,
  { average, shows }: Pick<Replications, 'average' | 'shows'>,
): MeasuredValue[] {
  const singleTableValues = tables.map(apply);
  const isMeanOfSingleValues = average === 'after';
  const cellValues = isMeanOfSingleValues
    ? computeCellMeansOverTables(singleTableValues)
    : apply(computeCellMeansOverTables(tables));
  const cells = Array.from(cellValues);
  if (tables.length < 2) return cells.map((value) => ({ value }));
  const usesResampling = shows === 'interval' && !isMeanOfSingleValues && !isLinear;
  const resampledTables = usesResampling
    ? countDrawsPerValue(tables.length, STUDY_RESAMPLE_COUNT).map((counts) =>
        apply(computeWeightedMeanOfTables(tables, counts)),
      )
    : [];
  return cells.map((value, cell) => {
    const draws = singleTableValues.map((cellValues) => cellValues[cell]!);
    const spread = usesResampling
      ? { draws, resamples: resampledTables.map((cellValues) => cellValues[cell]!) }
      : { draws };
    return { value, ...spread, ...computeBoundsOfMeasuredValue({ value, ...spread }, shows) };
  });
}

/** Weighted mean of tables. */
function computeWeightedMeanOfTables(
  tables: readonly CellValues[],
  replicationCounts: ArrayLike<number>,
): Float64Array {
  const sums = new Float64Array(firstElement(tables).length);
  tables.forEach((cellValues, i) => {
    const tableWeight = replicationCounts[i]! / tables.length;
    if (tableWeight > 0)
      for (let cell = 0; cell < sums.length; cell++) sums[cell]! += tableWeight * cellValues[cell]!;
  });
  return sums;
}

/** Difference of two values of a measure, paired by replication. */
export function subtractMeasuredValues(
  minuend: MeasuredValue,
  subtrahend: MeasuredValue,
  shownSpread: Replications['shows'] = 'interval',
): MeasuredValue {
  const difference = minuend.value - subtrahend.value;
  if (minuend.draws === undefined || subtrahend.draws === undefined) return { value: difference };
  const drawsOfSubtrahend = subtrahend.draws;
  const replicationValues = minuend.draws.map((draw, i) => draw - drawsOfSubtrahend[i]!);
  if (minuend.resamples !== undefined && subtrahend.resamples !== undefined) {
    const resamplesOfSubtrahend = subtrahend.resamples;
    const resamples = minuend.resamples.map((resample, i) => resample - resamplesOfSubtrahend[i]!);
    return {
      value: difference,
      draws: replicationValues,
      resamples,
      ...computeBoundsOfMeasuredValue(
        { value: difference, draws: replicationValues, resamples },
        shownSpread,
      ),
    };
  }
  if (shownSpread === 'range' || replicationValues.some(Number.isNaN))
    return {
      value: difference,
      draws: replicationValues,
      ...computeBoundsOfMeasuredValue({ value: difference, draws: replicationValues }, 'range'),
    };
  const { low, high } = pairedDifference(minuend.draws, drawsOfSubtrahend);
  return { value: difference, draws: replicationValues, low, high };
}

/** Applies a monotonic function to a value, its bounds and its replications. */
function mapMeasuredValue(
  {
    value: measuredValue,
    low = measuredValue,
    high = measuredValue,
    draws: replicationValues = [],
    resamples,
  }: MeasuredValue,
  transform: (number: number) => number,
): MeasuredValue {
  const transformedBounds = [transform(low), transform(high)];
  return {
    value: transform(measuredValue),
    low: Math.min(...transformedBounds),
    high: Math.max(...transformedBounds),
    draws: replicationValues.map(transform),
    ...(resamples === undefined ? {} : { resamples: resamples.map(transform) }),
  };
}

/** Multiplies a value, its bounds and its values by replication by `directionSign` (1 or -1). */
export function applySignToMeasuredValue(measuredValue: MeasuredValue, directionSign: number): MeasuredValue {
  return mapMeasuredValue(measuredValue, (number) => directionSign * number);
}

/** Value shifted by an amount. */
export function shiftMeasuredValue(measuredValue: MeasuredValue, amount: number): MeasuredValue {
  return mapMeasuredValue(measuredValue, (number) => number + amount);
}

/**
 * Bounds that hold for `comparisonCount` values simultaneously (Bonferroni): the wider of the value's own and
 * Student's. Without bounds, unchanged.
 */
export function simultaneousBounds(
  measured: MeasuredValue,
  comparisonCount: number,
): { low: number; high: number } {
  const {
    value: measuredValue,
    low = measuredValue,
    high = measuredValue,
    draws: replicationValues = [],
    resamples,
  } = measured;
  if (comparisonCount < 2 || replicationValues.length < 2) return { low, high };
  const error = computeStandardErrorOfMean(replicationValues, resamples);
  const reach =
    error === 0
      ? 0
      : studentQuantile(INTERVAL_ERROR_PROBABILITY / comparisonCount, replicationValues.length - 1) * error;
  return { low: Math.min(low, measuredValue - reach), high: Math.max(high, measuredValue + reach) };
}

/** Sum of values of a measure with its bounds; undefined for an empty list. */
export function addMeasuredValues(
  values: readonly MeasuredValue[],
  shownSpread: Replications['shows'],
): MeasuredValue | undefined {
  const [firstValue] = values;
  if (firstValue === undefined) return undefined;
  const sumOf = (getTerm: (value: MeasuredValue) => number) =>
    values.reduce((sum, measuredValue) => sum + getTerm(measuredValue), 0);
  const sumOfValues = sumOf((measuredValue) => measuredValue.value);
  const sumByReplication = (fieldName: 'draws' | 'resamples') =>
    firstValue[fieldName]?.map((_, i) => sumOf((measuredValue) => measuredValue[fieldName]?.[i] ?? 0));
  const [draws, resamples] = [sumByReplication('draws'), sumByReplication('resamples')];
  if (draws === undefined) return { value: sumOfValues };
  const spread = resamples === undefined ? { draws } : { draws, resamples };
  return {
    value: sumOfValues,
    ...spread,
    ...computeBoundsOfMeasuredValue({ value: sumOfValues, ...spread }, shownSpread),
  };
}
