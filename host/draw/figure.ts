/**
 * Figures as SVG: small multiples in a grid with one legend. The bytes are equal on every machine, nothing
 * outside is referenced, and text takes the colour of its page.
 */
import { type ScaleBand, scaleBand } from 'd3-scale';
import {
  axisBelow,
  axisLeft,
  drawLegend,
  FAINT_LINE,
  heightBelow,
  LABEL_SIZE,
  type Legend,
  type NumberScale,
  numberScale,
  type Tick,
  textAt,
  timeTicks,
  titleBelow,
  titleLines,
  widthLeft,
} from './axes.js';
import { drawDots } from './dots.js';
import {
  type Figure,
  figureLooks,
  hasBars,
  isGrouped,
  type NamedLooks,
  type PlotRow,
  plotRows,
} from './figureModel.js';
import { drawHeat } from './heat.js';
import { hasAllBands, lineMarks, namesAtEnds, widthForNames } from './lineFigure.js';
import {
  dashAttribute,
  isInTime,
  markerAt,
  type PageView,
  tickFormat,
  tooltipAttribute,
  valueTicks,
} from './marks.js';
import { FONT_FAMILY, type SeriesLook, TEXT_COLOR } from './palette.js';
import { coordinateText, svgOpening, textWidth } from './svg.js';

/**
 * Layout of panels: number of columns, left margins, size of a panel in pixels, and width for line names at
 * the right.
 */
interface PanelLayout {
  readonly columns: number;
  readonly lefts: readonly number[];
  readonly width: number;
  readonly height: number;
  readonly names: number;
}

/** Width in pixels of a figure in a file, and smallest width of a panel column. */
const [PAPER_WIDTH, MIN_COLUMN] = [760, 218];
/** Heights in pixels of a panel alone, of two panels, and of more. */
const PANEL_HEIGHTS = [260, 210, 160];
/** Below this page width in pixels, panels are stacked and have this reduced height. */
const [NARROW_WIDTH, NARROW_HEIGHT] = [520, 200];

/** Number of columns that fit the width, with rows as equal as possible. */
function columnsFor(panels: number, pageWidth: number): number {
  const most = pageWidth < NARROW_WIDTH ? 1 : Math.max(1, Math.floor(pageWidth / MIN_COLUMN));
  return Math.ceil(panels / Math.ceil(panels / Math.min(panels, most)));
}

/**
 * Distances in pixels: around the drawing, between panel columns and rows, and above a panel with and
 * without a title.
 */
const [PADDING, COLUMN_GAP, ROW_GAP, TITLED_TOP, UNTITLED_TOP] = [5, 14, 8, 20, 8];
/** Largest number of distinct x values for which every value gets a tick. */
const MAX_TICKS = 8;
/** Horizontal axis of a panel: numeric, or with categories that show all series side by side. */
type AcrossAxis = { readonly title: readonly string[]; readonly height: number } & (
  | { readonly ticks: readonly Tick[]; readonly place: NumberScale }
  | { readonly groups: ScaleBand<string>; readonly within: ScaleBand<string>; readonly isLevel: boolean }
);

interface UpwardAxis {
  readonly place: NumberScale;
  readonly ticks: readonly Tick[];
  readonly title: readonly string[];
}

/** Panel with its rows and axes. */
interface Panel {
  readonly index: number;
  readonly rows: readonly PlotRow[];
  readonly x: AcrossAxis;
  readonly y: UpwardAxis;
}

function groupAxis(
  rows: readonly PlotRow[],
  names: readonly string[],
  title: readonly string[],
  width: number,
): AcrossAxis {
  const groups = scaleBand(
    [...new Set(rows.filter(({ y }) => y !== null).map(({ x }) => String(x)))],
    [0, width],
  );
  groups.paddingInner(0.2).paddingOuter(0.1);
  const widths = groups.domain().map((name) => textWidth(name, LABEL_SIZE));
  const longest = Math.max(0, ...widths);
  const isLevel = longest <= groups.step() - 4;
  const height = heightBelow(title.length, isLevel ? undefined : Math.ceil(longest) + 2);
  return { groups, within: scaleBand(names, [0, groups.bandwidth()]), isLevel, title, height };
}

function acrossAxis(
  figure: Figure,
  rows: readonly PlotRow[],
  names: readonly string[],
  hasTitle: boolean,
  width: number,
): AcrossAxis {
  const { x, kind } = figure;
  const titleOf = (title: string, unit: string | undefined) =>
    hasTitle ? titleLines(title, unit, width) : [];
  const numbers = rows.flatMap((row) => (typeof row.x === 'number' ? [row.x] : []));
  if (kind === 'bar' || numbers.length < rows.length)
    return groupAxis(rows, names, titleOf(x.title, x.unit), width);
  const room = kind === 'step' ? 0 : 8;
  const place = numberScale(x.range ?? numbers, [0, width], {
    isLog: x.scale === 'log',
    room: x.range ? 0 : room,
  });
  if (x.time !== undefined && numbers.length > 0) {
    const [from, to] = place.domain() as [number, number];
    const { ticks, title } = timeTicks(
      from,
      to,
      x.time.beginning,
      Math.max(2, Math.round(width / 85)),
      x.time.since,
    );
    const lines = titleOf(title, x.unit);
    return { ticks, place, title: lines, height: heightBelow(lines.length) };
  }
  const different = [...new Set(numbers)].sort((a, b) => a - b);
  const label = place.tickFormat(7, tickFormat(numbers, x));
  const { ticks: round, unit } = valueTicks(place, 7, numbers, x);
  const isFew = different.length <= MAX_TICKS && x.scale !== 'log' && x.range === undefined;
  const ticks =
    x.ticks?.filter(({ value }) => value >= place.invert(0) && value <= place.invert(width)) ??
    (isFew ? different.map((value) => ({ value, label: label(value) })) : round);
  const lines = titleOf(x.title, isFew ? x.unit : unit);
  return { ticks, place, title: lines, height: heightBelow(lines.length) };
}

/** Margin in pixels between the outermost points and the frame, enough for half a marker. */
const POINT_MARGIN = 6;

/** Vertical axis of a panel. It starts at 0 for bars and steps, which readers compare by height. */
function upwardAxis(figure: Figure, panel: number, height: number, isFirst: boolean): UpwardAxis {
  const { y, kind, panels, sharesY } = figure;
  const isLog = y.scale === 'log';
  const hasBounds = kind !== 'line' || hasAllBands(figure);
  const valuesOf = (index: number) =>
    plotRows(figure, index)
      .flatMap((row) => (hasBounds ? [row.y, row.low, row.high] : [row.y]))
      .filter((value) => value != null)
      .filter((value) => !isLog || value > 0);
  const all = panels.flatMap((_, index) => valuesOf(index));
  const values = sharesY ? all : valuesOf(panel);
  const begins = !isLog && kind !== 'line';
  const ends = begins ? [0, ...values] : values;
  const place = numberScale(ends, [height, 0], { isLog, room: begins ? 0 : POINT_MARGIN, isNice: true });
  const isOwn = isInTime(all, y) === isInTime(values, y);
  const { ticks, unit } = valueTicks(place, 5, isOwn ? ends : all, y);
  return {
    place,
    ticks,
    title: isFirst ? titleLines(y.title, unit, height) : [],
  };
}

/** SVG of bars with whiskers; points instead of bars on a logarithmic axis, which has no zero. */
function groupMarks(
  figure: Figure,
  { rows, y: { place } }: Panel,
  [groups, within]: readonly [ScaleBand<string>, ScaleBand<string>],
  { names, looks }: NamedLooks,
  view?: PageView,
): string {
  const areBars = hasBars(figure);
  const whiskers: string[] = [];
  const marks = rows.flatMap((row) => {
    const left = (groups(String(row.x)) ?? 0) + (within(row.series) ?? 0);
    const middle = left + within.bandwidth() / 2;
    if (row.low !== undefined && row.high !== undefined)
      whiskers.push(
        `<line x1="${coordinateText(middle)}" x2="${coordinateText(middle)}" y1="${coordinateText(place(row.low))}" y2="${coordinateText(place(row.high))}" stroke="${TEXT_COLOR}"/>`,
      );
    if (row.y === null) return [];
    const look = looks[names.indexOf(row.series)] as SeriesLook;
    const story = tooltipAttribute(row, view);
    if (!areBars) return [markerAt(middle, place(row.y), look, 45, story)];
    const [top, foot] = [place(row.y), place(0)].sort((a, b) => a - b) as [number, number];
    const [w, h] = [within.bandwidth(), foot - top].map(coordinateText);
    return [
      `<rect class="bar" x="${coordinateText(left)}" y="${coordinateText(top)}" width="${w}" height="${h}" fill="${look.color}" stroke="${TEXT_COLOR}" stroke-width="0.4"${story}/>`,
    ];
  });
  return areBars ? marks.join('') + whiskers.join('') : whiskers.join('') + marks.join('');
}

/** SVG of category names below a panel, vertical if they are too long to be side by side. */
function categoryLabels(groups: ScaleBand<string>, isLevel: boolean, height: number): string {
  return groups
    .domain()
    .map((name) => {
      const middle = (groups(name) ?? 0) + groups.bandwidth() / 2;
      if (isLevel) return textAt(middle, height + 15, name, 'middle');
      const turned = ` transform="translate(${coordinateText(middle + 3.5)},${coordinateText(height + 6)}) rotate(-90)"`;
      return textAt(0, 0, name, 'end', turned);
    })
    .join('');
}

/** SVG of a panel at its position: axes, frame, marks and title. */
function drawPanel(
  figure: Figure,
  panel: Panel,
  { width, height, names: room }: PanelLayout,
  [left, top]: readonly [number, number],
  looks: NamedLooks,
  view?: PageView,
): string {
  const { x, y, rows, index } = panel;
  const foot =
    'groups' in x
      ? categoryLabels(x.groups, x.isLevel, height) +
        titleBelow(x.title, width / 2, height + x.height - heightBelow(x.title.length, 0) + 4)
      : axisBelow({
          ...x,
          left: 0,
          right: width,
          bottom: height,
          ends: [-COLUMN_GAP / 2, width + COLUMN_GAP / 2],
        });
  const beside = axisLeft({ ...y, left: 0, right: width, top: 0, bottom: height });
  const isPart = figure.x.range !== undefined || (view !== undefined && !hasAllBands(figure));
  const clip = `clip-${index}-${figure.id}`;
  const marks =
    'groups' in x
      ? groupMarks(figure, panel, [x.groups, x.within], looks, view)
      : lineMarks(figure, rows, [x.place, y.place], looks, view);
  const names =
    room === 0 || 'groups' in x ? '' : namesAtEnds(rows, [x.place, y.place], looks, [width, height]);
  const across = 'groups' in x || view === undefined ? '' : ` data-domain="${x.place.domain().join(' ')}"`;
  const { title } = figure.panels[index] as Figure['panels'][number];
  const clipped = isPart
    ? `<clipPath id="${clip}"><rect y="${-POINT_MARGIN}" width="${width}" height="${height + 2 * POINT_MARGIN}"/></clipPath><g clip-path="url(#${clip})">${marks}</g>`
    : marks;
  return (
    `<g transform="translate(${coordinateText(left)},${coordinateText(top)})">` +
    `<g fill="${TEXT_COLOR}">${beside}${foot}${title === '' ? '' : textAt(0, -7, title, 'start', ' font-size="11.5px" font-weight="bold"')}</g>` +
    `<rect class="plot-area" width="${width}" height="${height}" ${FAINT_LINE}${across}/>${names}${clipped}</g>`
  );
}

/** Legend above the panels of a figure. */
function figureLegend(figure: Figure, { names, looks }: NamedLooks, width: number): Legend {
  const entries = names.map((name, i) => {
    const look = looks[i] as SeriesLook;
    const line = (x: number, y: number) =>
      `<path d="M${x} ${y}h30" stroke="${look.color}" stroke-width="1.6"${dashAttribute(look)}/>`;
    const sample = (x: number, y: number) => {
      if (isGrouped(figure)) return markerAt(x + 7, y, look, hasBars(figure) ? 130 : 36);
      return line(x, y) + (figure.kind === 'step' ? '' : markerAt(x + 15, y, look, 36));
    };
    return { name, sample };
  });
  return drawLegend(entries, isGrouped(figure) ? 14 : 30, PADDING, width - 2 * PADDING);
}

/** Description of a figure without a caption, for screen readers. */
function describeFigure({ x, y }: Figure, names: readonly string[]): string {
  return `${y.title} by ${x.title}${names.length > 1 ? `, for ${names.join(', ')}` : ''}.`;
}

/** Start of each of several lengths laid out one after another with a gap, followed by the total. */
function cumulativeOffsets(lengths: readonly number[], gap: number): number[] {
  const sums = [0];
  for (const length of lengths) sums.push((sums.at(-1) as number) + length + gap);
  return sums;
}

/**
 * Height in pixels that a row needs besides its panels (titles and axis labels), and smallest height of a
 * panel.
 */
const [ROW_EXTRA_HEIGHT, MIN_PANEL_HEIGHT] = [46, 70];

/** Panels of a figure with their axes, fitted to a width and, if given, to a height. */
function arrangePanels(
  figure: Figure,
  looks: NamedLooks,
  pageWidth: number,
  most = Infinity,
): { layout: PanelLayout; panels: Panel[] } {
  const { length } = figure.panels;
  const isNarrow = pageWidth < NARROW_WIDTH;
  const columns = columnsFor(length, pageWidth);
  const usual = isNarrow
    ? NARROW_HEIGHT
    : (PANEL_HEIGHTS[Math.min(columns, PANEL_HEIGHTS.length) - 1] as number);
  const room = Math.floor(most / Math.ceil(length / columns)) - ROW_EXTRA_HEIGHT;
  const height = Math.min(usual, Math.max(MIN_PANEL_HEIGHT, room));
  const upward = figure.panels.map((_, index) => upwardAxis(figure, index, height, index % columns === 0));
  const lefts = Array.from({ length: columns }, (_, column) => {
    const own = upward.filter((_, index) => index % columns === column);
    return Math.max(...own.map(({ ticks, title }) => widthLeft(ticks, title.length)));
  });
  const names = isNarrow ? 0 : widthForNames(figure, looks, height);
  const used = lefts.reduce((sum, left) => sum + left, 2 * PADDING + (columns - 0.5) * COLUMN_GAP);
  const width = Math.max(100, Math.floor((pageWidth - used - names) / columns));
  const panels = upward.map((y, index) => {
    const rows = plotRows(figure, index);
    return { index, rows, y, x: acrossAxis(figure, rows, looks.names, index + columns >= length, width) };
  });
  return { layout: { columns, lefts, width, height, names }, panels };
}

/** SVG of all panels of a figure, in rows. */
function drawPanels(
  figure: Figure,
  looks: NamedLooks,
  { layout, panels }: ReturnType<typeof arrangePanels>,
  from: number,
  view?: PageView,
): { readonly markup: string; readonly width: number; readonly height: number } {
  const { columns, lefts, width, height, names } = layout;
  const heights = Array.from({ length: Math.ceil(panels.length / columns) }, (_, row) => {
    const own = panels.filter(({ index }) => Math.floor(index / columns) === row);
    const above = own.some(({ index }) => figure.panels[index]?.title !== '') ? TITLED_TOP : UNTITLED_TOP;
    return { above, all: above + height + Math.max(...own.map(({ x }) => x.height)) };
  });
  const across = cumulativeOffsets(
    lefts.map((left) => left + width),
    COLUMN_GAP,
  );
  const down = cumulativeOffsets(
    heights.map(({ all }) => all),
    ROW_GAP,
  );
  const drawn = panels.map((panel) => {
    const [column, row] = [panel.index % columns, Math.floor(panel.index / columns)];
    const left = PADDING + (across[column] as number) + (lefts[column] as number);
    const top = from + (down[row] as number) + (heights[row]?.above ?? 0);
    return drawPanel(figure, panel, layout, [left, top], looks, view);
  });
  return {
    markup: drawn.join(''),
    width: (across.at(-1) as number) - COLUMN_GAP / 2 + names + 2 * PADDING,
    height: from + (down.at(-1) as number) - ROW_GAP + PADDING,
  };
}

/**
 * Draws a figure as SVG.
 * @param paperWidth pixels across of a figure that is no page's.
 * @param paperHeight pixels that its panels may take together, as far as they can be so low.
 */
export function figureSvg(
  figure: Figure,
  view?: PageView,
  paperWidth = PAPER_WIDTH,
  paperHeight = Infinity,
): string {
  const looks = figureLooks(figure);
  const pageWidth = view?.width ?? paperWidth;
  const { kind } = figure;
  const isInRows = kind === 'dots' || kind === 'heat';
  const panels = isInRows ? undefined : arrangePanels(figure, looks, pageWidth, paperHeight);
  const isNamed =
    kind === 'heat' || looks.names.length < 2 || view !== undefined || (panels?.layout.names ?? 0) > 0;
  const legend = isNamed ? drawLegend([], 0, 0, 0) : figureLegend(figure, looks, pageWidth);
  const top = PADDING + (legend.height === 0 ? 0 : legend.height + 4);
  const words = { ...figure, caption: figure.caption || describeFigure(figure, looks.names) };
  const drawRows = kind === 'heat' ? drawHeat : drawDots;
  const { markup, width, height } =
    panels === undefined
      ? drawRows(figure, looks, top, pageWidth, pageWidth < NARROW_WIDTH, view)
      : drawPanels(figure, looks, panels, top, view);
  return (
    svgOpening(
      words,
      Math.ceil(Math.max(width, legend.width + 2 * PADDING)),
      Math.ceil(height),
      FONT_FAMILY,
    ) +
    `<g font-size="${LABEL_SIZE}px"><g fill="${TEXT_COLOR}" transform="translate(0,${PADDING})">${legend.markup}</g>${markup}</g></svg>`
  );
}
