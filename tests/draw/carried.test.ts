import { expect, test } from 'vitest';
import { parseDrawing, serializeDrawing } from '../../host/draw/drawing.js';
import type { Figure, FigurePanel } from '../../host/draw/figureModel.js';

const axisOfWaits = { title: 'wait', unit: 's' };
const panels: readonly FigurePanel[] = [{ title: '', series: [{ name: 'a', points: [{ x: 1, y: 12345 }] }] }];
const panelsToCarry: readonly FigurePanel[] = [
  { title: '', series: [{ name: 'a', points: [{ x: 1, y: 678 }] }] },
];
const figure: Figure = {
  ...{ id: 'waits', title: 'Waits', caption: '', kind: 'line', x: { title: 'load' }, y: axisOfWaits, panels },
  views: [
    { measure: 'mean', y: axisOfWaits, panels: structuredClone(panels) },
    { measure: 'median', y: axisOfWaits, panels: panelsToCarry },
  ],
};

test('a page carries the values of a figure once, and reads all of its views from them', () => {
  const serializedFigure = serializeDrawing(figure);
  expect(serializedFigure.split('12345')).toHaveLength(2);
  expect(parseDrawing(serializedFigure)).toEqual(figure);
  const { views: _, ...plain } = figure;
  expect(parseDrawing(serializeDrawing(plain))).toEqual(plain);
});
