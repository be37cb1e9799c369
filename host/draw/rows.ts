/** The points of a panel as rows of data for drawing. */
import type { Figure, FigureAxis } from './types.js';

/** A point of a series as it is drawn. */
export interface PlotRow {
  readonly series: string;
  /** Where it is drawn, */
  readonly x: number | string;
  /** and where it belongs. */
  readonly place: number | string;
  readonly y: number | null;
  readonly low?: number;
  readonly high?: number;
}

/** Ranges of so many series can lie over each other as bands; those of more stand side by side. */
const MOST_BANDS = 3;
/** Share of the least distance between two x values that points side by side take up. */
const SPREAD = 0.5;

/** Names of all series of a figure, in the order of their first appearance. */
export function seriesNames({ panels }: Figure): string[] {
  return [...new Set(panels.flatMap(({ series }) => series.map(({ name }) => name)))];
}

function allPoints({ panels }: Figure) {
  return panels.flatMap(({ series }) => series.flatMap(({ points }) => points));
}

/** Whether x values are categories, the series of each side by side. */
export function isGrouped({ kind }: Figure): boolean {
  return kind === 'bar';
}

/** Whether groups are drawn as bars: a logarithmic axis has no zero for them to stand on. */
export function hasBars(figure: Figure): boolean {
  return isGrouped(figure) && figure.y.scale !== 'log';
}

/** Whether any point has a range. */
export function hasRanges(figure: Figure): boolean {
  return allPoints(figure).some(({ low, high }) => low !== undefined && high !== undefined);
}

/** How far apart neighbouring series stand on the x axis so that their ranges can be told apart; 0: not at all. */
export function sideStep(figure: Figure): number {
  const count = seriesNames(figure).length;
  if (figure.kind !== 'line' || count <= MOST_BANDS || !hasRanges(figure)) return 0;
  if (figure.x.scale === 'log') return 0;
  const values = [...new Set(allPoints(figure).map(({ x }) => x))];
  const numbers = values.filter((x) => typeof x === 'number').sort((a, b) => a - b);
  if (numbers.length < values.length) return 0;
  const gaps = numbers.slice(1).map((x, i) => x - numbers[i]);
  return gaps.length === 0 ? 0 : (SPREAD * Math.min(...gaps)) / count;
}

function isDrawable(value: number | string | null, { scale }: FigureAxis): boolean {
  return typeof value !== 'number' || (Number.isFinite(value) && (scale !== 'log' || value > 0));
}

/** Where a range that begins at 0 or below begins on a logarithmic axis. */
function leastPositive(figure: Figure): number {
  const values = allPoints(figure).flatMap(({ y, low, high }) => [y, low, high]);
  return values.reduce<number>(
    (least, value) => (value != null && value > 0 ? Math.min(least, value) : least),
    Infinity,
  );
}

/** One row per point of a panel; what a logarithmic axis cannot show is left out. */
export function plotRows(figure: Figure, panel: number): PlotRow[] {
  const names = seriesNames(figure);
  const step = sideStep(figure);
  const foot = figure.y.scale === 'log' ? leastPositive(figure) : -Infinity;
  return figure.panels[panel].series.flatMap(({ name, points }) => {
    const shift = step * (names.indexOf(name) - (names.length - 1) / 2);
    const shown = points.filter(({ x, y }) => isDrawable(x, figure.x) && isDrawable(y, figure.y));
    return shown.map((point) => ({
      series: name,
      ...point,
      ...(point.low === undefined ? {} : { low: Math.max(point.low, foot) }),
      x: typeof point.x === 'number' ? point.x + shift : point.x,
      place: point.x,
    }));
  });
}
