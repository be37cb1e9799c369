/** What a figure says of a point. */

import type { PlotRow } from '../../host/draw/rows.js';
import type { Figure, FigureAxis } from '../../host/draw/types.js';
import { type NumberFormat, valueText } from '../../host/format/numbers.js';

const DEFAULT: NumberFormat = { style: 'measure' };

function numberText(value: number | string, { format, unit }: FigureAxis): string {
  if (typeof value === 'string') return value;
  return `${valueText(value, format ?? DEFAULT)}${unit === undefined ? '' : ` ${unit}`}`;
}

/** A name and what belongs to it. */
export type Line = readonly [name: string, value: string];

/** The lines that tell a point: where it stands, its value, its bounds. */
export function pointLines({ x, y }: Figure, row: PlotRow): Line[] {
  const lines: Line[] = [
    [x.title, x.ticks?.find(({ value }) => value === row.x)?.label ?? numberText(row.x, x)],
  ];
  if (row.y !== null) lines.push([y.title, numberText(row.y, y)]);
  if (row.low !== undefined && row.high !== undefined)
    lines.push(['from, to', `${numberText(row.low, y)}, ${numberText(row.high, y)}`]);
  return lines;
}
