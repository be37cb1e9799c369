/**
 * Steps of measures: each is prepared once for the labels of the cells, and then applied to values of all
 * replications, of single ones or of resamples.
 */
import { InputError } from '../errors.js';
import { firstElement } from '../lists.js';
import type { Label, MeasureStep } from './schema.js';

/** Cells with their axis labels, in order. */
export interface LabelledCells {
  readonly axes: readonly string[];
  readonly labels: readonly (readonly (Label | null)[])[];
}

/** Values of cells, in the order of their layout. */
export type CellValues = ArrayLike<number>;

/** Transformation of cells and their values. */
export interface CellTransformation {
  readonly layout: LabelledCells;
  readonly apply: (cellValues: CellValues) => CellValues;
  /**
   * True if it does not matter whether values are averaged over replications before or after the
   * transformation, as with a difference but not with a quotient.
   */
  readonly isLinear: boolean;
}

const LABEL_KEY_SEPARATOR = '\u0000';

/** Text key of a cell's labels. */
export function joinLabelsAsKey(cellLabels: readonly (Label | null)[]): string {
  return cellLabels.map((label) => label ?? '').join(LABEL_KEY_SEPARATOR);
}

/** Cells that differ only on some axes. */
export interface CellGroup {
  readonly labels: readonly (Label | null)[];
  /** Indices of the cells. */
  readonly members: number[];
}

/** Groups cells that are equal on all but the given axes, which are removed. */
export function groupCellsWithoutAxes(
  { axes, labels }: LabelledCells,
  removedAxisNames: readonly string[],
): { readonly axes: readonly string[]; readonly groups: readonly CellGroup[] } {
  const keptAxisPositions = axes.flatMap((axisName, i) => (removedAxisNames.includes(axisName) ? [] : [i]));
  const cellGroups = new Map<string, CellGroup>();
  labels.forEach((cellLabels, cell) => {
    const keptLabels = keptAxisPositions.map((i) => cellLabels[i]!);
    const keptLabelsKey = joinLabelsAsKey(keptLabels);
    const cellGroup = cellGroups.get(keptLabelsKey);
    if (cellGroup === undefined) cellGroups.set(keptLabelsKey, { labels: keptLabels, members: [cell] });
    else cellGroup.members.push(cell);
  });
  return { axes: keptAxisPositions.map((i) => axes[i]!), groups: [...cellGroups.values()] };
}

const computeSumOfCellValues = (cellValues: readonly number[]) =>
  cellValues.reduce((total, value) => total + value, 0);
const findSmallestCellValue = (cellValues: readonly number[]) =>
  cellValues.reduce((best, value) => Math.min(best, value));
const findLargestCellValue = (cellValues: readonly number[]) =>
  cellValues.reduce((best, value) => Math.max(best, value));

const computeMeanOfCellValues = (values: readonly number[]) => computeSumOfCellValues(values) / values.length;

/** Geometric mean of positive values; its ranking does not depend on units. */
const computeGeometricMean = (values: readonly number[]) =>
  Math.exp(computeMeanOfCellValues(values.map(Math.log)));

/** Population standard deviation. */
function computePopulationDeviation(values: readonly number[]): number {
  const mean = computeMeanOfCellValues(values);
  return Math.sqrt(computeMeanOfCellValues(values.map((value) => (value - mean) * (value - mean))));
}

type MeasureStepKind = MeasureStep['kind'];
type MeasureStepInput<K extends MeasureStepKind> = Extract<MeasureStep, { kind: K }>['input'];

/** Properties of a kind of step. */
interface MeasureStepRule<Input> {
  /** Axes used by the step. */
  readonly axesOf: (input: Input) => readonly string[];
  /**
   * Labels used by the step, on the first of its axes.
   * @throws InputError if that axis is not unique.
   */
  readonly labelsOf?: (input: Input) => readonly Label[];
  /** True if the step keeps its axes. */
  readonly keepsAxes?: true;
  /** True if the step chooses labels by other replications than those it is evaluated on. */
  readonly chooses?: (input: Input) => boolean;
  /** @param choosing values by replication for choosing labels; empty if there are none. */
  readonly make: (layout: LabelledCells, input: Input, choosing: readonly CellValues[]) => CellTransformation;
}

/** Transformation that combines cells differing only on some axes into one. */
function makeReductionRule(
  reduceValues: (values: readonly number[]) => number,
  isLinearReduction = false,
): MeasureStepRule<readonly string[]> {
  return {
    axesOf: (axesToReduce) => axesToReduce,
    make: (layout, axesToReduce) => {
      const { axes, groups } = groupCellsWithoutAxes(layout, axesToReduce);
      return {
        layout: { axes, labels: groups.map(({ labels: groupLabels }) => groupLabels) },
        apply: (cellValues) =>
          groups.map(({ members: groupMembers }) =>
            reduceValues(groupMembers.map((cell) => cellValues[cell]!)),
          ),
        isLinear: isLinearReduction,
      };
    },
  };
}

/** Mean of each cell over tables, ignoring missing values. */
export function computeCellMeansOverTables(tables: readonly CellValues[]): number[] {
  return Array.from({ length: firstElement(tables).length }, (_, cell) => {
    let total = 0;
    let knownValueCount = 0;
    for (const cellValues of tables) {
      const cellValue = cellValues[cell]!;
      if (Number.isNaN(cellValue)) continue;
      total += cellValue;
      knownValueCount++;
    }
    return total / knownValueCount;
  });
}

/** Index of the first cell with the smallest value. */
function findSmallestCell(cells: readonly number[], cellValues: CellValues): number {
  return cells.reduce((best, cell) => (cellValues[cell]! < cellValues[best]! ? cell : best));
}

const choosesReferenceLabel = ({ on, reference }: MeasureStepInput<'improvement'>) =>
  on !== 'mean' && on.length > 1 && reference === 'chosen';

/**
 * Relative improvement (NPIR): (reference - value) / reference, against the mean over some axes (Shih et
 * al. 2010, eqs. 21, 22) or one of several labels: the one chosen beforehand, or the smallest in hindsight
 * (eq. 23). 0 if the reference is 0.
 */
function makeImprovementStep(
  layout: LabelledCells,
  stepInput: MeasureStepInput<'improvement'>,
  replicationsToChooseLabelsBy: readonly CellValues[],
): CellTransformation {
  const { over, on } = stepInput;
  const position = layout.axes.indexOf(firstElement(over));
  const referenceLabels = on === 'mean' ? [] : on.map(String);
  const cellMeans =
    choosesReferenceLabel(stepInput) && replicationsToChooseLabelsBy.length > 0
      ? computeCellMeansOverTables(replicationsToChooseLabelsBy)
      : undefined;
  const cellGroups = groupCellsWithoutAxes(layout, over).groups.map(({ members: groupMembers }) => {
    if (on === 'mean') return { members: groupMembers, references: groupMembers };
    const candidates = groupMembers.filter((cell) =>
      referenceLabels.includes(String(layout.labels[cell]![position] ?? '')),
    );
    return {
      members: groupMembers,
      references: cellMeans === undefined ? candidates : [findSmallestCell(candidates, cellMeans)],
    };
  });
  return {
    layout: {
      axes: layout.axes,
      labels: cellGroups.flatMap(({ members }) => members.map((cell) => layout.labels[cell]!)),
    },
    apply: (cellValues) => {
      const improvementByCell = new Float64Array(cellValues.length);
      let nextIndex = 0;
      for (const { members, references: counted } of cellGroups) {
        const referenceValue = (on === 'mean' ? computeMeanOfCellValues : findSmallestCellValue)(
          counted.map((cell) => cellValues[cell]!),
        );
        for (const cell of members) {
          improvementByCell[nextIndex++] =
            referenceValue === 0 ? 0 : (referenceValue - cellValues[cell]!) / referenceValue;
        }
      }
      return improvementByCell;
    },
    isLinear: false,
  };
}

function makeStandingStep(
  layout: LabelledCells,
  { over, of, is, within }: MeasureStepInput<'standing'>,
): CellTransformation {
  const position = layout.axes.indexOf(over);
  const { axes, groups } = groupCellsWithoutAxes(layout, [over]);
  const isJudgedCell = (cell: number) => String(layout.labels[cell]![position]) === String(of);
  const judgeStandingInGroup = (cellValues: CellValues, { members: groupMembers }: CellGroup) => {
    const judgedCell = groupMembers.find(isJudgedCell);
    const judgedValue = judgedCell === undefined ? Number.NaN : cellValues[judgedCell]!;
    const otherValues = groupMembers.filter((cell) => !isJudgedCell(cell)).map((cell) => cellValues[cell]!);
    const bestOtherValue = findSmallestCellValue(otherValues);
    const isBest = judgedValue < bestOtherValue;
    const isCloseToBest = !isBest && judgedValue - bestOtherValue < within * bestOtherValue;
    const isLast = judgedValue >= findLargestCellValue(otherValues);
    const doesCheckHold =
      (is.includes('best') && isBest) ||
      (is.includes('close') && isCloseToBest) ||
      (is.includes('last') && isLast);
    return doesCheckHold ? 1 : 0;
  };
  return {
    layout: { axes, labels: groups.map(({ labels: groupLabels }) => groupLabels) },
    apply: (cellValues) => groups.map((cellGroup) => judgeStandingInGroup(cellValues, cellGroup)),
    isLinear: false,
  };
}

const MEASURE_STEP_RULES: { readonly [K in MeasureStepKind]: MeasureStepRule<MeasureStepInput<K>> } = {
  mean: makeReductionRule(computeMeanOfCellValues, true),
  geometricMean: makeReductionRule(computeGeometricMean),
  least: makeReductionRule(findSmallestCellValue),
  most: makeReductionRule(findLargestCellValue),
  sum: makeReductionRule(computeSumOfCellValues, true),
  deviation: makeReductionRule(computePopulationDeviation),
  improvement: {
    axesOf: ({ over }) => over,
    labelsOf: ({ over, on }) => {
      if (on === 'mean') return [];
      if (over.length !== 1) throw new InputError('improvement on labels takes one axis in over');
      return on;
    },
    keepsAxes: true,
    chooses: choosesReferenceLabel,
    make: makeImprovementStep,
  },
  standing: { axesOf: ({ over }) => [over], labelsOf: ({ of }) => [of], make: makeStandingStep },
  choose: { axesOf: ({ over }) => over, chooses: () => true, make: makeBestLabelStep },
};

/** True if a step chooses labels on some replications and is evaluated on others. */
export function doesStepChooseLabels<K extends MeasureStepKind>({
  kind,
  input,
}: {
  readonly kind: K;
  readonly input: MeasureStepInput<K>;
}): boolean {
  return MEASURE_STEP_RULES[kind].chooses?.(input) === true;
}

export function findAxesNamedInStep<K extends MeasureStepKind>({
  kind,
  input,
}: {
  readonly kind: K;
  readonly input: MeasureStepInput<K>;
}) {
  return MEASURE_STEP_RULES[kind].axesOf(input);
}

/**
 * Labels used by a step, on the first of its axes.
 * @throws InputError if that axis is not unique.
 */
export function findLabelsNamedInStep<K extends MeasureStepKind>({
  kind,
  input,
}: {
  readonly kind: K;
  readonly input: MeasureStepInput<K>;
}) {
  return MEASURE_STEP_RULES[kind].labelsOf?.(input) ?? [];
}

/** Axes that remain after some steps. */
export function findAxesRemainingAfterSteps(
  axes: readonly string[],
  measureSteps: readonly MeasureStep[],
): string[] {
  const removedAxisNames = measureSteps.flatMap((measureStep) =>
    MEASURE_STEP_RULES[measureStep.kind].keepsAxes ? [] : findAxesNamedInStep(measureStep),
  );
  return axes.filter((axisName) => !removedAxisNames.includes(axisName));
}

/** Best label of some axes in each setting, by the mean over the choosing replications. */
function makeBestLabelStep(
  layout: LabelledCells,
  { over, best }: MeasureStepInput<'choose'>,
  replicationsToChooseLabelsBy: readonly CellValues[],
): CellTransformation {
  const cellMeans = computeCellMeansOverTables(replicationsToChooseLabelsBy);
  const sortKeys = best === 'least' ? cellMeans : cellMeans.map((value) => -value);
  const { axes, groups } = groupCellsWithoutAxes(layout, over);
  const chosenCellIndices = groups.map(({ members: groupMembers }) =>
    findSmallestCell(groupMembers, sortKeys),
  );
  return {
    layout: { axes, labels: groups.map(({ labels: groupLabels }) => groupLabels) },
    apply: (cellValues) => chosenCellIndices.map((chosenCellIndex) => cellValues[chosenCellIndex]!),
    isLinear: true,
  };
}

function makeStepTransformation<K extends MeasureStepKind>(
  layout: LabelledCells,
  { kind, input }: { readonly kind: K; readonly input: MeasureStepInput<K> },
  choosingTables: readonly CellValues[],
): CellTransformation {
  return MEASURE_STEP_RULES[kind].make(layout, input, choosingTables);
}

/**
 * Combined transformation of a measure's steps.
 * @param replicationsToChooseLabelsBy values by replication for choosing labels.
 */
export function combineStepTransformations(
  layout: LabelledCells,
  measureSteps: readonly MeasureStep[],
  replicationsToChooseLabelsBy: readonly CellValues[] = [],
): CellTransformation {
  return measureSteps.reduce<CellTransformation>(
    (before, measureStep) => {
      const transformation = makeStepTransformation(
        before.layout,
        measureStep,
        replicationsToChooseLabelsBy.map(before.apply),
      );
      return {
        layout: transformation.layout,
        apply: (cellValues) => transformation.apply(before.apply(cellValues)),
        isLinear: before.isLinear && transformation.isLinear,
      };
    },
    { layout, apply: (cellValues) => cellValues, isLinear: true },
  );
}
