/** A legend of buttons: pressed, what they name is shown. */
import { button, element } from './elements.js';

/** An entry: its name, and a sample of its looks. */
export interface LegendEntry {
  readonly name: string;
  readonly color: string;
  /** A character; default a square. */
  readonly marker?: string | undefined;
}

/** The buttons; hidden where there is nothing to tell apart. */
export class Legend {
  readonly element: HTMLElement;
  readonly #buttons = new Map<string, HTMLButtonElement>();
  readonly #onHide: (hidden: ReadonlySet<string>) => void;
  #hidden: ReadonlySet<string> = new Set();

  constructor(entries: readonly LegendEntry[], onHide: (hidden: ReadonlySet<string>) => void) {
    this.#onHide = onHide;
    for (const { name, color, marker = '■' } of entries) {
      const entry = button('', 'show or hide; with Shift, show it alone', () => {});
      entry.onclick = ({ shiftKey }) => this.#press(name, shiftKey);
      const sample = element('span', { className: 'sample' }, marker);
      sample.style.color = color;
      sample.setAttribute('aria-hidden', 'true');
      entry.append(sample, name);
      this.#buttons.set(name, entry);
    }
    this.element = element(
      'div',
      { className: 'legend', hidden: entries.length < 2 },
      ...this.#buttons.values(),
    );
    this.show(this.#hidden);
  }

  /** Shows what is hidden, and leaves out what is not present at all. */
  show(hidden: ReadonlySet<string>, present: ReadonlySet<string> = new Set(this.#buttons.keys())): void {
    this.#hidden = hidden;
    for (const [name, entry] of this.#buttons) {
      entry.hidden = !present.has(name);
      entry.setAttribute('aria-pressed', String(!hidden.has(name)));
    }
  }

  #press(name: string, isAlone: boolean): void {
    const names = [...this.#buttons.keys()];
    const isAloneNow = !this.#hidden.has(name) && this.#hidden.size === names.length - 1;
    if (isAlone) {
      this.#onHide(new Set(isAloneNow ? [] : names.filter((each) => each !== name)));
      return;
    }
    const next = new Set(this.#hidden);
    if (!next.delete(name)) next.add(name);
    this.#onHide(next);
  }
}
