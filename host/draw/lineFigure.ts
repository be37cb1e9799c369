/** Lines of figures: their bands, markers, and the names at their ends. */
import { area, curveLinear, curveStepAfter, line } from 'd3-shape';
import { LABEL_SIZE, type NumberScale, textAt } from './axes.js';
import type { Figure, NamedLooks, PlotRow } from './figureModel.js';
import { dashAttribute, markerAt, type PageView } from './marks.js';
import { type SeriesLook, TEXT_COLOR } from './palette.js';
import { coordinateText, textWidth } from './svg.js';

/**
 * Largest number of overlapping interval bands that are drawn; with more, a page shows only the band of the
 * line under the pointer.
 */
const MAX_BANDS = 3;

/** True if all interval bands of a figure are drawn. */
export function hasAllBands({ panels }: Pick<Figure, 'panels'>): boolean {
  const banded = panels.flatMap(({ series }) =>
    series.filter(({ points }) => points.some(({ low }) => low !== undefined)).map(({ name }) => name),
  );
  return new Set(banded).size <= MAX_BANDS;
}

/** Horizontal and vertical scale of a panel. */
type LineScales = readonly [x: NumberScale, y: NumberScale];

/** SVG of one series in three layers: interval band, line, markers. */
function seriesMarks(
  figure: Figure,
  rows: readonly PlotRow[],
  look: SeriesLook,
  [placeX, placeY]: LineScales,
  isBandShown: boolean,
): readonly [band: string, path: string, markers: string] {
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
    : `fill-opacity="0.15" stroke="${look.color}" stroke-opacity="0.6" stroke-width="0.6"`;
  const points = isStep ? [] : rows.filter(({ y }) => y !== null);
  // Steps over time may go up and down within a pixel, so they are drawn with a thinner line.
  const width = isStep && figure.x.time !== undefined ? 1.1 : 1.4;
  return [
    band
      ? `<path class="band" d="${band}" fill="${look.color}" ${edge}${isBandShown ? '' : ' display="none"'}/>`
      : '',
    path
      ? `<path class="line" d="${path}" fill="none" stroke="${look.color}" stroke-width="${width}" stroke-linejoin="round"${dashAttribute(look)}/>`
      : '',
    points.map((row) => markerAt(x(row), placeY(row.y ?? 0), look, 30)).join(''),
  ];
}

/**
 * SVG of all lines of a panel: bands below lines below markers. Elements carry the index of their series
 * for pages.
 */
export function lineMarks(
  figure: Figure,
  rows: readonly PlotRow[],
  places: LineScales,
  { names, looks }: NamedLooks,
  view?: PageView,
): string {
  const isBandShown = hasAllBands(figure);
  // Hidden bands are drawn only for pages, which can make them visible.
  const shown = isBandShown || view !== undefined ? [0, 1, 2] : [1, 2];
  const drawn = names.map((name, i) => {
    const own = rows.filter(({ series }) => series === name);
    return seriesMarks(figure, own, looks[i] as SeriesLook, places, isBandShown);
  });
  return shown
    .map((layer) => {
      const marks = drawn.map((each) => each[layer] ?? '');
      if (view === undefined) return marks.join('');
      return marks.map((mark, i) => (mark === '' ? '' : `<g data-series="${i}">${mark}</g>`)).join('');
    })
    .join('');
}

// Names at the right ends of lines, moved apart where several lines end close together.

/** Height in pixels of a name, and length of the line that connects it to the end of its series. */
const [NAME_HEIGHT, LEADER_LENGTH] = [13, 26];

/** Right end of a line, with the name of its series. */
interface LineEnd {
  readonly name: string;
  readonly look: SeriesLook;
  readonly x: number;
  readonly y: number;
}

/** Width in pixels for names right of the lines; 0 if the names are in a legend. */
export function widthForNames({ panels, kind, x }: Figure, { names }: NamedLooks, height: number): number {
  const series = panels[0]?.series.filter(({ points }) => points.length > 0) ?? [];
  const last = new Set(series.map(({ points }) => points.findLast(({ y }) => y !== null)?.x));
  const isFitting = series.length > 1 && series.length * NAME_HEIGHT <= height + NAME_HEIGHT;
  if (kind !== 'line' || panels.length > 1 || x.range !== undefined || last.size !== 1 || !isFitting)
    return 0;
  return LEADER_LENGTH + 6 + Math.ceil(Math.max(...names.map((name) => textWidth(name, LABEL_SIZE))));
}

/**
 * Heights for labels, as close as possible to the wanted ones without overlap; labels that are too close
 * are spread around their mean.
 */
function spreadLabels(places: readonly number[], height: number): number[] {
  const groups: { sum: number; count: number }[] = [];
  const meanOf = ({ sum, count }: { sum: number; count: number }) => sum / count;
  for (const [i, y] of places.entries()) {
    let group = { sum: y - i * NAME_HEIGHT, count: 1 };
    for (
      let last = groups.at(-1);
      last !== undefined && meanOf(last) >= meanOf(group);
      last = groups.at(-1)
    ) {
      groups.pop();
      group = { sum: last.sum + group.sum, count: last.count + group.count };
    }
    groups.push(group);
  }
  const placed = groups
    .flatMap((group) => Array.from({ length: group.count }, () => meanOf(group)))
    .map((y, i) => Math.max(0, y) + i * NAME_HEIGHT);
  let most = height;
  for (let i = placed.length - 1; i >= 0; i--) {
    placed[i] = Math.min(placed[i] as number, most);
    most = (placed[i] as number) - NAME_HEIGHT;
  }
  return placed;
}

/** SVG of the names of lines, right of their ends. */
export function namesAtEnds(
  rows: readonly PlotRow[],
  [placeX, placeY]: LineScales,
  { names, looks }: NamedLooks,
  [width, height]: readonly [number, number],
): string {
  const ends = names.flatMap((name, i): LineEnd[] => {
    const last = rows.findLast(({ series, y }) => series === name && y !== null);
    if (last === undefined) return [];
    return [{ name, look: looks[i] as SeriesLook, x: placeX(Number(last.x)), y: placeY(last.y as number) }];
  });
  ends.sort((a, b) => a.y - b.y);
  const levels = spreadLabels(
    ends.map(({ y }) => y),
    height,
  );
  const named = ends.map(({ name, look, x, y }, i) => {
    const level = levels[i] as number;
    const marker = width + LEADER_LENGTH - 8;
    const leader = `M${coordinateText(x)} ${coordinateText(y)}L${coordinateText(marker)} ${coordinateText(level)}`;
    return (
      `<path d="${leader}" fill="none" stroke="${look.color}" stroke-opacity="0.5" stroke-width="0.7"/>` +
      markerAt(marker, level, look, 30) +
      textAt(width + LEADER_LENGTH, level + 3.5, name, 'start', ` fill="${TEXT_COLOR}"`)
    );
  });
  return `<g class="names">${named.join('')}</g>`;
}
