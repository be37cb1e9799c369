/** Figures as plain data that survives JSON: what they show. How they look is decided where they are drawn. */
import type { NumberFormat } from '../format/numbers.js';
import { type SeriesLook, seriesLooks } from './palette.js';

/** An axis of a figure. */
export interface FigureAxis {
  readonly title: string;
  /** Printed after the title, in brackets. */
  readonly unit?: string;
  /** Default linear. A logarithmic axis leaves out values that are not above 0. */
  readonly scale?: 'linear' | 'log';
  /** Decimals of the numbers at its ticks; default: as many as needed. */
  readonly format?: NumberFormat;
  /** Ticks with their labels; default: round numbers. */
  readonly ticks?: readonly { readonly value: number; readonly label: string }[];
  /** True if its numbers are seconds since the first submit or `since`, and when that was in seconds since 1970 where it is known. */
  readonly time?: { readonly beginning?: number | undefined; readonly since?: string };
  /** The part of an axis of numbers that is shown; default all of it. Of the values of `dots` those beyond are at its edge. */
  readonly range?: readonly [from: number, to: number];
  /** A part of the values of `dots` that is shaded, such as differences too small to matter. */
  readonly zone?: readonly [from: number, to: number];
}

/**
 * What is beside a value: its 95 % interval, one that holds less often (`rough`), limits that hold together with those of
 * others (`joint`), the least and the largest of its replications, or quartiles.
 */
export type Bounds = 'interval' | 'rough' | 'joint' | 'range' | 'quartiles';

/** A point; `low` and `high` are the bounds of y over draws. */
export interface FigurePoint {
  /** A number, or a category (then of all points of the figure). */
  readonly x: number | string;
  /** Null breaks the line. */
  readonly y: number | null;
  readonly low?: number;
  readonly high?: number;
  /** The remark beside its dot. */
  readonly remark?: string;
}

/** Points that belong together; the same name is the same colour, marker and dash in every panel. */
export interface FigureSeries {
  readonly name: string;
  /** Colour, if it means the same elsewhere on the page; default: one of a series of colours. */
  readonly color?: string;
  readonly points: readonly FigurePoint[];
}

/** One of the small multiples. */
export interface FigurePanel {
  /** May be empty when there is only one. */
  readonly title: string;
  readonly series: readonly FigureSeries[];
}

/** View of a figure's settings: a measure, or its differences from one series. */
export interface FigureView {
  /** The measure, as its reader chooses it. */
  readonly measure: string;
  /** The series whose values are taken off; default none. */
  readonly baseline?: string;
  readonly y: FigureAxis;
  readonly panels: readonly FigurePanel[];
  /** Kind of bounds, as of the figure. */
  readonly bounds?: Bounds;
}

/** A figure of one or several panels over the same axes. */
export interface Figure {
  /** Name of the figure, unique within the report; used in file names. */
  readonly id: string;
  readonly title: string;
  /** Description of what the drawing shows; may be empty. */
  readonly caption: string;
  /**
   * `line` with markers; `step`: a value holds until the next, without markers; `bar`: groups of bars, on a logarithmic
   * y axis points, since bars have no foot there; `dots`: categories one below the other, the y axis from left to right;
   * `heat`: a row for each series, a column for each place on the x axis, the y axis as shades of one colour.
   */
  readonly kind: 'line' | 'step' | 'bar' | 'dots' | 'heat';
  readonly x: FigureAxis;
  readonly y: FigureAxis;
  /** True if all panels have one y range; default false, each has its own. */
  readonly sharesY?: boolean;
  readonly panels: readonly FigurePanel[];
  /** Kind of the bounds `low` and `high` of points; default: the range. */
  readonly bounds?: Bounds;
  /** Series of all figures of the page, which determine the colours; default: those of this figure. */
  readonly namesOfPage?: readonly string[];
  /** Other views that the page can show in the same place, with the same panels and series. */
  readonly views?: readonly FigureView[];
  /** View that the page shows first; default: the first, which is the figure itself. */
  readonly firstView?: number;
}

/** A point of a series as it is drawn. */
export interface PlotRow {
  readonly series: string;
  readonly x: number | string;
  readonly y: number | null;
  readonly low?: number;
  readonly high?: number;
  readonly remark?: string;
}

/** True if the places of the x axis are categories, each with the values of all series, and not points of a line. */
export function isGrouped({ kind }: Pick<Figure, 'kind'>): boolean {
  return kind === 'bar' || kind === 'dots' || kind === 'heat';
}

/** True if groups are drawn as bars: a logarithmic axis has no zero for them to start at. */
export function hasBars(figure: Figure): boolean {
  return figure.kind === 'bar' && figure.y.scale !== 'log';
}

function isDrawable(value: number | string | null, { scale }: FigureAxis): boolean {
  return typeof value !== 'number' || (Number.isFinite(value) && (scale !== 'log' || value > 0));
}

/** Beginning of a logarithmic axis whose range begins at 0 or below. */
function leastPositive({ panels }: Figure): number {
  const points = panels.flatMap(({ series }) => series.flatMap((each) => each.points));
  const values = points.flatMap(({ y, low, high }) => [y, low, high]);
  return values.reduce<number>(
    (least, value) => (value != null && value > 0 ? Math.min(least, value) : least),
    Infinity,
  );
}

/** Intervals of time that are drawn at once. */
const MAX_INTERVALS = 500;

/**
 * Merges neighbouring points if there are too many. All intervals have equal lengths, so means are means of means.
 */
function coarser(points: readonly FigurePoint[]): readonly FigurePoint[] {
  const size = Math.ceil(points.length / MAX_INTERVALS);
  if (size === 1 || points[0]?.low === undefined) return points;
  return Array.from({ length: Math.ceil(points.length / size) }, (_, i): FigurePoint => {
    const some = points.slice(i * size, (i + 1) * size);
    return {
      x: (some[0] as FigurePoint).x,
      y: some.reduce((sum, { y }) => sum + (y ?? 0), 0) / some.length,
      low: Math.min(...some.map(({ low }) => low ?? Infinity)),
      high: Math.max(...some.map(({ high }) => high ?? -Infinity)),
    };
  });
}

/** One row per point of a panel; what a logarithmic axis cannot show is left out. */
export function plotRows(figure: Figure, panel: number): PlotRow[] {
  const foot = figure.y.scale === 'log' ? leastPositive(figure) : -Infinity;
  return figure.panels[panel]!.series.flatMap(({ name, points }) => {
    const drawn = figure.kind === 'step' ? coarser(points) : points;
    const shown = drawn.filter(({ x, y }) => isDrawable(x, figure.x) && isDrawable(y, figure.y));
    return shown.map((point) => ({
      series: name,
      ...point,
      ...(point.low === undefined ? {} : { low: Math.max(point.low, foot) }),
    }));
  });
}

/** Names of all series and their looks. */
export interface NamedLooks {
  readonly names: readonly string[];
  readonly looks: readonly SeriesLook[];
}

/** Bars are identified by their colour alone, without marker or dashes. */
const AREA = { marker: 'square', dash: [] } as const;

/** The figures of one page: a name looks the same in all of them; those with colours of their own take none from others. */
export function ofOnePage(figures: readonly Figure[]): Figure[] {
  const series = figures.flatMap((figure) =>
    [figure, ...(figure.views ?? [])].flatMap(({ panels }) => panels.flatMap((panel) => panel.series)),
  );
  const colored = (is: boolean) => series.filter(({ color }) => (color !== undefined) === is);
  const names = [...new Set([...colored(false), ...colored(true)].map(({ name }) => name))];
  return figures.map((figure) => ({ ...figure, namesOfPage: names }));
}

/** Looks of all series of a figure. */
export function figureLooks(figure: Figure): NamedLooks {
  const names = [...new Set(figure.panels.flatMap(({ series }) => series.map(({ name }) => name)))];
  const ofPage = figure.namesOfPage ?? names;
  const input = new Map(
    figure.panels.flatMap(({ series }) => series.map(({ name, color }) => [name, color] as const)),
  );
  const all = seriesLooks(ofPage.length);
  const looks = names.map((name): SeriesLook => {
    const look = all[ofPage.indexOf(name)]!;
    if (figure.kind === 'dots' && names.length === 1)
      return { ...look, color: input.get(name) ?? look.color, marker: 'circle' };
    return { ...look, color: input.get(name) ?? look.color, ...(hasBars(figure) ? AREA : {}) };
  });
  return { names, looks };
}
