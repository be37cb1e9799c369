/** The axis of time below the charts, as text. */
import { timeTicks } from '../../../host/draw/axes.js';
import { h } from '../dom.js';
import type { Model } from '../model.js';

/** An axis; it is drawn anew where the time shown has become another. */
export class TimeAxis {
  readonly element = h('div', { className: 'time-axis chart-row' });
  readonly #ticks = h('div', { className: 'ticks' });
  readonly #title = h('small', { className: 'axis-title' });
  readonly #model: Model;

  constructor(model: Model) {
    this.#model = model;
    this.element.append(h('div', { className: 'site-names' }, this.#title), this.#ticks);
  }

  /** Draws all of it. */
  draw(): void {
    const { view, outcome } = this.#model;
    if (outcome === undefined) return;
    const origin = outcome.jobs.submit[0];
    const { unixStartTime } = outcome;
    const beginning = unixStartTime === undefined ? undefined : unixStartTime + origin;
    const { ticks, title } = timeTicks(view.from - origin, view.to - origin, beginning);
    const room = Math.max(1, Math.ceil((ticks.length * 90) / Math.max(this.#ticks.clientWidth, 1)));
    this.#title.textContent = title.replace('time since the first submit', 'time');
    this.#ticks.replaceChildren(
      ...ticks
        .filter((_, i) => i % room === 0)
        .map(({ value, label }) => {
          const element = h('span', {}, label);
          element.style.left = `${(100 * (value + origin - view.from)) / (view.to - view.from)}%`;
          return element;
        }),
    );
  }
}
