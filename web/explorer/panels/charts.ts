/** All charts over time, one below the other on a common time axis that stays visible. */

import { ABSENCE_COLORS, ABSENCE_LEGEND_LABEL } from '../../../host/draw/absences.js';
import { chooseReadableTextColor } from '../../../host/draw/colors.js';
import { formatNumber } from '../../../host/format/numbers.js';
import { colorAndDashOfRun } from '../charts/looks.js';
import { OverviewStrip } from '../charts/overview.js';
import { TimeAxis } from '../charts/timeAxis.js';
import { type ChartedQuantity, TimeCurvesChart } from '../charts/timeLines.js';
import type { ExplorerController } from '../controller.js';
import { createColorSquare, createElement } from '../dom.js';
import { GanttChart } from '../gantt/chart.js';
import { handleChartKeys, handleChartPointers } from '../gantt/pointer.js';
import { currentTheme, type ExplorerModel } from '../model.js';
import type { FinishedRunData } from '../protocol.js';
import { GanttTooltip } from './tooltip.js';

const QUEUE_LENGTH_QUANTITY: ChartedQuantity = {
  title: 'Queue',
  unit: '[waiting jobs]',
  stepFunctionOf: ({ waiting: waitingJobCounts }) => waitingJobCounts,
  divisorOf: () => 1,
  isCount: true,
};
const sumOfCapacities = ({ capacities }: FinishedRunData) =>
  capacities.reduce((sum, capacity) => sum + capacity, 0);
const UTILIZATION_QUANTITY: ChartedQuantity = {
  title: 'Utilization',
  unit: '[%]',
  stepFunctionOf: ({ busy: busyProcessors }) => busyProcessors,
  divisorOf: (run) => sumOfCapacities(run) / 100,
  maximum: 100,
  limit: ({ available: availableProcessors }) => availableProcessors,
  isFluctuating: true,
};

/** Charts of the page, and functions that redraw them. */
export interface ChartsPanel {
  readonly element: HTMLElement;
  readonly gantts: readonly [GanttChart, GanttChart];
}

/** Returns a function that requests a drawing before the next frame; several requests draw once. */
function makeDrawOnNextFrame(drawCharts: () => void): () => void {
  let isFrameRequested = false;
  return () => {
    if (isFrameRequested) return;
    isFrameRequested = true;
    requestAnimationFrame(() => {
      isFrameRequested = false;
      drawCharts();
    });
  };
}

/** Class bounds that are labelled on a short colour scale. */
const LABELLED_DURATION_BOUNDS: readonly string[] = ['=', '0', '1 min', '1 h', '1 d', '30 d'];

/** Creates the legend entry of processors taken by outages. */
function createAbsenceLegendEntry(): HTMLElement {
  const { area, line } = ABSENCE_COLORS[currentTheme()];
  const square = createColorSquare(area);
  square.style.background = `repeating-linear-gradient(135deg, ${area} 0 3px, ${line} 3px 4px)`;
  return createElement('span', { className: 'key' }, square, ABSENCE_LEGEND_LABEL);
}

/**
 * Creates the colour legend in one row: a scale with bounds, or names with squares. An entry for
 * processors taken by outages follows if any chart has some.
 */
function createColorLegend(ganttCharts: readonly [GanttChart, GanttChart]): HTMLElement {
  const { keys, endLabels } = ganttCharts[0].colors;
  const absenceLegendEntries = ganttCharts.some(({ run }) => (run?.absences?.length ?? 0) > 0)
    ? [createAbsenceLegendEntry()]
    : [];
  if (endLabels === undefined)
    return createElement(
      'div',
      { className: 'legend' },
      ...keys.map(createLegendEntry),
      ...absenceLegendEntries,
    );
  const cells = keys.map(({ name: keyName, short, color: keyColor }) => {
    const isBoundLabelled = LABELLED_DURATION_BOUNDS.includes(short ?? '');
    const cell = createElement(
      'i',
      { title: keyName, className: isBoundLabelled ? 'is-main' : '' },
      short ?? '',
    );
    [cell.style.background, cell.style.color] = [keyColor, chooseReadableTextColor(keyColor)];
    return cell;
  });
  return createElement(
    'div',
    { className: 'legend scale' },
    endLabels[0],
    ...cells,
    endLabels[1],
    ...absenceLegendEntries,
  );
}

const createLegendEntry = ({ name, color }: { name: string; color: string }) =>
  createElement('span', { className: 'key' }, createColorSquare(color), name);

/** Values of the visible runs at the pointer's time, or else at the selected time, with a vertical line. */
class ValuesAtPointerDisplay {
  readonly element = createElement('div', { className: 'values' });
  readonly pointerLine = createElement('div', { className: 'hair', hidden: true, 'aria-hidden': 'true' });
  readonly #model: ExplorerModel;
  #lastDrawnState: readonly unknown[] = [];
  /** Position of the line, in pixels of the card. */
  #linePosition = { left: 0, top: 0, width: 0, height: 0 };

  constructor(model: ExplorerModel) {
    this.#model = model;
  }

  /**
   * Reads the line's position for `draw`.
   * @param stage first chart.
   * @param lastElement last chart.
   */
  measure({ offsetLeft, offsetTop, clientWidth }: HTMLElement, lastElement: HTMLElement): void {
    const height = lastElement.offsetTop + lastElement.offsetHeight - offsetTop;
    this.#linePosition = { left: offsetLeft, top: offsetTop, width: clientWidth, height };
  }

  draw(): void {
    const { shown: shownRuns, runs, view: visibleRange, cursor, pointed } = this.#model;
    const isVisible = cursor !== undefined && cursor >= visibleRange.from && cursor <= visibleRange.to;
    const time = pointed ?? (isVisible ? cursor : undefined);
    const { left: lineLeft, top, width, height } = this.#linePosition;
    this.pointerLine.hidden = pointed === undefined || width === 0;
    if (pointed !== undefined) {
      const x = ((pointed - visibleRange.from) / (visibleRange.to - visibleRange.from)) * width;
      this.pointerLine.style.top = `${top}px`;
      this.pointerLine.style.height = `${height}px`;
      this.pointerLine.style.transform = `translateX(${(lineLeft + x).toFixed(1)}px)`;
    }
    const runIndices = shownRuns.filter((runIndex) => runs[runIndex] !== undefined);
    const drawingInputs = [runs, ...runIndices, time, currentTheme()];
    if (
      drawingInputs.length === this.#lastDrawnState.length &&
      drawingInputs.every((part, i) => part === this.#lastDrawnState[i])
    )
      return;
    this.#lastDrawnState = drawingInputs;
    const timeElement = createElement(
      'span',
      { className: 'time' },
      time === undefined ? '' : this.#model.when(time),
    );
    this.element.replaceChildren(
      ...runIndices.map((runIndex) => this.#createRunValues(runIndex, time)),
      timeElement,
    );
  }

  #createRunValues(runIndex: number, time: number | undefined): HTMLElement {
    const run = this.#model.runs[runIndex];
    const colorSquareElement = createColorSquare(colorAndDashOfRun(runIndex, currentTheme()).color);
    const nameElement = createElement(
      'span',
      { className: 'key' },
      colorSquareElement,
      createElement('b', {}, run.label),
    );
    if (time === undefined) return nameElement;
    const waitingCountText = formatNumber(this.#model.stepFunctionIndexOf(run.waiting).at(time));
    const runningCountText = formatNumber(this.#model.countRunningJobsAt(run, time));
    const busyProcessorPercent =
      (100 * this.#model.stepFunctionIndexOf(run.busy).at(time)) / sumOfCapacities(run);
    const availableProcessors = run.available && this.#model.stepFunctionIndexOf(run.available).at(time);
    const availablePercentText =
      availableProcessors === undefined
        ? ''
        : `, ${formatNumber((100 * availableProcessors) / sumOfCapacities(run))} % available`;
    nameElement.append(
      ` ${waitingCountText} waiting, ${runningCountText} running, ${formatNumber(busyProcessorPercent)} % in use${availablePercentText}`,
    );
    return nameElement;
  }
}

const CHART_INTERACTION_HINT =
  'Drag to move, with Shift to select a span; double-click or Ctrl + wheel to zoom. Keys: arrows or W A S D, + − 0, Shift and arrows for a span, comma and full stop from job to job, Enter explains it.';

/** Drawings of the charts, with three levels of redrawing: all, the marks, or only the vertical line. */
class TimeChartDrawings {
  readonly gantts: readonly [GanttChart, GanttChart];
  readonly lines: readonly [TimeCurvesChart, TimeCurvesChart];
  readonly overview: OverviewStrip;
  readonly values: ValuesAtPointerDisplay;
  /** Legend and controls common to all charts. */
  readonly head: HTMLElement;
  readonly #timeAxis: TimeAxis;
  readonly #legend = createElement('div');
  #legendKeys: unknown;
  #frameCount = 0;

  constructor(model: ExplorerModel) {
    this.gantts = [new GanttChart(model, 0), new GanttChart(model, 1)];
    this.lines = [
      new TimeCurvesChart(model, QUEUE_LENGTH_QUANTITY),
      new TimeCurvesChart(model, UTILIZATION_QUANTITY),
    ];
    this.#timeAxis = new TimeAxis(model);
    this.overview = new OverviewStrip(model);
    this.values = new ValuesAtPointerDisplay(model);
    const chartHeadElements = [
      this.values.element,
      this.#legend,
      this.overview.element,
      this.#timeAxis.element,
    ];
    this.head = createElement('div', { className: 'chart-head' }, ...chartHeadElements);
  }

  readonly draw = makeDrawOnNextFrame(() => {
    const [upperGantt] = this.gantts;
    for (const gantt of this.gantts) gantt.arrange();
    this.#measure();
    const { clientWidth } = upperGantt.stage;
    const hasTwoRuns = this.gantts[1].run !== undefined;
    this.#frameCount++;
    for (const [i, gantt] of this.gantts.entries()) gantt.draw(!hasTwoRuns || this.#frameCount % 2 === i);
    for (const line of this.lines) line.draw();
    this.#timeAxis.width = clientWidth;
    this.#timeAxis.draw();
    this.overview.draw(clientWidth);
    if (upperGantt.colors.keys !== this.#legendKeys)
      this.#legend.replaceChildren(createColorLegend(this.gantts));
    this.#legendKeys = upperGantt.colors.keys;
    this.values.draw();
  });

  readonly drawMarks = makeDrawOnNextFrame(() => {
    this.#measure();
    for (const gantt of this.gantts) gantt.mark();
    for (const line of this.lines) line.draw();
    this.values.draw();
  });

  readonly drawPointerValues = makeDrawOnNextFrame(() => {
    this.#measure();
    this.values.draw();
  });

  /** Reads all sizes before any change, because reading a size after a change forces a new layout. */
  #measure(): void {
    for (const chart of [...this.gantts, ...this.lines]) chart.measure();
    this.values.measure(this.gantts[0].stage, this.lines[1].stage);
  }
}

/** Connects the charts to pointer and keyboard. */
function connectChartsToInput(
  controller: ExplorerController,
  { gantts, lines, overview }: TimeChartDrawings,
  explainJob: () => void,
): GanttTooltip {
  const { model } = controller;
  const jobTooltip = new GanttTooltip(controller);
  for (const gantt of gantts) {
    const jobAtPoint = (x: number, y: number) => gantt.jobAt(x, y);
    const scrollBy = (pixels: number) => gantt.scrollBy(pixels);
    handleChartPointers(model, { stage: gantt.stage, jobAt: jobAtPoint, scrollBy }, (event) =>
      jobTooltip.showJobUnderPointer(gantt, event),
    );
    handleChartKeys(model, gantt.stage, explainJob, scrollBy);
  }
  for (const { stage } of lines) handleChartPointers(model, { stage }, () => {});
  handleChartKeys(model, overview.stage, explainJob);
  return jobTooltip;
}

/** Redraws the charts when their content changes. */
function redrawChartsOnChanges(
  controller: ExplorerController,
  { draw, drawMarks, drawPointerValues, gantts }: TimeChartDrawings,
): void {
  const { model } = controller;
  let timer = 0;
  model.viewChanged.on(() => {
    draw();
    clearTimeout(timer);
    timer = window.setTimeout(() => controller.recordHistoryStepLater(), 300);
  });
  model.outcomeChanged.on(draw);
  model.timeSelected.on(drawMarks);
  model.spanChanged.on(drawMarks);
  model.pointerMoved.on(drawPointerValues);
  model.jobSelected.on(() => {
    if (model.selected !== undefined) gantts[0].reveal(model.selected);
    drawMarks();
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
}

export function createChartsPanel(controller: ExplorerController, explainJob: () => void): ChartsPanel {
  const timeChartDrawings = new TimeChartDrawings(controller.model);
  const { gantts, lines, head, values } = timeChartDrawings;
  const jobTooltip = connectChartsToInput(controller, timeChartDrawings, explainJob);
  redrawChartsOnChanges(controller, timeChartDrawings);
  const element = createElement(
    'section',
    { className: 'card charts', 'aria-label': 'Charts over time' },
    createElement('h2', { className: 'visually-hidden' }, 'Charts over time'),
    head,
    ...gantts.map((gantt) => gantt.element),
    ...lines.map((line) => line.element),
    createElement('p', { className: 'hint' }, CHART_INTERACTION_HINT),
    values.pointerLine,
    jobTooltip.element,
  );
  const resizeObserver = new ResizeObserver(timeChartDrawings.draw);
  for (const observedElement of [element, gantts[0].stage]) resizeObserver.observe(observedElement);
  new ResizeObserver(() => element.style.setProperty('--head', `${head.offsetHeight}px`)).observe(head);
  return { element, gantts };
}
