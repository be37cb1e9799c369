/** Exports the visible Gantt charts as SVG: both runs, legend and time axis. */
import { drawAbsences, hasAbsences, makeAbsenceLegendEntry } from '../../../host/draw/absences.js';
import {
  drawLegend,
  horizontalAxisHeight,
  LABEL_FONT_SIZE,
  svgTextElement,
} from '../../../host/draw/axes.js';
import { FONT_FAMILY, TEXT_COLOR } from '../../../host/draw/palette.js';
import { escapeMarkup, formatSvgCoordinate, makeSvgOpeningTag } from '../../../host/draw/svg.js';
import { type AxisClock, drawTimeAxis, makeLegendSquare, timeToX } from '../../../host/draw/timeChart.js';
import { readCurrentStyleTokens } from '../charts/tokens.js';
import type { ExplorerModel } from '../model.js';
import type { SimulatedSetupOutcome } from '../protocol.js';
import type { GanttChart } from './chart.js';
import { formatPixelAsColor } from './colors.js';

const [LEFT_MARGIN, TITLE_HEIGHT, PADDING] = [90, 24, 10];
/** Number of blocks above which the export contains an image of the pixels instead. */
const MAX_BLOCKS_DRAWN_AS_VECTORS = 20_000;
/** Smallest height in pixels of a lane with a name. */
const MIN_NAMED_LANE_HEIGHT = 11;

function formatSvgRectangle(
  box: readonly [x: number, y: number, width: number, height: number],
  color: string,
  jobName = '',
) {
  const [x, y, width, height] = box.map(formatSvgCoordinate);
  const title = jobName === '' ? '' : `<title>${escapeMarkup(jobName)}</title>`;
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${color}">${title}</rect>`;
}

/** Draws a chart's blocks; as an image of the pixels if there are too many. */
function drawBlocksAsSvg(
  { view: { from, to }, outcome }: ExplorerModel,
  { visible }: GanttChart,
  absenceId: string,
): string {
  const { index: ganttIndex, lanes, pixelColors, scale, width, height, canvas } = visible;
  const blockIndices: number[] = [];
  ganttIndex.visitBlocks(from, to, (block) => blockIndices.push(block));
  if (blockIndices.length > MAX_BLOCKS_DRAWN_AS_VECTORS)
    return `<image width="${width}" height="${height}" href="${canvas.toDataURL('image/png')}"/>`;
  const { job, site, start, end, first: firstProcessors, after: endProcessors } = ganttIndex.blocks;
  const x = (time: number) => timeToX(Math.min(Math.max(time, from), to), { from, to, left: 0, width });
  const blocks = blockIndices.map((block) => {
    const lane = lanes[site[block]];
    const processorHeight = lane.height / lane.capacity / scale;
    const [left, top] = [
      x(start[block]),
      lane.top / scale + (firstProcessors[block] - lane.first) * processorHeight,
    ];
    return formatSvgRectangle(
      [
        left,
        top,
        Math.max(x(end[block]) - left, 0.2),
        processorHeight * (endProcessors[block] - firstProcessors[block]),
      ],
      formatPixelAsColor(pixelColors.fills[pixelColors.kindOf[job[block]]]),
      `job ${outcome?.jobs.names[job[block]]}`,
    );
  });
  const freeColor = formatPixelAsColor(pixelColors.free);
  return [
    ...lanes.map((lane) => formatSvgRectangle([0, lane.top / scale, width, lane.height / scale], freeColor)),
    drawAbsences(
      {
        id: absenceId,
        absences: ganttIndex.absences,
        window: { from, to },
        clock: axisClockOfOutcome(outcome),
      },
      ({ site, start, end, runs: processorRanges }) =>
        processorRanges.map(([firstProcessor, lastProcessor]) => {
          const lane = lanes[site];
          const processorHeight = lane.height / lane.capacity / scale;
          const y = lane.top / scale + (firstProcessor - lane.first) * processorHeight;
          return {
            x: x(start),
            y,
            width: x(end) - x(start),
            height: (lastProcessor - firstProcessor + 1) * processorHeight,
          };
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
  const siteNameSvgTexts = lanes.map((lane, site) => {
    const middleY = (lane.top + lane.height / 2) / scale;
    const isNamed = lane.height / scale >= MIN_NAMED_LANE_HEIGHT && middleY >= 0 && middleY <= height;
    return isNamed ? svgTextElement(LEFT_MARGIN - 8, top + middleY + 4, `site ${site + 1}`, 'end') : '';
  });
  return (
    svgTextElement(
      LEFT_MARGIN,
      top - 7,
      chart.run?.label ?? '',
      'start',
      ' font-size="12px" font-weight="bold"',
    ) +
    siteNameSvgTexts.join('') +
    `<svg x="${LEFT_MARGIN}" y="${top}" width="${width}" height="${height}">${drawBlocksAsSvg(model, chart, absenceId)}</svg>`
  );
}

/** Returns the origin of the time axis in seconds, and the date of time 0 if it is known. */
function axisClockOfOutcome(outcome: SimulatedSetupOutcome | undefined): AxisClock {
  const firstSubmit = outcome?.jobs.submit[0] ?? 0;
  const unixStartTime = outcome?.unixStartTime;
  return {
    origin: firstSubmit,
    beginning: unixStartTime === undefined ? undefined : unixStartTime + firstSubmit,
  };
}

/** Returns the visible charts as the text of an SVG file. */
export function drawVisibleChartsAsSvg(model: ExplorerModel, ganttCharts: readonly GanttChart[]): string {
  const chartsWithRun = ganttCharts.filter((chart) => chart.run !== undefined);
  const [{ visible: firstVisible, colors }] = chartsWithRun;
  const { width, height } = firstVisible;
  const { view: visibleRange, outcome } = model;
  const { ink, card } = readCurrentStyleTokens();
  const firstChartWithAbsences = chartsWithRun.findIndex(({ visible }) =>
    hasAbsences(visible.index.absences, visibleRange),
  );
  const legendEntries = [
    ...colors.keys.map(({ name: keyName, color: keyColor }) => ({
      name: keyName,
      drawSample: makeLegendSquare(keyColor),
    })),
    ...(firstChartWithAbsences < 0 ? [] : [makeAbsenceLegendEntry(`gantt-${firstChartWithAbsences}`)]),
  ];
  const legend = drawLegend(legendEntries, 14, LEFT_MARGIN, width);
  const chartSvgTexts = chartsWithRun.map((chart, i) =>
    drawGanttChartAsSvg(
      model,
      chart,
      PADDING + legend.height + i * (TITLE_HEIGHT + height + PADDING) + TITLE_HEIGHT,
      `gantt-${i}`,
    ),
  );
  const bottom = PADDING + legend.height + chartsWithRun.length * (TITLE_HEIGHT + height + PADDING) - PADDING;
  const pictureSize = [
    LEFT_MARGIN + width + 2 * PADDING,
    bottom + horizontalAxisHeight(1) + PADDING,
  ] as const;
  const runLabelSvgTexts = {
    id: 'gantt',
    title: 'Gantt charts',
    caption: chartsWithRun.map(({ run }) => run?.label).join(', '),
  };
  return (
    makeSvgOpeningTag(runLabelSvgTexts, ...pictureSize, FONT_FAMILY) +
    formatSvgRectangle([0, 0, ...pictureSize], card) +
    `<g font-size="${LABEL_FONT_SIZE}px" color="${ink}" fill="${TEXT_COLOR}"><g transform="translate(0,${PADDING})">${legend.markup}</g>${chartSvgTexts.join('')}` +
    `${drawTimeAxis({ ...visibleRange, left: LEFT_MARGIN, width }, bottom, axisClockOfOutcome(outcome))}</g></svg>`
  );
}
