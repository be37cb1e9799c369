/** Draws the time axis below the charts as HTML text. */
import { makeElapsedTimeTicks } from '../../../host/draw/axes.js';
import { estimateTextWidth } from '../../../host/draw/svg.js';
import { createElement } from '../dom.js';
import type { ExplorerModel } from '../model.js';

/** Width of a label in pixels. */
const TIME_AXIS_LABEL_WIDTH = 90;
/** Font size of a label, and the gap between label and mark, in pixels. */
const [FONT_SIZE, PADDING] = [11.5, 6];

/** Time axis, redrawn when the visible time range changes. */
export class TimeAxis {
  readonly element = createElement('div', { className: 'time-axis chart-row' });
  readonly #ticks = createElement('div', { className: 'ticks' });
  readonly #title = createElement('small', { className: 'axis-title' });
  readonly #model: ExplorerModel;

  constructor(model: ExplorerModel) {
    this.#model = model;
    this.element.append(createElement('div', { className: 'site-names' }, this.#title), this.#ticks);
  }

  /** Width of the charts in pixels. */
  set width(pixels: number) {
    this.#width = pixels;
  }
  #width = 1;

  draw(): void {
    const { view: visibleRange, outcome } = this.#model;
    if (outcome === undefined) return;
    const firstSubmit = outcome.jobs.submit[0];
    const { unixStartTime } = outcome;
    const unixTimeOfFirstSubmit = unixStartTime === undefined ? undefined : unixStartTime + firstSubmit;
    const { ticks, title: axisTitle } = makeElapsedTimeTicks(
      visibleRange.from - firstSubmit,
      visibleRange.to - firstSubmit,
      unixTimeOfFirstSubmit,
    );
    const titleText = axisTitle.replace('time since the first submit', 'time');
    if (this.#title.textContent !== titleText) this.#title.textContent = titleText;
    const width = Math.max(this.#width, 1);
    const tickStride = Math.max(1, Math.ceil((ticks.length * TIME_AXIS_LABEL_WIDTH) / width));
    const visibleTicks = ticks.filter((_, i) => i % tickStride === 0);
    // Reuses elements, so that drawing a frame creates none.
    while (this.#ticks.childElementCount < visibleTicks.length) this.#ticks.append(createElement('span'));
    let occupiedUpToX = 0;
    [...this.#ticks.children].forEach((element, i) => {
      const labelElement = element as HTMLElement;
      if (visibleTicks[i] === undefined) {
        labelElement.hidden = true;
        return;
      }
      const { value: tickValue, label: tickLabel } = visibleTicks[i];
      const x =
        (width * (tickValue + firstSubmit - visibleRange.from)) / (visibleRange.to - visibleRange.from);
      if (labelElement.textContent !== tickLabel) labelElement.textContent = tickLabel;
      // A label that would be cut off at the right end is placed left of its mark, or omitted if it does not
      // fit there.
      const labelWidth = estimateTextWidth(tickLabel, FONT_SIZE) + PADDING;
      const isLabelLeftOfMark = x + labelWidth > width && x - labelWidth > occupiedUpToX;
      labelElement.hidden = x + labelWidth > width && !isLabelLeftOfMark;
      occupiedUpToX = x + labelWidth;
      labelElement.style.transform = `translateX(${x.toFixed(1)}px)${isLabelLeftOfMark ? ' translateX(-100%)' : ''}`;
      labelElement.classList.toggle('is-before', isLabelLeftOfMark);
    });
  }
}
