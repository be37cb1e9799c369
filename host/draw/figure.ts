/**
 * Draws figures as SVG: small multiples in a grid with one legend. The output is byte-identical on every
 * machine, refers to no external resources, and uses the text colour of its page.
 */
import { type ScaleBand, scaleBand } from 'd3-scale';
import {
  type AxisTick,
  breakAxisTitle,
  computeVerticalAxisWidth,
  drawHorizontalAxis,
  drawHorizontalAxisTitle,
  drawLegend,
  drawVerticalAxis,
  FAINT_LINE_SVG_ATTRIBUTES,
  horizontalAxisHeight,
  LABEL_FONT_SIZE,
  type Legend,
  makeElapsedTimeTicks,
  type NumberScale,
  numberScale,
  svgTextElement,
} from './axes.js';
import { drawDotPlot } from './dots.js';
import {
  type Figure,
  hasBars,
  isGroupedFigure,
  makeFigureSeriesLooks,
  type PlotPoint,
  plotPointsOfPanel,
  type SeriesLooksByName,
} from './figureModel.js';
import { drawHeatMap } from './heat.js';
import {
  areAllIntervalBandsShown,
  computeLineNameColumnWidth,
  drawNamesAtLineEnds,
  drawPanelLines,
} from './lineFigure.js';
import {
  chooseAxisTickFormat,
  drawMarker,
  formatDashAttribute,
  formatTooltipAttribute,
  type InteractivePageView,
  isShownInTimeUnits,
  valueAxisTicks,
} from './marks.js';
import { FONT_FAMILY, type SeriesLook, TEXT_COLOR } from './palette.js';
import { estimateTextWidth, formatSvgCoordinate, makeSvgOpeningTag } from './svg.js';

/**
 * Layout of panels: number of columns, left margins, size of a panel in pixels, and width for line names at
 * the right.
 */
interface FigurePanelGrid {
  readonly columns: number;
  readonly lefts: readonly number[];
  readonly width: number;
  readonly height: number;
  readonly nameColumnWidth: number;
}

/** Width in pixels of a figure in a file, and smallest width in pixels of a column of panels. */
const [PAPER_WIDTH, MIN_COLUMN] = [760, 218];
/** Heights in pixels of panels in a figure with one, two, and more columns of panels. */
const FIGURE_PANEL_HEIGHTS = [260, 210, 160];
/** Page width in pixels below which panels are stacked, and the reduced panel height there. */
const [NARROW_WIDTH, NARROW_HEIGHT] = [520, 200];

/** Number of columns that fit the width, with rows as equal as possible. */
function chooseFigurePanelColumnCount(panelCount: number, pageWidth: number): number {
  const maxColumnCount = pageWidth < NARROW_WIDTH ? 1 : Math.max(1, Math.floor(pageWidth / MIN_COLUMN));
  return Math.ceil(panelCount / Math.ceil(panelCount / Math.min(panelCount, maxColumnCount)));
}

/**
 * Distances in pixels: around the drawing, between panel columns and rows, and above a panel with and
 * without a title.
 */
const [PADDING, COLUMN_GAP, ROW_GAP, TITLED_TOP, UNTITLED_TOP] = [5, 14, 8, 20, 8];
/** Largest number of distinct x values for which every value gets a tick. */
const MAX_AXIS_TICKS = 8;
/** Horizontal axis of a panel: numeric, or with categories in each of which the series are side by side. */
type HorizontalPanelAxis = { readonly title: readonly string[]; readonly height: number } & (
  | { readonly ticks: readonly AxisTick[]; readonly toPixel: NumberScale }
  | {
      readonly categoryScale: ScaleBand<string>;
      readonly barScale: ScaleBand<string>;
      readonly areLabelsHorizontal: boolean;
    }
);

interface VerticalPanelAxis {
  readonly toPixel: NumberScale;
  readonly ticks: readonly AxisTick[];
  readonly title: readonly string[];
}

/** Panel with its rows and axes. */
interface PlacedFigurePanel {
  readonly index: number;
  readonly rows: readonly PlotPoint[];
  readonly x: HorizontalPanelAxis;
  readonly y: VerticalPanelAxis;
}

function makeCategoryAxis(
  plotPoints: readonly PlotPoint[],
  seriesNames: readonly string[],
  title: readonly string[],
  width: number,
): HorizontalPanelAxis {
  const categoryScale = scaleBand(
    [...new Set(plotPoints.filter(({ y }) => y !== null).map(({ x }) => String(x)))],
    [0, width],
  );
  categoryScale.paddingInner(0.2).paddingOuter(0.1);
  const widths = categoryScale
    .domain()
    .map((categoryName) => estimateTextWidth(categoryName, LABEL_FONT_SIZE));
  const widestNameWidth = Math.max(0, ...widths);
  const areLabelsHorizontal = widestNameWidth <= categoryScale.step() - 4;
  const height = horizontalAxisHeight(
    title.length,
    areLabelsHorizontal ? undefined : Math.ceil(widestNameWidth) + 2,
  );
  return {
    categoryScale,
    barScale: scaleBand(seriesNames, [0, categoryScale.bandwidth()]),
    areLabelsHorizontal,
    title,
    height,
  };
}

function makeHorizontalPanelAxis(
  figure: Figure,
  plotPoints: readonly PlotPoint[],
  seriesNames: readonly string[],
  isTitleShown: boolean,
  width: number,
): HorizontalPanelAxis {
  const { x, kind: figureKind } = figure;
  const breakTitleIntoLines = (title: string, axisUnit: string | undefined) =>
    isTitleShown ? breakAxisTitle(title, axisUnit, width) : [];
  const xValues = plotPoints.flatMap((plotPoint) => (typeof plotPoint.x === 'number' ? [plotPoint.x] : []));
  if (figureKind === 'bar' || xValues.length < plotPoints.length)
    return makeCategoryAxis(plotPoints, seriesNames, breakTitleIntoLines(x.title, x.unit), width);
  const margin = figureKind === 'step' ? 0 : 8;
  const scale = numberScale(x.range ?? xValues, [0, width], {
    isLog: x.scale === 'log',
    margin: x.range ? 0 : margin,
  });
  if (x.time !== undefined && xValues.length > 0) {
    const [from, to] = scale.domain() as [number, number];
    const { ticks, title: axisTitle } = makeElapsedTimeTicks(
      from,
      to,
      x.time.beginning,
      Math.max(2, Math.round(width / 85)),
      x.time.since,
    );
    const lines = breakTitleIntoLines(axisTitle, x.unit);
    return { ticks, toPixel: scale, title: lines, height: horizontalAxisHeight(lines.length) };
  }
  const distinctValues = [...new Set(xValues)].sort((a, b) => a - b);
  const formatTick = scale.tickFormat(7, chooseAxisTickFormat(xValues, x));
  const { ticks: roundTicks, unit } = valueAxisTicks(scale, 7, xValues, x);
  const hasFewValues = distinctValues.length <= MAX_AXIS_TICKS && x.scale !== 'log' && x.range === undefined;
  const ticks =
    x.ticks?.filter(({ value }) => value >= scale.invert(0) && value <= scale.invert(width)) ??
    (hasFewValues
      ? distinctValues.map((distinctValue) => ({ value: distinctValue, label: formatTick(distinctValue) }))
      : roundTicks);
  const lines = breakTitleIntoLines(x.title, hasFewValues ? x.unit : unit);
  return { ticks, toPixel: scale, title: lines, height: horizontalAxisHeight(lines.length) };
}

/** Margin in pixels between the outermost points and the frame, enough for half a marker. */
const POINT_CLIP_MARGIN = 6;

/** Vertical axis of a panel. It starts at 0 for bars and steps, which readers compare by height. */
function makeVerticalPanelAxis(
  figure: Figure,
  panelIndex: number,
  height: number,
  isFirstColumn: boolean,
): VerticalPanelAxis {
  const { y, kind: figureKind, panels, sharesY } = figure;
  const isLogarithmic = y.scale === 'log';
  const areBoundsShown = figureKind !== 'line' || areAllIntervalBandsShown(figure);
  const valuesOf = (index: number) =>
    plotPointsOfPanel(figure, index)
      .flatMap((plotPoint) => (areBoundsShown ? [plotPoint.y, plotPoint.low, plotPoint.high] : [plotPoint.y]))
      .filter((value) => value != null)
      .filter((value) => !isLogarithmic || value > 0);
  const valuesOfAllPanels = panels.flatMap((_, index) => valuesOf(index));
  const axisValues = sharesY ? valuesOfAllPanels : valuesOf(panelIndex);
  const isStartingAtZero = !isLogarithmic && figureKind !== 'line';
  const scaleValues = isStartingAtZero ? [0, ...axisValues] : axisValues;
  const scale = numberScale(scaleValues, [height, 0], {
    isLog: isLogarithmic,
    margin: isStartingAtZero ? 0 : POINT_CLIP_MARGIN,
    isNice: true,
  });
  const hasSameUnit = isShownInTimeUnits(valuesOfAllPanels, y) === isShownInTimeUnits(axisValues, y);
  const { ticks, unit } = valueAxisTicks(scale, 5, hasSameUnit ? scaleValues : valuesOfAllPanels, y);
  return {
    toPixel: scale,
    ticks,
    title: isFirstColumn ? breakAxisTitle(y.title, unit, height) : [],
  };
}

/** SVG of bars with whiskers; points instead of bars on a logarithmic axis, which has no zero. */
function drawGroupedMarks(
  figure: Figure,
  { rows: panelRows, y: { toPixel: scale } }: PlacedFigurePanel,
  [categoryScale, barScale]: readonly [ScaleBand<string>, ScaleBand<string>],
  { names: seriesNames, looks }: SeriesLooksByName,
  pageView?: InteractivePageView,
): string {
  const areBarsDrawn = hasBars(figure);
  const whiskerPaths: string[] = [];
  const marks = panelRows.flatMap((plotPoint) => {
    const barLeftEdge = (categoryScale(String(plotPoint.x)) ?? 0) + (barScale(plotPoint.series) ?? 0);
    const middleX = barLeftEdge + barScale.bandwidth() / 2;
    if (plotPoint.low !== undefined && plotPoint.high !== undefined)
      whiskerPaths.push(
        `<line x1="${formatSvgCoordinate(middleX)}" x2="${formatSvgCoordinate(middleX)}" y1="${formatSvgCoordinate(scale(plotPoint.low))}" y2="${formatSvgCoordinate(scale(plotPoint.high))}" stroke="${TEXT_COLOR}"/>`,
      );
    if (plotPoint.y === null) return [];
    const seriesLook = looks[seriesNames.indexOf(plotPoint.series)] as SeriesLook;
    const tooltipAttribute = formatTooltipAttribute(plotPoint, pageView);
    if (!areBarsDrawn) return [drawMarker(middleX, scale(plotPoint.y), seriesLook, 45, tooltipAttribute)];
    const [top, baseline] = [scale(plotPoint.y), scale(0)].sort((a, b) => a - b) as [number, number];
    const [w, h] = [barScale.bandwidth(), baseline - top].map(formatSvgCoordinate);
    return [
      `<rect class="bar" x="${formatSvgCoordinate(barLeftEdge)}" y="${formatSvgCoordinate(top)}" width="${w}" height="${h}" fill="${seriesLook.color}" stroke="${TEXT_COLOR}" stroke-width="0.4"${tooltipAttribute}/>`,
    ];
  });
  return areBarsDrawn ? marks.join('') + whiskerPaths.join('') : whiskerPaths.join('') + marks.join('');
}

/** SVG of category names below a panel, vertical if they are too long to be side by side. */
function drawCategoryLabels(
  categoryScale: ScaleBand<string>,
  areLabelsHorizontal: boolean,
  height: number,
): string {
  return categoryScale
    .domain()
    .map((categoryName) => {
      const middleX = (categoryScale(categoryName) ?? 0) + categoryScale.bandwidth() / 2;
      if (areLabelsHorizontal) return svgTextElement(middleX, height + 15, categoryName, 'middle');
      const rotatedTransform = ` transform="translate(${formatSvgCoordinate(middleX + 3.5)},${formatSvgCoordinate(height + 6)}) rotate(-90)"`;
      return svgTextElement(0, 0, categoryName, 'end', rotatedTransform);
    })
    .join('');
}

/** SVG of a panel at its position: axes, frame, marks and title. */
function drawFigurePanel(
  figure: Figure,
  panel: PlacedFigurePanel,
  { width, height, nameColumnWidth }: FigurePanelGrid,
  [left, top]: readonly [number, number],
  looks: SeriesLooksByName,
  pageView?: InteractivePageView,
): string {
  const { x, y, rows: panelRows, index: panelIndex } = panel;
  const horizontalAxisPart =
    'categoryScale' in x
      ? drawCategoryLabels(x.categoryScale, x.areLabelsHorizontal, height) +
        drawHorizontalAxisTitle(
          x.title,
          width / 2,
          height + x.height - horizontalAxisHeight(x.title.length, 0) + 4,
        )
      : drawHorizontalAxis({
          ...x,
          left: 0,
          right: width,
          bottom: height,
          ends: [-COLUMN_GAP / 2, width + COLUMN_GAP / 2],
        });
  const verticalAxisPart = drawVerticalAxis({ ...y, left: 0, right: width, top: 0, bottom: height });
  const isPartOfRangeShown =
    figure.x.range !== undefined || (pageView !== undefined && !areAllIntervalBandsShown(figure));
  const clipPathId = `clip-${panelIndex}-${figure.id}`;
  const marks =
    'categoryScale' in x
      ? drawGroupedMarks(figure, panel, [x.categoryScale, x.barScale], looks, pageView)
      : drawPanelLines(figure, panelRows, [x.toPixel, y.toPixel], looks, pageView);
  const names =
    nameColumnWidth === 0 || 'categoryScale' in x
      ? ''
      : drawNamesAtLineEnds(panelRows, [x.toPixel, y.toPixel], looks, [width, height]);
  const domainAttribute =
    'categoryScale' in x || pageView === undefined ? '' : ` data-domain="${x.toPixel.domain().join(' ')}"`;
  const { title: panelTitle } = figure.panels[panelIndex] as Figure['panels'][number];
  const clipPathMarkup = isPartOfRangeShown
    ? `<clipPath id="${clipPathId}"><rect y="${-POINT_CLIP_MARGIN}" width="${width}" height="${height + 2 * POINT_CLIP_MARGIN}"/></clipPath><g clip-path="url(#${clipPathId})">${marks}</g>`
    : marks;
  return (
    `<g transform="translate(${formatSvgCoordinate(left)},${formatSvgCoordinate(top)})">` +
    `<g fill="${TEXT_COLOR}">${verticalAxisPart}${horizontalAxisPart}${panelTitle === '' ? '' : svgTextElement(0, -7, panelTitle, 'start', ' font-size="11.5px" font-weight="bold"')}</g>` +
    `<rect class="plot-area" width="${width}" height="${height}" ${FAINT_LINE_SVG_ATTRIBUTES}${domainAttribute}/>${names}${clipPathMarkup}</g>`
  );
}

/** Legend above the panels of a figure. */
function drawFigureLegend(
  figure: Figure,
  { names: seriesNames, looks }: SeriesLooksByName,
  width: number,
): Legend {
  const legendEntries = seriesNames.map((seriesName, i) => {
    const seriesLook = looks[i] as SeriesLook;
    const drawLine = (x: number, y: number) =>
      `<path d="M${x} ${y}h30" stroke="${seriesLook.color}" stroke-width="1.6"${formatDashAttribute(seriesLook)}/>`;
    const drawSample = (x: number, y: number) => {
      if (isGroupedFigure(figure)) return drawMarker(x + 7, y, seriesLook, hasBars(figure) ? 130 : 36);
      return drawLine(x, y) + (figure.kind === 'step' ? '' : drawMarker(x + 15, y, seriesLook, 36));
    };
    return { name: seriesName, drawSample };
  });
  return drawLegend(legendEntries, isGroupedFigure(figure) ? 14 : 30, PADDING, width - 2 * PADDING);
}

/** Description of a figure without a caption, for screen readers. */
function describeFigureAxes({ x, y }: Figure, seriesNames: readonly string[]): string {
  return `${y.title} by ${x.title}${seriesNames.length > 1 ? `, for ${seriesNames.join(', ')}` : ''}.`;
}

/** Start of each of several lengths laid out one after another with a gap, followed by the total. */
function computeOffsetsWithGaps(lengths: readonly number[], gap: number): number[] {
  const offsets = [0];
  for (const length of lengths) offsets.push((offsets.at(-1) as number) + length + gap);
  return offsets;
}

/**
 * Height in pixels that a row needs besides its panels (titles and axis labels), and smallest height of a
 * panel.
 */
const [ROW_EXTRA_HEIGHT, MIN_PANEL_HEIGHT] = [46, 70];

/** Panels of a figure with their axes, fitted to a width and, if given, to a height. */
function layOutFigurePanels(
  figure: Figure,
  looks: SeriesLooksByName,
  pageWidth: number,
  maxHeight = Infinity,
): { layout: FigurePanelGrid; panels: PlacedFigurePanel[] } {
  const { length } = figure.panels;
  const isNarrow = pageWidth < NARROW_WIDTH;
  const columnCount = chooseFigurePanelColumnCount(length, pageWidth);
  const defaultHeight = isNarrow
    ? NARROW_HEIGHT
    : (FIGURE_PANEL_HEIGHTS[Math.min(columnCount, FIGURE_PANEL_HEIGHTS.length) - 1] as number);
  const availableHeight = Math.floor(maxHeight / Math.ceil(length / columnCount)) - ROW_EXTRA_HEIGHT;
  const height = Math.min(defaultHeight, Math.max(MIN_PANEL_HEIGHT, availableHeight));
  const verticalAxes = figure.panels.map((_, index) =>
    makeVerticalPanelAxis(figure, index, height, index % columnCount === 0),
  );
  const panelLeftEdges = Array.from({ length: columnCount }, (_, column) => {
    const columnAxes = verticalAxes.filter((_, index) => index % columnCount === column);
    return Math.max(...columnAxes.map(({ ticks, title }) => computeVerticalAxisWidth(ticks, title.length)));
  });
  const nameColumnWidth = isNarrow ? 0 : computeLineNameColumnWidth(figure, looks, height);
  const usedWidth = panelLeftEdges.reduce(
    (sum, panelLeftEdge) => sum + panelLeftEdge,
    2 * PADDING + (columnCount - 0.5) * COLUMN_GAP,
  );
  const width = Math.max(100, Math.floor((pageWidth - usedWidth - nameColumnWidth) / columnCount));
  const panels = verticalAxes.map((yAxis, index) => {
    const plotPoints = plotPointsOfPanel(figure, index);
    return {
      index,
      rows: plotPoints,
      y: yAxis,
      x: makeHorizontalPanelAxis(figure, plotPoints, looks.names, index + columnCount >= length, width),
    };
  });
  return { layout: { columns: columnCount, lefts: panelLeftEdges, width, height, nameColumnWidth }, panels };
}

/** SVG of all panels of a figure, in rows. */
function drawFigurePanels(
  figure: Figure,
  looks: SeriesLooksByName,
  { layout, panels }: ReturnType<typeof layOutFigurePanels>,
  from: number,
  pageView?: InteractivePageView,
): { readonly markup: string; readonly width: number; readonly height: number } {
  const { columns: columnCount, lefts, width, height, nameColumnWidth } = layout;
  const rowHeights = Array.from({ length: Math.ceil(panels.length / columnCount) }, (_, row) => {
    const rowPanels = panels.filter(({ index: panelIndex }) => Math.floor(panelIndex / columnCount) === row);
    const titleHeight = rowPanels.some(({ index: panelIndex }) => figure.panels[panelIndex]?.title !== '')
      ? TITLED_TOP
      : UNTITLED_TOP;
    return {
      above: titleHeight,
      all: titleHeight + height + Math.max(...rowPanels.map(({ x }) => x.height)),
    };
  });
  const columnOffsets = computeOffsetsWithGaps(
    lefts.map((panelLeft) => panelLeft + width),
    COLUMN_GAP,
  );
  const rowOffsets = computeOffsetsWithGaps(
    rowHeights.map(({ all }) => all),
    ROW_GAP,
  );
  const panelMarkups = panels.map((panel) => {
    const [column, row] = [panel.index % columnCount, Math.floor(panel.index / columnCount)];
    const panelX = PADDING + (columnOffsets[column] as number) + (lefts[column] as number);
    const top = from + (rowOffsets[row] as number) + (rowHeights[row]?.above ?? 0);
    return drawFigurePanel(figure, panel, layout, [panelX, top], looks, pageView);
  });
  return {
    markup: panelMarkups.join(''),
    width: (columnOffsets.at(-1) as number) - COLUMN_GAP / 2 + nameColumnWidth + 2 * PADDING,
    height: from + (rowOffsets.at(-1) as number) - ROW_GAP + PADDING,
  };
}

/**
 * Draws a figure as SVG.
 * @param paperWidth width in pixels of a figure outside a page.
 * @param paperHeight total height in pixels available to its panels, if possible.
 */
export function drawFigureSvg(
  figure: Figure,
  pageView?: InteractivePageView,
  paperWidth = PAPER_WIDTH,
  paperHeight = Infinity,
): string {
  const looks = makeFigureSeriesLooks(figure);
  const pageWidth = pageView?.width ?? paperWidth;
  const { kind: figureKind } = figure;
  const isDrawnInRows = figureKind === 'dots' || figureKind === 'heat';
  const panels = isDrawnInRows ? undefined : layOutFigurePanels(figure, looks, pageWidth, paperHeight);
  const isLegendOmitted =
    figureKind === 'heat' ||
    looks.names.length < 2 ||
    pageView !== undefined ||
    (panels?.layout.nameColumnWidth ?? 0) > 0;
  const legend = isLegendOmitted ? drawLegend([], 0, 0, 0) : drawFigureLegend(figure, looks, pageWidth);
  const top = PADDING + (legend.height === 0 ? 0 : legend.height + 4);
  const pictureWords = { ...figure, caption: figure.caption || describeFigureAxes(figure, looks.names) };
  const drawRowFigure = figureKind === 'heat' ? drawHeatMap : drawDotPlot;
  const { markup, width, height } =
    panels === undefined
      ? drawRowFigure(figure, looks, top, pageWidth, pageWidth < NARROW_WIDTH, pageView)
      : drawFigurePanels(figure, looks, panels, top, pageView);
  return (
    makeSvgOpeningTag(
      pictureWords,
      Math.ceil(Math.max(width, legend.width + 2 * PADDING)),
      Math.ceil(height),
      FONT_FAMILY,
    ) +
    `<g font-size="${LABEL_FONT_SIZE}px"><g fill="${TEXT_COLOR}" transform="translate(0,${PADDING})">${legend.markup}</g>${markup}</g></svg>`
  );
}
