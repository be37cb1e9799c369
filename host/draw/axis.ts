/** Axes of a panel: scales, titles, ticks. */

import { plotRows } from './rows.js';
import { timeTicks } from './timeTicks.js';
import type { Figure, FigureAxis, Spec } from './types.js';

/** As many different values as can all have a tick. */
const MOST_TICKS = 8;
/** From here on thousands are written `20k`. */
const LARGE = 20_000;

/** Title and unit: `average response time [s]`. */
function axisTitle({ title, unit }: FigureAxis): string {
  return unit === undefined ? title : `${title} [${unit}]`;
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

/** The range of a logarithmic axis, a little wider than its values. */
function logDomain(values: readonly number[]): Spec {
  const positive = values.filter((value) => value > 0);
  if (positive.length === 0) return {};
  return { domainMin: Math.min(...positive) / 1.08, domainMax: Math.max(...positive) * 1.08 };
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

/** The x axis of a panel as vega-lite encodes it: few different numbers have a tick each. */
export function xAxis(figure: Figure, panel: number, hasTitle: boolean): Spec {
  const { kind } = figure;
  const values = figure.panels[panel].series.flatMap(({ points }) => points.map((point) => point.x));
  const x = withTimes(figure.x, values);
  const title = hasTitle ? axisTitle(x) : null;
  const numbers = values.filter((value) => typeof value === 'number');
  if (kind === 'bar' || numbers.length < values.length) {
    return {
      field: 'x',
      type: 'ordinal',
      sort: null,
      axis: { title, labelAngle: 0, labelOverlap: true, grid: false },
    };
  }
  const different = [...new Set(numbers)].sort((a, b) => a - b);
  const hasTickEach = different.length <= MOST_TICKS && x.scale !== 'log' && x.range === undefined;
  return {
    field: 'x',
    type: 'quantitative',
    scale: {
      type: x.scale ?? 'linear',
      nice: false,
      ...(x.scale === 'log' ? {} : { zero: x.hasZero ?? false }),
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
export function yAxis(figure: Figure, panel: number, hasTitle: boolean): Spec {
  const { y, kind, panels, sharesY } = figure;
  const shown = sharesY ? panels.map((_, index) => index) : [panel];
  const rows = shown.flatMap((index) => plotRows(figure, index));
  const values = rows.flatMap((row) => [row.y, row.low, row.high]).filter((value) => value != null);
  const hasZero = y.hasZero ?? kind !== 'line';
  const scale =
    y.scale === 'log'
      ? { type: 'log', nice: false, ...logDomain(values) }
      : { zero: hasZero, nice: true, ...(values.length === 0 ? {} : linearDomain(values, hasZero)) };
  return {
    field: 'y',
    type: 'quantitative',
    scale,
    axis: { title: hasTitle ? axisTitle(y) : null, tickCount: 5, ...tickLabels(values, y) },
  };
}

function linearDomain(values: readonly number[], hasZero: boolean): Spec {
  const least = values.reduce((a, b) => Math.min(a, b));
  const most = values.reduce((a, b) => Math.max(a, b));
  return hasZero
    ? { domainMin: Math.min(0, least), domainMax: Math.max(0, most) }
    : { domainMin: least, domainMax: most };
}
