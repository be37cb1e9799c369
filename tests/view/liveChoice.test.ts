import { expect, test } from 'vitest';
import type { Figure } from '../../host/draw/figureModel.js';
import { makeFigureSeriesLooks, plotPointsOfPanel } from '../../host/draw/figureModel.js';
import {
  applyFigureSettings,
  canAxisBeLogarithmic,
  listViewsOfFigure,
  sortXValuesOfFigure,
} from '../../web/figures/shown.js';
import { describePointInLines } from '../../web/figures/words.js';

/** A reader's choices in an interactive figure, without a page. */

const makePointsOfValues = (...pointValues: number[]) =>
  pointValues.map((y, i) => ({ x: i + 1, y, low: y - 1, high: y + 1 }));

const view = {
  measure: 'mean wait',
  y: { title: 'mean wait', unit: 's' },
  panels: [
    {
      title: '',
      series: [
        { name: 'best-fit', points: makePointsOfValues(2, 4, 6, 8) },
        { name: 'si', points: makePointsOfValues(3, 5, 7, 9) },
      ],
    },
  ],
};
const difference = {
  measure: 'mean wait',
  baseline: 'best-fit',
  y: { title: 'mean wait, difference to best-fit', unit: 's' },
  panels: [{ title: '', series: [{ name: 'si', points: makePointsOfValues(1, 1, -1, 1) }] }],
};
const figure: Figure = {
  id: 'f',
  title: 'Mean wait',
  caption: '',
  kind: 'line',
  x: { title: 'load' },
  y: view.y,
  panels: view.panels,
  views: [view, difference],
};
const choice = { view, hidden: new Set<string>(), scale: 'linear' as const };

test('a figure without views gets one', () => {
  const { views: _, ...plain } = figure;
  expect(listViewsOfFigure(plain)).toEqual([{ measure: 'mean wait', y: view.y, panels: view.panels }]);
});

test('hiding a series, or a baseline, does not change the looks of others', () => {
  const looks = makeFigureSeriesLooks(figure);
  const figureWithHiddenSeries = applyFigureSettings(figure, { ...choice, hidden: new Set(['best-fit']) });
  expect(new Set(plotPointsOfPanel(figureWithHiddenSeries, 0).map(({ series }) => series))).toEqual(
    new Set(['si']),
  );
  expect(makeFigureSeriesLooks(figureWithHiddenSeries)).toEqual(looks);
  expect(makeFigureSeriesLooks(applyFigureSettings(figure, { ...choice, view: difference }))).toEqual(looks);
});

test('a part of the axis keeps the next points beyond its ends, to which lines continue', () => {
  const shownFigure = applyFigureSettings(figure, { ...choice, range: [2.5, 2.9] });
  expect(shownFigure.panels[0].series[0].points.map(({ x }) => x)).toEqual([2, 3]);
  expect(shownFigure.x.range).toEqual([2.5, 2.9]);
});

test('logarithmic axes are for values above 0, parts for numbers', () => {
  expect([view, difference].map(canAxisBeLogarithmic)).toEqual([true, false]);
  expect(sortXValuesOfFigure(figure)).toEqual([1, 2, 3, 4]);
  expect(sortXValuesOfFigure({ ...figure, kind: 'bar' })).toEqual([]);
});

test('a point shows where it belongs, its value and its bounds', () => {
  const [plotPoint] = plotPointsOfPanel(applyFigureSettings(figure, choice), 0);
  expect(describePointInLines(figure, plotPoint).map((line) => line.join(': '))).toEqual([
    'load: 1',
    'mean wait: 2 s',
    'from, to: 1 s, 3 s',
  ]);
});
