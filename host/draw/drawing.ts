/** Drawings of all kinds, for reports, files and live pages. */
import { LABEL_SIZE } from './axes.js';
import { figureSvg } from './figure.js';
import type { Figure } from './figureModel.js';
import { type DifferenceData, drawDifference, drawGantt, type GanttData } from './gantt.js';
import { hasAllBands } from './lineFigure.js';
import { drawOccupancy, type OccupancyData } from './occupancy.js';
import type { LiveView } from './timeChart.js';

/** The class of the scripts of a page that hold the data of its drawings. */
export const DATA_CLASS = 'figure-data';

/** The class of the element that holds the values behind a drawing. */
export const VALUES_CLASS = 'values';

/** A drawing of all sites over time. */
export type TimeDrawing = GanttData | OccupancyData | DifferenceData;

/** Drawing as data that can be stored as JSON. */
export type Drawing = Figure | TimeDrawing;

/** True if a page shows a band only for the line pointed at, and a file shows none. */
export function hidesBands(drawing: Drawing): boolean {
  return 'panels' in drawing && drawing.kind === 'line' && !hasAllBands(drawing);
}

/** The data of a drawing as a page carries it: panels of views that are those of the figure itself only once. */
export function writeDrawing(drawing: Drawing): string {
  if (!('panels' in drawing) || drawing.views === undefined) return JSON.stringify(drawing);
  const own = JSON.stringify(drawing.panels);
  const views = drawing.views.map(({ panels, ...view }) =>
    JSON.stringify(panels) === own ? view : { ...view, panels },
  );
  return JSON.stringify({ ...drawing, views });
}

/** Reads what `writeDrawing` has written. */
export function readDrawing(json: string): Drawing {
  const drawing = JSON.parse(json) as Drawing;
  if (!('panels' in drawing) || drawing.views === undefined) return drawing;
  const { panels, views } = drawing;
  return { ...drawing, views: views.map((view) => ({ ...view, panels: view.panels ?? panels })) };
}

/**
 * Draws all sites over time as SVG, or the part of it that a page asks for.
 * @param paperWidth pixels across of a drawing that is no page's.
 */
export function timeDrawingSvg(data: TimeDrawing, view?: LiveView, paperWidth?: number): string {
  if (data.kind === 'gantt') return drawGantt(data, view, paperWidth);
  return data.kind === 'occupancy'
    ? drawOccupancy(data, view, paperWidth)
    : drawDifference(data, view, paperWidth);
}

/** Draws a figure or a time drawing as SVG. */
export function drawingSvg(drawing: Drawing): string {
  return 'panels' in drawing ? figureSvg(drawing) : timeDrawingSvg(drawing);
}

/** Pixels of an inch of a drawing in a PDF, in which labels are 8 pt. */
const INCH = (72 / 8) * LABEL_SIZE;
/** Inches across of drawings for one column of a paper with two and for its page, and the most inches of their height. */
const [COLUMN_INCHES, PAGE_INCHES, MAX_INCHES] = [3.4, 7, 7.5];

/** Drawings for papers, as SVG: as wide as a page, and as a column where that is no higher than a page. */
export interface PaperDrawings {
  readonly page: string;
  readonly column?: string;
}

/** Draws it for papers: 7 inches and 3.4 inches wide, with labels in type of 8 pt. */
export function paperDrawings(drawing: Drawing): PaperDrawings {
  const drawnIn = (inches: number) => {
    const [width, height] = [Math.floor(inches * INCH), Math.floor(MAX_INCHES * INCH)];
    return 'panels' in drawing
      ? figureSvg(drawing, undefined, width, height)
      : timeDrawingSvg(drawing, undefined, width);
  };
  const column = drawnIn(COLUMN_INCHES);
  const [, height] = /^<svg [^>]*?height="([\d.]+)"/.exec(column) ?? [];
  return { page: drawnIn(PAGE_INCHES), ...(Number(height) <= MAX_INCHES * INCH ? { column } : {}) };
}

/** Pixels across of a drawing for narrow screens and paper. */
const NARROW_WIDTH = 360;

/** Draws it as SVG for narrow screens and paper, with ids of its own, so that it can be beside the other in one page. */
export function narrowSvg(drawing: Drawing): string {
  const named = (id: string) => `${id}-narrow`;
  if ('panels' in drawing) return figureSvg({ ...drawing, id: named(drawing.id) }, undefined, NARROW_WIDTH);
  const words = { ...drawing.words, id: named(drawing.words.id) };
  return timeDrawingSvg({ ...drawing, words }, undefined, NARROW_WIDTH);
}
