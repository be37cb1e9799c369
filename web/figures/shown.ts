/** Applies a reader's settings to a figure. */
import {
  type Figure,
  type FigurePanel,
  type FigurePoint,
  type FigureView,
  isGroupedFigure,
} from '../../host/draw/figureModel.js';

/** Reader's settings of a figure. */
export interface FigureReaderSettings {
  readonly view: FigureView;
  readonly hidden: ReadonlySet<string>;
  readonly scale: 'linear' | 'log';
  /** Visible part of the x axis; undefined for all of it. */
  readonly range?: readonly [from: number, to: number] | undefined;
}

/** Returns all views of a figure, the default first. */
export function listViewsOfFigure(figure: Figure): readonly FigureView[] {
  const { views = [], y, panels } = figure;
  return views.length > 0 ? views : [{ measure: y.title, y, panels }];
}

/**
 * Returns the figure with settings applied. Hidden and absent series keep their positions, so that no series
 * changes its look.
 */
export function applyFigureSettings(
  figure: Figure,
  { view: figureView, hidden, scale, range }: FigureReaderSettings,
): Figure {
  const seriesNames = [
    ...new Set(listViewsOfFigure(figure).flatMap(({ panels }) => panels.flatMap(seriesNamesOfPanel))),
  ];
  const visibleNames = new Set(seriesNames.filter((seriesName) => !hidden.has(seriesName)));
  const selectVisiblePoints = (pointsOfSeries: readonly FigurePoint[]) =>
    range === undefined ? pointsOfSeries : selectPointsInAxisRange(pointsOfSeries, range);
  return {
    ...figure,
    x: { ...figure.x, ...(range === undefined ? {} : { range }) },
    y: { ...figureView.y, scale },
    ...(figureView.bounds === undefined ? {} : { bounds: figureView.bounds }),
    panels: figureView.panels.map(({ title: panelTitle, series }) => ({
      title: panelTitle,
      series: seriesNames.map((seriesName) => {
        const seriesOfName = series.find((figureSeries) => figureSeries.name === seriesName);
        return {
          ...seriesOfName,
          name: seriesName,
          points:
            seriesOfName !== undefined && visibleNames.has(seriesName)
              ? selectVisiblePoints(seriesOfName.points)
              : [],
        };
      }),
    })),
  };
}

function seriesNamesOfPanel({ series }: FigurePanel): string[] {
  return series.map(({ name: seriesName }) => seriesName);
}

/** Returns the last of the ascending points with an x not above the given one. */
export function findLastPointUpTo(figurePoints: readonly FigurePoint[], x: number): FigurePoint | undefined {
  return figurePoints.findLast((figurePoint) => Number(figurePoint.x) <= x);
}

/** Returns the points in a range, and one neighbour on each side, because lines continue to them. */
function selectPointsInAxisRange(
  figurePoints: readonly FigurePoint[],
  [from, to]: readonly [number, number],
): FigurePoint[] {
  const isPointBeforeView = ({ x }: FigurePoint) => Number(x) < from;
  const isPointAfterRange = ({ x }: FigurePoint) => Number(x) > to;
  return figurePoints.filter(
    (figurePoint, i) =>
      !(
        isPointBeforeView(figurePoint) &&
        i + 1 < figurePoints.length &&
        isPointBeforeView(figurePoints[i + 1])
      ) && !(isPointAfterRange(figurePoint) && i > 0 && isPointAfterRange(figurePoints[i - 1])),
  );
}

/** Returns all numbers of the x axis, ascending; empty if it has categories. */
export function sortXValuesOfFigure(figure: Figure): number[] {
  if (isGroupedFigure(figure)) return [];
  const { panels } = figure;
  const xValues = panels.flatMap(({ series }) =>
    series.flatMap(({ points: seriesPoints }) => seriesPoints.map(({ x }) => x)),
  );
  return xValues.every((xValue) => typeof xValue === 'number')
    ? [...new Set(xValues)].sort((a, b) => a - b)
    : [];
}

/** True if all values of a view are positive, as a logarithmic axis requires. */
export function canAxisBeLogarithmic({ panels }: FigureView): boolean {
  return panels.every(({ series }) =>
    series.every(({ points: seriesPoints }) => seriesPoints.every(({ y }) => y === null || y > 0)),
  );
}
