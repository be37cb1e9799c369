/** What of a figure is shown: the part its reader has chosen. */
import {
  type Figure,
  type FigurePanel,
  type FigurePoint,
  type FigureView,
  isGrouped,
} from '../../host/draw/figureModel.js';

/** What a reader has chosen. */
export interface Choice {
  readonly view: FigureView;
  readonly hidden: ReadonlySet<string>;
  readonly scale: 'linear' | 'log';
  /** The part of the x axis; without one all of it. */
  readonly range?: readonly [from: number, to: number] | undefined;
}

/** All views of a figure, its own first. */
export function viewsOf(figure: Figure): readonly FigureView[] {
  const { views = [], y, panels } = figure;
  return views.length > 0 ? views : [{ measure: y.title, y, panels }];
}

/** The figure with a choice made. Series that are hidden or absent keep their places, so that no other changes its looks. */
export function shownFigure(figure: Figure, { view, hidden, scale, range }: Choice): Figure {
  const names = [...new Set(viewsOf(figure).flatMap(({ panels }) => panels.flatMap(namesIn)))];
  const isShown = new Set(names.filter((name) => !hidden.has(name)));
  const points = (all: readonly FigurePoint[]) => (range === undefined ? all : within(all, range));
  return {
    ...figure,
    x: { ...figure.x, ...(range === undefined ? {} : { range }) },
    y: { ...view.y, scale },
    ...(view.bounds === undefined ? {} : { bounds: view.bounds }),
    panels: view.panels.map(({ title, series }) => ({
      title,
      series: names.map((name) => {
        const own = series.find((each) => each.name === name);
        return { ...own, name, points: own !== undefined && isShown.has(name) ? points(own.points) : [] };
      }),
    })),
  };
}

function namesIn({ series }: FigurePanel): string[] {
  return series.map(({ name }) => name);
}

/** The last of ascending points that is not behind x. */
export function pointUpTo(points: readonly FigurePoint[], x: number): FigurePoint | undefined {
  return points.findLast((point) => Number(point.x) <= x);
}

/** The points of a part of the axis, and the next on either side, which lines go on to. */
function within(points: readonly FigurePoint[], [from, to]: readonly [number, number]): FigurePoint[] {
  const isBefore = ({ x }: FigurePoint) => Number(x) < from;
  const isAfter = ({ x }: FigurePoint) => Number(x) > to;
  return points.filter(
    (point, i) =>
      !(isBefore(point) && i + 1 < points.length && isBefore(points[i + 1])) &&
      !(isAfter(point) && i > 0 && isAfter(points[i - 1])),
  );
}

/** All numbers of the x axis, from the least on; none where it has categories. */
export function placesOf(figure: Figure): number[] {
  if (isGrouped(figure)) return [];
  const { panels } = figure;
  const places = panels.flatMap(({ series }) => series.flatMap(({ points }) => points.map(({ x }) => x)));
  return places.every((x) => typeof x === 'number') ? [...new Set(places)].sort((a, b) => a - b) : [];
}

/** Whether an axis of powers can show a view: all that it has is above 0. */
export function canBeLogarithmic({ panels }: FigureView): boolean {
  return panels.every(({ series }) =>
    series.every(({ points }) => points.every(({ y }) => y === null || y > 0)),
  );
}
