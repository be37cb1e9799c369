/**
 * The steps of a measure, worked out once for the labels of its cells and then applied to any values of them: of all
 * replications, of each, of some drawn again. A kind of step is a shape in the schema and a rule in the table below.
 */
import { InputError } from '../errors.js';
import { firstOf } from '../lists.js';
import type { Label, Step } from './schema.js';

/** Cells laid out by axes. */
export interface Layout {
  readonly axes: readonly string[];
  readonly labels: readonly (readonly (Label | null)[])[];
}

/** Values of cells, in the order of their layout. */
export type Values = ArrayLike<number>;

/** Transformation of cells and their values. */
export interface Transformation {
  readonly layout: Layout;
  readonly apply: (values: Values) => Values;
  /** True if the result for a mean of values is the mean of their results. */
  readonly isLinear: boolean;
}

const SEPARATOR = '\u0000';

/** Key of a cell by some of its labels. */
export function labelKey(labels: readonly (Label | null)[]): string {
  return labels.map((label) => label ?? '').join(SEPARATOR);
}

/** Cells that differ only on some axes. */
export interface CellGroup {
  readonly labels: readonly (Label | null)[];
  /** Positions of the members. */
  readonly members: number[];
}

/** Groups cells that differ only on some axes, which are removed. */
export function gather(
  { axes, labels }: Layout,
  over: readonly string[],
): { readonly axes: readonly string[]; readonly groups: readonly CellGroup[] } {
  const kept = axes.flatMap((axis, i) => (over.includes(axis) ? [] : [i]));
  const groups = new Map<string, CellGroup>();
  labels.forEach((own, cell) => {
    const left = kept.map((i) => own[i]!);
    const key = labelKey(left);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { labels: left, members: [cell] });
    else group.members.push(cell);
  });
  return { axes: kept.map((i) => axes[i]!), groups: [...groups.values()] };
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const least = (values: readonly number[]) => values.reduce((best, value) => Math.min(best, value));
const most = (values: readonly number[]) => values.reduce((best, value) => Math.max(best, value));

const mean = (values: readonly number[]) => sum(values) / values.length;

/** The geometric mean of positive values: the same method is best by it, whatever each value is measured in. */
const geometricMean = (values: readonly number[]) => Math.exp(mean(values.map(Math.log)));

/** Population standard deviation. */
function deviation(values: readonly number[]): number {
  const center = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - center) * (value - center))));
}

type Kind = Step['kind'];
type StepInput<K extends Kind> = Extract<Step, { kind: K }>['input'];

/** Behaviour of a kind of step. */
interface StepRule<Given> {
  /** Axes that it names. */
  readonly axes: (input: Given) => readonly string[];
  /**
   * Labels that it names, of the first of these axes.
   * @throws InputError where there is no one axis that they could be of.
   */
  readonly labels?: (input: Given) => readonly Label[];
  /** True if these axes stay. */
  readonly keepsAxes?: true;
  /** True if it chooses among labels, by other replications than those that it is judged on. */
  readonly chooses?: (input: Given) => boolean;
  /** @param choosing values of the replications that choices are made on; none where there are no others. */
  readonly make: (layout: Layout, input: Given, choosing: readonly Values[]) => Transformation;
}

/** Cells that differ only on some axes become one. */
function reduction(
  reduce: (values: readonly number[]) => number,
  isLinear = false,
): StepRule<readonly string[]> {
  return {
    axes: (over) => over,
    make: (layout, over) => {
      const { axes, groups } = gather(layout, over);
      return {
        layout: { axes, labels: groups.map(({ labels }) => labels) },
        apply: (values) => groups.map(({ members }) => reduce(members.map((cell) => values[cell]!))),
        isLinear,
      };
    },
  };
}

/** The mean of each cell over tables; cells without a value in some have the mean of the others. */
export function meanOf(tables: readonly Values[]): number[] {
  return Array.from({ length: firstOf(tables).length }, (_, cell) => {
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

/** The first of the cells with the least of some values. */
function leastOf(cells: readonly number[], values: Values): number {
  return cells.reduce((best, cell) => (values[cell]! < values[best]! ? cell : best));
}

const choosesReference = ({ on, reference }: StepInput<'improvement'>) =>
  on !== 'mean' && on.length > 1 && reference === 'chosen';

/**
 * NPIR: (reference - value) / reference, against the mean over some axes (Shih et al. 2010, eqs. 21, 22) or one of some
 * labels: that chosen beforehand, or the least by hindsight (eq. 23). Where the reference is 0 nothing can be improved: 0.
 */
function improvement(
  layout: Layout,
  input: StepInput<'improvement'>,
  choosing: readonly Values[],
): Transformation {
  const { over, on } = input;
  const position = layout.axes.indexOf(firstOf(over));
  const names = on === 'mean' ? [] : on.map(String);
  const means = choosesReference(input) && choosing.length > 0 ? meanOf(choosing) : undefined;
  const groups = gather(layout, over).groups.map(({ members }) => {
    if (on === 'mean') return { members, counted: members };
    const labelled = members.filter((cell) => names.includes(String(layout.labels[cell]![position] ?? '')));
    return { members, counted: means === undefined ? labelled : [leastOf(labelled, means)] };
  });
  return {
    layout: {
      axes: layout.axes,
      labels: groups.flatMap(({ members }) => members.map((cell) => layout.labels[cell]!)),
    },
    apply: (values) => {
      const improved = new Float64Array(values.length);
      let next = 0;
      for (const { members, counted } of groups) {
        const reference = (on === 'mean' ? mean : least)(counted.map((cell) => values[cell]!));
        for (const cell of members) {
          improved[next++] = reference === 0 ? 0 : (reference - values[cell]!) / reference;
        }
      }
      return improved;
    },
    isLinear: false,
  };
}

function standing(layout: Layout, { over, of, is, within }: StepInput<'standing'>): Transformation {
  const position = layout.axes.indexOf(over);
  const { axes, groups } = gather(layout, [over]);
  const isOwn = (cell: number) => String(layout.labels[cell]![position]) === String(of);
  const judge = (values: Values, { members }: CellGroup) => {
    const found = members.find(isOwn);
    const own = found === undefined ? Number.NaN : values[found]!;
    const rest = members.filter((cell) => !isOwn(cell)).map((cell) => values[cell]!);
    const others = least(rest);
    const isBest = own < others;
    const isClose = !isBest && own - others < within * others;
    const isLast = own >= most(rest);
    const holds =
      (is.includes('best') && isBest) || (is.includes('close') && isClose) || (is.includes('last') && isLast);
    return holds ? 1 : 0;
  };
  return {
    layout: { axes, labels: groups.map(({ labels }) => labels) },
    apply: (values) => groups.map((group) => judge(values, group)),
    isLinear: false,
  };
}

const RULES: { readonly [K in Kind]: StepRule<StepInput<K>> } = {
  mean: reduction(mean, true),
  geometricMean: reduction(geometricMean),
  least: reduction(least),
  most: reduction(most),
  sum: reduction(sum, true),
  deviation: reduction(deviation),
  improvement: {
    axes: ({ over }) => over,
    labels: ({ over, on }) => {
      if (on === 'mean') return [];
      if (over.length !== 1) throw new InputError('improvement on labels takes one axis in over');
      return on;
    },
    keepsAxes: true,
    chooses: choosesReference,
    make: improvement,
  },
  standing: { axes: ({ over }) => [over], labels: ({ of }) => [of], make: standing },
  choose: { axes: ({ over }) => over, chooses: () => true, make: choice },
};

/** True if a step chooses among labels by some replications to be judged on others. */
export function choosesIn<K extends Kind>({
  kind,
  input,
}: {
  readonly kind: K;
  readonly input: StepInput<K>;
}): boolean {
  return RULES[kind].chooses?.(input) === true;
}

export function axesIn<K extends Kind>({ kind, input }: { readonly kind: K; readonly input: StepInput<K> }) {
  return RULES[kind].axes(input);
}

/**
 * The labels that a step names, of the first of its axes.
 * @throws InputError where there is no one axis that they could be of.
 */
export function labelsIn<K extends Kind>({
  kind,
  input,
}: {
  readonly kind: K;
  readonly input: StepInput<K>;
}) {
  return RULES[kind].labels?.(input) ?? [];
}

/** Axes that remain after steps. */
export function axesLeft(axes: readonly string[], steps: readonly Step[]): string[] {
  const gone = steps.flatMap((step) => (RULES[step.kind].keepsAxes ? [] : axesIn(step)));
  return axes.filter((axis) => !gone.includes(axis));
}

/** The label of some axes whose mean over the replications to choose on is best, setting by setting. */
function choice(
  layout: Layout,
  { over, best }: StepInput<'choose'>,
  choosing: readonly Values[],
): Transformation {
  const means = meanOf(choosing);
  const order = best === 'least' ? means : means.map((value) => -value);
  const { axes, groups } = gather(layout, over);
  const taken = groups.map(({ members }) => leastOf(members, order));
  return {
    layout: { axes, labels: groups.map(({ labels }) => labels) },
    apply: (values) => taken.map((cell) => values[cell]!),
    isLinear: true,
  };
}

function transformation<K extends Kind>(
  layout: Layout,
  { kind, input }: { readonly kind: K; readonly input: StepInput<K> },
  choosing: readonly Values[],
): Transformation {
  return RULES[kind].make(layout, input, choosing);
}

/**
 * All steps of a measure, one after the other.
 * @param choosing values of the replications that choices are made on.
 */
export function stepsOf(
  layout: Layout,
  steps: readonly Step[],
  choosing: readonly Values[] = [],
): Transformation {
  return steps.reduce<Transformation>(
    (before, step) => {
      const next = transformation(before.layout, step, choosing.map(before.apply));
      return {
        layout: next.layout,
        apply: (values) => next.apply(before.apply(values)),
        isLinear: before.isLinear && next.isLinear,
      };
    },
    { layout, apply: (values) => values, isLinear: true },
  );
}
