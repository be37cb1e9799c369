/** Dragging over a panel marks a part of its x axis. */

/** Pixels that are a drag and not a click. */
const LEAST = 5;

/** A panel where a drag began. */
interface Start {
  readonly panel: number;
  readonly area: DOMRect;
  readonly x: number;
}

/** The panel under the pointer, and where it is on the page. */
export function placeIn(
  panels: readonly Element[],
  { clientX: x, clientY: y }: MouseEvent,
): { readonly panel: number; readonly area: DOMRect } | undefined {
  for (const [panel, element] of panels.entries()) {
    const area = element.getBoundingClientRect();
    if (x >= area.left && x <= area.right && y >= area.top && y <= area.bottom) return { panel, area };
  }
  return undefined;
}

/** Tells of drags over the panels of a drawing, as shares of the width of the panel. */
export class PanelDrag {
  readonly #canvas: HTMLElement;
  readonly #panels: () => readonly Element[];
  readonly #mark = document.createElement('div');
  readonly #onSelect: (panel: number, from: number, to: number) => void;
  #start: Start | undefined;

  /** @param panels what is dragged over, as it is drawn now. */
  constructor(
    canvas: HTMLElement,
    panels: () => readonly Element[],
    onSelect: (panel: number, from: number, to: number) => void,
  ) {
    this.#canvas = canvas;
    this.#panels = panels;
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
    const place = placeIn(this.#panels(), event);
    if (place === undefined) return;
    this.#start = { ...place, x: event.clientX };
    this.#canvas.setPointerCapture(event.pointerId);
    event.preventDefault();
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
