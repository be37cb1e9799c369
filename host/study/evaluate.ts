/** From the metrics of runs to the numbers of a study: the steps of its measures, over replications. */
import {
  ENTIRE_GRID,
  HOME_AXIS,
  type Label,
  type Measure,
  type Step,
  type Study,
  type Where,
} from './definition.js';
import { differenceOf, type MeasuredValue, meanOf, measuredValues } from './measured.js';
import { type Plan, planSites } from './plan.js';
import type { Results } from './resultTable.js';
import { HOME_METRIC, metricPosition } from './runValues.js';
import { gather, type Layout, labelKey, stepsOf, type Values } from './steps.js';

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
  /** Axes that the values have labels on. */
  readonly axes: readonly string[];
  /** The values, in the order of the plan. */
  readonly cells: readonly { readonly labels: readonly (Label | null)[]; readonly value: MeasuredValue }[];
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
    const { layout, tables } = byReplication(all, draws === undefined ? [] : [draws.axis]);
    const chosen = measure.steps.find((step) => step.kind === 'choose');
    const judged = chosen === undefined ? { layout, tables } : chooseByHalves(layout, tables, chosen);
    const steps = stepsOf(judged.layout, measure.steps);
    const values = measuredValues(judged.tables, steps, draws ?? { average: 'before', shows: 'range' });
    return {
      axes: steps.layout.axes,
      cells: steps.layout.labels.map((labels, i) => ({ labels, value: values[i] })),
    };
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

/** Cells without the axis of the replications, and a table of their values for each. */
function byReplication(
  { axes, cells }: Cells,
  over: readonly string[],
): { readonly layout: Layout; readonly tables: readonly Values[] } {
  const all = { axes, labels: cells.map(({ labels }) => labels) };
  const { axes: left, groups } = gather(all, over);
  const position = axes.indexOf(over[0]);
  const replications = [...new Set(cells.map(({ labels }) => labels[position]))];
  const places = new Map(replications.map((label, i) => [label, i]));
  const tables = replications.map(() => new Float64Array(groups.length).fill(Number.NaN));
  for (const [i, { members }] of groups.entries()) {
    for (const member of members) {
      tables[places.get(cells[member].labels[position]) as number][i] = cells[member].value;
    }
  }
  return { layout: { axes: left, labels: groups.map(({ labels }) => labels) }, tables };
}

/**
 * Of the labels of some axes takes that whose mean over the odd replications is least (or most), setting by setting, and
 * its values in the even ones.
 */
function chooseByHalves(
  layout: Layout,
  tables: readonly Values[],
  { axes: over, best }: Extract<Step, { kind: 'choose' }>,
): { readonly layout: Layout; readonly tables: readonly Values[] } {
  const means = meanOf(tables.filter((_, i) => i % 2 === 0));
  const { axes, groups } = gather(layout, over);
  const sign = best === 'least' ? 1 : -1;
  const taken = groups.map(({ members }) =>
    members.reduce((least, cell) => (sign * means[cell] < sign * means[least] ? cell : least)),
  );
  const judging = tables.filter((_, i) => i % 2 === 1);
  return {
    layout: { axes, labels: groups.map(({ labels }) => labels) },
    tables: judging.map((table) => taken.map((cell) => table[cell])),
  };
}

/** How far each value of a measure is from that of a label on an axis; that label itself is left out. */
export function differencesTo(
  { axes, cells }: Evaluated,
  { axis, label: baseline }: { readonly axis: string; readonly label: Label },
  shows: NonNullable<Study['draws']>['shows'] = 'interval',
): Evaluated {
  const position = axes.indexOf(axis);
  const keyOf = (labels: readonly (Label | null)[]) => labelKey(labels.toSpliced(position, 1));
  const isBaseline = (labels: readonly (Label | null)[]) => String(labels[position]) === String(baseline);
  const bases = new Map(
    cells.flatMap(({ labels, value }) => (isBaseline(labels) ? [[keyOf(labels), value] as const] : [])),
  );
  return {
    axes,
    cells: cells.flatMap(({ labels, value }) => {
      const base = bases.get(keyOf(labels));
      return base === undefined || isBaseline(labels)
        ? []
        : [{ labels, value: differenceOf(value, base, shows) }];
    }),
  };
}
