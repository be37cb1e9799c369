/** Whatever is drawn: in a report, in a file, and live on a page by the same code. */
import { figureSvg } from './figure.js';
import type { Figure } from './figureModel.js';
import { type DifferenceData, drawDifference, drawGantt, type GanttData } from './gantt.js';
import { drawOccupancy, type OccupancyData } from './occupancy.js';
import type { LiveView } from './timeChart.js';

/** The class of the scripts of a page that hold the data of its drawings. */
export const DATA_CLASS = 'figure-data';

/** The class of the element that holds the values behind a drawing. */
export const VALUES_CLASS = 'values';

/** A drawing of all sites over time. */
export type TimeDrawing = GanttData | OccupancyData | DifferenceData;

/** What is drawn, as data that survives JSON. */
export type Drawing = Figure | TimeDrawing;

/** Draws all sites over time as SVG, or the part of it that a page asks for. */
export function timeDrawingSvg(data: TimeDrawing, view?: LiveView): string {
  if (data.kind === 'gantt') return drawGantt(data, view);
  return data.kind === 'occupancy' ? drawOccupancy(data, view) : drawDifference(data, view);
}

/** Draws whatever it is as SVG. */
export function drawingSvg(drawing: Drawing): string {
  return 'panels' in drawing ? figureSvg(drawing) : timeDrawingSvg(drawing);
}
