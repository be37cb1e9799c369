/**
 * Data model of figures, storable as JSON. It describes the content of a figure; host/draw/figure.ts
 * determines its appearance.
 */
import type { NumberFormat } from '../format/numbers.js';
import { makeSeriesLooks, type SeriesLook } from './palette.js';

/** An axis of a figure. */
export interface FigureAxis {
  readonly title: string;
  /** Unit, printed after the title in brackets. */
  readonly unit?: string;
  /** Default: linear. A logarithmic axis omits values of 0 or below. */
  readonly scale?: 'linear' | 'log';
  /** Number format of the tick labels; default: as many decimals as needed. */
  readonly format?: NumberFormat;
  /** Ticks with their labels; default: round numbers. */
  readonly ticks?: readonly { readonly value: number; readonly label: string }[];
  /**
   * Present if the numbers are seconds since the first submission (or since the event named by `since`);
   * `beginning` is that time in seconds since 1970, if known.
   */
  readonly time?: { readonly beginning?: number | undefined; readonly since?: string };
  /** Visible range of a numeric axis; default: all. In dot plots, values outside are drawn at the edge. */
  readonly range?: readonly [from: number, to: number];
  /** Shaded range of values in a dot plot, such as differences too small to matter. */
  readonly zone?: readonly [from: number, to: number];
}

/**
 * Kind of bounds around a value: 95 % interval, approximate interval (`rough`), simultaneous limits
 * (`joint`), minimum to maximum (`range`), or quartiles.
 */
export type BoundsKind = 'interval' | 'rough' | 'joint' | 'range' | 'quartiles';

/** Point of a series; `low` and `high` are the bounds of y over replications. */
export interface FigurePoint {
  /** A number or a category name; all points of a figure have the same kind. */
  readonly x: number | string;
  /** Value; null interrupts the line. */
  readonly y: number | null;
  readonly low?: number;
  readonly high?: number;
  /** Remark printed beside the dot. */
  readonly remark?: string;
}

/** Series of points. Series of the same name have the same colour, marker and dash in every panel. */
export interface FigureSeries {
  readonly name: string;
  /** Colour, if it has a meaning elsewhere on the page; default: the next palette colour. */
  readonly color?: string;
  readonly points: readonly FigurePoint[];
}

/** Panel of a figure (one of several small multiples). */
export interface FigurePanel {
  /** Title; may be empty if the figure has one panel. */
  readonly title: string;
  readonly series: readonly FigureSeries[];
}

/** Alternative view of a figure: another measure, or the differences from one series. */
export interface FigureView {
  /** Name of the measure in the page's selection menu. */
  readonly measure: string;
  /** Name of the series that is subtracted; absent: none. */
  readonly baseline?: string;
  readonly y: FigureAxis;
  readonly panels: readonly FigurePanel[];
  /** Kind of bounds, like `Figure.bounds`. */
  readonly bounds?: BoundsKind;
}

/** Figure with one or several panels that share their axes. */
export interface Figure {
  /** Identifier, unique within the report; used in file names. */
  readonly id: string;
  readonly title: string;
  /** Description of what the drawing shows; may be empty. */
  readonly caption: string;
  /**
   * `line`: lines with markers; `step`: a value holds until the next; `bar`: grouped bars (points on a
   * logarithmic y axis); `dots`: categories below each other, values from left to right; `heat`: one row
   * per series, values as shades.
   */
  readonly kind: 'line' | 'step' | 'bar' | 'dots' | 'heat';
  readonly x: FigureAxis;
  readonly y: FigureAxis;
  /** True if all panels share one y range; default: false. */
  readonly sharesY?: boolean;
  readonly panels: readonly FigurePanel[];
  /** Kind of the bounds `low` and `high`; default: `range`. */
  readonly bounds?: BoundsKind;
  /** Names of all series on the page, which determine the colours; default: those of this figure. */
  readonly namesOfPage?: readonly string[];
  /** Alternative views with the same panels and series, selectable on the page. */
  readonly views?: readonly FigureView[];
  /** Index of the view that the page shows first; default: 0, the figure itself. */
  readonly firstView?: number;
}

/** Point of a series in drawing order. */
export interface PlotPoint {
  readonly series: string;
  readonly x: number | string;
  readonly y: number | null;
  readonly low?: number;
  readonly high?: number;
  readonly remark?: string;
}

/**
 * True if the x axis has categories that each show all series (bars and dots), rather than points of lines.
 */
export function isGroupedFigure({ kind: figureKind }: Pick<Figure, 'kind'>): boolean {
  return figureKind === 'bar' || figureKind === 'dots' || figureKind === 'heat';
}

/** True if groups are drawn as bars; false on a logarithmic axis, which has no zero for bars to start at. */
export function hasBars(figure: Figure): boolean {
  return figure.kind === 'bar' && figure.y.scale !== 'log';
}

function isDrawableValue(axisValue: number | string | null, { scale }: FigureAxis): boolean {
  return typeof axisValue !== 'number' || (Number.isFinite(axisValue) && (scale !== 'log' || axisValue > 0));
}

/** Smallest positive value, as the start of a logarithmic axis whose range starts at 0 or below. */
function findSmallestPositiveValue({ panels }: Figure): number {
  const figurePoints = panels.flatMap(({ series }) => series.flatMap((figureSeries) => figureSeries.points));
  const axisValues = figurePoints.flatMap(({ y, low, high }) => [y, low, high]);
  return axisValues.reduce<number>(
    (smallest, axisValue) => (axisValue != null && axisValue > 0 ? Math.min(smallest, axisValue) : smallest),
    Infinity,
  );
}

/** Largest number of time intervals drawn for a series. */
const MAX_DRAWN_INTERVALS = 500;

/**
 * Merges neighbouring points if there are more than MAX_DRAWN_INTERVALS; equally long intervals make the mean
 * of means exact.
 */
function mergeAdjacentPoints(figurePoints: readonly FigurePoint[]): readonly FigurePoint[] {
  const pointCountPerInterval = Math.ceil(figurePoints.length / MAX_DRAWN_INTERVALS);
  if (pointCountPerInterval === 1 || figurePoints[0]?.low === undefined) return figurePoints;
  return Array.from(
    { length: Math.ceil(figurePoints.length / pointCountPerInterval) },
    (_, i): FigurePoint => {
      const pointsToMerge = figurePoints.slice(i * pointCountPerInterval, (i + 1) * pointCountPerInterval);
      return {
        x: (pointsToMerge[0] as FigurePoint).x,
        y: pointsToMerge.reduce((sum, { y }) => sum + (y ?? 0), 0) / pointsToMerge.length,
        low: Math.min(...pointsToMerge.map(({ low }) => low ?? Infinity)),
        high: Math.max(...pointsToMerge.map(({ high }) => high ?? -Infinity)),
      };
    },
  );
}

/** Points of a panel to draw; points that a logarithmic axis cannot show are omitted. */
export function plotPointsOfPanel(figure: Figure, panelIndex: number): PlotPoint[] {
  const lowestBound = figure.y.scale === 'log' ? findSmallestPositiveValue(figure) : -Infinity;
  return figure.panels[panelIndex]!.series.flatMap(({ name: seriesName, points: seriesPoints }) => {
    const mergedPoints = figure.kind === 'step' ? mergeAdjacentPoints(seriesPoints) : seriesPoints;
    const drawablePoints = mergedPoints.filter(
      ({ x, y }) => isDrawableValue(x, figure.x) && isDrawableValue(y, figure.y),
    );
    return drawablePoints.map((drawablePoint) => ({
      series: seriesName,
      ...drawablePoint,
      ...(drawablePoint.low === undefined ? {} : { low: Math.max(drawablePoint.low, lowestBound) }),
    }));
  });
}

/** Points that determine the scale of a panel's values: those of all panels if they share it. */
export function scalePointsOfPanel(figure: Figure, panel: number): PlotPoint[] {
  if (!figure.sharesY) return plotPointsOfPanel(figure, panel);
  return figure.panels.flatMap((_, index) => plotPointsOfPanel(figure, index));
}

/** Names of all series with their colours, markers and dashes. */
export interface SeriesLooksByName {
  readonly names: readonly string[];
  readonly looks: readonly SeriesLook[];
}

/** Look of bars, which are identified by colour alone. */
const BAR_SERIES_LOOK = { marker: 'square', dash: [] } as const;

/**
 * Assigns names to all figures of a page so that a series name has the same look in each of them; series with
 * their own colour come last, so that they use up no palette colours.
 */
export function assignPageWideSeriesLooks(figures: readonly Figure[]): Figure[] {
  const series = figures.flatMap((figure) =>
    [figure, ...(figure.views ?? [])].flatMap(({ panels }) => panels.flatMap((panel) => panel.series)),
  );
  const selectSeriesByColoring = (hasFixedColor: boolean) =>
    series.filter(({ color: seriesColor }) => (seriesColor !== undefined) === hasFixedColor);
  const seriesNames = [
    ...new Set(
      [...selectSeriesByColoring(false), ...selectSeriesByColoring(true)].map(
        ({ name: seriesName }) => seriesName,
      ),
    ),
  ];
  return figures.map((figure) => ({ ...figure, namesOfPage: seriesNames }));
}

/** Looks of all series of a figure. */
export function makeFigureSeriesLooks(figure: Figure): SeriesLooksByName {
  const seriesNames = [
    ...new Set(figure.panels.flatMap(({ series }) => series.map(({ name: seriesName }) => seriesName))),
  ];
  const namesOnPage = figure.namesOfPage ?? seriesNames;
  const fixedColorByName = new Map(
    figure.panels.flatMap(({ series }) =>
      series.map(({ name: seriesName, color: seriesColor }) => [seriesName, seriesColor] as const),
    ),
  );
  const looksOfPage = makeSeriesLooks(namesOnPage.length);
  const looks = seriesNames.map((seriesName): SeriesLook => {
    const seriesLook = looksOfPage[namesOnPage.indexOf(seriesName)]!;
    if (figure.kind === 'dots' && seriesNames.length === 1)
      return { ...seriesLook, color: fixedColorByName.get(seriesName) ?? seriesLook.color, marker: 'circle' };
    return {
      ...seriesLook,
      color: fixedColorByName.get(seriesName) ?? seriesLook.color,
      ...(hasBars(figure) ? BAR_SERIES_LOOK : {}),
    };
  });
  return { names: seriesNames, looks };
}
