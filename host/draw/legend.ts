/** The legend of a figure: samples of lines with their markers, and the names behind them, in lines of text. */

import { INK, type NamedLooks, type SeriesLook } from './palette.js';
import { hasBars, isGrouped } from './rows.js';
import { textWidth } from './svg.js';
import type { Figure, Spec } from './types.js';

const WIDTH = 720;
const ROW = 18;
const FONT_SIZE = 11.5;
/** Length of a sample, where the name begins behind it, and from a name to the next sample. */
const SAMPLE = 30;
const NAME = 36;
const GAP = 18;

interface Place {
  readonly left: number;
  readonly row: number;
}

/** Where entries of such widths stand: one behind the other, in as many rows as it takes; and the width of all. */
export function placeEntries(
  widths: readonly number[],
  gap: number,
  most: number,
): { places: Place[]; width: number; rows: number } {
  const places: Place[] = [];
  let [left, row, width] = [0, 0, 0];
  for (const own of widths) {
    if (left > 0 && left + own > most) {
      left = 0;
      row++;
    }
    places.push({ left, row });
    width = Math.max(width, left + own);
    left += own + gap;
  }
  return { places, width, rows: widths.length === 0 ? 0 : row + 1 };
}

/** The legend as a view of vega-lite. */
export function legendSpec({ names, looks }: NamedLooks, figure: Figure): Spec {
  const widths = names.map((name) => NAME + textWidth(name, FONT_SIZE));
  const { places, width, rows } = placeEntries(widths, GAP, WIDTH);
  return {
    width: Math.ceil(width),
    height: rows * ROW,
    view: { stroke: null },
    layer: names.flatMap((name, index) => entryLayers(name, looks[index], places[index], figure)),
  };
}

function entryLayers(
  name: string,
  { color, marker, dash }: SeriesLook,
  { left, row }: Place,
  figure: Figure,
): Spec[] {
  const y = (row + 0.5) * ROW;
  const layer = (x: number, mark: Spec, encoding: Spec = {}) => ({
    data: { values: [{}] },
    mark,
    encoding: { x: { value: x }, y: { value: y }, ...encoding },
  });
  const line = layer(
    left,
    { type: 'rule', color, strokeDash: dash, strokeWidth: 1.6 },
    { x2: { value: left + SAMPLE } },
  );
  const point = { type: 'point', filled: true, color, opacity: 1, shape: marker, size: 36 };
  const square = { ...point, shape: 'square', size: 130 };
  const sample = isGrouped(figure)
    ? layer(left + SAMPLE - 6, hasBars(figure) ? square : point)
    : layer(left + SAMPLE / 2, point);
  const text = {
    type: 'text',
    text: name,
    align: 'left',
    baseline: 'middle',
    fontSize: FONT_SIZE,
    color: INK,
  };
  return [
    ...(isGrouped(figure) ? [] : [line]),
    ...(figure.kind === 'step' ? [] : [sample]),
    layer(left + NAME, text),
  ];
}
