/** Axes of a panel: scales, titles, ticks. */

import { plotRows } from './rows.js';
import { textLines, textWidth } from './svg.js';
import { timeTicks } from './timeTicks.js';
import type { Figure, FigureAxis, Spec } from './types.js';

/** As many different values as can all have a tick. */
const MOST_TICKS = 8;
/** Pixels between the names of categories. */
const LABEL_GAP = 4;
/** From here on thousands are written `20k`. */
const LARGE = 20_000;

/** Sizes of the labels and the title of an axis. */
export const AXIS_FONTS = { labelFontSize: 10.5, titleFontSize: 11.5 };

/** Title and unit, `average response time [s]`, in lines no longer than the axis. */
function axisTitle({ title, unit }: FigureAxis, length: number): string[] {
  return textLines(unit === undefined ? title : `${title} [${unit}]`, AXIS_FONTS.titleFontSize, length);
}

/** As many decimals as tell about five ticks between the least and the largest share apart. */
function percentDecimals(values: readonly number[]): number {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  if (!(most > least)) return 0;
  return Math.max(0, Math.ceil(-Math.log10((most - least) / 5)) - 2);
}

/** How the numbers at the ticks of an axis with such values are written. */
function tickLabels(values: readonly number[], { format }: FigureAxis): Spec {
  const sign = format?.isSigned ? '+' : '';
  if (format?.style === 'percent') {
    return { format: `${sign},.${format.decimals ?? percentDecimals(values)}%` };
  }
  if (format?.style === 'fixed') return { format: `${sign},.${format.decimals ?? 0}f` };
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  if (largest < LARGE) return { labelExpr: "datum.label === '' ? '' : format(datum.value, ',.6~r')" };
  return {
    labelExpr: "datum.label === '' || datum.value === 0 ? datum.label && '0' : format(datum.value, '~s')",
  };
}

/** Pixels between the outermost points and the frame, which half a marker needs. */
const ROOM = 6;

/** The scale of the values of some panels. Bars and steps are compared by their heights, so that these begin at 0. */
function valueScale({ y, kind }: Figure, values: readonly number[]): Spec {
  const isLog = y.scale === 'log';
  const drawn = isLog ? values.filter((value) => value > 0) : values;
  const standing = !isLog && kind !== 'line';
  const ends = standing ? [0, ...drawn] : drawn;
  return {
    ...(isLog ? { type: 'log' } : { zero: standing }),
    nice: !isLog,
    ...(standing ? {} : { padding: ROOM }),
    ...(drawn.length === 0
      ? {}
      : {
          domainMin: ends.reduce((a, b) => Math.min(a, b)),
          domainMax: ends.reduce((a, b) => Math.max(a, b)),
        }),
  };
}

/** Ticks at given places with given labels. */
function givenTicks(ticks: NonNullable<FigureAxis['ticks']>): Spec {
  const labels = JSON.stringify(ticks.map(({ label }) => label));
  const values = ticks.map(({ value }) => value);
  return {
    values,
    labelExpr: `${labels}[indexof(${JSON.stringify(values)}, datum.value)]`,
    labelOverlap: true,
  };
}

/** Ticks and title of an axis of times, for the part that is shown. */
function withTimes(x: FigureAxis, values: readonly (number | string)[]): FigureAxis {
  const numbers = values.filter((value) => typeof value === 'number');
  if (x.time === undefined || numbers.length === 0) return x;
  const [from, to] = x.range ?? [Math.min(...numbers), Math.max(...numbers)];
  const { ticks, title } = timeTicks(from, to, x.time.beginning);
  return { ...x, title, ticks: ticks.map(({ time, label }) => ({ value: time, label })) };
}

/** Categories with their names below them: upright where they are too long to stand side by side. */
function categories(names: readonly string[], title: string[] | null, width: number): Spec {
  const room = width / names.length - LABEL_GAP;
  const isLevel = names.every((name) => textWidth(name, AXIS_FONTS.labelFontSize) <= room);
  const labels = isLevel ? { labelAngle: 0 } : { labelAngle: -90, labelLimit: 0 };
  return {
    field: 'x',
    type: 'ordinal',
    sort: null,
    axis: { title, ...labels, labelOverlap: true, grid: false },
  };
}

/** The x axis of a panel as vega-lite encodes it: few different numbers have a tick each. */
export function xAxis(figure: Figure, panel: number, hasTitle: boolean, width: number): Spec {
  const { kind } = figure;
  const values = figure.panels[panel].series.flatMap(({ points }) => points.map((point) => point.x));
  const x = withTimes(figure.x, values);
  const title = hasTitle ? axisTitle(x, width) : null;
  const numbers = values.filter((value) => typeof value === 'number');
  if (kind === 'bar' || numbers.length < values.length) {
    const drawn = plotRows(figure, panel).filter((row) => row.y !== null);
    return categories([...new Set(drawn.map((row) => String(row.x)))], title, width);
  }
  const different = [...new Set(numbers)].sort((a, b) => a - b);
  const hasTickEach = different.length <= MOST_TICKS && x.scale !== 'log' && x.range === undefined;
  return {
    field: 'x',
    type: 'quantitative',
    scale: {
      type: x.scale ?? 'linear',
      nice: false,
      ...(x.scale === 'log' ? {} : { zero: false }),
      padding: kind === 'step' ? 0 : 8,
      ...(x.range === undefined ? {} : { domain: x.range }),
    },
    axis: {
      title,
      grid: false,
      ...(x.ticks !== undefined
        ? givenTicks(x.ticks)
        : { ...(hasTickEach ? { values: different } : { tickCount: 7 }), ...tickLabels(numbers, x) }),
    },
  };
}

/** The y axis of a panel as vega-lite encodes it. */
export function yAxis(figure: Figure, panel: number, hasTitle: boolean, height: number): Spec {
  const { y, panels, sharesY } = figure;
  const shown = sharesY ? panels.map((_, index) => index) : [panel];
  const rows = shown.flatMap((index) => plotRows(figure, index));
  const values = rows.flatMap((row) => [row.y, row.low, row.high]).filter((value) => value != null);
  return {
    field: 'y',
    type: 'quantitative',
    scale: valueScale(figure, values),
    axis: { title: hasTitle ? axisTitle(y, height) : null, tickCount: 5, ...tickLabels(values, y) },
  };
}
