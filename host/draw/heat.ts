/** Heat maps: a row for each series, a column for each place of the x axis, the value as a shade, and below the map the key to the shades. */
import { axisBelow, FAINT, heightBelow, LABEL_SIZE, numberScale, textAt, titleLines } from './axes.js';
import { type Figure, type NamedLooks, plotRows } from './figureModel.js';
import { type PageView, storyOf, valueTicks } from './marks.js';
import { INK } from './palette.js';
import { coordinate, textWidth } from './svg.js';

/** Height of a row, on wide pages and on narrow ones; of the key. */
const [ROW, NARROW_ROW, KEY] = [24, 18, 9];
/** Between the names of rows and the map, between cells, above a panel with a title and without, below it, around all. */
const [GAP, SEAM, TITLED, UNTITLED, BETWEEN, PADDING] = [8, 1, 22, 6, 12, 5];
/** The shade of the least value, so that it differs from a cell without one; shades of the key. */
const [PALEST, KEY_SHADES] = [0.06, 48];

/** The opacity of a share of the way from the least value to the largest. */
const shadeOf = (share: number) => coordinate(PALEST + (1 - PALEST) * share);

/** Place of the map of every panel. */
interface Layout {
  readonly left: number;
  readonly cell: number;
  readonly row: number;
}

/** A panel from a height on: names of rows, cells, the axis below, the key. */
function drawPanel(
  figure: Figure,
  index: number,
  { left, cell, row }: Layout,
  top: number,
  { names, looks }: NamedLooks,
  view?: PageView,
): { readonly markup: string; readonly height: number } {
  const { x, y, panels, sharesY } = figure;
  const rows = plotRows(figure, index);
  const columns = [...new Set(rows.map((each) => each.x))];
  const shared = sharesY ? panels.flatMap((_, each) => plotRows(figure, each)) : rows;
  const values = shared.map((each) => each.y).filter((value) => value !== null);
  const [width, height] = [cell * columns.length, row * names.length];
  const isLog = y.scale === 'log';
  const place = numberScale(values, [0, width], { isLog, isNice: !isLog });
  const color = looks[0]?.color ?? INK;
  const cells = rows.map((each) => {
    if (each.y === null) return '';
    const [column, line] = [columns.indexOf(each.x), names.indexOf(each.series)];
    const [size, shade] = [[cell - SEAM, row - SEAM], shadeOf(place(each.y) / width)] as const;
    return `<rect class="cell" x="${cell * column}" y="${row * line}" width="${size[0]}" height="${size[1]}" fill="${color}" fill-opacity="${shade}"${storyOf(each, view)}/>`;
  });
  const labels = names.map((name, i) => textAt(-GAP, row * (i + 0.5) + 3.5, name, 'end'));
  const ends = [-left, width + PADDING] as const;
  const titleOf = (title: string, unit?: string) => titleLines(title, unit, width);
  const below = {
    ticks: columns.map((each, i) => ({ value: i, label: String(each) })),
    place: (i: number) => cell * (i + 0.5),
    title: titleOf(x.title, x.unit),
  };
  const keyTop = height + heightBelow(below.title.length) + GAP;
  const { ticks, unit } = valueTicks(place, Math.max(2, Math.round(width / 90)), place.domain(), y);
  const key = { ticks, place, title: titleOf(y.title, unit) };
  const step = width / KEY_SHADES;
  const shades = Array.from(
    { length: KEY_SHADES },
    (_, i) =>
      `<rect x="${coordinate(step * i)}" y="${keyTop}" width="${coordinate(step)}" height="${KEY}" fill="${color}" fill-opacity="${shadeOf(i / (KEY_SHADES - 1))}"/>`,
  );
  const heading = panels[index]!.title;
  const above = heading === '' ? UNTITLED : TITLED;
  const frame = { left: 0, right: width, ends };
  const markup =
    `<g transform="translate(${left},${coordinate(top + above)})" fill="${INK}">` +
    (heading === '' ? '' : textAt(0, -8, heading, 'start', ' font-size="11.5px" font-weight="bold"')) +
    labels.join('') +
    axisBelow({ ...below, ...frame, bottom: height }) +
    `<g>${shades.join('')}</g>${axisBelow({ ...key, ...frame, bottom: keyTop + KEY })}` +
    `<g><rect class="plot-area" width="${width}" height="${height}" ${FAINT}/>${cells.join('')}</g></g>`;
  return { markup, height: above + keyTop + KEY + heightBelow(key.title.length) };
}

/**
 * The inside of a heat map.
 * @param from where it begins, in pixels from the top.
 * @param pageWidth pixels across; cells are as wide as it lets them be.
 */
export function drawHeat(
  figure: Figure,
  looks: NamedLooks,
  from: number,
  pageWidth: number,
  isNarrow: boolean,
  view?: PageView,
): { readonly markup: string; readonly width: number; readonly height: number } {
  const all = figure.panels.map((_, index) => new Set(plotRows(figure, index).map(({ x }) => x)).size);
  const names = Math.ceil(Math.max(0, ...looks.names.map((name) => textWidth(name, LABEL_SIZE))));
  const left = PADDING + names + GAP;
  const cell = Math.max(SEAM + 1, Math.floor((pageWidth - left - 2 * PADDING) / Math.max(1, ...all)));
  const layout = { left, cell, row: isNarrow ? NARROW_ROW : ROW };
  let top = from;
  const drawn = figure.panels.map((_, index) => {
    const { markup, height } = drawPanel(figure, index, layout, top, looks, view);
    top += height + BETWEEN;
    return markup;
  });
  return { markup: drawn.join(''), width: pageWidth, height: top - BETWEEN + PADDING };
}
