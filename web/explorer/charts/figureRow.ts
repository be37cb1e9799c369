/** Figures as reports have them, drawn for the available width, so that their letters are those of the page. */
import { figureSvg } from '../../../host/draw/figure.js';
import type { Figure } from '../../../host/draw/figureModel.js';
import { onWidth } from '../../figures/page.js';
import { h, parsed } from '../dom.js';

/** Figures side by side, or one below the other where there is no room for two. */
export class FigureRow {
  readonly element = h('div', { className: 'pair' });
  #shown: readonly { readonly figure: Figure; readonly place: HTMLElement }[] = [];

  constructor() {
    onWidth(this.element, () => this.#draw());
  }

  /** Shows these, and no others. */
  show(figures: readonly Figure[]): void {
    this.#shown = figures.map((figure) => ({ figure, place: h('div') }));
    this.element.replaceChildren(
      ...this.#shown.map(({ figure: { title, caption }, place }) =>
        h('figure', {}, h('figcaption', {}, h('h3', {}, title), caption), place),
      ),
    );
    this.#draw();
  }

  #draw(): void {
    for (const { figure, place } of this.#shown)
      if (place.clientWidth > 0)
        place.replaceChildren(parsed(figureSvg(figure, undefined, place.clientWidth)));
  }
}
