/** The figures of a finished study, with what else their page can show: other measures, differences to a series. */

import type { Figure, FigurePoint, FigureSeries, FigureView } from '../draw/figureModel.js';
import type { MeasuredValue } from '../study/evaluate.js';
import { choose, differencesTo, type Evaluated, type Evaluation } from '../study/evaluate.js';
import type { Label } from '../study/schema.js';
import { labelKey } from '../study/steps.js';
import type { FigureSpec } from '../study/study.js';
import { axisTitle, boundsShown, namedText, overSentence, View } from './studyTables.js';

function pointOf(x: Label | null, value: MeasuredValue | undefined): FigurePoint {
  return {
    x: x ?? '',
    y: value?.value ?? null,
    ...(value?.low === undefined ? {} : { low: value.low }),
    ...(value?.high === undefined ? {} : { high: value.high }),
  };
}

/** What a reader of small multiples would take for granted otherwise. */
const OWN_SCALES = 'Each panel has a scale of its own.';

/** A figure of a study, with what else its page can show there. Categories stand for numbers when an axis mixes both. */
export function studyFigure(evaluation: Evaluation, spec: FigureSpec): Figure {
  const own = figureView(evaluation, spec);
  const views = [own, ...otherViews(evaluation, spec, sizeOf(own))];
  const isNumeric = own.panels.every(({ series }) =>
    series.every(({ points }) => points.every(({ x }) => typeof x === 'number')),
  );
  return {
    id: spec.id,
    title: spec.title,
    caption: [
      spec.caption,
      overSentence(evaluation),
      own.panels.length > 1 && !spec.sharesY ? OWN_SCALES : '',
    ]
      .filter((text) => text !== '')
      .join(' '),
    kind: isNumeric ? 'line' : 'bar',
    x: { title: axisTitle(spec.xTitle ?? spec.x) },
    y: own.y,
    sharesY: spec.sharesY,
    panels: own.panels,
    ...boundsShown(evaluation),
    ...(views.length > 1 ? { views, ...firstShown(evaluation, spec, views) } : {}),
  };
}

/** Series from which on values lie over each other, and differences tell more. */
const MANY_SERIES = 6;

/** The view that a page shows first, where that is not the figure itself: of many series the differences, unless another figure has them. */
function firstShown(
  evaluation: Evaluation,
  { measure, baseline }: FigureSpec,
  [own, ...others]: readonly FigureView[],
): Pick<Figure, 'firstView'> {
  const isMany = own!.panels.some(({ series }) => series.length >= MANY_SERIES);
  const isShown = evaluation.study.figures.some((each) => each.measure === measure && each.baseline);
  const place = others.findIndex((view) => view.measure === own!.measure && view.baseline !== undefined);
  return isMany && baseline === undefined && !isShown && place >= 0 ? { firstView: place + 1 } : {};
}

/** Points of all views of a figure at most, which its page carries; and with all differences, whose intervals take long. */
const MOST_POINTS = 10_000;
const MOST_DIFFERENCES = 2_000;

function sizeOf({ panels }: FigureView): number {
  return panels.reduce(
    (sum, { series }) => sum + series.reduce((points, each) => points + each.points.length, 0),
    0,
  );
}

/** The other measures of the same settings, and differences to each of the series, as far as they fit. */
function otherViews(evaluation: Evaluation, spec: FigureSpec, size: number): FigureView[] {
  const axesOf = (name: string) => labelKey(evaluation.measure(name).axes.toSorted());
  const measures = evaluation.study.measures
    .map(({ name }) => name)
    .filter((name) => axesOf(name) === axesOf(spec.measure));
  const [axis] = spec.series;
  const { labels, axes } = labelsShown(evaluation, spec);
  const baselines =
    axis !== undefined && spec.series.length === 1 && labels.length > 1 && axes.includes(axis)
      ? labels.map((label) => ({ axis, label }))
      : [];
  const wanted = [undefined, ...baselines]
    .flatMap((baseline) => measures.map((measure) => ({ ...spec, measure, baseline })))
    .filter(({ measure, baseline }) => measure !== spec.measure || !isSameBaseline(baseline, spec.baseline));
  const [first] = spec.baseline === undefined ? baselines : [];
  const few = wanted.filter(
    ({ measure, baseline }) => baseline === undefined || (baseline === first && measure === spec.measure),
  );
  const fitting =
    wanted.length * size <= MOST_DIFFERENCES ? wanted : few.length * size <= MOST_POINTS ? few : [];
  return fitting.map((each) => figureView(evaluation, each));
}

function isSameBaseline(one: FigureSpec['baseline'], other: FigureSpec['baseline']): boolean {
  return one?.axis === other?.axis && String(one?.label) === String(other?.label);
}

/** The labels of the first axis of the series that a figure shows, and all axes it has. */
function labelsShown(
  evaluation: Evaluation,
  { measure, where, series }: FigureSpec,
): { readonly labels: Label[]; readonly axes: readonly string[] } {
  const { axes, cells } = choose(evaluation.measure(measure), where);
  const position = axes.indexOf(series[0] ?? '');
  const labels = new Set(cells.map((cell) => cell.labels[position]));
  return { labels: [...labels].filter((label): label is Label => label != null && label !== ''), axes };
}

/** The cells that a figure shows, and those that they are compared to: intervals of more would take long. */
function comparedCells(
  evaluation: Evaluation,
  { measure, where }: FigureSpec,
  { axis }: NonNullable<FigureSpec['baseline']>,
): Evaluated {
  const { [axis]: _, ...others } = where;
  return choose(evaluation.measure(measure), others);
}

function figureView(evaluation: Evaluation, spec: FigureSpec): FigureView {
  const measure = evaluation.study.measures.find(({ name }) => name === spec.measure);
  const { baseline, measure: name } = spec;
  const title = measure?.title ?? name;
  const shown =
    baseline === undefined
      ? evaluation.measure(name)
      : differencesTo(comparedCells(evaluation, spec, baseline), baseline, evaluation.study.draws?.shows);
  const view = new View(shown, spec.where, [spec.panels, spec.series, [spec.x]]);
  const [panels = [], series = [], places = []] = view.labels;
  const isNumeric = places.every(([x]) => typeof x === 'number');
  const lines = (panel: readonly (Label | null)[]): FigureSeries[] =>
    series.map((own) => ({
      name: namedText(spec.series, own) || title,
      points: places.map((x) => pointOf(isNumeric ? Number(x[0]) : String(x[0]), view.value(panel, own, x))),
    }));
  return {
    measure: title,
    ...(baseline === undefined ? {} : { baseline: namedText([baseline.axis], [baseline.label]) }),
    y: {
      title: `${title}${baseline === undefined ? '' : `, difference to ${baseline.label}`}`,
      ...(measure?.unit === undefined ? {} : { unit: measure.unit }),
      scale: baseline === undefined ? spec.yScale : 'linear',
      ...(measure?.format.style === 'percent' ? { format: { style: 'percent' } as const } : {}),
    },
    panels: panels.map((panel) => ({ title: namedText(spec.panels, panel), series: lines(panel) })),
  };
}
