/**
 * The steps of a measure, worked out once for the labels of its cells and then applied to any values of them: of all
 * replications, of each, of some drawn again.
 */
import type { Label, Step } from './definition.js';

/** Cells laid out by axes. */
export interface Layout {
  readonly axes: readonly string[];
  readonly labels: readonly (readonly (Label | null)[])[];
}

/** Values of cells, in the order of their layout. */
export type Values = ArrayLike<number>;

/** What becomes of cells, and of their values. */
export interface Transformation {
  readonly layout: Layout;
  readonly apply: (values: Values) => Values;
  /** Whether the result for a mean of values is the mean of their results. */
  readonly isLinear: boolean;
}

const SEPARATOR = '\u0000';

/** What identifies a cell by some of its labels. */
export function labelKey(labels: readonly (Label | null)[]): string {
  return labels.map((label) => label ?? '').join(SEPARATOR);
}

/** Cells that differ only on some axes. */
export interface CellGroup {
  readonly labels: readonly (Label | null)[];
  /** Where they stand. */
  readonly members: number[];
}

/** Puts cells together that differ only on some axes, which are then gone. */
export function gather(
  { axes, labels }: Layout,
  over: readonly string[],
): { readonly axes: readonly string[]; readonly groups: readonly CellGroup[] } {
  const kept = axes.flatMap((axis, i) => (over.includes(axis) ? [] : [i]));
  const groups = new Map<string, CellGroup>();
  labels.forEach((own, cell) => {
    const left = kept.map((i) => own[i]);
    const key = labelKey(left);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { labels: left, members: [cell] });
    else group.members.push(cell);
  });
  return { axes: kept.map((i) => axes[i]), groups: [...groups.values()] };
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

const REDUCTIONS = { mean, geometricMean, least, most, sum, deviation };

function reduction(
  layout: Layout,
  { kind, axes: over }: Extract<Step, { kind: keyof typeof REDUCTIONS }>,
): Transformation {
  const { axes, groups } = gather(layout, over);
  const reduce = REDUCTIONS[kind];
  return {
    layout: { axes, labels: groups.map(({ labels }) => labels) },
    apply: (values) => groups.map(({ members }) => reduce(members.map((cell) => values[cell]))),
    isLinear: kind === 'mean' || kind === 'sum',
  };
}

/**
 * NPIR: (reference - value) / reference, against the mean over some axes (Shih et al. 2010, eqs. 21, 22) or the least
 * of some labels (eq. 23). Where the reference is 0 nothing can be improved: 0.
 */
function improvement(layout: Layout, { over, on }: Extract<Step, { kind: 'improvement' }>): Transformation {
  const position = layout.axes.indexOf(over[0]);
  const names = on === 'mean' ? [] : on.map(String);
  const groups = gather(layout, over).groups.map(({ members }) => ({
    members,
    counted:
      on === 'mean'
        ? members
        : members.filter((cell) => names.includes(String(layout.labels[cell][position] ?? ''))),
  }));
  return {
    layout: {
      axes: layout.axes,
      labels: groups.flatMap(({ members }) => members.map((cell) => layout.labels[cell])),
    },
    apply: (values) => {
      const improved = new Float64Array(values.length);
      let next = 0;
      for (const { members, counted } of groups) {
        const reference = (on === 'mean' ? mean : least)(counted.map((cell) => values[cell]));
        for (const cell of members) {
          improved[next++] = reference === 0 ? 0 : (reference - values[cell]) / reference;
        }
      }
      return improved;
    },
    isLinear: false,
  };
}

function standing(
  layout: Layout,
  { over, of, is, within }: Extract<Step, { kind: 'standing' }>,
): Transformation {
  const position = layout.axes.indexOf(over);
  const { axes, groups } = gather(layout, [over]);
  const isOwn = (cell: number) => String(layout.labels[cell][position]) === String(of);
  const judge = (values: Values, { members }: CellGroup) => {
    const found = members.find(isOwn);
    const own = found === undefined ? Number.NaN : values[found];
    const rest = members.filter((cell) => !isOwn(cell)).map((cell) => values[cell]);
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

function transformation(layout: Layout, step: Step): Transformation {
  if (step.kind === 'improvement') return improvement(layout, step);
  if (step.kind === 'standing') return standing(layout, step);
  // What is chosen over all replications is chosen before the other steps; here it is gone.
  if (step.kind === 'choose') return { layout, apply: (values) => values, isLinear: true };
  return reduction(layout, step);
}

/** All steps of a measure, one after the other. */
export function stepsOf(layout: Layout, steps: readonly Step[]): Transformation {
  return steps.reduce<Transformation>(
    (before, step) => {
      const next = transformation(before.layout, step);
      return {
        layout: next.layout,
        apply: (values) => next.apply(before.apply(values)),
        isLinear: before.isLinear && next.isLinear,
      };
    },
    { layout, apply: (values) => values, isLinear: true },
  );
}
