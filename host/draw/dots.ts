/**
 * Dot plots: categories below each other, with a dot and a whisker (confidence interval) for each series.
 * Differences have a vertical line at 0.
 */
import {
  axisTitleLines,
  FAINT_LINE_SVG_ATTRIBUTES,
  horizontalAxisHeight,
  horizontalAxisMarkup,
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
} from './figureModel.js';
import { drawMarker, type InteractivePageView, tooltipSvgAttribute, valueAxisTicks } from './marks.js';
import { type SeriesLook, TEXT_COLOR } from './palette.js';
import { estimateTextWidth, formatSvgCoordinate } from './svg.js';

/**
 * Largest share of the drawing's width for category names beside the dots; longer names are placed above
 * them.
 */
const MAX_CATEGORY_NAMES_WIDTH_SHARE = 0.34;
/**
 * Heights in pixels of a category, of each further series in it, and of a category name placed above its
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
  readonly isAbove: boolean;
  readonly left: number;
  readonly width: number;
  /** Right edge of the remarks, in pixels. */
  readonly right: number;
  readonly hasRemarks: boolean;
}

function layOutDotPlot(rows: readonly PlotPoint[], most: number, isNarrow: boolean): DotPlotLayout {
  const widest = (texts: readonly string[]) =>
    Math.ceil(Math.max(0, ...texts.map((text) => estimateTextWidth(text, LABEL_FONT_SIZE))));
  const names = widest(rows.map(({ x }) => String(x)));
  const remarks = widest(rows.map(({ remark = '' }) => remark));
  const isAboveRow = isNarrow || names > MAX_CATEGORY_NAMES_WIDTH_SHARE * most;
  const hasRemarks = remarks > 0 && (!isAboveRow || names + remarks + NAME_GAP < most);
  const left = isAboveRow ? 0 : names + NAME_GAP;
  const beside = hasRemarks && !isAboveRow ? remarks + NAME_GAP : 0;
  return { isAbove: isAboveRow, left, width: most - left - beside, right: most, hasRemarks };
}

function layOutDotCategories(rows: readonly PlotPoint[], isAboveRow: boolean): DotPlotCategory[] {
  let top = 0;
  return [...new Set(rows.map(({ x }) => String(x)))].map((name) => {
    const own = rows.filter(({ x }) => String(x) === name);
    const height = CATEGORY_HEIGHT + (own.length - 1) * SERIES_HEIGHT + (isAboveRow ? NAME_LINE_HEIGHT : 0);
    top += height;
    return { name, rows: own, top: top - height, height };
  });
}

/** SVG of a dot at height `y`, with its whisker behind. */
function drawDotWithWhisker(
  row: PlotPoint,
  y: number,
  place: NumberScale,
  look: SeriesLook,
  view?: InteractivePageView,
): string {
  const { low, high, y: value } = row;
  if (value === null) return '';
  const [left, right] = place.range() as [number, number];
  const inside = (bound: number) => Math.min(Math.max(place(bound), left), right);
  const [from, to] = [low ?? value, high ?? value].map((bound) => formatSvgCoordinate(inside(bound)));
  if (place(value) > right)
    return drawMarker(
      right - DOT_MARGIN / 2,
      y,
      { ...look, marker: 'triangle-right' },
      52,
      tooltipSvgAttribute(row, view),
    );
  const ends = [from, to].map((x) => `M${x} ${formatSvgCoordinate(y - CAP_SIZE)}v${2 * CAP_SIZE}`).join('');
  const whiskerMarkup =
    from === to
      ? ''
      : `<path d="M${from} ${formatSvgCoordinate(y)}H${to}${ends}" fill="none" stroke="${look.color}" stroke-width="1.6"/>`;
  return whiskerMarkup + drawMarker(place(value), y, look, 52, tooltipSvgAttribute(row, view));
}

/** SVG of the shaded range of values of an axis. */
function drawToleranceZone(zone: FigureAxis['zone'], place: NumberScale, height: number): string {
  if (zone === undefined) return '';
  const [from, to] = zone.map(place) as [number, number];
  return `<rect x="${formatSvgCoordinate(from)}" width="${formatSvgCoordinate(to - from)}" height="${height}" fill="${TEXT_COLOR}" fill-opacity="0.08"/>`;
}

/** SVG of a vertical line through all categories, interrupted where a name or remark lies above the dots. */
function drawVerticalLine(
  x: number,
  categories: readonly DotPlotCategory[],
  { isAbove, right, hasRemarks }: DotPlotLayout,
): string {
  const widthOf = (text: string) => estimateTextWidth(text, LABEL_FONT_SIZE) + PADDING;
  const isCoveredByName = ({ name, rows }: DotPlotCategory) =>
    isAbove && (x < widthOf(name) || (hasRemarks && x > right - widthOf(rows[0]?.remark ?? '')));
  const spans: [from: number, to: number][] = [];
  for (const each of categories) {
    const from = each.top + (isCoveredByName(each) ? NAME_LINE_HEIGHT : 0);
    const to = each.top + each.height;
    const last = spans.at(-1);
    if (last?.[1] === from) last[1] = to;
    else spans.push([from, to]);
  }
  return spans.map(([from, to]) => `M${formatSvgCoordinate(x)} ${from}V${to}`).join('');
}

/** SVG of a panel from a given height on: names, dots, remarks and the axis below. */
function drawDotPanel(
  figure: Figure,
  index: number,
  layout: DotPlotLayout,
  top: number,
  { names, looks }: SeriesLooksByName,
  view?: InteractivePageView,
): { readonly markup: string; readonly height: number } {
  const { y: axis, panels, sharesY } = figure;
  const { isAbove, left, width, right, hasRemarks } = layout;
  const rows = plotPointsOfPanel(figure, index);
  const shown = sharesY ? panels.flatMap((_, each) => plotPointsOfPanel(figure, each)) : rows;
  const values = shown.flatMap(({ y, low, high }) => [y, low, high]).filter((value) => value != null);
  const ends = axis.zone === undefined || values.length === 0 ? values : [...values, ...axis.zone];
  const isLogarithmic = axis.scale === 'log';
  const place = numberScale((isLogarithmic ? undefined : axis.range) ?? ends, [left, left + width], {
    isLog: isLogarithmic,
    room: DOT_MARGIN,
  });
  const categories = layOutDotCategories(rows, isAbove);
  const height = categories.reduce((sum, each) => sum + each.height, 0);
  const { ticks, unit } = valueAxisTicks(place, Math.max(3, Math.round(width / 90)), place.domain(), axis);
  const title = axisTitleLines(axis.title, unit, width);
  const has = (value: number) => place(value) >= left && place(value) <= left + width;
  const verticalLineAt = (value: number) => drawVerticalLine(place(value), categories, layout);
  const grid = ticks.map(({ value }) => verticalLineAt(value)).join('');
  const zeroLineMarkup =
    !isLogarithmic && has(0)
      ? `<path d="${verticalLineAt(0)}" stroke="${TEXT_COLOR}" stroke-opacity="0.75"/>`
      : '';
  const drawn = categories.map(({ name, rows: own, top: begin, height: all }) => {
    const middle = begin + all / 2 + (isAbove ? NAME_LINE_HEIGHT / 2 : 0);
    const first = middle - ((own.length - 1) * SERIES_HEIGHT) / 2;
    const level = isAbove ? begin + NAME_LINE_HEIGHT - 2 : middle + 3.5;
    const dotMarks = own.map((row, i) =>
      drawDotWithWhisker(row, first + i * SERIES_HEIGHT, place, looks[names.indexOf(row.series)]!, view),
    );
    const remark = hasRemarks ? (own[0]?.remark ?? '') : '';
    return {
      texts:
        (isAbove ? svgTextElement(2, level, name) : svgTextElement(left - NAME_GAP, level, name, 'end')) +
        (remark === ''
          ? ''
          : svgTextElement(right - (isAbove ? 2 : 0), level, remark, 'end', ' fill-opacity="0.75"')),
      dots: dotMarks.join(''),
    };
  });
  const heading = panels[index]!.title;
  const above = heading === '' ? UNTITLED_TOP : TITLED_TOP;
  const plotFrame = { left, right: left + width, bottom: height, ends: [0, right] as const };
  const markup =
    `<g transform="translate(0,${formatSvgCoordinate(top + above)})">` +
    `<g fill="${TEXT_COLOR}">${heading === '' ? '' : svgTextElement(left, -8, heading, 'start', ' font-size="11.5px" font-weight="bold"')}` +
    `<path d="${grid}" fill="none" stroke="${TEXT_COLOR}" stroke-opacity="0.13"/>` +
    `${horizontalAxisMarkup({ ticks, place, title, ...plotFrame })}${drawn.map(({ texts }) => texts).join('')}</g>` +
    `<rect class="plot-area" x="${formatSvgCoordinate(left)}" width="${formatSvgCoordinate(width)}" height="${height}" ${FAINT_LINE_SVG_ATTRIBUTES}/>` +
    `${drawToleranceZone(axis.zone, place, height)}${zeroLineMarkup}${drawn.map(({ dots }) => dots).join('')}</g>`;
  return { markup, height: above + height + horizontalAxisHeight(title.length) };
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
  view?: InteractivePageView,
): { readonly markup: string; readonly width: number; readonly height: number } {
  const most = pageWidth - 2 * PADDING;
  const layout = layOutDotPlot(
    figure.panels.flatMap((_, index) => plotPointsOfPanel(figure, index)),
    most,
    isNarrow,
  );
  let top = from;
  const drawn = figure.panels.map((_, index) => {
    const { markup, height } = drawDotPanel(figure, index, layout, top, looks, view);
    top += height + PANEL_GAP;
    return markup;
  });
  const markup = `<g transform="translate(${PADDING},0)">${drawn.join('')}</g>`;
  return { markup, width: pageWidth, height: top - PANEL_GAP + PADDING };
}
