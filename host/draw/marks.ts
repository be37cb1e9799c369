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
import { LONG_DURATION_SECONDS } from '../format/numbers.js';
import { minAndMax } from '../lists.js';
import { type AxisTick, makeDurationTicks, makeNumberTicks, type NumberScale } from './axes.js';
import type { FigureAxis, PlotPoint } from './figureModel.js';
import type { SeriesLook, SeriesMarker } from './palette.js';
import { escapeMarkup, formatSvgCoordinate } from './svg.js';

/** Options of a page that draws a figure itself: marks get tooltips, and the page draws the legend. */
export interface InteractivePageView {
  /** Width in pixels. */
  readonly width: number;
  /** Returns the tooltip text of a mark. */
  readonly tooltipOf: (plotPoint: PlotPoint) => string;
}

/** Axis values from this size on are written in thousands, such as `20k`. */
const MIN_VALUE_IN_THOUSANDS = 20_000;

/** Number of decimals with which about five ticks between the smallest and largest percentage differ. */
function choosePercentDecimalCount(shares: readonly number[]): number {
  const [least, most] = minAndMax(shares);
  if (!(most > least)) return 0;
  return Math.max(0, Math.ceil(-Math.log10((most - least) / 5)) - 2);
}

/** d3-format specifier for the ticks of an axis with these values. */
export function chooseAxisTickFormat(tickValues: readonly number[], { format }: FigureAxis): string {
  const plusSign = format?.isSigned ? '+' : '';
  if (format?.style === 'percent')
    return `${plusSign},.${format.decimals ?? choosePercentDecimalCount(tickValues)}%`;
  if (format?.style === 'fixed') return `${plusSign},.${format.decimals ?? 0}f`;
  return tickValues.some((value) => Math.abs(value) >= MIN_VALUE_IN_THOUSANDS) ? '~s' : ',.6~r';
}

/** True if an axis shows durations that are easier to read in minutes, hours and days than in seconds. */
export function isShownInTimeUnits(
  axisValues: readonly number[],
  { unit: axisUnit, format }: FigureAxis,
): boolean {
  return (
    axisUnit === 's' &&
    format === undefined &&
    axisValues.some((value) => Math.abs(value) >= LONG_DURATION_SECONDS)
  );
}

/**
 * Ticks of a value axis, approximately `tickCount`, and the unit for its title.
 * @param values all values on the axis, in all panels.
 */
export function valueAxisTicks(
  scale: NumberScale,
  tickCount: number,
  values: readonly number[],
  axis: FigureAxis,
): { readonly ticks: readonly AxisTick[]; readonly unit: string | undefined } {
  const timeTicks = isShownInTimeUnits(values, axis)
    ? makeDurationTicks(scale, tickCount, axis.scale === 'log')
    : [];
  return timeTicks.length > 1
    ? { ticks: timeTicks, unit: undefined }
    : { ticks: makeNumberTicks(scale, tickCount, chooseAxisTickFormat(values, axis)), unit: axis.unit };
}

/** d3 symbol of each marker, with its rotation in degrees. */
const MARKER_SHAPES: Readonly<Record<SeriesMarker, readonly [SymbolType, number]>> = {
  circle: [symbolCircle, 0],
  square: [symbolSquare, 0],
  'triangle-up': [symbolTriangle, 0],
  diamond: [symbolDiamond2, 0],
  'triangle-down': [symbolTriangle, 180],
  cross: [symbolCross, 0],
  'triangle-right': [symbolTriangle, 90],
  'triangle-left': [symbolTriangle, -90],
};

const LONG_FRACTION_PATTERN = /-?\d+\.\d{3,}/g;

/** SVG of a marker at a position, of an area given in square pixels. */
export function drawMarker(
  x: number,
  y: number,
  { marker, color: seriesColor }: SeriesLook,
  markerSize: number,
  attributesText = '',
): string {
  const [symbolType, angle] = MARKER_SHAPES[marker];
  const d = (symbol(symbolType, markerSize)() ?? '').replaceAll(LONG_FRACTION_PATTERN, (numberText) =>
    formatSvgCoordinate(Number(numberText)),
  );
  const rotationTransform = angle === 0 ? '' : ` rotate(${angle})`;
  return `<path class="marker" d="${d}" fill="${seriesColor}" transform="translate(${formatSvgCoordinate(x)},${formatSvgCoordinate(y)})${rotationTransform}"${attributesText}/>`;
}

/** SVG attribute of a line's dashes; empty for a solid line. */
export const formatDashAttribute = ({ dash }: SeriesLook) =>
  dash[1] === 0 ? '' : ` stroke-dasharray="${dash.join(' ')}"`;

/** SVG attribute that holds the tooltip text of a mark; empty outside pages. */
export const formatTooltipAttribute = (plotPoint: PlotPoint, pageView: InteractivePageView | undefined) =>
  pageView === undefined ? '' : ` data-story="${escapeMarkup(pageView.tooltipOf(plotPoint))}"`;
