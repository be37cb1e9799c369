/** Drawings of all kinds, for reports, files and live pages. */
import { LABEL_FONT_SIZE } from './axes.js';
import { drawFigureSvg } from './figure.js';
import type { Figure } from './figureModel.js';
import { type DifferenceData, drawDifference, drawGantt, type GanttData } from './gantt.js';
import { areAllIntervalBandsShown } from './lineFigure.js';
import { drawOccupancy, type OccupancyData } from './occupancy.js';
import type { LiveFigureOptions } from './timeChart.js';

/** CSS class of the script elements that hold the data of a page's drawings. */
export const FIGURE_DATA_CLASS = 'figure-data';

/** CSS class of the element that holds the table of a drawing's values. */
export const VALUES_TABLE_CLASS = 'values';

/** A drawing of all sites over time. */
export type TimeDrawing = GanttData | OccupancyData | DifferenceData;

/** Drawing as data that can be stored as JSON. */
export type Drawing = Figure | TimeDrawing;

/** True if a page shows an interval band only for the line under the pointer, and a file shows none. */
export function isBandShownOnHoverOnly(drawing: Drawing): boolean {
  return 'panels' in drawing && drawing.kind === 'line' && !areAllIntervalBandsShown(drawing);
}

/** Serializes a drawing as JSON for a page; panels that several views share are written once. */
export function serializeDrawing(drawing: Drawing): string {
  if (!('panels' in drawing) || drawing.views === undefined) return JSON.stringify(drawing);
  const panelsJson = JSON.stringify(drawing.panels);
  const views = drawing.views.map(({ panels, ...view }) =>
    JSON.stringify(panels) === panelsJson ? view : { ...view, panels },
  );
  return JSON.stringify({ ...drawing, views });
}

/** Parses the JSON of `serializeDrawing`. */
export function parseDrawing(json: string): Drawing {
  const drawing = JSON.parse(json) as Drawing;
  if (!('panels' in drawing) || drawing.views === undefined) return drawing;
  const { panels, views } = drawing;
  return {
    ...drawing,
    views: views.map((figureView) => ({ ...figureView, panels: figureView.panels ?? panels })),
  };
}

/**
 * Draws a Gantt, occupancy or difference chart as SVG, or the part of it that a page requests.
 * @param paperWidth width in pixels of a drawing outside a page.
 */
export function drawTimeDrawing(
  drawingData: TimeDrawing,
  figureOptions?: LiveFigureOptions,
  paperWidth?: number,
): string {
  if (drawingData.kind === 'gantt') return drawGantt(drawingData, figureOptions, paperWidth);
  return drawingData.kind === 'occupancy'
    ? drawOccupancy(drawingData, figureOptions, paperWidth)
    : drawDifference(drawingData, figureOptions, paperWidth);
}

/** Draws a figure or a time drawing as SVG. */
export function drawDrawingSvg(drawing: Drawing): string {
  return 'panels' in drawing ? drawFigureSvg(drawing) : drawTimeDrawing(drawing);
}

/** Pixels per inch in a PDF, chosen so that labels are 8 pt. */
const PIXELS_PER_INCH = (72 / 8) * LABEL_FONT_SIZE;
/**
 * Widths in inches of drawings for one column of a two-column paper and for a full page, and their largest
 * height in inches.
 */
const [COLUMN_INCHES, PAGE_INCHES, MAX_INCHES] = [3.4, 7, 7.5];

/**
 * SVG drawings for papers: one as wide as a page, and one as wide as a column unless it would be higher
 * than a page.
 */
export interface PaperDrawings {
  readonly page: string;
  readonly column?: string;
}

/** Draws a drawing for papers, 7 inches and 3.4 inches wide, with labels in 8 pt. */
export function drawForPapers(drawing: Drawing): PaperDrawings {
  const drawInInches = (inches: number) => {
    const [width, height] = [Math.floor(inches * PIXELS_PER_INCH), Math.floor(MAX_INCHES * PIXELS_PER_INCH)];
    return 'panels' in drawing
      ? drawFigureSvg(drawing, undefined, width, height)
      : drawTimeDrawing(drawing, undefined, width);
  };
  const column = drawInInches(COLUMN_INCHES);
  const [, height] = /^<svg [^>]*?height="([\d.]+)"/.exec(column) ?? [];
  return {
    page: drawInInches(PAGE_INCHES),
    ...(Number(height) <= MAX_INCHES * PIXELS_PER_INCH ? { column } : {}),
  };
}

/** Width in pixels of drawings for narrow screens and for print. */
const NARROW_PAGE_WIDTH = 360;

/**
 * Draws a drawing as SVG for narrow screens and print. Its ids differ from those of the wide version, so
 * that both can be in one page.
 */
export function drawNarrowSvg(drawing: Drawing): string {
  const makeNarrowId = (id: string) => `${id}-narrow`;
  if ('panels' in drawing)
    return drawFigureSvg({ ...drawing, id: makeNarrowId(drawing.id) }, undefined, NARROW_PAGE_WIDTH);
  const narrowPictureWords = { ...drawing.words, id: makeNarrowId(drawing.words.id) };
  return drawTimeDrawing({ ...drawing, words: narrowPictureWords }, undefined, NARROW_PAGE_WIDTH);
}
