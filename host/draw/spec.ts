/** Figures as specifications of vega-lite: small multiples in a grid, one legend above them. */

import { AXIS_FONTS, xAxis, yAxis } from './axis.js';
import { legendSpec } from './legend.js';
import { FONT, INK, type NamedLooks, type SeriesLook, seriesLooks } from './palette.js';
import { hasBars, hasRanges, isGrouped, plotRows, seriesNames } from './rows.js';
import type { Figure, Spec } from './types.js';

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
  return LAYOUTS[panels === 1 ? 0 : panels === 2 || panels === 4 ? 1 : 2];
}

/** Encodings of color, marker and dash that are the same in every panel. */
function lookEncodings({ names, looks }: NamedLooks): Record<'color' | 'shape' | 'strokeDash', Spec> {
  const by = (range: readonly unknown[]) => ({
    field: 'series',
    type: 'nominal',
    scale: { domain: names, range },
    legend: null,
  });
  return {
    color: by(looks.map(({ color }) => color)),
    shape: by(looks.map(({ marker }) => marker)),
    strokeDash: by(looks.map(({ dash }) => dash)),
  };
}

/** Of bands, which lie over each other; their edges tell them apart. */
const BAND_OPACITY = 0.1;

function rangeLayers(figure: Figure, x: Spec, y: Spec, color: Spec): Spec[] {
  if (!hasRanges(figure)) return [];
  const isStep = figure.kind === 'step';
  const band = {
    type: 'area',
    interpolate: isStep ? 'step-after' : 'linear',
    fillOpacity: isStep ? 0.3 : BAND_OPACITY,
    strokeWidth: isStep ? 0 : 0.6,
    strokeOpacity: 0.6,
  };
  const encoding = { x, y: { ...y, field: 'low' }, y2: { field: 'high' }, fill: color, stroke: color };
  return [{ mark: band, encoding }];
}

function lineLayers(figure: Figure, x: Spec, y: Spec, looks: NamedLooks): Spec[] {
  const { color, shape, strokeDash } = lookEncodings(looks);
  const isStep = figure.kind === 'step';
  const interpolate = isStep ? 'step-after' : 'linear';
  const line = { type: 'line', interpolate, strokeWidth: isStep ? 1.1 : 1.4, strokeJoin: 'round' };
  const point = { type: 'point', filled: true, size: 30, opacity: 1 };
  return [
    ...rangeLayers(figure, x, y, color),
    { mark: line, encoding: { x, y, color, strokeDash } },
    ...(isStep ? [] : [{ mark: point, encoding: { x, y, color, shape } }]),
  ];
}

/** Bars, or points where bars would have no foot, with their ranges as whiskers. */
function groupLayers(figure: Figure, x: Spec, y: Spec, looks: NamedLooks): Spec[] {
  const { color, shape } = lookEncodings(looks);
  const xOffset = { field: 'series', type: 'nominal', scale: { domain: looks.names } };
  const bars = { mark: { type: 'bar', stroke: INK, strokeWidth: 0.4 }, encoding: { x, xOffset, y, color } };
  const points = {
    mark: { type: 'point', filled: true, size: 45, opacity: 1 },
    encoding: { x, xOffset: { ...xOffset, bandPosition: 0.5 }, y, color, shape },
  };
  const range = {
    x,
    xOffset: { ...xOffset, bandPosition: 0.5 },
    y: { ...y, field: 'low' },
    y2: { field: 'high' },
  };
  const whiskers = { mark: { type: 'rule', color: INK, strokeWidth: 1 }, encoding: range };
  const ranges = hasRanges(figure) ? [whiskers] : [];
  return hasBars(figure) ? [bars, ...ranges] : [...ranges, points];
}

/** A title that begins where the panel does, whatever stands at its axes; none if it is empty. */
function titleLayers(text: string): Spec[] {
  if (text === '') return [];
  const style = { align: 'left', baseline: 'bottom', fontSize: 11.5, fontWeight: 'bold', color: INK };
  return [
    {
      data: { values: [{}] },
      mark: { type: 'text', text, ...style },
      encoding: { x: { value: 0 }, y: { value: -6 } },
    },
  ];
}

/** What a live line is asked by: its points, wide enough to be met, without a look of their own. */
function targetLayers({ x, y }: Record<'x' | 'y', Spec>): Spec[] {
  return [{ mark: { type: 'point', filled: true, size: 200, opacity: 0 }, encoding: { x, y } }];
}

/** The name of a panel of a live figure, which its scales and groups begin with. */
export function panelName(index: number): string {
  return `panel${index}`;
}

/** A layer of which nothing is drawn beyond the part of an axis that is shown. */
function clipped({ x }: Figure, layer: Spec): Spec {
  return x.range === undefined ? layer : { ...layer, mark: { ...(layer.mark as Spec), clip: true } };
}

function panelSpec(figure: Figure, index: number, layout: Layout, looks: NamedLooks, isLive: boolean): Spec {
  const { columns, width, height } = layout;
  const rows = plotRows(figure, index);
  const x = xAxis(figure, index, index + columns >= figure.panels.length, width);
  const y = yAxis(figure, index, index % columns === 0, height);
  const layers = isGrouped(figure) ? groupLayers : lineLayers;
  const targets = isLive && figure.kind === 'line' ? targetLayers({ x, y }) : [];
  return {
    ...(isLive ? { name: panelName(index) } : {}),
    width,
    height,
    data: { values: rows },
    layer: [
      ...[...layers(figure, x, y, looks), ...targets].map((layer) => clipped(figure, layer)),
      ...titleLayers(figure.panels[index].title),
    ],
  };
}

const CONFIG: Spec = {
  aria: false,
  font: FONT,
  background: null,
  view: { stroke: INK, strokeOpacity: 0.35 },
  axis: {
    domain: false,
    gridColor: INK,
    gridOpacity: 0.13,
    labelColor: INK,
    tickColor: INK,
    tickOpacity: 0.35,
    tickSize: 4,
    titleColor: INK,
    ...AXIS_FONTS,
    titleFontWeight: 'normal',
  },
};

/** Marks of a live figure that tell their values. */
const TELLING = { tooltip: { content: 'data' } };

/** What tells a bar beside its colour: nothing. */
const AREA = { marker: 'square', dash: [] };

/** The figures of one page: a name looks the same in all of them. */
export function ofOnePage(figures: readonly Figure[]): Figure[] {
  const names = [
    ...new Set(figures.flatMap((figure) => [figure, ...(figure.views ?? [])].flatMap(seriesNames))),
  ];
  return figures.map((figure) => ({ ...figure, namesOfPage: names }));
}

/** How all series of a figure look. */
export function figureLooks(figure: Figure): NamedLooks {
  const names = seriesNames(figure);
  const ofPage = figure.namesOfPage ?? names;
  const given = new Map(
    figure.panels.flatMap(({ series }) => series.map(({ name, color }) => [name, color] as const)),
  );
  const all = seriesLooks(ofPage.length);
  const looks = names.map((name): SeriesLook => {
    const look = all[ofPage.indexOf(name)];
    return { ...look, color: given.get(name) ?? look.color, ...(hasBars(figure) ? AREA : {}) };
  });
  return { names, looks };
}

/**
 * The specification of a figure for vega-lite.
 * @param pageWidth pixels of the page that asks it, if one does: then panels have names, marks tell their values, and the
 * legend is the page's.
 */
export function figureSpec(figure: Figure, pageWidth?: number): Spec {
  const isLive = pageWidth !== undefined;
  const looks = figureLooks(figure);
  const layout = layoutFor(figure.panels.length, pageWidth);
  const panels = figure.panels.map((_, index) => panelSpec(figure, index, layout, looks, isLive));
  const grid = {
    concat: panels,
    columns: layout.columns,
    spacing: { row: 10, column: 14 },
    align: 'each',
    // Groups are as wide as their own panel has room for.
    resolve: { scale: { xOffset: 'independent' } },
  };
  const hasLegend = looks.names.length > 1 && !isLive;
  return {
    $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
    config: isLive ? { ...CONFIG, point: TELLING, bar: TELLING } : CONFIG,
    padding: 4,
    vconcat: [...(hasLegend ? [legendSpec(looks, figure)] : []), grid],
    spacing: 10,
  };
}
