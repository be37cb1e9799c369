/** The box beside the pointer with the values of a point. */
import { element } from './elements.js';
import type { Line } from './words.js';

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

  hide(): void {
    this.#box.hidden = true;
  }

  /** Shows a title and lines at the place of an event. */
  show({ clientX, clientY }: MouseEvent, title: string, lines: readonly Line[]): void {
    this.#box.hidden = false;
    const shown = lines.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]);
    this.#box.replaceChildren(element('b', {}, title), element('dl', {}, ...shown));
    const { offsetWidth, offsetHeight } = this.#box;
    const left =
      clientX + DISTANCE + offsetWidth > innerWidth ? clientX - DISTANCE - offsetWidth : clientX + DISTANCE;
    const top = Math.min(clientY + DISTANCE, innerHeight - offsetHeight - 2);
    Object.assign(this.#box.style, { left: `${Math.max(0, left)}px`, top: `${Math.max(0, top)}px` });
  }
}
