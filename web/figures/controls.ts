/** What a reader chooses by: measure, baseline, scale, part of the x axis, and a legend of buttons. */
import type { SeriesLook } from '../../host/draw/palette.js';
import { figureLooks } from '../../host/draw/spec.js';
import type { Figure, FigureView } from '../../host/draw/types.js';
import { button, choice, element } from './elements.js';
import { type Choice, canBeLogarithmic, shownFigure, viewsOf } from './shown.js';

/** Who hears of choices. */
interface Listener {
  readonly onChoice: (changed: Partial<Choice>) => void;
  /** How many times as much of the x axis is wanted; none where it cannot be cut. */
  readonly onZoom: ((factor: number) => void) | undefined;
}

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
  readonly #legend = new Map<string, HTMLButtonElement>();
  readonly #scale: HTMLButtonElement;
  readonly #whole: HTMLButtonElement | undefined;
  readonly #onChoice: Listener['onChoice'];
  readonly #measures: readonly string[];
  readonly #baselines: readonly (string | undefined)[];
  readonly #measure: HTMLSelectElement;
  readonly #baseline: HTMLSelectElement;
  #choice: Choice;

  constructor(figure: Figure, first: Choice, { onChoice, onZoom }: Listener) {
    this.#choice = first;
    this.#onChoice = onChoice;
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
    const zoom =
      onZoom === undefined
        ? []
        : [
            button('+', 'show less of the horizontal axis, around its middle', () => onZoom(1 / 2)),
            button('−', 'show more of the horizontal axis', () => onZoom(2)),
          ];
    if (onZoom !== undefined)
      this.#whole = button('all', 'show all of the horizontal axis', () => onZoom(Infinity));
    this.element.append(
      ...named('measure', this.#measure),
      ...named('differences to', this.#baseline),
      element('span', { className: 'buttons' }, this.#scale, ...zoom, ...(this.#whole ? [this.#whole] : [])),
      this.#legendOf(figure),
    );
    this.show(first);
  }

  /** Shows what is chosen now. */
  show(chosen: Choice): void {
    this.#choice = chosen;
    this.#measure.selectedIndex = this.#measures.indexOf(chosen.view.measure);
    this.#baseline.selectedIndex = this.#baselines.indexOf(chosen.view.baseline);
    const present = new Set(chosen.view.panels.flatMap(({ series }) => series.map(({ name }) => name)));
    for (const [name, entry] of this.#legend) {
      entry.hidden = !present.has(name);
      entry.setAttribute('aria-pressed', String(!chosen.hidden.has(name)));
    }
    this.#scale.disabled = !canBeLogarithmic(chosen.view) && chosen.scale !== 'log';
    this.#scale.setAttribute('aria-pressed', String(chosen.scale === 'log'));
    if (this.#whole) this.#whole.disabled = chosen.range === undefined;
  }

  /** Chooses a measure, and the baseline as far as there are differences of this measure to it. */
  #pick(views: readonly FigureView[], measure: string, baseline: string | undefined): void {
    const ofMeasure = views.filter((view) => view.measure === measure);
    const view = ofMeasure.find((each) => each.baseline === baseline) ?? ofMeasure[0];
    this.#onChoice({ view, scale: canBeLogarithmic(view) ? this.#choice.scale : 'linear' });
  }

  /** A button for each series: pressed, the series is shown. */
  #legendOf(figure: Figure): HTMLElement {
    const { names, looks } = figureLooks(shownFigure(figure, this.#choice));
    const entries = names.map((name, i) => {
      const entry = button('', 'show or hide; with Shift, show it alone', () => {});
      entry.onclick = ({ shiftKey }) => this.#press(name, names, shiftKey);
      entry.append(sampleOf(looks[i]), name);
      this.#legend.set(name, entry);
      return entry;
    });
    return element('div', { className: 'legend', hidden: names.length < 2 }, ...entries);
  }

  #press(name: string, names: readonly string[], isAlone: boolean): void {
    const { hidden } = this.#choice;
    const isAloneNow = !hidden.has(name) && hidden.size === names.length - 1;
    if (isAlone) {
      this.#onChoice({ hidden: new Set(isAloneNow ? [] : names.filter((each) => each !== name)) });
      return;
    }
    const next = new Set(hidden);
    if (!next.delete(name)) next.add(name);
    this.#onChoice({ hidden: next });
  }
}

/** A choice behind its name; nothing where there is nothing to choose. */
function named(name: string, select: HTMLSelectElement): HTMLElement[] {
  return select.length < 2 ? [] : [element('label', {}, `${name} `, select)];
}

function sampleOf({ color, marker }: SeriesLook): HTMLElement {
  const sample = element('span', { className: 'sample' }, MARKERS[marker] ?? '■');
  sample.style.color = color;
  sample.setAttribute('aria-hidden', 'true');
  return sample;
}
