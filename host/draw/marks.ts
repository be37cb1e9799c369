/** Parts shared by all kinds of figures: markers, dashes, tooltips, and the format of ticks. */
import {
  type SymbolType,
  symbol,
  symbolCircle,
  symbolCross,
  symbolDiamond2,
  symbolSquare,
  symbolTriangle,
} from 'd3-shape';
import { LONG_TIME } from '../format/numbers.js';
import { extremesOf } from '../lists.js';
import { durationTicks, type NumberScale, numberTicks, type Tick } from './axes.js';
import type { FigureAxis, PlotRow } from './figureModel.js';
import type { Marker, SeriesLook } from './palette.js';
import { coordinate, escapeMarkup } from './svg.js';

/** Options of a page that draws a figure: marks have tooltips, and the page draws the legend. */
export interface PageView {
  /** Pixels across. */
  readonly width: number;
  /** Tooltip of a mark. */
  readonly storyOf: (row: PlotRow) => string;
}

/** Numbers of at least this size are written in thousands: `20k`. */
const LARGE = 20_000;

/** The decimals needed to distinguish about five ticks between the least and the largest share. */
function percentDecimals(values: readonly number[]): number {
  const [least, most] = extremesOf(values);
  if (!(most > least)) return 0;
  return Math.max(0, Math.ceil(-Math.log10((most - least) / 5)) - 2);
}

/** Format of the ticks of an axis with these values, as a d3-format specifier. */
export function tickFormat(values: readonly number[], { format }: FigureAxis): string {
  const sign = format?.isSigned ? '+' : '';
  if (format?.style === 'percent') return `${sign},.${format.decimals ?? percentDecimals(values)}%`;
  if (format?.style === 'fixed') return `${sign},.${format.decimals ?? 0}f`;
  return values.some((value) => Math.abs(value) >= LARGE) ? '~s' : ',.6~r';
}

/** True if the values of an axis are lengths of time that say more in minutes, hours and days than in seconds. */
export function isInTime(values: readonly number[], { unit, format }: FigureAxis): boolean {
  return unit === 's' && format === undefined && values.some((value) => Math.abs(value) >= LONG_TIME);
}

/**
 * About this many ticks of an axis of values, and the unit that its title names.
 * @param values all that are on the axis, in all panels.
 */
export function valueTicks(
  place: NumberScale,
  count: number,
  values: readonly number[],
  axis: FigureAxis,
): { readonly ticks: readonly Tick[]; readonly unit: string | undefined } {
  const times = isInTime(values, axis) ? durationTicks(place, count, axis.scale === 'log') : [];
  return times.length > 1
    ? { ticks: times, unit: undefined }
    : { ticks: numberTicks(place, count, tickFormat(values, axis)), unit: axis.unit };
}

/** Shapes of markers, and how far they are turned. */
const SHAPES: Readonly<Record<Marker, readonly [SymbolType, number]>> = {
  circle: [symbolCircle, 0],
  square: [symbolSquare, 0],
  'triangle-up': [symbolTriangle, 0],
  diamond: [symbolDiamond2, 0],
  'triangle-down': [symbolTriangle, 180],
  cross: [symbolCross, 0],
  'triangle-right': [symbolTriangle, 90],
  'triangle-left': [symbolTriangle, -90],
};

const FRACTION = /-?\d+\.\d{3,}/g;

/** A marker of this many square pixels at a place. */
export function markerAt(
  x: number,
  y: number,
  { marker, color }: SeriesLook,
  size: number,
  attributes = '',
): string {
  const [shape, angle] = SHAPES[marker];
  const d = (symbol(shape, size)() ?? '').replaceAll(FRACTION, (number) => coordinate(Number(number)));
  const turned = angle === 0 ? '' : ` rotate(${angle})`;
  return `<path class="marker" d="${d}" fill="${color}" transform="translate(${coordinate(x)},${coordinate(y)})${turned}"${attributes}/>`;
}

/** The dashes of a line, as an attribute. */
export const dashOf = ({ dash }: SeriesLook) =>
  dash[1] === 0 ? '' : ` stroke-dasharray="${dash.join(' ')}"`;

/** Tooltip of a mark, as an attribute for the page. */
export const storyOf = (row: PlotRow, view: PageView | undefined) =>
  view === undefined ? '' : ` data-story="${escapeMarkup(view.storyOf(row))}"`;
