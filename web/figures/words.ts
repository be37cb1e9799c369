/** Descriptions of a figure's points. */

import { formatTimeInWords } from '../../host/draw/axes.js';
import type { Figure, FigureAxis, FigurePoint, PlotPoint } from '../../host/draw/figureModel.js';
import { isShownInTimeUnits } from '../../host/draw/marks.js';
import { formatValue, type NumberFormat } from '../../host/format/numbers.js';

const DEFAULT_AXIS_NUMBER_FORMAT: NumberFormat = { style: 'measure' };

function formatNumberOfAxis(axisValue: number | string, axis: FigureAxis): string {
  const { format, unit: axisUnit } = axis;
  if (typeof axisValue === 'string') return axisValue;
  if (isShownInTimeUnits([axisValue], axis)) return formatValue(axisValue, { style: 'duration' });
  return `${formatValue(axisValue, format ?? DEFAULT_AXIS_NUMBER_FORMAT)}${axisUnit === undefined ? '' : ` ${axisUnit}`}`;
}

/** Line of a tooltip: name and value. */
export type TooltipLine = readonly [name: string, value: string];

/** Describes a position on the x axis. */
export function describeXValue(xValue: number | string, axis: FigureAxis): string {
  if (axis.time !== undefined && typeof xValue === 'number')
    return formatTimeInWords(xValue, axis.time.beginning);
  return axis.ticks?.find(({ value }) => value === xValue)?.label ?? formatNumberOfAxis(xValue, axis);
}

/** Formats a value, with its confidence limits if it has any. */
export function formatValueLine(seriesName: string, figurePoint: FigurePoint, axis: FigureAxis): TooltipLine {
  if (figurePoint.y === null) return [seriesName, '-'];
  const valueText = formatNumberOfAxis(figurePoint.y, axis);
  if (figurePoint.low === undefined || figurePoint.high === undefined || figurePoint.low === figurePoint.high)
    return [seriesName, valueText];
  return [
    seriesName,
    `${valueText} (${formatNumberOfAxis(figurePoint.low, axis)} to ${formatNumberOfAxis(figurePoint.high, axis)})`,
  ];
}

/** Describes a point in lines: position, value, limits. */
export function describePointInLines({ x, y }: Figure, plotPoint: PlotPoint): TooltipLine[] {
  const lines: TooltipLine[] = [[x.title, describeXValue(plotPoint.x, x)]];
  if (plotPoint.y !== null) lines.push([y.title, formatNumberOfAxis(plotPoint.y, y)]);
  if (plotPoint.low !== undefined && plotPoint.high !== undefined)
    lines.push([
      'from, to',
      `${formatNumberOfAxis(plotPoint.low, y)}, ${formatNumberOfAxis(plotPoint.high, y)}`,
    ]);
  return lines;
}

/** Joins a title and lines into the text of a mark; a tab separates name and value. */
export function formatMarkText(title: string, lines: readonly TooltipLine[]): string {
  return [title, ...lines.map((line) => line.join('\t'))].join('\n');
}
