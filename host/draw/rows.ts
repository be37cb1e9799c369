/** The points of a panel as rows of data for drawing. */
import type { Figure, FigureAxis } from './types.js';

/** A point of a series as it is drawn. */
export interface PlotRow {
  readonly series: string;
  readonly x: number | string;
  readonly y: number | null;
  readonly low?: number;
  readonly high?: number;
}

/** Names of all series of a figure, in the order of their first appearance. */
export function seriesNames({ panels }: Pick<Figure, 'panels'>): string[] {
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
  const foot = figure.y.scale === 'log' ? leastPositive(figure) : -Infinity;
  return figure.panels[panel].series.flatMap(({ name, points }) => {
    const shown = points.filter(({ x, y }) => isDrawable(x, figure.x) && isDrawable(y, figure.y));
    return shown.map((point) => ({
      series: name,
      ...point,
      ...(point.low === undefined ? {} : { low: Math.max(point.low, foot) }),
    }));
  });
}
