/** Kinds of interactive drawings: figures, and Gantt drawings of all sites. */
import { formatTimeInWords } from '../../host/draw/axes.js';
import { findAvailableJobColorings, type JobColoring } from '../../host/draw/colors.js';
import { drawTimeDrawing, type TimeDrawing } from '../../host/draw/drawing.js';
import { drawFigureSvg } from '../../host/draw/figure.js';
import {
  type Figure,
  type FigurePoint,
  type FigureView,
  makeFigureSeriesLooks,
} from '../../host/draw/figureModel.js';
import {
  makeDifferenceLegendEntries,
  makeGanttLegendEntries,
  restrictDifferenceDrawing,
  restrictGantt,
} from '../../host/draw/gantt.js';
import { describeOccupancyShade } from '../../host/draw/occupancy.js';
import type { SeriesMarker } from '../../host/draw/palette.js';
import { makeDrawingTable } from '../../host/view/drawingTable.js';
import type { DrawingViewSettings, InteractiveFigureContent } from './live.js';
import {
  applyFigureSettings,
  canAxisBeLogarithmic,
  findLastPointUpTo,
  listViewsOfFigure,
  sortXValuesOfFigure,
} from './shown.js';
import { describePointInLines, describeXValue, formatMarkText, formatValueLine } from './words.js';

/** Characters of the markers. */
const MARKER_CHARACTERS: Readonly<Record<SeriesMarker, string>> = {
  circle: '●',
  square: '■',
  'triangle-up': '▲',
  diamond: '◆',
  'triangle-down': '▼',
  cross: '✚',
  'triangle-right': '▶',
  'triangle-left': '◀',
};

/** Makes a figure interactive: select its measure, the baseline of differences, and the scale of values. */
export function makeFigureInteractiveContent(figure: Figure): InteractiveFigureContent {
  const views = listViewsOfFigure(figure);
  let view = views[figure.firstView ?? 0] as FigureView;
  let scale = view.y.scale ?? 'linear';
  const measures = [...new Set(views.map(({ measure }) => measure))];
  const baselineLabels = [...new Set(views.map(({ baseline }) => baseline))];
  // A baseline is kept if the new measure has differences to it.
  const changeView = (measure: string | undefined, baseline: string | undefined) => {
    const viewsWithMeasure = views.filter((view) => view.measure === measure);
    view = viewsWithMeasure.find((view) => view.baseline === baseline) ?? viewsWithMeasure[0] ?? view;
    if (!canAxisBeLogarithmic(view)) scale = 'linear';
  };
  const xValues = sortXValuesOfFigure(figure);
  const [first, last] = [xValues[0], xValues.at(-1)];
  const applySettingsToFigure = (viewSettings: DrawingViewSettings) =>
    applyFigureSettings(figure, { view, scale, ...viewSettings });
  const logScale = {
    isOn: () => scale === 'log',
    isPossible: () => canAxisBeLogarithmic(view),
    turn: () => {
      scale = scale === 'log' ? 'linear' : 'log';
    },
  };
  return {
    title: figure.title,
    legend: makeSeriesLegend(figure, applySettingsToFigure({ hidden: new Set(), range: undefined })),
    wholeRange: xValues.length > 2 && first !== undefined && last !== undefined ? [first, last] : undefined,
    isLog: figure.x.scale === 'log',
    options: [
      {
        name: 'measure',
        texts: measures,
        chosen: () => measures.indexOf(view.measure),
        choose: (i) => changeView(measures[i], view.baseline),
      },
      {
        name: 'differences to',
        texts: baselineLabels.map((baseline) => baseline ?? 'none'),
        chosen: () => baselineLabels.indexOf(view.baseline),
        choose: (i) => changeView(view.measure, baselineLabels[i]),
      },
    ],
    ...(hasSignedDifferences(figure) ? {} : { logScale }),
    presentNames: () =>
      new Set(view.panels.flatMap(({ series }) => series.map(({ name: seriesName }) => seriesName))),
    draw: (width, viewSettings) => {
      const figureWithSettings = applySettingsToFigure(viewSettings);
      return drawFigureSvg(figureWithSettings, {
        width,
        tooltipOf: (row) => formatMarkText(row.series, describePointInLines(figureWithSettings, row)),
      });
    },
    drawStandalone: (viewSettings) => drawFigureSvg(removeHiddenSeries(applySettingsToFigure(viewSettings))),
    table: (viewSettings) => makeDrawingTable(applySettingsToFigure(viewSettings)),
    keyboardStops: () =>
      figure.kind === 'step' ? selectEvenlySpaced(xValues, MAX_STEP_CURVE_STOPS) : xValues,
    describe: (panel, axisValue, viewSettings) =>
      describeSeriesAtPosition(applySettingsToFigure(viewSettings), panel, axisValue),
  };
}

/** Returns the legend of a figure; empty for a heat map, whose rows are labelled. */
function makeSeriesLegend(
  figure: Figure,
  figureWithSettings: ReturnType<typeof applyFigureSettings>,
): InteractiveFigureContent['legend'] {
  if (figure.kind === 'heat') return [];
  const { names: seriesNames, looks } = makeFigureSeriesLooks(figureWithSettings);
  return seriesNames.flatMap((seriesName, i) => {
    const seriesLook = looks[i];
    const marker = seriesLook && (figure.kind === 'step' ? '━' : MARKER_CHARACTERS[seriesLook.marker]);
    return seriesLook === undefined ? [] : [{ name: seriesName, color: seriesLook.color, marker }];
  });
}

/** Largest number of keyboard stops of a step curve. */
const MAX_STEP_CURVE_STOPS = 60;

/** Selects at most `maxCount` values, evenly spaced. */
function selectEvenlySpaced(ascendingValues: readonly number[], maxCount: number): readonly number[] {
  const stride = Math.max(1, Math.ceil(ascendingValues.length / maxCount));
  return ascendingValues.filter((_, i) => i % stride === 0);
}

/** Returns a figure without its hidden series; names and looks of the others do not change. */
function removeHiddenSeries(figure: Figure): Figure {
  const namesOfPage = figure.namesOfPage ?? makeFigureSeriesLooks(figure).names;
  const panels = figure.panels.map(({ title: panelTitle, series }) => ({
    title: panelTitle,
    series: series.filter(({ points: seriesPoints }) => seriesPoints.length > 0),
  }));
  return { ...figure, namesOfPage, panels };
}

/** True for figures of differences, whose values have signs. */
function hasSignedDifferences({ kind: figureKind, y }: Figure): boolean {
  return figureKind === 'dots' && y.format?.isSigned === true;
}

/** Returns the points of each line nearest to a position; for step curves, the steps that apply there. */
function findNearestPointsOfLines(
  { kind: figureKind, x, panels }: Figure,
  panel: number,
  positionOnXAxis: number,
) {
  const series = panels[panel]?.series ?? [];
  const xToAxisScale = (xValue: number) => (x.scale === 'log' ? Math.log(xValue) : xValue);
  const distanceToPoint = ({ x: xValue }: FigurePoint) =>
    Math.abs(xToAxisScale(Number(xValue)) - xToAxisScale(positionOnXAxis));
  const figurePoints = series.flatMap((figureSeries) => figureSeries.points);
  const nearest = Math.min(...figurePoints.map(distanceToPoint));
  return series.flatMap(({ name: seriesName, points: seriesPoints }) => {
    const figurePoint =
      figureKind === 'step'
        ? findLastPointUpTo(seriesPoints, positionOnXAxis)
        : seriesPoints.find((seriesPoint) => distanceToPoint(seriesPoint) === nearest);
    return figurePoint === undefined ? [] : [{ name: seriesName, point: figurePoint }];
  });
}

/** Describes the visible series at a position, the largest value first. */
function describeSeriesAtPosition(
  figure: Figure,
  panel: number,
  pointedPosition: number,
): string | undefined {
  const nearestPointsOfSeries = findNearestPointsOfLines(figure, panel, pointedPosition).sort(
    (a, b) => (b.point.y ?? 0) - (a.point.y ?? 0),
  );
  const [first] = nearestPointsOfSeries;
  if (first === undefined) return undefined;
  const lines = nearestPointsOfSeries.map(({ name, point: figurePoint }) =>
    formatValueLine(nearestPointsOfSeries.length === 1 ? figure.y.title : name, figurePoint, figure.y),
  );
  const xText = describeXValue(first.point.x, figure.x);
  return formatMarkText(figure.x.time === undefined ? `${figure.x.title} ${xText}` : xText, lines);
}

function legendOfTimeDrawing(drawingData: TimeDrawing, coloring?: JobColoring) {
  if (drawingData.kind === 'gantt')
    return makeGanttLegendEntries(coloring === undefined ? drawingData : { ...drawingData, coloring });
  return drawingData.kind === 'occupancy' ? [] : makeDifferenceLegendEntries(drawingData);
}

/** Data of a drawing for the visible time range, without hidden series. */
function restrictDrawingToView(
  drawingData: TimeDrawing,
  { hidden, range: [from, to] = [drawingData.window.from, drawingData.window.to] }: DrawingViewSettings,
): TimeDrawing {
  const window = { from, to };
  if (drawingData.kind === 'occupancy') {
    const occupancyColumnAt = (time: number) =>
      ((time - drawingData.window.from) / (drawingData.window.to - drawingData.window.from)) *
      (drawingData.shades[0]?.length ?? 0);
    const [first, last] = [Math.floor(occupancyColumnAt(from)), Math.ceil(occupancyColumnAt(to))];
    return { ...drawingData, window, shades: drawingData.shades.map((site) => site.slice(first, last)) };
  }
  if (drawingData.kind === 'difference') return restrictDifferenceDrawing(drawingData, window, hidden);
  return restrictGantt(drawingData, window, hidden);
}

/** Makes a Gantt drawing of all sites interactive. */
export function makeTimeDrawingInteractive(drawingInput: TimeDrawing): InteractiveFigureContent {
  const { from, to } = drawingInput.window;
  const availableColorings =
    drawingInput.kind === 'gantt' ? findAvailableJobColorings(drawingInput.jobs) : [];
  const legend =
    availableColorings.length > 0
      ? availableColorings.flatMap((availableColoring) =>
          legendOfTimeDrawing(drawingInput, availableColoring),
        )
      : legendOfTimeDrawing(drawingInput);
  let drawingData = drawingInput;
  const applyColoringAt = (i: number) => {
    const coloring = availableColorings[i];
    if (drawingData.kind === 'gantt' && coloring !== undefined) drawingData = { ...drawingData, coloring };
  };
  const chosenColoring = () =>
    Math.max(
      0,
      availableColorings.indexOf(
        (drawingData.kind === 'gantt' ? drawingData.coloring : undefined) ?? 'home site',
      ),
    );
  return {
    title: drawingData.words.title,
    legend,
    wholeRange: [from, to],
    isLog: false,
    options:
      availableColorings.length > 1
        ? [{ name: 'colour', texts: availableColorings, chosen: chosenColoring, choose: applyColoringAt }]
        : [],
    presentNames: () => new Set(legendOfTimeDrawing(drawingData).map(({ name }) => name)),
    draw: (width, { hidden, range = [from, to] }) =>
      drawTimeDrawing(drawingData, { window: { from: range[0], to: range[1] }, width, hidden }),
    drawStandalone: (viewSettings) => drawTimeDrawing(restrictDrawingToView(drawingData, viewSettings)),
    table: (viewSettings) => makeDrawingTable(restrictDrawingToView(drawingData, viewSettings)),
    keyboardStops: () =>
      drawingData.kind === 'occupancy'
        ? Array.from(
            { length: MAX_STEP_CURVE_STOPS },
            (_, i) => from + ((i + 0.5) / MAX_STEP_CURVE_STOPS) * (to - from),
          )
        : [],
    describe: (site, time) => {
      if (drawingData.kind !== 'occupancy') return undefined;
      const shades = drawingData.shades[site] ?? '';
      const column = Math.floor(((time - from) / (to - from)) * shades.length);
      const shade = shades[Math.min(Math.max(column, 0), shades.length - 1)] ?? '0';
      return formatMarkText(formatTimeInWords(time - drawingData.origin, drawingData.beginning), [
        [`site ${site + 1}`, describeOccupancyShade(shade)],
      ]);
    },
  };
}
