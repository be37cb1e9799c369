/** A drawing over time that answers: what is under the pointer, whose jobs, and a part of the time by choice. */
import { differenceGanttSvg, differenceLegend } from '../../host/draw/differenceGantt.js';
import { drawGanttPart, ganttLegend } from '../../host/draw/gantt.js';
import type { TimeDrawing } from '../../host/draw/live.js';
import { drawOccupancy, shadeText } from '../../host/draw/occupancy.js';
import type { LiveView } from '../../host/draw/timeChart.js';
import { timeText } from '../../host/draw/timeTicks.js';
import { element, onWidth } from './elements.js';
import { Legend } from './legend.js';
import { PanelDrag, placeIn } from './panelDrag.js';
import type { Range } from './range.js';
import type { Tooltip } from './tooltip.js';
import { ZoomButtons } from './zoomButtons.js';

function svgOf(data: TimeDrawing, view: LiveView): string {
  if (data.kind === 'gantt') return drawGanttPart(data, view);
  if (data.kind === 'occupancy') return drawOccupancy(data, view);
  return differenceGanttSvg(data, data.words, view);
}

function legendOf(data: TimeDrawing) {
  if (data.kind === 'gantt') return ganttLegend(data);
  return data.kind === 'occupancy' ? [] : differenceLegend(data);
}

/** A drawing in the place of what a page without scripts shows. */
export class LiveDrawing {
  readonly #data: TimeDrawing;
  readonly #all: Range;
  readonly #canvas = element('div', { className: 'live over-time' });
  readonly #tooltip: Tooltip;
  readonly #zoom: ZoomButtons;
  readonly #legend: Legend;
  #range: Range | undefined;
  #hidden: ReadonlySet<string> = new Set();

  constructor(data: TimeDrawing, drawing: HTMLElement, tooltip: Tooltip) {
    this.#tooltip = tooltip;
    this.#data = data;
    this.#all = [data.window.from, data.window.to];
    const show = (range: Range | undefined) => {
      this.#range = range;
      this.draw();
    };
    this.#zoom = new ZoomButtons(this.#all, false, show);
    this.#legend = new Legend(legendOf(data), (hidden) => {
      this.#hidden = hidden;
      this.draw();
    });
    const controls = element(
      'div',
      { className: 'controls' },
      element('span', { className: 'buttons' }, ...this.#zoom.buttons),
      this.#legend.element,
    );
    drawing.replaceChildren(controls, this.#canvas);
    new PanelDrag(
      this.#canvas,
      () => this.#lanes(),
      (_, ...shares) => {
        const [from, to] = shares.map((share) => this.#timeAt(share));
        show([from, to]);
      },
    );
    this.#canvas.addEventListener('pointermove', (event) => this.#tell(event));
    this.#canvas.addEventListener('pointerleave', () => this.#tooltip.hide());
    onWidth(this.#canvas, () => this.draw());
  }

  /** Draws what is chosen. */
  draw(): void {
    const [from, to] = this.#range ?? this.#all;
    const view = { window: { from, to }, width: this.#canvas.clientWidth, hidden: this.#hidden };
    this.#canvas.innerHTML = svgOf(this.#data, view);
    // Browsers show titles late, and beside the box that this page has for them.
    for (const title of this.#canvas.querySelectorAll('path > title')) {
      (title.parentElement as unknown as SVGElement).dataset.story = title.textContent;
      title.remove();
    }
    const title = this.#canvas.querySelector('svg > title');
    title?.parentElement?.setAttribute('aria-label', title.textContent);
    title?.remove();
    this.#zoom.show(this.#range, this.#all);
    this.#legend.show(this.#hidden);
  }

  #lanes(): Element[] {
    return [...this.#canvas.querySelectorAll('.lane')];
  }

  #timeAt(share: number): number {
    const [from, to] = this.#range ?? this.#all;
    return from + share * (to - from);
  }

  #tell(event: PointerEvent): void {
    const story = (event.target as SVGElement).dataset.story;
    const place = placeIn(this.#lanes(), event);
    if (story !== undefined) {
      const [name, ...rest] = story.split(/: |, /);
      this.#tooltip.show(
        event,
        name,
        rest.map((part) => [part, '']),
      );
    } else if (place !== undefined && this.#data.kind === 'occupancy') {
      const { window, shades, origin, beginning } = this.#data;
      const time = this.#timeAt((event.clientX - place.area.left) / place.area.width);
      const of = shades[place.panel];
      const interval = Math.floor(((time - window.from) / (window.to - window.from)) * of.length);
      const shade = of[Math.min(Math.max(interval, 0), of.length - 1)];
      this.#tooltip.show(event, timeText(time - origin, beginning), [
        [`site ${place.panel + 1}`, shadeText(shade)],
      ]);
    } else this.#tooltip.hide();
  }
}
