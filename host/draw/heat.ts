/** Heat maps: one row per series, one column per x value, values as shades, and a colour key below. */
import {
  breakAxisTitle,
  drawHorizontalAxis,
  FAINT_LINE_SVG_ATTRIBUTES,
  horizontalAxisHeight,
  LABEL_FONT_SIZE,
  numberScale,
  svgTextElement,
} from './axes.js';
import { type Figure, plotPointsOfPanel, type SeriesLooksByName, scalePointsOfPanel } from './figureModel.js';
import { formatTooltipAttribute, type InteractivePageView, valueAxisTicks } from './marks.js';
import { TEXT_COLOR } from './palette.js';
import { estimateTextWidth, formatSvgCoordinate } from './svg.js';

/** Heights in pixels of a row on wide pages, of a row on narrow pages, and of the colour key. */
const [ROW_HEIGHT, NARROW_ROW_HEIGHT, KEY_HEIGHT] = [24, 18, 9];
/**
 * Distances in pixels: between row names and map, between cells, above a panel with and without a title,
 * below a panel, and around the drawing.
 */
const [NAME_GAP, CELL_GAP, TITLED_TOP, UNTITLED_TOP, PANEL_GAP, PADDING] = [8, 1, 22, 6, 12, 5];
/**
 * Opacity of the smallest value (above 0, so that its cell differs from an empty one), and number of shades
 * in the colour key.
 */
const [MIN_SHADE, KEY_SHADES] = [0.06, 48];

/** Opacity of a heat map cell; `valueShare` is 0 for the smallest value and 1 for the largest. */
const computeCellOpacity = (valueShare: number) =>
  formatSvgCoordinate(MIN_SHADE + (1 - MIN_SHADE) * valueShare);

/** Layout of a heat map in pixels, equal in all panels: left edge, cell width and row height. */
interface HeatMapLayout {
  readonly left: number;
  readonly cellWidth: number;
  readonly rowHeight: number;
}

/** SVG of a heat map panel from a given height on: row names, cells, axis and colour key. */
function drawHeatMapPanel(
  figure: Figure,
  index: number,
  { left, cellWidth, rowHeight }: HeatMapLayout,
  top: number,
  { names, looks }: SeriesLooksByName,
  pageView?: InteractivePageView,
): { readonly markup: string; readonly height: number } {
  const { x, y, panels } = figure;
  const plotPoints = plotPointsOfPanel(figure, index);
  const columns = [...new Set(plotPoints.map((point) => point.x))];
  const values = scalePointsOfPanel(figure, index).flatMap((point) => point.y ?? []);
  const [width, height] = [cellWidth * columns.length, rowHeight * names.length];
  const isLogarithmic = y.scale === 'log';
  const scale = numberScale(values, [0, width], { isLog: isLogarithmic, isNice: !isLogarithmic });
  const color = looks[0]?.color ?? TEXT_COLOR;
  const cells = plotPoints.map((point) => {
    if (point.y === null) return '';
    const [column, row] = [columns.indexOf(point.x), names.indexOf(point.series)];
    const [size, shade] = [
      [cellWidth - CELL_GAP, rowHeight - CELL_GAP],
      computeCellOpacity(scale(point.y) / width),
    ] as const;
    return `<rect class="cell" x="${cellWidth * column}" y="${rowHeight * row}" width="${size[0]}" height="${size[1]}" fill="${color}" fill-opacity="${shade}"${formatTooltipAttribute(point, pageView)}/>`;
  });
  const labels = names.map((name, i) => svgTextElement(-NAME_GAP, rowHeight * (i + 0.5) + 3.5, name, 'end'));
  const axisEnds = [-left, width + PADDING] as const;
  const breakTitleIntoLines = (title: string, unit?: string) => breakAxisTitle(title, unit, width);
  const columnAxis = {
    ticks: columns.map((columnValue, i) => ({ value: i, label: String(columnValue) })),
    toPixel: (i: number) => cellWidth * (i + 0.5),
    title: breakTitleIntoLines(x.title, x.unit),
  };
  const keyTop = height + horizontalAxisHeight(columnAxis.title.length) + NAME_GAP;
  const { ticks, unit } = valueAxisTicks(scale, Math.max(2, Math.round(width / 90)), scale.domain(), y);
  const keyAxis = { ticks, toPixel: scale, title: breakTitleIntoLines(y.title, unit) };
  const step = width / KEY_SHADES;
  const shades = Array.from(
    { length: KEY_SHADES },
    (_, i) =>
      `<rect x="${formatSvgCoordinate(step * i)}" y="${keyTop}" width="${formatSvgCoordinate(step)}" height="${KEY_HEIGHT}" fill="${color}" fill-opacity="${computeCellOpacity(i / (KEY_SHADES - 1))}"/>`,
  );
  const heading = panels[index]!.title;
  const titleHeight = heading === '' ? UNTITLED_TOP : TITLED_TOP;
  const frame = { left: 0, right: width, ends: axisEnds };
  const markup =
    `<g transform="translate(${left},${formatSvgCoordinate(top + titleHeight)})" fill="${TEXT_COLOR}">` +
    (heading === ''
      ? ''
      : svgTextElement(0, -8, heading, 'start', ' font-size="11.5px" font-weight="bold"')) +
    labels.join('') +
    drawHorizontalAxis({ ...columnAxis, ...frame, bottom: height }) +
    `<g>${shades.join('')}</g>${drawHorizontalAxis({ ...keyAxis, ...frame, bottom: keyTop + KEY_HEIGHT })}` +
    `<g><rect class="plot-area" width="${width}" height="${height}" ${FAINT_LINE_SVG_ATTRIBUTES}/>${cells.join('')}</g></g>`;
  return {
    markup,
    height: titleHeight + keyTop + KEY_HEIGHT + horizontalAxisHeight(keyAxis.title.length),
  };
}

/**
 * SVG of a heat map without legend.
 * @param from top of the map in pixels.
 * @param pageWidth available width in pixels, which determines the cell width.
 */
export function drawHeatMap(
  figure: Figure,
  looks: SeriesLooksByName,
  from: number,
  pageWidth: number,
  isNarrow: boolean,
  pageView?: InteractivePageView,
): { readonly markup: string; readonly width: number; readonly height: number } {
  const columnCounts = figure.panels.map(
    (_, index) => new Set(plotPointsOfPanel(figure, index).map(({ x }) => x)).size,
  );
  const nameWidth = Math.ceil(
    Math.max(0, ...looks.names.map((rowName) => estimateTextWidth(rowName, LABEL_FONT_SIZE))),
  );
  const plotLeftEdge = PADDING + nameWidth + NAME_GAP;
  const cell = Math.max(
    CELL_GAP + 1,
    Math.floor((pageWidth - plotLeftEdge - 2 * PADDING) / Math.max(1, ...columnCounts)),
  );
  const layout = {
    left: plotLeftEdge,
    cellWidth: cell,
    rowHeight: isNarrow ? NARROW_ROW_HEIGHT : ROW_HEIGHT,
  };
  let top = from;
  const panelMarkups = figure.panels.map((_, index) => {
    const { markup, height } = drawHeatMapPanel(figure, index, layout, top, looks, pageView);
    top += height + PANEL_GAP;
    return markup;
  });
  return { markup: panelMarkups.join(''), width: pageWidth, height: top - PANEL_GAP + PADDING };
}
