/** A figure that answers: values under the pointer, series, measures, differences, scale and part by choice. */
import { parse, type Spec as VegaSpec, View } from 'vega';
import { expressionInterpreter } from 'vega-interpreter';
import { compile, type TopLevelSpec } from 'vega-lite';
import type { PlotRow } from '../../host/draw/rows.js';
import { figureSpec, panelName } from '../../host/draw/spec.js';
import type { Figure } from '../../host/draw/types.js';
import { Controls } from './controls.js';
import { PanelDrag } from './panelDrag.js';
import { type Choice, placesOf, shownFigure, viewsOf } from './shown.js';
import { Tooltip } from './tooltip.js';

/** The least part of the x axis that is shown, as a share of all. */
const LEAST_PART = 1e-4;

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

  constructor(figure: Figure, drawing: HTMLElement) {
    this.#figure = figure;
    const [view] = viewsOf(figure);
    this.#choice = { view, hidden: new Set(), scale: view.y.scale ?? 'linear' };
    const places = placesOf(figure);
    this.#all = places.length > 2 ? [places[0], places[places.length - 1]] : undefined;
    this.#canvas = document.createElement('div');
    this.#canvas.className = 'live';
    this.#canvas.setAttribute('role', 'img');
    this.#canvas.setAttribute('aria-label', `${figure.title}: the values stand in the table and its files`);
    this.#tooltip = new Tooltip(document.body);
    this.#controls = new Controls(figure, this.#choice, {
      onChoice: (changed) => void this.#change(changed),
      onZoom: this.#all === undefined ? undefined : (factor) => void this.#zoom(factor),
    });
    new PanelDrag(this.#canvas, (panel, from, to) => void this.#select(panel, from, to));
    drawing.replaceChildren(this.#controls.element, this.#canvas);
    let width = this.#canvas.clientWidth;
    new ResizeObserver(() => {
      if (this.#canvas.clientWidth === width) return;
      width = this.#canvas.clientWidth;
      void this.draw();
    }).observe(this.#canvas);
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
    view.tooltip((_, event, __, row: PlotRow | undefined) => this.#tooltip.show(figure, event, row));
    await view.runAsync();
    this.#view = view;
  }

  #change(changed: Partial<Choice>): Promise<void> {
    this.#choice = { ...this.#choice, ...changed };
    this.#controls.show(this.#choice);
    return this.draw();
  }

  /** Shows so many times as much of the x axis, around its middle; at most all. */
  #zoom(factor: number): Promise<void> {
    const [least, most] = this.#all ?? [0, 0];
    const [from, to] = this.#choice.range ?? [least, most];
    const half = Math.max(((to - from) * factor) / 2, ((most - least) * LEAST_PART) / 2);
    if (2 * half >= most - least) return this.#change({ range: undefined });
    const middle = Math.min(Math.max((from + to) / 2, least + half), most - half);
    return this.#change({ range: [middle - half, middle + half] });
  }

  /** Shows the part between two shares of the width of a panel. */
  #select(panel: number, ...shares: [number, number]): Promise<void> {
    if (this.#all === undefined || this.#view === undefined) return Promise.resolve();
    const scale = this.#view.scale(`${panelName(panel)}_x`) as {
      invert(x: number): number;
      range(): number[];
    };
    const width = Math.max(...scale.range());
    const [from, to] = shares.map((share) => scale.invert(share * width));
    return to > from ? this.#change({ range: [from, to] }) : Promise.resolve();
  }
}
