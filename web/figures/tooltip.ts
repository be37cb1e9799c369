/** The box beside the pointer with the values of a point. */
import type { PlotRow } from '../../host/draw/rows.js';
import type { Figure } from '../../host/draw/types.js';
import { element } from './elements.js';
import { pointLines } from './words.js';

/** Pixels from the pointer. */
const DISTANCE = 14;

/** One box, moved and filled. */
export class Tooltip {
  readonly #box: HTMLElement;

  constructor(page: HTMLElement) {
    this.#box = element('div', { className: 'tooltip', hidden: true });
    this.#box.setAttribute('role', 'status');
    page.append(this.#box);
  }

  /** Shows a point at the place of an event; hides the box where there is none, or no event: the drawing goes. */
  show(figure: Figure, event: MouseEvent | null, row: PlotRow | undefined): void {
    this.#box.hidden = event === null || row?.series === undefined;
    if (event === null || row?.series === undefined) return;
    const { clientX, clientY } = event;
    const lines = pointLines(figure, row).flatMap(([name, value]) => [
      element('dt', {}, name),
      element('dd', {}, value),
    ]);
    this.#box.replaceChildren(element('b', {}, row.series), element('dl', {}, ...lines));
    const { offsetWidth, offsetHeight } = this.#box;
    const left =
      clientX + DISTANCE + offsetWidth > innerWidth ? clientX - DISTANCE - offsetWidth : clientX + DISTANCE;
    const top = Math.min(clientY + DISTANCE, innerHeight - offsetHeight - 2);
    Object.assign(this.#box.style, { left: `${Math.max(0, left)}px`, top: `${Math.max(0, top)}px` });
  }
}
