/**
 * Charts one quantity of each run over time, on the time axis of the Gantt charts: means as a line, minimum
 * and maximum as a band.
 */

import { numberScale } from '../../../host/draw/axes.js';
import type { StepFunction } from '../../../host/draw/timeline.js';
import { formatMeasurement } from '../../../host/format/numbers.js';
import { createElement } from '../dom.js';
import { currentTheme, type ExplorerModel } from '../model.js';
import type { FinishedRunData } from '../protocol.js';
import { CurveRaster } from './curveRaster.js';
import { colorAndDashOfRun } from './looks.js';
import { type StepFunctionSamples, smoothStepSamples } from './stepIndex.js';
import { readCurrentStyleTokens } from './tokens.js';

/** Quantity that a chart shows. */
export interface ChartedQuantity {
  readonly title: string;
  readonly unit: string;
  readonly stepFunctionOf: (run: FinishedRunData) => StepFunction;
  /** Divisor of the values of a run. */
  readonly divisorOf: (run: FinishedRunData) => number;
  readonly maximum?: number;
  /** Largest possible value over time, if it changes in the run; undefined if it does not. */
  readonly limit?: (run: FinishedRunData) => StepFunction | undefined;
  /**
   * True if the quantity changes within nearly every pixel: lines are running means, and two lines
   * have no bands.
   */
  readonly isFluctuating?: boolean;
  /** True if the quantity is a count. */
  readonly isCount?: boolean;
}

/** Width of the running mean, in pixels for each change within a pixel, and its maximum. */
const [SMOOTHING_PIXELS_PER_CHANGE, MAX_SMOOTHING_PIXELS] = [4, 16];

const TIME_CHART_PADDING = 4;
const CURVE_LINE_WIDTH = 1.5;
/** Colours of the lines of largest possible values. */
const MAXIMUM_LINE_COLORS = { light: '#7f868d', dark: '#8f979e' } as const;

interface RunTimeCurve {
  readonly runIndex: number;
  readonly divisor: number;
  readonly samples: StepFunctionSamples;
  readonly limit: StepFunctionSamples | undefined;
}

export class TimeCurvesChart {
  readonly element: HTMLElement;
  readonly stage: HTMLElement;
  readonly #model: ExplorerModel;
  readonly #quantity: ChartedQuantity;
  readonly #canvas = createElement('canvas', {});
  readonly #ticks = createElement('div', { className: 'value-ticks', 'aria-hidden': 'true' });
  #size: readonly [width: number, height: number] = [0, 0];
  #raster: CurveRaster | undefined;
  #labels = '';
  #timer = 0;

  constructor(model: ExplorerModel, quantity: ChartedQuantity) {
    this.#model = model;
    this.#quantity = quantity;
    this.stage = createElement(
      'div',
      { className: 'stage', role: 'img', 'aria-label': quantity.title },
      this.#canvas,
    );
    this.element = createElement(
      'section',
      { className: 'lines' },
      createElement('h3', {}, quantity.title, createElement('small', {}, ` ${quantity.unit}`)),
      createElement('div', { className: 'chart-row' }, this.#ticks, this.stage),
    );
  }

  /** Reads the element's size for `draw`; reading and writing are separate to avoid repeated layouts. */
  measure(): void {
    this.#size = [this.stage.clientWidth, this.stage.clientHeight];
  }

  draw(): void {
    const { view: visibleRange, cursor, outcome, span } = this.#model;
    const [width, height] = this.#size;
    if (width === 0 || outcome === undefined) return;
    const scale = Math.min(devicePixelRatio, 2);
    const canvasSizeInPixels = [Math.round(width * scale), Math.round(height * scale)] as const;
    if (
      this.#raster?.image.width !== canvasSizeInPixels[0] ||
      this.#raster.image.height !== canvasSizeInPixels[1]
    ) {
      this.#raster = new CurveRaster(...canvasSizeInPixels);
      [this.#canvas.width, this.#canvas.height] = canvasSizeInPixels;
    }
    const context = this.#canvas.getContext('2d') as CanvasRenderingContext2D;
    context.setTransform(scale, 0, 0, scale, 0, 0);
    const runCurves = this.#curves(canvasSizeInPixels[0]);
    const maxValue =
      this.#quantity.maximum ??
      runCurves.reduce((maximum, curve) => Math.max(maximum, maximumOfCurve(curve)), 1);
    this.#raster.clear();
    for (const { runIndex, divisor, samples, limit } of runCurves) {
      const y = (quantityValue: number) =>
        scale *
        (height -
          TIME_CHART_PADDING -
          (quantityValue / divisor / maxValue) * (height - 2 * TIME_CHART_PADDING));
      if (limit !== undefined)
        this.#raster.draw(limit, y, { color: MAXIMUM_LINE_COLORS[currentTheme()], dash: [], width: scale });
      const { color, dash } = colorAndDashOfRun(runIndex, currentTheme());
      this.#raster.draw(samples, y, {
        color,
        dash: dash.map((dashLength) => scale * dashLength),
        width: scale * CURVE_LINE_WIDTH,
      });
    }
    context.putImageData(this.#raster.image, 0, 0);
    const { line, accent } = readCurrentStyleTokens();
    context.globalCompositeOperation = 'destination-over';
    this.#drawGrid(context, maxValue, width, height, line);
    context.globalCompositeOperation = 'source-over';
    const x = (time: number) => ((time - visibleRange.from) / (visibleRange.to - visibleRange.from)) * width;
    context.fillStyle = accent;
    if (cursor !== undefined) context.fillRect(x(cursor), 0, 1.5, height);
    if (span !== undefined) {
      context.globalAlpha = 0.09;
      context.fillRect(x(span[0]), 0, x(span[1]) - x(span[0]), height);
      context.globalAlpha = 1;
    }
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(
      () => this.stage.setAttribute('aria-label', this.#describeCurves(runCurves)),
      300,
    );
  }

  /** Returns the curves of the visible runs with one sample for each of `columns` columns. */
  #curves(columns: number): RunTimeCurve[] {
    const { view: visibleRange, runs, shown: shownRuns } = this.#model;
    const { stepFunctionOf, divisorOf, limit: limitOf, isFluctuating = false } = this.#quantity;
    const runIndices = shownRuns.filter(
      (shownRunIndex) => shownRunIndex >= 0 && runs[shownRunIndex] !== undefined,
    );
    return runIndices.map((runIndex): RunTimeCurve => {
      const index = this.#model.stepFunctionIndexOf(stepFunctionOf(runs[runIndex]));
      const showsBand = runIndices.length === 1 || !isFluctuating;
      const exactSamples = index.samples(visibleRange.from, visibleRange.to, columns, showsBand);
      const changesPerPixel = index.count(visibleRange.from, visibleRange.to) / columns;
      const samples = isFluctuating
        ? smoothStepSamples(
            exactSamples,
            Math.min(MAX_SMOOTHING_PIXELS, SMOOTHING_PIXELS_PER_CHANGE * changesPerPixel) *
              Math.min(devicePixelRatio, 2),
          )
        : exactSamples;
      const limitSteps = limitOf?.(runs[runIndex]);
      return {
        runIndex,
        divisor: divisorOf(runs[runIndex]),
        samples,
        limit:
          limitSteps &&
          this.#model
            .stepFunctionIndexOf(limitSteps)
            .samples(visibleRange.from, visibleRange.to, columns, false),
      };
    });
  }

  #drawGrid(
    context: CanvasRenderingContext2D,
    maxValue: number,
    width: number,
    height: number,
    color: string,
  ): void {
    const y = numberScale([0, maxValue], [height - TIME_CHART_PADDING, TIME_CHART_PADDING]);
    const ticks = y.ticks(3).filter((tick) => !this.#quantity.isCount || Number.isInteger(tick));
    context.fillStyle = color;
    for (const tick of ticks) context.fillRect(0, Math.round(y(tick)), width, 1);
    const tickLabels = ticks.map(formatMeasurement);
    const tickLabelsText = tickLabels.join(' ');
    if (tickLabelsText !== this.#labels)
      this.#ticks.replaceChildren(...tickLabels.map((tickLabel) => createElement('span', {}, tickLabel)));
    this.#labels = tickLabelsText;
    // Reuses elements, so that drawing a frame creates none.
    [...this.#ticks.children].forEach((label, i) => {
      (label as HTMLElement).style.top = `${y(ticks[i])}px`;
    });
  }

  #describeCurves(runCurves: readonly RunTimeCurve[]): string {
    const curveDescriptions = runCurves.map((curve) => {
      const { mean } = curve.samples;
      const average = mean.reduce((sum, meanOfSample) => sum + meanOfSample, 0) / mean.length / curve.divisor;
      return `${this.#model.runs[curve.runIndex]?.label} ${formatMeasurement(average)} on average, at most ${formatMeasurement(maximumOfCurve(curve))}`;
    });
    return `${this.#quantity.title} ${this.#quantity.unit} in the time shown: ${curveDescriptions.join('; ')}`;
  }
}

/** Returns the largest value of a curve. */
function maximumOfCurve({ samples: { maximum: maxima }, divisor }: RunTimeCurve): number {
  let maximum = 0;
  for (const value of maxima) if (value > maximum) maximum = value;
  return maximum / divisor;
}
