/** What a reader chooses by: measure, baseline, scale, part of the x axis, and a legend of buttons. */
import { figureLooks } from '../../host/draw/spec.js';
import type { Figure, FigureView } from '../../host/draw/types.js';
import { button, choice, element } from './elements.js';
import { Legend } from './legend.js';
import type { Range } from './range.js';
import { type Choice, canBeLogarithmic, shownFigure, viewsOf } from './shown.js';
import { ZoomButtons } from './zoomButtons.js';

/** Markers as characters. */
const MARKERS: Readonly<Record<string, string>> = {
  circle: '●',
  square: '■',
  'triangle-up': '▲',
  diamond: '◆',
  'triangle-down': '▼',
  cross: '✚',
  'triangle-right': '▶',
  'triangle-left': '◀',
};

const NO_BASELINE = 'none';

/** The controls above a figure. */
export class Controls {
  readonly element = element('div', { className: 'controls' });
  readonly #legend: Legend;
  readonly #scale: HTMLButtonElement;
  readonly #zoom: ZoomButtons | undefined;
  readonly #all: Range | undefined;
  readonly #onChoice: (changed: Partial<Choice>) => void;
  readonly #measures: readonly string[];
  readonly #baselines: readonly (string | undefined)[];
  readonly #measure: HTMLSelectElement;
  readonly #baseline: HTMLSelectElement;
  #choice: Choice;

  /** @param all the whole x axis; none where it cannot be cut. */
  constructor(
    figure: Figure,
    first: Choice,
    all: Range | undefined,
    onChoice: (changed: Partial<Choice>) => void,
  ) {
    this.#choice = first;
    this.#onChoice = onChoice;
    this.#all = all;
    const views = viewsOf(figure);
    this.#measures = [...new Set(views.map(({ measure }) => measure))];
    this.#baselines = [...new Set(views.map(({ baseline }) => baseline))];
    const pick = (measure: string, baseline: string | undefined) => this.#pick(views, measure, baseline);
    this.#measure = choice(this.#measures, (i) => pick(this.#measures[i], this.#choice.view.baseline));
    this.#baseline = choice(
      this.#baselines.map((baseline) => baseline ?? NO_BASELINE),
      (i) => pick(this.#choice.view.measure, this.#baselines[i]),
    );
    this.#scale = button('log', 'a logarithmic axis of values', () => {
      this.#onChoice({ scale: this.#choice.scale === 'log' ? 'linear' : 'log' });
    });
    this.#zoom = all && new ZoomButtons(all, figure.x.scale === 'log', (range) => onChoice({ range }));
    const { names, looks } = figureLooks(shownFigure(figure, first));
    const entries = names.map((name, i) => ({
      name,
      color: looks[i].color,
      marker: figure.kind === 'step' ? '━' : MARKERS[looks[i].marker],
    }));
    this.#legend = new Legend(entries, (hidden) => onChoice({ hidden }));
    this.element.append(
      ...named('measure', this.#measure),
      ...named('differences to', this.#baseline),
      element('span', { className: 'buttons' }, this.#scale, ...(this.#zoom?.buttons ?? [])),
      this.#legend.element,
    );
    this.show(first);
  }

  /** Shows what is chosen now. */
  show(chosen: Choice): void {
    this.#choice = chosen;
    this.#measure.selectedIndex = this.#measures.indexOf(chosen.view.measure);
    this.#baseline.selectedIndex = this.#baselines.indexOf(chosen.view.baseline);
    const present = new Set(chosen.view.panels.flatMap(({ series }) => series.map(({ name }) => name)));
    this.#legend.show(chosen.hidden, present);
    this.#scale.disabled = !canBeLogarithmic(chosen.view) && chosen.scale !== 'log';
    this.#scale.setAttribute('aria-pressed', String(chosen.scale === 'log'));
    if (this.#all) this.#zoom?.show(chosen.range, this.#all);
  }

  /** Chooses a measure, and the baseline as far as there are differences of this measure to it. */
  #pick(views: readonly FigureView[], measure: string, baseline: string | undefined): void {
    const ofMeasure = views.filter((view) => view.measure === measure);
    const view = ofMeasure.find((each) => each.baseline === baseline) ?? ofMeasure[0];
    this.#onChoice({ view, scale: canBeLogarithmic(view) ? this.#choice.scale : 'linear' });
  }
}

/** A choice behind its name; nothing where there is nothing to choose. */
function named(name: string, select: HTMLSelectElement): HTMLElement[] {
  return select.length < 2 ? [] : [element('label', {}, `${name} `, select)];
}
