/**
 * Categories one below the other, in each the values of its series as dots with whiskers: estimates with their intervals,
 * differences beside a line at 0.
 */
import {
  axisBelow,
  FAINT,
  heightBelow,
  LABEL_SIZE,
  type NumberScale,
  numberScale,
  textAt,
  titleLines,
} from './axes.js';
import { type Figure, type FigureAxis, type NamedLooks, type PlotRow, plotRows } from './figureModel.js';
import { markerAt, type PageView, storyOf, valueTicks } from './marks.js';
import { INK, type SeriesLook } from './palette.js';
import { coordinate, textWidth } from './svg.js';

/** Names of categories are beside the dots where they leave them such a share of the width, else above. */
const MAX_NAMES = 0.34;
/** Height of a category, of each further series in it, and of its name where that is above. */
const [CATEGORY, SERIES, NAME] = [26, 12, 15];
const [GAP, ROOM, CAP, TITLED, UNTITLED, BETWEEN, PADDING] = [10, 14, 3.5, 22, 6, 10, 5];

/** A category with its values, and where its name begins. */
interface Category {
  readonly name: string;
  readonly rows: readonly PlotRow[];
  readonly top: number;
  readonly height: number;
}

/** Places of names, dots and remarks in a drawing. */
interface Layout {
  readonly isAbove: boolean;
  readonly left: number;
  readonly width: number;
  /** Right end of remarks. */
  readonly right: number;
  readonly hasRemarks: boolean;
}

function layoutOf(rows: readonly PlotRow[], most: number, isNarrow: boolean): Layout {
  const widest = (texts: readonly string[]) =>
    Math.ceil(Math.max(0, ...texts.map((text) => textWidth(text, LABEL_SIZE))));
  const names = widest(rows.map(({ x }) => String(x)));
  const remarks = widest(rows.map(({ remark = '' }) => remark));
  const isAbove = isNarrow || names > MAX_NAMES * most;
  const hasRemarks = remarks > 0 && (!isAbove || names + remarks + GAP < most);
  const left = isAbove ? 0 : names + GAP;
  const beside = hasRemarks && !isAbove ? remarks + GAP : 0;
  return { isAbove, left, width: most - left - beside, right: most, hasRemarks };
}

function categoriesOf(rows: readonly PlotRow[], isAbove: boolean): Category[] {
  let top = 0;
  return [...new Set(rows.map(({ x }) => String(x)))].map((name) => {
    const own = rows.filter(({ x }) => String(x) === name);
    const height = CATEGORY + (own.length - 1) * SERIES + (isAbove ? NAME : 0);
    top += height;
    return { name, rows: own, top: top - height, height };
  });
}

/** A dot at a height, its whisker behind it. */
function dotOf(row: PlotRow, y: number, place: NumberScale, look: SeriesLook, view?: PageView): string {
  const { low, high, y: value } = row;
  if (value === null) return '';
  const [left, right] = place.range() as [number, number];
  const inside = (bound: number) => Math.min(Math.max(place(bound), left), right);
  const [from, to] = [low ?? value, high ?? value].map((bound) => coordinate(inside(bound)));
  if (place(value) > right)
    return markerAt(right - ROOM / 2, y, { ...look, marker: 'triangle-right' }, 52, storyOf(row, view));
  const ends = [from, to].map((x) => `M${x} ${coordinate(y - CAP)}v${2 * CAP}`).join('');
  const whisker =
    from === to
      ? ''
      : `<path d="M${from} ${coordinate(y)}H${to}${ends}" fill="none" stroke="${look.color}" stroke-width="1.6"/>`;
  return whisker + markerAt(place(value), y, look, 52, storyOf(row, view));
}

/** A shaded part of the values. */
function zoneMarkup(zone: FigureAxis['zone'], place: NumberScale, height: number): string {
  if (zone === undefined) return '';
  const [from, to] = zone.map(place) as [number, number];
  return `<rect x="${coordinate(from)}" width="${coordinate(to - from)}" height="${height}" fill="${INK}" fill-opacity="0.08"/>`;
}

/** A line through all categories, left out where the name or the remark above the dots is. */
function lineThrough(
  x: number,
  categories: readonly Category[],
  { isAbove, right, hasRemarks }: Layout,
): string {
  const widthOf = (text: string) => textWidth(text, LABEL_SIZE) + PADDING;
  const isCovered = ({ name, rows }: Category) =>
    isAbove && (x < widthOf(name) || (hasRemarks && x > right - widthOf(rows[0]?.remark ?? '')));
  const spans: [from: number, to: number][] = [];
  for (const each of categories) {
    const from = each.top + (isCovered(each) ? NAME : 0);
    const to = each.top + each.height;
    const last = spans.at(-1);
    if (last?.[1] === from) last[1] = to;
    else spans.push([from, to]);
  }
  return spans.map(([from, to]) => `M${coordinate(x)} ${from}V${to}`).join('');
}

/** A panel from a height on: names, dots, remarks, the axis below. */
function drawPanel(
  figure: Figure,
  index: number,
  layout: Layout,
  top: number,
  { names, looks }: NamedLooks,
  view?: PageView,
): { readonly markup: string; readonly height: number } {
  const { y: axis, panels, sharesY } = figure;
  const { isAbove, left, width, right, hasRemarks } = layout;
  const rows = plotRows(figure, index);
  const shown = sharesY ? panels.flatMap((_, each) => plotRows(figure, each)) : rows;
  const values = shown.flatMap(({ y, low, high }) => [y, low, high]).filter((value) => value != null);
  const ends = axis.zone === undefined || values.length === 0 ? values : [...values, ...axis.zone];
  const isLog = axis.scale === 'log';
  const place = numberScale((isLog ? undefined : axis.range) ?? ends, [left, left + width], {
    isLog,
    room: ROOM,
  });
  const categories = categoriesOf(rows, isAbove);
  const height = categories.reduce((sum, each) => sum + each.height, 0);
  const { ticks, unit } = valueTicks(place, Math.max(3, Math.round(width / 90)), place.domain(), axis);
  const title = titleLines(axis.title, unit, width);
  const has = (value: number) => place(value) >= left && place(value) <= left + width;
  const up = (value: number) => lineThrough(place(value), categories, layout);
  const grid = ticks.map(({ value }) => up(value)).join('');
  const zero = !isLog && has(0) ? `<path d="${up(0)}" stroke="${INK}" stroke-opacity="0.75"/>` : '';
  const drawn = categories.map(({ name, rows: own, top: begin, height: all }) => {
    const middle = begin + all / 2 + (isAbove ? NAME / 2 : 0);
    const first = middle - ((own.length - 1) * SERIES) / 2;
    const level = isAbove ? begin + NAME - 2 : middle + 3.5;
    const dots = own.map((row, i) =>
      dotOf(row, first + i * SERIES, place, looks[names.indexOf(row.series)]!, view),
    );
    const remark = hasRemarks ? (own[0]?.remark ?? '') : '';
    return {
      texts:
        (isAbove ? textAt(2, level, name) : textAt(left - GAP, level, name, 'end')) +
        (remark === ''
          ? ''
          : textAt(right - (isAbove ? 2 : 0), level, remark, 'end', ' fill-opacity="0.75"')),
      dots: dots.join(''),
    };
  });
  const heading = panels[index]!.title;
  const above = heading === '' ? UNTITLED : TITLED;
  const frame = { left, right: left + width, bottom: height, ends: [0, right] as const };
  const markup =
    `<g transform="translate(0,${coordinate(top + above)})">` +
    `<g fill="${INK}">${heading === '' ? '' : textAt(left, -8, heading, 'start', ' font-size="11.5px" font-weight="bold"')}` +
    `<path d="${grid}" fill="none" stroke="${INK}" stroke-opacity="0.13"/>` +
    `${axisBelow({ ticks, place, title, ...frame })}${drawn.map(({ texts }) => texts).join('')}</g>` +
    `<rect class="plot-area" x="${coordinate(left)}" width="${coordinate(width)}" height="${height}" ${FAINT}/>` +
    `${zoneMarkup(axis.zone, place, height)}${zero}${drawn.map(({ dots }) => dots).join('')}</g>`;
  return { markup, height: above + height + heightBelow(title.length) };
}

/**
 * The inside of a figure of dots.
 * @param from where it begins, below the legend.
 */
export function drawDots(
  figure: Figure,
  looks: NamedLooks,
  from: number,
  pageWidth: number,
  isNarrow: boolean,
  view?: PageView,
): { readonly markup: string; readonly width: number; readonly height: number } {
  const most = pageWidth - 2 * PADDING;
  const layout = layoutOf(
    figure.panels.flatMap((_, index) => plotRows(figure, index)),
    most,
    isNarrow,
  );
  let top = from;
  const drawn = figure.panels.map((_, index) => {
    const { markup, height } = drawPanel(figure, index, layout, top, looks, view);
    top += height + BETWEEN;
    return markup;
  });
  const markup = `<g transform="translate(${PADDING},0)">${drawn.join('')}</g>`;
  return { markup, width: pageWidth, height: top - BETWEEN + PADDING };
}
