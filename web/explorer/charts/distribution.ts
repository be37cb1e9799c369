/** Distributions of runs side by side: which share of the jobs is not above x, on a logarithmic axis. */
import { labelsWithRoom, ROUND_TIMES } from '../../../host/draw/axes.js';
import type { FigurePoint } from '../../../host/draw/figureModel.js';
import { formatDuration, formatNumber } from '../../../host/format/numbers.js';
import { h, svg } from '../dom.js';
import { themeNow } from '../model.js';
import type { RunData } from '../protocol.js';
import { runLook } from './looks.js';

const [HEIGHT, LEFT, BOTTOM, TOP, RIGHT] = [220, 44, 26, 8, 12];
const TENS = [1, 10, 100, 1000, 10_000, 100_000].map((value) => [value, formatNumber(value)] as const);

/** What a chart is called, how many pixels wide it is, and whether its values are times. */
interface Shape {
  readonly title: string;
  readonly width: number;
  readonly isTime: boolean;
}

/** What the curves of all distributions are called, in a row of its own above them. */
export function distributionLegend(runs: readonly RunData[]): HTMLElement {
  const keys = runs.map(({ label }, place) => {
    const { color, dash } = runLook(place, themeNow());
    const look = { stroke: color, 'stroke-width': 1.8, 'stroke-dasharray': dash.join(' ') };
    const line = svg('line', { x1: 0, x2: 26, y1: 5, y2: 5, ...look });
    const sample = svg('svg', { viewBox: '0 0 26 10', 'aria-hidden': 'true', class: 'sample' }, line);
    return h('span', { className: 'key' }, sample, label);
  });
  return h('div', { className: 'legend' }, ...keys);
}

/** A chart of one distribution. */
export function distributionChart(
  { title, width, isTime }: Shape,
  runs: readonly RunData[],
  of: (run: RunData) => readonly FigurePoint[],
): HTMLElement {
  const theme = themeNow();
  const most = runs.reduce((largest, run) => Math.max(largest, Number(of(run).at(-1)?.x ?? 10)), 10);
  const x = (value: number) =>
    LEFT + (Math.log(Math.max(value, 1)) / Math.log(most)) * (width - LEFT - RIGHT);
  const y = (share: number) => HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - TOP);
  const text = (value: string, at: number, height: number, anchor: string) => {
    const element = svg('text', { x: at, y: height, 'text-anchor': anchor });
    element.textContent = value;
    return element;
  };
  const ticks = (isTime ? ROUND_TIMES : TENS)
    .filter(([value]) => value <= most)
    .map(([value, label]) => ({ value, label }));
  const grid = [0, 0.25, 0.5, 0.75, 1].flatMap((share) => [
    svg('line', { x1: LEFT, x2: width - RIGHT, y1: y(share), y2: y(share), class: 'grid' }),
    text(`${100 * share} %`, LEFT - 6, y(share) + 4, 'end'),
  ]);
  const below = [
    ...ticks.map(({ value }) =>
      svg('line', { x1: x(value), x2: x(value), y1: TOP, y2: HEIGHT - BOTTOM, class: 'grid' }),
    ),
    ...labelsWithRoom(ticks, x, [0, width]).map(({ label, middle }) =>
      text(label, middle, HEIGHT - 8, 'middle'),
    ),
  ];
  const curves = runs.map((run, place) => {
    const { color, dash } = runLook(place, theme);
    const steps = of(run).map((point, i) => {
      const [across, up] = [x(Number(point.x)).toFixed(1), y(point.y ?? 0).toFixed(1)];
      return i === 0 ? `M${across} ${up}` : `H${across}V${up}`;
    });
    return svg('path', {
      d: steps.join(''),
      fill: 'none',
      stroke: color,
      'stroke-width': 1.8,
      'stroke-dasharray': dash.join(' '),
    });
  });
  const said = runs.map((run) => {
    const half = of(run).find((point) => (point.y ?? 0) >= 0.5)?.x ?? 0;
    return `${run.label}: half of the jobs up to ${isTime ? formatDuration(Number(half)) : formatNumber(Number(half), 1)}`;
  });
  const picture = svg(
    'svg',
    { viewBox: `0 0 ${width} ${HEIGHT}`, role: 'img', 'aria-label': `${title}. ${said.join('; ')}` },
    ...grid,
    ...below,
    ...curves,
  );
  return h('figure', { className: 'distribution' }, h('h3', {}, title), picture);
}
