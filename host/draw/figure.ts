/**
 * Figures as SVG, in a file and on a page: small multiples in a grid, one legend above them. The same bytes for the same
 * figure on every machine, without references to anything outside; text and lines take the colour of the page they stand on.
 */
import { type ScaleBand, scaleBand } from 'd3-scale';
import { area, curveLinear, curveStepAfter, line } from 'd3-shape';
import {
  axisBelow,
  axisLeft,
  drawLegend,
  FAINT,
  heightBelow,
  LABEL_SIZE,
  type Legend,
  type NumberScale,
  numberScale,
  numberTicks,
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
import { dashOf, markerAt, type PageView, storyOf, tickFormat } from './marks.js';
import { FONT, INK, type SeriesLook } from './palette.js';
import { coordinate, svgOpening, textWidth } from './svg.js';

/** Panels in a row, width and height of one in pixels. */
interface Layout {
  readonly columns: number;
  readonly width: number;
  readonly height: number;
}

const LAYOUTS: readonly Layout[] = [
  { columns: 1, width: 680, height: 260 },
  { columns: 2, width: 310, height: 210 },
  { columns: 3, width: 205, height: 160 },
];
/** On a narrower page panels stand below each other, as wide as it is but for the labels of their axes. */
const NARROW = 520;
const LABELS = 75;

function layoutFor(panels: number, pageWidth = Infinity): Layout {
  if (pageWidth < NARROW) return { columns: 1, width: Math.max(120, pageWidth - LABELS), height: 200 };
  return LAYOUTS[panels === 1 ? 0 : panels === 2 || panels === 4 ? 1 : 2] as Layout;
}

/** Around the drawing, between panels, and above one with a title and one without. */
const [PADDING, COLUMN_GAP, ROW_GAP, TITLED, UNTITLED] = [5, 14, 8, 20, 8];
const LEGEND_WIDTH = 720;
/** As many different values as can all have a tick. */
const MOST_TICKS = 8;
/** The x axis of a panel: of numbers, or of categories in each of which the series stand side by side. */
type AcrossAxis = { readonly title: readonly string[]; readonly height: number } & (
  | { readonly ticks: readonly Tick[]; readonly place: NumberScale }
  | { readonly groups: ScaleBand<string>; readonly within: ScaleBand<string>; readonly isLevel: boolean }
);

/** A panel with its axes, before its place is known. */
interface Panel {
  readonly index: number;
  readonly rows: readonly PlotRow[];
  readonly x: AcrossAxis;
  readonly y: NumberScale;
  readonly yTicks: readonly Tick[];
  readonly yTitle: readonly string[];
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
  const titleOf = (title: string) => (hasTitle ? titleLines(title, x.unit, width) : []);
  const numbers = rows.flatMap((row) => (typeof row.x === 'number' ? [row.x] : []));
  if (kind === 'bar' || numbers.length < rows.length) return groupAxis(rows, names, titleOf(x.title), width);
  const room = kind === 'step' ? 0 : 8;
  const place = numberScale(x.range ?? numbers, [0, width], {
    isLog: x.scale === 'log',
    room: x.range ? 0 : room,
  });
  const different = [...new Set(numbers)].sort((a, b) => a - b);
  const format = tickFormat(numbers, x);
  const label = place.tickFormat(7, format);
  if (x.time !== undefined && numbers.length > 0) {
    const [from, to] = place.domain() as [number, number];
    const { ticks, title } = timeTicks(from, to, x.time.beginning, Math.max(2, Math.round(width / 85)));
    const lines = titleOf(title);
    return { ticks, place, title: lines, height: heightBelow(lines.length) };
  }
  const isFew = different.length <= MOST_TICKS && x.scale !== 'log' && x.range === undefined;
  const ticks =
    x.ticks?.filter(({ value }) => value >= place.invert(0) && value <= place.invert(width)) ??
    (isFew ? different.map((value) => ({ value, label: label(value) })) : numberTicks(place, 7, format));
  const lines = titleOf(x.title);
  return { ticks, place, title: lines, height: heightBelow(lines.length) };
}

/** Pixels between the outermost points and the frame, which half a marker needs. */
const ROOM = 6;

/** The y scale of a panel. Bars and steps are compared by their heights, so that these begin at 0. */
function upwardScale(
  figure: Figure,
  panel: number,
  height: number,
): { scale: NumberScale; values: number[] } {
  const { y, kind, panels, sharesY } = figure;
  const isLog = y.scale === 'log';
  const shown = sharesY ? panels.map((_, index) => index) : [panel];
  const values = shown
    .flatMap((index) => plotRows(figure, index))
    .flatMap((row) => [row.y, row.low, row.high])
    .filter((value) => value != null)
    .filter((value) => !isLog || value > 0);
  const begins = !isLog && kind !== 'line';
  const ends = begins ? [0, ...values] : values;
  return { scale: numberScale(ends, [height, 0], { isLog, room: begins ? 0 : ROOM, isNice: true }), values };
}

function panelOf(
  figure: Figure,
  index: number,
  { columns, width, height }: Layout,
  { names }: NamedLooks,
): Panel {
  const rows = plotRows(figure, index);
  const { scale, values } = upwardScale(figure, index, height);
  const isLowest = index + columns >= figure.panels.length;
  return {
    index,
    rows,
    x: acrossAxis(figure, rows, names, isLowest, width),
    y: scale,
    yTicks: numberTicks(scale, 5, tickFormat(values, figure.y)),
    yTitle: index % columns === 0 ? titleLines(figure.y.title, figure.y.unit, height) : [],
  };
}

/** Bands, lines and markers of one series. */
function seriesMarks(
  figure: Figure,
  rows: readonly PlotRow[],
  look: SeriesLook,
  [placeX, placeY]: readonly [NumberScale, NumberScale],
  view: PageView | undefined,
): { readonly band: string; readonly path: string; readonly markers: string } {
  const isStep = figure.kind === 'step';
  const curve = isStep ? curveStepAfter : curveLinear;
  const x = (row: PlotRow) => placeX(Number(row.x));
  const band = area<PlotRow>(
    x,
    (row) => placeY(row.low ?? 0),
    (row) => placeY(row.high ?? 0),
  )
    .defined(({ low, high }) => low !== undefined && high !== undefined)
    .curve(curve)
    .digits(2)(rows);
  const path = line<PlotRow>(x, (row) => placeY(row.y ?? 0))
    .defined(({ y }) => y !== null)
    .curve(curve)
    .digits(2)(rows);
  const edge = isStep
    ? 'fill-opacity="0.3"'
    : `fill-opacity="0.1" stroke="${look.color}" stroke-opacity="0.6" stroke-width="0.6"`;
  const points = isStep ? [] : rows.filter(({ y }) => y !== null);
  const at = (row: PlotRow) => [x(row), placeY(row.y ?? 0)] as const;
  return {
    band: band ? `<path d="${band}" fill="${look.color}" ${edge}/>` : '',
    path: path
      ? `<path d="${path}" fill="none" stroke="${look.color}" stroke-width="${isStep ? 1.1 : 1.4}" stroke-linejoin="round"${dashOf(look)}/>`
      : '',
    markers:
      points.map((row) => markerAt(...at(row), look, 30)).join('') +
      // What a live line is asked by: wide enough to be met.
      (view === undefined ? [] : points)
        .map((row) => {
          const [cx, cy] = at(row).map(coordinate);
          return `<circle class="target" cx="${cx}" cy="${cy}" r="8" opacity="0"${storyOf(row, view)}/>`;
        })
        .join(''),
  };
}

function lineMarks(
  figure: Figure,
  { rows, y }: Panel,
  place: NumberScale,
  { names, looks }: NamedLooks,
  view?: PageView,
) {
  const drawn = names.map((name, i) => {
    const own = rows.filter(({ series }) => series === name);
    return seriesMarks(figure, own, looks[i] as SeriesLook, [place, y], view);
  });
  return (['band', 'path', 'markers'] as const).flatMap((layer) => drawn.map((each) => each[layer])).join('');
}

/** Bars, or points where bars would have no foot, with their ranges as whiskers. */
function groupMarks(
  figure: Figure,
  { rows, y }: Panel,
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
        `<line x1="${coordinate(middle)}" x2="${coordinate(middle)}" y1="${coordinate(y(row.low))}" y2="${coordinate(y(row.high))}" stroke="${INK}"/>`,
      );
    if (row.y === null) return [];
    const look = looks[names.indexOf(row.series)] as SeriesLook;
    const story = storyOf(row, view);
    if (!areBars) return [markerAt(middle, y(row.y), look, 45, story)];
    const [top, foot] = [y(row.y), y(0)].sort((a, b) => a - b) as [number, number];
    const [w, h] = [within.bandwidth(), foot - top].map(coordinate);
    return [
      `<rect class="bar" x="${coordinate(left)}" y="${coordinate(top)}" width="${w}" height="${h}" fill="${look.color}" stroke="${INK}" stroke-width="0.4"${story}/>`,
    ];
  });
  return areBars ? marks.join('') + whiskers.join('') : whiskers.join('') + marks.join('');
}

/** Names of categories below a panel: upright where they are too long to stand side by side. */
function categoryLabels(groups: ScaleBand<string>, isLevel: boolean, height: number): string {
  return groups
    .domain()
    .map((name) => {
      const middle = (groups(name) ?? 0) + groups.bandwidth() / 2;
      if (isLevel) return textAt(middle, height + 15, name, 'middle');
      const turned = ` transform="translate(${coordinate(middle + 3.5)},${coordinate(height + 6)}) rotate(-90)"`;
      return textAt(0, 0, name, 'end', turned);
    })
    .join('');
}

/** A panel at a place: axes, frame, marks, title. */
function drawPanel(
  figure: Figure,
  panel: Panel,
  { width, height }: Layout,
  [left, top]: readonly [number, number],
  room: number,
  looks: NamedLooks,
  view?: PageView,
): string {
  const { x, y, yTicks, yTitle, index } = panel;
  const foot =
    'groups' in x
      ? categoryLabels(x.groups, x.isLevel, height) +
        titleBelow(x.title, width / 2, height + x.height - heightBelow(x.title.length, 0) + 4)
      : axisBelow({ ...x, left: 0, right: width, bottom: height, ends: [-room, width + room] });
  const beside = axisLeft({
    ticks: yTicks,
    place: y,
    left: 0,
    right: width,
    top: 0,
    bottom: height,
    title: yTitle,
  });
  const isPart = figure.x.range !== undefined;
  const clip = `clip-${index}-${figure.id}`;
  const marks =
    'groups' in x
      ? groupMarks(figure, panel, [x.groups, x.within], looks, view)
      : lineMarks(figure, panel, x.place, looks, view);
  const across = 'groups' in x || view === undefined ? '' : ` data-domain="${x.place.domain().join(' ')}"`;
  const { title } = figure.panels[index] as Figure['panels'][number];
  const clipped = isPart
    ? `<clipPath id="${clip}"><rect width="${width}" height="${height}"/></clipPath><g clip-path="url(#${clip})">${marks}</g>`
    : marks;
  return (
    `<g transform="translate(${coordinate(left)},${coordinate(top)})">` +
    `<g fill="${INK}">${beside}${foot}${title === '' ? '' : textAt(0, -7, title, 'start', ' font-size="11.5px" font-weight="bold"')}</g>` +
    `<rect class="plot-area" width="${width}" height="${height}" ${FAINT}${across}/>${clipped}</g>`
  );
}

/** The legend above the panels. */
function legendOf(figure: Figure, { names, looks }: NamedLooks): Legend {
  const entries = names.map((name, i) => {
    const look = looks[i] as SeriesLook;
    const line = (x: number, y: number) =>
      `<path d="M${x} ${y}h30" stroke="${look.color}" stroke-width="1.6"${dashOf(look)}/>`;
    const sample = (x: number, y: number) => {
      if (isGrouped(figure)) return markerAt(x + 7, y, look, hasBars(figure) ? 130 : 36);
      return line(x, y) + (figure.kind === 'step' ? '' : markerAt(x + 15, y, look, 36));
    };
    return { name, sample };
  });
  return drawLegend(entries, isGrouped(figure) ? 14 : 30, PADDING, LEGEND_WIDTH);
}

/** What a figure without a caption shows, for those who cannot see it. */
function describe({ x, y }: Figure, names: readonly string[]): string {
  return `${y.title} by ${x.title}${names.length > 1 ? `, for ${names.join(', ')}` : ''}.`;
}

/** Sums of what comes before each of some lengths, and of all. */
function offsets(lengths: readonly number[], gap: number): number[] {
  const sums = [0];
  for (const length of lengths) sums.push((sums.at(-1) as number) + length + gap);
  return sums;
}

/** Draws a figure as SVG. */
export function figureSvg(figure: Figure, view?: PageView): string {
  const looks = figureLooks(figure);
  const legend =
    looks.names.length > 1 && view === undefined ? legendOf(figure, looks) : drawLegend([], 0, 0, 0);
  const top = PADDING + (legend.height === 0 ? 0 : legend.height + 4);
  const words = { ...figure, caption: figure.caption || describe(figure, looks.names) };
  const svgOf = (width: number, height: number, drawn: string) =>
    svgOpening(words, Math.ceil(width), Math.ceil(height), FONT) +
    `<g font-size="${LABEL_SIZE}px"><g fill="${INK}" transform="translate(0,${PADDING})">${legend.markup}</g>${drawn}</g></svg>`;
  if (figure.kind === 'dots') {
    const isNarrow = view !== undefined && view.width < NARROW;
    const { markup, width, height } = drawDots(figure, looks, legend, top, isNarrow, view);
    return svgOf(
      width + 2 * PADDING,
      height + PADDING,
      `<g transform="translate(${PADDING},0)">${markup}</g>`,
    );
  }
  const layout = layoutFor(figure.panels.length, view?.width);
  const { columns, width, height } = layout;
  const panels = figure.panels.map((_, index) => panelOf(figure, index, layout, looks));
  const inColumn = (column: number) => panels.filter(({ index }) => index % columns === column);
  const inRow = (row: number) => panels.filter(({ index }) => Math.floor(index / columns) === row);
  const lefts = Array.from({ length: Math.min(columns, panels.length) }, (_, column) =>
    Math.max(...inColumn(column).map(({ yTicks, yTitle }) => widthLeft(yTicks, yTitle.length))),
  );
  const heights = Array.from({ length: Math.ceil(panels.length / columns) }, (_, row) => {
    const isTitled = inRow(row).some(({ index }) => figure.panels[index]?.title !== '');
    const below = Math.max(...inRow(row).map(({ x }) => x.height));
    return { above: isTitled ? TITLED : UNTITLED, all: (isTitled ? TITLED : UNTITLED) + height + below };
  });
  const room = COLUMN_GAP / 2;
  const across = offsets(
    lefts.map((left) => left + width),
    COLUMN_GAP,
  );
  const down = offsets(
    heights.map(({ all }) => all),
    ROW_GAP,
  );
  const drawn = panels.map((panel) => {
    const [column, row] = [panel.index % columns, Math.floor(panel.index / columns)];
    const left = PADDING + (across[column] as number) + (lefts[column] as number);
    const y = top + (down[row] as number) + (heights[row]?.above ?? 0);
    return drawPanel(figure, panel, layout, [left, y], room, looks, view);
  });
  const all = Math.max((across.at(-1) as number) - COLUMN_GAP + room, legend.width) + 2 * PADDING;
  return svgOf(all, top + (down.at(-1) as number) - ROW_GAP + PADDING, drawn.join(''));
}
