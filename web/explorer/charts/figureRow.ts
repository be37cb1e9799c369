/** Shows report figures at the page's width, so that their text has the page's size. */
import { drawFigureSvg } from '../../../host/draw/figure.js';
import type { Figure } from '../../../host/draw/figureModel.js';
import { observeWidth } from '../../figures/page.js';
import { createElement, parseSvg } from '../dom.js';

/** Figures side by side; one below the other if the page is too narrow. */
export class SideBySideFigures {
  readonly element = createElement('div', { className: 'pair' });
  #figures: readonly { readonly figure: Figure; readonly container: HTMLElement }[] = [];

  constructor() {
    observeWidth(this.element, () => this.#draw());
  }

  /** Replaces the figures. */
  show(figures: readonly Figure[]): void {
    this.#figures = figures.map((figure) => ({ figure, container: createElement('div') }));
    this.element.replaceChildren(
      ...this.#figures.map(({ figure: { title: figureTitle, caption }, container }) =>
        createElement(
          'figure',
          {},
          createElement('figcaption', {}, createElement('h3', {}, figureTitle), caption),
          container,
        ),
      ),
    );
    this.#draw();
  }

  #draw(): void {
    for (const { figure, container } of this.#figures)
      if (container.clientWidth > 0)
        container.replaceChildren(parseSvg(drawFigureSvg(figure, undefined, container.clientWidth)));
  }
}
