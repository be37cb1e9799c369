/**
 * Steps of measures: each is prepared once for the labels of the cells, and then applied to values of all
 * replications, of single ones or of resamples.
 */
import { InputError } from '../errors.js';
import { firstElement } from '../lists.js';
import type { Label, Step } from './schema.js';

/** Cells with their axis labels, in order. */
export interface LabelLayout {
  readonly axes: readonly string[];
  readonly labels: readonly (readonly (Label | null)[])[];
}

/** Values of cells, in the order of their layout. */
export type StepValues = ArrayLike<number>;

/** Transformation of cells and their values. */
export interface Transformation {
  readonly layout: LabelLayout;
  readonly apply: (values: StepValues) => StepValues;
  /** True if applying it to a mean equals the mean of its results. */
  readonly isLinear: boolean;
}

const SEPARATOR_INDEX = '\u0000';

/** Text key of a cell's labels. */
export function labelKey(labels: readonly (Label | null)[]): string {
  return labels.map((label) => label ?? '').join(SEPARATOR_INDEX);
}

/** Cells that differ only on some axes. */
export interface GroupOfCells {
  readonly labels: readonly (Label | null)[];
  /** Indices of the cells. */
  readonly members: number[];
}

/** Groups cells that are equal on all but the given axes, which are removed. */
export function gatherGroups(
  { axes, labels }: LabelLayout,
  over: readonly string[],
): { readonly axes: readonly string[]; readonly groups: readonly GroupOfCells[] } {
  const kept = axes.flatMap((axis, i) => (over.includes(axis) ? [] : [i]));
  const groups = new Map<string, GroupOfCells>();
  labels.forEach((own, cell) => {
    const left = kept.map((i) => own[i]!);
    const key = labelKey(left);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { labels: left, members: [cell] });
    else group.members.push(cell);
  });
  return { axes: kept.map((i) => axes[i]!), groups: [...groups.values()] };
}

const sumOfValues = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const leastOfValues = (values: readonly number[]) => values.reduce((best, value) => Math.min(best, value));
const mostOfValues = (values: readonly number[]) => values.reduce((best, value) => Math.max(best, value));

const meanOfValues = (values: readonly number[]) => sumOfValues(values) / values.length;

/** Geometric mean of positive values; its ranking does not depend on units. */
const geometricMean = (values: readonly number[]) => Math.exp(meanOfValues(values.map(Math.log)));

/** Population standard deviation. */
function standardDeviationOf(values: readonly number[]): number {
  const centerValue = meanOfValues(values);
  return Math.sqrt(meanOfValues(values.map((value) => (value - centerValue) * (value - centerValue))));
}

type StepKind = Step['kind'];
type StepInput<K extends StepKind> = Extract<Step, { kind: K }>['input'];

/** Properties of a kind of step. */
interface StepRule<Given> {
  /** Axes used by the step. */
  readonly axes: (input: Given) => readonly string[];
  /**
   * Labels used by the step, on the first of its axes.
   * @throws InputError if that axis is not unique.
   */
  readonly labels?: (input: Given) => readonly Label[];
  /** True if the step keeps its axes. */
  readonly keepsAxes?: true;
  /** True if the step chooses labels by other replications than those it is evaluated on. */
  readonly chooses?: (input: Given) => boolean;
  /** @param choosing values by replication for choosing labels; empty if there are none. */
  readonly make: (layout: LabelLayout, input: Given, choosing: readonly StepValues[]) => Transformation;
}

/** Transformation that combines cells differing only on some axes into one. */
function reductionRule(
  reduceValues: (values: readonly number[]) => number,
  isLinear = false,
): StepRule<readonly string[]> {
  return {
    axes: (over) => over,
    make: (layout, over) => {
      const { axes, groups } = gatherGroups(layout, over);
      return {
        layout: { axes, labels: groups.map(({ labels }) => labels) },
        apply: (values) => groups.map(({ members }) => reduceValues(members.map((cell) => values[cell]!))),
        isLinear,
      };
    },
  };
}

/** Mean of each cell over tables, ignoring missing values. */
export function meanOfTables(tables: readonly StepValues[]): number[] {
  return Array.from({ length: firstElement(tables).length }, (_, cell) => {
    let total = 0;
    let count = 0;
    for (const table of tables) {
      const value = table[cell]!;
      if (Number.isNaN(value)) continue;
      total += value;
      count++;
    }
    return total / count;
  });
}

/** Index of the first cell with the smallest value. */
function leastCell(cells: readonly number[], values: StepValues): number {
  return cells.reduce((best, cell) => (values[cell]! < values[best]! ? cell : best));
}

const choosesReference = ({ on, reference }: StepInput<'improvement'>) =>
  on !== 'mean' && on.length > 1 && reference === 'chosen';

/**
 * Relative improvement (NPIR): (reference - value) / reference, against the mean over some axes (Shih et
 * al. 2010, eqs. 21, 22) or one of several labels: the one chosen beforehand, or the smallest in hindsight
 * (eq. 23). 0 if the reference is 0.
 */
function improvementStep(
  layout: LabelLayout,
  input: StepInput<'improvement'>,
  choosing: readonly StepValues[],
): Transformation {
  const { over, on } = input;
  const position = layout.axes.indexOf(firstElement(over));
  const names = on === 'mean' ? [] : on.map(String);
  const means = choosesReference(input) && choosing.length > 0 ? meanOfTables(choosing) : undefined;
  const groups = gatherGroups(layout, over).groups.map(({ members }) => {
    if (on === 'mean') return { members, counted: members };
    const labelled = members.filter((cell) => names.includes(String(layout.labels[cell]![position] ?? '')));
    return { members, counted: means === undefined ? labelled : [leastCell(labelled, means)] };
  });
  return {
    layout: {
      axes: layout.axes,
      labels: groups.flatMap(({ members }) => members.map((cell) => layout.labels[cell]!)),
    },
    apply: (values) => {
      const improvedValues = new Float64Array(values.length);
      let next = 0;
      for (const { members, counted } of groups) {
        const referenceValue = (on === 'mean' ? meanOfValues : leastOfValues)(
          counted.map((cell) => values[cell]!),
        );
        for (const cell of members) {
          improvedValues[next++] =
            referenceValue === 0 ? 0 : (referenceValue - values[cell]!) / referenceValue;
        }
      }
      return improvedValues;
    },
    isLinear: false,
  };
}

function rankStep(layout: LabelLayout, { over, of, is, within }: StepInput<'standing'>): Transformation {
  const position = layout.axes.indexOf(over);
  const { axes, groups } = gatherGroups(layout, [over]);
  const isCustom = (cell: number) => String(layout.labels[cell]![position]) === String(of);
  const judge = (values: StepValues, { members }: GroupOfCells) => {
    const found = members.find(isCustom);
    const own = found === undefined ? Number.NaN : values[found]!;
    const rest = members.filter((cell) => !isCustom(cell)).map((cell) => values[cell]!);
    const otherEntries = leastOfValues(rest);
    const isBest = own < otherEntries;
    const isCloseToBest = !isBest && own - otherEntries < within * otherEntries;
    const isLast = own >= mostOfValues(rest);
    const holds =
      (is.includes('best') && isBest) ||
      (is.includes('close') && isCloseToBest) ||
      (is.includes('last') && isLast);
    return holds ? 1 : 0;
  };
  return {
    layout: { axes, labels: groups.map(({ labels }) => labels) },
    apply: (values) => groups.map((group) => judge(values, group)),
    isLinear: false,
  };
}

const STEP_RULES: { readonly [K in StepKind]: StepRule<StepInput<K>> } = {
  mean: reductionRule(meanOfValues, true),
  geometricMean: reductionRule(geometricMean),
  least: reductionRule(leastOfValues),
  most: reductionRule(mostOfValues),
  sum: reductionRule(sumOfValues, true),
  deviation: reductionRule(standardDeviationOf),
  improvement: {
    axes: ({ over }) => over,
    labels: ({ over, on }) => {
      if (on === 'mean') return [];
      if (over.length !== 1) throw new InputError('improvement on labels takes one axis in over');
      return on;
    },
    keepsAxes: true,
    chooses: choosesReference,
    make: improvementStep,
  },
  standing: { axes: ({ over }) => [over], labels: ({ of }) => [of], make: rankStep },
  choose: { axes: ({ over }) => over, chooses: () => true, make: choiceStep },
};

/** True if a step chooses labels on some replications and is evaluated on others. */
export function doesStepChoose<K extends StepKind>({
  kind,
  input,
}: {
  readonly kind: K;
  readonly input: StepInput<K>;
}): boolean {
  return STEP_RULES[kind].chooses?.(input) === true;
}

export function axesOfStep<K extends StepKind>({
  kind,
  input,
}: {
  readonly kind: K;
  readonly input: StepInput<K>;
}) {
  return STEP_RULES[kind].axes(input);
}

/**
 * Labels used by a step, on the first of its axes.
 * @throws InputError if that axis is not unique.
 */
export function labelsInCommand<K extends StepKind>({
  kind,
  input,
}: {
  readonly kind: K;
  readonly input: StepInput<K>;
}) {
  return STEP_RULES[kind].labels?.(input) ?? [];
}

/** Axes that remain after some steps. */
export function axesAfterSteps(axes: readonly string[], steps: readonly Step[]): string[] {
  const removedAxes = steps.flatMap((step) => (STEP_RULES[step.kind].keepsAxes ? [] : axesOfStep(step)));
  return axes.filter((axis) => !removedAxes.includes(axis));
}

/** Best label of some axes in each setting, by the mean over the choosing replications. */
function choiceStep(
  layout: LabelLayout,
  { over, best }: StepInput<'choose'>,
  choosing: readonly StepValues[],
): Transformation {
  const means = meanOfTables(choosing);
  const order = best === 'least' ? means : means.map((value) => -value);
  const { axes, groups } = gatherGroups(layout, over);
  const taken = groups.map(({ members }) => leastCell(members, order));
  return {
    layout: { axes, labels: groups.map(({ labels }) => labels) },
    apply: (values) => taken.map((cell) => values[cell]!),
    isLinear: true,
  };
}

function makeTransformation<K extends StepKind>(
  layout: LabelLayout,
  { kind, input }: { readonly kind: K; readonly input: StepInput<K> },
  choosing: readonly StepValues[],
): Transformation {
  return STEP_RULES[kind].make(layout, input, choosing);
}

/**
 * Combined transformation of a measure's steps.
 * @param choosing values by replication for choosing labels.
 */
export function transformationOfSteps(
  layout: LabelLayout,
  steps: readonly Step[],
  choosing: readonly StepValues[] = [],
): Transformation {
  return steps.reduce<Transformation>(
    (before, step) => {
      const next = makeTransformation(before.layout, step, choosing.map(before.apply));
      return {
        layout: next.layout,
        apply: (values) => next.apply(before.apply(values)),
        isLinear: before.isLinear && next.isLinear,
      };
    },
    { layout, apply: (values) => values, isLinear: true },
  );
}
