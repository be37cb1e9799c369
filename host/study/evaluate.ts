/** From the metrics of runs to the numbers of a study: the steps of its measures, their range over draws. */
import {
  ENTIRE_GRID,
  HOME_AXIS,
  type Label,
  type Measure,
  type Step,
  type Study,
  type Where,
} from './definition.js';
import { type Plan, planSites } from './plan.js';
import type { Results } from './resultTable.js';
import { HOME_METRIC, metricPosition } from './runValues.js';

/** A number of a measure: with several draws the mean, and the least and largest of single draws. */
export interface MeasuredValue {
  readonly value: number;
  readonly low?: number;
  readonly high?: number;
  /** By draw, where there are several. */
  readonly draws?: readonly number[];
}

/** A value and its label on each of some axes. */
interface Cell {
  readonly labels: readonly (Label | null)[];
  readonly value: number;
}

/** Numbers laid out by axes, in the order of the plan. */
interface Cells {
  readonly axes: readonly string[];
  readonly cells: readonly Cell[];
}

/** The values of a measure by its axes. */
export interface Evaluated {
  readonly axes: readonly string[];
  readonly cells: readonly { readonly labels: readonly (Label | null)[]; readonly value: MeasuredValue }[];
}

const SEPARATOR = '\u0000';

/** What identifies a cell by some of its labels. */
export function labelKey(labels: readonly (Label | null)[]): string {
  return labels.map((label) => label ?? '').join(SEPARATOR);
}

/**
 * Evaluates the measures of a finished study, from its plan and the results of its runs, as `runStudy` and
 * `mergeStudies` give them.
 */
export class Evaluation {
  readonly study: Study;
  readonly plan: Plan;
  readonly #results: Results;
  readonly #measured = new Map<string, Evaluated>();

  constructor(study: Study, plan: Plan, results: Results) {
    this.study = study;
    this.plan = plan;
    this.#results = results;
  }

  /** The labels of an axis that the study holds, in order. */
  labels(axis: string): (Label | null)[] {
    const index = this.plan.axes.indexOf(axis);
    const { points } = this.plan;
    const labels = new Set<Label | null>();
    for (let point = 0; point < points.length; point++) labels.add(points.label(point, index));
    return [...labels];
  }

  /**
   * The values of a measure, by the axes that its steps have left.
   * @param name as the study file has it.
   */
  measure(name: string): Evaluated {
    const known = this.#measured.get(name);
    if (known !== undefined) return known;
    const measure = this.study.measures.find((each) => each.name === name);
    if (measure === undefined) throw new Error(`there is no measure '${name}'`);
    const evaluated = this.#evaluate(measure);
    this.#measured.set(name, evaluated);
    return evaluated;
  }

  #evaluate(measure: Measure): Evaluated {
    const { metric, where } = measure;
    const all = choose(metric === HOME_METRIC ? this.#byHome() : this.#metric(metric), where);
    const { draws } = this.study;
    if (draws === undefined) return plain(applySteps(all, measure.steps));
    const single = this.labels(draws.axis).map((label) =>
      applySteps(reduce(choose(all, { [draws.axis]: [label as Label] }), [draws.axis], first), measure.steps),
    );
    if (draws.average === 'before') {
      return withDraws(applySteps(reduce(all, [draws.axis], mean), measure.steps), single);
    }
    return withDraws(meanOf(single), single);
  }

  /** Average response times by home site. A site without jobs has none. */
  #byHome(): Cells {
    const { points, axes } = this.plan;
    const sites = Array.from({ length: planSites(this.plan) }, (_, i) => i + 1);
    const grid = this.#valuesOf('averageResponseTime');
    const homes = sites.map((site) => ({
      label: `site ${site}`,
      jobs: this.#valuesOf(`home${site}Jobs`),
      times: this.#valuesOf(`home${site}AverageResponseTime`),
    }));
    const cells: Cell[] = [];
    for (let point = 0; point < points.length; point++) {
      const labels = points.labels(point);
      cells.push({ labels: [...labels, ENTIRE_GRID], value: grid[point] });
      for (const { label, jobs, times } of homes) {
        if (jobs[point] > 0) cells.push({ labels: [...labels, label], value: times[point] });
      }
    }
    return { axes: [...axes, HOME_AXIS], cells };
  }

  #metric(metric: string): Cells {
    const { points, axes } = this.plan;
    const values = this.#valuesOf(metric);
    return { axes, cells: Array.from(values, (value, point) => ({ labels: points.labels(point), value })) };
  }

  /** A metric of each setting; NaN where its run has no such metric. */
  #valuesOf(metric: string): Float64Array {
    const { points, runs } = this.plan;
    const position = metricPosition(metric, this.study.kind);
    const values = new Float64Array(points.length);
    for (let point = 0; point < values.length; point++) {
      const run = points.run(point);
      values[point] = this.#results.value(run, position(runs.parameter(run, 'sites').length));
    }
    return values;
  }
}

/** The cells, of a measure or on the way to one, that have one of the labels wanted on each axis named. */
export function choose<Each extends { readonly labels: readonly (Label | null)[] }>(
  { axes, cells }: { readonly axes: readonly string[]; readonly cells: readonly Each[] },
  where: Where,
): { readonly axes: readonly string[]; readonly cells: readonly Each[] } {
  const wanted = Object.entries(where).map(
    ([axis, labels]) => [axes.indexOf(axis), labels.map(String)] as const,
  );
  if (wanted.length === 0) return { axes, cells };
  const isChosen = ({ labels }: Each) => wanted.every(([i, any]) => any.includes(String(labels[i] ?? '')));
  return { axes, cells: cells.filter(isChosen) };
}

/** Cells that differ only on some axes. */
interface CellGroup {
  readonly labels: readonly (Label | null)[];
  readonly members: Cell[];
}

function gather({ axes, cells }: Cells, over: readonly string[]): { axes: string[]; groups: CellGroup[] } {
  const kept = axes.flatMap((axis, i) => (over.includes(axis) ? [] : [i]));
  const groups = new Map<string, CellGroup>();
  for (const cell of cells) {
    const labels = kept.map((i) => cell.labels[i]);
    const key = labelKey(labels);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { labels, members: [cell] });
    else group.members.push(cell);
  }
  return { axes: kept.map((i) => axes[i]), groups: [...groups.values()] };
}

function reduce(cells: Cells, over: readonly string[], reduction: (values: number[]) => number): Cells {
  const { axes, groups } = gather(cells, over);
  const value = ({ members }: CellGroup) => reduction(members.map((member) => member.value));
  return { axes, cells: groups.map((group) => ({ labels: group.labels, value: value(group) })) };
}

const first = (values: number[]) => values[0];
const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
const mean = (values: number[]) => sum(values) / values.length;
const least = (values: number[]) => values.reduce((best, value) => Math.min(best, value));
const most = (values: number[]) => values.reduce((best, value) => Math.max(best, value));

/** Population standard deviation. */
function deviation(values: number[]): number {
  const center = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - center) * (value - center))));
}

const REDUCTIONS = { mean, least, most, sum, deviation };

function applySteps(cells: Cells, steps: readonly Step[]): Cells {
  return steps.reduce(applyStep, cells);
}

function applyStep(cells: Cells, step: Step): Cells {
  if (step.kind === 'improvement') return improvement(cells, step.over, step.on);
  if (step.kind === 'standing') return standing(cells, step);
  return reduce(cells, step.axes, REDUCTIONS[step.kind]);
}

/**
 * NPIR: (reference - value) / reference, against the mean over some axes (Shih et al. 2010, eqs. 21, 22) or the least
 * of some labels (eq. 23). Where the reference is 0 nothing can be improved: 0.
 */
function improvement(cells: Cells, over: readonly string[], on: 'mean' | readonly Label[]): Cells {
  const position = cells.axes.indexOf(over[0]);
  const names = on === 'mean' ? [] : on.map(String);
  const improved = gather(cells, over).groups.flatMap(({ members }) => {
    const counted =
      on === 'mean'
        ? members
        : members.filter(({ labels }) => names.includes(String(labels[position] ?? '')));
    const values = counted.map(({ value }) => value);
    const reference = on === 'mean' ? mean(values) : least(values);
    return members.map(({ labels, value }) => ({
      labels,
      value: reference === 0 ? 0 : (reference - value) / reference,
    }));
  });
  return { axes: cells.axes, cells: improved };
}

function standing(cells: Cells, { over, of, is, within }: Extract<Step, { kind: 'standing' }>): Cells {
  const position = cells.axes.indexOf(over);
  const { axes, groups } = gather(cells, [over]);
  const judged = groups.map(({ labels, members }) => {
    const isOwn = (cell: Cell) => String(cell.labels[position]) === String(of);
    const own = members.find(isOwn)?.value ?? Number.NaN;
    const rest = members.filter((cell) => !isOwn(cell)).map(({ value }) => value);
    const others = least(rest);
    const isBest = own < others;
    const isClose = !isBest && own - others < within * others;
    const isLast = own >= most(rest);
    const holds =
      (is.includes('best') && isBest) || (is.includes('close') && isClose) || (is.includes('last') && isLast);
    return { labels, value: holds ? 1 : 0 };
  });
  return { axes, cells: judged };
}

function plain({ axes, cells }: Cells): Evaluated {
  return { axes, cells: cells.map(({ labels, value }) => ({ labels, value: { value } })) };
}

/** Mean of the same cell over several tables. */
function meanOf(tables: readonly Cells[]): Cells {
  const cells = tables[0].cells.map(({ labels }, i) => ({
    labels,
    value: mean(tables.map((table) => table.cells[i].value)),
  }));
  return { axes: tables[0].axes, cells };
}

/** Adds the values of single draws and their range; settings stand in the same order in each. */
function withDraws({ axes, cells }: Cells, single: readonly Cells[]): Evaluated {
  if (single.length < 2) return plain({ axes, cells });
  const ranged = cells.map(({ labels, value }, i) => {
    const draws = single.map((table) => table.cells[i].value);
    return { labels, value: { value, low: least(draws), high: most(draws), draws } };
  });
  return { axes, cells: ranged };
}
