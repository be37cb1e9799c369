/**
 * Dot plots: categories below each other, with a dot and a whisker (confidence interval) for each series.
 * Differences have a vertical line at 0.
 */
import {
  breakAxisTitle,
  drawHorizontalAxis,
  FAINT_LINE_SVG_ATTRIBUTES,
  horizontalAxisHeight,
  LABEL_FONT_SIZE,
  type NumberScale,
  numberScale,
  svgTextElement,
} from './axes.js';
import {
  type Figure,
  type FigureAxis,
  type PlotPoint,
  plotPointsOfPanel,
  type SeriesLooksByName,
  scalePointsOfPanel,
} from './figureModel.js';
import { drawMarker, formatTooltipAttribute, type InteractivePageView, valueAxisTicks } from './marks.js';
import { type SeriesLook, TEXT_COLOR } from './palette.js';
import { estimateTextWidth, formatSvgCoordinate } from './svg.js';

/**
 * Largest share of a dot plot's width for category names beside the dots; if a name is longer, names are
 * above the dots.
 */
const MAX_CATEGORY_NAMES_WIDTH_SHARE = 0.34;
/**
 * Heights in pixels of a category with one series, of each further series, and of a category name above its
 * dots.
 */
const [CATEGORY_HEIGHT, SERIES_HEIGHT, NAME_LINE_HEIGHT] = [26, 12, 15];
const [NAME_GAP, DOT_MARGIN, CAP_SIZE, TITLED_TOP, UNTITLED_TOP, PANEL_GAP, PADDING] = [
  10, 14, 3.5, 22, 6, 10, 5,
];

/** Category of a dot plot: its rows, its top in pixels and its height. */
interface DotPlotCategory {
  readonly name: string;
  readonly rows: readonly PlotPoint[];
  readonly top: number;
  readonly height: number;
}

/** Horizontal layout of a dot plot in pixels: names, dots and remarks. */
interface DotPlotLayout {
  readonly areNamesAbove: boolean;
  readonly left: number;
  readonly plotWidth: number;
  /** Right edge of the remarks, in pixels. */
  readonly right: number;
  readonly hasRemarks: boolean;
}

function layOutDotPlot(
  plotPoints: readonly PlotPoint[],
  availableWidth: number,
  isNarrow: boolean,
): DotPlotLayout {
  const measureWidestText = (labelTexts: readonly string[]) =>
    Math.ceil(Math.max(0, ...labelTexts.map((text) => estimateTextWidth(text, LABEL_FONT_SIZE))));
  const nameWidth = measureWidestText(plotPoints.map(({ x }) => String(x)));
  const remarkWidth = measureWidestText(plotPoints.map(({ remark = '' }) => remark));
  const areNamesAbove = isNarrow || nameWidth > MAX_CATEGORY_NAMES_WIDTH_SHARE * availableWidth;
  const hasRemarks =
    remarkWidth > 0 && (!areNamesAbove || nameWidth + remarkWidth + NAME_GAP < availableWidth);
  const plotLeftEdge = areNamesAbove ? 0 : nameWidth + NAME_GAP;
  const remarkColumnWidth = hasRemarks && !areNamesAbove ? remarkWidth + NAME_GAP : 0;
  return {
    areNamesAbove,
    left: plotLeftEdge,
    plotWidth: availableWidth - plotLeftEdge - remarkColumnWidth,
    right: availableWidth,
    hasRemarks,
  };
}

function layOutDotCategories(plotPoints: readonly PlotPoint[], areNamesAbove: boolean): DotPlotCategory[] {
  let top = 0;
  return [...new Set(plotPoints.map(({ x }) => String(x)))].map((categoryName) => {
    const categoryRows = plotPoints.filter(({ x }) => String(x) === categoryName);
    const height =
      CATEGORY_HEIGHT + (categoryRows.length - 1) * SERIES_HEIGHT + (areNamesAbove ? NAME_LINE_HEIGHT : 0);
    top += height;
    return { name: categoryName, rows: categoryRows, top: top - height, height };
  });
}

/** SVG of a dot at height `y`, with its whisker behind. */
function drawDotWithWhisker(
  plotPoint: PlotPoint,
  y: number,
  scale: NumberScale,
  dotLook: SeriesLook,
  pageView?: InteractivePageView,
): string {
  const { low, high, y: value } = plotPoint;
  if (value === null) return '';
  const [left, right] = scale.range() as [number, number];
  const toClampedPixel = (axisValue: number) => Math.min(Math.max(scale(axisValue), left), right);
  const [fromX, toX] = [low ?? value, high ?? value].map((bound) =>
    formatSvgCoordinate(toClampedPixel(bound)),
  );
  if (scale(value) > right)
    return drawMarker(
      right - DOT_MARGIN / 2,
      y,
      { ...dotLook, marker: 'triangle-right' },
      52,
      formatTooltipAttribute(plotPoint, pageView),
    );
  const whiskerCaps = [fromX, toX]
    .map((x) => `M${x} ${formatSvgCoordinate(y - CAP_SIZE)}v${2 * CAP_SIZE}`)
    .join('');
  const whiskerMarkup =
    fromX === toX
      ? ''
      : `<path d="M${fromX} ${formatSvgCoordinate(y)}H${toX}${whiskerCaps}" fill="none" stroke="${dotLook.color}" stroke-width="1.6"/>`;
  return (
    whiskerMarkup + drawMarker(scale(value), y, dotLook, 52, formatTooltipAttribute(plotPoint, pageView))
  );
}

/** SVG of the shaded range of values of an axis. */
function drawToleranceZone(zone: FigureAxis['zone'], scale: NumberScale, height: number): string {
  if (zone === undefined) return '';
  const [from, to] = zone.map(scale) as [number, number];
  return `<rect x="${formatSvgCoordinate(from)}" width="${formatSvgCoordinate(to - from)}" height="${height}" fill="${TEXT_COLOR}" fill-opacity="0.08"/>`;
}

/** SVG of a vertical line through all categories, interrupted where a name or remark lies above the dots. */
function drawVerticalLine(
  x: number,
  categories: readonly DotPlotCategory[],
  { areNamesAbove, right, hasRemarks }: DotPlotLayout,
): string {
  const widthOf = (labelText: string) => estimateTextWidth(labelText, LABEL_FONT_SIZE) + PADDING;
  const isCrossingText = ({ name: categoryName, rows: plotPoints }: DotPlotCategory) =>
    areNamesAbove &&
    (x < widthOf(categoryName) || (hasRemarks && x > right - widthOf(plotPoints[0]?.remark ?? '')));
  const lineSegments: [from: number, to: number][] = [];
  for (const category of categories) {
    const from = category.top + (isCrossingText(category) ? NAME_LINE_HEIGHT : 0);
    const to = category.top + category.height;
    const lastSegment = lineSegments.at(-1);
    if (lastSegment?.[1] === from) lastSegment[1] = to;
    else lineSegments.push([from, to]);
  }
  return lineSegments.map(([from, to]) => `M${formatSvgCoordinate(x)} ${from}V${to}`).join('');
}

/** Dots of a category below each other, from the middle of the first. */
function drawDotsOfCategory(
  dotPoints: readonly PlotPoint[],
  firstDotY: number,
  scale: NumberScale,
  { names, looks }: SeriesLooksByName,
  pageView?: InteractivePageView,
): string {
  const dotMarks = dotPoints.map((plotPoint, i) => {
    const seriesLook = looks[names.indexOf(plotPoint.series)]!;
    return drawDotWithWhisker(plotPoint, firstDotY + i * SERIES_HEIGHT, scale, seriesLook, pageView);
  });
  return dotMarks.join('');
}

/** SVG of a panel from a given height on: names, dots, remarks and the axis below. */
function drawDotPanel(
  figure: Figure,
  index: number,
  layout: DotPlotLayout,
  top: number,
  looksByName: SeriesLooksByName,
  pageView?: InteractivePageView,
): { readonly markup: string; readonly height: number } {
  const { y: axis, panels } = figure;
  const { areNamesAbove, left, plotWidth: width, right, hasRemarks } = layout;
  const values = scalePointsOfPanel(figure, index)
    .flatMap(({ y, low, high }) => [y, low, high])
    .filter((value) => value != null);
  const scaleValues = axis.zone === undefined || values.length === 0 ? values : [...values, ...axis.zone];
  const isLogarithmic = axis.scale === 'log';
  const scale = numberScale((isLogarithmic ? undefined : axis.range) ?? scaleValues, [left, left + width], {
    isLog: isLogarithmic,
    margin: DOT_MARGIN,
  });
  const categories = layOutDotCategories(plotPointsOfPanel(figure, index), areNamesAbove);
  const height = categories.reduce((sum, category) => sum + category.height, 0);
  const { ticks, unit } = valueAxisTicks(scale, Math.max(3, Math.round(width / 90)), scale.domain(), axis);
  const title = breakAxisTitle(axis.title, unit, width);
  const isVisible = (value: number) => scale(value) >= left && scale(value) <= left + width;
  const verticalLineAt = (value: number) => drawVerticalLine(scale(value), categories, layout);
  const gridLines = ticks.map(({ value: tickValue }) => verticalLineAt(tickValue)).join('');
  const zeroLine =
    isLogarithmic || !isVisible(0)
      ? ''
      : `<path d="${verticalLineAt(0)}" stroke="${TEXT_COLOR}" stroke-opacity="0.75"/>`;
  const categoryMarkups = categories.map((category) => {
    const middleY = category.top + category.height / 2 + (areNamesAbove ? NAME_LINE_HEIGHT / 2 : 0);
    const firstDotY = middleY - ((category.rows.length - 1) * SERIES_HEIGHT) / 2;
    const textY = areNamesAbove ? category.top + NAME_LINE_HEIGHT - 2 : middleY + 3.5;
    const remark = hasRemarks ? (category.rows[0]?.remark ?? '') : '';
    return {
      texts:
        (areNamesAbove
          ? svgTextElement(2, textY, category.name)
          : svgTextElement(left - NAME_GAP, textY, category.name, 'end')) +
        (remark &&
          svgTextElement(right - (areNamesAbove ? 2 : 0), textY, remark, 'end', ' fill-opacity="0.75"')),
      dots: drawDotsOfCategory(category.rows, firstDotY, scale, looksByName, pageView),
    };
  });
  const heading = panels[index]!.title;
  const titleHeight = heading === '' ? UNTITLED_TOP : TITLED_TOP;
  const plotFrame = { left, right: left + width, bottom: height, ends: [0, right] as const };
  const markup =
    `<g transform="translate(0,${formatSvgCoordinate(top + titleHeight)})">` +
    `<g fill="${TEXT_COLOR}">${heading === '' ? '' : svgTextElement(left, -8, heading, 'start', ' font-size="11.5px" font-weight="bold"')}` +
    `<path d="${gridLines}" fill="none" stroke="${TEXT_COLOR}" stroke-opacity="0.13"/>` +
    `${drawHorizontalAxis({ ticks, toPixel: scale, title, ...plotFrame })}${categoryMarkups.map(({ texts }) => texts).join('')}</g>` +
    `<rect class="plot-area" x="${formatSvgCoordinate(left)}" width="${formatSvgCoordinate(width)}" height="${height}" ${FAINT_LINE_SVG_ATTRIBUTES}/>` +
    `${drawToleranceZone(axis.zone, scale, height)}${zeroLine}${categoryMarkups.map(({ dots }) => dots).join('')}</g>`;
  return { markup, height: titleHeight + height + horizontalAxisHeight(title.length) };
}

/**
 * SVG of a dot plot without legend.
 * @param from top of the plot in pixels, below the legend.
 */
export function drawDotPlot(
  figure: Figure,
  looks: SeriesLooksByName,
  from: number,
  pageWidth: number,
  isNarrow: boolean,
  pageView?: InteractivePageView,
): { readonly markup: string; readonly width: number; readonly height: number } {
  const plotWidth = pageWidth - 2 * PADDING;
  const layout = layOutDotPlot(
    figure.panels.flatMap((_, index) => plotPointsOfPanel(figure, index)),
    plotWidth,
    isNarrow,
  );
  let top = from;
  const panelMarkups = figure.panels.map((_, index) => {
    const { markup, height } = drawDotPanel(figure, index, layout, top, looks, pageView);
    top += height + PANEL_GAP;
    return markup;
  });
  const markup = `<g transform="translate(${PADDING},0)">${panelMarkups.join('')}</g>`;
  return { markup, width: pageWidth, height: top - PANEL_GAP + PADDING };
}
