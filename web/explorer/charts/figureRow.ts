/** Shows report figures at the page's width, so that their text has the page's size. */
import { figureSvg } from '../../../host/draw/figure.js';
import type { Figure } from '../../../host/draw/figureModel.js';
import { observeWidth } from '../../figures/page.js';
import { createElement, parseSvg } from '../dom.js';

/** Figures side by side; one below the other if the page is too narrow. */
export class SideBySideFigures {
  readonly element = createElement('div', { className: 'pair' });
  #shown: readonly { readonly figure: Figure; readonly place: HTMLElement }[] = [];

  constructor() {
    observeWidth(this.element, () => this.#draw());
  }

  /** Replaces the figures. */
  show(figures: readonly Figure[]): void {
    this.#shown = figures.map((figure) => ({ figure, place: createElement('div') }));
    this.element.replaceChildren(
      ...this.#shown.map(({ figure: { title, caption }, place }) =>
        createElement(
          'figure',
          {},
          createElement('figcaption', {}, createElement('h3', {}, title), caption),
          place,
        ),
      ),
    );
    this.#draw();
  }

  #draw(): void {
    for (const { figure, place } of this.#shown)
      if (place.clientWidth > 0)
        place.replaceChildren(parseSvg(figureSvg(figure, undefined, place.clientWidth)));
  }
}
