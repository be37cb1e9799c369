/** A quantity of each run over time, on the time axis of the Gantt charts: means, with the least and the largest as a band. */

import { numberScale } from '../../../host/draw/axes.js';
import { type Steps, samplePoints } from '../../../host/draw/timeline.js';
import { formatMeasure } from '../../../host/format/numbers.js';
import { h } from '../dom.js';
import { type Model, themeNow } from '../model.js';
import type { RunData } from '../protocol.js';
import { runLook } from './looks.js';

/** What is shown. */
export interface Quantity {
  readonly title: string;
  readonly unit: string;
  readonly of: (run: RunData) => Steps;
  /** By which values are divided. */
  readonly per: (model: Model) => number;
  readonly most?: number;
}

const PAD = 4;

/** A chart of one quantity. */
export class TimeLines {
  readonly element: HTMLElement;
  readonly stage: HTMLElement;
  readonly #model: Model;
  readonly #quantity: Quantity;
  readonly #canvas = h('canvas', {});
  readonly #ticks = h('div', { className: 'value-ticks', 'aria-hidden': 'true' });

  constructor(model: Model, quantity: Quantity) {
    this.#model = model;
    this.#quantity = quantity;
    this.stage = h('div', { className: 'stage', role: 'img' }, this.#canvas);
    this.element = h(
      'section',
      { className: 'lines' },
      h('h3', {}, quantity.title, h('small', {}, ` ${quantity.unit}`)),
      h('div', { className: 'chart-row' }, this.#ticks, this.stage),
    );
  }

  /** Draws all of it. */
  draw(): void {
    const { view, runs, cursor, outcome } = this.#model;
    const [width, height] = [this.stage.clientWidth, this.stage.clientHeight];
    if (width === 0 || outcome === undefined) return;
    const scale = Math.min(devicePixelRatio, 2);
    [this.#canvas.width, this.#canvas.height] = [width * scale, height * scale];
    const context = this.#canvas.getContext('2d') as CanvasRenderingContext2D;
    context.scale(scale, scale);
    const per = this.#quantity.per(this.#model);
    const shown = this.#model.shown.filter((place) => place >= 0);
    const curves = shown.map((place) => ({
      place,
      points: samplePoints(this.#quantity.of(runs[place]), view, Math.ceil(width)),
    }));
    const largest = curves.reduce(
      (most, { points }) => points.reduce((sum, { high }) => Math.max(sum, high), most),
      0,
    );
    const top = this.#quantity.most ?? Math.max(largest / per, 1);
    const y = (value: number) => height - PAD - (value / per / top) * (height - 2 * PAD);
    const style = getComputedStyle(this.element);
    this.#drawGrid(context, top, width, height, style.getPropertyValue('--line'));
    for (const { place, points } of curves) {
      const { color, dash } = runLook(place, themeNow());
      context.fillStyle = color;
      context.globalAlpha = 0.18;
      points.forEach(({ low, high }, x) => {
        if (high > low) context.fillRect(x, y(high), 1, y(low) - y(high));
      });
      context.globalAlpha = 1;
      context.strokeStyle = color;
      context.lineWidth = 1.5;
      context.setLineDash([...dash]);
      context.beginPath();
      points.forEach((point, x) => {
        if (x === 0) context.moveTo(0, y(point.y));
        else context.lineTo(x, y(point.y));
      });
      context.stroke();
      context.setLineDash([]);
    }
    if (cursor !== undefined) {
      const x = ((cursor - view.from) / (view.to - view.from)) * width;
      context.fillStyle = style.getPropertyValue('--accent');
      context.fillRect(x, 0, 1.5, height);
    }
    this.stage.setAttribute('aria-label', this.#sentence(curves, per));
  }

  #drawGrid(
    context: CanvasRenderingContext2D,
    top: number,
    width: number,
    height: number,
    color: string,
  ): void {
    const y = numberScale([0, top], [height - PAD, PAD]);
    const ticks = y.ticks(3);
    context.fillStyle = color;
    for (const tick of ticks) context.fillRect(0, Math.round(y(tick)), width, 1);
    this.#ticks.replaceChildren(
      ...ticks.map((tick) => {
        const label = h('span', {}, formatMeasure(tick));
        label.style.top = `${y(tick)}px`;
        return label;
      }),
    );
  }

  #sentence(
    curves: readonly { place: number; points: readonly { y: number; high: number }[] }[],
    per: number,
  ): string {
    const parts = curves.map(({ place, points }) => {
      const mean = points.reduce((sum, { y }) => sum + y, 0) / points.length / per;
      const most = points.reduce((largest, { high }) => Math.max(largest, high), 0) / per;
      return `${this.#model.runs[place].label} ${formatMeasure(mean)} on average, at most ${formatMeasure(most)}`;
    });
    return `${this.#quantity.title} [${this.#quantity.unit}] in the time shown: ${parts.join('; ')}`;
  }
}
