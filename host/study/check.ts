/** What the schema cannot say of a study: names that refer to each other. Every fault comes before anything runs. */
import { InputError } from '../errors.js';
import { unknownName } from '../notation.js';
import {
  ENTIRE_GRID,
  HOME_AXIS,
  type Label,
  type Measure,
  type Step,
  type Study,
  VARIANT_AXIS,
  type Where,
} from './definition.js';
import { axesOf } from './expand.js';
import { HOME_METRIC, metricFault } from './runValues.js';
import { located } from './settings.js';

type Path = readonly (string | number)[];

const HOME_LABEL = new RegExp(`^(?:${ENTIRE_GRID}|site [1-9]\\d*)$`);

/** Labels of each axis, as text; those of `variant` are only known when the study is expanded. */
type Labels = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Checks a study.
 * @throws InputError for an unknown axis, label, metric or measure; an axis that no option uses, or that is neither row
 * nor column nor reduced.
 */
export function checkStudy(study: Study): void {
  const labels = labelsOf(study);
  const at = (path: Path, check: () => void) => {
    try {
      check();
    } catch (error) {
      throw located(error, study.locate(path));
    }
  };
  checkAxes(study);
  for (const part of ['tables', 'figures'] as const) {
    checkFileNames(part, study);
  }
  for (const measure of study.measures)
    at(['measures', measure.name], () => checkMeasure(measure, study, labels));
  for (const table of study.tables) at(['tables', table.id], () => checkTable(table, study, labels));
  for (const figure of study.figures) {
    at(['figures', figure.id], () => checkFigure(figure, study, labels));
  }
  study.checks.forEach((check, i) => {
    at(['checks', i], () => checkCheck(check.test, study, labels));
  });
}

/** Names of files have some 255 letters at most, with what stands around the id. */
const MOST_LETTERS = 100;

/** What Windows takes for a device, whatever its ending. */
const DEVICE = /^(?:aux|con|nul|prn|(?:com|lpt)\d)$/i;

/** Each has a file of its name: on some disks one, where names differ only in capitals. */
function checkFileNames(part: 'tables' | 'figures', study: Study): void {
  const seen = new Map<string, string>();
  for (const { id } of study[part]) {
    if (id.length > MOST_LETTERS) {
      throw new InputError(
        `${study.locate([part, id])}: a name of ${id.length} letters is too long for that of a file; give it ${MOST_LETTERS} at most`,
      );
    }
    if (DEVICE.test(id)) {
      throw new InputError(
        `${study.locate([part, id])}: Windows takes a file named '${id}' for a device; give another name`,
      );
    }
    const earlier = seen.get(id.toLowerCase());
    if (earlier !== undefined) {
      throw new InputError(
        `${study.locate([part, id])}: '${earlier}' and '${id}' differ only in capitals, which not all disks tell apart; rename one`,
      );
    }
    seen.set(id.toLowerCase(), id);
  }
}

function labelsOf(study: Study): Labels {
  const labels = new Map<string, Set<string>>(axesOf(study).map((axis) => [axis, new Set()]));
  for (const { name, axes } of study.parts) {
    if (name !== undefined) labels.get('part')?.add(name);
    for (const axis of axes) for (const { label } of axis.entries) labels.get(axis.name)?.add(String(label));
  }
  return labels;
}

function checkAxes({ parts, draws, locate }: Study): void {
  for (const { options, axes } of parts) {
    const texts = [
      ...Object.values(options),
      ...axes.flatMap(({ entries }) => entries.map(({ text }) => text)),
    ];
    for (const { name, entries } of axes) {
      if (!texts.some((text) => text.includes(`{${name}}`))) {
        throw new InputError(
          `${entries[0].place}: no option uses the axis '${name}'; write {${name}} where its values belong, for instance ${name}: '{${name}}'`,
        );
      }
      const seen = new Set<string>();
      for (const { label, place } of entries) {
        if (seen.has(String(label))) {
          throw new InputError(`${place}: '${label}' stands twice on the axis '${name}'`);
        }
        seen.add(String(label));
      }
    }
    const names = axes.map(({ name }) => name);
    if (draws !== undefined && !names.includes(draws.axis)) {
      throw located(unknownName('axis', draws.axis, names), locate(['draws']));
    }
  }
}

function known(axis: string, axes: Iterable<string>): void {
  const names = [...axes];
  if (!names.includes(axis)) throw unknownName('axis', axis, names);
}

function checkLabels(axis: string, wanted: readonly Label[], labels: Labels): void {
  const home = wanted.find((label) => !HOME_LABEL.test(String(label)));
  if (axis === HOME_AXIS && home !== undefined) {
    throw new InputError(`unknown label of ${axis} '${home}'. Known: ${ENTIRE_GRID}, site 1, site 2, ...`);
  }
  const all = labels.get(axis);
  if (all === undefined || axis === VARIANT_AXIS) return;
  for (const label of wanted)
    if (!all.has(String(label))) throw unknownName(`label of ${axis}`, String(label), all);
}

function checkWhere(where: Where, axes: readonly string[], labels: Labels): void {
  for (const [axis, wanted] of Object.entries(where)) {
    known(axis, axes);
    checkLabels(axis, wanted, labels);
  }
}

function reducedAxes(step: Step): readonly string[] {
  if (step.kind === 'improvement') return [];
  return step.kind === 'standing' ? [step.over] : step.axes;
}

/** The axes that the metric of a measure has, but for that of the draws. */
function axesBefore({ metric }: Measure, study: Study): string[] {
  const axes = axesOf(study).filter((axis) => axis !== study.draws?.axis);
  return metric === HOME_METRIC ? [...axes, HOME_AXIS] : axes;
}

/** The axes that a measure leaves. */
function axesAfter(measure: Measure, study: Study): string[] {
  const gone = new Set(measure.steps.flatMap(reducedAxes));
  return axesBefore(measure, study).filter((axis) => !gone.has(axis));
}

function checkMeasure(measure: Measure, study: Study, labels: Labels): void {
  const fault = metricFault(measure.metric, study.kind);
  if (fault !== undefined) throw new InputError(fault);
  let axes = axesBefore(measure, study);
  checkWhere(measure.where, axes, labels);
  if (measure.steps.some(({ kind }, i) => kind === 'choose' && i > 0)) {
    throw new InputError('choose comes before all other steps');
  }
  const [first] = measure.steps;
  const replications = labels.get(study.draws?.axis ?? '')?.size ?? 1;
  if (first?.kind === 'choose' && replications < 2) {
    throw new InputError(
      'choose takes the odd replications for choosing and the even ones for judging, so there must be 2 or more',
    );
  }
  for (const step of measure.steps) {
    const used = step.kind === 'improvement' ? step.over : reducedAxes(step);
    for (const axis of used) known(axis, axes);
    if (step.kind === 'standing') checkLabels(step.over, [step.of], labels);
    if (step.kind === 'improvement' && step.on !== 'mean') {
      if (step.over.length !== 1) throw new InputError('improvement on labels takes one axis in over');
      checkLabels(step.over[0], step.on, labels);
    }
    const gone = reducedAxes(step);
    axes = axes.filter((axis) => !gone.includes(axis));
  }
}

function findMeasure(name: string, { measures }: Study): Measure {
  const measure = measures.find((each) => each.name === name);
  if (measure !== undefined) return measure;
  throw unknownName(
    'measure',
    name,
    measures.map((each) => each.name),
  );
}

/** A view of a measure by some axes: all that it leaves must be among them, or be held at one label. */
function checkView(name: string, where: Where, by: readonly string[], study: Study, labels: Labels): void {
  const measure = findMeasure(name, study);
  const axes = axesAfter(measure, study);
  checkWhere(where, axes, labels);
  for (const axis of by) known(axis, axes);
  for (const axis of axes) {
    if (by.includes(axis)) continue;
    const count = (where[axis] ?? measure.where[axis])?.length ?? labels.get(axis)?.size ?? 0;
    const isOpen = axis === VARIANT_AXIS || (axis === HOME_AXIS && count === 0);
    if (!isOpen && count <= 1) continue;
    throw new InputError(
      `the axis '${axis}' of measure '${name}' has several labels and no place here; ` +
        `name it, reduce it by a step such as mean: ${axis}, or choose one label with where`,
    );
  }
}

/** What the columns of published values may be called; undefined where several names together are the head. */
function headLabels(
  { measures, columns }: Study['tables'][number],
  labels: Labels,
): ReadonlySet<string> | undefined {
  if (columns.length === 0) return new Set(measures);
  return columns.length === 1 && measures.length === 1 ? labels.get(columns[0]) : undefined;
}

function checkFigure(
  { measure, where, panels, x, series, baseline }: Study['figures'][number],
  study: Study,
  labels: Labels,
): void {
  checkView(measure, where, [...panels, x, ...series], study, labels);
  if (baseline === undefined) return;
  known(baseline.axis, [...panels, x, ...series]);
  checkLabels(baseline.axis, [baseline.label], labels);
}

function checkTable(table: Study['tables'][number], study: Study, labels: Labels): void {
  const { measures, where, rows, columns, among, published, emphasize } = table;
  for (const measure of measures) checkView(measure, where, [...rows, ...columns], study, labels);
  for (const axis of among) known(axis, [...rows, ...columns]);
  const isCompared = emphasize === 'least' || emphasize === 'most';
  if (isCompared && measures.length > 1 && columns.length === 0 && among.length === 0) {
    throw new InputError(
      `emphasize: ${emphasize} compares values of one measure, and here each value of a row is of another; ` +
        `name in among the axes whose labels are compared, such as ${rows[0]}`,
    );
  }
  const heads = headLabels(table, labels);
  const sides = rows.length === 1 ? labels.get(rows[0]) : undefined;
  for (const [row, cells] of published) {
    if (sides !== undefined && row !== table.total && !sides.has(row))
      throw unknownName('published row', row, sides);
    for (const column of cells.keys()) {
      if (heads !== undefined && !heads.has(column)) throw unknownName('published column', column, heads);
      if (columns[0] === HOME_AXIS) checkLabels(HOME_AXIS, [column], labels);
    }
  }
}

function checkCheck(test: Study['checks'][number]['test'], study: Study, labels: Labels): void {
  if (test.kind === 'reproduced') {
    const ids = study.tables.map(({ id }) => id);
    if (!ids.includes(test.table)) throw unknownName('table', test.table, ids);
    return;
  }
  const axes = axesAfter(findMeasure(test.measure, study), study);
  checkWhere(test.where, axes, labels);
  if (test.kind === 'bound') return;
  known(test.axis, axes);
  checkLabels(test.axis, test.labels, labels);
}
