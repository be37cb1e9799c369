/** Lines of figures: their bands, markers, and the names at their ends. */
import { area, curveLinear, curveStepAfter, line } from 'd3-shape';
import { LABEL_FONT_SIZE, type NumberScale, svgTextElement } from './axes.js';
import type { Figure, PlotPoint, SeriesLooksByName } from './figureModel.js';
import { drawMarker, formatDashAttribute, type InteractivePageView } from './marks.js';
import { type SeriesLook, TEXT_COLOR } from './palette.js';
import { estimateTextWidth, formatSvgCoordinate } from './svg.js';

/**
 * Largest number of overlapping interval bands that are drawn; with more, a page shows only the band of the
 * line under the pointer.
 */
const MAX_INTERVAL_BANDS = 3;

/** True if all interval bands of a figure are drawn. */
export function areAllIntervalBandsShown({ panels }: Pick<Figure, 'panels'>): boolean {
  const seriesWithBands = panels.flatMap(({ series }) =>
    series
      .filter(({ points: seriesPoints }) => seriesPoints.some(({ low }) => low !== undefined))
      .map(({ name: seriesName }) => seriesName),
  );
  return new Set(seriesWithBands).size <= MAX_INTERVAL_BANDS;
}

/** Horizontal and vertical scale of a panel. */
type LineFigureScales = readonly [x: NumberScale, y: NumberScale];

/** SVG of one series in three layers: interval band, line, markers. */
function drawSeriesLayers(
  figure: Figure,
  plotPoints: readonly PlotPoint[],
  seriesLook: SeriesLook,
  [xScale, yScale]: LineFigureScales,
  isBandShown: boolean,
): readonly [band: string, path: string, markers: string] {
  const isStepFigure = figure.kind === 'step';
  const curveFactory = isStepFigure ? curveStepAfter : curveLinear;
  const xOf = (plotPoint: PlotPoint) => xScale(Number(plotPoint.x));
  const bandPath = area<PlotPoint>(
    xOf,
    (plotPoint) => yScale(plotPoint.low ?? 0),
    (plotPoint) => yScale(plotPoint.high ?? 0),
  )
    .defined(({ low, high }) => low !== undefined && high !== undefined)
    .curve(curveFactory)
    .digits(2)(plotPoints);
  const linePath = line<PlotPoint>(xOf, (plotPoint) => yScale(plotPoint.y ?? 0))
    .defined(({ y }) => y !== null)
    .curve(curveFactory)
    .digits(2)(plotPoints);
  const bandEdgeAttributes = isStepFigure
    ? 'fill-opacity="0.3"'
    : `fill-opacity="0.15" stroke="${seriesLook.color}" stroke-opacity="0.6" stroke-width="0.6"`;
  const markerPoints = isStepFigure ? [] : plotPoints.filter(({ y }) => y !== null);
  // Steps over time may go up and down within a pixel, so they are drawn with a thinner line.
  const width = isStepFigure && figure.x.time !== undefined ? 1.1 : 1.4;
  return [
    bandPath
      ? `<path class="band" d="${bandPath}" fill="${seriesLook.color}" ${bandEdgeAttributes}${isBandShown ? '' : ' display="none"'}/>`
      : '',
    linePath
      ? `<path class="line" d="${linePath}" fill="none" stroke="${seriesLook.color}" stroke-width="${width}" stroke-linejoin="round"${formatDashAttribute(seriesLook)}/>`
      : '',
    markerPoints
      .map((plotPoint) => drawMarker(xOf(plotPoint), yScale(plotPoint.y ?? 0), seriesLook, 30))
      .join(''),
  ];
}

/**
 * SVG of all lines of a panel: bands below lines below markers. Elements carry the index of their series
 * for pages.
 */
export function drawPanelLines(
  figure: Figure,
  plotPoints: readonly PlotPoint[],
  scales: LineFigureScales,
  { names: seriesNames, looks }: SeriesLooksByName,
  pageView?: InteractivePageView,
): string {
  const isBandShown = areAllIntervalBandsShown(figure);
  // Hidden bands are drawn only for pages, which can make them visible.
  const visibleLayers = isBandShown || pageView !== undefined ? [0, 1, 2] : [1, 2];
  const layersBySeries = seriesNames.map((seriesName, i) => {
    const seriesRows = plotPoints.filter(({ series }) => series === seriesName);
    return drawSeriesLayers(figure, seriesRows, looks[i] as SeriesLook, scales, isBandShown);
  });
  return visibleLayers
    .map((layer) => {
      const marks = layersBySeries.map((seriesLayers) => seriesLayers[layer] ?? '');
      if (pageView === undefined) return marks.join('');
      return marks.map((mark, i) => (mark === '' ? '' : `<g data-series="${i}">${mark}</g>`)).join('');
    })
    .join('');
}

// Names at the right ends of lines, moved apart where several lines end close together.

/** Height in pixels of a name, and length of the line that connects it to the end of its series. */
const [NAME_HEIGHT, LEADER_LENGTH] = [13, 26];

/** Right end of a line, with the name of its series. */
interface LabelledLineEnd {
  readonly name: string;
  readonly look: SeriesLook;
  readonly x: number;
  readonly y: number;
}

/** Width in pixels for names right of the lines; 0 if the names are in a legend. */
export function computeLineNameColumnWidth(
  { panels, kind: figureKind, x }: Figure,
  { names: seriesNames }: SeriesLooksByName,
  height: number,
): number {
  const series = panels[0]?.series.filter(({ points: seriesPoints }) => seriesPoints.length > 0) ?? [];
  const lastXValues = new Set(
    series.map(({ points: seriesPoints }) => seriesPoints.findLast(({ y }) => y !== null)?.x),
  );
  const doNamesFit = series.length > 1 && series.length * NAME_HEIGHT <= height + NAME_HEIGHT;
  if (
    figureKind !== 'line' ||
    panels.length > 1 ||
    x.range !== undefined ||
    lastXValues.size !== 1 ||
    !doNamesFit
  )
    return 0;
  return (
    LEADER_LENGTH +
    6 +
    Math.ceil(Math.max(...seriesNames.map((seriesName) => estimateTextWidth(seriesName, LABEL_FONT_SIZE))))
  );
}

/**
 * Heights for labels, as close as possible to the desired ones without overlap; labels that are too close are
 * spread around their mean.
 */
function spreadLabelHeights(desiredHeights: readonly number[], height: number): number[] {
  const touchingLabelGroups: { sum: number; count: number }[] = [];
  const meanHeightOf = ({ sum, count }: { sum: number; count: number }) => sum / count;
  for (const [i, y] of desiredHeights.entries()) {
    let labelGroup = { sum: y - i * NAME_HEIGHT, count: 1 };
    for (
      let lastGroup = touchingLabelGroups.at(-1);
      lastGroup !== undefined && meanHeightOf(lastGroup) >= meanHeightOf(labelGroup);
      lastGroup = touchingLabelGroups.at(-1)
    ) {
      touchingLabelGroups.pop();
      labelGroup = { sum: lastGroup.sum + labelGroup.sum, count: lastGroup.count + labelGroup.count };
    }
    touchingLabelGroups.push(labelGroup);
  }
  const labelHeights = touchingLabelGroups
    .flatMap((group) => Array.from({ length: group.count }, () => meanHeightOf(group)))
    .map((y, i) => Math.max(0, y) + i * NAME_HEIGHT);
  let bottomLimit = height;
  for (let i = labelHeights.length - 1; i >= 0; i--) {
    labelHeights[i] = Math.min(labelHeights[i] as number, bottomLimit);
    bottomLimit = (labelHeights[i] as number) - NAME_HEIGHT;
  }
  return labelHeights;
}

/** SVG of the names of lines, right of their ends. */
export function drawNamesAtLineEnds(
  plotPoints: readonly PlotPoint[],
  [xScale, yScale]: LineFigureScales,
  { names: seriesNames, looks }: SeriesLooksByName,
  [width, height]: readonly [number, number],
): string {
  const lineEnds = seriesNames.flatMap((seriesName, i): LabelledLineEnd[] => {
    const lastPoint = plotPoints.findLast(({ series, y }) => series === seriesName && y !== null);
    if (lastPoint === undefined) return [];
    return [
      {
        name: seriesName,
        look: looks[i] as SeriesLook,
        x: xScale(Number(lastPoint.x)),
        y: yScale(lastPoint.y as number),
      },
    ];
  });
  lineEnds.sort((a, b) => a.y - b.y);
  const labelHeights = spreadLabelHeights(
    lineEnds.map(({ y }) => y),
    height,
  );
  const nameMarkups = lineEnds.map(({ name, look, x, y }, i) => {
    const labelY = labelHeights[i] as number;
    const markerX = width + LEADER_LENGTH - 8;
    const leaderLinePath = `M${formatSvgCoordinate(x)} ${formatSvgCoordinate(y)}L${formatSvgCoordinate(markerX)} ${formatSvgCoordinate(labelY)}`;
    return (
      `<path d="${leaderLinePath}" fill="none" stroke="${look.color}" stroke-opacity="0.5" stroke-width="0.7"/>` +
      drawMarker(markerX, labelY, look, 30) +
      svgTextElement(width + LEADER_LENGTH, labelY + 3.5, name, 'start', ` fill="${TEXT_COLOR}"`)
    );
  });
  return `<g class="names">${nameMarkups.join('')}</g>`;
}
