/** A figure that answers: values under the pointer, series, measures, differences, scale and part by choice. */
import { parse, type Spec as VegaSpec, View } from 'vega';
import { expressionInterpreter } from 'vega-interpreter';
import { compile, type TopLevelSpec } from 'vega-lite';
import type { PlotRow } from '../../host/draw/rows.js';
import { figureSpec, panelName } from '../../host/draw/spec.js';
import type { Figure } from '../../host/draw/types.js';
import { Controls } from './controls.js';
import { onWidth } from './elements.js';
import { PanelDrag, placeIn } from './panelDrag.js';
import { type Choice, placesOf, pointUpTo, shownFigure, viewsOf } from './shown.js';
import type { Tooltip } from './tooltip.js';
import { placeText, pointLines, valueLine } from './words.js';

/** A figure in the place of its drawing. */
export class LiveFigure {
  readonly #figure: Figure;
  readonly #canvas: HTMLElement;
  readonly #tooltip: Tooltip;
  readonly #controls: Controls;
  readonly #all: readonly [number, number] | undefined;
  #choice: Choice;
  #view: View | undefined;
  #drawing: Promise<void> = Promise.resolve();

  constructor(figure: Figure, drawing: HTMLElement, tooltip: Tooltip) {
    this.#tooltip = tooltip;
    this.#figure = figure;
    const [view] = viewsOf(figure);
    this.#choice = { view, hidden: new Set(), scale: view.y.scale ?? 'linear' };
    const places = placesOf(figure);
    this.#all = places.length > 2 ? [places[0], places[places.length - 1]] : undefined;
    this.#canvas = document.createElement('div');
    this.#canvas.className = 'live';
    this.#canvas.setAttribute('role', 'img');
    this.#canvas.setAttribute('aria-label', `${figure.title}: the values stand in the table and its files`);
    this.#controls = new Controls(figure, this.#choice, this.#all, (changed) => void this.#change(changed));
    new PanelDrag(
      this.#canvas,
      () => this.#panels(),
      (panel, from, to) => void this.#select(panel, from, to),
    );
    drawing.replaceChildren(this.#controls.element, this.#canvas);
    if (figure.kind === 'step') {
      this.#canvas.addEventListener('pointermove', (event) => this.#tellSteps(event));
      this.#canvas.addEventListener('pointerleave', () => this.#tooltip.hide());
    }
    onWidth(this.#canvas, () => void this.draw());
  }

  /** The places of the panels, as they are drawn now. */
  #panels(): Element[] {
    const found = this.#figure.panels.map((_, panel) =>
      this.#canvas.querySelector(`.${panelName(panel)}_group > g > .background`),
    );
    return found.filter((element) => element !== null);
  }

  /** Draws what is chosen, after what is being drawn. */
  draw(): Promise<void> {
    this.#drawing = this.#drawing.then(() => this.#draw());
    return this.#drawing;
  }

  async #draw(): Promise<void> {
    const figure = shownFigure(this.#figure, this.#choice);
    const { spec } = compile(figureSpec(figure, this.#canvas.clientWidth) as unknown as TopLevelSpec);
    this.#view?.finalize();
    // Without functions made from texts, which the page forbids.
    const runtime = parse(spec as VegaSpec, undefined, { ast: true });
    const view = new View(runtime, { expr: expressionInterpreter, renderer: 'svg', container: this.#canvas });
    view.tooltip((_, event: MouseEvent | null, __, row: PlotRow | undefined) => {
      if (figure.kind === 'step') return;
      // Without an event the drawing goes.
      if (event === null || row?.series === undefined) this.#tooltip.hide();
      else this.#tooltip.show(event, row.series, pointLines(figure, row));
    });
    await view.runAsync();
    // The element around it says what it is; its marks have no words.
    this.#canvas.querySelector('svg')?.setAttribute('aria-hidden', 'true');
    this.#view = view;
  }

  #change(changed: Partial<Choice>): Promise<void> {
    this.#choice = { ...this.#choice, ...changed };
    this.#controls.show(this.#choice);
    return this.draw();
  }

  /** The value at a share of the width of a panel. */
  #valueAt(panel: number, share: number): number | undefined {
    const scale = this.#view?.scale(`${panelName(panel)}_x`) as
      | { invert(x: number): number; range(): number[] }
      | undefined;
    return scale?.invert(share * Math.max(...scale.range()));
  }

  /** Shows the part between two shares of the width of a panel. */
  #select(panel: number, ...shares: [number, number]): Promise<void> {
    const [from, to] = shares.map((share) => this.#valueAt(panel, share) ?? 0);
    return this.#all !== undefined && to > from ? this.#change({ range: [from, to] }) : Promise.resolve();
  }

  /** What holds at the pointer, of all series that are shown: steps have no points to be met. */
  #tellSteps(event: PointerEvent): void {
    const place = placeIn(this.#panels(), event);
    const x = place && this.#valueAt(place.panel, (event.clientX - place.area.left) / place.area.width);
    if (place === undefined || x === undefined) {
      this.#tooltip.hide();
      return;
    }
    const figure = shownFigure(this.#figure, this.#choice);
    const found = figure.panels[place.panel].series.flatMap(({ name, points }) => {
      const point = pointUpTo(points, x);
      return point === undefined ? [] : [{ name, point }];
    });
    if (found.length === 0) this.#tooltip.hide();
    else {
      const names = found.length === 1 ? [figure.y.title] : found.map(({ name }) => name);
      const lines = found.map(({ point }, i) => valueLine(names[i], point, figure.y));
      this.#tooltip.show(event, placeText(found[0].point.x, figure.x), lines);
    }
  }
}
