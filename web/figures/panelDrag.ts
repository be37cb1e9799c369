/** Dragging over a panel marks a part of its x axis. */
import { panelName } from '../../host/draw/spec.js';

/** Pixels that are a drag and not a click. */
const LEAST = 5;

/** A panel where a drag began. */
interface Start {
  readonly panel: number;
  readonly area: DOMRect;
  readonly x: number;
}

/** Tells of drags over the panels of a drawing, as shares of the width of the panel. */
export class PanelDrag {
  readonly #canvas: HTMLElement;
  readonly #mark = document.createElement('div');
  readonly #onSelect: (panel: number, from: number, to: number) => void;
  #start: Start | undefined;

  constructor(canvas: HTMLElement, onSelect: (panel: number, from: number, to: number) => void) {
    this.#canvas = canvas;
    this.#onSelect = onSelect;
    this.#mark.className = 'part-marked';
    canvas.addEventListener('pointerdown', (event) => this.#begin(event));
    canvas.addEventListener('pointermove', (event) => this.#move(event));
    canvas.addEventListener('pointerup', (event) => this.#end(event));
    canvas.addEventListener('pointercancel', () => this.#stop());
  }

  #begin(event: PointerEvent): void {
    // A finger scrolls the page.
    if (event.button !== 0 || event.pointerType === 'touch') return;
    const { clientX: x, clientY: y } = event;
    const isIn = ({ left, right, top, bottom }: DOMRect) =>
      x >= left && x <= right && y >= top && y <= bottom;
    for (let panel = 0; ; panel++) {
      const background = this.#canvas.querySelector(`.${panelName(panel)}_group > g > .background`);
      if (background === null) return;
      const area = background.getBoundingClientRect();
      if (!isIn(area)) continue;
      this.#start = { panel, area, x };
      this.#canvas.setPointerCapture(event.pointerId);
      event.preventDefault();
      return;
    }
  }

  #move({ clientX }: PointerEvent): void {
    if (this.#start === undefined) return;
    const { area, x } = this.#start;
    const page = this.#canvas.getBoundingClientRect();
    const [from, to] = [x, clientX].sort((a, b) => a - b);
    const left = Math.max(from, area.left);
    Object.assign(this.#mark.style, {
      left: `${left - page.left}px`,
      width: `${Math.max(0, Math.min(to, area.right) - left)}px`,
      top: `${area.top - page.top}px`,
      height: `${area.height}px`,
    });
    this.#canvas.append(this.#mark);
  }

  #end({ clientX }: PointerEvent): void {
    const start = this.#start;
    this.#stop();
    if (start === undefined || Math.abs(clientX - start.x) < LEAST) return;
    const { panel, area, x } = start;
    const [from, to] = [x, clientX]
      .map((each) => Math.min(1, Math.max(0, (each - area.left) / area.width)))
      .sort((a, b) => a - b);
    this.#onSelect(panel, from, to);
  }

  #stop(): void {
    this.#start = undefined;
    this.#mark.remove();
  }
}
