/** Exports the visible Gantt charts as SVG: both runs, legend and time axis. */
import { absenceLegendEntry, drawAbsences, hasAbsences } from '../../../host/draw/absences.js';
import {
  drawLegend,
  horizontalAxisHeight,
  LABEL_FONT_SIZE,
  svgTextElement,
} from '../../../host/draw/axes.js';
import { FONT_FAMILY, TEXT_COLOR } from '../../../host/draw/palette.js';
import { escapeMarkup, formatSvgCoordinate, svgOpeningTag } from '../../../host/draw/svg.js';
import { type AxisClock, drawTimeAxis, makeLegendSquare, timeToX } from '../../../host/draw/timeChart.js';
import { styleTokensOfTheme } from '../charts/tokens.js';
import type { ExplorerModel } from '../model.js';
import type { SimulatedSetupOutcome } from '../protocol.js';
import type { GanttChart } from './chart.js';
import { formatPixelAsColor } from './colors.js';

const [LEFT, TITLE, PAD] = [90, 24, 10];
/** Number of blocks above which the export contains an image of the pixels instead. */
const MAX_BLOCKS_DRAWN_AS_VECTORS = 20_000;
/** Smallest height in pixels of a lane with a name. */
const MIN_NAMED_LANE_HEIGHT = 11;

function formatSvgRectangle(
  box: readonly [x: number, y: number, width: number, height: number],
  color: string,
  name = '',
) {
  const [x, y, width, height] = box.map(formatSvgCoordinate);
  const title = name === '' ? '' : `<title>${escapeMarkup(name)}</title>`;
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${color}">${title}</rect>`;
}

/** Draws a chart's blocks; as an image of the pixels if there are too many. */
function drawBlocksAsSvg(
  { view: { from, to }, outcome }: ExplorerModel,
  { visible: seen }: GanttChart,
  absenceId: string,
): string {
  const { index, lanes, inks, scale, width, height, canvas } = seen;
  const places: number[] = [];
  index.each(from, to, (block) => places.push(block));
  if (places.length > MAX_BLOCKS_DRAWN_AS_VECTORS)
    return `<image width="${width}" height="${height}" href="${canvas.toDataURL('image/png')}"/>`;
  const { job, site, start, end, first, after } = index.blocks;
  const x = (time: number) => timeToX(Math.min(Math.max(time, from), to), { from, to, left: 0, width });
  const blocks = places.map((block) => {
    const lane = lanes[site[block]];
    const high = lane.height / lane.capacity / scale;
    const [left, top] = [x(start[block]), lane.top / scale + (first[block] - lane.first) * high];
    return formatSvgRectangle(
      [left, top, Math.max(x(end[block]) - left, 0.2), high * (after[block] - first[block])],
      formatPixelAsColor(inks.fills[inks.kindOf[job[block]]]),
      `job ${outcome?.jobs.names[job[block]]}`,
    );
  });
  const free = formatPixelAsColor(inks.free);
  return [
    ...lanes.map((lane) => formatSvgRectangle([0, lane.top / scale, width, lane.height / scale], free)),
    drawAbsences(
      { id: absenceId, absences: index.absences, window: { from, to }, clock: clockOfOutcome(outcome) },
      ({ site, start, end, runs }) =>
        runs.map(([low, high]) => {
          const lane = lanes[site];
          const perProcessor = lane.height / lane.capacity / scale;
          const y = lane.top / scale + (low - lane.first) * perProcessor;
          return { x: x(start), y, width: x(end) - x(start), height: (high - low + 1) * perProcessor };
        }),
    ),
    ...blocks,
  ].join('');
}

/** Draws a chart from height `top` on: method, site names and lanes. */
function drawGanttChartAsSvg(
  model: ExplorerModel,
  chart: GanttChart,
  top: number,
  absenceId: string,
): string {
  const { lanes, scale, width, height } = chart.visible;
  const names = lanes.map((lane, site) => {
    const middle = (lane.top + lane.height / 2) / scale;
    const isNamed = lane.height / scale >= MIN_NAMED_LANE_HEIGHT && middle >= 0 && middle <= height;
    return isNamed ? svgTextElement(LEFT - 8, top + middle + 4, `site ${site + 1}`, 'end') : '';
  });
  return (
    svgTextElement(LEFT, top - 7, chart.run?.label ?? '', 'start', ' font-size="12px" font-weight="bold"') +
    names.join('') +
    `<svg x="${LEFT}" y="${top}" width="${width}" height="${height}">${drawBlocksAsSvg(model, chart, absenceId)}</svg>`
  );
}

/** Returns the origin of the time axis in seconds, and the date of time 0 if it is known. */
function clockOfOutcome(outcome: SimulatedSetupOutcome | undefined): AxisClock {
  const origin = outcome?.jobs.submit[0] ?? 0;
  const start = outcome?.unixStartTime;
  return { origin, beginning: start === undefined ? undefined : start + origin };
}

/** Returns the visible charts as the text of an SVG file. */
export function drawVisibleChartsAsSvg(model: ExplorerModel, charts: readonly GanttChart[]): string {
  const shown = charts.filter((chart) => chart.run !== undefined);
  const [{ visible: seen, colors }] = shown;
  const { width, height } = seen;
  const { view, outcome } = model;
  const { ink, card } = styleTokensOfTheme();
  const withAbsences = shown.findIndex(({ visible }) => hasAbsences(visible.index.absences, view));
  const entries = [
    ...colors.keys.map(({ name, color }) => ({ name, sample: makeLegendSquare(color) })),
    ...(withAbsences < 0 ? [] : [absenceLegendEntry(`gantt-${withAbsences}`)]),
  ];
  const legend = drawLegend(entries, 14, LEFT, width);
  const drawn = shown.map((chart, i) =>
    drawGanttChartAsSvg(model, chart, PAD + legend.height + i * (TITLE + height + PAD) + TITLE, `gantt-${i}`),
  );
  const bottom = PAD + legend.height + shown.length * (TITLE + height + PAD) - PAD;
  const size = [LEFT + width + 2 * PAD, bottom + horizontalAxisHeight(1) + PAD] as const;
  const words = {
    id: 'gantt',
    title: 'Gantt charts',
    caption: shown.map(({ run }) => run?.label).join(', '),
  };
  return (
    svgOpeningTag(words, ...size, FONT_FAMILY) +
    formatSvgRectangle([0, 0, ...size], card) +
    `<g font-size="${LABEL_FONT_SIZE}px" color="${ink}" fill="${TEXT_COLOR}"><g transform="translate(0,${PAD})">${legend.markup}</g>${drawn.join('')}` +
    `${drawTimeAxis({ ...view, left: LEFT, width }, bottom, clockOfOutcome(outcome))}</g></svg>`
  );
}
